"""A whole scan: tasks go to the machine's cores, results come back in order."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries.members import EVERYTHING, Ask
from smemdesc.scanning.binaries.members import scan as printed
from smemdesc.scanning.chunks import Chunk, read, unforeseen
from smemdesc.scanning.files import Found as Found
from smemdesc.scanning.files import Inputs, Job, Result, Task, unreadable

_WORTH = 2_000_000
"""Bytes in all from which on other processes are worth their start."""


def scan(names: Iterable[str], ask: Ask = EVERYTHING) -> Generator[Found, None, None]:
    """Scan files and folders (``-`` is standard input) and yield what each chunk held, in order.

    A file that cannot be read yields one :class:`Found` with its problem.
    """
    ask = ask._replace(jobs=ask.jobs or _cores())
    inputs = Inputs(names, ask, partial(_results, ask.jobs))
    try:
        for job, result in _results(ask.jobs, inputs.jobs()):
            yield from job.take(result)
    finally:
        inputs.spool.close()


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _do(task: Task) -> Result:
    try:
        return read(task) if isinstance(task, Chunk) else printed(task)
    except SmemdescError as problem:
        return problem
    except OSError as problem:
        if isinstance(task, Chunk):
            return unreadable(task.context.path, problem)
        return SmemdescError(f"it cannot be printed: {(problem.strerror or str(problem)).lower()}")
    except Exception as problem:
        return SmemdescError(_where(task) + unforeseen(problem))


def _where(task: Task) -> str:
    return f"{task.context.path}: bytes {task.start} to {task.end}: " if isinstance(task, Chunk) else ""


def _weight(task: Task) -> int:
    return max(1, task.end - task.start) if isinstance(task, Chunk) else task.weight


def _results(jobs: int, source: Iterable[Job]) -> Iterator[tuple[Job, Result | None]]:
    """Do the tasks of jobs, in several processes where that is worth it, and yield them in order with the results."""
    source = iter(source)
    waiting: list[Job] = []
    weight = heavy = 0
    for job in source:
        if jobs == 1 or not (waiting or job.task):
            yield job, job.task and _do(job.task)
            continue
        waiting.append(job)
        if job.task:
            weight += _weight(job.task)
            heavy += 1
        if weight > _WORTH and heavy > 1:
            yield from _side_by_side(jobs, chain(waiting, source))
            return
    for job in waiting:
        yield job, job.task and _do(job.task)


def _side_by_side(jobs: int, source: Iterator[Job]) -> Iterator[tuple[Job, Result | None]]:
    """Yield the results of jobs in order. One that kills the process that works on it costs only itself."""
    # What is read here is shared by all processes.
    import smemdesc.scanning.sass.front  # noqa: F401
    from smemdesc.scanning.processes import Died, Pool

    pool = Pool[Job](_task, _do, jobs)
    try:
        for job, result in pool.results(source):
            yield job, _died(job.task) if isinstance(result, Died) else result
    finally:
        pool.close()


def _task(job: Job) -> Task | None:
    return job.task


def _died(task: Task | None) -> SmemdescError:
    hint = "try --jobs 1, or more memory"
    if isinstance(task, Chunk):
        said = f"{task.context.path}: bytes {task.start} to {task.end} not scanned: the process died"
        return SmemdescError(said, hint=hint)
    return SmemdescError("not scanned: the process died", hint=hint)
