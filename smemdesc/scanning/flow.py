"""What every register is known to hold, over the control flow of one function.

A front end turns a function into :class:`Block` rows of :class:`Step`; :func:`solve` runs them to a fixed
point and hands the state before each step of interest to the caller. Registers are whatever hashable names
the front end uses; a constant operand is its value, a pair, which is its own "register".

A state lacks what is not known. Blocks start from the meet of all their predecessors; an entry knows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.known import UNKNOWN, cut
from smemdesc.scanning.ranges import bounds, ranged, widened
from smemdesc.scanning.sharing import Layer, Merging, Node, Numbers, Sharing
from smemdesc.scanning.trips import Far, moved

Register = Hashable
Transfer = Callable[..., Any]
Fact = tuple[int, int, int | None]
"""``(bits, known, lost)``: a value, and where (a line) what is not known of it was lost."""
Kept = Fact | tuple[int, int, int | None, int, int]
"""The same, with its range where more is known of its size than the bits tell."""


class Step(NamedTuple):
    """One instruction: ``writes`` gets what ``transfer`` makes of the values of ``reads``."""

    at: int
    """Where it stands, for the front end to find it again (a line)."""
    writes: tuple[Register, ...]
    reads: tuple[Register, ...]
    transfer: Transfer | None
    """Takes a value for each of ``reads``; returns a value where there is one register to write, else a tuple of
    as many as ``writes`` has. None: what is written is not known."""
    guarded: bool = False
    """Whether it may be skipped: then the old values may stay."""
    watched: bool = False
    """Whether the caller wants to see the state before it."""
    deciding: tuple[int, ...] = ()
    """Which of ``reads`` only decide which of the others the result is."""
    old: int | None = None
    """Which of ``reads`` is what stays where the instruction is skipped."""


class Block:
    """Steps without a branch between them, and the blocks that may follow."""

    __slots__ = ("at", "because", "before", "called", "entry", "following", "growing", "live", "steps", "unwritten")

    def __init__(self, at: int = 0) -> None:
        self.at = at
        """Where it begins."""
        self.steps: list[Step] = []
        self.following: list[int] = []
        self.before: list[int] = []
        """Those before it in the order in which they count, if that is not the order of their numbers."""
        self.entry = False
        """Whether it can be reached from where nothing is known."""
        self.because: int | None = None
        """What makes it an entry, or comes before it with all that it does (the line of a call)."""
        self.called: tuple[int, ...] = ()
        """The lines that such a call may run, where it is known that it comes back here."""
        self.unwritten: frozenset[Register] = frozenset()
        """Registers into which nothing was ever put when it ends: what is read behind it is none of them."""
        self.live: Live | None = None
        """The registers whose values matter when it begins; None: all."""
        self.growing: Growing | None = None
        """What is known of registers in every round of a loop that begins here."""


class Growing(NamedTuple):
    """How far registers are, in all rounds of a loop, from what they were when control came into the loop."""

    latches: frozenset[int]
    """Where the blocks begin from which a round leads back."""
    registers: Mapping[Register, tuple[Far, int, int]]
    """How far (modulo a word of so many bits), and where that is added."""


NEVER = (0, 0, None)
"""What a register holds (this very tuple) into which nothing was put on a way: where ways meet, the others count."""


Ran = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
"""What a step read, what was in the registers that it writes (if it is guarded), and what was in them then."""


class State(Layer):
    """The facts about the registers that were written. A pair that is looked up is a constant."""

    __slots__ = ("ran",)

    def __init__(self, sharing: Sharing | None = None, below: Node = None) -> None:
        super().__init__(sharing, below)
        self.ran: list[Ran] | None = None
        """What the steps of the block that begins with this state did; None: they were not run."""

    def __missing__(self, register: Register) -> Any:
        if register.__class__ is tuple:
            return register
        found = super().__missing__(register)
        return UNKNOWN if found is None else found

    def fact(self, register: Register) -> Fact:
        """Return what is known of a register, and where the rest was lost (None: nowhere, or a constant)."""
        found = self[register]
        return found[0], found[1], found[2] if len(found) > 2 else None


_PATIENCE = 6
"""How often a block may change what comes in before the bits that still move are given up."""


def solve(
    blocks: Sequence[Block], watch: Callable[[Step, State], None], width: int = 0, marks: Iterable[int] = ()
) -> list[State | None]:
    """Find what holds on every path; the last that ``watch`` is called with is the state before each watched step.

    Return what holds where each block begins (None: nothing leads to it), for :mod:`smemdesc.scanning.origins`. Blocks
    that nothing leads to are run as if nothing were known before them. ``width``: bits of every register;
    0: they differ, and a range that meets a value of which only bits are known is given up. ``marks`` are the numbers
    that something is compared with: where a range goes on growing, it grows to the next of them, or beside it.
    """
    sharing = Sharing(_numbered(blocks))
    merging = _Merging(width, sorted({near for each in marks for near in (max(each, 1) - 1, each, each + 1)} | {0}))
    merge = [Merging(sharing, partial(merging.merge, widen, late)) for widen, late in _MODES]
    incoming: list[State | None] = [_entered(block, sharing) if block.entry else None for block in blocks]
    ordered = order(blocks)
    rank = {index: place for place, index in enumerate(ordered)}
    visits = [0] * len(blocks)
    heap = sorted(rank[index] for index, state in enumerate(incoming) if state is not None)
    waiting = set(heap)
    while heap:
        place = heappop(heap)
        waiting.remove(place)
        index = ordered[place]
        before = incoming[index]
        if before is None:
            continue
        block = blocks[index]
        after = before.below
        if block.steps:
            state = State(sharing, before.below)
            before.ran = run(block.steps, state, watch)
            after = state.table()
        for register in block.unwritten:
            if register in sharing.numbers:
                after = sharing.put(after, sharing.numbers[register], NEVER)
        for following in block.following:
            next_block = blocks[following]
            if next_block.entry:
                continue
            old = incoming[following]
            comes = after if next_block.growing is None else _into(block.at, next_block.growing, sharing, after)
            if old is None:
                incoming[following] = State(sharing, sharing.without(comes, _gone(block, next_block, sharing.numbers)))
            else:
                merged = merge[(visits[following] > _PATIENCE) + (visits[following] > _LONGEST)](old.below, comes)
                if merged is old.below:
                    continue
                old.below = merged
            visits[following] += 1
            if rank[following] not in waiting:
                waiting.add(rank[following])
                heappush(heap, rank[following])
    for block, before in zip(blocks, incoming, strict=True):
        if before is None and any(step.watched for step in block.steps):
            run(block.steps, State(sharing), watch)
    return incoming


_MODES = ((False, False), (True, False), (True, True))


def _into(at: int, growing: Growing, sharing: Sharing, after: Node) -> Node:
    """Return what comes into a loop from the block at ``at``, for all of its rounds."""
    for register, (far, width, added) in growing.registers.items():
        fact = sharing.get(after, register)
        if fact is None or fact is NEVER:
            continue
        if at in growing.latches:
            fact = NEVER
        else:
            found = moved(cut(fact, width), far, width)
            lost = added if fact[2] is None else fact[2]
            fact = (*found[:2], lost, *found[3:])
        after = sharing.put(after, sharing.numbers[register], fact)
    return after


def _numbered(blocks: Sequence[Block]) -> Numbers:
    """Return the numbers of all registers: those by which :func:`backwards` told them apart, if it was asked."""
    numbers = next((block.live.numbers for block in blocks if block.live is not None), None)
    numbers = Numbers() if numbers is None else numbers
    for block in blocks:
        for step in block.steps:
            for register in (*step.reads, *step.writes):
                if register.__class__ is not tuple:
                    numbers[register]
    return numbers


def _gone(block: Block, following: Block, numbers: Numbers) -> int:
    """Return the registers that mattered, or were written, in a block and do not matter when the next begins."""
    if block.live is None or following.live is None:
        return 0
    written = numbers.mask(register for step in block.steps for register in step.writes)
    return (block.live.mask | written) & ~following.live.mask


class Live(NamedTuple):
    """The registers whose values matter somewhere."""

    numbers: Numbers
    mask: int


def backwards(
    blocks: Sequence[Block],
    roots: Iterable[int],
    visit: Callable[[int, set[Register]], None],
    touched: Callable[[int], Iterable[Register]] | None = None,
    passes: Callable[[int, int, Numbers], bool] | None = None,
) -> None:
    """Find which registers matter where each block begins, from the blocks ``roots`` backwards; note it in them.

    ``visit`` gets the number of a block and what matters behind it, and turns that into what matters before it.
    ``touched`` returns the registers that a block may write, for functions of very many: of others, which come through,
    ``visit`` is not told. ``passes`` tells of a block whether all that matters behind it, as a mask, comes through, and
    nothing else is to be said of it.
    """
    before: list[list[int]] = [[] for _ in blocks]
    for number, block in enumerate(blocks):
        block.live = None
        for following in block.following:
            before[following].append(number)
    numbers = Numbers()
    behind = [0] * len(blocks)
    waiting = sorted(set(roots))
    queued = set(waiting)
    while waiting:
        number = waiting.pop()
        queued.remove(number)
        mask = behind[number]
        if passes is None or not passes(number, mask, numbers):
            if touched is None or len(numbers) < _MANY:
                given = numbers.names(mask)
            else:
                given = {each for each in touched(number) if each in numbers and mask >> numbers[each] & 1}
            live = set(given)
            visit(number, live)
            mask = mask & ~numbers.mask(given - live) | numbers.mask(live - given)
        known = blocks[number].live
        if known is not None and mask == known.mask:
            continue
        blocks[number].live = Live(numbers, mask)
        for each in before[number]:
            if mask & ~behind[each]:
                behind[each] |= mask
                if each not in queued:
                    queued.add(each)
                    waiting.append(each)
    for block in blocks:
        block.live = block.live or Live(numbers, 0)


_MANY = 1000
"""So many registers are always told of."""


def _entered(block: Block, sharing: Sharing) -> State:
    """Return what is known where a block is entered from outside: nothing, and what it was lost by."""
    if block.because is None or block.live is None:
        return State(sharing)
    return State(sharing, sharing.filled((0, 0, block.because)))


def order(blocks: Sequence[Block]) -> list[int]:
    """Return the blocks that can be reached, each before what follows it but for the way back of loops."""
    seen = set()
    done: list[int] = []
    for first, block in enumerate(blocks):
        if not block.entry or first in seen:
            continue
        seen.add(first)
        stack = [(first, iter(block.following))]
        while stack:
            index, following = stack[-1]
            for each in following:
                if each not in seen:
                    seen.add(each)
                    stack.append((each, iter(blocks[each].following)))
                    break
            else:
                done.append(index)
                stack.pop()
    done.reverse()
    return done


class _Merging(NamedTuple):
    width: int
    marks: list[int]

    def merge(self, widen: bool, late: bool, fact: Any, new: Any) -> Any:
        """Return what holds of a register on both ways; ``fact`` or ``new`` itself where that says it.

        ``widen``: what moves is given up; ``late``: ranges, too.
        """
        if fact is None or new is NEVER:
            return fact
        if fact is NEVER:
            return new
        if new is None:
            # It was never written on that way: nothing is known, and nothing lost it.
            return (0, 0, fact[2]) if fact[1] or len(fact) == 5 else fact
        known = fact[1] & new[1] & ~(fact[0] ^ new[0])
        if len(fact) == 5 or (len(new) == 5 and self.width):
            merged = self.range(fact, new, known, widen, late)
        elif known == fact[1]:
            return fact
        else:
            merged = _loose(fact, new, known, widen)
        return fact if merged is None else new if merged == new else merged

    def range(self, fact: Any, new: Any, known: int, widen: bool, late: bool) -> Kept | None:
        """Merge two values of which one has a range; None where that changes nothing."""
        if late or (not self.width and not len(fact) == len(new) == 5):
            loose = _loose(fact, new, known, widen)
            return None if loose == fact else loose
        width = self.width or max(fact[4], new[4], fact[1], new[1]).bit_length()
        old, other = bounds(fact, width), bounds(new, width)
        least, most = min(old[0], other[0]), max(old[1], other[1])
        if known == fact[1] and (least, most) == old:
            return None
        bits, known, lost = _loose(fact, new, known, widen)
        if widen and (least, most) != old:
            far = widened(old, (least, most), self.marks)
            if far is None:
                return bits, known, lost
            least, most = far
        found = ranged(bits, known, least, most, width)
        merged = (*found[:2], lost, *found[3:])
        return None if merged == fact else merged


_LONGEST = 60
"""How often a block may change what comes in before ranges are given up."""


def _loose(fact: Any, new: Any, known: int, widen: bool) -> tuple[int, int, int | None]:
    """Return a fact of which only ``known`` still holds."""
    if widen:
        # What moves goes on moving upwards, at first within its word.
        lost = fact[1] & ~known
        known &= (lost & -lost) - 1 | (~_WORD if lost & _WORD else 0)
    return fact[0] & known, known, fact[2] if fact[2] is not None else new[2]


def run(steps: Iterable[Step], state: State, watch: Callable[[Step, State], None] | None = None) -> list[Ran]:
    """Run steps on a state, and return what each did."""
    ran: list[Ran] = []
    for step in steps:
        at, writes, reads, transfer, guarded, watched, _, _ = step
        if watched and watch is not None:
            watch(step, state)
        values = [state[register] for register in reads]
        before = [state[register] for register in writes] if guarded else ()
        if transfer is None or not writes:
            results: Any = (UNKNOWN,) * len(writes)
            lost: int | None = at
        else:
            answer = transfer(*values)
            results = (answer,) if len(writes) == 1 else answer
            lost = at
            highest = 0
            for value in values:
                if len(value) > 2 and value[2] is not None:
                    unknown = ~value[1] & _WIDE
                    if unknown >= highest:
                        highest = unknown
                        lost = value[2]
        for register, result in zip(writes, results, strict=True):
            bits, known = result[0], result[1]
            if guarded:
                old = state[register]
                both = known & old[1] & ~(bits ^ old[0])
                where = lost
                if both != known and len(old) > 2 and old[2] is not None and known.bit_count() >= old[1].bit_count():
                    where = old[2]
                if len(old) == 5 and len(result) == 5:
                    state[register] = (bits & both, both, where, min(old[3], result[3]), max(old[4], result[4]))
                else:
                    state[register] = (bits & both, both, where)
            elif len(result) == 5:
                state[register] = (bits, known, lost, result[3], result[4])
            else:
                state[register] = (bits, known, lost)
        ran.append((values, before, [state[register] for register in writes]))
    return ran


_WIDE = ones(64)
_WORD = ones(WORD)
