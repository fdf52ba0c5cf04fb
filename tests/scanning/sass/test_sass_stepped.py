"""Start addresses that additions step: what lies above them, where every addition that is named changes only them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from programs.grammar import program
from programs.machine import Machine, Program
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis.ir import Results
from smemdesc.scanning.analysis.provenance import affine_form
from smemdesc.scanning.languages.sass.lower import lower
from smemdesc.scanning.languages.sass.text import parse_instruction
from smemdesc.scanning.model import ScannedOperand

from .test_sass_fuzz import Thread

PROGRAMS = 120
RUNS = 24
ADDRESS = ones(14)
UPPER = ones(32) & ~ADDRESS
HIGH = 0x40000040


class Small(Thread):
    """A thread in which steps are small, more often than not."""

    def register(self, name: str) -> int:
        rng = self.rng
        if name in ("UR4", "UR5", "UR6", "UR7") and rng.random() < 0.9:
            return rng.choice((rng.randrange(16), rng.randrange(0x400), -rng.randrange(0x400), 0))
        return rng.getrandbits(32)


class Watching(Machine):
    """A machine that notes which of some additions changed more than an address."""

    def __init__(self, program: Program, outside: Small, watched: dict[int, list[tuple[str, int]]]) -> None:
        super().__init__(program, outside)
        self.watched = watched
        self.broken: set[int] = set()

    def set(self, text: str, value: int, words: int = 1) -> None:
        for term, plus in self.watched.get(self.at - 1, ()):
            if (value ^ (self.get(term) & UPPER) + plus) & UPPER:
                self.broken.add(self.at - 1)
        super().set(text, value, words)


def places(text: str) -> dict[int, int]:
    """Return the instruction that stands in each line."""
    found = [number for number, line in enumerate(text.splitlines(), 1) if ";" in line]
    return {line: place for place, line in enumerate(found)}


class Count:
    """How often what is said could be looked at."""

    said = held = 0


def wrong(text: str, seed: int, count: Count) -> list[str]:
    """Run a program; return what was said wrongly of descriptors where the additions did what they are taken to do."""
    program, at = Program(text), places(text)
    (function,) = scan_text(text).functions
    operands = {at[mma.line]: (mma.a, mma.b) for mma in function.mmas}
    found = []
    for run in range(RUNS):
        thread = Small(random.Random(f"{seed} {run}"), {})
        watched: dict[int, list[tuple[str, int]]] = {}
        for pair in operands.values():
            for operand in pair:
                for each in operand.provided.additions if operand is not None and operand.provided is not None else ():
                    watched.setdefault(at[each.line], []).append((each.term, each.plus))
        machine = Watching(program, thread, watched)
        read: list[tuple[int, Sequence[int], frozenset[int]]] = []
        thread.descriptors = lambda place, a, b, m=machine, r=read: r.append((place, (a, b), frozenset(m.broken)))  # type: ignore[method-assign,misc]
        machine.run()
        for place, values, broken in read:
            for operand, value in zip(operands[place], values, strict=True):
                if operand is None or operand.provided is None:
                    continue
                count.said += 1
                if not broken.isdisjoint(at[each.line] for each in operand.provided.additions):
                    continue
                count.held += 1
                if (operand.provided.bits ^ value) & operand.provided.known:
                    found.append(f"{operand.provided}: {value:#x}")
    return found


@pytest.mark.corpus
def test_no_run_contradicts_what_is_said() -> None:
    count = Count()
    for seed in range(PROGRAMS):
        text = program("stepped", seed)
        assert wrong(text, seed, count)[:3] == [], f"seed {seed}\n{text}"
    assert count.held >= 0.3 * count.said >= 100


@every_row(
    ("text", "sums", "aligned"),
    [
        ("UIADD3 UR4, UR5, UR6, URZ", {0, 1}, set()),
        ("UIADD3 UR4, UR5, 0x200, URZ", {0}, set()),
        ("UIADD3 UR4, UR5, -UR6, URZ", {0}, set()),
        ("UIADD3 UR4, -UR5, 0x200, URZ", set(), set()),
        ("IADD3 R4, R5, R6, R7", {0, 1, 2}, set()),
        ("VIADD R4, R5, 0x200", {0}, set()),
        ("UIMAD UR4, UR5, UR6, UR7", {2}, set()),
        ("UIMAD UR4, UR5, 0x1, UR7", {0, 2}, set()),
        ("IMAD.IADD R4, R5, 0x1, R6", {0, 2}, set()),
        ("IMAD.MOV.U32 R4, RZ, RZ, R6", {0}, {0}),
        ("ULEA UR4, UR5, UR6, 0x9", {1}, set()),
        ("ULEA UR4, UR5, UR6, 0x0", {0, 1}, set()),
        ("ULEA.HI UR4, UR5, UR6, URZ, 0x1c", {1}, set()),
        ("UMOV UR4, UR5", {0}, {0}),
        ("R2UR UR4, R5", {0}, {0}),
        ("ULOP3.LUT UR4, UR5, 0xffff0000, URZ, 0xc0, !UPT", set(), {0}),
        ("ULOP3.LUT UR4, UR5, UR6, URZ, 0xfc, !UPT", set(), {0, 1}),
        ("ULOP3.LUT UR4, UR5, UR6, UR7, 0x96, !UPT", set(), {0, 1, 2}),
        ("USHF.L.U32 UR4, UR5, 0x4, URZ", set(), set()),
        ("USHF.R.U32.HI UR4, URZ, 0x4, UR5", set(), set()),
        ("UPRMT UR4, UR5, 0x5410, UR6", set(), {0}),
        ("VIMNMX R4, R5, R6, PT", set(), set()),
        ("UIMAD.WIDE.U32 UR4, UR5, UR6, UR8", {2}, set()),
        ("S2UR UR4, SR_TID.X", set(), set()),
    ],
)
def test_what_a_result_hangs_on(text: str, sums: set[int], aligned: set[int]) -> None:
    line = parse_instruction(text.encode())
    assert line is not None
    means = lower(line)
    made = means.transfer
    places, of = made.parts[0] if isinstance(made, Results) else (tuple(range(len(means.reads))), made)
    assert of is not None
    found = affine_form(of, [means.reads[place] for place in places], (32,))
    assert tuple({places[each] for each in kind} for kind in (found.sums, found.aligned)) == (sums, aligned)


MMA = "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, !UPT"
MADE = ("ULOP3.LUT UR6, UR6, 0x3fff, URZ, 0xc0, !UPT", "UMOV UR7, 0x40000040")
KEPT = (HIGH << 32, ones(64) & ~ADDRESS)


def of_b(*lines: str) -> ScannedOperand:
    (function,) = scan_text("\n".join(f"{line} ;" if line[-1] != ":" else line for line in (*lines, "EXIT"))).functions
    operand = function.mmas[-1].b
    assert operand is not None
    return operand


@every_row(
    ("lines", "additions"),
    [
        (("UIADD3 UR6, UR6, UR9, URZ",), {3}),
        (("ULEA UR6, UR9, UR6, 0x9",), {3}),
        (("UIMAD UR6, UR9, -0x200, UR6", "UIADD3 UR6, UR6, 0x2, URZ"), {3, 4}),
        (("UIADD3 UR9, -UR9, 0x200, URZ", "USEL UR9, UR9, 0x200, UP0", ".L_x_1:", "UIADD3 UR6, UR6, UR9, URZ",
          "@P0 BRA `(.L_x_1)"), {6}),
        (("UIADD3 UR6, UR6, UR9, URZ", "ULOP3.LUT UR6, UR6, 0xffff0000, URZ, 0xc0, !UPT",
          "UIADD3 UR6, UR9, UR6, URZ"), {3, 5}),
        (("UIADD3 UR8, UR6, UR9, URZ", "USEL UR6, UR6, UR8, UP0"), {3}),
    ],
)  # fmt: skip
def test_an_address_that_steps(lines: Sequence[str], additions: set[int]) -> None:
    operand = of_b(*MADE, *lines, MMA)
    assert operand.known & UPPER != UPPER
    assert operand.provided is not None
    known = operand.provided.known & ~ADDRESS
    assert (operand.provided.bits & known, known) == KEPT
    assert {each.line for each in operand.provided.additions} == additions


@every_row(
    "lines",
    [
        ("USHF.L.U32 UR9, UR9, 0x10, URZ", "UIADD3 UR6, UR6, UR9, URZ"),
        ("ULEA UR6, UR9, UR6, 0x10",),
        ("ULOP3.LUT UR6, UR6, UR9, URZ, 0xfc, !UPT",),
        ("USEL UR6, UR6, UR9, UP0",),
        ("UIADD3 UR6, UR6, UR9, URZ", "UMOV UR7, UR9"),
        ("UMOV UR6, UR9", "UIADD3 UR6, UR6, UR8, URZ"),
        ("UIADD3 UR6, UR6, UR9, URZ", "USHF.L.U32 UR6, UR6, 0x4, URZ"),
        ("UIADD3 UR6, UR6, UR9, URZ", "CALL.REL.NOINC `(f)"),
    ],
)
def test_what_may_be_more_than_an_address(lines: Sequence[str]) -> None:
    assert of_b(*MADE, *lines, MMA).provided is None


def test_what_is_proven_needs_no_addition() -> None:
    operand = of_b(*MADE, "UIADD3 UR6, UR6, 0x2, URZ", "UIADD3 UR8, UR6, UR9, URZ", MMA)
    assert operand.known >> 16 == ones(48)
    assert operand.provided is None


def test_a_load_that_may_be_skipped_leaves_nothing_known() -> None:
    text = """.version 8.8
.target sm_90a
.visible .entry k(.param .u64 p)
{
.reg .pred %p1;
.reg .b64 %rd<4>;
.reg .f32 %f<4>;
mov.b64 %rd1, 0x4000004000010000;
$L:
add.s64 %rd1, %rd1, %rd3;
@%p1 ld.global.u64 %rd1, [%rd3];
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;
@%p1 bra $L;
ret;
}
"""
    (function,) = scan_text(text).functions
    operand = function.mmas[0].a
    assert operand is not None
    assert (operand.known, operand.provided) == (0, None)
