"""What contradicts itself in the shared memory of a function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdesc.kinds.tensormap import DATA_TYPE
from smemdesc.engine.fields import ones
from smemdesc.rules.shared_memory_use import BarrierBytes, Beside, Overwritten, SharedMemoryCase, StageStrides
from smemdesc.scanning.analysis.starts import LinearAddress, Symbol
from smemdesc.scanning.model import ScannedMma
from smemdesc.scanning.shared_memory.facts import COPY, EXPECT, LOAD, SET_UP, SLOT, WINDOW_BITS, SharedAccess, SharedFacts
from smemdesc.scanning.shared_memory.reading import ReadTile
from smemdesc.tiles.tensor_map import CopiedBox

WINDOW = 1 << WINDOW_BITS


class _Place(NamedTuple):
    """How the address of a copy compares with that of a tile."""

    copied: int
    """Bytes from stage to stage of the copy; 0: it has no stage."""
    read: int
    by: int
    """Bytes from the start of the tile in its first stage to the destination."""


def box_bytes(box: CopiedBox) -> int:
    """Return the bytes that the copy of a box brings: of padded types, their payload."""
    data_type = DATA_TYPE[box.data_type]
    elements = 1
    for size in box.box:
        elements *= size
    return elements * (data_type.packed or data_type.bits) // 8


class Judgment:
    """The copies, the barriers and the tiles of a function."""

    def __init__(self, facts: SharedFacts, tiles: Sequence[ReadTile], mmas: Sequence[ScannedMma]) -> None:
        self.facts = facts
        self.tiles = tiles
        self.mmas = mmas
        of = {action: [each for each in facts.accesses if each.item.action == action] for action in (COPY, EXPECT, SET_UP, SLOT, LOAD)}
        self.copies, self.expects, self.barriers, self.slots, self.loads = of.values()
        self.pair = any(mma.instruction.cta_group == 2 for mma in mmas)
        self.tile_of = {copy.item.index: self._tile(copy) for copy in self.copies}

    # ---- addresses ----

    def place(self, copy: LinearAddress, tile: LinearAddress) -> _Place | None:
        """Return how an address compares with that of a tile; None if it cannot be compared."""
        if not all(any(isinstance(leaf, Symbol) for leaf, _ in at.terms) for at in (copy, tile)) and copy.terms != tile.terms:
            return None
        common = copy.terms & tile.terms
        mine, theirs = copy.terms - common, tile.terms - common
        if len(mine) > 1 or len(theirs) > 1 or not all(self.facts.is_stage(leaf) for leaf, _ in mine | theirs):
            return None
        copied, read = (next((times for _, times in rest), 0) for rest in (mine, theirs))
        by = (copy.offset - tile.offset) & ones(WINDOW_BITS)
        return _Place(copied, read, by - WINDOW if by >= WINDOW // 2 else by)

    def _tile(self, copy: SharedAccess) -> tuple[ReadTile, _Place] | None:
        """Return the tile that a copy writes, or a part of it: the last that begins before its destination.

        The distance is the one from the start of the tile in the stage to which it copies.
        """
        best: tuple[int, ReadTile, _Place] | None = None
        for tile in self.tiles:
            place = self.place(copy.at, tile.at)
            if place is None or place.by < 0 or copy.by_thread:
                continue
            far = place.by
            if place.read and not place.copied:
                place = place._replace(by=far % place.read)  # a copy before the loop, to one of the stages
            inside = place.by < tile.size if place.copied in (0, place.read) else far == 0
            if inside and (best is None or far < best[0]):
                best = far, tile, place
        return best and best[1:]

    # ---- bytes ----

    def _room(self, tile: ReadTile, by: int, stage: int) -> int | None:
        """Return the most bytes that a copy may write from a byte of a tile on; None if no limit is known."""
        if stage:
            starts = {each.at.offset for each in self.tiles if each.at.terms == tile.at.terms}
            starts |= {of.at.offset + place.by for of, place in filter(None, self.tile_of.values()) if of.at.terms == tile.at.terms}
            return min((start - tile.at.offset - by) % stage or stage for start in starts)
        begins = [each.at for each in (*self.copies, *self.barriers)]
        begins += [each.at for each in self.tiles if each.name != tile.name]
        bounded = LinearAddress(tile.at.terms, tile.end & ones(WINDOW_BITS)) in begins
        return tile.size - by if bounded else None

    def exact_bytes(self, copy: SharedAccess) -> int | None:
        """Return the bytes that arrive with a copy, if the copy itself or its map says so."""
        if copy.item.multicast:
            return None
        return box_bytes(copy.box) if copy.box is not None else None if copy.item.by_map else copy.size

    def barrier_cases(self) -> Iterator[tuple[SharedAccess, BarrierBytes]]:
        """Yield what each barrier is told to expect, and what its copies bring, at the first that tells it."""
        expecting: dict[object, list[SharedAccess]] = {}
        copying: dict[object, list[SharedAccess]] = {}
        for each in self.expects:
            expecting.setdefault((each.at, each.region), []).append(each)
        for copy in self.copies:
            copying.setdefault((copy.barrier, copy.region), []).append(copy)
        for key, expects in expecting.items():
            copies = copying.get(key, [])
            if copies and self._is_alone(expects[0], expecting):
                case = self._barrier_case(expects, copies)
                if case is not None:
                    yield expects[0], case

    def _is_alone(self, expect: SharedAccess, expecting: Mapping[object, object]) -> bool:
        """Whether no copy elsewhere may be one for which an instruction expects bytes."""
        for copy in self.copies:
            if copy.barrier == expect.at:
                if (copy.barrier, copy.region) not in expecting:
                    return False
            elif (copy.barrier is None or copy.barrier.terms != expect.at.terms) and copy.region == expect.region:
                if (copy.barrier, copy.region) not in expecting:
                    return False
        return not any(each.at == expect.at and each.size is None for each in self.expects)

    def _barrier_case(self, expects: Sequence[SharedAccess], copies: Sequence[SharedAccess]) -> BarrierBytes | None:
        if any(each.by_thread for each in (*expects, *copies)) or any(each.size is None for each in expects):
            return None
        expected = sum(each.size or 0 for each in expects)
        lines = tuple([copy.line for copy in copies])
        exact = [self.exact_bytes(copy) for copy in copies]
        name = self.shown(expects[0].at)
        known = [size for size in exact if size is not None]
        if len(known) == len(copies):
            return BarrierBytes(name, expected, sum(known), sum(known), lines, True, self.pair)
        least, most = self._limits(copies)
        return BarrierBytes(name, expected, least, most, lines, False, self.pair)

    def _limits(self, copies: Sequence[SharedAccess]) -> tuple[int, int | None]:
        """Return the least and the most bytes that copies bring that write tiles which MMAs read."""
        least, most = 0, 0
        limited = True
        seen: dict[tuple[int, LinearAddress], list[int]] = {}
        for copy in copies:
            exact, found = self.exact_bytes(copy), self.tile_of[copy.item.index]
            if exact is not None:
                least, most = least + exact, most + exact
            elif found is None:
                limited = False
            else:
                tile, place = found
                room = self._room(tile, place.by, place.read)
                limited = limited and room is not None
                most += room or 0
                # The start of the tile in its stage tells the stages apart.
                begin = copy.at._replace(offset=copy.at.offset - place.by & ones(WINDOW_BITS))
                seen.setdefault((id(tile), begin), []).append(place.by)
                if place.by == 0 and self._has_one_barrier(tile, begin, copy):
                    least += tile.size
        return least, most if limited else None

    def _has_one_barrier(self, tile: ReadTile, begin: LinearAddress, copy: SharedAccess) -> bool:
        """Whether all copies to a tile, in one stage of it, name the barrier of this one."""
        for other in self.copies:
            found = self.tile_of[other.item.index]
            if found is None or other is copy:
                if found is None and other.region == copy.region and other.by_thread:
                    return False
                continue
            same = other.at._replace(offset=other.at.offset - found[1].by & ones(WINDOW_BITS)) == begin
            if same and found[0] is tile and (other.barrier, other.region) != (copy.barrier, copy.region):
                return False
        return True

    def shown(self, at: LinearAddress) -> str:
        """Return an address as it is shown: the variable, the stage, the offset."""
        symbols = [str(leaf) for leaf, times in sorted(at.terms, key=str) if isinstance(leaf, Symbol) and times == 1]
        stages = [f"stage * {times}" for leaf, times in sorted(at.terms, key=str) if not isinstance(leaf, Symbol)]
        numbers = [f"0x{at.offset:x}"] if at.offset or not at.terms else []
        return " + ".join([*symbols, *stages, *numbers])

    # ---- stages, and places ----

    def stage_cases(self) -> Iterator[tuple[SharedAccess, StageStrides]]:
        """Yield copies that step from stage to stage otherwise than the MMAs that read their tile."""
        for copy in self.copies:
            found = self.tile_of[copy.item.index]
            if found is None:
                continue
            tile, place = found
            if place.copied and place.read and place.copied != place.read and min(place.copied, place.read) >= tile.size // 4:
                yield copy, StageStrides(tile.name.upper(), place.copied, place.read, tuple(sorted({self.mmas[read.mma].line for read in tile.reads})))

    def cases(self) -> dict[int, tuple[SharedAccess, list[SharedMemoryCase]]]:
        """Return what contradicts itself, by the item of the instruction that is at fault."""
        found: dict[int, tuple[SharedAccess, list[SharedMemoryCase]]] = {}
        for access, case in (*self.barrier_cases(), *self.stage_cases()):
            found.setdefault(access.item.index, (access, []))[1].append(case)
        return found
