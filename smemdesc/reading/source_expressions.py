"""Expressions of source code, evaluated with partial knowledge: what names mean is the reader's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from smemdesc.engine import known
from smemdesc.engine.fields import WORD, ones
from smemdesc.reading import integers
from smemdesc.reading.integers import C_PLUS_PLUS, PYTHON, RUST, UNBOUNDED, IntegerType, PartlyKnown
from smemdesc.reading.source_parts import CAST_OPERATORS, Tokens, split_tokens
from smemdesc.reading.source_text import ASSIGNMENTS, NAME, NUMBER, SIGN, STRING
from smemdesc.reading.text import VALUE_BITS

ENCODING_CALL = re.compile(r"(?i)(?:smem_|matrix_)*desc(?:riptor)?_?encode")
"""PTX's matrix-descriptor-encode under the names that it has in most sources."""
SHARED_ADDRESS_CALLS = frozenset(("__cvta_generic_to_shared",))
SHARED_WORD = frozenset(("cast_smem_ptr_to_uint", "smem_ptr_to_uint"))
LITERAL_MACROS = {f"{u}INT{bits}_C": IntegerType(bits, not u) for u in ("", "U") for bits in (WORD, VALUE_BITS)}


class SourceVariable(NamedTuple):
    value: PartlyKnown
    kind: IntegerType | None = None
    """Its type; None if it is not known."""
    fixed: bool = False
    """Whether nothing changes it."""
    escaped: bool = False
    """Whether something else may change it at any time, so that it is never known."""
    outer: bool = False
    """Whether it is declared elsewhere, so that a call may change it."""
    declared: int = -1
    place: int = -1
    """Where it was set."""
    table: str = ""
    """The kind of descriptor that its type is."""


Variables = dict[str, SourceVariable]


class SourceScope(Protocol):
    """What an expression means: the reader of a source."""

    language: str
    types: dict[str, IntegerType]
    overflow: Tokens
    """The last shift by more bits than its type has, from the end of its left side on; empty if there was none."""

    @property
    def anything(self) -> PartlyKnown:
        """A value of which nothing is known."""

    def type_named(self, tokens: Tokens) -> IntegerType | None:
        """Return the type that tokens name; None if it is not known, or none of integers."""

    def defines(self, name: str) -> bool:
        """Whether the text defines a function."""

    def result(
        self, name: str, arguments: Sequence[PartlyKnown], named: Mapping[str, PartlyKnown], scope: tuple[str, ...]
    ) -> PartlyKnown | None:
        """Return the result of a call of a function of the text; None if it has none, or several.

        ``named`` are the arguments that are given by their names.
        """

    def evaluate(self, tokens: Tokens, names: Variables, scope: tuple[str, ...]) -> PartlyKnown:
        """Return what is known of an expression."""


class UnreadableError(Exception):
    """An expression is not understood."""


_BINARY = {
    C_PLUS_PLUS: (
        *(("?",), ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=")),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
    ),
    RUST: (
        *(("||",), ("&&",), ("==", "!=", "<", ">", "<=", ">="), ("|",), ("^",), ("&",)),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
    ),
    PYTHON: (
        *(("if",), ("or",), ("and",), ("==", "!=", "<", ">", "<=", ">=", "in", "is", "not"), ("|",), ("^",), ("&",)),
        *(("<<", ">>"), ("+", "-"), ("*", "/", "%", "//", "@")),
    ),
}
_PRECEDENCE = {
    language: {sign: level for level, signs in enumerate(levels, 1) for sign in signs}
    for language, levels in _BINARY.items()
}
_DEEPEST_EXPRESSION = 120
_KIND_OF_TRUTH = {C_PLUS_PLUS: integers.INT, RUST: integers.BOOL, PYTHON: UNBOUNDED}
_CHARACTER = re.compile(r"'[ -&(-\[\]-~]'")
"""A character of ASCII that is not escaped."""


def _inverse(is_true: bool | None) -> bool | None:
    return None if is_true is None else not is_true


_COMPARISONS: dict[str, Callable[[PartlyKnown, PartlyKnown, str], bool | None]] = {
    "==": integers.is_equal,
    "!=": lambda left, right, language: _inverse(integers.is_equal(left, right, language)),
    "<": integers.is_less,
    ">": lambda left, right, language: integers.is_less(right, left, language),
    "<=": lambda left, right, language: _inverse(integers.is_less(right, left, language)),
    ">=": lambda left, right, language: _inverse(integers.is_less(left, right, language)),
}


class SourceExpression:
    """Evaluates the tokens of an expression as it reads them."""

    def __init__(self, tokens: Tokens, reader: SourceScope, env: Variables, scope: tuple[str, ...]) -> None:
        self.tokens = tokens
        self.reader = reader
        self.env = env
        self.scope = scope
        self.at = 0
        self.depth = 0
        self.language = reader.language
        self.levels = _PRECEDENCE[self.language]

    def word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def parse(self, least: int) -> PartlyKnown:
        """Read an expression of operators that bind at least so strongly."""
        self.depth += 1
        if self.depth > _DEEPEST_EXPRESSION:
            raise UnreadableError
        value = self.unary()
        while True:
            sign = self.word()
            level = self.levels.get(sign)
            if level is None or level < least or self.tokens[self.at].kind == STRING:
                break
            self.at += 1
            value = self.binary(sign, level, value)
        self.depth -= 1
        return value

    def binary(self, sign: str, level: int, left: PartlyKnown) -> PartlyKnown:
        anything = self.reader.anything
        if sign == "?":
            yes = self.parse(0)
            if self.word() != ":":
                raise UnreadableError
            self.at += 1
            no = self.parse(level)
            return self.chosen(integers.truth(left), yes, no)
        if sign == "if":
            condition = self.parse(level + 1)
            if self.word() != "else":
                raise UnreadableError
            self.at += 1
            return self.chosen(integers.truth(condition), left, self.parse(level))
        place = self.at
        right = self.parse(level + 1)
        if sign == "<<" and self.language == C_PLUS_PLUS and integers.overflows(left, right):
            self.reader.overflow = self.tokens[place - 2 : self.at]
        if sign in _COMPARISONS:
            if self.language == PYTHON and self.word() in _COMPARISONS:
                raise UnreadableError  # 3 > 2 > 1 is no comparison of a comparison
            return self.truth_value(_COMPARISONS[sign](left, right, self.language))
        if sign in ("or", "and"):
            is_true = integers.truth(left)
            return integers.one_of((left, right)) if is_true is None else left if is_true == (sign == "or") else right
        if sign in ("&&", "||"):
            sides = integers.truth(left), integers.truth(right)
            decides = sign == "||"
            return self.truth_value(decides if decides in sides else None if None in sides else not decides)
        if sign == "/" and self.language == PYTHON:
            return anything
        value = integers.operate_binary(sign, left, right, self.language)
        if value is None and sign in ("in", "is", "not", "@"):
            raise UnreadableError
        return anything if value is None else value

    def truth_value(self, is_true: bool | None) -> PartlyKnown:
        """Return 0 or 1, as comparisons do."""
        kind = _KIND_OF_TRUTH[self.language]
        return {kind: (0, ones(kind.bits) & ~1)} if is_true is None else integers.constant(is_true, kind)

    def chosen(self, condition: bool | None, yes: PartlyKnown, no: PartlyKnown) -> PartlyKnown:
        """Return the result of a conditional expression: in C++ of the type that both sides have in common."""
        zero = {kind: known.const(0, kind.bits) for kind in no}
        other = {kind: known.const(0, kind.bits) for kind in yes}
        sides = (
            integers.operate_binary("|", yes, zero, self.language) or self.reader.anything,
            integers.operate_binary("|", no, other, self.language) or self.reader.anything,
        )
        if condition is None:
            return integers.one_of(sides)
        return sides[0] if condition else sides[1]

    def unary(self) -> PartlyKnown:
        """Read an operand with the signs before it, and in Rust its conversions, which bind less than these."""
        value = self.signed()
        while self.word() == "as" and self.language == RUST:
            kind = self.reader.types.get(self.word(1))
            self.at += 2
            value = self.reader.anything if kind is None else {kind: integers.as_type(value, kind)}
        return value

    def signed(self) -> PartlyKnown:
        if self.at >= len(self.tokens):
            raise UnreadableError
        token = self.tokens[self.at]
        sign = token.text if token.kind == SIGN else ""
        if sign in ("-", "+", "~", "!"):
            self.at += 1
            self.depth += 1
            if self.depth > _DEEPEST_EXPRESSION:
                raise UnreadableError
            value = self.signed()
            self.depth -= 1
            return integers.operate_unary(sign, value, self.language)
        if sign in ("*", "&", "&&", "++", "--"):
            self.at += 1
            self.signed()
            return self.reader.anything
        value = self.postfix(self.primary())
        if self.word() == "**" and self.language == PYTHON:
            self.at += 1
            power = integers.operate_binary("**", value, self.unary(), self.language)
            return self.reader.anything if power is None else power
        return value

    def postfix(self, value: PartlyKnown) -> PartlyKnown:
        """Read what follows a value that makes something unknown of it: a call, an index, a member."""
        while True:
            sign = self.word()
            if sign in (".", "->", "?") and (sign != "?" or self.language == RUST):
                self.at += 1 if sign == "?" else 2
            elif sign in ("(", "["):
                self.skip()
            elif sign in ("++", "--"):
                self.at += 1
            elif sign == "{" and self.language == C_PLUS_PLUS:
                self.skip()
            else:
                return value
            value = self.reader.anything

    def skip(self) -> Tokens:
        """Pass over brackets; return what is in them."""
        start = self.at
        depth = 0
        while self.at < len(self.tokens):
            text = self.tokens[self.at].text if self.tokens[self.at].kind == SIGN else ""
            depth += text in ("(", "[", "{")
            depth -= text in (")", "]", "}")
            self.at += 1
            if not depth:
                return self.tokens[start + 1 : self.at - 1]
        raise UnreadableError

    def primary(self) -> PartlyKnown:
        token = self.tokens[self.at]
        if token.kind == NUMBER:
            self.at += 1
            number = integers.integer_literal(token.text, self.language)
            return self.reader.anything if number is None else number
        if token.kind == STRING:
            self.at += 1
            is_character = self.language != PYTHON and _CHARACTER.fullmatch(token.text)
            return integers.constant(ord(token.text[1]), integers.INT) if is_character else self.reader.anything
        if token.kind == NAME:
            return self.name()
        if token.text == "(":
            return self.parentheses()
        if token.text == "::":
            self.at += 1
            return self.name()
        raise UnreadableError

    def parentheses(self) -> PartlyKnown:
        """Read a cast, or an expression in parentheses."""
        start = self.at
        inside = self.skip()
        follows = self.tokens[self.at] if self.at < len(self.tokens) else None
        if self.language == C_PLUS_PLUS and inside and follows is not None:
            kind = self.reader.type_named(inside)
            is_type = all(each.kind == NAME or each.text in ("::", "*", "&", "<", ">", ",") for each in inside)
            starts_operand = follows.kind in (NAME, NUMBER, STRING) or follows.text in (
                "(",
                "~",
                "!",
                "-",
                "+",
                "&",
                "*",
            )
            if kind is not None and is_type and starts_operand:
                value = self.unary()
                return {kind: integers.as_type(value, kind)}
            if is_type and (follows.kind in (NAME, NUMBER, STRING) or inside[-1].text in ("*", "&")):
                self.unary()
                return self.reader.anything
            if is_type and follows.text == "(" and len(inside) > 0:
                self.skip()
                return self.reader.anything
        end = self.at
        self.at = start + 1
        value = self.parse(0)
        if self.at != end - 1:
            raise UnreadableError  # a tuple, an assignment
        self.at = end
        return value

    def name(self) -> PartlyKnown:
        """Read a name: of a variable, a type, a function or a cast."""
        parts = [self.word()]
        if parts[0] in _NO_VALUES:
            raise UnreadableError
        self.at += 1
        while self.word() in ("::", ".") and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].kind == NAME:
            parts += [self.word(), self.word(1)]
            self.at += 2
        last = parts[-1]
        if self.language == C_PLUS_PLUS and self.word() == "<":
            return self.template(last)
        if self.language == RUST and self.word() == "!":
            self.at += 1
            self.skip_if_open()
            return self.reader.anything
        if last == "sizeof":
            return self.size()
        if self.language == C_PLUS_PLUS:
            while " ".join((last, self.word())) in self.reader.types and self.tokens[self.at].kind == NAME:
                last = " ".join((last, self.word()))
                self.at += 1
        if self.word() == "(" or (self.word() == "{" and self.language == C_PLUS_PLUS):
            return self.made(parts, last)
        return self.member(parts) if len(parts) > 1 else self.variable(last)

    def variable(self, name: str) -> PartlyKnown:
        """Return the value of a name that stands alone."""
        if name in ("true", "false", "True", "False"):
            return self.truth_value(name in ("true", "True"))
        variable = self.env.get(name)
        return self.reader.anything if variable is None else variable.value

    def made(self, parts: list[str], last: str) -> PartlyKnown:
        """Read what a name makes of what is in parentheses or braces: a conversion, or a call."""
        kind = self.reader.types.get(last) if len(parts) == 1 or parts[0] in _TYPE_SCOPES else None
        if self.language == RUST and parts[1:] == ["::", "from"]:
            kind = self.reader.types.get(parts[0])
        if kind is not None:
            return self.cast(kind)
        if self.word() == "(":
            return self.call(parts, last)
        self.skip()
        return self.reader.anything

    def template(self, name: str) -> PartlyKnown:
        """Read what follows a name with arguments of a template: a cast, or something unknown."""
        inside = self.angles()
        if inside is None:
            raise UnreadableError  # a comparison, or arguments that are not understood
        if name in CAST_OPERATORS and self.word() == "(":
            return self.cast(self.reader.type_named(inside))
        while self.word() == "::" or (self.at < len(self.tokens) and self.tokens[self.at].kind == NAME):
            self.at += 1
        if self.word() == "(" and self.reader.defines(name):
            return self.call([name], name)
        self.skip_if_open()
        return self.reader.anything

    def size(self) -> PartlyKnown:
        """Read the operand of ``sizeof``."""
        if self.word() != "(":
            self.unary()
            return {integers.ULONG: known.UNKNOWN}
        kind = self.reader.type_named(self.skip())
        if kind is None or kind == integers.BOOL:
            return {integers.ULONG: known.UNKNOWN}
        return integers.constant(kind.bits // 8)

    def skip_if_open(self) -> None:
        """Pass over brackets, if there are any."""
        if self.word() in ("(", "[", "{"):
            self.skip()

    def member(self, parts: list[str]) -> PartlyKnown:
        """Return the value of an enumerator, or of a field that is the number of all of a descriptor."""
        enumerator = self.env.get("".join(parts)) if self.language == C_PLUS_PLUS else None
        if enumerator is not None:
            return enumerator.value
        variable = self.env.get(parts[0])
        if variable is not None and variable.table and parts[1:] in ([".", "desc_"], [".", "desc"], [".", "reg64_"]):
            return variable.value
        return self.reader.anything

    def angles(self) -> Tokens | None:
        """Pass over the arguments of a template; None if these are none."""
        depth = 0
        for place in range(self.at, len(self.tokens)):
            text = self.tokens[place].text
            if text in (";", "{", "}", "&&", "||", "?") or (place > self.at and text in ASSIGNMENTS):
                return None
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            if depth <= 0:
                follows = self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
                if depth < 0 or follows not in ("(", "{", "::", "", ")", ",", "|", "^", "+", "<<"):
                    return None
                inside = self.tokens[self.at + 1 : place]
                self.at = place + 1
                return inside
        return None

    def cast(self, kind: IntegerType | None) -> PartlyKnown:
        """Read what is converted to a type, in parentheses or braces."""
        inside = self.skip()
        if not inside and kind is not None:
            return integers.constant(0, kind)
        value = self.inner(inside)
        if kind is None:
            return self.reader.anything
        one = integers.as_type(value, kind)
        if self.language == PYTHON:  # as NumPy computes it, and as Python does
            wide = known.extend(one, kind.bits, UNBOUNDED.bits, kind.signed)
            return {kind: one, UNBOUNDED: wide}
        return {kind: one}

    def inner(self, tokens: Tokens) -> PartlyKnown:
        return self.reader.evaluate(tokens, self.env, self.scope)

    def call(self, parts: list[str], name: str) -> PartlyKnown:
        """Read a call of a function: one of the text, or one that is known."""
        arguments = [part for part in split_tokens(self.skip()) if part]
        reader, anything = self.reader, self.reader.anything
        if reader.defines(name):
            if len(parts) > 1 or any(argument[0].text in ("*", "**") for argument in arguments):
                return anything  # a method, or any number of arguments
            by_place = [self.inner(argument) for argument in arguments if not _is_named(argument)]
            named = {argument[0].text: self.inner(argument[2:]) for argument in arguments if _is_named(argument)}
            result = reader.result(name, by_place, named, self.scope)
            return anything if result is None else result
        if name in SHARED_ADDRESS_CALLS:
            return {integers.ULONG: (0, ones(VALUE_BITS) & ~ones(WORD))}
        if name in SHARED_WORD:
            return {integers.UINT: known.UNKNOWN}
        if parts == ["int"] and self.language == PYTHON and len(arguments) == 2:
            return _parsed(*arguments) or anything
        if len(arguments) != 1:
            return anything
        value = self.inner(arguments[0])
        if name in LITERAL_MACROS:
            return {LITERAL_MACROS[name]: integers.as_type(value, LITERAL_MACROS[name])}
        if parts == ["int"] and self.language == PYTHON and [*value] == [UNBOUNDED]:
            return value
        return self.encoded(value) if ENCODING_CALL.fullmatch(name) and "." not in parts else anything

    def encoded(self, value: PartlyKnown) -> PartlyKnown:
        """Return PTX's matrix-descriptor-encode of a value."""
        is_c = self.language == C_PLUS_PLUS
        window = integers.constant(_WINDOW, integers.ULONG if is_c else UNBOUNDED)
        four = integers.constant(4, integers.INT if is_c else UNBOUNDED)
        masked = integers.operate_binary("&", value, window, self.language)
        return (masked and integers.operate_binary(">>", masked, four, self.language)) or self.reader.anything


_BEFORE_OPERANDS = frozenset(("(", "~", "!", "-", "+", "&", "*"))
_WINDOW = 0x3FFFF
_TYPE_SCOPES = frozenset(("std", "np", "numpy", "ctypes", "jnp", "torch", "cute"))
_NO_VALUES = frozenset(
    (
        *("new", "throw", "delete", "lambda", "await", "yield", "co_await", "if", "match", "unsafe", "move", "loop"),
        *("while", "for", "return"),
    )
)


def _is_named(tokens: Tokens) -> bool:
    """Whether an argument of Python is given by its name."""
    return len(tokens) > 1 and tokens[1].text == "="


def _parsed(digits: Tokens, base: Tokens) -> PartlyKnown | None:
    """Return what Python's ``int`` makes of a string and a base; None if one of them is no literal."""
    if len(digits) != 1 or digits[0].kind != STRING or [token.text for token in base] not in (["16"], ["2"], ["0"]):
        return None
    try:
        return integers.constant(int(digits[0].text.strip("\"'"), int(base[0].text)), UNBOUNDED)
    except ValueError:
        return None


def is_plain(tokens: Tokens, types: dict[str, IntegerType]) -> bool:
    """Whether a value is an expression of numbers alone."""
    allowed = types.keys() | CAST_OPERATORS | LITERAL_MACROS.keys() | {"std", "np", "numpy", "const", "as"}
    return all(token.kind == NUMBER or token.kind == SIGN or token.text in allowed for token in tokens)
