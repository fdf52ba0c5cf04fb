"""``smemdesc layout operand``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.common import answer, present, svg_or_json_option, write_json, write_picture
from smemdesc.cli.layout_common import each_operand, operand_options, output_options

if TYPE_CHECKING:
    from smemdesc.descriptors.readings import DescriptorReading
    from smemdesc.descriptors.result import Result
    from smemdesc.layout.operand import Operand


@click.command(context_settings={"ignore_unknown_options": True})
@operand_options
@click.option("--list", "each", is_flag=True, help="Every element's address, one per line.")
@output_options(svg=svg_or_json_option)
@click.pass_context
def command(ctx: click.Context, /, value: str, color: str, **chosen: Any) -> None:
    """Say what VALUE addresses: the canonical layout, the extent, the address of every 16-byte unit.

    \b
    Examples:
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16
      smemdesc layout operand 0xc000404000100000 --dtype bf16 --major MN \\
          --shape 64x16 --list
      smemdesc layout operand 0x4000404000010040 --dtype e2m1 \\
          --mma-kind mxf4 --major K --shape 128x64 --json
      smemdesc layout operand 0x4000404000010040 --dtype bf16 --major K \\
          --shape 64x16 --svg operand.svg
    """
    answer(ctx, color, lambda: each_operand(value, chosen, partial(_show, chosen, color)))


def _show(
    chosen: dict[str, Any], color: str, value: str, operand: Operand, candidate: DescriptorReading, result: Result
) -> None:
    if chosen["svg"]:
        from smemdesc.render.operand import picture

        if write_picture(chosen["svg"], picture(operand, candidate)):
            return
    if chosen["as_json"]:
        from smemdesc.tiles.text import notation_dict

        of = {"value": candidate.hex, "kind": candidate.kind.name}
        write_json({**of, **operand.to_dict(), **notation_dict(operand)})
        return
    from smemdesc.render.operand import OperandView

    present(color, OperandView(operand, candidate, result.findings, each=chosen["each"]))
