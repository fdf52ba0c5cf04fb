"""An atom as a linear layout, as lines and as JSON: the bases, how to read them, and the XOR with numbers in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from smemdesc.layout.linear import Held, LinearLayout, Point, TensorLayout
from smemdesc.render.lines import Line, indented

SOURCE = "Triton, getCoreMatrixLinearLayout (LinearLayoutConversions.cpp)"
TENSOR_SOURCE = "Triton, nvmmaSharedToLinearLayout (LinearLayoutConversions.cpp)"


def linear_lines(layout: LinearLayout, points: Sequence[Point], width: int | None) -> Iterator[Line]:
    """Yield the bases, or the ``points`` that are asked for."""
    rows, columns = layout.rows, layout.columns
    name = f"{layout.swizzle}, {layout.dtype.bits}-bit elements ({layout.dtype.name})"
    yield [(name, "heading"), (f": {rows} x {columns} elements, {len(layout.bases)} bases", "")]
    if points:
        for point in points:
            yield from _point(layout, point, width)
        return
    digits = len(str(layout.bases[-1].offset))
    for basis in layout.bases:
        pad = " " * (digits - len(str(basis.offset)))
        yield [
            ("offset=", "dim"),
            (str(basis.offset), "key"),
            (f"{pad} -> ", "dim"),
            (f"({basis.row}, {basis.column})", "value"),
        ]
    yield [(f"where out dims are: [dim0 (size {rows}), dim1 (size {columns})]", "dim")]
    for text in (
        "offset counts elements from the start of the atom; its element is the XOR of the bases of its set bits",
        f"for example offset {example(layout)}",
        "dim0 is the line of the atom (mn if K-major, k if MN-major), dim1 runs along it: both have the same bases",
    ):
        yield from indented([("  ", "")], text, "", width)
    yield from indented([("source: ", "dim")], SOURCE, "dim", width)


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


def _point(layout: LinearLayout, point: Point, width: int | None) -> Iterator[Line]:
    lead: Line = [
        ("offset ", "dim"),
        (str(point.offset), "key"),
        (" -> ", "dim"),
        (f"({point.row}, {point.column})", "value"),
    ]
    bits = point.offset * layout.dtype.bits
    byte = f"byte {bits // 8}" + (f" bit {bits % 8}" if bits % 8 else "")
    yield [*lead, (f"  {byte}", "dim")]
    yield from indented([("  ", "")], xor(layout, point), "", width)


def linear_dict(layout: LinearLayout, points: Sequence[Point]) -> dict[str, Any]:
    """Return the object of a linear layout; ``points`` only where some are asked for."""
    out: dict[str, Any] = {
        "swizzle": layout.swizzle,
        "dtype": layout.dtype.name,
        "bits": layout.dtype.bits,
        "dims": [layout.rows, layout.columns],
        "bases": [{"offset": basis.offset, "to": [basis.row, basis.column]} for basis in layout.bases],
    }
    if points:
        out["points"] = [{"offset": point.offset, "at": [point.row, point.column]} for point in points]
    return out


def tensor_lines(
    layout: TensorLayout, points: Sequence[Held], notes: Sequence[str], width: int | None
) -> Iterator[Line]:
    """Yield the bases of a whole tensor, or the ``points`` that are asked for."""
    shape = "x".join(map(str, layout.shape))
    swizzle = layout.encoding.swizzle
    name = f"{swizzle if swizzle != 'none' else 'no swizzle'}, {layout.encoding.bits}-bit elements"
    way = ", transposed" if layout.encoding.transposed else ""
    yield [(name, "heading"), (f": tensor of {shape}{way}, {len(layout.bases)} bases", "")]
    digits = len(str(layout.size // 2))
    shown = points or [Held(1 << bit, basis) for bit, basis in enumerate(layout.bases)]
    for point in shown:
        lead: Line = [("offset=", "dim"), (str(point.offset).ljust(digits), "key"), (" -> ", "dim")]
        yield [*lead, (str(point.place), "value"), ("  padding" if not points and not any(point.place) else "", "dim")]
    if not points:
        dims = ", ".join(f"dim{number} (size {size})" for number, size in enumerate(layout.shape))
        yield [(f"where out dims are: [{dims}]", "dim")]
    for note in notes:
        yield from indented([("  note: ", "note")], note, "", width)
    yield from indented([("source: ", "dim")], TENSOR_SOURCE, "dim", width)


def tensor_dict(layout: TensorLayout, points: Sequence[Held]) -> dict[str, Any]:
    """Return the object of a whole tensor's linear layout; ``points`` only where some are asked for."""
    out: dict[str, Any] = {
        "swizzle": layout.encoding.swizzle,
        "bits": layout.encoding.bits,
        "transposed": layout.encoding.transposed,
        "dims": list(layout.shape),
        "bases": [{"offset": 1 << bit, "to": list(basis)} for bit, basis in enumerate(layout.bases)],
    }
    if points:
        out["points"] = [{"offset": point.offset, "at": list(point.place)} for point in points]
    return out
