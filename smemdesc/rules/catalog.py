"""Every name that a finding can have: rules of the kinds, rules across operands, findings that no rule makes."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from smemdesc.kinds.addresses import ENCODE
from smemdesc.kinds.instruction import SOURCE as INSTRUCTIONS
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS
from smemdesc.kinds.tensormap import DRIVER
from smemdesc.rules.base import ERROR, NOTE, WARNING, Rule
from smemdesc.rules.judging import rules_for
from smemdesc.rules.operands import RULES, OperandRule

PADDING = "the padding of the convolution"
TILE_SOURCE = "CUTLASS make_gmma_desc, make_umma_desc; the address formula, measured on an H200"
TENSOR_MEMORY = "PTX ISA 9.1, 9.7.16.1"
CAPABILITIES = "CUDA C++ Programming Guide, compute capabilities 9.0 and 10.0"


class OtherFinding(NamedTuple):
    """A finding that no rule object makes."""

    name: str
    severities: tuple[str, ...]
    doc: str
    source: str = ""


OTHER_FINDINGS = (
    OtherFinding(
        "no-reading-fits",
        (ERROR, NOTE),
        "Some kind fits the value. Where none does, it is shown as the nearest kind: with a note if few of the fixed "
        "bits are wrong, else with an error.",
    ),
    OtherFinding("several-readings", (NOTE,), "Only one kind fits the value. Where several do, all are shown."),
    OtherFinding("error-in-every-reading", (ERROR,), "Of several readings that fit, at least one has no error."),
    OtherFinding(
        "warning-in-every-reading",
        (WARNING,),
        "Of several readings that fit, at least one has neither an error nor a warning.",
    ),
    OtherFinding(
        "other-arch",
        (NOTE,),
        "Where no usual table fits a value, none of another architecture does.",
        "PTX ISA 9.4",
    ),
    OtherFinding("digits-without-prefix", (NOTE,), "Digits that may be decimal or hexadecimal have a prefix."),
    OtherFinding(
        "digit-count",
        (ERROR, WARNING),
        "A hexadecimal value has 16 digits, or 8, or fewer where leading zeros were left out. 15 and 7 digits are "
        "taken for a lost digit unless the value fits, or is an instruction descriptor or a mask as asked; an error "
        "where nothing fits.",
    ),
    OtherFinding(
        "other-reading",
        (ERROR, WARNING),
        "No slip of one bit, one digit or one word explains the value better: words in the wrong order, two digits "
        "swapped, a shift by 4, a digit lost or doubled. An error where nothing fits the value itself.",
    ),
    OtherFinding(
        "low-word-alone",
        (WARNING,),
        "32 bits that fit no instruction descriptor and no high word are not all of a 64-bit descriptor.",
    ),
    OtherFinding(
        "high-word",
        (NOTE,),
        "Eight digits that were asked to be a whole 64-bit descriptor are not a valid high word of one.",
    ),
    OtherFinding(
        "address-masked",
        (WARNING,),
        "An address or offset to encode has at most 18 bits; more is an error unless it is forced.",
        ENCODE,
    ),
    OtherFinding(
        "argument-range",
        (ERROR,),
        "Each argument of cuTensorMapEncodeTiled is in its range, strides are multiples of 16 bytes (explain -).",
        DRIVER,
    ),
    OtherFinding("cta-group", (ERROR,), "The cta_group of a tile is one that the kind has.", INSTRUCTIONS),
    OtherFinding(
        "no-instruction", (ERROR,), "Some instruction reads an operand of the shape of one MMA step.", INSTRUCTIONS
    ),
    OtherFinding(
        "tile-and-descriptor",
        (ERROR, NOTE),
        "A descriptor reads every element of its operand from where the tile in shared memory has it "
        "(mma --a-tile, --b-tile). A note where the instruction is so wrong that it cannot be compared with the tile.",
        TILE_SOURCE,
    ),
    OtherFinding(
        "tensor-memory-columns",
        (ERROR,),
        "D, A and the scale factors of a plan fit the 512 columns of a CTA's tensor memory (plan).",
        TENSOR_MEMORY,
    ),
    OtherFinding(
        "accumulator-registers",
        (ERROR,),
        "D of a wgmma plan fits the 65,536 registers of an SM (plan).",
        CAPABILITIES,
    ),
    OtherFinding("padding-not-zeroed", (ERROR,), "The mask of a convolution zeroes every column of padding.", PADDING),
    OtherFinding("data-zeroed", (ERROR,), "The mask of a convolution zeroes no column of data.", PADDING),
)
"""Findings about the value as a whole, a tile or a convolution, which ``decode``, ``encode``, ``mma``, ``plan``
and ``mask conv --expect`` make."""


class KindRule(NamedTuple):
    """What one rule demands of one kind or of several alike."""

    rule: Rule
    kinds: list[str]
    whole: bool
    """Whether it is applied only where type, major-ness and shape are known."""


def every_kind() -> list[Kind]:
    """Return the twelve kinds, in their order, and those of them that have another table on some architectures."""
    usual = [kind_of(each) for name in KINDS for each in ids(name)]
    return [*usual, *(each for kind in usual for each in kind.variants)]


@cache
def rules_of_kinds() -> dict[str, list[KindRule]]:
    """Return the rules of the kinds by name; those that say the same of several kinds are one entry."""
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


def rules_across_operands() -> dict[str, OperandRule]:
    """Return the rules across the operands of one instruction, by name."""
    return {rule.name: rule for rule in RULES}


@cache
def names() -> tuple[str, ...]:
    """Return the name of every finding, in alphabetical order."""
    return tuple(sorted({*rules_of_kinds(), *rules_across_operands(), *(other.name for other in OTHER_FINDINGS)}))


class Card(NamedTuple):
    """The reference card of one kind: its table and its rules."""

    kind: Kind
    arch: str | None = None
    """The architecture that was requested: it may have no such kind."""

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON, without the rules that compare with the tile around a descriptor."""
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
