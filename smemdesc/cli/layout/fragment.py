"""``smemdesc layout fragment``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import looked_up, output_options
from smemdesc.cli.support.common import answering, write_result
from smemdesc.cli.support.options import takes

if TYPE_CHECKING:
    from smemdesc.layout.index_map import MatrixElement


@click.command()
@takes("fragment", "shape operand dtype thread at register")
@click.option("--all", "everything", is_flag=True, help="Draw all rows and columns, including those that repeat.")
@output_options()
@answering
def command(ctx: click.Context, /, **params: Any) -> None:
    """Show which register of which thread holds which element of a wgmma's A or D.

    \b
    Examples:
      smemdesc layout fragment --shape m64n64k16 --operand d --dtype f32
      smemdesc layout fragment --shape m64n8k16 --operand a --dtype bf16 --all
      smemdesc layout fragment --shape m64n64k32 --operand a --dtype e4m3 \\
          --thread 5
      smemdesc layout fragment --shape m64n64k16 --operand d --dtype f32 \\
          --at 17,3
      smemdesc layout fragment --shape m64n64k8 --operand a --svg a.svg

    T5:r2 is register 2 of thread 5 of the warpgroup; T5:r2.1 its second
    element from the low bits, if a register holds several. --dtype may be
    omitted if the shape has only one type.
    """
    if params["at"] is not None and (params["thread"] is not None or params["register"] is not None):
        raise click.UsageError("--at is for an element, --thread and --register for their contents: give one", ctx)
    from smemdesc.api.geometry import fragment

    layout = fragment(shape=params["shape"], operand=params["operand"], dtype=params["dtype"])
    thread, register = looked_up("fragment", params, "thread", "register")
    cell = _cell(params["at"])
    if cell is not None:
        data = partial(layout.element_dict, cell)
        write_result(params, layout, cell, view="index_map:element_view", data=data)
    elif thread is not None:
        data = partial(layout.thread_dict, thread, register)
        write_result(params, layout, thread, register, view="index_map:place_view", data=data)
    else:
        if register is not None:
            layout.cell(0, register)  # an error if it does not exist
        of_register = None if register is None else partial(layout.register_dict, register)
        write_result(params, layout, data=of_register, everything=params["everything"], register=register)


def _cell(text: str | None) -> MatrixElement | None:
    if text is None:
        return None
    from smemdesc.api.options.readers import read_coordinates
    from smemdesc.layout.index_map import MatrixElement

    return MatrixElement(*read_coordinates("at", text, "ROW,COL"))
