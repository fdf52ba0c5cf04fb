"""The swizzle atom as grids: where each place goes, and what lies at each place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.layout.atom import SOURCE, Atom, byte_size
from smemdesc.layout.forms import remark
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.layout.placed import CHUNKS, Placed, by_line, in_step, number, placed
from smemdesc.render.cells import EMPTY, Cell, Grid
from smemdesc.render.diagnostics import noted
from smemdesc.render.parts import beside, labelled

DIRECTIONS = ("to-physical", "to-logical")
FIGURES = {
    ("128B", "MN"): 156,
    ("128B", "K"): 157,
    ("64B", "MN"): 158,
    ("64B", "K"): 159,
    ("32B", "MN"): 160,
    ("32B", "K"): 161,
    ("none", "MN"): 162,
    ("none", "K"): 163,
}
"""PTX ISA 9.1's pictures of the atoms, in 16-byte units."""
TF32_FIGURES = {("128B", "K"): 164, ("128B", "MN"): 165}
"""The same in tf32 elements."""


class Captioned(NamedTuple):
    """A grid with what its cells, its rulers and its colours say."""

    caption: str
    ruler: str
    legend: str
    grid: Grid


def title(atom: Atom) -> str:
    """Return what the atom is: mode, major-ness, type, size and swizzle."""
    return (
        f"{atom.swizzle}, {atom.major}-major, {atom.dtype.name}: atom of {_times(atom.shape)} elements, "
        f"{_times(atom.units)} units of 16 B, {byte_size(atom.swizzle, atom.major)} B, {atom.operand.swizzle}"
    )


def _times(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"


def source(atom: Atom, *, elements: bool) -> str:
    """Return where the atom is drawn."""
    figure = FIGURES.get((atom.swizzle, atom.major))
    if elements and atom.dtype.name == "tf32":
        figure = TF32_FIGURES.get((atom.swizzle, atom.major), figure)
    return SOURCE + (f"; PTX ISA 9.1, Figure {figure}" if figure else "")


def to_physical(atom: Atom, *, elements: bool = False, step: int | None = None) -> Captioned:
    """Return the grid of (mn, k) that says where each unit lies, as line:chunk; of elements, their offset.

    ``step``: only the units of this MMA.
    """
    found = placed(atom, elements=elements)
    what = "element" if elements else "unit"
    where = f"at this offset from the start, in {_offsets(atom)}" if elements else "in line:chunk (128 B, 16 B)"
    asked = "" if step is None else f"; only MMA step {step}"
    return Captioned(
        caption=f"logical to physical: {what} (mn, k) lies {where}{asked}",
        ruler="unswizzled offset = row header + column header",
        legend="color: the 16-byte chunk of the 128-byte line that it lies in",
        grid=Grid(
            above=("k", "byte"),
            left=("mn", ""),
            columns=[(str(each.k), _bytes(each.before - 8 * atom.start)) for each in found[0]],
            rows=[(str(row[0].mn), _bytes(row[0].before - 8 * atom.start)) for row in found],
            cells=[
                [_here(atom, each, elements) if in_step(atom, each, step) else EMPTY for each in row] for row in found
            ],
            group=atom.operand.unit if elements and atom.major == "K" else 1,
        ),
    )


def _here(atom: Atom, each: Placed, elements: bool) -> Cell:
    if not elements:
        return Cell(f"{each.line}:{each.chunk}", each.chunk, _moved(atom, each), _said(each))
    bits = each.after - 8 * atom.start
    text = str(bits // atom.dtype.bits) if atom.operand.packed else _bytes(bits)
    return Cell(text, each.chunk, f"{each.line}:{each.chunk}", _said(each))


def _offsets(atom: Atom) -> str:
    return "elements" if atom.operand.packed else "bytes"


def _moved(atom: Atom, each: Placed) -> str:
    """Return the numbers of a unit before and after the swizzle."""
    one, other = (bit // 8 - atom.start for bit in (each.before, each.after))
    return f"{one // UNIT}→{other // UNIT}"


def _said(each: Placed) -> str:
    """Return the address of a unit or an element, with the swizzle's part in it."""
    before, after = each.before // 8, each.after // 8
    bits = f" bit {each.after % 8}" if each.after % 8 else ""
    change = f" XOR 0x{before ^ after:02x} = {after} B" if before != after else ": the swizzle leaves it there"
    return f"mn {each.mn}, k {each.k}: {before} B{change}{bits}; line {each.line}, chunk {each.chunk}"


def to_logical(atom: Atom, *, elements: bool = False, step: int | None = None) -> Captioned:
    """Return the 128-byte lines of shared memory, each chunk (or slot of an element) with the (mn, k) there.

    ``step``: only the units of this MMA of a K-major atom, by their number 2 * row + column.
    """
    everything = [each for row in placed(atom, elements=elements) for each in row]
    first = min(each.line for each in everything)
    last = max(each.line for each in everything)
    per_chunk = atom.operand.unit if elements else 1
    cells = [[EMPTY] * (CHUNKS * per_chunk) for _ in range(first, last + 1)]
    for each in everything:
        if in_step(atom, each, step):
            slot = each.chunk * per_chunk + (each.after % (8 * UNIT) // atom.dtype.bits if elements else 0)
            text = f"{each.mn},{each.k}" if step is None else str(number(atom, each))
            cells[each.line - first][slot] = Cell(text, each.home, _moved(atom, each), _said(each))
    what = "element" if elements else "16-byte unit"
    names = "its first element (mn,k)" if step is None else f"its number 2 * row + column in MMA step {step}"
    return Captioned(
        caption=f"physical to logical: the {what} that lies here, by {'(mn,k)' if elements else names}",
        ruler="address = line header + column header",
        legend="color: the 16-byte chunk that it would lie in without the swizzle",
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


def grids(atom: Atom, *, elements: bool, directions: tuple[str, ...], step: int | None) -> list[Captioned]:
    """Return the grids of the directions that are asked for."""
    made = {"to-physical": to_physical, "to-logical": to_logical}
    return [made[direction](atom, elements=elements, step=step) for direction in directions]


class AtomView(NamedTuple):
    """An atom: its title, the grids of ``directions``, the sources; ``step``: the units of this MMA alone."""

    atom: Atom
    elements: bool = False
    directions: tuple[str, ...] = DIRECTIONS
    step: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        atom, elements, step = self.atom, self.elements, self.step
        yield Text(title(atom), "heading")
        if atom.start or atom.operand.base_offset:
            yield beside("  ", f"start {atom.start} B = 0x{atom.start:05x}, base offset {atom.operand.base_offset}")
        for each in grids(atom, elements=elements, directions=self.directions, step=step):
            yield Text()
            yield Text(each.caption, "heading")
            yield beside("  ", (each.ruler, "faint"))
            if console.color_system:
                yield beside("  ", (each.legend, "faint"))
            yield each.grid
        yield Text()
        if step is not None:
            yield labelled("units line by line", _compact(by_line(atom, step)), indent=0)
        if not atom.operand.packed and elements:
            text = f"{atom.operand.unit} elements of {atom.dtype.bits} bits in each 16 B; the rest of it is padding"
            yield labelled("containers", text, indent=0)
        said = remark(atom.swizzle, atom.major, atom.dtype)
        if said:
            yield noted(said)
        yield labelled("source", (source(atom, elements=elements), "faint"), indent=0)


def _compact(rows: list[list[int | None]]) -> str:
    return " | ".join(" ".join(str(unit) for unit in row if unit is not None) for row in rows)
