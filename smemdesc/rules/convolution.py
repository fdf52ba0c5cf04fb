"""Rules that compare the zero-column mask of a filter column with the padding of its convolution."""

from __future__ import annotations

from smemdesc.layout.zero_columns import Comparison, FilterColumn, columns_phrase
from smemdesc.rules.base import Problem, case_rule, error, explained

PADDING = "the padding of the convolution"


@explained(
    "A column that reads outside its row of pixels has to be zeroed: shared memory has a pixel of another row there.",
    "smemdesc mask conv --q 255 --m 128 --n 128 --tile 1 --left 2 --filter 3 --expect 0x00fc010000000000",
    "--expect 0x007e008000000000",
)
@case_rule(PADDING)
def padding_not_zeroed(column: FilterColumn, comparison: Comparison) -> Problem | None:
    """The mask of a convolution zeroes every column of padding."""
    if not comparison.unmasked:
        return None
    likely = ""
    if not comparison.other.generated:
        likely = "CUTLASS's make_column_zero_mask turns the mask off up to skip_span - 1 columns too early"
    reads = f"{comparison.other.hex}: filter column {column.s} reads padding"
    message = f"{reads} in {columns_phrase(comparison.unmasked)}, which is not zeroed"
    return error(message, likely, f"use {column.mask.hex}")


@explained(
    "A column that reads a pixel of its own row must not be zeroed: the convolution would lose it.",
    "smemdesc mask conv --q 255 --m 128 --n 128 --tile 1 --left 2 --filter 3 --expect 0x007d018000000000",
    "--expect 0x007e008000000000",
)
@case_rule(PADDING)
def data_zeroed(column: FilterColumn, comparison: Comparison) -> Problem | None:
    """The mask of a convolution zeroes no column of data."""
    if not comparison.overmasked:
        return None
    reads = f"{comparison.other.hex}: filter column {column.s} reads data"
    message = f"{reads} in {columns_phrase(comparison.overmasked)}, which is zeroed"
    return error(message, fix=f"use {column.mask.hex}")


RULES = (padding_not_zeroed, data_zeroed)
