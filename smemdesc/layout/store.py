"""Where a thread writes an element of a tile in shared memory, and the bank conflicts of a warp that writes it.

A tile is whole swizzle atoms. With ``c`` the contiguous coordinate (k if K-major) and ``r`` the other one, an atom of
``lines`` rows of ``width`` bytes, and elements of ``b`` bytes::

    byte = stride_r (r div lines) + width (r mod lines)
         + stride_c (b c div width) + (b c mod width xor (r mod lines) div (128 / width) 2^M)

``M`` is that of the mode's Swizzle<B,M,S>; without swizzle nothing is XORed. The tile begins where the pattern does.

Of 16 bytes for each thread, a quarter-warp moves 128 bytes: all 32 banks. It takes one wavefront if its 8 threads are
in 8 chunks of the banks, else as many as threads are in one chunk. The same holds for the rows of a matrix of stmatrix
and ldmatrix, whose addresses the 8 threads of a quarter-warp give.

Sources: the address formula (:mod:`smemdesc.layout.operand`) and the wavefronts, measured on an H200; PTX ISA
9.1, 9.7.14.5.15 and .16 (ldmatrix, stmatrix).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DType
from smemdesc.layout.atom import CHUNKS, AtomTiling
from smemdesc.layout.formula import formula_term
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.operand import CONTAINER, LINE, UNIT, Operand

WARP = 32
QUARTER = 8
"""Threads whose 16 bytes each make one wavefront of 128 bytes."""
MOST_THREADS = 1024
STORE_SOURCE = "wavefronts and, for wgmma, bytes measured on an H200; for tcgen05 assumed to be the same"


class ThreadLayout(NamedTuple):
    """An assignment of 16-byte units to threads: the layout from (row, unit) to the thread, and its name."""

    name: str
    layout: Mode

    @property
    def extent(self) -> tuple[int, int]:
        """Rows and units of one access."""
        rows, units = (mode.size for mode in self.layout.modes)
        return rows, units

    def threads(self) -> dict[int, tuple[int, int]]:
        """Return the row and the unit of each thread.

        :class:`SmemdescError` if the layout is none of threads: not two modes, or a thread with several units.
        """
        if len(self.layout.parts) != 2:
            raise SmemdescError(
                f"{self.layout} has not two modes", hint="write rows and 16-byte units, as in (4,8):(8,1)"
            )
        rows, units = self.extent
        if rows * units > MOST_THREADS:
            raise SmemdescError(f"{self.layout} has {rows * units} threads", hint=f"a CTA has at most {MOST_THREADS}")
        found: dict[int, tuple[int, int]] = {}
        for row in range(rows):
            for unit in range(units):
                thread = self.layout(row, unit)
                if thread in found or not 0 <= thread < MOST_THREADS:
                    what = "has several units" if thread in found else "does not exist"
                    raise SmemdescError(
                        f"{self.layout}: thread {thread} {what}",
                        hint="each row and unit has a thread of its own, as in (4,8):(8,1)",
                    )
                found[thread] = row, unit
        return dict(sorted(found.items()))


class Wavefronts(NamedTuple):
    """The wavefronts of the accesses of all warps that cover a tile."""

    worst: int
    """Of the worst access of a warp."""
    least: int
    """Of that access if nothing conflicted."""
    total: int
    accesses: int

    @property
    def conflicts(self) -> int:
        """Wavefronts of the worst access that conflicts add."""
        return self.worst - self.least


@shown(picture=True, text=True)
class StoredTile(NamedTuple):
    """A tile in shared memory, and how threads write it; :func:`smemdesc.store` makes one, checked."""

    tiling: AtomTiling
    operand: Operand
    """Its elements, from byte 0 on."""
    thread_layout: ThreadLayout | None = None
    """The requested assignment; None: the usual ones are compared."""

    @property
    def ok(self) -> bool:
        """True: an invalid tile raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    @property
    def contiguous(self) -> str:
        """The contiguous coordinate: ``mn`` or ``k``."""
        return self.tiling.major.lower()

    @property
    def row(self) -> str:
        """The other coordinate."""
        return "mn" if self.contiguous == "k" else "k"

    @property
    def per_unit(self) -> int:
        """Elements of a 16-byte unit."""
        return self.operand.unit

    @property
    def extent(self) -> tuple[int, int]:
        """Rows, and 16-byte units of a row."""
        rows, elements = self.operand.extents
        return rows, elements // self.per_unit

    def __str__(self) -> str:
        tiling = self.tiling
        return f"tile of {tiling.shape} {tiling.dtype.name}, {tiling.major}-major, swizzle {tiling.swizzle}"

    def element(self, mn: int, k: int) -> int:
        """Return the byte in which an element begins, from the start of the tile.

        :class:`SmemdescError`: it is not in the tile.
        """
        return self._bit(mn, k) // 8

    def _bit(self, mn: int, k: int) -> int:
        from smemdesc.layout.index_map import check_index  # as the command line: only where an element is asked for

        for what, number, count in zip(("mn", "k"), (mn, k), self.tiling.shape, strict=True):
            check_index(what, number, count)
        return self.operand.bit_address(mn, k)

    def place(self, row: int, unit: int) -> tuple[int, int]:
        """Return the element (mn, k) with which a unit begins."""
        first = unit * self.per_unit
        return (row, first) if self.row == "mn" else (first, row)

    def unit_byte(self, row: int, unit: int, *, swizzled: bool = True) -> int:
        """Return the first byte of a unit, from the start of the tile."""
        mn, k = self.place(row, unit)
        return (self.operand.bit_address(mn, k) if swizzled else self.operand.linear(mn, k)) // 8

    @property
    def usual(self) -> tuple[ThreadLayout, ...]:
        """The usual assignments."""
        across = min(CHUNKS, self.extent[1])
        return (
            ThreadLayout("row", Mode(Leaf(WARP, 1), Leaf(1, 0))),
            ThreadLayout("quarter", Mode(Leaf(QUARTER, 1), Leaf(4, QUARTER))),
            ThreadLayout("matrix", Mode(Leaf(16, 1), Leaf(2, 16))),
            ThreadLayout("coalesced", Mode(Leaf(WARP // across, across), Leaf(across, 1))),
        )

    @property
    def stmatrix(self) -> ThreadLayout:
        """The assignment of stmatrix.x4 to up to four warps that hold D as wgmma leaves it: 16 of its rows each.

        :class:`SmemdescError` if the tile is not of 16-bit elements, or not a whole number of 16 x 16 of them.
        """
        dtype, shape = self.tiling.dtype, self.tiling.shape
        if dtype.storage != 16:
            hint = "use row for tcgen05.ld.32x32b, which gives a thread a row, or coalesced"
            raise SmemdescError(f"stmatrix stores elements of 16 bits, not {dtype.name}", hint=hint)
        if shape.mn % 16 or shape.k % 16:
            raise SmemdescError(
                f"stmatrix.x4 stores 16x16 elements: {shape} is not a whole number of them",
                hint="use a tile whose MN and K are multiples of 16",
            )
        warps = min(4, shape.mn // 16)
        by_row, by_unit = Mode(Leaf(QUARTER, 1), Leaf(2, 16)), Mode(Leaf(2, QUARTER), Leaf(warps, WARP))
        if self.contiguous == "k":
            by_row, by_unit = Mode(Leaf(16, 1), Leaf(warps, WARP)), Mode(Leaf(2, 16))
        return ThreadLayout("stmatrix", Mode(by_row, by_unit))

    @property
    def assignments(self) -> tuple[ThreadLayout, ...]:
        """The requested assignment, or the usual ones."""
        return self.usual if self.thread_layout is None else (self.thread_layout,)

    def accesses(self, threads: ThreadLayout) -> Iterator[dict[int, tuple[int, int]]]:
        """Yield the row and the unit of each thread of all warps, access by access, until the tile is covered."""
        (rows, units), (step, wide) = self.extent, threads.extent
        places = threads.threads()
        for first in range(0, rows, step):
            for begin in range(0, units, wide):
                moved = {thread: (first + row, begin + unit) for thread, (row, unit) in places.items()}
                yield {thread: place for thread, place in moved.items() if place[0] < rows and place[1] < units}

    def wavefronts(self, threads: ThreadLayout, *, swizzled: bool = True) -> Wavefronts:
        """Count the wavefronts of an assignment; not ``swizzled``: if the threads forgot the swizzle."""
        counts = []
        for places in self.accesses(threads):
            warps: dict[int, dict[int, list[int]]] = {}
            for thread, (row, unit) in places.items():
                quarters = warps.setdefault(thread // WARP, {})
                chunk = self.unit_byte(row, unit, swizzled=swizzled) % LINE // UNIT
                quarters.setdefault(thread % WARP // QUARTER, []).append(chunk)
            for quarters in warps.values():
                taken = sum(max(Counter(chunks).values()) for chunks in quarters.values())
                counts.append((taken, len(quarters)))
        worst, least = max(counts, key=lambda count: count[0] - count[1])
        return Wavefronts(worst, least, sum(taken for taken, _ in counts), len(counts))

    def quarter(self, threads: ThreadLayout) -> dict[int, tuple[int, int]]:
        """Return the row and the unit of each thread of the first quarter-warp with the most conflicts without the
        swizzle."""
        quarters: dict[int, dict[int, tuple[int, int]]] = {}
        for thread, place in next(self.accesses(threads)).items():
            if thread < WARP:
                quarters.setdefault(thread // QUARTER, {})[thread] = place
        return max(quarters.values(), key=lambda places: max(self.chunk_loads(places, swizzled=False)))

    def chunk_loads(self, places: Mapping[int, tuple[int, int]], *, swizzled: bool = True) -> list[int]:
        """Return how many of some threads access each chunk of the banks: the most is their number of wavefronts."""
        taken = Counter(self.unit_byte(*place, swizzled=swizzled) % LINE // UNIT for place in places.values())
        return [taken[chunk] for chunk in range(CHUNKS)]

    def formula(self, style: str = "text") -> str:
        """Return the byte of element (mn, k) from the start of the tile, in words or, ``c``, in C."""
        return element_formula(self.tiling, style)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ``bytes`` are the bytes of the first access, by thread."""
        assignments = []
        for threads in self.assignments:
            counted = self.wavefronts(threads)
            first = next(self.accesses(threads))
            assignments.append(
                {
                    "name": threads.name,
                    "layout": str(threads.layout),
                    "wavefronts": counted.worst,
                    "least": counted.least,
                    "total": counted.total,
                    "accesses": counted.accesses,
                    "without_swizzle": self.wavefronts(threads, swizzled=False).worst,
                    "bytes": {str(thread): self.unit_byte(*place) for thread, place in first.items()},
                }
            )
        return {
            "shape": list(self.tiling.shape),
            "dtype": self.tiling.dtype.name,
            "major": self.tiling.major,
            "swizzle": self.tiling.swizzle,
            "order": self.tiling.order,
            "bytes": self.tiling.size,
            "alignment": MODE[self.tiling.swizzle].period,
            "formula": self.formula(),
            "c": self.formula("c"),
            "row": self.row,
            "elements_per_unit": self.per_unit,
            "assignments": assignments,
            "source": STORE_SOURCE,
        }

    def element_dict(self, mn: int, k: int) -> dict[str, Any]:
        """Return the byte of one element, for JSON; ``bit``: of the byte, of elements within one."""
        bit = self._bit(mn, k)
        return {"mn": mn, "k": k, "byte": bit // 8, "bit": bit % 8, "formula": self.formula(), "source": STORE_SOURCE}

    def thread_dict(self, thread: int) -> dict[str, Any]:
        """Return what one thread writes, access by access, for JSON."""
        names = (self.row, self.contiguous)
        writes = [
            {**dict(zip(names, (row, unit * self.per_unit), strict=True)), "byte": self.unit_byte(row, unit)}
            for row, unit in self.thread_units(thread)
        ]
        whole = self.to_dict()
        return {**whole, "thread": thread, "writes": writes}

    def thread_units(self, thread: int) -> list[tuple[int, int]]:
        """Return the row and the unit of each access of a thread. :class:`SmemdescError` if it has none."""
        if self.thread_layout is None:
            raise SmemdescError(
                "no thread layout is given", hint="give one: row, quarter, matrix or coalesced", keyword="thread_layout"
            )
        units = [places[thread] for places in self.accesses(self.thread_layout) if thread in places]
        if not units:
            last = max(next(self.accesses(self.thread_layout)))
            raise SmemdescError(f"thread {thread} writes nothing", hint=f"use threads 0 to {last}", keyword="thread")
        return units


def element_formula(tiling: AtomTiling, style: str = "text") -> str:
    """Return the byte of element (mn, k) from the start of a tile, in words or, ``c``, in C and C++.

    The byte is that in which the element begins; the tile begins at a multiple of the period of its swizzle mode.
    """
    mode = MODE[tiling.swizzle]
    along, across = tiling.major, "MN" if tiling.major == "K" else "K"
    row, column = across.lower(), along.lower()
    lines = mode.rows(tiling.major)
    group = 8 * mode.width // tiling.dtype.storage
    terms = [formula_term(row, lines, 0, tiling.stride(across), style)] if tiling.count(across) > 1 else []
    inner = formula_term(row, 1, lines if tiling.count(across) > 1 else 0, mode.width, style)
    if terms and tiling.stride(across) == lines * mode.width:
        terms, inner = [], formula_term(row, 1, 0, mode.width, style)
    terms.append(inner)
    if tiling.count(along) > 1:
        terms.append(formula_term(column, group, 0, tiling.stride(along), style))
    inside = row_byte_formula(tiling.dtype, column, group if tiling.count(along) > 1 else 0, style)
    width, unit, _ = mode.swizzle
    if width:
        moved = formula_term(row, 1, lines, 1 << unit, style, LINE // mode.width)
        xor = f"^ ({moved})" if style == "c" else f"xor {moved}"
        inside = f"({_grouped(inside, style)} {xor})"
    return " + ".join([*terms, inside])


def _grouped(text: str, style: str) -> str:
    """Return a part of a formula that precedes an XOR, in parentheses where a reader or a compiler wants them."""
    return f"({text})" if " + " in text or (style == "c" and " " in text) else text


def row_byte_formula(dtype: DType, column: str, group: int, style: str = "text") -> str:
    """Return the bytes from the beginning of the row of an atom; ``group``: its elements, if there are more atoms."""
    if dtype.bits != dtype.storage:
        container = formula_term(column, CONTAINER, group // CONTAINER, UNIT, style)
        eighths = formula_term(column, 1, CONTAINER, dtype.bits, style)
        return f"{container} + {eighths} / 8" if style == "c" else f"{container} + {eighths} div 8"
    if dtype.bits < 8:
        return formula_term(column, 1, group, 1, style, 8 // dtype.bits)
    return formula_term(column, 1, group, dtype.bits // 8, style)
