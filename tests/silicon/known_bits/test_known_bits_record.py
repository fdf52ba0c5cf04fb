"""What a scan claims of machine code against what an H100 and an H200 computed with it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from programs.machine import Instruction, Machine, NotModelledError, Outside, Program
from silicon.known_bits import kernels, record
from silicon.known_bits.build import MADE, prefix
from silicon.known_bits.record import FRAMES, LEVELS, ROLLED, STEPS, WAYS, Seen
from silicon.record import named

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedOperand

pytestmark = pytest.mark.corpus  # long: .ci/run has it

FULL = (1 << 64) - 1
KINDS = tuple(MADE)
ALL = tuple(kind + level for kind in KINDS for level in LEVELS)
SHARES: dict[str, tuple[tuple[float, float], ...]] = {
    "": ((0.35, 0.75), (0.37, 0.75), (0.37, 0.75)),
    WAYS: ((0.27, 0.55), (0.34, 0.7), (0.33, 0.67)),
    STEPS: ((0.36, 0.49), (0.37, 0.5), (0.37, 0.5)),
    ROLLED: ((0.51, 0.63), (0.56, 0.69), (0.56, 0.69)),
    FRAMES: ((0.3, 0.78), (0.3, 0.78), (0.31, 0.8)),
}
"""At each level, the share of all bits that must be claimed, and of those that were the same in every thread."""


@cache
def measured() -> record.Record:
    return record.read()


@cache
def claims(level: str) -> dict[str, tuple[ScannedOperand, ScannedOperand]]:
    """The descriptors of each kernel's own MMA; -O0 adds an empty one."""
    found = {}
    for function in scan_text(measured().sass[level]).functions:
        (mma,) = [mma for mma in function.mmas if mma.instruction.d_type == "f32"]
        assert mma.a is not None
        assert mma.b is not None
        found[function.name or ""] = (mma.a, mma.b)
    return found


@cache
def programs(kind: str) -> list[kernels.Program]:
    return MADE[kind].make()


def pairs(level: str) -> list[tuple[str, ScannedOperand, Seen]]:
    """Every value with what was seen of it."""
    values = measured().values[level]
    return [
        (f"{kernel}.{place}", operand, seen)
        for kernel, operands in claims(level).items()
        for place, operand, seen in zip("ab", operands, values[kernel][:2], strict=True)
    ]


@pytest.mark.parametrize("path", sorted(record.RECORDS.iterdir()), ids=lambda path: str(path.name))
def test_the_record_says_where_it_comes_from(path: Path) -> None:
    header = record.read(path).header
    assert named(header["chip"]) == path.name.removesuffix(".json.xz")
    assert header["compute_capability"] == "9.0"
    for key in ("date", "driver", "compiler", "disassembler"):
        assert header[key] not in ("", "unknown")


def test_the_chips_computed_the_same() -> None:
    """A record of other kernels, or of none of them, would not."""
    for path in record.RECORDS.iterdir():
        values = record.read(path).values
        assert {level: measured().values[level] for level in values} == values


@pytest.mark.parametrize("level", ALL, scope="module")  # those of one level one after the other: one scan
def test_no_kernel_is_lost(level: str) -> None:
    every = {kernels.name(number) for number in range(MADE[prefix(level)].KERNELS)}
    assert set(measured().values[level]) == set(claims(level)) == every


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_optimisation_changes_nothing(kind: str, level: str) -> None:
    assert measured().values[kind + level] == measured().values[kind + LEVELS[0]]


@pytest.mark.parametrize("level", ALL, scope="module")  # those of one level one after the other: one scan
def test_no_claim_contradicts_the_chip(level: str) -> None:
    wrong = [
        (name, hex(operand.bits), hex(operand.known), hex(seen.always), hex(seen.ever))
        for name, operand, seen in pairs(level)
        if operand.bits & ~seen.always or operand.known & ~operand.bits & seen.ever
    ]
    assert wrong == []


@pytest.mark.parametrize("level", [STEPS + level for level in LEVELS])
def test_no_step_of_an_address_contradicts_the_chip(level: str) -> None:
    """In these kernels no step leaves the bits of the address: what is provided that none does is what was seen."""
    said = [(name, each.provided, seen) for name, each, seen in pairs(level) if each.provided is not None]
    wrong = [
        (name, each, hex(seen.always), hex(seen.ever))
        for name, each, seen in said
        if name.endswith(".a") and (each.bits & ~seen.always or each.known & ~each.bits & seen.ever)
    ]
    assert wrong == []
    assert len(said) >= 10


@pytest.mark.parametrize("level", ALL, scope="module")  # those of one level one after the other: one scan
def test_much_is_claimed(level: str) -> None:
    every = pairs(level)
    claimed = sum(operand.known.bit_count() for _, operand, _ in every)
    constant = sum((FULL & ~(seen.always ^ seen.ever)).bit_count() for _, _, seen in every)
    of_all, of_constant = SHARES[prefix(level)][LEVELS.index(level[-2:])]
    assert claimed >= of_all * 64 * len(every)
    assert claimed >= of_constant * constant > 0


@pytest.mark.parametrize("kind", KINDS)
def test_most_bits_were_seen_to_change(kind: str) -> None:
    """A bit that no input moves would hide a wrong claim."""
    moved = [(seen.always ^ seen.ever).bit_count() for _, _, seen in pairs(kind + "O0")]
    # Fields of descriptors do not move.
    assert sum(moved) >= {STEPS: 0.25, ROLLED: 0.18}.get(kind, 0.4) * 64 * len(moved)
    assert min(moved) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_plain_numbers_give_what_the_chip_gave(kind: str) -> None:
    """The instructions by the manual of PTX, on the inputs of a few warps, in every third kernel: every value is that
    of the chip.

    And the kernels are those that are made here.
    """
    text = kernels.module(programs(kind))
    assert measured().header[f"{kind}ptx"] == hashlib.sha256(text.encode()).hexdigest()
    values = measured().values[f"{kind}O0"]
    wrong = [
        kernels.name(number)
        for number, program in [*enumerate(programs(kind))][::3]
        if kernels.digest(program) != values[kernels.name(number)].digest
    ]
    assert wrong == []


class Thread(Outside):
    """A thread of the chip, with the inputs that it had there."""

    def __init__(self, lane: kernels.Lane) -> None:
        self.lane = lane
        given = (IN, OUT, lane["wide"], lane["number"])
        self.parameters = b"".join(value.to_bytes(8, "little") for value in given)
        self.stored: list[int] = []

    def register(self, name: str) -> int:
        return 0

    def constant(self, offset: int) -> int:
        return int.from_bytes(self.parameters[max(0, offset - PARAMETERS) :][:4], "little")

    def special(self, name: str) -> int:
        return self.lane[{"SR_TID.X": "tid", "SR_CTAID.X": "ctaid", "SR_LANEID": "laneid"}[name]]

    def load(self, what: Instruction, address: int, size: int) -> int:
        mine = address - IN - kernels.RECORD * (kernels.THREADS * self.lane["ctaid"] + self.lane["tid"])
        assert 0 <= mine <= kernels.RECORD - size
        return self.lane["memory"] >> 8 * mine & (1 << 8 * size) - 1

    def store(self, address: int, words: Sequence[int]) -> None:
        self.stored = list(words)


IN, OUT = 1 << 36, 1 << 37
PARAMETERS = 0x210
"""Where the parameters of a kernel begin in constant memory (sm_90)."""
LANES = (0, 13, 31)


@pytest.mark.parametrize("level", LEVELS)
def test_the_machine_of_the_random_programs_is_like_the_chip(level: str) -> None:
    """It runs the recorded code; the few kernels with instructions that it lacks are left out."""
    pieces = re.split(r"(?m)^\s*\.section\s+\.text\.(k\d+),", measured().sass[level])
    done = 0
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        code = Program(text)
        expected = programs("")[int(name[1:])].run(kernels.warp(1))
        try:
            for lane in LANES:
                thread = Thread(kernels.warp(1)[lane])
                Machine(code, thread).run()
                assert tuple(thread.stored) == expected[lane], (name, lane)
            done += 1
        except NotModelledError:
            continue
    assert done >= 0.65 * kernels.KERNELS
