"""``smemdesc layout fragment``: the drawing, one thread, one element, JSON, pictures, refusals."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from samples import long_run

from smemdesc.cli.layout.fragment import command
from smemdesc.layout.fragment import RegisterSlot, fragment_layout
from smemdesc.render.console import lines as drawn
from smemdesc.render.index_map import element_view, place_view, whole_view

D = ["--shape", "m64n64k16", "--operand", "d", "--dtype", "f32"]
A = ["--shape", "m64n8k16", "--operand", "a", "--dtype", "bf16"]
B1 = ["--shape", "m64n8k256", "--operand", "a"]
DRAWN = [
    ("m64n8k8", "a", "tf32"),
    ("m64n8k16", "a", "f16"),
    ("m64n8k32", "a", "e4m3"),
    ("m64n8k256", "a", "b1"),
    ("m64n24k32", "d", "f16"),
    ("m64n256k16", "d", "f32"),
    ("m64n48k256", "d", "s32"),
]


FRAGMENT = ["layout", "fragment"]


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(command, arguments, env={"NO_COLOR": None, "FORCE_COLOR": None, **env})


def read_back(text: str, step: int) -> dict[tuple[int, int], str]:
    """Read a drawing: what stands in each (row, column); the columns come from the ruler above."""
    cells: dict[tuple[int, int], str] = {}
    ruler: list[int] = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["column"] and all(map(str.isdecimal, words[1:])):
            ruler = [int(word) for word in words[1:]]
        elif re.match(r" +\d+ +[T.]", line):
            assert len(words) == len(ruler) + 1
            cells |= {(int(words[0]), column): word for column, word in zip(ruler, words[1:], strict=True)}
    assert cells
    assert all(column % step == 0 for _, column in cells)
    return cells


@pytest.mark.corpus
@pytest.mark.parametrize("of", DRAWN, ids="-".join)
@pytest.mark.parametrize("width", [None, 80, 133, 20])
@pytest.mark.parametrize("everything", [False, True])
def test_drawing_shows_every_element_where_it_is(of: tuple[str, str, str], width: int | None, everything: bool) -> None:
    shown = fragment_layout(*of)
    step = 32 if of[2] == "b1" else 1
    cells = read_back(drawn(whole_view(shown, everything=everything), width), step)
    rows = 64 if everything else 16
    repeat = None if everything else shown.repeat()
    assert len(cells) == rows * (repeat[0] if repeat else shown.columns) // step
    for (row, column), text in cells.items():
        read = re.fullmatch(r"T(\d+):r(\d+)(?:\.(\d+))?(?:\.\.31)?", text)
        assert read is not None
        assert shown.cell(*(int(number or 0) for number in read.groups())) == (row, column)


@pytest.mark.slow
@pytest.mark.parametrize("of", DRAWN, ids="-".join)
@pytest.mark.parametrize("width", [80, long_run(100), long_run(133)])
def test_lines_fit_the_terminal(of: tuple[str, str, str], width: int) -> None:
    shown = fragment_layout(*of)
    for view in (
        whole_view(shown, everything=True),
        whole_view(shown),
        place_view(shown, 127, None),
        element_view(shown, shown.cell(127, shown.registers - 1)),
    ):
        assert [line for line in drawn(view, width).splitlines() if len(line) > width] == []


def test_one_repeat_is_drawn_and_the_others_are_said() -> None:
    shown = fragment_layout("m64n256k16", "d", "f32")
    text = drawn(whole_view(shown), 80)
    assert {column for _, column in read_back(text, 1)} == set(range(8))
    assert "columns 8..255: every 8 columns: r += 4 (column 8 begins with T0:r4)" in text
    assert len(text.splitlines()) < 35
    assert "every" not in drawn(whole_view(fragment_layout("m64n8k16", "d", "f32")))
    only = drawn(whole_view(shown, register=77))
    assert {cell for cell, text in read_back(only, 1).items() if text != "."} == {
        tuple(shown.cell(thread, 77)) for thread in range(32)
    }


def test_only_one_register() -> None:
    cells = read_back(run(*D, "--register", "r2", "--all").output, 1)
    shown = {cell for cell, text in cells.items() if text != "."}
    assert shown == {tuple(fragment_layout("m64n64k16", "d", "f32").cell(thread, 2)) for thread in range(128)}


def test_a_thread_by_its_name() -> None:
    assert run(*A, "--thread", "T5").output == run(*A, "--thread", "5").output


@pytest.mark.corpus
@pytest.mark.parametrize("of", DRAWN, ids="-".join)
def test_the_numbers_in_the_formula_add_up(of: tuple[str, str, str]) -> None:
    shown = fragment_layout(*of)
    for thread in range(0, 128, 7):
        for register in range(0, shown.registers, -(-shown.registers // 5)):
            cell = shown.cell(thread, register, shown.packed - 1)
            _, *lines, source = drawn(element_view(shown, cell)).splitlines()
            assert source.startswith("  source: ")
            said = dict(_equation(line) for line in lines)
            for name, (value, sides) in said.items():
                assert [eval(side) for side in sides] == [value] * len(sides), name
            assert (said["thread"][0], said["register"][0]) == (thread, register)
            assert (said["row"][0], said["column"][0]) == cell


def _equation(line: str) -> tuple[str, tuple[int, list[str]]]:
    """Take a line apart: the name, its value, and each side of the equation as Python."""
    read = re.fullmatch(r"  (\w+) +(\d+) +=(.*?)(?:  .*)?", line)
    assert read, line
    text = read[3].replace("div", "//").replace("mod", "%").replace(" x ", " * ")
    return read[1], (int(read[2]), text.split("="))


def test_json_of_the_whole_agrees_with_the_library() -> None:
    made = json.loads(run(*A, "--json").output)
    assert (made["shape"], made["operand"], made["dtype"], made["registers"]) == ("m64n8k16", "a", "bf16", 4)
    shown = fragment_layout("m64n8k16", "a", "bf16")
    assert [[RegisterSlot(*place) for place in row] for row in made["places"]] == list(shown.rows())


def test_colour_changes_no_text() -> None:
    plain_text = run(*D).output
    painted = run(*D, "--color", "always").output
    assert "\x1b[" in painted
    unpainted = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert [line.rstrip() for line in unpainted.splitlines()] == plain_text.splitlines()


CELL = re.compile(r"T\d+:r[\d.]+")


@pytest.mark.slow
@pytest.mark.parametrize("of", DRAWN, ids="-".join)
def test_svg_is_the_same_drawing(of: tuple[str, str, str]) -> None:
    given = ["--shape", of[0], "--operand", of[1], "--dtype", of[2]]
    step = 32 if of[2] == "b1" else 1
    for words in ([], ["--all"]):
        svg = run(*given, *words, "--svg", "-").output
        texts = [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
        # Of thousands of cells, a row is one text.
        cells = [text for text in texts if CELL.fullmatch(text)] or [
            cell for text in texts if len(text) > 100 for cell in CELL.findall(text)
        ]
        assert sorted(cells) == sorted(read_back(run(*given, *words).output, step).values())


def test_svg_on_standard_output_stands_alone() -> None:
    out = run(*A, "--svg", "-", "--register", "1", "--all").output
    ElementTree.fromstring(out)
    assert "T127:r1.1" in out
    assert ">T0:r0.0<" not in out
