"""Temporary files: copies of pipes, unpacked files, and the text of cubins. All are removed, even after a signal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, BinaryIO

from smemdesc.engine.errors import SmemdescError

STDIN = "-"
SPOOL = 4 << 30
"""Bytes of a pipe that are kept in a temporary file: a pipe may have no end."""
_BLOCK = 1 << 20


def shown_name(name: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if name == STDIN else name


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Block signals that end the program, where their exception would be lost or would leave a temporary file."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def salvaged(stream: Any, size: int) -> tuple[bytes, Exception | None]:
    """Return ``size`` unpacked bytes of a stream, or as many as can be read, and the error that ended them early."""
    parts = []
    try:
        while size > 0 and (block := stream.read1(size)):
            parts.append(block)
            size -= len(block)
    except Exception as problem:  # each decompression library has its own exceptions
        return b"".join(parts), problem
    return b"".join(parts), None


class Spool:
    """The temporary files of a scan."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def new(self) -> IO[bytes]:
        """Return a new file, which is registered before a signal can end the program."""
        from tempfile import NamedTemporaryFile

        with uninterrupted():
            copy = NamedTemporaryFile(prefix="smemdesc-", delete=False)  # noqa: SIM115
            self.paths.append(copy.name)
        return copy

    def forget(self, path: str) -> None:
        """Remove a file."""
        with suppress(OSError):
            os.unlink(path)
        with suppress(ValueError):
            self.paths.remove(path)

    def close(self) -> None:
        """Remove all of them."""
        for path in list(self.paths):
            self.forget(path)

    def local(self, name: str) -> str:
        """Return the path of a seekable file: the file itself, or the copy of a pipe."""
        if name != STDIN and (os.path.isfile(name) or not os.path.exists(name)):
            return name
        if name != STDIN:
            with open(name, "rb") as pipe:
                return self._piped(pipe, name)
        if sys.stdin is None:
            raise SmemdescError("standard input is closed", hint="pipe a dump into it, or name a file")
        return self._piped(sys.stdin.buffer, shown_name(name))

    def _piped(self, pipe: BinaryIO, name: str) -> str:
        """Copy a pipe: at most :data:`SPOOL` bytes, and at most half of the free space."""
        from shutil import disk_usage

        with self.new() as copy:
            folder = os.path.dirname(copy.name)
            free = disk_usage(folder).free
            size, most = 0, min(SPOOL, free // 2)
            while block := pipe.read(_BLOCK):
                size += len(block)
                if size > most and most < SPOOL:
                    raise SmemdescError(
                        f"{name} is a pipe (or a device), and {folder}, where it is stored, has {free} bytes"
                        " free, of which at most half are used",
                        hint="scan a file instead, or set TMPDIR to a folder with more space",
                    )
                if size > most:
                    raise SmemdescError(
                        f"{name} is a pipe (or a device) of more than {most >> 20} MiB, the limit",
                        hint="scan a file instead",
                    )
                copy.write(block)
        return copy.name

    def unpacked(self, stream: Any, allowance: Allowance) -> tuple[str, Exception | None]:
        """Copy a stream's unpacked bytes as far as they can be read; return the path, and the error that ended them."""
        with self.new() as copy:
            while True:
                block, problem = salvaged(stream, _BLOCK)
                allowance.take(len(block))
                copy.write(block)
                if problem is not None or not block:
                    return copy.name, problem


class Allowance:
    """How many bytes may still be unpacked: some archives are built to expand without end."""

    def __init__(self, most: int, what: str) -> None:
        self.most = self.left = most
        self.what = what
        """What the message says has more bytes."""

    def take(self, size: int) -> None:
        """Count ``size`` unpacked bytes. :class:`SmemdescError` if the total exceeds the limit."""
        self.left -= size
        if self.left < 0:
            raise SmemdescError(
                f"unpacked{self.what} more than {self.most} bytes", hint="unpack it and scan the result"
            )
