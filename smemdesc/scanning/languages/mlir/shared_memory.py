"""What Triton's operations (TTGIR) copy to shared memory, which barriers wait for it, and what the MMAs read of it.

An allocation is a base, an index of its first dimension is a stage. A copy brings the block of its destination, in as
many boxes as its layout makes of it. Where another operation may tell a barrier what is not known here, or where it is
not known which barrier an operation names, nothing is said of their bytes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.engine.known import const
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.tensormap import DATA_TYPE
from smemdesc.layout.strides import UNIT
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol
from smemdesc.scanning.languages.mlir.aliases import Aliases, operation_types
from smemdesc.scanning.languages.mlir.lower import MlirDefinitions
from smemdesc.scanning.languages.mlir.text import MlirFunction, MlirValue, Operation, named_values
from smemdesc.scanning.languages.mlir.triton import CREATES_MAP, MEMDESC, SEGMENT_SIZES, TMA_COPY
from smemdesc.scanning.languages.mnemonics import TRITON
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Function
from smemdesc.scanning.shared_memory.analysis import with_shared_memory
from smemdesc.scanning.shared_memory.facts import (
    ANYWHERE,
    COMPLETE,
    COPY,
    EXPECT,
    SET_UP,
    SHARED_BITS,
    WAIT,
    NamedAddress,
    Region,
    SharedAccess,
    SharedFacts,
    SharedItem,
    box_bytes,
    written_box,
)
from smemdesc.scanning.shared_memory.reading import OperandRead
from smemdesc.tiles.box import BOX, TMA_TYPE
from smemdesc.tiles.reading import TYPE_OF
from smemdesc.tiles.tensor_map import CopiedBox

_ACTIONS = {
    TMA_COPY: COPY,
    "ttng.barrier_expect": EXPECT,
    "ttng.init_barrier": SET_UP,
    "ttng.wait_barrier": WAIT,
}
_ALLOCATING, _INDEXING = "ttg.local_alloc", ("ttg.memdesc_index", "ttg.memdesc_subview")
_VIEWS = ("ttg.memdesc_trans", "ttg.memdesc_reshape")
"""Operations whose result begins where their operand begins, and is as large."""
_DESCRIBING = "ttng.reinterpret_tensor_descriptor"
_CONCURRENT = "ttg.warp_specialize"
_WITHOUT_BYTES = frozenset(
    (
        *(_ALLOCATING, "ttg.local_dealloc", *_INDEXING, "scf.for", "scf.if", "scf.yield", _CONCURRENT),
        *("ttng.inval_barrier", "ttng.arrive_barrier"),
        *("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.tc_gen5_commit"),
    )
)
"""Operations on barriers that tell them no bytes, and are not read here."""
_BARRIER = "xi64,"
"""In its type."""
_COPIED = re.compile(
    r"#ttg\.nvmma_shared<\{swizzlingByteWidth = (\d+), transposed = false, elementBitWidth = (\d+)(?:, rank = \d+)?\}>"
)
_TENSOR = re.compile(r"!tt\.tensordesc<(?:tensor<)?(\d[\dx]*?)x([A-Za-z]\w*)\s*,")
_OTHER_MEMORY = re.compile(r"\btensor_memory|\bCGALayout|\bCTAsPerCGA|\bfp4Padded = true")
"""Not of the shared memory of one CTA, or with gaps."""
_NUMBER = re.compile(r"\bsize = (\d{1,9})\b|\bcount = (\d{1,9})\b|^%[^,]++, (\d{1,9})\b")
_BRACKETS = re.compile(r"\[[^][]*+\]")
_BITS = re.compile(r"[a-z]+(\d+)")
_MOST_VIEWS = 8


class _SharedBlock(NamedTuple):
    """A block of elements in shared memory, or of the tensor that a map copies."""

    shape: tuple[int, ...]
    element: str
    layout: str

    @property
    def bits(self) -> int:
        """Of an element."""
        bits = _BITS.match(self.element)
        return int(bits[1]) if bits is not None else 0

    @property
    def size(self) -> int:
        """Bytes of its elements."""
        return prod(self.shape) * self.bits // 8

    def box(self) -> CopiedBox | None:
        """Return the box of the map that copies it, as Triton makes it of its layout; None if that is not known."""
        layout = _COPIED.search(self.layout)
        mode = None if layout is None else MODE.get(f"{layout[1]}B")
        if layout is None or mode is None or int(layout[2]) != self.bits:
            return None
        *outer, row = [min(extent, BOX) for extent in self.shape]
        data_type = TMA_TYPE.get(TYPE_OF.get(self.element, ""), f"UINT{self.bits}")
        box = (min(row, mode.width * 8 // self.bits), *outer[::-1])
        return CopiedBox(data_type, mode.name, "none", box) if data_type in DATA_TYPE else None


class _StageIndex(NamedTuple):
    """The index of a stage."""

    value: Hashable


def with_triton_memory(
    judged: Function,
    source: MlirFunction,
    definitions: MlirDefinitions,
    aliases: Aliases,
    maps: Sequence[tuple[int, MapOperand]],
) -> Function:
    """Return a function with what its copies, barriers and MMAs say of each other.

    ``maps``: the fields of the maps that it creates, each with its line.
    """
    memory = _TritonMemory(judged, source, definitions, aliases, maps)
    # One operation reads a whole tile: those of two operations are two, even if they touch.
    blocks = range(len(judged.mmas))
    mmas, picture = with_shared_memory(judged.mmas, memory.reads(), memory.facts(), blocks)
    return judged._replace(mmas=mmas, shared=picture)


class _TritonMemory:
    def __init__(
        self,
        judged: Function,
        source: MlirFunction,
        definitions: MlirDefinitions,
        aliases: Aliases,
        maps: Sequence[tuple[int, MapOperand]],
    ) -> None:
        self.judged = judged
        self.source = source
        self.definitions = definitions
        self.aliases = aliases
        self._symbols: dict[MlirValue, Symbol] = {}
        self._names: set[str] = set()
        self._blocks = lru_cache(256)(self._read_block)
        self._addresses: dict[MlirValue, LinearAddress] = {}
        self._boxes = self._created(maps)

    def facts(self) -> SharedFacts:
        """Return the copies, the barriers and what they are told."""
        found = filter(None, (self._access(*numbered) for numbered in enumerate(self.source.operations)))
        return SharedFacts(
            accesses=tuple(found),
            parts=lambda leaf: (leaf,),
            width=lambda _: None,
            is_counter=lambda _: False,
            counter_step=lambda _: 0,
            constant_step=lambda _: 0,
            stage_step=lambda leaf: 1 if isinstance(leaf, _StageIndex) else None,
            is_changing=lambda leaf: isinstance(leaf, _StageIndex),
            is_of_thread=lambda _: False,
            may_follow=lambda first, second: True,
            is_whole=True,
        )

    def reads(self) -> Iterator[OperandRead]:
        """Yield what the MMAs read: the whole of A and of B."""
        numbers = {mma.line: number for number, mma in enumerate(self.judged.mmas)}
        for operation in self.source.operations:
            number = numbers.get(self.judged.line + operation.at)
            if operation.name not in TRITON or number is None or not self.judged.mmas[number].instruction.is_mma:
                continue
            operands, types = named_values(operation.text), operation_types(operation.text)
            for name, operand, kind in zip("ab", operands, types, strict=False):
                block = self._blocks(kind)
                if block is not None and getattr(self.judged.mmas[number], name) is not None:
                    yield OperandRead(number, name, self._address(operation, operand), _units(block.size))

    # ---- instructions ----

    def _access(self, number: int, operation: Operation) -> SharedAccess | None:
        """Return what an operation does to shared memory; None if that does not matter."""
        action = _ACTIONS.get(operation.name)
        if action is None:
            is_known = operation.name in _WITHOUT_BYTES or _BARRIER not in operation.text
            return None if is_known else self._unknown(number, operation)
        if action == COPY:
            return self._copy(number, operation)
        if action == WAIT:
            return self._found(number, operation, action, ANYWHERE, "")
        barrier, predicate, *_ = [*named_values(operation.text.partition(" : ")[0]), "", ""]
        at = self._address(operation, barrier)
        size = _NUMBER.search(operation.text)
        told = None if size is None else int(size[1] or size[2] or size[3])
        if action == EXPECT and (_own(at) is None or told is None):
            return self._unknown(number, operation)
        return self._found(number, operation, action, at, predicate, size=told)

    def _copy(self, number: int, operation: Operation) -> SharedAccess:
        names, block = _of_copy(operation), self._blocks(_result_type(operation))
        if names is None or block is None:
            return self._found(number, operation, COPY, ANYWHERE, "")
        map_name, to, barrier, predicate = names
        told = self._address(operation, barrier)
        descriptor = self._value(operation, map_name)
        box, size = self._brought(descriptor, operation, block)
        of_map = None if descriptor is None else LinearAddress(frozenset([(descriptor, 1)]), 0)
        at = self._address(operation, to)
        return self._found(number, operation, COPY, at, predicate, size=size, barrier=_own(told), map=of_map, box=box)

    def _unknown(self, number: int, operation: Operation) -> SharedAccess:
        """Return an operation that may tell any barrier any bytes."""
        return self._found(number, operation, COMPLETE, ANYWHERE, "")

    def _found(
        self, number: int, operation: Operation, action: str, at: LinearAddress, predicate: str, **known: Any
    ) -> SharedAccess:
        item = SharedItem(number, action, NamedAddress(None), multicast="multicast" in operation.text)
        text = f"{operation.name} {operation.text}".partition(" : ")[0].strip()
        values = {"size": None, "barrier": None, "map": None, "box": None, **known}
        return SharedAccess(
            *(item, self.judged.line + operation.at, text, self._region(operation, predicate), at),
            **values,
            by_thread=False,
            before_mma=True,
            after_mma=True,
        )

    def _region(self, operation: Operation, predicate: str) -> Region:
        """Return where an operation is: its block, and what its predicate is."""
        starts = operation.region.starts
        block = bisect([at for at, _ in starts], operation.at) if starts else 0
        holds = self.definitions.operand(operation.region, predicate) if predicate else None
        return Region(None, frozenset([((operation.region, block), True), (holds, True)]))

    # ---- values ----

    def _value(self, operation: Operation, name: str) -> MlirValue | None:
        """Return the value that a name means: of another view, what it is made of; of a value that is captured for
        some warps, the value itself."""
        value = operation.region.find(name)
        for _ in range(_MOST_VIEWS):
            made = None if value is None else value.operation
            if made is not None and made.name in _VIEWS:
                value = self._first(made)
            elif value is not None and made is None and value.block == "":
                owner, index = value.region.owner, list(value.region.values).index(value.name)
                captured = named_values(owner.text) if owner is not None and owner.name == _CONCURRENT else []
                if owner is None or index >= len(captured):
                    break
                value = owner.region.find(captured[index])
            else:
                break
        return value

    def _first(self, operation: Operation) -> MlirValue | None:
        """Return the first operand of an operation."""
        return self._value(operation, next(iter(named_values(operation.text)), ""))

    def _address(self, operation: Operation, name: str) -> LinearAddress:
        """Return an address: an allocation and a stage of it; a base of its own if that is not known."""
        value = self._value(operation, name)
        if value is None:
            return LinearAddress(frozenset([((operation.at, name), 1)]), 0)
        if value not in self._addresses:
            self._addresses[value] = self._address_of(value)
        return self._addresses[value]

    def _address_of(self, value: MlirValue) -> LinearAddress:
        unknown, made = LinearAddress(frozenset([(value, 1)]), 0), value.operation
        if made is None or made.name not in (_ALLOCATING, *_INDEXING):
            return unknown
        allocation = value if made.name == _ALLOCATING else self._first(made)
        if allocation is None or allocation.operation is None or allocation.operation.name != _ALLOCATING:
            return unknown
        base = (self._symbol(allocation), 1)
        if made.name == _ALLOCATING:
            return LinearAddress(frozenset([base]), 0)
        stage = self._stage(made, allocation.operation)
        if stage is None:
            return unknown
        index, size = stage
        if index.__class__ is not tuple:
            return LinearAddress(frozenset([base, (_StageIndex(index), size)]), 0)
        if index[1] & ones(WORD) != ones(WORD):
            return unknown
        return LinearAddress(frozenset([base]), index[0] * size & ones(SHARED_BITS))

    def _stage(self, view: Operation, allocation: Operation) -> tuple[Any, int] | None:
        """Return the index of the stage that is a view of an allocation, and the bytes of one; None if it is none."""
        block, whole = self._blocks(_result_type(view)), self._blocks(_result_type(allocation))
        if block is None or whole is None or block.size * whole.shape[0] != whole.size:
            return None
        index, *others = [self.definitions.operand(view.region, name) for name in named_values(view.text)[1:]]
        is_begin = all(other.__class__ is tuple and other == const(0, WORD) for other in others)
        return (index, block.size) if is_begin else None

    def _symbol(self, allocation: MlirValue) -> Symbol:
        if allocation not in self._symbols:
            line = self.judged.line + allocation.operation.at if allocation.operation is not None else 0
            taken = allocation.name in self._names
            self._names.add(allocation.name)
            self._symbols[allocation] = Symbol(f"{allocation.name} of line {line}" if taken else allocation.name)
        return self._symbols[allocation]

    def _read_block(self, kind: str) -> _SharedBlock | None:
        kind = self.aliases.expand(kind)
        match = MEMDESC.search(kind) or _TENSOR.search(kind)
        if match is None or _OTHER_MEMORY.search(kind):
            return None
        block = _SharedBlock(tuple(map(int, match[1].split("x"))), match[2], kind)
        return block if 0 < block.size < 1 << SHARED_BITS else None

    # ---- maps ----

    def _created(self, maps: Sequence[tuple[int, MapOperand]]) -> dict[Any, CopiedBox | None]:
        """Return the boxes of the maps that are created, by where they are written; None if there are several."""
        fields: dict[int, dict[tuple[str, int | None], int | None]] = {}
        for at, (change, operand, _) in maps:
            value, known = operand if operand.__class__ is tuple else (0, 0)
            is_known = known & ones(WORD) == ones(WORD)
            fields.setdefault(at, {})[change.field, change.dimension] = value if is_known else None
        boxes: dict[Any, CopiedBox | None] = {}
        for operation in self.source.operations if fields else ():
            if operation.name in CREATES_MAP:
                place, box = self._first(operation), written_box(fields.get(operation.at, {}))
                boxes[place] = box if place is not None and boxes.get(place, box) == box else None
        return boxes

    def _brought(
        self, descriptor: MlirValue | None, copy: Operation, block: _SharedBlock
    ) -> tuple[CopiedBox | None, int | None]:
        """Return the box of the map of a copy, and the bytes that the copy brings to a block."""
        made = None if descriptor is None else descriptor.operation
        own, of_map = block.box(), None
        if made is not None and made.name == _DESCRIBING:
            of_map = self._boxes.get(self._first(made))
        elif descriptor in self._boxes:
            of_map = self._boxes[descriptor]
        elif made is None:
            kinds = map(self.aliases.expand, operation_types(copy.text))
            copied = self._blocks(next(filter(_TENSOR.search, kinds), ""))
            of_map = None if copied is None else copied.box()
        if own is None or of_map is None or any(extent != 1 for extent in of_map.box[len(own.box) :]):
            return None, block.size if own is not None else None
        copies = prod(-(-extent // part) for extent, part in zip(block.shape[::-1], own.box, strict=True))
        return of_map, copies * box_bytes(of_map)


@lru_cache(256)
def _units(size: int) -> frozenset[int]:
    return frozenset(range(0, size, UNIT))


def _result_type(operation: Operation) -> str:
    """Return the type of what an operation makes, or to which it copies: the last one."""
    last = operation.text.rpartition(" -> ")[2]
    if MEMDESC.search(last) is None:
        last = next((kind for kind in operation_types(operation.text)[::-1] if MEMDESC.search(kind)), "")
    return last


def _own(at: LinearAddress) -> LinearAddress | None:
    """Return an address in an allocation of the function; None for another."""
    return at if any(isinstance(leaf, Symbol) for leaf, _ in at.terms) else None


def _of_copy(operation: Operation) -> tuple[str, ...] | None:
    """Return the names of the map, the destination, the barrier and the predicate of a copy."""
    segments = SEGMENT_SIZES.search(operation.text)
    if segments is None:
        names = named_values(_BRACKETS.sub("", operation.text.partition(" : ")[0]))
        return tuple(names) if len(names) == 4 else None
    sizes = [int(size) for size in segments[1].split(",")]
    names = named_values(operation.text.partition("{")[0])
    return (names[0], names[-2], names[-3], names[-1]) if sizes[3:] == [1, 1, 1] and sum(sizes) == len(names) else None
