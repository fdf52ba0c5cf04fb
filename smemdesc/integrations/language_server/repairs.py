"""The repair of a finding as a change of text: the constant that wrote the wrong bits, replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.reading.pasted import pasted_value
from smemdesc.reading.text import VALUE_BITS
from smemdesc.rules.findings import Finding
from smemdesc.scanning.model import ScannedOperand, TextValue

CONSTANT = re.compile(r"(?<![\w.%$])(?P<digits>0[xX][\da-fA-F]++|-?\d++)(?P<suffix>[uUlL]{0,3})(?![\w.])")
"""A constant in a line of code."""


def number_of_constant(found: re.Match[str]) -> int:
    """Return the number of a constant."""
    digits = found["digits"]
    return int(digits, 16 if digits[:2].lower() == "0x" else 10)


class TextChange(NamedTuple):
    """Some characters of a line, replaced; the line and the two columns count from 0."""

    place: tuple[int, int, int]
    text: str


class TextRepair(NamedTuple):
    """A repair that an editor can apply."""

    advice: str
    changes: tuple[TextChange, ...]

    @property
    def title(self) -> str:
        """The constants that it writes, and why."""
        return ": ".join(filter(None, (", ".join(change.text for change in self.changes), self.advice)))


def repairs_of_operand(lines: Sequence[str], operand: ScannedOperand, finding: Finding) -> Iterator[TextRepair]:
    """Yield the repairs of a finding about an operand whose bits constants in the text wrote."""
    for advice, repaired in _repaired(finding):
        changes = _changes(lines, operand, repaired)
        if changes:
            yield TextRepair(advice, changes)


def repairs_of_value(line: str, begin: int, value: TextValue, finding: Finding) -> Iterator[TextRepair]:
    """Yield the repairs of a finding about a number in other text, at a column of a line."""
    found = CONSTANT.match(line, begin)
    if found is None or number_of_constant(found) & ones(value.width) != value.bits:
        return
    for advice, repaired in _repaired(finding):
        if repaired[1] == ones(value.width):
            text = _like(found, repaired[0], value.width)
            yield TextRepair(advice, (TextChange((value.line - 1, *found.span()), text),))


def _repaired(finding: Finding) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each repair of a finding: why, and the value with its known bits."""
    either = [(finding.fix, finding.repaired), *((each.message, each.repaired) for each in finding.alternatives)]
    for advice, text in either:
        try:
            literal = pasted_value(text)
            yield advice, literal.at(literal.width or VALUE_BITS)
        except SmemdescError:
            continue  # there is none


def _changes(lines: Sequence[str], operand: ScannedOperand, repaired: tuple[int, int]) -> tuple[TextChange, ...]:
    """Return the changes of constants that give an operand these bits; empty if the text does not show all of them."""
    bits, known = repaired
    wrong = (operand.bits ^ bits) & known
    if known & ~operand.known:
        return ()
    changes: dict[int, TextChange] = {}
    for origin in operand.origins:
        mask = origin.mask & wrong
        if not mask or origin.line > len(lines):
            continue
        found = {
            (number, shift)
            for number in CONSTANT.finditer(lines[origin.line - 1])
            for shift in {0, origin.moved, VALUE_BITS // 2}
            if _holds(number_of_constant(number), shift, origin.mask, operand.bits)
        }
        if len({number.start() for number, _ in found}) != 1 or origin.line in changes:
            return ()
        number, shift = min(found, key=lambda pair: pair[1])
        width = VALUE_BITS // 2 if origin.mask >> shift <= ones(VALUE_BITS // 2) else VALUE_BITS
        text = _like(number, number_of_constant(number) & ones(width) ^ mask >> shift, width)
        changes[origin.line] = TextChange((origin.line - 1, *number.span()), text)
        wrong &= ~mask
    return () if wrong else tuple(changes.values())


def _holds(number: int, shift: int, mask: int, bits: int) -> bool:
    """Whether a constant, moved up, is what a line wrote of an operand."""
    return mask >> shift << shift == mask and (number << shift) & mask == bits & mask


def _like(number: re.Match[str], bits: int, width: int) -> str:
    """Return bits in the notation of a constant."""
    if number["digits"][:2] in ("0x", "0X"):
        return f"{bits:#0{len(number['digits'])}x}{number['suffix']}"
    signed = bits - (1 << width) if number["digits"][0] == "-" and bits >> width - 1 else bits
    return f"{signed}{number['suffix']}"
