"""How many arrivals a barrier is set up for, and how many come: of one thread that copies, and of MMAs that end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from smemdesc.rules.shared_memory_use import ArrivalCount
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol
from smemdesc.scanning.shared_memory.facts import SOMEWHERE, SharedAccess
from smemdesc.scanning.shared_memory.judging import Judgment

_Family = tuple[frozenset[tuple[Hashable, int]], int]
"""The base and the first offset of the barriers of all stages."""


def arrival_cases(judgment: Judgment) -> Iterator[tuple[SharedAccess, ArrivalCount]]:
    """Yield barriers that are set up for more arrivals than can come, at the instruction that sets them up."""
    # Where copies are whole variables (TTGIR), operations arrive that are not looked at.
    if not judgment.barriers or judgment.others or judgment.pair or judgment.facts.is_whole:
        return
    arriving = _Arrivals(judgment)
    for barrier in judgment.barriers if arriving.are_known else ():
        family = arriving.family(barrier.at)
        most, lines = (0, ()) if family is None or barrier.size is None else arriving.most(family)
        if most and barrier.size is not None and barrier.size > most:
            yield barrier, ArrivalCount(str(judgment.shown(barrier.at)), barrier.size, most, lines)


class _Arrivals:
    """The instructions of a function that arrive at its barriers."""

    def __init__(self, judgment: Judgment) -> None:
        self._judgment = judgment
        arriving = [*judgment.expects, *judgment.arrivals]
        self._starts: dict[object, set[tuple[int, int]]] = defaultdict(set)
        """The first offsets of barriers of several stages, and the bytes from stage to stage, by their base."""
        for at in [each.at for each in (*judgment.barriers, *arriving)]:
            ring = judgment.ring(at)
            if ring is not None and ring.stride:
                self._starts[ring.base].add((at.offset, ring.stride))
        families = [self.family(each.at) for each in (*judgment.barriers, *arriving)]
        bases = {family[0] for family in families[: len(judgment.barriers)] if family is not None}
        self.are_known = all(family is not None and self._is_apart(family[0], bases) for family in families)
        """Whether it is known of each where it arrives."""
        self._tiles = {(read.mma, read.name): tile for tile in judgment.tiles for read in tile.reads}
        self._told: dict[object, list[tuple[list[SharedAccess], list[SharedAccess]]]] = defaultdict(list)
        for phase in judgment.told.values():
            self._told[self.family(phase[0][0].at)].append(phase)
        self._others: dict[object, list[SharedAccess]] = defaultdict(list)
        for each in judgment.arrivals:
            self._others[self.family(each.at)].append(each)

    @staticmethod
    def _is_apart(base: frozenset[tuple[Hashable, int]], bases: set[frozenset[tuple[Hashable, int]]]) -> bool:
        """Whether a base is one of some, or another variable than each."""
        named = [leaf for other in (base, *bases) for leaf, _ in other]
        return base in bases or all(isinstance(leaf, Symbol) and leaf != SOMEWHERE for leaf in named)

    def family(self, at: LinearAddress) -> _Family | None:
        """Return the barriers of all stages, of which one is at an address; None if that is not known."""
        ring = self._judgment.ring(at)
        if ring is None:
            return None
        starts = [first for first, by in self._starts[ring.base] if first <= at.offset and not (at.offset - first) % by]
        return ring.base, at.offset if ring.stride else max(starts, default=at.offset)

    def most(self, family: _Family) -> tuple[int, tuple[int, ...]]:
        """Return how many arrivals may come in one phase, at most, and the lines of what arrives; 0: that is not
        known."""
        phases, others = self._told[family], self._others[family]
        of_copies, of_mmas = self._most_of_copies(phases), self._most_of_mmas(others)
        if of_copies is None or of_mmas is None:
            return 0, ()
        lines = {each.line for each in (*others, *(each for expects, _ in phases for each in expects))}
        return of_copies + of_mmas, tuple(sorted(lines))

    def _most_of_copies(self, phases: Sequence[tuple[list[SharedAccess], list[SharedAccess]]]) -> int | None:
        """Return how often one thread arrives that copies: all do so in one phase, unless they copy to one place."""
        counts: list[int] = []
        places: list[set[object]] = []
        for expects, copies in phases:
            others = any(each.by_thread or each.item.arrivals is None for each in (*expects, *copies))
            if not copies or others:
                return None  # of other threads it is not known how many there are
            if any(self._goes_on(copy.at) != self._goes_on(expects[0].at) for copy in copies):
                return None  # it may arrive for each part of a stage
            counts.append(sum(each.item.arrivals or 0 for each in expects))
            places.append(set(map(self._place, copies)))
        alike = bool(places) and bool(set.intersection(*places))
        return max(counts, default=0) if alike else sum(counts)

    def _goes_on(self, at: LinearAddress) -> bool | None:
        ring = self._judgment.ring(at)
        return None if ring is None else bool(ring.stride)

    def _place(self, copy: SharedAccess) -> object:
        """Return where a copy goes, in any stage."""
        found = self._judgment.tile_of[copy.item.number]
        if found is None:
            return self._judgment.in_first_stage(copy.at)
        return found[0].name, self._judgment.in_first_stage(found[0].at), found[1].by

    def _most_of_mmas(self, arrivals: Sequence[SharedAccess]) -> int | None:
        """Return how often one thread arrives that multiplies: all do so in one phase, unless they multiply the same
        tiles."""
        pairs: list[object] = []
        for each in arrivals:
            # In a loop it may arrive at one barrier more than once.
            again = each.region.loop is not None and not self._goes_on(each.at)
            pair = None if each.item.arrivals is None or again or each.by_thread else self._multiplied(each)
            if pair is None:
                return None
            pairs.append(pair)
        return len(pairs) if len(set(pairs)) != 1 else 1

    def _multiplied(self, arrival: SharedAccess) -> object:
        """Return the tiles that the last MMA before an instruction reads, in any stage; None if that is not known."""
        before = [number for number, mma in enumerate(self._judgment.mmas) if mma.line < arrival.line]
        if not before:
            return None
        tiles = [self._tiles.get((before[-1], name)) for name in "ab"]
        if None in tiles:
            return None
        places = [self._judgment.in_first_stage(tile.at) for tile in tiles if tile is not None]
        of_thread = any(self._judgment.facts.is_of_thread(leaf) for at in places for leaf, _ in at.terms)
        return None if of_thread else tuple(places)
