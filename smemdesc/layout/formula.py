"""Formulas of indices, in words and in C."""

from __future__ import annotations


def formula_term(name: str, div: int, mod: int, times: int, style: str, then: int = 1) -> str:
    """Return ``times (name div DIV mod MOD div THEN)`` in a style, ``text`` or ``c``.

    A divisor of 1, and a modulus of 0, is omitted.
    """
    signs = {"div": "/", "mod": "%"} if style == "c" else {"div": "div", "mod": "mod"}
    text = name
    for sign, number in (("div", div if div > 1 else 0), ("mod", mod), ("div", then if then > 1 else 0)):
        text += f" {signs[sign]} {number}" if number else ""
    if times == 1:
        return text
    if style == "c":
        return f"{text} * {times}"
    by = " " if name.strip("()- 0123456789") else " x "
    return f"{times}{by}{text}" if text == name else f"{times}{by}({text})"
