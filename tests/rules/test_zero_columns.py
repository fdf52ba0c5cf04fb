"""The rules for the zero-column mask descriptor."""

from __future__ import annotations

import pytest
from samples import found


@pytest.mark.parametrize(
    ("value", "findings"),
    [
        (0x0003028000000000, set()),
        (0x0003028100000000, set()),
        (0x0203028301020100, set()),
        (0x0003040000000000, {("note", "mask-off")}),
    ],
)
def test_the_examples_of_the_document(value: int, findings: set[tuple[str, str]]) -> None:
    assert found("mask", value) == findings
