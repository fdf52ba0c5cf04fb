"""Maps of indices: each way leads back, and the formulas that are shown say the same."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdesc.layout.fragment import fragment_layout
from smemdesc.layout.index_map import IndexMap, check_index, index_map


@st.composite
def maps(draw: st.DrawFn) -> IndexMap:
    """Digits of two inputs, dealt in any order to three outputs, some of which begin elsewhere."""
    inputs: dict[str, list[tuple[int, str, int]]] = {"a": [], "b": []}
    distance = {"u": 1, "v": 1, "w": 2}
    for count in draw(st.lists(st.integers(1, 5), max_size=6)):
        output = draw(st.sampled_from("uvw"))
        inputs[draw(st.sampled_from("ab"))].append((count, output, distance[output]))
        distance[output] *= count
    return index_map("u v w", inputs, draw(st.fixed_dictionaries({}, optional={"u": st.integers(0, 9)})))


def values(of: IndexMap, text: str, names: dict[str, int]) -> int:
    """Return the value of a formula."""
    python = text.replace(" x ", " * ").replace("div", "//").replace("mod", "%")
    return int(eval(re.sub(r"(\d) (?=[(a-z])", r"\1 * ", python), dict(names)))


@pytest.mark.slow
@given(maps())
def test_each_way_leads_back_and_no_place_is_taken_twice(of: IndexMap) -> None:
    sizes = [max([move.end for move in of.moves if move.input == name], default=1) for name in of.inputs]
    cells = list(product(*map(range, sizes)))
    places = {of.place(*cell): cell for cell in cells}
    assert len(places) == len(cells)
    assert {place: of.preimage(*place) for place in places} == places
    assert all(of.inverse.inverse.place(*cell) == place == of.place(*cell) for place, cell in places.items())


@pytest.mark.slow
@given(maps(), st.integers(0, 999), st.integers(0, 999))
def test_formulas_say_what_place_does(of: IndexMap, a: int, b: int) -> None:
    cell = tuple(
        number % max([move.end for move in of.moves if move.input == name], default=1)
        for name, number in zip(of.inputs, (a, b), strict=True)
    )
    for way, numbers in ((of, cell), (of.inverse, of.place(*cell))):
        names = dict(zip(way.inputs, numbers, strict=True))
        for output, place in zip(way.outputs, way.place(*numbers), strict=True):
            assert values(way, way.formula(output), names) == place
            assert {values(way, side, names) for side in way.formula(output, *numbers).split(" = ")} == {place}


def test_where_nothing_is_nothing_is_found() -> None:
    half = index_map("lane", {"m": [(16, "lane", 1), (4, "lane", 32)]}, {"lane": 16})
    assert {lane: half.preimage(lane) for lane in (15, 16, 31, 32, 48, 127, 128, 144)} == {
        15: None, 16: (0,), 31: (15,), 32: None, 48: (16,), 127: (63,), 128: None, 144: None,
    }  # fmt: skip


def test_bits_that_move_alike_are_one_digit() -> None:
    of = index_map("row", {"T": [(2, "row", 8), *((2, "row", 1 << bit) for bit in range(3))]})
    assert of.formula("row") == "8 (T mod 2) + T div 2"


def test_a_formula_with_numbers_adds_up() -> None:
    of = fragment_layout("m64n64k16", "d", "f32").index_map
    assert of.formula("thread", 17, 3) == "32 x (17 div 16) + 4 x (17 mod 8) + 3 div 2 mod 4 = 32 + 4 + 1"
    assert of.formula("register", 17, 3) == "4 x (3 div 8) + 2 x (17 div 8 mod 2) + 3 mod 2 = 0 + 0 + 1"


@pytest.mark.parametrize(("number", "count", "hint"), [(-1, 4, "use row 0 to 3"), (1, 1, "use row 0")])
def test_a_number_out_of_range_is_refused(number: int, count: int, hint: str) -> None:
    with pytest.raises(Exception, match=f"there is no row {number}") as caught:
        check_index("row", number, count)
    assert caught.value.hint == hint  # type: ignore[attr-defined]
