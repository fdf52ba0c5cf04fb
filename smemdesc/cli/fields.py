"""``smemdesc fields``."""

from __future__ import annotations

import sys

import click

from smemdesc.cli.common import Problems, color_option, mma_kind_option, present, svg_option


@click.command()
@click.argument("kind", metavar="[KIND]", required=False)
@mma_kind_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a kind.")
@svg_option
@color_option
@click.pass_context
def command(
    ctx: click.Context, kind: str | None, mma_kind: str | None, as_json: bool, svg: str | None, color: str
) -> None:
    """Print the reference card of KIND: its table, its codes and its rules, with their sources.

    \b
    Examples:
      smemdesc fields                          the kinds, a line each
      smemdesc fields wgmma
      smemdesc fields tcgen05
      smemdesc fields idesc --mma-kind f16     one of the seven tables
      smemdesc fields idesc                    all seven
      smemdesc fields mask --json | jq .rules
    """
    from smemdesc.kinds import KINDS, ids, kind_of

    problems = Problems(color)
    try:
        if kind is None and mma_kind is not None:
            kind = "idesc"
        if kind is None and not as_json:
            from smemdesc.render.card import Index

            present(color, Index(), svg=svg, title="smemdesc fields")
            return
        names = KINDS if kind is None else (kind,)
        kinds = [kind_of(each, mma_kind) for name in names for each in ((name,) if mma_kind else ids(name))]
        if as_json:
            from smemdesc.render.card_json import card_dict
            from smemdesc.render.json import dumps

            for each in kinds:
                sys.stdout.write(dumps(card_dict(each)) + "\n")
            return
        from smemdesc.render.card import Card
        from smemdesc.render.parts import apart

        present(color, *apart(Card(each) for each in kinds), svg=svg, title=f"smemdesc fields {kind or ''}".strip())
    except Exception as error:
        problems.report(error)
    ctx.exit(problems.status())
