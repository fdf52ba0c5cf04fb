"""Constant expressions of C, C++ and Python: integers, names, calls and the operators that all three have.

They are parsed as Python. What a part means is the caller's: values may be integers, known bits, or lists.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import TypeVar
from warnings import catch_warnings, simplefilter

T = TypeVar("T")
_SUFFIXED = re.compile(r"(?i)(?<![\w'])(0x[\da-f']++|0b[01']++|[\d']++)(?:(u?l{1,2}+u?)|u)?+\b")
_SIGNS: dict[type[ast.AST], str] = {
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Invert: "~",
}
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
C_INTEGER_BITS = 64
"""Bits of the widest integer of C."""


def parse_expression(text: str) -> ast.expr:
    """Parse an expression; ValueError if it is not one. A suffix ``L`` becomes a unary plus, which marks 64 bits."""
    text = _SUFFIXED.sub(_literal, text)
    try:
        with catch_warnings():
            simplefilter("ignore")  # of a number that runs into a word
            return ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("not an expression") from None


def _literal(match: re.Match[str]) -> str:
    digits = match[1].replace("'", "")
    return f"(+{digits})" if match[2] else digits


def fold_expression(
    node: ast.expr, number: Callable[[int], T], operate: Callable[..., T], other: Callable[[ast.expr], T]
) -> T:
    """Return the value of an expression: ``number`` evaluates a literal, ``operate`` an operator with its
    one or two operands, ``other`` that of any other part."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return number(node.value)
    if not isinstance(node, ast.UnaryOp | ast.BinOp) or type(node.op) not in _SIGNS:
        return other(node)
    operands = (node.operand,) if isinstance(node, ast.UnaryOp) else (node.left, node.right)
    return operate(_SIGNS[type(node.op)], *(fold_expression(operand, number, operate, other) for operand in operands))


def compute(sign: str, *operands: int) -> int:
    """Return the result of an operator on one or two integers, ``~`` of 64 bits; ValueError if it is undefined."""
    if len(operands) == 1:
        return {"+": operands[0], "-": -operands[0], "~": ~operands[0] & (1 << C_INTEGER_BITS) - 1}[sign]
    left, right = operands
    if right >= (C_INTEGER_BITS if sign in ("<<", ">>") else 1 << C_INTEGER_BITS) or (not right and sign in ("/", "%")):
        raise ValueError("undefined")
    return _OPERATIONS[sign](left, right)
