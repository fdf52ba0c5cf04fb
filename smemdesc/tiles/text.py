"""A tile, or the operand of a descriptor, in other notations: CuTe (C++ and DSL), Triton, a TMA box.

Each function takes a :class:`smemdesc.tiles.tile.Tile` or an :class:`smemdesc.layout.operand.Operand` and
returns None if the notation cannot express it; none of them raises. :mod:`smemdesc.tiles.explaining` reads
their output.
"""

from __future__ import annotations

from math import gcd

from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import AtomShape, shape
from smemdesc.layout.cute import IntTuple, Layout, Swizzle, show
from smemdesc.layout.operand import Operand
from smemdesc.tiles.box import BOX, Spread, operand_spread
from smemdesc.tiles.tile import Tile

SOURCE = (
    "CUTLASS 4.7 cute::print; CuTe DSL 4.8; Triton NVMMASharedEncodingAttr; CUDA driver API, cuTensorMapEncodeTiled"
)
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


def spread_of(what: Tile | Operand) -> Spread | None:
    """Return the arrangement of the atoms of a tile or an operand; None if :func:`operand_spread` has none."""
    return what.spread if isinstance(what, Tile) else operand_spread(what)


def layout_of(what: Tile | Operand) -> Layout | None:
    """Return the layout before the swizzle, MN and K to elements, as CUTLASS's ``tile_to_shape`` nests it.

    An 8-bit container counts as an element. None if the operand ends inside an atom in which it does not begin.
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
        # The pattern does not begin at a multiple of its period: only a swizzle of offsets expresses that.
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

    It contains no address. None if the pattern does not begin at a multiple of its period.
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
    least = max(1024, spread.mode.period)
    align = gcd(spread.start or least, least)
    swizzle = f", S<{b},{m},{s}>" if b else ""
    name = DSL_TYPE[spread.dtype.name] if spread.dtype.storage == spread.dtype.bits else "i8"
    return f"tensor<ptr<{name}, smem, align<{align}>{swizzle}> o {text.split(' o ', 2)[2]}>"


def triton_encoding(what: Tile | Operand, operand: str = "a") -> str | None:
    """Return the Triton encoding: ``#ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}>``.

    ``operand``: ``a`` is a tensor MN x K, ``b`` one K x MN (:func:`triton_shape`). None for modes that
    Triton lacks, types in 12-byte containers and b1; if a side of the tensor is not a power of two; if atoms are not
    consecutive along the strided dimension first; and for more than one 16-byte column without swizzle, which Triton
    lays out row by row.
    """
    spread = spread_of(what)
    if spread is None or spread.phase or spread.mode.triton is None or spread.dtype.name == "b1":
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
    words = [
        f"swizzlingByteWidth = {spread.mode.triton}",
        f"transposed = {str(transposed).lower()}",
        f"elementBitWidth = {max(8, dtype.storage)}",
    ]
    if padded:
        words.append("fp4Padded = true")
    return f"#ttg.nvmma_shared<{{{', '.join(words)}}}>"


def triton_shape(what: Tile | Operand, operand: str = "a") -> tuple[int, int] | None:
    """Return the shape of the tensor that :func:`triton_encoding` is for; two e2m1 are one 8-bit element of it.

    For an operand that ends inside an atom, the tensor that holds it: as wide as the atom. None if a side is not a
    power of two: Triton has no such tensor.
    """
    spread = spread_of(what)
    if spread is None:
        return None
    count = 2 if spread.dtype.bits == 4 else 1
    along, across = max(spread.along) // count, spread.lines[0]
    mn, k = (across, along) if spread.major == "K" else (along, across)
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
    count = AtomShape(max(1, mn // atom.mn), max(1, k // atom.k))
    size = MODE[swizzle].width * (atom.mn if major == "K" else atom.k)
    strides = (size, size * count.mn) if order == "mn" else (size * count.k, size)
    spread = Spread(swizzle, major, dtype, AtomShape(mn, k), *strides, 0, 0)
    layout = _layout(spread, nested=False)
    assert layout is not None
    b, m, s = spread.mode.swizzle
    return f"Sw<{b},{m},{s}> o smem_ptr[{dtype.storage}b](unset) o {_static(layout.shape)}:{_static(layout.stride)}"
