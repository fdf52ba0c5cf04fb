"""The reference cards, printed from the tables."""

from __future__ import annotations

import json
from functools import cache

import pytest
from samples import ALL

from smemdesc.engine.fields import Enum
from smemdesc.kinds.kind import Kind
from smemdesc.render.card import CardView
from smemdesc.render.console import lines as drawn
from smemdesc.rules import rules_for
from smemdesc.rules.catalog import Card


@cache
def text(kind: Kind, width: int | None = None) -> str:
    return drawn(CardView(Card(kind)), width)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_has_every_field(kind: Kind) -> None:
    lines = text(kind).splitlines()
    for row in kind.table.rows:
        place = f"[{row.hi}]" if row.hi == row.lo else f"[{row.hi}:{row.lo}]"
        line = next(line for line in lines if line.split()[:2] == [place, row.key])
        assert row.doc in line
        assert row.source in line


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_has_every_code(kind: Kind) -> None:
    codes = text(kind).partition("\ncodes\n")[2].partition("\nrules\n")[0]
    for row in kind.table.rows:
        if isinstance(row.codec, Enum):
            for code in row.codec.codes:
                assert f" {code.raw} " in codes
                assert f" {code.name} " in codes.replace("\n", " \n")
                assert code.doc in codes
                assert ", ".join(code.archs) in codes


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_has_every_rule_with_its_source(kind: Kind) -> None:
    rules = text(kind).partition("\nrules\n")[2]
    for rule in rules_for(kind):
        assert f"  {rule.name}: " in rules
        assert f"    source: {rule.source}\n" in rules
        assert rule.doc.removesuffix(".") in rules


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_of_a_narrow_terminal_says_the_same(kind: Kind, width: int) -> None:
    assert sorted("".join(text(kind, width).split())) == sorted("".join(text(kind).split()))


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_as_json(kind: Kind) -> None:
    data = json.loads(json.dumps(Card(kind).to_dict()))
    assert (data["kind"], data["mma_kind"], data["width"]) == (kind.name, kind.mma_kind, kind.table.width)
    assert [field["key"] for field in data["fields"]] == list(kind.table.by_key)
    assert {rule.name for rule in rules_for(kind)} <= {rule["rule"] for rule in data["rules"]}
    for field, row in zip(data["fields"], kind.table.rows, strict=True):
        assert (field["hi"], field["lo"], field["default"]) == (row.hi, row.lo, row.codec.default)
