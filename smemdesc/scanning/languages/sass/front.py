"""One SASS function: its blocks, and the operands of its tensor-core instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from smemdesc.scanning.analysis.moves import in_loops, runs, with_moves
from smemdesc.scanning.analysis.operands import (
    CUT_OFF,
    OPERAND_BITS,
    Query,
    ScannedOperands,
    assume_uncut,
    followed_operands,
    operands_of,
    operands_with_cut,
    scanned_mma,
)
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.mma import ParsedMma
from smemdesc.scanning.languages.sass.branches import sass_control_flow
from smemdesc.scanning.languages.sass.instructions import (
    BRANCH_HEAD,
    MMA_HEAD,
    ODD,
    UNDETERMINED,
    UNNAMED,
    WHOLE,
    Head,
    SassCode,
    head,
    judge_head,
)
from smemdesc.scanning.languages.sass.listing import MissingPart, listing, missing_line
from smemdesc.scanning.languages.sass.lower import written_registers
from smemdesc.scanning.languages.sass.mma import SASS_ACCESSES, understand, understand_access
from smemdesc.scanning.languages.sass.text import (
    REGISTER_BITS,
    ZERO,
    SassInstruction,
    code,
    instruction_offset,
    parse_line,
)
from smemdesc.scanning.languages.tensor_memory import settled
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand, UnknownInstruction, count_names
from smemdesc.scanning.model.causes import UNREAD
from smemdesc.scanning.model.shared_memory import GivenMaps, SharedMemoryPicture

if TYPE_CHECKING:
    from smemdesc.scanning.shared_memory.facts import FactFinder, SharedItem

_INTERRUPTS = re.compile(
    rb"\b(?:SYNCS|BAR|UCGABAR|STS|STSM|STAS|ST|LDGSTS|ATOMS|RED[A-Z]*|UTMALDG|UTMAREDG|UBLKCP|UBLKRED|CALL|LDTM|STTM|UTCCP)\b"
)
"""Instructions that wait for other threads, or may write memory that an MMA reads."""
_SHORT = 64
"""The characters shown of a line that is not understood."""


def analyse(
    text: bytes,
    first: int,
    name: str | None,
    arch: str | None,
    missing_part: MissingPart | None = None,
    noreturn_slots: Collection[int] = (),
    maps: GivenMaps = (),
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``missing_part``: the part of the function that is not in the text. ``noreturn_slots``: the offsets in constant bank
    4 of the addresses of functions that do not return. ``maps``: those of its parameters.
    """
    listed = SassListing(text, first, name is not None, noreturn_slots, arch)
    listed.maps = maps
    if not listed.mmas and not listed.accesses:
        unread = tuple(listed.not_understood())
        return Function(name, first, "SASS", (), listed.odd, unread=unread) if unread else None
    if not missing_part and not listed.hidden and (gap := missing_line(listed.lines, listed.headed)):
        missing_part = gap._replace(line=listed.line_of(gap.line))
    if missing_part or not listed.owns_its_memory:
        listed.shared = []  # another copy may be in the part that is not there
    facts = listed.facts(missing_part)
    mmas = listed.moving(list(listed.scanned(facts)))
    function = Function(
        name,
        first,
        "SASS",
        mmas,
        listed.odd,
        unread=tuple(listed.not_understood()),
        unknown=listed.cost(facts, missing_part),
        shared=listed.picture,
    )
    return with_other_groups(
        settled(function, listed.owns_its_memory and not missing_part),
        [text.decode("utf-8", "replace") for text in listed.tcgen05],
    )


class SassListing:
    """The lines of one function, judged by their heads."""

    def __init__(
        self, text: bytes, first: int, headed: bool, noreturn_slots: Collection[int], arch: str | None
    ) -> None:
        parsed = listing(text, headed)
        self.first = first
        self.headed = headed
        self.noreturn_slots = noreturn_slots
        self.arch = arch
        self.numbers = parsed.numbers
        self.has_sources = b"//## File" in text
        by_cuobjdump = text.lstrip().startswith(_CUOBJDUMP) or (not headed and b"/* 0x" in text)
        self.lines = lines = list(map(_with_symbol, parsed.lines)) if by_cuobjdump else parsed.lines
        beginnings = list(map(head, lines)) if parsed.heads is None else parsed.heads
        self.tcgen05 = [text for text in beginnings if b"UTC" in text]
        """The beginnings of the tcgen05 instructions."""
        self.heads = list(map(judge_head, beginnings))
        # Those whose head does not show what they write.
        self.special = [index for index, head in enumerate(self.heads) if head in UNDETERMINED]
        self.branches = [index for index in self.special if self.heads[index] is BRANCH_HEAD]
        self.tensor = [index for index in self.special if self.heads[index] is MMA_HEAD]
        strange = [index for index in self.special if self.heads[index] is ODD]
        self.hidden = [*parsed.hidden, *strange]
        """Lines that may be an instruction, a branch or a label."""
        self.unread = {**parsed.unread, **{index: code(lines[index]) for index in strange}}
        self.mmas = {index: mma for index in self.tensor if (mma := _tensor_core(lines[index])) is not None}
        self.accesses = _accesses(lines, beginnings, [name for name in SASS_ACCESSES if name in text])
        """The loads and stores of tensor memory, its shifts and allocations."""
        for index in set(self.tensor).difference(self.mmas):
            self.heads[index] = WHOLE  # it may still write registers
        self.runs: Mapping[int, int] = {}
        """The numbers of :func:`smemdesc.scanning.analysis.moves.runs`, once the operands are known."""
        self.loops: set[int] = set()
        """The lines of :func:`smemdesc.scanning.analysis.moves.in_loops`."""
        self.shared = _shared_items(lines, beginnings, text) if self.mmas else []
        """The instructions that write shared memory, or wait for it, if there are copies among them."""
        self.maps: GivenMaps = ()
        self.finder: FactFinder | None = None
        self.picture: SharedMemoryPicture | None = None
        self.odd = len(self.unread) + len(self.tensor) - len(self.mmas)

    @property
    def owns_its_memory(self) -> bool:
        """Whether all tensor memory that it uses is allocated in it: it is a whole kernel (it ends with EXIT), and
        all that it calls is in the same text."""
        names = [line.mnemonic for index in self.branches if (line := parse_line(self.lines[index])) is not None]
        ends = next((name for name in names if name.startswith(("EXIT", "RET"))), "")
        calls = [name for name in names if name.startswith(("CALL", "JCAL"))]
        is_kernel = ends.startswith("EXIT") and all(name.startswith("CALL.REL") for name in calls)
        return is_kernel and self.headed and not self.hidden

    @property
    def asked(self) -> dict[int, SassMma]:
        """The instructions whose operands are followed, by their lines."""
        return dict(sorted({**self.mmas, **self.accesses}.items()))

    def line_of(self, index: int) -> int:
        """Return the number of a line in the text."""
        return self.first + (index if self.numbers is None else self.numbers[index])

    def place(self, index: int) -> tuple[int, str]:
        """Return the number of a line, and how it is shown; after the last line, where the function is cut off."""
        if index >= len(self.lines):
            return self.line_of(max(at for at, line in enumerate(self.lines) if line.strip())), CUT_OFF
        raw = self.unread.get(index)
        text = _text(self.lines[index]) if raw is None else raw.decode("utf-8", "replace")[:_SHORT]
        return self.line_of(index), text

    def not_understood(self) -> list[tuple[int, str]]:
        """Return the lines with tensor-core instructions that are not understood."""
        raw = [(self.line_of(index), line) for index, line in sorted(self.unread.items()) if b"gdesc[" in line]
        others = [index for index in self.tensor if index not in self.mmas]
        return _unread(raw) + [(self.line_of(index), _text(self.lines[index])) for index in others]

    def flow(self, heads: list[Head | None], headed: bool) -> Callable[..., list[Block]]:
        """Return the function that splits it into blocks."""

        def writes(index: int) -> tuple[str, ...]:
            line = parse_line(self.lines[index])
            return () if line is None or heads[index] is BRANCH_HEAD else written_registers(line)

        return partial(sass_control_flow, self.lines, self.branches, headed, writes, self.noreturn_slots)

    def solve(self, heads: list[Head | None], headed: bool) -> ScannedOperands:
        """Return what is known of each descriptor; for a function that is cut off, also what would be known of the
        whole."""
        queries = {index: _query(mma) for index, mma in self.asked.items()}

        def facts(blocks: list[Block]) -> ScannedOperands:
            if not self.runs:
                self.runs = runs(blocks, list(self.mmas), self._interrupted)
                self.loops = in_loops(blocks, list(self.mmas), self._interrupted)
            ssa = SassCode(self.lines, heads, self.mmas, blocks).versions()
            if not self.shared or self.finder is not None:
                return operands_of(ssa, queries, self.place, self.arch)
            from smemdesc.scanning.shared_memory.facts import FactFinder, followed_items, shared_values
            from smemdesc.scanning.shared_memory.order import MmaOrder

            order = MmaOrder(ssa, self.mmas)
            self.shared = followed_items(self.shared, order)
            values = shared_values(ssa, self.shared)
            scanned, found = followed_operands(ssa, queries, self.place, self.arch, values.values())
            self.finder = FactFinder(ssa, found, values, order, {}, REGISTER_BITS)
            return scanned

        return operands_with_cut(self.flow(heads, headed), facts)

    def facts(self, missing_part: MissingPart | None) -> ScannedOperands:
        """Return what is known of each descriptor if a part is missing, or a line is hidden."""
        if missing_part is None:
            if not self.hidden:
                return self.solve(self.heads, self.headed)
            return _all_unknown(self.asked, self.place(min(self.hidden)), UNREAD)
        facts = _all_unknown(self.asked, missing_part[:2])
        if not missing_part.gap or self.hidden:
            return facts
        more = self.solve(self.heads, False)
        return {index: list(map(assume_uncut, parts, more[index])) for index, parts in facts.items()}

    def cost(self, facts: ScannedOperands, missing_part: MissingPart | None) -> tuple[UnknownInstruction, ...]:
        """Return the instructions with unknown names, with the number of bits that are known only without them."""
        names = {
            self.line_of(index): line.name
            for index in self.special
            if self.heads[index] is UNNAMED
            and index not in self.unread
            and (line := parse_line(self.lines[index])) is not None
        }
        without = facts
        if names and not missing_part and not self.hidden:
            without = self.solve([None if head is UNNAMED else head for head in self.heads], self.headed)
        return _cost(names, facts, without)

    def _interrupted(self, before: int, index: int) -> bool:
        """Return whether an instruction between two lines waits for other threads, or may write what an MMA reads."""
        return any(map(_INTERRUPTS.search, self.lines[before + 1 : index]))

    def moving(self, mmas: Sequence[ScannedMma]) -> tuple[ScannedMma, ...]:
        """Return the instructions with how their operands move from one to the next."""
        if not self.runs:
            return tuple(mmas)
        asked = self.asked
        numbers = [self.runs.get(index, -1 - index) for index in asked]  # an access is in no run
        moved = with_moves(mmas, numbers, [index in self.loops for index in asked])
        if self.finder is None:
            return moved
        from smemdesc.scanning.shared_memory.analysis import with_shared_memory
        from smemdesc.scanning.shared_memory.reading import operand_read

        finder = self.finder
        reads = [
            operand_read(number, moved[number], name, finder.descriptor_start(index, registers[0]))
            for number, (index, mma) in enumerate(asked.items())
            for name, registers in zip("ab", _query(mma).parts[:2], strict=True)
            if registers is not None and mma.instruction.is_mma
        ]
        blocks = [finder.block(index) for index in asked]
        judged, picture = with_shared_memory(moved, filter(None, reads), finder.facts(self.shared, self.maps), blocks)
        named = ((index, instruction_offset(self.lines[index])) for index in (*asked, *(i.number for i in self.shared)))
        offsets = {self.line_of(index): offset for index, offset in named if offset is not None}
        self.picture = picture._replace(offsets=tuple(offsets.items()))
        return tuple(mma if mma.offset is not None else mma._replace(offset=offsets.get(mma.line)) for mma in judged)

    def scanned(self, facts: ScannedOperands) -> Iterator[ScannedMma]:
        """Yield the instructions with their operands."""
        asked = self.asked
        sources = _sources(self.lines, asked) if self.has_sources else {}
        for index, mma in asked.items():
            line, text = self.line_of(index), instruction_text(mma.line)
            operation = scanned_mma(line, text, mma.instruction, mma.operands, facts[index])
            yield operation._replace(
                source=sources.get(index), arch=self.arch, offset=instruction_offset(self.lines[index])
            )


SassMma = ParsedMma[SassInstruction]


def _tensor_core(text: bytes) -> SassMma | None:
    """Return a tensor-core instruction from its line; None if it is not understood."""
    line = parse_line(text)
    understood = understand(line) if line is not None else None
    return None if line is None or understood is None else ParsedMma(line, *understood)


def _access(lines: list[bytes], index: int) -> SassMma | None:
    """Return an instruction that accesses or allocates tensor memory."""
    line = parse_line(lines[index])
    understood = understand_access(line, lines[max(index - _BEFORE, 0) : index]) if line is not None else None
    return None if line is None or understood is None else ParsedMma(line, *understood)


def _accesses(lines: list[bytes], beginnings: Sequence[bytes], names: Sequence[bytes]) -> dict[int, SassMma]:
    """Return the instructions with one of the ``names`` of :data:`ACCESSES`, by their lines."""
    return {
        index: access
        for name in names
        for index, beginning in enumerate(beginnings)
        if name in beginning and (access := _access(lines, index)) is not None
    }


def _shared_items(lines: Sequence[bytes], beginnings: Sequence[bytes], text: bytes) -> list[SharedItem]:
    """Return the instructions that write shared memory or wait for it; none if there is no copy."""
    if not any(name in text for name in COPIES):
        return []
    from smemdesc.scanning.languages.sass.shared_memory import is_comparable, sass_shared_item

    found = [
        shared
        for index, beginning in enumerate(beginnings)
        if _ACCESS_TO_SHARED.search(beginning)
        and (line := parse_line(lines[index])) is not None
        and (shared := sass_shared_item(index, line)) is not None
    ]
    return found if is_comparable(found) else []


_ACCESS_TO_SHARED = re.compile(
    rb"\b(?:SYNCS|ARRIVES|UTCBAR|UTMALDG|UBLKCP|STAS|REDAS|UGETNEXTWORKID|STS|STSM|ST|ATOMS|ATOM|RED|LDGSTS)(?![A-Z])"
)
COPIES = (b"UTMALDG", b"UBLKCP.S.G")
"""The names of copies to shared memory from global memory."""
_BEFORE = 4
"""The lines before an instruction that say whether it repeats another."""


def _cost(names: Mapping[int, str], facts: ScannedOperands, without: ScannedOperands) -> tuple[UnknownInstruction, ...]:
    """Return the unknown instructions, by their lines, with the number of bits that are known only ``without`` them."""
    lost = [
        UnknownInstruction(names[operand.lost], 0, 1, bits)
        for index, operands in facts.items()
        for operand, full in zip(operands[: len(OPERAND_BITS)], without[index], strict=False)
        if operand is not None and full is not None and operand.lost is not None and operand.lost in names
        if (bits := (full.known & ~operand.known).bit_count())
    ]
    return count_names((*(UnknownInstruction(name, 1) for name in names.values()), *lost))


def _unread(lines: list[tuple[int, bytes]]) -> list[tuple[int, str]]:
    """Return the first of the lines with a tensor-core instruction that no tool prints in this form."""
    others = f" (and {len(lines) - 1} more lines like it)" if len(lines) > 1 else ""
    return [(line, text.strip().decode("utf-8", "replace")[: 2 * _SHORT] + others) for line, text in lines[:1]]


_CUOBJDUMP = b"Function : "
_NO_SYMBOL = re.compile(rb"(MOV(?:\.\w{1,16}){0,4} U?R\d{1,3},(?: RZ, RZ,)? 0x0) ;")
"""For an address that is unknown before linking, cuobjdump prints 0 and nvdisasm the symbol."""


def _with_symbol(line: bytes) -> bytes:
    """Return a line of cuobjdump; a 0 that may be the address of a symbol is no number."""
    return _NO_SYMBOL.sub(rb"\1 (or a symbol) ;", line) if b", 0x0 ;" in line else line


def instruction_text(line: SassInstruction) -> str:
    """Return an instruction as one text."""
    return " ".join(filter(None, (line.guard, line.mnemonic, ", ".join(line.operands))))


_SOURCE = re.compile(rb'//## File "([^"\n]*)", line (\d{1,9})')


def _sources(lines: list[bytes], mma_lines: Collection[int]) -> dict[int, tuple[str, int]]:
    """Return the source line of each MMA, as the dump notes it before the instruction."""
    sources: dict[int, tuple[str, int]] = {}
    last = None
    for index, line in enumerate(lines):
        match = _SOURCE.search(line) if b"//## File" in line and b"inlined at" not in line else None
        if match:
            last = match[1].decode("utf-8", "replace"), int(match[2])
        elif last and index in mma_lines:
            sources[index] = last
    return sources


def _all_unknown(
    mmas: dict[int, SassMma], place: tuple[int, str], cause: str | None = None
) -> dict[int, list[ScannedOperand | None]]:
    """Return each descriptor as unknown, with the line that is the cause."""
    lost = ScannedOperand(0, 0, *place, lost_why=cause)
    return {index: [None if part is None else lost for part in mma.operands.reads] for index, mma in mmas.items()}


def _query(mma: SassMma) -> Query:
    names = mma.operands.converted(lambda part, _: (part,) if isinstance(part, str) else part)
    parts = [part and tuple(ZERO if name == "URZ" else name for name in part) for part in names.reads]
    return Query(mma.instruction.family, parts, names.widths)


def _text(line: bytes) -> str:
    """Return a line as it is shown."""
    instruction = parse_line(line)
    return instruction_text(instruction) if instruction is not None else code(line).decode("utf-8", "replace")[:_SHORT]
