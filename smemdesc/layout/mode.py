"""CuTe's modes: ``extent:stride``, nested where needed; two of them, MN and K, are the layout of an operand.

Coordinates run column-major: the leftmost part is the fastest.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import NamedTuple

from smemdesc.engine.display import Immutable

Span = tuple[int, int]
"""A half-open range of characters of a text."""


class Leaf(NamedTuple):
    """One ``extent:stride``, and the place of the stride in a text (or of the extent, without a stride)."""

    extent: int
    stride: int
    """In units of the layout."""
    span: Span = (0, 0)


class Mode(Immutable):
    """A CuTe mode: leaves and modes, the leftmost the fastest. A layout is one, too: its parts are its modes.

    A slice begins at ``first`` and has ``extent`` coordinates; offsets count from its beginning.
    """

    parts: tuple[Leaf | Mode, ...]
    leaves: tuple[Leaf, ...]
    """All of them, the fastest first."""
    size: int
    """The coordinates of the whole mode."""
    first: int
    extent: int

    def __init__(self, *parts: Leaf | Mode, first: int = 0, extent: int | None = None) -> None:
        leaves = [leaf for part in parts for leaf in ([part] if isinstance(part, Leaf) else part.leaves)]
        size = prod([leaf.extent for leaf in leaves])
        extent = size if extent is None else extent
        self.__dict__.update(parts=parts, leaves=tuple(leaves), size=size, first=first, extent=extent)

    def _of_whole(self, index: int) -> int:
        total = 0
        *inner, last = self.leaves
        for extent, stride, _ in inner:
            index, here = divmod(index, extent)
            total += here * stride
        # The last leaf takes what is left, as in CuTe: coordinates past the shape extend it.
        return total + index * last.stride

    @cached_property
    def _base(self) -> int:
        return self._of_whole(self.first)

    def offset(self, index: int) -> int:
        """Return the offset of a coordinate from the first one."""
        return self._of_whole(self.first + index) - self._base

    def __call__(self, *coordinates: int) -> int:
        """Return the offset of a coordinate for each part."""
        return sum(mode.offset(index) for mode, index in zip(self.modes, coordinates, strict=True))

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """The parts, leaves as modes of their own."""
        return tuple(Mode(part) if isinstance(part, Leaf) else part for part in self.parts)

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each coordinate."""
        return [self.offset(index) for index in range(self.extent)]

    def coordinate(self, offset: int) -> int:
        """Return the coordinate whose leaves an offset passes over; it may be one of several modes together."""
        index, passed = 0, 1
        for extent, stride, _ in self.leaves:
            index += offset // stride % extent * passed
            passed *= extent
        return index

    def slice(self, first: int, extent: int) -> Mode:
        """Return ``extent`` coordinates from ``first`` on."""
        return Mode(*self.parts, first=self.first + first, extent=extent)

    def leaf_at(self, index: int) -> tuple[Leaf, int]:
        """Return the leaf that steps to a coordinate, and the coordinates per step."""
        at = self.first + index
        passed = 1
        step = (self.leaves[0], 1)
        for leaf in self.leaves:
            if at % passed == 0 and leaf.extent > 1:
                step = (leaf, passed)
            passed *= leaf.extent
        return step

    def refined(self, count: int, *, contiguous: bool) -> Mode:
        """Return a mode of units as one of elements: ``count`` to a unit, side by side where ``contiguous``."""
        scaled = [leaf._replace(stride=leaf.stride * count) for leaf in self.leaves]
        return Mode(Leaf(count, 1, scaled[0].span), *scaled) if contiguous else Mode(*scaled)

    def __str__(self) -> str:
        return f"{_text(self, 0)}:{_text(self, 1)}"

    __repr__ = __str__


def _text(part: Leaf | Mode, of: int) -> str:
    """Write extents (0) or strides (1) as CuTe prints them: ``((8,2),(4,2))``."""
    return str(part[of]) if isinstance(part, Leaf) else f"({','.join(_text(each, of) for each in part.parts)})"
