"""NVIDIA's programs at work: what they print, as it comes, and an end of one that no longer does anything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.started import RUNNING

_PIPE = 1 << 19
"""Bytes that a program may be ahead, where the system allows it: it goes on while the text of another is looked at."""
_PATIENCE = 1.0
"""Seconds after which it is looked whether a program has been silent for too long."""
SILENT = 300
"""Seconds without output after which a program is stopped; nvdisasm may take a minute for the largest cubins."""
_SAID = 400
"""Characters of what it complains of that are shown."""


class FailedError(SmemdescError):
    """A program does not do what it is asked for."""


def output(
    program: str, arguments: Sequence[str], file: str, inherited: Sequence[int] = (), folder: str | None = None
) -> Generator[bytes | int, None, None]:
    """Yield what a program prints of a file, the last of its arguments; ``folder`` is where it works.

    Where nothing is there yet, the descriptor of the pipe is yielded: ask again when it can be read. ``inherited`` are
    descriptors that it needs. :class:`FailedError` where it cannot be started, fails, or does nothing for
    :data:`SILENT` seconds.
    """
    name = os.path.basename(program).removesuffix(".exe")
    with TemporaryFile() as complaints:
        try:
            child = subprocess.Popen(
                [program, *arguments, file],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
                pass_fds=inherited,
            )
        except OSError as problem:
            raise FailedError(f"{program} could not be started: {(problem.strerror or '').lower()}") from None
        RUNNING.add(child)
        try:
            assert child.stdout is not None
            _widen(child.stdout)
            yield from _blocks(child.stdout, name)
            status = child.wait(SILENT)
        except subprocess.TimeoutExpired:
            raise FailedError(f"{name} did not end within {SILENT} seconds after its output") from None
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            RUNNING.discard(child)
            if child.stdout is not None:
                child.stdout.close()
        if status:
            raise FailedError(_why(name, status, complaints, file))


def finished(steps: Generator[int, None, Any]) -> Any:
    """Return what comes of something that yields a descriptor whenever it would have to wait for it."""
    while True:
        try:
            descriptor = next(steps)
        except StopIteration as end:
            return end.value
        _readable(descriptor, min(_PATIENCE, SILENT))


def waited(found: Iterator[bytes | int]) -> Iterator[bytes]:
    """Wait wherever :func:`output` would have to."""
    for each in found:
        if isinstance(each, int):
            _readable(each, min(_PATIENCE, SILENT))
        else:
            yield each


def _readable(descriptor: int, seconds: float) -> bool:
    """Wait until there is something to read; where a pipe cannot be waited for, reading does."""
    if sys.platform == "win32":
        return True
    import selectors

    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _why(name: str, status: int, complaints: IO[bytes], file: str) -> str:
    complaints.seek(0)
    said = " ".join(complaints.read(_SAID * 4).decode("utf-8", "replace").replace(file, "the file").split())[:_SAID]
    said = "".join(char if char.isprintable() else "?" for char in said).removeprefix(f"{name} ")
    if status < 0:
        return f"{name} crashed (signal {-status})" + (f": {said}" if said else "")
    return f"{name} failed: {said}" if said else f"{name} failed with status {status}"


def _widen(pipe: IO[bytes]) -> None:
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _blocks(stream: IO[bytes], name: str) -> Iterator[bytes | int]:
    descriptor = stream.fileno()
    begun = monotonic()
    while True:
        if not _readable(descriptor, 0):
            if monotonic() - begun > SILENT:
                raise FailedError(f"{name} printed nothing for {SILENT} seconds and was stopped")
            yield descriptor
            continue
        block = os.read(descriptor, _PIPE)
        if not block:
            return
        yield block
        begun = monotonic()
