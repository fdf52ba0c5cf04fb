"""Numbers in other text (C++ source, logs, debuggers) that may be descriptors, each with its readings.

Its bits and its name in the text decide whether a number is listed. What the text calls a descriptor is one, sound or
not (:mod:`smemdesc.reading.naming`). Any other 64-bit number is listed only if it has a swizzle mode and strides that
match it, a plain 32-bit number hardly ever, since too many numbers would pass. It has to be the whole value: not a term
of a sum, and not an argument of a call that computes something else from it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from smemdesc.descriptors.explain import one_line
from smemdesc.descriptors.likely import likely_readings, may_be_matrix, nearest_readings
from smemdesc.descriptors.ranking import in_sound_base
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.fields import WORD, join_words, ones, twos_complement
from smemdesc.reading.code import evaluate_c, paired_words, word_name
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, OTHER, called, is_declared_wide, last_name
from smemdesc.reading.source_values import constant_of_c
from smemdesc.reading.terms import CONVERSIONS, LONGEST_EXPRESSION, is_whole_value
from smemdesc.reading.text import VALUE_BITS, parse_value
from smemdesc.scanning.languages.units import Named
from smemdesc.scanning.model import TextValue, ValueReading

# The top digit of a descriptor is 0, 2, 4, 8 or c; a number without 0x begins with a digit or with c.
_NUMBER = re.compile(
    rb"[0-9cC](?<![\w.%$#@&][0-9cC])"
    rb"(?:(?<=0)[xX](?P<hex>[0-9a-fA-F](?:'?[0-9a-fA-F]){6,20})|(?P<bare>[0-9a-fA-F]{7,19}))"
    rb"(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)?"
    rb"(?::(?:0[xX])?(?P<low>[0-9a-fA-F]{8})\b)?"
    rb"(?!\w|\.\d|-\w|\?[0-9a-fA-F?]++(?!\s*:)|:[ \t]{1,8}(?:0x)?[0-9a-f]{8})"
)
_IN_PART = re.compile(
    rb"[0-9cC](?<![\w.%$#@&?-][0-9cC])"
    rb"(?:(?<=0)[xX](?=[0-9a-fA-F]*+[?:])(?:[0-9a-fA-F?]{8}:(?:\?|(?:0[xX])?[0-9a-fA-F?]{8})"
    rb"|[0-9a-fA-F?]{16}|[0-9a-fA-F?]{8})|(?=[0-9a-fA-F]*+\?)[0-9a-fA-F?]{15})(?![\w?']|\s*:)"
)
"""A number of which digits are unknown, as ``?``; in C ``x == 0x4000?1:2`` is none."""
_SHIFTED = re.compile(rb"<<\s*\(?\d{1,2}\b")
_EXPRESSION = re.compile(
    rb"(?:%s(?=[ \t]*+[()])|\b0[xX][0-9a-fA-F']++[uUlL]*+\b|\b\d[\d']{0,99}+[uUlL]*+\b"
    rb"|<<|>>|/(?![/*])|\*(?!/)|[()|+]|\s)++" % CONVERSIONS
)
_BEFORE_A_SUM = re.compile(
    rb"(?:\A|(?<![|&^+*/%<>=!-])=|[,;:({\[\"'`]|\b(?:return|is)|[^|&^+*/%<>=!~(\s-][ \t\r]*+\n)\s*+\Z"
)
"""What comes before a value that is not a term of a sum, without comments."""
_COMMENTS = re.compile(rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/")
_AFTER_A_SUM = re.compile(rb"(?:\s|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+(?:[;,)}\]\"'`.\w#$@]|\Z)")

_BEFORE = 96
_AROUND = 240


def literal_values(
    text: bytes,
    first: int,
    low: int = 0,
    high: int | None = None,
    indent: int = 0,
    named: Named | None = None,
    offset: int = 0,
) -> list[TextValue]:
    """Return the numbers in ``text`` that may be descriptors; ``first`` is the number of its first line.

    Only numbers that begin between the offsets ``low`` and ``high`` are returned; the text around them is context. The
    first line begins ``indent`` bytes before ``text``. ``named`` are the architectures of the whole file, in which
    ``text`` begins at byte ``offset`` (None: ``text`` is the whole file).
    """
    if named is None:
        named = Named()
        named.read(text)
    values_in_text: list[TextValue] = []
    line, counted, begins = first, 0, -indent
    for found in _found(text, named, offset):
        start, end = found.start, found.end
        if not low <= start < (len(text) if high is None else high) or not is_whole_value(text, start, end):
            continue
        line += text.count(b"\n", counted, start)
        newline = text.rfind(b"\n", counted, start)
        begins = newline + 1 if newline >= 0 else begins
        counted = start
        shown = text[start:end].decode("utf-8", "replace")
        shown = " ".join(shown.split()) if "\n" in shown else shown
        readings = tuple(map(reading_of, found.readings))
        values_in_text.append(
            TextValue(
                line,
                start - begins + 1,
                shown,
                readings,
                found.number,
                found.width,
                ones(found.width) & ~found.unknown,
                named=found.is_named,
            )
        )
    return values_in_text


class _ListedNumber(NamedTuple):
    """A number that is listed, and whether the text calls it a descriptor."""

    start: int
    end: int
    number: int
    unknown: int
    width: int
    readings: tuple[DescriptorReading, ...]
    is_named: bool


def _found(text: bytes, archs: Named, offset: int) -> Iterator[_ListedNumber]:
    """Yield the numbers that their bits or the words around them make descriptors."""
    words_at = [word.start() for word in _MENTION.finditer(text)]
    above, name_above = 0, ""
    for start, end, number, unknown, width, plain in _candidates(text):
        in_row = name_above if not plain and is_in_row(text, above, start) else ""
        above, name_above = end, in_row
        alone = not in_row and not _is_any_near(words_at, start, end)
        arch = archs.near(offset + start)
        # If no text nearby mentions descriptors, the bits alone must decide.
        if alone and ((plain and width == WORD) or not may_be_matrix(number, unknown, width, arch)):
            continue
        before, near = _around(text, start, end)
        name = called(heading_above(text, start) + before.decode("latin-1")) or in_row
        is_named = name in (DESCRIPTOR, INSTRUCTION)
        name_above = name if is_named else ""
        width = _named_width(name, before, max(number, unknown), width)
        listed = _as_named(name, width, likely_readings(number, unknown, width, plain, before, near, arch))
        if plain and is_named and not listed and end - start == _DIGITS:
            number = int(text[start:end], 16)  # as %llx prints it
        if not listed and is_named and (in_row or _is_complete(text, end, before)):
            listed = nearest_readings(number, unknown, width, name, arch)
        if listed and name != OTHER:
            yield _ListedNumber(start, end, number, unknown, width, listed, is_named)


def _named_width(name: str, before: bytes, number: int, width: int) -> int:
    """Return the bits of a number by what the text calls it, and by what is declared before it."""
    if name == INSTRUCTION and number < 1 << WORD:
        return WORD
    declared = before.decode("latin-1")
    is_whole = name == DESCRIPTOR and is_declared_wide(declared) and word_name(last_name(declared)) is None
    return VALUE_BITS if is_whole else width


def _as_named(name: str, width: int, readings: tuple[DescriptorReading, ...]) -> tuple[DescriptorReading, ...]:
    """Return likely readings, if they are of the kind that the text names: an instruction descriptor is no word."""
    is_instruction = name == INSTRUCTION and width == WORD
    return () if is_instruction and not any(each.kind.name == "idesc" for each in readings) else readings


def _is_any_near(places: Sequence[int], start: int, end: int) -> bool:
    at = bisect_left(places, start - _AROUND)
    return at < len(places) and places[at] <= end + _AROUND


def is_in_row(text: bytes, above: int, start: int) -> bool:
    """Whether a number follows another one, which ends at ``above``, in a row, a column or a list."""
    return _BETWEEN.fullmatch(text, above, start) is not None


_BETWEEN = re.compile(rb"[\s,;|\"']{1,40}")
"""What stands between the numbers of a row, a column or a list."""


def heading_above(text: bytes, start: int) -> str:
    """Return the heading, or the beginning of a list, above a number that begins its line."""
    lines = text[max(0, start - _BEFORE) : start].rsplit(b"\n", 2)
    if len(lines) < 2 or lines[-1].strip(b" \t\"'") or lines[-2].rstrip()[-1:] not in (b":", b"=", b"[", b"{", b"("):
        return ""
    return lines[-2].decode("latin-1").rstrip()


def _is_complete(text: bytes, end: int, before: bytes) -> bool:
    """Whether a number is all of what its name means: code adds nothing to it."""
    of = re.escape(last_name(before.decode("latin-1")).encode("latin-1"))
    return not _MORE.match(text, end) and _change_of(of).search(text, end, end + _SCOPE) is None


def _change_of(name: bytes) -> re.Pattern[bytes]:
    """Return the pattern of an expression that changes a variable; ``name``: its escaped name."""
    return re.compile(rb"\b%s\s*(?:[|&^](?![|&])|<<|>>|[-+]=)" % name)


_SCOPE = 20_000
"""The bytes behind a number in which code may change what it was assigned to."""


_MORE = re.compile(rb"[ \t)]*+[-+|^*/%]")
"""What follows a term of an expression."""


_DIGITS = 16
"""Hexadecimal digits of 64 bits."""


_MENTION = re.compile(rb"(?i:desc|mma|tcgen05|zero|mask)")
"""A name of descriptors has one of these words."""


class _NumberInText(NamedTuple):
    """A number that may be a descriptor."""

    start: int
    end: int
    number: int
    """Its bits."""
    unknown: int
    """The mask of those that are unknown."""
    width: int
    """32 or 64 bits."""
    plain: bool
    """Whether it is a plain decimal number."""


def _candidates(text: bytes) -> Iterator[_NumberInText]:
    """Yield the numbers of a text, in order."""
    joined = [*_pairs(text), *(_expressions(text) if b"<<" in text else ()), *(_in_part(text) if b"?" in text else ())]
    joined.sort()
    place = 0
    for match in _NUMBER.finditer(text):
        while place < len(joined) and joined[place].end <= match.start():
            yield joined[place]
            place += 1
        inside = place < len(joined) and joined[place].start <= match.start()
        if not inside and (read := _read(text, match)) is not None:
            yield read
    yield from joined[place:]


def _in_part(text: bytes) -> Iterator[_NumberInText]:
    """Yield the numbers of which only some digits are known."""
    for match in _IN_PART.finditer(text):
        literal = parse_value(match[0].decode("ascii"))
        if literal.unknown:
            yield _NumberInText(*match.span(), literal.number, literal.unknown, literal.width, False)


def _pairs(text: bytes) -> Iterator[_NumberInText]:
    """Yield two words that their names make one value."""
    after = 0
    for match in _HIGH_WORD.finditer(text):
        low = max(after, match.start() - _BEFORE)
        for words in paired_words(text[low : match.end() + _BEFORE].decode("latin-1")):
            literal = in_sound_base(words.literal, None, None, None)
            if literal.number >= 0:
                after = low + words.end
                yield _NumberInText(low + words.begin, after, literal.number, literal.unknown, VALUE_BITS, False)


_HIGH_WORD = re.compile(
    rb"[hHuU](?:[iI](?:gh|GH)?|pper|PPER)(?:_\w{1,40}|_?[a-z]{0,4}(?:32)?)"
    rb"[\"')]{0,2}[ \t]{0,8}[:=]?[ \t]{0,8}[\"']?(?:0[xX][0-9a-fA-F]|\d)"
)
"""The high word of a value, with its name."""


def _read(text: bytes, match: re.Match[bytes]) -> _NumberInText | None:
    """Return a number of a text; None if it has too many digits, or is only a part of something else."""
    start, end = match.span()
    digits = (match["hex"] or text[start : match.end("bare")]).replace(b"'", b"")
    if match["low"] is not None:
        if len(digits) != 8:
            return None
        return _NumberInText(start, end, join_words(int(digits, 16), int(match["low"], 16)), 0, VALUE_BITS, False)
    if match["hex"] is not None:
        if len(digits) > 16:
            return None
        return _NumberInText(start, end, int(digits, 16), 0, WORD if len(digits) <= 8 else VALUE_BITS, False)
    is_negative = text[start - 1 : start] == b"-"
    suffixed = text[end - 1 : end] in b"uUlL"
    if digits.isdigit() and not (len(digits) == 16 and digits[:1] in b"0248" and digits[1:2] == b"0" and not suffixed):
        if is_negative and start > 1 and text[start - 2 : start - 1].isalnum():
            return None
        number = -int(digits) if is_negative else int(digits)
        width = WORD if -(1 << WORD - 1) <= number < 1 << WORD else VALUE_BITS
        bits = twos_complement(number, width)
        return None if bits is None else _NumberInText(start - is_negative, end, bits, 0, width, True)
    # Sixteen digits that begin like a descriptor are hexadecimal ones.
    if len(digits) not in (8, 16) or is_negative:
        return None
    return _NumberInText(start, end, int(digits, 16), 0, 4 * len(digits), False)


def _expressions(text: bytes) -> Iterator[_NumberInText]:
    """Yield the constant expressions with a shift that are not part of a larger one."""
    done = 0
    for shift in _SHIFTED.finditer(text):
        if shift.start() < done:
            continue
        low = max(done, shift.start() - LONGEST_EXPRESSION)
        for part in _EXPRESSION.finditer(text, low, shift.start() + LONGEST_EXPRESSION):
            if part.end() <= shift.start():
                continue
            done = part.end()
            start, end = _trimmed(text, part)
            before = _COMMENTS.sub(b"", text[max(0, start - LONGEST_EXPRESSION) : start])
            whole = _BEFORE_A_SUM.search(before) and _AFTER_A_SUM.match(text, end)
            if whole and (made := _value_of(text[start:end].decode("latin-1"), before.decode("latin-1"))) is not None:
                yield _NumberInText(start, end, *made, VALUE_BITS, False)
            break
        done = max(done, shift.end())


def _value_of(expression: str, before: str) -> tuple[int, int] | None:
    """Return the value of an expression, and the bits that are unknown; None if it has none."""
    statement = re.split(r"[;{}\n]", before.rstrip().removesuffix("="))[-1] if before.rstrip().endswith("=") else ""
    number = evaluate_c(f"({expression})")
    constant = None if number is None else constant_of_c(expression, statement)
    if constant is None or not (constant.known == ones(VALUE_BITS) or constant.overflow is not None):
        return None if number is None else (number, 0)
    return constant.bits, ones(VALUE_BITS) & ~constant.known


def _trimmed(text: bytes, part: re.Match[bytes]) -> tuple[int, int]:
    """Return where an expression begins and ends, without blanks and without unmatched brackets."""
    opened: list[int] = []
    start, end = part.span()
    for place in range(start, end):
        if text[place] == 0x28:
            opened.append(place)
        elif text[place] == 0x29:
            if not opened:
                end = place
                break
            opened.pop()
    start = opened[-1] + 1 if opened else start
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), end - (len(inside) - len(inside.rstrip()))


def _around(text: bytes, start: int, end: int) -> tuple[bytes, bytes]:
    """Return the text before a number in its line, and the line with those before and after it, as far as near."""
    begin = text.rfind(b"\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE)
    low = text.rfind(b"\n", max(0, start - _AROUND), start)
    low = text.rfind(b"\n", max(0, start - _AROUND), max(0, low)) + 1 or max(0, start - _AROUND)
    high = text.find(b"\n", end, end + _AROUND)
    high = text.find(b"\n", high + 1, end + _AROUND) if high >= 0 else high
    return text[begin:start], text[low : high if high >= 0 else end + _AROUND]


@lru_cache(8192)
def reading_of(candidate: DescriptorReading) -> ValueReading:
    """Return the reading's id, with the table's name if it is not the default table, and its summary."""
    variant = candidate.kind.variant
    text = one_line(candidate.kind, dict(candidate.fields)).partition(": ")[2]
    return ValueReading(f"{candidate.id}@{variant}" if variant else candidate.id, text)
