"""What ``explain --json`` writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdesc.explanations.glossary import TERMS, Term
from smemdesc.explanations.topics import FieldTopic, RuleTopic, Topic, summaries
from smemdesc.render.json import finding_dict


def topic_dict(topic: Topic) -> dict[str, Any]:
    """Return all that a name stands for; null for what it does not."""
    return {
        "name": topic.name,
        "rule": None if topic.rule is None else rule_dict(topic.rule),
        "term": None if topic.term is None else term_dict(topic.term),
        "field": None if topic.field is None else field_dict(topic.field),
    }


def rule_dict(rule: RuleTopic) -> dict[str, Any]:
    """Return a rule with its example."""
    repaired = rule.repaired
    return {
        "name": rule.name,
        "holds": [
            {"kinds": each.kinds, "field": each.field or None, "text": each.doc, "sources": each.sources}
            for each in rule.holds
        ],
        "why": rule.why,
        "example": {
            "command": rule.broken.command,
            "text": rule.broken.text or None,
            "finding": finding_dict(rule.finding),
        },
        "repaired": None if repaired is None else {"value": repaired.value, "command": repaired.shown.command},
    }


def term_dict(term: Term) -> dict[str, Any]:
    """Return a term with its other names."""
    return {
        "name": term.name,
        "text": term.text,
        "ptx": term.ptx or None,
        "cutlass": term.cutlass or None,
        "triton": term.triton or None,
        "also": term.also,
    }


def field_dict(field: FieldTopic) -> dict[str, Any]:
    """Return a field with its places."""
    return {
        "key": field.key,
        "also": field.also,
        "places": [
            {
                "kinds": each.kinds,
                "hi": each.row.hi,
                "lo": each.row.lo,
                "text": each.row.doc,
                "takes": each.row.codec.describe(each.row.width),
                "source": each.row.source,
            }
            for each in field.places
        ],
    }


def list_dicts() -> Iterator[dict[str, Any]]:
    """Yield every rule and every term."""
    for name, text in summaries().items():
        yield {"name": name, "type": "rule", "text": text}
    for term in TERMS:
        yield {"name": term.name, "type": "term", "text": term.text}
