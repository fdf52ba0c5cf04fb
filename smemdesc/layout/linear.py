"""One atom as a linear layout over bits: the bases, and both directions of the map that they span."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from smemdesc.errors import SmemdescError
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import Basis, from_bases, linear_bases
from smemdesc.shown import shown


class Point(NamedTuple):
    """An offset in elements and the (row, column) of the atom that lies there."""

    offset: int
    row: int
    column: int


@shown("linear:LinearView")
class LinearLayout:
    """The atom of a mode and a type. :class:`smemdesc.errors.SmemdescError` where it has no linear layout."""

    def __init__(self, swizzle: str, dtype: DType) -> None:
        self.swizzle = swizzle
        self.dtype = dtype
        self.bases: list[Basis] = linear_bases(swizzle, dtype)
        self.rows = _extent([basis.row for basis in self.bases])
        self.columns = _extent([basis.column for basis in self.bases])

    def __str__(self) -> str:
        return f"{self.swizzle} linear layout, {self.dtype.name}: {self.rows}x{self.columns}, {len(self.bases)} bases"

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The (row, column) of every offset."""
        return from_bases(self.bases)

    @cached_property
    def _offsets(self) -> dict[tuple[int, int], int]:
        return {place: offset for offset, place in enumerate(self.places)}

    def at_offset(self, offset: int) -> Point:
        """Return what lies at an offset, in elements. :class:`smemdesc.errors.SmemdescError` outside the atom."""
        if not 0 <= offset < len(self.places):
            raise SmemdescError(
                f"offset {offset} is outside the atom", hint=f"it holds the offsets 0..{len(self.places) - 1}"
            )
        return Point(offset, *self.places[offset])

    def at(self, row: int, column: int) -> Point:
        """Return where an element lies. :class:`smemdesc.errors.SmemdescError` outside the atom."""
        offset = self._offsets.get((row, column))
        if offset is None:
            raise SmemdescError(
                f"({row}, {column}) is outside the atom",
                hint=f"rows are 0..{self.rows - 1}, columns 0..{self.columns - 1}",
            )
        return Point(offset, row, column)


def _extent(parts: list[int]) -> int:
    """Return how far the XOR of some numbers reaches: all their bits, and one more."""
    reached = 0
    for part in parts:
        reached |= part
    return reached + 1
