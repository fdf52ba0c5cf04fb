"""``smemdesc mask``: whole outputs, JSON, statuses, pictures; and the expansion that decode and encode show."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from run import smemdesc

VALUE = "0x0203028301020100"
CUTLASS = "0x00fc010000000000"
CONV = ["mask", "conv", "--q", "255", "--n", "128", "--m", "128", "--tile", "1", "--left", "2", "--filter", "3"]


def test_the_way_back() -> None:
    made = json.loads(smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--json").out)
    runs = ",".join(f"{first}-{last}" for first, last in made["zeroed"])
    by_columns = json.loads(smemdesc("mask", "--zero", runs, "--m", "32", "--n", "64", "--json").out)
    by_mask = json.loads(smemdesc("mask", "--mask", made["mask"], "--m", "32", "--n", "64", "--json").out)
    assert by_columns == by_mask
    assert by_columns["mask"] == made["mask"]
    assert by_columns["value"] == "0x0003028301020100"


def test_nothing_is_lost_of_a_batch() -> None:
    ran = smemdesc("mask", "-", "--m", "32", "--n", "64", "--json", stdin=f"{VALUE}\nUR4\n# none\n0\n")
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [VALUE, "0x" + "0" * 16]
    assert "line 2" in ran.err
    assert ran.status == 2


def test_pictures(tmp_path: Path) -> None:
    one, all_three = tmp_path / "one.svg", tmp_path / "conv.svg"
    smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--svg", str(one))
    smemdesc(*CONV, "--expect", CUTLASS, "--svg", str(all_three))
    hatched = 'fill="url(#hatch'
    assert one.read_text().count(hatched) == 1 + 28  # the legend, and the zeroed columns
    assert all_three.read_text().count(hatched) == 1 + 2
    for path in (one, all_three):
        ET.fromstring(path.read_text())
    assert smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--svg", "-").out == one.read_text()


def test_decode_shows_the_expansion_in_json_and_encode_takes_it() -> None:
    decoded = smemdesc("decode", "--kind", "mask", "--json", "--m", "32", "--n", "64", VALUE)
    said = json.loads(decoded.out)["expansion"]
    alone = json.loads(smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--json").out)
    assert said == {key: alone[key] for key in said}
    assert smemdesc("encode", "-", stdin=decoded.out).out == f"{VALUE}\n"
    assert "expansion" not in json.loads(smemdesc("decode", "--json", "--m", "32", "--n", "64", "0x40004040").out)


def test_encode_shows_the_expansion_beside_the_value() -> None:
    base = ["encode", "mask", "--skip-span", "3", "--use-span", "4", "--m", "64", "--n", "64"]
    ran = smemdesc(*base)
    assert (ran.out, ran.status) == ("0x0003028000000000\n", 0)
    assert "zeroed: 4-6, 11-13" in ran.err
    assert json.loads(smemdesc(*base, "--format", "json").out)["expansion"]["zeroed"][0] == [4, 6]


@pytest.mark.parametrize(("m", "n"), [(32, 64), (32, 256), (64, 128), (128, 64), (128, 256)])
def test_what_it_prints_as_a_mask_it_reads_as_one(m: int, n: int) -> None:
    size = ["--m", str(m), "--n", str(n)]
    shown = smemdesc("mask", "0x0007008000000000", *size).out
    made = json.loads(smemdesc("mask", "0x0007008000000000", *size, "--json").out)
    printed = [made["mask"], str(int(made["mask"], 16)), f"{int(made['mask'], 16):#b}"]
    if len(made["sub_masks"]) == 1:
        printed += re.findall(r"binary: (.*)", shown)
    again = [smemdesc("mask", "--mask", each, *size, "--json") for each in printed]
    again.append(smemdesc("mask", "--zero", re.findall(r"(?m)^ *zeroed: (.*)", shown)[-1], *size, "--json"))
    assert {json.loads(each.out)["mask"] for each in again} == {made["mask"]}
    assert "bits, N =" in smemdesc("mask", "--mask", f"0x1{made['mask'][2:]}", *size).err
