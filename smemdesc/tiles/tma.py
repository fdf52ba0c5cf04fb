"""From the box of a TMA tensor map (``box=64x128,swizzle=128B,dtype=bf16``) to the layout that its copies write."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODE, TMA_NAME
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Leaf, Mode, Span
from smemdesc.reading.quantities import mode_name, parse_shape
from smemdesc.tiles.box import BOX
from smemdesc.tiles.reading import (
    TYPE_OF,
    Buffer,
    LayoutText,
    Options,
    TextReading,
    allowed_majors,
    stage_of,
)

_EXAMPLE = {"box": "box=64x128", "swizzle": "swizzle=128B", "dtype": "dtype=bf16", "interleave": "interleave=none"}
"""The settings of a tensor map, and how each is written."""


class _MapSettings(NamedTuple):
    """A tensor map in words: its settings, each with the place of its value."""

    text: str
    settings: dict[str, tuple[str, Span]]

    @property
    def span(self) -> Span:
        """The whole text."""
        return 0, len(self.text.rstrip())

    def wrong(self, message: str, span: Span, hint: str = "") -> SmemdescError:
        """Return an error that points at a part of the text."""
        return SmemdescError(message, given=self.text, span=span, hint=hint)

    def setting(self, key: str, noun: str, parse: Callable[[str], str], option: str | None) -> str:
        """Return a setting from the text or the option of the same name; both may give the same value."""
        if key not in self.settings:
            if option is None:
                raise self.wrong(f"the box has no {noun}", self.span, f"add {_EXAMPLE[key]}")
            return option
        value, span = self.settings[key]
        try:
            stated = parse(value)
        except SmemdescError as error:
            raise self.wrong(error.option_message, span, error.option_hint) from None
        if option not in (None, stated):
            raise self.wrong(f"the text has {stated}, but --{key} is {option}", span, f"omit --{key}")
        return stated


def read_tma(text: str, ask: Options) -> LayoutText:
    """Return the meaning of a box; see :func:`smemdesc.tiles.explaining.read_layout`."""
    tensor_map = _MapSettings(text, settings(text))
    if "box" not in tensor_map.settings:
        raise tensor_map.wrong("the box is missing", (0, 1), "as in box=64x128,swizzle=128B,dtype=bf16")
    box = _box(tensor_map)
    interleave, place = tensor_map.settings.get("interleave", ("none", (0, 0)))
    if interleave.lower().removeprefix("cu_tensor_map_interleave_") != "none":
        message = f"interleave {interleave}: only maps without interleave are supported here"
        raise tensor_map.wrong(message, place, "write interleave=none")
    tensor_map.setting("dtype", "type", lambda name: _dtype(name).name, ask.dtype and ask.dtype.name)
    dtype = ask.dtype or _dtype(tensor_map.settings["dtype"][0])
    swizzle = tensor_map.setting("swizzle", "swizzle", map_mode, ask.swizzle)
    _check_row(tensor_map, box, dtype, swizzle)
    readings = tuple(_boxes(tensor_map, box, dtype, swizzle, major, ask) for major in allowed_majors(("K", "MN"), ask))
    return LayoutText(text, "TMA", dtype, False, readings, None, 1, stage_of(ask.stage, 1), ())


def _dtype(name: str) -> DType:
    """Return the type of an element by its name as PTX, the CuTe DSL or, if it is packed, the driver writes it."""
    return dtype_of("e2m1", "mxf4") if name.upper().endswith("16U4_ALIGN8B") else dtype_of(TYPE_OF.get(name, name))


def _check_row(tensor_map: _MapSettings, box: tuple[int, int], dtype: DType, swizzle: str) -> None:
    """Reject a box whose rows TMA does not write under this mode."""
    inner, outer = box
    span = tensor_map.settings["box"][1]
    row, limit = inner * dtype.storage // 8, MODE[swizzle].width
    if inner * dtype.storage % 128:
        raise tensor_map.wrong(
            f"a box row of {inner} {dtype.name} is {inner * dtype.storage / 8:g} B, not a multiple of 16 B",
            span,
            f"write the inner dimension first, a multiple of {128 // dtype.storage}",
        )
    if swizzle != "none" and row > limit:
        raise tensor_map.wrong(
            f"a box row of {inner} {dtype.name} is {row} B, but under {swizzle} at most {limit} B are "
            "possible (cuTensorMapEncodeTiled rejects it)",
            span,
            f"box={limit * 8 // dtype.storage}x{outer}: write the inner dimension first",
        )


def _boxes(
    tensor_map: _MapSettings, box: tuple[int, int], dtype: DType, swizzle: str, major: str, ask: Options
) -> TextReading:
    """Return the layout that copies of a box write: boxes back to back, rows a swizzle width apart or back to back."""
    inner, outer = box
    pitch = inner if swizzle == "none" else MODE[swizzle].width * 8 // dtype.storage
    span = tensor_map.settings["box"][1]
    along, down = inner, outer
    if ask.shape is not None:
        along, down = ask.shape if major == "MN" else ask.shape[::-1]
    if along % inner or down % outer:
        raise tensor_map.wrong(
            f"a tile of {down}x{along} is not a whole number of boxes of {outer}x{inner} ({major}-major)",
            span,
            "--shape is MNxK of the tile; a box has its contiguous dimension first",
        )
    wide, high = along // inner, down // outer
    order = ask.order
    across = "MN" if major == "K" else "K"
    if wide > 1 and high > 1 and order is None:
        raise tensor_map.wrong(
            f"{wide * high} copies fill the tile, {wide} along {major} and {high} along {across}, in an unknown order",
            span,
            "give the dimension along which consecutive boxes lie: --order mn or --order k",
        )
    size = pitch * outer
    lines_first = order is None or (order == "mn") == (major == "K")
    far, near = (size * high, size) if lines_first else (size, size * wide)
    contiguous = Mode(Leaf(inner, 1, span), Leaf(wide, far, span))
    strided = Mode(Leaf(outer, pitch, span), Leaf(high, near, span))
    mn, k = (strided, contiguous) if major == "K" else (contiguous, strided)
    function = Swizzle(*MODE[swizzle].swizzle)
    memory = Buffer(tensor_map.text, mn, k, dtype.storage, function, tensor_map.span, start=ask.start or 0)
    return TextReading(memory, (major,), f"inner dimension is {major}")


def settings(text: str) -> dict[str, tuple[str, Span]]:
    values: dict[str, tuple[str, Span]] = {}
    at = 0
    for part in text.split(","):
        name, equals, value = part.partition("=")
        begin = at + len(part) - len(part.lstrip())
        place = at + len(name) + 1 + len(value) - len(value.lstrip())
        at += len(part) + 1
        key = name.strip().lower()
        if not equals or key not in _EXAMPLE:
            raise SmemdescError(
                f"{part.strip()!r} is not a setting of a tensor map",
                given=text,
                span=(begin, begin + max(1, len(part.strip()))),
                hint="write box=64x128,swizzle=128B,dtype=bf16[,interleave=none]",
            )
        if key in values:
            raise SmemdescError(f"{key} is given twice", given=text, span=(begin, begin + len(key)))
        values[key] = value.strip(), (place, place + max(1, len(value.strip())))
    return values


def _box(tensor_map: _MapSettings) -> tuple[int, int]:
    value, span = tensor_map.settings["box"]
    dims = value.lower().split("x")
    while len(dims) > 2 and dims[-1] == "1":
        dims.pop()
    if len(dims) > 2:
        hint = "give a box of 2 dimensions, and the tile that copies of it fill with --shape"
        raise tensor_map.wrong(f"a box of {len(dims)} dimensions: which of them is K?", span, hint)
    try:
        box = parse_shape("x".join(dims))
    except SmemdescError as error:
        hint = "write the contiguous dimension first: box=64x128"
        raise tensor_map.wrong(f"{value!r} is not a box", span, hint) from error
    if max(box) > BOX:
        raise tensor_map.wrong(f"a box has at most {BOX} elements along each dimension", span, "copy it in parts")
    return box


def map_mode(name: str) -> str:
    """Return the swizzle mode that a tensor map names."""
    word = re.sub(r"(?i)^cu_tensor_map_swizzle_", "", name)
    word = {"128b_atom_32b": "128B_32B", "0": "none"}.get(word.lower(), word)
    if re.fullmatch(r"[0-9]", word):
        hint = f"code {word} is {TMA_NAME[int(word)]} in CU_TENSOR_MAP_SWIZZLE" if int(word) in TMA_NAME else ""
        raise SmemdescError(f"{name!r} is a code, not a mode", hint=hint or "write swizzle=128B")
    mode = mode_name(word)
    if not MODE[mode].tma:
        raise SmemdescError(f"no tensor map has swizzle {mode}", hint="write swizzle=128B")
    return mode
