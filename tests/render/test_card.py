"""The reference cards, printed from the tables."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache

import pytest
from samples import ALL, long_run, split
from tables import every_row

from smemdesc import explain
from smemdesc.engine.fields import Enum
from smemdesc.explanations import glossary
from smemdesc.explanations.catalog import Card, causes
from smemdesc.explanations.topics import summaries, topics
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.names import ARCHS
from smemdesc.kinds.shapes import offers
from smemdesc.render.card import arch_view, card_view, kind_index
from smemdesc.render.console import lines as drawn
from smemdesc.render.topic import topic_list, topic_view
from smemdesc.rules import rules_for


@cache
def text(kind: Kind, width: int | None = None) -> str:
    return drawn(card_view(Card(kind), with_rules=True), width)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_has_every_field(kind: Kind) -> None:
    lines = text(kind).splitlines()
    sources = dict(re.findall(r"(?m)^(\[\d+\])  (.*)$", text(kind)))
    for row in kind.table.rows:
        place = f"[{row.hi}]" if row.hi == row.lo else f"[{row.hi}:{row.lo}]"
        line = next(line for line in lines if line.split()[:2] == [place, row.key])
        assert row.doc in line
        assert sources[line.split()[-1]] == row.source


@every_row("kind", ALL)
def test_card_has_every_code(kind: Kind) -> None:
    codes = text(kind).partition("\ncodes\n")[2].partition("\nsources\n")[0]
    for row in kind.table.rows:
        if isinstance(row.codec, Enum):
            for code in row.codec.codes:
                assert f" {code.raw} " in codes
                assert f" {code.name} " in codes.replace("\n", " \n")
                assert code.doc in codes
                assert ", ".join(code.archs) in codes


@every_row("kind", ALL)
def test_card_has_every_rule_with_its_source(kind: Kind) -> None:
    rules = text(kind).partition("\nrules\n")[2]
    for rule in rules_for(kind):
        assert f"  {rule.name}: " in rules
        assert f"    source: {rule.source}\n" in rules
        assert rule.doc.removesuffix(".") in rules


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_card_of_a_narrow_terminal_says_the_same(kind: Kind) -> None:
    assert sorted("".join(text(kind, 60).split())) == sorted("".join(text(kind).split()))


NAMES = [*summaries(), *(term.name for term in glossary.TERMS), *{key for kind in ALL for key in kind.table.by_key}]
VIEWS = {
    "kinds": lambda: [kind_index()],
    "cards": lambda: [card_view(Card(kind)) for kind in ALL],
    "architectures": lambda: [arch_view(offers(arch)) for arch in ARCHS],
    "explain": lambda: [topic_view(explain(name)) for name in NAMES],
}


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, long_run(120)])
@pytest.mark.parametrize("views", split(VIEWS, lambda views: views != "explain"))
def test_a_terminal_shortens_and_breaks_no_word(views: str, width: int) -> None:
    for view in VIEWS[views]():
        maps = re.compile(r"[0-9a-f]{17,}")  # the digits of a tensor map, which no terminal has room for
        narrow, wide = (maps.sub("", drawn(view, each)) for each in (width, None))
        if " lines: smemdesc explain " not in narrow:  # of a long example only what is repaired
            assert Counter(narrow.split()) == Counter(wide.split())


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 120])
def test_the_list_has_every_name_and_every_text_whole(width: int) -> None:
    shown = drawn(topic_list(topics()), width).splitlines()
    begun = [each for each in shown if not each.startswith("   ")]  # other lines go on
    named = [re.split(r" {2,}", each.strip())[0] for each in begun]
    assert named == [
        "rules",
        *summaries(),
        "",
        "causes",
        *causes(),
        "",
        "terms",
        *(term.name for term in glossary.TERMS),
    ]
    assert max(map(len, shown)) <= width
    assert not [each for each in shown if "…" in each]


@every_row("kind", ALL)
def test_card_as_json(kind: Kind) -> None:
    data = json.loads(json.dumps(Card(kind).to_dict()))
    assert (data["kind"], data["mma_kind"], data["width"]) == (kind.name, kind.mma_kind, kind.table.width)
    assert [field["key"] for field in data["fields"]] == list(kind.table.by_key)
    assert {rule.name for rule in rules_for(kind)} <= {rule["rule"] for rule in data["rules"]}
    for field, row in zip(data["fields"], kind.table.rows, strict=True):
        assert (field["hi"], field["lo"], field["default"]) == (row.hi, row.lo, row.codec.default)
