"""The registers of tcgen05.ld and .st: the loads of each warp, one repeating block; an element; what a thread holds."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import join_and, many, span
from smemdesc.kinds.tmem import LANES
from smemdesc.layout.index_map import MatrixElement, first_and_last
from smemdesc.layout.tmem import WARP, TmemRegion
from smemdesc.layout.tmem_load import THREAD_REGISTERS, TmemLoads, TmemSlot
from smemdesc.render.cells import EMPTY, Cell, Grid
from smemdesc.render.parts import Span, beside, fact, labeled, line, shown, table
from smemdesc.render.svg import INK, Chart, Paragraph, heading
from smemdesc.render.svg import picture as drawn
from smemdesc.render.tmem import title as matrix_title

_LEAST = 4
"""The least number of columns that are drawn of a load."""


def title(loads: TmemLoads) -> str:
    """Return the instruction and how often a warp executes it."""
    registers = many(loads.load.registers, "register")
    times = "once" if loads.per_warp == 1 else f"{loads.per_warp} times"
    return f"{loads.load.text}: {registers} of each thread, {times} in each warp"


def notation(loads: TmemLoads, slot: TmemSlot) -> str:
    """Return ``T5:r2``; ``T5:r2.1`` if a register holds several elements."""
    text = f"T{slot.thread}:r{slot.register}"
    return f"{text}.{slot.element}" if loads.packed > 1 else text


@shown
def load_view(loads: TmemLoads) -> Iterator[RenderableType]:
    """The loads of each warp with their addresses, one block of the first load, and the rule of the others."""
    yield Text(matrix_title(loads.tmem), "heading")
    yield beside("  ", (title(loads), "value"))
    heads: tuple[str, ...] = ("warp", "address", "lanes", "columns", "m", loads.tmem.letter)
    if loads.tmem.cta_group > 1:
        heads = ("CTA", *heads)
    yield table([*map(list, _rows(loads))], heads, indent=2)
    for note in notes(loads):
        yield beside("  ", (note, "faint"))
    yield line(("warp 0", "heading"), f", the load at {_address(loads.start(0, 0))}")
    yield _block(loads)
    yield from (Text(rule, "faint") for rule in _rules(loads))
    yield from _formula(loads)


def _address(number: int) -> str:
    return f"0x{number:08x}"


def _rows(loads: TmemLoads) -> Iterator[list[str]]:
    """Yield the first load of each warp in each of its lanes: where it is, and what it holds."""
    tmem = loads.tmem
    for region in tmem.regions():
        warp = region.lanes[0] // WARP
        parts = loads.lanes if tmem.path.half is False else (region.lanes[0] % WARP,)
        for part, first in enumerate(parts):
            wide = min(loads.load.shape.lanes, tmem.path.band)
            rows = first_and_last(region.rows[0] + (first if len(parts) > 1 else 0), wide)
            start = loads.start(warp, part * loads.along)
            cta = [str(region.cta)] if tmem.cta_group > 1 else []
            moved = first_and_last((start >> 16) % LANES, loads.load.shape.lanes)
            cells = (moved, region.columns, rows, region.across)
            yield [*cta, str(warp), _address(start), *(span(*ends) for ends in cells)]


def notes(loads: TmemLoads) -> Iterator[str]:
    """Yield notes on the loads."""
    tmem, load = loads.tmem, loads.load
    if loads.along > 1:
        yield (f"{loads.along} loads of {load.columns} columns each: the next one's address is {load.columns} higher")
    over = loads.along * load.columns - tmem.columns
    if over:
        yield f"the last {many(over, 'column')} are not of {tmem.operand.upper()}"
    if load.shape.lanes == WARP and tmem.path.half:
        first = 16 - tmem.lane
        yield f"threads {first} to {first + 15} of each warp get nothing of {tmem.operand.upper()}"
    if loads.registers > THREAD_REGISTERS:
        yield f"all of it takes {loads.registers} registers, more than a thread has: load and use it in parts"
    if load.split:
        yield f"immHalfSplitoff is {load.split}: threads 16 to 31 begin there"
    pair = ": .unpack::16b" if load.pack else ""
    yield f"tcgen05.st stores from the same registers{pair}"
    yield "warps with number mod 4 = w access lanes 32w to 32w + 31, no others"


def _drawn_columns(loads: TmemLoads) -> list[int]:
    """Return the columns of the block: those that repeat, and with 16x32bx2 the first of the second half."""
    load = loads.load
    count = min(max(load.repeat, _LEAST), load.columns, loads.tmem.columns)
    if load.shape.name != "16x32bx2":
        return [*range(count)]
    half = load.columns // 2
    near = range(min(count // 2, half))
    return [*near, *(half + column for column in near if half + column < loads.tmem.columns)]


def _first_region(loads: TmemLoads) -> TmemRegion:
    return next(loads.tmem.regions())


def _block(loads: TmemLoads) -> Grid:
    """Return the first columns of the first load of warp 0; a register that holds several elements is one cell."""
    tmem, region = loads.tmem, _first_region(loads)
    columns = _drawn_columns(loads)
    lanes = range(loads.lanes[0], loads.lanes[0] + loads.load.shape.lanes)
    rows: list[tuple[str, ...]] = []
    cells: list[list[Cell]] = []
    for lane in lanes:
        m = region.rows[0] + lane - region.lanes[0]
        inside = region.lanes[0] <= lane <= region.lanes[1]
        rows.append((str(lane), str(m) if inside else "."))
        cells.append([_cell(loads, m, column) if inside else EMPTY for column in columns])
    heads = [
        (str(tmem.column + column), span(*first_and_last(column * tmem.packed, tmem.packed))) for column in columns
    ]
    return Grid(("column", tmem.letter), ("lane", "m"), heads, rows, cells, group=min(loads.load.repeat, len(columns)))


def _cell(loads: TmemLoads, m: int, column: int) -> Cell:
    across = column * loads.tmem.packed
    slot = loads.slots(m, across)[0]
    text = f"T{slot.thread}:r{slot.register}" + (f".{slot.element}" if loads.load.pack else "")
    last = f"..{across + loads.tmem.packed - 1}" if loads.tmem.packed > 1 else ""
    return Cell(text, 2 * (slot.thread % 4), tip=f"m {m}, {loads.tmem.letter} {across}{last}: {text}")


def _rules(loads: TmemLoads) -> Iterator[str]:
    """Yield how the other columns of the load, and the other loads and warps, follow from the block."""
    load, tmem = loads.load, loads.tmem
    first = tmem.column + load.repeat
    within = load.columns // 2 if load.shape.name == "16x32bx2" else min(load.columns, tmem.columns)
    if within > load.repeat:
        _, register, _ = load.place(0, load.repeat)
        begin = notation(loads, loads.slots(_first_region(loads).rows[0], load.repeat * tmem.packed)[0])
        every = "each column" if load.repeat == 1 else f"every {load.repeat} columns"
        columns = span(first, tmem.column + within - 1)
        yield f"columns {columns}: {every}: r += {register} (column {first} begins with {begin})"
    if loads.per_warp > 1:
        yield "the other loads fill the same registers of the same threads, as new variables"
    yield "warps 1 to 3: T += 32 for each, in their own 32 lanes"


def _formula(loads: TmemLoads) -> Iterator[RenderableType]:
    """Yield the formula of the shape both ways, and its source."""
    for name, text in loads.load.formulas():
        yield beside(line((name, "key"), " = "), text)
    where = "T thread of the warp, r register, l lane and c column of the load, both from its address"
    if loads.load.pack:
        where += "; c is a word of two columns: column = 2 word + half"
    yield beside(("  with ", "label"), (where, "faint"))
    yield labeled("source", (loads.source, "faint"))


@shown
def load_element_view(loads: TmemLoads, element: MatrixElement) -> Iterator[RenderableType]:
    """Where one element is held: its place in tensor memory, the load, the thread and the register."""
    m, across = element
    tmem, load = loads.tmem, loads.load
    slots = loads.slots(m, across)
    slot, place = slots[0], tmem.places(m, across)[0]
    where = join_and(notation(loads, copy) for copy in slots)
    where = where if tmem.cta_group == 1 else f"CTA {slot.cta}, {where}"
    yield beside(line((where, "value"), "  "), (f"m {m}, {tmem.letter} {across} of {tmem}", "heading"))
    start = loads.start(slot.warp, slot.load)
    lane, column = place.lane - (start >> 16), place.column - (start & 0xFFFF)
    word = column // load.packed
    (_, thread), (_, register) = loads.load.formulas()[2:]
    rows: list[list[Span | Text]] = [
        [("lane", "key"), (str(place.lane), "value"), "", (f"of tensor memory: of warp {slot.warp} (mod 4)", "faint")],
        [("column", "key"), (str(place.column), "value"), "", ("of tensor memory", "faint")],
        [
            ("load", "key"),
            (str(slot.load), "value"),
            "",
            (f"of {loads.per_warp} in each warp, at {_address(start)}", "faint"),
        ],
        fact("l", lane, f"{place.lane} - {start >> 16}", "lane of the load"),
        fact(
            "c",
            word,
            f"({place.column} - {start & 0xFFFF}) div 2" if load.pack else f"{place.column} - {start & 0xFFFF}",
            "word" if load.pack else "column",
        ),
        fact("thread", slot.lane, thread, f"of warp {slot.warp}: thread {slot.thread} of the warpgroup"),
        fact("register", slot.register, register),
    ]
    if loads.packed > 1:
        first, last = loads.bits(slot)
        how = f"{column} mod 2" if load.pack else f"{across} mod {tmem.packed}"
        rows.append(fact("half" if loads.packed == 2 else "element", slot.element, how, f"bits {first}..{last}"))
    yield table(rows, indent=2, wraps=2)
    yield labeled("source", (loads.source, "faint"))


@shown
def held_view(
    loads: TmemLoads, thread: int | None, register: int | None, lane: int | None, column: int | None
) -> Iterator[RenderableType]:
    """What a thread, a register, a lane or a column holds: each element with its register and its place."""
    given = {"thread": thread, "register": register, "lane": lane, "column": column}
    asked = ", ".join(f"{name} {number}" for name, number in given.items() if number is not None)
    yield beside(line((asked, "value"), "  "), (matrix_title(loads.tmem), "heading"))
    yield beside("  ", (title(loads), "faint"))
    held = loads.held(thread, register, lane, column)
    if not held:
        yield beside("  ", f"nothing of {loads.tmem.operand.upper()}")
    else:
        several = loads.tmem.cta_group > 1
        cta = ["CTA"] if several else []
        rows: list[list[Span | Text]] = []
        for slot, place, element in held:
            where = [str(slot.cta)] if several else []
            start = _address(loads.start(slot.warp, slot.load))
            numbers = (place.lane, place.column, *element)
            color = f"chunk{2 * (slot.thread % 4)}"
            rows.append([*where, (notation(loads, slot), color), start, *map(str, numbers)])
        yield table(rows, (*cta, "register", "load at", "lane", "column", "m", loads.tmem.letter), indent=2, wraps=0)
    yield from _formula(loads)


def picture(loads: TmemLoads) -> str:
    """Return the SVG of the block of :func:`load_view`, with its rules."""
    name = str(loads)
    chart = Chart(_block(loads)).sized()
    blocks = [
        *heading(matrix_title(loads.tmem), title(loads)),
        chart,
        Paragraph([*_rules(loads)], fill=INK, space=8),
        Paragraph([f"{what} = {text}" for what, text in loads.load.formulas()], fill=INK, space=8),
        Paragraph([*notes(loads), loads.source]),
    ]
    return drawn(name, blocks)
