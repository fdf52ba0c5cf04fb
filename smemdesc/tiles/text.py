"""A tile, or the operand of a descriptor, in other notations: CuTe (C++ and DSL), Triton, a TMA box.

Each function takes a :class:`smemdesc.tiles.tile.Tile` or an :class:`smemdesc.layout.operand.Operand` and
returns None if the notation cannot express it; none of them raises. :mod:`smemdesc.tiles.explaining` reads
their output.
"""

from __future__ import annotations

import re
from math import gcd

from smemdesc.kinds.types import DType
from smemdesc.layout.atom import AtomShape, AtomTiling, atom_shape, exists
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.operand import Operand
from smemdesc.tiles.box import BOX
from smemdesc.tiles.tile import Tile

NOTATIONS_SOURCE = (
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


def atoms_of(what: Tile | Operand) -> Operand | None:
    """Return a tile, or an operand, as the elements of its atoms; None in LBO mode absolute and for K-major
    128B_32B."""
    if isinstance(what, Tile):
        return what.buffer(what.start)
    return what if exists(what.mode.name, what.major) and not what.absolute else None


def layout_of(what: Tile | Operand) -> Mode | None:
    """Return the layout before the swizzle, MN and K to elements, as CUTLASS's ``tile_to_shape`` nests it.

    An 8-bit container counts as an element. None if the operand ends inside an atom in which it does not begin.
    """
    operand = atoms_of(what)
    return None if operand is None else _layout(operand, nested=isinstance(what, Tile))


def _layout(operand: Operand, *, nested: bool) -> Mode | None:
    dtype = operand.dtype
    modes: list[Leaf | Mode] = []
    for mode in operand._replace(dtype=dtype._replace(bits=dtype.storage)).modes:
        (inner, step, _), (_, stride, _) = mode.leaves
        count, rest = divmod(mode.extent, inner)
        atom = Leaf(min(inner, mode.extent), step // dtype.storage)
        if count and (rest or (count > 1 and stride % dtype.storage)):
            return None
        atoms = Leaf(count, stride // dtype.storage if count > 1 else 0)
        modes.append(Mode(atom, atoms) if count > 1 or (count and nested) else atom)
    return Mode(*modes)


def cute_text(what: Tile | Operand, *, start: int | None = None) -> str | None:
    """Return the layout as CUTLASS prints it: ``Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),...``.

    An operand is a tensor with its start address; a tile a layout without one, unless ``start`` (bytes) is given.
    """
    operand = atoms_of(what)
    layout = layout_of(what)
    if operand is None or layout is None:
        return None
    address = operand.start if start is None and isinstance(what, Operand) else start
    bits = operand.dtype.storage
    modes = _static(layout)
    swizzle = operand.swizzle
    if address is None:
        return f"Sw{swizzle.arguments} o smem_ptr[{bits}b](unset) o {modes}"
    if operand.phase:
        # The pattern does not begin at a multiple of its period: only a swizzle of offsets expresses that.
        into = (address - operand.phase) % operand.mode.period
        if into > address or bits > 64:
            return None
        inner = swizzle.recast(8, bits)
        return f"{_pointer(bits, address - into)} o Sw{inner.arguments} o _{into * 8 // bits} o {modes}"
    prefix = f"Sw{swizzle.arguments}_" if swizzle.b else ""
    return f"{prefix}{_pointer(bits, address)} o {modes}"


def _pointer(bits: int, address: int) -> str:
    place = f"0x{address:x}" if address else "(nil)"
    return f"smem_subptr[{bits}b]({place}.0)" if bits < 8 else f"smem_ptr[{bits}b]({place})"


def _static(layout: Mode) -> str:
    return re.sub("[0-9]+", r"_\g<0>", str(layout))


def dsl_text(what: Tile | Operand) -> str | None:
    """Return the layout as the CuTe DSL prints it: ``S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))``.

    It contains no address. None if the pattern does not begin at a multiple of its period.
    """
    operand = atoms_of(what)
    layout = layout_of(what)
    if operand is None or layout is None or operand.phase:
        return None
    return f"S{operand.swizzle.arguments} o 0 o {layout}"


def dsl_tensor_text(what: Tile | Operand) -> str | None:
    """Return the tensor as the CuTe DSL prints it: ``tensor<ptr<bf16, smem, align<1024>, S<3,4,3>> o ...>``."""
    operand = atoms_of(what)
    text = dsl_text(what)
    if operand is None or text is None:
        return None
    least = max(1024, operand.mode.period)
    align = gcd(operand.start or least, least)
    swizzle = f", S{operand.swizzle.arguments}" if operand.swizzle.b else ""
    name = DSL_TYPE[operand.dtype.name] if operand.dtype.storage == operand.dtype.bits else "i8"
    return f"tensor<ptr<{name}, smem, align<{align}>{swizzle}> o {text.split(' o ', 2)[2]}>"


def triton_encoding(what: Tile | Operand, operand: str = "a") -> str | None:
    """Return the Triton encoding: ``#ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}>``.

    ``operand``: ``a`` is a tensor MN x K, ``b`` one K x MN (:func:`triton_shape`). None for modes that
    Triton lacks, types in 12-byte containers and b1; if a side of the tensor is not a power of two; if atoms are not
    consecutive along the strided dimension first; and for more than one 16-byte column without swizzle, which Triton
    lays out row by row.
    """
    whole = atoms_of(what)
    if whole is None or whole.phase or whole.mode.triton is None or whole.dtype.name == "b1":
        return None
    if triton_shape(what, operand) is None:
        return None
    dtype, swizzle = whole.dtype, whole.mode.name
    padded = dtype.bits == 4 and dtype.storage == 8
    if (not whole.packed and not padded) or (padded and swizzle != "128B"):
        return None
    transposed = (whole.major == "MN") == (operand == "a")
    if not _by_lines(whole, transposed) or (swizzle == "none" and whole.extents[1] > whole.group):
        return None
    words = [
        f"swizzlingByteWidth = {whole.mode.triton}",
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
    whole = atoms_of(what)
    if whole is None:
        return None
    across, along = whole.extents
    along = max(along, whole.group) // (2 if whole.dtype.bits == 4 else 1)
    mn, k = (across, along) if whole.major == "K" else (along, across)
    if mn & (mn - 1) or k & (k - 1):
        return None
    return (mn, k) if operand == "a" else (k, mn)


def _by_lines(whole: Operand, transposed: bool) -> bool:
    """Whether atoms follow each other along the strided dimension first, as Triton lays them out."""
    (lines, along), (near, far), width = whole.extents, whole.strides, whole.mode.width
    if lines > whole.lines and near != width * whole.lines:
        return False
    # A block is at most 256 lines high, and blocks follow each other along dimension 0, which is contiguous here.
    if along > whole.group and lines > BOX and transposed:
        return False
    return along <= whole.group or far == width * max(lines, whole.lines)


def packed_text(swizzle: str, major: str, dtype: DType, extent: tuple[int, int], order: str) -> str:
    """Return the CuTe text of MN x K elements in atoms back to back, each extent rounded up to whole atoms or units.

    ``order``: ``mn`` or ``k``, along which dimension atoms are contiguous.
    """
    atom = atom_shape(swizzle, major, dtype)
    unit = 128 // dtype.storage
    rounded = []
    for name, size, whole in (("MN", extent[0], atom.mn), ("K", extent[1], atom.k)):
        least = unit if name == major else (8 if major == "K" else atom.k)
        step = least if size < whole else whole
        rounded.append(-(-size // step) * step)
    operand = AtomTiling(swizzle, major, dtype, AtomShape(*rounded), order, atom).operand()
    layout = _layout(operand, nested=False)
    assert layout is not None
    return f"Sw{operand.swizzle.arguments} o smem_ptr[{dtype.storage}b](unset) o {_static(layout)}"
