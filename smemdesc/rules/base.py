"""The shape of a rule, and the loop that applies the rules of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind
from smemdesc.rules.findings import ERROR as ERROR
from smemdesc.rules.findings import NOTE as NOTE
from smemdesc.rules.findings import RANK as RANK
from smemdesc.rules.findings import WARNING as WARNING
from smemdesc.rules.findings import Finding as Finding
from smemdesc.rules.findings import Repair as Repair
from smemdesc.rules.findings import repair_text

if TYPE_CHECKING:
    from smemdesc.rules.asks import Need
    from smemdesc.rules.completions import Matters, Readings, Undecided


CERTAIN, UNCERTAIN, POSSIBLE = range(3)
"""How much a wrong value speaks for a mistake: it looks like nothing else, like several things, or like any value."""


class Problem(NamedTuple):
    """What a rule's check returns: a finding without the rule's name, fields and source."""

    severity: str
    message: str
    likely: str = ""
    fix: str = ""
    fields: tuple[str, ...] | None = None
    """The fields at fault, if they are not all that the rule reads."""
    source: str = ""
    repair: Repair | tuple[Repair, ...] | None = None
    """If it is set and ``fix`` is empty, it is the advice."""
    next: str = ""
    operand: str | None = None
    weight: int = 0
    """Of a mistake: how much the value speaks for it."""

    def as_finding(self, rule: str, fields: tuple[str, ...], source: str) -> Finding:
        """Return it as a finding of a rule; fields and source default to the rule's."""
        return Finding(
            self.severity,
            rule,
            fields if self.fields is None else self.fields,
            self.message,
            self.likely,
            self.fix,
            self.source or source,
            (self.repair,) if isinstance(self.repair, Repair) else self.repair or (),
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
    """A note: worth knowing. A correct kernel may have it, so it names no fault and no repair."""
    return Problem(NOTE, message, fields=fields, source=source, next=next)


Answer = Problem | Iterable[Problem] | None


class Example(NamedTuple):
    """Why a rule exists, and a command line that breaks it; :mod:`smemdesc.explanations.examples` runs that."""

    why: str
    command: str
    """A flag is last, or before another option."""
    repair: str = ""
    """What to type instead: the value, options, ``without`` an option, or fields of the value as ``KEY=VALUE``; in
    ``text``, ``RIGHT for WRONG``. Empty: as the finding says; a note about correct input has none."""
    text: str = ""
    """What is in the file that the command reads."""


class Rule(NamedTuple):
    """One named rule about the fields of a descriptor.

    ``check`` takes the context and the values of the fields that it ``reads``. It is applied only where they are
    defined; of partly known ones it finds what it finds for every number that they may be. A ``partial`` rule takes
    the kind and the readings instead, and is always applied. ``doubt``: a finding of this rule speaks against the
    whole reading. A check that ignores the context names that parameter ``_``, and is not applied again for another
    instruction.
    """

    name: str
    reads: tuple[str, ...]
    source: str
    text: str
    """What must hold, as the docstring of the check says it."""
    check: Callable[..., Answer]
    partial: bool = False
    doubt: bool = False
    tcgen05: str = ""
    """The source for tcgen05, if a rule of both shared-memory descriptors has another one there."""
    matters: Callable[[Context, Readings], Matters] | None = None
    """Returns which bits of the fields the check depends on; None: on all."""
    sampled: bool = False
    """Whether the check looks at every address: of many completions of unknown bits, a sample is judged."""
    example: Example | None = None
    """None if another rule of this name has it."""
    asks: tuple[Need, ...] = ()
    """What it judges beyond the fields, and what has to be known for it."""

    @property
    def doc(self) -> str:
        """What must hold, in one line."""
        return " ".join(self.text.split())

    @property
    def contextual(self) -> bool:
        """Whether the check uses what is known of the instruction."""
        return _looks_at_context(self.check)

    def apply(self, kind: Kind, readings: Readings, context: Context) -> list[Finding]:
        """Return what the rule finds in these readings."""
        mine = [readings[key] for key in self.reads]
        certain = all(reading.settled for reading in mine)
        found = self._find(kind, context, mine) if certain or self.partial else []
        if certain or found:
            return found
        from smemdesc.rules.completions import completed, shared

        bits = self._unknown(readings, context)
        return shared(
            lambda number: self._find(kind, context, completed(readings, self.reads, bits, number)),
            len(bits),
            sample=self.sampled and len(bits) > _FEW,
        )

    def undecided(self, kind: Kind, readings: Readings, context: Context) -> Iterator[Undecided]:
        """Yield what the rule finds for some numbers that unknown bits may be, and does not say."""
        from smemdesc.rules.completions import Undecided, completed, probes

        bits = self._unknown(readings, context)
        if not bits or self.apply(kind, readings, context):
            return
        masks = (bit << readings[key].lo for key, bit in bits)
        whole = sum(masks)
        for number in probes(len(bits)):
            found = self._find(kind, context, completed(readings, self.reads, bits, number))
            if found:
                yield from (Undecided(finding, whole) for finding in found)
                return

    def _unknown(self, readings: Readings, context: Context) -> list[tuple[str, int]]:
        """Return the unknown bits that the check depends on."""
        from smemdesc.rules.completions import unknown_bits

        return unknown_bits(readings, self.reads, self.matters(context, readings) if self.matters else {})

    def _find(self, kind: Kind, context: Context, readings: Sequence[FieldReading]) -> list[Finding]:
        """Return what the check finds; unless the rule is partial, in fields that are wholly known."""
        if self.partial:
            answer = self.check(context, kind, *readings)
        else:
            values = [reading.value for reading in readings]
            # None: an undefined code.
            answer = None if any(value is None for value in values) else self.check(context, *values)
        return [] if answer is None else self.as_findings(answer)

    def as_findings(self, answer: Problem | Iterable[Problem]) -> list[Finding]:
        """Return the problems of the check as findings of this rule."""
        problems = [answer] if isinstance(answer, Problem) else answer
        findings = [problem.as_finding(self.name, self.reads, self.source) for problem in problems]
        return [
            finding._replace(fix=repair_text(finding.repair)) if finding.repair and not finding.fix else finding
            for finding in findings
        ]


@cache
def _looks_at_context(check: Callable[..., Answer]) -> bool:
    code = getattr(check, "func", check).__code__  # a check may be a partial
    return "context" in code.co_varnames[: code.co_argcount]


_FEW = 8
"""Unknown bits of which every completion is judged by a check of every address."""


def rule(
    *reads: str,
    source: str,
    name: str = "",
    partial: bool = False,
    doubt: bool = False,
    tcgen05: str = "",
    matters: Callable[[Context, Readings], Matters] | None = None,
    sampled: bool = False,
    asks: tuple[Need, ...] = (),
) -> Callable[[Callable[..., Answer]], Rule]:
    """Make a rule of a function: the rule's name is the function's with dashes unless ``name`` is given; the
    docstring says what must hold."""

    def rule_of(check: Callable[..., Answer]) -> Rule:
        own = name or check.__name__.replace("_", "-")
        says = check.__doc__ or ""
        return Rule(own, reads, source, says, check, partial, doubt, tcgen05, matters, sampled, None, asks)

    return rule_of


class CaseRule(NamedTuple):
    """One named rule about more than the fields of a descriptor: the text of a value, an instruction, a tile, a plan.

    ``check`` takes what it is about.
    """

    name: str
    source: str
    text: str
    """What must hold, as the docstring of the check says it."""
    check: Callable[..., Answer]
    severities: tuple[str, ...] = ()
    """Those of its findings, worst first; empty: those that ``check`` itself gives."""
    example: Example | None = None

    @property
    def doc(self) -> str:
        """What must hold, in one line."""
        return " ".join(self.text.split())

    def apply(self, *case: Any) -> list[Finding]:
        """Return what the rule finds."""
        return [self.finding(problem) for problem in self.problems(*case)]

    def problems(self, *case: Any) -> Iterable[Problem]:
        """Return what the check finds."""
        answer = self.check(*case)
        return [answer] if isinstance(answer, Problem) else answer or ()

    def finding(self, problem: Problem) -> Finding:
        """Return a problem as a finding of this rule."""
        return problem.as_finding(self.name, (), self.source)


def case_rule(source: str = "", *severities: str, name: str = "") -> Callable[[Callable[..., Answer]], CaseRule]:
    """Make a rule of a function, with a name and a text as of :func:`rule`."""

    def rule_of(check: Callable[..., Answer]) -> CaseRule:
        return CaseRule(name or check.__name__.replace("_", "-"), source, check.__doc__ or "", check, severities)

    return rule_of


AnyRule = TypeVar("AnyRule", Rule, CaseRule)


def explained(why: str, command: str, repair: str = "", text: str = "") -> Callable[[AnyRule], AnyRule]:
    """Give a rule its :class:`Example`."""
    return lambda rule: rule._replace(example=Example(why, command, repair, text))


def fails(findings: Iterable[Finding], strict: bool = False) -> bool:
    """Whether an error is among the findings; ``strict``: or a warning."""
    return any(finding.severity == ERROR or (strict and finding.severity == WARNING) for finding in findings)


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in reading order: errors, warnings, notes; causes before their consequences."""
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
