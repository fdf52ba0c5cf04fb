"""The statements of a function of PTX, each translated when something depends on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from smemdesc.scanning import ir
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.ir import IN, Node, results
from smemdesc.scanning.known import OPPOSITE, TRUE
from smemdesc.scanning.ptx.lower import BRANCH, PREDICATES, literal, lower, source
from smemdesc.scanning.ptx.text import NAME, Statement
from smemdesc.scanning.ssa import Block, Code, Copied, Literal, Register, Step, writers_of


class Instructions(Code):
    """The statements of a function, by their numbers (:class:`smemdesc.scanning.ssa.Code`)."""

    def __init__(self, items: Sequence[Statement], local: Mapping[int, Step], blocks: Sequence[Block]) -> None:
        """``local``: what loads and stores of local memory do."""
        self.items = items
        self.local = local
        self.blocks = blocks
        self.ends = [*(block.at for block in blocks[1:]), len(items)]
        self._writers = writers_of((local.get(index) or item).writes for index, item in enumerate(items))

    def writers(self, register: Register) -> Sequence[int]:
        """Return the statements that may write a register, in order."""
        return self._writers.get(register, ())

    def guard(self, index: int) -> Literal | None:
        """Return the predicate under which a statement is carried out."""
        item = self.items[index]
        return literal(item.guard, item.scope) if item.guard else None

    def step(self, index: int, register: Register) -> Step:
        """Translate what a statement writes into a register."""
        item = self.items[index]
        if item.role is PREDICATES:
            return decides(item, str(register))
        made = self.local.get(index) or lower(item)
        return made if register in made.writes else Step((register,))

    def edge(self, block: int, to: int) -> Sequence[tuple[int, Literal]]:
        """Return what the branch at the end of a block tells where it goes to another."""
        last = self.ends[block] - 1
        item = self.items[last]
        if item.role is not BRANCH or not item.guard:
            return ()
        if item.mnemonic[:2] == "br" and len(set(self.blocks[block].following)) < 2:
            return ()
        said = literal(item.guard, item.scope)
        return ((last, said._replace(holds=said.holds != (to == block + 1))),)


# ---- predicates ----

_TYPE = re.compile(r"([usb])(16|32|64)$")
_UNSIGNED = {"lo": "LT", "ls": "LE", "hi": "GT", "hs": "GE"}
_JOINS = {"and": ir.AND, "or": ir.OR, "xor": ir.XOR}


def decides(item: Statement, register: str) -> Step:
    """Return what a statement leaves in the predicates that it writes; of ``register`` it is asked."""
    found = _setp(item, register) if item.name == "setp" else _logic(item)
    return found if found is not None and register in found.writes else Step(item.writes)


def _setp(line: Statement, register: str) -> Step | None:
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
    answer = ir.COMPARE(IN[0], IN[1], how, width, signed)
    both = (answer, ir.NOT(answer, 1))
    row = _JOINS[join[0] if join else "and"]
    transfer = results(*(row(both[place], _value(2, last.holds), 1) for place in places))
    how = OPPOSITE[how] if register != line.scope.register(outs[0]) else how
    said: Condition | None = Condition(how, x, y, width, signed, bool(join))
    if join == ["or"]:
        # It does not hold only where the comparison does not.
        said = Condition(OPPOSITE[how], x, y, width, signed, True, True)
    elif join == ["xor"]:
        said = None
    return Step(writes, (x, y, last.predicate), transfer, says={register: said})


def _value(place: int, holds: bool) -> Node:
    """Return the value of an operand, of that of the register that is read as the input of that number."""
    return (ir.CUT if holds else ir.NOT)(IN[place], 1)


def _logic(line: Statement) -> Step | None:
    """Return what mov, not, and, or, xor do to predicates."""
    if line.suffixes != ("pred",) or not line.operands or not NAME.fullmatch(line.operands[0]):
        return None
    writes = (line.scope.register(line.operands[0]),)
    reads = [literal(each, line.scope) for each in line.operands[1:]]
    if line.name in ("mov", "not") and len(reads) == 1:
        holds = reads[0].holds == (line.name == "mov")
        said = None if reads[0].predicate.__class__ is tuple else Copied(reads[0].predicate, holds)
        return Step(writes, (reads[0].predicate,), _value(0, holds), says={writes[0]: said})
    if line.name in _JOINS and len(reads) == 2:
        transfer = _JOINS[line.name](*(_value(place, each.holds) for place, each in enumerate(reads)), 1)
        return Step(writes, tuple(each.predicate for each in reads), transfer)
    return None
