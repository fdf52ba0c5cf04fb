"""What ``layout`` answers, as objects for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.layout.atom import Atom, byte_size
from smemdesc.layout.forms import Example, Form, remark
from smemdesc.layout.fragment import THREADS, Cell, Fragment, M, Place
from smemdesc.layout.operand import LINE, UNIT, Operand, bank, canonical
from smemdesc.layout.placed import Placed, by_line, placed
from smemdesc.tiles.box import Filling, filling_of
from smemdesc.tiles.linear import LinearLayout, Point
from smemdesc.tiles.tile import Tile


def atom_dict(atom: Atom, *, elements: bool, step: int | None) -> dict[str, Any]:
    """Return the object of an atom: addresses (bytes) of each unit or element, and what lies in each line."""
    found = placed(atom, elements=elements)
    out: dict[str, Any] = {
        "swizzle": atom.swizzle,
        "major": atom.major,
        "dtype": atom.dtype.name,
        "shape": list(atom.shape),
        "units": list(atom.units),
        "bytes": byte_size(atom.swizzle, atom.major),
        "function": str(atom.operand.swizzle),
        "start": atom.start,
        "base_offset": atom.operand.base_offset,
        "of": "elements" if elements else "units",
        "addresses": [[_byte(each.after) for each in row] for row in found],
        "lines": _lines(found),
        "note": remark(atom.swizzle, atom.major, atom.dtype),
    }
    if step is not None:
        rows = by_line(atom, step)
        order = [[unit for unit in row if unit is not None] for row in rows]
        out["mma"] = {"step": step, "lines": rows, "order": order}
    return out


def _lines(found: list[list[Placed]]) -> list[dict[str, Any]]:
    """Each line of shared memory with the coordinates in it, in the order of their addresses."""
    by_line: dict[int, list[Placed]] = {}
    for row in found:
        for each in row:
            by_line.setdefault(each.line, []).append(each)
    return [
        {"address": line * LINE, "holds": [[each.mn, each.k, each.chunk] for each in sorted(here, key=_after)]}
        for line, here in sorted(by_line.items())
    ]


def _after(each: Placed) -> int:
    return each.after


def _byte(bit: int) -> int | float:
    return bit / 8 if bit % 8 else bit // 8


def operand_dict(candidate: DescriptorReading, operand: Operand) -> dict[str, Any]:
    """Return the object of an operand; ``addresses`` is a list for each mn of the byte address of each k."""
    out: dict[str, Any] = {
        "value": candidate.hex,
        "kind": candidate.kind.name,
        "dtype": operand.dtype.name,
        "major": operand.major,
        "shape": list(operand.shape),
        "swizzle": operand.mode.name,
        "addresses": [[_byte(bit) for bit in row] for row in operand.grid],
        "intervals": [list(interval) for interval in operand.intervals()],
        "overlaps": [[_byte(bit), count] for bit, count in operand.overlaps()],
        "bank_conflict": operand.bank_conflict(),
        "segments": _segments(operand),
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


def _segments(operand: Operand) -> list[dict[str, Any]] | None:
    """Return the lines that K lies in where LBO is an address, else None; ranges are first and last."""
    found = [{"line": each.line, "bytes": list(each.bytes), "k": list(each.k)} for each in operand.segments]
    return found or None


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
            {
                "mn": step.mn,
                "k": step.k,
                "start_address": step.start,
                "value": f"0x{step.value:016x}",
                **({"segments": _segments(tile.operand(step))} if tile.absolute else {}),
            }
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


def _fragment(fragment: Fragment) -> dict[str, Any]:
    return {
        "shape": str(fragment.shape),
        "operand": fragment.operand,
        "dtype": fragment.dtype,
        "rows": M,
        "columns": fragment.columns,
        "registers": fragment.registers,
        "elements_per_register": fragment.packed,
    }


def fragment_dict(fragment: Fragment) -> dict[str, Any]:
    """Return the whole fragment: ``places[row][column]`` is [thread, register, element]."""
    return {
        **_fragment(fragment),
        "places": [[list(place) for place in row] for row in fragment.rows()],
        **_source(fragment),
    }


def register_dict(fragment: Fragment, register: int) -> dict[str, Any]:
    """Return what one register holds in each thread: ``cells[thread][element]`` is [row, column]."""
    cells = [
        [list(fragment.cell(thread, register, element)) for element in range(fragment.packed)]
        for thread in range(THREADS)
    ]
    return {**_fragment(fragment), "register": register, "cells": cells, **_source(fragment)}


def thread_dict(fragment: Fragment, thread: int, register: int | None = None) -> dict[str, Any]:
    """Return the registers of one thread: each with the [row, column] of its elements, from the low bits up."""
    held = fragment.by_register(thread, register)
    place = held[0][0][0]
    return {
        **_fragment(fragment),
        **_who(place),
        "held": [{"register": each[0][0].register, "cells": [list(cell) for _, cell in each]} for each in held],
        **_source(fragment),
    }


def element_dict(fragment: Fragment, cell: Cell) -> dict[str, Any]:
    """Return who holds one element; ``index`` is i of a_i or d_i."""
    place = fragment.place(*cell)
    return {
        **_fragment(fragment),
        "row": cell.row,
        "column": cell.column,
        **_who(place),
        "register": place.register,
        "element": place.element,
        "index": fragment.number(place),
        **_source(fragment),
    }


def _who(place: Place) -> dict[str, int]:
    return {"thread": place.thread, "warp": place.warp, "lane": place.lane}


def _source(fragment: Fragment) -> dict[str, str]:
    return {"source": fragment.source}


def linear_dict(layout: LinearLayout, points: Sequence[Point]) -> dict[str, Any]:
    """Return the object of a linear layout; ``points`` only where some are asked for."""
    out: dict[str, Any] = {
        "swizzle": layout.swizzle,
        "dtype": layout.dtype.name,
        "bits": layout.dtype.bits,
        "dims": [layout.rows, layout.columns],
        "bases": [{"offset": basis.offset, "to": [basis.row, basis.column]} for basis in layout.bases],
    }
    if points:
        out["points"] = [{"offset": point.offset, "at": [point.row, point.column]} for point in points]
    return out


def form_dict(row: Form, found: Example | None = None, error: SmemdescError | None = None) -> dict[str, Any]:
    """Return the object of a row; ``exact`` are the numbers, ``error`` why there are none."""
    out: dict[str, Any] = {
        "swizzle": row.swizzle,
        "major": row.major,
        "ptx": row.ptx,
        "cutlass": row.cutlass,
        "function": str(row.function),
        "lbo": row.lbo.step if row.lbo else None,
        "sbo": row.sbo.step if row.sbo else None,
        "why": row.why,
    }
    if found is not None:
        operand, both = found.operand, found.canonical
        out["exact"] = {
            "dtype": operand.dtype.name,
            "shape": list(operand.shape),
            "t": operand.unit,
            "m": both.m,
            "k": both.k,
            "ptx": str(both.ptx) if row.ptx else None,
            "cutlass": str(both.cutlass) if both.by_cutlass else None,
            "formula": str(both.cutlass),
            "leading_byte_offset": {"raw": operand.lbo // UNIT, "value": operand.lbo},
            "stride_byte_offset": {"raw": operand.sbo // UNIT, "value": operand.sbo},
            "apart": found.apart,
            "why": both.why,
        }
    if error is not None:
        out["error"] = str(error)
    return out
