"""Arithmetic on partly known words: what is certain of a result if only some bits of its operands are known.

A value is a pair ``(bits, known)``: the bits, 0 where unknown, and the mask of the known ones. If more is known of its
range than its bits imply, it is ``(bits, known, lost, least, most)``, where ``lost`` belongs to
:mod:`smemdesc.scanning.analysis.fixpoint`. The two halves inform each other (a reduced product): bits bound the range,
and the common leading bits of the range are known. Numbers are unsigned; a signed comparison uses a range that does not
cross the sign.

Every function is sound: a bit that it claims has that value for all operands that agree with the known bits of the
arguments. None of them knows an instruction set. Widths are in bits.

Like :mod:`smemdesc.engine.fields` this module consists of shifts and masks; it knows no descriptors.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import reduce

from smemdesc.engine.fields import ones

Value = tuple[int, int] | tuple[int, int, int | None] | tuple[int, int, int | None, int, int]
UNKNOWN: Value = (0, 0)
BIT = 1
"""The mask of a predicate or carry."""
FALSE: Value = (0, BIT)
TRUE: Value = (1, BIT)
_SPREAD = 8
"""A shift or index by an unknown amount is tried with each possible value, up to this many."""

EQ, NE, LT, LE, GT, GE = "EQ", "NE", "LT", "LE", "GT", "GE"
OPPOSITE = {EQ: NE, NE: EQ, LT: GE, GE: LT, GT: LE, LE: GT}
"""The comparison that holds if and only if another does not."""
EXCHANGED = {EQ: EQ, NE: NE, LT: GT, GT: LT, LE: GE, GE: LE}
"""The comparison of ``y`` and ``x`` that is the same as one of ``x`` and ``y``."""


def bounds(a: Value, width: int) -> tuple[int, int]:
    """Return the least and the most that ``a`` may be as an unsigned number of ``width`` bits."""
    full = ones(width)
    least, most = a[0] & full, a[0] & full | full & ~a[1]
    if len(a) == 5 and a[4] <= full:
        return max(least, a[3]), min(most, a[4])
    return least, most


def ranged(bits: int, known: int, least: int, most: int, width: int) -> Value:
    """Return a value of ``width`` bits, given its bits and its range."""
    full = ones(width)
    bits, known = bits & full, known & full
    least, most = max(least, bits), min(most, bits | full & ~known)
    if least > most:
        # No number satisfies both: only code that never runs has such a value.
        return bits, known
    same = full & ~ones((least ^ most).bit_length())
    if same & ~known:
        known |= same
        bits = bits & ~same | least & same
    if not least and most == full:
        return bits, known
    return bits, known, None, least, most


def whole(a: Value, width: int) -> Value:
    """Return ``a``, cut to ``width``, with its range."""
    return ranged(a[0] & a[1], a[1], *bounds(a, width), width)


def const(number: int, width: int) -> Value:
    """Return a number, wholly known, cut to ``width``."""
    full = ones(width)
    return number & full, full


def meet(a: Value, b: Value, width: int = 0) -> Value:
    """Return what is certain of a value that may be either; ``width`` is 0 if unknown."""
    known = a[1] & b[1] & ~(a[0] ^ b[0])
    if width:
        (least, most), (low, high) = bounds(a, width), bounds(b, width)
        return ranged(a[0] & known, known, min(least, low), max(most, high), width)
    if len(a) == 5 and len(b) == 5:
        return a[0] & known, known, None, min(a[3], b[3]), max(a[4], b[4])
    return a[0] & known, known


def meet_all(values: Sequence[Value], width: int = 0) -> Value:
    """Return what is certain of a value that may be any of ``values`` (at least one)."""
    return reduce(lambda a, b: meet(a, b, width), values)


def and_(a: Value, b: Value) -> Value:
    """Return the conjunction: a known 0 on either side decides."""
    bits = a[0] & b[0]
    return bits, a[1] & b[1] | a[1] & ~a[0] | b[1] & ~b[0]


def or_(a: Value, b: Value) -> Value:
    """Return the disjunction: a known 1 on either side decides."""
    bits = a[0] | b[0]
    return bits, a[1] & b[1] | bits


def xor(a: Value, b: Value) -> Value:
    """Return the exclusive or."""
    known = a[1] & b[1]
    return (a[0] ^ b[0]) & known, known


def bitwise(values: Sequence[Value], table: int, width: int) -> Value:
    """Return a bitwise function by its truth table, whose index has the bit of the last of ``values`` lowest."""
    can_be_0 = can_be_1 = 0
    full = ones(width)
    # For each operand: the bits that can be 0, and those that can be 1.
    sides = [(full & ~(value[0] & value[1]), full & ~(~value[0] & value[1])) for value in reversed(values)]
    for index in range(1 << len(sides)):
        reach = full
        for place, side in enumerate(sides):
            reach &= side[index >> place & 1]
        if table >> index & 1:
            can_be_1 |= reach
        else:
            can_be_0 |= reach
    known = can_be_0 ^ can_be_1
    return can_be_1 & known, known


def shl(a: Value, count: int, width: int) -> Value:
    """Shift left by a number; zeros come in."""
    if count >= width:
        return 0, ones(width)
    full = ones(width)
    bits, known = a[0] << count & full, (a[1] << count | ones(count)) & full
    if len(a) == 5 and a[4] << count <= full:
        return ranged(bits, known, a[3] << count, a[4] << count, width)
    return bits, known


def shr(a: Value, count: int, width: int) -> Value:
    """Shift right by a number; zeros come in."""
    full = ones(width)
    if count >= width:
        return 0, full
    bits, known = (a[0] & full) >> count, (a[1] & full) >> count | full & ~(full >> count)
    if len(a) == 5 and a[4] <= full:
        return ranged(bits, known, a[3] >> count, a[4] >> count, width)
    return bits, known


def sar(a: Value, count: int, width: int) -> Value:
    """Shift right by a number; copies of the sign come in."""
    return cut(shr(extend(a, width, 2 * width), min(count, width), 2 * width), width)


def cut(a: Value, width: int) -> Value:
    """Return the low ``width`` bits."""
    full = ones(width)
    if len(a) == 5 and a[4] <= full:
        return a[0] & full, a[1] & full, None, a[3], a[4]
    return a[0] & full, a[1] & full


def extend(a: Value, width: int, to: int, signed: bool = True) -> Value:
    """Widen from ``width`` to ``to`` bits with the sign (or, not ``signed``, with zeros)."""
    bits, known = a[0] & ones(width), a[1] & ones(width)
    upper = ones(to) & ~ones(width)
    sign = 1 << (width - 1)
    if signed and not known & sign:
        return bits, known
    if signed and bits & sign:
        return bits | upper, known | upper
    if len(a) == 5 and a[4] <= ones(width):
        return bits, known | upper, None, a[3], a[4]
    return bits, known | upper


def bit_field(a: Value, low: int, width: int) -> Value:
    """Return ``width`` bits from bit ``low`` on, right-aligned; nothing is known above."""
    if len(a) == 5:
        return cut((a[0] >> low, a[1] >> low, None, a[3] >> low, a[4] >> low), width)
    return cut((a[0] >> low, a[1] >> low), width)


def join(low: Value, high: Value, width: int) -> Value:
    """Put two words of ``width`` bits together, ``high`` above ``low``."""
    a, b = cut(low, width), cut(high, width)
    return a[0] | b[0] << width, a[1] | b[1] << width


def choices(a: Value, width: int) -> list[int] | None:
    """Return every number that ``a`` may be; None if there are too many to try."""
    bits, known = cut(a, width)[:2]
    loose = ones(width) & ~known
    if loose.bit_count() > _SPREAD.bit_length() - 1:
        return None
    numbers = [bits]
    while loose:
        lowest = loose & -loose
        numbers += [number | lowest for number in numbers]
        loose ^= lowest
    if len(a) == 5:
        least, most = bounds(a, width)
        return [number for number in numbers if least <= number <= most] or numbers
    return numbers


def add(a: Value, b: Value, width: int, carry: Value = FALSE) -> tuple[Value, Value]:
    """Return the sum and its carry out (of bit ``width - 1``)."""
    full = ones(width)
    in_least, in_most = carry[0] & BIT, carry[0] & BIT | BIT & ~carry[1]
    least = (a[0] & full) + (b[0] & full) + in_least
    most = (a[0] & full | full & ~a[1]) + (b[0] & full | full & ~b[1]) + in_most
    # A carry into a bit is certain if the least and the greatest possible sum agree on it; the sum bit is certain if
    # both operand bits are, too.
    into_least = least ^ a[0] & full ^ b[0] & full
    into_most = most ^ (a[0] & full | full & ~a[1]) ^ (b[0] & full | full & ~b[1])
    carries = ~(into_least ^ into_most)
    known = carries & a[1] & b[1] & full
    over = full + 1
    low, high = least, most
    if len(a) == 5 or len(b) == 5:
        (a_least, a_most), (b_least, b_most) = bounds(a, width), bounds(b, width)
        low, high = a_least + b_least + in_least, a_most + b_most + in_most
    if high < over:
        return ranged(least & known, known, low, high, width), FALSE
    if low >= over:
        return ranged(least & known, known, low - over, high - over, width), TRUE
    return (least & known, known), UNKNOWN


def negate(a: Value, width: int) -> Value:
    """Return the two's complement."""
    return add(complement(a, width), (0, ones(width)), width, TRUE)[0]


def complement(a: Value, width: int) -> Value:
    """Return the complement of a number of ``width`` bits, with its range."""
    full = ones(width)
    bits, known = ~a[0] & a[1] & full, a[1] & full
    if len(a) == 5 and a[4] <= full:
        return bits, known, None, full - a[4], full - a[3]
    return bits, known


def zeros_below(a: Value) -> int:
    """Return how many low bits are known to be 0."""
    zero = a[1] & ~a[0]
    return (~zero & zero + 1).bit_length() - 1


def multiply(a: Value, b: Value, width: int) -> Value:
    """Return the low ``width`` bits of the product."""
    full = ones(width)
    a, b = cut(a, width), cut(b, width)
    if a[1] == full and b[1] == full:
        return a[0] * b[0] & full, full
    if a[1] == full:
        a, b = b, a
    if b[1] == full and (-b[0] & full).bit_count() < b[0].bit_count():
        # By a negative number as by its absolute value.
        return negate(multiply(a, (-b[0] & full, full), width), width)
    if b[1] == full and b[0].bit_count() <= _SPREAD:
        total: Value = (0, full)
        for place in range(width):
            if b[0] >> place & 1:
                total = add(total, shl(a, place, width), width)[0]
        least, most = bounds(a, width)
        if len(a) == 5 and most * b[0] <= full:
            return ranged(total[0], total[1], least * b[0], most * b[0], width)
        return total
    # The low bits of a product follow from the low bits of its factors; the zeros of both add up.
    low_a, low_b = zeros_below(a), zeros_below(b)
    run = min(known_below(a) - low_a, known_below(b) - low_b)
    low = min(width, low_a + low_b + max(0, run))
    known = ones(low)
    below_a, below_b = a[0] & a[1], b[0] & b[1]
    bits = (below_a & ones(known_below(a))) * (below_b & ones(known_below(b))) & known
    top = bounds(a, width)[1] * bounds(b, width)[1]
    if top <= full:
        known |= full & ~ones(top.bit_length())
    return bits, known


def known_below(a: Value) -> int:
    """Return how many consecutive low bits are known."""
    return (~a[1] & a[1] + 1).bit_length() - 1


def at_most(limit: int, width: int) -> Value:
    """Return a number that is only known not to exceed ``limit``."""
    return ranged(0, ones(width) & ~ones(limit.bit_length()), 0, limit, width)


def extract(a: Value, low: int, count: int, width: int, signed: bool) -> Value:
    """Return ``count`` bits from bit ``low`` on, widened to ``width`` (bits past the end are zeros or signs)."""
    if count == 0:
        return 0, ones(width)
    wide = extend(a, width, 2 * width, signed)
    if low >= width:
        low = width
    return extend(bit_field(wide, low, min(count, width)), min(count, width), width, signed)


def shift(
    how: Callable[[Value, int, int], Value], a: Value, count: Value, width: int, digits: int = 32, clamp: bool = True
) -> Value:
    """Shift by a count that may be partly known; ``how`` is :func:`shl`, :func:`shr` or :func:`sar`.

    ``digits``: the bits of the count that are read. Counts of ``width`` or more shift everything out; without ``clamp``
    nothing is known then.
    """
    numbers = choices(count, digits)
    if not clamp and (numbers is None or max(numbers) >= width):
        return UNKNOWN
    if numbers is not None:
        return meet_all([how(a, min(number, width), width) for number in numbers])
    if how is shl:
        # Low zeros stay for any count, and the known bits of the count are the least number of zeros that come in.
        return 0, ones(min(width, zeros_below(cut(a, width)) + cut(count, digits)[0]))
    if how is shr:
        top = bounds(a, width)[1].bit_length() - cut(count, digits)[0]
        return 0, ones(width) & ~ones(max(0, top))
    return UNKNOWN


def divisor(b: Value, width: int) -> int:
    """Return a divisor, 0 if unknown."""
    number, known = cut(b, width)[:2]
    return number if known == ones(width) else 0


def divide(a: Value, b: Value, width: int) -> Value:
    """Return the quotient of unsigned numbers; unknown unless the divisor is known."""
    by = divisor(b, width)
    if not by & by - 1:
        return shr(cut(a, width), by.bit_length() - 1, width) if by else UNKNOWN
    least, most = bounds(a, width)
    return ranged(0, 0, least // by, most // by, width)


def rest(a: Value, b: Value, width: int) -> Value:
    """Return the remainder of unsigned numbers; unknown unless the divisor is known."""
    by = divisor(b, width)
    if not by & by - 1:
        return and_(cut(a, width), const(by - 1, width)) if by else UNKNOWN
    least, most = bounds(a, width)
    if least // by == most // by:
        return ranged(0, 0, least % by, most % by, width)
    # A multiple of the divisor has its low zeros.
    low = (by & -by) - 1
    return ranged(a[0] & a[1] & low, a[1] & low, 0, by - 1, width)


def bit_mask(low: Value, count: Value, width: int, clamp: bool) -> Value:
    """Return ``count`` ones from bit ``low`` on; both are clamped to ``width``, or taken modulo that."""
    digits = 32 if clamp else width.bit_length() - 1
    lows, counts = choices(low, digits), choices(count, digits)
    if lows is None or counts is None or len(lows) * len(counts) > _SPREAD:
        return UNKNOWN
    return meet_all([const(ones(min(y, width)) << min(x, width), width) for x in lows for y in counts])


# ---- comparisons ----


def compare_values(how: str, a: Value, b: Value, width: int, signed: bool = False) -> bool | None:
    """Return whether ``a how b`` holds; None if that is not certain."""
    if how in (EQ, NE):
        full = ones(width)
        (least, most), (low, high) = bounds(a, width), bounds(b, width)
        if a[1] & b[1] & (a[0] ^ b[0]) & full or most < low or high < least:
            return how == NE
        return how == EQ if least == most == low == high else None
    range_a, range_b = (_signed(value, width) if signed else bounds(value, width) for value in (a, b))
    if how in (GT, LE):
        below = _below(range_b, range_a)
        return below if below is None or how == GT else not below
    below = _below(range_a, range_b)
    return below if below is None or how == LT else not below


def _below(a: tuple[int, int], b: tuple[int, int]) -> bool | None:
    return True if a[1] < b[0] else False if a[0] >= b[1] else None


def _signed(a: Value, width: int) -> tuple[int, int]:
    least, most = bounds(a, width)
    sign = 1 << width - 1
    if most < sign:
        return least, most
    if least >= sign:
        return least - 2 * sign, most - 2 * sign
    return -sign, sign - 1


def refined(how: str, a: Value, b: Value, width: int, signed: bool = False) -> Value | None:
    """Return ``a`` given that ``a how b`` holds; None if that is impossible."""
    (least, most), (low, high) = bounds(a, width), bounds(b, width)
    bits, known = a[0], a[1]
    full = ones(width)
    if how == EQ:
        if known & b[1] & (bits ^ b[0]) & full:
            return None
        bits, known = bits | b[0], known | b[1]
        least, most = max(least, low), min(most, high)
    elif how == NE:
        if low == high:
            least += least == low
            most -= most == low
    else:
        if signed:
            sign = 1 << width - 1
            if most >= sign or high >= sign:
                # ``a`` may have either sign: its range is known only if it exceeds a number that is not negative.
                if not (how in (GT, GE) and high < sign):
                    return a
                most = min(most, sign - 1)
        if how in (LT, LE):
            most = min(most, high - (how == LT))
        else:
            least = max(least, low + (how == GT))
    if least > most:
        return None
    return ranged(bits & full, known & full, least, most, width)


def widened(old: tuple[int, int], new: tuple[int, int], thresholds: Sequence[int]) -> tuple[int, int] | None:
    """Return a range that grew from ``old`` to ``new``, as far as the next of the sorted ``thresholds`` on its way.

    ``thresholds`` are likely bounds. None if the range grows past all of them.
    """
    least, most = new
    if most > old[1]:
        above = bisect_left(thresholds, most)
        if above == len(thresholds):
            return None
        most = thresholds[above]
    if least < old[0]:
        below = bisect_right(thresholds, least) - 1
        least = thresholds[below] if below >= 0 else 0
    return least, most
