"""The lines of a dump that set the bits which a finding is about."""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.instructions.mma import Judged
from smemdesc.rules.base import Finding
from smemdesc.scanning.model import Mma, Operand

MOST = 3
"""Lines that are named."""


_WHOLE = ("error-in-every-reading", "warning-in-every-reading")
"""Findings that name other fields in each reading."""


class Setter(NamedTuple):
    """A line that set such bits."""

    line: int
    text: str


def setters(mma: Mma, judged: Judged, operand: str | None, finding: Finding) -> tuple[Setter, ...]:
    """Return the lines that set the fields of a finding, in the order of the text; none where that is not known.

    A finding across operands is one of the instruction descriptor or of the mask, if its fields are theirs.
    """
    names = (operand,) if operand is not None else ("idesc", "mask")
    found: dict[int, str] = {}
    for name in names:
        given = getattr(mma, name)
        result = getattr(judged, name)
        if given is None or result is None:
            continue
        masks = result.candidates[0].kind.table.masks
        wanted = 0
        for key in finding.fields:
            wanted |= masks.get(key, 0)
        if finding.rule in _WHOLE:
            wanted = given.known
        found |= dict(of_bits(given, wanted))
    return tuple(Setter(line, found[line]) for line in sorted(found))


def of_bits(given: Operand, wanted: int) -> tuple[Setter, ...]:
    """Return the lines that set such bits of an operand, in the order of the text."""
    return tuple(sorted({Setter(each.line, each.text) for each in given.origins if each.mask & wanted}))


def said(lines: tuple[Setter, ...]) -> str:
    """Return ``line 204: UMOV UR7, 0x60004040``, several with commas between; empty where there is none."""
    text = ", ".join(f"{each.line}: {each.text}" for each in lines[:MOST])
    text = f"line {text}" if text else ""
    return text + (f" and {len(lines) - MOST} more" if len(lines) > MOST else "")
