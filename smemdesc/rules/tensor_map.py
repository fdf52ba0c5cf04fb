"""Rules for tensor maps: what the driver rejects, as far as the bits show it, and what was changed afterwards.

The driver rejected 14,816 of the 42,016 recorded maps; these rules and the ranges of the fields reject the same ones
and no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import either, join_and, many
from smemdesc.kinds.archs import (
    CAPABILITIES,
    MOST_SHARED,
    RESERVED,
    SHARED_SOURCE,
    among,
    enumerated,
    shared_memory,
    without,
)
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, SWIZZLES
from smemdesc.kinds.tensormap import (
    ADDRESSES,
    BY_CUBLASLT,
    CUDA_H,
    DATA_TYPE,
    DIMENSIONS,
    DRIVER,
    LARGE_BYTES,
    NO_EFFECT,
    PACKED_TYPES,
    PERIOD,
    PTXAS,
    RECORD,
    WITHOUT_EFFECT,
)
from smemdesc.layout.strides import UNIT
from smemdesc.rules.asks import ARCH, MAPPED
from smemdesc.rules.base import Problem, Repair, Rule, error, explained, note, rule, warning
from smemdesc.rules.rows import bits_of_row, decode_map

HELD = f"{DRIVER}; {RECORD}"
MOST_BYTES = 228 * 1024
"""Of a box: what the driver accepts."""
_INT = 2**31
_STRIDES = tuple(f"stride_{i}" for i in range(1, DIMENSIONS))
_DIMS = tuple(f"dim_{i}" for i in range(DIMENSIONS))
_BOX = tuple(f"box_{i}" for i in range(DIMENSIONS))
_STEPS = tuple(f"element_stride_{i}" for i in range(DIMENSIONS))


def _unit(name: str, interleave: str) -> tuple[int, str]:
    """Return the alignment of address and strides in bytes, and the reason if it is more than 16."""
    if interleave == "32B":
        return 32, " with interleave 32B"
    unit = DATA_TYPE[name].unit
    return unit, f" with {name}" if unit > UNIT else ""


@explained(
    "A copy moves whole units of 16 bytes. A tensor that begins inside such a unit, as a slice of a larger one may, "
    "has no map.",
    decode_map(
        "08705634127f0000106500000002", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
    ),
    "global_address=0x7f1234567000",
)
@rule("global_address", "data_type", "interleave", source=HELD)
def global_address(_: Context, address: int, name: str, interleave: str) -> Iterator[Problem]:
    """The address is a multiple of 16 bytes, with interleave 32B or a packed type for 16 bytes of 32, and has at most
    57 bits."""
    unit, why = _unit(name, interleave)
    if address % unit:
        yield error(
            f"the address 0x{address:x} is not a multiple of {unit} bytes{why}",
            "a pointer into the middle of a tensor",
            f"begin at 0x{address - address % unit:x} or 0x{address - address % unit + unit:x}",
            fields=("global_address",),
        )
    if address >= ADDRESSES:
        message = f"the address 0x{address:x} has more than 57 bits"
        yield error(message, "not a pointer, or words in the wrong order", fields=("global_address",))


@explained(
    "Interleave 32B reads units of 32 bytes in global memory, so lines begin at multiples of 32.",
    decode_map(
        "00705634127f00002035000041000000401",
        "3f0000003f0000000700000000000000000000000000000f0703",
        "00040000000000000001",
    ),
    "stride_1=1024",
)
@rule("rank", "data_type", "interleave", *_STRIDES, source=HELD)
def global_stride(_: Context, rank: int, name: str, interleave: str, *strides: int) -> Iterator[Problem]:
    """With interleave 32B or a packed type for 16 bytes the strides are multiples of 32 bytes."""
    unit, why = _unit(name, interleave)
    for i, stride in enumerate(strides[: rank - 1], 1):
        if stride % unit:
            message = f"stride_{i} is {stride} B,{why} not a multiple of {unit} B"
            because = "interleave" if interleave == "32B" else "data_type"
            yield error(message, fix=f"pad to {stride + unit - stride % unit} B", fields=(f"stride_{i}", because))


@explained(
    "The strides of a tensor map are in bytes; frameworks give them in elements. The driver takes one that is smaller "
    "than a row, since rows that overlap are the sliding windows of a signal.",
    decode_map(
        "00705634127f0000106500000001", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
    ),
)
@rule("rank", "data_type", "interleave", *_DIMS, *_STRIDES, source=f"{DRIVER}: globalStrides is in bytes")
def stride_below_row(_: Context, rank: int, name: str, interleave: str, *numbers: int) -> Iterator[Problem]:
    """A stride is 0 or at least a row, so that rows do not overlap."""
    dims, strides = numbers[:rank], numbers[DIMENSIONS : DIMENSIONS + rank - 1]
    data_type = DATA_TYPE[name]
    row = data_type.row_bytes(dims[0])
    if interleave != "none":  # there a row is not contiguous
        return
    for i, (dim, stride) in enumerate(zip(dims[1:], strides, strict=True), 1):
        if dim == 1 or not 0 < stride < row:
            continue
        key = f"stride_{i}"
        message = f"stride_{i} is {stride} B, but a row has {dims[0]} {name} = {row} B: rows overlap"
        right = data_type.row_bytes(stride)
        if right >= row:
            likely = f"a stride of {stride} elements; strides are in bytes"
            others = "; the other strides, too, if they are in elements" if rank > 2 else ""
            fix = f"write {key} {right}{others}"
            yield warning(message, likely, fix, fields=(key, "dim_0"), repair=Repair(key, right))
        else:
            yield note(f"{message}, as sliding windows do", fields=(key, "dim_0"))


def tensor_bytes(name: str, rank: int, interleave: str, dims: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """Return the bytes from the address of a tensor to the end of its last element; with interleave at least those."""
    row = DATA_TYPE[name].row_bytes(dims[0]) if interleave == "none" else int(interleave.removesuffix("B"))
    return row + sum((dim - 1) * stride for dim, stride in zip(dims[1:rank], strides, strict=False))


@explained(
    "A large map lets TMA compute addresses up to 128 KiB from the start of the tensor. A Blackwell driver chooses "
    "the class by the geometry and does not look at the allocation.",
    decode_map(
        "00705634127f00001065200008", "3f0000000f0000000000000000000000000000000000003f0f", "00080000000000000004"
    ),
    "allocation_class=small",
)
@rule(
    "allocation_class",
    "data_type",
    "rank",
    "interleave",
    *_DIMS,
    *_STRIDES,
    source=f"{CUDA_H}; FlashInfer #3427",
    asks=(MAPPED, ARCH),
)
def allocation_class(
    context: Context, name: str, data_type: str, rank: int, interleave: str, *numbers: int
) -> Problem | None:
    """Of a map of class large, 128 KiB starting at its address are mapped."""
    if name == "small":
        return None
    if context.arch is not None and among(context.arch, CAPABILITIES["wgmma"].chips):
        return note("the class large has no effect on Hopper", fields=("allocation_class",), source=NO_EFFECT)
    repair = Repair("allocation_class", "small")
    size = tensor_bytes(data_type, rank, interleave, numbers[:DIMENSIONS], numbers[DIMENSIONS:])
    least = f"{LARGE_BYTES} B (128 KiB) starting at its address must be mapped"
    if context.backing is not None:
        if context.backing >= LARGE_BYTES:
            return None
        message = f"the class is large, but {context.backing} B are mapped: {least}"
        faults = "on Blackwell copies fault sporadically; on Hopper the class has no effect"
        return error(message, faults, fields=("allocation_class",), repair=repair)
    if size >= LARGE_BYTES:
        return None
    return warning(
        f"the class is large, but the tensor spans {size} B: {least}",
        "on Blackwell copies fault sporadically where less is mapped: a tensor near the end of its allocation; on "
        "Hopper the class has no effect",
        fields=("allocation_class",),
        repair=repair,
        next="give --backing BYTES: how much is mapped, starting at the address",
    )


def _row_bytes(key: str) -> Rule:
    @explained(
        "A copy moves whole units of 16 bytes in shared memory, too.",
        decode_map(
            "00705634127f0000106500000002", "ff0f0000ff0700000000000000000000000000000000003b7f", "003c0000000000000004"
        ),
    )
    @rule("data_type", key, source=HELD, name="box-row")
    def box_row(_: Context, name: str, count: int) -> Problem | None:
        """A row of the box is a multiple of 16 bytes."""
        size = count * DATA_TYPE[name].bits // 8
        if size % UNIT == 0:
            return None
        step = max(1, UNIT * 8 // DATA_TYPE[name].bits)
        least = -(-count // step) * step
        message = f"a row of the box has {count} {name} = {size} B, not a multiple of {UNIT} B"
        return error(message, fix=f"use a multiple of {step} elements", fields=(key,), repair=Repair(key, least))

    return box_row


def _line(swizzle: str) -> int:
    return MODE[swizzle].width if swizzle in MODE else int(swizzle.removesuffix("B"))


def _row_swizzle(key: str) -> Rule:
    @explained(
        "The swizzle permutes units within one line of its atom. A wider box does not fit: copy several boxes.",
        decode_map(
            "00705634127f0000106500000002", "ff0f0000ff0700000000000000000000000000000000007f7f", "00800000000000000004"
        ),
        "box_0=64",
    )
    @rule("data_type", "interleave", "swizzle", key, source=HELD, name="box-row-swizzle")
    def box_row_swizzle(_: Context, name: str, interleave: str, swizzle: str, count: int) -> Problem | None:
        """Without interleave a row of the box is at most as wide as the swizzle: 32, 64 or 128 bytes."""
        size = count * DATA_TYPE[name].bits // 8
        if interleave != "none" or swizzle == "none" or size <= (line := _line(swizzle)):
            return None
        most = line * 8 // DATA_TYPE[name].bits
        wide = next((mode for mode in SWIZZLES if mode != "none" and _line(mode) >= size), None)
        alternative = f", or swizzle {wide}" if wide else ""
        return error(
            f"a row of the box has {count} {name} = {size} B, but the {swizzle} swizzle takes at most {line} B",
            fix=f"use at most {most} elements and more copies{alternative}",
            fields=(key, "swizzle"),
        )

    return box_row_swizzle


@explained(
    "Interleave splits channels into slices, which need a dimension of their own.",
    decode_map(
        "00705634127f0000106d00000002", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
    ),
)
@rule("rank", "interleave", source=HELD)
def interleave_rank(_: Context, rank: int, interleave: str) -> Problem | None:
    """Interleave needs at least three dimensions."""
    if interleave == "none" or rank >= 3:
        return None
    message = f"interleave {interleave} with {many(rank, 'dimension')}: it needs 3 or more"
    return error(message, fix="use interleave none", repair=Repair("interleave", "none"))


@explained(
    "Elements outside the tensor are filled with NaN, which integers do not have.",
    decode_map(
        "00705634127f000090e000000002", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
    ),
)
@rule("data_type", "fill", source=HELD)
def nan_fill(_: Context, name: str, fill: str) -> Problem | None:
    """NaN outside the tensor is for floating-point types."""
    if fill == "zero" or DATA_TYPE[name].floating:
        return None
    return error(f"fill is NaN, which {name} does not have", fix="use fill zero", repair=Repair("fill", "zero"))


def _packed_type(row: str) -> Rule:
    @explained(
        "A copy of a packed type fills slots of 16 bytes, 16 values in each, and takes 128 values of a row at a time.",
        decode_map(
            "00007056347f0000106600008", "ff0f0000ff0700000000000000000000000000000000003f3f", "00100000000000000004"
        ),
    )
    @rule("data_type", "interleave", "swizzle", "dim_0", row, source=DRIVER)
    def packed_type(_: Context, name: str, interleave: str, swizzle: str, dim: int, count: int) -> Iterator[Problem]:
        """Dimension 0, the row of the box and the swizzle of a packed type are as documented."""
        data_type = DATA_TYPE[name]
        if data_type not in PACKED_TYPES:
            return
        if dim % data_type.dims:
            fix = f"use a multiple of {data_type.dims}: elements are single values"
            yield error(f"dimension 0 has {dim} {name}, not a multiple of {data_type.dims}", fix=fix, fields=("dim_0",))
        if data_type.row not in (None, count):
            message = f"a row of the box has {count} {name}, not {data_type.row}"
            yield error(message, fields=(row,), repair=Repair(row, data_type.row or count))
        if data_type.swizzles and swizzle not in data_type.swizzles:
            yield error(f"{name} with swizzle {swizzle}", fix=f"use {either(data_type.swizzles)}", fields=("swizzle",))
        if name == "16U6_ALIGN16B" and interleave != "none":
            repair = Repair("interleave", "none")
            yield error(f"{name} with interleave {interleave}", fields=("interleave",), repair=repair)

    return packed_type


@explained(
    "The documented limits of a packed type are checked; what a driver writes for it was not measured.",
    decode_map(
        "00007056347f0000906500008", "ff0f0000ff0700000000000000000000000000000000007f3f", "00100000000000000004"
    ),
)
@rule("data_type", source=DRIVER)
def unmeasured_type(_: Context, name: str) -> Problem | None:
    """A packed type is documented, but not measured."""
    if DATA_TYPE[name] not in PACKED_TYPES:
        return None
    return note(f"{name} is documented, not measured: Hopper's driver rejects it, no Blackwell driver was measured")


@rule("data_type", "swizzle_upper", "swizzle_atomicity", source=PTXAS, name="needs-arch", asks=(ARCH,))
def newer_chip(context: Context, name: str, upper: int, atom: str) -> Iterator[Problem]:
    """Packed types and the units of the swizzle exist from sm_100 on, the 96-byte swizzle on sm_103 and sm_107."""
    arch = context.arch
    for used, capability, field, value in (
        (DATA_TYPE[name] in PACKED_TYPES, "map-atomicity", "data_type", name),
        (atom != "16B", "map-atomicity", "swizzle_atomicity", atom),
        (upper, "map-96b", "swizzle", "96B"),
    ):
        chips = CAPABILITIES[capability].chips
        if not used or arch is None or among(arch, chips) is not False:
            continue
        only = f"{field} = {value} exists only on {enumerated(chips)}"
        if others := without(arch, chips):
            yield warning(f"{only}; {arch} code also runs on {', '.join(others)}", fields=(field,))
        else:
            yield error(f"{only}, not on {arch}", fields=(field,))


def _too_large(size: int, arch: str | None) -> Problem | None:
    if size > MOST_BYTES:
        return error(f"a box of {size} B: the driver accepts at most {MOST_BYTES} B", fix="use a smaller box")
    least = (shared_memory(arch) or MOST_SHARED) - RESERVED
    if least + RESERVED < MOST_BYTES and size > least:
        message = f"a box of {size} B: a CTA on {arch} has {least} B of shared memory"
        return error(message, fix="use a smaller box", source=SHARED_SOURCE)
    return None


@explained(
    "A box has to fit shared memory: 228 KiB, of which a CTA on sm_120 and sm_121 has 99.",
    decode_map(
        "00705634127f0000900300000008", "ff0f0000ff070000000000000000000000000000000000ffff", "00000200000000001"
    ),
    "box_1=128",
)
@rule("data_type", *_BOX, *_STEPS, source=HELD, asks=(ARCH,))
def box_size(context: Context, name: str, *sizes: int) -> Problem | None:
    """A box has at most 228 KiB, and fits the shared memory of the architecture."""
    return _too_large(tiled_bytes(name, sizes[:DIMENSIONS], sizes[DIMENSIONS:]), context.arch)


@rule("data_type", "channels_per_pixel", "pixels_per_column", source=HELD, name="box-size", asks=(ARCH,))
def column_size(context: Context, name: str, channels: int, pixels: int) -> Problem | None:
    """A copy has at most 228 KiB, and fits the shared memory of the architecture."""
    return _too_large(im2col_bytes(name, channels, pixels), context.arch)


def tiled_bytes(data_type: str, box: tuple[int, ...], steps: tuple[int, ...]) -> int:
    """Return the size of a box as the driver writes it."""
    return prod(size // step for size, step in zip(box, steps, strict=True)) * DATA_TYPE[data_type].bits // 8


def im2col_bytes(data_type: str, channels: int, pixels: int) -> int:
    """Return the size of a copy as the driver writes it."""
    return channels * pixels * DATA_TYPE[data_type].bits // 8


def _bounding_box(count: int) -> Rule:
    lower = tuple(f"lower_corner_{i}" for i in range(count))
    upper = tuple(f"upper_corner_{i}" for i in range(count))

    @explained(
        "The corners cut off the border of an image, in pixels. They cannot cut off more than the image has.",
        decode_map(
            "00705634127f0000316300000800000000040000000002",
            "3f0000007f0000007f00000007000000000000000000003f64ff9c013f",
            "00200000000000000004",
        ),
        "lower_corner_0=0 upper_corner_0=0",
    )
    @rule("interleave", *_DIMS, *lower, *upper, source=RECORD)
    def bounding_box(_: Context, interleave: str, *numbers: int) -> Iterator[Problem]:
        """The bounding box between the corners has at least one pixel, in every dimension, and at most 2^31."""
        first = 0 if interleave != "none" else 1  # as measured: with interleave it begins at dimension 0
        for i in range(count):
            begin, end = numbers[DIMENSIONS + i], numbers[DIMENSIONS + count + i]
            size = numbers[first + i] - 1 + end - begin
            fields = f"dim_{first + i}", lower[i], upper[i]
            if size < 0:
                corners = f"from lower corner {begin} to upper corner {end}"
                message = f"dimension {first + i}: nothing is left of {numbers[first + i]} {corners}"
                yield error(message, "the corners are swapped, or belong to another dimension", fields=fields)
            elif _INT <= size < 2 * _INT:  # the driver counts in 32 bits, with a sign
                yield error(f"dimension {first + i}: the bounding box has more than 2^31 pixels", fields=fields)

    return bounding_box


@rule("data_type", "swizzle", source=f"{RECORD}; {PTXAS}", name="undefined-code", partial=True)
def undefined_with_upper(_: Context, kind: Kind, *readings: FieldReading) -> Iterator[Problem]:
    """The codes of type and swizzle are defined together with their upper bits."""
    for reading in readings:
        (upper,) = reading.field.codec.depends
        if reading.settled and reading.value is None and not reading.contradicts:
            row = kind.table.by_key[upper]
            message = f"{reading.field.key} has no code {reading.bits} if {bits_of_row(row)} is set"
            yield error(
                message, fix=f"clear {bits_of_row(row)}", fields=(reading.field.key, upper), repair=Repair(upper, 0)
            )


@explained(
    "Only a driver of Blackwell makes such maps, and none was measured: the bits are known from ptxas.",
    decode_map(
        "00007056347f0000106508000002", "ff0f0000ff0700000000000000000000000000000000003f7f", "00400000000000000004"
    ),
    "swizzle_atomicity=16B",
)
@rule("swizzle_upper", "swizzle_atomicity", source=PTXAS)
def unmeasured_swizzle(_: Context, upper: int, atom: str) -> Iterator[Problem]:
    """The swizzle modes of Blackwell set bits that no measured map has."""
    if atom != "16B":
        message = f"bits 83-84 are set, units of {atom}: {_UNSEEN}"
        yield warning(message, "a map of Blackwell", fields=("swizzle_atomicity",))
    if upper:
        yield warning(f"bit 86 is set, the 96-byte swizzle: {_UNSEEN}", "a map of Blackwell", fields=("swizzle_upper",))


_UNSEEN = "no measured driver writes this; the meaning is from ptxas"


@explained(
    "The driver writes 0 for the dimensions that a map does not have. Tiled copies on an H200 did not depend on them, "
    "and maps that cuBLASLt makes itself have bits there.",
    decode_map(
        "00007056347f0000106500000002", "ff0f0000ff0700000900000000000000000000000000003f7f", "00400000000000000004"
    ),
    "dim_2=1",
)
@rule("unknown_65", "rank", *_STRIDES, *_DIMS, *_STEPS, source=RECORD)
def beyond_rank(_: Context, unknown: int, rank: int, *numbers: int) -> Problem | None:
    """The fields of dimensions beyond the rank are 0 in every map of the driver."""
    strides, dims, steps = numbers[: DIMENSIONS - 1], numbers[DIMENSIONS - 1 : -DIMENSIONS], numbers[-DIMENSIONS:]
    set_ = [key for key, value in zip(_STRIDES[rank - 1 :], strides[rank - 1 :], strict=True) if value]
    set_ += [key for key, value in zip(_DIMS[rank:], dims[rank:], strict=True) if value > 1]
    set_ += [key for key, value in zip(_STEPS[rank:], steps[rank:], strict=True) if value > 1]
    if not set_:
        return None
    message = f"{join_and(set_)} {'is' if len(set_) == 1 else 'are'} set, but the map has {many(rank, 'dimension')}"
    if unknown == BY_CUBLASLT:
        return note(f"{message}; {WITHOUT_EFFECT}", fields=tuple(set_))
    return warning(message, "rank was changed in memory, or this is not a tensor map", fields=tuple(set_))


def _written(kind: Kind) -> Rule:
    tiled = "box_0" in kind.table.by_key
    reads = (*_BOX, *_STEPS) if tiled else ("channels_per_pixel", "pixels_per_column")

    @explained(
        "tensormap.replace changes a map in memory; the size of the box that the driver stored stays. Nothing is "
        "known to read it.",
        decode_map(
            "00705634127f0000106500000002", "ff0f0000ff0700000000000000000000000000000000001f7f", "00400000000000000004"
        ),
    )
    @rule("box_bytes", "swizzle_period", "swizzle", "data_type", *reads, source=RECORD)
    def changed_map(_: Context, size: int, period: int, swizzle: str, name: str, *sizes: int) -> Iterator[Problem]:
        """The driver also writes the size of the box and the period of the swizzle."""
        count = len(sizes) // 2
        ours = tiled_bytes(name, sizes[:count], sizes[count:]) if tiled else im2col_bytes(name, *sizes)
        for key, stands, should in (("box_bytes", size, ours), ("swizzle_period", period, PERIOD.get(swizzle, period))):
            if stands == should:
                continue
            message = f"{key} is {stands}, but the driver writes {should} for this map"
            if stands > MOST_BYTES if key == "box_bytes" else stands not in PERIOD.values():
                yield warning(f"{message}; no measured map has such bits", fields=(key,))
            else:
                yield note(f"{message}; tensormap.replace leaves it unchanged", fields=(key,))

    return changed_map


def tensor_map_rules(kind: Kind) -> tuple[Rule, ...]:
    """Return the rules for a table of the kind."""
    tiled = "box_0" in kind.table.by_key
    row = "box_0" if tiled else "channels_per_pixel"
    corners = sum(key.startswith("lower_corner") for key in kind.table.by_key)
    return (
        global_address,
        global_stride,
        stride_below_row,
        _row_bytes(row),
        _row_swizzle(row),
        interleave_rank,
        nan_fill,
        _packed_type(row),
        unmeasured_type,
        undefined_with_upper,
        unmeasured_swizzle,
        newer_chip,
        beyond_rank,
        allocation_class,
        box_size if tiled else column_size,
        *(() if tiled else (_bounding_box(corners),)),
        _written(kind),
    )
