"""``smemdesc layout explain``."""

from __future__ import annotations

import sys
from typing import Any

import click

from smemdesc.cli.common import Problems, mma_kind_option, present, write_json
from smemdesc.cli.layout_common import output_options
from smemdesc.cli.layout_text import explain_text, given_texts, text_options
from smemdesc.kinds.names import MAJORS, SHORT_ARCHS, SMEM_KINDS


@click.command(context_settings={"max_content_width": 80})
@click.argument("layout", metavar="[TEXT]", required=False)
@click.option(
    "--kind", type=click.Choice(SMEM_KINDS), default="tcgen05", metavar="KIND", help="wgmma or tcgen05 (default)."
)
@click.option("--dtype", metavar="TYPE", help="Element type: bf16, e4m3, ...")
@mma_kind_option
@click.option(
    "--major", type=click.Choice(MAJORS, case_sensitive=False), metavar="K|MN", help="Which dimension is contiguous."
)
@click.option("--swizzle", metavar="MODE", help="The mode, where the text does not say it.")
@click.option("--shape", metavar="AxB", help="Shape of a Triton tensor; with a box: MNxK of the tile.")
@click.option("--mma", metavar="MNxK", help="Operand of one instruction: a descriptor for each step.")
@click.option(
    "--order", type=click.Choice(["mn", "k"], case_sensitive=False), metavar="mn|k", help="Order of several boxes."
)
@click.option("--start", "start_address", metavar="ADDR", help="Address in bytes, in place of the pointer.")
@click.option("--arch", metavar="ARCH", help=f"{SHORT_ARCHS}.")
@output_options("One JSON object per line.", svg=None)
@click.pass_context
def command(ctx: click.Context, /, color: str, **chosen: Any) -> None:
    """Say which descriptor addresses a layout, or what keeps any from it: CuTe, Triton, a TMA box; - is lines.

    \b
    Examples:
      smemdesc layout explain 'Sw<3,4,3>_smem_ptr[16b](0x400) o (64,16):(64,1)'
      smemdesc layout explain '(64,16):(72,1)' --dtype bf16
      smemdesc layout explain '!ttg.memdesc<128x64xbf16, #ttg.nvmma_shared<{
          swizzlingByteWidth = 128, elementBitWidth = 16}>, #smem>' --major K
      smemdesc layout explain box=64x128,swizzle=128B,dtype=bf16 --major K
    """
    if chosen["layout"] is None and chosen["tma"] is None:
        raise click.UsageError(
            "a layout is missing; for example: smemdesc layout explain box=64x128,swizzle=128B,dtype=bf16 --major K",
            ctx,
        )
    problems = Problems(color)

    def show() -> None:
        for number, (text, where) in enumerate(given_texts(chosen)):
            try:
                _show(text, chosen, color, first=not number)
            except Exception as error:
                problems.report(error, where)

    problems.leave(ctx, show)


def _show(text: str, chosen: dict[str, Any], color: str, *, first: bool) -> None:
    found = explain_text(chosen["kind"], text, chosen)
    if chosen["as_json"]:
        write_json(found.to_dict())
        return
    from smemdesc.render.layout_text import ExplanationView

    if not first:
        sys.stdout.write("\n")
    present(color, ExplanationView(found))


command.params[-4:-4] = text_options()
