"""``smemdesc explain``."""

from __future__ import annotations

import click

from smemdesc.cli.common import answer, color_option, present, svg_option, write_json


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per name, one per line.")
@svg_option
@color_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], as_json: bool, svg: str | None, color: str) -> None:
    """Explain NAME: a rule, a term or a field. Without NAME, list the rules and the terms.

    \b
    Examples:
      smemdesc explain                         rules and terms, one per line
      smemdesc explain sbo-below-atom          a rule, broken and repaired
      smemdesc explain swizzle atom            a term
      smemdesc explain 128B_ATOM_32B           the name of the tensor map
      smemdesc explain lbo                     a field, by its usual name
      smemdesc explain --json scale-id | jq .rule.example

    For a rule: what must hold, why, an example that breaks it with its
    repair, both decoded live, and the source. For a term: its names in PTX,
    CUTLASS and Triton.
    """
    answer(ctx, color, lambda: _show(names, as_json, svg, color))


def _show(names: tuple[str, ...], as_json: bool, svg: str | None, color: str) -> None:
    from smemdesc.explanations.topics import summary_dicts, topics

    entries = topics(names)
    if as_json:
        write_json(*((each.to_dict() for each in entries) if names else summary_dicts()))
        return
    from smemdesc.render.parts import apart
    from smemdesc.render.topic import TopicList, TopicView

    title = " ".join(["smemdesc explain", *names])
    present(color, *(apart(map(TopicView, entries)) if names else [TopicList()]), svg=svg, title=title)
