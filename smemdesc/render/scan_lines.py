"""Findings of a scan as lines that other programs read: compilers' short form, and GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from smemdesc.engine.wording import printable
from smemdesc.instructions.mma import CheckedMma, Judge
from smemdesc.instructions.model import OPERANDS
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.rules.base import Finding
from smemdesc.scanning.model import Function, ScannedMma, ScannedOperand, TextValue, Unread
from smemdesc.scanning.model.causes import ARGUMENT, MEMORY, UNKNOWN, UNREAD
from smemdesc.scanning.results.report import FoldedFinding, ReportRow, describe_setters, setters
from smemdesc.scanning.results.selection import Choice

STDIN_NAME = "<stdin>"
"""The file name that stands for standard input."""
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def file_name(file: str) -> str:
    """Return a file's name for these lines."""
    return STDIN_NAME if file == "-" else printable(file)


def message(operand: str | None, finding: Finding) -> str:
    """Return the message, preceded by the operand."""
    text = f"{OPERAND_TITLES[operand]}: {finding.message}" if operand else finding.message
    return printable(text)


def short_lines(file: str, function: Function, judge: Judge, choice: Choice) -> Iterator[str]:
    """Yield ``file:line: severity: rule: message`` for each finding of each instruction."""
    for mma in function.mmas:
        judged = judge.judge(mma.model)
        place = _place(file, function, mma)
        for operand, finding in choice.shown_findings(judged):
            lines = setters(mma, judged, operand, finding)
            by = f" (set in {printable(describe_setters(lines, mma.printed))})" if lines else ""
            yield f"{place}: {finding.severity}: {finding.rule}: {message(operand, finding)}{by}"


def field_lines(file: str, function: Function, judge: Judge, names: Sequence[str]) -> Iterator[str]:
    """Yield ``file:line`` and values of each instruction, separated by tabs; ``-`` of an operand that it has not.

    :class:`smemdesc.engine.errors.FieldError` for a name that is none.
    """
    for mma in function.mmas:
        checked = CheckedMma(mma.model, judge.judge(mma.model))
        of_absent = {name for name in names if name.partition(".")[0] in set(OPERANDS) - checked.judged.results.keys()}
        values = ("-" if name in of_absent else checked.bare(name) for name in names)
        yield "\t".join((_place(file, function, mma), *values))


def _place(file: str, function: Function, mma: ScannedMma) -> str:
    """Return ``file:line``, or in a binary the function and the offset, as ``--at`` takes them."""
    place = f"{printable(function.name or '')}+0x{mma.offset:x}" if mma.exact_place else str(mma.line)
    return f"{file_name(function.within(file))}:{place}"


def short_values(file: str, values: Iterable[TextValue], choice: Choice) -> Iterator[str]:
    """Yield ``file:line: severity: rule: message`` for each finding of each value in other text."""
    for value in values:
        for finding in choice.of_value(value):
            text = f"{printable(value.text)}: {message(None, finding)}"
            yield f"{file_name(file)}:{value.line}: {finding.severity}: {finding.rule}: {text}"


def github_values(file: str, values: Iterable[TextValue], choice: Choice) -> Iterator[str]:
    """Yield a workflow command for each finding of each value in other text."""
    for value in values:
        for finding in choice.of_value(value):
            yield _github_command(file, value.line, finding, f"{printable(value.text)}: {advised(None, finding)}")


def github(file: str, function: Function, rows: list[ReportRow]) -> Iterator[str]:
    """Yield a workflow command for each finding of each row: GitHub shows ten per severity for a step of a job."""
    for row in rows:
        for folded in row.findings:
            line = 1 if function.member or folded.mma.printed else folded.mma.line
            text = inside(function, folded.mma) + counted_text(folded, row)
            yield _github_command(file, line, folded.finding, text)


def _github_command(file: str, line: int, finding: Finding, text: str) -> str:
    return github_line(finding.severity, file, line, finding.rule, text)


def github_line(severity: str, file: str, line: int, rule: str, text: str) -> str:
    """Return a workflow command that GitHub shows at a line of a file."""
    title = _property(f"smemdesc {rule}")
    place = f"file={_property(file_name(file))},line={line},title={title}"
    return f"::{_COMMANDS[severity]} {place}::{_data(text)}"


def github_unread(file: str, unread: Unread) -> str:
    """Return the workflow command for a tensor-core instruction that was not read."""
    text = f"this tensor-core instruction was seen, not read ({unread.reason}): {printable(unread.text)}"
    return f"::error file={_property(file_name(file))},line={unread.line},title=smemdesc::{_data(text)}"


def inside(function: Function, mma: ScannedMma) -> str:
    """Return the member of a file and the place in it, if the line is not one of the file itself; else nothing."""
    places = [printable(function.member), mma.place] if function.member else [mma.exact_place]
    return ", ".join(filter(None, places)) + ": " if any(places) else ""


def counted_text(folded: FoldedFinding, row: ReportRow) -> str:
    """Return :func:`whole_text`, and the number of the row's instructions that have the finding."""
    return whole_text(folded) + (f" ({folded.times} of {len(row.mmas)} instructions)" if len(row.mmas) > 1 else "")


def whole_text(folded: FoldedFinding) -> str:
    """Return what is wrong, what to do, and where the bits were set."""
    text = advised(folded.operand, folded.finding)
    return text + (
        f"; set in {printable(describe_setters(folded.setters, folded.mma.printed))}" if folded.setters else ""
    )


def advised(operand: str | None, finding: Finding) -> str:
    """Return what is wrong, and what to do."""
    return "; ".join([message(operand, finding), *(f"{label}: {advice}" for label, advice in finding.advice)])


def lost(operand: ScannedOperand, printed: bool = False) -> str:
    """Describe the line that lost the unknown bits of an operand; empty if that line is unknown.

    A line that was ``printed`` for this scan has no number.
    """
    if operand.lost:
        because = f", {_CAUSES[operand.lost_why]}" if operand.lost_why in _CAUSES else ""
        where = "" if printed else f"line {operand.lost}: "
        return f"lost in {where}{printable(operand.lost_text)}{because}"
    return "" if operand.known else "nothing in this text sets it"


_CAUSES = {
    ARGUMENT: "an argument",
    MEMORY: "a value in memory",
    UNKNOWN: "an unknown instruction",
    UNREAD: "a line that is not understood",
}
"""Values that a kernel's text does not contain, and code that is not understood."""


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
