"""One function of PTX: its blocks, and the operands of its tensor-core instructions.

Every statement is examined for what it may write; only those that a descriptor depends on are fully parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from smemdesc.engine.fields import ones
from smemdesc.scanning.analysis.moves import in_loops, runs, with_moves
from smemdesc.scanning.analysis.operands import CUT_OFF, Query, operands_of, operands_with_cut, scanned_mma
from smemdesc.scanning.analysis.ssa import Block, FunctionCode, PredicateLiteral, Register, Ssa, SsaStep, writers_of
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.mma import ParsedMma
from smemdesc.scanning.languages.mnemonics import ACCESSES, MAPS
from smemdesc.scanning.languages.ptx.body import Body, control_flow, read
from smemdesc.scanning.languages.ptx.local import local_memory
from smemdesc.scanning.languages.ptx.lower import (
    ACCESS,
    BRANCH,
    CALL,
    MARKS,
    MMA,
    cause,
    literal,
    lower,
    source,
    symbol,
)
from smemdesc.scanning.languages.ptx.mma import understand
from smemdesc.scanning.languages.ptx.tensormap import changes
from smemdesc.scanning.languages.ptx.text import PtxModule, PtxStatement, after_blanks, plain, shown
from smemdesc.scanning.languages.tensor_memory import settled
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Function, ScannedOperand

_READ = (*MARKS, *MAPS, *ACCESSES)
_MARKS = tuple(mark.encode() for mark in _READ)
_NOTHING = PtxModule({}, None, {})


class PtxCode(FunctionCode):
    """The statements of a function, by their numbers (:class:`smemdesc.scanning.analysis.ssa.FunctionCode`)."""

    def __init__(self, items: Sequence[PtxStatement], local: Mapping[int, SsaStep], blocks: Sequence[Block]) -> None:
        """``local``: the steps of loads and stores of local memory."""
        self.items = items
        self.local = local
        self.blocks = blocks
        self.ends = [*(block.at for block in blocks[1:]), len(items)]
        self._writers = writers_of((local.get(index) or item).writes for index, item in enumerate(items))

    def writers(self, register: Register) -> Sequence[int]:
        """Return the statements that may write a register, in order."""
        return self._writers.get(register, ())

    def guard(self, index: int) -> PredicateLiteral | None:
        """Return the predicate under which a statement is executed."""
        item = self.items[index]
        return literal(item.guard, item.scope) if item.guard else None

    def cause(self, index: int) -> str | None:
        """Return which source outside the text a statement takes its result from."""
        return cause(self.items[index]) if index < len(self.items) else None

    def symbol(self, index: int) -> tuple[str, int] | None:
        """Return the variable whose address a statement reads, and the number added to it."""
        return symbol(self.items[index])

    def selects(self, index: int) -> bool:
        """Return whether a statement may be a select."""
        return self.items[index].mnemonic[:4] == "selp"

    def step(self, index: int, register: Register) -> SsaStep:
        """Translate what a statement writes into a register."""
        item = self.items[index]
        step = self.local.get(index) or lower(item)
        return step if register in step.writes else SsaStep((register,))

    def edge(self, block: int, to: int) -> Sequence[tuple[int, PredicateLiteral]]:
        """Return the predicates that the branch at the end of a block implies on an edge."""
        last = self.ends[block] - 1
        item = self.items[last]
        if item.role is not BRANCH or not item.guard or self.blocks[block].at > last:
            return ()
        if item.mnemonic[:2] == "br" and len(set(self.blocks[block].following)) < 2:
            return ()
        condition = literal(item.guard, item.scope)
        return ((last, condition._replace(holds=condition.holds != (to == block + 1))),)


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, module: PtxModule | None = None
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``module`` is what the file around it declares. The text may be cut off at either end.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    return next(functions(text, first, name, arch, module), None)


def functions(
    text: bytes, first: int, name: str | None, arch: str | None, module: PtxModule | None = None
) -> Iterator[Function]:
    """Yield all functions with MMAs, or with changes of tensor maps, in a text, also those that do not begin a line."""
    code = plain(text)
    lines = _Lines(code, first)
    at = 0
    last = max(map(code.rfind, _READ))
    while at <= last:
        body = read(code, (module or _NOTHING).symbols, at)
        function = _function(code, at, body, lines, name if not at and name else body.name, arch, module or _NOTHING)
        if function is not None:
            yield function
        if body.end >= len(code):
            return
        at = body.end


def _function(
    code: str, start: int, body: Body, lines: _Lines, name: str | None, arch: str | None, module: PtxModule
) -> Function | None:
    items = body.items
    instructions, wrong = tensor_cores(items)
    odd = body.odd + len(wrong)
    unread = [(lines.at(item.at), shown(item)) for item in wrong]
    maps = {index: operands for index, item in enumerate(items) if (operands := list(changes(item)))}
    if not instructions and not maps:
        return Function(name, lines.first, "PTX", (), odd, unread=tuple(unread)) if unread else None
    queries = _queries(instructions, maps)
    numbers: list[Mapping[int, int]] = []
    loops: list[set[int]] = []

    def interrupted(before: int, index: int) -> bool:
        return _INTERRUPTS.search(code, items[before].at, items[index].at) is not None

    if body.hidden is None:
        local = local_memory(body, code[start : body.end]) if body.arrays else {}

        def place(index: int) -> tuple[int, str]:
            if index == len(items) and body.cut:
                return lines.at(len(code[: body.end].rstrip())), CUT_OFF
            item = items[min(index, len(items) - 1)]
            return lines.at(item.at), f"{item.mnemonic}:" if item.role is None else shown(item)

        def facts(blocks: list[Block]) -> dict[int, list[ScannedOperand | None]]:
            numbers.append(runs(blocks, list(instructions), interrupted))
            loops.append(in_loops(blocks, list(instructions), interrupted))
            return operands_of(Ssa(blocks, PtxCode(items, local, blocks), len(items)), queries, place, arch)

        known = operands_with_cut(partial(control_flow, body, module.noreturn), facts)
    else:
        # Text that is not a statement may hide an instruction, a branch or a label.
        at = body.hidden
        known = {
            index: [
                _hidden(part and part[0], width, code, at, lines)
                for part, width in zip(query.parts, query.widths, strict=True)
            ]
            for index, query in queries.items()
        }
    ends = [index for index, item in enumerate(items) if item.role in (None, BRANCH, CALL)]
    mmas = []
    for index, mma in instructions.items():
        source_line = _source(items[index].loc, body, module.files)
        scanned = scanned_mma(lines.at(mma.line.at), shown(mma.line), mma.instruction, mma.operands, known[index])
        mmas.append(scanned._replace(source=source_line, arch=arch, block=bisect_right(ends, index)))
    at = lines.at(after_blanks(code, start)) if start else lines.first
    changed = tuple(
        change.known(lines.at(items[index].at), operand)
        for index, operands in maps.items()
        for change, operand in zip(operands, known[index], strict=True)
    )
    if numbers:
        ordered = list(instructions)
        mmas = list(
            with_moves(mmas, [numbers[0][index] for index in ordered], [index in loops[0] for index in ordered])
        )
    function = Function(name, at, "PTX", tuple(mmas), odd, unread=tuple(unread), maps=changed)
    return with_other_groups(settled(function, body.owns_its_memory), [code[start : body.end]])


_INTERRUPTS = re.compile(
    r"\b(?:mbarrier|bar|barrier|st|stmatrix|cp|red|atom|multimem|call|tcgen05\.(?:wait|ld|st|cp|shift|alloc|dealloc))"
    r"[.\s]"
)
"""Instructions that wait for other threads, or may write memory that an MMA reads."""


def _queries(
    instructions: Mapping[int, ParsedMma[PtxStatement]], maps: Mapping[int, Sequence[MapOperand]]
) -> dict[int, Query]:
    """Return what is asked of the registers of MMAs and of what is written to tensor maps, by their item numbers."""
    of_mmas = {
        index: Query(
            mma.instruction.family,
            [None if register is None else (register,) for register in mma.operands.reads],
            mma.operands.widths,
        )
        for index, mma in instructions.items()
    }
    of_maps = {
        index: Query("", [(change.value,) for change in operands], [change.width for change in operands])
        for index, operands in maps.items()
    }
    return of_mmas | of_maps


def tensor_cores(items: Sequence[PtxStatement]) -> tuple[dict[int, ParsedMma[PtxStatement]], list[PtxStatement]]:
    """Return the tensor-core instructions by their item numbers, and those that are not understood."""
    instructions: dict[int, ParsedMma[PtxStatement]] = {}
    wrong = []
    for index, item in enumerate(items):
        if item.role is MMA or item.role is ACCESS:
            understood = understand(item)
            if understood is None:
                wrong += [item] if item.role is MMA else []
                continue
            instruction, names = understood
            operands = names.converted(partial(source, scope=item.scope))
            instructions[index] = ParsedMma(item, instruction, operands)
    return instructions, wrong


def _hidden(read: object, width: int, code: str, at: int, lines: _Lines) -> ScannedOperand | None:
    if read is None:
        return None
    if isinstance(read, tuple):
        return ScannedOperand(read[0] & ones(width), read[1] & ones(width))
    return ScannedOperand(0, 0, lines.at(at), " ".join(code[at : at + _SHOWN].split("\n")[0].split()))


_SHOWN = 80


class _Lines:
    """Line numbers by offset."""

    def __init__(self, text: str, first: int) -> None:
        self.first = first
        self.ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the number of the line at an offset."""
        return self.first + bisect_right(self.ends, offset)


def _source(place: tuple[str, ...], body: Body, files: dict[int, str]) -> tuple[str, int] | None:
    """Return the source line of a ``.loc``: for inlined code, the line of the outermost call."""
    for _ in body.locations:
        outer = body.locations.get(place)
        if not outer:
            break
        place = outer
    name = files.get(int(place[0])) if place else None
    return None if name is None else (name, int(place[1]))
