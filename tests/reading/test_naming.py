"""What a text calls a number, and that files and pipes agree on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run import refused, smemdesc
from samples import some
from tables import every_row

from smemdesc import decode
from smemdesc.descriptors.batch import BatchLine, read_batch
from smemdesc.descriptors.result import Result
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, OTHER, called
from smemdesc.reading.text import to_hex
from smemdesc.scanning import scan_text

CALLED = {
    DESCRIPTOR: (
        "desc a ", "GmmaDescriptor: ", "desc_a=", "desc: '", "unsigned long long b_desc = ", "a_desc.lo=", "desc[0] = ",
        "uint64_t descA = static_cast<uint64_t>(", "smem_desc(", 'std::cout << "desc=" << ', "descriptor for A: ",
        "{desc_ = ", "MMA descriptor is ", '"desc_b": "', "desc_.reg64_ = ",
    ),
    INSTRUCTION: ("idesc = ", "instr_desc: ", "InstrDescriptor ", "i_desc=", "idesc64 = uint64_t("),
    OTHER: (
        "desc.bitfield.layout_type_ = ", "constexpr uint32_t A_STRIDE_FIELD = ", "was triggered at PC ", "#0  ", "BRA ",
        "TMA Desc Addr:   ", "desc_addr = ", "file descriptor ",
        "desc_mask = ", "uint64_t desc_pitch = ", "stride_desc = ",
        "thread ", "lane = ", "TMA desc ", "file_desc = ", "desc_a_offset: ", "at ", "kernelParams size: ",
    ),
    "": ("UR6            ", "x = ", "foo(desc, ", "DESC_BASE = ", "desc = base + ", "return ",
        "thread 0: ", "[lane 3] ", "Warp #2 = "),
}  # fmt: skip


@every_row(("before", "meaning"), [(text, meaning) for meaning, texts in CALLED.items() for text in texts])
def test_what_a_number_is_called(before: str, meaning: str) -> None:
    assert called(before) == meaning


def test_the_address_of_a_row() -> None:
    assert [called("=> ", after) for after in (":\tUTMALDG.3D [UR8]", " <+16>:\tNOP", ":\t0x00010040")] == [
        OTHER, OTHER, "",
    ]  # fmt: skip


WRAPPED = (
    "desc a {:#018x}",
    "step 3: desc_b: 0x{:X}, loss 0.25",
    "constexpr unsigned long long b_desc = {:#018x}ull;",
    "  desc_.reg64_ = {:#x}",
    '{{"desc_a": "{:#018x}", "n": 4}}',
    "print_descriptor({:#018x});",
    "wgmma_ss({:#018x}, 0x4000404000030100);",
    "smem descriptors: {:#018x} 0x4000404000030100",
    "descs = [{:#018x}, 0x4000404000030100]",
    "[rank 0] tcgen05 desc[0]={:#018x} desc[1]=0x4000404000030100",
    "PC 0x7f5687bbb580 desc_a {:#018x}",
    "#define DESC {:#018x}ull",
)


def results_of_lines(text: str) -> list[tuple[int, str]]:
    items = read_batch(BatchLine(line) for line in text.splitlines())
    return [said(decode(item.literal)) for item in items if item.literal is not None]


def results_of_file(text: str) -> list[tuple[int, str]]:
    return [said(value.result) for value in scan_text(text).values if value.named]


def said(result: Result) -> tuple[int, str]:
    return result.value, result.verdict


@some(200)
@given(st.lists(st.sampled_from(WRAPPED), min_size=1, max_size=4), st.integers(0, 63), st.integers(0, 63))
def test_a_file_and_a_pipe_say_the_same(texts: list[str], first: int, second: int) -> None:
    number = 0x4000404000010040 ^ 1 << first ^ 1 << second
    text = "".join(f"{each.format(number)}\n" for each in texts)
    assert results_of_file(text) == results_of_lines(text) != []


@some(200)
@given(
    st.sampled_from(("desc_a {}", "step 3: desc_b: {}, loss 0.25", "uint64_t b_desc = {};", "smem_desc({});")),
    st.integers(0, 63),
    st.sets(st.integers(1, 15), min_size=1, max_size=9),
)
def test_digits_that_are_unknown_are_unknown_in_a_file_too(text: str, bit: int, unknown: set[int]) -> None:
    digits = f"{0x4000404000010040 ^ 1 << bit:016x}"
    value = "0x" + "".join("?" if at in unknown else digit for at, digit in enumerate(digits))
    [found] = scan_text(text.format(value) + "\n").values
    assert (found.result.candidates, found.result.verdict) == (decode(value).candidates, decode(value).verdict)


@every_row("text", ("desc = 0x40004040:?", "desc=4000404000??0040", "desc_hi = 0x400040?? desc_lo = 0x10040"))
def test_words_of_which_digits_are_unknown(text: str) -> None:
    assert results_of_file(text + "\n") == results_of_lines(text) != []


@every_row("text", ("desc = x == 0x40004?12:3;", "desc = 0x4000404000?0;", "x = y == 0x40004040?1:2;"))
def test_a_number_before_a_mark_of_which_the_digits_are_no_value_is_not_cut_off(text: str) -> None:
    assert [value.bits for value in scan_text(text).values if value.width == 64] == []


PRINTED = (
    "desc_a=4000404000010040",
    "desc_a: 4000404000010040 x",
    "desc hi 40004040 lo 10040",
    "desc_hi=40004040 desc_lo=00010040",
)


@every_row("text", PRINTED)
def test_digits_without_a_prefix_are_read_in_the_only_sound_base(text: str) -> None:
    assert results_of_file(text + "\n") == results_of_lines(text) == [(0x4000404000010040, "valid")]
    assert smemdesc("--field", "kind", text).out == "tcgen05\n"


@every_row("text", ("desc_a=6000404000010040", "desc_hi=60004040 desc_lo=10040"))
def test_digits_that_are_sound_in_neither_base_are_no_guess(text: str) -> None:
    for form in (["--short"], ["--json"], ["--field", "kind"]):
        refused("decode", *form, text, says=["has no prefix", "0x6000"])


WORDS = ("desc_hi=0x{:x} desc_lo=0x{:x}", "desc_hi: {:08x}, desc_lo: {:08x}", "desc.hi = {:#010x}; desc.lo = {:#010x};")


@every_row("text", WORDS)
def test_words_are_joined_in_a_file_as_in_a_pipe(text: str) -> None:
    for high in (0x40004040, 0x6000404F):
        line = text.format(high, 0x1004A)
        assert results_of_file(line + "\n") == results_of_lines(line)
        assert [value for value, _ in results_of_lines(line)] == [high << 32 | 0x1004A]


NO_VALUES = (
    "constexpr uint32_t A_LEADING_FIELD = 8;\nuint64_t d = make_desc(A, A_LEADING_FIELD * 16);",
    "(cuda-gdb) x/2i $pc\n=> 0x7f5687bbb7d0:\tUTMALDG.3D [UR8], [UR6], desc[UR14]\n0x7f5687bbb7f0:\tBRA 0x7f5687bbb6d",
    "The exception was triggered at PC 0x7f5687bbb580  void k()\n#0  0x00007f5687bbb7d0 in k () at k.cu:1",
    "desc_a=0x7ffe12345680\n$1 = (void *) 0x7ffe12345680",
    "TMA Desc Addr:   0x7ffe12345680\nworkspace size: 0x4000404000010040",
    "hello\nUR6            0x8b000000          2332033024\nUR8            0x8400              33792",
)


@every_row("text", NO_VALUES)
def test_what_a_text_calls_something_else_is_no_value(text: str) -> None:
    assert results_of_file(text) == []
    assert scan_text(text).values == ()
    items = list(read_batch(BatchLine(line) for line in text.splitlines()))
    assert [item.literal for item in items if item.literal is not None] == []


@every_row(
    ("text", "says"),
    [
        ("desc addr: 0x4000404000010040", ["calls 0x4000404000010040 something other", "give the number alone"]),
        ("$1 = (SmemDescriptor *) 0x7fffffffd8f0", ["in the range of a pointer", "x/gx 0x7fffffffd8f0"]),
    ],
)
def test_why_a_number_in_a_text_is_no_value(text: str, says: list[str]) -> None:
    refused("decode", text, says=says)


def test_what_a_thread_prints_is_its_own_value() -> None:
    text = "thread 0: 0x4000404000010040\nthread 1: 0x4000404000010440\n"
    assert [value.bits for value in scan_text(text).values] == [0x4000404000010040, 0x4000404000010440]
    assert [value for value, _ in results_of_lines(text)] == [0x4000404000010040, 0x4000404000010440]


@every_row(
    ("text", "values"),
    [
        ("uint64_t b_desc = (1ull << 62) | (64ull << 32) | (3ull << 46) | (1 << 16) | 64;", [0x4000C04000010040]),
        ("const uint64_t desc_a = (uint64_t)0x60004040 << 32 | 0x10040;", [0x6000404000010040]),
        ("uint32_t idesc = (1u << 4) | (1u << 7) | (1u << 10) | ((256u >> 3) << 17) | (8 << 24);", [0x08400490]),
        ("smem descriptors:\n0x6000404000010040\n0x4000404000010040", [0x6000404000010040, 0x4000404000010040]),
    ],
)
def test_expressions_and_lists(text: str, values: list[int]) -> None:
    assert results_of_file(text) == [
        said(decode(item.literal)) for item in read_batch(map(BatchLine, text.split("\n"))) if item.literal
    ]
    assert [value for value, _ in results_of_file(text)] == values


@every_row(
    ("text", "values"),
    [
        ("| k | desc_a | addr |\n|---|---|---|\n| 0 | 0x6000404000010040 | 0x7f12 |", [0x6000404000010040]),
        ("k,desc_a,idesc\n0,0x6000404000010040,0x08200491", [0x6000404000010040, 0x08200491]),
    ],
)
def test_a_column_of_a_table_is_called_what_its_head_says(text: str, values: list[int]) -> None:
    assert [value for value, _ in results_of_file(text)] == values


AGREED = {
    "thread 0: 0x4000404000010040\nthread 32: 0x4000404000010042\nthread 64: 0x6000404000010044\n": [
        "0x4000404000010040", "0x4000404000010042", "0x6000404000010044",
    ],
    "desc_a=4000404000010040 desc_b=4000404000018040\n": ["0x4000404000010040", "0x4000404000018040"],
    "desc_b=4000404000018040\ndesc_a=4000404000010040\ndesc_b=4000404000018040\n": [
        "0x4000404000010040", "0x4000404000018040",
    ],
    "#0  0x00007fffd9fa0470 in gemm<<<(1,1,1),(128,1,1)>>> (desc=0x4000004000010040, n=64) at k.cu:40\n": [
        "0x4000004000010040",
    ],
    "uint64_t desc_a = 0x40000040ULL;\n": ["0x0000000040000040"],
    "uint64_t desc_hi = 0x40004040;\n": ["0x40004040"],
    "uint32_t desc_hi = 0x40004040;\n": ["0x40004040"],
    "let desc: u64 = 0x40000040;\n": ["0x0000000040000040"],
    "idesc: 0xdeadbeef\n": ["0xdeadbeef"],
    "const uint64_t desc_mask = 0x3FFFull << 32;\n": [],
    "2026-11-28 12:00:01 [INFO] M=4096 stride=16384 time 0.00231\n": [],
}  # fmt: skip


@every_row(("text", "values"), AGREED.items())
@pytest.mark.parametrize("many", [False, True])
def test_files_and_pipes_list_the_same(text: str, values: list[str], many: bool) -> None:
    padding = "step 1 of a log\n" * (300 if many else 0)
    assert [to_hex(value.bits, value.known, value.width) for value in scan_text(padding + text).values] == values


@every_row(("text", "kind"), [("idesc: 0xdeadbeef\n", "idesc"), ("uint64_t desc_a = 0x40000040ULL;\n", "wgmma")])
def test_a_name_and_a_type_choose_the_reading(text: str, kind: str) -> None:
    assert {each.id.partition(":")[0] for each in scan_text(text).values[0].readings} == {kind}
    assert smemdesc("--field", "kind", stdin=text).out.startswith(kind)


def test_the_text_of_a_value_is_the_one_that_stands_there() -> None:
    assert [value.text for value in scan_text("desc hi 40004040 lo 10040\n").values] == ["40004040:10040"]


def test_a_line_of_a_log_is_no_number() -> None:
    ran = smemdesc(stdin="2026-11-28 12:00:01 [INFO] M=4096 stride=16384 time 0.00231\n")
    assert ran.err.startswith("error: line 1: not a value\n")
