"""What is known of every value of a function in SSA form, found from the values that are queried.

Where each name is written once and the merge points name what they merge, the definitions alone describe all that the
blocks do: only what a descriptor depends on is looked at. Registers get such names by
:mod:`smemdesc.scanning.analysis.ssa`. A name is whatever the front end uses; a constant operand is its value, a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones
from smemdesc.engine.known import UNKNOWN, Value, bounds, ranged, widened
from smemdesc.scanning.analysis.conditions import Condition, Refined, selection
from smemdesc.scanning.analysis.ir import Node
from smemdesc.scanning.analysis.loops import postorder

Name = Hashable
Kept = tuple[int, int, int | None] | tuple[int, int, int | None, int, int]
"""``(bits, known, lost)``: a value, and the line where its unknown bits were lost; then its range, if that says more
than the bits do."""


class Definition(NamedTuple):
    """How a value follows from others."""

    at: int
    """Its line, or a number that the front end turns into one."""
    reads: tuple[Any, ...] = ()
    transfer: Callable[..., Any] | None = None
    """Takes a value for each of ``reads``, returns one. None if nothing is known of the result."""
    merges: bool = False
    """Whether the result is one of ``reads``, and it is unknown which one (``transfer`` is None then)."""
    comparison: Condition | None = None
    """If the result is a comparison: what it implies for what was compared."""
    selects: bool = False
    """Whether the first of ``reads`` selects which of the next two the result is; the others are compared for it."""
    joins: tuple[Any, ...] = ()
    """What it merges, if ``transfer`` computes more than the merge: what is known in all iterations of a loop."""
    width: int = 0
    """Its bits; 0 if unknown."""

    @property
    def deciding(self) -> tuple[int, ...]:
        """The positions of ``reads`` that only decide which of the others the result is."""
        return (0, *range(3, len(self.reads))) if self.selects else ()

    @property
    def expression(self) -> Node:
        """``transfer``, which is an expression of operations unless the result only merges."""
        assert isinstance(self.transfer, Node)
        return self.transfer

    def result(self, values: Sequence[Value]) -> Value | None:
        """Return the result of ``transfer`` for values; None if they are impossible."""
        if self.transfer is None:
            return UNKNOWN
        result: Value | None = self.transfer(*values)
        return result


def define_refined(name: Refined, condition: Condition, at: int, width: int) -> Definition:
    """Return the definition of a value where the outcome of a comparison of it is known."""
    reads = ((int(name.holds), 1), name.value, name.value, *condition.reads)
    transfer = selection(condition, name.value, name.value, width)
    return Definition(at, reads, transfer, comparison=condition, selects=True, width=width)


Define = Callable[[Name], Definition | None]

_PATIENCE = 6
"""How often a merge may change before the bits that still change are given up."""


class Solved(dict[Any, Kept]):
    """What is known of each value, and how it follows from others."""

    def __init__(self, definitions: dict[Any, Definition | None], order: list[Any]) -> None:
        super().__init__()
        self.definitions = definitions
        self.order = order
        """Each name after what it reads, except on cycles."""
        self.unreachable: set[Any] = set()
        """Values of code that never runs."""

    def merged(self) -> list[Any]:
        """Return the values that merge others."""
        return [name for name, definition in self.definitions.items() if definition is not None and definition.merges]


def solve(names: Iterable[Name], define: Define, thresholds: Collection[int] = ()) -> Solved:
    """Return what is known of the values ``names`` and of all that they depend on.

    ``define`` returns the definition of a name, None if it has none (an argument, or text that is missing). A merge on
    a cycle starts from what comes in from outside and loses what the back edge contradicts. ``thresholds`` are numbers
    that something is compared with: a range that keeps growing grows to the next of them, or to a neighbor of it;
    ``define`` may add to them.
    """
    definitions: dict[Any, Definition | None] = {}
    compared: set[int] = set()

    def defined(name: Name) -> Definition | None:
        definition = define(name)
        if definition is not None and definition.comparison is not None:
            compared.update(definition.comparison.constants)
        if definition is None or not definition.selects or definition.reads[0].__class__ is tuple:
            return definition
        chosen, a, b = definition.reads
        decided = definitions.get(chosen) or define(chosen)
        if decided is None or decided.comparison is None:
            return definition
        condition = decided.comparison
        reads = (*definition.reads, *condition.reads)
        transfer = selection(condition, a, b, definition.width)
        return definition._replace(reads=reads, transfer=transfer)

    order = _order(names, defined, definitions)
    sorted_thresholds = sorted(
        {near for at in compared.union(thresholds) for near in (max(at, 1) - 1, at, at + 1)} | {0}
    )
    facts = Solved(definitions, order)
    visits: dict[Any, int] = {}

    def visit(name: Name) -> bool:
        new = _fact(name, definitions[name], facts, visits, sorted_thresholds)
        if new is None or _same(facts.get(name), new):
            return False
        facts[name] = new
        return True

    propagate(facts, visit)
    for name in order:
        if name not in facts:
            # A cycle that nothing enters, or where a predicate would have to be what it is not: anything holds.
            facts.unreachable.add(name)
            definition = definitions[name]
            fact = _fact(name, definition, facts, visits, sorted_thresholds)
            if fact is None and definition is not None and definition.selects:
                fact = facts.get(definition.reads[1])
            facts[name] = fact or (*UNKNOWN, None if definition is None else definition.at)
    return facts


def propagate(facts: Solved, visit: Callable[[Name], bool]) -> None:
    """Visit each value in order, and again after a value that it reads has changed, for which ``visit`` returns
    True."""
    rank = {name: place for place, name in enumerate(facts.order)}
    readers: dict[Any, list[int]] = {}
    for name, definition in facts.definitions.items():
        for read in (*definition.reads, *definition.joins) if definition is not None else ():
            if read.__class__ is not tuple:
                readers.setdefault(read, []).append(rank[name])
    heap = list(range(len(rank)))
    waiting = set(heap)
    while heap:
        place = heappop(heap)
        waiting.remove(place)
        if visit(facts.order[place]):
            for reader in readers.get(facts.order[place], ()):
                if reader not in waiting:
                    waiting.add(reader)
                    heappush(heap, reader)


def _same(old: Kept | None, new: Kept) -> bool:
    return old is not None and old[:2] == new[:2] and old[3:] == new[3:]


def _order(names: Iterable[Name], define: Define, definitions: dict[Any, Definition | None]) -> list[Any]:
    """Return all names that are needed, each after what it reads, except on cycles; fill ``definitions``.

    Raises :class:`SmemdescError` where they read more than :data:`MOST_FOLLOWED`.
    """
    count = 0

    def reads(name: Name) -> list[Any]:
        nonlocal count
        definition = definitions[name] = define(name)
        operands = () if definition is None else definition.reads
        count += 1 + len(operands)
        if count > MOST_FOLLOWED:
            raise SmemdescError(f"function not scanned: its descriptors depend on more than {MOST_FOLLOWED} values")
        return [read for read in operands if read.__class__ is not tuple]

    return postorder([name for name in names if name.__class__ is not tuple], reads)


MOST_FOLLOWED = 600_000
"""How many values, and reads of them, are followed: more would take more memory than a scan may use."""


def _fact(
    name: Any, definition: Definition | None, facts: dict[Any, Kept], visits: dict[Any, int], thresholds: list[int]
) -> Kept | None:
    """Return what follows for a name now; None while something that it reads is not known yet."""
    if definition is None:
        return (*UNKNOWN, None)
    values: list[Any] = [(*read, None) if read.__class__ is tuple else facts.get(read) for read in definition.reads]
    if definition.merges:
        reached = [value for value in values if value is not None]
        return _merged(name, reached, _width(definition), facts, visits, thresholds)
    if definition.selects and (values[1] is None) != (values[2] is None):
        # A value that is never computed is not selected.
        values[0] = (int(values[2] is None), 1, None)
        values[1:3] = [values[1] or values[2]] * 2
    if None in values:
        return None
    result = definition.result(values)
    if result is None:
        return None
    bits, known, *rest = result
    lost, highest = definition.at, 1
    for value in values:
        if value[2] is not None and ~value[1] & _WIDE >= highest:
            lost, highest = value[2], ~value[1] & _WIDE
    size: Any = tuple(rest[1:])
    fact: Kept = (bits, known, lost, *size)
    return fact


_RANGED = 5


def _width(definition: Definition) -> int:
    """Return the bits of a merged value, from the constants that come in; 0 if none does."""
    known = [read[1] for read in definition.reads if read.__class__ is tuple]
    return definition.width or max((mask.bit_length() for mask in known if mask and not mask & mask + 1), default=0)


def _merged(
    name: Any, values: list[Any], width: int, facts: dict[Any, Kept], visits: dict[Any, int], thresholds: list[int]
) -> Kept | None:
    """Return what all ``values`` that come into a merge have in common, and with what was known of it before.

    ``width``: its bits, 0 if they are not known; ``visits`` counts how often each merge was visited.
    """
    if not values:
        return None
    bits, known = values[0][:2]
    for value in values[1:]:
        both = known & value[1] & ~(bits ^ value[0])
        bits, known = bits & both, both
    lost = min(values, key=lambda value: value[1].bit_count())[2]
    old: Any = facts.get(name)
    if not width and all(len(value) == _RANGED for value in (values if old is None else [*values, old])):
        width = max(max(value[4], value[1]) for value in (values if old is None else [*values, old])).bit_length()
    size: tuple[int, int] | None = None
    if width:
        every = [bounds(value, width) for value in values]
        size = min(low for low, _ in every), max(high for _, high in every)
    if old is not None:
        times = visits[name] = visits.get(name, 0) + 1
        lost_bits = old[1] & ~(known & ~(bits ^ old[0]))
        # A merge only loses bits; what changes for too long is given up, from the lowest bit that changed: changes move
        # upwards, at first within their word.
        known = old[1] & ~lost_bits
        if lost_bits and times > _PATIENCE:
            known &= (lost_bits & -lost_bits) - 1 | (~_WORD if lost_bits & _WORD else 0)
        bits = old[0] & known
        if size is not None:
            size = _grown(size, bounds(old, width), times, thresholds)
    if size is None:
        return bits, known, lost
    result = ranged(bits, known, *size, width)
    return (*result[:2], lost, *result[3:])


def _grown(size: tuple[int, int], before: tuple[int, int], times: int, thresholds: list[int]) -> tuple[int, int] | None:
    """Return the smallest and the largest number of a merge and of what it was before; None if it is given up.

    ``times``: how often the merge has been visited. A range that grows for long is widened to the next thresholds.
    """
    both = min(size[0], before[0]), max(size[1], before[1])
    if times > _LONGEST:
        return None
    return widened(before, both, thresholds) if times > _PATIENCE and both != before else both


_LONGEST = 60
"""How often a merge may change before its range is given up."""
_WIDE = ones(2 * WORD)
_WORD = ones(WORD)
