"""A grid of cells with rulers, as lines: cells that share a chunk of the banks share a colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.render.lines import Line

NOTHING = "."
"""What stands where nothing lies, or nothing is asked for."""
_GAP = 2


class Cell(NamedTuple):
    """One place: what stands there, and the chunk (0..7) that decides its colour; None for no colour."""

    text: str
    chunk: int | None = None
    tip: str = ""
    """More about it, where there is room: a second line of a picture's cell."""


EMPTY = Cell(NOTHING)


class Grid(NamedTuple):
    """Cells in rows, with two rulers above and two on the left."""

    caption: str
    ruler: str
    """What the rulers count."""
    legend: str
    """What the colours say."""
    above: tuple[str, str]
    """Names of the rulers over the columns."""
    left: tuple[str, str]
    """Names of the rulers of the rows."""
    columns: list[tuple[str, str]]
    rows: list[tuple[str, str]]
    cells: list[list[Cell]]
    group: int = 1
    """Columns that are better not torn apart."""


def grid_lines(grid: Grid, width: int | None) -> Iterator[Line]:
    """Yield the grid; where lines have a ``width``, blocks of columns come one below another."""
    first = max(len(name) for name in (grid.left[0], *(row[0] for row in grid.rows)))
    second = max(len(name) for name in (*grid.above, grid.left[1], *(row[1] for row in grid.rows)))
    margin = first + _GAP + second
    texts = (cell.text for row in grid.cells for cell in row)
    labels = (label for column in grid.columns for label in column)
    wide = max(map(len, (*texts, *labels))) + _GAP
    block = _fitting(grid, None if width is None else (width - margin) // wide)
    for begin in range(0, len(grid.columns), block):
        if begin:
            yield []
        here = slice(begin, begin + block)
        for head, name in enumerate(grid.above):
            lead = grid.left[0] if head else ""
            labels = (column[head].rjust(wide) for column in grid.columns[here])
            yield [(f"{lead:>{first}}{'':{_GAP}}{name:>{second}}{''.join(labels)}", "dim")]
        for (one, two), cells in zip(grid.rows, grid.cells, strict=True):
            yield _row([(f"{one:>{first}}{'':{_GAP}}{two:>{second}}", "dim")], cells[here], wide)


def _row(line: Line, cells: list[Cell], wide: int) -> Line:
    """Put cells behind a ruler; neighbours of one colour are one span, which is what painting costs."""
    line.append((" ", ""))
    for cell in cells:
        style = "dim" if cell.chunk is None else f"chunk{cell.chunk}"
        text = cell.text.rjust(wide - 1) + " "
        if line[-1][1] == style:
            line[-1] = (line[-1][0] + text, style)
        else:
            line.append((text, style))
    return line


def _fitting(grid: Grid, fits: int | None) -> int:
    """Return how many columns stand beside each other: whole groups, if that fits."""
    count = len(grid.columns)
    if fits is None or fits >= count:
        return count
    if fits >= grid.group:
        return fits - fits % grid.group
    for part in range(2, grid.group + 1):
        if grid.group % part == 0 and grid.group // part <= fits:
            return grid.group // part
    return 1
