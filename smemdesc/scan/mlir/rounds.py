"""The loops of a function of MLIR whose rounds are counted: ``scf.for``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from smemdesc.scan.mlir.meaning import Definitions
from smemdesc.scan.mlir.text import Operation, Region, Value
from smemdesc.scan.rounds import Loop, Round


def rounds(operations: Sequence[Operation], definitions: Definitions) -> dict[Any, Round]:
    """Return what loops carry, as it is in their rounds and behind them."""
    found: dict[Any, Round] = {}
    for each in operations:
        if each.name != "scf.for" or len(each.inner) != 1:
            continue
        made = definitions.counted(each)
        if made is None:
            continue
        body = each.inner[0]
        loop = Loop(id(each), partial(_stands, body), counted=made)
        for index, name in enumerate(definitions.carried(each)):
            value = body.values.get(name)
            way = definitions.turn(each, index)
            if value is None or way is None:
                continue
            found[value] = Round(loop, way[:1], way[1:])
            result = each.region.values.get(each.results[index]) if index < len(each.results) else None
            if result is not None and result.operation is each:
                found[result] = Round(loop, way[:1], way[1:], value)
    return found


def _stands(body: Region, name: Any) -> bool:
    region: Region | None = name.region if isinstance(name, Value) else None
    while region is not None and region is not body:
        region = region.outer
    return region is body
