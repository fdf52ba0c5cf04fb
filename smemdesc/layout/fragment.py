"""The register fragments of wgmma: the register and thread that hold each element of A and of D.

One map serves both operands and every type. A thread holds runs of neighboring elements of a row: as many as fit a
32-bit register for A, always two for D. The lowest digit of the column counts the elements of a run, the next one the
threads of a quad, the last one pairs of runs; the digits of the row count the quads of a warp, the runs of a pair and
the warps. Thread numbers are within the warpgroup, 0..127; rows and columns are of the 64 x K or 64 x N matrix.

Sources: PTX ISA 9.1, 9.7.15.5.1.1, Figures 148 to 155; the shapes and N from 9.7.15.2.
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
from smemdesc.kinds.instruction import N_INTEGER, legal_n
from smemdesc.kinds.types import DTYPES
from smemdesc.layout.index_map import IndexMap, MatrixElement, check_index, index_map

M = 64
"""Rows of A and D: every wgmma has 64."""
THREADS = 128
"""Threads of a warpgroup, four warps."""
LANES = 32
REGISTER = 32
"""Bits of a register."""
WARP_ROWS = 16
"""Rows that one warp holds."""
FRAGMENT_OPERANDS = ("a", "d")

FRAGMENT_SOURCE = "PTX ISA 9.1, 9.7.15.5.1.1"
FRAGMENT_FIGURES = {(16, "a"): 148, (8, "a"): 150, (32, "a"): 152, (256, "a"): 154}
FRAGMENT_FIGURES |= {(k, "d"): figure + 1 for (k, _), figure in FRAGMENT_FIGURES.items()}

D_TYPES = {8: ("f32",), 16: ("f16", "f32"), 32: ("f16", "f32", "s32"), 256: ("s32",)}
"""The types of D by K."""
_D_BITS = {"f16": 16, "f32": 32, "s32": 32}
_SPARSE = {64: 32}
"""K that only a sparse wgmma has, and the dense one with the same D."""


class WgmmaShape(NamedTuple):
    """The shape of one wgmma, in elements."""

    m: int
    n: int
    k: int

    def __str__(self) -> str:
        return f"m{self.m}n{self.n}k{self.k}"


class RegisterSlot(NamedTuple):
    """Where an element is held."""

    thread: int
    """Within the warpgroup, 0..127."""
    register: int
    element: int = 0
    """Within the register, from the low bits up; 0 where a register holds one."""

    @property
    def warp(self) -> int:
        """Of the warpgroup, 0..3."""
        return self.thread // LANES

    @property
    def lane(self) -> int:
        """Thread of the warp, 0..31."""
        return self.thread % LANES

    @property
    def group(self) -> int:
        """``g``: the quad of the warp, 0..7, which is the row within 8."""
        return self.lane // 4

    @property
    def quad(self) -> int:
        """``t``: thread of the quad, 0..3."""
        return self.thread % 4

    def thread_dict(self) -> dict[str, int]:
        """Return the thread, its warp and its lane, for JSON."""
        return {"thread": self.thread, "warp": self.warp, "lane": self.lane}


@shown(picture=True)
class Fragment(NamedTuple):
    """A or D of one wgmma spread over the registers of a warpgroup; :func:`fragment_layout` makes one, checked."""

    shape: WgmmaShape
    operand: str
    """``a`` or ``d``."""
    dtype: str
    bits: int
    """Bits of one element in a register."""

    @property
    def ok(self) -> bool:
        """True: an invalid layout raises when it is constructed."""
        return True

    @property
    def findings(self) -> tuple[()]:
        """None: no rule is about geometry alone."""
        return ()

    @property
    def columns(self) -> int:
        """Columns of the matrix: K for A, N for D."""
        return self.shape.k if self.operand == "a" else self.shape.n

    @property
    def packed(self) -> int:
        """Elements in one register."""
        return REGISTER // self.bits

    @property
    def run(self) -> int:
        """Neighboring elements of a row that a thread holds together."""
        return self.packed if self.operand == "a" else 2

    @property
    def elements(self) -> int:
        """Elements that one thread holds."""
        return M * self.columns // THREADS

    @property
    def registers(self) -> int:
        """Registers of one thread for them."""
        return self.elements // self.packed

    @property
    def source(self) -> str:
        """Its figure in PTX."""
        return f"{FRAGMENT_SOURCE}, Figure {FRAGMENT_FIGURES[self.shape.k, self.operand]}"

    def __str__(self) -> str:
        return f"{self.operand.upper()} of {self.shape} in {self.dtype}"

    @property
    def index_map(self) -> IndexMap:
        """From the row and the column to the thread, the register and the element in it."""
        return _index_map(self)

    def number(self, place: RegisterSlot) -> int:
        """Return the index of an element within its thread: i of a_i or d_i, as PTX counts them."""
        return place.register * self.packed + place.element

    def cell(self, thread: int, register: int, element: int = 0) -> MatrixElement:
        """Return the row and column of an element. :class:`SmemdescError` names what is out of range."""
        check_index("thread", thread, THREADS)
        check_index("register", register, self.registers)
        check_index("element", element, self.packed)
        return MatrixElement(*self.index_map.inverse.place(thread, register, element))

    def place(self, row: int, column: int) -> RegisterSlot:
        """Return the thread and register of an element. :class:`SmemdescError` names what is out of range."""
        check_index("row", row, M)
        check_index("column", column, self.columns)
        return RegisterSlot(*self.index_map.place(row, column))

    def thread_elements(self, thread: int) -> list[tuple[RegisterSlot, MatrixElement]]:
        """Return all that a thread holds, in the order of its registers."""
        return [element for register in self.by_register(thread) for element in register]

    def by_register(self, thread: int, register: int | None = None) -> list[list[tuple[RegisterSlot, MatrixElement]]]:
        """Return what a thread holds, one list per register; ``register``: only this one."""
        registers = range(self.registers) if register is None else (register,)
        return [
            [(RegisterSlot(thread, one, at), self.cell(thread, one, at)) for at in range(self.packed)]
            for one in registers
        ]

    def rows(self, first: int = 0, last: int = M) -> Iterator[list[RegisterSlot]]:
        """Yield the rows ``first`` to ``last - 1`` of the matrix, each as the places of its columns."""
        for row in range(first, last):
            yield [RegisterSlot(*self.index_map.place(row, column)) for column in range(self.columns)]

    def repeat(self) -> tuple[int, int] | None:
        """Return the columns after which the same threads repeat, and the registers by which they have advanced.

        None if no column repeats.
        """
        last = max(move for move in self.index_map.moves if move.input == "column")
        return (last.step, last.distance) if last.output == "register" else None

    def _with(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {
            "shape": str(self.shape),
            "operand": self.operand,
            "dtype": self.dtype,
            "rows": M,
            "columns": self.columns,
            "registers": self.registers,
            "elements_per_register": self.packed,
            **arguments,
            "source": self.source,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: ``places[row][column]`` is [thread, register, element]."""
        return self._with({"places": [[list(place) for place in row] for row in self.rows()]})

    def register_dict(self, register: int) -> dict[str, Any]:
        """Return what one register holds in each thread: ``cells[thread][element]`` is [row, column]."""
        cells = [
            [list(cell) for _, cell in elements]
            for thread in range(THREADS)
            for elements in self.by_register(thread, register)
        ]
        return self._with({"register": register, "cells": cells})

    def thread_dict(self, thread: int, register: int | None = None) -> dict[str, Any]:
        """Return the registers of one thread: each with the [row, column] of its elements, from the low bits up."""
        held = [
            {"register": elements[0][0].register, "cells": [list(cell) for _, cell in elements]}
            for elements in self.by_register(thread, register)
        ]
        return self._with({**RegisterSlot(thread, 0).thread_dict(), "held": held})

    def element_dict(self, cell: MatrixElement) -> dict[str, Any]:
        """Return the place of one element; ``index`` is i of a_i or d_i."""
        place = self.place(*cell)
        held = {"register": place.register, "element": place.element, "index": self.number(place)}
        return self._with({**cell._asdict(), **place.thread_dict(), **held})


@cache
def _index_map(of: Fragment) -> IndexMap:
    inside = "element" if of.packed > 1 else "register"
    registers = of.run // of.packed
    return index_map(
        "thread register element",
        {
            "row": [(8, "thread", 4), (2, "register", registers), (4, "thread", LANES)],
            "column": [
                (of.run, inside, 1),
                (4, "thread", 1),
                (of.columns // (4 * of.run), "register", 2 * registers),
            ],
        },
    )


def parse_wgmma_shape(text: str) -> WgmmaShape:
    """Read ``m64n128k16`` (in either case, a dot before it or not) as a shape of a dense wgmma.

    :class:`SmemdescError` if wgmma lacks M or K; the legal N depend on the type.
    """
    read = re.fullmatch(r"\.?m(\d{1,6})n(\d{1,6})k(\d{1,6})", text.strip(), re.IGNORECASE | re.ASCII)
    if read is None:
        raise SmemdescError(f"{text!r} is not a wgmma shape", hint="write M, N and K in elements, as in m64n128k16")
    shape = WgmmaShape(*(int(number) for number in read.groups()))
    if shape.m != M:
        raise SmemdescError(f"{text}: wgmma has no M = {shape.m}", hint=f"write {shape._replace(m=M)}")
    if shape.k in _SPARSE:
        dense = shape._replace(k=_SPARSE[shape.k])
        raise SmemdescError(
            f"{text}: K = {shape.k} is that of a sparse wgmma, whose A in registers is compressed",
            hint=f"its D is that of {dense}",
        )
    if shape.k not in D_TYPES:
        raise SmemdescError(
            f"{text}: wgmma has no K = {shape.k}",
            hint="K is 8 (tf32), 16 (f16, bf16), 32 (e4m3, e5m2, s8, u8) or 256 (b1)",
        )
    return shape


def fragment_types(shape: WgmmaShape, operand: str) -> tuple[str, ...]:
    """Return the types that A or D of a shape can have."""
    if operand == "a":
        return tuple(dtype.name for dtype in DTYPES if dtype.wgmma and dtype.k == shape.k)
    return D_TYPES[shape.k]


def fragment_layout(shape: WgmmaShape | str, operand: str, dtype: str | None = None) -> Fragment:
    """Return the fragment of A or D, in the type of that operand itself (``f32`` for a D in f32).

    ``dtype`` may be omitted if the shape has only one. :class:`SmemdescError` if the shape has no such
    type, or the type no such N, with what to write instead.
    """
    shape = parse_wgmma_shape(str(shape))
    name = operand.lower()
    if name not in FRAGMENT_OPERANDS:
        raise SmemdescError(
            f"unknown operand of a fragment: {operand!r}",
            hint="use a or d: B is always in shared memory",
            keyword="operand",
        )
    can = fragment_types(shape, name)
    if dtype is None:
        if len(can) > 1:
            raise SmemdescError(
                f"the type of {name.upper()} is missing: {shape} has several",
                hint=f"it is {either(can)}",
                keyword="dtype",
            )
        dtype = can[0]
    dtype = named("dtype", aliases.dtype_alias, dtype)
    if dtype not in can:
        raise SmemdescError(
            f"{name.upper()} of {shape} is never {dtype!r}",
            hint=f"it is {either(can)}{_elsewhere(dtype, shape, name)}",
            keyword="dtype",
        )
    legal = legal_n(dtype)
    if shape.n not in legal:
        near = sorted(sorted(legal, key=lambda n: abs(n - shape.n))[:2])
        which = "8, 16, 24, 32, 48, ... 256, in steps of 16" if legal is N_INTEGER else "8 to 256 in steps of 8"
        raise SmemdescError(
            f"N {shape.n} is not legal with {dtype}: it is {which} (PTX ISA 9.1, 9.7.15.2)",
            hint=f"write {either(shape._replace(n=n) for n in near)}",
            keyword="shape",
        )
    return Fragment(shape, name, dtype, _bits(dtype, name))


def _bits(dtype: str, operand: str) -> int:
    if operand == "d":
        return _D_BITS[dtype]
    return next(entry.bits for entry in DTYPES if entry.name == dtype)


def _elsewhere(dtype: str, shape: WgmmaShape, operand: str) -> str:
    """Return where the type does belong: K of the dense instruction, or D's own type."""
    own = {dtype.name: dtype.k for dtype in DTYPES if dtype.wgmma}
    if operand == "a":
        return f"; {dtype} has {shape._replace(k=own[dtype])}" if dtype in own else ""
    return f" ({dtype} is a type of A and B; give D's own)" if own.get(dtype) == shape.k else ""
