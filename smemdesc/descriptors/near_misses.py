"""What a value may have been meant to be: ordinary descriptors one slip away.

One wrong bit, or digits swapped, shifted, lost or doubled in copying. Only values that are not ordinary descriptors
are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from smemdesc.descriptors.readings import (
    LIKELY,
    MATRIX_KINDS,
    POSSIBLE,
    WHOLE,
    DescriptorReading,
    NearMiss,
    as_word,
    flip,
    idescs,
    is_small,
    kinds_here,
    wide_readings,
    word_readings,
)
from smemdesc.engine.fields import WORD, join_words, ones, word_pair
from smemdesc.kinds.kind import Kind
from smemdesc.reading.code import are_neighbors, join_literals, join_named, word_name
from smemdesc.reading.naming import MEANT
from smemdesc.reading.text import VALUE_BITS, Literal, parse_value, to_hex


def near_misses(
    literal: Literal, readings: Sequence[DescriptorReading], arch: str | None, *, fit: bool, close: bool
) -> Iterator[NearMiss]:
    """Yield what else a value may have been meant to be, each kind once."""
    word = as_word(literal)
    bits, known = word or literal.at(VALUE_BITS)
    every = (wide_readings if word is None else word_readings)(bits, known, arch)
    whole = [reading for reading in every if reading.view == WHOLE and reading.kind.name != "mask"]
    kinds = tuple(reading.kind for reading in whole)
    own = {reading.kind.id for reading in readings} if close else set()
    repaired = [
        (reading._replace(bits=bits ^ reading.wrong_constants), flip(bits, reading.wrong_constants))
        for reading in whole
        if is_small(reading.kind, reading.wrong_constants)
    ]
    flipped = [(reading, repair) for reading, repair in repaired if reading.is_ordinary]
    weight = POSSIBLE if fit or any(reading.kind.id in own for reading, _ in flipped) else LIKELY
    candidates = [candidate for candidate in flipped if candidate[0].kind.id not in own]
    # Digits that went wrong change everything, so that the nearest kind may be right with another value.
    slipped = [*_slipped(kinds, bits, known), *_recounted((*kinds, *(idescs(arch) if word is None else ())), literal)]
    candidates += [candidate for candidate in slipped if weight == LIKELY or candidate[0].kind.id not in own]
    seen = set()
    for reading, repair in candidates:
        if reading.kind.id not in seen:
            seen.add(reading.kind.id)
            yield NearMiss(reading, repair, _typed(literal, reading), weight)


def _slipped(kinds: Sequence[Kind], bits: int, known: int) -> Iterator[tuple[DescriptorReading, str]]:
    """Yield ordinary descriptors whose words or digits were swapped, or which were shifted."""
    tried = set()
    for mask, value, kind, slip in signs(tuple(kinds)):
        if (bits ^ value) & mask & known:
            continue
        undone = slip.undo(bits, known)
        if undone is not None and (kind.id, undone) not in tried:
            tried.add((kind.id, undone))
            reading = DescriptorReading(kind, WHOLE, *undone)
            if reading.is_ordinary:
                yield reading, slip.repair


@cache
def signs(kinds: tuple[Kind, ...]) -> tuple[tuple[int, int, Kind, Slip], ...]:
    """Return, for each kind and slip, where the constant bits of the kind end up, and their values."""
    out = []
    for kind in kinds:
        for slip in _slips(kind.table.width):
            moved = slip.moved(kind.table.must_mask, kind.table.must_value)
            if moved:
                out.append((*moved, kind, slip))
    return tuple(out)


def without_prefix(literal: Literal, arch: str | None = None) -> Iterator[NearMiss]:
    """Yield the instruction descriptors of decimal digits read as hexadecimal: ``8200490``."""
    digits = re.sub(r"\D", "", literal.text)
    if literal.form != "decimal" or len(digits) > _WORD_DIGITS:
        return
    for kind in idescs(arch):
        reading = DescriptorReading(kind, WHOLE, int(digits, 16), ones(kind.table.width))
        if reading.is_ordinary:
            yield NearMiss(reading, "read as hexadecimal", reading.hex, POSSIBLE)


def _recounted(kinds: Sequence[Kind], literal: Literal) -> Iterator[tuple[DescriptorReading, str]]:
    """Yield ordinary descriptors that have one digit more, or fewer, than was given."""
    for repair, bits, known in _with_other_counts(literal):
        for kind in kinds:
            if ones(kind.table.width) == known:
                reading = DescriptorReading(kind, WHOLE, bits, known)
                if reading.is_ordinary:
                    yield reading, repair


def _typed(literal: Literal, reading: DescriptorReading) -> str:
    """Return a value as one types it, in the form that was given."""
    if ":" not in literal.text or reading.kind.table.width != VALUE_BITS:
        return reading.hex
    pairs = zip(word_pair(reading.bits), word_pair(reading.known), strict=True)
    return ":".join(to_hex(word, seen, WORD) if seen else "?" for word, seen in pairs)


def of_two_words(first: Literal, second: Literal, arch: str | None = None) -> tuple[NearMiss, ...]:
    """Return the descriptors whose two words are these two 32-bit values, in either order.

    ``text`` is what to type. A value that is itself an instruction descriptor is not a word of another one.
    """
    left, right = as_word(first), as_word(second)
    if left is None or right is None or any(_is_instruction(word, arch) for word in (left, right)):
        return ()
    pairs = []
    for high, low, which in ((left, right, "first"), (right, left, "second")):
        for kind in kinds_here(arch, *MATRIX_KINDS):
            reading = DescriptorReading(kind, WHOLE, join_words(high[0], low[0]), join_words(high[1], low[1]))
            if reading.is_ordinary:
                text = ":".join(to_hex(*word, WORD) for word in (high, low))
                pairs.append(NearMiss(reading, f"with the {which} as the high word", text, POSSIBLE))
    return tuple(pairs)


def join_registers(first: Literal, second: Literal, arch: str | None = None) -> Literal | None:
    """Return the value whose words have these names, or were printed in turn by a debugger; else None.

    Neighboring registers, elements of an array and printed values are words only if they make a descriptor; of two
    printed values, either may be the low word.
    """
    if max(first.bit_length, second.bit_length) > WORD or not are_neighbors(first.register, second.register):
        return None
    name = word_name(first.register)
    if name is None:
        pairs = [join_literals(first, second), join_literals(second, first)]
    else:
        joined = join_named(first, second)
        if joined is None or name.certain:
            return joined
        pairs = [joined]
    sound = {near_miss.text for near_miss in of_two_words(first, second, arch)}
    fitting = [literal for literal in pairs if _hex_words(literal) in sound]
    return fitting[0] if len(fitting) == 1 else None


def join_two(first: Literal, second: Literal, arch: str | None = None) -> Literal | None:
    """Return the descriptor that two words without names make in one order only; else None."""
    texts = {near_miss.text: near_miss.repair for near_miss in of_two_words(first, second, arch)}
    if len(texts) != 1 or first.register or second.register:
        return None
    [(text, order)] = texts.items()
    return parse_value(text)._replace(
        form=f"two values joined, {order}", unread=first.unread or second.unread, called=MEANT, begin=first.begin
    )


def are_words(first: Literal, second: Literal, arch: str | None = None) -> bool:
    """Whether two values may be words of a descriptor, as neither is an instruction descriptor."""
    words = as_word(first), as_word(second)
    return not any(word is None or _is_instruction(word, arch) for word in words)


def _hex_words(literal: Literal) -> str:
    bits, known = literal.at(VALUE_BITS)
    return ":".join(to_hex(*word, WORD) for word in zip(word_pair(bits), word_pair(known), strict=True))


def _is_instruction(word: tuple[int, int], arch: str | None) -> bool:
    return any(word_reading.fits and word_reading.kind.name == "idesc" for word_reading in word_readings(*word, arch))


LOST = "?"
"""A lost digit, which could be any."""
_PER_DIGIT = 4
_WORD_DIGITS = 8
_WIDE_DIGITS = 16
_TOP_DIGITS = "0248c"
"""The possible highest digits of a shared-memory descriptor: they hold the swizzle mode."""


class Slip(NamedTuple):
    """One way in which digits go wrong. ``places`` has an entry for each digit of the value that was meant, highest
    first: its place among the given digits, or the digit itself if it is not among them."""

    repair: str
    """What to do to the value: ``with the two words swapped``."""
    places: tuple[int | str, ...]

    def undo(self, bits: int, known: int) -> tuple[int, int] | None:
        """Return the intended bits and which of them are known; None if this slip does not fit."""
        count = len(self.places)
        digits, masks = f"{bits:0{count}x}", f"{known:0{count}x}"
        unused = set(range(count)).difference(place for place in self.places if isinstance(place, int))
        if any(digits[place] != "0" for place in unused):
            return None
        meant, seen = "", ""
        for place in self.places:
            if isinstance(place, int):
                meant += digits[place]
                seen += masks[place]
            else:
                meant += "0" if place == LOST else place
                seen += "0" if place == LOST else "f"
        original = int(meant, 16), int(seen, 16)
        return None if original == (bits, known) else original

    def moved(self, mask: int, value: int) -> tuple[int, int] | None:
        """Return mask and value of the given bits that follow from ``mask`` and ``value`` of the intended ones.

        None if a digit of this slip contradicts them.
        """
        count = len(self.places)
        masks, values = f"{mask:0{count}x}", f"{value & mask:0{count}x}"
        out_mask, out_value = ["f"] * count, ["0"] * count  # digits that the slip dropped were 0
        for index, place in enumerate(self.places):
            if isinstance(place, int):
                out_mask[place], out_value[place] = masks[index], values[index]
            elif place != LOST and (int(place, 16) ^ int(values[index], 16)) & int(masks[index], 16):
                return None
        return int("".join(out_mask), 16), int("".join(out_value), 16)


@cache
def _slips(width: int) -> tuple[Slip, ...]:
    """Return the slips of a value of ``width`` bits, 32 or 64."""
    count = width // _PER_DIGIT
    whole = tuple(range(count))
    out = []
    if count == _WIDE_DIGITS:
        out.append(Slip("with the two words swapped", (*whole[_WORD_DIGITS:], *whole[:_WORD_DIGITS])))
    out += [Slip("shifted right by 4", (top, *whole[:-1])) for top in (_TOP_DIGITS if count == _WIDE_DIGITS else "0")]
    out.append(Slip("shifted left by 4", (*whole[1:], LOST if count == _WIDE_DIGITS else "0")))
    if count == _WIDE_DIGITS:
        # 14 bits of SBO end in bit 45: bytes where 16-byte units were meant run into the four digits above.
        out.append(Slip("with SBO divided by 16", (0, 1, 2, "0", *whole[3:7], *whole[_WORD_DIGITS:])))
    for at in range(count - 1):
        swapped = (*whole[:at], at + 1, at, *whole[at + 2 :])
        out.append(Slip(f"with digits {at + 1} and {at + 2} swapped", swapped))
    return tuple(out)


def _with_other_counts(literal: Literal) -> Iterator[tuple[str, int, int]]:
    """Yield what a value with one digit too few or too many could have been: the repair, bits, known."""
    count = literal.digits
    if count in (_WORD_DIGITS - 1, _WIDE_DIGITS - 1) and not literal.unknown:
        digits = f"{literal.number:0{count}x}"
        for at in range(count, -1, -1):
            for digit in "0123456789abcdef":
                yield "with one digit more", int(digits[:at] + digit + digits[at:], 16), ones(_PER_DIGIT * (count + 1))
    if count in (_WORD_DIGITS + 1, _WIDE_DIGITS + 1) and not literal.unknown:
        digits = f"{literal.number:0{count}x}"
        for at in range(count - 1):
            if digits[at] == digits[at + 1]:
                yield (
                    "with one of two equal digits removed",
                    int(digits[:at] + digits[at + 1 :], 16),
                    ones(_PER_DIGIT * (count - 1)),
                )
