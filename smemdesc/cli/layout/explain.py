"""``smemdesc layout explain``, and the code that ``encode --layout`` shares with it: a layout as text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.layout.options import output_options
from smemdesc.cli.support.common import Problems, json_asked, show_on_stderr, write_result
from smemdesc.cli.support.options import takes, typed
from smemdesc.cli.support.paging import paging
from smemdesc.cli.support.standard_input import read_lines
from smemdesc.engine.errors import FieldError, SmemdescError

if TYPE_CHECKING:
    from smemdesc.tiles.explaining import Explanation


def layout_texts(params: dict[str, Any]) -> list[tuple[str, str]]:
    """Return each text with its place; ``-`` is the lines of standard input."""
    both = [text for text in (params["layout"], params["tma"]) if text is not None]
    if len(both) > 1:
        raise SmemdescError("--layout and --tma both give a layout", hint="give one of them")
    if both[0] == "-":
        # Triton's text begins with #, so no line is a comment.
        return [(text.strip(), where) for text, where in read_lines(comments=False)]
    return [(both[0], "")]


def layout_constants(kind: str, keys: list[str], params: dict[str, Any], problems: Problems) -> bool:
    """Print the constant of each operand of a layout, one per line; report unreadable ones, and continue.

    Return whether --check or --strict rejects one.
    """
    from smemdesc.api.layouts import explained_text
    from smemdesc.api.options.readers import read_arch
    from smemdesc.cli.encode.constants import gate_rejects, refuse, report_no_value, write_steps

    names = "dtype mma_kind major trans_a trans_b swizzle units shape stage order mma at arch"
    given = {name: params[name] for name in names.split()}
    fields = (key for key in keys if key not in ("start_address", "swizzle"))
    others = ("from_", "advance", "advance_mn", "tile", "ws", "scale_vec")
    refuse((*fields, *others), params, "a layout", "the layout contains it")
    failed = False
    for text, where in layout_texts(params):
        try:
            explanation = explained_text(text, kind, start=params["start_address"], **given)
            answer = explanation.one(force=params["force"])
        except FieldError:
            raise
        except Exception as error:
            failed = report_no_value(error, params, problems, where) or failed
            continue
        show_notes(explanation, problems)
        if gate_rejects(explanation.findings(answer), params, problems, where):
            failed = True
            continue
        one_mn, one_k = explanation.solution.mma
        steps = [(step.mn // one_mn, step.k // one_k, step.fit.value) for step in answer.steps]
        context = explanation.context(answer, params["arch"] and read_arch("arch", params["arch"]))
        write_steps(explanation.solution.kind, steps, params, context, number=len(steps) > 1)
    return failed


def show_notes(explanation: Explanation, problems: Problems) -> None:
    """Report the assumptions on standard error."""
    if explanation.warning:
        problems.show(SmemdescError(explanation.warning), severity="warning")
    if json_asked():
        for note in explanation.notes:
            problems.note(note)
        return
    if not explanation.notes:
        return
    from smemdesc.render.diagnostics import noted

    show_on_stderr(problems.color, *map(noted, explanation.notes))


@click.command(context_settings={"max_content_width": 80})
@click.argument("layout", metavar="[TEXT]", required=False)
@takes("explain", "kind dtype mma_kind major swizzle shape mma order tma at stage units start arch")
@output_options("One JSON object per line.", svg=None)
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Find the descriptor of a layout (CuTe, Triton, a TMA box), or the reason why it has none; - reads lines.

    \b
    Examples:
      smemdesc layout explain 'Sw<3,4,3>_smem_ptr[16b](0x400) o (64,16):(64,1)'
      smemdesc layout explain '(64,16):(72,1)' --dtype bf16
      smemdesc layout explain '!ttg.memdesc<128x64xbf16, #ttg.nvmma_shared<{
          swizzlingByteWidth = 128, elementBitWidth = 16}>, #smem>' --major K
      smemdesc layout explain box=64x128,swizzle=128B,dtype=bf16 --major K
    """
    if params["layout"] is None and params["tma"] is None:
        raise click.UsageError(
            "a layout is missing; for example: smemdesc layout explain box=64x128,swizzle=128B,dtype=bf16 --major K",
            ctx,
        )
    problems = Problems(params["color"])

    def show() -> None:
        for number, (text, where) in enumerate(layout_texts(params)):
            with problems.reporting(where):
                _show(ctx, text, params, first=not number)

    with paging(problems.color, unless=params["as_json"]):
        problems.leave(ctx, show)


def _show(ctx: click.Context, text: str, params: dict[str, Any], *, first: bool) -> None:
    from smemdesc.api.layouts import explained_text

    explanation = explained_text(text, **typed(ctx, "tma"))
    if not first and not params["as_json"]:
        sys.stdout.write("\n")
    write_result(params, explanation)
