"""``smemdesc plan``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.commands import ERROR_FOUND
from smemdesc.cli.support.common import (
    answering,
    force_given,
    one_format,
    one_output,
    picture_option,
    present,
    show_on_stderr,
    write_json,
    write_picture,
)
from smemdesc.cli.support.help import missing_parameters
from smemdesc.cli.support.options import (
    Brief,
    check_options,
    color_option,
    format_option,
    given_as_words,
    json_option,
    takes,
    typed,
)

if TYPE_CHECKING:
    from smemdesc.instructions.plan import Plan

EXAMPLES = """\
Examples:
  smemdesc plan 128x128x64 bf16
  smemdesc plan 256x256x64 e4m3 --cta-group 2 --format cuda
  smemdesc plan 128x128x256 nvfp4 --field a.descriptor
"""


@click.command(
    cls=Brief,
    help="Compute every constant of a GEMM tile MxNxK (--cta-group 2: of both CTAs).\n\n\b\n" + EXAMPLES,
)
@click.argument("shape", metavar="MxNxK")
@click.argument("type_name", metavar="[TYPE]", required=False)
@takes(
    "plan",
    "dtype b_dtype d_type arch mma_kind a_major b_major trans_a trans_b swizzle order cta_group mma stages a_from "
    "sparse scale block",
)
@click.option("--field", "names", metavar="NAME", multiple=True, help="Print only this: a.descriptor; repeatable.")
@format_option("One block: c, cuda, ptx, sh, python, json.", "c", "cuda", "ptx", "sh", "python", "json")
@click.option("--all", "every", is_flag=True, help="Also reasons, and layouts as in CuTe and Triton.")
@click.option("--name", default="gemm", help="Name of the block.")
@click.option("--tensor-map", is_flag=True, help="In c and cuda: include cuda.h and its enumerators.")
@takes("plan", "a_address b_address gemm")
@json_option("The same as --format json.")
@check_options
@picture_option(
    "Draw shared memory, A and B; - is standard output.",
    beside_json=True,
    force="Write a block with an error; overwrite the file.",
)
@color_option
@answering
def command(ctx: click.Context, /, shape: str, type_name: str | None, color: str, **params: Any) -> bool:
    given_as_words(ctx, params, dtype=type_name)
    if not params["dtype"] and not params["mma_kind"]:
        raise missing_parameters(ctx)
    one_output(ctx, "as_json", "names", "svg")
    params["style"] = one_format(ctx, "")
    if params["style"] and params["names"]:
        raise click.UsageError(f"--field and --format {params['style']} cannot be given together", ctx)
    if params["style"] and params["svg"] == "-":
        raise click.UsageError(f"--format {params['style']} and --svg - cannot be given together", ctx)
    if params["tensor_map"] and params["style"] not in ("c", "cuda"):
        raise click.UsageError("--tensor-map needs --format c or cuda", ctx)
    from smemdesc.api import planning

    plan, style = planning.plan(shape, **typed(ctx)), params["style"]
    if (params["names"] or style not in ("", "json")) and plan.fails() and not force_given():
        from smemdesc.render.problem import remark_view

        _warn(plan, color)
        show_on_stderr(color, remark_view("the constants are not written; --force writes them anyway"))
        ctx.exit(ERROR_FOUND)
    if params["svg"]:
        from smemdesc.render.plan_picture import picture

        if write_picture(params["svg"], picture(plan)):
            _warn(plan, color)
            return plan.fails(params["strict"])
    if params["names"]:
        sys.stdout.write("\t".join(plan.bare(name) for name in params["names"]) + "\n")
        _warn(plan, color)
    elif style == "json":
        write_json(plan.to_dict())
    elif style:
        from smemdesc.render.plan_block import plan_text

        _warn(plan, color)
        text = plan_text(plan, style, params["name"], _command(ctx, shape), tensor_map=params["tensor_map"])
        sys.stdout.write(text)
    else:
        from smemdesc.render.plan import plan_view

        present(color, plan_view(plan, every=params["every"]))
    return plan.fails(params["strict"])


def _warn(plan: Plan, color: str) -> None:
    if plan.findings:
        from smemdesc.render.diagnostics import diagnostics

        show_on_stderr(color, diagnostics(plan.findings))


def _command(ctx: click.Context, shape: str) -> list[str]:
    """Return the command line of this plan, for the comment above the block."""
    words = ["smemdesc", "plan", shape]
    defaults = {param.name: param.default for param in ctx.command.params}
    for key, value in {**typed(ctx), "tensor_map": ctx.params["tensor_map"]}.items():
        if value in (None, False, defaults[key]):
            continue
        words.append("--" + key.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words
