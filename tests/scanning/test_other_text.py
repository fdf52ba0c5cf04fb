"""Numbers in other text: which are taken for descriptors, and as what."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from samples import long_run
from tables import every_row

from smemdesc import encode
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import text, workers
from smemdesc.scanning.inputs.binaries.members import Ask
from smemdesc.scanning.inputs.literals import literal_values
from smemdesc.scanning.languages.units import Named, older

FOUND = {
    "GmmaDescriptor: 0x4000004000010040": ("0x4000004000010040", "wgmma"),
    "or.b64 %rd72, %rd70, -9223371899399045120;": ("-9223371899399045120", "wgmma"),
    "or.b64 %rd20, %rd30, 4611686293305294848;": ("4611686293305294848", "wgmma"),
    "uint64_t v = 0x4000'4040'0001'0040ULL;": ("0x4000'4040'0001'0040ULL", "tcgen05"),
    "x = 4000404000010040": ("4000404000010040", "tcgen05"),
    "desc = (1ull << 46) | (2ull << 61);": ("(1ull << 46) | (2ull << 61)", "tcgen05"),
    "desc = (1ull << 46) | // v\n    (64ull << 32);\nsmem_desc = (1ull << 46) | (64ull << 32) |\n (2ull << 61);": (
        "(1ull << 46) | (64ull << 32) | (2ull << 61)",
        "tcgen05",
    ),
    "np.uint64(0x4000404000010040)": ("0x4000404000010040", "tcgen05"),
    "std::cout << 0x4000404000010040 << std::endl;": ("0x4000404000010040", "tcgen05"),
    "desc: '0x4000404000010040'": ("0x4000404000010040", "tcgen05"),
    "return (64ull << 32) | (1ull << 46) | (2ull << 61);": ("(64ull << 32) | (1ull << 46) | (2ull << 61)", "tcgen05"),
    "idesc64 = uint64_t(0x08200490) << 32;": ("uint64_t(0x08200490) << 32", "idesc:f16"),
    "idesc = 0x8200490; // kind::f16": ("0x8200490", "idesc:f16"),
    "instr_desc: 136314896 kind::f16": ("136314896", "idesc:f16"),
    "$1 = {desc_ = 4611686293305294848, reg32_ = {65536, 1}}": ("4611686293305294848", "wgmma"),
    "mov.b32 dhi, 0x40004040; mov.b64 desc, {dlo, dhi};": ("0x40004040", "tcgen05:high_word"),
    "UMMA dhi 0x40004040": ("0x40004040", "tcgen05:high_word"),
    "SmemDescriptor 40004040:00010040": ("40004040:00010040", "tcgen05"),
    "desc_a=0x4000004000010040.": ("0x4000004000010040", "wgmma"),
    "smem_desc(0x0000008000400000)": ("0x0000008000400000", "wgmma"),
    "or.b64 %rd5, %rd4, 0xC000000800080000;": ("0xC000000800080000", "wgmma"),
    "or.b64 %rd5, %rd4, 0x0000400800100000;": ("0x0000400800100000", "tcgen05"),
    "or.b64 %rd5, %rd4, 0x0000000800100000;": ("0x0000000800100000", "wgmma"),
    "%5 = or disjoint i64 %4, -4611685984067124224": ("-4611685984067124224", "wgmma"),
    "x = 0xC000000800080000": ("0xC000000800080000", "wgmma"),
    "k_mask = 0x0003028000000000;": ("0x0003028000000000", "mask"),
    "zero_column_mask_desc = 0x0003028000000000": ("0x0003028000000000", "mask"),
}


@every_row("text", FOUND)
def test_a_descriptor_is_found(text: str) -> None:
    found = [(each.text, each.readings[0].id) for each in literal_values(text.encode(), 1)]
    assert found == [FOUND[text]]


PARTS = (
    "desc |= matrix_descriptor_encode((uint64_t)1024) << 32;",
    "desc |= matrix_descriptor_encode(1024) << 32 | (1ull << 62);",
    "desc |= 1llu << 62; desc |= (64ull << 32) | (1ull << 62);",
    "smem_desc = base + (64ull << 32) + (1ull << 62);",
    "smem_desc = (64ull << 32) | (1ull << 62) | lo;",
    "smem_desc = lo | (64ull << 32) | (1ull << 62);",
    "smem_desc = (64ull << 32) | // rows\n (1ull << 62) | lo;",
    "smem_desc = (64ull << 32) | (1ull << 62) /* rows */ | lo;",
    "smem_desc = ((64ull << 32) | (1ull << 62)) & mask;",
    "auto smem_desc = make(0, (1ull << 46) | (64ull << 32) | (2ull << 61));",
    "smem_desc = make_desc<1, 64>(0x40004040, 64);",
    "idesc = make_idesc(0x08200490); // kind::f16",
    "desc = x & 0x4000404000010040; desc = 0x4000404000010040 & x; desc = ~0x4000404000010040;",
    "desc = 0x4000404000010040 >> 4;",
    "tcgen05 desc hi = lookup(table, 1073758272);",
    "smem_desc[1 << 30 | 64] = foo (64ull << 32 | 1ull << 62);",
)


@every_row("text", PARTS)
def test_a_part_of_a_value_is_none(text: str) -> None:
    assert literal_values(text.encode(), 1) == []


NOTHING = (
    "1697654321 20231018 12345678 123456789012",
    "12345678.5 0.4000004000010040 1e4000004000010040 v4000004000010040",
    "address 0x00007f0012340000, 0x7fff12345678, 0xffffffff81000000, 0x0000555555554000",
    "MSR 0xc0000080 0x40000080 0x40000000 0xc0000100",
    "x = 1 << 30 | 1 << 5; y = (1ull << 62); z = 1ull << 63;",
    "std::cout << 16 << x << 32 << std::endl;",
    "commit 4f3c2b1a09e8d7c6b5a4f3c2b1a09e8d7c6b5a4f",
    "uuid 40004040-0001-0040-8000-400040400001",
    "file descriptor 12345678, description 0x1234567, ordered descending 16777216",
    "#define MASK 0x8000000000000000ull",
    "#define ALL 0xffffffffffffffff",
    "lane_mask = 0x000000ffffffffff; mask2 = 0x00000000ffff0000; k_mask = 0x000000f000000003;",
    "or.b64 %rd1, %rd2, 4294967295; or.b64 %rd1, %rd2, 0x4000000000000000; or.b64 %rd1, %rd2, 0x0000000100000000;",
    "double 0x4008000000000000 0x3ff0000000000000 0xC000000000000000 0x4059000000000000",
    "crc 0x80000000 0xdeadbeef 0x3f800000 0x40490fdb",
    "model name : Intel(R) Xeon(R) CPU @ 2.40GHz; cache size : 32768 KB; bogomips : 4800.00",
    "00000040: 4000 4040 0001 0040 0000 0000 0000 0000",
    "2023-10-18T12:00:00.123456789Z pid=40000040 size=1073741824",
)


@every_row("text", NOTHING)
def test_ordinary_text_has_none(text: str) -> None:
    assert literal_values(text.encode(), 1) == []


@every_row(
    ("text", "ids"),
    [
        ("// sm_107a\ndesc 0x4020404000010040 idesc 0x28200010", ["tcgen05@sm_107", "idesc:f8f6f4@sm_107"]),
        ("nvcc -arch=compute_107f\nuint64_t v = 0x4020404000010040ULL;", ["tcgen05@sm_107"]),
        ("smem_desc = 0x40204040; .target sm_107a", ["tcgen05:high_word@sm_107"]),
        ("// sm_107a\ndesc 0x4000404000010040", ["tcgen05"]),
        ("// sm_107a, then sm_100a\nUMMA 0x4020404000010040", []),
        ("UMMA 0x4020404000010040", []),
    ],
)
def test_the_tables_are_those_of_the_architecture_that_was_named_last(text: str, ids: list[str]) -> None:
    assert [each.readings[0].id for each in literal_values(text.encode(), 1)] == ids


def test_a_place_is_a_line_and_a_column() -> None:
    found = literal_values(b"one\r\n  two\r\n\tdesc: 0x4000004000010040\r\n", 10)
    assert [(each.line, each.column) for each in found] == [(12, 8)]


@pytest.mark.parametrize("count", [5_000, long_run(20_000)])
def test_random_numbers_pass_rarely(count: int) -> None:
    chance = random.Random(2)
    text = "\n".join(
        f"addr 0x{chance.randrange(2**47):016x} id {chance.getrandbits(64):016x} u {chance.getrandbits(64)} "
        f"w 0x{chance.getrandbits(32):08x} hash {chance.getrandbits(160):040x} n {chance.randrange(2**31)}"
        for _ in range(count)
    )
    assert len(literal_values(text.encode(), 1)) <= 1


@pytest.mark.slow
def test_what_is_found_in_junk_stands_there() -> None:
    chance = random.Random(4)
    text = "\n".join(FOUND).encode()
    found = 0
    for _ in range(300):
        junk = bytearray(text)
        for _ in range(60):
            junk[chance.randrange(len(junk))] = chance.randrange(256)
        lines = junk[: chance.randrange(len(junk))].split(b"\n")
        for each in literal_values(b"\n".join(lines), 1):
            there = b"".join(b"\n".join(lines[each.line - 1 :])[each.column - 1 :].split())
            assert there.startswith(b"".join(each.text.encode().split()))
            found += 1
    assert found > 300


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        ("uint64_t zero_column_mask = {};", True),
        ("mask_desc: {}", True),
        ("x = {}; // zero-column mask descriptor", True),
        ("x = {}; // the mask", False),
    ],
)
def test_a_mask_is_found_where_the_text_speaks_of_one(text: str, is_listed: bool) -> None:
    value = encode("mask", skip_span=3, use_span=4, non_zero_mask=True)
    found = literal_values(text.format(f"0x{value:016x}").encode(), 1)
    assert [each.readings[0].id for each in found] == ["mask"] * is_listed


def test_a_dump_without_tensor_core_instructions_shows_its_values() -> None:
    line = "mov.b64 %rd5, 0x4000404000010040;"
    part = scan_text(f".visible .entry k()\n{{\n{line}\nret;\n}}\n")
    assert [(each.line, each.readings[0].id) for each in part.values] == [(3, "tcgen05")]
    assert part.seen == 1


def test_instructions_without_descriptors_are_counted() -> None:
    text = (
        "HMMA.16816.F32 R4, R8, R12, R4 ;\nIMMA.16832.S8.S8 R4, R8, R12, R4 ;\nHGMMA.64x8x16.F32 R24, gdesc[UR4] ;\n"
        "UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8], tmem[UR10], idesc[UR11], UP0 ;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0}, {%r1}, {%f0};\n"
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0};\n"
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0}\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0}"
    )
    assert older(text.encode()) == {"HMMA": 1, "IMMA": 1, "mma.sync": 2, "wmma.mma.sync": 1}


TEXT = b"for sm_90a; xsm_107a; compute_107f and then SM107a, sm_107a; sm_100a, at last sm_107a"
VALUE = "UMMA = 0x4000404000014000\n"
"""Only sm_107 has so large a start address."""


def test_lines_say_what_the_whole_says() -> None:
    whole, cut = Named(), Named()
    whole.read(TEXT)
    for line in re.finditer(rb"[^;]*;?", TEXT):
        cut.read(line[0], line.start())
    found = [whole.near(at) for at in range(len(TEXT))]
    assert found == [cut.near(at) for at in range(len(TEXT))]
    assert [each for place, each in enumerate(found) if not place or each != found[place - 1]] == [
        None, "sm_107f", "sm_107a", None, "sm_107a",
    ]  # fmt: skip


def readings(path: Path, arch: str | None = None) -> list[str]:
    found = workers.scan_files([str(path)], Ask(jobs=1, arch=arch))
    return [value.readings[0].id for part in found for value in part.part.values]


@pytest.mark.slow
def test_a_value_far_from_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_text("for sm_107a\n" + "nothing\n" * 2000 + VALUE)
    monkeypatch.setattr(text, "PIECE_BYTES", 1000)
    assert readings(path) == ["tcgen05@sm_107"]


@pytest.mark.parametrize(
    ("text", "arch", "found"),
    [
        (VALUE, None, []),
        (VALUE, "sm_107a", ["tcgen05@sm_107"]),
        (VALUE, "sm_100a", []),
        ("for sm_90a\n" + VALUE, "sm_107a", []),  # --arch is for text that says none
    ],
)
def test_text_that_names_no_architecture(text: str, arch: str | None, found: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    assert readings(path, arch) == found
