"""What copies near unmapped memory did on an H200 (``allocation.txt``): the allocation class has no effect there."""

from __future__ import annotations

from pathlib import Path

LINES = [line.split() for line in Path(__file__).with_name("allocation.txt").read_text().splitlines() if line[0] != "#"]
CASES = {(tuple(case), bit): answer for *case, bit, answer in LINES}
CONTROL = "32"
"""Rows of the tensor by the map of a control, which end in unmapped memory."""


def test_bit_85_changes_no_copy() -> None:
    assert len(CASES) == 52
    assert all(answer == CASES[case, "0"] for (case, _), answer in CASES.items())


def test_only_the_control_faults() -> None:
    assert {case for case in CASES if "ERROR" in CASES[case]} == {case for case in CASES if case[0][3] == CONTROL}
