"""The layouts of ``silicon/debugger/wrong.cu``: kernels that are wrong on purpose, each in one place."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from smemdesc.kinds.elements import Memory
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import Operand

M, N, K = 64, 128, 64
BF16 = dtype_of("bf16")
B0 = 32768
SIZE = 65536


def operand(major: str, mode: str, rows: int, start: int, lbo: int, sbo: int, base: int = 0) -> Operand:
    """Return an operand of bf16 of the tile's K."""
    return Operand(mode, major, BF16, (rows, K), start=start, lbo=lbo, sbo=sbo, base_offset=base)


class Wrong(NamedTuple):
    """How a kernel writes an operand, and what its descriptor says of it."""

    of: str
    writes: Operand
    says: Operand
    before: int = -1
    """Where the stage before lies, with A moved by one k."""


A128 = operand("K", "128B", M, 0, 16, 1024)
WRONG = {
    "right": Wrong("A", A128, A128),
    "wrong_mode": Wrong("A", operand("K", "64B", M, 0, 4096, 512), A128),
    "wrong_major": Wrong("A", operand("MN", "128B", M, 0, 8192, 1024), A128),
    "wrong_lbo": Wrong("B", operand("MN", "128B", N, B0, 8192, 1024), operand("MN", "128B", N, B0, 4096, 1024)),
    "wrong_base_offset": Wrong("A", operand("K", "128B", M, 256, 16, 1024, 2), operand("K", "128B", M, 256, 16, 1024)),
    "wrong_stage": Wrong("A", operand("K", "128B", M, 8192, 16, 1024), A128, before=0),
}


@cache
def bits(number: int) -> int:
    """Return a small whole number in bf16."""
    from smemdesc.kinds.elements import bits_of

    return bits_of(BF16, number)


A = [[bits((m * 37 + k * 11 + m * k) % 251 - 125) for k in range(K)] for m in range(M)]
B = [[bits((n * 29 + k * 17 + n * k) % 241 - 120) for k in range(K)] for n in range(N)]


def matrix(name: str) -> list[list[int]]:
    """Return what the operand should hold."""
    return A if WRONG[name].of == "A" else B


@cache
def memory(name: str) -> Memory:
    """Return shared memory as the kernel leaves it."""
    from operands.writing import written

    wrong = WRONG[name]
    there = Memory(0, bytes(SIZE))
    if wrong.before >= 0:
        moved = [[row[(k + K - 1) % K] for k in range(K)] for row in A]
        there = written(operand("K", "128B", M, wrong.before, 16, 1024), moved, there)
    if wrong.of == "A":
        there = written(wrong.writes, A, there)
        return written(operand("K", "128B", N, B0, 16, 1024), B, there)
    return written(wrong.writes, B, written(A128, A, there))
