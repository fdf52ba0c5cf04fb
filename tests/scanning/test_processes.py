"""Processes that do tasks: nothing is lost, nothing changes places, whatever dies and however large it is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.files import Job
from smemdesc.scanning.inputs.workers import Processes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what the processes do is inherited")


def results(processes: Processes, tasks: Iterable[Any]) -> Iterator[Any]:
    return processes.results(Job(task, lambda result: iter([result])) for task in tasks)


def done(do: Callable[[Any], Any], tasks: Iterable[Any], most: int = 2) -> list[Any]:
    with closing(Processes(do, most)) as processes:
        return list(results(processes, tasks))


def doubled(task: int) -> Any:
    time.sleep(0.001 * (task % 7))
    return 2 * task


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 1, 3])
def test_results_come_in_order(most: int) -> None:
    assert done(doubled, range(1, 60), most) == [2 * task for task in range(1, 60)]


def test_tasks_are_done_while_a_result_is_used() -> None:
    """A text without tensor-core instructions is searched for values once its pieces are done."""
    with closing(Processes(doubled, 2)) as processes:
        jobs = [Job(task, lambda result: results(processes, range(result, result + 5))) for task in range(1, 9)]
        assert list(processes.results(jobs)) == [2 * (2 * task + n) for task in range(1, 9) for n in range(5)]


def test_what_is_nothing_to_do_has_its_turn() -> None:
    assert done(doubled, [None, 1, None, 3, None, 5]) == [None, 2, None, 6, None, 10]


def repeated(task: tuple[bytes, int]) -> Any:
    return task[0] * task[1]


@pytest.mark.slow
def test_tasks_and_results_larger_than_a_pipe_pass() -> None:
    tasks = [(bytes(size), times) for size in (1_000_000, 3, 300_000) for times in (1, 4, 0)] * 4
    assert done(repeated, tasks) == [data * times for data, times in tasks]


def fragile(task: int) -> Any:
    if task == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 3])
def test_what_kills_its_process_costs_itself(most: int) -> None:
    found = done(fragile, [*range(1, 30), 13, 40], most)
    assert [each.message for each in found if isinstance(each, SmemdescError)] == ["not scanned: the process died"] * 2
    assert [each for each in found if isinstance(each, int)] == [*range(1, 13), *range(14, 30), 40]


def silenced(task: int) -> Any:
    """Die while the result is sent, and has been sent in part."""
    if task == 13:
        from multiprocessing.connection import Connection

        def die(connection: Any, data: bytes) -> None:
            os.write(connection.fileno(), bytes(data)[:10_000])
            os.kill(os.getpid(), signal.SIGKILL)

        Connection._send = die  # type: ignore[attr-defined]
    return bytes(20_000 + task)


def test_what_dies_while_it_answers_is_noticed() -> None:
    found = done(silenced, range(1, 30))
    assert [task for task, result in enumerate(found, 1) if result != bytes(20_000 + task)] == [13]


def unlucky(task: Path) -> Any:
    """Die the first time, if the name says so."""
    if task.name == "unlucky" and not task.exists():
        task.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_what_died_by_chance_is_done_again(tmp_path: Path) -> None:
    files = [tmp_path / each for each in ("a", "b", "unlucky", "c", "d", "e")]
    assert done(unlucky, files) == files


def test_where_no_process_can_be_started_one_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Any:
        raise OSError("no more processes")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", fails)
    assert done(doubled, [1, 2, 3]) == [2, 4, 6]


def endless(task: int) -> Any:
    time.sleep(60)
    return task


def test_whoever_stops_early_waits_for_nothing() -> None:
    begun = time.monotonic()
    with closing(Processes(endless, 2)) as processes, closing(results(processes, [1, 2])):
        pass
    with closing(Processes(doubled, 2)) as processes:
        assert list(islice(results(processes, range(1, 10_000)), 2)) == [2, 4]
    assert time.monotonic() - begun < 30


def test_processes_end_with_their_parent() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        next(results(Processes(doubled, 3), range(1, 9)))
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(child, 0)
    # All of them have the other end of this pipe: it ends when the last one does.
    assert os.read(read, 1) == b""
    os.close(read)
