"""CuTe's ``Swizzle<B,M,S>``, and a layout composed with it."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.layout.mode import Mode


class Swizzle(NamedTuple):
    """CuTe's ``Swizzle<B,M,S>``: XORs bits [M+S, M+S+B) of an offset onto bits [M, M+B)."""

    b: int
    m: int
    s: int

    def __call__(self, offset: int, phase: int = 0) -> int:
        """Return the swizzled offset; the XOR is taken from ``offset - phase`` (the base offset's effect)."""
        return offset ^ (((offset - phase) >> (self.m + self.s)) & ones(self.b)) << self.m

    def recast(self, old: int, new: int) -> Swizzle:
        """Return the swizzle of offsets in units of ``new`` bits that does the same as this one, of ``old`` bits."""
        return Swizzle(self.b, self.m + old.bit_length() - new.bit_length(), self.s)

    @property
    def arguments(self) -> str:
        """Its numbers as CuTe prints them: ``<3,4,3>``."""
        return f"<{self.b},{self.m},{self.s}>"

    def __str__(self) -> str:
        return f"Swizzle{self.arguments}"


class ComposedLayout(NamedTuple):
    """``Swizzle<B,M,S> o shape:stride``: the swizzle acts on bytes, the layout counts elements of ``bits``."""

    swizzle: Swizzle
    layout: Mode
    bits: int

    def bit_address(self, start: int, *coordinates: int) -> int:
        """Return the bit address of a coordinate; ``start`` is the first byte of the operand."""
        bit = start * 8 + self.layout(*coordinates) * self.bits
        byte, rest = divmod(bit, 8)
        return self.swizzle(byte) * 8 + rest

    def __str__(self) -> str:
        return f"{self.swizzle} o {self.layout}"
