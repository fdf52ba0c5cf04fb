"""What ``decode --diff`` prints: both values a row, marks on what differs, then what it looks like."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.comparing import Difference, Row
from smemdesc.fields import Fixed, Reading, Reserved
from smemdesc.render.lines import Line, Span, columns, indented
from smemdesc.render.report import place, raw_text, value_text
from smemdesc.values import to_hex

GAP = 2
"""Blanks between columns."""


def difference_lines(difference: Difference, width: int | None) -> Iterator[Line]:
    """Yield the lines of a comparison."""
    yield [(difference.kind.title, "heading")]
    size = difference.kind.table.width
    yield [("  A: ", "dim"), (to_hex(difference.a.bits, difference.a.known, size), "value")]
    yield [("  B: ", "dim"), (to_hex(difference.b.bits, difference.b.known, size), "value")]
    yield from indented([("  taken: ", "dim")], difference.reason, "", width)
    rows = [[*_row(row), (_change(row), _style(row))] for row in difference.rows]
    sizes = [max(len(row[i][0]) for row in rows) for i in range(len(rows[0]))]
    if width is not None and sum(sizes) + GAP * (len(sizes) - 1) > width:
        rows = [[*_row(row), (_change(row, units=False), _style(row))] for row in difference.rows]
    yield from columns([_head(), *rows], width, GAP)
    for remark in difference.remarks:
        yield from indented([("=> ", "heading")], remark, "", width)


def _head() -> list[Span]:
    return [("", ""), ("", ""), ("field", "dim"), ("A", "dim"), ("B", "dim"), ("B - A", "dim")]


def _style(row: Row) -> str:
    return "changed" if row.changed else "dim" if row.a.field.constant else ""


def _change(row: Row, *, units: bool = True) -> str:
    """Return by how much a field moved; ``units``: also in 16-byte units."""
    if row.delta is None:
        return ""
    change = f"{row.delta:+d} {row.unit}".rstrip()
    return f"{change} = {row.delta // 16:+d} x 16 B" if units and row.unit == "B" else change


def _row(row: Row) -> list[Span]:
    style = _style(row)
    return [
        ("*" if row.changed else "", "changed"),
        (place(row.a), "dim"),
        (row.key, style or "key"),
        (_cell(row.a), style),
        (_cell(row.b), style),
    ]


def _cell(reading: Reading) -> str:
    if not reading.complete or isinstance(reading.field.codec, Fixed | Reserved):
        return raw_text(reading)
    text = value_text(reading).partition(" = ")[0]
    return f"{raw_text(reading)} {text}"
