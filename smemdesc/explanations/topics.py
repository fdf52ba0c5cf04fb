"""The meaning of a name: a rule with an example that is run, the cause of a mistake, a term, a field of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Field, Frozen
from smemdesc.engine.wording import either
from smemdesc.explanations import catalog, glossary
from smemdesc.explanations.examples import ExampleRun, Functions, RepairedExample, repaired_example, run_example
from smemdesc.explanations.glossary import GlossaryTerm
from smemdesc.kinds import aliases
from smemdesc.kinds.guardrails import guardrail_of, trap_names
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.rules.base import Finding
from smemdesc.rules.named_causes import NamedCause


class Requirement(NamedTuple):
    """What a rule requires, for which kinds, for which field (empty: the same for all), and the sources."""

    doc: str
    kinds: tuple[str, ...]
    field: str
    sources: tuple[str, ...]


class RuleTopic(NamedTuple):
    """A rule: what must hold, why, an example that breaks it, and its repair."""

    name: str
    statements: tuple[Requirement, ...]
    why: str
    broken: ExampleRun
    finding: Finding
    repaired: RepairedExample | None
    """None for a note about correct input."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        repaired = self.repaired
        return {
            "name": self.name,
            "holds": [
                {
                    "kinds": statement.kinds,
                    "field": statement.field or None,
                    "text": statement.doc,
                    "sources": statement.sources,
                }
                for statement in self.statements
            ],
            "why": self.why,
            "example": {
                "command": self.broken.command,
                "text": self.broken.text or None,
                "finding": self.finding.to_dict(),
            },
            "repaired": None if repaired is None else {"value": repaired.value, "command": repaired.run.command},
        }


class FieldPlace(NamedTuple):
    """A field in one table, or alike in several."""

    row: Field
    kinds: tuple[str, ...]


class FieldTopic(NamedTuple):
    """A field key, its other names, and its places."""

    key: str
    also: tuple[str, ...]
    places: tuple[FieldPlace, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {
            "key": self.key,
            "also": self.also,
            "places": [
                {
                    "kinds": place.kinds,
                    "hi": place.row.hi,
                    "lo": place.row.lo,
                    "text": place.row.doc,
                    "takes": place.row.codec.describe(place.row.width),
                    "source": place.row.source,
                }
                for place in self.places
            ],
        }


@shown()
class Topic(NamedTuple):
    """All meanings of a name."""

    name: str
    rule: RuleTopic | None
    cause: NamedCause | None
    term: GlossaryTerm | None
    field: FieldTopic | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """None: nothing is judged."""
        return ()

    @property
    def ok(self) -> bool:
        """True: nothing is judged."""
        return True

    def __str__(self) -> str:
        if self.rule is not None:
            return f"rule {self.rule.name}: {self.rule.statements[0].doc}"
        if self.cause is not None:
            return f"{self.cause.name}: {self.cause.text}"
        if self.term is not None:
            return f"{self.term.name}: {self.term.text}"
        assert self.field is not None
        return f"field {self.field.key}: {self.field.places[0].row.doc}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; null for meanings that the name does not have."""
        return {
            "name": self.name,
            "rule": None if self.rule is None else self.rule.to_dict(),
            "cause": None if self.cause is None else self.cause.to_dict(),
            "term": None if self.term is None else self.term.to_dict(),
            "field": None if self.field is None else self.field.to_dict(),
        }


def topic(name: str, functions: Functions) -> Topic:
    """Return what a name means; ``functions`` run the example of a rule.

    :class:`smemdesc.engine.errors.SmemdescError` suggests similar names if it is unknown.
    """
    try:
        name, rule, cause, term, field = meanings(name)
    except SmemdescError:
        within = longest_name(name)
        if within is None:
            raise
        name, rule, cause, term, field = meanings(within)
    return Topic(name, None if rule is None else rule_topic(rule, functions), cause, term, field)


def meanings(name: str) -> tuple[str, str | None, NamedCause | None, GlossaryTerm | None, FieldTopic | None]:
    """Return a name as it is looked up, and the rule, the cause, the term and the field that it means."""
    trap = guardrail_of(name)
    whole, name = name, trap.name if trap else _without_brackets(name)
    dashed = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    dashed = dashed.removeprefix(".")
    rule = dashed if dashed in catalog.rule_names() else None
    cause = catalog.causes().get(dashed)
    names = [name, *_singulars(name)]
    spelled = (
        spelling for each in names for spelling in _spellings(each, "-".join(re.split(r"[\s_-]+", each.lower())))
    )
    term = next((term for term in map(glossary.term, spelled) if term), None)
    key = aliases.field_alias(name)
    field = _places().get(key) or _places().get(dashed.replace("-", "_"))
    if rule is None and cause is None and term is None and field is None:
        raise SmemdescError(f"{whole!r} is not a rule, a cause, a term or a field", hint=_near(name, dashed))
    return name, rule, cause, term, field


def _singulars(name: str) -> Iterator[str]:
    """Yield what a plural may be of: ``atoms``, ``core matrices``, ``boxes``."""
    for end, singular in (("ices", "ix"), ("ies", "y"), ("es", ""), ("s", "")):
        if name.lower().endswith(end) and len(name) > len(end) + 1:
            yield name[: -len(end)] + singular


def _without_brackets(name: str) -> str:
    """Return what is in the brackets of a finding, ``error[shape]``, or before those of a register, ``gdesc[UR8]``."""
    finding = re.fullmatch(r"\s*(?:(?:error|warning|note)\b[\s:[]*)?([\w-]+)[]:]*\s*", name)
    if finding and finding[1] in catalog.rule_names():
        return finding[1]
    return re.sub(r"\[.*", "", name) or name


def _spellings(name: str, dashed: str) -> Iterator[str]:
    """Yield the words under which the glossary may have a name, the most precise first."""
    plain = name.strip().removeprefix(".")
    kind = re.fullmatch(r"(?i)kind::(\w+)", plain)
    if kind or re.fullmatch(r"(?i)\.b\d+", name.strip()):  # .b32 is a type of PTX
        yield from ("MMA kind",) if kind and kind[1].lower() in MMA_KINDS else ()
        return
    if "::" in plain:
        yield from (plain, f".{plain}")
    yield from (aliases.mode_alias(name), plain, f".{plain}")
    yield from (dashed.replace("-", " "), dashed)
    yield aliases.DTYPE_ALIASES.get(re.split(r"::|\.", plain.lower())[-1], plain)  # torch.bfloat16; mov.f16 is no type
    # An instruction with its qualifiers: tcgen05.ld.sync.aligned.16x256b.x8.b32, UTCHMMA.2CTA.
    parts = plain.split(".")
    least = 1 if parts[0].isupper() else 2
    yield from (".".join(parts[:count]) for count in range(len(parts) - 1, least - 1, -1))


def joined_words(words: Sequence[str]) -> Sequence[str]:
    """Return the names in words: all words as one name if it exists (``swizzle atom``), else each word. Of a
    report of compute-sanitizer the names are its traps."""
    if traps := trap_names("\n".join(words)):
        return traps if any(len(word.split()) > 1 for word in words) else words
    if len(words) > 1:
        whole = " ".join(words)
        if is_name(whole):
            return [meanings(whole)[0]]
        if all(map(is_name, words)):
            return _longest_names(words)
        within = longest_name(whole)
        return words if within is None else [within]
    return words


def _longest_names(words: Sequence[str]) -> list[str]:
    """Return the names that known words are: each the longest that begins at its word."""
    names: list[str] = []
    begin = 0
    while begin < len(words):
        ends = range(len(words), begin + 1, -1)
        end = next((end for end in ends if is_name(" ".join(words[begin:end]))), begin + 1)
        names.append(" ".join(words[begin:end]))
        begin = end
    return names


_SHORTEST = 3
"""Letters of a name that stands within a question: shorter ones are words of it."""


def longest_name(question: str) -> str | None:
    """Return the longest name within a longer question, of several words or, in three and more, of one; else None."""
    words = re.sub(r"[?!,]", " ", question).split()
    for count in range(len(words) - 1, 0, -1):
        if count == 1 and len(words) == 2:  # two names, one of them mistyped
            return None
        runs = (" ".join(words[begin : begin + count]) for begin in range(len(words) - count + 1))
        known = [run for run in runs if len(run) >= _SHORTEST and is_name(run)]
        if known:
            return max(known, key=len)
    return None


def is_name(name: str) -> bool:
    """Whether a name means something."""
    try:
        meanings(name)
    except SmemdescError:
        return False
    return True


def _near(name: str, dashed: str) -> str:
    from difflib import get_close_matches

    if several := aliases.SEVERAL_DTYPES.get(name.lower()):
        return f"{name} is {either(several)}"
    known = tuple(
        dict.fromkeys(
            (*catalog.rule_names(), *catalog.causes(), *glossary.TERM_WORDS, *_places(), *aliases.FIELD_ALIASES)
        )
    )
    likely = [*get_close_matches(name.lower(), known, n=3), *get_close_matches(dashed, known, n=3)]
    words = set(dashed.split("-"))
    shared = sorted(known, key=lambda name: -len(words & set(name.replace("_", "-").split("-"))))
    likely += [name for name in shared[:3] if words & set(name.replace("_", "-").split("-"))]
    near = list(dict.fromkeys(likely))[:4]
    if not near:
        return "smemdesc explain lists the rules, the causes and the terms"
    return f"did you mean {either(near)}?"


@cache
def _places() -> dict[str, FieldTopic]:
    places: dict[str, dict[tuple[object, ...], tuple[Field, list[str]]]] = {}
    for kind in catalog.every_kind():
        for row in kind.table.rows:
            key = (row.hi, row.lo, row.doc, row.source, row.codec.describe(row.width))
            group = places.setdefault(row.key, {})
            if not kind.variant or key not in group:
                group.setdefault(key, (row, []))[1].append(kind.table.name)
    out = {}
    for name, rows in places.items():
        also = tuple(alias for alias, own in aliases.FIELD_ALIASES.items() if own == name)
        out[name] = FieldTopic(name, also, tuple(FieldPlace(row, tuple(kinds)) for row, kinds in rows.values()))
    return out


def rule_statements(name: str) -> tuple[Requirement, ...]:
    """Return the requirements of a rule, which may differ between its kinds."""
    across = catalog.case_rules().get(name)
    if across is not None:
        return (Requirement(across.doc, (), "", (across.source,) if across.source else ()),)
    said_by: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for part in catalog.rules_of_kinds().get(name, ()):
        # The tables yield one rule per field.
        field = part.rule.reads[0] if part.rule.partial and len(part.rule.reads) == 1 else ""
        kinds, sources = said_by.setdefault((part.rule.doc, field), ([], []))
        kinds += part.kinds
        sources.append(part.rule.source)
    return tuple(
        Requirement(doc, tuple(dict.fromkeys(kinds)), field, tuple(dict.fromkeys(sources)))
        for (doc, field), (kinds, sources) in said_by.items()
    )


def rule_topic(name: str, functions: Functions) -> RuleTopic:
    """Return the explanation of a rule, with its example run by the ``functions``."""
    example = catalog.example_of(name)
    broken = run_example(example.command, example.text, functions)
    finding = next(finding for finding in broken.findings if finding.rule == name)
    repaired = repaired_example(example, broken, finding, functions)
    return RuleTopic(name, rule_statements(name), example.why, broken, finding, repaired)


def summaries() -> dict[str, str]:
    """Return the requirement of each rule, one sentence, by name."""
    return {name: rule_statements(name)[0].doc for name in catalog.rule_names()}


@shown()
class Topics(NamedTuple):
    """What every rule requires, and what every cause and every term is, one sentence each, by name."""

    rules: Mapping[str, str]
    causes: Mapping[str, str]
    terms: Mapping[str, str]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """None: nothing is judged."""
        return ()

    @property
    def ok(self) -> bool:
        """True: nothing is judged."""
        return True

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of ``smemdesc explain --json``."""
        for kind, texts in (("rule", self.rules), ("cause", self.causes), ("term", self.terms)):
            for name, text in texts.items():
                yield {"name": name, "type": kind, "text": text}

    def to_dict(self) -> dict[str, Any]:
        """Return the lines of ``smemdesc explain --json``, as ``topics``."""
        return {"topics": list(self.rows())}

    def __str__(self) -> str:
        return f"{len(self.rules)} rules, {len(self.causes)} causes and {len(self.terms)} terms"


def topics() -> Topics:
    """Return every rule, every cause and every term."""
    causes = {cause.name: cause.text for cause in catalog.causes().values()}
    return Topics(Frozen(summaries()), Frozen(causes), Frozen({term.name: term.text for term in glossary.TERMS}))
