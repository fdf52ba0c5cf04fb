"""A call of ``cuTensorMapEncodeTiled``: its arguments, the rejected ones with reasons, the repaired call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.descriptors.map_call import MapCallAnswer, described
from smemdesc.engine.wording import many
from smemdesc.kinds.map_arguments import SOURCE_TEXT
from smemdesc.render.diagnostics import Diagnostics, noted
from smemdesc.render.parts import Span, labeled, line, table


class AnswerView(NamedTuple):
    """One call."""

    answer: MapCallAnswer

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        answer, call = self.answer, self.answer.call
        function = "cuTensorMapEncodeIm2col" if "pixelsPerColumn" in call.values else "cuTensorMapEncodeTiled"
        printed = f"  line {call.line}, as {call.library.name} print" + ("" if " and " in call.library.name else "s")
        printed = f"  line {call.line}, in the source" if call.library is SOURCE_TEXT else f"{printed} it"
        yield line((function, "heading"), (printed, "faint"))
        rows = [[(name, "key"), (text, "value")] for name, text in described(call)]
        yield table(rows, indent=2)
        yield Text()
        yield line(*self._verdict())
        yield Diagnostics(answer.refused)
        for note in answer.notes:
            yield noted(note)
        if answer.command:
            yield labeled("repaired" if answer.refused else "the map", (answer.command, "value"), indent=0)

    def _verdict(self) -> list[Span]:
        refused, newer, missing = self.answer.refused, self.answer.newer, self.answer.call.missing
        if refused:
            return [("rejected", "error"), f": {many(len(refused), 'reason')}"]
        if newer:
            return [("rejected on Hopper", "error")]
        if missing:
            return [("nothing rejected", "warning"), " in the text"]
        return [("accepted", "good"), " by the measured driver (Hopper, 580.159.04)"]
