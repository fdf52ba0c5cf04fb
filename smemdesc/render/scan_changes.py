"""What ``--diff`` and ``--agree`` find, as lines that other programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from smemdesc.engine.wording import many, printable
from smemdesc.render.descriptor import OPERAND_TITLES
from smemdesc.render.scan_diff import change_text, place_text
from smemdesc.render.scan_lines import file_name, github_line
from smemdesc.rules.base import ERROR, WARNING
from smemdesc.rules.compiled_forms import forms_differ
from smemdesc.scanning.results.agreement import DIFFERS, ONLY_SOURCE, Agreement, MmaPair
from smemdesc.scanning.results.comparison import (
    AMBIGUOUS_FUNCTIONS,
    APPEARED,
    CHANGED,
    UNCLEAR,
    VANISHED,
    WITHOUT_EFFECT,
    DescriptorChange,
    FunctionComparison,
    ScannedFunction,
)

RULE_OF_CHANGE = {
    CHANGED: ("descriptor-changed", "The descriptors of a function are those of the older build."),
    APPEARED: ("descriptor-appeared", "A function has no descriptor that the older build lacks."),
    VANISHED: ("descriptor-vanished", "A function has every descriptor of the older build."),
    WITHOUT_EFFECT: ("changed-without-effect", "The strides without effect are those of the older build."),
    UNCLEAR: ("not-wholly-known", "What is known of a descriptor is known in both builds."),
    AMBIGUOUS_FUNCTIONS: ("ambiguous-functions", "It is clear which functions of both builds belong together."),
}
"""The name under which other programs see a change, and what holds where there is none."""
_MOVED = "instruction-order-changed"
_LOST = "instruction-lost"
STATEMENTS = {
    **dict(RULE_OF_CHANGE.values()),
    _MOVED: "A later form has the instructions of a block in the order of the earlier one.",
    _LOST: "A later form has every instruction of the earlier one.",
}
"""What must hold, by the names of changes that are no rules of ``scan``."""


class Change(NamedTuple):
    """A change or a difference at a place in a file."""

    severity: str
    """``error`` for what ``--check`` counts, ``warning`` for what only ``--strict`` does."""
    rule: str
    file: str
    line: int
    function: str | None
    message: str


def changes_of(pairs: Iterable[FunctionComparison]) -> Iterator[Change]:
    """Yield the changes between two builds, those with an effect first."""
    found = [change for pair in pairs for change in _changes_of(pair)]
    yield from sorted(found, key=lambda change: change.severity)


def _changes_of(pair: FunctionComparison) -> Iterator[Change]:
    for change in pair.changes:
        what = change.what if change.has_effect or change.what != CHANGED else WITHOUT_EFFECT
        yield _change(pair, what, change_text(change), change)
    for field in pair.maps:
        yield _change(pair, CHANGED, str(field))
    if pair.is_ambiguous:
        old, new = pair.ambiguous
        text = f"{many(len(old), 'function')} of the old build and {len(new)} of the new one are named {pair.name}"
        place = (*new, *old)[0]
        rule = RULE_OF_CHANGE[AMBIGUOUS_FUNCTIONS][0]
        yield Change(WARNING, rule, place.file, place.line, pair.name, f"{text}: not compared")


def _change(pair: FunctionComparison, what: str, text: str, change: DescriptorChange | None = None) -> Change:
    there = pair.new or pair.old
    assert there is not None
    group = change and ((change.new if pair.new else change.old) or None)
    severity = WARNING if what in (WITHOUT_EFFECT, UNCLEAR) else ERROR
    says = f"{text}{_since(pair.old, pair.new)}"
    return Change(severity, RULE_OF_CHANGE[what][0], there.file, group.line if group else there.line, there.name, says)


def _since(old: ScannedFunction | None, new: ScannedFunction | None) -> str:
    return "" if old is None or new is None else f" (before: {place_text(old)})"


def differences_of(agreement: Agreement) -> Iterator[Change]:
    """Yield where the forms of a kernel differ."""
    for pair in agreement.pairs:
        if pair.source is None or pair.target is None:
            continue
        source, target = pair.source.place, pair.target.place
        earlier, later = pair.source.function.format, pair.target.function.format
        for entry in pair.entries:
            if entry.status == DIFFERS and entry.target is not None and entry.source is not None:
                text = f"{_fields(entry)}: {earlier} -> {later} ({place_text(source._replace(line=entry.source.line))})"
                yield Change(ERROR, forms_differ.name, target.file, entry.target.line, target.name, text)
            elif entry.status == ONLY_SOURCE and entry.source is not None:
                text = f"only in the {earlier}: {printable(entry.source.text)}"
                yield Change(ERROR, _LOST, source.file, entry.source.line, source.name, text)
        for turned in pair.order:
            text = f"the MMAs of lines {turned.target[0]} and {turned.target[1]} are in reverse order in the {earlier}"
            yield Change(ERROR, _MOVED, target.file, turned.target[0], target.name, text)
        for field in pair.maps:
            text = f"{field}: {earlier} -> {later}"
            yield Change(ERROR, forms_differ.name, target.file, target.line, target.name, text)


def _fields(entry: MmaPair) -> str:
    return ", ".join(
        f"{OPERAND_TITLES[field.operand]} {field}" if field.operand else str(field) for field in entry.fields
    )


def short_change(change: Change) -> str:
    """Return ``file:line: severity: rule: message``."""
    function = f"{printable(change.function)}: " if change.function else ""
    where = f"{file_name(change.file)}:{change.line}"
    return f"{where}: {change.severity}: {change.rule}: {function}{change.message}"


def github_change(change: Change) -> str:
    """Return the workflow command."""
    function = f"{printable(change.function)}: " if change.function else ""
    return github_line(change.severity, change.file, change.line, change.rule, function + change.message)
