"""What streams look up is what the slow way says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.descriptors.near_misses import signs
from smemdesc.descriptors.quick import Parted, freed, grader, pattern_test, settle_test, slip_test
from smemdesc.descriptors.ranking import grade_whole, settle, wide_kinds
from smemdesc.descriptors.readings import mark_of
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.text import WIDEST

WIDE = st.integers(0, (1 << WIDEST) - 1)
KINDS = [kind_of(name) for name in ("wgmma", "tcgen05", "mask", "tcgen05@sm_107", "idesc:f16", "idesc:mxf4nvf4")]
GRADES = {kind: grader(Parted(kind)) for kind in KINDS}
USUAL = wide_kinds(None)
WORDS = tuple(kind for kind in USUAL if kind.name != "mask")
SLIP, SETTLED = slip_test(WORDS), settle_test(USUAL)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table.name)
@some(100)
@given(WIDE)
def test_grades(kind: Kind, bits: int) -> None:
    table = kind.table
    value = bits & table.full & ~table.must_mask | table.must_value
    assert GRADES[kind](value) == grade_whole(kind, value, table.full)


@some(100)
@given(WIDE)
def test_one_row_is_as_the_whole_table(bits: int) -> None:
    for kind in KINDS:
        table = kind.table
        value = bits & table.full
        assert [table.raw(row.key, value) for row in table.rows] == table.unpack(value)
        assert {key: table.value(key, value) for key in table.by_key} == {
            key: each.value for key, each in table.read(value).items()
        }


@some(100)
@given(st.lists(st.tuples(WIDE, WIDE), max_size=40), WIDE, st.integers(0, 39))
def test_patterns(pairs: list[tuple[int, int]], bits: int, chosen: int) -> None:
    patterns = [(mask, value & mask) for mask, value in pairs]
    if chosen < len(patterns):
        mask, value = patterns[chosen]
        bits = bits & ~mask | value
    assert pattern_test(patterns)(bits) == any(bits & mask == value for mask, value in patterns)


def test_slips() -> None:
    draw = random.Random(1)
    for mask, value, _, _ in signs(WORDS):
        for _ in range(20):
            assert SLIP(draw.getrandbits(WIDEST) & ~mask | value)


@some(100)
@given(WIDE, st.sampled_from(USUAL), st.integers(0, WIDEST - 1), st.integers(0, WIDEST - 1), st.integers(0, 2))
def test_what_a_value_is_taken_for(bits: int, kind: Kind, one: int, other: int, right: int) -> None:
    if right:  # near to one
        bits = bits & ~kind.table.must_mask | kind.table.must_value
        bits ^= (1 << one | 1 << other) if right == 2 else 1 << one
    found = SETTLED(bits)
    wrong = {each: each.table.wrong_constants(bits) for each in USUAL}
    assert (found is None) == (0 in wrong.values())
    if found is not None:
        assert (found or USUAL) == settle(USUAL, bits, USUAL[0].table.full, grade_whole)[0]
    if found == ():
        for each in WORDS:
            assert wrong[each].bit_count() > 1
            assert wrong[each] & ~mark_of(each)
            assert wrong[each] & ~freed(each)
