"""Which descriptor a pasted value is: the readings that fit it, and why.

A reading *fits* when no known bit contradicts its table (reserved bits, constants, undefined codes) and
none of its rules finds an error or a doubt. The rules, in words, are :data:`smemdesc.words.IDENTIFICATION`; nothing is
chosen without its reason, and several readings that fit are all returned. A value that is not an ordinary descriptor of
the kind that it is taken for is also held against what one slip makes of an ordinary one (:class:`Neighbor`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from smemdesc import aliases
from smemdesc.case import NOTHING
from smemdesc.errors import WidthError
from smemdesc.fields import WORD, Reading, join_words, ones, words
from smemdesc.findings.judging import against, rules_for
from smemdesc.kinds import Kind, ids, kind_of
from smemdesc.kinds.archs import VARIANTS
from smemdesc.kinds.modes import MODE
from smemdesc.slips import Slip, recounted, slips
from smemdesc.strides import LBO, SBO
from smemdesc.values import WIDEST, Literal, to_hex

WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE = "whole", "high_word", "in_high_word", "in_high_word_alone"
VIEWS = (WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE)
FITS, DOUBTFUL, FITS_NOT = 2, 1, 0
LEGAL, POSSIBLE, LIKELY = "legal", "possible", "likely"
_WIDE = ("tcgen05", "wgmma", "mask")
_WORDS = ("tcgen05", "wgmma")


class Candidate(NamedTuple):
    """One way to read a value: ``bits`` and ``known`` are those of the descriptor, not of the text."""

    kind: Kind
    view: str
    """``whole``; ``high_word``: the text is the high word of the descriptor, the low word is unknown;
    ``in_high_word``: the descriptor is the high word of the text, the low word is 0;
    ``in_high_word_alone``: the same, and the low word is not known."""
    bits: int
    known: int

    @property
    def id(self) -> str:
        """The kind's id, with ``:high_word`` where only that word was given."""
        return f"{self.kind.id}:{HIGH_WORD}" if self.view == HIGH_WORD else self.kind.id

    def read(self) -> dict[str, Reading]:
        """Read the fields."""
        return self.kind.table.read(self.bits, self.known)

    def is_right(self, key: str) -> bool:
        """Whether a fixed field is wholly known and as the format demands."""
        table = self.kind.table
        mask = table.masks[key]
        return mask & self.known == mask and not (self.bits ^ table.must_value) & mask

    def grade(self) -> int:
        """Return :data:`FITS`, :data:`DOUBTFUL` (possible, but only if nothing else fits) or :data:`FITS_NOT`."""
        table = self.kind.table
        if table.wrong_constants(self.bits, self.known):
            return FITS_NOT
        readings = self.read()
        if any(reading.contradicts for reading in readings.values()):
            return FITS_NOT
        errors, doubts = against(self.kind, readings)
        return FITS_NOT if errors else DOUBTFUL if doubts else FITS

    def fits(self) -> bool:
        """Whether nothing that is known speaks against this reading."""
        return self.grade() == FITS

    def wrong_share(self) -> float:
        """Return how much of what the format fixes is wrong, 0 to 1."""
        table = self.kind.table
        return table.wrong_constants(self.bits, self.known).bit_count() / table.must_count

    def ordinary(self) -> bool:
        """Whether this is a descriptor such as kernels have: it fits, and its strides are whole atoms.

        What is ordinary for one kind is not a slip away from another by chance.
        """
        if self.kind.name not in _WORDS:
            return self.kind.name == "idesc" and self.fits()
        return not self.kind.table.wrong_constants(self.bits, self.known) and self.fits() and _whole_atoms(self.read())

    def distance(self) -> float:
        """How far the value is from fitting: the findings against it, then the share of wrong fixed bits."""
        return sum(against(self.kind, self.read())) + self.wrong_share()


_WIDEST_STRIDE = 64 * 1024
"""Bytes: no tile of a kernel has atoms that are farther apart."""


def _whole_atoms(readings: dict[str, Reading]) -> bool:
    swizzle, base = readings["swizzle"].value, readings["base_offset"].value
    if not isinstance(swizzle, str):
        return False
    mode = MODE[swizzle]
    if base:
        return False  # no known kernel writes one
    absolute = "lbo_mode" in readings and readings["lbo_mode"].value == "absolute"
    for key in (LBO, SBO):
        size = readings[key].value
        if size is None and not readings[key].known:
            continue  # the whole word is not known
        if not isinstance(size, int):
            return False
        if key == LBO and (absolute or (swizzle != "none" and size in (0, 16))):
            continue
        if not size or size % mode.atom or size > _WIDEST_STRIDE:
            return False
    return True


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


@lru_cache(256)
def _here(arch: str | None, *names: str) -> tuple[Kind, ...]:
    """Return the kinds of these ids that an architecture has, with its tables; where none is given, the usual ones."""
    kinds = tuple(kind_of(name, arch=arch) for name in names)
    if arch is None:
        return tuple(kind for kind in kinds if not kind.newer)
    return tuple(kind for kind in kinds if kind.on(arch)) or kinds


def _idescs(arch: str | None) -> tuple[Kind, ...]:
    return _here(arch, *ids("idesc"))


def _as_word(literal: Literal) -> tuple[int, int] | None:
    """The 32 bits of a value that can be a single word, else None."""
    if literal.width == WIDEST:
        return None
    try:
        return literal.at(WORD)
    except WidthError:
        return None


def _high_words(bits: int, known: int, arch: str | None) -> list[Candidate]:
    kinds = _here(arch, *_WORDS)
    return [Candidate(kind, HIGH_WORD, join_words(bits, 0), join_words(known, 0)) for kind in kinds]


def _in_high_word(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Instruction descriptors in the high word; only where the low word is 0, or not known at all."""
    high, low = words(bits)
    high_known, low_known = words(known)
    if low or not high_known or low_known not in (0, ones(WORD)):
        return []
    view = IN_HIGH_WORD if low_known else IN_HIGH_WORD_ALONE
    return [Candidate(kind, view, high, high_known) for kind in _idescs(arch)]


def text_of(bits: int, known: int, width: int, view: str) -> str:
    """Return a descriptor as the text that it was read from in this view, in full width, ``?`` where unknown."""
    if view == HIGH_WORD and width == WIDEST and not words(known)[1]:
        return to_hex(words(bits)[0], words(known)[0], WORD)
    if view in (IN_HIGH_WORD, IN_HIGH_WORD_ALONE) and width == WORD:
        return to_hex(join_words(bits, 0), join_words(known, ones(WORD) if view == IN_HIGH_WORD else 0), WIDEST)
    return to_hex(bits, known, width)


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
        elif _is_small(kind, amiss) and Candidate(kind, WHOLE, bits ^ amiss, known).ordinary():
            return True
    return False


def _off(mask: Kind, bits: int, known: int) -> bool:
    """Whether a mask generates nothing."""
    generates = mask.table.masks["non_zero_mask"]
    return bool(known & generates) and not bits & generates


def mark_of(kind: Kind) -> int:
    """Return the bits of the field that tells most about a 64-bit kind."""
    return kind.table.masks[_MARK[kind.id]]


_MARK = {"tcgen05": "version", "wgmma": "reserved_46", "mask": "reserved_36"}
"""The fixed field that tells most about a 64-bit kind."""


def grade_whole(kind: Kind, bits: int, known: int) -> int:
    """Return how well a whole value fits a kind."""
    return Candidate(kind, WHOLE, bits, known).grade()


def wide_kinds(arch: str | None) -> tuple[Kind, ...]:
    """Return the 64-bit kinds that an architecture has."""
    return _here(arch, *_WIDE)


def _fitting_wide(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Return every reading of a 64-bit value that fits."""
    kinds, grade = settle(wide_kinds(arch), bits, known, grade_whole)
    whole = [Candidate(kind, WHOLE, bits, known) for kind in kinds] if grade == FITS else []
    return whole + [candidate for candidate in _inside(bits, known, arch) if candidate.fits()]


def _inside(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Return the instruction descriptors that a value with a low word of 0 may carry in its high word."""
    return _in_high_word(bits, known, arch) if words(known)[1] == ones(WORD) else []


def narrow(bits: int, known: int, arch: str | None = None) -> tuple[list[Candidate], list[Candidate]]:
    """Return the readings of a 32-bit word: those that fit, and all that were considered."""
    pool = [Candidate(kind, WHOLE, bits, known) for kind in _idescs(arch)]
    pool += _high_words(bits, known, arch)
    return [candidate for candidate in pool if candidate.fits()], pool


def identify(
    literal: Literal,
    kind: str | None = None,
    mma_kind: str | None = None,
    arch: str | None = None,
    newer: bool = True,
) -> Identified:
    """Say what ``literal`` is. ``kind`` (a name or an id) and ``mma_kind`` are taken as asked.

    ``newer``: what fits no usual table is held against those of newer architectures, if none is given.
    :class:`smemdesc.errors.WidthError` where the value has more bits than the kind asked for.
    """
    if kind is None and mma_kind is not None:
        kind = "idesc"
    identified = _identify(literal, kind, mma_kind, arch)
    found = _newer(literal, kind, mma_kind) if newer and arch is None and not identified.fit else None
    if identified.asked:
        return found or identified
    if found is not None:
        neighbors = tuple(each._replace(weight=POSSIBLE) for each in _neighbors(literal, identified, arch))
        if not neighbors or all(each.ordinary() for each in found.taken):
            return found._replace(neighbors=neighbors)
    if arch is not None and not identified.fit:
        # Another architecture's descriptor is better named, and found illegal here, than not recognized.
        anywhere = _identify(literal, kind, mma_kind, None)
        if anywhere.fit:
            return anywhere
    return identified._replace(neighbors=tuple(_neighbors(literal, identified, arch)))


def _newer(literal: Literal, kind: str | None, mma_kind: str | None) -> Identified | None:
    """Return what the tables of a newer architecture make of a value, where only they fit it."""
    for name, variant in VARIANTS.items():
        found = _identify(literal, kind, mma_kind, variant.archs[0])
        if found.fit and all(each.kind.newer and _beyond_usual(each) for each in found.taken):
            return found._replace(reason=f"only the tables of {name} fit it: {found.reason}")
    return None


def reading(kind: str, bits: int, known: int, arch: str | None = None) -> Candidate:
    """Return a whole value as a kind (by its id) that is known, with the table that it fits."""
    usual = Candidate(kind_of(kind, arch=arch), WHOLE, bits, known)
    if arch is not None or not usual.kind.variants or usual.fits():
        return usual
    others = (Candidate(each, WHOLE, bits, known) for each in usual.kind.variants)
    return next((each for each in others if _beyond_usual(each) and each.fits()), usual)


def _beyond_usual(candidate: Candidate) -> bool:
    """Whether the usual table itself, not only a rule, speaks against the value."""
    kind = candidate.kind
    return not kind.variant or any(kind.usual.table.misfits(candidate.bits, candidate.known))


def _identify(literal: Literal, kind: str | None, mma_kind: str | None, arch: str | None) -> Identified:
    if kind is not None:
        return _asked(literal, kind, mma_kind, arch)
    word = _as_word(literal)
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


def _neighbors(literal: Literal, identified: Identified, arch: str | None) -> Iterator[Neighbor]:
    """Yield what else a value could have been meant to be, each kind once."""
    taken = identified.taken
    first = taken[0]
    if identified.fit and len(taken) == 1:
        other = generation(first.kind, first.bits, first.known, arch)
        if other:
            yield other._replace(text=text_of(other.candidate.bits, other.candidate.known, WIDEST, first.view))
    if all(candidate.ordinary() for candidate in taken):
        return
    word = _as_word(literal)
    if word is None:
        kinds, (bits, known) = _here(arch, *_WORDS), literal.at(WIDEST)
    else:
        kinds, (bits, known) = _idescs(arch), word
    own = {candidate.kind.id for candidate in taken} if identified.near else set()
    stray = [(kind, amiss) for kind in kinds if _is_small(kind, amiss := kind.table.wrong_constants(bits, known))]
    near = [(kind, amiss) for kind, amiss in stray if Candidate(kind, WHOLE, bits ^ amiss, known).ordinary()]
    weight = POSSIBLE if identified.fit or any(kind.id in own for kind, _ in near) else LIKELY
    found = [
        (Candidate(kind, WHOLE, bits ^ amiss, known), _flip(bits, amiss)) for kind, amiss in near if kind.id not in own
    ]
    # Digits that went wrong change everything, so that the nearest kind may be right with another value.
    slipped = [*_slipped(kinds, bits, known), *_recounted((*kinds, *(_idescs(arch) if word is None else ())), literal)]
    found += [each for each in slipped if weight == LIKELY or each[0].kind.id not in own]
    seen = set()
    for candidate, repair in found:
        if candidate.kind.id not in seen:
            seen.add(candidate.kind.id)
            yield Neighbor(candidate, repair, _typed(literal, candidate), weight)


def _is_one_bit(mask: int) -> bool:
    return mask.bit_count() == 1


def _is_small(kind: Kind, amiss: int) -> bool:
    """Whether what is wrong with the constants is one bit, or all in the field that is the mark of the kind."""
    return _is_one_bit(amiss) or bool(amiss and kind.name in _MARK and not amiss & ~mark_of(kind))


def _flip(bits: int, amiss: int) -> str:
    """Say how constants are repaired."""
    if not _is_one_bit(amiss):
        return "with 0b001 in bits 46-48" if (bits ^ amiss) & amiss else "with 0 in bits 46-48"
    bit = amiss
    return f"with bit {bit.bit_length() - 1} {'cleared' if bits & bit else 'set'}"


def generation(kind: Kind, bits: int, known: int, arch: str | None = None) -> Neighbor | None:
    """Return the reading in the other generation, which bit 46 alone tells from this one; None where it has none."""
    if kind.name not in _WORDS:
        return None
    to = kind_of("wgmma" if kind.name == "tcgen05" else "tcgen05", arch=arch)
    if kind.variant or (arch is not None and arch not in to.archs):
        return None
    amiss = to.table.wrong_constants(bits, known)
    if amiss & ~mark_of(to) or not _is_one_bit(amiss):
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
        return to_hex(candidate.bits, candidate.known, table.width)
    pairs = zip(words(candidate.bits), words(candidate.known), strict=True)
    return ":".join(to_hex(word, seen, WORD) if seen else "?" for word, seen in pairs)


def together(first: Literal, second: Literal, arch: str | None = None) -> tuple[Neighbor, ...]:
    """Return the descriptors that two 32-bit values are the two words of, in either order.

    ``text`` is what to type. A value that is an instruction descriptor by itself is not a word of another one.
    """
    one, other = _as_word(first), _as_word(second)
    if one is None or other is None or any(_is_instruction(word, arch) for word in (one, other)):
        return ()
    found = []
    for high, low, which in ((one, other, "first"), (other, one, "second")):
        for kind in _here(arch, *_WORDS):
            candidate = Candidate(kind, WHOLE, join_words(high[0], low[0]), join_words(high[1], low[1]))
            if candidate.ordinary():
                text = ":".join(to_hex(*word, WORD) for word in (high, low))
                found.append(Neighbor(candidate, f"with the {which} as the high word", text, POSSIBLE))
    return tuple(found)


def _is_instruction(word: tuple[int, int], arch: str | None) -> bool:
    return any(candidate.kind.name == "idesc" for candidate in narrow(*word, arch)[0])


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
    if literal.width == WORD and literal.form.startswith("hexadecimal") and name in _WORDS and not whole.fits():
        # Eight hexadecimal digits are a register's worth: UMOV UR5, 0x40004040.
        high = _high_word(literal, found)
        if high is not None and high.fits():
            return Identified((high,), f"{found.id} as asked; 8 digits are its high word alone", True, True)
    return Identified((whole,), f"{found.id} as asked", whole.fits(), True)


def _high_word(literal: Literal, kind: Kind) -> Candidate | None:
    word = _as_word(literal)
    if word is None:
        return None
    return Candidate(kind, HIGH_WORD, join_words(word[0], 0), join_words(word[1], 0))


def _asked_idesc(literal: Literal, kind: str, mma_kind: str | None, arch: str | None) -> Identified:
    asked_mma = kind.partition(":")[2] or mma_kind
    kinds = (kind_of(kind, mma_kind, arch),) if asked_mma else _idescs(arch)
    view = WHOLE
    try:
        bits, known = literal.at(kinds[0].table.width, "instruction descriptor")
    except WidthError:
        wide_bits, wide_known = literal.at(WIDEST)
        inside = _in_high_word(wide_bits, wide_known, arch)
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
    word = _as_word(literal)
    if word is not None:
        fitting += narrow(*word, arch)[0]
    else:
        bits, known = literal.at(WIDEST)
        fitting += [Candidate(kind, WHOLE, bits, known) for kind in wide_kinds(arch)] + _inside(bits, known, arch)
        fitting = [candidate for candidate in fitting if candidate.fits()]
    return tuple(candidate for candidate in fitting if (candidate.kind.id, candidate.view) not in taken)
