"""All rules together: each is triggered by some test, cites its source, and never fails."""

from __future__ import annotations

import ast
from inspect import getsource
from itertools import product
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, contexts, kinds, masks, realistic, some, values

from rules import test_addresses, test_instruction, test_rows, test_shared_memory, test_zero_columns
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.rules import judge, rules_for, worst
from smemdesc.rules.base import RANK
from smemdesc.rules.judging import answers, rules_in_common

TRIGGERED = {
    *((kind, rule) for kind, *_, rule in test_rows.TRIGGERS),
    *((kind, rule) for kind, *_, rule in test_shared_memory.TRIGGERS),
    *((kind, rule) for kind, *_, rule in test_addresses.TRIGGERS),
    *((f"idesc:{mma_kind}", rule) for mma_kind, *_, rule in test_instruction.TRIGGERS),
    *((f"idesc:{mma_kind}", rule) for mma_kind, *_, rule in test_instruction.BITS),
    *(("mask", rule) for *_, rule in test_zero_columns.TRIGGERS),
}
SPARED = {
    *(rule for *_, rule in test_rows.NEAR),
    *(rule for *_, rule in test_shared_memory.NEAR),
    *(rule for *_, rule in test_addresses.NEAR),
    *(rule for *_, rule in test_instruction.NEAR),
    *(rule for *_, rule in test_zero_columns.NEAR),
}
RULES = [(kind, rule) for kind in ALL for rule in rules_for(kind, whole=True)]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_rule_of_a_kind_is_triggered_by_a_test(kind: Kind) -> None:
    assert {(kind.id, rule.name) for rule in rules_for(kind, whole=True)} == {
        each for each in TRIGGERED if each[0] == kind.id
    }


def test_every_rule_has_a_near_miss() -> None:
    assert {rule.name for _, rule in RULES} == SPARED


SOURCES = ("PTX ISA", "CUTLASS", "H200", "ptxas", "CUDA C++", "the address formula")


def test_every_rule_says_what_must_hold() -> None:
    assert [rule for _, rule in RULES if not rule.doc.endswith(".")] == []
    assert [rule for _, rule in RULES if rule.name != rule.name.lower().replace("_", "-")] == []


def test_every_rule_says_who_says_so() -> None:
    assert [rule for _, rule in RULES if not any(name in rule.source for name in SOURCES)] == []


def test_every_rule_reads_fields_of_its_kind() -> None:
    assert [rule for kind, rule in RULES if not set(rule.reads) <= set(kind.table.by_key)] == []


def test_every_rule_that_takes_the_context_looks_at_it() -> None:
    for kind in ALL:
        for rule in rules_for(kind, whole=True, tiled=True):
            check = ast.parse(dedent(getsource(getattr(rule.check, "func", rule.check))))
            looks = any(isinstance(each, ast.Name) and each.id == "context" for each in ast.walk(check))
            assert rule.contextual == looks, rule


@some(200)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), contexts)
def test_what_is_known_of_the_instruction_is_added_to_the_answers(
    case: tuple[Kind, int, int], context: Context
) -> None:
    kind, bits, known = case
    fields = kind.table.read(bits & known, known)
    kept = answers(kind, bits & known, known, lambda: fields)
    assert judge(kind, fields, context, kept) == judge(kind, fields, context)


@some(200)
@given(
    st.sampled_from([pair for pair in product(ALL, ALL) if pair[0].table.width == pair[1].table.width]),
    st.integers(0, (1 << 64) - 1),
    contexts,
    st.sampled_from([None, "sm_101a", "sm_120"]),
)
def test_readings_have_nothing_in_common_but_what_the_same_rules_find(
    both: tuple[Kind, Kind], bits: int, context: Context, arch: str | None
) -> None:
    context = context._replace(arch=arch or context.arch)
    one, other = (set(judge(kind, kind.table.read(bits & kind.table.full), context)) for kind in both)
    assert {each.rule for each in one & other} <= rules_in_common(both, context)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_a_name_stands_for_one_rule_per_field(kind: Kind) -> None:
    seen = [(rule.name, rule.reads) for rule in rules_for(kind, whole=True)]
    assert len(seen) == len(set(seen))


def check(kind: Kind, bits: int, known: int, context: Context) -> None:
    findings = judge(kind, kind.table.read(bits & known, known), context)
    assert [RANK[finding.severity] for finding in findings] == sorted(RANK[finding.severity] for finding in findings)
    for finding in findings:
        assert finding.message
        assert finding.source
        assert set(finding.fields) <= set(kind.table.by_key)
    if findings:
        assert worst(findings) == findings[0].severity


@pytest.mark.corpus
@some(300)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), contexts)
def test_no_value_makes_a_rule_fail(case: tuple[Kind, int, int], context: Context) -> None:
    check(*case, context)


@some(200)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), realistic(kind))), contexts)
def test_no_realistic_value_makes_a_rule_fail(case: tuple[Kind, int], context: Context) -> None:
    kind, bits = case
    check(kind, bits, kind.table.full, context)


@some(150)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))))
def test_an_error_in_what_is_known_stays_whatever_the_rest_is(case: tuple[Kind, int, int]) -> None:
    kind, bits, known = case
    partly = judge(kind, kind.table.read(bits & known, known))
    wholly = judge(kind, kind.table.read(bits))
    wrong = {(finding.rule, finding.fields) for finding in partly if finding.severity == "error"}
    tolerated = {(finding.rule, finding.fields) for finding in wholly if finding.severity != "note"}
    assert wrong <= tolerated


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_nothing_known_nothing_found(kind: Kind) -> None:
    assert judge(kind, kind.table.read(0, 0), NOTHING) == ()


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_nothing_wrong_nothing_found(kind: Kind) -> None:
    assert judge(kind, kind.table.read(SOUND[kind.id]), NOTHING) == ()
