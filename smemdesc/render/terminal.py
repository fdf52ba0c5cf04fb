"""Where output goes and how it looks there. rich is imported when something is painted, and not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, NamedTuple

from smemdesc.render.lines import Line, plain

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "heading": "bold",
    "value": "bold cyan",
    "key": "cyan",
    "raw": "yellow",
    "dim": "dim",
    "good": "green",
    "error": "bold red",
    "warning": "yellow",
    "note": "blue",
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
        encoding = getattr(self.stream, "encoding", None) or ""
        return self.width is not None and encoding.lower().replace("-", "") == "utf8"

    def show(self, lines: Iterable[Line]) -> None:
        """Write lines, painted where the stream shows colour."""
        if not self.colour:
            self.stream.write(plain(lines))
            return
        from rich.text import Text

        console = self._console()
        for line in lines:
            painted = Text.assemble(*((text, STYLES.get(style, "")) for text, style in line))
            painted.rstrip()
            console.print(painted, no_wrap=True, crop=False, overflow="ignore", soft_wrap=True)

    def _console(self) -> Console:
        from rich.console import Console

        # Whether to colour is settled here; rich would ask the variables again.
        return Console(
            file=self.stream,
            force_terminal=True,
            color_system="standard",
            no_color=False,
            highlight=False,
            markup=False,
            emoji=False,
            _environ={},
        )


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
