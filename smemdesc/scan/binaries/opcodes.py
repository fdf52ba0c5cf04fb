"""The opcodes of tensor-core instructions: which functions of a cubin have some is told without a disassembler."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
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


TABLE = (
    Opcode(0x1F0, "HGMMA", True),
    Opcode(0x1F1, "IGMMA", True),
    Opcode(0x1F2, "BGMMA", True),
    Opcode(0x1F3, "QGMMA", True),
    # UTCHMMA, UTCIMMA, UTCQMMA and UTCOMMA have one opcode.
    Opcode(0x1EA, "UTC*MMA", True),
    Opcode(0x1E7, "UTCCP", True),
    Opcode(0x037, "IMMA", False),
    Opcode(0x03C, "HMMA", False),
    Opcode(0x03D, "BMMA", False),
    Opcode(0x03F, "DMMA", False),
    Opcode(0x07A, "QMMA", False),
    Opcode(0x07F, "OMMA", False),
)
"""Source: what nvdisasm 13.5.37 prints with -c -hex, compared in ``tests/scan/binaries/opcodes.py``."""
DESCRIPTORS = frozenset(each.bits for each in TABLE if each.descriptors)
OLDER = {each.bits: each.name for each in TABLE if not each.descriptors}
_KNOWN = DESCRIPTORS | OLDER.keys()


class Used(NamedTuple):
    """The tensor-core instructions of some code."""

    descriptors: bool
    """Whether one reads descriptors."""
    older: Counter[str]
    """How many there are that do not, by name."""


def used(code: bytes) -> Used:
    """Tell which tensor-core instructions there are in the code of a function."""
    words = array("H", code[: len(code) // SIZE * SIZE])
    if sys.byteorder == "big":
        words.byteswap()
    first = words[:: SIZE // 2]
    found = {word: word & _OPCODE for word in set(first) if word & _OPCODE in _KNOWN}
    older: Counter[str] = Counter()
    for word, bits in found.items():
        if bits in OLDER:
            older[OLDER[bits]] += first.count(word)
    return Used(not DESCRIPTORS.isdisjoint(found.values()), older)
