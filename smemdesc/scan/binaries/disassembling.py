"""nvdisasm at work: the functions of a cubin as text, a few at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from select import select
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import IO

from smemdesc.errors import SmemdescError
from smemdesc.scan.pieces import LONGEST
from smemdesc.scan.started import RUNNING
from smemdesc.scan.units import NVDISASM, last_header

_BLOCK = 1_000_000
"""Bytes of text that are looked at together, about: as many processes as there are cores hold so many."""
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


def text(nvdisasm: str, data: bytes, symbols: Sequence[int]) -> Iterator[bytes]:
    """Yield what nvdisasm -c prints of the functions with these symbols (of all, where there are none).

    Each block but the first begins with a function, and ends with one. :class:`FailedError` where nvdisasm fails.
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


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    descriptor = stream.fileno()
    while True:
        if sys.platform != "win32" and not select([descriptor], [], [], _SILENT)[0]:
            raise FailedError(f"nvdisasm has printed nothing for {_SILENT} seconds")
        block = os.read(descriptor, _BLOCK)
        if not block:
            return
        yield block


def _functions(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Put blocks together and cut them where a function begins."""
    kept: list[bytes] = []
    size = 0
    enough = _BLOCK
    for block in blocks:
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
