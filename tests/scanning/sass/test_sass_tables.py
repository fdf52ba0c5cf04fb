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
from programs.grammar import M32, program
from programs.machine import Instruction, Machine, Program
from samples import split

from .test_sass_front import cuobjdump
from .test_sass_fuzz import Warp, claimed

SEEDS = 400
SLICES = 5
SHORT = 1
RUNS = 12
GARBAGE = 4
LONG = 200
"""Addresses and descriptors of a run; one with more runs in circles."""


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


@pytest.mark.corpus
@pytest.mark.parametrize("first", split(range(SLICES), lambda first: first < SHORT))
def test_no_run_contradicts_what_is_claimed(first: int) -> None:
    held = 0
    for seed in range(first, SEEDS, SLICES):
        text = program("tables", seed)
        wrong, bits = contradictions(text, seed)
        assert wrong[:3] == [], f"seed {seed}\n{text}\n{cuobjdump(text)}"
        held += bits
    assert held
