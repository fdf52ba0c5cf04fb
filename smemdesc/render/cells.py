"""A grid of cells with rulers: cells that share a chunk of the banks share a color."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.segment import Segment

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement

NOTHING = "."
"""What stands where nothing lies, or nothing is asked for."""
_GAP = 2


class Cell(NamedTuple):
    """One place: what stands there, and the chunk (0..7) that decides its color; None for no color."""

    text: str
    chunk: int | None = None
    note: str = ""
    """More about it, where there is room: a second line of a picture's cell."""
    tip: str = ""
    """All about it, for whoever points at a picture's cell."""


EMPTY = Cell(NOTHING)


class Grid(NamedTuple):
    """Cells in rows, under rulers and beside rulers; where lines have a width, blocks of columns come below.

    Neighbors of one color are one segment, which is what drawing costs.
    """

    above: tuple[str, ...]
    """Names of the rulers over the columns."""
    left: tuple[str, ...]
    """Names of the rulers of the rows."""
    columns: list[tuple[str, ...]]
    rows: list[tuple[str, ...]]
    cells: list[list[Cell]]
    group: int = 1
    """Columns that are better not torn apart."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        faint = console.get_style("faint")
        chunks = [console.get_style(f"chunk{number}") for number in range(8)]
        widths = self._margin()
        blank = Segment(" ")
        newline = Segment.line()
        wide = self._wide()
        block = self._fitting((options.max_width - sum(widths) - _GAP * (len(widths) - 1)) // wide)
        for begin in range(0, len(self.columns), block):
            if begin:
                yield newline
            here = slice(begin, begin + block)
            for head, name in enumerate(self.above):
                last = head == len(self.above) - 1
                names = [*(self.left[:-1] if last else [""] * (len(widths) - 1)), name]
                labels = "".join(column[head].rjust(wide) for column in self.columns[here])
                yield Segment(_ruler(names, widths) + labels, faint)
                yield newline
            for labels_left, cells in zip(self.rows, self.cells, strict=True):
                yield Segment(_ruler(labels_left, widths), faint)
                yield blank
                text, chunk = "", cells[begin].chunk
                for cell in cells[here]:
                    if cell.chunk != chunk:
                        yield Segment(text, faint if chunk is None else chunks[chunk])
                        text, chunk = "", cell.chunk
                    text += cell.text.rjust(wide - 1) + " "
                yield Segment(text, faint if chunk is None else chunks[chunk])
                yield newline

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        widths = self._margin()
        margin = sum(widths) + _GAP * (len(widths) - 1)
        return Measurement(margin + self._wide(), margin + self._wide() * len(self.columns))

    def _margin(self) -> list[int]:
        """Return how wide each ruler on the left is; the last one has the names of those above, too."""
        widths = [max(len(name), *(len(row[at]) for row in self.rows)) for at, name in enumerate(self.left)]
        widths[-1] = max(widths[-1], *map(len, self.above))
        return widths

    def _wide(self) -> int:
        texts = (cell.text for row in self.cells for cell in row)
        labels = (label for column in self.columns for label in column)
        return max(map(len, (*texts, *labels))) + _GAP

    def _fitting(self, fits: int) -> int:
        """Return how many columns stand beside each other: whole groups, if that fits."""
        count = len(self.columns)
        if fits >= count:
            return count
        if fits >= self.group:
            return fits - fits % self.group
        for part in range(2, self.group + 1):
            if self.group % part == 0 and self.group // part <= fits:
                return self.group // part
        return 1


def _ruler(labels: tuple[str, ...] | list[str], widths: list[int]) -> str:
    return (" " * _GAP).join(label.rjust(width) for label, width in zip(labels, widths, strict=True))
