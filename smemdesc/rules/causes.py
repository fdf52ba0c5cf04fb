"""Which findings follow from which: a cause comes first, its consequences below it, and only the cause says what to
do."""

from __future__ import annotations

from collections.abc import Iterable

from smemdesc.rules.base import ERROR, NOTE, Finding
from smemdesc.rules.strides import UNDIVIDED

Of = tuple[str | None, Finding]
"""A finding with the operand that it is about (None: several operands, or a single value)."""
OF_TEXT = ("digits-without-prefix", "other-reading", "digit-count")
"""If these are errors, the value is not the intended one: everything else wrong with it follows."""
_MODE = (
    "low-word-alone",
    "transpose-packed-fp4",
    "wgmma-major",
    "mn-major-type",
    "tf32-mn-major",
    "k-major-32b-atoms",
    "swizzle-32b-atoms",
)
"""They contradict the major-ness or the swizzle mode, on which everything else depends."""
_MAP = ("map-swizzle", "map-strides", "map-major", "map-line")
_COMPARED = ("transpose-and-strides", "tile-and-descriptor", "tile-strides", *_MAP)
_TILE = (*_MODE, *_COMPARED)
_SMALL = ("sbo-below-atom", "lbo-below-atom", "sbo-zero", "lbo-zero")
_START = "start_address"
CAUSES: dict[str, tuple[str, ...]] = {
    "mn-major-type": ("transpose-packed-fp4",),
    "transpose-and-strides": _MODE,
    "tile-and-descriptor": (*_MODE, "transpose-and-strides", "tile-and-shape"),
    "tile-strides": (*_MODE, "transpose-and-strides", "tile-and-descriptor"),
    "sbo-below-atom": _TILE,
    "lbo-below-atom": (*_TILE, "sbo-below-atom"),
    "sbo-zero": _TILE,
    "lbo-zero": (*_TILE, "sbo-below-atom"),
    **dict.fromkeys(("sbo-inside-row", "lbo-inside-row", *UNDIVIDED), _COMPARED),
    "operand-overlap": (*_TILE, *_SMALL, *UNDIVIDED),
    "outside-shared-memory": ("transpose-and-strides", "tile-and-descriptor", "tile-strides", *UNDIVIDED),
    "row-crossing": ("tile-and-descriptor", "tile-start"),
    "k-steps-differ": ("tile-and-descriptor", "k-step"),
    "operands-share-memory": ("tile-and-descriptor",),
    "lbo-absolute-k": ("lbo-absolute-major",),
    "lbo-absolute-swizzle": (*_MODE, "lbo-absolute-major", "lbo-absolute-k"),
    "lbo-absolute-base-offset": (*_MODE, "lbo-absolute-major", "lbo-absolute-k", "lbo-absolute-swizzle"),
    "kinds-differ": ("version-constant",),
    "sparsity-selector": ("sparse-and-instruction",),
    "sparse-k-96": ("sparse-and-instruction",),
    "sparsity-version": ("sparse-and-instruction",),
    "scale-id": ("scale-vec",),
    "max-shift-without-ws": ("mask-and-instruction",),
    "mask-size": ("mask-and-instruction", "shape"),
    "shift-beyond-max": ("mask-and-instruction", "max-shift-without-ws"),
}
"""By the rule of a finding, the rules of those that it may follow from, the root first."""


def follow(findings: Iterable[Of]) -> list[Of]:
    """Return findings; those that follow from another name its rule and have no advice."""
    every = list(findings)
    rules = {finding.rule for _, finding in every}
    return [(operand, _with_cause(operand, finding, every, rules)) for operand, finding in every]


def of_one_value(findings: Iterable[Finding]) -> list[Finding]:
    """Return :func:`follow` of findings about one value."""
    return [finding for _, finding in follow((None, finding) for finding in findings)]


def grouped(findings: Iterable[Of]) -> list[tuple[Of, list[Of]]]:
    """Return each finding with those that follow from it, worst first; one without its cause is a group of its own."""
    every = list(findings)
    roots = [_root(number, every) for number in range(len(every))]
    groups = [
        (finding, [every[index] for index, root in enumerate(roots) if root == number != index])
        for number, finding in enumerate(every)
        if roots[number] == number
    ]
    return sorted(groups, key=lambda group: group[0][1].rank)


def _root(number: int, every: list[Of]) -> int:
    """Return the index in ``every`` of the first cause of a finding."""
    operand, finding = every[number]
    for cause, (about, candidate) in enumerate(every):
        if candidate.rule == finding.because and _applies_to(candidate.operand or about, operand):
            return _root(cause, every)
    return number


def _applies_to(about: str | None, operand: str | None) -> bool:
    """Whether a finding of one operand can be the cause of one of another."""
    return operand is None or about in (operand, None, "idesc")


def _with_cause(operand: str | None, finding: Finding, every: list[Of], rules: set[str]) -> Finding:
    if finding.severity == NOTE or _is_explained(finding, every):
        return finding  # it gives no advice, or its cause is known
    for rule in (*OF_TEXT, *CAUSES.get(finding.rule, ())):
        if rule not in rules:
            continue
        for about, cause in every:
            if cause.rule != rule or not _applies_to(cause.operand or about, operand) or not _causes(cause, finding):
                continue
            if not _with_cause(about, cause, every, rules).because:
                return finding._replace(because=rule)
    return finding


def _is_explained(finding: Finding, every: list[Of]) -> bool:
    """Whether it is known what to do: by the finding itself, or by the one that it follows from."""
    names = (finding.rule, finding.because)
    return any(each.rule in names and (each.repaired or each.alternatives) for _, each in every)


def _causes(cause: Finding, finding: Finding) -> bool:
    """Whether the finding would disappear, or change, if the cause were repaired."""
    if cause.rule in OF_TEXT:
        return cause.severity == ERROR and finding.rule not in OF_TEXT
    if not cause.fix:
        return False
    if _START in finding.fields:
        return _START in cause.fields
    if cause.rule == "sbo-below-atom" and finding.rule != "operand-overlap":
        return "swizzle" in cause.fields and "swizzle" in finding.fields
    return True
