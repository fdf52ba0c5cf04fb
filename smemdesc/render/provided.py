"""What would be known of a descriptor provided that some additions change its start address only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from smemdesc.descriptors.result import Result
from smemdesc.engine.fields import Scalar, ones
from smemdesc.engine.wording import more, printable
from smemdesc.kinds.text import to_hex
from smemdesc.layout.strides import NICK
from smemdesc.scanning.model import Mma, Operand, Provided

_WIDTH = 64
_START = "start_address"


def provided_text(name: str, result: Result, mmas: Sequence[Mma]) -> str:
    """Say which fields of the operand ``name`` would be known in instructions, and what would have to hold."""
    found = [each for mma in mmas if (each := _of(mma, name)) is not None]
    if not found:
        return ""
    texts = list(dict.fromkeys(", ".join(_fields(result, each)) for each in found))
    lines = {each.line: each.text for of in found for each in of.additions}
    conditions = ["no jump comes from what is missing"] if any(of.cut for of in found) else []
    if lines:
        first = min(lines)
        change = "change" if len(lines) > 1 else "changes"
        only = f"line {first}: {printable(lines[first])}{more(len(lines), 1)} {change} the start address only"
        conditions.append(only)
    return f"not proven: {' or '.join(filter(None, texts))}, if {' and '.join(conditions)}"


def provided_dict(provided: Provided, width: int) -> dict[str, Any]:
    """Return the JSON of it, for an operand of so many bits."""
    conditions = ["no jump comes from what is missing of the function"] if provided.cut else []
    conditions += ["the additions change the start address only"] if provided.additions else []
    return {
        "value": to_hex(provided.bits, ones(width), width),
        "known": to_hex(provided.known, ones(width), width),
        "that": ", and ".join(conditions),
        "additions": [
            {"line": each.line, "instruction": each.text, "keeps": each.term}
            | ({"plus": to_hex(each.plus, ones(_WIDTH), _WIDTH)} if each.plus else {})
            for each in provided.additions
        ],
    }


def _of(mma: Mma, name: str) -> Provided | None:
    operand: Operand | None = getattr(mma, name)
    return None if operand is None else operand.provided


def _fields(result: Result, provided: Provided) -> Iterator[str]:
    table = result.candidates[0].kind.table
    proven = result.fields
    for key, reading in table.read(provided.bits, provided.known).items():
        before = proven[key]
        if not reading.settled or before.value is not None or key == _START or reading.field.constant:
            continue
        yield f"{NICK.get(key, key.replace('_', ' '))} {_said(key, reading.value, reading.raw)}"


def _said(key: str, value: Scalar | None, raw: int | None) -> str:
    if value is None:
        return f"code {raw}"
    return f"{value} B" if key in NICK else str(value)
