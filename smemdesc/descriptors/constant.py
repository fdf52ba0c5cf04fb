"""What ``encode`` returns: the number, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smemdesc.descriptors.encoding import Encoded
from smemdesc.engine.display import Immutable, shown
from smemdesc.engine.fields import FieldReading
from smemdesc.kinds.context import NOTHING, Context
from smemdesc.kinds.kind import Kind
from smemdesc.reading.text import VALUE_BITS, to_hex
from smemdesc.rules.base import Finding, fails

if TYPE_CHECKING:
    from collections.abc import Mapping

    from smemdesc.descriptors.result import Result


def _hex(constant: Constant) -> str:
    return constant.hex


@shown(line=_hex)
class Constant(int, Immutable):
    """A packed descriptor: an ``int`` with its kind and its findings. Unknown bits are 0.

    It computes, compares and prints as the number; ``repr`` is hexadecimal of the full width.
    """

    kind: Kind
    value: int
    known: int
    """The mask of known bits: all, unless it was made from a value with unknown ones."""
    findings: tuple[Finding, ...]
    """What is wrong with it, worst first; an error only if it was forced."""
    context: Context
    remark: str
    """What is odd about how it was made, or empty."""

    def __new__(cls, encoded: Encoded, context: Context = NOTHING, remark: str = "") -> Constant:
        constant = super().__new__(cls, encoded.value)
        vars(constant).update(encoded._asdict(), context=context, remark=remark)
        return constant

    def __reduce__(self) -> tuple[object, ...]:
        return _remade, (int(self), vars(self))

    def __str__(self) -> str:
        return int.__repr__(self)

    @property
    def ok(self) -> bool:
        """Whether no error was found."""
        return not fails(self.findings)

    @property
    def hex(self) -> str:
        """The value in hexadecimal, ``?`` for digits that are not known; a tensor map as its bytes lie in memory."""
        width = self.kind.table.width
        text = to_hex(self, self.known, width)
        return text.removeprefix("0x") if width > VALUE_BITS else text

    @property
    def decoded(self) -> Result:
        """The value decoded again, as its kind."""
        from smemdesc.descriptors.decoding import decode_value

        return decode_value(self.hex, self.kind.name, self.kind.mma_kind, context=self.context)

    @property
    def fields(self) -> Mapping[str, FieldReading]:
        """Its fields."""
        return self.kind.table.read(self, self.known)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, the same as ``decode``'s."""
        return self.decoded.to_dict()


def _remade(value: int, parts: dict[str, object]) -> Constant:
    constant = int.__new__(Constant, value)
    vars(constant).update(parts)
    return constant
