"""What is shown of a text: findings with their places and repairs, and what is below the pointer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from smemdesc.api.decoding import decode
from smemdesc.api.scanning import Scan, Where, scan
from smemdesc.descriptors.result import Result
from smemdesc.engine.errors import SmemdescError
from smemdesc.integrations.language_server import repairs
from smemdesc.render import console
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.render.mma import mma_view
from smemdesc.render.views import view
from smemdesc.rules.base import NOTE, Finding
from smemdesc.scanning.model import ScannedOperand, TextValue

HOVER_COLUMNS = 100
"""The width of what is shown below the pointer."""
_FEWEST = 1 << 20
"""Smaller numbers are no descriptors but sizes, counts and masks."""
_MOST_ROWS = 16
"""The most lines of one instruction."""


class TextMark(NamedTuple):
    """A place in the text, and what is wrong there; the line and the columns count from 0."""

    line: int
    begin: int
    end: int
    severity: str
    """``error``, ``warning``, or ``unread`` for a tensor-core instruction that could not be read."""
    rule: str
    message: str
    repairs: tuple[repairs.TextRepair, ...] = ()


@lru_cache(4)
def scan_of_text(text: str) -> Scan | None:
    """Return what is found in a text; None if nothing can be scanned."""
    try:
        return scan(f"{text}\n")
    except SmemdescError:
        return None


def text_marks(text: str) -> list[TextMark]:
    """Return the errors and the warnings of a text, and what of it was seen and not read."""
    found, lines = scan_of_text(text), text.split("\n")
    if found is None:
        return []
    every = [*_of_instructions(found, lines), *_of_values(found, lines)]
    every += [_mark(lines, max(line, 1), "unread", "unread", reason) for line, reason in found.failed]
    return list(dict.fromkeys(every))


def _of_instructions(found: Scan, lines: Sequence[str]) -> Iterator[TextMark]:
    for each in found.findings:
        if each.severity == NOTE or each.finding.because:
            continue
        operand: ScannedOperand | None = (each.operand and getattr(each.where.mma, each.operand, None)) or None
        changes = () if operand is None else tuple(repairs.repairs_of_operand(lines, operand, each.finding))
        title = f"{OPERAND_TITLES.get(each.operand, each.operand)}: " if each.operand else ""
        mark = _mark(lines, each.where.line, each.severity, each.rule, title + _says(each.finding))
        yield mark._replace(repairs=changes)


def _of_values(found: Scan, lines: Sequence[str]) -> Iterator[TextMark]:
    for value, line, begin, end in _places(found, lines):
        for finding in found.choice.of_value(value):
            if not finding.because:
                changes = tuple(repairs.repairs_of_value(lines[line], begin, value, finding))
                yield TextMark(line, begin, end, finding.severity, finding.rule, _says(finding), changes)


def _places(found: Scan, lines: Sequence[str]) -> Iterator[tuple[TextValue, int, int, int]]:
    """Yield the numbers in other text that may be descriptors, each with its line and columns: a scan counts bytes."""
    for value in found.values:
        if value.line <= len(lines):
            text = lines[value.line - 1]
            begin = len(text.encode()[: value.column - 1].decode(errors="ignore"))
            yield value, value.line - 1, begin, begin + len(value.text.partition("\n")[0])


def _mark(lines: Sequence[str], number: int, severity: str, rule: str, message: str) -> TextMark:
    """Return a mark of a whole line, without the blanks around it."""
    line = lines[number - 1] if number <= len(lines) else ""
    return TextMark(number - 1, len(line) - len(line.lstrip()), len(line.rstrip()), severity, rule, message)


def _says(finding: Finding) -> str:
    more = {"probably": finding.likely, "fix": finding.fix, "next": finding.next}
    return "\n".join([finding.message, *(f"{label}: {text}" for label, text in more.items() if text)])


def hover(text: str, line: int, column: int) -> str | None:
    """Return what is known of the instruction or the constant at a place; None of other text."""
    found, lines = scan_of_text(text), text.split("\n")
    if line >= len(lines):
        return None
    for value, at, begin, end in () if found is None else _places(found, lines):
        if at == line and begin <= column <= end:
            return _shown(value.result)
    if constant := _constant(lines[line], column):
        return _shown(constant)
    where = None if found is None else _instruction(found, lines, line)
    return None if where is None else console.lines(mma_view(where.mma.model, where.judged), HOVER_COLUMNS)


def _shown(result: Result) -> str:
    return console.lines(view(result), HOVER_COLUMNS)


def _constant(line: str, column: int) -> Result | None:
    """Return the constant at a column, decoded, if it fits a descriptor."""
    for number in repairs.CONSTANT.finditer(line):
        if number.start() <= column <= number.end():
            with suppress(SmemdescError):
                result = decode(number["digits"])
                return result if result.ranking.fits and abs(result.literal.number) >= _FEWEST else None
    return None


def _instruction(found: Scan, lines: Sequence[str], line: int) -> Where | None:
    """Return the instruction that a line is part of: PTX may need several."""
    at = {where.line - 1: where for where in found.instructions}
    for begin in range(line, max(line - _MOST_ROWS, -1), -1):
        if begin in at:
            return at[begin]
        if begin == 0 or ";" in lines[begin - 1]:
            return None
    return None
