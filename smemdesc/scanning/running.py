"""Whole files, several at a time: pieces go to the machine's cores, results come back in order."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import chain
from typing import cast

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import allocate
from smemdesc.scanning.binaries.members import Ask, Task
from smemdesc.scanning.binaries.members import read as printed
from smemdesc.scanning.pieces import Piece, read, unforeseen
from smemdesc.scanning.sources import STDIN as STDIN
from smemdesc.scanning.sources import Doable, Job, Result, Works
from smemdesc.scanning.sources import Found as Found
from smemdesc.scanning.started import RUNNING

_WORTH = 2_000_000
"""Bytes in all from which on other processes are worth their start."""
_FEW = 4
"""Up to so many cores each has a process of its own: memory does not matter then."""


def scan(
    names: Iterable[str],
    wanted: str | None = None,
    jobs: int | None = None,
    cuda_bin: str | None = None,
    arch: str | None = None,
) -> Generator[Found, None, None]:
    """Scan files and folders (``-`` is standard input) and yield what each piece held, in order.

    ``wanted`` is a pattern for function names. ``jobs`` is how many processes work (None: one a core). ``cuda_bin``
    is the folder of nvdisasm and cuobjdump (None: the usual places). ``arch`` is the architecture by whose tables
    values are read in text that names none. A file that cannot be read yields one :class:`Found` with its problem.
    """
    jobs = jobs or _cores()
    works = Works(names, Ask(wanted, cuda_bin, jobs, arch), partial(_results, jobs=jobs))
    try:
        for job, result in _results(works.jobs(), jobs):
            yield from job.of.take(job.task, result)
    finally:
        works.close()


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _done(task: Doable) -> Result | None:
    """Do a task; None where there is nothing to be done."""
    if isinstance(task, Task):
        from smemdesc.scanning.binaries.programs import finished

        return cast("Result", finished(printed(task)))
    return _read(task) if isinstance(task, Piece) else None


def _steps(task: Piece | Task) -> Generator[int, None, Result]:
    """Do a task, and give the memory back that it took: there may be many such processes."""
    try:
        return (yield from printed(task)) if isinstance(task, Task) else _read(task)
    finally:
        allocate.free()


def _read(piece: Piece) -> Result:
    try:
        return read(piece)
    except (OSError, SmemdescError) as problem:
        return problem
    except Exception as problem:
        return SmemdescError(f"{piece.path}: bytes {piece.start} to {piece.end}: {unforeseen(problem)}")


def _weight(job: Job) -> int:
    """Return the bytes of a task, at least one: only what is no task (0) is done without a process."""
    if isinstance(job.task, Piece):
        return max(1, job.task.end - job.task.start)
    return max(1, job.task.weight) if isinstance(job.task, Task) else 0


def _results(jobs_: Iterable[Job], jobs: int) -> Iterator[tuple[Job, Result | None]]:
    """Do jobs, in several processes where that is worth it, and yield them in order with what came of them."""
    source = iter(jobs_)
    if jobs > 1:
        waiting: list[Job] = []
        weight = heavy = 0
        for job in source:
            if not waiting and not _weight(job):
                yield job, _done(job.task)
                continue
            waiting.append(job)
            weight += _weight(job)
            heavy += _weight(job) > 0
            if weight > _WORTH and heavy >= jobs:
                break
        if weight > _WORTH and heavy > 1:
            programs = sum(_weight(job) for job in waiting if isinstance(job.task, Task))
            many, several = _shared(jobs) if 2 * programs > weight else (jobs, 1)
            yield from _parallel(chain(waiting, source), min(many, heavy), several)
            return
        source = chain(waiting, source)
    for job in source:
        yield job, _done(job.task)


def _shared(jobs: int) -> tuple[int, int]:
    """Return how many processes read what nvdisasm prints, and how many of it each: nvdisasm works the most."""
    if jobs <= _FEW or sys.platform == "win32":
        return jobs, 1
    return -(-jobs * 5 // 16), 4


def _parallel(source: Iterator[Job], many: int, several: int) -> Iterator[tuple[Job, Result | None]]:
    """Yield the results of jobs in order. One that kills the process that works on it costs only itself."""
    import gc

    from smemdesc.scanning.workers import NO_PROCESS, Died, Workers

    # What is read here is shared by all.
    for name in _USED:
        import_module(name)
    # What is there already is looked through for garbage by none of them: they would have copies of it then.
    gc.collect()
    gc.freeze()
    workers: Workers[Job] | None = None
    finished = False
    try:
        workers = Workers(_sent, _steps, _begin, many, several)
        for job, result in workers.results(source):
            if isinstance(result, Died):
                yield job, _died(job)
            else:
                yield job, _done(job.task) if result is None else result
        finished = True
    except NO_PROCESS:
        # Too few threads, processes or pages: one process does it, if slower.
        for job in chain(workers.left() if workers else (), source):
            yield job, _done(job.task)
        finished = True
    finally:
        if workers is not None:
            workers.close(not finished)
        gc.unfreeze()


def _sent(job: Job) -> Piece | Task | None:
    """Return what of a job another process does. What carries its bytes with it would not fit through the pipe."""
    task = job.task
    if isinstance(task, Piece) or (isinstance(task, Task) and task.place is not None):
        return task
    return None


def _died(job: Job) -> SmemdescError:
    task = job.task
    hint = "try --jobs 1, or more memory"
    if isinstance(task, Piece):
        said = f"{task.path}: bytes {task.start} to {task.end} not scanned: the process died"
        return SmemdescError(said, hint=hint)
    return SmemdescError("not scanned: the process died", hint=hint)


_USED = ("smemdesc.scanning.sass.front", "smemdesc.scanning.binaries.disassembling", "ctypes")
"""Modules that are not read before something is scanned that needs them."""


def _begin() -> None:
    """Begin a process that does tasks."""
    _quiet()
    allocate.sparingly()


def _quiet() -> None:
    """Leave an interrupt to the parent, which ends this process, and with it what it has started."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _ended)
    if hasattr(signal, "pthread_sigmask"):
        # It was forked while they waited.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def _ended(number: int, frame: object) -> None:
    # Nothing is imported here: the signal may have come in the middle of the same import.
    for child in RUNNING:
        child.kill()
        # Not child.wait: that may be what was interrupted, with its lock held.
        with suppress(OSError):
            os.waitpid(child.pid, 0)
    os._exit(128 + number)
