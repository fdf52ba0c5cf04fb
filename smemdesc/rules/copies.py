"""Rules that compare what the copies of a tensor map write to shared memory with what a descriptor reads there."""

from __future__ import annotations

from collections.abc import Sequence

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.addresses import START
from smemdesc.kinds.modes import MODE, TMA_CODE, SwizzleMode
from smemdesc.kinds.tensormap import DATA_TYPE
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import LINE
from smemdesc.layout.strides import LBO, NICK, SBO, Stride
from smemdesc.rules.base import ERROR, NOTE, Problem, Repair, case_rule, error, explained, note, warning

MAP_SOURCE = "CUDA Driver API, cuTensorMapEncodeTiled; the result of copies in shared memory, measured on an H100"
_MMA = "smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 --idesc 0x08200490 --mma-kind f16"
READ_AS = {"f16": "FLOAT16", "bf16": "BFLOAT16", "tf32": "FLOAT32 FLOAT32_FTZ TFLOAT32 TFLOAT32_FTZ"}
"""The floating-point types of a map for each type of operand."""


@explained(
    "The type of the map gives the size of an element, and with it the bytes of a box. Operand types of 8 bits have "
    "no name in the map; they are copied as UINT8.",
    f"{_MMA} --a-map box=64x128,swizzle=128B,dtype=f16",
    "--a-map box=64x128,swizzle=128B,dtype=bf16",
)
@case_rule(MAP_SOURCE)
def map_type(dtype: DType, data_type: str, own: str) -> Problem | None:
    """The type of a tensor map is that of the operand. A warning if only the format differs, a note if the map copies
    integers of another size, which can be any bits."""
    # ``own``: the type in which maps copy this one.
    written = DATA_TYPE[data_type]
    packed = data_type.startswith("16U")
    if data_type in READ_AS.get(dtype.name, "").split():
        return None
    if packed and dtype.storage == written.bits and (dtype.storage == 4 or own == data_type):
        return None
    message = f"the map copies {data_type} ({written.bits} bits), the MMA reads {dtype.name} ({dtype.storage} bits)"
    if not packed and not written.floating:
        same = written.bits == dtype.storage
        return None if same else note(f"{message}: the box counts elements of the map")
    right = "16U4_ALIGN8B" if dtype.storage == 4 else own
    fix = f"make the map with CU_TENSOR_MAP_DATA_TYPE_{right}"
    return (warning if written.bits == dtype.storage and not packed else error)(message, fix=fix)


@explained(
    "The map, wgmma and tcgen05 number the swizzle modes differently: 128B is code 3 in the map, 1 in wgmma and 2 in "
    "tcgen05. If the modes differ, the MMA reads the 16-byte units of the tile in the wrong places.",
    f"{_MMA} --a-map box=64x128,swizzle=64B,dtype=bf16",
    "--a-map box=64x128,swizzle=128B,dtype=bf16",
)
@case_rule(MAP_SOURCE)
def map_swizzle(kind: str, reading: FieldReading, swizzle: str) -> Problem | None:
    """A descriptor has the same swizzle mode as the tensor map that writes its tile; their codes differ. Checked by
    decode --map, mma --a-map and --b-map, as are all rules map-*."""
    reads = reading.value
    if reads == swizzle:
        return None
    if reading.raw is None:
        raise SmemdescError("the swizzle mode of the descriptor is unknown", hint="give both words as HI:LO")
    code, mode = TMA_CODE.get(swizzle), MODE.get(swizzle)
    reads_as = f"swizzle {reads} (code {reading.raw} of {kind})" if reads else f"code {reading.raw}, none of {kind}"
    own_code = "" if code is None else f" (code {code} of the map)"
    message = f"the map writes swizzle {swizzle}{own_code}, the descriptor reads {reads_as}"
    if mode is None:
        return error(message, fix="no descriptor has this mode: make the map with another", fields=("swizzle",))
    likely = ""
    codes = {"the map": mode.tma_code, "wgmma": mode.wgmma, "tcgen05": mode.tcgen05}
    same = next((name for name, own in codes.items() if own == reading.raw and name != kind), None)
    if isinstance(reads, str) and code == reading.raw:
        likely = (
            f"the same number in both: code {code} is {mode.name} in the map and {reads} in {kind}; "
            f"{reads} is {MODE[reads].tma_code} in the map, {MODE[reads].code(kind)} in {kind}"
        )
    elif same is not None and codes[kind] is not None:
        likely = f"code {reading.raw} is {mode.name} in {same}, which in {kind} is code {codes[kind]}"
    elif isinstance(reads, str) and code and kind == "tcgen05" and code == MODE[reads].wgmma:
        likely = f"code {code} is {reads} in wgmma, which in the map is code {MODE[reads].tma_code}"
    make = f"make the map with {MODE[str(reads)].tma}, or " if reads else ""
    repair = Repair("swizzle", mode.name) if mode.code(kind) is not None else None
    fix = f"{make}write swizzle {mode.name} into the descriptor"
    return error(message, likely, fix, fields=("swizzle",), repair=repair)


@explained(
    "Interleave is for tensors whose channels are in slices of 16 or 32 bytes (NC/8HWC8). The descriptor layout that "
    "CUTLASS calls INTERLEAVE has no swizzle, and its map has interleave none.",
    f"{_MMA} --a-map box=64x128,swizzle=128B,interleave=16B,dtype=bf16",
    "--a-map box=64x128,swizzle=128B,dtype=bf16",
)
@case_rule(MAP_SOURCE)
def map_interleave(interleave: str) -> Problem:
    """The tensor map has no interleave: what it writes with one is unknown."""
    message = f"interleave {interleave}: what such a map writes is unknown and is not compared"
    likely = "the layout without swizzle (INTERLEAVE in CUTLASS) needs a map with interleave none and lines of 16 B"
    return warning(message, likely, "use interleave none")


@explained(
    "With a swizzle the distance of the lines that TMA writes is the width of the swizzle, so narrower lines of a box "
    "leave gaps. Without swizzle a descriptor reads lines of 16 bytes.",
    "smemdesc mma --a 0x4000404000010044 --b 0x4000404000010444 --idesc 0x08200490 --mma-kind f16 --a-map "
    "box=32x128,swizzle=128B,dtype=bf16",
    "--a-map box=64x128,swizzle=128B,dtype=bf16",
)
@case_rule(MAP_SOURCE, ERROR, NOTE)
def map_line(mode: SwizzleMode, pitch: int, box: Sequence[int], data_type: str) -> Problem | None:
    """A line of the box is as wide as the swizzle (16 bytes without one), or contains all that the operand reads of it.
    A note if it is narrower but the operand is still written."""
    if pitch == mode.width:
        return None
    line = f"a line of the box is {pitch} B ({box[0]} {data_type})"
    without = "without swizzle" if mode.name == "none" else f"with swizzle {mode.name}"
    extents = "x".join(map(str, (mode.width * 8 // DATA_TYPE[data_type].bits, *box[1:])))
    other = ", or use 128B swizzle in the map and the descriptor" if mode.name == "none" else ""
    return error(
        f"{line}; {without} the descriptor reads lines of {mode.width} B",
        fix=f"copy boxes of {extents}{other}",
        fields=("swizzle",),
    )


@explained(
    "Copies fill a tile if it is a whole number of boxes, with the contiguous dimension first in the box.",
    f"{_MMA} --a-map box=64x96,swizzle=128B,dtype=bf16 --a-tile 128x64",
    "--a-map box=64x128,swizzle=128B,dtype=bf16",
)
@case_rule(MAP_SOURCE)
def map_tile(tile: tuple[int, int], major: str, box: Sequence[int]) -> Problem:
    """The tile is a whole number of boxes (decode --map --tile)."""
    extents = "x".join(map(str, box))
    message = f"a tile of {tile[0]}x{tile[1]} ({major}-major) is not a whole number of boxes of {extents}"
    return error(message, fix="give the tile that the copies fill")


@explained(
    "Dimension 0 of the map is contiguous: K of a K-major operand, else M or N. LBO and SBO change their roles with "
    "it.",
    "smemdesc mma --a 0x0000404000080040 --b 0x4000404000010440 --idesc 0x08200490 --mma-kind f16 --a-map "
    "box=8x64,swizzle=none,dtype=bf16",
    "--idesc 0x08208490",
)
@case_rule(MAP_SOURCE)
def map_major(major: str, of_copies: str, is_set: bool) -> Problem:
    """The strides are for copies with the major-ness of the operand."""
    # ``is_set``: whether every stride that the operand steps over is written.
    return error(
        f"the strides are for {of_copies}-major copies of the map, but the operand is {major}-major",
        "the major-ness of the instruction is wrong" + (", or LBO and SBO are exchanged" if is_set else ""),
        f"make the operand {of_copies}-major",
        fields=(LBO, SBO),
    )


@explained(
    "Copies start at multiples of 128 bytes and swizzle absolute addresses, so the base offset of their data is 0. An "
    "operand starts so that all that it reads of a line is in one line of the box.",
    "smemdesc mma --a 0x4008404000010040 --b 0x4000404000010440 --idesc 0x08200490 --mma-kind f16 --a-map "
    "box=64x128,swizzle=128B,dtype=bf16",
    "--a 0x4000404000010040",
)
@case_rule(MAP_SOURCE)
def map_start(start: int, width: int, box_bytes: int, outside: bool) -> Problem:
    """An operand starts where copies of the box contain all of it, and its base offset is 0."""
    if outside:
        return error(
            f"the operand begins at byte {start}, and copies of {box_bytes} B that fill it do not lie in shared memory",
            fix="move the operand, or copy smaller boxes",
            fields=(START,),
        )
    inside = start % width
    where = f"{inside} B into a line" if inside else f"at line {start % LINE // width}"
    return error(
        f"the operand begins {where} of a box, and what it reads from there is not contiguous",
        fix="start at the start of a line of the box, and end in the same line",
        fields=(START,),
    )


@explained(
    "The lines of a box follow each other, so 8 rows of a 128-byte swizzle take 1,024 bytes: SBO of a K-major "
    "operand. The next box begins after the last: LBO of an MN-major one.",
    "smemdesc mma --a 0x4000402000010040 --b 0x4000404000010440 --idesc 0x08200490 --mma-kind f16 --a-map "
    "box=64x128,swizzle=128B,dtype=bf16",
    "--a 0x4000404000010040",
)
@case_rule(MAP_SOURCE)
def map_strides(stride: Stride, size: int, need: int, box_bytes: int, tiled: bool) -> Problem:
    """LBO and SBO, if they are used, are those that copies of the box need."""
    message = f"{NICK[stride.key]} is {size} B"
    if need < box_bytes:
        message += f", but the box has {stride.step} in {need} B"
    elif tiled:
        message += f", but in this tile the next box along {stride.along} begins {need} B further"
    else:
        message += f", but the next box along {stride.along} begins {need} B further, after this one, or later"
    repair = Repair(stride.key, need)
    return error(message, fix=str(repair), fields=(stride.key,), repair=repair)


RULES = (map_swizzle, map_type, map_line, map_strides, map_start, map_major, map_tile, map_interleave)
