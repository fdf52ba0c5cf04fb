"""What a plan takes up: scale factors, tensor memory, shared memory."""

from __future__ import annotations

from smemdesc.findings.addresses import outside_shared_memory
from smemdesc.findings.base import Finding, error
from smemdesc.kinds.archs import shared_memory
from smemdesc.layout.scales import scales
from smemdesc.layout.tmem import Tmem, tmem
from smemdesc.phrases import many
from smemdesc.planning.choices import Choices
from smemdesc.planning.instructions import Instructions
from smemdesc.planning.made import Memory, Scale, Side, TensorMemory
from smemdesc.tiles.scales import copy_descriptor

RESERVED = 1024
"""Bytes of an SM's shared memory that no CTA gets."""
BARRIERS = 16
"""Bytes of a stage's two mbarriers: full, and empty."""


def scale(by: Instructions, m: int, n: int, k: int) -> Scale | None:
    """Return the scale factors of the tile; None where the kind has none."""
    of = by.of
    if of.mma_kind is None or of.block is None:
        return None
    whole_m, whole_n, whole_k = of.wish.shape
    # Each CTA of a pair scales its own rows of A, and all columns of B.
    a, b = (
        scales(
            rows,
            whole_k,
            of.mma_kind,
            operand=operand,
            block=of.block.size,
            one_k=k,
            sparse=of.wish.sparse,
        )
        for operand, rows in (("a", whole_m // of.wish.cta_group), ("b", whole_n))
    )
    idescs = tuple(by.idesc(m, n, k, scale_id=step.id) for step in a.steps)
    return Scale(of.scale_type(), a, b, copy_descriptor(), idescs)


def tensor_memory(of: Choices, mma: tuple[int, int, int], scale: Scale | None) -> TensorMemory:
    """Return what the tile takes of tensor memory."""
    wish, (m, n, _) = of.wish, mma
    group, sparse = wish.cta_group, wish.sparse
    d = tmem(m, n, dtype=of.d_type, mma_kind=of.mma_kind, cta_group=group, sparse=sparse)
    count = (wish.shape[0] // m) * (wish.shape[1] // n)
    # Two matrices that take half of the lanes each lie in the same columns.
    d_columns = -(-count // 2 if d.path.half else -count) * d.columns
    a: Tmem | None = None
    if wish.a_from == "tmem":
        a = tmem(
            m,
            n,
            operand="a",
            dtype=of.types[0].name,
            mma_kind=of.mma_kind,
            cta_group=group,
            sparse=sparse,
            k=wish.shape[2] // (2 if sparse else 1),
            limit=None,
        )
    along_m = wish.shape[0] // m
    factors = scale.a.columns + scale.b.columns if scale else 0
    return TensorMemory(d, d_columns, a, a.columns * along_m if a else 0, factors)


def memory(of: Choices, stage: int, a: Side | None, b: Side) -> Memory:
    """Return what the stages take of shared memory; ``stage`` is bytes of one, without its mbarriers."""
    limit = shared_memory(of.arch) - RESERVED
    align = max(side.alignment for side in (a, b) if side)

    def total(stages: int) -> int:
        return up(stages * (a.bytes if a else 0), align) + stages * (stage - (a.bytes if a else 0) + BARRIERS)

    most = 0
    while total(most + 1) <= limit:
        most += 1
    return Memory(stage, total(of.wish.stages), limit, most)


def too_much(of: Choices, memory: Memory) -> list[Finding]:
    """Return the finding that a CTA has less."""
    if memory.total <= memory.limit:
        return []
    fits = f"use {memory.most} stages or fewer" if memory.most else "take a smaller tile"
    stages = many(of.wish.stages, "stage")
    message = f"{stages} need {memory.total} B of shared memory, a CTA on {of.arch} has {memory.limit} B"
    return outside_shared_memory.dress(error(message, fix=fits, fields=()))


def up(size: int, step: int) -> int:
    """Return the first multiple of ``step`` that is not below ``size``."""
    return -(-size // step) * step
