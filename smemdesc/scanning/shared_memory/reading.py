"""What the MMAs of a function read of shared memory: the tiles of A and of B, each the union of what its MMAs read."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.mma import mma_kinds
from smemdesc.kinds.addresses import START
from smemdesc.kinds.instruction import Instruction, contexts
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.operand import UNIT, operand_of
from smemdesc.scanning.analysis.starts import LinearAddress
from smemdesc.scanning.model import ScannedMma, ScannedOperand


class OperandRead(NamedTuple):
    """One operand of one MMA in shared memory."""

    mma: int
    """The number of the MMA in its function."""
    name: str
    at: LinearAddress
    units: frozenset[int]
    """The offsets of the 16-byte units that it reads, before the swizzle."""


class ReadTile(NamedTuple):
    """What MMAs of one block of the code read from one base without a gap between them: a tile, or a part of one."""

    name: str
    """The operand."""
    at: LinearAddress
    size: int
    """From the first byte to the last."""
    used: int
    """The bytes of these that they read."""
    reads: tuple[OperandRead, ...]


@lru_cache(1024)
def _units(
    family: str,
    bits: int,
    known: int,
    instruction: Instruction,
    idesc: tuple[int, int] | None,
    kind: str | None,
    arch: str | None,
    name: str,
) -> frozenset[int]:
    fields = None
    if idesc is not None and kind is not None:
        fields = kind_of("idesc", kind, arch).table.read(*idesc)
    context = contexts(instruction, fields, kind, arch)[name == "b"]
    table = kind_of(family, None, arch).table
    mask = table.masks[START]
    operand = operand_of(table.read(bits & ~mask, known | mask), context)
    if operand.absolute:
        raise SmemdescError("LBO is an address")
    lines, units = operand.unit_offsets()
    return frozenset([line + unit for _, line in lines for _, unit in units])


def operand_read(number: int, mma: ScannedMma, name: str, at: LinearAddress) -> OperandRead | None:
    """Return what an operand reads; None if that is not known."""
    operand: ScannedOperand | None = getattr(mma, name)
    if operand is None or not mma.instruction.is_mma or mma.instruction.copied is not None:
        return None
    kinds = mma_kinds(mma.model)
    kind = kinds[0] if kinds else None
    idesc = None if mma.idesc is None else (mma.idesc.bits, mma.idesc.known)
    family = "wgmma" if mma.instruction.family == "wgmma" else "tcgen05"
    mask = kind_of(family, None, mma.arch).table.masks[START]
    bits, known = operand.bits, operand.known
    if operand.provided is not None and not operand.provided.cut:
        bits, known = operand.provided.bits, operand.provided.known  # a step is meant to change the start only
    try:
        units = _units(family, bits & ~mask, known | mask, mma.instruction, idesc, kind, mma.arch, name)
    except SmemdescError:
        return None
    return OperandRead(number, name, at, units)


@lru_cache(1024)
def _extent(reads: tuple[tuple[int, frozenset[int]], ...]) -> tuple[int, int, int]:
    """Return the first and the last of the units that reads have together, and how many these are.

    ``reads``: their offsets and units; the stages of a tile, and the kernels of a dump, have the same ones.
    """
    units = reads[0][1] if not reads[0][0] and not reads[1:] else {at + unit for at, of in reads for unit in of}
    return min(units), max(units), len(units)


def read_tiles(reads: Iterable[OperandRead], blocks: Sequence[int | None]) -> list[ReadTile]:
    """Return the tiles that reads form: those that touch within a block of the code, or overlap, are one.

    ``blocks``: of each MMA.
    """
    groups: dict[tuple[str, frozenset[tuple[Hashable, int]], int | None], list[OperandRead]] = {}
    for read in reads:
        groups.setdefault((read.name, read.at.terms, blocks[read.mma]), []).append(read)
    tiles: list[ReadTile] = []
    for (name, terms, _), members in groups.items():
        members.sort(key=lambda read: read.at.offset)
        parts: list[list[OperandRead]] = []
        end = -1
        for read in members:
            if read.at.offset > end:
                parts.append([])
            parts[-1].append(read)
            end = max(end, read.at.offset + _extent(((0, read.units),))[1] + UNIT)
        for part in parts:
            begin = part[0].at.offset
            lowest, highest, count = _extent(tuple([(read.at.offset - begin, read.units) for read in part]))
            first = begin + lowest
            size = begin + highest + UNIT - first
            tiles.append(ReadTile(name, LinearAddress(terms, first), size, count * UNIT, tuple(part)))
    return tiles
