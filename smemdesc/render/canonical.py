"""The table of canonical layouts: PTX's notation, CUTLASS's, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import no_instruction
from smemdesc.layout.forms import FIGURE_167, FIGURE_167_RIGHT, FORMS_SOURCE, CanonicalExample, CanonicalForm, aliases
from smemdesc.layout.operand import INSTRUCTION_K, K_WHY, UNIT, Operand
from smemdesc.render.parts import StyledText, as_view, beside, fitted, labeled, line, table

SAME = "as PTX"
_WIDE = 104
"""Columns of the table with both notations side by side."""


@fitted
def forms_view(
    console: Console, options: ConsoleOptions, rows: Sequence[CanonicalForm], dtype: DType
) -> Iterator[RenderableType]:
    """The table in letters, what LBO and SBO step over, and the notes."""
    for major in dict.fromkeys(row.major for row in rows):
        here = [row for row in rows if row.major == major]
        yield Text(f"{major}-major", "heading")
        yield _tall(here) if options.max_width < _WIDE else _wide(here)
        if any(row.lbo for row in here):
            yield Text()
            yield _strides(here)
        yield Text()
    yield labeled("letters", letters(dtype), indent=0)
    yield from _notes(rows)
    yield labeled("source", (FORMS_SOURCE, "faint"), indent=0)


def _wide(rows: Sequence[CanonicalForm]) -> RenderableType:
    cells: list[list[StyledText | Text]] = []
    for row in rows:
        cutlass: StyledText = (
            (SAME, "faint") if row.cutlass and row.cutlass == row.ptx else _form(row.cutlass, "no atom")
        )
        cells.append([(row.swizzle, "key"), _function(row), _ptx(row), cutlass])
    return table(cells, ("mode", "swizzle", "PTX", "CUTLASS"), indent=2)


def _tall(rows: Sequence[CanonicalForm]) -> RenderableType:
    """The same on a narrow terminal: CUTLASS below PTX where they differ."""
    cells: list[list[StyledText | Text]] = []
    for row in rows:
        cells.append([(row.swizzle, "key"), _function(row), _ptx(row)])
        if row.cutlass != row.ptx:
            cells.append(["", "", _form(row.cutlass, "no atom")])
    return table(cells, ("mode", "swizzle", "PTX; below it CUTLASS, if it differs"), indent=2)


def _function(row: CanonicalForm) -> str:
    return str(row.function) if row.cutlass else "-"


def _ptx(row: CanonicalForm) -> StyledText:
    return _form(row.ptx, "no row" if row.cutlass else "no atom")


def _form(text: str | None, otherwise: str) -> StyledText:
    return (text, "value") if text else (otherwise, "warning")


def _strides(rows: Sequence[CanonicalForm]) -> RenderableType:
    cells: list[list[StyledText | Text]] = [
        [(row.swizzle, "key"), row.lbo.step, row.sbo.step] for row in rows if row.lbo and row.sbo
    ]
    return table(cells, ("mode", "LBO steps over", "SBO steps over"), indent=2)


def letters(dtype: DType) -> str:
    """Explain the letters."""
    return (
        f"T = 128 / {dtype.storage} = {128 // dtype.storage} elements in 16 B ({dtype.name}); m and k count repeats "
        "along MN and K; LBO and SBO are in elements; the swizzle acts on byte addresses"
    )


def _notes(rows: Sequence[CanonicalForm]) -> Iterator[RenderableType]:
    """Yield why the notations differ, each reason once, with its modes."""
    for why, modes in _reasons(rows).items():
        yield line(("note ", "note"), (modes, "heading"))
        yield beside("  ", why)
        if why == K_WHY:
            yield labeled("counted", alias_counts())


def _reasons(rows: Sequence[CanonicalForm]) -> dict[str, str]:
    rows_of: dict[str, list[CanonicalForm]] = {}
    for row in rows:
        if row.why:
            rows_of.setdefault(row.why, []).append(row)
    return {why: f"{of[0].major}-major {', '.join(row.swizzle for row in of)}" for why, of in rows_of.items()}


def alias_counts() -> str:
    """Show the error in Figure 167's layout by counting."""
    parts = []
    for layout in (FIGURE_167, FIGURE_167_RIGHT):
        coordinates, offsets = aliases(layout)
        parts.append(f"{layout} puts {coordinates} elements at {offsets} offsets")
    return ", ".join(parts)


@as_view
def example_view(example: CanonicalExample) -> Iterator[RenderableType]:
    """One row with its numbers."""
    row, operand, both = example.form, example.operand, example.canonical
    mn, k = operand.shape
    lead = f"{row.major}-major {row.swizzle}, {operand.dtype.name}, {mn} x {k}"
    yield line((lead, "heading"), f": T = {operand.unit}, m = {both.m}, k = {both.k}")
    rows: list[list[StyledText | Text]] = [
        [("PTX", "label"), (str(both.ptx) if row.ptx else "no row", "value")],
        [("CUTLASS", "label"), (str(both.cutlass), "value") if both.by_cutlass else no_form(operand)],
    ]
    if not both.by_cutlass:
        rows.append([("formula", "label"), (str(both.cutlass), "value")])
    rows.append([("letters", "label"), both.symbols])
    for name, size, stride in zip(("LBO", "SBO"), (operand.lbo, operand.sbo), example.strides, strict=True):
        rows.append([(name, "label"), f"encoded {size // UNIT}; {stride.explain(size)}"])
    if example.apart:
        where = "CUTLASS has" if both.by_cutlass else "the address formula puts"
        text = (
            f"PTX's puts {mn * k} elements at {example.distinct} addresses, "
            f"{example.apart} of them not where {where} them"
        )
        rows.append([("differ", "label"), (text, "warning")])
    for text in (both.why, no_instruction(row.swizzle, row.major, operand.dtype)):
        if text:
            rows.append([("note", "note"), text])
    yield table(rows, indent=2)


def no_form(operand: Operand) -> str:
    """Explain why CUTLASS has no layout of an operand."""
    dense, sparse = (size * 8 // operand.dtype.storage for size in INSTRUCTION_K)
    if operand.shape[1] in (dense, sparse):
        return f"none: its form of K = {operand.shape[1]} stays within an atom"
    return f"none: its forms have the K of one instruction, {dense} ({sparse} for B of a sparse one)"


def left_out(row: CanonicalForm, error: SmemdescError) -> RenderableType:
    """Return the line about a row without such an operand, with the reason."""
    head = line(("left out ", "label"), (f"{row.major}-major {row.swizzle}", "heading"), ": ")
    return beside(head, (error.text, "faint"))
