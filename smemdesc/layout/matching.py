"""A matrix compared with memory: how much of it agrees with a layout, and its possible layouts there.

Every layout moves whole 16-byte units, so units are compared. Candidates are solved for, not enumerated: under each
swizzle mode, base offset and major-ness the swizzle is undone at every address where memory holds a unit of the
matrix. If the units of one atom agree on its beginning, that is its place; the start address, LBO and SBO
are differences of such beginnings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.kinds.addresses import HIGHEST, LINE
from smemdesc.kinds.context import Context
from smemdesc.kinds.elements import Memory, read_bits
from smemdesc.kinds.modes import MODE, SwizzleMode, modes
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import exists
from smemdesc.layout.operand import UNIT, Operand, moves
from smemdesc.layout.strides import LBO, SBO, Stride, strides_of

COMMON = 4
"""An element is common if at least one in this many has its value."""
SAMPLE = 24
"""Units on which a layout is tried before it is tried on all."""


class MatrixUnit(NamedTuple):
    """A unit of the matrix: ``line`` counts rows (K-major) or k (MN-major), ``column`` units along the other."""

    line: int
    column: int
    mn: int
    k: int
    bits: int
    """Its elements, the first in the low bits; those that the tensor cores do not read are 0."""
    size: int
    """Elements in it: fewer than a unit has at the end of a line."""


class AtomGrid(NamedTuple):
    """How units are grouped into atoms: lines and columns per atom, bytes from line to line."""

    lines: int
    columns: int
    pitch: int

    def split(self, unit: MatrixUnit) -> tuple[int, int, int]:
        """Return the atom of a unit (along lines, along columns), and the bytes from its beginning to the unit."""
        down, line = divmod(unit.line, self.lines)
        across, column = divmod(unit.column, self.columns)
        return down, across, line * self.pitch + column * UNIT


def grid_of(mode: SwizzleMode, major: str) -> AtomGrid:
    """Return the atom of a mode, 8 rows (or its k's) of its width."""
    return AtomGrid(mode.rows(major), mode.width // UNIT, mode.width)


@lru_cache(maxsize=256)
def operand_strides(mode: SwizzleMode, major: str, dtype: DType, shape: tuple[int, int]) -> tuple[Stride, Stride]:
    """Return what LBO and SBO mean for operands of a shape. Hundreds of layouts of the same one are tried."""
    return strides_of(mode.name, major, Context(dtype=dtype, major=major, shape=shape))


class MatchCount(NamedTuple):
    """How much of a matrix a layout finds in memory."""

    units: int
    """16-byte units that agree in all of their elements; what is in most of the matrix (zeros) proves nothing, and is
    not counted."""
    elements: int
    outside: int
    """Elements that lie outside of the memory."""


class MemoryIndex:
    """Memory by its 16-byte units, and the addresses of each, independent of the type."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._places: dict[int, dict[int, list[int]]] = {}

    @cached_property
    def first(self) -> int:
        """The address of the first unit."""
        return -(-self.memory.first // UNIT) * UNIT

    @cached_property
    def units(self) -> list[int]:
        """The bits of each unit."""
        data, skip = self.memory.data, self.first - self.memory.first
        return [int.from_bytes(data[at : at + UNIT], "little") for at in range(skip, len(data) - UNIT + 1, UNIT)]

    def places(self, mask: int) -> dict[int, list[int]]:
        """Return the addresses, in order, of the units that have the same bits under a mask."""
        same_bits = self._places.get(mask)
        if same_bits is None:
            same_bits = self._places[mask] = {}
            for number, bits in enumerate(self.units):
                same_bits.setdefault(bits & mask, []).append(self.first + UNIT * number)
        return same_bits

    def at(self, address: int) -> tuple[int, int]:
        """Return 16 bytes, and the mask of the bits that memory has."""
        number, rest = divmod(address - self.first, UNIT)
        if not rest and 0 <= number < len(self.units):
            return self.units[number], _WHOLE
        skip = min(max(0, self.memory.first - address), UNIT)
        here = self.memory.data[max(0, address - self.memory.first) : max(0, address + UNIT - self.memory.first)]
        return int.from_bytes(here, "little") << 8 * skip, ones(8 * len(here)) << 8 * skip


_WHOLE = ones(8 * UNIT)


class SearchedMatrix:
    """A matrix of bit patterns, MN x K, and the memory in which it is searched."""

    def __init__(
        self, dtype: DType, rows: Sequence[Sequence[int]], memory: Memory, *, index: MemoryIndex | None = None
    ) -> None:
        self.dtype = dtype
        self.rows = rows
        self.memory = memory
        self.index = MemoryIndex(memory) if index is None else index
        self.shape = len(rows), len(rows[0])
        self.elements = self.shape[0] * self.shape[1]
        self.per_unit = 128 // dtype.storage
        self._masks: dict[int, int] = {}
        self._blanks: dict[int, int] = {}
        self._units: dict[str, list[MatrixUnit]] = {}
        self._samples: dict[str, list[MatrixUnit]] = {}
        self._places: dict[int, dict[int, list[int]]] = {}
        """Of the index, by the size of a unit."""

    def mask(self, count: int) -> int:
        """Return the mask of the used bits in a unit of ``count`` elements."""
        if count not in self._masks:
            known_bits = read_bits(self.dtype)
            self._masks[count] = sum(known_bits << self.dtype.bits * place for place in range(count))
        return self._masks[count]

    def units(self, major: str) -> list[MatrixUnit]:
        """Return the units, in the order of :meth:`Operand.unit_addresses`."""
        if major not in self._units:
            lines = self.rows if major == "K" else list(zip(*self.rows, strict=True))
            self._units[major] = [
                MatrixUnit(line, column, *((line, first) if major == "K" else (first, line)), bits, count)
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

    def unit(self, elements: Sequence[int]) -> MatrixUnit:
        """Return the first unit of some elements."""
        ((first, bits, size),) = self._cut(elements[: self.per_unit])
        return MatrixUnit(0, 0, 0, first, bits, size)

    @cached_property
    def common(self) -> int | None:
        """The most frequent element of the matrix, if it is the majority."""
        (element, count), *_ = Counter(chain.from_iterable(self.rows)).most_common(1)
        return element if COMMON * count >= self.elements and count < self.elements else None

    def count_distinctive(self, major: str) -> int:
        """Return how many units :class:`MatchCount` counts."""
        return sum(unit.bits != self._blank(unit) for unit in self.units(major))

    def _blank(self, unit: MatrixUnit) -> int:
        if self.common is None:
            return -1
        if unit.size not in self._blanks:
            size = self.dtype.bits
            self._blanks[unit.size] = sum(self.common << size * at for at in range(unit.size)) & self.mask(unit.size)
        return self._blanks[unit.size]

    def places(self, unit: MatrixUnit) -> list[int]:
        """Return the addresses, in order, at which memory holds the elements of a unit."""
        same_bits = self._places.get(unit.size)
        if same_bits is None:
            same_bits = self._places[unit.size] = self.index.places(self.mask(unit.size))
        return same_bits.get(unit.bits, [])

    def agreement(self, major: str, addresses: Iterable[int]) -> MatchCount:
        """Compare every element; ``addresses`` of the units, in the order of :meth:`units`."""
        bits = self.dtype.bits
        whole = elements = outside = 0
        for unit, address in zip(self.units(major), addresses, strict=True):
            stored, known = self.index.at(address)
            mask = self.mask(unit.size)
            differ = (stored ^ unit.bits | ~known) & mask
            if not differ:
                whole += unit.bits != self._blank(unit)
                elements += unit.size
                continue
            one = self.mask(1)
            for place in range(unit.size):
                if not differ >> bits * place & one:
                    elements += 1
                elif ~known >> bits * place & one:
                    outside += 1
        return MatchCount(whole, elements, outside)

    def misplaced(self, operand: Operand) -> tuple[MatrixUnit, ...]:
        """Return the units that are not where the operand has them."""
        return tuple(unit for unit in self.units(operand.major) if not self._agrees(unit, operand))

    def box(self, operand: Operand) -> tuple[range, range]:
        """Return the range of rows and of k with all elements that do not agree; empty if all do."""
        wrong = self.misplaced(operand)
        if not wrong:
            return range(0), range(0)
        mns, ks = [unit.mn for unit in wrong], [unit.k for unit in wrong]
        size = max(unit.size for unit in wrong) - 1
        wide, high = (size, 0) if operand.major == "K" else (0, size)
        rows, columns = self.shape
        return range(min(mns), min(rows, max(mns) + high + 1)), range(min(ks), min(columns, max(ks) + wide + 1))

    def compare(self, operand: Operand) -> MatchCount:
        """Return the agreement of an operand of this shape."""
        return self.agreement(operand.major, (address for _, _, address in operand.unit_addresses()))

    def _agrees(self, unit: MatrixUnit, operand: Operand) -> bool:
        stored, known = self.index.at(operand.address(unit.mn, unit.k))
        return not (stored ^ unit.bits | ~known) & self.mask(unit.size)

    def sample(self, operand: Operand, *, most: int | None = None) -> int:
        """Return how many of some units are where the operand has them: cheap, to be verified later.

        ``most``: counting ends after that many misses.
        """
        hits = missed = 0
        for unit in self._sample_units(operand.major):
            if self._agrees(unit, operand):
                hits += 1
            else:
                missed += 1
                if missed == most:
                    break
        return hits

    def fits_sample(self, operand: Operand) -> bool:
        """Return whether all units of a sample are where the operand has them."""
        return self.sample(operand, most=1) == len(self._sample_units(operand.major))

    def _sample_units(self, major: str) -> list[MatrixUnit]:
        if major not in self._samples:
            units = self.units(major)
            step = max(1, len(units) // SAMPLE)
            # One further each time: they must not all have the same column, or row of 8.
            self._samples[major] = [units[(at + at // step) % len(units)] for at in range(step // 2, len(units), step)]
        return self._samples[major]


def nearest_addresses(places: list[int], hint: int, most: int) -> list[int]:
    """Return the addresses of a sorted list that are nearest to a hint, up to a limit."""
    if len(places) <= most:
        return places
    at = bisect_left(places, hint)
    low = min(max(0, at - most // 2), len(places) - most)
    return places[low : low + most]


UNIT_PLACES = 16
"""Places of one unit that are examined."""
MOST_BEGINNINGS = 8
"""Beginnings of an atom, and starts, that are as likely as each other."""
_FEW = 3
_ENOUGH = 0.2
"""Share of the units that must agree for a layout to be tried."""


class AtomStrides(NamedTuple):
    """A start, and the strides between atoms, in bytes; None if there is a single one."""

    start: int
    down: int | None
    across: int | None


class SwizzleInverse(NamedTuple):
    """From an address to the one before the swizzle: the summand by its place in the pattern."""

    deltas: tuple[int, ...]
    """As :func:`smemdesc.layout.operand.moves`."""

    def __call__(self, address: int) -> int:
        return address + self.deltas[address // UNIT % len(self.deltas)]


Votes = dict[tuple[int, int], list[int]]


def unswizzle(mode: SwizzleMode, phase: int = 0) -> SwizzleInverse:
    """Return the inverse of the swizzle of a mode whose pattern begins at ``phase``; it is its own inverse."""
    return SwizzleInverse(moves(mode, phase))


def distinctive_units(matrix: SearchedMatrix, major: str, hint: int) -> list[tuple[MatrixUnit, list[int]]]:
    """Return the units that memory holds in few places, with their addresses: they distinguish layouts."""
    every = [(unit, places) for unit in matrix.units(major) if (places := matrix.places(unit))]
    seldom = [unit for unit in every if len(unit[1]) <= UNIT_PLACES]
    if 8 * len(seldom) >= len(every):
        return seldom
    return [(unit, nearest_addresses(places, hint, UNIT_PLACES)) for unit, places in every]


def _votes(distinctive: list[tuple[MatrixUnit, list[int]]], grid: AtomGrid, linear: SwizzleInverse, hint: int) -> Votes:
    """Return where each atom begins by most of its units: several addresses where they are undecided, none where few
    agree."""
    begins: dict[tuple[int, int], list[int]] = {}
    deltas, period = linear.deltas, len(linear.deltas)
    for unit, places in distinctive:
        down, across, offset = grid.split(unit)
        begins.setdefault((down, across), []).extend(
            # Written out: this runs most often of all.
            [place + deltas[place // UNIT % period] - offset for place in places]
        )
    counts = {atom: Counter(starts) for atom, starts in begins.items()}
    most = {atom: max(counter.values()) for atom, counter in counts.items()}
    if sum(most.values()) < _ENOUGH * len(distinctive):
        return {}
    votes: Votes = {}
    for atom, counter in counts.items():
        ties = [(begin, count) for begin, count in counter.items() if 2 * count > most[atom]]
        ranks = [(-count, abs(begin - hint), number) for number, (begin, count) in enumerate(ties)]
        votes[atom] = [ties[number][0] for _, _, number in nsmallest(MOST_BEGINNINGS, ranks)]
    return votes


def _strides(votes: Votes, axis: int) -> list[int]:
    """Return the bytes between neighboring atoms along an axis on which most units agree, the likeliest first."""
    sizes: list[int] = []
    for atom, begins in votes.items():
        for steps in (1, 2):
            neighbor = votes.get((atom[0] + steps, atom[1]) if axis == 0 else (atom[0], atom[1] + steps))
            if neighbor is not None:
                sizes += [
                    size // steps
                    for begin in begins
                    for there in neighbor
                    if 0 <= (size := there - begin) <= steps * HIGHEST and not size % steps
                ]
    return [size for _, size in nsmallest(_FEW, ((-count, size) for size, count in Counter(sizes).items()))]


def fitting_starts(
    distinctive: list[tuple[MatrixUnit, list[int]]],
    grid: AtomGrid,
    linear: SwizzleInverse,
    hint: int,
    guesses: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
) -> Iterator[AtomStrides]:
    """Yield the starts and strides under which most units agree with memory, the likeliest first.

    ``guesses`` of both strides are for matrices with few distinctive units, such as a diagonal: they place the
    other atoms. None if there is a single atom.
    """
    votes = _votes(distinctive, grid, linear, hint)
    if not votes:
        return
    several = [len({atom[axis] for atom in votes}) > 1 for axis in (0, 1)]
    repeat = any(len(begins) > 1 for begins in votes.values())

    def stride_choices(axis: int, likely: list[int]) -> list[int | None]:
        if repeat or not likely:
            likely = list(dict.fromkeys([*likely, *guesses[axis]]))
        if several[axis]:
            return [*likely] or [None]
        return [None, *guesses[axis]]

    across = _strides(votes, 1)
    for down in stride_choices(0, _strides(votes, 0)):
        # Without the steps along lines, atoms that are not in one line of atoms can be compared, too.
        level = {atom: [begin - atom[0] * (down or 0) for begin in begins] for atom, begins in votes.items()}
        for stride in stride_choices(1, across or _strides(_by_column(level), 1)):
            counter = Counter([begin - atom[1] * (stride or 0) for atom, begins in level.items() for begin in begins])
            most = max(counter.values())
            starts = [start for start, count in counter.items() if 2 * count >= most]
            for start in sorted(starts, key=lambda start: (-counter[start], abs(start - hint)))[:MOST_BEGINNINGS]:
                yield AtomStrides(start, down, stride)


def _by_column(level: Votes) -> Votes:
    """Combine the beginnings of all atoms of a column into one."""
    columns: Votes = {}
    for atom, begins in level.items():
        columns.setdefault((0, atom[1]), []).extend(begins)
    return {atom: [begin for begin, _ in Counter(begins).most_common(_FEW)] for atom, begins in columns.items()}


def candidate_operands(
    matrix: SearchedMatrix, hint: int, kind: str | None, majors: tuple[str, ...], like: Operand | None
) -> Iterator[Operand]:
    """Yield the operands that descriptors can address and that most units agree with, to be verified.

    A stride that the matrix does not use or determine is ``like``'s, or fits contiguous atoms.
    """
    for major in majors:
        distinctive = distinctive_units(matrix, major, hint)
        for mode in modes(kind):
            if not exists(mode.name, major):
                continue
            grid = grid_of(mode, major)
            guesses = _guesses(matrix, mode, major, grid, like)
            for base in range(mode.phases):
                for fit in fitting_starts(distinctive, grid, unswizzle(mode, base * LINE), hint, guesses):
                    if 0 <= fit.start <= HIGHEST and not fit.start % UNIT:
                        yield operand_of_fit(matrix, mode, major, fit, base, like)


def absolute_candidates(matrix: SearchedMatrix, hint: int) -> Iterator[Operand]:
    """Yield operands of LBO mode absolute: packed e2m1 with K = 96, whose second part has its own address."""
    if matrix.dtype.storage != 4 or matrix.shape[1] != K_96:
        return
    # Each column of units separately; the pattern begins at multiples of its period.
    grid = AtomGrid(8, 1, LINE)
    votes = _votes(distinctive_units(matrix, "K", hint), grid, unswizzle(MODE["128B"]), hint)
    columns: dict[int, Votes] = {}
    for (down, across), begins in votes.items():
        columns.setdefault(across, {})[down, 0] = begins
    if not columns.get(0):
        return
    for sbo in _strides(votes, 0) or [8 * LINE]:
        starts = {
            across: _by_column(
                {(0, across): [begin - down * sbo for (down, _), begins in column.items() for begin in begins]}
            )
            for across, column in columns.items()
        }
        for start in starts[0][0, 0]:
            split = -(-(LINE - start % LINE) // UNIT)
            seconds = starts[split][0, split] if split in starts else [start - start % LINE + LINE]
            for second in seconds:
                # The second part counts K from the beginning of a line, at which LBO points.
                lbo = second - (start + split * UNIT) % LINE
                if 0 <= start <= HIGHEST and not start % UNIT and 0 <= lbo <= HIGHEST and not lbo % UNIT:
                    yield Operand("128B", "K", matrix.dtype, matrix.shape, start=start, lbo=lbo, sbo=sbo, absolute=True)


K_96 = 96
"""K of the instruction that LBO mode absolute is for."""


def _guesses(
    matrix: SearchedMatrix, mode: SwizzleMode, major: str, grid: AtomGrid, like: Operand | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the strides along lines and across them may be: as described, or of atoms back to back."""
    last = matrix.units(major)[-1]
    down, across, _ = grid.split(last)
    size = grid.lines * mode.width
    own = {like.lbo, like.sbo} if like is not None and like.major == major else set()
    lines, columns = {size, size * (across + 1), *own}, {size, size * (down + 1), *own}
    return tuple(sorted(lines)) if down else (), tuple(sorted(columns)) if across else ()


def operand_of_fit(
    matrix: SearchedMatrix, mode: SwizzleMode, major: str, fit: AtomStrides, base: int, like: Operand | None
) -> Operand:
    """Return the operand of a fit."""
    sizes = {}
    for stride in operand_strides(mode, major, matrix.dtype, matrix.shape):
        along_lines = stride.along != major
        size = fit.down if along_lines else fit.across
        if size is None and like is not None and (stride.used is False or like.major == major):
            size = like.lbo if stride.key == LBO else like.sbo
        if size is None:
            size = stride.idle if stride.used is False else stride.packed
        sizes[stride.key] = size
    return Operand(
        mode.name,
        major,
        matrix.dtype,
        matrix.shape,
        start=fit.start,
        lbo=sizes[LBO],
        sbo=sizes[SBO],
        base_offset=base,
    )


def effective_strides(operand: Operand) -> dict[str, bool]:
    """Whether LBO and SBO affect the place of an element of the operand."""
    if operand.absolute:
        crosses = operand.start % LINE + operand.shape[1] * operand.dtype.storage // 8 > LINE
        return {LBO: crosses, SBO: operand.shape[0] > 8}
    (by_line, by_group), (lines, elements) = operand.keys, operand.extents
    return {by_line: lines > operand.lines, by_group: elements > operand.group}


def neighbors(operand: Operand, kind: str | None) -> Iterator[Operand]:
    """Yield operands that differ in one property: the mode, major-ness, base offset, LBO or SBO.

    With another mode or major-ness the strides are the operand's, or fit contiguous atoms.
    """
    if operand.absolute:
        return
    for major in (operand.major, "MN" if operand.major == "K" else "K"):
        for mode in modes(kind):
            if not exists(mode.name, major) or (mode, major) == (operand.mode, operand.major):
                continue
            packed = {
                stride.key: stride.packed for stride in operand_strides(mode, major, operand.dtype, operand.shape)
            }
            sides = {(operand.lbo, operand.sbo), (packed[LBO], packed[SBO]), (operand.lbo, packed[SBO])}
            for lbo, sbo in sorted(sides, reverse=True):
                yield operand._replace(swizzle=mode.name, major=major, lbo=lbo, sbo=sbo, base_offset=0)
    for base in range(operand.mode.phases):
        if base != operand.base_offset % operand.mode.phases:
            yield operand._replace(base_offset=base)
    effective = effective_strides(operand)
    for factor in (0, 2):
        if effective[LBO]:
            yield operand._replace(lbo=factor * operand.lbo)
        if effective[SBO]:
            yield operand._replace(sbo=factor * operand.sbo)
