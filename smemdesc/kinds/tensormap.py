"""The tensor map (CUtensorMap) of TMA: 1,024 bits whose layout is not documented.

Bit n is bit n of the little-endian number. Every row was measured: the driver made maps with one argument varied
at a time and with random ones, and these rows reproduce every bit
(``tests/silicon/tensormap``). Rows that only ptxas's ``tensormap.replace`` sets, not Hopper's driver, say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from smemdesc.engine.fields import (
    Address,
    CountMinusOne,
    Enum,
    EnumCode,
    Field,
    LowScaled,
    Number,
    Selected,
    Signed,
    Table,
    UnknownBits,
    Upper,
)
from smemdesc.kinds.modes import MODE, SWIZZLES, TMA_NAME, TMA_ONLY, TMA_PREFIX

MAP_BITS = 1024
DIMENSIONS = 5
ADDRESSES = 2**57
"""Global addresses are below this."""
STRIDES = 2**40
"""So are strides, in bytes."""
DRIVER = "CUDA Driver API, cuTensorMapEncodeTiled"
RECORD = "measured on an H100 and an H200, driver 580.159.04 (tests/silicon)"
PTXAS = "ptxas 13.5, tensormap.replace"
NO_EFFECT = "measured on an H200, driver 580.159.04 (tests/silicon)"
"""The source of what bit 85 does on Hopper."""
CUDA_H = "cuda.h of CUDA 13.5, CUtensorMapAllocClass"
BOTH = f"{RECORD}; {PTXAS}"


class DataType(NamedTuple):
    """A type of elements, by its name in ``CUtensorMapDataType``."""

    name: str
    number: int
    """In the driver's enumeration."""
    code: int
    """In bits 71-74."""
    bits: int
    """That one element takes in shared memory."""
    floating: bool = False
    upper: int = 0
    """Bit 80."""
    ptx: str = ""
    """What PTX and people call it, where that is one word."""
    unit: int = 16
    """The alignment of address and strides, in bytes."""
    dims: int = 1
    """Dimension 0 is a multiple of this, in elements."""
    row: int | None = None
    """Elements in a row of the box, if the number is fixed."""
    swizzles: tuple[str, ...] = ()
    """The swizzle modes that it allows, if not all."""
    packed: int = 0
    """Bits of an element in global memory, if a copy pads it."""

    def row_bytes(self, count: int) -> int:
        """Return the bytes of ``count`` contiguous elements in global memory."""
        return -(-count * (self.packed or self.bits) // 8)


DATA_TYPES = (
    DataType("UINT8", 0, 0, 8, ptx="u8"),
    DataType("UINT16", 1, 1, 16, ptx="u16"),
    DataType("UINT32", 2, 2, 32, ptx="u32"),
    DataType("INT32", 3, 3, 32, ptx="s32"),
    DataType("UINT64", 4, 4, 64, ptx="u64"),
    DataType("INT64", 5, 5, 64, ptx="s64"),
    DataType("FLOAT16", 6, 6, 16, True, ptx="f16"),
    DataType("FLOAT32", 7, 7, 32, True, ptx="f32"),
    DataType("FLOAT64", 8, 9, 64, True, ptx="f64"),
    DataType("BFLOAT16", 9, 10, 16, True, ptx="bf16"),
    DataType("FLOAT32_FTZ", 10, 8, 32, True),
    DataType("TFLOAT32", 11, 7, 32, True, 1, "tf32"),
    DataType("TFLOAT32_FTZ", 12, 8, 32, True, 1),
)
PACKED_TYPES = (
    DataType("16U4_ALIGN8B", 13, 11, 4, dims=2),
    DataType("16U4_ALIGN16B", 14, 12, 8, unit=32, dims=128, row=128, swizzles=("none", "128B"), packed=4),
    DataType("16U6_ALIGN16B", 15, 13, 8, unit=32, dims=128, row=128, swizzles=("none", "128B"), packed=6),
)
"""Blackwell: the codes are from ptxas, the limits from the driver's documentation. Hopper's driver rejects them."""
DATA_TYPE = {data_type.name: data_type for data_type in (*DATA_TYPES, *PACKED_TYPES)}
PTX_TYPES = (*sorted(DATA_TYPES, key=lambda data_type: (data_type.upper, data_type.code)), *PACKED_TYPES)
"""The types by their codes in PTX."""
INTERLEAVES = ("none", "16B", "32B")
_SWIZZLES = sorted(
    [*((code, MODE[name].tma.removeprefix(TMA_PREFIX)) for code, name in TMA_NAME.items()), *TMA_ONLY.items()]
)
SWIZZLES_OF_BLACKWELL = tuple(name for code, name in _SWIZZLES if code >= 4)
"""They follow the others in the driver's enumeration; Hopper's driver rejects them."""
PROMOTIONS = ("none", "64B", "128B", "256B")
FILLS = ("zero", "nan")
ALLOCATION_CLASSES = ("small", "large")
LARGE_BYTES = 128 * 1024
"""Bytes from the address of a map of the class ``large`` that must be mapped: the device attribute
``TENSOR_MAP_LARGE_TENSOR_MIN_SIZE`` (160) where the class has an effect."""
PERIOD = {name: MODE[name].period for name in SWIZZLES}
"""Bytes after which the pattern of a swizzle repeats; what bits 576-591 hold."""

CORNER_BITS = {3: 16, 4: 8, 5: 5}
"""im2col: the bits of a coordinate of a corner, by the rank; there is one for each dimension but the first and last."""


def _data_type() -> Selected:
    plain = [EnumCode(data_type.code, data_type.name) for data_type in DATA_TYPES if not data_type.upper]
    packed = [EnumCode(data_type.code, data_type.name, "not on Hopper", source=PTXAS) for data_type in PACKED_TYPES]
    codes = sorted((*plain, *packed))
    upper: dict[int, int | str | None] = dict.fromkeys((code.raw for code in codes), None)
    upper.update((data_type.code, data_type.name) for data_type in DATA_TYPES if data_type.upper)
    return Selected(("data_type_upper",), {1: upper}, *codes, upper="data_type_upper")


def _names(names: tuple[str, ...], *docs: str) -> Enum:
    return Enum(*(EnumCode(raw, name, doc) for raw, (name, doc) in enumerate(zip(names, docs, strict=True))))


_SWIZZLE = Selected(
    ("swizzle_upper",),
    {1: {0: "96B", 1: None, 2: None, 3: None}},
    EnumCode(0, SWIZZLES[0]),
    *(
        EnumCode(code, name, f"{MODE[name].what}; encoded as {code} ({MODE[name].codes('wgmma', 'tcgen05')})")
        for code, name in enumerate(SWIZZLES)
        if code
    ),
    upper="swizzle_upper",
)
_ATOMS = ("16B", "32B", "32B_FLIP_8B", "64B")
REPLACED_CODES = {
    "elemtype": tuple(data_type.name for data_type in PTX_TYPES),
    "interleave_layout": INTERLEAVES,
    "swizzle_mode": (*SWIZZLES, "96B"),
    "swizzle_atomicity": _ATOMS,
    "fill_mode": FILLS,
    "allocation_class": ALLOCATION_CLASSES,
}
"""The codes of the fields of PTX's ``tensormap.replace``; of the allocation class, those of its qualifiers."""
REPLACED_COUNTS = ("box_dim", "global_dim", "global_stride", "element_stride")
"""Its fields that have a value for each dimension; a stride for each but the first."""


def replaced_text(field: str, value: int) -> str:
    """Return a new value of a field of ``tensormap.replace`` as it is shown: ``3 = 128B``."""
    names = REPLACED_CODES.get(field, ())
    if value < len(names):
        return f"{value} = {names[value]}"
    if field == "rank" and value < DIMENSIONS:
        return f"{value} = {value + 1} dimension{'s' if value else ''}"
    if field == "global_address":
        return f"{value:#x}"
    if names or field == "rank":
        return f"{value}: no such code"
    return f"{value} B" if field == "global_stride" else f"{value}"


_DOES_NOT = "Hopper's driver refuses the modes that would set it"
_NEVER_SET = f"0 in all 27,200 maps {RECORD}"
WITHOUT_EFFECT = "no effect in tiled copies on an H200"
BY_CUBLASLT = 1
"""``unknown_65`` of the maps that cuBLASLt makes itself; it keeps their first 64 bytes only."""


def _unknown(hi: int, lo: int, tolerated: Mapping[int, str] | None = None) -> Field:
    return Field(f"unknown_{lo}", hi, lo, UnknownBits(_NEVER_SET, tolerated), "unknown", RECORD)


def _strides() -> list[Field]:
    rows = []
    for i in range(1, DIMENSIONS):
        low, upper = 64 + 32 * i, 220 + 4 * i
        codec = LowScaled(16, "B", bits=36, low=32, upper=f"stride_{i}_upper")
        doc = f"bytes from index to index of dimension {i}"
        rows.append(Field(f"stride_{i}", low + 31, low, codec, doc, BOTH))
        rows.append(Field(f"stride_{i}_upper", upper + 3, upper, Upper(), f"upper bits of stride_{i}", BOTH))
    return rows


def _each(key: str, lo: int, width: int, doc: str, source: str = BOTH) -> list[Field]:
    rows = ((i, lo + width * i) for i in range(DIMENSIONS))
    return [
        Field(f"{key}_{i}", at + width - 1, at, CountMinusOne(), f"{doc} of dimension {i}", source) for i, at in rows
    ]


def _ranks(*ranks: int) -> Enum:
    return Enum(*(EnumCode(rank - 1, rank) for rank in ranks))


TILED = Table(
    "tensormap:tiled",
    MAP_BITS,
    (
        Field("global_address", 63, 0, Address(), "first byte of the tensor in global memory", BOTH),
        Field("mode", 64, 64, Enum(EnumCode(0, "tiled", "copies boxes")), "tiled or im2col", RECORD),
        _unknown(67, 65, {BY_CUBLASLT: f"cuBLASLt makes such maps itself; {WITHOUT_EFFECT}"}),
        Field("rank", 70, 68, _ranks(1, 2, 3, 4, 5), "dimensions, the innermost first", BOTH),
        Field("data_type", 74, 71, _data_type(), "type of an element, CUtensorMapDataType", BOTH),
        Field(
            "interleave",
            76,
            75,
            _names(INTERLEAVES, "no interleave", "channels in slices of 16 bytes", "channels in slices of 32 bytes"),
            "CUtensorMapInterleave",
            BOTH,
        ),
        Field("swizzle", 78, 77, _SWIZZLE, "CUtensorMapSwizzle", BOTH),
        Field(
            "fill", 79, 79, _names(FILLS, "zeros outside the tensor", "NaN outside the tensor"), "out of bounds", BOTH
        ),
        Field(
            "data_type_upper",
            80,
            80,
            Upper(),
            "TF32 in place of FP32",
            BOTH,
            "tensormap.replace of the type leaves it unchanged, except for TF32",
        ),
        Field(
            "l2_promotion",
            82,
            81,
            _names(PROMOTIONS, "no promotion", *(f"L2 fetches {size}" for size in PROMOTIONS[1:])),
            "CUtensorMapL2promotion",
            RECORD,
        ),
        Field(
            "swizzle_atomicity",
            84,
            83,
            _names(_ATOMS, *(f"the swizzle moves units of {atom.replace('_', ' ')}" for atom in _ATOMS)),
            "unit of the swizzle",
            f"{PTXAS}; {_DOES_NOT}",
        ),
        Field(
            "allocation_class",
            85,
            85,
            _names(
                ALLOCATION_CLASSES,
                "copies may touch 4 KiB around the tensor",
                f"{LARGE_BYTES // 1024} KiB from the address must be mapped; no effect on Hopper",
            ),
            "CUtensorMapAllocClass",
            f"{CUDA_H}; {PTXAS} and tensormap.query; no effect on Hopper: {NO_EFFECT}",
        ),
        Field("swizzle_upper", 86, 86, Upper(), "the 96-byte swizzle, on sm_103 and sm_107", f"{PTXAS}; {_DOES_NOT}"),
        _unknown(95, 87),
        *_strides(),
        _unknown(255, 240),
        *_each("dim", 256, 32, "elements"),
        *_each("element_stride", 416, 3, "step, in elements,"),
        _unknown(439, 431),
        *_each("box", 440, 8, "elements in a box"),
        _unknown(511, 480),
        Field("box_bytes", 575, 512, Number(), "bytes of a box; bits 530-575 were always 0", RECORD),
        Field("swizzle_period", 591, 576, Number(), "bytes after which the swizzle repeats", RECORD),
        _unknown(1023, 592),
    ),
)

_IM2COL = "copies columns of pixels; of an image with corners cut off; im2col wide sets the same bits"


def _corners(name: str, lo: int, count: int, width: int, doc: str) -> list[Field]:
    rows = [
        Field(f"{name}_{i}", lo + width * (i + 1) - 1, lo + width * i, Signed(width), f"{doc} {i + 1}", RECORD)
        for i in range(count)
    ]
    end = lo + width * count
    return [*rows, *([_unknown(lo + 15, end)] if end < lo + 16 else [])]


def _im2col(rank: int) -> Table:
    width = CORNER_BITS[rank]
    return TILED.variant(
        f"tensormap:im2col-{rank}d",
        Field("mode", 64, 64, Enum(EnumCode(1, "im2col", _IM2COL)), "tiled or im2col", RECORD),
        Field("rank", 70, 68, _ranks(rank), "dimensions, the innermost first", BOTH),
        Field("channels_per_pixel", 447, 440, CountMinusOne(), "elements of dimension 0 in a copy", RECORD),
        *_corners("lower_corner", 448, rank - 2, width, "begin of the bounding box, dimension"),
        *_corners("upper_corner", 464, rank - 2, width, "its end, from the end of dimension"),
        Field("pixels_per_column", 489, 480, CountMinusOne(), "pixels in a copy", RECORD),
        _unknown(511, 490),
    )


IM2COL = {rank: _im2col(rank) for rank in CORNER_BITS}
MAP_TABLES = {table.name: table for table in (TILED, *IM2COL.values())}


def table_of(bits: int) -> Table:
    """Return the table by which a map is read: chosen by bit 64 and, for im2col, the rank."""
    fields = TILED.read(bits)
    rank = fields["rank"].value
    if fields["mode"].value is not None or not isinstance(rank, int):
        return TILED
    return IM2COL.get(rank, TILED)


def tables_of(bits: int, known: int) -> tuple[Table, ...]:
    """Return the tables that may apply to a map, as far as the bits that select one are known."""
    says = TILED.masks["mode"] | TILED.masks["rank"]
    if known & says == says:
        return (table_of(bits),)
    odd = {
        table: {misfit.field.key for misfit in table.misfits(bits & says, known & says)}
        for table in MAP_TABLES.values()
    }
    return tuple(table for table, keys in odd.items() if not keys & {"mode", "rank"}) or (TILED,)
