"""Parts of views: text beside a label, tables without lines.

Classes that every run uses are plain classes: creating a named tuple class costs more than drawing with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Concatenate, Literal, ParamSpec

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement, measure_renderables
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

P = ParamSpec("P")
StyledText = str | tuple[str, str]
"""Text, alone or with the name of its style (:data:`smemdesc.render.console.theme_of`)."""
_LEAST = 24
"""The minimum width of text beside a label, even on a narrower terminal."""
_NARROW = 32
"""With less width beside a label or a column, the text goes on below it, after :data:`_GIVEN_WAY` blanks."""
_GIVEN_WAY = 4


class DrawnParts:
    """A view whose parts are made when it is drawn: what fails then is reported with the value that it is of."""

    def __init__(self, parts: Callable[[Console, ConsoleOptions], RenderResult]) -> None:
        self.parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return self.parts(console, options)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        parts = [part for part in self.parts(console, options) if not isinstance(part, Segment)]
        return measure_renderables(console, options, parts)


def fitted(view: Callable[Concatenate[Console, ConsoleOptions, P], RenderResult]) -> Callable[P, DrawnParts]:
    """Return a view as a function that yields its parts for a console: for its width, its colors, its characters."""

    @wraps(view)
    def parts(*args: P.args, **keywords: P.kwargs) -> DrawnParts:
        return DrawnParts(lambda console, options: view(console, options, *args, **keywords))

    return parts


def as_view(view: Callable[P, Iterable[RenderableType]]) -> Callable[P, DrawnParts]:
    """Return a view as a function that yields its parts, on any console: text, tables, other views."""

    @wraps(view)
    def parts(*args: P.args, **keywords: P.kwargs) -> DrawnParts:
        return DrawnParts(lambda *_: view(*args, **keywords))

    return parts


def line(*spans: StyledText) -> Text:
    """Return spans as one text."""
    return Text.assemble(*spans)


def set_in(view: RenderableType, by: int) -> DrawnParts:
    """Return a view after blanks; unlike in rich's padding, a line that may be longer than the width is not cut."""

    def parts(console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segments in Segment.split_lines(console.render(view, options.update(width=options.max_width - by))):
            yield from (Segment(" " * by), *segments, Segment.line())

    return DrawnParts(parts)


EMPTY_LINE = Text()


class Hanging:
    """Text beside a label; wrapped lines continue below the text, or after ``indent`` blanks.

    A table of two columns looks like it and takes twenty times as long: a scan has many thousands of such lines.
    """

    def __init__(self, text: Text, label: Text = EMPTY_LINE, indent: int | None = None) -> None:
        self.text = text
        self.label = label
        self.indent = label.cell_len if indent is None else indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        indent, label, text = self.indent, self.label, self.text
        if indent > 2 * _GIVEN_WAY and options.max_width - indent < min(_NARROW, text.cell_len):
            indent = _GIVEN_WAY
            label, text = label[:indent], Text.assemble(label[indent:], text)
        first, room = (max(options.max_width - taken, _LEAST) for taken in (label.cell_len, indent))
        command = None
        if text.cell_len > first and (at := _begin_of_command(text.plain)) is not None:
            text, command = text[:at], text[at:]
        lines = list(text.wrap(console, first)) if text.plain.strip() or command is None else []
        if len(lines) > 1 and first > room:
            behind = text[len(lines[0].plain.rstrip()) :]
            lines[1:] = behind[len(behind) - len(behind.plain.lstrip()) :].wrap(console, room)
        for number, part in enumerate([*lines, *([command] if command is not None else [])]):
            whole = Text.assemble(" " * indent if number else label, part)
            whole.no_wrap, whole.overflow = True, "ignore"
            yield whole

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.indent + _LEAST, self.indent + self.text.cell_len)


_COMMANDS = ("decode", "diff", "encode", "explain", "fields", "layout", "mask", "mma", "plan", "scan")


def _begin_of_command(text: str) -> int | None:
    """Return where a command begins with which a text ends; it is not broken, since it is to be copied."""
    at = text.rfind(_PROGRAM)
    word, _, rest = text[at + len(_PROGRAM) :].partition(" ")
    is_command = at >= 0 and text[at - 1 : at] in ("", " ") and (word in _COMMANDS or word.startswith("0x"))
    return at if is_command and rest and not {"`", ";"} & set(rest) else None


_PROGRAM = "smemdesc "


def beside(label: StyledText | Text, *spans: StyledText) -> Hanging:
    """Return spans beside a label, which is a span, too."""
    return Hanging(line(*spans), label if isinstance(label, Text) else line(label))


def hanging(*spans: StyledText) -> Hanging:
    """Return spans whose further lines are indented."""
    return Hanging(line(*spans), indent=2)


def labeled(label: str, *spans: StyledText, indent: int = 2) -> Hanging:
    """Return spans beside ``label:``."""
    return beside((f"{' ' * indent}{label}: ", "label"), *spans)


_NUMBER = re.compile(r"[+-]?(?:0x[0-9a-f?]+|0b[01?]+|\d+)(?: B)?|[-.?]?")
"""A number, which may have unknown digits, or a placeholder."""
TableRow = Sequence[StyledText | Text] | Sequence[tuple[str, str]]


_LEAST_CELL = 16
"""The width that a cell that wraps has at least, where other columns leave it."""


def table(
    rows: Sequence[TableRow], heads: Sequence[str] = (), *, indent: int = 0, gap: int = 2, wraps: int = 1
) -> RenderableType:
    """Return rows of cells; only the cells of the last ``wraps`` columns wrap; numbers are right-aligned.

    Where columns do not fit, they move together, and a head that is wider than its column is broken; where they do not
    fit then, rows of cells go on as text below each other, and if none wraps, all do.
    """
    cells = [[cell if isinstance(cell, Text) else line(cell) for cell in row] for row in rows]
    count = len(heads) or (len(rows[0]) if rows else 0)
    firm = count - wraps
    widths = [max((row[number].cell_len for row in cells), default=0) for number in range(count)]
    heads = [heads[number] if heads else "" for number in range(count)]
    full = sum(max(width, len(head)) + gap for width, head in zip(widths, heads, strict=True) if width or head)
    wrapping = sum(widths[firm:]) if wraps else 0

    def drawn(options: ConsoleOptions) -> Iterator[RenderableType]:
        room = options.max_width - indent - sum(width + 1 for width in widths[:firm] if width)
        if wraps and room < min(_NARROW, wrapping, options.max_width // 2) and not any(heads):
            for row in cells:
                begin = " " * (indent if any(row[:2]) else indent + _GIVEN_WAY)
                words = Text(" ").join(cell for cell in row if cell)
                yield Hanging(words, Text(begin), indent + _GIVEN_WAY)
            return
        close = full - max(0, wrapping - _LEAST_CELL) + indent > options.max_width + gap
        between = 1 if close else gap
        least = (max(width, *map(len, head.split(" "))) + 1 for width, head in zip(widths, heads, strict=True))
        narrow = (not wraps or any(heads)) and sum(least) + indent > options.max_width + 1
        grid = Table(box=None, show_header=any(heads), header_style="label", padding=(0, between, 0, 0), pad_edge=False)
        for number, head in enumerate(heads):
            right = all(_NUMBER.fullmatch(row[number].plain) for row in cells)
            side: Literal["left", "right"] = "right" if right else "left"
            if close and len(head) > widths[number]:
                head = head.replace(" ", "\n")
            is_firm = number < firm and not narrow
            grid.add_column(head, no_wrap=is_firm, overflow="ellipsis" if is_firm else "fold", justify=side)
        for row in cells:
            grid.add_row(*row)
        yield set_in(grid, indent) if indent else grid

    return DrawnParts(lambda _, options: drawn(options))


def natural_width(rows: Sequence[Sequence[StyledText | Text]], gap: int = 2) -> int:
    """Return the columns that a table takes of which no cell wraps."""
    texts = ([cell.plain if isinstance(cell, Text) else line(cell).plain for cell in row] for row in rows)
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    return sum(width + gap for width in widths if width) - gap


def fact(name: str, value: int, how: str, meaning: str = "") -> list[StyledText | Text]:
    """Return a row of a table: a number with its name, its computation, and its meaning."""
    return [(name, "key"), (str(value), "value"), f"= {how}", (meaning, "faint")]


def apart(views: Iterable[RenderableType]) -> Iterator[RenderableType]:
    """Yield views with an empty line between them."""
    for number, view in enumerate(views):
        if number:
            yield Text()
        yield view
