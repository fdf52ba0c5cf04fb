"""The analysis over blocks: merges, loops, guards, what is lost where."""

from __future__ import annotations

from typing import Any

from smemdesc.scanning import known
from smemdesc.scanning.flow import Block, State, Step, solve

W = 32
FULL = (1 << W) - 1


def const(number: int) -> tuple[int, int]:
    return known.const(number, W)


def put(at: int, register: str, number: int, guarded: bool = False) -> Step:
    return Step(at, (register,), (const(number),), lambda a: a[:2], guarded)


def see(at: int) -> Step:
    return Step(at, (), (), None, watched=True)


def forget(at: int, register: str) -> Step:
    return Step(at, (register,), (), None)


def blocks(*described: tuple[list[Step], list[int]]) -> list[Block]:
    made = []
    for steps, following in described:
        block = Block(steps[0].at if steps else 0)
        block.steps = steps
        block.following = following
        made.append(block)
    made[0].entry = True
    return made


def seen(made: list[Block], register: str = "r") -> Any:
    found: dict[int, Any] = {}

    def watch(step: Step, state: State) -> None:
        found[step.at] = state[register]

    solve(made, watch)
    assert len(found) == 1
    return next(iter(found.values()))


def test_a_constant_arrives() -> None:
    assert seen(blocks(([put(1, "r", 7), see(2)], [])))[:2] == (7, FULL)


def test_two_ways_keep_what_they_agree_on() -> None:
    made = blocks(([], [1, 2]), ([put(1, "r", 0b1100)], [3]), ([put(2, "r", 0b1010)], [3]), ([see(3)], []))
    assert seen(made)[:2] == (0b1000, FULL & ~0b0110)


def test_a_guarded_step_may_be_skipped() -> None:
    made = blocks(([put(1, "r", 0b11), put(2, "r", 0b01, guarded=True), see(3)], []))
    assert seen(made)[:2] == (0b01, FULL & ~0b10)


def test_what_is_only_written_on_one_way_is_not_known() -> None:
    made = blocks(([], [1, 2]), ([put(1, "r", 1)], [2]), ([see(3)], []))
    assert seen(made)[1] == 0


def test_a_loop_keeps_what_it_does_not_change() -> None:
    step = Step(2, ("r",), ("r", const(2)), lambda a, b: known.or_(a, b))
    made = blocks(([put(1, "r", 0x40000000)], [1]), ([see(9), step], [1]))
    assert seen(made)[:2] == (0x40000000, FULL & ~2)


def test_a_counter_is_given_up_and_its_alignment_kept() -> None:
    step = Step(2, ("r",), ("r", const(8)), lambda a, b: known.add(a, b, W)[0])
    bits, mask, _ = seen(blocks(([put(1, "r", 0)], [1]), ([see(9), step], [1])))
    assert (bits, mask) == (0, 7)


def test_the_loss_is_where_it_happened() -> None:
    made = blocks(([put(1, "r", 1), forget(2, "r"), Step(3, ("r",), ("r",), lambda a: a[:2]), see(4)], []))
    assert seen(made)[2] == 2


def test_a_block_that_nothing_leads_to_knows_nothing() -> None:
    made = blocks(([put(1, "r", 1)], []), ([see(2)], []))
    assert seen(made)[1] == 0


def test_an_entry_in_the_middle_forgets() -> None:
    made = blocks(([put(1, "r", 1)], [1]), ([see(2)], []))
    made[1].entry = True
    assert seen(made)[1] == 0
