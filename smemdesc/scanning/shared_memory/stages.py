"""Addresses that go around a ring of stages with the remainder of a value, as compilers write it.

``base + stride * (k % stages)`` becomes a pointer that goes on with k, less a multiple of a quotient: that is found by
its values, whatever instructions divide.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import gcd
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.analysis.provenance import Provenance, merges
from smemdesc.scanning.analysis.ssa import Version
from smemdesc.scanning.analysis.starts import LinearAddress, RelativeStarts, UpperBits

_MOST_STAGES = 32
_TRIED = 4 * _MOST_STAGES
"""The values of a counter that are tried."""
_LEAST_STRIDE = 8
"""Bytes of a barrier, the smallest thing of which a stage has one."""


class RingStage(NamedTuple):
    """The remainder of a value, mostly a counter, to which a number is added, by a number of stages."""

    value: Hashable
    plus: int
    stages: int


class _Counter(NamedTuple):
    """A value to which a loop adds a number."""

    first: LinearAddress | None
    """None: it begins with one of several."""
    step: int


class StageFinder:
    """Finds the addresses of a function that go around a ring of stages."""

    def __init__(self, names: Provenance, starts: RelativeStarts) -> None:
        self._names = names
        self._starts = starts
        self._counters: dict[Hashable, _Counter | None] = {}
        self._found: dict[frozenset[tuple[Hashable, int]], LinearAddress | None] = {}

    def in_stages(self, values: Iterable[Any], plus: int, bits: int, unit: int) -> LinearAddress | None:
        """Return the address that values hold together, in units of so many bytes, with the index of its stage as one
        value; None if it does not go around a ring."""
        at = LinearAddress(frozenset(), plus & ones(bits))
        for value in values:
            at = at.added(self._starts.address(value, bits, unit, self._is_of_one_value), bits)
        if at.terms not in self._found:
            self._found[at.terms] = self._in_stages(at.terms, bits)
        found = self._found[at.terms]
        return found and found.plus(at.offset, bits)

    def _is_of_one_value(self, leaf: UpperBits) -> bool:
        parts = set(self._starts.parts(leaf))
        return len(parts) == 1 and isinstance(parts.pop(), Version)

    def _in_stages(self, terms: frozenset[tuple[Hashable, int]], bits: int) -> LinearAddress | None:
        divided = [leaf for leaf, _ in terms if isinstance(leaf, UpperBits)]
        moving = {part for leaf in divided for part in self._starts.parts(leaf) if isinstance(part, Version)}
        if len(moving) != 1:
            return None
        (k,) = moving
        base, times = LinearAddress(frozenset(), 0), 0
        going: list[tuple[UpperBits, int]] = []
        for leaf, by in terms:
            if leaf == k:
                times += by
            elif isinstance(leaf, UpperBits) and k in (parts := self._starts.parts(leaf)):
                if set(parts) != {k}:
                    return None
                going.append((leaf, by))
            else:
                with_k = self._along(leaf, k, bits)
                fixed, along = (LinearAddress(frozenset([(leaf, 1)]), 0), 0) if with_k is None else with_k
                base, times = base.added(_times(fixed, by, bits), bits), times + along * by
        if any(self._counter(leaf) is not None for leaf, _ in base.terms):
            return None

        def value(n: int) -> int:
            return times * n + sum(by * _value(leaf, n) for leaf, by in going) & ones(bits)

        ring = _ring(value, bits)
        return None if ring is None else self._placed(base, k, ring, bits)

    def _placed(self, base: LinearAddress, k: Hashable, ring: _RingOfValues, bits: int) -> LinearAddress | None:
        """Return the address of a ring; of one in which each iteration takes the same stage, that stage."""
        counter = self._counter(k)
        first = base.plus(ring.first, bits)
        if counter is None or gcd(counter.step, ring.stages) == 1:
            return first._replace(terms=first.terms | {(RingStage(k, ring.plus, ring.stages), ring.stride)})
        if counter.step % ring.stages or counter.first is None or counter.first.terms:
            return None
        return first.plus((counter.first.offset + ring.plus) % ring.stages * ring.stride, bits)

    def _along(self, leaf: Hashable, k: Hashable, bits: int) -> tuple[LinearAddress, int] | None:
        """Return a counter of the same loop as a sum of what is fixed there and a multiple of another counter."""
        mine, other = self._counter(leaf), self._counter(k)
        if mine is None or other is None or getattr(leaf, "block", None) != getattr(k, "block", ()):
            return None
        by, rest = divmod(mine.step, other.step)
        if rest or mine.first is None or other.first is None:
            return None
        return mine.first.added(_times(other.first, -by, bits), bits), by

    def _counter(self, leaf: Hashable) -> _Counter | None:
        if leaf not in self._counters:
            self._counters[leaf] = None  # while it is looked for
            self._counters[leaf] = self._find_counter(leaf) if isinstance(leaf, Version) else None
        return self._counters[leaf]

    def _find_counter(self, leaf: Version) -> _Counter | None:
        definition = self._names.definition(leaf)
        sums = [self._sum(read) for read in (() if definition is None else merges(definition))]
        after = {total for total in sums if self._loop_value(total, leaf) is not None}
        first = set(sums) - after
        if len(after) != 1 or any(leaf == inner for total in first for inner, _ in total.terms):
            return None
        return self._counter_of(leaf, first.pop() if len(first) == 1 else None, after.pop())

    def _loop_value(self, total: LinearAddress, leaf: Version) -> Version | None:
        """Return the value at the start of the same iteration to which a sum adds a number."""
        ((inner, times), *more) = total.terms or ((None, 0),)
        if more or times != 1 or not isinstance(inner, Version):
            return None
        return inner if (inner.block, inner.index) == (leaf.block, leaf.index) else None

    def _counter_of(self, leaf: Version, first: LinearAddress | None, after: LinearAddress) -> _Counter | None:
        """Return a counter that is so much after another one, or itself, has been counted."""
        other = self._loop_value(after, leaf)
        if other == leaf:
            return _Counter(first, _signed(after.offset)) if after.offset else None
        counter = self._counter(other)
        if counter is None or counter.first is None:
            return None
        if first != counter.first.plus(after.offset - counter.step, WORD):
            return None
        return counter._replace(first=first)

    def _sum(self, read: Any) -> LinearAddress:
        if read.__class__ is tuple:
            bits, known = read
            whole = known & ones(WORD) == ones(WORD)
            return LinearAddress(frozenset() if whole else frozenset([(read, 1)]), bits & ones(WORD))
        return self._starts.address(read, WORD)


def _signed(word: int) -> int:
    return word - (1 << WORD) if word >> WORD - 1 else word


def _times(at: LinearAddress, by: int, bits: int) -> LinearAddress:
    terms = [(leaf, many) for leaf, times in at.terms if (many := times * by & ones(bits))]
    return LinearAddress(frozenset(terms), at.offset * by & ones(bits))


def _value(leaf: Hashable, n: int) -> int:
    """Return a value that is made of one counter, where that is a number."""
    if not isinstance(leaf, UpperBits):
        return n
    total = leaf.number + sum(times * _value(inner, n) for inner, times in leaf.terms) >> leaf.low
    return total if leaf.width is None else total & ones(leaf.width)


class _RingOfValues(NamedTuple):
    first: int
    stride: int
    plus: int
    """Which stage has the counter at 0."""
    stages: int


def _ring(value: Callable[[int], int], bits: int) -> _RingOfValues | None:
    """Return the ring around which the values of a counter go one after the other; None if they do not."""
    stages = sorted({value(n) for n in range(_MOST_STAGES + 1)})
    if not 1 < len(stages) <= _MOST_STAGES:
        return None
    # The first may lie before 0: the ring begins behind the largest gap.
    size = 1 << bits
    gaps = [(after - before) % size for before, after in zip([stages[-1], *stages], stages, strict=False)]
    lowest = max(range(len(stages)), key=gaps.__getitem__)
    begin, stride = stages[lowest], gaps[(lowest + 1) % len(stages)]
    if stride < _LEAST_STRIDE:
        return None
    plus = (value(0) - begin) % size // stride
    is_ring = all(value(n) == (begin + stride * ((n + plus) % len(stages))) % size for n in range(_TRIED))
    return _RingOfValues(begin, stride, plus, len(stages)) if is_ring else None
