"""Which mistake explains what is wrong: every correction is applied and judged before it is printed.

Of the corrections that leave the fewest faults and make none, the one is printed for which the value itself speaks
most; several that are equally good are alternatives. Of those that the hardware reads alike, the one is printed that
changes the fewest fields.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.kinds.addresses import START
from smemdesc.layout.strides import LBO, SBO
from smemdesc.rules.base import CERTAIN, NOTE, POSSIBLE, RANK, UNCERTAIN, CaseRule
from smemdesc.rules.causes import Of
from smemdesc.rules.findings import Alternative, Finding, Repair, written
from smemdesc.rules.mistakes import OF_INSTRUCTIONS, OF_OPERANDS, Suspect, wrong_stride
from smemdesc.rules.strides import UNDIVIDED

_LAYOUT = (LBO, SBO, "swizzle")
"""The fields of which there are as many right values as there are layouts."""


class Correction(NamedTuple):
    """What may be wrong, with its repair, which has not been tried."""

    finding: Finding
    """A mistake, or the fault itself."""
    weight: int
    certain: bool
    """Whether what it leaves without a fault is right: whether only one value is."""

    @property
    def of_layout(self) -> bool:
        """Whether a tile would tell more: not of the steps in one."""
        keys = {each.field for each in self.finding.repair}
        return not self.certain and not (self.weight == POSSIBLE and keys == {START})


class Outcome(NamedTuple):
    """What a correction leads to."""

    findings: Sequence[Of]
    repaired: str
    """The whole constant."""
    effect: object
    """Equal for values that the hardware reads alike."""


def corrections(suspect: Suspect, found: Iterable[Finding], operand: str | None = None) -> Iterator[Correction]:
    """Yield what may be wrong with a descriptor in which something was found."""
    undivided: set[Repair] = set()
    for finding in found:
        if finding.repair and finding.severity != NOTE:
            keys = {each.field for each in finding.repair}
            weight = POSSIBLE if START in keys else UNCERTAIN if keys & {*_LAYOUT} else CERTAIN
            undivided.update(finding.repair if finding.rule in UNDIVIDED else ())
            yield _correction(suspect, finding._replace(operand=operand), weight)
    mistakes: tuple[CaseRule, ...] = OF_INSTRUCTIONS if suspect.kind.name == "idesc" else OF_OPERANDS
    if suspect.kind.name not in ("idesc", "wgmma", "tcgen05") or _is_absolute(suspect):
        return
    for rule in mistakes:
        for problem in rule.problems(suspect):
            mistake = rule.finding(problem._replace(operand=operand))
            told = undivided.issuperset(mistake.repair) or mistake.repair == (Repair("swizzle", suspect.swizzle),)
            yield _correction(suspect, mistake, CERTAIN if told else problem.weight)


def _correction(suspect: Suspect, finding: Finding, weight: int) -> Correction:
    keys = {each.field for each in finding.repair}
    told = suspect.tile_start is not None if START in keys else bool(suspect.tile_strides) or not keys & {*_LAYOUT}
    return Correction(finding, weight, weight == CERTAIN or (told and weight != POSSIBLE))


def _is_absolute(suspect: Suspect) -> bool:
    return "lbo_mode" in suspect.fields and suspect.fields["lbo_mode"].value != "relative"


Fault = tuple[str | None, str]
"""The operand that a fault is about, and its rule."""


def faults(findings: Iterable[Of]) -> dict[Fault, Finding]:
    """Return the errors and warnings among findings, the first of each rule and operand."""
    every: dict[Fault, Finding] = {}
    for name, finding in findings:
        if finding.severity != NOTE:
            every.setdefault((finding.operand or name, finding.rule), finding)
    return every


class _Tried(NamedTuple):
    correction: Correction
    outcome: Outcome
    gone: frozenset[Fault]
    found: Collection[Fault]

    @property
    def order(self) -> tuple[bool, int]:
        """What comes first of corrections that the hardware reads alike: a mistake by its name, few fields."""
        finding = self.correction.finding
        return self.is_general, len(finding.repair)

    @property
    def is_general(self) -> bool:
        """Whether it says no more than that a field is wrong."""
        finding = self.correction.finding
        return finding.rule == wrong_stride.name or (finding.operand, finding.rule) in self.found


def explained(
    found: Sequence[Of], candidates: Iterable[Correction], judge: Callable[[Finding], Outcome | None]
) -> list[Of]:
    """Return findings with what caused them: each mistake as a finding of its own, with the repair of all its fields
    and the whole constant, or, where several explain as much, the alternatives.

    ``judge`` returns what is found after a repair, None if it cannot be made. A repair that does not mend what it is
    for is left out.
    """
    every = faults(found)
    tried = list(_tried(every, candidates, judge))
    said: dict[Fault, Finding] = {}
    causes: list[Of] = []
    open_faults = set(every)
    while useful := [each for each in tried if each.gone & open_faults]:
        best = _best(useful, every, open_faults)
        gone = best[0].gone & open_faults
        first, *others = best
        root = _root(first, every, open_faults)
        if not others and first.correction.certain:
            cause = first.correction.finding
            cause = cause._replace(
                severity=every[root].severity,
                fix=cause.fix or written(cause.repair),
                because="",
                repaired=first.outcome.repaired,
            )
            own = (cause.operand, cause.rule)
            if own in every:
                said[own] = cause
            else:
                causes.append((cause.operand, cause))
            by = cause.rule
        else:
            own, by = root, every[root].rule
            listed = tuple(map(_alternative, best))
            if any(each.correction.of_layout for each in best):
                listed += (_OF_A_TILE,)
            said[root] = every[root]._replace(fix="", repair=(), because="", alternatives=listed)
        for fault in gone - {own}:
            said.setdefault(fault, every[fault]._replace(because=by))
        open_faults -= gone
    return [*causes, *(_said(pair, said) for pair in found)]


def _root(mending: _Tried, every: dict[Fault, Finding], open_faults: set[Fault]) -> Fault:
    """Return the worst fault that a correction mends, the first of these."""
    gone = (fault for fault in every if fault in mending.gone & open_faults)
    return min(gone, key=lambda fault: every[fault].rank)


def _said(pair: Of, said: dict[Fault, Finding]) -> Of:
    name, finding = pair
    if finding.severity == NOTE:
        return pair
    known = said.get((finding.operand or name, finding.rule))
    if known is not None:
        return name, finding._replace(
            **{key: getattr(known, key) for key in ("fix", "repair", "because", "repaired", "alternatives")}
        )
    if finding.repair and not finding.because:
        return name, finding._replace(repair=(), fix="")
    return pair


def _tried(
    every: dict[Fault, Finding], candidates: Iterable[Correction], judge: Callable[[Finding], Outcome | None]
) -> Iterator[_Tried]:
    for candidate in candidates:
        outcome = judge(candidate.finding)
        if outcome is None:
            continue
        # What remains as a note was not mended, and a repair that makes a fault is none, unless that follows from what
        # is still wrong with the other operand.
        left = {(finding.operand or name, finding.rule) for name, finding in outcome.findings}
        gone = every.keys() - left
        made = faults(outcome.findings).items()
        if gone and all(fault in every or finding.because for fault, finding in made):
            yield _Tried(candidate, outcome, frozenset(gone), every.keys())


def _best(useful: Sequence[_Tried], every: dict[Fault, Finding], open_faults: set[Fault]) -> list[_Tried]:
    """Return the corrections that mend the worst and the most, for which the value itself speaks most; of those that
    come to the same, one."""

    def mended(each: _Tried) -> list[int]:
        ranks = [every[fault].rank for fault in each.gone & open_faults]
        return [ranks.count(rank) for rank in range(RANK[NOTE])]

    most = max(map(mended, useful))
    best = [each for each in useful if mended(each) == most]
    # What mends as much of another operand is no alternative.
    root = _root(best[0], every, open_faults)
    by_effect: dict[object, list[_Tried]] = {}
    for each in sorted((each for each in best if root in each.gone), key=lambda each: each.order):
        by_effect.setdefault(each.outcome.effect, []).append(each)
    weights = [min(each.correction.weight for each in same) for same in by_effect.values()]
    return [same[0] for same, weight in zip(by_effect.values(), weights, strict=True) if weight == min(weights)]


_OF_A_TILE = Alternative("wrong-stride", "LBO or SBO of another layout: give the tile, and it can be told", (), "")


def _alternative(each: _Tried) -> Alternative:
    finding = each.correction.finding
    message = "only this is wrong" if (finding.operand, finding.rule) in each.found else finding.message
    return Alternative(finding.rule, message, finding.repair, each.outcome.repaired)
