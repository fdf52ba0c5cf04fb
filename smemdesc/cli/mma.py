"""``smemdesc mma``."""

from __future__ import annotations

import sys
from itertools import chain, pairwise
from typing import Any

import click

from smemdesc.cli.support.common import Problems, ValueType, answering, copied_box, one_output, write_result
from smemdesc.cli.support.options import (
    Brief,
    check_options,
    color_option,
    given_as_words,
    json_option,
    quiet_option,
    takes,
    typed,
)
from smemdesc.kinds.names import BLAS

EXAMPLES = """\
Examples:
  smemdesc mma 0x40004040:? 0x40004040:? 0x08210490 --mma-kind f16 \\
      --arch sm_100a --a-map box=64x128,swizzle=128B,dtype=bf16
  smemdesc mma 0x4000004000010040 0x4000004002000440 \\
      --inst m64n128k16 --dtype bf16 --trans-b --b-tile 128x64
  smemdesc mma 0x4000404000010040 0x4000404000010440 0x08200490 \\
      --mma-kind f16 --a-tile 128x64,at=0x400
"""


_WORDS = ("a", "b", "idesc")
"""The options that the bare values are, in this order."""


_FLAG_VALUES = ("0", "1", "N", "T")
"""What is typed after --trans-a and --trans-b: a bit, as in PTX, or BLAS's letter, as for other commands."""


class MmaCommand(Brief):
    """Says that --trans-a and --trans-b of this command take no value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for flag, word in pairwise(chain.from_iterable(arg.split("=", 1) for arg in args)):
            if flag in ("--trans-a", "--trans-b") and word.upper() in _FLAG_VALUES:
                raise click.UsageError(_without_value(flag, word.upper()), ctx)
        return super().parse_args(ctx, args)


def _without_value(flag: str, word: str) -> str:
    """Return the message about a value after a flag of a transposing bit."""
    operand = flag[-1]
    is_set = word == "1" or BLAS.get((operand, word)) == "MN"
    what = f"give {flag} alone" if is_set else f"leave {flag} out"
    major = "MN" if is_set else "K"
    return f"{flag} takes no value here: for {word}, {what} ({operand.upper()} is {major}-major)"


@click.command(
    cls=MmaCommand,
    context_settings={"ignore_unknown_options": True},
    help="Check one instruction and its operands together.\n\n\b\n" + EXAMPLES,
)
@click.argument("values", metavar="[A B [IDESC]]", nargs=-1, type=ValueType())
@takes(
    "mma",
    "a b idesc mask mma_kind cta_group ws scale_vec qualifier inst dtype d_type trans_a trans_b sparse a_from arch "
    "a_tile b_tile a_map b_map",
)
@click.option("--all", "every", is_flag=True, help="Show what unknown bits decide, too.")
@click.option("--short", is_flag=True, help="One line: the verdict, and the broken rules.")
@click.option("--field", "names", metavar="NAME", multiple=True, help="Only verdict, or a.swizzle; repeatable.")
@json_option()
@check_options
@quiet_option
@color_option
@answering
def command(ctx: click.Context, /, values: tuple[str, ...], **params: Any) -> bool:
    if len(values) > len(_WORDS):
        raise click.UsageError(f"{len(values)} values: A, B and an instruction descriptor are at most three", ctx)
    given_as_words(ctx, params, **dict(zip(_WORDS, values, strict=False)))
    if not any(params[name] for name in ("a", "b", "idesc", "mask", "inst")):
        raise click.UsageError(
            "values are missing; for example: smemdesc mma --a 0x40004040:? --idesc 0x8210490 --mma-kind f16",
            ctx,
        )
    one_output(ctx, "as_json", "names", "short", "quiet")
    from smemdesc.api.checking import mma, remark

    checked = mma(**typed(ctx) | {name: copied_box(params[name], name) for name in ("a_map", "b_map")})
    if params["names"]:
        sys.stdout.write("\t".join(checked.bare(name) for name in params["names"]) + "\n")
    elif params["short"]:
        sys.stdout.write(f"{checked}\n")
    else:
        write_result(params, checked, every=params["every"])
    if remark(checked.mma):
        Problems(params["color"]).note(remark(checked.mma))
    return checked.fails(params["strict"])
