"""Descriptors as people write them in C++, Rust, Python and Mojo: what is known, and what is said of the rest."""

from __future__ import annotations

import shutil

import pytest
from sources import constants, cpp, python
from tables import every_row

from smemdesc.engine.fields import ones
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import OF_LIBRARY
from smemdesc.scanning.results.selection import is_unversioned

HELPER = "__device__ uint64_t encode(uint64_t x) { return (x & 0x3FFFF) >> 4; }\n"
SW128 = "wgmma: start ?, LBO 16 B, SBO 1024 B, swizzle 128B"
PLAIN = "wgmma: start ?, LBO 0 B, SBO 1024 B, swizzle 128B"
SUM = "((addr & 0x3FFFF) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62)"
MADE = {
    "an expression with an address": (f"uint64_t desc = (uint64_t){SUM};", SW128),
    "a helper of the literature": ("uint64_t desc = 0x4000004000000000 | matrix_descriptor_encode(f(x));", PLAIN),
    "another name of it": ("auto desc_a = 0x4000004000000000ull | desc_encode(f(x));", PLAIN),
    "a helper of the text": (
        HELPER + "uint64_t desc = encode(p) | encode(16) << 16 | encode(1024) << 32 | 1ull << 62;",
        SW128,
    ),
    "a macro with arguments": (
        "#define ENCODE(x) (((x) & 0x3FFFF) >> 4)\n"
        "uint64_t desc = ENCODE(a) | ENCODE(16ull) << 16 | ENCODE(1024ull) << 32 | 1ull << 62;",
        SW128,
    ),
    "constants": (
        "constexpr uint64_t SBO = 1024;\n#define MODE 1ull\nconst int LBO = 16;\n"
        "uint64_t desc = (a & 0x3fff) | uint64_t(LBO >> 4) << 16 | (SBO >> 4) << 32 | MODE << 62;",
        SW128,
    ),
    "statements": (
        "uint64_t desc = 0;\ndesc |= (uint64_t)((smem & 0x3FFFF) >> 4);\ndesc |= UINT64_C(1) << 16;\n"
        "desc |= uint64_t{64} << 32;\ndesc |= static_cast<uint64_t>(1) << 62;",
        SW128,
    ),
    "behind any macro": (
        f"MY_FORCEINLINE uint64_t make_desc(uint32_t addr) {{\n  uint64_t d = {SUM};\n  return d;\n}}",
        SW128,
    ),
    "one of two ways": (
        f"uint64_t desc = {SUM};\nif (x) desc |= 2ull << 16;",
        "wgmma: start ?, LBO ?, SBO 1024 B, swizzle 128B",
    ),
    "fields": (
        "GmmaDescriptor desc;\ndesc.bitfield.start_address_ = p >> 4;\ndesc.bitfield.layout_type_ = 1;\n"
        "desc.bitfield.leading_byte_offset_ = 1;\ndesc.bitfield.stride_byte_offset_ = 64;\n"
        "desc.bitfield.base_offset_ = 0;",
        SW128,
    ),
    "fields of tcgen05": (
        "UMMA::SmemDescriptor desc;\ndesc.version_ = 1;\ndesc.lbo_mode_ = 0;\ndesc.base_offset_ = 0;\n"
        "desc.layout_type_ = uint8_t(UMMA::LayoutType::SWIZZLE_128B);\ndesc.stride_byte_offset_ = 1024 >> 4;\n",
        "tcgen05: start ?, LBO ?, SBO 1024 B, swizzle 128B",
    ),
    "Rust": (
        "let addr = f();\nconst SBO: u64 = 1024;\n"
        "let desc: u64 = (addr as u64 & 0x3FFFF) >> 4 | 1u64 << 16 | (SBO >> 4) << 32 | 1 << 62;",
        SW128,
    ),
    "Python": (
        "import x\nSBO = 8 * 128\n\ndef f(addr):\n    desc = ((addr & 0x3FFFF) >> 4) | (16 // 16) << 16\n"
        "    desc |= (SBO // 16) << 32\n    desc |= 2**62\n    return g(desc)\n",
        SW128,
    ),
    "Python with names of arguments": (
        "def encode(a, lbo, sbo=9, *, mode=1):\n    return (a & 0x3fff) | lbo << 16 | sbo << 32 | mode << 62\n"
        "desc = encode(lbo=1, a=p, sbo=64)\n",
        SW128,
    ),
    "Python with several names": (
        "import x\nmode, sbo = 1, 64\nlbo = int('0x1', 16)\ndesc = (a & 0x3fff) | lbo << 16 | sbo << 32 | mode << 62\n",
        SW128,
    ),
    "scoped enumerators": (
        "enum class Sw : uint8_t { NONE, B128 };\nenum { SBO = 64 };\n"
        "uint64_t desc = (a & 0x3fff) | 1ull << 16 | (uint64_t)SBO << 32 | static_cast<uint64_t>(Sw::B128) << 62;",
        SW128,
    ),
    "an unknown parameter": (
        "uint64_t f(uint16_t lbo) { uint64_t desc = (uint64_t)(lbo) << 16 | 64ull << 32 | 1ull << 62; return 0; }",
        "wgmma: start 0 B, LBO ?, SBO 1024 B, swizzle 128B",
    ),
    "TileLang": ("T.initialize_wgmma_descriptor(desc_a[0], T.address_of(a[0, 0]), 1, 1, 64)\n", SW128),
    "Mojo": (
        "from gpu import x\nfn k():\n    var d = MMASmemDescriptor.create[8 * 32, 16, SWIZZLE_32B](p)\n",
        "tcgen05: start ?, LBO 16 B, SBO 256 B, swizzle 32B",
    ),
}  # fmt: skip


CONSTANTS = {
    "an int that is shifted into its sign is extended": (
        "uint64_t desc = 64ull << 32 | 1 << 31 | 1ull << 62;",
        0xFFFFFFFF80000000,
    ),
    "a mask": ("uint64_t desc = (64ull << 32 | 1ull << 62 | 5) & ~0x3FFF;", 0x4000004000000000),
    "a mask of 32 bits": ("uint64_t desc = (64ull << 32 | 0x12345) & ~0xFFFFu;", 0x10000),
    "a macro": ("#define HI ((1 << 30) | 64)\nuint64_t desc = uint64_t(HI) << 32 | 1 << 16;", 0x4000004000010000),
    "no type": ("auto x = 5u;\ndesc = 1 << 62 | 64 << 32;", 0x4000004000000000),
    "octal": ("uint64_t desc = 0100ull << 32 | 1ull << 62 | 0200000;", 0x4000004000010000),
    "a sum without a shift": ("uint64_t desc = 0x4000004000000000ull + 0x10000;", 0x4000004000010000),
    "a call with the arguments of a template": (
        "template<int SW> uint64_t mk(int n) { return (uint64_t)(n >> 4) << 32 | 2ull << 61 | 1ull << 46 | 65536;\n}\n"
        "void f() { uint64_t desc = mk<128>(1024); }", 0x4000404000010000,
    ),
    "Rust knows the type": ("let desc: u64 = 1 << 62 | 64 << 32;", 0x4000004000000000),
    "Python has no int of 32 bits": ("import x\ndesc = 1 << 62 | 64 << 32", 0x4000004000000000),
}  # fmt: skip


@every_row("name", CONSTANTS)
def test_a_constant_has_the_types_of_its_language(name: str) -> None:
    text, number = CONSTANTS[name]
    assert [value.bits for value in scan_text(text + "\n").values] == [number]


UNDEFINED = ("uint64_t desc = 1 << 62 | 64ull << 32 | 1 << 16;", "auto desc = 64ull << 32; desc |= 1u << 62;")


@every_row("text", UNDEFINED)
def test_a_shift_that_is_undefined_is_said(text: str) -> None:
    part = scan_text(f"#include <x>\nvoid f() {{ {text} }}\n")
    assert not part.values
    ((line, message),) = part.failed
    assert line == 2
    assert "has 32 bits, so C++ does not define" in message


def listed(text: str) -> list[str]:
    return [f"{id}: {says}" for value in scan_text(text + "\n").values for id, says in value.readings]


@every_row("name", MADE)
def test_what_is_known_of_a_descriptor_is_listed(name: str) -> None:
    text, says = MADE[name]
    assert listed(text) == [says]


def test_an_instruction_descriptor_is_known_as_far_as_it_is() -> None:
    (value,) = scan_text(
        "uint32_t idesc = (1u << 4) | (1u << 7) | (1u << 10) | ((N >> 3) << 17) | (8u << 24);\n"
    ).values
    assert (value.known, value.bits) == (ones(17) | 8 << 24, 0x490 | 8 << 24)


CHANGED = {
    "its address is taken": f"void f() {{\nuint64_t desc = {SUM};\npatch(&desc);\n}}",
    "it is passed to what may change it": f"void f() {{\nuint64_t desc = {SUM};\npatch(desc);\n}}",
    "a reference to it": f"void f() {{\nuint64_t desc = {SUM};\nauto& r = desc;\nr = 5;\n}}",
    "a macro of two definitions": (
        f"#if X\n#define W 1\n#else\n#define W 2\n#endif\nvoid f() {{\nuint64_t desc = {SUM} * W;\n}}"
    ),
    "the whole is shifted by an argument": f"uint64_t desc = ({SUM}) << n;",
    "what it was before is unknown": "desc += 0x200;\ndesc &= 0x3fff;",
    "a name that only looks like it": f"uint64_t tma_desc = {SUM};",
}  # fmt: skip


@every_row("name", CHANGED)
def test_what_may_be_changed_is_not_claimed(name: str) -> None:
    assert listed(CHANGED[name]) == []


ASM = """__global__ void k(uint32_t addr, uint32_t tmem) {
  uint64_t desc_a = 0x4000404000010000ull | desc_encode(addr);
  uint64_t desc_b = desc_a;
  constexpr uint32_t idesc = (1u << 4) | (1u << 7) | (1u << 10) | (16u << 17) | (8u << 24);
  STATEMENT
  asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;"
    :: "r"(tmem), "l"(desc_a + 2), "l"(desc_b), "r"(idesc));
}
"""


def test_the_operands_of_inline_assembly_are_what_the_source_says() -> None:
    part = scan_text(ASM.replace("STATEMENT", ""))
    ((mma,),) = (function.mmas for function in part.functions)
    assert mma.a is not None
    assert mma.b is not None
    assert mma.idesc is not None
    assert (mma.b.bits, mma.b.known) == (0x4000404000010000, ones(64) & ~ones(14))
    assert (mma.idesc.bits, mma.idesc.known) == (0x08200490, ones(32))
    assert (mma.a.bits, mma.a.known) == (0x4000404000010000, ones(64) & ~ones(15))
    assert mma.a.start is not None
    assert mma.a.start.offset == 32
    assert [(origin.line, origin.text[:15]) for origin in mma.b.origins][:1] == [(3, "uint64_t desc_b")]
    assert not part.values  # they are judged with the instruction


@every_row("statement", ["touch(desc_b);", "for (;;) { desc_b += f(); }", "if (x) { desc_b = y; }", "patch(&desc_b);"])
def test_an_operand_that_may_be_changed_is_not_known(statement: str) -> None:
    ((mma,),) = (function.mmas for function in scan_text(ASM.replace("STATEMENT", statement)).functions)
    assert mma.b is not None
    assert mma.b.known == 0
    assert mma.idesc is not None
    assert mma.idesc.known == ones(32)


NAMED = """__global__ void k(uint32_t addr) {
  uint64_t desc_b = 0x4000404000010080ull;
  asm volatile("{ setp.ne.b32 p, %[on], 0;\\n tcgen05.mma.cta_group::1.kind::f16 [%[d]], %[a], %[b], %[i], p; }"
    : : [d] "r"(addr), [a] "l"(0x4000404000010040ull), [b] "l"(desc_b + 4), [i] "r"(0x8100490), [on] "r"(flags[2]));
}
"""


def test_operands_with_names_are_those_with_numbers() -> None:
    numbered = NAMED
    for number, name in enumerate(("d", "a", "b", "i", "on")):
        numbered = numbered.replace(f"%[{name}]", f"%{number}").replace(f'[{name}] "', '"')
    ((mma,),) = (function.mmas for function in scan_text(NAMED).functions)
    ((other,),) = (function.mmas for function in scan_text(numbered).functions)
    assert mma == other
    assert mma.b is not None
    assert (mma.b.bits, mma.b.known) == (0x4000404000010084, ones(64))


def test_source_without_the_version_is_not_excused_as_compiled_code_is() -> None:
    text = ASM.replace("STATEMENT", "").replace("0x40004040", "0x40000040")
    (compiled,) = scan_text(text).functions
    assert not is_unversioned(compiled)
    assert is_unversioned(compiled._replace(is_source=False))


@every_row("text", ["tl::wgmma_ss<1, 2>(a, b);", "T.ptx_wgmma_ss(a, b)", "SM90_64x8x16_F16F16F16_SS::fma(a, b);"])
def test_an_mma_of_a_library_is_seen(text: str) -> None:
    part = scan_text(f"#include <x>\nvoid f() {{ {text} }}\n" if ";" in text else f"import x\n{text}\n")
    assert [(unread.line, unread.reason) for unread in part.unread] == [(2, OF_LIBRARY)]
    assert not part.failed


def test_a_descriptor_that_nothing_gives_is_said() -> None:
    part = scan_text("#include <x>\nuint64_t desc_a = make_umma_desc(a, LBO * 16);\nuint64_t desc_b = desc_a;\n")
    assert part.unevaluated == (2,)
    assert not part.values


SILENT = (
    "#include <x>\nSmemDescriptor desc;\ndesc.version_ = 1;\ndesc.lbo_mode_ = 0;\n"
    "desc.layout_type_ = uint8_t(LAYOUT);\n",
    "#include <x>\nclass A { uint64_t desc_; int size = 0x40004000; };\n",
    "#include <x>\nauto desc = layout(a) | flags << 4;\n",
)


@every_row("text", SILENT)
def test_a_source_of_which_nothing_is_known_is_silent(text: str) -> None:
    assert listed(text) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_what_is_claimed_of_sources_is_what_they_compute() -> None:
    wrong, tally = cpp.compare(cpp.sources(3, 40))
    assert not wrong
    assert tally.sources > 30
    assert 4 * tally.known > tally.bits


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_constant_expression_is_what_the_compiler_makes_of_it() -> None:
    wrong, tally = constants.compare(150, 5)
    assert not wrong
    assert 2 * tally.known > tally.bits


@pytest.mark.corpus
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_what_is_claimed_of_many_sources_is_what_they_compute() -> None:
    assert cpp.main(4000, 9) == 0


@pytest.mark.slow
def test_what_is_claimed_of_python_is_what_it_computes() -> None:
    wrong, tally = python.compare(range(300))
    assert not wrong
    assert 4 * tally.known > tally.bits
