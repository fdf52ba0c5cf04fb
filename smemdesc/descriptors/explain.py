"""What a field means here, in plain words: the text of its row and code, with the numbers of the case."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import gcd

from smemdesc.engine.fields import Enum, FieldReading, Fixed, Flag, Reserved, UnknownBits, Upper
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE, MODES
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.layout.strides import LBO, SBO, is_absolute, strides_of
from smemdesc.rules.rows import bits_of_row


def meaning(kind: Kind, fields: dict[str, FieldReading], key: str, context: Context) -> str:
    """Describe the field ``key`` in this descriptor and, as far as known, for this operand."""
    reading = fields[key]
    codec = reading.field.codec
    if isinstance(codec, Reserved | Fixed):
        return _constant(reading)
    if not reading.settled:
        if reading.complete:
            return f"{reading.field.doc}; it depends on {' and '.join(codec.depends)}"
        return f"{reading.field.doc}; known bits: 0b{reading.binary()}" if reading.known else reading.field.doc
    special = _SPECIAL.get(key)
    text = special(fields, context) if special and kind.name in SMEM_KINDS else ""
    if text:
        return text
    if isinstance(codec, Enum):
        code = codec.by_raw.get(reading.bits)
        if code is None:
            return f"{bits_of_row(reading.field)}: undefined code"
        doc = code.doc or reading.field.doc
        return f"{doc}; on {', '.join(code.archs)}" if code.archs else doc
    if isinstance(codec, Flag):
        return codec.yes if reading.bits else codec.no
    return reading.field.doc


def brief(kind: Kind, fields: dict[str, FieldReading], key: str, context: Context) -> str:
    """Describe a field in a few words, as :func:`meaning` begins; an offset without its number."""
    has_stride = key == SBO or (key == LBO and not is_absolute(fields))
    swizzle, size = fields["swizzle"].value if has_stride else None, fields[key].value
    if isinstance(swizzle, str) and isinstance(size, int) and context.major:
        text = strides_of(swizzle, context.major, context)[key == SBO].effect(size)
    else:
        text = meaning(kind, fields, key, context)
    return text.partition("; ")[0]


def _constant(reading: FieldReading) -> str:
    codec = reading.field.codec
    expected = "0" if isinstance(codec, Reserved) else f"0b{codec.default:0{reading.field.width}b}"
    if reading.contradicts and isinstance(codec, UnknownBits):
        return f"set; {reading.field.doc}"
    if reading.contradicts:
        return f"WRONG: {'should' if getattr(codec, 'ignored', '') else 'must'} be {expected}; {reading.field.doc}"
    if not reading.known:
        return f"not known; {'should' if getattr(codec, 'ignored', '') else 'must'} be {expected}"
    return f"{'ok' if reading.complete else 'ok as far as known'}: {reading.field.doc}"


def _offset(which: int, fields: dict[str, FieldReading], context: Context) -> str:
    reading = fields[(LBO, SBO)[which]]
    swizzle = fields["swizzle"].value
    size = reading.value
    if not isinstance(swizzle, str) or not isinstance(size, int):
        return reading.field.doc
    if which == 0 and is_absolute(fields):
        return _second_chunk(fields, context, size)
    mode = MODE[swizzle]
    if context.major:
        return strides_of(swizzle, context.major, context)[which].explain(size)
    k, mn = (strides_of(swizzle, major, context)[which] for major in ("K", "MN"))
    lines = f"; {size // mode.width} x {mode.width} B" if size and size % mode.width == 0 and size != 16 else ""
    if which == 0 and swizzle != "none":
        return f"between {mn.between} (not if K-major){lines}"
    group = " groups" if k.between.endswith(" groups") else ""
    return f"between {k.between} (MN-major: {mn.between.removesuffix(group)}){lines}"


def _second_chunk(fields: dict[str, FieldReading], context: Context, size: int) -> str:
    start = fields["start_address"].value
    k_bytes = context.k * context.bits // 8 if context.bits and context.k else None
    if isinstance(start, int) and k_bytes is not None and start % 128 + k_bytes <= 128:
        return "LBO has no effect here: K stays in its 128-byte line"
    return f"LBO is an address; past the end of its 128-byte line, K continues at {size} B"


def _base_offset(fields: dict[str, FieldReading], context: Context) -> str:
    raw, swizzle = fields["base_offset"].raw, fields["swizzle"].value
    if not isinstance(swizzle, str):
        return fields["base_offset"].field.doc
    if swizzle == "none":
        return "no effect without swizzle"
    period = MODE[swizzle].period
    phase = raw % MODE[swizzle].phases if raw else 0
    if not phase:
        return f"the swizzle pattern is aligned to {period} B"
    return f"the swizzle pattern starts {phase * 128} B past a multiple of {period} B"


def _start_address(fields: dict[str, FieldReading], _: Context) -> str:
    start, swizzle = fields["start_address"].value, fields["swizzle"].value
    assert isinstance(start, int)
    width = MODE[swizzle].width if isinstance(swizzle, str) else 0
    if swizzle != "none" and width and start % width:
        return f"{start % width} B into the {width}-byte row"
    return f"aligned to {gcd(start, _MOST_ALIGNED)} B"


_MOST_ALIGNED = max(mode.period for mode in MODES)
"""Bytes: no layout needs a start address of more alignment."""
_SPECIAL: dict[str, Callable[[dict[str, FieldReading], Context], str]] = {
    LBO: partial(_offset, 0),
    SBO: partial(_offset, 1),
    "base_offset": _base_offset,
    "start_address": _start_address,
}


def one_line(kind: Kind, fields: dict[str, FieldReading]) -> str:
    """Describe the descriptor in one line, for a comment beside its constant."""
    if kind.name == "tensormap":
        return _map_summary(fields)
    parts = []
    for key, reading in fields.items():
        codec = reading.field.codec
        if isinstance(codec, Upper):
            continue  # described with the field whose upper bits these are
        if isinstance(codec, Reserved | Fixed):
            if reading.contradicts:
                parts.append(f"{key} 0b{reading.binary()}")
            continue
        if not reading.settled:
            parts.append(f"{_NICK.get(key, key)} ?")
        elif isinstance(codec, Flag):
            if reading.bits:
                parts.append(key)
        elif reading.value is None:
            parts.append(f"{_NICK.get(key, key)} code {reading.bits}")
        elif reading.bits or key not in QUIET_FIELDS:
            unit = " B" if key in (LBO, SBO, "start_address") else ""
            parts.append(f"{_NICK.get(key, key)} {reading.value}{unit}")
    name = kind.name if kind.mma_kind is None else f"{kind.name} kind::{kind.mma_kind}"
    return f"{name}: " + ", ".join(parts)


def _map_summary(fields: dict[str, FieldReading]) -> str:
    def text(key: str) -> str:
        return "?" if fields[key].value is None else str(fields[key].value)

    rank = fields["rank"].value
    sizes = range(rank if isinstance(rank, int) else 0)
    copied = [text(f"box_{i}") for i in sizes if f"box_{i}" in fields]
    if not copied:
        copied = [text(key) for key in ("channels_per_pixel", "pixels_per_column") if key in fields]
    address = fields["global_address"]
    return (
        f"tensormap {text('mode')}: {text('data_type')} {'x'.join(text(f'dim_{i}') for i in sizes) or '?'}, "
        f"box {'x'.join(copied) or '?'}, swizzle {text('swizzle')}, "
        f"at {'?' if address.value is None else f'0x{address.bits:x}'}"
    )


_NICK = {
    LBO: "LBO",
    SBO: "SBO",
    "start_address": "start",
    "d_type": "D",
    "a_type": "A",
    "b_type": "B",
    "m": "M",
    "n": "N",
    "k": "K",
}
QUIET_FIELDS = {
    "base_offset",
    "lbo_mode",
    "lut_k_offset",
    "sparsity_selector",
    "max_shift",
    "k_code",
    *(f"start_count_{i}" for i in range(4)),
    "column_shift",
}
"""Fields of no interest if they are 0."""
