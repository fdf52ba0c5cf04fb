"""One atom as a linear layout over bits: the bases, and both directions of the map that they span."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from smemdesc.engine.display import with_view
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import Basis, from_bases, linear_bases

if TYPE_CHECKING:
    from smemdesc.tiles.triton import Encoding


class Point(NamedTuple):
    """An offset in elements and the (row, column) of the atom that lies there."""

    offset: int
    row: int
    column: int


@with_view("linear:LinearView")
class LinearLayout:
    """The atom of a mode and a type. :class:`smemdesc.engine.errors.SmemdescError` where it has no linear layout."""

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
        """Return what lies at an offset, in elements. :class:`smemdesc.engine.errors.SmemdescError` outside the
        atom."""
        if not 0 <= offset < len(self.places):
            raise SmemdescError(
                f"offset {offset} is outside the atom", hint=f"it holds the offsets 0..{len(self.places) - 1}"
            )
        return Point(offset, *self.places[offset])

    def at(self, row: int, column: int) -> Point:
        """Return where an element lies. :class:`smemdesc.engine.errors.SmemdescError` outside the atom."""
        offset = self._offsets.get((row, column))
        if offset is None:
            raise SmemdescError(
                f"({row}, {column}) is outside the atom",
                hint=f"rows are 0..{self.rows - 1}, columns 0..{self.columns - 1}",
            )
        return Point(offset, row, column)

    def to_dict(self, points: Sequence[Point] = ()) -> dict[str, Any]:
        """Return the object for JSON; ``points`` only where some are asked for."""
        out: dict[str, Any] = {
            "swizzle": self.swizzle,
            "dtype": self.dtype.name,
            "bits": self.dtype.bits,
            "dims": [self.rows, self.columns],
            "bases": [{"offset": basis.offset, "to": [basis.row, basis.column]} for basis in self.bases],
        }
        if points:
            out["points"] = [{"offset": point.offset, "at": [point.row, point.column]} for point in points]
        return out


def _extent(parts: list[int]) -> int:
    """Return how far the XOR of some numbers reaches: all their bits, and one more."""
    reached = 0
    for part in parts:
        reached |= part
    return reached + 1


class TensorPoint(NamedTuple):
    """An offset in elements and the coordinate of the tensor that lies there."""

    offset: int
    place: tuple[int, ...]


class TensorLayout:
    """A whole tensor under ``#ttg.nvmma_shared``: offsets in elements of ``elementBitWidth`` to coordinates."""

    def __init__(self, encoding: Encoding, shape: tuple[int, ...]) -> None:
        from smemdesc.tiles.triton import linear

        self.encoding = encoding
        self.shape = shape
        self.bases = linear(encoding, shape)

    @property
    def size(self) -> int:
        """How many offsets there are: the elements, with the padding of ``fp4Padded``."""
        return 1 << len(self.bases)

    def at_offset(self, offset: int) -> TensorPoint:
        """Return what lies at an offset, in elements. :class:`smemdesc.engine.errors.SmemdescError` outside the
        tensor."""
        if not 0 <= offset < self.size:
            raise SmemdescError(
                f"offset {offset} is outside the tensor", hint=f"it holds the offsets 0..{self.size - 1}"
            )
        place = [0] * len(self.shape)
        for bit, basis in enumerate(self.bases):
            if offset >> bit & 1:
                place = [one ^ other for one, other in zip(place, basis, strict=True)]
        return TensorPoint(offset, tuple(place))

    def at(self, place: tuple[int, ...]) -> TensorPoint:
        """Return where an element lies. :class:`smemdesc.engine.errors.SmemdescError` outside the tensor."""
        inside = len(place) == len(self.shape) and all(
            0 <= one < size for one, size in zip(place, self.shape, strict=True)
        )
        if not inside:
            raise SmemdescError(f"{place} is outside the tensor", hint=f"its shape is {self.shape}")
        # A basis of the lines moves the contiguous dimension, too: the lines are taken first.
        contiguous = 0 if self.encoding.transposed else len(self.shape) - 1
        left, offset = list(place), 0
        by_lines = sorted(
            enumerate(self.bases), key=lambda each: all(not part for i, part in enumerate(each[1]) if i != contiguous)
        )
        for bit, basis in by_lines:
            lead = next((i for i, part in enumerate(basis) if part and i != contiguous), contiguous)
            if basis[lead] & left[lead]:
                left = [one ^ other for one, other in zip(left, basis, strict=True)]
                offset |= 1 << bit
        return TensorPoint(offset, place)

    def to_dict(self, points: Sequence[TensorPoint] = ()) -> dict[str, Any]:
        """Return the object for JSON; ``points`` only where some are asked for."""
        out: dict[str, Any] = {
            "swizzle": self.encoding.swizzle,
            "bits": self.encoding.bits,
            "transposed": self.encoding.transposed,
            "dims": list(self.shape),
            "bases": [{"offset": 1 << bit, "to": list(basis)} for bit, basis in enumerate(self.bases)],
        }
        if points:
            out["points"] = [{"offset": point.offset, "at": list(point.place)} for point in points]
        return out
