"""An atom as a linear layout: the bases, how to read them, and the XOR with numbers in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.render.diagnostics import noted
from smemdesc.render.parts import beside, labelled, line
from smemdesc.tiles.linear import LinearLayout, Point, TensorLayout

SOURCE = "Triton, getCoreMatrixLinearLayout (LinearLayoutConversions.cpp)"
TENSOR_SOURCE = "Triton, nvmmaSharedToLinearLayout (LinearLayoutConversions.cpp)"


class LinearView(NamedTuple):
    """The bases, or the ``points`` that are asked for."""

    layout: LinearLayout
    points: Sequence[Point] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        layout = self.layout
        rows, columns = layout.rows, layout.columns
        name = f"{layout.swizzle}, {layout.dtype.bits}-bit elements ({layout.dtype.name})"
        yield line((name, "heading"), f": {rows} x {columns} elements, {len(layout.bases)} bases")
        if self.points:
            for point in self.points:
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
            "offset counts elements from the start of the atom; its element is the XOR of the bases of its set bits",
            f"for example offset {example(layout)}",
            "dim0 is the line of the atom (mn if K-major, k if MN-major), dim1 runs along it: both have the same bases",
        ):
            yield beside("  ", text)
        yield labelled("source", (SOURCE, "faint"), indent=0)


def example(layout: LinearLayout) -> str:
    """Return one offset as the XOR of its bases: two rows and a column, so that the swizzle shows."""
    wanted = 3 * layout.columns + layout.columns // 2
    return xor(layout, layout.at_offset(wanted))


def xor(layout: LinearLayout, point: Point) -> str:
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
    yield beside("  ", xor(layout, point))


class TensorView(NamedTuple):
    """The bases of a whole tensor, or the ``points`` that are asked for."""

    layout: TensorLayout
    points: Sequence[Point] = ()
    notes: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        layout = self.layout
        shape = "x".join(map(str, layout.shape))
        swizzle = layout.encoding.swizzle
        name = f"{swizzle if swizzle != 'none' else 'no swizzle'}, {layout.encoding.bits}-bit elements"
        way = ", transposed" if layout.encoding.transposed else ""
        yield line((name, "heading"), f": tensor of {shape}{way}, {len(layout.bases)} bases")
        digits = len(str(layout.size // 2))
        for point in self.points or layout.bases:
            padding = "  padding" if not self.points and not any(point.place) else ""
            lead = ("offset=", "faint"), (str(point.offset).ljust(digits), "key"), (" -> ", "faint")
            yield line(*lead, (str(point.place), "value"), (padding, "faint"))
        if not self.points:
            dims = ", ".join(f"dim{number} (size {size})" for number, size in enumerate(layout.shape))
            yield Text(f"where out dims are: [{dims}]", "faint")
        for note in self.notes:
            yield noted(note)
        yield labelled("source", (TENSOR_SOURCE, "faint"), indent=0)
