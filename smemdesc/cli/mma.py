"""``smemdesc mma``."""

from __future__ import annotations

from typing import Any

import click

from smemdesc.cli.support.common import (
    Problems,
    a_from_option,
    answer,
    arch_option,
    check_options,
    color_option,
    number_option,
    tensor_map,
    write,
)
from smemdesc.cli.support.help import Brief

EXAMPLES = """\
Examples:
  smemdesc mma --a 0x40004040:? --b 0x40004040:? --idesc 0x8210490 \\
      --mma-kind f16 --cta-group 1 --arch sm_100a --a-map @a.map
  smemdesc mma --a 0x4000004000010040 --b 0x4000004002000440 \\
      --inst m64n128k16 --dtype bf16 --trans-b --b-tile 128x64
  smemdesc mma --a 0x4000404000010040 --b 0x4000404000010440 \\
      --idesc 0x8200490 --mma-kind f16 --a-tile 128x64,at=0x400
"""
_TILE = "MNxK[,KEY=...]"


@click.command(
    cls=Brief,
    help="Check one instruction and its operands together.\n\n\b\n" + EXAMPLES,
)
@click.option("--a", metavar="VALUE", help="Descriptor of A.")
@click.option("--b", metavar="VALUE", help="Descriptor of B.")
@click.option("--idesc", metavar="VALUE", help="Instruction descriptor (tcgen05).")
@click.option("--mask", metavar="VALUE", help="Zero-column mask (tcgen05.mma.ws).")
@click.option("--mma-kind", metavar="KIND", help="MMA kind, or several: f16,tf32; default: all that fit.")
@number_option("--cta-group", "1|2", "cta_group; default: 1.")
@click.option("--ws/--no-ws", default=None, help="Whether it is tcgen05.mma.ws.")
@number_option("--scale-vec", "1|2|4", "scale_vec::NX.")
@click.option("--qualifier", metavar="NAME", help="Qualifiers: lut-b,collector-b (see fields --arch).")
@click.option("--inst", metavar="mMnNkK", help="wgmma, in place of --idesc: its shape, m64n128k16.")
@click.option("--dtype", metavar="TYPE", help="wgmma: type of A and B, or of each: e4m3,e5m2.")
@click.option("--d-type", metavar="TYPE", help="wgmma: type of D.")
@click.option("--trans-a", is_flag=True, help="wgmma: A is MN-major (imm-trans-a 1).")
@click.option("--trans-b", is_flag=True, help="wgmma: B is MN-major (imm-trans-b 1).")
@click.option("--sparse", is_flag=True, help="The instruction has .sp.")
@a_from_option()
@arch_option()
@click.option("--a-tile", metavar=_TILE, help="Check against this tile of A in memory (of both CTAs).")
@click.option("--b-tile", metavar=_TILE, help="The same for B. KEYs: swizzle, major, order, at, dtype.")
@click.option("--a-map", metavar="MAP", help="The tensor map that writes A: does it fit?")
@click.option("--b-map", metavar="MAP", help="The tensor map that writes B: does it fit?")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@check_options
@color_option
@click.pass_context
def command(ctx: click.Context, /, color: str, **params: Any) -> None:
    if not any(params[name] for name in ("a", "b", "idesc", "mask", "inst")):
        raise click.UsageError(
            "values are missing; for example: smemdesc mma --a 0x40004040:? --idesc 0x8210490 --mma-kind f16",
            ctx,
        )
    answer(ctx, color, lambda: _show(params, color))


def _show(params: dict[str, Any], color: str) -> bool:
    from smemdesc.api.instructions import mma
    from smemdesc.instructions.options import remark

    keywords = {name: value for name, value in params.items() if name not in ("as_json", "check", "strict")}
    checked = mma(**keywords | {name: tensor_map(params[name], name) for name in ("a_map", "b_map")})
    write(params, color, checked.to_dict, "mma:view_of", checked)
    if remark(checked.mma):
        Problems(color).note(remark(checked.mma))
    return checked.fails(params["strict"])
