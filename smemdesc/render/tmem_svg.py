"""A matrix in tensor memory as a picture: lanes downward, columns to the right, a panel for each CTA."""

from __future__ import annotations

from smemdesc.engine.wording import span
from smemdesc.layout.tmem import LANES, WARP, Tmem
from smemdesc.render import palette
from smemdesc.render.svg import ABSENT, FAINT, GROUND, INK, Document, text_width
from smemdesc.render.tmem import block, colour, column_formula, lane_formula, notes, title

MARGIN = 24
_TALL = 2.6
"""Height of a lane."""
_PANELS = {1: 460, 2: 300}
"""Width of a CTA's panel, by their number."""
_LEFT = 118
_BETWEEN = 40


def picture(tmem: Tmem) -> str:
    """Return the SVG: which block of the matrix lies in which lanes and columns of each CTA."""
    name = title(tmem)
    below = [f"lane = {lane_formula(tmem)}", f"column = {column_formula(tmem)}", *notes(tmem), tmem.source]
    rows = tmem.path.rows
    below[0] += f", m' = m mod {rows}, in CTA m div {rows}" if tmem.cta_group > 1 else ", m' = m"
    panel = _PANELS[tmem.cta_group]
    panels = _LEFT + tmem.cta_group * panel + (tmem.cta_group - 1) * _BETWEEN
    texts = max(text_width(name, 15), *(text_width(each, 11) for each in below))
    top = 100 if tmem.cta_group > 1 else 80
    bottom = top + LANES * _TALL
    svg = Document(2 * MARGIN + max(panels, texts), bottom + 34 + 18 * len(below), title=name)
    svg.text(MARGIN, 36, name, size=15, bold=True)
    for cta in range(tmem.cta_group):
        _panel(svg, tmem, cta, MARGIN + _LEFT + cta * (panel + _BETWEEN), top)
    _lanes(svg, tmem, top)
    for number, text in enumerate(below):
        svg.text(MARGIN, bottom + 34 + 18 * number, text, size=11, fill=INK if number < 2 else FAINT)
    return str(svg)


def _lanes(svg: Document, tmem: Tmem, top: float) -> None:
    for warp in range(LANES // WARP):
        y = top + warp * WARP * _TALL
        svg.text(MARGIN, y + WARP * _TALL / 2 + 4, f"warp {warp}", size=11, bold=True)
        for first in range(warp * WARP, (warp + 1) * WARP, tmem.path.band):
            at = top + (first + tmem.path.band / 2) * _TALL + 4
            svg.text(
                MARGIN + _LEFT - 10, at, span(first, first + tmem.path.band - 1), size=10, fill=FAINT, anchor="end"
            )
    svg.text(MARGIN + _LEFT - 10, top - 10, "lanes", size=10, fill=FAINT, anchor="end")


def _panel(svg: Document, tmem: Tmem, cta: int, left: float, top: float) -> None:
    width = _PANELS[tmem.cta_group]
    first, last = tmem.column, tmem.column + tmem.columns - 1
    if tmem.cta_group > 1:
        svg.text(left, top - 28, f"CTA {cta}", size=12, bold=True)
    svg.text(left, top - 10, f"column {first}", size=10, fill=FAINT)
    svg.text(left + width, top - 10, str(last), size=10, fill=FAINT, anchor="end")
    svg.rect(left, top, width, LANES * _TALL, fill=ABSENT)
    for region in tmem.regions():
        if region.cta != cta:
            continue
        y, tall = top + region.lanes[0] * _TALL, tmem.path.band * _TALL
        m, across = block(tmem, region)
        lanes, columns = span(*region.lanes), span(*region.columns)
        svg.rect(
            left, y, width, tall, fill=palette.CHUNKS[colour(tmem, region)], stroke=GROUND,
            tip=f"lanes {lanes}, columns {columns}: {m}, {across}",
        )  # fmt: skip
        svg.text(left + width / 2, y + tall / 2 + 5, f"{m}, {across}", size=13, fill=palette.INK, anchor="middle")
    for warp in range(LANES // WARP + 1):
        y = top + warp * WARP * _TALL
        svg.line(left, y, left + width, y, stroke=INK, width=1.2)
