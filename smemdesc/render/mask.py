"""Zero-column masks, in text and as a picture: each sub-mask as a strip over its columns, the columns of B."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from smemdesc.descriptors.explain import one_line
from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import ones
from smemdesc.engine.wording import many
from smemdesc.instructions.convolution import CheckedMask, Convolution
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.zero_columns import (
    ColumnMask,
    FilterColumn,
    SubMask,
    columns_phrase,
    columns_text,
    equal_runs,
    row_starts,
)
from smemdesc.reading.text import VALUE_BITS, to_hex
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.console import broken
from smemdesc.render.diagnostics import diagnostics, verdict_spans
from smemdesc.render.parts import DrawnParts, beside, fitted, labeled, line
from smemdesc.render.svg import (
    BAD,
    FAINT,
    GOOD,
    GROUND,
    INK,
    Braces,
    Chart,
    ColorKey,
    Outline,
    Paragraph,
    Swatch,
    draw,
    heading,
    text_width,
)

RULER = 8
"""Columns between two numbers of the ruler."""
IN_A_PIPE = 64
"""Columns per row of a strip if no terminal sets the width."""
_STEP = 2 * RULER
"""The columns of a row of a strip are a multiple of this."""
_MARGIN = 2


class Marks(NamedTuple):
    """The characters of a strip."""

    zeroed: str
    used: str


PLAIN, BOXES = Marks("#", "."), Marks("█", "·")


def marks(options: ConsoleOptions) -> Marks:
    """Return the characters that a stream can show."""
    return PLAIN if options.ascii_only else BOXES


@fitted
def mask_strip(console: Console, options: ConsoleOptions, bits: int, first: int, columns: int) -> Iterator[Segment]:
    """A ruler and the columns of a mask below it, as many per row as fit."""
    width = options.max_width if broken(options) else None
    room = IN_A_PIPE if width is None else max(_STEP, (width - _MARGIN) // _STEP * _STEP)
    signs = marks(options)
    styles = {True: console.get_style("changed"), False: console.get_style("faint")}
    for at in range(0, columns, room):
        size = min(room, columns - at)
        yield Segment(" " * _MARGIN)
        yield Segment(ruler(first + at, size, width) + "\n", styles[False])
        yield Segment(" " * _MARGIN)
        for zeroed, low, high in equal_runs(bits >> at, 0, size):
            yield Segment((signs.zeroed if zeroed else signs.used) * (high - low + 1), styles[bool(zeroed)])
        yield Segment.line()


def ruler(first: int, count: int, width: int | None = None) -> str:
    """Return the column numbers above a strip: its first, then the multiples of 8; none beyond ``width``."""
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


def expansion_of(result: Result) -> Iterator[RenderableType]:
    """Yield the expansion of a decoded mask for the M and N of its context; nothing if it cannot be expanded."""
    if result.known != ones(result.width):
        yield line(("mask: ", "heading"), "not expanded: not every bit of the descriptor is known")
    elif result.expansion is not None:
        yield mask_view(result.expansion)


@fitted
def mask_view(console: Console, options: ConsoleOptions, mask: ColumnMask) -> Iterator[RenderableType]:
    """An expanded mask: the strip of each sub-mask, then the mask in every form."""
    parts = len(mask.sub_masks)
    cut = f"{parts} sub-masks of {mask.sub_masks[0].width} columns" if parts > 1 else "one sub-mask"
    yield line(("mask: ", "heading"), f"M = {mask.m}, N = {mask.n}, {cut}; {_legend(options)}")
    for sub in mask.sub_masks:
        yield line((f"sub-mask {sub.number}", "key"), f"  columns {sub.first}-{sub.last}, {_start_text(mask, sub)}")
        yield mask_strip(sub.bits, sub.first, sub.width)
    yield beside(("zeroed: ", "heading"), (columns_text(mask.zeroed), "value"))
    yield beside(("hex: ", "heading"), f"0x{mask.bits:0{mask.digits}x}")
    first, last = mask.columns
    reads = f"column c of the MMA reads column c + {mask.shift}" if mask.shift else "not shifted"
    yield beside(("B: ", "heading"), f"columns {first}-{last} are read, {reads}")


def _start_text(mask: ColumnMask, sub: SubMask) -> str:
    if not mask.generated:
        return "no mask is generated"
    span = f"zeroed span of {mask.skip_span}" if sub.begins_zeroed else f"used span of {mask.use_span}"
    return f"{sub.start_count} into a {span}" if sub.start_count else f"from the start of a {span}"


@fitted
def conv_view(console: Console, options: ConsoleOptions, conv: Convolution) -> Iterator[RenderableType]:
    """The masks of a convolution's tile, by filter column, and the comparisons."""
    kind = kind_of("mask")
    m, n = conv.columns[0].mask.m, conv.columns[0].mask.n
    yield beside(
        ("convolution: ", "heading"),
        f"rows of {conv.q} pixels, {conv.left} of padding on the left, {len(conv.columns)} filter columns; "
        f"M = {m}, N = {n}: ",
        *verdict_spans(conv.findings, kind.table.full, VALUE_BITS),
    )
    starts = row_starts(conv.q, n, conv.tile)
    shown = ", ".join(map(str, starts)) if starts else "in no column"
    first = conv.tile * n
    yield beside(
        (f"tile {conv.tile}: ", "heading"),
        f"pixels {first}-{first + n - 1} of all rows; a row begins at {shown}; {_legend(options)}",
    )
    for column in conv.columns:
        yield from _column(conv, column)
    if conv.findings:
        yield Text()
        yield diagnostics(conv.findings)


def _column(conv: Convolution, column: FilterColumn) -> Iterator[RenderableType]:
    kind = kind_of("mask")
    mask = column.mask
    yield Text()
    yield line((f"s = {column.s}", "heading"), "  ", (to_hex(mask.value, kind.table.full, VALUE_BITS), "value"))
    yield beside("  ", one_line(kind, kind.table.read(mask.value)))
    for sub in mask.sub_masks:
        yield mask_strip(sub.bits, sub.first, sub.width)
    yield labeled("zeroed", columns_text(mask.zeroed))
    first, last = mask.columns
    yield labeled("B", f"columns {first}-{last} are read")
    yield labeled("padding", _agreement(column))
    for expectation in conv.expected:
        if expectation.column is column:
            same = expectation.comparison.same
            differs = f" differs in {columns_phrase(expectation.comparison.differs)}"
            yield labeled(
                "expected",
                (to_hex(expectation.value, kind.table.full, VALUE_BITS), "value"),
                (" zeroes exactly the padding" if same else differs, "good" if same else "error"),
            )


def _legend(options: ConsoleOptions) -> str:
    signs = marks(options)
    return f"{signs.zeroed} zeroed, {signs.used} used"


def _agreement(column: FilterColumn) -> tuple[str, str]:
    if not column.agrees:
        return "the mask zeroes other columns", "error"
    count = column.padding.bit_count()
    what = "no column is padding" if not count else many(count, "column")
    return f"{what}, and the mask agrees", "good"


def of_column(column: FilterColumn) -> DrawnParts:
    """Return the view of one filter column: its mask."""
    return mask_view(column.mask)


ROW = 64
"""Columns per row of the picture."""
CELL, TALL = 13, 26
ZEROED, USED = (GROUND, FAINT), GOOD


class MaskRow(NamedTuple):
    """One mask of the picture; the columns of ``differs`` are marked."""

    title: str
    mask: ColumnMask
    differs: int = 0


def picture(title: str, strips: Sequence[MaskRow]) -> str:
    """Return the SVG of some masks of the same M and N."""
    differs = [Swatch([BAD], "differs")] if any(strip.differs for strip in strips) else []
    blocks = [*heading(title), ColorKey([Swatch([USED], "used"), Swatch([ZEROED], "zeroed"), *differs])]
    for strip in strips:
        mask = strip.mask
        first, last = mask.columns
        text = f"zeroed: {columns_text(mask.zeroed)}; B: columns {first}-{last} are read"
        blocks.append(Paragraph([strip.title], 12, INK, bold=True, space=12))
        blocks += [_strip(strip, range(begin, min(begin + ROW, mask.n))) for begin in range(0, mask.n, ROW)]
        blocks.append(Paragraph([text], 12, INK))
    return draw(title, "; ".join(strip.title for strip in strips), blocks)


def conv_picture(conv: Convolution) -> str:
    """Return the SVG of the masks of a convolution's tile, each with the descriptors compared with it."""
    strips = []
    for column in conv.columns:
        strips.append(MaskRow(f"s = {column.s}: {column.mask.hex}", column.mask))
        for expectation in conv.expected:
            if expectation.column is column:
                mask = expectation.comparison.other
                verdict = "the same columns" if expectation.comparison.same else "differs"
                strips.append(
                    MaskRow(f"s = {column.s}, expected {mask.hex}: {verdict}", mask, mask.bits ^ column.padding)
                )
    m, n = conv.columns[0].mask.m, conv.columns[0].mask.n
    title = f"padding: q {conv.q}, left {conv.left}, filter {len(conv.columns)}, tile {conv.tile}, M {m}, N {n}"
    return picture(title, strips)


def column_picture(column: FilterColumn) -> str:
    """Return the SVG of one filter column: its mask."""
    return mask_picture(column.mask)


def picture_of(checked: CheckedMask) -> str:
    """Return the picture of what :func:`smemdesc.mask` returns."""
    return mask_picture(checked.mask)


def mask_picture(mask: ColumnMask) -> str:
    """Return the SVG of one mask."""
    spans = f"skip span {mask.skip_span}, use span {mask.use_span}" if mask.generated else "no mask is generated"
    title = f"zero-column mask {mask.hex}"
    return picture(title, [MaskRow(f"M = {mask.m}, N = {mask.n}, {spans}, column shift {mask.shift}", mask)])


def _strip(strip: MaskRow, columns: range) -> Chart:
    """Return some columns: their numbers, their cells, and their sub-masks, if there are several."""
    mask = strip.mask
    cells = []
    for column in columns:
        zeroed = mask.bits >> column & 1
        use = "zeroed" if zeroed else f"reads column {column + mask.shift} of B"
        cells.append(Cell("", zeroed, tip=f"column {column}: {use}"))
    numbers = [("" if column % RULER else str(column),) for column in columns]
    spans = []
    for sub in mask.sub_masks if len(mask.sub_masks) > 1 else ():
        begin, end = max(sub.first, columns.start) - columns.start, min(sub.last + 1, columns.stop) - columns.start
        if begin < end:
            name = f"sub-mask {sub.number}"
            spans.append((begin, end, name if text_width(name, 11) < (end - begin) * CELL else str(sub.number)))
    return Chart(
        Grid(above=("",), left=("",), columns=numbers, rows=[("",)], cells=[cells]),
        CELL,
        TALL,
        colors=(USED, ZEROED),
        outlines=[Outline(at, 0, 1, 1, BAD, 3) for at, column in enumerate(columns) if strip.differs >> column & 1],
        below=Braces(spans),
    )
