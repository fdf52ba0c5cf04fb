"""The rules that look at every address of an operand whose type, major-ness and shape are known."""

from __future__ import annotations

from typing import Any

import pytest

from rules.tables.addresses import LBO, MN, SBO, START, K
from smemdesc import context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.operand import Operand
from smemdesc.rules import rules_for
from smemdesc.rules.judging import judge


def test_they_need_the_whole_case() -> None:
    kind = kind_of("wgmma")
    more = {rule.name for rule in rules_for(kind, whole=True)} - {rule.name for rule in rules_for(kind)}
    assert more == {"operand-overlap", "outside-shared-memory", "row-crossing", "tile-and-box"}


@pytest.mark.parametrize(
    ("fields", "case", "box"),
    [
        ({}, K, "64 elements of K (128 B) by the tile's MN"),
        ({SBO: 2048}, K, "64 elements of K (128 B) by 8 of MN, one box per atom"),
        ({LBO: 1024, SBO: 2048}, MN, "64 elements of MN (128 B) by 8 of K, one box per atom"),
        ({LBO: 2048, SBO: 1024}, MN, "64 elements of MN (128 B) by the tile's K"),
    ],
)
def test_a_box_lays_its_rows_back_to_back(fields: dict[str, Any], case: dict[str, Any], box: str) -> None:
    """Atoms that are contiguous along the inner dimension are written by a box each."""
    table = kind_of("tcgen05").table
    sound = table.encode({"swizzle": "128B", START: 1024, SBO: 1024, **fields})
    findings = decode_value(table.pack(sound), context=context(**case)).findings
    assert [box in finding.message for finding in findings if finding.rule == "tile-and-box"] == [True]


def test_an_operand_larger_than_shared_memory_is_not_enumerated() -> None:
    findings = decode_value(
        0x4000404000010040, context=context(dtype="bf16", major="K", shape="999999x999999")
    ).findings
    assert "outside-shared-memory" in {finding.rule for finding in findings}


def test_the_tile_is_named_with_what_writes_it() -> None:
    findings = decode_value(0x4000404000010040, context=context(dtype="bf16", major="K", shape="64x16")).findings
    assert [finding.rule for finding in findings] == ["tile-and-box"]
    assert "CU_TENSOR_MAP_SWIZZLE_128B (3)" in findings[0].message


def test_two_rules_look_at_the_units_once(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = []
    units = Operand.unit_addresses

    def counted(operand: Operand) -> Any:
        passes.append(operand)
        return units(operand)

    monkeypatch.setattr(Operand, "unit_addresses", counted)
    kind = kind_of("tcgen05")
    known = context(dtype="f16", major="K", shape="72x16")
    findings = judge(kind, kind.table.read(0x4000401000013FC0), known)
    assert {"operand-overlap", "outside-shared-memory"} <= {finding.rule for finding in findings}
    assert len(passes) == 1
