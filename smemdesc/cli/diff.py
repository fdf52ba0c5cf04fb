"""The help of ``smemdesc diff``, which is short for ``decode --diff``, or, where a file is given, ``scan --diff``."""

from __future__ import annotations

import click

from smemdesc.cli.commands import load
from smemdesc.cli.support.options import Brief

EXAMPLES = """\
Examples:
  smemdesc diff 0x4000404000010040 0x4000404000010042
  smemdesc diff --dtype bf16 --major K 0x4000404000010040 0x4000404000010240
  smemdesc diff before.sass after.sass
  smemdesc diff --function '*gemm*' --strict before.sass after.sass
"""
OF_VALUES = (
    *("kind", "mma_kind", "dtype", "major", "trans_a", "trans_b", "shape", "arch", "cta_group", "ws", "scale_vec"),
    *("m", "n", "tile", "order", "tile_start"),
)
OF_DUMPS = ("function", "at", "kind", "only", "arch", "names", "check", "strict", "quiet", "jobs", "cuda_bin")
OF_BOTH = ("as_json", "svg", "force", "color")


class DiffHelp(Brief):
    """Names the options of two dumps, and those of both, below the ones of two values."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        scan = {param.name: param for param in load("scan").params}
        with formatter.section("Of two dumps (see scan --help)"):
            formatter.write_text("  ".join(max(scan[name].opts, key=len) for name in OF_DUMPS))
        formatter.write_paragraph()
        formatter.write_text(
            "Two values are compared field by field, with what each change means; two dumps function by function, "
            "with the descriptors that differ."
        )


command = DiffHelp(
    "diff",
    params=[
        click.Argument(["both"], metavar="A B", nargs=2),
        *(param for param in load("decode").params if param.name in (*OF_VALUES, *OF_BOTH)),
    ],
    help="Compare two values, or two dumps.\n\n\b\n" + EXAMPLES,
)
