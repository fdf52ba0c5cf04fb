"""Values in SSA form that grow by the same amount in each iteration of a loop (classic induction variables).

A merge at the head of a loop is what comes in from outside in the first iteration, and in the others what the previous
iteration computed. :mod:`smemdesc.scanning.analysis.fixpoint` loses the bits from the lowest one on that an addition
changes: the sum may carry. If the iteration adds a constant, and the iterations have a limit, that limits how far the
merge is from what comes in.

A loop that counts and compares has a limit: a counter starts somewhere in a range, goes up or down by the same number
in each iteration, and is compared with a number that is known, or whose range is. All of it wraps around as machine
words do: if the counter may pass the bound, or wrap without meeting it, the loop has no limit.

Independent of the architecture. The row of an operation says whether it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from smemdesc.engine.fields import ones
from smemdesc.engine.known import (
    BIT,
    EQ,
    EXCHANGED,
    GE,
    GT,
    LE,
    LT,
    NE,
    UNKNOWN,
    Value,
    add,
    bounds,
    compare_values,
    const,
    cut,
    known_below,
    meet_all,
    ranged,
)
from smemdesc.scanning.analysis.conditions import Condition
from smemdesc.scanning.analysis.fixpoint import Define, Definition, Name, Solved, solve
from smemdesc.scanning.analysis.ir import Node
from smemdesc.scanning.analysis.loops import Graph
from smemdesc.scanning.analysis.provenance import NO_FORM, affine_form

# ---- trip counts ----


class Offset(NamedTuple):
    """The distance of a number from another one: ``least``, or any multiple of ``1 << zeros`` more, up to ``most``."""

    least: int = 0
    most: int = 0
    zeros: int = 128

    def plus(self, offset: Offset) -> Offset:
        """Return the sum of both distances."""
        return Offset(self.least + offset.least, self.most + offset.most, min(self.zeros, offset.zeros))

    def joined(self, offset: Offset) -> Offset:
        """Return a distance that covers both."""
        zeros = min(self.zeros, offset.zeros, _zeros(self.least - offset.least))
        return Offset(min(self.least, offset.least), max(self.most, offset.most), zeros)

    def times(self, most: int) -> Offset:
        """Return the distance after 0 to ``most`` such steps."""
        return Offset(min(0, self.least * most), max(0, self.most * most), min(self.zeros, _zeros(self.least)))


NO_OFFSET = Offset()


def _zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else 128


def offset_of(value: Value, width: int) -> Offset | None:
    """Return a number of ``width`` bits as a distance: the upper half of all numbers is negative.

    None if its sign is unknown.
    """
    least, most = bounds(value, width)
    half = 1 << width - 1
    if least < half <= most:
        return None
    back = 2 * half if least >= half else 0
    zeros = 128 if least == most else min(known_below(value), _zeros(least ^ value[0] & ones(width)), width)
    return Offset(least - back, most - back, zeros)


def add_offset(value: Value, by: Offset, width: int) -> Value:
    """Return what is known of ``value`` plus a distance, modulo ``1 << width``."""
    full, below = ones(width), ones(min(by.zeros, width))
    value = add(value, const(by.least, width), width)[0]
    if by.most > full or by.least < -full:
        # It may have wrapped: the bits below each step stay.
        return value[0] & value[1] & below, value[1] & below
    if by.most == by.least:
        return value
    return add(value, ranged(0, below, 0, by.most - by.least, width), width)[0]


class ExitTest(NamedTuple):
    """What must hold for another iteration: ``counter how bound``, numbers of ``width`` bits.

    ``counter`` is its value at the first comparison, ``bound`` what it may be at any of them.
    """

    counter: Value
    step: int
    """The change of the counter between comparisons; negative: it goes down."""
    how: str
    bound: Value
    width: int
    signed: bool = False
    fixed: bool = False
    """Whether the bound is the same each time."""


def trip_count(test: ExitTest) -> int | None:
    """Return how often in a row the comparison can hold at most; None if no limit is known."""
    width, how = test.width, test.how
    if compare_values(how, test.counter, test.bound, width, test.signed) is False:
        return 0
    size = 1 << width
    step = test.step % size
    if step >= size >> 1:
        step -= size
    (least, most), (low, high) = (bounds(value, width) for value in (test.counter, test.bound))
    if how == EQ:
        return 1 if step and (test.fixed or low == high) else None
    if how == NE:
        return _meets(test, step, (least, most), (low, high)) if test.fixed or low == high else None
    if test.signed:
        half = size >> 1
        if least < half <= most or low < half <= high:
            return None
        least, most, low, high = (bound + half & size - 1 for bound in (least, most, low, high))
    if how in (LT, LE) and step > 0:
        above = high + (how == LE)
        # The first number that is not below it must still be one of the word.
        return max(0, -((least - above) // step)) if above - 1 + step < size else None
    if how in (GT, GE) and step < 0:
        under = low - (how == GE)
        return max(0, -((under - most) // -step)) if under + 1 + step >= 0 else None
    return None


def _meets(test: ExitTest, step: int, counter: tuple[int, int], bound: tuple[int, int]) -> int | None:
    """Return the most steps that a counter takes until it equals the bound."""
    size = 1 << test.width
    least, most = counter
    low, high = bound
    if least == most and low == high:
        # The smallest k with k * step = distance, modulo the size of a word.
        distance = (low - least) % size
        zeros = (step & -step).bit_length() - 1
        if not step or distance & ones(zeros):
            return 0 if not distance else None
        odd = size >> zeros
        return (distance >> zeros) * pow(step >> zeros, -1, odd) % odd
    # It meets the bound if it does not step over it.
    if abs(step) != 1 and (not step or not _stride(test, abs(step))):
        return None
    if step > 0 and low >= most:
        return (high - least) // step
    if step < 0 and high <= least:
        return (most - low) // -step
    return None


def _stride(test: ExitTest, step: int) -> bool:
    """Whether counter and bound are certainly a whole number of steps apart; a step must be a power of two."""
    both = test.counter[1] & test.bound[1] & ones(test.width)
    return not step & step - 1 and both & step - 1 == step - 1 and not (test.counter[0] ^ test.bound[0]) & step - 1


# ---- induction variables ----

INDUCTION_BITS = (64, 32, 16, 8)
_DEEP = 100
"""How long a chain of definitions is followed."""
_AGAIN = 3
"""How often growth is searched for again, given what has been found."""


class Increment(NamedTuple):
    """The distance of a value from another one at the start of the iteration. ``width``: bits of the sum, 0: none yet.

    ``cap``: how many low bits of the distance are exact. ``at``: the line of the last addition.
    """

    offset: Offset = NO_OFFSET
    width: int = 0
    cap: int = 128
    at: int = -1


Increments = Mapping[Hashable, Increment]
"""A value as distances from others, by their names."""


class InductionLoop(NamedTuple):
    """A loop, identified by ``key``."""

    key: Hashable
    holds: Callable[[Name], bool]
    """Whether a value is defined in its body, anew in each iteration."""
    tests: Sequence[tuple[Condition, bool]] = ()
    """Comparisons that every iteration executes, and the outcome that leads to another iteration."""
    counted: tuple[Any, int, Any, int] | None = None
    """Or a counter: its start, its step, the bound that it must be less than (signed) for an iteration, and its
    bits."""


class HeaderPhi(NamedTuple):
    """A merge at the head of a loop: what comes in from outside, and from the iterations."""

    loop: InductionLoop
    outside: tuple[Any, ...]
    inside: tuple[Any, ...]
    head: Name | None = None
    """For a result after the loop: the merge at the head that becomes it."""


HeaderPhis = Callable[[Sequence[Name]], Mapping[Name, HeaderPhi]]
"""Finds, among merges, those at the heads of loops."""


class Loops:
    """The loops of a function; a front end provides the contents of its blocks, which are numbered."""

    graph: Graph

    def test(self, block: int) -> tuple[Condition, int, int] | None:
        """Return the comparison at the end of a block, the successor if it holds, and the other one."""
        raise NotImplementedError

    def is_defined_in(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is defined in one of these blocks, or at an unknown place."""
        raise NotImplementedError

    def incoming(self, merge: Any) -> Iterable[tuple[int, Any]]:
        """Yield the incoming values of a merge, each after the block from which it comes."""
        raise NotImplementedError

    def merging(self, block: int) -> Sequence[Any]:
        """Return the values that merge others at the start of a block, and name no block."""
        return ()

    def counted(self, header: int) -> tuple[Any, int, Any, int] | None:
        """Return the counter that a loop itself declares (:attr:`InductionLoop.counted`)."""
        return None

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops, from ``merges`` (each in its ``block``) and :meth:`merging`."""
        phis: dict[int, list[Any]] = {}
        for name in merges:
            phis.setdefault(name.block, []).append(name)
        header_phis: dict[Any, HeaderPhi] = {}
        for natural in self.graph.loops():
            heads = (*self.merging(natural.header), *phis.get(natural.header, ()))
            if not heads:
                continue
            tests = []
            for block in natural.always:
                test = self.test(block)
                if test is not None and (test[1] in natural.body) != (test[2] in natural.body):
                    tests.append((test[0], test[1] in natural.body))
            loop = InductionLoop(
                (id(self), natural.header),
                partial(self.is_defined_in, natural.body),
                tests,
                self.counted(natural.header),
            )
            before = set(self.graph.before[natural.header])
            for name in heads:
                ways = list(self.incoming(name))
                if {block for block, _ in ways} != before:
                    continue
                outside = tuple(dict.fromkeys(value for block, value in ways if block not in natural.latches))
                inside = tuple(dict.fromkeys(value for block, value in ways if block in natural.latches))
                if outside and inside:
                    header_phis[name] = HeaderPhi(loop, outside, inside)
        return header_phis


def element_header_phis(
    merges: Iterable[Name], value_phis: Mapping[Name, HeaderPhi], element: type[Any]
) -> dict[Name, HeaderPhi]:
    """Return the merges of parts of aggregates, given the merges of aggregates; ``element(value, path)`` is a part."""
    phis: dict[Name, HeaderPhi] = {}
    for name in merges:
        if not isinstance(name, element):
            continue
        value, path = cast(Any, name)
        phi = value_phis.get(value)
        if phi is not None:
            outside, inside = (
                tuple([UNKNOWN if way.__class__ is tuple else element(way, path) for way in ways])
                for ways in (phi.outside, phi.inside)
            )
            phis[name] = HeaderPhi(phi.loop, outside, inside, None if phi.head is None else element(phi.head, path))
    return phis


def has_induction(facts: Solved, phis: Mapping[Name, HeaderPhi]) -> bool:
    """Whether bits that are known at the entry of a loop seem to be lost by what each iteration adds."""
    finder = _Finder(facts, phis)
    finder.limits = {phi.loop.key: 1 for phi in phis.values()}  # as if each inner loop had one iteration

    for name, phi in phis.items():
        known = meet_all([*map(finder.fact, phi.outside)], INDUCTION_BITS[0])[1]
        back = finder.back(name) if known & ~facts[name][1] else None
        if back is not None and back.offset != NO_OFFSET:
            return True
    return False


def solve_with_loops(facts: Solved, names: Sequence[Name], define: Define, header_phis: HeaderPhis) -> Solved:
    """Return what is known of values, with the growth in loops, given the result of
    :func:`smemdesc.scanning.analysis.fixpoint.solve`."""
    if not _is_cyclic(facts):
        return facts
    thresholds: set[int] = set()
    phis: Mapping[Name, HeaderPhi] = {}
    seen: set[Name] = set()
    needed: dict[Any, None] = dict.fromkeys(names)
    for _ in range(_AGAIN):
        merges = facts.merged()
        # What a comparison reads may be merges, too: parts of aggregates are found by their names alone.
        if all(name in seen or name in phis for name in merges):
            break
        seen.update(merges)
        phis = header_phis(merges)
        if not phis:
            return facts
        compared = {constant for phi in phis.values() for test, _ in phi.loop.tests for constant in test.constants}
        needed.update(dict.fromkeys(_growth_reads(phis)))
        names = [name for name in (*needed, *phis) if name.__class__ not in (tuple, int)]
        if not compared <= thresholds or not all(name in facts for name in names):
            thresholds |= compared
            facts = solve(names, define, thresholds)
    last: dict[Name, Increment] = {}
    for _ in range(_AGAIN):
        grown = _Finder(facts, phis).all()
        if grown == last:
            break
        last = grown
        replacements = {name: _definition(facts, name, phis[name], added) for name, added in grown.items()}
        facts = solve(names, partial(_replaced, replacements, define), thresholds)
    return facts


def _is_cyclic(facts: Solved) -> bool:
    """Whether a value depends on itself."""
    places = {name: place for place, name in enumerate(facts.order)}
    return any(
        places.get(read, -1) >= places[name]
        for name, definition in facts.definitions.items()
        if definition is not None
        for read in definition.reads
    )


def _growth_reads(phis: Mapping[Name, HeaderPhi]) -> Iterator[Any]:
    """Yield the values from which the growth of merges follows: what the loops test, and what comes into the merges."""
    for phi in phis.values():
        for test, _ in phi.loop.tests:
            yield from test.reads
        yield from (*phi.outside, *phi.inside, *(phi.loop.counted or ()))


def _replaced(replacements: Mapping[Name, Definition], define: Define, name: Name) -> Definition | None:
    return replacements.get(name) or define(name)


def _definition(facts: Solved, name: Name, phi: HeaderPhi, added: Increment) -> Definition:
    old = facts.definitions[name]
    assert old is not None
    by, width = added.offset, added.width

    def transfer(*values: Value) -> Value:
        return add_offset(cut(meet_all(values, width), width), by, width)

    return Definition(added.at, phi.outside, transfer, joins=(*phi.outside, *phi.inside), width=old.width)


class _Finder:
    def __init__(self, facts: Solved, rounds: Mapping[Name, HeaderPhi]) -> None:
        self.facts = facts
        self.header_phis = rounds
        self.grown: dict[Name, Increment | None] = {}
        self.limits: dict[Hashable, int | None] = {}
        self.sums: dict[tuple[Hashable, Name], Increments | None] = {}
        self.deep = 0

    def all(self) -> dict[Name, Increment]:
        """Return the growth of each merge that has a known one."""
        growths = {name: self.growth(name) for name in self.header_phis}
        return {name: added for name, added in growths.items() if added is not None and added.width}

    def growth(self, name: Name) -> Increment | None:
        """Return the distance of a merge from what comes in, in any iteration; None if unknown."""
        if name not in self.grown:
            self.grown[name] = None  # nothing is known of a loop that depends on itself
            phi = self.header_phis[name]
            back = self.back(name)
            limit = None if back is None else self.limit(phi.loop)
            if back is not None and limit is not None:
                if phi.loop.counted is not None and phi.head is None:
                    limit = max(0, limit - 1)
                self.grown[name] = back._replace(offset=back.offset.times(limit))
        return self.grown[name]

    def back(self, name: Name) -> Increment | None:
        """Return the distance that a merge advances in one iteration."""
        phi = self.header_phis[name]
        ways = [self.sum(phi.loop, read) for read in phi.inside]
        return join_increments(ways).get(name if phi.head is None else phi.head) if ways else None

    # ---- one iteration ----

    def sum(self, loop: InductionLoop, name: Any) -> Increments:
        """Return a value as distances from the merges at the head of a loop in the same iteration."""
        if name.__class__ is tuple:
            return {}
        key = (loop.key, name)
        if key not in self.sums:
            self.sums[key] = None
            self.deep += 1
            self.sums[key] = self._sum(loop, name) if self.deep < _DEEP else {}
            self.deep -= 1
        return self.sums[key] or {}

    def _sum(self, loop: InductionLoop, name: Name) -> Increments:
        phi = self.header_phis.get(name)
        if phi is not None and phi.loop.key == loop.key and phi.head is None:
            return {name: Increment()}
        definition = self.facts.definitions.get(name)
        if definition is None or not loop.holds(name):
            return {}
        if phi is not None:
            grown = self.growth(name)
            ways = [self.sum(loop, read) for read in phi.outside]
            if grown is None or not grown.width:
                return {}
            return advance_sums(join_increments(ways), grown.offset, grown.width, 128, definition.at)
        transfer, reads = definition.transfer, definition.reads
        if definition.selects:
            chosen = self.fact(reads[0])
            reads = reads[1:3] if not chosen[1] & BIT else reads[1:2] if chosen[0] & BIT else reads[2:3]
        if definition.merges or definition.selects:
            return join_increments([self.sum(loop, read) for read in reads])
        return self._added(loop, definition, transfer, reads) if isinstance(transfer, Node) else {}

    def _added(self, loop: InductionLoop, definition: Definition, transfer: Node, reads: Sequence[Any]) -> Increments:
        """Return a result as a sum: one of its reads plus the others."""
        widths = (definition.width,) if definition.width else INDUCTION_BITS
        increments: dict[Hashable, Increment] = {}
        for place, read in enumerate(reads):
            sums = self.sum(loop, read)
            how = affine_form(transfer, reads, widths) if sums else NO_FORM
            if place not in how.sums:
                continue
            width = how.width
            rest = [(0, ones(width)) if at == place else self.fact(read) for at, read in enumerate(reads)]
            by = offset_of(transfer(*rest), width)
            if by is not None:
                for of_name, added in advance_sums(sums, by, width, width, definition.at).items():
                    increments.setdefault(of_name, added)
        return increments

    def fact(self, name: Any) -> Value:
        """Return what is known of a value, without the line of the loss."""
        if name.__class__ is tuple:
            constant: Value = name
            return constant
        fact = self.facts[name]
        return fact if len(fact) == 5 else fact[:2]

    # ---- the number of iterations ----

    def limit(self, loop: InductionLoop) -> int | None:
        """Return how often a loop repeats at most, or (``counted``) its number of iterations."""
        if loop.key not in self.limits:
            self.limits[loop.key] = None
            limits = [self._tested(loop, condition, truth) for condition, truth in loop.tests]
            if loop.counted is not None:
                start, step, end, width = loop.counted
                limits.append(trip_count(ExitTest(self.fact(start), step, LT, self.fact(end), width, True, True)))
            if any(phi.loop.key == loop.key and self._never(phi) for phi in self.header_phis.values()):
                limits.append(0)
            self.limits[loop.key] = _least(limits)
        return self.limits[loop.key]

    def _never(self, phi: HeaderPhi) -> bool:
        """Whether a loop is never entered, or never repeated."""
        return any(all(read in self.facts.unreachable for read in ways) for ways in (phi.outside, phi.inside))

    def _tested(self, loop: InductionLoop, condition: Condition, truth: bool) -> int | None:
        how = condition.comparison_when(truth)
        if how is None or condition.high is not None:
            return None
        ways = (how, condition.x, condition.y), (EXCHANGED[how], condition.y, condition.x)
        return _least(self._counted(loop, condition, *way) for way in ways)

    def _counted(self, loop: InductionLoop, condition: Condition, how: str, counted: Any, bound: Any) -> int | None:
        """Return the most iterations that a comparison allows, by any of the merges that the compared value depends
        on."""
        if bound.__class__ is not tuple and bound not in self.facts:
            return None
        fixed = bound.__class__ is tuple or not loop.holds(bound)
        limits = []
        for name, off in self.sum(loop, counted).items():
            step = self.back(name)
            if step is None or any(
                by.offset.least != by.offset.most or by.width not in (0, condition.width) or by.cap < condition.width
                for by in (off, step)
            ):
                continue
            entered = meet_all([self.fact(read) for read in self.header_phis[name].outside], condition.width)
            start = add_offset(entered, off.offset, condition.width)
            test = ExitTest(start, step.offset.least, how, self.fact(bound), condition.width, condition.signed, fixed)
            limits.append(trip_count(test))
        return _least(limits)


def _least(limits: Iterable[int | None]) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def advance_sums(sums: Increments, by: Offset, width: int, cap: int, at: int) -> dict[Hashable, Increment]:
    """Return increments advanced by ``by`` in a sum of ``width`` bits whose low ``cap`` bits are exact."""
    advanced = {}
    for name, added in sums.items():
        if by == NO_OFFSET:
            if cap >= added.width:
                advanced[name] = added._replace(cap=min(added.cap, cap))
        elif added.width in (0, width) and added.cap >= width:
            advanced[name] = Increment(added.offset.plus(by), width, min(added.cap, cap), at)
    return advanced


def join_increments(ways: Sequence[Increments]) -> dict[Hashable, Increment]:
    """Return increments that cover all of these alternatives."""
    joined = dict(ways[0]) if ways else {}
    for way in ways[1:]:
        for name in list(joined):
            one, two = joined[name], way.get(name)
            if two is None or (one.width and two.width and one.width != two.width):
                del joined[name]
            else:
                width = one.width or two.width
                cap = min(one.cap, two.cap)
                if cap < width:
                    del joined[name]
                    continue
                joined[name] = Increment(one.offset.joined(two.offset), width, cap, max(one.at, two.at))
    return joined
