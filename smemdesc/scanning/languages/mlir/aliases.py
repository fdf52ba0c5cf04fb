"""Aliases of types and attributes (``#shared = #ttg...``, ``!view = !cute...``), which functions use.

They precede the functions. A file may hold several modules (a compiler's IR after each of its passes), each with its
own aliases: the last definition before a function counts.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.brackets import outside, split

_DEFINED = re.compile(rb"(?m)^[ \t]*+([#!][A-Za-z_][\w$.]*+)[ \t]*+=[ \t]*+(?!loc\b)([^\n]*+)")
_NAMED = re.compile(r"(?<![\w#!])[#!][A-Za-z_][\w$]*+(?![\w$.])")
_USED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"?+|" + _NAMED.pattern, re.S)
_LAYOUTS = tuple(f"{mark}{dialect}" for mark in "#!" for dialect in ("cute", "tt", "gluon"))
_LOCATION = re.compile(rb"(?m)^[ \t]*+(#loc\w*+)[ \t]*+=[ \t]*+loc\(([^\n]*+)")
_PLACE = re.compile(r"\"([^\"]*)\":(\d{1,9}):\d{1,9}|#loc\w*")
_NARROW = re.compile(rb"\bindex ?[,=] ?32\b")
_LONGEST = 4_000
"""The most characters of a definition, and of a type with its aliases expanded."""
_DEEPEST = 8
"""The most levels of aliases in aliases."""
_MOST = 50_000
"""The most types of one function that are cached."""


class MlirModule(NamedTuple):
    """What surrounds the functions of a file: each alias with the offsets (in bytes) and texts of its definitions."""

    names: dict[str, tuple[list[int], list[str]]]
    size: int
    """The number of bytes read: nothing is known of the rest."""
    locations: dict[str, str] = {}  # noqa: RUF012 - never written to
    """The named locations in the source; empty if several modules define one differently."""
    narrow: bool = False
    """Whether a data layout makes an index 32 bits wide."""
    plain: bool = False
    """Whether there is an alias of a type or attribute of a dialect whose operations are read with aliases expanded."""

    def at(self, start: int, end: int) -> Aliases:
        """Return the aliases for the text between ``start`` and ``end``, which may have definitions of its own."""
        return Aliases(self, start, end) if end <= self.size else Aliases()


class Aliases:
    """The aliases in one function: the last definition of each before it.

    Definitions between ``start`` and ``end``, among its operations, count if they all agree.
    """

    def __init__(self, module: MlirModule | None = None, start: int = 0, end: int = 0) -> None:
        self._module = module
        self._start = start
        self._end = end
        self.expand = lru_cache(_MOST)(self._expanded)
        """Return a type with its aliases expanded; empty if that grows too long."""
        self.narrow = module is not None and module.narrow

    def source(self, location: str) -> tuple[str, int] | None:
        """Return file and line of the first source position in a location."""
        for _ in range(_DEEPEST):
            place = _PLACE.search(location)
            if place is None:
                return None
            if place[1] is not None:
                return place[1], int(place[2])
            location = self._module.locations.get(place[0], "") if self._module is not None else ""
        return None

    def written_out(self, text: str) -> str:
        """Return a function with its aliases expanded, except aliases of layouts, and not in strings.

        The readers of layouts (of Triton, of the CuTe DSL) expand these themselves, as needed.
        """
        if self._module is None or not self._module.plain:
            return text
        return _USED.sub(self._written_out, text)

    def _written_out(self, used: re.Match[str]) -> str:
        name = used[0]
        expansion = name if name[0] == '"' else self.expand(name)
        return name if expansion.startswith(_LAYOUTS) else expansion or name

    def _get(self, name: str) -> str:
        offsets, texts = self._module.names.get(name, ([], [])) if self._module is not None else ([], [])
        last = bisect_left(offsets, self._end)
        first = min(bisect_left(offsets, self._start), last - 1)
        return texts[last - 1] if last and len(set(texts[first:last])) == 1 else name

    def _expanded(self, text: str) -> str:
        if len(text) > _LONGEST:
            return ""
        for _ in range(_DEEPEST):
            replaced = _NAMED.sub(lambda match: self._get(match[0]), text) if "#" in text or "!" in text else text
            if replaced == text:
                return text
            if len(replaced) > _LONGEST:
                return ""
            text = replaced
        return text


def module_aliases(text: bytes, whole: bool = True) -> MlirModule:
    """Return the definitions in the beginning of a file; ``whole``: ``text`` is the whole file."""
    names: dict[str, tuple[list[int], list[str]]] = {}
    for match in _DEFINED.finditer(text):
        offsets, texts = names.setdefault(match[1].decode("utf-8", "replace"), ([], []))
        offsets.append(match.start())
        texts.append(_definition(text, match) if len(match[2]) <= _LONGEST else "")
    locations: dict[str, str] = {}
    for match in _LOCATION.finditer(text):
        name, location = match[1].decode("utf-8", "replace"), match[2][:_LONGEST].decode("utf-8", "replace")
        locations[name] = location if locations.get(name, location) == location else ""
    narrow = b"#dlti.dl_" in text and _NARROW.search(text) is not None
    plain = any(text and not text.startswith(_LAYOUTS) for _, texts in names.values() for text in texts)
    return MlirModule(names, sys.maxsize if whole else len(text), locations, narrow, plain)


def _definition(text: bytes, match: re.Match[bytes]) -> str:
    """Return what an alias stands for, without comments; a line that a terminal broke within brackets is joined."""
    lines = text[match.start(2) : match.end() + _LONGEST].split(b"\n")[:_MOST_LINES]
    definition = ""
    for line in lines:
        bare = _TEXT.sub(lambda string: "_" * len(string[0]), decoded := line.decode("utf-8", "replace"))
        definition += decoded[: len(bare.partition("//")[0])].strip()
        bare = _TEXT.sub("", definition).replace("->", "")
        if bare.count("<") <= bare.count(">") and bare.count("{") <= bare.count("}"):
            return definition
    return match[2].decode("utf-8", "replace").strip()


_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*+\"?+")
_MOST_LINES = 8
"""Lines of one definition."""


def parts(text: str) -> list[str]:
    """Split a list of types at the commas, arrows and stars outside brackets and quotes."""
    return split(text, (",", "*", "->"))


def operation_types(text: str) -> list[str]:
    """Return the types of an operation, which follow its last colon outside brackets and quotes."""
    colon = max((at for at, mark in outside(text) if mark == ":"), default=-1)
    if colon < 0:
        return []
    kinds = parts(text[colon + 1 :])
    if kinds and kinds[0].startswith("("):
        # "(A, B) -> C": the types of the operands are in brackets.
        inner = kinds[0][1:].rpartition(")")[0]
        return [*parts(inner), *kinds[1:]]
    return kinds
