"""By which layout bytes hold a matrix: what agrees, what to change, and the descriptor that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType

from smemdesc.engine.printable import printable
from smemdesc.kinds.types import DType
from smemdesc.layout.held import Memory
from smemdesc.layout.recognize import Recognition
from smemdesc.layout.sentences import sentences
from smemdesc.render.diagnostics import Diagnostics
from smemdesc.render.guess_json import hexadecimal
from smemdesc.render.parts import Hanging, beside, labelled, line
from smemdesc.tiles.repairing import Repair


class RecognitionView(NamedTuple):
    """The answer first, then its reasons; the descriptors in the end."""

    found: Recognition
    made: Sequence[Repair]
    name: str = ""
    """Of the operand."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        found = self.found
        first, *more = sentences(found, self.name) if self.name else sentences(found)
        style = "good" if found.right else "warning" if found.answer is not None else "error"
        yield Hanging(line((first, style)))
        for text in more:
            yield beside("  ", text)
        if found.right:
            return
        label = "descriptor of that" if found.alike else "descriptor"
        for repair in self.made:
            yield labelled(label, (hexadecimal(repair), "value"), f"  {repair.kind.name}")
            if repair.findings:
                yield Diagnostics(repair.findings)


class GuessView(NamedTuple):
    """What was compared with what, and what was recognized."""

    file: str
    expect: str
    memory: Memory
    dtype: DType
    found: Recognition
    made: Sequence[Repair]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        memory, found = self.memory, self.found
        yield line(
            (printable(self.file), "heading"),
            f": {len(memory.data)} B of shared memory from 0x{memory.first:x}; {printable(self.expect)}: "
            f"{found.total} elements of {self.dtype.name}",
        )
        yield RecognitionView(found, self.made)
