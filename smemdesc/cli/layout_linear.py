"""``smemdesc layout linear``."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from smemdesc.cli.common import answer, coordinates, mma_kind_option
from smemdesc.cli.layout_common import output_options, require, write

EXAMPLE = "smemdesc layout linear --swizzle 128B --dtype bf16"
ENCODED = "smemdesc layout linear --shape 128x64 '#ttg.nvmma_shared<{...}>'"


@click.command(context_settings={"max_content_width": 80})
@click.argument("text", metavar="[TRITON]", required=False)
@click.option("--swizzle", metavar="MODE", help="none, 32B, 64B or 128B.")
@click.option("--dtype", metavar="TYPE", help="Element type, by its PTX name: bf16, e4m3, ...")
@mma_kind_option
@click.option("--shape", metavar="AxB", help="Shape of the tensor, as Triton writes it.")
@click.option("--at", "places", metavar="ROW,COL", multiple=True, help="Which offset holds this? Repeatable.")
@click.option("--offset", "offsets", metavar="N", multiple=True, help="What lies at this offset? Repeatable.")
@output_options()
@click.pass_context
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    """Print the swizzle atom, or a whole tensor, as Triton's linear layout.

    \b
    Examples:
      smemdesc layout linear --swizzle 128B --dtype bf16
      smemdesc layout linear --swizzle 64B --dtype e4m3 --at 3,17
      smemdesc layout linear --swizzle 128B --dtype bf16 --offset 73
      smemdesc layout linear --swizzle 128B --dtype e2m1 --mma-kind mxf4
      smemdesc layout linear --swizzle 32B --dtype tf32 --json
      smemdesc layout linear --shape 128x64 '#ttg.nvmma_shared<{
          swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>'

    Offsets count elements. Packed e2m1 needs --mma-kind mxf4 or mxf4nvf4; types
    in 8-bit containers have no linear layout of their own.
    """
    if chosen["text"] is not None:
        odd = [f"--{name}" for name in ("swizzle", "dtype", "mma_kind") if chosen[name]]
        if odd:
            raise click.UsageError(f"{', '.join(odd)} does not go with an encoding, which says it", ctx)
        answer(ctx, color, lambda: _tensor(chosen, color))
    if chosen["shape"] is not None:
        raise click.UsageError("--shape is that of a tensor with an encoding; for example: " + ENCODED, ctx)
    require(ctx, chosen, EXAMPLE, "swizzle", "dtype")
    answer(ctx, color, lambda: _show(chosen, color))


def _show(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.types import operand_type
    from smemdesc.tiles.linear import LinearLayout

    layout = LinearLayout(mode_name(chosen["swizzle"]), operand_type(chosen["dtype"], chosen["mma_kind"]))
    points = [layout.at(*coordinates(text, "ROW,COL")) for text in chosen["places"]]
    points += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    write(chosen, color, lambda: layout.to_dict(points), "linear:LinearView", layout, points, title="linear layout")


def _tensor(chosen: dict[str, Any], color: str) -> None:
    """Show the bases of a whole tensor."""
    from smemdesc.kinds.context import parse_shape
    from smemdesc.tiles.linear import TensorLayout
    from smemdesc.tiles.triton import whole_tensor

    encoding, shape, notes = whole_tensor(chosen["text"], parse_shape(chosen["shape"]) if chosen["shape"] else None)
    layout = TensorLayout(encoding, shape)
    found = [layout.at(coordinates(text, "ROW,COL")) for text in chosen["places"]]
    found += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    data = partial(layout.to_dict, found)
    write(chosen, color, data, "linear:TensorView", layout, found, notes, title="linear layout")


def _offset(text: str) -> int:
    from smemdesc.kinds.arguments import number_of

    return number_of(text, "--offset", "write an offset in elements, as in --offset 73")
