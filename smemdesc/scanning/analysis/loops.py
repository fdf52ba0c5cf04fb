"""The loops of a control flow graph: where each begins, what belongs to it, and what surely runs in each round."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)

_EFFORT = 64
"""Blocks that are looked at for each block there is, at most."""


class NaturalLoop(NamedTuple):
    """A natural loop: control comes into ``body`` through ``header`` only."""

    header: int
    body: frozenset[int]
    latches: frozenset[int]
    """Those of the body from which a round leads back to the header."""
    always: frozenset[int]
    """Those of the body that every round that leads back has run."""


class Graph:
    """Blocks by number, which may follow which, and which can be reached from outside."""

    def __init__(self, following: Sequence[Sequence[int]], entries: Sequence[int]) -> None:
        self.following = following
        self.order = postorder(entries, following.__getitem__)[::-1]
        """All that can be reached, each before what follows it but for the way back of loops."""
        self.rank = {number: place for place, number in enumerate(self.order)}
        self.before: list[list[int]] = [[] for _ in following]
        for number in self.order:
            for successor in following[number]:
                self.before[successor].append(number)
        self._entries = frozenset(entries)
        self._left = 0
        self._above: dict[int, int | None] | None = None

    def circles(self) -> bool:
        """Whether there is a way back at all."""
        rank = self.rank
        return any(rank[successor] <= rank[number] for number in self.order for successor in self.following[number])

    def loops(self) -> list[NaturalLoop]:
        """Return the natural loops, each after those that are in it.

        Of many loops in loops the outer ones are left out, or all of them: together they have too many blocks.
        """
        above = self.dominators()
        if above is None:
            return []
        self._left = _EFFORT * (1 + len(self.order))
        latches: dict[int, list[int]] = {}
        for number in self.order:
            for successor in self.following[number]:
                if self.rank[successor] <= self.rank[number] and self._dominates(above, successor, number):
                    latches.setdefault(successor, []).append(number)
        loops: list[NaturalLoop] = []
        if self._left < 0:
            return loops  # what was found out of dominators does not hold
        # What is within a loop comes after its header.
        for header, back in sorted(latches.items(), key=lambda item: -self.rank[item[0]]):
            body = {header}
            waiting = list(back)
            while waiting and self._left > 0:
                number = waiting.pop()
                self._left -= 1
                if number not in body:
                    body.add(number)
                    waiting += self.before[number]
            if waiting:
                continue
            # Every round has run what is on all ways to all of the latches.
            last: int | None = back[0]
            for latch in back[1:]:
                last = self._common(above, last, latch)
            always = []
            while last is not None and last != header:
                self._left -= 1
                always.append(last)
                last = above[last]
            loops.append(NaturalLoop(header, frozenset(body), frozenset(back), frozenset([header, *always])))
        return sorted(loops, key=lambda loop: (len(loop.body), self.rank[loop.header]))

    def dominators(self) -> dict[int, int | None] | None:
        """Return for each block the nearest that all ways to it come through (None: there is none).

        None where that takes too long.
        """
        if self._above is None and self._left == 0:
            self._left = _EFFORT * (1 + len(self.order))
            above = self._dominators()
            self._above = above if self._left >= 0 else None
        return self._above

    def _dominators(self) -> dict[int, int | None]:
        rank = self.rank
        above: dict[int, int | None] = dict.fromkeys(self._entries & set(rank))
        changed = True
        while changed and self._left >= 0:
            changed = False
            for number in self.order:
                if number in self._entries:
                    continue
                ways = [block for block in self.before[number] if block in above]
                best: int | None = ways[0]
                for way in ways[1:]:
                    best = self._common(above, best, way)
                if number not in above or above[number] != best:
                    above[number] = best
                    changed = True
        return above

    def _common(self, above: dict[int, int | None], a: int | None, b: int | None) -> int | None:
        while a != b:
            self._left -= 1
            if a is None or b is None or self._left < 0:
                return None
            if self.rank[a] > self.rank[b]:
                a = above[a]
            else:
                b = above[b]
        return a

    def _dominates(self, above: dict[int, int | None], a: int, b: int | None) -> bool:
        while b is not None and self.rank[b] > self.rank[a] and self._left >= 0:
            self._left -= 1
            b = above[b]
        return a == b


def postorder(roots: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """Return all nodes that ``first`` lead to, and these, each after those that follow it, but for cycles."""
    seen: set[Node] = set()
    done: list[Node] = []
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(following(root)))]
        while stack:
            node, left = stack[-1]
            for successor in left:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(following(successor))))
                    break
            else:
                done.append(node)
                stack.pop()
    return done
