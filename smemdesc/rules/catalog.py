"""Every name that a finding can have: rules of the kinds, rules across operands, and findings without a rule."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from smemdesc.kinds.addresses import ENCODE
from smemdesc.kinds.idesc import DENSE
from smemdesc.kinds.instruction import SOURCE as INSTRUCTIONS
from smemdesc.kinds.kind import Kind, ids, kind_of
from smemdesc.kinds.names import KINDS
from smemdesc.kinds.tensormap import DRIVER
from smemdesc.rules.base import ERROR, NOTE, WARNING, Rule
from smemdesc.rules.judging import rules_for
from smemdesc.rules.operands import RULES, OperandRule

PADDING = "the padding of the convolution"
TILE_SOURCE = "CUTLASS make_gmma_desc, make_umma_desc; the address formula, measured on an H200"
MAP_SOURCE = "CUDA Driver API, cuTensorMapEncodeTiled; the result of copies in shared memory, measured on an H100"
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
        "Some kind fits the value. If none does, it is shown as the nearest kind: with a note if few of the fixed "
        "bits are wrong, else with an error.",
    ),
    OtherFinding("several-readings", (NOTE,), "Only one kind fits the value. If several do, all are shown."),
    OtherFinding("error-in-every-reading", (ERROR,), "Of several readings that fit, at least one has no error."),
    OtherFinding(
        "warning-in-every-reading",
        (WARNING,),
        "Of several readings that fit, at least one has neither an error nor a warning.",
    ),
    OtherFinding(
        "other-arch",
        (NOTE,),
        "If no common table fits a value, no table of another architecture does.",
        "PTX ISA 9.4",
    ),
    OtherFinding(
        "other-mma-kind",
        (NOTE,),
        "If only one MMA kind fits an instruction descriptor, no other would fit but for the type of D.",
        DENSE,
    ),
    OtherFinding(
        "digits-without-prefix",
        (ERROR, NOTE),
        "Digits that could be decimal or hexadecimal have a prefix. An error if they are sound only in the base in "
        "which they were not read.",
    ),
    OtherFinding("text-not-read", (NOTE,), "Every number and word around a pasted value is a part of it."),
    OtherFinding(
        "digit-count",
        (ERROR, WARNING),
        "A hexadecimal value has 16 digits, or 8, or fewer where leading zeros were left out. 15 or 7 digits count "
        "as a lost digit unless the value fits, or --kind names an instruction descriptor or a mask; an error if "
        "nothing fits.",
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
        "32 bits that fit neither an instruction descriptor nor a high word are only half of a 64-bit descriptor.",
    ),
    OtherFinding(
        "high-word",
        (NOTE,),
        "Eight digits that --kind reads as a whole 64-bit descriptor are not a valid high word of one.",
    ),
    OtherFinding(
        "address-masked",
        (WARNING,),
        "An address or offset to encode has at most 18 bits; more is an error without --force.",
        ENCODE,
    ),
    OtherFinding(
        "argument-range",
        (ERROR,),
        "Each argument of cuTensorMapEncodeTiled is in its range, strides are multiples of 16 bytes (explain -).",
        DRIVER,
    ),
    OtherFinding("cta-group", (ERROR,), "The kind has the cta_group of the tile.", INSTRUCTIONS),
    OtherFinding(
        "no-instruction", (ERROR,), "An instruction exists that reads an operand of one MMA step.", INSTRUCTIONS
    ),
    OtherFinding(
        "tile-and-descriptor",
        (ERROR, NOTE),
        "A descriptor reads every element of its operand at the address that it has in the shared-memory tile "
        "(mma --a-tile, --b-tile). A note if the instruction is too wrong to compare with the tile.",
        TILE_SOURCE,
    ),
    OtherFinding(
        "map-swizzle",
        (ERROR,),
        "A descriptor has the same swizzle mode as the tensor map that writes its tile; their codes differ. "
        "Checked by decode --map, mma --a-map and --b-map, as are all rules map-*.",
        MAP_SOURCE,
    ),
    OtherFinding(
        "map-type",
        (ERROR, WARNING, NOTE),
        "The type of a tensor map is that of the operand. A warning if only the format differs, a note if the map "
        "copies integers of another size, which can be any bits.",
        MAP_SOURCE,
    ),
    OtherFinding(
        "map-line",
        (ERROR, NOTE),
        "A line of the box is as wide as the swizzle (16 bytes without one), or contains all that the operand reads "
        "of it. A note if it is narrower but the operand is still written.",
        MAP_SOURCE,
    ),
    OtherFinding(
        "map-strides", (ERROR,), "LBO and SBO, if they are used, are those that copies of the box need.", MAP_SOURCE
    ),
    OtherFinding(
        "map-start",
        (ERROR,),
        "An operand starts where copies of the box contain all of it, and its base offset is 0.",
        MAP_SOURCE,
    ),
    OtherFinding("map-major", (ERROR,), "The strides are for copies with the major-ness of the operand.", MAP_SOURCE),
    OtherFinding("map-tile", (ERROR,), "The tile is a whole number of boxes (decode --map --tile).", MAP_SOURCE),
    OtherFinding(
        "map-interleave",
        (WARNING,),
        "The tensor map has no interleave: what it writes with one is unknown.",
        MAP_SOURCE,
    ),
    OtherFinding(
        "tensor-memory-columns",
        (ERROR,),
        "D, A and the scale factors of a plan fit the 512 columns of a CTA's tensor memory (plan).",
        TENSOR_MEMORY,
    ),
    OtherFinding(
        "accumulator-registers",
        (ERROR, WARNING),
        "D of a wgmma plan leaves some of the 65,536 registers of an SM for everything else (plan).",
        CAPABILITIES,
    ),
    OtherFinding("padding-not-zeroed", (ERROR,), "The mask of a convolution zeroes every column of padding.", PADDING),
    OtherFinding("data-zeroed", (ERROR,), "The mask of a convolution zeroes no column of data.", PADDING),
)
"""Findings about the value as a whole, a tile or a convolution, which ``decode``, ``encode``, ``mma``, ``plan``
and ``mask conv --expect`` make."""


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


def rules_across_operands() -> dict[str, OperandRule]:
    """Return the rules across the operands of one instruction, by name."""
    return {rule.name: rule for rule in RULES}


@cache
def names() -> tuple[str, ...]:
    """Return the name of every finding, in alphabetical order."""
    return tuple(sorted({*rules_of_kinds(), *rules_across_operands(), *(finding.name for finding in OTHER_FINDINGS)}))


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
