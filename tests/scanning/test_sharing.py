"""Tables that share what they have in common, read and written like plain dicts; and insertions into aggregates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.scanning.aggregates import DEEPEST, Insertion, Insertions, Path
from smemdesc.scanning.sharing import Layer, Merging, Node, Numbers, Sharing

NAMES = [f"r{number}" for number in range(300)]
NUMBERS = Numbers()
NUMBERS.mask(NAMES)
SHARING = Sharing(NUMBERS)
entries = st.dictionaries(st.sampled_from(NAMES), st.tuples(st.integers(0, 3)), max_size=40)


def table(of: dict[str, tuple[int]], below: Node = None) -> Node:
    layer = Layer(SHARING, below)
    layer.update(of)
    return layer.table()


def read(node: Node) -> dict[str, tuple[int]]:
    layer = Layer(SHARING, node)
    return {name: layer[name] for name in NAMES if layer[name] is not None}


@given(entries, entries)
def test_a_table_has_what_was_put_last(first: dict[str, tuple[int]], second: dict[str, tuple[int]]) -> None:
    below = table(first)
    assert read(table(second, below)) == {**first, **second}
    assert read(below) == first


@given(entries, st.sets(st.sampled_from(NAMES)))
def test_entries_are_taken_out_by_a_mask(of: dict[str, tuple[int]], names: set[str]) -> None:
    mask = NUMBERS.mask(names)
    assert NUMBERS.names(mask) == names
    assert read(SHARING.without(table(of), mask)) == {name: entry for name, entry in of.items() if name not in names}


@given(entries, entries)
def test_tables_are_merged_entry_by_entry(first: dict[str, tuple[int]], second: dict[str, tuple[int]]) -> None:
    def least(one: tuple[int] | None, other: tuple[int] | None) -> tuple[int] | None:
        return None if one is None or other is None else one if one <= other else other

    merging = Merging(SHARING, least)
    old, new = table(first), table(second)
    merged = merging(old, new)
    assert read(merged) == {name: min(first[name], second[name]) for name in first if name in second}
    assert merging(merged, new) is merged or read(merging(merged, new)) == read(merged)
    assert merging(old, old) is old


def test_what_two_tables_have_in_common_is_not_looked_at() -> None:
    below = table(dict.fromkeys(NAMES, (1,)))
    merging = Merging(SHARING, lambda one, other: one)
    merging(table({"r0": (2,)}, below), table({"r1": (3,)}, below))
    assert merging.merged == 3  # a node of each level on the way to both


def test_one_entry_everywhere_is_as_many_tuples_as_levels() -> None:
    node = SHARING.filled((7,))
    assert read(node) == dict.fromkeys(NAMES, (7,))
    assert node is not None
    assert len({id(each) for each in node}) == 1


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
