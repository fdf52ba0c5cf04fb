"""Blocks in which nothing happens, left out: of a function's hundreds only a few have a step that matters.

What holds where such a block begins holds where it ends, and where all ways to a block come from one other, that one
says what holds there. Left are the blocks with steps, those that are entered, and those where ways from different
ones of these meet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from smemdesc.scanning.flow import Block, order

_MOST = 4
"""How often another block may turn out to say what holds in one, before it is left in."""


def contracted(blocks: Sequence[Block], keep: Collection[int] = ()) -> list[Block]:
    """Return the blocks that are left, in their order, with those that follow them then.

    ``keep``: the numbers of blocks that are left in any case.
    """
    before: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        for each in block.following:
            before[each].append(number)
    says = _says(blocks, before, keep)
    left = [number for number, by in enumerate(says) if by == number]
    if len(left) == len(blocks) and not keep:
        return list(blocks)
    place = {number: at for at, number in enumerate(left)}
    made = [_copy(blocks[number]) for number in left]
    for number, at in place.items():
        said = (says[each] for each in before[number])
        made[at].before = list(dict.fromkeys(place[by] for by in said if by is not None))
        for each in made[at].before:
            made[each].following.append(at)
    return made


def _copy(block: Block) -> Block:
    made = Block(block.at)
    made.steps, made.entry, made.because = block.steps, block.entry, block.because
    made.unwritten, made.live = block.unwritten, block.live
    return made


def _says(blocks: Sequence[Block], before: Sequence[Sequence[int]], keep: Collection[int]) -> list[int | None]:
    """Return for each block the one at whose end holds what holds at its own; None where nothing leads to it."""
    says: list[int | None] = [
        number if block.steps or block.entry or block.unwritten or number in keep else None
        for number, block in enumerate(blocks)
    ]
    fixed = [by is not None for by in says]
    changes = [0] * len(blocks)
    ordered = order(blocks)
    waiting = ordered
    while waiting:
        moved: set[int] = set()
        for number in waiting:
            if fixed[number]:
                continue
            found = {by for each in before[number] if (by := says[each]) is not None}
            found.discard(number)
            by = found.pop() if len(found) == 1 else number if found else None
            if by == says[number]:
                continue
            changes[number] += 1
            if by == number or changes[number] > _MOST:
                by, fixed[number] = number, True
            says[number] = by
            moved.update(blocks[number].following)
        waiting = [number for number in ordered if number in moved]
    return says
