"""The views of ``layout operand`` and ``layout address``: what a descriptor addresses, as text and picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment
from rich.text import Text

from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed_words, many
from smemdesc.layout.operand import LINE, UNIT, Operand, bank, canonical_layout
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.diagnostics import diagnostics
from smemdesc.render.layout_text import notations
from smemdesc.render.parts import DrawnParts, StyledText, as_view, beside, fitted, labeled, line, table
from smemdesc.render.svg import BAD, STRIDE_COLORS, Arrow, Chart, Outline, SideBySide, chunk_key, draw, heading, notes
from smemdesc.rules.base import Finding

if TYPE_CHECKING:
    from smemdesc.api.geometry import DescribedOperand, Located


def case(operand: Operand) -> str:
    """Describe the case: ``bf16, K-major, 64x16, 128B``."""
    mn, k = operand.shape
    return f"{operand.dtype.name}, {operand.major}-major, {mn}x{k}, {operand.mode.name}"


@as_view
def operand_header(candidate: DescriptorReading, operand: Operand) -> Iterator[RenderableType]:
    """The value, its kind and the case."""
    only = candidate
    yield beside(line((only.hex, "value"), "  "), (only.kind.title, "heading"))
    yield labeled("operand", case(operand))


@fitted
def operand_view(
    console: Console,
    options: ConsoleOptions,
    operand: Operand,
    candidate: DescriptorReading | None = None,
    findings: tuple[Finding, ...] = (),
    elements: bool = False,
    every: bool = False,
) -> Iterator[RenderableType]:
    """What a descriptor addresses: the addresses (of units, or of ``elements``), extent and conflicts.

    Without a ``candidate``, only the operand is shown. ``every``: with the layout in the notations of others.
    """
    if candidate is None:
        yield Text(case(operand), "heading")
    else:
        yield operand_header(candidate, operand)
    yield Text()
    if elements:
        yield _elements(operand)
    else:
        if console.color_system:
            yield beside("  ", ("color: 16-byte chunk of the 128-byte line  ", "faint"), *_CHUNKS)
        yield _units(operand)
    yield Text()
    layout = [*_canonical(operand), *notations(operand)] if every else []
    yield table([*_facts(operand), *layout], indent=2)
    if findings:
        yield Text()
        yield diagnostics(findings)


_CHUNKS = [(f" {number} ", f"chunk{number}") for number in range(LINE // UNIT)]


def _canonical(operand: Operand) -> Iterator[list[StyledText | Text]]:
    """Yield the canonical layout as PTX and as CUTLASS write it, and why they differ."""
    try:
        layout = canonical_layout(operand)
    except SmemdescError as error:
        yield [("canonical:", "label"), f"none ({error.option_message})"]
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


def _facts(operand: Operand) -> Iterator[list[StyledText | Text]]:
    for number, segment in enumerate(operand.segments):
        where = "the line at LBO" if number else "the line of the start"
        text = f"k {segment.k[0]}..{segment.k[1]}: bytes {segment}, {where}"
        yield [("segments:" if not number else "", "label"), text]
    intervals = operand.intervals()
    size = sum(end - first for first, end in intervals)
    spans = listed_words([f"0x{first:05x}-0x{end - 1:05x}" for first, end in intervals], 4)
    yield [("touches:", "label"), f"{size} B in {many(len(intervals), 'run')}: {spans}"]
    overlaps = operand.overlaps()
    if overlaps:
        bit, count = overlaps[0]
        text = f"{len(overlaps)} addresses hold more than one element, the first 0x{bit // 8:05x} ({count})"
        yield [("overlaps:", "label"), (text, "warning")]
    conflict = operand.bank_conflict()
    text = "none" if conflict == 1 else f"{conflict}-way: that many units of a core matrix (8 x 16 B) share banks"
    yield [("conflicts:", "label"), (text, "" if conflict == 1 else "warning")]


@fitted
def _elements(console: Console, options: ConsoleOptions, operand: Operand) -> Iterator[Segment]:
    """The address of every element, one per line: thousands of lines, so segments instead of a table of texts."""
    mn_width = max(2, len(str(operand.shape[0] - 1))) + 2
    k_width = max(1, len(str(operand.shape[1] - 1))) + 2
    yield Segment(f"{'mn':{mn_width}}{'k':{k_width}}{'byte':9}{'bit':5}bank\n", console.get_style("label"))
    for mn, row in enumerate(operand.grid):
        yield Segment(
            "".join(
                f"{mn:<{mn_width}}{k:<{k_width}}0x{bit // 8:05x}  {bit % 8:<5}{bank(bit // 8)}\n"
                for k, bit in enumerate(row)
            )
        )


def _units(operand: Operand) -> Grid:
    """Return the byte address of each 16-byte unit: rows are MN (K-major) or k (MN-major)."""
    units = {(mn, k): address for mn, k, address in operand.unit_addresses()}
    grid = _grid(operand, units, sorted({mn for mn, _ in units}), sorted({k for _, k in units}))
    return grid if operand.major == "K" else grid.turned()


def _grid(operand: Operand, units: Mapping[tuple[int, int], int], down: Sequence[int], across: Sequence[int]) -> Grid:
    """Return the address of some units, MN down and K across."""
    return Grid(
        above=("k", "byte"),
        left=("mn", ""),
        columns=[(str(k), str(operand.linear(0, k) // 8)) for k in across],
        rows=[(str(mn), str(operand.linear(mn, 0) // 8)) for mn in down],
        cells=[[Cell(f"0x{units[mn, k]:05x}", units[mn, k] // UNIT % (LINE // UNIT)) for k in across] for mn in down],
    )


@as_view
def address_view(operand: Operand, mn: int, k: int) -> Iterator[RenderableType]:
    """The address of one element, step by step, with the numbers in the formula."""
    yield Text(f"element (mn, k) = ({mn}, {k})", "heading")
    rows: list[list[StyledText | Text]] = [["start address", "", (f"{operand.start} B", "value"), ""]]
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


@as_view
def byte_view(operand: Operand, address: int) -> Iterator[RenderableType]:
    """The element or elements at a byte address."""
    elements = operand.at_byte(address)
    head = (f"byte {address} = 0x{address:05x}: ", "heading")
    if not elements:
        yield line(head, "no element of this operand")
        return
    if len(elements) > 1 and operand.dtype.bits >= 8:
        names = ", ".join(f"({mn}, {k})" for mn, k in elements)
        yield beside(head, (f"{len(elements)} elements: {names}", "warning"))
    for mn, k in elements:
        yield address_view(operand, mn, k)


def of_descriptor(what: DescribedOperand, **settings: bool) -> DrawnParts:
    """Return the view of a descriptor's operand."""
    return operand_view(what.operand, what.reading, what.findings, **settings)


def described_picture(what: DescribedOperand, **settings: bool) -> str:
    """Return the SVG of a descriptor's operand, which is the same with all ``settings`` of the view."""
    return picture(what.operand, what.reading)


def located(what: Located) -> RenderableType:
    """Return the view of an element, or of a byte, of a descriptor's operand, with the findings."""
    of = what.described
    wrong: list[RenderableType] = [Text(), diagnostics(what.findings)] if what.findings else []
    return Group(operand_header(of.reading, of.operand), element(what), *wrong)


def element(what: Located) -> RenderableType:
    """Return the view of an element, or of a byte, without the findings."""
    operand = what.described.operand
    return address_view(operand, *what.elements[0]) if what.byte is None else byte_view(operand, what.byte)


ROWS, COLUMNS, CELLS = 256, 32, 1024
"""The most units drawn: down, across, total."""
JUMPS = ("LBO", "SBO", "second chunk")
"""The terms of an address that depend on the descriptor's fields."""


class _UnitAxis(NamedTuple):
    """One dimension: the coordinates of the units drawn, and where atoms begin."""

    at: list[int]
    there: int
    """Total number of units, including those that are not drawn."""
    begins: list[int]
    field: str = ""
    """The field of the descriptor that steps along it."""
    arrow: Arrow | None = None


def picture(operand: Operand, candidate: DescriptorReading | None = None) -> str:
    """Return the SVG of :func:`operand_view`."""
    units = {(mn, k): address for mn, k, address in operand.unit_addresses()}
    across = _axis(operand, sorted({k for _, k in units}), COLUMNS, "k")
    down = _axis(operand, sorted({mn for mn, _ in units}), min(ROWS, CELLS // len(across.at)), "mn")
    shared = {bit // 8: count for bit, count in operand.overlaps() if bit % 8 == 0}
    under = f"under {operand.mode.name} swizzle" if operand.swizzle.b else "without swizzle"
    name = f"Operand {under}, {operand.major}-major, {operand.swizzle}"
    details = [_details(operand, down, across)]
    if candidate is not None:
        details.insert(0, f"{candidate.kind.title} {candidate.hex}")
    grid, outlines = _grid(operand, units, down.at, across.at), []
    for row, mn in enumerate(down.at):
        for column, k in enumerate(across.at):
            address, cell = units[mn, k], grid.cells[row][column]
            tip = f"mn {mn}, k {k}: line {address // LINE}, chunk {cell.chunk}"
            note = f"×{shared[address]}" if address in shared else ""
            grid.cells[row][column] = cell._replace(note=note, tip=tip)
            outlines += [Outline(column, row, 1, 1, BAD)] if note else []
    chart = Chart(
        grid, lines=(across.begins, down.begins), outlines=outlines, across=across.arrow, down=down.arrow
    ).sized(56)
    band = 16 if len(across.at) <= 4 and len(down.at) <= 64 else 32
    blocks = [
        *heading(name, *details),
        chunk_key("each cell: the byte address of a 16-byte unit; color: its chunk"),
        SideBySide(chart.parts(band, len(across.at))),
        notes(*_notes(operand, sum(map(len, grid.cells)), len(outlines), down, across)),
    ]
    return draw(name, "; ".join(details), blocks)


def _axis(operand: Operand, at: list[int], most: int, name: str) -> _UnitAxis:
    """Return the first ``most`` units of a dimension, cut where an atom ends."""
    places = [(coordinate, 0) if name == "mn" else (0, coordinate) for coordinate in at]
    jumps = [{term.name: term for term in operand.terms(*place) if term.name in JUMPS} for place in places]
    times = [[term.times for term in terms.values()] for terms in jumps]
    begins = [index for index in range(1, len(at)) if times[index] != times[index - 1]]
    cut = len(at) if len(at) <= most else max((index for index in begins if index <= most), default=most)
    axis = _UnitAxis(at[:cut], len(at), [index for index in begins if index < cut])
    if not begins:
        return axis
    term = next(term for term in jumps[begins[0]].values() if term.times)
    where = f"{name} 0 → {at[begins[0]]}"
    if term.name in ("LBO", "SBO"):
        return axis._replace(
            field=term.name, arrow=Arrow(begins[0], f"{term.name} {term.size // 8} B", where, STRIDE_COLORS[term.name])
        )
    where += ": the address of the second chunk"
    return axis._replace(field="LBO", arrow=Arrow(begins[0], f"LBO 0x{operand.lbo:05x}", where, STRIDE_COLORS["LBO"]))


def _details(operand: Operand, down: _UnitAxis, across: _UnitAxis) -> str:
    mn, k = operand.shape
    lbo = f"address 0x{operand.lbo:05x}" if operand.absolute else f"{operand.lbo} B"
    text = (
        f"{operand.dtype.name}: {mn} × {k} elements = {down.there} × {across.there} units of {UNIT} B; "
        f"start 0x{operand.start:05x}, LBO {lbo}, SBO {operand.sbo} B"
    )
    return text + (f", base offset {operand.base_offset}" if operand.base_offset else "")


def _notes(operand: Operand, drawn: int, overlapping: int, down: _UnitAxis, across: _UnitAxis) -> Iterator[str]:
    if len(down.at) < down.there or len(across.at) < across.there:
        last_mn, last_k = down.at[-1] + _step(down), across.at[-1] + _step(across)
        yield f"drawn: {last_mn} × {last_k} elements of {operand.shape[0]} × {operand.shape[1]}"
    yield "byte: the offset before the swizzle; address = start + row header + column header, then the swizzle's XOR"
    if operand.absolute:
        yield f"K is in {segments_text(operand)}"
    for name in ("LBO", "SBO"):
        if name not in (down.field, across.field):
            yield f"{name}: has no effect on this shape"
    if overlapping:
        yield f"red: {overlapping} of {drawn} units overlap (×2: two units at this address)"
    conflict = operand.bank_conflict()
    if conflict > 1:
        yield f"bank conflicts: {conflict} units of a core matrix (8 × {UNIT} B) share banks"


def _step(axis: _UnitAxis) -> int:
    return axis.at[1] - axis.at[0] if len(axis.at) > 1 else 1
