"""The swizzle atom: its shape, where each 16-byte unit and element of it lies, and Triton's bases of the same map."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import UNIT, Operand

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


class Basis(NamedTuple):
    """Where one bit of the offset goes: offset ``2**i`` elements holds (row, column)."""

    offset: int
    row: int
    column: int


def linear_bases(swizzle: str, dtype: DType) -> list[Basis]:
    """Return the bases of the atom as a linear layout, offset in elements to (row, column), as Triton has them.

    Row counts lines of the strided dimension, column elements along the contiguous one: both major-nesses
    have the same bases. :class:`smemdesc.engine.errors.SmemdescError` for types in containers and for 128B_32B.
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


ALL = tuple((mode.name, major) for mode in MODES for major in ("K", "MN") if exists(mode.name, major))
"""Every mode and major-ness that has an atom."""
