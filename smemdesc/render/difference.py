"""What ``decode --diff`` shows: both values a row, marks on what differs, then what it looks like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.descriptors.difference import Difference, Row
from smemdesc.engine.fields import Fixed, Reading, Reserved
from smemdesc.kinds.text import to_hex
from smemdesc.render.bits import place, raw_text, value_text
from smemdesc.render.parts import Span, beside, labelled, line, table

WIDE = 100
"""Columns from which a change is said in 16-byte units, too."""


class Compared(NamedTuple):
    """Two values, field by field."""

    difference: Difference

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        of = self.difference
        size = of.kind.table.width
        yield line((of.kind.title, "heading"))
        yield labelled("A", (to_hex(of.a.bits, of.a.known, size), "value"))
        yield labelled("B", (to_hex(of.b.bits, of.b.known, size), "value"))
        yield labelled("read as", of.reason)
        units = options.max_width >= WIDE
        yield table([_row(row, units) for row in of.rows], ("", "", "field", "A", "B", "B - A"))
        for remark in of.remarks:
            yield beside(("=> ", "heading"), remark)


def _style(row: Row) -> str:
    return "changed" if row.changed else "faint" if row.a.field.constant else ""


def _change(row: Row, units: bool) -> str:
    """Return by how much a field moved; ``units``: also in 16-byte units."""
    if row.delta is None:
        return ""
    change = f"{row.delta:+d} {row.unit}".rstrip()
    return f"{change} = {row.delta // 16:+d} x 16 B" if units and row.unit == "B" else change


def _row(row: Row, units: bool) -> list[Span | Text]:
    style = _style(row)
    return [
        ("*" if row.changed else "", "changed"),
        (place(row.a), "faint"),
        (row.key, style or "key"),
        (_cell(row.a), style),
        (_cell(row.b), style),
        (_change(row, units), style),
    ]


def _cell(reading: Reading) -> str:
    if not reading.complete or isinstance(reading.field.codec, Fixed | Reserved):
        return raw_text(reading)
    text = value_text(reading).partition(" = ")[0]
    return f"{raw_text(reading)} {text}"
