"""One function of PTX: its blocks, and what its tensor-core instructions are given.

Every statement is looked at for what it may write. From the descriptors of the MMAs backwards that tells which
statements matter, and only those are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.answers import CUT_OFF, Question, addresses, answers, both
from smemdesc.scanning.conditions import Condition, guarded, select
from smemdesc.scanning.flow import Block, Step, backwards
from smemdesc.scanning.model import Function, Instruction, Mma, Operand
from smemdesc.scanning.ptx.branches import control_flow
from smemdesc.scanning.ptx.conditions import condition
from smemdesc.scanning.ptx.local import local_memory
from smemdesc.scanning.ptx.meaning import BRANCH, CALL, MMA, Meaning, meaning, source
from smemdesc.scanning.ptx.mma import InMemory, tensor_memory, understand
from smemdesc.scanning.ptx.reading import Body, Item, read
from smemdesc.scanning.ptx.text import Line, Module, after_blanks, plain, shown
from smemdesc.scanning.ssa import Exit

_MARKS = (b"wgmma.mma_async", b"tcgen05.mma", b"tcgen05.cp")
_TEXTS = tuple(mark.decode() for mark in _MARKS)
_WIDTHS = (64, 64, 32, 64)
"""Bits of each operand of :class:`~smemdesc.scanning.ptx.mma.Reads`."""
_NOTHING = Module({}, None, {})


class Found(NamedTuple):
    """A tensor-core instruction; ``reads`` are registers or constants: of its descriptors, then of addresses."""

    line: Line
    instruction: Instruction
    reads: tuple[object, ...]
    memory: tuple[InMemory, ...]


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, module: Module | None = None
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None where it has none.

    ``module`` is what the file around it declares. The text may be cut off at either end.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    return next(functions(text, first, name, arch, module), None)


def functions(
    text: bytes, first: int, name: str | None, arch: str | None, module: Module | None = None
) -> Iterator[Function]:
    """Yield all functions with MMAs that a text holds, and not only at the beginnings of its lines."""
    code = plain(text)
    lines = _Lines(code, first)
    at = 0
    last = max(map(code.rfind, _TEXTS))
    while at <= last:
        body = read(code, (module or _NOTHING).symbols, at)
        found = _function(code, at, body, lines, name if not at and name else body.name, arch, module or _NOTHING)
        if found is not None:
            yield found
        if body.end >= len(code):
            return
        at = body.end


def _function(
    code: str, start: int, body: Body, lines: _Lines, name: str | None, arch: str | None, module: Module
) -> Function | None:
    items = body.items
    found: dict[int, Found] = {}
    odd = body.odd
    unread: list[tuple[int, str]] = []
    for index, item in enumerate(items):
        if item.role is MMA:
            taken = item.line()
            understood = understand(taken)
            if understood is None:
                odd += 1
                unread.append((lines.at(item.at), shown(taken)))
                continue
            reads = tuple(
                None if each is None else source(each, width, item.scope)
                for each, width in zip(understood[1], _WIDTHS, strict=True)
            )
            memory = tensor_memory(taken)
            reads += tuple(source(each.text, 32, item.scope) for each in memory)
            found[index] = Found(taken, understood[0], reads, memory)
    if not found:
        return Function(name, lines.first, "PTX", (), odd, unread=tuple(unread)) if unread else None
    if body.hidden is None:
        local = local_memory(body, code[start : body.end]) if body.arrays else {}
        questions = {index: _question(each) for index, each in found.items()}

        def place(index: int) -> tuple[int, str]:
            if index < len(items):
                return _place(items[index], lines)
            return lines.at(len(code[: body.end].rstrip())), CUT_OFF

        def facts(blocks: list[Block]) -> dict[int, list[Operand | None]]:
            marks, _ = _choose(body, local, blocks, found)
            return answers(blocks, questions, place, 0, marks, partial(_choose, body, local, blocks, found))

        known = both(partial(control_flow, body, module.never), facts)
    else:
        # What is no statement may hide an instruction, a branch or a label.
        at = body.hidden
        known = {
            index: [_hidden(*each, code, at, lines) for each in zip(of.reads, _widths(of), strict=True)]
            for index, of in found.items()
        }
    ends = [index for index, item in enumerate(items) if item.role in (None, BRANCH, CALL)]
    mmas = []
    for index, each in found.items():
        source_line = _source(items[index].loc, body.locations, module.files)
        line = lines.at(items[index].at)
        a, b, idesc, mask, *words = known[index]
        placed = addresses(each.memory, words)
        block = bisect_right(ends, index)
        text = shown(each.line)
        mmas.append(Mma(line, text, each.instruction, a, b, idesc, mask, source_line, arch, None, placed, block))
    at = lines.at(after_blanks(code, start)) if start else lines.first
    return Function(name, at, "PTX", tuple(mmas), odd, unread=tuple(unread))


def _hidden(read: object, width: int, code: str, at: int, lines: _Lines) -> Operand | None:
    if read is None:
        return None
    if isinstance(read, tuple):
        return Operand(read[0] & ones(width), read[1] & ones(width))
    return Operand(0, 0, lines.at(at), " ".join(code[at : at + _SHOWN].split("\n")[0].split()))


_SHOWN = 80


class _Lines:
    """Numbers of lines by offset."""

    def __init__(self, text: str, first: int) -> None:
        self.first = first
        self.ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the number of the line at an offset."""
        return self.first + bisect_right(self.ends, offset)


def _choose(
    body: Body, local: dict[int, Meaning], blocks: list[Block], found: dict[int, Found], asked: Collection[int] = ()
) -> tuple[set[int], dict[int, Exit]]:
    """Put into the blocks the steps on which the descriptors depend, from the MMAs backwards.

    Returns the numbers that predicates compare with, and the branches at the end of the blocks ``asked``, which the
    steps then tell of, too.
    """
    items = body.items
    at = [block.at for block in blocks]
    ends = [*at[1:], len(items)]
    writes = [item.writes for item in items]
    for index, means in local.items():
        writes[index] = means.writes
    chosen: dict[int, Step] = {}
    marks: set[int] = set()

    def conditions(index: int, start: int, predicate: str) -> Condition | None:
        said = condition(items, index, start, predicate, writes.__getitem__)
        if said is not None:
            marks.update(said.constants)
        return said

    exits: dict[int, Exit] = {}
    for number in asked:
        branch = items[ends[number] - 1]
        following = blocks[number].following
        if branch.role is BRANCH and branch.guard and following[1:] == [number + 1]:
            tested = conditions(ends[number] - 1, at[number], branch.guard)
            if tested is not None:
                exits[number] = Exit(tested, *following)

    def visit(number: int, live: set[object]) -> None:
        if number in exits:
            live.update(each for each in exits[number].said.reads if isinstance(each, str))
        for index in range(ends[number] - 1, at[number] - 1, -1):
            written = writes[index]
            if not written:
                if index in found:
                    live.update(each for each in found[index].reads if isinstance(each, str))
                continue
            if live.isdisjoint(written):
                continue
            step = chosen.get(index)
            if step is None:
                step = chosen[index] = _step(items[index], index, local.get(index), at[number], conditions)
            if not step.guarded:
                live.difference_update(step.writes)
            live.update(each for each in step.reads if isinstance(each, str))

    def touched(number: int) -> Iterator[str]:
        return chain.from_iterable(writes[at[number] : ends[number]])

    backwards(blocks, (*(bisect_right(at, index) - 1 for index in found), *exits), visit, touched)
    for each in blocks:
        each.steps = []
    for index in sorted([*chosen, *found]):
        block = blocks[bisect_right(at, index) - 1]
        block.steps.append(chosen[index] if index in chosen else Step(index, (), (), None, watched=True))
    return marks, exits


def _step(
    item: Item, index: int, means: Meaning | None, start: int, conditions: Callable[[int, int, str], Condition | None]
) -> Step:
    if means is None:
        means = meaning(item.line(), item.writes)
    writes, reads, transfer = means.writes, means.reads, means.transfer
    deciding: tuple[int, ...] = ()
    if means.selects:
        said = conditions(index, start, means.selects)
        if said is not None:
            deciding = tuple(range(len(reads), len(reads) + len(said.reads)))
            reads, transfer = (*reads, *said.reads), select(said, reads[0], reads[1], means.width)
    if item.guard and transfer is not None and len(writes) == 1:
        said = conditions(index, start, item.guard)
        if said is not None:
            return guarded(index, writes, reads, transfer, said, 0, deciding)
    return Step(index, writes, reads, transfer, bool(item.guard), deciding=deciding)


def _question(found: Found) -> Question:
    parts = [None if each is None else (each,) for each in found.reads]
    return Question(found.instruction.family, parts, _widths(found))


def _widths(found: Found) -> tuple[int, ...]:
    return (*_WIDTHS, *(32 for _ in found.memory))


def _place(item: Item, lines: _Lines) -> tuple[int, str]:
    """Return the line of an item, and what is shown of it."""
    return lines.at(item.at), shown(item.line()) if item.role is not None else f"{item.mnemonic}:"


_LOC = re.compile(r"\.loc\s+(\d{1,9})\s+(\d{1,9})\s+(\d+)")


def _source(loc: str, locations: dict[tuple[str, ...], str], files: dict[int, str]) -> tuple[str, int] | None:
    """Return the source line of a ``.loc``: of inlined code, where it was called from."""
    found = _LOC.match(loc)
    if not found:
        return None
    place = tuple(found.groups())
    for _ in range(len(locations)):
        outer = locations.get(place)
        if not outer:
            break
        place = tuple(outer.split())
    name = files.get(int(place[0]))
    return None if name is None else (name, int(place[1]))
