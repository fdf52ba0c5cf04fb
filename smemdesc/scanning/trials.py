"""What a function that is no expression does, found out by running it.

Only what reads and writes memory is such a function still; everything else is made of operations whose rows say it
(:mod:`smemdesc.scanning.links`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from smemdesc.engine.fields import ones
from smemdesc.scanning.ranges import Value

Values = tuple[Value, ...]
Handed = tuple[int, int, int]
Found = tuple[int, tuple[Handed, ...]]
_BYTE = 8


def links(transfer: Callable[..., Any], values: Values, registers: tuple[bool, ...], count: int) -> tuple[Found, ...]:
    """Return how results hang on what is read, by taking known bits away."""
    return Trial(transfer, values, count).links(registers)


class Trial:
    """A step whose results are looked at with some of its inputs taken away."""

    def __init__(self, transfer: Callable[..., Any], values: Values, count: int) -> None:
        self.transfer = transfer
        self.values = values
        self.count = count

    def results(self, values: Sequence[Value]) -> list[tuple[int, int]]:
        """Run it; of what comes out only the bits count."""
        answer = self.transfer(*values)
        return [each[:2] for each in ((answer,) if self.count == 1 else answer)]

    def links(self, registers: tuple[bool, ...]) -> tuple[Found, ...]:
        values = self.values
        results = self.results(values)
        inputs = [place for place, is_register in enumerate(registers) if is_register and values[place][1]]
        whole = [known for _, known in results]
        if not inputs or not any(whole):
            return tuple((known, ()) for known in whole)
        handed: list[list[Handed]] = [[] for _ in results]
        left = [known & ~without for known, without in zip(whole, self._known(inputs), strict=True)]
        if not any(left):
            return tuple((known, ()) for known in whole)
        if len(inputs) == 1:
            self._single(inputs[0], values, list(left), results, handed)
        else:
            alone = list(left)
            for place in inputs:
                gone = [bits & ~known for bits, known in zip(left, self._known([place]), strict=True)]
                if any(gone):
                    self._single(place, values, gone, results, handed)
                    alone = [bits & ~each for bits, each in zip(alone, gone, strict=True)]
            for place in inputs:
                # Several inputs say the same: what the first of them says by itself is its.
                if not any(alone):
                    break
                rest = self._without([each for each in inputs if each != place])
                mine = [bits & known for bits, (_, known) in zip(alone, self.results(rest), strict=True)]
                if any(mine):
                    self._single(place, rest, mine, results, handed)
                    alone = [bits & ~each for bits, each in zip(alone, mine, strict=True)]
        made = []
        for known, each in zip(whole, handed, strict=True):
            from_elsewhere = 0
            for _, _, mask in each:
                from_elsewhere |= mask
            made.append((known & ~from_elsewhere, tuple(each)))
        return tuple(made)

    def _without(self, places: list[int]) -> list[Value]:
        return [(0, 0) if place in places else value for place, value in enumerate(self.values)]

    def _known(self, places: list[int]) -> list[int]:
        """Return what is known of the results where nothing is known of some inputs."""
        return [known for _, known in self.results(self._without(places))]

    def _single(
        self,
        place: int,
        values: Sequence[Value],
        wanted: list[int],
        results: list[tuple[int, int]],
        handed: list[list[Handed]],
    ) -> None:
        """Add to ``handed`` the bits of one input on which bits ``wanted`` of the results hang, if they are the same.

        Taken away are the bits whose number has a 1, then a 0, at each place: where a result hangs on one bit, one of
        the two shows at each place, and together they spell its number.
        """
        bits, known = values[place][:2]
        tried = list(values)

        def gone(mask: int) -> list[int]:
            tried[place] = (bits & ~mask, known & ~mask)
            return [want & ~after for want, (_, after) in zip(wanted, self.results(tried), strict=True)]

        numbers: list[dict[int, int]] = [{} for _ in results]
        single = list(wanted)
        many = [0] * len(results)
        digits = known.bit_length().bit_length()
        shown = []
        for digit in range(digits):
            mask = _DIGITS[digit] & known
            ones, zeros = gone(mask), gone(known & ~mask)
            shown.append(ones)
            for at, (one, zero) in enumerate(zip(ones, zeros, strict=True)):
                many[at] |= one & zero
                single[at] &= one ^ zero
        for at, mask in enumerate(single):
            for out in _bits(mask):
                number = sum(1 << digit for digit in range(digits) if shown[digit][at] >> out & 1)
                if known >> number & 1 and bits >> number & 1 == results[at][0] >> out & 1:
                    shift = out - number
                    numbers[at][shift] = numbers[at].get(shift, 0) | 1 << out
        for at, mask in enumerate(many):
            if not mask:
                continue
            # It hangs on several, by a carry: it is handed on if the bit that moves like the others is one of them.
            for shift in tuple(numbers[at]) or (0,):
                same = ~(results[at][0] ^ (bits << shift if shift >= 0 else bits >> -shift))
                moved = mask & same & (known << shift if shift >= 0 else known >> -shift)
                for out in _bits(moved):
                    if gone(1 << out - shift)[at] >> out & 1:
                        numbers[at][shift] = numbers[at].get(shift, 0) | 1 << out
        for at, found in enumerate(numbers):
            handed[at] += [(place, shift, mask) for shift, mask in found.items()]


_WIDEST = 128
_DIGITS = [sum(1 << number for number in range(_WIDEST) if number >> digit & 1) for digit in range(_BYTE)]
"""The numbers below 128 with a 1 at each binary place, as masks."""


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def culprits(
    transfer: Callable[..., Any], values: Values, registers: tuple[bool, ...], out: int, bit: int, count: int
) -> tuple[tuple[int, int], ...]:
    """Return the reads, each with its bit, because of which a bit is not known, by filling in the others."""
    step = Trial(transfer, values, count)
    loose = [~value[1] & _FULL if is_register else 0 for value, is_register in zip(values, registers, strict=True)]

    def settles(kept: Sequence[int], ones: bool) -> bool:
        """Whether the bit is known where everything is, 0 or 1, but for the masks ``kept``."""
        filled = [
            value if mask == keep else (value[0] | (mask & ~keep if ones else 0), value[1] | mask & ~keep)
            for value, mask, keep in zip(values, loose, kept, strict=True)
        ]
        return bool(step.results(filled)[out][1] >> bit & 1)

    nothing = [0] * len(values)
    # Of two values that are chosen from, one may agree with a constant if it is 0, and not if it is 1.
    filling = [ones for ones in (False, True) if settles(nothing, ones)]
    if not filling:
        return ()

    def settled(kept: Sequence[int]) -> bool:
        return all(settles(kept, ones) for ones in filling)

    places = [place for place, mask in enumerate(loose) if mask]

    def keeping(place: int, mask: int) -> list[int]:
        kept = list(nothing)
        kept[place] = mask
        return kept

    guilty = [place for place in places if not settled(keeping(place, loose[place]))]
    # One that suffices for it by itself is the cause before one that only takes part.
    for place in guilty:
        others = [0 if each == place else mask for each, mask in enumerate(loose)]
        if settled(others):
            guilty.remove(place)
            guilty.insert(0, place)
            break

    def which(place: int) -> int:
        tried = list(_bits(loose[place]))
        while len(tried) > 1:
            # The upper half first: what is lost there is seldom a carry from below.
            lower, upper = tried[: len(tried) // 2], tried[len(tried) // 2 :]
            if not settled(keeping(place, _mask(upper))):
                tried = upper
            elif not settled(keeping(place, _mask(lower))):
                tried = lower
            else:
                break
        return tried[-1]

    return tuple((place, which(place)) for place in guilty)


def _mask(numbers: list[int]) -> int:
    return sum(1 << number for number in numbers)


_FULL = (1 << 64) - 1


def form(
    transfer: Callable[..., Any], constants: Sequence[Any], count: int, out: int, widths: Sequence[int]
) -> tuple[int, frozenset[int], frozenset[int]]:
    """Return the width of a result, and on which reads it hangs as a sum does, or bit by bit, by plain numbers."""
    registers = [place for place, each in enumerate(constants) if each is None]
    for width in widths:
        rng = Random(0)
        drawn = [[rng.getrandbits(width) for _ in constants] for _ in range(_DRAWN)]

        def answer(numbers: list[int], place: int, number: int, width: int = width) -> int | None:
            return _answer(transfer, constants, numbers, count, out, place, number, ones(width))

        if any(answer(numbers, -1, 0) is None for numbers in drawn):
            continue
        sums = [place for place in registers if _adds(transfer, constants, count, out, place, width)]
        aligned = [
            place
            for place in registers
            if all(
                not ((answer(numbers, place, numbers[place] ^ 1 << bit) or 0) ^ (answer(numbers, -1, 0) or 0))
                & ~(1 << bit)
                for numbers in drawn
                for bit in range(width)
            )
        ]
        return width, frozenset(sums), frozenset(aligned)
    return 0, frozenset(), frozenset()


_DRAWN = 8
"""Numbers by which it is asked what an instruction does."""
_TRIED = 32
"""Numbers by which it is asked whether it adds, beside those that are likely to tell."""


def _adds(transfer: Callable[..., Any], constants: Sequence[Any], count: int, out: int, place: int, width: int) -> bool:
    rng = Random(0)
    full = ones(width)
    powers = [1 << each for each in range(width)]
    numbers = [rng.getrandbits(width) for _ in range(4)] + powers + [each - 1 for each in powers]
    numbers += [full - each for each in powers] + [rng.getrandbits(width) for _ in range(_TRIED)]
    for each in constants:
        if each is not None:
            numbers += [sign * each[0] + beside & full for sign in (1, -1) for beside in (-1, 0, 1)]
    others = [[rng.getrandbits(width) for _ in constants] for _ in range(3)]
    zero: list[int | None] = [None, None, None]
    for turn, number in enumerate(numbers):
        kind = turn % 3
        base = zero[kind]
        if base is None:
            base = zero[kind] = _answer(transfer, constants, others[kind], count, out, place, 0, full)
            if base is None:
                return False
        found = _answer(transfer, constants, others[kind], count, out, place, number, full)
        if found is None or (found - base - number) & full:
            return False
    return True


def _answer(
    transfer: Callable[..., Any],
    constants: Sequence[Any],
    others: Sequence[int],
    count: int,
    out: int,
    place: int,
    number: int,
    full: int,
) -> int | None:
    values = [
        (number, full) if each == place else (other, full) if constant is None else constant
        for each, (constant, other) in enumerate(zip(constants, others, strict=True))
    ]
    answer = transfer(*values)
    bits, known = (answer if count == 1 else answer[out])[:2]
    return bits & full if known & full == full and known >> full.bit_length() == 0 else None
