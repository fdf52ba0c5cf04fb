"""What people paste: every accepted form, and every wrong one with the place it goes wrong at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, masks, pasted, some
from tables import every_row

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError, WidthError
from smemdesc.reading.text import Literal, parse_value, to_hex

VALUE = 0x4000404000010040

FORMS = [
    # text, number, width as written, form
    ("0x4000404000010040", VALUE, 64, "hexadecimal"),
    ("0X4000404000010040", VALUE, 64, "hexadecimal"),
    ("0x40004040", 0x40004040, 32, "hexadecimal"),
    ("0x8200010", 0x8200010, 0, "hexadecimal"),
    ("0x0", 0, 0, "hexadecimal"),
    ("0b101", 5, 0, "binary"),
    ("0b" + "10" * 16, 0xAAAAAAAA, 32, "binary"),
    ("0o17", 15, 0, "octal"),
    ("4611756662049538112", 4611756662049538112, 0, "decimal"),
    ("+40004040", 40004040, 0, "decimal"),
    ("-1", -1, 0, "signed decimal, two's complement"),
    ("-9223371899399045120", -9223371899399045120, 0, "signed decimal, two's complement"),
    ("4000404000010040", VALUE, 64, "hexadecimal, 16 digits"),
    ("40004040", 0x40004040, 32, "hexadecimal, 8 digits"),
    ("c0004020", 0xC0004020, 32, "hexadecimal, no prefix"),
    ("C000402000100000", 0xC000402000100000, 64, "hexadecimal, no prefix"),
    ("a0", 0xA0, 0, "hexadecimal, no prefix"),
    ("0b123456", 0x0B123456, 32, "hexadecimal, no prefix"),
    ("0x4000_4040_0001_0040", VALUE, 64, "hexadecimal"),
    ("0x4000'4040'0001'0040", VALUE, 64, "hexadecimal"),
    ("1'000_000", 1_000_000, 0, "decimal"),
    ("0x4000404000010040ULL", VALUE, 64, "hexadecimal"),
    ("0x4000404000010040ull", VALUE, 64, "hexadecimal"),
    ("0x40004040u", 0x40004040, 32, "hexadecimal"),
    ("0x40004040UL", 0x40004040, 32, "hexadecimal"),
    ("1073758272L", 0x40004040, 0, "decimal"),
    ("40004040ul", 40004040, 0, "decimal"),
    ("  0x40004040\n", 0x40004040, 32, "hexadecimal"),
    ('"0x40004040",', 0x40004040, 32, "hexadecimal"),
    ("'0x40004040'", 0x40004040, 32, "hexadecimal"),
    ("`0x40004040`", 0x40004040, 32, "hexadecimal"),
    ("(0x40004040);", 0x40004040, 32, "hexadecimal"),
    ("[0x40004040]", 0x40004040, 32, "hexadecimal"),
    ("{0x40004040}", 0x40004040, 32, "hexadecimal"),
    ("<0x40004040>", 0x40004040, 32, "hexadecimal"),
    ("0x40004040:0x00010040", VALUE, 64, "two 32-bit words, high word first"),
    ("40004040:00010040", VALUE, 64, "two 32-bit words, high word first"),
    ("0x40004040 : 0x10040", VALUE, 64, "two 32-bit words, high word first"),
    ("1073758272:65600", VALUE, 64, "two 32-bit words, high word first"),
    ("-1:-1", (1 << 64) - 1, 64, "two 32-bit words, high word first"),
    ("00000000", 0, 32, "hexadecimal, 8 digits"),
    ("18446744073709551615", (1 << 64) - 1, 0, "decimal"),
    ("-9223372036854775808", -(1 << 63), 0, "signed decimal, two's complement"),
]

UNKNOWN = [
    # text, known bits, mask of known bits, width as written
    ("0x40004040????????", 0x4000404000000000, 0xFFFFFFFF00000000, 64),
    ("0x40004040:?", 0x4000404000000000, 0xFFFFFFFF00000000, 64),
    ("?:0x00010040", 0x0000000000010040, 0x00000000FFFFFFFF, 64),
    ("0x40004040:0x0001????", 0x4000404000010000, 0xFFFFFFFFFFFF0000, 64),
    ("0x4000404?", 0x40004040, 0xFFFFFFFFFFFFFFF0, 32),
    ("4000404?", 0x40004040, 0xFFFFFFFFFFFFFFF0, 32),
    ("0b1?0", 4, 0xFFFFFFFFFFFFFFFD, 0),
    ("0o7?", 0o70, 0xFFFFFFFFFFFFFFF8, 0),
]


@every_row(("text", "number", "width", "form"), FORMS)
def test_form(text: str, number: int, width: int, form: str) -> None:
    literal = parse_value(text)
    assert (literal.number, literal.unknown, literal.width, literal.form) == (number, 0, width, form)
    assert literal.text == text


@pytest.mark.parametrize(("text", "bits", "known", "width"), UNKNOWN, ids=[form[0] for form in UNKNOWN])
def test_unknown_parts(text: str, bits: int, known: int, width: int) -> None:
    literal = parse_value(text)
    assert literal.at(64) == (bits, known)
    assert literal.width == width


@pytest.mark.parametrize("text", ["40004040", "4000404000010040", "00010040"])
def test_digits_without_a_prefix_are_noted(text: str) -> None:
    note = parse_value(text).note
    assert "read as hexadecimal" in note
    decimal = note.partition("write ")[2].partition(" ")[0]
    assert parse_value(decimal).number == int(text), f"the note says to write {decimal}"


@pytest.mark.parametrize("text", ["0x40004040", "c0004040", "+40004040", "4000404", "400040400"])
def test_nothing_to_note(text: str) -> None:
    assert parse_value(text).note == ""


@pytest.mark.parametrize(
    ("text", "width", "bits"),
    [
        ("-1", 32, 0xFFFFFFFF),
        ("-1", 64, 0xFFFFFFFFFFFFFFFF),
        ("-2147483648", 32, 0x80000000),
        ("4294967295", 32, 0xFFFFFFFF),
        ("0x0000000008200490", 32, 0x08200490),
    ],
)
def test_bits_at_a_width(text: str, width: int, bits: int) -> None:
    assert parse_value(text).at(width)[0] == bits


@every_row("text", ["-2147483649", "4294967296", "0x100000000", "0x1????????", "?:1", "0x????????00000000"])
def test_no_value_is_cut_to_a_width(text: str) -> None:
    with pytest.raises(WidthError, match="bits, the instruction descriptor has 32; a value is never truncated"):
        parse_value(text).at(32, "instruction descriptor")


WRONG = [
    # the text with « » around what the caret stands under, and a part of the message
    ("« »", "the value is empty"),
    ("«;»", "no number found"),
    ("«[]»", "no number found"),
    ("0x4000«o»40", "'o' is not a hexadecimal digit"),
    ("0x40004040«g»", "'g' is not a hexadecimal digit"),
    ("0x1«_»", "'_' is not a hexadecimal digit"),
    ("0x«_»1", "'_' is not a hexadecimal digit"),
    ("0b1«2»", "'2' is not a binary digit"),
    ("0o«8»", "'8' is not an octal digit"),
    ("«0x»", "no hexadecimal digit follows the prefix"),
    ("«0b»", "no binary digit follows the prefix"),
    ("12«z»", "'z' is not a digit"),
    ("3«.»5", "'.' is not a digit"),
    ("1«,»2", "',' is not a digit"),
    ("0x1«,»0x2", "',' is not a hexadecimal digit"),
    ("«0»10", "a leading zero"),
    ("«-»0x5", "a hexadecimal value has no sign"),
    ("«-»0b1", "a binary value has no sign"),
    ("«?»", "no bit of the value is known"),
    ("«????????»", "no bit of the value is known"),
    ("«0x????????????????»", "no bit of the value is known"),
    ("«????????ul»", "no bit of the value is known"),
    ("«0o????»", "no bit of the value is known"),
    ("«?:?»", "no bit of the value is known"),
    ("«0x40004040:»", "one of the two words is missing"),
    ("«A:»", "not a value"),
    ("«12:30»", "a time, or a line and a column, not two words"),
    ("«12:30:45»", "more than one colon"),
    ("«0x140004040»:0", "a word of HI:LO has at most 32 bits"),
    ("0x40004040:«0x100000000»", "a word of HI:LO has at most 32 bits"),
    ("0x1234567890123456«7»", "17 hexadecimal digits"),
    ("0x4000404000010040«00»ULL", "71 bits"),
    ("«18446744073709551616»", "65 bits"),
    ("«-9223372036854775809»", "65 bits"),
    ("«" + "9" * 41 + "»", "a decimal number of 41 digits"),
    ("«UR7»", "the name of a register"),
    ("«R24»", "the name of a register"),
    ("«%rd20»", "the name of a register"),
    ("«gdesc[UR4»]", "the name of a register"),
    ("«idesc[UR35»]", "the name of a register"),
    ("«tmem[UR9»]", "the name of a register"),
    ("«CU_TENSOR_MAP_SWIZZLE_128B»", "a TMA tensor-map enumeration"),
    ("«SWIZZLE_NONE»", "a TMA tensor-map enumeration"),
    ("(«1ull << 46) | (2ull << 61»)", "an expression"),
    ("«uint64_t(idesc) << 32»", "an expression"),
    ("«desc + 2»", "an expression"),
    ("«/* 0x000fe20000000000 */»", "the encoding of an instruction"),
    ("«hello»", "not a value"),
    ("«.tnspA»", "not a value"),
    ("«+»", "not a value"),
    ("«x40004040»", "not a value"),
]


@every_row(("marked", "says"), WRONG)
def test_wrong_form(marked: str, says: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    with pytest.raises((ValueSyntaxError, WidthError)) as caught:
        parse_value(text)
    error = caught.value
    assert says in error.message
    assert error.given == text
    assert error.span == (marked.index("«"), marked.index("»") - 1)
    assert error.hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("SWIZZLE_128B", "code 2 in tcgen05, 1 in wgmma"),
        ("CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B", "code 1 in tcgen05"),
        ("CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B", "no descriptor has this mode"),
        ("UR5", "give the constant moved into it"),
        ("010", "write 0o10, 0x10 or 10"),
        ("08", "write 0x8 or 8"),
        ("12:30", "0x12:0x30"),
    ],
)
def test_hint_says_what_to_type(text: str, hint: str) -> None:
    with pytest.raises(ValueSyntaxError) as caught:
        parse_value(text)
    assert hint in caught.value.hint


@some(200)
@given(st.sampled_from([32, 64]).flatmap(lambda width: st.tuples(st.just(width), st.integers(0), masks(width))))
def test_text_of_a_value_reads_back(case: tuple[int, int, int]) -> None:
    width, number, known = case
    known = known or 1
    bits = number & ((1 << width) - 1) & known
    text = to_hex(bits, known, width)
    assert text == pasted(bits, known, width)
    literal = parse_value(text)
    assert literal.at(width) == (bits, known)
    assert literal.width == width


@some(100)
@given(st.integers(0, (1 << 64) - 1))
def test_all_forms_say_the_same_number(bits: int) -> None:
    signed = bits - (1 << 64) if bits >> 63 else bits
    high, low = bits >> 32, bits & 0xFFFFFFFF
    forms = [hex(bits), bin(bits), oct(bits), f"+{bits}", f"{signed:+d}", f"{bits:016x}", f"{high:#x}:{low:#x}"]
    assert {parse_value(text).at(64)[0] for text in forms} == {bits}


PIECES = "0x 0b 0o ? : - + _ ' ULL u 40004040 1 0 f , << ( ) UR5 %rd1 [ ] SWIZZLE_ 128B ; ı ٣ ² gdesc[ |"


def parsed(text: str) -> Literal | SmemdescError:
    try:
        return parse_value(text)
    except SmemdescError as error:
        return error


@some(400)
@given(
    st.one_of(
        st.text(CHARACTERS),
        st.lists(st.sampled_from([*PIECES.split(), " ", "\n", "\x00"]), max_size=12).map("".join),
    )
)
def test_any_text_is_a_value_or_a_clear_error(text: str) -> None:
    result = parsed(text)
    if isinstance(result, Literal):
        assert result.bit_length <= 64
        assert result.at(64)[0] >= 0
        return
    assert result.message
    assert result.given == text
    assert result.span is not None
    begin, end = result.span
    assert 0 <= begin < end <= max(1, len(text))
