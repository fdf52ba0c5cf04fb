"""The ways to read a pasted value: its bits as one kind's descriptor, whole or in a word, and how well they fit.

A reading *fits* when no known bit contradicts its table (reserved bits, constants, undefined codes) and none of its
rules finds an error or a doubt.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.errors import WidthError
from smemdesc.engine.fields import WORD, Reading, join_words, ones, words
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.text import WIDEST, Literal, to_hex
from smemdesc.layout.strides import LBO, SBO, is_absolute
from smemdesc.rules.judging import against

WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE = "whole", "high_word", "in_high_word", "in_high_word_alone"
VIEWS = (WHOLE, HIGH_WORD, IN_HIGH_WORD, IN_HIGH_WORD_ALONE)
FITS, DOUBTFUL, FITS_NOT = 2, 1, 0
WORDS = ("tcgen05", "wgmma")


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

    @property
    def hex(self) -> str:
        """The descriptor in full width, ``?`` where digits are not known."""
        return to_hex(self.bits, self.known, self.kind.table.width)

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
        if self.kind.table.wrong_constants(self.bits, self.known):
            return FITS_NOT
        return self._graded(self.read())

    def _graded(self, readings: dict[str, Reading]) -> int:
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
        if self.kind.name not in WORDS:
            return self.kind.name == "idesc" and self.fits()
        if self.kind.table.wrong_constants(self.bits, self.known):
            return False
        # The strides first: of what a slip could have been, they rule out almost all, and the rules take ten times as
        # long.
        readings = self.read()
        return _whole_atoms(readings) and self._graded(readings) == FITS

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
    absolute = is_absolute(readings)
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


@lru_cache(256)
def kinds_here(arch: str | None, *names: str) -> tuple[Kind, ...]:
    """Return the kinds of these ids that an architecture has, with its tables; where none is given, the usual ones."""
    kinds = tuple(kind_of(name, arch=arch) for name in names)
    if arch is None:
        return tuple(kind for kind in kinds if not kind.newer)
    return tuple(kind for kind in kinds if kind.on(arch)) or kinds


def idescs(arch: str | None) -> tuple[Kind, ...]:
    return kinds_here(arch, *ids("idesc"))


def as_word(literal: Literal) -> tuple[int, int] | None:
    """The 32 bits of a value that can be a single word, else None."""
    if literal.width == WIDEST:
        return None
    try:
        return literal.at(WORD)
    except WidthError:
        return None


def high_words(bits: int, known: int, arch: str | None) -> list[Candidate]:
    kinds = kinds_here(arch, *WORDS)
    return [Candidate(kind, HIGH_WORD, join_words(bits, 0), join_words(known, 0)) for kind in kinds]


def in_high_word(bits: int, known: int, arch: str | None) -> list[Candidate]:
    """Instruction descriptors in the high word; only where the low word is 0, or not known at all."""
    high, low = words(bits)
    high_known, low_known = words(known)
    if low or not high_known or low_known not in (0, ones(WORD)):
        return []
    view = IN_HIGH_WORD if low_known else IN_HIGH_WORD_ALONE
    return [Candidate(kind, view, high, high_known) for kind in idescs(arch)]


def text_of(bits: int, known: int, width: int, view: str) -> str:
    """Return a descriptor as the text that it was read from in this view, in full width, ``?`` where unknown."""
    if view == HIGH_WORD and width == WIDEST and not words(known)[1]:
        return to_hex(words(bits)[0], words(known)[0], WORD)
    if view in (IN_HIGH_WORD, IN_HIGH_WORD_ALONE) and width == WORD:
        return to_hex(join_words(bits, 0), join_words(known, ones(WORD) if view == IN_HIGH_WORD else 0), WIDEST)
    return to_hex(bits, known, width)


def narrow(bits: int, known: int, arch: str | None = None) -> tuple[list[Candidate], list[Candidate]]:
    """Return the readings of a 32-bit word: those that fit, and all that were considered."""
    pool = [Candidate(kind, WHOLE, bits, known) for kind in idescs(arch)]
    pool += high_words(bits, known, arch)
    return [candidate for candidate in pool if candidate.fits()], pool


def mark_of(kind: Kind) -> int:
    """Return the bits of the field that tells most about a 64-bit kind."""
    return kind.table.masks[_MARK[kind.id]]


_MARK = {"tcgen05": "version", "wgmma": "reserved_46", "mask": "reserved_36"}
"""The fixed field that tells most about a 64-bit kind."""


def is_one_bit(mask: int) -> bool:
    """Whether a mask has one bit."""
    return mask.bit_count() == 1


def is_small(kind: Kind, amiss: int) -> bool:
    """Whether what is wrong with the constants is one bit, or all in the field that is the mark of the kind."""
    return is_one_bit(amiss) or bool(amiss and kind.name in _MARK and not amiss & ~mark_of(kind))
