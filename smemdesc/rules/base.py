"""The shape of a rule and of a finding, and the loop that applies the rules of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from smemdesc.engine.display import with_view
from smemdesc.engine.fields import Reading, Scalar
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.layout.strides import NICK, UNIT

ERROR, WARNING, NOTE = "error", "warning", "note"
RANK = {ERROR: 0, WARNING: 1, NOTE: 2}
"""The severities, the worst first: sorted by it, findings stand as people read them."""


class Repair(NamedTuple):
    """A field and the value (decoded, as in ``encode``) that it would have if it were right."""

    field: str
    value: Scalar

    def __str__(self) -> str:
        name = NICK.get(self.field, self.field)
        if isinstance(self.value, bool):
            return f"{'set' if self.value else 'clear'} {name}"
        if self.field in NICK:
            return f"write {name} {self.value} B (encoded {int(self.value) // UNIT})"
        return f"write {name} {self.value}"


@with_view("diagnostics:of_one")
class Finding(NamedTuple):
    """One thing that a rule has to say about a descriptor."""

    severity: str
    rule: str
    fields: tuple[str, ...]
    message: str
    """What is wrong."""
    likely: str = ""
    """What it probably means, or empty."""
    fix: str = ""
    """What to do, or empty."""
    source: str = ""
    repair: Repair | None = None
    """The field that is wrong and what it would be if it were right, where that is unique."""
    next: str = ""
    """What to tell the program, so that it can say more, or empty. No bit of the descriptor is changed for it."""
    because: str = ""
    """The rule of the finding that it follows from, or empty: it says nothing of what to do, the cause does."""
    operand: str | None = None
    """The one operand that a finding across the operands of an instruction is about, if it is one."""

    @property
    def rank(self) -> int:
        """How grave it is: 0 for an error."""
        return RANK[self.severity]

    @property
    def advice(self) -> list[tuple[str, str]]:
        """What is said of it beside the message, each with a label."""
        every = ("probably", self.likely), ("fix", self.fix), ("next", self.next), ("follows from", self.because)
        return [(label, text) for label, text in every if text]

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON; what people read of it besides only where there is some."""
        out: dict[str, Any] = {
            "severity": self.severity,
            "rule": self.rule,
            "fields": list(self.fields),
            "message": self.message,
        }
        if self.likely:
            out["likely"] = self.likely
        if self.fix:
            out["fix"] = self.fix
        if self.repair:
            out["repair"] = {self.repair.field: self.repair.value}
        if self.next:
            out["next"] = self.next
        if self.because:
            out["because"] = self.because
        return out | {"source": self.source}


class Problem(NamedTuple):
    """What a rule's check returns: a finding without the rule's own particulars."""

    severity: str
    message: str
    likely: str = ""
    fix: str = ""
    fields: tuple[str, ...] | None = None
    """The fields at fault, where not all that the rule reads."""
    source: str = ""
    repair: Repair | None = None
    """Where there is one and ``fix`` is empty, it is what to do."""
    next: str = ""
    operand: str | None = None

    def as_finding(self, rule: str, fields: tuple[str, ...], source: str) -> Finding:
        """Return it as the finding of a rule, whose fields and source are those where the problem names none."""
        return Finding(
            self.severity,
            rule,
            fields if self.fields is None else self.fields,
            self.message,
            self.likely,
            self.fix,
            self.source or source,
            self.repair,
            self.next,
            operand=self.operand,
        )


def error(message: str, likely: str = "", fix: str = "", **more: Any) -> Problem:
    """An error: the descriptor is illegal."""
    return Problem(ERROR, message, likely, fix, **more)


def warning(message: str, likely: str = "", fix: str = "", **more: Any) -> Problem:
    """A warning: legal or disputed, and probably not meant."""
    return Problem(WARNING, message, likely, fix, **more)


def note(message: str, next: str = "", *, fields: tuple[str, ...] | None = None, source: str = "") -> Problem:
    """A note: worth knowing. A right kernel may have it, so that it never says what is wrong or how to change it."""
    return Problem(NOTE, message, fields=fields, source=source, next=next)


Answer = Problem | Iterable[Problem] | None


class Rule(NamedTuple):
    """One named rule.

    ``check`` takes the context and the values of the fields that it ``reads`` and is applied only when
    all of them are known and defined; a ``partial`` rule takes the kind and the readings instead, and is
    applied in any case. ``doubt``: a finding of this rule speaks against the reading as a whole. A check that does not
    look at the context names that parameter ``_``, and is not applied again for another instruction.
    """

    name: str
    reads: tuple[str, ...]
    source: str
    doc: str
    check: Callable[..., Answer]
    partial: bool = False
    doubt: bool = False
    tcgen05: str = ""
    """The source where a rule of both shared-memory descriptors has another one for tcgen05."""

    @property
    def contextual(self) -> bool:
        """Whether the check looks at what is known of the instruction."""
        return _looks_at_context(self.check)

    def apply(self, kind: Kind, readings: Mapping[str, Reading], context: Context) -> list[Finding]:
        """Return what the rule finds in these readings."""
        mine = [readings[key] for key in self.reads]
        if self.partial:
            answer = self.check(context, kind, *mine)
        else:
            values = [reading.value for reading in mine]
            if any(value is None for value in values):
                return []
            answer = self.check(context, *values)
        return [] if answer is None else self.as_findings(answer)

    def as_findings(self, answer: Problem | Iterable[Problem]) -> list[Finding]:
        """Return what the check answered as findings of this rule."""
        problems = [answer] if isinstance(answer, Problem) else answer
        findings = [problem.as_finding(self.name, self.reads, self.source) for problem in problems]
        return [each._replace(fix=str(each.repair)) if each.repair and not each.fix else each for each in findings]


@cache
def _looks_at_context(check: Callable[..., Answer]) -> bool:
    code = getattr(check, "func", check).__code__  # a check may be a partial
    return "context" in code.co_varnames[: code.co_argcount]


def rule(
    *reads: str, source: str, name: str = "", partial: bool = False, doubt: bool = False, tcgen05: str = ""
) -> Callable[[Callable[..., Answer]], Rule]:
    """Make a rule of a function: its name with dashes is the rule's unless ``name`` is given, its docstring says what
    must hold."""

    def rule_of(check: Callable[..., Answer]) -> Rule:
        doc = " ".join((check.__doc__ or "").split())
        return Rule(name or check.__name__.replace("_", "-"), reads, source, doc, check, partial, doubt, tcgen05)

    return rule_of


def fails(findings: Iterable[Finding], strict: bool = False) -> bool:
    """Whether an error is among the findings; ``strict``: or a warning."""
    return any(finding.severity == ERROR or (strict and finding.severity == WARNING) for finding in findings)


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings as people read them: errors before warnings before notes, causes before what follows."""
    return tuple(sorted(findings, key=_RANK))


_RANK = attrgetter("rank", "because")


def worst(findings: Iterable[Finding]) -> str | None:
    """Return the highest severity, None if there are no findings."""
    return min((finding.severity for finding in findings), key=RANK.__getitem__, default=None)


VALID, SUSPICIOUS, INVALID, AMBIGUOUS = "valid", "suspicious", "invalid", "ambiguous"


def verdict(findings: Iterable[Finding]) -> str:
    """Return ``invalid`` if there is an error, ``suspicious`` if there is a warning, else ``valid``."""
    severities = {finding.severity for finding in findings}
    return INVALID if ERROR in severities else SUSPICIOUS if WARNING in severities else VALID
