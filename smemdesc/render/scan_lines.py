"""Findings of a scan as lines that other programs read: compilers' short form, and GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.findings.base import Finding
from smemdesc.mma import Judge
from smemdesc.scan import blame
from smemdesc.scan.choosing import Choice
from smemdesc.scan.folding import Row, Said
from smemdesc.scan.model import Function

STDIN = "<stdin>"
"""What standard input is called where a file is named."""
_TITLES = {"a": "A", "b": "B"}
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def clean(text: str) -> str:
    """Return text of a dump with what would move the cursor, or end the line, replaced."""
    return (
        text
        if text.isprintable()
        else "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    )


def place(file: str) -> str:
    """Return a file's name as these lines have it."""
    return STDIN if file == "-" else clean(file)


def message(operand: str | None, finding: Finding) -> str:
    """Return what is wrong, with the operand in front."""
    text = f"{_TITLES.get(operand, operand)}: {finding.message}" if operand else finding.message
    return clean(text)


def short(file: str, function: Function, judge: Judge, choice: Choice) -> Iterator[str]:
    """Yield ``file:line: severity: rule: message`` for each finding of each instruction."""
    name = place(file)
    for mma in function.mmas:
        judged = judge.judge(mma.model)
        for operand, finding in choice.told(judged):
            lines = blame.setters(mma, judged, operand, finding)
            by = f" (set in {clean(blame.said(lines))})" if lines else ""
            yield f"{name}:{mma.line}: {finding.severity}: {finding.rule}: {message(operand, finding)}{by}"


def github(file: str, rows: list[Row]) -> Iterator[str]:
    """Yield a workflow command for each finding of each row: GitHub shows ten of a severity for a step of a job."""
    for row in rows:
        for said in row.findings:
            finding = said.finding
            title = f"smemdesc {finding.rule}"
            yield (
                f"::{_COMMANDS[finding.severity]} file={_property(place(file))},line={said.mma.line},"
                f"title={_property(title)}::{_data(whole(said, row))}"
            )


def whole(said: Said, row: Row) -> str:
    """Return what is wrong and what to do, and in how many of the instructions of a row."""
    finding = said.finding
    text = message(said.operand, finding)
    text += f"; probably: {finding.likely}" if finding.likely else ""
    text += f"; fix: {finding.fix}" if finding.fix else ""
    text += f"; set in {clean(blame.said(said.setters))}" if said.setters else ""
    return text + (f" ({said.times} of {len(row.mmas)} instructions)" if len(row.mmas) > 1 else "")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
