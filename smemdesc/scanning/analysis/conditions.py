"""What a predicate tells of the numbers that were compared to make it.

``i + 1 == stages ? 0 : i + 1`` stays below ``stages`` because each of the two is taken only where the comparison has
one outcome. Independent of the instruction set: a front end says what an instruction compares.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.scanning.analysis.ir import SELECT, Node, inputs
from smemdesc.scanning.analysis.known import EXCHANGED, OPPOSITE, Value, compare, join, refined


class Condition(NamedTuple):
    """A predicate: whether ``x how y`` holds (:data:`smemdesc.scanning.analysis.known.EQ` and the others)."""

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
    below: object = None
    """Where x and y are themselves such upper words: the predicate that compared the lower ones."""

    @property
    def reads(self) -> tuple[object, ...]:
        """The registers and constants whose values :meth:`under` takes."""
        return (self.x, self.y) if self.high is None else (self.x, self.y, *self.high)

    def comparison_when(self, truth: bool) -> str | None:
        """Return which comparison of x and y holds where the predicate is ``truth``; None for none."""
        if truth != self.negated:
            return self.how
        return None if self.weak else OPPOSITE[self.how]

    @property
    def constants(self) -> list[int]:
        """The numbers that it compares with."""
        return [operand[0] for operand in (self.x, self.y) if operand.__class__ is tuple and operand[1]]

    def under(self, truth: bool, name: object, value: Value, compared: Sequence[Value], width: int = 0) -> Value | None:
        """Return the value of a register where the predicate is ``truth``; None where the predicate cannot be so.

        ``compared``: the values of :attr:`reads`. ``width``: its bits; 0: as many as were compared, if it was.
        """
        how = self.comparison_when(truth)
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


class Refined(NamedTuple):
    """A value where a predicate is known to hold (or not to) that compares it, or that selected it."""

    value: Any
    predicate: Any
    holds: bool

    @property
    def block(self) -> Any:
        """The block in which the value is made."""
        return self.value.block

    def __str__(self) -> str:
        return str(self.value)


class Vote(NamedTuple):
    """Whether a predicate holds (or, not ``holds``, does not) in one thread at least of a group: one name for all votes
    that must have the same outcome."""

    predicate: Any
    holds: bool
    group: Hashable
    """Where threads come together that are all active from there up to the vote."""


def bare(name: Any) -> Any:
    """Return the value itself of one of which more is known where a predicate holds."""
    while isinstance(name, Refined):
        name = name.value
    return name


class Branches:
    """What the branches of a function tell of where they lead (as in e-SSA): which predicates hold there.

    On a way from the predicate to a block that they all lead through it is the same one: what is written once, or in
    one instruction, is made anew before the branch is reached again.
    """

    def __init__(
        self,
        above: Mapping[int, int | None],
        before: Sequence[Sequence[int]],
        edge: Callable[[int, int], Mapping[Any, bool]],
        known: dict[int, Mapping[Any, bool]],
    ) -> None:
        """``above``: the block that dominates each directly; ``before``: those that lead to it.

        ``edge`` returns the predicates that hold (or not) where control goes from one block to another; ``known`` keeps
        what holds in blocks.
        """
        self._above = above
        self._before = before
        self.edge = edge
        self._holding = known

    def holding(self, block: int) -> Mapping[Any, bool]:
        """Return the predicates of which is known in a block whether they hold: by the nearest branches."""
        if block not in self._holding:
            predicates: dict[Any, bool] = {}
            here = block
            for _ in range(_STRAIGHT):
                above = self._above.get(here)
                if above is None:
                    break
                if list(self._before[here]) == [above] and above != here:
                    predicates = {**self.edge(above, here), **predicates}
                here = above
            self._holding[block] = predicates
        return self._holding[block]


Compared = Mapping[Any, Sequence[tuple[Any, bool]]]
"""Of each value the predicates that compare it, and whether they hold."""


def compared(predicates: Mapping[Any, bool], comparison: Callable[[Any], Condition | None]) -> Compared:
    """Return what the predicates compare that are ``held``, in their order."""
    comparisons: dict[Any, list[tuple[Any, bool]]] = {}
    for predicate, holds in predicates.items():
        condition = comparison(predicate)
        if condition is not None:
            for name in dict.fromkeys((bare(condition.x), bare(condition.y))):
                comparisons.setdefault(name, []).append((predicate, holds))
    return comparisons


def refine(value: Any, comparisons: Compared) -> Any:
    """Return a value as it is where predicates hold, or do not, that compare it: by the last of these."""
    if value.__class__ is not tuple:
        for outcome in comparisons.get(bare(value), ())[-_TOLD:]:
            value = Refined(value, *outcome)
    return value


_TOLD = 4
"""So many comparisons of one value are looked at."""
_STRAIGHT = 16
"""Blocks above one that are looked at for what holds in it."""


def choose(width: int) -> Node:
    """Return a selection: of three values the second where bit 0 of the first is 1, else the third.

    ``width``: bits of the result, 0 where they are not known.
    """
    chosen, a, b = inputs(3)
    return SELECT(a, b, chosen, None, None, None, width)


def select(condition: Condition, a: object, b: object, width: int = 0) -> Node:
    """Return what the values of a predicate, of ``a``, ``b`` and ``said.reads`` make of a selection; None for nothing:
    the predicate cannot be so.

    It is ``a`` where the predicate, of which ``said`` is what it tells, holds, else ``b``. ``width``: bits of the
    result, 0 where they are not known.
    """
    # Only which of them is compared matters, not what they are called.
    key_a, key_b = (
        "x" if bare(value) == bare(condition.x) else "y" if bare(value) == bare(condition.y) else "" for value in (a, b)
    )
    same = condition._replace(x="x", y="y", high=None if condition.high is None else ("", ""))
    chosen, *values = inputs(3 + len(condition.reads))
    return SELECT(*values[:2], chosen, *values[2:], same, key_a, key_b, width)
