"""What is wrong with a value, or worth knowing: the findings of rules, and their severities."""

from __future__ import annotations

from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.fields import Scalar
from smemdesc.layout.strides import NICK, UNIT

ERROR, WARNING, NOTE = "error", "warning", "note"
RANK = {ERROR: 0, WARNING: 1, NOTE: 2}
"""The severities, worst first: the order in which findings are printed."""


class Repair(NamedTuple):
    """A field and its right value (decoded, as in ``encode``)."""

    field: str
    value: Scalar

    def __str__(self) -> str:
        name = NICK.get(self.field, self.field)
        if isinstance(self.value, bool):
            return f"{'set' if self.value else 'clear'} {name}"
        if self.field in NICK:
            return f"write {name} {self.value} B (encoded {int(self.value) // UNIT})"
        return f"write {name} {self.value}"


@shown()
class Finding(NamedTuple):
    """One problem or remark of a rule about a descriptor."""

    severity: str
    rule: str
    fields: tuple[str, ...]
    message: str
    """What is wrong."""
    likely: str = ""
    """What it probably means, or empty."""
    fix: str = ""
    """What to do, or empty."""
    source: str = ""
    repair: Repair | None = None
    """The wrong field and its right value, if that is unique."""
    next: str = ""
    """The option to give so that more can be checked, or empty. It changes no bit of the descriptor."""
    because: str = ""
    """The rule of the finding that it follows from, or empty. Then it has no repair; the cause has."""
    operand: str | None = None
    """The operand that a finding across operands is about, if there is only one."""

    @property
    def rank(self) -> int:
        """Its severity as a number: 0 for an error."""
        return RANK[self.severity]

    @property
    def advice(self) -> list[tuple[str, str]]:
        """What is printed with the message, each with a label."""
        every = ("probably", self.likely), ("fix", self.fix), ("next", self.next), ("follows from", self.because)
        return [(label, text) for label, text in every if text]

    def __str__(self) -> str:
        return f"{self.severity} {self.rule}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; the optional parts only if they are set."""
        out: dict[str, Any] = {
            "severity": self.severity,
            "rule": self.rule,
            "fields": list(self.fields),
            "message": self.message,
        }
        if self.likely:
            out["likely"] = self.likely
        if self.fix:
            out["fix"] = self.fix
        if self.repair:
            out["repair"] = {self.repair.field: self.repair.value}
        if self.next:
            out["next"] = self.next
        if self.because:
            out["because"] = self.because
        return out | {"source": self.source}
