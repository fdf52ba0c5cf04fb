"""A value with one bit or one field changed."""

from __future__ import annotations

from typing import Any

from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.readings import WHOLE, text_of
from smemdesc.engine.fields import ones
from smemdesc.kinds.arguments import field_value
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.text import parse, to_hex


def edit(
    bits: str, kind: str, view: str = WHOLE, *, bit: int | None = None, field: str = "", to: str = ""
) -> dict[str, Any]:
    """Return the value to be pasted after one change.

    ``bits`` is the descriptor as :func:`smemdesc.integrations.page.decoding.reading_dict` writes it, ``kind`` its id.
    ``bit`` is turned over (one that is not known becomes 0); or ``field`` becomes ``to``, in bytes or by name, as
    ``encode`` takes it.
    """
    chosen = kind_of(kind)
    table = chosen.table
    number, known = parse(bits).at(table.width)
    if bit is not None:
        digits = list(_binary(number, known, table.width))
        at = table.width - 1 - bit
        digits[at] = {"0": "1"}.get(digits[at], "0")
        number, known = parse("0b" + "".join(digits)).at(table.width)
    else:
        made = build(chosen, {field: field_value(table.row(field), to)}, base=(number, known), force=True)
        number, known = made.value, made.known
    return {"value": text_of(number, known, table.width, view), "bits": to_hex(number, known, table.width)}


def _binary(number: int, known: int, width: int) -> str:
    """Return all bits, most significant first, ``?`` where not known."""
    mask = f"{known:0{width}b}"
    digits = f"{number & ones(width):0{width}b}"
    return "".join(digit if here == "1" else "?" for digit, here in zip(digits, mask, strict=True))
