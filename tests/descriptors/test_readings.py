"""Each reading of a value is read and judged once, and what is kept of it is bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from samples import SOUND

from smemdesc import Context, context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.result import decode_literal, literal_of
from smemdesc.engine.fields import FieldReading, Table
from smemdesc.kinds.context import NOTHING
from smemdesc.kinds.kind import Kind
from smemdesc.rules import judging
from smemdesc.rules.base import Finding, Rule

CASE = context(dtype="bf16", major="K", shape=(64, 16), arch="sm_100a")
TEXTS = [
    "0x4000404000010040",
    "0x4000004000010040",
    "0x0003028000000000",
    "0x08200490",
    "0xdeadbeefdeadbeef",
    "0x40004040",
]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "_ANSWERS", {})


@pytest.mark.parametrize("about", [NOTHING, CASE], ids=["nothing known", "a case"])
@pytest.mark.parametrize("text", TEXTS)
def test_every_rule_is_asked_once(text: str, about: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[str, Rule, Context]] = Counter()
    ask = Rule.apply

    def counted(self: Rule, kind: Kind, fields: Mapping[str, FieldReading], context: Context) -> list[Finding]:
        asked[kind.table.name, self, context] += 1
        return ask(self, kind, fields, context)

    monkeypatch.setattr(Rule, "apply", counted)
    decode_literal(literal_of(text), context=about)
    assert set(asked.values()) <= {1}
    assert {rule.contextual for _, rule, context in asked if context != NOTHING} <= {True}


@pytest.mark.parametrize("text", TEXTS)
def test_every_reading_is_unpacked_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: Counter[tuple[str, int]] = Counter()
    unpack = Table.unpack

    def counted(self: Table, bits: int) -> list[int]:
        unpacked[self.name, bits] += 1
        return unpack(self, bits)

    monkeypatch.setattr(Table, "unpack", counted)
    decode_value(text)
    assert set(unpacked.values()) <= {1}


def test_k_steps_are_one_question() -> None:
    for step in range(4):
        decode_value(SOUND["tcgen05"] + 2 * step)
    assert len(judging._ANSWERS) == 1


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [SOUND["tcgen05"] ^ step << 32 for step in range(40)]
    found = [decode_value(value).findings for value in values]
    monkeypatch.setattr(judging, "_MOST", 4)
    judging._ANSWERS.clear()
    assert [decode_value(value).findings for value in values] == found
    assert len(judging._ANSWERS) <= 4
