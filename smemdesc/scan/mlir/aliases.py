"""The names that stand for types and attributes (``#shared = #ttg...``, ``!view = !cute...``), which functions use.

They stand before the functions. A file may hold several modules (a compiler's IR after each of its passes), each with
names of its own: the last definition before a function counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import NamedTuple

_DEFINED = re.compile(rb"(?m)^([#!][A-Za-z_][\w$.]*+)[ \t]*+=[ \t]*+(?!loc\b)([^\n]*+)")
_NAMED = re.compile(r"(?<![\w#!])[#!][A-Za-z_][\w$]*+(?![\w$.])")
_LONGEST = 20_000
"""Characters of a definition, and of a type with its names replaced."""
_DEEPEST = 8
"""Definitions within definitions."""

Aliases = Mapping[str, str]


class Module(NamedTuple):
    """What stands around the functions of a file."""

    offsets: tuple[int, ...]
    """Where each definition begins, in bytes."""
    names: tuple[tuple[str, str], ...]
    size: int
    """Bytes that were looked at: of what lies behind nothing is known."""

    def at(self, offset: int) -> Aliases:
        """Return what each name stands for at an offset."""
        if offset > self.size:
            return {}
        return dict(self.names[: bisect_left(self.offsets, offset)])


def module(text: bytes, whole: bool = True) -> Module:
    """Return the definitions in the beginning of a file; ``whole``: the file has no more than that."""
    found = [each for each in _DEFINED.finditer(text) if len(each[2]) <= _LONGEST]
    return Module(
        tuple(each.start() for each in found),
        tuple((each[1].decode("utf-8", "replace"), each[2].decode("utf-8", "replace").strip()) for each in found),
        len(text) if not whole else 1 << 62,
    )


def expand(text: str, aliases: Aliases) -> str:
    """Return a type with the names in it replaced by what they stand for; without it where that grows too long."""
    for _ in range(_DEEPEST):
        if "#" not in text and "!" not in text:
            return text
        made = _NAMED.sub(lambda found: aliases.get(found[0], found[0]), text)
        if made == text:
            return text
        if len(made) > _LONGEST:
            return ""
        text = made
    return text


def parts(text: str) -> list[str]:
    """Cut a list of types at the commas, arrows and stars that stand in no brackets or quotes."""
    found: list[str] = []
    depth = start = at = 0
    while at < len(text):
        char = text[at]
        if char == '"':
            end = text.find('"', at + 1)
            at = len(text) if end < 0 else end + 1
            continue
        if char == "-" and text.startswith("->", at):
            if not depth:
                found.append(text[start:at])
                start = at + 2
            at += 2
            continue
        if char in "(<[{":
            depth += 1
        elif char in ")>]}":
            depth -= 1
        elif char in ",*" and not depth:
            found.append(text[start:at])
            start = at + 1
        at += 1
    return [each.strip() for each in (*found, text[start:])]


def types(text: str) -> list[str]:
    """Return the types of an operation: what stands behind its last colon outside brackets and quotes, cut up."""
    depth, colon, at = 0, -1, 0
    while at < len(text):
        char = text[at]
        if char == '"':
            end = text.find('"', at + 1)
            at = len(text) if end < 0 else end + 1
            continue
        if char == "-" and text.startswith("->", at):
            at += 2
            continue
        if char in "(<[{":
            depth += 1
        elif char in ")>]}":
            depth -= 1
        elif char == ":" and not depth:
            colon = at
        at += 1
    if colon < 0:
        return []
    found = parts(text[colon + 1 :])
    if found and found[0].startswith("("):
        # "(A, B) -> C": the operands stand in brackets of their own.
        inner = found[0][1:].rpartition(")")[0]
        return [*parts(inner), *found[1:]]
    return found
