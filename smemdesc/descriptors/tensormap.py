"""A tensor map from the arguments of ``cuTensorMapEncodeTiled`` and ``cuTensorMapEncodeIm2col``, without a driver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from smemdesc.descriptors.encoding import Encoded, build
from smemdesc.engine.errors import FieldError, SmemdescError, option
from smemdesc.engine.fields import FieldReading
from smemdesc.engine.wording import many
from smemdesc.kinds import aliases
from smemdesc.kinds.context import Context
from smemdesc.kinds.formats import format_of
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.modes import MODE, SWIZZLES
from smemdesc.kinds.names import PACKED_FP4
from smemdesc.kinds.tensormap import (
    CORNER_BITS,
    CUDA_H,
    DATA_TYPE,
    DATA_TYPES,
    DIMENSIONS,
    LARGE_BYTES,
    PERIOD,
    DataType,
)
from smemdesc.rules import tensor_map
from smemdesc.rules.base import note
from smemdesc.rules.tensor_map import im2col_bytes, tensor_bytes, tiled_bytes

if TYPE_CHECKING:
    from smemdesc.descriptors.constant import Constant

_PTX = {data_type.ptx: data_type for data_type in DATA_TYPES if data_type.ptx}


def data_type(name: str) -> DataType:
    """Return a type by the name that the driver, PTX or people give it."""
    short = name.strip().upper().removeprefix("CU_TENSOR_MAP_DATA_TYPE_")
    scaled = format_of(name)
    if scaled is not None and scaled.mma_kind in PACKED_FP4:
        return DATA_TYPE["16U4_ALIGN8B"]
    entry = DATA_TYPE.get(short) or _PTX.get(aliases.dtype_alias(name))
    if entry is None and aliases.dtype_alias(name) in _BYTES:
        entry = DATA_TYPE["UINT8"]
    if entry is None:
        names = ", ".join(data_type.name for data_type in DATA_TYPES)
        raise FieldError("dtype", f"dtype: there is no type {name!r} in a tensor map", hint=f"it is one of {names}")
    return entry


_BYTES = ("s8", "e4m3", "e5m2")
"""Types copied as UINT8: the driver has no name for them."""


def encode_map(
    *arguments: Any,
    allocation_class: str | None = None,
    backing: int | None = None,
    arch: str | None = None,
    force: bool = False,
    **more: Any,
) -> Encoded:
    """Return the tensor map that the driver makes from the arguments of :func:`map_fields`, bit for bit, as recorded on
    Hopper; for a packed type as documented, with a note that it is not measured.

    ``allocation_class`` is ``small`` (the default), ``large`` or ``auto``; ``backing`` how many bytes are mapped,
    starting at the address; ``arch`` the architecture that copies by the map. What the driver rejects is a
    :class:`smemdesc.engine.errors.FieldError` or an :class:`smemdesc.engine.errors.IllegalError` that says why.
    """
    kind, fields = map_fields(*arguments, **more)
    kind.table.encode(fields)  # rejects what does not fit its field, before it is used
    _check_class(allocation_class, backing, fields, force)
    effective = "large" if allocation_class == "large" else "small"
    fields = {**fields, "allocation_class": effective, "box_bytes": _bytes(fields)}
    encoded = build(kind, fields, context=Context(arch=arch, backing=backing), force=force)
    if allocation_class != "auto":
        return encoded
    chosen = tensor_map.allocation_class.as_findings(note(_AUTO, fields=("allocation_class",), source=CUDA_H))
    return encoded._replace(findings=(*encoded.findings, *chosen))


_AUTO = "auto is small, which is always safe: which maps a Blackwell driver makes large is not known"


def _check_class(name: str | None, backing: int | None, fields: Mapping[str, Any], force: bool) -> None:
    """Reject the class large where 128 KiB are not known to be mapped, and a backing smaller than the tensor."""
    check_backing(backing, size := bytes_spanned(fields))
    if name == "large" and not force and max(size, backing or 0) < LARGE_BYTES:
        known = f"the tensor spans {size} B" if backing is None else f"{backing} B are mapped"
        raise FieldError(
            "allocation_class",
            f"allocation_class: large needs {LARGE_BYTES} B (128 KiB) mapped, starting at the address; {known}",
            hint="use small, or give --backing BYTES if more is mapped",
        )


def bytes_spanned(fields: Mapping[str, Any]) -> int:
    """Return the bytes from the address of a tensor to the end of its last element; with interleave at least those."""
    rank = fields["rank"]
    dims, strides = (
        tuple(fields[f"{key}_{i}"] for i in range(first, rank)) for key, first in (("dim", 0), ("stride", 1))
    )
    return tensor_bytes(fields["data_type"], rank, fields["interleave"], dims, strides)


def check_backing(backing: int | None, size: int) -> None:
    """Reject a number of mapped bytes that is smaller than the tensor. :class:`smemdesc.engine.errors.SmemdescError`"""
    if backing is not None and backing < size:
        message = f"--backing {backing}: the tensor spans {size} B"
        hint = "count all bytes that are mapped, starting at the address of the map"
        raise SmemdescError(message, hint=hint, keyword="backing")


def _bytes(fields: Mapping[str, Any]) -> int:
    """Return the bytes of a copy that the driver writes."""
    name, rank = fields["data_type"], fields["rank"]
    if "channels_per_pixel" in fields:
        return im2col_bytes(name, fields["channels_per_pixel"], fields["pixels_per_column"])
    box, steps = (tuple(fields[f"{key}_{i}"] for i in range(rank)) for key in ("box", "element_stride"))
    return tiled_bytes(name, box, steps)


def map_fields(
    dtype: str,
    address: int,
    dim: Sequence[int],
    stride: Sequence[int],
    box: Sequence[int] = (),
    *,
    element_stride: Sequence[int] = (),
    interleave: str = "none",
    swizzle: str = "none",
    l2_promotion: str = "none",
    fill: str = "zero",
    lower_corner: Sequence[int] = (),
    upper_corner: Sequence[int] = (),
    channels: int | None = None,
    pixels: int | None = None,
) -> tuple[Kind, dict[str, Any]]:
    """Return the kind and the fields of a tensor map, not yet checked one by one.

    Dimensions innermost first, strides in bytes of all but the innermost. im2col: corners, ``channels`` and ``pixels``
    instead of ``box``; one coordinate a corner at rank 4 and 5 is im2col wide.
    """
    rank = len(dim)
    map_type = data_type(dtype)
    im2col = bool(lower_corner or upper_corner or channels is not None or pixels is not None)
    _check_counts(rank, stride, box, element_stride, im2col)
    if swizzle not in SWIZZLES:
        raise FieldError("swizzle", f"swizzle: {swizzle} is not one of {', '.join(SWIZZLES)}")
    fields: dict[str, Any] = {
        "global_address": address,
        "rank": rank,
        "data_type": map_type.name,
        "interleave": interleave,
        "swizzle": swizzle,
        "fill": fill,
        "l2_promotion": l2_promotion,
        **_numbered("dim", dim),
        **_numbered("stride", stride, 1),
        **_numbered("element_stride", tuple(element_stride) or (1,) * rank),
        "swizzle_period": PERIOD[swizzle],
    }
    if not im2col:
        return kind_of("tensormap:tiled"), {**fields, "mode": "tiled", **_numbered("box", box)}
    corners = _of_im2col(dim, lower_corner, upper_corner, channels, pixels)
    return kind_of(f"tensormap:im2col-{rank}d"), {**fields, "mode": "im2col", **corners}


def _check_counts(
    rank: int, stride: Sequence[int], box: Sequence[int], element_stride: Sequence[int], im2col: bool
) -> None:
    if not 1 <= rank <= DIMENSIONS or (im2col and rank not in CORNER_BITS):
        least = 3 if im2col else 1
        raise FieldError("dim", f"dim: {rank} dimensions; {'im2col takes' if im2col else 'there are'} {least} to 5")
    counts = [("stride", stride, rank - 1)]
    if im2col and box:
        raise FieldError("box", "box: im2col has no box", hint="give corners, channels and pixels, or a box alone")
    if not im2col:
        counts.append(("box", box, rank))
    if element_stride:
        counts.append(("element_stride", element_stride, rank))
    for name, values, count in counts:
        if len(values) != count:
            what = "all dimensions but the innermost" if name == "stride" else "every dimension"
            raise FieldError(name, f"{name}: {len(values)} numbers, but {count} are needed: one for {what}")


def _of_im2col(
    dim: Sequence[int], lower: Sequence[int], upper: Sequence[int], channels: int | None, pixels: int | None
) -> dict[str, Any]:
    missing = [name for name, value in (("channels", channels), ("pixels", pixels)) if value is None]
    if missing:
        raise SmemdescError(f"im2col needs {' and '.join(map(option, missing))}", keyword=missing[0])
    count = len(dim) - 2
    if len(lower) != len(upper) or len(lower) not in (1, count):
        counts = " or ".join(str(legal) for legal in sorted({1, count}))
        raise FieldError(
            "lower_corner",
            f"lower_corner: {len(lower)} numbers, upper_corner {len(upper)}; each has {counts}",
            hint="one for each dimension but the first and the last; im2col wide has one",
        )
    if len(lower) < count and any(size >= _WIDE for size in dim[2:-1]):
        raise FieldError("dim", f"dim: im2col wide takes sizes below {_WIDE} in the dimensions without a corner")
    fields = {**_numbered("lower_corner", lower), **_numbered("upper_corner", upper)}
    return fields | {"channels_per_pixel": channels, "pixels_per_column": pixels}


_WIDE = 2**31


def _numbered(key: str, values: Sequence[int], first: int = 0) -> dict[str, int]:
    return {f"{key}_{at}": value for at, value in enumerate(values, first)}


def copy_in_words(fields: Mapping[str, FieldReading]) -> Iterator[tuple[str, str]]:
    """Yield what the copies of a map write in shared memory, each with a label."""
    value = {key: field.value for key, field in fields.items()}
    name, swizzle, sizes = value["data_type"], value["swizzle"], _copied_sizes(value)
    if not isinstance(name, str) or not isinstance(swizzle, str) or sizes is None:
        return
    row, lines = sizes[0], prod(sizes[1:])
    row_bytes = row * DATA_TYPE[name].bits // 8
    mode = MODE[swizzle] if swizzle in MODE and swizzle != "none" and value["interleave"] == "none" else None
    pitch = max(row_bytes, mode.width if mode is not None else 0)
    apart = f" in {pitch} B each" if pitch > row_bytes else ""
    size = f"{many(lines, 'line')} of {row} {name} = {row_bytes} B{apart}: {lines * pitch} B of shared memory"
    atoms = packed = ""
    if mode is not None and swizzle in PERIOD:
        atoms = f", {lines / mode.lines:g} swizzle atoms of {mode.lines} lines of {mode.width} B"
    if DATA_TYPE[name].packed:
        packed = f"; an mbarrier counts {DATA_TYPE[name].row_bytes(prod(sizes))} B"
    yield "a copy", size + atoms + packed
    if swizzle in PERIOD:
        least = f"TMA requires {_LINE} B" if PERIOD[swizzle] > _LINE else "for every swizzle"
        where = f"shared memory at a multiple of {max(PERIOD[swizzle], _LINE)} B"
        begins = ", where the pattern begins" if PERIOD[swizzle] > _LINE else ""
        yield "alignment", f"{where}{begins}; {least} ({_GUIDE})"


def _copied_sizes(value: Mapping[str, object]) -> list[int] | None:
    """Return the elements that one copy of a map writes along each dimension, first a line's; None if not known."""
    rank = value["rank"]
    if not isinstance(rank, int):
        return None
    whole = {key: number for key, number in value.items() if isinstance(number, int)}
    if "box_0" not in value:
        keys = ["channels_per_pixel", "pixels_per_column"]
        return [whole[key] for key in keys] if whole.keys() >= set(keys) else None
    boxes, steps = ([f"{name}_{i}" for i in range(rank)] for name in ("box", "element_stride"))
    if not whole.keys() >= {*boxes, *steps}:
        return None
    return [-(-whole[box] // whole[step]) for box, step in zip(boxes, steps, strict=True)]


_LINE = 128
"""Bytes: the required alignment of the destination of a copy. It should be aligned to the period of the swizzle, or the
pattern begins inside it."""
_GUIDE = "CUDA C++ Programming Guide, tensor memory access"


def map_text(encoded: Encoded | Constant, style: str, name: str = "desc") -> str:
    """Return a map as source text: ``hex``, ``bytes``, ``c`` or ``python``."""
    data = encoded.value.to_bytes(encoded.kind.table.width // 8, "little")
    rows = [data[at : at + _ROW] for at in range(0, len(data), _ROW)]
    if style == "bytes":
        return data.hex()
    if style == "python":
        return f"{name} = {data!r}"
    if style == "c":
        lines = (", ".join(f"0x{byte:02x}" for byte in row) for row in rows)
        body = ",\n    ".join(lines)
        return f"#include <stdalign.h>\nalignas(64) static const unsigned char {name}[{len(data)}] = {{\n    {body}}};"
    return "\n".join(f"{at * _ROW:04x}: {row.hex(' ')}" for at, row in enumerate(rows))


_ROW = 16
