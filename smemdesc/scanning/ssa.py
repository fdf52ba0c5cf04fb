"""SSA form of a function of blocks, on demand: each register is followed back from where it is read.

A version of a register is what one step writes into it, or (a phi) what comes together where a block begins. Phis are
placed in the iterated dominance frontier of the blocks that write the register, so that each merges different versions
(Cytron et al. 1991); only versions that are asked for are made. Where dominators would take too long, each block to
which several lead has a phi of each register (Braun et al. 2013, without their removal).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.flow import Apart, Block, Register
from smemdesc.scanning.known import UNKNOWN
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.rounds import Heads, Round, of_graph
from smemdesc.scanning.sparse import Definition


class Exit(NamedTuple):
    """A branch at the end of a block: ``said`` holds where it goes to the block ``to``, else it goes to ``other``."""

    said: Condition
    to: int
    other: int


Again = Callable[[Collection[int]], tuple[Iterable[int], Mapping[int, Exit]]]
"""Puts into the blocks the steps that tell of the branches at the end of these blocks, too; returns the numbers that
something is compared with, and the branches."""


class Version:
    """A register as a step of a block leaves it, or (``index`` -1) as it is where the block begins."""

    __slots__ = ("block", "index", "register")

    def __init__(self, block: int, index: int, register: Register) -> None:
        self.block = block
        self.index = index
        self.register = register

    def __repr__(self) -> str:
        return f"{self.register} {self.block}.{self.index}"

    def __str__(self) -> str:
        return str(self.register)


class _Above:
    """Finds the nearest of some nodes of a forest that is above another one, or is that."""

    def __init__(self, nodes: Iterable[int], ends: Sequence[int]) -> None:
        """Nodes are numbered in preorder; ``ends`` says for each how many there are up to the last below it."""
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
        """Return it, -1 if there is none."""
        place = bisect_right(self.nodes, node) - 1
        while place >= 0 and self.ends[self.nodes[place]] <= node:
            place = self.outer[place]
        return self.nodes[place] if place >= 0 else -1


_EFFORT = 16
"""Blocks in dominance frontiers for each block, and way between blocks, there is, at most."""
_PHIS = 8
"""Phis that are followed for each block and step there is, at most: of more in loops in loops nothing is known."""


class Ssa:
    """The versions of the registers of a function."""

    def __init__(self, blocks: Sequence[Block], width: int = 0) -> None:
        """``width``: bits of every register; 0: they differ."""
        self.blocks = blocks
        self.width = width
        self.graph = Graph([each.following for each in blocks], [at for at, each in enumerate(blocks) if each.entry])
        self.before = [list(dict.fromkeys(sorted(each))) for each in self.graph.before]
        self._versions: dict[tuple[int, int, Register], Version] = {}
        self._starts: dict[tuple[int, Register], Version] = {}
        self._writers: dict[Register, dict[int, list[int]]] = {}
        for number, block in enumerate(blocks):
            for index, step in enumerate(block.steps):
                for register in step.writes:
                    self._writers.setdefault(register, {}).setdefault(number, []).append(index)
            for register in block.unwritten:
                self._writers.setdefault(register, {}).setdefault(number, [])
        self._joins = [at for at in self.graph.order if not blocks[at].entry and len(self.before[at]) > 1]
        self._frontier = self._frontiers()
        self._number()
        roots = [at for at in self.graph.order if self._up[at] is None]
        common = {each for root in roots if blocks[root].entry for each in self._frontier.get(root, ())}
        self._common = self._closed(common) if self._exact else frozenset(self._joins)
        self._above_common = _Above([self._pre[each] for each in self._common], self._ends)
        self._left = _PHIS * sum(1 + len(block.steps) for block in blocks)
        self._phis: dict[Register, tuple[frozenset[int], _Above]] = {}

    # ---- places of phis ----

    def _frontiers(self) -> dict[int, list[int]]:
        """Return the dominance frontier of each block, and note what is above each in the tree of dominators."""
        found: dict[int, list[int]] = {}
        above = self.graph.dominators() or {}
        left = _EFFORT * sum(1 + len(self.before[at]) for at in self.graph.order)
        for join in self._joins if above else ():
            for each in self.before[join]:
                here: int | None = each
                while here is not None and here != above[join]:
                    there = found.setdefault(here, [])
                    if not there or there[-1] != join:
                        there.append(join)
                    here = above[here]
                    left -= 1
            if left < 0:
                above = {}
                break
        self._exact = bool(above)
        if not above:
            # A tree in which each join is a root.
            joins = set(self._joins)
            above = {
                at: None if at in joins or self.blocks[at].entry else self.before[at][0] for at in self.graph.order
            }
            found = {}
        self._up = above
        return found

    def _number(self) -> None:
        """Number the blocks in preorder of the tree, with the number behind the last that is below each."""
        below: dict[int | None, list[int]] = {}
        for at in self.graph.order:
            below.setdefault(self._up[at], []).append(at)
        self._pre: dict[int, int] = {}
        self._at: list[int] = []
        self._root: list[int] = []
        waiting = below.get(None, [])[::-1]
        while waiting:
            at = waiting.pop()
            above = self._up[at]
            self._pre[at] = len(self._at)
            self._root.append(at if above is None else self._root[self._pre[above]])
            self._at.append(at)
            waiting += reversed(below.get(at, []))
        self._ends = list(range(1, len(self._at) + 1))
        for number in range(len(self._at) - 1, -1, -1):
            above = self._up[self._at[number]]
            if above is not None:
                outer = self._pre[above]
                self._ends[outer] = max(self._ends[outer], self._ends[number])

    def _closed(self, blocks: Iterable[int]) -> frozenset[int]:
        """Return blocks with the dominance frontiers of all of them."""
        found = set(blocks)
        waiting = list(found)
        while waiting:
            for each in self._frontier.get(waiting.pop(), ()):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return frozenset(found)

    def _places(self, register: Register) -> tuple[frozenset[int], _Above]:
        """Return the blocks with a phi of a register, and all that it is written in, too."""
        made = self._phis.get(register)
        if made is None:
            writers = [each for each in self._writers.get(register, ()) if each in self._pre]
            phis = self._closed({each for writer in writers for each in self._frontier.get(writer, ())})
            every = _Above({self._pre[each] for each in (*writers, *phis)}, self._ends)
            made = self._phis[register] = phis, every
        return made

    # ---- versions ----

    def read(self, number: int, register: Register, limit: int | None = None) -> Any:
        """Return what a register is before the step ``limit`` of a block (None: at its end); a constant is itself."""
        if register.__class__ is tuple:
            return register
        found = self._before(number, register, limit)
        return UNKNOWN if found is None else found

    def _before(self, number: int, register: Register, limit: int | None) -> Version | None:
        """Return what a register is; None if it is never written."""
        if limit is None and register in self.blocks[number].unwritten:
            return None
        writes = self._writers.get(register, {}).get(number)
        if writes:
            place = len(writes) if limit is None else bisect_right(writes, limit - 1)
            if place:
                return self._version(number, writes[place - 1], register)
        return self._start(number, register)

    def _version(self, number: int, index: int, register: Register) -> Version:
        key = (number, index, register)
        made = self._versions.get(key)
        if made is None:
            made = self._versions[key] = Version(*key)
        return made

    def _start(self, number: int, register: Register) -> Version | None:
        """Return what a register is at the start of a block."""
        if number not in self._pre:
            return self._version(number, -1, register)
        phis, above = self._places(register)
        up = self._up[number]
        if number in phis or number in self._common:
            return self._version(number, -1, register)
        if up is None:
            return self._version(number, -1, register)
        place = self._pre[up]
        found = max(above(place), self._above_common(place))
        return (
            self._version(self._root[place], -1, register)
            if found < 0
            else self._before(self._at[found], register, None)
        )

    def comes(self, version: Version) -> Iterator[tuple[int, Version]]:
        """Yield what a phi merges, with the blocks from which it comes."""
        for each in self.before[version.block]:
            found = self._before(each, version.register, None)
            if found is not None:
                yield each, found

    def define(self, version: Any) -> Definition | None:
        """Return how a version follows from others; None if that is unknown."""
        block = self.blocks[version.block]
        if version.index < 0:
            if version.block not in self._pre or block.entry:
                return None if block.because is None or not block.entry else Definition(block.because)
            self._left -= 1
            if self._left < 0:
                return Definition(block.at)
            reads = tuple(dict.fromkeys(each for _, each in self.comes(version)))
            return Definition(block.at, reads, merges=True, width=self.width)
        step = block.steps[version.index]
        out, outs = len(step.writes) - 1 - step.writes[::-1].index(version.register), len(step.writes)
        wanted, transfer = step.reads, step.transfer
        if isinstance(transfer, Apart):
            places, transfer = transfer.parts[out]
            wanted, out, outs = tuple([wanted[place] for place in places]), 0, 1
        if transfer is None:
            return Definition(step.at)
        reads_ = [self.read(version.block, each, version.index) for each in wanted]
        if step.guarded:
            reads_.append(self.read(version.block, version.register, version.index))
        return Definition(
            step.at, tuple(reads_), transfer, deciding=step.deciding, width=self.width,
            old=step.old, guarded=step.guarded, out=out, outs=outs,
        )  # fmt: skip

    # ---- loops ----

    def exits(self) -> set[int]:
        """Return the blocks that every round of a loop runs and from which control may leave it."""
        return {
            number
            for loop in self.graph.loops()
            for number in loop.always
            if len(self.blocks[number].following) == 2
            and sum(each in loop.body for each in self.blocks[number].following) == 1
        }

    def rounds(self, exits: Mapping[int, Exit], merges: Sequence[Any]) -> dict[Any, Round]:
        """Return the phis at the heads of loops among ``merges``, with what the branches ``exits`` say of the loops."""
        phis: dict[int, list[Version]] = {}
        for each in merges:
            phis.setdefault(each.block, []).append(each)

        def test(number: int) -> tuple[Condition, int, int] | None:
            found = exits.get(number)
            if found is None:
                return None
            said = found.said
            high = None if said.high is None else (self.read(number, said.high[0]), self.read(number, said.high[1]))
            return said._replace(x=self.read(number, said.x), y=self.read(number, said.y), high=high), *found[1:]

        def stands(body: frozenset[int], name: Any) -> bool:
            return name.block in body

        def at(number: int) -> Iterator[tuple[Version, list[tuple[int, Version]]]]:
            for each in phis.get(number, ()):
                yield each, list(self.comes(each))

        return of_graph(self.graph, Heads(test, stands, at))
