"""``smemdesc mma``: whole outputs, JSON, exit status, errors; the commands that a scan prints run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from run import smemdesc
from tables import every_row

DATA = Path(__file__).parents[2] / "examples" / "data"
A, B, IDESC = "0x4000404000010040", "0x4000404000010440", "0x08200490"
SOUND = ["mma", "--a", A, "--b", B, "--idesc", IDESC, "--mma-kind", "f16"]
WGMMA = ["mma", "--inst", "m64n128k16", "--dtype", "bf16", "--a", "0x4000004000010040"]
WRONG = ["mma", "--a", A, "--b", B, "--idesc", "0x08210490", "--mma-kind", "f16"]


def test_the_json_that_scripts_rely_on() -> None:
    data = json.loads(smemdesc(*WRONG, "--json", "--b-tile", "128x64").out)
    assert {"a", "b", "idesc", "mask", "findings"} <= set(data)
    assert data["mask"] is None
    assert data["idesc"]["value"] == "0x08210490"
    assert data["a"] == {
        **json.loads(
            smemdesc(
                "decode", "--json", "--kind", "tcgen05", "--dtype", "bf16", "--major", "K", "--shape", "128x16", A
            ).out
        ),
        "findings": [],  # the tile that it fits is told of one descriptor, not of each operand
        "not_checked": [
            {"what": "architecture", "give": "--arch"},
            {"what": "tile", "give": "--a-tile"},
            {"what": "map", "give": "--a-map"},
        ],
        "role": "a",
        "major": "K",
        "dtype": "bf16",
        "shape": [128, 16],
    }
    rules = {(each["operand"], each["rule"]) for each in data["findings"]}
    assert {(None, "transpose-and-strides"), ("b", "tile-and-descriptor")} <= rules
    tile = data["tiles"]["b"]
    assert (tile["field"], tile["present"], tile["wanted"]) == ("leading_byte_offset", 16, 8192)
    assert tile["misread"][0] == {"element": [64, 0], "reads": [8, 0]}
    assert data["tiles"]["a"] is None


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ([*SOUND, "--check"], 0),
        ([*SOUND, "--strict"], 0),
        ([*WRONG, "--check"], 0),
        ([*WRONG, "--strict"], 1),
        ([*WRONG, "--check", "--b-tile", "128x64"], 1),
        ([*WRONG, "--b-tile", "128x64"], 0),
        ([*WRONG, "--json", "--strict"], 1),
    ],
)
def test_exit_status(arguments: list[str], status: int) -> None:
    assert smemdesc(*arguments).status == status


AT_64 = ["mma", "--a", A, "--b", "0x4000404000010c40", "--mma-kind", "f16", "--b-tile", "128x128,at=0x8400"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ([*AT_64, "--idesc", IDESC, "--a-tile", "128x128,at=0x400"], {"k-steps-differ"}),
        ([*AT_64, "--idesc", IDESC], set()),
        ([*SOUND, "--a-tile", "128x128,at=0x400", "--b-tile", "128x128,at=0x4400"], {"operands-share-memory"}),
        ([*SOUND, "--a-tile", "128x64,at=0x400", "--b-tile", "128x64,at=0x4400"], set()),
        ([*SOUND, "--a-tile", "128x64,dtype=half"], {"tile-and-descriptor", "type-code"}),
        ([*AT_64, "--idesc", "0x03200490", "--a-tile", "128x128"], {"shape"}),  # M 48
        ([*AT_64, "--idesc", "0x08280490", "--a-tile", "128x128"], {"tile-and-shape", "tile-and-descriptor"}),  # N 160
        ([*AT_64, "--idesc", "0x00200490", "--a-tile", "128x128"], {"shape", "tile-and-descriptor"}),  # M 0
        ([*SOUND, "--a-tile", "128x64,major=MN"], {"tile-and-descriptor"}),
    ],
)
def test_an_instruction_is_judged_in_its_tiles_however_wrong_it_is(arguments: list[str], rules: set[str]) -> None:
    ran = smemdesc(*arguments, "--json", "--strict")
    assert {each["rule"] for each in json.loads(ran.out)["findings"]} == rules
    assert ran.status == bool(rules)


@pytest.mark.slow
@pytest.mark.parametrize("dump", ["gemm_sm90.sass", "gemm_sm100.sass", "matmul_sm90.ptx", "matmul_sm100.ptx"])
def test_the_command_that_a_scan_prints_says_the_same(dump: str) -> None:
    report = smemdesc("scan", "--all", str(DATA / dump)).out
    typed = re.findall(r"smemdesc mma .*", report)
    assert typed
    assert len(typed) == len(re.findall(r"(?m)^  \d+ x ", report))
    scanned = [json.loads(line) for line in smemdesc("scan", "--json", str(DATA / dump)).out.splitlines()]
    said = {tuple(sorted(each["rule"] for each in mma["findings"])) for mma in scanned}
    for command in typed:
        data = json.loads(smemdesc(*shlex.split(command)[1:], "--json").out)
        assert tuple(sorted(each["rule"] for each in data["findings"])) in said
        assert any((data["b"] or {}).get("shape") == (mma["b"] or {}).get("shape") for mma in scanned)


@pytest.mark.parametrize(("arch", "said"), [("sm_100f", True), ("sm_100a", False)])
def test_a_family_target_has_another_name_for_the_block_size(arch: str, said: bool) -> None:
    kind = ["--mma-kind", "mxf4", "--scale-vec", "2", "--arch", arch]
    ran = smemdesc("mma", "--json", "--a", A, "--b", B, "--idesc", "0x08a00480", *kind)
    assert ("PTX for sm_100f has .block16 or .block32 in place of .scale_vec::2X" in ran.err) is said
    assert ran.status == 0


def test_an_operand_beyond_shared_memory_alone_is_no_sign_of_the_other_major_ness() -> None:
    """A quarter of a 256x256 tile: its LBO of 32 KB is that of MN-major, and without effect in K-major."""
    words = "--a 0x4000004000001440 --b 0x4000004008003440 --inst m64n128k16 --dtype f16 --d-type f32 --trans-b"
    ran = smemdesc("mma", *words.split())
    assert "outside-shared-memory" in ran.out
    assert "transpose-and-strides" not in ran.out


def test_digits_in_the_other_base_are_said_first() -> None:
    ran = smemdesc("mma", "--a", "0x4000004002001c85", "--idesc", "68158608")
    first = next(line for line in ran.out.splitlines() if line.startswith(("error", "warning")))
    assert first.startswith("error digits-without-prefix: idesc: only the decimal reading of 68158608 is sound")


FIELDS_OF_ONE = [
    (["--short"], "tcgen05.mma kind::f16 with a, b, idesc: valid\n"),
    (["--field", "verdict"], "valid\n"),
    (["--field", "a.swizzle", "--field", "b.lbo", "--field", "idesc.m"], "128B\t16\t128\n"),
]
SOUND = ["mma", "0x4000404000010040", "0x4000404000010440", "0x08200490", "--mma-kind", "f16"]


@every_row(("options", "shown"), FIELDS_OF_ONE)
def test_one_line_or_one_field(options: list[str], shown: str) -> None:
    ran = smemdesc(*SOUND, *options)
    assert (ran.out, ran.err, ran.status) == (shown, "", 0)


@pytest.mark.parametrize("name", ["a", "c.swizzle", "a.swizle", "swizzle"])
def test_a_field_that_an_instruction_does_not_have(name: str) -> None:
    ran = smemdesc(*SOUND, "--field", name)
    assert (ran.out, ran.status) == ("", 2)
    assert "verdict, a.NAME, b.NAME or idesc.NAME" in ran.err or "did you mean swizzle" in ran.err
