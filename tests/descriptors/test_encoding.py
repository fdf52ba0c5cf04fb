"""From fields to a value: from Python, on top of a value, and from JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, WIDE, kinds, masks, pasted, realistic, some, values
from tables import every_row

from smemdesc import Context, encode
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.encoding import RefusedError, build, from_object
from smemdesc.engine.errors import FieldError, IllegalError, KindError, SmemdescError
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.reading.text import parse_value

TCGEN05 = kind_of("tcgen05")
F16 = kind_of("idesc", "f16")


@every_row(
    ("kind", "mma_kind", "fields", "value"),
    [
        ("tcgen05", None, {"start_address": 1024, "stride_byte_offset": 1024, "swizzle": "128B"}, 0x4000404000010040),
        ("wgmma", None, {"start_address": 1024, "stride_byte_offset": 1024, "swizzle": "128B"}, 0x4000004000010040),
        ("idesc", "f16", {"a_type": "bf16", "b_type": "bf16", "m": 128, "n": 128}, 0x08200490),
        ("idesc:f16", None, {"a_type": "bf16", "b_type": "bf16", "m": 128, "n": 128}, 0x08200490),
        ("mask", None, {"skip_span": 3, "use_span": 4}, 0x0003028000000000),
        ("tcgen05", None, {"version": 0}, 0x0000000000010000),
    ],
)
def test_encode(kind: str, mma_kind: str | None, fields: dict[str, Scalar], value: int) -> None:
    assert encode(kind, mma_kind=mma_kind, **fields) == value


@every_row(
    ("kind", "fields", "says"),
    [
        ("tcgen05", {"start_adress": 0}, "tcgen05 has no field 'start_adress'; did you mean start_address"),
        ("tcgen05", {"start_address": 1000}, "1000 B is not a multiple of 16 B; the nearest are 992 and 1008"),
        ("tcgen05", {"start_address": 0x40000}, "0x40000 is above the 18 bits of shared memory"),
        ("tcgen05", {"start_address": -16}, "-16 does not fit 14 bits"),
        ("tcgen05", {"start_address": True}, "an integer is needed"),
        (
            "tcgen05",
            {"swizzle": "96B"},
            "'96B' is not one of its names; swizzle takes 0 none, 1 128B_32B, 2 128B, 4 64B, 6 32B",
        ),
        (
            "wgmma",
            {"swizzle": "128B_32B"},
            "'128B_32B' is not one of its names; swizzle takes 0 none, 1 128B, 2 64B, 3 32B",
        ),
        ("tcgen05", {"swizzle": 2}, "the code 2 is named 128B"),
        ("tcgen05", {"base_offset": 8}, "8 does not fit 3 bits"),
        ("idesc:f16", {"m": 120}, "there is no M = 120; M of kind::f16 is 32, 64, 128 or 256"),
        ("idesc:f16", {"n": 512}, "there is no N = 512; N of kind::f16 is: "),
        ("idesc:f16", {"sparse": 1}, "true or false is needed"),
        ("idesc:mxf4", {"k": 32}, "32 is not one of 64, 96"),
        ("idesc:mxf4", {"k": 96, "sparse": True}, "96 is not one of 128"),
        ("mask", {"skip_span": 0}, "at least 1"),
        ("mask", {"skip_span": 257}, "257 does not fit 8 bits"),
        ("mask", {"start_count_0": 256}, "256 does not fit 8 bits"),
    ],
)
def test_what_cannot_be_packed(kind: str, fields: dict[str, Scalar], says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        encode(kind, **fields)
    assert caught.value.key in fields


@every_row(
    ("kind", "fields", "rule"),
    [
        ("tcgen05", {"reserved_14": 1}, "reserved-bits"),
        ("tcgen05", {"version": 2}, "version-constant"),
        ("tcgen05", {"fixed_53": 0xB0}, "fixed-53-constant"),
        ("tcgen05", {"lbo_mode": "absolute", "swizzle": "64B"}, "lbo-absolute-swizzle"),
        ("idesc:f16", {"m": 96, "n": 128}, "shape"),
        ("idesc:f16", {"m": 128, "n": 128, "saturate": True}, "saturate-float"),
        ("mask", {"column_shift": 33}, "column-shift"),
    ],
)
def test_what_the_rules_forbid(kind: str, fields: dict[str, Scalar], rule: str) -> None:
    with pytest.raises(IllegalError, match=rule) as caught:
        encode(kind, **fields)
    assert isinstance(caught.value, RefusedError)
    assert caught.value.finding.rule == rule
    assert encode(kind, force=True, **fields) == caught.value.value


def test_no_such_kind() -> None:
    with pytest.raises(KindError):
        encode("imma")
    with pytest.raises(KindError, match="does not say its MMA kind"):
        encode("idesc")


def test_warnings_come_with_the_value() -> None:
    encoded = build(
        TCGEN05, {"swizzle": "none", "base_offset": 1, "stride_byte_offset": 1024, "leading_byte_offset": 128}
    )
    assert [finding.rule for finding in encoded.findings] == ["base-offset-without-swizzle"]


def test_the_case_is_judged() -> None:
    fields = {"lbo_mode": "absolute", "swizzle": "128B", "stride_byte_offset": 1024}
    assert build(TCGEN05, fields, context=Context(arch="sm_103a")).value
    with pytest.raises(IllegalError, match="needs-arch"):
        build(TCGEN05, fields, context=Context(arch="sm_100a"))


def test_on_top_of_a_value_only_what_is_given_changes() -> None:
    base = (0x4000404000010040, TCGEN05.table.full)
    assert build(TCGEN05, {"start_address": 2048}, base=base).value == 0x4000404000010080


def test_on_top_of_a_partly_known_value_what_is_given_is_known() -> None:
    encoded = build(TCGEN05, {"start_address": 2048}, base=(0x4000404000000000, 0xFFFFFFFF00000000))
    assert (encoded.value, encoded.known) == (0x4000404000000080, 0xFFFFFFFF00003FFF)


def test_raw_numbers_are_taken_as_they_are() -> None:
    assert build(TCGEN05, {}, raws={"swizzle": 3}, force=True).value >> 61 == 3


OBJECTS = [
    ({"kind": "tcgen05"}, "0x0000400000010000"),
    ({"kind": "tcgen05", "fields": {}}, "0x0000400000010000"),
    ({"kind": "tcgen05", "fields": {"start_address": 1024, "swizzle": "128B"}}, "0x4000400000010040"),
    ({"kind": "tcgen05", "fields": {"start_address": {"value": 1024}}}, "0x0000400000010040"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": 64}}}, "0x0000400000010040"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": 64, "value": 1024}}}, "0x0000400000010040"),
    ({"kind": "tcgen05", "fields": {"swizzle": {"raw": 3, "value": None}}}, "0x6000400000010000"),
    ({"kind": "idesc", "mma_kind": "f16", "fields": {"m": 128, "n": 128, "a_type": "bf16"}}, "0x08200090"),
    ({"kind": "idesc", "mma_kind": "mxf4", "fields": {"m": 256, "n": 64, "k": 96}}, "0x90900480"),
    ({"kind": "mask", "fields": {"skip_span": 3, "use_span": 4}}, "0x0003028000000000"),
    ({"kind": "tcgen05", "step": {"mn": 0, "k": 2}, "fields": {"start_address": 64}}, "0x0000400000010004"),
    ({"kind": "tcgen05", "value": "0x4000404000010040", "fields": {"start_address": None}}, "0x4000404000010040"),
    ({"kind": "tcgen05", "value": "0x4000404000010040", "fields": {"start_address": 1024}}, "0x4000404000010040"),
    (
        {
            "kind": "idesc",
            "mma_kind": "tf32",
            "view": "in_high_word",
            "value": "0x08200910",
            "fields": {"m": 128, "n": 128},
        },
        "0x0820091000000000",
    ),
]


@pytest.mark.parametrize(("data", "text"), OBJECTS, ids=[json.dumps(data) for data, _ in OBJECTS])
def test_object(data: dict[str, Any], text: str) -> None:
    assert from_object(data).text == text


WRONG_OBJECTS = [
    ([], "an object is needed"),
    ("0x1", "an object is needed"),
    ({}, 'the object has no "kind"'),
    ({"kind": 5}, 'the object has no "kind"'),
    ({"kind": "imma"}, "unknown descriptor kind 'imma'"),
    ({"kind": "idesc"}, "does not say its MMA kind"),
    ({"kind": "idesc", "mma_kind": "f32"}, "unknown MMA kind 'f32'"),
    ({"kind": "idesc", "mma_kind": ["f16"]}, "mma_kind is a name"),
    ({"kind": "tcgen05", "field": {}}, "unknown key 'field'"),
    ({"kind": "tcgen05", "fields": []}, "fields must be an object"),
    ({"kind": "tcgen05", "fields": {"start": 0}}, "tcgen05 has no field 'start'"),
    ({"kind": "tcgen05", "fields": {"start_address": 8}}, "start_address: 8 B is not a multiple of 16 B"),
    ({"kind": "tcgen05", "fields": {"start_address": "1024"}}, "start_address: an integer is needed"),
    ({"kind": "tcgen05", "fields": {"start_address": [1024]}}, "start_address: an integer is needed"),
    ({"kind": "tcgen05", "fields": {"swizzle": ["128B"]}}, "swizzle: .* is not one of"),
    ({"kind": "tcgen05", "fields": {"swizzle": {"value": {"a": 1}}}}, "swizzle: .* is not one of"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": 16384}}}, "start_address: raw 16384 does not fit 14 bits"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": -1}}}, "start_address: raw -1 does not fit"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": "64"}}}, "start_address: raw is a whole number"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": True}}}, "start_address: raw is a whole number"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": 64, "value": 16}}}, "raw 64 says 1024, value says 16"),
    ({"kind": "tcgen05", "fields": {"start_address": {"rwa": 64}}}, "start_address: unknown key 'rwa'"),
    ({"kind": "tcgen05", "fields": {"start_address": {"raw": 1, "hi": 14}}}, "start_address: hi is 13"),
    ({"kind": "tcgen05", "fields": {"start_address": None}}, "start_address has neither raw nor value"),
    ({"kind": "tcgen05", "view": "low_word", "fields": {}}, "there is no view 'low_word'"),
    ({"kind": "idesc", "mma_kind": "f16", "value": "0x4000404000010040"}, "64 bits|63 bits"),
    ({"kind": "tcgen05", "value": "0x10000000000000000", "fields": {}}, "17 hexadecimal digits"),
    ({"kind": "tcgen05", "value": "0x40o0", "fields": {}}, "'o' is not a hexadecimal digit"),
    ({"kind": "tcgen05", "value": "0x1", "known": "zz", "fields": {}}, "not a value"),
    ({"candidates": ["idesc:f16", "idesc:f8f6f4"]}, 'needs its "value"'),
    ({"candidates": "idesc:f16", "value": "0x08200490"}, "candidates must be a list"),
    ({"candidates": 5, "value": "0x08200490"}, "candidates must be a list"),
    ({"candidates": ["idesc:f16"], "value": "0x8200490"}, "neither 8 nor 16 digits"),
    ({"candidates": ["idesc:f16"], "value": "0x08200490", "fields": {"m": 128}}, "choose one|give one kind"),
    (
        {"candidates": ["idesc:f16"], "value": "0x08200490", "fields": {"m": {"raw": 4, "value": 64}}},
        r"m: raw 4 contradicts the value \(8\)",
    ),
    (
        {"candidates": ["idesc:f17"], "value": "0x08200490", "fields": {"m": {"raw": 8, "value": 128}}},
        "there is no candidate 'idesc:f17'",
    ),
]


@every_row(("data", "says"), WRONG_OBJECTS)
def test_wrong_object(data: object, says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        from_object(data)


@pytest.mark.parametrize(
    ("text", "key"), [("0x4000404000010040", "start_address"), ("0x40004040", "stride_byte_offset")]
)
def test_a_changed_field_of_a_decoded_object_contradicts_its_value(text: str, key: str) -> None:
    data = decode_value(text).to_dict()
    data["fields"][key] = 2048
    with pytest.raises(SmemdescError, match=f"{key} is 128 in the bits of fields, but 64 in value"):
        from_object(data)


def test_a_changed_field_of_a_decoded_object_counts_without_its_value() -> None:
    data = decode_value(0x4000404000010040).to_dict()
    del data["value"]
    data["fields"]["start_address"] = 2048
    assert from_object(data).text == "0x4000404000010080"


def test_a_field_of_the_low_word_given_to_a_high_word_is_not_lost() -> None:
    data = decode_value("0x40004040").to_dict()
    data["fields"]["start_address"] = 1024
    assert parse_value(from_object(data).text).at(64) == (0x4000404000000040, 0xFFFFFFFF00003FFF)


def test_several_kinds_have_no_one_encoding() -> None:
    data = decode_value("0x08200490").to_dict()
    assert from_object(data).text == "0x08200490"
    with pytest.raises(SmemdescError, match="fits several kinds"):
        from_object(data).encoded()


@every_row(
    "text",
    [
        "0x4000404000010040",
        "0x40004040",
        "0x40004040????????",
        "0x????????00010040",
        "0x08200490",
        "0x0820049000000000",
        "0x0820091000000000",
        "0x082016a0",
        "0xdeadbeefdeadbeef",
        "0x0203028301020100",
        "0x00000000",
        "0x0000000000000000",
        "0xffffffffffffffff",
        "0x4000404?",
        "0x0820049?",
        "0b0100000000000000010000000100000?",
        "0b" + "01" * 31 + "?0",
    ],
)
def test_decoded_and_encoded_again(text: str) -> None:
    assert from_object(decode_value(text).to_dict()).text == text


@pytest.mark.parametrize("text", ["0b0100000000000000000000000100000?", "0b?1000000000000000000000001000000"])
def test_a_high_word_whose_digits_are_known_in_part(text: str) -> None:
    data = decode_value(text, context=Context(arch="sm_90a")).to_dict()
    assert data["view"] == "high_word"
    assert from_object(data).text == text


@pytest.mark.parametrize("text", ["0x08200490:?", "0x08200490????????"])
def test_an_instruction_descriptor_in_a_high_word_with_an_unknown_low_one(text: str) -> None:
    data = decode_value(text, "idesc:f16").to_dict()
    assert parse_value(from_object(data).text).at(64) == parse_value(text).at(64)


@pytest.mark.slow
@some(150)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))))
def test_what_is_decoded_as_a_kind_encodes_back(case: tuple[Kind, int, int]) -> None:
    kind, bits, known = case
    known = known or 1
    text = pasted(bits & known, known, kind.table.width)
    encoded = from_object(decode_value(text, kind.id).to_dict())
    assert parse_value(encoded.text).at(kind.table.width) == (bits & known, known)


@pytest.mark.slow
@some(150)
@given(
    st.one_of(
        kinds.flatmap(lambda kind: st.tuples(st.just(kind.table.width), values(kind), masks(kind.table.width))),
        st.tuples(st.just(32), st.sampled_from(WIDE).flatmap(realistic).map(lambda bits: bits >> 32), masks(32)),
        st.tuples(
            st.just(64), st.sampled_from(ALL).flatmap(realistic).map(lambda bits: bits << 32 & (1 << 64) - 1), masks(64)
        ),
    ),
    st.sampled_from([None, "sm_90a", "sm_100a"]),
)
def test_what_is_decoded_unasked_encodes_back(case: tuple[int, int, int], arch: str | None) -> None:
    width, bits, known = case
    known = known or 1
    text = pasted(bits & known, known, width)
    encoded = from_object(decode_value(text, context=Context(arch=arch)).to_dict())
    # A word that is the low one of a 64-bit descriptor comes back as all of it: the number is the same.
    assert parse_value(encoded.text).at(64) == parse_value(text).at(64)


@some(100)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), realistic(kind))))
def test_plain_values_are_enough(case: tuple[Kind, int]) -> None:
    kind, bits = case
    data = decode_value(bits, kind.id).to_dict()
    plain = {
        key: field["value"] if field["value"] is not None else {"raw": field["raw"]}
        for key, field in data["fields"].items()
    }
    again = from_object({"kind": kind.name, "mma_kind": kind.mma_kind, "fields": plain})
    assert again.value == bits
