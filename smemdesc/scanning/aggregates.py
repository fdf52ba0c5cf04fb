"""Which insertion into an aggregate decided a part of it.

Compilers build an aggregate of hundreds of parts by as many insertions, one after the other. Where each such chain
writes is noted once, so that a part is found without walking along it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

Path = tuple[int, ...]
DEEPEST = 16
"""Indices of a path that are followed."""


class Insertion(NamedTuple):
    """An insertion: the aggregate that it changes, and which part of it."""

    into: Hashable
    """None: a constant."""
    where: Path
    value: Any = None
    """What is put there."""


class _Chain:
    """Insertions of which each changes what the one before it made."""

    def __init__(self, root: Hashable) -> None:
        self.root = root
        self.made: list[Any] = []
        self.at: dict[Path, list[int]] = {}
        """Which of them write the part that a path leads to."""
        self.within: dict[Path, list[int]] = {}
        """Which of them write only something in it."""

    def add(self, value: Any, where: Path) -> None:
        self.made.append(value)
        self.at.setdefault(where, []).append(len(self.made) - 1)
        for length in range(len(where)):
            self.within.setdefault(where[:length], []).append(len(self.made) - 1)


class Insertions(dict[Any, "Insertion | None"]):
    """The insertions of a function, by what they make; None for a value that none makes.

    ``read`` returns one. Those with more than :data:`DEEPEST` indices are none.
    """

    def __init__(self, read: Callable[[Any], Insertion | None]) -> None:
        super().__init__()
        self._read = read
        self._places: dict[Any, tuple[_Chain, int]] = {}

    def __missing__(self, value: Any) -> Insertion | None:
        found = self._read(value)
        made = self[value] = None if found is None or len(found.where) > DEEPEST else found
        return made

    def last(self, value: Any, path: Path) -> Any:
        """Return what the last insertion made that concerns the part ``path`` of a value, or what none made.

        The first of them concerns all parts where it inserts into a constant.
        """
        if len(path) > DEEPEST:
            return value
        seen = set()
        while self[value] is not None and value not in seen:
            seen.add(value)
            chain, place = self._placed(value)
            places = [chain.within.get(path, ()), *(chain.at.get(path[:size], ()) for size in range(len(path) + 1))]
            last = max((each[after - 1] for each in places if (after := bisect_right(each, place))), default=None)
            if last is not None:
                return chain.made[last]
            if chain.root is None:
                return chain.made[0]
            value = chain.root
        return value

    def _placed(self, value: Any) -> tuple[_Chain, int]:
        """Return the chain of an insertion, and its place in it."""
        before: dict[Any, Insertion] = {}
        while value is not None and value not in self._places and value not in before:
            found = self[value]
            if found is None:
                break
            before[value] = found
            value = found.into
        last = value
        for value, found in reversed(before.items()):
            chain, place = self._places.get(last, (None, 0))
            if chain is None or place != len(chain.made) - 1:
                chain = _Chain(last)
            chain.add(value, found.where)
            self._places[value] = (chain, len(chain.made) - 1)
            last = value
        return self._places[last]
