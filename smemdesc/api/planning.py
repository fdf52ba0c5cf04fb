"""``smemdesc.plan``: every constant of a GEMM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smemdesc.api.options.keywords import as_read, reads
from smemdesc.api.options.readers import required
from smemdesc.engine.errors import SmemdescError, option
from smemdesc.instructions.choices import Request
from smemdesc.instructions.plan import Plan
from smemdesc.instructions.planning import planned, with_maps
from smemdesc.kinds.names import BLAS
from smemdesc.reading.quantities import Bytes, Shape, Shape3

if TYPE_CHECKING:
    from smemdesc.api.options.literals import (
        MajorName,
        MmaKindName,
        ModeName,
        OrderName,
        PlaceName,
        TransName,
        TypeName,
    )


@reads()
def plan(
    shape: Shape3,
    dtype: TypeName | None = None,
    *,
    b_dtype: TypeName | None = None,
    d_type: str | None = None,
    arch: str | None = None,
    mma_kind: MmaKindName | None = None,
    a_major: MajorName | None = None,
    b_major: MajorName | None = None,
    trans_a: TransName | None = None,
    trans_b: TransName | None = None,
    swizzle: ModeName | None = None,
    order: OrderName | None = None,
    cta_group: int = 1,
    mma: Shape | Shape3 | None = None,
    stages: int = 1,
    a_from: PlaceName = "smem",
    sparse: bool = False,
    scale: str | None = None,
    block: int | None = None,
    a_address: Bytes | None = None,
    b_address: Bytes | None = None,
    gemm: Shape3 | None = None,
) -> Plan:
    """Compute every constant of a GEMM tile M x N x K (elements; of both CTAs with ``cta_group`` 2): ``smemdesc plan``.

    ``dtype`` is the type of A, and of B without ``b_dtype``; ``nvfp4``, ``mxfp4`` and ``mxfp8`` also set ``mma_kind``,
    ``scale`` and ``block``; an ``mma_kind`` that reads one type needs no ``dtype``. ``mma`` is M x N, or M x N x K, of
    one instruction, by default the largest that divides the tile; ``swizzle`` is by default the widest whose atoms
    divide each operand, ``order`` (``mn`` or ``k``) the order of a TMA box, ``a_major`` and ``b_major`` ``K``;
    ``trans_a`` and ``trans_b`` (``N`` or ``T``) are the same in the terms of a column-major BLAS. ``a_from`` is
    ``smem``, ``registers`` (wgmma) or ``tmem`` (tcgen05). ``scale`` is the type of the scale factors of a block-scaled
    MMA (``ue8m0``, ``ue4m3``, ``ue5m3``), ``block`` the elements of K per factor (16 or 32). With ``a_address`` or
    ``b_address`` (bytes) the plan has the tensor map of that matrix, which is M x N x K ``gemm``, by default the tile.

    :class:`smemdesc.engine.errors.SmemdescError` says what does not exist or does not divide, and what to change;
    :class:`smemdesc.engine.errors.IllegalError` which rule forbids it.
    """
    if gemm is not None and a_address is None and b_address is None:
        hint = "give --a-address, --b-address or both as well"
        raise SmemdescError("--gemm is for tensor maps", hint=hint, keyword="gemm")
    majors = _major("a", a_major, trans_a), _major("b", b_major, trans_b)
    request = Request(
        as_read(shape), required("dtype", dtype), b_dtype, d_type, arch, mma_kind, *majors, swizzle, order, cta_group,
        as_read(mma), stages, a_from, sparse, scale, block,
    )  # fmt: skip
    return with_maps(planned(request), (as_read(a_address), as_read(b_address)), as_read(gemm))


def _major(operand: str, major: str | None, trans: str | None) -> str:
    """Return the major-ness; BLAS has column-major matrices, so untransposed (N) A is MN-major, and B K-major."""
    name, trans_name = f"{operand}_major", f"trans_{operand}"
    by_trans = trans and BLAS[operand, trans]
    if major is not None and by_trans not in (None, major):
        raise SmemdescError(
            f"{option(name)} {major} and {option(trans_name)} {trans} contradict each other",
            hint=f"{option(trans_name)} {trans} is {option(name)} {by_trans}",
            keyword=name,
        )
    return major or by_trans or "K"
