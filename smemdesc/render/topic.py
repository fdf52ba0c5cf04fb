"""The view of ``explain``: a rule with its example, a term with its other names, a field with its bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from smemdesc.explanations.glossary import GlossaryTerm
from smemdesc.explanations.topics import FieldTopic, RuleTopic, Topic, Topics
from smemdesc.kinds.kind import ids
from smemdesc.render.bits import place
from smemdesc.render.diagnostics import of_one
from smemdesc.render.parts import Hanging, Indented, apart, beside, labeled, line, table


class TopicView(NamedTuple):
    """All meanings of a name."""

    topic: Topic

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        rule, term, field = self.topic.rule, self.topic.term, self.topic.field
        views = rule and RuleView(rule), term and TermView(term), field and FieldView(field)
        yield from apart(filter(None, views))


_LABEL = 50
"""The longest label, in characters, that is written before a text instead of after it."""


class RuleView(NamedTuple):
    """A rule: what must hold, why, an example that breaks it, its repair, the source."""

    rule: RuleTopic

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        rule = self.rule
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
        for text in rule.broken.text.splitlines():
            yield line(f"    {text}")
        # The source is written below, once.
        yield Indented(of_one(rule.finding._replace(source="")), 4)
        if rule.repaired is not None:
            yield labeled("repaired", (rule.repaired.value, "value"))
        yield Text()
        for source in dict.fromkeys(source for statement in rule.statements for source in statement.sources):
            yield labeled("source", (source, "faint"))


class TermView(NamedTuple):
    """A term and its names in PTX, CUTLASS and Triton."""

    term: GlossaryTerm

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        term = self.term
        yield line((term.name, "heading"), ("  term", "faint"))
        yield Hanging(line(f"  {term.text}"))
        for label, text in (("PTX", term.ptx), ("CUTLASS", term.cutlass), ("Triton", term.triton)):
            if text:
                yield labeled(label, text)
        if term.also:
            yield labeled("also", (", ".join(term.also), "faint"))


class FieldView(NamedTuple):
    """A field of one table or several."""

    field: FieldTopic

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        field = self.field
        yield line((field.key, "heading"), ("  field", "faint"))
        for place_of_field in field.places:
            row = place_of_field.row
            head = line((f"  {_named(place_of_field.kinds)}", "key"), f" {place(row)}: ")
            yield beside(head, f"{row.doc}; {row.codec.describe(row.width)} ", (f"({row.source})", "faint"))
        if field.also:
            yield labeled("also", (", ".join(field.also), "faint"))


def _named(kinds: tuple[str, ...]) -> str:
    """Return the ids of kinds; all kinds of a tensor map as one name."""
    maps = ids("tensormap")
    rest = [kind for kind in kinds if kind not in maps]
    return ", ".join([*rest, "tensormap"] if set(maps) <= set(kinds) else kinds)


class TopicList(NamedTuple):
    """Every rule and every term, one per line."""

    topics: Topics

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield Text("rules", "heading")
        yield _list(self.topics.rules)
        yield Text()
        yield Text("terms", "heading")
        yield _list(self.topics.terms)


def _list(entries: Mapping[str, str]) -> RenderableType:
    # One line each: a text that does not fit is cut, but never the name, which the user types.
    rows = [[Text(name, "key"), Text(text, no_wrap=True, overflow="ellipsis")] for name, text in entries.items()]
    return table(rows, indent=2)
