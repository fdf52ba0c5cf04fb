"""``smemdesc layout tmem``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import (
    answer,
    choice_option,
    coordinates,
    mma_kind_option,
    number_option,
)
from smemdesc.cli.help import Brief
from smemdesc.cli.layout import output_options, write

if TYPE_CHECKING:
    from smemdesc.layout.tmem import Element, Tmem

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
@click.option("--m", type=int, metavar="M", help="M of the instruction: 32, 64, 128 or 256.")
@click.option("--n", type=int, metavar="N", help="N of the instruction.")
@number_option("--cta-group", "1|2", "cta_group of the instruction.", default="1")
@click.option("--ws", is_flag=True, help="tcgen05.mma.ws.")
@click.option("--sparse", is_flag=True, help="tcgen05.mma.sp: matters with M 128 and two CTAs.")
@choice_option("--operand", "a|d", "Default: d.", default="d")
@click.option("--dtype", metavar="TYPE", help="Of D: f32, f16, s32. Of A: bf16, e4m3, ...")
@click.option("--k", type=int, metavar="K", help="Columns of A; default: K of one MMA.")
@mma_kind_option
@click.option("--start", metavar="ADDR", help="Address of the matrix: lane << 16 | column; default: 0.")
@click.option("--at", metavar="M,N", help="Say where this element is (M,K of A).")
@click.option("--lane", type=int, metavar="L", help="Say what this lane holds.")
@click.option("--column", type=int, metavar="C", help="Say what this column holds.")
@output_options()
@click.pass_context
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    for name in ("m", "n"):
        if chosen[name] is None:
            raise click.UsageError(f"--{name} is missing; for example: smemdesc layout tmem --m 64 --n 128", ctx)
    if chosen["at"] is not None and (chosen["lane"] is not None or chosen["column"] is not None):
        raise click.UsageError("--at asks where an element is, --lane and --column what is there: give one", ctx)
    answer(ctx, color, lambda: _show(chosen, color))


def _show(chosen: dict[str, Any], color: str) -> None:
    from smemdesc.layout.tmem import parse_start, tmem

    shown = tmem(
        chosen["m"],
        chosen["n"],
        operand=chosen["operand"],
        dtype=chosen["dtype"],
        mma_kind=chosen["mma_kind"],
        cta_group=chosen["cta_group"],
        ws=chosen["ws"],
        sparse=chosen["sparse"],
        k=chosen["k"],
        start=parse_start(chosen["start"]) if chosen["start"] is not None else 0,
    )
    element = _element(chosen["at"], shown)
    lane, column = chosen["lane"], chosen["column"]
    title = str(shown)
    if element is not None:
        write(chosen, color, lambda: shown.element_dict(element), "tmem:ElementView", shown, element, title=title)
    elif lane is not None or column is not None:
        data = partial(shown.to_dict, lane, column)
        write(chosen, color, data, "tmem:TmemView", shown, lane, column, title=title)
    else:
        write(chosen, color, shown.to_dict, "tmem:TmemView", shown, picture=True)


def _element(text: str | None, shown: Tmem) -> Element | None:
    if text is None:
        return None
    from smemdesc.layout.tmem import Element

    row, column = coordinates(text, f"M,{shown.letter.upper()}")
    shown.places(row, column)  # refuses what there is not
    return Element(row, column)
