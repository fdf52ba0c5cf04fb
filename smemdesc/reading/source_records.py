"""What a source makes, and the types of CUTLASS whose fields are those of a descriptor."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from smemdesc.engine import known
from smemdesc.engine.errors import FieldError
from smemdesc.engine.fields import Enum, Flag, Table
from smemdesc.kinds.kind import kind_of
from smemdesc.reading import integers
from smemdesc.reading.field_values import own_name
from smemdesc.reading.integers import IntegerType, PartlyKnown
from smemdesc.reading.source_parts import Tokens
from smemdesc.reading.source_text import NAME


class MadeDescriptor(NamedTuple):
    """A descriptor that a source makes: where, how it is shown, and its known bits."""

    start: int
    end: int
    """Where its first statement, or the name of its function, begins and ends."""
    spans: tuple[tuple[int, int], ...]
    """The statements that make it."""
    text: str
    meaning: str
    """What its name calls it (:mod:`smemdesc.reading.naming`)."""
    bits: int
    known: int
    width: int
    table: str = ""
    """The kind of its type, if the text has it."""
    overflow: tuple[int, int] | None = None
    """Where a shift is that is undefined (:func:`smemdesc.reading.source_values.undefined_shift`)."""


class GivenOperand(NamedTuple):
    """An operand of inline assembly: its expression, and what is known of the terms of its sum."""

    text: str
    terms: tuple[tuple[int, int], ...]
    """Bits and known bits of each, of 64."""
    place: int
    """Where the statement begins that sets it; -1 if there is none."""


class SourceReading(NamedTuple):
    """What a source says."""

    values: list[MadeDescriptor]
    operands: dict[int, list[GivenOperand]]
    """Of each statement of inline assembly, by where it begins."""
    instructions: list[tuple[int, int]]
    """Where names of MMAs of a library begin and end."""


_RECORDS = {
    "gmmadescriptor": "wgmma",
    "smemdescriptor": "tcgen05",
    "ummadescriptor": "tcgen05",
    "instrdescriptor": "idesc:f16",
    "instrdescriptorblockscaled": "idesc:mxf8f6f4",
}


def record_of_type(declared: Tokens) -> str:
    """Return the kind of descriptor that a type is; an empty text for another type."""
    names = [token.text for token in declared if token.kind == NAME]
    if not names or any(token.text in ("*", "&", "<") for token in declared):
        return ""
    return _RECORDS.get(names[-1].lower(), "")


def record_by_name(path: str) -> str:
    """Return the kind of descriptor whose field a path names, as ``desc.bitfield.layout_type_``; else an empty text."""
    lower = path.lower()
    if "gmma" in lower and "umma" not in lower:
        return "wgmma"
    return "wgmma" if ".bitfield." in lower else ""


def fields_of_record(record: str) -> Table:
    """Return the field table of a kind of descriptor by its id."""
    return kind_of(record).table


def initial_record(record: str, number: PartlyKnown) -> PartlyKnown:
    """Return a descriptor of which only the bits are known that no field has: a type of CUTLASS sets them to 0."""
    rows = fields_of_record(record)
    width = IntegerType(rows.width, False)
    if integers.truth(number) is False:
        return {width: known.const(0, rows.width)}
    reserved = sum(rows.masks[row.key] for row in rows.rows if row.key.startswith(("reserved", "fixed")))
    return {width: (0, reserved)}


def enumerator_code(rows: Table, key: str, number: PartlyKnown, value: Tokens, types: Container[str]) -> int:
    """Return the code of an enumerator that is assigned to a field; -1 for anything else."""
    if any(one[1] for one in number.values()) and not all(one[1] == 0 for one in number.values()):
        return -1
    names = [token.text for token in value if token.kind == NAME]
    if not names or any(token.text in ("|", "+", "<<", "?", ",", "&") for token in value):
        return -1
    row = rows.row(key)
    if isinstance(row.codec, Flag):
        return {"MN": 1, "K": 0}.get(names[-1], -1) if "Major" in names else -1
    is_qualified = len([name for name in names if name not in types]) > 1
    if not isinstance(row.codec, Enum) or not is_qualified:
        return -1
    try:
        return row.codec.encode(own_name(row, names[-1]))
    except (ValueError, FieldError):
        return -1
