"""``smemdesc explain``."""

from __future__ import annotations

import click

from smemdesc.cli.support.common import Problems, present, svg_option, write_json
from smemdesc.cli.support.options import color_option, json_option
from smemdesc.cli.support.standard_input import standard_input
from smemdesc.engine.errors import SmemdescError


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@json_option("One JSON object per name, one per line.")
@svg_option
@color_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], as_json: bool, svg: str | None, color: str) -> None:
    """Explain NAME: a rule, the cause of a mistake, a term or a field. Without NAME, list all but the fields.

    \b
    Examples:
      smemdesc explain                         # rules, causes, terms, a line each
      smemdesc explain sbo-below-atom          # a rule, broken and repaired
      smemdesc explain lbo-sbo-swapped         # a mistake: bits, symptom, repair
      smemdesc explain swizzle atom            # a term
      smemdesc explain 128B_ATOM_32B           # the name of the tensor map
      smemdesc explain lbo                     # a field, by its usual name
      smemdesc explain --json scale-id | jq .rule.example
      smemdesc explain - < log                 # why a tensor map is rejected

    For a rule: what must hold, why, an example that breaks it with its
    repair, both decoded live, and the source. For a term: its names in PTX,
    CUTLASS and Triton. - reads names, one per line, or the arguments of
    cuTensorMapEncodeTiled as CUTLASS, TileLang, FlashInfer, TensorRT-LLM,
    TVM, ThunderKittens, Triton and DeepGEMM print them if the call fails.
    """
    problems = Problems(color)
    problems.leave(ctx, lambda: _show(names, as_json, svg, problems))


def _show(names: tuple[str, ...], as_json: bool, svg: str | None, problems: Problems) -> None:
    pasted = standard_input().read() if names == ("-",) else "\n".join(names)
    if {"\n", "("} & set(pasted) and show_calls(pasted, as_json, svg, problems):
        from smemdesc.scanning.inputs.mentions import names_mma

        if names_mma(pasted.encode(errors="replace")):
            problems.note("the text names a tensor-core instruction, too: smemdesc scan reads that")
        return
    if names == ("-",):
        names = tuple(line.strip() for line in pasted.splitlines() if line.strip())
        if not names:
            hint = "give names, one per line, or the arguments of cuTensorMapEncodeTiled"
            raise SmemdescError("standard input is empty", hint=hint)
    _show_topics(names, as_json, svg, problems)


def show_calls(text: str, as_json: bool, svg: str | None, problems: Problems) -> bool:
    """Show why the driver rejects the calls in a text; return whether the text has any."""
    from smemdesc.descriptors.map_call import answers

    every = list(answers(text))
    calls = [answer for answer in every if not isinstance(answer, SmemdescError)]
    for answer in every:
        if isinstance(answer, SmemdescError):
            problems.report(answer)
    if as_json:
        write_json(*(call.to_dict() for call in calls))
    elif calls:
        from smemdesc.render.map_call import answer_view
        from smemdesc.render.parts import apart

        present(problems.color, *apart(map(answer_view, calls)), svg=svg, title="smemdesc explain")
    return bool(every)


def _show_topics(names: tuple[str, ...], as_json: bool, svg: str | None, problems: Problems) -> None:
    from smemdesc.api.explaining import explain
    from smemdesc.explanations.topics import Topic, Topics, joined_words

    entries = [] if names else [explain()]
    for name in joined_words(names):
        with problems.reporting():
            entries.append(explain(name))
    if as_json:
        for entry in entries:
            write_json(*(entry.rows() if isinstance(entry, Topics) else (entry.to_dict(),)))
        return
    from smemdesc.render.parts import apart
    from smemdesc.render.topic import topic_list, topic_view

    title = " ".join(["smemdesc explain", *names])
    views = [topic_view(entry) for entry in entries if isinstance(entry, Topic)]
    lists = [topic_list(entry) for entry in entries if isinstance(entry, Topics)]
    if entries:
        present(problems.color, *apart([*views, *lists]), svg=svg, title=title)
