"""The opcodes of tensor-core instructions: which functions of a cubin have some is told without a disassembler."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import NamedTuple

SIZE = 16
"""Bytes of an instruction, from sm_70 on."""
FIRST = 70
"""The first architecture with instructions of this form."""
_OPCODE = 0x1FF
"""Bits 0 to 8 say what an instruction does, 9 to 11 where its operands are, 12 to 15 what guards it."""


class Opcode(NamedTuple):
    """What an opcode is called, and whether such an instruction reads descriptors."""

    bits: int
    name: str
    descriptors: bool
    before: int = 1_000
    """The architecture from which on it is something else."""


TABLE = (
    Opcode(0x1F0, "HGMMA", True),
    Opcode(0x1F1, "IGMMA", True),
    Opcode(0x1F2, "BGMMA", True),
    Opcode(0x1F3, "QGMMA", True),
    # UTCHMMA, UTCIMMA, UTCQMMA and UTCOMMA have one opcode.
    Opcode(0x1EA, "UTC*MMA", True),
    Opcode(0x1E7, "UTCCP", True),
    Opcode(0x037, "IMMA", False),
    # Of sm_70 and sm_75; later it is VIADD.
    Opcode(0x036, "HMMA", False, 80),
    Opcode(0x03C, "HMMA", False),
    Opcode(0x03D, "BMMA", False),
    Opcode(0x03F, "DMMA", False),
    Opcode(0x07A, "QMMA", False),
    Opcode(0x07F, "OMMA", False),
)
"""Source: what nvdisasm 13.5.37 prints with -c -hex, compared in ``tests/scanning/binaries/opcodes.py``."""
DESCRIPTORS = frozenset(each.bits for each in TABLE if each.descriptors)
OLDER = {each.bits: each for each in TABLE if not each.descriptors}
_FIRST_BYTES = bytes({bits & 0xFF for bits in (*DESCRIPTORS, *OLDER)})
_OTHERS = bytes(set(range(256)) - set(_FIRST_BYTES))
_MARKED = bytes(int(byte in _FIRST_BYTES) for byte in range(256))


class Used(NamedTuple):
    """The tensor-core instructions of some code."""

    descriptors: bool
    """Whether one reads descriptors."""
    older: Counter[str]
    """How many there are that do not, by name."""


def used(code: bytes, sm: int) -> Used:
    """Tell which tensor-core instructions there are in the code of a function for an architecture, 90 for sm_90a."""
    whole = len(code) // SIZE * SIZE
    # Bytes of all instructions in a library: nothing is made of those that the first byte rules out.
    low = code[:whole:SIZE]
    if not low.translate(None, _OTHERS):
        return Used(False, Counter())
    marks = low.translate(_MARKED)
    pairs = Counter(zip(compress(low, marks), compress(code[1:whole:SIZE], marks), strict=True))
    found: Counter[int] = Counter()
    for (first, second), count in pairs.items():
        found[int.from_bytes((first, second), "little") & _OPCODE] += count
    older = Counter[str]()
    for bits, each in OLDER.items():
        if found[bits] and sm < each.before:
            older[each.name] += found[bits]
    return Used(not DESCRIPTORS.isdisjoint(found), older)
