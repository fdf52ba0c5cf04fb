"""A tile or an operand in the notations of others: CuTe, the CuTe DSL, Triton, and the TMA box that fills it."""

from __future__ import annotations

from typing import Any

from smemdesc.layout.operand import Operand
from smemdesc.tiles.box import TmaBox, box_of
from smemdesc.tiles.tensor_map import fills
from smemdesc.tiles.text import atoms_of, cute_text, dsl_tensor_text, triton_encoding
from smemdesc.tiles.tile import Tile


def tma_box(what: Tile | Operand) -> TmaBox | None:
    """Return the largest TMA box that gives this layout (:func:`smemdesc.tiles.box.box_of`); None if its copies do not
    write an operand where it is read."""
    operand = atoms_of(what)
    box = None if operand is None else box_of(operand)
    return None if box is not None and not isinstance(what, Tile) and not fills(what, box) else box


def notation_dict(what: Tile | Operand) -> dict[str, Any]:
    """Return the notations as an object for JSON; null where a notation has no word for it."""
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
