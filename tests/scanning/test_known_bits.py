"""Partly known numbers against plain ones: what is claimed of a result holds for whatever the operands may be."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdesc.scanning import known
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN, Value

pytestmark = pytest.mark.corpus  # long: .ci/run has it

WIDTH = 32
FULL = (1 << WIDTH) - 1
Pair = tuple[Value, int]
"""A partly known number, and one that it may be."""


def full(width: int) -> int:
    return (1 << width) - 1


def signed(number: int, width: int) -> int:
    number &= full(width)
    return number - (number >> width - 1 << width)


def claims(value: Value, number: int, width: int = WIDTH) -> bool:
    """Whether nothing that is claimed is wrong; bits above the width are not asked for."""
    bits, mask = value
    return bits & ~mask == 0 and (bits ^ number) & mask & full(width) == 0


def runs(width: int) -> st.SearchStrategy[int]:
    """Masks in one piece: they are what descriptors and addresses are made of."""
    return st.tuples(st.integers(0, width), st.integers(0, width)).map(lambda ends: full(max(ends)) ^ full(min(ends)))


def numbers(width: int) -> st.SearchStrategy[int]:
    return st.integers(0, full(width)) | runs(width) | st.sampled_from([0, 1, full(width), 1 << width - 1])


@st.composite
def partly(draw: st.DrawFn, width: int = WIDTH) -> Pair:
    number, mask = draw(numbers(width)), draw(numbers(width))
    return (number & mask, mask), number


def carries() -> st.SearchStrategy[Pair]:
    return st.sampled_from([(FALSE, 0), (TRUE, 1), (UNKNOWN, 0), (UNKNOWN, 1)])


@st.composite
def counts(draw: st.DrawFn) -> Pair:
    """A number that is small more often than not, of which a few bits are unknown."""
    number = draw(st.integers(0, 70) | st.integers(0, FULL))
    mask = FULL & ~draw(st.sampled_from([0, 1, 3, 7, 31, 63, 0x80000000, FULL]) | st.integers(0, 255))
    return (number & mask, mask), number


UNARY: dict[str, tuple[Callable[[Value], Value], Callable[[int], int]]] = {
    "not": (known.not_, lambda a: ~a),
    "negate": (lambda a: known.negate(a, WIDTH), lambda a: -a),
    "cut": (lambda a: known.cut(a, 20), lambda a: a % 2**20),
}
BINARY: dict[str, tuple[Callable[[Value, Value], Value], Callable[[int, int], int]]] = {
    "and": (known.and_, lambda a, b: a & b),
    "or": (known.or_, lambda a, b: a | b),
    "xor": (known.xor, lambda a, b: a ^ b),
    "multiply": (lambda a, b: known.multiply(a, b, WIDTH), lambda a, b: a * b),
    "subtract": (lambda a, b: known.subtract(a, b, WIDTH)[0], lambda a, b: a - b),
}


@pytest.mark.parametrize("name", UNARY)
@given(a=partly())
def test_one_operand(name: str, a: Pair) -> None:
    ours, plain = UNARY[name]
    assert claims(ours(a[0]), plain(a[1]))


@pytest.mark.parametrize("name", BINARY)
@given(a=partly(), b=partly())
def test_two_operands(name: str, a: Pair, b: Pair) -> None:
    ours, plain = BINARY[name]
    assert claims(ours(a[0], b[0]), plain(a[1], b[1]))


@given(a=partly(64), b=partly(64))
def test_products_of_64_bits(a: Pair, b: Pair) -> None:
    assert claims(known.multiply(a[0], b[0], 64), a[1] * b[1], 64)


@given(a=partly(), b=partly())
def test_meet_is_true_of_either(a: Pair, b: Pair) -> None:
    both = known.meet(a[0], b[0])
    assert claims(both, a[1])
    assert claims(both, b[1])


@given(several=st.lists(partly(), min_size=1, max_size=5))
def test_meet_all_is_true_of_each(several: list[Pair]) -> None:
    every = known.meet_all([value for value, _ in several])
    assert all(claims(every, number) for _, number in several)


@given(a=partly(), b=partly(), carry=carries())
def test_add_and_its_carry(a: Pair, b: Pair, carry: Pair) -> None:
    total, out = known.add(a[0], b[0], WIDTH, carry[0])
    plain = a[1] + b[1] + carry[1]
    assert claims(total, plain)
    assert claims(out, plain >> WIDTH, 1)


@given(a=partly(), b=partly(), carry=carries())
def test_subtract_and_its_borrow(a: Pair, b: Pair, carry: Pair) -> None:
    total, out = known.subtract(a[0], b[0], WIDTH, carry[0])
    plain = a[1] - b[1] - (1 - carry[1])
    assert claims(total, plain)
    assert claims(out, int(plain >= 0), 1)


@given(a=partly(), b=partly(), c=partly(), table=st.integers(0, 255))
def test_lop3(a: Pair, b: Pair, c: Pair, table: int) -> None:
    plain = sum((table >> ((a[1] >> i & 1) * 4 + (b[1] >> i & 1) * 2 + (c[1] >> i & 1)) & 1) << i for i in range(WIDTH))
    assert claims(known.lop3(a[0], b[0], c[0], table, WIDTH), plain)


SHIFTS: dict[str, tuple[Callable[[Value, int, int], Value], Callable[[int, int, int], int]]] = {
    "shl": (known.shl, lambda a, n, width: a * 2**n),
    "shr": (known.shr, lambda a, n, width: a // 2**n),
    "sar": (known.sar, lambda a, n, width: signed(a, width) // 2**n),
}


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("name", SHIFTS)
@given(data=st.data(), count=st.integers(0, 70))
def test_shifts_by_a_number(name: str, width: int, data: st.DataObject, count: int) -> None:
    ours, plain = SHIFTS[name]
    a = data.draw(partly(width))
    assert claims(ours(a[0], count, width), plain(a[1], count, width), width)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("name", SHIFTS)
@given(data=st.data(), count=counts())
def test_shifts_by_what_is_partly_known(name: str, width: int, data: st.DataObject, count: Pair) -> None:
    ours, plain = SHIFTS[name]
    a = data.draw(partly(width))
    assert claims(known.shift(ours, a[0], count[0], width), plain(a[1], min(count[1], width), width), width)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("left", [False, True])
@given(low=partly(), high=partly(), count=counts())
def test_funnel(left: bool, wrap: bool, low: Pair, high: Pair, count: Pair) -> None:
    both = high[1] * 2**WIDTH + low[1]
    by = count[1] % WIDTH if wrap else min(count[1], WIDTH)
    plain = both * 2**by // 2**WIDTH if left else both // 2**by
    assert claims(known.funnel(low[0], high[0], count[0], left=left, wrap=wrap), plain)


@pytest.mark.parametrize("sign", [False, True])
@given(a=partly(), width=st.integers(1, WIDTH), more=st.integers(0, WIDTH))
def test_extend(sign: bool, a: Pair, width: int, more: int) -> None:
    plain = signed(a[1], width) if sign else a[1] % 2**width
    assert claims(known.extend(a[0], width, width + more, sign), plain, width + more)


@given(a=partly(64), low=st.integers(0, 63), width=st.integers(1, 64))
def test_field_knows_nothing_above(a: Pair, low: int, width: int) -> None:
    found = known.field(a[0], low, width)
    assert claims(found, a[1] // 2**low % 2**width, width)
    assert not found[1] >> width


@given(low=partly(), high=partly())
def test_join(low: Pair, high: Pair) -> None:
    assert claims(known.join(low[0], high[0], WIDTH), high[1] * 2**WIDTH + low[1], 2 * WIDTH)


@given(a=partly())
def test_choices_are_all_that_it_may_be(a: Pair) -> None:
    found = known.choices(a[0], WIDTH)
    loose = (FULL & ~a[0][1]).bit_count()
    assert (found is None) == (loose > 3)
    if found is not None:
        assert a[1] in found
        assert len(set(found)) == len(found) == 2**loose


@given(limit=st.integers(0, FULL), share=st.fractions(0, 1))
def test_at_most(limit: int, share: Fraction) -> None:
    assert claims(known.at_most(limit, WIDTH), int(limit * share))


@given(a=partly())
def test_zeros_below(a: Pair) -> None:
    assert a[1] % 2 ** known.zeros_below(a[0]) == 0


@given(a=partly(), b=partly(), selector=partly(16))
def test_permute(a: Pair, b: Pair, selector: Pair) -> None:
    source = a[1].to_bytes(4, "little") + b[1].to_bytes(4, "little")
    picked = []
    for place in range(4):
        nibble = selector[1] >> 4 * place & 15
        byte = source[nibble % 8]
        picked.append((0xFF if byte > 127 else 0) if nibble > 7 else byte)
    assert claims(known.permute(a[0], b[0], selector[0]), int.from_bytes(picked, "little"))


@given(a=partly(), into=partly(), low=st.integers(0, 40), count=st.integers(0, 40))
def test_insert(a: Pair, into: Pair, low: int, count: int) -> None:
    plain = into[1]
    for place in range(low, min(low + count, WIDTH)):
        plain = plain & ~(1 << place) | (a[1] >> place - low & 1) << place
    assert claims(known.insert(a[0], into[0], low, count, WIDTH), plain)


@pytest.mark.parametrize("sign", [False, True])
@given(a=partly(), low=st.integers(0, 40), count=st.integers(0, 40))
def test_extract(sign: bool, a: Pair, low: int, count: int) -> None:
    filler = a[1] >> min(low + count - 1, WIDTH - 1) & 1 if sign and count else 0
    plain = sum((a[1] >> low + i & 1 if i < count and low + i < WIDTH else filler) << i for i in range(WIDTH))
    assert claims(known.extract(a[0], low, count, WIDTH, sign), plain)


SMALL = 4
"""A width at which everything can be tried."""
EVERY = [(bits, mask) for mask in range(1 << SMALL) for bits in range(1 << SMALL) if bits & ~mask == 0]


def may_be(value: Value) -> list[int]:
    return [number for number in range(1 << SMALL) if not (number ^ value[0]) & value[1]]


def best(found: set[int]) -> Value:
    """All that is certain of one of these numbers."""
    ones = zeros = full(SMALL)
    for number in found:
        ones &= number
        zeros &= ~number
    return ones, ones | zeros


EXACT: dict[str, tuple[Callable[[Value, Value], Value], Callable[[int, int], int]]] = {
    "and": BINARY["and"],
    "or": BINARY["or"],
    "xor": BINARY["xor"],
    "add": (lambda a, b: known.add(a, b, SMALL)[0], lambda a, b: a + b),
    "add with carry": (lambda a, b: known.add(a, b, SMALL, TRUE)[0], lambda a, b: a + b + 1),
    "carry": (lambda a, b: known.add(a, b, SMALL)[1], lambda a, b: a + b >> SMALL),
    "subtract": (lambda a, b: known.subtract(a, b, SMALL)[0], lambda a, b: a - b),
}


@pytest.mark.parametrize("name", EXACT)
def test_two_operands_are_as_exact_as_can_be(name: str) -> None:
    ours, plain = EXACT[name]
    width = full(1 if name == "carry" else SMALL)
    for a, b in product(EVERY, repeat=2):
        bits, mask = ours(a, b)
        expected = best({plain(x, y) & width for x, y in product(may_be(a), may_be(b))})
        assert (bits & width, mask & width) == (expected[0] & width, expected[1] & width), (a, b)


def test_meet_is_as_exact_as_can_be() -> None:
    for a, b in product(EVERY, repeat=2):
        assert known.meet(a, b) == best({*may_be(a), *may_be(b)})


BIT = [FALSE, TRUE, UNKNOWN]


def test_lop3_is_as_exact_as_can_be() -> None:
    """Its bits do not touch each other: one is enough."""
    for table, (a, b, c) in product(range(256), product(BIT, repeat=3)):
        ways = product(*([bit for bit in (0, 1) if not (bit ^ value[0]) & value[1]] for value in (a, b, c)))
        seen = {table >> (4 * x + 2 * y + z) & 1 for x, y, z in ways}
        assert known.lop3(a, b, c, table, 1) == (UNKNOWN if len(seen) == 2 else (min(seen), 1))
