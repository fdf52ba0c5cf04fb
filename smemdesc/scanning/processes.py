"""Tasks done side by side in several processes; their results come back in order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from smemdesc.scanning.binaries.programs import RUNNING
from smemdesc.scanning.spool import uninterrupted

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Job = TypeVar("Job")
_NO_PROCESS = (OSError, RuntimeError, MemoryError)
"""What starting a process raises where there are too few of something."""
_LINE = 1024
"""How many jobs wait for their turn at most, done or not."""


class Died(Exception):  # noqa: N818
    """The process that did a task died of it, twice."""


class _Turn(Generic[Job]):
    """A job that waits for its turn, and what came of its task."""

    def __init__(self, job: Job, task: object | None) -> None:
        self.job = job
        self.task = task
        self.result: Any = None
        self.done = task is None
        self.tried = False
        """Whether a process died that did it."""


class Pool(Generic[Job]):
    """Does jobs in up to ``many`` processes and yields them in order with their results.

    ``task`` returns what of a job is sent to a process, None where nothing is to be done; ``do`` does it there.
    """

    def __init__(self, task: Callable[[Job], object | None], do: Callable[[Any], Any], many: int) -> None:
        self._task = task
        self._do = do
        self._many = many
        # A forked process has the modules already, and shares them; where that is not to be had, the platform's way.
        self._context = get_context("fork" if "fork" in get_all_start_methods() else None)
        self._processes: dict[Any, BaseProcess] = {}
        """Each by our end of its pipe."""
        self._idle: list[Any] = []
        self._busy: dict[Any, _Turn[Job]] = {}

    def results(self, source: Iterator[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield each job with its result; with None where nothing was to be done, :class:`Died` where that is why."""
        line: deque[_Turn[Job]] = deque()
        ended = False
        while line or not ended:
            while not ended and len(line) < _LINE and len(self._busy) < self._many:
                job = next(source, None)
                if job is None:
                    ended = True
                    break
                line.append(_Turn(job, self._task(job)))
                if not line[-1].done:
                    self._give(line[-1])
            while line and line[0].done:
                turn = line.popleft()
                yield turn.job, turn.result
            if line and line[0].tried:
                # It may have killed its process, or another has: it is tried again by itself.
                while self._busy:
                    self._take()
                self._give(line[0])
            if self._busy:
                self._take()

    def _give(self, turn: _Turn[Job]) -> None:
        """Send a task to a process that has none; where none can be started, do it here."""
        while not self._idle and not self._start():
            if not self._busy:
                turn.result, turn.done = self._do(turn.task), True
                return
            self._take()
        connection = self._idle.pop()
        self._busy[connection] = turn
        # If it is dead, that is seen later.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(turn.task)

    def _take(self) -> None:
        """Wait for results, and take them."""
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
                    turn.result, turn.done = Died(), True
                turn.tried = True

    def _start(self) -> bool:
        """Start a process; False where that cannot be done."""
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
        """End the processes, without waiting for what they do."""
        for process in self._processes.values():
            process.terminate()
        for connection, process in self._processes.items():
            connection.close()
            process.join()


def _serve(connection: Connection[Any, Any], parents: Connection[Any, Any], do: Callable[[Any], Any]) -> None:
    """Do tasks until there are no more: until the parent's end of the pipe is closed, which must not be open here."""
    parents.close()
    # An interrupt is left to the parent, which ends this process, and with it what it has started.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)
    if hasattr(signal, "pthread_sigmask"):
        # It was forked while they waited.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            connection.send(do(connection.recv()))


def _end(number: int, frame: object) -> None:
    # Nothing is imported here: the signal may have come in the middle of the same import.
    for child in RUNNING:
        child.kill()
        # Not child.wait: that may be what was interrupted, with its lock held.
        with suppress(OSError):
            os.waitpid(child.pid, 0)
    os._exit(128 + number)
