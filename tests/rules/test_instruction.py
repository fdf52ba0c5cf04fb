"""The rules for the instruction descriptor (its shapes are checked in full in tests/kinds)."""

from __future__ import annotations

from typing import Any

import pytest

from smemdesc import encode
from smemdesc.descriptors.decoding import decode
from smemdesc.kinds.context import Context


def test_the_rule_of_a_field_names_it() -> None:
    finding = next(each for each in decode(0x08200492, mma_kind="f8f6f4").findings if each.rule == "sparsity-selector")
    assert finding.fields == ("sparsity_selector",)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"m": 96, "n": 128}, "M is 32, 64, 128 or 256"),
        ({"m": 128, "n": 264}, "8..256 step 8"),
        ({"m": 256, "n": 24}, "16..256 step 16"),
    ],
)
def test_shape_says_what_is_legal(fields: dict[str, Any], says: str) -> None:
    finding = decode(encode("idesc:f16", force=True, **fields), mma_kind="f16").findings[0]
    assert says in finding.fix


def test_a_small_block_scaled_m_is_explained() -> None:
    findings = decode(0x04A00000, mma_kind="mxf8f6f4").findings
    assert any("M = 64 encoded as in the dense table" in finding.likely for finding in findings)


@pytest.mark.parametrize(
    ("what", "case", "words"),
    [
        ({"m": 256, "n": 256}, {"cta_group": 1}, "with cta_group::2 it is legal: M = 256, N = 256"),
        ({"m": 64}, {"cta_group": 2}, "with cta_group::1 it is legal: M = 64"),
        ({"m": 32, "n": 64}, {"cta_group": 1, "ws": False}, "with cta_group::1.ws it is legal: M = 32"),
        ({"m": 128, "n": 24}, {"cta_group": 2}, "with cta_group::1 it is legal: M = 128, N = 24"),
        ({"m": 48}, {"cta_group": 1}, "M = 48 is not legal"),
    ],
)
def test_a_shape_of_other_qualifiers_says_which(what: dict[str, int], case: dict[str, Any], words: str) -> None:
    value = encode("idesc", mma_kind="f16", a_type="bf16", b_type="bf16", force=True, **({"m": 128, "n": 128} | what))
    assert any(words in each.message for each in decode(value, "idesc:f16", context=Context(**case)).findings)
