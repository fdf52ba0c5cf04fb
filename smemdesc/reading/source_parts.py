"""The parts of statements of source code: their targets, heads and lists, and what a statement may change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.reading.integers import C_PLUS_PLUS, PYTHON
from smemdesc.reading.source_text import (
    ASSIGNMENTS,
    DIRECTIVE,
    MACRO,
    NAME,
    NUMBER,
    OPAQUE,
    SIGN,
    STRING,
    SourceBlock,
    SourceStatement,
    SourceToken,
)

Tokens = Sequence[SourceToken]
CAST_OPERATORS = frozenset(("static_cast", "reinterpret_cast", "bit_cast", "const_cast", "__bit_cast"))
ASM = frozenset(("asm", "__asm__", "__asm"))
CLASSES = frozenset(("struct", "class", "union", "impl", "trait"))
_ATTRIBUTES = re.compile(r"__\w+__|alignas|noexcept|decltype|requires|throw|__attribute__|__declspec|maybe_unused")


class NamePath(NamedTuple):
    """A name with its fields: ``desc.bitfield.start_address_``."""

    root: str
    text: str
    is_far: bool
    """Whether it is behind a pointer, in an array, or in another scope."""


def path_of(tokens: Tokens) -> NamePath | None:
    if not tokens or tokens[0].kind != NAME:
        return None
    at, is_far = 1, False
    while at < len(tokens):
        text = tokens[at].text
        if text in (".", "->", "::") and at + 1 < len(tokens) and tokens[at + 1].kind == NAME:
            is_far = is_far or text != "."
            at += 2
        elif text == "[":
            depth = 0
            for place in range(at, len(tokens)):
                depth += (tokens[place].text == "[") - (tokens[place].text == "]")
                if not depth:
                    break
            else:
                return None
            is_far, at = True, place + 1
        else:
            return None
    return NamePath(tokens[0].text, "".join(token.text for token in tokens), is_far)


def assignment_in(tokens: Tokens) -> tuple[int, str]:
    """Return the index and the sign of the first assignment outside of brackets; -1 if there is none."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind != SIGN:
            continue
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        if not depth and token.text in ASSIGNMENTS and token.text != ":=":
            return at, token.text
    return -1, ""


def split_tokens(tokens: Tokens) -> list[Tokens]:
    """Split tokens at the commas outside of brackets."""
    parts: list[list[SourceToken]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == SIGN:
            depth += token.text in ("(", "[", "{")
            depth -= token.text in (")", "]", "}")
            if token.text == "," and not depth:
                parts.append([])
                continue
        parts[-1].append(token)
    return list(parts)


def sum_parts(tokens: Tokens) -> list[Tokens]:
    """Split an expression at the ``+`` outside of brackets; only itself if it has other operators there."""
    parts: list[list[SourceToken]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == SIGN:
            depth += token.text in ("(", "[", "{")
            depth -= token.text in (")", "]", "}")
            if not depth and token.text == "+":
                parts.append([])
                continue
            if not depth and token.text in _LOOSER:
                return [tokens]
        parts[-1].append(token)
    return list(parts) if all(parts) else [tokens]


_LOOSER = frozenset(("-", "<<", ">>", "&", "|", "^", "?", "&&", "||", "==", "!=", "<", "<=", ">=", ","))


def without_angles(tokens: Tokens) -> Tokens:
    """Return tokens without the arguments of templates."""
    out: list[SourceToken] = []
    depth = 0
    for token in tokens:
        if token.text == "<":
            depth += 1
        elif token.text in (">", ">>") and depth:
            depth = max(0, depth - len(token.text))
        elif not depth:
            out.append(token)
    return out if not depth else tokens


def without_parentheses(tokens: Tokens) -> Tokens:
    """Return the tokens that are in parentheses, if all are."""
    if tokens and tokens[0].text == "(" and closing_of(tokens, 0) == len(tokens) - 1:
        return tokens[1:-1]
    return tokens


def without_attributes(tokens: Tokens) -> Tokens:
    """Return tokens without attributes and without the parameters of a template."""
    while tokens:
        texts = [token.text for token in tokens[:2]]
        if texts in (["[", "["], ["#", "["], ["#", "!"]) or (texts[:1] == ["@"]):
            depth = 0
            for at, token in enumerate(tokens):
                depth += (token.text == "[") - (token.text == "]")
                if not depth and token.text == "]":
                    tokens = tokens[at + 1 :]
                    break
            else:
                return ()
        elif texts == ["template", "<"]:
            depth = 0
            for at, token in enumerate(tokens[1:], 1):
                depth += {"<": 1, ">": -1, ">>": -2}.get(token.text, 0)
                if depth <= 0:
                    tokens = tokens[at + 1 :]
                    break
            else:
                return ()
        else:
            break
    return tokens


def after_label(tokens: Tokens, language: str) -> int:
    """Return how many tokens a label at the beginning has."""
    if language == PYTHON:
        return 0
    first = tokens[0].text
    if first in ("case", "default"):
        return next((at + 1 for at, token in enumerate(tokens) if token.text == ":"), len(tokens))
    if len(tokens) > 1 and tokens[0].kind == NAME and tokens[1].text == ":":
        return 2
    return 0


ENDS_OF_HEADS = frozenset((")", "const", "noexcept", "override", "final"))


def function_head(head: Tokens, language: str) -> tuple[int, Tokens, Tokens] | None:
    """Return where the name of a function is in its head, its parameters, and what is before the name."""
    if language == C_PLUS_PLUS:
        return _head_of_c(head)
    at = next((place for place, token in enumerate(head) if token.text in ("def", "fn")), len(head))
    opening = next((place for place in range(at + 2, len(head)) if head[place].text == "("), None)
    return None if opening is None else (at + 1, _inside(head, opening), ())


def _head_of_c(head: Tokens) -> tuple[int, Tokens, Tokens] | None:
    """Return the same for C++: the last name before parentheses that is no attribute."""
    found = None
    depth = angle = 0
    for at, token in enumerate(head):
        if found and token.text in (":", "->") and not depth + angle:
            break
        if token.text == "(":
            if at and not depth + angle and _is_function_name(head[at - 1]):
                found = at - 1, _inside(head, at), head[: at - 1]
            depth += 1
        elif token.text == ")":
            depth -= 1
        elif not depth:
            angle = max(0, angle + {"<": 1, ">": -1, ">>": -2}.get(token.text, 0))
    is_head = found is not None and found[2] and found[2][-1].text not in ("=", "(", ",")
    return found if is_head else None


def _is_function_name(token: SourceToken) -> bool:
    return token.kind == NAME and _ATTRIBUTES.fullmatch(token.text) is None


def _inside(tokens: Tokens, opening: int) -> Tokens:
    return tokens[opening + 1 : closing_of(tokens, opening)]


def closing_of(tokens: Tokens, opening: int) -> int:
    """Return the index of the bracket that closes another; the number of tokens if none does."""
    depth = 0
    is_angle = tokens[opening].text == "<"
    for at in range(opening, len(tokens)):
        text = tokens[at].text
        depth += (text in _OPENING) - (text in _CLOSING)
        if is_angle:
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        if depth <= 0:
            return at
    return len(tokens)


_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def class_name(head: Tokens) -> str:
    names = [token.text for token in without_angles(head) if token.kind == NAME]
    return next((name for name in names if name not in CLASSES and not name.startswith("__")), "")


def declared_names(block: SourceBlock) -> set[str]:
    """Return the names that a class may declare."""
    names = set()
    for item in block.items:
        tokens = item.head if isinstance(item, SourceBlock) else item.tokens
        for at, token in enumerate(tokens):
            after = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if token.kind == NAME and (after in ("=", "{", "[", "(", ",", ":") or not after):
                names.add(token.text)
    return names


def statements_in(block: SourceBlock) -> Iterator[SourceStatement]:
    for item in block.items:
        if isinstance(item, SourceBlock):
            yield from statements_in(item)
        else:
            yield item


class StatementEffects(NamedTuple):
    """What a statement may change."""

    changed: frozenset[str]
    escaped: frozenset[str]
    """Variables whose address is taken."""
    passed: frozenset[tuple[str, str]]
    """Variables that are arguments of calls, and of which."""
    calls: bool
    """Whether a function is called that is not known."""
    labels: bool = False
    """Whether anything may have changed: there is a label, or a branch of the preprocessor."""


KEYWORDS = frozenset(
    (
        *("if", "while", "for", "switch", "return", "sizeof", "alignof", "catch", "and", "or", "not", "in", "is"),
        *("else", "elif"),
    )
)


def effects_in(tokens: Tokens, language: str) -> StatementEffects:
    """Return what the tokens of a statement may change."""
    return _EffectsReader(tokens, language).read()


class _EffectsReader:
    """Reads a statement for what it may change, token by token."""

    def __init__(self, tokens: Tokens, language: str) -> None:
        self.tokens = tokens
        self.language = language
        self.changed: set[str] = set()
        self.escaped: set[str] = set()
        self.passed: set[tuple[str, str]] = set()
        self.calls = self.labels = False
        self.opened: list[str] = []
        """The names before the brackets that are open."""
        self.target = 0
        """Where the next target of an assignment of Python begins."""

    def read(self) -> StatementEffects:
        tokens = self.tokens
        self.labels = bool(tokens) and tokens[0].kind == MACRO
        for at, token in enumerate(tokens):
            self.labels = self.labels or token.kind == DIRECTIVE or token.text == OPAQUE.text
            if token.kind == NAME:
                self._name(at, token.text)
            elif token.kind == SIGN:
                self._sign(at, token.text)
        if self.language == PYTHON and tokens and tokens[0].text in _BINDING:
            self.changed |= {each.text for each in tokens if each.kind == NAME}
        return StatementEffects(
            *(frozenset(self.changed), frozenset(self.escaped), frozenset(self.passed), self.calls, self.labels)
        )

    def _word(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _name(self, at: int, name: str) -> None:
        before, after = self._word(at - 1), self._word(at + 1)
        self.labels = self.labels or (name in _LABELS and self.language != PYTHON)
        if before in ("(", ",", "{") and after in (")", ",", "}") and self.opened and self.opened[-1]:
            self.passed.add((name, self.opened[-1]))
        if after in (".", "->") and self._word(at + 3) in ("(", "<") and before not in (".", "->"):
            self.passed.add((name, self._word(at + 2)))
        if before == ">>" and at == len(self.tokens) - 1 and not self._assigns():
            self.changed.add(name)  # std::cin >> name
        if before in ("nonlocal", "global"):
            self.escaped.add(name)

    def _assigns(self) -> bool:
        return self.language != C_PLUS_PLUS or any(
            token.text in ASSIGNMENTS or token.text == "return" for token in self.tokens
        )

    def _sign(self, at: int, sign: str) -> None:
        if sign in ("(", "[", "{"):
            self._open(at, sign)
        elif sign in (")", "]", "}"):
            self.opened = self.opened[:-1]
        elif sign in ASSIGNMENTS:
            self._assign(at, sign)
        elif sign in ("++", "--") and self.language == C_PLUS_PLUS:
            self.changed |= _target_names(self.tokens, at)
            if at + 1 < len(self.tokens) and self.tokens[at + 1].kind == NAME:
                self.changed.add(self._word(at + 1))
        elif sign == "&" and self.language != PYTHON:
            self._take_address(at)

    def _open(self, at: int, sign: str) -> None:
        lead = self.tokens[at - 1] if at and sign != "[" else None
        name = lead.text if lead is not None and lead.kind == NAME else ""
        if lead is not None and lead.text in (">", ">>"):
            name = _before_angles(self.tokens, at - 1)
        self.opened.append(name)
        if sign == "(" and name and not any(name in names for names in (KEYWORDS, ASM, CAST_OPERATORS)):
            self.calls = True

    def _assign(self, at: int, sign: str) -> None:
        if self.language == PYTHON and sign == "=" and not self.opened:
            self.changed |= {each.text for each in self.tokens[self.target : at] if each.kind == NAME}
            self.target = at + 1
        else:
            self.changed |= _target_names(self.tokens, at)
        if sign == "=" and self.language == C_PLUS_PLUS and self._word(at - 2) in ("&", "&&"):
            self.escaped |= _names_until_comma(self.tokens, at + 1)

    def _take_address(self, at: int) -> None:
        follows = self._word(at + 1)
        if follows == "mut":
            self.escaped.add(self._word(at + 2))
        elif self.language == C_PLUS_PLUS and _is_address(self.tokens, at):
            after = self.tokens[at + 1 : at + 12] if follows == "(" else self.tokens[at + 1 : at + 2]
            self.escaped |= {each.text for each in after if each.kind == NAME}


_BINDING = frozenset(("for", "with", "import", "from", "del", "except", "async"))
_LABELS = frozenset(("case", "default", "goto"))


def _is_address(tokens: Tokens, at: int) -> bool:
    """Whether an ``&`` takes an address: what is before it is no operand, or may be a cast."""
    if not at:
        return True
    before = tokens[at - 1]
    if before.kind in (NUMBER, STRING) or before.text == "]":
        return False
    if before.kind == NAME:
        return before.text in ("return", "else")
    if before.text != ")":
        return before.text != ">"
    depth = 0
    for place in range(at - 1, -1, -1):
        token = tokens[place]
        depth += (token.text == ")") - (token.text == "(")
        if not depth:
            lead = tokens[place - 1] if place else None
            is_operand = lead is not None and (
                (lead.kind == NAME and lead.text != "return") or lead.text in (")", "]", ">")
            )
            return not is_operand
        if token.kind not in (NAME,) and token.text not in ("*", "::", "<", ">", ",", ")", "&"):
            return False
    return True


def _names_until_comma(tokens: Tokens, at: int) -> set[str]:
    """Return the names of an expression that begins at an index."""
    depth = 0
    names = set()
    for token in tokens[at:]:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth < 0 or (not depth and token.text in (",", ";")):
            break
        if token.kind == NAME:
            names.add(token.text)
    return names


def _target_names(tokens: Tokens, at: int) -> set[str]:
    """Return the names that an assignment at an index may change: those of the path before it."""
    place = at - 1
    depth = 0
    names: set[str] = set()
    while place >= 0:
        token = tokens[place]
        if token.text in (")", "]"):
            depth += 1
        elif token.text in ("(", "["):
            if not depth:
                break
            depth -= 1
        elif token.kind == NAME:
            names.add(token.text)
            before = tokens[place - 1].text if place else ""
            if not depth and before not in (".", "->", "::", "*", "&"):
                break
        elif not depth and token.text not in (".", "->", "::", "*", "&"):
            break
        place -= 1
    return names


def _before_angles(tokens: Tokens, at: int) -> str:
    """Return the name before the arguments of a template that end at an index."""
    depth = 0
    for place in range(at, -1, -1):
        text = tokens[place].text
        depth += {">": 1, ">>": 2, "<": -1}.get(text, 0)
        if depth <= 0:
            return tokens[place - 1].text if place and tokens[place - 1].kind == NAME else ""
        if text in (";", "{", "}"):
            return ""
    return ""


def set_often(root: SourceBlock) -> frozenset[str]:
    """Return the names of a file of Python that more than one statement sets, or that a function declares global."""
    seen: set[str] = set()
    twice: set[str] = set()

    def visit(block: SourceBlock, is_top: bool) -> None:
        for item in block.items:
            if isinstance(item, SourceBlock):
                words = [token.text for token in item.head[:2]]
                is_inner = "def" in words or "class" in words or "fn" in words
                if not is_inner:
                    note(effects_in(item.head, PYTHON).changed, in_block=True)
                visit(item, is_top and not is_inner)
            else:
                effects = effects_in(item.tokens, PYTHON)
                if item.tokens[0].text in ("global", "nonlocal"):
                    twice.update(token.text for token in item.tokens)
                elif is_top:
                    note(effects.changed, in_block=block is not root)

    def note(names: Iterable[str], in_block: bool) -> None:
        for name in names:
            if name in seen or in_block:
                twice.add(name)
            seen.add(name)

    visit(root, True)
    return frozenset(twice)
