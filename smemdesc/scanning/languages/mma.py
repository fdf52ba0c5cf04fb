"""A tensor-core instruction from the words of its name: each language names them as PTX does, and its operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.instruction import TRANSPOSED, WGMMA_M
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.types import block_rows
from smemdesc.scanning.analysis.operands import OperandNames, Operands, mma_of
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Instruction, ScannedMma, ScannedOperand

OPERAND_TYPES = frozenset(("f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"))
"""The types of A and B of a wgmma."""
SCALE_INPUT = "scale_input_d"
"""The word of an instruction that scales D before it adds to it; in PTX the operand alone says so."""
_MOST_N = 256
_K = frozenset((8, 16, 32, 64, 256))
_FEATURES = {
    "scale_vec::": "scale-vec",
    "block16": "block-size",
    "block32": "block-size",
    "collector::b::": "collector-b",
    "decompress::lut::b": "lut-b",
    SCALE_INPUT: "scale-input-d",
}
"""The beginnings of the words that not every architecture has, with their keys in the table of architectures."""


class NotUnderstoodError(Exception):
    """A tensor-core instruction is not understood; the message is the reason."""


Line = TypeVar("Line")
Understood = tuple[Instruction, OperandNames]


class ParsedMma(NamedTuple, Generic[Line]):
    """A tensor-core instruction of a text."""

    line: Line
    instruction: Instruction
    operands: OperandNames


class IntrinsicMma(NamedTuple):
    """A tensor-core instruction whose operands are values of a function of compiler IR."""

    at: int
    """Its line in the function."""
    text: str
    instruction: Instruction
    names: OperandNames
    """Its operands: values, constants, or operands that the text itself determines."""
    unread: tuple[str, ...] = ()
    odd: int = 0
    maps: tuple[MapOperand, ...] = ()
    map_places: tuple[int, ...] = ()

    @property
    def parts(self) -> list[tuple[int, IntrinsicMma]]:
        """The instruction, with its number among those of one call."""
        return [(0, self)]

    @property
    def operands(self) -> list[tuple[Any, int]]:
        """The values that it reads, each with its width in bits."""
        return [
            (name, width)
            for name, width in zip(self.names.reads, self.names.widths, strict=True)
            if name is not None and not isinstance(name, ScannedOperand)
        ]

    def mmas(self, values: Operands) -> Iterator[ScannedMma]:
        """Yield the instruction, given what is known of :attr:`operands`."""
        yield mma_of(values, self.at, self.text, self.instruction, self.names)


def wgmma(
    n: int,
    k: int,
    types: Sequence[str | None],
    majors: tuple[str | None, str | None] = (None, None),
    sparse: bool | None = None,
    registers: bool = False,
) -> Instruction | None:
    """Return a wgmma with these types of D, A and B; None if there is no such instruction.

    ``majors``: those of A and B as far as the text has them; only 16-bit types may be MN-major.
    ``registers``: whether A is in registers.
    """
    d_type, a_type, b_type = types
    if not 0 < n <= _MOST_N or n % 8 or k not in _K or not {a_type, b_type} <= OPERAND_TYPES | {None}:
        return None
    a_major, b_major = (
        major if kind is None or kind in TRANSPOSED else "K" for kind, major in zip(types[1:], majors, strict=True)
    )
    return Instruction(
        "wgmma",
        m=WGMMA_M,
        n=n,
        k=k,
        a_type=a_type,
        b_type=b_type,
        d_type=d_type,
        a_major=None if registers else a_major,
        b_major=b_major,
        sparse=sparse,
        a_from="registers" if registers else "shared",
    )


def tcgen05(
    kinds: Sequence[str | None],
    words: Sequence[str],
    group: int | None,
    in_tmem: bool,
    sparse: bool | None = None,
    scale_vec: int | None = None,
) -> Instruction:
    """Return a ``tcgen05.mma``.

    ``kinds``: its possible MMA kinds; ``group``: its cta_group; ``in_tmem``: whether A is in tensor memory;
    ``scale_vec``: the scale factors of a row, if the words do not determine them.
    """
    kind = kinds[0] if len(kinds) == 1 else None
    return Instruction(
        "tcgen05",
        mma_kind=kind,
        mma_kinds=tuple(filter(None, kinds)),
        cta_group=group,
        ws="ws" in words,
        sparse=sparse,
        scale_vec=scale_vec or _scale_vec(kind or "", words),
        a_from="tmem" if in_tmem else "shared",
        qualifiers=tuple(key for word in words for start, key in _FEATURES.items() if word.startswith(start)),
    )


def _scale_vec(kind: str, words: Sequence[str]) -> int | None:
    """Return how many scale factors of a row an MMA reads; where there are several block sizes, the words decide."""
    named = next((word for word in words if word.startswith("scale_vec::")), None)
    if named and kind in BLOCK_SCALED:
        return {"1X": 1, "2X": 2, "4X": 4}.get(named.rpartition("::")[2])
    sizes = [block.size for block in block_rows(kind)]
    size = sizes[0] if len(sizes) == 1 else next((size for size in sizes if f"block{size}" in words), None)
    return K_DENSE[kind] // size if size else None


def require_types(kinds: Sequence[str], expected: Sequence[tuple[int, str, str]], what: str) -> None:
    """Raise :class:`NotUnderstoodError` about the first operand that is missing or has another type.

    ``expected``: the place, type and name of operands; ``what``: what the language calls one.
    """
    for place, kind, name in expected:
        if place >= len(kinds):
            raise NotUnderstoodError(f"{what} {place + 1}, {name}, is missing")
        if kinds[place] != kind and (kind[0] == "i" or not kinds[place].startswith(kind)):
            raise NotUnderstoodError(
                f"{what} {place + 1}, {name}, must be {kind}, not {kinds[place] or 'of an unknown type'}"
            )
