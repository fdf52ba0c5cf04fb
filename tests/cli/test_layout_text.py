"""Layouts as text: ``encode --layout``, ``layout explain``, and the commands that print a layout for others."""

from __future__ import annotations

import json
import re

import pytest
from goldens import COMMANDS
from run import GOLDENS, smemdesc
from tables import every_row

TILE = "S<3,4,3> o 0 o ((128,16),1,4,3):((64,1),0,16,8192)"
PADDED = "(64,16):(72,1)"
NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>"
BOX = "box=64x128,swizzle=128B,dtype=bf16,interleave=none"


EXPLAINED = [command.name for command in COMMANDS.values() if command.words[:2] == ["layout", "explain"]]


@every_row("name", [name for name in EXPLAINED if "json" not in name])
def test_an_explanation_begins_with_its_answer(name: str) -> None:
    text = (GOLDENS / "layout_text" / f"{name}.txt").read_text()
    assert re.match(r"descriptor +0x|descriptors of .*\n.* 0x|no descriptor: |warning: the text has no swizzle", text)


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
