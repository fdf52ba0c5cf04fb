"""``smemdesc encode wgmma|tcgen05 --tile``: a tile's descriptors as constants, one for each MMA step."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from smemdesc.errors import IllegalError, SmemdescError

if TYPE_CHECKING:
    from collections.abc import Callable

    from smemdesc.case import Context
    from smemdesc.encoding import Encoded
    from smemdesc.tiles.tile import Tile

NEEDED = ("dtype", "major", "swizzle")
_ALLOWED = {"start_address", "swizzle"}


def tile_constants(
    kind: str, keys: list[str], chosen: dict[str, Any], written: Callable[[Encoded, str, str, Context], str]
) -> Tile:
    """Print the constant of each step, MN steps outside and K steps inside; return the tile for its findings.

    ``keys`` are the field options of the kind: of these only the start address and the swizzle go with a tile.
    """
    from smemdesc.case import Context
    from smemdesc.encoding import Encoded
    from smemdesc.kinds.archs import named

    missing = [f"--{name}" for name in NEEDED if chosen[name] is None]
    if missing:
        raise SmemdescError(f"--tile needs {', '.join(missing)}", hint="as in --dtype bf16 --major K --swizzle 128B")
    odd = [key for key in keys if key not in _ALLOWED and chosen.get(key) is not None]
    odd += [
        name
        for name in ("base", "advance", "pattern_start", "shape", "ws", "scale_vec")
        if chosen.get(name) is not None
    ]
    if odd or chosen["raw"]:
        names = ", ".join("--" + ("from" if key == "base" else key.replace("_", "-")) for key in odd) or "--raw"
        raise SmemdescError(
            f"{names} does not go with --tile", hint="the tile says it; encode the steps one by one else"
        )
    tile = _tile(kind, {**chosen, "start": chosen["start_address"], "order": chosen["order"]})
    arch = named(chosen["arch"]) if chosen["arch"] else None
    context = Context(dtype=tile.dtype, major=tile.major, shape=tile.mma, arch=arch, cta_group=None)
    style, full = chosen["style"], tile.kind.table.full
    for step in tile.steps:
        mn, k = step.mn // tile.mma.mn, step.k // tile.mma.k
        made = Encoded(tile.kind, step.value, full, ())
        text = written(made, style, f"{chosen['name']}_mn{mn}_k{k}", context)
        if style == "json":
            text = json.dumps({**json.loads(text), "step": {"mn": mn, "k": k}})
        sys.stdout.write(text + "\n")
    return tile


def _tile(kind: str, chosen: dict[str, Any]) -> Tile:
    """Return the tile; a refusal says whether --force would encode it."""
    from smemdesc.cli.layout_tile import made_tile

    try:
        return made_tile(kind, chosen["tile"], chosen, force=chosen["force"])
    except IllegalError as error:
        try:
            made_tile(kind, chosen["tile"], chosen, force=True)
        except SmemdescError:
            raise error from None
        raise IllegalError(error.message, hint=f"{error.hint}; --force encodes it all the same") from None
