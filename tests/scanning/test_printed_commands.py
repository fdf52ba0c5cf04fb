"""The ``smemdesc mma`` commands that ``scan`` prints find what it found."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from corpus.dumps import scanned, texts
from run import smemdesc
from samples import examples_of

from smemdesc.instructions.mma import Judge, command
from smemdesc.instructions.model import OF_THE_FUNCTION, OPERANDS, Mma, MmaOperand
from smemdesc.scanning.results.selection import is_unversioned

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples" / "data"
ARCHIVES = sorted(HERE.rglob("*.tar.xz"))
FILES = sorted(
    path
    for folder in (HERE, EXAMPLES)
    for path in folder.rglob("*")
    if path.suffix in (".ptx", ".sass", ".mlir", ".ttgir", ".ll")
)
EVERY = 24
"""Of how many dumps of an archive a plain run takes one."""


def models(dumps: Iterable[str]) -> Iterator[Mma]:
    """Yield the different MMAs of some dumps, as ``scan`` judges them."""
    for text in dumps:
        for function in scanned(text):
            unversioned = is_unversioned(function)
            yield from dict.fromkeys(mma._replace(unversioned=unversioned).model for mma in function.mmas)


def found(mma: Mma, judge: Judge) -> set[tuple[str | None, str, str]]:
    """Return the findings of an instruction that its command can have.

    A version of 0 is a note where the whole kernel has none, which the command does not know: there it is a warning.
    """
    alone = mma._replace(unversioned=False)
    findings = {(name, finding.severity, finding.rule) for name, finding in judge.judge(alone).findings}
    return {finding for finding in findings if finding[2] not in OF_THE_FUNCTION}


def finds(typed: str) -> set[tuple[str | None, str, str]]:
    ran = smemdesc(*shlex.split(typed)[1:], "--json")
    assert ran.status == 0, (typed, ran.err)
    every = {(each["operand"], each["severity"], each["rule"]) for each in json.loads(ran.out)["findings"]}
    return {finding for finding in every if finding[2] not in OF_THE_FUNCTION}


def compare(mmas: Iterable[Mma]) -> Counter[str]:
    """Run the command of each instruction with findings; return how many there were, and the options that they have."""
    judge, count = Judge(), Counter[str]()
    for mma in mmas:
        typed = command(mma, judge)
        if judge.judge(mma).findings and typed:
            assert finds(typed) == found(mma, judge), typed
            count["commands"] += 1
            count.update(re.findall(r"--no-sparse|0b|\?:", typed))
    return count


def parts(archive: Path, every: int) -> list[str]:
    return [text for number, (_, text) in enumerate(texts(archive)) if not number % every]


@pytest.mark.slow
def test_the_command_of_every_instruction_with_findings_in_stored_dumps_finds_the_same() -> None:
    few = [text for archive in ARCHIVES for text in parts(archive, EVERY)]
    count = compare(set(models([*few, *(path.read_text() for path in FILES)])))
    assert count["commands"] > 20, count


@pytest.mark.corpus
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name)
def test_the_command_of_every_instruction_with_findings_in_an_archive_finds_the_same(archive: Path) -> None:
    compare(set(models(parts(archive, 4))))


def changed(mma: Mma, rng: random.Random) -> Mma:
    """Return an instruction with other bits, some of them unknown, and perhaps without ``.sp`` or with it."""
    operands = {}
    for name in OPERANDS:
        operand: MmaOperand | None = getattr(mma, name)
        if operand is None:
            continue
        (bits, known, *_), width = operand, 32 if name == "idesc" else 64
        for _ in range(rng.choice((0, 0, 1, 2))):
            bits ^= 1 << rng.randrange(width)
        for _ in range(rng.choice((0, 0, 1, 3, 8))):
            known &= ~(1 << rng.randrange(width))
        if not rng.randrange(8):
            known &= rng.getrandbits(width) & rng.getrandbits(width)
        if not rng.randrange(32):
            known = 0
        operands[name] = MmaOperand(bits & known, known)
    sparse = rng.choice((mma.instruction.sparse, True, False))
    return mma._replace(instruction=mma.instruction._replace(sparse=sparse), **operands)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.property
def test_the_command_finds_the_same_whatever_bits_are_known() -> None:
    rng = random.Random(20261128)
    some = [mma for mma in models(path.read_text() for path in FILES) if command(mma)]
    examples = examples_of(60, least=12)  # each takes half a second
    count = compare(changed(rng.choice(some), rng) for _ in range(examples))
    assert count["commands"] > examples // 2, count
    assert min(count[option] for option in ("--no-sparse", "0b", "?:")) > 0, count


@pytest.mark.slow
def test_bits_are_typed_one_by_one_only_where_a_finding_depends_on_them() -> None:
    (mma, *_) = models([(EXAMPLES / "gemm_sm100.sass").read_text()])
    assert mma.a is not None
    judge, known = Judge(), (1 << 64) - 1
    half, reserved = known ^ 0x3, 1 << 14
    for bits, mask, text in (
        (mma.a.bits, known, f"0x{mma.a.bits:016x}"),
        (mma.a.bits & ~0xF, known ^ 0xF, f"0x{mma.a.bits >> 4:015x}?"),
        (mma.a.bits & ~0x3, half, f"0x{mma.a.bits >> 4:015x}?"),  # nothing is wrong with it
        (mma.a.bits & ~0x3FFF | reserved, known ^ 0x3FFF, f"0x{mma.a.bits >> 32:08x}:0b"),
        (reserved, reserved, "?:0b"),
    ):
        typed = command(mma._replace(a=MmaOperand(bits, mask)), judge)
        assert shlex.split(typed)[3].startswith(text), typed


KERNEL = """\
.version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u32 tmem)
{
\t.reg .pred %p<2>;
\t.reg .b32 %r<2>;
\tld.param.u32 %r1, [tmem];
\tsetp.ne.b32 %p1, %r1, 0;
MMAS
\tret;
}
"""
MMA_TEXT = "\ttcgen05.mma.cta_group::1.kind::f16 [%r1], {a}, {b}, 0x08100490, %p1;"


@pytest.mark.slow
@pytest.mark.parametrize("place", range(4))
def test_a_row_prints_the_command_of_the_instruction_that_has_its_findings(place: int) -> None:
    """Also where it is not the first of the row."""
    starts = [0x40, 0x140, 0x240, 0x340]
    starts[place] = 0x3FC0  # beyond the shared memory
    mmas = (MMA_TEXT.format(a=f"0x400040400001{start:04x}", b="0x4000404000010440") for start in starts)
    dump = KERNEL.replace("MMAS", "\n".join(mmas))
    told = {
        (each["operand"], each["severity"], each["rule"])
        for line in smemdesc("scan", "--json", "-", stdin=dump).out.splitlines()
        for each in json.loads(line)["findings"]
    }
    printed = re.findall(r"^ +(smemdesc mma .*)", smemdesc("scan", "-", stdin=dump).out, re.MULTILINE)
    assert ("a", "warning", "outside-shared-memory") in told
    assert set().union(*map(finds, printed)) == told
    assert len(printed) == len(told)
