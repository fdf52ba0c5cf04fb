"""The view of ``explain``: a rule with its example, a cause, a term with its other names, a field with its bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from smemdesc.explanations.glossary import GlossaryTerm
from smemdesc.explanations.topics import FieldTopic, RuleTopic, Topic, Topics
from smemdesc.kinds.kind import ids
from smemdesc.render.bits import bit_range
from smemdesc.render.console import broken
from smemdesc.render.diagnostics import of_one
from smemdesc.render.parts import apart, as_view, beside, fitted, hanging, labeled, line, set_in, table
from smemdesc.rules.named_causes import NamedCause


@as_view
def topic_view(topic: Topic) -> Iterator[RenderableType]:
    """All meanings of a name."""
    rule, cause, term, field = topic.rule, topic.cause, topic.term, topic.field
    views = rule and rule_view(rule), cause and cause_view(cause), term and term_view(term), field and field_view(field)
    yield from apart(filter(None, views))


_LABEL = 50
"""The longest label, in characters, that is written before a text instead of after it."""


@as_view
def rule_view(rule: RuleTopic) -> Iterator[RenderableType]:
    """A rule: what must hold, why, an example that breaks it, its repair, the source."""
    yield line((rule.name, "heading"), ("  rule", "faint"))
    for statement in rule.statements:
        where = " ".join(part for part in (_named(statement.kinds), statement.field) if part)
        several = len(rule.statements) > 1
        beside_it = several and len(where) <= _LABEL
        suffix = f" ({where})" if several and not beside_it else ""
        yield labeled(f"must hold ({where})" if beside_it else "must hold", statement.doc + suffix)
    yield labeled("why", rule.why)
    yield Text()
    yield labeled("example", (rule.broken.command, "value"))
    yield _example(rule)
    # The source is written below, once.
    yield set_in(of_one(rule.finding._replace(source="")), 4)
    if rule.repaired is not None:
        yield labeled("repaired", (rule.repaired.value, "value"))
    yield Text()
    for source in dict.fromkeys(source for statement in rule.statements for source in statement.sources):
        yield labeled("source", (source, "faint"))


@fitted
def _example(console: Console, options: ConsoleOptions, rule: RuleTopic) -> Iterator[RenderableType]:
    """The text of an example; of a long one a terminal shows the lines around the repair, with their numbers."""
    lines = rule.broken.text.splitlines()
    repaired = rule.repaired.run.text.splitlines() if rule.repaired is not None else lines
    changed = [at for at, (old, new) in enumerate(zip(lines, repaired, strict=False)) if old != new]
    if len(lines) <= _MOST_LINES or not changed or not broken(options):
        yield from (beside("    ", text) for text in lines)
        return
    wide, before = len(str(len(lines))), -1
    for at, text in enumerate(lines):
        if min(abs(at - each) for each in changed) <= _AROUND:
            yield from [beside("    ", ("...", "faint"))] * (at > before + 1)
            yield beside((f"    {at + 1:{wide}}  ", "faint"), text)
            before = at
    yield from [beside("    ", ("...", "faint"))] * (before < len(lines) - 1)
    yield beside("    ", (f"all {len(lines)} lines: smemdesc explain {rule.name} | cat", "faint"))


_MOST_LINES = 24
"""The most lines of an example that a terminal shows whole."""
_AROUND = 3
"""Lines of a long example that are shown before and after each that is repaired."""


@as_view
def cause_view(cause: NamedCause) -> Iterator[RenderableType]:
    """The cause of a mistake: bits, symptom, a command that shows it, the rules that report it, the repair."""
    yield line((cause.name, "heading"), ("  cause", "faint"))
    yield hanging(f"  {cause.text}")
    yield hanging(f"  {cause.bits}")
    yield labeled("symptom", cause.symptom)
    yield labeled("run", (cause.run, "value"))
    if cause.rules:
        yield labeled("reported by", ", ".join(cause.rules))
    yield labeled("repair", cause.repair)


@as_view
def term_view(term: GlossaryTerm) -> Iterator[RenderableType]:
    """A term and its names in PTX, CUTLASS and Triton."""
    yield line((term.name, "heading"), ("  term", "faint"))
    yield hanging(f"  {term.text}")
    for label, text in (("PTX", term.ptx), ("CUTLASS", term.cutlass), ("Triton", term.triton)):
        if text:
            yield labeled(label, text)
    if term.also:
        yield labeled("also", (", ".join(term.also), "faint"))


@as_view
def field_view(field: FieldTopic) -> Iterator[RenderableType]:
    """A field of one table or several."""
    yield line((field.key, "heading"), ("  field", "faint"))
    for place_of_field in field.places:
        row = place_of_field.row
        head = line((f"  {_named(place_of_field.kinds)}", "key"), f" {bit_range(row)}: ")
        yield beside(head, f"{row.doc}; {row.codec.describe(row.width)} ", (f"({row.source})", "faint"))
    if field.also:
        yield labeled("also", (", ".join(field.also), "faint"))


def _named(kinds: tuple[str, ...]) -> str:
    """Return the ids of kinds; all kinds of a tensor map as one name."""
    maps = ids("tensormap")
    rest = [kind for kind in kinds if kind not in maps]
    return ", ".join([*rest, "tensormap"] if set(maps) <= set(kinds) else kinds)


@as_view
def topic_list(topics: Topics) -> Iterator[RenderableType]:
    """Every rule, every cause and every term, one per line."""
    parts = {"rules": topics.rules, "causes": topics.causes, "terms": topics.terms}
    yield from apart(Group(Text(title, "heading"), _list(entries)) for title, entries in parts.items())


def _list(entries: Mapping[str, str]) -> RenderableType:
    return table([[(name, "key"), text] for name, text in entries.items()], indent=2)
