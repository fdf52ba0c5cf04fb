"""Numbers that tell their own place, in the values that an element type represents exactly.

Every element that shared memory can hold has a name, its number counted from byte 0. No type has as many values, so
memory is filled several times: in plane 0 every element is 1, in each further plane it is one digit of its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.kinds.elements import bits_of
from smemdesc.kinds.shared_memory import WINDOW
from smemdesc.kinds.types import DType
from smemdesc.layout.operand import CONTAINER, UNIT, Operand, byte_number
from smemdesc.probe.launch import FIRST, LAST, SharedImage

DIGIT_BITS = {
    "f16": 10,
    "tf32": 10,
    "bf16": 8,
    "e4m3": 4,
    "e5m2": 3,
    "s8": 7,
    "u8": 8,
    "e2m3": 3,
    "e3m2": 3,
    "e2m1": 2,
}
"""The bits of a digit: every integer below 2 to this power is a value of the type."""
NO_PLACE = 0
"""No element has this name: it would be at byte 0, which belongs to the system."""


class MemoryPlace(NamedTuple):
    """Where an element was read; ``bit`` is None if what was read has no place."""

    bit: int | None
    """The bit address in shared memory."""
    cta: int
    zero: bool = False
    """Whether a zero was read."""

    def __str__(self) -> str:
        if self.bit is None:
            return "a zero" if self.zero else "something else"
        inside = f" bit {self.bit % 8}" if self.bit % 8 else ""
        return f"0x{self.bit // 8:05x}{inside}" + (f" of CTA {self.cta}" if self.cta else "")

    def to_json(self) -> Any:
        """Return the address in bytes, ``zero``, or None."""
        return ("zero" if self.zero else None) if self.bit is None else byte_number(self.bit)


class Naming(NamedTuple):
    """The names of the elements of one type, in the memory of ``ctas`` CTAs."""

    dtype: DType
    ctas: int = 1

    @property
    def per_unit(self) -> int:
        """Elements in 16 bytes."""
        return CONTAINER if self.dtype.bits < self.dtype.storage else 8 * UNIT // self.dtype.bits

    @property
    def base(self) -> int:
        """The values of a digit."""
        return ones(DIGIT_BITS[self.dtype.name]) + 1

    @property
    def digits(self) -> int:
        """The digits of a name."""
        most, digits = self.ctas * WINDOW // UNIT * self.per_unit, 1
        while self.base**digits < most:
            digits += 1
        return digits

    @property
    def planes(self) -> int:
        """How often memory is filled."""
        return 1 + self.digits

    def name(self, bit: int, cta: int = 0) -> int:
        """Return the name of the element that begins at a bit address."""
        unit, inside = divmod(bit + 8 * WINDOW * cta, 8 * UNIT)
        return unit * self.per_unit + inside // self.dtype.bits

    def names(self, bits: Iterable[int], cta: int = 0) -> list[int]:
        """Return the names of the elements that begin at bit addresses."""
        size, first = self.dtype.bits, 8 * WINDOW * cta
        if size * self.per_unit == 8 * UNIT:  # no padding: all follow one another
            return [(first + bit) // size for bit in bits]
        return [self.name(bit, cta) for bit in bits]

    def place(self, name: int | None) -> MemoryPlace:
        """Return where the element of a name is."""
        if not name:
            return MemoryPlace(None, 0, zero=name == NO_PLACE)
        unit, element = divmod(name, self.per_unit)
        cta, bit = divmod(unit * 8 * UNIT + element * self.dtype.bits, 8 * WINDOW)
        return MemoryPlace(bit, cta)

    def digit(self, name: int, plane: int) -> int:
        """Return what an element is in a plane."""
        return name // self.base ** (plane - 1) % self.base if plane else 1

    def image(self, plane: int, cta: int = 0) -> SharedImage:
        """Return the shared memory of a plane."""
        return SharedImage(_image, (self, plane, cta))

    def digits_of(self, names: Sequence[int], plane: int) -> tuple[int, ...]:
        """Return what elements are in a plane; :data:`NO_PLACE` is 0 in each."""
        if not plane:
            return tuple([1 if name else 0 for name in names])
        weight, base = self.base ** (plane - 1), self.base
        return tuple([name // weight % base for name in names])

    def joined(self, values: Sequence[float]) -> int | None:
        """Return the name that the values of an element in all planes spell.

        :data:`NO_PLACE` if a zero was read; None: something that has no name, or more than one thing. The values are
        those of plane 0, 1, ...
        """
        name = NO_PLACE
        if values[0] != 1:
            return None if any(values) else name
        for value in reversed(values[1:]):
            if not 0 <= value < self.base or value != int(value):
                return None
            name = name * self.base + int(value)
        return name


@lru_cache(maxsize=64)
def _image(naming: Naming, plane: int, cta: int) -> bytes:
    # A digit is the same for `run` names in a row, and the digits repeat after `base` of these runs.
    per_unit, first = naming.per_unit, cta * WINDOW
    run = max(naming.base ** (plane - 1), per_unit) if plane else per_unit
    every = (naming.ctas * WINDOW // UNIT) * per_unit
    names = range(0, min(naming.base**plane, every), run)
    units = (unit_of(naming.dtype, tuple(naming.digit(name + i, plane) for i in range(per_unit))) for name in names)
    period = b"".join(unit * (run // per_unit) for unit in units)
    whole = period * -(-(first + LAST) // len(period))
    return whole[first + FIRST : first + LAST]


@lru_cache(maxsize=1 << 16)
def unit_of(dtype: DType, values: tuple[float, ...]) -> bytes:
    """Return 16 bytes that hold these values, the first one in the lowest bits."""
    weight = ones(dtype.bits) + 1
    whole = 0
    for value in reversed(values):
        whole = whole * weight + bits_of(dtype, value)
    return whole.to_bytes(UNIT, "little")


def patches_of(operand: Operand, values: Iterable[tuple[int, int, float]]) -> list[tuple[int, bytes]]:
    """Return the bytes by which an operand's units hold these values, (mn, k, value), and zeros beside them."""
    naming = Naming(operand.dtype)
    units: dict[int, list[float]] = {byte: [0] * naming.per_unit for _, _, byte in operand.unit_addresses()}
    for mn, k, value in values:
        unit, inside = divmod(operand.bit_address(mn, k), 8 * UNIT)
        units[unit * UNIT][inside // operand.dtype.bits] = value
    joined: list[tuple[int, bytes]] = []
    for byte in sorted(units):
        there = unit_of(operand.dtype, tuple(units[byte]))
        if joined and joined[-1][0] + len(joined[-1][1]) == byte:
            joined[-1] = joined[-1][0], joined[-1][1] + there
        else:
            joined.append((byte, there))
    return joined
