"""The rules for the instruction descriptor (its shapes are checked in full in tests/kinds)."""

from __future__ import annotations

from typing import Any

import pytest

import smemdesc
from smemdesc import Context, encode
from smemdesc.descriptors.decoding import decode_value


def test_the_rule_of_a_field_names_it() -> None:
    finding = next(
        each for each in decode_value(0x08200492, mma_kind="f8f6f4").findings if each.rule == "sparsity-selector"
    )
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
    finding = decode_value(encode("idesc:f16", force=True, **fields), mma_kind="f16").findings[0]
    assert says in finding.fix


def test_a_small_block_scaled_m_is_explained() -> None:
    findings = decode_value(0x04A00000, mma_kind="mxf8f6f4").findings
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
    assert any(words in each.message for each in decode_value(value, "idesc:f16", context=Context(**case)).findings)


@pytest.mark.parametrize(
    ("value", "kind", "given", "cause"),
    [
        (0x08200010, "f16", {"dtype": "bf16"}, ("type-code", "0x08200490")),
        (0x08200410, "f16", {"dtype": "bf16"}, ("type-code", "0x08200490")),
        (0x08200010, "f8f6f4", {"dtype": "e4m3,e5m2"}, ("type-code", "0x08200410")),
        (0x08400490, "f16", {"shape": "128x32x16"}, ("n-code", "0x08080490")),
        (0x10200490, "f16", {"shape": "128x128x16", "cta_group": 1}, ("m-code", "0x08200490")),
        # With two CTAs 128 may be the rows of each.
        (0x10200490, "f16", {"shape": "128x128x16", "cta_group": 2}, ("shape-given", "0x08200490")),
        (0x08200490, "f16", {"shape": "128x64x16"}, ("shape-given", "0x08100490")),
    ],
)
def test_what_was_given_names_the_mistake(value: int, kind: str, given: dict[str, Any], cause: tuple[str, str]) -> None:
    found = smemdesc.decode(value, mma_kind=kind, **given).findings
    roots = [(each.rule, each.repaired) for each in found if each.severity == "error" and not each.because]
    assert roots == [cause]
