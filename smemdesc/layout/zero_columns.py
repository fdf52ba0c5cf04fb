"""Zero-column masks: a descriptor's mask, the descriptor of a mask, and the masks of a convolution.

A mask is an int with bit n for column n of the MMA; 1 replaces the whole column of B by zeros
(PTX ISA 9.1, 9.7.16.4.3). Runs of columns are pairs of their first and last column. ::

    expand(0x0203028301020100, m=32, n=64).zeroed   # ((0, 2), (7, 9), (14, 17), ...)
    find(0b0000111, m=128, n=64).value              # the descriptor with the smallest spans
    conv(q=255, m=128, n=128, tile=1, left=2, filter=3)[0].mask.zeroed  # ((127, 127),)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.kinds.mask import FEWEST_COLUMNS, MASK, MOST_COLUMNS, PARTS, WIDEST_SHIFT, WIDEST_SHIFT_M32
from smemdesc.reading.pasted import pasted_value
from smemdesc.reading.quantities import whole_number

Runs = tuple[tuple[int, int], ...]
"""Runs of columns, each with its first and its last column."""


class SubMask(NamedTuple):
    """The part of a mask of one start count and one first span."""

    number: int
    first: int
    """The first column."""
    last: int
    begins_zeroed: bool
    """The value of the first span."""
    start_count: int
    bits: int
    """Bit 0 for the column ``first``."""
    zeroed: Runs
    """Columns of the MMA, not of the sub-mask."""

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.last - self.first + 1


@shown(picture=True)
class ColumnMask(NamedTuple):
    """What a descriptor does to the columns of B in an MMA of M rows and N columns."""

    value: int
    """The descriptor."""
    m: int
    n: int
    bits: int
    """The mask: bit n for column n."""
    zeroed: Runs
    """The zeroed columns of all sub-masks; a run may go on in the next sub-mask."""
    sub_masks: tuple[SubMask, ...]
    generated: bool
    """Whether ``non_zero_mask`` is 1."""
    skip_span: int
    """Consecutive columns that are zeroed."""
    use_span: int
    """Consecutive columns that are used."""
    shift: int

    def __str__(self) -> str:
        return f"{self.hex}  M = {self.m}, N = {self.n}: {self.bits.bit_count()} of {self.n} columns zeroed"

    @property
    def hex(self) -> str:
        """The descriptor."""
        return f"0x{self.value:016x}"

    @property
    def columns(self) -> tuple[int, int]:
        """The first and the last column of B that is read: column c of the MMA reads column c + shift."""
        return self.shift, self.shift + self.n - 1

    @property
    def digits(self) -> int:
        """The hexadecimal digits of the mask."""
        return -(-self.n // 4)

    def to_dict(self) -> dict[str, Any]:
        """Return what it expands to, for JSON: ``mask`` has bit n for column n, runs have their first and last
        column."""
        return {
            "mask": f"0x{self.bits:0{self.digits}x}",
            "zeroed": [list(run) for run in self.zeroed],
            "sub_masks": [
                {
                    "columns": [sub.first, sub.last],
                    "mask": f"0x{sub.bits:0{max(1, -(-sub.width // 4))}x}",
                    "zeroed": [list(run) for run in sub.zeroed],
                }
                for sub in self.sub_masks
            ],
            "m": self.m,
            "n": self.n,
            "b_columns": list(self.columns),
        }


class NoDescriptorError(SmemdescError):
    """No descriptor gives the mask; ``column`` and ``sub_mask`` say where its pattern breaks."""

    def __init__(self, message: str, column: int, sub_mask: int, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.column = column
        self.sub_mask = sub_mask


def equal_runs(bits: int, first: int, width: int) -> Iterator[tuple[bool, int, int]]:
    """Yield (set, first, last) of the runs of equal bits among the lowest ``width``; bit 0 is column ``first``."""
    at = 0
    while at < width:
        value = bits >> at & 1
        rest = bits >> at if not value else ~(bits >> at)
        length = min((rest & -rest).bit_length() - 1 if rest else width, width - at)
        yield bool(value), first + at, first + at + length - 1
        at += length


def runs_of(bits: int, n: int) -> Runs:
    """Return the runs of columns that are 1 in a mask of ``n`` columns."""
    return tuple((first, last) for value, first, last in equal_runs(bits, 0, n) if value)


def columns_text(runs: Iterable[tuple[int, int]]) -> str:
    """Return runs as text: ``0-2, 7-9, 16``; ``none`` for no run."""
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs) or "none"


def columns_phrase(runs: Runs) -> str:
    """Return runs with their noun: ``column 7``, ``columns 0-2, 7``."""
    one = len(runs) == 1 and runs[0][0] == runs[0][1]
    return f"column{'' if one else 's'} {columns_text(runs)}"


def check_size(m: int, n: int) -> tuple[int, int]:
    """Return the number of sub-masks of M and their columns; :class:`SmemdescError` if there is no such mask."""
    if m not in PARTS:
        raise SmemdescError(f"M = {m}: no zero-column mask exists", hint="M is 32, 64 or 128, as in tcgen05.mma.ws")
    parts = PARTS[m]
    if not FEWEST_COLUMNS <= n <= MOST_COLUMNS:
        raise SmemdescError(f"N = {n}: a mask has {FEWEST_COLUMNS} to {MOST_COLUMNS} columns")
    return parts, n // parts


def whole_sub_masks(m: int, n: int) -> tuple[int, int]:
    """Return :func:`check_size`, for an N that is cut into sub-masks without a rest: no descriptor is made for others.

    (One from elsewhere is expanded for any N; a rule then finds what is wrong.)
    """
    parts, width = check_size(m, n)
    if n % parts:
        near = [total for total in (parts * width, parts * (width + 1)) if FEWEST_COLUMNS <= total <= MOST_COLUMNS]
        raise SmemdescError(
            f"N = {n} is not a multiple of {parts}: with M = {m} the mask has {parts} sub-masks of N/{parts} columns",
            hint=f"the nearest are {' and '.join(map(str, near))}",
        )
    return parts, width


def expand(value: int | str | Mapping[str, int], m: int, n: int) -> ColumnMask:
    """Return the mask of a descriptor: its bits, a pasted text, or its raw fields by key.

    A start count past the first span ends that span after one column. If ``n`` is not a multiple of the
    sub-masks, the columns after the last one are used (by the rules such an ``n`` is an error).
    """
    parts, width = check_size(m, n)
    bits = _descriptor(value)
    raw = dict(zip((row.key for row in MASK.rows), MASK.unpack(bits), strict=True))
    generated = bool(raw["non_zero_mask"])
    spans = raw["use_span"] + 1, raw["skip_span"] + 1
    subs = []
    mask = 0
    for i in range(parts):
        first, start = raw[f"first_span_{i}"], raw[f"start_count_{i}"]
        own = _pattern(first, start, spans, width) if generated else 0
        at = i * width
        zeroed = tuple((at + begin, at + end) for begin, end in runs_of(own, width))
        subs.append(SubMask(i, at, at + width - 1, bool(first), start, own, zeroed))
        mask |= own << at
    use, skip = spans
    return ColumnMask(bits, m, n, mask, runs_of(mask, n), tuple(subs), generated, skip, use, raw["column_shift"])


def _descriptor(value: int | str | Mapping[str, int]) -> int:
    if isinstance(value, Mapping):
        return MASK.pack(value)
    if isinstance(value, int):
        if not 0 <= value <= MASK.full:
            raise SmemdescError(f"{value:#x} does not fit the {MASK.width} bits of a mask descriptor")
        return value
    bits, known = pasted_value(value).at(MASK.width)
    if known != MASK.full:
        raise SmemdescError("not all bits of the descriptor are known", given=value, hint="a mask needs every bit")
    return bits


def _pattern(value: int, start: int, spans: tuple[int, int], width: int) -> int:
    bits = at = 0
    length = max(1, spans[value] - start)
    while at < width:
        length = min(length, width - at)
        bits |= value * ones(length) << at
        at += length
        value = 1 - value
        length = spans[value]
    return bits


class _SpanLength(NamedTuple):
    """What the runs seen so far say about a span: its length, or (``exact`` false) what it is at least."""

    length: int
    exact: bool
    run: tuple[int, int]
    sub_mask: int


def find_mask(mask: int, m: int, n: int, *, shift: int = 0) -> ColumnMask:
    """Return the descriptor with exactly this mask and the smallest spans.

    No column zeroed gives ``non_zero_mask`` 0. :class:`NoDescriptorError` says where the pattern breaks. ``n`` is a
    multiple of the sub-masks.

    Every run between two others has the length of its span; the first and the last run of a sub-mask are
    at most that long. A descriptor can express nothing else, so no search is needed: start counts past
    the first span have the same effect as the last one within it.
    """
    parts, width = whole_sub_masks(m, n)
    if mask < 0 or mask >> n:
        column = mask.bit_length() - 1
        raise SmemdescError(f"the mask has column {column}, N = {n} has columns 0-{n - 1}")
    if not 0 <= shift <= widest_shift(m):
        raise SmemdescError(f"column shift {shift}: with M = {m} it is 0 to {widest_shift(m)}", keyword="shift")
    if not mask:
        return expand({"column_shift": shift, "non_zero_mask": 0}, m, n)
    sub_masks: list[list[tuple[bool, int, int]]] = []
    spans: dict[bool, _SpanLength] = {}
    for i in range(parts):
        runs = list(equal_runs(mask >> i * width & ones(width), i * width, width))
        sub_masks.append(runs)
        for place, (zeroed, first, last) in enumerate(runs):
            whole = 0 < place < len(runs) - 1
            spans[zeroed] = _narrow_span(
                spans.get(zeroed), zeroed, _SpanLength(last - first + 1, whole, (first, last), i)
            )
    sizes = {zeroed: spans[zeroed].length if zeroed in spans else 1 for zeroed in (False, True)}
    raws = {
        "non_zero_mask": 1,
        "skip_span": sizes[True] - 1,
        "use_span": sizes[False] - 1,
        "column_shift": shift,
    }
    for i, runs in enumerate(sub_masks):
        zeroed, first, last = runs[0]
        raws[f"first_span_{i}"] = int(zeroed)
        raws[f"start_count_{i}"] = sizes[zeroed] - (last - first + 1) if len(runs) > 1 else 0
    return expand(raws, m, n)


_HINT = "all complete runs of a kind have the same length; the first and last run of a sub-mask may be shorter"


def _narrow_span(seen: _SpanLength | None, zeroed: bool, new: _SpanLength) -> _SpanLength:
    """Return what is known of a span after one more run; :class:`NoDescriptorError` if it contradicts the others."""
    if seen is None:
        return new
    if new.length > seen.length and seen.exact:
        column = new.run[0] + seen.length
    elif new.length < seen.length and new.exact:
        column = new.run[1] + 1
    else:
        return new if new.length > seen.length or (new.exact and not seen.exact) else seen
    kind, span = ("zeroed", "skip span") if zeroed else ("used", "use span")
    are = "is" if seen.exact else "is at least"
    raise NoDescriptorError(
        f"no descriptor has this mask: the pattern breaks at column {column} (sub-mask {new.sub_mask}); the {span} "
        f"{are} {seen.length} by the {kind} columns {columns_text([seen.run])} (sub-mask {seen.sub_mask}), "
        f"but the {kind} columns {columns_text([new.run])} are {new.length}",
        column,
        new.sub_mask,
        _HINT,
    )


def widest_shift(m: int) -> int:
    """Return the largest column shift that M allows."""
    return WIDEST_SHIFT_M32 if m == 32 else WIDEST_SHIFT


class Comparison(NamedTuple):
    """A given descriptor compared with the padding of a filter column."""

    other: ColumnMask
    unmasked: Runs
    """Columns that are padding and that it does not zero."""
    overmasked: Runs
    """Columns that are data and that it zeroes."""

    @property
    def same(self) -> bool:
        """Whether it zeroes exactly the padding."""
        return not self.unmasked and not self.overmasked

    @property
    def differs(self) -> Runs:
        """The columns that differ, padding and data."""
        return tuple(sorted((*self.unmasked, *self.overmasked)))


@shown(picture=True)
class FilterColumn(NamedTuple):
    """One column s of a convolution's filter over one tile of output pixels."""

    s: int
    padding: int
    """The columns whose input lies in the padding, bit n for column n: worked out, not expanded."""
    mask: ColumnMask
    """The descriptor, expanded; its column shift is ``s``."""

    def __str__(self) -> str:
        return f"s = {self.s}: {self.mask}"

    @property
    def agrees(self) -> bool:
        """Whether the descriptor zeroes exactly the padding."""
        return self.mask.bits == self.padding

    def compare(self, value: int | str) -> Comparison:
        """Compare another descriptor with the padding of this filter column."""
        mask = expand(value, self.mask.m, self.mask.n)
        n = self.mask.n
        return Comparison(mask, runs_of(self.padding & ~mask.bits, n), runs_of(mask.bits & ~self.padding, n))


def column_masks(q: int, m: int, n: int, tile: int, left: int, filter: int) -> tuple[FilterColumn, ...]:
    """Return the masks of a tile of a convolution, one for each column of the filter.

    Stride 1, rows of ``q`` output and as many input pixels, ``left`` pixels of padding on their left.
    The columns of B are the pixels of all rows, row by row: tile I is pixels I * N to
    I * N + N - 1, loaded ``left`` pixels earlier, and filter column s reads them shifted by s. So column c
    reads the pixel ``(I * N + c) % q + s - left`` of its row, and if that is outside the row, shared
    memory has a pixel of the previous or next row: padding, which the mask has to zero. (The case that
    CUTLASS's ``make_column_zero_mask`` is for.)
    """
    for name, number, least in (("q", q, 1), ("tile", tile, 0), ("left", left, 0), ("filter", filter, 1)):
        if number < least:
            raise SmemdescError(f"{name} = {number}: it must be at least {least}")
    whole_sub_masks(m, n)
    if filter - 1 > widest_shift(m):
        raise SmemdescError(
            f"filter = {filter}: its last column needs a column shift of {filter - 1}, but with M = {m} the largest is "
            f"{widest_shift(m)}"
        )
    columns = []
    for s in range(filter):
        padding = 0
        for column in range(n):
            if not 0 <= (tile * n + column) % q + s - left < q:
                padding |= 1 << column
        columns.append(FilterColumn(s, padding, find_mask(padding, m, n, shift=s)))
    return tuple(columns)


def row_starts(q: int, n: int, tile: int) -> tuple[int, ...]:
    """Return the columns of a tile where a row of output pixels begins."""
    return tuple(range(-tile * n % q, n, q))


def parse_columns(text: str, n: int) -> int:
    """Read columns as in ``0-2,7-9,16`` (or ``none``) as a mask of ``n`` columns."""
    mask = 0
    if text.strip().lower() == "none":
        return mask
    at = 0
    for part in text.split(","):
        span = at + len(part) - len(part.lstrip()), at + len(part.rstrip())
        at += len(part) + 1
        first, dash, last = (end.strip() for end in part.partition("-"))
        ends = [first, last] if dash else [first, first]
        if not all(end.isascii() and end.isdigit() for end in ends):
            raise SmemdescError(
                f"{part.strip()!r} is not a column", given=text, span=span, hint="write columns and runs: 0-2,7-9,16"
            )
        low, high = (int(end[:9]) for end in ends)
        if high < low:
            raise SmemdescError(f"{part.strip()} is reversed", given=text, span=span, hint=f"write {high}-{low}")
        if high >= n:
            raise SmemdescError(
                f"there is no column {high} with N = {n}", given=text, span=span, hint=f"columns are 0 to {n - 1}"
            )
        mask |= ones(high - low + 1) << low
    return mask


def parse_mask(text: str, n: int) -> int:
    """Read a mask of ``n`` columns: ``0x...``, or ``0b...`` with blanks between the runs; bit n for column n."""
    mask = whole_number("".join(text.split()))
    if mask is None or mask < 0:
        raise SmemdescError(
            "not a mask", given=text, span=(0, len(text)), hint="write 0x... or 0b..., bit n for column n"
        )
    if mask >> n:
        raise SmemdescError(
            f"the mask has {mask.bit_length()} bits, N = {n} has columns 0 to {n - 1}",
            given=text,
            span=(0, len(text)),
            hint="bit n stands for column n",
        )
    return mask
