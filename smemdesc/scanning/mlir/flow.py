"""The blocks of a function of MLIR, and what it keeps in local variables (``llvm.alloca``, ``memref.alloca``).

An address is followed from where the variable is made through getelementptr and casts. Where it goes anywhere else than
to a load or a store, the variable has escaped: every operation that may write memory may write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from smemdesc.scanning.compiler_ir import Flow, Way
from smemdesc.scanning.fixpoint import Definition
from smemdesc.scanning.known import const
from smemdesc.scanning.llvm.text import steps
from smemdesc.scanning.memory import DISTANCE, Access, Forget, Locals, Pointer, address
from smemdesc.scanning.mlir.lower import FUNCTIONS, INDEX, Definitions, width_of
from smemdesc.scanning.mlir.text import NAME, Operation, Region, Source, Value, names, targets

_CONDITIONAL = ("cf.cond_br", "llvm.cond_br")
_ALLOCAS = ("llvm.alloca", "memref.alloca")
_ACCESSES = ("llvm.load", "llvm.store", "memref.load", "memref.store")
_CASTS = ("llvm.addrspacecast", "llvm.bitcast")
_LIVES = ("llvm.intr.lifetime.start", "llvm.intr.lifetime.end")
_PURE = re.compile(
    r"(?:arith\.|math\.|index\.|cf\.|scf\.|memref\.load$)|nvvm\.(?:read\.ptx\.sreg|elect|shfl)|llvm\.(?:mlir\.|intr\.(?:dbg|[us]m|fsh|ct)|"
    r"(?:and|x?or|add|sub|mul|shl|[al]shr|[us]div|[us]rem|icmp|select|(?:cond_)?br|switch|return|getelementptr|load|"
    r"trunc|[sz]ext|bitcast|freeze|inttoptr|ptrtoint|addrspacecast|extract\w+|insert\w+|f\w+|unreachable)$)"
)
"""Operations that write no memory."""
_WHOLE = frozenset(("return", "module"))
"""The operations without a dialect that name no address."""
_STRUCTURED = ("scf.if", "scf.for")
_LOADED = re.compile(rf"({NAME})\s*+(?:\{{[^{{}}]*+\}}\s*+)?+: !llvm\.ptr(?:<\d+>)? -> ([^{{}}]+)$")
_STORED = re.compile(rf"({NAME}), ({NAME})\s*+(?:\{{[^{{}}]*+\}}\s*+)?+: ([^{{}}]+), !llvm\.ptr(?:<\d+>)?$")
_ELEMENT = re.compile(rf"(?:({NAME}), )?({NAME})\[([^\[\]]*)\]\s*: memref<((?:\d{{1,9}}x)*+)(\w+)>$")
_OFFSET = re.compile(
    rf"(?:inbounds |nuw |nusw )*({NAME})\[([^\[\]]*)\]\s*+(?:\{{[^{{}}]*+\}}\s*+)?+"
    r": \(!llvm\.ptr(?:<\d+>)?((?:, i\d+)*)\) -> !llvm\.ptr(?:<\d+>)?, (.+)$"
)
_INDEX = re.compile(r"-?\d{1,9}$")
_FLOAT = re.compile(r"b?f(16|32|64)$")
_TYPES = (
    (re.compile(r"(?:!llvm\.)?struct<(?:\"[^\"]*\", )?\("), "{"),
    (re.compile(r"\)>"), "}"),
    (re.compile(r"(?:!llvm\.)?array<"), "["),
    (re.compile(r">"), "]"),
    (re.compile(r"!llvm\.ptr$|!llvm\.ptr(?=[,})\]])"), "ptr"),
)
"""How types are written in LLVM IR."""


class Regions(Flow):
    """The blocks of all regions of a function, in one graph.

    What an operation that is not known does with its regions nobody knows: each may run after any, again and again.
    """

    definitions: Definitions

    def __init__(self, source: Source, definitions: Definitions) -> None:
        self.definitions = definitions
        self.understood = True
        """Whether every block has a name of its own, and nothing stands behind what ends one."""
        self.structured = True
        """Whether what each operation does with its regions is known."""
        self.placed: list[tuple[int, Operation]] = []
        self._in: dict[int, list[Operation]] = {}
        for each in source.operations:
            self._in.setdefault(id(each.region), []).append(each)
        self._following: list[list[int]] = []
        self._tests: dict[int, tuple[Value, int, int]] = {}
        self._block: dict[int, int] = {}
        """In which block each operation stands, by its address: the source keeps them."""
        self._labels: dict[tuple[int, str], int] = {}
        """The block of each label, by the address of its region; without a name that in which the region begins."""
        self._into: dict[int, list[tuple[int, list[str], dict[Any, bool]]]] = {}
        """Of each block from which others control comes, what is passed and what holds then."""
        self._merging: dict[int, list[Value]] = {}
        self._loops: dict[int, Operation] = {}
        """The ``scf.for`` whose bodies begin with blocks."""
        self._turns: dict[int, tuple[int, int]] = {}
        """The blocks from which control comes into the body of each ``scf.for``, by its address."""
        first = source.operations[0]
        self._new()
        self._walk(first.inner[0] if first.name in FUNCTIONS and len(first.inner) == 1 else first.region, 0)
        super().__init__(definitions, self._following, self._tests)

    def _new(self) -> int:
        self._following.append([])
        return len(self._following) - 1

    def _walk(self, region: Region, block: int) -> list[int]:
        """Cut a region into blocks from the one on in which control comes in; return those in which it may leave."""
        operations, starts, begins = self._in.get(id(region), []), list(region.starts), block
        own: dict[str, int] = {}
        for at, name in region.starts:
            self.understood &= name not in own
            own[name] = self._new() if own or (operations and operations[0].at < at) else block
            values = [region.values[each] for each in region.blocks[name]]
            self._merging[own[name]] = [each for each in values if each.block == name]
        self._labels.update({(id(region), name): number for name, number in {"": block, **own}.items()})
        ended = -1
        for each in operations:
            while starts and starts[0][0] < each.at:
                block = own[starts.pop(0)[1]]
            self.understood &= block != ended
            self._block[id(each)] = block
            self.placed.append((block, each))
            aims = [(own.get(name, -1), passed) for name, passed in targets(each.text)] if "^" in each.text else []
            named = region.find(next(iter(names(each.text)), "")) if each.name in (*_CONDITIONAL, "scf.if") else None
            if aims:
                ended = block
                if named is not None and len(aims) == 2:
                    self._tests[block] = named, aims[0][0], aims[1][0]
                for place, (aim, passed) in enumerate(aims):
                    self.understood &= aim >= 0
                    held = {} if block not in self._tests else {named: place == 0}
                    self._into.setdefault(aim, []).append((block, passed, held))
                self._following[block] += dict.fromkeys(aim for aim, _ in aims)
            if not each.inner:
                continue
            loops, firsts, leaving = each.name != "scf.if", list[int](), list[int]()
            for inner in each.inner:
                firsts.append(self._new())
                leaving += self._walk(inner, firsts[-1])
            behind = self._new()
            self.structured &= each.name == "scf.if" or (each.name == "scf.for" and len(firsts) == 1)
            self.structured &= not any(inner.starts for inner in each.inner)
            for last in leaving:
                self._following[last] += [*firsts, behind] if loops else [behind]
            if named is not None:
                self._tests[block] = named, firsts[0], (*firsts[1:], behind)[0]
            if each.name == "scf.for" and len(leaving) == 1:
                self._turns[id(each)] = block, leaving[0]
                self._loops[firsts[0]] = each
                self._merging[firsts[0]] = self.definitions.carried(each)
            self._following[block] += [*firsts, *([behind] if loops or len(firsts) == 1 else [])]
            block = behind
        return [each for each in range(begins, len(self._following)) if not self._following[each]] if own else [block]

    def block_of(self, value: Any) -> int | None:
        """Return the block in which a value (or an operation) stands: -1 for none, None: nobody knows."""
        made = value if isinstance(value, Operation) else value.operation
        if made is not None:
            return self._block.get(id(made), -1)
        return None if value.block is None else self._labels.get((id(value.region), value.block), -1)

    def merging(self, block: int) -> Sequence[Value]:
        """Return the values that merge others where a block begins."""
        return self._merging.get(block, ())

    def results(self) -> Iterator[tuple[Value, Value]]:
        """Yield what there is behind a loop and not in it, with the merge at its head that becomes it."""
        for header, loop in self._loops.items():
            for result, head in zip(loop.results, self._merging[header], strict=False):
                value = loop.region.values[result]
                if value.operation is loop:
                    yield value, head

    def counted(self, header: int) -> tuple[Any, int, Any, int] | None:
        """Return what a loop itself says of its rounds (:class:`smemdesc.scanning.induction.Loop`)."""
        loop = self._loops.get(header)
        return None if loop is None else self.definitions.counted(loop)

    def passed(self, value: Value) -> list[Way] | None:
        """Return what the branches to a block pass as one of its arguments."""
        assert value.block is not None
        ways = self._into.get(self._labels[id(value.region), value.block], ())
        count = len(value.region.blocks[value.block])
        if not ways or any(len(passed) != count for _, passed, _ in ways):
            return None
        return [
            Way(block, self.definitions.operand(value.region, passed[value.index]), held)
            for block, passed, held in ways
        ]

    def turn(self, loop: Operation, values: Sequence[Any]) -> list[Way] | None:
        """Return what a loop starts a value with, and what each of its rounds makes of it, as what it merges."""
        turn = self._turns.get(id(loop))
        return None if turn is None else [Way(block, each, {}) for block, each in zip(turn, values, strict=True)]


def memory(source: Source, definitions: Definitions, flow: Regions) -> Locals | None:
    """Return what a function keeps in its local variables; None where it has none, or not all of it is understood."""
    if not flow.structured or not any(each.name in _ALLOCAS for each in source.operations):
        return None
    functions = [each for each in source.operations if each.name in FUNCTIONS]
    plain = all("." in each.name or each.name in _WHOLE for _, each in flow.placed)
    return _Reader(definitions, flow).locals.finish() if len(functions) == 1 and plain else None


class _Reader:
    def __init__(self, definitions: Definitions, flow: Regions) -> None:
        self.definitions = definitions
        self.locals = Locals(flow.graph)
        self.pointers: dict[Value, Pointer] = {}
        for _, each in flow.placed:
            pointer = self._made(each)
            if pointer is not None:
                self.pointers[each.region.values[each.results[0]]] = pointer
        for block, each in flow.placed:
            self._tell(block, each)

    def _find(self, operation: Operation, name: str) -> Pointer | None:
        value = operation.region.find(name)
        return None if value is None else self.pointers.get(value)

    def _made(self, operation: Operation) -> Pointer | None:
        """Return the address that an operation makes."""
        value = operation.region.values.get(operation.results[0]) if len(operation.results) == 1 else None
        if value is None or value.operation is not operation:
            return None
        if operation.name in _ALLOCAS:
            return Pointer(f"{value.name} {operation.at}")
        named = names(operation.text)
        if operation.name in _CASTS and len(named) == 1:
            return self._find(operation, named[0])
        found = _OFFSET.match(operation.text) if operation.name == "llvm.getelementptr" else None
        of = self._find(operation, named[0]) if named and operation.name == "llvm.getelementptr" else None
        return None if of is None else self.locals.move(value, of, self._offset(operation, found) if found else None)

    def _offset(self, operation: Operation, found: re.Match[str]) -> Definition | None:
        """Return what a getelementptr adds to an address."""
        texts = [each.strip() for each in found[2].split(",")]
        kind = found[4]
        for pattern, other in _TYPES:
            kind = pattern.sub(other, kind)
        scales = steps(kind, texts)
        kinds = iter(found[3].split(", ")[1:])
        counts, widths = [], []
        for text in texts:
            number = _INDEX.match(text)
            counts.append(const(int(text), DISTANCE) if number else self.definitions.operand(operation.region, text))
            widths.append(DISTANCE if number else width_of(next(kinds, "")) or 0)
        if scales is None or not all(widths):
            return None
        counts = [
            count if field is None else const(field, DISTANCE) for (_, field), count in zip(scales, counts, strict=True)
        ]
        return Definition(operation.at, ((0, 0), *counts), address([scale for scale, _ in scales], widths))

    def _tell(self, block: int, operation: Operation) -> None:
        """Tell what an operation does."""
        value = operation.region.values.get(operation.results[0]) if operation.results else None
        if value is not None and value in self.pointers:
            return
        named = names(operation.text)
        used = ""
        if operation.name in _ACCESSES:
            used = self._access(block, operation, value)
        elif operation.name in _LIVES and len(named) == 1 and (of := self._find(operation, named[0])) is not None:
            used = named[0]
            self.locals.tell(block, operation.at, Forget(of.space))
        if used:
            named.remove(used)
        for name in named:
            pointer = self._find(operation, name)
            if pointer is not None:
                self.locals.escaped.add(pointer.space)
        if not used and not _PURE.match(operation.name):
            self.locals.tell(block, operation.at, Forget())

    def _access(self, block: int, operation: Operation, value: Value | None) -> str:
        """Tell of a load or store; return the name of the address where that is followed."""
        loads = operation.name.endswith("load")
        stored, name, kind = "", "", ""
        made: Definition | None = None
        if operation.name.startswith("memref."):
            found = _ELEMENT.match(operation.text)
            if found:
                stored, name, kind = found[1] or "", found[2], found[5]
                made = self._element(operation, found)
        elif loads:
            found = _LOADED.match(operation.text)
            name, kind = (found[1], found[2].strip()) if found else ("", "")
        else:
            found = _STORED.match(operation.text)
            stored, name, kind = (found[1], found[2], found[3].strip()) if found else ("", "", "")
        to = self._find(operation, name)
        if to is None:
            return ""
        if operation.name.startswith("memref."):
            to = self.locals.move(Value("", operation.region, operation), to, made)
        width = width_of(kind) or 0
        size = width // 8 if width % 8 == 0 else 0
        if kind == "index" or kind.startswith("!llvm.ptr"):
            width, size = 0, 8
        elif floating := _FLOAT.match(kind):
            size = int(floating[1]) // 8
        data: Any = value if loads else self.definitions.operand(operation.region, stored) if width else (0, 0)
        if size and data is not None and (width or not loads):
            self.locals.tell(
                block, operation.at, Access(loads, to.space, to.offset, size, (data,), width, near=to.near)
            )
        elif not loads:
            self.locals.tell(block, operation.at, Forget(to.space))
        return name

    def _element(self, operation: Operation, found: re.Match[str]) -> Definition | None:
        """Return where an element of a memref is."""
        shape = [int(each) for each in found[4].split("x")[:-1]]
        places = names(found[3])
        size = (width_of(found[5]) or 0) // 8 if found[5] != "index" else 0
        if len(places) != len(shape) or not size:
            return None
        scales = list(accumulate(reversed([*shape[1:], size]), lambda a, b: a * b))[::-1] if shape else []
        counts = [self.definitions.operand(operation.region, each) for each in places]
        return Definition(operation.at, ((0, 0), *counts), address(scales, [INDEX] * len(shape)))
