"""How often loops go round, against all loops of small words."""

from __future__ import annotations

import itertools
import random

import pytest

from smemdesc.scanning.ranges import EQ, GE, GT, LE, LT, NE, Value, bounds, ranged
from smemdesc.scanning.trips import Compared, Far, far, moved, trips

WIDTH = 3
SIZE = 1 << WIDTH
HOLDS = {
    EQ: lambda a, b: a == b,
    NE: lambda a, b: a != b,
    LT: lambda a, b: a < b,
    LE: lambda a, b: a <= b,
    GT: lambda a, b: a > b,
    GE: lambda a, b: a >= b,
}
RANGES = [(low, high) for low in range(SIZE) for high in range(low, SIZE)]


def signed(number: int) -> int:
    return number - SIZE if number >= SIZE // 2 else number


def rounds(start: int, step: int, how: str, bound: int, sign: bool) -> int | None:
    """Run a loop; None: it does not end."""
    for count in range(SIZE + 1):
        a, b = (signed(start), signed(bound)) if sign else (start, bound)
        if not HOLDS[how](a, b):
            return count
        start = start + step & SIZE - 1
    return None


def value(low: int, high: int) -> Value:
    return ranged(0, 0, low, high, WIDTH)


@pytest.mark.parametrize("how", HOLDS)
@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize("fixed", [False, True])
def test_no_loop_goes_round_more_often(how: str, sign: bool, fixed: bool) -> None:
    found = limited = 0
    real = {
        (start, step, bound): rounds(start, step, how, bound, sign)
        for start in range(SIZE)
        for step in range(SIZE)
        for bound in range(SIZE)
    }
    for (least, most), (low, high), step in itertools.product(RANGES, RANGES, range(-SIZE // 2, SIZE // 2)):
        limit = trips(Compared(value(least, most), step, how, value(low, high), WIDTH, sign, fixed))
        if limit is not None:
            limited += 1
            every = [
                real[start, step % SIZE, bound] for start in range(least, most + 1) for bound in range(low, high + 1)
            ]
            assert all(each is not None and each <= limit for each in every), (least, most, low, high, step, limit)
            found += limit == max(each or 0 for each in every)
    assert found == limited  # no limit is wider than it has to be
    assert limited > 100


@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize("how", HOLDS)
def test_a_bound_that_moves_limits_no_less(how: str, sign: bool) -> None:
    rng = random.Random(how)
    for _ in range(3000):
        (least, most), (low, high), step = rng.choice(RANGES), rng.choice(RANGES), rng.randrange(-SIZE // 2, SIZE // 2)
        limit = trips(Compared(value(least, most), step, how, value(low, high), WIDTH, sign))
        if limit is None:
            continue
        for _ in range(8):
            counter = rng.randint(least, most)
            count = 0
            while count <= limit:
                bound = rng.randint(low, high)
                a, b = (signed(counter), signed(bound)) if sign else (counter, bound)
                if not HOLDS[how](a, b):
                    break
                counter = counter + step & SIZE - 1
                count += 1
            assert count <= limit


@pytest.mark.parametrize("step", [-4, -2, 2, 4])
def test_a_stride_meets_a_bound_of_its_own(step: int) -> None:
    for known, start, bound in itertools.product(range(SIZE), range(SIZE), range(SIZE)):
        for size in RANGES[:: len(RANGES) // 17]:
            counter, limit = (
                ranged(start & known, known, 0, SIZE - 1, WIDTH),
                ranged(bound & known, known, *size, WIDTH),
            )
            most = trips(Compared(counter, step, NE, limit, WIDTH, fixed=True))
            if most is None:
                continue
            for a in (each for each in range(SIZE) if fits(each, counter)):
                for b in (each for each in range(SIZE) if fits(each, limit)):
                    count = rounds(a, step, NE, b, False)
                    assert count is not None
                    assert count <= most


def fits(number: int, of: Value) -> bool:
    low, high = bounds(of, WIDTH)
    return not (number ^ of[0]) & of[1] and low <= number <= high


def test_distances_hold() -> None:
    rng = random.Random(0)
    claimed = 0
    for _ in range(4000):
        known = rng.randrange(SIZE)
        of = ranged(rng.randrange(SIZE) & known, known, *rng.choice(RANGES), WIDTH)
        zeros = rng.randrange(3)
        first, second = sorted(rng.randint(-SIZE, SIZE) >> zeros << zeros for _ in range(2))
        made = moved(of, Far(first, second, zeros), WIDTH)
        for start in (each for each in range(SIZE) if fits(each, of)):
            for by in range(first, second + 1, 1 << zeros):
                assert fits(start + by & SIZE - 1, made), (of, first, second, zeros, made)
        claimed += made[1].bit_count()
    assert claimed > 3000


def test_a_number_is_a_distance_either_way() -> None:
    for low, high in RANGES:
        found = far(value(low, high), WIDTH)
        if found is None:
            assert low < SIZE // 2 <= high
            continue
        assert all(
            found.least <= signed(each) <= found.most and not signed(each) & (1 << min(found.zeros, WIDTH)) - 1
            for each in range(low, high + 1)
        )
