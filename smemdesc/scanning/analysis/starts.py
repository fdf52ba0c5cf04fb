"""Addresses in descriptors as distances from a base: the start address of A is ``smem`` + 0x4000, whatever ``smem`` is.

The low bits of a sum depend only on the low bits of its terms. So a field of a value is followed back through sums and
moves, modulo what the field can hold, to values of which nothing is known: a symbol, a parameter, a merge of loops. The
result is exact: a number plus multiples of those. If two fields differ in the number only, that is their difference.

A value in SSA form is the same at two instructions if one of them dominates the other: between the last execution of
that one and the other, nothing writes the value anew, or a way to the second instruction would lead past the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.engine.known import BIT, UNKNOWN, Value
from smemdesc.kinds.addresses import RelativeStart
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import BitMove
from smemdesc.scanning.analysis.provenance import Provenance, merges

_INDEX = 32
"""Bits of an index."""
_MOST = 20_000
"""How many values are followed in a function; the others are bases themselves."""
_TERMS = 8
"""A sum of more unknown values is a base itself."""
_PIECES = 6
"""A value put together of more pieces is a base itself."""

_ALL = ones(128)
"""All bits of any value."""

SymbolAt = Callable[[int], "tuple[str, int] | None"]
"""Returns the variable whose address a step reads as a constant, and the number added to it."""


Round = Callable[[Any], Any]
"""Returns what a value is in the next iteration of a loop: itself if it is defined outside, None if that is not
known."""


class Symbol(NamedTuple):
    """The address of a variable."""

    name: str

    def __str__(self) -> str:
        return self.name


def _no_part(_: UpperBits) -> bool:
    return False


class UpperBits(NamedTuple):
    """The bits of a sum from ``low`` on: all of them, or so many."""

    terms: frozenset[tuple[Hashable, int]]
    number: int
    low: int
    width: int | None = None


class LinearAddress(NamedTuple):
    """An address as a number of bytes plus multiples of values of which nothing is known."""

    terms: frozenset[tuple[Hashable, int]]
    """These values (a :class:`Symbol`, a name in SSA form, a part of a sum), and by what each is multiplied."""
    offset: int

    def plus(self, number: int, bits: int) -> LinearAddress:
        """Return the address so many bytes further on, modulo ``1 << bits``."""
        return self._replace(offset=self.offset + number & ones(bits))

    def added(self, other: LinearAddress, bits: int) -> LinearAddress:
        """Return the sum of both, modulo ``1 << bits``."""
        total = _LinearSum(self.terms, self.offset).plus(_LinearSum(other.terms, other.offset), bits)
        return LinearAddress(total.terms, total.number)


_MOST_TERMS = 64
"""Unknown values of a sum; of more, the sum is a value of its own: no address is computed from so many."""


class _LinearSum(NamedTuple):
    """A number plus multiples of unknown values (SSA names, symbols, fields of such sums), modulo a power of two."""

    terms: frozenset[tuple[Hashable, int]]
    number: int = 0

    def modulo(self, width: int) -> _LinearSum:
        """Return the sum modulo ``1 << width``."""
        full = ones(width)
        return _LinearSum(
            frozenset([(leaf, times & full) for leaf, times in self.terms if times & full]), self.number & full
        )

    def times(self, factor: int, width: int) -> _LinearSum:
        """Return a multiple."""
        terms = frozenset([(leaf, times * factor) for leaf, times in self.terms])
        return _LinearSum(terms, self.number * factor).modulo(width)

    def plus(self, other: _LinearSum, width: int) -> _LinearSum:
        """Return the sum of both."""
        terms: dict[Hashable, int] = dict(self.terms)
        for leaf, times in other.terms:
            terms[leaf] = terms.get(leaf, 0) + times
        if len(terms) > _MOST_TERMS:
            raise _OpaqueError
        return _LinearSum(frozenset(terms.items()), self.number + other.number).modulo(width)

    def above(self, low: int, width: int) -> _LinearSum:
        """Return the ``width`` bits from ``low`` on of a sum modulo ``1 << low + width``."""
        below = ones(low)
        rest, number = self.number & below, self.number >> low
        if not low or not self.terms:
            return _LinearSum(self.terms, number)
        if not rest and not any(times & below for _, times in self.terms):
            return _LinearSum(frozenset([(leaf, times >> low) for leaf, times in self.terms]), number).modulo(width)
        return _LinearSum(frozenset([(UpperBits(self.terms, rest, low), 1)]), number)

    def closed(self, width: int) -> _LinearSum:
        """Return the low bits as a number of their own: above them nothing is carried."""
        return self if not self.terms else _LinearSum(frozenset([(UpperBits(self.terms, self.number, 0, width), 1)]))


_ZERO = _LinearSum(frozenset())


def _single(leaf: Hashable) -> _LinearSum:
    return _LinearSum(frozenset([(leaf, 1)]))


class _BitsOfValue(NamedTuple):
    """The bits of a value from ``low`` on, modulo ``1 << width``."""

    name: Any
    low: int
    width: int


class _OpaqueError(Exception):
    """A result that is no sum of what was read."""


class RelativeStarts:
    """The addresses in the descriptors of a function, each as a base and an offset."""

    def __init__(self, names: Provenance, symbol: SymbolAt) -> None:
        self._names = names
        self._symbol = symbol
        self._sums: dict[_BitsOfValue, _LinearSum] = {}
        self._left = _MOST
        self._bases: dict[frozenset[tuple[Hashable, int]], str] = {}
        self._counts: Counter[str] = Counter()

    def start(self, name: Any, width: int, unit: int = 1, low: int = 0) -> RelativeStart | None:
        """Return the bits of a value from ``low`` on, modulo ``1 << width``, as a base and an offset.

        The offset is in bytes, if the bits count units of ``unit`` bytes. None if the value is a number.
        """
        if name.__class__ is tuple:
            return None
        total = self._sum(_BitsOfValue(name, low, width))
        if not total.terms:
            return None
        leaf = _single_leaf(total.terms)
        symbol = isinstance(leaf, Symbol)
        undivided = symbol and unit > 1 and total.terms == _single(leaf).terms
        moved = symbol and total.terms != _single(leaf).above(unit.bit_length() - 1, width).terms
        # The address of a variable in another place is another base.
        name = "" if not moved else f"{leaf} * {unit}" if undivided else "unknown"
        named = symbol and (undivided or not moved)
        return RelativeStart(self._base(total.terms, name), total.number * unit, named, undivided)

    def address(
        self, name: Any, bits: int, unit: int = 1, kept: Callable[[UpperBits], bool] = _no_part
    ) -> LinearAddress:
        """Return the low ``bits`` of an address that a value holds in units of ``unit`` bytes.

        A sum of which upper bits are taken is itself: the bits below them are 0 where an address is aligned.
        ``kept``: which of these are no such part of an address.
        """
        total = self._sum(_BitsOfValue(name, 0, bits - unit.bit_length() + 1))
        terms: dict[Hashable, int] = {}
        waiting = [(leaf, times * unit) for leaf, times in total.terms]
        for leaf, times in waiting:
            if isinstance(leaf, UpperBits) and _is_whole(leaf, times, bits) and not kept(leaf):
                waiting += [(inner, by * times >> leaf.low) for inner, by in leaf.terms]
            else:
                terms[leaf] = terms.get(leaf, 0) + times
        found = _LinearSum(frozenset(terms.items()), total.number * unit).modulo(bits)
        return LinearAddress(found.terms, found.number)

    def parts(self, leaf: Hashable) -> tuple[Hashable, ...]:
        """Return the values of which an unknown value of an address is made; itself if it is none of their sum."""
        if not isinstance(leaf, UpperBits):
            return (leaf,)
        return tuple([part for inner, _ in leaf.terms for part in self.parts(inner)])

    def low_bits(self, leaf: Hashable) -> tuple[Hashable, int] | None:
        """Return the one value of which an unknown value is the low bits, and how many; a number may be added to it.
        None if it is no such part."""
        if not isinstance(leaf, UpperBits) or leaf.low or leaf.width is None or len(leaf.terms) != 1:
            return None
        ((inner, times),) = leaf.terms
        return (inner, leaf.width) if times == 1 else None

    def width(self, leaf: Hashable) -> int | None:
        """Return how many bits an unknown value has; None: that is not known."""
        return leaf.width if isinstance(leaf, UpperBits) else None

    def is_counter(self, leaf: Hashable) -> bool:
        """Whether a value is a merge to which each iteration adds a number, so that it never returns to a former one.

        The index of a stage is none: it begins again.
        """
        definition = None if isinstance(leaf, Symbol | UpperBits) else self._names.definition(leaf)
        if definition is None:
            return False
        sums = [self._sum(_BitsOfValue(read, 0, _INDEX)) for read in merges(definition) if read.__class__ is not tuple]
        return any(total.number and total.terms == frozenset([(leaf, 1)]) for total in sums)

    def single(self, name: Any, width: int) -> tuple[Hashable, int] | None:
        """Return the one value to which a number is added, and that number; None if a value is no such sum."""
        total = self._sum(_BitsOfValue(name, 0, width))
        leaf = _single_leaf(total.terms) if total.terms else None
        return None if leaf is None else (leaf, total.number)

    def step(self, name: Any, width: int, round_: Round) -> int | None:
        """Return how much the low bits of a value change from one iteration of a loop to the next, modulo ``1 <<
        width``; None if that is not always the same number."""
        return (
            0 if name.__class__ is tuple else self._change(self._sum(_BitsOfValue(name, 0, width)).terms, width, round_)
        )

    def _change(self, terms: frozenset[tuple[Hashable, int]], width: int, round_: Round) -> int | None:
        total = 0
        for leaf, times in terms:
            by = self._change_of(leaf, width, round_)
            if by is None:
                return None
            total += times * by
        return total & ones(width)

    def _change_of(self, leaf: Hashable, width: int, round_: Round) -> int | None:
        if isinstance(leaf, Symbol):
            return 0
        if isinstance(leaf, UpperBits):
            by = self._change(leaf.terms, width + leaf.low, round_)
            if by is None or (by and (leaf.width is not None or by & ones(leaf.low))):
                return None
            return by >> leaf.low
        after = round_(leaf)
        if after is leaf:
            return 0
        if after is None or after.__class__ is tuple:
            return None
        changed = self._sum(_BitsOfValue(after, 0, width))
        return changed.number if changed.terms == frozenset([(leaf, 1)]) else None

    # ---- names ----

    def _base(self, terms: frozenset[tuple[Hashable, int]], name: str = "") -> str:
        if terms not in self._bases:
            leaf = _single_leaf(terms)
            name = name or ("unknown" if leaf is None else str(leaf))
            self._counts[name] += 1
            count = self._counts[name]
            self._bases[terms] = f"{name} {count}" if count > 1 or name == "unknown" else name
        return self._bases[terms]

    # ---- values ----

    def _sum(self, wanted: _BitsOfValue) -> _LinearSum:
        """Return a value as a sum. Those that it depends on come first: a chain of sums may be long."""
        waiting = [wanted]
        entered = {wanted}
        while waiting:
            key = waiting[-1]
            if key in self._sums:
                waiting.pop()
                continue
            step = _Step(self._names, self._sums, self._symbol, key)
            self._left -= 1
            total = step.result() if self._left > 0 else step.leaf()
            missing = [read for read in step.missing if read not in self._sums]
            if not missing:
                self._sums[key] = total
            for read in missing:
                if read in entered:
                    self._sums[read] = _leaf(read)  # it depends on itself
                else:
                    entered.add(read)
                    waiting.append(read)
        return self._sums[wanted]


def _is_whole(upper: UpperBits, times: int, bits: int) -> bool:
    """Whether a multiple of the upper bits of a sum is that sum modulo ``1 << bits``, if it is aligned."""
    unit = 1 << upper.low
    rounds_up = upper.number == unit - 1 and any(by % unit for _, by in upper.terms)
    if times % unit or (upper.number and rounds_up):
        return False
    return upper.width is None or (times << upper.width) % (1 << bits) == 0


def _leaf(key: _BitsOfValue) -> _LinearSum:
    return _single(key.name).above(key.low, key.width)


def _single_leaf(terms: frozenset[tuple[Hashable, int]]) -> Hashable | None:
    """Return the value that a base is, or whose upper bits it is; None if it is not one value."""
    ((leaf, times), *more) = terms
    if more or times != 1:
        return None
    if isinstance(leaf, UpperBits):
        return _single_leaf(leaf.terms) if leaf.width is None and not leaf.number else None
    return leaf


class _Step:
    """One value, from the values that its definition reads, as far as those are followed already."""

    def __init__(
        self, names: Provenance, sums: dict[_BitsOfValue, _LinearSum], symbol: SymbolAt, key: _BitsOfValue
    ) -> None:
        self.names = names
        self.sums = sums
        self.symbol = symbol
        self.key = key
        self.missing: list[_BitsOfValue] = []
        self.reads: Sequence[Any] = ()
        self.values: list[Value] = []
        self.definition: Definition | None = None

    def leaf(self) -> _LinearSum:
        """Return the value as one that is not followed."""
        return _leaf(self.key)

    def result(self) -> _LinearSum:
        """Return the value; if some values that it reads are :attr:`missing`, anything."""
        name, low, width = self.key
        number = _number(self.names.known(name), low, width)
        if number is not None:
            return number
        definition = self.definition = self.names.definition(name)
        if definition is None:
            return self.leaf()
        # A merge of one value with itself is that value.
        only = set(merges(definition)) - {name}
        if len(only) > 1 or (not only and definition.transfer is None):
            return self.leaf()
        try:
            if only:
                return self._read(only.pop(), low, width)
            return self._selected(definition) if definition.selects else self._computed(definition)
        except _OpaqueError:
            return self.leaf()

    def _selected(self, definition: Definition) -> _LinearSum:
        chosen = self.names.known(definition.reads[0])
        sides = definition.reads[1:3]
        if chosen[1] & BIT:
            sides = sides[:1] if chosen[0] & BIT else sides[1:]
        sums = {self._read(side, self.key.low, self.key.width) for side in sides}
        if len(sums) > 1:
            raise _OpaqueError
        return sums.pop()

    def _computed(self, definition: Definition) -> _LinearSum:
        self.program = definition.expression.program
        self.reads = definition.reads
        self.values = [value or UNKNOWN for value in self.program.run(self.names.values(definition.reads))]
        return self._at(self.program.result, self.key.low, self.key.width)

    def _read(self, read: Any, low: int, width: int) -> _LinearSum:
        """Return a field of what the definition reads."""
        number = _number(self.names.known(read), low, width)
        if number is not None:
            return number
        if read.__class__ is tuple:
            return self._constant(low, width)
        key = _BitsOfValue(read, low, width)
        if key not in self.sums:
            self.missing.append(key)
            return _ZERO
        return self.sums[key]

    def _constant(self, low: int, width: int) -> _LinearSum:
        """Return a field of the one constant that the step reads, which is not known: the address of a variable."""
        assert self.definition is not None
        unknown = [read for read in self.definition.reads if read.__class__ is tuple and _is_unknown(read, low + width)]
        symbol = self.symbol(self.definition.at) if len(unknown) == 1 else None
        if symbol is None:
            raise _OpaqueError
        name, plus = symbol
        return _LinearSum(frozenset([(Symbol(name), 1)]), plus).modulo(low + width).above(low, width)

    # ---- the expression of one instruction ----

    def _at(self, place: int, low: int, width: int) -> _LinearSum:
        """Return a field of a value of the program."""
        number = _number(self.values[place], low, width)
        if number is not None:
            return number
        if place < self.program.inputs:
            return self._read(self.reads[place], low, width)
        if place < self.program.first_result:
            raise _OpaqueError
        node, _, operands, immediates = self.program.steps[place - self.program.first_result]
        values = [self.values[operand] for operand in operands]
        if node.row.moves is not None:
            ways = node.row.moves(values, *immediates)
            if ways is None or len(ways) != 1:
                raise _OpaqueError
            pieces = [piece for move in ways[0] for piece in _pieces(move, low, low + width)]
            return self._joined(_merged(pieces), place, operands, low, low + width)
        terms = node.row.adds(values, *immediates)
        if any(terms):
            return self._added(place, operands, terms, low, low + width)
        return self._bitwise(place, low, low + width)

    def _added(self, place: int, operands: Sequence[int], terms: Sequence[Any], low: int, end: int) -> _LinearSum:
        """Return a field of a sum, from its terms."""
        _, fold, _, immediates = self.program.steps[place - self.program.first_result]
        zeros: list[Value] = []
        total = _ZERO
        for operand, term in zip(operands, terms, strict=True):
            value = self.values[operand]
            if term is None or _number(value, 0, end) is not None:
                zeros.append(value)
            elif term.width < end:
                raise _OpaqueError
            else:
                zeros.append((0, _ALL))
                total = total.plus(self._at(operand, 0, end).times(term.times, end), end)
        rest = _number(fold(*zeros, *immediates), 0, end)
        if rest is None:
            raise _OpaqueError
        total = total.plus(rest, end)
        if total.number & ones(low) and all(self._is_multiple(leaf, times, low) for leaf, times in total.terms):
            total = total._replace(number=total.number & ~ones(low))  # it carries nothing
        return total.above(low, end - low)

    def _is_multiple(self, leaf: Hashable, times: int, low: int) -> bool:
        """Whether the lowest bits of a term are zero."""
        below = ones(max(0, low + 1 - (times & -times).bit_length()))
        if not below or isinstance(leaf, Symbol | UpperBits):
            return not below
        bits, known = self.names.known(leaf)[:2]
        return known & below == below and not bits & below

    def _bitwise(self, place: int, low: int, end: int) -> _LinearSum:
        """Return a field whose every bit is the same bit of an operand, or its complement."""
        node, fold, operands, immediates = self.program.steps[place - self.program.first_result]
        values = [self.values[operand] for operand in operands]
        window = ones(end) & ~ones(low)
        pieces: list[_MovedBits] = []
        for at, stays in enumerate(node.row.aligned(values, *immediates)):
            if not stays or _number(values[at], low, end - low) is not None:
                continue
            # What the result is if all bits of the operand are 0, and if they are 1.
            ways = ((*values[:at], (bits, _ALL), *values[at + 1 :]) for bits in (0, _ALL))
            zero, one = (fold(*way, *immediates) or UNKNOWN for way in ways)
            both = zero[1] & one[1] & window
            pieces += _pieces((at, 0, both & ~zero[0] & one[0]), low, end)
            pieces += [
                piece._replace(complement=True) for piece in _pieces((at, 0, both & zero[0] & ~one[0]), low, end)
            ]
        return self._joined(pieces, place, operands, low, end)

    def _joined(
        self, pieces: Sequence[_MovedBits], place: int, operands: Sequence[int], low: int, end: int
    ) -> _LinearSum:
        """Return a field whose pieces are pieces of an operand; the other bits are known."""
        bits, known = self.values[place][:2]
        moved = 0
        total = _ZERO
        if len(pieces) > _PIECES:
            raise _OpaqueError
        for piece in pieces:
            first, last = piece.first, piece.last
            if moved & ones(last) & ~ones(first):
                raise _OpaqueError  # several operands have the bit
            moved |= ones(last) & ~ones(first)
            part = self._at(operands[piece.operand], first - piece.shift, last - first)
            if piece.complement:
                part = part.times(-1, last - first).plus(_LinearSum(frozenset(), -1), last - first)
            if last < end:
                part = part.closed(last - first)
            total = total.plus(part.times(1 << first - low, end - low), end - low)
        rest = ones(end) & ~ones(low) & ~moved
        if rest & ~known or len(total.terms) > _TERMS:
            raise _OpaqueError
        return total.plus(_LinearSum(frozenset(), (bits & rest) >> low), end - low)


class _MovedBits(NamedTuple):
    """The bits of a result from ``first`` to before ``last``: those of an operand, moved up."""

    first: int
    last: int
    operand: int
    shift: int
    complement: bool = False


def _pieces(move: BitMove, low: int, end: int) -> Iterator[_MovedBits]:
    """Yield the runs of bits that are moved, as far as they are in a field."""
    operand, shift, mask = move
    mask &= ones(end) & ~ones(low)
    while mask:
        first = (mask & -mask).bit_length() - 1
        run = (mask >> first) + 1
        last = first + (run & -run).bit_length() - 1
        yield _MovedBits(first, last, operand, shift)
        mask &= ~ones(last)


def _merged(pieces: Iterable[_MovedBits]) -> list[_MovedBits]:
    """Return the pieces in order; those that continue each other are one."""
    joined: list[_MovedBits] = []
    for piece in sorted(pieces):
        if joined and joined[-1].last == piece.first and joined[-1][2:] == piece[2:]:
            joined[-1] = joined[-1]._replace(last=piece.last)
        else:
            joined.append(piece)
    return joined


def _number(value: Value, low: int, width: int) -> _LinearSum | None:
    """Return a field as a number; None if it is not known."""
    field = ones(width) << low
    return _LinearSum(frozenset(), (value[0] & field) >> low) if not field & ~value[1] else None


def _is_unknown(value: Value, width: int) -> bool:
    return bool(ones(width) & ~value[1])
