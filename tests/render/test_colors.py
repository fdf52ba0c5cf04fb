"""The colors: what is written in them can be read, and no two are taken for each other, whatever cones one has."""

from __future__ import annotations

from itertools import combinations

import pytest
from colors import LMS_LESS, contrast, delta_e, lab
from rich.color import Color
from tables import every_row

from smemdesc.render import svg, text_picture
from smemdesc.render.console import CHUNK_COLORS, TEXT_COLORS, theme_of

NUMBERED = [f"chunk{number}" for number in range(len(CHUNK_COLORS))]


def shown(system: str, style: str) -> tuple[str, str]:
    """Return the colors of a style's text and of its ground; empty for the terminal's own."""
    found = theme_of(system).styles[style]
    color, ground = ("" if each is None or each.is_default else hexed(each) for each in (found.color, found.bgcolor))
    return color, ground


def hexed(color: Color) -> str:
    return color.get_truecolor().hex


@every_row(("one", "other", "distance"), [("#000000", "#ffffff", 100), ("#767676", "#767676", 0)])
def test_distances(one: str, other: str, distance: float) -> None:
    assert delta_e(lab(one), lab(other)) == pytest.approx(distance, abs=0.01)


@every_row(
    ("one", "other", "distance"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_of_sharma(
    one: tuple[float, float, float], other: tuple[float, float, float], distance: float
) -> None:
    assert delta_e(one, other) == pytest.approx(distance, abs=0.0001)


@every_row(("system", "least"), [("truecolor", 15), ("256", 13)])
@every_row("sight", list(LMS_LESS))
def test_the_eight_colors_stay_apart(system: str, least: float, sight: str) -> None:
    seen = [lab(shown(system, name)[1], sight) for name in NUMBERED]
    assert min(delta_e(one, other) for one, other in combinations(seen, 2)) >= least


@every_row("system", ["truecolor", "256", "standard"])
def test_no_two_of_the_eight_are_the_same(system: str) -> None:
    grounds = {theme_of(system).styles[name].bgcolor for name in NUMBERED}
    assert len(grounds) == len(NUMBERED)
    other = {theme_of(system).styles[name].bgcolor for name in TEXT_COLORS[system]}
    assert not grounds & (other - {None})  # one color, one meaning


@every_row("system", ["truecolor", "256"])
def test_text_on_the_eight_can_be_read(system: str) -> None:
    assert min(contrast(*shown(system, name)) for name in NUMBERED) >= 4.5


@every_row("system", ["truecolor", "256"])
@every_row("page", ["#ffffff", "#000000"])
def test_text_can_be_read_on_light_and_on_dark(system: str, page: str) -> None:
    low = {
        name: round(contrast(color, ground or page), 2)
        for name in theme_of(system).styles
        if name in (*TEXT_COLORS[system], "label", "note", "heading", "value")
        for color, ground in [shown(system, name)]
        if color and contrast(color, ground or page) < 4.5
    }
    assert low == {}


PALETTES_OF_16 = {
    "xterm": ("#000000", "#ffffff", {"red": "#cd0000", "yellow": "#cdcd00"}),
    "VGA": ("#000000", "#ffffff", {"red": "#aa0000", "yellow": "#aa5500"}),
    "Windows": ("#0c0c0c", "#f2f2f2", {"red": "#c50f1f", "yellow": "#c19c00"}),
    "macOS": ("#000000", "#e5e5e5", {"red": "#990000", "yellow": "#999900"}),
    "Tango": ("#000000", "#eeeeec", {"red": "#cc0000", "yellow": "#c4a000"}),
}
"""Black, bright white, and the grounds that findings have with 16 colors."""


@every_row("name", list(PALETTES_OF_16))
def test_findings_can_be_read_in_16_colors(name: str) -> None:
    """All other text has the terminal's own color."""
    black, white, grounds = PALETTES_OF_16[name]
    assert contrast(white, grounds["red"]) >= 4.5
    assert contrast(black, grounds["yellow"]) >= 3.8  # bold, and VGA's yellow is brown
    colored = {each for each in TEXT_COLORS["standard"] if theme_of("standard").styles[each].bgcolor is not None}
    assert colored == {"error", "warning"}


def test_pictures_can_be_read_on_light_and_on_dark() -> None:
    assert text_picture.SIZE >= svg.SMALL
    texts = {light: dark for light, dark in svg.DARK.items() if light not in (svg.GROUND, svg.EDGE, svg.ABSENT)}
    assert {light for light in texts if contrast(light, svg.GROUND) < 4.5} == set()
    assert {dark for dark in texts.values() if contrast(dark, svg.DARK[svg.GROUND]) < 4.5} == set()
