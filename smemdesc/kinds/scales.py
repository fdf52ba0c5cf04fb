"""Which scale factors the block-scaled MMA kinds take: one row a block size of a kind."""

from __future__ import annotations

from typing import NamedTuple

SOURCE = "PTX ISA 9.3, Tables 59 and 60"


class Blocks(NamedTuple):
    """Factors for blocks of ``size`` elements of K (dense); a sparse A has twice as many elements to a factor."""

    mma_kind: str
    size: int
    types: tuple[str, ...]
    """Types of the factors, the usual one first."""
    types_107: tuple[str, ...] = ()
    """Those that sm_107 has beside them."""


BLOCKS = (
    Blocks("mxf8f6f4", 32, ("ue8m0",)),
    Blocks("mxf4", 32, ("ue8m0",)),
    Blocks("mxf4nvf4", 16, ("ue4m3", "ue8m0"), ("ue5m3",)),
    Blocks("mxf4nvf4", 32, ("ue8m0",), ("ue4m3", "ue5m3")),
)
"""The usual block size of a kind is its first."""

VECTORS = (1, 2, 4)
"""Factors of a row of one instruction for which there is a ``.scale_vec::NX``; any number has its ``.blockN``."""


def blocks_of(mma_kind: str) -> tuple[Blocks, ...]:
    """Return the rows of a kind; none where it takes no scale factors."""
    return tuple(each for each in BLOCKS if each.mma_kind == mma_kind)
