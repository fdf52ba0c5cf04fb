"""What Triton's operations (TTGIR) copy to shared memory, which barriers wait for it, and what the MMAs read of it.

An allocation is a base, an index of its first dimension is a stage. A copy brings the block of its destination, in as
many boxes as its layout makes of it. Other operations may tell a barrier what is not known here: then nothing is said
of the bytes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.layout.strides import UNIT
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions
from smemdesc.scanning.languages.mlir.text import MlirFunction, MlirValue, Operation, named_values
from smemdesc.scanning.languages.mlir.triton import MEMDESC, SEGMENT_SIZES, TMA_COPY, created_map
from smemdesc.scanning.languages.mnemonics import TRITON
from smemdesc.scanning.model import Function
from smemdesc.scanning.shared_memory.analysis import with_shared_memory
from smemdesc.scanning.shared_memory.facts import (
    COPY,
    EXPECT,
    SHARED_BITS,
    NamedAddress,
    Region,
    SharedAccess,
    SharedFacts,
    SharedItem,
    box_bytes,
    written_box,
)
from smemdesc.scanning.shared_memory.reading import OperandRead
from smemdesc.tiles.tensor_map import CopiedBox

_EXPECTING, _CREATING = "ttng.barrier_expect", "ttng.tensormap_create"
_ALLOCATING, _INDEXING = "ttg.local_alloc", "ttg.memdesc_index"
_DESCRIBING = "ttng.reinterpret_tensor_descriptor"
_WITHOUT_BYTES = frozenset(
    (
        *(_ALLOCATING, "ttg.local_dealloc", _INDEXING, "scf.for", "scf.if", "scf.yield"),
        *(f"ttng.{name}_barrier" for name in ("init", "inval", "wait", "arrive")),
        *("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.tc_gen5_commit", TMA_COPY, _EXPECTING),
    )
)
"""Operations on barriers that tell them no bytes, and those that are read here."""
_CONCURRENT = "ttg.warp_specialize"
"""Its regions call a barrier by other names."""
_OF_BARRIER = re.compile(r"memdesc<[\dx]*xi64\b")
_LAYOUT = re.compile(
    r"#ttg\.nvmma_shared<\{swizzlingByteWidth = (\d+), transposed = false, elementBitWidth = (\d+)(?:, rank = \d+)?\}>"
)
_OTHER_MEMORY = re.compile(r"\btensor_memory|\bCGALayout|\bCTAsPerCGA|\bfp4Padded = true")
"""Not of the shared memory of one CTA, or with gaps."""
_BYTES = re.compile(r"\bsize = (\d{1,9})\b|^%[^,]++, (\d{1,9})\b")
_BRACKETS = re.compile(r"\[[^\]]*+\]")
_BITS = re.compile(r"[a-z]+(\d+)")
_MOST_VIEWS = 8
_MOST_ROWS = 256
"""Of one dimension of a box."""


class _SharedBlock(NamedTuple):
    """A type of shared memory."""

    shape: tuple[int, ...]
    bits: int
    """Of an element."""
    layout: str

    @property
    def size(self) -> int:
        """Bytes of its elements."""
        return prod(self.shape) * self.bits // 8


def with_triton_memory(
    judged: Function, source: MlirFunction, definitions: MlirDefinitions, aliases: Aliases
) -> Function:
    """Return a function with what its copies, barriers and MMAs say of each other."""
    memory = _TritonMemory(judged, source, definitions, aliases)
    mmas, picture = with_shared_memory(judged.mmas, list(memory.reads()), memory.facts())
    return judged._replace(mmas=mmas, shared=picture)


class _TritonMemory:
    def __init__(self, judged: Function, source: MlirFunction, definitions: MlirDefinitions, aliases: Aliases) -> None:
        self.judged = judged
        self.source = source
        self.definitions = definitions
        self.aliases = aliases
        self._symbols: dict[MlirValue, Symbol] = {}
        self._names: set[str] = set()
        self._boxes = self._created()

    def facts(self) -> SharedFacts:
        """Return the copies and what barriers are told."""
        found = [
            self._copy(number, operation) if operation.name == TMA_COPY else self._expect(number, operation)
            for number, operation in enumerate(self.source.operations)
            if operation.name in (TMA_COPY, _EXPECTING)
        ]
        copies = [each for each in found if each.item.action == COPY]
        told = {(each.at, each.region) for each in found if each.item.action == EXPECT}
        strays: dict[Symbol | None, set[frozenset[tuple[Hashable, int]]]] = {}
        for copy in copies:
            if copy.barrier is None or (copy.barrier, copy.region) not in told:
                at = copy.barrier or copy.at
                strays.setdefault(_base(at), set()).add(at.terms)
        is_known = not any(copy.size is None or copy.item.multicast for copy in copies) and not any(
            operation.name not in _WITHOUT_BYTES
            and (_OF_BARRIER.search(operation.text) or operation.name == _CONCURRENT)
            for operation in self.source.operations
        )
        accesses = [
            each if each.item.action == COPY or (is_known and _is_apart(each.at, strays)) else each._replace(size=None)
            for each in found
        ]
        return SharedFacts(tuple(accesses), lambda leaf: (leaf,), _never, _is_stage, _is_stage, _never)

    def reads(self) -> Iterator[OperandRead]:
        """Yield what the MMAs read: the whole of A and of B."""
        numbers = {mma.line: number for number, mma in enumerate(self.judged.mmas)}
        for operation in self.source.operations:
            number = numbers.get(self.judged.line + operation.at)
            if operation.name not in TRITON or number is None or not self.judged.mmas[number].instruction.is_mma:
                continue
            operands, types = named_values(operation.text), operation_types(operation.text)
            for name, operand, kind in zip("ab", operands, types, strict=False):
                block = self._block(kind)
                if block is not None and getattr(self.judged.mmas[number], name) is not None:
                    yield OperandRead(number, name, self._address(operation, operand), _units(block.size))

    # ---- instructions ----

    def _copy(self, number: int, operation: Operation) -> SharedAccess:
        block = self._block(next((kind for kind in operation_types(operation.text)[::-1] if MEMDESC.search(kind)), ""))
        names = _of_copy(operation)
        item = SharedItem(number, COPY, NamedAddress(None), multicast="multicast" in operation.text)
        if block is None or names is None:
            nowhere = LinearAddress(frozenset([(operation.at, 1)]), 0)
            region = self._region(operation, "")
            return SharedAccess(item, *self._shown(operation), region, nowhere, None, None, None, None, False)
        map_name, to, barrier, predicate = names
        at, told = self._address(operation, to), self._address(operation, barrier)
        descriptor = operation.region.find(map_name)
        box, size = self._brought(descriptor, block)
        of_map = None if descriptor is None else LinearAddress(frozenset([(descriptor, 1)]), 0)
        region = self._region(operation, predicate)
        return SharedAccess(item, *self._shown(operation), region, at, size, told, of_map, box, False)

    def _expect(self, number: int, operation: Operation) -> SharedAccess:
        head = operation.text.partition(" : ")[0]
        barrier, predicate, *_ = [*named_values(head), "", ""]
        size = _BYTES.search(operation.text)
        told = None if size is None or ("{" in head and size[1] is None) else int(size[1] or size[2])
        region, at = self._region(operation, predicate), self._address(operation, barrier)
        item = SharedItem(number, EXPECT, NamedAddress(None))
        return SharedAccess(item, *self._shown(operation), region, at, told, None, None, None, False)

    def _shown(self, operation: Operation) -> tuple[int, str]:
        text = f"{operation.name} {operation.text}".partition(" : ")[0].strip()
        return self.judged.line + operation.at, text

    def _region(self, operation: Operation, predicate: str) -> Region:
        """Return where an operation is: its block, and what its predicate is."""
        block = bisect([at for at, _ in operation.region.starts], operation.at)
        holds = self.definitions.operand(operation.region, predicate) if predicate else None
        return Region(None, frozenset([((operation.region, block), True), (holds, True)]))

    # ---- values ----

    def _address(self, operation: Operation, name: str) -> LinearAddress:
        """Return an address: an allocation and a stage of it; a base of its own if that is not known."""
        value = operation.region.find(name)
        for _ in range(_MOST_VIEWS):
            if value is None or value.operation is None or value.operation.name != "ttg.memdesc_trans":
                break
            value = _first(value.operation)
        unknown = LinearAddress(frozenset([(value or (operation.at, name), 1)]), 0)
        made = None if value is None else value.operation
        if made is None or made.name not in (_ALLOCATING, _INDEXING):
            return unknown
        allocation = value if made.name == _ALLOCATING else _first(made)
        if allocation is None or allocation.operation is None or allocation.operation.name != _ALLOCATING:
            return unknown
        base = (self._symbol(allocation), 1)
        if made.name == _ALLOCATING:
            return LinearAddress(frozenset([base]), 0)
        operands, stage = named_values(made.text), self._block("".join(operation_types(made.text)[-1:]))
        if stage is None or len(operands) != 2:
            return unknown
        index = self.definitions.operand(made.region, operands[1])
        if index.__class__ is not tuple:
            return LinearAddress(frozenset([base, (_Stage(index), stage.size)]), 0)
        if index[1] & ones(WORD) != ones(WORD):
            return unknown
        return LinearAddress(frozenset([base]), index[0] * stage.size & ones(SHARED_BITS))

    def _symbol(self, allocation: MlirValue) -> Symbol:
        if allocation not in self._symbols:
            line = self.judged.line + allocation.operation.at if allocation.operation is not None else 0
            taken = allocation.name in self._names
            self._names.add(allocation.name)
            self._symbols[allocation] = Symbol(f"{allocation.name} of line {line}" if taken else allocation.name)
        return self._symbols[allocation]

    def _block(self, kind: str) -> _SharedBlock | None:
        kind = self.aliases.expand(kind)
        match = MEMDESC.search(kind)
        bits = _BITS.match(match[2]) if match is not None else None
        if match is None or bits is None or _OTHER_MEMORY.search(kind):
            return None
        block = _SharedBlock(tuple(map(int, match[1].split("x"))), int(bits[1]), kind)
        return block if 0 < block.size < 1 << SHARED_BITS else None

    # ---- maps ----

    def _created(self) -> dict[Any, CopiedBox | None]:
        """Return the boxes of the maps that are created, by where they are written; None if there are several."""
        boxes: dict[Any, CopiedBox | None] = {}
        for operation in self.source.operations:
            if operation.name != _CREATING:
                continue
            fields: dict[tuple[str, int | None], int | None] = {}
            for change in created_map(operation, self.definitions, ""):
                value, known = change.value if change.value.__class__ is tuple else (0, 0)
                is_known = known & ones(WORD) == ones(WORD)
                fields[change.change.field, change.change.dimension] = value if is_known else None
            place, box = _first(operation), written_box(fields)
            boxes[place] = box if place is not None and boxes.get(place, box) == box else None
        return boxes

    def _brought(self, descriptor: Any, block: _SharedBlock) -> tuple[CopiedBox | None, int | None]:
        """Return the box of the map of a copy, and the bytes that the copy brings."""
        layout = _LAYOUT.search(block.layout)
        if layout is None or int(layout[2]) != block.bits:
            return None, None
        made: Operation | None = None if descriptor is None else descriptor.operation
        box = self._boxes.get(_first(made)) if made is not None and made.name == _DESCRIBING else None
        row, swizzle = block.shape[-1] * block.bits // 8, int(layout[1])
        if box is None or not swizzle:
            return None, block.size
        across = max(1, row // swizzle)
        is_whole = across == 1 or box.box[0] * block.bits == swizzle * 8
        if max(block.shape[:-1], default=0) > _MOST_ROWS or not is_whole:
            return None, None
        return box, across * box_bytes(box)


class _Stage(NamedTuple):
    """The index of a stage."""

    value: Hashable


@lru_cache(256)
def _units(size: int) -> frozenset[int]:
    return frozenset(range(0, size, UNIT))


def _is_stage(leaf: Hashable) -> bool:
    return isinstance(leaf, _Stage)


def _never(_: Hashable) -> bool:
    return False


def _is_apart(
    barrier: LinearAddress, others: Mapping[Symbol | None, Collection[frozenset[tuple[Hashable, int]]]]
) -> bool:
    """Whether a barrier is one of the function's own, of which it is known if one of the others is the same.

    ``others``: the terms of each, by their bases.
    """
    base = _base(barrier)
    return base is not None and None not in others and not set(others.get(base, ())) - {barrier.terms}


def _of_copy(operation: Operation) -> tuple[str, ...] | None:
    """Return the names of the map, the destination, the barrier and the predicate of a copy."""
    segments = SEGMENT_SIZES.search(operation.text)
    if segments is None:
        names = named_values(_BRACKETS.sub("", operation.text.partition(" : ")[0]))
        return tuple(names) if len(names) == 4 else None
    sizes = [int(size) for size in segments[1].split(",")]
    names = named_values(operation.text.partition("{")[0])
    return (names[0], names[-2], names[-3], names[-1]) if sizes[3:] == [1, 1, 1] and sum(sizes) == len(names) else None


def _first(operation: Operation) -> MlirValue | None:
    """Return the first operand of an operation."""
    return operation.region.find(next(iter(named_values(operation.text)), ""))


def _base(at: LinearAddress) -> Symbol | None:
    return next((leaf for leaf, _ in at.terms if isinstance(leaf, Symbol)), None)
