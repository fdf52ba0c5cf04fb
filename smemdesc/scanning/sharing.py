"""Tables that share what they have in common: what holds where each of many blocks begins, where each changes little.

A table is a tree of tuples, never changed: a table with another entry has new tuples on the way to that entry and all
others in common. What two tables have in common is one object, and is passed over where they are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import compress
from typing import Any

_BITS = 4
_FAN = 1 << _BITS
_EMPTY: tuple[Any, ...] = (None,) * _FAN
_REMEMBERED = 20_000
Node = tuple[Any, ...] | None
"""Entries, or tables of them; None where there is no entry."""


class Numbers(dict[Any, int]):
    """The places of names in tables, in the order in which they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.ordered: list[Any] = []
        """The names by their places."""

    def __missing__(self, name: Hashable) -> int:
        made = self[name] = len(self)
        self.ordered.append(name)
        return made

    def mask(self, names: Iterable[Hashable]) -> int:
        """Return a set of names as an integer: far smaller than a set where there are many."""
        out = 0
        for name in names:
            out |= 1 << self[name]
        return out

    def names(self, mask: int) -> set[Any]:
        """Return the names in a mask."""
        return set(compress(self, bin(mask)[:1:-1].encode().translate(_DIGITS)))


_DIGITS = bytes(max(0, code - ord("0")) for code in range(256))


class Sharing:
    """How tables are read and made whose places are those of ``numbers``."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.top = max(0, (len(numbers) - 1).bit_length() - 1) // _BITS * _BITS

    def get(self, node: Node, name: Hashable) -> Any:
        """Return an entry, None where there is none."""
        number = self.numbers.get(name)
        if number is None:
            return None
        shift = self.top
        while shift and node is not None:
            node = node[number >> shift & _FAN - 1]
            shift -= _BITS
        return None if node is None else node[number & _FAN - 1]

    def put(self, node: Node, number: int, entry: Any) -> Node:
        """Return a table with another entry."""
        return _put(node, number, entry, self.top)

    def without(self, node: Node, mask: int) -> Node:
        """Return a table without the entries of a mask."""
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            node = _put(node, lowest.bit_length() - 1, None, self.top)
        return node

    def filled(self, entry: Any) -> Node:
        """Return a table with the same entry everywhere."""
        node: Node = (entry,) * _FAN
        for _ in range(self.top // _BITS):
            node = (node,) * _FAN
        return node


def _put(node: Node, number: int, entry: Any, shift: int) -> Node:
    made = list(_EMPTY if node is None else node)
    at = number >> shift & _FAN - 1
    made[at] = _put(made[at], number, entry, shift - _BITS) if shift else entry
    return tuple(made)


class Merging:
    """Merges tables entry by entry, and the same parts of tables once."""

    def __init__(self, sharing: Sharing, merge: Callable[..., Any]) -> None:
        """``merge`` returns an entry for one of each table, the same object where that is one of them."""
        self._top = sharing.top
        self._merge = merge
        self._done: dict[tuple[int, ...], tuple[Any, ...]] = {}
        self.merged = 0
        """How many parts of tables were merged."""

    def __call__(self, *nodes: Node) -> Node:
        """Return the merged table: the first, if nothing changes; what ``merge`` answers for each place in it."""
        return self._node(nodes, self._top)

    def _node(self, nodes: tuple[Node, ...], shift: int) -> Node:
        key = tuple(map(id, nodes))
        done = self._done.get(key)
        if done is not None:
            return done[0]  # type: ignore[no-any-return]
        old, new = nodes[0], nodes[1]
        self.merged += 1
        made = []
        same = True
        other = True
        for entries in zip(*[_EMPTY if node is None else node for node in nodes], strict=True):
            first, second = entries[0], entries[1]
            if first is second:
                made.append(first)
                continue
            entry = self._node(entries, shift - _BITS) if shift else self._merge(*entries)
            same = same and entry is first
            other = other and entry is second
            made.append(entry)
        result = old if same else new if other else tuple(made)
        if len(self._done) > _REMEMBERED:
            self._done.clear()
        # What is remembered by its address has to stay.
        self._done[key] = (result, nodes)
        return result


class Layer(dict[Any, Any]):
    """The entries that were written since a block began, over a table of what held there."""

    __slots__ = ("below", "sharing")

    def __init__(self, sharing: Sharing | None = None, below: Node = None) -> None:
        super().__init__()
        self.sharing = sharing
        self.below = below

    def __missing__(self, name: Hashable) -> Any:
        """Return an entry that was not written since, None where there is none."""
        return None if self.sharing is None else self.sharing.get(self.below, name)

    def table(self) -> Node:
        """Return all of it as a table."""
        if self.sharing is None:
            return None
        node, numbers, put = self.below, self.sharing.numbers, self.sharing.put
        for name, entry in self.items():
            node = put(node, numbers[name], entry)
        return node
