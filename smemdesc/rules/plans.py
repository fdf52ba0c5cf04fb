"""Rules about what the plan of a GEMM takes of an SM."""

from __future__ import annotations

from smemdesc.engine.wording import many
from smemdesc.kinds.tmem import COLUMNS
from smemdesc.rules.base import Problem, case_rule, error, explained, warning

SM_REGISTERS = 65_536
"""32-bit registers of an SM; no CTA gets more."""
_SPARE = SM_REGISTERS // 8
"""Registers that are not too many for all but D."""
SMALLER_TILE = "take a smaller tile"


@explained(
    "D of a wgmma is in the registers of its warpgroups: 32 bits per element, 16 for f16.",
    "smemdesc plan 512x256x64 --dtype bf16 --arch sm_90a",
    "128x256x64",
)
@case_rule("CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0")
def accumulator_registers(m: int, n: int, d_type: str) -> Problem | None:
    """D of a wgmma plan leaves some of the 65,536 registers of an SM for everything else (plan)."""
    registers = m * n // (2 if d_type == "f16" else 1)
    if registers <= SM_REGISTERS - _SPARE:
        return None
    left = "" if registers > SM_REGISTERS else f": {SM_REGISTERS - registers or 'none'} are left for everything else"
    message = f"D of {m}x{n} {d_type} takes {registers} registers; an SM has {SM_REGISTERS}{left}"
    return (error if registers >= SM_REGISTERS else warning)(message, fix=SMALLER_TILE)


@explained(
    "D of all MMAs of the tile stays in tensor memory during the loop over K, beside A and the scale factors if they "
    "are there.",
    "smemdesc plan 256x512x64 --dtype bf16",
    "256x256x64",
)
@case_rule("PTX ISA 9.1, 9.7.16.1")
def tensor_memory_columns(stages: int, d: int, a: int, scale: int, metadata: int) -> Problem | None:
    """D, A and the scale factors of a plan fit the 512 columns of a CTA's tensor memory (plan)."""
    columns = d + stages * a + scale + metadata
    if columns <= COLUMNS:
        return None
    parts = (
        ("D", d),
        (f"{many(stages, 'stage')} of A" if stages > 1 else "A", stages * a),
        ("the scale factors", scale),
        ("the metadata", metadata),
    )
    parts_text = ", ".join(f"{size} of {name}" for name, size in parts if size)
    message = f"{columns} columns of tensor memory are needed ({parts_text}), but a CTA has {COLUMNS}"
    most = (COLUMNS - columns + stages * a) // a if a else 0
    fix = f"use {many(most, 'stage')}{' or fewer' if most > 1 else ''}" if most > 0 else SMALLER_TILE
    return error(message, fix=fix)


RULES = (tensor_memory_columns, accumulator_registers)
