"""What a scan finds: the MMAs of each function, with what is known of their descriptors."""

from __future__ import annotations

from typing import NamedTuple


class Instruction(NamedTuple):
    """What the instruction says about its operands; None for what it does not say.

    ``family`` is ``wgmma``, ``tcgen05`` (an MMA) or ``tcgen05.cp``. Shapes are in elements, ``n`` and ``k`` those
    of the whole instruction (``k`` the logical one of a sparse MMA).
    """

    family: str
    mma_kind: str | None = None
    """The tcgen05 kind where there is one only."""
    mma_kinds: tuple[str, ...] = ()
    """All kinds that the instruction may be (SASS does not tell tf32 from f16)."""
    m: int | None = None
    n: int | None = None
    k: int | None = None
    a_type: str | None = None
    b_type: str | None = None
    d_type: str | None = None
    a_major: str | None = None
    b_major: str | None = None
    cta_group: int | None = None
    ws: bool | None = None
    sparse: bool | None = None
    scale_vec: int | None = None
    a_from: str = "shared"
    """Where A is: ``shared``, ``registers`` or ``tmem``."""
    copied: tuple[int, int] | None = None
    """Of a tcgen05.cp: the rows that it reads, and the bits of each."""


OPERAND_TYPES = frozenset(("f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"))
"""What the A and B of a wgmma may be."""
_MOST_N = 256
_K = frozenset((8, 16, 32, 64, 256))


def is_shape(n: int, k: int) -> bool:
    """Whether a wgmma may have these N and K."""
    return 0 < n <= _MOST_N and not n % 8 and k in _K


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
    older: tuple[tuple[str, int], ...] = ()
    """Tensor-core instructions that take no descriptor (``HMMA``, ``mma.sync``): name and count."""
    failed: tuple[tuple[int, str], ...] = ()
    """What could not be scanned: line and reason."""
