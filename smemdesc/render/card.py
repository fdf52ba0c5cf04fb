"""The reference card of a kind: its table, its enumerations and its rules, printed from the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdesc.fields import Code, Enum, Field, Fixed, Flag, Reserved, Selected, ones
from smemdesc.findings.base import Rule, rules_for
from smemdesc.kinds import KINDS, Kind, ids, kind_of
from smemdesc.render.lines import Line, Span, columns, indented


def index() -> Iterator[Line]:
    """Yield one line a kind."""
    rows: list[list[Span]] = []
    for name in KINDS:
        for each in ids(name):
            kind = kind_of(each)
            rows.append(
                [(each, "key"), (f"{kind.table.width} bits", ""), (", ".join(kind.archs), "dim"), (kind.title, "")]
            )
    yield from columns(rows, None)


def card(kind: Kind, width: int | None) -> Iterator[Line]:
    """Yield the whole card of one kind."""
    yield [(kind.id, "value"), (f"  {kind.title}, {kind.table.width} bits, {', '.join(kind.archs)}", "heading")]
    yield []
    yield [("fields", "heading")]
    yield from columns([_row(row) for row in kind.table.rows], width)
    coded = [row for row in kind.table.rows if isinstance(row.codec, Enum)]
    if coded:
        yield []
        yield [("codes", "heading")]
        cells: list[list[Span]] = []
        for row in coded:
            assert isinstance(row.codec, Enum)
            cells += [_code(row, code, not number) for number, code in enumerate(row.codec.codes)]
            undefined = _undefined(row)
            if undefined:
                cells.append([("", ""), (undefined, "error"), ("undefined", "error"), ("", "")])
        yield from columns(cells, width)
    yield []
    yield [("rules", "heading")]
    for name, rules in _by_name(kind).items():
        yield from indented([("  ", ""), (name, "key"), (": ", "")], _docs(rules), "", width)
        sources = dict.fromkeys(rule.source for rule in rules)
        for source in sources:
            yield from indented([("    source: ", "dim")], source, "dim", width)


def place(row: Field) -> str:
    """Return ``[hi:lo]``, or ``[bit]`` for a single one."""
    return f"[{row.hi}]" if row.hi == row.lo else f"[{row.hi}:{row.lo}]"


def _takes(row: Field) -> str:
    codec = row.codec
    if isinstance(codec, Enum) and not isinstance(codec, Selected):
        return "see codes"
    return codec.describe(row.width)


def _row(row: Field) -> list[Span]:
    constant = isinstance(row.codec, Fixed | Reserved)
    style = "dim" if constant else ""
    text = f"{row.doc}; {row.source}"
    return [(place(row), "dim"), (row.key, style or "key"), (_takes(row), style), (text, style)]


def _code(row: Field, code: Code, first: bool) -> list[Span]:
    doc = "; ".join(part for part in (code.doc, ", ".join(code.archs), code.source) if part)
    return [(row.key if first else "", "key"), (str(code.raw), "raw"), (str(code.name), "value"), (doc, "")]


def _undefined(row: Field) -> str:
    missing = [str(raw) for raw in range(ones(row.width) + 1) if not row.codec.allows(raw)]
    return ", ".join(missing)


def _by_name(kind: Kind) -> dict[str, list[Rule]]:
    named: dict[str, list[Rule]] = {}
    for rule in rules_for(kind, whole=True, tiled=True):
        named.setdefault(rule.name, []).append(rule)
    return named


def _docs(rules: list[Rule]) -> str:
    said: dict[str, list[str]] = {}
    for rule in rules:
        said.setdefault(rule.doc, []).extend(rule.reads if len(rules) > 1 else ())
    parts = []
    for doc, keys in said.items():
        parts.append(f"{doc[:-1]} ({', '.join(dict.fromkeys(keys))})." if keys else doc)
    return " ".join(parts)


def card_dict(kind: Kind) -> dict[str, Any]:
    """Return the card as an object for JSON."""
    return {
        "kind": kind.name,
        "mma_kind": kind.mma_kind,
        "title": kind.title,
        "width": kind.table.width,
        "archs": list(kind.archs),
        "fields": [_field_dict(row) for row in kind.table.rows],
        "rules": [
            {"rule": rule.name, "fields": list(rule.reads), "says": rule.doc, "source": rule.source}
            for rule in rules_for(kind, whole=True, tiled=True)
        ],
    }


def _field_dict(row: Field) -> dict[str, Any]:
    codec = row.codec
    out: dict[str, Any] = {
        "key": row.key,
        "hi": row.hi,
        "lo": row.lo,
        "type": type(codec).__name__.lower(),
        "takes": codec.describe(row.width),
        "default": codec.default,
        "doc": row.doc,
        "source": row.source,
    }
    if isinstance(codec, Enum):
        out["codes"] = [
            {"raw": code.raw, "name": code.name, "doc": code.doc, "archs": list(code.archs)} for code in codec.codes
        ]
    if isinstance(codec, Flag):
        out["codes"] = [{"raw": 0, "name": False, "doc": codec.no}, {"raw": 1, "name": True, "doc": codec.yes}]
    return out
