"""Random programs of SASS: every bit that a scan claims of a descriptor is right in every run."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import NamedTuple

import pytest
from programs.grammar import M32, program
from programs.machine import STEPS, EndlessError, Instruction, Machine, Outside, Program

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedMma

pytestmark = pytest.mark.corpus  # long: .ci/run has it

RUNS = 40
SPECIAL = (0, 1, M32, 1 << 31, (1 << 31) - 1, 31, 32, 33)
POINTERS = {0x28: 0x20, 0x37C: 0x2F8}
"""Where constant memory has the stack pointer, and the first address of local memory."""
WINDOWS = (0x7F0001000000, 0x10FF800000, 0x1000000)
AGAIN = 0x40
"""From this offset of constant memory on another number is read every time."""


class Thread(Outside):
    """Random inputs; remembers what the MMAs read."""

    def __init__(self, rng: random.Random, lanes: dict[tuple[int, int], list[int]]) -> None:
        self.rng = rng
        self.lanes = lanes
        self.read: list[tuple[int, int, int]] = []

    def register(self, name: str) -> int:
        return self.rng.choice((self.rng.getrandbits(32), self.rng.choice(SPECIAL)))

    def load(self, what: Instruction, address: int, size: int) -> int:
        return self.rng.getrandbits(8 * size)

    def special(self, name: str) -> int:
        return self.rng.randrange({"SR_TID.X": 1024, "SR_LANEID": 32}.get(name, 1 << 31))

    def shuffle(self, place: int, visit: int, own: int) -> int:
        values = self.lanes.setdefault((place, visit), [])
        values.append(own)
        return self.rng.choice(values)

    def descriptors(self, place: int, a: int, b: int) -> None:
        self.read.append((place, a, b))


class Warp(Thread):
    """A thread among others of a warp: they may hold other predicates, and uniform registers may get their values."""

    def __init__(self, rng: random.Random, lanes: dict[tuple[int, int], list[int]]) -> None:
        super().__init__(rng, lanes)
        self.base: dict[int, int] = {}
        """What lies in constant memory."""
        self.first = rng.choice(WINDOWS)
        self.pointer = rng.choice((0xFFFDC0, 0x100000, 0x80F00))

    def window(self) -> int:
        return self.first

    def register(self, name: str) -> int:
        return self.pointer if name == "R1" else super().register(name)

    def elsewhere(self) -> bool:
        return self.rng.random() < 0.5

    def shared(self, place: int, own: int | None) -> int | None:
        values = self.lanes.setdefault((place, -1), [])
        if own is not None:
            values.append(own)
        return self.rng.choice(values) if values else None

    def constant(self, offset: int) -> int:
        if offset in POINTERS:
            return self.pointer
        for window in POINTERS.values():
            if offset in (window, window + 4):
                return self.first >> 8 * (offset - window) & M32
        if offset % 8:
            return self.rng.choice((0, 0, 0, 1))
        value = self.rng.choice((0x1000, 0x1004, 0xFFFFFFFC, self.rng.getrandbits(32)))
        return self.base.setdefault(offset, value) if offset < AGAIN else value


def claimed(text: str) -> list[ScannedMma]:
    (function,) = scan_text(text).functions
    return list(function.mmas)


def contradictions(
    text: str, seed: int, runs: int = RUNS, made: type[Thread] = Thread, steps: int = STEPS
) -> list[str]:
    """Run a program and return what was claimed wrongly; ``made``: the threads that run it.

    ``steps``: how many instructions of a run that may not end.
    """
    program = Program(text)
    places = [place for place, each in enumerate(program.code) if each.name == "HGMMA"]
    mmas = dict(zip(places, claimed(text), strict=True))
    lanes: dict[tuple[int, int], list[int]] = {}
    wrong = []
    for run in range(runs):
        thread = made(random.Random(f"{seed} {run}"), lanes)
        try:
            Machine(program, thread).run(steps)
        except EndlessError:
            assert steps < STEPS, "the program does not end"
        for place, *values in thread.read:
            mma = mmas[place]
            for operand, value in zip((mma.a, mma.b), values, strict=True):
                assert operand is not None
                if (operand.bits ^ value) & operand.known:
                    wrong.append(f"line {mma.line}: {operand.bits:#x}/{operand.known:#x}, not {value:#x}")
    return wrong


class Programs(NamedTuple):
    """How many programs of a kind, how often each runs, in what thread, for how many instructions at most."""

    count: int
    runs: int = RUNS
    thread: type[Thread] = Thread
    steps: int = STEPS


EVERY = {
    "any": Programs(80),
    "choices": Programs(300, 16),
    "apart": Programs(150, 16),
    "calls": Programs(80),
    "rolled": Programs(300, 6, steps=1200),
    "ways": Programs(60, thread=Warp, steps=2000),
    "memory": Programs(120, thread=Warp, steps=2000),
    "stack": Programs(120, thread=Warp, steps=2000),
    "tables": Programs(40, 16, thread=Warp, steps=2000),
}
"""By the kind in ``programs.grammar``. Where a loop may not end, or threads go on one by one, runs are cut off."""


@pytest.mark.parametrize("kind", EVERY)
def test_no_run_contradicts_what_is_claimed(kind: str) -> None:
    count, runs, thread, steps = EVERY[kind]
    for seed in range(count):
        text = program(kind, seed)
        wrong = contradictions(text, seed, runs, thread, steps)
        assert wrong[:3] == [], f"seed {seed}\n{text}"


@pytest.mark.parametrize(("kind", "least"), [("any", 0.25), ("calls", 0.08), ("rolled", 0.4), ("stack", 0.15)])
def test_much_is_claimed(kind: str, least: float) -> None:
    """Of all bits of descriptors."""
    found = [operand for seed in range(40) for mma in claimed(program(kind, seed)) for operand in (mma.a, mma.b)]
    assert sum(each.known.bit_count() for each in found if each is not None) / 64 / len(found) >= least


def test_not_all_is_lost_behind_calls() -> None:
    texts = [program("calls", seed) for seed in range(25)]
    every = [operand for text in texts for mma in claimed(text) for operand in (mma.a, mma.b) if "CALL" in text]
    lost = sum(operand is not None and operand.lost_text.startswith("CALL") for operand in every)
    assert lost <= 0.5 * len(every)


CARRY = """
    MOV R2, 0xffffffff
    MOV R3, 0x1
    {u}MOV {u}R2, 0xffffffff
    {u}MOV {u}R3, 0x1
    {u}IADD3 {u}R4, {u}P0, {u}R2, {u}R3, {u}RZ
    {between}
    {u}IADD3.X {u}R5, {u}RZ, {u}RZ, {u}RZ, {u}P0, !{u}PT
    {to} UR0, {u}R5
"""
BETWEEN = {
    "R2P": ("", "R2P PR, R9, 0x1"),
    "UR2UP": ("U", "UR2UP UPR, UR9, 0x1"),
    "the second result": ("", "ISETP.NE.AND P1, P0, R9, RZ, PT"),
    "another carry": ("", "IADD3 R8, P0, R9, R9, RZ"),
    "perhaps another carry": ("", "@P3 IADD3 R8, P0, R9, R9, RZ"),
    "a shifted sum": ("", "LEA R8, P0, R9, R9, 0x2"),
    "the predicate of a logical operation": ("", "LOP3.LUT P0, RZ, R9, 0x1, RZ, 0xc0, !PT"),
}
DIRECTED = {
    name: CARRY.format(u=u, between=between, to="UMOV" if u else "R2UR") for name, (u, between) in BETWEEN.items()
} | {
    "two minus signs": "MOV R2, RZ\nIADD3 R4, P0, -R2, -R2, RZ\nIADD3.X R5, RZ, RZ, RZ, P0, !PT\nR2UR UR0, R5",
    "minus zero": "MOV R2, RZ\nIADD3 R4, P0, RZ, -R2, RZ\nIADD3.X R5, RZ, ~RZ, RZ, P0, !PT\nR2UR UR0, R5",
    "a sign of what is shifted": "MOV R2, 0x5\nLEA R4, ~R2, RZ, 0x4\nR2UR UR0, R4",
    "a minus of what is shifted": "MOV R2, 0x5\nLEA R4, -R2, 0x3, 0x4\nR2UR UR0, R4",
    "a wide product": "MOV R2, 0xfffffff0\nIMAD.WIDE.U32 R4, R2, -0x8, RZ\nR2UR UR0, R5\nR2UR UR1, R4",
    "a wide product of signed numbers": "MOV R2, 0xfffffff0\nIMAD.WIDE R4, R2, -0x8, RZ\nR2UR UR0, R5\nR2UR UR1, R4",
    "a negative number of 64 bits": "UMOV UR4, 0x5\nUMOV UR5, URZ\nUIADD3.64 UR0, UPT, UPT, UR4, -0x8, URZ",
}


@pytest.mark.parametrize("name", DIRECTED)
def test_what_programs_seldom_do(name: str) -> None:
    lines = [*DIRECTED[name].strip().splitlines(), "HGMMA.64x8x16.F32 R24, gdesc[UR0], R24, !UPT, gsb0", "EXIT"]
    text = '.section .text.fuzz,"ax",@progbits\n.text.fuzz:\n'
    text += "".join(f"        /*{16 * place:04x}*/ {line.strip()} ;\n" for place, line in enumerate(lines))
    assert contradictions(text, 0)[:3] == []


def test_every_instruction_is_there() -> None:
    names: dict[str, int] = defaultdict(int)
    for seed in range(400):
        for each in Program(program("any", seed)).code:
            names[".".join((each.name, *each.suffixes))] += 1
    forms = [f"SHF.{side}.{kind}{high}" for side in ("L", "R", "L.W", "R.W") for kind in ("U32", "S32", "U64", "S64")
             for high in ("", ".HI")]  # fmt: skip
    forms += ["IADD3", "IADD3.X", "LEA", "LEA.HI", "LEA.HI.X", "LEA.HI.X.SX32", "IMAD.WIDE", "IMAD.WIDE.U32", "PRMT",
              "SGXT", "SEL", "LOP3.LUT"]  # fmt: skip
    assert [file + name for file in ("", "U") for name in forms if not names[file + name]] == []
