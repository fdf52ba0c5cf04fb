"""The names that stand for types and attributes (``#shared = #ttg...``, ``!view = !cute...``), which functions use.

They stand before the functions. A file may hold several modules (a compiler's IR after each of its passes), each with
names of its own: the last definition before a function counts.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from typing import NamedTuple

from smemdesc.scanning.languages.lowering import outside, split

_DEFINED = re.compile(rb"(?m)^[ \t]*+([#!][A-Za-z_][\w$.]*+)[ \t]*+=[ \t]*+(?!loc\b)([^\n]*+)")
_NAMED = re.compile(r"(?<![\w#!])[#!][A-Za-z_][\w$]*+(?![\w$.])")
_USED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"?+|" + _NAMED.pattern, re.S)
_LAYOUTS = tuple(f"{mark}{dialect}" for mark in "#!" for dialect in ("cute", "tt", "gluon"))
_LOCATION = re.compile(rb"(?m)^[ \t]*+(#loc\w*+)[ \t]*+=[ \t]*+loc\(([^\n]*+)")
_PLACE = re.compile(r"\"([^\"]*)\":(\d{1,9}):\d{1,9}|#loc\w*")
_NARROW = re.compile(rb"\bindex ?[,=] ?32\b")
_LONGEST = 4_000
"""Characters of a definition, and of a type with its names replaced."""
_DEEPEST = 8
"""Definitions within definitions."""
_MOST = 50_000
"""Types of one function that are remembered."""


class MlirModule(NamedTuple):
    """What stands around the functions of a file: each name with where it is defined (in bytes), and as what."""

    names: dict[str, tuple[list[int], list[str]]]
    size: int
    """Bytes that were looked at: of what lies behind nothing is known."""
    locations: dict[str, str] = {}  # noqa: RUF012 - never written to
    """The locations in the source that have names; empty for one that is several, in several modules."""
    narrow: bool = False
    """Whether a data layout says that an index has 32 bits."""
    plain: bool = False
    """Whether a name stands for a type or attribute of a dialect whose operations are read as they stand there."""

    def at(self, start: int, end: int) -> Aliases:
        """Return what each name stands for in a text that has definitions of its own before ``end``."""
        return Aliases(self, start, end) if end <= self.size else Aliases()


class Aliases:
    """What the names stand for in one function: what they were defined as last before it.

    Of definitions between ``start`` and ``end``, among which its operations stand, one is as good as another.
    """

    def __init__(self, module: MlirModule | None = None, start: int = 0, end: int = 0) -> None:
        self._module = module
        self._start = start
        self._end = end
        self._expansions: dict[str, str] = {}
        self.narrow = module is not None and module.narrow

    def source(self, location: str) -> tuple[str, int] | None:
        """Return file and line of the first place in the source that a location names."""
        for _ in range(_DEEPEST):
            place = _PLACE.search(location)
            if place is None:
                return None
            if place[1] is not None:
                return place[1], int(place[2])
            location = self._module.locations.get(place[0], "") if self._module is not None else ""
        return None

    def written_out(self, text: str) -> str:
        """Return a function with the names in it replaced, but for those in strings, and those of layouts.

        What reads layouts (of Triton, of the CuTe DSL) replaces them itself, where they are needed.
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

    def expand(self, text: str) -> str:
        """Return a type with the names in it replaced by what they stand for; empty where that grows too long."""
        expansion = self._expansions.get(text)
        if expansion is None:
            expansion = self._expanded(text)
            if len(self._expansions) < _MOST:
                self._expansions[text] = expansion
        return expansion

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


def module(text: bytes, whole: bool = True) -> MlirModule:
    """Return the definitions in the beginning of a file; ``whole``: the file has no more than that."""
    names: dict[str, tuple[list[int], list[str]]] = {}
    for match in _DEFINED.finditer(text):
        offsets, texts = names.setdefault(match[1].decode("utf-8", "replace"), ([], []))
        offsets.append(match.start())
        texts.append(match[2].decode("utf-8", "replace").strip() if len(match[2]) <= _LONGEST else "")
    locations: dict[str, str] = {}
    for match in _LOCATION.finditer(text):
        name, location = match[1].decode("utf-8", "replace"), match[2][:_LONGEST].decode("utf-8", "replace")
        locations[name] = location if locations.get(name, location) == location else ""
    narrow = b"#dlti.dl_" in text and _NARROW.search(text) is not None
    plain = any(text and not text.startswith(_LAYOUTS) for _, texts in names.values() for text in texts)
    return MlirModule(names, sys.maxsize if whole else len(text), locations, narrow, plain)


def parts(text: str) -> list[str]:
    """Cut a list of types at the commas, arrows and stars that stand in no brackets or quotes."""
    return split(text, (",", "*", "->"))


def types(text: str) -> list[str]:
    """Return the types of an operation: what stands behind its last colon outside brackets and quotes, cut up."""
    colon = max((at for at, mark in outside(text) if mark == ":"), default=-1)
    if colon < 0:
        return []
    kinds = parts(text[colon + 1 :])
    if kinds and kinds[0].startswith("("):
        # "(A, B) -> C": the operands stand in brackets of their own.
        inner = kinds[0][1:].rpartition(")")[0]
        return [*parts(inner), *kinds[1:]]
    return kinds
