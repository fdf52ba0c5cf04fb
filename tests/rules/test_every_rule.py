"""All rules of the kinds together: each is found where it should be and nowhere else, cites its source, never fails,
and what it says to write repairs what it found.
"""

from __future__ import annotations

import ast
from inspect import getsource
from itertools import product
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, case_of, contexts, found, kinds, masks, realistic, some, values
from tables import every_row

from rules.tables import (
    addresses,
    instruction,
    rows,
    shared_memory,
    tensor_memory,
    zero_columns,
)
from smemdesc import Context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import build
from smemdesc.engine.fields import Enum
from smemdesc.kinds.context import NOTHING
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.names import PACKED_FP4
from smemdesc.rules import Repair, judge, rules_for, worst
from smemdesc.rules.base import RANK
from smemdesc.rules.judging import answers_of, rules_in_common

LBO, SBO = "leading_byte_offset", "stride_byte_offset"


def _of_instruction(mma_kind: str, what: dict[str, Any] | int, *rest: Any) -> tuple[Any, ...]:
    """A sparse K of packed fp4 is twice the dense one, and the same bit."""
    if mma_kind in PACKED_FP4 and isinstance(what, dict) and what.get("sparse"):
        what = {**what, "k": 128}
    return f"idesc:{mma_kind}", what, *rest


# kind, fields on top of its sound value (or a value), options, the finding
TRIGGERS: list[tuple[Any, ...]] = [
    *((kind, value, {"arch": arch}, *finding) for kind, value, arch, *finding in rows.TRIGGERS),
    *shared_memory.TRIGGERS,
    *addresses.TRIGGERS,
    *(_of_instruction(*each) for each in instruction.TRIGGERS),
    *(("mask", *each) for each in zero_columns.TRIGGERS),
    *(("tmem", *each) for each in tensor_memory.TRIGGERS),
]
NEAR: list[tuple[Any, ...]] = [
    *((kind, value, {"arch": arch}, rule) for kind, value, arch, rule in rows.NEAR),
    *shared_memory.NEAR,
    *addresses.NEAR,
    *(_of_instruction(*each) for each in instruction.NEAR),
    *(("mask", *each) for each in zero_columns.NEAR),
    *(("tmem", *each) for each in tensor_memory.NEAR),
]
RULES = [(kind, rule) for kind in ALL for rule in rules_for(kind, whole=True)]


@pytest.mark.slow
@every_row(("kind", "what", "case", "severity", "rule"), TRIGGERS)
def test_found(kind: str, what: dict[str, Any] | int, case: dict[str, Any], severity: str, rule: str) -> None:
    assert (severity, rule) in found(kind, what, **case)


@every_row(("kind", "what", "case", "rule"), NEAR)
def test_not_found(kind: str, what: dict[str, Any] | int, case: dict[str, Any], rule: str) -> None:
    assert rule not in {each for _, each in found(kind, what, **case)}


def test_every_rule_of_every_kind_is_triggered_and_has_a_near_miss() -> None:
    assert {(kind.id, rule.name) for kind, rule in RULES} == {(kind, rule) for kind, *_, rule in TRIGGERS}
    assert {rule.name for _, rule in RULES} == {rule for *_, rule in NEAR}


SOURCES = ("PTX ISA", "CUTLASS", "H200", "ptxas", "CUDA C++", "the address formula")


def test_every_rule_says_what_must_hold_who_says_so_and_which_fields_it_reads() -> None:
    for kind, rule in RULES:
        assert rule.doc.endswith("."), rule
        assert rule.name == rule.name.lower().replace("_", "-")
        assert any(name in rule.source for name in SOURCES), rule
        assert set(rule.reads) <= set(kind.table.by_key), rule


def test_every_rule_that_takes_the_context_looks_at_it() -> None:
    for kind in ALL:
        for rule in rules_for(kind, whole=True, tiled=True):
            check = ast.parse(dedent(getsource(getattr(rule.check, "func", rule.check))))
            looks = any(isinstance(each, ast.Name) and each.id == "context" for each in ast.walk(check))
            assert rule.contextual == looks, rule


@pytest.mark.slow
@some(200)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), contexts)
def test_what_is_known_of_the_instruction_is_added_to_the_answers(
    case: tuple[Kind, int, int], context: Context
) -> None:
    kind, bits, known = case
    fields = kind.table.read(bits & known, known)
    kept = answers_of(kind, bits & known, known, lambda: fields)
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


@every_row("kind", ALL)
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
    # N that no M has is wrong whatever M is; where M is wrong, too, M is named.
    wrong = {
        (finding.rule, finding.rule != "shape" and finding.fields) for finding in partly if finding.severity == "error"
    }
    tolerated = {
        (finding.rule, finding.rule != "shape" and finding.fields) for finding in wholly if finding.severity != "note"
    }
    assert wrong <= tolerated


@every_row("kind", ALL)
def test_nothing_known_or_nothing_wrong_nothing_found(kind: Kind) -> None:
    assert judge(kind, kind.table.read(0, 0), NOTHING) == ()
    assert judge(kind, kind.table.read(SOUND[kind.id]), NOTHING) == ()


@every_row(
    ("kind", "value", "case", "rule", "repair", "says"),
    [
        ("tcgen05", 0x4000400400010040, {}, "sbo-below-atom", (SBO, 1024), "SBO 64 B: 1024 B divided by 16 twice"),
        ("tcgen05", 0x8000400200010040, {}, "sbo-below-atom", (SBO, 512), "SBO 32 B: 512 B divided by 16 twice"),
        ("tcgen05", 0x4000004000010040, {}, "version-constant", ("version", 1), "bits 46-48 must be 0b001"),
        ("tcgen05", 0x4020404000010040, {}, "fixed-53-constant", ("fixed_53", 0), "bits 53-60 must be 0"),
        ("idesc:mxf4", 0x08A00680, {}, "undefined-code", ("a_type", "e2m1"), "a_type has no code 5"),
        ("idesc:i8", 0x08200430, {}, "undefined-code", ("d_type", "s32"), "d_type has no code 3"),
        ("idesc:f16", 0x08200498, {}, "saturate-float", ("saturate", False), "saturate is set"),
        (
            "idesc:mxf4",
            0x88A00480,
            {"arch": "sm_100a"},
            "needs-arch",
            ("k", 64),
            "k = 96 exists only on sm_103a, sm_103f, sm_107a, sm_107f",
        ),
        ("tcgen05", 0x4010404000010040, {"arch": "sm_110a"}, "needs-arch", ("lbo_mode", "relative"), "lbo_mode"),
    ],
)
def test_names_the_field_and_what_it_would_be(
    kind: str, value: int, case: dict[str, Any], rule: str, repair: tuple[str, Any], says: str
) -> None:
    of = kind_of(kind)
    findings = judge(of, of.table.read(value), case_of(of, **case))
    (found,) = (each for each in findings if each.rule == rule)
    assert says in found.message
    assert found.repair == (Repair(*repair),)
    assert found.repair[0].field in found.fields


def test_where_two_repairs_are_as_likely_none_is_given() -> None:
    (found,) = decode_value(0x4000402000010040, "tcgen05").findings
    assert (found.rule, found.repair, found.repaired) == ("sbo-below-atom", (), "")
    assert {0x8000402000010040, 0x4000404000010040} <= {int(each.repaired or "0", 16) for each in found.alternatives}


def test_as_text_and_as_json() -> None:
    found, follows = decode_value(0x4000400400010040, "tcgen05").findings
    assert found.advice == [("fix", "0x4000404000010040: divide by 16 once")]
    assert found.to_dict()["repaired"] == "0x4000404000010040"
    assert found.to_dict()["repair"] == {SBO: 1024}
    assert follows.advice == [("follows from", "stride-divided-twice")]


def test_repairs_repair() -> None:
    count = 0
    for kind, what, options, *_ in TRIGGERS:
        of = kind_of(kind)
        context = case_of(of, **options)
        fields, bits = (what, SOUND[kind]) if isinstance(what, dict) else ({}, what)
        made = build(of, fields, base=(bits, of.table.full), context=context, force=True)
        for finding in made.findings:
            if not finding.repair:
                continue
            fields = dict(finding.repair)
            after = build(of, fields, base=(made.value, of.table.full), context=context, force=True).findings
            assert (finding.rule, finding.repair) not in [(each.rule, each.repair) for each in after], (kind, finding)
            count += 1
    assert count > 200


def severities(kind: Kind, bits: int, known: int, case: Context = NOTHING) -> dict[str, int]:
    """Return the worst severity of each rule, as a number."""
    found = sorted(judge(kind, kind.table.read(bits & known, known), case), key=lambda each: -each.rank)
    return {each.rule: each.rank for each in found}


def no_worse(part: dict[str, int], completions: list[dict[str, int]]) -> None:
    """Hold that what is known in part is judged no worse than the best that it may be."""
    for rule, rank in part.items():
        assert rank == RANK["note"] or rank >= max(each.get(rule, RANK["note"]) for each in completions), rule


@every_row("kind", dict.fromkeys(table for each in ALL for table in (each, *each.variants)))
def test_every_partly_known_code_is_judged_as_the_best_that_it_may_be(kind: Kind) -> None:
    sound = SOUND[kind.id]
    for row in kind.table.rows:
        if row.width > 3 or not (row.constant or isinstance(row.codec, Enum)):
            continue
        rest = sound & ~kind.table.masks[row.key]
        whole = [severities(kind, rest | raw << row.lo, kind.table.full) for raw in range(1 << row.width)]
        for unknown, bits in product(range(1, 1 << row.width), range(1 << row.width)):
            if not bits & unknown:
                part = severities(kind, rest | bits << row.lo, kind.table.full & ~(unknown << row.lo))
                no_worse(part, [whole[raw] for raw in range(1 << row.width) if not (raw ^ bits) & ~unknown])
