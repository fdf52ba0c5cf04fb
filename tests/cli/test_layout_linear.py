"""``smemdesc layout linear``: whole outputs, both directions, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from run import held, refused

from smemdesc.cli.layout_atom import linear as command

GOLDEN = Path(__file__).parent.parent / "golden_layout"
BF16 = ["--swizzle", "128B", "--dtype", "bf16"]
RUNS = {
    "linear-128B-bf16": BF16,
    "linear-64B-e4m3": ["--swizzle", "64b", "--dtype", "e4m3"],
    "linear-none-tf32": ["--swizzle", "none", "--dtype", "tf32"],
    "linear-mxf4": ["--swizzle", "128B", "--dtype", "e2m1", "--mma-kind", "mxf4"],
    "linear-points": [*BF16, "--at", "3,17", "--at", "(0,0)", "--offset", "64", "--offset", "0x49"],
    "linear-json": [*BF16, "--json", "--at", "3,17"],
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), prog_name="smemdesc layout linear")


@pytest.mark.parametrize("name", RUNS)
def test_whole_output(name: str) -> None:
    ran = run(*RUNS[name])
    held(GOLDEN, name, ran.stdout)
    assert (ran.exit_code, ran.stderr) == (0, "")


def test_an_element_and_its_offset_are_inverse() -> None:
    there = json.loads(run(*BF16, "--json", *(part for n in range(512) for part in ("--offset", str(n)))).stdout)
    places = [",".join(map(str, point["at"])) for point in there["points"]]
    assert len(set(places)) == 512
    back = json.loads(run(*BF16, "--json", *(part for place in places for part in ("--at", place))).stdout)
    assert [point["offset"] for point in back["points"]] == list(range(512))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["--swizzle is missing", "smemdesc layout linear"]),
        (["--swizzle", "128B"], ["--dtype is missing"]),
        (["--swizzle", "256B", "--dtype", "bf16"], ["256B"]),
        (["--swizzle", "128B_32B", "--dtype", "tf32"], ["Triton", "128B"]),
        (["--swizzle", "128B", "--dtype", "e2m1"], ["containers"]),
        ([*BF16, "--at", "8,0"], ["(8, 0)", "0..7"]),
        ([*BF16, "--at", "3"], ["--at '3'", "ROW,COL"]),
        ([*BF16, "--offset", "512"], ["512", "0..511"]),
        ([*BF16, "--offset", "x"], ["--offset 'x'"]),
    ],
)
def test_bad_use_is_a_clear_error(arguments: list[str], words: list[str]) -> None:
    refused("layout", "linear", *arguments, says=words)
