"""A descriptor as a constant to paste: bare, or a line of a language with a comment that says what it is."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from typing import NamedTuple

from smemdesc.encoding import Encoded
from smemdesc.errors import SmemdescError
from smemdesc.explain import summary
from smemdesc.fields import WORD, ones, signed, words
from smemdesc.values import to_hex


class Constant:
    """A wholly or partly known value of ``width`` bits with a name and a comment."""

    def __init__(self, encoded: Encoded, name: str) -> None:
        table = encoded.kind.table
        self.value = encoded.value
        self.known = encoded.known
        self.width = table.width
        self.name = name
        self.comment = summary(encoded.kind, table.read(encoded.value, encoded.known))

    @property
    def hex(self) -> str:
        """Hexadecimal of full width."""
        return to_hex(self.value, self.known, self.width)


def _hex(constant: Constant) -> str:
    return constant.hex


def _dec(constant: Constant) -> str:
    return str(constant.value)


def _sdec(constant: Constant) -> str:
    return str(signed(constant.value, constant.width))


def _words(constant: Constant) -> str:
    if constant.width == WORD:
        return constant.hex
    high, low = words(constant.value)
    known = words(constant.known)
    parts = [to_hex(word, mask, WORD) if mask else "?" for word, mask in zip((high, low), known, strict=True)]
    return ":".join(parts)


def _c(constant: Constant) -> str:
    macro = f"UINT{constant.width}_C"
    return f"static const uint{constant.width}_t {constant.name} = {macro}({constant.hex}); /* {constant.comment} */"


def _cuda(constant: Constant) -> str:
    suffix = "ull" if constant.width > WORD else "u"
    return f"constexpr uint{constant.width}_t {constant.name} = {constant.hex}{suffix}; // {constant.comment}"


def _ptx(constant: Constant) -> str:
    return f"mov.b{constant.width} {constant.name}, {constant.hex}; // {constant.comment}"


def _python(constant: Constant) -> str:
    return f"{constant.name} = {constant.hex}  # {constant.comment}"


_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
"""Words of C or C++: what stands in a header may be read as either."""


class _Names(NamedTuple):
    """What a language takes for the name of a constant."""

    language: str
    pattern: str
    words: frozenset[str]
    """Words of the language, which are no names."""
    takes: str


_LETTERS = "letters, digits and _, no digit first"
_NAMES = {
    "c": _Names("C", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(_WORDS.split()), _LETTERS),
    "cuda": _Names("CUDA C++", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(_WORDS.split()), _LETTERS),
    "ptx": _Names(
        "PTX",
        r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+",
        frozenset(["WARP_SZ"]),
        "letters, digits, _ and $, no digit first",
    ),
    "python": _Names("Python", r"[A-Za-z_][A-Za-z0-9_]*", frozenset(keyword.kwlist), _LETTERS),
}


def check_name(style: str, name: str) -> None:
    """Refuse a name that the language of a style does not take; styles without a language have no name."""
    names = _NAMES.get(style)
    if names is None or (re.fullmatch(names.pattern, name) and name not in names.words):
        return
    why = "it is a word of the language" if name in names.words else f"a name is {names.takes}"
    raise SmemdescError(f"--name: {name!r} is not a name in {names.language}", hint=f"{why}; as in --name a_desc")


_WRITERS: dict[str, Callable[[Constant], str]] = {
    "hex": _hex,
    "dec": _dec,
    "sdec": _sdec,
    "words": _words,
    "c": _c,
    "cuda": _cuda,
    "ptx": _ptx,
    "python": _python,
}


def constant(encoded: Encoded, style: str, name: str = "desc") -> str:
    """Return the value in a style: hex, dec, sdec, words, c, cuda, ptx or python.

    :class:`smemdesc.errors.SmemdescError` where the value is not wholly known and the style cannot say so,
    or where the name is none in the language.
    """
    check_name(style, name)
    each = Constant(encoded, name)
    if each.known != ones(each.width) and style not in ("hex", "words"):
        raise SmemdescError(
            f"{each.hex} is not wholly known and cannot be written as {style}", hint="use --format hex or words"
        )
    return _WRITERS[style](each)
