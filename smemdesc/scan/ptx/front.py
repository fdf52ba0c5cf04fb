"""One function of PTX: its blocks, and what its tensor-core instructions are given.

Every statement is looked at for what it may write. From the descriptors of the MMAs backwards that tells which
statements matter, and only those are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from smemdesc.fields import ones
from smemdesc.scan.flow import Block, State, Step, backwards, solve
from smemdesc.scan.model import Function, Instruction, Mma, Operand
from smemdesc.scan.ptx.branches import control_flow
from smemdesc.scan.ptx.local import local_memory
from smemdesc.scan.ptx.meaning import MMA, Meaning, meaning, source
from smemdesc.scan.ptx.mma import understand
from smemdesc.scan.ptx.reading import Body, Item, read
from smemdesc.scan.ptx.text import Line, Module, plain, shown

_MARKS = (b"wgmma.mma_async", b"tcgen05.mma", b"tcgen05.cp")
_WIDTHS = (64, 64, 32, 64)
"""Bits of each operand of :class:`~smemdesc.scan.ptx.mma.Reads`."""
_NOTHING = Module({}, None, {})


class Found(NamedTuple):
    """A tensor-core instruction; ``reads`` are registers or constants."""

    line: Line
    instruction: Instruction
    reads: tuple[object, ...]


Fact = tuple[int, int, int | None]


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, module: Module | None = None
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None where it has none.

    ``module`` is what the file around it declares. The text may be cut off at either end.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    module = module or _NOTHING
    code = plain(text)
    body = read(code, module.symbols)
    items = body.items
    found: dict[int, Found] = {}
    odd = body.odd
    for index, item in enumerate(items):
        if item.role is MMA:
            taken = item.line()
            understood = understand(taken)
            if understood is None:
                odd += 1
                continue
            reads = tuple(
                None if each is None else source(each, width, item.scope)
                for each, width in zip(understood[1], _WIDTHS, strict=True)
            )
            found[index] = Found(taken, understood[0], reads)
    if not found:
        return None
    blocks = control_flow(body)
    _choose(body, local_memory(body, code[: body.end]) if body.arrays else {}, blocks, found)
    facts = _facts(blocks, found)
    lines = _Lines(code, first)
    mmas = []
    for index, each in found.items():
        a, b, idesc, mask = (
            None if fact is None else _operand(fact, width, items, lines)
            for fact, width in zip(facts[index], _WIDTHS, strict=True)
        )
        source_line = _source(items[index].loc, body.locations, module.files)
        line = lines.at(items[index].at)
        mmas.append(Mma(line, shown(each.line), each.instruction, a, b, idesc, mask, source_line, arch))
    return Function(name, first, "PTX", tuple(mmas), odd)


class _Lines:
    """Numbers of lines by offset."""

    def __init__(self, text: str, first: int) -> None:
        self.first = first
        self.ends = [found.start() for found in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the number of the line at an offset."""
        return self.first + bisect_right(self.ends, offset)


def _choose(body: Body, local: dict[int, Meaning], blocks: list[Block], found: dict[int, Found]) -> None:
    """Put into the blocks the steps on which the descriptors depend, from the MMAs backwards."""
    items = body.items
    at = [block.at for block in blocks]
    ends = [*at[1:], len(items)]
    writes = [item.writes for item in items]
    for index, means in local.items():
        writes[index] = means.writes
    chosen: dict[int, Step] = {}

    def visit(number: int, live: set[object]) -> None:
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
                step = chosen[index] = _step(items[index], index, local.get(index))
            if not step.guarded:
                live.difference_update(step.writes)
            live.update(each for each in step.reads if isinstance(each, str))

    backwards(blocks, (bisect_right(at, index) - 1 for index in found), visit)
    for index in sorted([*chosen, *found]):
        block = blocks[bisect_right(at, index) - 1]
        block.steps.append(chosen[index] if index in chosen else Step(index, (), (), None, watched=True))


def _step(item: Item, index: int, means: Meaning | None) -> Step:
    if means is None:
        means = meaning(item.line(), item.writes)
    return Step(index, means.writes, means.reads, means.transfer, bool(item.guard))


def _facts(blocks: list[Block], found: dict[int, Found]) -> dict[int, list[Fact | None]]:
    """Return what is known of each descriptor where it is used."""
    facts: dict[int, list[Fact | None]] = {}

    def watch(step: Step, state: State) -> None:
        facts[step.at] = [None if each is None else state.fact(each) for each in found[step.at].reads]

    solve(blocks, watch)
    return facts


def _operand(fact: Fact, width: int, items: list[Item], lines: _Lines) -> Operand:
    full = ones(width)
    bits, known, lost = fact[0] & full, fact[1] & full, fact[2]
    if known == full or lost is None:
        return Operand(bits, known)
    item = items[lost]
    text = shown(item.line()) if item.role is not None else f"{item.mnemonic}:"
    return Operand(bits, known, lines.at(item.at), text)


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
