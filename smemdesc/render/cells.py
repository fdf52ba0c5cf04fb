"""A grid of cells with rulers: cells that share a chunk of the banks share a color."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment

from smemdesc.render.console import broken

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

EMPTY_TEXT = "."
"""Text of an empty or unselected cell."""
_GAP = 2
_APART = 3
"""Blanks between blocks of rows that are side by side."""
_TALL = 16
"""The least number of rows in one block."""
_ATOM = 8
"""Rows of a swizzle atom, which stay together."""


class Cell(NamedTuple):
    """One cell: its text, and the number of its color, the chunk (0..7); None for no color."""

    text: str
    chunk: int | None = None
    note: str = ""
    """The second line of a picture's cell."""
    tip: str = ""
    """The tooltip of a picture's cell."""


EMPTY_CELL = Cell(EMPTY_TEXT)


class Grid(NamedTuple):
    """Cells in rows, with rulers above and at the side; if lines have a width, blocks of columns come below, and a tall
    grid continues at the right.

    Neighbors of one color are one segment, since drawing costs time per segment.
    """

    above: tuple[str, ...]
    """Names of the rulers above the columns."""
    left: tuple[str, ...]
    """Names of the rulers of the rows."""
    columns: Sequence[tuple[str, ...]]
    rows: Sequence[tuple[str, ...]]
    cells: list[list[Cell]]
    group: int = 1
    """The number of columns that should stay together."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        faint = console.get_style("faint")
        styles = [*(console.get_style(f"chunk{number}") for number in range(8)), faint]
        newline = Segment.line()
        put, wide, widths = self._put(), self._wide(), self._widths()
        room = options.max_width - _margin(widths)
        block = self.fitting(room // wide)
        blank = " " * (room > wide * block)
        one = options.max_width - room + len(blank) + wide * block
        bands = self._bands((options.max_width + _APART) // (one + _APART) if broken(options) else 1)
        for begin in range(0, len(self.columns), block):
            if begin:
                yield newline
            here = slice(begin, begin + block)
            for names, labels in self.heads(here):
                head = _ruler(names, widths) + blank + "".join(map(put, labels))
                yield Segment((" " * _APART).join([head.ljust(one)] * len(bands)), faint)
                yield newline
            for beside in zip_longest(*bands):
                for band, row in enumerate(beside):
                    if row is None:
                        break
                    yield Segment(" " * _APART * bool(band) + _ruler(self.rows[row], widths) + blank, faint)
                    for chunk, cells in groupby(self.cells[row][here], key=lambda cell: cell.chunk):
                        yield Segment("".join(put(cell.text) for cell in cells), styles[-1 if chunk is None else chunk])
                yield newline

    def part(self, rows: slice, columns: slice) -> Grid:
        """Return some rows and columns."""
        cells = [row[columns] for row in self.cells[rows]]
        return self._replace(columns=self.columns[columns], rows=self.rows[rows], cells=cells)

    def turned(self) -> Grid:
        """Return the grid with its rows as columns."""
        above, left = (self.left[0], *self.above[1:]), (self.above[0], *self.left[1:])
        cells = [list(column) for column in zip(*self.cells, strict=True)]
        return self._replace(above=above, left=left, columns=self.rows, rows=self.columns, cells=cells)

    def fitting(self, fits: int) -> int:
        """Return the number of columns per block: whole groups, if they fit, in blocks of equal size."""
        count = len(self.columns)
        if fits >= count:
            return count
        if fits >= self.group:
            blocks = -(-count // (fits - fits % self.group))
            return -(-count // blocks // self.group) * self.group
        for part in range(2, self.group + 1):
            if self.group % part == 0 and self.group // part <= fits:
                return self.group // part
        return 1

    def heads(self, here: slice) -> Iterator[tuple[Sequence[str], list[str]]]:
        """Yield the rulers above some columns, each with its name; below them the names of the rulers on the left."""
        for head, name in enumerate(self.above, 1):
            last = head == len(self.above) and not self.left[-1]
            names = [*(self.left if last else [""] * len(self.left))[:-1], name]
            yield names, [column[head - 1] for column in self.columns[here]]
        if self.left[-1]:
            yield self.left, []

    def _widths(self) -> list[int]:
        """Return the width of each ruler on the left; the last one includes the names of the rulers above."""
        widths = [max(len(name), *(len(row[at]) for row in self.rows)) for at, name in enumerate(self.left)]
        widths[-1] = max(widths[-1], *map(len, self.above))
        return widths

    def _put(self) -> Callable[[str], str]:
        """Return the padding of a text to the width of a cell: numbers are right-aligned, other texts are centered."""
        wide = self._wide()
        if all(cell.text.replace(EMPTY_TEXT, "0").isdecimal() for row in self.cells for cell in row):
            return lambda text: text.rjust(wide - 1) + " "
        return lambda text: text.center(wide)

    def _bands(self, fit: int) -> list[range]:
        """Return the rows of each block: a tall grid is split into at most ``fit`` blocks side by side."""
        count = len(self.rows)
        tall = -(-count // max(1, fit) // _ATOM) * _ATOM if count > _TALL else count
        return [range(first, min(first + tall, count)) for first in range(0, count, tall)]

    def _wide(self) -> int:
        texts = (cell.text for row in self.cells for cell in row)
        labels = (label for column in self.columns for label in column)
        return max(map(len, (*texts, *labels))) + _GAP


def _ruler(labels: Sequence[str], widths: list[int]) -> str:
    return (" " * _GAP).join(label.rjust(width) for label, width in zip(labels, widths, strict=True))


def _margin(widths: list[int]) -> int:
    """Return the total width of the rulers on the left."""
    return sum(widths) + _GAP * (len(widths) - 1)
