"""The integer operations of LLVM IR and of MLIR's dialects, under LLVM's names, on partly known words.

Flags (nuw, exact, disjoint) promise something about the operands; what is known without them holds with them.
"""

from __future__ import annotations

from collections.abc import Callable

from smemdesc.scanning import ir, known
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.ir import IN, Node
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN, const
from smemdesc.scanning.ptx.text import SPECIAL

WIDEST = 128
"""Bits of the widest integer that is followed."""
BITWISE = frozenset(("and", "or", "xor"))
"""The operations that mean the same for a vector as for one word of its size."""
_BINARY: dict[str, Callable[[Node, Node, int], Node]] = {
    "and": ir.AND,
    "or": ir.OR,
    "xor": ir.XOR,
    # The result is one of the two operands.
    **dict.fromkeys(("umin", "umax", "smin", "smax"), ir.EITHER),
    "add": lambda a, b, width: ir.ADD(a, b, FALSE, width),
    "sub": lambda a, b, width: ir.ADD(a, b, TRUE, width, True),
    "mul": ir.MULTIPLY,
    # A count of the width or more has no result; clamped it is as good as any.
    "shl": lambda a, b, width: ir.SHL(a, b, width, width),
    "lshr": lambda a, b, width: ir.SHR(a, b, width, width),
    "ashr": lambda a, b, width: ir.SAR(a, b, width, width),
    "udiv": ir.DIVIDE,
    "urem": ir.REST,
}
_CONVERT: dict[str, Callable[[int, int], Node]] = {
    "trunc": lambda width, to: ir.CUT(IN[0], to),
    "zext": lambda width, to: ir.EXTEND(IN[0], width, to, False),
    "sext": lambda width, to: ir.EXTEND(IN[0], width, to, True),
}


def binary(name: str, width: int) -> Node | None:
    """Return the operation of two words of ``width`` bits; None for one that is not followed."""
    made = _BINARY.get(name)
    return None if made is None else made(IN[0], IN[1], width)


def convert(name: str, width: int, to: int) -> Node | None:
    """Return ``trunc``, ``zext`` or ``sext`` from one width to another."""
    made = _CONVERT.get(name)
    return None if made is None else made(width, to)


def pointer(width: int, to: int, bits: int) -> Node:
    """Return a pointer as a number, or a number as a pointer: of ``bits`` those that both have."""
    return ir.FIELD(IN[0], 0, min(width, to, bits))


def compare(name: str, width: int) -> Node | None:
    """Return ``eq``, ``ne``, ``ult`` ... as an operation whose result has one bit."""
    how = name[-2:].upper()
    if not (name in ("eq", "ne") or (name[:1] in ("u", "s") and len(name) == 3)) or how not in known.OPPOSITE:
        return None
    return ir.COMPARE(IN[0], IN[1], how, width, name[0] == "s")


def condition(name: str, width: int, x: object, y: object) -> Condition:
    """Return what the result of a comparison tells of what was compared."""
    return Condition(name[-2:].upper(), x, y, width, name[0] == "s")


def funnel(name: str, width: int) -> Node:
    """Return ``fshl`` or ``fshr``: of ``a:b`` (``a`` high), the word that a shift leaves."""
    return ir.GIVEN(UNKNOWN) if width & width - 1 else ir.FUNNEL(IN[1], IN[0], IN[2], width, name == "fshl", True)


def at_most(limit: int, width: int) -> Node:
    """Return a number that does not exceed a limit."""
    return ir.GIVEN(known.at_most(limit, width))


def element(index: int, width: int) -> Node:
    """Return the element of a vector (the first is in the low bits)."""
    return ir.FIELD(IN[0], index * width, width)


def with_element(index: int, width: int, whole: int) -> Node:
    """Return a vector of ``whole`` bits with an element replaced."""
    return ir.INSERT(IN[1], IN[0], const(index * width, 8), const(width, 8), whole)


THREAD_LIMITS = {name[1:].replace("cluster_", "cluster."): most for name, most in SPECIAL.items()}
"""The most that a special register holds, under LLVM's names."""
