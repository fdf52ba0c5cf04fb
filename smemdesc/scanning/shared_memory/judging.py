"""What contradicts itself in the shared memory of a function."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from math import gcd
from operator import itemgetter
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.layout.strides import UNIT
from smemdesc.rules.shared_memory_use import (
    BarrierBytes,
    Beside,
    Beyond,
    OtherBarrier,
    Overwritten,
    SharedMemoryCase,
    StageStrides,
    UnequalBytes,
    judge_shared_memory,
)
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol
from smemdesc.scanning.model import ScannedMma
from smemdesc.scanning.model.shared_memory import SharedPlace
from smemdesc.scanning.shared_memory.facts import (
    ARRIVE,
    COMPLETE,
    COPY,
    EXPECT,
    LOAD,
    SET_UP,
    SHARED_BITS,
    SLOT,
    SOMEWHERE,
    WAIT,
    WRITE,
    Region,
    SharedAccess,
    SharedFacts,
    box_bytes,
)
from smemdesc.scanning.shared_memory.reading import ReadTile

SHARED_SIZE = 1 << SHARED_BITS
_MOST_STAGES = 32
_BARRIER = 8
"""Bytes of a barrier."""
_WORD_BYTES = 4
_LEAST = 16
"""The fewest bytes that a copy writes."""


class _Placement(NamedTuple):
    """How the address of a copy compares with that of a tile."""

    copied: int
    """Bytes from stage to stage of the copy; 0: it has no stage."""
    read: int
    by: int
    """Bytes from the start of the tile in its first stage to the destination."""


class _Ring(NamedTuple):
    """An address that goes from stage to stage, and begins again."""

    base: frozenset[tuple[Hashable, int]]
    stride: int
    """Bytes from one stage to the next; 0: it has no stage."""
    counted: bool = False
    """Whether it goes on for as long as its loop is repeated, and does not begin again: copies before a ring, or of
    parts of a stage."""


class _Strays:
    """The barriers of copies for which no instruction beside them tells what to expect."""

    def __init__(
        self,
        barriers: Sequence[LinearAddress | None],
        memory: Callable[[LinearAddress | None], frozenset[Hashable]],
    ) -> None:
        self._barriers = set(barriers)
        self._memory = memory
        self._terms = Counter(barrier.terms for barrier in barriers if barrier is not None)
        self._times = Counter(map(memory, barriers))

    def may_name(self, at: LinearAddress) -> bool:
        """Whether one of them may be a barrier: it is the same, or they cannot be compared."""
        comparable = self._terms[at.terms]
        return None in self._barriers or at in self._barriers or self._times[self._memory(at)] > comparable


def _is_near(one: LinearAddress | None, other: LinearAddress | None) -> bool:
    """Whether two barriers are so many bytes from the same variable."""
    if one is None or other is None or one == other or one.terms != other.terms:
        return False
    return bool(one.terms) and not any(leaf == SOMEWHERE for leaf, _ in one.terms)


class _OtherWrites:
    """What may write a tile, apart from the copies of which it is known where they write: how many bytes."""

    def __init__(self, judgment: Judgment, writes: Iterable[SharedAccess]) -> None:
        self._judgment = judgment
        self._ends: dict[object, list[tuple[int, int]]] = {}
        """Of what may write at each base: the last address, and how many bytes."""
        self._anywhere = 0
        """Bytes that may be written anywhere."""
        copies = [copy for copy in judgment.copies if judgment.tile_of[copy.item.number] is None or copy.by_thread]
        places: dict[tuple[LinearAddress, int | None], tuple[object, int, int] | None] = {}
        for write in writes:
            if _may_fill(write) and (write.at, write.size) not in places:
                places[write.at, write.size] = self._of_threads(write)
        found = [*places.values(), *(self._of_copy(copy) for copy in copies if _may_fill(copy))]
        for place in found:
            if place is None:
                self._anywhere = SHARED_SIZE
            else:
                base, end, size = place
                self._ends.setdefault(base, []).append((end, size))

    def most(self, tile: ReadTile) -> int:
        """Return how many bytes of a tile something else may write, at most."""
        base = self._judgment.base(tile.at)
        others = self._anywhere + sum(size for at, ends in self._ends.items() if at != base for _, size in ends)
        return others + sum(size for end, size in self._ends.get(base, ()) if end >= tile.at.offset)

    def _of_copy(self, copy: SharedAccess) -> tuple[object, int, int] | None:
        """Return where a copy begins, from stage to stage if there are stages."""
        ring = self._judgment.ring(copy.at)
        if ring is None or ring.counted or copy.by_thread:
            return None
        return ring.base, copy.at.offset, SHARED_SIZE

    def _of_threads(self, write: SharedAccess) -> tuple[object, int, int] | None:
        """Return how far the threads may write, and how many bytes they write together."""
        facts = self._judgment.facts
        end, places = write.at.offset, 1
        base = set[tuple[Hashable, int]]()
        for leaf, times in write.at.terms:
            width = facts.width(leaf)
            if width is not None and width < SHARED_BITS and times < SHARED_SIZE // 2:
                end += times * ones(width)
                places <<= width
            elif isinstance(leaf, Symbol) and leaf != SOMEWHERE:
                base.add((leaf, times))
            else:
                return None
        return frozenset(base), end, places * (write.size or _LEAST)


def _may_fill(access: SharedAccess) -> bool:
    """Whether an instruction may write what an MMA reads: not, if it is executed after all of them."""
    return access.before_mma or not access.after_mma


def _expected(expects: Iterable[SharedAccess]) -> int:
    """Return the bytes that a barrier is told to expect, as far as known."""
    return sum(each.size or 0 for each in expects)


def _by_maps(copies: Iterable[SharedAccess]) -> Counter[tuple[LinearAddress | None, bool, int]]:
    """Return how many copies are by each map; with whether they are multicast, and their boxes."""
    return Counter((copy.map, copy.item.multicast, copy.item.boxes) for copy in copies)


class _KnownPhase(NamedTuple):
    """A phase of a barrier whose copies are all by tensor maps: one instruction that tells what to expect."""

    expect: SharedAccess
    expected: int
    """Bytes."""
    copies: Sequence[SharedAccess]
    maps: Counter[tuple[LinearAddress | None, bool, int]]
    """As :func:`_by_maps` counts them."""


class _PlaceInStage(NamedTuple):
    """To which operand's tile the copies by a map go; empty: that is not known."""

    map: LinearAddress | None
    operand: str
    by: int
    """Bytes from the start of the tile in its stage to the copy."""


class Judgment:
    """The copies, the barriers and the tiles of a function."""

    def __init__(self, facts: SharedFacts, tiles: Sequence[ReadTile], mmas: Sequence[ScannedMma]) -> None:
        self.facts = facts
        self.tiles = tiles
        self.mmas = mmas
        of = {
            action: [each for each in facts.accesses if each.item.action == action]
            for action in (COPY, EXPECT, ARRIVE, SET_UP, SLOT, LOAD, WRITE, COMPLETE, WAIT)
        }
        self.copies, self.expects, self.arrivals, self.barriers, self.slots, self.loads, *rest = of.values()
        writes, others, waits = rest
        self.others = others
        self._is_written = bool(writes or others)
        self._waits = sorted(each.item.number for each in (*waits, *others))
        self.pair = any(mma.instruction.cta_group == 2 for mma in mmas)
        self.tile_of: dict[int, tuple[ReadTile, _Placement] | None] = {}
        self._rings: dict[LinearAddress, _Ring | None] = {}
        self._numbers: dict[frozenset[tuple[Hashable, int]], int] = {}
        """A number for each base that is shown."""
        self._first: dict[object, int] = {}
        """The first destination of the copies by each map from each base."""
        for copy in self.copies:
            key = copy.map, copy.at.terms
            self._first[key] = min(copy.at.offset, self._first.get(key, SHARED_SIZE))
        self._by_base: dict[object, list[ReadTile]] = {}
        for tile in tiles:
            self._by_base.setdefault(self.base(tile.at), []).append(tile)
        self._begins = {each.at for each in (*self.copies, *self.barriers)}
        self._tile_begins = {name: {tile.at for tile in tiles if tile.name != name} for name in "ab"}
        self._copied: dict[tuple[int, LinearAddress], list[tuple[SharedAccess, _Placement]]] = {}
        """The copies to each stage of each tile, by the id of the tile and the start of the stage."""
        for copy in self.copies:
            found = self.tile_of[copy.item.number] = self._tile(copy)
            if found is not None:
                key_of = id(found[0]), copy.at.plus(-found[1].by, SHARED_BITS)
                self._copied.setdefault(key_of, []).append((copy, found[1]))
        self._is_completed = any(map(_may_fill, others))
        self._other_writes = _OtherWrites(self, writes)
        self._totals: dict[int, set[int | None]] = {}
        """What the barriers of all copies to a tile expect, by the id of the tile."""
        self._loads_of: dict[LinearAddress, list[SharedAccess]] = {slot.at: [] for slot in self.slots}
        for load in self.loads:
            self._loads_of.get(load.at, []).append(load)
        self._slots_of = self._slots_at_base()
        self._counts: dict[LinearAddress, set[int | None]] = {}
        for barrier in self.barriers:
            self._counts.setdefault(self.in_first_stage(barrier.at), set()).add(barrier.size)
        self._copying: dict[object, list[SharedAccess]] = {}
        for copy in self.copies:
            self._copying.setdefault((copy.barrier, *self._between_waits(copy)), []).append(copy)
        self.told: dict[object, tuple[list[SharedAccess], list[SharedAccess]]] = {}
        """The instructions that tell one barrier what to expect in one region, between two waits, and the copies there
        that name it."""
        for each in self.expects:
            stage = each.at, *self._between_waits(each)
            self.told.setdefault(stage, ([], self._copying.get(stage, [])))[0].append(each)
        self._phases = list(self._find_phases())
        self._known_phases = self._phases_by_maps()
        self._note_totals()

    # ---- addresses ----

    def ring(self, at: LinearAddress) -> _Ring | None:
        """Return the base of an address, and how far it goes from stage to stage; None if it goes elsewhere."""
        if at not in self._rings:
            self._rings[at] = self._find_ring(at)
        return self._rings[at]

    def _find_ring(self, at: LinearAddress) -> _Ring | None:
        base = frozenset([term for term in at.terms if not self.facts.is_changing(term[0])])
        changing = sorted(at.terms - base, key=lambda term: term[1])
        if not changing:
            return _Ring(base, 0)
        (leaf, times), *more = changing
        if more:
            # The remainder of a counter: itself, less its quotient times the number of stages.
            ((quotient, back),) = more if len(more) == 1 else ((None, 0),)
            stages, rest = divmod(SHARED_SIZE - back, times)
            step = self.facts.counter_step(leaf) if set(self.facts.parts(quotient)) == {leaf} else 0
            # A counter that goes several stages at a time reaches each of them only if their number allows it.
            is_ring = not rest and 1 < stages <= _MOST_STAGES and gcd(step, stages) == 1
            return _Ring(base, times) if is_ring else None
        is_counter = self.facts.is_counter(leaf)
        counted = self.facts.counter_step(leaf) if is_counter else self.facts.constant_step(leaf)
        each = counted if is_counter or counted else self.facts.stage_step(leaf)
        stride = times * (each or 0) & ones(SHARED_BITS)
        is_stride = stride % _BARRIER == 0 and 0 < stride < SHARED_SIZE // 2
        return _Ring(base, stride, bool(counted)) if is_stride else None

    def base(self, at: LinearAddress) -> frozenset[tuple[Hashable, int]]:
        """Return the base of a tile. What it adds for each thread is left out: then it is the tile of the first
        ones."""
        ring = self.ring(at)
        terms = at.terms if ring is None else ring.base
        return terms if ring is None else frozenset([term for term in terms if not self.facts.is_of_thread(term[0])])

    def place(self, copy: LinearAddress, tile: LinearAddress) -> _Placement | None:
        """Return how an address compares with that of a tile of the same base; None if it cannot be compared."""
        by = (copy.offset - tile.offset) & ones(SHARED_BITS)
        by = by - SHARED_SIZE if by >= SHARED_SIZE // 2 else by
        mine, theirs = self.ring(copy), self.ring(tile)
        if mine is None or theirs is None:
            return _Placement(0, 0, by) if copy.terms == tile.terms else None
        return _Placement(mine.stride, theirs.stride, by)

    def _tile(self, copy: SharedAccess) -> tuple[ReadTile, _Placement] | None:
        """Return the tile that a copy writes, or a part of it: the last that begins before its destination.

        The distance is the one from the start of the tile in the stage to which it copies.
        """
        best: tuple[tuple[int, bool, bool], ReadTile, _Placement] | None = None
        ring = self.ring(copy.at)
        for tile in self._by_base.get(copy.at.terms if ring is None else ring.base, ()):
            place = self.place(copy.at, tile.at)
            if place is None or place.by < 0 or copy.by_thread or self._is_elsewhere(ring, tile, place):
                continue
            far = place.by
            if place.read and not place.copied:
                # A copy to one of the stages: those by the same map begin at the first.
                if not 0 <= self._first[copy.map, copy.at.terms] - tile.at.offset < tile.size:
                    continue
                place = place._replace(by=far % place.read)
            inside = place.by < tile.size if place.copied in (0, place.read) else far == 0
            distance = far, place.copied != place.read, bool(place.copied) != bool(place.read)
            if inside and (best is None or distance < best[0]):
                best = distance, tile, place
        return best and best[1:]

    def _memory(self, at: LinearAddress | None) -> frozenset[Hashable]:
        """Return the variables to which an address may belong; nothing: to any."""
        terms = () if at is None or not self.facts.is_whole else at.terms
        return frozenset([leaf for leaf, _ in terms if isinstance(leaf, Symbol)])

    def _is_elsewhere(self, ring: _Ring | None, tile: ReadTile, place: _Placement) -> bool:
        """Whether one of two is counted, and they go on by different numbers of bytes: by parts of a stage, or to the
        next tile."""
        rings = ring, self.ring(tile.at)
        return place.copied != place.read and any(each is not None and each.counted for each in rings)

    # ---- bytes ----

    def exact_bytes(self, copy: SharedAccess) -> int | None:
        """Return the bytes that arrive with a copy, if the copy itself or its map says so."""
        if copy.item.multicast:
            return None
        if not copy.item.by_map:
            return copy.size
        return copy.item.boxes * box_bytes(copy.box) if copy.box is not None and copy.item.boxes else None

    def _phases_by_maps(self) -> dict[tuple[object, ...], list[_KnownPhase]]:
        """Return the phases of barriers whose copies are all by maps that are known by name: those of the same maps and
        as many instructions that tell what to expect together."""
        phases: dict[tuple[object, ...], list[_KnownPhase]] = {}
        for expects, copies in self._phases:
            is_known = copies and self.is_known(expects, copies)
            if is_known and all(copy.map and copy.item.boxes for copy in copies):
                maps = _by_maps(copies)
                phase = _KnownPhase(expects[0], _expected(expects), copies, maps)
                phases.setdefault((len(expects), frozenset(maps.items())), []).append(phase)
        return phases

    def unequal_cases(self) -> Iterator[tuple[SharedAccess, UnequalBytes]]:
        """Yield barriers that expect other numbers of bytes than most whose copies are by the same maps; and those that
        expect no fewer than one whose copies are by the same maps and by others."""
        phases = self._known_phases
        for members in phases.values():
            counts = Counter(phase.expected for phase in members)
            (usual, most), *others = counts.most_common()
            for phase in members:
                if others and phase.expected != usual and (most > 1 or phase.expected == others[0][0]):
                    like = next(each for each in members if each.expected == usual)
                    yield phase.expect, self._unequal(phase, like)
        for (count, _), members in phases.items():
            fuller = [
                each
                for (number, _), others in phases.items()
                if number == count and len(others) >= len(members) and members[0].maps < others[0].maps
                for each in others
            ]
            for phase in members:
                more = [each for each in fuller if each.expected <= phase.expected]
                if more and not any(copy.item.multicast for copy in (*phase.copies, *more[0].copies)):
                    yield phase.expect, self._unequal(phase, more[0])

    def _unequal(self, phase: _KnownPhase, like: _KnownPhase) -> UnequalBytes:
        names = self._name(phase.expect.at), phase.expected, self._name(like.expect.at), like.expected
        return UnequalBytes(*names, tuple([copy.line for copy in phase.copies]), (like.maps - phase.maps).total())

    def other_barrier_cases(self) -> Iterator[tuple[SharedAccess, OtherBarrier]]:
        """Yield copies, and what tells a barrier to expect bytes, where it names a barrier that no other one names, and
        the others of the stage name one at the same variable."""
        if self.others:
            return
        told = {expect.at for expect in self.expects}
        named = {copy.barrier for copy in self.copies}
        stages: dict[object, tuple[list[SharedAccess], list[SharedAccess]]] = {}
        for access in (*self.expects, *self.copies):
            stage = stages.setdefault(self._between_waits(access), ([], []))
            stage[access.item.action == COPY].append(access)
        for expects, copies in stages.values():
            alone = [copy for copy in copies if copy.barrier not in told and not copy.by_thread]
            here = {each.at for each in expects}
            usual = [copy for copy in copies if copy.barrier in here]
            if usual:
                for copy in alone:
                    if _is_near(usual[0].barrier, copy.barrier):
                        yield copy, self._other_barrier(copy.barrier, usual)
                yield from self._moved_expect(expects, usual)
            elif alone and len(alone) == len(copies) and len(expects) == 1:
                (expect,) = expects
                if expect.at not in named and not expect.by_thread and _is_near(expect.at, alone[0].barrier):
                    yield expect, self._other_barrier(expect.at, alone)._replace(expected=expect.size)

    def _moved_expect(
        self, expects: Sequence[SharedAccess], copies: Sequence[SharedAccess]
    ) -> Iterator[tuple[SharedAccess, OtherBarrier]]:
        """Yield the one instruction of a stage that tells another barrier the bytes that its own lacks, compared with
        those of the same maps in other stages."""
        named = {copy.barrier for copy in copies}
        odd = [expect for expect in expects if expect.at not in named]
        mine = [expect for expect in expects if expect.at in named]
        if (
            len(odd) != 1
            or len(named) != 1
            or not self.is_known(expects, copies)
            or not _is_near(odd[0].at, mine[0].at)
        ):
            return
        usual = Counter(
            phase.expected
            for phases in self._known_phases.values()
            for phase in phases
            if phase.maps == _by_maps(copies) and phase.expect not in mine
        )
        told, whole = _expected(mine), _expected(expects)
        if usual and usual.most_common(1)[0][0] == whole and told not in usual:
            case = self._other_barrier(odd[0].at, copies)
            yield odd[0], case._replace(expected=odd[0].size, told=told, usual=whole)

    def _other_barrier(self, at: LinearAddress | None, others: Sequence[SharedAccess]) -> OtherBarrier:
        names = self._name(at), self._name(others[0].barrier)
        return OtherBarrier(*names, tuple([copy.line for copy in others]))

    def _name(self, at: LinearAddress | None) -> str:
        return "" if at is None else str(self.shown(at))

    def barrier_cases(self) -> Iterator[tuple[SharedAccess, BarrierBytes]]:
        """Yield what each barrier is told to expect, and what its copies bring, at the first that tells it."""
        for expects, copies in self._phases:
            case = self._barrier_case(expects, copies) if self.is_known(expects, copies) else None
            if case is not None:
                yield expects[0], case

    def _find_phases(self) -> Iterator[tuple[list[SharedAccess], list[SharedAccess]]]:
        """Yield those of :attr:`told` whose barriers are set up for one arrival, and named by no other copies."""
        told, copying = self.told, self._copying
        strays = [copy for key, copies in copying.items() if key not in told for copy in copies]
        elsewhere = _Strays([access.barrier for access in (*strays, *self.others)], self._memory)
        unknown = {each.at for each in self.expects if each.size is None}
        for expects, copies in told.values():
            # A barrier that a call, a remote store or the scheduler of clusters may complete on, too, expects theirs.
            is_known = (copies or self.facts.is_whole) and expects[0].at not in unknown
            if is_known and self._is_set_up_once(expects[0].at) and not elsewhere.may_name(expects[0].at):
                yield expects, copies

    def _note_totals(self) -> None:
        for expects, copies in self._phases:
            total = _expected(expects) if self.is_known(expects, copies) else None
            for copy in copies:
                found = self.tile_of[copy.item.number]
                if found is not None:
                    self._totals.setdefault(id(found[0]), set()).add(total)
        known = {id(copy) for _, copies in self._phases for copy in copies}
        for copy in self.copies:
            found = self.tile_of[copy.item.number]
            if found is not None and id(copy) not in known:
                self._totals.setdefault(id(found[0]), set()).add(None)

    def _between_waits(self, access: SharedAccess) -> tuple[Region, int]:
        """Return where an instruction is, and how many waits stand before it in the text."""
        return access.region, bisect(self._waits, access.item.number)

    def _is_set_up_once(self, barrier: LinearAddress) -> bool:
        """Whether one arrival ends a phase of a barrier, so that one thread says what it expects."""
        counts = self._counts.get(self.in_first_stage(barrier))
        if counts is None:
            counts = set().union(*self._counts.values())
        return counts <= {1}

    @staticmethod
    def is_known(expects: Sequence[SharedAccess], copies: Sequence[SharedAccess]) -> bool:
        """Whether every thread that executes these instructions names the same places, and how many bytes it expects
        is known."""
        return not any(each.by_thread for each in (*expects, *copies)) and all(
            each.size is not None for each in expects
        )

    def _barrier_case(self, expects: Sequence[SharedAccess], copies: Sequence[SharedAccess]) -> BarrierBytes | None:
        """Return what is expected and what comes; None if the copies bring an unknown number of bytes."""
        expected = _expected(expects)
        lines = tuple([copy.line for copy in copies])
        exact = [self.exact_bytes(copy) for copy in copies]
        name = self._name(expects[0].at)
        known = [size for size in exact if size is not None]
        if len(known) == len(copies):
            return BarrierBytes(name, expected, sum(known), sum(known), lines, True, self.pair)
        tiles = self._filled(copies, expected)
        if not tiles:
            return None
        read = sum(tile.size for tile in tiles)
        written = sum(self._other_writes.most(tile) for tile in tiles)
        if written >= read:
            return None
        return BarrierBytes(name, expected, read, read, lines, False, self.pair, written)

    def _filled(self, copies: Sequence[SharedAccess], total: int) -> list[ReadTile]:
        """Return the tiles that copies fill, and nothing else; none if that is not known.

        They bring at least what the MMAs read, if nothing else writes it, and at most what has room there.
        """
        tiles: list[ReadTile] = []
        read: set[tuple[int, LinearAddress]] = set()
        for copy in copies:
            found = self.tile_of[copy.item.number]
            if found is None or copy.item.multicast or self._is_completed:
                return []
            tile, place = found
            key = id(tile), copy.at.plus(-place.by, SHARED_BITS)
            if key in read:
                continue
            read.add(key)
            parts = self._copied[key]
            if {id(part) for part, _ in parts} - {id(each) for each in copies} or all(by.by for _, by in parts):
                return []
            # Of other warps' copies it is not known which come before an MMA: all of them, if they bring equally much.
            if not (copy.before_mma or self._totals[id(tile)] == {total}):
                return []
            if tile.used != tile.size or self._room(tile, place, copy, copies) != tile.size:
                return []
            tiles.append(tile)
        return tiles

    def _room(
        self, tile: ReadTile, place: _Placement, copy: SharedAccess, copies: Sequence[SharedAccess]
    ) -> int | None:
        """Return the most bytes that copies may write to a tile: from its start to what follows it; None if that is
        not known.

        That is another copy for the same barrier, in this stage or the next, or a barrier.
        """
        begin = copy.at.plus(-place.by, SHARED_BITS)
        ring = self.ring(copy.at)
        starts = {each.at.offset for each in copies if each.at.terms == copy.at.terms}
        starts -= {begin.plus(by.by, SHARED_BITS).offset for _, by in self._copied[id(tile), begin]}
        starts |= {each.at.offset for each in self.barriers if each.at.terms == copy.at.terms}
        far = [(start - begin.offset) & ones(SHARED_BITS) for start in starts]
        if ring is not None and ring.stride:
            far = [by % ring.stride or ring.stride for by in far] + [ring.stride]
        return min(far, default=None)

    def shown(self, at: LinearAddress) -> SharedPlace:
        """Return an address as it is shown: the variable, the stage, the offset."""
        ring = self.ring(at)
        base = at.terms if ring is None else ring.base
        words = []
        for leaf, times in base:
            parts = self.facts.parts(leaf)
            variable = str(parts[0]) if len(parts) == 1 and isinstance(parts[0], Symbol) else ""
            words.append((times, not variable, variable))
        number = self._numbers.setdefault(base, len(self._numbers))
        name = " + ".join([variable or "base" for *_, variable in sorted(words)])
        return SharedPlace(name, number, ring.stride if ring is not None else 0, at.offset)

    # ---- stages, and places ----

    def stage_cases(self) -> Iterator[tuple[SharedAccess, StageStrides]]:
        """Yield copies that step from stage to stage otherwise than the MMAs that read their tile."""
        for copy in self.copies:
            found = self.tile_of[copy.item.number]
            if found is None:
                continue
            tile, place = found
            if place.copied and place.read and place.copied != place.read and not self._is_unrolled(copy, tile, place):
                yield copy, StageStrides(tile.name.upper(), place.copied, place.read, self._lines(tile))

    def beside_cases(self) -> Iterator[tuple[SharedAccess, Beside]]:
        """Yield copies that begin inside a tile, where none of its copies begins at its start."""
        for copy in self.copies if not self._is_completed else ():
            found = self.tile_of[copy.item.number]
            if found is None or not _may_fill(copy) or found[1].by <= self._other_writes.most(found[0]):
                continue
            begin = copy.at.plus(-found[1].by, SHARED_BITS)
            # A copy to the start may count as one of another tile that begins there, as other MMAs read it.
            if begin not in self._begins and all(place.by for _, place in self._copied[id(found[0]), begin]):
                yield copy, Beside(found[0].name.upper(), found[1].by, self._lines(found[0]))
        for phases in self._known_phases.values():
            yield from self._moved(phases)

    def _moved(self, phases: Sequence[_KnownPhase]) -> Iterator[tuple[SharedAccess, Beside]]:
        """Yield copies that begin elsewhere in their stage than those by the same map of most phases."""
        placed = [Counter(map(self._place_in_stage, phase.copies)) for phase in phases]
        (most, times), *others = Counter(frozenset(places.items()) for places in placed).most_common()
        if not others or times == others[0][1]:
            return
        usual = Counter(dict(most))
        for phase, places in zip(phases, placed, strict=True):
            odd, right = [*(places - usual).elements()], [*(usual - places).elements()]
            if len(odd) != 1 or len(right) != 1 or odd[0][:2] != right[0][:2]:
                continue
            copy = next(copy for copy in phase.copies if self._place_in_stage(copy) == odd[0])
            found = self.tile_of[copy.item.number]
            if found is not None:
                yield copy, Beside(found[0].name.upper(), odd[0].by - right[0].by, self._lines(found[0]))

    def _place_in_stage(self, copy: SharedAccess) -> _PlaceInStage:
        found = self.tile_of[copy.item.number]
        return _PlaceInStage(copy.map, "", 0) if found is None else _PlaceInStage(copy.map, found[0].name, found[1].by)

    def beyond_cases(self) -> Iterator[tuple[SharedAccess, Beyond]]:
        """Yield copies to stages that are closer together than an MMA reads."""
        for copy in self.copies:
            found = self.tile_of[copy.item.number]
            if found is None or found[1].by or not found[1].read or found[1].copied != found[1].read:
                continue
            tile, place = found
            # Stages may be interleaved: then none reads what another reads.
            beyond = [
                read
                for read in (tile.reads if tile.size > place.read else ())
                if any(unit + place.read in read.units for unit in read.units)
            ]
            if beyond:
                longest = max(max(read.units) + UNIT for read in beyond)
                yield copy, Beyond(tile.name.upper(), longest, place.read, self._lines(tile))

    def overwritten_cases(self) -> Iterator[tuple[SharedAccess, Overwritten]]:
        """Yield copies that write over their own barrier, or over a slot that is read after them."""
        sizes = self._sizes()
        for copy in self.copies:
            if copy.by_thread:
                continue
            first = self.in_first_stage(copy.at)
            size = self.exact_bytes(copy) or sizes.get(copy.item.number, _LEAST)
            for what, kept in self._kept(copy, first, size):
                at = self.in_first_stage(kept)
                if at.terms == first.terms and (at.offset - first.offset & ones(SHARED_BITS)) < size:
                    yield copy, Overwritten(what, self._name(kept), size, ())
                    break

    def in_first_stage(self, at: LinearAddress) -> LinearAddress:
        """Return an address in the first stage."""
        ring = self.ring(at)
        return at if ring is None else at._replace(terms=ring.base)

    def _sizes(self) -> dict[int, int]:
        """Return the bytes of copies that fill a tile each, by their items: all of them together are expected."""
        sizes: dict[int, int] = {}
        for expects, copies in self._phases:
            tiles = [found for copy in copies if (found := self.tile_of[copy.item.number]) is not None]
            alone = len(tiles) == len(copies) == len({id(tile) for tile, _ in tiles})
            whole = alone and not any(place.by for _, place in tiles)
            if whole and sum(tile.size for tile, _ in tiles) == _expected(expects):
                sizes |= {copy.item.number: tile.size for copy, (tile, _) in zip(copies, tiles, strict=True)}
        return sizes

    def _slots_at_base(self) -> dict[object, list[tuple[int, SharedAccess]]]:
        """Return the slots by their base, in the order of their offsets."""
        times = Counter(slot.at for slot in self.slots)
        found: dict[object, list[tuple[int, SharedAccess]]] = {}
        # Threads may keep something else in the word of a slot that is no longer needed.
        for slot in self.slots if not self._is_written else ():
            at = self.in_first_stage(slot.at)
            if times[slot.at] == 1:
                found.setdefault(at.terms, []).append((at.offset, slot))
        return {terms: sorted(slots, key=itemgetter(0)) for terms, slots in found.items()}

    def _kept(self, copy: SharedAccess, first: LinearAddress, size: int) -> Iterator[tuple[str, LinearAddress]]:
        """Yield what must not be written when a copy of so many bytes is issued; ``first``: where, in the first
        stage."""
        # Another barrier, and the tile of a copy for which it does not wait, may lie there one after the other.
        if copy.barrier is not None:
            yield "its barrier", copy.barrier
        slots = self._slots_of.get(first.terms, [])
        for _, slot in slots[bisect_left(slots, first.offset, key=itemgetter(0)) :]:
            if slot.at.offset >= first.offset + size:
                break
            if any(
                self.facts.may_follow(slot.item.number, copy.item.number)
                and not self.facts.may_follow(copy.item.number, slot.item.number)
                and self.facts.may_follow(copy.item.number, load.item.number)
                and not self.facts.may_follow(load.item.number, copy.item.number)
                for load in self._loads_of[slot.at]
            ):
                yield "the slot of tcgen05.alloc", slot.at

    def _lines(self, tile: ReadTile) -> tuple[int, ...]:
        return tuple(sorted({self.mmas[read.mma].line for read in tile.reads}))

    def _is_unrolled(self, copy: SharedAccess, tile: ReadTile, place: _Placement) -> bool:
        """Whether one of the two goes several stages at a time, with an instruction for each of them."""
        small, big = sorted((place.copied, place.read))
        if big % small:
            return False
        here = copy.at if place.copied == big else tile.at
        others = [each.at for each in (self.copies if place.copied == big else self.tiles)]
        alike = {at.offset for at in others if self.ring(at) == self.ring(here)}
        return all((here.offset + by) % SHARED_SIZE in alike for by in range(small, big, small))

    def not_judged(self) -> Iterator[str]:
        """Yield why some copies were not compared with what waits for them and reads them, each reason once."""
        judged = {id(copy) for expects, copies in self._phases if self.is_known(expects, copies) for copy in copies}
        if any(copy.by_thread for copy in self.copies):
            yield "copies whose destination depends on the thread"
        if any(id(copy) not in judged and not copy.by_thread for copy in self.copies):
            yield "copies of which it is not known what their barrier expects"
        if any(self.tile_of[copy.item.number] is None and not copy.by_thread for copy in self.copies):
            yield "copies to places that no MMA is known to read"

    def cases(
        self, others: Iterator[tuple[SharedAccess, SharedMemoryCase]]
    ) -> dict[int, tuple[SharedAccess, list[SharedMemoryCase]]]:
        """Return what contradicts itself, and ``others``, by the item of the instruction that is at fault."""
        found: dict[int, tuple[SharedAccess, list[SharedMemoryCase]]] = {}
        places: tuple[Iterator[tuple[SharedAccess, SharedMemoryCase]], ...] = (
            *(self.stage_cases(), self.beside_cases()),
            *(self.beyond_cases(), self.overwritten_cases(), self.other_barrier_cases()),
            others,
        )
        for access, case in chain.from_iterable(places):
            found.setdefault(access.item.number, (access, []))[1].append(case)
        misplaced = {access.line for access, _ in found.values()}
        incomplete = {
            line
            for _, cases in found.values()
            for case in cases
            if isinstance(case, OtherBarrier)
            for line in case.lines
        }
        told: set[int] = set()
        waits: list[tuple[SharedAccess, BarrierBytes | UnequalBytes]] = [*self.barrier_cases()]
        waits += self.unequal_cases()
        for access, bytes_of in waits:
            # The bytes of a copy to a wrong place are not known.
            by_maps = isinstance(bytes_of, BarrierBytes) and bytes_of.by_maps
            is_known = by_maps or not misplaced & set(bytes_of.lines)
            if (
                is_known
                and not incomplete & set(bytes_of.lines)
                and access.item.number not in told
                and judge_shared_memory((bytes_of,))
            ):
                told.add(access.item.number)
                found.setdefault(access.item.number, (access, []))[1].append(bytes_of)
        return found
