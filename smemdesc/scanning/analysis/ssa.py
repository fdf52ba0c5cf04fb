"""SSA form of a function, on demand: each register is followed back from where it is read.

A version of a register is what one instruction writes into it, or (a phi) what a block merges at its start. Phis are
placed in the iterated dominance frontier of the blocks that write the register, so that each merges different versions
(Cytron et al. 1991); only versions that are requested are created, and only instructions that define them are
translated. If dominators would take too long, each block with several predecessors has a phi of each register (Braun et
al. 2013, without their removal).

A guarded write is a selection: what the instruction writes if it is executed (a version of its own), or the version
before it. Predicates are registers like others: a version of one has the comparison that defined it, and is the same
wherever it is read.

A front end splits a function into :class:`Block` objects, and translates an instruction into a :class:`SsaStep` when
something depends on it. Registers are whatever hashable names it uses; a constant operand is its value, a pair, which
is its own "register".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from smemdesc.engine.fields import ones
from smemdesc.engine.known import EQ, NE, UNKNOWN, bounds
from smemdesc.scanning.analysis.conditions import (
    Compared,
    Condition,
    Refined,
    Vote,
    choose,
    holding,
    known_comparisons,
    refine,
    unrefined,
)
from smemdesc.scanning.analysis.division import (
    Ratio,
    Remainder,
    Sum,
    constant_sum,
    evaluated,
    may_be_remainder,
    remainder,
)
from smemdesc.scanning.analysis.fixpoint import Definition, define_refined
from smemdesc.scanning.analysis.induction import Loops
from smemdesc.scanning.analysis.ir import IN, XOR, Node, Results
from smemdesc.scanning.analysis.loops import Graph

Register = Hashable


class PredicateLiteral(NamedTuple):
    """A predicate, and whether it holds."""

    predicate: Any
    """The register that holds it, or a constant."""
    holds: bool


class Voted(NamedTuple):
    """A predicate that is true if another one holds (or, if not ``holds``, does not) in at least one active thread; or
    (if not ``truth``) false then."""

    predicate: Any
    holds: bool
    truth: bool


class Comparand(NamedTuple):
    """A comparand that is the value which the instruction itself writes into a register."""

    register: Register


Comparisons = Mapping[Any, Condition | PredicateLiteral | Voted | None]


class SsaStep(NamedTuple):
    """What an instruction does if it is executed: ``transfer`` computes ``writes`` from ``reads``."""

    writes: tuple[Any, ...]
    reads: tuple[Any, ...] = ()
    transfer: Node | Results | None = None
    """The expression of the one result, or those of several; None if unknown."""
    selects: PredicateLiteral | None = None
    """The predicate that selects the first of two ``reads``, else the second."""
    width: int = 0
    """Bits of the selected value, if the register has no fixed width."""
    comparisons: Comparisons = MappingProxyType({})
    """For each predicate that it writes the comparison (of registers) or vote that defines it, or the predicate that
    it copies or negates."""


class Block:
    """A basic block: instructions without a branch between them, and the blocks that may follow."""

    __slots__ = ("at", "callee_lines", "entry", "entry_cause", "following")

    def __init__(self, at: int = 0) -> None:
        self.at = at
        """The number of its first instruction."""
        self.following: list[int] = []
        self.entry = False
        """Whether control may enter it from unknown code."""
        self.entry_cause: int | None = None
        """The instruction that makes it an entry, or that precedes it with unknown effects (a call)."""
        self.callee_lines: tuple[int, ...] = ()
        """The instructions that such a call may run, if it is known to return here."""


class FunctionCode(Protocol):
    """The instructions of a function, numbered in text order, as a front end provides them."""

    def writers(self, register: Register) -> Sequence[int]:
        """Return the instructions that may write a register, in order."""

    def step(self, index: int, register: Register) -> SsaStep:
        """Translate what an instruction writes into a register."""

    def guard(self, index: int) -> PredicateLiteral | None:
        """Return the predicate under which an instruction is executed; None if it always is."""
        return None

    def width(self, register: Register) -> int:
        """Return the bits of a register; 0 if unknown, or if each instruction determines how many it uses."""
        return 0

    def edge(self, block: int, to: int) -> Sequence[tuple[int, PredicateLiteral]]:
        """Return the predicates that hold if control goes from one block to another, each with the branch that reads
        it."""
        return ()

    def cause(self, index: int) -> str | None:
        """Return which source outside the text an instruction takes its result from; None if the result could be known.

        The sources are named in :mod:`smemdesc.scanning.model.causes`.
        """
        return None

    def symbol(self, index: int) -> tuple[str, int] | None:
        """Return the variable whose address an instruction reads as a constant, and the number added to it; None if it
        reads none, or several."""
        return None

    def selects(self, index: int) -> bool:
        """Return whether an instruction may be one that selects (:attr:`SsaStep.selects`)."""
        return False

    def shared(self, register: Register, predicate: Register) -> bool:
        """Return whether a register is shared by all threads of a group, and a predicate is per thread: an instruction
        is executed for all if it holds in one."""
        return False

    def group(self, index: int) -> Hashable:
        """Return a key that two instructions share only if one is reached from the other with the same active
        threads."""
        return None

    def elected(self, predicate: Any, group: Hashable) -> bool:
        """Return whether a version of a predicate holds in at least one thread of a group."""
        return False


def writers_of(instructions: Iterable[Iterable[Register]]) -> dict[Register, list[int]]:
    """Return the numbers of the instructions that write each register, given what each writes."""
    writers: dict[Register, list[int]] = {}
    for index, writes in enumerate(instructions):
        for register in writes:
            writers.setdefault(register, []).append(index)
    return writers


class StepCode(FunctionCode):
    """Instructions that are given as steps, all of them executed unconditionally."""

    def __init__(self, steps: Sequence[SsaStep], widths: Mapping[Register, int]) -> None:
        self.steps = steps
        self.widths = widths
        self._writers = writers_of(step.writes for step in steps)

    def writers(self, register: Register) -> Sequence[int]:
        """Return the instructions that may write a register, in order."""
        return self._writers.get(register, ())

    def step(self, index: int, register: Register) -> SsaStep:
        """Return an instruction."""
        return self.steps[index]

    def width(self, register: Register) -> int:
        """Return the bits of a register."""
        return self.widths.get(register, 0)


class Version:
    """A register after an instruction of a block, or (``index`` -1) at the start of the block.

    ``carried_out``: after the instruction, which has a guard, given that it is executed.
    """

    __slots__ = ("block", "carried_out", "index", "register")

    def __init__(self, block: int, index: int, register: Register, carried_out: bool) -> None:
        self.block = block
        self.index = index
        self.register = register
        self.carried_out = carried_out

    def __repr__(self) -> str:
        return f"{self.register} {self.block}.{self.index}"

    def __str__(self) -> str:
        return str(self.register)


class _Above:
    """Finds the nearest ancestor of a node in a forest, or the node itself, among some nodes."""

    def __init__(self, nodes: Iterable[int], ends: Sequence[int]) -> None:
        """Nodes are numbered in preorder; ``ends`` has for each the number after its last descendant."""
        self.ends = ends
        self.nodes = sorted(nodes)
        self.outer: list[int] = []
        open_: list[int] = []
        for place, node in enumerate(self.nodes):
            while open_ and ends[self.nodes[open_[-1]]] <= node:
                open_.pop()
            self.outer.append(open_[-1] if open_ else -1)
            open_.append(place)

    def __call__(self, node: int) -> int:
        """Return that node, or -1."""
        place = bisect_right(self.nodes, node) - 1
        while place >= 0 and self.ends[self.nodes[place]] <= node:
            place = self.outer[place]
        return self.nodes[place] if place >= 0 else -1


def _part(step: SsaStep, register: Register) -> tuple[tuple[Any, ...], Node | None]:
    """Return what an instruction reads for one of the registers that it writes, and the expression of the result."""
    if not isinstance(step.transfer, Results):
        return step.reads, step.transfer
    places, transfer = step.transfer.parts[len(step.writes) - 1 - step.writes[::-1].index(register)]
    return tuple([step.reads[place] for place in places]), transfer


def _both(a: Mapping[Any, bool] | None, b: Mapping[Any, bool] | None) -> Mapping[Any, bool] | None:
    """Return what is known if both hold; None if they contradict each other."""
    if a is None or b is None or any(b.get(name, holds) is not holds for name, holds in a.items()):
        return None
    return {**a, **b}


def _common(ways: Iterable[Mapping[Any, bool] | None]) -> Mapping[Any, bool] | None:
    """Return what is known on all paths that can be taken; None if none can."""
    common: Mapping[Any, bool] | None = None
    for way in ways:
        if common is None or way is None:
            common = way if common is None else common
        else:
            common = {name: holds for name, holds in common.items() if way.get(name) is holds}
    return common


_IMPLIED = 8
"""How long a chain of implications between predicates is followed."""
_EFFORT = 16
"""The limit on blocks in dominance frontiers, per block and edge of the graph."""
_FOLLOWED = 16
"""How many values are followed to see whether one is a remainder."""
_PHIS = 8
"""The limit on phis that are followed, per block and step: beyond it, in nested loops, nothing is known."""


class Ssa(Loops):
    """The versions of the registers of a function."""

    def __init__(self, blocks: Sequence[Block], code: FunctionCode, count: int) -> None:
        """``count``: the number of instructions."""
        self.blocks = blocks
        self.code = code
        self.ends = [*(block.at for block in blocks[1:]), count]
        self._block_of = [at for at, block in enumerate(blocks) for _ in range(block.at, self.ends[at])]
        self.graph = Graph(
            [block.following for block in blocks], [at for at, block in enumerate(blocks) if block.entry]
        )
        self.before = self.graph.before
        self._versions: dict[tuple[int, int, Register, bool], Version] = {}
        self._comparisons: dict[Version, Condition | None] = {}
        self._originals: dict[Any, PredicateLiteral] = {}
        self._implications: dict[tuple[Any, bool], Mapping[Any, bool] | None] = {}
        self._holding: dict[int, Mapping[Any, bool]] = {}
        self._edges: dict[tuple[int, int], Mapping[Any, bool]] = {}
        self._comparing: dict[int, Compared] = {}
        self._joins = [at for at in self.graph.order if not blocks[at].entry and len(self.before[at]) > 1]
        self._frontier = self._frontiers()
        self._number()
        roots = [at for at in self.graph.order if self._dominator[at] is None]
        common = {block for root in roots if blocks[root].entry for block in self._frontier.get(root, ())}
        self._common = self._closed(common) if self._exact else frozenset(self._joins)
        self._above_common = _Above([self._preorder[block] for block in self._common], self._subtree_ends)
        self._left = _PHIS * (len(blocks) + count)
        self._phis: dict[Register, tuple[frozenset[int], _Above]] = {}

    # ---- places of phis ----

    def _frontiers(self) -> dict[int, list[int]]:
        """Return the dominance frontier of each block, and keep the immediate dominator of each."""
        frontiers: dict[int, list[int]] = {}
        above = self.graph.dominators() or {}
        left = _EFFORT * sum(1 + len(self.before[at]) for at in self.graph.order)
        for join in self._joins if above else ():
            for predecessor in self.before[join]:
                here: int | None = predecessor
                while here is not None and here != above[join]:
                    frontier = frontiers.setdefault(here, [])
                    if not frontier or frontier[-1] != join:
                        frontier.append(join)
                    here = above[here]
                    left -= 1
            if left < 0:
                above = {}
                break
        self._exact = bool(above)
        if not above:
            # A forest in which each join is a root.
            joins = set(self._joins)
            above = {
                at: None if at in joins or self.blocks[at].entry else self.before[at][0] for at in self.graph.order
            }
            frontiers = {}
        self._dominator = above
        """The immediate dominator of each block that is reached; None for a root."""
        return frontiers

    def _number(self) -> None:
        """Number the blocks in preorder of the dominator tree."""
        below: dict[int | None, list[int]] = {}
        for at in self.graph.order:
            below.setdefault(self._dominator[at], []).append(at)
        self._preorder: dict[int, int] = {}
        """The number of each block; a block that is never reached has none."""
        self._in_preorder: list[int] = []
        """The blocks, by their numbers."""
        self._tree_root: list[int] = []
        """The block at the root of each block's tree, by the block's number."""
        waiting = below.get(None, [])[::-1]
        while waiting:
            at = waiting.pop()
            dominator = self._dominator[at]
            self._preorder[at] = len(self._in_preorder)
            self._tree_root.append(at if dominator is None else self._tree_root[self._preorder[dominator]])
            self._in_preorder.append(at)
            waiting += reversed(below.get(at, []))
        self._subtree_ends = list(range(1, len(self._in_preorder) + 1))
        """The number after the last descendant of each block, by the block's number."""
        for number in range(len(self._in_preorder) - 1, -1, -1):
            dominator = self._dominator[self._in_preorder[number]]
            if dominator is not None:
                outer = self._preorder[dominator]
                self._subtree_ends[outer] = max(self._subtree_ends[outer], self._subtree_ends[number])

    def _closed(self, blocks: Iterable[int]) -> frozenset[int]:
        """Return the iterated dominance frontier of blocks, and the blocks."""
        closed = set(blocks)
        waiting = list(closed)
        while waiting:
            for join in self._frontier.get(waiting.pop(), ()):
                if join not in closed:
                    closed.add(join)
                    waiting.append(join)
        return frozenset(closed)

    def _places(self, register: Register) -> tuple[frozenset[int], _Above]:
        """Return the blocks with a phi of a register, and a lookup of these and the blocks that write it."""
        places = self._phis.get(register)
        if places is None:
            writing = set(map(self._block_of.__getitem__, self.code.writers(register)))
            writers = [block for block in writing if block in self._preorder]
            phis = self._closed({block for writer in writers for block in self._frontier.get(writer, ())})
            every = _Above({self._preorder[writer] for writer in (*writers, *phis)}, self._subtree_ends)
            places = self._phis[register] = phis, every
        return places

    # ---- versions ----

    def block_of(self, index: int) -> int:
        """Return the block of an instruction."""
        return self._block_of[index]

    def read(self, register: Register, index: int) -> Any:
        """Return the version of a register before an instruction; a constant is itself."""
        if register.__class__ is tuple:
            return register
        return self._before(self._block_of[index], register, index)

    def _before(self, number: int, register: Register, limit: int | None) -> Version:
        """Return the version of a register before an instruction (None: at the end of a block)."""
        if limit is None:
            limit = self.ends[number]
        writers = self.code.writers(register)
        place = bisect_left(writers, limit) - 1
        if place >= 0 and writers[place] >= self.blocks[number].at:
            return self._version(number, writers[place], register)
        return self._start(number, register)

    def _version(self, number: int, index: int, register: Register, carried_out: bool = False) -> Version:
        key = (number, index, register, carried_out)
        version = self._versions.get(key)
        if version is None:
            version = self._versions[key] = Version(*key)
        return version

    def _start(self, block: int, register: Register) -> Version:
        """Return the version of a register at the start of a block.

        It is a phi of the block itself, or what holds at the end of the nearest block above it in the dominator tree
        that writes the register or has a phi of it; without such a block, what the register holds at the tree's root.
        """
        if block not in self._preorder:
            return self._version(block, -1, register)
        phis, nearest_of_register = self._places(register)
        dominator = self._dominator[block]
        if block in phis or block in self._common or dominator is None:
            return self._version(block, -1, register)
        above = self._preorder[dominator]
        nearest = max(nearest_of_register(above), self._above_common(above))
        if nearest < 0:
            return self._version(self._tree_root[above], -1, register)
        return self._before(self._in_preorder[nearest], register, None)

    def incoming(self, version: Version) -> Iterator[tuple[int, Any]]:
        """Yield the incoming values of a phi, each after its predecessor block."""
        for predecessor in self.before[version.block]:
            value = self._before(predecessor, version.register, None)
            predicates = self._edge(predecessor, version.block) if isinstance(value, Version) else {}
            yield predecessor, refine(value, known_comparisons(predicates, self.comparison))

    def define(self, version: Any) -> Definition | None:
        """Return the definition of a version; None if unknown."""
        if isinstance(version, Refined):
            choice = self._choice(version.value)
            if choice is not None and choice[0].predicate == version.predicate:
                place = int(version.holds is not choice[0].holds)
                read = self.value(choice[1].reads[place], version.value.index)
                return Definition(version.value.index, (read,), IN[0], width=self.code.width(version.value.register))
            condition = self.condition(version.predicate)
            assert condition is not None
            return define_refined(
                version, condition, version.predicate.index, self.code.width(unrefined(version).register)
            )
        block, register = self.blocks[version.block], version.register
        width = self.code.width(register)
        if version.index < 0:
            if version.block not in self._preorder or block.entry:
                return None if block.entry_cause is None or not block.entry else Definition(block.entry_cause)
            self._left -= 1
            if self._left < 0:
                return Definition(block.at)
            reads = tuple(dict.fromkeys(value for _, value in self.incoming(version)))
            return Definition(block.at, reads, merges=True, width=width)
        guard = None if version.carried_out else self.code.guard(version.index)
        if guard is not None and not self._outcome(version, guard, self._predicates_at(version.index, None)):
            chosen = self.value(guard.predicate, version.index)
            new = self._version(version.block, version.index, register, True)
            old = self.value(register, version.index, guard._replace(holds=not guard.holds))
            return self._selection(version, chosen, guard.holds, new, old, width=width)
        step = self.code.step(version.index, register)
        operands, transfer = _part(step, register)
        if transfer is None:
            return Definition(version.index)
        own_guard = self.code.guard(version.index)
        reads = tuple([self.value(operand, version.index, own_guard) for operand in operands])
        if step.selects is not None:
            chosen = self.value(step.selects.predicate, version.index, own_guard)
            return self._selection(version, chosen, step.selects.holds, *reads, width=width or step.width)
        if _exclusive(transfer) and (kept := self._cancelled(reads)) is not None:
            return Definition(version.index, (kept,), IN[0], width=width)
        comparison = self.condition(version) if step.comparisons else None
        if comparison is None and may_be_remainder(transfer) and (rest := self._remainder(reads, transfer)) is not None:
            return Definition(version.index, (rest.x,), rest.expression, width=width)
        return Definition(version.index, reads, transfer, comparison=comparison, width=width)

    def _choice(self, version: Any) -> tuple[PredicateLiteral, SsaStep] | None:
        """Return the predicate by which an instruction selects, and its step; None if it does not select."""
        if not isinstance(version, Version) or version.index < 0 or not self.code.selects(version.index):
            return None
        step = self.code.step(version.index, version.register)
        if step.selects is None or self.code.guard(version.index) is not None:
            return None
        return self._named(self.read(step.selects.predicate, version.index), step.selects.holds), step

    @staticmethod
    def _selection(version: Version, chosen: Any, holds: bool, a: Any, b: Any, *, width: int) -> Definition:
        """Return the definition of a value that is ``a`` if a predicate ``holds`` (or does not), else ``b``."""
        reads = (chosen, a, b) if holds else (chosen, b, a)
        return Definition(version.index, reads, choose(width), selects=True, width=width)

    def _cancelled(self, reads: Sequence[Any], through: bool = True) -> Any:
        """Return x of ``(x ^ y) ^ y``, as three exclusive ors exchange two registers; None for other operands.

        ``through``: whether y may itself be such a result.
        """
        for combined, operand in (reads, reads[::-1]):
            terms = self._terms(combined)
            if terms is not None:
                same_as = self._kept if through else unrefined
                for term, rest in (terms, terms[::-1]):
                    if same_as(rest) == same_as(operand):
                        return term
        return None

    def _terms(self, version: Any) -> tuple[Any, ...] | None:
        """Return the two operands of a version that is an exclusive or; None if it is not."""
        if not isinstance(version, Version) or version.index < 0 or self.code.guard(version.index):
            return None
        step = self.code.step(version.index, version.register)
        return tuple([self.read(read, version.index) for read in step.reads]) if _exclusive(step.transfer) else None

    def _kept(self, version: Any) -> Any:
        """Return the version that two exclusive ors with the same value leave unchanged; any other version as it is."""
        terms = self._terms(version)
        kept = None if terms is None else self._cancelled(terms, through=False)
        return version if kept is None else kept

    # ---- remainders ----

    def _remainder(self, reads: Sequence[Any], transfer: Node) -> Remainder | None:
        """Return the remainder that a sum is, if what is subtracted is a quotient that multiplications compute."""
        width, known = transfer.width, dict[Any, Sum | None]()
        rest = remainder(evaluated(transfer, [self._sum(read, width, known) for read in reads]))
        return rest and rest._replace(x=next((read for read in reads if unrefined(read) == rest.x), rest.x))

    def _sum(self, name: Any, width: int, known: dict[Any, Sum | None]) -> Sum | None:
        """Return a value as a sum of parts of others, or of itself; ``known`` are those that were followed."""
        version = unrefined(name)
        if version.__class__ is tuple:
            return constant_sum(version)
        if not isinstance(version, Version) or version in known:
            return known.get(version)
        bits = self.code.width(version.register)
        itself = Sum({Ratio(version, ones(bits or width)): 1}, bits or width, not bits)
        known[version] = itself
        if version.index < 0 or len(known) > _FOLLOWED or self.code.guard(version.index) is not None:
            return itself
        step = self.code.step(version.index, version.register)
        operands, transfer = _part(step, version.register)
        if not isinstance(transfer, Node) or step.selects is not None:
            return itself
        reads = [self.value(operand, version.index, None) for operand in operands]
        if any(
            isinstance(unrefined(read), Version) and self.code.shared(version.register, unrefined(read).register)
            for read in reads
        ):
            return itself  # the value of another thread
        made = evaluated(transfer, [self._sum(read, width, known) for read in reads])
        if made is not None and (made.number is not None or made.part is not None or made.is_part):
            known[version] = made
            return made
        most = bounds(transfer(*[read if read.__class__ is tuple else UNKNOWN for read in reads]), bits or width)[1]
        known[version] = Sum({Ratio(version, most): 1}, itself.width, itself.loose)
        return known[version]

    # ---- predicates ----

    def condition(self, version: Any) -> Condition | None:
        """Return the comparison whose outcome a predicate is, of values as they are known at its definition."""
        condition = self.comparison(version)
        if condition is None:
            return None
        comparisons = self._compares(version.index, self.code.guard(version.index))
        return condition._replace(x=refine(condition.x, comparisons), y=refine(condition.y, comparisons))

    def comparison(self, version: Any) -> Condition | None:
        """Return the comparison, of versions, whose outcome a predicate is; None if it is not a comparison."""
        copies: list[tuple[Version, bool]] = []
        comparison: Condition | None = None
        while isinstance(version, Version) and version.index >= 0:
            if version in self._comparisons:
                comparison = self._comparisons[version]
                break
            self._comparisons[version] = None  # nothing is known of one that depends on itself
            definition = self._own_comparison(version)
            if not isinstance(definition, PredicateLiteral):
                comparison = self._compared(version, definition) if isinstance(definition, Condition) else None
                self._comparisons[version] = comparison
                break
            copies.append((version, definition.holds))
            version = self._value(definition.predicate, version.index, self.code.guard(version.index))
        for copy, holds in reversed(copies):
            comparison = None if comparison is None else comparison._replace(negated=comparison.negated == holds)
            self._comparisons[copy] = comparison
        return comparison

    def _own_comparison(self, version: Any) -> Condition | PredicateLiteral | Voted | None:
        """Return what defines a predicate, in the registers of the instruction that wrote it."""
        if not isinstance(version, Version) or version.index < 0:
            return None
        if self.code.guard(version.index) is not None and not version.carried_out:
            return None
        return self.code.step(version.index, version.register).comparisons.get(version.register)

    def _compared(self, version: Version, condition: Condition) -> Condition | None:
        index = version.index
        guard = self.code.guard(index)
        x, y = (
            self._version(version.block, index, operand.register, version.carried_out)
            if isinstance(operand, Comparand)
            else self._value(operand, index, guard)
            for operand in (condition.x, condition.y)
        )
        if condition.below is None:
            return condition._replace(x=x, y=y)
        below = self._value(condition.below, index, guard)
        lower = self._own_comparison(below)
        if isinstance(lower, Condition) and lower.below is not None:
            return None  # the lower words of three
        low = self.comparison(below)
        if low is None or low.weak or low.negated or low.how != condition.how or low.high is not None:
            return None
        return None if low.signed and low.how not in (EQ, NE) else low._replace(signed=condition.signed, high=(x, y))

    def value(self, register: Register, index: int, guard: PredicateLiteral | None = None) -> Any:
        """Return the value of a register that is read by an instruction executed under a ``guard``.

        If the outcome of a predicate is known, from the guard of the reader or the branches on all paths to it, a
        guarded write by it is what it writes or the version before it, and a selection by it is one of its two reads.
        """
        version = self._value(register, index, guard)
        if version.__class__ is tuple:
            return version
        choice = self._choice(version)
        truth = None if choice is None else self._predicates_at(index, guard).get(choice[0].predicate)
        if choice is not None and truth is not None:
            version = Refined(version, choice[0].predicate, truth)
        return refine(version, self._compares(index, guard))

    def _compares(self, index: int, guard: PredicateLiteral | None) -> Compared:
        """Return what the predicates compare whose outcome is known at an instruction."""
        block = self._block_of[index]
        if block not in self._comparing:
            self._comparing[block] = known_comparisons(self._predicates_at(index, None), self.comparison)
        comparisons = self._comparing[block]
        guarded = {} if guard is None else known_comparisons(self._implied_at(guard, index), self.comparison)
        if not guarded:
            return comparisons
        return {
            **comparisons,
            **{name: list(dict.fromkeys([*comparisons.get(name, ()), *guarded[name]])) for name in guarded},
        }

    def _value(self, register: Register, index: int, guard: PredicateLiteral | None) -> Any:
        """Return a version, without what is known of it at the read."""
        version = self.read(register, index)
        if not isinstance(version, Version):
            return version
        predicates = self._predicates_at(index, guard)
        while isinstance(version, Version) and version.index >= 0 and not version.carried_out:
            own_guard = self.code.guard(version.index)
            outcome = None if own_guard is None else self._outcome(version, own_guard, predicates)
            if outcome is None:
                break
            if outcome:
                version = self._version(version.block, version.index, version.register, True)
                break
            version = self.read(version.register, version.index)
        return version

    # ---- what holds where ----

    def _outcome(self, version: Version, guard: PredicateLiteral, predicates: Mapping[Any, bool]) -> bool | None:
        """Return whether a guarded write was executed, given the outcome of ``predicates``; None if unknown.

        A register that threads share is written if the guard holds in one of them.
        """
        name, holds = self._named(self.read(guard.predicate, version.index), guard.holds)
        if self.code.shared(version.register, guard.predicate):
            name, holds = Vote(name, holds, self.code.group(version.index)), True
        truth = predicates.get(name)
        if truth is None and isinstance(name, Vote):
            if name.predicate.__class__ is tuple:
                truth = name.predicate == (int(name.holds), 1) or None
            elif predicates.get(name.predicate) is name.holds or (
                name.holds and self.code.elected(name.predicate, name.group)
            ):
                truth = True  # the thread in which it holds takes part in the vote
        return None if truth is None else truth == holds

    def _named(self, name: Any, holds: bool) -> PredicateLiteral:
        """Return the canonical name of a predicate, and whether that one holds if this one ``holds``.

        A copy has the name of its original. Two votes are the same if they are on the same version, and no thread
        becomes active or inactive between them.
        """
        name, holds = self.original(name, holds)
        vote = self._own_comparison(name)
        if isinstance(vote, Voted) and not name.carried_out:
            voted = self.original(self.read(vote.predicate, name.index), vote.holds)
            name, holds = Vote(*voted, self.code.group(name.index)), holds == vote.truth
        return PredicateLiteral(name, holds)

    def original(self, name: Any, holds: bool) -> PredicateLiteral:
        """Return the original of a predicate, through any chain of copies, and whether it holds if this one
        ``holds``."""
        passed: list[tuple[Version, bool]] = []
        while name not in self._originals and isinstance(source := self._own_comparison(name), PredicateLiteral):
            passed.append((name, holds))
            name, holds = self.read(source.predicate, name.index), holds == source.holds
        root = self._originals.get(name, PredicateLiteral(name, True))
        literal = root._replace(holds=root.holds == holds)
        for copy, truth in passed:
            self._originals[copy] = literal._replace(holds=literal.holds == truth)
        return literal

    def _implied(self, name: Any, holds: bool, deep: int = _IMPLIED) -> Mapping[Any, bool] | None:
        """Return the outcomes of predicates that follow from the outcome of one; None if that is impossible."""
        if name.__class__ is tuple:
            return None if name == (int(not holds), 1) else {}
        if (name, holds) not in self._implications and deep:
            self._implications[name, holds] = {name: holds}  # one that depends on itself
            self._implications[name, holds] = self._implies(name, holds, deep - 1)
        return self._implications.get((name, holds), {name: holds})

    def _implies(self, version: Version, holds: bool, deep: int) -> Mapping[Any, bool] | None:
        """Return the outcomes of predicates if a version of one ``holds``, or does not; None if that is impossible.

        They follow from how it was written: by a vote, as a copy, by a phi, by an instruction, or, under a guard, by an
        instruction or not at all.
        """
        name, truth = self._named(version, holds)
        guard = None if version.index < 0 or version.carried_out else self.code.guard(version.index)
        implied: Mapping[Any, bool] | None = {}
        if isinstance(name, Vote):
            # If it fails, it fails for each thread.
            implied = {} if truth else self._implied(name.predicate, not name.holds, deep)
        elif name is not version:
            implied = self._implied(name, truth, deep)
        elif version.index < 0:
            implied = self._implied_by_phi(version, holds, deep)
        elif guard is None:
            implied = self._implied_by_operands(version, holds, deep)
        elif not self.code.shared(version.register, guard.predicate):
            guarding = self.read(guard.predicate, version.index)
            new = self._version(version.block, version.index, version.register, True)
            old = self.read(version.register, version.index)
            ways = ((guarding, guard.holds, new), (guarding, not guard.holds, old))
            implied = _common(
                _both(self._implied(guarding, outcome, deep), self._implied(written, holds, deep))
                for guarding, outcome, written in ways
            )
        own = {version: holds} if name.__class__ is tuple else {name: truth, version: holds}
        return None if implied is None else {**implied, **own}

    def _implied_by_operands(self, version: Version, holds: bool, deep: int) -> Mapping[Any, bool] | None:
        """Return the outcomes of the predicates that an instruction reads if what it writes ``holds``, or does not."""
        step = self.code.step(version.index, version.register)
        if isinstance(self._own_comparison(version), Voted) or step.selects is not None:
            return {}
        registers, transfer = _part(step, version.register)
        if not isinstance(transfer, Node):
            return {}
        reads = [self.read(register, version.index) for register in registers]
        values = [read if read.__class__ is tuple else UNKNOWN for read in reads]
        never = (int(not holds), 1)
        if transfer(*values)[:2] == never:
            return None
        implied: Mapping[Any, bool] | None = {}
        for place, read in enumerate(reads):
            if isinstance(read, Version) and not self.code.width(read.register):
                for truth in (False, True):
                    if transfer(*values[:place], (int(not truth), 1), *values[place + 1 :])[:2] == never:
                        implied = _both(implied, self._implied(read, truth, deep))
        return implied

    def _implied_by_phi(self, version: Version, holds: bool, deep: int) -> Mapping[Any, bool] | None:
        """Return what is implied on every edge into a phi, for predicates that are the same before and after it.

        An edge that implies the phi itself, from the previous iteration, implies by induction what the others do.
        """
        block, ways = version.block, []
        if block not in self._preorder or self.blocks[block].entry:
            return {}
        for before in self.before[block]:
            incoming = self._before(before, version.register, None)
            implied = {} if incoming is None else self._implied(incoming, holds, deep)
            if implied is None or implied.get(version) is not holds:
                ways.append(implied)
        common = _common(ways)
        return common and {
            name: truth
            for name, truth in common.items()
            if isinstance(name, Version) and self._dominates(name.block, block)
        }

    def _dominates(self, block: int, target: int) -> bool:
        """Return whether ``block`` strictly dominates ``target``."""
        place, below = self._preorder.get(block), self._preorder[target]
        return place is not None and place < below < self._subtree_ends[place]

    def _implied_at(self, literal: PredicateLiteral, index: int) -> Mapping[Any, bool]:
        """Return what is implied for predicates if one that an instruction reads holds, or does not."""
        name = self.read(literal.predicate, index)
        implied = self._implied(name, literal.holds)
        if implied is None and name.__class__ is not tuple:
            return {name: literal.holds}  # this reveals code that never runs
        return implied or {}

    def _edge(self, block: int, to: int) -> Mapping[Any, bool]:
        """Return the predicates whose outcome is known if control goes from one block to another."""
        known = self._edges.get((block, to))
        if known is None:
            literals = [self._implied_at(read, at) for at, read in self.code.edge(block, to)]
            known = self._edges[block, to] = {name: holds for implied in literals for name, holds in implied.items()}
        return known

    def _predicates_at(self, index: int, guard: PredicateLiteral | None) -> Mapping[Any, bool]:
        """Return the predicates whose outcome is known at an instruction."""
        block = self._block_of[index]
        if block not in self._holding:
            self._holding[block] = holding(block, self._dominator, self.before, self._edge)
        predicates = self._holding[block]
        return predicates if guard is None else {**predicates, **self._implied_at(guard, index)}

    def dominator(self, block: int) -> int | None:
        """Return the last block through which every way to a block leads."""
        return self._dominator[block]

    def conditions_from(self, block: int, to: int) -> dict[Any, bool]:
        """Return what holds if control goes from a block to one that no other leads to."""
        return self._conditions(self._edge(block, to)) if self.before[to] == [block] and block != to else {}

    def conditions_of(self, index: int) -> dict[Any, bool]:
        """Return what the predicate says under which an instruction is executed."""
        guard = self.code.guard(index)
        return {} if guard is None else self._conditions(self._implied_at(guard, index))

    def _conditions(self, outcomes: Mapping[Any, bool]) -> dict[Any, bool]:
        """Return what predicates say: comparisons, and other predicates, without those that only join others. Of a
        vote it is what holds in the threads that decide it."""
        known: dict[Any, bool] = {}
        waiting = [outcomes]
        for outcomes in waiting:
            for name, holds in outcomes.items():
                if not isinstance(name, Vote):
                    known[name] = holds
                elif holds and name.predicate not in known:
                    waiting.append(self._implied(name.predicate, name.holds) or {})
        return dict([outcome for name, holds in known.items() for outcome in self._told(name, holds)])

    def _told(self, name: Any, holds: bool) -> Iterator[tuple[Any, bool]]:
        """Yield what a predicate says itself: a comparison, by its values; the predicate, if it is neither that nor
        follows from others."""
        compared = self.comparison(name)
        how = None if compared is None else compared.comparison_when(holds)
        if compared is not None and how is not None:
            x, y = unrefined(compared.x), unrefined(compared.y)
            yield Condition(how, x, y, compared.width, compared.signed, high=compared.high), True
        elif set(self._implied(name, holds) or ()) <= {name} or self._reads_numbers(name):
            yield name, holds

    def _reads_numbers(self, name: Any) -> bool:
        """Whether the instruction that wrote a predicate reads something else than predicates."""
        if not isinstance(name, Version) or name.index < 0:
            return False
        registers, _ = _part(self.code.step(name.index, name.register), name.register)
        return any(register.__class__ is not tuple and self.code.width(register) for register in registers)

    # ---- loops ----

    def is_defined_in(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is defined in one of these blocks."""
        defined: bool = name.block in body
        return defined

    def test(self, block: int) -> tuple[Condition, int, int] | None:
        """Return the comparison at the end of a block, the successor if it holds, and the other one."""
        following = self.blocks[block].following
        if len(following) != 2:
            return None
        to, otherwise = following
        conditions = self.code.edge(block, to)
        if len(conditions) != 1 or len(self.code.edge(block, otherwise)) != 1:
            return None
        ((at, literal),) = conditions
        condition = self.condition(self.value(literal.predicate, at))
        return None if condition is None else (condition, *((to, otherwise) if literal.holds else (otherwise, to)))


def _exclusive(transfer: object) -> bool:
    return isinstance(transfer, Node) and transfer.row is XOR and transfer.operands == tuple(IN[:2])
