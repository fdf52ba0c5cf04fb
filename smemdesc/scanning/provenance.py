"""Where each bit of a value came from, and where the unknown ones were lost.

The facts are found first (:mod:`smemdesc.scanning.fixpoint`). Then each definition is asked on which bits of what it
reads its result hangs (:mod:`smemdesc.scanning.dependence`). A bit that is handed on unchanged comes from where it came
from before; any other known bit was written by the definition itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from smemdesc.scanning.dependence import Search, Sources, Values, dependence, join_sources, pass_on, unknown_because
from smemdesc.scanning.fixpoint import Definition, Solved
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.ranges import Value


def _value(fact: Any) -> Value:
    """Return a fact without where it was lost, so that like ones are equal."""
    return (fact[0], fact[1], None, fact[3], fact[4]) if len(fact) == 5 else fact[:2]


class Provenance:
    """The origins of the values of a function in SSA form, when :func:`smemdesc.scanning.fixpoint.solve` has found
    them."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self._sources: dict[Any, Sources] | None = None
        self._lost = Search()

    def sources(self, name: Hashable) -> Sources:
        """Return where the known bits of a value came from."""
        if self._sources is None:
            self._sources = self._forward()
        return self._sources.get(name) or {}

    def _forward(self) -> dict[Any, Sources]:
        solved, sources = self.solved, dict[Any, Sources]()
        rank = {name: place for place, name in enumerate(solved.order)}
        readers: dict[Any, list[int]] = {}
        for name, definition in solved.definitions.items():
            for read in (*definition.reads, *definition.joins) if definition is not None else ():
                if read.__class__ is not tuple:
                    readers.setdefault(read, []).append(rank[name])
        heap = list(range(len(rank)))
        heapify(heap)
        waiting = set(heap)
        while heap:
            place = heappop(heap)
            waiting.remove(place)
            name = solved.order[place]
            definition = solved.definitions[name]
            known = solved[name][1]
            if definition is None or not known:
                continue
            if not merges(definition) and any(
                self.known(read)[1] and read not in sources for read in definition.reads if read.__class__ is not tuple
            ):
                continue  # it comes round
            old = sources.get(name)
            new = join_sources({} if old is None else old, self._made(definition, known, sources), known)
            if new is not old:
                sources[name] = new
                for each in readers.get(name, ()):
                    if each not in waiting:
                        waiting.add(each)
                        heappush(heap, each)
        return sources

    def _made(self, definition: Definition, known: int, sources: dict[Any, Sources]) -> Sources:
        """Return where the ``known`` bits of a value come from, by where those came from that it is made of."""
        new: Sources = {}
        merged = merges(definition)
        if merged:
            for read in merged:
                # A constant is written where the ways meet.
                came = {(definition.at, 0): known} if read.__class__ is tuple else sources.get(read) or {}
                new = join_sources(new, came, known)
        elif definition.transfer is not None:
            made = dependence(definition.expression, self.values(definition.reads), _registers(definition))
            new = pass_on(definition.at, made, [sources.get(read) for read in definition.reads], known)
        return new

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
        return self._lost.find((name, bit), self._causes)

    def _causes(self, node: tuple[Any, int]) -> tuple[list[Hashable], int | None, bool]:
        name, bit = node
        definition = self.solved.definitions.get(name)
        if definition is None:
            return [], None, True
        values = self.values(definition.reads)
        reads = merges(definition)
        if reads:
            unknown: list[Hashable] = [
                (read, bit)
                for read, value in zip(reads, self.values(reads), strict=True)
                if not value[1] >> bit & 1 and read.__class__ is not tuple
            ]
            return (unknown, None, False) if unknown else ([], self._disagreed(definition, bit), True)
        if definition.transfer is None:
            return [], definition.at, True
        found = unknown_because(definition.expression, values, _registers(definition), bit)
        if not found:
            return [], definition.at, True
        more: list[Hashable] = [(definition.reads[read], place) for read, place in found]
        return more, definition.at if len(values) > 1 else None, False

    def _disagreed(self, definition: Definition, bit: int) -> int:
        """Return where the last of the values was written that a merge finds different."""
        reads = [read for read in merges(definition) if read.__class__ is not tuple]
        first = self.known(merges(definition)[0])[0]
        other = [read for read in reads if (self.known(read)[0] ^ first) >> bit & 1] or reads
        places = [at for (at, _), bits in self.sources(other[-1]).items() if bits >> bit & 1] if other else []
        return max(places, default=definition.at)


def merges(definition: Definition) -> tuple[Any, ...]:
    """Return what comes together in a value; none where it is made of what it reads."""
    return definition.reads if definition.merges else definition.joins


def _registers(definition: Definition) -> tuple[bool, ...]:
    """Return which of what is read are no constants, of which the result is made."""
    deciding = definition.deciding
    return tuple([read.__class__ is not tuple and place not in deciding for place, read in enumerate(definition.reads)])
