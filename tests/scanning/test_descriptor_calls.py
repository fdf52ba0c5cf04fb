"""Functions and calls in C++ that make descriptors: every bit that is claimed has that value for all arguments."""

from __future__ import annotations

import random

import pytest
from tables import every_row

from smemdesc.reading.source_values import read_source
from smemdesc.scanning import scan_text

ENCODE = "__device__ static inline uint64_t encode(uint64_t x) { return (x & 0x3FFFF) >> 0x4; }\n"
MACRO = "#define encode(x) (((x) & 0x3FFFF) >> 0x4)\n"
BODY = """__device__ uint64_t make_smem_desc(const bf16* p) {{
  uint32_t addr = static_cast<uint32_t>(__cvta_generic_to_shared(p));
  uint64_t desc = 0x0000000000000000;
  desc |= encode(addr);  // start
  desc |= encode((uint64_t)16) << 16;
  desc |= encode({}) << 32; /* SBO */
  desc |= 1llu << 62;
  return desc;
}}
"""


def listed(text: str) -> list[tuple[str, list[str]]]:
    return [(value.text, [f"{id}: {says}" for id, says in value.readings]) for value in scan_text(text).values]


@every_row("encode", [ENCODE, MACRO])
@every_row("stride", ["(uint64_t)1024", "uint64_t(1024)", "1024ull", "static_cast<uint64_t>(1024)", "8 * 128ul"])
def test_a_function_of_the_text_is_evaluated(encode: str, stride: str) -> None:
    assert listed(encode + BODY.format(stride)) == [
        ("make_smem_desc()", ["wgmma: start ?, LBO 16 B, SBO 1024 B, swizzle 128B"])
    ]


PARTS = {
    ENCODE + BODY.format("(uint64_t)n"): "start ?, LBO 16 B, SBO ?, swizzle 128B",
    ENCODE + BODY.format("(uint64_t)1024").replace("<< 62;", "<< 62; if (x) desc ^= 1ull << 32;"): (
        "start ?, LBO 16 B, SBO ?, swizzle 128B"
    ),
    ENCODE + BODY.format("(uint64_t)1024").replace("1llu <<", "(y ? 1llu : 2llu) <<"): (
        "start ?, LBO 16 B, SBO 1024 B, swizzle ?"
    ),
}
PARTS["uint64_t make_desc(uint32_t x) { return (1 << 31) | (64 << 30) | (1ull << 62); }\n#include <x>\n"] = (
    "start 0 B, LBO 0 B, reserved_30 0b10, SBO 262128 B, version 0b111, base_offset 7, lbo_mode absolute,"
    " fixed_53 0b11111111, swizzle code 7"
)
PARTS["tl::initialize_wgmma_descriptor<kLayout, 1, 64>(desc, ptr);\n"] = "start ?, LBO 16 B, SBO 1024 B, swizzle ?"
PARTS["tl::initialize_tcgen05_descriptor(desc, ptr, lbo, 64, 0, false, 2);\n"] = (
    "start ?, LBO ?, SBO 1024 B, swizzle 128B"
)


@every_row("text", PARTS)
def test_what_is_unknown_leaves_the_rest(text: str) -> None:
    assert [says.partition(": ")[2] for _, readings in listed(text) for says in readings][:1] == [PARTS[text]]


CALLS = {
    "tl::initialize_wgmma_descriptor<1, 1, 64>(desc, (&(((half_t*)buf)[f(1, 2)])));": (
        "tl::initialize_wgmma_descriptor<1, 1, 64>",
        ["wgmma: start ?, LBO 16 B, SBO 1024 B, swizzle 128B"],
    ),
    "tl::initialize_tcgen05_descriptor(d, (&(((half_t*)buf)[f(1, 2)])), 1, 64, 0, false, 2);": (
        "tl::initialize_tcgen05_descriptor(d, (&(((half_t*)buf)[f(1, 2)])), 1, 64, 0, false, 2)",
        ["tcgen05: start ?, LBO 16 B, SBO 1024 B, swizzle 128B"],
    ),
}


@pytest.mark.parametrize("text", CALLS)
def test_a_call_of_a_library_is_read(text: str) -> None:
    assert listed(f"#include <tl_templates/cuda/gemm.h>\n{text}\n") == [CALLS[text]]


SILENT = (
    BODY.format("(uint64_t)1024"),  # without encode
    ENCODE + BODY.format("(uint64_t)1024").replace("return desc", "patch(&desc); return desc"),
    ENCODE + ENCODE.replace("4; }", "5; }") + BODY.format("(uint64_t)1024"),
    "#include <x>\nuint64_t d = make_smem_desc(ptr, 1, 0, 1024);\n",
    "#include <x>\nmy::initialize_wgmma_descriptor<1, 1, 64>(desc, ptr);\n",
    "uint64_t make_desc(uint32_t x) { return ~0x3fff & x; }\n#include <x>\n",
)


@every_row("text", SILENT)
def test_what_is_not_certain_is_not_read(text: str) -> None:
    assert listed(text) == []


def expression(chance: random.Random, depth: int) -> tuple[str, str]:
    """Return an expression of C++ in 64 bits, and the same in Python."""
    if not depth or chance.random() < 0.2:
        if chance.random() < 0.5:
            return "x", "x"
        number = chance.choice((0, 1, 16, 64, 0x3FFFF, 1024, 1 << 46, chance.getrandbits(64)))
        return f"{number:#x}ull", str(number)
    sign = chance.choice(("|", "&", "^", "+", "*", "<<", ">>", "/"))
    left, right = expression(chance, depth - 1), expression(chance, depth - 1)
    if sign in ("<<", ">>", "/"):
        count = str(chance.randrange(1, 64))
        python = "//" if sign == "/" else sign
        return f"({left[0]} {sign} {count})", f"(({left[1]}) {python} {count} & M)"
    return f"({left[0]} {sign} {right[0]})", f"(({left[1]}) {sign} ({right[1]}) & M)"


@pytest.mark.slow
def test_no_claim_is_wrong_for_any_argument() -> None:
    chance = random.Random(3)
    claimed = 0
    for _ in range(400):
        cpp, python = expression(chance, 4)
        text = f"uint64_t make_desc(uint64_t x) {{ uint64_t d = {cpp}; d |= 1ull << 62; return d; }}"
        for made in read_source(text).values:
            claimed += made.known.bit_count()
            for _ in range(20):
                x = chance.getrandbits(chance.choice((8, 32, 64)))
                value = eval(python, {"x": x, "M": 2**64 - 1}) & 2**64 - 1 | 1 << 62
                assert (value ^ made.bits) & made.known == 0, (cpp, x)
    assert claimed > 5000
