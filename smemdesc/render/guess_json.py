"""What ``layout guess`` answers, as an object for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smemdesc.kinds.text import to_hex
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import Answer, Recognition
from smemdesc.layout.sentences import sentences
from smemdesc.layout.written import Way
from smemdesc.tiles.repairing import Repair


def guess_dict(found: Recognition, dtype: DType, made: Sequence[Repair]) -> dict[str, Any]:
    """Return the object of a recognition; numbers in bytes and elements."""
    asked = found.operand
    mns, ks = found.differ
    return {
        "dtype": dtype.name,
        "total": found.total,
        "right": found.right,
        "asked": None if asked is None else layout_dict(asked),
        "agree": None if asked is None else found.agree,
        "outside": None if asked is None else found.outside,
        "differ": {"mn": [mns[0], mns[-1]], "k": [ks[0], ks[-1]]} if mns else None,
        "answer": None if found.answer is None else _answer(found.answer),
        "descriptors": {
            each.kind.name: to_hex(each.value, each.kind.table.full, each.kind.table.width) for each in made
        },
        "alike": [layout_dict(each) for each in found.alike],
        "copies": [layout_dict(each) for each in found.copies],
        "sentences": sentences(found),
    }


def hexadecimal(repair: Repair) -> str:
    """Return the value of a descriptor as it is written."""
    table = repair.kind.table
    return to_hex(repair.value, table.full, table.width)


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "layout": None if answer.operand is None else layout_dict(answer.operand),
        "agree": answer.agree,
        "differences": [each._asdict() for each in answer.differences],
        "way": None if answer.way is None else _way(answer.way),
    }


def layout_dict(operand: Operand) -> dict[str, Any]:
    """Return a layout by the fields of a descriptor that say it."""
    return {
        "swizzle": operand.mode.name,
        "major": operand.major,
        "start_address": operand.start,
        "leading_byte_offset": operand.lbo,
        "stride_byte_offset": operand.sbo,
        "base_offset": operand.base_offset,
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "how": way.how,
        "major": way.major,
        "swizzle": way.swizzle,
        "start": way.start,
        "pitch": way.pitch,
        "order": [list(row) for row in way.order] or None,
        "move": {"mn": way.move[0], "k": way.move[1]} if any(way.move) else None,
        "rows": [{"mn": mn, "k": k} for mn, k in way.lines] or None,
        "dtype": way.dtype.name if way.dtype else None,
        "layout": layout_dict(way.operand) if way.operand else None,
    }
