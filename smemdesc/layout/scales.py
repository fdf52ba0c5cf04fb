"""Scale factors of a block-scaled tcgen05.mma: places in shared and in tensor memory, and their readers.

A factor is a byte. In shared memory they are in blocks of 512 B: 128 rows by 4 factors, as 32 lines of 16 B, so
one ``tcgen05.cp.32x128b.warpx4`` copies a block: a line to four columns of a lane, and of those 32, 64 and 96 further
on. With row ``r``, factor ``f`` and ``R`` blocks of 128 rows::

    byte    = 512 (R (f div 4) + r div 128) + 16 (r mod 32) + 4 (r mod 128 div 32) + f mod 4

An instruction reads the factors of its K: it names the column of the first, and its byte by the scale-factor id.

Sources: PTX ISA 9.1, 9.7.16.10.7.2 and .3; CUTLASS ``sm100_blockscaled_layout.hpp``, ``mma_traits_sm100_frag.hpp``
(``tmem_sf_frg``) and, for K = 96, ``sm103_blockscaled_mma_warpspecialized.hpp``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.addresses import START
from smemdesc.kinds.idesc import K_DENSE
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import BLOCK_SCALED
from smemdesc.kinds.shapes import k_of
from smemdesc.kinds.types import VECTORS, Blocks, block_rows
from smemdesc.layout.index_map import IndexMap, check_index, first_and_last, index_map
from smemdesc.layout.strides import LBO, SBO
from smemdesc.layout.tmem_load import TmemLoad, covering

ROWS, FACTORS = 128, 4
"""Rows and factors of a block."""
BLOCK, LINE, WORD = 512, 16, 4
"""Bytes of a block, of its lines, and of the factors of one row in it."""
WARP, WARPS = 32, 4
COLUMNS = LINE // WORD
"""Columns of 32 bits that a block takes up in tensor memory."""
GROUP_BYTES = 8 * LINE
"""Bytes of 8 lines: the SBO of the descriptor that copies a block."""
SCALES_SOURCE = "PTX ISA 9.1, 9.7.16.10.7; CUTLASS sm100_blockscaled_layout.hpp"
COPY_INSTRUCTION = "tcgen05.cp.cta_group::{}.32x128b.warpx4"
"""Copies a block: 32 lanes of 128 bits, to the lanes of all four warps."""
LISTED = 65_536
"""The most blocks, or steps, that JSON lists: 32 MB of factors."""

SECOND_COLUMN = (
    "the column from which it reads factors beyond byte 3 is not documented; in CUTLASS one instruction reads all rows"
)
"""The open question if a tile has more rows than an instruction, and :attr:`Scales.crosses`."""


class FactorPlace(NamedTuple):
    """Where a factor is."""

    byte: int
    """In shared memory, from the first block."""
    lane: int
    """The first of four, each 32 lanes further on."""
    column: int
    """In tensor memory, from the first block."""
    sub: int
    """The byte of the column."""

    @property
    def lanes(self) -> tuple[int, ...]:
        """All lanes that hold it."""
        return tuple(range(self.lane, WARP * WARPS, WARP))


class FactorSlot(NamedTuple):
    """Where tcgen05.ld puts the four factors of a column, the same in each warp."""

    lane: int
    """Thread of the warp, 0..31."""
    load: int
    """The number of the load of the warp."""
    register: int


class Factor(NamedTuple):
    """A scale factor: its row and its number along K."""

    row: int
    number: int
    """Along K."""


class ScaleBlock(NamedTuple):
    """512 bytes of shared memory and the columns that they are copied to. Ranges are first and last."""

    number: int
    byte: int
    columns: tuple[int, int]
    rows: tuple[int, int]
    factors: tuple[int, int]


class ScaleStep(NamedTuple):
    """One instruction along K and the factors that it reads."""

    number: int
    k: tuple[int, int]
    factors: tuple[int, int]
    column: int
    """Added to the address of the first block; its rows' factors begin there."""
    id: int
    """Scale-factor id: the byte of the column at which they begin."""


@shown(picture=True)
class Scales(NamedTuple):
    """The scale factors of one operand of a tile, in one CTA; :func:`scale_layout` makes one, checked."""

    operand: str
    """``a`` or ``b``."""
    mma_kind: str
    rows: int
    """Rows of A, or columns of B, that are scaled in one CTA."""
    k: int
    """K of the tile, in elements before compression."""
    block: int
    """Elements of K to a factor, before compression."""
    one_k: int
    """K of one instruction."""
    sparse: bool
    load: TmemLoad | None = None
    """The tcgen05.ld of each warp that covers their columns; None: registers are not looked up."""

    @property
    def ok(self) -> bool:
        """True: an invalid layout raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    @property
    def letter(self) -> str:
        """The letter of the rows: ``m`` or ``n``."""
        return "m" if self.operand == "a" else "n"

    @property
    def factors(self) -> int:
        """Factors per row."""
        return self.k // self.block

    @property
    def each(self) -> int:
        """Factors per row that one instruction reads."""
        return self.one_k // self.block

    @property
    def across(self) -> int:
        """Blocks of 128 rows side by side."""
        return -(-self.rows // ROWS)

    @property
    def block_count(self) -> int:
        """Total number of blocks."""
        return self.across * -(-self.factors // FACTORS)

    @property
    def bytes(self) -> int:
        """Bytes of shared memory, in whole blocks."""
        return self.block_count * BLOCK

    @property
    def columns(self) -> int:
        """Columns of tensor memory."""
        return self.block_count * COLUMNS

    @property
    def crosses(self) -> bool:
        """Whether an instruction reads factors from two columns for a row."""
        # The ids of four steps come back in those that follow.
        return any(step.id + self.each > FACTORS for step in islice(self.steps, FACTORS))

    @property
    def further(self) -> int:
        """The distance in columns to the next four factors of a row."""
        return self.across * COLUMNS

    @property
    def qualifier(self) -> str:
        """The instruction's qualifier: ``scale_vec::2X``; ``block32`` if PTX has no number for it."""
        return f"scale_vec::{self.each}X" if self.usual else self.blocks_name

    @property
    def blocks_name(self) -> str:
        """The other name, which family targets and every K have: ``block32``."""
        return f"block{self.block // 2 if self.sparse else self.block}"

    @property
    def usual(self) -> bool:
        """Whether K is the common one, after which the scale_vec qualifiers are named."""
        return self.one_k == K_DENSE[self.mma_kind] * (2 if self.sparse else 1) and self.each in VECTORS

    def __str__(self) -> str:
        return (
            f"scale factors of {self.operand.upper()}, {self.rows} x {self.k} of kind::{self.mma_kind}, "
            f"one for {self.block} of K"
        )

    @property
    def blocks(self) -> Iterator[ScaleBlock]:
        """The blocks, in the order of their bytes."""
        return map(self.block_at, range(self.block_count))

    def block_at(self, number: int) -> ScaleBlock:
        """Return one of the blocks, by its number."""
        group, part = divmod(number, self.across)
        return ScaleBlock(
            number,
            number * BLOCK,
            first_and_last(number * COLUMNS, COLUMNS),
            (part * ROWS, min((part + 1) * ROWS, self.rows) - 1),
            (group * FACTORS, min((group + 1) * FACTORS, self.factors) - 1),
        )

    @property
    def step_count(self) -> int:
        """Instructions along K."""
        return self.k // self.one_k

    @property
    def steps(self) -> Iterator[ScaleStep]:
        """The instructions along K."""
        return map(self.step_at, range(self.step_count))

    def step_at(self, number: int) -> ScaleStep:
        """Return one of the instructions along K, by its number."""
        first, place = number * self.each, self.place(0, number * self.each)
        k = first_and_last(number * self.one_k, self.one_k)
        return ScaleStep(number, k, first_and_last(first, self.each), place.column, place.sub)

    @property
    def index_map(self) -> IndexMap:
        """From the row and the number of a factor to its byte in shared memory."""
        return _in_shared_memory(self)

    @property
    def copied(self) -> IndexMap:
        """From the byte in shared memory to the lane, the column and its byte in tensor memory: what the copies do."""
        return _by_copies(self.block_count)

    def place(self, row: int, index: int) -> FactorPlace:
        """Return where a factor is. :class:`SmemdescError` says what is out of range."""
        check_index(self.letter, row, self.rows)
        check_index("factor", index, self.factors)
        (byte,) = self.index_map.place(row, index)
        return FactorPlace(byte, *self.copied.place(byte))

    @property
    def loaded(self) -> IndexMap | None:
        """From lane, column and bit to thread of the warpgroup, load, register and element, if there is a load."""
        return None if self.load is None else _by_loads(self.load, self.columns)

    def slot(self, lane: int, column: int) -> FactorSlot | None:
        """Return where :attr:`load` puts the four factors of a column of tensor memory; None without a load."""
        if self.loaded is None:
            return None
        thread, load, register, _ = self.loaded.place(lane, column, 0)
        return FactorSlot(thread % WARP, load, register)

    @property
    def load_count(self) -> int:
        """How often a warp executes :attr:`load`."""
        if self.load is None:
            return 0
        return -(-self.columns // self.load.columns) * (WARP // self.load.shape.lanes)

    def at(self, byte: int) -> Factor | None:
        """Return the factor at a byte of shared memory; None if the block is not filled."""
        check_index("byte", byte, self.bytes)
        factor = Factor(*self.index_map.inverse.place(byte))
        return factor if factor.row < self.rows and factor.number < self.factors else None

    def column_factors(self, lane: int, column: int) -> tuple[Factor | None, ...]:
        """Return the four factors of a column of tensor memory, from the low byte up."""
        check_index("lane", lane, WARP * WARPS)
        check_index("column", column, self.columns)
        return tuple(self.at(*self.copied.inverse.place(lane % WARP, column, sub)) for sub in range(FACTORS))

    def begins(self, row: int) -> int | None:
        """Return the summand of the column for an instruction whose rows begin at ``row``; None if it has none.

        An instruction reads its factors from lane 0 on: its rows begin at a multiple of 32.
        """
        return None if row % WARP else self.copied.place(*self.index_map.place(row, 0))[1]

    def step_of(self, index: int) -> ScaleStep:
        """Return the instruction that reads a factor."""
        check_index("factor", index, self.factors)
        return self.step_at(index // self.each)

    def _with(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {
            "operand": self.operand,
            "mma_kind": self.mma_kind,
            "shape": [self.rows, self.k],
            "block": self.block,
            "mma_k": self.one_k,
            "sparse": self.sparse,
            "qualifier": self.qualifier,
            **({} if self.load is None else {"ld": self.load.to_dict(self.load_count)}),
            **arguments,
            "source": SCALES_SOURCE,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; ranges are first and last.

        :class:`smemdesc.engine.errors.SmemdescError` if it would be a list of more than :data:`LISTED`.
        """
        if max(self.block_count, self.step_count) > LISTED:
            many = f"{self.block_count} blocks and {self.step_count} steps"
            raise SmemdescError(
                f"{self.rows}x{self.k} has {many}: at most {LISTED} are listed as JSON",
                hint="look up one factor with --at, --byte or --lane and --column, or give one tile of the matrix",
            )
        blocks = [
            {
                "byte": block.byte,
                "columns": list(block.columns),
                self.letter: list(block.rows),
                "factors": list(block.factors),
            }
            for block in self.blocks
        ]
        steps = [
            {"k": list(step.k), "factors": list(step.factors), "column": step.column, "id": step.id}
            for step in self.steps
        ]
        return self._with(
            {
                "bytes": self.bytes,
                "columns": self.columns,
                "copy": COPY_INSTRUCTION.format(1),
                "descriptor": f"0x{copy_descriptor():016x}",
                "blocks": blocks,
                "steps": steps,
            }
        )

    def factor_dict(self, factor: Factor) -> dict[str, Any]:
        """Return the place of one factor and its step, for JSON."""
        return self._with(self._factor(factor))

    def column_dict(self, lane: int, column: int) -> dict[str, Any]:
        """Return what a column of one lane holds, for JSON: four factors from the low byte up, null for none."""
        holds = [
            None if column_factor is None else self._factor(column_factor)
            for column_factor in self.column_factors(lane, column)
        ]
        return self._with({"lane": lane, "column": column, "holds": holds})

    def _factor(self, factor: Factor) -> dict[str, Any]:
        place, step = self.place(*factor), self.step_of(factor.number)
        slot = self.slot(place.lane, place.column)
        return {
            self.letter: factor.row,
            "factor": factor.number,
            "byte": place.byte,
            "lanes": list(place.lanes),
            "column": place.column,
            "sub": place.sub,
            "step": step.number,
            "id": step.id,
            **({} if slot is None else {"held": {"warps": list(range(WARPS)), **slot._asdict(), "byte": place.sub}}),
        }


@cache
def _in_shared_memory(of: Scales) -> IndexMap:
    groups = of.block_count // of.across
    inputs = {
        of.letter: [(WARP, "byte", LINE), (WARPS, "byte", WORD), (of.across, "byte", BLOCK)],
        "factor": [(FACTORS, "byte", 1), (groups, "byte", BLOCK * of.across)],
    }
    return index_map("byte", inputs)


@cache
def _by_copies(blocks: int) -> IndexMap:
    byte = [(WORD, "sub", 1), (COLUMNS, "column", 1), (WARP, "lane", 1), (blocks, "column", COLUMNS)]
    return index_map("lane column sub", {"byte": byte})


@cache
def _by_loads(load: TmemLoad, columns: int) -> IndexMap:
    return load.of_warpgroup(columns, {}, both=True, bits=8)


def copy_descriptor(start: int = 0) -> int:
    """Return the tcgen05 descriptor that copies a block of scale factors at a byte of shared memory.

    No swizzle, SBO 128 B (8 lines of 16 B); a line is one 16-byte unit, so LBO has no effect and is 0, as in
    DeepGEMM's make_sf_desc and TileLang's tcgen05_cp; Triton's createBlockedScalesSMEMDescriptor has LBO 16 B.
    """
    table = kind_of("tcgen05").table
    return table.pack(table.encode({START: start, LBO: 0, SBO: GROUP_BYTES, "swizzle": "none"}))


def scale_layout(
    rows: int,
    k: int,
    mma_kind: str,
    *,
    operand: str = "a",
    block: int | None = None,
    one_k: int | None = None,
    sparse: bool = False,
    ld: str | None = None,
    num: int | None = None,
) -> Scales:
    """Return the scale factors of A (``rows`` of M) or B (``rows`` of N) of a tile, in one CTA.

    ``k`` and ``one_k`` (of one instruction; default: of the dense one) are in elements before compression. ``block``
    is 16 or 32; default: the kind's (16 for mxf4nvf4). ``ld``, ``num``: the tcgen05.ld
    whose registers are looked up. :class:`SmemdescError` names what does not exist.
    """
    name = operand.lower()
    if name not in ("a", "b"):
        raise SmemdescError(f"{operand!r} has no scale factors", hint="a and b have", keyword="operand")
    factor_block = blocks(mma_kind, block)
    size = factor_block.size * (2 if sparse else 1)
    one_k = one_k or K_DENSE[mma_kind] * (2 if sparse else 1)
    if one_k not in legal_k(mma_kind, sparse):
        dense = "sparse" if sparse else "dense"
        raise SmemdescError(
            f"there is no {dense} kind::{mma_kind} with K = {one_k}",
            hint=f"K is {either(legal_k(mma_kind, sparse))}",
            keyword="k",
        )
    if rows < 1 or k < 1 or k % one_k:
        raise SmemdescError(
            f"{rows}x{k}: K of the tile is not a multiple of K of an instruction, {one_k}",
            hint=f"use a multiple of {one_k}, or give --k",
            keyword="shape",
        )
    of_tile = Scales(name, mma_kind, rows, k, size, one_k, sparse)
    return of_tile if ld is None else of_tile._replace(load=covering(ld, num, of_tile.columns))


def legal_k(mma_kind: str, sparse: bool) -> list[int]:
    """Return K of the block-scaled instructions on any architecture."""
    kind = kind_of("idesc", mma_kind)
    return sorted({k for variant in (kind, *kind.variants) for k in k_of(variant, sparse)})


def blocks(mma_kind: str, size: int | None = None) -> Blocks:
    """Return the requested block size, or the default. :class:`SmemdescError` if the kind has none."""
    rows = block_rows(mma_kind)
    if not rows:
        raise SmemdescError(
            f"kind::{mma_kind} has no scale factors",
            hint=f"{', '.join(BLOCK_SCALED)} have them (--mma-kind)",
            keyword="mma_kind",
        )
    matching = [row for row in rows if size in (None, row.size)]
    if not matching:
        sizes = either(sorted(row.size for row in rows))
        raise SmemdescError(f"kind::{mma_kind} has no blocks of {size}", hint=f"use blocks of {sizes}", keyword="block")
    return matching[0]
