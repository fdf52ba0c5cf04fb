"""The values in the lines of a log, a debugger's session or other text, as ``decode`` reads the same lines.

The line of a value is read by :mod:`smemdesc.reading`, as on standard input. Of a long text only the lines are read
that may have one: most have none, and reading a line takes far longer than finding this out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import groupby

from smemdesc.descriptors.batch import BatchLine, Item, only_meant, read_batch, row_form, table_cells
from smemdesc.descriptors.likely import likely_in, may_be_matrix, nearest_readings
from smemdesc.descriptors.ranking import in_sound_base, is_sound_in_no_base, ranked_readings
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones
from smemdesc.reading.memory import in_rows
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION, LONGEST_NAME, called
from smemdesc.reading.text import VALUE_BITS, WIDE_MARKS, Literal
from smemdesc.scanning.inputs.literals import heading_above, is_in_row, reading_of
from smemdesc.scanning.inputs.tensor_maps import map_value
from smemdesc.scanning.model import TextValue, ValueReading

_SHORT = 4096
"""Bytes of a text of which every line is read."""
# Each pattern begins with a set of characters, which the search for it passes over text with.
_NUMBER = re.compile(
    rb"[0-9a-f](?:(?<=0)[xX]([0-9a-fA-F?][0-9a-fA-F?_']{4,20})|(?<![\w.][0-9a-f])[0-9a-f]{10,19}(?!\w))"
)
_BYTES = re.compile(rb"[0-9a-f](?<!\w[0-9a-f])[0-9a-f] ?(?:[0-9a-f]{2} ?){5}[01][0-9a-f] ?[02468c]0(?!\w)")
"""Eight bytes of memory whose last may be the first of a descriptor."""
_ALIKE = bytes(ord("0") if chr(byte) in "0123456789abcdef" else byte for byte in range(256))
_RUN = b"0" * 11
"""The fewest digits of a number without a prefix, and of eight bytes, of which any digit counts as 0."""
_NAMES = re.compile(rb"[dmt](?:(?<=d)esc|(?<=m)(?:ma|ov)|(?<=t)cgen05)")
"""Words of lines whose numbers are values, whatever their bits are."""
_WORDS_OF_ROW = re.compile(rb"[ \t]*+[0-9a-f]{4,16}:?[ \t]++((?:[0-9a-f]{4}\b *+){4,8}|(?:[0-9a-f]{8}\b *+){2,8})")
"""The words of a row that ``od -tx4`` or ``hexdump`` prints, the low one of each value first."""
_ALONE = re.compile(
    rb"[ \t]*+(?:[-*+>]|\d{1,3}[.)]|\[\d{1,3}\]:?)?[ \t\"'({\[]*+0[xX][0-9a-fA-F?]|[ \t]*+[0-9a-fA-F?]{16}[ \t]*+$"
)
_WORDS = re.compile(
    rb"[lhy$\[({g](?:(?<=\$)\d++ = "
    rb"|(?:(?<=\bl)ow?|(?<=\bh)i(?:gh)?|(?<=\by))(?:[\"']?[ \t]*+[:=]|[ \t]++[\da-f]{4,8}\b)"
    rb"|(?<=[\[({])[-\dxa-fA-F]++,[ \t]*+[-\dxa-fA-F]++|(?<=\w\[)\d{1,9}\][ \t]*+[:=]|(?<=g)db\) )"
)
"""Words of one value, by their names or in brackets, and what a debugger prints."""


def line_values(text: bytes, first: int, low: int, high: int, indent: int, arch: str | None) -> Iterator[TextValue]:
    """Yield the values that begin between two offsets of a text; ``first`` is the number of its first line, which
    begins ``indent`` bytes before it."""
    text = text if text.isascii() else _with_plain_marks(text)
    lines = text.decode("latin-1").split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    end, is_named = 0, False
    for item in only_meant(read_batch(_read_lines(lines, len(text) <= _SHORT, arch), arch), arch):
        literal = item.literal
        if literal is None or item.is_word:
            continue
        literal = in_sound_base(literal, None, None, arch)
        if is_sound_in_no_base(literal, arch):
            continue
        at, column = _place(item, lines)
        place = begins[at] + column
        before = text[max(begins[at], place - LONGEST_NAME) : place]
        names = literal.called, called(heading_above(text, place) + before.decode("latin-1"))
        is_named = not {DESCRIPTOR, INSTRUCTION}.isdisjoint(names) or (is_named and is_in_row(text, end, place))
        end = place + len(literal.text)
        if low <= place < high:
            value = _value(literal, item, first + at, column + 1 + (indent if at == 0 else 0), arch)
            yield value._replace(named=value.named or is_named)


def _with_plain_marks(text: bytes) -> bytes:
    """Return a text with the marks of other scripts as those of ASCII, and blanks to the same length."""
    return _WIDE_MARK.sub(lambda match: match[0].decode().translate(WIDE_MARKS).encode().ljust(len(match[0])), text)


_WIDE_MARK = re.compile("|".join(map(chr, WIDE_MARKS)).encode())


def _read_lines(lines: list[str], is_short: bool, arch: str | None) -> Iterator[BatchLine]:
    """Yield the lines that may have a value, numbered from 0; for each run of others an empty one."""
    skipped = False
    above: BatchLine | None = None  # the row right above, if it may have a value
    rows = set() if is_short else _in_dumps(lines, arch)
    every = (BatchLine(core, f"line {at}") for at, line in enumerate(lines) if (core := line.strip()))
    for line in table_cells(every):
        text = line.text.encode("latin-1")
        is_meant = is_short or line.called != "" or line.where in rows
        has_value = is_meant or _may_have_value(text, arch)
        is_like = not has_value and above is not None and _is_row_like(text, above.text.encode("latin-1"))
        if is_like or has_value:
            yield line
            skipped = False
        elif not skipped:
            yield line._replace(text="")
            skipped = True
        above = line if has_value or is_like else None


def _in_dumps(lines: list[str], arch: str | None) -> set[str]:
    """Return the places of the rows of memory that may have a value, and of all rows beside them: of a dump the first
    rows decide (:func:`smemdesc.descriptors.batch.only_meant`)."""
    places: set[str] = set()
    for is_row, group in groupby(enumerate(lines), lambda each: _ROW.match(each[1]) is not None):
        rows = list(group) if is_row else []
        if any(_may_have_value(line.encode("latin-1"), arch) or _has_row(line, arch) for _, line in rows[:_FIRST_ROWS]):
            places.update(f"line {at}" for at, _ in rows)
    return places


_ROW = re.compile(r"[ \t]*+[0-9a-f]{4,16}:?[ \t]++[0-9a-f]{2,16}[ \t]++[0-9a-f]{2,16}(?![^ \t])")
_FIRST_ROWS = 8


def _has_row(line: str, arch: str | None) -> bool:
    """Whether a row of memory may have a value, in any form that is read."""
    with suppress(SmemdescError):
        return any(_may_be_value(literal.number, arch) for literal in in_rows(line))
    return False


def _is_row_like(line: bytes, above: bytes) -> bool:
    """Whether a row and the one above have the same words before a wide number."""
    words = _words_of_row(line)
    return words != "" and words == _words_of_row(above)


def _words_of_row(line: bytes) -> str:
    """Return the words of a row before a wide number (:func:`smemdesc.descriptors.batch.row_form`)."""
    number = _WIDE.search(line)
    return "" if number is None else row_form(line[: number.start()].decode("latin-1"))


_WIDE = re.compile(rb"0[xX][0-9a-fA-F]{9,16}\b")


def _may_have_value(line: bytes, arch: str | None) -> bool:
    if _NAMES.search(line.lower()) and re.search(rb"\d", line):
        return True
    if _ALONE.match(line) or _WORDS.search(line):
        return True
    if b"0x" not in line and b"0X" not in line and _RUN not in line.translate(_ALIKE, b" "):
        return False  # most lines of a log
    if any(_may_be_value(number, arch) for number in _of_words(line)):
        return True
    for match in _NUMBER.finditer(line):
        digits = (match[1] or match[0]).translate(None, b"_'")
        is_decimal = not match[1] and digits.isdigit() and line[match.end() : match.end() + 1] != b"."
        if b"?" in digits or (match[1] and len(digits) > 16):
            return b"?" in digits
        if not (match[1] or is_decimal or len(digits) == 16):
            continue
        bases = (16,) if match[1] else (10,) * is_decimal + (16,) * (len(digits) == 16)
        if any(_may_be_value(int(digits, base), arch) for base in bases):
            return True
    return any(
        may_be_matrix(int.from_bytes(bytes.fromhex(match[0].decode()), "little"), 0, VALUE_BITS, arch)
        for match in _BYTES.finditer(line)
    )


def _of_words(line: bytes) -> Iterator[int]:
    """Yield the values of a row of words."""
    row = _WORDS_OF_ROW.match(line)
    if row is None:
        return
    cells = row[1].split()
    each = VALUE_BITS // 4 // len(cells[0])
    for at in range(0, len(cells), each):
        yield int(b"".join(reversed(cells[at : at + each])), 16)


def _may_be_value(number: int, arch: str | None) -> bool:
    return number >> VALUE_BITS == 0 and may_be_matrix(number, 0, VALUE_BITS if number >> WORD else WORD, arch)


def _places(line: BatchLine) -> range:
    """Return the lines, from 0, that were joined into one."""
    first, _, last = line.where.rpartition(" ")[2].partition("-")
    return range(int(first), int(last or first) + 1)


def _place(item: Item, lines: list[str]) -> tuple[int, int]:
    """Return the line and the column, both from 0, in which the value of an item begins."""
    assert item.literal is not None
    text, begin = item.line.text, item.literal.begin
    at = _places(item.line)[0] + text.count("\n", 0, begin)
    line = text[text.rfind("\n", 0, begin) + 1 :].partition("\n")[0]
    inside = begin - (text.rfind("\n", 0, begin) + 1)
    column = max(0, lines[at].find(line)) + inside
    return at, max(column, lines[at].find(item.literal.text.strip(), column))  # a cell of a row of memory


@lru_cache(4096)
def _readings_of(literal: Literal, arch: str | None) -> tuple[ValueReading, ...]:
    return tuple(map(reading_of, ranked_readings(literal, arch=arch)))


def _value(literal: Literal, item: Item, line: int, column: int, arch: str | None) -> TextValue:
    if literal.width > VALUE_BITS:
        return map_value(literal, line, column)
    width = literal.width or (WORD if literal.bit_length <= WORD else VALUE_BITS)
    bits, known = literal.at(width)
    likely = likely_in(literal, item.line.text, arch)
    if literal.called == INSTRUCTION and not any(each.kind.name == "idesc" for each in likely):
        likely = nearest_readings(bits, ones(width) & ~known, width, INSTRUCTION, arch)
    readings = tuple(map(reading_of, likely)) or _readings_of(literal._replace(begin=0, register="", unread=""), arch)
    text = " ".join(literal.text.split())
    typed = text if literal.start is not None else ""
    return TextValue(line, column, text, readings, bits, width, known, not likely, typed)
