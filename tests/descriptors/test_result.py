"""From a value to what it says: one reading, several, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, WIDE, contexts, kinds, masks, pasted, realistic, some, values

from smemdesc.descriptors.readings import text_of
from smemdesc.descriptors.result import AmbiguousField, Result, decode
from smemdesc.engine.errors import KindError, ValueSyntaxError, WidthError
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.text import parse


def typed(result: Result) -> str:
    return text_of(result.value, result.known, result.width, result.view)


def rules(text: str, kind: str | None = None, mma_kind: str | None = None) -> list[tuple[str, str]]:
    return [(finding.severity, finding.rule) for finding in decode(text, kind, mma_kind).findings]


def test_one_reading() -> None:
    result = decode(0x4000404000010040)
    assert (result.kind, result.mma_kind, result.view, result.settled) == ("tcgen05", None, "whole", True)
    assert {key: reading.value for key, reading in result.fields.items()} == {
        "start_address": 1024,
        "reserved_14": 0,
        "leading_byte_offset": 16,
        "reserved_30": 0,
        "stride_byte_offset": 1024,
        "version": 1,
        "base_offset": 0,
        "lbo_mode": "relative",
        "fixed_53": 0,
        "swizzle": "128B",
    }
    assert result.findings == ()
    assert not result.has_error


@pytest.mark.parametrize("value", [0x4000404000010040, "0x4000404000010040", "4611756662049538112"])
def test_numbers_and_text_say_the_same(value: int | str) -> None:
    assert decode(value).fields["start_address"].value == 1024


def test_text_is_kept_as_it_was_pasted() -> None:
    assert decode(" 0x4000404000010040ULL,").text == " 0x4000404000010040ULL,"


def test_result_cannot_be_changed() -> None:
    result = decode(0x4000404000010040)
    with pytest.raises(AttributeError):
        result.kind = "wgmma"  # type: ignore[misc]
    with pytest.raises(TypeError):
        result.fields["swizzle"] = None  # type: ignore[index]


def test_several_readings_agree_on_what_they_agree_on() -> None:
    result = decode("0x08200490")
    assert [each.id for each in result.candidates] == ["idesc:f16", "idesc:f8f6f4"]
    assert (result.kind, result.mma_kind, result.settled) == ("idesc", None, False)
    assert (result.fields["m"].value, result.fields["n"].value, result.fields["d_type"].value) == (128, 128, "f32")
    assert result.fields["a_type"] == AmbiguousField(9, 7, 1)
    assert result.candidates[0].fields["a_type"].value == "bf16"
    assert result.candidates[1].fields["a_type"].value == "e5m2"


def test_readings_of_different_kinds_have_no_kind_in_common() -> None:
    result = decode("0x0")
    assert result.kind is None
    assert {each.kind.name for each in result.candidates} == {"wgmma", "mask"}
    assert all(reading.value is None for reading in result.fields.values())


def test_a_value_that_says_its_kind_is_not_settled_by_chance() -> None:
    assert rules("0x08200490") == [("note", "several-readings")]
    assert rules("0x08200490", mma_kind="f16") == []


@pytest.mark.parametrize(
    ("text", "kind", "severity", "rule"),
    [
        ("0x08200490", None, "note", "several-readings"),
        ("0x0", None, "note", "several-readings"),
        ("0x0820049000000000", None, "note", "several-readings"),
        ("0xdeadbeefdeadbeef", None, "error", "no-reading-fits"),
        ("0x082016a0", None, "error", "no-reading-fits"),
        ("0xface", None, "error", "no-reading-fits"),
        ("0x4000404000014040", None, "error", "reserved-bits"),
        ("0x4000404000014040", None, "note", "other-arch"),
        ("0x4000404000018040", None, "note", "no-reading-fits"),
        ("4000404000010040", None, "note", "digits-without-prefix"),
        ("40004040", "tcgen05", "note", "digits-without-prefix"),
        ("1073758272", "tcgen05", "note", "high-word"),
        ("1073741888", "wgmma", "note", "high-word"),
        ("0x0", "idesc", "error", "no-reading-fits"),
    ],
)
def test_findings_about_the_reading(text: str, kind: str | None, severity: str, rule: str) -> None:
    assert (severity, rule) in rules(text, kind)


@pytest.mark.parametrize(
    ("text", "kind", "rule"),
    [
        ("0x4000404000010040", None, "several-readings"),
        ("0x4000404000010040", None, "no-reading-fits"),
        ("0x4000404000014040", "tcgen05", "no-reading-fits"),
        ("0x4000404000010040", None, "digits-without-prefix"),
        ("0x40004040", "tcgen05", "high-word"),
        ("0x00010040", "wgmma", "high-word"),
        ("0x4000404000010040", "tcgen05", "high-word"),
        ("0x08200490", None, "error-in-every-reading"),
    ],
)
def test_no_finding_about_the_reading(text: str, kind: str | None, rule: str) -> None:
    assert rule not in [each for _, each in rules(text, kind)]


def test_an_error_of_every_reading_is_an_error() -> None:
    result = decode("0x08200420", context=Context(arch="sm_90a"))
    assert result.has_error


@pytest.mark.parametrize("text", ["0x4000404000014040", "0x6000404000010040", "0x0003040000000000", "0x08200490"])
def test_findings_come_worst_first(text: str) -> None:
    order = {"error": 0, "warning": 1, "note": 2}
    ranks = [order[severity] for severity, _ in rules(text)]
    assert ranks == sorted(ranks)


def test_findings_say_what_where_and_who_says_so() -> None:
    finding = decode("0x6000404000010040", "tcgen05").findings[0]
    assert (finding.severity, finding.rule, finding.fields) == ("error", "undefined-code", ("swizzle",))
    assert "3" in finding.message
    assert finding.source.startswith("PTX ISA")


def test_a_wgmma_descriptor_given_to_tcgen05_is_a_warning() -> None:
    assert rules("0x4000004000010040", "tcgen05") == [("warning", "version-constant")]


def test_unknown_parts_have_no_value() -> None:
    result = decode("0x40004040:?")
    assert (result.value, result.known) == (0x4000404000000000, 0xFFFFFFFF00000000)
    assert result.fields["start_address"].value is None
    assert result.fields["stride_byte_offset"].value == 1024


@pytest.mark.parametrize(
    ("value", "kind", "error"),
    [
        ("hello", None, ValueSyntaxError),
        ("0x4000404000010040", "idesc", WidthError),
        (1 << 64, None, WidthError),
        (-(1 << 63) - 1, None, WidthError),
        ("0x1", "imma", KindError),
    ],
)
def test_what_cannot_be_read(value: int | str, kind: str | None, error: type[Exception]) -> None:
    with pytest.raises(error):
        decode(value, kind)


@pytest.mark.parametrize(
    ("text", "as_text"),
    [
        ("4611756662049538112", "0x4000404000010040"),
        ("1073758272", "0x40004040"),
        ("0x40004040:?", "0x40004040????????"),
        ("0x0820091000000000", "0x0820091000000000"),
        ("136314896", "0x08200010"),
    ],
)
def test_value_as_text(text: str, as_text: str) -> None:
    assert typed(decode(text)) == as_text


@some(150)
@given(
    kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))),
    st.booleans(),
)
def test_value_as_text_reads_back(case: tuple[Kind, int, int], asked: bool) -> None:
    kind, bits, known = case
    known = known or 1
    text = pasted(bits & known, known, kind.table.width)
    result = decode(text, kind.id) if asked else decode(text)
    again = typed(result)
    width = kind.table.width
    assert parse(again).at(width) == parse(text).at(width)


@pytest.mark.parametrize(
    ("text", "arch"),
    [
        ("0b0100000000000000000000000100000?", "sm_90a"),
        ("0b?1000000000000000000000001000000", "sm_90a"),
        ("0b0100000000000000010000000100000?", None),
    ],
)
def test_a_high_word_whose_digits_are_known_in_part(text: str, arch: str | None) -> None:
    assert typed(decode(text, context=Context(arch=arch))) == text


@some(100)
@given(
    st.sampled_from(WIDE).flatmap(realistic),
    masks(32),
    st.sampled_from([None, "sm_90a", "sm_100a"]),
)
def test_a_high_word_as_text_reads_back(bits: int, known: int, arch: str | None) -> None:
    known = known or 1
    text = pasted(bits >> 32 & known, known, 32)
    again = typed(decode(text, context=Context(arch=arch)))
    assert parse(again).at(32) == parse(text).at(32)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_a_sound_value_of_every_kind(kind: Kind) -> None:
    result = decode(SOUND[kind.id], kind.name, kind.mma_kind)
    assert (result.kind, result.mma_kind, result.findings) == (kind.name, kind.mma_kind, ())


@some(200)
@given(st.integers(-(1 << 63), (1 << 64) - 1), contexts)
def test_every_number_decodes(number: int, context: Context) -> None:
    result = decode(number, context=context)
    assert result.candidates
    if result.settled:
        assert set(result.fields) == set(result.candidates[0].fields)
    else:
        assert {finding.rule for finding in result.findings} & {"several-readings", "no-reading-fits"}
