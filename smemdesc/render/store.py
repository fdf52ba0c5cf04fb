"""How threads write a tile in shared memory: the formula, the assignments and their bank conflicts."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, span
from smemdesc.kinds.modes import MODE
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.layout.store import QUARTER, STORE_SOURCE, WARP, StoredTile, ThreadLayout
from smemdesc.render.cells import EMPTY_CELL, Cell, Grid
from smemdesc.render.parts import StyledText, as_view, beside, labeled, line, table

_RULES = {
    "row": ("T", "i"),
    "quarter": ("T mod 8", "T div 8"),
    "matrix": ("T mod 16", "T div 16"),
}


def _rule(stored: StoredTile, threads: ThreadLayout) -> str:
    """Return the row and the unit of a thread of the warp."""
    _, wide = threads.extent
    own = (f"T div {wide}", f"T mod {wide}") if threads.name == "coalesced" else None
    row, unit = _RULES.get(threads.name) or own or ("", "")
    return f"{stored.row} = {row}, unit {unit}" if row else str(threads.layout)


@as_view
def store_view(stored: StoredTile, thread: int | None = None) -> Iterator[RenderableType]:
    """The formula of an element; the wavefronts of each assignment; of a requested one the places of a warp.

    ``thread``: instead, all that this thread writes.
    """
    yield Text(
        f"{stored}: {many(stored.tiling.size, 'byte')} from a multiple of {MODE[stored.tiling.swizzle].period}",
        "heading",
    )
    yield beside(line(("byte", "key"), " = "), stored.formula())
    yield beside(("C++: ", "label"), stored.formula("c"))
    if thread is not None:
        yield from _of_thread(stored, thread)
        return
    yield from _conflicts(stored)
    if stored.thread_layout is not None:
        yield _warp(stored, stored.thread_layout)
    yield labeled("source", (STORE_SOURCE, "faint"))


def _conflicts(stored: StoredTile) -> Iterator[RenderableType]:
    yield Text("16 bytes of each thread T of a warp (st.shared.v4.b32, stmatrix.x4, ldmatrix.x4)", "heading")
    swizzled = stored.tiling.swizzle != "none"
    rows: list[list[StyledText | Text]] = []
    free = []
    for threads in stored.assignments:
        count = stored.wavefronts(threads)
        free += [] if count.conflicts else [threads.name]
        plain = [str(stored.wavefronts(threads, swizzled=False).worst)] if swizzled else []
        style = "warning" if count.conflicts else "good"
        rows.append([threads.name, _rule(stored, threads), str(count.least), (str(count.worst), style), *plain])
    heads = ("threads", "write", "least", "wavefronts", *(["without the swizzle"] if swizzled else []))
    yield table(rows, heads, indent=2, wraps=0)
    unit = stored.per_unit
    yield beside("  ", (f"unit u holds {stored.contiguous} {unit}u to {unit}u + {unit - 1}", "faint"))
    yield beside(
        "  ", ("8 threads in 8 chunks of 16 bytes of the banks are one wavefront; 4 of a warp are the least", "faint")
    )
    if stored.thread_layout is None:
        yield beside("  ", (f"without conflicts: {', '.join(free) or 'none of these'}", "good" if free else "warning"))


def _warp(stored: StoredTile, threads: ThreadLayout) -> Grid:
    """Return the first access of the first warp: a line for each quarter-warp, colored by the chunk of the banks."""
    places = next(stored.accesses(threads))
    cells: list[list[Cell]] = []
    for quarter in range(WARP // QUARTER):
        cells.append([])
        for thread in range(quarter * QUARTER, (quarter + 1) * QUARTER):
            if thread not in places:
                cells[-1].append(EMPTY_CELL)
                continue
            byte = stored.unit_byte(*places[thread])
            chunk = byte % LINE // UNIT
            cells[-1].append(Cell(f"{byte}:{chunk}", chunk))
    return Grid(
        above=("byte:chunk",),
        left=("threads",),
        columns=[(f"+{number}",) for number in range(QUARTER)],
        rows=[(span(first, first + QUARTER - 1),) for first in range(0, WARP, QUARTER)],
        cells=cells,
    )


def _of_thread(stored: StoredTile, thread: int) -> Iterator[RenderableType]:
    unit = stored.per_unit
    rows: list[list[StyledText | Text]] = []
    for row, number in stored.thread_units(thread):
        byte = stored.unit_byte(row, number)
        columns = span(number * unit, number * unit + unit - 1)
        rows.append([str(row), columns, (str(byte), "value"), str(byte % LINE // UNIT)])
    yield beside(
        line((f"thread {thread}", "value"), " writes"), f" ({stored.thread_layout and stored.thread_layout.layout})"
    )
    yield table(rows, (stored.row, stored.contiguous, "byte", "chunk"), indent=2, wraps=0)


@as_view
def element_view(stored: StoredTile, mn: int, k: int) -> Iterator[RenderableType]:
    """The byte of one element, with the formula."""
    bit = stored.operand.bit_address(mn, k)
    inside = f", bit {bit % 8}" if bit % 8 else ""
    yield beside(line((f"byte {bit // 8}{inside}", "value"), "  "), (f"mn {mn}, k {k} of {stored}", "heading"))
    yield beside(line(("  byte", "key"), " = "), stored.formula())
