"""The tensor map that fills a tile: what one TMA copy writes, and where each copy goes."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.errors import SmemdescError
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType
from smemdesc.layout.tile import Tile

SOURCE = "CUDA Driver API, cuTensorMapEncodeTiled"
LARGEST = 256
"""Elements of a box along each dimension, at most."""
PADDED = 128
"""Elements of the innermost dimension of a box of 4- or 6-bit elements that TMA pads to 16-byte containers."""
INTERLEAVE = "CU_TENSOR_MAP_INTERLEAVE_NONE"

_DATA_TYPES = {
    "f16": "FLOAT16",
    "bf16": "BFLOAT16",
    "tf32": "TFLOAT32",
    "e2m3": "16U6_ALIGN16B",
    "e3m2": "16U6_ALIGN16B",
}


class Copy(NamedTuple):
    """One TMA copy: the first element that it takes of the tile, and where it writes (bytes from the tile's start)."""

    mn: int
    k: int
    offset: int


class Box(NamedTuple):
    """A two-dimensional tensor map, and the copies that fill one CTA's tile."""

    data_type: str
    """Its CUtensorMapDataType."""
    box: tuple[int, int]
    """boxDim: elements along the contiguous dimension, then along the other (of b1: bytes, then rows)."""
    swizzle: str
    """Its CUtensorMapSwizzle."""
    swizzle_code: int
    interleave: str
    dimensions: tuple[str, str]
    """What boxDim counts along: ``("K", "MN")`` for K-major."""
    copies: tuple[Copy, ...]
    bytes: int
    """Bytes that one copy writes, and adds to the transaction count of its mbarrier."""


def data_type(dtype: DType) -> str:
    """Return the CUtensorMapDataType of an operand type."""
    if dtype.name == "e2m1":
        name = "16U4_ALIGN8B" if dtype.storage == dtype.bits else "16U4_ALIGN16B"
    else:
        name = _DATA_TYPES.get(dtype.name, "UINT8")
    return f"CU_TENSOR_MAP_DATA_TYPE_{name}"


def box_of(tile: Tile) -> Box:
    """Return the tensor map that fills a tile.

    The box is as long across the contiguous dimension as the order of the atoms allows: all of the tile where they
    follow each other along it (:func:`smemdesc.layout.tile.tma_order`), one atom else; more than 256 elements take
    several copies. :class:`smemdesc.errors.SmemdescError` where TMA cannot write the type in this mode.
    """
    dtype, mode, major = tile.dtype, MODE[tile.swizzle], tile.major
    inner = mode.width * 8 // dtype.storage
    if dtype.storage != dtype.bits and inner != PADDED:
        raise SmemdescError(
            f"TMA pads {dtype.name} in boxes of {PADDED} elements: 128 B, so not with swizzle {tile.swizzle}",
            hint="use 128B swizzle, or write the operand without TMA",
        )
    lines, along = (tile.shape.mn, tile.shape.k) if major == "K" else (tile.shape.k, tile.shape.mn)
    in_atom = tile.atom.mn if major == "K" else tile.atom.k
    adjoin = lines if tile.order == ("mn" if major == "K" else "k") or along == inner else in_atom
    rows = next(each for each in range(min(adjoin, LARGEST), 0, -1) if adjoin % each == 0 and each % in_atom == 0)
    copies = []
    for across in range(0, along, inner):
        for line in range(0, lines, rows):
            mn, k = (line, across) if major == "K" else (across, line)
            copies.append(Copy(mn, k, tile.atom_start(mn // tile.atom.mn, k // tile.atom.k) - tile.start))
    return Box(
        data_type(dtype),
        (inner // 8 if dtype.bits == 1 else inner, rows),
        mode.tma,
        mode.tma_code,
        INTERLEAVE,
        ("K", "MN") if major == "K" else ("MN", "K"),
        tuple(copies),
        rows * mode.width,
    )
