"""How often a loop can go round that counts and compares, and how far a number gets that grows in each round.

A counter that starts somewhere in a range, goes up or down by the same number in each round, and is compared with a
number that is known, or of which a range is. All of it wraps around as machine words do: where the counter may pass the
bound, or go round past the end of the word without meeting it, there is no limit.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import known
from smemdesc.scanning.ranges import EQ, GE, GT, LE, LT, NE, Value, bounds, compare, ranged


class Offset(NamedTuple):
    """How far a number is from another one: by ``least``, or any multiple of ``1 << zeros`` more, up to ``most``."""

    least: int = 0
    most: int = 0
    zeros: int = 128

    def plus(self, other: Offset) -> Offset:
        """Return how far it is by one and then by the other."""
        return Offset(self.least + other.least, self.most + other.most, min(self.zeros, other.zeros))

    def joined(self, other: Offset) -> Offset:
        """Return how far it is by either."""
        zeros = min(self.zeros, other.zeros, _zeros(self.least - other.least))
        return Offset(min(self.least, other.least), max(self.most, other.most), zeros)

    def times(self, most: int) -> Offset:
        """Return how far it gets in none to ``most`` of these."""
        return Offset(min(0, self.least * most), max(0, self.most * most), min(self.zeros, _zeros(self.least)))


NO_OFFSET = Offset()


def _zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else 128


def offset_of(value: Value, width: int) -> Offset | None:
    """Return a number of ``width`` bits as a distance: that with the upper half of all numbers goes back.

    None: it may go either way.
    """
    least, most = bounds(value, width)
    half = 1 << width - 1
    if least < half <= most:
        return None
    back = 2 * half if least >= half else 0
    zeros = 128 if least == most else min(known.known_below(value), _zeros(least ^ value[0] & ones(width)), width)
    return Offset(least - back, most - back, zeros)


def add_offset(value: Value, by: Offset, width: int) -> Value:
    """Return what is known of a number that is so far from ``value``, modulo ``1 << width``."""
    full, below = ones(width), ones(min(by.zeros, width))
    value = known.add(value, known.const(by.least, width), width)[0]
    if by.most > full or by.least < -full:
        # It may have gone round: what is below each step stays.
        return value[0] & value[1] & below, value[1] & below
    if by.most == by.least:
        return value
    return known.add(value, ranged(0, below, 0, by.most - by.least, width), width)[0]


class ExitTest(NamedTuple):
    """What has to hold for another round: ``counter how bound``, numbers of ``width`` bits.

    ``counter`` is what it is when it is compared for the first time, ``bound`` what it may be each time.
    """

    counter: Value
    step: int
    """What the counter goes on by between one comparison and the next; below 0: it goes down."""
    how: str
    bound: Value
    width: int
    signed: bool = False
    fixed: bool = False
    """Whether the bound is the same each time."""


def trip_count(test: ExitTest) -> int | None:
    """Return how often the comparison can hold in a row at most; None where there is no limit that is known."""
    width, how = test.width, test.how
    if compare(how, test.counter, test.bound, width, test.signed) is False:
        return 0
    size = 1 << width
    step = test.step % size
    if step >= size >> 1:
        step -= size
    (least, most), (low, high) = (bounds(each, width) for each in (test.counter, test.bound))
    if how == EQ:
        return 1 if step and (test.fixed or low == high) else None
    if how == NE:
        return _meets(test, step, (least, most), (low, high)) if test.fixed or low == high else None
    if test.signed:
        half = size >> 1
        if least < half <= most or low < half <= high:
            return None
        least, most, low, high = (each + half & size - 1 for each in (least, most, low, high))
    if how in (LT, LE) and step > 0:
        above = high + (how == LE)
        # The first number that is not below it must still be one of the word.
        return max(0, -((least - above) // step)) if above - 1 + step < size else None
    if how in (GT, GE) and step < 0:
        under = low - (how == GE)
        return max(0, -((under - most) // -step)) if under + 1 + step >= 0 else None
    return None


def _meets(test: ExitTest, step: int, counter: tuple[int, int], bound: tuple[int, int]) -> int | None:
    """Return how often at most a counter goes on until it is the bound."""
    size = 1 << test.width
    least, most = counter
    low, high = bound
    if least == most and low == high:
        # The smallest k with k * step = distance, modulo the size of a word.
        distance = (low - least) % size
        zeros = (step & -step).bit_length() - 1
        if not step or distance & ones(zeros):
            return 0 if not distance else None
        odd = size >> zeros
        return (distance >> zeros) * pow(step >> zeros, -1, odd) % odd
    # It comes to the bound where it does not step over it.
    if abs(step) != 1 and (not step or not _stride(test, abs(step))):
        return None
    if step > 0 and low >= most:
        return (high - least) // step
    if step < 0 and high <= least:
        return (most - low) // -step
    return None


def _stride(test: ExitTest, step: int) -> bool:
    """Whether counter and bound are certainly some whole steps apart, of a power of two each."""
    both = test.counter[1] & test.bound[1] & ones(test.width)
    return not step & step - 1 and both & step - 1 == step - 1 and not (test.counter[0] ^ test.bound[0]) & step - 1
