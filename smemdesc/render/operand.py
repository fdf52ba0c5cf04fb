"""The views of ``layout operand`` and ``layout address``: what a descriptor addresses, as text and picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed, many
from smemdesc.layout.operand import CONTAINER, LINE, UNIT, Operand, bank, canonical
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.diagnostics import Diagnostics
from smemdesc.render.layout_text import notations
from smemdesc.render.parts import Span, beside, labeled, line, table
from smemdesc.render.svg import (
    FAINT,
    HEAD,
    INK,
    MARGIN,
    RULER,
    SAFE,
    SMALL,
    Document,
    chunk_legend,
    draw_cell,
    fitted,
    headed,
    ruled_rows,
    text_width,
)
from smemdesc.rules.base import Finding

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand, Located


def case(operand: Operand) -> str:
    """Describe the case: ``bf16, K-major, 64x16, 128B``."""
    mn, k = operand.shape
    return f"{operand.dtype.name}, {operand.major}-major, {mn}x{k}, {operand.mode.name}"


class OperandHeader(NamedTuple):
    """The value, its kind and the case."""

    candidate: DescriptorReading
    operand: Operand

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        only = self.candidate
        yield beside(line((only.hex, "value"), "  "), (only.kind.title, "heading"))
        yield labeled("operand", case(self.operand))


class OperandView(NamedTuple):
    """What a descriptor addresses: layout, extent, conflicts, and the addresses (of units, or of ``elements``).

    Without a ``candidate``, only the operand is shown.
    """

    operand: Operand
    candidate: DescriptorReading | None = None
    findings: tuple[Finding, ...] = ()
    elements: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        operand = self.operand
        if self.candidate is None:
            yield Text(case(operand), "heading")
        else:
            yield OperandHeader(self.candidate, operand)
        yield table([*_canonical(operand), *notations(operand), *_facts(operand)], indent=2)
        yield Text()
        if self.elements:
            yield _Elements(operand)
        else:
            if console.color_system:
                yield beside("  ", ("color: 16-byte chunk of the 128-byte line  ", "faint"), *_CHUNKS)
            yield _units(operand)
        if self.findings:
            yield Text()
            yield Diagnostics(self.findings)


_CHUNKS = [(f" {number} ", f"chunk{number}") for number in range(LINE // UNIT)]


def _canonical(operand: Operand) -> Iterator[list[Span | Text]]:
    """Yield the canonical layout as PTX and as CUTLASS write it, and why they differ."""
    try:
        layout = canonical(operand)
    except SmemdescError as error:
        yield [("canonical:", "label"), f"none ({error.message})"]
        return
    yield [("canonical:", "label"), f"{layout.ptx.swizzle} o {layout.symbols}"]
    yield [("PTX:", "label"), f"{layout.ptx} (T = {operand.unit}, elements)"]
    if str(layout.cutlass) != str(layout.ptx):
        yield [("CUTLASS:" if layout.by_cutlass else "formula:", "label"), str(layout.cutlass)]
    if layout.why:
        yield [("note:", "label"), layout.why]


def segments_text(operand: Operand) -> str:
    """Describe the lines and bytes that hold each range of K if LBO is an address."""
    first, *second = operand.segments
    return f"bytes {first}" + (f", then {second[0]} (LBO)" if second else "")


def _facts(operand: Operand) -> Iterator[list[Span | Text]]:
    for number, segment in enumerate(operand.segments):
        where = "the line at LBO" if number else "the line of the start"
        text = f"k {segment.k[0]}..{segment.k[1]}: bytes {segment}, {where}"
        yield [("segments:" if not number else "", "label"), text]
    intervals = operand.intervals()
    size = sum(end - first for first, end in intervals)
    spans = listed([f"0x{first:05x}-0x{end - 1:05x}" for first, end in intervals], 4)
    yield [("touches:", "label"), f"{size} B in {many(len(intervals), 'run')}: {spans}"]
    overlaps = operand.overlaps()
    if overlaps:
        bit, count = overlaps[0]
        text = f"{len(overlaps)} addresses hold more than one element, the first 0x{bit // 8:05x} ({count})"
        yield [("overlaps:", "label"), (text, "warning")]
    conflict = operand.bank_conflict()
    text = "none" if conflict == 1 else f"{conflict}-way: that many units of a core matrix (8 x 16 B) share banks"
    yield [("conflicts:", "label"), (text, "" if conflict == 1 else "warning")]


class _Elements(NamedTuple):
    """The address of every element, one per line: thousands of lines, so segments instead of a table of texts."""

    operand: Operand

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        mn_width = max(2, len(str(self.operand.shape[0] - 1))) + 2
        k_width = max(1, len(str(self.operand.shape[1] - 1))) + 2
        yield Segment(f"{'mn':{mn_width}}{'k':{k_width}}{'byte':9}{'bit':5}bank\n", console.get_style("label"))
        for mn, row in enumerate(self.operand.grid):
            yield Segment(
                "".join(
                    f"{mn:<{mn_width}}{k:<{k_width}}0x{bit // 8:05x}  {bit % 8:<5}{bank(bit // 8)}\n"
                    for k, bit in enumerate(row)
                )
            )


def _units(operand: Operand) -> Grid:
    """Return the byte address of each 16-byte unit: rows are MN (K-major) or k (MN-major)."""
    per_unit = operand.unit if operand.packed else CONTAINER
    k_major = operand.major == "K"
    down, along = operand.shape if k_major else operand.shape[::-1]
    row_name, column_name = ("mn", "k") if k_major else ("k", "mn")
    starts = range(0, along, per_unit)
    addresses = {(mn, k) if k_major else (k, mn): address for mn, k, address in operand.unit_addresses()}

    def before(row: int, column: int) -> str:
        return str(operand.linear(*((row, column) if k_major else (column, row))) // 8)

    return Grid(
        above=(column_name, "byte"),
        left=(row_name, ""),
        columns=[(str(start), before(0, start)) for start in starts],
        rows=[(str(row), before(row, 0)) for row in range(down)],
        cells=[
            [Cell(f"0x{addresses[row, start]:05x}", addresses[row, start] // UNIT % (LINE // UNIT)) for start in starts]
            for row in range(down)
        ],
    )


class AddressView(NamedTuple):
    """The address of one element, step by step, with the numbers in the formula."""

    operand: Operand
    mn: int
    k: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        operand, mn, k = self
        yield Text(f"element (mn, k) = ({mn}, {k})", "heading")
        rows: list[list[Span | Text]] = [["start address", "", (f"{operand.start} B", "value"), ""]]
        for term in operand.terms(mn, k):
            if term.name == "bit" and not term.bits:
                continue
            rows.append([term.name, f"{term.times} x {_size(term.size)}", (_size(term.bits), "value"), ""])
        bit = operand.start * 8 + operand.linear(mn, k)
        rows.append(["sum, before the swizzle", "", (_size(bit), "value"), (f"= 0x{bit // 8:05x}", "value")])
        yield table(rows, indent=2)
        yield beside(*_xor(operand, bit // 8))
        final = operand.bit_address(mn, k)
        byte = final // 8
        place = f"line {byte // LINE}, chunk {byte % LINE // UNIT}, 16-byte unit {byte // UNIT}, bank {bank(byte)}"
        inside = f" bit {final % 8}" if final % 8 else ""
        yield beside("  address ", (f"{byte} = 0x{byte:05x}{inside}", "value"), (f"  ({place})", "faint"))


def _size(bits: int) -> str:
    return f"{bits // 8} B" if bits % 8 == 0 else f"{bits} bits"


def _xor(operand: Operand, byte: int) -> tuple[Text, str]:
    swizzle = operand.swizzle
    if not swizzle.b:
        return line(("  no swizzle", "faint")), ""
    low, high = swizzle.m, swizzle.m + swizzle.s
    source = byte - operand.base_offset * LINE
    changed = byte ^ swizzle(byte, operand.base_offset * LINE)
    text = (
        f"bits [{high + swizzle.b - 1}:{high}] = 0b{_bits(source, high, swizzle.b)} onto [{low + swizzle.b - 1}:{low}]"
    )
    if operand.base_offset:
        text += f", of the sum less {operand.base_offset} x {LINE} B (base offset)"
    return line("  ", (f"{swizzle}", "key"), "  "), f"{text}: XOR 0x{changed:02x}"


def _bits(number: int, low: int, count: int) -> str:
    """Return ``count`` bits of a number from bit ``low`` on, as binary text."""
    return f"{number // 2**low % 2**count:0{count}b}"


class ByteView(NamedTuple):
    """The element or elements at a byte address."""

    operand: Operand
    address: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        operand, address = self
        elements = operand.at_byte(address)
        head = (f"byte {address} = 0x{address:05x}: ", "heading")
        if not elements:
            yield line(head, "no element of this operand")
            return
        if len(elements) > 1 and operand.dtype.bits >= 8:
            names = ", ".join(f"({mn}, {k})" for mn, k in elements)
            yield beside(head, (f"{len(elements)} elements: {names}", "warning"))
        for mn, k in elements:
            yield AddressView(operand, mn, k)


def of_descriptor(what: DescribedOperand) -> OperandView:
    """Return the view of a descriptor's operand."""
    return OperandView(what.operand, what.reading, what.findings)


def described_picture(what: DescribedOperand) -> str:
    """Return the SVG of a descriptor's operand."""
    return picture(what.operand, what.reading)


def located(what: Located) -> RenderableType:
    """Return the view of an element, or of a byte, of a descriptor's operand, with the findings."""
    of = what.described
    wrong: list[RenderableType] = [Text(), Diagnostics(what.findings)] if what.findings else []
    return Group(OperandHeader(of.reading, of.operand), element(what), *wrong)


def element(what: Located) -> AddressView | ByteView:
    """Return the view of an element, or of a byte, without the findings."""
    operand = what.described.operand
    return AddressView(operand, *what.elements[0]) if what.byte is None else ByteView(operand, what.byte)


ROWS, COLUMNS, CELLS = 256, 32, 1024
"""The most units drawn: down, across, total."""
WRONG = "#a40e26"
JUMPS = ("LBO", "SBO", "second chunk")
"""The terms of an address that depend on the descriptor's fields."""
ARROW = "#0550ae"
DARK = {ARROW: "#79c0ff"}
_TALL = 24
_SIZE = 11
_GAP = 36
_MARK = 18
"""Room in a cell for the number of overlapping units."""
_WIDEST, _NARROWEST = 1500, 600


class Jump(NamedTuple):
    """The first step of a field of the descriptor along MN or K: its number of units, and its label."""

    after: int
    label: str
    size: str
    where: str


class _UnitAxis(NamedTuple):
    """One dimension: the coordinates of the units drawn, bytes before the swizzle, and where atoms begin."""

    at: list[int]
    there: int
    """Total number of units, including those that are not drawn."""
    offsets: list[int]
    begins: list[int]
    jump: Jump | None


def picture(operand: Operand, candidate: DescriptorReading | None = None) -> str:
    """Return the SVG of :class:`OperandView`."""
    units = {(mn, k): address for mn, k, address in operand.unit_addresses()}
    across = _axis(operand, sorted({k for _, k in units}), COLUMNS, "k")
    down = _axis(operand, sorted({mn for mn, _ in units}), min(ROWS, CELLS // len(across.at)), "mn")
    shared = {bit // 8: count for bit, count in operand.overlaps() if bit % 8 == 0}
    under = f"under {operand.mode.name} swizzle" if operand.swizzle.b else "without swizzle"
    name = f"Operand {under}, {operand.major}-major, {operand.swizzle}"
    details = [_details(operand, down, across)]
    if candidate is not None:
        details.insert(0, f"{candidate.kind.title} {candidate.hex}")
    wide = max(text_width(f"0x{max(units.values()):05x}", _SIZE) + 14, 56) + (_MARK if shared else 0)
    one = RULER + wide * len(across.at)
    first = one + max(0.0, room_beside(down.jump) - _GAP / 2)
    room = int((_WIDEST - 2 * MARGIN - first) // (one + _GAP)) + 1
    band = _band(len(down.at), len(across.at), room)
    bands = -(-len(down.at) // band)
    fits = max(1, min(bands, room))
    width = max(_NARROWEST, 2 * MARGIN + first + (fits - 1) * (one + _GAP))
    lines = fitted(width, *details, size=12)
    notes = fitted(width, *_notes(operand, units, shared, down, across))
    head = 34 if across.jump else 0
    tall = head + 34 + _TALL * band + 18
    top = 54 + 18 * len(lines) + 26
    height = top + tall * -(-bands // fits) + 16 * len(notes) + 26
    svg = headed(width, height, name, lines, title=f"{name}; {'; '.join(details)}", dark=DARK)
    chunk_legend(svg, top - 18, "each cell: the byte address of a 16-byte unit; color: its chunk")
    for number in range(bands):
        row, column = divmod(number, fits)
        x = MARGIN + RULER + (first + _GAP + (column - 1) * (one + _GAP) if column else 0)
        y = top + tall * row + head
        here = range(number * band, min((number + 1) * band, len(down.at)))
        _cells(svg, (units, shared), down, across, here, (x, y, wide))
        if not number:
            _jumps(svg, down, across, (x, y, wide))
    svg.lines(MARGIN, top + tall * -(-bands // fits) + 16, notes, step=16, size=11, fill=FAINT)
    return str(svg)


def _axis(operand: Operand, at: list[int], most: int, name: str) -> _UnitAxis:
    """Return the first ``most`` units of a dimension, cut where an atom ends."""
    places = [(coordinate, 0) if name == "mn" else (0, coordinate) for coordinate in at]
    jumps = [{term.name: term for term in operand.terms(*place) if term.name in JUMPS} for place in places]
    times = [[term.times for term in terms.values()] for terms in jumps]
    begins = [index for index in range(1, len(at)) if times[index] != times[index - 1]]
    jump = None
    if begins:
        term = next(term for term in jumps[begins[0]].values() if term.times)
        where = f"{name} 0 → {at[begins[0]]}"
        if term.name in ("LBO", "SBO"):
            jump = Jump(begins[0], term.name, f"{term.size // 8} B", where)
        else:
            jump = Jump(begins[0], "LBO", f"0x{operand.lbo:05x}", f"{where}: the address of the second chunk")
    count = len(at)
    if count > most:
        cut = max((index for index in begins if index <= most), default=most)
        at, begins = at[:cut], [index for index in begins if index < cut]
    offsets = [operand.linear(*place) // 8 for place in places[: len(at)]]
    return _UnitAxis(at, count, offsets, begins, jump)


def _details(operand: Operand, down: _UnitAxis, across: _UnitAxis) -> str:
    mn, k = operand.shape
    lbo = f"address 0x{operand.lbo:05x}" if operand.absolute else f"{operand.lbo} B"
    text = (
        f"{operand.dtype.name}: {mn} × {k} elements = {down.there} × {across.there} units of {UNIT} B; "
        f"start 0x{operand.start:05x}, LBO {lbo}, SBO {operand.sbo} B"
    )
    return text + (f", base offset {operand.base_offset}" if operand.base_offset else "")


def _band(rows: int, columns: int, beside: int) -> int:
    """Return the number of rows in a band: a tall operand is drawn as bands, ``beside`` of them side by side."""
    low = 16 if columns <= 4 and rows <= 16 * beside else 32
    return min(rows, low)


def room_beside(jump: Jump | None) -> float:
    """Return the width of the arrow along MN and its label, to the right of the first band."""
    if jump is None:
        return 0
    return 30 + max(text_width(f"{jump.label} {jump.size}", 12), text_width(jump.where, SMALL)) / SAFE


def _notes(
    operand: Operand, units: dict[tuple[int, int], int], shared: dict[int, int], down: _UnitAxis, across: _UnitAxis
) -> list[str]:
    notes = []
    if len(down.at) < down.there or len(across.at) < across.there:
        last_mn, last_k = down.at[-1] + _step(down), across.at[-1] + _step(across)
        notes.append(f"drawn: {last_mn} × {last_k} elements of {operand.shape[0]} × {operand.shape[1]}")
    notes.append(
        "byte: the offset before the swizzle; address = start + row header + column header, then the swizzle's XOR"
    )
    if operand.absolute:
        notes.append(f"K is in {segments_text(operand)}")
    used = [jump.label for jump in (down.jump, across.jump) if jump]
    notes += [f"{name}: has no effect on this shape" for name in ("LBO", "SBO") if name not in used]
    count = sum(address in shared for address in units.values())
    if count:
        notes.append(f"red: {count} of {len(units)} units overlap (×2: two units at this address)")
    conflict = operand.bank_conflict()
    if conflict > 1:
        notes.append(f"bank conflicts: {conflict} units of a core matrix (8 × {UNIT} B) share banks")
    return notes


def _step(axis: _UnitAxis) -> int:
    return axis.at[1] - axis.at[0] if len(axis.at) > 1 else 1


def _cells(
    svg: Document,
    of: tuple[dict[tuple[int, int], int], dict[int, int]],
    down: _UnitAxis,
    across: _UnitAxis,
    here: range,
    place: tuple[float, float, float],
) -> None:
    """Draw some rows with their rulers, and the outlines of atoms."""
    units, shared = of
    begin, y, wide = place
    above = (("k", across.at), ("byte", across.offsets))
    rows = [(down.at[row], down.offsets[row]) for row in here]
    top = y + HEAD
    overlapping: list[tuple[float, float, int]] = []
    for row, at in zip(here, ruled_rows(svg, above, "mn", rows, (begin, y), wide, _TALL), strict=True):
        for index, k in enumerate(across.at):
            x = begin + index * wide
            address = units[down.at[row], k]
            chunk = address % LINE // UNIT
            tip = f"mn {down.at[row]}, k {k}: line {address // LINE}, chunk {chunk}"
            cell = Cell(f"0x{address:05x}", chunk, tip=tip)
            draw_cell(svg, cell, (x, at, wide, _TALL), _SIZE, free=_MARK if shared else 0)
            if address in shared:
                overlapping.append((x, at, shared[address]))
    right, bottom = begin + wide * len(across.at), top + _TALL * len(here)
    for index in across.begins:
        svg.line(begin + index * wide, top, begin + index * wide, bottom, stroke=INK, width=1.2)
    for index in down.begins:
        if index in here and index > here.start:
            edge = top + (index - here.start) * _TALL
            svg.line(begin, edge, right, edge, stroke=INK, width=1.2)
    svg.rect(begin, top, right - begin, bottom - top, stroke=INK, stroke_width=1.4)
    for x, at, count in overlapping:
        svg.rect(x + 1.5, at + 1.5, wide - 3, _TALL - 3, stroke=WRONG, stroke_width=1.5)
        svg.text(x + wide - 5, at + _TALL / 2 + 4, f"×{count}", size=SMALL, fill=WRONG, anchor="end", bold=True)


def _jumps(svg: Document, down: _UnitAxis, across: _UnitAxis, place: tuple[float, float, float]) -> None:
    """Draw the steps of LBO and SBO, from the first atom (or 8 rows) to the next."""
    begin, y, wide = place
    top = y + 34
    if across.jump:
        label(svg, begin, y - 22, across.jump)
        svg.arrow(begin, y - 10, begin + across.jump.after * wide, y - 10, stroke=ARROW)
    if down.jump:
        x = begin + wide * len(across.at) + 14
        end = top + down.jump.after * _TALL
        svg.arrow(x, top, x, end, stroke=ARROW)
        label(svg, x + 14, (top + end) / 2, down.jump, below=True)


def label(svg: Document, x: float, y: float, jump: Jump, *, below: bool = False) -> None:
    """Write the label of a step: the field, its bytes, and the coordinates before and after it."""
    text = f"{jump.label} {jump.size}"
    svg.text(x, y, text, size=12, fill=ARROW, bold=True)
    if below:
        svg.text(x, y + 14, jump.where, size=SMALL, fill=FAINT)
    else:
        svg.text(x + text_width(text, 12) + 16, y, jump.where, size=SMALL, fill=FAINT)
