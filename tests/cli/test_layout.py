"""``smemdesc layout operand|address|tile`` and ``encode --tile``: whole outputs, JSON, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldens import goldens
from run import refused, smemdesc

GOLDEN = Path(__file__).parent.parent / "golden_operand"
VALUE = "0x4000404000010040"
CASE = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]
RUNS = {
    "operand": ["layout", "operand", VALUE, "--dtype", "bf16", "--major", "K", "--shape", "16x16"],
    "operand-mn": ["layout", "operand", "0xc000402000100000", "--dtype", "bf16", "--major", "MN", "--shape", "32x16"],
    "operand-erratum": [
        "layout", "operand", "0xc000001000010000", "--dtype", "tf32", "--major", "K", "--shape", "16x16",
    ],
    "operand-list": ["layout", "operand", VALUE, "--dtype", "tf32", "--major", "K", "--shape", "8x8", "--list"],
    "operand-overlap": ["layout", "operand", "0x4000401000010040", *CASE],
    "operand-k-96": [
        "layout", "operand", "0x4010404004000006", "--kind", "tcgen05", "--dtype", "e2m1", "--mma-kind", "mxf4",
        "--major", "K", "--shape", "16x96", "--arch", "sm_103a",
    ],
    "operand-json": ["layout", "operand", VALUE, "--dtype", "bf16", "--major", "K", "--shape", "8x16", "--json"],
    "address": ["layout", "address", VALUE, *CASE, "--at", "17,9", "--byte", "0xc92", "--byte", "0"],
    "address-base-offset": ["layout", "address", "0x4006404000010040", *CASE, "--at", "17,9"],
    "address-json": ["layout", "address", VALUE, *CASE, "--at", "17,9", "--json"],
    "tile": ["layout", "tile", "128x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--start", "1KiB"],
    "tile-wgmma": [
        "layout", "tile", "128x64", "--kind", "wgmma", "--dtype", "bf16", "--major", "MN", "--swizzle", "64B",
        "--mma", "64x16", "--order", "k",
    ],
    "tile-k-96": [
        "layout", "tile", "128x768", "--dtype", "e2m1", "--mma-kind", "mxf4", "--major", "K", "--swizzle", "128B",
        "--mma", "128x96", "--arch", "sm_103a",
    ],
    "tile-sm-107": [
        "layout", "tile", "128x128", "--dtype", "e4m3", "--major", "K", "--swizzle", "64B", "--mma", "128x64",
        "--start", "300KiB", "--arch", "sm_107a",
    ],
    "tile-json": ["layout", "tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--json"],
}  # fmt: skip


test_golden, test_every_golden_file_is_used, test_a_terminal_is_never_overrun = goldens(
    GOLDEN, RUNS, narrow=("operand", "address", "tile", "operand-erratum")
)


def test_json_of_an_operand() -> None:
    data = json.loads(smemdesc("layout", "operand", VALUE, *CASE, "--json").out)
    assert len(data["addresses"]) == 64
    assert data["addresses"][1][:2] == [1024 + 128 + 16, 1024 + 128 + 18]
    assert data["overlaps"] == []


def test_json_of_packed_fp4_counts_half_bytes() -> None:
    case = ["--dtype", "e2m1", "--mma-kind", "mxf4", "--major", "K", "--shape", "8x64"]
    data = json.loads(smemdesc("layout", "operand", VALUE, *case, "--json").out)
    assert data["addresses"][0][:3] == [1024, 1024.5, 1025]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["operand", VALUE], ["dtype, major, shape", "--dtype bf16"]),
        (["operand", "0x40004040", *CASE], ["start_address", "HI:LO"]),
        (["operand", "0x08200490", *CASE], ["idesc:f16"]),
        (["operand", "0x0203028301020100", *CASE], ["not a shared-memory descriptor"]),
        (["operand", "UR4", *CASE], ["register"]),
        (["operand", "0x6000404000010040", *CASE], ["undefined"]),
        (["address", VALUE, *CASE], ["--at"]),
        (["address", VALUE, *CASE, "--at", "64,0"], ["outside", "0..63"]),
        (["address", VALUE, *CASE, "--at", "x"], ["MN,K"]),
        (["address", VALUE, *CASE, "--byte", "zz"], ["address"]),
        (["tile", "128x60", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"], ["multiple of 64"]),
        (["tile", "128", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"], ["MNxK"]),
        (["tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "256B"], ["128B_32B"]),
        (["tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--start", "8"], ["multiple of 16"]),
        (["tile", "64x64", "--dtype", "bf61", "--major", "K", "--swizzle", "128B"], ["bf16"]),
        (["operand", VALUE, *CASE, "--kind", "idesc"], ["--kind", "wgmma, tcgen05"]),
        (["address", VALUE, *CASE, "--at", "0,0", "--kind", "mask"], ["--kind", "wgmma, tcgen05"]),
        (["operand", VALUE, *CASE, "--mma-kind", "mxf4"], ["kind::mxf4 reads no bf16", "e2m1", "--mma-kind f16 does"]),
        (["address", VALUE, *CASE, "--at", "0,0", "--mma-kind", "i8"], ["kind::i8 reads no bf16"]),
        (
            ["tile", "64x64", "--dtype", "e4m3", "--mma-kind", "mxf4nvf4", "--major", "K", "--swizzle", "128B"],
            ["kind::mxf4nvf4 reads no e4m3", "--mma-kind f8f6f4 or mxf8f6f4"],
        ),
        (["atom", "--swizzle", "128B", "--major", "K", "--mma-kind", "mxf4"], ["reads no bf16", "e2m1 (--dtype)"]),
        (["canonical", "--dtype", "b1", "--mma-kind", "f16"], ["kind::f16 reads no b1", "no MMA kind reads b1"]),
        (["linear", "--swizzle", "128B", "--dtype", "tf32", "--mma-kind", "f16"], ["kind::f16 reads no tf32"]),
        (
            ["tile", "96x64", "--dtype", "e4m3", "--major", "MN", "--swizzle", "32B", "--mma", "24x32"],
            ["MN steps of 24 e4m3", "--mma", "multiple of 16"],
        ),
        (
            ["tile", "64x64", "--kind", "wgmma", "--dtype", "tf32", "--major", "MN", "--swizzle", "128B"],
            ["K-major only", "PTX ISA"],
        ),
    ],
)
def test_bad_use(arguments: list[str], words: list[str]) -> None:
    refused("layout", *arguments, says=words)


TILE = ["--tile", "128x64", "--mma", "64x16", "--dtype", "bf16", "--major", "K", "--swizzle", "128B", "--start", "1KiB"]


def test_encode_tile_gives_a_line_a_step() -> None:
    ran = smemdesc("encode", "wgmma", *TILE)
    assert ran.out.split() == [f"0x400000400001{low:04x}" for mn in (0x40, 0x240) for low in range(mn, mn + 8, 2)]
    assert ran.err.startswith("TMA fills the tile with a box of 64 K x 128 MN, CU_TENSOR_MAP_SWIZZLE_128B: 1 copy")


def test_encode_tile_json_names_the_step_and_goes_back() -> None:
    ran = smemdesc("encode", "tcgen05", *TILE, "--json")
    objects = [json.loads(line) for line in ran.out.splitlines()]
    assert [each["step"] for each in objects] == [{"mn": mn, "k": k} for mn in range(2) for k in range(4)]
    assert smemdesc("encode", "-", stdin=ran.out).out.split() == [each["value"] for each in objects]


def test_encode_tile_names_constants_by_step() -> None:
    ran = smemdesc("encode", "wgmma", *TILE, "--format", "cuda", "--name", "a")
    assert ran.out.splitlines()[5].startswith("constexpr uint64_t a_mn1_k1 = 0x4000004000010242ull; // wgmma: start 92")


MN_FP8 = ["--tile", "128x64", "--dtype", "e4m3", "--major", "MN", "--swizzle", "128B"]


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (["wgmma", *MN_FP8], "error wgmma-major"),
        (["wgmma", *TILE, "--cta-group", "2"], "error cta-group"),
        (["tcgen05", *TILE, "--mma", "64x8"], "error no-instruction"),
        (["tcgen05", "--tile", "512x64", *TILE[4:]], "error no-instruction"),
        (["tcgen05", "--tile", "64x1024", *TILE[6:], "--dtype", "b1"], "error tcgen05-type"),
        (["tcgen05", "--tile", "64x64", *MN_FP8[4:], "--dtype", "tf32"], "warning tf32-mn-major"),
    ],
)
def test_encode_tile_is_forced_where_there_is_a_value(arguments: list[str], rule: str) -> None:
    refused = smemdesc("encode", *arguments)
    assert (refused.status, refused.out) == (2, "")
    assert "--force encodes it all the same" in refused.err
    forced = smemdesc("encode", *arguments, "--force")
    assert forced.status == 0
    assert f"{rule}: " in forced.err
    assert all(line.startswith("0x") for line in forced.out.splitlines())
    assert forced.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tcgen05", *TILE[:6], "--major", "K", "--swizzle", "128B_32B"], "no K-major atom"),
        (["wgmma", *TILE[:6], "--major", "MN", "--swizzle", "128B_32B"], "wgmma has no swizzle"),
        (["wgmma", *TILE, "--tile", "128x60"], "multiple of 64"),
        (["tcgen05", *TILE, "--tile", "512x1024", "--mma", "512x16"], "262144"),
        (["tcgen05", "--tile", "96x128", *MN_FP8[2:-1], "32B", "--mma", "24x32"], "MN steps of 24"),
        (["tcgen05", "--tile", "64x192", "--mma", "64x24", *TILE[4:]], "K steps of 24 bf16 elements run past the end"),
    ],
)
def test_what_has_no_value_cannot_be_forced(arguments: list[str], words: str) -> None:
    assert "all the same" not in smemdesc("encode", *arguments).err
    ran = smemdesc("encode", *arguments, "--force")
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert "--force does not help here: there is no value" in ran.err


def test_encode_tile_refuses_what_the_tile_says_itself() -> None:
    ran = smemdesc("encode", "wgmma", *TILE, "--sbo", "1024")
    assert ran.status == 2
    assert "--sbo" in ran.err


def test_decode_names_the_tile_and_the_box() -> None:
    out = smemdesc("decode", VALUE, *CASE).out
    assert "fits a tile of 8x64 atoms, contiguous along MN" in out
    assert "CU_TENSOR_MAP_SWIZZLE_128B (3)" in out
    assert "a box of 64 elements of K" in out


def test_decode_finds_overlaps_and_the_end_of_shared_memory() -> None:
    assert "operand-overlap" in smemdesc("decode", "0x4000401000010040", *CASE).out
    assert "outside-shared-memory" in smemdesc("decode", "0x4000404000013fc0", *CASE).out


def test_values_from_standard_input() -> None:
    ran = smemdesc("layout", "operand", "-", *CASE, "--json", stdin=f"{VALUE}\n# comment\n{VALUE}\n")
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [VALUE, VALUE]


def test_json_of_a_byte_says_that_nothing_lies_there() -> None:
    ran = smemdesc("layout", "address", VALUE, *CASE, "--byte", "0", "--byte", "0xc92", "--json")
    first, second = (json.loads(line) for line in ran.out.splitlines())
    assert first == {"byte": 0, "elements": []}
    assert [(each["mn"], each["k"]) for each in second["elements"]] == [(17, 1)]
