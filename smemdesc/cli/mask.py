"""``smemdesc mask``: a descriptor's mask, the descriptor of a mask, the masks of a convolution."""

from __future__ import annotations

import sys
from typing import Any

import click

from smemdesc.cli.commands import HelpContext
from smemdesc.cli.support.common import Problems, ValueType, answering, svg_or_json_option, write_result
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import check_options, color_option, json_option, options, takes, typed
from smemdesc.cli.support.paging import paging
from smemdesc.cli.support.pasted import STDIN, read_values

CONV = "conv"

EXAMPLES = """\
Examples:
  smemdesc mask 0x0203028301020100 --m 32 --n 64
  smemdesc mask 0x0003028100000000 --m 64 --n 128 --svg mask.svg
  smemdesc mask --zero 0-2,7-9,14-15 --m 128 --n 16
  smemdesc mask --zero 0-2,7-9,14-15 --m 128 --n 16 --shift 2
  smemdesc mask --mask 0xc387 --m 128 --n 16 --json
  smemdesc mask conv --q 255 --n 128 --m 128 --tile 1 --left 2 --filter 3
  smemdesc mask conv --help                   # the masks of a convolution
"""
CONV_EXAMPLES = """\
Examples:
  smemdesc mask conv --q 28 --n 64 --m 128 --tile 0 --left 1 --filter 3
  smemdesc mask conv --q 255 --n 128 --m 128 --tile 1 --left 2 --filter 3 \\
      --expect 0x007e008000000000
"""

_output_options = options(json_option("One JSON object per line."), svg_or_json_option, check_options, color_option)


class MaskValues(click.Argument):
    """The values, unless ``--zero`` or ``--mask`` is given."""

    instead = ("zero", "mask")


class Mask(click.Command):
    """The command, or, if the first word is ``conv``, the one for convolutions."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] == CONV:
            return conv_command.make_context(f"{info_name} {CONV}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=Mask,
    context_settings={"ignore_unknown_options": True, "max_content_width": 80},
    help="Show the columns of B that a zero-column mask descriptor zeroes or, with --zero or --mask, find the "
    "descriptor that zeroes exactly these columns.\n\n\b\n" + EXAMPLES,
)
@click.argument("values", metavar="VALUE...", nargs=-1, type=ValueType(), cls=MaskValues)
@takes("mask", "zero mask shift m n")
@_output_options
@click.pass_context
def command(ctx: click.Context, /, values: tuple[str, ...], **params: Any) -> None:
    ways = bool(values) + (params["zero"] is not None) + (params["mask"] is not None)
    if ways != 1:
        raise click.UsageError("give one of VALUE, --zero and --mask", ctx) if ways else missing_parameters(ctx)
    if params["shift"] is not None and values:
        raise click.UsageError("--shift needs --zero or --mask; a VALUE has its own column shift", ctx)
    if CONV in values:
        raise click.UsageError(f"write {CONV} first: smemdesc mask {CONV} --q ...", ctx)
    if params["svg"] and (len(values) > 1 or "-" in values):
        raise click.UsageError("--svg draws one mask", ctx)
    problems = Problems(params["color"])
    with paging(problems.color, unless=params["as_json"] or STDIN in values):
        problems.leave(ctx, lambda: _values(values, params, problems) if values else _find(ctx))


def _values(values: tuple[str, ...], params: dict[str, Any], problems: Problems) -> bool:
    from smemdesc.api.decoding import mask

    failed = False
    first = True
    for line in read_values(values):
        with problems.reporting(line.where):
            checked = mask(line.text, m=params["m"], n=params["n"])
            if not first and not params["as_json"]:
                sys.stdout.write("\n")
            first = False
            write_result(params, checked)
            failed = failed or checked.fails(params["strict"])
    return failed


def _find(ctx: click.Context) -> bool:
    from smemdesc.api.decoding import mask

    checked = mask(**typed(ctx))
    write_result(ctx.params, checked)
    return checked.fails(ctx.params["strict"])


@click.command(
    CONV,
    context_settings={"max_content_width": 80},
    help="Make the masks of a tile of a convolution, one per filter column: each zeroes the columns of B that are "
    "padding, and is expanded and compared with the padding.\n\n\b\n" + CONV_EXAMPLES + "\n"
    "Stride 1, rows of as many input as output pixels. Column c of the tile is output pixel tile * N + c of all "
    "consecutive rows; filter column s reads it shifted by s. It is padding if its input is outside its "
    "row.",
)
@takes("conv", "q m n tile left filter expect")
@_output_options
@answering
def conv_command(ctx: click.Context, /, **params: Any) -> bool:
    from smemdesc.api.decoding import conv

    convolution = conv(**typed(ctx))
    write_result(params, convolution, data=convolution.rows)
    return convolution.fails(params["strict"])


conv_command.context_class = HelpContext
