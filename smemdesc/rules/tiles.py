"""Rules about the tile of an operand in shared memory: the instructions that read it, and what a descriptor reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.wording import many
from smemdesc.kinds.addresses import START
from smemdesc.kinds.instruction import INSTRUCTION_SOURCE, has_mn, k_sizes
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.types import DType
from smemdesc.layout.strides import LBO, NICK, SBO
from smemdesc.rules.base import ERROR, NOTE, WARNING, Problem, Repair, case_rule, error, explained, warning

_EXAMPLES = 3
"""Misread elements listed in a message."""
OF_INSTRUCTION = MAJOR, SHAPE = "major-ness", "shape"
"""Properties of the instruction without a field in the descriptor."""


class Misread(NamedTuple):
    """An element of the operand, as (mn, k) of the tile, and the element of the tile that is read instead."""

    wanted: tuple[int, int]
    read: tuple[int, int] | None
    """None: no element of the tile begins there."""


@explained(
    "cta_group is a qualifier of tcgen05.mma with the values 1 and 2; wgmma has one CTA.",
    "smemdesc encode wgmma --tile 128x64 --mma 128x16 --dtype bf16 --major K --swizzle 128B --cta-group 2 --force",
    "--cta-group 1",
)
@case_rule(INSTRUCTION_SOURCE, name="cta-group")
def cta_group_exists(kind: Kind, cta_group: int) -> Problem | None:
    """The kind has the cta_group of the tile."""
    if cta_group == 1 or (kind.name == "tcgen05" and cta_group == 2):
        return None
    fix = "leave it out" if kind.name == "wgmma" else "use 1 or 2"
    return error(f"cta_group {cta_group} does not exist for {kind.name}", fix=fix)


@explained(
    "A tile is read by instructions of legal shape: 32 bytes of K (64 sparse, 48 for K = 96), and an M or N that "
    "exists. No instruction reads the whole tile at once.",
    "smemdesc encode tcgen05 --tile 128x64 --mma 128x64 --dtype bf16 --major K --swizzle 128B --force",
    "--mma 128x16",
)
@case_rule(INSTRUCTION_SOURCE, name="no-instruction")
def instruction_exists(kind: Kind, dtype: DType, mn: int, k: int) -> Iterator[Problem]:
    """An instruction exists that reads an operand of one MMA step."""
    # MN is that of all CTAs.
    legal = k_sizes(dtype, longer=bool(kind.variant))
    if k not in legal:
        counts = ", ".join(map(str, legal))
        fix = f"K is one of {counts} (dense; sparse B{'; K = 96' if len(legal) > 2 else ''})"
        yield error(f"no instruction has K = {k} of {dtype.name}", fix=fix)
    if not has_mn(dtype, mn):
        fix = (
            "give the operand of one instruction with --mma: its M, or its N (8 to 256 in steps of 8, 16 for integers)"
        )
        yield error(f"no instruction has M or N = {mn} ({kind.name}, {dtype.name})", fix=fix)


@explained(
    "One instruction reads M rows of A and N of B; several read all rows of the tile if M and N divide them. With "
    "cta_group::2, M, N and the tiles are those of both CTAs.",
    "smemdesc mma --a 0x4000404000010040 --idesc 0x08210490 --mma-kind f16 --a-tile 64x64",
    "--idesc 0x04210490",
)
@case_rule(INSTRUCTION_SOURCE, ERROR, WARNING)
def tile_and_shape(
    operand: str, size: int, rows: int, fields: tuple[str, ...], repair: Repair | None
) -> Problem | None:
    """M of the instruction divides the rows of A's tile, N those of B's (mma --a-tile, --b-tile). An error if it reads
    more rows than the tile has, a warning if instructions of this shape leave rows out."""
    letter = "M" if operand == "a" else "N"
    of_tile = f"{letter} = {size}, and the tile of {operand.upper()} has {many(rows, 'row')}"
    if size > rows:
        fix = str(repair) if repair else f"an instruction with {letter} = {rows}, or a tile of {size} rows"
        return error(of_tile, "the instruction of another tile", fix, fields=fields, repair=repair, operand=operand)
    if rows % size:
        message = f"{of_tile}: instructions of this shape leave {many(rows % size, 'row')} out"
        return warning(message, "the instruction of another tile, or one of several", fields=fields, operand=operand)
    return None


@explained(
    "A valid descriptor can still read other bytes than those of its tile: the strides follow from the tile's size "
    "and the order of its atoms.",
    "smemdesc mma --a 0x4000404000010040 --b 0x4000404004000000 --idesc 0x08210490 --mma-kind f16 --b-tile 128x64",
    "--b 0x4000404002000000",
)
@case_rule("CUTLASS make_gmma_desc, make_umma_desc; the address formula, measured on an H200", ERROR, NOTE)
def tile_and_descriptor(
    tile: str, key: str | None, present: object, wanted: object, misread: Sequence[Misread], elements: int, base: str
) -> Problem | None:
    """A descriptor reads every element of its operand at the address that it has in the shared-memory tile (mma
    --a-tile, --b-tile). A note if the instruction is too wrong to compare with the tile."""
    if key is None:
        return None
    asks = f"asks for {_value(key, wanted, base)}"
    if key in OF_INSTRUCTION:
        asks = "ends earlier" if key == SHAPE else f"is {wanted}-major"
    message = (
        f"{NICK.get(key, key)} is {_value(key, present, base)}, the tile {tile} {asks}: "
        f"{len(misread)} of {elements} elements are wrong: {'; '.join(map(_misread_text, misread[:_EXAMPLES]))}"
    )
    if key in OF_INSTRUCTION:
        return error(message)
    assert isinstance(wanted, int | str)
    repair = Repair(key, wanted)
    return error(message, fix=str(repair), fields=(key,), repair=repair)


def _misread_text(misread: Misread) -> str:
    place = "no element of the tile" if misread.read is None else f"(mn {misread.read[0]}, k {misread.read[1]})"
    return f"(mn {misread.wanted[0]}, k {misread.wanted[1]}) reads {place}"


def typed_begin(start: int, base: str) -> str:
    """Return where a tile or an operand begins, as one types it."""
    return (f"{base}+{start:#x}" if start else base) if base else f"0x{start:05x}"


def _value(key: str, value: object, base: str) -> str:
    if key == START:
        return typed_begin(int(str(value)), base)
    return f"{value} B" if key in (LBO, SBO) else str(value)


RULES = (cta_group_exists, instruction_exists, tile_and_shape, tile_and_descriptor)
