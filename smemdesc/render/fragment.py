"""A register fragment as lines and as JSON: drawn rows by columns, one thread's registers, one element."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from smemdesc.layout.fragment import LANES, THREADS, WARP_ROWS, Cell, Fragment, M, Place
from smemdesc.render.lines import Line, Span, columns, indented

QUAD = ("key", "good", "raw", "changed")
"""The style of each thread of a quad."""
_JOINED = 4
"""Where a register holds more elements than that, the drawing has one cell a register and not one an element."""


def notation(fragment: Fragment, place: Place) -> str:
    """Return ``T5:r2``; ``T5:r2.1`` where a register holds several elements."""
    text = f"T{place.thread}:r{place.register}"
    return f"{text}.{place.element}" if fragment.packed > 1 else text


def step(fragment: Fragment) -> int:
    """Columns that one cell of a drawing stands for."""
    return fragment.packed if fragment.packed > _JOINED else 1


def cell_text(fragment: Fragment, place: Place) -> str:
    """Return what stands in a cell of a drawing; ``T5:r2.0..31`` where it is a whole register."""
    text = notation(fragment, place)
    return f"{text}..{place.element + step(fragment) - 1}" if step(fragment) > 1 else text


class _Cells:
    """The texts of a drawing's cells; what follows the thread's number is the same for every thread."""

    def __init__(self, fragment: Fragment, rows: int, register: int | None) -> None:
        first = [*fragment.rows(0, 1), *fragment.rows(8, 9)]
        self.ends = {
            place[1:]: cell_text(fragment, place).partition(":")[2] for row in first for place in row[:: step(fragment)]
        }
        self.register = register
        last = rows // WARP_ROWS * LANES - 1
        self.wide = len(f"T{last}:") + max(len(end) for end in self.ends.values())

    def line(self, row: int, places: Sequence[Place]) -> Line:
        """Return one row; neighbours of one style make one span, which is what painting costs."""
        line: Line = [(f"{row:>2}  ", "dim")]
        text, style = "", ""
        for thread, register, element in places:
            if self.register is None or register == self.register:
                cell, own = f"T{thread}:{self.ends[register, element]}", QUAD[thread % 4]
            else:
                cell, own = ".", "dim"
            if own != style:
                line.append((text, style))
                text, style = "", own
            text += f"{cell:<{self.wide}} "
        line.append((text.rstrip(), style))
        return line


def title(fragment: Fragment) -> str:
    """Return what is shown, with its size and its registers."""
    registers = f"{fragment.registers} registers a thread"
    if fragment.packed > 1:
        registers += f", {fragment.packed} elements a register"
    return f"{fragment}: 64 x {fragment.columns}, {registers}"


def drawing(
    fragment: Fragment, width: int | None, *, everything: bool = False, register: int | None = None
) -> Iterator[Line]:
    """Yield the matrix rows by columns, warp by warp, each cell saying who holds it.

    ``everything``: all four warps, else the first and a line about the others. ``register``: show only what
    this one holds. Where lines have a ``width``, blocks of columns come one below another.
    """
    if register is not None:
        fragment.cell(0, register)  # refuses what there is not
    yield from indented([], title(fragment), "heading", width)
    if fragment.packed > 1:
        last = fragment.packed - 1
        yield from indented([("  ", "")], f"T0:r0.0 is the lowest {_bits(fragment)} of r0 of thread 0", "dim", width)
        if step(fragment) > 1:
            yield from indented([("  ", "")], f"a cell is a register: its elements 0..{last}", "dim", width)
    if register is not None:
        yield from indented([("  ", "")], f"only r{register} is shown", "dim", width)
    rows = M if everything else WARP_ROWS
    places = [row[:: step(fragment)] for row in fragment.rows(0, rows)]
    cells = _Cells(fragment, rows, register)
    wide = cells.wide
    count = _fitting(fragment, width, wide, len(places[0]))
    for warp in range(rows // WARP_ROWS):
        first = warp * WARP_ROWS
        yield [(f"warp {warp}", "heading"), (f", rows {first}..{first + WARP_ROWS - 1}", "")]
        for left in range(0, len(places[0]), count):
            right = min(left + count, len(places[0]))
            heads = [f"{column * step(fragment):<{wide}}" for column in range(left, right)]
            yield [("    " + " ".join(heads).rstrip(), "dim")]
            for row in range(first, first + WARP_ROWS):
                yield cells.line(row, places[row][left:right])
    if not everything:
        below = cell_text(fragment, fragment.place(WARP_ROWS, 0))
        yield from indented(
            [],
            f"rows {WARP_ROWS}..{M - 1}: warps 1 to 3 hold them in the same way, each {WARP_ROWS} rows and {LANES} "
            f"threads further on (row {WARP_ROWS} begins with {below}); --all draws them",
            "dim",
            width,
        )
    yield from _formula(fragment, width)


def _fitting(fragment: Fragment, width: int | None, wide: int, cells: int) -> int:
    """Return how many cells stand beside each other: whole repeats of the four threads, if that fits."""
    if width is None:
        return cells
    fits = max(1, (width - 3) // (wide + 1))
    repeat = 4 * fragment.run // step(fragment)
    if fits >= repeat:
        return min(cells, fits - fits % repeat)
    while repeat > fits:
        repeat //= 2
    return repeat


def _bits(fragment: Fragment) -> str:
    return "bit" if fragment.bits == 1 else f"{fragment.bits} bits"


def _formula(fragment: Fragment, width: int | None) -> Iterator[Line]:
    """Yield the formula with this fragment's numbers, and its source."""
    run = fragment.run
    inner = f" + i mod {run}" if run > 1 else ""
    piece = f"i div {run}" if run > 1 else "i"
    letter = fragment.operand
    register = f"r(i div {fragment.packed}).(i mod {fragment.packed})" if fragment.packed > 1 else "r(i)"
    yield from indented([("row", "key"), (" = ", "")], "16w + g + 8(p mod 2)", "", width)
    lead = f"{run}t" if run > 1 else "t"
    yield from indented([("column", "key"), (" = ", "")], f"{lead}{inner} + {4 * run}(p div 2)", "", width)
    yield from indented(
        [("  with ", "dim")],
        f"w = T div 32 (warp), g = T mod 32 div 4, t = T mod 4, p = {piece}, element {letter}_i in {register}",
        "dim",
        width,
    )
    yield from indented([("  source: ", "dim")], fragment.source, "dim", width)


def joined(lines: Iterable[Line]) -> Line:
    """Return lines as one, with newlines in it: a large drawing is painted three times as fast as one text."""
    one: Line = []
    for line in lines:
        one += [*line, ("\n", "")]
    return one[:-1]


def thread_lines(fragment: Fragment, thread: int, width: int | None, register: int | None = None) -> Iterator[Line]:
    """Yield the registers of one thread (or one of them) with the rows and columns that they hold."""
    held = _held(fragment, thread, register)
    who = held[0][0][0]
    yield from indented([(f"T{thread}", "value"), ("  ", "")], title(fragment), "heading", width)
    yield from indented(
        [("  ", "")], f"warp w = {who.warp}, lane {who.lane}, g = {who.group}, t = {who.quad}", "dim", width
    )
    rows: list[list[Span]] = [
        [
            ("register", "dim"),
            ("elements" if fragment.packed > 1 else "element", "dim"),
            ("row", "dim"),
            ("column", "dim"),
        ]
    ]
    if fragment.packed > 1:
        rows[0][-1] = ("columns", "dim")
    for elements in held:
        (place, cell), (last, end) = elements[0], elements[-1]
        style = QUAD[place.quad]
        rows.append(
            [
                (f"r{place.register}", style),
                (_range(fragment.operand, fragment.number(place), fragment.number(last)), ""),
                (str(cell.row), "value"),
                (_range("", cell.column, end.column), "value"),
            ]
        )
    yield from columns(rows, width)
    yield from _formula(fragment, width)


def _range(letter: str, first: int, last: int) -> str:
    return f"{letter}{first}" if first == last else f"{letter}{first}..{letter}{last}"


def _held(fragment: Fragment, thread: int, register: int | None) -> list[list[tuple[Place, Cell]]]:
    """Return what a thread holds, a list a register."""
    fragment.cell(thread, register or 0)  # refuses what there is not
    held = fragment.held(thread)
    packed = fragment.packed
    each = [held[at : at + packed] for at in range(0, len(held), packed)]
    return each if register is None else [each[register]]


def element_lines(fragment: Fragment, cell: Cell, width: int | None) -> Iterator[Line]:
    """Yield who holds one element: thread, warp, lane, register, and the formula with the numbers in it."""
    place = fragment.place(*cell)
    row, column = cell
    run, packed = fragment.run, fragment.packed
    number = fragment.number(place)
    inner = column % run
    piece = number // run
    told = f"holds row {row}, column {column} of {fragment}"
    yield from indented([(notation(fragment, place), "value"), ("  ", "")], told, "heading", width)
    across = f"{column} div {run} mod 4" if run > 1 else f"{column} mod 4"
    rows: list[list[Span]] = [
        _fact("w", place.warp, f"{row} div 16", "warp of the warpgroup"),
        _fact("g", place.group, f"{row} mod 8", "quad of the warp: the row within 8"),
        _fact("t", place.quad, across, f"thread of the quad: {run} column{'s' if run > 1 else ''} each"),
        _fact(
            "p",
            piece,
            f"2 x ({column} div {4 * run}) + {row} div 8 mod 2 = 2 x {piece // 2} + {piece % 2}",
            f"run of the thread: rows g and g + 8 in turn, then {4 * run} columns on",
        ),
        _fact("thread", place.thread, f"32w + 4g + t = {32 * place.warp} + {4 * place.group} + {place.quad}", ""),
        _fact("lane", place.lane, f"4g + t = {4 * place.group} + {place.quad}", ""),
        _fact(
            "i",
            number,
            f"{run}p + {column} mod {run} = {run * piece} + {inner}" if run > 1 else "p",
            f"element {fragment.operand}{number} of the thread",
        ),
        _fact("register", place.register, f"i div {packed} = {number} div {packed}" if packed > 1 else "i", ""),
    ]
    if packed > 1:
        low = place.element * fragment.bits
        bits = f"bit {low}" if fragment.bits == 1 else f"bits {low}..{low + fragment.bits - 1}"
        rows.append(
            _fact("element", place.element, f"i mod {packed} = {number} mod {packed}", f"{bits} of the register")
        )
    yield from columns(rows, width)
    yield [("back", "heading")]
    lead = f"{run}t + i mod {run}" if run > 1 else "t"
    shown = f"{run * place.quad} + {inner}" if run > 1 else str(place.quad)
    steps = 4 * run * (piece // 2)
    yield from columns(
        [
            _fact(
                "row",
                row,
                f"16w + g + 8(p mod 2) = {WARP_ROWS * place.warp} + {place.group} + {8 * (piece % 2)}",
                "",
            ),
            _fact("column", column, f"{lead} + {4 * run}(p div 2) = {shown} + {steps}", ""),
        ],
        width,
    )
    yield from indented([("  source: ", "dim")], fragment.source, "dim", width)


def _fact(name: str, value: int, how: str, meaning: str) -> list[Span]:
    return [(f"  {name}", "key"), (str(value), "value"), (f"= {how}", ""), (meaning, "dim")]


def _head(fragment: Fragment) -> dict[str, Any]:
    return {
        "shape": str(fragment.shape),
        "operand": fragment.operand,
        "dtype": fragment.dtype,
        "rows": M,
        "columns": fragment.columns,
        "registers": fragment.registers,
        "elements_per_register": fragment.packed,
    }


def fragment_dict(fragment: Fragment) -> dict[str, Any]:
    """Return the whole fragment: ``places[row][column]`` is [thread, register, element]."""
    return {
        **_head(fragment),
        "places": [[list(place) for place in row] for row in fragment.rows()],
        **_source(fragment),
    }


def register_dict(fragment: Fragment, register: int) -> dict[str, Any]:
    """Return what one register holds in each thread: ``cells[thread][element]`` is [row, column]."""
    cells = [
        [list(fragment.cell(thread, register, element)) for element in range(fragment.packed)]
        for thread in range(THREADS)
    ]
    return {**_head(fragment), "register": register, "cells": cells, **_source(fragment)}


def thread_dict(fragment: Fragment, thread: int, register: int | None = None) -> dict[str, Any]:
    """Return the registers of one thread: each with the [row, column] of its elements, from the low bits up."""
    held = _held(fragment, thread, register)
    place = held[0][0][0]
    return {
        **_head(fragment),
        **_who(place),
        "held": [{"register": each[0][0].register, "cells": [list(cell) for _, cell in each]} for each in held],
        **_source(fragment),
    }


def element_dict(fragment: Fragment, cell: Cell) -> dict[str, Any]:
    """Return who holds one element; ``index`` is i of a_i or d_i."""
    place = fragment.place(*cell)
    return {
        **_head(fragment),
        "row": cell.row,
        "column": cell.column,
        **_who(place),
        "register": place.register,
        "element": place.element,
        "index": fragment.number(place),
        **_source(fragment),
    }


def _who(place: Place) -> dict[str, int]:
    return {"thread": place.thread, "warp": place.warp, "lane": place.lane}


def _source(fragment: Fragment) -> dict[str, str]:
    return {"source": fragment.source}
