"""A plan as one block to paste: C, CUDA C++, PTX or Python."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.instructions.plan import BARRIERS, OperandPlan, Plan, ScaleFactors, ScalePlan, TensorMemory
from smemdesc.layout.tmem import COLUMNS
from smemdesc.render.constants import check_name

Numbers = int | Sequence["Numbers"]


class Item(NamedTuple):
    """One constant: a number, or an array of arrays of them, or an enumerator of cuda.h."""

    name: str
    bits: int
    """32 or 64; 0 for an enumerator."""
    value: Numbers | str
    comment: str = ""
    hex: bool = False
    type: str = ""
    """Type of an enumerator."""


class Section(NamedTuple):
    """The constants of one operand, or those of the whole (``name`` empty)."""

    name: str
    comment: str
    items: tuple[Item, ...]


def sections(plan: Plan) -> list[Section]:
    """Return all constants of a plan; addresses and descriptors begin at byte 0."""
    m, n, k = plan.shape
    one_m, one_n, one_k = plan.mma_shape
    whose = "the pair's tile" if plan.cta_group > 1 else "the tile"
    items = [
        Item("tile_m", 32, m, whose),
        Item("tile_n", 32, n),
        Item("tile_k", 32, k, "of one stage"),
        Item("mma_m", 32, one_m, "one instruction" + (" of both CTAs" if plan.cta_group > 1 else "")),
        Item("mma_n", 32, one_n),
        Item("mma_k", 32, one_k),
        Item("cta_group", 32, plan.cta_group),
        Item("stages", 32, plan.stages),
    ]
    if plan.idesc is not None:
        items.append(Item("idesc", 32, plan.idesc, "instruction descriptor", hex=True))
    items += [
        Item("stage_bytes", 32, plan.memory.stage, "in each CTA" if plan.cta_group > 1 else ""),
        Item("shared_bytes", 32, plan.memory.total, "all stages, with their mbarriers"),
        Item("tma_stage_bytes", 32, plan.tma_bytes, "what the mbarrier of a stage expects of TMA"),
        Item("mbarrier_offset", 32, plan.memory.barriers, f"of the mbarriers, {BARRIERS} bytes a stage"),
    ]
    made = [
        Section("", "; ".join(filter(None, (plan.mnemonic, plan.immediates))), tuple(items)),
        *(_operand(plan, operand) for operand in plan.operands),
    ]
    if plan.scale is not None:
        made.append(_scale(plan.scale))
    if plan.tensor_memory is not None:
        made.append(_tensor(plan.tensor_memory))
    return made


def _scale(scale: ScalePlan) -> Section:
    def columns(of: ScaleFactors) -> tuple[int, ...]:
        return tuple(step.column for step in of.scales.steps)

    items = (
        Item("a_offset", 32, scale.a.offset, "of the first stage, in bytes; stages follow each other"),
        Item("b_offset", 32, scale.b.offset),
        Item("a_bytes", 32, scale.a.bytes, "of one stage, in blocks of 512: 128 rows x 4 factors"),
        Item("b_bytes", 32, scale.b.bytes),
        Item("copy_descriptor", 64, scale.copy, "of a block at byte 0: add its address >> 4", hex=True),
        Item("block_columns", 32, 4, "of tensor memory, for each block"),
        Item("a_columns", 32, columns(scale.a), "[K step], added to the address of the factors"),
        Item("b_columns", 32, columns(scale.b)),
        Item("a_mn_columns", 32, scale.a.added, "[MN step], added as well"),
        Item("b_mn_columns", 32, scale.b.added),
        Item("ids", 32, tuple(each.id for each in scale.a.scales.steps), "[K step], of A and B"),
        Item("idesc", 32, scale.idescs, "[K step], with the ids", hex=True),
    )
    return Section("scale", f"scale factors in {scale.dtype}, one for {scale.block} of K", items)


def _tensor(memory: TensorMemory) -> Section:
    items = (
        Item("d_columns", 32, memory.d_columns, f"layout {memory.d.path.name}, {memory.d.columns} of one instruction"),
        Item("a_columns", 32, memory.a_columns, "of one stage"),
        Item("scale_columns", 32, memory.scale_columns, "of one stage"),
        Item("columns", 32, memory.columns, f"of {COLUMNS}"),
    )
    return Section("tmem", "columns of tensor memory of each CTA", items)


def _operand(plan: Plan, operand: OperandPlan) -> Section:
    made = operand.tile
    where = "in each CTA's shared memory" if plan.cta_group > 1 else "in shared memory"
    comment = (
        f"{operand.name.upper()}: {made.shape} {made.dtype.name} {where}, {made.major}-major, swizzle {made.swizzle}"
    )
    items = [
        Item("offset", 32, operand.offset, "of the first stage, in bytes; stages follow each other"),
        Item("bytes", 32, operand.bytes, "of one stage"),
        Item("alignment", 32, operand.alignment),
        Item("leading_byte_offset", 32, made.lbo),
        Item("stride_byte_offset", 32, made.sbo),
        Item("mn_major", 32, int(made.major == "MN")),
        Item("mn_steps", 32, len(operand.descriptors)),
        Item("k_steps", 32, len(operand.descriptors[0])),
        Item("descriptor", 64, operand.base, _added(operand), hex=True),
        Item("offsets", 64, operand.offsets, "[MN step][K step], added to the descriptor"),
    ]
    if operand.filling is not None:
        box, copies = operand.filling
        items += [
            Item("tma_type", 0, box.data_type, type="CUtensorMapDataType"),
            Item("tma_box", 32, box.box, f"elements: {'K, then MN' if made.major == 'K' else 'MN, then K'}"),
            Item("tma_swizzle", 0, box.tma_swizzle, type="CUtensorMapSwizzle"),
            Item("tma_interleave", 0, "CU_TENSOR_MAP_INTERLEAVE_NONE", type="CUtensorMapInterleave"),
            Item("tma_bytes", 32, box.bytes, "of one copy"),
            Item("tma_copies", 32, len(copies)),
            Item(
                "tma_copy", 32, tuple(tuple(copy) for copy in copies), "each: MN, K (elements), where it goes (bytes)"
            ),
        ]
    return Section(operand.name, comment, tuple(items))


def _added(operand: OperandPlan) -> str:
    if operand.tile.absolute:
        return "at byte 0: add the stage's address >> 4 to the start and to LBO (bit 16), which is an address, too"
    return "at byte 0: add the stage's address >> 4"


def block(plan: Plan, style: str, name: str, command: Sequence[str]) -> str:
    """Return the plan in a style: ``c``, ``cuda``, ``ptx`` or ``python``; ``command`` is what made it.

    :class:`smemdesc.engine.errors.SmemdescError` where ``name`` is none in the language.
    """
    check_name(style, name)
    mark = _COMMENT[style]
    said = [*map(str, plan.findings), *(f"note: {each}" for each in plan.notes)]
    lines = [mark.format(text) for text in (shlex.join(command), *said)]
    return "\n".join((*lines, *_WRITERS[style](sections(plan), name))) + "\n"


def _scalar(item: Item, number: int) -> str:
    if not item.hex:
        return str(number)
    return f"0x{number:0{item.bits // 4}x}"


def _nested(item: Item, value: Numbers, suffix: str, marks: str = "{}") -> str:
    if isinstance(value, int):
        return _scalar(item, value) + suffix
    return marks[0] + ", ".join(_nested(item, each, suffix, marks) for each in value) + marks[1]


def _extents(value: Numbers) -> str:
    if isinstance(value, int):
        return ""
    return f"[{len(value)}]{_extents(value[0])}"


def _cuda(made: list[Section], name: str) -> Iterator[str]:
    yield f"// {made[0].comment}"
    yield f"struct {name} {{"
    for section in made:
        if section.name:
            yield f"    struct {section.name} {{  // {section.comment}"
        margin = "        " if section.name else "    "
        for item in section.items:
            comment = f"  // {item.comment}" if item.comment else ""
            if isinstance(item.value, str):
                yield f"{margin}static constexpr {item.type} {item.name} = {item.value};{comment}"
                continue
            suffix = "ull" if item.bits > 32 else ""
            kind = "uint64_t" if item.bits > 32 else "uint32_t" if item.hex else "int"
            text = _nested(item, item.value, suffix)
            yield f"{margin}static constexpr {kind} {item.name}{_extents(item.value)} = {text};{comment}"
        if section.name:
            yield "    };"
    yield "};"


def _c(made: list[Section], name: str) -> Iterator[str]:
    for section in made:
        yield f"/* {section.comment} */"
        prefix = f"{name}_{section.name}_" if section.name else f"{name}_"
        for item in section.items:
            comment = f" /* {item.comment} */" if item.comment else ""
            if isinstance(item.value, str):
                yield f"static const {item.type} {prefix}{item.name} = {item.value};{comment}"
                continue
            kind = f"uint{item.bits}_t"
            text = _nested(item, item.value, "u" if item.bits <= 32 else "ull")
            yield f"static const {kind} {prefix}{item.name}{_extents(item.value)} = {text};{comment}"


def _ptx(made: list[Section], name: str) -> Iterator[str]:
    for section in made:
        yield f"// {section.comment}"
        prefix = f"{name}_{section.name}_" if section.name else f"{name}_"
        for item in section.items:
            if isinstance(item.value, str):
                yield f"// {prefix}{item.name}: {item.value}"
                continue
            comment = f" // {item.comment}" if item.comment else ""
            text = _nested(item, item.value, "")
            yield f".const .align 8 .b{item.bits} {prefix}{item.name}{_extents(item.value)} = {text};{comment}"


def _python(made: list[Section], name: str) -> Iterator[str]:
    yield f"# {made[0].comment}"
    yield f"{name} = {{"
    for section in made:
        margin = "        " if section.name else "    "
        if section.name:
            yield f"    {section.name!r}: {{  # {section.comment}"
        for item in section.items:
            comment = f"  # {item.comment}" if item.comment else ""
            text = repr(item.value) if isinstance(item.value, str) else _nested(item, item.value, "", "[]")
            yield f"{margin}{item.name!r}: {text},{comment}"
        if section.name:
            yield "    },"
    yield "}"


_WRITERS: dict[str, Callable[[list[Section], str], Iterator[str]]] = {
    "c": _c,
    "cuda": _cuda,
    "ptx": _ptx,
    "python": _python,
}
_COMMENT = {"c": "/* {} */", "cuda": "// {}", "ptx": "// {}", "python": "# {}"}
STYLES = tuple(_WRITERS)
