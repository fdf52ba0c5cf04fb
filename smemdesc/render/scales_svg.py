"""Scale factors as a picture: a block in shared memory beside the columns that it is copied to."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.wording import span
from smemdesc.layout.scales import BLOCK, COLUMNS, LINE, SOURCE, WARP, WORD, Factor, Scales, Step
from smemdesc.render import palette
from smemdesc.render.scales import facts, notes, title
from smemdesc.render.svg import ABSENT, FAINT, GROUND, INK, Document, text_width

MARGIN, TALL, WIDE = 24, 15, 25
"""Of the picture; of a byte's cell."""
_LEFT, _BETWEEN = 64, 64
_SIZE = 8.5


def picture(scales: Scales, number: int = 0) -> str:
    """Return the SVG of block ``number``; the colors are the instructions along K, in turn."""
    name = title(scales)
    block = scales.block_at(number)
    told = [f"{label}: {text}" for label, text in facts(scales)] + [*notes(scales), SOURCE]
    panel = LINE * WIDE
    top, bottom = 136, 136 + WARP * TALL
    wide = max(2 * (_LEFT + panel) + _BETWEEN, text_width(name, 15), *(text_width(each, 11) for each in told))
    first, last = (scales.step_of(factor).number for factor in block.factors)
    steps = [scales.step_at(number) for number in range(first, last + 1)]
    below = bottom + 34 + 22 * -(-len(steps) // 2)
    svg = Document(2 * MARGIN + wide, below + 6 + 18 * len(told), title=name)
    svg.text(MARGIN, 36, name, size=15, bold=True)
    factors = span(*block.factors)
    where = f"block {number}: {scales.letter} {span(*block.rows)}, factors {factors}; a cell is {scales.letter}.factor"
    svg.text(MARGIN, 58, where, size=12)
    left = MARGIN + _LEFT
    right = left + panel + _BETWEEN + _LEFT
    svg.text(left, top - 44, f"shared memory, bytes {span(block.byte, block.byte + BLOCK - 1)}", size=12, bold=True)
    svg.text(right, top - 44, "tensor memory, lanes 0..31 of 128", size=12, bold=True)
    for at in range(LINE):
        x = at * WIDE + WIDE / 2
        svg.text(left + x, top - 8, f"+{at}", size=9, fill=FAINT, anchor="middle")
        svg.text(right + x, top - 8, str(at % WORD), size=9, fill=FAINT, anchor="middle")
    svg.text(right - 8, top - 8, "byte", size=9, fill=FAINT, anchor="end")
    for column in range(COLUMNS):
        x = right + (column + 0.5) * WORD * WIDE
        svg.text(x, top - 24, f"column {block.columns[0] + column}", size=10, fill=FAINT, anchor="middle")
    for row in range(WARP):
        y = top + row * TALL
        svg.text(left - 8, y + 11, str(block.byte + row * LINE), size=9, fill=FAINT, anchor="end")
        svg.text(right - 8, y + 11, f"lane {row}", size=9, fill=FAINT, anchor="end")
        for at in range(LINE):
            found = scales.at(block.byte + row * LINE + at)
            shown = _shown(scales, found)
            for x in (left + at * WIDE, right + at * WIDE):
                _cell(svg, shown, x, y)
    for x in (left, right):
        for column in range(COLUMNS + 1):
            at = x + column * WORD * WIDE
            svg.line(at, top, at, bottom, stroke=INK, width=1.2)
        svg.line(x, top, x + panel, top, stroke=INK, width=1.2)
        svg.line(x, bottom, x + panel, bottom, stroke=INK, width=1.2)
    _legend(svg, scales, steps, bottom + 16, wide / 2)
    svg.lines(MARGIN, below + 6, told, step=18, size=11, fill=FAINT)
    return str(svg)


def _colour(scales: Scales, index: int) -> str:
    return palette.CHUNKS[2 * (index // scales.each) % len(palette.CHUNKS)]


class _Shown(NamedTuple):
    """A factor as both memories show it: color, text and its size, and what is said to whoever points at it."""

    fill: str
    text: str = ""
    size: float = 0
    tip: str = ""


def _shown(scales: Scales, found: Factor | None) -> _Shown:
    if found is None:
        return _Shown(ABSENT)
    text = f"{found.row}.{found.number}"
    size = _SIZE if len(text) < 5 else _SIZE * 4.4 / len(text)
    tip = f"{scales.letter} {found.row}, k {found.number * scales.block}: factor {found.number}"
    return _Shown(_colour(scales, found.number), text, size, tip)


def _cell(svg: Document, shown: _Shown, x: float, y: float) -> None:
    svg.rect(x, y, WIDE, TALL, fill=shown.fill, stroke=GROUND, stroke_width=0.7, tip=shown.tip)
    if shown.text:
        svg.text(x + WIDE / 2, y + 11, shown.text, size=shown.size, fill=palette.INK, anchor="middle")


def _legend(svg: Document, scales: Scales, steps: list[Step], top: float, apart: float) -> None:
    for index, step in enumerate(steps):
        x, y = MARGIN + index % 2 * apart, top + 22 * (index // 2)
        svg.rect(x, y, 20, 14, fill=_colour(scales, step.factors[0]), stroke=FAINT, stroke_width=0.5)
        text = f"step {step.number}, k {span(*step.k)}: column +{step.column}, id {step.id}"
        svg.text(x + 27, y + 11, text, size=11)
