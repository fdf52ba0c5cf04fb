"""The JSON of ``scan --diff``: one object for each function of either dump, one line each."""

from __future__ import annotations

from typing import Any

from smemdesc.engine.fields import Reading, Scalar
from smemdesc.instructions.mma import OPERANDS
from smemdesc.kinds.text import to_hex
from smemdesc.render.json import dumps
from smemdesc.scanning.differing import Bits, Change, Pair, Place, Used


def pair_line(pair: Pair) -> str:
    """Return the line of one function, without the newline."""
    if pair.old is None or pair.new is None:
        status = "only_new" if pair.old is None else "only_old"
    else:
        status = "changed" if pair.differs else "same" if pair.clear else "unclear"
    name = (pair.new or pair.old).name  # type: ignore[union-attr]
    return dumps(
        {
            "function": name,
            "status": status,
            "old": _place(pair.old),
            "new": _place(pair.new),
            "changes": [_change(each) for each in pair.changes],
        }
    )


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    times = sum(used.times for used in place.used)
    return {"file": place.file, "function": place.name, "line": place.line, "arch": place.arch, "instructions": times}


def _change(change: Change) -> dict[str, Any]:
    return {
        "change": change.what,
        "old": _used(change.old),
        "new": _used(change.new),
        "fields": [
            {"operand": each.operand, "field": each.key, "old": _value(each.old), "new": _value(each.new)}
            for each in change.fields
        ],
    }


def _value(reading: Reading) -> Scalar | None:
    return reading.value if reading.complete else None


def _used(used: Used | None) -> dict[str, Any] | None:
    if used is None:
        return None
    return {
        "instruction": used.mnemonic,
        "line": used.line,
        "count": used.times,
        **{name: _bits(bits) for name, bits in zip(OPERANDS, used.operands, strict=True)},
    }


def _bits(bits: Bits | None) -> dict[str, Any] | None:
    if bits is None:
        return None
    width = bits.kind.table.width
    full = bits.kind.table.full
    return {"kind": bits.kind.id, "value": to_hex(bits.bits, full, width), "known": to_hex(bits.known, full, width)}
