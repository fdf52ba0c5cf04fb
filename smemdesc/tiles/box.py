"""The TMA box of a tile or an operand, and the copies that fill a tile."""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.kinds.modes import MODE
from smemdesc.layout.operand import Operand

BOX_SOURCE = "CUDA Driver API, cuTensorMapEncodeTiled"
BOX = 256
"""The most elements of a TMA box along one dimension; Triton's blocks end there, too."""

TMA_TYPE = {
    "f16": "FLOAT16",
    "bf16": "BFLOAT16",
    "tf32": "TFLOAT32",
    "s1z4m11": "UINT16",
    "e4m3": "UINT8",
    "e5m2": "UINT8",
    "s8": "UINT8",
    "u8": "UINT8",
    "e2m3": "16U6_ALIGN16B",
    "e3m2": "16U6_ALIGN16B",
    "e2m1": "16U4_ALIGN16B",
}
"""CU_TENSOR_MAP_DATA_TYPE_...; packed e2m1 is 16U4_ALIGN8B, b1 has none."""


class TmaBox(NamedTuple):
    """The tensor map that fills a tile, and its number of copies."""

    box: tuple[int, int]
    """Elements, the contiguous dimension first, as ``cuTensorMapEncodeTiled`` takes them."""
    dtype: str
    swizzle: str
    """The mode; :attr:`tma_swizzle` is the enumerator."""
    interleave: str
    copies: int
    bytes: int
    """Bytes that an mbarrier counts for one copy: the elements, without padding."""
    shared_bytes: int
    """Bytes of shared memory that one copy takes, with the padding of 4- and 6-bit elements in 8-bit containers."""
    data_type: str
    """``CU_TENSOR_MAP_DATA_TYPE_...``."""

    @property
    def tma_swizzle(self) -> str:
        """``CU_TENSOR_MAP_SWIZZLE_...``."""
        return MODE[self.swizzle].tma

    def __str__(self) -> str:
        inner, outer = self.box
        packed = "16U4_ALIGN8B" if self.data_type.endswith("16U4_ALIGN8B") else self.dtype
        return f"box={inner}x{outer},swizzle={self.swizzle},dtype={packed},interleave={self.interleave}"


def box_of(operand: Operand) -> TmaBox | None:
    """Return the largest TMA box that gives this layout, and the copies of it that fill the tile.

    A box is one atom wide and at most 256 lines high. None for b1, for modes that no tensor map has, for a pattern that
    does not begin at a multiple of its period, for padding types with a box that is not 128 elements wide, and if lines
    are not multiples.
    """
    dtype, mode, wide, inner = operand.dtype, operand.mode, operand.group, operand.lines
    if operand.phase or not mode.tma or dtype.name not in TMA_TYPE:
        return None
    lines, along = operand.extents
    # The box has the elements of an atom's width: 16 in 16 bytes of a padded type, too.
    if not operand.packed and wide != 128:
        return None
    high = lines
    if lines > inner:
        if lines % inner:
            return None
        if operand.strides[0] != mode.width * inner:
            high = inner
        elif lines > BOX:
            high = max(size for size in range(inner, BOX + 1, inner) if not lines % size)
    copies = -(-along // wide) * (lines // high)
    kind = "16U4_ALIGN8B" if dtype.storage == 4 else TMA_TYPE[dtype.name]
    sizes = wide * high * dtype.bits // 8, mode.width * high
    return TmaBox((wide, high), dtype.name, mode.name, "none", copies, *sizes, f"CU_TENSOR_MAP_DATA_TYPE_{kind}")


class TmaCopy(NamedTuple):
    """One TMA copy: its first element in the tile, and its destination (bytes from the tile's start)."""

    mn: int
    k: int
    offset: int


class Filling(NamedTuple):
    """The tensor map of a tile, and the copies that fill one CTA's part of it."""

    map: TmaBox
    copies: tuple[TmaCopy, ...]

    @property
    def bytes(self) -> int:
        """Bytes of all copies, which the mbarrier expects."""
        return self.map.bytes * len(self.copies)

    @property
    def size(self) -> str:
        """The bytes of one copy, in words."""
        counted, taken = self.map.bytes, self.map.shared_bytes
        return f"{counted} B" if counted == taken else f"{counted} B, padded to {taken} B in shared memory"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``bytes`` and ``shared_bytes`` are per copy."""
        return {
            "data_type": self.map.data_type,
            "box": list(self.map.box),
            "swizzle": self.map.swizzle,
            "interleave": self.map.interleave,
            "copies": len(self.copies),
            "bytes": self.map.bytes,
            "shared_bytes": self.map.shared_bytes,
            "at": [{"mn": copy.mn, "k": copy.k, "offset": copy.offset} for copy in self.copies],
        }
