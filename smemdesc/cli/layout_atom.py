"""``smemdesc layout atom`` and ``smemdesc layout linear``: the swizzle atom, as a grid and as Triton writes it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    answer,
    coordinates,
    major_options,
    mma_kind_option,
    picture_option,
    present,
    write_json,
)
from smemdesc.cli.help import Brief
from smemdesc.cli.layout import output_options, require, write
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from smemdesc.layout.atom import Atom

DIRECTIONS = ("to-physical", "to-logical")
EXAMPLE = "smemdesc layout atom --swizzle 128B --major K"


@click.command(cls=Brief, context_settings={"max_content_width": 80})
@click.option("--swizzle", metavar="MODE", help="none, 32B, 64B, 128B or 128B_32B.")
@major_options()
@click.option("--dtype", metavar="TYPE", help="Element type; default: bf16, tf32 under 128B_32B.")
@mma_kind_option
@click.option("--units/--elements", "units", default=True, help="A cell is a 16-byte unit (default), or an element.")
@click.option("--direction", type=click.Choice(DIRECTIONS, case_sensitive=False), help="Only one of the two grids.")
@click.option("--mma", "step", metavar="STEP", help="Mark only the 8 x 2 units of this MMA step of a K-major atom.")
@click.option("--start", metavar="ADDR", default="0", help="Where the atom begins, in bytes: 1024, 0x400, 1KiB.")
@click.option("--base-offset", metavar="N", default="0", help="Base offset of the descriptor, 0..7.")
@output_options("JSON.", svg=picture_option("Write the grids as a picture; - is standard output.", beside_json=True))
@click.pass_context
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    """Draw the swizzle atom: where each unit goes, and what lies in each chunk.

    \b
    Examples:
      smemdesc layout atom                    all modes side by side
      smemdesc layout atom --swizzle 128B --major K
      smemdesc layout atom --swizzle 64B --major MN --dtype e4m3 --elements
      smemdesc layout atom --swizzle 128B --major K --mma 1
      smemdesc layout atom --swizzle 128B_32B --major MN \\
          --direction to-logical
      smemdesc layout atom --swizzle 32B --major K --start 0x480 --base-offset 1
      smemdesc layout atom --swizzle 128B --major K --svg atom.svg

    Coordinates are (mn, k) in elements, MN down and K across. With --mma the
    lines of shared memory show the numbers 2 * row + column of the MMA's units.
    """
    if not chosen["swizzle"] and not chosen["major"]:
        alone = [name for name in ("direction", "step", "svg") if chosen[name]]
        if not alone:
            answer(ctx, color, lambda: _modes(chosen, color))
    require(ctx, chosen, EXAMPLE, "swizzle", "major")
    answer(ctx, color, lambda: _show(chosen, color))


def _modes(chosen: dict[str, Any], color: str) -> None:
    """Show all modes side by side."""
    from smemdesc.kinds.types import operand_type

    dtype = operand_type(chosen["dtype"], chosen["mma_kind"]) if chosen["dtype"] else None
    if chosen["as_json"]:
        from smemdesc.layout.forms import mode_dicts

        write_json(*mode_dicts(dtype))
        return
    from smemdesc.render.atom import ModesView

    present(color, ModesView(dtype))


def _show(chosen: dict[str, Any], color: str) -> None:
    atom = _atom(chosen)
    elements = not chosen["units"]
    step = None if chosen["step"] is None else _number(chosen["step"], "--mma", 3)
    if step is not None:
        atom.check_step(step, elements=elements)
    directions: tuple[str, ...] = DIRECTIONS if step is None else DIRECTIONS[1:]
    if chosen["direction"]:
        directions = (chosen["direction"],)
    data = partial(atom.to_dict, elements=elements, step=step)
    shown: dict[str, Any] = {"elements": elements, "directions": directions, "step": step}
    write(chosen, color, data, "atom:AtomView", atom, picture=True, **shown)


def _atom(chosen: dict[str, Any]) -> Atom:
    from smemdesc.kinds.arguments import mode_name, start_address
    from smemdesc.kinds.types import operand_type
    from smemdesc.layout.atom import Atom

    swizzle = mode_name(chosen["swizzle"])
    dtype = operand_type(chosen["dtype"] or ("tf32" if swizzle == "128B_32B" else "bf16"), chosen["mma_kind"])
    start = start_address(chosen["start"])
    base_offset = _number(chosen["base_offset"], "--base-offset", 7)
    return Atom(swizzle, chosen["major"], dtype, start=start, base_offset=base_offset)


def _number(text: str, option: str, most: int) -> int:
    from smemdesc.kinds.arguments import number_of

    hint = f"write a number in 0..{most}"
    number = number_of(text, option, hint)
    if not 0 <= number <= most:
        raise SmemdescError(f"{option} {text}: it is 0 to {most}", hint=hint)
    return number


LINEAR_EXAMPLE = "smemdesc layout linear --swizzle 128B --dtype bf16"
TENSOR_EXAMPLE = "smemdesc layout linear --shape 128x64 '#ttg.nvmma_shared<{...}>'"


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
def linear(ctx: click.Context, /, color: str, **chosen: Any) -> None:
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
        answer(ctx, color, lambda: _show_tensor(chosen, color))
    if chosen["shape"] is not None:
        raise click.UsageError("--shape is that of a tensor with an encoding; for example: " + TENSOR_EXAMPLE, ctx)
    require(ctx, chosen, LINEAR_EXAMPLE, "swizzle", "dtype")
    answer(ctx, color, lambda: _show_linear(chosen, color))


def _show_linear(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.types import operand_type
    from smemdesc.tiles.linear import LinearLayout

    layout = LinearLayout(mode_name(chosen["swizzle"]), operand_type(chosen["dtype"], chosen["mma_kind"]))
    points = [layout.at(*coordinates(text, "ROW,COL")) for text in chosen["places"]]
    points += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    write(
        chosen, color, lambda: layout.to_dict(points), "layout_text:LinearView", layout, points, title="linear layout"
    )


def _show_tensor(chosen: dict[str, Any], color: str) -> None:
    """Show the bases of a whole tensor."""
    from smemdesc.kinds.context import parse_shape
    from smemdesc.tiles.linear import TensorLayout
    from smemdesc.tiles.triton import whole_tensor

    encoding, shape, notes = whole_tensor(chosen["text"], parse_shape(chosen["shape"]) if chosen["shape"] else None)
    layout = TensorLayout(encoding, shape)
    found = [layout.at(coordinates(text, "ROW,COL")) for text in chosen["places"]]
    found += [layout.at_offset(_offset(text)) for text in chosen["offsets"]]
    data = partial(layout.to_dict, found)
    write(chosen, color, data, "layout_text:TensorView", layout, found, notes, title="linear layout")


def _offset(text: str) -> int:
    from smemdesc.kinds.arguments import number_of

    return number_of(text, "--offset", "write an offset in elements, as in --offset 73")
