"""``smemdesc layout tile``."""

from __future__ import annotations

from typing import Any

import click

from smemdesc.cli.layout.options import output_options
from smemdesc.cli.support.common import answering, svg_or_json_option, write_picture, write_result
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import Brief, given_as_words, takes, typed


@click.command(cls=Brief, context_settings={"max_content_width": 80})
@click.argument("shape", metavar="MNxK")
@click.argument("type_name", metavar="[TYPE]", required=False)
@takes("tile", "kind dtype major trans_a trans_b swizzle mma order start cta_group mma_kind arch")
@click.option("--both-orders", is_flag=True, help="Order k, then order mn: two tiles, one picture.")
@output_options(svg=svg_or_json_option)
@answering
def command(ctx: click.Context, /, shape: str, type_name: str | None, both_orders: bool, **params: Any) -> None:
    """Lay out a tile of MN x K elements in atoms; print LBO, SBO, TMA box and the descriptor of each MMA step.

    \b
    Examples:
      smemdesc layout tile 128x64 bf16 --swizzle 128B
      smemdesc layout tile 128x64 bf16 --major MN --swizzle 64B \\
          --kind wgmma --mma 64x16 --order k --start 1KiB
      smemdesc layout tile 128x768 e2m1 --mma-kind mxf4 --major K \\
          --swizzle 128B --mma 128x96 --arch sm_103a
      smemdesc layout tile 256x64 bf16 --swizzle 128B \\
          --cta-group 2 --mma 256x16
      smemdesc layout tile 128x64 bf16 --major MN --swizzle 64B \\
          --both-orders --svg tile.svg
    """
    given_as_words(ctx, params, dtype=type_name)
    if params["dtype"] is None and params["mma_kind"] is None:
        raise missing_parameters(ctx)
    if both_orders and params["order"]:
        raise click.UsageError("--order and --both-orders cannot be given together", ctx)
    from smemdesc.api.geometry import tile

    if not both_orders:
        write_result(params, tile(shape, **typed(ctx)))
        return
    tiles = [tile(shape, **{**typed(ctx), "order": order}) for order in ("k", "mn")]
    if params["svg"]:
        from smemdesc.render.tile import orders_picture

        if write_picture(params["svg"], orders_picture(tiles)):
            return
    for number, each in enumerate(tiles):
        click.echo("" if params["as_json"] else "\n" * number, nl=False)
        write_result({**params, "svg": None}, each)
