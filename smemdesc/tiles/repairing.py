"""The descriptor that reads a matrix where memory holds it."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.layout.descriptor import fields_of
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import Recognition
from smemdesc.rules.base import NOTE, Finding


class Repair(NamedTuple):
    """A descriptor, and what the rules say of the instruction that would read it."""

    kind: Kind
    value: int
    findings: tuple[Finding, ...]
    """Errors and warnings."""


def repaired(found: Recognition, kind: str, said: int | None = None) -> Repair | None:
    """Return the descriptor of the layout that was recognized, or None where none was, or the kind has not its mode.

    ``said`` is the descriptor that was asked about: fields that are right stay as they are, and unused bits, too.
    """
    if found.best is None:
        return None
    return described(found.best, kind_of(kind), said)


def described(operand: Operand, kind: Kind, said: int | None = None) -> Repair | None:
    """Return the descriptor of an operand; None where the kind has not its mode, or it is too large."""
    context = Context(dtype=operand.dtype, major=operand.major, shape=operand.shape)
    base = (said, kind.table.full) if said is not None else None
    try:
        made = build(kind, fields_of(operand), base=base, context=context, force=True)
    except SmemdescError:  # 128B_32B of wgmma
        return None
    findings = tuple(each for each in made.findings if each.severity != NOTE)
    return Repair(kind, made.value, findings)
