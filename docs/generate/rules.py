"""The page of the rules: what each says, how grave it can be, what it reads, who says so, which kinds have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from inspect import isfunction
from types import CodeType
from typing import Any, NamedTuple

from generate.kinds import every
from generate.markdown import GENERATED, anchor, codes, table, text
from smemdesc.addresses import ENCODE
from smemdesc.fields import Fixed, Reserved
from smemdesc.findings import base
from smemdesc.findings.operands import RULES
from smemdesc.findings.padding import SOURCE as PADDING
from smemdesc.kinds import Kind, ids
from smemdesc.layout.tile import INSTRUCTIONS

INTRODUCTION = """\
# Rules

Every finding has the name of a rule. An **error** is illegal by the documents, a **warning** is legal or disputed and
probably not meant, a **note** is worth knowing. A rule is asked once for each row of its table below: it looks at the
fields of that row, and at what `--dtype`, `--major`, `--shape`, `--arch`, `--cta-group`, `--ws`, `--scale-vec`, `--m`
and `--n` say about the instruction. Where it looks at several fields it answers only if all of them are known.

The severities are those that the rule can give; on some kinds it has no occasion for the milder one. *Tells kinds
apart*: a finding of this rule also speaks against the reading as a whole, when the kind of a value is looked for (as
every error does). *Whole case*: the rule is asked only with `--dtype`, `--major` and `--shape`, for it looks at the
address of every element.
"""

SEVERITIES: dict[Callable[..., base.Problem], str] = {
    base.error: base.ERROR,
    base.warning: base.WARNING,
    base.note: base.NOTE,
}


class Plain(NamedTuple):
    """A finding that no rule object makes."""

    name: str
    severities: tuple[str, ...]
    doc: str
    source: str = ""


READING = (
    Plain(
        "no-reading-fits",
        (base.ERROR, base.NOTE),
        "Some kind fits the value. Where none does, it is shown as the nearest kind: with a note where that differs in "
        "few of its fixed bits, else with an error.",
    ),
    Plain("several-readings", (base.NOTE,), "One kind alone fits the value. Where several do, all are shown."),
    Plain("error-in-every-reading", (base.ERROR,), "Some reading of the value that is taken has no error."),
    Plain(
        "warning-in-every-reading",
        (base.WARNING,),
        "Some reading of the value that is taken has neither error nor warning.",
    ),
    Plain("digits-without-prefix", (base.NOTE,), "Digits that may be decimal or hexadecimal carry a prefix."),
    Plain(
        "digit-count",
        (base.ERROR, base.WARNING),
        "A hexadecimal value has 16 digits, or 8, or fewer where leading zeros were left out. 15 and 7 digits are a "
        "lost digit unless the value fits; an error where nothing fits.",
    ),
    Plain(
        "other-reading",
        (base.ERROR, base.WARNING),
        "No slip of one bit, one digit or one word explains the value better: words in the wrong order, two digits "
        "swapped, a shift by 4, a digit lost or doubled. An error where nothing fits the value itself.",
    ),
    Plain(
        "low-word-alone",
        (base.WARNING,),
        "32 bits that fit no instruction descriptor and no high word are not the whole of a 64-bit descriptor.",
    ),
    Plain(
        "high-word",
        (base.NOTE,),
        "Eight digits that were asked to be a whole 64-bit descriptor are not a sound high word of one.",
    ),
    Plain(
        "address-masked",
        (base.WARNING,),
        "An address or offset that is encoded has no more than 18 bits; one that has is an error, unless it is forced.",
        ENCODE,
    ),
    Plain("cta-group", (base.ERROR,), "A tile's cta_group is one that the kind has.", INSTRUCTIONS),
    Plain("no-instruction", (base.ERROR,), "Some instruction reads a tile's operand of one MMA.", INSTRUCTIONS),
    Plain("padding-not-zeroed", (base.ERROR,), "A convolution's mask zeroes every column of padding.", PADDING),
    Plain("data-zeroed", (base.ERROR,), "A convolution's mask zeroes no column of data.", PADDING),
)
"""Findings about the value as a whole, a tile or a convolution, which ``decode``, ``encode`` and
``mask conv --expect`` make."""


def severities_of(rule: base.Rule, kind: Kind) -> tuple[str, ...]:
    """Return the severities that a kind's rule can give; of bits that the format fixes, the row says which."""
    if rule.partial and len(rule.reads) == 1:
        codec = kind.table.row(rule.reads[0]).codec
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
        if isinstance(function, base.Rule):
            function = function.check
        if not isfunction(function) or function in seen:
            return
        seen.add(function)
        if function in SEVERITIES:
            found.add(SEVERITIES[function])
        elif function.__module__.startswith("smemdesc.findings."):
            for name in _names(function.__code__):
                follow(function.__globals__.get(name))

    follow(check)
    return tuple(sorted(found, key=base.RANK.__getitem__))


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
    """Return the rules by name; those that say the same of several kinds are one entry."""
    found: dict[str, dict[tuple[object, ...], Entry]] = {}
    for kind in every():
        asked_always = base.rules_for(kind)
        for rule in base.rules_for(kind, whole=True, tiled=True):
            can_give = severities_of(rule, kind)
            key = (rule.doc, rule.reads, rule.source, can_give)
            made = Entry(rule, can_give, [], rule not in asked_always)
            found.setdefault(rule.name, {}).setdefault(key, made).kinds.append(kind.id)
    return {name: list(group.values()) for name, group in found.items()}


def page() -> str:
    """Return the page."""
    made = entries()
    single = ["## Of one descriptor\n", *(_section(name, group) for name, group in sorted(made.items()))]
    return "\n".join([GENERATED, INTRODUCTION, _index(made), *single, _across(), _reading()])


def _graveness(group: Iterable[Entry]) -> tuple[str, ...]:
    found = {severity for entry in group for severity in entry.severities}
    return tuple(sorted(found, key=base.RANK.__getitem__))


def _index(made: dict[str, list[Entry]]) -> str:
    rows = [(name, _graveness(group), _kinds(group)) for name, group in made.items()]
    rows += [(rule.name, severities(rule.check), "instruction by instruction (`scan`)") for rule in RULES]
    rows += [(plain.name, plain.severities, "-") for plain in READING]
    return table(
        ["rule", "severity", "kinds"],
        [[f"[{name}]({anchor(name)})", ", ".join(severity), of] for name, severity, of in sorted(rows)],
    )


def _kinds(group: Iterable[Entry]) -> str:
    return _short([kind for entry in group for kind in entry.kinds])


def _short(kinds: list[str]) -> str:
    """Name kinds; all seven of the instruction descriptor are one word."""
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
    return f"### {name}\n\n{', '.join(about)}\n\n{table(head, rows)}"


def _across() -> str:
    rows = [[rule.name, ", ".join(severities(rule.check)), text(rule.doc), text(rule.source)] for rule in RULES]
    return "\n".join(
        [
            "## Of one instruction\n",
            "`smemdesc scan` holds the descriptors of an instruction against each other and against the instruction.\n",
            *(f"### {name}\n\n**{severity}**: {doc} Source: {source}.\n" for name, severity, doc, source in rows),
        ]
    )


def _reading() -> str:
    return "\n".join(
        [
            "## Of the value, a tile, a convolution\n",
            "What `decode` says about a value before any field is looked at, what `encode` refuses or masks, and what "
            "`mask conv --expect` finds.\n",
            *(
                f"### {plain.name}\n\n**{', '.join(plain.severities)}**: {text(plain.doc)}"
                + (f" Source: {text(plain.source)}.\n" if plain.source else "\n")
                for plain in READING
            ),
        ]
    )
