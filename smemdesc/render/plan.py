"""A plan as text (the instruction, each operand in shared memory, total shared memory), and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from smemdesc.descriptors.explain import summary
from smemdesc.engine.wording import listed, many
from smemdesc.instructions.plan import BARRIERS, MAP_BYTES, OperandPlan, Plan, ScalePlan, TensorMemory
from smemdesc.kinds.context import Context
from smemdesc.kinds.instruction import PLACES
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.tmem import COLUMNS
from smemdesc.layout.atom import byte_size
from smemdesc.layout.scales import COPY
from smemdesc.layout.strides import Stride, strides_of
from smemdesc.render.diagnostics import diagnostics
from smemdesc.render.parts import apart, table
from smemdesc.render.svg import picture as drawn
from smemdesc.render.tile import blocks_of, named

_MANY = 8
"""At most this many steps or copies are listed; the others are counted."""


def plan_view(plan: Plan) -> RenderableType:
    """Return all constants of a GEMM tile."""
    return Group(*apart(_sections(plan)))


def _sections(plan: Plan) -> Iterator[RenderableType]:
    m, n, k = plan.shape
    pair = ", the tile of both CTAs" if plan.cta_group > 1 else ""
    of_cta = " of each CTA" if plan.cta_group > 1 else ""
    yield _facts(f"{m}x{n}x{k}{pair}, {plan.arch}", _instruction(plan))
    if plan.a is None:
        yield Text(f"A in {PLACES[plan.a_from]}: no descriptor", style="heading")
    for operand in plan.operands:
        yield _facts(_heading(plan, operand), _operand(operand))
    if plan.scale is not None:
        yield _facts(f"scale factors in {plan.scale.dtype}, one for {plan.scale.block} of K", _scale(plan, plan.scale))
    if plan.tensor_memory is not None:
        yield _facts(f"tensor memory{of_cta}", _tensor(plan.tensor_memory))
    yield _facts(f"shared memory{of_cta}", _memory(plan))
    if plan.notes:
        yield _facts("notes", (("", text) for text in plan.notes))
    if plan.findings:
        yield diagnostics(plan.findings)


def _facts(title: str, rows: Iterator[tuple[str, str]]) -> RenderableType:
    return Group(Text(title, style="heading"), table([[(name, "label"), text] for name, text in rows], indent=2))


def _instruction(plan: Plan) -> Iterator[tuple[str, str]]:
    m, n, k = plan.mma_shape
    along_m, along_n, along_k = plan.steps
    yield "instruction", plan.mnemonic
    if plan.immediates:
        yield "", plan.immediates
    both = " of both CTAs" if plan.cta_group > 1 else ""
    count = along_m * along_n * along_k
    yield "shape", f"{m}x{n}x{k}{both}; {many(count, 'MMA')} per stage ({along_m} M x {along_n} N x {along_k} K)"
    if plan.idesc is not None:
        kind = kind_of("idesc", plan.mma.instruction.mma_kind, plan.arch)
        text = summary(kind, kind.table.read(plan.idesc)).partition(": ")[2]
        yield "idesc", f"0x{plan.idesc:08x}  {text}"


def _heading(plan: Plan, operand: OperandPlan) -> str:
    tile = operand.tile
    whose = f", half of {tile.whole}, in each CTA's shared memory" if tile.cta_group > 1 else ""
    sparse = " (compressed)" if plan.mma.instruction.sparse and operand.name == "a" else ""
    return f"{operand.name.upper()}  {tile.shape} {tile.dtype.name}{sparse}, {tile.major}-major{whose}"


def _operand(operand: OperandPlan) -> Iterator[tuple[str, str]]:
    tile = operand.tile
    along = "MN" if tile.order == "mn" else "K"
    yield "swizzle", f"{tile.swizzle}: {operand.why}"
    atoms, size = tile.atoms, byte_size(tile.swizzle, tile.major)
    yield "atoms", f"{atoms.mn} x {atoms.k} of {tile.atom} elements, {size} B each, contiguous along {along}"
    yield "stage", f"{operand.bytes} B, aligned to {operand.alignment} B; the first at byte {operand.offset}"
    context = Context(dtype=tile.dtype, major=tile.major, shape=tile.mma)
    lbo, sbo = strides_of(tile.swizzle, tile.major, context)
    yield "LBO", "absolute: an address" if tile.absolute else _offset(lbo, tile.lbo)
    yield "SBO", _offset(sbo, tile.sbo)
    to = "the start and LBO" if tile.absolute else "it"
    yield "descriptor", f"0x{operand.base:016x} at byte 0: add the stage's address >> 4 to {to}"
    for number, row in enumerate(operand.offsets):
        if number == _MANY:
            yield "", f"and {len(operand.offsets) - _MANY} more MN steps"
            break
        steps = _list_first(f"+{offset}" if offset < 1 << 16 else f"+0x{offset:x}" for offset in row)
        name = f"MN step {number}: " if len(operand.offsets) > 1 else ""
        yield ("steps" if not number else ""), f"{name}K {steps}"
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


def _offset(stride: Stride, size: int) -> str:
    text = stride.explain(size).partition(" ")[2]
    return f"{size} B; it {text}" if stride.used is False else text


def _tma(operand: OperandPlan) -> Iterator[tuple[str, str]]:
    if operand.filling is None:
        yield "TMA", f"no box writes {operand.tile.dtype.name} like this: write it without TMA"
        return
    box, copies = operand.filling
    outer = "MN" if operand.tile.major == "K" else "K"
    inner = "K" if outer == "MN" else "MN"
    shape = f"box {box.box[0]} {inner} x {box.box[1]} {outer}"
    yield "TMA", f"{box.data_type}, {shape}, {box.tma_swizzle}, interleave {box.interleave}"
    text = f"{many(len(copies), 'copy', 'copies')} of {operand.filling.size}"
    if len(copies) > 1:
        text += f": {_list_first(f'(mn {copy.mn}, k {copy.k}) to byte {copy.offset}' for copy in copies)}"
    yield "", text
    if operand.map is not None:
        data = operand.map.to_bytes(MAP_BYTES, "little")
        for at in range(0, MAP_BYTES, 16):
            yield "" if at else "tensor map", data[at : at + 16].hex(" ")


def _scale(plan: Plan, scale: ScalePlan) -> Iterator[tuple[str, str]]:
    """Yield the copies, and the scale-factor fields of each K step; ``smemdesc layout scales`` draws them."""
    both = ((scale.a, "M"), (scale.b, "N"))
    for part, _ in both:
        blocks = f"{many(part.blocks, 'block')} of 512 B from byte {part.offset}"
        text = f"{part.rows} x {part.scales.factors}: {blocks}, {many(part.columns, 'column')} of tensor memory"
        yield part.scales.operand.upper(), text
    yield "copy", f"{COPY.format(plan.cta_group)}: a block of 128 rows x 4 factors to 4 columns"
    yield "descriptor", f"0x{scale.copy:016x} at byte 0: add the block's address >> 4 to it"
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


def _list_columns(columns: Iterable[int]) -> str:
    return _list_first(f"+{column}" for column in columns)


def _list_first(texts: Iterable[str]) -> str:
    return listed(list(texts), _MANY)


def _tensor(memory: TensorMemory) -> Iterator[tuple[str, str]]:
    d = memory.d
    layout = f"layout {d.path.name}, {memory.lanes} lanes x {many(d.columns, 'column')} per MMA"
    yield "D", f"{layout}; {memory.d_columns} total"
    if memory.a is not None:
        copies = f", {memory.a.copies} copies" if memory.a.copies > 1 else ""
        stages = f", {memory.stages * memory.a_columns} of {memory.stages}" if memory.stages > 1 else ""
        yield "A", f"{many(memory.a_columns, 'column')} per stage{stages}, {memory.a.packed} elements each{copies}"
    if memory.scale_columns:
        yield "scale factors", f"{many(memory.scale_columns, 'column')} per stage"
    if memory.metadata_columns:
        yield "metadata", f"{many(memory.metadata_columns, 'column')} per stage"
    fits = "" if memory.columns <= COLUMNS else ": does not fit"
    yield "total", f"{memory.columns} of {COLUMNS} columns{fits}"


def _memory(plan: Plan) -> Iterator[tuple[str, str]]:
    memory = plan.memory
    operands = sum(operand.bytes for operand in plan.operands)
    text = f"{memory.stage} B" + (f": {operands} B of operands" if plan.scale else "")
    if plan.scale:
        text += f", {plan.scale.a.bytes} B and {plan.scale.b.bytes} B of scale factors of A and B"
    yield "per stage", text
    expected = plan.tma_bytes
    if expected:
        pair = f"; {2 * expected} B if one barrier counts the copies of both CTAs" if plan.cta_group > 1 else ""
        scaled = ", scale factors included" if plan.scale else ""
        padded = any(operand.filling and operand.filling.bytes < operand.bytes for operand in plan.operands)
        packed = ", padding not counted" if padded else ""
        yield "mbarrier", f"expects {expected} B from TMA per stage{scaled}{packed}{pair}"
    stages = f"{many(plan.stages, 'stage')} and {BARRIERS} B of mbarriers each, from byte {memory.barriers}"
    fits = "" if memory.total <= memory.limit else ": does not fit"
    most = f"up to {memory.most} stages fit" if memory.most > 1 else f"{memory.most or 'no'} stage fits"
    yield (
        "total",
        f"{memory.total} B for {stages}, of {memory.limit} B ({memory.limit // 1024} KB){fits}; {most}",
    )


def picture(plan: Plan) -> str:
    """Return the SVG of each operand in shared memory, with its MMA steps."""
    parts = [(named(operand.tile, operand.name.upper()), operand) for operand in plan.operands]
    blocks = [block for name, operand in parts for block in blocks_of(operand.tile, name)]
    return drawn("; ".join(name for name, _ in parts), blocks)
