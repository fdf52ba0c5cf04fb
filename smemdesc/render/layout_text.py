"""A layout's text explained, and an operand in the notations of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.engine.wording import many
from smemdesc.kinds.context import Context
from smemdesc.layout.operand import Operand
from smemdesc.layout.strides import strides_of
from smemdesc.render.diagnostics import Diagnostics, noted
from smemdesc.render.parts import Span, labelled, line, table
from smemdesc.tiles.text import cute_text, dsl_tensor_text, tma_box, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile

if TYPE_CHECKING:
    from smemdesc.tiles.explaining import Explanation
    from smemdesc.tiles.solving import Answer


def notations(what: Tile | Operand) -> list[list[Span | Text]]:
    """Return rows of an operand or a tile as CuTe (C++ and DSL), Triton and TMA write it, as far as each can."""
    rows: list[list[Span | Text]] = []
    for name, text in (("CuTe", cute_text(what)), ("CuTe DSL", dsl_tensor_text(what))):
        if text is not None:
            rows.append([(f"{name}:", "label"), text])
    for side in ("a", "b"):
        encoding, shape = triton_encoding(what, side), triton_shape(what, side)
        if encoding is not None and shape is not None:
            rows.append([(f"Triton {side.upper()}:", "label"), f"{encoding} of {shape[0]}x{shape[1]}"])
    box = tma_box(what)
    if box is not None:
        copies = many(box.copies, "copy", "copies")
        rows.append([("TMA:", "label"), f"{box} ({copies} of {box.bytes} B, {box.tma_swizzle})"])
    return rows


class ExplanationView(NamedTuple):
    """What a text says and the descriptors of each reading, or why there is none."""

    found: Explanation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        found = self.found
        source = found.source
        mn, k = source.readings[0].buffer.shape
        kind = found.solution.kind.title
        yield line((source.notation, "heading"), f" layout of {mn}x{k} {source.dtype.name} for {kind}")
        if found.refusal is not None:
            why = found.refusal
            yield labelled("no descriptor", why.reason)
            if "\n" not in source.text:
                first, last = why.span
                yield Text(f"    {source.text}", no_wrap=True, overflow="ignore")
                yield line(" " * (4 + first), ("^" * max(1, last - first), "error"))
            if why.hint:
                yield labelled("fix", why.hint)
            yield labelled("nearest", (why.nearest, "value"))
        for answer in found.answers:
            yield from _answer(answer)
        if found.disputed:
            yield line(("  ", ""), (found.disputed, "warning"))
        for note in found.notes:
            yield noted(note)


def _answer(answer: Answer) -> Iterator[RenderableType]:
    operand = answer.first.operand
    label = f" ({answer.reading.label})" if answer.reading.label else ""
    rows: list[list[Span | Text]] = [
        [("mode:", "label"), line((f"{operand.major}-major, {operand.mode.name}", "value"), (label, "faint"))]
    ]
    if not operand.absolute:
        case = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
        pair = zip(strides_of(operand.mode.name, operand.major, case), (operand.lbo, operand.sbo), strict=True)
        rows += [["", stride.explain(size)] for stride, size in pair]
    yield table([*rows, *notations(operand)], indent=2)
    several = len(answer.steps) > 1
    steps: list[list[Span | Text]] = [
        [
            (f"mn {step.mn}, k {step.k}" if several else "descriptor", "label"),
            (f"0x{step.fit.value:016x}", "value"),
            f"at 0x{step.fit.operand.start:05x}",
        ]
        for step in answer.steps
    ]
    if several:
        yield Text(f"  {many(len(steps), 'step')} of {operand.shape[0]}x{operand.shape[1]}", "label")
    yield table(steps, indent=2)
    findings = tuple(finding for finding in answer.first.findings if finding.severity != "note")
    if findings:
        yield Diagnostics(findings)
