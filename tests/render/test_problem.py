"""An error as lines: what was given, a caret at the place, what to type instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CHARACTERS, some
from tables import every_row

from smemdesc.engine.errors import FieldError, SmemdescError
from smemdesc.reading.pasted import pasted_values
from smemdesc.render.console import lines as drawn
from smemdesc.render.problem import problem_view


def shown(error: SmemdescError, where: str = "", width: int | None = None) -> list[str]:
    return drawn(problem_view(error, where), width).splitlines()


def wrong(text: str) -> SmemdescError:
    with pytest.raises(SmemdescError) as caught:
        pasted_values(text)
    return caught.value


@every_row(
    ("text", "marked", "carets"),
    [
        ("0x4000o40", "0x4000o40", "      ^"),
        ("  0x4000o40", "  0x4000o40", "        ^"),
        ("desc = 0x40004040000100400", "desc = 0x40004040000100400", "                         ^"),
        ("0x12345678901234567", "0x12345678901234567", "                  ^"),
        ("UR5", "UR5", "^^^"),
        ("0x1 0xg\n0x2", "0x1 0xg", "      ^"),
        ("0x1\n0x2 0xg", "0x2 0xg", "      ^"),
    ],
)
def test_caret(text: str, marked: str, carets: str) -> None:
    lines = shown(wrong(text))
    assert lines[0].startswith("error: ")
    assert lines[1:3] == [f"  {marked}", f"  {carets}"]


def test_where_it_stands_in_a_batch_comes_first_and_the_hint_last() -> None:
    lines = shown(wrong("0xg"), "line 7")
    assert lines[0] == "error: line 7: 'g' is not a hexadecimal digit"
    assert lines[-1] == "  the digits are 0-9 and a-f, ? for an unknown one"


def test_without_text_there_is_no_caret() -> None:
    error = FieldError("m", "m: 120 is not a multiple of 16", hint="m takes 0..496")
    assert shown(error) == ["error: m: 120 is not a multiple of 16", "  m takes 0..496"]
    assert shown(wrong("  "))[0] == "error: the value is empty"
    assert "^" not in drawn(problem_view(wrong("  ")))


def test_a_long_line_is_cut_around_the_place() -> None:
    lines = shown(wrong("0x1 " * 75 + "0x1g " + "0x1 " * 75))
    assert lines[1].startswith("  ...")
    assert lines[1].endswith("...")
    begin, end = lines[2].index("^"), lines[2].rindex("^") + 1
    assert lines[1][begin:end] == "g"


def test_message_wraps() -> None:
    error = SmemdescError(
        "a message of many words that goes on and on", hint="a hint of many words that goes on and on"
    )
    assert all(len(line) <= 32 for line in shown(error, width=32))


@some(150)
@given(st.text(CHARACTERS, max_size=200), st.integers(0, 200), st.integers(1, 50))
def test_any_text_can_be_shown(text: str, begin: int, length: int) -> None:
    error = SmemdescError("wrong", given=text, span=(min(begin, len(text)), min(begin + length, len(text) + 1)))
    lines = shown(error)
    assert lines[0] == "error: wrong"
    assert len(lines) in (1, 3)
    assert all(line.isprintable() for line in lines)
