"""``smemdesc layout tile``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import output_options
from smemdesc.cli.support.common import (
    Name,
    answer,
    arch_option,
    choice_option,
    major_options,
    number_option,
    svg_or_json_option,
    write,
)
from smemdesc.cli.support.help import Brief
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import MMA_KINDS, SMEM_KINDS

if TYPE_CHECKING:
    from smemdesc.tiles.tile import Tile


@click.command(cls=Brief, context_settings={"max_content_width": 80})
@click.argument("shape", metavar="MNxK")
@click.option(
    "--kind", type=Name("kind", *SMEM_KINDS), default="tcgen05", metavar="KIND", help="wgmma or tcgen05 (default)."
)
@click.option("--dtype", metavar="TYPE", required=True, help="Element type, by its PTX name: bf16, e4m3, ...")
@major_options("Major-ness of the operand.", required=True)
@click.option("--swizzle", metavar="MODE", required=True, help="none, 32B, 64B, 128B or 128B_32B.")
@click.option("--mma", metavar="MNxK", help="Operand of one instruction; default: all of MN, the dense K.")
@choice_option(
    "--order", "mn|k", "Dimension along which atoms are contiguous; default: as a TMA box writes them.", metavar=None
)
@click.option("--start", metavar="ADDR", default="0", help="Where the tile begins, in bytes.")
@number_option("--cta-group", "1|2", "With 2, MNxK and --mma are those of both CTAs.", default="1", metavar=None)
@choice_option("--mma-kind", "|".join(MMA_KINDS), "mxf4 and mxf4nvf4 pack e2m1.", metavar=None)
@arch_option()
@output_options(svg=svg_or_json_option)
@click.pass_context
def command(ctx: click.Context, /, shape: str, color: str, **params: Any) -> None:
    """Lay out a tile of MN x K elements in atoms; print LBO, SBO, TMA box and the descriptor of each MMA step.

    \b
    Examples:
      smemdesc layout tile 128x64 --dtype bf16 --major K --swizzle 128B
      smemdesc layout tile 128x64 --dtype bf16 --major MN --swizzle 64B \\
          --kind wgmma --mma 64x16 --order k --start 1KiB
      smemdesc layout tile 128x768 --dtype e2m1 --mma-kind mxf4 --major K \\
          --swizzle 128B --mma 128x96 --arch sm_103a
      smemdesc layout tile 256x64 --dtype bf16 --major K --swizzle 128B \\
          --cta-group 2 --mma 256x16
      smemdesc layout tile 128x64 --dtype bf16 --major MN --swizzle 64B \\
          --svg tile.svg
    """
    answer(ctx, color, lambda: _show(shape, params, color))


def _show(shape: str, params: dict[str, Any], color: str) -> None:
    tile = tile_of(params["kind"], shape, params)
    write(params, color, tile.to_dict, "tile:tile_view", tile, picture=True)


def tile_of(kind: str, shape: str, params: dict[str, Any], *, force: bool = False) -> Tile:
    """Return the tile of the options; an error with ``force`` says that --force has no effect."""
    from smemdesc.api.geometry import tile

    same = ("dtype", "major", "swizzle", "mma", "order", "arch")
    try:
        return tile(
            shape,
            kind=kind,
            **{name: params[name] for name in same},
            start=params["start"] or "0",
            cta_group=params["cta_group"] or 1,
            mma_kind=params.get("mma_kind"),
            force=force,
        )
    except SmemdescError as error:
        if not force:
            raise
        hint = "--force has no effect here: no value is encoded"
        raise SmemdescError(error.message, hint=f"{error.hint}; {hint}" if error.hint else hint) from None
