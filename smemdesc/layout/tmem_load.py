"""The registers of tcgen05.ld and tcgen05.st: the warp, thread and register of each element in tensor memory.

A warp moves 16 or 32 lanes of tensor memory at once, and only its own: warp ``w`` (its number modulo 4) accesses lanes
``32w`` to ``32w + 31``. The shape says which lane and which word of 32 bits a register of a thread holds. Each bit of
the number of the thread and of the register moves a fixed number of lanes or of words, so a shape is a list of moves;
``x2``, ``x4``, ... repeat it along the columns, in further registers. ``.pack::16b`` (of a store ``.unpack::16b``)
moves the low halves of two columns as one word. ``.16x32bx2`` has 16 lanes twice: threads 16 to 31 begin
``immHalfSplitoff`` columns further on, here right after the columns of threads 0 to 15, as in CUTLASS.

Sources: PTX ISA 9.1, 9.7.16.2.3.1, Figures 183 to 187, and 9.7.16.8; CUTLASS ``copy_traits_sm100.hpp``
(``SM100_TMEM_LOAD_*`` and ``SM100_TMEM_STORE_*``), all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import either
from smemdesc.kinds.names import LOAD_SHAPES
from smemdesc.kinds.tmem import COLUMNS, LANES
from smemdesc.layout.formula import formula_term
from smemdesc.layout.index_map import DigitMove, IndexMap, MatrixElement, check_index, first_and_last, index_map
from smemdesc.layout.tmem import WARP, WORD, Tmem, TmemPlace, tmem_address

THREADS = 128
"""Threads of a warpgroup: its four warps access all lanes."""
LOAD_REGISTERS = 128
"""The most registers of one instruction."""
THREAD_REGISTERS = 255
"""The registers that a thread can have."""
TMEM_LOAD_SOURCE = "PTX ISA 9.1, 9.7.16.2.3.1"


class LoadShape(NamedTuple):
    """A shape of tcgen05.ld and .st. A move is (lanes, words)."""

    name: str
    lanes: int
    words: int
    """Words of 32 bits in a lane, without repetition."""
    thread: tuple[tuple[int, int], ...]
    """How far each bit of the thread's number in the warp moves, from the lowest bit up."""
    register: tuple[tuple[int, int], ...]
    """The same of the register's number; further bits move by the words of the shape, twice, four times them, ..."""
    figure: int

    @property
    def source(self) -> str:
        """Its figure in PTX."""
        return f"{TMEM_LOAD_SOURCE}.{self.figure - 182}, Figure {self.figure}"

    @property
    def most(self) -> int:
        """The most repetitions."""
        return LOAD_REGISTERS >> len(self.register)


_QUADS = ((1, 0), (2, 0), (4, 0))
SHAPES = (
    LoadShape("32x32b", 32, 1, (*_QUADS, (8, 0), (16, 0)), (), 183),
    LoadShape("16x64b", 16, 2, ((8, 0), (0, 1), *_QUADS), (), 184),
    LoadShape("16x128b", 16, 4, ((0, 1), (0, 2), *_QUADS), ((8, 0),), 185),
    LoadShape("16x256b", 16, 8, ((0, 2), (0, 4), *_QUADS), ((0, 1), (8, 0)), 186),
    LoadShape("16x32bx2", 16, 2, (*_QUADS, (8, 0)), (), 187),
)
_SPLIT = SHAPES[-1]
assert tuple(shape.name for shape in SHAPES) == LOAD_SHAPES


class TmemLoad(NamedTuple):
    """One tcgen05.ld, or .st, of a warp."""

    shape: LoadShape
    num: int
    """Repetitions along the columns: ``.x4``."""
    pack: bool
    """Whether two columns of 16 bits are in one register."""

    @property
    def registers(self) -> int:
        """Registers of each thread."""
        return self.num << len(self.shape.register)

    @property
    def packed(self) -> int:
        """Columns in one register."""
        return 2 if self.pack else 1

    @property
    def columns(self) -> int:
        """Columns of each lane."""
        return self.num * self.shape.words * self.packed

    @property
    def repeat(self) -> int:
        """Columns after which the same threads come again, in later registers."""
        return self.packed * (1 if self.shape is _SPLIT else self.shape.words)

    @property
    def split(self) -> int:
        """``immHalfSplitoff``: where threads 16 to 31 begin; 0 of the shapes without it."""
        return self.columns // 2 if self.shape is _SPLIT else 0

    @property
    def text(self) -> str:
        """The instruction, as PTX writes a load."""
        return f"tcgen05.ld.sync.aligned.{self.shape.name}.x{self.num}{'.pack::16b' if self.pack else ''}.b32"

    def to_dict(self, times: int) -> dict[str, Any]:
        """Return the instruction for JSON, and how often a warp executes it."""
        return {
            "instruction": self.text,
            "shape": self.shape.name,
            "num": self.num,
            "pack": self.pack,
            "registers": self.registers,
            "loads": times,
        }

    @property
    def index_map(self) -> IndexMap:
        """From thread of the warp and register to lane and column of the load; with ``pack`` to pairs of columns."""
        return _of_warp(self)

    def of_warpgroup(self, columns: int, first: Mapping[str, int], *, both: bool, bits: int) -> IndexMap:
        """Return the map from lane, column and bit to thread of the warpgroup, load of the warp, register and element.

        The loads cover ``columns`` from the ``first`` lane and column on. If one moves 16 lanes, others move the next
        16 (``both``), or these are free. ``bits`` are those of an element.
        """
        along, lanes = -(-columns // self.columns), self.shape.lanes
        moves = [
            DigitMove("lane", lanes, WARP // lanes if both else 1, "load", along),
            DigitMove("lane", WARP, LANES // WARP, "thread", WARP),
            DigitMove("column", 1, self.packed, "element", 1),
            DigitMove("column", self.columns, along, "load", 1),
            DigitMove("bit", bits, WORD // bits, "element", 1),
        ]
        for move in self.index_map.inverse.moves:
            moves.append(move._replace(step=move.step * (self.packed if move.input == "column" else 1)))
        return IndexMap(("lane", "column", "bit"), ("thread", "load", "register", "element"), moves, first)


@cache
def _of_warp(load: TmemLoad) -> IndexMap:
    shape, is_split = load.shape, load.shape is _SPLIT
    thread, register = (
        [(2, "lane", lanes) if lanes else (2, "column", words) for lanes, words in moves]
        for moves in (shape.thread, shape.register)
    )
    if is_split:
        thread.append((2, "column", load.num))
    register.append((load.num, "column", 1 if is_split else shape.words))
    return index_map("lane column", {"thread": thread, "register": register})


class TmemSlot(NamedTuple):
    """Where a load puts an element."""

    cta: int
    thread: int
    """Within the warpgroup, 0..127."""
    load: int
    """The number of the load of the warp."""
    register: int
    element: int = 0
    """Within the register, from the low bits up."""

    @property
    def warp(self) -> int:
        """The warp, modulo 4."""
        return self.thread // WARP

    @property
    def lane(self) -> int:
        """Thread of the warp, 0..31."""
        return self.thread % WARP


class HeldElement(NamedTuple):
    """What a register of a thread holds: where it is, its place in tensor memory and the element of the matrix."""

    slot: TmemSlot
    place: TmemPlace
    element: MatrixElement


@shown(picture=True)
class TmemLoads(NamedTuple):
    """The loads, or stores, that cover a matrix in tensor memory; :func:`tmem_loads` makes one, checked."""

    tmem: Tmem
    load: TmemLoad

    @property
    def ok(self) -> bool:
        """True: a wrong instruction raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    @property
    def index_map(self) -> IndexMap:
        """From the lane, the column and the bit to thread of the warpgroup, load, register and element in it."""
        return _of_matrix(self)

    @property
    def along(self) -> int:
        """Loads along the columns."""
        return -(-self.tmem.columns // self.load.columns)

    @property
    def lanes(self) -> tuple[int, ...]:
        """The first lane of each load in the 32 lanes of a warp."""
        if self.load.shape.lanes == WARP:
            return (0,)
        return (self.tmem.lane,) if self.tmem.path.half else (0, 16)

    @property
    def per_warp(self) -> int:
        """Loads of each warp."""
        return len(self.lanes) * self.along

    @property
    def registers(self) -> int:
        """Registers of a thread that all loads take."""
        return self.per_warp * self.load.registers

    @property
    def packed(self) -> int:
        """Elements in a register."""
        return self.load.packed * self.tmem.packed

    @property
    def source(self) -> str:
        """Its figure in PTX."""
        return f"{self.load.shape.source}; {self.tmem.source}"

    def __str__(self) -> str:
        return f"{self.load.text} of {self.tmem}"

    def start(self, warp: int, number: int) -> int:
        """Return the address of a load."""
        part, along = divmod(number, self.along)
        return tmem_address(WARP * warp + self.lanes[part], self.tmem.column + along * self.load.columns)

    def slots(self, row: int, column: int) -> tuple[TmemSlot, ...]:
        """Return where an element is held: one slot, or one for each copy of A. :class:`SmemdescError`: no element."""
        return tuple(self._slot(place) for place in self.tmem.places(row, column))

    def _slot(self, place: TmemPlace) -> TmemSlot:
        return TmemSlot(place.cta, *self.index_map.place(place.lane, place.column, place.bit))

    def bits(self, slot: TmemSlot) -> tuple[int, int]:
        """Return the first and the last bit of an element in its register."""
        apart = WORD // self.packed
        size = 16 if self.tmem.operand == "d" and self.tmem.dtype == "f16" else apart
        return first_and_last(slot.element * apart, size)

    def held(
        self, thread: int | None = None, register: int | None = None, lane: int | None = None, column: int | None = None
    ) -> list[HeldElement]:
        """Return the elements that a thread, a register, a lane or a column holds, in the order of the registers.

        :class:`SmemdescError` if there is no such thread or register, or its warp does not access the lane.
        """
        limits = {"thread": THREADS, "register": self.load.registers, "lane": LANES}
        for (what, limit), number in zip(limits.items(), (thread, register, lane), strict=True):
            if number is not None:
                check_index(what, number, limit)
        if thread is not None and lane is not None and thread // WARP != lane // WARP:
            warp = thread // WARP
            raise SmemdescError(
                f"thread {thread} does not access lane {lane}: it is in warp {warp}, whose lanes are {WARP * warp} to "
                f"{WARP * warp + WARP - 1}",
                hint=f"lane {lane} is accessed by threads {lane // WARP * WARP} to {lane // WARP * WARP + WARP - 1}",
                keyword="lane",
            )
        if column is not None:
            check_index("column", column, COLUMNS)
        lanes = range(LANES) if thread is None else range(thread // WARP * WARP, thread // WARP * WARP + WARP)
        columns = range(self.tmem.column, self.tmem.column + self.tmem.columns)
        places = product(
            range(self.tmem.cta_group),
            lanes if lane is None else (lane,),
            columns if column is None else (column,),
            range(0, self.tmem.bits * self.tmem.packed, self.tmem.bits),
        )
        held = []
        for place in map(TmemPlace._make, places):
            slot = self._slot(place)
            if thread in (None, slot.thread) and register in (None, slot.register):
                found = self.tmem.index_map.preimage(*place)
                if found is not None:
                    held.append(HeldElement(slot, place, MatrixElement(*found[:2])))
        return sorted(held)

    def _with(self, arguments: dict[str, Any]) -> dict[str, Any]:
        whole = self.tmem.to_dict()
        del whole["regions"], whole["source"]
        starts = [f"0x{self.start(0, number):08x}" for number in range(self.per_warp)]
        return {
            **whole,
            "ld": {**self.load.to_dict(self.per_warp), "addresses": starts},
            **arguments,
            "source": self.source,
        }

    def _slot_dict(self, slot: TmemSlot) -> dict[str, int]:
        """Return a slot for JSON; ``half`` of two elements in a register, ``element`` of more."""
        part = {} if self.packed == 1 else {"half" if self.packed == 2 else "element": slot.element}
        return {"warp": slot.warp, "lane": slot.lane, "load": slot.load, "register": slot.register, **part}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: ``places[m][n]`` is [warp, lane, load, register], and the element in the register if
        it holds several; of A the first copy, which the other warps have in the same lanes and registers.
        """
        places = [
            [[*self._slot_dict(self.slots(row, across)[0]).values()] for across in range(self.tmem.width)]
            for row in range(self.tmem.m)
        ]
        return self._with({"places": places})

    def held_dict(
        self, thread: int | None = None, register: int | None = None, lane: int | None = None, column: int | None = None
    ) -> dict[str, Any]:
        """Return what :meth:`held` returns, for JSON."""
        held = [
            {
                "cta": item.slot.cta,
                **self._slot_dict(item.slot),
                "tmem": {"lane": item.place.lane, "column": item.place.column},
                "m": item.element.row,
                self.tmem.letter: item.element.column,
            }
            for item in self.held(thread, register, lane, column)
        ]
        return self._with({"held": held})

    def element_dict(self, element: MatrixElement) -> dict[str, Any]:
        """Return where one element is held, for JSON: a slot for each copy, with its place in tensor memory."""
        places = [
            {
                "cta": slot.cta,
                "thread": slot.thread,
                **self._slot_dict(slot),
                "bits": list(self.bits(slot)),
                "tmem": {"lane": place.lane, "column": place.column},
            }
            for place, slot in zip(self.tmem.places(*element), self.slots(*element), strict=True)
        ]
        return self._with({"at": list(element), "places": places})


@cache
def _of_matrix(of: TmemLoads) -> IndexMap:
    first = {"lane": of.lanes[0], "column": of.tmem.column}
    return of.load.of_warpgroup(of.tmem.columns, first, both=len(of.lanes) > 1, bits=of.tmem.bits)


def load_shape_of(name: str) -> LoadShape:
    """Return a shape by its name in PTX."""
    return next(shape for shape in SHAPES if shape.name == name)


def tmem_loads(tmem: Tmem, shape: str, num: int | None = None, pack: bool = False) -> TmemLoads:
    """Return the loads of one shape that cover a matrix in tensor memory.

    ``num``: the repetitions of one load; default: the most that divide the columns. :class:`SmemdescError` if there is
    no such instruction, or it does not move what the matrix has, with what is legal.
    """
    if pack and (tmem.packed > 1 or tmem.dtype != "f16"):
        many = f"{tmem.packed} elements" if tmem.packed > 1 else "one of 32 bits"
        raise SmemdescError(
            f"pack::16b moves the low 16 bits of a column: {tmem.operand.upper()} in {tmem.dtype} has {many} there",
            hint="omit --pack; it is for D in f16",
            keyword="pack",
        )
    return TmemLoads(tmem, covering(shape, num, tmem.columns, pack=pack, first=tmem.column))


def covering(shape: str, num: int | None, columns: int, *, pack: bool = False, first: int = 0) -> TmemLoad:
    """Return the load of a shape that covers columns from ``first`` on, alone or several times.

    ``num``, and errors, as in :func:`tmem_loads`.
    """
    least = TmemLoad(load_shape_of(shape), 1, pack)
    if columns % least.columns:
        fits = [other.name for other in SHAPES if columns % TmemLoad(other, 1, pack).columns == 0]
        raise SmemdescError(
            f"{shape} moves {least.columns} columns at once: there are {columns}",
            hint=f"use {either(fits)}" if fits else "omit --pack",
            keyword="ld",
        )
    legal = [1 << bit for bit in range(least.shape.most.bit_length())]
    fitting = [one for one in legal if columns % (one * least.columns) == 0]
    chosen = fitting[-1] if num is None else num
    if chosen not in legal:
        raise SmemdescError(
            f"there is no {shape} with x{chosen}",
            hint=f"it is {either(f'x{one}' for one in legal)}: at most {LOAD_REGISTERS} registers",
            keyword="num",
        )
    load = least._replace(num=chosen)
    last = first + -(-columns // load.columns) * load.columns
    if last > COLUMNS:
        raise SmemdescError(
            f"{shape} with x{chosen} moves {load.columns} columns: it would end at column {last - 1}",
            hint=f"tensor memory has {COLUMNS}; use x{fitting[-1]} or less",
            keyword="num",
        )
    return load


_EPILOGUE = 32
"""Registers of one load of an epilogue: more leave few for the rest of a kernel."""


def epilogue_loads(d: Tmem) -> TmemLoads:
    """Return loads of D whose index is simplest: a thread has a row, or half of one where D has half of the lanes."""
    shape = "16x32bx2" if d.path.half else "32x32b"
    widest = tmem_loads(d, shape)
    return tmem_loads(d, shape, min(_EPILOGUE, widest.load.num))


def element_index(loads: TmemLoads, style: str = "text") -> tuple[str, str]:
    """Return m within the CTA and n of register r after load i of thread T of the warpgroup, of :func:`epilogue_loads`.

    ``style``: ``text``, or ``c`` with the names ``thread``, ``load`` and ``r``.
    """
    thread, number = ("thread", "load") if style == "c" else ("T", "i")
    path = loads.tmem.path
    apart = LANES // path.parts
    columns = [formula_term(number, 1, 0, loads.load.columns, style), "r"]
    if path.half:
        rows = f"{formula_term(thread, WARP, 4, 16, style)} + {formula_term(thread, 1, 16, 1, style)}"
        columns.append(formula_term(thread, 1, WARP, loads.load.num, style, 16))
    else:
        rows = formula_term(thread, 1, apart, 1, style)
        if path.parts > 1:
            columns.append(formula_term(thread, apart, path.parts, loads.tmem.columns, style))
    return rows, " + ".join(columns)
