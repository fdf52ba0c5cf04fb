"""The local variables of a function of MLIR (``llvm.alloca``, ``memref.alloca``), as values.

An address is followed from where the variable is made through getelementptr and casts. Where it goes anywhere else than
to a load or a store, the variable has escaped: every operation that may write memory may write it.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

from smemdesc.scanning.fixpoint import Definition
from smemdesc.scanning.known import const
from smemdesc.scanning.llvm.text import steps
from smemdesc.scanning.loops import Graph
from smemdesc.scanning.memory import DISTANCE, Access, Forget, Locals, Pointer, address
from smemdesc.scanning.mlir.lower import FUNCTIONS, INDEX, Definitions, names, width_of
from smemdesc.scanning.mlir.text import NAME, Operation, Region, Source, Value, targets
from smemdesc.scanning.ssa import Version

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


def memory(source: Source, definitions: Definitions) -> Memory | None:
    """Return what a function keeps in its local variables; None where it has none, or not all of it is understood."""
    if source.odd or not source.whole or not any(each.name in _ALLOCAS for each in source.operations):
        return None
    functions = [each for each in source.operations if each.name in FUNCTIONS]
    if len(functions) != 1 or len(functions[0].inner) != 1:
        return None
    made = Memory(source, definitions, functions[0])
    return made if made.understood and made.read() else None


class Memory(Locals):
    """The local variables of a function, and its blocks: those of its regions, in one graph."""

    def __init__(self, source: Source, definitions: Definitions, function: Operation) -> None:
        self.definitions = definitions
        self.pointers: dict[Value, Pointer] = {}
        self.operations: dict[int, list[Operation]] = {}
        for each in source.operations:
            self.operations.setdefault(id(each.region), []).append(each)
        self.understood = True
        self.regions: list[tuple[Region, str]] = []
        """Of each block the region, and the label in it behind which it stands."""
        self.labels: dict[tuple[int, str], int] = {}
        """The block of each label, by the address of its region."""
        self.loops: dict[int, tuple[int, int]] = {}
        """The blocks of each ``scf.for``, by its body's address: that before it, and the first of its body."""
        self._edges: list[list[int]] = []
        self._placed: list[tuple[int, Operation]] = []
        body = function.inner[0]
        first = body.starts[:1] if body.starts and not self._before(body) else []
        self._walk(body, self._block(body, first[0][1] if first else ""))
        super().__init__(Graph(self._edges, [0]))

    def _before(self, region: Region) -> bool:
        """Whether an operation stands before the first label of a region."""
        operations = self.operations.get(id(region), [])
        return bool(operations) and operations[0].at < region.starts[0][0]

    def _block(self, region: Region, label: str) -> int:
        self._edges.append([])
        self.regions.append((region, label))
        return len(self._edges) - 1

    def _walk(self, region: Region, block: int) -> int:
        """Cut a region into blocks from the one on in which control comes in; return that in which it leaves."""
        label = self.regions[block][1]
        if len({name for _, name in region.starts}) != len(region.starts):
            self.understood = False
        own = {name: block if name == label else self._block(region, name) for _, name in region.starts}
        self.labels.update({(id(region), name): number for name, number in {label: block, **own}.items()})
        starts = list(region.starts)
        for each in self.operations.get(id(region), []):
            while starts and starts[0][0] < each.at:
                label = starts.pop(0)[1]
                block = own[label]
            self._placed.append((block, each))
            self.understood &= "." in each.name or each.name in _WHOLE
            if "^" in each.text:
                aims = [own.get(name, -1) for name, _ in targets(each.text)]
                self.understood &= -1 not in aims
                self._edges[block] += dict.fromkeys(aims)
            if each.inner:
                block = self._structured(each, block, label)
        return block

    def _structured(self, operation: Operation, block: int, label: str) -> int:
        """Put the regions of an operation into blocks; return that which follows."""
        self.understood &= operation.name in _STRUCTURED and not any(each.starts for each in operation.inner)
        loop = operation.name == "scf.for"
        if not self.understood:
            return block
        firsts = [self._block(each, "") for each in operation.inner]
        lasts = [self._walk(each, first) for each, first in zip(operation.inner, firsts, strict=True)]
        behind = self._block(operation.region, label)
        self._edges[block] += [*firsts, *([behind] if loop or len(firsts) == 1 else [])]
        for first, last in zip(firsts, lasts, strict=True):
            self._edges[last] += [first, behind] if loop else [behind]
        if loop:
            self.loops[id(operation.inner[0])] = block, firsts[0]
        return behind

    def within(self, name: Version, body: Region) -> bool:
        """Whether a slot is written in a region, or one within."""
        region: Region | None = self.regions[name.block][0]
        while region is not None and region is not body:
            region = region.outer
        return region is body

    # ---- what operations do ----

    def read(self) -> bool:
        """Tell what operations do; return whether anything is loaded that is followed."""
        for _, each in self._placed:
            pointer = self._made(each)
            if pointer is not None:
                self.pointers[each.region.values[each.results[0]]] = pointer
        for block, each in self._placed:
            self._tell(block, each)
        return self.finish() is not None

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
        return None if of is None else self.move(value, of, self._offset(operation, found) if found else None)

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
            self.tell(block, operation.at, Forget(of.space))
        if used:
            named.remove(used)
        for name in named:
            pointer = self._find(operation, name)
            if pointer is not None:
                self.escaped.add(pointer.space)
        if not used and not _PURE.match(operation.name):
            self.tell(block, operation.at, Forget())

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
            to = self.move(Value("", operation.region, operation), to, made)
        width = width_of(kind) or 0
        size = width // 8 if width % 8 == 0 else 0
        if kind == "index" or kind.startswith("!llvm.ptr"):
            width, size = 0, 8
        elif floating := _FLOAT.match(kind):
            size = int(floating[1]) // 8
        data: Any = value if loads else self.definitions.operand(operation.region, stored) if width else (0, 0)
        if size and data is not None and (width or not loads):
            self.tell(block, operation.at, Access(loads, to.space, to.offset, size, (data,), width, near=to.near))
        elif not loads:
            self.tell(block, operation.at, Forget(to.space))
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
