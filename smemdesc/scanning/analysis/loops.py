"""The loops of a control flow graph: where each begins, its blocks, and which of them run in every iteration."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)

_EFFORT = 64
"""The limit on visits of blocks, per block of the graph."""


class NaturalLoop(NamedTuple):
    """A natural loop: control comes into ``body`` through ``header`` only."""

    header: int
    body: frozenset[int]
    latches: frozenset[int]
    """The blocks of the body with an edge back to the header."""
    always: frozenset[int]
    """The blocks of the body that every iteration that leads back has run."""


class Graph:
    """Blocks by number: the successors of each, and the entries."""

    def __init__(self, following: Sequence[Sequence[int]], entries: Sequence[int]) -> None:
        self.following = following
        self.order = postorder(entries, following.__getitem__)[::-1]
        """All blocks that can be reached, in reverse postorder."""
        self.rank = {number: place for place, number in enumerate(self.order)}
        before: list[set[int]] = [set() for _ in following]
        for number in self.order:
            for successor in following[number]:
                before[successor].add(number)
        self.before = [sorted(predecessors) for predecessors in before]
        self._entries = frozenset(entries)
        self._left = 0
        self._above: dict[int, int | None] | None = None

    def circles(self) -> bool:
        """Whether there is any back edge."""
        rank = self.rank
        return any(rank[successor] <= rank[number] for number in self.order for successor in self.following[number])

    def loops(self) -> list[NaturalLoop]:
        """Return the natural loops, each after the loops inside it.

        With many nested loops the outer ones are left out, or all of them: together they have too many blocks.
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
            return loops  # the search for dominators was cut short
        # Inner loops come after the header of the outer one.
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
            # Every iteration has run what is on all paths to all of the latches.
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
        """Return the immediate dominator of each block (None if it has none).

        None if that takes too long.
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


def postorder(roots: Iterable[Vertex], following: Callable[[Vertex], Iterable[Vertex]]) -> list[Vertex]:
    """Return all nodes that can be reached from ``roots``, each after its successors, except on cycles."""
    seen: set[Vertex] = set()
    done: list[Vertex] = []
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
