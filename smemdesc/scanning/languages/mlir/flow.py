"""The blocks of a function of MLIR, and its uses of local variables (``llvm.alloca``, ``memref.alloca``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from smemdesc.engine.known import UNKNOWN, const
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.memory import Locals
from smemdesc.scanning.languages.compiler_ir import Flow, MemoryUse, MergeInput, local_variables
from smemdesc.scanning.languages.lowering import offset
from smemdesc.scanning.languages.mlir.generic import FUNCTIONS
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions, type_of
from smemdesc.scanning.languages.mlir.text import (
    VALUE_NAME,
    MlirFunction,
    MlirRegion,
    MlirValue,
    Operation,
    named_values,
    target_blocks,
)

_CONDITIONAL = ("cf.cond_br", "llvm.cond_br")
_ALLOCAS = ("llvm.alloca", "memref.alloca")
_NAMES = {
    **{f"llvm.{name}": name for name in ("alloca", "getelementptr", "addrspacecast", "bitcast", "load", "store")},
    **{f"memref.{name}": name for name in ("alloca", "load", "store")},
    **dict.fromkeys(("llvm.intr.lifetime.start", "llvm.intr.lifetime.end"), "lifetime"),
    **dict.fromkeys(("llvm.intr.memcpy", "llvm.intr.memmove"), "memcpy"),
    "llvm.intr.memset": "memset",
}
"""The LLVM names of operations that use addresses."""
_PURE = re.compile(
    r"(?:arith\.|math\.|index\.|cf\.|scf\.|memref\.load$)|nvvm\.(?:read\.ptx\.sreg|elect|shfl)|llvm\.(?:mlir\.|intr\.(?:dbg|[us]m|fsh|ct)|"
    r"(?:and|x?or|add|sub|mul|shl|[al]shr|[us]div|[us]rem|icmp|select|(?:cond_)?br|switch|return|getelementptr|load|"
    r"trunc|[sz]ext|bitcast|freeze|inttoptr|ptrtoint|addrspacecast|extract\w+|insert\w+|f\w+|unreachable)$)"
)
"""Operations that write no memory."""
_WHOLE = frozenset(("return", "module"))
"""Operations without a dialect that use no address."""
_LOADED = re.compile(rf"(?P<of>{VALUE_NAME})\s*+(?:\{{[^{{}}]*+\}}\s*+)?+: !llvm\.ptr(?:<\d+>)? -> (?P<kind>[^{{}}]+)$")
_ITER_ARGS = re.compile(r"iter_args\(([^()]*+)\)")
_PASSED = re.compile(r"(%[-\w$.]+)\s*=\s*(%[-\w$.]+(?:#\d+)?)")
_STORED = re.compile(
    rf"(?P<data>{VALUE_NAME}), (?P<of>{VALUE_NAME})\s*+(?:\{{[^{{}}]*+\}}\s*+)?+: "
    r"(?P<kind>[^{}]+), !llvm\.ptr(?:<\d+>)?$"
)
_ELEMENT = re.compile(
    rf"(?:(?P<data>{VALUE_NAME}), )?(?P<of>{VALUE_NAME})\[(?P<at>[^\[\]]*)\]\s*: "
    r"memref<(?P<shape>(?:\d{1,9}x)*+)(?P<kind>\w+)>$"
)


class Regions(Flow):
    """The blocks of all regions of a function, in one graph.

    The regions of an unknown operation may each run after any other, any number of times.
    """

    definitions: MlirDefinitions

    def __init__(self, source: MlirFunction, definitions: MlirDefinitions) -> None:
        self.definitions = definitions
        self.understood = True
        """Whether every block has a unique name, and nothing follows a terminator."""
        self.structured = True
        """Whether what each operation does with its regions is known."""
        self.placed: list[tuple[int, Operation]] = []
        self._in: dict[int, list[Operation]] = {}
        for operation in source.operations:
            self._in.setdefault(id(operation.region), []).append(operation)
        self._following: list[list[int]] = []
        self._tests: dict[int, tuple[MlirValue, int, int]] = {}
        self._block: dict[int, int] = {}
        """The block of each operation, by its id: the source keeps them alive."""
        self._labels: dict[tuple[int, str], int] = {}
        """The block of each label, by the id of its region; the empty label is the region's first block."""
        self._into: dict[int, list[tuple[int, MlirRegion, list[str], dict[Any, bool]]]] = {}
        """For each block the edges to it: the source block, the values passed, and the predicates known there."""
        self._merging: dict[int, list[MlirValue]] = {}
        self._loops: dict[int, Operation] = {}
        """The ``scf.for`` operations, by the first blocks of their bodies."""
        self._bodies: dict[int, int] = {}
        """These blocks, by the id of the loop."""
        first = source.operations[0]
        self._new()
        self._walk(first.inner[0] if first.name in FUNCTIONS and len(first.inner) == 1 else first.region, 0)
        super().__init__(definitions, self._following, self._tests)

    def _new(self) -> int:
        self._following.append([])
        return len(self._following) - 1

    def _walk(self, region: MlirRegion, block: int) -> list[int]:
        """Split a region into blocks, from its entry block on; return those from which control may leave."""
        operations, starts, first = self._in.get(id(region), []), list(region.starts), block
        own = self._label(region, block)
        self._labels.update({(id(region), name): number for name, number in {"": block, **own}.items()})
        ended = -1
        for operation in operations:
            while starts and starts[0][0] < operation.at:
                block = own[starts.pop(0)[1]]
            self.understood &= block != ended
            self._block[id(operation)] = block
            self.placed.append((block, operation))
            if "^" in operation.text and (aims := target_blocks(operation.text)):
                ended = block
                self._branch(operation, block, [(own.get(name, -1), passed) for name, passed in aims])
            if operation.inner:
                block = self._enter(operation, block)
        if not own:
            return [block]
        return [number for number in range(first, len(self._following)) if not self._following[number]]

    def _label(self, region: MlirRegion, block: int) -> dict[str, int]:
        """Make the blocks of a region that have labels, and return them; ``block`` is its first if no label precedes
        its operations."""
        operations = self._in.get(id(region), [])
        own: dict[str, int] = {}
        for at, name in region.starts:
            self.understood &= name not in own
            own[name] = self._new() if own or (operations and operations[0].at < at) else block
            self._merging[own[name]] = [region.values[argument] for argument in region.blocks[name]]
        return own

    def _branch(self, operation: Operation, block: int, aims: list[tuple[int, list[str]]]) -> None:
        """Add the edges of a branch; ``aims``: the blocks to which it may go (-1: unknown), and what it passes."""
        condition = _condition(operation)
        if condition is not None and len(aims) == 2:
            self._tests[block] = condition, aims[0][0], aims[1][0]
        for place, (aim, passed) in enumerate(aims):
            self.understood &= aim >= 0
            predicates = {} if block not in self._tests else {condition: place == 0}
            self._into.setdefault(aim, []).append((block, operation.region, passed, predicates))
        self._following[block] += dict.fromkeys(aim for aim, _ in aims)

    def _enter(self, operation: Operation, block: int) -> int:
        """Split the regions of an operation into blocks, and return the block after it."""
        is_if, is_for = operation.name == "scf.if", operation.name == "scf.for"
        firsts, leaving = list[int](), list[int]()
        for inner in operation.inner:
            firsts.append(self._new())
            leaving += self._walk(inner, firsts[-1])
        after = self._new()
        self.structured &= is_if or (is_for and len(firsts) == 1)
        self.structured &= not any(inner.starts for inner in operation.inner)
        for last in leaving:
            self._following[last] += [after] if is_if else [*firsts, after]
        condition = _condition(operation)
        if condition is not None:
            self._tests[block] = condition, firsts[0], (*firsts[1:], after)[0]
        if is_for and len(leaving) == 1:
            self._carry(operation, block, firsts[0], leaving[0])
        # An scf.if with one region may skip it, and a loop may have no iteration.
        self._following[block] += firsts if is_if and len(firsts) > 1 else [*firsts, after]
        return after

    def _carry(self, loop: Operation, before: int, first: int, last: int) -> None:
        """Note what a loop carries as merges of its body: values from before it and from each iteration."""
        self._loops[first], self._bodies[id(loop)] = loop, first
        body, match = loop.inner[0], _ITER_ARGS.search(loop.text)
        carried = _PASSED.findall(match[1]) if match else []
        if len(body.yields) == 1 and all(name in body.values for name, _ in carried):
            self._merging[first] = [body.values[name] for name, _ in carried]
            for index, value in enumerate(self._merging[first]):
                value.index = index
            starts = [start for _, start in carried]
            self._into[first] = [(before, loop.region, starts, {}), (last, body, body.yields[0], {})]

    def block_of(self, value: Any) -> int | None:
        """Return the block of a value (or an operation): -1 for none, None if unknown."""
        operation = value if isinstance(value, Operation) else value.operation
        if operation is not None:
            return self._block.get(id(operation), -1)
        return None if value.block is None else self._labels.get((id(value.region), value.block), -1)

    def merging(self, block: int) -> Sequence[MlirValue]:
        """Return the merges at the beginning of a block."""
        return self._merging.get(block, ())

    def results(self) -> Iterator[tuple[MlirValue, MlirValue]]:
        """Yield the values that exist only after a loop, each with the merge at its head that it comes from."""
        for header, loop in self._loops.items():
            for result, head in zip(loop.results, self.merging(header), strict=False):
                value = loop.region.values[result]
                if value.operation is loop:
                    yield value, head

    def counted(self, header: int) -> tuple[Any, int, Any, int] | None:
        """Return the trip count that a loop itself names
        (:class:`smemdesc.scanning.analysis.induction.InductionLoop`)."""
        loop = self._loops.get(header)
        return None if loop is None else self.definitions.counted(loop)

    def ways(self, value: MlirValue) -> list[MergeInput] | None:
        """Return what comes into an argument of a block, or into a value that a loop carries; None for others."""
        operation = value.operation
        if operation is None:
            block = self._labels.get((id(value.region), value.block or ""), -1)
        else:
            block = self._bodies.get(id(operation), -1)
        heads, ways = self.merging(block), self._into.get(block)
        if value.index >= len(heads) or not ways or any(len(passed) != len(heads) for _, _, passed, _ in ways):
            return None
        if operation is None and heads[value.index] is not value:
            return None
        return [
            MergeInput(at, self.definitions.operand(region, passed[value.index]), predicates)
            for at, region, passed, predicates in ways
        ]


def _condition(operation: Operation) -> MlirValue | None:
    """Return the value that decides where control goes from a branch or a conditional operation; None for others."""
    if operation.name not in (*_CONDITIONAL, "scf.if"):
        return None
    return operation.region.find(next(iter(named_values(operation.text)), ""))


def mlir_memory(source: MlirFunction, definitions: MlirDefinitions, flow: Regions) -> Locals | None:
    """Return what a function keeps in its local variables; None if it has none, or is not fully understood."""
    if not flow.structured or not any(operation.name in _ALLOCAS for operation in source.operations):
        return None
    functions = [operation for operation in source.operations if operation.name in FUNCTIONS]
    if len(functions) != 1 or not all(
        "." in operation.name or operation.name in _WHOLE for _, operation in flow.placed
    ):
        return None
    return local_variables(
        definitions, flow.graph, [_use(block, operation, definitions) for block, operation in flow.placed]
    )


def _use(block: int, operation: Operation, definitions: MlirDefinitions) -> MemoryUse:
    """Return what an operation does with memory."""
    region, text = operation.region, operation.text
    named = [region.find(name) for name in named_values(text)]
    result = region.values[operation.results[0]] if len(operation.results) == 1 else None
    result = result if result is not None and result.operation is operation else None
    name = _NAMES.get(operation.name, "")
    use = MemoryUse(block, operation.at, name, result, named, _PURE.match(operation.name) is None)
    if name in ("memcpy", "memset") and len(named) == 3 and "isVolatile = true" not in text:
        _, data, count = (definitions.operand(region, name) for name in named_values(text))
        size = count[0] if count.__class__ is tuple else 0
        use = use._replace(size=size, data=data, source=named[1] if name == "memcpy" else None)
    if name not in ("load", "store"):
        return use._replace(of=named[0]) if named else use
    element = None
    if operation.name.startswith("memref."):
        match = _ELEMENT.match(text)
        element = match and (MlirValue("", region, operation), _element(operation, match, definitions))
    else:
        match = _LOADED.match(text) if name == "load" else _STORED.match(text)
    if match is None:
        return use
    data = definitions.operand(region, match["data"]) if name == "store" and match["data"] else UNKNOWN
    return use._replace(of=region.find(match["of"]), kind=type_of(match["kind"]), data=data, element=element)


def _element(operation: Operation, match: re.Match[str], definitions: MlirDefinitions) -> Definition:
    """Return the distance of an element of a memref from the memref's address."""
    kind, shape, places = type_of(match["kind"]), match["shape"].split("x")[:-1], named_values(match["at"])
    for count in reversed(shape[1:]):
        kind = f"[{count} x {kind}]"
    indices = [("i64", place, definitions.operand(operation.region, place)) for place in places]
    indices = indices or [("i64", "0", const(0, 64))]
    address = offset(operation.at, UNKNOWN, kind, indices) if len(places) == len(shape) else None
    return address or Definition(operation.at)
