"""Triton's layouts of shared memory: ``#ttg.nvmma_shared``, and linear layouts in general.

A linear layout is a list of bases: the coordinate change of each bit of the offset. An offset is at the XOR of the
bases of its set bits. Descriptors have four swizzles of 16-byte units and one of 32-byte units: :func:`resolve`
finds the one of explicit bases (``#ttg.shared_linear``, ``#ttg.swizzled_shared``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.modes import MODE, MODES, by_width
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import atom_shape
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.operand import UNIT
from smemdesc.tiles.box import BOX

Basis = tuple[int, ...]


class Encoding(NamedTuple):
    """The parameters of ``#ttg.nvmma_shared``."""

    swizzle: str
    bits: int
    transposed: bool
    padded: bool
    rank: int
    split: tuple[int, ...]
    """Into how many CTAs each dimension is cut; empty: one CTA has all."""
    span: tuple[int, int]

    def modes(self, shape: tuple[int, ...]) -> tuple[Mode, ...]:
        """Return the layout of each dimension of a tensor of this rank, in elements, before the swizzle.

        The tensor is divided into blocks of one swizzle width by at most 256 lines, consecutive along dimension
        0 first (without swizzle, with blocks of 256 elements, along the last one first).
        """
        contiguous = 0 if self.transposed else len(shape) - 1
        wide = MODE[self.swizzle].width * 8 // self.bits if self.swizzle != "none" else BOX
        if self.padded:
            wide //= 2
        block = [min(size, BOX) for size in shape]
        block[contiguous] = min(shape[contiguous], wide)
        leaves: list[list[Leaf]] = [[] for _ in shape]
        step = 1
        lines = [line for line in reversed(range(len(shape))) if line != contiguous]
        for line in (contiguous, *lines):
            leaves[line].append(Leaf(block[line], step, self.span))
            step *= block[line]
        order = range(len(shape))
        for dim in order if self.swizzle != "none" else reversed(order):
            size = shape[dim]
            if size > block[dim]:
                leaves[dim].append(Leaf(size // block[dim], step, self.span))
                step *= size // block[dim]
        return tuple(Mode(*leaf) for leaf in leaves)


class Bases(NamedTuple):
    """The layout of a tensor in one CTA, in elements of ``bits``."""

    swizzle: str
    bits: int
    whole: tuple[Mode, ...]
    """Where each dimension lies before the swizzle."""
    span: tuple[int, int]
    split: tuple[int, ...] = ()
    padded: bool = False

    @property
    def rank(self) -> int:
        """Dimensions of the tensor."""
        return len(self.whole)

    @property
    def transposed(self) -> bool:
        """Whether dimension 0 is contiguous."""
        return bool(self.whole[0].leaves) and self.whole[0].leaves[0].stride == 1

    def modes(self, shape: tuple[int, ...]) -> tuple[Mode, ...]:
        """Return the layout of each dimension; ``shape`` is the tensor's.

        :class:`smemdesc.engine.errors.SmemdescError` if the bases are for another shape.
        """
        own = tuple(mode.size for mode in self.whole)
        if own != shape:
            by = "x".join(map(str, own))
            raise SmemdescError(f"the bases are of a tensor of {by}, not {'x'.join(map(str, shape))}")
        return self.whole


def resolve(bases: list[Basis], bits: int, span: tuple[int, int]) -> Bases:
    """Return the layout of explicit bases. :class:`smemdesc.engine.errors.SmemdescError` if no mode has
    them."""
    rank = len(bases[0])
    for mode in sorted(MODES, key=lambda mode: mode.name != "none"):
        plain = _unswizzled(bases, mode.swizzle, bits)
        if plain is None:
            continue
        leaves: list[list[Leaf]] = [[] for _ in range(rank)]
        for place, basis in sorted(enumerate(plain), key=lambda pair: max(pair[1])):
            dim = next(index for index, part in enumerate(basis) if part)
            run = leaves[dim][-1] if leaves[dim] else None
            if run is not None and run.stride * run.extent == 1 << place:
                leaves[dim][-1] = run._replace(extent=2 * run.extent)
            else:
                leaves[dim].append(Leaf(2, 1 << place, span))
        return Bases(mode.name, bits, tuple(Mode(*(leaf or [Leaf(1, 1, span)])) for leaf in leaves), span)
    names = [*(mode.name for mode in by_width() if mode.name != "none"), "no swizzle"]
    raise SmemdescError("the bases match no swizzle mode", hint=f"a descriptor has {either(names)}")


def _unswizzled(bases: list[Basis], swizzle: tuple[int, int, int], bits: int) -> list[Basis] | None:
    """Return the bases before a swizzle of byte addresses; None if they are not one step of one dimension each."""
    b, m, s = swizzle
    element = bits.bit_length() - 4  # log2 of its bytes
    plain = [list(basis) for basis in bases]
    for power in range(b):
        to, source = m + power - element, m + s + power - element
        if source < len(plain):
            if to < 0:
                return None
            plain[source] = [one ^ bit for one, bit in zip(plain[source], bases[to], strict=True)]
    reached = [0] * len(bases[0])
    for basis in plain:
        steps = [(index, part) for index, part in enumerate(basis) if part]
        if len(steps) != 1 or steps[0][1] & (steps[0][1] - 1) or reached[steps[0][0]] & steps[0][1]:
            return None
        reached[steps[0][0]] |= steps[0][1]
    # Every step once, from 1 on.
    return [tuple(basis) for basis in plain] if all(not offset & (offset + 1) for offset in reached) else None


def swizzled(shape: tuple[int, ...], vec: int, per_phase: int, max_phase: int, order: tuple[int, ...]) -> list[Basis]:
    """Return the bases of ``#ttg.swizzled_shared``: units of ``vec`` elements, XORed with the line number."""
    lines = order[1] if len(order) > 1 else order[0]
    bases: list[Basis] = []
    for dim in order:
        for power in range(shape[dim].bit_length() - 1):
            basis = [0] * len(shape)
            basis[dim] = 1 << power
            if dim == lines and dim != order[0]:
                basis[order[0]] ^= ((1 << power) // per_phase % max_phase) * vec % shape[order[0]]
            bases.append(tuple(basis))
    return bases


def shared_linear(bases: Sequence[Sequence[int]], alignment: int = UNIT) -> str:
    """Return explicit bases as Triton writes them; ``alignment`` in bytes."""
    texts = ", ".join(str(list(basis)) for basis in bases)
    return f"#ttg.shared_linear<{{offset = [{texts}]}}, alignment = {alignment}>"


class Point(NamedTuple):
    """An offset in elements, and the coordinate there."""

    offset: int
    place: Basis

    @property
    def row(self) -> int:
        """The coordinate along dimension 0."""
        return self.place[0]

    @property
    def column(self) -> int:
        """The coordinate along dimension 1."""
        return self.place[1]


class _Linear:
    """The map of an encoding, in both directions: Triton's nvmmaSharedToLinearLayout.

    Offsets are in elements of ``elementBitWidth``. Each basis is a coordinate of the tensor; an offset is at the XOR
    of the bases of its set bits. The padding of ``fp4Padded`` is a basis of zeros.
    """

    def __init__(self, encoding: Encoding | Bases, shape: tuple[int, ...], what: str, extents: str) -> None:
        self.encoding = encoding
        self.shape = shape
        self._modes = encoding.modes(shape)
        self._swizzle = Swizzle(*MODE[encoding.swizzle].swizzle).recast(8, encoding.bits)
        self._what = what
        self._extents = extents
        self.size = prod(shape) * (2 if encoding.padded else 1)
        """The number of offsets: the elements, with the padding of ``fp4Padded``."""
        self.bases = [self.at_offset(1 << bit) for bit in range(self.size.bit_length() - 1)]

    @property
    def triton(self) -> str:
        """The same layout with explicit bases, as Triton writes it; its alignment is that of the swizzle atom."""
        alignment = 8 * MODE[self.encoding.swizzle].width if self.encoding.swizzle != "none" else UNIT
        return shared_linear([basis.place for basis in self.bases], alignment)

    def at_offset(self, offset: int) -> Point:
        """Return the element at an offset, in elements. :class:`smemdesc.engine.errors.SmemdescError` outside."""
        if not 0 <= offset < self.size:
            raise SmemdescError(
                f"offset {offset} is outside the {self._what}", hint=f"it has the offsets 0..{self.size - 1}"
            )
        linear = self._swizzle(offset)
        if self.encoding.padded:
            linear = linear // UNIT * (UNIT // 2) + linear % (UNIT // 2)
        return Point(offset, tuple(mode.coordinate(linear) for mode in self._modes))

    def at(self, *place: int) -> Point:
        """Return the offset of an element. :class:`smemdesc.engine.errors.SmemdescError` outside."""
        inside = len(place) == len(self.shape) and all(
            0 <= one < size for one, size in zip(place, self.shape, strict=True)
        )
        if not inside:
            raise SmemdescError(f"{place} is outside the {self._what}", hint=self._extents)
        linear = sum(mode.offset(one) for mode, one in zip(self._modes, place, strict=True))
        if self.encoding.padded:
            linear = linear // (UNIT // 2) * UNIT + linear % (UNIT // 2)
        return Point(self._swizzle(linear), place)

    def to_dict(self, points: Sequence[Point] = ()) -> dict[str, Any]:
        """Return the JSON object; ``points`` only if requested."""
        out = {
            **self._encoding_dict(),
            "dims": list(self.shape),
            "bases": [{"offset": basis.offset, "to": list(basis.place)} for basis in self.bases],
            "triton": self.triton,
        }
        if points:
            out["points"] = [{"offset": point.offset, "at": list(point.place)} for point in points]
        return out

    def _encoding_dict(self) -> dict[str, Any]:
        encoding = self.encoding
        return {"swizzle": encoding.swizzle, "bits": encoding.bits, "transposed": encoding.transposed}


@shown()
class LinearLayout(_Linear):
    """The atom of a mode and a type: dimension 0 counts lines of the strided dimension, dimension 1 elements along the
    contiguous one, so both major-nesses have the same bases.

    :class:`smemdesc.engine.errors.SmemdescError` for types in containers and for modes that Triton lacks.
    """

    def __init__(self, swizzle: str, dtype: DType) -> None:
        if dtype.bits != dtype.storage:
            raise SmemdescError(
                f"{dtype.name} in 8-bit containers has no linear layout of its own", hint="use an 8-bit type"
            )
        if MODE[swizzle].triton is None:
            has = either([mode.name for mode in by_width() if mode.triton is not None])
            raise SmemdescError(f"Triton has no linear layout of {swizzle}", hint=f"use {has}")
        self.swizzle = swizzle
        self.dtype = dtype
        self.rows, self.columns = atom_shape(swizzle, "K", dtype)
        encoding = Encoding(swizzle, dtype.bits, False, False, 2, (), (0, 0))
        extents = f"rows are 0..{self.rows - 1}, columns 0..{self.columns - 1}"
        super().__init__(encoding, (self.rows, self.columns), "atom", extents)

    def __str__(self) -> str:
        return f"{self.swizzle} linear layout, {self.dtype.name}: {self.rows}x{self.columns}, {len(self.bases)} bases"

    def _encoding_dict(self) -> dict[str, Any]:
        return {"swizzle": self.swizzle, "dtype": self.dtype.name, "bits": self.dtype.bits}


class TensorLayout(_Linear):
    """A whole tensor under ``#ttg.nvmma_shared``: offsets in elements of ``elementBitWidth`` to coordinates."""

    def __init__(self, encoding: Encoding | Bases, shape: tuple[int, ...]) -> None:
        super().__init__(encoding, shape, "tensor", f"its shape is {shape}")
