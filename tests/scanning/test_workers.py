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

from smemdesc.scanning.workers import Died, Steps, Workers

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="what the workers do is inherited")


def begin() -> None:
    """Nothing has to be prepared."""


@contextmanager
def workers(
    steps: Callable[[Any], Steps], many: int, several: int, task: Callable[[Any], Any] = lambda job: job
) -> Iterator[Workers[Any]]:
    made = Workers[Any](task, steps, begin, many, several)
    try:
        yield made
    finally:
        made.close(now=True)


def done(steps: Callable[[Any], Steps], jobs: list[Any], many: int = 2, several: int = 1) -> list[Any]:
    with workers(steps, many, several) as made:
        return [result for _, result in made.results(iter(jobs))]


def doubled(task: int) -> Steps:
    time.sleep(0.001 * (task % 7))
    return 2 * task
    yield


@pytest.mark.parametrize(("many", "several"), [(1, 1), (3, 1), (2, 3)])
def test_results_come_in_order(many: int, several: int) -> None:
    with workers(doubled, many, several) as made:
        assert list(made.results(iter(range(1, 60)))) == [(each, 2 * each) for each in range(1, 60)]


def test_what_is_nothing_to_do_has_its_turn() -> None:
    with workers(doubled, 2, 1, lambda job: job if job % 2 else None) as made:
        assert list(made.results(iter(range(6)))) == [(0, None), (1, 2), (2, None), (3, 6), (4, None), (5, 10)]


def repeated(task: tuple[bytes, int]) -> Steps:
    return task[0] * task[1]
    yield


@pytest.mark.parametrize("several", [1, 3])
def test_tasks_and_results_larger_than_a_pipe_pass(several: int) -> None:
    tasks = [(bytes(size), times) for size in (1_000_000, 3, 300_000) for times in (1, 4, 0)] * 4
    assert done(repeated, tasks, 2, several) == [data * times for data, times in tasks]


def piped(task: int) -> Steps:
    """Wait for a child that answers late."""
    read, write = os.pipe()
    if os.fork() == 0:
        time.sleep(0.2)
        os.write(write, bytes([task]))
        os._exit(0)
    os.close(write)
    yield read
    answer = os.read(read, 1)[0]
    os.close(read)
    os.wait()
    return answer, os.getpid()


def test_one_process_waits_for_several_at_once() -> None:
    begun = time.monotonic()
    answers = done(piped, list(range(6)), 1, 6)
    assert [answer for answer, _ in answers] == list(range(6))
    assert len({process for _, process in answers}) == 1
    assert time.monotonic() - begun < 6 * 0.2


def fragile(task: int) -> Steps:
    if task == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return task
    yield


@pytest.mark.parametrize(("many", "several"), [(1, 1), (1, 3), (3, 2)])
def test_what_kills_its_process_costs_itself(many: int, several: int) -> None:
    results = done(fragile, [*range(1, 30), 13, 40], many, several)
    assert [type(each) for each in results].count(Died) == 2
    assert [each for each in results if not isinstance(each, Died)] == [*range(1, 13), *range(14, 30), 40]


def unlucky(task: Path) -> Steps:
    """Die the first time, if the name says so."""
    if task.name == "unlucky" and not task.exists():
        task.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task
    yield


def test_what_died_by_chance_is_done_again(tmp_path: Path) -> None:
    files = [tmp_path / each for each in ("a", "b", "unlucky", "c", "d", "e")]
    assert done(unlucky, files, 2, 1) == files


def test_where_no_process_can_be_started_again_the_rest_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with workers(fragile, 1, 1) as made:

        def fails() -> None:
            raise OSError("no more processes")

        monkeypatch.setattr(made, "_start", fails)
        source = iter([1, 2, 13, 4])
        found: list[tuple[int, int]] = []
        with pytest.raises(OSError, match="no more processes"):
            found.extend(made.results(source))
        assert found == [(1, 1), (2, 2)][: len(found)]
        assert [job for job, _ in found] + list(made.left()) + list(source) == [1, 2, 13, 4]


def endless(task: int) -> Steps:
    time.sleep(60)
    return task
    yield


def test_whoever_stops_early_waits_for_nothing() -> None:
    begun = time.monotonic()
    with workers(endless, 2, 1) as made, closing(made.results(iter([0, 1, 2]))):
        pass
    with workers(doubled, 2, 1) as made:
        assert list(islice(made.results(iter(range(1, 10_000))), 2)) == [(1, 2), (2, 4)]
    assert time.monotonic() - begun < 30


def test_processes_end_with_their_parent() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        made = Workers[int](lambda job: job, doubled, begin, 3, 1)
        next(made.results(iter(range(1, 9))))
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(child, 0)
    # All of them have the other end of this pipe: it ends when the last one does.
    assert os.read(read, 1) == b""
    os.close(read)
