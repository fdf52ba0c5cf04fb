"""A whole scan: tasks run in parallel in several processes, and their results are yielded in order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries.members import EVERYTHING, Ask
from smemdesc.scanning.inputs.binaries.members import scan as printed
from smemdesc.scanning.inputs.binaries.programs import RUNNING
from smemdesc.scanning.inputs.chunks import Chunk, internal_error, read
from smemdesc.scanning.inputs.files import ChunkResult as ChunkResult
from smemdesc.scanning.inputs.files import Inputs, Job, Result, Task, unreadable
from smemdesc.scanning.inputs.spool import uninterrupted

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

_WORTH = 2_000_000
"""Total bytes from which starting other processes pays off."""
_NO_PROCESS = (OSError, RuntimeError, MemoryError)
"""What starting a process raises if a resource is exhausted."""
_LINE = 1024
"""The most jobs that wait for their turn, done or not."""


def scan(names: Iterable[str], ask: Ask = EVERYTHING) -> Generator[ChunkResult, None, None]:
    """Scan files and folders (``-`` is standard input) and yield the result of each chunk, in order.

    A file that cannot be read yields one :class:`ChunkResult` with its problem.
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
        return SmemdescError(_where(task) + internal_error(problem))


def _where(task: Task) -> str:
    return f"{task.context.path}: bytes {task.start} to {task.end}: " if isinstance(task, Chunk) else ""


def _weight(task: Task) -> int:
    return max(1, task.end - task.start) if isinstance(task, Chunk) else task.weight


def _results(jobs: int, source: Iterable[Job]) -> Iterator[tuple[Job, Result | None]]:
    """Do the tasks of jobs, in several processes if that pays off, and yield the jobs in order with their results."""
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
            import smemdesc.scanning.languages.sass.front  # noqa: F401  # forked processes share what is imported here

            with closing(Pool(_do, jobs)) as pool:
                yield from pool.results(chain(waiting, source))
            return
    for job in waiting:
        yield job, job.task and _do(job.task)


class _Turn:
    """A job that waits for its turn, and the result of its task."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.result: Any = None
        self.done = job.task is None
        self.tried = False
        """Whether a process died while it ran the task."""


def _died(task: Task | None) -> SmemdescError:
    where = _where(task).removesuffix(": ") + " " if isinstance(task, Chunk) else ""
    return SmemdescError(f"{where}not scanned: the process died", hint="try --jobs 1, or more memory")


class Pool:
    """Runs ``do`` on the tasks of jobs in up to ``many`` processes.

    A task that kills its process fails alone: all others are still done.
    """

    def __init__(self, do: Callable[[Any], Any], many: int) -> None:
        from multiprocessing import get_all_start_methods, get_context

        self._do = do
        self._many = many
        # A forked process shares the modules that are already imported; otherwise the platform's default.
        self._context = get_context("fork" if "fork" in get_all_start_methods() else None)
        self._processes: dict[Any, BaseProcess] = {}
        """The processes by our end of the pipe."""
        self._idle: list[Any] = []
        self._busy: dict[Any, _Turn] = {}

    def results(self, source: Iterator[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield each job, in order, with its result; with None if it has no task."""
        line: deque[_Turn] = deque()
        ended = False
        while line or not ended:
            while not ended and len(line) < _LINE and len(self._busy) < self._many:
                job = next(source, None)
                if job is None:
                    ended = True
                    break
                line.append(_Turn(job))
                if not line[-1].done:
                    self._give(line[-1])
            while line and line[0].done:
                turn = line.popleft()
                yield turn.job, turn.result
            if line and line[0].tried:
                # This task or another one may have killed the process: it is tried again alone.
                while self._busy:
                    self._take()
                self._give(line[0])
            if self._busy:
                self._take()

    def _give(self, turn: _Turn) -> None:
        """Send a task to an idle process; if none can be started, do it in this process."""
        while not self._idle and not self._start():
            if not self._busy:
                turn.result, turn.done = self._do(turn.job.task), True
                return
            self._take()
        connection = self._idle.pop()
        self._busy[connection] = turn
        # If the process is dead, _take notices it.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(turn.job.task)

    def _take(self) -> None:
        """Wait for results, and store them."""
        from multiprocessing.connection import wait

        ready: list[Any] = wait(list(self._busy))
        for connection in ready:
            turn = self._busy.pop(connection)
            try:
                turn.result, turn.done = connection.recv(), True
                self._idle.append(connection)
            except (EOFError, OSError):
                connection.close()
                self._processes.pop(connection).join()
                if turn.tried:
                    turn.result, turn.done = _died(turn.job.task), True
                turn.tried = True

    def _start(self) -> bool:
        """Start a process; False if that fails."""
        try:
            mine, its = self._context.Pipe()
            with its, uninterrupted():
                process = self._context.Process(target=_serve, args=(its, mine, self._do), daemon=True)
                process.start()
                self._processes[mine] = process
            self._idle.append(mine)
        except _NO_PROCESS:
            return False
        return True

    def close(self) -> None:
        """End the processes, without waiting for their tasks."""
        for process in self._processes.values():
            process.terminate()
        for connection, process in self._processes.items():
            connection.close()
            process.join()


def _serve(connection: Any, parents: Any, do: Callable[[Any], Any]) -> None:
    """Do tasks until the parent closes its end of the pipe, which therefore must not stay open in this process."""
    parents.close()
    # The parent handles an interrupt: it ends this process, which ends the programs that it has started.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    if hasattr(signal, "pthread_sigmask"):
        # They were blocked when this process was forked.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            connection.send(do(connection.recv()))


def _end(number: int, frame: object) -> None:
    # Nothing is imported here: the signal may have arrived during the same import.
    for child in RUNNING:
        child.kill()
        # Not child.wait: the signal may have interrupted it while it held its lock.
        with suppress(OSError):
            os.waitpid(child.pid, 0)
    os._exit(128 + number)
