"""The loops of a function of LLVM IR: the merges at their heads, and what has to hold for another round."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smemdesc.scanning.conditions import Branches, Condition, bare
from smemdesc.scanning.induction import HeaderPhi, Headers, element_header_phis, find_header_phis
from smemdesc.scanning.inline_asm import Inner
from smemdesc.scanning.llvm.lower import Definitions, Element, Row
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.memory import Distance
from smemdesc.scanning.ssa import Version

_NAME = r"(?:[-\w$.]+|\"[^\"]*\")"
_LABEL = re.compile(rf"({_NAME}):")
_AIMS = re.compile(rf"label %({_NAME})")
_ENDS = re.compile(r"\s*(br|switch|ret|unreachable)\b")
_OTHER = re.compile(
    rf"\s*(?:%{_NAME} ?= ?)?(?:tail )?(?:invoke|callbr|indirectbr|resume|cleanupret|catchret|catchswitch)\b"
)
_BRANCH = re.compile(rf"\s*br i1 (%{_NAME}), label %({_NAME}), label %({_NAME})")


class Flow:
    """The blocks of a function, and its loops."""

    def __init__(self, lines: Sequence[bytes], rows: Mapping[str, Row], definitions: Definitions) -> None:
        self.rows = rows
        self.definitions = definitions
        self.starts: list[int] = []
        self.names: list[str] = []
        self.phis: dict[int, list[str]] = {}
        self.tests: dict[int, tuple[str, str, str]] = {}
        self.number: dict[str, int] = {}
        self.graph = self._graph([line.decode("utf-8", "replace") for line in lines])
        graph = self.graph
        above = graph.dominators() if graph is not None and self.tests else None
        before = [] if graph is None else [sorted(set(each)) for each in graph.before]
        self.branches = Branches(above or {}, before, self.edge, {})

    def header_phis(self, merges: Sequence[Any]) -> dict[Any, HeaderPhi]:
        """Return the merges at the heads of loops in which these stand, and of the loops in and around them."""
        graph = self.graph
        if graph is None or not graph.circles():
            return {}
        for name, row in self.rows.items() if not self.phis else ():
            if row.text.startswith("phi "):
                self.phis.setdefault(self.block(row.at), []).append(name)
        memory = self.definitions.memory
        slots: dict[int, list[tuple[Any, list[tuple[int, Any]]]]] = {}
        for slot, ways in memory.merges(merges) if memory is not None else ():
            slots.setdefault(slot.block, []).append((slot, ways))

        def at(block: int) -> Iterator[tuple[Any, list[tuple[int, Any]]]]:
            yield from self._merges(block)
            yield from slots.get(block, ())

        found = find_header_phis(graph, Headers(self._test, self._stands, at))
        return {**found, **element_header_phis(merges, found, Element)}

    def _merges(self, block: int) -> Iterator[tuple[str, list[tuple[int, Any]]]]:
        for name in self.phis.get(block, []):
            ways = self.definitions.incoming(self.rows[name])
            if ways is not None:
                yield name, [(self.number.get(label, 0), value) for label, value in ways]

    def edge(self, before: int, to: int) -> dict[str, bool]:
        """Return the predicate that holds, or does not, where one block leads to another."""
        if before not in self.tests:
            return {}
        name, taken, other = self.tests[before]
        return {} if taken == other else {name: self.number[taken] == to}

    def _test(self, block: int) -> tuple[Condition, int, int] | None:
        if block not in self.tests:
            return None
        name, to, other = self.tests[block]
        said = self.definitions.comparison(name)
        return None if said is None else (said, self.number[to], self.number[other])

    def block(self, at: int) -> int:
        """Return the block of a line."""
        return bisect_right(self.starts, at) - 1

    def _stands(self, body: frozenset[int], name: Any) -> bool:
        """Whether a value is made in one of these blocks, or in several places."""
        name = bare(name)
        if isinstance(name, Inner):
            return self.block(name.asm.at) in body
        if isinstance(name, Version):
            return name.block in body
        if isinstance(name, Distance):
            name = name.pointer
        row = self.rows.get(name.value if isinstance(name, Element) else name)
        return row is not None and (not row.text or self.block(row.at) in body)

    def _graph(self, lines: list[str]) -> Graph | None:
        """Cut the function into blocks; None where not all of it is understood."""
        first = next((at for at, line in enumerate(lines) if line.startswith("define ")), None)
        while first is not None and first < len(lines) and not lines[first].rstrip().endswith("{"):
            first += 1
        if first is None:
            return None
        aims: list[list[str]] = []
        ended = True
        for at in range(first + 1, len(lines)):
            line = lines[at]
            if not line or line.isspace():
                continue
            label = _LABEL.match(line)
            if label or not aims:
                if not ended:
                    return None
                self.starts.append(at)
                self.names.append(label[1] if label else "")
                aims.append([])
                ended = False
                if label:
                    continue
            if line.startswith("}"):
                break
            if ended:
                # The cases of a switch; else nothing stands behind what ends a block.
                aims[-1] += _AIMS.findall(line)
                continue
            if _OTHER.match(line):
                return None
            end = _ENDS.match(line)
            if end:
                ended = True
                aims[-1] += _AIMS.findall(line)
                branch = _BRANCH.match(line)
                if branch:
                    self.tests[len(aims) - 1] = (branch[1], branch[2], branch[3])
        number = self.number = {name: place for place, name in enumerate(self.names)}
        if (
            not ended
            or not aims
            or len(number) != len(self.names)
            or any(each not in number for aimed in aims for each in aimed)
        ):
            return None
        return Graph([list(dict.fromkeys(number[each] for each in aimed)) for aimed in aims], [0])
