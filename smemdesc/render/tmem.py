"""A matrix in tensor memory: its blocks by lanes, in text and as a picture; one element; one lane or column."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import join_and, many, span
from smemdesc.kinds.tmem import LANES
from smemdesc.layout.index_map import MatrixElement
from smemdesc.layout.tmem import WARP, WORD, Tmem, TmemPlace, TmemRegion
from smemdesc.render.cells import EMPTY, Cell, Grid
from smemdesc.render.parts import Span, beside, fact, labeled, line, shown, table
from smemdesc.render.svg import INK, Chart, Paragraph, heading
from smemdesc.render.svg import picture as drawn


def title(tmem: Tmem) -> str:
    """Return the title, and the columns of tensor memory."""
    used = LANES // 2 if tmem.path.half else LANES
    of_cta = " of each CTA" if tmem.cta_group > 1 else ""
    return f"{tmem}, {used} lanes x {many(tmem.columns, 'column')}{of_cta}"


def block(tmem: Tmem, region: TmemRegion) -> tuple[str, str]:
    """Return the coordinates in a region: ``m 0..31`` and ``n 0..127``."""
    return f"m {span(*region.rows)}", f"{tmem.letter} {span(*region.across)}"


def color_number(tmem: Tmem, region: TmemRegion) -> int:
    """Return the color number of a region, from its rows: copies and parts of the same rows share it."""
    return region.rows[0] // tmem.path.band % 8


def bands(tmem: Tmem) -> list[tuple[int, int]]:
    """Return the first and last lane of each line of a drawing."""
    step = tmem.path.band
    return [(first, first + step - 1) for first in range(0, LANES, step)]


def notes(tmem: Tmem) -> Iterator[str]:
    """Yield notes on the drawing."""
    if tmem.operand == "d":
        low = ", in its low 16 bits" if tmem.dtype == "f16" else ""
        yield f"a column of 32 bits holds one element{low}"
    elif tmem.packed == 1:
        yield "a column of 32 bits holds one element"
    else:
        yield f"a column of 32 bits holds {tmem.packed} elements, the first in the low {tmem.bits} bits"
    if tmem.copies > 1:
        yield f"A has {tmem.copies} copies: each is used for the part of D beside it"
    if tmem.path.half:
        free = 16 - tmem.lane
        yield f"the other 16 lanes of each warp are free for a matrix that begins at lane {free}"
        yield "A, D and the metadata of a sparse A begin at the same lane"
    yield "warps with number mod 4 = w access lanes 32w to 32w + 31"


@shown
def tmem_view(tmem: Tmem, lane: int | None = None, column: int | None = None) -> Iterator[RenderableType]:
    """The lanes from top to bottom, with a column for each CTA: the block of the matrix in each.

    ``lane``, ``column``: only the elements there.
    """
    yield Text(title(tmem), "heading")
    regions = list(tmem.regions(lane, column))
    only = [f"{name} {at}" for name, at in (("lane", lane), ("column", column)) if at is not None]
    if only:
        yield beside("  ", (f"only {', '.join(only)}", "faint"))
    if not regions:
        first, last = tmem.column, tmem.column + tmem.columns - 1
        lanes = f", lanes {tmem.lane} to {tmem.lane + 15} of each warp" if tmem.path.half else ""
        yield beside("  ", f"nothing: the matrix is in columns {span(first, last)}{lanes}")
        return
    columns = f"columns {span(*regions[0].columns)}"
    if len(only) == 2:
        for region in regions:
            where = f"CTA {region.cta}: " if tmem.cta_group > 1 else ""
            yield beside("  ", where, (", ".join(block(tmem, region)), "value"))
    elif lane is not None:
        rows: list[list[Span | Text]] = []
        for part in regions:
            cta = [f"CTA {part.cta}"] if tmem.cta_group > 1 else []
            rows.append([*cta, *((text, "value") for text in block(tmem, part)), columns])
        yield table(rows, indent=2)
    else:
        yield _grid(tmem, regions)
    for note in () if only else notes(tmem):
        yield beside("  ", (note, "faint"))
    yield from formula(tmem)


def _grid(tmem: Tmem, regions: list[TmemRegion]) -> Grid:
    at = {(region.cta, region.lanes): region for region in regions}
    cells = []
    for first, last in bands(tmem):
        row = []
        for cta in range(tmem.cta_group):
            region = at.get((cta, (first, last)))
            row.append(_cell(tmem, region) if region else EMPTY)
        cells.append(row)
    columns = span(*regions[0].columns)
    return Grid(
        above=("CTA", "columns") if tmem.cta_group > 1 else ("columns",),
        left=("warp", "lanes"),
        columns=[((str(cta), columns) if tmem.cta_group > 1 else (columns,)) for cta in range(tmem.cta_group)],
        rows=[(str(first // WARP), span(first, last)) for first, last in bands(tmem)],
        cells=cells,
    )


def _cell(tmem: Tmem, region: TmemRegion) -> Cell:
    text = ", ".join(block(tmem, region))
    tip = f"lanes {span(*region.lanes)}, columns {span(*region.columns)}: {text}"
    return Cell(text, color_number(tmem, region), tip=tip)


def lane_formula(tmem: Tmem) -> str:
    """Return the formula of the lane from the row of the CTA, m'."""
    path = tmem.path
    if path.half:
        return "32 (m' div 16) + m' mod 16" + (f" + {tmem.lane}" if tmem.lane else "")
    if tmem.parts > 1:
        return f"m' + {LANES // path.parts} (n div {tmem.width // tmem.parts})"
    if tmem.copies > 1:
        return f"m' + {LANES // path.parts} c, c = 0..{tmem.copies - 1}"
    return "m'"


def column_formula(tmem: Tmem) -> str:
    """Return the formula of the column from n or k."""
    text = f"n mod {tmem.width // tmem.parts}" if tmem.parts > 1 else tmem.letter
    text = f"{text} div {tmem.packed}" if tmem.packed > 1 else text
    return text + (f" + {tmem.column}" if tmem.column else "")


def formula(tmem: Tmem) -> Iterator[RenderableType]:
    """Yield the formulas for this case, and their source."""
    yield beside(line(("lane", "key"), " = "), lane_formula(tmem))
    yield beside(line(("column", "key"), " = "), column_formula(tmem))
    if tmem.packed > 1:
        yield beside(line(("bit", "key"), " = "), f"{tmem.bits} (k mod {tmem.packed})")
    rows = tmem.path.rows
    pair = f"m' = m mod {rows}, in CTA m div {rows}" if tmem.cta_group > 1 else "m' = m"
    yield beside(("  with ", "label"), (pair, "faint"))
    yield labeled("source", (tmem.source, "faint"))


@shown
def tmem_element_view(tmem: Tmem, element: MatrixElement) -> Iterator[RenderableType]:
    """The place of one element: CTA, lane, column, and the formula with its numbers."""
    m, across = element
    places = tmem.places(m, across)
    place = places[0]
    lanes = join_and(place.lane for place in places)
    where = f"{'lanes' if len(places) > 1 else 'lane'} {lanes}, column {place.column}"
    where = f"CTA {place.cta}, {where}" if tmem.cta_group > 1 else where
    yield beside(line((where, "value"), "  "), (f"m {m}, {tmem.letter} {across} of {tmem}", "heading"))
    yield table([fact for place in places for fact in _facts(tmem, element, place, places)], indent=2, wraps=2)
    yield labeled("source", (tmem.source, "faint"))


def _facts(
    tmem: Tmem, element: MatrixElement, place: TmemPlace, places: tuple[TmemPlace, ...]
) -> Iterator[list[Span | Text]]:
    m, across = element
    rows, letter = tmem.path.rows, tmem.letter
    inside = m % rows
    if place == places[0]:
        if tmem.cta_group > 1:
            yield fact("CTA", place.cta, f"{m} div {rows}")
            yield fact("m'", inside, f"{m} mod {rows}", "row within the CTA")
        part_width = tmem.width // tmem.parts
        how = f"{across} mod {part_width}" if tmem.parts > 1 else f"{letter}"
        how = f"{across} div {tmem.packed}" if tmem.packed > 1 else how
        yield fact("column", place.column, how + (f" + {tmem.column}" if tmem.column else ""))
        if tmem.packed > 1:
            yield fact("bit", place.bit, f"{tmem.bits} x ({across} mod {tmem.packed})", _bits(tmem, place))
    if tmem.path.half:
        begin = f" + {tmem.lane}" if tmem.lane else ""
        how = f"32 x ({inside} div 16) + {inside} mod 16{begin} = {32 * (inside // 16)} + {inside % 16}{begin}"
    elif tmem.parts > 1:
        apart, part = LANES // tmem.parts, across // (tmem.width // tmem.parts)
        how = f"{inside} + {apart} x ({across} div {tmem.width // tmem.parts}) = {inside} + {apart * part}"
    elif tmem.copies > 1:
        how = f"{inside} + {LANES // tmem.copies} x {places.index(place)}"
    else:
        how = "m'" if tmem.cta_group > 1 else "m"
    yield fact("lane", place.lane, how, f"warp {place.warp} (mod 4) accesses it")
    yield ["address", (f"0x{place.address:08x}", "value"), "= lane << 16 | column", ""]


def _bits(tmem: Tmem, place: TmemPlace) -> str:
    return f"bits {place.bit}..{place.bit + tmem.bits - 1} of {WORD}"


_TALL = 2.6
"""Height of a lane in a picture."""
_WIDE = {1: 460, 2: 300}
"""Width of a CTA's columns, for each number of CTAs."""


def picture(tmem: Tmem) -> str:
    """Return the SVG of the blocks of the matrix in the lanes and columns of each CTA."""
    rows, band = tmem.path.rows, tmem.path.band
    lane = f"lane = {lane_formula(tmem)}, m' = m" + (f" mod {rows}, in CTA m div {rows}" if tmem.cta_group > 1 else "")
    warps = range(0, LANES // band, WARP // band)
    blocks = [
        *heading(title(tmem)),
        Chart(_grid(tmem, list(tmem.regions())), _WIDE[tmem.cta_group], band * _TALL, 13, lines=((1,), warps)),
        Paragraph([lane, f"column = {column_formula(tmem)}"], fill=INK, space=8),
        Paragraph([*notes(tmem), tmem.source]),
    ]
    return drawn(title(tmem), blocks)
