"""CuTe's notation: nested ``shape:stride`` layouts and ``Swizzle<B,M,S>``.

A mode of a layout is an integer or a tuple of modes. Coordinates run column-major: the leftmost
sub-mode of a tuple is the fastest.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from smemdesc.engine.fields import ones

IntTuple = int | tuple["IntTuple", ...]


def size(mode: IntTuple) -> int:
    """Return the number of coordinates of a shape."""
    return mode if isinstance(mode, int) else prod(size(part) for part in mode)


def show(mode: IntTuple) -> str:
    """Write an integer or a nested tuple as CuTe prints it: ``((8,2),(4,2))``."""
    return str(mode) if isinstance(mode, int) else f"({','.join(show(part) for part in mode)})"


def _offset(shape: IntTuple, stride: IntTuple, index: int) -> int:
    if isinstance(shape, int) and isinstance(stride, int):
        return index * stride
    assert isinstance(shape, tuple)
    assert isinstance(stride, tuple)
    total = 0
    for place, (part, step) in enumerate(zip(shape, stride, strict=True)):
        count = size(part)
        # The last sub-mode takes what is left, as CuTe does: coordinates past the shape extend it.
        here = index if place == len(shape) - 1 else index % count
        total += _offset(part, step, here)
        index //= count
    return total


class Layout(NamedTuple):
    """A function from coordinates to offsets. ``shape`` and ``stride`` are congruent nested tuples."""

    shape: IntTuple
    stride: IntTuple

    def __call__(self, *coordinates: int) -> int:
        """Return the offset of one index, or of one index a mode."""
        if len(coordinates) == 1:
            return _offset(self.shape, self.stride, coordinates[0])
        assert isinstance(self.shape, tuple)
        assert isinstance(self.stride, tuple)
        return sum(map(_offset, self.shape, self.stride, coordinates))

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return size(self.shape)

    def __str__(self) -> str:
        return f"{show(self.shape)}:{show(self.stride)}"


class Swizzle(NamedTuple):
    """CuTe's ``Swizzle<B,M,S>``: XORs bits [M+S, M+S+B) of an offset onto bits [M, M+B)."""

    b: int
    m: int
    s: int

    def __call__(self, offset: int, phase: int = 0) -> int:
        """Return the swizzled offset; the XOR is taken from ``offset - phase`` (the base offset's effect)."""
        return offset ^ (((offset - phase) >> (self.m + self.s)) & ones(self.b)) << self.m

    def upcast(self, factor: int) -> Swizzle:
        """Return the same swizzle on offsets in units of ``factor`` (a power of two), as CuTe's ``upcast``."""
        return Swizzle(self.b, self.m - (factor.bit_length() - 1), self.s)

    def __str__(self) -> str:
        return f"Swizzle<{self.b},{self.m},{self.s}>"


class ComposedLayout(NamedTuple):
    """``Swizzle<B,M,S> o shape:stride``: the swizzle acts on bytes, the layout counts elements of ``bits``."""

    swizzle: Swizzle
    layout: Layout
    bits: int

    def bit_address(self, start: int, *coordinates: int) -> int:
        """Return the bit address of a coordinate; ``start`` is the first byte of the operand."""
        bit = start * 8 + self.layout(*coordinates) * self.bits
        byte, rest = divmod(bit, 8)
        return self.swizzle(byte) * 8 + rest

    def __str__(self) -> str:
        return f"{self.swizzle} o {self.layout}"
