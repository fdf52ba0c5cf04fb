"""The analysis over blocks: what is known where ways meet or begin, and what is lost where."""

from __future__ import annotations

import pytest

from smemdesc.scanning import known
from smemdesc.scanning.flow import Block, Step, solve

FULL = (1 << 32) - 1


def put(at: int, register: str, number: int) -> Step:
    return Step(at, (register,), (known.const(number, 32),), lambda a: a[:2])


LOSE = Step(2, ("r",), (), None)
SEE = Step(9, (), (), None, watched=True)


def blocks(*described: tuple[list[Step], list[int]]) -> list[Block]:
    made = []
    for steps, following in described:
        block = Block(steps[0].at if steps else 0)
        block.steps = steps
        block.following = following
        made.append(block)
    made[0].entry = True
    return made


@pytest.mark.parametrize(
    ("described", "entry", "bits", "mask", "lost"),
    [
        ([([put(1, "r", 7), SEE], [])], 0, 7, FULL, 1),
        # Written on one way only.
        ([([], [1, 2]), ([put(1, "r", 1)], [2]), ([SEE], [])], 0, 0, 0, None),
        # Copied since it was lost.
        ([([put(1, "r", 1), LOSE, Step(3, ("r",), ("r",), lambda a: a[:2]), SEE], [])], 0, 0, 0, 2),
        # In a block that nothing leads to, and in one that is entered in the middle.
        ([([put(1, "r", 1)], []), ([SEE], [])], 0, 0, 0, None),
        ([([put(1, "r", 1)], [1]), ([SEE], [])], 1, 0, 0, None),
    ],
)
def test_what_is_known_of_a_register(
    described: list[tuple[list[Step], list[int]]], entry: int, bits: int, mask: int, lost: int | None
) -> None:
    made = blocks(*described)
    made[entry].entry = True
    found: list[tuple[int, int, int | None]] = []
    solve(made, lambda step, state: found.append(state.fact("r")))
    assert found[-1] == (bits, mask, lost)
