"""``smemdesc layout scales``: whole outputs, JSON, pictures, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from goldens import goldens
from run import refused, smemdesc

GOLDEN = Path(__file__).parent.parent / "golden_scales"
SCALES = ["layout", "scales"]
RUNS = {
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


test_golden, test_every_golden_file_is_used, test_a_terminal_is_never_overrun = goldens(
    GOLDEN, RUNS, narrow=("1x", "4x-of-b", "k-96", "at", "lane")
)


@pytest.mark.parametrize("name", ["1x", "4x-of-b", "k-96-block-16", "at"])
def test_a_picture_is_well_formed(name: str) -> None:
    ran = smemdesc(*RUNS[name], "--svg", "-")
    assert (ran.err, ran.status) == ("", 0)
    assert ElementTree.fromstring(ran.out).tag.endswith("svg")


def test_the_picture_shows_each_factor_in_both_memories() -> None:
    drawn = smemdesc(*RUNS["1x"], "--svg", "-").out
    for row in (0, 31, 32, 127):
        for index in range(4):
            assert drawn.count(f">{row}.{index}<") == 2


def test_json_names_the_copy_and_the_steps() -> None:
    data = json.loads(smemdesc(*RUNS["json"]).out)
    assert data["descriptor"] == "0x0000400800000000"
    assert [(step["column"], step["id"]) for step in data["steps"]] == [(0, 0), (0, 2), (4, 0), (4, 2)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["128x256"], ["--mma-kind"]),
        (["128", "--mma-kind", "mxf4"], ["128"]),
        (["128x256", "--mma-kind", "mxf4", "--at", "1,1", "--byte", "3"], ["cannot be given together"]),
        (["128x256", "--mma-kind", "mxf4", "--lane", "3"], ["--lane and --column"]),
        (["128x256", "--mma-kind", "mxf4", "--at", "128,0"], ["no m 128", "0 to 127"]),
        (["128x256", "--mma-kind", "mxf4", "--at", "0,256"], ["no k 256", "0 to 255"]),
        (["128x256", "--mma-kind", "mxf4", "--byte", "1024"], ["no byte 1024", "0 to 1023"]),
        (["40x256", "--mma-kind", "mxf4", "--byte", "12"], ["byte 12 holds no factor"]),
        (["128x256", "--mma-kind", "mxf4", "--show", "2"], ["no block 2", "0 to 1"]),
        (["128x256", "--mma-kind", "mxf4", "--block", "16"], ["no blocks of 16"]),
    ],
)
def test_what_cannot_be_answered(arguments: list[str], words: list[str]) -> None:
    refused(*SCALES, *arguments, says=words)
