"""Fields above a start address that additions change, as far as those change the start address only.

A pipeline steps the start address of its descriptors from stage to stage. Where the number of stages is an argument,
nothing proves that the sum stays within the bits of the address, and what lies above them is not known: an addition may
carry into it. A kernel that works does not do that. So what would be known then is found here, apart from what is
proven, together with the additions of which that has to hold: of each, one term keeps its bits above the address.

:mod:`smemdesc.scanning.flow` or :mod:`smemdesc.scanning.sparse` has found what is proven. Here registers, or values of
a function in SSA form, are followed from a descriptor backwards, through what leaves their bits where they are: moves,
selections, bitwise operations, sums. What instructions do is asked of their steps, by plain numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from random import Random
from types import FunctionType
from typing import Any, NamedTuple, Protocol

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.flow import Step
from smemdesc.scanning.known import UNKNOWN, Value, add, meet
from smemdesc.scanning.origins import Names, Row, Ways

_MOST = 2_000
"""Places that are looked at for all descriptors of a function."""
_ROUNDS = 60
"""How often each of them is."""
_ADDITIONS = 32
"""Of so many additions together nothing is said: nobody looks at more of them."""
_TRIED = 8
"""Plain numbers by which it is asked what an instruction does."""

Node = Any
"""A place where a register is written, or a value of a function in SSA form."""


class Places(Protocol):
    """How the places of a function hang on each other."""

    def proven(self, node: Node) -> Value:
        """Return what is known at a place."""

    def merged(self, node: Node) -> list[Node | None] | None:
        """Return the places whose values come together in one (None: from where nothing is known); None for none."""

    def row(self, node: Node) -> tuple[Row, int] | None:
        """Return the step that writes there, with which of its results; None: nothing is known of one."""

    def read(self, node: Node, place: int) -> Node | None:
        """Return where what that step reads was written; ``place`` -1: what stays where it is skipped."""


class InBlocks:
    """The places of a function of blocks: a block, a step in it (-1: where it begins), and a register that is written.

    Places are given as these three.
    """

    def __init__(self, ways: Ways) -> None:
        self.ways = ways

    def node(self, number: int, register: Hashable, limit: int | None) -> Node | None:
        """Return where a register was written last before a step of a block (None: before its end)."""
        came = None if register.__class__ is tuple else self.ways.came(number, register, limit)
        return None if came is None else (*came, register)

    def proven(self, node: Node) -> Value:
        number, index, register = node
        if index < 0:
            return self.ways.entered(number, register)
        row = self.ways.row(number, index)
        return row.after[_out(row.step, register)]

    def merged(self, node: Node) -> list[Node | None] | None:
        number, index, register = node
        return [self.node(before, register, None) for before in self.ways.before(number)] if index < 0 else None

    def row(self, node: Node) -> tuple[Row, int] | None:
        number, index, register = node
        row = self.ways.row(number, index)
        return row, _out(row.step, register)

    def read(self, node: Node, place: int) -> Node | None:
        number, index, register = node
        return self.node(number, register if place < 0 else self.ways.row(number, index).step.reads[place], index)


class OfNames:
    """The places of a function in SSA form: its values."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.rows: dict[Node, Row] = {}

    def proven(self, node: Node) -> Value:
        return self.names.known(node)

    def merged(self, node: Node) -> list[Node | None] | None:
        definition = self.names.definition(node)
        return None if definition is None else list(definition.reads if definition.merges else definition.joins) or None

    def row(self, node: Node) -> tuple[Row, int] | None:
        definition = self.names.definition(node)
        if definition is None:
            return None
        if node not in self.rows:
            step = Step(definition.at, (node,), definition.reads, definition.transfer, deciding=definition.deciding)
            self.rows[node] = Row(step, self.names.values(definition.reads), (), ())
        return self.rows[node], 0

    def read(self, node: Node, place: int) -> Node | None:
        row = self.row(node)
        return None if row is None else row[0].step.reads[place]


class Addition(NamedTuple):
    """A sum of which one term is taken to keep its bits above the address, but for ``plus``."""

    at: int
    term: Hashable
    plus: int


class Stepped(NamedTuple):
    """What is known of a register above its start address as far as the ``additions`` change that only."""

    bits: int
    known: int
    additions: frozenset[Addition]


class _Form(NamedTuple):
    """How a result hangs on what is read: on which reads as a sum does, on which bit by bit, each in its place."""

    width: int
    sums: frozenset[int]
    aligned: frozenset[int]


_NOTHING = _Form(0, frozenset(), frozenset())
_FORMS: dict[tuple[Hashable, tuple[Any, ...], int, int], _Form] = {}
_CACHED = 20_000


def _alike(what: Any) -> Hashable:
    """Return a key that functions share which do the same: the same code over the same values.

    A front end writes a function of its own for each line of ``add.s32``, and they need to be asked once.
    """
    if what.__class__ is not FunctionType:
        return what.__class__, what
    cells = what.__closure__ or ()
    return what.__code__, what.__defaults__, tuple([_alike(cell.cell_contents) for cell in cells])


def form(step: Step, out: int, widths: Sequence[int]) -> _Form:
    """Return how result ``out`` of a step hangs on the registers that it reads, which have one of these ``widths``."""
    if step.transfer is None:
        return _NOTHING
    constants = tuple(read if read.__class__ is tuple else None for read in step.reads)
    key = (_alike(step.transfer), constants, len(step.writes), out)
    try:
        found = _FORMS.get(key)
    except TypeError:  # one of the values has no hash
        key = (step.transfer, constants, len(step.writes), out)
        found = _FORMS.get(key)
    if found is None:
        if len(_FORMS) > _CACHED:
            _FORMS.clear()
        found = _FORMS[key] = next((made for width in widths if (made := _asked(step, out, width)).width), _NOTHING)
    return found


def _asked(step: Step, out: int, width: int) -> _Form:
    rng = Random(0)
    full = ones(width)
    registers = [place for place, read in enumerate(step.reads) if read.__class__ is not tuple]
    sums, aligned = set(registers), set(registers)
    for _ in range(_TRIED):
        numbers = [rng.getrandbits(width) for _ in step.reads]

        def result(numbers: Sequence[int]) -> tuple[int, int]:
            values = [
                read if read.__class__ is tuple else (number, full)
                for read, number in zip(step.reads, numbers, strict=True)
            ]
            return _result(step, values, out)

        bits, known = result(numbers)
        if known != full:
            return _NOTHING
        more = rng.getrandbits(width)
        for read in registers:
            moved = list(numbers)
            moved[read] = numbers[read] + more & full
            if (result(moved)[0] - bits - more) & full:
                sums.discard(read)
            for flipped in range(width) if read in aligned else ():
                moved[read] = numbers[read] ^ 1 << flipped
                if (result(moved)[0] ^ bits) & ~(1 << flipped):
                    aligned.discard(read)
                    break
    return _Form(width, frozenset(sums), frozenset(aligned))


def _result(step: Step, values: Sequence[Value], out: int) -> tuple[int, int]:
    if step.transfer is None:  # what is written is not known
        return 0, 0
    answer = step.transfer(*values)
    found = answer if len(step.writes) == 1 else answer[out]
    return found[0] & found[1], found[1]


class Fields:
    """What lies above the start addresses of a function's descriptors."""

    def __init__(self, places: Places, low: int, wide: bool) -> None:
        """``low``: bits of an address. ``wide``: the registers hold whole descriptors, else the lower words of them."""
        self.places = places
        self.low = ones(low)
        self.upper = ones(2 * WORD if wide else WORD) & ~self.low
        self.wide = wide
        self.widths = (2 * WORD, WORD) if wide else (WORD,)
        self.reads: dict[Node, list[tuple[Node | None, int]]] = {}
        """The places that each place reads, with the read of its step."""
        self.found: dict[Node, Value] = {}
        self.taken: dict[Node, Addition] = {}

    def above(self, nodes: Sequence[Node | None]) -> list[Stepped | None]:
        """Return what is known at places; None where that is no more than is proven."""
        self._explore([node for node in nodes if node is not None])
        if self.reads and not self._solve():
            return [None] * len(nodes)
        return [None if node is None or node not in self.reads else self._answer(node) for node in nodes]

    def _explore(self, nodes: list[Node]) -> None:
        """Find the places that nodes hang on."""
        waiting = list(nodes)
        while waiting and len(self.reads) < _MOST:
            node = waiting.pop()
            if node in self.reads or not self.upper & ~self.places.proven(node)[1]:
                continue
            self.reads[node] = reads = self._reads(node)
            waiting += [read for read, _ in reads if read is not None]
        for node in waiting:
            self.reads.setdefault(node, [])

    def _reads(self, node: Node) -> list[tuple[Node | None, int]]:
        merged = self.places.merged(node)
        if merged is not None:
            return [(each, 0) for each in merged]
        found = self.places.row(node)
        if found is None:
            return []
        step = found[0].step
        how = form(step, found[1], self.widths)
        follow = (how.aligned | how.sums) - frozenset(step.deciding)
        places = sorted(follow) + ([-1] if step.guarded else [])
        return [(self.places.read(node, place), place) for place in places]

    def _solve(self) -> bool:
        """Find what holds at every place, from what holds before it; False where that takes too long."""
        behind: dict[Node, list[Node]] = {}
        for node, reads in self.reads.items():
            for read, _ in reads:
                if read is not None and read in self.reads:
                    behind.setdefault(read, []).append(node)
        waiting = OrderedDict.fromkeys(self.reads)
        left = _ROUNDS * len(self.reads)
        while waiting:
            node, _ = waiting.popitem(last=False)
            left -= 1
            if left < 0:
                return False
            made = self._made(node)
            if made is None:
                continue
            before = self.found.get(node)
            made = made if before is None else meet(before, made)
            if before is None or made[:2] != before[:2]:
                self.found[node] = made
                waiting.update(dict.fromkeys(behind.get(node, ())))
        return True

    def _value(self, node: Node | None) -> Value | None:
        """Return what holds at a place; None: nothing has come there yet."""
        if node is None:
            return UNKNOWN
        return self.found.get(node) if node in self.reads else self.places.proven(node)

    def _made(self, node: Node) -> Value | None:
        """Return what holds at a place because of what holds before it, with what is proven."""
        self.taken.pop(node, None)
        proven = self.places.proven(node)
        reads = self.reads[node]
        if self.places.merged(node) is not None:
            ways = [value for read, _ in reads if (value := self._value(read)) is not None]
            made: Value | None = ways[0] if ways else None
            for way in ways[1:]:
                assert made is not None
                made = meet(made, way)
            return made if made is None and reads else _both(proven, made or UNKNOWN)
        written = self.places.row(node) if reads else None
        if written is None:
            return proven
        row, out = written
        values = list(row.values)
        old: Value | None = None
        for read, place in reads:
            value = self._value(read)
            if value is None:
                return None
            if place < 0:
                old = value
            else:
                values[place] = _both(values[place], value)
        how = form(row.step, out, self.widths)
        result: Value = _result(row.step, values, out)
        kept = None if row.step.deciding or row.step.guarded else self._sum(row, out, how, values)
        if kept is not None:
            of, addition = kept
            self.taken[node] = addition
            result = _both(result, of)
        if old is not None:
            result = meet(result, old)
        return _both(proven, result)

    def _sum(self, row: Row, out: int, how: _Form, values: list[Value]) -> tuple[Value, Addition] | None:
        """Return what a sum keeps of one of its terms, the others taken to change the address only.

        Of the others counts what is proven of them.
        """
        upper, full = self.upper & ones(how.width), ones(how.width)
        best: tuple[tuple[int, int, bool], Value, Addition] | None = None
        for place in sorted(how.sums - how.aligned):
            of = values[place]
            others = [(0, full) if at == place else each for at, each in enumerate(row.values)]
            rest = _result(row.step, others, out)
            said = rest[1] & upper
            bits = rest[0] & said
            plus = 0
            if said == upper:
                # A number that is known, by which nothing is carried; one of all ones goes back.
                plus = 0 if bits == upper else bits
            elif (bits and bits != said) or not self.low & ~rest[1]:
                continue
            if said != upper and not self._is_base(of, row.values[place], upper):
                continue
            term: Value = (of[0] & upper, of[1] & upper | self.low)
            if plus:
                term = add(term, (plus, full), how.width)[0]
            kept = (term[0] & upper & term[1], term[1] & upper)
            register = row.step.reads[place]
            better = (kept[1].bit_count(), kept[0].bit_count(), register in row.step.writes)
            if kept[1] and (best is None or better > best[0]):
                best = better, kept, Addition(row.step.at, register, plus)
        return None if best is None else best[1:]

    def _is_base(self, value: Value, proven: Value, upper: int) -> bool:
        """Whether a term is what the others are added to: a descriptor, of which something is set above the address.

        The lower word of one may have nothing there: then all of that is known. A number that has nothing there may be
        what is added.
        """
        if not self.wide and upper & ~value[1]:
            return False
        return bool(value[0] & value[1] & upper) or (not self.wide and bool((self.low | upper) & ~proven[1]))

    def _answer(self, node: Node) -> Stepped | None:
        bits, known = (self.found.get(node) or UNKNOWN)[:2]
        known &= self.upper
        if not known & ~self.places.proven(node)[1]:
            return None
        additions = set()
        seen = {node}
        waiting = [node]
        while waiting:
            each = waiting.pop()
            taken = self.taken.get(each)
            if taken is not None:
                additions.add(taken)
                if len(additions) > _ADDITIONS:
                    return None
            for read, place in self.reads.get(each, ()):
                if taken is not None and self._read(each, place) != taken.term:
                    continue
                if read is not None and read not in seen:
                    seen.add(read)
                    waiting.append(read)
        return Stepped(bits & known, known, frozenset(additions))

    def _read(self, node: Node, place: int) -> Hashable:
        found = self.places.row(node)
        return None if found is None else found[0].step.reads[place]


def _out(step: Step, register: Hashable) -> int:
    return len(step.writes) - 1 - step.writes[::-1].index(register)


def _both(proven: Value, more: Value) -> Value:
    """Return what is known of a number by either."""
    known = proven[1] | more[1]
    bits = proven[0] & proven[1] | more[0] & more[1] & ~proven[1]
    if len(proven) == 5:
        return bits, known, None, proven[3], proven[4]
    return bits, known
