"""The view of ``scan --annotate``: the dump with comments about descriptors.

All notes are comments at the ends of lines: an annotated dump has the same lines and the same scan result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions
from rich.segment import Segment

from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed_words, more, printable
from smemdesc.instructions.mma import Judge
from smemdesc.instructions.model import Judged
from smemdesc.kinds.context import NOTHING
from smemdesc.layout.strides import NICK
from smemdesc.reading.text import digits
from smemdesc.render.descriptor import OPERAND_TITLES, descriptor_rows, descriptor_text, known_addresses, mma_kinds_text
from smemdesc.render.parts import fitted
from smemdesc.scanning.inputs import spool
from smemdesc.scanning.inputs.strip import uncolored
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand
from smemdesc.scanning.results.function_names import AS_THEY_ARE, Names
from smemdesc.scanning.results.selection import Choice

_COMMENT = {"LLVM IR": ";"}
_MANY = 3
"""At most this many instructions and written parts are listed; the others are counted."""
_JSON = re.compile(r"\s*+(?:\{|\[\s*+[\[\]{\"])")
"""The beginning of JSON; a log may begin with a bracket, too."""
_ADDRESS = re.compile(
    r"""(?x) (?:\(cuda-gdb\)[ ])?+ \s*+ (?:[=*]++>\s*+)?+ (?: (/\*[0-9a-f]{4,}+\*/)
      | (0x[0-9a-f]++ (?:[ ]<[^<>]*+>)?) (?=:?\s) | (?:"[^"]*+",)?+ "(0x[0-9a-f]++)" )"""
)
"""The address that a disassembler, cuda-gdb or Nsight Compute writes before an instruction."""
_HIDDEN = ("reserved", "fixed")


class LineComment(NamedTuple):
    """The comment of a line: parts with their styles."""

    mark: str
    """The start of a comment in this language."""
    parts: list[tuple[str, str]]
    writes: dict[tuple[str, str], list[int]]
    """The values that the line wrote: operand, value, and the lines of the instructions that read it."""


def note_lines(
    function: Function, judge: Judge, choice: Choice, notes: dict[int, LineComment], names: Names = AS_THEY_ARE
) -> None:
    """Add the comment of each line of a function; lines count from 1."""
    mark = _COMMENT.get(function.format, "//")
    if function.name and names(function.name) != function.name:
        notes.setdefault(function.line, LineComment(mark, [], {})).parts.append((names(function.name), "heading"))
    for mma in function.mmas:
        judged = judge.judge(mma.model)
        notes.setdefault(mma.line, LineComment(mark, [], {})).parts.extend(_instruction(mma, judged, choice))
        for line, title, text in _origins(mma, judged):
            lines = notes.setdefault(line, LineComment(mark, [], {})).writes.setdefault((title, text), [])
            if mma.line not in lines[-1:]:
                lines.append(mma.line)


def read_dump(path: str, name: str) -> list[str]:
    """Return the lines of a dump; ``name`` as given. :class:`SmemdescError` if its format has no comments."""
    with open(path, "rb") as stream:
        text = uncolored(stream.read()).decode("utf-8", "replace")
    if _JSON.match(text):
        shown = spool.shown_name(name)
        raise SmemdescError(f"{shown} is JSON, which has no comments", hint="print the code: nvdisasm -c CUBIN")
    return text.removesuffix("\n").split("\n")


@fitted
def annotated_view(
    console: Console, options: ConsoleOptions, lines: Sequence[str], notes: dict[int, LineComment]
) -> Iterator[Segment]:
    """Lines of a dump with their comments."""
    start = 0
    for number in sorted(notes):
        at = number - 1
        if at >= len(lines):
            break
        if at > start:
            yield Segment(_without_cursor_moves("\n".join(lines[start:at])) + "\n")
        note = notes[number]
        yield Segment(_without_cursor_moves(lines[at]).rstrip() + "  ")
        yield Segment(note.mark, console.get_style("label"))
        for place, (text, style) in enumerate([*note.parts, *_writes(note, lines)]):
            yield Segment(" | " if place else " ", console.get_style("label"))
            yield Segment(printable(text), console.get_style(style) if style else None)
        yield Segment("\n")
        start = at + 1
    if start < len(lines):
        yield Segment(_without_cursor_moves("\n".join(lines[start:])) + "\n")


def _writes(note: LineComment, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the operands that a line wrote, with the lines of the instructions that read them."""
    for (title, text), numbers in list(note.writes.items())[:_MANY]:
        yield f"{title} of {listed_words([_place(number, lines) for number in numbers], _MANY)}: {text}", "key"
    if len(note.writes) > _MANY:
        yield more(len(note.writes), _MANY).strip(), "label"


def _place(number: int, lines: Sequence[str]) -> str:
    """Return the address in a line, else its number, as the name of the line."""
    match = _ADDRESS.match(lines[number - 1]) if number <= len(lines) else None
    return match[match.lastindex or 0] if match else f"line {number}"


def _without_cursor_moves(text: str) -> str:
    """Return text of a dump with blanks instead of characters that move the cursor."""
    return text.replace("\r\n", "\n").replace("\r", " ").expandtabs()


def _instruction(mma: ScannedMma, judged: Judged, choice: Choice) -> Iterator[tuple[str, str]]:
    """Yield the descriptors of an instruction, and their findings."""
    for name, operand, result in descriptor_rows(mma, judged):
        says = descriptor_text(name, result, judged.context(name), mma.instruction.copied is not None)
        yield f"{OPERAND_TITLES[name]} {digits(operand.bits, operand.known, result.width)} {says}", "value"
    for title, text in known_addresses(mma.tensor_memory, mma.instruction.copied is not None):
        yield f"{title} {text}", "value"
    for operand_name, finding in sorted(choice.shown_findings(judged), key=lambda entry: entry[1].rank):
        of = f"{OPERAND_TITLES.get(operand_name, operand_name)}: " if operand_name else ""
        yield f"{finding.severity} {finding.rule}: {of}{finding.message}", finding.severity


def _origins(mma: ScannedMma, judged: Judged) -> Iterator[tuple[int, str, str]]:
    """Yield each line that wrote bits, the operand, and the bits."""
    for name, operand, result in descriptor_rows(mma, judged):
        masks: dict[int, int] = {}
        for origin in operand.origins:
            masks[origin.line] = masks.get(origin.line, 0) | origin.mask
        for line, mask in masks.items():
            yield line, OPERAND_TITLES[name], _wrote(name, operand, result, mask)


def _wrote(name: str, operand: ScannedOperand, result: Result, mask: int) -> str:
    """Describe the fields in the bits ``mask`` of an operand."""
    table = result.candidates[0].kind.table
    if name in ("idesc", "mask") and mask & table.full == operand.known & table.full:
        return descriptor_text(name, result, NOTHING) if result.settled else mma_kinds_text(result)
    fields = dict(result.candidates[0].fields)
    whole, parts = [], []
    for key, field in table.masks.items():
        hit = field & mask
        if not hit or key.startswith(_HIDDEN):
            continue
        nick = NICK.get(key, key.replace("_", " "))
        reading = fields.get(key)
        # A line that writes every 1 bit determines the number; the zeros around them rarely matter.
        every = hit == field or (operand.bits & hit and operand.bits & field == operand.bits & hit)
        if every and reading is not None and reading.settled:
            unit = " B" if key in NICK or key == "start_address" else ""
            whole.append(f"{nick} {_value(reading.value)}{unit}")
        elif operand.bits & hit:
            low = (field & -field).bit_length() - 1
            parts.append(f"{nick} {_range(hit >> low)} = {(operand.bits & hit) >> low:#x}")
    return ", ".join(whole + parts) or "zeros"


def _value(value: object) -> str:
    named = {None: "undefined", True: "yes", False: "no"}
    return named[value] if value is None or isinstance(value, bool) else str(value)


def _range(mask: int) -> str:
    """Return the highest and the lowest bit of a mask."""
    low, high = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
    return f"bit {low}" if low == high else f"bits {high}-{low}"
