"""nvdisasm at work: the functions of a cubin as text, a few at a time, and something else to do while it works."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import NamedTemporaryFile, TemporaryFile
from time import monotonic
from typing import IO, Any

from smemdesc.errors import SmemdescError
from smemdesc.scan.pieces import LONGEST
from smemdesc.scan.started import RUNNING
from smemdesc.scan.units import NVDISASM, last_header

_BLOCK = 1_000_000
"""Bytes of text that are looked at together, about: everything that reads a program holds so many."""
_PIPE = 1 << 19
"""Bytes that nvdisasm may be ahead, where the system allows it: it goes on while the text of another is looked at."""
_PATIENCE = 1.0
"""Seconds after which it is looked whether nvdisasm has been silent for too long."""
_SILENT = 600
"""Seconds after which an nvdisasm that prints nothing is stopped."""
_SAID = 400
"""Characters of what it complains of that are shown."""


class FailedError(SmemdescError):
    """nvdisasm does not print a cubin."""


@contextmanager
def _file(data: bytes) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the name of a file with these bytes, and the descriptors that a child has to inherit for it."""
    if hasattr(os, "memfd_create"):
        try:
            descriptor = os.memfd_create("smemdesc")
        except OSError:
            pass
        else:
            # No file on the disk: nothing is left behind, whatever ends the program.
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                del data
                yield f"/proc/self/fd/{descriptor}", (descriptor,)
            return
    with NamedTemporaryFile(prefix="smemdesc-", suffix=".cubin", delete=False) as copy:
        copy.write(data)
    try:
        yield copy.name, ()
    finally:
        with suppress(OSError):
            os.unlink(copy.name)


def finished(steps: Generator[int, None, Any]) -> Any:
    """Return what comes of something that yields a descriptor whenever it would have to wait for it."""
    while True:
        try:
            descriptor = next(steps)
        except StopIteration as end:
            return end.value
        _readable(descriptor, min(_PATIENCE, _SILENT))


def waited(found: Iterator[bytes | int]) -> Iterator[bytes]:
    """Wait wherever :func:`text` would have to."""
    for each in found:
        if isinstance(each, int):
            _readable(each, min(_PATIENCE, _SILENT))
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


def text(nvdisasm: str, data: bytes, symbols: Sequence[int]) -> Iterator[bytes | int]:
    """Yield what nvdisasm -c prints of the functions with these symbols (of all, where there are none).

    Each block but the first begins with a function, and ends with one. Where nothing is there yet, the descriptor of
    the pipe is yielded: ask again when it can be read. :class:`FailedError` where nvdisasm fails.
    """
    only = ["-fun", ",".join(map(str, symbols))] if symbols else []
    with _file(data) as (name, descriptors), TemporaryFile() as complaints:
        del data
        try:
            child = subprocess.Popen(
                [nvdisasm, "-c", *only, name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=complaints,
                pass_fds=descriptors,
            )
            _widen(child.stdout)
        except OSError as problem:
            raise FailedError(f"{nvdisasm} could not be started: {(problem.strerror or '').lower()}") from None
        RUNNING.add(child)
        try:
            assert child.stdout is not None
            yield from _functions(_blocks(child.stdout))
            status = child.wait()
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
            RUNNING.discard(child)
            if child.stdout is not None:
                child.stdout.close()
        if status:
            raise FailedError(_why(status, complaints, name))


def _why(status: int, complaints: IO[bytes], name: str) -> str:
    complaints.seek(0)
    said = " ".join(complaints.read(_SAID * 4).decode("utf-8", "replace").replace(name, "the cubin").split())[:_SAID]
    said = "".join(char if char.isprintable() else "?" for char in said).removeprefix("nvdisasm ")
    if status < 0:
        return f"nvdisasm crashed (signal {-status})" + (f": {said}" if said else "")
    return f"nvdisasm failed: {said}" if said else f"nvdisasm failed with status {status}"


def _widen(pipe: IO[bytes] | None) -> None:
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        assert pipe is not None
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _blocks(stream: IO[bytes]) -> Iterator[bytes | int]:
    descriptor = stream.fileno()
    begun = monotonic()
    while True:
        if not _readable(descriptor, 0):
            if monotonic() - begun > _SILENT:
                raise FailedError(f"nvdisasm has printed nothing for {_SILENT} seconds")
            yield descriptor
            continue
        block = os.read(descriptor, _PIPE)
        if not block:
            return
        yield block
        begun = monotonic()


def _functions(blocks: Iterator[bytes | int]) -> Iterator[bytes | int]:
    """Put blocks together and cut them where a function begins; descriptors are passed on."""
    kept: list[bytes] = []
    size = 0
    enough = _BLOCK
    for block in blocks:
        if isinstance(block, int):
            yield block
            continue
        kept.append(block)
        size += len(block)
        if size < enough:
            continue
        whole = b"".join(kept)
        last = last_header(whole, NVDISASM)
        done, whole = (whole[: last.start()], whole[last.start() :]) if last is not None else (b"", whole)
        enough = _BLOCK if done else 2 * size
        kept, size = [whole], len(whole)
        # Nothing is held twice while the caller is at work.
        del block, whole, last
        if done:
            yield done
        if size > LONGEST:
            raise FailedError(f"a function of over {LONGEST} bytes of text is not scanned")
    if size:
        yield b"".join(kept)
