"""A scan as JSON: a line for each tensor-core instruction, or one object of SARIF 2.1.0 with findings and rules.

SARIF is streamed, for code scanning and editors: a run keeps only the rules with findings in memory.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from smemdesc._version import __version__
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import printable
from smemdesc.instructions.model import Judged
from smemdesc.render.scan_lines import advised, counted_text, inside
from smemdesc.rules.base import RANK, Finding
from smemdesc.scanning.model import Function, ScannedMma, TextValue
from smemdesc.scanning.results.report import ReportRow, head_dict, judged_dict
from smemdesc.scanning.results.selection import Choice

if TYPE_CHECKING:
    from smemdesc.render.scan_changes import Change

_CAP = 1_000
"""The size of the cache: a library has thousands of instructions, but neighbors are often equal."""


class JsonLines:
    """Formats instructions as lines; common parts are formatted once and cached."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Judged, str]] = {}

    def mma(self, file: str, function: Function, mma: ScannedMma, judged: Judged) -> str:
        """Return the line of one instruction, without the newline."""
        head = dumps(head_dict(file, function, mma))
        rest = mma.place_dict()
        return f"{head[:-1]}, {self._shared(judged)}, {dumps(rest)[1:]}"

    def _shared(self, judged: Judged) -> str:
        cached = self._texts.get(id(judged))
        if cached is not None:
            return cached[1]
        if len(self._texts) >= _CAP:
            self._texts.clear()
        text = dumps(judged_dict(judged))[1:-1]
        # The judged object is kept with its text: while it lives, no other object has its id.
        self._texts[id(judged)] = (judged, text)
        return text


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://pypi.org/project/smemdesc/"
_MOST = 100
"""The most related lines of one result."""


class Sarif:
    """Writes one SARIF object through ``write``, which takes pieces of text."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._rules: dict[str, int] = {}
        self._severities: dict[str, str] = {}
        self._prints = Counter[str]()
        self._first = True
        write('{"$schema": ' + dumps(SCHEMA) + ', "version": "2.1.0", "runs": [{"results": [')

    def function(self, file: str, function: Function, rows: Iterable[ReportRow]) -> None:
        """Write the results of a function: one for each finding of instructions with the same descriptors."""
        for row in rows:
            for folded in row.findings:
                apart = bool(function.member) or folded.mma.printed  # the file itself has no such lines
                setters = () if apart else folded.setters
                related = [("sets it", setter.line, setter.text) for setter in setters]
                if folded.times == len(row.mmas) and not apart:
                    related += [("the same", mma.line, mma.text) for mma in row.mmas if mma is not folded.mma]
                result: dict[str, Any] = {
                    "message": {"text": inside(function, folded.mma) + counted_text(folded, row)},
                    "locations": [_location(file, None if apart else folded.mma.line, folded.mma.text, function)],
                    "occurrenceCount": folded.times,
                    "properties": {"operand": folded.operand, "source": folded.finding.source},
                }
                if related:
                    result["relatedLocations"] = [
                        {"id": number, "message": {"text": what}, **_location(file, line, text)}
                        for number, (what, line, text) in enumerate(related[:_MOST], 1)
                    ]
                self._result(folded.finding, result)

    def values(self, file: str, values: Iterable[TextValue], choice: Choice) -> None:
        """Write a result for each finding of each value in other text."""
        for value in values:
            for finding in choice.of_value(value):
                result = {
                    "message": {"text": f"{printable(value.text)}: {advised(None, finding)}"},
                    "locations": [_location(file, value.line, value.text)],
                    "properties": {"source": finding.source},
                }
                self._result(finding, result)

    def change(self, change: Change) -> None:
        """Write a change that a comparison found."""
        physical = {"artifactLocation": {"uri": uri(change.file)}, "region": {"startLine": max(change.line, 1)}}
        location: dict[str, Any] = {"physicalLocation": physical}
        if change.function:
            location["logicalLocations"] = [{"fullyQualifiedName": printable(change.function), "kind": "function"}]
        self._result(change, {"message": {"text": change.message}, "locations": [location]})

    def _result(self, finding: Finding | Change, result: Mapping[str, Any]) -> None:
        index = self._rules.setdefault(finding.rule, len(self._rules))
        worst = self._severities.get(finding.rule, "note")
        self._severities[finding.rule] = min(worst, finding.severity, key=RANK.__getitem__)
        head = {"ruleId": finding.rule, "ruleIndex": index, "level": finding.severity}
        prints = {"partialFingerprints": {"smemdesc/v1": self._fingerprint(finding.rule, result)}}
        self._write(("" if self._first else ",") + "\n" + dumps({**head, **result, **prints}))
        self._first = False

    def _fingerprint(self, rule: str, result: Mapping[str, Any]) -> str:
        """Return what stays the same when lines move: of the rule, file, function and instruction, and how many such
        results were before."""
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        parts = [
            rule,
            physical["artifactLocation"]["uri"],
            *(each["fullyQualifiedName"] for each in location.get("logicalLocations", ())),
            physical.get("region", {}).get("snippet", {}).get("text", ""),
            str(result.get("properties", {}).get("operand")),
        ]
        key = sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._prints[key] += 1
        return f"{key}:{self._prints[key]}"

    def end(self, problems: Iterable[SmemdescError], unchecked: SmemdescError | None = None) -> None:
        """Write the end, after the results: unreadable input, whether nothing was checked, and the rules."""
        notes = [
            {"level": "error", "message": {"text": printable(str(problem.option_message))}} for problem in problems
        ]
        done = not notes
        if unchecked is not None:
            notes.append({"level": "warning", "message": {"text": unchecked.option_message}})
        invocation = {"executionSuccessful": done, "toolExecutionNotifications": notes}
        driver = {
            "name": "smemdesc",
            "version": __version__,
            "informationUri": HOME,
            "rules": [self._rule(name) for name in self._rules],
        }
        self._write(
            f'\n], "invocations": [{dumps(invocation)}], "columnKind": "unicodeCodePoints", '
            f'"tool": {{"driver": {dumps(driver)}}}}}]}}\n'
        )

    def _rule(self, name: str) -> dict[str, Any]:
        from smemdesc.explanations.catalog import example_of
        from smemdesc.explanations.topics import rule_statements
        from smemdesc.render.scan_changes import STATEMENTS

        if name in STATEMENTS:
            says = {"text": STATEMENTS[name]}
            return {"id": name, "shortDescription": says, "defaultConfiguration": {"level": self._severities[name]}}
        requirements, why = rule_statements(name), example_of(name).why
        holds = " ".join(dict.fromkeys(requirement.doc for requirement in requirements))
        sources = "; ".join(dict.fromkeys(source for requirement in requirements for source in requirement.sources))
        source = f" Source: {sources}." if sources else ""
        text = f"{holds} {why} An example: {example_of(name).command}{source} More: smemdesc explain {name}"
        return {
            "id": name,
            "shortDescription": {"text": requirements[0].doc},
            "fullDescription": {"text": why},
            "help": {"text": text},
            "defaultConfiguration": {"level": self._severities[name]},
        }


def _location(file: str, line: int | None, text: str, function: Function | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
    if line is not None:
        physical["region"] = {"startLine": line, "snippet": {"text": printable(text)}}
    location: dict[str, Any] = {"physicalLocation": physical}
    if function is not None and function.name:
        location["logicalLocations"] = [{"fullyQualifiedName": printable(function.name), "kind": "function"}]
    return location


def uri(file: str) -> str:
    """Return a file's name as a URI: a relative name unchanged, an absolute one with a scheme."""
    if file == "-":
        return "stdin"
    text = quote(file.replace(os.sep, "/").encode("utf-8", "surrogateescape"), safe="/")
    return f"file://{text}" if text.startswith("/") else text
