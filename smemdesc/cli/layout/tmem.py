"""``smemdesc layout tmem`` and ``smemdesc layout scales``: layouts in tensor memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import looked_up, output_options
from smemdesc.cli.support.common import answering, write_result
from smemdesc.cli.support.options import Brief, takes, typed
from smemdesc.engine.errors import SmemdescError

if TYPE_CHECKING:
    from smemdesc.layout.index_map import MatrixElement
    from smemdesc.layout.scales import Factor, Scales
    from smemdesc.layout.tmem import Tmem

EXAMPLES = """\
Examples:
  smemdesc layout tmem --m 64 --n 128
  smemdesc layout tmem --m 256 --n 128 --cta-group 2 --at 200,17
  smemdesc layout tmem --m 64 --n 128 --lane 37 --column 5
  smemdesc layout tmem --m 128 --n 64 --operand a --dtype bf16 --svg a.svg
  smemdesc layout tmem --m 128 --n 64 --ld 16x256b --thread 37 --register 3
"""
_LOOKED_UP = ("thread", "register", "lane", "column")


@click.command(
    cls=Brief,
    help="Show which lane and column of tensor memory holds which element of D, or of A; with --ld, which register of "
    "which thread.\n\n\b\n" + EXAMPLES,
)
@takes("tmem", "m n cta_group ws sparse operand dtype k mma_kind start at lane column ld num pack thread register")
@output_options()
@answering
def command(ctx: click.Context, /, **params: Any) -> None:
    if params["at"] is not None and any(params[name] is not None for name in _LOOKED_UP):
        raise click.UsageError(
            "--at is for an element; --lane, --column, --thread, --register for their contents: give one", ctx
        )
    from smemdesc.api.geometry import tmem, without_load
    from smemdesc.layout.tmem_load import TmemLoads

    layout = tmem(**typed(ctx, "at", *_LOOKED_UP))
    loads = layout if isinstance(layout, TmemLoads) else None
    element = _element(params["at"], loads.tmem if loads else layout)
    thread, register, lane, column = places = looked_up("tmem", params, *_LOOKED_UP)
    if loads is None and (thread, register) != (None, None):
        raise without_load("thread" if thread is not None else "register")
    if element is not None:
        data = partial(layout.element_dict, element)
        write_result(params, layout, element, view="index_map:element_view", data=data)
    elif loads and any(place is not None for place in places):
        data = partial(loads.held_dict, *places)
        write_result(params, loads, *places, view="index_map:place_view", data=data)
    elif lane is not None or column is not None:
        data = partial(layout.to_dict, lane, column)
        write_result(params, layout, lane, column, view="index_map:place_view", data=data)
    else:
        write_result(params, layout)


def _element(text: str | None, layout: Tmem) -> MatrixElement | None:
    if text is None:
        return None
    from smemdesc.api.options.readers import read_coordinates
    from smemdesc.layout.index_map import MatrixElement

    row, column = read_coordinates("at", text, f"M,{layout.letter.upper()}")
    layout.places(row, column)  # an error if it does not exist
    return MatrixElement(row, column)


SCALES_EXAMPLES = """\
Examples:
  smemdesc layout scales 128x256 --mma-kind mxf8f6f4
  smemdesc layout scales 256x256 --mma-kind mxf4nvf4 --block 16 --operand b
  smemdesc layout scales 128x768 --mma-kind mxf4 --k 96
  smemdesc layout scales 128x256 --mma-kind mxf4 --at 37,100
  smemdesc layout scales 128x256 --mma-kind mxf4 --lane 5 --column 1 --json
  smemdesc layout scales 128x256 --mma-kind mxf4 --at 37,100 --ld 32x32b
"""


@click.command(
    cls=Brief,
    help="Show where the scale factors of a tile are in shared and in tensor memory.\n\n\b\n" + SCALES_EXAMPLES,
)
@click.argument("shape", metavar="MNxK")
@takes("scales", "mma_kind block operand k sparse show at byte lane column ld num")
@output_options()
@answering
def scales_command(ctx: click.Context, /, shape: str, **params: Any) -> None:
    """MNxK is the part of A (M x K) or B (N x K) in one CTA, in elements."""
    queries = [name for name in ("at", "byte", "lane") if params[name] is not None]
    if len(queries) > 1:
        raise click.UsageError(f"--{queries[0]} and --{queries[1]} cannot be given together", ctx)
    if (params["lane"] is None) != (params["column"] is None):
        raise click.UsageError("a place in tensor memory needs --lane and --column", ctx)
    from smemdesc.api import geometry

    layout = geometry.scales(shape, **typed(ctx, "show", "at", "byte", "lane", "column"))
    show, byte, lane, column = looked_up("scales", params, "show", "byte", "lane", "column")
    if not 0 <= show < layout.block_count:
        raise SmemdescError(f"block {show} does not exist", hint=f"use --show 0 to {layout.block_count - 1}")
    factor = _factor(layout, params["at"], byte)
    if factor is not None:
        data = partial(layout.factor_dict, factor)
        write_result(params, layout, factor, view="index_map:element_view", data=data)
    elif lane is not None:
        layout.column_factors(lane, column)  # an error if it does not exist
        data = partial(layout.column_dict, lane, column)
        write_result(params, layout, lane, column, view="index_map:place_view", data=data)
    else:
        write_result(params, layout, number=show)


def _factor(layout: Scales, at: str | None, byte: int | None) -> Factor | None:
    """Return the factor at --at or --byte."""
    from smemdesc.api.options.readers import read_coordinates
    from smemdesc.layout.scales import Factor

    if at is not None:
        row, k = read_coordinates("at", at, f"{layout.letter.upper()},K")
        if not 0 <= k < layout.k:
            raise SmemdescError(f"k = {k} does not exist", hint=f"use k 0 to {layout.k - 1}")
        layout.place(row, k // layout.block)  # an error if there is no such row
        return Factor(row, k // layout.block)
    if byte is None:
        return None
    factor = layout.at(byte)
    if factor is None:
        raise SmemdescError(f"byte {byte} holds no factor", hint="the tile does not fill the block")
    return factor
