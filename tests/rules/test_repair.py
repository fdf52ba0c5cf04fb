"""What a finding says the field would be if it were right: written there, the finding is gone."""

from __future__ import annotations

from typing import Any

import pytest
from samples import SOUND, case_of

from rules import test_addresses, test_instruction, test_shared_memory, test_zero_columns
from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.result import decode
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.rules import Finding, Repair
from smemdesc.rules.judging import judge

LBO, SBO = "leading_byte_offset", "stride_byte_offset"


@pytest.mark.parametrize(
    ("kind", "value", "case", "rule", "repair", "says"),
    [
        ("tcgen05", 0x4000400400010040, {}, "sbo-below-atom", (SBO, 1024), "SBO 64 B: 1024 B divided by 16 twice"),
        ("tcgen05", 0x8000400200010040, {}, "sbo-below-atom", (SBO, 512), "SBO 32 B: 512 B divided by 16 twice"),
        ("tcgen05", 0x4000004000010040, {}, "version-constant", ("version", 1), "bits 46-48 must be 0b001"),
        ("tcgen05", 0x4020404000010040, {}, "fixed-53-constant", ("fixed_53", 0), "bits 53-60 must be 0"),
        ("tcgen05", 0x0002404000010040, {}, "base-offset-without-swizzle", ("base_offset", 0), "base offset 1"),
        ("idesc:mxf4", 0x08A00680, {}, "undefined-code", ("a_type", "e2m1"), "a_type has no code 5"),
        ("idesc:i8", 0x08200430, {}, "undefined-code", ("d_type", "s32"), "d_type has no code 3"),
        ("idesc:f16", 0x08200498, {}, "saturate-float", ("saturate", False), "saturate is set"),
        (
            "idesc:mxf4",
            0x88A00480,
            {"arch": "sm_100a"},
            "needs-arch",
            ("k", 64),
            "k = 96 exists on sm_103a, sm_103f, sm_107a, sm_107f only",
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
    assert found.repair == Repair(*repair)
    assert found.repair.field in found.fields


def test_where_two_repairs_are_as_likely_none_is_given() -> None:
    (found,) = decode(0x4000402000010040, "tcgen05").findings
    assert (found.rule, found.repair) == ("sbo-below-atom", None)
    assert "64B" in found.likely


def test_as_text_and_as_json() -> None:
    (found,) = decode(0x4000400400010040, "tcgen05").findings
    assert found.fix == "write SBO 1024 B (encoded 64)"
    assert found.to_dict()["fix"] == found.fix
    assert found.to_dict()["repair"] == {SBO: 1024}


TRIGGERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    *((kind, fields, case) for kind, fields, case, *_ in test_shared_memory.TRIGGERS),
    *((kind, fields, case) for kind, fields, case, *_ in test_addresses.TRIGGERS),
    *((f"idesc:{mma}", test_instruction._k(mma, fields), case) for mma, fields, case, *_ in test_instruction.TRIGGERS),
    *(("mask", fields, case) for fields, case, *_ in test_zero_columns.TRIGGERS),
]


def repaired(kind: str, fields: dict[str, Any], case: dict[str, Any]) -> list[tuple[Finding, tuple[Finding, ...]]]:
    """Each finding that has a repair, with what is found once it is written."""
    of = kind_of(kind)
    context: Context = case_of(of, **case)
    made = build(of, fields, base=(SOUND[of.id], of.table.full), context=context, force=True)
    return [
        (
            finding,
            build(
                of,
                {finding.repair.field: finding.repair.value},
                base=(made.value, of.table.full),
                context=context,
                force=True,
            ).findings,
        )
        for finding in made.findings
        if finding.repair is not None
    ]


def test_repairs_repair() -> None:
    count = 0
    for trigger in TRIGGERS:
        for finding, after in repaired(*trigger):
            still = [(each.rule, each.repair) for each in after]
            assert (finding.rule, finding.repair) not in still, (trigger, finding)
            count += 1
    assert count > 40
