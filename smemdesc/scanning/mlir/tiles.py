"""Operations on tiles: the layout that their types say, as the descriptor that the compiler will make of it.

The start address is not in the text. A stride that the operand does not use is not told either: compilers write
there what they like.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import DType
from smemdesc.layout.strides import strides_of
from smemdesc.scanning.model import Instruction, Operand
from smemdesc.tiles.explaining import read
from smemdesc.tiles.reading import Options
from smemdesc.tiles.solving import describe, fits

START = "start_address"


@lru_cache(maxsize=4096)
def descriptor(text: str, kind: str, dtype: DType, major: str, shape: tuple[int, int]) -> tuple[int, int] | str:
    """Return the bits of the descriptor of the first MN x K elements of a layout, and which are known; or why none.

    ``text`` is a layout as :func:`smemdesc.tiles.explaining.read` takes it.
    """
    of = kind_of(kind)
    try:
        source = read(text, Options(dtype=dtype, major=major, stage=0))
        for reading in source.readings:
            if major not in reading.majors:
                continue
            operand = next(fits(reading.buffer.slice((0, 0), shape), source.dtype, of, (major,)), None)
            if operand is None:
                continue
            made = describe(operand, of)
            unused = 0
            case = Context(dtype=source.dtype, major=major, shape=shape)
            for stride in strides_of(operand.mode.name, major, case):
                unused |= 0 if stride.used else of.table.masks[stride.key]
            known = of.table.full & ~of.table.masks[START] & ~unused
            return made.value & known, known
    except SmemdescError as problem:
        return problem.message
    return f"no {kind} descriptor has this layout"


def operand(text: str, kind: str, dtype: DType | None, major: str | None, shape: tuple[int, int] | None) -> Operand:
    """Return the same as an operand; of what the text does not say nothing is known."""
    if dtype is None or major is None or shape is None or not text:
        return Operand(0, 0)
    found = descriptor(text, kind, dtype, major, shape)
    if isinstance(found, str):
        return Operand(0, 0, None, found)
    return Operand(*found)


def instruction_descriptor(
    mma_kind: str, fields: Mapping[str, Any], unknown: tuple[str, ...], cta_group: int | None
) -> Operand | None:
    """Return the instruction descriptor of these fields but for those that only the compiler knows."""
    of = kind_of("idesc", mma_kind)
    rows = of.table.by_key
    try:
        made = build(
            of,
            {key: value for key, value in fields.items() if key in rows},
            context=Context(cta_group=cta_group),
            force=True,
        )
    except SmemdescError:
        return Operand(0, 0)
    known = of.table.full
    for key in unknown:
        known &= ~of.table.masks.get(key, 0)
    return Operand(made.value & known, known)


def major_name(transposed: bool) -> str:
    """Return the major-ness of an operand that is read transposed, or not."""
    return "MN" if transposed else "K"


Tiles = tuple[Instruction, Operand | None, Operand | None, Operand | None]
"""An instruction with A, B and the instruction descriptor."""
