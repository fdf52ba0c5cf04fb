"""Integers of source code of which some bits are known: types of C++, Rust and Python, and their operators.

A value has one entry for each type that it may have, since code is often read without what declares its names: the
result of an operator has all types that the operands allow, and what is known of it holds in each.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import ones


class IntegerType(NamedTuple):
    """A type: its bits, and whether it has a sign."""

    bits: int
    signed: bool


INT, UINT = IntegerType(32, True), IntegerType(32, False)
LONG, ULONG = IntegerType(64, True), IntegerType(64, False)
BOOL = IntegerType(1, False)
UNBOUNDED = IntegerType(256, True)
"""An integer of Python, and a literal of Rust, whose type follows from what is around it."""

PartlyKnown = dict[IntegerType, known.Value]
"""What is known of a value, for each type that it may have."""

C_PLUS_PLUS, RUST, PYTHON = "C++", "Rust", "Python"
_SIZES = (8, 16, 32, 64)
ANYTHING: dict[str, PartlyKnown] = {
    C_PLUS_PLUS: dict.fromkeys((INT, UINT, LONG, ULONG), known.UNKNOWN),
    RUST: dict.fromkeys((IntegerType(bits, signed) for bits in _SIZES for signed in (False, True)), known.UNKNOWN),
    PYTHON: {UNBOUNDED: known.UNKNOWN},
}
"""A value of which nothing is known, in each language."""

_C_TYPES = {
    "bool": BOOL,
    **dict.fromkeys(("char", "signed char"), IntegerType(8, True)),
    "unsigned char": IntegerType(8, False),
    **dict.fromkeys(("short", "short int"), IntegerType(16, True)),
    **dict.fromkeys(("unsigned short", "unsigned short int"), IntegerType(16, False)),
    **dict.fromkeys(("int", "signed", "signed int"), INT),
    **dict.fromkeys(("unsigned", "unsigned int"), UINT),
    **dict.fromkeys(("long", "long int", "long long", "long long int", "ptrdiff_t", "intptr_t"), LONG),
    **dict.fromkeys(("unsigned long", "unsigned long long", "size_t", "uintptr_t"), ULONG),
    **dict.fromkeys(("unsigned long int", "unsigned long long int", "cuuint64_t"), ULONG),
    "cuuint32_t": UINT,
    **{f"{u}int{bits}_t": IntegerType(bits, not u) for u in ("", "u") for bits in _SIZES},
}
_RUST_TYPES = {
    **{f"{letter}{bits}": IntegerType(bits, letter == "i") for letter in "iu" for bits in _SIZES},
    "usize": ULONG,
    "isize": LONG,
}
_PYTHON_TYPES = {
    f"{u}{name}{bits}": IntegerType(bits, not u)
    for name, prefixes in (("int", ("", "u")), ("Int", ("", "U")))
    for u in prefixes
    for bits in _SIZES
}
INTEGER_TYPES = {C_PLUS_PLUS: _C_TYPES, RUST: _RUST_TYPES, PYTHON: _PYTHON_TYPES}
"""The types of each language, by name; in Python those of NumPy and Mojo."""


_MOST_DIGITS = 100
"""No type holds a number of more."""


def integer_literal(text: str, language: str) -> PartlyKnown | None:
    """Return the value of a literal with its suffix; None for one that is no integer."""
    match = _LITERAL.fullmatch(text)
    if match is None:
        return None
    digits, suffix = re.sub(r"['_]", "", match["digits"]), (match["suffix"] or "").lower().strip("_")
    is_octal = digits.isdigit() and digits.startswith("0") and bool(digits.strip("0"))
    if len(digits) > _MOST_DIGITS or (is_octal and language != C_PLUS_PLUS):
        return None
    number = int(f"0o{digits}" if is_octal else digits, 0)
    if language == C_PLUS_PLUS:
        return _literal_of_c(number, suffix, is_decimal=digits.isdigit() and not is_octal)
    kind = _RUST_TYPES.get(suffix) if suffix else UNBOUNDED
    return None if kind is None or number >> kind.bits else {kind: known.const(number, kind.bits)}


def _literal_of_c(number: int, suffix: str, *, is_decimal: bool) -> PartlyKnown | None:
    """Return a number of the first type that holds it, of those that its suffix allows."""
    if suffix.strip("ul"):
        return None
    for kind in (INT, UINT, LONG, ULONG):
        is_allowed = kind.bits == ULONG.bits or "l" not in suffix
        is_signed_enough = "u" not in suffix if kind.signed else "u" in suffix or not is_decimal
        if is_allowed and is_signed_enough and number <= ones(kind.bits - kind.signed):
            return {kind: known.const(number, kind.bits)}
    return None


_LITERAL = re.compile(
    r"(?P<digits>0[xX][\da-fA-F'_]+?|0[bB][01'_]+|0o[0-7_]+|\d[\d'_]*?)(?P<suffix>_?[uUlLi][uUlL\d]*)?"
)


def constant(number: int, kind: IntegerType = ULONG) -> PartlyKnown:
    """Return a number of a type."""
    return {kind: known.const(number, kind.bits)}


def as_type(value: PartlyKnown, kind: IntegerType) -> known.Value:
    """Return what is known of a value that is converted to a type."""
    if kind == BOOL:
        is_true = truth(value)
        return known.UNKNOWN if is_true is None else known.const(is_true, 1)
    return known.meet_all([_converted(one, of, kind) for of, one in value.items()], kind.bits)


def _converted(value: known.Value, of: IntegerType, kind: IntegerType) -> known.Value:
    if kind.bits <= of.bits:
        return known.cut(value, kind.bits)
    return known.extend(value, of.bits, kind.bits, of.signed)


def truth(value: PartlyKnown) -> bool | None:
    """Return whether a value is not 0; None if that is not known."""
    if all(one[0] & one[1] & ones(kind.bits) for kind, one in value.items()):
        return True
    is_zero = all(not one[0] & one[1] and one[1] & ones(kind.bits) == ones(kind.bits) for kind, one in value.items())
    return False if is_zero else None


def one_of(values: Iterable[PartlyKnown]) -> PartlyKnown:
    """Return what holds for a value that is one of several."""
    out: PartlyKnown = {}
    for value in values:
        for kind, one in value.items():
            out[kind] = known.meet(out[kind], one, kind.bits) if kind in out else one
    return out


def _promoted(value: PartlyKnown, language: str) -> PartlyKnown:
    if language != C_PLUS_PLUS or all(kind.bits >= INT.bits for kind in value):
        return value
    return one_of(
        {INT: _converted(one, kind, INT)} if kind.bits < INT.bits else {kind: one} for kind, one in value.items()
    )


def _common(left: IntegerType, right: IntegerType, language: str) -> IntegerType | None:
    """Return the type in which an operator computes; None if the language does not mix the two."""
    if left == right:
        return left
    if UNBOUNDED in (left, right):
        return left if right == UNBOUNDED else right
    if language == RUST:
        return None
    if left.signed == right.signed:
        return max(left, right)
    signed, unsigned = (left, right) if left.signed else (right, left)
    return unsigned if unsigned.bits >= signed.bits else signed


def operate_unary(sign: str, value: PartlyKnown, language: str) -> PartlyKnown:
    """Return the result of ``+``, ``-``, ``~`` or ``!`` (in Rust also ``~``)."""
    if sign == "!" and language != RUST:
        is_true = truth(value)
        return {INT: (0, ones(INT.bits) & ~1) if is_true is None else known.const(not is_true, INT.bits)}
    value = _promoted(value, language)
    if sign == "+":
        return value
    change = known.negate if sign == "-" else known.complement
    return {kind: change(one, kind.bits) for kind, one in value.items()}


def operate_binary(sign: str, left: PartlyKnown, right: PartlyKnown, language: str) -> PartlyKnown | None:
    """Return the result of an operator; None if it has no types in common, or is none of integers."""
    left, right = _promoted(left, language), _promoted(right, language)
    if sign in _SHIFTS:
        return {kind: _shifted(sign, one, kind, right) for kind, one in left.items()}
    apply = _ARITHMETIC.get(sign)
    if apply is None:
        return None
    out: PartlyKnown = {}
    for left_kind, a in left.items():
        for right_kind, b in right.items():
            kind = _common(left_kind, right_kind, language)
            if kind is not None:
                result = apply(_converted(a, left_kind, kind), _converted(b, right_kind, kind), kind)
                out[kind] = known.meet(out[kind], result, kind.bits) if kind in out else result
    return out or None


def _shifted(sign: str, value: known.Value, kind: IntegerType, count: PartlyKnown) -> known.Value:
    how: Callable[[known.Value, int, int], known.Value] = (
        known.shl if sign == "<<" else known.sar if kind.signed else known.shr
    )
    amount = as_type(count, UINT)
    if any(one[1] & ones(of.bits) != ones(of.bits) for of, one in count.items()):
        return known.shift(how, value, amount, kind.bits, clamp=False)
    number = as_type(count, UNBOUNDED)[0]
    return how(value, number, kind.bits) if number < kind.bits else known.UNKNOWN


def overflows(value: PartlyKnown, count: PartlyKnown) -> bool:
    """Whether a shift of C++ is by as many bits as the type of the value has, or more: its result is undefined."""
    bits = max(kind.bits for kind in _promoted(value, C_PLUS_PLUS))
    number = as_type(count, ULONG)
    return number[1] & ones(ULONG.bits) == ones(ULONG.bits) and number[0] >= bits


def _quotient(a: known.Value, b: known.Value, kind: IntegerType) -> known.Value:
    if _is_unsigned(a, b, kind):
        return known.divide(a, b, kind.bits)
    quotient = _of_numbers(lambda left, right: _truncated(left, right)[0], a, b, kind)
    return quotient if kind != UNBOUNDED else _of_numbers(operator.floordiv, a, b, kind)


def _remainder(a: known.Value, b: known.Value, kind: IntegerType) -> known.Value:
    if _is_unsigned(a, b, kind):
        return known.rest(a, b, kind.bits)
    rest = _of_numbers(lambda left, right: _truncated(left, right)[1], a, b, kind)
    return rest if kind != UNBOUNDED else _of_numbers(operator.mod, a, b, kind)


def _truncated(left: int, right: int) -> tuple[int, int]:
    """Return quotient and remainder as C and Rust round them: toward 0."""
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient, left - quotient * right


def _of_numbers(compute: Callable[[int, int], int], a: known.Value, b: known.Value, kind: IntegerType) -> known.Value:
    """Return the result for two numbers with a sign; unknown if a bit of one is unknown, or the divisor is 0."""
    left, right = signed_number(a, kind), signed_number(b, kind)
    return known.UNKNOWN if left is None or not right else known.const(compute(left, right), kind.bits)


def signed_number(value: known.Value, kind: IntegerType) -> int | None:
    """Return a number of a type; None if a bit of it is unknown."""
    full = ones(kind.bits)
    if value[1] & full != full:
        return None
    number = value[0] & full
    return number - (full + 1) if kind.signed and number >> kind.bits - 1 else number


def _is_unsigned(a: known.Value, b: known.Value, kind: IntegerType) -> bool:
    """Whether neither operand is negative, so that all languages round the quotient in one way."""
    sign = 1 << kind.bits - 1
    return not kind.signed or all(one[1] & sign and not one[0] & sign for one in (a, b))


def _power(a: known.Value, b: known.Value, kind: IntegerType) -> known.Value:
    full = ones(kind.bits)
    if a[1] & b[1] & full != full or b[0] >= kind.bits or a[0] >> UINT.bits:
        return known.UNKNOWN
    number = a[0] ** b[0]
    return known.const(number, kind.bits) if number < 1 << kind.bits - 1 else known.UNKNOWN


_SHIFTS = ("<<", ">>")
_ARITHMETIC: dict[str, Callable[[known.Value, known.Value, IntegerType], known.Value]] = {
    "+": lambda a, b, kind: known.add(a, b, kind.bits)[0],
    "-": lambda a, b, kind: known.add(a, known.complement(b, kind.bits), kind.bits, known.TRUE)[0],
    "*": lambda a, b, kind: known.multiply(a, b, kind.bits),
    "/": _quotient,
    "//": _quotient,
    "%": _remainder,
    "**": _power,
    "&": lambda a, b, kind: known.and_(a, b),
    "|": lambda a, b, kind: known.or_(a, b),
    "^": lambda a, b, kind: known.xor(a, b),
}


def is_less(left: PartlyKnown, right: PartlyKnown, language: str) -> bool | None:
    """Return whether a value is less than another one; None if that is not known."""
    left, right = _promoted(left, language), _promoted(right, language)
    found = set()
    for left_kind, a in left.items():
        for right_kind, b in right.items():
            kind = _common(left_kind, right_kind, language)
            if kind is not None:
                numbers = (
                    signed_number(_converted(a, left_kind, kind), kind),
                    signed_number(_converted(b, right_kind, kind), kind),
                )
                found.add(None if None in numbers else numbers[0] < numbers[1])  # type: ignore[operator]
    return found.pop() if len(found) == 1 else None


def is_equal(left: PartlyKnown, right: PartlyKnown, language: str) -> bool | None:
    """Return whether two values are equal; None if that is not known."""
    difference = operate_binary("^", left, right, language)
    is_other = None if difference is None else truth(difference)
    return None if is_other is None else not is_other
