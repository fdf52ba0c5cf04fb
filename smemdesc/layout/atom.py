"""The swizzle atom: its shape, where each 16-byte unit and element of it lies, and Triton's bases of the same map."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from smemdesc.errors import SmemdescError
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import LINE, UNIT, Operand
from smemdesc.shown import shown

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

    :class:`smemdesc.errors.SmemdescError` for K-major 128B_32B, which has no atom.
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


@shown("atom:AtomView", "atom_svg:picture")
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

    @property
    def rows(self) -> int:
        """Lines of the strided dimension: rows for K-major, k for MN-major."""
        return self.units.mn if self.major == "K" else self.units.k

    @property
    def columns(self) -> int:
        """16-byte units along the contiguous dimension."""
        return self.units.k if self.major == "K" else self.units.mn

    def unit_address(self, row: int, column: int) -> int:
        """Return the byte address of the 16-byte unit (row, column) after the swizzle."""
        t = 128 // self.dtype.storage
        return self.operand.address(row, column * t) if self.major == "K" else self.operand.address(column * t, row)

    @cached_property
    def physical(self) -> list[list[int]]:
        """For each row the physical unit number (address / 16, from the start) of each column."""
        return [
            [(self.unit_address(row, column) - self.start) // UNIT for column in range(self.columns)]
            for row in range(self.rows)
        ]

    @cached_property
    def logical(self) -> dict[int, tuple[int, int]]:
        """The (row, column) that lies at each physical unit."""
        return {unit: (row, column) for row, line in enumerate(self.physical) for column, unit in enumerate(line)}

    def lines(self) -> list[list[tuple[int, int] | None]]:
        """Return the 128-byte lines of shared memory, 8 chunks each, with the (row, column) that lies there."""
        per_line = LINE // UNIT
        into = self.start % LINE // UNIT  # the first line may begin before the atom does
        count = -(-(max(self.logical) + 1 + into) // per_line)
        return [
            [self.logical.get(line * per_line + chunk - into) for chunk in range(per_line)] for line in range(count)
        ]


class Basis(NamedTuple):
    """Where one bit of the offset goes: offset ``2**i`` elements holds (row, column)."""

    offset: int
    row: int
    column: int


def linear_bases(swizzle: str, dtype: DType) -> list[Basis]:
    """Return the bases of the atom as a linear layout, offset in elements to (row, column), as Triton has them.

    Row counts lines of the strided dimension, column elements along the contiguous one: both major-nesses
    have the same bases. :class:`smemdesc.errors.SmemdescError` for types in containers and for 128B_32B.
    """
    atom = _of_bases(swizzle, dtype)
    return [Basis(offset, *atom[offset]) for offset in _powers(len(atom))]


def from_bases(bases: list[Basis]) -> list[tuple[int, int]]:
    """Return (row, column) for every offset: the XOR of the bases of its set bits."""
    out = [(0, 0)]
    for basis in sorted(bases):
        out += [(row ^ basis.row, column ^ basis.column) for row, column in out]
    return out


def _powers(limit: int) -> list[int]:
    return [2**i for i in range(limit.bit_length() - 1)]


def _of_bases(swizzle: str, dtype: DType) -> list[tuple[int, int]]:
    if dtype.bits != dtype.storage:
        raise SmemdescError(
            f"{dtype.name} in 8-bit containers has no linear layout of its own", hint="use an 8-bit type"
        )
    if swizzle == "128B_32B":
        raise SmemdescError("Triton has no linear layout of 128B_32B", hint="use none, 32B, 64B or 128B")
    atom = Atom(swizzle, "K", dtype)
    found: dict[int, tuple[int, int]] = {}
    for row, line in enumerate(atom.operand.grid):
        for column, bit in enumerate(line):
            found[bit // dtype.bits] = (row, column)
    return [found[offset] for offset in range(len(found))]


def mma_units(swizzle: str, step: int = 0) -> list[list[int | None]]:
    """Return the physical lines of a K-major atom, each chunk with the unit ``2*row + column`` of one MMA, or None.

    ``step`` is the MMA's number along K inside the atom (32 bytes each).
    """
    from smemdesc.kinds.types import dtype_of

    atom = Atom(swizzle, "K", dtype_of("f16"))
    if atom.columns < 2:
        raise SmemdescError("without swizzle the two units of an MMA lie in two atoms", hint="use 32B, 64B or 128B")
    first = 2 * step
    if not 0 <= first < atom.columns:
        raise SmemdescError(f"step {step} is outside the atom", hint=f"an atom of {swizzle} holds {atom.columns // 2}")
    return [
        [2 * cell[0] + cell[1] - first if cell is not None and first <= cell[1] < first + 2 else None for cell in line]
        for line in atom.lines()
    ]


ALL = tuple((mode.name, major) for mode in MODES for major in ("K", "MN") if exists(mode.name, major))
"""Every mode and major-ness that has an atom."""
