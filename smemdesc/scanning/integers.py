"""The integer operations of LLVM IR and of MLIR's dialects, under LLVM's names, on partly known words.

Flags (nuw, exact, disjoint) promise something about the operands; what is known without them holds with them.
"""

from __future__ import annotations

from collections.abc import Callable

from smemdesc.engine.fields import ones
from smemdesc.scanning import known, ranges
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.known import BIT, FALSE, TRUE, UNKNOWN, Value
from smemdesc.scanning.ranges import joined

Transfer = Callable[..., Value]
WIDEST = 128
"""Bits of the widest integer that is followed."""


def binary(name: str, width: int) -> Transfer | None:
    """Return the operation of two words of ``width`` bits; None for one that is not followed."""
    bitwise = _BITWISE.get(name)
    if bitwise is not None:
        return bitwise
    made = _BINARY.get(name)
    return None if made is None else made(width)


_BITWISE: dict[str, Transfer] = {
    "and": known.and_,
    "or": known.or_,
    "xor": known.xor,
    # The result is one of the two operands.
}
BITWISE = frozenset(("and", "or", "xor"))
"""The operations that mean the same for a vector as for one word of its size."""

_BINARY: dict[str, Callable[[int], Transfer]] = {
    # The result is one of the two operands.
    **dict.fromkeys(("umin", "umax", "smin", "smax"), lambda width: lambda a, b: joined(a, b, width)),
    "add": lambda width: lambda a, b: known.add(a, b, width)[0],
    "sub": lambda width: lambda a, b: known.subtract(a, b, width)[0],
    "mul": lambda width: lambda a, b: known.multiply(a, b, width),
    "shl": lambda width: lambda a, b: _shift(known.shl, a, b, width),
    "lshr": lambda width: lambda a, b: _shift(known.shr, a, b, width),
    "ashr": lambda width: lambda a, b: _shift(known.sar, a, b, width),
    "udiv": lambda width: lambda a, b: _divide(a, b, width),
    "urem": lambda width: lambda a, b: _rest(a, b, width),
}


def _shift(how: Callable[[Value, int, int], Value], a: Value, count: Value, width: int) -> Value:
    # A count of the width or more has no result; known.shift clamps it, which is as good as any.
    low, high = known.cut(count, width)[:2]
    if (width > 32 and high >> 32 != ones(width) >> 32) or low >> 32:
        return UNKNOWN
    # The count has as many bits as the value; above them it is 0.
    return known.shift(how, a, (low & ones(32), (high | ~ones(width)) & ones(32)), width)


def _wholly(a: Value, width: int) -> bool:
    return a[1] & ones(width) == ones(width)


def _divide(a: Value, b: Value, width: int) -> Value:
    if not _wholly(b, width) or not b[0] & ones(width):
        return UNKNOWN
    by = b[0] & ones(width)
    if by & by - 1 == 0:
        return known.shr(a, by.bit_length() - 1, width)
    if _wholly(a, width):
        return known.const((a[0] & ones(width)) // by, width)
    return known.at_most((a[0] | ones(width) & ~a[1]) // by, width)


def _rest(a: Value, b: Value, width: int) -> Value:
    if not _wholly(b, width) or not b[0] & ones(width):
        return UNKNOWN
    by = b[0] & ones(width)
    if by & by - 1 == 0:
        return known.and_(a, known.const(by - 1, width))
    if _wholly(a, width):
        return known.const((a[0] & ones(width)) % by, width)
    return known.at_most(by - 1, width)


def convert(name: str, width: int, to: int) -> Transfer | None:
    """Return ``trunc``, ``zext`` or ``sext`` from one width to another."""
    if name == "trunc":
        return lambda a: known.cut(a, to)
    if name == "zext":
        return lambda a: known.extend(a, width, to, signed=False)
    if name == "sext":
        return lambda a: known.extend(a, width, to)
    return None


def select(chosen: Value, a: Value, b: Value) -> Value:
    """Return ``a`` where bit 0 of ``chosen`` is 1, else ``b``."""
    if not chosen[1] & BIT:
        return known.meet(a, b)
    return a if chosen[0] & BIT else b


def compare(name: str, width: int) -> Transfer | None:
    """Return ``eq``, ``ne``, ``ult`` ... as an operation whose result has one bit."""
    how = name[-2:].upper()
    if not (name in ("eq", "ne") or (name[:1] in ("u", "s") and len(name) == 3)) or how not in ranges.OPPOSITE:
        return None

    def transfer(a: Value, b: Value) -> Value:
        told = ranges.compare(how, a, b, width, name[0] == "s")
        return UNKNOWN if told is None else TRUE if told else FALSE

    return transfer


def condition(name: str, width: int, x: object, y: object) -> Condition:
    """Return what the result of a comparison tells of what was compared."""
    return Condition(name[-2:].upper(), x, y, width, name[0] == "s")


def funnel(name: str, width: int) -> Transfer:
    """Return ``fshl`` or ``fshr``: of ``a:b`` (``a`` high), the word that a shift leaves."""

    def transfer(a: Value, b: Value, count: Value) -> Value:
        if width & width - 1:
            return UNKNOWN
        numbers = known.choices((count[0] & width - 1, count[1] & width - 1 | ~(width - 1)), width)
        if numbers is None:
            return UNKNOWN
        both = known.join(b, a, width)
        return known.meet_all(
            [known.field(both, width - number if name == "fshl" else number, width) for number in numbers]
        )

    return transfer


def element(index: int, width: int) -> Transfer:
    """Return the element of a vector (the first is in the low bits)."""
    return lambda vector: known.field(vector, index * width, width)


def with_element(index: int, width: int, whole: int) -> Transfer:
    """Return a vector of ``whole`` bits with an element replaced."""
    return lambda vector, value: known.insert(value, vector, index * width, width, whole)


THREAD_LIMITS = {
    "tid.x": 1023,
    "tid.y": 1023,
    "tid.z": 63,
    "ntid.x": 1024,
    "ntid.y": 1024,
    "ntid.z": 64,
    "laneid": 31,
    "warpid": 63,
    "cluster.ctaid.x": 15,
    "cluster.ctaid.y": 15,
    "cluster.ctaid.z": 15,
    "cluster.ctarank": 15,
}
"""The most that a special register holds."""
