"""``smemdesc layout canonical``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    answer,
    beside,
    major_options,
    mma_kind_option,
    present,
    write_json,
)
from smemdesc.cli.layout import output_options
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smemdesc.kinds.types import DType
    from smemdesc.layout.forms import Example, Form


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
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    """Print the canonical layouts: as PTX writes them, as CUTLASS has them.

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
    the operand does not use may be left out. With --shape, modes that have no
    such operand are named on standard error; status 2 if none has one.
    """
    for name in ("lbo", "sbo"):
        if chosen[name] and not chosen["shape"]:
            raise click.UsageError(f"--{name} needs --shape", ctx)
    answer(ctx, color, lambda: _show(chosen, color))


def _show(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.arguments import mode_name
    from smemdesc.kinds.types import operand_type
    from smemdesc.layout.forms import forms

    dtype = operand_type(chosen["dtype"], chosen["mma_kind"])
    rows = forms(dtype, chosen["major"], mode_name(chosen["swizzle"]) if chosen["swizzle"] else None)
    found = list(_examples(rows, dtype, chosen)) if chosen["shape"] else []
    if len(found) == 1 and isinstance(found[0], SmemdescError):
        raise found[0]
    if chosen["as_json"]:
        for row, each in zip(rows, found or rows, strict=True):
            write_json({**row.to_dict(), "error": str(each)} if isinstance(each, SmemdescError) else each.to_dict())
    else:
        _write(rows, dtype, found, color, chosen["svg"])
    if found and all(isinstance(each, SmemdescError) for each in found):
        raise SmemdescError(
            f"none of the {len(found)} modes has this operand", hint="give --swizzle and --major to see what one takes"
        )


def _write(rows: list[Form], dtype: DType, found: list[Example | SmemdescError], color: str, svg: str | None) -> None:
    """Write the table, or the rows that have numbers; the others, and why, go to standard error."""
    from smemdesc.render.canonical import ExampleView, FormsView, left_out
    from smemdesc.render.parts import apart

    examples = [ExampleView(each) for each in found if not isinstance(each, SmemdescError)]
    if examples or not found:
        views = apart(examples) if found else [FormsView(rows, dtype)]
        present(color, *views, svg=svg, title="canonical layouts")
    out = [left_out(row, each) for row, each in zip(rows, found, strict=False) if isinstance(each, SmemdescError)]
    if out:
        beside(color, *out)


def _examples(rows: list[Form], dtype: DType, chosen: dict[str, Any]) -> Iterator[Example | SmemdescError]:
    """Yield each row with numbers, or why it has none: in a table of many modes no operand fits them all."""
    from smemdesc.kinds.context import parse_shape
    from smemdesc.layout.forms import example

    extent = parse_shape(chosen["shape"])
    lbo, sbo = (_offset(chosen, name) for name in ("lbo", "sbo"))
    for row in rows:
        try:
            yield example(row, dtype, extent, lbo, sbo)
        except SmemdescError as error:
            yield error


def _offset(chosen: dict[str, Any], name: str) -> int | None:
    from smemdesc.kinds.arguments import byte_count

    text = chosen[name]
    if text is None:
        return None
    size = byte_count(text)
    if size is None:
        raise SmemdescError(f"--{name} {text}: not an offset", hint="write bytes, as in 1024, 0x400, 1KiB or 64x16B")
    return size
