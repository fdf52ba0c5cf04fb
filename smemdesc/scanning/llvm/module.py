"""What a module of LLVM IR says outside its functions: how shared memory is aligned, and where calls come from."""

from __future__ import annotations

import re
from typing import NamedTuple

_GLOBAL = re.compile(rb"(?m)^@([-\w.$]+|\"[^\"\n]*\") = [^\n@]{0,200}?addrspace\(3\)[^\n]{0,400}?, align (\d+)")
_TYPE = re.compile(rb"(?m)^(%(?:[-\w.$]+|\"[^\"\n]*\")) = type (<?\{[^\n;]{0,2000}\}>?)[ \t\r]*$")
_USED = re.compile(rb"!dbg !(\d{1,9})")
_MARKS = (b"wgmma.mma_async", b"tcgen05.mma", b"tcgen05.cp")
_METADATA = re.compile(
    rb"(?m)^!(\d+) = (?:distinct )?!(DILocation|DISubprogram|DILexicalBlock|DILexicalBlockFile|DIFile)\(([^\n]{0,2000})"
)
_LINE = re.compile(rb"\bline: (\d+)")
_SCOPE = re.compile(rb"\bscope: !(\d+)")
_FILE = re.compile(rb"\bfile: !(\d+)")
_FILENAME = re.compile(rb"\bfilename: \"([^\"]*)\"")
_NESTED = 50
"""A chain of scopes that is longer goes in circles."""


class Module(NamedTuple):
    """What holds for all functions."""

    aligned: dict[str, int]
    """The alignment in bytes of the variables in shared memory."""
    places: dict[int, tuple[str, int]]
    """File and line by the number of the metadata."""
    types: dict[str, str]
    """The types that have a name; empty of one that is several, in several modules."""


EMPTY = Module({}, {}, {})


def module(text: bytes) -> Module:
    """Read a module, or the beginning of one."""
    aligned = {
        "@" + found[1].decode("utf-8", "replace"): int(found[2])
        for found in _GLOBAL.finditer(text)
        if len(found[2]) < 10
    }
    types: dict[str, str] = {}
    for found in _TYPE.finditer(text):
        name, kind = (found[place].decode("utf-8", "replace") for place in (1, 2))
        types[name] = kind if types.get(name, kind) == kind else ""
    return Module(aligned, _places(text) if b"!DILocation(" in text else {}, types)


def _places(text: bytes) -> dict[int, tuple[str, int]]:
    wanted = _wanted(text)
    if not wanted:
        return {}
    rows = {int(found[1]): (found[2], found[3]) for found in _METADATA.finditer(text)}
    places = {}
    for number in wanted:
        kind, body = rows.get(number, (b"", b""))
        line = _LINE.search(body)
        file = _file(rows, body) if kind == b"DILocation" else None
        if line and file is not None and len(line[1]) < 10:
            places[number] = (file, int(line[1]))
    return places


def _wanted(text: bytes) -> set[int]:
    """Return the locations that lines with MMAs name."""
    wanted = set()
    for mark in _MARKS:
        at = text.find(mark)
        while at >= 0:
            end = text.find(b"\n", at)
            end = len(text) if end < 0 else end
            named = text.rfind(b"!dbg !", at, end)
            found = _USED.match(text, named, end) if named >= 0 else None
            if found:
                wanted.add(int(found[1]))
            at = text.find(mark, end)
    return wanted


def _file(rows: dict[int, tuple[bytes, bytes]], body: bytes) -> str | None:
    """Follow the scopes of a location to the first that names a file."""
    for _ in range(_NESTED):
        named = _FILE.search(body)
        if named:
            kind, file = rows.get(int(named[1]), (b"", b""))
            found = _FILENAME.search(file) if kind == b"DIFile" else None
            return found[1].decode("utf-8", "replace") if found else None
        scope = _SCOPE.search(body)
        if not scope:
            return None
        body = rows.get(int(scope[1]), (b"", b""))[1]
    return None
