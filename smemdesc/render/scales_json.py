"""The JSON of scale factors."""

from __future__ import annotations

from typing import Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.layout.scales import SOURCE, Factor, Scales
from smemdesc.tiles.scales import COPY, copy_descriptor

MOST = 65_536
"""Blocks, or steps, that are listed: 32 MB of factors."""


def scales_dict(scales: Scales, cta_group: int = 1) -> dict[str, Any]:
    """Return the object of an operand's scale factors; ranges are first and last.

    :class:`smemdesc.engine.errors.SmemdescError` where it would be a list of more than :data:`MOST`.
    """
    if max(scales.block_count, scales.step_count) > MOST:
        many = f"{scales.block_count} blocks and {scales.step_count} steps"
        raise SmemdescError(
            f"{scales.rows}x{scales.k} has {many}: at most {MOST} are listed as JSON",
            hint="ask where one factor is, with --at, --byte or --lane and --column, or give one tile of the matrix",
        )
    return {
        **_case(scales),
        "bytes": scales.bytes,
        "columns": scales.columns,
        "copy": COPY.format(cta_group),
        "descriptor": f"0x{copy_descriptor():016x}",
        "blocks": [
            {
                "byte": each.byte,
                "columns": list(each.columns),
                scales.letter: list(each.rows),
                "factors": list(each.factors),
            }
            for each in scales.blocks
        ],
        "steps": [
            {"k": list(each.k), "factors": list(each.factors), "column": each.column, "id": each.id}
            for each in scales.steps
        ],
        "source": SOURCE,
    }


def factor_dict(scales: Scales, factor: Factor) -> dict[str, Any]:
    """Return where one factor is, and which step takes it."""
    return {**_case(scales), **_factor(scales, factor), "source": SOURCE}


def word_dict(scales: Scales, lane: int, column: int) -> dict[str, Any]:
    """Return what a column of one lane holds: four factors from the low byte up, null where the tile has none."""
    held = [None if each is None else _factor(scales, each) for each in scales.held(lane, column)]
    return {**_case(scales), "lane": lane, "column": column, "holds": held, "source": SOURCE}


def _factor(scales: Scales, factor: Factor) -> dict[str, Any]:
    place, step = scales.place(*factor), scales.step_of(factor.number)
    return {
        scales.letter: factor.row,
        "factor": factor.number,
        "byte": place.byte,
        "lanes": list(place.lanes),
        "column": place.column,
        "sub": place.sub,
        "step": step.number,
        "id": step.id,
    }


def _case(scales: Scales) -> dict[str, Any]:
    return {
        "operand": scales.operand,
        "mma_kind": scales.mma_kind,
        "shape": [scales.rows, scales.k],
        "block": scales.block,
        "mma_k": scales.one_k,
        "sparse": scales.sparse,
        "qualifier": scales.qualifier,
    }
