"""Rules for the instruction descriptor of an instruction whose types, major-ness or shape were given."""

from __future__ import annotations

from functools import partial

from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import either, join_and
from smemdesc.kinds.context import Context
from smemdesc.kinds.idesc import K_DENSE, SHAPE_SOURCE
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.shapes import allowed_rows, k_of
from smemdesc.kinds.types import types_of
from smemdesc.rules.asks import GIVEN_K, GIVEN_M, GIVEN_N, NEEDS_MAJORS, NEEDS_TYPES
from smemdesc.rules.base import Example, Problem, Repair, Rule, error

_TABLES = "PTX ISA 9.3, Tables 45 to 47"


def _type(key: str, context: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    if context.both_types is None or not reading.settled:
        return None
    asked, name = context.both_types[key == "b_type"].name, key[0].upper()
    if reading.value == asked:
        return None
    message = f"{name} is {'undefined' if reading.value is None else reading.value}, not {asked}"
    types = types_of(kind, key)
    if asked not in types:
        return error(f"{message}, which kind::{kind.mma_kind} does not read", fix=f"it reads {join_and(types)}")
    return error(message, repair=Repair(key, asked))


def _major(key: str, context: Context, transposed: bool) -> Problem | None:
    asked = context.majors and context.majors[key == "transpose_b"]
    if not asked or transposed == (asked == "MN"):
        return None
    is_major = "MN" if transposed else "K"
    return error(f"{key[-1].upper()} is {is_major}-major, not {asked}-major", repair=Repair(key, not transposed))


def _rows(key: str, context: Context, kind: Kind, reading: FieldReading) -> Problem | None:
    asked = context.given_m if key == "m" else context.given_n
    if not asked or not reading.settled or reading.value == asked:
        return None
    mma_kind = str(kind.mma_kind)
    rows = (row for sparse in (False, True) for row in allowed_rows(mma_kind, sparse, context))
    message = f"{key.upper()} = {reading.value}, not {asked}"
    twice = key == "m" and reading.value == 2 * asked and context.cta_group != 1
    likely = f"{asked} are the rows of each CTA: with cta_group::2 M is that of both" if twice else ""
    if any(asked in (row.m if key == "m" else row.n) for row in rows):
        return error(message, likely, repair=Repair(key, asked))
    return error(f"{message}, which kind::{mma_kind} does not have", likely)


def _depth(context: Context, kind: Kind, sparse: FieldReading, *code: FieldReading) -> Problem | None:
    asked = context.given_k
    if not asked or not sparse.settled or (code and not isinstance(code[0].value, int)):
        return None
    is_sparse, mma_kind = bool(sparse.value), str(kind.mma_kind)
    held = code[0].value if code else K_DENSE[mma_kind] * (2 if is_sparse else 1)
    if held == asked:
        return None
    words, others = ("sparse", "dense") if is_sparse else ("dense", "sparse")
    message = f"K = {held} ({words}), not {asked}"
    here, there = (k_of(kind, sparse_or_not, context.arch) for sparse_or_not in (is_sparse, not is_sparse))
    if asked in here:
        return error(message, fields=("k",), repair=Repair("k", asked) if len(code) == 1 else None)
    if asked in there:
        repair = None if code else Repair("sparse", not is_sparse)
        return error(message, f"{asked} is the K of a {others} instruction", fields=("sparse",), repair=repair)
    every = f"it is {either(here)} {words}, {either(there)} {others}"
    return error(f"{message}, which kind::{mma_kind} does not have", fix=every, fields=("sparse",))


_TYPES = Example(
    "The codes of the types depend on the MMA kind: 0 is f16 under one, e4m3 under another. Elements of another type "
    "are multiplied without an error.",
    "smemdesc decode --mma-kind f16 --dtype bf16 0x08200010",
    "a_type=bf16 b_type=bf16",
)
_MAJORS = Example(
    "The transpose bits say how A and B lie in shared memory. A wrong one reads the operand in another order.",
    "smemdesc decode --kind idesc --mma-kind f16 --trans-b T 0x08200490",
    "transpose_b=true",
)
_SHAPE = Example(
    "M and N are in the instruction descriptor; the MMA kind, the sparsity and, for some kinds, a field decide K. "
    "Another M or N computes another part of D.",
    "smemdesc decode --mma-kind f16 --shape 128x64x16 0x08200490",
    "n=64",
)


def given_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of an instruction descriptor."""
    table = kind.table.by_key
    depth = ("sparse", *(key for key in ("k", "k_upper") if key in table))
    types = "The types of A and B are those that were given."
    majors = "A and B are K-major or MN-major as was given."
    shape = "M, N and K are those that were given; with two CTAs M is that of both."
    return (
        *(
            Rule(
                "types-given",
                (key,),
                _TABLES,
                types,
                partial(_type, key),
                partial=True,
                example=_TYPES,
                asks=(NEEDS_TYPES,),
            )
            for key in ("a_type", "b_type")
        ),
        *(
            Rule("majors-given", (key,), _TABLES, majors, partial(_major, key), example=_MAJORS, asks=(NEEDS_MAJORS,))
            for key in ("transpose_a", "transpose_b")
        ),
        *(
            Rule(
                "shape-given",
                (key,),
                SHAPE_SOURCE,
                shape,
                partial(_rows, key),
                partial=True,
                example=_SHAPE,
                asks=(ask,),
            )
            for key, ask in (("m", GIVEN_M), ("n", GIVEN_N))
        ),
        Rule("shape-given", depth, SHAPE_SOURCE, shape, _depth, partial=True, example=_SHAPE, asks=(GIVEN_K,)),
    )
