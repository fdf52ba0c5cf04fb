"""Insertions into aggregates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.scanning.languages.compiler_ir import DEEPEST, Insertion, Insertions, Path

paths = st.lists(st.integers(0, 2), min_size=0, max_size=3).map(tuple)


def walked(made: dict[str, Insertion], value: str, path: Path) -> str:
    while value in made:
        where = made[value].where
        shared = min(len(where), len(path))
        if where[:shared] == path[:shared] or made[value].into is None:
            return value
        value = str(made[value].into)
    return value


@some(100)
@given(st.lists(st.tuples(st.integers(0, 20), paths), max_size=20), st.lists(paths, min_size=1), st.booleans())
def test_as_by_walking(described: list[tuple[int, Path]], asked: list[Path], constant: bool) -> None:
    made = {
        f"%{number}": Insertion(f"%{min(into, number) - 1}" if number and into else None if constant else "%x", where)
        for number, (into, where) in enumerate(described)
    }
    insertions = Insertions(made.get)
    for value in reversed(made):
        for path in asked:
            assert insertions.last(value, path) == walked(made, value, path)


def test_a_circle_ends() -> None:
    made = {"%a": Insertion("%b", (0,)), "%b": Insertion("%a", (1,))}
    assert Insertions(made.get).last("%a", (5,)) in made


def test_a_chain_is_read_once() -> None:
    asked = []

    def read(value: int) -> Insertion | None:
        asked.append(value)
        return Insertion(value - 1, (value,)) if value else None

    insertions = Insertions(read)
    assert [insertions.last(1000, (part,)) for part in range(1, 1001)] == list(range(1, 1001))
    assert len(asked) == 1001


@pytest.mark.parametrize("length", [DEEPEST + 1, 5000])
def test_paths_that_no_type_has_are_not_followed(length: int) -> None:
    deep = (0,) * length
    assert Insertions({"%a": Insertion("%x", deep)}.get).last("%a", (0,)) == "%a"
    assert Insertions({"%a": Insertion("%x", (1,))}.get).last("%a", deep) == "%a"
