"""Layouts as text: explanations, an operand in the notations of other tools, the layout of bytes, an atom and a
tensor as linear layouts (the bases, how to read them, the XOR with numbers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from smemdesc.engine.wording import many, printable
from smemdesc.kinds.context import Context
from smemdesc.layout.operand import Operand
from smemdesc.layout.strides import strides_of
from smemdesc.render.cells import EMPTY_TEXT, Cell, Grid
from smemdesc.render.diagnostics import diagnostics, noted
from smemdesc.render.parts import StyledText, as_view, beside, hanging, labeled, line, table
from smemdesc.tiles.notation import tma_box
from smemdesc.tiles.text import cute_text, dsl_tensor_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile

if TYPE_CHECKING:
    from smemdesc.kinds.elements import Memory
    from smemdesc.layout.recognize import Recognition
    from smemdesc.tiles.explaining import Explanation
    from smemdesc.tiles.linear import LinearLayout, Point, TensorLayout
    from smemdesc.tiles.solving import Descriptor, LayoutSolution


def notations(what: Tile | Operand) -> list[list[StyledText | Text]]:
    """Return rows of an operand or a tile in the notations of CuTe (C++ and DSL), Triton and TMA, if possible."""
    rows: list[list[StyledText | Text]] = []
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


@as_view
def explanation_view(explanation: Explanation) -> Iterator[RenderableType]:
    """The descriptors of each reading of a text, or the reason why it has none; then its meaning."""
    source = explanation.source
    mn, k = source.readings[0].buffer.shape
    kind = explanation.solution.kind.title
    what = f" layout of {mn}x{k} {source.dtype.name} for {kind}"
    if explanation.refusal is not None:
        why = explanation.refusal
        yield beside(("no descriptor: ", "error"), why.reason)
        yield line(("  " + source.notation, "heading"), what)
        if "\n" not in source.text:
            first, last = why.span
            yield Text(f"    {source.text}", no_wrap=True, overflow="ignore")
            yield line(" " * (4 + first), ("^" * max(1, last - first), "error"))
        if why.hint:
            yield labeled("fix", why.hint)
        yield labeled("nearest", (why.nearest, "value"))
    if explanation.warning:
        yield beside(("warning: ", "warning"), explanation.warning)
    for number, answer in enumerate(explanation.answers):
        if number:
            yield Text()
        yield from _answer(answer, line(("  " + source.notation, "heading"), what))
    if explanation.disputed:
        yield line(("  ", ""), (explanation.disputed, "warning"))
    for note in explanation.notes:
        yield noted(note)


def _answer(answer: LayoutSolution, what: Text) -> Iterator[RenderableType]:
    operand = answer.first.operand
    several = len(answer.steps) > 1
    steps: list[list[StyledText | Text]] = [
        [
            (f"mn {step.mn}, k {step.k}" if several else "descriptor", "label"),
            (f"0x{step.fit.value:016x}", "value"),
            f"at 0x{step.fit.operand.start:05x}",
        ]
        for step in answer.steps
    ]
    if several:
        yield Text(f"descriptors of {many(len(steps), 'step')} of {operand.shape[0]}x{operand.shape[1]}", "label")
    yield table(steps, indent=2 * several)
    yield what
    label = f" ({answer.reading.label})" if answer.reading.label else ""
    rows: list[list[StyledText | Text]] = [
        [("mode:", "label"), line((f"{operand.major}-major, {operand.mode.name}", "value"), (label, "faint"))]
    ]
    if not operand.absolute:
        case = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
        pair = zip(strides_of(operand.mode.name, operand.major, case), (operand.lbo, operand.sbo), strict=True)
        rows += [["", stride.explain(size)] for stride, size in pair]
    yield table([*rows, *notations(operand)], indent=2)
    findings = tuple(finding for finding in answer.first.findings if finding.severity != "note")
    if findings:
        yield diagnostics(findings)


@as_view
def recognition_view(
    recognition: Recognition, descriptors: Sequence[Descriptor], name: str = "the operand"
) -> Iterator[RenderableType]:
    """The answer first, then the reasons; the descriptors last."""
    first, *reasons = recognition.sentences(name)
    style = "good" if recognition.right else "warning" if recognition.answer is not None else "error"
    yield hanging((first, style))
    for text in reasons:
        yield beside("  ", text)
    if recognition.right:
        return
    if recognition.misplaced and recognition.agree and recognition.operand is not None:
        yield from _misplaced(recognition, recognition.operand)
    label = "descriptor of that" if recognition.alike else "descriptor"
    for descriptor in descriptors:
        yield labeled(label, (descriptor.hex, "value"), f"  {descriptor.kind.name}")
        if descriptor.findings:
            yield diagnostics(descriptor.findings)


_LINES = 8
"""Rows (or k, if MN-major) of a cell of the grid of units."""


def _misplaced(recognition: Recognition, operand: Operand) -> Iterator[RenderableType]:
    """Yield a grid of the units that are not where the descriptor has them: 8 lines of them to a cell."""
    rows, elements = operand.extents
    counts: dict[tuple[int, int], int] = {}
    for unit in recognition.misplaced:
        line, first = (unit.mn, unit.k) if operand.major == "K" else (unit.k, unit.mn)
        place = line // _LINES, first // operand.unit
        counts[place] = counts.get(place, 0) + 1
    names = ("k", "mn") if operand.major == "K" else ("mn", "k")
    down, across = range(-(-rows // _LINES)), range(-(-elements // operand.unit))
    cells = [[_misplaced_cell(counts.get((row, column), 0), rows - row * _LINES) for column in across] for row in down]
    grid = Grid(
        above=names[:1],
        left=names[1:],
        columns=[(str(column * operand.unit),) for column in across],
        rows=[(str(row * _LINES),) for row in down],
        cells=cells,
    )
    what = f"{_LINES} {'rows' if operand.major == 'K' else 'k'} of 16 B"
    yield beside(
        "  ", (f"each cell: {what} as the descriptor has them; . all agree, # none, else how many do not", "faint")
    )
    yield grid if operand.major == "K" else grid.turned()


def _misplaced_cell(count: int, lines: int) -> Cell:
    """Return the cell of some units that are not in place."""
    text = EMPTY_TEXT if not count else "#" if count == min(_LINES, lines) else str(count)
    return Cell(text)


@as_view
def guess_view(
    recognition: Recognition, file: str, expect: str, memory: Memory, descriptors: Sequence[Descriptor]
) -> Iterator[RenderableType]:
    """The comparison, and the recognized layout."""
    yield line(
        (printable(file), "heading"),
        f": {len(memory.data)} B of shared memory from 0x{memory.first:x}; {printable(expect)}: "
        f"{recognition.total} elements of {recognition.dtype.name}",
    )
    yield recognition_view(recognition, descriptors)


LINEAR_LAYOUT_SOURCE = "Triton, getCoreMatrixLinearLayout (LinearLayoutConversions.cpp)"
TENSOR_SOURCE = "Triton, nvmmaSharedToLinearLayout (LinearLayoutConversions.cpp)"


@as_view
def linear_view(layout: LinearLayout, points: Sequence[Point] = ()) -> Iterator[RenderableType]:
    """The bases, or the requested ``points``."""
    rows, columns = layout.rows, layout.columns
    name = f"{layout.swizzle}, {layout.dtype.bits}-bit elements ({layout.dtype.name})"
    yield line((name, "heading"), f": {rows} x {columns} elements, {len(layout.bases)} bases")
    if points:
        for point in points:
            yield from _point(layout, point)
        return
    digits = len(str(layout.bases[-1].offset))
    for basis in layout.bases:
        yield line(
            ("offset=", "faint"),
            (str(basis.offset), "key"),
            (f"{'':{digits - len(str(basis.offset))}} -> ", "faint"),
            (f"({basis.row}, {basis.column})", "value"),
        )
    yield Text(f"where out dims are: [dim0 (size {rows}), dim1 (size {columns})]", "faint")
    for text in (
        "offset is in elements from the start of the atom; its element is the XOR of the bases of its set bits",
        f"for example offset {offset_example(layout)}",
        "dim0 is the line of the atom (mn if K-major, k if MN-major), dim1 runs along it: both have the same bases",
    ):
        yield beside("  ", text)
    yield labeled("Triton", layout.triton, indent=0)
    yield labeled("source", (LINEAR_LAYOUT_SOURCE, "faint"), indent=0)


def offset_example(layout: LinearLayout) -> str:
    """Return one offset as the XOR of its bases: two rows and a column, to show the swizzle."""
    offset = 3 * layout.columns + layout.columns // 2
    return xor_text(layout, layout.at_offset(offset))


def xor_text(layout: LinearLayout, point: Point) -> str:
    """Return ``73 = 64 + 8 + 1: (1, 8) ^ (0, 8) ^ (0, 1) = (1, 1)``."""
    used = [basis for basis in layout.bases if basis.offset & point.offset]
    result = f"({point.row}, {point.column})"
    if not used:
        return f"0 = {result}"
    if len(used) == 1:
        return f"{point.offset} is a basis: {result}"
    total = " + ".join(str(basis.offset) for basis in reversed(used))
    parts = " ^ ".join(f"({basis.row}, {basis.column})" for basis in reversed(used))
    return f"{point.offset} = {total}: {parts} = {result}"


def _point(layout: LinearLayout, point: Point) -> Iterator[RenderableType]:
    bits = point.offset * layout.dtype.bits
    byte = f"byte {bits // 8}" + (f" bit {bits % 8}" if bits % 8 else "")
    yield line(
        ("offset ", "faint"),
        (str(point.offset), "key"),
        (" -> ", "faint"),
        (f"({point.row}, {point.column})", "value"),
        (f"  {byte}", "faint"),
    )
    yield beside("  ", xor_text(layout, point))


@as_view
def tensor_view(
    layout: TensorLayout, points: Sequence[Point] = (), notes: Sequence[str] = ()
) -> Iterator[RenderableType]:
    """The bases of a whole tensor, or the requested ``points``."""

    shape = "x".join(map(str, layout.shape))
    swizzle = layout.encoding.swizzle
    name = f"{swizzle if swizzle != 'none' else 'no swizzle'}, {layout.encoding.bits}-bit elements"
    way = ", transposed" if layout.encoding.transposed else ""
    yield line((name, "heading"), f": tensor of {shape}{way}, {len(layout.bases)} bases")
    digits = len(str(layout.size // 2))
    for point in points or layout.bases:
        padding = "  padding" if not points and not any(point.place) else ""
        lead = ("offset=", "faint"), (str(point.offset).ljust(digits), "key"), (" -> ", "faint")
        yield line(*lead, (str(point.place), "value"), (padding, "faint"))
    if not points:
        dims = ", ".join(f"dim{number} (size {size})" for number, size in enumerate(layout.shape))
        yield Text(f"where out dims are: [{dims}]", "faint")
        yield labeled("Triton", layout.triton, indent=0)
    for note in notes:
        yield noted(note)
    yield labeled("source", (TENSOR_SOURCE, "faint"), indent=0)
