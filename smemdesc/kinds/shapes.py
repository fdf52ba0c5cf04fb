"""Which M and N an instruction may have, by its kind and case: the shape table asked, and put into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smemdesc.engine.wording import either
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.idesc import SHAPES, Shape
from smemdesc.kinds.kind import Kind

EIGHT_BIT_B = ("f8f6f4", "i8", "mxf8f6f4")


def ranges(numbers: tuple[int, ...]) -> str:
    """Write a list of N shortly: ``8..256 step 8``."""
    if len(numbers) < 4:
        return ", ".join(map(str, numbers))
    step = numbers[-1] - numbers[-2]
    regular = len(numbers)
    while regular > 1 and numbers[regular - 1] - numbers[regular - 2] == step:
        regular -= 1
    head = [str(number) for number in numbers[: regular - 1]]
    return ", ".join([*head, f"{numbers[regular - 1]}..{numbers[-1]} step {step}"])


def candidates(mma_kind: str, sparse: bool, context: Context) -> list[Shape]:
    """Return the rows of the table that the case leaves."""
    return [
        shape
        for shape in SHAPES
        if mma_kind in shape.kinds
        and shape.sparse in (None, sparse)
        and context.cta_group in (None, shape.cta_group)
        and context.ws in (None, shape.ws)
    ]


def columns(mma_kind: str, shape: Shape, transpose_b: bool) -> tuple[int, ...]:
    """Return the legal N of a row; an 8-bit B that is transposed takes multiples of 16 (32 with two CTAs) only."""
    if not transpose_b or mma_kind not in EIGHT_BIT_B:
        return shape.n
    return tuple(n for n in shape.n if n % (16 * shape.cta_group) == 0)


def rows_of(mma_kind: str, rows: list[Shape]) -> list[int]:
    """Return every legal M of some rows."""
    return sorted({each for row in rows for each in row.m})


def allowed(mma_kind: str, rows: list[Shape], transpose_b: bool) -> str:
    """Say which N each row takes."""
    return "; ".join(f"{row.label}: {ranges(columns(mma_kind, row, transpose_b))}" for row in rows)


def asked(context: Context) -> str:
    """Name the qualifiers that are known, since another combination may well be legal."""
    parts = [f"cta_group::{context.cta_group}"] if context.cta_group else []
    if context.ws is not None:
        parts.append(".ws" if context.ws else "no .ws")
    return f" with {' and '.join(parts)}" if parts else ""


def takes(kind: Kind, key: str, context: Context = NOTHING, fields: Mapping[str, Any] | None = None) -> str:
    """Say which values a field takes: M and N of an instruction by the case, any other by its row of the table.

    ``fields`` are the values of other fields as far as they are known (``m``, ``sparse``, ``transpose_b``).
    """
    row = kind.table.row(key)
    if kind.mma_kind is None or key not in ("m", "n"):
        return f"{key} takes {row.codec.describe(row.width)}"
    known = fields or {}
    sparse, transpose_b = known.get("sparse") is True, known.get("transpose_b") is True
    rows = candidates(kind.mma_kind, sparse, context)
    where = f"{'sparse ' if sparse else ''}kind::{kind.mma_kind}{asked(context)}"
    if not rows:
        return f"there is no {where}"
    if key == "m":
        return f"M of {where} is {either(rows_of(kind.mma_kind, rows))}"
    with_m = [each for each in rows if known.get("m") in each.m]
    of_m = f" with M = {known['m']}" if with_m else ""
    b = " and an 8-bit B that is transposed" if transpose_b and kind.mma_kind in EIGHT_BIT_B else ""
    return f"N of {where}{of_m}{b} is: {allowed(kind.mma_kind, with_m or rows, transpose_b)}"
