"""Values in SSA form that grow by the same in each round of a loop (classic induction variables).

A merge at the head of a loop is what comes in from outside in the first round, and in the others what the round before
has made of it. What is added to it is lost to :mod:`smemdesc.scanning.fixpoint` from the lowest bit on that it moves:
the sum may carry. Where it is itself and a constant, and the rounds have a limit
(:mod:`smemdesc.scanning.trip_counts`), that is how far the merge is from what comes in.

Architecture-independent. An operation's row says whether it adds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple, cast

from smemdesc.engine.fields import ones
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.dependence import NO_FORM, form
from smemdesc.scanning.fixpoint import Define, Definition, Name, Solved, solve
from smemdesc.scanning.ir import Node
from smemdesc.scanning.known import BIT, UNKNOWN, Value, cut
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.ranges import EXCHANGED, joined
from smemdesc.scanning.trip_counts import NO_OFFSET, ExitTest, Offset, add_offset, offset_of, trip_count

WIDTHS = (64, 32, 16, 8)
_DEEP = 100
"""So many values, each of which is made of the one before, are followed."""
_AGAIN = 3
"""How often what grows is looked for with what has been found."""


class Increment(NamedTuple):
    """A register: what is so far from another one, when the round began. ``width``: bits of the sum, 0: none yet.

    ``cap``: it is the same number of so many bits only. ``at``: where something was added last.
    """

    offset: Offset = NO_OFFSET
    width: int = 0
    cap: int = 128
    at: int = -1


Increments = Mapping[Hashable, Increment]
"""What a register is: so far from one or another."""


class Loop(NamedTuple):
    """A loop; ``key`` tells it from others."""

    key: Hashable
    holds: Callable[[Name], bool]
    """Whether a value is made in its body, anew in each round."""
    tests: Sequence[tuple[Condition, bool]] = ()
    """Comparisons that each round comes to, and how they have to end for another."""
    counted: tuple[Any, int, Any, int] | None = None
    """Or where a counter starts, its step, what it has to be less than (signed) for a round, and its bits."""


class HeaderPhi(NamedTuple):
    """A merge at the head of a loop: what comes in from outside, and from the rounds."""

    loop: Loop
    outside: tuple[Any, ...]
    inside: tuple[Any, ...]
    head: Name | None = None
    """Of what there is behind the loop, and not in a round of it: the merge at the head that becomes it."""


HeaderPhis = Callable[[Sequence[Name]], Mapping[Name, HeaderPhi]]
"""Finds the merges at the heads of loops, of merges."""


class Headers(NamedTuple):
    """What a front end says of a function's blocks, by their numbers."""

    test: Callable[[int], tuple[Condition, int, int] | None]
    """The comparison at the end of a block, where control goes then, and where else."""
    stands: Callable[[frozenset[int], Name], bool]
    """Whether a value is made in one of these blocks."""
    merges: Callable[[int], Iterable[tuple[Name, Sequence[tuple[int, Any]]]]]
    """The merges at the beginning of a block: of each what comes in from which block."""
    counted: Callable[[int], tuple[Any, int, Any, int] | None] = lambda header: None
    """What the loop of a header itself says of its rounds (:attr:`Loop.counted`)."""


def find_header_phis(graph: Graph, headers: Headers, key: Hashable = None) -> dict[Name, HeaderPhi]:
    """Return the merges at the heads of the loops of a graph; ``key`` tells it from other graphs."""
    found: dict[Name, HeaderPhi] = {}
    for each in graph.loops():
        merges = list(headers.merges(each.header))
        if not merges:
            continue
        tests = []
        for block in each.always:
            test = headers.test(block)
            if test is not None and (test[1] in each.body) != (test[2] in each.body):
                tests.append((test[0], test[1] in each.body))
        loop = Loop((key, each.header), partial(headers.stands, each.body), tests, headers.counted(each.header))
        before = set(graph.before[each.header])
        for name, ways in merges:
            if {block for block, _ in ways} != before:
                continue
            outside = tuple(dict.fromkeys(value for block, value in ways if block not in each.latches))
            inside = tuple(dict.fromkeys(value for block, value in ways if block in each.latches))
            if outside and inside:
                found[name] = HeaderPhi(loop, outside, inside)
    return found


def element_header_phis(
    merges: Iterable[Name], found: Mapping[Name, HeaderPhi], element: type[Any]
) -> dict[Name, HeaderPhi]:
    """Return the merges of parts of aggregates, by those of the aggregates; ``element(value, path)`` is such a part."""
    made: dict[Name, HeaderPhi] = {}
    for name in merges:
        if not isinstance(name, element):
            continue
        value, path = cast(Any, name)
        of = found.get(value)
        if of is not None:
            outside, inside = (
                tuple([UNKNOWN if each.__class__ is tuple else element(each, path) for each in ways])
                for ways in (of.outside, of.inside)
            )
            made[name] = HeaderPhi(of.loop, outside, inside, None if of.head is None else element(of.head, path))
    return made


def has_induction(facts: Solved, found: Mapping[Name, HeaderPhi]) -> bool:
    """Whether something that is known where a loop is entered seems to be lost by what each round adds."""
    finder = _Finder(facts, found)
    finder.limits = {of.loop.key: 1 for of in found.values()}  # as if each loop in another had one round

    def lost(name: Name, of: HeaderPhi) -> bool:
        known = reduce(lambda one, other: joined(one, other, _WIDEST), map(finder.fact, of.outside))[1]
        return bool(known & ~facts[name][1])

    return any(lost(name, of) and (finder.back(name) or _NOT).offset != NO_OFFSET for name, of in found.items())


_NOT = Increment()
_WIDEST = 64


def solve_with_loops(wanted: Sequence[Name], define: Define, header_phis: HeaderPhis) -> Solved:
    """Return what is known of values, as :func:`smemdesc.scanning.fixpoint.solve` does, with what grows in loops."""
    marks: set[int] = set()
    facts = solve(wanted, define)
    places = {name: place for place, name in enumerate(facts.order)}
    every = [(name, each) for name, each in facts.definitions.items() if each is not None]
    if not any(places.get(read, -1) >= places[name] for name, each in every for read in each.reads):
        return facts  # nothing goes round
    found: Mapping[Name, HeaderPhi] = {}
    seen: set[Name] = set()
    asked: dict[Any, None] = dict.fromkeys(wanted)
    for _ in range(_AGAIN):
        merges = [name for name, each in facts.definitions.items() if each is not None and each.merges]
        # What a comparison asks for may be merges, too: parts of aggregates are found by their names alone.
        if all(name in seen or name in found for name in merges):
            break
        seen.update(merges)
        found = header_phis(merges)
        if not found:
            return facts
        compared = {each for of in found.values() for said, _ in of.loop.tests for each in said.constants}
        for of in found.values():
            for said, _ in of.loop.tests:
                asked.update(dict.fromkeys(said.reads))
            asked.update(dict.fromkeys((*of.outside, *of.inside, *(of.loop.counted or ()))))
        wanted = [name for name in (*asked, *found) if name.__class__ not in (tuple, int)]
        if not compared <= marks or not all(name in facts for name in wanted):
            marks |= compared
            facts = solve(wanted, define, marks)
    last: dict[Name, Increment] = {}
    for _ in range(_AGAIN):
        grown = _Finder(facts, found).all()
        if grown == last:
            break
        last = grown
        made = {name: _definition(facts, name, found[name], added) for name, added in grown.items()}
        facts = solve(wanted, partial(_replaced, made, define), marks)
    return facts


def _replaced(made: Mapping[Name, Definition], define: Define, name: Name) -> Definition | None:
    return made.get(name) or define(name)


def _definition(facts: Solved, name: Name, of: HeaderPhi, added: Increment) -> Definition:
    old = facts.definitions[name]
    assert old is not None
    by, width = added.offset, added.width

    def transfer(*values: Value) -> Value:
        return add_offset(cut(_joined(values, width), width), by, width)

    return Definition(added.at, of.outside, transfer, joins=(*of.outside, *of.inside), width=old.width)


def _joined(values: Sequence[Value], width: int) -> Value:
    return reduce(lambda one, other: joined(one, other, width), values)


class _Finder:
    def __init__(self, facts: Solved, rounds: Mapping[Name, HeaderPhi]) -> None:
        self.facts = facts
        self.header_phis = rounds
        self.grown: dict[Name, Increment | None] = {}
        self.limits: dict[Hashable, int | None] = {}
        self.sums: dict[tuple[Hashable, Name], Increments | None] = {}
        self.deep = 0

    def all(self) -> dict[Name, Increment]:
        """Return how far the merges are from what comes in."""
        made = {name: self.growth(name) for name in self.header_phis}
        return {name: added for name, added in made.items() if added is not None and added.width}

    def growth(self, name: Name) -> Increment | None:
        """Return how far a merge is from what comes in, in any round; None where that is not known."""
        if name not in self.grown:
            self.grown[name] = None  # of a loop that asks for itself nothing is known
            of = self.header_phis[name]
            back = self.back(name)
            limit = None if back is None else self.limit(of.loop)
            if back is not None and limit is not None:
                if of.loop.counted is not None and of.head is None:
                    limit = max(0, limit - 1)
                self.grown[name] = back._replace(offset=back.offset.times(limit))
        return self.grown[name]

    def back(self, name: Name) -> Increment | None:
        """Return how far a merge gets in one round."""
        of = self.header_phis[name]
        ways = [self.sum(of.loop, read) for read in of.inside]
        return join_increments(ways).get(name if of.head is None else of.head) if ways else None

    # ---- one round ----

    def sum(self, loop: Loop, name: Any) -> Increments:
        """Return what a value is, by the merges at the head of a loop in the same round."""
        if name.__class__ is tuple:
            return {}
        key = (loop.key, name)
        if key not in self.sums:
            self.sums[key] = None
            self.deep += 1
            self.sums[key] = self._sum(loop, name) if self.deep < _DEEP else {}
            self.deep -= 1
        return self.sums[key] or {}

    def _sum(self, loop: Loop, name: Name) -> Increments:
        of = self.header_phis.get(name)
        if of is not None and of.loop.key == loop.key and of.head is None:
            return {name: Increment()}
        definition = self.facts.definitions.get(name)
        if definition is None or not loop.holds(name):
            return {}
        if of is not None:
            grown = self.growth(name)
            ways = [self.sum(loop, read) for read in of.outside]
            if grown is None or not grown.width:
                return {}
            return advance(join_increments(ways), grown.offset, grown.width, 128, definition.at)
        transfer, reads = definition.transfer, definition.reads
        if definition.selects:
            chosen = self.fact(reads[0])
            reads = reads[1:3] if not chosen[1] & BIT else reads[1:2] if chosen[0] & BIT else reads[2:3]
        if definition.merges or definition.selects:
            return join_increments([self.sum(loop, read) for read in reads])
        return self._added(loop, definition, transfer, reads) if isinstance(transfer, Node) else {}

    def _added(self, loop: Loop, definition: Definition, transfer: Node, reads: Sequence[Any]) -> Increments:
        """Return what a result is by what is added to one of what it reads."""
        widths = (definition.width,) if definition.width else WIDTHS
        made: dict[Hashable, Increment] = {}
        for place, read in enumerate(reads):
            sums = self.sum(loop, read)
            how = form(transfer, reads, widths) if sums else NO_FORM
            if place not in how.sums:
                continue
            width = how.width
            rest = [(0, ones(width)) if each == place else self.fact(other) for each, other in enumerate(reads)]
            by = offset_of(transfer(*rest), width)
            if by is not None:
                for of_name, added in advance(sums, by, width, width, definition.at).items():
                    made.setdefault(of_name, added)
        return made

    def fact(self, name: Any) -> Value:
        """Return what is known of a value, without where it was lost."""
        if name.__class__ is tuple:
            constant: Value = name
            return constant
        found = self.facts[name]
        return found if len(found) == 5 else found[:2]

    # ---- how many rounds ----

    def limit(self, loop: Loop) -> int | None:
        """Return how often a loop goes back at most, or (``counted``) how many rounds it has."""
        if loop.key not in self.limits:
            self.limits[loop.key] = None
            found = [limit for said, truth in loop.tests if (limit := self._tested(loop, said, truth)) is not None]
            if loop.counted is not None:
                start, step, end, width = loop.counted
                counted = trip_count(ExitTest(self.fact(start), step, "LT", self.fact(end), width, True, True))
                found += [] if counted is None else [counted]
            if any(of.loop.key == loop.key and self._never(of) for of in self.header_phis.values()):
                found.append(0)
            self.limits[loop.key] = min(found, default=None)
        return self.limits[loop.key]

    def _never(self, of: HeaderPhi) -> bool:
        """Whether a loop is never entered, or never gone round."""
        return any(all(read in self.facts.never for read in ways) for ways in (of.outside, of.inside))

    def _tested(self, loop: Loop, said: Condition, truth: bool) -> int | None:
        how = said.told(truth)
        if how is None or said.high is not None:
            return None
        found = [self._counted(loop, said, how, said.x, said.y)]
        found.append(self._counted(loop, said, EXCHANGED[how], said.y, said.x))
        return min((each for each in found if each is not None), default=None)

    def _counted(self, loop: Loop, said: Condition, how: str, counted: Any, bound: Any) -> int | None:
        if bound.__class__ is not tuple and bound not in self.facts:
            return None
        fixed = bound.__class__ is tuple or not loop.holds(bound)
        sums = self.sum(loop, counted)

        def entered(name: Name) -> Value:
            return _joined([self.fact(read) for read in self.header_phis[name].outside], said.width)

        return limited(said, how, sums, self.fact(bound), fixed, self.back, entered)


def exact(by: Offset) -> bool:
    return by.least == by.most


def limited(
    said: Condition,
    how: str,
    sums: Increments,
    compared: Value,
    fixed: bool,
    stepped: Callable[[Any], Increment | None],
    entered: Callable[[Any], Value | None],
) -> int | None:
    """Return how many rounds a comparison leaves at most, by any of the ``sums`` that what is compared is.

    ``stepped`` says how far one gets in a round, ``entered`` what it is before the first; ``fixed``: what it is
    ``compared`` with is the same in every round.
    """
    limits = []
    for name, off in sums.items():
        step = stepped(name)
        if step is None or not exact(step.offset) or not exact(off.offset):
            continue
        if any(each.width not in (0, said.width) or each.cap < said.width for each in (off, step)):
            continue
        start = entered(name)
        if start is None:
            continue
        first = add_offset(start, off.offset, said.width)
        limit = trip_count(ExitTest(first, step.offset.least, how, compared, said.width, said.signed, fixed))
        limits += [] if limit is None else [limit]
    return min(limits, default=None)


def advance(sums: Increments, by: Offset, width: int, cap: int, at: int) -> dict[Hashable, Increment]:
    """Return what is so much farther, by a sum of ``width`` bits of which ``cap`` are told."""
    made = {}
    for name, added in sums.items():
        if by == NO_OFFSET:
            if cap >= added.width:
                made[name] = added._replace(cap=min(added.cap, cap))
        elif added.width in (0, width) and added.cap >= width:
            made[name] = Increment(added.offset.plus(by), width, min(added.cap, cap), at)
    return made


def join_increments(ways: Sequence[Increments]) -> dict[Hashable, Increment]:
    """Return what it is where it is one of these."""
    made = dict(ways[0]) if ways else {}
    for other in ways[1:]:
        for name in list(made):
            one, two = made[name], other.get(name)
            if two is None or (one.width and two.width and one.width != two.width):
                del made[name]
            else:
                width = one.width or two.width
                cap = min(one.cap, two.cap)
                if cap < width:
                    del made[name]
                    continue
                made[name] = Increment(one.offset.joined(two.offset), width, cap, max(one.at, two.at))
    return made
