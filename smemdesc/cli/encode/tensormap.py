"""``smemdesc encode tensormap``."""

from __future__ import annotations

import sys
from typing import Any

import click

from smemdesc.cli.encode.constants import FORCE, gate_options, gate_rejects, report_no_value
from smemdesc.cli.support.common import Problems, write_json
from smemdesc.cli.support.options import Brief, color_option, takes, typed
from smemdesc.engine.errors import IllegalError

TENSORMAP_FORMATS = ("hex", "bytes", "c", "python", "json")


@click.command("tensormap", cls=Brief, context_settings={"max_content_width": 80})
@takes(
    "tensormap",
    "dtype address dim stride box element_stride interleave swizzle l2_promotion fill lower_corner upper_corner "
    "channels pixels allocation_class backing arch force",
)
@gate_options
@click.option(
    "--format",
    type=click.Choice(TENSORMAP_FORMATS, case_sensitive=False),
    metavar="FORMAT",
    help=f"{', '.join(TENSORMAP_FORMATS)}.",
    default="hex",
)
@click.option("--name", default="desc", metavar="TEXT", help="Name of the constant.")
@color_option
@click.pass_context
def command(ctx: click.Context, /, color: str, **params: Any) -> None:
    """Encode the tensor map (CUtensorMap) that the driver would make.

    \b
    Examples:
      smemdesc encode tensormap --dtype bf16 --address 0x7f1234567000 \\
          --dim 4096,2048 --stride 8192 --box 64,128 --swizzle 128B
      smemdesc encode tensormap --dtype f16 --address 0x7f0000000000 \\
          --dim 64,128,128,8 --stride 128,16384,2097152 --swizzle 128B \\
          --lower-corner=-1,-1 --upper-corner=-1,-1 --channels 64 --pixels 64

    As a Hopper driver makes it, bit for bit; packed types as documented for
    Blackwell.
    """
    problems = Problems(color)
    problems.leave(ctx, lambda: _write(ctx, params, problems))


def _write(ctx: click.Context, params: dict[str, Any], problems: Problems) -> bool:
    from smemdesc.api.encoding import tensormap
    from smemdesc.descriptors.tensormap import map_text

    try:
        encoded = tensormap(**typed(ctx))
    except IllegalError as error:
        refused = IllegalError(f"refused: {error.option_message}", hint=f"{error.option_hint}; {FORCE}")
        return report_no_value(refused, params, problems)
    if gate_rejects(encoded.findings, params, problems):
        return True
    if params["format"] == "json":
        write_json(encoded.to_dict())
        return False
    sys.stdout.write(map_text(encoded, params["format"], params["name"]) + "\n")
    return False
