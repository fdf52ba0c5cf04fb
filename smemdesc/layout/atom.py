"""The swizzle atom: its shape, and where each 16-byte unit and element of it lies."""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.engine.display import with_view
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import LINE, UNIT, Operand, byte_number

CHUNKS = LINE // UNIT
"""16-byte chunks of a 128-byte line of shared memory."""
SOURCE = "PTX ISA 9.1, Table 38; 9.3, Table 58; CUTLASS Layout_*_Atom_Bits"


class Shape(NamedTuple):
    """An atom's extent along MN and K."""

    mn: int
    k: int

    def __str__(self) -> str:
        return f"{self.mn}x{self.k}"


def exists(swizzle: str, major: str) -> bool:
    """Whether the mode has an atom for this major-ness (128B_32B has none for K-major)."""
    return not (swizzle == "128B_32B" and major == "K")


def shape_in_units(swizzle: str, major: str) -> Shape:
    """Return MN x K of the atom, the contiguous dimension in 16-byte units (Table 38).

    :class:`smemdesc.engine.errors.SmemdescError` for K-major 128B_32B, which has no atom.
    """
    if not exists(swizzle, major):
        raise SmemdescError(
            "there is no K-major atom of 128B_32B",
            hint="PTX ISA 9.3 Table 58 has none and CUTLASS rejects it; use 128B",
        )
    mode = MODE[swizzle]
    units = mode.width // UNIT
    return Shape(8, units) if major == "K" else Shape(units, mode.lines)


def shape(swizzle: str, major: str, dtype: DType) -> Shape:
    """Return MN x K of the atom in elements (a type in 8-bit containers counts its containers' elements)."""
    units = shape_in_units(swizzle, major)
    t = 128 // dtype.storage
    return Shape(units.mn, units.k * t) if major == "K" else Shape(units.mn * t, units.k)


def byte_size(swizzle: str, major: str) -> int:
    """Return the bytes of one atom."""
    units = shape_in_units(swizzle, major)
    return units.mn * units.k * UNIT


TF32_MN = (
    "no instruction reads this: MN-major tf32 exists under 128B_32B only (32x4, on tcgen05), and wgmma reads tf32 "
    "K-major only; the 32x8 for tf32 of the text and of Figure 165 only shows the shape (PTX ISA 9.3, Table 57)"
)
BASE32_TYPE = "no instruction reads this: 128B_32B is for 32-bit operands (PTX ISA 9.3, Table 57)"
PACKED_MN = "no instruction reads this: packed e2m1 is K-major only (PTX ISA 9.3, Table 57)"


def no_instruction(swizzle: str, major: str, dtype: DType) -> str:
    """Return why no instruction reads such an operand; empty where one does."""
    if major == "K":
        return ""
    if dtype.storage < 8:
        return PACKED_MN
    if (dtype.storage == 32) == (swizzle == "128B_32B"):
        return ""
    return TF32_MN if dtype.storage == 32 else BASE32_TYPE


class Place(NamedTuple):
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


@with_view("atom:AtomView", "atom:picture")
class Atom:
    """One atom at ``start`` (bytes; 0 is aligned to every pattern), for an element type."""

    def __init__(self, swizzle: str, major: str, dtype: DType, *, start: int = 0, base_offset: int = 0) -> None:
        self.swizzle = swizzle
        self.major = major
        self.dtype = dtype
        self.units = shape_in_units(swizzle, major)
        self.shape = shape(swizzle, major, dtype)
        self.start = start
        self.operand = Operand(swizzle, major, dtype, self.shape, start=start, base_offset=base_offset)

    def __str__(self) -> str:
        at = f" at 0x{self.start:05x}" if self.start else ""
        return f"{self.swizzle} atom, {self.major}-major, {self.dtype.name}: {self.shape} elements{at}"

    def places(self, *, elements: bool = False) -> list[list[Place]]:
        """Return where everything lies, MN down and K across: every 16-byte unit, or every element."""
        step_mn, step_k = 1, 1
        if not elements:
            step_mn, step_k = (1, self.operand.unit) if self.major == "K" else (self.operand.unit, 1)
        operand = self.operand
        return [
            [
                Place(mn, k, 8 * self.start + operand.linear(mn, k), operand.bit_address(mn, k))
                for k in range(0, self.shape.k, step_k)
            ]
            for mn in range(0, self.shape.mn, step_mn)
        ]

    def units_by_line(self, step: int) -> list[list[int | None]]:
        """Return the units of an MMA step as they lie, line by line and chunk by chunk; None where none of them
        does."""
        every = [each for row in self.places() for each in row]
        first, last = min(each.line for each in every), max(each.line for each in every)
        found: list[list[int | None]] = [[None] * CHUNKS for _ in range(first, last + 1)]
        for each in every:
            if self.in_step(each, step):
                found[each.line - first][each.chunk] = self.unit_number(each)
        return found

    def in_step(self, each: Place, step: int | None) -> bool:
        """Whether a unit belongs to this MMA step of a K-major atom (None: to any)."""
        return step is None or each.k // self.operand.unit // 2 == step

    def unit_number(self, each: Place) -> int:
        """Return ``2 * row + column`` of a unit in its MMA step."""
        return 2 * each.mn + each.k // self.operand.unit % 2

    def check_step(self, step: int, *, elements: bool) -> None:
        """Refuse an MMA step that the atom does not have. :class:`smemdesc.engine.errors.SmemdescError`."""
        if elements:
            raise SmemdescError("an MMA step is marked in 16-byte units, not in elements", hint="leave out --elements")
        if self.major != "K":
            raise SmemdescError(
                "an MN-major atom has no MMA steps inside along K", hint="one step reads whole atoms; use --major K"
            )
        steps = self.units.k // 2
        if not steps:
            raise SmemdescError("without swizzle the two units of an MMA lie in two atoms", hint="use 32B, 64B or 128B")
        if not 0 <= step < steps:
            raise SmemdescError(f"step {step} is outside the atom", hint=f"an atom of {self.swizzle} holds {steps}")

    def to_dict(self, *, elements: bool = False, step: int | None = None) -> dict[str, Any]:
        """Return the object for JSON: the address (bytes) of each unit or element, and what lies in each line."""
        places = self.places(elements=elements)
        out: dict[str, Any] = {
            "swizzle": self.swizzle,
            "major": self.major,
            "dtype": self.dtype.name,
            "shape": list(self.shape),
            "units": list(self.units),
            "bytes": byte_size(self.swizzle, self.major),
            "function": str(self.operand.swizzle),
            "start": self.start,
            "base_offset": self.operand.base_offset,
            "of": "elements" if elements else "units",
            "addresses": [[byte_number(each.after) for each in row] for row in places],
            "lines": _lines(places),
            "note": no_instruction(self.swizzle, self.major, self.dtype),
        }
        if step is not None:
            rows = self.units_by_line(step)
            order = [[unit for unit in row if unit is not None] for row in rows]
            out["mma"] = {"step": step, "lines": rows, "order": order}
        return out


def _lines(places: list[list[Place]]) -> list[dict[str, Any]]:
    """Return each line of shared memory with the coordinates in it, in the order of their addresses."""
    by_line: dict[int, list[Place]] = {}
    for each in sorted((each for row in places for each in row), key=lambda each: each.after):
        by_line.setdefault(each.line, []).append(each)
    return [
        {"address": line * LINE, "holds": [[each.mn, each.k, each.chunk] for each in here]}
        for line, here in by_line.items()
    ]


ALL = tuple((mode.name, major) for mode in MODES for major in ("K", "MN") if exists(mode.name, major))
"""Every mode and major-ness that has an atom."""
