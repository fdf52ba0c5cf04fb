"""What a plan takes up: scale factors, tensor memory, shared memory, registers; and whether there is so much."""

from __future__ import annotations

from smemdesc.engine.wording import many
from smemdesc.instructions.planning.choices import Choices
from smemdesc.instructions.planning.instructions import Instructions
from smemdesc.instructions.planning.made import Factors, Memory, Scale, Side, TensorMemory
from smemdesc.kinds.archs import shared_memory
from smemdesc.layout.scales import WARP, copy_descriptor, scales
from smemdesc.layout.tmem import COLUMNS, Tmem, tmem
from smemdesc.rules.addresses import outside_shared_memory
from smemdesc.rules.base import ERROR, Finding, error

RESERVED = 1024
"""Bytes of an SM's shared memory that no CTA gets."""
BARRIERS = 16
"""Bytes of a stage's two mbarriers: full, and empty."""
REGISTERS = 65_536
"""32-bit registers of an SM; no CTA gets more."""


def scale(by: Instructions, m: int, n: int, k: int) -> Scale | None:
    """Return the scale factors of the tile; None where the kind has none."""
    of = by.of
    if of.mma_kind is None or of.block is None:
        return None
    whole_m, whole_n, whole_k = of.wish.shape
    # Each CTA of a pair scales its own rows of A, and all columns of B.
    group, kind, block = of.wish.cta_group, of.mma_kind, of.block.size

    def factors(operand: str, rows: int, one: int) -> Factors:
        count = rows // one
        # An instruction takes its factors from lane 0 on: steps that begin elsewhere have no block in common.
        sets = count if one % WARP else 1
        each = scales(rows // sets, whole_k, kind, operand=operand, block=block, one_k=k, sparse=of.wish.sparse)
        added = [step * each.columns if sets > 1 else each.begins(step * one) for step in range(count)]
        return Factors(each, sets, tuple(column for column in added if column is not None))

    a, b = factors("a", whole_m // group, m // group), factors("b", whole_n, n)
    idescs = tuple(by.idesc(m, n, k, scale_id=step.id) for step in a.scales.steps)
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


def offsets(stages: int, a: Side | None, b: Side, scale: Scale | None) -> tuple[int, ...]:
    """Return where the first stages of A, of B and of the scale factors of both begin, and the mbarriers."""
    of_b = up(stages * a.bytes, b.alignment) if a else 0
    of_scale = of_b + stages * b.bytes
    a_factors, b_factors = (scale.a.bytes, scale.b.bytes) if scale else (0, 0)
    return 0, of_b, of_scale, of_scale + stages * a_factors, of_scale + stages * (a_factors + b_factors)


def memory(of: Choices, a: Side | None, b: Side, scale: Scale | None) -> Memory:
    """Return what the stages take of shared memory."""
    limit = shared_memory(of.arch) - RESERVED
    stage = b.bytes + (a.bytes if a else 0) + (scale.bytes if scale else 0)

    def total(stages: int) -> int:
        return offsets(stages, a, b, scale)[-1] + stages * BARRIERS

    most = limit // (stage + BARRIERS)
    while most and total(most) > limit:
        most -= 1
    stages = of.wish.stages
    return Memory(stage, total(stages), offsets(stages, a, b, scale)[-1], limit, most)


def too_much(of: Choices, memory: Memory, tensor: TensorMemory | None) -> list[Finding]:
    """Return what says that a CTA has less."""
    found = []
    if memory.total > memory.limit:
        most = f"use {many(memory.most, 'stage')}" + (" or fewer" if memory.most > 1 else "")
        need = "1 stage needs" if of.wish.stages == 1 else f"{of.wish.stages} stages need"
        message = f"{need} {memory.total} B of shared memory, a CTA on {of.arch} has {memory.limit} B"
        fits = most if memory.most else _SMALLER
        found += outside_shared_memory.dress(error(message, fix=fits, fields=()))
    if tensor is not None and tensor.columns > COLUMNS:
        parts = (("D", tensor.d_columns), ("A", tensor.a_columns), ("the scale factors", tensor.scale_columns))
        taken = ", ".join(f"{columns} of {name}" for name, columns in parts if columns)
        message = f"{tensor.columns} columns of tensor memory are needed ({taken}), a CTA has {COLUMNS}"
        found.append(Finding(ERROR, "tensor-memory-columns", (), message, fix=_SMALLER, source=TMEM))
    m, n, _ = of.wish.shape
    registers = m * n // (2 if of.d_type == "f16" else 1)
    if of.hopper and registers > REGISTERS:
        message = f"D of {m}x{n} {of.d_type} takes {registers} registers, an SM has {REGISTERS}"
        found.append(Finding(ERROR, "accumulator-registers", (), message, fix=_SMALLER, source=CAPABILITIES))
    return found


_SMALLER = "take a smaller tile"
TMEM = "PTX ISA 9.1, 9.7.16.1"
CAPABILITIES = "CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0"


def up(size: int, step: int) -> int:
    """Return the first multiple of ``step`` that is not below ``size``."""
    return -(-size // step) * step
