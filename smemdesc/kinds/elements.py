"""The elements of an operand: their bit patterns in shared memory, and the numbers of these patterns.

Sources: IEEE 754 (f16, f32), PTX ISA 9.3, 5.2.3 and 5.2.4 (bf16, tf32 and the packed types), OCP 8-bit floating point
1.0 (e4m3, e5m2), OCP Microscaling Formats 1.0 (e2m3, e3m2, e2m1). Rounding is to nearest, ties to even. Numbers
that are too large become infinite in f16, bf16, tf32 and f32, as in ``cvt.rn``, and the largest finite number in the
narrower types, whose ``cvt`` is always ``.satfinite``; infinity itself stays infinite where the type has it.
"""

from __future__ import annotations

from functools import lru_cache
from math import copysign, frexp, inf, isinf, isnan, ldexp, nan
from sys import float_info
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones, signed, twos_complement
from smemdesc.kinds.types import DType

F32 = DType("f32", 32, 32, False, False, 0)
"""No operand type: what a kernel may have written instead of one."""
S32 = DType("s32", 32, 32, False, False, 0)


class Format(NamedTuple):
    """A floating-point format: a sign, ``exponent`` and ``fraction`` bits, then ``unread`` low bits."""

    exponent: int
    fraction: int
    bias: int
    infinite: bool = False
    """Whether the largest exponent means infinity and nan."""
    nan: bool = False
    """Whether the pattern of ones alone is nan (e4m3)."""
    unread: int = 0
    """Low bits of the pattern that the tensor cores do not read (tf32)."""

    @property
    def top(self) -> int:
        """The pattern of the largest finite number, without unread bits."""
        every = ones(self.exponent + self.fraction)
        return every - 2**self.fraction if self.infinite else every - self.nan


NUMBER_FORMATS = {
    "f16": Format(5, 10, 15, infinite=True),
    "bf16": Format(8, 7, 127, infinite=True),
    "tf32": Format(8, 10, 127, infinite=True, unread=13),
    "f32": Format(8, 23, 127, infinite=True),
    "e4m3": Format(4, 3, 7, nan=True),
    "e5m2": Format(5, 2, 15, infinite=True),
    "e2m3": Format(2, 3, 1),
    "e3m2": Format(3, 2, 3),
    "e2m1": Format(2, 1, 1),
}
_SIGNED = ("s8", "s32")
_SATURATE = 8
"""The widest type, in bits, whose conversions are ``.satfinite``."""


def read_bits(dtype: DType) -> int:
    """Return the mask of the used bits of an element: all but the low 13 of tf32."""
    form = NUMBER_FORMATS.get(dtype.name)
    return ones(dtype.bits) - (ones(form.unread) if form else 0)


@lru_cache(maxsize=1 << 17)
def value_of(dtype: DType, bits: int) -> float | int:
    """Return the number of a bit pattern, an int for s8, u8, s32 and b1.

    :class:`smemdesc.engine.errors.SmemdescError` if it has more bits than the type.
    """
    if not 0 <= bits <= ones(dtype.bits):
        raise SmemdescError(f"0x{bits:x} is not an element of {dtype.name}", hint=f"it has {dtype.bits} bits")
    form = NUMBER_FORMATS.get(dtype.name)
    if form is None:
        return signed(bits, dtype.bits) if dtype.name in _SIGNED else bits
    negative, rest = divmod(bits // 2**form.unread, 2 ** (form.exponent + form.fraction))
    sign = -1.0 if negative else 1.0
    if rest > form.top:
        return sign * inf if form.infinite and rest == form.top + 1 else nan
    exponent, fraction = divmod(rest, 2**form.fraction)
    # A subnormal has the exponent of the smallest normal number, and no leading one.
    whole = fraction + (2**form.fraction if exponent else 0)
    return sign * ldexp(whole, max(exponent, 1) - form.bias - form.fraction)


def bits_of(dtype: DType, number: float) -> int:
    """Return the pattern of the nearest element; nan is the quiet one, the largest number in types that have none.

    Integers round and saturate, nan becomes 0 (PTX ISA, ``cvt``). :class:`smemdesc.engine.errors.SmemdescError` for a
    b1 that is neither 0 nor 1.
    """
    form = NUMBER_FORMATS.get(dtype.name)
    if form is None:
        return _integer(dtype, number)
    width = form.exponent + form.fraction
    try:
        number = float(number)
    except OverflowError:  # an integer beyond every float
        number = float_info.max if number > 0 else -float_info.max
    if isnan(number):
        quiet = form.top + 1 + 2 ** (form.fraction - 1) if form.infinite else form.top + form.nan
        return quiet << form.unread
    size = abs(number)
    if isinf(size):
        rest = form.top + form.infinite
    else:
        exponent = max(frexp(size)[1] - 1, 1 - form.bias) if size else 1 - form.bias
        steps = round(ldexp(size, form.fraction - exponent))
        # The leading one of `steps`, and what rounding carries into it, count the exponent up by themselves.
        rest = (exponent + form.bias - 1) * 2**form.fraction + steps
        if rest > form.top:
            rest = form.top + (form.infinite and dtype.bits > _SATURATE)
    negative = copysign(1, number) < 0
    return (negative << width | rest) << form.unread


def _integer(dtype: DType, number: float) -> int:
    if dtype.name == "b1":
        if number not in (0, 1):
            raise SmemdescError(f"{number} is not an element of b1", hint="b1 holds 0 and 1")
        return int(number)
    low, high = (-(2 ** (dtype.bits - 1)), ones(dtype.bits - 1)) if dtype.name in _SIGNED else (0, ones(dtype.bits))
    if isnan(number):
        return 0
    whole = min(max(low, number), high)  # first: infinity has no nearest integer
    bits = twos_complement(round(whole), dtype.bits)
    assert bits is not None
    return bits


_PLAIN = 10**6


@lru_cache(maxsize=1 << 17)
def text_of(dtype: DType, bits: int) -> str:
    """Return a pattern as its shortest decimal number: ``1.5``, ``-0``, ``nan``, ``inf``, ``65504``."""
    number = value_of(dtype, bits)
    if isinstance(number, int):
        return str(number)
    if isnan(number) or isinf(number):
        return str(number)
    if number == int(number) and abs(number) < _PLAIN:
        return f"{number:.0f}"
    read = bits & read_bits(dtype)
    for digits in range(1, 10):
        text = f"{number:.{digits}g}"
        if bits_of(dtype, float(text)) == read:
            return text
    return repr(number)


class Memory(NamedTuple):
    """Some bytes of shared memory."""

    first: int
    """Byte address of the first one, in the shared window of the CTA."""
    data: bytes
