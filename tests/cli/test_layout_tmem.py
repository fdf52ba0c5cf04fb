"""``smemdesc layout tmem`` and ``layout scales``: whole outputs, JSON, pictures."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from goldens import words
from run import smemdesc


@pytest.mark.parametrize(
    "name",
    [
        *(
            f"tmem/{name}"
            for name in ("layout-a", "layout-c", "layout-f", "a-copies", "at-b", "lane", "ld", "ld-pack", "ld-thread")
        ),
        *(f"scales/{name}" for name in ("1x", "4x-of-b", "k-96-block-16", "at")),
    ],
)
def test_a_picture_is_well_formed(name: str) -> None:
    ran = smemdesc(*words(name), "--svg", "-")
    assert (ran.err, ran.status) == ("", 0)
    assert ElementTree.fromstring(ran.out).tag.endswith("svg")


def test_the_picture_has_a_block_for_each_region() -> None:
    regions = json.loads(smemdesc(*words("tmem/layout-c"), "--json").out)["regions"]
    drawn = smemdesc(*words("tmem/layout-c"), "--svg", "-").out
    for region in regions:
        m, n = ("..".join(map(str, region[key])) for key in ("m", "n"))
        assert f">m {m}, n {n}<" in drawn
    assert drawn.count("<title>lanes") == len(regions)


def test_the_picture_shows_each_factor_once_for_both_memories() -> None:
    drawn = smemdesc(*words("scales/1x"), "--svg", "-").out
    for row in (0, 31, 32, 127):
        for index in range(4):
            assert drawn.count(f"<title>m {row}, k {32 * index}: factor {index}</title>") == 1


@pytest.mark.parametrize("asked", ["", "--at 37,100", "--lane 5 --column 1"])
def test_a_load_wider_than_the_factors_is_named_with_what_it_reads_beside_them(asked: str) -> None:
    scales = "layout scales 128x256 --mma-kind mxf4 --ld 32x32b"
    shown = smemdesc(*f"{scales} --num x16 {asked}".split()).out
    assert "32x32b.x16.b32, once in each warp: 16 registers; the last 8 columns hold no factors" in shown
    shown = smemdesc(*f"{scales} {asked}".split()).out
    assert "32x32b.x8.b32, once in each warp: 8 registers\n" in shown


@pytest.mark.parametrize(("shape", "split"), [("64x64x64", ".16x32bx2.x32.b32, immHalfSplitoff 32"), ("128x64x64", "")])
def test_a_header_names_the_split_of_the_instruction_that_has_one(shape: str, split: str) -> None:
    header = smemdesc("plan", shape, "--dtype", "bf16", "--format", "cuda").out
    assert split in header
    assert ("immHalfSplitoff" in header) == bool(split)
