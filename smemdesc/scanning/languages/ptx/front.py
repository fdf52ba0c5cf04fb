"""One function of PTX: its blocks, and the operands of its tensor-core instructions.

Every statement is examined for what it may write; only those that a descriptor depends on are fully parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from smemdesc.engine.fields import ones
from smemdesc.scanning.analysis.moves import in_loops, runs, with_moves
from smemdesc.scanning.analysis.operands import (
    CUT_OFF,
    Query,
    ScannedOperands,
    followed_operands,
    operands_of,
    operands_with_cut,
    scanned_mma,
)
from smemdesc.scanning.analysis.ssa import Block, FunctionCode, PredicateLiteral, Register, Ssa, SsaStep, writers_of
from smemdesc.scanning.analysis.starts import LinearAddress
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.mma import ParsedMma
from smemdesc.scanning.languages.mnemonics import ACCESSES, MAPS, SYNTAX_OPERAND
from smemdesc.scanning.languages.ptx.body import Body, ptx_control_flow, read_body
from smemdesc.scanning.languages.ptx.local import local_memory
from smemdesc.scanning.languages.ptx.lower import (
    ACCESS,
    BRANCH_EFFECT,
    CALL,
    MMA_BEGINNINGS,
    READS_DESCRIPTORS,
    cause,
    guard_predicate,
    lower,
    source_bits,
    symbol,
)
from smemdesc.scanning.languages.ptx.mma import understand
from smemdesc.scanning.languages.ptx.tensormap import map_changes
from smemdesc.scanning.languages.ptx.text import (
    PtxModule,
    PtxStatement,
    after_blanks,
    statement_text,
    without_ptx_comments,
)
from smemdesc.scanning.languages.tensor_memory import settled
from smemdesc.scanning.languages.tensormap import MapOperand
from smemdesc.scanning.model import Function, MapChange, ScannedMma, ScannedOperand
from smemdesc.scanning.model.shared_memory import GivenMaps, SharedMemoryPicture

if TYPE_CHECKING:
    from smemdesc.scanning.shared_memory.facts import FactFinder, SharedFacts, SharedItem

_READ = (*MMA_BEGINNINGS, *MAPS, *ACCESSES)
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
        return guard_predicate(item.guard, item.scope) if item.guard else None

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
        if item.role is not BRANCH_EFFECT or not item.guard or self.blocks[block].at > last:
            return ()
        if item.mnemonic[:2] == "br" and len(set(self.blocks[block].following)) < 2:
            return ()
        condition = guard_predicate(item.guard, item.scope)
        return ((last, condition._replace(holds=condition.holds != (to == block + 1))),)


def analyse(
    text: bytes, first: int, name: str | None, arch: str | None, module: PtxModule | None = None
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``module`` is what the file around it declares. The text may be cut off at either end.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    return next(ptx_functions(text, first, name, arch, module), None)


def ptx_functions(
    text: bytes,
    first: int,
    name: str | None,
    arch: str | None,
    module: PtxModule | None = None,
    maps: GivenMaps = (),
) -> Iterator[Function]:
    """Yield all functions with MMAs, or with changes of tensor maps, in a text, also those that do not begin a line.

    ``maps``: those of their parameters.
    """
    code = without_ptx_comments(text)
    lines = _Lines(code, first)
    at = 0
    last = max(map(code.rfind, _READ))
    while at <= last:
        body = read_body(code, (module or _NOTHING).symbols, at)
        called = name if not at and name else body.name
        function = _function(code, at, body, lines, called, arch, module or _NOTHING, maps)
        if function is not None:
            yield function
        if body.end >= len(code):
            return
        at = body.end


def _function(
    code: str,
    start: int,
    body: Body,
    lines: _Lines,
    name: str | None,
    arch: str | None,
    module: PtxModule,
    given: GivenMaps,
) -> Function | None:
    mmas, wrong = tensor_cores(body.items)
    odd = body.odd + len(wrong)
    unread = tuple([(lines.at(item.at), statement_text(item)) for item in wrong])
    maps = {index: changed for index, item in enumerate(body.items) if (changed := list(map_changes(item)))}
    if not mmas and not maps:
        return Function(name, lines.first, "PTX", (), odd, unread=unread) if unread else None
    followed = _Followed(code, start, body, lines, mmas, maps, given)
    operands = followed.hidden(body.hidden) if body.hidden is not None else followed.operands(arch, module.noreturn)
    at = lines.at(after_blanks(code, start)) if start else lines.first
    scanned = followed.scanned(operands, arch, module.files)
    function = Function(
        *(name, at, "PTX", scanned, odd),
        unread=unread,
        maps=followed.changed(operands),
        shared=followed.picture,
    )
    return with_other_groups(settled(function, body.owns_its_memory), [code[start : body.end]])


class _Followed:
    """The instructions of a function whose operands are followed: MMAs, and changes of tensor maps."""

    def __init__(
        self,
        code: str,
        start: int,
        body: Body,
        lines: _Lines,
        mmas: Mapping[int, ParsedMma[PtxStatement]],
        maps: Mapping[int, Sequence[MapOperand]],
        given: GivenMaps,
    ) -> None:
        """``mmas`` and ``maps``: by the numbers of their items; ``start``: the offset of the function in ``code``;
        ``given``: the tensor maps of parameters."""
        self.given = given
        self.code = code
        self.start = start
        self.body = body
        self.items = body.items
        self.lines = lines
        self.mmas = mmas
        self.maps = maps
        self.queries = _queries(mmas, maps)
        self.runs: Mapping[int, int] | None = None
        """The numbers of :func:`smemdesc.scanning.analysis.moves.runs`, once the operands are known."""
        self.loops: set[int] = set()
        """The items of :func:`smemdesc.scanning.analysis.moves.in_loops`."""
        self.shared = _shared_items(body.items) if mmas else []
        """The instructions that write shared memory, or wait for it, if there are copies among them."""
        self.facts: SharedFacts | None = None
        self.picture: SharedMemoryPicture | None = None
        self.addresses: dict[tuple[int, str], LinearAddress] = {}
        """The start addresses of A and of B, by the number of the MMA and the operand."""

    def operands(self, arch: str | None, noreturn: Container[str]) -> ScannedOperands:
        """Return what is known of the operands of each instruction."""
        local = local_memory(self.body, self.code[self.start : self.body.end]) if self.body.arrays else {}

        def facts(blocks: list[Block]) -> ScannedOperands:
            if self.runs is None:
                self.runs = runs(blocks, list(self.mmas), self._interrupted)
                self.loops = in_loops(blocks, list(self.mmas), self._interrupted)
            ssa = Ssa(blocks, PtxCode(self.items, local, blocks), len(self.items))
            if not self.shared or self.facts is not None:
                return operands_of(ssa, self.queries, self._place, arch)
            from smemdesc.scanning.shared_memory.facts import FactFinder, shared_values
            from smemdesc.scanning.shared_memory.order import MmaOrder

            values = shared_values(ssa, self.shared)
            scanned, found = followed_operands(ssa, self.queries, self._place, arch, values.values())
            order = MmaOrder(ssa, self.mmas)
            self._find_shared(FactFinder(ssa, found, values, order, self._changes(scanned)))
            return scanned

        return operands_with_cut(partial(ptx_control_flow, self.body, noreturn), facts)

    def _find_shared(self, finder: FactFinder) -> None:
        """Note what is known of the shared memory of the function."""
        self.facts = finder.facts(self.shared, self.given)
        for number, (index, mma) in enumerate(self.mmas.items()):
            for name, register in zip("ab", mma.operands[:2], strict=True):
                if register is not None and mma.instruction.is_mma:
                    self.addresses[number, name] = finder.descriptor_start(index, register)

    def hidden(self, at: int) -> ScannedOperands:
        """Return the operands if text at an offset may hide an instruction, a branch or a label: only numbers are
        known."""
        unknown = ScannedOperand(0, 0, self.lines.at(at), " ".join(self.code[at : at + _SHOWN].split("\n")[0].split()))

        def operand(read: object, width: int) -> ScannedOperand:
            if isinstance(read, tuple):
                return ScannedOperand(read[0] & ones(width), read[1] & ones(width))
            return unknown

        return {
            index: [
                None if part is None else operand(part[0], width)
                for part, width in zip(query.parts, query.widths, strict=True)
            ]
            for index, query in self.queries.items()
        }

    def scanned(self, operands: ScannedOperands, arch: str | None, files: Mapping[int, str]) -> tuple[ScannedMma, ...]:
        """Return the MMAs with their operands; ``files``: the source files by their numbers."""
        ends = [index for index, item in enumerate(self.items) if item.role in (None, BRANCH_EFFECT, CALL)]
        mmas = []
        for index, mma in self.mmas.items():
            source_line = _source(self.items[index].loc, self.body, files)
            line = self.lines.at(mma.line.at)
            scanned = scanned_mma(line, statement_text(mma.line), mma.instruction, mma.operands, operands[index])
            mmas.append(scanned._replace(source=source_line, arch=arch, block=bisect_right(ends, index)))
        if self.runs is None:
            return tuple(mmas)
        moved = with_moves(
            mmas, [self.runs[index] for index in self.mmas], [index in self.loops for index in self.mmas]
        )
        if self.facts is None:
            return moved
        from smemdesc.scanning.shared_memory.analysis import with_shared_memory
        from smemdesc.scanning.shared_memory.reading import operand_read

        reads = [operand_read(number, moved[number], name, at) for (number, name), at in self.addresses.items()]
        judged, self.picture = with_shared_memory(moved, filter(None, reads), self.facts, [mma.block for mma in moved])
        return judged

    def changed(self, operands: ScannedOperands) -> tuple[MapChange, ...]:
        """Return the changes of tensor maps with the values that are written."""
        return tuple([change for changes in self._changes(operands).values() for change in changes])

    def _changes(self, operands: ScannedOperands) -> dict[int, list[MapChange]]:
        """Return the changes of tensor maps by their items."""
        return {
            index: [
                change.known(self.lines.at(self.items[index].at), operand)
                for change, operand in zip(changed, operands[index], strict=True)
            ]
            for index, changed in self.maps.items()
        }

    def _place(self, index: int) -> tuple[int, str]:
        """Return the line of an item, and how it is shown; after the last item, where the function is cut off."""
        if index == len(self.items) and self.body.cut:
            return self.lines.at(len(self.code[: self.body.end].rstrip())), CUT_OFF
        item = self.items[min(index, len(self.items) - 1)]
        return self.lines.at(item.at), f"{item.mnemonic}:" if item.role is None else statement_text(item)

    def _interrupted(self, before: int, index: int) -> bool:
        """Return whether an instruction between two items waits for other threads, or may write what an MMA reads."""
        return _INTERRUPTS.search(self.code, self.items[before].at, self.items[index].at) is not None


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
        if item.role is READS_DESCRIPTORS or item.role is ACCESS:
            if any(re.search(SYNTAX_OPERAND, operand) for operand in item.operands):
                continue
            understood = understand(item)
            if understood is None:
                wrong += [item] if item.role is READS_DESCRIPTORS else []
                continue
            instruction, names = understood
            operands = names.converted(partial(source_bits, scope=item.scope))
            instructions[index] = ParsedMma(item, instruction, operands)
    return instructions, wrong


def _shared_items(items: Sequence[PtxStatement]) -> list[SharedItem]:
    """Return the instructions that write shared memory or wait for it; none if there is no copy."""
    if not any(_TO_SHARED in item.mnemonic for item in items):
        return []
    from smemdesc.scanning.languages.ptx.shared_memory import shared_item
    from smemdesc.scanning.shared_memory.facts import COPY, LOAD, SLOT

    found = [shared for index, item in enumerate(items) if (shared := shared_item(index, item)) is not None]
    actions = {shared.action for shared in found}
    # Only the slot of an allocation is one of which it matters when it is read, and read as the address that it holds.
    used = {word for item in items if item.name == "tcgen05" for word in _WORD.findall(item.rest)}
    kept = [
        shared
        for shared in found
        if shared.action != LOAD or (SLOT in actions and items[shared.number].operands[0] in used)
    ]
    return kept if COPY in actions else []


_WORD = re.compile(r"[%$\w]+")
_TO_SHARED = ".mbarrier::complete_tx::bytes"
"""In the names of copies that a barrier waits for."""
_SHOWN = 80
"""The characters shown of text that is not a statement."""


class _Lines:
    """Line numbers by offset."""

    def __init__(self, text: str, first: int) -> None:
        self.first = first
        self.ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        """Return the number of the line at an offset."""
        return self.first + bisect_right(self.ends, offset)


def _source(place: tuple[str, ...], body: Body, files: Mapping[int, str]) -> tuple[str, int] | None:
    """Return the source line of a ``.loc``: for inlined code, the line of the outermost call."""
    for _ in body.locations:
        outer = body.locations.get(place)
        if not outer:
            break
        place = outer
    name = files.get(int(place[0])) if place else None
    return None if name is None else (name, int(place[1]))
