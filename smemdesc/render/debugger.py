"""Views for the debugger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from smemdesc.debugger.kernel import DebuggedKernel
from smemdesc.debugger.questions import PlainLine
from smemdesc.debugger.session import (
    Breakpoints,
    DebuggerElement,
    ListingPlace,
    OperandComparison,
    OperandMatrix,
    Stop,
)
from smemdesc.engine.wording import many, printable
from smemdesc.instructions.mma import Judge
from smemdesc.layout.operand import Operand
from smemdesc.render.descriptor import known_addresses
from smemdesc.render.mma import mma_view
from smemdesc.render.parts import as_view, fitted, line, table

UNREADABLE_ELEMENT = "?"
_HARMLESS = ("lbo-k-major-swizzled",)
"""Rules whose note says that a number has no effect: the descriptors of every step of a library would have it."""


@as_view
def stop_view(stop: Stop) -> Iterator[RenderableType]:
    """The instruction, what is wrong with it, and which bytes it reads."""
    here = stop.here
    yield line((f"{printable(here.function)}+{here.place.offset}", "heading"), "  ", printable(here.place.text))
    thread = here.thread.strip() and f"{here.thread.strip()}, warp {here.warp}"
    if here.failed:
        yield Text(f"the exception was raised here; {thread}", "error")
    elif thread:
        yield Text(thread, "faint")
    yield mma_view(stop.mma, stop.judged, _HARMLESS)
    rows = [((name.upper(), "key"), f"reads {_bytes(operand)}") for name, operand in stop.operands]
    placed = known_addresses(stop.tensor_memory, here.instruction.copied is not None)
    rows += [((title, "key"), text) for title, text in placed]
    for name, expression, map in stop.maps:
        meaning = str(map).partition("  ")[2]  # after the digits
        rows.append(((name.upper(), "key"), f"filled by {printable(expression)}: {meaning}"))
    if rows:
        yield table(rows, indent=2)
    for by in dict.fromkeys(change.by for change in stop.changed):
        names = [change.register for change in stop.changed if change.by == by]
        since = f"overwritten since, at {_place(by)}" if by else "perhaps overwritten since, after a branch"
        text = f"{', '.join(names)}: {since}; their bits come from the function's code, not from the registers"
        yield Text(text, "warning")


def _place(place: ListingPlace) -> str:
    return f"+{place.offset}: {printable(place.text)}"


def _bytes(operand: Operand) -> str:
    runs = operand.intervals()
    size = sum(end - first for first, end in runs)
    return f"{size} B of shared memory, from 0x{runs[0][0]:05x} to 0x{runs[-1][1] - 1:05x}"


@fitted
def matrix_view(console: Console, options: ConsoleOptions, matrix: OperandMatrix) -> Iterator[RenderableType]:
    """Numbers, one row per line, as many columns as fit."""
    from smemdesc.kinds.elements import text_of
    from smemdesc.render.operand import case

    dtype = matrix.operand.dtype
    yield Text(f"{matrix.name.upper()}: {case(matrix.operand)}; rows are MN, columns K", "heading")
    cells = {
        (mn, k): UNREADABLE_ELEMENT if (bits := matrix.bits[mn][k]) is None else text_of(dtype, bits)
        for mn in matrix.rows
        for k in matrix.columns
    }
    width = max(map(len, cells.values()), default=1) + 2
    first = len(str(matrix.rows[-1])) + 2
    fit = max(1, (options.max_width - first) // width)
    columns = matrix.columns[:fit]
    numbers = Table.grid(padding=(0, 2, 0, 0))
    numbers.add_column(justify="right", style="label")
    for _ in columns:
        numbers.add_column(justify="right")
    numbers.add_row("", *(Text(str(k), "label") for k in columns))
    for mn in matrix.rows:
        numbers.add_row(str(mn), *(cells[mn, k] for k in columns))
    yield numbers
    if len(columns) < len(matrix.columns):
        rows = f"{matrix.rows[0]}-{matrix.rows[-1]}"
        left = f"{columns[-1] + 1}-{matrix.columns[-1]}"
        yield Text(f"for more columns: smemdesc operand {matrix.name} {rows},{left}", "faint")


@as_view
def operand_element_view(element: DebuggerElement) -> Iterator[RenderableType]:
    """One element, and the computation of its address."""
    from smemdesc.kinds.elements import text_of
    from smemdesc.render.operand import address_view

    number = UNREADABLE_ELEMENT if element.bits is None else text_of(element.operand.dtype, element.bits)
    digits = -(-element.operand.dtype.bits // 4)
    bits = "" if element.bits is None else f" (0x{element.bits:0{digits}x})"
    yield line((f"{element.name.upper()}[{element.mn}, {element.k}] = {number}", "heading"), bits)
    yield address_view(element.operand, element.mn, element.k)


@as_view
def compared_view(compared: OperandComparison) -> Iterator[RenderableType]:
    """Where an operand differs from the expected matrix, and the layout under which the bytes agree."""
    from smemdesc.render.layout_text import recognition_view

    yield Text(f"{compared.name.upper()} against {printable(compared.expected)}", "heading")
    yield recognition_view(compared.recognition, compared.repairs, compared.name.upper())


@as_view
def breakpoints_view(breakpoints: Breakpoints) -> Iterator[RenderableType]:
    """The breakpoints that were set."""
    yield Text(many(len(breakpoints.places), "breakpoint"), "heading")
    for place in breakpoints.places:
        yield Text(f"  {_place(place)}")


@as_view
def kernel_view(kernel: DebuggedKernel) -> Iterator[RenderableType]:
    """The shared memory of a function, as ``scan`` shows it, and what is not known of it."""
    from smemdesc.render.scan import function_view
    from smemdesc.scanning.results.report import fold

    judge = Judge()
    yield function_view(kernel.function, fold(kernel.function, judge), kernel.every, judge=judge)
    if kernel.missing:
        yield Text(kernel.missing, "faint")


DEBUGGER_VIEWS: dict[type, Callable[[Any], RenderableType]] = {
    Stop: stop_view,
    OperandMatrix: matrix_view,
    DebuggerElement: operand_element_view,
    OperandComparison: compared_view,
    Breakpoints: breakpoints_view,
    DebuggedKernel: kernel_view,
    PlainLine: lambda plain: Text(plain.text.rstrip()),
}


def view(value: Any) -> RenderableType:
    """Return the view of a value that a session yields."""
    return DEBUGGER_VIEWS[type(value)](value)
