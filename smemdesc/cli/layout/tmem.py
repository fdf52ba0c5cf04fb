"""``smemdesc layout tmem`` and ``smemdesc layout scales``: layouts in tensor memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import AOrD, output_options
from smemdesc.cli.support.common import (
    answer,
    choice_option,
    mma_kind_option,
    number_option,
    write,
)
from smemdesc.cli.support.help import Brief
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import BLOCK_SCALED

if TYPE_CHECKING:
    from smemdesc.layout.scales import Factor, Scales
    from smemdesc.layout.tmem import Tmem, TmemElement

EXAMPLES = """\
Examples:
  smemdesc layout tmem --m 64 --n 128
  smemdesc layout tmem --m 64 --n 128 --ws
  smemdesc layout tmem --m 256 --n 128 --cta-group 2 --at 200,17
  smemdesc layout tmem --m 64 --n 128 --lane 37 --column 5
  smemdesc layout tmem --m 128 --n 64 --operand a --dtype bf16 --svg a.svg
"""


@click.command(
    cls=Brief,
    help="Show which lane and column of tensor memory holds which element of D, or of A.\n\n\b\n" + EXAMPLES,
)
@click.option("--m", type=int, metavar="M", required=True, help="M of the instruction: 32, 64, 128 or 256.")
@click.option("--n", type=int, metavar="N", required=True, help="N of the instruction.")
@number_option("--cta-group", "1|2", "cta_group of the instruction.", default="1")
@click.option("--ws", is_flag=True, help="tcgen05.mma.ws.")
@click.option("--sparse", is_flag=True, help="tcgen05.mma.sp: matters with M 128 and two CTAs.")
@choice_option("--operand", "a|d", "Default: d.", default="d", type=AOrD())
@click.option("--dtype", metavar="TYPE", help="Of D: f32, f16, s32. Of A: bf16, e4m3, ...")
@click.option("--k", type=int, metavar="K", help="Columns of A; default: K of one MMA.")
@mma_kind_option
@click.option("--start", metavar="ADDR", help="Address of the matrix: lane << 16 | column; default: 0.")
@click.option("--at", metavar="M,N", help="Show where this element is (M,K of A).")
@click.option("--lane", type=int, metavar="L", help="Show what this lane holds.")
@click.option("--column", type=int, metavar="C", help="Show what this column holds.")
@output_options()
@click.pass_context
def command(ctx: click.Context, /, color: str, **params: Any) -> None:
    if params["at"] is not None and (params["lane"] is not None or params["column"] is not None):
        raise click.UsageError("--at is for an element, --lane and --column for their contents: give one", ctx)
    answer(ctx, color, lambda: _show(params, color))


def _show(params: dict[str, Any], color: str) -> None:
    from smemdesc.api.geometry import tmem

    names = ("m", "n", "operand", "dtype", "mma_kind", "cta_group", "ws", "sparse", "k")
    layout = tmem(**{name: params[name] for name in names}, start=params["start"] or 0)
    element = _element(params["at"], layout)
    lane, column = params["lane"], params["column"]
    title = str(layout)
    if element is not None:
        write(
            params, color, lambda: layout.element_dict(element), "tmem:tmem_element_view", layout, element, title=title
        )
    elif lane is not None or column is not None:
        data = partial(layout.to_dict, lane, column)
        write(params, color, data, "tmem:tmem_view", layout, lane, column, title=title)
    else:
        write(params, color, layout.to_dict, "tmem:tmem_view", layout, picture=True)


def _element(text: str | None, layout: Tmem) -> TmemElement | None:
    if text is None:
        return None
    from smemdesc.kinds.options import coordinates
    from smemdesc.layout.tmem import TmemElement

    row, column = coordinates("at", text, f"M,{layout.letter.upper()}")
    layout.places(row, column)  # an error if it does not exist
    return TmemElement(row, column)


SCALES_EXAMPLES = """\
Examples:
  smemdesc layout scales 128x256 --mma-kind mxf8f6f4
  smemdesc layout scales 256x256 --mma-kind mxf4nvf4 --block 16 --operand b
  smemdesc layout scales 128x768 --mma-kind mxf4 --k 96
  smemdesc layout scales 128x256 --mma-kind mxf4 --at 37,100
  smemdesc layout scales 128x256 --mma-kind mxf4 --lane 5 --column 1 --json
"""


@click.command(
    cls=Brief,
    help="Show where the scale factors of a tile are in shared and in tensor memory.\n\n\b\n" + SCALES_EXAMPLES,
)
@click.argument("shape", metavar="MNxK")
@choice_option("--mma-kind", "|".join(BLOCK_SCALED), f"MMA: {', '.join(BLOCK_SCALED)}.", metavar="KIND", required=True)
@click.option("--block", type=int, metavar="16|32", help="Elements along K per factor; default for mxf4nvf4: 16.")
@choice_option("--operand", "a|b", "Default: a.", default="a")
@click.option("--k", type=int, metavar="K", help="K of one instruction; default: 32 or 64.")
@click.option("--sparse", is_flag=True, help="tcgen05.mma.sp: MNxK and K are those before compression.")
@click.option("--show", type=int, default=0, metavar="N", help="Draw this block; default: the first.")
@click.option("--at", metavar="MN,K", help="Show where the factor of this element is.")
@click.option("--byte", type=int, metavar="B", help="Show the factor at this byte of shared memory.")
@click.option("--lane", type=int, metavar="L", help="With --column: show what is there in tensor memory.")
@click.option("--column", type=int, metavar="C", help="With --lane.")
@output_options()
@click.pass_context
def scales(ctx: click.Context, /, shape: str, color: str, **params: Any) -> None:
    """MNxK is the part of A (M x K) or B (N x K) in one CTA, in elements."""
    queries = [name for name in ("at", "byte", "lane") if params[name] is not None]
    if len(queries) > 1:
        raise click.UsageError(f"--{queries[0]} and --{queries[1]} cannot be given together", ctx)
    if (params["lane"] is None) != (params["column"] is None):
        raise click.UsageError("a place in tensor memory needs --lane and --column", ctx)
    answer(ctx, color, lambda: _show_scales(shape, params, color))


def _show_scales(shape: str, params: dict[str, Any], color: str) -> None:
    from smemdesc.api.geometry import scales as lay_out

    names = ("mma_kind", "block", "operand", "k", "sparse")
    layout = lay_out(shape, **{name: params[name] for name in names})
    if not 0 <= params["show"] < layout.block_count:
        raise SmemdescError(f"block {params['show']} does not exist", hint=f"use --show 0 to {layout.block_count - 1}")
    factor, lane, column = _factor(layout, params), params["lane"], params["column"]
    title = str(layout)
    if factor is not None:
        write(params, color, lambda: layout.factor_dict(factor), "scales:factor_view", layout, factor, title=title)
    elif lane is not None:
        layout.column_factors(lane, column)  # an error if it does not exist
        data = partial(layout.column_dict, lane, column)
        write(params, color, data, "scales:word_view", layout, lane, column, title=title)
    else:
        write(params, color, layout.to_dict, "scales:scales_view", layout, params["show"], picture=True)


def _factor(layout: Scales, params: dict[str, Any]) -> Factor | None:
    """Return the factor at --at or --byte."""
    from smemdesc.kinds.options import coordinates
    from smemdesc.layout.scales import Factor

    if params["at"] is not None:
        row, k = coordinates("at", params["at"], f"{layout.letter.upper()},K")
        if not 0 <= k < layout.k:
            raise SmemdescError(f"k = {k} does not exist", hint=f"use k 0 to {layout.k - 1}")
        layout.place(row, k // layout.block)  # an error if there is no such row
        return Factor(row, k // layout.block)
    if params["byte"] is None:
        return None
    factor = layout.at(params["byte"])
    if factor is None:
        raise SmemdescError(f"byte {params['byte']} holds no factor", hint="the tile does not fill the block")
    return factor
