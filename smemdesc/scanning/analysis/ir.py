"""The intermediate language of scan: the results of an instruction as expressions of named operations.

A front end translates an instruction into a :class:`Node`: an operation, its operands (an input of the instruction, a
constant, another node) and its immediates (widths, shift counts, truth tables). Nodes of equal structure are one
object. All that the analyses need to know of an operation is in its :class:`IrOperation`: how it acts on known bits,
which bits it passes on from where, which operand bits make a bit of its result unknown, and whether it adds.
``tests/scanning/test_ir.py`` proves each row against its fold, for all values of a few bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import BIT, FALSE, TRUE, UNKNOWN, Value

Values = Sequence[Value]
BitMove = tuple[int, int, int]
"""``(operand, shift, mask)``: the bits ``mask`` of a result are those of an operand, moved up by ``shift``."""
MoveSets = list[list[BitMove]] | None
"""The possible moves, one list for each case that the known bits allow; None if too many, or if it is no move."""
ANY = 1 << 20
"""The width of an expression without a width of its own."""


class LinearTerm(NamedTuple):
    """A result changes by ``times`` where an operand changes by ``1 << down``, modulo ``1 << width``."""

    times: int
    down: int
    width: int


class IrOperation:
    """An operation. Its functions take the values of the operands (and of the result, if needed) and the immediates."""

    def __init__(
        self,
        name: str,
        fold: Callable[..., Any],
        width: Callable[..., int] | None = None,
        handed: Callable[..., list[BitMove]] | None = None,
        causes: Callable[..., list[tuple[int, int]]] | None = None,
        adds: Callable[..., list[LinearTerm | None]] | None = None,
        aligned: Callable[..., list[bool]] | None = None,
        chooses: bool = False,
        moves: Callable[..., MoveSets] | None = None,
    ) -> None:
        self.name = name
        self.fold = fold
        """Returns what is known of the result, given what is known of the operands."""
        self.width = width
        """Returns the bits of the result, given the immediates; None: as many as the widest operand."""
        self.handed = handed or (lambda *_: [])
        """``(values, result, own, *immediates)``: the known bits of the result that are copied from an operand and
        depend on it; ``own`` are the bits of each operand that depend on no input."""
        self.causes = causes or (lambda *_: [])
        """``(values, bit, *immediates)``: the bits of operands that make a bit unknown, in their order."""
        self.adds = adds or (lambda values, *_: [None] * len(values))
        """For each operand how the result changes with it, None if not linearly; only constants have values."""
        self.aligned = aligned or (lambda values, *_: [False] * len(values))
        """For each operand whether a bit of the result depends on the same bit of it only."""
        self.chooses = chooses
        """Whether the result is one of its operands: one that the instruction itself computes counts as written by
        it."""
        self.moves = moves
        """``(values, *immediates)``: for an operation that only moves bits, where to; None for any other."""

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *arguments: Any) -> Node:
        """Return the node of operands (nodes and constants, which are pairs), then immediates."""
        node = _NODES.get((self, arguments))
        if node is None:
            operands = tuple(
                [argument for argument in arguments if argument.__class__ is Node or argument.__class__ is tuple]
            )
            node = _NODES[self, arguments] = Node(self, operands, arguments[len(operands) :])
        return node


class IrStep(NamedTuple):
    """An operation of a program: its operands are indices of values."""

    node: Node
    fold: Callable[..., Any]
    places: tuple[int, ...]
    immediates: tuple[Any, ...]


class Node:
    """An operation applied to operands. Called with the values of the inputs, it returns what is known of the
    result."""

    __slots__ = ("_compiled", "immediates", "operands", "row", "width")

    def __init__(self, row: IrOperation, operands: tuple[Any, ...], immediates: tuple[Any, ...]) -> None:
        self.row = row
        self.operands = operands
        self.immediates = immediates
        self._compiled: Program | None = None
        if row.width is not None:
            self.width = row.width(*immediates)
        else:
            widths = [operand.width for operand in operands if operand.__class__ is Node]
            self.width = max(widths, default=ANY)

    def __repr__(self) -> str:
        return f"{self.row.name}({', '.join(map(str, (*self.operands, *self.immediates)))})"

    @property
    def program(self) -> Program:
        """The operations in execution order, each once."""
        if self._compiled is None:
            self._compiled = Program(self)
        return self._compiled

    def __call__(self, *values: Value) -> Value:
        program = self.program
        if program.simple:
            result: Value = self.row.fold(*values[: program.inputs], *self.immediates)
            return result
        return program.run(values)[program.result]


ResultPart = tuple[tuple[int, ...], Node]
"""The values that an instruction reads for one of its results, and the expression of the result."""


class Results(NamedTuple):
    """The expressions of several results of an instruction."""

    parts: tuple[ResultPart, ...]


def results(*outs: Node) -> Node | Results:
    """Return one node, or the expressions of several results, each with the inputs that it reads."""
    if len(outs) == 1:
        return outs[0]
    shared = _RESULTS.get(outs)
    if shared is None:
        shared = _RESULTS[outs] = Results(tuple([_part(out) for out in outs]))
    return shared


def _part(out: Node) -> ResultPart:
    nodes: dict[Node, None] = {}
    _collect(out, nodes)
    reads = sorted(node.immediates[0] for node in nodes if node.row is INPUT)
    return tuple(reads), replaced(out, dict(zip(reads, inputs(len(reads)), strict=True)))


_NODES: dict[tuple[IrOperation, tuple[Any, ...]], Node] = {}
_RESULTS: dict[tuple[Node, ...], Results] = {}


class Program:
    """The operations of a node in order; values are indexed: first the inputs, then the constants, then the results."""

    def __init__(self, root: Node) -> None:
        nodes: dict[Node, None] = {}
        _collect(root, nodes)
        inputs = [node.immediates[0] for node in nodes if node.row is INPUT]
        self.inputs = max(inputs, default=-1) + 1
        self.constants: list[Value] = []
        self.steps: list[IrStep] = []
        places: dict[Any, int] = {}
        for node in nodes:
            for operand in node.operands:
                if operand.__class__ is tuple and operand not in places:
                    places[operand] = self.inputs + len(self.constants)
                    self.constants.append(operand)
        self.first_result = self.inputs + len(self.constants)
        """The index of the result of the first step."""
        for node in nodes:
            if node.row is INPUT:
                places[node] = node.immediates[0]
                continue
            places[node] = self.first_result + len(self.steps)
            reads = tuple([places[operand] for operand in node.operands])
            self.steps.append(IrStep(node, node.row.fold, reads, node.immediates))
        self.result = places[root]
        self.simple = len(self.steps) == 1 and self.steps[0].places == tuple(range(self.inputs))

    def run(self, values: Values) -> list[Value]:
        """Return all values by index, given the values of the inputs."""
        slots = [*values[: self.inputs], *self.constants]
        for _, fold, places, immediates in self.steps:
            slots.append(fold(*[slots[place] for place in places], *immediates))
        return slots


def _collect(node: Node, nodes: dict[Node, None]) -> None:
    if node not in nodes:
        for operand in node.operands:
            if operand.__class__ is Node:
                _collect(operand, nodes)
        nodes[node] = None


# ---- what rows are made of ----


def up(mask: int, shift: int) -> int:
    """Return bits moved up, or down where ``shift`` is negative."""
    return mask << shift if shift >= 0 else mask >> -shift


def _same(value: Value, result: Value, shift: int = 0) -> int:
    """Return the known bits of a result that equal the bits of an operand moved up by ``shift``."""
    return result[1] & up(value[1], shift) & ~(result[0] ^ up(value[0], shift))


def _unknown(value: Value, below: int) -> Iterator[int]:
    """Yield the highest unknown bit of the low ``below`` bits, if any."""
    loose = ones(below) & ~value[1]
    if loose:
        yield loose.bit_length() - 1


_WIDEST = 64


def highest_unknown(values: Values, bit: int, *immediates: Any, width: int = _WIDEST) -> list[tuple[int, int]]:
    """Return for each operand its highest unknown bit."""
    return [(operand, at) for operand, value in enumerate(values) for at in _unknown(value, width)]


class _Moves:
    """The bits that an operation moves."""

    def __init__(self, sets: Callable[..., MoveSets], controls: Callable[..., int], reach: Callable[..., int]) -> None:
        self.sets = sets
        self.controls = controls
        self.reach = reach

    def handed(self, values: Values, result: Value, own: Sequence[int], *immediates: Any) -> list[BitMove]:
        """Return the known bits of the result that are copied from an operand (:attr:`IrOperation.handed`)."""
        masks: dict[tuple[int, int], int] = {}
        for way in self.sets(values, *immediates) or ():
            for operand, shift, mask in way:
                masks[operand, shift] = masks.get((operand, shift), 0) | mask
        return [
            (operand, shift, mask & _same(values[operand], result, shift)) for (operand, shift), mask in masks.items()
        ]

    def sources(self, values: Values, bit: int, immediates: Any) -> set[tuple[int, int]] | None:
        """Return where a bit may come from, ``(-1, 0)`` for nowhere; None if unknown."""
        ways = self.sets(values, *immediates)
        if ways is None:
            return None
        return {
            next(((operand, bit - shift) for operand, shift, mask in way if mask >> bit & 1), (-1, 0)) for way in ways
        }

    def causes(self, values: Values, bit: int, *immediates: Any) -> list[tuple[int, int]]:
        """Return the bits of operands that make a bit unknown (:attr:`IrOperation.causes`)."""
        data = len(values) - self.controls(*immediates)
        origins = self.sources(values, bit, immediates)
        if origins is None:
            origins = {(operand, at) for operand in range(data) for at in (bit, *_unknown(values[operand], _WIDEST))}
        loose = [origin for origin in sorted(origins) if origin[0] >= 0 and not values[origin[0]][1] >> origin[1] & 1]
        for operand in range(data, len(values)):
            for at in reversed(range(self.reach(*immediates))):
                if values[operand][1] >> at & 1:
                    continue
                # Whether the bit comes from elsewhere if the control bit changes.
                if_0, if_1 = (self.sources(_with_bit(values, operand, at, by), bit, immediates) for by in (0, 1))
                if if_0 is None or if_1 is None or if_0 != if_1:
                    loose.append((operand, at))
                    break
        return loose

    def adds(self, values: Values, *immediates: Any) -> list[LinearTerm | None]:
        """Return how the result changes with each operand (:attr:`IrOperation.adds`)."""
        ways = self.sets(values, *immediates)
        out: list[LinearTerm | None] = [None] * len(values)
        for operand, shift, mask in reversed(ways[0] if ways and len(ways) == 1 else ()):
            low = (mask & -mask).bit_length() - 1
            # The low bits of the operand are moved, and bits are duplicated only above them.
            if mask and low == max(0, shift):
                run = (mask >> low) + 1
                out[operand] = LinearTerm(1 << max(0, shift), max(0, -shift), low + (run & -run).bit_length() - 1)
        return out

    def aligned(self, values: Values, *immediates: Any) -> list[bool]:
        """Return which operands keep the places of their bits (:attr:`IrOperation.aligned`)."""
        ways = self.sets(values, *immediates)
        way = ways[0] if ways and len(ways) == 1 else None
        return [
            way is not None
            and operand < len(values) - self.controls(*immediates)
            and not any(at == operand and shift and mask for at, shift, mask in way)
            for operand in range(len(values))
        ]


def moving(
    name: str,
    fold: Callable[..., Value] | None,
    moves: Callable[..., MoveSets],
    width: Callable[..., int] | None,
    controls: Callable[..., int] = lambda *_: 0,
    reach: Callable[..., int] = lambda *_: 0,
    empty: int = -1,
) -> IrOperation:
    """Return an operation that only moves bits; the last ``controls`` operands determine where to.

    ``moves`` takes the values of the operands and the immediates; ``reach`` returns how many bits of controls are read.
    ``fold`` is None if no more is known of the result than of the bits that are moved; ``empty``: the bits that are
    known to be 0 if nothing is moved there.
    """

    def moved(*arguments: Any) -> Value:
        values = [argument for argument in arguments if argument.__class__ is tuple]
        immediates = arguments[len(values) :]
        ways = moves(values, *immediates)
        if ways is None:
            return UNKNOWN
        full = ones(width(*immediates) if width else ANY)
        return known.meet_all([_moved(values, way, full, empty) for way in ways])

    fold = fold or moved
    bits = _Moves(moves, controls, reach)
    return IrOperation(name, fold, width, bits.handed, bits.causes, bits.adds, bits.aligned, moves=moves)


def _moved(values: Values, moves: list[BitMove], full: int, empty: int) -> Value:
    """Return a result with the bits ``full``, which are moved; those of ``empty`` are 0 if nothing is moved there."""
    if len(moves) == 1 and moves[0][1:] == (0, full):
        return known.cut(values[moves[0][0]], full.bit_length())  # with its range
    bits, mask = 0, full & empty
    for operand, shift, at in moves:
        value = values[operand]
        bits |= up(value[0] & value[1], shift) & at
        mask = mask & ~at | up(value[1], shift) & at
    return bits, mask


def _with_bit(values: Values, operand: int, bit: int, number: int) -> list[Value]:
    """Return values with one bit of an operand set to ``number`` and known."""
    changed = [*values]
    changed[operand] = values[operand][0] | number << bit, values[operand][1] | 1 << bit
    return changed


def _copies(operand: int, source: int, places: range) -> list[BitMove]:
    """Return the moves of one bit to several places."""
    return [(operand, at - source, 1 << at) for at in places]


def _bitwise(
    name: str, fold: Callable[..., Value], table: Callable[..., int], width: Callable[..., int]
) -> IrOperation:
    """Return an operation whose result bits each depend on the same bits of the operands only.

    ``table`` takes the immediates and returns the truth table, whose index has the bit of the last operand lowest.
    """

    def handed(values: Values, result: Value, own: Sequence[int], *immediates: Any) -> list[BitMove]:
        truth, bits = table(*immediates), width(*immediates)

        def decided(*places: int) -> int:
            """Return which bits follow from some operands, and from bits that depend on no input."""
            kept = [
                value if place in places else (value[0] & mask, value[1] & mask)
                for place, (value, mask) in enumerate(zip(values, own, strict=True))
            ]
            return known.bitwise(kept, truth, bits)[1]

        every = range(len(values))
        left = rest = result[1] & ~decided()
        masks = [0] * len(values)
        for place in every if left else ():
            masks[place] = left & ~decided(*[at for at in every if at != place])
            rest &= ~masks[place]
        for place in every if rest else ():
            # Several decide the bit: the first that decides it alone gets it.
            alone = rest & decided(place)
            masks[place] |= alone
            rest &= ~alone
        return [(place, 0, masks[place] & _same(values[place], result)) for place in every]

    def causes(values: Values, bit: int, *immediates: Any) -> list[tuple[int, int]]:
        truth, count = table(*immediates), len(values)
        mask = sum((value[1] >> bit & 1) << count - 1 - place for place, value in enumerate(values))
        bits = sum((value[0] >> bit & 1) << count - 1 - place for place, value in enumerate(values))
        able = [index for index in range(1 << count) if index & mask == bits & mask]
        digits = [(place, 1 << count - 1 - place) for place in range(count)]
        return [
            (place, bit)
            for place, digit in digits
            if not mask & digit and any((truth >> index ^ truth >> (index ^ digit)) & 1 for index in able)
        ]

    def aligned(values: Values, *immediates: Any) -> list[bool]:
        return [True] * len(values)

    return IrOperation(name, fold, width, handed, causes, None, aligned)


# ---- operations that move bits ----

INPUT = IrOperation("input", lambda number: UNKNOWN)
"""What the instruction reads (its number is the immediate)."""
IN = [INPUT(number) for number in range(64)]


def inputs(count: int) -> list[Node]:
    """Return the first inputs."""
    return [INPUT(number) for number in range(count)]


def replaced(node: Any, by: Sequence[Any] | Mapping[int, Any]) -> Any:
    """Return a node with its inputs replaced by other nodes."""
    if node.__class__ is tuple:
        return node
    if node.row is INPUT:
        return by[node.immediates[0]]
    return node.row(*[replaced(operand, by) for operand in node.operands], *node.immediates)


def _low(values: Values, width: int) -> MoveSets:
    return [[(0, 0, ones(width))]]


CUT = moving("cut", known.whole, _low, lambda width: width)
"""``(a; width)``: the low bits, and nothing above."""
LOW = moving("low", lambda a, width: (a[0] & ones(width), a[1] & ones(width)), _low, None)
"""``(a; width)``: the low bits, and anything above."""


def _extended(values: Values, width: int, to: int, signed: bool = True) -> MoveSets:
    return [[(0, 0, ones(width)), *(_copies(0, width - 1, range(width, to)) if signed else ())]]


EXTEND = moving("extend", known.extend, _extended, lambda width, to, signed=True: to)
"""``(a; width, to, signed)``: widened with the sign, or with zeros."""
FIELD = moving(
    "field", known.bit_field, lambda values, low, width: [[(0, -low, ones(width))]], lambda low, width: width
)
"""``(a; low, width)``: the bits from ``low`` on."""


def _joined(*arguments: Any) -> Value:
    *parts, width = arguments
    bits = mask = 0
    for place, part in enumerate(parts):
        part = known.cut(part, width)
        bits, mask = bits | part[0] << place * width, mask | part[1] << place * width
    return bits, mask


CONCAT = moving(
    "concat",
    _joined,
    lambda values, width: [[(place, place * width, ones(width) << place * width) for place in range(len(values))]],
    None,
)
"""``(low, ..., high; width)``: words of ``width`` bits, concatenated."""


def _pairs(low: Value, count: Value, digits: int, most: int | None) -> list[tuple[int, int]] | None:
    """Return the positions and lengths that a bit field may have; None if too many, or if one may exceed ``most``."""
    lows, counts = known.choices(low, digits), known.choices(count, digits)
    if lows is None or counts is None or len(lows) * len(counts) > _TRIED or _exceeds(low, count, digits, most):
        return None
    return [(x, y) for x in lows for y in counts]


def _exceeds(low: Value, count: Value, digits: int, most: int | None) -> bool:
    return most is not None and max(known.bounds(each, digits)[1] for each in (low, count)) > most


_TRIED = 8
"""How many pairs of position and length are tried."""


def _extract(
    a: Value,
    low: Value,
    count: Value,
    width: int,
    signed: bool,
    digits: int = 8,
    least: int = 0,
    most: int | None = None,
) -> Value:
    pairs = _pairs(low, count, digits, most)
    if pairs is None:
        counts = None if signed or _exceeds(low, count, digits, most) else known.choices(count, digits)
        return UNKNOWN if counts is None else known.at_most(ones(min(max(counts), width)), width)
    if min(count for _, count in pairs) < least:
        return UNKNOWN
    return known.meet_all([known.extract(a, x, y, width, signed) for x, y in pairs])


def _extracting(
    values: Values, width: int, signed: bool, digits: int = 8, least: int = 0, most: int | None = None
) -> MoveSets:
    pairs = _pairs(values[1], values[2], digits, most)
    if pairs is None:
        return None
    ways = []
    for low, count in pairs:
        inside = max(0, min(count, width - low))
        way: list[BitMove] = [(0, -low, ones(inside))]
        if signed and count:
            way += _copies(0, min(low + count, width) - 1, range(inside, width))
        ways.append(way)
    return ways


EXTRACT = moving(
    "extract", _extract, _extracting, lambda width, *_: width, lambda *_: 2, lambda width, signed, digits=8, *_: digits
)
"""``(a, low, count; width, signed, digits, least, most)``: a bit field, widened; ``digits`` of low and count are read.
Nothing is known of a field of fewer than ``least`` bits, or whose position or length exceeds ``most``."""


def _inserting(values: Values, width: int, digits: int = 8, most: int | None = None) -> MoveSets:
    pairs = _pairs(values[2], values[3], digits, most)
    if pairs is None:
        return None
    masks = [(low, ones(width) & ones(count) << low) for low, count in pairs]
    return [[(0, low, mask), (1, 0, ones(width) & ~mask)] for low, mask in masks]


INSERT = moving("insert", None, _inserting, lambda width, *_: width, lambda *_: 2, lambda width, digits=8, *_: digits)
"""``(a, into, low, count; width, digits, most)``: ``into`` with a bit field replaced; ``most`` as for an extraction."""


def _shift(
    name: str, how: Callable[[Value, int, int], Value], move: Callable[[int, int], list[BitMove]]
) -> IrOperation:
    def fold(a: Value, count: Value, width: int, digits: int = 32, clamp: bool = True) -> Value:
        return known.shift(how, a, count, width, digits, clamp)

    def moves(values: Values, width: int, digits: int = 32, clamp: bool = True) -> MoveSets:
        numbers = known.choices(values[1], digits)
        return None if numbers is None else [move(min(number, width), width) for number in numbers]

    return moving(name, fold, moves, lambda width, *_: width, lambda *_: 1, lambda width, digits=32, clamp=True: digits)


SHL = _shift("shl", known.shl, lambda by, width: [(0, by, ones(width) & ~ones(by))])
"""``(a, count; width, digits, clamp)``: ``digits`` bits of the count are read. Counts of the width or more shift out
all bits; without ``clamp`` nothing is known then."""
SHR = _shift("shr", known.shr, lambda by, width: [(0, -by, ones(width - by))])
SAR = _shift(
    "sar",
    known.sar,
    lambda by, width: [(0, -by, ones(width - by)), *_copies(0, width - 1, range(width - by, width))],
)


def _funneled(values: Values, width: int, left: bool, wrap: bool) -> MoveSets:
    numbers = known.choices(values[2], width.bit_length() - 1 if wrap else 32)
    if numbers is None:
        return None
    full = ones(width)
    distances = [min(number, width) for number in numbers]
    places = [width - distance if left else distance for distance in distances]
    return [[(0, -at, full >> at), (1, width - at, full & ~(full >> at))] for at in places]


FUNNEL = moving(
    "funnel",
    None,
    _funneled,
    lambda width, *_: width,
    lambda *_: 1,
    lambda width, left, wrap: width.bit_length() - 1 if wrap else 32,
)
"""``(low, high, count; width, left, wrap)``: one word of the shifted pair."""


def _permuted(values: Values, size: int = 8) -> MoveSets:
    nibbles = [known.choices(known.bit_field(values[2], 4 * place, 4), 4) for place in range(4)]
    picked = [nibble if nibble is not None else list(range(16)) for nibble in nibbles]
    ways: list[list[BitMove]] = [[] for _ in range(max(map(len, picked)))]
    for place, numbers in enumerate(picked):
        for way, number in zip(ways, chain(numbers, repeat(numbers[-1])), strict=False):
            word, at = number >> 2 & 1, (number & 3) * size
            if number & 8:
                way += _copies(word, at + size - 1, range(place * size, (place + 1) * size))
            else:
                way.append((word, place * size - at, ones(size) << place * size))
    return ways


PERMUTE = moving("permute", None, _permuted, lambda size=8: 4 * size, lambda *_: 1, lambda size=8: 16)
"""``(a, b, selector; size)``: the bytes of both that the four nibbles of ``selector`` pick, as PRMT does; the upper bit
of a nibble selects copies of the sign of the byte instead. ``size``: bits of a byte."""
REVERSE = moving(
    "reverse",
    None,
    lambda values, width: [[(0, 2 * at - width + 1, 1 << at) for at in range(width)]],
    lambda width: width,
)
"""``(a; width)``: the bits in reverse order."""


def _power(values: Values, width: int) -> int | None:
    """Return the exponent of a divisor that is a power of two; None if it is not, or is unknown."""
    by = known.divisor(values[1], width)
    return by.bit_length() - 1 if by and not by & by - 1 else None


def _quotient(values: Values, width: int) -> MoveSets:
    power = _power(values, width)
    return None if power is None else [[(0, -power, ones(width - power))]]


def _remainder(values: Values, width: int) -> MoveSets:
    power = _power(values, width)
    return None if power is None else [[(0, 0, ones(power))]]


DIVIDE = moving("divide", known.divide, _quotient, lambda width: width, lambda *_: 1, lambda width: width)
"""``(a, b; width)``: the quotient of unsigned numbers."""
REST = moving("rest", known.rest, _remainder, lambda width: width, lambda *_: 1, lambda width: width)

# ---- bitwise operations ----

NOT = _bitwise("not", known.complement, lambda width: 0b01, lambda width: width)
AND = _bitwise("and", lambda a, b, width: known.and_(a, b), lambda width: 0b1000, lambda width: width)
OR = _bitwise("or", lambda a, b, width: known.or_(a, b), lambda width: 0b1110, lambda width: width)
XOR = _bitwise("xor", lambda a, b, width: known.xor(a, b), lambda width: 0b0110, lambda width: width)
LOP3 = _bitwise(
    "lop3",
    lambda a, b, c, table, width: known.bitwise((a, b, c), table, width),
    lambda table, width: table,
    lambda table, width: width,
)
"""``(a, b, c; table, width)``"""

# ---- sums ----


def _added(a: Value, b: Value, carry: Value, width: int, minus: bool = False) -> tuple[Value, Value]:
    return known.add(a, known.complement(b, width) if minus else b, width, carry)


def sum_handed(values: Values, result: Value, own: Sequence[int], *immediates: Any) -> list[BitMove]:
    """A bit of a sum depends on that bit of each term; it is passed on from the terms whose bit is the same."""
    return [
        (place, 0, _same(value, result) & ~mask)
        for place, (value, mask) in enumerate(zip(values[:2], own, strict=False))
    ]


def _carried(values: Values, bit: int, width: int, minus: bool = False) -> list[tuple[int, int]]:
    """Return for each term, and for the carry in, the highest unknown bit that may change a carry."""
    full = ones(width)
    a, b, carry = values[0][:2], values[1][:2], values[2]
    if minus:
        b = known.complement(b, width)[:2]
    least = (a[0] & full) + (b[0] & full) + (carry[0] & BIT)
    high_a, high_b = a[0] | full & ~a[1], b[0] | full & ~b[1]
    most = (high_a & full) + (high_b & full) + (carry[0] & BIT | BIT & ~carry[1])
    without = ~(least ^ a[0] ^ b[0])
    """The bits into which there may be no carry."""
    with_ = most ^ high_a ^ high_b
    causes: dict[int, int] = {}
    for at in range(min(bit, width) - 1, -1, -1):
        for place, (term, addend) in enumerate(((a, b), (b, a))):
            if place in causes or term[1] >> at & 1:
                continue
            able_0, able_1 = not addend[0] >> at & 1, not (addend[1] & ~addend[0]) >> at & 1
            if (able_1 and without >> at & 1) or (able_0 and with_ >> at & 1):
                causes[place] = at
        if (a[1] & b[1] & ~(a[0] ^ b[0])) >> at & 1:
            return sorted(causes.items())
    if not carry[1] & BIT:
        causes[2] = 0
    return sorted(causes.items())


def _sum_causes(values: Values, bit: int, width: int, minus: bool = False) -> list[tuple[int, int]]:
    if bit >= width:
        return []
    at_bit = {place: bit for place in (0, 1) if not values[place][1] >> bit & 1}
    return sorted((dict(_carried(values, bit, width, minus)) | at_bit).items())


def _sum_adds(values: Values, width: int, minus: bool = False) -> list[LinearTerm | None]:
    return [LinearTerm(1, 0, width), LinearTerm(-1 if minus else 1, 0, width), None]


def _sum_aligned(values: Values, width: int, minus: bool = False) -> list[bool]:
    """Adding 0 is a move."""
    none = [not minus and value[1] & ones(width) == ones(width) and not value[0] & ones(width) for value in values[:2]]
    carry = values[2][:2] == FALSE
    return [carry and none[1], carry and none[0], False]


ADD = IrOperation(
    "add",
    lambda a, b, carry, width, minus=False: _added(a, b, carry, width, minus)[0],
    lambda width, minus=False: width,
    sum_handed,
    _sum_causes,
    _sum_adds,
    _sum_aligned,
)
"""``(a, b, carry; width, minus)``: a sum; with ``minus``, of ``a`` and the complement of ``b``."""
CARRY = IrOperation(
    "carry",
    lambda a, b, carry, width, minus=False: _added(a, b, carry, width, minus)[1],
    lambda width, minus=False: BIT,
    causes=lambda values, bit, width, minus=False: [] if bit else _carried(values, width, width, minus),
)
"""Its carry."""


def negated(a: Any, width: int) -> Node:
    """Return the two's complement of a number."""
    return ADD(known.const(0, width), a, TRUE, width, True)


def _product_handed(values: Values, result: Value, own: Sequence[int], width: int) -> list[BitMove]:
    moves: list[BitMove] = []
    zeros = [min(width, known.zeros_below(value)) for value in values]
    for place, value in enumerate(values):
        factor = values[1 - place]
        if factor[1] & ones(width) == ones(width):
            moves.append(
                (place, zeros[1 - place], _same(value, result, zeros[1 - place]) & ~up(own[place], zeros[1 - place]))
            )
        elif zeros[1 - place] < zeros[place]:
            moves.append((place, 0, result[1] & ones(zeros[place]) & ~ones(zeros[1 - place]) & ~own[place]))
    return moves


def _product_causes(values: Values, bit: int, width: int) -> list[tuple[int, int]]:
    causes = []
    for place, value in enumerate(values):
        factor = values[1 - place]
        loose = [at for at in range(min(bit, width - 1), -1, -1) if not value[1] >> at & 1]
        # A bit that is added at this very position is likelier than a carry from below.
        direct = (at for at in loose if (factor[0] | ~factor[1]) >> bit - at & 1)
        causes += [(place, at) for at in (next(direct, None), *loose[:1]) if at is not None][:1]
    return causes


def _product_adds(values: Values, width: int) -> list[LinearTerm | None]:
    whole = [value[1] & ones(width) == ones(width) for value in values]
    return [LinearTerm(values[1 - place][0] & ones(width), 0, width) if whole[1 - place] else None for place in (0, 1)]


MULTIPLY = IrOperation("multiply", known.multiply, lambda width: width, _product_handed, _product_causes, _product_adds)

# ---- choices ----


def _either(values: Values, result: Value, own: Sequence[int], *immediates: Any) -> list[BitMove]:
    return [(place, 0, _same(value, result)) for place, value in enumerate(values)]


def _one(values: Values, bit: int, *immediates: Any) -> list[tuple[int, int]]:
    return [(place, bit) for place, value in enumerate(values) if not value[1] >> bit & 1]


EITHER = IrOperation("either", known.meet, lambda width: width, _either, _one, chooses=True)
"""``(a, b; width)``: one of the two."""


def _sides(values: Values, condition: Any, a: object, b: object, width: int) -> list[Value | None]:
    """Return the values between which a predicate selects, None for one that it rules out."""
    if_true, if_false, chosen, *compared = values
    sides: list[Value | None] = [if_true, if_false]
    if condition is not None:
        sides = [
            condition.under(True, a, if_true, compared, width),
            condition.under(False, b, if_false, compared, width),
        ]
    if chosen[1] & BIT:
        sides[chosen[0] & BIT] = None
    return sides


def _select(*arguments: Any) -> Value | None:
    *values, condition, a, b, width = arguments
    if_true, if_false = _sides(values, condition, a, b, width)
    if if_true is None or if_false is None:
        return if_false if if_true is None else if_true
    return known.meet(if_true, if_false, width)


def _selected(values: Values, result: Value, own: Sequence[int], *how: Any) -> list[BitMove]:
    sides = _sides(values, *how)
    return [
        (place, 0, _same(values[place], result))
        for place, side in enumerate(sides)
        if side is not None or sides == [None, None]
    ]


def _select_causes(values: Values, bit: int, *how: Any) -> list[tuple[int, int]]:
    return [
        (place, bit) for place, side in enumerate(_sides(values, *how)) if side is not None and not side[1] >> bit & 1
    ]


SELECT = IrOperation(
    "select",
    _select,
    None,
    _selected,
    _select_causes,
    None,
    lambda values, *_: [place < 2 for place in range(len(values))],
    True,
)
"""``(a, b, chosen, compared...; condition, key a, key b, width)``: ``a`` if bit 0 of ``chosen`` is 1, else ``b``.

``condition``: the :class:`smemdesc.scanning.analysis.conditions.Condition` of the values ``compared`` whose outcome
``chosen`` is, or None; the keys name which of these ``a`` and ``b`` are. The width is 0 if unknown. The result is None
if ``chosen`` has an impossible value."""


def _compare(a: Value, b: Value, how: str, width: int, signed: bool = False) -> Value:
    outcome = known.compare_values(how, a, b, width, signed)
    return UNKNOWN if outcome is None else TRUE if outcome else FALSE


COMPARE = IrOperation(
    "compare",
    _compare,
    lambda *_: BIT,
    None,
    lambda values, bit, how, width, *_: highest_unknown(values, bit, width=width),
)
"""``(a, b; how, width, signed)``: 1 if it holds."""
BIT_MASK = IrOperation(
    "bit mask",
    known.bit_mask,
    lambda width, clamp: width,
    None,
    lambda values, bit, width, clamp: highest_unknown(values, bit, width=32 if clamp else width.bit_length() - 1),
)
"""``(low, count; width, clamp)``"""
GIVEN = IrOperation("given", lambda value: value)
"""``(value)``: what is known without any input: a constant, a number with an upper bound."""
