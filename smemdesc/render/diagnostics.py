"""Findings as people read them: one block a finding, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType

from smemdesc.findings.base import ERROR, NOTE, WARNING, Finding
from smemdesc.render.parts import Hanging, Span, labelled, line

VALID, SUSPICIOUS, INVALID, AMBIGUOUS = "valid", "suspicious", "invalid", "ambiguous"
STYLES = {VALID: "good", SUSPICIOUS: "warning", INVALID: "error", AMBIGUOUS: "warning"}


class Diagnostics(NamedTuple):
    """Findings, one after another: the rule and what is wrong, what it probably means, the fix, the source."""

    findings: tuple[Finding, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        for finding in self.findings:
            head = (finding.severity, finding.severity), " ", (finding.rule, "heading"), ": "
            yield Hanging(line(*head, finding.message))
            for label, text in (("probably", finding.likely), ("fix", finding.fix), ("source", finding.source)):
                if text:
                    yield labelled(label, (text, "faint") if label == "source" else text)


def word(findings: Iterable[Finding]) -> str:
    """Return what findings come to, in a word."""
    severities = {finding.severity for finding in findings}
    return INVALID if ERROR in severities else SUSPICIOUS if WARNING in severities else VALID


def verdict(findings: tuple[Finding, ...], known: int, width: int) -> list[Span]:
    """Return what findings come to, and how much of the value is known."""
    said = word(findings)
    spans: list[Span] = [(said, STYLES[said])]
    if known.bit_count() < width:
        spans.append(f", {known.bit_count()} of {width} bits known")
    return spans


def noted(text: str) -> RenderableType:
    """Return a remark that no rule makes."""
    return Hanging(line((NOTE, NOTE), f": {text}"))
