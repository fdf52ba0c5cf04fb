"""``smemdesc fields``."""

from __future__ import annotations

from typing import Any

import click

from smemdesc.cli.support.common import answering, present, svg_option, write_json, write_result
from smemdesc.cli.support.options import color_option, json_option, takes


@click.command()
@click.argument("kind", metavar="[KIND]", required=False)
@takes("fields", "mma_kind arch")
@click.option("--rules", is_flag=True, help="Also print the rules.")
@json_option("One JSON object per kind.")
@svg_option
@color_option
@answering
def command(ctx: click.Context, /, **params: Any) -> None:
    """Print the reference card of KIND: its table and its codes, with their sources.

    \b
    Examples:
      smemdesc fields                          # the kinds, one per line
      smemdesc fields wgmma
      smemdesc fields tcgen05
      smemdesc fields idesc --mma-kind f16     # one of the eight tables
      smemdesc fields idesc                    # all eight
      smemdesc fields --arch sm_107a           # its kinds, K, M, N
      smemdesc fields tcgen05 --arch sm_107a   # its table
      smemdesc fields mask --json | jq .rules
    """
    if params["rules"] and not params["kind"] and not params["mma_kind"]:
        raise click.UsageError("--rules needs a KIND: smemdesc fields tcgen05 --rules", ctx)
    from smemdesc.kinds.archs import parse_arch
    from smemdesc.kinds.kind import ids, kind_of
    from smemdesc.kinds.names import KINDS
    from smemdesc.kinds.shapes import offers

    kind, mma_kind, svg, color = params["kind"], params["mma_kind"], params["svg"], params["color"]
    arch = parse_arch(params["arch"]) if params["arch"] else None
    if arch is not None and kind is None and mma_kind is None:
        write_result(params, offers(arch), view="card:arch_view", title=f"smemdesc fields --arch {arch}")
        return
    if kind is None and mma_kind is not None:
        kind = "idesc"
    if kind is None and not params["as_json"]:
        from smemdesc.render.card import kind_index

        present(color, kind_index(), svg=svg, title="smemdesc fields")
        return
    names = KINDS if kind is None else (kind,)
    kinds = [kind_of(id, mma_kind, arch) for of in names for id in ((of,) if mma_kind else ids(of))]
    from smemdesc.explanations.catalog import Card

    cards = [Card(kind, arch) for kind in kinds]
    if params["as_json"]:
        write_json(*(card.to_dict() for card in cards))
        return
    from smemdesc.render.card import card_view
    from smemdesc.render.parts import apart

    views = (card_view(card, params["rules"]) for card in cards)
    present(color, *apart(views), svg=svg, title=f"smemdesc fields {kind or ''}".strip())
