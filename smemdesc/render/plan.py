"""A plan as text on one screen; or all, with reasons and the notations of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from rich.console import Group, RenderableType
from rich.text import Text

from smemdesc.descriptors.explain import one_line
from smemdesc.engine.wording import listed_words, many, more
from smemdesc.instructions.plan import BARRIERS, MAP_BYTES, OperandPlan, Plan, ScalePlan, TensorMemory
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import PLACES_OF_A
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.tmem import COLUMNS
from smemdesc.layout.atom import atom_bytes
from smemdesc.layout.scales import COPY_INSTRUCTION
from smemdesc.layout.strides import UNIT, Stride, strides_of
from smemdesc.layout.tmem_load import element_index
from smemdesc.render.descriptor import mode_text
from smemdesc.render.diagnostics import diagnostics
from smemdesc.render.parts import apart, table
from smemdesc.tiles.box import TmaBox
from smemdesc.tiles.tile import Tile

_MANY = 8
"""At most this many steps or copies are listed; the others are counted."""


def plan_view(plan: Plan, *, every: bool = False) -> RenderableType:
    """Return the constants of a GEMM tile on one screen; ``every``: all, with reasons and other notations."""
    return Group(*apart(_sections(plan) if every else _screen(plan)))


def _screen(plan: Plan) -> Iterator[RenderableType]:
    yield _facts(_heading_of(plan), _instruction(plan))
    yield _operands(plan)
    yield _rows(_totals(plan))
    for operand in plan.operands:
        if operand.map is not None:
            yield _facts(operand.name.upper(), _map_bytes(operand.map))
    yield from _remarks(plan)


def _operands(plan: Plan) -> RenderableType:
    """Return the table of the operands in shared memory: a column for each, and a row for each of its constants."""
    columns = [dict(_constants(plan, operand)) for operand in plan.operands]
    names = [name for name in _ROWS if any(name in column for column in columns)]
    rows = [[(name, "label"), *((column.get(name, ""), _ROWS[name]) for column in columns)] for name in names]
    heads = ("", *(_heading(plan, operand) for operand in plan.operands))
    return table(rows, heads, indent=2, gap=3, wraps=len(columns))


_STEPS = [f"{along} {noun}" for along in ("K", "MN") for noun in ("step", "steps", "atom")]
_ROWS = {
    "of both CTAs": "",
    "descriptor": "value",
    **dict.fromkeys((*_STEPS, "LBO", "SBO", "TMA box", "stage", "factors"), ""),
}
"""The rows of the table in order, each with its style."""


def _constants(plan: Plan, operand: OperandPlan) -> Iterator[tuple[str, str]]:
    tile = operand.tile
    if tile.cta_group > 1:
        yield "of both CTAs", f"half of {tile.whole}"
    yield "descriptor", f"0x{operand.base:016x}"
    yield from _steps("K", operand.k_strides, operand.offsets[0])
    if len(operand.offsets) > 1:
        yield from _steps("MN", operand.mn_strides, [row[0] for row in operand.offsets])
    lbo, sbo = strides_of_operand(operand)
    yield "LBO", "absolute: an address" if tile.absolute else _size(lbo, tile.lbo)
    yield "SBO", _size(sbo, tile.sbo)
    if operand.filling is None:
        yield "TMA box", "none"
    else:
        yield (
            "TMA box",
            f"{box_elements(tile, operand.filling.map)}, {many(len(operand.filling.copies), 'copy', 'copies')}",
        )
    yield "stage", f"{operand.bytes} B, first at byte {operand.offset}"
    if plan.scale is not None:
        factors = plan.scale.a if operand.name == "a" else plan.scale.b
        yield "factors", f"{factors.bytes} B, first at byte {factors.offset}"


def _steps(along: str, strides: Sequence[tuple[int, int]] | None, offsets: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield what a step adds, in 16-byte units and in bytes, and where an operand has several atoms, an atom."""
    if strides is None:
        yield f"{along} steps", listed_words(list(map(_summand, offsets)), _MANY // 2)
    elif not strides:
        yield f"{along} step", "only one"
    for number, (units, count) in enumerate(strides or ()):
        noun = "atom" if number else "step"
        yield f"{along} {noun}", f"+{units} ({units * UNIT} B), {many(count, noun)}"


def _size(stride: Stride, size: int) -> str:
    return f"{size} B, no effect" if stride.used is False else f"{size} B"


def _totals(plan: Plan) -> Iterator[tuple[str, str]]:
    memory, scale, tensor = plan.memory, plan.scale, plan.tensor_memory
    absolute = any(operand.tile.absolute for operand in plan.operands)
    if absolute:
        yield "address", "descriptor + steps; (stage address >> 4) is added to the start and to LBO"
    else:
        yield "address", "descriptor + steps + (stage address >> 4), in 16-byte units"
    if scale is not None:
        ids = [step.id for step in scale.a.scales.steps]
        steps = f"ids {_by(ids[:_MANY], ' ')}{more(len(ids), _MANY)}; " if any(ids) else ""
        yield "factors", f"{scale.dtype}, block {scale.block}; {steps}copy 0x{scale.copy:016x}"
    both = f" (both CTAs: {plan.tma_pair_bytes} B)" if plan.cta_group > 1 else ""
    barrier = f"; mbarrier expects {plan.tma_bytes} B from TMA{both}" if plan.tma_bytes else ""
    yield "stage", f"{memory.stage} B{barrier}"
    if tensor is not None:
        yield "tensor memory", f"{tensor.columns} of {COLUMNS} columns{_allocate(tensor)}"
    yield "shared memory", shared_memory_text(plan)


def shared_memory_text(plan: Plan) -> str:
    """Return how much shared memory the stages take, and how many fit."""
    memory = plan.memory
    return f"{memory.total}{_of_limit(memory.limit)} B for {many(plan.stages, 'stage')}; {_most(plan)}"


def _of_limit(limit: int | None) -> str:
    return "" if limit is None else f" of {limit}"


def _fits(size: int, limit: int) -> str:
    return "" if size <= limit else ": does not fit"


def _allocate(memory: TensorMemory) -> str:
    """Return what to allocate, or that the columns do not fit."""
    enough = memory.alloc_columns
    return _fits(memory.columns, COLUMNS) if enough is None else f"; allocate {enough}"


def _most(plan: Plan) -> str:
    most = plan.memory.most
    if most is None:
        return f"how much a CTA on {plan.arch} has is not known"
    return f"up to {most} stages fit" if most > 1 else f"{most or 'no'} stage fits"


def _remarks(plan: Plan) -> Iterator[RenderableType]:
    if plan.notes:
        yield _facts("notes", (("", text) for text in plan.notes))
    if plan.findings:
        yield diagnostics(plan.findings)


def _sections(plan: Plan) -> Iterator[RenderableType]:
    of_cta = " of each CTA" if plan.cta_group > 1 else ""
    yield _facts(_heading_of(plan), _instruction(plan))
    for operand in plan.operands:
        yield _facts(_heading(plan, operand, ", in each CTA's shared memory"), _operand(operand))
    if plan.scale is not None:
        yield _facts(f"scale factors in {plan.scale.dtype}, one for {plan.scale.block} of K", _scale(plan, plan.scale))
    if plan.tensor_memory is not None:
        yield _facts(f"tensor memory{of_cta}", _tensor(plan.tensor_memory))
    yield _facts(f"shared memory{of_cta}", _memory(plan))
    yield from _remarks(plan)


def _facts(title: str, rows: Iterable[tuple[str, str]]) -> RenderableType:
    return Group(Text(title, style="heading"), _rows(rows))


def _rows(rows: Iterable[tuple[str, str]]) -> RenderableType:
    return table([[(name, "label"), text] for name, text in rows], indent=2)


def _heading_of(plan: Plan) -> str:
    pair = " of both CTAs" if plan.cta_group > 1 else ""
    count = f"{many(prod(plan.steps), 'MMA')} of {_by(plan.mma_shape)} per stage ({_by(plan.steps, ' x ')})"
    return f"{_by(plan.shape)}{pair}, {plan.arch}: {count}"


def _by(sizes: Iterable[int], cross: str = "x") -> str:
    return cross.join(map(str, sizes))


def _instruction(plan: Plan) -> Iterator[tuple[str, str]]:
    yield "instruction", plan.mnemonic
    if plan.immediates:
        yield "", plan.immediates
    if plan.a is None:
        yield "A", f"in {PLACES_OF_A[plan.a_from]}: no descriptor"
    if plan.idesc is not None:
        kind = kind_of("idesc", plan.mma.instruction.mma_kind, plan.arch)
        fields = {key: field for key, field in kind.table.read(plan.idesc).items() if key not in _OF_FACTORS}
        text = one_line(kind, fields).partition(": ")[2]
        yield "idesc", f"0x{plan.idesc:08x}  {text}"


_OF_FACTORS = ("a_scale_id", "b_scale_id", "scale_type")
"""Fields of the instruction descriptor that are shown with the scale factors."""


def _heading(plan: Plan, operand: OperandPlan, whose: str = "") -> str:
    tile = operand.tile
    half = f", half of {tile.whole}{whose}" if tile.cta_group > 1 and whose else ""
    sparse = " (compressed)" if plan.mma.instruction.sparse and operand.name == "a" else ""
    layout = f"{mode_text(tile.swizzle)} {tile.major}-major"
    return f"{operand.name.upper()}  {tile.shape} {tile.dtype.name}{sparse}, {layout}{half}"


def _operand(operand: OperandPlan) -> Iterator[tuple[str, str]]:
    tile = operand.tile
    along = "MN" if tile.order == "mn" else "K"
    yield "swizzle", f"{tile.swizzle}: {operand.why}"
    atoms, size = tile.atoms, atom_bytes(tile.swizzle, tile.major)
    yield "atoms", f"{atoms.mn} x {atoms.k} of {tile.atom} elements, {size} B each, contiguous along {along}"
    yield "stage", f"{operand.bytes} B, aligned to {operand.alignment} B; the first at byte {operand.offset}"
    lbo, sbo = strides_of_operand(operand)
    yield "LBO", "absolute: an address" if tile.absolute else _offset(lbo, tile.lbo)
    yield "SBO", _offset(sbo, tile.sbo)
    to = " to the start and to LBO" if tile.absolute else ""
    yield "descriptor", f"0x{operand.base:016x}: base descriptor; add (stage address >> 4){to}"
    for number, row in enumerate(operand.offsets):
        if number == _MANY:
            yield "", f"and {len(operand.offsets) - _MANY} more MN steps"
            break
        steps = _list_first(_summand(step).removeprefix("+") for step in row)
        name = f"MN step {number}: " if len(operand.offsets) > 1 else ""
        yield ("K steps" if not number else ""), f"{name}desc + {{{steps}}} (16-byte units)"
    none = "it cannot express this layout"
    if operand.k_bytes is not None:
        parts = [[f"{first}..{last}" for first, last in step] for step in operand.k_bytes]
        yield (
            "K bytes",
            f"{_list_first(map(' and '.join, parts))} of 128-byte lines: the line of the start, then the line of LBO",
        )
    yield "CuTe", operand.cute or none
    yield "CuTe DSL", operand.cute_dsl or none
    if any(size & (size - 1) for size in tile.shape):
        yield "Triton", f"none: tensor sizes are powers of two, not {tile.shape}"
    else:
        shape = f", tensor {operand.triton_shape[0]}x{operand.triton_shape[1]}" if operand.triton_shape else ""
        yield "Triton", f"{operand.triton}{shape}" if operand.triton else none
    yield from _tma(operand)


def strides_of_operand(operand: OperandPlan) -> tuple[Stride, Stride]:
    """Return what LBO and SBO of an operand step over."""
    tile = operand.tile
    return strides_of(tile.swizzle, tile.major, Context(dtype=tile.dtype, major=tile.major, shape=tile.mma))


def _offset(stride: Stride, size: int) -> str:
    text = stride.explain(size).partition(" ")[2]
    return f"{size} B; it {text}" if stride.used is False else text


def _tma(operand: OperandPlan) -> Iterator[tuple[str, str]]:
    if operand.filling is None:
        yield "TMA", f"no box writes {operand.tile.dtype.name} like this: write it without TMA"
        return
    box, copies = operand.filling
    yield (
        "TMA",
        f"{box.data_type}, box {box_elements(operand.tile, box)}, {box.tma_swizzle}, interleave {box.interleave}",
    )
    text = f"{many(len(copies), 'copy', 'copies')} of {operand.filling.size}"
    if len(copies) > 1:
        text += f": {_list_first(f'(mn {copy.mn}, k {copy.k}) to byte {copy.offset}' for copy in copies)}"
    yield "", text
    if operand.map is not None:
        yield from _map_bytes(operand.map)


def _map_bytes(tensor_map: int) -> Iterator[tuple[str, str]]:
    data = tensor_map.to_bytes(MAP_BYTES, "little")
    for at in range(0, MAP_BYTES, 16):
        yield "" if at else "tensor map", data[at : at + 16].hex(" ")


def box_elements(tile: Tile, box: TmaBox) -> str:
    """Return the elements of a box of TMA: ``64 K x 128 MN``."""
    inner, outer = ("K", "MN") if tile.major == "K" else ("MN", "K")
    return f"{box.box[0]} {inner} x {box.box[1]} {outer}"


def _scale(plan: Plan, scale: ScalePlan) -> Iterator[tuple[str, str]]:
    """Yield the copies, and the scale-factor fields of each K step; ``smemdesc layout scales`` draws them."""
    both = ((scale.a, "M"), (scale.b, "N"))
    for part, _ in both:
        blocks = f"{many(part.blocks, 'block')} of 512 B from byte {part.offset}"
        text = f"{part.rows} x {part.scales.factors}: {blocks}, {many(part.columns, 'column')} of tensor memory"
        yield part.scales.operand.upper(), text
    yield "copy", f"{COPY_INSTRUCTION.format(plan.cta_group)}: a block of 128 rows x 4 factors to 4 columns"
    yield "descriptor", f"0x{scale.copy:016x}: base descriptor; add (block address >> 4)"
    yield "ids", f"K {_list_first(str(step.id) for step in scale.a.scales.steps)}: for both A and B"
    for part, along in both:
        name = part.scales.operand.upper()
        yield (
            "columns" if part is scale.a else "",
            f"{name}: K {_list_columns(step.column for step in part.scales.steps)}",
        )
        if len(part.added) > 1:
            yield "", f"{name}: {along} {_list_columns(part.added)}"
    if len(set(scale.idescs)) > 1:
        yield "idesc", f"K {_list_first(f'0x{value:08x}' for value in scale.idescs)}"


def _summand(offset: int) -> str:
    return f"+{offset}" if offset < 1 << 16 else f"+0x{offset:x}"


def _list_columns(columns: Iterable[int]) -> str:
    return _list_first(f"+{column}" for column in columns)


def _list_first(texts: Iterable[str]) -> str:
    return listed_words(list(texts), _MANY)


def _tensor(memory: TensorMemory) -> Iterator[tuple[str, str]]:
    d = memory.d
    layout = f"layout {d.path.name}, {memory.lanes} lanes x {many(d.columns, 'column')} per MMA"
    yield "D", f"{layout}; {memory.d_columns} total"
    loads = memory.loads
    starts = _list_columns(number * loads.load.columns for number in range(loads.per_warp))
    yield "loads of D", f"{loads.load.text}: {many(loads.per_warp, 'load')} by each warp per MMA, columns {starts}"
    m, n = element_index(loads)
    whose = " of the CTA" if d.cta_group > 1 else ""
    yield "", f"thread T of the warpgroup, load i, register r: m{whose} = {m}, n = {n}"
    if memory.a is not None:
        copies = f", {memory.a.copies} copies" if memory.a.copies > 1 else ""
        stages = f", {memory.stages * memory.a_columns} of {memory.stages}" if memory.stages > 1 else ""
        yield "A", f"{many(memory.a_columns, 'column')} per stage{stages}, {memory.a.packed} elements each{copies}"
    if memory.scale_columns:
        a, b = memory.scales
        yield "scale factors", f"{many(memory.scale_columns, 'column')} per stage: {a} of A, {b} of B"
    if memory.metadata_columns:
        yield "metadata", f"{many(memory.metadata_columns, 'column')} per stage"
    power = "" if memory.alloc_columns in (None, memory.columns) else ": tcgen05.alloc takes a power of two"
    yield "total", f"{memory.columns} of {COLUMNS} columns{_allocate(memory)}{power}"


def _memory(plan: Plan) -> Iterator[tuple[str, str]]:
    memory = plan.memory
    operands = sum(operand.bytes for operand in plan.operands)
    text = f"{memory.stage} B" + (f": {operands} B of operands" if plan.scale else "")
    if plan.scale:
        text += f", {plan.scale.a.bytes} B and {plan.scale.b.bytes} B of scale factors of A and B"
    yield "per stage", text
    if plan.tma_bytes:
        yield "mbarrier", _expected(plan)
    stages = f"{many(plan.stages, 'stage')} and {BARRIERS} B of mbarriers each, from byte {memory.barriers}"
    limit = memory.limit
    of = "" if limit is None else f", of {limit} B ({limit // 1024} KB){_fits(memory.total, limit)}"
    yield "total", f"{memory.total} B for {stages}{of}; {_most(plan)}"


def _expected(plan: Plan) -> str:
    """Return what the mbarrier of a stage expects."""
    expected = plan.tma_bytes
    pair = f"; the leader's {plan.tma_pair_bytes} B if both CTAs' copies name it" if plan.cta_group > 1 else ""
    scaled = ", scale factors included" if plan.scale else ""
    padded = any(operand.filling and operand.filling.bytes < operand.bytes for operand in plan.operands)
    packed = ", padding not counted" if padded else ""
    return f"expects {expected} B from TMA per stage{scaled}{packed}{pair}"
