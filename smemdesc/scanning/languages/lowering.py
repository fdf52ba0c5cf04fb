"""The types and integer operations of LLVM IR and of MLIR's dialects, under LLVM's names, on partly known words.

Flags (nuw, exact, disjoint) are promises about the operands; what is known without them holds with them, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from smemdesc.engine import known
from smemdesc.engine.brackets import split
from smemdesc.engine.fields import ones
from smemdesc.engine.known import FALSE, TRUE, UNKNOWN, const
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.conditions import Condition, choose
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import IN, Node
from smemdesc.scanning.analysis.memory import sum_of_address
from smemdesc.scanning.languages.ptx.text import SPECIAL

INTEGER_BITS = 128
"""Bits of the widest integer that is followed."""
POINTER = 32
"""Bits of a pointer that are followed: one into shared memory has no more, and others are irrelevant."""
OUTSIDE = frozenset(f"ptr addrspace({space})" for space in (1, 2, 3, 4, 7))
"""Pointers that are to no local variable, as a generic one may be."""
CASTS = frozenset(("trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast", "addrspacecast"))
"""The operations that name the type to which they convert."""
_WHOLE = frozenset(("and", "or", "xor", "bitcast", "freeze"))
"""The operations that act on a vector as on one word of its size."""
_SAME_ADDRESS = ({"ptr", "ptr addrspace(1)"}, {"ptr addrspace(3)", "ptr addrspace(7)"})
"""Address spaces in which the same memory has the same address: generic and global, and those of shared memory."""
_ARRAY = re.compile(r"\[(\d{1,15}) x (.*)\]$")
_DEEPEST = 16
_LONGEST_TYPE = 2000
_PLAIN = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8}
NO_TYPES: Mapping[str, str] = {}
_NUMBER = re.compile(r"-?\d{1,40}$")
_INTEGER = re.compile(r"i(\d{1,4})$")
_VECTOR = re.compile(r"<(\d{1,4}) x i(\d{1,4})>$")
_PREDICATE = re.compile(r"(?:eq|ne|[us](?:lt|le|gt|ge))$")
_SHUFFLE = "nvvm.shfl.sync"


def _funnel(left: bool) -> Callable[[int, int], Node]:
    """Return ``fshl`` or ``fshr``: one word of ``a:b`` (``a`` high) after a shift."""
    return lambda width, _: (
        ir.GIVEN(UNKNOWN) if width & width - 1 else ir.FUNNEL(IN[1], IN[0], IN[2], width, left, True)
    )


def _overlap(width: int, to: int) -> Node:
    """Return a pointer as a number, or a number as a pointer: the bits that both have.

    If it is widened, only its own bits are known: the others may be anything.
    """
    return ir.LOW(IN[0], width) if to > width else ir.CUT(IN[0], to)


OPERATIONS: dict[str, tuple[int, Callable[[int, int], Node | None]]] = {
    "and": (2, lambda width, _: ir.AND(IN[0], IN[1], width)),
    "or": (2, lambda width, _: ir.OR(IN[0], IN[1], width)),
    "xor": (2, lambda width, _: ir.XOR(IN[0], IN[1], width)),
    # The result is one of the two operands.
    **dict.fromkeys(("umin", "umax", "smin", "smax"), (2, lambda width, _: ir.EITHER(IN[0], IN[1], width))),
    "add": (2, lambda width, _: ir.ADD(IN[0], IN[1], FALSE, width)),
    "sub": (2, lambda width, _: ir.ADD(IN[0], IN[1], TRUE, width, True)),
    "mul": (2, lambda width, _: ir.MULTIPLY(IN[0], IN[1], width)),
    # A count of the width or more has no defined result: the clamped one is as good as any.
    "shl": (2, lambda width, _: ir.SHL(IN[0], IN[1], width, width)),
    "lshr": (2, lambda width, _: ir.SHR(IN[0], IN[1], width, width)),
    "ashr": (2, lambda width, _: ir.SAR(IN[0], IN[1], width, width)),
    "udiv": (2, lambda width, _: ir.DIVIDE(IN[0], IN[1], width)),
    "urem": (2, lambda width, _: ir.REST(IN[0], IN[1], width)),
    "fshl": (3, _funnel(True)),
    "fshr": (3, _funnel(False)),
    **dict.fromkeys(("ctpop", "ctlz", "cttz"), (0, lambda width, _: number_at_most(width, width))),
    "trunc": (1, lambda _, to: ir.CUT(IN[0], to)),
    "zext": (1, lambda width, to: ir.EXTEND(IN[0], width, to, False) if to > width else ir.CUT(IN[0], to)),
    "sext": (1, lambda width, to: ir.EXTEND(IN[0], width, to, True) if to > width else ir.CUT(IN[0], to)),
    "ptrtoint": (1, _overlap),
    "inttoptr": (1, _overlap),
    "bitcast": (1, lambda width, to: IN[0] if width == to else None),
    **dict.fromkeys(("freeze", "addrspacecast"), (1, lambda width, to: IN[0])),
}
"""The number of operands of each, and its function of the width of the operands and of the result, in bits."""


# ---- types ----


def width_of(kind: str) -> int | None:
    """Return the bits of an integer or a vector of integers, or the followed bits of a pointer; None for others."""
    if kind.startswith("ptr"):
        return POINTER
    match = _INTEGER.match(kind)
    count, width = (1, int(match[1])) if match else lanes_of(kind) or (0, 0)
    return count * width if 0 < count * width <= INTEGER_BITS else None


def lanes_of(kind: str) -> tuple[int, int] | None:
    """Return the number of elements of a vector of integers, and their bits."""
    match = _VECTOR.match(kind)
    return (int(match[1]), int(match[2])) if match and int(match[1]) and int(match[2]) else None


Types = Mapping[str, str]
"""The named types of a module."""


def size_of(kind: str, types: Types = NO_TYPES) -> int | None:
    """Return the size of a type in bytes; None if unknown."""
    layout = _layout(kind, types)
    return None if layout is None else layout[0]


def _layout(kind: str, types: Types, depth: int = 0) -> tuple[int, int, list[tuple[str, int]]] | None:
    """Return size and alignment of a type for NVPTX, in bytes, and the type and offset of each field of a structure."""
    kind = types.get(kind, kind)
    if len(kind) > _LONGEST_TYPE or depth > _DEEPEST:
        return None
    if array := _ARRAY.match(kind):
        element = _layout(array[2].strip(), types, depth + 1)
        return None if element is None else (int(array[1]) * element[0], element[1], [])
    integer = _INTEGER.match(kind)
    plain = int(integer[1]) // 8 if integer and int(integer[1]) in (8, 16, 32, 64) else _PLAIN.get(kind)
    if plain is not None:
        return plain, plain, []
    packed = kind.startswith("<{")
    if not packed and not kind.startswith("{"):
        return None
    size, most = 0, 1
    fields = []
    for part in split(kind[2:-2] if packed else kind[1:-1]):
        field = _layout(part, types, depth + 1)
        if field is None:
            return None
        aligned = 1 if packed else field[1]
        size += -size % aligned
        fields.append((part, size))
        size, most = size + field[0], max(most, aligned)
    return size + -size % most, most, fields


def steps(kind: str, indices: Sequence[str], types: Types = NO_TYPES) -> list[tuple[int, int | None]] | None:
    """Return the bytes that each index of a getelementptr is scaled by; for a field, 1 and its offset in bytes."""
    scales: list[tuple[int, int | None]] = []
    for place, index in enumerate(indices):
        kind = types.get(kind, kind)
        array = _ARRAY.match(kind) if place else None
        if place and array is None:
            layout = _layout(kind, types)
            if layout is None or not _NUMBER.match(index) or not 0 <= int(index) < len(layout[2]):
                return None
            kind, offset = layout[2][int(index)]
            scales.append((1, offset))
            continue
        kind = array[2].strip() if array else kind
        size = size_of(kind, types)
        if size is None:
            return None
        scales.append((size, None))
    return scales


# ---- operations ----


def operation(name: str, kind: str, count: int, to: str = "") -> Node | None:
    """Return the function of ``count`` operands, the first with the type ``kind``; None if it is not followed.

    ``to``: the type of the result, if it differs.
    """
    width, to_width = width_of(kind), width_of(to or kind)
    needs, make = OPERATIONS.get(name, (-1, None))
    if make is None or width is None or to_width is None or needs not in (0, count):
        return None
    if ("<" in kind + to and name not in _WHOLE) or (name == "addrspacecast" and {kind, to} not in _SAME_ADDRESS):
        return None
    return make(width, to_width)


def lower_operation(
    at: int, name: str, kind: str, reads: tuple[Any, ...], to: str = "", how: str = "", most: int = ones(32)
) -> Definition | None:
    """Return how the result of an instruction or intrinsic follows from ``reads``; the first has the type ``kind``.

    ``to``: the type of the result, if it differs; ``how``: the predicate of a comparison; ``most``: the upper bound of
    a special register that the text promises.
    """
    if name in _SPECIAL:
        return Definition(at, (), number_at_most(min(_SPECIAL[name], most), 32))
    if name.startswith(_SHUFFLE) and len(reads) > 1:
        # What is known of one thread is known of all.
        return Definition(at, (reads[1],), ir.CUT(IN[0], 32))
    if name == "select" and len(reads) == 3:
        return Definition(at, reads if kind == "i1" else (UNKNOWN, *reads[1:]), choose(0), selects=kind == "i1")
    if name == "icmp":
        width = width_of(kind) if kind.startswith("i") and _PREDICATE.match(how) and len(reads) == 2 else None
        if width is None:
            return None
        compared, signed = how[-2:].upper(), how.startswith("s")
        transfer = ir.COMPARE(IN[0], IN[1], compared, width, signed)
        return Definition(at, reads, transfer, comparison=Condition(compared, reads[0], reads[1], width, signed))
    if name in ("extractelement", "insertelement"):
        *vectors, index = reads or (UNKNOWN,)
        width, lanes = width_of(kind), lanes_of(kind)
        if width is None or lanes is None or len(vectors) != (1 if name == "extractelement" else 2):
            return None
        if index.__class__ is not tuple or not index[1] or index[0] >= lanes[0]:
            return None
        # The first element is in the low bits.
        place = index[0] * lanes[1]
        if name == "extractelement":
            return Definition(at, tuple(vectors), ir.FIELD(IN[0], place, lanes[1]))
        return Definition(at, tuple(vectors), ir.INSERT(IN[1], IN[0], const(place, 8), const(lanes[1], 8), width))
    node = operation(name, kind, len(reads), to)
    return None if node is None else Definition(at, reads[: OPERATIONS[name][0]], node)


def offset(
    at: int, base: Any, kind: str, indices: Sequence[tuple[str, str, Any]], types: Types = NO_TYPES
) -> Definition | None:
    """Return ``base`` plus the offset of a getelementptr; each index has a type, a text and a value."""
    scales = steps(kind, [text for _, text, _ in indices], types)
    widths = [width_of(kind) or 0 for kind, _, _ in indices]
    if not scales or not all(widths):
        return None
    counts = [
        count if field is None else const(field, width)
        for (_, field), (_, _, count), width in zip(scales, indices, widths, strict=True)
    ]
    return Definition(at, (base, *counts), sum_of_address([scale for scale, _ in scales], widths))


def number_at_most(limit: int, width: int) -> Node:
    """Return a number that is at most ``limit``."""
    return ir.GIVEN(known.at_most(limit, width))


_SPECIAL = {f"nvvm.read.ptx.sreg.{name[1:].replace('cluster_', 'cluster.')}": most for name, most in SPECIAL.items()}
"""The largest value of each special register."""
