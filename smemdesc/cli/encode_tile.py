"""``smemdesc encode wgmma|tcgen05 --tile``: a tile's descriptors as constants, one for each MMA step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smemdesc.cli.written import FORCE, refuse, rejected, write_steps
from smemdesc.engine.errors import IllegalError, SmemdescError

if TYPE_CHECKING:
    from smemdesc.cli.common import Problems
    from smemdesc.tiles.tile import Tile

NEEDED = ("dtype", "major", "swizzle")
_ALLOWED = ("start_address", "swizzle")
_OTHERS = ("base", "advance", "pattern_start", "shape", "ws", "scale_vec")


def tile_constants(kind: str, keys: list[str], chosen: dict[str, Any], problems: Problems) -> Tile | None:
    """Print the constant of each step, MN steps outside and K steps inside; return the tile, None if it is rejected.

    ``keys`` are the field options of the kind: of these only the start address and the swizzle go with a tile.
    """
    from smemdesc.kinds.archs import named
    from smemdesc.kinds.context import Context

    missing = [f"--{name}" for name in NEEDED if chosen[name] is None]
    if missing:
        raise SmemdescError(f"--tile needs {', '.join(missing)}", hint="as in --dtype bf16 --major K --swizzle 128B")
    hint = "the tile says it; otherwise encode the steps one by one"
    refuse((*(key for key in keys if key not in _ALLOWED), *_OTHERS), chosen, "--tile", hint)
    tile = _tile(kind, {**chosen, "start": chosen["start_address"]})
    if rejected(tile.findings, chosen, problems):
        return None
    arch = named(chosen["arch"]) if chosen["arch"] else None
    context = Context(dtype=tile.dtype, major=tile.major, shape=tile.mma, arch=arch, cta_group=None)
    steps = ((step.mn // tile.mma.mn, step.k // tile.mma.k, step.value) for step in tile.steps)
    write_steps(tile.kind, steps, chosen, context)
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
        raise IllegalError(error.message, hint=f"{error.hint}; {FORCE}") from None
