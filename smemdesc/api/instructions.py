"""``smemdesc.mma`` and ``smemdesc.plan``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from smemdesc.descriptors.result import with_text
from smemdesc.engine.errors import SmemdescError, keywords, named, option, together
from smemdesc.instructions.mma import CheckedMma, judge
from smemdesc.instructions.options import mma_of
from smemdesc.kinds import aliases, options

if TYPE_CHECKING:
    from smemdesc.instructions.plan import Plan
    from smemdesc.tiles.tensor_map import Map


@keywords
@together
def mma(
    *,
    a: int | str | None = None,
    b: int | str | None = None,
    idesc: int | str | None = None,
    mask: int | str | None = None,
    mma_kind: str | None = None,
    cta_group: int | None = None,
    ws: bool | None = None,
    scale_vec: int | None = None,
    qualifier: str | None = None,
    inst: options.Shape3 | None = None,
    dtype: str | None = None,
    d_type: str | None = None,
    trans_a: bool = False,
    trans_b: bool = False,
    sparse: bool = False,
    a_from: str | None = None,
    arch: str | None = None,
    a_tile: options.Shape | None = None,
    b_tile: options.Shape | None = None,
    a_map: Map | None = None,
    b_map: Map | None = None,
) -> CheckedMma:
    """Check one instruction and its operands together: ``smemdesc mma``.

    ``a``, ``b``, ``idesc`` and ``mask`` are the values, numbers or text as people paste it, unknown digits as ``?``. A
    ``tcgen05.mma`` has ``idesc``; ``mma_kind`` is its kind, or several, ``"f16,tf32"`` (left out: all that fit). A
    wgmma has ``inst``, its shape ``"m64n128k16"``, and ``dtype``, the type of A and B or of each, ``"e4m3,e5m2"``;
    ``trans_a`` and ``trans_b`` are its immediates: MN-major. ``a_from`` is ``smem``, ``registers`` or ``tmem``.
    ``a_tile`` and ``b_tile`` are the tiles in shared memory, MN x K in elements (of both CTAs), with settings as in
    ``"128x64,swizzle=64B,major=MN,order=k,at=0x400,dtype=bf16"``; ``a_map`` and ``b_map`` the tensor maps that write
    them: bytes, a number, or settings as text.

    :class:`smemdesc.engine.errors.SmemdescError` for what cannot be read, is missing, or contradicts the rest.
    """
    typed = locals()  # the keywords, all of them
    instruction = mma_of(typed)
    judged = judge(instruction)
    results = {name: with_text(result, typed[name], name) for name, result in judged.results.items()}
    return CheckedMma(instruction, judged._replace(**results))  # type: ignore[arg-type]


@keywords
@together
def plan(
    shape: options.Shape3,
    *,
    dtype: str,
    b_dtype: str | None = None,
    d_type: str | None = None,
    arch: str | None = None,
    mma_kind: str | None = None,
    a_major: str | None = None,
    b_major: str | None = None,
    trans_a: str | None = None,
    trans_b: str | None = None,
    swizzle: str | None = None,
    order: str | None = None,
    cta_group: int = 1,
    mma: options.Shape | options.Shape3 | None = None,
    stages: int = 1,
    a_from: str = "smem",
    sparse: bool = False,
    scale: str | None = None,
    block: int | None = None,
    a_address: options.Bytes | None = None,
    b_address: options.Bytes | None = None,
    gemm: options.Shape3 | None = None,
) -> Plan:
    """Compute every constant of a GEMM tile M x N x K (elements; of both CTAs with ``cta_group`` 2): ``smemdesc plan``.

    ``dtype`` is the type of A, and of B without ``b_dtype``. ``mma`` is M x N, or M x N x K, of one instruction, by
    default the largest that divides the tile; ``swizzle`` is by default the widest whose atoms divide each operand,
    ``order`` (``mn`` or ``k``) the order of a TMA box, ``a_major`` and ``b_major`` ``K``; ``trans_a`` and ``trans_b``
    (``N`` or ``T``) are the same in the terms of a column-major BLAS. ``a_from`` is ``smem``, ``registers`` (wgmma) or
    ``tmem`` (tcgen05). ``scale`` is the type of the scale factors of a block-scaled MMA (``ue8m0``, ``ue4m3``,
    ``ue5m3``), ``block`` the elements of K per factor (16 or 32). With ``a_address`` or ``b_address`` (bytes) the plan
    has the tensor map of that matrix, which is M x N x K ``gemm``, by default the tile.

    :class:`smemdesc.engine.errors.SmemdescError` says what does not exist or does not divide, and what to change;
    :class:`smemdesc.engine.errors.IllegalError` which rule forbids it.
    """
    from smemdesc.instructions import planning

    addresses = options.address("a_address", a_address), options.address("b_address", b_address)
    if gemm is not None and addresses == (None, None):
        hint = "give --a-address, --b-address or both as well"
        raise SmemdescError("--gemm is for tensor maps", hint=hint, keyword="gemm")
    result = planning.plan(
        options.needed("shape", options.shape3("shape", shape)),
        _type("dtype", dtype) or "",
        b_dtype=_type("b_dtype", b_dtype),
        d_type=_type("d_type", d_type),
        arch=options.arch("arch", arch),
        mma_kind=options.mma_kind("mma_kind", mma_kind),
        a_major=_major("a", a_major, trans_a),
        b_major=_major("b", b_major, trans_b),
        swizzle=options.swizzle("swizzle", swizzle),
        order=options.one_of("order", order, ("mn", "k")),
        cta_group=options.one_of("cta_group", cta_group, (1, 2)) or 1,
        mma=_instruction(mma),
        stages=options.count("stages", stages) or 1,
        a_from=options.one_of("a_from", a_from, ("smem", "shared", "registers", "tmem")) or "smem",
        sparse=bool(options.flag("sparse", sparse)),
        scale=options.one_of("scale", _type("scale", scale), ("ue8m0", "ue4m3", "ue5m3")),
        block=options.one_of("block", block, (16, 32)),
    )
    return planning.with_maps(result, addresses, options.shape3("gemm", gemm))


def _type(keyword: str, value: str | None) -> str | None:
    return None if value is None else named(keyword, aliases.dtype, options.text(keyword, value))


def _major(operand: str, major: str | None, trans: str | None) -> str:
    """Return the major-ness; BLAS has column-major matrices, so untransposed (N) A is MN-major, and B K-major."""
    name, trans_name = f"{operand}_major", f"trans_{operand}"
    by_major = options.major_named(name, major)
    word = options.one_of(trans_name, trans, ("N", "T"))
    by_trans = None if word is None else options.BLAS[operand, word]
    if by_major is not None and by_trans not in (None, by_major):
        raise SmemdescError(
            f"{option(name)} {by_major} and {option(trans_name)} {word} contradict each other",
            hint=f"{option(trans_name)} {word} is {option(name)} {by_trans}",
            keyword=name,
        )
    return by_major or by_trans or "K"


def _instruction(mma: options.Shape | options.Shape3 | None) -> tuple[int, ...] | None:
    """Return M x N or M x N x K of one instruction."""
    if isinstance(mma, str):
        three = mma.lower().count("x") == 2 or mma.lower().startswith("m")
    else:
        three = isinstance(mma, Sequence) and len(mma) == 3
    return options.shape3("mma", mma) if three else options.shape("mma", mma)  # type: ignore[arg-type]
