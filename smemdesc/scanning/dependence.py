"""How the results of an instruction hang on what it read: which bits it hands on, which it writes, which cost it
others, and which it adds. All that follows from the rows of its operations (:mod:`smemdesc.scanning.ir`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.ir import ANY, Linear, Move, Node, up
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.ranges import Value

Sources = dict[tuple[int, int], int]
"""Which bits of a register were written where: the mask of them, by where (a line) and how far they moved up since."""
Values = tuple[Value, ...]

_CACHED = 20_000
_MOST = 64
"""A register remembers no more places than so many: where many ways meet, the first."""


class Dependence(NamedTuple):
    """How a result hangs on what was read."""

    here: int
    """The known bits that the instruction wrote itself."""
    handed: tuple[Move, ...]
    """The others, by the read that they are those of."""


class Form(NamedTuple):
    """How a result hangs on the reads: on which as a sum does, on which bit by bit, each in its place."""

    width: int
    sums: frozenset[int]
    aligned: frozenset[int]

    @property
    def follow(self) -> frozenset[int]:
        """The reads whose upper bits the result may keep."""
        return self.aligned | self.sums


NO_FORM = Form(0, frozenset(), frozenset())


class _Cache(dict[Any, Any]):
    """What was found out, the last so many."""

    def get_or(self, key: Hashable, make: Callable[[], Any]) -> Any:
        found = self.get(key)
        if found is None:
            if len(self) > _CACHED:
                self.clear()
            found = self[key] = make()
        return found


_LINKS, _CULPRITS, _FORMS = _Cache(), _Cache(), _Cache()


def dependence(of: Node, values: Values, registers: tuple[bool, ...]) -> Dependence:
    """Return how the result hangs on ``values``; ``registers``: which of them are no constants."""
    key = of, values, registers
    found: Dependence = _LINKS.get_or(key, lambda: _dependence(*key))
    return found


def unknown_because(of: Node, values: Values, registers: tuple[bool, ...], bit: int) -> tuple[tuple[int, int], ...]:
    """Return the reads, each with its bit, because of which bit ``bit`` of the result is not known.

    None where it is not known for want of a read.
    """
    key = of, values, registers, bit
    found: tuple[tuple[int, int], ...] = _CULPRITS.get_or(key, lambda: _unknown_because(*key))
    return found


def form(of: Node, reads: Sequence[Any], widths: Sequence[int]) -> Form:
    """Return how the result hangs on ``reads``, if it has one of these ``widths``.

    A width that is not told by the operation is the first of them.
    """
    constants = tuple([read if read.__class__ is tuple else None for read in reads])

    def make() -> Form:
        found = _form(of, [UNKNOWN if each is None else each for each in constants])
        width = widths[0] if found.width == ANY else found.width
        registers = [place for place, each in enumerate(constants) if each is None]
        if width not in widths:
            return NO_FORM
        return Form(width, found.sums.intersection(registers), found.aligned.intersection(registers))

    found: Form = _FORMS.get_or((of, constants, tuple(widths)), make)
    return found


def _dependence(of: Node, values: Values, registers: Sequence[bool]) -> Dependence:
    """Return how the result hangs on the inputs; ``registers``: which of them are no constants."""
    program = of.program
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
    for at, (node, _, reads, immediates) in enumerate(program.steps, program.first):
        made: dict[tuple[int, int], int] = {}
        chosen = 0
        operands = [slots[read] for read in reads]
        result = slots[at] or operands[0]  # of a selection in code that is never run
        for operand, shift, mask in node.row.handed(operands, result, [own[each] for each in reads], *immediates):
            read = reads[operand]
            for (place, before), bits in moved[read].items():
                bits = up(bits, shift) & mask
                if bits:
                    key = place, before + shift
                    made[key] = made.get(key, 0) | bits
            if node.row.chooses and read >= program.first:
                chosen |= up(own[read], shift) & mask
        here = result[1]
        for bits in made.values():
            here &= ~bits
        moved.append(made)
        own.append(here | chosen)
    place = program.result
    return Dependence(own[place], tuple([(read, shift, mask) for (read, shift), mask in moved[place].items() if mask]))


def _unknown_because(of: Node, values: Values, registers: Sequence[bool], bit: int) -> tuple[tuple[int, int], ...]:
    """Return the inputs, each with its bit, because of which bit ``bit`` of the result is not known."""
    program = of.program
    slots = program.run(values)
    found: dict[int, int] = {}
    seen = set()
    waiting = [(program.result, bit)]
    while waiting:
        place, bit = each = waiting.pop()
        if each in seen or (slots[place] or UNKNOWN)[1] >> bit & 1:
            continue
        seen.add(each)
        if place < program.inputs:
            if registers[place]:
                found.setdefault(place, bit)
        elif place >= program.first:
            node, _, reads, immediates = program.steps[place - program.first]
            more = node.row.causes([slots[read] for read in reads], bit, *immediates)
            waiting += [(reads[operand], at) for operand, at in reversed(more)]
    return tuple(sorted(found.items()))


def _form(of: Node, constants: Sequence[Value]) -> Form:
    """Return how the result hangs on the inputs; ``constants`` are the values of those that are constants."""
    program = of.program
    slots = program.run(constants)
    linear: list[dict[int, Linear | None]] = [{place: Linear(1, 0, ANY)} for place in range(program.inputs)]
    aligned: list[dict[int, bool]] = [{place: True} for place in range(program.inputs)]
    linear += [{} for _ in program.constants]
    aligned += [{} for _ in program.constants]
    for node, _, reads, immediates in program.steps:
        values = [slots[read] for read in reads]
        lines: dict[int, Linear | None] = {}
        kept: dict[int, bool] = {}
        how = zip(reads, node.row.adds(values, *immediates), node.row.aligned(values, *immediates), strict=True)
        for read, adds, stays in how:
            for place, before in linear[read].items():
                line = _after(before, adds)
                lines[place] = line if place not in lines else _summed(lines[place], line)
                kept[place] = aligned[read][place] and stays and kept.get(place, True)
        linear.append(lines)
        aligned.append(kept)
    width, at = of.width, program.result
    full = ones(width) if width < ANY else -1
    return Form(
        width,
        frozenset(
            [place for place, line in linear[at].items() if line and line.width >= width and line.times & full == 1]
        ),
        frozenset([place for place, stays in aligned[at].items() if stays]),
    )


def _after(before: Linear | None, adds: Linear | None) -> Linear | None:
    if before is None or adds is None or before.times & ones(adds.down):
        return None
    # 2 ** n times a number modulo 2 ** m is one modulo 2 ** (m + n).
    up = (adds.times & -adds.times).bit_length() - 1
    return Linear((before.times >> adds.down) * adds.times, 0, min(before.width - adds.down + up, adds.width))


def _summed(one: Linear | None, other: Linear | None) -> Linear | None:
    if one is None or other is None:
        return None
    return Linear(one.times + other.times, 0, min(one.width, other.width))


def pass_on(at: int, made: Dependence, sources: Sequence[Sources | None], known: int) -> Sources:
    """Return where the ``known`` bits of a result came from, from where those of the reads did."""
    out: Sources = {}
    here = made.here & known
    if here:
        out[at, 0] = here
    for read, shift, mask in made.handed:
        before = sources[read]
        mask &= known
        rest = mask
        if before:
            for (line, moved), bits in before.items():
                bits = (bits << shift if shift >= 0 else bits >> -shift) & mask
                if bits:
                    key = (line, moved + shift)
                    out[key] = out.get(key, 0) | bits
                    rest &= ~bits
        if rest:
            out[at, 0] = out.get((at, 0), 0) | rest
    return out


def join_sources(sources: Sources, more: Sources, known: int) -> Sources:
    """Return ``sources`` with what else may have written the ``known`` bits; the same object where that is nothing."""
    out = sources
    for key, bits in more.items():
        bits &= known
        old = out.get(key, 0)
        if bits & ~old and (old or len(out) < _MOST):
            if out is sources:
                out = dict(sources)
            out[key] = old | bits
    return out


def kept(sources: Sources, known: int) -> Sources:
    """Return the sources of the ``known`` bits; the same object where these are all."""
    if not any(bits & ~known for bits in sources.values()):
        return sources
    return {key: bits & known for key, bits in sources.items() if bits & known}


Causes = Callable[[Any], tuple[Sequence[Hashable], int | None, bool]]


class Search(dict[Hashable, "int | None"]):
    """Follows an unknown bit back to what lost it: where each node that was looked at ended."""

    def find(self, start: Hashable, causes: Causes) -> int | None:
        """Return where a node ends.

        ``causes`` returns for a node what may have made it unknown, a place to name (None: it only hands on), and
        whether that place is the end. Where all ways lead round in a circle, the last place on them is named.
        """
        if start in self:
            return self[start]
        stack = [start]
        seen: set[Hashable] = set()
        named: int | None = None
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            if node in self:
                named = self[node]
                break
            seen.add(node)
            more, at, final = causes(node)
            named = named if at is None and not final else at
            if final:
                break
            stack.extend(reversed(more))
        self.update(dict.fromkeys(seen, named))
        return named
