"""What a predicate implies for the numbers whose comparison it is.

``i + 1 == stages ? 0 : i + 1`` stays below ``stages`` because each of the two is taken only where the comparison has
one outcome. Independent of the instruction set: a front end provides what an instruction compares.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from smemdesc.engine.known import EXCHANGED, OPPOSITE, Value, compare_values, join, refined
from smemdesc.scanning.analysis.ir import SELECT, Node, inputs


class Condition(NamedTuple):
    """A predicate: whether ``x how y`` holds (:data:`smemdesc.engine.known.EQ` and the others)."""

    how: str
    x: object
    """A register, or a constant."""
    y: object
    width: int
    """Bits of the numbers."""
    signed: bool = False
    weak: bool = False
    """Whether the predicate needs more than the comparison to hold: a false predicate then implies nothing."""
    negated: bool = False
    """Whether the predicate is the negation of all that."""
    high: tuple[object, object] | None = None
    """The upper words of x and y, where they are the lower ones of numbers of twice ``width`` bits."""
    below: object = None
    """If x and y are themselves upper words: the predicate that compared the lower words."""

    @property
    def reads(self) -> tuple[object, ...]:
        """The registers and constants whose values are passed to :meth:`under`."""
        return (self.x, self.y) if self.high is None else (self.x, self.y, *self.high)

    def comparison_when(self, truth: bool) -> str | None:
        """Return which comparison of x and y holds if the predicate is ``truth``; None if none does."""
        if truth != self.negated:
            return self.how
        return None if self.weak else OPPOSITE[self.how]

    @property
    def constants(self) -> list[int]:
        """The numbers that it compares with."""
        return [operand[0] for operand in (self.x, self.y) if operand.__class__ is tuple and operand[1]]

    def under(self, truth: bool, name: object, value: Value, compared: Sequence[Value], width: int = 0) -> Value | None:
        """Return the value of a register if the predicate is ``truth``; None if the predicate cannot have that value.

        ``compared``: the values of :attr:`reads`. ``width``: bits of the register; 0: as many as the comparison has.
        """
        how = self.comparison_when(truth)
        if how is None:
            return value
        x, y, *high = compared
        if high:
            x, y = join(x, high[0], self.width), join(y, high[1], self.width)
            return None if compare_values(how, x, y, 2 * self.width, self.signed) is False else value
        if compare_values(how, x, y, self.width, self.signed) is False:
            return None
        if name is None or width not in (0, self.width):
            return value
        if name == self.x:
            return refined(how, value, y, self.width, self.signed)
        if name == self.y:
            return refined(EXCHANGED[how], value, x, self.width, self.signed)
        return value


class Refined(NamedTuple):
    """A value at a place where a predicate that compares or selects it is known to hold, or not to."""

    value: Any
    predicate: Any
    holds: bool

    @property
    def block(self) -> Any:
        """The block in which the value is defined."""
        return self.value.block

    def __str__(self) -> str:
        return str(self.value)


class Vote(NamedTuple):
    """Whether a predicate holds (or, if not ``holds``, does not) in at least one thread of a group: one name for all
    votes that must have the same outcome."""

    predicate: Any
    holds: bool
    group: Hashable
    """Where threads reconverge that are all active from there up to the vote."""


def unrefined(name: Any) -> Any:
    """Return a value without the predicates by which it is refined."""
    while isinstance(name, Refined):
        name = name.value
    return name


Edge = Callable[[int, int], Mapping[Any, bool]]
"""Returns the predicates that hold (or not) when control goes from one block to another."""


def holding(
    block: int, above: Mapping[int, int | None], before: Sequence[Sequence[int]], edge: Edge
) -> Mapping[Any, bool]:
    """Return the predicates whose outcome is known in a block, from the nearest branches above it (as in e-SSA).

    A predicate is the same one on every path from its definition to a block that it dominates: it is defined anew
    before the branch is reached again. ``above``: the immediate dominator of each block; ``before``: its predecessors.
    """
    predicates: Mapping[Any, bool] = {}
    for _ in range(_STRAIGHT):
        dominator = above.get(block)
        if dominator is None:
            break
        if before[block] == [dominator] and dominator != block:
            predicates = {**edge(dominator, block), **predicates}
        block = dominator
    return predicates


Compared = Mapping[Any, Sequence[tuple[Any, bool]]]
"""For each value the predicates that compare it, and whether they hold."""


def known_comparisons(predicates: Mapping[Any, bool], comparison: Callable[[Any], Condition | None]) -> Compared:
    """Return what ``predicates`` with a known outcome compare, in their order."""
    comparisons: dict[Any, list[tuple[Any, bool]]] = {}
    for predicate, holds in predicates.items():
        condition = comparison(predicate)
        if condition is not None:
            for name in dict.fromkeys((unrefined(condition.x), unrefined(condition.y))):
                comparisons.setdefault(name, []).append((predicate, holds))
    return comparisons


def refine(value: Any, comparisons: Compared) -> Any:
    """Return a value refined by the last of the predicates that compare it and whose outcome is known."""
    if value.__class__ is not tuple:
        for outcome in comparisons.get(unrefined(value), ())[-_TOLD:]:
            value = Refined(value, *outcome)
    return value


_TOLD = 4
"""How many comparisons of one value are looked at."""
_STRAIGHT = 16
"""How many dominators of a block are looked at for what holds in it."""


def choose(width: int) -> Node:
    """Return a selection of three values: the second if bit 0 of the first is 1, else the third.

    ``width``: bits of the result, 0 where they are not known.
    """
    chosen, a, b = inputs(3)
    return SELECT(a, b, chosen, None, None, None, width)


def selection(condition: Condition, a: object, b: object, width: int = 0) -> Node:
    """Return a selection as an operation on the values of a predicate, ``a``, ``b`` and ``condition.reads``; its result
    is None if the predicate cannot have that value.

    The result is ``a`` if the predicate, whose meaning is ``condition``, holds, else ``b``. ``width``: bits of the
    result, 0 if unknown.
    """
    # Only which of them is compared matters, not their names.
    key_a, key_b = (
        "x" if unrefined(value) == unrefined(condition.x) else "y" if unrefined(value) == unrefined(condition.y) else ""
        for value in (a, b)
    )
    same = condition._replace(x="x", y="y", high=None if condition.high is None else ("", ""))
    chosen, *values = inputs(3 + len(condition.reads))
    return SELECT(*values[:2], chosen, *values[2:], same, key_a, key_b, width)
