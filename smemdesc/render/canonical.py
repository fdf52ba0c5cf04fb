"""The table of canonical layouts as lines and as JSON: PTX's notation, CUTLASS's, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from smemdesc.errors import SmemdescError
from smemdesc.kinds.types import DType
from smemdesc.layout.forms import FIGURE_167, FIGURE_167_RIGHT, SOURCE, Example, Form, aliases, remark
from smemdesc.layout.operand import INSTRUCTION_K, K_WHY, UNIT, Operand
from smemdesc.render.lines import Line, Span, columns, indented

SAME = "as PTX"
_WIDE = 104
"""Columns that the table needs with both notations side by side."""


def table_lines(rows: Sequence[Form], dtype: DType, width: int | None) -> Iterator[Line]:
    """Yield the table in letters, what LBO and SBO step over, and the notes."""
    for major in dict.fromkeys(row.major for row in rows):
        here = [row for row in rows if row.major == major]
        yield [(f"{major}-major", "heading")]
        yield from _inset(_tall(here) if width is not None and width < _WIDE else _wide(here))
        if any(row.lbo for row in here):
            yield []
            yield from _inset(_strides(here))
        yield []
    yield from indented([("letters: ", "dim")], letters(dtype), "", width)
    yield from notes(rows, width)
    yield from indented([("source: ", "dim")], SOURCE, "dim", width)


def _inset(lines: Iterator[Line]) -> Iterator[Line]:
    return ([("  ", ""), *line] for line in lines)


def _wide(rows: Sequence[Form]) -> Iterator[Line]:
    cells: list[list[Span]] = [[(name, "dim") for name in ("mode", "swizzle", "PTX", "CUTLASS")]]
    for row in rows:
        cutlass: Span = (SAME, "dim") if row.cutlass and row.cutlass == row.ptx else _form(row.cutlass, "no atom")
        cells.append([(row.swizzle, "key"), (_function(row), ""), _ptx(row), cutlass])
    return columns(cells, None)


def _tall(rows: Sequence[Form]) -> Iterator[Line]:
    """The same on a narrow terminal: CUTLASS below PTX, where it is another."""
    cells: list[list[Span]] = [
        [(name, "dim") for name in ("mode", "swizzle", "PTX; below it CUTLASS, where it differs")]
    ]
    for row in rows:
        cells.append([(row.swizzle, "key"), (_function(row), ""), _ptx(row)])
        if row.cutlass != row.ptx:
            cells.append([("", ""), ("", ""), _form(row.cutlass, "no atom")])
    return columns(cells, None)


def _function(row: Form) -> str:
    return str(row.function) if row.cutlass else "-"


def _ptx(row: Form) -> Span:
    return _form(row.ptx, "no row" if row.cutlass else "no atom")


def _form(text: str | None, otherwise: str) -> Span:
    return (text, "value") if text else (otherwise, "warning")


def _strides(rows: Sequence[Form]) -> Iterator[Line]:
    cells: list[list[Span]] = [[("mode", "dim"), ("LBO steps over", "dim"), ("SBO steps over", "dim")]]
    for row in rows:
        if row.lbo and row.sbo:
            cells.append([(row.swizzle, "key"), (row.lbo.step, ""), (row.sbo.step, "")])
    return columns(cells, None)


def letters(dtype: DType) -> str:
    """Say what the letters stand for."""
    return (
        f"T = 128 / {dtype.storage} = {128 // dtype.storage} elements in 16 B ({dtype.name}); m and k count repeats "
        "along MN and K; LBO and SBO are in elements; the swizzle acts on byte addresses"
    )


def notes(rows: Sequence[Form], width: int | None) -> Iterator[Line]:
    """Yield why the notations differ, each reason once, with the modes that it is about."""
    for why, modes in _reasons(rows).items():
        yield [("note ", "note"), (modes, "heading")]
        yield from indented([("  ", "")], why, "", width)
        if why == K_WHY:
            yield from indented([("  counted: ", "dim")], counted(), "", width)


def _reasons(rows: Sequence[Form]) -> dict[str, str]:
    found: dict[str, list[Form]] = {}
    for row in rows:
        if row.why:
            found.setdefault(row.why, []).append(row)
    return {why: f"{of[0].major}-major {', '.join(row.swizzle for row in of)}" for why, of in found.items()}


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
    if both.by_cutlass:
        yield from indented([("  CUTLASS  ", "dim")], str(both.cutlass), "value", width)
    else:
        yield from indented([("  CUTLASS  ", "dim")], no_form(operand), "", width)
        yield from indented([("  formula  ", "dim")], str(both.cutlass), "value", width)
    yield from indented([("  letters  ", "dim")], both.symbols, "", width)
    for name, size, stride in zip(("LBO", "SBO"), (operand.lbo, operand.sbo), found.strides, strict=True):
        yield from indented([(f"  {name}      ", "dim")], f"encoded {size // UNIT}; {stride.explain(size)}", "", width)
    if found.apart:
        text = (
            f"PTX's puts {mn * k} elements at {found.distinct} addresses, "
            f"{found.apart} of them not where {'CUTLASS has' if both.by_cutlass else 'the address formula puts'} them"
        )
        yield from indented([("  differ   ", "dim")], text, "warning", width)
    for text in (both.why, remark(row.swizzle, row.major, operand.dtype)):
        if text:
            yield from indented([("  note     ", "note")], text, "", width)


def no_form(operand: Operand) -> str:
    """Say why CUTLASS writes no layout of an operand."""
    dense, sparse = (size * 8 // operand.dtype.storage for size in INSTRUCTION_K)
    if operand.shape[1] in (dense, sparse):
        return f"none: its form of K = {operand.shape[1]} stays within an atom"
    return f"none: its forms have the K of one instruction, {dense} ({sparse} for B of a sparse one)"


def refused_lines(row: Form, error: SmemdescError, width: int | None) -> Iterator[Line]:
    """Yield a row that has no such operand, and why."""
    prefix: Line = [("left out ", "dim"), (f"{row.major}-major {row.swizzle}", "heading"), (": ", "")]
    yield from indented(prefix, str(error), "dim", width)


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
