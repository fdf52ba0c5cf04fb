"""The swizzle atom as grids, in text and as a picture: logical to physical, and physical to logical."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.layout.atom import ATOM_SOURCE, CHUNKS, Atom, AtomPlace, atom_bytes, no_instruction
from smemdesc.layout.forms import Atoms
from smemdesc.layout.operand import LINE, UNIT, bank
from smemdesc.render.cells import EMPTY_CELL, Cell, Grid
from smemdesc.render.diagnostics import noted
from smemdesc.render.parts import StyledText, as_view, beside, fitted, labeled, line, table
from smemdesc.render.svg import INK, Chart, Paragraph, chunk_key, draw, heading, notes

DIRECTIONS = ("to-physical", "to-logical")
ATOM_FIGURES = {
    ("128B", "MN"): 156,
    ("128B", "K"): 157,
    ("64B", "MN"): 158,
    ("64B", "K"): 159,
    ("32B", "MN"): 160,
    ("32B", "K"): 161,
    ("none", "MN"): 162,
    ("none", "K"): 163,
}
"""Figures of the atoms in PTX ISA 9.1, in 16-byte units."""
TF32_FIGURES = {("128B", "K"): 164, ("128B", "MN"): 165}
"""The same in tf32 elements."""


class Captioned(NamedTuple):
    """A grid with captions for its cells, rulers and colors."""

    caption: str
    ruler: str
    legend: str
    grid: Grid


def title(atom: Atom) -> str:
    """Return the title of the atom: mode, major-ness, type, size and swizzle."""
    return (
        f"{atom.swizzle}, {atom.major}-major, {atom.dtype.name}: atom of {_times(atom.shape)} elements, "
        f"{_times(atom.units)} units of 16 B, {atom_bytes(atom.swizzle, atom.major)} B, {atom.operand.swizzle}"
    )


def _times(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"


def drawing_source(atom: Atom) -> str:
    """Return the source of the drawing."""
    figure = ATOM_FIGURES.get((atom.swizzle, atom.major))
    if atom.elements and atom.dtype.name == "tf32":
        figure = TF32_FIGURES.get((atom.swizzle, atom.major), figure)
    if not atom.operand.mode.ptx:
        return f"the width and the swizzle of {atom.swizzle}; no figure of PTX is known"
    return ATOM_SOURCE + (f"; PTX ISA 9.1, Figure {figure}" if figure else "")


def to_physical(atom: Atom) -> Captioned:
    """Return the grid of (mn, k) with the place of each unit, as line:chunk; for elements, their byte offset."""
    rows, elements = atom.places(), atom.elements
    what = "element" if elements else "16-byte unit"
    place = f"offset in {'elements' if atom.operand.packed else 'bytes'}" if elements else "line:chunk"
    only = "" if atom.step is None else f"; only MMA step {atom.step}"
    return Captioned(
        caption=f"logical to physical; each cell: {place} where the {what} (mn, k) is stored{only}",
        ruler="unswizzled offset = row header + column header",
        legend="color: the 16-byte chunk of its 128-byte line",
        grid=Grid(
            above=("k", "byte"),
            left=("mn", ""),
            columns=[(str(place.k), _bytes(place.before - 8 * atom.start)) for place in rows[0]],
            rows=[(str(row[0].mn), _bytes(row[0].before - 8 * atom.start)) for row in rows],
            cells=[[_cell_of(atom, place) if atom.in_step(place) else EMPTY_CELL for place in row] for row in rows],
            group=atom.operand.unit if elements and atom.major == "K" else 1,
        ),
    )


def _cell_of(atom: Atom, place: AtomPlace) -> Cell:
    if not atom.elements:
        return Cell(f"{place.line}:{place.chunk}", place.chunk, _unit_move(atom, place), _tip(place))
    bits = place.after - 8 * atom.start
    text = str(bits // atom.dtype.bits) if atom.operand.packed else _bytes(bits)
    return Cell(text, place.chunk, tip=_tip(place))


def _unit_move(atom: Atom, place: AtomPlace) -> str:
    """Return the numbers of a unit before and after the swizzle."""
    before, after = (bit // 8 - atom.start for bit in (place.before, place.after))
    return f"{before // UNIT}→{after // UNIT}"


def _tip(place: AtomPlace) -> str:
    """Return the address of a unit or an element, with the swizzle's part in it."""
    before, after = place.before // 8, place.after // 8
    bits = f" bit {place.after % 8}" if place.after % 8 else ""
    change = f" XOR 0x{before ^ after:02x} = {after} B" if before != after else ": the swizzle does not move it"
    where = f"line {place.line}, chunk {place.chunk}, bank {bank(after)}"
    return f"mn {place.mn}, k {place.k}: {before} B{change}{bits}; {where}"


def to_logical(atom: Atom) -> Captioned:
    """Return the 128-byte lines of shared memory, each chunk (or slot of an element) with the (mn, k) there.

    The units of one MMA step are shown as their number 2 * row + column.
    """
    elements, step = atom.elements, atom.step
    places = [place for row in atom.places() for place in row]
    first = min(place.line for place in places)
    last = max(place.line for place in places)
    per_chunk = atom.operand.unit if elements else 1
    cells = [[EMPTY_CELL] * (CHUNKS * per_chunk) for _ in range(first, last + 1)]
    for place in places:
        if atom.in_step(place):
            slot = place.chunk * per_chunk + (place.after % (8 * UNIT) // atom.dtype.bits if elements else 0)
            text = f"{place.mn},{place.k}" if step is None else str(atom.unit_number(place))
            move = "" if elements else _unit_move(atom, place)
            cells[place.line - first][slot] = Cell(text, place.home, move, _tip(place))
    what = "the element" if elements else "the first element of the 16-byte unit"
    cell = f"(mn,k) of {what}" if step is None else f"number 2 * row + column in MMA step {step} of the 16-byte unit"
    return Captioned(
        caption=f"physical to logical; each cell: {cell} stored there",
        ruler="address = line header + column header",
        legend="color: its 16-byte chunk without the swizzle",
        grid=Grid(
            above=("chunk", "byte"),
            left=("line", ""),
            columns=[
                (str(slot // per_chunk), _bytes(slot // per_chunk * 8 * UNIT + slot % per_chunk * atom.dtype.bits))
                for slot in range(CHUNKS * per_chunk)
            ],
            rows=[(str(line), str(line * LINE)) for line in range(first, last + 1)],
            cells=cells,
            group=per_chunk,
        ),
    )


def _bytes(bits: int) -> str:
    return f"{bits / 8:g}" if bits % 8 else str(bits // 8)


def grids(atom: Atom, directions: tuple[str, ...]) -> list[Captioned]:
    """Return the grids of the requested directions; by default both, for an MMA step only the one that shows it."""
    directions = directions or (DIRECTIONS if atom.step is None else DIRECTIONS[1:])
    grid_of = {"to-physical": to_physical, "to-logical": to_logical}
    return [grid_of[direction](atom) for direction in directions]


@fitted
def atom_view(
    console: Console, options: ConsoleOptions, atom: Atom, directions: tuple[str, ...] = ()
) -> Iterator[RenderableType]:
    """An atom: its title, the grids of ``directions`` (default: see :func:`grids`), the sources."""
    yield Text(title(atom), "heading")
    if atom.start or atom.operand.base_offset:
        yield beside("  ", f"start {atom.start} B = 0x{atom.start:05x}, base offset {atom.operand.base_offset}")
    for grid in grids(atom, directions):
        yield Text()
        yield Text(grid.caption, "heading")
        yield beside("  ", (grid.ruler, "faint"))
        if console.color_system:
            yield beside("  ", (grid.legend, "faint"))
        yield grid.grid
    yield Text()
    if atom.step is not None:
        lines = (" ".join(str(unit) for unit in row if unit is not None) for row in atom.units_by_line())
        yield labeled("units line by line", " | ".join(lines), indent=0)
    if not atom.operand.packed and atom.elements:
        text = f"{atom.operand.unit} elements of {atom.dtype.bits} bits in each 16 B; the rest is padding"
        yield labeled("containers", text, indent=0)
    why = no_instruction(atom.swizzle, atom.major, atom.dtype)
    if why:
        yield noted(why)
    yield labeled("source", (drawing_source(atom), "faint"), indent=0)


MODE_HEADS = ("mode", "major", "atom", "elements", "bytes", "swizzle", "period", "wgmma", "tcgen05", "TMA", "")


@as_view
def modes_view(atoms: Atoms) -> Iterator[RenderableType]:
    """A row for each mode and major-ness, with its atom."""
    yield line(("Swizzle modes", "heading"), ", atoms MN x K in 16-byte units and in elements")
    rows: list[list[StyledText | Text]] = []
    for row in atoms.rows():
        codes = row["codes"]
        rows.append(
            [
                (row["swizzle"], "value"),
                row["major"],
                "x".join(map(str, row["units"])),
                ("x".join(map(str, row["elements"])) + f" {row['dtype']}", "value"),
                f"{row['bytes']} B",
                row["function"],
                f"{row['period']} B" if row["swizzle"] != "none" else "-",
                *("-" if code is None else str(code) for code in (codes["wgmma"], codes["tcgen05"], codes["tma"])),
                (row["unread"], "faint"),
            ]
        )
    yield table(rows, MODE_HEADS)
    yield Text("  to draw one: smemdesc layout atom --swizzle 128B --major K", "faint")
    yield labeled("source", (ATOM_SOURCE, "faint"), indent=0)


_ACROSS = 32
"""The most cells side by side; further columns come below."""
_WITH_UNITS = 62
"""The least width of a cell with two lines, in a picture of few columns."""
SMALL_PRINT = "small: the number of the 16-byte unit, before → after the swizzle"


def picture(atom: Atom, directions: tuple[str, ...] = ()) -> str:
    """Return the SVG of :func:`atom_view`."""
    name = f"{atom.swizzle} swizzle, {atom.major}-major, {atom.operand.swizzle}"
    details = (
        f"{atom.dtype.name}: atom of {atom.shape.mn} × {atom.shape.k} elements = {atom.units.mn} × {atom.units.k} "
        f"units of {UNIT} B = {atom.units.mn * atom.units.k * UNIT} B"
    )
    if atom.start or atom.operand.base_offset:
        details += f", start {atom.start} B, base offset {atom.operand.base_offset}"
    blocks = heading(name, details)
    for captioned in grids(atom, directions):
        blocks.append(Paragraph([captioned.caption], 12, INK, bold=True, space=16))
        blocks.append(Paragraph([captioned.ruler, *([] if atom.elements else [SMALL_PRINT])]))
        blocks.append(chunk_key(captioned.legend))
        grid = captioned.grid
        chart = Chart(grid).sized(0 if atom.elements or len(grid.columns) > CHUNKS else _WITH_UNITS)
        blocks += chart.parts(len(grid.rows), grid.fitting(_ACROSS))
    why = no_instruction(atom.swizzle, atom.major, atom.dtype)
    blocks.append(notes(*filter(None, [why]), drawing_source(atom)))
    return draw(name, details, blocks)
