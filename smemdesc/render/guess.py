"""By which layout bytes hold a matrix: what agrees, what to change, and the descriptor that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType

from smemdesc.engine.wording import printable
from smemdesc.layout.elements import Memory
from smemdesc.layout.recognize import Recognition
from smemdesc.render.diagnostics import Diagnostics
from smemdesc.render.parts import Hanging, beside, labelled, line
from smemdesc.tiles.solving import Descriptor


class RecognitionView(NamedTuple):
    """The answer first, then its reasons; the descriptors in the end."""

    found: Recognition
    descriptors: Sequence[Descriptor]
    name: str = "the operand"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        found = self.found
        first, *more = found.sentences(self.name)
        style = "good" if found.right else "warning" if found.answer is not None else "error"
        yield Hanging(line((first, style)))
        for text in more:
            yield beside("  ", text)
        if found.right:
            return
        label = "descriptor of that" if found.alike else "descriptor"
        for each in self.descriptors:
            yield labelled(label, (each.hex, "value"), f"  {each.kind.name}")
            if each.findings:
                yield Diagnostics(each.findings)


class GuessView(NamedTuple):
    """What was compared with what, and what was recognized."""

    file: str
    expect: str
    memory: Memory
    found: Recognition
    descriptors: Sequence[Descriptor]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        memory, found = self.memory, self.found
        yield line(
            (printable(self.file), "heading"),
            f": {len(memory.data)} B of shared memory from 0x{memory.first:x}; {printable(self.expect)}: "
            f"{found.total} elements of {found.dtype.name}",
        )
        yield RecognitionView(found, self.descriptors)
