"""The loops of a control flow graph: where each begins, what belongs to it, and what surely runs in each round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Loop(NamedTuple):
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
        self.order = _ordered(following, entries)
        """All that can be reached, each before what follows it but for the way back of loops."""
        self.rank = {number: place for place, number in enumerate(self.order)}
        self.before: list[list[int]] = [[] for _ in following]
        for number in self.order:
            for each in following[number]:
                self.before[each].append(number)
        self._entries = frozenset(entries)

    def circles(self) -> bool:
        """Whether there is a way back at all."""
        rank = self.rank
        return any(rank[each] <= rank[number] for number in self.order for each in self.following[number])

    def loops(self) -> list[Loop]:
        """Return the natural loops, each after those that are in it."""
        above = self._dominators()
        latches: dict[int, list[int]] = {}
        for number in self.order:
            for each in self.following[number]:
                if self.rank[each] <= self.rank[number] and self._dominates(above, each, number):
                    latches.setdefault(each, []).append(number)
        found = []
        for header, back in latches.items():
            body = {header}
            waiting = list(back)
            while waiting:
                number = waiting.pop()
                if number not in body:
                    body.add(number)
                    waiting += self.before[number]
            always = frozenset(
                number for number in body if all(self._dominates(above, number, latch) for latch in back)
            )
            found.append(Loop(header, frozenset(body), frozenset(back), always))
        return sorted(found, key=lambda loop: (len(loop.body), self.rank[loop.header]))

    def _dominators(self) -> dict[int, int | None]:
        """Return for each block the nearest that all ways to it come through; None: there is none."""
        rank = self.rank
        above: dict[int, int | None] = dict.fromkeys(self._entries & set(rank))
        changed = True
        while changed:
            changed = False
            for number in self.order:
                if number in self._entries:
                    continue
                ways = [each for each in self.before[number] if each in above]
                best: int | None = ways[0]
                for each in ways[1:]:
                    best = self._common(above, best, each)
                if number not in above or above[number] != best:
                    above[number] = best
                    changed = True
        return above

    def _common(self, above: dict[int, int | None], a: int | None, b: int | None) -> int | None:
        while a != b:
            if a is None or b is None:
                return None
            if self.rank[a] > self.rank[b]:
                a = above[a]
            else:
                b = above[b]
        return a

    def _dominates(self, above: dict[int, int | None], a: int, b: int | None) -> bool:
        while b is not None and self.rank[b] > self.rank[a]:
            b = above[b]
        return a == b


def _ordered(following: Sequence[Sequence[int]], entries: Sequence[int]) -> list[int]:
    seen: set[int] = set()
    done: list[int] = []
    for first in entries:
        if first in seen:
            continue
        seen.add(first)
        stack = [(first, iter(following[first]))]
        while stack:
            number, left = stack[-1]
            for each in left:
                if each not in seen:
                    seen.add(each)
                    stack.append((each, iter(following[each])))
                    break
            else:
                done.append(number)
                stack.pop()
    done.reverse()
    return done
