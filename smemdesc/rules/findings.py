"""What is wrong with a value, or worth knowing: the findings of rules, and their severities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from smemdesc.engine.display import shown
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.addresses import START
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
        if self.field == START:
            return f"write start 0x{self.value:05x}"
        return f"write {name} {self.value}"


class Alternative(NamedTuple):
    """One of several ways in which a value may have gone wrong: none of them is likelier than the others."""

    cause: str
    """The rule that has the mistake's name."""
    message: str
    """What went wrong, if it was this."""
    repair: tuple[Repair, ...]
    repaired: str
    """The whole constant, as of a :class:`Finding`."""

    def __str__(self) -> str:
        if not self.repair:
            return self.message
        return ": ".join(filter(None, (self.repaired, f"{self.message} ({repair_text(self.repair)})")))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        out: dict[str, Any] = {"cause": self.cause, "message": self.message}
        if self.repair:
            out["repair"] = {each.field: each.value for each in self.repair}
        return out | ({"repaired": self.repaired} if self.repaired else {})


def repair_text(repairs: Iterable[Repair]) -> str:
    """Return what to do for several fields: ``write LBO 128 B (encoded 8), SBO 1024 B (encoded 64)``."""
    texts: list[str] = []
    for repair in repairs:
        text = str(repair)
        texts.append(text.removeprefix("write ") if texts and texts[-1] and text.startswith("write ") else text)
    return ", ".join(texts)


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
    repair: tuple[Repair, ...] = ()
    """The wrong fields and their right values, if these are unique."""
    next: str = ""
    """The option to give so that more can be checked, or empty. It changes no bit of the descriptor."""
    because: str = ""
    """The rule of the finding that it follows from, or empty. Then it has no repair; the cause has."""
    operand: str | None = None
    """The operand that a finding across operands is about, if there is only one."""
    repaired: str = ""
    """The whole value of the operand, of the same kind, with ``repair``, or empty; ``?`` for digits that are not
    known."""
    alternatives: tuple[Alternative, ...] = ()
    """What may have gone wrong, where several mistakes explain it equally well. Then there is no repair."""

    @property
    def rank(self) -> int:
        """Its severity as a number: 0 for an error."""
        return RANK[self.severity]

    @property
    def advice(self) -> list[tuple[str, str]]:
        """What is printed with the message, each with a label."""
        if self.because:
            return [("follows from", self.because)]
        fix = ": ".join(filter(None, (self.repaired, self.fix)))
        first = "either" if len(self.alternatives) > 1 else "perhaps"
        either = [("or" if place else first, str(each)) for place, each in enumerate(self.alternatives)]
        every = ("probably", self.likely), ("fix", fix), *either, ("next", self.next)
        return [(label, text) for label, text in every if text]

    @property
    def without_advice(self) -> Finding:
        """The finding; if it follows from another, only that one says what to do."""
        return self._replace(likely="", fix="", repair=()) if self.because else self

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
        if self.likely and not self.because:
            out["likely"] = self.likely
        if self.fix and not self.because:
            out["fix"] = self.fix
        if self.repair and not self.because:
            out["repair"] = {each.field: each.value for each in self.repair}
        if self.repaired:
            out["repaired"] = self.repaired
        if self.alternatives:
            out["alternatives"] = [each.to_dict() for each in self.alternatives]
        if self.next:
            out["next"] = self.next
        if self.because:
            out["because"] = self.because
        return out | {"source": self.source}
