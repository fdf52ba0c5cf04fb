"""``smemdesc layout atom``: whole outputs, JSON, pictures, what is refused."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from run import held, refused

from smemdesc.cli.layout_atom import command
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import ALL, Atom
from smemdesc.layout.placed import by_line
from smemdesc.render.atom import AtomView, to_physical
from smemdesc.render.console import lines as drawn
from smemdesc.render.console import stdout

GOLDEN = Path(__file__).parent.parent / "golden_layout"
RUNS = {
    "atom-128B-K": ["--swizzle", "128B", "--major", "K"],
    "atom-64B-K": ["--swizzle", "64B", "--major", "K"],
    "atom-32B-K": ["--swizzle", "32B", "--major", "K"],
    "atom-none-K": ["--swizzle", "none", "--major", "K"],
    "atom-128B-MN": ["--swizzle", "128B", "--major", "MN"],
    "atom-64B-MN": ["--swizzle", "64B", "--major", "MN"],
    "atom-32B-MN": ["--swizzle", "32B", "--major", "MN"],
    "atom-none-MN": ["--swizzle", "none", "--major", "MN"],
    "atom-128B_32B-MN": ["--swizzle", "128b_32b", "--major", "mn"],
    "atom-tf32-K-elements": ["--swizzle", "128B", "--major", "K", "--dtype", "tf32", "--elements"],
    "atom-tf32-MN-elements": ["--swizzle", "128B", "--major", "MN", "--dtype", "tf32", "--elements"],
    "atom-e2m3-elements": ["--swizzle", "32B", "--major", "K", "--dtype", "e2m3", "--elements"],
    "atom-mxf4-elements": [
        *("--swizzle", "none", "--major", "K", "--dtype", "e2m1", "--mma-kind", "mxf4", "--elements"),
        *("--direction", "to-physical"),
    ],
    "atom-mma-0": ["--swizzle", "128B", "--major", "K", "--mma", "0"],
    "atom-mma-1-to-physical": ["--swizzle", "64B", "--major", "K", "--mma", "1", "--direction", "to-physical"],
    "atom-start": ["--swizzle", "32B", "--major", "K", "--start", "0x4a0", "--base-offset", "1"],
    "atom-json": ["--swizzle", "32B", "--major", "K", "--json"],
    "atom-mma-json": ["--swizzle", "128B", "--major", "K", "--mma", "0", "--json"],
    "atom-svg": ["--swizzle", "32B", "--major", "K", "--svg", "-"],
}


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(command, list(arguments), prog_name="smemdesc layout atom", env=env)


@pytest.mark.parametrize("name", RUNS)
def test_whole_output(name: str) -> None:
    ran = run(*RUNS[name])
    held(GOLDEN, name, ran.stdout)
    assert (ran.exit_code, ran.stderr) == (0, "")


@pytest.mark.parametrize(("swizzle", "major"), ALL)
def test_addresses_of_units(swizzle: str, major: str) -> None:
    found = json.loads(run("--swizzle", swizzle, "--major", major, "--json", "--start", "2KiB").stdout)
    atom = Atom(swizzle, major, dtype_of(found["dtype"]), start=2048)
    down, across = (1, atom.operand.unit) if major == "K" else (atom.operand.unit, 1)
    assert found["addresses"] == [
        [atom.operand.address(mn, k) for k in range(0, atom.shape.k, across)] for mn in range(0, atom.shape.mn, down)
    ]


@pytest.mark.parametrize("dtype", ["tf32", "bf16", "e4m3", "e2m3", "b1"])
@pytest.mark.parametrize("major", ["K", "MN"])
def test_lines_hold_what_the_addresses_say(major: str, dtype: str) -> None:
    options = ["--swizzle", "64B", "--major", major, "--dtype", dtype, "--json", "--start", "0x30", "--elements"]
    found = json.loads(run(*options).stdout)
    held = {}
    for line in found["lines"]:
        for mn, k, chunk in line["holds"]:
            held[mn, k] = line["address"] + 16 * chunk
    mns, ks = found["shape"]
    assert len(held) == mns * ks
    for mn in range(mns):
        for k in range(ks):
            assert held[mn, k] <= found["addresses"][mn][k] < held[mn, k] + 16


def test_mma_step_is_the_librarys() -> None:
    atom = Atom("128B", "K", dtype_of("bf16"))
    for step in range(4):
        found = json.loads(run("--swizzle", "128B", "--major", "K", "--mma", str(step), "--json").stdout)["mma"]
        assert found["lines"] == by_line(atom, step)
        assert found["order"] == [[unit for unit in row if unit is not None] for row in found["lines"]]


def test_the_table_of_the_first_mma_in_both_forms() -> None:
    text = run("--swizzle", "128B", "--major", "K", "--mma", "0").stdout
    assert "   3    384    .    .    7    6    .    .    .    .\n" in text
    assert "units line by line: 0 1 | 3 2 | 4 5 | 7 6 | 8 9 | 11 10 | 12 13 | 15 14\n" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--major", "K"], ["--swizzle is missing"]),
        (["--swizzle", "128B"], ["--major is missing"]),
        (["--swizzle", "256B", "--major", "K"], ["256B", "128B_32B"]),
        (["--swizzle", "128B_32B", "--major", "K"], ["no K-major atom", "Table 58"]),
        (["--swizzle", "128B", "--major", "K", "--dtype", "fp8"], ["fp8", "e4m3"]),
        (["--swizzle", "128B", "--major", "K", "--start", "8"], ["--start 8", "16"]),
        (["--swizzle", "128B", "--major", "K", "--start", "UR4"], ["--start UR4", "1KiB"]),
        (["--swizzle", "128B", "--major", "K", "--start", "-16"], ["--start -16"]),
        (["--swizzle", "128B", "--major", "K", "--base-offset", "8"], ["--base-offset 8", "0..7"]),
        (["--swizzle", "128B", "--major", "K", "--base-offset", "9"], ["--base-offset 9: it is 0 to 7"]),
        (["--swizzle", "128B", "--major", "K", "--base-offset", "1.5"], ["'1.5' is not a whole number", "0..7"]),
        (["--swizzle", "128B", "--major", "K", "--mma", "x"], ["--mma 'x' is not a whole number"]),
        (["--swizzle", "32B", "--major", "K", "--mma", "1"], ["outside the atom"]),
        (["--swizzle", "none", "--major", "K", "--mma", "0"], ["two atoms"]),
        (["--swizzle", "128B", "--major", "MN", "--mma", "0"], ["MN-major"]),
        (["--swizzle", "128B", "--major", "K", "--mma", "0", "--elements"], ["--elements"]),
        (["--swizzle", "128B", "--major", "K", "--svg", "/nowhere/x.svg"], ["--svg /nowhere/x.svg", "No such file"]),
    ],
)
def test_bad_use_is_a_clear_error(arguments: list[str], words: list[str]) -> None:
    refused("layout", "atom", *arguments, says=words)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--swizzle", "128B", "--major", "MN", "--dtype", "tf32"],
        ["--swizzle", "128B_32B", "--major", "MN", "--dtype", "bf16"],
        ["--swizzle", "64B", "--major", "MN", "--dtype", "e2m1", "--mma-kind", "mxf4"],
    ],
)
def test_what_no_instruction_reads_is_said(arguments: list[str]) -> None:
    assert "note: no instruction reads this: " in run(*arguments).stdout


def test_colour_paints_the_same_lines() -> None:
    plain_text = run("--swizzle", "128B", "--major", "MN", "--elements").stdout
    painted = run("--swizzle", "128B", "--major", "MN", "--elements", "--color", "always").stdout
    assert "\x1b" not in plain_text
    assert all(f"\x1b[30;{code}m" in painted for code in (101, 43, 103, 102, 46, 104, 47, 105))
    assert len(painted.splitlines()) == len(plain_text.splitlines()) + 2  # what the colours say


@pytest.mark.parametrize("elements", [False, True])
@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize(("swizzle", "major"), ALL)
def test_lines_fit_a_terminal_and_lose_nothing(swizzle: str, major: str, width: int, elements: bool) -> None:
    atom = Atom(swizzle, major, dtype_of("e4m3"))
    text = drawn(AtomView(atom, elements=elements, directions=("to-logical",)), width)
    assert max(map(len, text.splitlines())) <= width
    cells = text.split()
    step = 16
    for mn in range(0, atom.shape.mn, 1 if elements or major == "K" else step):
        for k in range(0, atom.shape.k, 1 if elements or major == "MN" else step):
            assert f"{mn},{k}" in cells


def test_neighbours_of_one_colour_are_one_span() -> None:
    atom = Atom("128B", "K", dtype_of("bf16"))
    segments = list(stdout("always").render(to_physical(atom, elements=True).grid))
    assert all(one.style != other.style for one, other in pairwise(segments))
    assert sum(segment.style is not None and segment.style.bgcolor is not None for segment in segments) == 64


@pytest.mark.parametrize("elements", ["--units", "--elements"])
@pytest.mark.parametrize(("swizzle", "major"), ALL)
def test_picture_is_svg_that_holds_every_cell(swizzle: str, major: str, elements: str, tmp_path: Path) -> None:
    file = tmp_path / "atom.svg"
    ran = run("--swizzle", swizzle, "--major", major, elements, "--svg", str(file))
    # The text is printed as well, as without the picture.
    plain = run("--swizzle", swizzle, "--major", major, elements)
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, plain.stdout, "")
    root = ElementTree.fromstring(file.read_text())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert all(0 <= float(each.attrib["x"]) <= width and 0 <= float(each.attrib["y"]) <= height for each in texts)
    shown = [each.text for each in texts]
    assert f"{swizzle} swizzle, {major}-major, " in str(shown[0])
    atom = Atom(swizzle, major, dtype_of("tf32" if swizzle == "128B_32B" else "bf16"))
    assert f"{atom.shape.mn - 1},{atom.shape.k - 1}" in shown if elements == "--elements" else "0→0" in shown
