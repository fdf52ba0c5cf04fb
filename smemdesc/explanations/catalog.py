"""Every rule, by name: about the fields of one kind, and about more than one descriptor."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS
from smemdesc.rules import (
    arguments,
    compiled_forms,
    convolution,
    copies,
    identification,
    mistakes,
    operands,
    plans,
    shared_memory_use,
    siblings,
    steps,
    tensor_memory_use,
    tiles,
)
from smemdesc.rules.base import CaseRule, Example, Rule
from smemdesc.rules.judging import rules_for
from smemdesc.rules.named_causes import NAMED_CAUSES, NamedCause

_MODULES = (
    *(operands, mistakes, steps, siblings, tensor_memory_use, shared_memory_use, compiled_forms),
    *(identification, arguments, tiles, copies, plans, convolution),
)
"""Those with rules about more than the fields of a descriptor, rules about one instruction first."""


class KindRule(NamedTuple):
    """What one rule requires of one or more kinds."""

    rule: Rule
    kinds: list[str]
    whole: bool
    """Whether it is applied only if type, major-ness and shape are known."""


def every_kind() -> list[Kind]:
    """Return the twelve kinds in order, and those with another table on some architectures."""
    usual = [kind_of(kind_id) for name in KINDS for kind_id in ids(name)]
    return [*usual, *(variant for kind in usual for variant in kind.variants)]


@cache
def rules_of_kinds() -> dict[str, list[KindRule]]:
    """Return the rules of the kinds by name; a rule that is the same for several kinds is one entry."""
    groups: dict[str, dict[tuple[object, ...], KindRule]] = {}
    for kind in every_kind():
        always = rules_for(kind)
        for rule in rules_for(kind, whole=True, tiled=True):
            entry = KindRule(rule, [], rule not in always)
            key = (rule.doc, rule.reads, rule.source)
            group = groups.setdefault(rule.name, {})
            if kind.variant and key in group:
                continue  # as of the usual table
            group.setdefault(key, entry).kinds.append(kind.table.name)
    return {name: list(group.values()) for name, group in groups.items()}


@cache
def case_rules() -> dict[str, CaseRule]:
    """Return the rules about more than the fields of a descriptor, by name."""
    return {rule.name: rule for module in _MODULES for rule in module.RULES}


@cache
def rule_names() -> tuple[str, ...]:
    """Return the name of every rule, in alphabetical order."""
    return tuple(sorted({*rules_of_kinds(), *case_rules()}))


@cache
def causes() -> dict[str, NamedCause]:
    """Return the causes of mistakes by name; a rule of the same name is the first of those that report one."""
    rules = rule_names()
    return {
        name: cause._replace(rules=(*(rule for rule in rules if rule == name), *cause.rules))
        for name, cause in NAMED_CAUSES.items()
    }


def example_of(name: str) -> Example:
    """Return why a rule exists, and its example."""
    rules: list[Rule | CaseRule] = [part.rule for part in rules_of_kinds().get(name, ())]
    rules += [rule for rule in case_rules().values() if rule.name == name]
    return next(rule.example for rule in rules if rule.example is not None)


class Card(NamedTuple):
    """The reference card of one kind: its table and its rules."""

    kind: Kind
    arch: str | None = None
    """The requested architecture; it may lack the kind."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, without the rules that compare a descriptor with its tile."""
        kind = self.kind
        return {
            "kind": kind.name,
            "mma_kind": kind.mma_kind,
            "title": kind.title,
            "width": kind.table.width,
            "archs": list(kind.archs),
            **({"variant": kind.variant} if kind.variant else {}),
            "fields": [row.to_dict() for row in kind.table.rows],
            "rules": [
                {"rule": rule.name, "fields": list(rule.reads), "says": rule.doc, "source": rule.source}
                for rule in rules_for(kind, whole=True)
            ],
        }
