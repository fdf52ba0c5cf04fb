"""Ways of writing a matrix that no descriptor reads, mistakes in a kernel, and how to recognize them.

Rows without a swizzle or with padding, a pattern that begins at the tile, chunks in another order, a matrix moved by
some elements, another element type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import eq
from typing import Any, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import LINE
from smemdesc.kinds.elements import F32, S32, bits_of, read_bits, value_of
from smemdesc.kinds.modes import MODES
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType
from smemdesc.layout.elements import elements
from smemdesc.layout.matching import (
    AtomGrid,
    AtomStrides,
    MatchCount,
    MatrixUnit,
    SearchedMatrix,
    SwizzleInverse,
    candidate_operands,
    distinctive_units,
    fitting_starts,
    grid_of,
    unswizzle,
)
from smemdesc.layout.operand import UNIT, Operand

PITCH, PATTERN, CHUNKS, MOVED, ROWS, TYPE = "pitch", "pattern", "chunks", "moved", "rows", "type"
"""The kinds of write errors, as JSON names them."""


class WriteError(NamedTuple):
    """How a matrix was written in a way that no descriptor reads; numbers in bytes, None if the kind has none."""

    how: str
    agree: int
    units: int
    major: str = "K"
    swizzle: str = "none"
    start: int | None = None
    pitch: int | None = None
    """Bytes from line to line (row of K-major, k of MN-major)."""
    across: int | None = None
    """Bytes from one block of ``columns`` units to the next, where there are several."""
    columns: int | None = None
    """Contiguous 16-byte units of a line."""
    order: tuple[tuple[int, ...], ...] = ()
    """Of ``chunks``: for each of 8 lines the chunk that each chunk of it lies at."""
    move: tuple[int, int] = (0, 0)
    """Of ``moved``: element (mn, k) is where (mn, k) plus this should be; what leaves at one end is at the other."""
    lines: tuple[tuple[int, int], ...] = ()
    """Of ``rows``: the rows that are moved along K, each with how far."""
    dtype: DType | None = None
    """Of ``type``: the type that memory holds."""
    operand: Operand | None = None
    """Of ``type``: where."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "how": self.how,
            "major": self.major,
            "swizzle": self.swizzle,
            "start": self.start,
            "pitch": self.pitch,
            "order": [list(row) for row in self.order] or None,
            "move": {"mn": self.move[0], "k": self.move[1]} if any(self.move) else None,
            "rows": [{"mn": mn, "k": k} for mn, k in self.lines] or None,
            "dtype": self.dtype.name if self.dtype else None,
            "layout": self.operand.field_dict() if self.operand else None,
        }


def write_errors(
    matrix: SearchedMatrix, hint: int, described: Operand | None, majors: tuple[str, ...], *, mostly: bool
) -> Iterator[WriteError]:
    """Yield the write errors that explain a part of the matrix, verified on every element, the likeliest first.

    ``mostly``: a layout explains most of it already, and only moved elements can explain the rest.
    """
    if mostly:
        if described is not None:
            yield from _shifts(matrix, described)
        return
    distinctive = {major: seen for major in majors if (seen := distinctive_units(matrix, major, hint))}
    for major, seen in distinctive.items():
        yield from _pitches(matrix, major, seen, hint)
    if described is not None:
        yield from _shifts(matrix, described)
    for major, seen in distinctive.items():
        yield from _pattern(matrix, major, seen, hint)
        yield from _chunks(matrix, major, seen)
    for major in majors:
        yield from _unaligned_pitches(matrix, major)
    yield from _types(matrix, hint, majors)


def _pitches(
    matrix: SearchedMatrix, major: str, distinctive: list[tuple[MatrixUnit, list[int]]], hint: int
) -> Iterator[WriteError]:
    """Yield lines of any pitch: row-major data as a kernel without a swizzle writes them, or with padding."""
    columns = max(unit.column for unit in matrix.units(major)) + 1
    for mode in MODES:
        linear = unswizzle(mode)
        for wide in sorted({columns, *(pitch for pitch in (8, 4, 2) if pitch < columns)}, reverse=True):
            # Every line is an atom of its own: its pitch is the stride between atoms.
            grid = AtomGrid(1, wide, 0)
            for fit in _few(fitting_starts(distinctive, grid, linear, hint)):
                if not fit.down:
                    continue
                agreement = _agreement(matrix, major, fit, grid, linear)
                across = fit.across if wide < columns else None
                yield WriteError(PITCH, *_counts(agreement), major, mode.name, fit.start, fit.down, across, wide)


def _few(likely: Iterator[AtomStrides]) -> Iterator[AtomStrides]:
    return (fit for fit, _ in zip(likely, range(4), strict=False))


def _agreement(
    matrix: SearchedMatrix, major: str, fit: AtomStrides, grid: AtomGrid, linear: SwizzleInverse
) -> MatchCount:
    """Compare the matrix with atoms of a grid; the inverse of a swizzle is the swizzle."""
    addresses = []
    for unit in matrix.units(major):
        down, across, offset = grid.split(unit)
        addresses.append(linear(fit.start + down * (fit.down or 0) + across * (fit.across or 0) + offset))
    return matrix.agreement(major, addresses)


def _counts(agreement: MatchCount) -> tuple[int, int]:
    return agreement.elements, agreement.units


def _pattern(
    matrix: SearchedMatrix, major: str, distinctive: list[tuple[MatrixUnit, list[int]]], hint: int
) -> Iterator[WriteError]:
    """Yield swizzles of offsets in a tile, which does not begin at a multiple of 128 bytes."""
    for mode in MODES:
        grid = grid_of(mode, major)
        if mode.name == "none" or (mode.wide and major == "K"):
            continue
        for phase in range(UNIT, mode.period, UNIT):
            if phase % LINE == 0:
                continue  # a base offset expresses it
            linear = unswizzle(mode, phase)
            for fit in _few(fitting_starts(distinctive, grid, linear, hint)):
                if (fit.start - phase) % mode.period:
                    continue  # a pattern begins at the tile, or somebody means something else
                agreement = _agreement(matrix, major, fit, grid, linear)
                yield WriteError(PATTERN, *_counts(agreement), major, mode.name, fit.start, mode.width)


def _chunks(
    matrix: SearchedMatrix, major: str, distinctive: list[tuple[MatrixUnit, list[int]]]
) -> Iterator[WriteError]:
    """Yield lines where they belong with their chunks in an order of their own that repeats every 8 lines."""
    for width in sorted({mode.width for mode in MODES if mode.name != "none"}, reverse=True):
        wide = width // UNIT
        orders: dict[tuple[int, int], Counter[int]] = {}
        # The line that contains a unit, in any of its chunks.
        blocks: dict[tuple[int, int], Counter[int]] = {}
        for unit, places in distinctive:
            block = unit.line, unit.column // wide
            for place in places:
                blocks.setdefault(block, Counter())[place // width] += 1
        lines = {block: counter.most_common(1)[0][0] for block, counter in blocks.items()}
        for unit, places in distinctive:
            line = lines[unit.line, unit.column // wide]
            for place in places:
                if place // width == line:
                    orders.setdefault((unit.line % 8, unit.column % wide), Counter())[place % width // UNIT] += 1
        if len(orders) < min(8, 1 + max(unit.line for unit, _ in distinctive)) * wide:
            continue
        order = {key: counter.most_common(1)[0][0] for key, counter in orders.items()}
        table = tuple(tuple(order[line, column] for column in range(wide)) for line in range(len(orders) // wide))
        if any(sorted(row) != list(range(wide)) for row in table):
            continue
        addresses = [
            lines.get((unit.line, unit.column // wide), 0) * width + table[unit.line % 8][unit.column % wide] * UNIT
            for unit in matrix.units(major)
        ]
        agreement = matrix.agreement(major, addresses)
        start = min(lines.values()) * width
        yield WriteError(CHUNKS, *_counts(agreement), major, start=start, pitch=width, columns=wide, order=table)


def _unaligned_pitches(matrix: SearchedMatrix, major: str) -> Iterator[WriteError]:
    """Yield lines of a pitch that is not a multiple of 16 bytes: padding by a few elements."""
    if matrix.dtype.bits != matrix.dtype.storage:
        return
    lines = matrix.rows if major == "K" else list(zip(*matrix.rows, strict=True))
    size = len(lines[0]) * matrix.dtype.bits
    if size % 8 or len(lines) < 3:
        return
    data = matrix.memory.data
    raw = [_bytes(line, matrix.dtype) for line in lines]
    first, second, third = (data.find(part) for part in raw[:3])
    pitch = second - first
    if min(first, second, third) < 0 or pitch <= 0 or third - second != pitch:
        return
    there = [data[first + number * pitch :][: len(line)] == line for number, line in enumerate(raw)]
    columns = -(-len(lines[0]) // matrix.per_unit)
    start = matrix.memory.first + first
    yield WriteError(
        PITCH, sum(there) * len(lines[0]), sum(there) * columns, major, "none", start, pitch, None, columns
    )


def _bytes(line: Sequence[int], dtype: DType) -> bytes:
    packed = 0
    for element in reversed(line):
        packed = packed << dtype.bits | element
    return packed.to_bytes(len(line) * dtype.bits // 8, "little")


def _shifts(matrix: SearchedMatrix, described: Operand) -> Iterator[WriteError]:
    """Yield the whole matrix, or some rows of it, moved by some elements."""
    stored = elements(described, matrix.memory)
    rows, columns = matrix.shape
    read, common = read_bits(matrix.dtype), matrix.common
    rare = [(mn, k) for mn in range(rows) for k in range(columns) if matrix.rows[mn][k] != common]
    if not rare:
        return

    there = [[None if element is None else element & read for element in row] for row in stored]

    def agree(places: Sequence[tuple[int, int]], down: int, along: int) -> int:
        return sum(there[(mn + down) % rows][(k + along) % columns] == matrix.rows[mn][k] & read for mn, k in places)

    sample = rare[:: max(1, len(rare) // _SAMPLE)]
    best = 0, (0, 0)
    for move in (*((0, along) for along in range(1, columns)), *((down, 0) for down in range(1, rows))):
        if agree(sample[::4], *move) and 4 * agree(sample, *move) >= len(sample):
            best = max(best, (agree(rare, *move), move))
    if best[0]:
        count, (down, along) = best
        every = agree([(mn, k) for mn in range(rows) for k in range(columns)], down, along)
        move = (down if 2 * down <= rows else down - rows), (along if 2 * along <= columns else along - columns)
        yield WriteError(MOVED, every, count // matrix.per_unit, described.major, move=move)
    yield from _row_shifts(matrix, described, stored)


_SAMPLE = 48


def _row_shifts(matrix: SearchedMatrix, described: Operand, stored: list[list[int | None]]) -> Iterator[WriteError]:
    """Yield the error whose rows are each moved along K by a different amount."""
    columns, read = matrix.shape[1], read_bits(matrix.dtype)
    lines = []
    agree = rare = 0
    for number, (there, row) in enumerate(zip(stored, matrix.rows, strict=True)):
        if None in there:
            continue
        first = [element & read for element in there if element is not None]
        expected = [element & read for element in row]
        # Found by an element that few of the row are.
        at = min(range(columns), key=lambda k: (expected.count(expected[k]), abs(2 * k - columns)))
        best = sum(map(eq, first, expected)), 0
        if best[0] < columns:
            for along in range(1, columns):
                if first[(at + along) % columns] == expected[at]:
                    count = sum(map(eq, first[along:] + first[:along], expected))
                    best = max(best, (count, along if 2 * along <= columns else along - columns))
        agree += best[0]
        rare += best[0] - sum(element == matrix.common for element in row)
        if best[1]:
            lines.append((number, best[1]))
    if lines:
        yield WriteError(ROWS, agree, max(rare, 0) // matrix.per_unit, described.major, lines=tuple(lines))


def _types(matrix: SearchedMatrix, hint: int, majors: tuple[str, ...]) -> Iterator[WriteError]:
    """Yield the same numbers written as another type."""
    for dtype in (F32, *DTYPES, PACKED_E2M1, S32):
        if (dtype.name, dtype.storage) == (matrix.dtype.name, matrix.dtype.storage):
            continue
        try:
            if not _likely(matrix, dtype, SearchedMatrix(dtype, [[0]], matrix.memory, index=matrix.index)):
                continue
            rows = _convert(matrix.rows, matrix.dtype, dtype)
        except SmemdescError:  # b1 holds no other number than 0 and 1
            continue
        converted = SearchedMatrix(dtype, rows, matrix.memory, index=matrix.index)
        best: WriteError | None = None
        for operand in candidate_operands(converted, hint, None, majors, None):
            agreement = converted.compare(operand)
            way = WriteError(TYPE, *_counts(agreement), operand.major, dtype=dtype, operand=operand)
            best = way if best is None or way.agree > best.agree else best
        for major in majors:
            for way in _pitches(converted, major, distinctive_units(converted, major, hint), hint):
                if best is None or way.agree > best.agree:
                    best = way._replace(how=TYPE, dtype=dtype)
        if best is not None:
            # Of the same elements the matrix's own type has more units, or fewer.
            yield best._replace(units=best.units * converted.per_unit // matrix.per_unit)


def _convert(rows: Sequence[Sequence[int]], dtype: DType, target: DType) -> list[list[int]]:
    converted: dict[int, int] = {}
    for row in rows:
        for element in row:
            if element not in converted:
                converted[element] = bits_of(target, value_of(dtype, element))
    return [[converted[element] for element in row] for row in rows]


def _likely(matrix: SearchedMatrix, dtype: DType, converted: SearchedMatrix) -> bool:
    """Whether memory holds some runs of the matrix in another type, along MN or along K; ``other`` is its index."""
    rows, columns = matrix.shape
    per_unit = converted.per_unit
    matched = tried = 0
    for mn in range(0, rows, max(1, rows // 5)):
        for k in range(0, columns, max(1, columns // 5)):
            first_k, first_mn = k - k % per_unit, mn - mn % per_unit
            runs = []
            if first_k + per_unit <= columns:
                runs.append(matrix.rows[mn][first_k : first_k + per_unit])
            if first_mn + per_unit <= rows:
                runs.append([matrix.rows[row][k] for row in range(first_mn, first_mn + per_unit)])
            for run in runs:
                if len(set(run)) > 1:
                    tried += 1
                    (line,) = _convert([run], matrix.dtype, dtype)
                    matched += bool(converted.places(converted.unit(line)))
    return tried > 0 and 3 * matched >= tried
