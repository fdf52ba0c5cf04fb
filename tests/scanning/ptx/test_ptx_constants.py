"""Constant expressions, as ptxas reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdesc.engine.fields import ones
from smemdesc.scanning.languages.ptx.constants import evaluate_ptx

from .asking import held

ROWS = [
    tuple(line.split(" : ", 1))
    for line in (Path(__file__).parent / "constants.txt").read_text().splitlines()
    if line and line[0] != "#"
]
DEEP = 30_000


def test_each_has_the_value_that_ptxas_gives_it() -> None:
    assert len(ROWS) > 500
    for value, text in ROWS:
        found = evaluate_ptx(text)
        assert ("refused" if found is None else f"{found & ones(64):016x}") == value, text


def test_what_is_an_operand_is_read_by_the_same_rules() -> None:
    rows = [row for row in ROWS[:120] if not row[1].startswith("0f")]
    for value, text in rows:
        operand = held(f"mov.b64 %x, {text};")
        known = ones(64) if value != "refused" else 0
        assert (operand.bits, operand.known) == (int(value, 16) if known else 0, known), text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(" * DEEP + "5" + ")" * DEEP, 5),
        ("-" * 2 * DEEP + "5", 5),
        ("1 ? 2 : " * DEEP + "3", 2),
        ("0 ? " * DEEP + "3" + " : 4" * DEEP, 4),
        ("1 + " * DEEP + "1", DEEP + 1),
        ("(" * DEEP, None),
        ("1" * DEEP, None),
    ],
)
def test_a_long_expression_is_read_in_linear_time(text: str, value: int | None) -> None:
    assert evaluate_ptx(text) == value


def test_an_expression_may_be_broken_over_lines() -> None:
    operand = held("mov.b64 %x,\n  (128 >> 4)\n  << 16 // LBO\n  | 1 ?\n  2 : 3;")
    assert (operand.bits, operand.known) == (2, ones(64))
