"""Parts of views: text beside a label, tables without lines.

Classes that every run uses are plain classes: creating a named tuple class costs more than drawing with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

Span = str | tuple[str, str]
"""Text, alone or with the name of its style (:data:`smemdesc.render.console.THEME`)."""
_LEAST = 24
"""The minimum width of text beside a label, even on a narrower terminal."""


def line(*spans: Span) -> Text:
    """Return spans as one text."""
    return Text.assemble(*spans)


class Beside:
    """Text beside a label; wrapped lines continue below the text."""

    def __init__(self, label: Text, text: Text) -> None:
        self.label = label
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        margin = self.label.cell_len
        wrapped = self.text.wrap(console, max(options.max_width - margin, _LEAST))
        for number, part in enumerate(wrapped):
            whole = Text.assemble(" " * margin if number else self.label, part)
            whole.no_wrap, whole.overflow = True, "ignore"
            yield whole

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        margin = self.label.cell_len
        return Measurement(margin + _LEAST, margin + self.text.cell_len)


class Hanging:
    """Text whose further lines are indented."""

    def __init__(self, text: Text, indent: int = 2) -> None:
        self.text = text
        self.indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for number, part in enumerate(self.text.wrap(console, max(options.max_width - self.indent, _LEAST))):
            yield part if not number else Text.assemble(" " * self.indent, part)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(_LEAST, self.text.cell_len)


def beside(label: Span | Text, *spans: Span) -> Beside:
    """Return spans beside a label, which is a span, too."""
    return Beside(label if isinstance(label, Text) else line(label), line(*spans))


def labeled(label: str, *spans: Span, indent: int = 2) -> Beside:
    """Return spans beside ``label:``."""
    return beside((f"{' ' * indent}{label}: ", "label"), *spans)


class Indented:
    """An indented view, without rich's padding to the width of the console (a million columns in a pipe)."""

    def __init__(self, view: RenderableType, indent: int = 2) -> None:
        self.view = view
        self.indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        inside = options.update_width(options.max_width - self.indent)
        for drawn in console.render_lines(self.view, inside, pad=False):
            yield Segment(" " * self.indent)
            yield from drawn
            yield Segment.line()


_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-f?]+|0b[01?]+|\d+)(?: B)?|[-.?]?")
"""A number, which may have unknown digits, or a placeholder."""
Row = Sequence[Span | Text] | Sequence[tuple[str, str]]


def table(
    rows: Sequence[Row], heads: Sequence[str] = (), *, indent: int = 0, gap: int = 2, wraps: int = 1
) -> RenderableType:
    """Return rows of cells; only the cells of the last ``wraps`` columns wrap; numbers are right-aligned."""
    cells = [[cell if isinstance(cell, Text) else line(cell) for cell in row] for row in rows]
    grid = Table(box=None, show_header=bool(heads), header_style="label", padding=(0, gap, 0, 0), pad_edge=False)
    count = len(heads) or (len(rows[0]) if rows else 0)
    for number in range(count):
        firm = number < count - wraps
        head = heads[number] if heads else ""
        right = all(_NUMBER.fullmatch(row[number].plain) for row in cells)
        side: Literal["left", "right"] = "right" if right else "left"
        grid.add_column(head, no_wrap=firm, overflow="ellipsis" if firm else "fold", justify=side)
    for row in cells:
        grid.add_row(*row)
    return Indented(grid, indent) if indent else grid


def fact(name: str, value: int, how: str, meaning: str = "") -> list[Span | Text]:
    """Return a row of a table: a number with its name, its computation, and its meaning."""
    return [(name, "key"), (str(value), "value"), f"= {how}", (meaning, "faint")]


def apart(views: Iterable[RenderableType]) -> Iterator[RenderableType]:
    """Yield views with an empty line between them."""
    for number, view in enumerate(views):
        if number:
            yield Text()
        yield view
