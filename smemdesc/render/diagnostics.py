"""Findings as people read them: one block a finding, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType

from smemdesc.findings.base import NOTE, Finding
from smemdesc.findings.verdict import AMBIGUOUS, INVALID, SUSPICIOUS, VALID, verdict
from smemdesc.render.parts import Hanging, Span, labelled, line

STYLES = {VALID: "good", SUSPICIOUS: "warning", INVALID: "error", AMBIGUOUS: "warning"}


class Diagnostics:
    """Findings, one after another: the rule and what is wrong, what it probably means, the fix, the source."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        for finding in self.findings:
            head = (finding.severity, finding.severity), " ", (finding.rule, "heading"), ": "
            yield Hanging(line(*head, finding.message))
            for label, text in (("probably", finding.likely), ("fix", finding.fix), ("source", finding.source)):
                if text:
                    yield labelled(label, (text, "faint") if label == "source" else text)


def of_one(finding: Finding) -> Diagnostics:
    """Return the view of one finding."""
    return Diagnostics((finding,))


def verdict_spans(findings: tuple[Finding, ...], known: int, width: int) -> list[Span]:
    """Return what findings come to, and how much of the value is known."""
    said = verdict(findings)
    return [(said, STYLES[said]), *known_spans(known, width)]


def known_spans(known: int, width: int) -> list[Span]:
    """Return how much of a value is known, where that is not all of it."""
    return [f", {known.bit_count()} of {width} bits known"] if known.bit_count() < width else []


def noted(text: str) -> RenderableType:
    """Return a remark that no rule makes."""
    return Hanging(line((NOTE, NOTE), f": {text}"))
