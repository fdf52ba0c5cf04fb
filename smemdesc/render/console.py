"""One rich console per stream, which handles color, width, and limited terminals.

Only this module creates consoles. A view is any rich renderable; ``show(stdout(color), view)`` writes it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment, Segments
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from rich.theme import Theme

from smemdesc.engine.wording import is_seen

CHUNK_COLORS = ("#fae66c", "#e5c2a8", "#af8916", "#909184", "#a28fab", "#1090fa", "#0dceff", "#1dfff1")
"""Colors of the eight 16-byte chunks of a 128-byte line, and of the fields of a descriptor in turn.

Any two are at least 15 apart (Delta E 2000), also for those who lack the cones for green or for red.
"""
CHUNK_INK = "#1f2328"
"""Text on every chunk color: a contrast of at least 4.8."""
AGAIN = " again"
"""Suffix of a color that a descriptor uses for a second field, underlined."""
_CHUNKS = {
    "truecolor": CHUNK_COLORS,
    # The nearest in these palettes that stay apart, too.
    "256": ("#ffd75f", "#d7af87", "#af8700", "#949494", "#8787af", "#5f87ff", "#00d7ff", "#87ffff"),
    "standard": [
        "bright_yellow",
        "white",
        "green",
        "bright_green",
        "bright_magenta",
        "bright_blue",
        "cyan",
        "bright_cyan",
    ],
}
TEXT_COLORS = {
    "truecolor": {
        "key": "#0d70f1",
        "faint": "#767676",
        "good": "bold #078832",
        "error": "bold #ec0000",
        "warning": "bold #a56800",
        "changed": "bold #9a4de6",
    },
    "256": {
        "key": "color(63)",
        "faint": "color(243)",
        "good": "bold color(29)",
        "error": "bold color(163)",
        "warning": "bold color(131)",
        "changed": "bold color(98)",
    },
    "standard": {
        "key": "default",
        "faint": "default",
        "good": "bold",
        "error": "bold bright_white on red",
        "warning": "bold black on yellow",
        "changed": "bold reverse",
    },
}
"""The styles of text for each number of colors that a terminal has.

Nobody knows whether its background is light or dark, so each color has a contrast of 4.5 to white and to black. None of
the 16 colors that users choose has: there text keeps the terminal's own color.
"""


@cache
def theme_of(color_system: str | None) -> Theme:
    """Return the styles for the colors that a console has (rich's ``Console.color_system``)."""
    system = color_system if color_system in TEXT_COLORS else "standard"
    text = TEXT_COLORS[system]
    ink = "black" if system == "standard" else CHUNK_INK
    return Theme(
        {
            **text,
            "heading": "bold",
            "value": "bold",
            "label": text["faint"],
            "note": f"bold {text['key']}",
            **{
                f"chunk{number}{name}": f"{line} {ink} on {color}"
                for name, line in (("", ""), (AGAIN, "underline"))
                for number, color in enumerate(_CHUNKS[system])
            },
        }
    )


UNBROKEN = 1_000_000
"""The width if the output is not a terminal: no line is wrapped or cut."""
PAGE = 100
"""The width of a page: a notebook, a picture of text."""


class _Raising(Console):
    """A console that raises BrokenPipeError if its reader has exited; rich's own ends the process with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def stdout(color: str = "auto") -> Console:
    """Return the console of standard output; ``color`` is ``auto``, ``always`` or ``never``."""
    return _console(sys.stdout, color)


def stderr(color: str = "auto") -> Console:
    """Return the console of standard error."""
    return _console(sys.stderr, color)


def on(stream: IO[str], like: Console) -> Console:
    """Return a console that writes to ``stream`` as ``like`` would."""
    return _new_console(
        stream,
        width=like.width,
        color_system=like.color_system,
        force_terminal=like.is_terminal,
        no_color=like.no_color,
        legacy_windows=like.legacy_windows,
    )


def _new_console(stream: IO[str], **settings: Any) -> Console:
    """Return a console that writes text unchanged, without markup or highlighting."""
    console = _Raising(file=stream, highlight=False, markup=False, emoji=False, **settings)
    console.push_theme(theme_of(console.color_system))
    return console


def _console(stream: IO[str], color: str) -> Console:
    """Return a console: the option decides color first; then NO_COLOR, which disables all escapes; then rich."""
    plain = color == "never" or (color == "auto" and bool(os.environ.get("NO_COLOR")))

    def build(system: str | None) -> Console:
        return _new_console(
            stream,
            width=None if is_terminal(stream) else UNBROKEN,
            color_system=system,
            force_terminal=True if color == "always" else None,
            no_color=False if color == "always" else None,
        )

    console = build(None if plain else "auto")
    if color == "always" and console.color_system is None:
        return build("standard")  # TERM is dumb, and the option overrides the variables
    return console


def is_terminal(stream: IO[str]) -> bool:
    """Whether lines of this stream have a width, independent of FORCE_COLOR and TTY_COMPATIBLE."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def broken(options: ConsoleOptions) -> bool:
    """Whether lines have a width: then a view may omit fields that are as expected."""
    return options.max_width < UNBROKEN


_UNSHOWN = "\ufffd"


class Trimmed:
    """A view without trailing blanks; in ASCII in a pipe or on an ASCII terminal."""

    def __init__(self, view: RenderableType) -> None:
        self.view = view

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        if not broken(options) or _only_ascii():
            options = options.copy()
            options.encoding = "ascii"
        has_color = console.color_system is not None
        for line in Segment.split_lines(map(_printable, console.render(self.view, options))):
            while line and not _is_visible(line[-1], has_color):
                line.pop()
            yield from line[:-1]
            for text, style, control in line[-1:]:
                ground = has_color and style is not None and style.bgcolor is not None
                yield Segment(text if ground else text.rstrip(), style, control)
            yield _NEWLINE


_NEWLINE = Segment.line()


def _printable(segment: Segment) -> Segment:
    """Return a segment without control characters: input was made printable where its lines were known."""
    text, style, control = segment
    if control or is_seen(text.replace("\n", "")):
        return segment
    return Segment("".join(char if is_seen(char) or char == "\n" else _UNSHOWN for char in text), style)


def _is_visible(segment: Segment, has_color: bool) -> bool:
    """Whether a segment is visible: blanks are if they have a color."""
    return bool(segment.text.strip()) or (has_color and segment.style is not None and segment.style.bgcolor is not None)


def _only_ascii() -> bool:
    # Python nevertheless writes UTF-8 there.
    return os.environ.get("LC_ALL") in ("C", "POSIX") and not os.environ.get("PYTHONIOENCODING")


def show(console: Console, *views: RenderableType) -> None:
    """Write views in order."""
    for view in views:
        console.print(Trimmed(view), crop=False)


def themed(view: RenderableType, console: Console, options: ConsoleOptions) -> list[Segment]:
    """Return a view for a console created elsewhere, with this theme."""
    with console.use_theme(theme_of(console.color_system)):
        return list(console.render(Trimmed(view), options))


def lines(view: RenderableType, width: int | None = None, color_system: str | None = None) -> str:
    """Return the text on a console of ``width`` columns; without one, the text in a pipe."""
    out = StringIO()
    console = _new_console(
        out,
        width=UNBROKEN if width is None else width,
        color_system=color_system,
        force_terminal=width is not None,
        legacy_windows=False,
    )
    show(console, view)
    return out.getvalue()


def html(view: RenderableType) -> str:
    """Return a view as HTML, for notebooks."""
    return _html(_recorded([view], PAGE))


def _html(console: Console) -> str:
    return console.export_html(inline_styles=True, code_format=_HTML, theme=_ON_BOTH)


def terminal_html(text: str) -> str:
    """Return terminal output with its colors as HTML, like :func:`html`."""
    shown = Text.from_ansi(text, no_wrap=True, end="")
    console = _recording(PAGE)
    # Its lines are already wrapped and trimmed.
    return _html(_printed(list(shown.render(console)), console))


_NORMAL = [(0, 0, 0), (215, 58, 73), (36, 145, 68), (176, 136, 0), (49, 120, 220), (178, 74, 190), (27, 135, 150)]
_ON_BOTH = TerminalTheme(
    (255, 255, 255), (0, 0, 0), [*_NORMAL, (190, 190, 190)], [(110, 110, 110), *_NORMAL[1:], (255, 255, 255)]
)
"""Medium colors for the terminal's names, as a notebook's page may be light or dark."""
_HTML = (
    '<pre style="white-space:pre;overflow-x:auto;line-height:normal;'
    "font-family:Menlo,'DejaVu Sans Mono',consolas,'Courier New',monospace\">{code}</pre>"
)


def drawn(view: RenderableType, width: int = PAGE) -> Segments:
    """Return a view as drawn in a picture of so many columns."""
    return Segments(list(_recording(width).render(Trimmed(view))))


def _recorded(views: Iterable[RenderableType], width: int) -> Console:
    console = _recording(width)
    return _printed([segment for view in views for segment in console.render(Trimmed(view))], console)


def _printed(segments: list[Segment], console: Console) -> Console:
    console.width = max([Segment.get_line_length(line) for line in Segment.split_lines(segments)] or [1])
    console.print(Segments(segments), crop=False)
    return console


def _recording(width: int) -> Console:
    return _new_console(
        StringIO(),
        record=True,
        width=width,
        color_system="truecolor",
        force_terminal=True,
        force_jupyter=False,
        legacy_windows=False,
    )
