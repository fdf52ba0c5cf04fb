"""From the box of a TMA tensor map (``box=64x128,swizzle=128B,dtype=bf16``) to what its copies leave in memory."""

from __future__ import annotations

import re

from smemdesc.case import parse_shape
from smemdesc.errors import SmemdescError
from smemdesc.kinds.modes import MODE, TMA_NAME
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.memory import Leaf, Memory, Mode
from smemdesc.tiles.reading import TYPE_OF, Ask, Reading, Source, asked, stage_of
from smemdesc.tiles.text import BOX
from smemdesc.units import mode_name


def read_tma(text: str, ask: Ask) -> Source:
    """Return what a box says; see :func:`smemdesc.tiles.parsing.read`."""
    given = _settings(text)
    if "box" not in given:
        raise SmemdescError(
            "the box is missing", given=text, span=(0, 1), hint="as in box=64x128,swizzle=128B,dtype=bf16"
        )
    box, span = _box(text, *given["box"])
    interleave = given.get("interleave", ("none", (0, 0)))
    if interleave[0].lower().removeprefix("cu_tensor_map_interleave_") != "none":
        raise SmemdescError(
            f"interleave {interleave[0]}: only what a map without interleave leaves in shared memory is known here",
            given=text,
            span=interleave[1],
            hint="write interleave=none",
        )
    dtype = _tma_type(text, given, ask)
    swizzle = _tma_swizzle(text, given, ask)
    mode = MODE[swizzle]
    inner, outer = box
    row = inner * dtype.storage // 8
    limit = mode.width if swizzle != "none" else None
    if inner * dtype.storage % 128:
        raise SmemdescError(
            f"a box row of {inner} {dtype.name} is {inner * dtype.storage / 8:g} B, not a multiple of 16 B",
            given=text,
            span=span,
            hint=f"the inner dimension stands first, a multiple of {128 // dtype.storage}",
        )
    if limit is not None and row > limit:
        raise SmemdescError(
            f"a box row of {inner} {dtype.name} is {row} B, and under {swizzle} it is at most {limit} B "
            "(cuTensorMapEncodeTiled refuses it)",
            given=text,
            span=span,
            hint=f"box={limit * 8 // dtype.storage}x{outer}: the inner dimension stands first",
        )
    notes: list[str] = []
    readings = []
    for major in asked(("K", "MN"), ask):
        readings.append(_boxes(text, box, dtype, swizzle, major, ask, span))
    return Source(text, "TMA", dtype, False, tuple(readings), None, 1, stage_of(ask.stage, 1), tuple(notes))


def _boxes(
    text: str, box: tuple[int, int], dtype: DType, swizzle: str, major: str, ask: Ask, span: tuple[int, int]
) -> Reading:
    """Return what copies of a box leave: rows back to back, box after box."""
    inner, outer = box
    along, down = inner, outer
    if ask.shape is not None:
        along, down = ask.shape if major == "MN" else ask.shape[::-1]
    if along % inner or down % outer:
        raise SmemdescError(
            f"a tile of {down}x{along} is not a whole number of boxes of {outer}x{inner} ({major}-major)",
            given=text,
            span=span,
            hint="--shape is MNxK of the tile; a box has its contiguous dimension first",
        )
    wide, high = along // inner, down // outer
    order = ask.order
    other = "MN" if major == "K" else "K"
    if wide > 1 and high > 1 and order is None:
        raise SmemdescError(
            f"{wide * high} copies fill the tile, {wide} along {major} and {high} along {other}: in which order?",
            given=text,
            span=span,
            hint="--order mn or --order k: along which dimension boxes follow each other",
        )
    size = inner * outer
    lines_first = order is None or (order == "mn") == (major == "K")
    far, near = (size * high, size) if lines_first else (size, size * wide)
    contiguous = Mode((Leaf(inner, 1, span), *([Leaf(wide, far, span)] if wide > 1 else [])))
    strided = Mode((Leaf(outer, inner, span), *([Leaf(high, near, span)] if high > 1 else [])))
    mn, k = (strided, contiguous) if major == "K" else (contiguous, strided)
    function = Swizzle(*MODE[swizzle].swizzle)
    memory = Memory(text, mn, k, dtype.storage, function, True, False, ask.start or 0, 0, 0, (0, len(text.rstrip())))
    return Reading(memory, (major,), f"inner dimension is {major}")


_SETTINGS = ("box", "swizzle", "dtype", "interleave")


def _settings(text: str) -> dict[str, tuple[str, tuple[int, int]]]:
    found: dict[str, tuple[str, tuple[int, int]]] = {}
    at = 0
    for part in text.split(","):
        name, equals, value = part.partition("=")
        begin = at + len(part) - len(part.lstrip())
        place = at + len(name) + 1 + len(value) - len(value.lstrip())
        at += len(part) + 1
        key = name.strip().lower()
        if not equals or key not in _SETTINGS:
            raise SmemdescError(
                f"{part.strip()!r} is not a setting of a tensor map",
                given=text,
                span=(begin, begin + max(1, len(part.strip()))),
                hint="write box=64x128,swizzle=128B,dtype=bf16[,interleave=none]",
            )
        if key in found:
            raise SmemdescError(f"{key} stands twice", given=text, span=(begin, begin + len(key)))
        found[key] = value.strip(), (place, place + max(1, len(value.strip())))
    return found


def _box(text: str, value: str, span: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    dims = value.lower().split("x")
    while len(dims) > 2 and dims[-1] == "1":
        dims.pop()
    if len(dims) > 2:
        raise SmemdescError(
            f"a box of {len(dims)} dimensions: which of them is K?",
            given=text,
            span=span,
            hint="give a box of 2 dimensions, and the tile that copies of it fill with --shape",
        )
    try:
        inner, outer = parse_shape("x".join(dims))
    except SmemdescError as error:
        raise SmemdescError(
            f"{value!r} is not a box", given=text, span=span, hint="write the contiguous dimension first: box=64x128"
        ) from error
    if max(inner, outer) > BOX:
        raise SmemdescError(
            f"a box has at most {BOX} elements along each dimension", given=text, span=span, hint="copy it in parts"
        )
    return (inner, outer), span


def _tma_type(text: str, given: dict[str, tuple[str, tuple[int, int]]], ask: Ask) -> DType:
    if "dtype" not in given:
        if ask.dtype is None:
            raise SmemdescError(
                "the box does not say its type", given=text, span=(0, len(text.rstrip())), hint="add dtype=bf16"
            )
        return ask.dtype
    name, span = given["dtype"]
    try:
        dtype = dtype_of(TYPE_OF.get(name, name))
    except SmemdescError as error:
        raise SmemdescError(error.message, given=text, span=span, hint=error.hint) from None
    if ask.dtype is not None and ask.dtype.name != dtype.name:
        raise SmemdescError(
            f"the text says {dtype.name}, --dtype {ask.dtype.name}", given=text, span=span, hint="leave --dtype out"
        )
    return ask.dtype or dtype


def _tma_swizzle(text: str, given: dict[str, tuple[str, tuple[int, int]]], ask: Ask) -> str:
    if "swizzle" not in given:
        if ask.swizzle is None:
            raise SmemdescError(
                "the box does not say its swizzle", given=text, span=(0, len(text.rstrip())), hint="add swizzle=128B"
            )
        return ask.swizzle
    name, span = given["swizzle"]
    word = re.sub(r"(?i)^cu_tensor_map_swizzle_", "", name)
    word = {"128b_atom_32b": "128B_32B", "0": "none"}.get(word.lower(), word)
    if re.fullmatch(r"[0-9]", word):
        hint = f"code {word} is {TMA_NAME[int(word)]} in CU_TENSOR_MAP_SWIZZLE" if int(word) in TMA_NAME else ""
        raise SmemdescError(f"{name!r} is a code, not a mode", given=text, span=span, hint=hint or "write swizzle=128B")
    try:
        mode = mode_name(word)
    except SmemdescError as error:
        raise SmemdescError(error.message, given=text, span=span, hint=error.hint) from None
    if ask.swizzle is not None and ask.swizzle != mode:
        raise SmemdescError(f"the text says {mode}, --swizzle {ask.swizzle}", given=text, span=span)
    return mode
