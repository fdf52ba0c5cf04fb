"""Standard input, line by line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import IO, NamedTuple

import click

from smemdesc.cli.commands import EMPTY_INPUT
from smemdesc.engine.errors import SmemdescError


class BatchItem(NamedTuple):
    """One value of a batch and its place."""

    text: str
    where: str


def read_lines(*, comments: bool = True) -> Iterator[BatchItem]:
    """Yield the lines of standard input that are neither blank nor comments.

    ``comments``: also cut off a comment after a value (JSON may contain a ``#``). ``#define`` begins none. If no
    line is left, :meth:`Problems.leave` reports that.
    """
    empty = True
    for number, line in enumerate(standard_input(), 1):
        text = line.strip("\ufeff").strip()  # PowerShell begins a pipe with a byte order mark
        if "#" in text and (comments or text[0] == "#") and text[:7] != "#define":
            text = re.split(rf"(?:^(?!{_FRAME})|\s)#", text, maxsplit=1)[0].rstrip()
        if text:
            empty = False
            yield BatchItem(text, f"line {number}")
    meta = click.get_current_context().meta
    meta[EMPTY_INPUT] = empty and meta.get(EMPTY_INPUT, True)


_FRAME = r"#\d{1,4}\s++(?:0x[\da-f]++ in |[\w:]++ ?[(<])"
"""The beginning of a frame as a debugger prints it, ``#0  0x00007fffd9fa0470 in gemm``: no comment."""


def standard_input() -> IO[str]:
    """Return standard input; bytes that are not text are kept as an invalid value."""
    if sys.stdin is None:
        raise SmemdescError("standard input is closed", hint="pipe values into smemdesc, or give them as arguments")
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return sys.stdin
