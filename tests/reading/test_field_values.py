"""What people type for a field on a command line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, some
from tables import every_row

from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.kind import kind_of
from smemdesc.reading.field_values import advance_of, field_value
from smemdesc.reading.quantities import byte_count, whole_number

SMEM = kind_of("tcgen05").table
F16 = kind_of("idesc:f16").table
MXF4 = kind_of("idesc:mxf4").table


@every_row(
    ("text", "number"),
    [
        ("1024", 1024),
        ("0x400", 1024),
        ("0X400", 1024),
        ("1_024", 1024),
        ("1024B", 1024),
        ("1024 B", 1024),
        ("1KiB", 1024),
        ("1 kib", 1024),
        ("1KB", 1024),
        ("2MiB", 2 << 20),
        ("1 GiB", 1 << 30),
        ("2k", 2048),
        ("64x16B", 1024),
        ("64x16", 1024),
        ("64 x 16 B", 1024),
        ("64*16", 1024),
        ("0x40x16B", 1024),
        ("064x16B", 1024),
        ("-32B", -32),
        ("-2x16B", -32),
        (" 16 ", 16),
        ("0", 0),
    ],
)
def test_bytes(text: str, number: int) -> None:
    assert byte_count(text) == number


@every_row("text", ["", "B", "16 MB", "1.5KiB", "16b16", "64x32B", "x16B", "--16", "1e3", "0x", "0x_", "ten"])
def test_no_bytes(text: str) -> None:
    assert byte_count(text) is None


@every_row(
    ("text", "number"),
    [("128", 128), ("-1", -1), ("0x80", 128), ("0b101", 5), ("1_000", 1000), (" 7 ", 7), ("-0x10", -16)],
)
def test_whole_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@every_row("text", ["", "1.5", "0x", "0b2", "12a", "1 2", "9" * 81, "٣", "+"])
def test_no_whole_number(text: str) -> None:
    assert whole_number(text) is None


@some(300)
@given(
    st.one_of(
        st.text(CHARACTERS),
        st.lists(
            st.sampled_from(["0x", "0b", "0", "1", "f", "_", "-", "x", "*", "16", "B", "k", "KiB", " "]), max_size=8
        ).map("".join),
    )
)
def test_any_text_is_a_number_or_none(text: str) -> None:
    assert isinstance(byte_count(text), int | None)
    assert isinstance(whole_number(text), int | None)


@every_row(
    ("key", "text", "value"),
    [
        ("start_address", "1KiB", 1024),
        ("start_address", "64x16B", 1024),
        ("swizzle", "128B", "128B"),
        ("swizzle", "128b_32b", "128B_32B"),
        ("swizzle", "NONE", "none"),
        ("lbo_mode", "absolute", "absolute"),
        ("base_offset", "3", 3),
        ("base_offset", "0b11", 3),
    ],
)
def test_value_of_a_shared_memory_field(key: str, text: str, value: Scalar) -> None:
    assert field_value(SMEM.row(key), text) == value


@every_row(
    ("key", "text", "value"),
    [
        ("a_type", "bf16", "bf16"),
        ("a_type", ".BF16", "bf16"),
        ("m", "128", 128),
        ("max_shift", "16", 16),
        ("max_shift", "0x10", 16),
        *(("sparse", text, True) for text in ("true", "yes", "1", "on", "True")),
        *(("sparse", text, False) for text in ("false", "no", "0", "off")),
    ],
)
def test_value_of_an_instruction_field(key: str, text: str, value: Scalar) -> None:
    assert field_value(F16.row(key), text) is value or field_value(F16.row(key), text) == value


@pytest.mark.parametrize(("text", "value"), [("64", 64), ("96", 96), ("128", 128)])
def test_value_of_a_field_whose_names_depend_on_another(text: str, value: int) -> None:
    assert field_value(MXF4.row("k"), text) == value


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [
        ("start_address", "1 MB", "start_address: '1 MB' is not bytes, as in 1024, 0x400, 1KiB or 64x16B"),
        ("swizzle", "96B", "swizzle: '96B' is not one of its names"),
        ("swizzle", "2", "code 2 is named 128B"),
        ("base_offset", "one", "base_offset: 'one' is not a whole number"),
    ],
)
def test_wrong_value(key: str, text: str, says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        field_value(SMEM.row(key), text)
    assert caught.value.key == key
    assert f"{key} takes" in caught.value.hint


def test_a_flag_is_true_or_false() -> None:
    with pytest.raises(FieldError, match="sparse: 'maybe' is neither true nor false"):
        field_value(F16.row("sparse"), "maybe")


@every_row(
    ("text", "bits", "elements", "size"),
    [
        ("32B", None, 0, 32),
        ("-32B", None, 0, -32),
        ("1KiB", 16, 0, 1024),
        ("2x16B", None, 0, 32),
        ("16", 16, 16, 0),
        ("-16", 16, -16, 0),
        ("0x10", 4, 16, 0),
        ("0", None, 0, 0),
    ],
)
def test_advance(text: str, bits: int | None, elements: int, size: int) -> None:
    assert advance_of(text, bits) == (elements, size)


@pytest.mark.parametrize(
    ("text", "bits", "along", "says"),
    [
        ("16", None, "K", "is 16 in bytes or in elements"),
        ("far", None, "K", "'far' is not a distance"),
        ("16", None, "MN", "advance_mn: the element type is missing"),
        ("32B", 16, "MN", 'advance_mn: it is in elements; bytes need no direction: advance="32B"'),
    ],
)
def test_no_advance(text: str, bits: int | None, along: str, says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        advance_of(text, bits, along)
