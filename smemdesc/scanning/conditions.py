"""What a predicate tells of the numbers that were compared to make it.

``i + 1 == stages ? 0 : i + 1`` stays below ``stages`` because each of the two is taken only where the comparison has
one outcome. None of this knows an instruction set: a front end finds the comparison behind a predicate, and that
nothing has changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from smemdesc.scanning.flow import Step
from smemdesc.scanning.ir import SELECT, Node, inputs
from smemdesc.scanning.known import BIT, join
from smemdesc.scanning.ranges import EXCHANGED, OPPOSITE, Value, compare, refined


class Condition(NamedTuple):
    """A predicate: whether ``x how y`` holds (:data:`smemdesc.scanning.ranges.EQ` and the others)."""

    how: str
    x: object
    """A register, or a constant."""
    y: object
    width: int
    """Bits of the numbers."""
    signed: bool = False
    weak: bool = False
    """Whether more than the comparison must hold for the predicate: where it does not hold that tells nothing."""
    negated: bool = False
    """Whether the predicate holds where all that does not."""
    high: tuple[object, object] | None = None
    """The upper words of x and y, where they are the lower ones of numbers of twice ``width`` bits."""

    @property
    def reads(self) -> tuple[object, ...]:
        """The registers and constants whose values :meth:`under` takes."""
        return (self.x, self.y) if self.high is None else (self.x, self.y, *self.high)

    def told(self, truth: bool) -> str | None:
        """Return which comparison of x and y holds where the predicate is ``truth``; None for none."""
        if truth != self.negated:
            return self.how
        return None if self.weak else OPPOSITE[self.how]

    @property
    def constants(self) -> list[int]:
        """The numbers that it compares with."""
        return [each[0] for each in (self.x, self.y) if isinstance(each, tuple) and each[1]]

    def under(self, truth: bool, name: object, value: Value, compared: Sequence[Value], width: int = 0) -> Value | None:
        """Return the value of a register where the predicate is ``truth``; None where the predicate cannot be so.

        ``compared``: the values of :attr:`reads`. ``width``: its bits; 0: as many as were compared, if it was.
        """
        how = self.told(truth)
        if how is None:
            return value
        x, y, *high = compared
        if high:
            x, y = join(x, high[0], self.width), join(y, high[1], self.width)
            return None if compare(how, x, y, 2 * self.width, self.signed) is False else value
        if compare(how, x, y, self.width, self.signed) is False:
            return None
        if name is None or width not in (0, self.width):
            return value
        if name == self.x:
            return refined(how, value, y, self.width, self.signed)
        if name == self.y:
            return refined(EXCHANGED[how], value, x, self.width, self.signed)
        return value


class Holds(NamedTuple):
    """A predicate of which only its own value is known."""

    register: object
    """The register that holds it."""
    negated: bool = False

    @property
    def reads(self) -> tuple[object, ...]:
        """The register."""
        return (self.register,)

    @property
    def constants(self) -> list[int]:
        """None: nothing is compared."""
        return []

    def under(self, truth: bool, name: object, value: Value, compared: Sequence[Value], width: int = 0) -> Value | None:
        """Return ``value`` where the predicate may be ``truth``, else None."""
        (held,) = compared
        return None if held[1] & BIT and bool(held[0] & BIT) != (truth != self.negated) else value


def select(said: Condition | Holds, a: object, b: object, width: int = 0) -> Node:
    """Return what the values of ``a``, ``b`` (registers or constants) and ``said.reads`` make of a selection.

    It is ``a`` where the predicate holds, else ``b``. ``width``: bits of the result, 0 where they are not known.
    """
    return SELECT(*inputs(2 + len(said.reads)), *_choice(said, a, b), width)


def _choice(said: Condition | Holds, a: object, b: object) -> tuple[Condition | Holds, str | None, str | None]:
    if isinstance(said, Holds):
        return said._replace(register=None), None, None
    # Only which of them is compared matters, not what they are called.
    first, second = (
        None if each is None else "x" if each == said.x else "y" if each == said.y else "" for each in (a, b)
    )
    same = said._replace(x="x", y="y", high=None if said.high is None else ("", ""))
    return same, first, second


def guarded(
    at: int,
    writes: tuple[Any, ...],
    reads: tuple[Any, ...],
    transfer: Callable[..., Any],
    said: Condition | Holds,
    width: int,
    deciding: tuple[int, ...] = (),
) -> Step:
    """Return the step of an instruction with one result that is executed only where a predicate holds.

    ``width``: bits of the result, 0 where they are not known; ``deciding``: which of ``reads`` only decide already.
    """
    count = len(reads)
    whole = (*reads, writes[0], *said.reads)
    made = SELECT(transfer, *inputs(len(whole), count), *_choice(said, None, writes[0]), width)
    return Step(at, writes, whole, made, deciding=(*deciding, *range(count + 1, len(whole))), old=count)


def unguarded(transfer: Any) -> Any:
    """Return what a step of :func:`guarded` does where the instruction is carried out."""
    new = transfer.operands[0]
    return new if isinstance(new, Node) else None
