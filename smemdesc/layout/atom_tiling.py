"""A tile in shared memory cut into atoms: where each element of it lies before the swizzle.

A dimension is a row of atoms: inside an atom neighboring bytes (or lines of the atom) lie next to each other; from one
atom to the next it is as far as the tile, or the stride of a descriptor, says.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.instruction import K_96
from smemdesc.kinds.modes import MODE, Mode
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import Shape, byte_size, shape
from smemdesc.layout.operand import LINE, UNIT

ORDERS = ("mn", "k")


class Axis(NamedTuple):
    """One dimension of an operand. Positions along it are in bytes: those of a row of the atom where elements adjoin
    (the contiguous dimension), one line of the atom for each element in the other."""

    along: str
    """``K`` or ``MN``."""
    contiguous: bool
    bits: int | None
    """Positions of one element, in bits; None where the type is not known."""
    grain: int
    """The shortest step, in bytes: a 16-byte unit, or a line of the atom."""
    inside: int
    """Bytes of one atom: its row, or all its lines."""
    distance: int | None
    """Bytes from one atom to the next; None where nothing says it."""
    by: str
    """Who says the distance: ``LBO``, ``SBO`` or ``the tile``; where nobody does, why not."""

    def offset(self, position: int) -> int:
        """Return the bytes from the beginning of the dimension to a position; the distance has to be known."""
        atoms, rest = divmod(position, self.inside)
        assert self.distance is not None or not atoms
        return atoms * (self.distance or 0) + rest


def axis_of(mode: Mode, major: str, along: str, storage: int | None, distance: int | None, by: str) -> Axis:
    """Return a dimension of an operand whose elements take up ``storage`` bits; the last two as in :class:`Axis`."""
    if along == major:
        return Axis(along, True, storage, UNIT, mode.width, distance, by)
    lines = 8 if along == "MN" else mode.lines
    return Axis(along, False, 8 * mode.width, mode.width, lines * mode.width, distance, by)


class AtomTiling(NamedTuple):
    """A tile MN x K cut into atoms that lie one after another, first along MN or first along K."""

    swizzle: str
    major: str
    dtype: DType
    shape: Shape
    order: str
    """``mn`` or ``k``: along which dimension neighboring atoms lie next to each other."""
    atom: Shape
    """MN x K of one atom, in elements."""

    @property
    def atoms(self) -> Shape:
        """How many atoms the tile has along MN and K."""
        return Shape(self.shape.mn // self.atom.mn, self.shape.k // self.atom.k)

    @property
    def size(self) -> int:
        """Bytes of the whole tile: from one stage of a pipeline to the next, where they adjoin."""
        return self.shape.mn * self.shape.k * self.dtype.storage // 8

    @property
    def stride_mn(self) -> int:
        """Bytes from one atom to the next along MN."""
        return byte_size(self.swizzle, self.major) * (1 if self.order == "mn" else self.atoms.k)

    @property
    def stride_k(self) -> int:
        """Bytes from one atom to the next along K."""
        return byte_size(self.swizzle, self.major) * (1 if self.order == "k" else self.atoms.mn)

    def stride(self, along: str) -> int:
        """Return the bytes from one atom to the next along ``K`` or ``MN``."""
        return self.stride_k if along == "K" else self.stride_mn

    def count(self, along: str) -> int:
        """Return how many atoms there are along ``K`` or ``MN``."""
        return self.atoms.k if along == "K" else self.atoms.mn

    def axis(self, along: str) -> Axis:
        """Return a dimension of the tile."""
        return axis_of(MODE[self.swizzle], self.major, along, self.dtype.storage, self.stride(along), "the tile")

    def offset(self, mn: int, k: int) -> int:
        """Return the bytes from the start of the tile to an element, before the swizzle; it begins a whole unit."""
        return sum(_offset(self.axis(along), amount) for along, amount in (("MN", mn), ("K", k)))

    def position(self, offset: int, along: str) -> int:
        """Return the position along a dimension of the byte so many from the start of the tile."""
        atom, inside = divmod(offset, byte_size(self.swizzle, self.major))
        atoms = self.atoms
        # The outer index is not cut off: beyond the end of the tile it goes on counting.
        outer, inner = divmod(atom, atoms.mn if self.order == "mn" else atoms.k)
        index = inner if along.lower() == self.order else outer
        axis = self.axis(along)
        width = MODE[self.swizzle].width
        return index * axis.inside + (inside % width if axis.contiguous else inside // width * width)

    def holds(self, offset: int) -> bool:
        """Whether the byte so many from the start is one of the tile's."""
        return 0 <= offset < self.size


def in_one_cta(tile: tuple[int, int], cta_group: int) -> Shape:
    """Return what each CTA holds of a tile MN x K of ``cta_group`` CTAs: its part of MN.

    :class:`smemdesc.engine.errors.SmemdescError` where MN cannot be shared.
    """
    mn, k = tile
    if cta_group < 1 or mn % cta_group:
        raise SmemdescError(
            f"MN = {mn} of the tile is not shared by {cta_group} CTAs", hint="it is that of both CTAs, which is even"
        )
    return Shape(mn // cta_group, k)


def _offset(axis: Axis, elements: int) -> int:
    assert axis.bits is not None
    return axis.offset(elements * axis.bits // 8)


def atom_tiling(swizzle: str, major: str, dtype: DType, tile: tuple[int, int], order: str) -> AtomTiling:
    """Return a tile MN x K (elements) in atoms; :class:`smemdesc.engine.errors.SmemdescError` where they are not
    whole."""
    whole = Shape(*tile)
    atom = shape(swizzle, major, dtype)
    divides(whole, atom, f"atoms of {atom} ({major}-major {swizzle}, {dtype.name})")
    return AtomTiling(swizzle, major, dtype, whole, order, atom)


def divides(whole: Shape, part: Shape, what: str) -> None:
    """Refuse a tile that is not a whole number of parts; ``what`` says which."""
    for name, amount, step in (("MN", whole.mn, part.mn), ("K", whole.k, part.k)):
        if amount < 1 or amount % step:
            raise SmemdescError(
                f"a tile of {whole} does not divide into {what}",
                hint=f"{name} = {amount} is not a multiple of {step}",
            )


def second_chunk(start: int, distance: int | None) -> int | None:
    """Return LBO in absolute mode for a start (bytes): the 128-byte line that the 48 bytes of K run over into, else
    its own; None where they run over and the ``distance`` to the next atom is not known."""
    line = start - start % LINE
    if start % LINE + K_96 <= LINE:
        return line
    return None if distance is None else line + distance
