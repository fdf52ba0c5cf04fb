"""Aligns the instructions of a compiler's output with the instructions of its source.

The text is a walk over the source: mostly from one instruction to the next. It may jump from block to block, begin a
block again (a loop that was unrolled), and repeat an instruction (once for each predicate).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

MISMATCH, MISSING, BACK, SPLIT, SKIP, JUMP = 15, 20, 20, 9, 3, 1
"""The costs of a walk: an instruction that differs, a missing one, a step back within a block, a step out of or into
the middle of a block, a step over an instruction or onto the same one, a jump to the beginning of a block. One
instruction that differs is likelier than a step back, and a step back than two that differ."""


_REMOVED = "removed"


class SourceBlocks(NamedTuple):
    """The blocks and predicates of the source's instructions."""

    blocks: Sequence[object]
    """The block of each instruction; instructions of one block are adjacent."""
    guards: Sequence[str]
    """The predicate of each, or empty: some of adjacent instructions with different predicates may be omitted."""

    @property
    def begins(self) -> list[bool]:
        """For each instruction, whether a walk may enter its block there."""
        flags: list[bool] = []
        seen: set[str] = set()
        for place, (block, guard) in enumerate(zip(self.blocks, self.guards, strict=True)):
            if place and self.blocks[place - 1] != block:
                seen = set()
            flags.append(seen.isdisjoint(("", guard)))
            seen.add(guard)
        return flags

    @property
    def ends(self) -> list[bool]:
        """For each instruction, whether a walk may leave its block there."""
        return SourceBlocks(self.blocks[::-1], self.guards[::-1]).begins[::-1]


def align(source: SourceBlocks, guarded: Sequence[bool], wrong: Callable[[int, int], int]) -> list[int]:
    """Return for each instruction of the text the index of its source instruction, on the cheapest walk.

    ``guarded``: whether each instruction of the text has a predicate. ``wrong(source, text)`` returns how much two
    instructions differ (0: they may be the same).
    """
    begins, ends = source.begins, source.ends
    cost: list[float] = [0 if not place else JUMP if begin else SPLIT for place, begin in enumerate(begins)]
    ways: list[list[int]] = []
    for at, repeats in enumerate(guarded):
        if at:
            cost, way = _step(cost, source.blocks, begins, ends, repeats)
            ways.append(way)
        cost = [before + (MISMATCH + far if (far := wrong(place, at)) else 0) for place, before in enumerate(cost)]
    walk = [min(range(len(cost)), key=lambda place: cost[place] + (0 if ends[place] else SPLIT))]
    for way in reversed(ways):
        walk.append(way[walk[-1]])
    return walk[::-1]


def _step(
    cost: Sequence[float], blocks: Sequence[object], begins: Sequence[bool], ends: Sequence[bool], repeats: bool
) -> tuple[list[float], list[int]]:
    """Return the lowest cost to reach each instruction of the source in one more step, and from which instruction."""
    every = range(len(cost))
    end = min((place for place in every if ends[place]), key=cost.__getitem__)
    cheapest = min(every, key=cost.__getitem__)
    second = min((place for place in every if blocks[place] != blocks[cheapest]), key=cost.__getitem__, default=None)
    later = _cheapest_so_far(cost[::-1], blocks[::-1])
    costs, way = [], []
    for place, earlier in enumerate(_cheapest_so_far(cost, blocks)):
        later_offset = later[len(cost) - 1 - place]
        steps = [(cost[place - 1], place - 1)] if place else []
        steps += [(cost[end] + JUMP, end)] if begins[place] else []
        steps.append((cost[place] + (SKIP if repeats else BACK), place))
        elsewhere = cheapest if blocks[cheapest] != blocks[place] else second
        steps += [(cost[elsewhere] + SPLIT, elsewhere)] if elsewhere is not None else []
        steps += [(cost[earlier] + SKIP, earlier)] if earlier is not None else []
        steps += [(cost[-1 - later_offset] + BACK, len(cost) - 1 - later_offset)] if later_offset is not None else []
        least, start = min(steps, key=lambda step: step[0])
        costs.append(least)
        way.append(start)
    return costs, way


def _cheapest_so_far(cost: Sequence[float], blocks: Sequence[object]) -> list[int | None]:
    """Return for each instruction the cheapest earlier one of its block; None if it is the first."""
    cheapest: list[int | None] = []
    for place, block in enumerate(blocks):
        before = cheapest[-1] if place and blocks[place - 1] == block else None
        inside = place > 0 and blocks[place - 1] == block
        cheapest.append(place - 1 if inside and (before is None or cost[place - 1] <= cost[before]) else before)
    return cheapest


def disorder(source: SourceBlocks, guarded: Sequence[bool], walk: Sequence[int]) -> tuple[list[int], int]:
    """Return the indices in a walk where an earlier instruction of the same block follows, or the same one again.

    Also return how many steps leave or enter the middle of a block, including the first and the last.

    A completed block may begin again, and an instruction may have a second predicate. Instructions that are not in the
    walk were removed.
    """
    blocks, there = source.blocks, set(walk)
    guards = [guard if place in there else _REMOVED for place, guard in enumerate(source.guards)]
    source = SourceBlocks(blocks, guards)
    begins, ends = source.begins, source.ends
    back: list[int] = []
    if not walk:
        return back, 0
    begun = begins[walk[0]]
    splits = 0
    for at, (a, b) in enumerate(pairwise(walk)):
        if blocks[a] != blocks[b]:
            splits += not (ends[a] and begins[b])
            begun = begins[b]
        elif b < a or (a == b and not guarded[at + 1]):
            if not (begun and ends[a] and begins[b]):
                back.append(at)
            begun = begins[b]
    # If the order changed, a walk that begins or ends in the middle of a block is already counted there.
    return back, splits if back else splits + (not begins[walk[0]]) + (not ends[walk[-1]])
