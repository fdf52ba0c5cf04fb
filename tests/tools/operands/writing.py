"""Writes matrices into shared memory, element by element, by a writing of the formula that shares nothing with ours."""

from __future__ import annotations

from random import Random

from smemdesc.kinds.elements import Memory
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import Operand

SIZE = 1 << 16
MODES = {
    "none": (16, 0, 4, 3, 8),
    "32B": (32, 1, 4, 3, 8),
    "64B": (64, 2, 4, 3, 8),
    "128B": (128, 3, 4, 3, 8),
    "128B_32B": (128, 2, 5, 2, 4),
}
"""Bytes of a line of the pattern, CUTLASS's Swizzle<B, M, S> on bytes, lines along K of an MN-major atom."""


def bit_address(mode: str, major: str, dtype: DType, numbers: tuple[int, int, int, int], mn: int, k: int) -> int:
    """Return where an element lies; ``numbers`` are the start, LBO, SBO and base offset."""
    start, lbo, sbo, base_offset = numbers
    width, b, m, s, lines = MODES[mode]
    along, across = (k, mn) if major == "K" else (mn, k)
    # Elements of 4 and 6 bits lie sixteen in a container of 16 bytes, where they are not packed.
    bit = along * dtype.bits if dtype.bits == dtype.storage else along // 16 * 128 + along % 16 * dtype.bits
    byte = bit // 8
    if major == "K":
        linear = across % 8 * width + across // 8 * sbo + byte // width * lbo + byte % width
    elif mode == "none":
        linear = byte % 16 + byte // 16 * sbo + across % 8 * 16 + across // 8 * lbo
    else:
        linear = byte % width + byte // width * lbo + across % lines * width + across // lines * sbo
    address = start + linear
    phase = (address - 128 * base_offset) >> (m + s)
    return 8 * (address ^ (phase & ((1 << b) - 1)) << m) + bit % 8


def noise(random: Random, size: int = SIZE, first: int = 0) -> Memory:
    """Return memory in which nothing is written."""
    return Memory(first, random.randbytes(size))


def matrix_of(random: Random, operand: Operand) -> list[list[int]]:
    """Return a random matrix for an operand, every pattern as likely as the others."""
    rows, columns = operand.shape
    return [[random.getrandbits(operand.dtype.bits) for _ in range(columns)] for _ in range(rows)]


def written(operand: Operand, matrix: list[list[int]], memory: Memory) -> Memory:
    """Return memory with a matrix written where the operand has it."""
    data = bytearray(memory.data)
    bits = operand.dtype.bits
    start, lbo, before = operand.start, operand.lbo, 0
    if operand.absolute:  # K is counted from the 128-byte line of the start address on, and goes on in the line at LBO
        start -= start % 128
        lbo -= start
        before = operand.start % 128 * 8 // operand.dtype.storage
    numbers = (start, lbo, operand.sbo, operand.base_offset)
    for mn, row in enumerate(matrix):
        for k, pattern in enumerate(row):
            address = bit_address(operand.mode.name, operand.major, operand.dtype, numbers, mn, before + k)
            byte, rest = divmod(address - 8 * memory.first, 8)
            end = byte + (rest + bits + 7) // 8
            there = int.from_bytes(data[byte:end], "little")
            there = there & ~((1 << bits) - 1 << rest) | pattern << rest
            data[byte:end] = there.to_bytes(end - byte, "little")
    return Memory(memory.first, bytes(data))
