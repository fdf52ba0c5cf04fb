"""The values in pasted text: each form that people paste, and what is refused with the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, some

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.pasted import sentence, value, values

V = 0x4000404000010040
HIGH, LOW = 0x40004040, 0x10040
D = "-9223371899399045120"

FORMS = [
    # where people meet it, text, the values
    ("a number", "0x4000404000010040", [V]),
    ("Rust", "0x4000404000010040u64", [V]),
    ("Rust, apart", "0x4000404000010040_u64", [V]),
    ("C, a macro", "UINT64_C(0x4000404000010040)", [V]),
    ("C, a cast", "(uint64_t)0x4000404000010040", [V]),
    ("C, an older cast", "(unsigned long long) 0x4000404000010040ULL", [V]),
    ("C++, a cast", "static_cast<uint64_t>(0x4000404000010040)", [V]),
    ("C++, an assignment", "uint64_t desc = 0x4000404000010040ull;", [V]),
    ("C++, an expression", "(1ull<<62)|(1ull<<46)|(64ull<<32)|(1<<16)|64", [V]),
    ("C++, words", "(uint64_t(0x40004040) << 32) | 0x10040", [V]),
    ("C++, a complement", "~0ull & 0x4000404000010040", [V]),
    ("Python", "desc = 0x4000_4040_0001_0040", [V]),
    ("Markdown", "`0x4000404000010040`", [V]),
    ("a log", "desc_a: 0x4000404000010040 desc_b: 0x4000404000010042", [V, V + 2]),
    ("CUTLASS", "GmmaDescriptor: 0x4000404000010040", [V]),
    ("with its register", "0x4000404000010040 (UR4)", [V]),
    ("SASS, the high word", "UMOV UR7, 0x40000040", [0x40000040]),
    ("SASS, any constant of a move", "UMOV UR4, 0x40 ;", [0x40]),
    ("SASS, IMAD.MOV", "IMAD.MOV.U32 R4, RZ, RZ, 0x10", [0x10]),
    ("SASS, with its encoding", "/*0100*/ UMOV UR5, 0x40004040 ; /* 0x4000404000057882 */", [HIGH]),
    ("SASS of cuda-gdb", "0x00007ffddb7e9300 <+0>:\tUMOV UR5, 0x40004040", [HIGH]),
    ("SASS, an operation", "ULOP3.LUT UR4, UR4, 0x10000, URZ, 0xfc, !UPT", [0x10000]),
    ("PTX", f"or.b64 %rd72, %rd70, {D};", [int(D)]),
    ("PTX, words", "mov.b64 %rd17, {65600, 1073758272};", [V]),
    ("PTX, two statements", "mov.b32 dhi, 0x40004040; mov.b64 desc, {dlo, dhi};", [HIGH]),
    ("{lo, hi}", "{0x00010040, 0x40004040}", [V]),
    ("two values", "0x1 0x2", [1, 2]),
    ("two values and a comma", "0x40004040,0x00010040", [HIGH, LOW]),
    ("p/x", "$1 = 0x4000404000010040", [V]),
    ("p/x of an array", "$3 = {0x10040, 0x40004040}", [V]),
    ("p/t", f"$1 = {V:b}", [V]),
    ("p/d", "$1 = 4611756662049538112", [4611756662049538112]),
    ("x/gx", "0x7ffff7a0:\t0x4000404000010040", [V]),
    ("x/2gx", "0x7ffff7a0 <smem+64>:\t0x4000404000010040\t0x4000404000010042", [V, V + 2]),
    ("x/2xw", "0x7ffff7a0:\t0x00010040\t0x40004040", [V]),
    ("x/4xw", "0x0:\t0x00010040\t0x40004040\t0x00010042\t0x40004040", [V, V + 2]),
    ("x/8xb", "0x400:\t0x40\t0x00\t0x01\t0x00\t0x40\t0x40\t0x00\t0x40", [V]),
    ("info registers", "UR4            0x10040             65600", [LOW]),
    ("bytes", "40 00 01 00 40 40 00 40", [V]),
    ("bytes of an instruction descriptor", "90 04 20 08", [0x08200490]),
    ("hexdump -C", "00000000  40 00 01 00 40 40 00 40  |@...@@.@|", [V]),
    ("xxd", "00000000: 4000 0100 4040 0040  @...@@.@", [V]),
]


@pytest.mark.parametrize(("where", "text", "numbers"), FORMS, ids=[form[0] for form in FORMS])
def test_form(where: str, text: str, numbers: list[int]) -> None:
    assert [each.number for each in values(text)] == numbers


@pytest.mark.parametrize(
    ("text", "known", "form"),
    [
        ("{%r50, 1073758272}", 0xFFFFFFFF00000000, "{lo, hi}: the low word first"),
        ("mov.b64 %rd17, {0x10040, %r52};", 0xFFFFFFFF, "{lo, hi}: the low word first"),
        ("40 00 01 00 40 40 00 40", (1 << 64) - 1, "8 bytes, little-endian"),
        ("0x7f0:\t0x00010040\t0x40004040", (1 << 64) - 1, "memory at 0x7f0, the low word first"),
        ("$1 = 101010101", (1 << 64) - 1, "binary, as p/t prints it"),
        ("1 << 46", (1 << 64) - 1, "an expression: 0x400000000000"),
    ],
)
def test_how_it_was_read_is_said(text: str, known: int, form: str) -> None:
    literal = value(text)
    assert literal.at(64)[1] == known
    assert literal.form == form


WRONG = [
    # the text with « » around what the caret stands under, and a part of the message
    ("desc = 0x4000404000010040«0»", "17 hexadecimal digits"),
    ("0x40004«o»4000010040 0x4000404000010040", "'o' is not a hexadecimal digit"),
    ("«40 00 40»", "3 bytes of memory"),
    ("«{lo, hi}»", "neither word is known"),
    ("«desc» + 2", "the value of desc is unknown"),
    ("uint64_t(«idesc») << 32", "the value of idesc is unknown"),
    ("0x40004040:«0x100000000»", "a word of HI:LO has at most 32 bits"),
    ("«-»0x40004040", "a hexadecimal value has no sign"),
    ("«UR7»", "the name of a register"),
    ("«HGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;»", "not a value"),
    *((f"«{text}»", "an expression") for text in ("1 << 64", "1 << 63 << 63", "2 ** 999999 | 1")),
    ("«a» | b", "the value of a is unknown"),
    ("0x40 | «x»", "the value of x is unknown"),
    ("«f(3) | 1»", "an expression"),
    (f"«{'(' * 300}1|2»", "an expression"),
]


@pytest.mark.parametrize(("marked", "message"), WRONG, ids=[wrong[0][:40] for wrong in WRONG])
def test_wrong(marked: str, message: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    with pytest.raises(SmemdescError) as caught:
        values(text)
    assert message in caught.value.message
    assert caught.value.given == text
    span = caught.value.span
    assert span is not None
    assert text[slice(*span)].strip("() ;") == marked[marked.index("«") + 1 : marked.index("»")].strip("() ;")


def test_one_value_is_not_chosen_from_several() -> None:
    with pytest.raises(SmemdescError, match="2 values, but one is expected; give one of them: 0x1, 0x2"):
        value("0x1 0x2")


@pytest.mark.parametrize(
    ("words", "is_one"),
    [
        ("UMOV UR7, 0x40000040", True),
        ("@UP0 UMOV UR7, 0x40000040", True),
        ("or.b64 %rd72, %rd70, 4611686293305294848", True),
        ("40 00 01 00 40 40 00 40", True),
        ("{0x00010040, 0x40004040}", True),
        ("0x40004040 0x00010040", False),
        ("c0004020 0x00010040", False),
        ("decoed 0x40004040", False),
        ("0x40004040", False),
    ],
)
def test_what_may_be_typed_without_quotation_marks(words: str, is_one: bool) -> None:
    assert sentence(words.split()) == (words if is_one else None)


PIECES = [
    "0x40",
    "40",
    " ",
    ":",
    "{",
    "}",
    ",",
    "=",
    "$1",
    "\t",
    "|",
    "<<",
    "(uint64_t)",
    "UMOV UR4, ",
    ";",
    "<+0>",
    "/*",
]


@some(300)
@given(st.one_of(st.text(CHARACTERS), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_has_values_or_a_clear_error(text: str) -> None:
    try:
        found = values(text)
    except SmemdescError as error:
        found = ()
        refused = error
    assert all(each.bit_length <= 64 for each in found)
    assert found or (refused.message and refused.given is not None)
