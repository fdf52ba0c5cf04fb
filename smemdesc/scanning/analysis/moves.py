"""How A and B move from one MMA to the next that adds to the same accumulator.

Only MMAs that follow each other in any execution are compared: between them the text has no branch (but for one that
repeats the same block, as of threads that take turns), no way in from elsewhere, nothing that waits for other threads
and nothing that writes shared memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from smemdesc.engine.fields import WORD, Table, ones
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.strides import UNIT
from smemdesc.rules.steps import OperandMoves
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.model import START, ScannedMma, ScannedOperand

_Accumulator = tuple[str, int]
"""The base of its address and the offset, or the first of its registers."""


def runs(blocks: Sequence[Block], indices: Sequence[int], interrupted: Callable[[int, int], bool]) -> Mapping[int, int]:
    """Return a number for each of these instructions: equal for those that follow each other in any execution.

    ``interrupted`` returns whether something between two of them waits, or writes shared memory.
    """
    ways: dict[int, set[int]] = {}
    for number, block in enumerate(blocks):
        for to in block.following:
            ways.setdefault(to, set()).add(number)
    starts = [block.at for block in blocks]
    found: dict[int, int] = {}
    run = at = 0
    for before, index in pairwise([indices[0], *indices] if indices else []):
        while at + 1 < len(blocks) and starts[at + 1] <= before:
            at += 1
        to = at
        straight = True
        while straight and to + 1 < len(blocks) and starts[to + 1] <= index:
            straight = set(blocks[to].following) <= {to, to + 1} and not blocks[to + 1].entry
            to += 1
            straight = straight and ways.get(to, set()) <= {to - 1, to}
        if not straight or interrupted(before, index):
            run += 1
        found[index] = run
    return found


def in_loops(blocks: Sequence[Block], indices: Sequence[int], interrupted: Callable[[int, int], bool]) -> set[int]:
    """Return the instructions that are alone in a loop of one block that does not wait, and writes no memory."""
    starts = [block.at for block in blocks]
    members: dict[int, list[int]] = {}
    for index in indices:
        members.setdefault(bisect_right(starts, index) - 1, []).append(index)
    return {
        index
        for number, (index, *others) in members.items()
        if not others
        and number in blocks[number].following
        and number + 1 < len(blocks)
        and not interrupted(starts[number], starts[number + 1] - 1)
    }


def with_moves(mmas: Sequence[ScannedMma], numbers: Sequence[int], loops: Sequence[bool]) -> tuple[ScannedMma, ...]:
    """Return MMAs with how A and B move from one to the next; ``numbers``: those of :func:`runs`; ``loops``: which of
    them are in a loop (:func:`in_loops`)."""
    moves = {at: step for at, mma in enumerate(mmas) if loops[at] and (step := _repeated(mma)) is not None}
    for _, members in groupby(range(len(mmas)), numbers.__getitem__):
        for chain in _chains(mmas, members):
            found = [(at, _moves(mmas[before], mmas[at])) for before, at in pairwise(chain)]
            for _, steady in groupby(found, lambda step: step[1]):
                alike = list(steady)
                moves.update({at: step._replace(times=len(alike)) for at, step in alike if step is not None})
    return tuple(mma._replace(moves=moves.get(at)) for at, mma in enumerate(mmas)) if moves else tuple(mmas)


def _chains(mmas: Sequence[ScannedMma], members: Iterator[int]) -> Iterator[list[int]]:
    """Yield the MMAs that add to one accumulator, one after the other."""
    open_: dict[_Accumulator, list[int]] = {}
    for at in members:
        mma = mmas[at]
        if mma.instruction.copied is not None or mma.instruction.family not in ("wgmma", "tcgen05"):
            continue
        key = accumulator_of(mma)
        # Two accumulators of which it is not known how far they are apart may be the same one.
        ended = [other for other in open_ if key is None or other[0] != key[0] or (other == key and mma.begins)]
        if mma.instruction.family == "wgmma":
            ended = [other for other in ended if key is None or other == key]
        for other in ended:
            yield open_.pop(other)
        if key is not None:
            open_.setdefault(key, []).append(at)
    yield from open_.values()


def accumulator_of(mma: ScannedMma) -> _Accumulator | None:
    """Return the base of the address of D and the offset, or its first register; None if it is not known."""
    if mma.instruction.family == "wgmma":
        return (mma.accumulator, 0) if mma.accumulator else None
    address = next((address for address in mma.tensor_memory if address.name == "d"), None)
    if address is None:
        return None
    if address.known == ones(WORD):
        return "", address.bits
    return None if address.start is None else address.start[:2]


def _moves(before: ScannedMma, mma: ScannedMma) -> OperandMoves | None:
    """Return how A and B have moved, if nothing else of the two MMAs differs."""
    if before.instruction != mma.instruction or before.mask != mma.mask:
        return None
    table = shared_memory_table(mma)
    masks = table.masks[START], table.must_mask
    a, b = (_distance(*pair, *masks) for pair in ((before.a, mma.a), (before.b, mma.b)))
    if a is None or b is None or not _same(before.idesc, mma.idesc, _scale_ids(mma)):
        return None
    places, others = ([address[:3] + address[4:] for address in each.tensor_memory] for each in (before, mma))
    alike = places == others and _same(before.idesc, mma.idesc, 0) and not mma.instruction.sparse
    return OperandMoves(a, b, alike=alike)


def _repeated(mma: ScannedMma) -> OperandMoves | None:
    """Return how A and B of an MMA in a loop move from one iteration to the next; None if its D may be another one."""
    full = shared_memory_table(mma).masks[START]
    d = next((address for address in mma.tensor_memory if address.name == "d"), None)
    same_d = mma.accumulator if d is None else d.known == ones(WORD) or d.step == 0
    if not same_d or mma.begins or (mma.idesc is not None and mma.idesc.known != ones(WORD)):
        return None
    a, b = (
        None if part is None else 0 if part.known & full == full else part.step and _signed(part.step, full)
        for part in (mma.a, mma.b)
    )
    return None if a is None or b is None or a == b == 0 else OperandMoves(a, b, alike=False, again=True)


def shared_memory_table(mma: ScannedMma) -> Table:
    """Return the table of the descriptors of A and B."""
    return kind_of("wgmma" if mma.instruction.family == "wgmma" else "tcgen05", None, mma.arch).table


def _signed(by: int, start: int) -> int:
    """Return a distance as the one of its size that is closest to 0; ``start``: the bits of a start address."""
    size = (start + 1) * UNIT
    return (by + size // 2) % size - size // 2


def _scale_ids(mma: ScannedMma) -> int:
    """Return the bits of an instruction descriptor that a K step may change."""
    kinds = [kind for kind in mma.instruction.mma_kinds if mma.instruction.scale_vec]
    masks = [kind_of("idesc", kind, mma.arch).table.masks for kind in kinds]
    return sum(masks[0].get(f"{operand}_scale_id", 0) for operand in "ab") if masks else 0


def _same(one: ScannedOperand | None, other: ScannedOperand | None, but: int) -> bool:
    """Whether all known bits of two operands are the same ones, except some."""
    if one is None or other is None:
        return one is other
    return one.known == other.known and not (one.bits ^ other.bits) & ~but


def _distance(one: ScannedOperand | None, other: ScannedOperand | None, start: int, fixed: int) -> int | None:
    """Return how far the start of an operand has moved, in bytes; None if unknown, or if more has changed.

    ``fixed``: bits that are the same in every descriptor, into which a sum may carry.
    """
    if one is None or other is None or (one.bits ^ other.bits) & one.known & other.known & ~start:
        return None
    return None if (one.known ^ other.known) & ~(start | fixed) else _start_distance(one, other, start)


def start_distance(one: ScannedOperand | None, other: ScannedOperand | None, table: Table) -> int | None:
    """Return how far the start of an operand has moved, in bytes; None if unknown."""
    return None if one is None or other is None else _start_distance(one, other, table.masks[START])


def _start_distance(one: ScannedOperand, other: ScannedOperand, start: int) -> int | None:
    if start & one.known & other.known == start:
        by = ((other.bits & start) - (one.bits & start)) * UNIT
    elif one.start is not None and other.start is not None and one.start.base == other.start.base:
        by = other.start.offset - one.start.offset
    else:
        return None
    return _signed(by, start)
