"""The JSON that scripts rely on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from smemdesc.descriptors.difference import diff
from smemdesc.descriptors.result import decode


def data(text: str, kind: str | None = None, mma_kind: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = decode(text, kind, mma_kind).to_dict()
    return found


def test_a_decoded_value() -> None:
    assert data("0x4000404000010040") == {
        "input": "0x4000404000010040",
        "value": "0x4000404000010040",
        "kind": "tcgen05",
        "mma_kind": None,
        "fields": {
            "start_address": {"hi": 13, "lo": 0, "raw": 64, "value": 1024},
            "reserved_14": {"hi": 15, "lo": 14, "raw": 0, "value": 0},
            "leading_byte_offset": {"hi": 29, "lo": 16, "raw": 1, "value": 16},
            "reserved_30": {"hi": 31, "lo": 30, "raw": 0, "value": 0},
            "stride_byte_offset": {"hi": 45, "lo": 32, "raw": 64, "value": 1024},
            "version": {"hi": 48, "lo": 46, "raw": 1, "value": 1},
            "base_offset": {"hi": 51, "lo": 49, "raw": 0, "value": 0},
            "lbo_mode": {"hi": 52, "lo": 52, "raw": 0, "value": "relative"},
            "fixed_53": {"hi": 60, "lo": 53, "raw": 0, "value": 0},
            "swizzle": {"hi": 63, "lo": 61, "raw": 2, "value": "128B"},
        },
        "findings": [],
        "near": [{"reading": "wgmma", "repair": "with bit 46 cleared"}],
    }


def test_a_finding() -> None:
    finding = data("0x4000401000010040")["findings"][0]
    assert (finding["severity"], finding["rule"]) == ("warning", "sbo-below-atom")
    assert finding["fields"] == ["stride_byte_offset", "swizzle"]
    assert finding["message"]
    assert finding["source"].startswith("PTX ISA 9.3")


def test_keys_stand_in_their_order() -> None:
    assert list(data("0x40004040")) == [
        "input",
        "value",
        "known",
        "kind",
        "mma_kind",
        "view",
        "fields",
        "findings",
        "near",
    ]
    assert list(data("0x08200490")) == ["input", "value", "kind", "mma_kind", "candidates", "fields", "findings"]


@pytest.mark.parametrize(
    ("text", "value", "known"),
    [
        ("0x4000404000010040", "0x4000404000010040", None),
        ("0x40004040:?", "0x4000404000000000", "0xffffffff00000000"),
        ("136314896", "0x08200010", None),
        ("0x0820049?", "0x08200490", "0xfffffff0"),
        ("-9223371899399045120", "0x8000002001000000", None),
    ],
)
def test_values_are_hexadecimal_text_of_full_width(text: str, value: str, known: str | None) -> None:
    found = data(text)
    assert (found["value"], found.get("known")) == (value, known)


def test_a_field_that_is_not_known() -> None:
    found = data("0x40004040:?")["fields"]["start_address"]
    assert found == {"hi": 13, "lo": 0, "raw": None, "value": None, "known": "0x0000"}


def test_a_field_that_is_known_in_part() -> None:
    found = data("0x400040400001004?", "tcgen05")["fields"]["start_address"]
    assert found == {"hi": 13, "lo": 0, "raw": None, "value": None, "known": "0x3ff0"}


def test_candidates() -> None:
    found = data("0x08200490")
    assert (found["kind"], found["mma_kind"], found["candidates"]) == ("idesc", None, ["idesc:f16", "idesc:f8f6f4"])
    assert found["fields"]["m"] == {"hi": 28, "lo": 24, "raw": 8, "value": 128}
    assert found["fields"]["a_type"] == {"hi": 9, "lo": 7, "raw": 1, "value": None}


def test_readings_with_nothing_in_common() -> None:
    found = data("0xdeadbeefdeadbeef")
    assert (found["kind"], found["candidates"]) == (None, ["tcgen05", "wgmma", "mask"])
    assert all(field["value"] is None for field in found["fields"].values())


def test_an_undefined_code_has_no_value() -> None:
    assert data("0x6000404000010040", "tcgen05")["fields"]["swizzle"] == {"hi": 63, "lo": 61, "raw": 3, "value": None}


def test_flags_are_true_or_false() -> None:
    assert data("0x08200494", mma_kind="f16")["fields"]["sparse"]["value"] is True


def test_two_compared_values() -> None:
    found = diff(0x4000404000010040, 0x4000404000010042).to_dict()
    assert (found["a"], found["b"], found["same"]) == ("0x4000404000010040", "0x4000404000010042", False)
    assert list(found["fields"]) == ["start_address"]
    assert (found["fields"]["start_address"]["delta"], found["fields"]["start_address"]["unit"]) == (32, "B")
    json.dumps(found)
