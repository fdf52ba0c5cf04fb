"""The bits of a value: a strip of two lines, a diagram with flags to the names, and a field's texts and color."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.text import Text

from smemdesc.engine.fields import WORD, Field, FieldReading, Fixed, Reserved, UnknownBits
from smemdesc.render.console import AGAIN, CHUNK_COLORS
from smemdesc.render.parts import fitted
from smemdesc.rules.base import ERROR, WARNING, Finding


def bit_range(of: FieldReading | Field) -> str:
    """Return ``[hi:lo]``, or ``[bit]`` for a single bit."""
    return f"[{of.hi}]" if of.hi == of.lo else f"[{of.hi}:{of.lo}]"


def raw_text(reading: FieldReading, *, padded: bool = True) -> str:
    """Return the raw number in hexadecimal, padded to the field's width; binary with ``?`` if it is partly known."""
    if not reading.complete:
        return f"0b{reading.binary()}" if reading.known else "?"
    padded = padded and (reading.field.width <= WORD or bool(reading.bits))
    digits = f"{reading.bits:0{(reading.field.width + 3) // 4 if padded else 1}x}"
    return f"0x{digits}" if len(digits) <= DIGITS else f"0x{digits[: DIGITS // 2]}...{digits[-DIGITS // 2 :]}"


DIGITS = 16
"""The most hexadecimal digits: no field with a meaningful number has more."""


def value_text(reading: FieldReading) -> str:
    """Return the value with its unit, ``?`` if it is not known; empty for reserved bits and constants."""
    codec = reading.field.codec
    if isinstance(codec, Reserved | Fixed):
        return ""
    return codec.text(reading.bits, reading.by) if reading.settled else "?"


MARKED_SEVERITIES = (ERROR, WARNING)
"""The severities whose style marks the bits and rows of their fields, worst first."""


def field_styles(fields: Mapping[str, FieldReading], findings: Iterable[Finding]) -> dict[str, str]:
    """Return the style of each field: of its worst finding, else its own color; faint for a constant."""
    marked = [(finding.severity, key) for finding in findings for key in finding.fields]
    styles: dict[str, str] = {}
    number = 0
    for key, reading in fields.items():
        own = "faint"
        if not reading.field.constant:
            again, chunk = divmod(number, len(CHUNK_COLORS))
            own = f"chunk{chunk}{AGAIN * (again % 2)}"
            number += 1
        marks = (mark for mark in MARKED_SEVERITIES if (mark, key) in marked)
        wrong = reading.contradicts and not isinstance(reading.field.codec, UnknownBits)
        styles[key] = next(marks, ERROR if wrong else own)
    return styles


@fitted
def bit_strip(
    console: Console, options: ConsoleOptions, fields: Mapping[str, FieldReading], styles: Mapping[str, str]
) -> Iterator[Segment]:
    """The bits, most significant left, each field in its color, under the number of its highest bit.

    On a narrow terminal the fields continue below.
    """
    faint = console.get_style("faint")
    ruler, wide = "", 0
    bits: list[Segment] = []
    for key, reading in reversed(list(fields.items())):
        group = reading.binary()
        if wide and wide + len(group) > options.max_width:
            yield from (Segment(ruler + "\n", faint), *bits, Segment.line())
            ruler, bits, wide = "", [], 0
        if len(ruler) <= wide:
            ruler = f"{ruler:{wide}}{reading.hi} "
        bits += [Segment(group, console.get_style(styles[key])), Segment(" ")]
        wide += len(group) + 1
    yield from (Segment(ruler + "\n", faint), *bits, Segment.line())


@fitted
def compared_strip(
    console: Console, options: ConsoleOptions, a: Mapping[str, FieldReading], b: Mapping[str, FieldReading]
) -> Iterator[Text]:
    """The bits of two values below each other, with a mark under each that differs.

    On a narrow terminal the fields continue below.
    """
    lines = [Text("   ", "faint"), Text(" A ", "label"), Text(" B ", "label"), Text("   ")]
    ruler, first, second, marks = (text.copy() for text in lines)
    for key, reading in reversed(list(a.items())):
        bits, others = reading.binary(), b[key].binary()
        if len(first) > 3 and len(first) + len(bits) > options.max_width:
            yield from (ruler, first, second, marks)
            ruler, first, second, marks = (text.copy() for text in lines)
        if len(ruler) <= len(first):
            ruler.append(" " * (len(first) - len(ruler)) + f"{reading.hi} ")
        for bit, other in zip(bits, others, strict=True):
            style = "changed" if bit != other else "faint"
            first.append(bit, style)
            second.append(other, style)
            marks.append("^" if bit != other else " ", style)
        for text in (first, second, marks):
            text.append(" ")
    yield from (ruler, first, second, marks)


def _is_empty(reading: FieldReading) -> bool:
    return isinstance(reading.field.codec, Reserved) and reading.complete and not reading.bits


@fitted
def diagram(
    console: Console, options: ConsoleOptions, fields: Mapping[str, FieldReading], styles: Mapping[str, str]
) -> Iterator[Text]:
    """The bits of each 32-bit word, most significant left, with flags to the field names.

    Words of zeros inside a reserved field share a line; a field of several words has its number at the lowest.
    """
    bar, corner, dash = "|`-" if options.ascii_only else "│└─"
    width = max(reading.hi for reading in fields.values()) + 1
    empty = 0
    for top in range(width - 1, 0, -WORD):
        low = top - WORD + 1
        across = reversed(list(fields.items()))
        here = [(key, reading) for key, reading in across if reading.lo <= top and reading.hi >= low]
        if here[0][1].lo < low and _is_empty(here[0][1]):
            empty += WORD
            continue
        if empty:
            yield Text(f"bits {top + empty}..{top + 1}: 0", "faint")
            empty = 0
        yield Text(f"bits {top}..{low}", "faint")
        bits = Text("  ")
        starts = []
        for key, reading in here:
            starts.append(len(bits))
            part = slice(max(0, reading.hi - top), reading.hi - low + 1)
            bits.append(reading.binary()[part], styles[key]).append(" ")
        yield bits
        texts = [
            f" {reading.field.key}" + (f" {raw_text(reading)}" if reading.lo >= low else "") for _, reading in here
        ]
        fits = len(bits) + 1 + max(map(len, texts)) <= options.max_width
        for index in range(len(here) - 1, -1, -1):
            key, reading = here[index]
            flag = Text(no_wrap=True, overflow="ignore")
            for start in starts[:index]:
                flag.append(" " * (start - len(flag)) + bar, "faint")
            flag.append(" " * (starts[index] - len(flag)))
            # The texts are below each other; on a narrow terminal, each beside its corner.
            flag.append(corner + dash * (len(bits) - starts[index] if fits else 0), "faint").append(" ")
            flag.append(reading.field.key, styles[key])
            yield flag.append(f" {raw_text(reading)}") if reading.lo >= low else flag
    yield Text()
