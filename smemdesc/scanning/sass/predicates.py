"""What an instruction leaves in the predicates that it writes, as far as the values of its operands tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdesc.scanning import ir
from smemdesc.scanning.conditions import Holds
from smemdesc.scanning.ir import IN, Expression, Node, results
from smemdesc.scanning.known import TRUE
from smemdesc.scanning.ranges import OPPOSITE
from smemdesc.scanning.sass.text import WIDTH, ZERO, Line, is_predicate, operand

ALWAYS, NEVER = ("PT", "UPT"), ("!PT", "!UPT")
_COUNT = 7
"""Predicates of a file that can be written."""
PREDICATES = {name: name.encode() for number in range(_COUNT) for name in (f"P{number}", f"UP{number}")}
"""All that can be written, with how a line spells them."""


class Decides(NamedTuple):
    """``writes`` are predicates; ``transfer`` takes a value for each of ``reads`` and returns one for each of them."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Expression | None = None


def targets(line: Line) -> tuple[str, ...]:
    """Return the predicates that a line may write: where that is not sure, all that it names."""
    name = line.name
    if name in ("SEL", "USEL", "BRA"):
        return ()
    if name in ("R2P", "UR2UP"):
        file = "UP" if name[0] == "U" else "P"
        return tuple(f"{file}{number}" for number in range(_COUNT))
    if name.removeprefix("U") in ("ISETP", "PLOP3", "IADD3", "LEA", "LOP3", "IMAD"):
        named = line.operands[:3]
    elif name in ("VOTE", "VOTEU"):
        named = line.operands[:-1]  # the last is what is voted on
    else:
        named = line.operands
    return tuple(each for each in named if is_predicate(each) and each[0] != "!" and each not in ALWAYS)


def decides(line: Line) -> Decides:
    """Return what becomes of the predicates that a line writes."""
    writes = targets(line)
    kind = line.name.removeprefix("U")
    made: Decides | None = None
    if line.guard in ("@!PT", "@!UPT"):
        return Decides(())
    if len(set(writes)) == len(writes):
        if kind == "ISETP":
            made = _isetp(line)
        elif kind == "PLOP3":
            made = _plop3(line)
        elif kind == "LOP3" and is_predicate(line.operands[0]):
            made = _lop3(line)
    return made if made is not None and made.writes == writes else Decides(writes)


class _Inputs(NamedTuple):
    """Predicates that are read: their registers, and which of them are negated."""

    reads: tuple[object, ...]
    negated: tuple[bool, ...]


def _read(names: Sequence[str]) -> _Inputs:
    bare = [name.lstrip("!") for name in names]
    reads = tuple(TRUE if name in ALWAYS else name for name in bare)
    return _Inputs(reads, tuple(name.startswith("!") for name in names))


def _value(place: int, negated: bool) -> Node:
    """Return the value of an operand, of that of the register that is read as the input of that number."""
    return (ir.NOT if negated else ir.CUT)(IN[place], 1)


def _isetp(line: Line) -> Decides | None:
    how, *suffixes = line.suffixes
    extended = "EX" in suffixes
    join = next((each for each in suffixes if each in ("AND", "OR", "XOR")), None)
    if how not in OPPOSITE or join is None or set(suffixes) - {"U32", "EX", join}:
        return None
    if len(line.operands) != 5 + extended:
        return None
    out, other, first, second, *names = line.operands
    a, b = operand(first), operand(second)
    if a.sign or b.sign:
        return None
    signed = "U32" not in suffixes
    read = _read(names)
    places = tuple(place for place, name in enumerate((out, other)) if name not in ALWAYS)
    if not places:
        return None
    answer = ir.COMPARE(IN[0], IN[1], how, WIDTH, signed)
    if extended:
        below = _value(3, read.negated[1])
        if how in ("EQ", "NE"):
            answer = (ir.AND if how == "EQ" else ir.OR)(answer, below, 1)
        else:
            same = ir.COMPARE(IN[0], IN[1], "EQ", WIDTH)
            answer = ir.SELECT(below, answer, same, Holds(None), None, None, 1)
    row = {"AND": ir.AND, "OR": ir.OR, "XOR": ir.XOR}[join]
    both = (answer, ir.NOT(answer, 1))
    made = results(*[row(both[place], _value(2, read.negated[0]), 1) for place in places])
    return Decides(tuple((out, other)[place] for place in places), (a.register, b.register, *read.reads), made)


def _plop3(line: Line) -> Decides | None:
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    outs, names, tables = line.operands[:2], line.operands[2:5], line.operands[5:]
    read = _read(names)
    places = tuple(place for place, name in enumerate(outs) if name not in ALWAYS)
    if not places:
        return None
    inputs = [_value(place, negated) for place, negated in enumerate(read.negated)]
    made = results(*[ir.LOP3(*inputs, int(tables[place], 0), 1) for place in places])
    return Decides(tuple(outs[place] for place in places), read.reads, made)


def _lop3(line: Line) -> Decides | None:
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    out, _, *texts, table, last = line.operands
    sources = [operand(each) for each in texts]
    if any(each.sign for each in sources):
        return None
    read = _read((last,))
    # Whether a bitwise function of three words is not 0.
    some = ir.COMPARE(ir.LOP3(*IN[:3], int(table, 0), WIDTH), ZERO, "NE", WIDTH)
    made = ir.OR(some, _value(3, read.negated[0]), 1)
    return Decides((out,), (*(each.register for each in sources), *read.reads), made)
