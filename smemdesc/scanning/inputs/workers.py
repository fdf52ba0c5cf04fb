"""A whole scan: tasks are done in several processes where that pays off, and what comes of them is yielded in order.

Each process has a pipe of its own: one that is killed, even while it sends a result, is noticed by the end of its pipe.
(``concurrent.futures`` has one pipe and one lock for all, and waits forever for the rest of such a result.)
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries.members import EVERYTHING, Ask, scan_member
from smemdesc.scanning.inputs.binaries.programs import RUNNING
from smemdesc.scanning.inputs.files import ChunkResult, Inputs, Job, PieceOutcome, Source, Task
from smemdesc.scanning.inputs.pieces import internal_error, scan_piece
from smemdesc.scanning.inputs.spool import uninterrupted
from smemdesc.scanning.inputs.text import Piece

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

_WORTH = 2_000_000
"""Total bytes from which starting other processes pays off."""
_NO_PROCESS = (OSError, RuntimeError, MemoryError)
"""What starting a process raises if a resource is exhausted."""
_LINE = 1024
"""The most jobs that wait for their turn, done or not."""


def scan_files(names: Iterable[str | Source], ask: Ask = EVERYTHING) -> Generator[ChunkResult, None, None]:
    """Scan files and folders (``-`` is standard input) and yield the result of each piece, in order.

    A file that cannot be read yields one :class:`ChunkResult` with its problem.
    """
    ask = ask._replace(jobs=ask.jobs or _cores())
    processes = Processes(_do, 0)
    inputs = Inputs(names, ask, processes.results)
    try:
        jobs = inputs.jobs()
        begun: list[Job] = []
        if ask.jobs > 1 and _is_worth_it(jobs, begun):
            from smemdesc.scanning.languages.sass import front  # noqa: F401  # forked processes share what is imported

            processes.most = ask.jobs
        yield from processes.results(chain(begun, jobs))
    finally:
        processes.close()
        inputs.spool.close()


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_worth_it(jobs: Iterator[Job], begun: list[Job]) -> bool:
    """Move jobs to ``begun`` until it is clear that their tasks are worth other processes; False if they never are."""
    weight = tasks = 0
    for job in jobs:
        begun.append(job)
        weight += job.task.weight if job.task else 0
        tasks += job.task is not None
        if weight > _WORTH and tasks > 1:
            return True
    return False


def _do(task: Task) -> PieceOutcome:
    try:
        return scan_piece(task) if isinstance(task, Piece) else scan_member(task)
    except SmemdescError as problem:
        return problem
    except OSError as problem:
        return SmemdescError(f"it cannot be printed: {(problem.strerror or str(problem)).lower()}")
    except Exception as problem:
        return SmemdescError(internal_error(problem))


class Processes:
    """At most ``most`` processes that ``do`` tasks; with none, this process does them.

    A task that kills its process fails alone: all others are still done.
    """

    def __init__(self, do: Callable[[Any], Any], most: int) -> None:
        self._do = do
        self.most = most
        self._processes: dict[Any, BaseProcess] = {}
        """The processes by our end of the pipe."""
        self._idle: list[Any] = []
        self._busy: dict[Any, Job] = {}

    def results(self, jobs: Iterable[Job]) -> Iterator[Any]:
        """Do the tasks of jobs, and yield what the jobs make of their results, in order."""
        line: deque[Job] = deque()
        for job in chain(jobs, (None,)):
            if job is not None:
                line.append(job)
                if not job.done:
                    self._give(job)
            while line and (line[0].done or job is None or len(self._busy) >= self.most or len(line) >= _LINE):
                first = line[0]
                if first.done:
                    yield from line.popleft().take(first.result)
                elif first.tried:
                    self._try_alone(first)
                else:
                    self._receive()

    def _give(self, job: Job) -> None:
        """Send a task to an idle process; if there can be none, do it in this process."""
        while not self._idle and not self._start():
            if not self._busy:
                job.finish(self._do(job.task))
                return
            self._receive()
        connection = self._idle.pop()
        self._busy[connection] = job
        # If the process is dead, _receive notices it.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(job.task)

    def _try_alone(self, job: Job) -> None:
        """Do a task again: it or another one may have killed the process."""
        while self._busy:
            self._receive()
        self._give(job)
        while self._busy:
            self._receive()

    def _receive(self) -> None:
        """Wait for results, and keep them."""
        from multiprocessing.connection import wait

        ready: list[Any] = wait(list(self._busy))
        for connection in ready:
            job = self._busy.pop(connection)
            try:
                job.finish(connection.recv())
                self._idle.append(connection)
            except (EOFError, OSError):
                connection.close()
                self._processes.pop(connection).join()
                if job.tried:
                    job.finish(SmemdescError("not scanned: the process died", hint="try --jobs 1, or more memory"))
                job.tried = True

    def _start(self) -> bool:
        """Start a process; False if there are enough, or if that fails."""
        if len(self._processes) >= self.most:
            return False
        from multiprocessing import get_all_start_methods, get_context

        # A forked process shares the modules that are already imported; otherwise the platform's default.
        context: Any = get_context("fork" if "fork" in get_all_start_methods() else None)
        try:
            mine, its = context.Pipe()
            with its, uninterrupted():
                process = context.Process(target=_serve, args=(its, mine, self._do), daemon=True)
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
