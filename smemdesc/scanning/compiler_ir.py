"""What LLVM IR and MLIR have in common: values that are made once, parts of aggregates, blocks, and operations on them.

A front end reads its text: it says of a value how it follows from others, what comes together in it, or what is
inserted into it, and of a function which blocks follow which. Here that becomes what is known where a value is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD
from smemdesc.scanning import inline_asm
from smemdesc.scanning.aggregates import Insertion, Insertions, Path
from smemdesc.scanning.conditions import Branches, Condition, Refined, bare, refine
from smemdesc.scanning.fixpoint import Definition, define_refined
from smemdesc.scanning.induction import HeaderPhi, Headers, element_header_phis, find_header_phis, solve_with_loops
from smemdesc.scanning.inline_asm import InlineAsm, Inner
from smemdesc.scanning.ir import IN
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.memory import Distance, Locals
from smemdesc.scanning.model import Function, Instruction, Mma
from smemdesc.scanning.operands import Operands, mma_of
from smemdesc.scanning.provenance import Provenance
from smemdesc.scanning.ssa import Version

_LONGEST_TEXT = 300
_WIDTHS = (64, 64, 32, 64)


class Element(NamedTuple):
    """The part of an aggregate that its indices lead to: a name like that of a value."""

    value: Any
    path: Path

    def __str__(self) -> str:
        return f"{self.value}[{', '.join(map(str, self.path))}]"


class Way(NamedTuple):
    """What comes into a merge from a block, and the predicates that hold, or do not, on this way."""

    block: int
    value: Any
    held: Mapping[Any, bool]


class Definitions:
    """How the values of a function follow from each other."""

    def __init__(self) -> None:
        self.memory: Locals | None = None
        """The local variables, where they are followed."""
        self.flow: Flow | None = None
        """The blocks, where they are understood."""
        self._insertions = Insertions(self.insertion)
        self._ways: dict[Any, list[Way] | None] = {}
        self._comparisons: dict[Any, Condition | None] = {}

    # ---- what a front end says ----

    def at(self, value: Any) -> int | None:
        """Return where a value is made (a line); None for one of which nothing is known."""
        raise NotImplementedError

    def made(self, value: Any) -> Definition | None:
        """Return how a value that is no merge follows from others; None: nothing is known of it."""
        raise NotImplementedError

    def incoming(self, value: Any) -> list[Way] | None:
        """Return what comes together in a value; None of one that merges nothing."""
        raise NotImplementedError

    def insertion(self, value: Any) -> Insertion | None:
        """Return the insertion that makes an aggregate."""
        raise NotImplementedError

    def part(self, value: Any, path: Path) -> Definition | None:
        """Return how a part of what is neither inserted nor merged follows from others."""
        raise NotImplementedError

    # ---- what follows ----

    def ways(self, value: Any) -> list[Way] | None:
        """Return what comes together in a value; None of one that merges nothing."""
        if value not in self._ways:
            self._ways[value] = self.incoming(value)
        return self._ways[value]

    def comparison(self, value: Any) -> Condition | None:
        """Return what a value compares."""
        if value not in self._comparisons:
            made = self.made(value)
            self._comparisons[value] = None if made is None else made.says
        return self._comparisons[value]

    def define(self, name: Any) -> Definition | None:
        """Return how ``name``, a value or a part of one, follows from others."""
        inner = bare(name)
        if isinstance(inner, Inner):
            return inner.asm.define(name)
        loaded = None if self.memory is None else self.memory.define(name)
        if loaded is not None or isinstance(name, Version):
            return loaded
        at = self.at(name.predicate if isinstance(name, Refined) else name.value if isinstance(name, Element) else name)
        if at is None:
            return None
        if isinstance(name, Refined):
            said = self.comparison(name.predicate)
            return None if said is None else define_refined(name, said, at, 0)
        if isinstance(name, Element):
            return self._part(name)
        ways = self.ways(name)
        if ways is not None:
            reads = dict.fromkeys(refine(each.value, each.held, self.comparison) for each in ways)
            return Definition(at, tuple(reads), merges=True)
        made = self.made(name) or Definition(at)
        held = {} if self.flow is None or not made.reads else self.flow.holding(name)
        told = tuple([refine(each, held, self.comparison) for each in made.reads]) if held else made.reads
        return made._replace(reads=told)

    def _part(self, name: Element) -> Definition | None:
        value, path = self._insertions.last(*name), name.path
        at = self.at(value)
        if at is None:
            return None
        inserted, made = self._insertions[value], None
        if inserted is not None:
            where, put = inserted.where, inserted.value
            if where == path:
                made = Definition(at, (put,), IN[0])
            elif path[: len(where)] == where and put.__class__ is not tuple:
                made = Definition(at, (Element(put, path[len(where) :]),), IN[0])
        elif (ways := self.ways(value)) is None:
            made = self.part(value, path)
        elif value != name.value:
            # A merge at the head of a loop goes by one name.
            made = Definition(at, (Element(value, path),), IN[0])
        else:
            reads = [UNKNOWN if each.value.__class__ is tuple else Element(each.value, path) for each in ways]
            made = Definition(at, tuple(dict.fromkeys(reads)), merges=True)
        return made or Definition(at)

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops in which these stand, and of the loops in and around them."""
        found = {} if self.flow is None else self.flow.header_phis(merges)
        return {**found, **inline_asm.header_phis(merges)}


class Flow:
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

    def merging(self, block: int) -> Sequence[Any]:
        """Return the values that merge others where a block begins."""
        raise NotImplementedError

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Yield what there is behind a loop and not in it, with the merge at its head that becomes it."""
        yield from ()

    def counted(self, header: int) -> tuple[Any, int, Any, int] | None:
        """Return what a loop itself says of its rounds (:class:`smemdesc.scanning.induction.Loop`)."""
        return None

    # ---- what follows ----

    def edge(self, before: int, to: int) -> dict[Any, bool]:
        """Return the predicate that holds, or does not, where one block leads to another."""
        if before not in self.tests:
            return {}
        predicate, taken, other = self.tests[before]
        return {} if taken == other else {predicate: taken == to}

    def holding(self, value: Any) -> Mapping[Any, bool]:
        """Return the predicates that hold, or do not, where a value is made."""
        block = self.block_of(value)
        return {} if block is None else self._branches.holding(block)

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops in which these stand, and of the loops in and around them."""
        if not self.graph.circles():
            return {}
        memory = self.definitions.memory
        slots: dict[int, list[tuple[Any, list[tuple[int, Any]]]]] = {}
        for slot, ways in memory.merges(merges) if memory is not None else ():
            slots.setdefault(slot.block, []).append((slot, ways))

        def at(block: int) -> Iterator[tuple[Any, list[tuple[int, Any]]]]:
            for value in self.merging(block):
                ways = self.definitions.ways(value)
                if ways is not None:
                    yield value, [(way.block, way.value) for way in ways if way.block in self.graph.rank]
            yield from slots.get(block, ())

        found = find_header_phis(self.graph, Headers(self._test, self._stands, at, self.counted))
        found.update({name: found[head]._replace(head=head) for name, head in self.results() if head in found})
        return {**found, **element_header_phis(merges, found, Element)}

    def _test(self, block: int) -> tuple[Condition, int, int] | None:
        if block not in self.tests:
            return None
        predicate, to, other = self.tests[block]
        said = self.definitions.comparison(predicate)
        return None if said is None else (said, to, other)

    def _stands(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is made in one of these blocks, or nobody knows where."""
        name = bare(name)
        if isinstance(name, Version) and not isinstance(name, Inner):
            return name.block in body
        if isinstance(name, Inner):
            name = name.asm.site
        elif isinstance(name, Distance):
            name = name.pointer
        elif isinstance(name, Element):
            name = name.value
        block = self.block_of(name)
        return block is None or block in body


# ---- tensor-core instructions ----


class Reads(NamedTuple):
    """The values that a tensor-core operation reads: its descriptors, or None."""

    a: Any
    b: Any
    idesc: Any = None
    mask: Any = None
    memory: Mapping[str, Any] = {}
    """The addresses of tensor memory, by what each is of."""


class Called:
    """A tensor-core instruction that is an operation of its own, not inline PTX."""

    unread = ()
    odd = 0

    def __init__(
        self, at: int, text: str, instruction: Instruction, given: Reads, value: Callable[[Any], Any] | None = None
    ) -> None:
        """``given``: operands, or what ``value`` makes a value of the function of, or a constant."""
        self.at = at
        self._instruction = instruction
        self._text = text
        self._memory = given.memory
        self._given = [
            each if each is None or value is None else (value(each), width)
            for each, width in zip(
                (*given[:4], *given.memory.values()), (*_WIDTHS, *[WORD] * len(given.memory)), strict=True
            )
        ]

    @property
    def operands(self) -> list[tuple[Any, int]]:
        """The values that it reads, with their bits."""
        return [each for each in self._given if each.__class__ is tuple]

    def mmas(self, values: Operands) -> Iterator[Mma]:
        """Yield the instruction, when it has been found what is known of :attr:`operands`."""
        named = ((name, "", 0) for name in self._memory)
        yield mma_of(values, self.at, self._text, self._instruction, self._given, named)


def analyse(
    function: Function,
    arch: str | None,
    found: Sequence[Called | InlineAsm],
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
        return None if line is None else (function.line + line[0], short(line[1]))

    wanted = [each for of in found for each in of.operands if each[0].__class__ is not tuple]
    solved = solve_with_loops([value for value, _ in wanted], definitions.define, definitions.header_phis)
    values = Operands(Provenance(solved), wanted, place)
    mmas: list[Mma] = []
    unread = [*function.unread]
    for of in found:
        for mma in of.mmas(values):
            mmas.append(mma._replace(line=function.line + of.at, source=source(of.at), arch=arch))
        unread += [(function.line + of.at, text) for text in of.unread]
    odd = function.odd + sum(of.odd for of in found)
    made = function._replace(mmas=tuple(mmas), odd=odd, unread=tuple(sorted(unread)))
    return made if mmas or unread else None


def short(text: str) -> str:
    """Return a text as it is shown: cut off where it is long."""
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 3] + "..."
