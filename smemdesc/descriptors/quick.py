"""For streams: which kind a whole 64-bit value is, and what the rules of a kind say, in few steps for each value.

What is looked up is prepared once: patterns of bits by their bytes, rules by the few bits that they read (one that
reads more is asked each time). Memories are bounded. Tests hold all of it to the slow way,
:mod:`smemdesc.descriptors.ranking`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from smemdesc.descriptors.near_misses import signs
from smemdesc.descriptors.ranking import FAR
from smemdesc.descriptors.readings import DOUBTFUL, FITS, FITS_NOT, mark_of
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.text import WIDEST
from smemdesc.rules.base import ERROR, Problem, Rule
from smemdesc.rules.judging import rules_for

CAP = 16384
"""Entries that one memory holds before it begins anew: enough for every 14-bit field."""
SHARED = 11
"""Neighbouring fields, and rules, share a memory up to so many bits; a rule that reads more is asked each time."""

Key = TypeVar("Key")
Kept = TypeVar("Kept")
Ordered = tuple[int, Rule]
Said = Problem | Iterable[Problem]


class Memory(dict[Key, Kept], Generic[Key, Kept]):
    """What a function returned, by what it was given; bounded."""

    def __init__(self, make: Callable[[Key], Kept], cap: int = CAP) -> None:
        super().__init__()
        self._make = make
        self._cap = cap

    def __missing__(self, given: Key) -> Kept:
        if len(self) >= self._cap:
            self.clear()
        made = self[given] = self._make(given)
        return made


def deciding(kind: Kind, keys: Iterable[str]) -> int:
    """Return the bits that decide the values of some fields: their own, and those their meaning depends on."""
    table = kind.table
    mask = 0
    for key in keys:
        mask |= table.masks[key]
        for other in table.by_key[key].codec.depends:
            mask |= table.masks[other]
    return mask


class Asked(NamedTuple):
    """A rule that is asked for each value."""

    rule: Rule
    order: int
    given: Callable[[Sequence[Any]], tuple[Any, ...]]
    """Takes what it is asked with out of the context and the values of :attr:`Parted.values`."""


class Parted:
    """The rules of a kind: those that read few bits, in sets that do so together, and those that read many."""

    def __init__(self, kind: Kind, context: Context = NOTHING) -> None:
        self.kind = kind
        self.context = context
        rules = list(enumerate(rules_for(kind, context.whole, context.tiled)))
        self.reads = deciding(kind, (key for _, rule in rules for key in rule.reads))
        """The bits that any rule reads."""
        self.sets: list[tuple[int, list[Ordered]]] = []
        """Bits, and the rules that read no others."""
        many = []
        for each in rules:
            mine = deciding(kind, each[1].reads)
            if mine.bit_count() > SHARED:
                many.append(each)
                continue
            for index, (mask, members) in enumerate(self.sets):
                if (mask | mine).bit_count() <= SHARED:
                    self.sets[index] = (mask | mine, [*members, each])
                    break
            else:
                self.sets.append((mine, [each]))
        needed = list(dict.fromkeys(key for _, rule in many for key in rule.reads))
        self.values = [(Memory(partial(kind.table.value, key)).__getitem__, deciding(kind, [key])) for key in needed]
        """The fields that the other rules read: by their bits, and these bits."""
        # The context stands before the values, so that what is taken out has two places or more: a tuple.
        self.asked = [
            Asked(rule, order, itemgetter(0, *(1 + needed.index(key) for key in rule.reads))) for order, rule in many
        ]

    def remembered(self, say: Callable[[list[Ordered], int], Kept]) -> list[tuple[Callable[[int], Kept], int]]:
        """Return what says of a value what ``say`` does for each of the sets, and the bits that it is given."""
        return [(Memory(partial(say, members)).__getitem__, mask) for mask, members in self.sets]

    def answers(self, bits: int) -> list[tuple[Asked, Said]]:
        """Return what the rules answer that read many bits, where they have something to say."""
        values = (self.context, *[value(bits & mask) for value, mask in self.values])
        found: list[tuple[Asked, Said]] = []
        for each in self.asked:
            given = each.given(values)
            if None not in given:
                answer = each.rule.check(*given)
                if answer is not None:
                    found.append((each, answer))
        return found


def grader(parted: Parted) -> Callable[[int], int]:
    """Return what says how well a value with the right constants fits a kind, as ``grade_whole`` does.

    ``parted`` are its rules where nothing is known of the instruction.
    """
    kind = parted.kind

    def of_set(members: list[Ordered], bits: int) -> int:
        readings = kind.table.read(bits)
        if any(readings[key].contradicts for _, rule in members for key in rule.reads):
            return FITS_NOT
        found = [(rule, each) for _, rule in members for each in rule.ask(kind, readings, NOTHING)]
        if any(each.severity == ERROR for _, each in found):
            return FITS_NOT
        return DOUBTFUL if any(rule.doubt for rule, _ in found) else FITS

    sets = parted.remembered(of_set)

    def grade(bits: int) -> int:
        least = FITS
        for said, mask in sets:
            grade = said(bits & mask)
            if grade < least:
                if not grade:
                    return FITS_NOT
                least = grade
        for each, answer in parted.answers(bits):
            for problem in (answer,) if isinstance(answer, Problem) else answer:
                if problem.severity == ERROR:
                    return FITS_NOT
                if each.rule.doubt:
                    least = DOUBTFUL
        return least

    return grade


Pattern = tuple[int, int]
"""Bits, and what they are."""
_BYTES = WIDEST // 8


def pattern_test(patterns: Iterable[Pattern]) -> Callable[[int], bool]:
    """Return what says whether a 64-bit value has one of these patterns."""
    # Of each byte, in each of its 256 values: the set of the patterns that it agrees with.
    agreeing = []
    numbered = [
        (1 << number, mask.to_bytes(_BYTES, "little"), value.to_bytes(_BYTES, "little"))
        for number, (mask, value) in enumerate(dict.fromkeys(patterns))
    ]
    for place in range(_BYTES):
        alike: dict[Pattern, int] = {}
        for one, masks, values in numbered:
            key = masks[place], values[place]
            alike[key] = alike.get(key, 0) | one
        agreeing.append([sum(each for (mask, value), each in alike.items() if n & mask == value) for n in range(256)])
    first, second, third, fourth, fifth, sixth, seventh, eighth = agreeing

    def has(bits: int) -> bool:
        # Streams come here with every value: no call that can be spared.
        a, b, c, d, e, f, g, h = bits.to_bytes(_BYTES, "little")
        return bool(eighth[h] & seventh[g] & sixth[f] & fifth[e] & fourth[d] & third[c] & second[b] & first[a])

    return has


def slip_test(kinds: tuple[Kind, ...]) -> Callable[[int], bool]:
    """Return what says whether a 64-bit value may be an ordinary descriptor whose digits were exchanged or shifted.

    ``kinds`` are the shared-memory descriptors to ask for.
    """
    return pattern_test((mask, value) for mask, value, _, _ in signs(kinds))


def near_test(kinds: tuple[Kind, ...]) -> Callable[[int], bool]:
    """Return what says whether a 64-bit value may be an ordinary descriptor with one bit, or its mark, wrong."""
    rows = [(each.table.must_mask, each.table.must_value, ~mark_of(each) & each.table.must_mask) for each in kinds]

    def near(bits: int) -> bool:
        for mask, value, beside_mark in rows:
            amiss = (bits ^ value) & mask
            if amiss and (not amiss & (amiss - 1) or not amiss & beside_mark):
                return True
        return False

    return near


def freed(kind: Kind) -> int:
    """Return the bits that the usual table fixes and a newer one does not."""
    return sum({kind.table.must_mask & ~each.table.must_mask for each in kind.variants})


def settle_test(kinds: Sequence[Kind]) -> Callable[[int], tuple[Kind, ...] | None]:
    """Return what says which kinds :func:`smemdesc.descriptors.ranking.settle` takes a whole 64-bit value for that
    fits the constants of none; nothing where it is so far from all that neither a wrong bit nor a newer table explains
    it.

    It returns None where the constants of one are right.
    """
    # Streams come here with every value: no call that can be spared.
    every = tuple(kinds)
    rows = []
    far = []
    for kind in kinds:
        table = kind.table
        shares = [count / table.must_count for count in range(WIDEST + 1)]
        mark = mark_of(kind)
        rows.append((kind.id, table.must_value, table.must_mask, mark, shares, (kind,)))
        # A mask has no slips, and no newer table.
        less = 0 if kind.id == "mask" else max(1, mark.bit_count(), freed(kind).bit_count())
        few = max(int(FAR * table.must_count), less) if len(every) > 1 else WIDEST
        far.append((table.must_value, table.must_mask, few, mark if kind.id == "tcgen05" else table.must_mask))

    def settled(bits: int) -> tuple[Kind, ...] | None:
        for value, mask, few, mark in far:
            amiss = (bits ^ value) & mask
            if amiss.bit_count() <= few or not amiss & mark:
                break
        else:
            return ()
        nearest: tuple[Kind, ...] = ()
        marked: tuple[Kind, ...] = ()
        left_out = ""
        least = 1.0
        for name, value, mask, mark, shares, alone in rows:
            amiss = (bits ^ value) & mask
            if not amiss:
                return None
            if not amiss & mark:
                if name == "tcgen05":
                    marked = alone
                elif name == "wgmma":
                    left_out = "mask"
            share = shares[amiss.bit_count()]
            if share <= least and name != left_out:
                nearest = alone if share < least else nearest + alone
                least = share
        return marked or (every if least > FAR and len(every) > 1 else nearest)

    return settled
