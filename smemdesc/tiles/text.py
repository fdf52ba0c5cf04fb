"""A tile, or the operand of a descriptor, as other tools write its layout: CuTe (C++ and DSL), Triton, a TMA box.

Each function takes a :class:`smemdesc.tiles.tile.Tile` or an :class:`smemdesc.layout.operand.Operand` and
returns None where the other notation has no word for it (what CuTe cannot say, no Triton encoding means, no copy
writes); none of them raises. :mod:`smemdesc.tiles.parsing` reads what they write.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, Mode
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import Shape, shape
from smemdesc.layout.cute import IntTuple, Layout, Swizzle, show
from smemdesc.layout.operand import LINE, Operand
from smemdesc.layout.strides import strides_of
from smemdesc.tiles.tile import Tile

SOURCE = (
    "CUTLASS 4.7 cute::print; CuTe DSL 4.8; Triton NVMMASharedEncodingAttr; CUDA driver API, cuTensorMapEncodeTiled"
)
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
DSL_TYPE = {
    "f16": "f16",
    "bf16": "bf16",
    "tf32": "tf32",
    "s1z4m11": "i16",
    "e4m3": "f8E4M3FN",
    "e5m2": "f8E5M2",
    "s8": "i8",
    "u8": "ui8",
    "b1": "i1",
    "e2m3": "f6E2M3FN",
    "e3m2": "f6E3M2FN",
    "e2m1": "f4E2M1FN",
}
"""What the CuTe DSL calls a type."""


class Spread(NamedTuple):
    """How atoms lie in shared memory: what a tile and an operand have in common."""

    swizzle: str
    major: str
    dtype: DType
    shape: Shape
    """MN x K in elements."""
    stride_mn: int
    """Bytes from one atom to the next along MN; 0 where there is no next one."""
    stride_k: int
    """Bytes from one atom to the next along K; 0 where there is no next one."""
    start: int
    """The byte that it begins at."""
    phase: int
    """Bytes that the swizzle pattern begins past a multiple of its period."""

    @property
    def mode(self) -> Mode:
        """The swizzle mode."""
        return MODE[self.swizzle]

    @property
    def atom(self) -> Shape:
        """MN x K of an atom, in elements."""
        return shape(self.swizzle, self.major, self.dtype)

    @property
    def lines(self) -> tuple[int, int]:
        """Lines of the strided dimension, in all, and in one atom."""
        return (self.shape.mn, self.atom.mn) if self.major == "K" else (self.shape.k, self.atom.k)

    @property
    def along(self) -> tuple[int, int]:
        """Elements of the contiguous dimension, in all, and in one atom."""
        return (self.shape.k, self.atom.k) if self.major == "K" else (self.shape.mn, self.atom.mn)

    @property
    def strides(self) -> tuple[int, int]:
        """Bytes from atom to atom: along the strided dimension, and along the contiguous one."""
        return (self.stride_mn, self.stride_k) if self.major == "K" else (self.stride_k, self.stride_mn)


def spread_of(what: Tile | Operand) -> Spread | None:
    """Return how the atoms of a tile or an operand lie; None in LBO mode absolute and for K-major 128B_32B."""
    if what.absolute and isinstance(what, Operand):
        return None
    if isinstance(what, Tile):
        count = what.atoms
        near = what.stride_mn if count.mn > 1 else 0, what.stride_k if count.k > 1 else 0
        return Spread(what.swizzle, what.major, what.dtype, what.shape, *near, what.start, 0)
    name = what.mode.name
    if name == "128B_32B" and what.major == "K":
        return None
    case = Context(dtype=what.dtype, major=what.major, shape=what.shape)
    both = zip(strides_of(name, what.major, case), (what.lbo, what.sbo), strict=True)
    size = {stride.along: offset if stride.used else 0 for stride, offset in both}
    phase = what.base_offset % what.mode.phases * LINE
    return Spread(name, what.major, what.dtype, Shape(*what.shape), size["MN"], size["K"], what.start, phase)


def layout_of(what: Tile | Operand) -> Layout | None:
    """Return the layout before the swizzle, MN and K to elements, as CUTLASS's ``tile_to_shape`` nests it.

    An 8-bit container counts as an element. None where the operand ends within an atom that it does not begin in.
    """
    spread = spread_of(what)
    return None if spread is None else _layout(spread, nested=isinstance(what, Tile))


def _layout(spread: Spread, *, nested: bool) -> Layout | None:
    bits = spread.dtype.storage
    width = spread.mode.width * 8 // bits
    down = _mode(*spread.lines, width, spread.strides[0] * 8, bits, nested=nested)
    across = _mode(*spread.along, 1, spread.strides[1] * 8, bits, nested=nested)
    if down is None or across is None:
        return None
    mn, k = (down, across) if spread.major == "K" else (across, down)
    return Layout((mn[0], k[0]), (mn[1], k[1]))


def _mode(
    extent: int, inner: int, step: int, stride: int, bits: int, *, nested: bool
) -> tuple[IntTuple, IntTuple] | None:
    """Return shape and stride of one mode: ``inner`` elements by ``step``, then atoms by ``stride`` bits."""
    if stride % bits or (extent > inner and extent % inner):
        return None
    if extent < inner or (extent == inner and not nested):
        return extent, step
    return (inner, extent // inner), (step, stride // bits)


def cute_text(what: Tile | Operand, *, start: int | None = None) -> str | None:
    """Return the layout as CUTLASS prints it: ``Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),...``.

    An operand is a tensor with its start address; a tile a layout without one, unless ``start`` (bytes) is given.
    """
    spread = spread_of(what)
    layout = layout_of(what)
    if spread is None or layout is None:
        return None
    address = spread.start if start is None and isinstance(what, Operand) else start
    bits = spread.dtype.storage
    modes = f"{_static(layout.shape)}:{_static(layout.stride)}"
    b, m, s = spread.mode.swizzle
    if address is None:
        return f"Sw<{b},{m},{s}> o smem_ptr[{bits}b](unset) o {modes}"
    if spread.phase:
        # The pattern does not begin at a multiple of its period: only a swizzle of offsets says that.
        into = (address - spread.phase) % spread.mode.period
        if into > address or bits > 64:
            return None
        inner = Swizzle(b, m, s).upcast(bits // 8) if bits >= 8 else Swizzle(b, m + (8 // bits).bit_length() - 1, s)
        offset = into * 8 // bits
        return f"{_pointer(bits, address - into)} o Sw<{inner.b},{inner.m},{inner.s}> o _{offset} o {modes}"
    prefix = f"Sw<{b},{m},{s}>_" if b else ""
    return f"{prefix}{_pointer(bits, address)} o {modes}"


def _pointer(bits: int, address: int) -> str:
    place = f"0x{address:x}" if address else "(nil)"
    return f"smem_subptr[{bits}b]({place}.0)" if bits < 8 else f"smem_ptr[{bits}b]({place})"


def _static(mode: IntTuple) -> str:
    return f"_{mode}" if isinstance(mode, int) else f"({','.join(map(_static, mode))})"


def dsl_text(what: Tile | Operand) -> str | None:
    """Return the layout as the CuTe DSL prints it: ``S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))``.

    It says no address. None where the pattern does not begin at a multiple of its period.
    """
    spread = spread_of(what)
    layout = layout_of(what)
    if spread is None or layout is None or spread.phase:
        return None
    b, m, s = spread.mode.swizzle
    return f"S<{b},{m},{s}> o 0 o {show(layout.shape)}:{show(layout.stride)}"


def dsl_tensor_text(what: Tile | Operand) -> str | None:
    """Return the tensor as the CuTe DSL prints it: ``tensor<ptr<bf16, smem, align<1024>, S<3,4,3>> o ...>``."""
    spread = spread_of(what)
    text = dsl_text(what)
    if spread is None or text is None:
        return None
    b, m, s = spread.mode.swizzle
    align = gcd(spread.start or 1024, 1024)
    swizzle = f", S<{b},{m},{s}>" if b else ""
    name = DSL_TYPE[spread.dtype.name] if spread.dtype.storage == spread.dtype.bits else "i8"
    return f"tensor<ptr<{name}, smem, align<{align}>{swizzle}> o {text.split(' o ', 2)[2]}>"


def triton_encoding(what: Tile | Operand, operand: str = "a") -> str | None:
    """Return the Triton encoding of the same: ``#ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}>``.

    ``operand``: ``a`` is a tensor MN x K, ``b`` one K x MN (:func:`triton_shape`). None for 128B_32B, types in
    12-byte containers and b1; where a side of the tensor is no power of two; where atoms do not follow each other
    along the strided dimension first; and for more than one 16-byte column without swizzle, which Triton lays out row
    by row.
    """
    spread = spread_of(what)
    if spread is None or spread.phase or spread.swizzle == "128B_32B" or spread.dtype.name == "b1":
        return None
    if triton_shape(what, operand) is None:
        return None
    dtype = spread.dtype
    padded = dtype.bits == 4 and dtype.storage == 8
    if (dtype.bits != dtype.storage and not padded) or (padded and spread.swizzle != "128B"):
        return None
    transposed = (spread.major == "MN") == (operand == "a")
    if not _by_lines(spread, transposed) or (spread.swizzle == "none" and spread.along[0] > spread.along[1]):
        return None
    width = spread.mode.width if spread.swizzle != "none" else 0
    words = [
        f"swizzlingByteWidth = {width}",
        f"transposed = {str(transposed).lower()}",
        f"elementBitWidth = {max(8, dtype.storage)}",
    ]
    if padded:
        words.append("fp4Padded = true")
    return f"#ttg.nvmma_shared<{{{', '.join(words)}}}>"


def triton_shape(what: Tile | Operand, operand: str = "a") -> tuple[int, int] | None:
    """Return the shape of the tensor that :func:`triton_encoding` is for; two e2m1 are one 8-bit element of it.

    Of an operand that ends within an atom, the tensor that holds it: as wide as the atom. None where a side is no power
    of two: Triton has no such tensor.
    """
    spread = spread_of(what)
    if spread is None:
        return None
    count = 2 if spread.dtype.bits == 4 else 1
    along, other = max(spread.along) // count, spread.lines[0]
    mn, k = (other, along) if spread.major == "K" else (along, other)
    if mn & (mn - 1) or k & (k - 1):
        return None
    return (mn, k) if operand == "a" else (k, mn)


def _by_lines(spread: Spread, transposed: bool) -> bool:
    """Whether atoms follow each other along the strided dimension first, as Triton lays them out."""
    lines, inner = spread.lines
    size = spread.mode.width * inner
    near, far = spread.strides
    if lines > inner and near != size:
        return False
    along, wide = spread.along
    # A block is at most 256 lines high, and blocks follow each other along dimension 0, which is contiguous here.
    if along > wide and lines > BOX and transposed:
        return False
    return along <= wide or far == spread.mode.width * max(lines, inner)


class TmaBox(NamedTuple):
    """The tensor map that fills a tile, and how often it is copied."""

    box: tuple[int, int]
    """Elements, the contiguous dimension first, as ``cuTensorMapEncodeTiled`` takes them."""
    dtype: str
    swizzle: str
    """The mode; :attr:`tma_swizzle` is the enumerator."""
    interleave: str
    copies: int
    bytes: int
    """Bytes that one copy writes to shared memory: what the mbarrier expects of each."""
    data_type: str
    """``CU_TENSOR_MAP_DATA_TYPE_...``."""

    @property
    def tma_swizzle(self) -> str:
        """``CU_TENSOR_MAP_SWIZZLE_...``."""
        return MODE[self.swizzle].tma

    def __str__(self) -> str:
        inner, outer = self.box
        return f"box={inner}x{outer},swizzle={self.swizzle},dtype={self.dtype},interleave={self.interleave}"


def tma_box(what: Tile | Operand) -> TmaBox | None:
    """Return the largest TMA box that leaves the data as they lie, and how many copies of it fill the whole.

    A box is one atom wide and at most 256 lines high. None for b1, for a pattern that does not begin at a multiple
    of its period, for padding types of which a box is not 128 elements wide, and where lines are not multiples.
    """
    spread = spread_of(what)
    if spread is None or spread.phase or spread.dtype.name not in TMA_TYPE:
        return None
    dtype = spread.dtype
    lines, inner = spread.lines
    along, wide = spread.along
    # The box has the elements of an atom's width: 16 in 16 bytes of a padded type, too.
    if dtype.bits != dtype.storage and wide != 128:
        return None
    high = lines
    if lines > inner:
        if lines % inner:
            return None
        if spread.strides[0] != spread.mode.width * inner:
            high = inner
        elif lines > BOX:
            high = max(size for size in range(inner, BOX + 1, inner) if not lines % size)
    copies = -(-along // wide) * (lines // high)
    kind = "16U4_ALIGN8B" if dtype.storage == 4 else TMA_TYPE[dtype.name]
    size = spread.mode.width * high
    return TmaBox((wide, high), dtype.name, spread.swizzle, "none", copies, size, f"CU_TENSOR_MAP_DATA_TYPE_{kind}")


def packed_text(swizzle: str, major: str, dtype: DType, extent: tuple[int, int], order: str) -> str:
    """Return the CuTe text of MN x K elements in atoms back to back, each extent rounded up to whole atoms or units.

    ``order``: ``mn`` or ``k``, along which dimension atoms are contiguous.
    """
    atom = shape(swizzle, major, dtype)
    unit = 128 // dtype.storage
    rounded = []
    for name, size, whole in (("MN", extent[0], atom.mn), ("K", extent[1], atom.k)):
        least = unit if name == major else (8 if major == "K" else atom.k)
        step = least if size < whole else whole
        rounded.append(-(-size // step) * step)
    mn, k = rounded
    count = Shape(max(1, mn // atom.mn), max(1, k // atom.k))
    size = MODE[swizzle].width * (atom.mn if major == "K" else atom.k)
    strides = (size, size * count.mn) if order == "mn" else (size * count.k, size)
    spread = Spread(swizzle, major, dtype, Shape(mn, k), *strides, 0, 0)
    layout = _layout(spread, nested=False)
    assert layout is not None
    b, m, s = spread.mode.swizzle
    return f"Sw<{b},{m},{s}> o smem_ptr[{dtype.storage}b](unset) o {_static(layout.shape)}:{_static(layout.stride)}"
