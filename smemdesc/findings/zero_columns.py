"""Rules for the zero-column mask descriptor."""

from __future__ import annotations

from functools import partial

from smemdesc.context import Context
from smemdesc.findings.base import Problem, Rule, error, note, rule, warning
from smemdesc.kinds.mask import SOURCE

WIDEST_SHIFT = 32
WIDEST_SHIFT_M32 = 16


def _shift(context: Context, shift: int) -> Problem | None:
    if shift > WIDEST_SHIFT:
        return error(f"column shift {shift}: the largest is {WIDEST_SHIFT}", fix=f"use 0..{WIDEST_SHIFT}")
    if shift > WIDEST_SHIFT_M32:
        return note(f"column shift {shift}: legal with M = 64 and 128, with M = 32 the largest is {WIDEST_SHIFT_M32}")
    return None


COLUMN_SHIFT = Rule(
    "column-shift", ("column_shift",), SOURCE, "The column shift is at most 32, with M = 32 at most 16.", _shift
)


def _past(
    i: int, context: Context, generate: bool, count: int, zeroed_first: bool, skip: int, use: int
) -> Problem | None:
    span, name = (skip, "skip_span") if zeroed_first else (use, "use_span")
    if not generate or count < span:
        return None
    return warning(
        f"start_count_{i} is {count}: the first span (first_span_{i} = {int(zeroed_first)}, {name}) has only "
        f"{span} column{'s' if span != 1 else ''}",
        "no document says what happens; by a simulator that cites hardware the span then ends after one column",
        f"use 0..{span - 1}",
    )


def _past_rule(i: int) -> Rule:
    return Rule(
        "start-count-past-span",
        ("non_zero_mask", f"start_count_{i}", f"first_span_{i}", "skip_span", "use_span"),
        SOURCE + " (silent); CUTLASS never emits it",
        "The start count of a sub-mask lies within its first span.",
        partial(_past, i),
        doubt=True,
    )


@rule(
    "non_zero_mask",
    "skip_span",
    "use_span",
    *(f"start_count_{i}" for i in range(4)),
    *(f"first_span_{i}" for i in range(4)),
    source=SOURCE,
    doubt=True,
)
def mask_off(context: Context, generate: bool, skip: int, use: int, *rest: int) -> Problem | None:
    """With non_zero_mask 0 the other fields have no effect (the column shift has)."""
    if generate or ((skip, use) == (1, 1) and not any(rest)):
        return None
    return note(
        "non_zero_mask is 0: no column is zeroed, whatever spans and counts say",
        "CUTLASS writes this for a filter column that needs no mask; else bit 39 was forgotten",
    )


RULES = (COLUMN_SHIFT, *(_past_rule(i) for i in range(4)), mask_off)
