"""Where each bit of a value came from, where the unknown ones were lost, and the terms of a sum.

The facts are found first (:mod:`smemdesc.scanning.analysis.fixpoint`). Then the rows of its operations
(:mod:`smemdesc.scanning.analysis.ir`) tell for each definition on which bits of its reads the result depends. A bit
that is passed on unchanged keeps its origin; any other known bit was written by the definition itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN, Value
from smemdesc.scanning.analysis.fixpoint import Definition, Solved, propagate
from smemdesc.scanning.analysis.ir import ANY, BitMove, LinearTerm, Node, up

Sources = dict[tuple[int, int], int]
"""Where the bits of a register were written: their mask, by line and how far they have moved up since."""
KnownValues = tuple[Value, ...]

_CACHED = 20_000
_MOST = 64
"""How many origins a register keeps: where many paths meet, the first ones."""

# ---- one expression ----


class Dependence(NamedTuple):
    """How a result depends on what was read."""

    here: int
    """The known bits that the instruction wrote itself."""
    handed: tuple[BitMove, ...]
    """The others, by the read from which they are copied."""


class LinearForm(NamedTuple):
    """How a result depends on the reads: ``sums`` are terms of a sum, ``aligned`` act bit by bit, each in its place."""

    width: int
    sums: frozenset[int]
    aligned: frozenset[int]

    @property
    def follow(self) -> frozenset[int]:
        """The reads whose upper bits the result may keep."""
        return self.aligned | self.sums


NO_FORM = LinearForm(0, frozenset(), frozenset())


@lru_cache(_CACHED)
def dependence(expression: Node, values: KnownValues, registers: tuple[bool, ...]) -> Dependence:
    """Return how the result depends on ``values``; ``registers``: which of them are not constants."""
    program = expression.program
    slots = program.run(values)
    moved: list[dict[tuple[int, int], int]] = []
    own: list[int] = []
    for place in range(program.inputs):
        mask = slots[place][1]
        moved.append({(place, 0): mask} if registers[place] else {})
        own.append(0 if registers[place] else mask)
    for constant in program.constants:
        moved.append({})
        own.append(constant[1])
    for at, (node, _, reads, immediates) in enumerate(program.steps, program.first_result):
        masks: dict[tuple[int, int], int] = {}
        chosen = 0
        operands = [slots[read] for read in reads]
        result = slots[at] or operands[0]  # a selection in code that never runs
        for operand, shift, mask in node.row.handed(operands, result, [own[read] for read in reads], *immediates):
            read = reads[operand]
            for (place, before), bits in moved[read].items():
                bits = up(bits, shift) & mask
                if bits:
                    key = place, before + shift
                    masks[key] = masks.get(key, 0) | bits
            if node.row.chooses and read >= program.first_result:
                chosen |= up(own[read], shift) & mask
        here = result[1]
        for bits in masks.values():
            here &= ~bits
        moved.append(masks)
        own.append(here | chosen)
    place = program.result
    return Dependence(own[place], tuple([(read, shift, mask) for (read, shift), mask in moved[place].items() if mask]))


@lru_cache(_CACHED)
def unknown_because(
    expression: Node, values: KnownValues, registers: tuple[bool, ...], bit: int
) -> tuple[tuple[int, int], ...]:
    """Return the reads, each with its bit, that make bit ``bit`` of the result unknown."""
    program = expression.program
    slots = program.run(values)
    causes: dict[int, int] = {}
    seen = set()
    waiting = [(program.result, bit)]
    while waiting:
        place, bit = pair = waiting.pop()
        if pair in seen or (slots[place] or UNKNOWN)[1] >> bit & 1:
            continue
        seen.add(pair)
        if place < program.inputs:
            if registers[place]:
                causes.setdefault(place, bit)
        elif place >= program.first_result:
            node, _, reads, immediates = program.steps[place - program.first_result]
            operand_bits = node.row.causes([slots[read] for read in reads], bit, *immediates)
            waiting += [(reads[operand], at) for operand, at in reversed(operand_bits)]
    return tuple(sorted(causes.items()))


def affine_form(expression: Node, reads: Sequence[Any], widths: tuple[int, ...]) -> LinearForm:
    """Return how the result depends on ``reads``, if it has one of these ``widths``.

    If the operation has no width of its own, the first of them is taken.
    """
    return _form(expression, tuple([read if read.__class__ is tuple else None for read in reads]), widths)


@lru_cache(_CACHED)
def _form(expression: Node, constants: tuple[Value | None, ...], widths: tuple[int, ...]) -> LinearForm:
    """Return how the result depends on the inputs that are no ``constants``, step by step through its program."""
    width = widths[0] if expression.width == ANY else expression.width
    if width not in widths:
        return NO_FORM
    program = expression.program
    slots = program.run([constant or UNKNOWN for constant in constants])
    how: list[dict[int, tuple[LinearTerm | None, bool]]] = [
        {at: (LinearTerm(1, 0, ANY), True)} for at in range(program.inputs)
    ]
    """For each value how it changes with each input, and whether bit by bit."""
    how += [{} for _ in program.constants]
    for node, _, reads, immediates in program.steps:
        values = [slots[read] for read in reads]
        terms: dict[int, tuple[LinearTerm | None, bool]] = {}
        rows = zip(reads, node.row.adds(values, *immediates), node.row.aligned(values, *immediates), strict=True)
        for read, adds, stays in rows:
            for at, (before, aligned) in how[read].items():
                line, aligned = _after(before, adds), aligned and stays
                if at in terms:
                    line, aligned = _summed(terms[at][0], line), aligned and terms[at][1]
                terms[at] = line, aligned
        how.append(terms)
    full = ones(expression.width) if expression.width < ANY else -1
    linear = [(at, *term) for at, term in how[program.result].items() if constants[at] is None]
    sums = [at for at, line, _ in linear if line and line.width >= expression.width and line.times & full == 1]
    return LinearForm(width, frozenset(sums), frozenset([at for at, _, aligned in linear if aligned]))


def _after(before: LinearTerm | None, adds: LinearTerm | None) -> LinearTerm | None:
    if before is None or adds is None or before.times & ones(adds.down):
        return None
    # 2 ** n times a number modulo 2 ** m is one modulo 2 ** (m + n).
    up = (adds.times & -adds.times).bit_length() - 1
    return LinearTerm((before.times >> adds.down) * adds.times, 0, min(before.width - adds.down + up, adds.width))


def _summed(a: LinearTerm | None, b: LinearTerm | None) -> LinearTerm | None:
    if a is None or b is None:
        return None
    return LinearTerm(a.times + b.times, 0, min(a.width, b.width))


# ---- all values of a function ----


class Provenance:
    """The origins of the values of a function in SSA form, after :func:`smemdesc.scanning.analysis.fixpoint.solve`."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self._sources: dict[Any, Sources] | None = None
        self._lost: dict[tuple[Any, int], int | None] = {}

    def sources(self, name: Hashable) -> Sources:
        """Return where the known bits of a value came from."""
        if self._sources is None:
            self._sources = self._forward()
        return self._sources.get(name) or {}

    def _forward(self) -> dict[Any, Sources]:
        solved, sources = self.solved, dict[Any, Sources]()

        def visit(name: Any) -> bool:
            definition = solved.definitions[name]
            known = solved[name][1]
            if definition is None or not known:
                return False
            if not merges(definition) and any(
                self.known(read)[1] and read not in sources for read in definition.reads if read.__class__ is not tuple
            ):
                return False  # wait for the next visit: a cycle
            old = sources.get(name)
            new = _join({} if old is None else old, self._written_sources(definition, known, sources), known)
            sources[name] = new
            return new is not old

        propagate(solved, visit)
        return sources

    def _written_sources(self, definition: Definition, known: int, sources: dict[Any, Sources]) -> Sources:
        """Return where the ``known`` bits of a value come from, given the sources of what it reads."""
        new: Sources = {}
        merged = merges(definition)
        if merged:
            for read in merged:
                # A constant is written where the paths meet.
                origins = {(definition.at, 0): known} if read.__class__ is tuple else sources.get(read) or {}
                new = _join(new, origins, known)
        elif definition.transfer is not None:
            result = dependence(definition.expression, self.values(definition.reads), _registers(definition))
            new = _pass_on(definition.at, result, [sources.get(read) for read in definition.reads], known)
        return new

    def known(self, name: Any) -> Value:
        """Return what is known of a value or a constant; nothing if it was not solved for.

        The line of the loss is left out, so that equal values compare equal.
        """
        fact = name if name.__class__ is tuple else self.solved.get(name, UNKNOWN)
        return (fact[0], fact[1], None, fact[3], fact[4]) if len(fact) == 5 else fact[:2]

    def values(self, reads: Iterable[Any]) -> KnownValues:
        """Return what is known of what a definition reads."""
        return tuple([self.known(read) for read in reads])

    def definition(self, name: Any) -> Definition | None:
        """Return how a value follows from others; None if it does not, or is a constant."""
        return None if name.__class__ is tuple else self.solved.definitions.get(name)

    def lost(self, name: Any, bit: int) -> int | None:
        """Return the line where an unknown bit of a value was lost; None if nothing in the text defines it.

        If all paths back are cycles, it is the last line on them.
        """
        waiting = [(name, bit)]
        seen: set[tuple[Any, int]] = set()
        place: int | None = None
        while waiting:
            current = waiting.pop()
            if current in self._lost:
                place = self._lost[current]
                break
            if current in seen:
                continue
            seen.add(current)
            causes, at = self._causes(*current)
            place = at if at is not None or not causes else place
            if not causes:
                break
            waiting.extend(reversed(causes))
        self._lost.update(dict.fromkeys(seen, place))
        return place

    def _causes(self, name: Any, bit: int) -> tuple[list[tuple[Any, int]], int | None]:
        """Return the bits that may have made a bit unknown (empty if it was lost here), and a line to report."""
        definition = self.definition(name)
        if definition is None:
            return [], None
        merged = merges(definition)
        if merged:
            unknown = [read for read in merged if read.__class__ is not tuple and not self.known(read)[1] >> bit & 1]
            return [(read, bit) for read in unknown], None if unknown else self._disagreed(definition, bit)
        if definition.transfer is None:
            return [], definition.at
        values = self.values(definition.reads)
        causes = unknown_because(definition.expression, values, _registers(definition), bit)
        at = definition.at if len(values) > 1 or not causes else None
        return [(definition.reads[read], place) for read, place in causes], at

    def _disagreed(self, definition: Definition, bit: int) -> int:
        """Return the line that wrote the last of the values in which a merge differs."""
        reads = [read for read in merges(definition) if read.__class__ is not tuple]
        expected = self.known(merges(definition)[0])[0]
        different = [read for read in reads if (self.known(read)[0] ^ expected) >> bit & 1] or reads
        places = [at for (at, _), bits in self.sources(different[-1]).items() if bits >> bit & 1] if different else []
        return max(places, default=definition.at)


def merges(definition: Definition) -> tuple[Any, ...]:
    """Return what a value merges; empty if it is computed from its reads."""
    return definition.reads if definition.merges else definition.joins


def _registers(definition: Definition) -> tuple[bool, ...]:
    """Return which reads are neither constants nor only decide the result."""
    deciding = definition.deciding
    return tuple([read.__class__ is not tuple and place not in deciding for place, read in enumerate(definition.reads)])


def _pass_on(at: int, how: Dependence, sources: Sequence[Sources | None], known: int) -> Sources:
    """Return where the ``known`` bits of a result came from, given the sources of the reads."""
    here = how.here & known
    out: Sources = {(at, 0): here} if here else {}
    for read, shift, mask in how.handed:
        rest = mask = mask & known
        for (line, moved), bits in (sources[read] or {}).items():
            bits = up(bits, shift) & mask
            if bits:
                key = (line, moved + shift)
                out[key] = out.get(key, 0) | bits
                rest &= ~bits
        if rest:
            out[at, 0] = out.get((at, 0), 0) | rest
    return out


def _join(sources: Sources, more: Sources, known: int) -> Sources:
    """Return ``sources`` with what else may have written the ``known`` bits; the same object if nothing else did."""
    out = sources
    for key, bits in more.items():
        bits &= known
        old = out.get(key, 0)
        if bits & ~old and (old or len(out) < _MOST):
            if out is sources:
                out = dict(sources)
            out[key] = old | bits
    return out
