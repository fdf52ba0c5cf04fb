"""Where each bit of a register came from, and where the unknown ones were lost.

The facts are found first (:mod:`smemdesc.scanning.flow`, :mod:`smemdesc.scanning.sparse`). Then each step is asked on
which bits of what it reads its result hangs (:mod:`smemdesc.scanning.links`). A bit that a step hands on unchanged
comes from where it came from before; any other known bit was written by the step itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import Any, NamedTuple, cast
from weakref import ref

from smemdesc.scanning.flow import Block, State, Step, order, run
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.links import Links, Search, Sources, Trial, Values, culprits, handed_on, joined, kept, links
from smemdesc.scanning.ranges import Value
from smemdesc.scanning.sharing import Layer, Merging, Node, Numbers, Sharing
from smemdesc.scanning.sparse import Definition, Solved


class Row(NamedTuple):
    """A step as it was run: what it read, and what was then in the registers that it writes, with what was before."""

    step: Step
    values: Values
    before: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]


def _value(fact: Any) -> Value:
    """Return a fact without where it was lost, so that like ones are equal."""
    return (fact[0], fact[1], None, fact[3], fact[4]) if len(fact) == 5 else fact[:2]


class Where(Layer):
    """Where the bits of each register came from; None where they came from nowhere."""

    __slots__ = ()


def _arrived(old: Sources | None, found: Sources | None, into: Any) -> Sources | None:
    """Return where the bits of a register came from by another way, too, where a block begins that knows ``into``."""
    known = into[1] if into is not None else 0
    if not known or not found:
        return old
    return kept(found, known) if old is None else joined(old, found, known)


_EFFORT = 8
"""Parts of tables that are merged for each step, at most."""


def _met(meeting: tuple[int, int], old: tuple[int, int], new: tuple[int, int]) -> tuple[int, int]:
    return old if old == new or old is meeting else meeting


class Ways:
    """The origins of what a function's blocks hold, when :func:`smemdesc.scanning.flow.solve` has found that.

    ``incoming`` is what it returned.
    """

    def __init__(self, blocks: Sequence[Block], incoming: Sequence[State | None]) -> None:
        self.blocks = blocks
        self.incoming = incoming
        self._rows: list[list[Row] | None] = [None] * len(blocks)
        self._links: list[list[tuple[Step, list[tuple[Links, int]]]] | None] = [None] * len(blocks)
        self._writers: list[dict[Any, list[int]] | None] = [None] * len(blocks)
        self._sharing = next((each.sharing for each in incoming if each is not None), None) or Sharing(Numbers())
        self._entry: list[Node] | None = None
        self._sites: list[Node] | None = None
        self._before: list[list[int]] | None = None
        # A reference back would keep all of it until garbage is looked for.
        itself = ref(self)
        self._lost = Search(lambda node: cast(Ways, itself())._causes(node))

    def sources(self, watch: Callable[[Step, Where], None]) -> None:
        """The last that ``watch`` is called with is where the bits of each register came from before a watched step."""
        self._forward(watch)
        for number, block in enumerate(self.blocks):
            if self.incoming[number] is None and any(step.watched for step in block.steps):
                self._through(number, Where(self._sharing), watch)

    def _run(self, number: int) -> list[Row]:
        """Return what the steps of a block do to what comes in."""
        rows = self._rows[number]
        if rows is None:
            incoming, steps = self.incoming[number], self.blocks[number].steps
            ran = None if incoming is None else incoming.ran
            if ran is None:
                ran = run(steps, State(self._sharing, None if incoming is None else incoming.below))
            rows = self._rows[number] = [
                Row(
                    step,
                    tuple([_value(fact) for fact in values]),
                    tuple([fact[:2] for fact in before]),
                    tuple([fact[:2] for fact in after]),
                )
                for step, (values, before, after) in zip(steps, ran, strict=True)
            ]
        return rows

    def _forward(self, watch: Callable[[Step, Where], None] | None = None) -> list[Node]:
        """Return where the bits of each register came from where each block begins."""
        if self._entry is not None:
            return self._entry
        blocks = self.blocks
        entry: list[Node] = [None for _ in blocks]
        merge = Merging(self._sharing, _arrived)
        order = [number for number, state in enumerate(self.incoming) if state is not None]
        waiting = OrderedDict.fromkeys(order)
        while waiting:
            number, _ = waiting.popitem(last=False)
            state = Where(self._sharing, entry[number])
            self._through(number, state, watch)
            after = state.table()
            for following in blocks[number].following:
                into = self.incoming[following]
                if blocks[following].entry or into is None:
                    continue
                merged = merge(entry[following], after, into.below)
                if merged is not entry[following]:
                    entry[following] = merged
                    waiting.setdefault(following)
        self._entry = entry
        return entry

    def _through(self, number: int, state: Where, watch: Callable[[Step, Where], None] | None = None) -> None:
        """Bring ``state`` from the beginning of a block to its end."""
        for step, made in self._linked(number):
            if step.watched and watch is not None:
                watch(step, state)
            if not made:
                for register in step.writes:
                    state[register] = None
                continue
            reads = [state[read] for read in step.reads]
            for register, (each, known) in zip(step.writes, made, strict=True):
                sources = handed_on(step.at, each, reads, known)
                if step.guarded:
                    sources = joined(sources, state[register] or {}, known)
                state[register] = sources

    def _linked(self, number: int) -> list[tuple[Step, list[tuple[Links, int]]]]:
        """Return for each step of a block how what it writes hangs on what it reads, and what is known of that.

        Nothing where nothing is known.
        """
        linked = self._links[number]
        if linked is None:
            linked = self._links[number] = []
            for step, values, _, after in self._run(number):
                made: list[tuple[Links, int]] = []
                if step.transfer is not None and any(known for _, known in after):
                    found = links(step.transfer, values, _registers(step), len(step.writes), step.old)
                    made = [(each, known) for each, (_, known) in zip(found, after, strict=True)]
                linked.append((step, made))
        return linked

    def row(self, number: int, index: int) -> Row:
        """Return a step of a block as it was run."""
        return self._run(number)[index]

    def entered(self, number: int, register: Hashable) -> Value:
        """Return what is known of a register where a block begins."""
        state = self.incoming[number]
        return UNKNOWN if state is None else _value(state[register])

    def came(self, number: int, register: Hashable, limit: int | None = None) -> tuple[int, int] | None:
        """Return what was written into a register last, before the step ``limit`` of a block (None: at its end).

        A block and the step in it; or -1, where ways meet on which it was written in different places. None: it comes
        from where nothing is known.
        """
        limit = len(self.blocks[number].steps) if limit is None else limit
        while True:
            index = self.writer(number, register, limit)
            if index is not None:
                return number, index
            if self.blocks[number].entry or self.incoming[number] is None:
                return None
            site, limit = self._sharing.get(self._reaching()[number], register) or (number, 0)
            if site == number:
                return number, -1
            number = site
            if not limit and not self.blocks[number].entry:
                return number, -1

    def before(self, number: int) -> list[int]:
        """Return the blocks that may come before one."""
        if self._before is None:
            self._before = [[] for _ in self.blocks]
            for place, each in enumerate(self.blocks):
                if self.incoming[place] is not None:
                    for following in each.following:
                        self._before[following].append(place)
            for found, each in zip(self._before, self.blocks, strict=True):
                if each.before:
                    found.sort(key=each.before.index)
        return list(dict.fromkeys(self._before[number]))

    def lost(self, number: int, register: Hashable, bit: int, limit: int | None = None) -> int | None:
        """Return where an unknown bit of a register was lost, before the step ``limit`` of a block (None: at its end).

        None: nothing in the text writes it.
        """
        return self._lost[number, len(self.blocks[number].steps) if limit is None else limit, register, bit]

    def _causes(self, node: tuple[int, int, Any, int]) -> tuple[list[Hashable], int | None, bool]:
        number, limit, register, bit = node
        index = self.writer(number, register, limit)
        if index is None:
            return self._causes_at_entry(number, register, bit)
        step, values, before, _ = self._run(number)[index]
        if step.transfer is None:
            return [], step.at, True
        out = len(step.writes) - 1 - step.writes[::-1].index(register)
        if step.guarded:
            results = Trial(step.transfer, values, len(step.writes)).results(values)
            if results[out][1] >> bit & 1:
                if before[out][1] >> bit & 1:
                    return [], step.at, True
                return [(number, index, register, bit)], None, False
        found = culprits(step.transfer, values, _registers(step), out, bit, len(step.writes))
        if not found:
            return [], step.at, True
        more: list[Hashable] = [(number, index, step.reads[read], place) for read, place in found]
        return more, step.at if len(step.reads) > 1 else None, False

    def writer(self, number: int, register: Hashable, limit: int) -> int | None:
        """Return the last step before ``limit`` that writes a register."""
        writers = self._writers[number]
        if writers is None:
            writers = self._writers[number] = {}
            for index, step in enumerate(self.blocks[number].steps):
                for each in step.writes:
                    writers.setdefault(each, []).append(index)
        found = writers.get(register, [])
        place = bisect_left(found, limit)
        return found[place - 1] if place else None

    def _causes_at_entry(self, number: int, register: Hashable, bit: int) -> tuple[list[Hashable], int | None, bool]:
        block = self.blocks[number]
        if block.entry or self.incoming[number] is None:
            return [], block.because, True
        site, limit = self._sharing.get(self._reaching()[number], register) or (number, 0)
        if site != number and not self._before_step(site, limit, register) >> bit & 1:
            # Nothing on the ways from there writes it.
            return [(site, limit, register, bit)], None, False
        ways = [(before, self._at_end(before, register)) for before in self.before(number)]
        unknown: list[Hashable] = [
            (before, len(self.blocks[before].steps), register, bit)
            for before, (_, known) in ways
            if not known >> bit & 1
        ]
        if unknown:
            return unknown, None, False
        # All ways know it: the last that says something else wrote it.
        first = ways[0][1][0]
        other = [before for before, (bits, _) in ways if (bits ^ first) >> bit & 1] or [before for before, _ in ways]
        return [], self._wrote(other[-1], register, bit, block.at), True

    def _reaching(self) -> list[Node]:
        """Return where each register was last written before each block begins: a block, and how many of its steps
        there are to the write; none of them where ways meet on which it was written in different places."""
        if self._sites is not None:
            return self._sites
        meeting = [(number, 0) for number in range(len(self.blocks))]
        sites = [
            self._sharing.filled(each) if block.entry else None
            for each, block in zip(meeting, self.blocks, strict=True)
        ]
        effort = _EFFORT * sum(1 + len(block.steps) for block in self.blocks)
        rank = {number: place for place, number in enumerate(order(self.blocks))}
        heap = sorted((rank[number], number) for number in rank if sites[number] is not None)
        waiting = {number for _, number in heap}
        while heap:
            number = heappop(heap)[1]
            waiting.remove(number)
            after = sites[number]
            for index, step in enumerate(self.blocks[number].steps):
                for register in step.writes:
                    after = self._sharing.put(after, self._sharing.numbers[register], (number, index + 1))
            for following in self.blocks[number].following:
                old = sites[following]
                if self.blocks[following].entry:
                    continue
                if effort < 0:
                    # Loops in loops in loops: then each block is looked at.
                    self._sites = [None] * len(self.blocks)
                    return self._sites
                merge = Merging(self._sharing, partial(_met, meeting[following]))
                met = after if old is None else merge(old, after)
                effort -= merge.merged
                if met is not old:
                    sites[following] = met
                    if following not in waiting:
                        waiting.add(following)
                        heappush(heap, (rank[following], following))
        self._sites = sites
        return sites

    def _before_step(self, number: int, limit: int, register: Hashable) -> int:
        """Return the known bits of a register behind a step that writes it, or (0) where a block begins."""
        if limit:
            step, _, _, after = self._run(number)[limit - 1]
            return after[len(step.writes) - 1 - step.writes[::-1].index(register)][1]
        state = self.incoming[number]
        return 0 if state is None else int(state[register][1])

    def _at_end(self, number: int, register: Hashable) -> tuple[int, int]:
        index = self.writer(number, register, len(self.blocks[number].steps))
        if index is not None:
            step, _, _, after = self._run(number)[index]
            return after[len(step.writes) - 1 - step.writes[::-1].index(register)]
        state = self.incoming[number]
        assert state is not None
        bits, known = state[register][:2]
        return bits, known

    def _wrote(self, number: int, register: Hashable, bit: int, otherwise: int) -> int:
        """Return the last place that wrote a known bit of a register at the end of a block."""
        state = Where(self._sharing, self._forward()[number])
        self._through(number, state)
        places = [at for (at, _), bits in (state[register] or {}).items() if bits >> bit & 1]
        return max(places, default=otherwise)


class Names:
    """The origins of the values of a function in SSA form, when :func:`smemdesc.scanning.sparse.solve` has found
    them."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self._sources: dict[Any, Sources] | None = None
        self._lost = Search(self._causes)

    def sources(self, name: Hashable) -> Sources:
        """Return where the known bits of a value came from."""
        if self._sources is None:
            self._sources = self._forward()
        return self._sources.get(name) or {}

    def _forward(self) -> dict[Any, Sources]:
        solved, sources = self.solved, dict[Any, Sources]()
        changed = True
        while changed:
            changed = False
            for name in solved.order:
                definition = solved.definitions[name]
                known = solved[name][1]
                if definition is None or not known:
                    continue
                reads = [sources.get(read) for read in definition.reads]
                if definition.merges:
                    new: Sources = {}
                    for read, each in zip(definition.reads, reads, strict=True):
                        # A constant is written where the ways meet.
                        came = {(definition.at, 0): known} if read.__class__ is tuple else each or {}
                        new = joined(new, came, known)
                elif definition.transfer is None:
                    continue
                else:
                    registers = _registers(definition)
                    (made,) = links(definition.transfer, self.values(definition.reads), registers, 1)
                    new = handed_on(definition.at, made, reads, known)
                old = sources.get(name) or {}
                sources[name] = joined(old, new, known)
                changed = changed or sources[name] is not old
        return sources

    def known(self, name: Any) -> Value:
        """Return what is known of a value, or of a constant; nothing of one that was not asked for."""
        return name if name.__class__ is tuple else _value(self.solved.get(name, UNKNOWN))

    def values(self, reads: Sequence[Any]) -> Values:
        """Return what is known of what a definition reads."""
        return tuple([self.known(read) for read in reads])

    def definition(self, name: Any) -> Definition | None:
        """Return how a value follows from others; None where it does not, and of a constant."""
        return None if name.__class__ is tuple else self.solved.definitions.get(name)

    def lost(self, name: Hashable, bit: int) -> int | None:
        """Return where an unknown bit of a value was lost; None: nothing in the text makes it."""
        return self._lost[name, bit]

    def _causes(self, node: tuple[Any, int]) -> tuple[list[Hashable], int | None, bool]:
        name, bit = node
        definition = self.solved.definitions.get(name)
        if definition is None:
            return [], None, True
        values = self.values(definition.reads)
        if definition.merges:
            unknown: list[Hashable] = [
                (read, bit)
                for read, value in zip(definition.reads, values, strict=True)
                if not value[1] >> bit & 1 and read.__class__ is not tuple
            ]
            return (unknown, None, False) if unknown else ([], self._disagreed(definition, bit), True)
        if definition.transfer is None:
            return [], definition.at, True
        found = culprits(definition.transfer, values, _registers(definition), 0, bit, 1)
        if not found:
            return [], definition.at, True
        more: list[Hashable] = [(definition.reads[read], place) for read, place in found]
        return more, definition.at if len(definition.reads) > 1 else None, False

    def _disagreed(self, definition: Definition, bit: int) -> int:
        """Return where the last of the values was written that a merge finds different."""
        values = self.values(definition.reads)
        first = values[0][0]
        other = [
            read
            for read, value in zip(definition.reads, values, strict=True)
            if (value[0] ^ first) >> bit & 1 and read.__class__ is not tuple
        ]
        places = [at for (at, _), bits in self.sources(other[-1]).items() if bits >> bit & 1] if other else []
        return max(places, default=definition.at)


def _registers(step: Step | Definition) -> tuple[bool, ...]:
    """Return which of what is read are registers of which the result is made."""
    deciding = step.deciding
    if not deciding:
        return tuple([read.__class__ is not tuple for read in step.reads])
    return tuple([read.__class__ is not tuple and place not in deciding for place, read in enumerate(step.reads)])
