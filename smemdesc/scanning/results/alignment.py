"""The instructions of a text aligned with those that a compiler made it from.

The text is a walk over the source: mostly from one instruction to the next. It may jump from block to block, begin a
block again (a loop that was unrolled), and repeat an instruction (once for each predicate).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

DIFFERS, MISSING, BACK, SPLIT, SKIP, JUMP = 15, 20, 20, 9, 3, 1
"""What a walk costs: an instruction that is not what it should be, one that is missing, a step back within a block, a
step out of the middle of a block or into that of another, a step over an instruction or onto the same one, a jump to
the beginning of a block. One instruction that differs is likelier than a step back, and that than two that differ."""


_REMOVED = "removed"


class SourceBlocks(NamedTuple):
    """The instructions that a text was made from."""

    blocks: Sequence[object]
    """The block of each; those of one block stand side by side."""
    guards: Sequence[str]
    """The predicate of each, or nothing: of those with another one than their neighbors' some may be left out."""

    @property
    def begins(self) -> list[bool]:
        """Whether nothing has to come before each in its block."""
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
        """Whether nothing has to come behind each in its block."""
        return SourceBlocks(self.blocks[::-1], self.guards[::-1]).begins[::-1]


def align(source: SourceBlocks, guarded: Sequence[bool], wrong: Callable[[int, int], int]) -> list[int]:
    """Return the instruction of the source for each one of the text, on the cheapest walk.

    ``guarded``: whether each one of the text has a predicate. ``wrong(source, text)`` is how much two instructions
    differ (0: they may be the same).
    """
    begins, ends = source.begins, source.ends
    cost: list[float] = [0 if not place else JUMP if begin else SPLIT for place, begin in enumerate(begins)]
    ways: list[list[int]] = []
    for at, repeats in enumerate(guarded):
        if at:
            cost, way = _step(cost, source.blocks, begins, ends, repeats)
            ways.append(way)
        cost = [before + (DIFFERS + far if (far := wrong(place, at)) else 0) for place, before in enumerate(cost)]
    walk = [min(range(len(cost)), key=lambda place: cost[place] + (0 if ends[place] else SPLIT))]
    for way in reversed(ways):
        walk.append(way[walk[-1]])
    return walk[::-1]


def _step(
    cost: Sequence[float], blocks: Sequence[object], begins: Sequence[bool], ends: Sequence[bool], repeats: bool
) -> tuple[list[float], list[int]]:
    """Return what it costs to come to each instruction of the source from the cheapest before it, and from which."""
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
    """Return for each place the cheapest of those before it in its block."""
    cheapest: list[int | None] = []
    for place, block in enumerate(blocks):
        before = cheapest[-1] if place and blocks[place - 1] == block else None
        inside = place > 0 and blocks[place - 1] == block
        cheapest.append(place - 1 if inside and (before is None or cost[place - 1] <= cost[before]) else before)
    return cheapest


def disorder(source: SourceBlocks, guarded: Sequence[bool], walk: Sequence[int]) -> tuple[list[int], int]:
    """Return the places in a walk that are followed by an earlier instruction of the same block, or by the same one.

    And how many steps lead out of the middle of a block, or into that of another; the first and the last, too.

    A block that was begun and ended may begin again, and an instruction may have a second predicate. What is nowhere in
    the walk was removed.
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
    # What begins and ends in the middle is counted where it is turned.
    return back, splits if back else splits + (not begins[walk[0]]) + (not ends[walk[-1]])
