"""Processes that do tasks side by side, and each of them several where it waits for other programs.

A task is done in steps, by a generator: it yields the descriptor of a pipe that it waits for, and returns its result.
One process that reads from four programs holds far less memory than four processes.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from smemdesc.scanning.started import uninterrupted

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

Steps = Generator[int, None, Any]
"""The steps of a task; each yields the descriptor of a pipe that has nothing to read yet."""
Job = TypeVar("Job")

NO_PROCESS = (OSError, RuntimeError, MemoryError)
"""What starting processes raises where there are too few of something."""
_PATIENCE = 0.1
"""Seconds after which a task that waits is asked again, for it may give up."""
_AHEAD = 1
"""How many tasks more than it does at once a process is given, so that the next is there when it is done with one."""
_SMALL = 16_384 if sys.platform == "linux" else 0
"""Bytes of a task that a pipe takes though nobody reads from it yet, some of them at a time. A larger one is given to a
process that waits for it: one that sends a large result meanwhile would wait for us, and we for it."""
_LINE = 4096
"""How many jobs wait for their turn at most, done or not."""
_HELD = 32 << 20
"""Bytes of results that wait for their turn."""


class Died(Exception):  # noqa: N818
    """The process that did a task died of it, twice."""


class _Worker:
    """One process, as its parent sees it."""

    def __init__(self, process: BaseProcess, connection: Connection[Any, Any]) -> None:
        self.process = process
        self.connection = connection
        self.has: list[int] = []
        """The numbers of the tasks that it was given."""


class Workers(Generic[Job]):
    """Does jobs in several processes and yields them in order with their results.

    ``task`` returns what of a job is sent to a process, None where nothing is to be done; ``steps`` does it there, and
    ``begin`` is called first in each. ``many`` processes do ``several`` tasks each at once.
    """

    def __init__(
        self,
        task: Callable[[Job], object | None],
        steps: Callable[[Any], Steps],
        begin: Callable[[], None],
        many: int,
        several: int,
    ) -> None:
        import multiprocessing

        self._task = task
        self._steps = steps
        self._begin = begin
        self._most = several + _AHEAD
        self._several = several
        # A forked process has the modules already, and shares them; where that is not to be had, the platform's way.
        methods = multiprocessing.get_all_start_methods()
        self._context: BaseContext = multiprocessing.get_context("fork" if "fork" in methods else None)
        self._workers: list[_Worker] = []
        self._line: deque[tuple[int, Job]] = deque()
        self._sent: dict[int, object] = {}
        """The tasks that were given to a process or have to be given to one again."""
        self._suspects: list[int] = []
        """One of them may have killed its process: each is tried by itself."""
        self._tried: set[int] = set()
        self._made: dict[int, bytes | Died] = {}
        self._held = 0
        try:
            for _ in range(many):
                self._start()
        except NO_PROCESS:
            if not self._workers:
                raise

    def _start(self) -> None:
        mine, its = self._context.Pipe()
        inherited = [each.connection for each in self._workers]
        others = [mine, *inherited] if self._context.get_start_method() == "fork" else []
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(its, others, self._steps, self._begin, self._several), daemon=True
        )
        try:
            with uninterrupted():
                process.start()
                self._workers.append(_Worker(process, mine))
        except BaseException:
            mine.close()
            raise
        finally:
            its.close()

    def results(self, source: Iterator[Job]) -> Iterator[tuple[Job, Any]]:
        """Yield each job with its result; with None where nothing was to be done, :class:`Died` where that is why."""
        number = 0
        ended = False
        while True:
            while not ended and len(self._line) < _LINE and self._held < _HELD and self._room() is not None:
                job = next(source, None)
                if job is None:
                    ended = True
                    break
                self._line.append((number, job))
                task = self._task(job)
                if task is not None:
                    self._sent[number] = task
                    self._give(number)
                number += 1
            while self._line and (self._line[0][0] in self._made or self._line[0][0] not in self._sent):
                first, job = self._line[0]
                made = self._made.pop(first, None)
                result = pickle.loads(made) if isinstance(made, bytes) else made
                self._held -= len(made) if isinstance(made, bytes) else 0
                self._sent.pop(first, None)
                self._line.popleft()
                yield job, result
            if ended and not self._line:
                return
            self._take()

    def _room(self) -> _Worker | None:
        """Return the process with the fewest tasks, if it may have another."""
        if self._suspects:
            return None
        least = min(self._workers, key=lambda each: len(each.has))
        return least if len(least.has) < self._most else None

    def _give(self, number: int) -> None:
        """Send a task to the process with the fewest, as soon as it can take it."""
        data = ForkingPickler.dumps((number, self._sent[number]))
        while (worker := self._room()) is None or (worker.has and len(data) > _SMALL):
            self._take()
        self._send(number, worker, data)

    def _send(self, number: int, worker: _Worker, data: Any) -> None:
        worker.has.append(number)
        # If it is dead, that is seen later.
        with suppress(BrokenPipeError, ConnectionResetError):
            worker.connection.send_bytes(data)

    def _take(self) -> None:
        """Wait for results, and take them."""
        if self._suspects and not any(each.has for each in self._workers):
            number = self._suspects.pop(0)
            self._tried.add(number)
            self._send(number, self._workers[0], ForkingPickler.dumps((number, self._sent[number])))
        waited = {each.connection: each for each in self._workers if each.has}
        for connection in wait(list(waited)):
            worker = waited[connection]  # type: ignore[index]
            try:
                number, made = worker.connection.recv()
            except (EOFError, OSError):
                self._died(worker)
                continue
            worker.has.remove(number)
            self._made[number] = made
            self._held += len(made)

    def _died(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join()
        for number in worker.has:
            if number in self._tried:
                self._made[number] = Died()
            else:
                self._suspects.append(number)
        try:
            self._start()
        except NO_PROCESS:
            if not self._workers:
                raise

    def left(self) -> Iterator[Job]:
        """Yield the jobs whose results were not yielded: there are no processes any more."""
        while self._line:
            yield self._line.popleft()[1]

    def close(self, now: bool) -> None:
        """End the processes; ``now``: without waiting for what they do."""
        for each in self._workers:
            if now:
                each.process.terminate()
            each.connection.close()
        for each in self._workers:
            each.process.join()


def _serve(
    connection: Connection[Any, Any],
    others: list[Connection[Any, Any]],
    begun: Callable[[Any], Steps],
    begin: Callable[[], None],
    several: int,
) -> None:
    """Do tasks until there are no more."""
    for each in others:
        # It ends when its parent closes the other end, which then must not be open here.
        each.close()
    begin()
    ready: deque[tuple[int, Steps]] = deque()
    waiting: dict[int, tuple[int, Steps]] = {}
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            busy = len(ready) + len(waiting)
            asked: list[Any] = [connection, *waiting] if busy < several else list(waiting)
            for found in wait(asked, 0 if ready else _PATIENCE if busy else None):
                if isinstance(found, int):
                    ready.append(waiting.pop(found))
                    continue
                number, task = connection.recv()
                # What it starts works while others are read.
                ready.append((number, begun(task)))
            if not ready:
                ready.extend(waiting.values())
                waiting.clear()
            if not ready:
                continue
            number, steps = ready.popleft()
            try:
                descriptor = next(steps)
            except StopIteration as end:
                connection.send((number, pickle.dumps(end.value, pickle.HIGHEST_PROTOCOL)))
            else:
                waiting[descriptor] = (number, steps)
