"""What ``layout operand``, ``layout address`` and ``layout tile`` print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdesc.errors import SmemdescError
from smemdesc.findings.base import Finding
from smemdesc.identify import Candidate
from smemdesc.layout.atom import byte_size
from smemdesc.layout.box import Filling, filling_of
from smemdesc.layout.operand import CONTAINER, LINE, UNIT, Operand, bank, canonical
from smemdesc.layout.tile import Tile
from smemdesc.render.lines import Line, Span, columns, indented
from smemdesc.render.report import finding_lines
from smemdesc.values import to_hex


def case(operand: Operand) -> str:
    """Say the case in words: ``bf16, K-major, 64x16, 128B``."""
    mn, k = operand.shape
    return f"{operand.dtype.name}, {operand.major}-major, {mn}x{k}, {operand.mode.name}"


def header(candidate: Candidate, operand: Operand) -> Iterator[Line]:
    """Yield the value, its kind and the case."""
    text = to_hex(candidate.bits, candidate.known, candidate.kind.table.width)
    yield [(text, "value"), ("  ", ""), (candidate.kind.title, "heading")]
    yield [("  operand: ", "dim"), (case(operand), "")]


def canonical_lines(operand: Operand, width: int | None) -> Iterator[Line]:
    """Yield the canonical layout as PTX and as CUTLASS write it, and why they differ."""
    try:
        found = canonical(operand)
    except SmemdescError as error:
        yield from indented([("  canonical: ", "dim")], f"none ({error.message})", "", width)
        return
    yield from indented([("  canonical: ", "dim")], f"{found.ptx.swizzle} o {found.symbols}", "", width)
    yield from indented([("  PTX:       ", "dim")], f"{found.ptx} (T = {operand.unit}, elements)", "", width)
    if str(found.cutlass) != str(found.ptx):
        label = "  CUTLASS:   " if found.by_cutlass else "  formula:   "
        yield from indented([(label, "dim")], str(found.cutlass), "", width)
    if found.why:
        yield from indented([("  note:      ", "dim")], found.why, "", width)


def operand_lines(
    candidate: Candidate, operand: Operand, findings: tuple[Finding, ...], *, each: bool, width: int | None
) -> Iterator[Line]:
    """Yield what a descriptor addresses: layout, extent, conflicts, and the addresses (of units, or of ``each``)."""
    yield from header(candidate, operand)
    yield from canonical_lines(operand, width)
    intervals = operand.intervals()
    size = sum(end - first for first, end in intervals)
    spans = ", ".join(f"0x{first:05x}-0x{end - 1:05x}" for first, end in intervals[:4])
    more = f" and {len(intervals) - 4} more" if len(intervals) > 4 else ""
    yield from indented(
        [("  touches:   ", "dim")],
        f"{size} B in {len(intervals)} run{'s' if len(intervals) > 1 else ''}: {spans}{more}",
        "",
        width,
    )
    overlaps = operand.overlaps()
    if overlaps:
        bit, count = overlaps[0]
        text = f"{len(overlaps)} addresses hold more than one element, the first 0x{bit // 8:05x} ({count})"
        yield from indented([("  overlaps:  ", "dim")], text, "warning", width)
    conflict = operand.bank_conflict()
    text = "none" if conflict == 1 else f"{conflict}-way: so many units of a core matrix (8 x 16 B) share banks"
    yield from indented([("  conflicts: ", "dim")], text, "" if conflict == 1 else "warning", width)
    yield []
    yield from _list(operand) if each else _grid(operand, width)
    if findings:
        yield []
        yield from finding_lines(findings, width)


def _list(operand: Operand) -> Iterator[Line]:
    rows: list[list[Span]] = [[("mn", "dim"), ("k", "dim"), ("byte", "dim"), ("bit", "dim"), ("bank", "dim")]]
    for mn, row in enumerate(operand.grid):
        for k, bit in enumerate(row):
            rows.append(
                [
                    (str(mn), ""),
                    (str(k), ""),
                    (f"0x{bit // 8:05x}", "value"),
                    (str(bit % 8), "dim"),
                    (str(bank(bit // 8)), "raw"),
                ]
            )
    yield from columns(rows, None)


def _grid(operand: Operand, width: int | None) -> Iterator[Line]:
    """The byte address of each 16-byte unit: rows are MN (K-major) or k (MN-major)."""
    per_unit = operand.unit if operand.packed else CONTAINER
    down, along = operand.shape if operand.major == "K" else operand.shape[::-1]
    row_name, column_name = ("mn", "k") if operand.major == "K" else ("k", "mn")
    label = len(str(down - 1)) + len(row_name) + 1
    starts = list(range(0, along, per_unit))
    room = len(starts) if width is None else max(1, (width - label - 2) // 9)
    grid: dict[tuple[int, int], int] = {}
    for mn, k, address in operand.unit_addresses():
        grid[(mn, k) if operand.major == "K" else (k, mn)] = address
    for block in range(0, len(starts), room):
        here = starts[block : block + room]
        heads: Line = [(" " * (label + 2), "")]
        for start in here:
            heads.append((f"{column_name} {start}".ljust(9), "dim"))
        yield heads
        for row in range(down):
            line: Line = [(f"{row_name} {row}".ljust(label + 2), "dim")]
            for start in here:
                address = grid[row, start]
                line += [(f"0x{address:05x}", f"chunk{address // UNIT % (LINE // UNIT)}"), ("  ", "")]
            yield line


def operand_dict(candidate: Candidate, operand: Operand) -> dict[str, Any]:
    """Return the object of an operand; ``addresses`` is a list for each mn of the byte address of each k."""
    out: dict[str, Any] = {
        "value": to_hex(candidate.bits, candidate.known, candidate.kind.table.width),
        "kind": candidate.kind.name,
        "dtype": operand.dtype.name,
        "major": operand.major,
        "shape": list(operand.shape),
        "swizzle": operand.mode.name,
        "addresses": [[_byte(bit) for bit in row] for row in operand.grid],
        "intervals": [list(interval) for interval in operand.intervals()],
        "overlaps": [[_byte(bit), count] for bit, count in operand.overlaps()],
        "bank_conflict": operand.bank_conflict(),
        "canonical": None,
    }
    try:
        found = canonical(operand)
    except SmemdescError:
        return out
    out["canonical"] = {
        "symbols": found.symbols,
        "ptx": str(found.ptx),
        "cutlass": str(found.cutlass) if found.by_cutlass else None,
        "formula": str(found.cutlass),
        "why": found.why,
    }
    return out


def _byte(bit: int) -> int | float:
    return bit / 8 if bit % 8 else bit // 8


def address_lines(operand: Operand, mn: int, k: int, width: int | None) -> Iterator[Line]:
    """Yield the address of one element, step by step, with the numbers in the formula."""
    yield [(f"element (mn, k) = ({mn}, {k})", "heading")]
    rows: list[list[Span]] = [[("start address", ""), ("", ""), (f"{operand.start} B", "value")]]
    for term in operand.terms(mn, k):
        if term.name == "bit" and not term.bits:
            continue
        rows.append([(term.name, ""), (f"{term.times} x {_size(term.size)}", "raw"), (_size(term.bits), "value")])
    bit = operand.start * 8 + operand.linear(mn, k)
    rows.append([("sum, before the swizzle", ""), ("", ""), (f"{_size(bit)} = 0x{bit // 8:05x}", "value")])
    yield from (([("  ", ""), *line]) for line in columns(rows, None))
    yield from (([("  ", ""), *line]) for line in columns(_xor(operand, bit // 8), width))
    final = operand.bit_address(mn, k)
    byte = final // 8
    place = f"line {byte // LINE}, chunk {byte % LINE // UNIT}, 16-byte unit {byte // UNIT}, bank {bank(byte)}"
    inside = f" bit {final % 8}" if final % 8 else ""
    yield [("  address ", ""), (f"{byte} = 0x{byte:05x}{inside}", "value"), (f"  ({place})", "dim")]


def _size(bits: int) -> str:
    return f"{bits // 8} B" if bits % 8 == 0 else f"{bits} bits"


def _xor(operand: Operand, byte: int) -> list[list[Span]]:
    swizzle = operand.swizzle
    if not swizzle.b:
        return [[("no swizzle", "dim"), ("", "")]]
    low, high = swizzle.m, swizzle.m + swizzle.s
    source = byte - operand.base_offset * LINE
    changed = byte ^ swizzle(byte, operand.base_offset * LINE)
    text = (
        f"bits [{high + swizzle.b - 1}:{high}] = 0b{_bits(source, high, swizzle.b)} onto [{low + swizzle.b - 1}:{low}]"
    )
    if operand.base_offset:
        text += f", of the sum less {operand.base_offset} x {LINE} B (base offset)"
    return [[(f"{swizzle}", "key"), (f"{text}: XOR 0x{changed:02x}", "")]]


def _bits(number: int, low: int, count: int) -> str:
    """Return ``count`` bits of a number from bit ``low`` on, as binary text."""
    return f"{number // 2**low % 2**count:0{count}b}"


def byte_lines(operand: Operand, address: int, width: int | None) -> Iterator[Line]:
    """Yield which element, or elements, lie at a byte address."""
    found = operand.at_byte(address)
    if not found:
        yield [(f"byte {address} = 0x{address:05x}: ", "heading"), ("no element of this operand", "")]
        return
    if len(found) > 1 and operand.dtype.bits >= 8:
        names = ", ".join(f"({mn}, {k})" for mn, k in found)
        yield [(f"byte {address} = 0x{address:05x}: ", "heading"), (f"{len(found)} elements: {names}", "warning")]
    for mn, k in found:
        yield from address_lines(operand, mn, k, width)


def address_dict(operand: Operand, mn: int, k: int) -> dict[str, Any]:
    """Return the address of one element as an object."""
    bit = operand.bit_address(mn, k)
    byte = bit // 8
    return {
        "mn": mn,
        "k": k,
        "address": _byte(bit),
        "linear": _byte(operand.start * 8 + operand.linear(mn, k)),
        "terms": [{"name": term.name, "times": term.times, "bytes": _byte(term.size)} for term in operand.terms(mn, k)],
        "unit": byte // UNIT,
        "line": byte // LINE,
        "chunk": byte % LINE // UNIT,
        "bank": bank(byte),
    }


def tile_lines(tile: Tile, width: int | None) -> Iterator[Line]:
    """Yield a tile: its atoms, its strides, and the descriptor of each MMA step."""
    pair = f" of {tile.cta_group} CTAs" if tile.cta_group > 1 else ""
    yield [(f"tile {tile.whole}{pair} {tile.dtype.name}, {tile.major}-major, {tile.swizzle}", "heading")]
    count = tile.atoms
    size = byte_size(tile.swizzle, tile.major)
    along = "MN" if tile.order == "mn" else "K"
    facts = [
        *([("each CTA", f"its half, {tile.shape}: what follows is its shared memory")] if pair else []),
        ("bytes", f"{tile.size} B from 0x{tile.start:05x}"),
        ("atoms", f"{count[0]} x {count[1]} of {tile.atom} elements, {size} B each, next to each other along {along}"),
        ("strides", f"{tile.stride_mn} B along MN, {tile.stride_k} B along K"),
        ("LBO", f"{tile.lbo} B = {tile.lbo // UNIT} x 16 B" if not tile.absolute else "the address of the next atom"),
        ("SBO", f"{tile.sbo} B = {tile.sbo // UNIT} x 16 B"),
        ("MMA", f"operand {tile.mma}, {len(tile.steps)} step{'s' if len(tile.steps) > 1 else ''}"),
        ("TMA", box_text(tile)),
    ]
    for name, text in facts:
        yield from indented([(f"  {name}: ".ljust(12), "dim")], text, "", width)
    yield []
    yield [("atoms, by the byte that each begins at", "dim")]
    yield from _atoms(tile, count, width)
    yield []
    rows: list[list[Span]] = [[(name, "dim") for name in ("mn", "k", "start", "descriptor", "")]]
    for step in tile.steps:
        note = f"LBO is address {step.lbo}" if tile.absolute else ""
        text = f"0x{step.value:016x}"
        rows.append(
            [(str(step.mn), ""), (str(step.k), ""), (f"0x{step.start:05x}", "raw"), (text, "value"), (note, "")]
        )
    yield from columns(rows, width)
    if tile.findings:
        yield []
        yield from finding_lines(tile.findings, width)


def box_text(tile: Tile) -> str:
    """Say which TMA box fills a tile, and how often it is copied."""
    filling = filling_of(tile)
    if filling is None:
        return f"no box writes {tile.dtype.name} like this"
    box, copies = filling
    inner, outer = ("K", "MN") if tile.major == "K" else ("MN", "K")
    count = "1 copy" if len(copies) == 1 else f"{len(copies)} copies"
    return f"a box of {box.box[0]} {inner} x {box.box[1]} {outer}, {box.tma_swizzle}: {count} of {box.bytes} B"


def _atoms(tile: Tile, count: tuple[int, int], width: int | None) -> Iterator[Line]:
    """The atoms as a grid, MN down and K across."""
    label = len(f"mn {tile.shape.mn}") + 2
    room = count[1] if width is None else max(1, (width - label) // 9)
    for block in range(0, count[1], room):
        here = range(block, min(block + room, count[1]))
        yield [(" " * label, ""), *((f"k {k * tile.atom.k}".ljust(9), "dim") for k in here)]
        for mn in range(count[0]):
            line: Line = [(f"mn {mn * tile.atom.mn}".ljust(label), "dim")]
            for k in here:
                line.append((f"0x{tile.atom_start(mn, k):05x}  ", f"chunk{(mn + k) % 8}"))
            yield line


def tile_dict(tile: Tile) -> dict[str, Any]:
    """Return a tile as an object."""
    return {
        "kind": tile.kind.name,
        "dtype": tile.dtype.name,
        "major": tile.major,
        "swizzle": tile.swizzle,
        "cta_group": tile.cta_group,
        "whole": list(tile.whole),
        "shape": list(tile.shape),
        "mma": list(tile.mma),
        "order": tile.order,
        "start": tile.start,
        "atom": list(tile.atom),
        "stride_mn": tile.stride_mn,
        "stride_k": tile.stride_k,
        "leading_byte_offset": tile.lbo,
        "stride_byte_offset": tile.sbo,
        "lbo_mode": "absolute" if tile.absolute else "relative",
        "tma": tma_dict(filling_of(tile)),
        "steps": [
            {"mn": step.mn, "k": step.k, "start_address": step.start, "value": f"0x{step.value:016x}"}
            for step in tile.steps
        ],
    }


def tma_dict(filling: Filling | None) -> dict[str, Any] | None:
    """Return the tensor map that fills a tile as an object, None where there is none."""
    if filling is None:
        return None
    box, copies = filling
    return {
        "data_type": box.data_type,
        "box": list(box.box),
        "swizzle": box.swizzle,
        "interleave": box.interleave,
        "copies": len(copies),
        "bytes": box.bytes,
        "at": [{"mn": copy.mn, "k": copy.k, "offset": copy.offset} for copy in copies],
    }
