"""Where elements are, by a map of indices: all of them in a grid, one element, or what a thread or a lane holds.

One view and one picture draw fragments of wgmma, matrices in tensor memory, the registers of tcgen05.ld and scale
factors. A class for each says what is particular to it: its title, its cells, its notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from smemdesc.engine.wording import join_and, many, span
from smemdesc.kinds.tmem import LANES
from smemdesc.layout.fragment import WARP_ROWS, Fragment, M, RegisterSlot
from smemdesc.layout.index_map import IndexMap, first_and_last
from smemdesc.layout.scales import (
    BLOCK,
    COLUMNS,
    COPY_INSTRUCTION,
    FACTORS,
    LINE,
    ROWS,
    SCALES_SOURCE,
    SECOND_COLUMN,
    WORD,
    Scales,
    ScaleStep,
    copy_descriptor,
)
from smemdesc.layout.tmem import WARP, Tmem, TmemRegion
from smemdesc.layout.tmem_load import THREAD_REGISTERS, TmemLoads, TmemSlot
from smemdesc.render import svg
from smemdesc.render.cells import EMPTY_CELL, EMPTY_TEXT, Cell, Grid
from smemdesc.render.console import CHUNK_COLORS
from smemdesc.render.parts import TableRow, as_view, beside, fact, labeled, line, table
from smemdesc.render.svg import INK, Chart, ColorKey, Paragraph, Swatch, heading


class MapDrawing:
    """What is particular to the drawing of a layout; the view puts it together."""

    title: str
    source: str
    where = ""
    """What the names in the formulas mean."""
    maps: Sequence[IndexMap]
    """The maps whose formulas are shown."""
    place_names: tuple[str, ...]
    """The names of the numbers of a place that can be looked up."""
    details: Sequence[str] = ()
    """Lines below the title of the picture."""
    key: Sequence[Swatch] = ()
    """What the colors of the picture mean."""

    def lead(self) -> Iterator[RenderableType]:
        """Yield what is between the title and the grids."""
        yield from ()

    def sections(self) -> Iterator[tuple[Text, RenderableType]]:
        """Yield the grids, which are also those of the picture, and tables, with the lines above them."""
        raise NotImplementedError

    def chart(self, grid: Grid) -> Chart:
        """Return a grid of the picture."""
        return Chart(grid).sized()

    def notes(self) -> Iterator[str]:
        """Yield what is said below the grids."""
        raise NotImplementedError

    def element(self, *numbers: int) -> tuple[str, str, list[TableRow]]:
        """Return where an element is, which it is, and its numbers with how they follow."""
        raise NotImplementedError

    def contents(self, *place: int | None) -> tuple[list[str], list[str], list[TableRow]]:
        """Return what is at a place: lines about it, and the heads and the rows of a table."""
        raise NotImplementedError


def sums(
    of: IndexMap, numbers: Sequence[int], meanings: Mapping[str, str], names: Sequence[str] = ()
) -> Iterator[TableRow]:
    """Yield the outputs that move, with their formulas in numbers and what they mean; ``names``: only these."""
    places = dict(zip(of.outputs, of.place(*numbers), strict=True))
    for output, text in of.formulas(*numbers):
        if not names or output in names:
            yield fact(output, places[output], text, meanings.get(output, ""))


def slot_text(slot: RegisterSlot | TmemSlot, several: bool) -> str:
    """Return ``T5:r2``; ``T5:r2.1`` if a register holds several elements."""
    return f"T{slot.thread}:r{slot.register}" + (f".{slot.element}" if several else "")


def slot_key(several: bool) -> str:
    """Return what :func:`slot_text` and the color of :func:`slot_cell` mean."""
    return f"T5:r2{'.1' * several}: {'element 1 of ' * several}register 2 of thread 5; a color: T mod 4"


def slot_cell(slot: RegisterSlot | TmemSlot, text: str, tip: str) -> Cell:
    """Return the cell of an element in a register, in the color of its thread by its place in its quad."""
    return Cell(text, 2 * (slot.thread % 4), tip=f"{tip}: {text}")


def repeats(columns: str, wide: int, further: int, begins: str) -> str:
    """Return how the other columns follow from those that are drawn."""
    every = "each column" if wide == 1 else f"every {wide} columns"
    return f"columns {columns}: {every}: r += {further} ({begins})"


QUADS = [Swatch([CHUNK_COLORS[2 * quad]], f"T mod 4 = {quad}") for quad in range(4)]
OWN_LANES = "warps with number mod 4 = w access lanes 32w to 32w + 31"


class FragmentDrawing(MapDrawing):
    """A or D of a wgmma: rows by columns, warp by warp, with thread and register in each cell.

    ``everything``: all four warps and all columns, else the first warp, the columns that repeat, and a line about the
    others. ``register``: show only what this one holds.
    """

    place_names = ("thread", "register")
    key = QUADS

    def __init__(self, fragment: Fragment, everything: bool = False, register: int | None = None) -> None:
        if register is not None:
            fragment.cell(0, register)  # an error if it does not exist
        self.fragment, self.everything, self.register = fragment, everything, register
        self.source, self.packed = fragment.source, fragment.packed
        self.maps = [fragment.index_map.inverse, fragment.index_map]
        self.title = f"{fragment}: 64 x {fragment.columns}, {fragment.registers} registers per thread"
        if self.packed > 1:
            self.title += f", {self.packed} elements per register"
        index = f"r(i div {self.packed}).(i mod {self.packed})" if self.packed > 1 else "r(i)"
        self.where = f"thread of the warpgroup; {fragment.operand}_i of PTX is {index}"
        self.step = self.packed if self.packed > _JOINED else 1
        self.repeat = None if everything else fragment.repeat()

    def sections(self) -> Iterator[tuple[Text, RenderableType]]:
        columns = self._columns()
        for first in range(0, M if self.everything else WARP_ROWS, WARP_ROWS):
            last = first + WARP_ROWS
            rows = {row: next(self.fragment.rows(row, row + 1)) for row in range(first, last)}
            grid = Grid(
                above=("column",),
                left=("row",),
                columns=[(str(column),) for column in columns],
                rows=[(str(row),) for row in rows],
                cells=[[self._cell(row, at, slots[at]) for at in columns] for row, slots in rows.items()],
                group=4 * self.fragment.run // self.step,
            )
            yield line((f"warp {first // WARP_ROWS}", "heading"), f", rows {first}..{last - 1}"), grid

    def _columns(self) -> range:
        """Return the columns that are drawn: one repeat, the one with the register if given; all if none repeats."""
        if self.repeat is None:
            return range(0, self.fragment.columns, self.step)
        wide, further = self.repeat
        begin = 0 if self.register is None else self.register // further * wide
        return range(begin, begin + wide, self.step)

    def _cell(self, row: int, column: int, slot: RegisterSlot) -> Cell:
        if self.register not in (None, slot.register):
            return EMPTY_CELL
        return slot_cell(slot, self._text(slot), f"row {row}, column {column}")

    def _text(self, slot: RegisterSlot) -> str:
        """Return the text of a cell: ``T5:r2.1``, ``T5:r2.0..31`` for a whole register."""
        return slot_text(slot, self.packed > 1) + (f"..{self.packed - 1}" if self.step > 1 else "")

    def chart(self, grid: Grid) -> Chart:
        return Chart(grid, lines=((), (8,))).sized()

    def notes(self) -> Iterator[str]:
        fragment = self.fragment
        yield slot_key(self.packed > self.step)
        if self.packed > 1:
            lowest = "bit" if fragment.bits == 1 else f"{fragment.bits} bits"
            cells = f"; a cell is a register: its elements 0..{self.packed - 1}" if self.step > 1 else ""
            yield f"T0:r0.0 is the lowest {lowest} of r0 of thread 0{cells}"
        if self.register is not None:
            columns = self._columns()
            where = f", which is in columns {span(columns[0], columns[-1] + self.step - 1)}" if self.repeat else ""
            yield f"only r{self.register} is shown{where}"
        elif self.repeat is not None:
            wide, further = self.repeat
            begins = f"column {wide} begins with {self._text(fragment.place(0, wide))}"
            yield repeats(span(wide, fragment.columns - 1), wide, further, begins)
        if not self.everything:
            below = self._text(fragment.place(WARP_ROWS, 0))
            yield (
                f"rows {WARP_ROWS}..{M - 1}: warps 1 to 3 hold them in the same way, each {WARP_ROWS} rows and {WARP} "
                f"threads further on (row {WARP_ROWS} begins with {below}); --all draws all"
            )

    def element(self, *numbers: int) -> tuple[str, str, list[TableRow]]:
        fragment, slot = self.fragment, self.fragment.place(*numbers)
        low = slot.element * fragment.bits
        meanings = {
            "thread": _thread(slot),
            "register": f"element {fragment.operand}{fragment.number(slot)} of the thread",
            "element": f"{'bits' if fragment.bits > 1 else 'bit'} {span(low, low + fragment.bits - 1)} of the register",
        }
        rows = [*sums(fragment.index_map, numbers, meanings), *sums(fragment.index_map.inverse, slot, {})]
        row, column = numbers
        return slot_text(slot, self.packed > 1), f"holds row {row}, column {column} of {fragment}", rows

    def contents(self, *place: int | None) -> tuple[list[str], list[str], list[TableRow]]:
        thread, register = place[0] or 0, place[1]
        rows: list[TableRow] = []
        for elements in self.fragment.by_register(thread, register):
            (slot, cell), (last, end) = elements[0], elements[-1]
            numbers = [f"{self.fragment.operand}{self.fragment.number(each)}" for each in (slot, last)]
            name = (f"r{slot.register}", f"chunk{2 * (thread % 4)}")
            rows.append([name, "..".join(dict.fromkeys(numbers)), str(cell.row), span(cell.column, end.column)])
        plural = "s" if self.packed > 1 else ""
        return [_thread(RegisterSlot(thread, 0))], ["register", f"element{plural}", "row", f"column{plural}"], rows


_JOINED = 4
"""With more elements per register, the drawing has one cell per register instead of one per element."""


def _thread(slot: RegisterSlot) -> str:
    """Return the numbers of a thread in the words of PTX."""
    return f"warp {slot.warp}, lane {slot.lane}: groupID {slot.group}, threadID_in_group {slot.quad}"


class TmemDrawing(MapDrawing):
    """D or A in tensor memory: the lanes from top to bottom, with a column for each CTA: the block of the matrix."""

    place_names: tuple[str, ...] = ("lane", "column")

    def __init__(self, tmem: Tmem) -> None:
        self.tmem, self.source, self.maps = tmem, tmem.source, [tmem.index_map]
        self.several = tmem.cta_group > 1
        used = LANES // 2 if tmem.path.half else LANES
        of_cta = " of each CTA" if self.several else ""
        self.title = f"{tmem}, {used} lanes x {many(tmem.columns, 'column')}{of_cta}"
        self.where = f"copy of A: 0 to {tmem.copies - 1}" if tmem.copies > 1 else ""

    def of_cta(self, *cells: Any) -> list[Any]:
        """Return the cells of a row, the first of which is the CTA, if there are two."""
        return [*cells[not self.several :]]

    def sections(self) -> Iterator[tuple[Text, RenderableType]]:
        tmem, band = self.tmem, self.tmem.path.band
        blocks = {(region.cta, region.lanes): self._cell(region) for region in tmem.regions()}
        ctas, columns = range(tmem.cta_group), span(*first_and_last(tmem.column, tmem.columns))
        bands = [first_and_last(first, band) for first in range(0, LANES, band)]
        grid = Grid(
            above=("CTA", "columns")[not self.several :],
            left=("warp", "lanes"),
            columns=[(str(cta), columns)[not self.several :] for cta in ctas],
            rows=[(str(lanes[0] // WARP), span(*lanes)) for lanes in bands],
            cells=[[blocks.get((cta, lanes), EMPTY_CELL) for cta in ctas] for lanes in bands],
        )
        yield line(), grid

    def _cell(self, region: TmemRegion) -> Cell:
        text = f"m {span(*region.rows)}, {self.tmem.letter} {span(*region.across)}"
        tip = f"lanes {span(*region.lanes)}, columns {span(*region.columns)}: {text}"
        # copies and parts of the same rows share a color
        return Cell(text, region.rows[0] // self.tmem.path.band % 8, tip=tip)

    def notes(self) -> Iterator[str]:
        tmem = self.tmem
        held = f"{tmem.packed} elements, the first in the low {tmem.bits} bits" if tmem.packed > 1 else "one element"
        low = ", in its low 16 bits" if tmem.operand == "d" and tmem.dtype == "f16" else ""
        yield f"a column of 32 bits holds {held}{low}"
        free = f"; {EMPTY_TEXT}: none of {tmem.operand.upper()}" if tmem.path.half else ""
        yield f"a cell: the rows m and columns {tmem.letter} in its lanes and columns{free}"
        if tmem.copies > 1:
            yield f"A has {tmem.copies} copies: each is used for the part of D beside it"
        if tmem.path.half:
            yield f"the other 16 lanes of each warp are free for a matrix that begins at lane {16 - tmem.lane}"
            yield "A, D and the metadata of a sparse A begin at the same lane"
        yield OWN_LANES

    def element(self, *numbers: int) -> tuple[str, str, list[TableRow]]:
        tmem, places, rows = self.tmem, self.tmem.places(*numbers), list[TableRow]()
        for copy, place in enumerate(places):
            bits = f"bits {span(*first_and_last(place.bit, tmem.bits))} of 32"
            meanings = {"lane": f"warp {place.warp} (mod 4) accesses it", "bit": bits}
            rows += sums(tmem.index_map, (*numbers, copy), meanings, ("lane",) if copy else ())
            rows.append(["address", (address_text(place.address), "value"), "= lane << 16 | column", ""])
        lanes = f"lane{'s' if len(places) > 1 else ''} {join_and(place.lane for place in places)}"
        where = self.of_cta(f"CTA {places[0].cta}", f"{lanes}, column {places[0].column}")
        return ", ".join(where), f"m {numbers[0]}, {tmem.letter} {numbers[1]} of {tmem}", rows

    def contents(self, *place: int | None) -> tuple[list[str], list[str], list[TableRow]]:
        tmem = self.tmem
        rows: list[TableRow] = [
            self.of_cta(str(cta), *(span(*ends) for ends in rest)) for cta, *rest in tmem.regions(*place)
        ]
        lanes = f", lanes {tmem.lane} to {tmem.lane + 15} of each warp" if tmem.path.half else ""
        nothing = f"nothing: the matrix is in columns {span(*first_and_last(tmem.column, tmem.columns))}{lanes}"
        return [] if rows else [nothing], self.of_cta("CTA", "lanes", "columns", "m", tmem.letter), rows

    def chart(self, grid: Grid) -> Chart:
        wide, band = {1: 460, 2: 300}[self.tmem.cta_group], self.tmem.path.band
        return Chart(grid, wide, band * _TALL, 13, lines=((1,), range(0, LANES // band, WARP // band)))


_TALL = 2.6
"""Height of a lane in a picture."""


def address_text(number: int) -> str:
    """Return an address of tensor memory."""
    return f"0x{number:08x}"


class LoadDrawing(TmemDrawing):
    """The loads of each warp with their addresses, one block of the first load, and the rule of the others."""

    place_names = ("thread", "register", "lane", "column")
    key = QUADS

    def __init__(self, loads: TmemLoads) -> None:
        super().__init__(loads.tmem)
        self.loads, self.load, self.source = loads, loads.load, loads.source
        self.maps = [loads.index_map.inverse, loads.index_map]
        times = "once" if loads.per_warp == 1 else f"{loads.per_warp} times"
        registers = many(self.load.registers, "register")
        self.details = [f"{self.load.text}: {registers} of each thread, {times} in each warp"]
        self.where = "thread of the warpgroup, load of its warp; lane and column of tensor memory"

    def lead(self) -> Iterator[RenderableType]:
        """Yield the first load of each warp in each of its lanes: where it is, and what it holds."""
        loads, lanes = self.loads, self.load.shape.lanes
        wide = min(lanes, self.tmem.path.band)
        rows = []
        for region in self.tmem.regions():
            for part in range(len(loads.lanes)):
                warp = region.lanes[0] // WARP
                start = loads.start(warp, part * loads.along)
                moved = first_and_last(start >> 16, lanes), region.columns
                held = first_and_last(region.rows[0] + part * wide, wide), region.across
                ends = [span(*each) for each in (*moved, *held)]
                rows.append(self.of_cta(str(region.cta), str(warp), address_text(start), *ends))
        yield from (beside("  ", (text, "value")) for text in self.details)
        heads = self.of_cta("CTA", "warp", "address", "lanes", "columns", "m", self.tmem.letter)
        yield table(rows, heads, indent=2)

    def sections(self) -> Iterator[tuple[Text, RenderableType]]:
        tmem, first = self.tmem, next(self.tmem.regions())
        columns = self._columns()
        lanes = range(self.loads.lanes[0], self.loads.lanes[0] + self.load.shape.lanes)
        rows = dict(zip(range(first.lanes[0], first.lanes[1] + 1), count(first.rows[0]), strict=False))
        across = [first_and_last(column * tmem.packed, tmem.packed) for column in columns]
        grid = Grid(
            above=("column", tmem.letter),
            left=("lane", "m"),
            columns=[(str(tmem.column + at), span(*ends)) for at, ends in zip(columns, across, strict=True)],
            rows=[(str(lane), str(rows.get(lane, EMPTY_TEXT))) for lane in lanes],
            cells=[[self._slot(rows[lane], ends) if lane in rows else EMPTY_CELL for ends in across] for lane in lanes],
            group=min(self.load.repeat, len(columns)),
        )
        yield line(("warp 0", "heading"), f", the load at {address_text(self.loads.start(0, 0))}"), grid

    def _columns(self) -> list[int]:
        """Return the columns of the block: those that repeat, and with 16x32bx2 the first of the second half."""
        load = self.load
        count = min(max(load.repeat, _LEAST), load.columns, self.tmem.columns)
        if not load.split:
            return [*range(count)]
        near = range(min(count // 2, load.split))
        return [*near, *(load.split + column for column in near if load.split + column < self.tmem.columns)]

    def _slot(self, m: int, across: tuple[int, int]) -> Cell:
        """Return one cell for a register, also if it holds several elements, but of two columns."""
        slot = self.loads.slots(m, across[0])[0]
        return slot_cell(slot, slot_text(slot, self.load.pack), f"m {m}, {self.tmem.letter} {span(*across)}")

    def notes(self) -> Iterator[str]:
        loads, tmem, load = self.loads, self.tmem, self.load
        yield slot_key(bool(load.pack))
        within = load.split or min(load.columns, tmem.columns)
        if within > load.repeat:
            first = tmem.column + load.repeat
            slot = loads.slots(next(tmem.regions()).rows[0], load.repeat * tmem.packed)[0]
            begins = f"column {first} begins with {slot_text(slot, loads.packed > 1)}"
            yield repeats(span(first, tmem.column + within - 1), load.repeat, slot.register, begins)
        if loads.per_warp > 1:
            yield "the other loads fill the same registers of the same threads, as new variables"
        if loads.along > 1:
            yield f"{loads.along} loads of {load.columns} columns each: the next one's address is {load.columns} higher"
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
        yield f"tcgen05.st stores from the same registers{': .unpack::16b' if load.pack else ''}"
        yield f"{OWN_LANES}, no others; warps 1 to 3: T += 32 for each"

    def element(self, *numbers: int) -> tuple[str, str, list[TableRow]]:
        _, what, rows = super().element(*numbers)
        slots, place = self.loads.slots(*numbers), self.tmem.places(*numbers)[0]
        slot = slots[0]
        start = address_text(self.loads.start(slot.warp, slot.load))
        meanings = {
            "thread": f"of the warpgroup: thread {slot.lane} of warp {slot.warp}",
            "load": f"of {self.loads.per_warp} in each warp, at {start}",
            "element": f"bits {span(*self.loads.bits(slot))} of the register",
        }
        rows += sums(self.loads.index_map, (place.lane, place.column, place.bit), meanings)
        where = join_and(slot_text(each, self.loads.packed > 1) for each in slots)
        return ", ".join(self.of_cta(f"CTA {slot.cta}", where)), what, rows

    def contents(self, *place: int | None) -> tuple[list[str], list[str], list[TableRow]]:
        rows: list[TableRow] = []
        for slot, word, element in self.loads.held(*place):
            register = (slot_text(slot, self.loads.packed > 1), f"chunk{2 * (slot.thread % 4)}")
            start = address_text(self.loads.start(slot.warp, slot.load))
            rows.append(self.of_cta(str(slot.cta), register, start, *map(str, (word.lane, word.column, *element))))
        nothing = [] if rows else [f"nothing of {self.tmem.operand.upper()}"]
        heads = self.of_cta("CTA", "register", "load at", "lane", "column", "m", self.tmem.letter)
        return [*self.details, *nothing], heads, rows

    def chart(self, grid: Grid) -> Chart:
        return Chart(grid).sized()


_LEAST = 4
"""The least number of columns that are drawn of a load."""


class ScalesDrawing(MapDrawing):
    """The blocks, the lines of one (``number``), and the factors that the instructions along K read."""

    place_names = ("lane", "column")
    source = SCALES_SOURCE

    def __init__(self, scales: Scales, number: int = 0) -> None:
        self.scales, self.letter, self.block = scales, scales.letter, scales.block_at(number)
        self.title = f"{scales}: {many(scales.factors, 'factor')} per row"
        self.where = "factor of the row; the lanes 32, 64 and 96 further on hold the same"
        self.maps = [scales.index_map, scales.copied, *([scales.loaded] if scales.loaded else [])]
        first, last = (scales.step_of(factor).number for factor in self.block.factors)
        self.details = [f"{name}: {text}" for name, text in self._shared()]
        self.key = [self._swatch(scales.step_at(step)) for step in range(first, last + 1)]

    def lead(self) -> Iterator[RenderableType]:
        scales = self.scales
        for name, text in self._shared():
            yield beside((f"  {name:11}  ", "label"), text)
        rows = [
            [str(number), str(byte), span(*columns), span(*rows), span(*factors), self._k(*factors)]
            for number, byte, columns, rows, factors in islice(scales.blocks, _MANY)
        ]
        yield self._listed(rows, ("block", "byte", "columns", self.letter, "factors", "k"), scales.block_count)

    def _k(self, first: int, last: int) -> str:
        """Return the K of some factors."""
        return span(first * self.scales.block, (last + 1) * self.scales.block - 1)

    @staticmethod
    def _listed(rows: list[list[str]], heads: Sequence[str], count: int) -> RenderableType:
        listed = table(rows, heads, indent=2, wraps=0)
        return Group(listed, f"  and {many(count - _MANY, heads[0])} more") if count > _MANY else listed

    def _shared(self) -> Iterator[tuple[str, str]]:
        """Yield the facts that all blocks share."""
        scales = self.scales
        blocks, columns = many(scales.block_count, "block"), many(scales.columns, "column")
        layout = f"each 128 rows x {FACTORS} factors as {WARP} lines of 16 B"
        yield "shared", f"{scales.bytes} B: {blocks} of {BLOCK} B, {layout}"
        lanes = "lanes 0..31, and the same in 32..63, 64..95, 96..127"
        yield "tensor", f"{columns} of 32 bits, {COLUMNS} per block; {lanes}"
        yield "copy", f"{COPY_INSTRUCTION.format(1)}: one for each block"
        how = "no swizzle, SBO 128 B; add the block's address >> 4 to it"
        yield "descriptor", f"0x{copy_descriptor():016x} at byte 0: {how}"
        factors = many(scales.each, "factor")
        yield "instruction", f".block_scale.{scales.qualifier}, K = {scales.one_k}: {factors} per row"
        yield from self._load()

    def _load(self) -> Iterator[tuple[str, str]]:
        """Yield what is to be said of the load of the registers, if there is one."""
        scales, load = self.scales, self.scales.load
        if load is not None:
            times = "once" if scales.load_count == 1 else f"{scales.load_count} times"
            over = -scales.columns % load.columns
            rest = f"; the last {many(over, 'column')} hold no factors" if over else ""
            yield "load", f"{load.text}, {times} in each warp: {many(load.registers, 'register')}{rest}"

    def sections(self) -> Iterator[tuple[Text, RenderableType]]:
        number, byte, columns, _, factors = self.block
        words = range(0, LINE, WORD)
        what = f": a cell is the 4 B of a row {self.letter}, factors {span(*factors)} in bytes 0..3"
        grid = Grid(
            above=("+ byte", "column"),
            left=("byte", "lane"),
            columns=[(f"+{at}", str(columns[0] + at // WORD)) for at in words],
            rows=[(str(byte + LINE * lane), str(lane)) for lane in range(WARP)],
            cells=[[self._word(byte + LINE * lane + at) for at in words] for lane in range(WARP)],
        )
        yield line((f"Block {number}", "heading"), what), grid
        steps = [
            [str(step.number), span(*step.k), span(*step.factors), f"+{step.column}", str(step.id)]
            for step in islice(self.scales.steps, _MANY)
        ]
        heads = ("step", "k", "factors", "column", "id")
        title = line(("What each instruction along K reads", "heading"))
        yield title, self._listed(steps, heads, self.scales.step_count)

    def _word(self, byte: int) -> Cell:
        factor = self.scales.at(byte)
        return Cell(f"{self.letter} {factor.row}", 2 * (byte % LINE // WORD)) if factor else EMPTY_CELL

    def chart(self, grid: Grid) -> Chart:
        """Return the grid with a cell for each byte; the colors are the instructions along K, in turn."""
        number, byte, (column, _), rows, factors = self.block
        where = f"block {number}: {self.letter} {span(*rows)}, factors {span(*factors)}"
        grid = grid._replace(
            above=("+ byte", "column.byte"),
            columns=[(f"+{at}", f"{column + at // WORD}.{at % WORD}") for at in range(LINE)],
            cells=[[self._byte(first + at) for at in range(LINE)] for first in range(byte, byte + BLOCK, LINE)],
            group=WORD,
        )
        return Chart(grid, title=f"{where}; a cell is {self.letter}.factor").sized()

    def _byte(self, byte: int) -> Cell:
        factor = self.scales.at(byte)
        if factor is None:
            return EMPTY_CELL
        tip = f"{self.letter} {factor.row}, k {factor.number * self.scales.block}: factor {factor.number}"
        color = 2 * self.scales.step_of(factor.number).number % len(CHUNK_COLORS)
        return Cell(f"{factor.row}.{factor.number}", color, tip=tip)

    def notes(self) -> Iterator[str]:
        scales, letter = self.scales, self.letter
        if scales.crosses:
            further = f"the column {scales.further} further on, from its byte 0"
            yield f"factors beyond byte 3 of a column are in {further}"
            if scales.operand == "a" and scales.across > 1:
                yield f"an instruction reads {ROWS} of these {scales.rows} rows: {SECOND_COLUMN}"
        if scales.across > 1:
            added = f"4 ({letter} div 128) + {letter} mod 128 div 32"
            yield f"an instruction that begins at {letter} adds {added} to the column"
        if scales.rows % ROWS:
            yield f"{letter} {scales.rows} and above of the last block are copied but not used"
        if scales.factors % FACTORS:
            yield f"the last blocks are filled with {scales.factors % FACTORS} of 4 factors"

    def element(self, *numbers: int) -> tuple[str, str, list[TableRow]]:
        scales, (row, index) = self.scales, numbers
        place, step = scales.place(*numbers), scales.step_of(index)
        meanings = {"lane": "and 32, 64 and 96 further on", "column": "in tensor memory", "sub": "byte of the column"}
        read = f"the instruction of k {span(*step.k)}: column +{step.column}, id {step.id}"
        rows = [
            fact("factor", index, f"k div {scales.block}", f"of k {self._k(index, index)}"),
            *sums(scales.index_map, numbers, {"byte": "in shared memory"}),
            fact("block", place.byte // BLOCK, f"{place.byte} div {BLOCK}", "512 B of shared memory, 4 columns"),
            *sums(scales.copied, (place.byte,), meanings),
            fact("step", step.number, f"{index} div {scales.each}", read),
        ]
        if scales.loaded is not None:
            rows += [[(name, "key"), "", "", (text, "faint")] for name, text in self._load()]
            meanings = {"thread": "of the warpgroup, and 32, 64 and 96 further on", "element": "byte of the register"}
            rows += sums(scales.loaded, (place.lane, place.column, 8 * place.sub), meanings)
        lanes = ", ".join(map(str, place.lanes))
        where = f"byte {place.byte}; column {place.column}, byte {place.sub} of lanes {lanes}"
        return where, f"factor {index} of {self.letter} {row} of {scales}", rows

    def contents(self, *place: int | None) -> tuple[list[str], list[str], list[TableRow]]:
        lane, column = (number or 0 for number in place)
        rows: list[TableRow] = []
        for sub, factor in enumerate(self.scales.column_factors(lane, column)):
            numbers = [EMPTY_TEXT] * 5
            if factor is not None:
                step, k = self.scales.step_of(factor.number), self._k(factor.number, factor.number)
                numbers = [str(factor.row), str(factor.number), k, str(step.number), str(step.id)]
            rows.append([str(sub), *numbers])
        slot = self.scales.slot(lane, column)
        about = [f"{name}: {text}" for name, text in self._load()]
        if slot is not None:
            where = f"register {slot.register} of load {slot.load}"
            about.append(f"held by: thread {slot.lane} of warp {lane // WARP}, {where}")
        return about, ["byte", self.letter, "factor", "k", "step", "id"], rows

    def _swatch(self, step: ScaleStep) -> Swatch:
        text = f"step {step.number}, k {span(*step.k)}: column +{step.column}, id {step.id}"
        return Swatch([CHUNK_COLORS[2 * step.number % len(CHUNK_COLORS)]], text)


_MANY = 8
"""At most this many blocks or steps are listed; the others are counted."""
_DRAWINGS: dict[type, Any] = {
    Fragment: FragmentDrawing,
    Tmem: TmemDrawing,
    TmemLoads: LoadDrawing,
    Scales: ScalesDrawing,
}


def drawing(layout: object, **settings: Any) -> MapDrawing:
    """Return the drawing of a layout; ``settings`` are those of its class."""
    found: MapDrawing = _DRAWINGS[type(layout)](layout, **settings)
    return found


@as_view
def whole_view(layout: object, **settings: Any) -> Iterator[RenderableType]:
    """All elements: the title, the grids, notes, the formulas and their source."""
    of = drawing(layout, **settings)
    yield Text(of.title, "heading")
    yield from of.lead()
    for head, part in of.sections():
        yield from (head, part) if head else (part,)
    yield from (beside("  ", (note, "faint")) for note in of.notes())
    yield from _formulas(of)


def _formulas(of: MapDrawing) -> Iterator[RenderableType]:
    for each in of.maps:
        for name, text in each.formulas():
            yield beside(line((name, "key"), " = "), text)
    if of.where:
        yield beside(("  with ", "label"), (of.where, "faint"))
    yield labeled("source", (of.source, "faint"))


@as_view
def element_view(layout: object, element: Sequence[int]) -> Iterator[RenderableType]:
    """One element: where it is, and each number with its formula."""
    of = drawing(layout)
    where, what, rows = of.element(*element)
    yield beside(line((where, "value"), "  "), (what, "heading"))
    yield table(rows, indent=2, wraps=2)
    yield labeled("source", (of.source, "faint"))


@as_view
def place_view(layout: object, *place: int | None) -> Iterator[RenderableType]:
    """What a thread, a register, a lane or a column holds."""
    of = drawing(layout)
    given = [f"{name} {number}" for name, number in zip(of.place_names, place, strict=True) if number is not None]
    yield beside(line((", ".join(given), "value"), "  "), (of.title, "heading"))
    about, heads, rows = of.contents(*place)
    yield from (beside("  ", (text, "faint")) for text in about)
    if rows:
        yield table(rows, heads, indent=2, wraps=0)
    yield from _formulas(of)


def picture(layout: object, **settings: Any) -> str:
    """Return the SVG of the grids, with the formulas and the notes."""
    of = drawing(layout, **settings)
    blocks = heading(of.title, *of.details)
    blocks += [ColorKey(of.key)] if of.key else []
    for head, grid in of.sections():
        if isinstance(grid, Grid):
            chart = of.chart(grid)
            blocks.append(Paragraph(() if chart.title else [head.plain], 12, INK, bold=True, space=10))
            blocks += chart.parts(len(grid.rows), chart.grid.fitting(_ACROSS))
    formulas = [f"{name} = {text}" for each in of.maps for name, text in each.formulas()]
    texts = [*([f"with {of.where}"] if of.where else []), *of.notes(), of.source]
    blocks += [Paragraph(formulas, fill=INK, space=8), Paragraph(texts)]
    return svg.draw(of.title, "; ".join([*of.details, *formulas]), blocks)


_ACROSS = 32
"""The most cells of a picture side by side; further columns come below."""
