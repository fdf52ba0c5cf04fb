"""Votes, elected threads, and what is written under the predicates of threads: what is known, and right for a warp."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from programs.grammar import program
from programs.machine import EndlessError, Program
from programs.warp import Warp
from samples import sampled

from .test_sass_fuzz import claimed

PROGRAMS, RUNS, STEPS = 300, 8, 2000


def contradictions(text: str, seed: object, runs: int = RUNS) -> tuple[list[str], list[int]]:
    """Run a program in warps; return what was claimed wrongly, and the values of B that were read."""
    code = Program(text)
    places = [place for place, each in enumerate(code.code) if each.name == "HGMMA"]
    mmas = dict(zip(places, claimed(text), strict=True))
    wrong: list[str] = []
    found: list[int] = []

    def read(place: int, *values: int) -> None:
        found.append(values[1])
        for operand, value in zip((mmas[place].a, mmas[place].b), values, strict=True):
            assert operand is not None
            if (operand.bits ^ value) & operand.known:
                wrong.append(f"line {mmas[place].line}: {operand.bits:#x}/{operand.known:#x}, not {value:#x}")

    for run in range(runs):
        rng = random.Random(f"{seed} {run}")
        with suppress(EndlessError):
            Warp(code, rng, read, rng.choice((2, 4, 32))).run(STEPS)
    return wrong, found


@pytest.mark.corpus
@pytest.mark.parametrize("first", range(2))
def test_no_warp_contradicts_what_is_claimed(first: int) -> None:
    for seed in range(first, PROGRAMS, 2):
        text = program("votes", seed)
        wrong, _ = contradictions(text, seed)
        assert wrong[:3] == [], f"seed {seed}\n{text}"


@pytest.mark.slow
def test_much_is_claimed_and_read() -> None:
    bits = operands = reads = 0
    for seed in range(16):
        text = program("votes", seed)
        wrong, found = contradictions(text, seed, 3)
        assert wrong == [], f"seed {seed}\n{text}"
        reads += len(found)
        for operand in (part for mma in claimed(text) for part in (mma.a, mma.b)):
            assert operand is not None
            bits += operand.known.bit_count()
            operands += 1
    assert bits >= 0.35 * 64 * operands
    assert 2 * reads >= operands


def fragment(lines: str) -> str:
    items = [each.strip() for each in lines.replace("\n", ";").split(";") if each.strip()]
    items += ["EXIT", ".L_end:", "BRA `(.L_end)"]
    places = iter(range(0, 1 << 16, 16))
    code = "".join(each + "\n" if each[-1] == ":" else f"        /*{next(places):04x}*/ {each} ;\n" for each in items)
    return f'.section .text.votes,"ax",@progbits\n.text.votes:\n{code}'


PAIR = "@P0 MOV R2, 0x40004040; @P0 R2UR UR3, R2"
MMA = "HGMMA.64x8x16.F32 R24, gdesc[UR0], R24, !UPT, gsb0"
VOTE = "VOTEU.ANY UP0, P0"
APART = "ISETP.LT.AND P1, PT, R9, 0x4, PT; @P1 BRA `(.L_x_1); MOV R8, 0x1; .L_x_1:"
BOTH = "PLOP3.LUT P1, PT, P0, P2, PT, 0x80, 0x8"
TURNS = """PLOP3.LUT P1, PT, PT, PT, PT, 0x8, 0x80; VOTEU.ANY UP0, P0; @P0 MOV R2, 0x40004040; .L_x_1:;
    @P0 ELECT P1, URZ, PT; @P1 R2UR.BROADCAST UR3, R2; @P1 PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x80;
    PLOP3.LUT P1, PT, PT, PT, PT, 0x8, 0x80; @UP0 MMA; @P0 BRA.U.ANY `(.L_x_1)""".replace("MMA", MMA)
KNOWN = {
    "an elected thread": f"ELECT P0, URZ, PT; {PAIR}; {MMA}",
    "an elected thread, and a vote that must be so": f"ELECT P0, URZ, PT; {VOTE}; @UP0 UMOV UR3, 0x40004040; {MMA}",
    "a barrier is set up behind the election": f"ELECT P0, URZ, PT; BSSY B0, `(.L_x_1); {PAIR}; {MMA}; .L_x_1:",
    "the warp goes on as one": f"ELECT P0, URZ, PT; BRA.U UP3, `(.L_x_1); {PAIR}; {MMA}; .L_x_1:",
    "a copy of what an election left": f"ELECT P6, URZ, PT; PLOP3.LUT P0, PT, P6, PT, PT, 0x80, 0x8; {PAIR}; {MMA}",
    "the move under the copy": "ELECT P6, URZ, PT; PLOP3.LUT P0, PT, P6, PT, PT, 0x80, 0x8; @P0 MOV R2, 0x40004040;"
    f"@P6 R2UR.BROADCAST UR3, R2; {MMA}",
    "the opposite of a copy": "ELECT P6, URZ, PT; PLOP3.LUT P0, PT, P6, PT, PT, 0x8, 0x80; @!P0 MOV R2, 0x40004040;"
    f"@P6 R2UR.BROADCAST UR3, R2; {MMA}",
    "a vote behind the writes": f"{PAIR}; {VOTE}; @UP0 {MMA}",
    "a vote before the writes": f"{VOTE}; {PAIR}; @UP0 {MMA}",
    "a vote on the opposite": f"{PAIR.replace('@P0', '@!P0')}; VOTEU.ANY UP0, !P0; @UP0 {MMA}",
    "not all of the opposite": f"{PAIR}; VOTEU.ALL UP0, !P0; @!UP0 {MMA}",
    "not all": f"{PAIR.replace('@P0', '@!P0')}; VOTEU.ALL UP0, P0; @!UP0 {MMA}",
    "a copy of the vote": f"{VOTE}; UPLOP3.LUT UP1, UPT, UP0, UPT, UPT, 0x80, 0x8; {PAIR}; @UP1 {MMA}",
    "a vote of the threads": f"VOTE.ANY P1, P0; {PAIR}; @P1 {MMA}",
    "two votes": f"{VOTE}; VOTEU.ANY UP1, P0; @UP1 UMOV UR3, 0x40004040; @UP0 {MMA}",
    "the same register again": f"{VOTE}; @UP0 UMOV UR3, 0x40004040; {VOTE}; @UP0 {MMA}",
    "a vote of one kind and of the other": f"{VOTE}; @UP0 UMOV UR3, 0x40004040; VOTEU.ALL UP1, !P0; @!UP1 {MMA}",
    "the predicate changes behind both votes": f"{VOTE}; VOTEU.ANY UP1, P0; ELECT P0, URZ, PT;"
    f"@UP1 UMOV UR3, 0x40004040; @UP0 {MMA}",
    "a thread that holds it": f"{VOTE}; @UP0 UMOV UR3, 0x40004040; @P0 {MMA}",
    "the branch of the vote": f"{VOTE}; {PAIR}; BRA.U !UP0, `(.L_x_1); {MMA}; .L_x_1:",
    "the other way of the vote": f"{VOTE}; {PAIR}; BRA.U UP0, `(.L_x_1); BRA `(.L_x_2); .L_x_1:; {MMA}; .L_x_2:",
    "no thread holds it": f"UMOV UR3, 0x40004040; {VOTE}; @P0 R2UR UR3, R7; @!UP0 {MMA}",
    "no thread holds it, and so not this one": f"MOV R2, 0x40004040; @P0 MOV R2, R7; {VOTE}; BRA.U UP0, `(.L_x_1);"
    f"R2UR UR3, R2; {MMA}; .L_x_1:",
    "a vote on what always holds": f"VOTEU.ANY UP0, PT; @UP0 UMOV UR3, 0x40004040; {MMA}",
    "a selection": f"ELECT P0, URZ, PT; MOV R2, 0x40004040; SEL R3, R2, R7, P0; @P0 R2UR UR3, R3; {MMA}",
    "a selection of a number": f"ELECT P0, URZ, PT; SEL R3, R7, 0x40004040, !P0; @P0 R2UR UR3, R3; {MMA}",
    "a selection by a vote": f"{VOTE}; UMOV UR7, 0x40004040; USEL UR3, UR7, UR8, UP0; VOTEU.ALL UP1, !P0; @!UP1 {MMA}",
    "a selection on a branch": f"{VOTE}; USEL UR3, UR8, 0x40004040, UP0; BRA.U UP0, `(.L_x_1); {MMA}; .L_x_1:",
    "the elected thread takes its turn": f"ELECT P0, URZ, PT; {TURNS}",
    "all threads take turns": f"PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x8; {TURNS}",
    "both of two predicates": f"{BOTH}; {PAIR.replace('@P0 R2UR', '@P1 R2UR')}; VOTEU.ANY UP0, P1; @UP0 {MMA}",
    "a comparison and a predicate": f"ISETP.LT.AND P1, PT, R9, 0x4, P0; {PAIR.replace('@P0 R2UR', '@P1 R2UR')};"
    f"VOTEU.ANY UP0, P1; @UP0 {MMA}",
    "neither of two predicates": "PLOP3.LUT P1, PT, P0, P2, PT, 0xfc, 0x8; @!P2 MOV R2, 0x40004040; @!P1 R2UR UR3, R2;"
    f"VOTEU.ANY UP0, !P1; @UP0 {MMA}",
    "both of two votes": f"{VOTE}; UPLOP3.LUT UP1, UPT, UP0, UP2, UPT, 0x80, 0x8; {PAIR}; @UP1 {MMA}",
    "elected on each of two ways": "ISETP.LT.AND P1, PT, R9, 0x4, PT; VOTEU.ANY UP1, P1; BRA.U UP1, `(.L_x_1);"
    f"ELECT P0, URZ, PT; BRA `(.L_x_2); .L_x_1:; ELECT P6, URZ, PT; PLOP3.LUT P0, PT, P6, PT, PT, 0x80, 0x8; .L_x_2:;"
    f"{PAIR}; {MMA}",
    "a write where its predicate is known": f"@!P0 BRA `(.L_x_1); {PAIR}; {MMA}; .L_x_1:",
}
NOT_KNOWN = {
    "any thread may hold it": f"{PAIR}; {MMA}",
    "the predicate changes between the writes": "ELECT P0, URZ, PT; @P0 MOV R2, 0x40004040; ELECT P0, URZ, PT;"
    f"ISETP.LT.AND P0, PT, R9, 0x4, PT; @P0 R2UR UR3, R2; {MMA}",
    "another election": f"ELECT P0, URZ, PT; ISETP.LT.AND P0, PT, R9, 0x4, PT; {PAIR}; {MMA}",
    "of the elected threads one goes elsewhere": f"ELECT P0, URZ, PT; {APART.replace('MOV R8, 0x1', PAIR)}; {MMA}",
    "a vote that fails": f"{VOTE}; {PAIR}; @!UP0 {MMA}",
    "a vote on another predicate": f"VOTEU.ANY UP0, P1; {PAIR}; @UP0 {MMA}",
    "a vote before the predicate changes": f"{VOTE}; ISETP.LT.AND P0, PT, R9, 0x4, PT; {PAIR}; @UP0 {MMA}",
    "all that do not hold it": f"{PAIR}; VOTEU.ALL UP0, !P0; @UP0 {MMA}",
    "two votes of more and of fewer threads": f"{VOTE}; {APART}; VOTEU.ANY UP1, P0; @UP1 UMOV UR3, 0x40004040;"
    f"@UP0 {MMA}",
    "threads come between two votes": f"{APART}; {VOTE}; WARPSYNC.ALL; VOTEU.ANY UP1, P0; @UP0 UMOV UR3, 0x40004040;"
    f"@UP1 {MMA}",
    "threads part between two votes": f"{VOTE}; YIELD; VOTEU.ANY UP1, P0; @UP1 UMOV UR3, 0x40004040; @UP0 {MMA}",
    "the other of a selection": f"ELECT P0, URZ, PT; SEL R3, R7, 0x40004040, P0; @P0 R2UR UR3, R3; {MMA}",
    "one of two predicates": f"{BOTH.replace('0x80, 0x8', '0xfc, 0x3')}; {PAIR.replace('@P0 R2UR', '@P1 R2UR')};"
    f"VOTEU.ANY UP0, P1; @UP0 {MMA}",
    "some threads take turns": f"ISETP.LT.AND P0, PT, R9, 0x4, PT; {TURNS.replace('@UP0', '')}",
    "threads take turns that may have it from before": f"ELECT P0, URZ, PT; {TURNS}".replace(
        "PLOP3.LUT P1, PT, PT, PT, PT, 0x8, 0x80;", "", 1
    ),
    "elected on one of two ways": "ISETP.LT.AND P1, PT, R9, 0x4, PT; VOTEU.ANY UP1, P1; BRA.U UP1, `(.L_x_1);"
    f"ELECT P0, URZ, PT; .L_x_1:; {PAIR}; {MMA}",
    "a vote of some threads": f"@P1 VOTEU.ANY UP0, P0; {PAIR}; @UP0 {MMA}",
    "a vote of some threads, and one of all": f"{VOTE}; @P1 VOTEU.ANY UP1, P0; @UP1 UMOV UR3, 0x40004040; @UP0 {MMA}",
    "an election of some threads": f"@P1 ELECT P0, URZ, PT; {PAIR}; {MMA}",
    "a vote whether all are alike": f"VOTEU.EQ UP0, P0; {PAIR}; @UP0 {MMA}",
}


@pytest.mark.parametrize("name", sampled(KNOWN))
def test_what_is_written_is_known(name: str) -> None:
    text = fragment(KNOWN[name])
    (mma,) = claimed(text)
    assert mma.b is not None
    assert (mma.b.bits >> 32, mma.b.known >> 32) == (0x40004040, 0xFFFFFFFF), text
    assert contradictions(text, name, 30)[0] == []


@pytest.mark.parametrize("name", sampled(NOT_KNOWN))
def test_what_may_not_be_written_is_not_known(name: str) -> None:
    text = fragment(NOT_KNOWN[name])
    (mma,) = claimed(text)
    assert mma.b is not None
    assert mma.b.known >> 32 != 0xFFFFFFFF, text
    wrong, found = contradictions(text, name, 60)
    assert wrong == []
    assert {value >> 32 for value in found} - {0x40004040}, text
