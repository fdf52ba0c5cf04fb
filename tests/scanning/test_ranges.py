"""Numbers of which bits and a range are known, against plain ones; and what comparisons tell of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.scanning import known
from smemdesc.scanning.conditions import Condition, Holds, select
from smemdesc.scanning.flow import Block, State, Step, solve
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN
from smemdesc.scanning.ranges import OPPOSITE, Value, bounds, compare, either, joined, ranged, refined, whole, widened

WIDTH = 8
FULL = (1 << WIDTH) - 1
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
}
Pair = tuple[Value, int]
"""A partly known number, and one that it may be."""


def signed(number: int) -> int:
    return number - (number >> WIDTH - 1 << WIDTH)


def holds(how: str, a: int, b: int, sign: bool) -> bool:
    return HOLDS[how](signed(a), signed(b)) if sign else HOLDS[how](a, b)


@st.composite
def partly(draw: st.DrawFn) -> Pair:
    number = draw(st.integers(0, FULL))
    mask = draw(st.sampled_from([0, FULL, 0xF0, 0x0F, 0xFE, 0x80]) | st.integers(0, FULL))
    if draw(st.booleans()):
        return (number & mask, mask), number
    least, most = draw(st.integers(0, number)), draw(st.integers(number, FULL))
    return ranged(number & mask, mask, least, most, WIDTH), number


def may_be(value: Value, number: int) -> bool:
    """Whether nothing that is claimed excludes a number."""
    least, most = bounds(value, WIDTH)
    return not (value[0] ^ number) & value[1] & FULL and least <= number <= most


@some(100)
@given(partly())
def test_a_range_excludes_no_number(a: Pair) -> None:
    assert may_be(a[0], a[1])
    assert may_be(whole(a[0], WIDTH), a[1])


@some(100)
@given(partly(), partly())
def test_what_is_joined_may_be_either(a: Pair, b: Pair) -> None:
    for made in (joined(a[0], b[0], WIDTH), either(a[0], b[0])):
        assert may_be(made, a[1])
        assert may_be(made, b[1])


BINARY: dict[str, tuple[Callable[[Value, Value], Value], Callable[[int, int], int]]] = {
    "add": (lambda a, b: known.add(a, b, WIDTH)[0], lambda a, b: a + b),
    "subtract": (lambda a, b: known.subtract(a, b, WIDTH)[0], lambda a, b: a - b),
    "multiply": (lambda a, b: known.multiply(a, b, WIDTH), lambda a, b: a * b),
    "and": (known.and_, lambda a, b: a & b),
    "shift left by 3": (lambda a, b: known.shl(a, 3, WIDTH), lambda a, b: a << 3),
    "shift right by 3": (lambda a, b: known.shr(a, 3, WIDTH), lambda a, b: a >> 3),
    "shift right by 3 with the sign": (lambda a, b: known.sar(a, 3, WIDTH), lambda a, b: signed(a) >> 3),
    "field": (lambda a, b: known.field(a, 2, 4), lambda a, b: a >> 2 & 15),
    "cut": (lambda a, b: known.cut(a, 5), lambda a, b: a & 31),
    "negate": (lambda a, b: known.negate(a, WIDTH), lambda a, b: -a),
}


@pytest.mark.parametrize("name", BINARY)
@some(100)
@given(a=partly(), b=partly())
def test_arithmetic_on_ranges(name: str, a: Pair, b: Pair) -> None:
    ours, plain = BINARY[name]
    assert may_be(ours(a[0], b[0]), plain(a[1], b[1]) & FULL)


@some(100)
@given(partly(), partly())
def test_the_carry_of_ranges(a: Pair, b: Pair) -> None:
    out = known.add(a[0], b[0], WIDTH)[1]
    assert out in (UNKNOWN, TRUE if a[1] + b[1] > FULL else FALSE)


@some(100)
@given(partly(), partly(), st.sampled_from(list(OPPOSITE)), st.booleans())
def test_a_comparison_that_is_decided_is_so(a: Pair, b: Pair, how: str, sign: bool) -> None:
    told = compare(how, a[0], b[0], WIDTH, sign)
    assert told is None or told == holds(how, a[1], b[1], sign)


@some(100)
@given(partly(), partly(), st.sampled_from(list(OPPOSITE)), st.booleans())
def test_what_a_comparison_tells_holds(a: Pair, b: Pair, how: str, sign: bool) -> None:
    if holds(how, a[1], b[1], sign):
        found = refined(how, a[0], b[0], WIDTH, sign)
        assert found is not None
        assert may_be(found, a[1])


@some(100)
@given(partly(), partly(), st.sampled_from(list(OPPOSITE)), st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_what_is_selected_may_be_so(
    x: Pair, y: Pair, how: str, sign: bool, weak: bool, negated: bool, also: bool
) -> None:
    said = Condition(how, "x", "y", WIDTH, sign, weak, negated)
    predicate = (holds(how, x[1], y[1], sign) and (also or not weak)) != negated
    for a, b in (("x", "y"), ("y", "x"), ("x", "other"), ("other", "x")):
        values = {"x": x, "y": y, "other": ((0, 0), 77)}
        made = select(said, a, b, WIDTH)(values[a][0], values[b][0], x[0], y[0])
        assert may_be(made, values[a if predicate else b][1])


def test_a_predicate_that_is_known_selects() -> None:
    one, two = known.const(1, WIDTH), known.const(2, WIDTH)
    assert select(Holds("p"), "a", "b", WIDTH)(one, two, TRUE)[:2] == one
    assert select(Holds("p", negated=True), "a", "b", WIDTH)(one, two, TRUE)[:2] == two
    assert select(Holds("p"), "a", "b", WIDTH)(one, two, UNKNOWN)[:2] == (0, FULL & ~3)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ((0, 1), (0, 2), (0, 3)),
        ((0, 7), (0, 8), None),
        ((3, 7), (2, 7), (0, 7)),
        ((0, 3), (0, 3), (0, 3)),
        ((7, 7), (6, 7), (3, 7)),
    ],
)
def test_a_range_grows_to_the_next_mark(
    old: tuple[int, int], new: tuple[int, int], wanted: tuple[int, int] | None
) -> None:
    assert widened(old, new, [0, 3, 7]) == wanted


def ring(stages: int, step: int = 1) -> int:
    """Return the most that the analysis thinks the index of a ring of stages may be."""
    first, loop = Block(0), Block(1)
    first.entry, first.following, loop.following = True, [1], [1]
    first.steps = [Step(0, ("i",), (known.const(0, 32),), lambda a: whole(a, 32))]
    said = Condition("NE", "j", known.const(stages, 32), 32)
    loop.steps = [
        Step(1, (), (), None, watched=True),
        Step(2, ("j",), ("i", known.const(step, 32)), lambda a, b: known.add(a, b, 32)[0]),
        Step(3, ("i",), ("j", known.const(0, 32), *said.reads), select(said, "j", known.const(0, 32), 32)),
    ]
    found: list[int] = []

    def watch(step: Step, state: State) -> None:
        found.append(bounds(state["i"], 32)[1])

    solve([first, loop], watch, 32, said.constants)
    return found[-1]


@pytest.mark.parametrize("stages", [1, 2, 3, 5, 7, 8, 11, 16, 100])
def test_the_index_of_a_stage_stays_below_the_number_of_stages(stages: int) -> None:
    assert ring(stages) == stages - 1


def test_an_index_that_may_step_over_the_number_of_stages_is_not_bounded() -> None:
    assert ring(7, 2) == 0xFFFFFFFE  # it stays even
