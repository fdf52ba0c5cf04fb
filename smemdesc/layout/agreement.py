"""How much of a matrix lies in memory where a layout has it, by the 16-byte units that every layout moves whole."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.kinds.addresses import LINE
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import Mode
from smemdesc.kinds.types import DType
from smemdesc.layout.elements import Memory, read_bits
from smemdesc.layout.operand import UNIT, Operand
from smemdesc.layout.strides import LBO, SBO, Stride, strides

COMMON = 4
"""One in so many elements makes an element common."""
SAMPLE = 24
"""Units that a layout is tried on before all of them."""


class Unit(NamedTuple):
    """A unit of the matrix: ``line`` counts rows (K-major) or k (MN-major), ``column`` units along the other."""

    line: int
    column: int
    mn: int
    k: int
    bits: int
    """Its elements, the first in the low bits; those that the tensor cores do not read are 0."""
    size: int
    """Elements in it: fewer than a unit has at the end of a line."""


class Grid(NamedTuple):
    """How units fall into atoms: so many lines and columns to one, the bytes from line to line."""

    lines: int
    columns: int
    pitch: int

    def split(self, unit: Unit) -> tuple[int, int, int]:
        """Return the atom of a unit (along lines, along columns), and the bytes from its beginning to the unit."""
        down, line = divmod(unit.line, self.lines)
        across, column = divmod(unit.column, self.columns)
        return down, across, line * self.pitch + column * UNIT


def grid_of(mode: Mode, major: str) -> Grid:
    """Return the atom of a mode, 8 rows (or its k's) of its width."""
    return Grid(8 if major == "K" else mode.lines, mode.width // UNIT, mode.width)


@lru_cache(maxsize=256)
def meant(mode: Mode, major: str, dtype: DType, shape: tuple[int, int]) -> tuple[Stride, Stride]:
    """Return what LBO and SBO mean for operands of a shape. Hundreds of layouts of the same one are tried."""
    return strides(mode, major, Context(dtype=dtype, major=major, shape=shape))


def placer(operand: Operand) -> Callable[[Unit], int]:
    """Return the function from a unit to its address."""
    if operand.absolute:
        return lambda unit: operand.address(unit.mn, unit.k)
    grid = grid_of(operand.mode, operand.major)
    size = {LBO: operand.lbo, SBO: operand.sbo}
    both = meant(operand.mode, operand.major, operand.dtype, operand.shape)
    ways = {stride.along: size[stride.key] for stride in both}
    along = ways.pop(operand.major)
    (over,) = ways.values()
    start, swizzle, phase = operand.start, operand.swizzle, operand.base_offset * LINE

    def place(unit: Unit) -> int:
        down, across, offset = grid.split(unit)
        return swizzle(start + down * over + across * along + offset, phase)

    return place


class Agreement(NamedTuple):
    """What of a matrix a layout finds in memory."""

    units: int
    """16-byte units that agree in all of their elements; what is in most of the matrix (zeros) proves nothing, and is
    not counted."""
    elements: int
    outside: int
    """Elements that lie outside of the memory."""


class Index:
    """Memory by its 16-byte units, and where each of them is, whatever the type of what it holds."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._places: dict[int, dict[int, list[int]]] = {}

    @cached_property
    def first(self) -> int:
        """The address of the first unit."""
        return -(-self.memory.first // UNIT) * UNIT

    @cached_property
    def held(self) -> list[int]:
        """The bits of each unit."""
        data, skip = self.memory.data, self.first - self.memory.first
        return [int.from_bytes(data[at : at + UNIT], "little") for at in range(skip, len(data) - UNIT + 1, UNIT)]

    def places(self, mask: int) -> dict[int, list[int]]:
        """Return the addresses, in order, of the units that have the same bits under a mask."""
        found = self._places.get(mask)
        if found is None:
            found = self._places[mask] = {}
            for number, bits in enumerate(self.held):
                found.setdefault(bits & mask, []).append(self.first + UNIT * number)
        return found

    def at(self, address: int) -> tuple[int, int]:
        """Return 16 bytes, and which of their bits the memory has."""
        number, rest = divmod(address - self.first, UNIT)
        if not rest and 0 <= number < len(self.held):
            return self.held[number], _WHOLE
        skip = min(max(0, self.memory.first - address), UNIT)
        here = self.memory.data[max(0, address - self.memory.first) : max(0, address + UNIT - self.memory.first)]
        return int.from_bytes(here, "little") << 8 * skip, ones(8 * len(here)) << 8 * skip


_WHOLE = ones(8 * UNIT)


class Matrix:
    """A matrix of bit patterns, MN x K, and the memory that it may lie in."""

    def __init__(
        self, dtype: DType, rows: Sequence[Sequence[int]], memory: Memory, *, index: Index | None = None
    ) -> None:
        self.dtype = dtype
        self.rows = rows
        self.memory = memory
        self.index = Index(memory) if index is None else index
        self.shape = len(rows), len(rows[0])
        self.elements = self.shape[0] * self.shape[1]
        self.per_unit = 128 // dtype.storage
        self._masks: dict[int, int] = {}
        self._blanks: dict[int, int] = {}
        self._units: dict[str, list[Unit]] = {}
        self._samples: dict[str, list[Unit]] = {}
        self._places: dict[int, dict[int, list[int]]] = {}
        """Of the index, by the size of a unit."""

    def mask(self, count: int) -> int:
        """Return the bits that count in a unit of ``count`` elements."""
        if count not in self._masks:
            each = read_bits(self.dtype)
            self._masks[count] = sum(each << self.dtype.bits * place for place in range(count))
        return self._masks[count]

    def units(self, major: str) -> list[Unit]:
        """Return the units, in the order of :meth:`Operand.unit_addresses`."""
        if major not in self._units:
            lines = self.rows if major == "K" else list(zip(*self.rows, strict=True))
            self._units[major] = [
                Unit(line, column, *((line, first) if major == "K" else (first, line)), bits, count)
                for line, elements in enumerate(lines)
                for column, (first, bits, count) in enumerate(self._cut(elements))
            ]
        return self._units[major]

    def _cut(self, line: Sequence[int]) -> Iterable[tuple[int, int, int]]:
        bits, per_unit = self.dtype.bits, self.per_unit
        for first in range(0, len(line), per_unit):
            packed = 0
            for element in reversed(line[first : first + per_unit]):
                packed = packed << bits | element
            count = min(per_unit, len(line) - first)
            yield first, packed & self.mask(count), count

    def unit(self, elements: Sequence[int]) -> Unit:
        """Return the first unit of some elements."""
        ((first, bits, size),) = self._cut(elements[: self.per_unit])
        return Unit(0, 0, 0, first, bits, size)

    @cached_property
    def common(self) -> int | None:
        """The element that most of the matrix is, where there is one."""
        (element, count), *_ = Counter(chain.from_iterable(self.rows)).most_common(1)
        return element if COMMON * count >= self.elements and count < self.elements else None

    def telling(self, major: str) -> int:
        """Return how many units :class:`Agreement` counts."""
        return sum(unit.bits != self._blank(unit) for unit in self.units(major))

    def _blank(self, unit: Unit) -> int:
        if self.common is None:
            return -1
        if unit.size not in self._blanks:
            size = self.dtype.bits
            self._blanks[unit.size] = sum(self.common << size * at for at in range(unit.size)) & self.mask(unit.size)
        return self._blanks[unit.size]

    def places(self, unit: Unit) -> list[int]:
        """Return the addresses, in order, at which memory holds the elements of a unit."""
        found = self._places.get(unit.size)
        if found is None:
            found = self._places[unit.size] = self.index.places(self.mask(unit.size))
        return found.get(unit.bits, [])

    def agreement(self, major: str, addresses: Iterable[int]) -> Agreement:
        """Compare every element; ``addresses`` of the units, in the order of :meth:`units`."""
        bits = self.dtype.bits
        whole = elements = outside = 0
        for unit, address in zip(self.units(major), addresses, strict=True):
            held, known = self.index.at(address)
            mask = self.mask(unit.size)
            differ = (held ^ unit.bits | ~known) & mask
            if not differ:
                whole += unit.bits != self._blank(unit)
                elements += unit.size
                continue
            each = self.mask(1)
            for place in range(unit.size):
                if not differ >> bits * place & each:
                    elements += 1
                elif ~known >> bits * place & each:
                    outside += 1
        return Agreement(whole, elements, outside)

    def box(self, operand: Operand) -> tuple[range, range]:
        """Return the rows and the k's between which every element lies that does not agree; empty where all do."""
        place = placer(operand)
        wrong = [unit for unit in self.units(operand.major) if not self._agrees(unit, place(unit))]
        if not wrong:
            return range(0), range(0)
        mns, ks = [unit.mn for unit in wrong], [unit.k for unit in wrong]
        size = max(unit.size for unit in wrong) - 1
        wide, high = (size, 0) if operand.major == "K" else (0, size)
        rows, columns = self.shape
        return range(min(mns), min(rows, max(mns) + high + 1)), range(min(ks), min(columns, max(ks) + wide + 1))

    def of(self, operand: Operand) -> Agreement:
        """Return the agreement of an operand of this shape."""
        place = placer(operand)
        return self.agreement(operand.major, (place(unit) for unit in self.units(operand.major)))

    def _agrees(self, unit: Unit, address: int) -> bool:
        held, known = self.index.at(address)
        return not (held ^ unit.bits | ~known) & self.mask(unit.size)

    def sample(self, major: str, place: Callable[[Unit], int], *, most: int | None = None) -> int:
        """Return how many of some units lie where ``place`` has them: cheap, and to be verified.

        ``most``: counting ends when so many do not.
        """
        found = missed = 0
        for unit in self._chosen(major):
            if self._agrees(unit, place(unit)):
                found += 1
            else:
                missed += 1
                if missed == most:
                    break
        return found

    def sampled(self, major: str, place: Callable[[Unit], int]) -> bool:
        """Whether all of the units of a sample lie where ``place`` has them."""
        return self.sample(major, place, most=1) == len(self._chosen(major))

    def _chosen(self, major: str) -> list[Unit]:
        if major not in self._samples:
            units = self.units(major)
            step = max(1, len(units) // SAMPLE)
            # One further each time: they must not all have the same column, or row of 8.
            self._samples[major] = [units[(at + at // step) % len(units)] for at in range(step // 2, len(units), step)]
        return self._samples[major]


def nearest(places: list[int], hint: int, most: int) -> list[int]:
    """Return at most so many addresses of a sorted list, those that are nearest to a hint."""
    if len(places) <= most:
        return places
    at = bisect_left(places, hint)
    low = min(max(0, at - most // 2), len(places) - most)
    return places[low : low + most]
