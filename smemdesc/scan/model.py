"""What a scan finds: the MMAs of each function, with what is known of their descriptors."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.instruction import Instruction as Instruction
from smemdesc.mma import Mma as Model
from smemdesc.mma import Operand as Bits


class Operand(NamedTuple):
    """A descriptor operand: the known bits, the mask of them, and the line where the rest was lost (None: nowhere)."""

    bits: int
    known: int
    lost: int | None = None
    lost_text: str = ""
    """That line, without address and comments."""


class Mma(NamedTuple):
    """One tensor-core instruction that reads descriptors. Lines count from 1."""

    line: int
    text: str
    instruction: Instruction
    a: Operand | None
    b: Operand | None
    idesc: Operand | None
    mask: Operand | None
    source: tuple[str, int] | None = None
    """File and line of the source, where the dump says it."""
    arch: str | None = None

    @property
    def model(self) -> Model:
        """The instruction and its operands, without their place."""
        a, b, idesc, mask = (each and Bits(each.bits, each.known) for each in (self.a, self.b, self.idesc, self.mask))
        return Model(self.instruction, a, b, idesc, mask, self.arch)


class Function(NamedTuple):
    """One function of a dump that has MMAs. ``odd`` counts the lines in it that were not understood."""

    name: str | None
    line: int
    format: str
    """``SASS``, ``PTX``, ``LLVM IR`` or ``MLIR``."""
    mmas: tuple[Mma, ...]
    odd: int = 0


class Value(NamedTuple):
    """A number in other text that may be a descriptor: where, as what, and how sure that is."""

    line: int
    column: int
    text: str
    id: str
    """The reading: a kind's id, with ``:high_word`` where only that word was given."""
    sure: str
    """``certain``, ``likely`` or ``possible``."""
    why: str
    bits: int
    width: int
    """32 or 64."""


class Part(NamedTuple):
    """What was found in one stretch of a file."""

    functions: tuple[Function, ...] = ()
    """Those with MMAs."""
    seen: int = 0
    """How many functions there were, with MMAs or without."""
    values: tuple[Value, ...] = ()
    odd: int = 0
    """Lines of the functions that were not understood."""
