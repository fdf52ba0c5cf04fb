"""A table that one test tries: no row is left out, and what fails is named by its values."""

from __future__ import annotations

from typing import Any

import pytest
from tables import every_row


def failures(*rows: tuple[int, int]) -> BaseException | None:
    """Return what a test of these rows, of two equal numbers, raises."""

    @every_row(("a", "b"), rows)
    def equal(a: int, b: int) -> None:
        with pytest.raises(ZeroDivisionError):
            assert a // (a - b)

    try:
        equal()
    except BaseException as problem:
        return problem
    return None


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    assert failures((1, 1), (2, 2)) is None
    several: Any = failures((1, 1), (1, 3), (5, 5), (4, 2), (9, 0))
    notes = [(type(failure).__name__, *failure.__notes__) for failure in several.exceptions]
    assert notes == [("Failed", f"row {n}: a = {a}, b = {b}") for n, a, b in ((2, 1, 3), (4, 4, 2))] + [
        ("Failed", "row 5: a = 9, b = 0")
    ]
    assert str(several).startswith("3 of 5 rows")


def test_one_failure_is_raised_as_it_is() -> None:
    one: Any = failures((1, 1), (1, 3))
    assert (type(one), one.__notes__) == (pytest.fail.Exception, ["row 2: a = 1, b = 3"])


@pytest.mark.parametrize("table", [[], [(1, 2), (3,)]])
def test_a_table_without_rows_or_with_a_gap_is_refused(table: list[Any]) -> None:
    with pytest.raises(ValueError, match="a table without rows"):
        every_row(("a", "b"), table)


@every_row("mark", "xy")
def test_the_other_arguments_are_fixtures(mark: str, tmp_path: Any) -> None:
    assert mark not in [file.name for file in tmp_path.iterdir()]
    (tmp_path / mark).touch()
