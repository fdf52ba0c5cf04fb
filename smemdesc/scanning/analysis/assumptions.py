"""What is known of the fields above a start address, provided that additions change the start address only.

A pipeline steps the start address of its descriptors from stage to stage. Where the number of stages is an argument,
nothing proves that the sum stays within the bits of the address, and what lies above them is not known: an addition may
carry into it. A kernel that works does not do that. What would be known then is found here, apart from what is proven,
together with the additions for which that must hold: in each, one term keeps its bits above the address.

:mod:`smemdesc.scanning.analysis.fixpoint` has found what is proven. Here values are followed backwards from a
descriptor, through operations that leave bits where they are: moves, selections, bitwise operations, sums.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.engine.known import UNKNOWN, Value, add, meet, meet_all
from smemdesc.scanning.analysis.fixpoint import Definition, Name
from smemdesc.scanning.analysis.provenance import NO_FORM, LinearForm, Provenance, affine_form, merges
from smemdesc.scanning.model import Addition, Provided

StepPlace = Callable[[int], tuple[int, str] | None]
"""Turns the place of a step into a line of the text and what is shown of it; None if it has no line."""

_MOST = 2_000
"""How many values are looked at for all descriptors of a function."""
_ROUNDS = 60
"""How often each of them is looked at, on average."""
_ADDITIONS = 32
"""With more additions than this nothing is reported: no reader would check more of them."""


class _PreservedTerm(NamedTuple):
    """The term of a sum that is assumed to keep its bits above the address, plus ``plus``."""

    at: int
    term: Name
    plus: int


def _result(definition: Definition, values: Sequence[Value]) -> tuple[int, int]:
    result = definition.result(values) or UNKNOWN
    return result[0] & result[1], result[1]


class FieldsAboveStart:
    """The bits above the start addresses of a function's descriptors."""

    def __init__(self, names: Provenance, low: int, wide: bool, place: StepPlace) -> None:
        """``low``: bits of an address. ``wide``: the registers hold whole descriptors, else the lower words of them."""
        self.names = names
        self.place = place
        self.low = ones(low)
        self.upper = ones(2 * WORD if wide else WORD) & ~self.low
        self.wide = wide
        self.widths = (2 * WORD, WORD) if wide else (WORD,)
        self.reads: dict[Name, list[tuple[Name, int]]] = {}
        """The values that each value depends on, each with its position among the reads of the definition."""
        self.facts: dict[Name, Value] = {}
        self.preserved: dict[Name, _PreservedTerm] = {}

    def above(self, nodes: Sequence[Name]) -> dict[Name, Provided]:
        """Return what would be known of values, for those where it is more than is proven."""
        self._explore(nodes)
        answers = {node: self._answer(node) for node in nodes} if self._solve() else {}
        return {node: answer for node, answer in answers.items() if answer is not None}

    def _explore(self, nodes: Iterable[Name]) -> None:
        """Find the values that nodes depend on."""
        waiting = list(nodes)
        while waiting and len(self.reads) < _MOST:
            node = waiting.pop()
            if node not in self.reads and self.upper & ~self.names.known(node)[1]:
                self.reads[node] = self._reads(node)
                waiting += [read for read, _ in self.reads[node]]
        for node in waiting:
            self.reads.setdefault(node, [])

    def _reads(self, node: Name) -> list[tuple[Name, int]]:
        definition = self.names.definition(node)
        if definition is None:
            return []
        merged = merges(definition)
        if merged:
            return [(read, 0) for read in merged]
        follow = self._form(definition).follow - frozenset(definition.deciding)
        return [(definition.reads[place], place) for place in sorted(follow)]

    def _form(self, definition: Definition) -> LinearForm:
        if definition.transfer is None:
            return NO_FORM
        return affine_form(definition.expression, definition.reads, self.widths)

    def _solve(self) -> bool:
        """Find what holds for every value, from what holds for the values it reads; False if that takes too long."""
        readers: dict[Name, list[Name]] = {}
        for node, reads in self.reads.items():
            for read, _ in reads:
                if read in self.reads:
                    readers.setdefault(read, []).append(node)
        waiting = OrderedDict.fromkeys(self.reads)
        left = _ROUNDS * len(self.reads)
        while waiting:
            node, _ = waiting.popitem(last=False)
            left -= 1
            if left < 0:
                return False
            value = self._value_from_reads(node)
            if value is None:
                continue
            before = self.facts.get(node)
            value = value if before is None else meet(before, value)
            if before is None or value[:2] != before[:2]:
                self.facts[node] = value
                waiting.update(dict.fromkeys(readers.get(node, ())))
        return True

    def _value(self, node: Name) -> Value | None:
        """Return what holds for a value; None if nothing has reached it yet."""
        return self.facts.get(node) if node in self.reads else self.names.known(node)

    def _value_from_reads(self, node: Name) -> Value | None:
        """Return what holds for a value because of what holds for the values it reads, joined with what is proven."""
        self.preserved.pop(node, None)
        proven = self.names.known(node)
        reads = self.reads[node]
        definition = self.names.definition(node) if reads else None
        if definition is None:
            return proven
        if merges(definition):
            ways = [value for read, _ in reads if (value := self._value(read)) is not None]
            return _both(proven, meet_all(ways)) if ways else None
        inputs = self.names.values(definition.reads)
        values = list(inputs)
        for read, place in reads:
            value = self._value(read)
            if value is None:
                return None
            values[place] = _both(values[place], value)
        result: Value = _result(definition, values)
        kept = None if definition.deciding else self._sum(node, definition, inputs, values)
        if kept is not None:
            preserved, addition = kept
            self.preserved[node] = addition
            result = _both(result, preserved)
        return _both(proven, result)

    def _sum(
        self, node: Name, definition: Definition, inputs: Sequence[Value], values: list[Value]
    ) -> tuple[Value, _PreservedTerm] | None:
        """Return what a sum keeps of one of its terms, assuming that the others change the address only.

        Of the others only what is proven counts.
        """
        how = self._form(definition)
        upper, full = self.upper & ones(how.width), ones(how.width)
        best: tuple[tuple[int, int, bool], Value, _PreservedTerm] | None = None
        for place in sorted(how.sums - how.aligned):
            base = values[place]
            others = [(0, full) if at == place else value for at, value in enumerate(inputs)]
            rest = _result(definition, others)
            settled = rest[1] & upper
            bits = rest[0] & settled
            plus = 0
            if settled == upper:
                # A known number, added without a carry; all ones is a step backwards.
                plus = 0 if bits == upper else bits
            elif (bits and bits != settled) or not self.low & ~rest[1]:
                continue
            if settled != upper and not self._is_base(base, inputs[place], upper):
                continue
            term: Value = (base[0] & upper, base[1] & upper | self.low)
            if plus:
                term = add(term, (plus, full), how.width)[0]
            kept = (term[0] & upper & term[1], term[1] & upper)
            read = definition.reads[place]
            # The next version of a register that is stepped has the same name.
            better = (kept[1].bit_count(), kept[0].bit_count(), str(read) == str(node))
            if kept[1] and (best is None or better > best[0]):
                best = better, kept, _PreservedTerm(definition.at, read, plus)
        return None if best is None else best[1:]

    def _is_base(self, value: Value, proven: Value, upper: int) -> bool:
        """Whether a term is what the others are added to: a descriptor, with bits set above the address.

        The lower word of a descriptor may have no bits set there: then all of them are known. A number with no bits set
        there may be the addend.
        """
        if not self.wide and upper & ~value[1]:
            return False
        return bool(value[0] & value[1] & upper) or (not self.wide and bool((self.low | upper) & ~proven[1]))

    def _answer(self, node: Name) -> Provided | None:
        """Return the bits of a value that are known if additions carry nothing out of the field, and these additions;
        None if no bit is gained, or if the additions are too many."""
        bits, known = (self.facts.get(node) or UNKNOWN)[:2]
        known &= self.upper
        if not known & ~self.names.known(node)[1]:
            return None
        kept = set()
        seen = {node}
        waiting = [node]
        while waiting:
            current = waiting.pop()
            preserved = self.preserved.get(current)
            if preserved is not None:
                kept.add(preserved)
                if len(kept) > _ADDITIONS:
                    return None
            for read, _ in self.reads.get(current, ()):
                if read not in seen and (preserved is None or read == preserved.term):
                    seen.add(read)
                    waiting.append(read)
        places = [(self.place(preserved.at), preserved) for preserved in kept]
        additions = sorted(Addition(*at, str(preserved.term), preserved.plus) for at, preserved in places if at)
        # Conditions are reported in full, or their consequence is not reported; what needs no condition is proven, or
        # not known.
        whole = additions and len(additions) == len(kept)
        return Provided(bits & known, known, tuple(additions)) if whole else None


def _both(proven: Value, assumed: Value) -> Value:
    """Return what is known of a number from both."""
    known = proven[1] | assumed[1]
    bits = proven[0] & proven[1] | assumed[0] & assumed[1] & ~proven[1]
    if len(proven) == 5:
        return bits, known, None, proven[3], proven[4]
    return bits, known
