"""The element types of operands, their width in shared memory, and the scale factors of block-scaled kinds."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Enum
from smemdesc.engine.wording import either, nearest
from smemdesc.kinds import aliases
from smemdesc.kinds.formats import SCALED_FORMATS, ScaledFormat, format_of
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import MMA_KINDS, PACKED_FP4


class DType(NamedTuple):
    """An operand type. ``bits`` of one element, ``storage`` bits that it occupies in shared memory."""

    name: str
    bits: int
    storage: int
    wgmma: bool
    tcgen05: bool
    k: int
    """K of the dense instruction, in elements."""


TYPES_SOURCE = "PTX ISA 9.1, 9.7.15.2 and 9.7.16.2; 9.3, 9.7.17.10.4"

DTYPES = (
    DType("f16", 16, 16, True, True, 16),
    DType("bf16", 16, 16, True, True, 16),
    DType("tf32", 32, 32, True, True, 8),
    DType("e4m3", 8, 8, True, True, 32),
    DType("e5m2", 8, 8, True, True, 32),
    DType("s8", 8, 8, True, True, 32),
    DType("u8", 8, 8, True, True, 32),
    DType("b1", 1, 1, True, False, 256),
    DType("e2m3", 6, 8, False, True, 32),
    DType("e3m2", 6, 8, False, True, 32),
    DType("e2m1", 4, 8, False, True, 32),
    DType("s1z4m11", 16, 16, False, True, 16),
)
PACKED_E2M1 = DType("e2m1", 4, 4, False, True, 64)
"""E2M1 of kind::mxf4 and kind::mxf4nvf4: two elements per byte, no padding."""

ACCUMULATED = (DType("f32", 32, 32, False, False, 0), DType("s32", 32, 32, False, False, 0))
"""Types of D that no operand has; an epilogue stores them in shared memory."""

DTYPE_NAMES = tuple(dtype.name for dtype in DTYPES)
_BY_NAME = {dtype.name: dtype for dtype in DTYPES}


def dtype_of(name: str, mma_kind: str | None = None) -> DType:
    """Return a type by its PTX name. ``e2m1`` is in 8-bit containers unless the MMA kind, or a format, packs it."""
    scaled = format_of(name)
    if scaled is not None:
        mma_kind = kind_of_format(scaled, mma_kind)
    dtype = _BY_NAME.get(aliases.dtype_alias(name))
    if dtype is None and aliases.dtype_alias(name) == "f32":
        raise SmemdescError(f"{name} is a type of D, not of A or B", hint="A and B of 32-bit floats are tf32")
    if dtype is None:
        raise SmemdescError(
            f"unknown operand type {name!r}",
            hint=nearest(
                name,
                (
                    *DTYPE_NAMES,
                    *(row.name for row in SCALED_FORMATS),
                    *(alias for alias, own in aliases.DTYPE_ALIASES.items() if own in DTYPE_NAMES),
                ),
                f"the types are {', '.join(DTYPE_NAMES)}",
            ),
        )
    return PACKED_E2M1 if dtype.name == "e2m1" and mma_kind in PACKED_FP4 else dtype


def stored_type(name: str, mma_kind: str | None = None) -> DType:
    """Return a type of elements in shared memory: of an operand, or of D."""
    of_d = {dtype.name: dtype for dtype in ACCUMULATED}.get(aliases.dtype_alias(name))
    return of_d or operand_type(name, mma_kind)


def operand_type(name: str, mma_kind: str | None = None) -> DType:
    """Return :func:`dtype_of`; :class:`smemdesc.engine.errors.SmemdescError` for a type that the MMA kind does not
    read."""
    dtype = dtype_of(name, mma_kind)
    if mma_kind is None or dtype.name in read_by(mma_kind):
        return dtype
    others = [kind for kind in MMA_KINDS if dtype.name in read_by(kind)]
    instead = f"no MMA kind reads {dtype.name}" + (", but wgmma does (--arch sm_90a)" if dtype.wgmma else "")
    instead = f"--mma-kind {' or '.join(others)} does" if others else instead
    raise SmemdescError(
        f"kind::{mma_kind} reads no {dtype.name} operands",
        hint=f"it reads {', '.join(read_by(mma_kind))} (--dtype); {instead}",
    )


def type_of_kind(mma_kind: str) -> str | None:
    """Return the operand type of an MMA kind that reads only one; None of the others."""
    names = read_by(mma_kind)
    return names[0] if len(names) == 1 else None


def read_by(mma_kind: str) -> tuple[str, ...]:
    """Return the operand types for which an MMA kind's instruction descriptor has codes."""
    return types_of(kind_of("idesc", mma_kind), "a_type")


def types_of(kind: Kind, key: str) -> tuple[str, ...]:
    """Return the types for which a field of an instruction descriptor has codes. Without the field there are none, or D
    is f32."""
    row = kind.table.by_key.get(key)
    if row is None:
        return ("f32",) if key == "d_type" else ()
    assert isinstance(row.codec, Enum)
    return tuple(str(code.name) for code in row.codec.codes)


def kind_of_format(scaled: ScaledFormat, mma_kind: str | None) -> str:
    """Return the MMA kind of a format: the one given, or its own. :class:`smemdesc.engine.errors.SmemdescError` for one
    that does not multiply it."""
    kinds = kinds_of_format(scaled)
    if mma_kind not in (None, *kinds):
        raise SmemdescError(
            f"kind::{mma_kind} does not multiply {scaled.name} ({scaled.text})",
            hint=f"--mma-kind {either(kinds)} does; without scale factors it is {scaled.dtype}",
        )
    return mma_kind or scaled.mma_kind


def kinds_of_format(scaled: ScaledFormat) -> list[str]:
    """Return the MMA kinds that have the element type, the scale type and the block of a format."""
    rows = [row for row in BLOCKS if row.size == scaled.block and scaled.scale in row.types]
    return [row.mma_kind for row in rows if scaled.dtype in read_by(row.mma_kind)]


class Blocks(NamedTuple):
    """Factors for blocks of ``size`` elements of K (dense); a sparse A has twice as many elements per
    factor. Source: PTX ISA 9.3, Tables 59 and 60."""

    mma_kind: str
    size: int
    types: tuple[str, ...]
    """Types of the factors, the common one first."""
    types_107: tuple[str, ...] = ()
    """Additional types on sm_107."""


BLOCKS = (
    Blocks("mxf8f6f4", 32, ("ue8m0",)),
    Blocks("mxf4", 32, ("ue8m0",)),
    Blocks("mxf4nvf4", 16, ("ue4m3", "ue8m0"), ("ue5m3",)),
    Blocks("mxf4nvf4", 32, ("ue8m0",), ("ue4m3", "ue5m3")),
)
"""The first block size of a kind is its default."""

VECTORS = (1, 2, 4)
"""Factors per row of one instruction that have a ``.scale_vec::NX``; every size has its ``.blockN``."""


def block_rows(mma_kind: str) -> tuple[Blocks, ...]:
    """Return the rows of a kind; empty if it takes no scale factors."""
    return tuple(block for block in BLOCKS if block.mma_kind == mma_kind)
