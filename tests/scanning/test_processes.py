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
from smemdesc.scanning.inputs.workers import Pool

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what the processes do is inherited")


def results(made: Pool, tasks: Iterable[Any]) -> Iterator[Any]:
    return (result for _, result in made.results(Job(task, iter) for task in tasks))


def done(do: Callable[[Any], Any], tasks: Iterable[Any], many: int = 2) -> list[Any]:
    with closing(Pool(do, many)) as made:
        return list(results(made, tasks))


def doubled(task: int) -> Any:
    time.sleep(0.001 * (task % 7))
    return 2 * task


@pytest.mark.parametrize("many", [1, 3])
def test_results_come_in_order(many: int) -> None:
    jobs = [Job(each, iter) for each in range(1, 60)]  # type: ignore[arg-type]
    with closing(Pool(doubled, many)) as made:
        assert list(made.results(iter(jobs))) == [(job, 2 * job.task) for job in jobs]


def test_what_is_nothing_to_do_has_its_turn() -> None:
    assert done(doubled, [None, 1, None, 3, None, 5]) == [None, 2, None, 6, None, 10]


def repeated(task: tuple[bytes, int]) -> Any:
    return task[0] * task[1]


def test_tasks_and_results_larger_than_a_pipe_pass() -> None:
    tasks = [(bytes(size), times) for size in (1_000_000, 3, 300_000) for times in (1, 4, 0)] * 4
    assert done(repeated, tasks) == [data * times for data, times in tasks]


def fragile(task: int) -> Any:
    if task == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


@pytest.mark.parametrize("many", [1, 3])
def test_what_kills_its_process_costs_itself(many: int) -> None:
    found = done(fragile, [*range(1, 30), 13, 40], many)
    assert [each.message for each in found if isinstance(each, SmemdescError)] == ["not scanned: the process died"] * 2
    assert [each for each in found if isinstance(each, int)] == [*range(1, 13), *range(14, 30), 40]


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
    with closing(Pool(endless, 2)) as made, closing(made.results(iter([Job(0, iter), Job(1, iter)]))):
        pass
    with closing(Pool(doubled, 2)) as made:
        assert list(islice(results(made, range(1, 10_000)), 2)) == [2, 4]
    assert time.monotonic() - begun < 30


def test_processes_end_with_their_parent() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        next(results(Pool(doubled, 3), range(1, 9)))
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(child, 0)
    # All of them have the other end of this pipe: it ends when the last one does.
    assert os.read(read, 1) == b""
    os.close(read)
