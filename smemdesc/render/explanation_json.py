"""A layout's text explained, an operand in other notations, all modes, a whole tensor's bases: as objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.atom import ALL, byte_size, shape, shape_in_units
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.forms import ORDER, remark
from smemdesc.layout.operand import Operand
from smemdesc.tiles.explaining import Explanation
from smemdesc.tiles.linear import Held, TensorLayout
from smemdesc.tiles.solving import Answer
from smemdesc.tiles.text import cute_text, dsl_tensor_text, tma_box, triton_encoding
from smemdesc.tiles.tile import Tile


def notation_dict(what: Tile | Operand) -> dict[str, Any]:
    """Return the notations as an object; null where a notation has no word for it."""
    box = tma_box(what)
    tma = box and {
        "box": list(box.box),
        "swizzle": box.swizzle,
        "interleave": box.interleave,
        "copies": box.copies,
        "bytes": box.bytes,
        "data_type": box.data_type,
    }
    return {
        "cute": cute_text(what),
        "cute_dsl": dsl_tensor_text(what),
        "triton": {side: triton_encoding(what, side) for side in ("a", "b")},
        "tma": tma or None,
    }


def explanation_dict(found: Explanation) -> dict[str, Any]:
    """Return an explanation as an object: ``descriptor`` is null where there is none, or where several readings fit."""
    settled = found.settled
    answer = found.answers[0] if settled else None
    return {
        "text": found.source.text,
        "kind": found.solution.kind.name,
        "dtype": found.source.dtype.name,
        "descriptor": f"0x{answer.first.value:016x}" if answer else None,
        "mode": answer.first.operand.mode.name if answer else None,
        "major": answer.first.operand.major if answer else None,
        "reason": found.reason or None,
        "nearest": found.refusal.nearest if found.refusal else None,
        "readings": [_reading(each) for each in found.answers],
        "notes": list(found.notes),
    }


def _reading(answer: Answer) -> dict[str, Any]:
    operand = answer.first.operand
    return {
        "label": answer.reading.label or None,
        "mode": operand.mode.name,
        "major": operand.major,
        "legal": answer.legal,
        "leading_byte_offset": operand.lbo,
        "stride_byte_offset": operand.sbo,
        "steps": [{"mn": step.mn, "k": step.k, "descriptor": f"0x{step.fit.value:016x}"} for step in answer.steps],
    }


def mode_dicts(asked: DType | None) -> list[dict[str, Any]]:
    """Return an object for each mode and major-ness, in the order of PTX's table.

    Left out, the type is bf16, and tf32 under 128B_32B.
    """
    made = []
    for name, major in sorted(ALL, key=lambda each: (ORDER.index(each[0]), each[1])):
        mode = MODE[name]
        dtype = asked or dtype_of("tf32" if name == "128B_32B" else "bf16")
        made.append(
            {
                "swizzle": name,
                "major": major,
                "dtype": dtype.name,
                "units": list(shape_in_units(name, major)),
                "elements": list(shape(name, major, dtype)),
                "bytes": byte_size(name, major),
                "function": str(Swizzle(*mode.swizzle)),
                "period": mode.period,
                "codes": {"wgmma": mode.wgmma, "tcgen05": mode.tcgen05, "tma": mode.tma_code},
                "unread": remark(name, major, dtype).partition(":")[0].partition(";")[0],
            }
        )
    return made


def tensor_dict(layout: TensorLayout, points: Sequence[Held]) -> dict[str, Any]:
    """Return the object of a whole tensor's linear layout; ``points`` only where some are asked for."""
    out: dict[str, Any] = {
        "swizzle": layout.encoding.swizzle,
        "bits": layout.encoding.bits,
        "transposed": layout.encoding.transposed,
        "dims": list(layout.shape),
        "bases": [{"offset": 1 << bit, "to": list(basis)} for bit, basis in enumerate(layout.bases)],
    }
    if points:
        out["points"] = [{"offset": point.offset, "at": list(point.place)} for point in points]
    return out
