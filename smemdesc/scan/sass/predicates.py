"""What an instruction leaves in the predicates that it writes, as far as the values of its operands tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from smemdesc.fields import ones
from smemdesc.scan import known
from smemdesc.scan.known import FALSE, TRUE, UNKNOWN
from smemdesc.scan.ranges import OPPOSITE, Value, compare
from smemdesc.scan.sass.text import WIDTH, Line, is_predicate, operand

ALWAYS, NEVER = ("PT", "UPT"), ("!PT", "!UPT")
_COUNT = 7
"""Predicates of a file that can be written."""
PREDICATES = {name: name.encode() for number in range(_COUNT) for name in (f"P{number}", f"UP{number}")}
"""All that can be written, with how a line spells them."""


class Decides(NamedTuple):
    """``writes`` are predicates; ``transfer`` takes a value for each of ``reads`` and returns one for each of them."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Callable[..., object] | None = None


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


def _read(names: Sequence[str]) -> tuple[list[object], Callable[[Value, int], Value]]:
    """Return the registers of predicates that are read, and what turns the value of one into that of the operand."""
    reads: list[object] = []
    for name in names:
        bare = name.lstrip("!")
        reads.append(TRUE if bare in ALWAYS else bare)

    def value(held: Value, place: int) -> Value:
        held = known.cut(held, 1)
        return known.cut(known.not_(held), 1) if names[place][0] == "!" else held

    return reads, value


def _told(answer: bool | None) -> Value:
    return UNKNOWN if answer is None else TRUE if answer else FALSE


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
    reads, read = _read(names)
    combine = {"AND": known.and_, "OR": known.or_, "XOR": known.xor}[join]
    places = [place for place, name in enumerate((out, other)) if name not in ALWAYS]

    def transfer(x: Value, y: Value, *held: Value) -> object:
        answer = _told(compare(how, x, y, WIDTH, signed))
        if extended:
            below, same = read(held[1], 1), compare("EQ", x, y, WIDTH)
            if how in ("EQ", "NE"):
                answer = (known.and_ if how == "EQ" else known.or_)(answer, below)
            elif same is None:
                answer = known.meet(answer, below)
            elif same:
                answer = below
        both = (answer, known.cut(known.not_(answer), 1))
        found = tuple(combine(both[place], read(held[0], 0)) for place in places)
        return found[0] if len(found) == 1 else found

    writes = tuple((out, other)[place] for place in places)
    return Decides(writes, (a.register, b.register, *reads), transfer) if writes else None


def _plop3(line: Line) -> Decides | None:
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    outs, names, tables = line.operands[:2], line.operands[2:5], line.operands[5:]
    reads, read = _read(names)
    numbers = [int(each, 0) for each in tables]
    places = [place for place, name in enumerate(outs) if name not in ALWAYS]

    def transfer(*held: Value) -> object:
        values = [read(each, place) for place, each in enumerate(held)]
        found = tuple(known.lop3(values[0], values[1], values[2], numbers[place], 1) for place in places)
        return found[0] if len(found) == 1 else found

    return Decides(tuple(outs[place] for place in places), tuple(reads), transfer) if places else None


def _lop3(line: Line) -> Decides | None:
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    out, _, *texts, table, last = line.operands
    sources = [operand(each) for each in texts]
    if any(each.sign for each in sources):
        return None
    number = int(table, 0)
    reads, read = _read((last,))

    def transfer(a: Value, b: Value, c: Value, held: Value) -> Value:
        bits, mask = known.lop3(a, b, c, number, WIDTH)[:2]
        some = TRUE if bits else FALSE if mask == ones(WIDTH) else UNKNOWN
        return known.or_(some, read(held, 0))

    return Decides((out,), (*(each.register for each in sources), *reads), transfer)
