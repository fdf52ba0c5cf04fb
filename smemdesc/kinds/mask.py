"""The 64-bit zero-column mask descriptor of ``tcgen05.mma.ws``."""

from __future__ import annotations

from smemdesc.engine.fields import CountMinusOne, Field, Flag, Number, Reserved, Table

MASK_SOURCE = "PTX ISA 9.1, 9.7.16.4.3, Table 45"
SPANS_SOURCE = (
    MASK_SOURCE + " (the table swaps the descriptions of skip_span and use_span; its examples and CUTLASS do not)"
)

PARTS = {128: 1, 64: 2, 32: 4}
"""The number of sub-masks of the N columns, for each M that has a mask."""
FEWEST_COLUMNS, MOST_COLUMNS = 8, 256
WIDEST_SHIFT = 32
WIDEST_SHIFT_M32 = 16

_START_COUNT = "columns of the pattern skipped by sub-mask {}"
_FIRST_SPAN = Flag("begins with used columns", "begins with zeroed columns")
_BEGINS = "what sub-mask {} begins with"
_NON_ZERO = Flag("no column is zeroed", "the pattern is generated", default=1)
_UNNAMED = Reserved("the PTX ISA does not name these bits; CUTLASS leaves them 0")

MASK = Table(
    "mask",
    64,
    (
        *(Field(f"start_count_{i}", 8 * i + 7, 8 * i, Number(), _START_COUNT.format(i), MASK_SOURCE) for i in range(4)),
        *(Field(f"first_span_{i}", 32 + i, 32 + i, _FIRST_SPAN, _BEGINS.format(i), MASK_SOURCE) for i in range(4)),
        Field("reserved_36", 38, 36, Reserved(), "reserved", "PTX ISA 9.3, Zero-column mask descriptor"),
        Field("non_zero_mask", 39, 39, _NON_ZERO, "whether a mask is generated", MASK_SOURCE),
        Field("skip_span", 47, 40, CountMinusOne(), "consecutive columns zeroed", SPANS_SOURCE),
        Field("use_span", 55, 48, CountMinusOne(), "consecutive columns used", MASK_SOURCE + ", as skip_span"),
        Field("column_shift", 61, 56, Number(), "column n of the MMA reads column n + shift of B", MASK_SOURCE),
        Field("reserved_62", 63, 62, _UNNAMED, "reserved", MASK_SOURCE),
    ),
)
