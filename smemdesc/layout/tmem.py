"""Tensor memory: the CTA, lane and column of each element of D, or of A, of a tcgen05.mma.

Tensor memory has 128 lanes of 512 columns of 32 bits in each CTA; an address is the lane (bits 16-31) and the column
(bits 0-15). Its layout depends on M, on ``cta_group``, on ``.ws`` and, for one shape, on sparsity: the
seven data path layouts A to G. The lane is the row within its CTA; in the layouts that use half of the lanes, every 16
rows begin at 32 lanes. In the layouts of 2 or 4 parts, the halves or quarters of N lie 64 or 32 lanes apart.

D has one element per column of any type; 16-bit elements are in the low half. A is packed: 32 bits of K per column. If
D is in several parts (2x2, 1x4), A has one copy for each: every part multiplies by the rows beside it.

Sources: PTX ISA 9.1, 9.7.16.10.5, Figures 205 to 218, and 9.7.16.10.4; CUTLASS ``mma_traits_sm100_frag.hpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError, named
from smemdesc.engine.wording import either
from smemdesc.kinds import aliases
from smemdesc.kinds.context import Context
from smemdesc.kinds.formats import format_of
from smemdesc.kinds.idesc import LEGAL_SHAPES
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import MMA_KINDS, PACKED_FP4
from smemdesc.kinds.shapes import allowed_rows, ranges, rows_of
from smemdesc.kinds.tmem import COLUMNS, LANES
from smemdesc.kinds.types import DType, kind_of_format, operand_type, read_by, types_of
from smemdesc.layout.index_map import Digit, IndexMap, MatrixElement, check_index, first_and_last, index_map

WORD = 32
"""Bits of a column."""
WARP = 32
"""Lanes that ``tcgen05.ld`` and ``tcgen05.st`` of one warp reach."""
TMEM_OPERANDS = ("a", "d")
D_BITS = {"f32": 32, "f16": 16, "s32": 32}
TMEM_LAYOUT_SOURCE = "PTX ISA 9.1, 9.7.16.10.5"
_PACKING = "9.7.16.10.4"


class DataPath(NamedTuple):
    """One of the layouts A to G: a row of PTX's table."""

    name: str
    m: int
    cta_group: int
    ws: bool | None
    """None: either."""
    sparse: bool | None
    organization: str
    parts: int
    """Parts that the columns of D are cut into, each in lanes of its own."""
    half: bool
    """Whether only 16 of each 32 lanes are used."""
    section: int
    figure: int

    @property
    def rows(self) -> int:
        """Rows of the matrix in one CTA."""
        return self.m // self.cta_group

    @property
    def band(self) -> int:
        """Neighboring lanes with neighboring rows."""
        return 16 if self.half else WARP

    @property
    def source(self) -> str:
        """Its figure in PTX."""
        return f"{TMEM_LAYOUT_SOURCE}.{self.section}, Figure {self.figure}"


DATA_PATHS = (
    DataPath("A", 256, 2, False, None, "4x1", 1, False, 1, 205),
    DataPath("B", 128, 2, False, False, "2x2", 2, False, 2, 207),
    DataPath("C", 128, 2, False, True, "4x1, half of the lanes", 1, True, 3, 209),
    DataPath("D", 128, 1, None, None, "4x1", 1, False, 4, 211),
    DataPath("E", 64, 1, True, None, "2x2", 2, False, 5, 213),
    DataPath("F", 64, 1, False, None, "4x1, half of the lanes", 1, True, 6, 215),
    DataPath("G", 32, 1, True, None, "1x4", 4, False, 7, 217),
)
"""PTX prints 2x3 for layout E in 9.1, 2x2 from 9.3 on, as its figure has it."""


class TmemPlace(NamedTuple):
    """Where an element is: the 32-bit word, and its lowest bit there."""

    cta: int
    """Of the pair; 0 without one."""
    lane: int
    column: int
    bit: int = 0

    @property
    def address(self) -> int:
        """The address of the word in tcgen05 instructions."""
        return tmem_address(self.lane, self.column)

    @property
    def warp(self) -> int:
        """The warp of a warpgroup (its number modulo 4) that can access the lane."""
        return self.lane // WARP


class TmemRegion(NamedTuple):
    """A block of lanes and columns with a block of the matrix. Ranges are first and last, inclusive."""

    cta: int
    lanes: tuple[int, int]
    columns: tuple[int, int]
    rows: tuple[int, int]
    """m."""
    across: tuple[int, int]
    """n of D, k of A."""


@shown(picture=True)
class Tmem(NamedTuple):
    """D or A of one tcgen05.mma in tensor memory; :func:`tmem_layout` makes one, checked."""

    path: DataPath
    operand: str
    """``a`` or ``d``."""
    dtype: str
    bits: int
    """Bits that an element takes up: a whole column of D, the width in storage of A."""
    m: int
    n: int
    width: int
    """Columns of the matrix: N of D, K of A."""
    ws: bool
    sparse: bool
    lane: int
    """Where the matrix begins."""
    column: int

    @property
    def ok(self) -> bool:
        """True: an invalid layout raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    @property
    def cta_group(self) -> int:
        """CTAs of the instruction."""
        return self.path.cta_group

    @property
    def copies(self) -> int:
        """Copies of each element in each CTA: of A, one for each part of D."""
        return self.path.parts if self.operand == "a" else 1

    @property
    def parts(self) -> int:
        """Parts of the columns of this matrix."""
        return self.path.parts if self.operand == "d" else 1

    @property
    def packed(self) -> int:
        """Elements in a column of 32 bits."""
        return WORD // self.bits

    @property
    def columns(self) -> int:
        """Columns of tensor memory of the matrix."""
        return self.width // self.parts // self.packed

    @property
    def start(self) -> int:
        """The address of the matrix."""
        return tmem_address(self.lane, self.column)

    @property
    def letter(self) -> str:
        """The letter of its columns: ``n`` or ``k``."""
        return "n" if self.operand == "d" else "k"

    @property
    def source(self) -> str:
        """Its source in PTX."""
        return self.path.source + (f"; {_PACKING}" if self.packed > 1 or self.dtype == "f16" else "")

    @property
    def instruction(self) -> str:
        """The case, in words."""
        ws, sparse = ".ws" if self.ws else "", ", sparse" if self.sparse else ""
        return f"M {self.m}, N {self.n}, cta_group::{self.cta_group}{ws}{sparse}"

    def __str__(self) -> str:
        size = f" ({self.m} x {self.width})" if self.operand == "a" else ""
        return f"{self.operand.upper()} in {self.dtype}{size} of {self.instruction}: layout {self.path.name}"

    @property
    def index_map(self) -> IndexMap:
        """From the row, the column and the number of the copy to the CTA, the lane, the column and the bit there."""
        return _index_map(self)

    def places(self, row: int, column: int) -> tuple[TmemPlace, ...]:
        """Return where an element is: one place, or one for each copy of A. :class:`SmemdescError`: out of range."""
        check_index("m", row, self.m)
        check_index(self.letter, column, self.width)
        return tuple([TmemPlace(*self.index_map.place(row, column, copy)) for copy in range(self.copies)])

    def regions(self, lane: int | None = None, column: int | None = None) -> Iterator[TmemRegion]:
        """Yield what the bands of lanes hold, CTA by CTA; ``lane``, ``column``: only of these."""
        if lane is not None:
            check_index("lane", lane, LANES)
        if column is not None:
            check_index("column", column, COLUMNS)
        columns = _only(column, self.column, self.columns)
        bands = [_only(lane, first, self.path.band) for first in range(self.lane, LANES, WARP)]
        for cta in range(self.cta_group):
            for lanes in bands:
                found = self.index_map.preimage(cta, lanes[0], columns[0], 0) if lanes and columns else None
                if found is not None:
                    yield TmemRegion(
                        cta,
                        (lanes[0], lanes[-1]),
                        (columns[0], columns[-1]),
                        first_and_last(found[0], len(lanes)),
                        first_and_last(found[1], len(columns) * self.packed),
                    )

    def _with(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {
            "operand": self.operand,
            "dtype": self.dtype,
            "m": self.m,
            "n": self.n,
            "k": self.width if self.operand == "a" else None,
            "cta_group": self.cta_group,
            "ws": self.ws,
            "sparse": self.sparse,
            "layout": self.path.name,
            "organization": self.path.organization,
            "start": f"0x{self.start:08x}",
            **arguments,
            "source": self.source,
        }

    def to_dict(self, lane: int | None = None, column: int | None = None) -> dict[str, Any]:
        """Return the JSON object; ``regions`` are blocks of the matrix, first and last of each range inclusive.

        ``lane``, ``column``: only what is there.
        """
        regions = [
            {
                "cta": region.cta,
                "lanes": list(region.lanes),
                "columns": list(region.columns),
                "m": list(region.rows),
                self.letter: list(region.across),
            }
            for region in self.regions(lane, column)
        ]
        return self._with({"columns": self.columns, "copies": self.copies, "packed": self.packed, "regions": regions})

    def element_dict(self, element: MatrixElement) -> dict[str, Any]:
        """Return where one element is, for JSON: a place for each copy."""
        places = [
            {
                "cta": place.cta,
                "lane": place.lane,
                "column": place.column,
                "bit": place.bit,
                "bits": self.bits if self.operand == "a" else 16 if self.dtype == "f16" else 32,
                "address": f"0x{place.address:08x}",
                "warp": place.warp,
            }
            for place in self.places(*element)
        ]
        return self._with({"at": list(element), "places": places})


@cache
def _index_map(of: Tmem) -> IndexMap:
    path = of.path
    rows: list[Digit] = [(16, "lane", 1), (4, "lane", WARP)] if path.half else [(path.rows, "lane", 1)]
    apart = LANES // path.parts
    inputs: dict[str, list[Digit]] = {
        "m": [*rows, (of.cta_group, "CTA", 1)],
        of.letter: [(of.packed, "bit", of.bits), (of.columns, "column", 1), (of.parts, "lane", apart)],
        "copy": [(of.copies, "lane", apart)],
    }
    return index_map("CTA lane column bit", inputs, {"lane": of.lane, "column": of.column})


def _only(number: int | None, first: int, count: int) -> range:
    """Return ``count`` numbers from ``first`` on, or only this one of them."""
    whole = range(first, first + count)
    return whole if number is None else whole[number - first : number - first + 1] if number in whole else whole[:0]


def tmem_address(lane: int, column: int) -> int:
    """Return the address of a word of tensor memory."""
    return lane << 16 | column


def tmem_layout(
    m: int,
    n: int,
    *,
    operand: str = "d",
    dtype: str | None = None,
    mma_kind: str | None = None,
    cta_group: int = 1,
    ws: bool = False,
    sparse: bool = False,
    k: int | None = None,
    start: int = 0,
    limit: int | None = COLUMNS,
) -> Tmem:
    """Return the layout of D or A of a tcgen05.mma of M x N in tensor memory, in elements of ``dtype``.

    The default type of D is f32. ``k``: the columns of A, default: of one instruction; for a sparse
    instruction the stored ones. ``start``: the address of the matrix, 32 bits. ``limit``: the available columns;
    None: any number. :class:`SmemdescError` if there is no such instruction or the matrix
    does not fit there, with what to write instead.
    """
    name = operand.lower()
    if name not in TMEM_OPERANDS:
        raise SmemdescError(
            f"{operand!r} is not in tensor memory", hint="use a or d: B is always in shared memory", keyword="operand"
        )
    path = data_path(m, cta_group, ws=ws, sparse=sparse)
    spelled, bits, kinds, one_k = _of_d(dtype, mma_kind) if name == "d" else _of_a(dtype, mma_kind)
    _check_n(path, n, kinds, ws=ws, sparse=sparse)
    if k is not None and k < 1:
        raise SmemdescError(f"K = {k}: A has no columns", hint="K is 1 or more", keyword="k")
    if name == "a" and (k or one_k) % (WORD // bits):
        whole = WORD // bits
        raise SmemdescError(
            f"K = {k} of {spelled} does not fill 32-bit columns", hint=f"use a multiple of {whole}", keyword="k"
        )
    if name == "d" and k is not None:
        raise SmemdescError("D has no K", hint="omit --k, or give --operand a", keyword="k")
    width = n if name == "d" else k or one_k
    layout = Tmem(path, name, spelled, bits, m, n, width, ws, sparse, start >> 16, start & 0xFFFF)
    _check_start(layout, limit)
    return layout


def metadata_columns(k: int, mma_kind: str, *, pairs: bool = True) -> int:
    """Return the columns of tensor memory that the metadata of a sparse A with ``k`` elements of K (logical) take.

    A row has 2 bits for each element that is kept, of tf32 4 bits, of packed fp4 2 bits for each pair (``pairs``: not
    on sm_107a). Source: CUTLASS mma_traits_sm100.hpp, tmem_e_frg; sm_107a: PTX ISA 9.4, sparsity version 1.
    """
    per_column = WORD // 2 if mma_kind == "tf32" else 2 * WORD if mma_kind in PACKED_FP4 and pairs else WORD
    return -(-k // per_column)


def data_path(m: int, cta_group: int, *, ws: bool = False, sparse: bool = False) -> DataPath:
    """Return the layout of an instruction. :class:`SmemdescError` lists the existing ones if it has none."""
    of_m = [path for path in DATA_PATHS if path.m == m]
    if not of_m:
        raise SmemdescError(f"tcgen05.mma has no M = {m}", hint="M is 32 (.ws), 64, 128 or 256 (two CTAs)", keyword="m")
    matching = [
        path for path in of_m if path.cta_group == cta_group and path.ws in (None, ws) and path.sparse in (None, sparse)
    ]
    if matching:
        return matching[0]
    changes = [_changes(path, cta_group, ws=ws) for path in of_m]
    least = min(map(len, changes))
    hint = ", or ".join(dict.fromkeys(" and ".join(change) for change in changes if len(change) == least))
    if ws and cta_group == 2:
        raise SmemdescError(".ws has cta_group::1 only", hint=hint, keyword="ws")
    raise SmemdescError(f"there is no M {m} with {_instruction_text(cta_group, ws)}", hint=hint, keyword="m")


def _changes(path: DataPath, cta_group: int, *, ws: bool) -> list[str]:
    """Return what to change in the options for a layout."""
    changes = [f"write --cta-group {path.cta_group}"] if path.cta_group != cta_group else []
    if path.ws not in (None, ws):
        changes.append("omit --ws" if ws else "add --ws")
    return changes


def _instruction_text(cta_group: int, ws: bool) -> str:
    return f"cta_group::{cta_group}" + (".ws" if ws else " without .ws")


def _of_d(dtype: str | None, mma_kind: str | None) -> tuple[str, int, tuple[str, ...], int]:
    usual = accumulator_types(mma_kind)[-1] if mma_kind else "f32"
    name = named("dtype", aliases.dtype_alias, usual if dtype is None else dtype)
    if name not in D_BITS:
        raise SmemdescError(
            f"D is never in {dtype!r}", hint=f"it is in {', '.join(D_BITS)}; A has --operand a", keyword="dtype"
        )
    kinds = tuple(kind for kind in MMA_KINDS if name in accumulator_types(kind) and mma_kind in (None, kind))
    if not kinds:
        types = " or ".join(accumulator_types(str(mma_kind)))
        raise SmemdescError(
            f"kind::{mma_kind} does not accumulate in {name}", hint=f"its D is {types}", keyword="dtype"
        )
    return name, WORD, kinds, 0


def _of_a(dtype: str | None, mma_kind: str | None) -> tuple[str, int, tuple[str, ...], int]:
    if dtype is None:
        raise SmemdescError("the type of A is missing", hint="write --dtype bf16, e4m3, ...", keyword="dtype")
    scaled = format_of(dtype)
    if scaled is not None:
        mma_kind = named("mma_kind", kind_of_format, scaled, mma_kind)
    element_type: DType = named("dtype", operand_type, dtype, mma_kind)
    kinds = tuple(kind for kind in MMA_KINDS if mma_kind in (None, kind) and element_type.name in read_by(kind))
    if mma_kind is None:
        kinds = tuple(kind for kind in kinds if operand_type(dtype, kind).storage == element_type.storage)
    if not kinds:
        raise SmemdescError(
            f"tcgen05.mma reads no {element_type.name}", hint="bf16, f16, tf32, e4m3, ... (--dtype)", keyword="dtype"
        )
    return element_type.name, element_type.storage, kinds, element_type.k


def accumulator_types(mma_kind: str) -> tuple[str, ...]:
    """Return the types of D of an MMA kind; f32 for the block-scaled ones, which do not encode it."""
    return types_of(kind_of("idesc", mma_kind), "d_type")


def _check_n(path: DataPath, n: int, kinds: tuple[str, ...], *, ws: bool, sparse: bool) -> None:
    known = Context(cta_group=path.cta_group, ws=ws)
    rows = [row for kind in kinds for row in allowed_rows(kind, sparse, known) if path.m in row.m]
    here = [kind for kind in kinds if any(kind in row.kinds for row in rows)] or kinds
    case = f"{'sparse ' if sparse else ''}kind::{'|'.join(here)} with {_instruction_text(path.cta_group, ws)}"
    if not rows:
        others = rows_of([row for row in LEGAL_SHAPES if set(kinds) & set(row.kinds)])
        raise SmemdescError(f"{case} has no M {path.m}", hint=f"other cases have M {either(others)}", keyword="m")
    legal = tuple(sorted({n for row in rows for n in row.n}))
    if n not in legal:
        raise SmemdescError(f"N {n} is not legal for {case} and M {path.m}", hint=f"N is {ranges(legal)}", keyword="n")


def _check_start(layout: Tmem, limit: int | None) -> None:
    lanes = (0, 16) if layout.path.half else (0,)
    if layout.lane not in lanes:
        raise SmemdescError(
            f"layout {layout.path.name} does not begin at lane {layout.lane}",
            hint=f"it begins at lane {either(list(lanes))}: an address is the lane << 16, plus the column",
            keyword="start",
        )
    if limit is not None and layout.column + layout.columns > limit:
        last = layout.column + layout.columns - 1
        begin = limit - layout.columns
        raise SmemdescError(
            f"columns {layout.column} to {last} do not all exist: tensor memory has {limit}",
            hint=f"begin at column {begin} or lower" if begin >= 0 else "take a smaller matrix",
            keyword="start" if begin >= 0 else layout.letter,
        )


def parse_start(text: str) -> int:
    """Read a tensor-memory address (``0x100040``, ``64``). :class:`SmemdescError` if it is invalid."""
    try:
        number = int(text.strip().replace("_", ""), 0)
    except ValueError:
        number = -1
    if re.fullmatch(r"[\w\s]+", text, re.ASCII) is None or not 0 <= number < 1 << 32:
        raise SmemdescError(
            f"--start {text!r} is not a tensor-memory address", hint="write its 32 bits, as in 0x00100040"
        )
    return number
