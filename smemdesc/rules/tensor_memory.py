"""Rules for tensor-memory addresses."""

from __future__ import annotations

from smemdesc.kinds.context import Context
from smemdesc.kinds.tmem import COLUMNS, HALF_WARP, LANES, TMEM_SOURCE
from smemdesc.rules.base import Problem, error, explained, note, rule

_BYTE = 1 << 14
"""The byte of a scale factor in an address of CUTLASS: bits 30-31."""


@explained(
    "The lane is in bits 31-16, the column in bits 15-0. A column shifted too far, or a carry out of the column, "
    "gives a lane that does not exist.",
    "smemdesc decode --kind tmem 0x01000000",
    "lane=0 column=256",
)
@rule("lane", source=TMEM_SOURCE)
def lane_range(_: Context, lane: int) -> Problem | None:
    """The lane is 0 to 127."""
    if lane < LANES:
        return None
    byte, below = divmod(lane, _BYTE)
    if below < LANES:
        return note(
            f"lane {below}, and bits 30-31 are {byte}: CUTLASS keeps the byte of a scale factor there",
            source="CUTLASS make_runtime_instr_desc_block_scaled",
        )
    return error(f"lane {lane}: tensor memory has lanes 0 to {LANES - 1}", fix=f"use 0..{LANES - 1}")


@explained(
    "Columns count words of 32 bits. A byte offset added to an address moves the column four times too far.",
    "smemdesc decode --kind tmem 0x00000400",
    "column=256",
)
@rule("column", source=TMEM_SOURCE)
def column_range(_: Context, column: int) -> Problem | None:
    """The column is 0 to 511."""
    if column < COLUMNS:
        return None
    return error(f"column {column}: tensor memory has columns 0 to {COLUMNS - 1}", fix=f"use 0..{COLUMNS - 1}")


@explained(
    "A warp reaches 32 lanes of tensor memory and moves 32 or 16 of them at once; D of M = 64 begins at lane 0 or 16. "
    "The address of a single element may be anywhere.",
    "smemdesc decode --kind tmem 0x00010000",
    "lane=16",
)
@rule("lane", source="PTX ISA 9.1, 9.7.16.2.3 and 9.7.16.10.5")
def lane_in_warp(_: Context, lane: int) -> Problem | None:
    """MMAs, loads and stores begin at lane 0 or 16 of a warp's 32 lanes: at a multiple of 16."""
    if lane % HALF_WARP == 0:
        return None
    return note(f"lane {lane}: MMAs, loads and stores begin at a multiple of {HALF_WARP}")


RULES = (lane_range, column_range, lane_in_warp)
