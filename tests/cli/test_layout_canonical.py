"""``smemdesc layout canonical``: whole outputs, JSON, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from run import held, refused

from smemdesc.cli.layout_canonical import command
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.forms import forms
from smemdesc.render.canonical import FormsView
from smemdesc.render.console import lines as drawn
from smemdesc.tiles.explaining import read
from smemdesc.tiles.reading import Ask

GOLDEN = Path(__file__).parent.parent / "golden_layout"
NUMBERS = {
    "canonical-figure-166": ("tf32", "K", "none", "16x16", "256", "128"),
    "canonical-figure-167": ("tf32", "K", "32B", "16x8", "16", "256"),
    "canonical-figure-167-as-printed": ("tf32", "K", "32B", "16x16", "512", "256"),
    "canonical-figure-168": ("bf16", "MN", "none", "16x16", "256", "128"),
    "canonical-figure-169": ("bf16", "MN", "32B", "32x16", "256", "512"),
    "canonical-figure-170": ("bf16", "MN", "64B", "64x16", "32x16B", "1KiB"),
    "canonical-128B_32B": ("tf32", "MN", "128B_32B", "64x8", "1024", "512"),
}
RUNS = {
    "canonical": [],
    "canonical-tf32-K": ["--dtype", "tf32", "--major", "k"],
    "canonical-all-with-numbers": ["--shape", "64x16", "--lbo", "512", "--sbo", "1024"],
    "canonical-json": ["--json"],
    "canonical-json-numbers": ["--json", "--major", "K", "--shape", "64x32", "--lbo", "512", "--sbo", "1024"],
    **{
        name: ["--dtype", dtype, "--major", major, "--swizzle", swizzle, "--shape", shape, "--lbo", lbo, "--sbo", sbo]
        for name, (dtype, major, swizzle, shape, lbo, sbo) in NUMBERS.items()
    },
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), prog_name="smemdesc layout canonical")


@pytest.mark.parametrize("name", RUNS)
def test_whole_output(name: str) -> None:
    ran = run(*RUNS[name])
    held(GOLDEN, name, ran.stdout)
    assert ran.exit_code == 0
    assert (ran.stderr == "") is (name != "canonical-all-with-numbers")


def test_modes_without_the_operand_are_named_beside_the_data() -> None:
    ran = run(*RUNS["canonical-all-with-numbers"])
    assert "K-major 128B_32B" not in ran.stdout
    assert ran.stderr.startswith("left out K-major 128B_32B: no K-major atom")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_operand_that_no_mode_has_is_an_error(more: list[str]) -> None:
    ran = run("--shape", "63x17", *more)
    assert ran.exit_code == 2
    assert "none of the 10 modes" in ran.stderr
    assert ran.stdout.count('"error": ') == (10 if more else 0)
    assert ran.stderr.count("left out ") == (0 if more else 10)


@pytest.mark.parametrize("width", [80, 100, 120])
def test_table_fits_a_terminal(width: int) -> None:
    lines = drawn(FormsView(forms(dtype_of("bf16")), dtype_of("bf16")), width).splitlines()
    assert max(map(len, lines)) <= width


def test_erratum_of_figure_167_is_shown_and_counted() -> None:
    text = run("--major", "K", "--swizzle", "32B").stdout
    assert "((8,2),(4,2)):((8,64),(1,4)) with k = 1 is right" in text
    assert "((8,2),(4,4)):((8,64),(1,4)) puts 256 elements at 136 offsets" in text


def test_json_has_a_row_a_line() -> None:
    rows = [json.loads(line) for line in run("--json").stdout.splitlines()]
    assert len(rows) == 10
    assert [row["swizzle"] for row in rows if row["ptx"] is None] == ["128B_32B", "128B_32B"]


def test_json_numbers_parse_as_cute() -> None:
    options = ["--dtype", "tf32", "--major", "K", "--swizzle", "32B", "--shape", "16x8", "--sbo", "256", "--json"]
    exact = json.loads(run(*options).stdout)["exact"]
    swizzle, _, layout = exact["cutlass"].partition(" o ")
    assert swizzle == "Swizzle<1,4,3>"
    assert read(layout, Ask(dtype=dtype_of("tf32"))).readings[0].buffer.shape == (16, 8)
    assert exact["leading_byte_offset"] == {"raw": 1, "value": 16}
    assert exact["stride_byte_offset"] == {"raw": 16, "value": 256}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lbo", "16"], ["--lbo", "--shape"]),
        (["--sbo", "16"], ["--sbo", "--shape"]),
        (["--shape", "64"], ["64x16"]),
        (["--swizzle", "256B"], ["256B"]),
        (["--dtype", "bf61"], ["bf61"]),
        (["--shape", "64x16", "--lbo", "UR4"], ["--lbo UR4", "1KiB"]),
        (["--shape", "64x16", "--major", "K", "--swizzle", "128B"], ["SBO is missing", "--sbo", "1024"]),
        (["--shape", "64x16", "--major", "K", "--swizzle", "128B", "--sbo", "1000"], ["1000", "multiple of 16"]),
        (["--shape", "60x16", "--major", "K", "--swizzle", "128B", "--sbo", "1024"], ["multiple of 8"]),
        (["--shape", "64x16", "--major", "K", "--swizzle", "128B_32B", "--sbo", "1024"], ["Table 58"]),
    ],
)
def test_bad_use_is_a_clear_error(arguments: list[str], words: list[str]) -> None:
    refused("layout", "canonical", *arguments, says=words)
