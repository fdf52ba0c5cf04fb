"""``smemdesc layout tmem``: whole outputs, JSON, pictures, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from goldens import goldens
from run import refused, smemdesc

GOLDEN = Path(__file__).parent.parent / "golden_tmem"
TMEM = ["layout", "tmem"]
RUNS = {
    "layout-a": [*TMEM, "--m", "256", "--n", "128", "--cta-group", "2"],
    "layout-b": [*TMEM, "--m", "128", "--n", "64", "--cta-group", "2"],
    "layout-c": [*TMEM, "--m", "128", "--n", "64", "--cta-group", "2", "--sparse", "--start", "0x00100010"],
    "layout-d-f16": [*TMEM, "--m", "128", "--n", "256", "--dtype", "f16"],
    "layout-e": [*TMEM, "--m", "64", "--n", "128", "--ws"],
    "layout-f": [*TMEM, "--m", "64", "--n", "128"],
    "layout-g-s32": [*TMEM, "--m", "32", "--n", "64", "--ws", "--dtype", "s32"],
    "a": [*TMEM, "--m", "128", "--n", "64", "--operand", "a", "--dtype", "bf16", "--k", "64"],
    "a-copies": [*TMEM, "--m", "64", "--n", "128", "--ws", "--operand", "a", "--dtype", "e4m3"],
    "a-at": [*TMEM, "--m", "64", "--n", "128", "--ws", "--operand", "a", "--dtype", "bf16", "--at", "5,3"],
    "at-a": [*TMEM, "--m", "256", "--n", "128", "--cta-group", "2", "--at", "200,17"],
    "at-b": [*TMEM, "--m", "128", "--n", "64", "--cta-group", "2", "--at", "70,40"],
    "at-f": [*TMEM, "--m", "64", "--n", "128", "--start", "0x00100040", "--at", "21,5"],
    "lane": [*TMEM, "--m", "128", "--n", "64", "--cta-group", "2", "--lane", "69"],
    "lane-free": [*TMEM, "--m", "64", "--n", "128", "--lane", "17"],
    "column": [*TMEM, "--m", "32", "--n", "128", "--ws", "--column", "3"],
    "lane-and-column": [*TMEM, "--m", "128", "--n", "64", "--cta-group", "2", "--lane", "69", "--column", "3"],
    "json": [*TMEM, "--m", "64", "--n", "128", "--ws", "--json"],
    "json-at": [*TMEM, "--m", "64", "--n", "128", "--dtype", "f16", "--at", "21,5", "--json"],
    "json-lane": [*TMEM, "--m", "64", "--n", "128", "--lane", "33", "--json"],
}


test_golden, test_every_golden_file_is_used, test_a_terminal_is_never_overrun = goldens(
    GOLDEN, RUNS, narrow=("layout-b", "layout-c", "a-copies", "a-at", "at-a", "lane")
)


@pytest.mark.parametrize("name", ["layout-a", "layout-c", "layout-f", "a-copies", "at-b", "lane"])
def test_a_picture_is_well_formed(name: str) -> None:
    ran = smemdesc(*RUNS[name], "--svg", "-")
    assert (ran.err, ran.status) == ("", 0)
    assert ElementTree.fromstring(ran.out).tag.endswith("svg")


def test_the_picture_has_a_block_for_each_region() -> None:
    regions = json.loads(smemdesc(*RUNS["layout-c"], "--json").out)["regions"]
    drawn = smemdesc(*RUNS["layout-c"], "--svg", "-").out
    for region in regions:
        m, n = ("..".join(map(str, region[key])) for key in ("m", "n"))
        assert f">m {m}, n {n}<" in drawn
    assert drawn.count("<title>lanes") == len(regions)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--m", "64"], ["--n is missing", "layout tmem --m 64 --n 128"]),
        (["--n", "64"], ["--m is missing"]),
        (["--m", "64", "--n", "64", "--at", "1,1", "--lane", "3"], ["give one"]),
        (["--m", "64", "--n", "64", "--at", "x"], ["--at 'x' is not an element", "M,N, as in --at 17,3"]),
        (["--m", "64", "--n", "64", "--at", "64,0"], ["no m 64", "0 to 63"]),
        (["--m", "64", "--n", "64", "--lane", "128"], ["no lane 128", "0 to 127"]),
        (["--m", "64", "--n", "64", "--start", "lane3"], ["--start 'lane3'", "0x00100040"]),
        (["--m", "32", "--n", "64"], ["no M 32", "--ws"]),
        (["--m", "64", "--n", "64", "--operand", "a"], ["the type of A is missing"]),
    ],
)
def test_what_cannot_be_answered(arguments: list[str], words: list[str]) -> None:
    refused(*TMEM, *arguments, says=words)
