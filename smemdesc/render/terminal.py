"""Where output goes and how it looks there. rich is imported when something is painted, and not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import IO, NamedTuple

from smemdesc.render.lines import Line, plain

STYLES = {
    # Read on dark and on light grounds: yellow, cyan and plain blue vanish on one of them, so that what is long or
    # matters has the terminal's own colour, or one in the middle. Severities as gcc paints them.
    "heading": "bold",
    "value": "bold",
    "key": "bright_blue",
    "raw": "",
    "dim": "dim",
    "good": "bold green",
    "error": "bold red",
    "warning": "bold magenta",
    "note": "bold bright_blue",
    "changed": "bold magenta",
    # The eight 16-byte chunks of a line of banks; both colours are set, so that neither dark nor light ground matters.
    "chunk0": "bright_white on red",
    "chunk1": "black on green",
    "chunk2": "black on yellow",
    "chunk3": "bright_white on blue",
    "chunk4": "black on magenta",
    "chunk5": "black on cyan",
    "chunk6": "black on white",
    "chunk7": "bright_white on bright_black",
}


class Output(NamedTuple):
    """A stream and what it can show. ``width`` is None where lines are not to be broken (a pipe, a file)."""

    stream: IO[str]
    width: int | None
    colour: bool

    @property
    def boxes(self) -> bool:
        """Whether to draw with box characters: a terminal that says it takes UTF-8."""
        if os.environ.get("LC_ALL") in ("C", "POSIX") and not os.environ.get("PYTHONIOENCODING"):
            return False  # Python takes UTF-8 there nevertheless
        encoding = getattr(self.stream, "encoding", None) or ""
        return self.width is not None and encoding.lower().replace("-", "") == "utf8"

    def show(self, lines: Iterable[Line]) -> None:
        """Write lines, painted where the stream shows colour."""
        if not self.colour:
            self.stream.write(plain(lines))
            return
        self.stream.write("".join(_painted(line) + "\n" for line in lines))


def _painted(line: Line) -> str:
    # rich's styles alone, without its console: nothing is left for it to wrap, and a grid is painted in a
    # twentieth of the time that one Text takes.
    spans = list(line)
    while spans and not spans[-1][0].strip():
        spans.pop()
    return "".join(_paint(style)(text) if style and text.strip() else text for text, style in spans)


@cache
def _paint(style: str) -> Callable[[str], str]:
    from rich.color import ColorSystem
    from rich.style import Style

    return partial(Style.parse(STYLES[style]).render, color_system=ColorSystem.STANDARD)


def output(stream: IO[str], colour: str = "auto") -> Output:
    """Say what ``stream`` can show: ``--color`` first, then NO_COLOR, FORCE_COLOR, then whether it is a terminal."""
    tty = _isatty(stream)
    if colour == "auto":
        if os.environ.get("NO_COLOR"):
            coloured = False
        elif os.environ.get("FORCE_COLOR"):
            coloured = True
        else:
            coloured = tty and os.environ.get("TERM") != "dumb"
    else:
        coloured = colour == "always"
    return Output(stream, _width() if tty else None, coloured)


def stdout(colour: str = "auto") -> Output:
    """Standard output."""
    return output(sys.stdout, colour)


def stderr(colour: str = "auto") -> Output:
    """Standard error."""
    return output(sys.stderr, colour)


def _isatty(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or 80
    except (OSError, ValueError):
        return 80
