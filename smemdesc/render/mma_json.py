"""The JSON of one instruction: its operands as ``decode`` writes them, and every finding."""

from __future__ import annotations

from typing import Any

from smemdesc.case import Context
from smemdesc.decoding import Result
from smemdesc.findings.in_tile import InTile
from smemdesc.mma import Judged, Mma
from smemdesc.render.json import as_dict, finding_dict


def judged_dict(judged: Judged) -> dict[str, Any]:
    """Return ``a``, ``b``, ``idesc``, ``mask`` and ``findings``; A and B with their type, major-ness and shape."""
    return {
        "a": _operand(judged.a, judged.contexts[0]),
        "b": _operand(judged.b, judged.contexts[1]),
        "idesc": None if judged.idesc is None else as_dict(judged.idesc),
        "mask": None if judged.mask is None else as_dict(judged.mask),
        "findings": [{"operand": name, **finding_dict(finding)} for name, finding in judged.findings],
    }


def _operand(result: Result | None, context: Context) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        **as_dict(result),
        "major": context.major,
        "dtype": context.dtype.name if context.dtype else None,
        "shape": list(context.shape) if context.shape else None,
    }


def mma_dict(mma: Mma, judged: Judged) -> dict[str, Any]:
    """Return the object of ``smemdesc mma``; ``tiles`` where it was said what lies in shared memory."""
    out = {
        "kind": mma.instruction.family,
        "mma_kind": judged.mma_kind,
        "arch": mma.arch,
        **judged_dict(judged),
    }
    if any(judged.tiles):
        out["tiles"] = {name: _tile(each) for name, each in zip("ab", judged.tiles, strict=True)}
    return out


def _tile(held: InTile | None) -> dict[str, Any] | None:
    if held is None:
        return None
    return {
        "shape": list(held.tile.whole),
        "in_each_cta": list(held.tile.shape),
        "major": held.tile.major,
        "swizzle": held.tile.swizzle,
        "order": held.tile.order,
        "start": held.start,
        "step": {"mn": held.step.mn, "k": held.step.k},
        "field": held.key,
        "present": held.present,
        "wanted": held.wanted,
        "elements": held.elements,
        "wrong": len(held.misread),
        "misread": [
            {"element": list(each.wanted), "reads": None if each.read is None else list(each.read)}
            for each in held.misread[:_LISTED]
        ],
    }


_LISTED = 64
"""Elements that are listed; ``wrong`` counts all of them."""
