"""Constant expressions of PTX, allowed wherever a number is: ``(128 >> 4) << 16``, ``~0x3fff``, ``1 ? 2 : 3``.

PTX ISA, section 4.5: 64-bit integers, each signed or unsigned, and the operators of C. Where ptxas differs from the
manual, ptxas counts: ``&``, ``|`` and ``^`` of signed numbers are signed, ``%`` is unsigned, ``?:`` has the type of the
chosen operand, and a shift count is taken modulo 64.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

_BITS = 64
_ALL = (1 << _BITS) - 1
WARP_SIZE = "WARP_SZ"
"""The only named constant."""
_WARP = 32
_TOKEN = re.compile(
    rf"""(?xa) \s*+ (?:
      (?P<number> (?: 0[xX][0-9a-fA-F]++ | 0[bB][01]++ | 0[0-7]*+ | [1-9][0-9]*+ ) U?+ (?![\w$.])
                | {WARP_SIZE} (?![\w$]) )
    | (?P<cast> \( \s*+ \.[su]64 \s*+ \) )
    | (?P<mark> <<|>>|<=|>=|==|!=|&&|\|\||%(?![\w$])|[-+*/<>&^|?:!~()] )
    )"""
)
"""A token of an expression. ``%`` before a letter or digit begins the name of a register."""
_LONGEST_NUMBER = 70
"""Characters of the longest number: 64 bits in binary."""


class _Integer(NamedTuple):
    """A number of 64 bits; ``value`` is negative only if it is ``signed``."""

    value: int
    signed: bool


class _UndefinedError(Exception):
    """The expression has no value: ptxas rejects it."""


def _fit(value: int, signed: bool) -> _Integer:
    value &= _ALL
    return _Integer(value - (1 << _BITS) if signed and value >> _BITS - 1 else value, signed)


def _literal(text: str) -> _Integer:
    if text == WARP_SIZE:
        return _Integer(_WARP, True)
    digits = text.removesuffix("U")
    octal = digits[:1] == "0" and digits.isdecimal()
    value = int(digits, 8 if octal else 0) if len(digits) <= _LONGEST_NUMBER else _ALL + 1
    if value > _ALL:
        raise _UndefinedError
    return _Integer(value, digits == text and not value >> _BITS - 1)


Binary = Callable[[_Integer, _Integer], _Integer]


def _converted(compute: Callable[[int, int], int], truth: bool = False) -> Binary:
    """Return an operator on two numbers that are converted to one type: unsigned, if one of them is."""

    def apply(a: _Integer, b: _Integer) -> _Integer:
        signed = a.signed and b.signed
        return _fit(compute(_fit(a.value, signed).value, _fit(b.value, signed).value), signed or truth)

    return apply


def _divide(a: int, b: int) -> int:
    if not b or (a == -1 << _BITS - 1 and b == -1):
        raise _UndefinedError
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: _Integer, b: _Integer) -> _Integer:
    if not b.value:
        raise _UndefinedError
    return _Integer((a.value & _ALL) % (b.value & _ALL), False)


_LEVELS: tuple[dict[str, Binary], ...] = (
    {"||": lambda a, b: _Integer(int(bool(a.value or b.value)), True)},
    {"&&": lambda a, b: _Integer(int(bool(a.value and b.value)), True)},
    {"|": _converted(operator.or_)},
    {"^": _converted(operator.xor)},
    {"&": _converted(operator.and_)},
    {"==": _converted(operator.eq, truth=True), "!=": _converted(operator.ne, truth=True)},
    {
        "<": _converted(operator.lt, truth=True),
        "<=": _converted(operator.le, truth=True),
        ">": _converted(operator.gt, truth=True),
        ">=": _converted(operator.ge, truth=True),
    },
    {
        "<<": lambda a, b: _fit(a.value << b.value % _BITS, a.signed),
        ">>": lambda a, b: _fit(a.value >> b.value % _BITS, a.signed),
    },
    {"+": _converted(operator.add), "-": _converted(operator.sub)},
    {"*": _converted(operator.mul), "/": _converted(_divide), "%": _remainder},
)
"""The operators with two operands, by precedence, the weakest first."""
_BINARY = {mark: (level, apply) for level, marks in enumerate(_LEVELS) for mark, apply in marks.items()}
_UNARY: dict[str, Callable[[_Integer], _Integer]] = {
    "+": lambda a: a,
    "-": lambda a: _fit(-a.value, a.signed),
    "!": lambda a: _Integer(int(not a.value), True),
    "~": lambda a: _fit(~a.value, False),
    ".s64": lambda a: _fit(a.value, True),
    ".u64": lambda a: _fit(a.value, False),
}


class _ExpressionReader:
    """An expression as far as it has been read: operands, and the pending operators.

    A pending operator is ``(`` or ``?``, or (``:``) a choice, or has a precedence and a function.
    """

    def __init__(self) -> None:
        self._operands: list[_Integer] = []
        self._waiting: list[str | Callable[[_Integer], _Integer] | tuple[int, Binary]] = []

    def read(self, text: str) -> _Integer:
        """Return the value of an expression."""
        operand_is_next = True
        at, end = 0, len(text.rstrip())
        while at < end:
            word = _TOKEN.match(text, at)
            if word is None:
                raise _UndefinedError
            at = word.end()
            operand_is_next = self._begin(word) if operand_is_next else self._continue(word["mark"])
        if operand_is_next:
            raise _UndefinedError
        self._finish(0)
        if self._waiting:
            raise _UndefinedError
        return self._operands.pop()

    def _begin(self, word: re.Match[str]) -> bool:
        """Read a token where an operand begins; return whether the operand is still missing."""
        if word["number"]:
            self._operands.append(_literal(word["number"]))
            return False
        mark = word["cast"].strip("() \t\n") if word["cast"] else word["mark"]
        if mark != "(" and mark not in _UNARY:
            raise _UndefinedError
        self._waiting.append(_UNARY.get(mark, mark))
        return True

    def _continue(self, mark: str | None) -> bool:
        """Read a token after an operand; return whether another operand has to follow."""
        if mark in _BINARY:
            level, apply = _BINARY[mark]
            self._finish(level + 1)
            self._waiting.append((level + 1, apply))
        elif mark == "?":
            self._finish(1)
            self._waiting.append(mark)
        elif mark in (":", ")"):
            self._finish(0)
            if not self._waiting or self._waiting.pop() != {":": "?", ")": "("}[mark]:
                raise _UndefinedError
            if mark == ":":
                self._waiting.append(mark)
        else:
            raise _UndefinedError
        return mark != ")"

    def _finish(self, level: int) -> None:
        """Apply the pending operators that are not weaker than ``level``; 0: also choices."""
        while self._waiting and self._waiting[-1] not in ("(", "?") and (not level or self._waiting[-1] != ":"):
            waiting = self._waiting[-1]
            if isinstance(waiting, tuple) and waiting[0] < level:
                return
            self._waiting.pop()
            last = self._operands.pop()
            if isinstance(waiting, tuple):
                self._operands.append(waiting[1](self._operands.pop(), last))
            elif waiting == ":":
                first, condition = self._operands.pop(), self._operands.pop()
                self._operands.append(first if condition.value else last)
            elif not isinstance(waiting, str):
                self._operands.append(waiting(last))


@lru_cache(maxsize=4_000)
def evaluate_ptx(text: str) -> int | None:
    """Return the value of a constant expression; None if ptxas does not accept it as one."""
    try:
        return _ExpressionReader().read(text).value
    except _UndefinedError:
        return None
