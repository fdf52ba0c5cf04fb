"""The JSON of one instruction: its operands as ``decode`` writes them, and every finding."""

from __future__ import annotations

from typing import Any

from smemdesc.instructions.mma import OPERANDS, Judged, Mma
from smemdesc.render.json import as_dict, finding_dict
from smemdesc.tiles.in_tile import InTile


def judged_dict(judged: Judged, family: str) -> dict[str, Any]:
    """Return ``a``, ``b``, ``idesc``, ``mask``, each with its role, and the findings that are counted."""
    out: dict[str, Any] = {}
    for name in OPERANDS:
        result = getattr(judged, name)
        out[name] = None if result is None else {**as_dict(result), **_about(name, family, judged)}
    out["findings"] = [{"operand": name, **finding_dict(finding)} for name, finding in judged.told]
    return out


def _about(name: str, family: str, judged: Judged) -> dict[str, Any]:
    """Return what the instruction says of an operand; of A and B also what is stored there."""
    if name not in ("a", "b"):
        return {"role": name}
    context = judged.context(name)
    if family == "tcgen05.cp":
        reads = {"rows": context.shape[0], "bytes": context.shape[1]} if context.shape else None
        return {"role": "copy", "major": None, "dtype": None, "shape": None, "reads": reads}
    return {
        "role": name,
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
        **judged_dict(judged, mma.instruction.family),
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
