"""What ``mask`` prints: each sub-mask as a strip over its columns, the mask in every form, the columns of B."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.case import Context
from smemdesc.decoding import Result
from smemdesc.errors import SmemdescError
from smemdesc.explain import summary
from smemdesc.fields import ones
from smemdesc.findings.base import Finding
from smemdesc.findings.padding import Expected
from smemdesc.kinds import kind_of
from smemdesc.mask import (
    ColumnMask,
    FilterColumn,
    SubMask,
    alike,
    columns_text,
    expand,
    named,
    row_starts,
)
from smemdesc.render.lines import Line, indented
from smemdesc.render.report import body, finding_lines, verdict
from smemdesc.values import WIDEST, to_hex

RULER = 8
"""Columns between two numbers of the ruler."""
IN_A_PIPE = 64
"""Columns a row of a strip has where no terminal sets the width."""
_STEP = 2 * RULER
"""A row of a strip has a multiple of so many columns."""
_MARGIN = 2


class Marks(NamedTuple):
    """The signs of a strip."""

    zeroed: str
    used: str


PLAIN, BOXES = Marks("#", "."), Marks("█", "·")


def mask_report(
    result: Result, context: Context, *, found: str = "", width: int | None, boxes: bool = False
) -> Iterator[Line]:
    """Yield the lines of a mask descriptor; ``found`` says what it was made from, where it was."""
    yield [(to_hex(result.value, result.known, result.width), "value"), ("  ", ""), (_title(), "heading")]
    if found:
        yield from indented([("  found: ", "dim")], found, "", width)
    yield from body(result, context, bits=False, width=width, boxes=boxes)


def _title() -> str:
    return kind_of("mask").title


def expansion_of(result: Result, context: Context, width: int | None, boxes: bool = False) -> Iterator[Line]:
    """Yield the expansion of a decoded mask for the M and N of ``context``; nothing where there is none."""
    assert context.m
    assert context.n
    if result.known != ones(result.width):
        yield [("mask: ", "heading"), ("open, not every bit of the descriptor is known", "")]
        return
    try:
        expanded = expand(result.value, context.m, context.n)
    except SmemdescError:
        return  # the findings say why
    yield from expansion(expanded, width, boxes)


def expansion(mask: ColumnMask, width: int | None, boxes: bool = False) -> Iterator[Line]:
    """Yield an expanded mask: the strip of each sub-mask, then the whole in every form."""
    marks = BOXES if boxes else PLAIN
    parts = len(mask.sub_masks)
    cut = f"{parts} sub-masks of {mask.sub_masks[0].width} columns" if parts > 1 else "one sub-mask"
    yield [
        ("mask: ", "heading"),
        (f"M = {mask.m}, N = {mask.n}, {cut}; {marks.zeroed} zeroed, {marks.used} used", ""),
    ]
    for sub in mask.sub_masks:
        yield [(f"sub-mask {sub.number}", "key"), (f"  columns {sub.first}-{sub.last}, {_begins(mask, sub)}", "")]
        yield from strip(sub.bits, sub.first, sub.width, width, marks)
        if parts > 1:
            yield from indented([("  zeroed: ", "dim")], columns_text(sub.zeroed), "", width)
        yield from _digits([("  binary: ", "dim")], binary(sub.bits, sub.width), width)
    yield from indented([("zeroed: ", "heading")], columns_text(mask.zeroed), "value", width)
    yield from _digits([("hex: ", "heading")], f"0x{mask.bits:0{mask.digits}x}", width)
    first, last = mask.columns
    reads = f"column c of the MMA reads column c + {mask.shift}" if mask.shift else "not shifted"
    yield [("B: ", "heading"), (f"columns {first}-{last} are read, {reads}", "")]


def _begins(mask: ColumnMask, sub: SubMask) -> str:
    if not mask.generated:
        return "no mask is generated"
    span = f"zeroed span of {mask.skip_span}" if sub.begins_zeroed else f"used span of {mask.use_span}"
    return f"{sub.start_count} into a {span}" if sub.start_count else f"from the start of a {span}"


def strip(bits: int, first: int, count: int, width: int | None, marks: Marks) -> Iterator[Line]:
    """Yield a ruler and the columns under it, as many a row as fit."""
    room = IN_A_PIPE if width is None else max(_STEP, (width - _MARGIN) // _STEP * _STEP)
    for at in range(0, count, room):
        size = min(room, count - at)
        yield [(" " * _MARGIN, ""), (ruler(first + at, size, width), "dim")]
        line: Line = [(" " * _MARGIN, "")]
        for zeroed, low, high in alike(bits >> at, 0, size):
            sign, style = (marks.zeroed, "changed") if zeroed else (marks.used, "dim")
            line.append((sign * (high - low + 1), style))
        yield line


def ruler(first: int, count: int, width: int | None = None) -> str:
    """Return the numbers of columns over a strip: its first, then every eighth of all; none beyond ``width``."""
    text = str(first)
    for column in range(first + 1, first + count):
        at = column - first
        if column % RULER or at <= len(text):
            continue
        label = str(column)
        if width is not None and _MARGIN + at + len(label) > width:
            break
        text += " " * (at - len(text)) + label
    return text


def binary(bits: int, width: int) -> str:
    """Return a mask as the PTX ISA prints it: the highest column left, one group a run."""
    groups = [("1" if zeroed else "0") * (last - first + 1) for zeroed, first, last in alike(bits, 0, width)]
    return " ".join(["0b", *reversed(groups)])


def _digits(prefix: Line, text: str, width: int | None) -> Iterator[Line]:
    """Yield digits after ``prefix``; on a terminal broken where the line is full, within a group if need be."""
    margin = sum(len(part) for part, _ in prefix)
    room = max(24, len(text) if width is None else width - margin)
    for at in range(0, len(text), room):
        yield [*([(" " * margin, "")] if at else prefix), (text[at : at + room], "raw")]


def conv_report(
    columns: tuple[FilterColumn, ...],
    q: int,
    tile: int,
    left: int,
    expected: tuple[Expected, ...],
    findings: tuple[Finding, ...],
    width: int | None,
    boxes: bool = False,
) -> Iterator[Line]:
    """Yield the masks of a convolution's tile, one filter column after the other, and the comparisons."""
    marks = BOXES if boxes else PLAIN
    m, n = columns[0].mask.m, columns[0].mask.n
    yield from indented(
        [("convolution: ", "heading")],
        f"rows of {q} pixels, {left} of padding on the left, {len(columns)} filter columns; M = {m}, N = {n}",
        "",
        width,
    )
    starts = row_starts(q, n, tile)
    shown = ", ".join(map(str, starts)) if starts else "in no column"
    yield from indented(
        [(f"tile {tile}: ", "heading")],
        f"pixels {tile * n}-{tile * n + n - 1} of all rows; a row begins at {shown}; {_legend(marks)}",
        "",
        width,
    )
    kind = kind_of("mask")
    for column in columns:
        mask = column.mask
        yield []
        yield [(f"s = {column.s}", "heading"), ("  ", ""), (to_hex(mask.value, kind.table.full, WIDEST), "value")]
        yield from indented([("  ", "")], summary(kind, kind.table.read(mask.value)), "", width)
        for sub in mask.sub_masks:
            yield from strip(sub.bits, sub.first, sub.width, width, marks)
        yield from indented([("  zeroed: ", "dim")], columns_text(mask.zeroed), "", width)
        first, last = mask.columns
        yield [("  B: ", "dim"), (f"columns {first}-{last} are read", "")]
        yield _agreement(column)
        for each in expected:
            if each.column is column:
                same = each.comparison.same
                differs = f" differs in {named(each.comparison.differs)}"
                yield [
                    ("  expected: ", "dim"),
                    (to_hex(each.value, kind.table.full, WIDEST), "value"),
                    (" zeroes exactly the padding" if same else differs, "good" if same else "error"),
                ]
    yield []
    yield from finding_lines(findings, width)
    yield [("verdict: ", "heading"), *verdict(findings, kind.table.full, WIDEST)]


def _legend(marks: Marks) -> str:
    return f"{marks.zeroed} zeroed, {marks.used} used"


def _agreement(column: FilterColumn) -> Line:
    if column.agrees:
        count = column.padding.bit_count()
        what = "no column is padding" if not count else f"{count} column{'s' if count > 1 else ''}"
        return [("  padding: ", "dim"), (f"{what}, as the mask says", "good")]
    return [("  padding: ", "dim"), ("the mask zeroes other columns", "error")]
