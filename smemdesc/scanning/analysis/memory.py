"""Values that a function keeps in memory: spilled registers, local variables and arrays, for every front end.

A front end reports which instructions load or store how many bytes of a space (the stack of a thread, a local variable,
the target of an address), at an offset that is a number or, as in ``a[i]``, a value plus a number; and which
instructions may write spaces that they do not name. Here a space is cut into slots; every access at a known offset
covers a slot wholly or not at all. A slot is a register like any other (memory SSA): a store defines the slots that it
covers, one that may write a slot defines it as unknown, and a load combines slots.

If an offset is a value, a load returns what is certain for all possible offsets, and a store leaves in each slot what
is certain whether it wrote there or not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import UNKNOWN, Value, whole
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import GIVEN, Node, Results, inputs
from smemdesc.scanning.analysis.loops import Graph
from smemdesc.scanning.analysis.ssa import Block, Ssa, SsaStep, StepCode, Version

_BYTE = 8
DISTANCE = 32
FRAME = 1 << 19
"""Bytes of local memory of a thread: no address is farther from the start of a space."""
_PLACES = 64
"""How many possible offsets of an access are looked at."""
_MANY = 500_000
"""How many reads and writes of slots are followed."""
_NEAR = 20
"""How many of them an access at an unknown offset counts for, per slot."""


class SlotShape(tuple[tuple[int, int], ...]):
    """The start of each slot, in bytes from the first byte accessed, and its size in bytes."""


class Access(NamedTuple):
    """An instruction that loads or stores registers, which are consecutive in memory."""

    loads: bool
    space: Hashable
    offset: int
    word: int
    """Bytes of each register in memory."""
    data: tuple[Any, ...]
    """The registers, in memory order. A stored one may be a constant; None: loaded, but not kept."""
    width: int
    """Bits to which a load widens."""
    signed: bool = False
    near: tuple[Any, ...] = ()
    """Registers of :data:`DISTANCE` bits, low word first, with a number that is added to ``offset``."""

    @property
    def size(self) -> int:
        """Bytes of all registers."""
        return self.word * len(self.data)


class MemoryCopy(NamedTuple):
    """An instruction that copies bytes from one variable to another, or fills bytes with one value."""

    to: Hashable
    offset: int
    size: int
    of: Hashable
    """The source; None: a fill with the byte ``at``."""
    at: int


class Forget(NamedTuple):
    """An instruction that may write anything into a variable, or (None) into every escaped variable."""

    space: Hashable = None


class _Slot(NamedTuple):
    start: int
    size: int
    name: str


class Slots:
    """The slots of all spaces that are both stored to and loaded from.

    ``copies`` of bytes do both.
    """

    def __init__(self, accesses: Iterable[Access], copies: Iterable[MemoryCopy] = ()) -> None:
        cuts: dict[Hashable, set[int]] = {}
        covered: dict[Hashable, set[int]] = {}
        stored: dict[Hashable, None] = {}
        loaded: set[Hashable] = set()
        for access in accesses:
            if access.loads:
                loaded.add(access.space)
            else:
                stored[access.space] = None
            if not access.near:
                end = access.offset + access.size
                cuts.setdefault(access.space, set()).update(range(access.offset, end + 1, access.word))
                covered.setdefault(access.space, set()).update(range(access.offset, end))
        for copy in copies:
            stored[copy.to] = None
            loaded.add(copy.of)
            if copy.to in cuts:
                cuts[copy.to].update((copy.offset, copy.offset + copy.size))
        self.of = {
            space: [
                _Slot(start, end - start, f"[{space} {start:#x}]")
                for start, end in pairwise(sorted(cuts[space]))
                if start in covered[space]
            ]
            for space in stored
            if space in loaded and space in cuts
        }
        """By space."""
        self._starts = {space: [slot.start for slot in slots] for space, slots in self.of.items()}

    @property
    def spaces(self) -> Iterable[Hashable]:
        """All spaces that have slots."""
        return self.of.keys()

    def names(self, space: Hashable) -> tuple[str, ...]:
        """Return the names of the slots of a space."""
        return tuple([slot.name for slot in self.of.get(space, ())])

    def within(self, space: Hashable, offset: int, size: int) -> list[_Slot]:
        """Return the slots that begin within ``size`` bytes from ``offset``."""
        starts = self._starts.get(space, [])
        return self.of[space][bisect_left(starts, offset) : bisect_left(starts, offset + size)] if starts else []

    def load(self, access: Access) -> SsaStep:
        """Return the step of a load."""
        parts = []
        for place, register in enumerate(access.data):
            if register is None:
                continue
            at = access.offset + place * access.word
            slots = self.of[access.space] if access.near else self.within(access.space, at, access.word)
            shape = tuple([(slot.start - at, slot.size) for slot in slots])
            transfer = _loading(len(access.near), shape, access.word, access.width, access.signed)
            parts.append((register, (*access.near, *(slot.name for slot in slots)), transfer))
        return step_effect(parts)

    def store(self, access: Access, aliases: Iterable[str] = ()) -> SsaStep:
        """Return the step of a store.

        ``aliases``: the slots of other spaces that may be the same bytes; nothing is known of them after it.
        """
        parts = self._stored_at_distance(access) if access.near else self._stored(access)
        return step_effect([*parts, *((name, (), GIVEN(UNKNOWN)) for name in aliases)])

    def _stored(self, access: Access) -> Iterator[MadeOf]:
        """Yield each slot that a store at a known offset covers: it is a part of one register."""
        for slot in self.within(access.space, access.offset, access.size):
            place, start = divmod(slot.start - access.offset, access.word)
            yield slot.name, (access.data[place],), _storing(start, slot.size)

    def _stored_at_distance(self, access: Access) -> Iterator[MadeOf]:
        """Yield each slot after a store at an offset that is a value: it may have been written, wholly or not."""
        for slot in self.of[access.space]:
            start = slot.start - access.offset
            transfer = _storing_near(len(access.near), start, slot.size, access.word, len(access.data))
            yield slot.name, (*access.near, *access.data, slot.name), transfer

    def copy(self, copy: MemoryCopy) -> SsaStep:
        """Return the step of a copy or a fill."""
        parts: list[MadeOf] = []
        for slot in self.within(copy.to, copy.offset, copy.size):
            if copy.of is None:
                number = int.from_bytes(bytes([copy.at]) * slot.size, "little")
                parts.append((slot.name, (known.const(number, _BYTE * slot.size),), _storing(0, slot.size)))
                continue
            start = slot.start - copy.offset + copy.at
            slots = self.within(copy.of, start, slot.size)
            shape = tuple([(slot.start - start, slot.size) for slot in slots])
            transfer = _loading(0, shape, slot.size, _BYTE * slot.size, False)
            parts.append((slot.name, tuple([slot.name for slot in slots]), transfer))
        return step_effect(parts)


MadeOf = tuple[Any, tuple[Any, ...], Node]
"""A register, what it is computed from, and the expression."""


def step_effect(parts: Sequence[MadeOf]) -> SsaStep:
    """Return the step that writes registers, each computed from some others."""
    writes = tuple([register for register, _, _ in parts])
    if len(parts) == 1:
        return SsaStep(writes, *parts[0][1:])
    reads: dict[Any, int] = {}
    expressions = [
        (tuple([reads.setdefault(read, len(reads)) for read in names]), transfer) for _, names, transfer in parts
    ]
    return SsaStep(writes, tuple(reads), Results(tuple(expressions)))


def parts_of(step: SsaStep) -> list[MadeOf]:
    """Return the registers that an instruction writes, each with what it is computed from."""
    if isinstance(step.transfer, Results):
        parts = zip(step.writes, step.transfer.parts, strict=True)
        return [(to, tuple([step.reads[place] for place in places]), transfer) for to, (places, transfer) in parts]
    return [(to, step.reads, step.transfer) if step.transfer else (to, (), GIVEN(UNKNOWN)) for to in step.writes]


def _loading(near: int, shape: tuple[tuple[int, int], ...], word: int, width: int, signed: bool) -> Node:
    """Return the expression that loads a register from slots, after ``near`` registers with the distance."""
    reads = inputs(near + len(shape))
    if not near and shape == ((0, word),):
        loaded = ir.CUT(reads[0], _BYTE * word)
    else:
        loaded = LOAD(*reads[near:], *reads[:near], near, SlotShape(shape), word, _BYTE, DISTANCE)
    return loaded if word * _BYTE == width else ir.EXTEND(loaded, word * _BYTE, width, signed)


def _load_moves(
    values: Sequence[Value], registers: int, shape: SlotShape, word_bytes: int, byte_bits: int, register_bits: int
) -> ir.MoveSets:
    """Return what a load takes from slots, for each possible distance; :data:`LOAD` has the operands."""
    distances = _distances(values[len(shape) :], register_bits) if registers else [0]
    if distances is None:
        return None
    word = ones(byte_bits * word_bytes)
    return [
        [
            (slot, byte_bits * (start - distance), word & ir.up(ones(byte_bits * size), byte_bits * (start - distance)))
            for slot, (start, size) in enumerate(shape)
        ]
        for distance in distances
    ]


def _distances(registers: Sequence[Value], register_bits: int) -> list[int] | None:
    """Return the possible distances of an address from its base, in bytes; None if too many.

    ``registers``: the word, or the low and the high word, of the distance, which is signed.
    """
    value = low = whole(registers[0], register_bits)
    if len(registers) == 2:
        high = registers[1]
        if high[1] & ones(register_bits) != ones(register_bits):
            return None
        value = known.join(low, high, register_bits)
        if len(low) == 5:
            above = (high[0] & ones(register_bits)) << register_bits
            value = (*value[:2], None, above | low[3], above | low[4])
    width = register_bits * len(registers)
    numbers = known.choices(value, width)
    if numbers is None or len(numbers) > _PLACES:
        return None
    distances = [number - (number >> width - 1 << width) for number in numbers]
    return distances if min(map(abs, distances)) < FRAME else None


def _storing(start: int, size: int) -> Node:
    """Return the expression that stores some bytes of a register."""
    return ir.FIELD(ir.IN[0], _BYTE * start, _BYTE * size) if start else ir.CUT(ir.IN[0], _BYTE * size)


def _storing_near(near: int, start: int, size: int, word: int, count: int) -> Node:
    """Return the expression of a slot after a store of registers at an unknown offset, which may leave it unchanged."""
    reads = inputs(near + count + 1)
    return STORE(*reads[near:], *reads[:near], near, start, size, word, _BYTE, DISTANCE)


def _store_moves(
    values: Sequence[Value], registers: int, start: int, size: int, word_bytes: int, byte_bits: int, register_bits: int
) -> ir.MoveSets:
    """Return what a store leaves in a slot, for each possible distance; :data:`STORE` has the operands.

    The bytes of the slot that no stored word covers keep what they held.
    """
    distances = _distances(values[-registers:], register_bits)
    if distances is None:
        return None
    slot = ones(byte_bits * size)
    old = len(values) - registers - 1  # the place of what the slot held, after the stored words
    every: list[list[ir.BitMove]] = []
    for distance in distances:
        moves: list[ir.BitMove] = []
        kept = slot
        for word in range(old):
            shift = byte_bits * (distance + word * word_bytes - start)
            covered = slot & ir.up(ones(byte_bits * word_bytes), shift)
            if covered:
                moves.append((word, shift, covered))
                kept &= ~covered
        every.append([*moves, (old, 0, kept)])
    return every


LOAD = ir.moving(
    "load",
    None,
    _load_moves,
    lambda registers, shape, word_bytes, byte_bits, _: byte_bits * word_bytes,
    lambda registers, *_: registers,
    lambda registers, shape, word_bytes, byte_bits, register_bits: register_bits,
    empty=0,
)
"""``(slots..., distance...; registers, shape, word_bytes, byte_bits, register_bits)``: a word from slots, at a distance
(in bytes) in one or two ``registers``. ``shape``: the place of each slot at distance 0."""
STORE = ir.moving(
    "store",
    None,
    _store_moves,
    lambda registers, start, size, word_bytes, byte_bits, _: byte_bits * size,
    lambda registers, *_: registers,
    lambda registers, start, size, word_bytes, byte_bits, register_bits: register_bits,
)
"""``(words..., old, distance...; registers, start, size, word_bytes, byte_bits, register_bits)``: a slot of ``size``
bytes over which words may be stored. At distance 0 the first word lies ``start`` bytes before the slot."""


class Pointer(NamedTuple):
    """The address of a byte of a variable."""

    space: Hashable
    offset: int = 0
    near: tuple[Any, ...] = ()
    """A number that is added to the offset."""


class Distance(NamedTuple):
    """The distance of a pointer from the start of its variable: a name like the name of a value."""

    pointer: Hashable


def sum_of_address(scales: Sequence[int], widths: Sequence[int]) -> Node:
    """Return the expression that adds signed counts of ``widths`` bits, each times its scale, to an address."""
    start, *counts = inputs(1 + len(scales))
    for scale, width, count in zip(scales, widths, counts, strict=True):
        wide = ir.EXTEND(count, width, DISTANCE, True) if width < DISTANCE else ir.CUT(count, DISTANCE)
        start = ir.ADD(start, ir.MULTIPLY(wide, known.const(scale, DISTANCE), DISTANCE), known.FALSE, DISTANCE)
    return start


class Locals:
    """The local variables of a function whose values have names: memory in SSA form.

    A front end records, in execution order within a block, the instructions that access variables or may. Then
    :meth:`define` returns how a loaded value follows from other values.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.escaped: set[Hashable] = set()
        """The variables whose address escapes: instructions that do not name them may write them."""
        self._distances: dict[Any, Definition] = {}
        self._events: list[tuple[int, int, Access | MemoryCopy | Forget]] = []

    def move(self, name: Hashable, pointer: Pointer, definition: Definition | None) -> Pointer:
        """Return the pointer ``name`` that an instruction computes from another by ``definition``, which reads that
        first.

        ``definition`` is None if the distance is unknown.
        """
        if definition is None or definition.transfer is None:
            return pointer._replace(near=(UNKNOWN,))
        start, *counts = definition.reads
        if not pointer.near and all(count.__class__ is tuple for count in counts):
            bits, mask = definition.transfer(known.const(pointer.offset, DISTANCE), *counts)[:2]
            if mask & ones(DISTANCE) == ones(DISTANCE):
                return pointer._replace(offset=bits - (bits >> DISTANCE - 1 << DISTANCE))
        start = pointer.near[0] if pointer.near else known.const(0, DISTANCE)
        self._distances[Distance(name)] = definition._replace(reads=(start, *counts))
        return pointer._replace(near=(Distance(name),))

    def record(self, block: int, at: int, what: Access | MemoryCopy | Forget) -> None:
        """Record what an instruction of a block does; ``at`` is its line."""
        self._events.append((block, at, what))

    def finish(self) -> Locals | None:
        """Return self after all is recorded; None if nothing is loaded, or there is too much to follow."""
        copies = [event for _, _, event in self._events if isinstance(event, MemoryCopy)]
        accesses = [event for _, _, event in self._events if isinstance(event, Access)]
        slots = Slots(accesses, copies)
        every = tuple(name for space in slots.spaces if space in self.escaped for name in slots.names(space))
        effects: list[list[tuple[int, SsaStep]]] = [[] for _ in self.graph.following]
        loads = False
        left = _MANY
        for block, at, event in self._events:
            if isinstance(event, Access):
                if event.space not in slots.spaces:
                    continue
                left -= _NEAR * len(slots.of[event.space]) if event.near else 0
                if left < 0:
                    break
                loads = loads or event.loads
                effect = slots.load(event) if event.loads else slots.store(event)
            elif isinstance(event, MemoryCopy):
                effect = slots.copy(event)
            else:
                effect = SsaStep(every if event.space is None else slots.names(event.space))
            left -= len(effect.writes) + len(effect.reads)
            effects[block].append((at, effect))
        if left < 0 or not loads:
            return None
        self._ssa = _SlotVersions(self.graph.following, effects, slots)
        return self

    def define(self, name: Any) -> Definition | None:
        """Return how a slot, a distance or a loaded value follows from others; None for all else."""
        if isinstance(name, Version):
            return self._ssa.define(name)
        return self._distances.get(name) or self._ssa.load(name)

    def incoming(self, slot: Version) -> Iterator[tuple[int, Version]]:
        """Yield the incoming values of a slot that merges others, each after the block from which it comes."""
        return self._ssa.incoming(slot)


class _SlotVersions(Ssa):
    """The versions of slots: all other reads are names of their own."""

    def __init__(
        self, following: Sequence[Sequence[int]], effects: Sequence[list[tuple[int, SsaStep]]], slots: Slots
    ) -> None:
        bits: dict[Any, int] = {slot.name: _BYTE * slot.size for of_space in slots.of.values() for slot in of_space}
        blocks, steps, self.lines = list[Block](), list[SsaStep](), list[int]()
        for to, own in zip(following, effects, strict=True):
            block = Block(len(steps))
            block.entry, block.following = not blocks, list(to)
            blocks.append(block)
            steps += [step for _, step in own]
            self.lines += [at for at, _ in own]
        super().__init__(blocks, StepCode(steps, bits), len(steps))
        self.slots = frozenset(bits)
        self.loads = {name: index for index, step in enumerate(steps) for name in step.writes if name not in self.slots}

    def load(self, name: Any) -> Definition | None:
        """Return how a loaded value follows from others; None if the name is not loaded."""
        index = self.loads.get(name)
        return None if index is None else self.define(self._version(self.block_of(index), index, name))

    def define(self, version: Any) -> Definition | None:
        """Return how a version follows from others, with its line."""
        origin = super().define(version)
        return origin if origin is None or version.index < 0 else origin._replace(at=self.lines[version.index])

    def read(self, register: Any, index: int) -> Any:
        """Return the version of a slot before a step."""
        return super().read(register, index) if register in self.slots else register
