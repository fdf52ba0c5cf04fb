"""What a statement of PTX leaves in the predicates that it writes: a value, and the comparison that made it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from smemdesc.scanning import known
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.flow import Copied, Literal, Step
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN
from smemdesc.scanning.ptx.meaning import source
from smemdesc.scanning.ptx.reading import Item
from smemdesc.scanning.ptx.text import NAME, Line, Scope
from smemdesc.scanning.ranges import OPPOSITE, Value, compare

_TYPE = re.compile(r"([usb])(16|32|64)$")
_UNSIGNED = {"lo": "LT", "ls": "LE", "hi": "GT", "hs": "GE"}
_JOINS: dict[str, Callable[[Value, Value], Value]] = {"and": known.and_, "or": known.or_, "xor": known.xor}


def literal(text: str, scope: Scope) -> Literal:
    """Return the predicate that a guard or an operand names, and whether it has to hold."""
    name = text.removeprefix("!").strip()
    return Literal(scope.register(name) if NAME.fullmatch(name) else UNKNOWN, not text.startswith("!"))


def decides(item: Item, index: int, register: str) -> Step:
    """Return what a statement leaves in the predicates that it writes; of ``register`` it is asked."""
    line = item.line()
    found = _setp(line, index, register) if line.name == "setp" else _logic(line, index)
    return found if found is not None and register in found.writes else Step(index, item.writes)


def _setp(line: Line, index: int, register: str) -> Step | None:
    how, *join = line.suffixes[:-1] or ("",)
    typed = _TYPE.match(line.suffixes[-1]) if line.suffixes else None
    if not typed or len(join) > 1 or len(line.operands) != 3 + len(join) or (join and join[0] not in _JOINS):
        return None
    how = _UNSIGNED.get(how, how.upper())
    if how not in OPPOSITE or (typed[1] == "b" and how not in ("EQ", "NE")):
        return None
    outs = [each.strip() for each in line.operands[0].split("|")]
    places = tuple(place for place, each in enumerate(outs[:2]) if NAME.fullmatch(each) and each != "_")
    writes = tuple(line.scope.register(outs[place]) for place in places)
    if not writes or len(set(writes)) != len(writes):
        return None
    signed, width = typed[1] == "s", int(typed[2])
    x, y = (source(each, width, line.scope) for each in line.operands[1:3])
    last = literal(line.operands[3], line.scope) if join else Literal(TRUE, True)
    transfer = _comparing(how, width, signed, join[0] if join else "and", places, last.holds)
    how = OPPOSITE[how] if register != line.scope.register(outs[0]) else how
    said: Condition | None = Condition(how, x, y, width, signed, bool(join))
    if join == ["or"]:
        # It does not hold only where the comparison does not.
        said = Condition(OPPOSITE[how], x, y, width, signed, True, True)
    elif join == ["xor"]:
        said = None
    return Step(index, writes, (x, y, last.predicate), transfer, says=said)


@lru_cache(4096)
def _comparing(
    how: str, width: int, signed: bool, join: str, places: tuple[int, ...], holds: bool
) -> Callable[..., object]:
    def transfer(x: Value, y: Value, last: Value) -> object:
        told = compare(how, x, y, width, signed)
        answer = UNKNOWN if told is None else TRUE if told else FALSE
        both = (answer, known.cut(known.not_(answer), 1))
        other = known.cut(last if holds else known.not_(last), 1)
        found = tuple(_JOINS[join](both[place], other) for place in places)
        return found[0] if len(found) == 1 else found

    return transfer


def _logic(line: Line, index: int) -> Step | None:
    """Return what mov, not, and, or, xor do to predicates."""
    if line.suffixes != ("pred",) or not line.operands or not NAME.fullmatch(line.operands[0]):
        return None
    writes = (line.scope.register(line.operands[0]),)
    reads = [literal(each, line.scope) for each in line.operands[1:]]
    if line.name in ("mov", "not") and len(reads) == 1:
        holds = reads[0].holds == (line.name == "mov")
        said = None if reads[0].predicate.__class__ is tuple else Copied(reads[0].predicate, holds)
        return Step(index, writes, (reads[0].predicate,), _joining("and", (holds,)), says=said)
    if line.name in _JOINS and len(reads) == 2:
        transfer = _joining(line.name, tuple(each.holds for each in reads))
        return Step(index, writes, tuple(each.predicate for each in reads), transfer)
    return None


@lru_cache(64)
def _joining(name: str, holds: Sequence[bool]) -> Callable[..., Value]:
    def transfer(*values: Value) -> Value:
        first, *rest = (known.cut(each if of else known.not_(each), 1) for each, of in zip(values, holds, strict=True))
        for each in rest:
            first = _JOINS[name](first, each)
        return first

    return transfer
