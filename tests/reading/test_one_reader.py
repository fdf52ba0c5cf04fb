"""The same text has the same values, as an argument, in a pipe and in a file, in ``decode`` and in ``scan``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run import smemdesc
from samples import some
from tables import every_row

from smemdesc import decode
from smemdesc.descriptors.batch import BatchLine, only_meant, read_batch
from smemdesc.descriptors.result import Result
from smemdesc.scanning import scan_text

from .test_naming import WRAPPED
from .test_pasted import FORMS

Said = list[tuple[int, str]]


def said(result: Result) -> tuple[int, str]:
    return result.value, result.verdict


def of_lines(text: str) -> Said:
    """What ``decode`` says of each value; the words of one that was joined are shown below it, and not judged."""
    items = only_meant(read_batch(BatchLine(line.strip()) for line in text.splitlines() if line.strip()))
    return [said(decode(item.literal)) for item in items if item.literal is not None and not item.is_word]


def of_file(text: str) -> Said:
    return [said(value.result) for value in scan_text(text).values]


LISTED = (
    "UMOV UR5, 0x60004040 ;",
    "UMOV UR4, 0x10040 ;\nUMOV UR5, 0x60004040 ;",
    "mov.b32 %r5, 1073758272;\nmov.b64 %rd1, {%r1, %r5};",
    "0x4000404000010000@smem+0x400",
    "desc = 0x4000404000010000@smem+0x400",
    "desc_a: 0x4000404000010000@smem:1024+0x70, desc_b: 0x4000404000010040",
    "desc_a 0x0000000000010040",
    "desc_a 0x4000_4040_0001_0040",
    "desc = 0b0100000000000000010000000100000000000000000000010000000001000000",
    "step,desc_a,desc_b\n0,0x6000404000010040,0x4000404000010440\n1,0x4000404000010040,0x4000404000010840",
    "| k | desc_a | addr |\n|---|---|---|\n| 0 | 0x6000404000010040 | 0x7f12 |",
    "0x7f0012340000 <smem>:\t0x4000404000010040\t0x6000404000010440",
    "[rank0] 0x7f0012340000:\t0x4000404000010040\t0x6000404000010440",
    "2026-01-01 12:00:00 I 00000000  40 00 01 00 40 40 00 40  40 04 01 00 40 40 00 60  |@...@@.@@...@@.`|",
    "00000000  40 00 01 00 40 40 00 40  40 04 01 00 40 40 00 60  |@...@@.@@...@@.`|",
    "$1 = {lo = 65600, hi = 1610629184}",
    "(cuda-gdb) p/x desc_a\nno symbol\n(cuda-gdb) p/x desc_b\n$1 = 0x6000404000010040",
    "$2 = {desc_ = 4611756662049538112, reg32_ = {65600, 1073758272}}",
    "0x6000404000010040",
    "hello\n0x6000404000010040",
    "1. 0x4000404000010040\n2. 0x6000404000010040",
    "[0] 0x4000404000010040\n[1] 0x6000404000010040",
    "array([4611756662049538112, 6917599671866359872], dtype=uint64)",
    "2026-01-01 12:00:05,123 INFO desc_a=0x6000404000010040 step 007",
    "mma(desc_a=0x4000404000010040, desc_b=0x6000404000010040, idesc=0x8200490)",
    "desc_a = 0x4000404000010040 | desc_b = 0x6000404000010440",
    "desc 60004040:00010040",
    "x = 4000404000010040",
    "print_descriptor(0x4000484000010041);\n0x4000484000010041",
    "wgmma_ss(0x4000484000010041, 0x4000404000030100);\n- 0x4000484000010041",
    "step 1: loss 0.25\nprint_descriptor(0x4100404000050040);",
    "desc_a: 0x4000404000010040 desc_b: 0x4000404000010042\nlet desc: u64 = 1u64 << 62 | 64 << 32;",
    "uint64_t desc_a = 0x4000404000010000ull | desc_encode(addr);\n- 0x5000604000010040",
    "- 0x5000604000010040\n#define DESC 0x5000604000010040ull",
    "uint64_t desc = 0x4000404000010000ull | 64;\npatch(&desc);",
    "descs: 0x4000404000010040, 0x6000404000010046, 0x6000404000010048",
    "desc_a[0..3] = 0x6000404000010040 0x4000404000010042 0x4000404000010044 0x6000404000010046",
    "desc_a,desc_b: 0x6000404000010440/0x4000404000010040",
    "A=0x6000404000010440/B=0x4000404000010040",
    "A: 0x4000404000010040, B: 0x6000404000010440",
    "descriptors:\n  a: 0x4000404000010040\n  b: 0x6000404000010440",
    "smem descriptors:\n- 0x4000404000010040\n- 0x6000404000010440",
    "EXPECT_EQ(desc_b, 0x6000404000010440ull);",
    "EXPECT_EQ(0x6000404000010440ull, desc_b);",
    "assert_eq!(desc_b, 0x6000404000010440);",
    '"k","desc_a","desc_b"\n"qk","0x4000404000010040","0x6000404000010440"',
    "desc hi=40004040 lo=00010040",
    "desc: lo=00010040 hi=60004040",
    "{lo = 00010040, hi = 40004040}",
    "d.x = 00010040, d.y = 40004040",
    "00000000  40 00 01 00 40 40 00 40  40 04 01 00 40 40 00 60  |@...@@.@@...@@.`|\n00000010",
    "0000000 4000404000010040 6000404000010440\n0000020",
    "0000000 00010040 40004040 00010440 60004040\n*\n0000040",
    "0000000 0040 0001 4040 4000 0440 0001 4040 6000\n0000010",
    " 0000 40000100 40400040 40040100 40400060  @...@@.@@...@@.`",
    "00000000: 4000 0100 4040 0060  @...@@.`\n00000008: 4004 0100 4040 0040  @...@@.@",
    "(gdb) p sizeof(desc)\n$4 = 16\n(gdb) p/x desc\n$5 = 0x6000404000010040",
    "descs: 4000404000010040, 6000404000010440",
    "descs: 0x4000404000010040 (A), 0x6000404000010046 (B)",
    '{"descriptors": {"a": "0x4000404000010040", "b": "0x6000404000010440"}}',
    "k;desc_a;desc_b\n0;0x4000404000010040;0x6000404000010440",
    "lo 00010040 hi 40004040",
    "step 1: loss 0.25\ndesc hi=60004040 lo=00010040\ndesc: {lo = 0x10040, hi = 0x60004040}",
    "0000000 4000404000010040\n0000010",
    "0000000        00010040        40004040        00010440        60004040\n0000020",
    "0000000 000100 000001 040100 040000\n0000010",
    "00000000: 4000 0100 4040 0040 4004 0100 4040 0040  @...@@.@@...@@.@\n"
    "00000010: 4008 0100 4040 0060                      @...@@.`",
    "\u2502 desc_b \u2502 0x6000404000010440 \u2502",
    "desc_b\uff1a0x6000404000010440",
    "\u300c0x4000404000010040\u300d",
)  # fmt: skip
NOT_LISTED = (
    "at 0x4000404000010040",
    "tma_desc = 0x4000404000010040",
    "uint64_t tma_desc = 0x4000404000010000ull | 64;",
    "desc addr: 0x4000404000010040",
    "x = 0x6000404000010040",
    "loss 0.5 grad 0x6000404000010040",
    "#define MASK 0x8000000000000000ull",
    "(cuda-gdb) p desc.bitfield.layout_type_\n$1 = 1073758272",
    "model 4000404\nsize 12345678",
    "(gdb) p sizeof(desc)\n$4 = 16",
    "(gdb) p desc == 0\n$3 = 0",
    "(cuda-gdb) p &desc\n$4 = (@shared unsigned long *) 0x400",
    "EXPECT_EQ(smem_size, 0x6000404000010440ull);",
    "descriptors:\nsize: 0x6000404000010440\nx: y\nb: 0x6000404000010440",
    "step,desc\n1,none\nhash 0x9e3779b97f4a7c15 0x6000404000010440",
    "0000000 12345678 87654321 00000001 00000002\n0000020",
)

EVALUATED = (
    ("uint64_t desc = (uint64_t)(-1000 / 16) & 0x3fff | 0x4000404000010000ull;", 0x4000404000013FC2),
    ("uint64_t desc = (uint64_t)(-1000 % 16) & 0x3fff | 0x4000404000010000ull;", 0x4000404000013FF8),
    ("uint64_t desc = 0x4000404000010000ull | (64 > 3);", 0x4000404000010001),
    ("uint64_t desc = 0x4000404000010000ull | 'A';", 0x4000404000010041),
    ("desc = 0x4000404000010000 | -(-1000 // 16)", 0x400040400001003F),
    ("desc = 0x4000404000010000 | (64 > 3)", 0x4000404000010001),
    ("let desc: u64 = 0x4000404000010000u64 | (300u32 as u8 as u64);", 0x400040400001002C),
    ("let desc: u64 = (!0u8 as u64) | 0x4000404000010000;", 0x40004040000100FF),
    ("let desc: u64 = (!(64 > 3) as u64) | 0x4000404000010000;", 0x4000404000010000),
    ("idesc = 1 << 4 | 1 << 7 | 1 << 10 | 256 // 8 << 17 | 128 // 16 << 24", 0x08400490),
    ("const DESC_HI: u64 = (1u64 << 46) | (2u64 << 61) | ((1024u64 >> 4) << 32);", 0x4000404000000000),
)  # fmt: skip
IN_PART = (
    "desc = 0x4000000000000000 | (3 > 2 > 1)",
    "uint64_t desc = 0x4000404000010000ull | (int)64.9;",
    "descs = [0x4000404000010000 | (a >> 4) for a in starts]",
    "print(hex(0x4000404000010000 | (0x400 >> 4) | a))",
)
"""Expressions of which a number is not the whole value."""


@every_row(("text", "value"), EVALUATED)
def test_an_expression_is_what_its_language_computes(text: str, value: int) -> None:
    assert [number for number, _ in of_lines(text)] == [number for number, _ in of_file(text + "\n")] == [value]


@every_row("text", IN_PART)
def test_a_number_beside_an_operator_is_not_the_whole(text: str) -> None:
    assert of_file(text + "\n") == of_lines(text) == []


@every_row("text", LISTED)
def test_a_value_is_one_in_each_way(text: str) -> None:
    assert of_file(text + "\n") == of_lines(text) != []


@pytest.mark.slow
@every_row("text", LISTED)
def test_a_long_log_has_the_values_of_a_short_one(text: str) -> None:
    around = "step 1: loss 0.25\n" * 300
    long = f"{around}{text}\n{around}"
    assert of_file(long) == of_lines(long)


@every_row("text", NOT_LISTED)
def test_what_is_no_value_is_none_in_each_way(text: str) -> None:
    assert of_file(text + "\n") == of_lines(text) == []


@pytest.mark.slow
@every_row("text", [text for _, text, _ in FORMS if not text.startswith("#define")])
def test_each_form_is_read_in_files_too(text: str) -> None:
    assert of_file(text + "\n") == of_lines(text)


ROUND = ("hello", "step 3: loss 0.25", "x = 1", "{}", "- {}", "x = {}", "2026-01-01 12:00:00,123 [rank 3] desc: {}")


@some(200)
@given(st.lists(st.sampled_from((*WRAPPED, *ROUND)), min_size=1, max_size=5), st.integers(0, 63), st.integers(0, 63))
def test_lines_of_any_kind(texts: list[str], first: int, second: int) -> None:
    number = 0x4000404000010040 ^ 1 << first ^ 1 << second
    text = "".join(f"{each if '{:' in each else each.replace('{}', '{:#018x}')}\n".format(number) for each in texts)
    assert of_file(text) == of_lines(text)


def values_of(out: str) -> list[tuple[str, list[str]]]:
    """The values in JSON of ``decode`` or of ``scan``, and the rules that found something in each."""
    objects = [json.loads(line) for line in out.splitlines()]
    found = [each.get("value") if isinstance(each.get("value"), dict) else each for each in objects]
    return [
        (each["value"], [finding["rule"] for finding in each["findings"] if finding["rule"] != "text-not-read"])
        for each in found
        if isinstance(each.get("value"), str)
    ]


STATEMENTS = (
    "#define ENC(x) (((x) & 0x3FFFF) >> 4)\nuint64_t desc = (uint64_t)ENC(0x400) | (1ull << 16) | (1ull << 62);",
    "desc = 0;\ndesc |= 2ull << 61;\ndesc ^= 1ull << 46;\ndesc += 64ull << 32;",
    "N = 256\nM = 128\nidesc = (1 << 4) | (1 << 7) | (1 << 10) | ((N // 8) << 17) | ((M // 16) << 24)",
    "SBO = 1024\ndesc = (1 << 46) | (2 << 61) | ((SBO // 16) << 32) | (1 << 16)",
    "let desc = MMASmemDescriptor.create[8 * 32, 16, TensorMapSwizzle.SWIZZLE_32B](a_smem.ptr)",
)


BAD = "desc_b = 0x6000404000010440"
CALL = (
    "Making TMA desc: global memory: 7168 4096, shared memory: 64 128, outer stride: 7168, swizzle: 128, elem size: 2"
)
CODE = "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT ;"


@pytest.mark.slow
@every_row(
    "text",
    (
        "desc a 0x6000404000010040\ndesc b 0x4000404000010440",
        *(LISTED[9], LISTED[12], *STATEMENTS),
        *(f"{BAD}\n{CALL}", f"{CALL}\n{BAD}", f"{BAD}\n{CODE}", f"{CODE}\n{BAD}"),
    ),
)
def test_commands(text: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(text + "\n")
    ways = [
        smemdesc("decode", "--json", text),
        smemdesc("decode", "--json", stdin=text + "\n"),
        smemdesc("scan", "--json", str(tmp_path / "log")),
        smemdesc("scan", "--json", "-", stdin=text + "\n"),
    ]
    first, *others = [values_of(ran.out) for ran in ways]
    assert first
    assert others == [first] * 3
