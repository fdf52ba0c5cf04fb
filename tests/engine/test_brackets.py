"""Text in nested brackets is taken apart at the marks outside of them."""

from __future__ import annotations

import pytest
from tables import every_row

from smemdesc.engine.brackets import CODE, closing, spans, split


@every_row(
    ("text", "parts"),
    [
        ("", []),
        (" a , b ", ["a", "b"]),
        ("a,", ["a", ""]),
        ("<(a, b), [c, d]>, {e, f}", ["<(a, b), [c, d]>", "{e, f}"]),
        ('"a, (b", c', ['"a, (b"', "c"]),
        ("(a, b) -> c, d", ["(a, b) -> c", "d"]),
        ("a, b) , c", ["a", "b) , c"]),
    ],
)
def test_a_list_is_split_outside_brackets(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_the_arguments_of_a_call_end_with_its_bracket() -> None:
    text = 'f(a < b, g(1, 2), ", )"); h(3)'
    assert [text[start:end] for start, end in spans(text, 2, marks=CODE)] == ["a < b", " g(1, 2)", ' ", )"']


@pytest.mark.parametrize(("text", "end"), [("(a)", 2), ("<{(]>", -1), ('("))")', 5), ("((a)", -1), ("<a -> b>", 7)])
def test_a_bracket_is_closed_by_its_own(text: str, end: int) -> None:
    assert closing(text, 0) == end
