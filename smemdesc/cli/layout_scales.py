"""``smemdesc layout scales``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import answer, choice_option, coordinates
from smemdesc.cli.help import Brief
from smemdesc.cli.layout import output_options, write
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.names import BLOCK_SCALED

if TYPE_CHECKING:
    from smemdesc.layout.scales import Factor, Scales

EXAMPLES = """\
Examples:
  smemdesc layout scales 128x256 --mma-kind mxf8f6f4
  smemdesc layout scales 256x256 --mma-kind mxf4nvf4 --block 16 --operand b
  smemdesc layout scales 128x768 --mma-kind mxf4 --k 96
  smemdesc layout scales 128x256 --mma-kind mxf4 --at 37,100
  smemdesc layout scales 128x256 --mma-kind mxf4 --lane 5 --column 1 --json
"""


@click.command(
    cls=Brief,
    help="Show where the scale factors of a tile lie in shared and in tensor memory.\n\n\b\n" + EXAMPLES,
)
@click.argument("shape", metavar="MNxK")
@choice_option("--mma-kind", "|".join(BLOCK_SCALED), f"MMA: {', '.join(BLOCK_SCALED)}.", metavar="KIND", required=True)
@click.option("--block", type=int, metavar="16|32", help="Elements along K per factor; default for mxf4nvf4: 16.")
@choice_option("--operand", "a|b", "Default: a.", default="a")
@click.option("--k", type=int, metavar="K", help="K of one instruction; default: 32 or 64.")
@click.option("--sparse", is_flag=True, help="tcgen05.mma.sp: MNxK and K count what A is decompressed to.")
@click.option("--show", type=int, default=0, metavar="N", help="Draw this block; default: the first.")
@click.option("--at", metavar="MN,K", help="Say where the factor of this element is.")
@click.option("--byte", type=int, metavar="B", help="Say which factor is at this byte of shared memory.")
@click.option("--lane", type=int, metavar="L", help="With --column: say what is there in tensor memory.")
@click.option("--column", type=int, metavar="C", help="With --lane.")
@output_options()
@click.pass_context
def command(ctx: click.Context, /, shape: str, color: str, **chosen: Any) -> None:
    """MNxK is what one CTA has of A (M x K) or B (N x K), in elements."""
    asked = [name for name in ("at", "byte", "lane") if chosen[name] is not None]
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} cannot be given together", ctx)
    if (chosen["lane"] is None) != (chosen["column"] is None):
        raise click.UsageError("a place in tensor memory is --lane and --column", ctx)
    answer(ctx, color, lambda: _show(shape, chosen, color))


def _show(shape: str, chosen: dict[str, Any], color: str) -> None:
    from smemdesc.kinds.context import parse_shape
    from smemdesc.layout.scales import scales

    rows, k = parse_shape(shape)
    shown = scales(
        rows,
        k,
        chosen["mma_kind"],
        operand=chosen["operand"],
        block=chosen["block"],
        one_k=chosen["k"],
        sparse=chosen["sparse"],
    )
    if not 0 <= chosen["show"] < shown.block_count:
        raise SmemdescError(f"there is no block {chosen['show']}", hint=f"--show is 0 to {shown.block_count - 1}")
    factor, lane, column = _factor(shown, chosen), chosen["lane"], chosen["column"]
    title = str(shown)
    if factor is not None:
        write(chosen, color, lambda: shown.factor_dict(factor), "scales:FactorView", shown, factor, title=title)
    elif lane is not None:
        shown.column_factors(lane, column)  # refuses what there is not
        data = partial(shown.column_dict, lane, column)
        write(chosen, color, data, "scales:WordView", shown, lane, column, title=title)
    else:
        write(chosen, color, shown.to_dict, "scales:ScalesView", shown, chosen["show"], picture=True)


def _factor(shown: Scales, chosen: dict[str, Any]) -> Factor | None:
    """Return the factor that --at or --byte asks for."""
    from smemdesc.layout.scales import Factor

    if chosen["at"] is not None:
        row, k = coordinates(chosen["at"], f"{shown.letter.upper()},K")
        if not 0 <= k < shown.k:
            raise SmemdescError(f"there is no k {k}", hint=f"k is 0 to {shown.k - 1}")
        shown.place(row, k // shown.block)  # refuses a row that there is not
        return Factor(row, k // shown.block)
    if chosen["byte"] is None:
        return None
    found = shown.at(chosen["byte"])
    if found is None:
        raise SmemdescError(f"byte {chosen['byte']} holds no factor", hint="the tile does not fill the block")
    return found
