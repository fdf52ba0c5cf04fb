"""Registers that grow by the same in each round of a loop that does not go round forever.

What is added to a register in each round of a loop is lost to :mod:`smemdesc.scanning.flow` from the lowest bit on
that it moves: the sum may carry. Where something counts the rounds and is compared, there are only so many
(:mod:`smemdesc.scanning.trips`), and the register is no farther from where it started than that often what is added
(classic induction variables). So it is said of the block in which the loop begins what holds there, and that does not
hang on what comes from the rounds.

None of this knows an instruction set. Whether an instruction adds is asked of its step, by plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.contracting import contracted
from smemdesc.scanning.flow import Block, Growing, State, Step, run, solve
from smemdesc.scanning.loops import Graph, Loop
from smemdesc.scanning.origins import Ways
from smemdesc.scanning.ranges import EXCHANGED, Value, joined
from smemdesc.scanning.trips import NOWHERE, Compared, Far, far, moved, trips

WIDTHS = (64, 32, 16)
"""Bits of the registers where they differ."""
_TRIED = 32
"""Numbers by which it is asked whether an instruction adds, beside those that are likely to tell."""
_CACHED = 4_000
_LOOKED_AT = 300
"""Places that are looked at to see whether a register may grow."""
_EFFORT = 64
"""Steps, and registers between blocks, that are looked at for each step there is, at most: where loops are in loops,
the outer ones are given up."""
_SUMS: dict[tuple[Any, ...], int] = {}


class Exit(NamedTuple):
    """A branch at the end of a block: ``said`` holds where it goes to the block ``to``, else it goes to ``other``."""

    said: Condition
    to: int
    other: int


class Added(NamedTuple):
    """A register: what is so far from another one, when the round began. ``width``: bits of the sum, 0: none yet.

    ``cap``: it is the same number of so many bits only. ``at``: where something was added last.
    """

    far: Far = NOWHERE
    width: int = 0
    cap: int = 128
    at: int = -1


Sums = Mapping[Hashable, Added]
"""What a register is: so far from one or another."""
Again = Callable[[Collection[int]], tuple[Iterable[int], Mapping[int, Exit]]]
"""Puts into the blocks the steps that tell of the branches at the end of these blocks, too; returns the numbers that
something is compared with, and the branches."""


def grown(
    blocks: Sequence[Block], known: Ways, again: Again, watch: Callable[[Step, State], None], width: int
) -> Ways | None:
    """Solve again with what is known of registers that grow in loops; None: none grows.

    ``known`` is what is known without; ``watch`` and ``width`` are those of :func:`smemdesc.scanning.flow.solve`.
    """
    widths = (width,) if width else WIDTHS
    # Whether there is anything to look for at all is seen where only blocks are left in which something happens.
    graph = _graph(known.blocks)
    found = _Finder(known.blocks, graph, known, widths)
    if not graph.circles():
        return None
    loops = graph.loops()
    if not any(found.likely(loop) for loop in loops) or not any(found.grows(loop) for loop in loops):
        return None
    graph = _graph(blocks)
    loops = graph.loops()
    marks, branches = again({number for loop in loops for number in loop.always if _leaves(blocks, loop, number)})
    marks = list(marks)
    heads = {each for loop in loops for each in (loop.header, *graph.before[loop.header])}
    left = contracted(blocks, heads | set(branches))
    at = {block.at: block for block in left}
    solved = Ways(left, solve(left, watch, width, marks))
    for _ in range(_ROUNDS):
        # What is known of one register, that a sum does not carry, may tell that another does not grow.
        found = _Finder(blocks, graph, solved, widths)
        changed = False
        for loop in loops:
            header = at[blocks[loop.header].at]
            made = found.growing(loop, branches)
            changed = changed or made != header.growing
            header.growing = made
        if not changed:
            break
        solved = Ways(left, solve(left, watch, width, marks))
    return solved


_ROUNDS = 4
"""How often what grows is looked for with what has been found."""


def _graph(blocks: Sequence[Block]) -> Graph:
    return Graph([block.following for block in blocks], [number for number, each in enumerate(blocks) if each.entry])


def _leaves(blocks: Sequence[Block], loop: Loop, number: int) -> bool:
    following = blocks[number].following
    return len(following) == 2 and sum(each in loop.body for each in following) == 1


class _Done(NamedTuple):
    """What an instruction does where it is carried out; ``skipped``: it may not be."""

    transfer: Callable[..., Any] | None
    reads: Sequence[Any]
    deciding: Sequence[int]
    skipped: bool


def _done(step: Step) -> _Done:
    if step.transfer is None or step.old is None:
        return _Done(step.transfer, step.reads, step.deciding if step.transfer else (), step.guarded)
    deciding = [place for place in step.deciding if place < step.old]
    return _Done(getattr(step.transfer, "__wrapped__", None), step.reads[: step.old], deciding, True)


class _Finder:
    """What is added in the rounds of a function's loops."""

    def __init__(self, blocks: Sequence[Block], graph: Graph, known: Ways, widths: Sequence[int]) -> None:
        self.blocks = blocks
        self.graph = graph
        self.known = known
        self.widths = widths
        self.numbers = {block.at: number for number, block in enumerate(known.blocks)}
        self.grows_by: dict[int, dict[Hashable, Added]] = {}
        """How far registers get in all rounds of a loop, by its header."""
        self.effort = _EFFORT * sum(1 + len(block.steps) for block in blocks)
        self._changes: dict[int, frozenset[Hashable]] = {}
        self._states: dict[int, State] = {}
        self.inner: dict[int, Loop] = {}
        """The loops that were looked at, by header."""

    def likely(self, loop: Loop) -> bool:
        """Whether something that is known where a loop is entered seems to be lost by what each round adds."""
        into = self.known.incoming[loop.header]
        if into is None or self.blocks[loop.header].entry:
            return False
        ends = [self._end(each) for each in self.graph.before[loop.header] if each not in loop.latches]
        self.effort -= sum(1 + len(self.blocks[number].steps) for number in loop.body)
        if self.effort < 0:
            return False
        live = self.blocks[loop.header].live
        for name in self._changed(loop):
            if live is not None and not (name in live.numbers and live.mask >> live.numbers[name] & 1):
                continue
            came = [end[name] for end in ends if end is not None]
            known, bits = ~into[name][1], came[0][0] if came else 0
            for each in came:
                known &= each[1] & ~(each[0] ^ bits)
            if known and came and any(self._leads(loop, latch, name) for latch in loop.latches):
                return True
        return False

    def _leads(self, loop: Loop, latch: int, name: Hashable) -> bool:
        """Whether a register at the end of a round seems to be a sum of one at its beginning."""
        waiting: list[tuple[int, Hashable, int | None, bool]] = [(latch, name, None, False)]
        seen = set(waiting)
        while waiting and len(seen) < _LOOKED_AT:
            number, register, limit, added = waiting.pop()
            limit = len(self.blocks[number].steps) if limit is None else limit
            index = self.known.writer(number, register, limit)
            found: list[tuple[int, Hashable, int | None, bool]]
            if index is not None:
                step = self.blocks[number].steps[index]
                out = len(step.writes) - 1 - step.writes[::-1].index(register)
                found = [(number, read, index, more or added) for read, more in self._read(number, index, step, out)]
            elif number != loop.header:
                found = [(each, register, None, added) for each in self.graph.before[number]]
            elif added and register == name:
                return True
            else:
                continue
            waiting += [each for each in found if each not in seen]
            seen.update(found)
        return len(seen) >= _LOOKED_AT

    def _read(self, number: int, index: int, step: Step, out: int) -> list[tuple[Hashable, bool]]:
        """Return the registers that a result is, or is a sum of, and whether something is added to them."""
        done = _done(step)
        if done.transfer is None:
            return []
        skipped: list[tuple[Hashable, bool]] = [(step.writes[out], False)] if done.skipped else []
        registers = [(place, read) for place, read in enumerate(done.reads) if read.__class__ is not tuple]
        if done.deciding:
            # A ring goes back to its first stage: one of the two is a number.
            chosen = [(read, False) for place, read in registers if place not in done.deciding]
            return skipped + chosen if len(chosen) == len(done.reads) - len(done.deciding) else []
        sums = []
        for place, read in registers:
            by = self._by(number, index, done, len(step.writes), out, place)
            if by is not None:
                sums.append((read, by[0] != NOWHERE))
        return skipped + sums if sums else []

    def grows(self, loop: Loop) -> bool:
        """Whether something is added in each round of a loop, if all loops in it have one round."""
        self.inner[loop.header] = loop
        rounds = self._rounds(loop)
        if rounds is None:
            return False
        self.grows_by[loop.header] = {
            name: made for name, sums in rounds[1].items() if (made := sums.get(name)) is not None
        }
        return any(made.far != NOWHERE for made in self.grows_by[loop.header].values())

    def growing(self, loop: Loop, branches: Mapping[int, Exit]) -> Growing | None:
        """Return how far registers grow in a loop; None where it may go round forever."""
        self.inner[loop.header] = loop
        rounds = self._rounds(loop)
        if rounds is None or self.blocks[loop.header].entry:
            return None
        ends, back = rounds
        limits = [
            limit
            for number in loop.always & set(branches)
            if (limit := self._limit(loop, number, branches[number], ends[number], back)) is not None
        ]
        if not limits:
            return None
        registers = {}
        for name, sums in back.items():
            made = sums.get(name)
            if made is not None and made.width:
                registers[name] = made._replace(far=made.far.times(min(limits)))
        self.grows_by[loop.header] = registers
        return Growing(
            frozenset(self.blocks[each].at for each in loop.latches),
            {name: (made.far, made.width, made.at) for name, made in registers.items()},
        )

    # ---- one round ----

    def _rounds(self, loop: Loop) -> tuple[dict[int, dict[Hashable, Sums]], dict[Hashable, Sums]] | None:
        """Return what registers are at the end of each block of a round, and where it leads back; those that changed.

        None where something in the loop is not understood.
        """
        rank = self.graph.rank
        ends: dict[int, dict[Hashable, Sums]] = {}
        for number in sorted(loop.body, key=rank.__getitem__):
            block = self.blocks[number]
            if self.effort < 0 or block.unwritten or (block.entry and number != loop.header):
                return None
            state: dict[Hashable, Sums] = {}
            if number != loop.header:
                own = self.inner.get(number)
                ways = [each for each in self.graph.before[number] if own is None or each not in own.latches]
                if any(each not in ends for each in ways):
                    return None  # a way round that is no loop of its own
                state = _met([ends[each] for each in ways])
                if own is not None:
                    state = self._through(own, state)
            self._run(number, state)
            ends[number] = state
            self.effort -= 1 + len(block.steps) + len(state)
        return ends, _met([ends[each] for each in loop.latches])

    def _through(self, loop: Loop, state: dict[Hashable, Sums]) -> dict[Hashable, Sums]:
        """Return what registers are where a loop in the loop begins, in any of its rounds."""
        grows = self.grows_by.get(loop.header, {})
        made = dict(state)
        for name in self._changed(loop):
            by = grows.get(name)
            made[name] = {} if by is None else further(state.get(name, {name: Added()}), by.far, by.width, 128, by.at)
        return made

    def _changed(self, loop: Loop) -> frozenset[Hashable]:
        """Return the registers that a loop writes."""
        if loop.header not in self._changes:
            steps = (step for number in loop.body for step in self.blocks[number].steps)
            self._changes[loop.header] = frozenset(name for step in steps for name in step.writes)
        return self._changes[loop.header]

    def _run(self, number: int, state: dict[Hashable, Sums]) -> None:
        for index, step in enumerate(self.blocks[number].steps):
            made = [self._sums(number, index, step, out, state) for out in range(len(step.writes))]
            for name, sums in zip(step.writes, made, strict=True):
                state[name] = sums

    def _sums(self, number: int, index: int, step: Step, out: int, state: dict[Hashable, Sums]) -> Sums:
        """Return what a step writes."""
        done = _done(step)
        if done.deciding:
            ways = [self._held(read, state) for place, read in enumerate(done.reads) if place not in done.deciding]
            sums: Sums = either(ways)
        elif done.transfer is None:
            return {}
        else:
            sums = self._added(number, index, done, len(step.writes), out, step.at, state)
        return either([sums, self._held(step.writes[out], state)]) if done.skipped and sums else sums

    @staticmethod
    def _held(read: Hashable, state: dict[Hashable, Sums]) -> Sums:
        if read.__class__ is tuple:
            return {}
        return state.get(read, {read: Added()})

    def _added(
        self,
        number: int,
        index: int,
        done: _Done,
        count: int,
        out: int,
        at: int,
        state: dict[Hashable, Sums],
    ) -> Sums:
        made: dict[Hashable, Added] = {}
        for place, read in enumerate(done.reads):
            found = self._by(number, index, done, count, out, place) if self._held(read, state) else None
            if found is not None:
                by, width = found
                for name, added in further(self._held(read, state), by, width, width, at).items():
                    made.setdefault(name, added)
        return made

    def _by(self, number: int, index: int, done: _Done, count: int, out: int, place: int) -> tuple[Far, int] | None:
        """Return how far the result of a step is from what it reads at a place, and the bits of that sum."""
        transfer, reads = done.transfer, done.reads
        assert transfer is not None
        width = adds(transfer, reads, count, out, place, self.widths)
        block = self.numbers.get(self.blocks[number].at) if width else None
        if block is None or self.known.incoming[block] is None:
            return None
        values = self.known.row(block, index).values[: len(reads)]
        answer = transfer(*[(0, ones(width)) if each == place else value for each, value in enumerate(values)])
        by = far(answer if count == 1 else answer[out], width)
        return None if by is None else (by, width)

    # ---- how many rounds ----

    def _limit(
        self, loop: Loop, number: int, branch: Exit, state: dict[Hashable, Sums], back: dict[Hashable, Sums]
    ) -> int | None:
        inside = [each in loop.body for each in (branch.to, branch.other)]
        if sum(inside) != 1:
            return None
        said = branch.said
        how = said.told(inside[0])
        if how is None or said.high is not None:
            return None
        limits = []
        for which, counted, bound in ((how, said.x, said.y), (EXCHANGED[how], said.y, said.x)):
            limit = self._counted(loop, number, said, which, counted, bound, state, back)
            limits += [] if limit is None else [limit]
        return min(limits, default=None)

    def _counted(
        self,
        loop: Loop,
        number: int,
        said: Condition,
        how: str,
        counted: object,
        bound: object,
        state: dict[Hashable, Sums],
        back: dict[Hashable, Sums],
    ) -> int | None:
        if isinstance(counted, tuple):
            return None
        here = self._end(number)
        if here is None:
            return None
        compared: Value = bound if isinstance(bound, tuple) else here[bound]
        fixed = isinstance(bound, tuple) or (
            self._held(bound, state).get(bound, _MOVING).far == NOWHERE
            and self._held(bound, back).get(bound, _MOVING).far == NOWHERE
        )
        return limited(
            said,
            how,
            self._held(counted, state),
            compared,
            fixed,
            lambda name: self._held(name, back).get(name),
            lambda name: self._entered(loop, name, said.width),
        )

    def _end(self, number: int) -> State | None:
        """Return what is known at the end of a block."""
        if number not in self._states:
            place = self.numbers.get(self.blocks[number].at)
            incoming = None if place is None else self.known.incoming[place]
            if incoming is None:
                return None
            self._states[number] = state = State(incoming.sharing, incoming.below)
            run(self.blocks[number].steps, state)
        return self._states[number]

    def _entered(self, loop: Loop, name: Hashable, width: int) -> Value | None:
        """Return what is known of a register where a loop is entered."""
        found: Value | None = None
        for each in self.graph.before[loop.header]:
            if each not in loop.latches:
                state = self._end(each)
                if state is None:
                    return None
                found = state[name] if found is None else joined(found, state[name], width)
        return found


_MOVING = Added(Far(0, 1, 0))


def exact(by: Far) -> bool:
    return by.least == by.most


def limited(
    said: Condition,
    how: str,
    sums: Sums,
    compared: Value,
    fixed: bool,
    stepped: Callable[[Any], Added | None],
    entered: Callable[[Any], Value | None],
) -> int | None:
    """Return how many rounds a comparison leaves at most, by any of the ``sums`` that what is compared is.

    ``stepped`` says how far one gets in a round, ``entered`` what it is before the first; ``fixed``: what it is
    ``compared`` with is the same in every round.
    """
    limits = []
    for name, off in sums.items():
        step = stepped(name)
        if step is None or not exact(step.far) or not exact(off.far):
            continue
        if any(each.width not in (0, said.width) or each.cap < said.width for each in (off, step)):
            continue
        start = entered(name)
        if start is None:
            continue
        first = moved(start, off.far, said.width)
        limit = trips(Compared(first, step.far.least, how, compared, said.width, said.signed, fixed))
        limits += [] if limit is None else [limit]
    return min(limits, default=None)


def further(sums: Sums, by: Far, width: int, cap: int, at: int) -> dict[Hashable, Added]:
    """Return what is so much farther, by a sum of ``width`` bits of which ``cap`` are told."""
    made = {}
    for name, added in sums.items():
        if by == NOWHERE:
            if cap >= added.width:
                made[name] = added._replace(cap=min(added.cap, cap))
        elif added.width in (0, width) and added.cap >= width:
            made[name] = Added(added.far.plus(by), width, min(added.cap, cap), at)
    return made


def either(ways: Sequence[Sums]) -> dict[Hashable, Added]:
    """Return what it is where it is one of these."""
    made = dict(ways[0]) if ways else {}
    for other in ways[1:]:
        for name in list(made):
            one, two = made[name], other.get(name)
            if two is None or (one.width and two.width and one.width != two.width):
                del made[name]
            else:
                width = one.width or two.width
                cap = min(one.cap, two.cap)
                if cap < width:
                    del made[name]
                    continue
                made[name] = Added(one.far.joined(two.far), width, cap, max(one.at, two.at))
    return made


def _met(ways: Sequence[dict[Hashable, Sums]]) -> dict[Hashable, Sums]:
    """Return what registers are where ways meet."""
    if len(ways) == 1:
        return dict(ways[0])
    names = {name for way in ways for name in way}
    return {name: either([way.get(name, {name: Added()}) for way in ways]) for name in names}


def adds(
    transfer: Callable[..., Any], reads: Sequence[Any], count: int, out: int, place: int, widths: Sequence[int]
) -> int:
    """Return the bits of the sum that result ``out`` of ``count`` is of the read ``place`` and of something else.

    0: it is none. It is asked by numbers: what is made of bitwise operations, shifts, sums and comparisons with other
    numbers that are read is the same at each power of two, beside it, and beside those numbers, or it is no sum.
    """
    constants = tuple(read if read.__class__ is tuple else None for read in reads)
    key = (transfer, constants, count, out, place, len(widths))
    found = _SUMS.get(key)
    if found is None:
        if len(_SUMS) > _CACHED:
            _SUMS.clear()
        found = next((width for width in widths if _adds(transfer, constants, count, out, place, width)), 0)
        _SUMS[key] = found
    return found


def _adds(transfer: Callable[..., Any], constants: Sequence[Any], count: int, out: int, place: int, width: int) -> bool:
    rng = Random(0)
    full = ones(width)
    powers = [1 << each for each in range(width)]
    numbers = [rng.getrandbits(width) for _ in range(4)] + powers + [each - 1 for each in powers]
    numbers += [full - each for each in powers] + [rng.getrandbits(width) for _ in range(_TRIED)]
    for each in constants:
        if each is not None:
            numbers += [sign * each[0] + beside & full for sign in (1, -1) for beside in (-1, 0, 1)]
    others = [[rng.getrandbits(width) for _ in constants] for _ in range(3)]
    zero: list[int | None] = [None, None, None]
    for turn, number in enumerate(numbers):
        kind = turn % 3
        base = zero[kind]
        if base is None:
            base = zero[kind] = _answer(transfer, constants, others[kind], count, out, place, 0, full)
            if base is None:
                return False
        found = _answer(transfer, constants, others[kind], count, out, place, number, full)
        if found is None or (found - base - number) & full:
            return False
    return True


def _answer(
    transfer: Callable[..., Any],
    constants: Sequence[Any],
    others: Sequence[int],
    count: int,
    out: int,
    place: int,
    number: int,
    full: int,
) -> int | None:
    values = [
        (number, full) if each == place else (other, full) if constant is None else constant
        for each, (constant, other) in enumerate(zip(constants, others, strict=True))
    ]
    answer = transfer(*values)
    bits, known = (answer if count == 1 else answer[out])[:2]
    return bits & full if known & full == full and known >> full.bit_length() == 0 else None
