"""Descriptors that C++, Rust and Python sources make: of expressions and statements, and by calls of known libraries.

What is known of the values is found by :mod:`smemdesc.reading.source_values`; here is decided which of them are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.descriptors.ranking import rank
from smemdesc.descriptors.readings import FITS, WHOLE, DescriptorReading
from smemdesc.engine.fields import ones
from smemdesc.kinds.kind import kind_of
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION
from smemdesc.reading.source_values import SourceReading, SourceValue
from smemdesc.reading.text import parse_value, to_hex
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import TextValue, ValueReading

_MADE = re.compile(
    rb"(?i)desc[\w.\])>-]{0,60}\s*(?:[|+^&]?=(?!=)|\{|:)[^;\n]{0,400}?(?:<<|[|(])|desc\w*\s*\([^;{}]*\)[^;{}]*\{"
    rb"|\.bitfield\.|_dim_\s*="
)
"""What a text has in which a descriptor is made."""
_LIBRARY = re.compile(
    rb"\btl::(?:initialize_wgmma_descriptor[ \t]*+<(?P<wgmma>[\w, \t]{1,100}+)>[ \t]*+\("
    rb"|initialize_tcgen05_descriptor[ \t]*+\((?P<tcgen05>[^;]{1,400}?)\)[ \t\r\n]*+;)"
)
"""Calls of TileLang: layout type, LBO and SBO as template arguments; or the fields as function arguments."""
_TCGEN05 = ("leading_byte_offset", "stride_byte_offset", "base_offset", "lbo_mode", "swizzle")
_WGMMA = ("swizzle", "leading_byte_offset", "stride_byte_offset")


class ListedSource(NamedTuple):
    """A value, and where the statements begin and end that make it."""

    value: TextValue
    spans: tuple[tuple[int, int], ...]


def makes_descriptors(text: bytes) -> bool:
    """Whether a text may have statements that make descriptors."""
    return _MADE.search(text) is not None or _LIBRARY.search(text) is not None


def descriptors_made(
    reading: SourceReading, text: bytes, first: int, low: int, high: int, arch: str | None
) -> Iterator[ListedSource]:
    """Yield the descriptors that a source makes between two offsets, as far as known."""
    for made in reading.values:
        if low <= made.start < high and (readings := _readings(made, arch)):
            yield ListedSource(_listed(text, first, made, readings), made.spans)
    for made in _library_calls(text):
        if low <= made.start < high:
            kind = kind_of(made.table)
            candidate = DescriptorReading(kind, WHOLE, made.bits, made.known)
            if candidate.grade == FITS:
                yield ListedSource(_listed(text, first, made, (reading_of(candidate),)), made.spans)


def _listed(text: bytes, first: int, made: SourceValue, readings: tuple[ValueReading, ...]) -> TextValue:
    line = first + text.count(b"\n", 0, made.start)
    column = made.start - text.rfind(b"\n", 0, made.start)
    is_named = made.meaning in (DESCRIPTOR, INSTRUCTION)
    return TextValue(line, column, made.text, readings, made.bits, made.width, made.known, named=is_named)


def _readings(made: SourceValue, arch: str | None) -> tuple[ValueReading, ...]:
    """Return what a value is read as; none where too little of it is known, or the reader of numbers lists it."""
    if not made.text or not made.bits:
        return ()
    if made.table:
        candidates = [DescriptorReading(kind_of(made.table, None, arch), WHOLE, made.bits, made.known)]
        settled = _is_telling(candidates[0])
        return (reading_of(candidates[0]),) if settled else ()
    literal = parse_value(to_hex(made.bits, made.known, made.width))
    kind = "idesc" if made.meaning == INSTRUCTION else None
    ranking = rank(literal, kind, arch=arch)
    candidates = [reading for reading in ranking.readings if _is_telling(reading)]
    if not candidates:
        return ()
    if made.meaning not in (DESCRIPTOR, INSTRUCTION):
        fields = [reading.fields for reading in candidates]
        if not ranking.fits or not all(
            each["swizzle"].settled and each["stride_byte_offset"].settled and each["stride_byte_offset"].raw
            for each in fields
            if "swizzle" in each
        ):
            return ()
    return tuple(reading_of(reading) for reading in candidates)


def _is_telling(reading: DescriptorReading) -> bool:
    """Whether enough is known of a descriptor to say something about it: its swizzle mode, or a stride; its types."""
    if reading.kind.name == "idesc":
        return reading.known & ones(reading.kind.table.width) == ones(reading.kind.table.width) or any(
            reading.fields[key].settled for key in ("n", "m", "a_type") if key in reading.fields
        )
    keys = ("swizzle", "stride_byte_offset")
    return any(reading.fields[key].settled and reading.fields[key].raw for key in keys if key in reading.fields)


def _library_calls(text: bytes) -> Iterator[SourceValue]:
    for match in _LIBRARY.finditer(text):
        kind, keys = ("wgmma", _WGMMA) if match["wgmma"] else ("tcgen05", _TCGEN05)
        arguments = [
            argument.strip() for argument in (match["wgmma"] or match["tcgen05"]).decode("utf-8", "replace").split(",")
        ]
        raw_values = _raws(arguments if kind == "wgmma" else arguments[-len(keys) :], keys)
        if raw_values is not None:
            table = kind_of(kind).table
            shown = match[0].decode("utf-8", "replace").partition("(")[0] if kind == "wgmma" else match[0].decode()
            bits = table.pack({**dict.fromkeys(("start_address",), 0), **raw_values})
            known = table.full & ~table.masks["start_address"]
            yield SourceValue(
                *(*match.span(), (match.span(),), " ".join(shown.split()), DESCRIPTOR, bits & known, known),
                *(table.width, kind),
            )


def _raws(arguments: list[str], keys: tuple[str, ...]) -> dict[str, int] | None:
    """Return the raw number of each field; None if an argument is not a number."""
    words = [{"true": "1", "false": "0"}.get(argument, argument) for argument in arguments[: len(keys)]]
    if len(words) < len(keys) or not all(re.fullmatch(r"\d{1,5}|0x[0-9a-fA-F]{1,4}", word) for word in words):
        return None
    table = kind_of("wgmma" if keys is _WGMMA else "tcgen05").table
    raw_values = {key: int(word, 0) for key, word in zip(keys, words, strict=True)}
    return raw_values if all(number <= ones(table.row(key).width) for key, number in raw_values.items()) else None
