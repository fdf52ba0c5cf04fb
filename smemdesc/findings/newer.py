"""What a value needs that only the tables of a newer architecture take."""

from __future__ import annotations

from collections.abc import Mapping

from smemdesc.fields import Fixed, Reading
from smemdesc.findings.base import ERROR, WARNING, Finding
from smemdesc.findings.judging import judge
from smemdesc.findings.rows import place, verb
from smemdesc.kinds import Kind
from smemdesc.kinds.archs import VARIANTS

RULE = "needs-arch"


def needs(kind: Kind, bits: int, known: int) -> tuple[Finding, ...]:
    """Return the finding about a value that was read as a kind of newer architectures alone, though none was given."""
    if not kind.newer:
        return ()
    archs = " and ".join(kind.archs)
    fix = f"say with --arch which it is for, as in --arch {kind.archs[0]}"
    if not kind.variant:
        message = f"kind::{kind.mma_kind} exists on {archs} only: no other MMA kind has these codes"
        return (Finding(WARNING, RULE, (), message, fix=fix, source=kind.arch_source),)
    usual = kind.usual.table
    odd = list(usual.misfits(bits, known))
    mask = sum(usual.masks[each.field.key] for each in odd) & bits
    fields = tuple(row.key for row in kind.table.rows if kind.table.masks[row.key] & mask and not row.constant)
    said = ", ".join(f"{place(each.field)} {verb(each.field)} 0b{each.binary()}" for each in odd)
    there = ", ".join(_value(kind, key, kind.table.read(bits, known)) for key in fields)
    wrong = any(each.severity == ERROR for each in judge(kind.usual, usual.read(bits, known)))
    message = f"{said}: {there} on {archs}, and {'an error' if wrong else 'reserved'} on every other architecture"
    # A constant's hint is about what else is in it than the one bit that another table reads.
    hints = dict.fromkeys(each.field.hint for each in odd if not isinstance(each.field.codec, Fixed))
    said = "; or ".join(each for each in hints if each)
    likely = f"if it is not for {kind.variant}: {said}" if said else ""
    return (Finding(WARNING, RULE, fields, message, likely, fix, VARIANTS[kind.variant].source),)


def _value(kind: Kind, key: str, read: Mapping[str, Reading]) -> str:
    """Say a field, or the one that it is the upper bits of."""
    whole = next((row.key for row in kind.table.rows if getattr(row.codec, "upper", "") == key), key)
    unit = getattr(read[whole].field.codec, "unit", "")
    return f"{whole} {read[whole].value}{' ' + unit if unit else ''}"
