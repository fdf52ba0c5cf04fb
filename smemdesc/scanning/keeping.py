"""A dump that is read twice: to be scanned, and to be shown again with what was found."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, disassembling, opcodes, programs, tools
from smemdesc.scanning.binaries.files import BEGINNING, TEXT, sort
from smemdesc.scanning.sources import STDIN, copied, temporary_file

_HEADER = 64


@contextmanager
def kept(name: str, cuda_bin: str | None = None) -> Iterator[str]:
    """Return the path of a dump's text; a pipe is copied, and a cubin printed, into a temporary file.

    :class:`SmemdescError` for what holds more than one dump (a library, a folder) or is compressed.
    """
    if os.path.isdir(name):
        raise SmemdescError(f"{name} is a folder", hint="--annotate takes one dump at a time")
    temporary: list[str] = []
    try:
        path = name
        if name == STDIN:
            if sys.stdin is None:
                raise SmemdescError("standard input is closed", hint="pipe a dump into it, or name a file")
            path = copied(sys.stdin.buffer, temporary, "standard input")
        elif os.path.exists(name) and not os.path.isfile(name):
            with open(name, "rb") as pipe:
                path = copied(pipe, temporary, name)
        yield _text(name, path, temporary, cuda_bin)
    finally:
        for each in temporary:
            with suppress(OSError):
                os.unlink(each)


def _text(name: str, path: str, temporary: list[str], cuda_bin: str | None) -> str:
    with open(path, "rb") as stream:
        beginning = stream.read(BEGINNING)
        if sort(beginning).kind == TEXT:
            return path
        shown = "standard input" if name == STDIN else name
        if not cubin.is_cubin(beginning[:_HEADER]):
            raise SmemdescError(
                f"{shown} is not text or a cubin",
                hint="--annotate takes one dump at a time: cuobjdump -xelf all FILE",
            )
        try:
            return _printed(stream, temporary, cuda_bin)
        except SmemdescError as error:
            raise SmemdescError(f"{shown}: {error.message}", hint=error.hint) from None


def _printed(stream: BinaryIO, temporary: list[str], cuda_bin: str | None) -> str:
    """Print the functions of a cubin that have tensor-core instructions with descriptors; all, if none has."""
    stream.seek(0)
    data = stream.read()
    of = cubin.read(data)
    functions = of.functions
    chosen = [code for code in functions if opcodes.used(data[code.start : code.start + code.size], of.sm).descriptors]
    symbols = [code.symbol for code in chosen if code.symbol is not None]
    with temporary_file(temporary) as copy:
        nvdisasm = tools.find(tools.NVDISASM, cuda_bin)
        printed = disassembling.text(nvdisasm, data, symbols if len(symbols) == len(chosen) else ())
        for block in programs.waited(printed):
            copy.write(block)
    return copy.name
