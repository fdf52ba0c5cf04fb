"""What an instruction leaves in the predicates that it writes: a value, and the comparison that made it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from smemdesc.scanning import ir
from smemdesc.scanning.blocks import Copied, Result
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.ir import IN, Node, Results, results
from smemdesc.scanning.known import TRUE
from smemdesc.scanning.ranges import NE, OPPOSITE
from smemdesc.scanning.sass.text import OFF, WIDTH, ZERO, Line, is_predicate, operand

ALWAYS, NEVER = ("PT", "UPT"), ("!PT", "!UPT")
_COUNT = 7
"""Predicates of a file that can be written."""
PREDICATES = {name: name.encode() for number in range(_COUNT) for name in (f"P{number}", f"UP{number}")}
"""All that can be written, with how a line spells them."""


class Decides(NamedTuple):
    """``writes`` are predicates; ``transfer`` takes a value for each of ``reads`` and returns one for each of them."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Node | Results | None = None


_TWO_RESULTS = ("ISETP", "IADD3", "LEA", "LOP3", "IMAD")
LEADING = (
    {"SEL": 0, "USEL": 0, "BRA": 0, "R2P": 0, "UR2UP": 0, "PLOP3": 2, "UPLOP3": 2}
    | dict.fromkeys(_TWO_RESULTS, 3)
    | {f"U{name}": 3 for name in _TWO_RESULTS}
)
"""In how many operands the predicates that are written stand, beside one another, in the first or behind it."""


def targets(line: Line) -> tuple[str, ...]:
    """Return the predicates that a line may write: where that is not sure, all that it names."""
    name = line.name
    if line.guard in OFF:
        return ()
    if name in ("R2P", "UR2UP"):
        file = "UP" if name[0] == "U" else "P"
        return tuple(f"{file}{number}" for number in range(_COUNT))
    named = line.operands
    if name in LEADING:
        first, behind = named[:1], named[1 : LEADING[name]]
        named = (*first, *takewhile(is_predicate, behind)) if LEADING[name] else ()
    elif name in ("VOTE", "VOTEU"):
        named = named[:-1]  # the last is what is voted on
    return tuple(each for each in named if is_predicate(each) and each[0] != "!" and each not in ALWAYS)


def decides(line: Line) -> Decides:
    """Return what becomes of the predicates that a line writes."""
    writes = targets(line)
    kind = line.name.removeprefix("U")
    made: Decides | None = None
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
            answer = ir.SELECT(below, answer, same, None, None, None, 1)
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


def comparison(line: Line, name: str) -> Condition | Copied | None:
    """Return what the predicate ``name`` tells where a line wrote it: the comparison, or of which it is a copy."""
    kind = line.name.removeprefix("U")
    if kind == "ISETP":
        return _compared(line, name)
    if kind == "PLOP3":
        return _copied(line, name)
    if kind == "LOP3" and line.operands[0] == name and line.operands[-1] in NEVER and len(line.operands) == 7:
        # The predicate tells whether the result is not 0.
        result = operand(line.operands[1])
        return Condition(NE, Result(result.register), ZERO, WIDTH) if isinstance(result.register, str) else None
    return None


def _compared(line: Line, name: str) -> Condition | None:
    how, *suffixes = line.suffixes
    extended = "EX" in suffixes
    join = next((each for each in suffixes if each in ("AND", "OR")), None)
    if how not in OPPOSITE or join is None or set(suffixes) - {"U32", "EX", join} or len(line.operands) != 5 + extended:
        return None
    out, other, first, second, joined, *below = line.operands
    if out == other or (extended and (other not in ALWAYS or joined not in ALWAYS or below[0].startswith("!"))):
        return None
    a, b = operand(first), operand(second)
    if a.sign or b.sign:
        return None
    weak = joined not in (ALWAYS if join == "AND" else NEVER)
    if other == name:
        # The other result is that of the opposite comparison.
        how = OPPOSITE[how]
    if weak and join == "OR":
        # It does not hold only where the comparison does not.
        return Condition(OPPOSITE[how], a.register, b.register, WIDTH, "U32" not in suffixes, True, True)
    low = below[0] if extended else None
    return Condition(how, a.register, b.register, WIDTH, "U32" not in suffixes, weak, below=low)


def _copied(line: Line, name: str) -> Copied | None:
    """Return the predicate of which another is a copy or the opposite, as much code at -O0 has them."""
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    if line.operands[0] != name or line.operands[1] not in ALWAYS:
        return None
    sources, table = line.operands[2:5], int(line.operands[5], 0)
    real = [place for place, each in enumerate(sources) if each not in (*ALWAYS, *NEVER)]
    if len(real) != 1:
        return None
    fixed = sum(4 >> place for place, each in enumerate(sources) if each in ALWAYS)
    without, held = (bool(table >> (fixed | bit) & 1) for bit in (0, 4 >> real[0]))
    if without == held:
        return None
    source = sources[real[0]]
    return Copied(source.removeprefix("!"), held != source.startswith("!"))
