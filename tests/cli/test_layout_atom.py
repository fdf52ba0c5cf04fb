"""``smemdesc layout atom``, ``canonical`` and ``linear``: whole outputs, JSON, pictures."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
from run import smemdesc
from tables import every_row

from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import EVERY_ATOM, Atom
from smemdesc.layout.forms import forms
from smemdesc.render.atom import atom_view, to_physical
from smemdesc.render.canonical import forms_view
from smemdesc.render.console import lines as drawn
from smemdesc.render.console import stdout
from smemdesc.tiles.explaining import read_layout
from smemdesc.tiles.reading import Options

ATOM, CANONICAL, LINEAR = (["layout", name] for name in ("atom", "canonical", "linear"))
BF16 = [*LINEAR, "--swizzle", "128B", "--dtype", "bf16"]


def numbers(dtype: str, major: str, swizzle: str, shape: str, lbo: str, sbo: str) -> list[str]:
    case = ["--dtype", dtype, "--major", major, "--swizzle", swizzle]
    return [*CANONICAL, *case, "--shape", shape, "--lbo", lbo, "--sbo", sbo]


@pytest.mark.parametrize(("swizzle", "major"), EVERY_ATOM)
def test_addresses_of_units(swizzle: str, major: str) -> None:
    found = json.loads(smemdesc(*ATOM, "--swizzle", swizzle, "--major", major, "--json", "--start", "2KiB").out)
    atom = Atom(swizzle, major, dtype_of(found["dtype"]), start=2048)
    down, across = (1, atom.operand.unit) if major == "K" else (atom.operand.unit, 1)
    assert found["addresses"] == [
        [atom.operand.address(mn, k) for k in range(0, atom.shape.k, across)] for mn in range(0, atom.shape.mn, down)
    ]


@pytest.mark.parametrize("dtype", ["tf32", "bf16", "e4m3", "e2m3", "b1"])
@pytest.mark.parametrize("major", ["K", "MN"])
def test_lines_hold_what_the_addresses_say(major: str, dtype: str) -> None:
    options = ["--swizzle", "64B", "--major", major, "--dtype", dtype, "--json", "--start", "0x30", "--elements"]
    found = json.loads(smemdesc(*ATOM, *options).out)
    held = {}
    for line in found["lines"]:
        for mn, k, chunk in line["holds"]:
            held[mn, k] = line["address"] + 16 * chunk
    mns, ks = found["shape"]
    assert len(held) == mns * ks
    for mn in range(mns):
        for k in range(ks):
            assert held[mn, k] <= found["addresses"][mn][k] < held[mn, k] + 16


def test_colour_paints_the_same_lines() -> None:
    plain_text = smemdesc(*ATOM, "--swizzle", "128B", "--major", "MN", "--elements").out
    painted = smemdesc(*ATOM, "--swizzle", "128B", "--major", "MN", "--elements", "--color", "always").out
    assert "\x1b" not in plain_text
    assert all(f"\x1b[30;{code}m" in painted for code in (103, 47, 42, 102, 105, 104, 46, 106))
    assert len(painted.splitlines()) == len(plain_text.splitlines()) + 2  # what the colours say


@pytest.mark.slow
@every_row("elements", [False, True])
@every_row("width", [40, 80, 120])
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_lines_fit_a_terminal_and_lose_nothing(swizzle: str, major: str, width: int, elements: bool) -> None:
    atom = Atom(swizzle, major, dtype_of("e4m3"), elements=elements)
    text = drawn(atom_view(atom, directions=("to-logical",)), width)
    assert max(map(len, text.splitlines())) <= width
    cells = text.split()
    step = 16
    for mn in range(0, atom.shape.mn, 1 if elements or major == "K" else step):
        for k in range(0, atom.shape.k, 1 if elements or major == "MN" else step):
            assert f"{mn},{k}" in cells


def test_neighbours_of_one_colour_are_one_span() -> None:
    atom = Atom("128B", "K", dtype_of("bf16"), elements=True)
    segments = list(stdout("always").render(to_physical(atom).grid))
    assert all(one.style != other.style for one, other in pairwise(segments))
    assert sum(segment.style is not None and segment.style.bgcolor is not None for segment in segments) == 64


@pytest.mark.slow
@pytest.mark.parametrize("elements", ["--units", "--elements"])
@pytest.mark.parametrize(("swizzle", "major"), EVERY_ATOM)
def test_picture_is_svg_that_holds_every_cell(swizzle: str, major: str, elements: str, tmp_path: Path) -> None:
    file = tmp_path / "atom.svg"
    ran = smemdesc(*ATOM, "--swizzle", swizzle, "--major", major, elements, "--svg", str(file))
    # The text is printed as well, as without the picture.
    plain = smemdesc(*ATOM, "--swizzle", swizzle, "--major", major, elements)
    assert (ran.status, ran.out, ran.err) == (0, plain.out, "")
    root = ElementTree.fromstring(file.read_text())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    assert all(0 <= float(each.attrib["x"]) <= width and 0 <= float(each.attrib["y"]) <= height for each in texts)
    shown = [each.text for each in texts]
    assert f"{swizzle} swizzle, {major}-major, " in str(shown[0])
    atom = Atom(swizzle, major, dtype_of("tf32" if swizzle == "128B_32B" else "bf16"))
    assert f"{atom.shape.mn - 1},{atom.shape.k - 1}" in shown if elements == "--elements" else "0→0" in shown


@pytest.mark.parametrize("width", [80, 100, 120])
def test_table_fits_a_terminal(width: int) -> None:
    lines = drawn(forms_view(forms(dtype_of("bf16")), dtype_of("bf16")), width).splitlines()
    assert max(map(len, lines)) <= width


def test_json_numbers_parse_as_cute() -> None:
    options = ["--dtype", "tf32", "--major", "K", "--swizzle", "32B", "--shape", "16x8", "--sbo", "256", "--json"]
    exact = json.loads(smemdesc(*CANONICAL, *options).out)["exact"]
    swizzle, _, layout = exact["cutlass"].partition(" o ")
    assert swizzle == "Swizzle<1,4,3>"
    assert read_layout(layout, Options(dtype=dtype_of("tf32"))).readings[0].buffer.shape == (16, 8)
    assert exact["leading_byte_offset"] == {"raw": 1, "value": 16}
    assert exact["stride_byte_offset"] == {"raw": 16, "value": 256}


def test_an_element_and_its_offset_are_inverse() -> None:
    there = json.loads(smemdesc(*BF16, "--json", *(part for n in range(512) for part in ("--offset", str(n)))).out)
    places = [",".join(map(str, point["at"])) for point in there["points"]]
    assert len(set(places)) == 512
    back = json.loads(smemdesc(*BF16, "--json", *(part for place in places for part in ("--at", place))).out)
    assert [point["offset"] for point in back["points"]] == list(range(512))
