"""Every MMA of a scan in the tiles that are told, and what code shows of a start address and of an instruction
descriptor."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from run import refused, smemdesc
from tables import every_row

import smemdesc as api

PTX = """.version 9.0
.target sm_100a
.shared .align 1024 .b8 smem[65536];
.visible .entry k(.param .u32 p)
{
ld.param.u32 %r9, [p];
mov.b32 %r1, 0x08200490;
START
tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;
}
"""
NUMBERS = "mov.b64 %rd1, 0x4000404000010040; mov.b64 %rd2, 0x4000404000010440;"
TILES = {"a_tile": "128x64,at=0x400", "b_tile": "128x64,at=0x4400"}
BASES = {"a_tile": "128x64,at=smem", "b_tile": "128x64,at=smem+0x4000"}


def start(
    operand: int, address: str = "smem", encoded: str = "bfe.u32 %r3, %r3, 4, 14", strides: str = "40004040"
) -> str:
    """Encode the address of A (1) or B (2)."""
    move = f"mov.u32 %r3, {address}; {encoded}; cvt.u64.u32 %rd3, %r3;"
    return f"{move} or.b64 %rd{operand}, %rd3, 0x{strides}00010000;"


SYMBOLS = f"{start(1)} {start(2, 'smem+0x4000')}"
WRONG = start(2, "smem+0x4000", strides="40004020")
MAPA = start(2, "smem+0x4000", "mapa.shared::cluster.u32 %r3, %r3, 1; shr.u32 %r3, %r3, 4")
MN = "; mov.b32 %r1, 0x08210490;"


@pytest.mark.slow
@every_row(
    ("code", "tiles", "found"),
    [
        (NUMBERS, TILES, set()),
        (SYMBOLS, BASES, set()),
        (SYMBOLS, {}, set()),
        (SYMBOLS, {"a_tile": "128x64"}, set()),
        (SYMBOLS, {**BASES, "a_tile": "128x64,at=smem+0x400"}, {("a", "error")}),
        (f"{start(1)} {WRONG}", BASES, {("b", "error")}),
        (f"{start(1)} {WRONG}", {"a_map": "box=64x128,swizzle=128B,dtype=bf16"}, set()),
        # not comparable: a note of this instruction
        (SYMBOLS, TILES, {("a", "note"), ("b", "note")}),
        (NUMBERS, BASES, {("a", "note"), ("b", "note")}),
        (f"{start(1, '%r9')} {start(2)}", {"a_tile": "128x64,at=smem"}, {("a", "note")}),
        (f"{start(1, encoded='and.b32 %r3, %r3, 0x3fff')} {start(2)}", {"a_tile": "128x64,at=smem"}, {("a", "note")}),
        (f"{start(1, encoded='bfe.u32 %r3, %r3, 3, 14')} {start(2)}", {"a_tile": "128x64,at=smem"}, {("a", "note")}),
    ],
)
def test_each_operand_is_compared_with_its_tile(code: str, tiles: dict[str, str], found: set[tuple[str, str]]) -> None:
    scan = api.scan(PTX.replace("START", code), **tiles)  # type: ignore[arg-type]
    of_tiles = [each for each in scan.findings if each.rule == "tile-and-descriptor"]
    assert {(each.operand, each.severity) for each in of_tiles} == found


@every_row(
    ("code", "cause", "operand"),
    [
        (start(1, encoded="and.b32 %r3, %r3, 0x3fff") + start(2), "start-address-not-divided", "a"),
        (start(1) + MAPA + MN, "start-address-carry", "b"),
        (start(1) + MAPA, None, None),  # LBO has no effect
        (start(1) + MAPA.replace("shr.u32 %r3, %r3, 4", "bfe.u32 %r3, %r3, 4, 14") + MN, None, None),
        (NUMBERS + "mov.b64 %rd4, 0x0820049000000000; cvt.u32.u64 %r1, %rd4;", "idesc-half", "idesc"),
        (NUMBERS + "mov.b64 %rd4, 0x0820049000000000; mov.b64 {%r1, %r5}, %rd4;", "idesc-half", "idesc"),
        (NUMBERS + "mov.b64 %rd4, 0x0820049000000000; mov.b64 {%r5, %r1}, %rd4;", None, None),
        (NUMBERS + "mov.b64 %rd4, 0x0820049000000000; shr.u64 %rd5, %rd4, 32; cvt.u32.u64 %r1, %rd5;", None, None),
    ],
)
def test_the_code_shows_a_mistake(code: str, cause: str | None, operand: str | None) -> None:
    named = ("start-address-not-divided", "start-address-carry", "idesc-half")
    found = [(each.rule, each.operand) for each in api.scan(PTX.replace("START", code)).findings]
    assert [pair for pair in found if pair[0] in named] == ([(cause, operand)] if cause else [])


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [f"{start(1)} {WRONG}", NUMBERS.replace("404000010040", "404000010060"), f"{SYMBOLS} mov.b32 %r1, 0x08200010;"],
)
def test_the_command_that_is_printed_has_the_tiles(code: str) -> None:
    tiles = TILES if "smem" not in code else BASES
    options = [
        word for name in ("a_tile", "b_tile") for word in (f"--{name.replace('_', '-')}", tiles[name] + ",dtype=bf16")
    ]
    ran = smemdesc("scan", *options, "-", stdin=PTX.replace("START", code))
    (typed,) = re.findall(r"smemdesc (mma .*)", ran.out)
    found = json.loads(smemdesc(*shlex.split(typed), "--json").out)["findings"]
    scanned = json.loads(smemdesc("scan", "--json", *options, "-", stdin=PTX.replace("START", code)).out)["findings"]
    assert told(found) == told(scanned)


def told(findings: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    return sorted((each["operand"], each["rule"], each.get("repaired", "")) for each in findings)


def test_a_tile_that_is_none_is_refused() -> None:
    refused("scan", "--a-tile", "128", "examples/data/matmul_sm100.ptx", says="--a-tile")
    refused("scan", "--agree", "--a-tile", "128x64", "x", "y", says="--a-tile")
