"""``smemdesc layout atom``, ``canonical`` and ``linear``: the swizzle atom as a grid, and in other notations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import output_options, require
from smemdesc.cli.support.common import answering, picture_option, present, show_on_stderr, write_json, write_result
from smemdesc.cli.support.options import Brief, given_as_words, takes, typed
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smemdesc.kinds.types import DType
    from smemdesc.layout.forms import CanonicalExample, CanonicalForm

EXAMPLE = "smemdesc layout atom 128B"


@click.command(cls=Brief, context_settings={"max_content_width": 80})
@click.argument("mode", metavar="[MODE]", required=False)
@takes("atom", "swizzle major trans_a trans_b dtype mma_kind elements direction mma start base_offset")
@output_options("JSON.", svg=picture_option("Write the grids as a picture; - is standard output.", beside_json=True))
@answering
def command(ctx: click.Context, /, mode: str | None, **params: Any) -> None:
    """Draw the swizzle atom: the place of each unit, and the unit in each chunk.

    \b
    Examples:
      smemdesc layout atom                    # all modes side by side
      smemdesc layout atom 128B               # K-major (128B_32B: MN-major)
      smemdesc layout atom --swizzle 64B --major MN --dtype e4m3 --elements
      smemdesc layout atom --swizzle 128B --major K --mma 1
      smemdesc layout atom --swizzle 128B_32B --major MN \\
          --direction to-logical
      smemdesc layout atom --swizzle 32B --major K --start 0x480 --base-offset 1
      smemdesc layout atom --swizzle 128B --major K --svg atom.svg

    Coordinates are (mn, k) in elements, MN down and K across. With --mma the
    lines of shared memory show the numbers 2 * row + column of the MMA's units.
    """
    given_as_words(ctx, params, swizzle=mode)
    of_one = any(params[name] for name in ("major", "trans_a", "trans_b", "direction", "mma", "svg", "elements"))
    if of_one or (params["start"], params["base_offset"]) != ("0", "0"):
        require(ctx, params, EXAMPLE, "swizzle")
    from smemdesc.api.geometry import atom
    from smemdesc.layout.forms import Atoms

    drawn: Any = atom(**typed(ctx, "direction"))
    if isinstance(drawn, Atoms):
        write_result(params, drawn, data=drawn.rows)
    else:
        write_result(params, drawn, directions=(params["direction"],) if params["direction"] else ())


LINEAR_EXAMPLE = "smemdesc layout linear --swizzle 128B --dtype bf16"
TENSOR_EXAMPLE = "smemdesc layout linear --shape 128x64 '#ttg.nvmma_shared<{...}>'"


@click.command(context_settings={"max_content_width": 80})
@click.argument("text", metavar="[TRITON]", required=False)
@takes("linear", "swizzle dtype mma_kind shape at offset")
@output_options()
@answering
def linear_command(ctx: click.Context, /, **params: Any) -> None:
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
        odd = [f"--{name}" for name in ("swizzle", "mma_kind") if params[name]]
        if odd:
            raise click.UsageError(f"{', '.join(odd)} cannot be used with an encoding, which contains it", ctx)
    elif params["shape"] is not None:
        raise click.UsageError("--shape needs a tensor with an encoding; for example: " + TENSOR_EXAMPLE, ctx)
    else:
        require(ctx, params, LINEAR_EXAMPLE, "swizzle", "dtype")
    from smemdesc.api.options.keywords import read_options
    from smemdesc.api.options.readers import read_coordinates
    from smemdesc.tiles.linear import LinearLayout, TensorLayout

    given = read_options("linear", typed(ctx))
    layout: LinearLayout | TensorLayout
    settings: dict[str, Any] = {}
    if params["text"] is None:
        layout = LinearLayout(given["swizzle"], given["dtype"])
    else:
        from smemdesc.tiles.triton import whole_tensor

        encoding, shape, settings["notes"] = whole_tensor(params["text"], given["shape"], given["dtype"])
        layout = TensorLayout(encoding, shape)
    points = [layout.at(*read_coordinates("at", text, "ROW,COL")) for text in params["at"]]
    points += [layout.at_offset(_offset(text)) for text in params["offset"]]
    data = partial(layout.to_dict, points)
    write_result(params, layout, data=data, title="linear layout", points=points, **settings)


def _offset(text: str) -> int:
    from smemdesc.reading.quantities import number_of

    return number_of(text, "--offset", "write an offset in elements, as in --offset 73")


@click.command(context_settings={"max_content_width": 80})
@takes("canonical", "dtype mma_kind major trans_a trans_b swizzle shape lbo sbo")
@output_options("One JSON object per row.")
@answering
def canonical_command(ctx: click.Context, /, **params: Any) -> None:
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
    from smemdesc.api.options.keywords import read_options
    from smemdesc.layout.forms import forms

    given = read_options("canonical", typed(ctx))
    dtype = given["dtype"]
    rows = forms(dtype, given["major"], given["swizzle"])
    results = list(_examples(rows, dtype, given)) if given["shape"] else []
    if len(results) == 1 and isinstance(results[0], SmemdescError):
        raise results[0]
    if params["as_json"]:
        for row, form in zip(rows, results or rows, strict=True):
            write_json({**row.to_dict(), "error": form.text} if isinstance(form, SmemdescError) else form.to_dict())
    else:
        _write_forms(rows, dtype, results, params["color"], params["svg"])
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
    from smemdesc.render.canonical import example_view, forms_view, left_out
    from smemdesc.render.parts import apart

    examples = [example_view(result) for result in results if not isinstance(result, SmemdescError)]
    if examples or not results:
        views = apart(examples) if results else [forms_view(rows, dtype)]
        present(color, *views, svg=svg, title="canonical layouts")
    out = [left_out(row, error) for row, error in zip(rows, results, strict=False) if isinstance(error, SmemdescError)]
    if out:
        show_on_stderr(color, *out)


def _examples(
    rows: list[CanonicalForm], dtype: DType, given: dict[str, Any]
) -> Iterator[CanonicalExample | SmemdescError]:
    """Yield each row with numbers, or the error why it has none: no operand fits all modes of the table."""
    from smemdesc.layout.forms import form_example

    for row in rows:
        try:
            yield form_example(row, dtype, given["shape"], given["lbo"], given["sbo"])
        except SmemdescError as error:
            yield error
