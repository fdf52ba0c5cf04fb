"""The meaning of a name: a rule with an example that is run, a term, a field of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from smemdesc.descriptors.encoding import build
from smemdesc.descriptors.result import decode
from smemdesc.engine.display import shown
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import Field, Frozen, ones
from smemdesc.engine.wording import either
from smemdesc.explanations import glossary
from smemdesc.explanations.glossary import GlossaryTerm
from smemdesc.kinds import aliases
from smemdesc.kinds.context import context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import SHORT
from smemdesc.kinds.text import to_hex
from smemdesc.rules import catalog
from smemdesc.rules.base import Finding
from smemdesc.rules.examples import (
    EXAMPLES,
    DecodeExample,
    Dump,
    Encode,
    MapCallExample,
    MmaExample,
    Padding,
    PlanExample,
    TileExample,
)

Broken = DecodeExample | Encode | TileExample | Padding | PlanExample | MmaExample | Dump | MapCallExample


class ExampleRun(NamedTuple):
    """An example that was run: the command, its input text (may be empty), the findings."""

    command: str
    text: str
    findings: tuple[Finding, ...]


class RepairedExample(NamedTuple):
    """The repaired example: what changed, and the command."""

    value: str
    """The value, or the text that changed."""
    run: ExampleRun


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
        if self.term is not None:
            return f"{self.term.name}: {self.term.text}"
        assert self.field is not None
        return f"field {self.field.key}: {self.field.places[0].row.doc}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; null for meanings that the name does not have."""
        return {
            "name": self.name,
            "rule": None if self.rule is None else self.rule.to_dict(),
            "term": None if self.term is None else self.term.to_dict(),
            "field": None if self.field is None else self.field.to_dict(),
        }


def topic(name: str) -> Topic:
    """Return what a name means; :class:`smemdesc.engine.errors.SmemdescError` suggests similar names if it
    is unknown."""
    whole, name = name, re.sub(r"\[.*", "", name) or name  # SASS: gdesc[UR8]
    dashed = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    rule = dashed if dashed in EXAMPLES and dashed in catalog.names() else None
    plain = name.removeprefix(".").removeprefix("kind::")
    spelled = (aliases.mode(name), plain, dashed.replace("-", " "), dashed)
    term = next((term for term in map(glossary.term, spelled) if term), None)
    key = aliases.field(name)
    field = _places().get(key) or _places().get(dashed.replace("-", "_"))
    if rule is None and term is None and field is None:
        raise SmemdescError(f"{whole!r} is not a rule, a term or a field", hint=_near(name, dashed))
    return Topic(name, None if rule is None else rule_topic(rule), term, field)


def joined(words: Sequence[str]) -> Sequence[str]:
    """Return the names in words: all words as one name if it exists (``swizzle atom``), else each word."""
    if len(words) > 1:
        with suppress(SmemdescError):
            return [topic(" ".join(words)).name]
    return words


def _near(name: str, dashed: str) -> str:
    from difflib import get_close_matches

    known = tuple(dict.fromkeys((*catalog.names(), *glossary.WORDS, *_places(), *aliases.FIELDS)))
    likely = [*get_close_matches(name.lower(), known, n=3), *get_close_matches(dashed, known, n=3)]
    words = set(dashed.split("-"))
    shared = sorted(known, key=lambda name: -len(words & set(name.replace("_", "-").split("-"))))
    likely += [name for name in shared[:3] if words & set(name.replace("_", "-").split("-"))]
    near = list(dict.fromkeys(likely))[:4]
    if not near:
        return "smemdesc explain lists the rules and the terms"
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
        also = tuple(alias for alias, own in aliases.FIELDS.items() if own == name)
        out[name] = FieldTopic(name, also, tuple(FieldPlace(row, tuple(kinds)) for row, kinds in rows.values()))
    return out


def statements(name: str) -> tuple[Requirement, ...]:
    """Return the requirements of a rule, which may differ between its kinds."""
    across = catalog.rules_across_operands().get(name)
    if across is not None:
        return (Requirement(across.doc, (), "", (across.source,)),)
    said_by: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for part in catalog.rules_of_kinds().get(name, ()):
        # The tables yield one rule per field.
        field = part.rule.reads[0] if part.rule.partial and len(part.rule.reads) == 1 else ""
        kinds, sources = said_by.setdefault((part.rule.doc, field), ([], []))
        kinds += part.kinds
        sources.append(part.rule.source)
    if said_by:
        return tuple(
            Requirement(doc, tuple(dict.fromkeys(kinds)), field, tuple(dict.fromkeys(sources)))
            for (doc, field), (kinds, sources) in said_by.items()
        )
    finding = next(entry for entry in catalog.OTHER_FINDINGS if entry.name == name)
    return (Requirement(finding.doc, (), "", (finding.source,) if finding.source else ()),)


def rule_topic(name: str) -> RuleTopic:
    """Return the explanation of a rule, with its example run."""
    example = EXAMPLES[name]
    broken = run(example.broken)
    finding = next(finding for finding in broken.findings if finding.rule == name)
    return RuleTopic(name, statements(name), example.why, broken, finding, _repaired(example.broken, finding))


def summaries() -> dict[str, str]:
    """Return the requirement of each rule, one sentence, by name."""
    return {name: statements(name)[0].doc for name in catalog.names()}


@shown()
class Topics(NamedTuple):
    """The requirement of every rule and the meaning of every term, one sentence each, by name."""

    rules: Mapping[str, str]
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
        for kind, texts in (("rule", self.rules), ("term", self.terms)):
            for name, text in texts.items():
                yield {"name": name, "type": kind, "text": text}

    def to_dict(self) -> dict[str, Any]:
        """Return the lines of ``smemdesc explain --json``, as ``topics``."""
        return {"topics": list(self.rows())}

    def __str__(self) -> str:
        return f"{len(self.rules)} rules and {len(self.terms)} terms"


def topics() -> Topics:
    """Return every rule and every term."""
    return Topics(Frozen(summaries()), Frozen({term.name: term.text for term in glossary.TERMS}))


# Running examples


def run(example: Broken) -> ExampleRun:
    """Run an example as the program would."""
    done: ExampleRun = _RUN[type(example)](example)
    return done


def _decode(example: DecodeExample) -> ExampleRun:
    case = dict(example.case)
    kind, of_kind = _kinds(example)
    other_kind = case.pop("mma_kind", None)
    mma_kind = of_kind or other_kind
    result = decode(
        example.value,
        kind,
        mma_kind if kind in (None, "idesc") else None,
        context=context(**case, mma_kind=mma_kind),
    )
    options = [f"--kind {kind}"] if kind and of_kind is None else []
    options += [f"--mma-kind {mma_kind}"] if mma_kind else []
    command = " ".join(["smemdesc decode", *options, *_options(case), example.value])
    return ExampleRun(command, "", result.findings)


def _options(case: Mapping[str, object]) -> list[str]:
    """Return the options to type for a case."""
    out = []
    for key, value in case.items():
        name = key.replace("_", "-")
        out.append(f"--{'no-' * (value is False)}{name}" if isinstance(value, bool) else f"--{name} {value}")
    return out


def _fields(fields: Mapping[str, object]) -> str:
    return " ".join(
        f"--{SHORT.get(key, key).replace('_', '-')} {f'0x{value:x}' if key == 'start_address' else value}"
        for key, value in fields.items()
    )


def _encode(example: Encode) -> ExampleRun:
    built = build(kind_of(example.kind), example.fields, force=True)
    return ExampleRun(f"smemdesc encode {example.kind} {_fields(example.fields)} --force", "", built.findings)


def _tile(example: TileExample) -> ExampleRun:
    from smemdesc.kinds.options import parse_shape
    from smemdesc.kinds.types import operand_type
    from smemdesc.tiles.tile import tile

    chosen = dict(example.options)
    words = " ".join(f"--{key.replace('_', '-')} {value}" for key, value in chosen.items() if key != "kind")
    built = tile(
        str(chosen["kind"]),
        parse_shape(str(chosen["tile"])),
        operand_type(str(chosen["dtype"]), None),
        str(chosen["major"]),
        str(chosen["swizzle"]),
        mma=parse_shape(str(chosen["mma"])),
        cta_group=int(str(chosen.get("cta_group", 1))),
        force=True,
    )
    return ExampleRun(f"smemdesc encode {chosen['kind']} {words} --force", "", built.findings)


def _padding(example: Padding) -> ExampleRun:
    from smemdesc.instructions.convolution import expected
    from smemdesc.layout.zero_columns import conv

    words = " ".join(f"--{key} {value}" for key, value in example.convolution.items())
    compared = expected(conv(**example.convolution), example.value)
    return ExampleRun(f"smemdesc mask conv {words} --expect {example.value}", "", compared.findings)


def _plan(example: PlanExample) -> ExampleRun:
    from smemdesc.instructions.planning import plan
    from smemdesc.kinds.options import parse_mnk

    command = " ".join(["smemdesc plan", example.shape, *_options(example.options)])
    return ExampleRun(command, "", plan(parse_mnk(example.shape), **example.options).findings)


def _scan(example: Dump) -> ExampleRun:
    from smemdesc.instructions.mma import Judge
    from smemdesc.scanning import scan_text

    judge = Judge()
    mmas = [mma for function in scan_text(example.text).functions for mma in function.mmas]
    findings: Iterable[Finding] = (finding for mma in mmas for _, finding in judge.judge(mma.model).findings)
    return ExampleRun("smemdesc scan k.ptx", example.text, tuple(findings))


def _call(example: MapCallExample) -> ExampleRun:
    from smemdesc.descriptors.map_call import MapCallAnswer, answers

    refusals = (answer.refused for answer in answers(example.text) if isinstance(answer, MapCallAnswer))
    return ExampleRun(
        "smemdesc explain - < log", example.text, tuple(finding for refused in refusals for finding in refused)
    )


def _mma(example: MmaExample) -> ExampleRun:
    from smemdesc.instructions.mma import judge
    from smemdesc.instructions.options import mma_of

    chosen = {key: value for key, value in example.options.items() if value is not None}
    judged = judge(mma_of(chosen))
    return ExampleRun(" ".join(["smemdesc mma", *_options(chosen)]), "", tuple(item for _, item in judged.findings))


_RUN: dict[type, Callable[[Any], ExampleRun]] = {
    DecodeExample: _decode,
    Encode: _encode,
    TileExample: _tile,
    Padding: _padding,
    PlanExample: _plan,
    MmaExample: _mma,
    Dump: _scan,
    MapCallExample: _call,
}


def _repaired(example: Broken, finding: Finding) -> RepairedExample | None:
    """Return the example with the repair applied: the finding's, else the example's."""
    if isinstance(example, DecodeExample):
        return _repaired_value(example, finding)
    if isinstance(example, Encode):
        fixed: Broken = example._replace(fields={**example.fields, **example.fix})
        return RepairedExample(_fields(example.fix), run(fixed))
    if isinstance(example, TileExample):
        changed = " ".join(f"--{key.replace('_', '-')} {value}" for key, value in example.then.items())
        return RepairedExample(changed, run(example._replace(options={**example.options, **example.then})))
    if isinstance(example, Padding):
        from smemdesc.instructions.convolution import expected
        from smemdesc.layout.zero_columns import conv

        column = expected(conv(**example.convolution), example.value).column
        value = to_hex(column.mask.value, ones(64), 64)
        return RepairedExample(value, run(example._replace(value=value)))
    if isinstance(example, PlanExample):
        return RepairedExample(example.then, run(example._replace(shape=example.then)))
    if isinstance(example, MmaExample):
        chosen = {key: value for key, value in example.then.items() if value is not None}
        left_out = [f"without --{key.replace('_', '-')}" for key, value in example.then.items() if value is None]
        changed = " ".join([*_options(chosen), *left_out])
        return RepairedExample(changed, run(example._replace(options={**example.options, **example.then})))
    if not example.wrong:
        return None
    return RepairedExample(
        example.right, run(example._replace(text=example.text.replace(example.wrong, example.right)))
    )


def _repaired_value(example: DecodeExample, finding: Finding) -> RepairedExample | None:
    fix = dict(example.fix)
    if finding.repair is not None:
        fix.setdefault(finding.repair.field, finding.repair.value)
    if not fix and not example.then and not example.text:
        return None
    value = example.text or example.value
    if fix:
        result = decode(example.value, *_kinds(example), context=context(**example.case))
        of = result.candidates[0]
        encoded = build(of.kind, fix, base=(of.bits, of.known), force=True)
        value = to_hex(encoded.value, encoded.known, of.kind.table.width)
    case = {**example.case, **example.then}
    changed = value if value != example.value else " ".join(_options(example.then))
    return RepairedExample(changed, run(example._replace(value=value, case=case)))


def _kinds(example: DecodeExample) -> tuple[str | None, str | None]:
    """Return the kind and the MMA kind of an example, None if the value decides."""
    kind = kind_of(example.kind) if example.kind else None
    return (kind.name, kind.mma_kind) if kind else (None, None)
