"""Lines of styled spans: aligned, wrapped, never cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.render.lines import columns, indented, plain, wrap

TEXT = st.lists(st.sampled_from(["a", "word", "longer-word", "x" * 30]), max_size=20).map(" ".join)


def test_plain_drops_styles_and_trailing_blanks() -> None:
    assert plain([[("a", "key"), ("  ", "")], [], [("b", "")]]) == "a\n\nb\n"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", None, ["one two three"]),
        ("one two three", 13, ["one two three"]),
        ("one two three", 12, ["one two", "three"]),
        ("one two three", 1, ["one", "two", "three"]),
        ("", 5, [""]),
        ("unbreakable", 3, ["unbreakable"]),
    ],
)
def test_wrap(text: str, width: int | None, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@some(150)
@given(TEXT, st.integers(1, 60))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert " ".join(lines) == text
    assert all(len(line) <= width or " " not in line for line in lines)


def test_indented_text_continues_under_itself() -> None:
    lines = list(indented([("error: ", "error")], "one two three four five six seven eight", "", 32))
    assert plain(lines) == "error: one two three four five\n       six seven eight\n"
    assert lines[0][0] == ("error: ", "error")


def test_columns_are_aligned() -> None:
    rows = [[("a", "key"), ("1", ""), ("first", "")], [("long", "key"), ("22", ""), ("second", "")]]
    assert plain(columns(rows, None)) == "a     1   first\nlong  22  second\n"


def test_a_wide_last_column_wraps_in_place() -> None:
    rows = [[("key", ""), ("word " * 20 + "end", "")]]
    lines = plain(columns(rows, 60)).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert [line[:5] for line in lines] == ["key  ", "     "]


def test_where_little_room_is_left_text_goes_under_its_row() -> None:
    rows = [[("key", ""), ("v" * 40, ""), ("word " * 20 + "end", "")]]
    lines = plain(columns(rows, 60)).splitlines()
    assert lines[0] == "key  " + "v" * 40
    assert lines[1].startswith("     word")


def test_no_rows() -> None:
    assert list(columns([], 80)) == []


@some(100)
@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5), st.one_of(st.none(), st.integers(20, 200)))
def test_no_column_loses_a_word(rows: list[tuple[str, str, str]], width: int | None) -> None:
    text = plain(columns([[(cell, "") for cell in row] for row in rows], width))
    assert text.split() == " ".join(" ".join(row) for row in rows).split()
