"""A register fragment: rows by columns, in text and as a picture; one thread's registers; one element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, span
from smemdesc.layout.fragment import LANES, WARP_ROWS, Fragment, M, RegisterSlot
from smemdesc.layout.index_map import MatrixElement
from smemdesc.render.cells import EMPTY, Grid
from smemdesc.render.cells import Cell as Drawn
from smemdesc.render.console import CHUNKS
from smemdesc.render.parts import Span, beside, fact, labeled, line, shown, table
from smemdesc.render.svg import INK, Chart, ColorKey, Paragraph, Swatch, heading, notes
from smemdesc.render.svg import picture as drawn

_JOINED = 4
"""With more elements per register, the drawing has one cell per register instead of one per element."""


def color_number(quad: int) -> int:
    """Return the number of the color of a thread, by its place in its quad."""
    return 2 * quad


def notation(fragment: Fragment, place: RegisterSlot) -> str:
    """Return ``T5:r2``; ``T5:r2.1`` if a register holds several elements."""
    text = f"T{place.thread}:r{place.register}"
    return f"{text}.{place.element}" if fragment.packed > 1 else text


def step(fragment: Fragment) -> int:
    """Columns per cell of a drawing."""
    return fragment.packed if fragment.packed > _JOINED else 1


def cell_text(fragment: Fragment, place: RegisterSlot) -> str:
    """Return the text of a cell of a drawing; ``T5:r2.0..31`` for a whole register."""
    text = notation(fragment, place)
    return f"{text}..{place.element + step(fragment) - 1}" if step(fragment) > 1 else text


def title(fragment: Fragment) -> str:
    """Return the title, with size and registers."""
    registers = f"{fragment.registers} registers per thread"
    if fragment.packed > 1:
        registers += f", {fragment.packed} elements per register"
    return f"{fragment}: 64 x {fragment.columns}, {registers}"


@shown
def fragment_view(
    fragment: Fragment, everything: bool = False, register: int | None = None
) -> Iterator[RenderableType]:
    """The matrix rows by columns, warp by warp, with thread and register in each cell.

    ``everything``: all four warps and all columns, else the first warp, the columns that repeat, and a line about
    the others. ``register``: show only what this one holds.
    """
    yield Text(title(fragment), "heading")
    if fragment.packed > 1:
        last = fragment.packed - 1
        yield beside("  ", (f"T0:r0.0 is the lowest {_bits(fragment)} of r0 of thread 0", "faint"))
        if step(fragment) > 1:
            yield beside("  ", (f"a cell is a register: its elements 0..{last}", "faint"))
    repeat = None if everything else fragment.repeat()
    columns = _shown(fragment, repeat, register)
    if register is not None:
        where = f", which is in columns {span(columns[0], columns[-1] + step(fragment) - 1)}" if repeat else ""
        yield beside("  ", (f"only r{register} is shown{where}", "faint"))
    for warp in range((M if everything else WARP_ROWS) // WARP_ROWS):
        first = warp * WARP_ROWS
        yield line((f"warp {warp}", "heading"), f", rows {first}..{first + WARP_ROWS - 1}")
        yield _warp(fragment, first, columns, register)
    if repeat is not None and register is None:
        wide, further = repeat
        begins = cell_text(fragment, fragment.place(0, wide))
        rest = span(wide, fragment.columns - 1)
        yield Text(
            f"columns {rest}: every {wide} columns: r += {further} (column {wide} begins with {begins})", "faint"
        )
    if not everything:
        below = cell_text(fragment, fragment.place(WARP_ROWS, 0))
        yield Text(
            f"rows {WARP_ROWS}..{M - 1}: warps 1 to 3 hold them in the same way, each {WARP_ROWS} rows and {LANES} "
            f"threads further on (row {WARP_ROWS} begins with {below}); --all draws all",
            "faint",
        )
    yield from _formula(fragment)


def _shown(fragment: Fragment, repeat: tuple[int, int] | None, register: int | None) -> list[int]:
    """Return the columns that are drawn: one repeat, the one with ``register`` if given; all if none repeats."""
    columns = range(0, fragment.columns, step(fragment))
    if repeat is None:
        return [*columns]
    wide, _ = repeat
    rows = fragment.rows(0, WARP_ROWS)
    blocks = {at // wide for row in rows for at in columns if register in (None, row[at].register)}
    return [at for at in columns if at // wide in (blocks if register is not None else (0,))]


def _warp(fragment: Fragment, first: int, columns: Sequence[int], register: int | None) -> Grid:
    """Return 16 rows; in a cell, the text after the thread's number is the same for every thread."""
    every = step(fragment)
    places = [[row[at] for at in columns] for row in fragment.rows(first, first + WARP_ROWS)]
    ends = {place[1:]: cell_text(fragment, place).partition(":")[2] for row in (places[0], places[8]) for place in row}
    return Grid(
        above=("column",),
        left=("row",),
        columns=[(str(column),) for column in columns],
        rows=[(str(first + row),) for row in range(WARP_ROWS)],
        cells=[
            [
                Drawn(f"T{place[0]}:{ends[place[1:]]}", color_number(place[0] % 4))
                if register is None or place[1] == register
                else EMPTY
                for place in row
            ]
            for row in places
        ],
        group=4 * fragment.run // every,
    )


def _bits(fragment: Fragment) -> str:
    return "bit" if fragment.bits == 1 else f"{fragment.bits} bits"


def _formula(fragment: Fragment) -> Iterator[RenderableType]:
    """Yield the formula for this fragment, and its source."""
    run = fragment.run
    inner = f" + i mod {run}" if run > 1 else ""
    piece = f"i div {run}" if run > 1 else "i"
    letter = fragment.operand
    register = f"r(i div {fragment.packed}).(i mod {fragment.packed})" if fragment.packed > 1 else "r(i)"
    yield beside(line(("row", "key"), " = "), "16w + g + 8(p mod 2)")
    lead = f"{run}t" if run > 1 else "t"
    yield beside(line(("column", "key"), " = "), f"{lead}{inner} + {4 * run}(p div 2)")
    where = f"w = T div 32 (warp), g = T mod 32 div 4, t = T mod 4, p = {piece}, element {letter}_i in {register}"
    yield beside(("  with ", "label"), (where, "faint"))
    yield labeled("source", (fragment.source, "faint"))


@shown
def thread_view(fragment: Fragment, thread: int, register: int | None = None) -> Iterator[RenderableType]:
    """The registers of one thread (or one of them) with the rows and columns that they hold."""
    registers = fragment.by_register(thread, register)
    who = registers[0][0][0]
    several = fragment.packed > 1
    yield beside(line((f"T{thread}", "value"), "  "), (title(fragment), "heading"))
    yield beside("  ", (f"warp w = {who.warp}, lane {who.lane}, g = {who.group}, t = {who.quad}", "faint"))
    rows: list[list[Span | Text]] = []
    for elements in registers:
        (place, cell), (last, end) = elements[0], elements[-1]
        rows.append(
            [
                (f"r{place.register}", f"chunk{color_number(place.quad)}"),
                _range(fragment.operand, fragment.number(place), fragment.number(last)),
                (str(cell.row), "value"),
                (span(cell.column, end.column), "value"),
            ]
        )
    yield table(rows, ("register", "elements" if several else "element", "row", "columns" if several else "column"))
    yield from _formula(fragment)


def _range(letter: str, first: int, last: int) -> str:
    return f"{letter}{first}" if first == last else f"{letter}{first}..{letter}{last}"


@shown
def fragment_element_view(fragment: Fragment, cell: MatrixElement) -> Iterator[RenderableType]:
    """The place of one element: thread, warp, lane, register, and the formula with its numbers."""
    place = fragment.place(*cell)
    row, column = cell
    run, packed = fragment.run, fragment.packed
    number = fragment.number(place)
    inner = column % run
    piece = number // run
    what = f"holds row {row}, column {column} of {fragment}"
    yield beside(line((notation(fragment, place), "value"), "  "), (what, "heading"))
    across = f"{column} div {run} mod 4" if run > 1 else f"{column} mod 4"
    rows = [
        fact("w", place.warp, f"{row} div 16", "warp of the warpgroup"),
        fact("g", place.group, f"{row} mod 8", "quad of the warp: the row within 8"),
        fact("t", place.quad, across, f"thread of the quad: {many(run, 'column')} each"),
        fact(
            "p",
            piece,
            f"2 x ({column} div {4 * run}) + {row} div 8 mod 2 = 2 x {piece // 2} + {piece % 2}",
            f"run of the thread: rows g and g + 8 in turn, then the next {4 * run} columns",
        ),
        fact("thread", place.thread, f"32w + 4g + t = {32 * place.warp} + {4 * place.group} + {place.quad}"),
        fact("lane", place.lane, f"4g + t = {4 * place.group} + {place.quad}"),
        fact(
            "i",
            number,
            f"{run}p + {column} mod {run} = {run * piece} + {inner}" if run > 1 else "p",
            f"element {fragment.operand}{number} of the thread",
        ),
        fact("register", place.register, f"i div {packed} = {number} div {packed}" if packed > 1 else "i"),
    ]
    if packed > 1:
        low = place.element * fragment.bits
        bits = f"bit {low}" if fragment.bits == 1 else f"bits {low}..{low + fragment.bits - 1}"
        rows.append(
            fact("element", place.element, f"i mod {packed} = {number} mod {packed}", f"{bits} of the register")
        )
    yield table(rows, indent=2, wraps=2)
    yield Text("back", "heading")
    lead = f"{run}t + i mod {run}" if run > 1 else "t"
    shown = f"{run * place.quad} + {inner}" if run > 1 else str(place.quad)
    steps = 4 * run * (piece // 2)
    rows = [
        fact(
            "row",
            row,
            f"16w + g + 8(p mod 2) = {WARP_ROWS * place.warp} + {place.group} + {8 * (piece % 2)}",
        ),
        fact("column", column, f"{lead} + {4 * run}(p div 2) = {shown} + {steps}"),
    ]
    yield table(rows, indent=2)
    yield labeled("source", (fragment.source, "faint"))


_ACROSS = 32
"""The most cells side by side; further columns come below."""


def picture(fragment: Fragment, *, everything: bool = False, register: int | None = None) -> str:
    """Return the SVG of :class:`fragment_view`, with every column.

    ``everything``: all four warps, else the first. ``register``: show only what this one holds.
    """
    if register is not None:
        fragment.cell(0, register)  # an error if it does not exist
    name = title(fragment) + ("" if register is None else f"; only r{register}")
    colors = [Swatch([CHUNKS[color_number(quad)]], f"T mod 4 = {quad}") for quad in range(4)]
    blocks = [*heading(name), ColorKey(colors)]
    columns = _shown(fragment, None, register)
    grids = [_warp(fragment, first, columns, register) for first in range(0, M if everything else WARP_ROWS, WARP_ROWS)]
    charts = [Chart(_with_tips(grid), lines=((), (8,))).sized() for grid in grids]
    for number, chart in enumerate(charts):
        first, wide = number * WARP_ROWS, max(chart.wide for chart in charts)
        blocks.append(
            Paragraph([f"warp {number}, rows {first}..{first + WARP_ROWS - 1}"], 12, INK, bold=True, space=10)
        )
        blocks += chart._replace(wide=wide).parts(WARP_ROWS, chart.grid.fitting(_ACROSS))
    others = [] if everything else ["warps 1 to 3: the same, each 16 rows and 32 threads further on"]
    return drawn(name, [*blocks, notes(*others, fragment.source)])


def _with_tips(grid: Grid) -> Grid:
    cells = [
        [
            cell._replace(tip=f"row {row}, column {column}: {cell.text}")
            for (column,), cell in zip(grid.columns, cells, strict=True)
        ]
        for (row,), cells in zip(grid.rows, grid.cells, strict=True)
    ]
    return grid._replace(cells=cells)
