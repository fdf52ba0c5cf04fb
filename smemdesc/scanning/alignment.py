"""The instructions of a text aligned with those that a compiler made it from.

The text is a walk over the source: mostly from one instruction to the next. It may jump from block to block, begin a
block again (a loop that was unrolled), and repeat an instruction (once for each predicate).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

DIFFERS, MISSING, BACK, SKIP, JUMP = 15, 20, 10, 3, 1
"""What a walk costs: an instruction that is not what it should be, one that is missing, a step back within a block, a
step over an instruction or onto the same one, a jump to the beginning of a block. One that differs is likelier than two
steps back."""


def align(blocks: Sequence[object], length: int, wrong: Callable[[int, int], int]) -> list[int]:
    """Return the instruction of the source for each of the ``length`` ones of the text, on the cheapest walk.

    ``blocks`` are the blocks of the source's instructions, those of one block side by side; ``wrong(source, text)`` is
    how much two instructions differ (0: they may be the same).
    """
    count = len(blocks)
    first = [not place or blocks[place] != blocks[place - 1] for place in range(count)]
    last = [*first[1:], True]
    cost: list[float] = [0 if not place else JUMP if first[place] else SKIP for place in range(count)]
    ways: list[list[int]] = []
    for at in range(length):
        if at:
            cost, way = _step(cost, blocks, first, last)
            ways.append(way)
        cost = [before + (DIFFERS + far if (far := wrong(place, at)) else 0) for place, before in enumerate(cost)]
    place = min(range(count), key=lambda each: cost[each] + (0 if last[each] else SKIP))
    walk = [place]
    for way in reversed(ways):
        walk.append(way[walk[-1]])
    return walk[::-1]


def _step(
    cost: Sequence[float], blocks: Sequence[object], first: Sequence[bool], last: Sequence[bool]
) -> tuple[list[float], list[int]]:
    """Return what it costs to come to each instruction of the source from the cheapest before it, and from which."""
    count = len(cost)
    ends = min((each for each in range(count) if last[each]), key=cost.__getitem__)
    cheapest = min(range(count), key=cost.__getitem__)
    other = min((each for each in range(count) if blocks[each] != blocks[cheapest]), key=cost.__getitem__, default=None)
    behind = [count] * count  # the cheapest of the same block that comes later
    for place in range(count - 2, -1, -1):
        if not first[place + 1]:
            later = behind[place + 1]
            behind[place] = place + 1 if later == count or cost[place + 1] <= cost[later] else later
    made, way = [], []
    before = count  # the cheapest of the same block that comes earlier
    for place in range(count):
        before = count if first[place] else place - 1 if before == count or cost[place - 1] <= cost[before] else before
        steps = [(cost[place - 1], place - 1)] if place else []
        steps.append((cost[place] + SKIP, place))
        elsewhere = cheapest if blocks[cheapest] != blocks[place] else other
        if elsewhere is not None:
            steps.append((cost[elsewhere] + SKIP, elsewhere))
        if first[place]:
            steps.append((cost[ends] + JUMP, ends))
        steps += [(cost[each] + price, each) for each, price in ((before, SKIP), (behind[place], BACK)) if each < count]
        least, start = min(steps, key=lambda step: step[0])
        made.append(least)
        way.append(start)
    return made, way


def steps_back(blocks: Sequence[object], walk: Sequence[int]) -> list[int]:
    """Return the places in a walk that are followed by an earlier instruction of the same block.

    From the last of a block to the first is no such step: that begins the block again.
    """
    of = {block: [place for place, each in enumerate(blocks) if each == block] for block in blocks}
    return [
        at
        for at, (a, b) in enumerate(pairwise(walk))
        if b < a and blocks[a] == blocks[b] and (of[blocks[a]][0], of[blocks[a]][-1]) != (b, a)
    ]
