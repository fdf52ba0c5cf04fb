"""``smemdesc encode tensormap``."""

from __future__ import annotations

import sys
from typing import Any

import click

from smemdesc.cli.encode.constants import FORCE, gate_options, gate_rejects, report_no_value
from smemdesc.cli.support.common import Problems, choice_option, color_option, options, write_json
from smemdesc.cli.support.help import Brief
from smemdesc.engine.errors import IllegalError

FORMATS = ("hex", "bytes", "c", "python", "json")


@click.command("tensormap", cls=Brief, context_settings={"max_content_width": 80})
@options(
    click.option("--dtype", metavar="TYPE", required=True, help="BFLOAT16 or bf16."),
    click.option("--address", metavar="ADDR", required=True, help="First byte of the tensor."),
    click.option("--dim", metavar="N0,N1,..", required=True, help="Innermost first."),
    click.option("--stride", metavar="B1,B2,..", default="", help="Bytes, for all dimensions but the innermost."),
    click.option("--box", metavar="N0,N1,..", default="", help="Elements of one copy."),
    click.option("--element-stride", metavar="N0,N1,..", default="", help="Copy every Nth element; default: 1."),
    choice_option("--interleave", "none|16B|32B", "CU_TENSOR_MAP_INTERLEAVE_...", default="none"),
    choice_option("--swizzle", "none|32B|64B|128B", "CU_TENSOR_MAP_SWIZZLE_...", default="none"),
    choice_option("--l2-promotion", "none|64B|128B|256B", "CU_TENSOR_MAP_L2_PROMOTION_...", default="none"),
    choice_option("--fill", "zero|nan", "Values outside the tensor.", default="zero"),
    click.option("--lower-corner", metavar="N1,..", default="", help="im2col: corner of the bounding box."),
    click.option("--upper-corner", metavar="N1,..", default="", help="im2col: the opposite corner."),
    click.option("--channels", metavar="N", help="im2col: channels per pixel."),
    click.option("--pixels", metavar="N", help="im2col: pixels per column."),
    click.option("--force", is_flag=True, help="Encode even what the driver rejects."),
    gate_options,
    choice_option("--format", "|".join(FORMATS), f"{', '.join(FORMATS)}.", default="hex", metavar="FORMAT"),
    click.option("--name", default="desc", metavar="TEXT", help="Name of the constant."),
)
@color_option
@click.pass_context
def command(ctx: click.Context, /, color: str, **params: Any) -> None:
    """Encode the tensor map (CUtensorMap) that the driver makes from these arguments.

    \b
    Examples:
      smemdesc encode tensormap --dtype bf16 --address 0x7f1234567000 \\
          --dim 4096,2048 --stride 8192 --box 64,128 --swizzle 128B
      smemdesc encode tensormap --dtype f16 --address 0x7f0000000000 \\
          --dim 64,128,128,8 --stride 128,16384,2097152 --swizzle 128B \\
          --lower-corner=-1,-1 --upper-corner=-1,-1 --channels 64 --pixels 64

    The result is bit for bit that of a Hopper driver; what it rejects is an error with the reason. Packed types, which
    it rejects, are as documented for Blackwell. im2col wide has one number per corner at rank 4 and 5.
    """
    problems = Problems(color)
    problems.leave(ctx, lambda: _write(params, problems))


def _write(params: dict[str, Any], problems: Problems) -> bool:
    from smemdesc.api.encoding import tensormap
    from smemdesc.descriptors.tensormap import written

    output = ("check", "strict", "format", "name")
    try:
        encoded = tensormap(**{name: value for name, value in params.items() if name not in output})
    except IllegalError as error:
        refused = IllegalError(f"refused: {error.message}", hint=f"{error.hint}; {FORCE}")
        return report_no_value(refused, params, problems)
    if gate_rejects(encoded.findings, params, problems):
        return True
    if params["format"] == "json":
        write_json(encoded.to_dict())
        return False
    sys.stdout.write(written(encoded, params["format"], params["name"]) + "\n")
    return False
