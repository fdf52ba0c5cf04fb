"""nvdisasm at work: the functions of a cubin as text, a few at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from tempfile import NamedTemporaryFile

from smemdesc.scanning.binaries.programs import FailedError, output
from smemdesc.scanning.chunks import LONGEST
from smemdesc.scanning.units import last_header

_BLOCK = 1_000_000
"""Bytes of text that are looked at together, about: everything that reads a program holds so many."""


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
    del data
    try:
        yield copy.name, ()
    finally:
        with suppress(OSError):
            os.unlink(copy.name)


def text(nvdisasm: str, data: bytes, symbols: Sequence[int], more: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield what nvdisasm -c prints of the functions with these symbols (of all, where there are none).

    ``more`` are further options. Each block but the first begins with a function, and ends with one.
    :class:`FailedError` where nvdisasm fails.
    """
    options = ["-c", *more, *(["-fun", ",".join(map(str, symbols))] if symbols else [])]
    with _file(data) as (name, descriptors), closing(output(nvdisasm, options, name, descriptors)) as printed:
        del data  # a cubin may have tens of megabytes
        kept: list[bytes] = []
        size, enough = 0, _BLOCK
        for block in printed:
            kept.append(block)
            size += len(block)
            if size < enough:
                continue
            whole = b"".join(kept)
            last = last_header(whole)
            cut = last.start() if last is not None else 0
            if cut:
                yield whole[:cut]
            kept, size = [whole[cut:]], size - cut
            enough = max(_BLOCK, 2 * size)
            if size > LONGEST:
                raise FailedError(f"function not scanned: over {LONGEST} bytes of text")
        if size:
            yield b"".join(kept)
