"""How the result of a step hangs on what it read: which bits it hands on, which it writes, which cost it others.

A step is run again with some of what it read taken away: no instruction needs to be described a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from smemdesc.scanning.flow import Transfer
from smemdesc.scanning.ranges import Value

Sources = dict[tuple[int, int], int]
"""Which bits of a register were written where: the mask of them, by where (a line) and how far they moved up since."""
Values = tuple[Value, ...]
Handed = tuple[int, int, int]
"""``(read, shift, mask)``: the bits ``mask`` of a result are those of a read, moved up by ``shift``."""

_CACHED = 20_000
_MOST = 64
"""A register remembers no more places than so many: where many ways meet, the first."""
_BYTE = 8


class Links(NamedTuple):
    """How a result hangs on what was read."""

    here: int
    """The known bits that the step wrote itself."""
    handed: tuple[Handed, ...]


_LINKS: dict[tuple[Transfer, Values, tuple[bool, ...]], tuple[Links, ...]] = {}


def links(
    transfer: Transfer, values: Values, registers: tuple[bool, ...], count: int, old: int | None = None
) -> tuple[Links, ...]:
    """Return how each of ``count`` results hangs on ``values``; ``registers``: which of them are no constants.

    ``old``: which of them is what stays where the instruction is skipped.
    """
    key = (transfer, values, registers)
    found = _LINKS.get(key)
    if found is None:
        if len(_LINKS) > _CACHED:
            _LINKS.clear()
        step = Trial(transfer, values, count)
        found = step.links(registers)
        if old is not None:
            found = step.beside(old, found)
        _LINKS[key] = found
    return found


class Trial:
    """A step whose results are looked at with some of its inputs taken away."""

    def __init__(self, transfer: Transfer, values: Values, count: int) -> None:
        self.transfer = transfer
        self.values = values
        self.count = count

    def results(self, values: Sequence[Value]) -> list[tuple[int, int]]:
        """Run it; of what comes out only the bits count."""
        answer = self.transfer(*values)
        return [each[:2] for each in ((answer,) if self.count == 1 else answer)]

    def links(self, registers: tuple[bool, ...]) -> tuple[Links, ...]:
        values = self.values
        results = self.results(values)
        inputs = [place for place, is_register in enumerate(registers) if is_register and values[place][1]]
        whole = [known for _, known in results]
        if not inputs or not any(whole):
            return tuple(Links(known, ()) for known in whole)
        handed: list[list[Handed]] = [[] for _ in results]
        left = [known & ~without for known, without in zip(whole, self._known(inputs), strict=True)]
        if not any(left):
            return tuple(Links(known, ()) for known in whole)
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
            made.append(Links(known & ~from_elsewhere, tuple(each)))
        return tuple(made)

    def beside(self, old: int, made: tuple[Links, ...]) -> tuple[Links, ...]:
        """Add what the instruction writes from constants beside what may stay."""
        gone = self._known(list(range(old)))
        out = []
        for (here, handed), after, (_, known) in zip(made, gone, self.results(self.values), strict=True):
            mine = known & ~after
            for read, _, mask in handed:
                mine &= ~mask if read < old else -1
            out.append(Links(here | mine, handed))
        return tuple(out)

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


def handed_on(at: int, made: Links, sources: Sequence[Sources | None], known: int) -> Sources:
    """Return where the ``known`` bits of a result came from, from where those of the reads did."""
    out: Sources = {}
    here = made.here & known
    if here:
        out[at, 0] = here
    for read, shift, mask in made.handed:
        before = sources[read]
        mask &= known
        rest = mask
        if before:
            for (line, moved), bits in before.items():
                bits = (bits << shift if shift >= 0 else bits >> -shift) & mask
                if bits:
                    key = (line, moved + shift)
                    out[key] = out.get(key, 0) | bits
                    rest &= ~bits
        if rest:
            out[at, 0] = out.get((at, 0), 0) | rest
    return out


def joined(sources: Sources, more: Sources, known: int) -> Sources:
    """Return ``sources`` with what else may have written the ``known`` bits; the same object where that is nothing."""
    out = sources
    for key, bits in more.items():
        bits &= known
        old = out.get(key, 0)
        if bits & ~old and (old or len(out) < _MOST):
            if out is sources:
                out = dict(sources)
            out[key] = old | bits
    return out


def kept(sources: Sources, known: int) -> Sources:
    """Return the sources of the ``known`` bits; the same object where these are all."""
    if not any(bits & ~known for bits in sources.values()):
        return sources
    return {key: bits & known for key, bits in sources.items() if bits & known}


Causes = Callable[[Any], tuple[Sequence[Hashable], int | None, bool]]


class Search(dict[Hashable, "int | None"]):
    """Follows an unknown bit back to what lost it: where each node that was looked at ended."""

    def find(self, start: Hashable, causes: Causes) -> int | None:
        """Return where a node ends.

        ``causes`` returns for a node what may have made it unknown, a place to name (None: it only hands on), and
        whether that place is the end. Where all ways lead round in a circle, the last place on them is named.
        """
        if start in self:
            return self[start]
        stack = [start]
        seen: set[Hashable] = set()
        named: int | None = None
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            if node in self:
                named = self[node]
                break
            seen.add(node)
            more, at, final = causes(node)
            named = named if at is None and not final else at
            if final:
                break
            stack.extend(reversed(more))
        self.update(dict.fromkeys(seen, named))
        return named


def culprits(
    transfer: Transfer, values: Values, registers: tuple[bool, ...], out: int, bit: int, count: int
) -> tuple[tuple[int, int], ...]:
    """Return the reads, each with its bit, because of which bit ``bit`` of result ``out`` is not known.

    The likeliest comes first; none where it is not known for want of a read.
    """
    key = (transfer, values, registers, out, bit)
    if key not in _CULPRITS:
        if len(_CULPRITS) > _CACHED:
            _CULPRITS.clear()
        _CULPRITS[key] = _culprits(Trial(transfer, values, count), registers, out, bit)
    return _CULPRITS[key]


_CULPRITS: dict[object, tuple[tuple[int, int], ...]] = {}


def _culprits(step: Trial, registers: tuple[bool, ...], out: int, bit: int) -> tuple[tuple[int, int], ...]:
    values = step.values
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
