"""From the tile of a GEMM to every constant of it: instruction, descriptors, layouts, tensor maps, shared memory."""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.instructions.mma import Mma, Operand, judge
from smemdesc.instructions.planning.choices import Choices, Wish
from smemdesc.instructions.planning.instructions import Instructions
from smemdesc.instructions.planning.made import Factors, Memory, Plan, Scale, Side, TensorMemory
from smemdesc.instructions.planning.memory import BARRIERS, memory, offsets, scale, tensor_memory, too_much
from smemdesc.instructions.planning.sides import side
from smemdesc.rules.base import NOTE

__all__ = ["BARRIERS", "Factors", "Memory", "Plan", "Scale", "Side", "TensorMemory", "plan"]

_FROM = {"smem": "shared", "shared": "shared", "registers": "registers", "tmem": "tmem"}


def plan(
    shape: tuple[int, int, int],
    dtype: str,
    *,
    b_dtype: str | None = None,
    d_type: str | None = None,
    arch: str | None = None,
    mma_kind: str | None = None,
    a_major: str = "K",
    b_major: str = "K",
    swizzle: str | None = None,
    order: str | None = None,
    cta_group: int = 1,
    mma: tuple[int, ...] | None = None,
    stages: int = 1,
    a_from: str = "shared",
    sparse: bool = False,
    scale: str | None = None,
    block: int | None = None,
) -> Plan:
    """Return every constant of the tile M x N x K (elements; of both CTAs with ``cta_group`` 2).

    ``dtype`` is the type of A, and of B without ``b_dtype``. ``mma`` is M, N (and K) of one instruction: left out,
    the largest that divides the tile. ``swizzle`` left out is the widest of which each operand is a multiple;
    ``order`` left out is that of a TMA box. ``a_from`` is ``shared``, ``registers`` (wgmma) or ``tmem`` (tcgen05).
    ``scale`` is the type of the scale factors of a block-scaled MMA, ``ue8m0`` or ``ue4m3``, and ``block`` how many
    elements of K share one (16 or 32): the one that the type has, the larger of two, if left out.

    :class:`smemdesc.engine.errors.SmemdescError` says what does not exist or does not divide, and what to change;
    :class:`smemdesc.engine.errors.IllegalError` which rule forbids it.
    """
    wish = Wish(
        shape,
        dtype,
        b_dtype,
        d_type,
        arch,
        mma_kind,
        a_major.upper(),
        b_major.upper(),
        swizzle,
        order,
        cta_group,
        mma,
        stages,
        _FROM.get(a_from, a_from),
        sparse,
        scale,
        block,
    )
    by = Instructions(Choices(wish))
    mma_shape, a, b = _chosen(by)
    return _plan(by, mma_shape, a, b)


def _chosen(by: Instructions) -> tuple[tuple[int, int, int], Side | None, Side]:
    """Return M, N and K of the instruction, and its operands: as asked, else the largest that divides the tile."""
    wish = by.of.wish
    k = by.k()
    m, n, whole_k = wish.shape
    if whole_k % k:
        raise SmemdescError(
            f"K = {whole_k} of the tile is not a multiple of {k}, K of one {'sparse ' if wish.sparse else ''}"
            f"instruction on {by.of.types[0].name}",
            hint=f"use a multiple of {k}",
        )
    asked = (wish.mma[0], wish.mma[1]) if wish.mma is not None else None
    first: SmemdescError | None = None
    for one_m, one_n in by.shapes():
        if m % one_m or n % one_n or asked not in (None, (one_m, one_n)) or not by.exists(one_m, one_n, k):
            continue
        try:
            a, b = (side(by.of, name, (one_m, one_n, k)) for name in ("a", "b"))
        except SmemdescError as error:
            first = first or error
            continue
        assert b is not None
        return (one_m, one_n, k), a, b
    if first is not None:
        raise first
    legal = [each for each in by.shapes() if asked in (None, each) and by.exists(*each, k)]
    if not legal:
        by.refuse_shape(*(asked or next(by.shapes())), k)
    raise by.indivisible(legal, asked is not None)


def _plan(by: Instructions, mma_shape: tuple[int, int, int], a: Side | None, b: Side) -> Plan:
    of, wish = by.of, by.of.wish
    idesc = None if of.hopper else by.idesc(*mma_shape)
    factors = scale(by, *mma_shape)
    taken = memory(of, a, b, factors)
    _, of_b, of_a_factors, of_b_factors, _ = offsets(wish.stages, a, b, factors)
    b = b._replace(offset=of_b)
    if factors is not None:
        factors = factors._replace(a=factors.a._replace(offset=of_a_factors), b=factors.b._replace(offset=of_b_factors))
    tensor = None if of.hopper else tensor_memory(of, mma_shape, factors)
    mma = Mma(
        by.instruction(*mma_shape),
        None if a is None else _whole(a.base, 64),
        _whole(b.base, 64),
        None if idesc is None else _whole(idesc, 32),
        None,
        of.arch,
    )
    # The operands begin at byte 0 here; where a whole tile lies is the memory's business.
    found = [each for _, each in judge(mma).findings if each.rule != "tile-and-box"]
    found += [each for side in (a, b) if side for each in side.tile.findings if each not in found]
    found = [each for each in found if each.rule != "outside-shared-memory"]
    found += too_much(of, taken, tensor)
    return Plan(
        of.arch,
        mma,
        by.mnemonic(*mma_shape, factors.a.scales if factors else None),
        wish.shape,
        mma_shape,
        wish.cta_group,
        idesc,
        a,
        b,
        wish.stages,
        factors,
        taken,
        tensor,
        tuple(each for each in found if each.severity != NOTE),
    )


def _whole(value: int, width: int) -> Operand:
    return Operand(value, ones(width))
