"""Which instructions of a function may be executed before its MMAs, and which after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from smemdesc.scanning.analysis.ssa import Ssa


class MmaOrder:
    """The order of the instructions of a function, as its branches allow it."""

    def __init__(self, ssa: Ssa, mmas: Iterable[int]) -> None:
        """``mmas``: the numbers of the MMAs, in the order of the text."""
        self.ssa = ssa
        self._last: dict[int, int] = {}
        self._first: dict[int, int] = {}
        """The first MMA of each block."""
        for index in mmas:
            self._last[ssa.block_of(index)] = index
            self._first.setdefault(ssa.block_of(index), index)
        self._before = _reached(self._last, ssa.before.__getitem__)
        self._after = _reached(self._last, lambda block: ssa.blocks[block].following)
        self._ways: dict[int, set[int]] = {}

    def is_before_mma(self, index: int) -> bool:
        """Whether an MMA may be executed after an instruction."""
        block = self.ssa.block_of(index)
        return block in self._before or index < self._last.get(block, index)

    def is_after_mma(self, index: int) -> bool:
        """Whether an instruction may be executed after an MMA."""
        block = self.ssa.block_of(index)
        return block in self._after or index > self._first.get(block, index)

    def may_follow(self, first: int, second: int) -> bool:
        """Return whether the second of two instructions may be executed after the first."""
        here, there = self.ssa.block_of(first), self.ssa.block_of(second)
        if there not in self._ways:
            self._ways[there] = _reached([there], self.ssa.before.__getitem__)
        return here in self._ways[there] or (here == there and first < second)


def _reached(blocks: Iterable[int], following: Callable[[int], Sequence[int]]) -> set[int]:
    """Return the blocks that are reached from some by one step or more."""
    found: set[int] = set()
    waiting = list(blocks)
    while waiting:
        more = [block for block in following(waiting.pop()) if block not in found]
        found.update(more)
        waiting += more
    return found
