"""Jumps through a table that cuobjdump does not print.

Random programs jump to any of their lines, forwards and back, into straight lines and from one case into the next. A
scan reads them without labels and tables, a machine runs them with both. What nobody put into a register is other
garbage in each of several runs: where all of these reach memory by the same addresses and give the tensor core the same
descriptors, the program works, and every bit that is claimed is right.
"""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from samples import split

from .machine import M32, Instruction, Machine, Program
from .test_sass_front import cuobjdump
from .test_sass_fuzz import claimed
from .test_sass_ways import Warp, Ways

SEEDS = 400
SLICES = 5
SHORT = 1
RUNS = 12
GARBAGE = 4
LONG = 200
"""Addresses and descriptors of a run; one with more runs in circles."""


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
    mmas = dict(zip(places, claimed(cuobjdump(text)), strict=True))
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
        assert wrong[:3] == [], f"seed {seed}\n{text}\n{cuobjdump(text)}"
        held += bits
    assert held
