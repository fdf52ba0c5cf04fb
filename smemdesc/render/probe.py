"""The views of ``probe``: what a GPU answered, and where it differs from the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import join_and, many
from smemdesc.kinds.addresses import START
from smemdesc.kinds.names import SHORT
from smemdesc.layout.operand import LINE, UNIT
from smemdesc.layout.recognize import FieldMismatch
from smemdesc.layout.strides import LBO, SBO
from smemdesc.probe.asking import Asked, nearest_descriptor
from smemdesc.probe.copies import CopyAnswer
from smemdesc.probe.products import ProductAnswer
from smemdesc.probe.questions import OperandAnswer
from smemdesc.probe.record import Survey
from smemdesc.probe.scales import ScaleAnswer
from smemdesc.render.cells import Cell, Grid
from smemdesc.render.operand import case
from smemdesc.render.parts import StyledText, as_view, hanging, labeled, line, table

OFFSETS = (LBO, SBO)
_ROWS_SHOWN = 8
"""Rows of the grid, from those on in which something differs."""
_MOST_LISTED = 8
"""Elements that are listed: the JSON has all of them."""


@as_view
def asked_view(asked: Asked) -> Iterator[RenderableType]:
    """The question, the GPU and its answer."""
    answer = asked.answer
    yield line((str(answer.question), "value"))
    if isinstance(answer, OperandAnswer):
        yield labeled("operand", case(answer.question.operand))
    yield hanging(*_verdict(asked))
    if answer.fault is not None:
        if answer.fault.hint:
            yield Text(answer.fault.hint, "faint")
        return
    if isinstance(answer, ScaleAnswer):
        yield from _parts(answer)
    if isinstance(answer, CopyAnswer):
        yield hanging(_of_driver(answer))
    if not asked.ok:
        yield from _differing(answer)


def _verdict(asked: Asked) -> list[tuple[str, str]]:
    answer, style = asked.answer, "good" if asked.ok else "error"
    gpu = (f"{asked.gpu}: ", "heading")
    if answer.fault is not None:
        expected = ", as the model says: it is beyond the memory of a block" if asked.ok else ""
        return [gpu, (f"{answer.fault.why}{expected}", style)]
    return [gpu, (_count(answer), style)]


def _count(answer: OperandAnswer | ProductAnswer | CopyAnswer | ScaleAnswer) -> str:
    if isinstance(answer, OperandAnswer):
        text = f"{answer.agreeing} of {len(answer.seen)} elements are read where the model says"
        stray = f"; {many(answer.strays, 'element')} of D should be 0 and {'is' if answer.strays == 1 else 'are'} not"
        return text + (stray if answer.strays else "")
    if isinstance(answer, ProductAnswer):
        text = f"{answer.agreeing} of {len(answer.found)} elements of D are what the model computes"
        return text + (
            f"; {many(answer.beside, 'word')} beside D changed" if answer.beside else "; nothing else is written"
        )
    if isinstance(answer, CopyAnswer):
        return f"{answer.agreeing} of {many(len(answer.expected), 'unit')} of 16 B are written as the model says"
    return f"{answer.agreeing} of {many(len(answer.found), 'factor')} are read where the model says"


def _of_driver(answer: CopyAnswer) -> str:
    """Return how the map compares with the one that the driver makes of the same arguments."""
    if isinstance(answer.encoded, bytes):
        unlike = f"other values in {join_and(answer.unlike)}" if answer.unlike else "the same 128 bytes"
        return f"cuTensorMapEncodeTiled of the same arguments: {unlike}"
    return f"cuTensorMapEncodeTiled was not compared: {answer.encoded.why if answer.encoded else 'not asked'}"


def _parts(answer: ScaleAnswer) -> Iterator[RenderableType]:
    """The parts of 32 lanes from which each warp's rows of D took their factors."""
    rows = [
        f"rows {32 * warp} to {32 * warp + 31} of D: {', '.join(f'lanes {32 * p} to {32 * p + 31}' for p in parts)}"
        for warp, parts in answer.parts.items()
    ]
    yield labeled("read from", "; ".join(rows))


def _differing(answer: OperandAnswer | ProductAnswer | CopyAnswer | ScaleAnswer) -> Iterator[RenderableType]:
    different = list(answer.differing())
    if isinstance(answer, OperandAnswer):
        yield from _explanation(answer)
    heads, rows = _rows(answer, different[:_MOST_LISTED])
    if rows:
        yield Text()
        yield table(rows, heads, indent=2)
    if len(different) > _MOST_LISTED:
        yield Text(f"  and {len(different) - _MOST_LISTED} more (--json lists them)", "faint")
    if isinstance(answer, OperandAnswer) and different:
        grid = _grid(answer)
        first = next(at for at, row in enumerate(grid.cells) if any(cell.text.endswith("!") for cell in row))
        yield Text()
        yield Text("  what was read for each 16 bytes (! is not where the model says):", "label")
        yield grid.part(slice(max(0, first - first % _ROWS_SHOWN), first + _ROWS_SHOWN), slice(None))


def _rows(answer: object, different: list[Any]) -> tuple[tuple[str, ...], list[list[str]]]:
    if isinstance(answer, OperandAnswer):
        return ("mn", "k", "model", "read"), [
            [str(each.mn), str(each.k), str(each.model), str(each.read)] for each in different
        ]
    if isinstance(answer, ProductAnswer):
        return ("row", "column", "model", "GPU"), [list(map(_shown, each)) for each in different]
    if isinstance(answer, CopyAnswer):
        return ("address", "model", "GPU"), [[f"0x{each.address:05x}", each.model, each.found] for each in different]
    return ("row", "factor", "model", "read"), [
        [str(each.row), str(each.number), str(each.model), str(each.read or "something else")] for each in different
    ]


def _shown(number: float) -> str:
    return f"{number:g}"


def _grid(answer: OperandAnswer) -> Grid:
    """The address of the first element of each 16-byte unit, as it was read; ``!`` marks units that differ."""
    question = answer.question
    operand, columns = question.operand, question.shape[1]
    per_unit = question.naming.per_unit
    down, across = (1, per_unit) if operand.major == "K" else (per_unit, 1)
    expected = answer.expected
    rows, ks = range(0, question.shape[0], down), range(0, columns, across)

    def cell(mn: int, k: int) -> Cell:
        units = [(mn + i * (down > 1)) * columns + k + i * (across > 1) for i in range(per_unit)]
        place = question.naming.place(answer.seen[units[0]])
        same = all(answer.seen[at] == expected[at] for at in units if at < len(expected))
        if place.bit is None:
            return Cell("zero!" if place.zero else "other!")
        byte = place.bit // 8
        return Cell(f"0x{byte:05x}{' ' if same else '!'}", byte // UNIT % (LINE // UNIT))

    grid = Grid(("k",), ("mn",), [(str(k),) for k in ks], [(str(mn),) for mn in rows],
                [[cell(mn, k) for k in ks] for mn in rows])  # fmt: skip
    return grid if operand.major == "K" else grid.turned()


def _explanation(answer: OperandAnswer) -> Iterator[RenderableType]:
    """The descriptor that explains what was read."""
    found = nearest_descriptor(answer)
    if found is None:
        yield hanging("no descriptor explains what was read")
        return
    mn, k = found.operand.shape
    part = "all" if found.agreeing == mn * k else f"{found.agreeing} of"
    changes = join_and([_change(each) for each in found.differences])
    yield hanging(
        "under the model ", (f"0x{found.value:016x}", "value"), f" explains {part} {mn * k} elements: {changes}"
    )


def _change(mismatch: FieldMismatch) -> str:
    name = SHORT.get(mismatch.field, mismatch.field.replace("_", " "))
    unit = " B" if mismatch.field in OFFSETS else ""
    said, found = (
        f"0x{each:05x}" if mismatch.field == START else f"{each}{unit}" for each in (mismatch.said, mismatch.found)
    )
    return f"{name} {found}, not {said}"


@as_view
def survey_view(survey: Survey) -> Iterator[RenderableType]:
    """The claims of docs/evidence.md, each with what came of the questions about it."""
    yield line(
        (f"{survey.gpu}", "heading"), f", driver of CUDA {survey.gpu.driver}: {many(len(survey.lines), 'question')}"
    )
    style = {"holds": "good", "contradicted": "error", "not asked": "faint"}
    rows: list[list[StyledText | Text]] = [
        [
            (count.verdict, style[count.verdict]),
            f"{count.holding} of {count.holding + count.contradicted}" if count.verdict != "not asked" else "",
            f"assumed {count.claim.assumed}" if count.claim.assumed else "",
            count.claim.text,
        ]
        for count in survey.counts
    ]
    yield table(rows, indent=2)
    wrong = [count for count in survey.counts if count.contradicted]
    for count in wrong:
        yield Text()
        yield hanging(
            (f"{count.claim.text}: ", "error"), f"{count.contradicted} contradict it; the first: {count.example}"
        )
