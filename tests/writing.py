"""Writes matrices into shared memory, element by element, by an operand's own addresses."""

from __future__ import annotations

from random import Random

from smemdesc.layout.held import Memory
from smemdesc.layout.operand import Operand

SIZE = 1 << 16


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
    for row, addresses in zip(matrix, operand.grid, strict=True):
        for pattern, address in zip(row, addresses, strict=True):
            byte, rest = divmod(address - 8 * memory.first, 8)
            end = byte + (rest + bits + 7) // 8
            there = int.from_bytes(data[byte:end], "little")
            there = there & ~((1 << bits) - 1 << rest) | pattern << rest
            data[byte:end] = there.to_bytes(end - byte, "little")
    return Memory(memory.first, bytes(data))
