"""From a value to what it says: one reading, several, or none."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import ALL, SOUND, contexts, some
from tables import every_row

from smemdesc import Context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.readings import view_text
from smemdesc.descriptors.result import AmbiguousField, Result
from smemdesc.engine.errors import FieldError, KindError, ValueSyntaxError, WidthError
from smemdesc.kinds.kind import Kind


def typed(result: Result) -> str:
    return view_text(result.value, result.known, result.width, result.view)


def rules(text: str, kind: str | None = None, mma_kind: str | None = None) -> list[tuple[str, str]]:
    return [(finding.severity, finding.rule) for finding in decode_value(text, kind, mma_kind).findings]


def test_one_reading() -> None:
    result = decode_value(0x4000404000010040)
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


def test_text_is_kept_as_it_was_pasted() -> None:
    assert decode_value(" 0x4000404000010040ULL,").text == " 0x4000404000010040ULL,"


def test_two_instruction_descriptors_are_not_joined() -> None:
    assert decode_value("[0x10040, 0x40004040]").value == 0x4000404000010040
    with pytest.raises(ValueSyntaxError, match="2 values, but one is expected"):
        decode_value("[138413200, 68158608]")


def test_result_cannot_be_changed() -> None:
    result = decode_value(0x4000404000010040)
    with pytest.raises(AttributeError):
        result.kind = "wgmma"  # type: ignore[misc]
    with pytest.raises(TypeError):
        result.fields["swizzle"] = None  # type: ignore[index]


def test_several_readings_agree_on_what_they_agree_on() -> None:
    result = decode_value("0x08200490")
    assert [each.id for each in result.candidates] == ["idesc:f16", "idesc:f8f6f4"]
    assert (result.kind, result.mma_kind, result.settled) == ("idesc", None, False)
    assert (result.fields["m"].value, result.fields["n"].value, result.fields["d_type"].value) == (128, 128, "f32")
    assert result.fields["a_type"] == AmbiguousField(9, 7, 1)
    assert result.candidates[0].fields["a_type"].value == "bf16"
    assert result.candidates[1].fields["a_type"].value == "e5m2"


def test_readings_of_different_kinds_have_no_kind_in_common() -> None:
    result = decode_value("0x0")
    assert result.kind is None
    assert {each.kind.name for each in result.candidates} == {"wgmma", "mask"}
    assert all(reading.value is None for reading in result.fields.values())


@every_row(
    ("text", "kind", "severity", "rule"),
    [
        ("0x08200490", None, "note", "several-readings"),
        ("0x0", None, "note", "several-readings"),
        ("0x0820049000000000", None, "note", "several-readings"),
        ("0xdeadbeefdeadbeef", None, "error", "no-reading-fits"),
        ("0x082016a0", None, "error", "no-reading-fits"),
        ("0xface", None, "error", "no-reading-fits"),
        ("0x4000404000014040", None, "error", "reserved-bits"),
        ("0x084004a0", None, "note", "other-mma-kind"),
        ("0x08400020", None, "note", "other-mma-kind"),
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


@every_row(
    ("text", "kind", "rule"),
    [
        ("0x08400490", None, "other-mma-kind"),
        ("0x08200910", None, "other-mma-kind"),
        ("0x084004a0", "idesc:i8", "other-mma-kind"),
        ("0x4000404000010040", None, "other-mma-kind"),
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
    result = decode_value("0x08200420", context=Context(arch="sm_90a"))
    assert result.has_error


@pytest.mark.parametrize("text", ["0x4000404000014040", "0x6000404000010040", "0x0003040000000000", "0x08200490"])
def test_findings_come_worst_first(text: str) -> None:
    order = {"error": 0, "warning": 1, "note": 2}
    ranks = [order[severity] for severity, _ in rules(text)]
    assert ranks == sorted(ranks)


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
        decode_value(value, kind)


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
    assert typed(decode_value(text)) == as_text


@every_row("kind", ALL)
def test_a_sound_value_of_every_kind(kind: Kind) -> None:
    result = decode_value(SOUND[kind.id], kind.name, kind.mma_kind)
    assert (result.kind, result.mma_kind, result.findings) == (kind.name, kind.mma_kind, ())


@some(200)
@given(st.integers(-(1 << 63), (1 << 64) - 1), contexts)
def test_every_number_decodes(number: int, context: Context) -> None:
    result = decode_value(number, context=context)
    assert result.candidates
    if result.settled:
        assert set(result.fields) == set(result.candidates[0].fields)
    else:
        assert {finding.rule for finding in result.findings} & {"several-readings", "no-reading-fits"}


@every_row(
    ("text", "kind", "name", "value"),
    [
        ("0x4000404000010040", None, "start_address", "1024"),
        ("0x4000404000010040", None, "swizzle", "128B"),
        ("0x4000404000010040", None, "lbo_mode", "relative"),
        ("0x4000404000010040", None, "version", "1"),
        ("0x08200490", "idesc:f16", "a_type", "bf16"),
        ("0x08200490", "idesc:f16", "m", "128"),
        ("0x08200490", "idesc:f16", "sparse", "false"),
        ("0x08200494", "idesc:f16", "sparse", "true"),
        ("0x08200490", None, "m", "128"),
        ("0x0003028000000000", None, "skip_span", "3"),
        ("0x6000404000010040", "tcgen05", "swizzle", "undefined:3"),
        ("0x40004040:?", None, "start_address", "?"),
        ("0x40004040:?", None, "swizzle", "128B"),
        ("0x88a0048?", "idesc:mxf4", "k", "?"),
        ("0x88a00484", "idesc:mxf4", "k", "undefined:1"),
    ],
)
def test_one_field_alone(text: str, kind: str | None, name: str, value: str) -> None:
    assert decode_value(text, kind).bare(name) == value


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("0x4000404000010040", "swizle", "tcgen05 has no field 'swizle'; did you mean swizzle"),
        ("0x08200490", "a_type", r"depends on the reading \(idesc:f16: bf16; idesc:f8f6f4: e5m2\); choose one"),
        ("0x0000000000000000", "skip_span", "depends on the reading|has no field|no such field"),
    ],
)
def test_a_field_that_has_no_one_value(text: str, name: str, says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        decode_value(text).bare(name)
    assert caught.value.key == name


def test_a_field_has_the_names_of_the_command_line() -> None:
    result = decode_value("0x4000404000010040")
    assert result.fields["sbo"] == result.fields["stride_byte_offset"]
    assert (str(result.fields["sbo"]), repr(result.fields["mode"])) == ("stride_byte_offset = 1024", "swizzle = 128B")
    assert (result["swizzle"], result["lbo"], result[1]) == ("128B", 16, 0x4000404000010040)
    assert decode_value("0x40004040:?")["start_address"] is None
    with pytest.raises(FieldError, match="there is no field 'swizle'; did you mean swizzle"):
        result.fields["swizle"]
    assert "sbo" not in result.fields
    again = pickle.loads(pickle.dumps(result.fields))
    assert (again, again["sbo"]) == (result.fields, result.fields["sbo"])


def test_a_notebook_shows_the_message_of_an_error_alone() -> None:
    with pytest.raises(FieldError) as refused:
        decode_value("0x4000404000010040").fields["swizle"]
    (line,) = refused.value._render_traceback_()
    assert line == f"FieldError: {refused.value}"
