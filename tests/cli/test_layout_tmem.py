"""``smemdesc layout tmem`` and ``layout scales``: whole outputs, JSON, pictures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from goldens import goldens
from run import smemdesc

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

SCALES = ["layout", "scales"]
SCALES_RUNS = {
    "1x": [*SCALES, "128x256", "--mma-kind", "mxf8f6f4"],
    "2x-sparse": [*SCALES, "128x256", "--mma-kind", "mxf4", "--sparse"],
    "4x-of-b": [*SCALES, "192x256", "--mma-kind", "mxf4nvf4", "--operand", "b", "--show", "3"],
    "k-96": [*SCALES, "128x768", "--mma-kind", "mxf4", "--k", "96"],
    "k-96-block-16": [*SCALES, "256x1536", "--mma-kind", "mxf4nvf4", "--k", "96", "--show", "47"],
    "at": [*SCALES, "256x256", "--mma-kind", "mxf4", "--at", "165,100"],
    "byte": [*SCALES, "128x256", "--mma-kind", "mxf8f6f4", "--byte", "599"],
    "lane": [*SCALES, "128x256", "--mma-kind", "mxf4", "--lane", "37", "--column", "5"],
    "json": [*SCALES, "128x256", "--mma-kind", "mxf4", "--json"],
    "json-at": [*SCALES, "128x256", "--mma-kind", "mxf4", "--at", "37,100", "--json"],
}

test_scales, test_every_file_of_scales_is_used, test_scales_never_overrun_a_terminal = goldens(
    GOLDEN.with_name("golden_scales"),
    SCALES_RUNS,
    narrow=("1x", "4x-of-b", "k-96", "at", "lane"),
    drawn={"1x-120-columns": (SCALES_RUNS["1x"], 120, {"NO_COLOR": "1"})},
)


@pytest.mark.parametrize(
    "run",
    [
        *map(RUNS.get, ("layout-a", "layout-c", "layout-f", "a-copies", "at-b", "lane")),
        *map(SCALES_RUNS.get, ("1x", "4x-of-b", "k-96-block-16", "at")),
    ],
    ids=" ".join,
)
def test_a_picture_is_well_formed(run: list[str]) -> None:
    ran = smemdesc(*run, "--svg", "-")
    assert (ran.err, ran.status) == ("", 0)
    assert ElementTree.fromstring(ran.out).tag.endswith("svg")


def test_the_picture_has_a_block_for_each_region() -> None:
    regions = json.loads(smemdesc(*RUNS["layout-c"], "--json").out)["regions"]
    drawn = smemdesc(*RUNS["layout-c"], "--svg", "-").out
    for region in regions:
        m, n = ("..".join(map(str, region[key])) for key in ("m", "n"))
        assert f">m {m}, n {n}<" in drawn
    assert drawn.count("<title>lanes") == len(regions)


def test_the_picture_shows_each_factor_in_both_memories() -> None:
    drawn = smemdesc(*SCALES_RUNS["1x"], "--svg", "-").out
    for row in (0, 31, 32, 127):
        for index in range(4):
            assert drawn.count(f">{row}.{index}<") == 2
