"""The body of a function split into the statements that may matter, with the names that each may write; its blocks."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.causes import NEVER_RETURN
from smemdesc.scanning.languages.ptx.lower import (
    ALL,
    BRANCH,
    CALL,
    CARRY,
    FIRST,
    LOAD,
    MMA,
    STORE,
    first_operands,
    named,
    returned,
    role,
)
from smemdesc.scanning.languages.ptx.text import (
    NAME,
    QUALIFIERS,
    STATEMENT,
    PtxStatement,
    Scope,
    after_blanks,
    is_whole,
    variables,
)


class Body(NamedTuple):
    """A function: its statements, in order."""

    items: list[PtxStatement]
    whole: bool
    """Whether its header and its closing brace are present."""
    arrays: dict[str, int]
    """Variables in local memory, and their alignment."""
    locations: dict[tuple[str, ...], tuple[str, ...]]
    """``inlined_at`` of each location (file, line, column)."""
    odd: int
    end: int
    """The offset of its end."""
    name: str | None = None
    """The name in its header."""
    hidden: int | None = None
    """The offset of the first text in it that is not a statement: it may hide one."""
    cut: bool = False
    """Whether its header is present and its closing brace is missing."""


_PLACE = r"\s++(\d{1,9}+)\s++(\d{1,9}+)\s++(\d++)"
_LOC = re.compile(rf"\.loc{_PLACE}(?:[^\n]*?\binlined_at{_PLACE})?")
_NAME = re.compile(QUALIFIERS + r"\.(?:entry|func)\b\s*+(?:\([^)]*+\)\s*+)?+([\w$%]+)", re.A)


def read(text: str, symbols: Mapping[str, int], start: int = 0) -> Body:
    """Read one function, or a fragment of one, from ``start`` on.

    ``symbols``: the module's shared variables and their alignments.
    """
    root = Scope()
    root.shared.update(symbols)
    scopes = [root]
    numbered = 0
    scope = root
    items: list[PtxStatement] = []
    arrays: dict[str, int] = {}
    locations: dict[tuple[str, ...], tuple[str, ...]] = {}
    headed = closed = False
    end = len(text)
    opening = False
    odd = 0
    loc: tuple[str, ...] = ()
    label = ""
    name: str | None = None
    unread: list[int] = []
    unended: list[tuple[int, int]] = []
    for match in STATEMENT.finditer(text, start):
        kind = match.lastindex
        if kind == 3:
            guard, mnemonic, rest = match.group(1, 2, 3)
            if text[match.end() - 1] != ";":
                unended.append((match.start(2), match.end()))
            does = role(mnemonic)
            if does is None:
                continue
            writes: tuple[str, ...] = ()
            if does is FIRST or does is LOAD:
                writes = first_operands(rest, scope)
                if ".cc" in mnemonic:
                    writes = (*writes, CARRY)
            elif does is MMA:
                items.append(PtxStatement(match.start(2), guard or "", mnemonic, rest, scope, does, (), loc))
                if mnemonic[0] == "w":
                    # The accumulators.
                    writes = first_operands(rest, scope)
                does = FIRST
            elif does is ALL:
                odd += 1
                writes = (CARRY, *named(rest, scope))
            elif does is CALL:
                writes = returned(rest, scope)
            elif does is STORE and not arrays:
                continue
            items.append(PtxStatement(match.start(2), guard or "", mnemonic, rest, scope, does, writes))
        elif kind == 4:
            label = match[4]
            if scope.labels.setdefault(label, len(items)) != len(items):
                odd += 1
                unread.append(match.start(4))
            items.append(PtxStatement(match.start(4), "", label, "", scope))
        elif kind == 5:
            brace = match[5]
            if brace == "{":
                if opening:
                    opening = False
                    scopes.append(root)
                    continue
                numbered += 1
                if len(scopes) > _DEEPEST:
                    raise SmemdescError(
                        f"braces are nested more than {_DEEPEST} deep: function not scanned",
                        hint="give the output of ptxas or nvcc",
                    )
                scope = Scope(scope, numbered)
                scopes.append(scope)
            elif brace == "}":
                if len(scopes) > 1:
                    scopes.pop()
                    scope = scopes[-1]
                if headed and len(scopes) == 1:
                    closed, end = True, match.end()
                    break
        elif kind == 6:
            if not match[6].endswith(";"):
                headed = opening = True
                called = _NAME.match(match[6])
                name = called[1] if called else None
        elif kind == 7:
            if place := _LOC.match(match[7]):
                loc = place.group(1, 2, 3)
                locations[loc] = place.group(4, 5, 6) if place[4] else ()
        elif kind == 8:
            if not is_whole(match[8]):
                odd += 1
                unread.append(match.start(8))
            _directive(match[8], scope, arrays, label)
        elif kind is not None:
            odd += 1
            unread.append(match.start(9))
    if headed:
        # The line at which a function was cut off: the missing part may be what it writes.
        if unended and not closed and after_blanks(text, unended[-1][1]) >= end:
            while items and items[-1].at >= unended[-1][0]:
                items.pop()
            unended.pop()
        cut = [at for at, end_at in unended if not text.startswith("}", after_blanks(text, end_at))]
        odd += len(cut)
        unread += cut
        closed = closed and not _GOES_ON.match(text, end)
    if headed and closed:
        unread += [item.at for item in items if item.role is BRANCH and item.name == "bra" and _targets(item) is None]
    if not headed and items:
        # Text before and after a pasted fragment is not part of it.
        unread = [at for at in unread if items[0].at < at < items[-1].at]
    return Body(
        items, headed and closed, arrays, locations, odd, end, name, min(unread, default=None), headed and not closed
    )


_DEEPEST = 250
"""Nested braces: no real program has more."""
_GOES_ON = re.compile(
    rf"""(?xa) (?: (?! \s*+ {QUALIFIERS} \.(?:entry|func)\b )
      (?: \s++ | [%\w$]++: | \.[^\n]*+ | \{{[^{{}}]*+\}} ) )*+
    (?: @!?[%\w$]++\s++ )?+ (?: [a-z]\w*+\.[\w.:]++\s | (?:bra|ret|exit|trap|call)\b ) [^;{{}}]*+ ;"""
)
"""Instructions after the end of a function, where none may be: the brace was not its last."""


def _directive(text: str, scope: Scope, arrays: dict[str, int], label: str) -> None:
    if text.startswith(".reg"):
        scope.declare(text[4:])
    elif ".shared" in text:
        scope.shared.update(variables(text.partition("=")[0]))
    elif text.startswith(".local") and scope.parent is None:
        arrays.update(variables(text.partition("=")[0]))
    elif text.startswith(".branchtargets"):
        scope.tables[label] = tuple(NAME.findall(text)[1:])


# ---- control flow ----

_MARK = re.compile(r"\$L__(?:tmp|func_begin|func_end|info)|\$?Ltmp\d+$")
"""Labels that compilers write for debuggers."""
_CALLED = re.compile(r"\s*+(?:\([^)]*+\)\s*+,\s*+)?([\w$]++)\s*+(?:,|$)")
"""The function that a call names."""


def control_flow(body: Body, noreturn: Container[str] = NEVER_RETURN, assumed: bool = False) -> list[Block]:
    """Split a function into blocks at its branches and their targets, without steps; ``at`` counts its items.

    ``noreturn``: functions that do not return. ``assumed``: no missing code jumps to the code present (no blocks:
    nothing is missing). A block that is entered because the function is cut off has the number of items as its cause.
    """
    items = body.items
    if assumed and body.whole:
        return []
    branches: dict[int, list[int] | None] = {
        index: _targets(item) for index, item in enumerate(items) if _branches(item, noreturn)
    }
    starts = {0}
    aimed: set[int] = set()
    for index, targets in branches.items():
        starts.add(index + 1)
        aimed.update(targets or ())
    starts |= aimed
    entries = {0}
    # A branch may well leave a fragment; in a whole function it may go to any label.
    lost = body.whole and None in branches.values()
    if lost or not body.whole:
        # Code that was cut off may jump to any label, and does jump to one that nothing here jumps to; a pasted
        # fragment is taken as it is.
        every = lost or (body.cut and not assumed)
        entries |= {
            index
            for index, item in enumerate(items)
            if item.role is None and (every or index not in aimed) and not _MARK.match(item.mnemonic)
        }
        starts |= entries
    ordered = sorted(start for start in starts if start < len(items))
    number = {start: place for place, start in enumerate(ordered)}
    blocks = [Block(start) for start in ordered]
    for start in entries & set(number):
        block = blocks[number[start]]
        block.entry, block.entry_cause = True, len(items) if body.cut and start else None
    ended = [False] * len(blocks)
    for index, targets in branches.items():
        after = number.get(index + 1)
        here = (after if after is not None else len(blocks)) - 1
        if targets is not None:
            blocks[here].following += [number[target] for target in targets]
        ended[here] = not items[index].guard
    for place, block in enumerate(blocks):
        if not ended[place] and place + 1 < len(blocks):
            block.following.append(place + 1)
        if lost:
            block.entry = True  # a jump may lead anywhere
    return blocks


def _branches(item: PtxStatement, noreturn: Container[str]) -> bool:
    called = _CALLED.match(item.rest) if item.role is CALL else None
    return item.role is BRANCH or (called is not None and called[1] in noreturn)


def _targets(item: PtxStatement) -> list[int] | None:
    """Return the items that a branch may go to; None if unknown."""
    if item.name not in ("bra", "brx"):
        return []
    if item.name == "bra":
        labels = item.operands[:1]
    else:
        labels = (item.scope.table(item.operands[1]) if len(item.operands) > 1 else None) or ()
    items = [target for label in labels if (target := item.scope.label(label)) is not None]
    return items if labels and len(items) == len(labels) else None
