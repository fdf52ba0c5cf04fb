"""Rules for a descriptor against the tile around it."""

from __future__ import annotations

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.layout.atom import exists
from smemdesc.layout.atom_tiling import ORDERS, atom_tiling
from smemdesc.layout.operand import LINE
from smemdesc.layout.strides import LBO, NICK, SBO, Stride, strides_of
from smemdesc.rules.base import Problem, Repair, Rule, error

SOURCE = "CUTLASS tile_to_shape, make_gmma_desc, make_umma_desc"
FIRST = {"mn": "MN first", "k": "K first"}
_READS = (LBO, SBO, "swizzle")
_BASE = {
    "wgmma": "PTX ISA 9.1, 9.7.15.5.1.2.2; measured on an H200",
    "tcgen05": "PTX ISA 9.1, 9.7.16.4.1; assumed for tcgen05 from wgmma, where it was measured",
}


def _tile_strides(context: Context, lbo: int, sbo: int, swizzle: str, lbo_mode: str = "relative") -> Problem | None:
    assert context.dtype is not None
    assert context.major is not None
    assert context.tile is not None
    if lbo_mode == "absolute" or not exists(swizzle, context.major):
        return None
    tile = f"a tile of {context.tile[0]}x{context.tile[1]} {context.dtype.name}"
    orders = [context.order] if context.order else list(ORDERS)
    try:
        tilings = [atom_tiling(swizzle, context.major, context.dtype, context.tile, order) for order in orders]
    except SmemdescError as problem:
        return error(problem.message, fix=problem.hint, fields=("swizzle",))
    # Without the instruction's shape, one that reads all of MN.
    shape = context.shape or (context.tile[0], context.dtype.k)
    pair = strides_of(swizzle, context.major, context._replace(shape=shape))
    sizes = [(stride, size) for stride, size in zip(pair, (lbo, sbo), strict=True) if stride.used]
    wrong: list[list[tuple[Stride, int]]] = [
        [(stride, size) for stride, size in sizes if made.count(stride.along) > 1 and size != made.stride(stride.along)]
        for made in tilings
    ]
    if not all(wrong):
        return None
    stride, size = min(wrong, key=len)[0]
    need = {FIRST[made.order]: made.stride(stride.along) for made in tilings}
    each = " or ".join(
        f"{there} B" + (f" ({order})" if len(set(need.values())) > 1 else "")
        for order, there in (need.items() if len(set(need.values())) > 1 else list(need.items())[:1])
    )
    nick = NICK[stride.key]
    best = tilings[wrong.index(min(wrong, key=len))]
    return error(
        f"{nick} {size} B: in {tile} the stride between {stride.between} is {each}",
        "the stride of another tile" if size > 0 else "an offset that was never set",
        f"write {best.stride(stride.along)} B ({nick} {best.stride(stride.along) // 16:#x} in the field)",
        fields=(stride.key,),
        repair=Repair(stride.key, best.stride(stride.along)),
    )


def _tile_base_offset(context: Context, start: int, base_offset: int, swizzle: str) -> Problem | None:
    assert context.major is not None
    mode = MODE[swizzle]
    phase = base_offset % mode.phases
    # A step begins in the first row of an atom: as far behind the start of the pattern as it is in this row.
    if not phase or not exists(swizzle, context.major) or 0 <= start % mode.period - phase * LINE < mode.width:
        return None
    return error(
        f"base offset {base_offset}: the swizzle pattern starts {phase * LINE} B past a multiple of {mode.period} B, "
        f"and no step of such a tile is at 0x{start:05x}",
        fix="write base offset 0 for data written by TMA",
        repair=Repair("base_offset", 0),
        fields=("base_offset",),
    )


def rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules of a shared-memory descriptor kind."""
    reads = (*_READS, "lbo_mode") if "lbo_mode" in kind.table.by_key else _READS
    doc = "The strides that the operand uses are those of the tile that was given, atoms along MN or along K first."
    base = "A base offset that takes effect is that of a swizzle pattern which has a step of the tile at the start."
    return (
        Rule("tile-strides", reads, SOURCE, doc, _tile_strides),
        Rule("tile-base-offset", (START, "base_offset", "swizzle"), _BASE[kind.name], base, _tile_base_offset),
    )
