"""The swizzle atom as a picture: its grids one below another, each cell with where it comes from and goes to."""

from __future__ import annotations

from smemdesc.layout.atom import Atom
from smemdesc.layout.forms import remark
from smemdesc.layout.operand import UNIT
from smemdesc.render import palette
from smemdesc.render.atom import DIRECTIONS, Captioned, grids, source
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.svg import ABSENT, ADVANCE, FAINT, GROUND, INK, Document, text_width, wrapped

MARGIN, TALL, RULER = 28, 38, 96
_LOW = 24
"""Height of a cell with one line of text."""
_ACROSS = 32
"""Cells beside each other at most; further columns come below."""
_SIZE, _SMALL = 13, 10
_HEADING = 12
"""A grid's caption; at this size it takes one line."""
_NARROWEST = 600
_SAFE = 0.92
"""Share of a line that text may take: renderers round the width of small characters up."""
SMALL_PRINT = "small: the number of the 16-byte unit, before → after the swizzle"


def picture(
    atom: Atom, *, elements: bool = False, directions: tuple[str, ...] = DIRECTIONS, step: int | None = None
) -> str:
    """Return the SVG of what :func:`smemdesc.render.atom.AtomView` draws."""
    said = grids(atom, elements=elements, directions=directions, step=step)
    drawn = [each.grid for each in said]
    name = f"{atom.swizzle} swizzle, {atom.major}-major, {atom.operand.swizzle}"
    details = (
        f"{atom.dtype.name}: atom of {atom.shape.mn} × {atom.shape.k} elements = {atom.units.mn} × {atom.units.k} "
        f"units of {UNIT} B = {atom.units.mn * atom.units.k * UNIT} B"
    )
    if atom.start or atom.operand.base_offset:
        details += f", start {atom.start} B, base offset {atom.operand.base_offset}"
    wides = [_wide(grid) for grid in drawn]
    tall = _LOW if elements else TALL
    blocks = [_block(grid) for grid in drawn]
    width = max(
        _NARROWEST,
        *(2 * MARGIN + RULER + block * wide for block, wide in zip(blocks, wides, strict=True)),
        2 * MARGIN + text_width(details, 12) / _SAFE,
    )
    room = int((width - 2 * MARGIN) / (11 * ADVANCE) * _SAFE)
    notes = [
        line
        for text in (remark(atom.swizzle, atom.major, atom.dtype), source(atom, elements=elements))
        if text
        for line in wrapped(text, room)
    ]
    heads = [
        (wrapped(each.caption, int(room * 11 / _HEADING)), [each.ruler, *([] if elements else [SMALL_PRINT])])
        for each in said
    ]
    height = 78 + 16 * len(notes) + 28
    for grid, block, head in zip(drawn, blocks, heads, strict=True):
        count = -(-len(grid.columns) // block)
        height += 34 + 17 * (len(head[0]) + len(head[1])) + count * (48 + tall * len(grid.rows))
    svg = Document(width, height, title=f"{name}; {details}")
    svg.text(MARGIN, 38, name, size=16, bold=True)
    svg.text(MARGIN, 60, details, size=12, fill=FAINT)
    y = 78.0
    for each, grid, block, wide, head in zip(said, drawn, blocks, wides, heads, strict=True):
        y = _heading(svg, each, head, y)
        for begin in range(0, len(grid.columns), block):
            y = _cells(svg, grid, slice(begin, begin + block), y, wide, tall)
    svg.lines(MARGIN, y + 16, notes, step=16, size=11, fill=FAINT)
    return str(svg)


def _wide(grid: Grid) -> float:
    """Return how wide the cells are: their longest text, and no less than looks well."""
    cells = [cell for row in grid.cells for cell in row]
    longest = max(text_width(cell.text, _SIZE) for cell in cells)
    labels = max(text_width(label, _SMALL) for column in grid.columns for label in column)
    least = 62 if any(cell.tip and grid.group == 1 for cell in cells) and len(grid.columns) <= 8 else 30
    return max(longest + 12, labels + 8, least)


def _block(grid: Grid) -> int:
    """Return how many columns stand beside each other: whole groups, in even blocks."""
    count = len(grid.columns)
    if count <= _ACROSS:
        return count
    group = min(grid.group, _ACROSS)
    return max(group, _ACROSS // group * group)


def _heading(svg: Document, of: Captioned, head: tuple[list[str], list[str]], y: float) -> float:
    y = svg.lines(MARGIN, y + 20, head[0], step=17, size=_HEADING, bold=True)
    y = svg.lines(MARGIN, y, head[1], step=17, size=11, fill=FAINT)
    colours(svg, y, of.legend)
    return y + 14


def colours(svg: Document, y: float, legend: str) -> None:
    """Draw the colours with their numbers, and what they say."""
    x: float = MARGIN
    for chunk, fill in enumerate(palette.CHUNKS):
        svg.rect(x, y - 9, 16, 13, fill=fill, stroke=FAINT, stroke_width=0.5)
        svg.text(x + 8, y + 1.5, str(chunk), size=9, fill=palette.INK, anchor="middle")
        x += 16
    # Behind the swatches: fonts differ in how wide the sentence is.
    svg.text(x + 10, y + 1, legend, size=11, fill=FAINT)


def _cells(svg: Document, grid: Grid, here: slice, y: float, wide: float, tall: float) -> float:
    """Draw one block of columns with its rulers; return where the next thing begins."""
    begin = MARGIN + RULER
    columns = grid.columns[here]
    for head, name in enumerate(grid.above):
        base = y + 12 + 15 * head
        svg.text(begin - 10, base, name, size=_SMALL, fill=FAINT, anchor="end")
        for index, column in enumerate(columns):
            label = column[head]
            if head or grid.group == 1 or index == 0 or label != columns[index - 1][head]:
                svg.text(begin + (index + 0.5) * wide, base, label, size=_SMALL, fill=FAINT, anchor="middle")
    svg.text(MARGIN + 24, y + 27, grid.left[0], size=_SMALL, fill=FAINT, anchor="end")
    top = y + 34
    for row, (labels, cells) in enumerate(zip(grid.rows, grid.cells, strict=True)):
        at = top + row * tall
        svg.text(MARGIN + 24, at + tall / 2 + 4, labels[0], size=_SMALL + 1, anchor="end")
        svg.text(begin - 10, at + tall / 2 + 4, labels[1], size=_SMALL, fill=FAINT, anchor="end")
        for index, cell in enumerate(cells[here]):
            _cell(svg, cell, begin + index * wide, at, wide, tall)
    bottom = top + tall * len(grid.rows)
    right = begin + wide * len(columns)
    svg.rect(begin, top, right - begin, bottom - top, stroke=INK, stroke_width=1.2)
    if grid.group > 1:
        for index in range(grid.group, len(columns), grid.group):
            svg.line(begin + index * wide, top, begin + index * wide, bottom, stroke=INK, width=0.8)
    return bottom + 14


def _cell(svg: Document, cell: Cell, x: float, y: float, wide: float, tall: float) -> None:
    if cell.chunk is None:
        svg.rect(x, y, wide, tall, fill=ABSENT, stroke=GROUND)
        return
    svg.rect(x, y, wide, tall, fill=palette.CHUNKS[cell.chunk], stroke=GROUND, tip=cell.said)
    middle = x + wide / 2
    if tall < TALL:
        svg.text(middle, y + tall / 2 + 4, cell.text, size=_SIZE - 2, fill=palette.INK, anchor="middle")
        return
    svg.text(middle, y + tall / 2 - 1, cell.text, size=_SIZE, fill=palette.INK, anchor="middle", bold=True)
    svg.text(middle, y + tall / 2 + 13, cell.tip, size=_SMALL, fill=palette.SOFT, anchor="middle")
