"""Scale factors: the blocks in shared and tensor memory, in text and as a picture; what each instruction reads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, span
from smemdesc.layout.scales import (
    BLOCK,
    COLUMNS,
    COPY,
    FACTORS,
    LINE,
    ROWS,
    SECOND_COLUMN,
    SOURCE,
    WARP,
    WORD,
    Factor,
    ScaleBlock,
    Scales,
    ScaleStep,
    copy_descriptor,
)
from smemdesc.render.cells import EMPTY, NOTHING, Cell, Grid
from smemdesc.render.console import CHUNKS
from smemdesc.render.parts import beside, fact, labeled, line, shown, table
from smemdesc.render.svg import Chart, ColorKey, SideBySide, Swatch, heading, notes
from smemdesc.render.svg import picture as drawn

_MANY = 8
"""At most this many blocks or steps are listed; the others are counted."""


def title(scales: Scales) -> str:
    """Return the title."""
    return f"{scales}: {many(scales.factors, 'factor')} per row"


def facts(scales: Scales) -> Iterator[tuple[str, str]]:
    """Yield the facts that all blocks share."""
    blocks = many(scales.block_count, "block")
    yield (
        "shared",
        f"{scales.bytes} B: {blocks} of {BLOCK} B, each 128 rows x {FACTORS} factors as {WARP} lines of 16 B",
    )
    columns = many(scales.columns, "column")
    yield "tensor", f"{columns} of 32 bits, {COLUMNS} per block; lanes 0..31, and the same in 32..63, 64..95, 96..127"
    yield "copy", f"{COPY.format(1)}: one for each block"
    yield (
        "descriptor",
        f"0x{copy_descriptor():016x} at byte 0: no swizzle, SBO 128 B; add the block's address >> 4 to it",
    )
    yield (
        "instruction",
        f".block_scale.{scales.qualifier}, K = {scales.one_k}: {many(scales.each, 'factor')} per row",
    )
    yield from load_facts(scales)


def load_facts(scales: Scales) -> Iterator[tuple[str, str]]:
    """Yield what is to be said of the load of the registers, if there is one."""
    if scales.load is not None:
        times = "once" if scales.load_count == 1 else f"{scales.load_count} times"
        over = -scales.columns % scales.load.columns
        rest = f"; the last {many(over, 'column')} hold no factors" if over else ""
        yield "load", f"{scales.load.text}, {times} in each warp: {many(scales.load.registers, 'register')}{rest}"
        _, _, (_, thread), (_, register) = scales.load.formulas()
        yield "thread", f"{thread}, the same in each warp; l lane and c column of the load"
        yield "register", f"{register}: factors f to f + 3 of a row in its bytes 0 to 3"


def block_row(block: ScaleBlock, scales: Scales) -> list[str]:
    """Return a block as a row of a table."""
    first, last = (block.factors[0] * scales.block, (block.factors[1] + 1) * scales.block - 1)
    return [
        str(block.number),
        str(block.byte),
        span(*block.columns),
        span(*block.rows),
        span(*block.factors),
        span(first, last),
    ]


@shown
def scales_view(scales: Scales, number: int = 0) -> Iterator[RenderableType]:
    """The blocks, the lines of one (``number``), and the factors that the instructions along K read."""
    yield Text(title(scales), "heading")
    for name, text in facts(scales):
        yield beside((f"  {name:11}  ", "label"), text)
    yield table(
        [block_row(block, scales) for block in islice(scales.blocks, _MANY)],
        ("block", "byte", "columns", scales.letter, "factors", "k"),
        indent=2,
        wraps=0,
    )
    yield from _more(scales.block_count, "block")
    yield from grid(scales, number)
    yield Text("What each instruction along K reads", "heading")
    yield table(
        [
            [str(step.number), span(*step.k), span(*step.factors), f"+{step.column}", str(step.id)]
            for step in islice(scales.steps, _MANY)
        ],
        ("step", "k", "factors", "column", "id"),
        indent=2,
        wraps=0,
    )
    yield from _more(scales.step_count, "step")
    for note in notes_on(scales):
        yield beside("  ", (note, "faint"))
    yield labeled("source", (SOURCE, "faint"))


def _more(count: int, what: str) -> Iterator[RenderableType]:
    if count > _MANY:
        yield beside("  ", f"and {many(count - _MANY, what)} more")


def notes_on(scales: Scales) -> Iterator[str]:
    """Yield notes about what the numbers do not show."""
    if scales.crosses:
        text = f"factors beyond byte 3 of a column are in the column {scales.further} further on, from its byte 0"
        yield text
        if scales.operand == "a" and scales.across > 1:
            yield f"an instruction reads {ROWS} of these {scales.rows} rows: {SECOND_COLUMN}"
    if scales.across > 1:
        row = scales.letter
        yield f"an instruction that begins at {row} adds 4 ({row} div 128) + {row} mod 128 div 32 to the column"
    if scales.rows % ROWS:
        yield f"{scales.letter} {scales.rows} and above of the last block are copied but not used"
    if scales.factors % FACTORS:
        yield f"the last blocks are filled with {scales.factors % FACTORS} of 4 factors"


def grid(scales: Scales, number: int) -> Iterator[RenderableType]:
    """Yield the lines of a block: shared memory by bytes, tensor memory by lanes and columns."""
    block = scales.block_at(number)
    factors = span(*block.factors)
    yield line(
        (f"Block {number}", "heading"),
        f": a cell is the 4 B of a row {scales.letter}, factors {factors} in bytes 0..3",
    )
    cells: list[list[Cell]] = []
    for row in range(WARP):
        cells.append([])
        for column in range(COLUMNS):
            factor = scales.at(block.byte + row * LINE + column * WORD)
            cells[-1].append(Cell(f"{scales.letter} {factor.row}", 2 * column) if factor else EMPTY)
    first = block.columns[0]
    yield Grid(
        above=("+ byte", "column"),
        left=("byte", "lane"),
        columns=[(f"+{WORD * column}", str(first + column)) for column in range(COLUMNS)],
        rows=[(str(block.byte + LINE * row), str(row)) for row in range(WARP)],
        cells=cells,
    )


@shown
def factor_view(scales: Scales, factor: Factor) -> Iterator[RenderableType]:
    """The place of one factor, and the instruction that reads it."""
    row, index = factor
    place = scales.place(row, index)
    step = scales.step_of(index)
    part, inside = divmod(row, 128)
    group = index // FACTORS
    number = place.byte // BLOCK
    lanes = ", ".join(map(str, place.lanes))
    yield beside(
        line((f"byte {place.byte}; column {place.column}, byte {place.sub} of lanes {lanes}", "value"), "  "),
        (f"factor {index} of {scales.letter} {row} of {scales}", "heading"),
    )
    k = span(index * scales.block, (index + 1) * scales.block - 1)
    rows = [
        fact("factor", index, f"k div {scales.block}", f"of k {k}"),
        fact(
            "block",
            number,
            f"{row} div 128 + {scales.across} x ({index} div 4) = {part} + {scales.across * group}",
            "512 B of shared memory, 4 columns",
        ),
        fact(
            "byte",
            place.byte,
            f"512 x {number} + 16 x ({inside} mod 32) + 4 x ({inside} div 32) + {index} mod 4",
            "in shared memory",
        ),
        fact("lane", place.lane, f"{row} mod 32", "and 32, 64 and 96 further on"),
        fact("column", place.column, f"4 x {number} + {inside} div 32", "in tensor memory"),
        fact("sub", place.sub, f"{index} mod 4", "byte of the column"),
        fact(
            "step",
            step.number,
            f"{index} div {scales.each}",
            f"the instruction of k {span(*step.k)}: column +{step.column}, id {step.id}",
        ),
    ]
    slot = scales.slot(place.lane, place.column)
    if slot is not None and scales.load is not None:
        _, _, (_, how_thread), (_, how_register) = scales.load.formulas()
        rows += [
            fact(
                "thread",
                slot.lane,
                f"{how_thread} (lane and column of the load)",
                f"of each warp, in load {slot.load} of {scales.load_count}",
            ),
            fact("register", slot.register, how_register, f"byte {place.sub}"),
        ]
    yield table(rows, indent=2, wraps=2)
    for name, text in islice(load_facts(scales), 1):
        yield labeled(name, (text, "faint"))
    yield labeled("source", (SOURCE, "faint"))


@shown
def word_view(scales: Scales, lane: int, column: int) -> Iterator[RenderableType]:
    """The four factors in a column of one lane of tensor memory, and the instructions that read them."""
    yield beside(line((f"lane {lane}, column {column}", "value"), "  "), (title(scales), "heading"))
    rows = []
    for sub, factor in enumerate(scales.column_factors(lane, column)):
        if factor is None:
            rows.append([str(sub), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING])
            continue
        step = scales.step_of(factor.number)
        k = span(factor.number * scales.block, (factor.number + 1) * scales.block - 1)
        rows.append([str(sub), str(factor.row), str(factor.number), k, str(step.number), str(step.id)])
    yield table(rows, ("byte", scales.letter, "factor", "k", "step", "id"), indent=2, wraps=0)
    slot = scales.slot(lane, column)
    if slot is not None:
        where = f"thread {slot.lane} of warp {lane // WARP}, register {slot.register} of load {slot.load}"
        yield labeled("held by", (where, "value"))
    for name, text in islice(load_facts(scales), 1):
        yield labeled(name, (text, "faint"))
    yield labeled("source", (SOURCE, "faint"))


_BYTE = 25, 15, 8.5
"""Width, height and font size of a byte's cell in a picture."""


def picture(scales: Scales, number: int = 0) -> str:
    """Return the SVG of block ``number``; the colors are the instructions along K, in turn."""
    block = scales.block_at(number)
    factors = span(*block.factors)
    where = f"block {number}: {scales.letter} {span(*block.rows)}, factors {factors}; a cell is {scales.letter}.factor"
    first, last = (scales.step_of(factor).number for factor in block.factors)
    steps = [scales.step_at(number) for number in range(first, last + 1)]
    lines = range(block.byte, block.byte + BLOCK, LINE)
    cells = [[_byte_cell(scales, scales.at(line + at)) for at in range(LINE)] for line in lines]
    shared = Grid(
        above=("", ""),
        left=("byte",),
        columns=[("", f"+{at}") for at in range(LINE)],
        rows=[(str(line),) for line in lines],
        cells=cells,
        group=WORD,
    )
    tensor = Grid(
        above=("column", "byte"),
        left=("lane",),
        columns=[(str(block.columns[0] + at // WORD), str(at % WORD)) for at in range(LINE)],
        rows=[(str(lane),) for lane in range(WARP)],
        cells=cells,
        group=WORD,
    )
    charts = (
        Chart(shared, *_BYTE, title=f"shared memory, bytes {span(block.byte, block.byte + BLOCK - 1)}"),
        Chart(tensor, *_BYTE, title="tensor memory, lanes 0..31 of 128"),
    )
    blocks = [
        *heading(title(scales), where),
        SideBySide(charts),
        ColorKey([_swatch(scales, step) for step in steps]),
        notes(*(f"{label}: {text}" for label, text in facts(scales)), *notes_on(scales), SOURCE),
    ]
    return drawn(title(scales), blocks)


def _color(scales: Scales, index: int) -> int:
    return 2 * (index // scales.each) % len(CHUNKS)


def _byte_cell(scales: Scales, factor: Factor | None) -> Cell:
    if factor is None:
        return EMPTY
    tip = f"{scales.letter} {factor.row}, k {factor.number * scales.block}: factor {factor.number}"
    return Cell(f"{factor.row}.{factor.number}", _color(scales, factor.number), tip=tip)


def _swatch(scales: Scales, step: ScaleStep) -> Swatch:
    text = f"step {step.number}, k {span(*step.k)}: column +{step.column}, id {step.id}"
    return Swatch([CHUNKS[_color(scales, step.factors[0])]], text)
