"""Processes that do tasks: nothing is lost, nothing changes places, whatever dies and however large it is."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from smemdesc.scanning.processes import Died, Pool

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what the processes do is inherited")


@contextmanager
def pool(do: Callable[[Any], Any], many: int, task: Callable[[Any], Any] = lambda job: job) -> Iterator[Pool[Any]]:
    made = Pool[Any](task, do, many)
    try:
        yield made
    finally:
        made.close()


def done(do: Callable[[Any], Any], jobs: list[Any], many: int = 2) -> list[Any]:
    with pool(do, many) as made:
        return [result for _, result in made.results(iter(jobs))]


def doubled(task: int) -> Any:
    time.sleep(0.001 * (task % 7))
    return 2 * task


@pytest.mark.parametrize("many", [1, 3])
def test_results_come_in_order(many: int) -> None:
    with pool(doubled, many) as made:
        assert list(made.results(iter(range(1, 60)))) == [(each, 2 * each) for each in range(1, 60)]


def test_what_is_nothing_to_do_has_its_turn() -> None:
    with pool(doubled, 2, lambda job: job if job % 2 else None) as made:
        assert list(made.results(iter(range(6)))) == [(0, None), (1, 2), (2, None), (3, 6), (4, None), (5, 10)]


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
    results = done(fragile, [*range(1, 30), 13, 40], many)
    assert [type(each) for each in results].count(Died) == 2
    assert [each for each in results if not isinstance(each, Died)] == [*range(1, 13), *range(14, 30), 40]


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
    with pool(endless, 2) as made, closing(made.results(iter([0, 1, 2]))):
        pass
    with pool(doubled, 2) as made:
        assert list(islice(made.results(iter(range(1, 10_000))), 2)) == [(1, 2), (2, 4)]
    assert time.monotonic() - begun < 30


def test_processes_end_with_their_parent() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        made = Pool[int](lambda job: job, doubled, 3)
        next(made.results(iter(range(1, 9))))
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(child, 0)
    # All of them have the other end of this pipe: it ends when the last one does.
    assert os.read(read, 1) == b""
    os.close(read)
