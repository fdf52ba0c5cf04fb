"""Every operation of the language of scan, for all values of a few bits of which any may be unknown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest
from samples import long_run, sampled

from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN, Value, bounds
from smemdesc.scanning.analysis import ir, memory
from smemdesc.scanning.analysis.conditions import Condition
from smemdesc.scanning.analysis.ir import IrOperation
from smemdesc.scanning.analysis.memory import LOAD, STORE, SlotShape


def signed(a: int, width: int) -> int:
    """Return a number in two's complement."""
    return a - (a >> (width - 1) << width)


def field(a: int, low: int, count: int, width: int, is_signed: bool) -> int:
    """Return a bit field of a number, widened."""
    if not count:
        return 0
    wide = signed(a, width) if is_signed else a
    return (signed(wide >> low & ones(count), count) if is_signed else wide >> low & ones(count)) & ones(width)


def anything(width: int) -> set[int]:
    """Return every number of a width."""
    return set(range(1 << width))


def insert(a: int, into: int, low: int, count: int, width: int) -> int:
    """Return a number with a bit field replaced."""
    mask = ones(count) << low & ones(width)
    return a << low & mask | into & ~mask


def funnel(low: int, high: int, count: int, width: int, left: bool, wrap: bool) -> int:
    """Return what a funnel shift leaves."""
    count = count % width if wrap else min(count, width)
    both = high << width | low
    return (both << count >> width if left else both >> count) & ones(width)


def permute(a: int, b: int, selector: int, size: int) -> int:
    """Return what PRMT makes of bytes of so many bits."""
    out = 0
    for place in range(4):
        number = selector >> 4 * place & 15
        byte = (b << 4 * size | a) >> size * (number & 7) & ones(size)
        if number & 8:
            byte = -(byte >> size - 1) & ones(size)
        out |= byte << size * place
    return out


def table(index: int, truth: int) -> int:
    """Return a value of a truth table."""
    return truth >> index & 1


def lop3(a: int, b: int, c: int, truth: int, width: int) -> int:
    """Return a bitwise function of three words."""
    return sum(table((a >> at & 1) << 2 | (b >> at & 1) << 1 | c >> at & 1, truth) << at for at in range(width))


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "EQ": int.__eq__,
    "NE": int.__ne__,
    "LT": int.__lt__,
    "LE": int.__le__,
    "GT": int.__gt__,
    "GE": int.__ge__,
}


def compare(a: int, b: int, how: str, width: int, is_signed: bool) -> int:
    """Return whether a comparison holds."""
    return int(COMPARE[how](*(signed(each, width) for each in (a, b)) if is_signed else (a, b)))


def chosen(a: int, b: int, held: int, x: int, y: int, said: Condition, *_: Any) -> set[int]:
    """Return what is selected by the outcome of a comparison; nothing where it is not that."""
    return {a if held else b} if held == compare(x, y, said.how, said.width, said.signed) else set()


def total(a: int, b: int, carry: int, width: int, minus: bool) -> int:
    """Return a sum with its carry."""
    return a + (b ^ ones(width) if minus else b) + carry


def signed_place(near: Sequence[int], digits: int) -> int:
    """Return how far an access is from where it begins."""
    return signed(sum(each << place * digits for place, each in enumerate(near)), digits * len(near)) if near else 0


def load(*given: Any) -> set[int]:
    """Return what is loaded; of bits that are in no slot, all."""
    *values, _, shape, word, byte, digits = given
    place = signed_place(values[len(shape) :], digits)
    held = {
        byte * start + at: value >> at & 1
        for value, (start, size) in zip(values, shape, strict=False)
        for at in range(byte * size)
    }
    bits = [(held.get(byte * place + at, 0), held.get(byte * place + at, 1)) for at in range(byte * word)]
    return {sum(bit << at for at, bit in enumerate(each)) for each in itertools.product(*bits)}


def store(*given: Any) -> int:
    """Return a slot over which is stored."""
    *values, near, start, size, word, byte, digits = given
    *data, old = values[:-near]
    place = signed_place(values[-near:], digits)
    for at in range(byte * size):
        register, bit = divmod(at + byte * (start - place), byte * word)
        if 0 <= register < len(data):
            old = old & ~(1 << at) | (data[register] >> bit & 1) << at
    return int(old)


W = 3


class Case(NamedTuple):
    """A row, the bits of its operands and of its result, immediates, and what it does with numbers."""

    row: IrOperation
    operands: tuple[int, ...]
    result: int
    immediates: tuple[tuple[Any, ...], ...]
    does: Callable[..., Any]
    """Returns a number, or a set of those that it may be."""
    exact: bool = True
    """Whether the most that can be known is."""
    control: int = 0
    """How many of the last operands only say where to bits are moved."""
    last: tuple[Value, ...] = ()
    """The values of the last operand that are tried; none: all."""
    step: int = 1
    """Of so many partly known operands one is tried."""


BOTH = (False, True)
SELECTORS = ((0x3210, 0), (0x7531, 0), (0x0FC4, 0), (0x6200, 0x0009))
"""What says which bytes are taken, and which bits of that are not known."""
WHOLE = ((0, ones(64)), (1, ones(64)))
"""A bit that is known."""
MIXED = (ir.CARRY, ir.MULTIPLY, ir.DIVIDE, ir.REST, ir.COMPARE, ir.BIT_MASK)
"""Rows of whose results a bit hangs on many bits."""
LIKELY = (ir.DIVIDE, ir.REST, ir.MULTIPLY, ir.COMPARE, ir.SELECT, ir.BIT_MASK)
"""Rows of whose causes one is right; of the others all are."""
SHIFT = tuple((W, 2, clamp) for clamp in BOTH)
CASES = (
    Case(ir.CUT, (W + 1,), W, ((W,),), lambda a, width: a & ones(width)),
    Case(ir.LOW, (W + 1,), W, ((W,),), lambda a, width: a & ones(width)),
    Case(ir.EXTEND, (2,), 4, ((2, 4, False), (2, 4, True)), lambda a, w, to, s: (signed(a, w) if s else a) & ones(to)),
    Case(ir.FIELD, (4,), 2, ((1, 2), (2, 2)), lambda a, low, width: a >> low & ones(width)),
    Case(ir.CONCAT, (2, 2), 4, ((2,),), lambda a, b, width: b << width | a),
    Case(
        ir.EXTRACT, (W, 1, 2), W, tuple((W, s, 2) for s in BOTH), lambda a, x, n, w, s, _: field(a, x, n, w, s), True, 2
    ),
    Case(ir.INSERT, (2, 2, 1, 2), 2, ((2, 2),), lambda a, into, x, n, w, _: insert(a, into, x, n, w), True, 2),
    Case(
        ir.EXTRACT,
        (2, 2, 2),
        2,
        tuple((2, s, 2, 0, 1) for s in BOTH),
        lambda a, x, n, w, s, _, least, most: anything(2) if max(x, n) > most else field(a, x, n, w, s),
        True,
        2,
    ),
    Case(
        ir.INSERT,
        (1, 1, 2, 2),
        1,
        ((1, 2, 1),),
        lambda a, into, x, n, w, _, most: anything(1) if max(x, n) > most else insert(a, into, x, n, w),
        True,
        2,
    ),
    Case(ir.SHL, (W, 2), W, SHIFT, lambda a, n, width, *_: a << n & ones(width), False, 1),
    Case(ir.SHR, (W, 2), W, SHIFT, lambda a, n, *_: a >> n, False, 1),
    Case(ir.SAR, (W, 2), W, SHIFT, lambda a, n, width, *_: signed(a, width) >> n & ones(width), False, 1),
    Case(ir.FUNNEL, (2, 2, 2), 2, tuple(itertools.product((2,), BOTH, BOTH)), funnel, True, 1),
    Case(
        ir.PERMUTE,
        (4, 4, 16),
        4,
        ((1,),),
        permute,
        control=1,
        last=tuple((bits, ones(64) & ~loose) for bits, loose in SELECTORS),
        step=61,
    ),
    Case(ir.REVERSE, (4,), 4, ((4,),), lambda a, width: int(f"{a:0{width}b}"[::-1], 2)),
    Case(ir.DIVIDE, (W, W), W, ((W,),), lambda a, b, _: a // b if b else None, False, 1),
    Case(ir.REST, (W, W), W, ((W,),), lambda a, b, _: a % b if b else None, False, 1),
    Case(ir.NOT, (W,), W, ((W,),), lambda a, width: a ^ ones(width)),
    Case(ir.AND, (2, 2), 2, ((2,),), lambda a, b, _: a & b),
    Case(ir.OR, (2, 2), 2, ((2,),), lambda a, b, _: a | b),
    Case(ir.XOR, (2, 2), 2, ((2,),), lambda a, b, _: a ^ b),
    Case(ir.LOP3, (1, 1, 1), 1, tuple((truth, 1) for truth in range(256)), lop3),
    Case(ir.ADD, (W, W, 1), W, tuple((W, minus) for minus in BOTH), lambda *a: total(*a) & ones(W)),
    Case(ir.CARRY, (W, W, 1), 1, tuple((W, minus) for minus in BOTH), lambda *a: total(*a) >> W),
    Case(ir.MULTIPLY, (W, W), W, ((W,),), lambda a, b, width: a * b & ones(width), False),
    Case(ir.EITHER, (W, W), W, ((W,),), lambda a, b, _: {a, b}),
    Case(
        ir.SELECT,
        (1, 1, 1, 2, 2),
        1,
        tuple((Condition(how, "x", "y", 2), None, None, 1) for how in COMPARE),
        chosen,
        True,
        3,
    ),
    Case(
        ir.SELECT,
        (W, W, 1),
        W,
        ((None, None, None, W),),
        lambda a, b, held, *_: a if held else b,
        control=1,
    ),
    Case(ir.COMPARE, (W, W), 1, tuple(itertools.product(COMPARE, (W,), BOTH)), compare, False),
    Case(
        ir.BIT_MASK,
        (2, 2),
        2,
        ((2, False), (2, True)),
        lambda x, n, w, clamp: (ones(min(n, w) if clamp else n % w) << (x if clamp else x % w)) & ones(w),
    ),
    Case(
        LOAD, (1, 2), 2, ((0, SlotShape(((0, 1), (1, 2))), 2, 1, 3), (0, SlotShape(((-1, 1), (1, 2))), 2, 1, 3)), load
    ),
    Case(LOAD, (1, 2, 3), 2, ((1, SlotShape(((0, 1), (1, 2))), 2, 1, 3),), load, True, 1),
    Case(LOAD, (2, 1, 1), 2, ((2, SlotShape(((0, 1),)), 1, 2, 1),), load, True, 2, WHOLE),
    Case(STORE, (2, 3, 3), 3, ((1, 1, 3, 2, 1, 3), (1, 0, 3, 2, 1, 3)), store, True, 1, step=5),
    Case(STORE, (1, 1, 2, 2), 2, ((1, 0, 2, 1, 1, 2), (1, 2, 2, 1, 1, 2)), store, True, 1),
    Case(STORE, (2, 2, 1, 1), 2, ((2, 0, 1, 1, 2, 1),), store, True, 2, WHOLE),
)
NAMES = [f"{case.row.name} {len(case.operands)}" for case in CASES]


def possible(case: Case, numbers: tuple[int, ...], immediates: tuple[Any, ...]) -> set[int]:
    """Return what comes out of numbers; nothing where that is not defined."""
    made = case.does(*numbers, *immediates)
    return made if isinstance(made, set) else set() if made is None else {made}


@cache
def values(width: int) -> list[Value]:
    """Return every number of so many bits of which any may be unknown; above them all bits are 0."""
    above = ones(64) & ~ones(width)
    return [(bits, known | above) for known in range(1 << width) for bits in range(1 << width) if not bits & ~known]


@cache
def numbers(value: Value, width: int) -> list[int]:
    """Return the numbers that a value may be."""
    return [each for each in range(1 << width) if not (each ^ value[0]) & value[1] & ones(width)]


class Outcomes(dict[tuple[int, ...], set[int]]):
    """What comes out of numbers."""

    def __init__(self, case: Case, immediates: tuple[Any, ...]) -> None:
        super().__init__()
        self.case = case
        self.immediates = immediates

    def __missing__(self, given: tuple[int, ...]) -> set[int]:
        made = self[given] = possible(self.case, given, self.immediates)
        return made


def tried(case: Case, values: Callable[[int], Any]) -> Iterator[tuple[Any, ...]]:
    """Yield all values of the operands, or those of the last that are tried."""
    *widths, last = case.operands
    return itertools.product(*[values(width) for width in widths], case.last or values(last))


def inside(case: Case, given: tuple[Value, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers that values may be."""
    return itertools.product(*[numbers(value, width) for value, width in zip(given, case.operands, strict=True)])


def flipped(each: tuple[int, ...], place: int, bit: int) -> tuple[int, ...]:
    """Return numbers with one bit changed."""
    return (*each[:place], each[place] ^ 1 << bit, *each[place + 1 :])


def test_every_operation_is_here() -> None:
    rows = {each for room in (ir, memory) for each in vars(room).values() if isinstance(each, IrOperation)}
    assert rows == {case.row for case in CASES} | {ir.INPUT, ir.GIVEN}


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        long_run(case) if name == "store 3" or number % 2 else case
        for number, (name, case) in enumerate(zip(NAMES, CASES, strict=True))
    ],
    ids=NAMES,
)
def test_what_is_known_and_because_of_what(case: Case) -> None:
    """Fold contains every result, and is the best there is; what is handed on is, and the causes are."""
    row, full = case.row, ones(case.result)
    for immediates in case.immediates:
        results = Outcomes(case, immediates)
        for given in itertools.islice(tried(case, values), 0, None, case.step):
            found = row.fold(*given, *immediates)
            there = list(inside(case, given))
            outs = set().union(*[results[each] for each in there])
            if not outs:
                continue
            assert all(not (out ^ found[0]) & found[1] & full for out in outs), (given, immediates)
            least, most = bounds(found, case.result)
            assert least <= min(outs) <= max(outs) <= most, (given, immediates)
            moves = row.handed(given, found, [0] * len(given), *immediates)
            moving = 0
            first = next(iter(outs))
            for out in outs:
                moving |= out ^ first
            if case.exact:
                assert found[1] & full == full & ~moving, (given, immediates)
            if len(there) == 1 and row not in MIXED:
                complete(case, there[0], results, moves, found[1])
            for operand, shift, mask in moves:
                for bit in range(case.result):
                    if mask >> bit & 1:
                        pass_on(case, given, found, immediates, results, (operand, bit - shift, bit))
            for bit in range(case.result):
                if found[1] >> bit & 1 or not moving >> bit & 1 or not all(results[each] for each in there):
                    continue
                causes = row.causes(given, bit, *immediates)
                real = [changes(case, given, results, (operand, at, bit)) for operand, at in causes]
                told = any if row in LIKELY else all
                assert not causes or told(real), (given, immediates, bit, causes)
                loose = any((one ^ two) >> bit & 1 for each in there for one in results[each] for two in results[each])
                if any(not value[1] >> bit & 1 for value in given[:2]) if row.chooses else not loose:
                    assert causes, (given, immediates, bit)


def pass_on(
    case: Case, given: tuple[Value, ...], found: Value, immediates: Any, results: Any, move: tuple[int, int, int]
) -> None:
    """A bit that is handed on is known, the same, and changes the result where the others let it."""
    operand, at, bit = move
    value = given[operand]
    assert value[1] >> at & found[1] >> bit & 1
    assert not (value[0] >> at ^ found[0] >> bit) & 1
    data = len(given) - case.control
    spaces = [
        numbers(each, width) if place >= data else range(1 << width)
        for place, (each, width) in enumerate(zip(given, case.operands, strict=True))
    ]
    assert any(
        (one ^ other) >> bit & 1
        for each in itertools.product(*spaces)
        for one in results[each]
        for other in results[flipped(each, operand, at)]
    ), (given, immediates, move)


def complete(case: Case, there: tuple[int, ...], results: Any, moves: list[ir.BitMove], known: int) -> None:
    """A bit that changes with one of an operand, and is the same, is handed on; so is one that several say."""
    row = case.row
    handed = {(each[0], bit - each[1], bit) for each in moves for bit in range(case.result) if each[2] >> bit & 1}
    if len(results[there]) != 1:
        return
    (one,) = results[there]
    same = {
        (operand, at, bit)
        for operand in range(len(there) - case.control)
        for at in range(case.operands[operand])
        for bit in range(case.result)
        if known >> bit & 1 and not (one >> bit ^ there[operand] >> at) & 1 and (row is not ir.ADD or at == bit)
        if operand < 2 or row is ir.LOP3
        if any((one ^ other) >> bit & 1 for other in results[flipped(there, operand, at)])
    }
    assert same <= handed, (there, same)
    if row in (ir.AND, ir.OR):
        equal = {bit for bit in range(case.result) if any(not (one ^ each) >> bit & 1 for each in there)}
        assert equal <= {bit for _, _, bit in handed}, there


def changes(case: Case, given: tuple[Value, ...], results: Any, cause: tuple[int, int, int]) -> bool:
    """A bit that is a cause is unknown, and the result changes with it (for a control, of some data)."""
    operand, at, bit = cause
    data = len(given) - case.control
    if given[operand][1] >> at & 1:
        return False
    spaces = [
        range(1 << width) if operand >= data > place else numbers(value, width)
        for place, (value, width) in enumerate(zip(given, case.operands, strict=True))
    ]
    return any(
        (one ^ other) >> bit & 1
        for each in itertools.product(*spaces)
        for one in results[each]
        for other in results[flipped(each, operand, at)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", sampled(CASES), ids=NAMES)
def test_how_it_moves(case: Case) -> None:
    """What is said to add does for all numbers, what is aligned stays in its place, whatever else is a constant."""
    row = case.row
    for immediates in case.immediates:
        results = Outcomes(case, immediates)
        for given in tried(case, lambda width: [UNKNOWN, *[(number, ones(64)) for number in range(1 << width)]]):
            if given[-1] in case.last[-1:]:
                continue
            constants = [each[0] if each[1] else None for each in given]
            spaces = [
                range(1 << width) if each is None else (each,)
                for each, width in zip(constants, case.operands, strict=True)
            ]
            adds, aligned = row.adds(given, *immediates), row.aligned(given, *immediates)
            free = [place for place, each in enumerate(constants) if each is None]
            data = len(constants) - case.control
            simple = set(constants[:data]) == {None} and None not in constants[data:]
            for place in free:
                how, width = adds[place], case.operands[place]
                really_adds = really_aligned = True
                alone = any(results[each] for each in itertools.product(*spaces))
                for each in itertools.product(*spaces):
                    alone &= len(results[each]) <= 1
                    for more in range(1 << width):
                        other = (*each[:place], more, *each[place + 1 :])
                        if not results[each] or not results[other]:
                            continue
                        one, two = min(results[each]), min(results[other])
                        far = more - each[place]
                        assert how is None or how.width <= case.result
                        if how is not None and not far & ones(how.down):
                            moved = (far >> how.down) * how.times
                            assert not (two - one - moved) & ones(min(how.width, case.result)), (immediates, constants)
                        really_adds &= not (two - one - far) & ones(case.result)
                        really_aligned &= not (two ^ one) & ~(more ^ each[place])
                assert not aligned[place] or really_aligned or not alone, (immediates, constants, place)
                if simple and alone and row not in (*MIXED, ir.ADD):
                    assert aligned[place] == really_aligned, (immediates, constants, place)
                if simple and row not in (ir.LOP3, ir.PERMUTE, ir.SELECT) and width == case.result:
                    told = how is not None and how.times == 1 and not how.down and how.width >= case.result
                    assert told == (really_adds and alone), (immediates, constants, place)
