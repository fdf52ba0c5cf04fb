"""The swizzle atom as grids, as lines and as JSON: where each place goes, and what lies at each place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from smemdesc.errors import SmemdescError
from smemdesc.layout.atom import SOURCE, Atom, byte_size, mma_units
from smemdesc.layout.forms import remark
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.render.grid import EMPTY, Cell, Grid, grid_lines
from smemdesc.render.lines import Line, indented

CHUNKS = LINE // UNIT
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


class Placed(NamedTuple):
    """One unit or element: its coordinate in elements, and its bit address before and after the swizzle."""

    mn: int
    k: int
    before: int
    after: int

    @property
    def line(self) -> int:
        """The 128-byte line of shared memory that it lies in."""
        return self.after // (8 * LINE)

    @property
    def chunk(self) -> int:
        """The 16-byte chunk of that line."""
        return _chunk(self.after)

    @property
    def home(self) -> int:
        """The chunk that it would lie in without the swizzle."""
        return _chunk(self.before)


def _chunk(bit: int) -> int:
    return bit // 8 % LINE // UNIT


def placed(atom: Atom, *, elements: bool) -> list[list[Placed]]:
    """Return the places of an atom, MN down and K across: every 16-byte unit, or every element."""
    step_mn, step_k = _steps(atom, elements)
    operand = atom.operand
    return [
        [
            Placed(mn, k, 8 * atom.start + operand.linear(mn, k), operand.bit_address(mn, k))
            for k in range(0, atom.shape.k, step_k)
        ]
        for mn in range(0, atom.shape.mn, step_mn)
    ]


def _steps(atom: Atom, elements: bool) -> tuple[int, int]:
    if elements:
        return 1, 1
    return (1, atom.operand.unit) if atom.major == "K" else (atom.operand.unit, 1)


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


def to_physical(atom: Atom, *, elements: bool = False, step: int | None = None) -> Grid:
    """Return the grid of (mn, k) that says where each unit lies, as line:chunk; of elements, their offset.

    ``step``: only the units of this MMA.
    """
    found = placed(atom, elements=elements)
    what = "element" if elements else "unit"
    where = f"at this offset from the start, in {_offsets(atom)}" if elements else "in line:chunk (128 B, 16 B)"
    asked = "" if step is None else f"; only MMA step {step}"
    return Grid(
        caption=f"logical to physical: {what} (mn, k) lies {where}{asked}",
        ruler="bytes of the rulers: the offset before the swizzle is the row's plus the column's",
        legend="colour: the 16-byte chunk of the 128-byte line that it lies in",
        above=("k", "byte"),
        left=("mn", ""),
        columns=[(str(each.k), _bytes(each.before - 8 * atom.start)) for each in found[0]],
        rows=[(str(row[0].mn), _bytes(row[0].before - 8 * atom.start)) for row in found],
        cells=[[_here(atom, each, elements) if _asked(atom, each, step) else EMPTY for each in row] for row in found],
        group=atom.operand.unit if elements and atom.major == "K" else 1,
    )


def _here(atom: Atom, each: Placed, elements: bool) -> Cell:
    if not elements:
        return Cell(f"{each.line}:{each.chunk}", each.chunk, _moved(atom, each))
    bits = each.after - 8 * atom.start
    text = str(bits // atom.dtype.bits) if atom.operand.packed else _bytes(bits)
    return Cell(text, each.chunk, f"{each.line}:{each.chunk}")


def _offsets(atom: Atom) -> str:
    return "elements" if atom.operand.packed else "bytes"


def _moved(atom: Atom, each: Placed) -> str:
    """Return the numbers of a unit before and after the swizzle."""
    one, other = (bit // 8 - atom.start for bit in (each.before, each.after))
    return f"{one // UNIT}→{other // UNIT}"


def to_logical(atom: Atom, *, elements: bool = False, step: int | None = None) -> Grid:
    """Return the 128-byte lines of shared memory, each chunk (or slot of an element) with the (mn, k) there.

    ``step``: only the units of this MMA of a K-major atom, by their number 2 * row + column.
    """
    everything = [each for row in placed(atom, elements=elements) for each in row]
    first = min(each.line for each in everything)
    last = max(each.line for each in everything)
    per_chunk = atom.operand.unit if elements else 1
    cells = [[EMPTY] * (CHUNKS * per_chunk) for _ in range(first, last + 1)]
    for each in everything:
        if _asked(atom, each, step):
            slot = each.chunk * per_chunk + (each.after % (8 * UNIT) // atom.dtype.bits if elements else 0)
            text = f"{each.mn},{each.k}" if step is None else str(_number(atom, each))
            cells[each.line - first][slot] = Cell(text, each.home, _moved(atom, each))
    what = "element" if elements else "16-byte unit"
    names = "its first element (mn,k)" if step is None else f"its number 2 * row + column in MMA step {step}"
    return Grid(
        caption=f"physical to logical: the {what} that lies here, by {'(mn,k)' if elements else names}",
        ruler="bytes of the rulers: the address is the line's plus the column's",
        legend="colour: the 16-byte chunk that it would lie in without the swizzle",
        above=("chunk", "byte"),
        left=("line", ""),
        columns=[
            (str(slot // per_chunk), _bytes(slot // per_chunk * 8 * UNIT + slot % per_chunk * atom.dtype.bits))
            for slot in range(CHUNKS * per_chunk)
        ],
        rows=[(str(line), str(line * LINE)) for line in range(first, last + 1)],
        cells=cells,
        group=per_chunk,
    )


def _asked(atom: Atom, each: Placed, step: int | None) -> bool:
    return step is None or each.k // atom.operand.unit // 2 == step


def _number(atom: Atom, each: Placed) -> int:
    return 2 * each.mn + each.k // atom.operand.unit % 2


def _bytes(bits: int) -> str:
    return f"{bits / 8:g}" if bits % 8 else str(bits // 8)


def check(atom: Atom, *, elements: bool, step: int | None) -> None:
    """Refuse an MMA step that the atom does not have. :class:`smemdesc.errors.SmemdescError`."""
    if step is None:
        return
    if elements:
        raise SmemdescError("an MMA step is marked in 16-byte units, not in elements", hint="leave out --elements")
    if atom.major != "K":
        raise SmemdescError(
            "an MN-major atom has no MMA steps inside along K", hint="one step reads whole atoms; use --major K"
        )
    mma_units(atom.swizzle, step)


def order(atom: Atom, step: int) -> list[list[int]]:
    """Return the units of an MMA step line by line as they lie, without the chunks that hold none."""
    rows = to_logical(atom, step=step).cells
    return [[int(cell.text) for cell in row if cell.chunk is not None] for row in rows]


def grids(atom: Atom, *, elements: bool, directions: tuple[str, ...], step: int | None) -> list[Grid]:
    """Return the grids of the directions that are asked for."""
    made = {"to-physical": to_physical, "to-logical": to_logical}
    return [made[direction](atom, elements=elements, step=step) for direction in directions]


def atom_lines(
    atom: Atom,
    *,
    elements: bool,
    directions: tuple[str, ...],
    step: int | None,
    width: int | None,
    colour: bool = False,
) -> Iterator[Line]:
    """Yield the atom: its title, the grids of ``directions`` (to-physical, to-logical), the sources."""
    yield from indented([], title(atom), "heading", width)
    if atom.start or atom.operand.base_offset:
        text = f"start {atom.start} B = 0x{atom.start:05x}, base offset {atom.operand.base_offset}"
        yield from indented([("  ", "")], text, "", width)
    for grid in grids(atom, elements=elements, directions=directions, step=step):
        yield []
        yield from indented([], grid.caption, "heading", width)
        yield from indented([("  ", "")], grid.ruler, "dim", width)
        if colour:
            yield from indented([("  ", "")], grid.legend, "dim", width)
        yield from grid_lines(grid, width)
    yield []
    if step is not None:
        yield from indented([("units line by line: ", "dim")], _compact(order(atom, step)), "", width)
    if not atom.operand.packed and elements:
        text = f"{atom.operand.unit} elements of {atom.dtype.bits} bits in each 16 B; the rest of it is padding"
        yield from indented([("containers: ", "dim")], text, "", width)
    said = remark(atom.swizzle, atom.major, atom.dtype)
    if said:
        yield from indented([("note", "note"), (": ", "")], said, "", width)
    yield from indented([("source: ", "dim")], source(atom, elements=elements), "dim", width)


def _compact(rows: list[list[int]]) -> str:
    return " | ".join(" ".join(map(str, row)) for row in rows)


def atom_dict(atom: Atom, *, elements: bool, step: int | None) -> dict[str, Any]:
    """Return the object of an atom: addresses (bytes) of each unit or element, and what lies in each line."""
    found = placed(atom, elements=elements)
    out: dict[str, Any] = {
        "swizzle": atom.swizzle,
        "major": atom.major,
        "dtype": atom.dtype.name,
        "shape": list(atom.shape),
        "units": list(atom.units),
        "bytes": byte_size(atom.swizzle, atom.major),
        "function": str(atom.operand.swizzle),
        "start": atom.start,
        "base_offset": atom.operand.base_offset,
        "of": "elements" if elements else "units",
        "addresses": [[_byte(each.after) for each in row] for row in found],
        "lines": _lines(found),
        "note": remark(atom.swizzle, atom.major, atom.dtype),
    }
    if step is not None:
        rows = to_logical(atom, step=step)
        out["mma"] = {
            "step": step,
            "lines": [[None if cell.chunk is None else int(cell.text) for cell in row] for row in rows.cells],
            "order": order(atom, step),
        }
    return out


def _lines(found: list[list[Placed]]) -> list[dict[str, Any]]:
    """Each line of shared memory with the coordinates in it, in the order of their addresses."""
    by_line: dict[int, list[Placed]] = {}
    for row in found:
        for each in row:
            by_line.setdefault(each.line, []).append(each)
    return [
        {"address": line * LINE, "holds": [[each.mn, each.k, each.chunk] for each in sorted(here, key=_after)]}
        for line, here in sorted(by_line.items())
    ]


def _after(each: Placed) -> int:
    return each.after


def _byte(bit: int) -> int | float:
    return bit / 8 if bit % 8 else bit // 8
