"""Remainders of unsigned numbers by a constant, which compilers compute by multiplications.

``floor(v * times / 2**down)`` is ``floor(v / d)`` for all ``0 <= v <= most`` if ``e = times * d - 2**down`` is not
negative and ``e * most < 2**down``: with ``v = q * d + r``, it is ``q + (r + v * e / 2**down) / d``, and ``r + 1 <= d``
(Granlund and Montgomery 1994). What is left of v if d times that is subtracted is less than d.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import WORD, ones
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.ir import Node


class Ratio(NamedTuple):
    """``floor(floor(x / by) * times / 2**down)``, where x is at most ``most``."""

    x: Any
    most: int
    by: int = 1
    times: int = 1
    down: int = 0

    @property
    def largest(self) -> int:
        """The most that it may be."""
        return self.most // self.by * self.times >> self.down

    @property
    def is_quotient(self) -> bool:
        """Whether it is ``floor(x / by)``."""
        return (self.times, self.down) == (1, 0)

    def shifted(self, down: int) -> Ratio:
        """Return it, shifted right; as a quotient if it is one."""
        power = 1 << self.down + down
        by = -(-power // self.times)
        if (self.times * by - power) * (self.most // self.by) < power:
            return Ratio(self.x, self.most, self.by * by)
        return self._replace(down=self.down + down)


class Half(NamedTuple):
    """``floor((floor(x / by) - part) / 2)``, where ``part`` is a part of ``floor(x / by)``: the sum of it and the part
    is a product with a number of one bit more than a register has."""

    part: Ratio


Term = Ratio | Half | None


class Sum(NamedTuple):
    """Terms times numbers, and (None) a number, modulo ``2**width``."""

    terms: Mapping[Term, int]
    width: int
    loose: bool = False
    """Whether the value may have more bits than the width, of which nothing is known."""

    @property
    def number(self) -> int | None:
        """Its value if it is a constant, else None."""
        return None if self.terms.keys() - {None} else self.terms.get(None, 0)

    @property
    def ratio(self) -> Ratio | None:
        """Its ratio if it is one, else None."""
        if len(self.terms) != 1 or self.loose:
            return None
        ((term, times),) = self.terms.items()
        if not isinstance(term, Ratio) or times * term.largest > ones(self.width):
            return None
        return term if times == 1 else None if term.down else term._replace(times=term.times * times)

    @property
    def part(self) -> Ratio | None:
        """The part that is subtracted from the quotient that it is a part of; None if this is no such difference."""
        both = [term for term in self.terms if isinstance(term, Ratio)]
        if len(both) != 2 or len(self.terms) != 2 or self.loose:
            return None
        part, whole = sorted(both, key=lambda term: term.is_quotient)
        lower = whole == Ratio(part.x, part.most, part.by) and part.times < 1 << part.down
        return part if lower and (self.terms[whole], self.terms[part]) == (1, ones(self.width)) else None

    @property
    def is_part(self) -> bool:
        """Whether it is a multiple of a part of a number, or the number."""
        ((term, times),) = self.terms.items() if len(self.terms) == 1 else ((None, 0),)
        return term is not None and (times == 1 or isinstance(term, Half) or term != Ratio(*term[:2]))

    def at(self, width: int) -> Sum | None:
        """Return its low bits; None if it has fewer, and may be a sum that wrapped around."""
        if width > self.width and (self.loose or (self.number is None and self.ratio is None)):
            return None
        return summed([(1, self)], width)

    def shifted(self, down: int) -> Sum | None:
        """Return it, shifted right; None if the result is no sum."""
        if self.loose or not down:
            return None if self.loose else self
        if self.number is not None:
            return Sum({None: self.number >> down}, self.width)
        ratio, part = self.ratio, self.part
        if ratio is not None:
            return Sum({ratio.shifted(down): 1}, self.width)
        return Sum({Half(part): 1}, self.width) if part is not None and down == 1 else None


def summed(scaled: Sequence[tuple[int, Sum]], width: int) -> Sum:
    """Return the sum of numbers times sums, modulo ``2**width``."""
    terms: dict[Term, int] = {}
    for times, each in scaled:
        for term, count in each.terms.items():
            terms[term] = terms.get(term, 0) + times * count & ones(width)
    terms = {term: count for term, count in terms.items() if count}
    half = next((term for term in terms if isinstance(term, Half)), None)
    if half is not None and terms == {half: 1, half.part: 1}:
        part = half.part
        terms = {part._replace(times=part.times + (1 << part.down)).shifted(1): 1}
    return Sum(terms, width)


def _product(values: Sequence[Sum], width: int) -> Sum | None:
    for number, factor in (values, values[::-1]):
        if number.number is not None:
            return summed([(number.number, factor)], width)
    return None


def _total(values: Sequence[Sum], width: int, minus: bool = False) -> Sum | None:
    a, b, carry = values
    if carry.number is None:
        return None
    one = Sum({None: 1}, width)
    return summed([(1, a), (-1 if minus else 1, b), (carry.number - minus, one)], width)


def _field(values: Sequence[Sum], low: int, width: int) -> Sum | None:
    shifted = values[0].shifted(low)
    return None if shifted is None else shifted.at(width)


def _extended(values: Sequence[Sum], width: int, to: int, signed: bool = True) -> Sum | None:
    value = values[0].at(width)
    most = None if value is None else value.number if value.ratio is None else value.ratio.largest
    return None if value is None or most is None or most > ones(width - signed) else value.at(to)


def _shifted(values: Sequence[Sum], width: int, digits: int = WORD, *_: Any) -> Sum | None:
    count = values[1].at(digits)
    return None if count is None or count.number is None or count.number >= width else values[0].shifted(count.number)


_ROWS: dict[ir.IrOperation, Callable[..., Sum | None]] = {
    ir.CUT: lambda values, width: values[0],
    ir.EXTEND: _extended,
    ir.FIELD: _field,
    ir.SHR: _shifted,
    ir.MULTIPLY: _product,
    ir.ADD: _total,
    ir.CONCAT: lambda values, width: values[0].at(2 * width) if [each.number for each in values[1:]] == [0] else None,
}
"""The operations that are followed: they take the sums of their operands, and the immediates."""
_OF_WIDTH = (ir.CUT, ir.SHR, ir.MULTIPLY, ir.ADD, ir.CONCAT)
"""Operations of which the first immediate is how many bits of an operand are read."""


def constant_sum(value: Any) -> Sum | None:
    """Return a constant as a sum; None if a bit of it is unknown."""
    bits, mask = value[:2]
    return Sum({None: bits}, mask.bit_length(), True) if mask and mask == ones(mask.bit_length()) else None


def evaluated(node: Any, reads: Sequence[Sum | None]) -> Sum | None:
    """Return an expression as a sum of what it reads; None if it is not one."""
    if node.__class__ is tuple:
        return constant_sum(node)
    if node.row is ir.INPUT:
        read: Sum | None = reads[node.immediates[0]]
        return read
    if node.row is ir.GIVEN:
        return constant_sum(node.operands[0])
    rule = _ROWS.get(node.row)
    if rule is None:
        return None
    values = []
    for place, operand in enumerate(node.operands):
        value = evaluated(operand, reads)
        is_data = node.row in _OF_WIDTH and place < (1 if node.row is ir.SHR else 2)
        value = value.at(node.immediates[0]) if value is not None and is_data else value
        if value is None:
            return None
        values.append(value)
    return rule(values, *node.immediates)


class Remainder(NamedTuple):
    """``floor(x / by) % divisor``, of so many bits."""

    x: Any
    by: int
    divisor: int
    width: int

    @property
    def expression(self) -> Node:
        """It as a function of x."""
        x = ir.CUT(ir.IN[0], self.width)
        by, divisor = ((number, ones(self.width)) for number in (self.by, self.divisor))
        return ir.REST(x if self.by == 1 else ir.DIVIDE(x, by, self.width), divisor, self.width)


def remainder(total: Sum | None) -> Remainder | None:
    """Return a sum as a remainder, a number less a multiple of its own quotient; None if it is not one."""
    if total is None or total.loose or len(total.terms) != 2:
        return None
    for whole, part in (list(total.terms), list(total.terms)[::-1]):
        if not isinstance(whole, Ratio) or not isinstance(part, Ratio) or not (whole.is_quotient and part.is_quotient):
            return None
        divisor = -total.terms[part] & ones(total.width)
        if total.terms[whole] == 1 and part == whole._replace(by=whole.by * divisor) and divisor > 1:
            return Remainder(whole.x, whole.by, divisor, total.width) if whole.most <= ones(total.width) else None
    return None


@cache
def may_be_remainder(transfer: object) -> bool:
    """Whether an instruction computes a sum with a part that is subtracted or multiplied."""
    return (
        isinstance(transfer, Node)
        and transfer.row is ir.ADD
        and any(
            row is ir.MULTIPLY or (row is ir.ADD and len(immediates) > 1 and bool(immediates[1]))
            for row, immediates in _operations(transfer)
        )
    )


def _operations(node: Any) -> list[tuple[Any, Any]]:
    if node.__class__ is tuple:
        return []
    return [(node.row, node.immediates), *[each for operand in node.operands for each in _operations(operand)]]
