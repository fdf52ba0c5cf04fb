"""What comparisons tell of numbers of which bits and a range are known; and what holds where ways meet or begin."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some
from tables import every_row

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import (
    FALSE,
    OPPOSITE,
    TRUE,
    UNKNOWN,
    bounds,
    compare_values,
    refined,
    whole,
    widened,
)
from smemdesc.scanning.analysis.conditions import Condition, choose, selection
from smemdesc.scanning.analysis.fixpoint import solve
from smemdesc.scanning.analysis.ssa import Block, PredicateLiteral, Ssa, SsaStep, StepCode

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
    assert compare_values(how, a[0], b[0], WIDTH, sign) in (None, right)
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
        selected = selection(condition, a, b, WIDTH)(UNKNOWN, values[a][0], values[b][0], x[0], y[0])
        assert may_be(selected, values[a if predicate else b][1], WIDTH)


def test_a_predicate_that_is_known_selects() -> None:
    one, two = known.const(1, WIDTH), known.const(2, WIDTH)
    assert choose(WIDTH)(TRUE, one, two)[:2] == one
    assert choose(WIDTH)(FALSE, one, two)[:2] == two
    assert choose(WIDTH)(UNKNOWN, one, two)[:2] == (0, ones(WIDTH) & ~3)


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


class Guarded(StepCode):
    """Steps of which some have ``guards``."""

    def __init__(self, steps: Sequence[SsaStep], guards: Mapping[int, PredicateLiteral] | None = None) -> None:
        super().__init__(steps, {"r": 32, "i": 32, "j": 32})
        self.guards = guards or {}
        self.edges: dict[tuple[int, int], list[tuple[int, PredicateLiteral]]] = {}

    def guard(self, index: int) -> PredicateLiteral | None:
        return self.guards.get(index)

    def edge(self, block: int, to: int) -> Sequence[tuple[int, PredicateLiteral]]:
        return self.edges.get((block, to), ())


def ssa_of(described: Sequence[tuple[list[SsaStep], list[int]]], entries: Sequence[int] = (0,), **more: Any) -> Ssa:
    """Return the versions of the registers of blocks: of each its steps, and the blocks that may follow."""
    blocks, steps = [], list[SsaStep]()
    for number, (own, following) in enumerate(described):
        block = Block(len(steps))
        block.entry, block.following = number in entries, following
        blocks.append(block)
        steps += own
    return Ssa(blocks, Guarded(steps, **more), len(steps))


def put(register: str, number: int) -> SsaStep:
    return SsaStep((register,), (known.const(number, 32),), lambda a: whole(a, 32))


def ring(stages: int, step: int) -> int:
    """Return the most that the analysis thinks the index of a ring of stages may be."""
    condition = Condition("NE", "j", known.const(stages, 32), 32)
    loop = [
        SsaStep(("j",), ("i", known.const(step, 32)), lambda a, b: known.add(a, b, 32)[0]),
        SsaStep(("p",), ("j",), lambda a: UNKNOWN, comparisons={"p": condition}),
        SsaStep(("i",), ("j", known.const(0, 32)), known.meet, PredicateLiteral("p", True)),
    ]
    ssa = ssa_of([([put("i", 0)], [1]), (loop, [1])])
    index = ssa.read("i", 1)
    return bounds(solve([index], ssa.define)[index], 32)[1]


@every_row(
    ("stages", "step", "most"),
    # An index that may step over the number of stages has no bound, but stays even.
    [*((stages, 1, stages - 1) for stages in (1, 2, 3, 5, 7, 8, 11, 16, 100)), (7, 2, 0xFFFFFFFE)],
)
def test_the_index_of_a_stage_stays_below_the_number_of_stages(stages: int, step: int, most: int) -> None:
    assert ring(stages, step) == most


LOSE = SsaStep(("r",))
COPY = SsaStep(("r",), ("r",), lambda a: a[:2])
SEE = SsaStep(())


@pytest.mark.parametrize(
    ("described", "entry", "bits", "mask", "lost"),
    [
        ([([put("r", 7), SEE], [])], 0, 7, ones(32), 0),
        # Written on one way only.
        ([([], [1, 2]), ([put("r", 1)], [2]), ([SEE], [])], 0, 0, 0, None),
        # Copied since it was lost.
        ([([put("r", 1), LOSE, COPY, SEE], [])], 0, 0, 0, 1),
        # In a block that nothing leads to, and in one that is entered in the middle.
        ([([put("r", 1)], []), ([SEE], [])], 0, 0, 0, None),
        ([([put("r", 1)], [1]), ([SEE], [])], 1, 0, 0, None),
    ],
)
def test_what_is_known_of_a_register(
    described: list[tuple[list[SsaStep], list[int]]], entry: int, bits: int, mask: int, lost: int | None
) -> None:
    ssa = ssa_of(described, (0, entry))
    at = [step for steps, _ in described for step in steps].index(SEE)
    version = ssa.read("r", at)
    assert solve([version], ssa.define)[version][:3] == (bits, mask, lost)


SET, NEW = SsaStep(("p",)), put("r", 2)
UNDER, NOT = PredicateLiteral("p", True), PredicateLiteral("p", False)


@pytest.mark.parametrize(
    ("steps", "guards", "reader", "wanted"),
    [
        ([put("r", 1), SET, NEW, SEE], {2: UNDER}, None, None),
        ([put("r", 1), SET, NEW, SEE], {2: UNDER}, UNDER, 2),
        ([put("r", 1), SET, NEW, SEE], {2: UNDER}, NOT, 1),
        ([put("r", 1), SET, NEW, put("r", 3), SEE], {2: UNDER, 3: NOT}, UNDER, 2),
        # The predicate has been written since.
        ([put("r", 1), SET, NEW, SET, SEE], {2: UNDER}, UNDER, None),
    ],
)
def test_a_guarded_write_is_read_under_its_predicate(
    steps: list[SsaStep], guards: dict[int, PredicateLiteral], reader: PredicateLiteral | None, wanted: int | None
) -> None:
    ssa = ssa_of([(steps, [])], guards=guards)
    version = ssa.value("r", len(steps) - 1, reader)
    bits, mask = solve([version], ssa.define)[version][:2]
    assert (bits if mask == ones(32) else None) == wanted


@pytest.mark.parametrize(("to", "wanted"), [(1, 2), (2, 1), (3, None)])
def test_a_guarded_write_is_known_behind_a_branch_of_its_predicate(to: int, wanted: int | None) -> None:
    """The branch leads to block 1 where the predicate holds, else to 2; both lead to 3."""
    described = [([put("r", 1), SET, NEW, SEE], [1, 2]), ([SEE], [3]), ([SEE], [3]), ([SEE], [])]
    ssa = ssa_of(described, guards={2: UNDER})
    assert isinstance(ssa.code, Guarded)
    ssa.code.edges = {(0, 1): [(3, UNDER)], (0, 2): [(3, NOT)]}
    version = ssa.value("r", 3 + to)
    bits, mask = solve([version], ssa.define)[version][:2]
    assert (bits if mask == ones(32) else None) == wanted
