"""What LLVM IR and MLIR have in common: values that are made once, parts of aggregates, blocks, local variables.

A front end reads its text: it says of a value how it follows from others, what comes together in it, or what is
inserted into it, of an operation what it does with addresses, and of a function which blocks follow which. Here that
becomes what is known where a value is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD
from smemdesc.scanning.analysis.conditions import Branches, Condition, Refined, bare, compared, refine
from smemdesc.scanning.analysis.fixpoint import Definition, define_refined, solve
from smemdesc.scanning.analysis.induction import HeaderPhi, Loops, element_header_phis, solve_with_loops
from smemdesc.scanning.analysis.ir import IN
from smemdesc.scanning.analysis.known import UNKNOWN
from smemdesc.scanning.analysis.loops import Graph
from smemdesc.scanning.analysis.memory import Access, Distance, Forget, Locals, MemoryCopy, Pointer
from smemdesc.scanning.analysis.operands import WIDTHS, Operands, TmemAddress, mma_of
from smemdesc.scanning.analysis.provenance import Provenance
from smemdesc.scanning.analysis.ssa import Version
from smemdesc.scanning.languages import inline_asm
from smemdesc.scanning.languages.inline_asm import InlineAsm, Inner
from smemdesc.scanning.languages.lowering import size_of, width_of
from smemdesc.scanning.model import Function, Instruction, ScannedMma

Path = tuple[int, ...]
DEEPEST = 16
"""Indices of a path that are followed."""


# ---- aggregates ----
#
# Compilers build an aggregate of hundreds of parts by as many insertions, one after the other. Where each such chain
# writes is noted once, so that a part is found without walking along it.


class Insertion(NamedTuple):
    """An insertion: the aggregate that it changes, and which part of it."""

    into: Hashable
    """None: a constant."""
    where: Path
    value: Any = None
    """What is put there."""


class _Chain:
    """Insertions of which each changes what the one before it made."""

    def __init__(self, root: Hashable) -> None:
        self.root = root
        self.insertions: list[Any] = []
        self.at: dict[Path, list[int]] = {}
        """Which of them write the part that a path leads to."""
        self.within: dict[Path, list[int]] = {}
        """Which of them write only something in it."""

    def add(self, value: Any, where: Path) -> None:
        self.insertions.append(value)
        self.at.setdefault(where, []).append(len(self.insertions) - 1)
        for length in range(len(where)):
            self.within.setdefault(where[:length], []).append(len(self.insertions) - 1)


class Insertions(dict[Any, "Insertion | None"]):
    """The insertions of a function, by what they make; None for a value that none makes.

    ``read`` returns one. Those with more than :data:`DEEPEST` indices are none.
    """

    def __init__(self, read: Callable[[Any], Insertion | None]) -> None:
        super().__init__()
        self._read = read
        self._places: dict[Any, tuple[_Chain, int]] = {}

    def __missing__(self, value: Any) -> Insertion | None:
        read = self._read(value)
        insertion = self[value] = None if read is None or len(read.where) > DEEPEST else read
        return insertion

    def last(self, value: Any, path: Path) -> Any:
        """Return what the last insertion made that concerns the part ``path`` of a value, or what none made.

        The first of them concerns all parts where it inserts into a constant.
        """
        if len(path) > DEEPEST:
            return value
        seen = set()
        while self[value] is not None and value not in seen:
            seen.add(value)
            chain, place = self._placed(value)
            places = [chain.within.get(path, ()), *(chain.at.get(path[:size], ()) for size in range(len(path) + 1))]
            last = max((lines[after - 1] for lines in places if (after := bisect_right(lines, place))), default=None)
            if last is not None:
                return chain.insertions[last]
            if chain.root is None:
                return chain.insertions[0]
            value = chain.root
        return value

    def _placed(self, value: Any) -> tuple[_Chain, int]:
        """Return the chain of an insertion, and its place in it."""
        before: dict[Any, Insertion] = {}
        while value is not None and value not in self._places and value not in before:
            insertion = self[value]
            if insertion is None:
                break
            before[value] = insertion
            value = insertion.into
        last = value
        for value, insertion in reversed(before.items()):
            chain, place = self._places.get(last, (None, 0))
            if chain is None or place != len(chain.insertions) - 1:
                chain = _Chain(last)
            chain.add(value, insertion.where)
            self._places[value] = (chain, len(chain.insertions) - 1)
            last = value
        return self._places[last]


# ---- values ----


class AggregateElement(NamedTuple):
    """The part of an aggregate that its indices lead to: a name like that of a value."""

    value: Any
    path: Path

    def __str__(self) -> str:
        return f"{self.value}[{', '.join(map(str, self.path))}]"


class MergeInput(NamedTuple):
    """What comes into a merge from a block, and the predicates that hold, or do not, on this way."""

    block: int
    value: Any
    predicates: Mapping[Any, bool]


class Definitions:
    """How the values of a function follow from each other."""

    def __init__(self) -> None:
        self.memory: Locals | None = None
        """The local variables, where they are followed."""
        self.flow: Flow | None = None
        """The blocks, where they are understood."""
        self._insertions = Insertions(self.insertion)
        self._ways: dict[Any, list[MergeInput] | None] = {}
        self._comparisons: dict[Any, Condition | None] = {}

    # ---- what a front end says ----

    def at(self, value: Any) -> int | None:
        """Return where a value is made (a line); None for one of which nothing is known."""
        raise NotImplementedError

    def definition_of(self, value: Any) -> Definition | None:
        """Return how a value that is no merge follows from others; None: nothing is known of it."""
        raise NotImplementedError

    def incoming(self, value: Any) -> list[MergeInput] | None:
        """Return what comes together in a value; None of one that merges nothing."""
        raise NotImplementedError

    def insertion(self, value: Any) -> Insertion | None:
        """Return the insertion that makes an aggregate."""
        raise NotImplementedError

    def part(self, value: Any, path: Path) -> Definition | None:
        """Return how a part of what is neither inserted nor merged follows from others."""
        raise NotImplementedError

    # ---- what follows ----

    def ways(self, value: Any) -> list[MergeInput] | None:
        """Return what comes together in a value; None of one that merges nothing."""
        if value not in self._ways:
            self._ways[value] = self.incoming(value)
        return self._ways[value]

    def comparison(self, value: Any) -> Condition | None:
        """Return what a value compares."""
        if value not in self._comparisons:
            definition = self.definition_of(value)
            self._comparisons[value] = None if definition is None else definition.comparison
        return self._comparisons[value]

    def define(self, name: Any) -> Definition | None:
        """Return how ``name``, a value or a part of one, follows from others."""
        inner = bare(name)
        if isinstance(inner, Inner):
            return inner.asm.define(name)
        loaded = None if self.memory is None else self.memory.define(name)
        if loaded is not None or isinstance(name, Version):
            return loaded
        at = self.at(
            name.predicate if isinstance(name, Refined) else name.value if isinstance(name, AggregateElement) else name
        )
        if at is None:
            return None
        if isinstance(name, Refined):
            condition = self.comparison(name.predicate)
            return None if condition is None else define_refined(name, condition, at, 0)
        if isinstance(name, AggregateElement):
            return self._part(name)
        ways = self.ways(name)
        if ways is not None:
            reads = dict.fromkeys(refine(way.value, compared(way.predicates, self.comparison)) for way in ways)
            return Definition(at, tuple(reads), merges=True)
        definition = self.definition_of(name) or Definition(at)
        predicates = {} if self.flow is None or not definition.reads else self.flow.holding(name)
        conditions = compared(predicates, self.comparison)
        return (
            definition._replace(reads=tuple([refine(read, conditions) for read in definition.reads]))
            if conditions
            else definition
        )

    def _part(self, name: AggregateElement) -> Definition | None:
        value, path = self._insertions.last(*name), name.path
        at = self.at(value)
        if at is None:
            return None
        inserted, definition = self._insertions[value], None
        if inserted is not None:
            where, put = inserted.where, inserted.value
            if where == path:
                definition = Definition(at, (put,), IN[0])
            elif path[: len(where)] == where and put.__class__ is not tuple:
                definition = Definition(at, (AggregateElement(put, path[len(where) :]),), IN[0])
        elif (ways := self.ways(value)) is None:
            definition = self.part(value, path)
        elif value != name.value:
            # A merge at the head of a loop goes by one name.
            definition = Definition(at, (AggregateElement(value, path),), IN[0])
        else:
            reads = [UNKNOWN if way.value.__class__ is tuple else AggregateElement(way.value, path) for way in ways]
            definition = Definition(at, tuple(dict.fromkeys(reads)), merges=True)
        return definition or Definition(at)

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops in which these stand, and of the loops in and around them."""
        phis = {} if self.flow is None else self.flow.header_phis(merges)
        return {**phis, **inline_asm.header_phis(merges)}


class Flow(Loops):
    """The blocks of a function, and its loops."""

    def __init__(
        self,
        definitions: Definitions,
        following: Sequence[Sequence[int]],
        tests: Mapping[int, tuple[Any, int, int]],
    ) -> None:
        """``tests``: of blocks that end with a choice the predicate, and where control goes if it holds, and if not."""
        self.definitions = definitions
        self.graph = Graph(following, [0])
        self.tests = tests
        above = (self.graph.dominators() if tests else None) or {}
        before = [sorted(set(each)) for each in self.graph.before]
        self._branches = Branches(above, before, self.edge, {})

    # ---- what a front end says ----

    def block_of(self, value: Any) -> int | None:
        """Return the block in which a value (or a call of inline PTX) stands: -1 for none, None: nobody knows."""
        raise NotImplementedError

    def ways(self, value: Any) -> list[MergeInput] | None:
        """Return what comes into a merge from each block; None for any other value."""
        raise NotImplementedError

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Yield what there is behind a loop and not in it, with the merge at its head that becomes it."""
        yield from ()

    # ---- what follows ----

    def edge(self, before: int, to: int) -> dict[Any, bool]:
        """Return the predicate that holds, or does not, where one block leads to another."""
        if before not in self.tests:
            return {}
        predicate, taken, otherwise = self.tests[before]
        return {} if taken == otherwise else {predicate: taken == to}

    def holding(self, value: Any) -> Mapping[Any, bool]:
        """Return the predicates that hold, or do not, where a value is made."""
        block = self.block_of(value)
        return {} if block is None else self._branches.holding(block)

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops in which these stand, and of the loops in and around them."""
        if not self.graph.circles():
            return {}
        phis = super().header_phis([merge for merge in merges if _is_slot(merge)])
        phis.update({name: phis[head]._replace(head=head) for name, head in self.results() if head in phis})
        return {**phis, **element_header_phis(merges, phis, AggregateElement)}

    def incoming(self, merge: Any) -> Iterator[tuple[int, Any]]:
        """Yield what comes together in a merge, with the blocks from which it comes."""
        memory = self.definitions.memory
        if memory is not None and _is_slot(merge):
            for _, ways in memory.merges([merge]):
                yield from ways
            return
        for way in self.definitions.ways(merge) or ():
            if way.block in self.graph.rank:
                yield way.block, way.value

    def test(self, block: int) -> tuple[Condition, int, int] | None:
        """Return the comparison at the end of a block, where control goes then, and where else."""
        if block not in self.tests:
            return None
        predicate, to, otherwise = self.tests[block]
        condition = self.definitions.comparison(predicate)
        return None if condition is None else (condition, to, otherwise)

    def is_defined_in(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is made in one of these blocks, or nobody knows where."""
        name = bare(name)
        if _is_slot(name):
            return name.block in body
        if isinstance(name, Inner):
            name = name.asm.site
        elif isinstance(name, Distance):
            name = name.pointer
        elif isinstance(name, AggregateElement):
            name = name.value
        block = self.block_of(name)
        return block is None or block in body


def _is_slot(name: Any) -> bool:
    """Whether a value is a version of a part of a local variable: a register of inline PTX has blocks of its own."""
    return isinstance(name, Version) and not isinstance(name, Inner)


# ---- local variables ----


class MemoryUse(NamedTuple):
    """What an operation does that may reach local variables."""

    block: int
    at: int
    name: str
    """What it is: ``alloca``, ``getelementptr``, a cast, ``load``, ``store``, ``lifetime``, ``memcpy``, ``memset``; all
    else hands on the addresses that it names."""
    result: Any
    """The value that it makes, if any."""
    named: Sequence[Any]
    """The values that it reads."""
    writes: bool
    """Whether it may write memory through what it does not name."""
    of: Any = None
    """The address that it reads, writes or moves."""
    source: Any = None
    """The address from which it copies."""
    kind: str = ""
    """The type of what it loads or stores, as in LLVM IR."""
    data: Any = UNKNOWN
    """What it stores, of ``memset`` a byte."""
    size: int = 0
    """Bytes that it copies; 0: it is not known."""
    element: tuple[Any, Definition] | None = None
    """Of an element of a ``memref`` a name, and how far it is from the address."""


POINTER_CASTS = ("addrspacecast", "bitcast")
_POINTER = 8
"""Bytes of a pointer; of one that has fewer (into shared memory, perhaps) too much is taken to be stored."""


def local_variables(definitions: Definitions, graph: Graph, uses: Sequence[MemoryUse]) -> Locals | None:
    """Return what a function keeps in its local variables; None where that is nothing, or too much.

    An address is followed from where the variable is made through getelementptr and casts. Where it goes anywhere else
    than to a load, a store or an intrinsic that is known, the variable has escaped: what may write memory through an
    address that is not followed may write it.
    """
    variables = Locals(graph)
    pointers: dict[Any, Pointer] = {}
    for use in uses:
        of = pointers.get(use.of)
        if use.result is None:
            continue
        if use.name == "alloca":
            pointers[use.result] = Pointer(f"{use.result} {use.at}")
        elif of is not None and use.name in POINTER_CASTS:
            pointers[use.result] = of
        elif of is not None and use.name == "getelementptr":
            pointers[use.result] = variables.move(use.result, of, definitions.define(use.result))
    for use in uses:
        if use.result in pointers:
            continue
        named = [name for name in use.named if name in pointers]
        to = pointers.get(use.of)
        if to is not None and use.name in ("load", "store", "lifetime", "memcpy", "memset"):
            if use.element is not None:
                to = variables.move(use.element[0], to, use.element[1])
            if (what := _access(use, to, pointers.get(use.source))) is not None:
                variables.record(use.block, use.at, what)
            for name in (use.of, use.source):
                if name in named:
                    named.remove(name)
        elif use.writes:
            variables.record(use.block, use.at, Forget())
        variables.escaped.update(pointers[name].space for name in named)
    return variables.finish()


def _access(use: MemoryUse, to: Pointer, source: Pointer | None) -> Access | MemoryCopy | Forget | None:
    """Return what a load, a store or an intrinsic does with a variable; None: nothing that is followed."""
    if use.name not in ("load", "store"):
        if use.size and not to.near and source is not None and not source.near:
            return MemoryCopy(to.space, to.offset, use.size, source.space, source.offset)
        if use.size and not to.near and use.data.__class__ is tuple and use.data[1] & _BYTE == _BYTE:
            return MemoryCopy(to.space, to.offset, use.size, None, use.data[0] & _BYTE)
        return Forget(to.space)
    width, loads = width_of(use.kind) or 0, use.name == "load"
    size = width // 8 if width % 8 == 0 else 0
    if not width or (use.kind.startswith("ptr") and not loads):
        size = _POINTER if width else size_of(use.kind) or 0
    if not size or (loads and not width):
        return None if loads else Forget(to.space)
    data = use.result if loads else use.data if width else UNKNOWN
    return Access(loads, to.space, to.offset, size, (data,), width, near=to.near)


_BYTE = 0xFF


# ---- tensor-core instructions ----


class OperationOperands(NamedTuple):
    """The values that a tensor-core operation reads: its descriptors, or None."""

    a: Any
    b: Any
    idesc: Any = None
    mask: Any = None
    memory: Mapping[str, Any] = {}
    """The addresses of tensor memory, by what each is of."""


class IntrinsicMma:
    """A tensor-core instruction that is an operation of its own, not inline PTX."""

    unread = ()
    odd = 0

    def __init__(
        self,
        at: int,
        text: str,
        instruction: Instruction,
        values: OperationOperands,
        value: Callable[[Any], Any] | None = None,
    ) -> None:
        """``given``: operands, or what ``value`` makes a value of the function of, or a constant."""
        self.at = at
        self._instruction = instruction
        self._text = text
        self._memory = values.memory
        self._given = [
            operand if operand is None or value is None else (value(operand), width)
            for operand, width in zip(
                (*values[:4], *values.memory.values()), (*WIDTHS, *[WORD] * len(values.memory)), strict=True
            )
        ]

    @property
    def operands(self) -> list[tuple[Any, int]]:
        """The values that it reads, with their bits."""
        return [operand for operand in self._given if operand.__class__ is tuple]

    def mmas(self, values: Operands) -> Iterator[ScannedMma]:
        """Yield the instruction, when it has been found what is known of :attr:`operands`."""
        named = [TmemAddress(name, "", 0) for name in self._memory]
        yield mma_of(values, self.at, self._text, self._instruction, self._given, named)


def analyse(
    function: Function,
    arch: str | None,
    instructions: Sequence[IntrinsicMma | InlineAsm],
    definitions: Definitions,
    shown: Callable[[int], tuple[int, str] | None],
    source: Callable[[int], tuple[str, int] | None],
) -> Function | None:
    """Return a function with its MMAs; None where it has none.

    ``shown`` returns where a line (or an argument) stands in the function, and its text, ``source`` the place in the
    source that one names.
    """

    def place(at: int) -> tuple[int, str] | None:
        line = shown(at)
        return None if line is None else (function.line + line[0], inline_asm.short(line[1]))

    operands = [operand for of in instructions for operand in of.operands if operand[0].__class__ is not tuple]
    names, define = [value for value, _ in operands], definitions.define
    solved = solve_with_loops(solve(names, define), names, define, definitions.header_phis)
    values = Operands(Provenance(solved), operands, place)
    mmas: list[ScannedMma] = []
    unread = [*function.unread]
    for of in instructions:
        for mma in of.mmas(values):
            mmas.append(mma._replace(line=function.line + of.at, source=source(of.at), arch=arch))
        unread += [(function.line + of.at, text) for text in of.unread]
    odd = function.odd + sum(of.odd for of in instructions)
    scanned = function._replace(mmas=tuple(mmas), odd=odd, unread=tuple(sorted(unread)))
    return scanned if mmas or unread else None
