"""How threads write a tile in shared memory: the formula, the assignments and their bank conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, span
from smemdesc.kinds.modes import MODE
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.layout.store import QUARTER, STORE_SOURCE, WARP, StoredTile, ThreadLayout
from smemdesc.render import text_picture
from smemdesc.render.cells import EMPTY_CELL, Cell, Grid
from smemdesc.render.console import CHUNK_COLORS, CHUNK_INK
from smemdesc.render.parts import StyledText, as_view, beside, labeled, line, table
from smemdesc.render.svg import (
    ABSENT,
    BAD,
    FAINT,
    GOOD,
    GROUND,
    INK,
    MARGIN,
    SMALL,
    Chart,
    Document,
    Paragraph,
    PictureBlock,
    chunk_key,
    draw,
    heading,
    notes,
)

_ACCESSES = "16 bytes of each thread T of a warp (st.shared.v4.b32, stmatrix.x4, ldmatrix.x4)"
_STAGE = "the first lines; a cell j:T: the 16 bytes whose address thread T gives to stmatrix j"
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
    if stored.thread_layout is not None and stored.thread_layout.name == "stmatrix":
        yield from _stmatrix(stored)
        yield beside((_STAGE, "heading"))
        yield _stage(stored, stored.thread_layout)
    elif stored.thread_layout is not None:
        yield _warp(stored, stored.thread_layout)
    yield labeled("source", (STORE_SOURCE, "faint"))


def _conflicts(stored: StoredTile) -> Iterator[RenderableType]:
    yield beside((_ACCESSES, "heading"))
    swizzled = stored.tiling.swizzle != "none"
    rows: list[list[StyledText | Text]] = []
    free = []
    for threads in stored.assignments:
        count = stored.wavefronts(threads)
        free += [] if count.conflicts else [threads.name]
        plain = [str(stored.wavefronts(threads, swizzled=False).worst)] if swizzled else []
        style = "warning" if count.conflicts else "good"
        rows.append([threads.name, _rule(stored, threads), str(count.least), (str(count.worst), style), *plain])
    heads = ("threads", "write", "least", "wavefronts", *(["no swizzle"] if swizzled else []))
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


def _stmatrix(stored: StoredTile) -> Iterator[RenderableType]:
    """Yield what each lane of each warp gives to stmatrix, and from which registers, in words."""
    is_k = stored.contiguous == "k"
    mn, k = ("T mod 16", "T div 16") if is_k else ("T div 8 mod 2", "T mod 8 + 8 (T div 16)")
    mn, k = (f"16 w + {mn}", f"16 j + 8 ({k})") if is_k else (f"16 w + 8 ({mn})", f"16 j + {k}")
    yield labeled("D", "mn is its row, k its column; wgmma leaves it in registers d, 16 rows to a warp")
    yield labeled("address", f"lane T of warp w gives stmatrix j that of mn = {mn}, k = {k}")
    pairs = ", ".join(f"{{d[8j+{at}], d[8j+{at + 1}]}}" for at in range(0, 8, 2))
    yield labeled("registers", f"{pairs}, each pair as {stored.tiling.dtype.name}x2")
    yield labeled(
        "PTX", f"stmatrix.sync.aligned.m8n8.x4{'' if is_k else '.trans'}.shared.b16 [address], {{r0, r1, r2, r3}};"
    )
    yield labeled("then", "fence.proxy.async.shared::cta, a barrier of the warps, the TMA store of one thread")


def _stage(stored: StoredTile, threads: ThreadLayout) -> Grid:
    """Return the first lines of memory: in each unit the stmatrix and the thread that gives its address; its color is
    that of the chunk without the swizzle."""
    held: dict[int, Cell] = {}
    for places in stored.accesses(threads):
        for thread, place in places.items():
            home = stored.unit_byte(*place, swizzled=False) % LINE // UNIT
            mn, k = stored.place(*place)
            held[stored.unit_byte(*place)] = Cell(f"{k // 16}:T{thread}", home, tip=f"mn {mn}, k {k}")
    lines = sorted({byte // LINE for byte in held})[: 2 * QUARTER]
    return Grid(
        above=("banks",),
        left=("byte",),
        columns=[(f"{4 * chunk}-{4 * chunk + 3}",) for chunk in range(_BANKS)],
        rows=[(str(line * LINE),) for line in lines],
        cells=[[held.get(line * LINE + chunk * UNIT, EMPTY_CELL) for chunk in range(_BANKS)] for line in lines],
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


_CELL, _ROW, _BAR = 52, 34, 9
"""Pixels of a cell across and down, and of one access in a bar."""
_PANEL = 540
"""Pixels from one panel to the next."""
_BANKS = LINE // UNIT


def picture(stored: StoredTile, thread: int | None = None) -> str:
    """Return the SVG of the banks that threads access, without and with the swizzle; of one thread, its text."""
    if thread is not None:
        return text_picture.picture([store_view(stored, thread)], str(stored))
    swizzled = stored.tiling.swizzle != "none"
    name = f"What the {stored.tiling.swizzle} swizzle is for" if swizzled else "Banks without swizzle"
    blocks: list[PictureBlock] = heading(name, str(stored), _ACCESSES)
    alike: dict[tuple[tuple[int, tuple[int, int]], ...], list[ThreadLayout]] = {}
    for threads in stored.assignments:
        alike.setdefault(tuple(stored.quarter(threads).items()), []).append(threads)
    told = []
    for assignments in alike.values():
        names = ", ".join(threads.name for threads in assignments)
        blocks.append(
            Paragraph([f"{names}: {_quarter_in_words(stored, assignments[0])}"], 12, INK, bold=True, space=12)
        )
        panels = [BankPanel(stored, assignments, each) for each in ((False, True) if swizzled else (True,))]
        blocks.append(BankPanels(panels))
        told += [f"{names}: {panel.title}, {panel.verdict[0]}" for panel in panels]
    if stored.thread_layout is not None and stored.thread_layout.name == "stmatrix":
        blocks += [
            Chart(_stage(stored, stored.thread_layout), title=_STAGE).sized(),
            chunk_key("banks 0-3, 4-7, ... of the unit without the swizzle"),
        ]
    blocks.append(
        notes("a cell: 16 B in 4 banks; T: the thread that accesses it; a bar: accesses of the 4 banks", STORE_SOURCE)
    )
    return draw(f"{name}: {stored}", "; ".join(told), blocks)


def _quarter_in_words(stored: StoredTile, threads: ThreadLayout) -> str:
    """Return what the threads of a quarter-warp access."""
    places = stored.quarter(threads)
    rows, units = ([place[at] for place in places.values()] for at in (0, 1))
    first, last = min(units) * stored.per_unit, (max(units) + 1) * stored.per_unit - 1
    who = f"threads {span(min(places), max(places))} access 16 B each"
    return f"{who}, {stored.contiguous} {span(first, last)} of {stored.row} {span(min(rows), max(rows))}"


class BankPanel(NamedTuple):
    """The lines of memory that a quarter-warp accesses, and how many of its threads are in each chunk of the banks."""

    stored: StoredTile
    assignments: Sequence[ThreadLayout]
    swizzled: bool

    @property
    def title(self) -> str:
        """Which layout it is."""
        mode = self.stored.tiling.swizzle
        return mode if self.swizzled and mode != "none" else "no swizzle"

    @property
    def loads(self) -> list[int]:
        """Accesses of each chunk."""
        return self.stored.chunk_loads(self.stored.quarter(self.assignments[0]), swizzled=self.swizzled)

    @property
    def verdict(self) -> tuple[str, str, bool]:
        """The wavefronts in words, how many are too many, and whether none is."""
        counted = self.stored.wavefronts(self.assignments[0], swizzled=self.swizzled)
        text = f"{many(max(self.loads), 'wavefront')} for {many(sum(self.loads), 'thread')}"
        whole = f"{text}, {counted.worst} for a warp"
        more = f"the least is {counted.least}"
        return whole, f"{more}: {counted.conflicts} too many" if counted.conflicts else more, not counted.conflicts

    def draw_at(self, svg: Document, x: float, y: float) -> float:
        """Draw the panel; return the y below it."""
        stored = self.stored
        places = stored.quarter(self.assignments[0])
        bytes_of = {stored.unit_byte(*place, swizzled=self.swizzled): thread for thread, place in places.items()}
        rows, units = stored.extent
        held = {
            stored.unit_byte(row, unit, swizzled=self.swizzled): (row, unit)
            for row in range(rows)
            for unit in range(units)
        }
        lines = sorted({byte // LINE for byte in bytes_of})
        svg.text(x + 56, y + 14, self.title, bold=True)
        svg.text(x + 46, y + 34, "banks", size=SMALL, fill=FAINT, anchor="end")
        x += 56
        for chunk in range(_BANKS):
            name = f"{4 * chunk}–{4 * chunk + 3}"
            svg.text(x + (chunk + 0.5) * _CELL, y + 34, name, size=SMALL, fill=FAINT, anchor="middle")
        y += 42
        for at, row_of_memory in enumerate(lines):
            top = y + at * _ROW
            svg.text(x - 10, top + 21, str(row_of_memory * LINE), size=SMALL, fill=FAINT, anchor="end")
            for chunk in range(_BANKS):
                byte = row_of_memory * LINE + chunk * UNIT
                self._draw_cell(svg, x + chunk * _CELL, top, held.get(byte), bytes_of.get(byte))
        bottom = y + len(lines) * _ROW
        svg.rect(x, y, _BANKS * _CELL, len(lines) * _ROW, stroke=INK, stroke_width=1.4)
        return self._draw_bars(svg, x, bottom + 20)

    def _draw_cell(self, svg: Document, x: float, y: float, place: tuple[int, int] | None, thread: int | None) -> None:
        stored = self.stored
        fill, name, tip = ABSENT, "", "not in the tile"
        if place is not None:
            row, unit = place
            wide = MODE[stored.tiling.swizzle].width
            column = f"{stored.contiguous}{unit * stored.per_unit}"
            name = column if wide == LINE else f"{row},{unit * stored.per_unit}"
            tip = f"{stored.row} {row}, {column}"
        if thread is not None and place is not None:
            home = stored.unit_byte(*place, swizzled=False) % LINE // UNIT
            fill, name = CHUNK_COLORS[home], f"T{thread}"
        svg.rect(x, y, _CELL, _ROW, fill=fill, stroke=GROUND, tip=tip)
        if thread is not None:
            svg.rect(x + 1.5, y + 1.5, _CELL - 3, _ROW - 3, stroke=INK, stroke_width=2, radius=3)
        ink, size = (CHUNK_INK, 12) if thread is not None else (FAINT, SMALL)
        svg.text(x + _CELL / 2, y + 22, name, size=size, fill=ink, anchor="middle", bold=thread is not None)

    def _draw_bars(self, svg: Document, x: float, y: float) -> float:
        """Draw the accesses of each chunk of the banks; return the y below them."""
        most = max(self.stored.chunk_loads(self.stored.quarter(self.assignments[0]), swizzled=False))
        base = y + max(most, *self.loads) * _BAR
        svg.text(x - 10, base - 4, "accesses", size=SMALL, fill=FAINT, anchor="end")
        svg.line(x, base, x + _BANKS * _CELL, base)
        for chunk, load in enumerate(self.loads):
            color = BAD if load > 1 else GOOD if load else FAINT
            left = x + chunk * _CELL
            if load:
                svg.rect(left + 6, base - load * _BAR, _CELL - 12, load * _BAR, fill=color, radius=2)
            top = base - load * _BAR - 6
            svg.text(left + _CELL / 2, top, str(load), fill=color, anchor="middle", bold=True)
        whole, least, good = self.verdict
        svg.text(x, base + 26, whole, fill=GOOD if good else BAD, bold=True)
        svg.text(x, base + 44, least, size=SMALL, fill=FAINT)
        return base + 50


class BankPanels(NamedTuple):
    """The same accesses in one layout and another, side by side."""

    panels: Sequence[BankPanel]

    def width(self) -> float:
        return _PANEL * (len(self.panels) - 1) + 56 + _BANKS * _CELL

    def draw(self, svg: Document, y: float) -> float:
        return max(panel.draw_at(svg, MARGIN + number * _PANEL, y) for number, panel in enumerate(self.panels))
