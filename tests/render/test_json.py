"""The JSON that scripts rely on, and the stream that writes the same text faster."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, EVERY, SOUND, WIDE, case_of, contexts, kinds, masks, pasted, realistic, some, values

from smemdesc.descriptors import quick
from smemdesc.descriptors.decoding import decode, decode_literal
from smemdesc.descriptors.difference import diff
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import NOTHING, Context, context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.text import parse
from smemdesc.render import stream as streaming
from smemdesc.render.json import as_dict, diff_dict, line
from smemdesc.render.stream import Stream, says_failure


def data(text: str, kind: str | None = None, mma_kind: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line(decode(text, kind, mma_kind)))
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


@pytest.mark.parametrize(
    ("value", "found"), [("0x4000404000010040", False), ("0x4000401000010040", False), ("0x6000404000010040", True)]
)
def test_whether_a_line_holds_an_error(value: str, found: bool) -> None:
    assert says_failure(line(decode(value, "tcgen05")), strict=False) == found


@pytest.mark.parametrize(("value", "found"), [("0x4000404000010040", False), ("0x4000401000010040", True)])
def test_whether_a_line_holds_a_warning(value: str, found: bool) -> None:
    assert says_failure(line(decode(value, "tcgen05")), strict=True) == found


def test_text_cannot_pretend_to_be_an_error() -> None:
    result = decode('"severity": "error"'.join(["", "0x4000404000010040"])[-18:])
    text = line(result._replace(literal=result.literal._replace(text='"severity": "error"')))
    assert not says_failure(text, strict=True)


def test_two_compared_values() -> None:
    found = diff_dict(diff(0x4000404000010040, 0x4000404000010042))
    assert (found["a"], found["b"], found["same"]) == ("0x4000404000010040", "0x4000404000010042", False)
    assert list(found["fields"]) == ["start_address"]
    assert (found["fields"]["start_address"]["delta"], found["fields"]["start_address"]["unit"]) == (32, "B")
    json.dumps(found)


def slow(text: str, kind: str | None = None, mma_kind: str | None = None, about: Context = NOTHING) -> str:
    result = decode_literal(parse(text), kind, mma_kind, about)
    return json.dumps(as_dict(result, about))


def asked(kind: Kind) -> st.SearchStrategy[tuple[str | None, str | None]]:
    return st.sampled_from([(None, None), (kind.name, kind.mma_kind), (kind.name, None), (kind.id, None)])


@pytest.mark.corpus
@some(250)
@given(
    kinds.flatmap(lambda kind: st.tuples(asked(kind), st.lists(values(kind), min_size=1, max_size=4))),
    st.one_of(st.just(NOTHING), contexts),
    st.sampled_from(["#018x", "#010x", "#x"]),
)
def test_a_stream_writes_the_same_line(
    case: tuple[tuple[str | None, str | None], list[int]], about: Context, form: str
) -> None:
    (kind, mma_kind), numbers = case
    stream = Stream(kind, mma_kind, about)
    for number in [*numbers, *numbers]:
        text = format(number, form)
        try:
            wanted = slow(text, kind, mma_kind, about)
        except SmemdescError as problem:
            with pytest.raises(type(problem)):
                stream.line(text)
        else:
            assert stream.line(text) == wanted


@some(100)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))), st.booleans())
def test_a_stream_of_partly_known_values(case: tuple[Kind, int, int], ask: bool) -> None:
    kind, bits, known = case
    text = pasted(bits & (known or 1), known or 1, kind.table.width)
    names = (kind.name, kind.mma_kind) if ask else (None, None)
    assert Stream(*names).line(text) == slow(text, *names)


@some(60)
@given(st.sampled_from(WIDE).flatmap(realistic), st.lists(st.integers(0, 0x3FFF), min_size=2, max_size=5))
def test_a_stream_of_k_steps(bits: int, starts: list[int]) -> None:
    stream = Stream()
    for start in starts:
        text = f"{bits & ~0x3FFF | start:#018x}"
        assert stream.line(text) == slow(text)


FORMS = ["0x4000404000010040", "0X4000404000010040", "4611756662049538112", "0x40004040:?", "0x40004040", "40004040"]
FORMS += [
    "0x08200490",
    "0x8200490",
    "0x0820049000000000",
    "136314896",
    "-1",
    "0",
    "0x0",
    "0x1",
    " 0x1ULL,",
    "0XdeadBEEF",
]
FORMS += ["0xdeadbeefdeadbeef", "0xffffffffffffffff", "0x0000000000000000", "0x00000000", "0x0003040000000000"]


@pytest.mark.parametrize("kind", [None, "tcgen05", "wgmma", "mask", "idesc", "idesc:f16", "TCGEN05"])
def test_a_stream_of_every_form(kind: str | None) -> None:
    stream = Stream(kind)
    for text in [*FORMS, *FORMS]:
        try:
            wanted = slow(text, kind)
        except SmemdescError:
            continue
        assert stream.line(text) == wanted


@pytest.mark.parametrize("arch", ["sm_90a", "sm_100a", "sm_103a"])
def test_a_stream_for_an_architecture(arch: str) -> None:
    about = context(arch=arch)
    stream = Stream(context=about)
    for text in FORMS + [f"{value:#x}" for value in SOUND.values()]:
        assert stream.line(text) == slow(text, about=about)


@pytest.mark.property
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_a_long_stream_of_each_kind(kind: Kind) -> None:
    random.seed(kind.id)
    stream = Stream(kind.name, kind.mma_kind)
    digits = kind.table.width // 4
    for number in range(400 if os.environ.get(EVERY) else 100):
        bits = random.getrandbits(kind.table.width)
        if number % 2:
            bits = SOUND[kind.id] ^ 1 << random.randrange(kind.table.width)
        text = f"{bits:#0{digits + 2}x}"
        assert stream.line(text) == slow(text, kind.name, kind.mma_kind)


@pytest.mark.corpus
def test_a_long_stream_of_no_known_kind() -> None:
    random.seed(1)
    stream = Stream()
    for number in range(1200):
        kind = random.choice(WIDE)
        bits = random.getrandbits(64)
        if number % 3:
            bits = SOUND[kind.id] ^ 1 << random.randrange(64) ^ random.getrandbits(14)
        text = f"{bits:#018x}"
        assert stream.line(text) == slow(text)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, cap, most in ((streaming, "CAP", 4), (quick, "CAP", 4), (streaming, "_LINES", 2)):
        monkeypatch.setattr(module, cap, most)
    stream = Stream()
    texts = [f"{SOUND['tcgen05'] + 16 * step:#018x}" for step in range(40)] + ["0x08200490", "0x40004040"] * 3
    for text in [*texts, *texts]:
        assert stream.line(text) == slow(text)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_a_stream_with_the_whole_case(kind: Kind) -> None:
    about = case_of(kind, dtype="f16", major="K", shape="64x16", arch="sm_100a", cta_group=1, ws=False)
    stream = Stream(kind.name, kind.mma_kind, about)
    text = f"{SOUND[kind.id]:#x}"
    assert stream.line(text) == slow(text, kind.name, kind.mma_kind, about)


def test_what_cannot_be_read_is_an_error_in_a_stream_too() -> None:
    stream = Stream("idesc", "f16")
    for text in ("0x4000404000010040", "hello", ""):
        with pytest.raises(SmemdescError):
            stream.line(text)
    assert json.loads(stream.line("0x08200490"))["mma_kind"] == "f16"
