"""A tile, in text and as a picture: its atoms in the order of memory, and the descriptor of each MMA step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.engine.wording import many
from smemdesc.kinds.modes import MODE
from smemdesc.layout.atom import byte_size
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.operand import UNIT
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.console import CHUNK_INK, CHUNK_SMALL, CHUNKS
from smemdesc.render.diagnostics import Diagnostics
from smemdesc.render.operand import ARROW, DARK, JUMPS, Jump, label, room_beside, segments_text
from smemdesc.render.parts import Span, table
from smemdesc.render.svg import (
    FAINT,
    HEAD,
    INK,
    MARGIN,
    RULER,
    SMALL,
    Document,
    chunk_legend,
    fitted,
    headed,
    ruled_rows,
    text_width,
)
from smemdesc.tiles.tile import Tile


class TileView(NamedTuple):
    """A tile: its atoms, its strides, and the descriptor of each MMA step."""

    tile: Tile

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        tile = self.tile
        pair = f" of {tile.cta_group} CTAs" if tile.cta_group > 1 else ""
        yield Text(f"tile {tile.whole}{pair} {tile.dtype.name}, {tile.major}-major, {tile.swizzle}", "heading")
        count = tile.atoms
        size = byte_size(tile.swizzle, tile.major)
        along = "MN" if tile.order == "mn" else "K"
        lbo = "the address of the next atom" if tile.absolute else f"{tile.lbo} B = {tile.lbo // UNIT} x 16 B"
        facts = [
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
        yield Text("atoms, by their first byte", "faint")
        yield _atoms(tile)
        yield Text()
        rows: list[list[Span | Text]] = [
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
            yield Diagnostics(tile.findings)


def box_text(tile: Tile) -> str:
    """Describe the TMA box of a tile, and its number of copies."""
    filling = tile.filling
    if filling is None:
        return f"no box writes {tile.dtype.name} like this"
    box, copies = filling
    inner, outer = ("K", "MN") if tile.major == "K" else ("MN", "K")
    count = many(len(copies), "copy", "copies")
    return f"a box of {box.box[0]} {inner} x {box.box[1]} {outer}, {box.tma_swizzle}: {count} of {filling.size}"


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
STEP = "#8250df"
_TALL = 38
_SIZE = 12
_WIDEST, _NARROWEST = 1200, 600


class _Plane(NamedTuple):
    """Where elements are drawn: the corner of (0, 0), the width of an atom, and the number of atoms drawn."""

    tile: Tile
    left: float
    top: float
    wide: float
    rows: int
    columns: int

    def x(self, k: int) -> float:
        """Return x of column ``k`` (elements), at most the edge of the drawing."""
        return self.left + self.wide * min(k / self.tile.atom.k, self.columns)

    def y(self, mn: int) -> float:
        """Return y of row ``mn`` (elements), at most the edge of the drawing."""
        return self.top + _TALL * min(mn / self.tile.atom.mn, self.rows)


def picture(tile: Tile) -> str:
    """Return the SVG of :class:`TileView`."""
    return str(document(tile))


def document(tile: Tile, operand: str = "") -> Document:
    """Return the picture of a tile; ``operand`` is ``A`` or ``B``, if known."""
    rows, columns = min(tile.atoms.mn, ROWS), min(tile.atoms.k, COLUMNS)
    starts, numbers = _starts(tile)
    under = f"under {tile.swizzle} swizzle" if MODE[tile.swizzle].swizzle[0] else "without swizzle"
    name = f"{operand or 'Tile'} {under}, {tile.major}-major, {Swizzle(*MODE[tile.swizzle].swizzle)}"
    details = _details(tile, rows, columns)
    down, across = _jump(tile, "mn"), _jump(tile, "k")
    wide = _wide(tile, starts, columns)
    beside = 14 + room_beside(down)
    groups = tile.shape.mn // tile.mma.mn
    grouped = beside + (100 if groups > 1 else 0)
    width = max(_NARROWEST, 2 * MARGIN + RULER + wide * columns + grouped)
    lines = fitted(width, *details, size=12)
    notes = fitted(width, *_notes(tile))
    listed = tile.steps[:STEPS]
    head = 54 + 18 * len(lines) + 20
    top = head + (34 if across else 0) + 30 + 34
    below = top + _TALL * rows + 30
    height = below + 17 * (len(listed) + 1 + (len(tile.steps) > STEPS)) + 10 + 16 * len(notes) + 20
    svg = headed(width, height, name, lines, title=f"{name}; {'; '.join(details)}", dark=DARK)
    chunk_legend(svg, head - 12, "#n: the order in memory; below it, the first byte in the tile")
    plane = _Plane(tile, MARGIN + RULER, top, wide, rows, columns)
    if across:
        svg.arrow(plane.left, head + 24, plane.x(tile.atom.k), head + 24, stroke=ARROW)
        label(svg, plane.left, head + 12, across)
    _rulers(svg, plane, starts)
    _fills(svg, plane, starts, numbers)
    _outlines(svg, plane)
    _texts(svg, plane, starts, numbers)
    if down:
        x = plane.x(tile.shape.k) + 14
        svg.arrow(x, top, x, plane.y(tile.atom.mn), stroke=ARROW)
        label(svg, x + 14, max(top + 10, (top + plane.y(tile.atom.mn)) / 2 - 3), down, below=True)
    if groups > 1:
        _groups(svg, plane, plane.x(tile.shape.k) + beside)
    end = _list(svg, tile, below)
    svg.lines(MARGIN, end + 16, notes, step=16, size=11, fill=FAINT)
    return svg


def _details(tile: Tile, rows: int, columns: int) -> list[str]:
    atom, size = tile.atom, byte_size(tile.swizzle, tile.major)
    lbo = "the address of the next atom" if tile.absolute else f"{tile.lbo} B"
    along = "MN" if tile.order == "mn" else "K"
    out = [
        f"{tile.kind.name}, {tile.dtype.name}: {tile.shape.mn} × {tile.shape.k} elements = {tile.atoms.mn} × "
        f"{tile.atoms.k} atoms of {atom.mn} × {atom.k}, {size} B each, contiguous along {along}",
        f"{tile.size} B from 0x{tile.start:05x}, LBO {lbo}, SBO {tile.sbo} B; "
        f"MMA operand {tile.mma.mn} × {tile.mma.k}, {many(len(tile.steps), 'step')}",
    ]
    if tile.cta_group > 1:
        whole = f"{tile.whole.mn} × {tile.whole.k}"
        out.append(f"shared memory of each of {tile.cta_group} CTAs: half of the pair's tile of {whole}")
    if rows < tile.atoms.mn or columns < tile.atoms.k:
        out.append(f"drawn: the first {rows} × {columns} atoms of {tile.atoms.mn} × {tile.atoms.k}")
    return out


def _jump(tile: Tile, along: str) -> Jump | None:
    """Return the step from the first atom to the next along MN or K, with the field that holds it."""
    down = along == "mn"
    stride, extent = (tile.stride_mn, tile.atom.mn) if down else (tile.stride_k, tile.atom.k)
    if (tile.atoms.mn if down else tile.atoms.k) == 1:
        return None
    terms = tile.operand(tile.steps[0]).terms(*((extent, 0) if down else (0, extent)))
    fields = [term.name for term in terms if term.name in JUMPS and term.times == 1 and term.size == 8 * stride]
    return Jump(1, fields[0] if fields else "stride", f"{stride} B", f"{along} 0 → {extent}")


def _wide(tile: Tile, starts: list[list[int]], columns: int) -> float:
    """Return the width of an atom: its text fits between the edges of MMA steps, if the picture allows that."""
    text = max(text_width(f"+{max(max(row) for row in starts) - tile.start} B", SMALL), 44) + 16
    parts = -(-tile.atom.k // tile.mma.k)
    return text * parts if text * parts * columns <= _WIDEST else text


def _rulers(svg: Document, plane: _Plane, starts: list[list[int]]) -> None:
    tile = plane.tile
    base = plane.top - 34 - 18
    svg.text(plane.left - 10, base, "MMA step", size=SMALL, fill=STEP, anchor="end")
    first = [step for step in tile.steps if not step.mn and plane.x(step.k) < plane.x(tile.shape.k)]
    for number, step in enumerate(first):
        left, right = plane.x(step.k), plane.x(step.k + tile.mma.k)
        svg.text((left + right) / 2, base, str(number), size=SMALL + 1, fill=STEP, anchor="middle", bold=True)
        svg.line(left + 3, base + 6, right - 3, base + 6, stroke=STEP, width=1.4)
    columns = range(plane.columns)
    above = (
        ("k", [column * tile.atom.k for column in columns]),
        ("byte", [starts[0][column] - tile.start for column in columns]),
    )
    rows = [(row * tile.atom.mn, starts[row][0] - tile.start) for row in range(plane.rows)]
    for _ in ruled_rows(svg, above, "mn", rows, (plane.left, plane.top - HEAD), plane.wide, _TALL):
        pass  # the atoms have their own edges


def _fills(svg: Document, plane: _Plane, starts: list[list[int]], numbers: dict[int, int]) -> None:
    atom = plane.tile.atom
    for row in range(plane.rows):
        for column in range(plane.columns):
            start = starts[row][column]
            tip = f"atom at mn {row * atom.mn}, k {column * atom.k}: address 0x{start:05x}"
            x, y = plane.left + column * plane.wide, plane.top + row * _TALL
            fill = CHUNKS[numbers[start] % len(CHUNKS)]
            svg.rect(x, y, plane.wide, _TALL, fill=fill, tip=tip)
    right, bottom = plane.columns * plane.wide, plane.rows * _TALL
    for column in range(1, plane.columns):
        x = plane.left + column * plane.wide
        svg.line(x, plane.top, x, plane.top + bottom, stroke=INK, width=0.8)
    for row in range(1, plane.rows):
        y = plane.top + row * _TALL
        svg.line(plane.left, y, plane.left + right, y, stroke=INK, width=0.8)
    svg.rect(plane.left, plane.top, right, bottom, stroke=INK, stroke_width=1.4)


def _texts(svg: Document, plane: _Plane, starts: list[list[int]], numbers: dict[int, int]) -> None:
    """Write the atoms' numbers and offsets, clear of the edges of steps if possible."""
    tile = plane.tile
    longest = text_width(f"+{max(map(max, starts)) - tile.start} B", SMALL)
    for column in range(plane.columns):
        middle = _free(plane, column, longest + 6)
        for row in range(plane.rows):
            start = starts[row][column]
            y = plane.top + row * _TALL
            svg.text(middle, y + 16, f"#{numbers[start]}", size=_SIZE, fill=CHUNK_INK, anchor="middle", bold=True)
            svg.text(middle, y + 29, f"+{start - tile.start} B", size=SMALL, fill=CHUNK_SMALL, anchor="middle")


def _free(plane: _Plane, column: int, room: float) -> float:
    """Return the middle of the first part between step edges with ``room``; if none has it, the middle of the atom."""
    atom = plane.tile.atom
    first, last = column * atom.k, (column + 1) * atom.k
    edges = [first, *sorted({step.k for step in plane.tile.steps if first < step.k < last}), last]
    for begin, end in pairwise(edges):
        if plane.x(end) - plane.x(begin) >= room:
            return (plane.x(begin) + plane.x(end)) / 2
    return (plane.x(first) + plane.x(last)) / 2


def _outlines(svg: Document, plane: _Plane) -> None:
    """Draw the outlines of the MMA steps, the first one thick and last, over its neighbors."""
    tile = plane.tile
    for step in reversed(tile.steps):
        left, right = plane.x(step.k), plane.x(step.k + tile.mma.k)
        top, bottom = plane.y(step.mn), plane.y(step.mn + tile.mma.mn)
        if left < right and top < bottom:
            first = step is tile.steps[0]
            inset = 2.5
            svg.rect(
                left + inset,
                top + inset,
                right - left - 2 * inset,
                bottom - top - 2 * inset,
                stroke=STEP,
                stroke_width=2.4 if first else 1,
                radius=4,
                tip=f"MMA step at mn {step.mn}, k {step.k}: start 0x{step.start:05x}, 0x{step.value:016x}",
            )


def _groups(svg: Document, plane: _Plane, x: float) -> None:
    """Draw which steps are at which rows, if there are several along MN."""
    tile = plane.tile
    per_group = tile.shape.k // tile.mma.k
    for group in range(tile.shape.mn // tile.mma.mn):
        top, bottom = plane.y(group * tile.mma.mn), plane.y((group + 1) * tile.mma.mn)
        if top < bottom:
            first, last = group * per_group, (group + 1) * per_group - 1
            text = f"step {first}" if first == last else f"steps {first}–{last}"
            svg.line(x, top + 3, x, bottom - 3, stroke=STEP, width=1.4)
            svg.text(x + 8, (top + bottom) / 2 + 4, text, size=SMALL + 1, fill=STEP)


def _list(svg: Document, tile: Tile, y: float) -> float:
    """Write the descriptors of the first steps; return y below them."""
    columns = ((0, "MMA step"), (80, "mn"), (130, "k"), (180, "start"), (260, "descriptor"))
    for x, text in (*columns, *([(400, "K lies in")] if tile.absolute else [])):
        svg.text(MARGIN + x, y, text, size=11, fill=FAINT)
    for number, step in enumerate(tile.steps[:STEPS]):
        y += 17
        texts = (str(number), str(step.mn), str(step.k), f"0x{step.start:05x}", f"0x{step.value:016x}")
        for (x, name), text in zip(columns, texts, strict=True):
            bold = name == "descriptor"
            svg.text(MARGIN + x, y, text, size=11, fill=STEP if name == "MMA step" else INK, bold=bold)
        if tile.absolute:
            svg.text(MARGIN + 400, y, segments_text(tile.operand(step)), size=11)
    if len(tile.steps) > STEPS:
        y += 17
        svg.text(MARGIN, y, f"and {len(tile.steps) - STEPS} more steps", size=11, fill=FAINT)
    return y + 10


def _notes(tile: Tile) -> list[str]:
    """Return a note for LBO and SBO if one instruction does not use it."""
    mn, k = tile.mma
    reached = {term.name for term in tile.operand(tile.steps[0]).terms(mn - 1, k - 1) if term.times}
    if tile.absolute:
        return ["LBO: an address (LBO mode absolute), that of the next atom, in which the step continues"]
    return [f"{name}: has no effect inside one MMA" for name in ("LBO", "SBO") if name not in reached]
