"""What every value of a function in SSA form is known to hold, found from the values that are asked for.

Where each name is written once and the merge points name what they merge, the definitions alone say all that
:mod:`smemdesc.scan.flow` learns from the blocks: no branch need be understood, and only what a descriptor depends
on is looked at. A name is whatever the front end uses; a constant operand is its value, a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from smemdesc.scan.flow import Fact, Transfer
from smemdesc.scan.known import UNKNOWN

Name = Hashable


class Definition(NamedTuple):
    """How a value follows from others."""

    at: int
    """Where it stands (a line)."""
    reads: tuple[Any, ...] = ()
    transfer: Transfer | None = None
    """Takes a value for each of ``reads``, returns one. None: nothing is known of the result."""
    merges: bool = False
    """Whether the result is one of ``reads``, and which is not known (``transfer`` is None then)."""


_PATIENCE = 6
"""How often a merge may change before the bits that still move are given up."""


class Solved(dict[Any, Fact]):
    """What is known of each value, and how it follows from others."""

    def __init__(self, definitions: dict[Any, Definition | None], order: list[Any]) -> None:
        super().__init__()
        self.definitions = definitions
        self.order = order
        """Each name after what it reads, but for cycles."""


def solve(wanted: Iterable[Name], define: Callable[[Name], Definition | None]) -> Solved:
    """Return what is known of the values ``wanted`` and of all that they depend on.

    ``define`` returns the definition of a name, None where there is none (an argument, or text that is missing).
    A merge on a cycle starts from what comes in from outside and loses what the way round contradicts.
    """
    definitions: dict[Any, Definition | None] = {}
    order = _order(wanted, define, definitions)
    rank = {name: place for place, name in enumerate(order)}
    readers: dict[Any, list[Any]] = {}
    for name, definition in definitions.items():
        for read in definition.reads if definition is not None else ():
            if read.__class__ is not tuple:
                readers.setdefault(read, []).append(name)
    facts = Solved(definitions, order)
    visits: dict[Any, int] = {}
    heap = list(range(len(order)))
    heapify(heap)
    waiting = set(heap)
    while heap:
        place = heappop(heap)
        waiting.remove(place)
        name = order[place]
        new = _fact(name, definitions[name], facts, visits)
        if new is None or facts.get(name, (None, None))[:2] == new[:2]:
            continue
        facts[name] = new
        for reader in readers.get(name, ()):
            if rank[reader] not in waiting:
                waiting.add(rank[reader])
                heappush(heap, rank[reader])
    for name in order:
        if name not in facts:
            # A cycle that nothing comes into.
            definition = definitions[name]
            facts[name] = (*UNKNOWN, None if definition is None else definition.at)
    return facts


def _order(
    wanted: Iterable[Name], define: Callable[[Name], Definition | None], definitions: dict[Any, Definition | None]
) -> list[Any]:
    """Return all names that are needed, each after what it reads, but for cycles; fill ``definitions``."""
    order: list[Any] = []
    for first in wanted:
        if first.__class__ is tuple or first in definitions:
            continue
        definitions[first] = define(first)
        stack = [(first, _names(definitions[first]))]
        while stack:
            name, reads = stack[-1]
            for read in reads:
                if read not in definitions:
                    definitions[read] = define(read)
                    stack.append((read, _names(definitions[read])))
                    break
            else:
                order.append(name)
                stack.pop()
    return order


def _names(definition: Definition | None) -> Any:
    reads = () if definition is None else definition.reads
    return iter([read for read in reads if read.__class__ is not tuple])


def _fact(name: Any, definition: Definition | None, facts: dict[Any, Fact], visits: dict[Any, int]) -> Fact | None:
    """Return what follows for a name now; None where that waits for what is not known yet."""
    if definition is None:
        return (*UNKNOWN, None)
    values = [(*read, None) if read.__class__ is tuple else facts.get(read) for read in definition.reads]
    if definition.merges:
        return _merged(name, [value for value in values if value is not None], definition.at, facts, visits)
    if None in values:
        return None
    bits, known = (
        UNKNOWN if definition.transfer is None else definition.transfer(*(each[:2] for each in values if each))
    )
    lost, highest = definition.at, 1
    for value in values:
        if value is not None and value[2] is not None and ~value[1] & _WIDE >= highest:
            lost, highest = value[2], ~value[1] & _WIDE
    return bits, known, lost


def _merged(name: Any, values: list[Fact], at: int, facts: dict[Any, Fact], visits: dict[Any, int]) -> Fact | None:
    if not values:
        return None
    bits, known, lost = values[0]
    for other in values[1:]:
        both = known & other[1] & ~(bits ^ other[0])
        if both != known:
            lost = lost if lost is not None else other[2] if other[2] is not None else at
        bits, known = bits & both, both
    old = facts.get(name)
    if old is not None:
        visits[name] = visits.get(name, 0) + 1
        gone = old[1] & ~(known & ~(bits ^ old[0]))
        # A merge only ever loses; what moves for too long is given up, from the lowest bit that moved.
        known = old[1] & ~gone
        if gone and visits[name] > _PATIENCE:
            known &= (gone & -gone) - 1
        bits = old[0] & known
    return bits, known, at if lost is None else lost


_WIDE = (1 << 64) - 1
