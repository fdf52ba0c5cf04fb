"""``smemdesc explain``: whole outputs, JSON, unknown names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run import held, smemdesc

from smemdesc.explanations.glossary import TERMS
from smemdesc.rules.catalog import names

GOLDEN = Path(__file__).parent.parent / "golden_explain"


@pytest.mark.parametrize(
    "words",
    [["lbo-below-atom"], ["several-readings"], ["kinds-differ"], ["swizzle", "atom"], ["column-shift"], ["lbo"]],
)
def test_what_is_shown(words: list[str]) -> None:
    ran = smemdesc("explain", *words)
    assert (ran.err, ran.status) == ("", 0)
    held(GOLDEN, "-".join(words), ran.out)


def test_without_a_name_every_rule_and_term_is_a_line() -> None:
    lines = smemdesc("explain").out.splitlines()
    assert len(lines) == len(names()) + len(TERMS) + 3
    listed = [json.loads(line)["name"] for line in smemdesc("explain", "--json").out.splitlines()]
    assert listed == [*names(), *(term.name for term in TERMS)]


def test_json() -> None:
    rule = json.loads(smemdesc("explain", "--json", "sbo-below-atom").out)["rule"]
    assert rule["example"]["finding"]["rule"] == "sbo-below-atom"
    assert rule["repaired"]["value"] == "0x4000404000010040"


def test_an_unknown_name() -> None:
    ran = smemdesc("explain", "sbo-to-small")
    assert (ran.out, ran.status) == ("", 2)
    assert "did you mean sbo-below-atom" in ran.err


def test_as_a_picture() -> None:
    assert smemdesc("explain", "swizzle", "atom", "--svg", "-").out.startswith("<svg")
