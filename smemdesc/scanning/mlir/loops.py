"""The loops of a function of MLIR whose rounds are counted: ``scf.for``, and those of branches between blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from smemdesc.scanning import inline_asm
from smemdesc.scanning.conditions import Condition, bare
from smemdesc.scanning.induction import HeaderPhi, Headers, Loop, element_header_phis, find_header_phis
from smemdesc.scanning.inline_asm import Inner
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.memory import Distance
from smemdesc.scanning.mlir.lower import Definitions, Element, names
from smemdesc.scanning.mlir.memory import Memory
from smemdesc.scanning.mlir.text import CONDITIONAL, Operation, Region, Source, Value, targets
from smemdesc.scanning.ssa import Version

Slot = tuple[Version, list[tuple[int, Version]]]
"""A slot of memory that merges others, and what comes from which block."""


def header_phis(
    source: Source, definitions: Definitions, memory: Memory | None, merges: Sequence[Any]
) -> dict[Any, HeaderPhi]:
    """Return what loops carry, as it is in their rounds and behind them."""
    found: dict[Any, HeaderPhi] = {}
    slots: dict[int, list[Slot]] = {}
    for slot, ways in memory.merges(merges) if memory is not None else ():
        slots.setdefault(slot.block, []).append((slot, ways))
    inside: dict[int, list[Operation]] = {}
    for each in source.operations:
        if each.region.starts:
            inside.setdefault(id(each.region), []).append(each)
        if each.name == "scf.for" and len(each.inner) == 1:
            found.update(_counted(each, definitions, memory, slots))
    for operations in inside.values() if source.whole else ():
        found.update(_Blocks(operations, definitions, memory, slots).header_phis())
    return {**found, **element_header_phis(merges, found, Element), **inline_asm.header_phis(merges)}


def _counted(
    each: Operation, definitions: Definitions, memory: Memory | None, slots: Mapping[int, list[Slot]]
) -> Iterator[tuple[Any, HeaderPhi]]:
    made = definitions.counted(each)
    if made is None:
        return
    body = each.inner[0]
    loop = Loop(id(each), partial(_stands, memory, body), counted=made)
    before, first = (-1, -1) if memory is None else memory.loops[id(body)]
    for slot, ways in slots.get(first, ()):
        outside = tuple([version for block, version in ways if block == before])
        inside = tuple([version for block, version in ways if block != before])
        if outside and inside:
            yield slot, HeaderPhi(loop, outside, inside)
    for index, name in enumerate(definitions.carried(each)):
        value = body.values.get(name)
        way = definitions.turn(each, index)
        if value is None or way is None:
            continue
        yield value, HeaderPhi(loop, way[:1], way[1:])
        result = each.region.values.get(each.results[index]) if index < len(each.results) else None
        if result is not None and result.operation is each:
            yield result, HeaderPhi(loop, way[:1], way[1:], value)


def _stands(memory: Memory | None, body: Region, name: Any) -> bool:
    name = bare(name)
    if isinstance(name, Version) and not isinstance(name, Inner):
        return memory is not None and memory.within(name, body)
    value = _made_by(name)
    region: Region | None = value.region if isinstance(value, (Value, Operation)) else None
    while region is not None and region is not body:
        region = region.outer
    return region is body


def _made_by(name: Any) -> Any:
    """Return the value of which one is a part, the pointer of a distance, or the operation with inline PTX."""
    if isinstance(name, Inner):
        return name.asm.site
    return name.value if isinstance(name, Element) else name.pointer if isinstance(name, Distance) else name


class _Blocks:
    """The blocks of a region, and its loops."""

    def __init__(
        self,
        operations: Sequence[Operation],
        definitions: Definitions,
        memory: Memory | None,
        slots: Mapping[int, list[Slot]],
    ) -> None:
        self.memory = memory
        self.slots = slots
        self.region = operations[0].region
        self.definitions = definitions
        starts = self.region.starts
        before = [(operations[0].at, "")] if operations[0].at < starts[0][0] else []
        self.starts = [at for at, _ in (*before, *starts)]
        self.names = [name for _, name in (*before, *starts)]
        self.number = {name: place for place, name in enumerate(self.names)}
        self.edges: list[list[tuple[int, list[str]]]] = [[] for _ in self.names]
        """Of each block which may follow, and what it is passed."""
        self.tests: dict[int, tuple[str, int, int]] = {}
        self.understood = len(self.number) == len(self.names) and self._read(operations)

    def _read(self, operations: Sequence[Operation]) -> bool:
        ended = set()
        for each in operations:
            block = self._block(each.at)
            if block in ended:
                return False  # nothing stands behind what ends a block
            aims = (
                [(self.number.get(name, -1), passed) for name, passed in targets(each.text)] if "^" in each.text else []
            )
            if not aims:
                continue
            ended.add(block)
            if any(aim < 0 for aim, _ in aims):
                return False
            self.edges[block] += aims
            condition = names(each.text)[:1]
            if each.name in CONDITIONAL and len(aims) == 2 and condition:
                self.tests[block] = condition[0], aims[0][0], aims[1][0]
        return True

    def header_phis(self) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops."""
        if not self.understood:
            return {}
        graph = Graph([list(dict.fromkeys(aim for aim, _ in edges)) for edges in self.edges], [0])
        if not graph.circles():
            return {}
        self.into: list[list[tuple[int, list[str]]]] = [[] for _ in self.names]
        for block in graph.order:
            for aim, passed in self.edges[block]:
                self.into[aim].append((block, passed))
        return find_header_phis(graph, Headers(self._test, self._stands, self._merges), id(self.region))

    def _merges(self, block: int) -> Iterator[tuple[Any, list[tuple[int, Any]]]]:
        memory = self.memory
        if memory is not None:
            for slot, ways in self.slots.get(memory.labels.get((id(self.region), self.names[block]), -1), ()):
                yield slot, [(self.number[memory.regions[before][1]], version) for before, version in ways]
        arguments = self.region.blocks.get(self.names[block], [])
        for index, name in enumerate(arguments):
            value = self.region.values.get(name)
            if value is None or value.block != self.names[block]:
                continue
            if all(len(passed) == len(arguments) for _, passed in self.into[block]):
                yield (
                    value,
                    [
                        (number, self.definitions.operand(self.region, passed[index]))
                        for number, passed in self.into[block]
                    ],
                )

    def _test(self, block: int) -> tuple[Condition, int, int] | None:
        if block not in self.tests:
            return None
        name, to, other = self.tests[block]
        value = self.region.find(name)
        said = None if value is None else self.definitions.comparison(value)
        return None if said is None else (said, to, other)

    def _block(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def _stands(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is made in one of these blocks, or nobody knows where in the region."""
        value = _made_by(bare(name))
        region: Region | None
        if isinstance(value, Version):
            assert self.memory is not None
            region, label = self.memory.regions[value.block]
            if region is self.region:
                return self.number[label] in body
            at = None
        else:
            region = value.region
            made = value if isinstance(value, Operation) else value.operation
            at = None if made is None else made.at
        while region is not None and region is not self.region:
            owner = region.owner
            at, region = (None, None) if owner is None else (owner.at, owner.region)
        if region is None:
            return False
        if at is not None:
            return self._block(at) in body
        if value.region is self.region and value.block is not None:
            return self.number[value.block] in body
        return not self.definitions.is_argument(value)
