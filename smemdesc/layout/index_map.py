"""Maps of indices: each digit of an input moves a fixed distance in an output.

Where an element of a fragment, of tensor memory or of scale factors is follows from the digits of its coordinates, one
by one, as in Triton's linear layouts and in CuTe's. A digit is a bit, or neighboring bits that move alike; of a size
that is no power of two (N = 24, in two parts of 12 columns) it is a number below any count. As each digit of an output
comes from one digit of an input, the way back is the same map with its ends exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.layout.formula import formula_term

Digit = tuple[int, str, int]
"""The count of a digit's values, the output that it moves in, and how far; one of a count of 1 does not exist."""


class MatrixElement(NamedTuple):
    """An element of a matrix."""

    row: int
    column: int


class DigitMove(NamedTuple):
    """A digit: ``extent`` values, of ``step`` each in the input, of ``distance`` each in the output."""

    input: str
    step: int
    extent: int
    output: str
    distance: int

    @property
    def end(self) -> int:
        """The value in the input that the digit carries into the next one at."""
        return self.step * self.extent

    def joined(self, further: DigitMove) -> DigitMove | None:
        """Return this digit and the next one as one digit; None if they do not move alike."""
        if (self.input, self.end, self.output, self.distance * self.extent) != (
            further.input, further.step, further.output, further.distance,
        ):  # fmt: skip
            return None
        return self._replace(extent=self.extent * further.extent)


class IndexMap:
    """A map from the numbers ``inputs`` to the numbers ``outputs``; ``first`` are those that do not begin at 0."""

    def __init__(
        self,
        inputs: Sequence[str],
        outputs: Sequence[str],
        moves: Iterable[DigitMove],
        first: Mapping[str, int] | None = None,
    ) -> None:
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.first = first or {}
        self.moves: list[DigitMove] = []
        for move in sorted(move for move in moves if move.extent > 1):
            joined = self.moves[-1].joined(move) if self.moves else None
            self.moves[-1:] = [joined] if joined else [*self.moves[-1:], move]
        self._steps = [
            (self.inputs.index(move.input), move.step, move.extent, self.outputs.index(move.output), move.distance)
            for move in self.moves
        ]
        self._from, self._to = ([self.first.get(name, 0) for name in names] for names in (inputs, outputs))

    def place(self, *numbers: int) -> tuple[int, ...]:
        """Return the outputs of the inputs, in their order."""
        found = [*self._to]
        for source, step, extent, target, distance in self._steps:
            found[target] += (numbers[source] - self._from[source]) // step % extent * distance
        return tuple(found)

    @cached_property
    def inverse(self) -> IndexMap:
        """The way back."""
        exchanged = [DigitMove(move.output, move.distance, move.extent, move.input, move.step) for move in self.moves]
        return IndexMap(self.outputs, self.inputs, exchanged, self.first)

    def preimage(self, *numbers: int) -> tuple[int, ...] | None:
        """Return the inputs that lead to the outputs; None if none do."""
        back = self.inverse.place(*numbers)
        return back if self.place(*back) == numbers else None

    def formula(self, output: str, *numbers: int) -> str:
        """Return an output as a sum, the largest part first, of the names of the inputs or of their numbers.

        With numbers its parts follow: ``16 x (63 div 16) + 63 mod 8 = 48 + 7``; of one that equals an input its name.
        """
        last = {move.input: move for move in self.moves}
        names = dict(zip(self.inputs, map(str, numbers) if numbers else self.inputs, strict=True))
        names |= {name: f"({names[name]} - {first})" for name, first in self.first.items() if name in names and first}
        digits = sorted((move for move in self.moves if move.output == output), key=lambda move: -move.distance)
        text = " + ".join(
            formula_term(
                names[move.input], move.step, 0 if move == last[move.input] else move.extent, move.distance, "text"
            )
            for move in digits
        )
        parts = [self._part(move, *numbers) for move in digits] if numbers else []
        first = self.first.get(output, 0)
        if text.isdecimal() and not first:
            return digits[0].input
        if first or not digits:
            text, parts = f"{text} + {first}" if text else str(first), [*parts, first]
        summed = " + ".join(map(str, parts))
        return f"{text} = {summed}" if len(parts) > 1 and summed != text else text

    def _part(self, move: DigitMove, *numbers: int) -> int:
        number = numbers[self.inputs.index(move.input)] - self.first.get(move.input, 0)
        return number // move.step % move.extent * move.distance

    def formulas(self, *numbers: int) -> list[tuple[str, str]]:
        """Return the names of the outputs that move with their formulas, of names or of numbers."""
        moving = {move.output for move in self.moves}
        return [(output, self.formula(output, *numbers)) for output in self.outputs if output in moving]


def index_map(outputs: str, inputs: Mapping[str, Iterable[Digit]], first: Mapping[str, int] | None = None) -> IndexMap:
    """Return the map whose inputs have these digits, the lowest first; ``outputs`` are names with blanks between."""
    moves = []
    for name, digits in inputs.items():
        step = 1
        for extent, output, distance in digits:
            moves.append(DigitMove(name, step, extent, output, distance))
            step *= extent
    return IndexMap(tuple(inputs), outputs.split(), moves, first)


def check_index(what: str, number: int, count: int) -> None:
    """Reject a number outside ``0..count - 1``. :class:`SmemdescError`."""
    if not 0 <= number < count:
        there = f"use {what} 0" if count == 1 else f"use {what} 0 to {count - 1}"
        raise SmemdescError(f"there is no {what} {number}", hint=there)


def first_and_last(first: int, count: int) -> tuple[int, int]:
    """Return the first and the last of ``count`` numbers from ``first`` on: the ranges in results."""
    return first, first + count - 1
