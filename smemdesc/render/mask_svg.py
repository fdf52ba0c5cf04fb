"""Masks as a picture: one strip of columns a mask, cut into rows, with a ruler and the sub-masks marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from smemdesc.layout.zero_columns import ColumnMask, FilterColumn, columns_text
from smemdesc.render.svg import ADVANCE, FAINT, INK, Document, text_width, wrapped

if TYPE_CHECKING:
    from smemdesc.instructions.convolution import Expected

ROW = 64
"""Columns a row of the picture has."""
CELL, TALL = 13, 26
MARGIN = 24
ZEROED, USED, WRONG = "#cf222e", "#ddf4e4", "#bf8700"
_EDGE = "#8fc7a4"
_SIZE = 12
_LABEL = 10


class Strip(NamedTuple):
    """One mask of the picture; the columns of ``differs`` are marked."""

    title: str
    mask: ColumnMask
    differs: int = 0


def picture(title: str, strips: Sequence[Strip]) -> str:
    """Return the SVG of some masks of the same M and N."""
    n = strips[0].mask.n
    across = min(ROW, n)
    width = max(2 * MARGIN + across * CELL, 560)
    room = int((width - 2 * MARGIN) / (_SIZE * ADVANCE))
    notes = [_notes(strip, room) for strip in strips]
    rows = -(-n // ROW)
    marked = len(strips[0].mask.sub_masks) > 1
    row_height = TALL + 22 + (16 if marked else 0)
    heads = [wrapped(strip.title, room) for strip in strips]
    height = 66 + sum(
        18 * len(head) + 6 + rows * row_height + 17 * len(note) + 16 for head, note in zip(heads, notes, strict=True)
    )
    marks = any(strip.differs for strip in strips)
    svg = Document(width, height, title=title, dark={USED: "#12261e", _EDGE: "#3fb950"})
    svg.text(MARGIN, 32, title, size=15, bold=True)
    y = 50.0
    x = _legend(svg, MARGIN, y, USED, _EDGE, "used")
    x = _legend(svg, x, y, ZEROED, ZEROED, "zeroed")
    if marks:
        _legend(svg, x, y, WRONG, WRONG, "differs")
    y += 16
    for strip, head, note in zip(strips, heads, notes, strict=True):
        y = svg.lines(MARGIN, y + 18, head, step=18, size=_SIZE, bold=True) - 12
        for begin in range(0, n, ROW):
            _row(svg, strip, begin, min(ROW, n - begin), y, marked)
            y += row_height
        y = svg.lines(MARGIN, y + 12, note, step=17, size=_SIZE) + 4
    return str(svg)


def conv_picture(columns: Sequence[FilterColumn], q: int, tile: int, left: int, others: Sequence[Expected] = ()) -> str:
    """Return the SVG of the masks of a convolution's tile, each with the descriptors compared with it."""
    strips = []
    for column in columns:
        strips.append(Strip(f"s = {column.s}: {column.mask.hex}", column.mask))
        for other in others:
            if other.column is column:
                mask = other.comparison.other
                verdict = "the same columns" if other.comparison.same else "differs"
                strips.append(
                    Strip(f"s = {column.s}, expected {mask.hex}: {verdict}", mask, mask.bits ^ column.padding)
                )
    m, n = columns[0].mask.m, columns[0].mask.n
    return picture(f"padding: q {q}, left {left}, filter {len(columns)}, tile {tile}, M {m}, N {n}", strips)


def column_picture(column: FilterColumn) -> str:
    """Return the SVG of one filter column: its mask."""
    return mask_picture(column.mask)


def mask_picture(mask: ColumnMask) -> str:
    """Return the SVG of one mask."""
    spans = f"skip span {mask.skip_span}, use span {mask.use_span}" if mask.generated else "no mask is generated"
    title = f"zero-column mask {mask.hex}"
    return picture(title, [Strip(f"M = {mask.m}, N = {mask.n}, {spans}, column shift {mask.shift}", mask)])


def _legend(svg: Document, x: float, y: float, fill: str, stroke: str, name: str) -> float:
    svg.rect(x, y - 6, CELL - 2, CELL - 2, fill=fill, stroke=stroke, radius=2)
    svg.text(x + CELL + 5, y + 4, name, size=_SIZE, fill=FAINT)
    return x + CELL + 5 + text_width(name, _SIZE) + 18


def _notes(strip: Strip, room: int) -> list[str]:
    mask = strip.mask
    first, last = mask.columns
    text = f"zeroed: {columns_text(mask.zeroed)}; B: columns {first}-{last} are read"
    return wrapped(text, room)


def _row(svg: Document, strip: Strip, begin: int, count: int, y: float, marked: bool) -> None:
    """Draw the columns from ``begin`` on: their numbers, their cells, the sub-masks that they belong to."""
    mask = strip.mask
    top = y + 16
    for column in range(begin, begin + count):
        x = MARGIN + (column - begin) * CELL
        zeroed = mask.bits >> column & 1
        if column % 8 == 0:
            svg.text(x + 1, top - 4, str(column), size=_LABEL, fill=FAINT)
        wrong = strip.differs >> column & 1
        svg.rect(
            x + 0.5,
            top + 0.5,
            CELL - 1,
            TALL - 1,
            fill=ZEROED if zeroed else USED,
            stroke=WRONG if wrong else ZEROED if zeroed else _EDGE,
            stroke_width=3 if wrong else 1,
            radius=2,
            tip=f"column {column}: {'zeroed' if zeroed else f'reads column {column + mask.shift} of B'}",
        )
    if not marked:
        return
    for sub in mask.sub_masks:
        first, last = max(sub.first, begin), min(sub.last, begin + count - 1)
        if first > last:
            continue
        left, right = MARGIN + (first - begin) * CELL + 1, MARGIN + (last - begin + 1) * CELL - 1
        base = top + TALL + 4
        svg.line(left, base, right, base, stroke=INK, width=1.5)
        name = f"sub-mask {sub.number}"
        if text_width(name, _LABEL) > right - left:
            name = str(sub.number)
        svg.text((left + right) / 2, base + 11, name, size=_LABEL, fill=FAINT, anchor="middle")
