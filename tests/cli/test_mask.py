"""``smemdesc mask``: whole outputs, JSON, statuses, pictures; and the expansion that decode and encode show."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from run import held, on_terminal, refused, smemdesc

GOLDEN = Path(__file__).parent.parent / "golden_mask"
VALUE = "0x0203028301020100"
CUTLASS = "0x00fc010000000000"
CONV = ["mask", "conv", "--q", "255", "--n", "128", "--m", "128", "--tile", "1", "--left", "2", "--filter", "3"]

IN_A_PIPE = {
    "value": ["mask", VALUE, "--m", "32", "--n", "64"],
    "one-sub-mask": ["mask", "0x0003028000000000", "--m", "128", "--n", "128"],
    "off": ["mask", "0x0003040000000000", "--m", "128", "--n", "64"],
    "wrong-m": ["mask", VALUE, "--m", "64", "--n", "66"],
    "findings": ["mask", "0x5400028000000900", "--m", "32", "--n", "66"],
    "two-values": ["mask", "0x0003028100000000", VALUE, "--m", "32", "--n", "64"],
    "zero": ["mask", "--zero", "0-2,7-9,14-15", "--m", "128", "--n", "16"],
    "zero-none": ["mask", "--zero", "none", "--m", "64", "--n", "64"],
    "mask": ["mask", "--mask", "0b 0 111 0000 1 0000 111", "--m", "64", "--n", "16"],
    "json": ["mask", VALUE, "--m", "32", "--n", "64", "--json"],
    "conv": CONV,
    "conv-expect": [*CONV, "--expect", CUTLASS],
    "conv-rows": ["mask", "conv", "--q", "14", "--n", "64", "--m", "64", "--tile", "3", "--left", "1", "--filter", "3"],
    "conv-json": [*CONV, "--expect", CUTLASS, "--json"],
    "decode": ["decode", "--kind", "mask", "--m", "64", "--n", "64", "0x0003028100000000"],
}
ON_A_TERMINAL = {
    "terminal-80": (["mask", "0x0003028100000000", "--m", "64", "--n", "256"], 80, {}),
    "terminal-80-no-color": (["mask", "0x0003028100000000", "--m", "128", "--n", "256"], 80, {"NO_COLOR": "1"}),
    "terminal-200-conv": ([*CONV, "--expect", CUTLASS], 200, {"NO_COLOR": "1"}),
}


@pytest.mark.parametrize("name", IN_A_PIPE)
def test_in_a_pipe(name: str) -> None:
    ran = smemdesc(*IN_A_PIPE[name])
    held(GOLDEN, name, ran.out)
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize("name", ON_A_TERMINAL)
def test_on_a_terminal(name: str) -> None:
    arguments, columns, env = ON_A_TERMINAL[name]
    held(GOLDEN, name, on_terminal(*arguments, columns=columns, **env).out)


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lines_fit_the_terminal(columns: int) -> None:
    for arguments in (["mask", "0x0003028100000000", "--m", "64", "--n", "256"], [*CONV, "--expect", CUTLASS]):
        lines = on_terminal(*arguments, columns=columns, NO_COLOR="1").out.splitlines()
        strips = [line for line in lines if set(line.strip()) <= set("█· 0123456789")]
        assert max(map(len, strips if columns < 80 else lines)) <= columns


def test_every_golden_file_is_used() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*IN_A_PIPE, *ON_A_TERMINAL}


def test_json() -> None:
    said = json.loads(smemdesc("mask", "0x0003028100000000", "--m", "64", "--n", "16", "--json").out)
    assert said["value"] == "0x0003028100000000"
    assert said["mask"] == "0x7087"
    assert said["zeroed"] == [[0, 2], [7, 7], [12, 14]]
    assert [sub["zeroed"] for sub in said["sub_masks"]] == [[[0, 2], [7, 7]], [[12, 14]]]


def test_json_of_a_convolution() -> None:
    lines = [json.loads(line) for line in smemdesc(*CONV, "--expect", CUTLASS, "--json").out.splitlines()]
    assert [line["s"] for line in lines] == [0, 1, 2]
    assert [line["zeroed"] for line in lines] == [[[127, 127]], [[127, 127]], []]
    assert all(line["agrees"] and line["padding"] == line["mask"] for line in lines)
    assert lines[0]["expected"][0]["unmasked"] == [[127, 127]]
    assert "expected" not in lines[1]


def test_the_way_back() -> None:
    made = json.loads(smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--json").out)
    runs = ",".join(f"{first}-{last}" for first, last in made["zeroed"])
    by_columns = json.loads(smemdesc("mask", "--zero", runs, "--m", "32", "--n", "64", "--json").out)
    by_mask = json.loads(smemdesc("mask", "--mask", made["mask"], "--m", "32", "--n", "64", "--json").out)
    assert by_columns == by_mask
    assert by_columns["mask"] == made["mask"]
    assert by_columns["value"] == "0x0003028301020100"


def test_no_descriptor() -> None:
    ran = smemdesc("mask", "--zero", "0-2,7-8,14-15", "--m", "128", "--n", "16")
    assert (ran.out, ran.status) == ("", 2)
    assert "breaks at column 9 (sub-mask 0)" in ran.err


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["mask", VALUE, "--m", "32", "--n", "64"], 0),
        (["mask", "0x1303028301020100", "--m", "32", "--n", "64"], 1),
        (["mask", VALUE, "--m", "32", "--n", "66"], 1),
        (["mask", VALUE, "UR4", "--m", "32", "--n", "66"], 2),
        (CONV, 0),
        ([*CONV, "--expect", "0x007e008000000000"], 0),
        ([*CONV, "--expect", CUTLASS], 1),
        ([*CONV, "--expect", "0x3f7e008000000000"], 2),
    ],
)
def test_check(arguments: list[str], status: int) -> None:
    for more in ([], ["--json"]):
        assert smemdesc(*arguments, "--check", *more).status == status


def test_nothing_is_lost_of_a_batch() -> None:
    ran = smemdesc("mask", "-", "--m", "32", "--n", "64", "--json", stdin=f"{VALUE}\nUR4\n# none\n0\n")
    assert [json.loads(line)["value"] for line in ran.out.splitlines()] == [VALUE, "0x" + "0" * 16]
    assert "line 2: " in ran.err
    assert ran.status == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([VALUE, "--n", "64"], "--m"),
        ([VALUE, "--m", "32"], "--n"),
        ([VALUE, "--m", "256", "--n", "64"], "--m"),
        ([VALUE, "--m", "32", "--n", "257"], "--n"),
        (["--m", "32", "--n", "64"], "a value is missing"),
        ([VALUE, "--zero", "1", "--m", "32", "--n", "64"], "one of VALUE"),
        (["--m", "32", "--n", "64", "conv"], "conv stands first"),
        (["0x0003028?00000000", "--m", "32", "--n", "64"], "not all bits"),
        (["--zero", "0-2,x", "--m", "32", "--n", "64"], "  0-2,x\n      ^"),
        (["--zero", "64", "--m", "32", "--n", "64"], "no column 64"),
        (["--mask", "0x100", "--m", "32", "--n", "8"], "9 bits"),
        (["--zero", "0-1", "--m", "32", "--n", "10"], "4 sub-masks of N/4 columns\n  the nearest are 8 and 12"),
        (["--mask", "0x3", "--m", "64", "--n", "255"], "N = 255 is not a multiple of 2"),
        ([*CONV[1:], "--m", "32", "--n", "10"], "N = 10 is not a multiple of 4"),
        ([VALUE, VALUE, "--svg", "x.svg", "--m", "32", "--n", "64"], "one mask"),
        ([VALUE, "--svg", "/nowhere/x.svg", "--m", "32", "--n", "64"], "/nowhere/x.svg"),
        ([*CONV[1:-1], "40"], "column shift of 39"),
        ([*CONV[1:], "--expect", "0x03fc010000000000"], "column shift is 3"),
    ],
)
def test_bad_use_is_a_clear_error(arguments: list[str], words: str) -> None:
    refused("mask", *arguments, says=words)


def test_pictures(tmp_path: Path) -> None:
    one, all_three = tmp_path / "one.svg", tmp_path / "conv.svg"
    smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--svg", str(one))
    smemdesc(*CONV, "--expect", CUTLASS, "--svg", str(all_three))
    red = 'fill="#cf222e" rx="2" stroke'
    assert one.read_text().count(red) == 1 + 28  # the legend, and the zeroed columns
    assert all_three.read_text().count(red) == 1 + 2
    for path in (one, all_three):
        ET.fromstring(path.read_text())
    assert smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--svg", "-").out == one.read_text()


@pytest.mark.parametrize("arguments", [["-1", "--m", "32", "--n", "64"], ["--m", "32", "--n", "64", "--", "-1"]])
def test_negative_values_before_and_behind_the_options(arguments: list[str]) -> None:
    ran = smemdesc("mask", *arguments)
    assert (ran.out.split()[0], ran.status) == ("0xffffffffffffffff", 0)


@pytest.mark.parametrize("late", [["--m", "32"], ["--m=32"]])
def test_an_option_behind_two_dashes_is_named(late: list[str]) -> None:
    ran = smemdesc("mask", "--n", "64", "--", "-1", *late)
    assert (ran.out, ran.status) == ("", 2)
    assert f"everything after -- is a value: put {late[0]} before it" in ran.err


def test_negative_decimal() -> None:
    ran = smemdesc("mask", "-9223371899399045120", "--m", "32", "--n", "64", "--json")
    assert json.loads(ran.out)["value"] == "0x8000002001000000"


def test_decode_shows_the_expansion_in_json_and_encode_takes_it() -> None:
    decoded = smemdesc("decode", "--kind", "mask", "--json", "--m", "32", "--n", "64", VALUE)
    said = json.loads(decoded.out)["expansion"]
    alone = json.loads(smemdesc("mask", VALUE, "--m", "32", "--n", "64", "--json").out)
    assert said == {key: alone[key] for key in said}
    assert smemdesc("encode", "-", stdin=decoded.out).out == f"{VALUE}\n"
    assert "expansion" not in json.loads(smemdesc("decode", "--json", "--m", "32", "--n", "64", "0x40004040").out)


def test_decode_of_a_value_that_is_known_in_part() -> None:
    ran = smemdesc("decode", "--kind", "mask", "--m", "32", "--n", "64", "0x02030283????????")
    assert "mask: not expanded" in ran.out


def test_encode_shows_the_expansion_beside_the_value() -> None:
    base = ["encode", "mask", "--skip-span", "3", "--use-span", "4", "--m", "64", "--n", "64"]
    ran = smemdesc(*base)
    assert (ran.out, ran.status) == ("0x0003028000000000\n", 0)
    assert "zeroed: 4-6, 11-13" in ran.err
    assert json.loads(smemdesc(*base, "--format", "json").out)["expansion"]["zeroed"][0] == [4, 6]


def test_encode_refuses_what_m_forbids() -> None:
    ran = smemdesc("encode", "mask", "--column-shift", "20", "--m", "32")
    assert (ran.out, ran.status) == ("", 2)
    assert "--column-shift 20" in ran.err
    assert "M = 32" in ran.err


def test_encode_idesc_keeps_its_own_m_and_n() -> None:
    types = ["--mma-kind", "f16", "--a-type", "f16", "--b-type", "f16"]
    ran = smemdesc("encode", "idesc", *types, "--m", "128", "--n", "64")
    assert ran.out == "0x08100010\n"


def test_the_card_says_once_that_the_table_is_swapped() -> None:
    assert smemdesc("fields", "mask").out.count("swaps") == 1


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
