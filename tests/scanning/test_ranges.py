"""What comparisons tell of numbers of which bits and a range are known; and what holds where ways meet or begin."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.engine.fields import ones
from smemdesc.scanning import known
from smemdesc.scanning.conditions import Condition, Holds, select
from smemdesc.scanning.flow import Block, Step
from smemdesc.scanning.known import TRUE, UNKNOWN
from smemdesc.scanning.ranges import OPPOSITE, bounds, compare, refined, whole, widened
from smemdesc.scanning.sparse import solve
from smemdesc.scanning.ssa import Ssa

from .test_known_bits import BYTE, Pair, may_be, signed

WIDTH = 8
HOW = st.sampled_from(list(OPPOSITE))


def holds(how: str, a: int, b: int, sign: bool) -> bool:
    a, b = (signed(each, WIDTH) if sign else each for each in (a, b))
    return bool(getattr(operator, how.lower())(a, b))


@some(100)
@given(BYTE, BYTE, HOW, st.booleans())
def test_what_a_comparison_decides_and_tells_holds(a: Pair, b: Pair, how: str, sign: bool) -> None:
    right = holds(how, a[1], b[1], sign)
    assert compare(how, a[0], b[0], WIDTH, sign) in (None, right)
    if right:
        found = refined(how, a[0], b[0], WIDTH, sign)
        assert found is not None
        assert may_be(found, a[1], WIDTH)


@some(100)
@given(BYTE, BYTE, HOW, st.tuples(*[st.booleans()] * 4))
def test_what_is_selected_may_be_so(x: Pair, y: Pair, how: str, flags: tuple[bool, bool, bool, bool]) -> None:
    sign, weak, negated, also = flags
    condition = Condition(how, "x", "y", WIDTH, sign, weak, negated)
    predicate = (holds(how, x[1], y[1], sign) and (also or not weak)) != negated
    for a, b in (("x", "y"), ("y", "x"), ("x", "other"), ("other", "x")):
        values = {"x": x, "y": y, "other": ((0, 0), 77)}
        selected = select(condition, a, b, WIDTH)(values[a][0], values[b][0], x[0], y[0])
        assert may_be(selected, values[a if predicate else b][1], WIDTH)


def test_a_predicate_that_is_known_selects() -> None:
    one, two = known.const(1, WIDTH), known.const(2, WIDTH)
    assert select(Holds("p"), "a", "b", WIDTH)(one, two, TRUE)[:2] == one
    assert select(Holds("p", negated=True), "a", "b", WIDTH)(one, two, TRUE)[:2] == two
    assert select(Holds("p"), "a", "b", WIDTH)(one, two, UNKNOWN)[:2] == (0, ones(WIDTH) & ~3)


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


def ring(stages: int, step: int) -> int:
    """Return the most that the analysis thinks the index of a ring of stages may be."""
    first, loop = Block(0), Block(1)
    first.entry, first.following, loop.following = True, [1], [1]
    first.steps = [Step(0, ("i",), (known.const(0, 32),), lambda a: whole(a, 32))]
    condition = Condition("NE", "j", known.const(stages, 32), 32)
    loop.steps = [
        Step(2, ("j",), ("i", known.const(step, 32)), lambda a, b: known.add(a, b, 32)[0]),
        Step(3, ("i",), ("j", known.const(0, 32), *condition.reads), select(condition, "j", known.const(0, 32), 32)),
    ]
    ssa = Ssa([first, loop], 32)
    index = ssa.read(1, "i", 0)
    return bounds(solve([index], ssa.define, condition.constants)[index], 32)[1]


@pytest.mark.parametrize(
    ("stages", "step", "most"),
    # An index that may step over the number of stages has no bound, but stays even.
    [*((stages, 1, stages - 1) for stages in (1, 2, 3, 5, 7, 8, 11, 16, 100)), (7, 2, 0xFFFFFFFE)],
)
def test_the_index_of_a_stage_stays_below_the_number_of_stages(stages: int, step: int, most: int) -> None:
    assert ring(stages, step) == most


def put(at: int, register: str, number: int) -> Step:
    return Step(at, (register,), (known.const(number, 32),), lambda a: a[:2])


LOSE = Step(2, ("r",), (), None)
SEE = Step(9, (), (), None, watched=True)


def blocks(*described: tuple[list[Step], list[int]]) -> list[Block]:
    made = []
    for steps, following in described:
        block = Block(steps[0].at if steps else 0)
        block.steps = steps
        block.following = following
        made.append(block)
    made[0].entry = True
    return made


@pytest.mark.parametrize(
    ("described", "entry", "bits", "mask", "lost"),
    [
        ([([put(1, "r", 7), SEE], [])], 0, 7, ones(32), 1),
        # Written on one way only.
        ([([], [1, 2]), ([put(1, "r", 1)], [2]), ([SEE], [])], 0, 0, 0, None),
        # Copied since it was lost.
        ([([put(1, "r", 1), LOSE, Step(3, ("r",), ("r",), lambda a: a[:2]), SEE], [])], 0, 0, 0, 2),
        # In a block that nothing leads to, and in one that is entered in the middle.
        ([([put(1, "r", 1)], []), ([SEE], [])], 0, 0, 0, None),
        ([([put(1, "r", 1)], [1]), ([SEE], [])], 1, 0, 0, None),
    ],
)
def test_what_is_known_of_a_register(
    described: list[tuple[list[Step], list[int]]], entry: int, bits: int, mask: int, lost: int | None
) -> None:
    made = blocks(*described)
    made[entry].entry = True
    (number,) = [number for number, block in enumerate(made) if SEE in block.steps]
    ssa = Ssa(made)
    version = ssa.read(number, "r", made[number].steps.index(SEE))
    assert solve([version], ssa.define)[version] == (bits, mask, lost)
