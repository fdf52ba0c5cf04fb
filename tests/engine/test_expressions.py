"""Constant expressions have the value that C gives them, or none."""

from __future__ import annotations

import pytest
from tables import every_row

from smemdesc.engine.expressions import compute, fold_expression, parse_expression


def value(text: str) -> int:
    def unknown(node: object) -> int:
        raise ValueError(node)

    return fold_expression(parse_expression(text), int, compute, unknown)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1ull << 46 | 0x40", (1 << 46) | 0x40),
        ("0x4000'4040u", 0x40004040),
        ("(1024 >> 4) * 3 - 0b101 % 4", 191),
        ("~0x3fffLL & 0xffff", 0xC000),
        ("+5 ^ -1 + 2", 4),
    ],
)
def test_a_value(text: str, number: int) -> None:
    assert value(text) == number


@every_row("text", ["", "1 +", "1 << 64", "1 << -1", "1 / 0", "1 % 0", "x | 1", "1.5", "010", "1 ? 2 : 3"])
def test_no_value(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (any message)
        value(text)
