"""A right instruction that somebody changed: what the model of addresses calls wrong is found, what is right is not.

The second table in ``docs/spoiled.md`` is made here:
``UPDATE_GOLDEN=1 pytest -m corpus tests/instructions/test_mutants.py``.
"""

from __future__ import annotations

from collections import Counter

import pytest
from operands.mutants import Case, mutants, rights, wrong
from operands.spoiled import WRITES, hold
from samples import long_run

from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import judge_mma
from smemdesc.rules.base import ERROR, NOTE, WARNING, worst

GROUPS = {
    "`wgmma`": ("wgmma",),
    "`tcgen05.mma`": ("f16", "tf32", "f8f6f4", "i8"),
    "`tcgen05.mma`, block-scaled": ("mxf8f6f4", "mxf4", "mxf4nvf4"),
}
RIGHT, REFUSED, NOTHING = "still right", "refused", "nothing"
OUTCOMES = (RIGHT, ERROR, WARNING, REFUSED, NOTE, NOTHING)
UNTOLD = ("scale-factor id of A or B", "scale-factor ids of another step")
"""What is wrong by the usual layout alone: shipped kernels differ from it, and a note says so."""
EVERY, TRIED = 7, 7 * 31
"""Of the changes, the table counts one in so many, others of each instruction; a run that holds it tries fewer."""


def cases(group: str) -> list[Case]:
    return [case for family in GROUPS[group] for case in rights()[family]]


def outcome(case: Case) -> str:
    """Say what becomes of an instruction: the worst that is said of one that the model calls wrong."""
    if not wrong(case):
        return RIGHT
    try:
        return worst(each for _, each in judge_mma(case.mma).findings) or NOTHING
    except SmemdescError:
        return REFUSED


def counted(chosen: list[Case], every: int) -> dict[str, Counter[str]]:
    """Count the outcomes of each change."""
    found: dict[str, Counter[str]] = {}
    for number, case in enumerate(chosen):
        for at, (what, mutant) in enumerate(mutants(case)):
            if (at + number) % every == 0:
                found.setdefault(what, Counter())[outcome(mutant)] += 1
    return found


def passed(found: dict[str, Counter[str]]) -> list[str]:
    """Return the changes that ``--strict`` lets pass although they are wrong."""
    return [what for what, counts in found.items() if counts[NOTHING] or (counts[NOTE] and what not in UNTOLD)]


@pytest.mark.slow
@pytest.mark.parametrize("step", [61, long_run(7)])
@pytest.mark.parametrize("group", GROUPS)
def test_a_right_instruction_has_no_finding(group: str, step: int) -> None:
    for case in cases(group)[::step]:
        assert not wrong(case)
        bare = case.mma
        tiles = [each and each._replace(start=None) for each in (bare.a_tile, bare.b_tile)]
        for mma in (bare, bare._replace(a_tile=None, b_tile=None), bare._replace(a_tile=tiles[0], b_tile=tiles[1])):
            assert not [each for _, each in judge_mma(mma).findings if each.rule != "sparsity-version"]


@pytest.mark.slow
def test_what_is_wrong_by_its_addresses_is_found() -> None:
    found = counted(cases("`tcgen05.mma`, block-scaled")[::53], 41)
    assert sum(each.total() - each[RIGHT] for each in found.values()) > 3
    assert not passed(found)


@pytest.mark.corpus
@pytest.mark.parametrize("group", GROUPS)
def test_the_table(group: str) -> None:
    found = counted(cases(group), EVERY if WRITES else TRIED)
    assert not passed(found)
    hold(group, {what: [found[what][each] for each in OUTCOMES] for what in sorted(found)})
