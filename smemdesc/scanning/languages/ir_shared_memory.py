"""What a function of LLVM IR or MLIR writes to shared memory and waits for: the instructions of PTX, on values.

A front end names them (:class:`IrAccess`), inline PTX names its own. Their blocks and conditions are those of the
function; else they are judged as PTX is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.known import UNKNOWN
from smemdesc.layout.strides import UNIT
from smemdesc.scanning.analysis.conditions import Condition, Refined, unrefined
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import Node
from smemdesc.scanning.analysis.operands import Operands
from smemdesc.scanning.analysis.ssa import Block, PredicateLiteral, Version
from smemdesc.scanning.analysis.starts import Symbol
from smemdesc.scanning.languages.compiler_ir import AggregateElement, Definitions
from smemdesc.scanning.languages.inline_asm import Argument, InlineAsm
from smemdesc.scanning.languages.lowering import POINTER
from smemdesc.scanning.languages.mma import IntrinsicMma
from smemdesc.scanning.languages.ptx.shared_memory import shared_item
from smemdesc.scanning.languages.ptx.text import statement_text
from smemdesc.scanning.model import Function, MapChange
from smemdesc.scanning.model.causes import ARGUMENT
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.shared_memory.analysis import with_shared_memory
from smemdesc.scanning.shared_memory.facts import COPY, LOAD, SHARED_BITS, FactFinder, NamedAddress, SharedItem
from smemdesc.scanning.shared_memory.order import MmaOrder
from smemdesc.scanning.shared_memory.reading import operand_read

PER_LINE = 1 << 12
"""Instructions are numbered by their lines, and within one line."""
_MOST_CONDITIONS = 64
SymbolIn = Callable[[str], "tuple[str, int] | None"]
"""Returns the variable whose address an operand is, and the number added to it; None if it is none."""


class IrAccess(NamedTuple):
    """An instruction that writes shared memory or waits for it; the names of its operands are values, or constants."""

    item: SharedItem
    text: str
    block: int
    guard: PredicateLiteral | None = None
    """The value under which it is executed."""

    @property
    def values(self) -> list[Any]:
        """The values that it reads."""
        return [name for operand in self.item.operands for name in operand.names if name.__class__ is not tuple]


def of_value(value: Any, text: str, symbol: SymbolIn, plus: int = 0) -> NamedAddress:
    """Return an operand: a value of the function, or a constant, which ``text`` writes."""
    named = symbol(text) if value.__class__ is tuple else None
    return NamedAddress(value, plus) if named is None else NamedAddress(Symbol(named[0]), named[1] + plus)


def may_access(asm: str) -> bool:
    """Whether inline PTX may do something to shared memory: most calls only compute."""
    return _ACCESSES.search(asm) is not None


_ACCESSES = re.compile(r"\b(?:mbarrier|cp|tensormap|st|stmatrix|red|atom|clusterlaunchcontrol|call|tcgen05\.alloc)\b")


def accesses_of_asm(asm: InlineAsm, block: int, symbol: SymbolIn) -> Iterator[IrAccess]:
    """Yield what the instructions of inline PTX do to shared memory."""
    for index, statement in enumerate(asm.statements[:PER_LINE]):
        item = shared_item(index, statement)
        if item is None or item.action == LOAD:
            continue

        def operand(named: NamedAddress | None, index: int = index) -> NamedAddress | None:
            if named is None or named.name.__class__ is tuple or not named.names:
                return named
            passed: Argument | None = asm.passed(named.name)
            return of_value(asm.value_at(index, named.name), passed.text if passed else "", symbol, named.plus)

        at = operand(item.at) or item.at
        size, barrier, of_map = map(operand, (item.size, item.barrier, item.map))
        item = item._replace(number=asm.at * PER_LINE + index, at=at, size=size, barrier=barrier, map=of_map)
        yield IrAccess(item, asm.shown(statement_text(statement)), block, asm.guard_at(index))


class _IrBlocks:
    """The blocks of a function as :class:`smemdesc.scanning.analysis.ssa.Ssa` has them, and what holds there."""

    def __init__(self, definitions: Definitions, places: Mapping[int, tuple[int, PredicateLiteral | None]]) -> None:
        """``places``: the block of each instruction, and what it is executed under."""
        assert definitions.flow is not None
        self.definitions = definitions
        self.flow = definitions.flow
        self.graph = self.flow.graph
        self.before = self.graph.before
        self.code = self
        self.blocks = [Block() for _ in self.graph.following]
        for block, following in zip(self.blocks, self.graph.following, strict=True):
            block.following = list(following)
        self._dominators = self.graph.dominators() or {}
        self._places = places

    def cause(self, at: int) -> str | None:
        """Return which source outside the text a line takes its result from."""
        return self.definitions.cause(at)

    def define(self, name: Any) -> Definition | None:
        """Return how a value follows from others."""
        return self.definitions.define(name)

    def block_of(self, index: int) -> int:
        """Return the block of an instruction."""
        return self._places[index][0]

    def dominator(self, block: int) -> int | None:
        """Return the last block through which every way to a block leads."""
        return self._dominators.get(block)

    def conditions_from(self, block: int, to: int) -> dict[Any, bool]:
        """Return what holds if control goes from a block to one that no other leads to."""
        alone = self.before[to] == [block] and block != to
        return self._conditions(self.flow.edge(block, to)) if alone else {}

    def conditions_of(self, index: int) -> dict[Any, bool]:
        """Return what the predicate says under which an instruction is executed."""
        guard = self._places[index][1]
        return {} if guard is None else self._conditions({guard.predicate: guard.holds})

    def _conditions(self, outcomes: Mapping[Any, bool]) -> dict[Any, bool]:
        """Return what predicates say: comparisons, and other predicates, without those that only join others."""
        known: dict[Any, bool] = {}
        waiting = [(unrefined(name), holds) for name, holds in outcomes.items()]
        for name, holds in waiting:
            is_followed = name.__class__ is not tuple and len(waiting) <= _MOST_CONDITIONS
            definition = self.define(name) if is_followed else None
            implied = [] if definition is None else self._implied(definition, holds)
            compared = None if definition is None else definition.comparison
            how = None if compared is None else compared.comparison_when(holds)
            if compared is not None and how is not None:
                x, y = unrefined(compared.x), unrefined(compared.y)
                known[Condition(how, x, y, compared.width, compared.signed, high=compared.high)] = True
            elif implied:
                waiting += implied
            elif name.__class__ is not tuple:
                known[name] = holds
        return known

    @staticmethod
    def _implied(definition: Definition, holds: bool) -> list[tuple[Any, bool]]:
        """Return the predicates whose outcome follows from that of one that joins them."""
        if definition.merges or not definition.reads or definition.comparison is not None:
            return []
        reads = [unrefined(read) for read in definition.reads]
        values = [read if read.__class__ is tuple else UNKNOWN for read in reads]
        never = (int(not holds), 1)
        if definition.selects:
            chosen, *ways = reads[:3]
            if values[1 + holds][:2] != (int(not holds), 1):
                return []
            return [(chosen, holds), (ways[not holds], holds)]
        if not isinstance(definition.transfer, Node):
            return []
        return [
            (read, truth)
            for place, read in enumerate(reads)
            for truth in (False, True)
            if read.__class__ is not tuple
            and definition.transfer(*values[:place], (int(not truth), 1), *values[place + 1 :])[:2] == never
        ]


class _IrFactFinder(FactFinder):
    """Finds the facts of a function whose instructions have numbers of their own."""

    ssa: Any
    texts: Mapping[int, str]

    def place_of(self, item: SharedItem) -> tuple[int, str] | None:
        """Return the line of an instruction, and how it is shown."""
        place = self.operands.place(item.number // PER_LINE)
        return None if place is None else (place[0], self.texts.get(item.number, place[1]))

    def block(self, index: int) -> int:
        """Return the number of the part of the code without a branch that an instruction is in."""
        return int(self.ssa.block_of(index))

    def is_merge(self, name: Any) -> bool:
        """Whether a value merges others."""
        of_its_own = isinstance(name, Version | AggregateElement | Refined)
        return super().is_merge(name) or (not of_its_own and self.ssa.definitions.ways(name) is not None)

    def _takes_turns(self, block: int) -> bool:
        return False

    def _parameter(self, leaf: Any) -> Symbol | None:
        definition = None if isinstance(leaf, Symbol) else self.ssa.define(leaf)
        is_argument = definition is not None and self.ssa.cause(definition.at) == ARGUMENT
        return Symbol(str(leaf).lstrip("%")) if is_argument else None


class IrSharedMemory:
    """What a function does to shared memory, if there is a copy by TMA."""

    def __init__(
        self,
        definitions: Definitions,
        accesses: Iterable[IrAccess],
        block: Callable[[IntrinsicMma | InlineAsm], int],
        maps: GivenMaps,
    ) -> None:
        """``block`` returns that of an instruction; ``maps``: those of parameters."""
        self._maps = maps
        self._definitions = definitions
        self._block = block
        accesses = list(accesses)
        is_followed = definitions.flow is not None and any(access.item.action == COPY for access in accesses)
        self._accesses = accesses if is_followed else []

    @property
    def values(self) -> list[Any]:
        """The values that are to be followed."""
        return [value for access in self._accesses for value in access.values]

    def judged(
        self,
        scanned: Function,
        operands: Operands,
        instructions: Sequence[IntrinsicMma | InlineAsm],
        changes: Sequence[MapChange],
    ) -> Function:
        """Return the function with what its copies, barriers and MMAs say of each other.

        ``changes``: of tensor maps; those of the instructions come last.
        """
        if not self._accesses:
            return scanned
        mmas = [
            (each.at * PER_LINE + index, self._block(each), mma) for each in instructions for index, mma in each.parts
        ]
        numbers = [each.at * PER_LINE + index for each in instructions for index in each.map_places]
        changed: dict[int, list[MapChange]] = {}
        for number, change in zip(numbers, changes[len(changes) - len(numbers) :], strict=True):
            changed.setdefault(number, []).append(change)
        items = [access.item for access in self._accesses]
        places = {access.item.number: (access.block, access.guard) for access in self._accesses}
        places.update({number: (block, None) for number, block, _ in mmas})
        blocks: Any = _IrBlocks(self._definitions, places)
        order = MmaOrder(blocks, sorted(number for number, _, mma in mmas if mma.instruction.accessed is None))
        values = {(item.number, name): name for item in items for operand in item.operands for name in operand.names}
        finder = _IrFactFinder(blocks, operands, values, order, changed, POINTER)
        finder.texts = {access.item.number: access.text for access in self._accesses}
        reads = [
            operand_read(at, scanned.mmas[at], name, finder.of_value(value, SHARED_BITS, UNIT))
            for at, (_, _, mma) in enumerate(mmas)
            for name, value in zip("ab", mma.names.reads, strict=False)
            if value is not None and mma.instruction.is_mma
        ]
        parts = [block for _, block, _ in mmas]
        judged, picture = with_shared_memory(scanned.mmas, filter(None, reads), finder.facts(items, self._maps), parts)
        return scanned._replace(mmas=judged, shared=picture)
