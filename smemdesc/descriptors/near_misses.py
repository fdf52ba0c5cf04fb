"""What else a value could have been meant to be: the ordinary descriptors that one slip away would be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from smemdesc.descriptors.readings import (
    WHOLE,
    WORDS,
    Candidate,
    as_word,
    idescs,
    is_one_bit,
    is_small,
    kinds_here,
    mark_of,
    narrow,
    text_of,
)
from smemdesc.descriptors.slips import Slip, recounted, slips
from smemdesc.engine.fields import WORD, join_words, ones, words
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.text import WIDEST, Literal, to_hex

LEGAL, POSSIBLE, LIKELY = "legal", "possible", "likely"


class Neighbor(NamedTuple):
    """An ordinary descriptor of which one slip makes the value."""

    candidate: Candidate
    repair: str
    """What has to be done to the value: ``with bit 46 set``."""
    text: str
    """The value that was meant, as it is to be typed; empty where that is plain."""
    weight: str
    """``legal``: the other generation, which one bit tells apart. ``possible``: the value fits what it is taken for, or
    is one bit from it. ``likely``: it fits nothing, so that the slip explains it best."""


def neighbors(
    literal: Literal, taken: tuple[Candidate, ...], arch: str | None, *, fit: bool, near: bool
) -> Iterator[Neighbor]:
    """Yield what else a value could have been meant to be, each kind once."""
    first = taken[0]
    if fit and len(taken) == 1:
        other = generation(first.kind, first.bits, first.known, arch)
        if other:
            yield other._replace(text=text_of(other.candidate.bits, other.candidate.known, WIDEST, first.view))
    if all(candidate.ordinary() for candidate in taken):
        return
    word = as_word(literal)
    if word is None:
        kinds, (bits, known) = kinds_here(arch, *WORDS), literal.at(WIDEST)
    else:
        kinds, (bits, known) = idescs(arch), word
    own = {candidate.kind.id for candidate in taken} if near else set()
    stray = [(kind, amiss) for kind in kinds if is_small(kind, amiss := kind.table.wrong_constants(bits, known))]
    flipped = [(kind, amiss) for kind, amiss in stray if Candidate(kind, WHOLE, bits ^ amiss, known).ordinary()]
    weight = POSSIBLE if fit or any(kind.id in own for kind, _ in flipped) else LIKELY
    found = [
        (Candidate(kind, WHOLE, bits ^ amiss, known), _flip(bits, amiss))
        for kind, amiss in flipped
        if kind.id not in own
    ]
    # Digits that went wrong change everything, so that the nearest kind may be right with another value.
    slipped = [*_slipped(kinds, bits, known), *_recounted((*kinds, *(idescs(arch) if word is None else ())), literal)]
    found += [each for each in slipped if weight == LIKELY or each[0].kind.id not in own]
    seen = set()
    for candidate, repair in found:
        if candidate.kind.id not in seen:
            seen.add(candidate.kind.id)
            yield Neighbor(candidate, repair, _typed(literal, candidate), weight)


def _flip(bits: int, amiss: int) -> str:
    """Say how constants are repaired."""
    if not is_one_bit(amiss):
        return "with 0b001 in bits 46-48" if (bits ^ amiss) & amiss else "with 0 in bits 46-48"
    bit = amiss
    return f"with bit {bit.bit_length() - 1} {'cleared' if bits & bit else 'set'}"


def generation(kind: Kind, bits: int, known: int, arch: str | None = None) -> Neighbor | None:
    """Return the reading in the other generation, which bit 46 alone tells from this one; None where it has none."""
    if kind.name not in WORDS:
        return None
    to = kind_of("wgmma" if kind.name == "tcgen05" else "tcgen05", arch=arch)
    if kind.variant or (arch is not None and arch not in to.archs):
        return None
    amiss = to.table.wrong_constants(bits, known)
    if amiss & ~mark_of(to) or not is_one_bit(amiss):
        return None
    return Neighbor(Candidate(to, WHOLE, bits ^ amiss, known), _flip(bits, amiss), "", LEGAL)


def _slipped(kinds: Sequence[Kind], bits: int, known: int) -> Iterator[tuple[Candidate, str]]:
    """Yield ordinary descriptors whose digits were exchanged, shifted or swapped."""
    for mask, value, kind, slip in signs(tuple(kinds)):
        if (bits ^ value) & mask & known:
            continue
        undone = slip.undo(bits, known)
        if undone is not None:
            candidate = Candidate(kind, WHOLE, *undone)
            if candidate.ordinary():
                yield candidate, slip.repair


@cache
def signs(kinds: tuple[Kind, ...]) -> tuple[tuple[int, int, Kind, Slip], ...]:
    """Return, for each kind and slip, the bits in which the constants of the kind then stand, and what they are."""
    out = []
    for kind in kinds:
        for slip in slips(kind.table.width):
            seen = slip.seen(kind.table.must_mask, kind.table.must_value)
            if seen:
                out.append((*seen, kind, slip))
    return tuple(out)


def _recounted(kinds: Sequence[Kind], literal: Literal) -> Iterator[tuple[Candidate, str]]:
    """Yield ordinary descriptors that have one digit more, or fewer, than was given."""
    for repair, bits, known in recounted(literal):
        for kind in kinds:
            if ones(kind.table.width) == known and not kind.table.wrong_constants(bits):
                candidate = Candidate(kind, WHOLE, bits, known)
                if candidate.ordinary():
                    yield candidate, repair


def _typed(literal: Literal, candidate: Candidate) -> str:
    """Return a value as it is to be typed, in the form that was given."""
    table = candidate.kind.table
    if ":" not in literal.text or table.width != WIDEST:
        return candidate.hex
    pairs = zip(words(candidate.bits), words(candidate.known), strict=True)
    return ":".join(to_hex(word, seen, WORD) if seen else "?" for word, seen in pairs)


def together(first: Literal, second: Literal, arch: str | None = None) -> tuple[Neighbor, ...]:
    """Return the descriptors that two 32-bit values are the two words of, in either order.

    ``text`` is what to type. A value that is an instruction descriptor by itself is not a word of another one.
    """
    one, other = as_word(first), as_word(second)
    if one is None or other is None or any(_is_instruction(word, arch) for word in (one, other)):
        return ()
    found = []
    for high, low, which in ((one, other, "first"), (other, one, "second")):
        for kind in kinds_here(arch, *WORDS):
            candidate = Candidate(kind, WHOLE, join_words(high[0], low[0]), join_words(high[1], low[1]))
            if candidate.ordinary():
                text = ":".join(to_hex(*word, WORD) for word in (high, low))
                found.append(Neighbor(candidate, f"with the {which} as the high word", text, POSSIBLE))
    return tuple(found)


def _is_instruction(word: tuple[int, int], arch: str | None) -> bool:
    return any(candidate.kind.name == "idesc" for candidate in narrow(*word, arch)[0])
