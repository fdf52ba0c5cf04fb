"""Where an operand tile lies and which descriptor every K step of it gets.

All offsets are bytes. Tiles are made of packed swizzle atoms, those along MN first; a tile is as long along K
as keeps the distance from one MMA to the next the same.
"""

from __future__ import annotations

from typing import NamedTuple

import smemdesc

BASE = 0x400
"""Where ptxas puts the first byte of a kernel's own shared memory from sm_90 on: 1 KB is the system's."""
WIDTH = {"none": 16, "32B": 32, "64B": 64, "128B": 128, "128B_32B": 128}
CODES = {
    "wgmma": {"none": 0, "128B": 1, "64B": 2, "32B": 3},
    "tcgen05": {"none": 0, "128B_32B": 1, "128B": 2, "64B": 4, "32B": 6},
}


class Tile(NamedTuple):
    """An operand of one kernel: ``steps`` MMAs of ``k`` elements side by side, ``mn`` rows."""

    mode: str
    major: str
    """K or MN."""
    mn: int
    bits: int
    k: int
    """Elements of K that one MMA reads of this operand."""
    least: bool = False
    """Write 0 for an LBO that has no effect, not 16 as CUTLASS does."""

    @property
    def width(self) -> int:
        """Bytes of an atom's row."""
        return WIDTH[self.mode]

    @property
    def k_bytes(self) -> int:
        """Bytes of K that one MMA reads."""
        return self.k * self.bits // 8

    @property
    def lines(self) -> int:
        """Rows of MN (K-major) or K (MN-major) in an atom."""
        return 4 if self.mode == "128B_32B" else 8

    @property
    def rows(self) -> int:
        """``mn`` rounded up to whole atoms."""
        unit = 8 if self.major == "K" else self.width * 8 // self.bits
        return -(-self.mn // unit) * unit

    @property
    def stride_mn(self) -> int:
        """From an atom to the next along MN."""
        return self.lines * self.width

    @property
    def stride_k(self) -> int:
        """From an atom to the next along K."""
        if self.major == "K":
            return self.rows * self.width
        return self.rows * self.bits // 8 * self.lines

    @property
    def inside(self) -> bool:
        """Whether the K of one MMA fits an atom, so that LBO has no effect."""
        return self.major == "K" and self.mode != "none" and self.k_bytes <= self.width

    @property
    def lbo(self) -> int:
        """The leading dimension byte offset as the kernel writes it."""
        if self.inside:
            return 0 if self.least else 16
        if self.major == "MN" and self.mode != "none":
            return self.stride_mn
        return self.stride_k

    @property
    def sbo(self) -> int:
        """The stride dimension byte offset."""
        if self.major == "MN" and self.mode != "none":
            return self.stride_k
        return self.stride_mn

    @property
    def step(self) -> int:
        """From the start of one MMA to the start of the next along K."""
        if self.major == "MN":
            return self.k // self.lines * self.stride_k
        if self.inside and self.k_bytes < self.width:
            return self.k_bytes
        return self.k_bytes // self.width * self.stride_k

    @property
    def steps(self) -> int:
        """MMAs along K."""
        return self.width // self.k_bytes if self.inside and self.k_bytes < self.width else 2

    @property
    def size(self) -> int:
        """Bytes of the tile, up to a multiple of the largest pattern."""
        k = max(self.width, self.steps * self.k_bytes)
        raw = self.rows * k if self.major == "K" else self.rows * self.bits // 8 * self.steps * self.k
        return -(-raw // 1024) * 1024

    def descriptor(self, kind: str, start: int) -> int:
        """The descriptor of the MMA that begins at ``start``, a byte address; ``kind`` is wgmma or tcgen05."""
        return smemdesc.encode(
            kind,
            start_address=start & 0x3FFF0,
            leading_byte_offset=self.lbo,
            stride_byte_offset=self.sbo,
            swizzle=self.mode,
        )
