"""Numbers in other text (C++ source, logs, debuggers) that may be descriptors.

A number counts for what its bits are and for what the text calls it. Neither alone is taken for certain: a plain
64-bit number is reported only where it has a swizzle mode and strides that go with it, a plain 32-bit number hardly
ever, since too many numbers would pass.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from smemdesc.descriptors.readings import FITS, HIGH_WORD, IN_HIGH_WORD, WHOLE, DescriptorReading, idescs
from smemdesc.engine.fields import WORD, join_words, ones, twos_complement, words
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.kinds.pasted import evaluate
from smemdesc.kinds.text import WIDEST
from smemdesc.rules import judge
from smemdesc.rules.base import NOTE
from smemdesc.scanning.model import Value
from smemdesc.scanning.units import Named

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"

# The top digit of a descriptor is 0, 2, 4, 8 or c; a number without 0x begins with a digit or with c.
_NUMBER = re.compile(
    rb"[0-9cC](?<![\w.%$#@&][0-9cC])"
    rb"(?:(?<=0)[xX](?P<hex>[0-9a-fA-F']{7,21})|(?P<bare>[0-9a-fA-F]{7,19}))"
    rb"(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)?"
    rb"(?::(?:0[xX])?(?P<low>[0-9a-fA-F]{8})\b)?"
    rb"(?!\w|\.\d|-\w)"
)
_SHIFTED = re.compile(rb"<<\s*\(?\d{1,2}\b")
_EXPRESSION = re.compile(
    rb"(?:static_cast<[\w: ]{1,30}>|(?:\bstd::)?\bu?int(?:32|64)_t\b"
    rb"|\b0[xX][0-9a-fA-F']++[uUlL]*+\b|\b\d[\d']*+[uUlL]*+\b|<<|[()|+ \t])++"
)
_LONGEST_EXPRESSION = 400
_CAST = re.compile(r"static_cast<[\w: ]+>|\(\s*(?:std::)?u?int(?:32|64)_t\s*\)|(?:std::)?u?int(?:32|64)_t\b")

_NAMED = re.compile(
    rb"(?i:idesc|instr\w{0,8}desc|[gu]desc|smem_?desc|gmma_?desc|umma_?desc|matrix_?desc|desc(?:riptors?)?)(?![a-z])"
    rb"[\w.\[\]]{0,24}[\"')\]]{0,3}[ \t]{0,8}(?:[:=(,{]|<<|is|->)?[ \t\"'(]{0,8}(?:\w{1,20}[(=:,][ \t]{0,4}){0,2}-?$"
)
"""A name right before the number."""
_INSTRUCTION = re.compile(rb"(?i:idesc|instr\w{0,8}desc)")
_MASK = re.compile(rb"(?i:zero[-_ ]?col|col(?:umn)?s?[-_ ]?mask|mask[-_ ]?desc)")
_NAMED_MASK = re.compile(
    rb"(?i:zero[-_ ]?col|col(?:umn)?s?[-_ ]?mask|mask[-_ ]?desc)[\w -]{0,24}[\"')\]]{0,3}[ \t]{0,8}"
    rb"(?:[:=(,{]|is|->)[ \t\"'(]{0,8}-?$"
)
"""The name of a mask right before the number."""
_ANY_MASK = re.compile(rb"(?i:mask)\w{0,24}[ \t]{0,8}(?:[:=(]|is|->)[ \t\"'(]{0,8}$")
"""A name right before the number that says that it is some mask."""
_ORED = re.compile(
    rb"\b(?:or\.b64[ \t]{1,8}%\w{1,24},[ \t]{0,8}|or[ \t]{1,4}(?:disjoint )?i64 )%\w{1,24},[ \t]{0,8}-?$"
)
"""PTX or LLVM IR that puts the number over a start address."""
_STRONG = re.compile(
    rb"(?i:\bw?gmma|\bu?mma_?desc|\bumma|tcgen05|smem_?desc|gmma|idesc\b|gdesc\b|matrix[_ ]?desc|instr\w{0,8}desc)"
)
_KIND = re.compile(rb"kind(?:::|\W{1,4}|_)(" + "|".join(sorted(MMA_KINDS, key=len, reverse=True)).encode() + rb")\b")
_BEFORE = 96
_AROUND = 240


class _Text(NamedTuple):
    """What stands around a number."""

    named: bool
    """Whether the name right before it is that of a descriptor."""
    instruction: bool
    """Whether that is the name of an instruction descriptor."""
    strong: bool
    """Whether the line or one beside it speaks of the tensor cores' descriptors."""
    mask: bool
    """Whether one of these speaks of a mask of zero columns."""
    named_mask: bool
    any_mask: bool
    ored: bool
    """Whether the number is put over a value of 64 bits, as the constant part of a descriptor is."""
    mma_kind: str | None


def values(
    text: bytes,
    first: int,
    low: int = 0,
    high: int | None = None,
    indent: int = 0,
    named: Named | None = None,
    offset: int = 0,
) -> list[Value]:
    """Return the numbers in ``text`` that may be descriptors; ``first`` is the number of its first line.

    Only those that begin between ``low`` and ``high`` are meant; what stands around them is read, too. The first
    line of the text begins ``indent`` bytes before it. ``named`` are the architectures of the whole text, in which
    this begins at ``offset`` (None: this is all).
    """
    if named is None:
        named = Named()
        named.read(text)
    found: list[Value] = []
    line, counted, begins = first, 0, -indent
    words_at = [word.start() for word in _MENTION.finditer(text)]
    for start, end, number, width, plain in _candidates(text):
        if not low <= start < (len(text) if high is None else high):
            continue
        place = bisect_left(words_at, start - _AROUND)
        alone = place == len(words_at) or words_at[place] > end + _AROUND
        # Where nothing near speaks of descriptors the bits alone must tell.
        if alone and plain and width == WORD:
            continue
        arch = named.near(offset + start)
        if alone and not _matrices(number, width, None) and not (arch and _matrices(number, width, arch)):
            continue
        readings = _readings(number, width, None) or (_readings(number, width, arch) if arch else ())
        if not readings:
            continue
        judged = _judge(readings, width, plain, _around(text, start, end))
        if judged is None:
            continue
        line += text.count(b"\n", counted, start)
        newline = text.rfind(b"\n", counted, start)
        begins = newline + 1 if newline >= 0 else begins
        counted = start
        shown = text[start:end].decode("utf-8", "replace")
        found.append(Value(line, start - begins + 1, shown, *judged, number, width))
    return found


_MENTION = re.compile(rb"(?i:desc|mma|tcgen05|zero|mask)")
"""A name of descriptors has one of these words."""


def _candidates(text: bytes) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield start, end, number, its bits (32 or 64), and whether it is a plain decimal number."""
    expressions = sorted(_expressions(text)) if b"<<" in text else []
    place = 0
    for match in _NUMBER.finditer(text):
        while place < len(expressions) and expressions[place][1] <= match.start():
            yield (*expressions[place], WIDEST, False)
            place += 1
        inside = place < len(expressions) and expressions[place][0] <= match.start()
        if not inside and (read := _read(text, match)) is not None:
            yield read
    for rest in expressions[place:]:
        yield (*rest, WIDEST, False)


def _read(text: bytes, match: re.Match[bytes]) -> tuple[int, int, int, int, bool] | None:
    start, end = match.span()
    digits = (match["hex"] or text[start : match.end("bare")]).replace(b"'", b"")
    before = text[start - 1 : start]
    if match["low"] is not None:
        if len(digits) != 8:
            return None
        return start, end, join_words(int(digits, 16), int(match["low"], 16)), WIDEST, False
    if match["hex"] is not None:
        if len(digits) > 16:
            return None
        number = int(digits, 16)
        return start, end, number, WORD if len(digits) <= 8 else WIDEST, False
    suffixed = text[end - 1 : end] in b"uUlL"
    if digits.isdigit() and not (len(digits) == 16 and digits[:1] in b"0248" and digits[1:2] == b"0" and not suffixed):
        # Sixteen digits that begin like a descriptor are hexadecimal ones.
        number = int(digits)
        if before == b"-":
            if start > 1 and text[start - 2 : start - 1].isalnum():
                return None
            number, start = -number, start - 1
        width = WORD if -(1 << WORD - 1) <= number < 1 << WORD else WIDEST
        bits = twos_complement(number, width)
        return None if bits is None else (start, end, bits, width, True)
    if len(digits) not in (8, 16) or before == b"-":
        return None
    return start, end, int(digits, 16), 4 * len(digits), False


def _expressions(text: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and value of the constant expressions with a shift."""
    done = 0
    for shift in _SHIFTED.finditer(text):
        if shift.start() < done:
            continue
        low = text.rfind(b"\n", max(0, shift.start() - _LONGEST_EXPRESSION), shift.start()) + 1
        low = max(low, done, shift.start() - _LONGEST_EXPRESSION)
        high = text.find(b"\n", shift.start(), shift.start() + _LONGEST_EXPRESSION)
        high = min(len(text), shift.start() + _LONGEST_EXPRESSION) if high < 0 else high
        for part in _EXPRESSION.finditer(text, low, high):
            if part.end() <= shift.start():
                continue
            done = part.end()
            cut = _balanced(part[0])
            # Without casts and digit separators.
            plain = _CAST.sub("", part[0][slice(*cut)].decode("latin-1")).replace("'", "") if cut else ""
            if cut and (number := evaluate(plain)) is not None:
                yield part.start() + cut[0], part.start() + cut[1], number
            break
        done = max(done, shift.end())


def _balanced(text: bytes) -> tuple[int, int] | None:
    """Return the stretch of ``text`` in which the brackets that matter are closed."""
    opened: list[int] = []
    end = len(text)
    for place, char in enumerate(text):
        if char == 0x28:
            opened.append(place)
        elif char == 0x29:
            if not opened:
                end = place
                break
            opened.pop()
    start = opened[-1] + 1 if opened else 0
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip(b" \t|+<"))
    end -= len(inside) - len(inside.rstrip(b" \t|+<"))
    return (start, end) if b"<<" in text[start:end] else None


_LONGEST_STRIDE = 32768
"""The most bytes that a stride between rows is believed to have."""
_GROUP = 128
"""Bytes of 8 rows of the narrowest mode."""


class _Reading(NamedTuple):
    """A descriptor that a number may be."""

    id: str
    name: str
    why: str
    swizzled: bool = False
    sensible: bool = False
    """Whether the strides are those of packed atoms of the swizzle mode."""
    shaped: bool = False
    """Whether SBO is a number of 8-row groups of some mode, and the base offset 0: the swizzle mode may be wrong.

    Of a mask: whether it zeroes columns, and no rule finds anything.
    """


@lru_cache(maxsize=8192)
def _matrices(number: int, width: int, arch: str | None) -> tuple[_Reading, ...]:
    """The matrix descriptors that a number may be; ``arch``: by the tables that an architecture has of its own."""
    view, bits, known = WHOLE, number, ones(WIDEST)
    if width == WORD:
        view, bits, known = HIGH_WORD, join_words(number, 0), join_words(ones(WORD), 0)
    return tuple(each for name in ("tcgen05", "wgmma") if (each := _matrix(name, view, bits, known, arch)))


@lru_cache(maxsize=8192)
def _readings(number: int, width: int, arch: str | None) -> tuple[_Reading, ...]:
    """Return all that a number may be."""
    found = list(_matrices(number, width, arch))
    if width == WORD:
        return (*found, *_instructions(number, WHOLE, arch))
    high, low = words(number)
    if not low and high:
        found += _instructions(high, IN_HIGH_WORD, arch)
    mask = DescriptorReading(kind_of("mask"), WHOLE, number, ones(WIDEST))
    if number and mask.grade == FITS:
        fields = mask.fields
        sound = bool(fields["non_zero_mask"].value) and all(each.severity == NOTE for each in judge(mask.kind, fields))
        found.append(_Reading("mask", "mask", "its reserved bits are those of a mask", shaped=sound))
    return tuple(found)


def _matrix(name: str, view: str, bits: int, known: int, arch: str | None) -> _Reading | None:
    kind = kind_of(name, None, arch)
    # Most numbers fail here.
    if kind.table.wrong_constants(bits, known):
        return None
    candidate = DescriptorReading(kind, view, bits, known)
    if candidate.grade != FITS:
        return None
    fields = candidate.fields
    mode, stride = fields["swizzle"].value, fields["stride_byte_offset"].value
    if not isinstance(mode, str) or not isinstance(stride, int):
        return None
    sensible = 0 < stride <= _LONGEST_STRIDE and stride % MODE[mode].atom == 0
    shaped = 0 < stride <= _LONGEST_STRIDE and stride % _GROUP == 0 and fields["base_offset"].value == 0
    of = f" of {kind.variant}" if kind.variant else ""
    why = f"the bits of a {name} descriptor{of}: {mode if mode != 'none' else 'no'} swizzle, SBO {stride} B"
    if 0 < stride < MODE[mode].atom:
        why += f", less than an atom ({MODE[mode].atom} B)"
    return _Reading(_id(candidate), name, why, mode != "none", sensible, shaped)


def _id(candidate: DescriptorReading) -> str:
    """Return the reading's id, with the table's name where it is not the usual one."""
    variant = candidate.kind.variant
    return f"{candidate.id}@{variant}" if variant else candidate.id


def _instructions(bits: int, view: str, arch: str | None) -> list[_Reading]:
    found = []
    for kind in idescs(arch):
        candidate = DescriptorReading(kind, view, bits, ones(WORD))
        if candidate.grade == FITS:
            why = f"32 bits with legal types, M and N of kind::{kind.mma_kind}"
            found.append(_Reading(_id(candidate), "idesc", why))
    return found


def _around(text: bytes, start: int, end: int) -> _Text:
    begin = text.rfind(b"\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE)
    before = text[begin:start]
    name = _NAMED.search(before)
    # The line and the one on either side, as far as they are near.
    low = text.rfind(b"\n", max(0, start - _AROUND), start)
    low = text.rfind(b"\n", max(0, start - _AROUND), max(0, low)) + 1 or max(0, start - _AROUND)
    high = text.find(b"\n", end, end + _AROUND)
    high = text.find(b"\n", high + 1, end + _AROUND) if high >= 0 else high
    near = text[low : high if high >= 0 else end + _AROUND]
    kind = _KIND.search(near)
    return _Text(
        name is not None,
        name is not None and _INSTRUCTION.search(name[0]) is not None,
        _STRONG.search(near) is not None,
        _MASK.search(near) is not None,
        _NAMED_MASK.search(before) is not None,
        _ANY_MASK.search(before) is not None,
        _ORED.search(before) is not None,
        kind[1].decode() if kind else None,
    )


def _judge(readings: tuple[_Reading, ...], width: int, plain: bool, around: _Text) -> tuple[str, str, str] | None:
    """Return id, how sure it is, and why; None where the number is not worth reporting."""
    called = "; the text calls it a descriptor" if around.named else "; the text nearby is about descriptors"
    spoken = around.named or around.strong
    mask = next((each for each in readings if each.name == "mask"), None)
    if around.mask and mask:
        if around.named_mask:
            return mask.id, CERTAIN, mask.why + "; the text calls it a mask"
        return mask.id, CERTAIN if spoken else POSSIBLE, mask.why + (called if spoken else "")
    matrix = next((each for each in readings if each.name in ("tcgen05", "wgmma")), None)
    if matrix is None and around.any_mask and width == WIDEST and not plain:
        return (mask.id, POSSIBLE, mask.why + "; the text calls it a mask") if mask and mask.shaped else None
    instruction = _instruction(readings, around)
    if instruction is not None and (around.instruction or (spoken and matrix is None)):
        sure = CERTAIN if around.instruction else POSSIBLE if plain else LIKELY
        return instruction.id, sure, instruction.why + called
    if matrix is None:
        return None
    if around.named and (around.strong or width == WIDEST) and (matrix.swizzled or matrix.sensible):
        return matrix.id, CERTAIN, matrix.why + called
    if around.strong and matrix.swizzled and matrix.sensible:
        return matrix.id, CERTAIN if width == WIDEST or matrix.name == "tcgen05" else LIKELY, matrix.why + called
    if spoken and (matrix.swizzled or matrix.sensible):
        return matrix.id, POSSIBLE, matrix.why + called
    if width == WIDEST and around.ored and matrix.shaped:
        sure = LIKELY if matrix.swizzled or matrix.name == "tcgen05" else POSSIBLE
        return matrix.id, sure, matrix.why + "; it is combined with a start address"
    if width == WIDEST and matrix.swizzled and (matrix.sensible or matrix.shaped):
        return matrix.id, LIKELY if matrix.sensible else POSSIBLE, matrix.why
    if not matrix.swizzled or not matrix.sensible:
        return None
    # A word alone: only the mark of tcgen05, and only where the text shows the bits.
    return (matrix.id, POSSIBLE, matrix.why) if matrix.name == "tcgen05" and not plain else None


def _instruction(readings: tuple[_Reading, ...], around: _Text) -> _Reading | None:
    """Return the reading as an instruction descriptor: that of the MMA kind that the text names, else the first."""
    found = [each for each in readings if each.name == "idesc"]
    named = [each for each in found if each.id.partition("@")[0] == f"idesc:{around.mma_kind}"]
    if len(found) < 2 or named:
        return next(iter(named or found), None)
    return found[0]._replace(why=f"32 bits with legal types, M and N under {len(found)} MMA kinds")
