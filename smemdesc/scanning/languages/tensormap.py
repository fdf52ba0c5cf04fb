"""A change of a tensor map whose value is still to be found, for all languages."""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.model import MapChange, ScannedOperand


class MapOperand(NamedTuple):
    """A change of a map, and the register with the new value, or its bits."""

    change: MapChange
    """Without its line."""
    value: Any
    width: int = WORD
    """Bits of the value."""

    def known(self, line: int, operand: ScannedOperand | None) -> MapChange:
        """Return the change in a line with its value, given what is known of the operand."""
        change, whole = self.change._replace(line=line), ones(self.width)
        known = operand is not None and operand.known & whole == whole and not change.reads
        return change._replace(value=operand.bits & whole) if operand is not None and known else change
