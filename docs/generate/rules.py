"""The page of the rules: what each says, how grave it can be, what it reads, who says so, which kinds have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from inspect import isfunction
from types import CodeType
from typing import Any, NamedTuple

import smemdesc
from generate.markdown import GENERATED, anchor, code, codes, table, text
from smemdesc.engine.fields import Fixed, Reserved, UnknownBits
from smemdesc.explanations import catalog
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.rules import base, tensor_memory_use
from smemdesc.rules.operands import RULES

INTRODUCTION = """\
# Rules

Every finding has the name of a rule. An **error** is illegal by the documents, a **warning** is legal or disputed and
probably not intended, a **note** is worth knowing: correct kernels have notes, and a note has no repair. A finding that
follows from another is below it, as *hence*. A rule is applied once for each row of its table: it reads that row's
fields, and `--dtype`, `--major`, `--shape`, `--arch`, `--cta-group`, `--ws`, `--scale-vec`, `--m` and `--n`. A
rule that reads several fields is applied only if all of them are known.

The severities are those of the rule; on some kinds the milder one never occurs. *Tells kinds apart*: a finding of
this rule also counts against the reading in identifying the kind of a value (as every error does). *Whole case*: the
rule is applied only with `--dtype`, `--major` and `--shape`, because it checks the address of every
element.

Each rule has an example that breaks it and its repair; `smemdesc explain RULE` shows the same. The finding below an
example and the repaired value are output of the program.
"""

SEVERITIES: dict[Callable[..., base.Problem], str] = {
    base.error: base.ERROR,
    base.warning: base.WARNING,
    base.note: base.NOTE,
}


def severities_of(rule: base.Rule, kind: Kind) -> tuple[str, ...]:
    """Return the severities that a kind's rule can give; of bits that the format fixes, the row says which."""
    if rule.partial and len(rule.reads) == 1:
        codec = kind.table.row(rule.reads[0]).codec
        if isinstance(codec, UnknownBits):
            return (base.WARNING, base.NOTE) if codec.tolerated else (base.WARNING,)
        if isinstance(codec, Reserved):
            return (base.WARNING if codec.ignored else base.ERROR,)
        if isinstance(codec, Fixed):
            return (base.ERROR, base.WARNING) if codec.tolerated else (base.ERROR,)
    return severities(rule.check)


def severities(check: Callable[..., Any]) -> tuple[str, ...]:
    """Return the severities that a check can give, worst first: by which of their makers its code names."""
    found: set[str] = set()
    seen: set[Any] = set()

    def follow(function: Any) -> None:
        while isinstance(function, partial):
            function = function.func
        if isinstance(function, base.Rule | base.CaseRule):
            function = function.check
        if not isfunction(function) or function in seen:
            return
        seen.add(function)
        if function in SEVERITIES:
            found.add(SEVERITIES[function])
        elif function.__module__.startswith("smemdesc."):
            for name in _names(function.__code__):
                follow(function.__globals__.get(name))

    follow(check)
    return tuple(sorted(found, key=base.RANK.__getitem__))


def severities_of_case(rule: base.CaseRule) -> tuple[str, ...]:
    """Return the severities that a rule about more than fields can give."""
    return rule.severities or severities(rule.check)


def _names(of: CodeType) -> Iterable[str]:
    yield from of.co_names
    for constant in of.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


class Entry(NamedTuple):
    """A rule as one kind or several have it."""

    rule: base.Rule
    severities: tuple[str, ...]
    kinds: list[str]
    whole: bool


def entries() -> dict[str, list[Entry]]:
    """Return the rules by name; those that say the same of several kinds, as gravely, are one entry."""
    found: dict[str, list[Entry]] = {}
    for name, group in catalog.rules_of_kinds().items():
        for held in group:
            graded: dict[tuple[str, ...], Entry] = {}
            for kind in held.kinds:
                can_give = severities_of(held.rule, kind_of(kind))
                graded.setdefault(can_give, Entry(held.rule, can_give, [], held.whole)).kinds.append(kind)
            found.setdefault(name, []).extend(graded.values())
    return found


def page() -> str:
    """Return the page."""
    made = entries()
    single = ["## Of one descriptor\n", *(_section(name, group) for name, group in sorted(made.items()))]
    return "\n".join([GENERATED, INTRODUCTION, _index(made), *single, _across(), _reading(), _causes()])


def _graveness(group: Iterable[Entry]) -> tuple[str, ...]:
    found = {severity for entry in group for severity in entry.severities}
    return tuple(sorted(found, key=base.RANK.__getitem__))


def _index(made: dict[str, list[Entry]]) -> str:
    rows = [(name, _graveness(group), _kinds(group)) for name, group in made.items()]
    rows += [(rule.name, severities_of_case(rule), "an instruction (`scan`, `mma`)") for rule in RULES]
    rows += [(rule.name, severities_of_case(rule), "an instruction (`scan`)") for rule in tensor_memory_use.RULES]
    rows += [(rule.name, severities_of_case(rule), "-") for rule in _others()]
    return table(
        ["rule", "severity", "kinds"],
        [[f"[{name}]({anchor(name)})", ", ".join(severity), of] for name, severity, of in sorted(rows)],
    )


def _kinds(group: Iterable[Entry]) -> str:
    return _short([kind for entry in group for kind in entry.kinds])


def _short(kinds: list[str]) -> str:
    """Name kinds; all eight of the instruction descriptor are one word."""
    named = list(dict.fromkeys(kinds))
    idesc = [each for each in ids("idesc") if each in named]
    if len(idesc) == len(ids("idesc")):
        named = ["idesc" if each == idesc[0] else each for each in named if each not in idesc[1:]]
    return codes(named)


def _section(name: str, group: list[Entry]) -> str:
    about = [f"**{', '.join(_graveness(group))}**"]
    if group[0].rule.doubt:
        about.append("tells kinds apart")
    if group[0].whole:
        about.append("whole case")
    rows = [
        [
            _short(entry.kinds),
            codes(entry.rule.reads) or "-",
            text(entry.rule.doc),
            ", ".join(entry.severities),
            text(entry.rule.source),
        ]
        for entry in group
    ]
    head = ["kinds", "fields", "what must hold", "severity", "source"]
    return f"### {name}\n\n{', '.join(about)}\n\n{table(head, rows)}\n{_example(name)}"


def _example(name: str) -> str:
    """Return why a rule exists, and its example as it was run."""
    topic = smemdesc.explain(name).rule
    finding, repaired = topic.finding, topic.repaired
    said = [f"{finding.severity} {name}: {finding.message}"]
    said += [f"  {label}: {each}" for label, each in finding.advice]
    shown = "\n".join([*topic.broken.text.splitlines(), f"$ {topic.broken.command}", *said])
    made = f"\nRepaired: {code(repaired.value)}\n" if repaired else ""
    return f"{text(topic.why)}\n\n```text\n{shown}\n```\n{made}"


def _across() -> str:
    return "\n".join(
        [
            "## Of one instruction\n",
            "`smemdesc scan` and `smemdesc mma` compare the descriptors of an instruction with each other and with the "
            "instruction; `scan` compares its places in tensor memory with what exists, and with what the kernel "
            "allocates.\n",
            *map(_case, (*RULES, *tensor_memory_use.RULES)),
        ]
    )


def _others() -> list[base.CaseRule]:
    """Return the rules that are neither about the fields of a kind nor about an instruction."""
    of_instructions = (*RULES, *tensor_memory_use.RULES)
    return [rule for rule in catalog.case_rules().values() if rule not in of_instructions]


def _case(rule: base.CaseRule) -> str:
    source = f" Source: {text(rule.source)}.\n" if rule.source else "\n"
    about = f"**{', '.join(severities_of_case(rule))}**: {text(rule.doc)}"
    return f"### {rule.name}\n\n{about}{source}\n{_example(rule.name)}"


def _reading() -> str:
    return "\n".join(
        [
            "## Of the value, a tile, a convolution\n",
            "Findings of `decode` about a value as a whole, of `encode` (rejected or masked values), of `mma` "
            "about a tile, and of `mask conv --expect`.\n",
            *map(_case, _others()),
        ]
    )


def _causes() -> str:
    """Return the causes of mistakes, with the rules that report each."""
    rows = [
        [
            code(name),
            f"{text(cause.text)} {text(cause.bits)}",
            ", ".join(f"[{rule}]({anchor(rule)})" for rule in cause.rules) or "-",
        ]
        for name, cause in catalog.causes().items()
    ]
    head = "## Causes of mistakes\n\n`smemdesc explain NAME` has the symptom, a command and the repair, too.\n"
    return f"{head}\n{table(['cause', 'what is wrong', 'reported by'], rows)}"
