"""How often loops go round, against all loops of small words; and registers that grow in them."""

from __future__ import annotations

import itertools
import operator
import random

import pytest
from samples import long_run
from tables import every_row

from smemdesc.engine.known import NE, OPPOSITE, Value, bounds, ranged
from smemdesc.scanning import scan_text
from smemdesc.scanning.analysis.induction import ExitTest, Offset, add_offset, offset_of, trip_count

WIDTH = 3
SIZE = 1 << WIDTH
RANGES = [(low, high) for low in range(SIZE) for high in range(low, SIZE)]


def signed(number: int) -> int:
    return number - SIZE if number >= SIZE // 2 else number


def holds(how: str, a: int, b: int, sign: bool) -> bool:
    a, b = (signed(each) if sign else each for each in (a, b))
    return bool(getattr(operator, how.lower())(a, b))


def rounds(start: int, step: int, how: str, bound: int, sign: bool) -> int | None:
    """Run a loop; None: it does not end."""
    counts = (count for count in range(SIZE + 1) if not holds(how, start + count * step & SIZE - 1, bound, sign))
    return next(counts, None)


def value(low: int, high: int) -> Value:
    return ranged(0, 0, low, high, WIDTH)


@pytest.mark.slow
@pytest.mark.parametrize("how", OPPOSITE)
@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize("fixed", [long_run(False), True])
def test_no_loop_goes_round_more_often(how: str, sign: bool, fixed: bool) -> None:
    found = limited = 0
    real = {each: rounds(each[0], each[1], how, each[2], sign) for each in itertools.product(range(SIZE), repeat=3)}
    for (least, most), (low, high), step in itertools.product(RANGES, RANGES[::2], range(-SIZE // 2, SIZE // 2)):
        limit = trip_count(ExitTest(value(least, most), step, how, value(low, high), WIDTH, sign, fixed))
        if limit is not None:
            limited += 1
            every = [
                real[start, step % SIZE, bound] for start in range(least, most + 1) for bound in range(low, high + 1)
            ]
            assert all(each is not None and each <= limit for each in every), (least, most, low, high, step, limit)
            found += limit == max(each or 0 for each in every)
    assert found == limited  # no limit is wider than it has to be
    assert limited > 100


@pytest.mark.slow
@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize("how", OPPOSITE)
def test_a_bound_that_moves_limits_no_less(how: str, sign: bool) -> None:
    rng = random.Random(how)
    for _ in range(3000):
        (least, most), (low, high), step = rng.choice(RANGES), rng.choice(RANGES), rng.randrange(-SIZE // 2, SIZE // 2)
        limit = trip_count(ExitTest(value(least, most), step, how, value(low, high), WIDTH, sign))
        if limit is None:
            continue
        for _ in range(8):
            counter, count = rng.randint(least, most), 0
            while count <= limit and holds(how, counter, rng.randint(low, high), sign):
                counter = counter + step & SIZE - 1
                count += 1
            assert count <= limit


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [5, long_run(17)])
@pytest.mark.parametrize("step", [-4, long_run(-2), 2, long_run(4)])
def test_a_stride_meets_a_bound_of_its_own(step: int, sizes: int) -> None:
    for known, start, bound in itertools.product(range(SIZE), repeat=3):
        counter = ranged(start & known, known, 0, SIZE - 1, WIDTH)
        for size in RANGES[:: len(RANGES) // sizes]:
            limit = ranged(bound & known, known, *size, WIDTH)
            most = trip_count(ExitTest(counter, step, NE, limit, WIDTH, fixed=True))
            for a, b in itertools.product(fitting(counter), fitting(limit)):
                count = rounds(a, step, NE, b, False)
                assert most is None or (count is not None and count <= most)


def fits(number: int, of: Value) -> bool:
    low, high = bounds(of, WIDTH)
    return not (number ^ of[0]) & of[1] and low <= number <= high


def fitting(of: Value) -> list[int]:
    return [number for number in range(SIZE) if fits(number, of)]


def test_distances_hold() -> None:
    rng = random.Random(0)
    claimed = 0
    for _ in range(4000):
        known = rng.randrange(SIZE)
        of = ranged(rng.randrange(SIZE) & known, known, *rng.choice(RANGES), WIDTH)
        zeros = rng.randrange(3)
        first, second = sorted(rng.randint(-SIZE, SIZE) for _ in range(2))
        made = add_offset(of, Offset(first, second, zeros), WIDTH)
        for start, by in itertools.product(fitting(of), range(first, second + 1, 1 << zeros)):
            assert fits(start + by & SIZE - 1, made), (of, first, second, zeros, made)
        claimed += made[1].bit_count()
    assert claimed > 3000


def test_distances_add_up() -> None:
    """By one and the other, by either, and by none to two of one."""
    rng = random.Random(0)
    for _ in range(300):
        zeros = [rng.randrange(3) for _ in range(2)]
        ends = [sorted(rng.randint(-9, 9) for _ in range(2)) for _ in range(2)]
        one, two = (Offset(*end, zero) for end, zero in zip(ends, zeros, strict=True))
        first, second = (range(each.least, each.most + 1, 1 << each.zeros) for each in (one, two))
        for a, b in itertools.product(first, second):
            for made, by in ((one.plus(two), a + b), (one.joined(two), a), (one.joined(two), b), (one.times(2), a)):
                assert made.least <= by <= made.most
                assert not by - made.least & (1 << min(made.zeros, 9)) - 1


def test_a_number_is_a_distance_either_way() -> None:
    for low, high in RANGES:
        found = offset_of(value(low, high), WIDTH)
        if found is None:
            assert low < SIZE // 2 <= high
            continue
        assert all(
            found.least <= signed(each) <= found.most
            and not signed(each) - found.least & (1 << min(found.zeros, WIDTH)) - 1
            for each in range(low, high + 1)
        )


LOOP = """\
.section .text.k,"ax",@progbits
.text.k:
        /*0000*/ UMOV UR4, 0x00010000 ;
        /*0010*/ UMOV UR5, 0x40000040 ;
        /*0020*/ MOV R5, 0xffffffff ;
        /*0030*/ {before} ;
        /*0040*/ LOP3.LUT R6, R6, 0x7, RZ, 0xc0, !PT ;
.L_x_0:
        /*0050*/ {inside} ;
        /*0060*/ LOP3.LUT R6, R6, 0x7, RZ, 0xc0, !PT ;
        /*0070*/ HGMMA.64x8x16.F32 R24, gdesc[UR4], R24, !UPT, gsb0 ;
        /*0080*/ UIADD3 UR4, UP0, UR4, 0x2, URZ ;
        /*0090*/ UIADD3.X UR5, UR5, URZ, URZ, UP0, !UPT ;
        /*00a0*/ IADD3 R5, R5, 0x1, RZ ;
        /*00b0*/ ISETP.NE.AND P0, PT, R5, {bound}, PT ;
        /*00c0*/ {between} ;
        /*00d0*/ @P0 BRA `(.L_x_0) ;
        /*00e0*/ EXIT ;
"""
LOAD = "LDG.E R6, desc[UR20][R22.64]"


@every_row(
    ("before", "inside", "bound", "between", "known"),
    [
        (LOAD, "NOP", "0x7", "NOP", True),
        ("NOP", "NOP", "0x7", "MOV R5, R5", True),
        ("NOP", LOAD, "R6", "NOP", False),  # another bound in each round may be passed
        ("NOP", "IADD3 R5, R5, R6, RZ", "0x7", "NOP", False),
        ("NOP", "@P1 IADD3 R5, R5, 0x1, RZ", "0x7", "NOP", False),
        ("NOP", "NOP", "0x7", "ISETP.NE.AND P0, PT, R7, RZ, PT", False),
    ],
)
def test_upper_words(before: str, inside: str, bound: str, between: str, known: bool) -> None:
    text = LOOP.format(before=before, inside=inside, bound=bound, between=between)
    (mma,) = scan_text(text).functions[0].mmas
    assert mma.a is not None
    assert (mma.a.known >> 32 == 0xFFFFFFFF) is known
