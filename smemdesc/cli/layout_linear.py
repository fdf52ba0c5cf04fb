"""``smemdesc layout linear``."""

from __future__ import annotations

from typing import Any

import click

from smemdesc.cli.common import answer, color_option, coordinates, mma_kind_option, present, svg_option, write_json

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
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@svg_option
@color_option
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
    for name in ("swizzle", "dtype"):
        if not chosen[name]:
            raise click.UsageError(f"--{name} is missing; for example: {EXAMPLE}", ctx)
    answer(ctx, color, lambda: _show(chosen, color))


def _show(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.types import operand_type
    from smemdesc.tiles.linear import LinearLayout

    layout = LinearLayout(mode_name(chosen["swizzle"]), operand_type(chosen["dtype"], chosen["mma_kind"]))
    points = [layout.at(*coordinates(text, "ROW,COL")) for text in chosen["places"]]
    points += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    if chosen["as_json"]:
        write_json(layout.to_dict(points))
        return
    from smemdesc.render.linear import LinearView

    present(color, LinearView(layout, points), svg=chosen["svg"], title="linear layout")


def _tensor(chosen: dict[str, Any], color: str) -> None:
    """Show the bases of a whole tensor."""
    from smemdesc.kinds.context import parse_shape
    from smemdesc.tiles.linear import TensorLayout
    from smemdesc.tiles.triton import whole_tensor

    encoding, shape, notes = whole_tensor(chosen["text"], parse_shape(chosen["shape"]) if chosen["shape"] else None)
    layout = TensorLayout(encoding, shape)
    found = [layout.at(coordinates(text, "ROW,COL")) for text in chosen["places"]]
    found += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    if chosen["as_json"]:
        write_json(layout.to_dict(found))
        return
    from smemdesc.render.linear import TensorView

    present(color, TensorView(layout, found, notes), svg=chosen["svg"], title="linear layout")


def _offset(text: str) -> int:
    from smemdesc.kinds.arguments import number_of

    return number_of(text, "--offset", "write an offset in elements, as in --offset 73")
