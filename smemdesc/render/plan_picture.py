"""A plan as a picture: the shared memory of a CTA to scale, and one stage of it opened."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.engine.wording import many
from smemdesc.instructions.plan import BARRIERS, OperandPlan, Plan, ScaleFactors
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.kinds.tmem import COLUMNS
from smemdesc.layout.atom import atom_bytes
from smemdesc.layout.strides import LBO, UNIT
from smemdesc.render.descriptor import mode_text
from smemdesc.render.memory_picture import (
    PART_COLORS,
    ColoredSpan,
    MemoryBar,
    MemoryPart,
    MemoryReader,
    OpenStage,
    OpenTile,
    StrideArrow,
    WaitingList,
)
from smemdesc.render.plan import box_elements, shared_memory_text, strides_of_operand
from smemdesc.render.svg import BAD, FAINT, FIELD_COLORS, INK, STEP, PictureBlock, draw, heading

_MOST_VALUES = 8


def picture(plan: Plan) -> str:
    """Return the SVG of a plan: its shared memory, with one stage opened."""
    m, n, k = plan.shape
    return draw(f"Shared memory of {m}x{n}x{k}", str(plan), _blocks(plan))


def _blocks(plan: Plan) -> Iterator[PictureBlock]:
    m, n, k = plan.shape
    pair = ", in each of two CTAs" if plan.cta_group > 1 else ""
    yield from heading(f"{m}x{n}x{k}, {plan.arch}", f"shared memory to scale{pair}: {shared_memory_text(plan)}")
    bar = _bar(plan)
    yield bar
    stage = _opened(plan)
    if plan.b.offset + (stage + 1) * plan.b.bytes <= WINDOW:
        first = plan.operands[0]
        begin = first.offset + stage * first.bytes
        tiles = [_tile(operand, stage) for operand in plan.operands]
        yield OpenStage(tiles, _reader(plan, stage), (bar.at(begin), bar.at(begin + first.bytes)))
    yield WaitingList([*_waits(plan, stage)], [*_moves(plan)])


def _opened(plan: Plan) -> int:
    """Return the stage that is opened: the second, which shows what a stage adds."""
    return min(1, plan.stages - 1)


def _size_text(size: int) -> str:
    return f"{size // 1024} KiB" if not size % 1024 else f"{size} B"


def _bar(plan: Plan) -> MemoryBar:
    memory, opened = plan.memory, _opened(plan)
    parts: list[MemoryPart] = []
    factors: list[ScaleFactors] = [plan.scale.a, plan.scale.b] if plan.scale else []
    rings = [(operand.name, operand.name.upper(), operand.offset, operand.bytes) for operand in plan.operands]
    for each in factors:
        name = each.scales.operand
        rings.append((f"{name} factors", f"S{name.upper()}", each.offset, each.bytes))
    for kind, name, offset, size in rings:
        for stage in range(plan.stages):
            begin = offset + stage * size
            parts.append(MemoryPart(kind, f"{name}{stage}", begin, size, _size_text(size), stage == opened))
    size = plan.stages * BARRIERS
    parts.append(MemoryPart("barriers", "mbarriers", memory.barriers, size, f"{size} B"))
    if memory.limit is None or memory.total > memory.limit:
        return MemoryBar(parts, memory.total, limit=memory.limit)
    free, more = memory.limit - memory.total, (memory.most or 0) - plan.stages
    room = f" = {many(more, 'more stage')}" if more else ""
    return MemoryBar(parts, memory.limit, f"free: {free} B{room}")


def _tile(operand: OperandPlan, stage: int) -> OpenTile:
    tile = operand.tile
    size = atom_bytes(tile.swizzle, tile.major)
    first = tile.operand(tile.steps[0])
    read = frozenset([(address - tile.start) // size for *_, address in first.unit_addresses()])
    arrows = []
    if not tile.absolute:
        sizes = zip(strides_of_operand(operand), (tile.lbo, tile.sbo), strict=True)
        arrows = [
            StrideArrow(nick, by / size, f"{by} B to the next {stride.elements} of {stride.along}")
            for nick, (stride, by) in zip(("LBO", "SBO"), sizes, strict=True)
            if stride.used is not False
        ]
    count = tile.size // size
    half = f" of {tile.whole}" if tile.cta_group > 1 else ""
    what = f"{tile.shape}{half} {tile.dtype.name}, {mode_text(tile.swizzle)} {tile.major}-major"
    about = f"{what}: {many(count, 'atom')} of {tile.atom.mn} × {tile.atom.k}, {size} B each"
    return OpenTile(
        operand.name,
        f"{operand.name.upper()}{stage}",
        about,
        count,
        read,
        arrows,
        [*_values(operand, stage)],
        [*_writer(operand)],
    )


def _values(operand: OperandPlan, stage: int) -> Iterator[list[ColoredSpan]]:
    """Yield the descriptors of the steps in a stage, with the digits in color that change."""

    def in_stage(value: int, number: int) -> str:
        units = (operand.offset + number * operand.bytes) // UNIT
        lbo = units << operand.tile.kind.table.row(LBO).lo if operand.tile.absolute else 0
        return f"0x{value + units + lbo:016x}"

    values = [value for row in operand.descriptors for value in row]
    moving = zip(*(in_stage(value, number) for value in values for number in (stage, 0)), strict=True)
    changes = [len(set(digits)) > 1 for digits in moving]
    first = changes.index(True) if any(changes) else len(changes)
    for value in values[: _MOST_VALUES - 1] if len(values) > _MOST_VALUES else values:
        text = in_stage(value, stage)
        yield [(text[:first], INK, False), (text[first:], STEP, True)] if text[first:] else [(text, INK, False)]
    if len(values) > _MOST_VALUES:
        yield [(f"and {len(values) - _MOST_VALUES + 1} more", FAINT, False)]


def _writer(operand: OperandPlan) -> Iterator[str]:
    name = operand.name.upper()
    if operand.filling is None:
        yield from (f"threads write {name}", "no box has this layout")
        return
    box, copies = operand.filling
    yield f"TMA {name}"
    yield f"box {box_elements(operand.tile, box)}"
    yield box.tma_swizzle.removeprefix("CU_TENSOR_MAP_")
    yield f"{many(len(copies), 'copy', 'copies')}, {operand.filling.bytes} B"


def _reader(plan: Plan, stage: int) -> MemoryReader:
    count = plan.steps[0] * plan.steps[1] * plan.steps[2]
    words = plan.mnemonic.split(".")
    shape = "x".join(map(str, plan.mma_shape))
    if plan.kind == "wgmma":
        lines: list[ColoredSpan] = [(".".join(words[4:]), INK, False)]
        lines += [(plan.immediates, INK, False)] if plan.immediates else []
        after = ["wgmma.commit_group", "wgmma.wait_group, then arrive on"]
    else:
        lines = [(f"{words[3]}, {shape}", INK, False)] if len(words) > 3 else [(shape, INK, False)]
        lines += [(f"idesc 0x{plan.idesc:08x}", INK, False)]
        after = ["tcgen05.commit arrives on"]
    if plan.a is None:
        lines.append((f"A from {'tensor memory' if plan.a_from == 'tmem' else plan.a_from}", INK, False))
    last: list[ColoredSpan] = [(f"empty[{stage}]", BAD, True)]
    spans: list[list[ColoredSpan]] = [[(text, FAINT, False)] for text in after]
    title = f"{'.'.join(words[:2])} × {count}"
    return MemoryReader(title, lines, [*_columns(plan)], COLUMNS if plan.tensor_memory else 0, [*spans, last])


def _columns(plan: Plan) -> Iterator[tuple[str, str, int, int]]:
    memory = plan.tensor_memory
    if memory is None:
        return
    at = 0
    a_columns = memory.stages * memory.a_columns
    for name, color, count in (
        ("D", FIELD_COLORS["stride_byte_offset"], memory.d_columns),
        ("A", PART_COLORS["a"], a_columns),
        ("scale factors", PART_COLORS["a factors"], memory.scale_columns),
        ("metadata", PART_COLORS["slot"], memory.metadata_columns),
    ):
        if count:
            yield name, color, at, min(count, COLUMNS - at)
            at = min(at + count, COLUMNS)


def _waits(plan: Plan, stage: int) -> Iterator[tuple[str, str]]:
    count = plan.steps[0] * plan.steps[1] * plan.steps[2]
    names = [f"{operand.name.upper()}{stage}" for operand in plan.operands]
    names += [f"S{name}{stage}" for name in "AB"] if plan.scale else []
    what = " + ".join(names)
    if plan.tma_bytes:
        pair = f"; the leader's {plan.tma_pair_bytes} B if both CTAs' copies name it" if plan.cta_group > 1 else ""
        yield f"full[{stage}]", f"expects {plan.tma_bytes} B = {what}, written by TMA{pair}; the MMAs wait for it"
    else:
        yield f"full[{stage}]", f"the threads that have written {what} arrive; the MMAs wait for it"
    who = "TMA waits" if plan.tma_bytes else "the threads wait"
    yield f"empty[{stage}]", f"completes when the {many(count, 'MMA')} have read the stage; {who} for it"


def _moves(plan: Plan) -> Iterator[str]:
    for operand in plan.operands:
        units = operand.bytes // UNIT
        step = operand.k_strides[0][0] if operand.k_strides else 0
        moved = f", next K step: +{step} ({step * UNIT} B)" if step else ""
        to = " to the start and to LBO" if operand.tile.absolute else ""
        yield f"{operand.name.upper()}: next stage: +{units} ({operand.bytes} B / {UNIT}){to}{moved}"
