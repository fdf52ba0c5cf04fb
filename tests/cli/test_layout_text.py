"""Layouts as text: ``encode --layout``, ``layout explain``, and the commands that print a layout for others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goldens import goldens
from run import refused, smemdesc

GOLDEN = Path(__file__).parent.parent / "golden_layout_text"
TENSOR = "Sw<3,4,3>_smem_ptr[16b](0x400) o (_64,_16):(_64,_1)"
TILE = "S<3,4,3> o 0 o ((128,16),1,4,3):((64,1),0,16,8192)"
PADDED = "(64,16):(72,1)"
NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>"
BOX = "box=64x128,swizzle=128B,dtype=bf16,interleave=none"
RUNS = {
    "tensor": ["layout", "explain", TENSOR],
    "partitioned": ["layout", "explain", TILE, "--dtype", "bf16"],
    "padded": ["layout", "explain", PADDED, "--dtype", "bf16"],
    "two-modes": ["layout", "explain", "(_64,_16):(_1,_64)", "--dtype", "bf16"],
    "size": ["layout", "explain", "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_64):(_64,_1)", "--kind", "wgmma"],
    "triton": ["layout", "explain", NVMMA, "--shape", "128x64", "--mma", "128x16", "--dtype", "bf16", "--major", "MN"],
    "triton-either": ["layout", "explain", NVMMA, "--shape", "128x64", "--dtype", "bf16"],
    "tma": ["layout", "explain", "--tma", BOX, "--major", "K", "--mma", "128x16", "--start", "1KiB"],
    "json": ["layout", "explain", PADDED, "--dtype", "bf16", "--json"],
    "json-found": ["layout", "explain", TILE, "--dtype", "bf16", "--json"],
    "modes": ["layout", "atom"],
    "modes-json": ["layout", "atom", "--dtype", "tf32", "--json"],
    "linear": ["layout", "linear", NVMMA, "--shape", "128x64"],
    "linear-points": ["layout", "linear", NVMMA, "--shape", "128x64", "--at", "3,9", "--offset", "587"],
    "linear-json": ["layout", "linear", NVMMA, "--shape", "64x64", "--json"],
    "mask-shift": ["mask", "--zero", "0-2,7-9,14-15", "--m", "128", "--n", "16", "--shift", "2"],
    "decode-tile": ["decode", "0x4000404004000000", "--tile", "128x64", "--dtype", "f16", "--major", "MN"],
}


test_golden, test_every_golden_file_is_used, test_a_terminal_is_never_overrun = goldens(
    GOLDEN, RUNS, narrow=("tensor", "padded", "two-modes", "linear")
)


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        (["tcgen05", "--layout", TENSOR], ["0x4000404000010040"]),
        (["wgmma", "--layout", TENSOR, "--dtype", "bf16", "--major", "K", "--start", "0x800"], ["0x4000004000010080"]),
        (
            ["tcgen05", "--layout", TILE, "--dtype", "bf16", "--stage", "2"],
            [f"0x400040400001{0x800 + step * 2:04x}" for step in range(4)],
        ),
        (["tcgen05", "--layout", TILE, "--dtype", "bf16", "--at", "64,32", "--mma", "64x16"], ["0x4000404000010204"]),
        (["tcgen05", "--tma", BOX, "--major", "K", "--mma", "128x32"], ["0x4000404000010000", "0x4000404000010004"]),
        (["tcgen05", "--layout", BOX, "--major", "K"], ["0x4000404000010000"]),
        (["tcgen05", "--layout", NVMMA, "--shape", "128x64"], ["0x4000404002000000"]),
        (
            ["tcgen05", "--layout", "(_64,_2):(_8,_1)", "--units", "16B", "--dtype", "bf16", "--major", "K"],
            ["0x4000404000010000"],
        ),
        (["wgmma", "--layout", "(_64,_16):(_1,_64)", "--dtype", "bf16", "--swizzle", "128B"], ["0x4000004000400000"]),
    ],
)
def test_a_layout_in_a_descriptor_out(arguments: list[str], values: list[str]) -> None:
    ran = smemdesc("encode", *arguments)
    assert (ran.out.split(), ran.status) == (values, 0)


def test_steps_are_numbered_as_those_of_a_tile() -> None:
    ran = smemdesc("encode", "tcgen05", "--layout", TILE, "--dtype", "bf16", "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["step"] for row in rows] == [{"mn": 0, "k": k} for k in range(4)]
    assert "stage 0 of 3" in ran.err
    tile = ["--tile", "128x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"]
    assert smemdesc("encode", "tcgen05", *tile).out.split() == [row["value"] for row in rows]


def test_a_batch_of_layouts_loses_nothing() -> None:
    given = f"{PADDED}\nS<3,4,3> o 0 o (64,16):(64,1)\n\n(64;\n"
    ran = smemdesc("encode", "tcgen05", "--layout", "-", "--dtype", "bf16", stdin=given)
    assert (ran.out, ran.status) == ("0x4000404000010000\n", 2)
    assert "line 1: no descriptor expresses this layout: row stride 72 elements" in ran.err
    assert "line 4: ';' is where ')' belongs" in ran.err


def test_a_refusal_points_into_the_text_and_quotes_cutlass() -> None:
    ran = smemdesc("encode", "wgmma", "--layout", PADDED, "--dtype", "bf16")
    assert (ran.out, ran.status) == ("", 2)
    lines = ran.err.splitlines()
    assert 'CUTLASS: "Not a canonical GMMA_K Layout: Expected stride failure."' in lines[0]
    assert lines[1:3] == ["  (64,16):(72,1)", "           ^^"]
    assert "nearest: Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_8),_16):((_64,_512),_1)" in lines[3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--layout", "(64,16):(8,1)"], "how wide an element is"),
        (["--layout", TENSOR, "--lbo", "128"], "--lbo does not go with a layout"),
        (["--layout", TENSOR, "--tile", "64x16"], "--tile does not go with a layout"),
        (["--layout", TENSOR, "--tma", BOX], "both say a layout"),
        (["--layout", TENSOR, "--at", "3"], "write MN,K in elements"),
        (["--layout", TENSOR, "--at", "0,16", "--mma", "64x16"], "outside the layout"),
        (["--at", "0,0"], "--at goes with a layout"),
        (["--tma", "box=64x64,swizzle=128B,dtype=bf16", "--mma", "64x16"], "2 readings fit"),
        (["--layout", "Sw<3,4,3> o smem_ptr[32b](unset) o (_32,_8):(_1,_32)"], "only 128B_32B"),
    ],
)
def test_what_options_do_not_say_is_asked_for(arguments: list[str], words: str) -> None:
    refused("encode", "tcgen05", *arguments, says=words)


def test_force_encodes_what_no_instruction_reads() -> None:
    text = "Sw<3,4,3> o smem_ptr[32b](unset) o (_32,_8):(_1,_32)"
    assert smemdesc("encode", "tcgen05", "--layout", text, "--force").out == "0x4000404000400000\n"


def test_json_of_an_operand_has_every_notation() -> None:
    case = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]
    data = json.loads(smemdesc("layout", "operand", "0x4000404000010040", *case, "--json").out)
    assert data["cute"] == "Sw<3,4,3>_smem_ptr[16b](0x400) o ((_8,_8),_16):((_64,_512),_1)"
    assert data["tma"]["box"] == [64, 64]
    assert smemdesc("encode", "tcgen05", "--layout", data["cute"]).out == "0x4000404000010040\n"


@pytest.mark.parametrize(
    ("value", "more", "status"),
    [
        ("0x4000404004000000", [], 1),
        ("0x4000404002000000", [], 0),
        ("0x4000404002000000", ["--order", "k"], 0),
        ("0x4000404002000000", ["--order", "mn"], 1),
    ],
)
def test_the_strides_are_those_of_the_tile(value: str, more: list[str], status: int) -> None:
    ran = smemdesc("decode", value, "--tile", "128x64", "--dtype", "f16", "--major", "MN", *more, "--check", "--json")
    assert ran.status == status
    rules = [finding["rule"] for finding in json.loads(ran.out)["findings"]]
    assert ("tile-strides" in rules) == bool(status)


def test_a_tile_needs_its_type_and_major_ness() -> None:
    ran = smemdesc("decode", "0x4000404002000000", "--tile", "128x64")
    assert (ran.status, "--tile needs --dtype and --major" in ran.err) == (2, True)


def test_a_shift_goes_with_what_is_looked_for() -> None:
    ran = smemdesc("mask", "0x0003028100000000", "--m", "128", "--n", "16", "--shift", "2")
    assert (ran.status, "a VALUE has its own column shift" in ran.err) == (2, True)
    ran = smemdesc("mask", "--mask", "0xc387", "--m", "128", "--n", "16", "--shift", "2", "--json")
    assert json.loads(ran.out)["value"] == "0x0203028100000000"
