"""The statements of a function of PTX, each translated when something depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smemdesc.scanning.ptx.body import Item
from smemdesc.scanning.ptx.lower import BRANCH, PREDICATES, Lowering, lower
from smemdesc.scanning.ptx.predicates import decides, literal
from smemdesc.scanning.ssa import Block, Code, Literal, Register, Step, writers_of


class Instructions(Code):
    """The statements of a function, by their numbers (:class:`smemdesc.scanning.ssa.Code`)."""

    def __init__(self, items: Sequence[Item], local: Mapping[int, Lowering], blocks: Sequence[Block]) -> None:
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
            return decides(item, index, str(register))
        made = self.local.get(index) or lower(item.line(), item.writes)
        if register not in made.writes:
            return Step(index, (register,))
        selects = literal(made.selects, item.scope) if made.selects else None
        return Step(index, made.writes, made.reads, made.transfer, selects, made.width)

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
