"""What LLVM IR and MLIR have in common: values in SSA form, parts of aggregates, blocks, local variables.

A front end reads its text: it returns how a value follows from others, what it merges, or what is inserted into it,
what an operation does with addresses, and which blocks of a function follow which. Here that becomes what is known
where a value is read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from smemdesc.engine.known import UNKNOWN
from smemdesc.scanning.analysis.conditions import Condition, Refined, holding, known_comparisons, refine, unrefined
from smemdesc.scanning.analysis.fixpoint import Definition, define_refined, solve
from smemdesc.scanning.analysis.induction import HeaderPhi, Loops, element_header_phis, solve_with_loops
from smemdesc.scanning.analysis.ir import IN
from smemdesc.scanning.analysis.loops import Graph
from smemdesc.scanning.analysis.memory import Access, Distance, Forget, Locals, MemoryCopy, Pointer
from smemdesc.scanning.analysis.operands import OperandPart, Operands
from smemdesc.scanning.analysis.provenance import Provenance
from smemdesc.scanning.analysis.ssa import Version
from smemdesc.scanning.languages import inline_asm
from smemdesc.scanning.languages.inline_asm import InlineAsm, Inner
from smemdesc.scanning.languages.lowering import size_of, width_of
from smemdesc.scanning.languages.mma import IntrinsicMma
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Function, MapChange, ScannedMma

Path = tuple[int, ...]
DEEPEST = 16
"""The most indices of a path that are followed."""


# ---- aggregates ---- Compilers build an aggregate of hundreds of parts by a chain of as many insertions. Where each
# chain writes is noted once, so that a part is found without walking along it.


class Insertion(NamedTuple):
    """An insertion: the aggregate that it changes, and the part."""

    into: Hashable
    """None: a constant."""
    where: Path
    value: Any = None
    """The value inserted."""


class _Chain:
    """Insertions, each into the result of the previous one."""

    def __init__(self, root: Hashable) -> None:
        self.root = root
        self.insertions: list[Any] = []
        self.at: dict[Path, list[int]] = {}
        """The indices of those that write the part that a path leads to."""
        self.within: dict[Path, list[int]] = {}
        """The indices of those that write only something inside it."""

    def add(self, value: Any, where: Path) -> None:
        self.insertions.append(value)
        self.at.setdefault(where, []).append(len(self.insertions) - 1)
        for length in range(len(where)):
            self.within.setdefault(where[:length], []).append(len(self.insertions) - 1)


class Insertions(dict[Any, "Insertion | None"]):
    """The insertions of a function, by their results; None for a value that is not the result of one.

    ``read`` returns one. Those with more than :data:`DEEPEST` indices are ignored.
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
        """Return the result of the last insertion that concerns the part ``path`` of a value, or the value before all
        of them.

        The first one concerns all parts if it inserts into a constant.
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
        """Return the chain of an insertion, and its index there."""
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
    """The part of an aggregate that its indices lead to: a name, like a value's."""

    value: Any
    path: Path

    def __str__(self) -> str:
        return f"{self.value}[{', '.join(map(str, self.path))}]"


class MergeInput(NamedTuple):
    """What comes into a merge from a block, and which predicates are true or false on this edge."""

    block: int
    value: Any
    predicates: Mapping[Any, bool]


class Definitions:
    """How the values of a function follow from each other."""

    def __init__(self) -> None:
        self.memory: Locals | None = None
        """The local variables, if they are followed."""
        self.flow: Flow | None = None
        """The blocks, if they are understood."""
        self.renamed = False
        """Whether a name is defined twice: then it is not one value."""
        self._insertions = Insertions(self.insertion)
        self._ways: dict[Any, list[MergeInput] | None] = {}
        self._comparisons: dict[Any, Condition | None] = {}

    # ---- what a front end implements ----

    def at(self, value: Any) -> int | None:
        """Return the line that defines a value; None if unknown."""
        raise NotImplementedError

    def definition_of(self, value: Any) -> Definition | None:
        """Return how a value that is not a merge follows from others; None if unknown."""
        raise NotImplementedError

    def incoming(self, value: Any) -> list[MergeInput] | None:
        """Return what a value merges; None if it is not a merge."""
        raise NotImplementedError

    def insertion(self, value: Any) -> Insertion | None:
        """Return the insertion whose result is an aggregate."""
        raise NotImplementedError

    def part(self, value: Any, path: Path) -> Definition | None:
        """Return how a part of a value that is neither an insertion nor a merge follows from others."""
        raise NotImplementedError

    def cause(self, at: int) -> str | None:
        """Return which source outside the text a line, or an argument, takes its result from; None if it could be
        known."""
        raise NotImplementedError

    def symbol(self, at: int) -> tuple[str, int] | None:
        """Return the variable whose address a line reads as a constant, and the number added to it; None if it reads
        none, or several."""
        return None

    # ---- what follows ----

    def ways(self, value: Any) -> list[MergeInput] | None:
        """Return what a value merges; None if it is not a merge."""
        if value not in self._ways:
            self._ways[value] = self.incoming(value)
        return self._ways[value]

    def comparison(self, value: Any) -> Condition | None:
        """Return the comparison whose result is a value; None if it is not one."""
        if value not in self._comparisons:
            definition = self.definition_of(value)
            self._comparisons[value] = None if definition is None else definition.comparison
        return self._comparisons[value]

    def define(self, name: Any) -> Definition | None:
        """Return how ``name``, a value or a part of one, follows from others."""
        inner = unrefined(name)
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
            reads = dict.fromkeys(refine(way.value, known_comparisons(way.predicates, self.comparison)) for way in ways)
            return Definition(at, tuple(reads), merges=True)
        definition = self.definition_of(name) or Definition(at)
        predicates = {} if self.flow is None or not definition.reads else self.flow.holding(name)
        conditions = known_comparisons(predicates, self.comparison)
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
            # A merge at the head of a loop has one name.
            definition = Definition(at, (AggregateElement(value, path),), IN[0])
        else:
            reads = [UNKNOWN if way.value.__class__ is tuple else AggregateElement(way.value, path) for way in ways]
            definition = Definition(at, tuple(dict.fromkeys(reads)), merges=True)
        return definition or Definition(at)

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of the loops that contain these, and of the loops in and around them."""
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
        """``tests``: for each block that ends with a conditional branch its predicate, the block if true, and if
        false."""
        self.definitions = definitions
        self.graph = Graph(following, [0])
        self.tests = tests
        self._above = (self.graph.dominators() if tests else None) or {}
        self._holding: dict[int, Mapping[Any, bool]] = {}

    # ---- what a front end implements ----

    def block_of(self, value: Any) -> int | None:
        """Return the block that defines a value (or has a call of inline PTX): -1 for none, None if unknown."""
        raise NotImplementedError

    def ways(self, value: Any) -> list[MergeInput] | None:
        """Return what comes into a merge from each block; None for any other value."""
        raise NotImplementedError

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Yield the values that exist only after a loop, each with the merge at its head that it comes from."""
        yield from ()

    # ---- what follows ----

    def edge(self, before: int, to: int) -> dict[Any, bool]:
        """Return the predicate that is true or false on the edge between two blocks."""
        if before not in self.tests:
            return {}
        predicate, taken, otherwise = self.tests[before]
        return {} if taken == otherwise else {predicate: taken == to}

    def holding(self, value: Any) -> Mapping[Any, bool]:
        """Return the predicates that are true or false where a value is defined."""
        block = self.block_of(value)
        if block is None:
            return {}
        if block not in self._holding:
            self._holding[block] = holding(block, self._above, self.graph.before, self.edge)
        return self._holding[block]

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of the loops that contain these, and of the loops in and around them."""
        if not self.graph.circles():
            return {}
        phis = super().header_phis([merge for merge in merges if _is_slot(merge)])
        phis.update({name: phis[head]._replace(head=head) for name, head in self.results() if head in phis})
        return {**phis, **element_header_phis(merges, phis, AggregateElement)}

    def incoming(self, merge: Any) -> Iterator[tuple[int, Any]]:
        """Yield the incoming values of a merge, each with the block from which it comes."""
        memory = self.definitions.memory
        if memory is not None and _is_slot(merge):
            yield from memory.incoming(merge)
            return
        for way in self.definitions.ways(merge) or ():
            if way.block in self.graph.rank:
                yield way.block, way.value

    def test(self, block: int) -> tuple[Condition, int, int] | None:
        """Return the comparison at the end of a block, the block if it is true, and if it is false."""
        if block not in self.tests:
            return None
        predicate, to, otherwise = self.tests[block]
        condition = self.definitions.comparison(predicate)
        return None if condition is None else (condition, to, otherwise)

    def is_defined_in(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is defined in one of these blocks, or at an unknown place."""
        name = unrefined(name)
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
    """Whether a value is a version of a part of a local variable; a register of inline PTX has blocks of its own."""
    return isinstance(name, Version) and not isinstance(name, Inner)


# ---- local variables ----


class MemoryUse(NamedTuple):
    """What an operation that may access local variables does."""

    block: int
    at: int
    name: str
    """``alloca``, ``getelementptr``, a cast, ``load``, ``store``, ``lifetime``, ``memcpy`` or ``memset``; any other
    lets the addresses that it names escape."""
    result: Any
    """Its result, if any."""
    named: Sequence[Any]
    """The values that it reads."""
    writes: bool
    """Whether it may write memory through addresses that it does not name."""
    of: Any = None
    """The address that it reads, writes or moves."""
    source: Any = None
    """The address that it copies from."""
    kind: str = ""
    """The type that it loads or stores, as in LLVM IR."""
    data: Any = UNKNOWN
    """The value that it stores; for ``memset`` a byte."""
    size: int = 0
    """Bytes that it copies; 0 if unknown."""
    element: tuple[Any, Definition] | None = None
    """For an element of a ``memref``: a name, and its distance from the address."""


POINTER_CASTS = ("addrspacecast", "bitcast")
_POINTER = 8
"""Bytes of a pointer; for a smaller one (into shared memory, perhaps) too many bytes are taken to be stored."""


def local_variables(definitions: Definitions, graph: Graph, uses: Sequence[MemoryUse]) -> Locals | None:
    """Return what a function keeps in its local variables; None if that is nothing, or too much.

    An address is followed from the alloca through getelementptr and casts. If it goes anywhere but to a load, a store
    or a known intrinsic, the variable has escaped: whatever may write memory through an untracked address may write it.
    """
    variables = Locals(graph)
    pointers: dict[Any, Pointer] = {}
    for use in uses:
        pointer = pointers.get(use.of)
        if use.result is None:
            continue
        if use.name == "alloca":
            pointers[use.result] = Pointer(f"{use.result} {use.at}")
        elif pointer is not None and use.name in POINTER_CASTS:
            pointers[use.result] = pointer
        elif pointer is not None and use.name == "getelementptr":
            pointers[use.result] = variables.move(use.result, pointer, definitions.define(use.result))
    for use in uses:
        if use.result in pointers:
            continue
        named = [name for name in use.named if name in pointers]
        to = pointers.get(use.of)
        if to is not None and use.name in ("load", "store", "lifetime", "memcpy", "memset"):
            if use.element is not None:
                to = variables.move(use.element[0], to, use.element[1])
            if (access := _access(use, to, pointers.get(use.source))) is not None:
                variables.record(use.block, use.at, access)
            for name in (use.of, use.source):
                if name in named:
                    named.remove(name)
        elif use.writes:
            variables.record(use.block, use.at, Forget())
        variables.escaped.update(pointers[name].space for name in named)
    return variables.finish()


def _access(use: MemoryUse, to: Pointer, source: Pointer | None) -> Access | MemoryCopy | Forget | None:
    """Return what a load, a store or an intrinsic does with a variable; None if nothing that is followed."""
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


class SharedMemoryOfIr(Protocol):
    """What a function does to shared memory."""

    @property
    def values(self) -> Sequence[Any]:
        """The values that are to be followed."""
        ...

    def judged(
        self,
        scanned: Function,
        operands: Operands,
        instructions: Sequence[IntrinsicMma | InlineAsm],
        changes: Sequence[MapChange],
    ) -> Function:
        """Return the function with what its copies, barriers and MMAs say of each other."""
        ...


def analyse_function(
    function: Function,
    arch: str | None,
    instructions: Sequence[IntrinsicMma | InlineAsm],
    definitions: Definitions,
    shown: Callable[[int], tuple[int, str] | None],
    source: Callable[[int], tuple[str, int] | None],
    maps: Sequence[tuple[int, MapOperand]] = (),
    memory: SharedMemoryOfIr | None = None,
) -> Function | None:
    """Return a function with its MMAs and the changes of tensor maps (``maps``, each with its line, and those of inline
    PTX); None if it has none.

    ``shown`` returns the position of a line (or an argument) in the function, and its text; ``source`` the file and
    line of the source that it names. ``memory``: what the function does to shared memory, if that is followed.
    """

    def place(at: int) -> tuple[int, str] | None:
        line = shown(at)
        return None if line is None else (function.line + line[0], inline_asm.shortened(line[1]))

    operands = [
        operand for instruction in instructions for operand in instruction.operands if operand[0].__class__ is not tuple
    ]
    maps = [*maps, *((instruction.at, change) for instruction in instructions for change in instruction.maps)]
    names, define = [value for value, _ in operands], definitions.define
    names += [change.value for _, change in maps if change.value.__class__ is not tuple]
    names += [] if memory is None else memory.values
    solved = solve_with_loops(solve(names, define), names, define, definitions.header_phis)
    symbol = None if definitions.flow is None or definitions.renamed else definitions.symbol
    values = Operands(Provenance(solved), operands, place, definitions.cause, symbol, arch)
    mmas: list[ScannedMma] = []
    unread = [*function.unread]
    for instruction in instructions:
        for mma in instruction.mmas(values):
            mmas.append(mma._replace(line=function.line + instruction.at, source=source(instruction.at), arch=arch))
        unread += [(function.line + instruction.at, text) for text in instruction.unread]
    odd = function.odd + sum(instruction.odd for instruction in instructions)
    changes = tuple(
        change.known(function.line + at, values.operand([OperandPart(change.value, change.width)], change.width))
        for at, change in maps
    )
    scanned = function._replace(mmas=tuple(mmas), odd=odd, unread=tuple(sorted(unread)), maps=changes)
    if memory is not None and mmas and symbol is not None:
        scanned = memory.judged(scanned, values, instructions, changes)
    return scanned if mmas or unread or changes else None
