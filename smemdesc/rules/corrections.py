"""Which mistake explains what is wrong: every correction is applied and judged before it is printed.

Of the corrections that leave the fewest faults and make none, the one is printed for which the value itself speaks
most; several that are equally good are alternatives. Of those that the hardware reads alike, the one is printed that
changes the fewest fields.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdesc.kinds.addresses import START
from smemdesc.layout.strides import LBO, SBO
from smemdesc.rules.base import CERTAIN, ERROR, NOTE, POSSIBLE, RANK, UNCERTAIN, CaseRule
from smemdesc.rules.causes import Of
from smemdesc.rules.findings import Alternative, Finding, Repair, repair_text
from smemdesc.rules.mistakes import OF_INSTRUCTIONS, OF_OPERANDS, Suspect, wrong_stride
from smemdesc.rules.strides import UNDIVIDED

_LAYOUT = (LBO, SBO, "swizzle")
"""The fields of which there are as many right values as there are layouts."""


_SEVERAL = ("reserved_14", "reserved_30", "m", "n")
"""Other fields of which a wrong number leaves several right ones open: an address or a number may run into them."""


_ABOVE_LBO = "reserved_30"
"""What runs over into these bits comes from LBO, or through LBO from the start address."""


class Correction(NamedTuple):
    """What may be wrong, with its repair, which has not been tried."""

    finding: Finding
    """A mistake, or the fault itself."""
    weight: int
    told: bool
    """Whether all is known that decides it."""

    @property
    def certain(self) -> bool:
        """Whether what it leaves without a fault is right."""
        return self.weight == CERTAIN or (self.told and self.weight != POSSIBLE)


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
    wrong: set[str] = set()
    for finding in found:
        wrong.update(finding.fields if finding.severity != NOTE else ())
        # What is certain may have been taken to follow from a guess.
        if finding.repair and finding.severity != NOTE and (not finding.because or finding.severity == ERROR):
            keys = {each.field for each in finding.repair}
            weight = POSSIBLE if START in keys else UNCERTAIN if keys & {*_LAYOUT, *_SEVERAL, _ABOVE_LBO} else CERTAIN
            undivided.update(finding.repair if finding.rule in UNDIVIDED else ())
            yield _correction(suspect, finding._replace(operand=operand), weight)
    mistakes: tuple[CaseRule, ...] = OF_INSTRUCTIONS if suspect.kind.name == "idesc" else OF_OPERANDS
    if suspect.kind.name not in ("idesc", "wgmma", "tcgen05") or _is_absolute(suspect):
        return
    for rule in mistakes:
        for problem in rule.problems(suspect):
            # Half of M is a guess: what is wrong may be N.
            if rule in OF_INSTRUCTIONS and problem.weight != CERTAIN and wrong.isdisjoint(problem.fields or ()):
                continue
            mistake = rule.finding(problem._replace(operand=operand))
            told = not undivided.isdisjoint(mistake.repair) or Repair("swizzle", suspect.swizzle) in mistake.repair
            yield _correction(suspect, mistake, CERTAIN if told else problem.weight)


def _correction(suspect: Suspect, finding: Finding, weight: int) -> Correction:
    keys = {each.field for each in finding.repair}
    told = (
        suspect.tile_start is not None
        if START in keys
        else bool(suspect.tile_strides) or not keys & {*_LAYOUT, _ABOVE_LBO}
    )
    told = told and not (keys & {"m", "n"} and suspect.context.mnk is None)
    return Correction(finding, weight, told)


def _is_absolute(suspect: Suspect) -> bool:
    return "lbo_mode" in suspect.fields and suspect.fields["lbo_mode"].value != "relative"


Fault = tuple[str | None, str, tuple[str, ...]]
"""The operand that a fault is about, its rule, and its fields."""


def faults(findings: Iterable[Of]) -> dict[Fault, Finding]:
    """Return the errors and warnings among findings, the first of each rule and operand."""
    every: dict[Fault, Finding] = {}
    for name, finding in findings:
        if finding.severity != NOTE:
            every.setdefault(_key(name, finding), finding)
    return every


def _key(name: str | None, finding: Finding) -> Fault:
    return finding.operand or name, finding.rule, finding.fields


class _Tried(NamedTuple):
    correction: Correction
    outcome: Outcome
    gone: frozenset[Fault]
    found: Collection[Fault]

    @property
    def order(self) -> tuple[bool, bool, int]:
        """What comes first of corrections that the hardware reads alike: a mistake by its name, few fields."""
        finding = self.correction.finding
        return self.is_own, finding.rule == wrong_stride.name, len(finding.repair)

    @property
    def is_own(self) -> bool:
        """Whether it is a fault's own repair, not a mistake with a name."""
        return _fault(self.correction.finding, self.found) in self.found


def with_mistakes(
    found: Sequence[Of], candidates: Iterable[Correction], judge: Callable[[Finding], Outcome | None]
) -> list[Of]:
    """Return findings with what caused them: each mistake as a finding of its own, with the repair of all its fields
    and the whole constant, or, where several explain as much, the alternatives.

    ``judge`` returns what is found after a repair, None if it cannot be made. A repair that does not mend what it is
    for is left out.
    """
    every = faults(found)
    candidates = list(candidates)
    tried = list(_tried(every, candidates, judge))
    said: dict[Fault, Finding] = {
        fault: _not_mended(every[fault])
        for each in candidates
        if (fault := _fault(each.finding, every)) in every and not every[fault].because
    }
    causes: list[Of] = []
    open_faults = set(every)
    while useful := [each for each in tried if each.gone & open_faults]:
        best, root = _best(useful, every, open_faults)
        gone = best[0].gone & open_faults
        if len(best) == 1 and (best[0].correction.certain or _is_of_mode(best[0], gone)):
            cause = _cause(best[0], every[root])
            own = _fault(cause, every)
            if own in every:
                said[own] = cause._replace(operand=every[own].operand)
            else:
                causes.append((cause.operand, cause))
            by = cause.rule
        else:
            own, by = root, every[root].rule
            said[root] = _with_alternatives(best, every[root])
        said |= {fault: every[fault]._replace(because=by) for fault in gone - {own}}
        open_faults -= gone
    return _rooted([*causes, *(_said(pair, said) for pair in found)])


_NOT_ALONE = "more than this field is wrong, or an option is"


def _is_of_mode(tried: _Tried, gone: Iterable[Fault]) -> bool:
    """Whether the mode is changed, and nothing was found of strides and starts: one mode only is left."""
    changed = {each.field for each in tried.correction.finding.repair}
    return changed == {"swizzle"} and not {LBO, SBO, START} & {key for fault in gone for key in fault[2]}


def _not_mended(finding: Finding) -> Finding:
    """Return a finding without its repair, which does not mend it; other advice stays."""
    if finding.fix != repair_text(finding.repair):
        return finding._replace(repair=())
    return finding._replace(fix="", repair=(), likely=finding.likely or _NOT_ALONE)


def _fault(finding: Finding, every: Collection[Fault]) -> Fault:
    """Return the fault that a correction is of; that of its operand, or one across operands."""
    own = (finding.operand, finding.rule, finding.fields)
    return own if own in every else (None, *own[1:])


def _cause(tried: _Tried, root: Finding) -> Finding:
    finding = tried.correction.finding
    fix = finding.fix or repair_text(finding.repair)
    return finding._replace(severity=root.severity, fix=fix, because="", repaired=tried.outcome.repaired)


def _with_alternatives(best: Sequence[_Tried], root: Finding) -> Finding:
    listed = tuple(map(_alternative, best))
    if not all(each.correction.told for each in best):
        about = {*root.fields, *(repair.field for each in best for repair in each.correction.finding.repair)}
        listed += tuple(other for keys, other in _OPEN if keys & about)
    return root._replace(fix="", repair=(), because="", alternatives=listed)


def _rooted(findings: list[Of]) -> list[Of]:
    """Return findings; those that follow from another name its root, and do not say what to do."""
    because = {(finding.operand or name, finding.rule): finding.because for name, finding in findings}
    rooted = []
    for name, finding in findings:
        root, about = finding.because, finding.operand or name
        while again := because.get((about, root)) or because.get((None, root)):
            root = again
        rooted.append((name, finding._replace(because=root).without_advice if root else finding))
    return rooted


def _said(pair: Of, said: Mapping[Fault, Finding]) -> Of:
    name, finding = pair
    known = said.get(_key(name, finding))
    if finding.severity == NOTE or known is None:
        return pair
    changed = ("likely", "fix", "repair", "because", "repaired", "alternatives")
    return name, finding._replace(**{key: getattr(known, key) for key in changed})


_GUESS = "transpose-and-strides"
"""It says why strides are wrong that are found to be wrong anyway, and only where nothing else is."""


def _tried(
    every: Mapping[Fault, Finding], candidates: Iterable[Correction], judge: Callable[[Finding], Outcome | None]
) -> Iterator[_Tried]:
    for candidate in candidates:
        outcome = judge(candidate.finding)
        if outcome is None:
            continue
        left = {_key(name, finding) for name, finding in outcome.findings}
        # What remains as a note, or with other fields, was not mended; a repair that makes a fault is none, unless
        # that follows from what is still wrong with the other operand.
        changed = {fault[:2] for fault in left - every.keys()}
        gone = {fault for fault in every.keys() - left if fault[:2] not in changed}
        made = (finding for fault, finding in faults(outcome.findings).items() if fault not in every)
        if gone and all(finding.rule == _GUESS or finding.because for finding in made) and _is_about(candidate, gone):
            yield _Tried(candidate, outcome, frozenset(gone), every.keys())


def _is_about(candidate: Correction, gone: Iterable[Fault]) -> bool:
    """Whether a correction may be what is wrong: a start that is wrong is not mended by another layout."""
    keys = {each.field for each in candidate.finding.repair}
    return START in keys or not keys & {*_LAYOUT} or any(fault[2] != (START,) for fault in gone)


def _best(
    useful: Sequence[_Tried], every: Mapping[Fault, Finding], open_faults: Collection[Fault]
) -> tuple[list[_Tried], Fault]:
    """Return the corrections that mend the worst and the most, for which the value itself speaks most, of those that
    come to the same one; and the fault that is the worst of them."""
    order = list(every)

    def mended(each: _Tried) -> list[int]:
        ranks = [every[fault].rank for fault in each.gone if fault in open_faults]
        return [ranks.count(rank) for rank in range(RANK[NOTE])]

    most = max(map(mended, useful))
    best = [each for each in useful if mended(each) == most]
    gone = (fault for fault in best[0].gone if fault in open_faults)
    root = min(gone, key=lambda fault: (every[fault].rank, bool(every[fault].because), order.index(fault)))
    best = [each for each in best if root in each.gone]
    by_effect: dict[object, list[_Tried]] = {}
    for each in sorted(best, key=lambda each: each.order):
        by_effect.setdefault(each.outcome.effect, []).append(each)
    weights = [min(each.correction.weight for each in same) for same in by_effect.values()]
    likely = [same[0] for same, weight in zip(by_effect.values(), weights, strict=True) if weight == min(weights)]
    return likely, root


_OPEN = (
    (
        {LBO, SBO},
        Alternative("wrong-stride", "the strides or the mode of another layout: give the tile", (), ""),
    ),
    (
        {_ABOVE_LBO},
        Alternative(
            "start-address-carry", "the upper bits of an address, in LBO and SBO, too: mask it with 0x3ffff", (), ""
        ),
    ),
    ({START}, Alternative("k-advance", "another start: give the tile, and where it begins", (), "")),
    ({"m", "n"}, Alternative("m-code", "another M or N: give --shape MxNxK", (), "")),
)
"""What is left open, by the fields of a fault, where more has to be known."""


def _alternative(each: _Tried) -> Alternative:
    finding = each.correction.finding
    message = "only this field is wrong" if each.is_own else finding.message
    return Alternative(finding.rule, message, finding.repair, each.outcome.repaired)
