"""MMAs that read the same tile, step by step, and the one that says something else about it than the others.

Where their operand begins at different places of one row of a swizzle atom, it is certain that several MMAs read one
tile. Where it begins further apart, at equal distances, as of MN-major operands, it is likely: then only a single field
of a single MMA is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from smemdesc.engine.fields import Table
from smemdesc.instructions.mma import mma_kinds
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import modes
from smemdesc.layout.strides import LBO, SBO
from smemdesc.rules.siblings import SiblingField
from smemdesc.scanning.analysis.moves import accumulator_of, shared_memory_table, start_distance
from smemdesc.scanning.model import ScannedMma, ScannedOperand

_OF_OPERAND = ("swizzle", SBO, LBO)
_OF_IDESC = ("m", "n", "d_type", "a_type", "b_type", "transpose_a", "transpose_b", "sparse", "scale_type")
_OF_INSTRUCTION = ("a_major", "b_major", "a_type", "b_type", "d_type", "mma_kind")
_SIZES = ("m", "n")
"""They may shrink from one end of a tile to the other, as of a triangular matrix."""
_WIDEST = max(mode.width for mode in modes("tcgen05"))
"""The bytes of the longest row of an atom."""
_MANY = 4
"""From so many MMAs at equal distances on, they are taken to read one tile."""

_FieldOf = tuple[str | None, str]
"""An operand (None: the instruction itself) and a field."""


class _Readers(NamedTuple):
    """MMAs that read steps of one tile, by their indices, in the order of the text."""

    tile: str
    members: tuple[int, ...]
    certain: bool


def with_siblings(mmas: Sequence[ScannedMma]) -> tuple[ScannedMma, ...]:
    """Return the instructions of a function, those that contradict others that read the same tile with what these
    say."""
    if len({_apart_from_start(mma) for mma in mmas}) < len(("one", "another")):
        return tuple(mmas)
    found: dict[int, tuple[SiblingField, ...]] = {}
    votes = Counter[tuple[_FieldOf, object]]()
    said = [_said(mma) for mma in mmas]
    for each in said:
        votes.update(each.items())
    for group in _groups(mmas):
        for at, fields in _differing(group, said, votes).items():
            found[at] = (
                found.get(at) or fields
            )  # in the tile of B, an instruction descriptor is the same as in that of A
    return tuple(mma._replace(siblings=found.get(at, ())) for at, mma in enumerate(mmas)) if found else tuple(mmas)


def _apart_from_start(mma: ScannedMma) -> object:
    """Return what MMAs that read one tile have in common."""
    start = shared_memory_table(mma).masks["start_address"]
    operands = ((part.bits & ~start, part.known & ~start) if part else None for part in (mma.a, mma.b))
    idesc = mma.idesc and mma.idesc[:2]
    return mma.instruction.is_mma, mma.instruction._replace(other_group=""), *operands, idesc


def _groups(mmas: Sequence[ScannedMma]) -> Iterator[_Readers]:
    """Yield the MMAs that read steps of one tile."""
    chains: dict[object, list[int]] = {}
    for at, mma in enumerate(mmas):
        if mma.instruction.is_mma:
            chains.setdefault(accumulator_of(mma), []).append(at)
    for accumulator, chain in chains.items():
        for tile in ("a", "b"):
            moves = [
                start_distance(getattr(mmas[one], tile), getattr(mmas[next_], tile), shared_memory_table(mmas[one]))
                for one, next_ in pairwise(chain)
            ]
            yield from _in_rows(tile, chain, moves)
            if accumulator is not None:
                yield from _at_equal_distances(tile, chain, moves)


def _in_rows(tile: str, chain: Sequence[int], moves: Sequence[int | None]) -> Iterator[_Readers]:
    """Yield the MMAs that follow each other and begin at different places of one row."""
    members, starts = [chain[0]], [0]
    for at, by in zip(chain[1:], moves, strict=True):
        start = None if by is None else starts[-1] + by
        if start is not None and start not in starts and max(*starts, start) - min(*starts, start) < _WIDEST:
            members.append(at)
            starts.append(start)
            continue
        yield _Readers(tile, tuple(members), True)
        members, starts = [at], [0]
    yield _Readers(tile, tuple(members), True)


def _at_equal_distances(tile: str, chain: Sequence[int], moves: Sequence[int | None]) -> Iterator[_Readers]:
    """Yield the MMAs that follow each other and begin at equal distances that are longer than a row."""
    first = 0
    for at, by in enumerate([*moves, None]):
        if at < len(moves) and by == moves[first]:
            continue
        step = moves[first] if first < len(moves) else None
        if step is not None and abs(step) >= _WIDEST and at - first + 1 >= _MANY:
            yield _Readers(tile, tuple(chain[first : at + 1]), False)
        first = at


def _said(mma: ScannedMma) -> dict[_FieldOf, int | str]:
    """Return the fields of an MMA that are known and that MMAs of one tile have in common, raw."""
    said: dict[_FieldOf, int | str] = {
        (None, key): word for key in _OF_INSTRUCTION if (word := getattr(mma.instruction, key)) is not None
    }
    table = shared_memory_table(mma)
    for name in ("a", "b"):
        said |= _fields(name, getattr(mma, name), table, _OF_OPERAND)
    kinds = mma_kinds(mma.model)
    if kinds:
        said |= _fields("idesc", mma.idesc, kind_of("idesc", kinds[0], mma.arch).table, _OF_IDESC)
    return said


def _fields(
    name: str, operand: ScannedOperand | None, table: Table, keys: Sequence[str]
) -> Iterator[tuple[_FieldOf, int | str]]:
    if operand is None:
        return
    absolute = table.masks.get("lbo_mode", 0)
    for key in keys:
        mask = table.masks.get(key, 0)
        if not mask or operand.known & mask != mask:
            continue
        # In this mode LBO is an address, which each step may have its own of.
        if key == LBO and (operand.bits | ~operand.known) & absolute:
            continue
        yield (name, key), (operand.bits & mask) >> table.row(key).lo


def _differing(
    group: _Readers, said: Sequence[Mapping[_FieldOf, int | str]], votes: Mapping[tuple[_FieldOf, object], int]
) -> dict[int, tuple[SiblingField, ...]]:
    """Return the fields in which an MMA of a group contradicts most of the others, or as many, by its index."""
    members = group.members
    found: dict[int, list[SiblingField]] = {}
    keys = dict.fromkeys(key for at in members for key in said[at])
    for key in keys:
        if key[0] in ("a", "b") and key[0] != group.tile:
            continue
        values = {at: said[at][key] for at in members if key in said[at]}
        counts = Counter(values.values())
        if len(counts) < len(("one", "another")):
            continue
        most = max(counts, key=lambda value: (counts[value], votes[key, value], -list(values.values()).index(value)))
        others = [at for at, value in values.items() if value != most]
        if key[1] in _SIZES and (len(others) > 1 or counts[most] == 1 or others[0] in (members[0], members[-1])):
            continue
        for at, value in values.items():
            if value != most:
                outvoted = (counts[value], votes[key, value]) < (counts[most], votes[key, most])
                found.setdefault(at, []).append(SiblingField(key[0], key[1], most, counts[most], outvoted, group.tile))
    if not group.certain and (len(found) != 1 or any(len(fields) > 1 for fields in found.values())):
        return {}
    return {at: tuple(fields) for at, fields in found.items()}
