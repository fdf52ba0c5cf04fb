"""Which numbers of a text are worth listing as descriptors, by their bits and by the words around them.

What a text calls a descriptor is one, sound or not (:mod:`smemdesc.reading.naming`). Any other 64-bit number is listed
only if it has a swizzle mode and strides that match it, a plain 32-bit number hardly ever, since too many numbers would
pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from smemdesc.descriptors.ranking import in_sound_base, ranked_readings
from smemdesc.descriptors.readings import FITS, HIGH_WORD, IN_HIGH_WORD, WHOLE, DescriptorReading, idescs
from smemdesc.engine.fields import WORD, join_words, ones, word_pair
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, LONGEST_NAME, called, is_pointer
from smemdesc.reading.text import VALUE_BITS, Literal, parse_value, to_hex
from smemdesc.rules import judge
from smemdesc.rules.base import NOTE

_MASK = re.compile(rb"(?i:zero[-_ ]?col|col(?:umn)?s?[-_ ]?mask|mask[-_ ]?desc)")
"""A zero-column mask."""
_ANY_MASK = re.compile(rb"(?i:mask)\w{0,24}[ \t]{0,8}(?:[:=(]|is|->)[ \t\"'(]{0,8}$")
"""A name right before the number that calls it a mask."""
_ORED = re.compile(
    rb"\b(?:or\.b64[ \t]{1,8}%\w{1,24},[ \t]{0,8}|or[ \t]{1,4}(?:disjoint )?i64 )%\w{1,24},[ \t]{0,8}-?$"
)
"""PTX or LLVM IR that ORs the number with a start address."""
_STRONG = re.compile(
    rb"(?i:\bw?gmma|\bu?mma_?desc|\bumma|tcgen05|smem_?desc|gmma|idesc\b|gdesc\b|matrix[_ ]?desc|instr\w{0,8}desc)"
)
"""The tensor cores' descriptors."""
_KIND = re.compile(rb"kind(?:::|\W{1,4}|_)(" + "|".join(sorted(MMA_KINDS, key=len, reverse=True)).encode() + rb")\b")


def _may_be_whole(number: int, width: int, name: str) -> bool:
    """Whether a number that is no sound descriptor, but is called ``name``, may be one: no pointer, and no word."""
    if name == DESCRIPTOR and (width == WORD or is_pointer(number) or number < 1 << WORD):
        return False
    return number not in (0, ones(width))


@lru_cache(maxsize=1024)
def nearest_readings(
    number: int, unknown: int, width: int, name: str, arch: str | None
) -> tuple[DescriptorReading, ...]:
    """Return what a number that is called a descriptor is read as, although it is none that is sound."""
    if not _may_be_whole(number | unknown, width, name):
        return ()
    literal = parse_value(to_hex(number, ones(width) & ~unknown, width))
    readings = ranked_readings(literal, arch=arch)
    if name == INSTRUCTION and not any(reading.kind.name == "idesc" for reading in readings):
        readings = ranked_readings(literal, "idesc", arch)
    return readings


_LONGEST_STRIDE = 32768
"""The most bytes of a plausible stride between rows."""
_GROUP = 128
"""Bytes of 8 rows of the narrowest mode."""


class _Reading(NamedTuple):
    """A descriptor that a number may be."""

    reading: DescriptorReading
    name: str
    swizzled: bool = False
    sensible: bool = False
    """Whether the strides match packed atoms of the swizzle mode."""
    shaped: bool = False
    """Whether SBO is a multiple of an 8-row group of some mode, and the base offset 0: the swizzle mode may be wrong.

    For a mask: whether it zeroes columns, and no rule has an error or a warning.
    """


def may_be_matrix(number: int, unknown: int, width: int, arch: str | None) -> bool:
    """Whether a number is a matrix descriptor with a swizzle mode, or with a stride that one would have."""
    if width == WORD:
        bits, known = join_words(number, 0), join_words(ones(WORD) & ~unknown, 0)
    else:
        bits, known = number, ones(width) & ~unknown
    if all((bits ^ value) & mask & known for mask, value in _constants(arch)):
        return False  # most numbers
    return any(
        (matrix.swizzled or matrix.sensible or matrix.shaped) and matrix.reading.fits
        for by in {None, arch}
        for matrix in _with_constants(number, unknown, width, by)
    )


@cache
def _constants(arch: str | None) -> tuple[tuple[int, int], ...]:
    """Return the constant bits of the matrix descriptors, by the ordinary tables and by those of an architecture."""
    kinds = (kind_of(name, None, by) for name in ("tcgen05", "wgmma") for by in {None, arch})
    return tuple((kind.table.must_mask, kind.table.must_value) for kind in kinds)


def likely_readings(
    number: int, unknown: int, width: int, plain: bool, before: bytes, near: bytes, arch: str | None
) -> tuple[DescriptorReading, ...]:
    """Return the sound descriptors that a number is likely to be; empty if too many numbers of no meaning would pass.

    ``plain``: it is a plain decimal number. ``before`` is what precedes it in its line, ``near`` its line with those
    around.
    """
    readings = _in_any(_readings, number, unknown, width, arch)
    listed = _listed(readings, width, plain, before, near) if readings else ()
    return tuple(each.reading for each in listed)


def is_likely(literal: Literal, text: str, arch: str | None = None) -> bool:
    """Whether a value of a line of text is likely to be a descriptor, by its bits and by the words of the line."""
    return literal.width > VALUE_BITS or literal.start is not None or bool(likely_in(literal, text, arch))


def likely_in(literal: Literal, text: str, arch: str | None = None) -> tuple[DescriptorReading, ...]:
    """Return the sound descriptors that a value of a line of text is likely to be (:func:`likely_readings`)."""
    literal = in_sound_base(literal, None, None, arch)
    width = literal.width or (WORD if literal.bit_length <= WORD else VALUE_BITS)
    bits, known = literal.at(width)
    plain = literal.form == "decimal" or literal.number < 0
    before, near = (
        text[max(0, literal.begin - far) : literal.begin + after].encode("latin-1", "replace")
        for far, after in ((LONGEST_NAME, 0), (_NEAR, _NEAR))
    )
    return likely_readings(bits, ones(width) & ~known, width, plain, before, near, arch)


_NEAR = 240
"""Characters around a number whose words are about it."""


def _in_any(
    read: Callable[[int, int, int, str | None], tuple[_Reading, ...]],
    number: int,
    unknown: int,
    width: int,
    arch: str | None,
) -> tuple[_Reading, ...]:
    """Return what a number may be by the ordinary tables, or else by those of an architecture."""
    return read(number, unknown, width, None) or (read(number, unknown, width, arch) if arch else ())


@lru_cache(maxsize=8192)
def _matrices(number: int, unknown: int, width: int, arch: str | None) -> tuple[_Reading, ...]:
    """Return the matrix descriptors that a number may be; ``arch`` selects an architecture's own tables."""
    return tuple(matrix for matrix in _with_constants(number, unknown, width, arch) if matrix.reading.fits)


@lru_cache(maxsize=8192)
def _with_constants(number: int, unknown: int, width: int, arch: str | None) -> tuple[_Reading, ...]:
    """Return the matrix descriptors whose constant bits a number has. To judge one takes far longer than to read it."""
    view, bits, known = WHOLE, number, ones(width) & ~unknown
    if width == WORD:
        view, bits, known = HIGH_WORD, join_words(number, 0), join_words(known, 0)
    return tuple(reading for name in ("tcgen05", "wgmma") if (reading := _matrix(name, view, bits, known, arch)))


@lru_cache(maxsize=8192)
def _readings(number: int, unknown: int, width: int, arch: str | None) -> tuple[_Reading, ...]:
    """Return all descriptors that a number may be."""
    candidates = list(_matrices(number, unknown, width, arch))
    known = ones(width) & ~unknown
    if width == WORD:
        return (*candidates, *_instructions(number, WHOLE, known, arch))
    high, low = word_pair(number)
    if not low and high and not unknown:
        candidates += _instructions(high, IN_HIGH_WORD, ones(WORD), arch)
    mask = DescriptorReading(kind_of("mask"), WHOLE, number, known)
    if number and mask.grade == FITS:
        fields = mask.fields
        sound = bool(fields["non_zero_mask"].value) and all(
            finding.severity == NOTE for finding in judge(mask.kind, fields)
        )
        candidates.append(_Reading(mask, "mask", shaped=sound))
    return tuple(candidates)


def _matrix(name: str, view: str, bits: int, known: int, arch: str | None) -> _Reading | None:
    kind = kind_of(name, None, arch)
    # Most numbers fail here.
    if kind.table.wrong_constants(bits, known):
        return None
    candidate = DescriptorReading(kind, view, bits, known)
    fields = candidate.fields
    mode, stride = fields["swizzle"].value, fields["stride_byte_offset"].value
    if not isinstance(mode, str) or not isinstance(stride, int):
        return None
    sensible = 0 < stride <= _LONGEST_STRIDE and stride % MODE[mode].atom == 0
    shaped = 0 < stride <= _LONGEST_STRIDE and stride % _GROUP == 0 and fields["base_offset"].value == 0
    return _Reading(candidate, name, mode != "none", sensible, shaped)


def _instructions(bits: int, view: str, known: int, arch: str | None) -> list[_Reading]:
    candidates = (DescriptorReading(kind, view, bits, known) for kind in idescs(arch))
    return [_Reading(candidate, "idesc") for candidate in candidates if candidate.grade == FITS]


def _listed(
    readings: tuple[_Reading, ...], width: int, plain: bool, before: bytes, near: bytes
) -> tuple[_Reading, ...]:
    """Return the readings of a number that are worth listing, judged by its bits and by the text around it."""
    if not readings:
        return ()
    masks, matrices, idescs = (
        tuple(reading for reading in readings if reading.name in names)
        for names in (("mask",), ("tcgen05", "wgmma"), ("idesc",))
    )
    whole = width == VALUE_BITS
    if masks and _MASK.search(near):
        return masks
    if not matrices and whole and not plain and _ANY_MASK.search(before):
        return tuple(mask for mask in masks if mask.shaped)
    name = called(before.decode("latin-1").rpartition("\n")[2])
    named = name in (DESCRIPTOR, INSTRUCTION) or _STRONG.search(near) is not None
    if idescs and (name == INSTRUCTION or (named and not matrices)):
        return _of_kind(idescs, near)
    ored = _ORED.search(before) is not None
    return tuple(matrix for matrix in matrices if _is_likely(matrix, whole, plain, named, ored))


def _of_kind(idescs: tuple[_Reading, ...], near: bytes) -> tuple[_Reading, ...]:
    """Return the readings as the kind of instruction descriptor that the text around a number names, else all."""
    kind = _KIND.search(near)
    id = f"idesc:{kind[1].decode()}" if kind else ""
    return tuple(idesc for idesc in idescs if idesc.reading.id == id) or idescs


def _is_likely(matrix: _Reading, whole: bool, plain: bool, named: bool, ored: bool) -> bool:
    """Whether a reading as a matrix descriptor is worth listing.

    ``whole``: the number has 64 bits; ``named``: the text around it is about descriptors; ``ored``: an OR precedes it.
    """
    if named and (matrix.swizzled or matrix.sensible):
        return True
    if whole:
        return (matrix.shaped and (matrix.swizzled or ored)) or (matrix.swizzled and matrix.sensible)
    # A word alone: only the mark of tcgen05, and only where the text shows the bits.
    return matrix.name == "tcgen05" and not plain and matrix.swizzled and matrix.sensible
