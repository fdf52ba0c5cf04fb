"""A register fragment as a picture: rows by columns, coloured by the thread of the quad."""

from __future__ import annotations

from smemdesc.layout.fragment import WARP_ROWS, Fragment, M, Place
from smemdesc.render import palette
from smemdesc.render.fragment import cell_text, colour, step, title
from smemdesc.render.svg import ABSENT, FAINT, GROUND, INK, Document, text_width

MARGIN, TALL, LABEL = 24, 24, 30
_ACROSS = 32
"""Cells beside each other at most; further columns come below."""
_SIZE = 10.5
_HEADS = 22


def picture(fragment: Fragment, *, everything: bool = False, register: int | None = None) -> str:
    """Return the SVG of what :func:`smemdesc.render.fragment.FragmentView` draws.

    ``everything``: all four warps, else the first. ``register``: show only what this one holds.
    """
    if register is not None:
        fragment.cell(0, register)  # refuses what there is not
    rows = M if everything else WARP_ROWS
    places = [row[:: step(fragment)] for row in fragment.rows(0, rows)]
    cells = len(places[0])
    wide = text_width(max((cell_text(fragment, row[-1]) for row in places), key=len), _SIZE) + 9
    across = _across(fragment, cells)
    blocks = -(-cells // across)
    band = WARP_ROWS * TALL + _HEADS + 12
    legend = 250.0
    name = title(fragment) + ("" if register is None else f"; only r{register}")
    width = max(2 * MARGIN + LABEL + across * wide, 2 * MARGIN + text_width(name, 15), 2 * MARGIN + 2 * legend)
    warps = rows // WARP_ROWS
    height = 86 + warps * (blocks * band + 24) + (48 if not everything else 26)
    svg = Document(width, height, title=name)
    svg.text(MARGIN, 34, name, size=15, bold=True)
    _legend(svg, 48)
    y = 80.0
    for warp in range(warps):
        first = warp * WARP_ROWS
        svg.text(MARGIN, y + 12, f"warp {warp}, rows {first}..{first + WARP_ROWS - 1}", size=12, bold=True)
        y += 24
        for left in range(0, cells, across):
            block = [row[left : left + across] for row in places[first : first + WARP_ROWS]]
            _block(svg, fragment, block, first, left, y, wide, register)
            y += band
    if not everything:
        svg.text(MARGIN, y + 8, "warps 1 to 3: the same, each 16 rows and 32 threads further on", size=11, fill=FAINT)
        y += 20
    svg.text(MARGIN, y + 8, fragment.source, size=11, fill=FAINT)
    return str(svg)


def _across(fragment: Fragment, cells: int) -> int:
    """Return how many cells stand beside each other: whole repeats of the four threads, in even blocks."""
    repeat = 4 * fragment.run // step(fragment)
    blocks = -(-cells // _ACROSS)
    return -(-cells // blocks // repeat) * repeat


def _legend(svg: Document, y: float) -> None:
    x: float = MARGIN
    for quad in range(4):
        svg.rect(x, y, 20, 14, fill=palette.CHUNKS[colour(quad)], stroke=FAINT, stroke_width=0.5)
        text = f"T mod 4 = {quad}"
        svg.text(x + 27, y + 11, text, size=11)
        x += 27 + text_width(text, 11) + 22


def _block(
    svg: Document,
    fragment: Fragment,
    rows: list[list[Place]],
    first: int,
    left: int,
    top: float,
    wide: float,
    register: int | None,
) -> None:
    begin = MARGIN + LABEL
    count = len(rows[0])
    for index in range(count):
        x = begin + index * wide + wide / 2
        svg.text(x, top + 14, str((left + index) * step(fragment)), size=10, fill=FAINT, anchor="middle")
    top += _HEADS
    for index, places in enumerate(rows):
        y = top + index * TALL
        svg.text(begin - 8, y + 16, str(first + index), size=10, fill=FAINT, anchor="end")
        for at, place in enumerate(places):
            shown = register is None or place.register == register
            fill = palette.CHUNKS[colour(place.quad)] if shown else ABSENT
            text = cell_text(fragment, place) if shown else ""
            tip = f"row {first + index}, column {(left + at) * step(fragment)}: {text}" if shown else ""
            svg.rect(begin + at * wide, y, wide, TALL, fill=fill, stroke=GROUND, stroke_width=1, tip=tip)
            if shown:
                svg.text(begin + at * wide + wide / 2, y + 16, text, size=_SIZE, fill=palette.INK, anchor="middle")
    bottom = top + len(rows) * TALL
    repeat = 4 * fragment.run // step(fragment)
    for at in range(0, count + 1, repeat):
        svg.line(begin + at * wide, top, begin + at * wide, bottom, stroke=INK, width=1.2)
    for y in (top, top + 8 * TALL, bottom):
        svg.line(begin, y, begin + count * wide, y, stroke=INK, width=1.2)
