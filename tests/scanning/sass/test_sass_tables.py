"""Jumps through a table that cuobjdump does not print.

Random programs jump to any of their lines, forwards and back, into straight lines and from one case into the next. A
scan reads them without labels and tables, a machine runs them with both. What nobody put into a register is other
garbage in each of several runs: where all of these reach memory by the same addresses and give the tensor core the same
descriptors, the program works, and every bit that is claimed is right.
"""

from __future__ import annotations

import random
import re
from contextlib import suppress

import pytest
from samples import split

from .machine import M32, Instruction, Machine, Program
from .test_sass_front import FULL, HIGH, MMA, PUT
from .test_sass_fuzz import claimed
from .test_sass_ways import Warp, Ways

SEEDS = 400
SLICES = 5
SHORT = 1
RUNS = 12
GARBAGE = 4
LONG = 200
"""Addresses and descriptors of a run; one with more runs in circles."""


def of_cuobjdump(text: str) -> str:
    """Return a function of nvdisasm as cuobjdump prints it: addresses, no labels, no tables."""
    at: dict[str, str] = {}
    lines = []
    address = 0
    for line in text.splitlines():
        label = re.match(r"(\.L_\w+):$", line)
        if label:
            at[label[1]] = f"{address:#x}"
        elif ";" in line:
            body = line.partition("*/")[2].strip() if "*/" in line.partition(";")[0] else line.strip()
            lines.append(f"        /*{address:04x}*/                   {body}")
            address += 16
    joined = "\n".join(lines)
    joined = re.sub(r' *\(\*"BRANCH_TARGETS[^;]*\*\)', "", joined)
    return "\t\tFunction : fuzz\n" + re.sub(r"`\((\.L_\w+)\)", lambda found: at.get(found[1], found[0]), joined) + "\n"


class Tables(Ways):
    """Writes programs with jumps through tables, most of whose registers are written before they are used."""

    registers = 8

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.waiting: list[str] = []
        self.tables = 0

    def block(self, depth: int) -> None:
        if self.rng.random() < 0.4 and self.tables < 3 and depth:
            self.table(depth)
        elif self.rng.random() < 0.3:
            self.descriptor()
        else:
            super().block(depth)

    def call(self) -> None:
        self.descriptor()

    def elected(self) -> None:
        self.descriptor()

    def branch(self, depth: int, synchronized: bool) -> None:
        super().branch(depth, False)  # a jump to a BSYNC whose BSSY was passed over makes no sense

    def descriptor(self) -> None:
        """Put a descriptor together, and perhaps use it later."""
        first = 2 * self.rng.randrange(3)
        for word in range(4):
            if self.rng.random() < 0.8:
                self.put(f"UMOV UR{first + word}, {self.immediate()}", guard=False)
        self.some(0, 2)
        self.use(first)

    def put(self, text: str, u: str = "", guard: bool = True) -> None:
        if self.waiting and self.rng.random() < 0.15:
            self.lines.append(f"{self.waiting.pop()}:")
        super().put(text, u, guard)

    def table(self, depth: int) -> None:
        rng = self.rng
        self.tables += 1
        cases = [self.label() for _ in range(rng.randint(1, 3))]
        others = [self.label() for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]
        end = self.label()
        index = 20 if rng.random() < 0.9 else rng.randrange(self.registers)
        if index == 20:
            self.put("LDC R20, c[0x0][0x210]", guard=False)
        targets = [*cases, *others]
        rng.shuffle(targets)
        guard = rng.choice(("", "", "", "@P1 "))
        self.put(f'{guard}BRX R{index} -0x100 (*"BRANCH_TARGETS {",".join(targets)}"*)', guard=False)
        if guard:
            self.put(f"BRA `({end})", guard=False)
        for label in others:
            if rng.random() < 0.7:
                self.waiting.append(label)
            else:
                self.lines.insert(rng.randrange(self.begun, len(self.lines)), f"{label}:")
        for label in cases:
            self.lines.append(f"{label}:")
            self.block(depth - 1)
            if rng.random() < 0.6:
                self.put(rng.choice((f"BRA `({end})", f"BRA `({end})", "EXIT")), guard=False)
        self.lines.append(f"{end}:")

    def write(self) -> str:
        rng = self.rng
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        for number in range(self.registers):
            for u in ("", "U"):
                if rng.random() < 0.4:
                    how = rng.random()
                    text = f"{u}MOV {u}R{number}, {self.immediate()}"
                    self.put(
                        text if how < 0.6 else f"{'ULDC' if u else 'LDC'} {u}R{number}, c[0x0][0x220]", guard=False
                    )
        for text in ("LDC R1, c[0x0][0x28]", "LDC.64 R22, c[0x0][0x230]", "ULDC.64 UR20, c[0x0][0x208]"):
            if rng.random() < 0.95:
                self.put(text, guard=False)
        self.begun = len(self.lines)
        self.table(2)
        for _ in range(rng.randint(1, 3)):
            self.block(2)
        self.use(2 * rng.randrange(3))
        self.lines += [f"{label}:" for label in self.waiting]
        self.put("EXIT", guard=False)
        self.lines.append(".L_end:")
        self.put("BRA `(.L_end)", guard=False)
        return "\n".join(self.lines) + "\n"


class EndlessError(Exception):
    """A program that runs in circles."""


class Spoiled(Warp):
    """A thread in whose registers there is garbage; remembers by what it reached outside."""

    def __init__(self, rng: random.Random, garbage: int, flip: int) -> None:
        super().__init__(rng, {})
        self.garbage = garbage
        self.flip = flip
        self.seen: list[tuple[int, ...]] = []

    def register(self, name: str) -> int:
        if "P" in name:
            return random.Random(f"{self.garbage} {name}").getrandbits(1)
        return random.Random(f"{self.garbage} {name}").getrandbits(32) ^ self.flip

    def note(self, *what: int) -> None:
        self.seen.append(what)
        if len(self.seen) > LONG:
            raise EndlessError

    def load(self, what: Instruction, address: int, size: int) -> int:
        self.note(address)
        return super().load(what, address, size)

    def address(self, place: int, value: int) -> None:
        self.note(place, value)

    def store(self, address: int, words: object) -> None:
        self.note(address)

    def descriptors(self, place: int, a: int, b: int) -> None:
        self.note(place, a, b)


def contradictions(text: str, seed: int, runs: int = RUNS) -> tuple[list[str], int]:
    """Run a program and return what was claimed wrongly, and how many bits were claimed and held against a run."""
    program = Program(text)
    places = [place for place, each in enumerate(program.code) if each.name == "HGMMA"]
    mmas = dict(zip(places, claimed(of_cuobjdump(text)), strict=True))
    wrong = []
    held = 0
    for run in range(runs):
        traces = []
        for flip in (0, M32, *(random.Random(f"{seed} {run} {each}").getrandbits(32) for each in range(GARBAGE - 2))):
            thread = Spoiled(random.Random(f"{seed} {run}"), run, flip)
            with suppress(EndlessError, AssertionError):
                Machine(program, thread).run()
                traces.append(thread.seen)
        if len(traces) < GARBAGE or any(trace != traces[0] for trace in traces):
            continue
        for first in traces[0]:
            if len(first) != 3:
                continue
            place, *values = first
            mma = mmas[place]
            for operand, value in zip((mma.a, mma.b), values, strict=True):
                assert operand is not None
                held += operand.known.bit_count()
                if (operand.bits ^ value) & operand.known:
                    wrong.append(f"{place}: {operand.bits:#x}/{operand.known:#x}, not {value:#x}")
    return wrong, held


def program(seed: int) -> str:
    return Tables(random.Random(f"tables {seed}")).write()


@pytest.mark.corpus
@pytest.mark.parametrize("first", split(range(SLICES), lambda first: first < SHORT))
def test_no_run_contradicts_what_is_claimed(first: int) -> None:
    held = 0
    for seed in range(first, SEEDS, SLICES):
        text = program(seed)
        wrong, bits = contradictions(text, seed)
        assert wrong[:3] == [], f"seed {seed}\n{text}\n{of_cuobjdump(text)}"
        held += bits
    assert held


OTHERS = ("UMOV UR4, RZ", "UMOV UR5, RZ", "UMOV UR6, RZ")
TABLE = ("LDC R4, c[0x2][0x0]", "BRX R4 -0x20", "NOP")


def high(*lines: str) -> int:
    """Return which bits are known of the high word of B, as cuobjdump prints a function."""
    text = ".text.k:\n" + "".join(line + ("\n" if line.endswith(":") else " ;\n") for line in lines)
    operand = claimed(of_cuobjdump(text))[0].b
    assert operand is not None
    return operand.known >> 32


def test_a_table_does_not_lead_to_what_needs_a_register_that_nobody_wrote() -> None:
    assert high(*OTHERS, *TABLE, PUT, MMA, "EXIT") == FULL
    assert high("S2UR UR7, SR_CTAID.X", *TABLE, *OTHERS, PUT, MMA, "EXIT") == FULL


def test_what_is_called_may_trap_before_it_comes_back() -> None:
    called = ("MOV R20, 0x80", "@P0 CALL.REL.NOINC `(.L_f)", PUT, MMA, "EXIT")
    assert high(*OTHERS, *TABLE, *called, ".L_f:", "BPT.TRAP 0x1", "RET.REL.NODEC R20 `(k)") == FULL


def test_what_nobody_wrote_is_what_it_is_on_the_other_ways() -> None:
    assert high(*OTHERS, *TABLE, PUT, "@P0 STG.E desc[UR4][R2.64], R5", f"@P0 {MMA}", "EXIT") == FULL


@pytest.mark.parametrize(
    "lines",
    [
        ("S2UR UR7, SR_CTAID.X", *TABLE, PUT, MMA, "EXIT"),
        ("@P0 S2UR UR7, SR_CTAID.X", *TABLE, PUT, MMA, "EXIT"),
        ("MOV R20, 0x80", "CALL.REL.NOINC `(.L_f)", *TABLE, PUT, MMA, "EXIT", ".L_f:", "S2UR UR7, SR_CTAID.X",
         "RET.REL.NODEC R20 `(k)"),
        (*TABLE[1:], PUT, MMA, "EXIT"),
        (*TABLE, PUT, MMA, "RET.REL.NODEC R20 `(k)"),
        ("LDG.E R4, desc[UR8][R2.64]", *TABLE[1:], PUT, MMA, "EXIT"),
        ("LDC R4, c[0x2][0x0]", "JMX R4 -0x20", PUT, MMA, "EXIT"),
        (*TABLE, PUT, MMA, "BRA `(.L_missing)"),
    ],
)  # fmt: skip
def test_what_was_written_before_a_table_may_be_there_behind_it(lines: tuple[str, ...]) -> None:
    assert high(*OTHERS, *lines) != FULL


def test_bits_that_are_the_same_before_a_table_stay() -> None:
    assert high(*OTHERS, "UMOV UR7, 0x3", *TABLE, PUT, MMA, "EXIT") == FULL & ~(HIGH ^ 3)
