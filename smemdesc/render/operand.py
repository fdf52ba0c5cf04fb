"""What ``layout operand``, ``layout address`` and ``layout tile`` show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed, many
from smemdesc.layout.atom import byte_size
from smemdesc.layout.operand import CONTAINER, LINE, UNIT, Operand, bank, canonical
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.diagnostics import Diagnostics
from smemdesc.render.layout_text import notations
from smemdesc.render.parts import Span, beside, labelled, line, table
from smemdesc.rules.base import Finding
from smemdesc.tiles.box import filling_of
from smemdesc.tiles.tile import Tile


def case(operand: Operand) -> str:
    """Say the case in words: ``bf16, K-major, 64x16, 128B``."""
    mn, k = operand.shape
    return f"{operand.dtype.name}, {operand.major}-major, {mn}x{k}, {operand.mode.name}"


class Header(NamedTuple):
    """The value, its kind and the case."""

    candidate: DescriptorReading
    operand: Operand

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        only = self.candidate
        yield beside(line((only.hex, "value"), "  "), (only.kind.title, "heading"))
        yield labelled("operand", case(self.operand))


class OperandView(NamedTuple):
    """What a descriptor addresses: layout, extent, conflicts, and the addresses (of units, or of ``each``).

    Without a ``candidate`` the operand alone is shown.
    """

    operand: Operand
    candidate: DescriptorReading | None = None
    findings: tuple[Finding, ...] = ()
    each: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        operand = self.operand
        if self.candidate is None:
            yield Text(case(operand), "heading")
        else:
            yield Header(self.candidate, operand)
        yield table([*_canonical(operand), *notations(operand), *_facts(operand)], indent=2)
        yield Text()
        yield _Elements(operand) if self.each else _units(operand)
        if self.findings:
            yield Text()
            yield Diagnostics(self.findings)


def _canonical(operand: Operand) -> Iterator[list[Span | Text]]:
    """Yield the canonical layout as PTX and as CUTLASS write it, and why they differ."""
    try:
        found = canonical(operand)
    except SmemdescError as error:
        yield [("canonical:", "label"), f"none ({error.message})"]
        return
    yield [("canonical:", "label"), f"{found.ptx.swizzle} o {found.symbols}"]
    yield [("PTX:", "label"), f"{found.ptx} (T = {operand.unit}, elements)"]
    if str(found.cutlass) != str(found.ptx):
        yield [("CUTLASS:" if found.by_cutlass else "formula:", "label"), str(found.cutlass)]
    if found.why:
        yield [("note:", "label"), found.why]


def segments_text(operand: Operand) -> str:
    """Say which bytes of which lines hold K where LBO is an address."""
    first, *second = operand.segments
    return f"bytes {first}" + (f", then {second[0]} (LBO)" if second else "")


def _facts(operand: Operand) -> Iterator[list[Span | Text]]:
    for number, each in enumerate(operand.segments):
        where = "the line that LBO names" if number else "the line of the start"
        text = f"k {each.k[0]}..{each.k[1]}: bytes {each}, {where}"
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
    text = "none" if conflict == 1 else f"{conflict}-way: so many units of a core matrix (8 x 16 B) share banks"
    yield [("conflicts:", "label"), (text, "" if conflict == 1 else "warning")]


class _Elements(NamedTuple):
    """Every element's address, a line each: thousands of lines, so no table of texts but segments."""

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
    found = {(mn, k) if k_major else (k, mn): address for mn, k, address in operand.unit_addresses()}

    def before(row: int, column: int) -> str:
        return str(operand.linear(*((row, column) if k_major else (column, row))) // 8)

    return Grid(
        above=(column_name, "byte"),
        left=(row_name, ""),
        columns=[(str(start), before(0, start)) for start in starts],
        rows=[(str(row), before(row, 0)) for row in range(down)],
        cells=[
            [Cell(f"0x{found[row, start]:05x}", found[row, start] // UNIT % (LINE // UNIT)) for start in starts]
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
        rows: list[list[Span | Text]] = [["start address", "", (f"{operand.start} B", "value")]]
        for term in operand.terms(mn, k):
            if term.name == "bit" and not term.bits:
                continue
            rows.append([term.name, f"{term.times} x {_size(term.size)}", (_size(term.bits), "value")])
        bit = operand.start * 8 + operand.linear(mn, k)
        rows.append(["sum, before the swizzle", "", (f"{_size(bit)} = 0x{bit // 8:05x}", "value")])
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
    """Which element, or elements, lie at a byte address."""

    operand: Operand
    address: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        operand, address = self
        found = operand.at_byte(address)
        head = (f"byte {address} = 0x{address:05x}: ", "heading")
        if not found:
            yield line(head, "no element of this operand")
            return
        if len(found) > 1 and operand.dtype.bits >= 8:
            names = ", ".join(f"({mn}, {k})" for mn, k in found)
            yield beside(head, (f"{len(found)} elements: {names}", "warning"))
        for mn, k in found:
            yield AddressView(operand, mn, k)


class TileView(NamedTuple):
    """A tile: its atoms, its strides, and the descriptor of each MMA step."""

    tile: Tile

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        tile = self.tile
        pair = f" of {tile.cta_group} CTAs" if tile.cta_group > 1 else ""
        yield Text(f"tile {tile.whole}{pair} {tile.dtype.name}, {tile.major}-major, {tile.swizzle}", "heading")
        count = tile.atoms
        size = byte_size(tile.swizzle, tile.major)
        along = "MN" if tile.order == "mn" else "K"
        lbo = "the address of the next atom" if tile.absolute else f"{tile.lbo} B = {tile.lbo // UNIT} x 16 B"
        facts = [
            *([("each CTA", f"its half, {tile.shape}: what follows is its shared memory")] if pair else []),
            ("bytes", f"{tile.size} B from 0x{tile.start:05x}"),
            (
                "atoms",
                f"{count[0]} x {count[1]} of {tile.atom} elements, {size} B each, next to each other along {along}",
            ),
            ("strides", f"{tile.stride_mn} B along MN, {tile.stride_k} B along K"),
            ("LBO", lbo),
            ("SBO", f"{tile.sbo} B = {tile.sbo // UNIT} x 16 B"),
            ("MMA", f"operand {tile.mma}, {many(len(tile.steps), 'step')}"),
            ("TMA", box_text(tile)),
        ]
        yield table([[(f"{name}:", "label"), text] for name, text in facts], indent=2)
        yield Text()
        yield Text("atoms, by the byte that each begins at", "faint")
        yield _atoms(tile)
        yield Text()
        rows: list[list[Span | Text]] = [
            [
                str(step.mn),
                str(step.k),
                f"0x{step.start:05x}",
                (f"0x{step.value:016x}", "value"),
                segments_text(tile.operand(step)) if tile.absolute else "",
            ]
            for step in tile.steps
        ]
        yield table(rows, ("mn", "k", "start", "descriptor", ""))
        if tile.findings:
            yield Text()
            yield Diagnostics(tile.findings)


def box_text(tile: Tile) -> str:
    """Say which TMA box fills a tile, and how often it is copied."""
    filling = filling_of(tile)
    if filling is None:
        return f"no box writes {tile.dtype.name} like this"
    box, copies = filling
    inner, outer = ("K", "MN") if tile.major == "K" else ("MN", "K")
    count = many(len(copies), "copy", "copies")
    return f"a box of {box.box[0]} {inner} x {box.box[1]} {outer}, {box.tma_swizzle}: {count} of {box.bytes} B"


def _atoms(tile: Tile) -> Grid:
    """Return the atoms as a grid, MN down and K across; neighbours have different colors."""
    down, across = tile.atoms
    starts = [[tile.atom_start(mn, k) for k in range(across)] for mn in range(down)]
    order = {start: number for number, start in enumerate(sorted(start for row in starts for start in row))}
    return Grid(
        above=("k", "byte"),
        left=("mn", ""),
        columns=[(str(k * tile.atom.k), str(starts[0][k] - tile.start)) for k in range(across)],
        rows=[(str(mn * tile.atom.mn), str(starts[mn][0] - tile.start)) for mn in range(down)],
        cells=[[Cell(f"0x{start:05x}", order[start] % 8) for start in row] for row in starts],
    )
