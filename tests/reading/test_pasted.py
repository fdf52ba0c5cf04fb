"""The values in pasted text: each form that people paste, and what is refused with the place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, some
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.reading.code import sentence
from smemdesc.reading.naming import is_pointer
from smemdesc.reading.pasted import pasted_value, pasted_values

V = 0x4000404000010040
HIGH, LOW = 0x40004040, 0x10040
NEGATIVE = 0xC000404000010040
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
    ("{lo, hi}", "{0x00010040, 0x40004040}", [LOW, HIGH]),
    ("two values", "0x1 0x2", [1, 2]),
    ("two values and a comma", "0x40004040,0x00010040", [HIGH, LOW]),
    ("p/x", "$1 = 0x4000404000010040", [V]),
    ("p/x of an array", "$3 = {0x10040, 0x40004040}", [LOW, HIGH]),
    ("p/t", f"$1 = {V:b}", [V]),
    ("p/d", "$1 = 4611756662049538112", [4611756662049538112]),
    ("p, cast", "$1 = (unsigned int) 68158608", [0x04100490]),
    ("p of a uint2", "$1 = {x = 65600, y = 1073758272}", [V]),
    ("p of a reference", "(const unsigned long &) @0x7fffffffe0a8: 4611756662049538112", [V]),
    ("x/xw", "0x7ffff7a0:\t0x40004040", [HIGH]),
    ("x/dw", "0x7ffff7a0:\t68158608", [0x04100490]),
    ("x/2dw", "0x7ffff7a0:\t65600\t1073758272", [V]),
    ("LLVM IR", "%3 = or i64 %2, 4611686293305294848", [0x4000004000000000]),
    ("LLVM IR, a vector", "store <2 x i32> <i32 65600, i32 1073758272>, ptr %1", [V]),
    ("MLIR", "%c = llvm.mlir.constant(68158608 : i32) : i32", [0x04100490]),
    ("MLIR, generic", '%0 = "llvm.mlir.constant"() <{value = 68158608 : i32}> : () -> i32', [0x04100490]),
    ("MLIR, a place", "%c = arith.constant 4611756662049538112 : i64 loc(#loc3)", [V]),
    ("NumPy", "np.uint64(4611756662049538112)", [V]),
    ("PyTorch", "tensor([65600, 1073758272], device='cuda:0', dtype=torch.uint32)", [LOW, HIGH]),
    ("NumPy, a list", "[np.uint32(65600), np.uint32(1073758272)]", [LOW, HIGH]),
    ("C++, make_uint2", "make_uint2(/*lo=*/65600, /*hi=*/1073758272)", [LOW, HIGH]),
    ("C++, named members", "{.x = 65600, .y = 1073758272}", [V]),
    ("JSON", '{"hi": 1073758272, "lo": 65600}', [V]),
    ("Python, a tuple", "hi, lo = 1073758272, 65600", [V]),
    ("Python, a tuple in brackets", "hi, lo = (1073758272, 65600)", [V]),
    ("Python, a printed object", "Desc(lo=65600, hi=1073758272)", [V]),
    ("NumPy, printed", "[65600 1073758272]", [LOW, HIGH]),
    ("a prompt", ">>> 0x4000404000010040", [V]),
    ("a bullet", "- 0x4000404000010040", [V]),
    ("a range", "touches: 0x00520-0x0053f", [0x520, 0x53F]),
    ("color", "\x1b[01;31m\x1b[K0x4000404000010040\x1b[m\x1b[K", [V]),
    ("PTX, a constant", ".const .align 8 .b32 g_idesc = 4;", [4]),
    ("a picture", '<text x="28" y="883">0x8000402000010000</text>', [0x8000402000010000]),
    ("a report", "B  0x4000404000010040  128B K-major bf16 128x16; SBO 1024 B = 8 x 128 B", [V]),
    ("a change", "0x4000404000010040 -> 0x4000404000010042", [V, V + 2]),
    ("a remark behind", "UMOV UR5, 0x40004040 ; high word 0x40004044", [HIGH]),
    ("words by number", "w0 = 65600, w1 = 1073758272", [V]),
    ("words by name", "lo = 65600, hi = 1073758272", [V]),
    ("words by name, apart", "lo 65600 hi 1073758272", [V]),
    ("words of a member", "desc.hi = 0x40004040; desc.lo = 0x10040;", [V]),
    ("PTX, words by name", "mov.b32 dlo, 65600; mov.b32 dhi, 1073758272; mov.b64 d, {dlo, dhi};", [V]),
    ("a list of two words", "[0x10040, 0x40004040]", [LOW, HIGH]),
    ("a list of two values", "[0x4000404000010040, 0x4000404000010042]", [V, V + 2]),
    ("registers", "UR4=0x10040 UR5=0x40004040", [LOW, HIGH]),
    ("elements", "d[0] = 65600, d[1] = 1073758272", [LOW, HIGH]),
    ("grep -n", "k.sass:123:  /*0100*/   UMOV UR5, 0x40004040 ;", [HIGH]),
    ("CuAssembler", "[B------:R-:W-:-:S01] /*0100*/ UMOV UR5, 0x40004040 ;", [HIGH]),
    ("nvdisasm, scheduling", "UMOV UR4, 0x10040 &wr=0x1 ?WAIT4_END_GROUP;", [LOW]),
    ("inline PTX", 'asm volatile("mov.b64 %0, 4611756662049538112;" : "=l"(d));', [V]),
    ("a log with the time", "[2024-11-26 10:11:12.345] desc=0x4000404000010040", [V]),
    (
        "C++, a comment",
        "(1ull << 46) | (2ull << 61) // version, 128B swizzle",
        [V & 0xFFFFFFFF00000000 & ~0xFF00000000],
    ),
    (
        "C++, over lines",
        "uint32_t i = (1U << 4U)  // D is f32\n | (1U << 7U) /* A */\n | ((uint32_t)256 >> 3U << 17U);",
        [0x400090],
    ),
    ("Python, over lines", "desc = [\n  65600,\n  1073758272,\n]", [LOW, HIGH]),
    ("x/gx", "0x7ffff7a0:\t0x4000404000010040", [V]),
    ("x/2gx", "0x7ffff7a0 <smem+64>:\t0x4000404000010040\t0x4000404000010042", [V, V + 2]),
    ("x/2xw", "0x7ffff7a0:\t0x00010040\t0x40004040", [V]),
    ("x/4xw", "0x0:\t0x00010040\t0x40004040\t0x00010042\t0x40004040", [V, V + 2]),
    ("x/8xb", "0x400:\t0x40\t0x00\t0x01\t0x00\t0x40\t0x40\t0x00\t0x40", [V]),
    ("info registers", "UR4            0x10040             65600", [LOW]),
    ("info registers, 64 bits", f"rax            {V:#x}  {V}", [V]),
    ("info registers, signed", f"rax\t{NEGATIVE:#x}\t{NEGATIVE - (1 << 64)}", [NEGATIVE]),
    ("info registers, signed word", f"R4 {NEGATIVE >> 32:#x} {(NEGATIVE >> 32) - (1 << 32)}", [NEGATIVE >> 32]),
    ("bytes", "40 00 01 00 40 40 00 40", [V]),
    ("bytes of an instruction descriptor", "90 04 20 08", [0x08200490]),
    ("hexdump -C", "00000000  40 00 01 00 40 40 00 40  |@...@@.@|", [V]),
    ("a header", "#define DESC 0x4000404000010040ull", [V]),
    ("a header, an expression", "#define DESC ((0x40004040ull << 32) | 0x10040)", [V]),
    ("C++, changes", "uint64_t desc = 0; // none\n desc |= 1ull << 46;\n desc |= 2ull << 61;", [0x4000400000000000]),
    ("Python, changes", "desc = 0\ndesc |= 1 << 46\ndesc |= 2 << 61", [0x4000400000000000]),
    ("Python, what was typed", ">>> 68158608", [0x04100490]),
    ("a space that does not break", "0x40004040:\xa00x00010040", [V]),
    ("words in brackets", "(0x40004040):(0x00010040)", [V]),
    ("xxd", "00000000: 4000 0100 4040 0040  @...@@.@", [V]),
]


@every_row(("where", "text", "numbers"), FORMS)
def test_form(where: str, text: str, numbers: list[int]) -> None:
    assert [each.number for each in pasted_values(text)] == numbers


# A number without a prefix or a letter is decimal in each of these; in the others only where it is long.
ANY_LENGTH = (
    "{} // remark", "mov.b32 %r47, {};", "idesc: {}", "uint64_t desc = {};", "{{{}, 0}}", "$1 = (unsigned long) {}",
    "np.uint64({})", "lo = {}", '{{"desc": {}}}', "UR4 = {} (R5)",
)  # fmt: skip
LONG = (
    "or.b64 %rd1, %rd2, {};", "%3 = or i64 %2, {}", "add.s64 %rd1, %rd2, {};", "a log of: {} in it",
    "%c = llvm.mlir.constant({} : i64) : i64",
)  # fmt: skip
SUFFIXES = ("", "u", "L", "UL", "ull", "_u64")


@some(400)
@given(
    st.integers(1, 19).flatmap(lambda digits: st.integers(10 ** (digits - 1), 10**digits - 1)),
    st.sampled_from((*ANY_LENGTH[1:], *LONG)),
    st.sampled_from(("", "+", "-")),
    st.sampled_from(SUFFIXES),
)
def test_a_number_of_code_is_decimal(number: int, context: str, sign: str, suffix: str) -> None:
    text = f"{sign}{number}{suffix}"
    if is_pointer(number) or {*str(number)} <= {*"01"}:
        return  # addresses of a process; binary digits, as p/t prints them
    if (context in LONG and number < 10**7) or number > (1 << 63) or (context == ANY_LENGTH[4] and number >> 31):
        return
    (literal, *_) = pasted_values(context.format(text))
    word = ones(32) if context == ANY_LENGTH[4] else ones(64)
    assert literal.at(64)[0] & word == int(f"{sign}{number}") & word


@every_row(
    ("text", "number"),
    [
        ("40004040:00010040", V),
        ("1073741888:33561733", 1073741888 << 32 | 33561733),
        ("68158608:1073741888", 68158608 << 32 | 1073741888),
        ("40004040:0", HIGH << 32),
        ("40004040:65600", 40004040 << 32 | 65600),
        ("+40004040:10010040", 40004040 << 32 | 10010040),
        ("0x40004040:65600", V),
        ("40004040:?", HIGH << 32),
    ],
)
def test_base_of_two_words(text: str, number: int) -> None:
    assert pasted_value(text).number == number


@every_row(
    ("text", "unread"),
    [
        ("ULOP3.LUT UR4, UR4, 0x10000, URZ, 0xfc, !UPT", "0xfc"),
        ("error at k.cu:12: desc 0x4000404000010040 in CTA 3", "error at k.cu:12: desc, in CTA 3"),
        ("desc |= (2ull << 61);", "desc |="),
        ("{%r1, 0x40004040}", "%r1, which is not known"),
        ("UMOV UR5, 0x40004040 ; high word 0x40004044", "high word 0x40004044"),
        ("0x4000404000010040 // was 0x4000404000010042", "// was 0x4000404000010042"),
        ("UR4            0x10040             65600", ""),
        ("uint64_t desc = 0x4000404000010040;", ""),
        ("tensor([65600, 1073758272], dtype=torch.uint32)", ""),
    ],
)
def test_what_is_not_used_is_named(text: str, unread: str) -> None:
    assert pasted_values(text)[0].unread == unread


ODD = "qgZ[]{}()<>=:.,;!@#$%^&*~/\\|'\"_?` +-0x7"
RUN = r"[\w?]+"


@some(500)
@given(st.data())
def test_one_odd_character_never_drops_a_number(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([form[1] for form in FORMS] + TWO_WORDS))
    at, odd = data.draw(st.integers(0, len(text))), data.draw(st.sampled_from(ODD))
    end = data.draw(st.sampled_from([at, min(at + 1, len(text))]))
    mutant = text[:at] + data.draw(st.sampled_from([odd, ""])) + text[end:]
    try:
        found = pasted_values(mutant)
    except SmemdescError as error:
        found, refused = (), error
    if not found:
        assert refused.given == mutant
        return
    if [(each.number, each.unknown) for each in found] == [(each.number, each.unknown) for each in pasted_values(text)]:
        return
    used = " ".join(f"{each.text} {each.unread} {each.register} {each.form}" for each in found).replace("'", "")
    new = set(re.findall(RUN, mutant.replace("'", ""))) - set(re.findall(RUN, text.replace("'", "")))
    digits = {run for run in new if sum(map(str.isdigit, run)) > 3}
    assert all(run in used or any(each.text in run for each in found) for run in digits)


TWO_WORDS = ["0x40004040:0x00010040", "40004040:00010040", "1073741888:33561733", "0x40004040:?", "-1:-1"]


@every_row(
    ("text", "caret"),
    [
        ("0x02030283:0x0102010q", "q"),
        ("0x40004040 :", " "),
        ("1 << 46 >>", "1 << 46"),
        ("0x40004040:", "0x40004040:"),
        ("0x40004040:xyz", "xyz"),
        ("0x40004040000[10040", "["),
        ("-461161558096366528=0", "="),
        ("x40004040:0x00010040", "x"),
        ("0x740004040:0x00010040", "0x740004040"),
        ("desc: 0x40004040:0x0001004q", "q"),
        ("desc: 0x4000 40400010040[0x1", "["),
        ("uint64_t d = 0x4000404000010040=0;", "="),
        ("idesc: 08200490", "0"),
        ("UMOV UR5, 0x4000q4040", "q"),
    ],
)
def test_after_a_typo_nothing_is_guessed(text: str, caret: str) -> None:
    with pytest.raises(SmemdescError) as caught:
        pasted_values(text)
    assert caught.value.given == text
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] == caret


@pytest.mark.parametrize("text", ['{"m": 128, "n": 64}', '"((128,128),1,1):((65536,1),0,0)"', "K = 96 in row 3"])
def test_small_numbers_of_something_else_are_no_value(text: str) -> None:
    with pytest.raises(SmemdescError):
        pasted_values(text)


@every_row("text", ["dec", "d", "a", "abc", "d:a", "0x40004040:abc", "fade"])
def test_a_word_of_letters_is_no_value(text: str) -> None:
    with pytest.raises(SmemdescError, match=r"not a value|missing"):
        pasted_values(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("UR4=0x10040 UR5=0x40004040", V),
        ("R9: 0x40004040, R8: 0x10040", V),
        ("d[0] = 65600; d[1] = 1073758272;", V),
        ("[0] = 65600, [1] = 1073758272", V),
    ],
)
def test_where_one_value_is_taken_neighbors_are_its_words(text: str, number: int) -> None:
    assert pasted_value(text).number == number


@every_row(
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
    literal = pasted_value(text)
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
    ("0x4000404«[»:0x00010040", "between the two words"),
    ("1073758272:«]»5600", "between the two words"),
    ("10737582«'»:65600", "between the two words"),
    ("1073758272:6560«[»", "turned away"),
    ("«}»0x4000404000010040", "turned away"),
    ("desc = 0;\ndesc |= «enc»(addr);\ndesc |= 1ull << 62;", "the value of enc is unknown"),
    ("«-»0x40004040", "a hexadecimal value has no sign"),
    ("«UR7»", "the name of a register"),
    ("«HGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;»", "not a value"),
    *((f"«{text}»", "an expression") for text in ("1 << 64", "1 << 63 << 63", "2 ** 999999 | 1")),
    ("«a» | b", "the value of a is unknown"),
    ("0x40 | «x»", "the value of x is unknown"),
    ("«f»(3) | 1", "the value of f is unknown"),
    ('«printf("%llx", desc)»', "an expression, not a value"),
    (f"«{'(' * 300}1|2»", "an expression"),
]


@every_row(("marked", "message"), WRONG)
def test_wrong(marked: str, message: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    with pytest.raises(SmemdescError) as caught:
        pasted_values(text)
    assert message in caught.value.message
    assert caught.value.given == text
    span = caught.value.span
    assert span is not None
    assert text[slice(*span)].strip("() ;") == marked[marked.index("«") + 1 : marked.index("»")].strip("() ;")


def test_one_value_is_not_chosen_from_several() -> None:
    with pytest.raises(SmemdescError, match="2 values, but one is expected; give one of them: 0x1, 0x2"):
        pasted_value("0x1 0x2")


@every_row(
    ("words", "is_one"),
    [
        ("UMOV UR7, 0x40000040", True),
        ("@UP0 UMOV UR7, 0x40000040", True),
        ("or.b64 %rd72, %rd70, 4611686293305294848", True),
        ("40 00 01 00 40 40 00 40", True),
        ("{0x00010040, 0x40004040}", True),
        ("[0x10040, 0x40004040]", True),
        ("lo = 65600, hi = 1073758272", True),
        ("lo 65600 hi 1073758272", True),
        ("{x = 65600, y = 1073758272}", True),
        ("UR4=0x10040 UR5=0x40004040", True),
        ("UR4 0x10040 65600", True),
        ("tensor([65600, 1073758272])", True),
        ("uint64_t d = 4611756662049538112;", True),
        ("0x40004040 : 0x10040", True),
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
        found = pasted_values(text)
    except SmemdescError as error:
        found = ()
        refused = error
    assert all(each.bit_length <= 64 for each in found)
    assert found or (refused.message and refused.given is not None)
