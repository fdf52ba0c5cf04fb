"""What a text says of shared memory: where each element of a buffer lies, and which numbers of the text say so.

A :class:`Memory` is a function from (MN, K) to bit addresses that remembers the text: each stride of a mode is a
:class:`Leaf` that knows its place in it, so that what is wrong can be pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODES
from smemdesc.layout.cute import Swizzle

ADDRESS_BITS = 18
"""The bits of a pointer that count: the window of shared memory (of sm_107, 19)."""
BYTES = {mode.swizzle: mode.name for mode in MODES}
"""The mode of a swizzle of byte addresses."""


class Leaf(NamedTuple):
    """One ``extent:stride`` of a mode, and where the text says the stride (or the extent, where there is none)."""

    extent: int
    stride: int
    """In units of the layout."""
    span: tuple[int, int]


class Mode:
    """One dimension: leaves, the leftmost the fastest. A slice begins at ``first`` and has ``extent`` coordinates."""

    def __init__(self, leaves: tuple[Leaf, ...], first: int = 0, extent: int | None = None) -> None:
        self.leaves = leaves
        self.size = prod(leaf.extent for leaf in leaves)
        self.first = first
        self.extent = self.size if extent is None else extent

    def offset(self, index: int) -> int:
        """Return the offset of a coordinate of the whole mode."""
        total = 0
        for place, leaf in enumerate(self.leaves):
            # The last leaf takes what is left, as in CuTe.
            here = index if place == len(self.leaves) - 1 else index % leaf.extent
            total += here * leaf.stride
            index //= leaf.extent
        return total

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each coordinate of the slice, from the whole's first element."""
        return [self.offset(self.first + index) for index in range(self.extent)]

    def slice(self, first: int, extent: int) -> Mode:
        """Return ``extent`` coordinates from ``first`` on."""
        return Mode(self.leaves, self.first + first, extent)

    def leaf_at(self, index: int) -> tuple[Leaf, int]:
        """Return the leaf that steps to a coordinate of the slice, and how many coordinates one step of it passes."""
        at = self.first + index
        passed = 1
        found = (self.leaves[0], 1)
        for leaf in self.leaves:
            if at % passed == 0 and leaf.extent > 1:
                found = (leaf, passed)
            passed *= leaf.extent
        return found

    def refined(self, unit: int, *, contiguous: bool) -> Mode:
        """Return a mode of 16-byte units as one of elements, ``unit`` to a 16-byte unit."""
        scaled = tuple(leaf._replace(stride=leaf.stride * unit) for leaf in self.leaves)
        if not contiguous:
            return Mode(scaled)
        return Mode((Leaf(unit, 1, self.leaves[0].span), *scaled))


class Memory(NamedTuple):
    """A buffer in shared memory as a text lays it out: MN x K elements of ``bits``."""

    text: str
    mn: Mode
    k: Mode
    bits: int
    swizzle: Swizzle
    """Of byte addresses, or of byte offsets where ``relative``."""
    stated: bool
    """Whether the text, or an option, says the swizzle."""
    relative: bool
    """Whether the swizzle is of offsets from the pointer (position independent) instead of addresses."""
    start: int
    """The byte that the pointer points to."""
    rest: int
    """Bits that it points past that byte."""
    offset: int
    """Elements between the pointer and the first element, before the swizzle."""
    span: tuple[int, int]
    """Where the text says the swizzle, or the whole text."""

    @property
    def shape(self) -> tuple[int, int]:
        """MN x K in elements."""
        return self.mn.extent, self.k.extent

    def slice(self, at: tuple[int, int], shape: tuple[int, int]) -> Memory:
        """Return MN x K elements from (mn, k) on. :class:`smemdesc.engine.errors.SmemdescError` where they are not
        there."""
        for name, first, extent, whole in zip(("MN", "K"), at, shape, self.shape, strict=True):
            if first < 0 or first + extent > whole:
                raise SmemdescError(
                    f"{shape[0]}x{shape[1]} at {at[0]},{at[1]} is outside the layout: {name} {first} to "
                    f"{first + extent - 1}, and it has {whole}",
                    hint=f"the layout is {self.shape[0]}x{self.shape[1]} elements (MN x K)",
                )
        return self._replace(mn=self.mn.slice(at[0], shape[0]), k=self.k.slice(at[1], shape[1]))

    def linear(self, mn: int, k: int) -> int:
        """Return the bits from the pointer to an element of the slice, before the swizzle."""
        return (self.offset + self.mn.offsets[mn] + self.k.offsets[k]) * self.bits

    def bit_address(self, mn: int, k: int) -> int:
        """Return the bit address of an element of the slice."""
        return self._address(self.linear(mn, k))

    def _address(self, linear: int) -> int:
        if self.relative:
            byte, rest = divmod(linear, 8)
            return (self.start + self.swizzle(byte)) * 8 + self.rest + rest
        byte, rest = divmod(self.start * 8 + self.rest + linear, 8)
        return self.swizzle(byte) * 8 + rest

    def rows(self) -> Iterator[list[int]]:
        """Yield the bit addresses of each mn, one for each k."""
        base = self.offset * self.bits
        across = [offset * self.bits for offset in self.k.offsets]
        for offset in self.mn.offsets:
            down = base + offset * self.bits
            yield [self._address(down + each) for each in across]

    @property
    def mode(self) -> str | None:
        """The mode of the swizzle; None where it is of no mode."""
        return mode_of(self.swizzle)


def mode_of(swizzle: Swizzle) -> str | None:
    """Return the name of the mode that swizzles byte addresses so; None where there is none."""
    if not swizzle.b:
        return "none"
    return BYTES.get((swizzle.b, swizzle.m, swizzle.s))


def in_bytes(swizzle: Swizzle, bits: int) -> Swizzle:
    """Return a swizzle of elements as one of bytes."""
    shift = bits.bit_length() - 4
    return Swizzle(swizzle.b, swizzle.m + shift, swizzle.s)
