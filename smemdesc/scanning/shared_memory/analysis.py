"""One function's shared memory: its facts, its tiles, and its MMAs with what contradicts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from smemdesc.kinds.instruction import Instruction
from smemdesc.scanning.analysis.starts import LinearAddress
from smemdesc.scanning.model import ScannedMma
from smemdesc.scanning.model.shared_memory import (
    ParameterMap,
    SharedBarrier,
    SharedMemoryPicture,
    SharedSlot,
    SharedTile,
)
from smemdesc.scanning.shared_memory.arrivals import arrival_cases
from smemdesc.scanning.shared_memory.facts import SharedAccess, SharedFacts
from smemdesc.scanning.shared_memory.judging import Judgment
from smemdesc.scanning.shared_memory.reading import OperandRead, ReadTile, read_tiles
from smemdesc.tiles.tensor_map import CopiedBox


def with_shared_memory(
    mmas: Sequence[ScannedMma], reads: Iterable[OperandRead], facts: SharedFacts, blocks: Sequence[int | None]
) -> tuple[tuple[ScannedMma, ...], SharedMemoryPicture]:
    """Return MMAs with the maps that write their tiles; after them, the other instructions with a contradiction. And
    the picture of the shared memory.

    ``reads``: what the MMAs read of A and of B, as far as that is known; ``blocks``: the part of the code in which each
    MMA is.
    """
    judgment = Judgment(facts, read_tiles(reads, blocks), mmas)
    boxes: dict[tuple[int, str], set[CopiedBox | None]] = {}
    for copy in judgment.copies:
        found = judgment.tile_of[copy.item.number]
        for read in found[0].reads if found is not None else ():
            boxes.setdefault((read.mma, read.name), set()).add(copy.box)
    one = {key: next(iter(of)) for key, of in boxes.items() if len(of) == 1}
    judged = [mma._replace(maps=(one.get((at, "a")), one.get((at, "b")))) for at, mma in enumerate(mmas)]
    arch = mmas[0].arch if mmas else None
    for access, cases in judgment.cases(arrival_cases(judgment)).values():
        name = access.text.split()[access.text.startswith("@")].partition(".")[0]
        instruction = Instruction(name, accessed=(0, 0))
        nothing = ScannedMma(access.line, access.text, instruction, None, None, None, None)
        judged.append(nothing._replace(arch=arch, shared=tuple(cases)))
    return tuple(judged), picture(judgment)


def picture(judgment: Judgment) -> SharedMemoryPicture:
    """Return the shared memory of a function as one picture."""
    tiles: dict[object, list[ReadTile]] = {}
    to_tile: dict[int, list[SharedAccess]] = {}
    by_barrier: dict[LinearAddress | None, list[SharedAccess]] = {}
    for copy in judgment.copies:
        by_barrier.setdefault(copy.barrier, []).append(copy)
        if (found := judgment.tile_of[copy.item.number]) is not None:
            to_tile.setdefault(id(found[0]), []).append(copy)
    for tile in judgment.tiles:
        tiles.setdefault((tile.name, *_of_all_stages(judgment, tile.at)), []).append(tile)
    barriers: dict[object, list[SharedAccess]] = {}
    for expect in judgment.expects:
        barriers.setdefault(_of_all_stages(judgment, expect.at), []).append(expect)
    slots = dict.fromkeys((judgment.shown(slot.at), slot.line) for slot in judgment.slots)
    return SharedMemoryPicture(
        tuple([_tile(judgment, alike, to_tile) for alike in tiles.values()]),
        tuple([_barrier(judgment, expects, by_barrier) for expects in barriers.values()]),
        tuple([SharedSlot(*slot) for slot in slots]),
        tuple(judgment.not_judged()),
        tuple([ParameterMap(name, _of_box(box)) for name, box in judgment.facts.maps]),
    )


def _of_all_stages(judgment: Judgment, at: LinearAddress) -> tuple[object, int]:
    """Return a key that an address has in common with its first stage, if another instruction names that alone."""
    ring = judgment.ring(at)
    return (at.terms if ring is None else ring.base), at.offset


def _tile(judgment: Judgment, alike: Sequence[ReadTile], to_tile: Mapping[int, Sequence[SharedAccess]]) -> SharedTile:
    at = max((tile.at for tile in alike), key=lambda at: len(at.terms))
    copies = [copy for tile in alike for copy in to_tile.get(id(tile), ())]
    boxes = {copy.box for copy in copies}
    box = next(iter(boxes)) if len(boxes) == 1 else None
    reads = sorted({judgment.mmas[read.mma].line for tile in alike for read in tile.reads})
    lines = sorted({copy.line for copy in copies})
    size = max(tile.size for tile in alike)
    return SharedTile(alike[0].name, judgment.shown(at), size, tuple(reads), tuple(lines), _of_box(box))


def _barrier(
    judgment: Judgment,
    expects: Sequence[SharedAccess],
    by_barrier: Mapping[LinearAddress | None, Sequence[SharedAccess]],
) -> SharedBarrier:
    sizes = dict.fromkeys(each.size for each in expects if each.size is not None)
    places = {each.at for each in expects}
    copies = sorted({copy.line for at in places for copy in by_barrier.get(at, ())})
    at = max(places, key=lambda at: len(at.terms))
    return SharedBarrier(
        judgment.shown(at), tuple(sizes), tuple(sorted({each.line for each in expects})), tuple(copies)
    )


def _of_box(box: CopiedBox | None) -> str:
    return "" if box is None else f"{'x'.join(map(str, box.box))} {box.data_type}, swizzle {box.swizzle}"
