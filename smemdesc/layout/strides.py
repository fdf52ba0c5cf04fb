"""What LBO and SBO mean: one row for each combination of mode and major-ness.

The two offsets change their roles with the major-ness and with the swizzle; findings, explanations
and layouts all use this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, MODES

STRIDES_SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.1; CUTLASS mma_sm100_desc.hpp"
LBO, SBO = "leading_byte_offset", "stride_byte_offset"
NICK = {LBO: "LBO", SBO: "SBO"}
UNIT = 16
"""Bytes that the fields of offsets and addresses count in."""
UNUSED = UNIT
"""Bytes of an LBO that CUTLASS writes where LBO has no effect."""


class Stride(NamedTuple):
    """One of the two offsets, for a mode and a major-ness."""

    key: str
    along: str
    """``K`` or ``MN``: the direction that it steps in."""
    step: str
    """What one step passes over, in words."""
    between: str
    """What it is the stride between, in the plural: ``8-row groups``, ``atoms along MN``."""
    piece: str
    """``atom``, or without swizzle ``core matrix``: what is ``packed`` bytes long."""
    width: int
    """Bytes of one row of the atom along its contiguous dimension."""
    packed: int
    """Bytes of one step when atoms are contiguous: with a smaller stride they overlap."""
    elements: int | None
    """Elements of its dimension that one step passes over; None if the type is not known."""
    atoms: int | None
    """Atoms or core matrices that the operand has along its dimension; None if the shape is not known."""

    @property
    def used(self) -> bool | None:
        """Whether the operand reaches a second step; None if the shape is not known."""
        return None if self.atoms is None else self.atoms > 1

    @property
    def idle(self) -> int:
        """Bytes to write where it has no effect: as of contiguous atoms, or what CUTLASS writes for LBO."""
        return UNUSED if self.key == LBO and self.along == "K" and self.piece == "atom" else self.packed

    @property
    def pieces(self) -> str:
        """The plural of ``piece``."""
        return "core matrices" if self.piece == "core matrix" else "atoms"

    @property
    def unused(self) -> str:
        """Why it has no effect, if so: ``K fits one atom (128 B)``."""
        if "group" in self.between:
            return f"{self.along} fits one {self.between.removesuffix('s')}"
        size = f"{self.width} B{self.step.partition(f' of {self.along}')[2].replace(' (', ', ').removesuffix(')')}"
        return f"{self.along} fits one {self.piece} ({size})"

    def explain(self, size: int) -> str:
        """Describe an offset of ``size`` bytes: ``SBO 2048 B: stride between 8-k groups, 2 atoms``."""
        nick, effect = NICK[self.key], self.effect(size)
        if effect.startswith("no effect") and (size or self.used is False):
            return f"{nick} has {effect}"
        if size % self.width:
            return f"{nick} {size} B is {effect}"
        lines = f" = {size // self.width} x {self.width} B" if 0 < size <= self.packed else ""
        return f"{nick} {size} B{lines}: {effect}"

    def effect(self, size: int) -> str:
        """Describe what an offset of ``size`` bytes does: ``stride between 8-k groups, 2 atoms``."""
        if self.used is False:
            return f"no effect here: {self.unused}"
        if not size:
            same = f"all {self.between} are read from the same bytes"
            return same if self.used else f"no effect while {self.unused}; else {same}"
        if self.used is None and size == UNUSED and self.key == LBO and self.along == "K" and self.width > size:
            return f"no effect while K fits one atom ({self.width} B); CUTLASS writes 1 there"
        text = f"stride between {self.between}"
        if size % self.width:
            return f"not a multiple of the {self.width}-byte row; {text}"
        if size > self.packed and size % self.packed:
            return f"{text}; {size - self.packed} B between {self.pieces}"
        if size > self.packed:
            return f"{text}, {size // self.packed} {self.pieces}"
        if size == self.packed:
            return f"{text}, {'' if self.between.startswith(self.pieces) else f'{self.pieces} '}contiguous"
        return f"{text}, which overlap; {'an' if self.piece == 'atom' else 'a'} {self.piece} has {self.packed} B"


def _count(extent: int | None, elements: int | None) -> int | None:
    return None if extent is None or elements is None else -(-extent // elements)


def strides_of(swizzle: str, major: str, context: Context) -> tuple[Stride, Stride]:
    """Return what LBO and SBO (in that order) mean for a mode and a major-ness."""
    mode = MODE[swizzle]
    bits = context.bits
    width = mode.width
    elements = width * 8 // bits if bits else None
    plain = mode.name == "none"
    piece, pieces = ("core matrix", "core matrices") if plain else ("atom", "atoms")
    # The contiguous dimension counts in rows of the atom, the other one in groups of them.
    row = f"{width} B of {major}" + (f" ({elements} elements)" if elements else "")
    other_major, extents = ("MN", (context.k, context.mn)) if major == "K" else ("K", (context.mn, context.k))
    lines = mode.rows(major)
    packed = lines * width
    noun = "row" if major == "K" else "k"
    across = (major, row, f"{pieces} along {major}", piece, width, packed, elements, _count(extents[0], elements))
    along = (
        *(other_major, f"{lines} {noun}{'s' if major == 'K' else ''}", f"{lines}-{noun} groups"),
        *(piece, width, packed, lines, _count(extents[1], lines)),
    )
    by_rows, by_row = keys_of(swizzle, major)
    strides = {by_rows: Stride(by_rows, *along), by_row: Stride(by_row, *across)}
    return strides[LBO], strides[SBO]


def keys_of(swizzle: str, major: str) -> tuple[str, str]:
    """Return which offset is the stride from group to group of the rows of the atom, and which that along a row."""
    return (LBO, SBO) if major == "MN" and swizzle == "none" else (SBO, LBO)


def in_atoms(sizes: Iterable[tuple[Stride, object]]) -> dict[str, int] | None:
    """Return sizes in bytes in atoms, by dimension; None if one is not known, 0, or not a whole number of them."""
    counts = {}
    for stride, size in sizes:
        if not isinstance(size, int) or not size or size % stride.packed:
            return None
        counts[stride.along] = size // stride.packed
    return counts


def contiguous_along(counts: Mapping[str, int], needed: Mapping[str, int]) -> str | None:
    """Return the dimension along which the atoms of a tile are contiguous, from their distances in atoms along each
    dimension that an operand steps over; empty if it steps over none, None if no tile has such distances.

    ``needed``: how many atoms the operand has along each; at least as many fit before the next stride.
    """
    if len(counts) == 2 and (min(counts.values()) != 1 or max(counts.values()) == 1):
        return None
    if not counts:
        return ""
    far = [(along, count) for along, count in counts.items() if count != 1]
    if not far:
        return next(iter(counts))
    along, count = far[0]
    near = "MN" if along == "K" else "K"
    return None if count < needed.get(near, 1) else near


def atom_of(size: int) -> str:
    """Name the mode whose atom has this many bytes, with its codes; empty if no mode has."""
    for mode in MODES:
        if size == 8 * mode.width and mode.name != "none" and mode.lines == 8:
            return f"{mode.name} (code {mode.codes()})"
    return ""


def meant_by(size: int) -> str:
    """Name the mode whose atom has exactly this stride in bytes, the sign of a wrong swizzle code."""
    mode = atom_of(size)
    return f"{size} B is 8 rows of {size // 8} B: the swizzle mode may be {mode}" if mode else ""


def is_absolute(fields: Mapping[str, FieldReading]) -> bool:
    """Whether LBO is an address: it moves with the start."""
    return "lbo_mode" in fields and fields["lbo_mode"].value == "absolute"


def without_effect(fields: Mapping[str, FieldReading], context: Context) -> tuple[str, ...]:
    """Return which of LBO and SBO are known to have no effect: the operand never reaches a second step along them."""
    swizzle, mode = fields["swizzle"].value, fields.get("lbo_mode")
    if not isinstance(swizzle, str) or not context.major or (mode is not None and mode.value != "relative"):
        return ()
    return tuple(stride.key for stride in strides_of(swizzle, context.major, context) if stride.used is False)


def lbo_has_no_effect(fields: Mapping[str, FieldReading], context: Context) -> bool:
    """Whether it is known that the operand never reaches a second step along LBO, whatever LBO is."""
    return LBO in without_effect(fields, context)
