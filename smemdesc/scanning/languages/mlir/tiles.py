"""Operations on tiles: the layout in their types, as the descriptor that the compiler will make.

The start address is not in the text. A stride that the operand does not use is unknown, too: compilers may write
anything there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import DType, dtype_of
from smemdesc.layout.strides import strides_of
from smemdesc.scanning.languages.mma import tcgen05
from smemdesc.scanning.model import Instruction, ScannedOperand
from smemdesc.tiles.explaining import read_layout
from smemdesc.tiles.reading import Options
from smemdesc.tiles.solving import described_operand, fitting_operands

START = "start_address"


@lru_cache(maxsize=4096)
def layout_descriptor(text: str, kind: str, dtype: DType, major: str, shape: tuple[int, int]) -> tuple[int, int] | str:
    """Return the descriptor of the first MN x K elements of a layout as its bits and a mask of the known ones; or a
    string, the reason why it has no descriptor.

    ``text`` is a layout as :func:`smemdesc.tiles.explaining.read_layout` takes it.
    """
    target = kind_of(kind)
    try:
        source = read_layout(text, Options(dtype=dtype, major=major, stage=0))
        for reading in source.readings:
            if major not in reading.majors:
                continue
            operand = next(fitting_operands(reading.buffer.slice((0, 0), shape), source.dtype, target, (major,)), None)
            if operand is None:
                continue
            result = described_operand(operand, target)
            unused = 0
            case = Context(dtype=source.dtype, major=major, shape=shape)
            for stride in strides_of(operand.mode.name, major, case):
                unused |= 0 if stride.used else target.table.masks[stride.key]
            known = target.table.full & ~target.table.masks[START] & ~unused
            return result.value & known, known
    except SmemdescError as problem:
        return problem.option_message
    return f"no {kind} descriptor has this layout"


def tile_operand(
    layout: str | ScannedOperand, kind: str, dtype: DType | None, major: str | None, shape: tuple[int, int] | None
) -> ScannedOperand:
    """Return the same as an operand; unknown as far as the text does not specify it."""
    if isinstance(layout, ScannedOperand):
        return layout
    if dtype is None or major is None or shape is None or not layout:
        return ScannedOperand(0, 0)
    bits = layout_descriptor(layout, kind, dtype, major, shape)
    return ScannedOperand(0, 0, None, bits) if isinstance(bits, str) else ScannedOperand(*bits)


Tiles = tuple[Instruction, ScannedOperand | None, ScannedOperand | None, ScannedOperand | None]
"""An instruction with A, B and the instruction descriptor."""

K_BYTES = 32
"""Bytes of one MMA along K."""
ACCUMULATOR_TYPES = {"f16": "f16", "f32": "f32", "i32": "s32", "si32": "s32"}
"""The types of an accumulator."""
KIND_OF_TYPE = {
    **dict.fromkeys(("f16", "bf16"), "f16"),
    "tf32": "tf32",
    **dict.fromkeys(("s8", "u8"), "i8"),
    **dict.fromkeys(("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"), "f8f6f4"),
}
"""The kind of an MMA of tcgen05 without scale factors, by the type of A."""


class MmaAtom(NamedTuple):
    """The instructions that an operation on tiles becomes, as its types specify them."""

    family: str
    m: int | None
    n: int | None
    k: int | None
    """None: as many as fit in 32 bytes."""
    types: tuple[str | None, str | None, str | None]
    """The types of A, B and D."""
    majors: tuple[str | None, str | None]
    a_from: str
    group: int = 1
    kinds: tuple[str, ...] = ()
    """The possible MMA kinds."""
    sparse: bool = False
    scale_type: str = "ue8m0"
    unknown: tuple[str, ...] = ()
    """Fields of the instruction descriptor that only the compiler knows."""

    def tiles(self, layouts: Sequence[str | ScannedOperand]) -> Tiles:
        """Return the instruction and its operands; ``layouts`` are their layout types, or operands that explain why one
        is unknown."""
        kind = self.kinds[0] if self.kinds else None
        dtypes = [None if name is None else dtype_of(name, kind) for name in self.types[:2]]
        k = self.k or next((K_BYTES * 8 // dtype.storage for dtype in dtypes if dtype), None)
        a, b = (
            tile_operand(
                layout, self.family, dtype, major, None if not size or not k else (size // self.group, k // part)
            )
            for layout, dtype, major, size, part in zip(
                layouts, dtypes, self.majors, (self.m, self.n), (1 + self.sparse, 1), strict=True
            )
        )
        of_a = a if self.a_from == "shared" else None
        if self.family == "tcgen05":
            instruction = tcgen05(self.kinds, (), self.group, self.a_from == "tmem", self.sparse)
            # How many scale factors a row has is the compiler's choice.
            return instruction._replace(scale_vec=None), of_a, b, self._instruction_descriptor(kind)
        a_type, b_type, d_type = self.types
        instruction = Instruction(
            "wgmma",
            m=self.m,
            n=self.n,
            k=self.k,
            a_type=a_type,
            b_type=b_type,
            d_type=d_type,
            a_major=self.majors[0] if self.a_from == "shared" else "K",
            b_major=self.majors[1],
            sparse=self.sparse,
            a_from=self.a_from,
        )
        return instruction, of_a, b, None

    def _instruction_descriptor(self, kind: str | None) -> ScannedOperand:
        a_major, b_major = self.majors
        if a_major is None and self.a_from == "tmem":
            a_major = "K"
        needed = (kind, a_major, b_major, self.m, self.n, *self.types)
        if None in needed:
            return ScannedOperand(0, 0)
        fields = {
            "d_type": self.types[2],
            "a_type": self.types[0],
            "b_type": self.types[1],
            "m": self.m,
            "n": self.n,
            "transpose_a": a_major == "MN",
            "transpose_b": b_major == "MN",
            "sparse": self.sparse,
            "scale_type": self.scale_type,
        }
        idesc = kind_of("idesc", kind)
        rows = idesc.table.by_key
        try:
            values = {key: value for key, value in fields.items() if key in rows}
            result = build(idesc, values, context=Context(cta_group=self.group), force=True)
        except SmemdescError:
            return ScannedOperand(0, 0)
        known = idesc.table.full
        for key in self.unknown:
            known &= ~idesc.table.masks.get(key, 0)
        return ScannedOperand(result.value & known, known)
