"""Which descriptor a pasted value is: the readings that fit it, and why.

A reading *fits* when no known bit contradicts its table (reserved bits, constants, undefined codes) and
none of its rules finds an error or a doubt. The rules, in words, are :data:`smemdesc.kinds.names.IDENTIFICATION`;
nothing is chosen without its reason, and several readings that fit are all returned. A value that is not an ordinary
descriptor of the kind that it is taken for is also held against what one slip makes of an ordinary one
(:class:`Neighbor`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from smemdesc.descriptors.near_misses import Neighbor, neighbors
from smemdesc.descriptors.readings import (
    DOUBTFUL,
    FITS,
    FITS_NOT,
    HIGH_WORD,
    IN_HIGH_WORD,
    WHOLE,
    WORDS,
    Candidate,
    as_word,
    idescs,
    in_high_word,
    is_small,
    kinds_here,
    mark_of,
    narrow,
)
from smemdesc.engine.errors import WidthError
from smemdesc.engine.fields import WORD, join_words, ones, words
from smemdesc.kinds import aliases
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.context import NOTHING
from smemdesc.kinds.kind import Kind, kind_of, with_variant
from smemdesc.kinds.text import WIDEST, Literal
from smemdesc.rules.judging import rules_for


class Identified(NamedTuple):
    """What a value was taken for."""

    taken: tuple[Candidate, ...]
    """One reading, or all that fit (or that are equally near) where none was asked for."""
    reason: str
    fit: bool
    asked: bool
    near: bool = True
    """Where nothing fits: whether what was taken is at least near."""
    neighbors: tuple[Neighbor, ...] = ()
    """What else the value could have been meant to be, where no kind was asked for."""


_WIDE = ("tcgen05", "wgmma", "mask")
FAR = 0.25
"""Where more than this share of the fixed bits is wrong in every kind, no reading stands out."""

Grade = Callable[[Kind, int, int], int]


def settle(kinds: Sequence[Kind], bits: int, known: int, grade: Grade) -> tuple[tuple[Kind, ...], int]:
    """Return the 64-bit kinds that a whole value is taken for, and how well it fits them.

    ``grade`` says how well a value with the right constants fits a kind (streams pass one that remembers).
    """
    # Streams come here with every value: no call that can be spared.
    rather = False
    wrong = [(bits ^ kind.table.must_value) & kind.table.must_mask & known for kind in kinds]
    if 0 in wrong:
        grades = [0 if amiss else grade(kind, bits, known) for kind, amiss in zip(kinds, wrong, strict=True)]
        best = max(grades)
        if best:
            fitting = tuple(kind for kind, each in zip(kinds, grades, strict=True) if each == best)
            # What bears the mark of tcgen05, or is one bit from an ordinary descriptor, is no mask by chance.
            rather = fitting[0].id == "mask" and _rather(kinds, wrong, bits, known, best)
            if not rather:
                return fitting, best
    left_out = ""
    least = 1.0
    nearest: tuple[Kind, ...] = ()
    for kind, amiss in zip(kinds, wrong, strict=True):
        name = kind.id
        if name == "mask" and len(kinds) > 1 and not amiss and (rather or _off(kind, bits, known)):
            continue  # unlikely, and never the first
        mark = mark_of(kind)
        if not amiss & mark and mark & known == mark:
            if name == "tcgen05":
                return (kind,), FITS_NOT
            if name == "wgmma":
                left_out = "mask"  # which comes after it
        share = amiss.bit_count() / kind.table.must_count
        if share < least and name != left_out:
            least, nearest = share, (kind,)
        elif share == least and name != left_out:
            nearest = (*nearest, kind)
    if least > FAR and len(kinds) > 1:
        return tuple(kinds), FITS_NOT
    return nearest, FITS_NOT


def _rather(kinds: Sequence[Kind], wrong: list[int], bits: int, known: int, grade: int) -> bool:
    """Whether a value that a mask would fit is rather one of the other kinds with an error."""
    for kind, amiss in zip(kinds, wrong, strict=True):
        if kind.id == "tcgen05":
            mark = mark_of(kind)
            if not amiss & mark and mark & known == mark:
                return True
        elif grade == FITS:
            continue
        elif kind.id == "mask":
            if _off(kind, bits, known):
                return True
        elif is_small(kind, amiss) and Candidate(kind, WHOLE, bits ^ amiss, known).ordinary():
            return True
    return False


def _off(mask: Kind, bits: int, known: int) -> bool:
    """Whether a mask generates nothing."""
    generates = mask.table.masks["non_zero_mask"]
    return bool(known & generates) and not bits & generates


def grade_whole(kind: Kind, bits: int, known: int) -> int:
    """Return how well a whole value fits a kind."""
    return Candidate(kind, WHOLE, bits, known).grade()


def wide_kinds(arch: str | None) -> tuple[Kind, ...]:
    """Return the 64-bit kinds that an architecture has."""
    return kinds_here(arch, *_WIDE)


def _fitting_wide(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Return every reading of a 64-bit value that fits."""
    kinds, grade = settle(wide_kinds(arch), bits, known, grade_whole)
    whole = [Candidate(kind, WHOLE, bits, known) for kind in kinds] if grade == FITS else []
    return whole + [candidate for candidate in _inside(bits, known, arch) if candidate.fits()]


def _inside(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Return the instruction descriptors that a value with a low word of 0 may carry in its high word."""
    return in_high_word(bits, known, arch) if words(known)[1] == ones(WORD) else []


def identify(
    literal: Literal,
    kind: str | None = None,
    mma_kind: str | None = None,
    arch: str | None = None,
) -> Identified:
    """Say what ``literal`` is. ``kind`` (a name or an id) and ``mma_kind`` are taken as asked.

    :class:`smemdesc.engine.errors.WidthError` where the value has more bits than the kind asked for.
    """
    if kind is None and mma_kind is not None:
        kind = "idesc"
    identified = _identify(literal, kind, mma_kind, arch)
    if identified.asked:
        return identified
    if arch is not None and not identified.fit:
        # Another architecture's descriptor is better named, and found illegal here, than not recognized.
        anywhere = _identify(literal, kind, mma_kind, None)
        if anywhere.fit:
            return anywhere
    near = neighbors(literal, identified.taken, arch, fit=identified.fit, near=identified.near)
    return identified._replace(neighbors=tuple(near))


def by_variants(literal: Literal, identified: Identified) -> tuple[Candidate, ...]:
    """Return how an architecture with tables of its own reads a value that no usual table fits.

    These readings are never taken: the architecture has to be given.
    """
    for name, variant in VARIANTS.items():
        if identified.asked:
            usual = (each for each in identified.taken if each.kind.id in variant.kinds and not each.kind.variant)
            found = tuple(each._replace(kind=with_variant(each.kind, name)) for each in usual)
        else:
            found = () if identified.fit else _identify(literal, None, None, variant.archs[0]).taken
        if found and all(each.kind.newer and _beyond_usual(each) and each.fits() for each in found):
            return found
    return ()


def _beyond_usual(candidate: Candidate) -> bool:
    """Whether the usual table itself, not only a rule, speaks against the value."""
    kind = candidate.kind
    return not kind.variant or any(kind.usual.table.misfits(candidate.bits, candidate.known))


def _identify(literal: Literal, kind: str | None, mma_kind: str | None, arch: str | None) -> Identified:
    if kind is not None:
        return _asked(literal, kind, mma_kind, arch)
    word = as_word(literal)
    if word is not None:
        return _word(literal, word, arch)
    bits, known = literal.at(WIDEST)
    fitting = _fitting_wide(bits, known, arch)
    if fitting:
        return Identified(tuple(fitting), _why(fitting), True, False)
    kinds, grade = settle(wide_kinds(arch), bits, known, grade_whole)
    whole = [Candidate(kind, WHOLE, bits, known) for kind in kinds]
    near = [candidate for candidate in _inside(bits, known, arch) if _has_shape(candidate)]
    if near and kinds[0].id != "tcgen05":
        return _nearest(near, True)
    if grade == DOUBTFUL:
        return Identified(tuple(whole), "its reserved bits are right; its counts are unusual", True, False)
    if len(kinds) == len(wide_kinds(arch)) > 1:
        return Identified(tuple(whole), "no reading fits, and none is near", False, False, False)
    return near_whole(whole)


def _word(literal: Literal, word: tuple[int, int], arch: str | None) -> Identified:
    fitting, pool = narrow(*word, arch)
    if not any(candidate.kind.name == "idesc" for candidate in fitting):
        near = [candidate for candidate in pool if candidate.kind.name == "idesc" and _has_shape(candidate)]
        if not fitting and near:
            return _nearest(near, True)
        fitting += [each for each in _fitting_wide(*literal.at(WIDEST), arch) if each.view == WHOLE]
    if fitting:
        return Identified(tuple(fitting), _why(fitting), True, False)
    return _nearest(pool, False)


def _has_shape(candidate: Candidate) -> bool:
    """Whether M and N of an instruction descriptor are legal: what tells one from an address."""
    readings = candidate.read()
    return not any(
        each.ask(candidate.kind, readings, NOTHING) for each in rules_for(candidate.kind) if each.name == "shape"
    )


def _nearest(pool: list[Candidate], near: bool) -> Identified:
    """Take the least distant; ``near``: they are instruction descriptors by their shape."""
    distances = [candidate.distance() for candidate in pool]
    least = min(distances)
    taken = [candidate for candidate, far in zip(pool, distances, strict=True) if far == least]
    return _near(taken, near)


def near_whole(taken: list[Candidate]) -> Identified:
    """Take what is nearest to a 64-bit value that fits nothing."""
    return _near(taken, taken[0].wrong_share() <= FAR)


def _near(taken: list[Candidate], near: bool) -> Identified:
    if len(taken) > 1:
        return Identified(tuple(taken), "no reading fits exactly; these are equally near", False, False, near)
    only = taken[0]
    mark = ": bits 46-48 are 0b001" if only.kind.id == "tcgen05" and only.is_right("version") else ""
    return Identified((only,), f"no reading fits exactly; the nearest is {only.id}{mark}", False, False, near)


_SIGN = {
    ("tcgen05", WHOLE): "bits 46-48 are 0b001, the mark of tcgen05, and the reserved bits are 0",
    ("wgmma", WHOLE): "bits 46-48 and the other unused bits of wgmma are 0",
    ("mask", WHOLE): "the reserved bits are those of a zero-column mask and its counts make sense",
    ("tcgen05", HIGH_WORD): "a 32-bit high word: its bits 46-48 are 0b001, the mark of tcgen05",
    ("wgmma", HIGH_WORD): "a 32-bit high word: its unused bits are those of wgmma",
    ("idesc", WHOLE): "32 bits with legal types, M and N",
    ("idesc", IN_HIGH_WORD): "the low word is 0 and the high word is an instruction descriptor",
}


def _why(fitting: list[Candidate]) -> str:
    if len(fitting) == 1:
        only = fitting[0]
        return _SIGN[only.kind.name, only.view]
    if all(candidate.kind.name == "idesc" for candidate in fitting):
        where = " in the high word" if fitting[0].view != WHOLE else ""
        return (
            f"32 bits{where} that are legal under {len(fitting)} MMA kinds; the descriptor does not encode "
            "its MMA kind, the instruction does"
        )
    return f"{len(fitting)} readings fit"


def _asked(literal: Literal, kind: str, mma_kind: str | None, arch: str | None) -> Identified:
    kind = aliases.kind(kind)
    name = kind.partition(":")[0]
    if name == "idesc":
        return _asked_idesc(literal, kind, mma_kind, arch)
    found = kind_of(kind, arch=arch)
    bits, known = literal.at(found.table.width, found.title)
    whole = Candidate(found, WHOLE, bits, known)
    if literal.width == WORD and literal.form.startswith("hexadecimal") and name in WORDS and not whole.fits():
        # Eight hexadecimal digits are a register's worth: UMOV UR5, 0x40004040.
        high = _high_word(literal, found)
        if high is not None and high.fits():
            return Identified((high,), f"{found.id} as asked; 8 digits are its high word alone", True, True)
    return Identified((whole,), f"{found.id} as asked", whole.fits(), True)


def _high_word(literal: Literal, kind: Kind) -> Candidate | None:
    word = as_word(literal)
    if word is None:
        return None
    return Candidate(kind, HIGH_WORD, join_words(word[0], 0), join_words(word[1], 0))


def _asked_idesc(literal: Literal, kind: str, mma_kind: str | None, arch: str | None) -> Identified:
    asked_mma = kind.partition(":")[2] or mma_kind
    kinds = (kind_of(kind, mma_kind, arch),) if asked_mma else idescs(arch)
    view = WHOLE
    try:
        bits, known = literal.at(kinds[0].table.width, "instruction descriptor")
    except WidthError:
        wide_bits, wide_known = literal.at(WIDEST)
        inside = in_high_word(wide_bits, wide_known, arch)
        if not inside:
            raise
        view, bits, known = inside[0].view, inside[0].bits, inside[0].known
    pool = [Candidate(each, view, bits, known) for each in kinds]
    where = ", in the high word of a 64-bit value" if view != WHOLE else ""
    if asked_mma:
        return Identified(tuple(pool), f"{kinds[0].id} as asked{where}", pool[0].fits(), True)
    fitting = [candidate for candidate in pool if candidate.fits()]
    if len(fitting) == 1:
        return Identified(tuple(fitting), f"idesc as asked{where}; it is legal under this MMA kind only", True, False)
    if fitting:
        return Identified(tuple(fitting), f"idesc as asked; {_why(fitting)}", True, False)
    return _nearest(pool, any(_has_shape(candidate) for candidate in pool))


def others(literal: Literal, identified: Identified, arch: str | None = None) -> tuple[Candidate, ...]:
    """Return every other reading that fits the value, whatever kind was asked for."""
    taken = {(candidate.kind.id, candidate.view) for candidate in identified.taken}
    fitting: list[Candidate] = []
    word = as_word(literal)
    if word is not None:
        fitting += narrow(*word, arch)[0]
    else:
        bits, known = literal.at(WIDEST)
        fitting += [Candidate(kind, WHOLE, bits, known) for kind in wide_kinds(arch)] + _inside(bits, known, arch)
        fitting = [candidate for candidate in fitting if candidate.fits()]
    return tuple(candidate for candidate in fitting if (candidate.kind.id, candidate.view) not in taken)
