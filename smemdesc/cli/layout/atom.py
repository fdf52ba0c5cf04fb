"""``smemdesc layout atom``, ``canonical`` and ``linear``: the swizzle atom as a grid, and in other notations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import output_options, require
from smemdesc.cli.support.common import (
    answer,
    major_options,
    mma_kind_option,
    picture_option,
    present,
    show_on_stderr,
    write,
    write_json,
)
from smemdesc.cli.support.help import Brief
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smemdesc.kinds.types import DType
    from smemdesc.layout.forms import CanonicalExample, CanonicalForm

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
def command(ctx: click.Context, /, color: str, **params: Any) -> None:
    """Draw the swizzle atom: the place of each unit, and the unit in each chunk.

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
    of_one = any(params[name] for name in ("swizzle", "major", "direction", "step", "svg")) or not params["units"]
    if of_one or (params["start"], params["base_offset"]) != ("0", "0"):
        require(ctx, params, EXAMPLE, "swizzle", "major")
    answer(ctx, color, lambda: _show(params, color))


def _show(params: dict[str, Any], color: str) -> None:
    from smemdesc.api.geometry import atom
    from smemdesc.layout.forms import Atoms

    same = ("swizzle", "major", "dtype", "mma_kind", "start", "base_offset")
    drawn = atom(**{name: params[name] for name in same}, elements=not params["units"], mma=params["step"])
    if isinstance(drawn, Atoms):
        if params["as_json"]:
            write_json(*drawn.rows())
        else:
            present(color, drawn)
        return
    directions = (params["direction"],) if params["direction"] else ()
    write(params, color, drawn.to_dict, "atom:AtomView", drawn, picture=True, directions=directions)


LINEAR_EXAMPLE = "smemdesc layout linear --swizzle 128B --dtype bf16"
TENSOR_EXAMPLE = "smemdesc layout linear --shape 128x64 '#ttg.nvmma_shared<{...}>'"


@click.command(context_settings={"max_content_width": 80})
@click.argument("text", metavar="[TRITON]", required=False)
@click.option("--swizzle", metavar="MODE", help="none, 32B, 64B or 128B.")
@click.option("--dtype", metavar="TYPE", help="Element type, by its PTX name: bf16, e4m3, ...")
@mma_kind_option
@click.option("--shape", metavar="AxB", help="Shape of the tensor, as Triton writes it.")
@click.option("--at", "places", metavar="ROW,COL", multiple=True, help="Show the offset of this element; repeatable.")
@click.option("--offset", "offsets", metavar="N", multiple=True, help="Show the element at this offset; repeatable.")
@output_options()
@click.pass_context
def linear(ctx: click.Context, /, color: str, **params: Any) -> None:
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

    Offsets are in elements. Packed e2m1 needs --mma-kind mxf4 or mxf4nvf4; types
    in 8-bit containers have no linear layout of their own.
    """
    if params["text"] is not None:
        odd = [f"--{name}" for name in ("swizzle", "dtype", "mma_kind") if params[name]]
        if odd:
            raise click.UsageError(f"{', '.join(odd)} cannot be used with an encoding, which contains it", ctx)
        answer(ctx, color, lambda: _show_tensor(params, color))
    if params["shape"] is not None:
        raise click.UsageError("--shape needs a tensor with an encoding; for example: " + TENSOR_EXAMPLE, ctx)
    require(ctx, params, LINEAR_EXAMPLE, "swizzle", "dtype")
    answer(ctx, color, lambda: _show_linear(params, color))


def _show_linear(params: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.options import coordinates
    from smemdesc.kinds.types import operand_type
    from smemdesc.tiles.linear import LinearLayout

    layout = LinearLayout(mode_name(params["swizzle"]), operand_type(params["dtype"], params["mma_kind"]))
    points = [layout.at(*coordinates("at", text, "ROW,COL")) for text in params["places"]]
    points += [layout.at_offset(_offset(text)) for text in params["offsets"]]
    write(
        params, color, lambda: layout.to_dict(points), "layout_text:linear_view", layout, points, title="linear layout"
    )


def _show_tensor(params: dict[str, Any], color: str) -> None:
    """Show the bases of a whole tensor."""
    from smemdesc.kinds.options import coordinates, parse_shape
    from smemdesc.tiles.linear import TensorLayout
    from smemdesc.tiles.triton import whole_tensor

    encoding, shape, notes = whole_tensor(params["text"], parse_shape(params["shape"]) if params["shape"] else None)
    layout = TensorLayout(encoding, shape)
    points = [layout.at(*coordinates("at", text, "ROW,COL")) for text in params["places"]]
    points += [layout.at_offset(_offset(text)) for text in params["offsets"]]
    data = partial(layout.to_dict, points)
    write(params, color, data, "layout_text:tensor_view", layout, points, notes, title="linear layout")


def _offset(text: str) -> int:
    from smemdesc.kinds.arguments import number_of

    return number_of(text, "--offset", "write an offset in elements, as in --offset 73")


@click.command(context_settings={"max_content_width": 80})
@click.option("--dtype", metavar="TYPE", default="bf16", show_default=True, help="Element type, by its PTX name.")
@mma_kind_option
@major_options("Only this major-ness.")
@click.option("--swizzle", metavar="MODE", help="Only this mode: none, 32B, 64B, 128B or 128B_32B.")
@click.option("--shape", metavar="MNxK", help="Fill in the numbers of an operand of this shape.")
@click.option("--lbo", metavar="BYTES", help="Its leading dimension byte offset: 1024, 0x400, 1KiB or 64x16B.")
@click.option("--sbo", metavar="BYTES", help="Its stride dimension byte offset.")
@output_options("One JSON object per row.")
@click.pass_context
def canonical(ctx: click.Context, /, color: str, **params: Any) -> None:
    """Print the canonical layouts in the notations of PTX and CUTLASS.

    \b
    Examples:
      smemdesc layout canonical
      smemdesc layout canonical --dtype tf32 --major K
      smemdesc layout canonical --dtype tf32 --major K --swizzle none \\
          --shape 16x16 --lbo 256 --sbo 128
      smemdesc layout canonical --major MN --swizzle 64B --shape 64x16 \\
          --lbo 512 --sbo 1024
      smemdesc layout canonical --json | jq -r .cutlass

    In CuTe's notation, shape:stride, the leftmost mode fastest. An offset that
    the operand does not use may be omitted. With --shape, modes without such
    an operand are listed on standard error; status 2 if none has one.
    """
    for name in ("lbo", "sbo"):
        if params[name] and not params["shape"]:
            raise click.UsageError(f"--{name} needs --shape", ctx)
    answer(ctx, color, lambda: _show_canonical(params, color))


def _show_canonical(params: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.types import operand_type
    from smemdesc.layout.forms import forms

    dtype = operand_type(params["dtype"], params["mma_kind"])
    rows = forms(dtype, params["major"], mode_name(params["swizzle"]) if params["swizzle"] else None)
    results = list(_examples(rows, dtype, params)) if params["shape"] else []
    if len(results) == 1 and isinstance(results[0], SmemdescError):
        raise results[0]
    if params["as_json"]:
        for row, form in zip(rows, results or rows, strict=True):
            write_json({**row.to_dict(), "error": form.text} if isinstance(form, SmemdescError) else form.to_dict())
    else:
        _write_forms(rows, dtype, results, color, params["svg"])
    if results and all(isinstance(result, SmemdescError) for result in results):
        raise SmemdescError(
            f"none of the {len(results)} modes has this operand",
            hint="give --swizzle and --major to see the operands of one",
        )


def _write_forms(
    rows: list[CanonicalForm],
    dtype: DType,
    results: list[CanonicalExample | SmemdescError],
    color: str,
    svg: str | None,
) -> None:
    """Write the table, or the rows that have numbers; other rows are listed with the reason on standard error."""
    from smemdesc.render.canonical import FormsView, example_view, left_out
    from smemdesc.render.parts import apart

    examples = [example_view(result) for result in results if not isinstance(result, SmemdescError)]
    if examples or not results:
        views = apart(examples) if results else [FormsView(rows, dtype)]
        present(color, *views, svg=svg, title="canonical layouts")
    out = [left_out(row, error) for row, error in zip(rows, results, strict=False) if isinstance(error, SmemdescError)]
    if out:
        show_on_stderr(color, *out)


def _examples(
    rows: list[CanonicalForm], dtype: DType, params: dict[str, Any]
) -> Iterator[CanonicalExample | SmemdescError]:
    """Yield each row with numbers, or the error why it has none: no operand fits all modes of the table."""
    from smemdesc.kinds.options import parse_shape
    from smemdesc.layout.forms import example

    extent = parse_shape(params["shape"])
    lbo, sbo = (_byte_offset(params, name) for name in ("lbo", "sbo"))
    for row in rows:
        try:
            yield example(row, dtype, extent, lbo, sbo)
        except SmemdescError as error:
            yield error


def _byte_offset(params: dict[str, Any], name: str) -> int | None:
    from smemdesc.kinds.arguments import byte_count

    text = params[name]
    if text is None:
        return None
    size = byte_count(text)
    if size is None:
        raise SmemdescError(f"--{name} {text}: not an offset", hint="write bytes, as in 1024, 0x400, 1KiB or 64x16B")
    return size
