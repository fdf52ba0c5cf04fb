"""The table of canonical layouts as lines and as JSON: PTX's notation, CUTLASS's, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from smemdesc.errors import SmemdescError
from smemdesc.kinds.types import DType
from smemdesc.layout.forms import FIGURE_167, FIGURE_167_RIGHT, SOURCE, Example, Form, aliases
from smemdesc.layout.operand import UNIT
from smemdesc.render.lines import Line, Span, columns, indented
from smemdesc.strides import Stride

SAME = "as PTX"


def table_lines(rows: Sequence[Form], dtype: DType, width: int | None) -> Iterator[Line]:
    """Yield the table in letters, what LBO and SBO step over, and the notes."""
    for major in dict.fromkeys(row.major for row in rows):
        here = [row for row in rows if row.major == major]
        yield [(f"{major}-major", "heading")]
        cells: list[list[Span]] = [[(name, "dim") for name in ("mode", "swizzle", "PTX", "CUTLASS")]]
        cells += [_cells(row) for row in here]
        yield from _inset(columns(cells, None))
        yield []
        yield from _inset(_strides(here, width))
        yield []
    yield from indented([("letters: ", "dim")], letters(dtype), "", width)
    yield from notes(rows, width)
    yield from indented([("source: ", "dim")], SOURCE, "dim", width)


def _inset(lines: Iterator[Line]) -> Iterator[Line]:
    return ([("  ", ""), *line] for line in lines)


def _cells(row: Form) -> list[Span]:
    if row.cutlass is None:
        return [(row.swizzle, "key"), ("-", "dim"), ("no atom", "warning"), ("no atom", "warning")]
    ptx: Span = (row.ptx, "value") if row.ptx else ("no row", "warning")
    cutlass: Span = (SAME, "dim") if row.cutlass == row.ptx else (row.cutlass, "value")
    return [(row.swizzle, "key"), (str(row.function), ""), ptx, cutlass]


def _strides(rows: Sequence[Form], width: int | None) -> Iterator[Line]:
    cells: list[list[Span]] = [[("mode", "dim"), ("LBO, from", "dim"), ("SBO, from", "dim")]]
    for row in rows:
        if row.lbo and row.sbo:
            cells.append([(row.swizzle, "key"), (_step(row.lbo), ""), (_step(row.sbo), "")])
    yield from columns(cells, None if width is None else width - 2)


def _step(stride: Stride) -> str:
    return f"{stride.step} to the next"


def letters(dtype: DType) -> str:
    """Say what the letters stand for."""
    return (
        f"T = 128 / {dtype.storage} bits = {128 // dtype.storage} elements of 16 B ({dtype.name}); m and k count "
        "repeats along MN and K; LBO and SBO in elements; the swizzle acts on byte addresses"
    )


def notes(rows: Sequence[Form], width: int | None) -> Iterator[Line]:
    """Yield why the notations differ, each reason once, with the modes that it is about."""
    for why, modes in _reasons(rows).items():
        prefix: Line = [("note ", "note"), (modes, "heading"), (": ", "")]
        yield from indented(prefix, why, "", width)
    if any(row.major == "K" and row.swizzle != "none" and row.ptx for row in rows):
        yield from indented([("  counted: ", "dim")], counted(), "", width)


def _reasons(rows: Sequence[Form]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.why:
            found.setdefault(row.why, []).append(f"{row.major}-major {row.swizzle}")
    return {why: ", ".join(modes) for why, modes in found.items()}


def counted() -> str:
    """Say what Figure 167's layout does, by counting."""
    parts = []
    for layout in (FIGURE_167, FIGURE_167_RIGHT):
        coordinates, offsets = aliases(layout)
        parts.append(f"{layout} puts {coordinates} elements at {offsets} offsets")
    return ", ".join(parts)


def example_lines(found: Example, width: int | None) -> Iterator[Line]:
    """Yield one row with its numbers."""
    row, operand, both = found.form, found.operand, found.canonical
    mn, k = operand.shape
    lead = f"{row.major}-major {row.swizzle}, {operand.dtype.name}, {mn} x {k}"
    yield [(lead, "heading"), (f": T = {operand.unit}, m = {both.m}, k = {both.k}", "")]
    yield from indented([("  PTX      ", "dim")], str(both.ptx) if row.ptx else "no row", "value", width)
    yield from indented([("  CUTLASS  ", "dim")], str(both.cutlass), "value", width)
    yield from indented([("  letters  ", "dim")], both.symbols, "", width)
    context = zip(("LBO", "SBO"), (operand.lbo, operand.sbo), found.strides, strict=True)
    for name, size, stride in context:
        text = f"{size} B, encoded {size // UNIT}; {stride.explain(size)}"
        yield from indented([(f"  {name}      ", "dim")], text, "", width)
    if found.apart:
        text = (
            f"PTX's puts {mn * k} elements at {found.distinct} addresses, "
            f"{found.apart} of them not where CUTLASS has them"
        )
        yield from indented([("  differ   ", "dim")], text, "warning", width)
    if both.why:
        yield from indented([("  note     ", "note")], both.why, "", width)


def refused_lines(row: Form, error: SmemdescError, width: int | None) -> Iterator[Line]:
    """Yield a row that has no such operand, and why."""
    prefix: Line = [(f"{row.major}-major {row.swizzle}", "heading"), (": ", "")]
    yield from indented(prefix, str(error), "dim", width)


def form_dict(row: Form, found: Example | None = None, error: SmemdescError | None = None) -> dict[str, Any]:
    """Return the object of a row; ``exact`` are the numbers, ``error`` why there are none."""
    out: dict[str, Any] = {
        "swizzle": row.swizzle,
        "major": row.major,
        "ptx": row.ptx,
        "cutlass": row.cutlass,
        "function": str(row.function),
        "lbo": _step(row.lbo) if row.lbo else None,
        "sbo": _step(row.sbo) if row.sbo else None,
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
            "cutlass": str(both.cutlass),
            "leading_byte_offset": {"raw": operand.lbo // UNIT, "value": operand.lbo},
            "stride_byte_offset": {"raw": operand.sbo // UNIT, "value": operand.sbo},
            "apart": found.apart,
            "why": both.why,
        }
    if error is not None:
        out["error"] = str(error)
    return out
