"""A call of ``cuTensorMapEncodeTiled``: its arguments, the rejected ones with reasons, the repaired call."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from smemdesc.descriptors.map_call import MapCallAnswer, described
from smemdesc.engine.wording import many
from smemdesc.reading.map_arguments import SOURCE_TEXT
from smemdesc.render.diagnostics import diagnostics, noted
from smemdesc.render.parts import StyledText, as_view, labeled, line, table


@as_view
def answer_view(answer: MapCallAnswer) -> Iterator[RenderableType]:
    """One call."""
    call = answer.call
    function = "cuTensorMapEncodeIm2col" if "pixelsPerColumn" in call.values else "cuTensorMapEncodeTiled"
    printed = f"  line {call.line}, as {call.library.name} print" + ("" if " and " in call.library.name else "s")
    printed = f"  line {call.line}, in the source" if call.library is SOURCE_TEXT else f"{printed} it"
    yield line((function, "heading"), (printed, "faint"))
    rows = [[(name, "key"), (text, "value")] for name, text in described(call)]
    yield table(rows, indent=2)
    yield Text()
    yield line(*_verdict(answer))
    yield diagnostics(answer.refused)
    for note in answer.notes:
        yield noted(note)
    if answer.command:
        yield labeled("repaired" if answer.refused else "the map", (answer.command, "value"), indent=0)


def _verdict(answer: MapCallAnswer) -> list[StyledText]:
    if answer.refused:
        return [("rejected", "error"), f": {many(len(answer.refused), 'reason')}"]
    if answer.newer:
        return [("rejected on Hopper", "error")]
    if answer.call.missing:
        return [("nothing rejected", "warning"), " in the text"]
    return [("accepted", "good"), " by the measured driver (Hopper, 580.159.04)"]
