"""The instructions of a function that write shared memory, or wait for it, with their addresses and byte counts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import gcd, prod
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.tensormap import DATA_TYPE, DIMENSIONS, REPLACED_CODES
from smemdesc.layout.strides import UNIT
from smemdesc.scanning.analysis.conditions import Condition
from smemdesc.scanning.analysis.division import Remainder
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import CUT, IN
from smemdesc.scanning.analysis.operands import Operands
from smemdesc.scanning.analysis.provenance import merges
from smemdesc.scanning.analysis.ssa import Register, Ssa, Version
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol, UpperBits
from smemdesc.scanning.model import MapChange
from smemdesc.scanning.model.shared_memory import GivenMaps
from smemdesc.scanning.shared_memory.order import MmaOrder
from smemdesc.scanning.shared_memory.stages import RingStage, StageFinder
from smemdesc.tiles.tensor_map import CopiedBox

SOMEWHERE = Symbol("?")
"""What is unknown of an address of which nothing is known."""
ANYWHERE = LinearAddress(frozenset([(SOMEWHERE, 1)]), 0)
"""Such an address."""
SHARED_BITS = 18
"""Bits of an address in the shared memory of a CTA (PTX ISA, matrix-descriptor-encode)."""
COPY, EXPECT, ARRIVE, SET_UP, SLOT, LOAD, CHANGE, MAP = (
    *("copies", "expects", "arrives", "sets up a barrier", "allocates", "loads"),
    *("changes a map", "copies a map"),
)
WRITE, COMPLETE, WAIT = "writes", "completes on a barrier", "waits"
"""What an instruction does that is no copy from global memory. A call may do all three."""
"""What an instruction does."""


class NamedAddress(NamedTuple):
    """An operand in the names of a front end: a register, a constant or a :class:`Symbol`, and what is added to it."""

    name: Any
    plus: int = 0
    second: Any = None
    """A second register."""

    @property
    def names(self) -> tuple[Any, ...]:
        """The registers or constants."""
        return tuple([name for name in (self.name, self.second) if name is not None and not isinstance(name, Symbol)])


UNKNOWN_PLACE = NamedAddress(SOMEWHERE)
"""An operand of which nothing is known."""
_GATHERED_ROWS = 4


def copied_boxes(form: str) -> int:
    """Return how many times the box of its map a copy by TMA writes, by its name; 0 if another shape is written."""
    return _GATHERED_ROWS if "gather4" in form else int("im2col" not in form and "scatter4" not in form)


class SharedItem(NamedTuple):
    """An instruction that writes shared memory or waits for it, as a front end names its operands."""

    number: int
    """Of the instruction in its function."""
    action: str
    at: NamedAddress
    """What it writes: the destination of a copy, a barrier, the slot of an allocation; a map in global memory."""
    size: NamedAddress | None = None
    """The bytes of a copy that names them, the bytes that are expected, or the arrivals of a barrier."""
    barrier: NamedAddress | None = None
    map: NamedAddress | None = None
    """The address of the tensor map; for :data:`MAP`, of its original in shared memory."""
    by_map: bool = False
    """Whether a tensor map says what is copied."""
    multicast: bool = False
    boxes: int = 1
    """How many boxes of its map a copy brings; 0: that is not known."""
    is_state: bool = False
    """Whether the size is the upper half of a barrier that is set up, which holds the arrivals."""
    arrivals: int | None = 1
    """How many an instruction that arrives or expects adds; None: one for each thread that executes it."""

    @property
    def operands(self) -> tuple[NamedAddress, ...]:
        """All of them."""
        return tuple([each for each in (self.at, self.size, self.barrier, self.map) if each is not None])


class Region(NamedTuple):
    """Where an instruction is: two of one region are executed equally often."""

    loop: int | None
    """The block at the head of its innermost loop."""
    conditions: frozenset[tuple[Hashable, bool]]
    """The predicates that hold there and do not depend on the thread alone."""


_NOWHERE = Region(None, frozenset())


class SharedAccess(NamedTuple):
    """A :class:`SharedItem` with what is known of its operands."""

    item: SharedItem
    line: int
    text: str
    region: Region
    at: LinearAddress
    size: int | None
    barrier: LinearAddress | None
    map: LinearAddress | None
    box: CopiedBox | None
    by_thread: bool
    """Whether the destination, or the barrier, depends on the thread."""
    before_mma: bool
    """Whether an MMA may be executed after it."""
    after_mma: bool
    """Whether it may be executed after an MMA."""


class SharedFacts(NamedTuple):
    """All of a function, in the order of the text."""

    accesses: tuple[SharedAccess, ...]
    parts: Callable[[Hashable], tuple[Hashable, ...]]
    """Returns the values of which an unknown value of an address is made; itself if it is none of their sum."""
    width: Callable[[Hashable], int | None]
    """How many bits an unknown value has; None: that is not known."""
    is_counter: Callable[[Hashable], bool]
    """Whether a value is a merge to which each iteration adds a number, so that it never returns to a former one."""
    counter_step: Callable[[Hashable], int]
    """How much a loop adds to a value that it never sets back; 0: it does, or that is not known."""
    constant_step: Callable[[Hashable], int]
    """How far apart the constants are of which a value is one after the other; 0: it is another value, too."""
    stage_step: Callable[[Hashable], int | None]
    """How much a loop adds to a value, or to the constant with which it begins again; None if it does not begin again,
    or if that is not known."""
    is_changing: Callable[[Hashable], bool]
    """Whether a loop changes a value."""
    is_of_thread: Callable[[Hashable], bool]
    """Whether a value depends on the thread."""
    may_follow: Callable[[int, int], bool]
    """Whether the second of two instructions may be executed after the first."""
    is_whole: bool = False
    """Whether all copies are in the text, and variables of different names are different memory."""
    maps: tuple[tuple[str, CopiedBox | None], ...] = ()
    """The names of the maps that the text does not contain, and what they copy, if they were given."""


def followed_items(items: Sequence[SharedItem], order: MmaOrder) -> list[SharedItem]:
    """Return the instructions that matter: not what threads write after all MMAs. If they write much before, nothing is
    known of it: few words may be other than a tile."""
    writes = [item for item in items if item.action == WRITE and _may_fill_tile(item, order)]
    unknown = [item._replace(at=NamedAddress(SOMEWHERE), size=None) for item in writes[:1]]
    return [item for item in items if item.action != WRITE] + (writes if len(writes) <= _MOST_WRITES else unknown)


def _may_fill_tile(item: SharedItem, order: MmaOrder) -> bool:
    return order.is_before_mma(item.number) or not order.is_after_mma(item.number)


def shared_values(ssa: Ssa, items: Iterable[SharedItem]) -> dict[tuple[int, Any], Any]:
    """Return the values, in SSA form, of the operands of instructions, by instruction and name."""
    return {
        (item.number, name): _value(ssa, name, item.number)
        for item in items
        for operand in item.operands
        for name in operand.names
    }


_MOVES = (IN[0], CUT(IN[0], WORD))


def _value(ssa: Ssa, name: Any, index: int) -> Any:
    """Return the value of a register that an instruction reads; of a copy of another, under the same predicate, what
    that was then."""
    guard = ssa.code.guard(index)
    value = ssa.value(name, index, guard)
    while guard is not None and isinstance(value, Version) and value.index >= 0:
        step = ssa.code.step(value.index, value.register)
        is_move = step.transfer in _MOVES and len(step.reads) == 1 and step.reads[0].__class__ is not tuple
        if not is_move or ssa.code.guard(value.index) is not None:
            break
        if ssa.read(guard.predicate, value.index) != ssa.read(guard.predicate, index):
            break
        value = ssa.value(step.reads[0], value.index, guard)
    return value


class FactFinder:
    """Finds the facts of a function, given its values."""

    def __init__(
        self,
        ssa: Ssa,
        operands: Operands,
        values: dict[Any, Any],
        order: MmaOrder,
        changes: Mapping[int, Sequence[MapChange]],
        map_bits: int = 2 * WORD,
    ) -> None:
        """``values``: those of :func:`shared_values`; ``changes``: of tensor maps, by their instructions;
        ``map_bits``: the lower bits of the address of a map that its operand holds."""
        self.map_bits = map_bits
        assert operands.starts is not None
        self.ssa = ssa
        self.operands = operands
        self.starts = operands.starts
        self.stages = StageFinder(operands.names, operands.starts)
        self.values = values
        self.order = order
        self.changes = changes
        loops = ssa.graph.loops()
        turns = {loop.header for loop in loops if len(loop.body) == 1 and self._takes_turns(loop.header)}
        self.loops = [loop for loop in loops if loop.header not in turns]
        self._begins = [
            block.at for number, block in enumerate(ssa.blocks) if number not in turns and number - 1 not in turns
        ]
        self._addresses: dict[tuple[Any, int, int], LinearAddress] = {}
        self._sources: dict[Any, frozenset[str]] = {}
        self._conditions: dict[int, frozenset[tuple[Hashable, bool]]] = {}
        """What holds in a block, apart from what depends on the thread alone."""

    def facts(self, items: Sequence[SharedItem], given: GivenMaps = ()) -> SharedFacts:
        """Return what is known of instructions; ``given``: the maps in parameters."""
        maps = self._maps(items)
        accesses = [self._access(item, maps) for item in items if item.action not in (CHANGE, MAP)]
        written = set(map(self._of_parameters, maps))
        named = {at: name for at, name in parameter_names(accesses).items() if at not in written}
        boxes = {
            at: box
            for number, (at, name) in enumerate(named.items())
            for key, box in given
            if key in (name, str(number))
        }
        accesses = [each._replace(box=boxes[each.map]) if each.map in boxes else each for each in accesses]
        return SharedFacts(
            accesses=tuple(accesses),
            parts=self.starts.parts,
            width=self.starts.width,
            is_counter=lambda leaf: not isinstance(leaf, RingStage) and self.starts.is_counter(leaf),
            counter_step=self.counter_step,
            constant_step=self.constant_step,
            stage_step=self.stage_step,
            is_changing=self.is_changing,
            is_of_thread=self.is_of_thread,
            may_follow=self.order.may_follow,
            maps=tuple([(name, boxes.get(at)) for at, name in named.items()]),
        )

    def _order(self, index: int) -> tuple[bool, bool]:
        return self.order.is_before_mma(index), self.order.is_after_mma(index)

    def _access(self, item: SharedItem, maps: dict[LinearAddress, CopiedBox | None]) -> SharedAccess:
        if item.action == WAIT:
            nothing = LinearAddress(frozenset(), 0)
            return SharedAccess(item, 0, "", _NOWHERE, nothing, *(None, None, None, None), *(False, False, False))
        line, text = self.place_of(item) or (0, "")
        at = self.address(item, item.at)
        barrier = None if item.barrier is None else self.address(item, item.barrier)
        of_map = None if item.map is None else self.address(item, item.map, self.map_bits)
        box = None if of_map is None else maps.get(of_map)
        by_thread = any(self.is_of_thread(leaf) for of in (at, barrier) if of for leaf, _ in of.terms)
        found = at, self._size(item), barrier, of_map and self._of_parameters(of_map), box, by_thread
        region = self.region(item.number) if item.action in (COPY, EXPECT, ARRIVE) else _NOWHERE
        return SharedAccess(item, line, text, region, *found, *self._order(item.number))

    def place_of(self, item: SharedItem) -> tuple[int, str] | None:
        """Return the line of an instruction, and how it is shown."""
        return self.operands.place(item.number)

    def _of_parameters(self, at: LinearAddress) -> LinearAddress:
        """Return the address of a map with each parameter by its name: every instruction that reads it gives a value
        of its own."""
        terms = [(self._parameter(leaf) or leaf, times) for leaf, times in at.terms]
        return at._replace(terms=frozenset(terms))

    def _parameter(self, leaf: Hashable) -> Symbol | None:
        definition = None if isinstance(leaf, Symbol) else self.operands.names.definition(leaf)
        place = None if definition is None or definition.merges else self.operands.place(definition.at)
        match = place and _PARAMETER.search(place[1])
        if match is None or _RETURNED.search(match[0]):
            # What a function returns has the form of a parameter, and is another value after each call.
            return None
        return Symbol(next(filter(None, match.groups())))

    def address(self, item: SharedItem, operand: NamedAddress, bits: int = SHARED_BITS) -> LinearAddress:
        """Return an address as a sum."""
        if isinstance(operand.name, Symbol):
            return LinearAddress(frozenset([(operand.name, 1)]), operand.plus & ones(bits))
        return self._sum_of([self.values[item.number, name] for name in operand.names], operand.plus, bits)

    def descriptor_start(self, index: int, register: Register) -> LinearAddress:
        """Return the start address in the descriptor that an instruction reads from a register."""
        value = self.ssa.value(register, index, self.ssa.code.guard(index))
        return self.of_value(value, SHARED_BITS, UNIT)

    def of_value(self, value: Any, bits: int, unit: int = 1) -> LinearAddress:
        """Return the address that a value holds in units of so many bytes."""
        return self._sum_of([value], 0, bits, unit)

    def _sum_of(self, values: Sequence[Any], plus: int, bits: int, unit: int = 1) -> LinearAddress:
        """Return the address that values hold together, in units of so many bytes."""
        at = LinearAddress(frozenset(), plus & ones(bits))
        for value in values:
            at = at.added(self._address(value, bits, unit), bits)
        if bits != SHARED_BITS or not any(isinstance(leaf, UpperBits) for leaf, _ in at.terms):
            return at
        return self.stages.in_stages(values, plus, bits, unit) or at

    def _address(self, value: Any, bits: int, unit: int) -> LinearAddress:
        key = value, bits, unit
        if key not in self._addresses:
            field = ones(bits - unit.bit_length() + 1)
            is_known = value.__class__ is not tuple or value[1] & field == field
            self._addresses[key] = self.starts.address(value, bits, unit) if is_known else ANYWHERE
        return self._addresses[key]

    def _size(self, item: SharedItem) -> int | None:
        if item.size is None:
            return None
        value = self.values.get((item.number, item.size.name))
        bits, known = self.operands.names.known(value)[:2]
        if known & ones(WORD) != ones(WORD):
            return None
        number = bits & ones(WORD)
        return -(number >> _STATE_SHIFT) & ones(_ARRIVAL_BITS) if item.is_state else number

    # ---- regions ----

    def _takes_turns(self, block: int) -> bool:
        """Whether a block is repeated for one thread after the other: each executes it once."""
        end = self.ssa.blocks[block + 1].at if block + 1 < len(self.ssa.blocks) else self.ssa.blocks[block].at
        places = map(self.operands.place, range(self.ssa.blocks[block].at, end))
        return any(place is not None and _TURNS in place[1] for place in places)

    def block(self, index: int) -> int:
        """Return the number of the part of the code without a branch that an instruction is in; threads that take
        turns do not end it."""
        return bisect_right(self._begins, index)

    def region(self, index: int) -> Region:
        """Return the region of an instruction."""
        block = self.ssa.block_of(index)
        loop = next((loop.header for loop in self.loops if block in loop.body), None)
        return Region(loop, self._conditions_in(block) | self._uncertain(self.ssa.conditions_of(index)))

    def _conditions_in(self, block: int) -> frozenset[tuple[Hashable, bool]]:
        """Return the conditions of the branches that lead to a block; of many, the last block that has them all."""
        way: list[int] = []
        at: int | None = block
        while at is not None and at not in self._conditions:
            way.append(at)
            at = self.ssa.dominator(at)
        known = frozenset[tuple[Hashable, bool]]() if at is None else self._conditions[at]
        for to in reversed(way):
            more = frozenset() if at is None else self._uncertain(self.ssa.conditions_from(at, to))
            known = known | more if more else known
            at, self._conditions[to] = to, known if len(known) < _MOST_CONDITIONS else frozenset([(to, True)])
            known = self._conditions[to]
        return known

    def _uncertain(self, holding: Mapping[Any, bool]) -> frozenset[tuple[Hashable, bool]]:
        return frozenset([(name, holds) for name, holds in holding.items() if not self._is_certain(name)])

    def _is_certain(self, predicate: Any) -> bool:
        """Whether a predicate depends on the thread and on nothing else, or ends a wait."""
        if isinstance(predicate, Condition):
            return all(self.sources(name) <= {"thread"} for name in predicate.reads)
        definition = self.ssa.define(predicate)
        place = None if definition is None else self.operands.place(definition.at)
        waits = place is not None and _WAIT.search(place[1]) is not None
        return waits or self.sources(predicate) <= {"thread"}

    def sources(self, leaf: Hashable) -> frozenset[str]:
        """Return what a value depends on: ``thread``, ``loop``, or ``other``."""
        if isinstance(leaf, RingStage):
            leaf = leaf.value
        if leaf not in self._sources:
            found: set[str] = set()
            waiting = list(self.starts.parts(leaf))
            seen = set(waiting)
            for name in waiting:
                if isinstance(name, Symbol) or name.__class__ is tuple:
                    continue
                if len(seen) > _LOOKED_AT:
                    found.add("other")
                    break
                if name in self._sources:
                    found |= self._sources[name]
                    continue
                # Of the first value of a round, the solved definition may be a number of rounds.
                solved = None if self.is_merge(name) else self.operands.names.definition(name)
                definition = solved or self.ssa.define(name)
                if definition is None:
                    found.add("other")
                    continue
                if definition.merges:
                    found.add("loop")
                elif all(read.__class__ is tuple for read in definition.reads):
                    found |= self._source(definition)
                for read in definition.reads:
                    if read not in seen:
                        seen.add(read)
                        waiting.append(read)
            self._sources[leaf] = frozenset(found)
        return self._sources[leaf]

    def is_merge(self, name: Any) -> bool:
        """Whether a value merges others."""
        return isinstance(name, Version) and name.index < 0

    def _source(self, definition: Definition) -> set[str]:
        """Return what a value depends on that is computed from no other."""
        place = self.operands.place(definition.at)
        if place is not None and _THREAD.search(place[1]):
            return {"thread"}
        constant = definition.reads and self.ssa.code.cause(definition.at) is None
        return set() if constant else {"other"}

    def counter_step(self, leaf: Hashable) -> int:
        """Return how much a loop adds to a value that it never sets back; 0: it does, or that is not known."""
        is_counter = not isinstance(leaf, RingStage) and self.starts.is_counter(leaf)
        definition = self.operands.names.definition(leaf) if is_counter else None
        if definition is None:
            return 0
        sums = [self.starts.address(read, _INDEX) for read in merges(definition) if read.__class__ is not tuple]
        return gcd(*[total.offset for total in sums if total.terms == frozenset([(leaf, 1)])])

    def constant_step(self, leaf: Hashable) -> int:
        """Return how far apart the constants are of which a value is one after the other, from 0 on; 0: it is another
        value, too."""
        is_value = not isinstance(leaf, Symbol | RingStage) and self.starts.parts(leaf) == (leaf,)
        definition = self.operands.names.definition(leaf) if is_value else None
        merged = () if definition is None else merges(definition)
        known = [self.operands.names.known(read)[:2] for read in merged]
        if len(known) < len(("first", "next")) or any(bits[1] & ones(_INDEX) != ones(_INDEX) for bits in known):
            return 0
        constants = sorted({bits[0] & ones(_INDEX) for bits in known})
        step = constants[-1] // max(len(constants) - 1, 1)
        return step if step and constants == list(range(0, constants[-1] + 1, step)) else 0

    def _counted_stages(self, leaf: Hashable) -> tuple[int, int] | None:
        """Return the step of a counter whose remainder a value is, and the number of stages; None if it is none.

        It goes around one by one, or through all in turn, if the two have no common divisor.
        """
        bits = self.starts.low_bits(leaf)
        if bits is not None:
            counter, count = bits
            return self.counter_step(counter), 1 << count
        is_value = not isinstance(leaf, Symbol) and self.starts.parts(leaf) == (leaf,)
        whole = self.operands.names.definition(leaf) if is_value else None
        divisor = None if whole is None or len(whole.reads) != 1 else _divisor(whole)
        if whole is None or divisor is None:
            return None
        # Of a counter, or of one to which a number is added.
        counters = [inner for inner, _ in self.starts.address(whole.reads[0], _INDEX).terms]
        return self.counter_step(counters[0]) if len(counters) == 1 else 0, divisor

    def stage_step(self, leaf: Hashable) -> int | None:
        """Return how much a loop adds to a value, or to the constant with which it begins again; None if that is not
        known."""
        if isinstance(leaf, RingStage):
            return 1
        counted = self._counted_stages(leaf)
        if counted is not None:
            step, stages = counted
            return 1 if gcd(step, stages) == 1 else None
        steps: set[int] = set()
        waiting: list[Any] = [leaf]
        seen = {leaf}
        for name in waiting:
            is_value = not isinstance(name, Symbol) and self.starts.parts(name) == (name,)
            definition = self.operands.names.definition(name) if is_value else None
            merged = () if definition is None else merges(definition)
            if definition is not None and definition.selects:
                merged = definition.reads[1:3]
            if not merged or len(seen) > _LOOKED_AT:
                return None
            for read in merged:
                if read.__class__ is tuple:
                    continue
                total = self.starts.address(read, _INDEX)
                if not total.terms:
                    continue
                (inner, times), *more = total.terms
                if more or times != 1:
                    return None
                steps.add(total.offset)
                if inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
        steps -= {0}
        return steps.pop() if len(steps) == 1 else None

    def is_changing(self, leaf: Hashable) -> bool:
        """Whether a loop changes a value, for all threads alike."""
        return "loop" in self.sources(leaf) and "thread" not in self.sources(leaf)

    def is_of_thread(self, leaf: Hashable) -> bool:
        """Whether a value depends on the thread."""
        return "thread" in self.sources(leaf)

    # ---- maps ----

    def _maps(self, items: Sequence[SharedItem]) -> dict[LinearAddress, CopiedBox | None]:
        """Return what the maps of a function copy, by their addresses; None for one that is changed in several ways."""
        fields: dict[LinearAddress, dict[tuple[str, int | None], int | None]] = {}
        boxes: dict[LinearAddress, CopiedBox | None] = {}
        for item in items:
            if item.action == CHANGE:
                of = fields.setdefault(self.address(item, item.at), {})
                of.update(
                    {(change.field, change.dimension): change.value for change in self.changes.get(item.number, ())}
                )
            elif item.action == MAP and item.map is not None:
                source = fields.pop(self.address(item, item.map), None)
                if source is not None:
                    at, box = self.address(item, item.at, self.map_bits), written_box(source)
                    boxes[at] = box if boxes.get(at, box) == box else None
        return boxes


_PARAMETER = re.compile(
    r"\bld\.param\.\w+ [^,\s]++, (\[[^\]]+\])|\bmov\.[bu]64 [^,\s]++, ([A-Za-z_$][\w$]*)$"
    r"|\bU?LDCU?(?:\.64)? U?R\d+, (c\[0x0\]\[0x[0-9a-f]+\])$"
)
_WAIT = re.compile(r"_wait\.|\bSYNCS\.PHASECHK\b")
_TURNS = " BRA.U.ANY "
_RETURNED = re.compile(r"\[(?:param|retval)\d")
_STATE_SHIFT, _ARRIVAL_BITS = 11, 20
"""Where the upper half of a barrier holds the arrivals that it waits for, below 0."""
_MOST_STAGES = 32
_INDEX = 32
"""Bits of the index of a stage."""
_MOST_CONDITIONS = 64
_MOST_WRITES = 24
_LOOKED_AT = 300
"""How many values are followed."""
_THREAD = re.compile(r"(?:%|\bsreg\.)(?:tid|laneid|warpid|lanemask)\b|\belect\.|\bSR_(?:TID|LANEID)|\bELECT\b")


def _divisor(definition: Definition) -> int | None:
    """Return the number of stages if a value is a remainder of another by it."""
    widths = (definition.width or _INDEX, _INDEX)
    for divisor in range(2, _MOST_STAGES + 1):
        if any(definition.transfer == Remainder(None, 1, divisor, width).expression for width in widths):
            return divisor
    return None


def parameter_names(accesses: Iterable[SharedAccess]) -> dict[LinearAddress, str]:
    """Return the names of the maps by which copies go, in their order: of one at a parameter, its name and the bytes
    from there."""
    names: dict[LinearAddress, tuple[str, int]] = {}
    for at in [access.map for access in accesses if access.map is not None]:
        (leaf, times), *more = at.terms or ((None, 0),)
        name = leaf.name if isinstance(leaf, Symbol) else ""
        if isinstance(leaf, Version) and leaf.index < 0:
            name = str(leaf.register).partition(" ")[0]
        if not more and times == 1 and name[:1] not in ("", "%"):
            names[at] = name.strip("[]") if name[:1] == "[" else name, at.offset
    ordered = sorted(names.items(), key=lambda pair: (_numbered(pair[1][0]), pair[1]))
    return {at: f"{name}+0x{plus:x}" if plus else name for at, (name, plus) in ordered}


def _numbered(name: str) -> list[str | int]:
    """Return the parts of a name, with its numbers: ``map_10`` comes after ``map_9``."""
    parts = enumerate(re.split(r"(0x[0-9a-f]+|\d+)", name))
    return [int(part, 16 if part[:2] == "0x" else 10) if place % 2 else part for place, part in parts]


def written_box(fields: dict[tuple[str, int | None], int | None]) -> CopiedBox | None:
    """Return what a map copies whose fields ``tensormap.replace`` wrote; None if that is not known."""
    rank = fields.get(("rank", None))
    # What is not written is 0: before, all fields of a new map are set to that.
    names = {name: fields.get((name, None), 0) for name in ("elemtype", "swizzle_mode")}
    if rank is None or rank >= DIMENSIONS or ("global_address", None) not in fields or None in names.values():
        return None
    codes = {name: REPLACED_CODES[name] for name in names}
    if any(number >= len(codes[name]) for name, number in names.items() if number is not None):
        return None
    box = [fields.get(("box_dim", place)) for place in range(rank + 1)]
    steps = [fields.get(("element_stride", place), 1) for place in range(rank + 1)]
    if any(not size for size in box) or any(step != 1 for step in steps[1:]):
        return None
    if fields.get(("interleave_layout", None), 0) or fields.get(("swizzle_atomicity", None), 0):
        return None
    data_type, swizzle = (codes[name][number] for name, number in names.items() if number is not None)
    return CopiedBox(data_type, swizzle, "none", tuple([size for size in box if size]))


def box_bytes(box: CopiedBox) -> int:
    """Return the bytes that the copy of a box brings: of padded types, their payload."""
    data_type = DATA_TYPE[box.data_type]
    return prod(box.box) * (data_type.packed or data_type.bits) // 8
