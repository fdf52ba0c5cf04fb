"""What a shared-memory descriptor means, part by part, as far as it is known: its tile, its atoms, its steps along K.

Strides and starts are those of the descriptor itself, right or wrong; the tile says how many atoms there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.descriptors.difference import step
from smemdesc.descriptors.readings import DescriptorReading
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START, low_bytes, with_address
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE, SwizzleMode
from smemdesc.layout.atom import ORDERS, AtomShape, atom_bytes, atom_shape, exists
from smemdesc.layout.operand import UNIT, Operand, operand_of
from smemdesc.layout.steps import UNTILED, Tiling
from smemdesc.layout.strides import Stride, strides_of
from smemdesc.tiles.tile import Tile, compare_with_tile, lay_out_tile

LISTED_STEPS = 8
"""The most steps along K."""
_ROWS = 4
"""Atoms along MN where nothing says how many there are."""


class KStep(NamedTuple):
    """One MMA along K: its first k, its start address (bytes), its value, and whether it is the decoded one."""

    k: int
    start: int
    value: int
    here: bool


class PlacedAtoms(NamedTuple):
    """Atoms of the tile as the descriptor places them."""

    shape: AtomShape
    """MN x K of one, in elements."""
    counts: AtomShape
    """How many there are along MN and K."""
    size: int
    """Bytes of one."""
    elements: Operand
    """Every element of them, at the addresses that the strides of the descriptor, or of its tile, give."""
    first: tuple[int, int]
    """The (mn, k) at which the operand of one MMA begins."""
    one: Operand
    """That operand."""
    given: bool
    """Whether the tile or the shape was given: else the count is an example."""

    def start(self, mn: int, k: int) -> int:
        """Return the first byte of an atom, by its numbers along MN and K."""
        return self.elements.start + self.elements.linear(mn * self.shape.mn, k * self.shape.k) // 8


class Anatomy(NamedTuple):
    """A shared-memory descriptor, and what is known around it; None for what is not."""

    reading: DescriptorReading
    context: Context
    mode: SwizzleMode | None
    atoms: PlacedAtoms | None
    steps: tuple[KStep, ...]
    more: int
    """Further steps along K, which are not listed."""
    located: bool
    """Whether the start address is known: else everything counts from it."""
    tile: Tile | None
    low: int | None = None
    """The start modulo the period of the swizzle mode, in bytes; None if that is not known either."""

    @property
    def strides(self) -> tuple[Stride, ...]:
        """What LBO and SBO mean: for either major-ness, if it is not known."""
        if self.mode is None:
            return ()
        majors = [self.context.major] if self.context.major else ["K", "MN"]
        known = [major for major in majors if exists(self.mode.name, major)]
        return tuple(stride for major in known for stride in strides_of(self.mode.name, major, self.context))


def anatomy_of(reading: DescriptorReading, context: Context) -> Anatomy:
    """Return the parts of a descriptor of wgmma or tcgen05."""
    swizzle = reading.fields["swizzle"].value
    mode = MODE[swizzle] if isinstance(swizzle, str) else None
    located = isinstance(reading.fields[START].value, int)
    known = Anatomy(reading, context, mode, None, (), 0, located, None)
    if mode is None or context.dtype is None or context.major is None or not exists(mode.name, context.major):
        return known
    shape = atom_shape(mode.name, context.major, context.dtype)
    tile = _tile(reading, context, mode)
    one = context.shape or (tile.mma if tile else (shape.mn * (_ROWS if context.major == "K" else 1), context.dtype.k))
    context = context._replace(shape=one)
    fields = dict(reading.fields)
    low = low_bytes(fields[START], mode.period)
    if not located:
        fields[START] = with_address(fields[START], low or 0)
    try:
        operand = operand_of(fields, context)
    except SmemdescError:
        return known  # a stride that has an effect is not known
    first, elements = (0, 0), operand
    if tile is not None and located:
        within = compare_with_tile(fields, context, tile)
        if within.agrees:
            first, elements = (within.step.mn, within.step.k), tile.buffer(within.start)
        else:
            tile = None
    elif tile is not None:
        elements = tile.buffer(0)
    if tile is None and not operand.absolute:
        first, elements = _widened(operand, shape)
    count = AtomShape(*(-(-extent // size) for extent, size in zip(elements.shape, shape, strict=True)))
    atoms = PlacedAtoms(
        shape,
        count,
        atom_bytes(mode.name, operand.major),
        elements,
        first,
        operand,
        tile is not None or known.context.shape is not None,
    )
    steps = tuple(_steps(reading, context, atoms, tile)) if located and reading.known == reading.kind.table.full else ()
    listed, more = steps[:LISTED_STEPS], len(steps[LISTED_STEPS:])
    return known._replace(atoms=atoms, steps=listed, more=more, tile=tile, context=context, low=low)


def _tile(reading: DescriptorReading, context: Context, mode: SwizzleMode) -> Tile | None:
    """Return the tile of the context: in the order of atoms in which the descriptor reads it, if there is one."""
    if context.tile is None:
        return None
    found = []
    group = context.cta_group or 1
    for order in (context.order,) if context.order else ORDERS:
        try:
            tile = lay_out_tile(
                reading.kind.name,
                (context.tile[0] * group, context.tile[1]),
                context.dtype,  # type: ignore[arg-type]
                context.major or "",
                mode.name,
                mma=context.shape and (context.shape[0] * group, context.shape[1]),
                order=order,
                cta_group=group,
                arch=context.arch,
                force=True,
            )
            within = compare_with_tile(reading.fields, context._replace(shape=tile.mma), tile)
        except SmemdescError:
            continue
        found.append((not within.agrees, order, tile))
    return min(found, key=lambda each: each[0])[-1] if found else None


def _widened(operand: Operand, shape: AtomShape) -> tuple[tuple[int, int], Operand]:
    """Return the (mn, k) at which an operand begins in its atoms, and the operand with the rest of their rows."""
    inside = operand.start % operand.mode.width if operand.mode.width > UNIT else 0
    skipped = inside * 8 // operand.dtype.storage
    first = (0, skipped) if operand.major == "K" else (skipped, 0)
    sizes = zip(first, operand.shape, shape, strict=True)
    mn, k = (-(-(begin + extent) // size) * size for begin, extent, size in sizes)
    return first, operand._replace(shape=(mn, k), start=operand.start - inside)


def _steps(reading: DescriptorReading, context: Context, atoms: PlacedAtoms, tile: Tile | None) -> Iterator[KStep]:
    """Yield the steps along K, as far as they can be computed: those of the tile, or of the atoms."""
    one = atoms.one.shape[1]
    tiling = UNTILED if tile is None else Tiling(tile.shape, tile.order, atoms.elements.start)
    count = (tile.shape.k if tile else max(atoms.elements.shape[1], _ROWS * one)) // one
    for k in range(0, count * one, one):
        try:
            by = k - atoms.first[1]
            value = reading.bits
            if by:
                value = step(reading.kind, value, k=by, mn=0, context=context, known=reading.known, tiling=tiling)
        except SmemdescError:
            return
        start = reading.kind.table.read(value)[START].value
        assert isinstance(start, int)
        yield KStep(k, start, value, k == atoms.first[1])
