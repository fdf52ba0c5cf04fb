"""A tile, in text and as a picture: its atoms in the order of memory, and the descriptor of each MMA step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many
from smemdesc.kinds.modes import MODE
from smemdesc.layout.atom import atom_bytes
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.operand import UNIT
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.diagnostics import diagnostics
from smemdesc.render.operand import JUMPS, segments_text
from smemdesc.render.parts import StyledText, as_view, table
from smemdesc.render.svg import (
    INK,
    SMALL,
    STEP,
    STRIDE_COLORS,
    Arrow,
    Braces,
    Chart,
    Outline,
    Paragraph,
    PictureBlock,
    SideBySide,
    chunk_key,
    draw,
    heading,
    notes,
    text_width,
)
from smemdesc.tiles.tile import Tile, TileStep


@as_view
def tile_view(tile: Tile) -> Iterator[RenderableType]:
    """A tile: its atoms, its strides, and the descriptor of each MMA step."""
    pair = f" of {tile.cta_group} CTAs" if tile.cta_group > 1 else ""
    whole = f"MN {tile.whole.mn} x K {tile.whole.k}"
    yield Text(f"tile {whole}{pair} {tile.dtype.name}, {tile.major}-major, {tile.swizzle}", "heading")
    count = tile.atoms
    size = atom_bytes(tile.swizzle, tile.major)
    along = "MN" if tile.order == "mn" else "K"
    lbo = "the address of the next atom" if tile.absolute else f"{tile.lbo} B = {tile.lbo // UNIT} x 16 B"
    assumed = "; assumed, as neither --kind nor --arch is given" if tile.assumed else ""
    facts = [
        ("kind", f"{tile.kind.name}{assumed}"),
        *([("each CTA", f"its half, {tile.shape}: the following is its shared memory")] if pair else []),
        ("bytes", f"{tile.size} B from 0x{tile.start:05x}"),
        (
            "atoms",
            f"{count[0]} x {count[1]} of {tile.atom} elements, {size} B each, contiguous along {along}",
        ),
        ("strides", f"{tile.stride_mn} B along MN, {tile.stride_k} B along K"),
        ("LBO", lbo),
        ("SBO", f"{tile.sbo} B = {tile.sbo // UNIT} x 16 B"),
        ("MMA", f"operand {tile.mma}, {many(len(tile.steps), 'step')}"),
        ("TMA", box_text(tile)),
    ]
    yield table([[(f"{name}:", "label"), text] for name, text in facts], indent=2)
    yield Text()
    yield from _sketch(tile)
    yield Text()
    rows: list[list[StyledText | Text]] = [
        [
            str(step.mn),
            str(step.k),
            f"0x{step.start:05x}",
            (f"0x{step.value:016x}", "value"),
            segments_text(tile.operand(step)) if tile.absolute else "",
        ]
        for step in tile.steps
    ]
    yield table(rows, ("mn", "k", "start", "descriptor", ""))
    if tile.findings:
        yield Text()
        yield diagnostics(tile.findings)


def box_text(tile: Tile) -> str:
    """Describe the TMA box of a tile, and its number of copies."""
    filling = tile.filling
    if filling is None:
        return f"no box writes {tile.dtype.name} like this"
    box, copies = filling
    inner, outer = ("K", "MN") if tile.major == "K" else ("MN", "K")
    count = many(len(copies), "copy", "copies")
    return f"a box of {box.box[0]} {inner} x {box.box[1]} {outer}, {box.tma_swizzle}: {count} of {filling.size}"


_ROOM, _NARROW = 40, 5
"""Columns of a terminal for the tile, and the least of a part between two edges along K."""
_FIRST = 3
"""Rows of atoms that are drawn in a terminal."""


def _sketch(tile: Tile) -> Iterator[Text]:
    """Yield the tile in lines of text: its atoms, the steps along K, the first byte of each row of atoms."""
    k, edges = tile.shape.k, sorted({*range(0, tile.shape.k + 1, tile.mma.k), *range(0, tile.shape.k + 1, tile.atom.k)})
    parts = edges[: _ROOM // _NARROW + 1]
    wide = max(_NARROW, _ROOM // (len(parts) - 1))
    more = " ..." if parts[-1] < k else ""
    at = {edge: 10 + number * wide for number, edge in enumerate(parts)}
    end = at[parts[-1]]
    steps = [step for step in tile.steps if not step.mn and step.k + tile.mma.k in at]
    yield _placed({at[edge] - (2 if not edge else 0): f"k {edge}" if not edge else str(edge) for edge in parts}, more)
    is_wide = all(at[step.k + tile.mma.k] - at[step.k] > len(" step 10") for step in steps)
    names = {at[step.k] + 1: f"{' step' * is_wide} {number}" for number, step in enumerate(steps)}
    yield _placed({at[step.k]: "|" for step in steps} | {end: "|"} | names | {end + 4: "byte"})
    stride = _arrow(tile, "mn")
    rows = tile.atoms.mn
    drawn = range(rows if rows <= _FIRST + 1 else _FIRST)
    for row in drawn:
        start = f"0x{tile.atom_start(row, 0):05x}  #{_starts(tile)[1][tile.atom_start(row, 0)]}"
        beside_row = start if row > 1 or stride is None else f"{start:<13} {'^v'[row]}"
        yield Text(f"mn {row * tile.atom.mn:4}   {_edge(tile, row, parts, at)}   {beside_row}")
        note = f"            {stride.label}" if stride is not None and not row else ""
        yield Text(f"          {_inside(tile, row, parts, at)}{note}")
    if rows > len(drawn):
        left = rows - len(drawn)
        yield Text(f"          :{' ' * (end - 11)}:   {left} more, each +{tile.stride_mn} B")
    last = _edge(tile, rows, parts, at)
    yield Text(f"mn {tile.shape.mn:4}   {last}   0x{tile.start + tile.size:05x}  end")
    dots = "..." if is_wide else ""
    values = {at[step.k] + 1: dots + f"{step.value:x}"[-4:] for step in steps}
    along_k = _arrow(tile, "k")
    said = [f"{along_k.label}: {along_k.where}".replace("→", "to")] if along_k is not None else []
    said += _idle_strides(tile)
    yield _placed({0: "desc"} | values | ({end + 4: said[0]} if said else {}))
    for text in said[1:]:
        yield _placed({end + 4: text})


def _placed(texts: Mapping[int, str], more: str = "") -> Text:
    """Return texts in one line, each from its column on."""
    line = ""
    for column, text in sorted(texts.items()):
        line = f"{line:<{column}}{text}"
    return Text(line + more)


def _edge(tile: Tile, row: int, parts: Sequence[int], at: Mapping[int, int]) -> str:
    """Return the upper edge of a row of atoms, thicker where the first step reads it."""
    first = row * tile.atom.mn < tile.mma.mn
    line = "".join(
        "+" + ("=" if first and begin < tile.mma.k else "-") * (at[after] - at[begin] - 1)
        for begin, after in pairwise(parts)
    )
    return f"{line}+"


def _inside(tile: Tile, row: int, parts: Sequence[int], at: Mapping[int, int]) -> str:
    """Return the inside of a row of atoms, filled where the first step reads it."""
    first = row * tile.atom.mn < tile.mma.mn
    line = "".join(
        ("|" if not begin % tile.atom.k or not begin % tile.mma.k else " ")
        + (":" if first and begin < tile.mma.k else " ") * (at[after] - at[begin] - 1)
        for begin, after in pairwise(parts)
    )
    return f"{line}|"


def _atoms(tile: Tile) -> Grid:
    """Return the atoms as a grid, MN down and K across; neighbors have different colors."""
    down, across = tile.atoms
    starts, numbers = _starts(tile)
    return Grid(
        above=("k", "byte"),
        left=("mn", ""),
        columns=[(str(k * tile.atom.k), str(starts[0][k] - tile.start)) for k in range(across)],
        rows=[(str(mn * tile.atom.mn), str(starts[mn][0] - tile.start)) for mn in range(down)],
        cells=[[Cell(f"0x{start:05x}", numbers[start] % 8) for start in row] for row in starts],
    )


def _starts(tile: Tile) -> tuple[list[list[int]], dict[int, int]]:
    """Return the address of each atom, MN down and K across, and the number of each address in the order of memory."""
    down, across = tile.atoms
    starts = [[tile.atom_start(mn, k) for k in range(across)] for mn in range(down)]
    return starts, {start: number for number, start in enumerate(sorted(start for row in starts for start in row))}


ROWS, COLUMNS, STEPS = 32, 16, 16
"""The most atoms drawn, down and across; the most steps listed."""
_WIDEST = 1200
"""The width of a tile up to which the text of an atom fits between the edges of MMA steps."""


_KEY = "#n: the order in memory; below it, the first byte in the tile"


def picture(tile: Tile) -> str:
    """Return the SVG of :class:`tile_view`."""
    name = picture_name(tile)
    return draw(name, "; ".join(_details(tile)), tile_blocks(tile, name))


def orders_picture(tiles: Sequence[Tile]) -> str:
    """Return one SVG of tiles that differ only in the order of their atoms."""
    one, name = tiles[0], picture_name(tiles[0])
    sizes = [f"order {tile.order}: LBO {_lbo(tile)}, SBO {tile.sbo} B" for tile in tiles]
    about = [
        f"{one.kind.name}, {one.dtype.name}: {one.shape.mn} × {one.shape.k} elements, atoms contiguous along K or MN",
        *_details(one)[2:],
    ]
    values = [[f"{step.value:#018x}" for step in tile.steps[:STEPS]] for tile in tiles]
    rows = [f"{number:<8}  {'  '.join(row)}" for number, row in enumerate(zip(*values, strict=True))]
    blocks = [
        *heading(name, *about),
        chunk_key(_KEY),
        SideBySide([_chart(tile)._replace(title=size) for tile, size in zip(tiles, sizes, strict=True)]),
        Paragraph(["MMA step  " + "  ".join(f"order {tile.order:<12}" for tile in tiles)], stands=True),
        Paragraph(rows, fill=INK, stands=True),
        *_more_steps(one),
        notes(*dict.fromkeys(note for tile in tiles for note in _notes(tile))),
    ]
    return draw(name, "; ".join([*about, *sizes]), blocks)


def picture_name(tile: Tile, operand: str = "") -> str:
    """Return the name of a picture; ``operand`` is ``A`` or ``B``, if known."""
    under = f"under {tile.swizzle} swizzle" if MODE[tile.swizzle].swizzle[0] else "without swizzle"
    return f"{operand or 'Tile'} {under}, {tile.major}-major, {Swizzle(*MODE[tile.swizzle].swizzle)}"


def tile_blocks(tile: Tile, name: str) -> list[PictureBlock]:
    """Return the picture of a tile below its name."""
    return [
        *heading(name, *_details(tile)),
        chunk_key(_KEY),
        _chart(tile),
        *_list(tile),
        notes(*_notes(tile)),
    ]


def _drawn(tile: Tile) -> tuple[int, int]:
    """Return how many atoms are drawn, down and across."""
    return min(tile.atoms.mn, ROWS), min(tile.atoms.k, COLUMNS)


def _chart(tile: Tile) -> Chart:
    """Return the atoms with the outlines of the MMA steps, the first one thick and last, over its neighbors."""
    rows, columns = _drawn(tile)
    starts, numbers = _starts(tile)
    grid = _atoms(tile).part(slice(rows), slice(columns))
    for row, cells in enumerate(grid.cells):
        for column, cell in enumerate(cells):
            start = starts[row][column]
            tip = f"atom at mn {row * tile.atom.mn}, k {column * tile.atom.k}: address {cell.text}"
            cells[column] = Cell(f"#{numbers[start]}", cell.chunk, f"+{start - tile.start} B", tip)
    text = max(text_width(cell.note, SMALL) for cells in grid.cells for cell in cells)
    wide = max(text, 44) + 16
    parts = -(-tile.atom.k // tile.mma.k)
    wide *= parts if wide * parts * columns <= _WIDEST else 1
    steps = [(left, right, str(number)) for number, (step, left, right) in enumerate(_columns(tile)) if not step.mn]
    outlines: list[Outline] = []
    for step, left, right in _columns(tile):
        top, bottom = (min(mn / tile.atom.mn, rows) for mn in (step.mn, step.mn + tile.mma.mn))
        if top < bottom:
            tip = f"MMA step at mn {step.mn}, k {step.k}: start 0x{step.start:05x}, 0x{step.value:016x}"
            thick = 1 if outlines else 2.4
            outlines.append(Outline(left, top, right - left, bottom - top, STEP, thick, 2.5, 4, tip))
    return Chart(
        grid,
        wide,
        lines=(range(columns), range(rows)),
        outlines=outlines[::-1],
        across=_arrow(tile, "k"),
        down=_arrow(tile, "mn"),
        above=Braces(steps, STEP, "MMA step"),
        beside=Braces([*_groups(tile, rows)], STEP),
        middles=[_free(tile, column, (text + 6) / wide) for column in range(columns)],
    ).sized()


def _columns(tile: Tile) -> Iterator[tuple[TileStep, float, float]]:
    """Yield the steps in the columns that are drawn, with their edges, in atoms."""
    columns = _drawn(tile)[1]
    for step in tile.steps:
        left, right = (min(k / tile.atom.k, columns) for k in (step.k, step.k + tile.mma.k))
        if left < right:
            yield step, left, right


def _details(tile: Tile) -> list[str]:
    atom, size = tile.atom, atom_bytes(tile.swizzle, tile.major)
    along = "MN" if tile.order == "mn" else "K"
    out = [
        f"{tile.kind.name}, {tile.dtype.name}: {tile.shape.mn} × {tile.shape.k} elements = {tile.atoms.mn} × "
        f"{tile.atoms.k} atoms of {atom.mn} × {atom.k}, {size} B each, contiguous along {along}",
        f"{tile.size} B from 0x{tile.start:05x}, LBO {_lbo(tile)}, SBO {tile.sbo} B; "
        f"MMA operand {tile.mma.mn} × {tile.mma.k}, {many(len(tile.steps), 'step')}",
    ]
    if tile.cta_group > 1:
        whole = f"{tile.whole.mn} × {tile.whole.k}"
        out.append(f"shared memory of each of {tile.cta_group} CTAs: half of the pair's tile of {whole}")
    rows, columns = _drawn(tile)
    if rows < tile.atoms.mn or columns < tile.atoms.k:
        out.append(f"drawn: the first {rows} × {columns} atoms of {tile.atoms.mn} × {tile.atoms.k}")
    return out


def _lbo(tile: Tile) -> str:
    return "the address of the next atom" if tile.absolute else f"{tile.lbo} B"


def _arrow(tile: Tile, along: str) -> Arrow | None:
    """Return the step from the first atom to the next along MN or K, with the field that holds it."""
    down = along == "mn"
    stride, extent = (tile.stride_mn, tile.atom.mn) if down else (tile.stride_k, tile.atom.k)
    if (tile.atoms.mn if down else tile.atoms.k) == 1:
        return None
    terms = tile.operand(tile.steps[0]).terms(*((extent, 0) if down else (0, extent)))
    idle = () if tile.absolute else _unreached(tile)
    jumps = [term for term in terms if term.name in JUMPS and term.name not in idle]
    fields = [term.name for term in jumps if term.times == 1 and term.size == 8 * stride]
    stroke = STRIDE_COLORS[fields[0]] if fields else INK
    return Arrow(1, f"{fields[0] if fields else 'stride'} {stride} B", f"{along} 0 → {extent}", stroke)


def _free(tile: Tile, column: int, room: float) -> float:
    """Return the middle of the first part between step edges with ``room``; if none has it, the middle of the atom."""
    inside = {step.k / tile.atom.k for step in tile.steps if column < step.k / tile.atom.k < column + 1}
    for begin, end in pairwise([column, *sorted(inside), column + 1]):
        if end - begin >= room:
            return (begin + end) / 2
    return column + 0.5


def _groups(tile: Tile, rows: int) -> Iterator[tuple[float, float, str]]:
    """Yield which steps are at which rows, if there are several along MN."""
    per_group, groups = tile.shape.k // tile.mma.k, tile.shape.mn // tile.mma.mn
    for group in range(groups) if groups > 1 else ():
        top, bottom = (min(mn / tile.atom.mn, rows) for mn in (group * tile.mma.mn, (group + 1) * tile.mma.mn))
        if top < bottom:
            first, last = group * per_group, (group + 1) * per_group - 1
            yield top, bottom, f"step {first}" if first == last else f"steps {first}–{last}"


def _list(tile: Tile) -> Iterator[PictureBlock]:
    """Yield the descriptors of the first steps."""
    yield Paragraph(["MMA step  mn    k     start    descriptor" + "          K lies in" * tile.absolute], stands=True)
    rows = []
    for number, step in enumerate(tile.steps[:STEPS]):
        where = f"  {segments_text(tile.operand(step))}" if tile.absolute else ""
        rows.append(f"{number:<8}  {step.mn:<4}  {step.k:<4}  0x{step.start:05x}  0x{step.value:016x}{where}")
    yield Paragraph(rows, fill=INK, stands=True)
    yield from _more_steps(tile)


def _more_steps(tile: Tile) -> Iterator[PictureBlock]:
    if len(tile.steps) > STEPS:
        yield Paragraph([f"and {len(tile.steps) - STEPS} more steps"])


def _notes(tile: Tile) -> list[str]:
    """Return a note for LBO and SBO if one instruction does not use it."""
    if tile.absolute:
        return ["LBO: an address (LBO mode absolute), that of the next atom, in which the step continues"]
    return [f"{name}: has no effect inside one MMA" for name in _unreached(tile)]


def _idle_strides(tile: Tile) -> list[str]:
    """Return which of LBO and SBO has no effect, with its size."""
    sizes = {"LBO": tile.lbo, "SBO": tile.sbo}
    return [] if tile.absolute else [f"{name} {sizes[name]} B: no effect" for name in _unreached(tile)]


def _unreached(tile: Tile) -> list[str]:
    """Return which of LBO and SBO one instruction does not use."""
    mn, k = tile.mma
    reached = {term.name for term in tile.operand(tile.steps[0]).terms(mn - 1, k - 1) if term.times}
    return [name for name in ("LBO", "SBO") if name not in reached]
