"""A start address typed after a value: ``0x4000404000010000@smem:1024+0x400``, or ``@0x400`` for a number."""

from __future__ import annotations

import re

from smemdesc.engine.errors import ValueSyntaxError
from smemdesc.engine.fields import Scaled, ones
from smemdesc.kinds.addresses import START, RelativeStart, address_window
from smemdesc.kinds.kind import kind_of
from smemdesc.reading.text import VALUE_BITS, Literal, is_value, parse_value

FORM = "VALUE@BASE, VALUE@BASE+0x400, VALUE@BASE:1024+0x400 with the alignment of the base in bytes, or VALUE@0x400"
_NUMBER = r"(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,16})"
_TYPED = re.compile(
    rf"(?P<address>{_NUMBER})|(?P<base>[A-Za-z_$%.][\w$.%]*)(?::(?P<alignment>\w*))?(?P<offset>[+-]{_NUMBER})?",
    re.ASCII,
)


def value_with_start(text: str) -> Literal | None:
    """Return a value with the start address after its ``@``; None if the text is not a value with a start.

    The base is a name, aligned to 16 bytes if no alignment is given; the offset is in bytes.
    :class:`smemdesc.engine.errors.ValueSyntaxError` says what of the start cannot be read, or contradicts the value.
    """
    core = text.strip()
    value, mark, typed = core.partition("@")
    if not mark or not is_value(value) or len(core.split()) > 1:
        return None
    at = text.index("@") + 1
    literal, span = parse_value(value), (at, at + max(1, len(typed)))
    match = _TYPED.fullmatch(typed)
    if match is None:
        raise ValueSyntaxError("not a start address", given=text, span=span, hint=f"write {FORM}")
    row = kind_of("tcgen05").table.row(START)
    assert isinstance(row.codec, Scaled)
    step, field = row.codec.step, ones(row.width) << row.lo
    offset = int(match["address"] or match["offset"] or "0", 0)
    alignment = step if match["alignment"] is None else _alignment(match["alignment"], text, span, step)
    if offset % step:
        hint = f"the nearest are {offset // step * step} and {(offset // step + 1) * step}"
        raise ValueSyntaxError(f"{offset} B is not a multiple of {step} B", given=text, span=span, hint=hint)
    if literal.width != VALUE_BITS and literal.bit_length <= VALUE_BITS // 2:
        hint = "give all 64 bits; of the high word alone write 0x40004040:?@BASE"
        raise ValueSyntaxError("a start address goes with a 64-bit descriptor", given=text, span=span, hint=hint)
    if literal.number & ~literal.unknown & field:
        start = (literal.number & field) * step
        raise ValueSyntaxError(
            f"the start address is given twice: 0x{start:05x} in the value, and {typed}",
            given=text,
            span=span,
            hint=f"write 0x{literal.number & ~field & ones(VALUE_BITS):016x}@{typed}",
        )
    if abs(offset) >= address_window(row):
        message, hint = (
            f"0x{abs(offset):x} is beyond the window of shared memory",
            f"at most 0x{address_window(row) - step:x}",
        )
        raise ValueSyntaxError(message, given=text, span=span, hint=hint)
    raw = offset % address_window(row) // step
    if match["base"] is None:
        number = literal.number & ~field | raw
        return literal._replace(text=text, number=number, unknown=literal.unknown & ~field)
    low = min(alignment // step - 1, field)
    return literal._replace(
        text=text,
        number=literal.number & ~field | raw & low,
        unknown=literal.unknown & ~field | field & ~low,
        start=RelativeStart(match["base"], offset),
    )


def typed_base(typed: str) -> RelativeStart | None:
    """Return the base and the offset in bytes of ``smem+0x400``; None if the text is none."""
    match = _TYPED.fullmatch(typed)
    if match is None or match["base"] is None:
        return None
    return RelativeStart(match["base"], int(match["offset"] or "0", 0))


def _alignment(typed: str, text: str, span: tuple[int, int], step: int) -> int:
    try:
        number = int(typed, 0)
    except ValueError:
        number = 0
    if number < step or number & number - 1:
        message = f"{typed} is not an alignment" if typed else "the alignment is missing"
        hint = f"a power of two, {step} or more, in bytes: @smem:1024"
        raise ValueSyntaxError(message, given=text, span=span, hint=hint)
    return number
