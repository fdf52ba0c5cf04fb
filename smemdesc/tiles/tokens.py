"""The words of a layout's text, with where each stands: what :mod:`smemdesc.tiles.cute` descends over."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from smemdesc.engine.errors import SmemdescError

FORMS = (
    "CuTe: Sw<3,4,3>_smem_ptr[16b](0x400) o (_64,_16):(_64,_1), "
    "Triton: #ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}> or !ttg.memdesc<...>, TMA: box=64x128,swizzle=128B"
)
"""What a layout may look like, for messages."""

_TOKEN = re.compile(
    r"""\s*+(?:(?P<hex>0x[0-9A-Fa-f]+\b)
    |(?P<shaped>[0-9]+(?:x[0-9]+)*x[A-Za-z][A-Za-z0-9]*|[1-9][0-9]*(?:x[0-9]+)+)
    |(?P<width>[0-9]+b\b)
    |(?P<number>-?_?[0-9]+\b)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    |(?P<string>"[^"]*")
    |(?P<mark>[^\sA-Za-z0-9_]))""",
    re.VERBOSE | re.ASCII,
)


Span = tuple[int, int]
"""A half-open range of characters of the text."""


class Token(NamedTuple):
    """A word, what it is, and where it stands."""

    kind: str
    text: str
    start: int

    @property
    def span(self) -> tuple[int, int]:
        """The half-open range of its characters."""
        return self.start, self.start + max(1, len(self.text))


class Words:
    """The tokens of a text, read from left to right."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self.text = text
        self.at = 0
        self.tokens: list[Token] = []
        limit = len(text) if end is None else end
        place = start
        while place < limit:
            match = _TOKEN.match(text, place, limit)
            if match is None:
                break
            kind = match.lastgroup
            assert kind is not None
            self.tokens.append(Token(kind, match[kind], match.start(kind)))
            place = match.end()
        rest = text[place:limit]
        if rest.strip():
            begin = place + len(rest) - len(rest.lstrip())
            self.wrong(f"{text[begin]!r} is out of place", Token("mark", text[begin], begin))
        self.end = Token("end", "", min(limit, len(text.rstrip())))

    def peek(self, ahead: int = 0) -> Token:
        """Return the next token, or one further on, without taking it."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else self.end

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the next token if it is one of these texts."""
        return self.take() if self.peek().text in texts else None

    def expect(self, text: str, where: str = "") -> Token:
        """Take the next token, which has to be this text."""
        token = self.peek()
        if token.text != text:
            found = f"{token.text!r} is" if token.text else "the text ends"
            self.wrong(f"{found} where {text!r} belongs{where}", token)
        return self.take()

    def number(self, what: str) -> int:
        """Take a whole number, with or without CuTe's ``_`` of static ones."""
        token = self.peek()
        if token.kind != "number":
            if token.text == "?":
                self.wrong(f"{what} is only known at run time", token, "write the number in its place")
            found = f"{token.text!r} is not a number" if token.text else "the text ends"
            self.wrong(f"{found}: {what} belongs here", token)
        self.take()
        digits = token.text.replace("_", "")
        if len(digits) > 12:
            self.wrong(f"{what} {digits[:12]}... is larger than shared memory", token)
        return int(digits)

    def wrong(self, message: str, at: Token | Span | None = None, hint: str = "") -> NoReturn:
        """Raise :class:`smemdesc.engine.errors.SmemdescError` with a caret under a token (the next one) or a span."""
        at = at or self.peek()
        span = at.span if isinstance(at, Token) else at
        raise SmemdescError(message, given=self.text, span=span, hint=hint or f"forms: {FORMS}")
