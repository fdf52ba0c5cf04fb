"""Layouts that a matrix may have in memory, solved for and not enumerated.

Under each swizzle mode, base offset and major-ness the swizzle is undone at every address where memory holds a unit
of the matrix. Where the units of one atom say the same beginning of it, that is where it lies; the start address, LBO
and SBO are differences of such beginnings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from heapq import nsmallest
from typing import NamedTuple

from smemdesc.kinds.addresses import HIGHEST, LINE
from smemdesc.kinds.modes import MODE, Mode, modes
from smemdesc.layout.agreement import Grid, Matrix, Unit, grid_of, meant, nearest
from smemdesc.layout.atom import exists
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.operand import UNIT, Operand, moves
from smemdesc.layout.strides import LBO, SBO, UNUSED

PLACES = 16
"""Places of one unit that are looked at."""
MOST = 8
"""Beginnings of an atom, and starts, that are as likely as each other."""
_FEW = 3
_ENOUGH = 0.2
"""Share of the units that has to say the same, for a layout to be tried."""


class Fit(NamedTuple):
    """A start, and the strides between atoms, in bytes; None where there is a single one."""

    start: int
    down: int | None
    across: int | None


class Linear(NamedTuple):
    """From an address to the one before the swizzle: what to add, by its place in the pattern."""

    deltas: tuple[int, ...]
    """As :func:`smemdesc.layout.operand.moves`."""

    def __call__(self, address: int) -> int:
        return address + self.deltas[address // UNIT % len(self.deltas)]


Votes = dict[tuple[int, int], list[int]]


@cache
def unswizzle(mode: Mode, phase: int = 0) -> Linear:
    """Return what undoes the swizzle of a mode whose pattern begins at ``phase``; it is its own inverse."""
    if phase % LINE == 0:
        return Linear(moves(mode, phase))
    swizzle = Swizzle(*mode.swizzle)
    return Linear(tuple(swizzle(unit - phase) + phase - unit for unit in range(0, mode.period, UNIT)))


def telling(matrix: Matrix, major: str, hint: int) -> list[tuple[Unit, list[int]]]:
    """Return the units by which a layout can be told, with where memory holds them: those that it holds seldom."""
    every = [(unit, places) for unit in matrix.units(major) if (places := matrix.places(unit))]
    seldom = [each for each in every if len(each[1]) <= PLACES]
    if 8 * len(seldom) >= len(every):
        return seldom
    return [(unit, nearest(places, hint, PLACES)) for unit, places in every]


def _votes(told: list[tuple[Unit, list[int]]], grid: Grid, linear: Linear, hint: int) -> Votes:
    """Where each atom begins by most of its units; several where they do not decide. Empty where few agree."""
    begins: dict[tuple[int, int], list[int]] = {}
    deltas, period = linear.deltas, len(linear.deltas)
    for unit, places in told:
        down, across, offset = grid.split(unit)
        begins.setdefault((down, across), []).extend(
            # Written out: this is asked most often of all.
            [place + deltas[place // UNIT % period] - offset for place in places]
        )
    counts = {atom: Counter(each) for atom, each in begins.items()}
    most = {atom: max(counter.values()) for atom, counter in counts.items()}
    if sum(most.values()) < _ENOUGH * len(told):
        return {}
    found: Votes = {}
    for atom, counter in counts.items():
        ties = [(begin, count) for begin, count in counter.items() if 2 * count > most[atom]]
        ranks = [(-count, abs(begin - hint), number) for number, (begin, count) in enumerate(ties)]
        found[atom] = [ties[number][0] for _, _, number in nsmallest(MOST, ranks)]
    return found


def _strides(votes: Votes, axis: int) -> list[int]:
    """Return the bytes between neighboring atoms along an axis that most of them say, the likeliest first."""
    sizes: list[int] = []
    for atom, begins in votes.items():
        for steps in (1, 2):
            other = votes.get((atom[0] + steps, atom[1]) if axis == 0 else (atom[0], atom[1] + steps))
            if other is not None:
                sizes += [
                    size // steps
                    for begin in begins
                    for there in other
                    if 0 <= (size := there - begin) <= steps * HIGHEST and not size % steps
                ]
    return [size for _, size in nsmallest(_FEW, ((-count, size) for size, count in Counter(sizes).items()))]


def fits(
    told: list[tuple[Unit, list[int]]],
    grid: Grid,
    linear: Linear,
    hint: int,
    guesses: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
) -> Iterator[Fit]:
    """Yield the starts and strides by which most units lie where memory holds them, the likeliest first.

    ``guesses`` of both strides are for matrices of which few units can be told, as a diagonal: those atoms that no
    unit tells of lie by one of them. None where there is a single atom.
    """
    votes = _votes(told, grid, linear, hint)
    if not votes:
        return
    several = [len({atom[axis] for atom in votes}) > 1 for axis in (0, 1)]
    repeat = any(len(begins) > 1 for begins in votes.values())

    def tried(axis: int, found: list[int]) -> list[int | None]:
        if repeat or not found:
            found = list(dict.fromkeys([*found, *guesses[axis]]))
        if several[axis]:
            return [*found] or [None]
        return [None, *guesses[axis]]

    across = _strides(votes, 1)
    for down in tried(0, _strides(votes, 0)):
        # Without the steps along lines, atoms that are not in one line of atoms can be compared, too.
        level = {atom: [begin - atom[0] * (down or 0) for begin in begins] for atom, begins in votes.items()}
        for stride in tried(1, across or _strides(_leveled(level), 1)):
            counter = Counter([begin - atom[1] * (stride or 0) for atom, begins in level.items() for begin in begins])
            most = max(counter.values())
            starts = [start for start, count in counter.items() if 2 * count >= most]
            for start in sorted(starts, key=lambda start: (-counter[start], abs(start - hint)))[:MOST]:
                yield Fit(start, down, stride)


def _leveled(level: Votes) -> Votes:
    """Put the beginnings of all atoms of a column into one."""
    found: Votes = {}
    for atom, begins in level.items():
        found.setdefault((0, atom[1]), []).extend(begins)
    return {atom: [begin for begin, _ in Counter(begins).most_common(_FEW)] for atom, begins in found.items()}


def operands(
    matrix: Matrix, hint: int, kind: str | None, majors: tuple[str, ...], like: Operand | None
) -> Iterator[Operand]:
    """Yield the operands that descriptors can address and that most units agree with, to be verified.

    A stride that the matrix does not use, or does not tell, is that of ``like``, or of atoms back to back.
    """
    for major in majors:
        told = telling(matrix, major, hint)
        for mode in modes(kind):
            if not exists(mode.name, major):
                continue
            grid = grid_of(mode, major)
            guesses = _guesses(matrix, mode, major, grid, like)
            for base in range(mode.phases):
                for fit in fits(told, grid, unswizzle(mode, base * LINE), hint, guesses):
                    if 0 <= fit.start <= HIGHEST and not fit.start % UNIT:
                        yield made(matrix, mode, major, fit, base, like)


def absolutes(matrix: Matrix, hint: int, like: Operand) -> Iterator[Operand]:
    """Yield operands of LBO mode absolute: packed e2m1 with K = 96, whose second part lies at an address of its own."""
    if matrix.dtype.storage != 4 or matrix.shape[1] != K_96:
        return
    # Each column of units by itself; the pattern begins at multiples of its period.
    grid = Grid(8, 1, LINE)
    votes = _votes(telling(matrix, "K", hint), grid, unswizzle(MODE["128B"]), hint)
    columns: dict[int, Votes] = {}
    for (down, across), begins in votes.items():
        columns.setdefault(across, {})[down, 0] = begins
    if not columns.get(0):
        return
    for sbo in _strides(votes, 0) or [8 * LINE]:
        starts = {
            across: _leveled(
                {(0, across): [begin - down * sbo for (down, _), begins in each.items() for begin in begins]}
            )
            for across, each in columns.items()
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
    matrix: Matrix, mode: Mode, major: str, grid: Grid, like: Operand | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the strides along lines and across them may be: as described, or of atoms back to back."""
    last = matrix.units(major)[-1]
    down, across, _ = grid.split(last)
    size = grid.lines * mode.width
    own = {like.lbo, like.sbo} if like is not None and like.major == major else set()
    lines, columns = {size, size * (across + 1), *own}, {size, size * (down + 1), *own}
    return tuple(sorted(lines)) if down else (), tuple(sorted(columns)) if across else ()


def made(matrix: Matrix, mode: Mode, major: str, fit: Fit, base: int, like: Operand | None) -> Operand:
    """Return the operand of a fit."""
    sizes = {}
    for stride in meant(mode, major, matrix.dtype, matrix.shape):
        along_lines = stride.along != major
        told = fit.down if along_lines else fit.across
        if told is None and like is not None and (stride.used is False or like.major == major):
            told = like.lbo if stride.key == LBO else like.sbo
        if told is None:
            idle = stride.used is False and stride.key == LBO and major == "K" and mode.name != "none"
            told = UNUSED if idle else stride.packed
        sizes[stride.key] = told
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


def used(operand: Operand) -> dict[str, bool]:
    """Whether LBO and SBO decide where an element of the operand lies."""
    if operand.absolute:
        crosses = operand.start % LINE + operand.shape[1] * operand.dtype.storage // 8 > LINE
        return {LBO: crosses, SBO: operand.shape[0] > 8}
    both = meant(operand.mode, operand.major, operand.dtype, operand.shape)
    return {stride.key: stride.used is not False for stride in both}


def neighbors(operand: Operand, kind: str | None) -> Iterator[Operand]:
    """Yield what differs from an operand in one thing: the mode, major-ness, base offset, LBO or SBO.

    With another mode or major-ness the strides are the operand's own, and those of atoms back to back.
    """
    if operand.absolute:
        return
    shaped = {"dtype": operand.dtype, "shape": operand.shape}

    def other(swizzle: str, major: str, lbo: int, sbo: int, base: int = 0) -> Operand:
        return Operand(swizzle, major, **shaped, start=operand.start, lbo=lbo, sbo=sbo, base_offset=base)  # type: ignore[arg-type]

    own = operand.mode.name
    for major in (operand.major, "MN" if operand.major == "K" else "K"):
        for mode in modes(kind):
            if not exists(mode.name, major) or (mode.name, major) == (own, operand.major):
                continue
            packed = {stride.key: stride.packed for stride in meant(mode, major, operand.dtype, operand.shape)}
            sides = {(operand.lbo, operand.sbo), (packed[LBO], packed[SBO]), (operand.lbo, packed[SBO])}
            for lbo, sbo in sorted(sides, reverse=True):
                yield other(mode.name, major, lbo, sbo)
    for base in range(operand.mode.phases):
        if base != operand.base_offset % operand.mode.phases:
            yield other(own, operand.major, operand.lbo, operand.sbo, base)
    effective = used(operand)
    for factor in (0, 2):
        if effective[LBO]:
            yield other(own, operand.major, factor * operand.lbo, operand.sbo, operand.base_offset)
        if effective[SBO]:
            yield other(own, operand.major, operand.lbo, factor * operand.sbo, operand.base_offset)
