"""The elements of an operand in a dump of shared memory."""

from __future__ import annotations

from smemdesc.engine.fields import ones
from smemdesc.kinds.elements import Memory
from smemdesc.layout.operand import Operand


def elements(operand: Operand, memory: Memory) -> list[list[int | None]]:
    """Return the bit patterns of an operand, a list for each mn; None for an element outside of ``memory``."""
    first, data = 8 * memory.first, memory.data
    bits = operand.dtype.bits
    last = 8 * len(data) - bits
    if bits % 8:
        return [
            [_some(data, bit - first, bits) if 0 <= bit - first <= last else None for bit in row]
            for row in operand.grid
        ]
    size = bits // 8
    rows = [[(bit - first) // 8 for bit in row] for row in operand.grid]
    last //= 8
    return [[int.from_bytes(data[at : at + size], "little") if 0 <= at <= last else None for at in row] for row in rows]


def _some(data: bytes, bit: int, bits: int) -> int:
    """Bits that begin and end inside bytes: the low ones come first."""
    byte, rest = divmod(bit, 8)
    around = int.from_bytes(data[byte : (bit + bits - 1) // 8 + 1], "little")
    return around >> rest & ones(bits)
