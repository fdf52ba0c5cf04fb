"""Rules for the zero-column mask descriptor."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from smemdesc.engine.wording import many
from smemdesc.kinds.context import Context
from smemdesc.kinds.mask import FEWEST_COLUMNS, MASK_SOURCE, MOST_COLUMNS, PARTS, WIDEST_SHIFT, WIDEST_SHIFT_M32
from smemdesc.rules.asks import NEEDS_COLUMNS, SUB_MASKS
from smemdesc.rules.base import Example, Problem, Repair, Rule, error, explained, note, rule, warning

WS_COLUMNS = (64, 128, 256)


@explained(
    "Column n of the MMA reads column n + shift of B. The hardware shifts by at most 32 columns, with M = 32 by at "
    "most 16.",
    "smemdesc decode --kind mask --m 64 0x2103028000000000",
    "column_shift=32",
)
@rule("column_shift", source=MASK_SOURCE, asks=(SUB_MASKS,))
def column_shift(context: Context, shift: int) -> Problem | None:
    """The column shift is at most 32, with M = 32 at most 16."""
    if shift > WIDEST_SHIFT:
        widest = WIDEST_SHIFT_M32 if context.m == 32 else WIDEST_SHIFT
        return error(f"column shift {shift}: the largest is {widest}", fix=f"use 0..{widest}")
    if shift > WIDEST_SHIFT_M32 and context.m == 32:
        return error(
            f"column shift {shift}: with M = 32 the largest is {WIDEST_SHIFT_M32}", fix=f"use 0..{WIDEST_SHIFT_M32}"
        )
    if shift > WIDEST_SHIFT_M32 and context.m is None:
        return note(f"column shift {shift}: legal with M = 64 and 128, with M = 32 the largest is {WIDEST_SHIFT_M32}")
    return None


def _parts(context: Context) -> int:
    """How many sub-masks can have an effect: all four where M is not known."""
    return PARTS.get(context.m, 4) if context.m else 4


def _past(
    i: int, context: Context, generate: bool, count: int, zeroed_first: bool, skip: int, use: int
) -> Problem | None:
    span, name = (skip, "skip_span") if zeroed_first else (use, "use_span")
    if not generate or count < span or i >= _parts(context):
        return None
    return warning(
        f"start_count_{i} is {count}: the first span (first_span_{i} = {int(zeroed_first)}, {name}) has only "
        f"{many(span, 'column')}",
        "not documented; a simulator based on hardware ends the span after one column",
        f"use 0..{span - 1}" if span > 1 else "use 0",
        fields=(f"start_count_{i}",),
        repair=Repair(f"start_count_{i}", 0) if span == 1 else None,
    )


def _past_rule(i: int) -> Rule:
    return Rule(
        "start-count-past-span",
        ("non_zero_mask", f"start_count_{i}", f"first_span_{i}", "skip_span", "use_span"),
        MASK_SOURCE + " (silent); CUTLASS never emits it",
        "The start count of a sub-mask lies within its first span.",
        partial(_past, i),
        doubt=True,
        asks=(SUB_MASKS,),
        example=Example(
            "The start count says how many columns of the first span are left out. What a count past the end of that "
            "span does is not documented.",
            "smemdesc decode --kind mask 0x0003028000000004",
            "start_count_0=3",
        ),
    )


_COUNTS = (*(f"start_count_{i}" for i in range(4)), *(f"first_span_{i}" for i in range(4)))


@explained(
    "Bit 39 turns the mask on. Without it no column is zeroed and the spans have no effect; the column shift has.",
    "smemdesc decode --kind mask 0x0003020000000000",
    "non_zero_mask=true",
)
@rule("non_zero_mask", "skip_span", "use_span", *_COUNTS, source=MASK_SOURCE)
def mask_off(_: Context, generate: bool, skip: int, use: int, *counts: int) -> Problem | None:
    """With non_zero_mask 0 the spans have no effect (the column shift has)."""
    if generate or (skip, use) == (1, 1) or any(counts):
        return None
    return note(
        "non_zero_mask (bit 39) is 0: no column is zeroed and the spans are ignored, as CUTLASS writes for a "
        "filter column that needs no mask"
    )


@explained(
    "Start counts and first spans do nothing while bit 39 is 0. A value with such counts is a mask that lacks bit 39, "
    "or not a mask.",
    "smemdesc decode --kind mask 0x0003020000000001",
    "non_zero_mask=true",
)
@rule("non_zero_mask", *_COUNTS, source=MASK_SOURCE, doubt=True)
def mask_off_with_counts(_: Context, generate: bool, *counts: int) -> Problem | None:
    """With non_zero_mask 0, start counts and first spans have no effect and are 0."""
    if generate or not any(counts):
        return None
    return note("non_zero_mask (bit 39) is 0: no column is zeroed; spans and counts are ignored")


@explained(
    "M divides the N columns into 1, 2 or 4 sub-masks of equal width. Columns outside them are never zeroed.",
    "smemdesc decode --kind mask --m 32 --n 66 0x0003028000000000",
    "--n 64",
)
@rule(
    source=MASK_SOURCE,
    asks=(
        SUB_MASKS,
        NEEDS_COLUMNS,
    ),
)
def mask_size(context: Context) -> Iterator[Problem]:
    """M is 32, 64 or 128; N is 8 to 256 and a multiple of the number of sub-masks."""
    m, n = context.m, context.n
    if m is not None and m not in PARTS:
        yield error(f"M = {m}: no zero-column mask exists", fix="use M = 32, 64 or 128 (tcgen05.mma.ws)")
    if n is None:
        return
    if not FEWEST_COLUMNS <= n <= MOST_COLUMNS:
        yield error(f"N = {n}: a mask has {FEWEST_COLUMNS} to {MOST_COLUMNS} columns")
    elif m in PARTS and n % PARTS[m]:
        yield error(
            f"N = {n} is not a multiple of the {PARTS[m]} sub-masks of M = {m}",
            f"with {n // PARTS[m]} columns each, the last {n % PARTS[m]} are in no sub-mask",
        )
    elif n not in WS_COLUMNS:
        yield note(
            f"N = {n}: tcgen05.mma.ws, the only instruction with a mask, has N = 64, 128 and 256 only",
            source="PTX ISA 9.3, Table 42",
        )


@explained(
    "M = 128 has one sub-mask, M = 64 two, M = 32 four. Start counts of the others have no effect: the descriptor was "
    "made for another M.",
    "smemdesc decode --kind mask --m 128 0x0003028000000100",
    "start_count_1=0",
)
@rule(
    *(f"start_count_{i}" for i in range(4)),
    *(f"first_span_{i}" for i in range(4)),
    source=MASK_SOURCE,
    asks=(SUB_MASKS,),
)
def unused_sub_mask(context: Context, *values: int) -> Problem | None:
    """Start counts and first spans of sub-masks that M does not have are 0."""
    parts = _parts(context)
    if parts == 4:
        return None
    fields = tuple(
        name for index, (name, value) in enumerate(zip(_COUNTS, values, strict=True)) if index % 4 >= parts and value
    )
    if not fields:
        return None
    return note(
        f"{', '.join(fields)}: no effect, M = {context.m} has {many(parts, 'sub-mask')}",
        fields=fields,
    )


RULES = (column_shift, *(_past_rule(i) for i in range(4)), mask_off, mask_off_with_counts, mask_size, unused_sub_mask)
