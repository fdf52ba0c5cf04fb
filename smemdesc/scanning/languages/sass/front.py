"""One SASS function: its blocks, and the operands of its tensor-core instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial

from smemdesc.scanning.analysis.operands import (
    CUT_OFF,
    WIDTHS,
    Query,
    assume_uncut,
    operands_of,
    operands_with_cut,
    scanned_mma,
)
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.causes import UNREAD
from smemdesc.scanning.languages.cta_groups import with_other_groups
from smemdesc.scanning.languages.mma import ParsedMma
from smemdesc.scanning.languages.sass.branches import control_flow
from smemdesc.scanning.languages.sass.instructions import (
    BRANCH,
    MMA,
    ODD,
    UNNAMED,
    WHOLE,
    Head,
    SassCode,
    head,
    judge,
    parse_line,
)
from smemdesc.scanning.languages.sass.listing import MissingPart, listing, missing
from smemdesc.scanning.languages.sass.lower import written
from smemdesc.scanning.languages.sass.mma import understand
from smemdesc.scanning.languages.sass.text import ZERO, SassInstruction, address, code, parse
from smemdesc.scanning.model import Function, ScannedOperand, UnknownInstruction, counted

_SHORT = 64
"""The characters shown of a line that is not understood."""


def analyse(
    text: bytes,
    first: int,
    name: str | None,
    arch: str | None,
    missing_part: MissingPart | None = None,
    noreturn_slots: Collection[int] = (),
) -> Function | None:
    """Return the MMAs of one function; ``first`` is the number of its first line. None if it has none.

    ``missing_part``: the part of the function that is not in the text. ``noreturn_slots``: the offsets in constant bank
    4 of the addresses of functions that do not return.
    """
    headed = name is not None
    parsed = listing(text, headed)
    lines = parsed.lines

    def line_of(index: int) -> int:
        return first + (index if parsed.numbers is None else parsed.numbers[index])

    if text.lstrip().startswith(_CUOBJDUMP) or (name is None and b"/* 0x" in text):
        lines = [_NO_SYMBOL.sub(rb"\1 (or a symbol) ;", line) if b", 0x0 ;" in line else line for line in lines]
    heads = list(map(judge, map(head, lines) if parsed.heads is None else parsed.heads))
    # Those whose head does not show what they write.
    special = [index for index, head in enumerate(heads) if head is not None and not head.writes]
    tensor = [index for index in special if heads[index] is MMA]
    strange = [index for index in special if heads[index] is ODD]
    hidden = [*parsed.hidden, *strange]
    unread = {**parsed.unread, **{index: code(lines[index]) for index in strange}}
    if not tensor and not unread:
        return None
    mmas = {index: mma for index in tensor if (mma := _tensor_core(lines[index])) is not None}
    unknown = _unread([(line_of(index), line) for index, line in sorted(unread.items()) if b"gdesc[" in line])
    for index in set(tensor).difference(mmas):
        heads[index] = WHOLE  # it may still write registers
    unknown += [(line_of(index), _text(lines[index])) for index in tensor if index not in mmas]
    odd = len(unread) + len(tensor) - len(mmas)
    if not mmas:
        return Function(name, first, "SASS", (), odd, unread=tuple(unknown)) if unknown else None
    if not missing_part and not hidden and (gap := missing(lines, headed)):
        missing_part = gap._replace(line=line_of(gap.line))
    branches = [index for index in special if heads[index] is BRANCH]

    def place(index: int) -> tuple[int, str]:
        if index >= len(lines):
            return line_of(max(at for at, line in enumerate(lines) if line.strip())), CUT_OFF
        raw = unread.get(index)
        return line_of(index), _text(lines[index]) if raw is None else raw.decode("utf-8", "replace")[:_SHORT]

    def answer(heads: list[Head | None], headed: bool) -> _Facts:
        return _solve_operands(lines, heads, branches, mmas, place, headed, noreturn_slots)

    facts = _facts(partial(answer, heads), mmas, headed, missing_part, place(min(hidden)) if hidden else None)
    names = {
        line_of(index): line.name
        for index in special
        if heads[index] is UNNAMED and index not in unread and (line := parse_line(lines[index])) is not None
    }
    differ = bool(names) and not missing_part and not hidden
    without = answer([None if head is UNNAMED else head for head in heads], headed) if differ else facts
    cost = _cost(names, facts, without)
    sources = _sources(lines, mmas) if b"//## File" in text else {}
    scanned = []
    for index, mma in mmas.items():
        at, memory = line_of(index), mma.operands.memory
        operation = scanned_mma(at, shown(mma.line), mma.instruction, memory, facts[index])
        scanned.append(operation._replace(source=sources.get(index), arch=arch, offset=address(lines[index])))
    function = Function(name, first, "SASS", tuple(scanned), odd, unread=tuple(unknown), unknown=cost)
    return with_other_groups(function, (code(line).decode("utf-8", "replace") for line in lines if b"UTC" in line))


SassMma = ParsedMma[SassInstruction]
_Facts = dict[int, list[ScannedOperand | None]]
"""What is known of the operands of each instruction, by its line."""


def _facts(
    answer: Callable[[bool], _Facts],
    mmas: dict[int, SassMma],
    headed: bool,
    missing_part: MissingPart | None,
    hidden: tuple[int, str] | None,
) -> _Facts:
    """Return what ``answer`` finds out about a function that has a missing part, or a line not understood (``hidden``),
    which may be an instruction, a branch or a label."""
    if missing_part is None:
        return answer(headed) if hidden is None else _all_unknown(mmas, hidden, UNREAD)
    facts = _all_unknown(mmas, missing_part[:2])
    if not missing_part.gap or hidden is not None:
        return facts
    more = answer(False)
    return {index: list(map(assume_uncut, parts, more[index])) for index, parts in facts.items()}


def _tensor_core(text: bytes) -> SassMma | None:
    """Return a tensor-core instruction from its line; None if it is not understood."""
    line = parse_line(text)
    understood = understand(line) if line is not None else None
    return None if line is None or understood is None else ParsedMma(line, *understood)


def _cost(names: Mapping[int, str], facts: _Facts, without: _Facts) -> tuple[UnknownInstruction, ...]:
    """Return the unknown instructions, by their lines, with the number of bits that are known only ``without`` them."""
    lost = [
        UnknownInstruction(names[operand.lost], 0, 1, bits)
        for index, operands in facts.items()
        for operand, full in zip(operands[: len(WIDTHS)], without[index], strict=False)
        if operand is not None and full is not None and operand.lost is not None and operand.lost in names
        if (bits := (full.known & ~operand.known).bit_count())
    ]
    return counted((*(UnknownInstruction(name, 1) for name in names.values()), *lost))


def _solve_operands(
    lines: list[bytes],
    heads: list[Head | None],
    branches: list[int],
    mmas: dict[int, SassMma],
    place: Callable[[int], tuple[int, str]],
    headed: bool,
    noreturn_slots: Collection[int],
) -> dict[int, list[ScannedOperand | None]]:
    """Return what is known of each descriptor; for a function that is cut off, also what would be known of the
    whole."""

    def writes(index: int) -> tuple[str, ...]:
        line = parse_line(lines[index])
        return () if line is None or heads[index] is BRANCH else written(line)

    queries = {index: _query(mma) for index, mma in mmas.items()}

    def facts(blocks: list[Block]) -> dict[int, list[ScannedOperand | None]]:
        return operands_of(SassCode(lines, heads, mmas, blocks).versions(), queries, place)

    return operands_with_cut(partial(control_flow, lines, branches, headed, writes, noreturn_slots), facts)


def _unread(lines: list[tuple[int, bytes]]) -> list[tuple[int, str]]:
    """Return the first of the lines with a tensor-core instruction that no tool prints in this form."""
    others = f" (and {len(lines) - 1} more lines like it)" if len(lines) > 1 else ""
    return [(line, text.strip().decode("utf-8", "replace")[: 2 * _SHORT] + others) for line, text in lines[:1]]


_CUOBJDUMP = b"Function : "
_NO_SYMBOL = re.compile(rb"(MOV(?:\.\w{1,16}){0,4} U?R\d{1,3},(?: RZ, RZ,)? 0x0) ;")
"""For an address that is unknown before linking, cuobjdump prints 0 and nvdisasm the symbol."""


def shown(line: SassInstruction) -> str:
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
    instruction = parse(code(line))
    return shown(instruction) if instruction is not None else code(line).decode("utf-8", "replace")[:_SHORT]
