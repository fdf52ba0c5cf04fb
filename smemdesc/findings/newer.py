"""What a value needs that only the tables of a newer architecture take."""

from __future__ import annotations

from smemdesc.findings.base import NOTE, WARNING, Finding
from smemdesc.findings.rows import place, verb
from smemdesc.kinds import Kind
from smemdesc.kinds.archs import VARIANTS

RULE = "needs-arch"


def needs(kind: Kind, bits: int, known: int) -> tuple[Finding, ...]:
    """Return the finding about a value that was read as a kind of newer architectures alone, though none was given."""
    if not kind.newer:
        return ()
    archs = " and ".join(kind.archs)
    fix = f"give --arch {kind.archs[0]} if it is meant"
    if not kind.variant:
        said = f"{kind.id.partition(':')[2]} exists on {archs} only"
        return (Finding(NOTE, RULE, (), f"kind::{said}", "", fix, kind.arch_source),)
    usual = kind.usual.table
    odd = list(usual.misfits(bits, known))
    mask = sum(usual.masks[each.field.key] for each in odd)
    fields = tuple(row.key for row in kind.table.rows if kind.table.masks[row.key] & mask and not row.constant)
    said = ", ".join(f"{place(each.field)} {verb(each.field)} 0b{each.binary()}" for each in odd)
    message = f"{said}: legal on {archs} only" if said else f"legal on {archs} only"
    likely = "; or ".join(dict.fromkeys(each.field.hint for each in odd if each.field.hint))
    return (Finding(WARNING, RULE, fields, message, likely, fix, VARIANTS[kind.variant].source),)
