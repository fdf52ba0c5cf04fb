"""Text with code of several languages, as in a report of a fault, cut into the code of each.

A function ends where code of another language begins, and so does code without a function. In Markdown each code block
is separate: the value of a register in one block says nothing about another block.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from smemdesc.reading.terms import is_source
from smemdesc.scanning.inputs import sources
from smemdesc.scanning.languages.units import PTX, SASS, DumpUnit, code_lines, docstrings, units

_SOURCE = "C++ or Python"
_SEVERAL = 2
_FENCE = re.compile(
    rb"(?m)(?:```|~~~)(?:[ \t]*+[\w+#.:{}=\"-]*+[ \t\r]*+\n)?+|\{(?:code|noformat)(?::[^}\n]*+)?+\}"
    rb"|(?:</code>)?+</?pre\b[^<>\n]*+>(?:<code\b[^<>\n]*+>)?+"
    rb"|^[ \t]*+(?:#\+(?:begin|end)_|[@\\](?:end)?code\b|\.\.[ \t]++code)[^\n]*+\n?+"
)
"""What begins or ends a block of code: Markdown, Jira, HTML, Org, Doxygen, reStructuredText."""
_FENCES = (b"```", b"~~~", b"{code", b"{noformat", b"<pre", b"</pre", b"#+", b"endcode", b".. code")
_CALL = re.compile(
    rb"asm(?:[\s\\]++(?:volatile|__volatile__)\b)?+[\s\\]*+\("
    rb"|inline_(?:asm|ptx)(?:(?!inline_(?:asm|ptx))\w)*+\("
)
_COMMENT = re.compile(rb"//|/\*")
_BORDERS = (re.compile(rb"(?m)^[})]++;?[ \t\r]*+\n"), re.compile(rb"(?m)^[ \t\r]*+\n"))
"""What may end the preceding code: the end of a function, a blank line."""
_STATEMENT = re.compile(rb";[ \t\r]*+\n")


class _CodePlace(NamedTuple):
    """The place of a tensor-core instruction, as offsets in the text."""

    start: int
    end: int
    language: str


def pieces(text: bytes, headless: bool) -> Iterator[DumpUnit]:
    """Cut ``text`` into its functions and the text outside of them, each in one language if that can be recognized.

    ``headless``: the text before the first function is yielded, too.
    """
    for unit in units(text, headless):
        body = text[unit.start : unit.end]
        kind, name, start = unit.kind, unit.name, 0
        for end in (*_cuts(body, unit.kind), len(body)):
            yield DumpUnit(kind, unit.start + start, unit.start + end, name)
            kind = name = None
            start = end


def _cuts(body: bytes, kind: str | None) -> list[int]:
    """Return where to cut a function in the language ``kind``, or a text without a function (None)."""
    fenced = any(mark in body for mark in _FENCES)
    statements = _statements(body)
    places = [*statements, *_lines(body, statements, kind)]
    if not fenced and len({place.language for place in places} | ({kind} if kind else set())) < _SEVERAL:
        return []
    if kind:
        places.append(_CodePlace(0, max(0, body.find(b"\n")), kind))
        places += _lines(body, statements, kind, own=True)
    places.sort()
    fences = [fence.span() for fence in _FENCE.finditer(body)] if fenced else []
    cuts = {cut for place in places for cut in _around(fences, place, 0 if kind else -1)}
    changes = [(before, after) for before, after in pairwise(places) if before.language != after.language]
    if len(changes) < len({place.language for place in places}):
        borders = sorted(cuts)
        cuts |= {
            _border(body, before, after)
            for before, after in changes
            if bisect_left(borders, before.end) == bisect_right(borders, after.start)
        }
    return sorted(cuts - {0, len(body)})


def _statements(body: bytes) -> list[_CodePlace]:
    if (b"asm" not in body and b"inline_ptx" not in body) or not _CALL.search(body) or not is_source(body):
        return []
    return [
        _CodePlace(asm.start, asm.end, _SOURCE)
        for asm in sources.statements(body)
        if not _COMMENT.search(body, body.rfind(b"\n", 0, asm.start) + 1, asm.start)
    ]


def _lines(body: bytes, statements: list[_CodePlace], kind: str | None, own: bool = False) -> Iterator[_CodePlace]:
    """Yield the lines of instructions of other languages than ``kind``, or of that alone, outside of sources."""
    lines = [(at, language) for at, language in code_lines(body) if (language == kind) == own]
    passed = sorted([(statement.start, statement.end) for statement in statements] + docstrings(body)) if lines else []
    for at, language in lines:
        before = bisect_right(passed, (at, len(body))) - 1
        if before < 0 or passed[before][1] <= at:
            end = body.find(b"\n", at)
            yield _CodePlace(at, end if end >= 0 else len(body), language)


def _around(fences: list[tuple[int, int]], place: _CodePlace, first: int) -> Iterator[int]:
    """Yield the end of the last fence before a place, if it is after ``first``, and the start of the next one."""
    next_fence = bisect_left(fences, (place.start, 0))
    if next_fence and fences[next_fence - 1][0] > first:
        yield fences[next_fence - 1][1]
    if next_fence < len(fences):
        yield fences[next_fence][0]


def _border(body: bytes, before: _CodePlace, after: _CodePlace) -> int:
    """Return where the code of the first place ends, at the latest where the second one begins."""
    for border in _BORDERS:
        match = border.search(body, before.end, after.start)
        if match:
            return match.end()
    statement = _STATEMENT.search(body, before.start, after.start) if before.language in (SASS, PTX) else None
    return statement.end() if statement else min(before.end + 1, after.start)
