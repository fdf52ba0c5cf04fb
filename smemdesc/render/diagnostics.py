"""Findings as text: one block per finding, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType

from smemdesc.descriptors.result import Result
from smemdesc.engine.wording import bit_ranges
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.render.parts import StyledText, as_view, hanging, labeled
from smemdesc.rules.base import AMBIGUOUS, INVALID, NOTE, SUSPICIOUS, VALID, Finding, verdict
from smemdesc.rules.causes import Of, grouped

STYLES = {VALID: "good", SUSPICIOUS: "warning", INVALID: "error", AMBIGUOUS: "warning"}


@as_view
def diagnostics(findings: Iterable[Finding | Of]) -> Iterator[RenderableType]:
    """Findings: what is wrong, the consequences, the probable cause, the fix, the source.

    Each may be paired with its operand.
    """
    paired = [(None, finding) if isinstance(finding, Finding) else finding for finding in findings]
    for (operand, finding), after in grouped(paired):
        yield hanging(*_headline(operand, finding))
        for of, consequence in after:
            yield labeled("which also causes", *_headline(of if of != operand else None, consequence))
        for label, text in finding.advice:
            yield labeled(label, text)
        if finding.source:
            yield labeled("source", (finding.source, "faint"))


def _headline(operand: str | None, finding: Finding) -> list[StyledText]:
    name = f"{OPERAND_TITLES[operand]}: " if operand else ""
    return [(finding.severity, finding.severity), " ", (finding.rule, "heading"), f": {name}{finding.message}"]


def of_one(finding: Finding) -> RenderableType:
    """Return the view of one finding."""
    return diagnostics((finding,))


def verdict_spans(findings: tuple[Finding, ...], known: int, width: int) -> list[StyledText]:
    """Return the verdict, and the number of known bits."""
    outcome = verdict(findings)
    return [(outcome, STYLES[outcome]), *known_spans(known, width)]


def known_spans(known: int, width: int) -> list[StyledText]:
    """Return the number of known bits, if not all are known."""
    return [f", {known.bit_count()} of {width} bits known"] if known.bit_count() < width else []


def noted(text: str) -> RenderableType:
    """Return a remark that is not from a rule."""
    return hanging((NOTE, NOTE), f": {text}")


def undecided_lines(result: Result, title: str = "") -> Iterator[RenderableType]:
    """Yield, for each set of unknown bits, the rules whose findings depend on them; ``title``: of the operand."""
    rules: dict[int, dict[str, None]] = {}
    for finding, bits in result.undecided:
        rules.setdefault(bits, {})[f"{finding.severity} {finding.rule}"] = None
    for bits, names in rules.items():
        about = f"{title}: " if title else ""
        yield labeled("not decided", f"{about}{', '.join(names)}: depends on {bit_ranges(bits)}")
