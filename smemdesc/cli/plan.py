"""``smemdesc plan``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.commands import ERROR_FOUND
from smemdesc.cli.support.common import (
    Name,
    a_from_option,
    answer,
    arch_option,
    check_options,
    choice_option,
    color_option,
    force_given,
    number_option,
    one_format,
    picture_option,
    present,
    show_on_stderr,
    write_json,
    write_picture,
)
from smemdesc.cli.support.help import Brief
from smemdesc.kinds.names import MAJORS, SHORT_ARCHS

if TYPE_CHECKING:
    from smemdesc.instructions.plan import Plan

EXAMPLES = """\
Examples:
  smemdesc plan 128x128x64 --dtype bf16
  smemdesc plan 128x128x64 --dtype bf16 --a-address 0x7f1234567000
  smemdesc plan 256x256x64 --dtype e4m3 --cta-group 2 --format cuda
  smemdesc plan 128x128x256 --dtype e2m1 --scale ue4m3 --json
"""


@click.command(
    cls=Brief,
    help="Compute every constant of a GEMM tile MxNxK (--cta-group 2: of both CTAs).\n\n\b\n" + EXAMPLES,
)
@click.argument("shape", metavar="MxNxK")
@click.option("--dtype", metavar="TYPE", required=True, help="Type of A, and of B: bf16, e4m3, ...")
@click.option("--b-dtype", metavar="TYPE", help="Type of B, if it differs.")
@click.option("--d-type", metavar="TYPE", help="Type of D; default: f32, for integers s32.")
@arch_option(f"{SHORT_ARCHS}; default: sm_100a.")
@click.option("--mma-kind", metavar="KIND", help="f16, f8f6f4, mxf4, ...; default: by types and --scale.")
@choice_option("--a-major", "|".join(MAJORS), "Major-ness of A; default: K.")
@choice_option("--b-major", "|".join(MAJORS), "Major-ness of B; default: K.")
@choice_option("--trans-a", "N|T", "In BLAS terms: N is MN-major A, or K-major B.")
@choice_option("--trans-b", "N|T", "In BLAS terms: N is MN-major A, or K-major B.")
@click.option("--swizzle", metavar="MODE", help="For A and B; default: the widest that fits.")
@click.option(
    "--order",
    type=click.Choice(["mn", "k"]),
    metavar="mn|k",
    help="Order of the atoms; default: as a TMA box writes them.",
)
@number_option("--cta-group", "1|2", "cta_group of the instruction.", default="1")
@click.option("--mma", metavar="MxN[xK]", help="Shape of one instruction; default: the largest.")
@click.option("--stages", type=click.IntRange(1), default=1, metavar="N", help="Stages of the pipeline.")
@a_from_option(default="smem")
@click.option("--sparse", is_flag=True, help="Structured sparsity of A.")
@click.option(
    "--scale",
    type=Name("dtype", "ue8m0", "ue4m3", "ue5m3"),
    metavar="TYPE",
    help="Block-scaled: ue8m0, ue4m3, ue5m3.",
)
@number_option("--block", "16|32", "Elements along K per scale factor.")
@click.option(
    "--format", "style", type=click.Choice(["c", "cuda", "ptx", "python", "json"]), metavar="FORMAT",
    help="One block to paste: c, cuda, ptx, python, json.",
)  # fmt: skip
@click.option("--name", default="gemm", help="Name of the block.")
@click.option("--tensor-map", is_flag=True, help="In c and cuda: include cuda.h and its enumerators.")
@click.option("--a-address", metavar="ADDR", help="Print the tensor map of A at this address.")
@click.option("--b-address", metavar="ADDR", help="Print the tensor map of B at this address.")
@click.option("--gemm", metavar="MxNxK", help="Whole matrices, for the maps; default: the tile.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@check_options
@picture_option(
    "Draw A and B as well; - is standard output.",
    beside_json=True,
    force="Write a block with an error; overwrite the file.",
)
@color_option
@click.pass_context
def command(ctx: click.Context, /, shape: str, color: str, **params: Any) -> None:
    params["style"] = one_format(ctx, "")
    if params["style"] and params["svg"] == "-":
        raise click.UsageError(f"--format {params['style']} and --svg - cannot be given together", ctx)
    if params["tensor_map"] and params["style"] not in ("c", "cuda"):
        raise click.UsageError("--tensor-map needs --format c or cuda", ctx)
    answer(ctx, color, lambda: _show(ctx, shape, params, color))


def _show(ctx: click.Context, shape: str, params: dict[str, Any], color: str) -> bool:
    """Show the plan; return whether it fails."""
    from smemdesc.api.instructions import plan as made

    plan, style = made(shape, **_keywords(params)), params["style"]
    if style and style != "json" and plan.fails() and not force_given():
        from smemdesc.render.problem import remark_view

        _warn(plan, color)
        show_on_stderr(color, remark_view("the constants are not written; --force writes them anyway"))
        ctx.exit(ERROR_FOUND)
    if params["svg"]:
        from smemdesc.render.plan import picture

        if write_picture(params["svg"], picture(plan)):
            _warn(plan, color)
            return plan.fails(params["strict"])
    if style == "json":
        write_json(plan.to_dict())
    elif style:
        from smemdesc.render.constants import block

        _warn(plan, color)
        text = block(plan, style, params["name"], _command(shape, params), tensor_map=params["tensor_map"])
        sys.stdout.write(text)
    else:
        from smemdesc.render.plan import plan_view

        present(color, plan_view(plan))
    return plan.fails(params["strict"])


def _warn(plan: Plan, color: str) -> None:
    if plan.findings:
        from smemdesc.render.diagnostics import diagnostics

        show_on_stderr(color, diagnostics(plan.findings))


def _keywords(params: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of :func:`smemdesc.plan`: the options except those about the output."""
    output = ("as_json", "svg", "style", "name", "tensor_map", "check", "strict")
    return {name: value for name, value in params.items() if name not in output}


def _command(shape: str, params: dict[str, Any]) -> list[str]:
    """Return the command line of this plan, for the comment above the block."""
    words = ["smemdesc", "plan", shape]
    for key, value in {**_keywords(params), "tensor_map": params["tensor_map"]}.items():
        if value in (None, False):
            continue
        if (key, value) in (("cta_group", 1), ("stages", 1), ("a_from", "smem")):
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words
