"""Partly known values: what is found is what all completions of the unknown bits share, no more and no less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run import smemdesc
from samples import case_of, contexts, kinds, some, values
from tables import every_row

from smemdesc import Context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.engine.fields import ones
from smemdesc.instructions.mma import Judge, with_bits
from smemdesc.instructions.model import Mma, MmaOperand
from smemdesc.kinds.context import NOTHING
from smemdesc.kinds.instruction import Instruction
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.rules import judge
from smemdesc.rules.base import Finding, worst
from smemdesc.rules.judging import undecided


def in_all(completions: list[dict[object, int]]) -> dict[object, int]:
    """Return what all completions have, each with its least severity."""
    return {rule: max(found[rule] for found in completions) for rule in set.intersection(*map(set, completions))}


def ranks(findings: list[tuple[object, Finding]]) -> dict[object, int]:
    out: dict[object, int] = {}
    for key, finding in findings:
        out[key] = min(out.get(key, 9), finding.rank)
    return out


def of_value(kind: Kind, bits: int, known: int, case: Context) -> dict[object, int]:
    return ranks([(each.rule, each) for each in judge(kind, kind.table.read(bits & known, known), case)])


def filled(unknown: list[int], number: int) -> int:
    return sum(1 << bit for place, bit in enumerate(unknown) if number >> place & 1)


@pytest.mark.slow
@some(320)
@given(st.data())
def test_a_value_is_judged_as_all_its_completions(data: st.DataObject) -> None:
    kind = data.draw(kinds.flatmap(lambda each: st.sampled_from((each, *each.variants))))
    value, case = data.draw(values(kind)), data.draw(contexts)
    row = data.draw(st.sampled_from(kind.table.rows))
    near = st.integers(row.lo, row.hi)
    unknown = data.draw(st.lists(near | st.integers(0, kind.table.width - 1), min_size=1, max_size=5, unique=True))
    known = kind.table.full & ~sum(1 << bit for bit in unknown)
    completions = [
        of_value(kind, value & known | filled(unknown, number), kind.table.full, case)
        for number in range(1 << len(unknown))
    ]
    assert of_value(kind, value, known, case) == in_all(completions)
    said = {finding.rule for finding, _ in undecided(kind, kind.table.read(value & known, known), case)}
    assert said <= set().union(*completions)


SMEM = [
    *(0x4000404000010040, 0x4000404000010440, 0xC000402000100040, 0x4000404000010042, 0x4000404002000840),
    *(0x4000404000400080, 0x0000400800100040, 0x4000004000010040, 0x4000440000010040, 0x4000400400010040),
]
IDESC = {
    "f16": [0x08200490, 0x08210490, 0x04208490, 0x08200010, 0x08200494, 0x08218490],
    "tf32": [0x08200910, 0x08210910],
    "f8f6f4": [0x08200010],
}
FIELD = {"a": 64, "b": 64, "idesc": 32}


@st.composite
def instructions(draw: st.DrawFn) -> tuple[Mma, list[tuple[str, int]]]:
    """An instruction with a few unknown bits, and these."""
    kind = draw(st.sampled_from(sorted(IDESC)))
    instruction = Instruction("tcgen05", mma_kind=kind, mma_kinds=(kind,), cta_group=1, ws=False, a_from="shared")
    chosen = {
        "a": draw(st.sampled_from(SMEM)),
        "b": draw(st.sampled_from(SMEM)),
        "idesc": draw(st.sampled_from(IDESC[kind])),
    }
    place = st.sampled_from([*FIELD, "idesc"]).flatmap(
        lambda name: st.tuples(st.just(name), st.integers(0, FIELD[name] - 1))
    )
    bits = [(name, 1 << bit) for name, bit in draw(st.lists(place, min_size=1, max_size=4, unique=True))]
    operands = {}
    for name, value in chosen.items():
        known = ones(FIELD[name]) & ~sum(bit for other, bit in bits if other == name)
        operands[name] = MmaOperand(value & known, known)
    return Mma(instruction, **operands), bits


@some(96)
@given(instructions())
def test_an_instruction_is_judged_as_all_its_completions(case: tuple[Mma, list[tuple[str, int]]]) -> None:
    mma, bits = case
    judging = Judge()

    def found(mma: Mma) -> dict[object, int]:
        return ranks([((name or each.operand, each.rule), each) for name, each in judging.found(mma).findings])

    assert found(mma) == in_all([found(with_bits(mma, bits, number)) for number in range(1 << len(bits))])


K = {"dtype": "bf16", "major": "K", "shape": "128x16"}
MN = {"dtype": "bf16", "major": "MN", "shape": "128x16"}


@every_row(
    ("value", "case", "severity"),
    [
        # The strides alone make elements overlap.
        ("0x400040400001????", MN, "warning"),
        ("0x4000404000010000@smem", MN, "warning"),
        # The low bits of the start tell that the operand leaves its row.
        ("0b0100000000000000010000000100000000000000000000010000000000???111", K, "warning"),
        ("0x4000404000010000@smem:128+0x70", K, "warning"),
        ("0x4000404000010000@smem:64+0x30", K, None),
        ("0x4000404000010000@smem:1024+0x60", K, None),
        ("0x4000404000010000@0x470", K, "warning"),
        # A stride that leads out of shared memory from any start.
        ("0x40007fff00010000@smem", {**K, "shape": "256x16"}, "warning"),
        ("0x4000404000010000@smem", K, None),
    ],
)
def test_a_rule_needs_no_more_than_it_asks_for(value: str, case: dict[str, str], severity: str | None) -> None:
    findings = [
        each
        for each in decode_value(value, "tcgen05", context=case_of(kind_of("tcgen05"), **case)).findings
        if each.severity != "note"
    ]
    assert worst(findings) == severity


@every_row(
    ("unknown", "rules"),
    [
        ("0x400040400001????", {"row-crossing": 0x7, "outside-shared-memory": 0x3FFF}),
        ("0x4000404000010000@smem:1024", {"outside-shared-memory": 0x3FC0}),
    ],
)
def test_what_only_some_completions_have_is_undecided(unknown: str, rules: dict[str, int]) -> None:
    result = decode_value(unknown, "tcgen05", context=case_of(kind_of("tcgen05"), **K))
    assert {each.finding.rule: each.bits for each in result.undecided if each.finding.severity == "warning"} == rules
    assert [each["bits"] for each in result.to_dict()["undecided"] if each["rule"] in rules]


def test_undecided_findings_are_shown_with_all() -> None:
    typed = ["decode", "0x4000404000010000@smem", "--dtype", "bf16", "--major", "K", "--shape", "128x16"]
    assert "not decided" not in smemdesc(*typed).out
    assert "not decided: warning row-crossing: depends on bits 0-2" in smemdesc(*typed, "--all").out


def test_nothing_is_undecided_of_a_whole_value() -> None:
    kind = kind_of("tcgen05")
    assert undecided(kind, kind.table.read(SMEM[0]), NOTHING) == ()


@pytest.mark.parametrize("a", ["0x4000404000010000@smem+0x400", "0x400040400001????"])
def test_starts_are_compared_as_far_as_they_are_known(a: str) -> None:
    """Of two starts of one base the distance is known; of two of which nothing is known, nothing."""
    out = smemdesc(
        "mma", "--a", a, "--b", "0x4000404000010000@smem+0x420", "--idesc", "0x08200490", "--mma-kind", "f16"
    )
    assert ("k-steps-differ" in out.out) is ("@" in a)
