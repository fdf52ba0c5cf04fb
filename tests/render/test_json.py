"""The JSON that scripts rely on; ``tests/cli/test_golden.py`` holds whole objects, with the order of their keys."""

from __future__ import annotations

from functools import reduce
from typing import Any

from tables import every_row

from smemdesc.descriptors.decoding import decode_value

UNKNOWN = {"hi": 13, "lo": 0, "raw": None, "value": None}


@every_row(
    ("text", "kind", "key", "value"),
    [
        # Values are hexadecimal text of full width.
        ("0x4000404000010040", None, "value", "0x4000404000010040"),
        ("0x40004040:?", None, "value", "0x4000404000000000"),
        ("0x40004040:?", None, "known", "0xffffffff00000000"),
        ("136314896", None, "value", "0x08200010"),
        ("0x0820049?", None, "value", "0x08200490"),
        ("0x0820049?", None, "known", "0xfffffff0"),
        ("-9223371899399045120", None, "value", "0x8000002001000000"),
        # A field that is known in part; flags are true or false; an undefined code has no value.
        ("0x400040400001004?", "tcgen05", "fields start_address", {**UNKNOWN, "known": "0x3ff0"}),
        ("0x08200494", "idesc:f16", "fields sparse value", True),
        ("0x6000404000010040", "tcgen05", "fields swizzle", {"hi": 63, "lo": 61, "raw": 3, "value": None}),
        # What differs between the readings of a value has no value of its own.
        ("0x08200490", None, "candidates", ["idesc:f16", "idesc:f8f6f4"]),
        ("0x08200490", None, "fields m", {"hi": 28, "lo": 24, "raw": 8, "value": 128}),
        ("0x08200490", None, "fields a_type", {"hi": 9, "lo": 7, "raw": 1, "value": None}),
        ("0xdeadbeefdeadbeef", None, "kind", None),
        ("0xdeadbeefdeadbeef", None, "candidates", ["tcgen05", "wgmma", "mask"]),
        # A finding.
        ("0x4000401000010040", None, "findings 0 severity", "warning"),
        ("0x4000401000010040", None, "findings 0 rule", "sbo-below-atom"),
        ("0x4000401000010040", None, "findings 0 fields", ["stride_byte_offset", "swizzle"]),
    ],
)
def test_a_decoded_value(text: str, kind: str | None, key: str, value: Any) -> None:
    name, _, mma_kind = (kind or "").partition(":")
    found: Any = decode_value(text, name or None, mma_kind or None).to_dict()
    keys = (int(word) if word.isdecimal() else word for word in key.split())
    assert reduce(lambda part, word: part[word], keys, found) == value


def test_readings_with_nothing_in_common() -> None:
    fields: Any = decode_value("0xdeadbeefdeadbeef").to_dict()["fields"]
    assert all(field["value"] is None for field in fields.values())


def test_the_keys_of_half_a_value_stand_in_their_order() -> None:
    keys = ["input", "value", "known", "kind", "mma_kind", "view", "fields", "verdict", "findings"]
    keys += ["checked", "not_checked", "near", "undecided"]
    assert list(decode_value("0x40004040").to_dict()) == keys
