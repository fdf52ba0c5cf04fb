"""A plan as a picture: the tiles of A and B, one below the other."""

from __future__ import annotations

from smemdesc.instructions.planning import Plan
from smemdesc.render.svg import Document
from smemdesc.render.tile import document

_GAP = 16


def picture(plan: Plan) -> str:
    """Return the SVG of what lies in shared memory for each operand, with its MMA steps."""
    parts = [document(side.tile, side.name.upper()) for side in plan.sides]
    height = sum(part.height for part in parts) + _GAP * (len(parts) - 1)
    whole = Document(max(part.width for part in parts), height, title="; ".join(part.title for part in parts))
    at: float = 0
    for part in parts:
        part.width = whole.width
        whole.place(0, at, part)
        at += part.height + _GAP
    return str(whole)
