"""Whoever tells more of a descriptor is told no less of what is wrong with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from operator import le
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operands.contexts import Around, mistakes, right, wrong
from operands.mutants import Case, mutants
from operands.mutants import right as right_instruction
from samples import sampled, some

from smemdesc.api.decoding import decode
from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.model import Mma, OperandTile
from smemdesc.rules.base import NOTE, Finding
from smemdesc.rules.strides import UNDIVIDED
from smemdesc.tiles.tensor_map import CopiedBox

TOLD = (
    "", "dtype", "arch", "dtype major", "dtype major arch", "dtype major shape", "dtype major tile",
    "dtype major map", "dtype major shape tile", "dtype major tile order", "dtype major shape map",
    "dtype major shape tile order", "dtype major tile map", "dtype major shape tile map",
    "dtype major shape tile order map", "arch dtype major shape tile order map",
)  # fmt: skip
"""What `decode` is told; each of them, that all of another are among, is no less."""
CASES = st.integers(0, 1 << 32).map(lambda seed: right(Random(seed)))


def found(case: Around, value: int, told: str) -> tuple[Finding, ...] | None:
    """Return what is found in a descriptor by someone who is told so much; None if nobody can be."""
    names = told.split()
    if not case.known.keys() >= set(names):
        return None
    try:
        return decode(value, case.kind.name, **{name: case.known[name] for name in names}).findings
    except SmemdescError:
        return None


def faults(findings: Iterable[Finding]) -> set[str]:
    return {each.rule for each in findings if each.severity != NOTE}


@pytest.mark.slow
@some(160, least=12)
@given(CASES, st.randoms(use_true_random=False))
def test_no_option_takes_a_finding_back_without_a_word(case: Around, random: Random) -> None:
    """What is found is found, or is said to be no fault, by whoever knows more."""
    what, value = random.choice(list(mistakes(case)))
    every = {frozenset(told.split()): findings for told in TOLD if (findings := found(case, value, told)) is not None}
    for less, more in itertools.permutations(every, 2):
        if less < more and faults(every[less]) and not faults(every[more]):
            assert faults(every[less]) & {each.rule for each in every[more]}, (what, hex(value), less, more)


@pytest.mark.slow
@some(160, least=12)
@given(CASES)
def test_whoever_is_right_gets_no_advice(case: Around) -> None:
    """But for 16 atoms along K, one after another: without the tile, they look like a stride in bytes."""
    for told in TOLD:
        findings = found(case, case.value, told)
        guesses = () if "tile" in told else (*UNDIVIDED, "stride-not-divided")
        assert findings is None or not faults(findings).difference(guesses), (hex(case.value), told)
        refuted = {each.rule for each in findings or () if each.message.startswith("without --")}
        assert "tile" in told or not refuted.difference(guesses), (hex(case.value), told)


@pytest.mark.slow
@some(160, least=12)
@given(CASES, st.randoms(use_true_random=False))
def test_all_that_can_be_told_leaves_no_wrong_stride(case: Around, random: Random) -> None:
    told = "arch dtype major shape tile order"
    every = [(what, value) for what, value in mistakes(case) if what.startswith(("LBO", "SBO", "both", "strides"))]
    for what, value in random.sample(every, min(6, len(every))):
        for more in (told, f"{told} map"):
            findings = found(case, value, more)
            if findings is not None and not faults(findings):
                assert not wrong(case, value), (what, hex(value), more)


# An instruction, its tiles and its maps

INSTRUCTIONS = [
    right_instruction(family, kind, ("bf16", "bf16"), majors, modes, orders)
    for family, kind in (("wgmma", None), ("tcgen05", "f16"))
    for majors, modes, orders in (
        (("K", "K"), ("none", "none"), ("mn", "mn")),
        (("MN", "K"), ("128B", "32B"), ("k", "k")),
        (("K", "MN"), ("64B", "none"), ("mn", "mn")),
    )
]


def of_instruction(case: Case, tiles: bool, maps: bool) -> set[str] | None:
    """Return the rules that find a fault in an instruction if the shapes of its tiles, or the maps, are told."""
    mma = case.mma
    boxes: dict[str, CopiedBox | OperandTile | None] = {}
    for name, tile in (("a", case.a_tile), ("b", case.b_tile)):
        line, across = tile.atom[::-1] if tile.major == "K" else tile.atom
        lines = (tile.mn if tile.major == "K" else tile.k) if (tile.order == "mn") == (tile.major == "K") else across
        boxes[f"{name}_map"] = CopiedBox("BFLOAT16", tile.mode, "none", (line, lines)) if maps else None
        boxes[f"{name}_tile"] = OperandTile((tile.mn * case.group, tile.k), order=tile.order) if tiles else None
    told: Mma = mma._replace(**boxes)
    try:
        return faults(finding for _, finding in judge_mma(told).findings)
    except SmemdescError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("case", sampled(INSTRUCTIONS, 5))
def test_neither_a_tile_nor_a_map_hides_what_is_wrong_with_an_instruction(case: Case) -> None:
    both = list(itertools.product((False, True), repeat=2))
    assert [of_instruction(case, *told) for told in both] == [set()] * 4
    strides = [(what, each) for what, each in mutants(case) if what.startswith(("LBO", "SBO", "strides"))]
    assert len(strides) > 10
    for what, mutant in strides:
        every = {told: rules for told in both if (rules := of_instruction(mutant, *told)) is not None}
        for less, more in itertools.permutations(every, 2):
            if all(map(le, less, more)) and every[less]:
                assert every[more], (what, less, more, every[less])
