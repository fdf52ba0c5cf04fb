"""The body of a function split into the statements that may matter, with the names that each may write; its blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.analysis.ssa import Block
from smemdesc.scanning.languages.ptx.lower import (
    ACCESS,
    BRANCH_EFFECT,
    CALL,
    CARRY_BIT,
    FIRST_TWO,
    LOADS,
    MAY_WRITE_ALL,
    READS_DESCRIPTORS,
    SHARES,
    STORES,
    WRITES_FIRST,
    first_operands,
    named_registers,
    returned,
    role,
)
from smemdesc.scanning.languages.ptx.text import (
    LINKAGE,
    PTX_NAME,
    STATEMENT,
    PtxStatement,
    Scope,
    after_blanks,
    is_declaration,
    variables,
)
from smemdesc.scanning.model.causes import NEVER_RETURN, SYSTEM_CALLS

_PLACE = r"\s++(\d{1,9}+)\s++(\d{1,9}+)\s++(\d++)"
_LOC = re.compile(rf"\.loc{_PLACE}(?:[^\n]*?\binlined_at{_PLACE})?")
_NAME = re.compile(LINKAGE + r"\.(?:entry|func)\b\s*+(?:\([^)]*+\)\s*+)?+([\w$%]+)", re.A)


def read_body(text: str, symbols: Mapping[str, int], start: int = 0) -> Body:
    """Read one function, or a fragment of one, from ``start`` on.

    ``symbols``: the module's shared variables and their alignments.
    """
    body = Body(text, symbols)
    for match in STATEMENT.finditer(text, start):
        if match.lastindex is not None:
            _READERS[match.lastindex](body, match)
        if body.closed:
            break
    body.finish()
    return body


class Body:
    """A function: its statements, in order; a method reads each kind of statement."""

    def __init__(self, text: str, symbols: Mapping[str, int]) -> None:
        self.text = text
        root = Scope()
        root.shared.update(symbols)
        self.scopes = [root]
        self.numbered = 0
        self.items: list[PtxStatement] = []
        self.arrays: dict[str, int] = {}
        """Variables in local memory, and their alignment."""
        self.locations: dict[tuple[str, ...], tuple[str, ...]] = {}
        """``inlined_at`` of each location (file, line, column)."""
        self.loc: tuple[str, ...] = ()
        self.label = ""
        self.name: str | None = None
        """The name in its header."""
        self.headed = self.opening = self.closed = self.whole = self.cut = self.is_kernel = False
        """``whole``: its header and its closing brace are present; ``cut``: the brace is missing."""
        self.end = len(text)
        """The offset of its end."""
        self.odd = 0
        self.unread: list[int] = []
        self.unended: list[tuple[int, int]] = []
        self.hidden: int | None = None
        """The offset of the first text in it that is not a statement: it may hide one."""

    @property
    def scope(self) -> Scope:
        """The innermost open scope."""
        return self.scopes[-1]

    def instruction(self, match: re.Match[str]) -> None:
        """Read an instruction, if it may matter."""
        guard, mnemonic, rest = match.group(1, 2, 3)
        if self.text[match.end() - 1] != ";":
            self.unended.append((match.start(2), match.end()))
        does = role(mnemonic)
        if does is None:
            return
        if does is STORES and not self.arrays:
            does = SHARES  # there is no local memory that it may write
        statement = (match.start(2), guard or "", mnemonic, rest, self.scope)
        writes: tuple[str, ...] = ()
        if does is WRITES_FIRST or does is LOADS:
            writes = first_operands(rest, self.scope)
            if ".cc" in mnemonic:
                writes = (*writes, CARRY_BIT)
        elif does is READS_DESCRIPTORS or does is ACCESS:
            self.items.append(PtxStatement(*statement, does, (), self.loc))
            if mnemonic.startswith(("w", "tcgen05.ld")):
                # The accumulators, or what is loaded.
                writes = first_operands(rest, self.scope)
            does = WRITES_FIRST
        elif does is MAY_WRITE_ALL:
            self.odd += 1
            writes = (CARRY_BIT, *named_registers(rest, self.scope))
        elif does is FIRST_TWO:
            writes = named_registers(rest.rpartition("{")[0], self.scope)
        elif does is CALL:
            writes = returned(rest, self.scope)
        self.items.append(PtxStatement(*statement, does, writes))

    @property
    def owns_its_memory(self) -> bool:
        """Whether all tensor memory that it uses is allocated in it: it is a whole kernel that calls no function of
        its file."""
        calls = (_CALLED.match(item.rest) for item in self.items if item.role is CALL)
        is_kernel = self.whole and self.is_kernel and self.hidden is None
        return is_kernel and all(call is not None and call[1] in SYSTEM_CALLS for call in calls)

    def labeled(self, match: re.Match[str]) -> None:
        """Read a label."""
        self.label = match[4]
        if self.scope.labels.setdefault(self.label, len(self.items)) != len(self.items):
            self._not_read(match.start(4))
        self.items.append(PtxStatement(match.start(4), "", self.label, "", self.scope))

    def brace(self, match: re.Match[str]) -> None:
        """Read a brace or a semicolon."""
        if match[5] == "{" and self.opening:
            self.opening = False
            self.scopes.append(self.scopes[0])
        elif match[5] == "{":
            self.numbered += 1
            if len(self.scopes) > _DEEPEST:
                raise SmemdescError(
                    f"braces are nested more than {_DEEPEST} deep: function not scanned",
                    hint="give the output of ptxas or nvcc",
                )
            self.scopes.append(Scope(self.scope, self.numbered))
        elif match[5] == "}":
            if len(self.scopes) > 1:
                self.scopes.pop()
            if self.headed and len(self.scopes) == 1:
                self.closed, self.end = True, match.end()

    def header(self, match: re.Match[str]) -> None:
        """Read the header of a function; one with a semicolon only declares it."""
        if not match[6].endswith(";"):
            self.headed = self.opening = True
            called = _NAME.match(match[6])
            self.name = called[1] if called else None
            self.is_kernel = ".entry" in match[6]

    def location(self, match: re.Match[str]) -> None:
        """Read a directive of one line."""
        if place := _LOC.match(match[7]):
            self.loc = place.group(1, 2, 3)
            self.locations[self.loc] = place.group(4, 5, 6) if place[4] else ()

    def directive(self, match: re.Match[str]) -> None:
        """Read a declaration."""
        if not is_declaration(match[8]):
            self._not_read(match.start(8))
        _directive(match[8], self.scope, self.arrays, self.label)

    def other(self, match: re.Match[str]) -> None:
        """Note anything else: it is not understood."""
        self._not_read(match.start(9))

    def _not_read(self, at: int) -> None:
        self.odd += 1
        self.unread.append(at)

    def finish(self) -> None:
        """Judge the function after its last statement."""
        text, items, unread = self.text, self.items, self.unread
        if self.headed:
            # The line at which a function was cut off: the missing part may be what it writes.
            if self.unended and not self.closed and after_blanks(text, self.unended[-1][1]) >= self.end:
                while items and items[-1].at >= self.unended[-1][0]:
                    items.pop()
                self.unended.pop()
            for at, end_at in self.unended:
                if not text.startswith("}", after_blanks(text, end_at)):
                    self._not_read(at)
        self.whole = self.headed and self.closed and not _GOES_ON.match(text, self.end)
        if self.whole:
            unread += [
                item.at
                for item in items
                if item.role is BRANCH_EFFECT and item.name == "bra" and _targets(item) is None
            ]
        if not self.headed and items:
            # Text before and after a pasted fragment is not part of it.
            unread = [at for at in unread if items[0].at < at < items[-1].at]
        self.hidden, self.cut = min(unread, default=None), self.headed and not self.whole


_READERS: dict[int, Callable[[Body, re.Match[str]], None]] = {
    3: Body.instruction,
    4: Body.labeled,
    5: Body.brace,
    6: Body.header,
    7: Body.location,
    8: Body.directive,
    9: Body.other,
}
"""By the last group of :data:`smemdesc.scanning.languages.ptx.text.STATEMENT` that matched."""
_DEEPEST = 250
"""Nested braces: no real program has more."""
_GOES_ON = re.compile(
    rf"""(?xa) (?: (?! \s*+ {LINKAGE} \.(?:entry|func)\b )
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
        scope.tables[label] = tuple(PTX_NAME.findall(text)[1:])


# ---- control flow ----

_MARK = re.compile(r"\$L__(?:tmp|func_begin|func_end|info)|\$?Ltmp\d+$")
"""Labels that compilers write for debuggers."""
_CALLED = re.compile(r"\s*+(?:\([^)]*+\)\s*+,\s*+)?([\w$]++)\s*+(?:,|$)")
"""The function that a call names."""


def ptx_control_flow(body: Body, noreturn: Container[str] = NEVER_RETURN, assumed: bool = False) -> list[Block]:
    """Split a function into blocks at its branches and their targets, without steps; ``at`` counts its items.

    ``noreturn``: functions that do not return. ``assumed``: no missing code jumps to the code present (no blocks:
    nothing is missing). A block that is entered because the function is cut off has the number of items as its cause.
    """
    return [] if assumed and body.whole else _BodyFlow(body, noreturn, assumed).build()


class _BodyFlow:
    """The body of a function while it is split into blocks."""

    def __init__(self, body: Body, noreturn: Container[str], assumed: bool) -> None:
        self.body = body
        self.items = body.items
        self.branches = {index: _targets(item) for index, item in enumerate(self.items) if _branches(item, noreturn)}
        """The items to which each branch may go; None if unknown. The branches through one table share one list."""
        lists = {id(targets): targets for targets in self.branches.values() if targets}
        aimed = set[int]().union(*lists.values())
        self.lost = body.whole and None in self.branches.values()
        """Whether a branch may go to any label; a branch may well leave a fragment."""
        self.entries = {0}
        """The items at which control may enter unseen."""
        if self.lost or not body.whole:
            # Code that was cut off may jump to any label, and does jump to one that nothing here jumps to; a pasted
            # fragment is taken as it is.
            every = self.lost or (body.cut and not assumed)
            self.entries |= {label for label in self._labels() if every or label not in aimed}
        starts = {0, *(index + 1 for index in self.branches), *aimed, *self.entries}
        self.starts = sorted(start for start in starts if start < len(self.items))
        self.number = {start: place for place, start in enumerate(self.starts)}
        self.tables = {
            id(targets): targets
            for index, targets in self.branches.items()
            if targets and self.items[index].name == "brx"
        }
        """The lists that are tables, by their ids."""

    def _labels(self) -> Iterator[int]:
        """Yield the labels that a program may jump to."""
        for index, item in enumerate(self.items):
            if item.role is None and not _MARK.match(item.mnemonic):
                yield index

    def build(self) -> list[Block]:
        """Return the blocks."""
        blocks = [Block(start) for start in self.starts]
        for block in blocks:
            if block.at in self.entries:
                block.entry, block.entry_cause = True, len(self.items) if self.body.cut and block.at else None
        self._connect(blocks)
        if self.lost:
            for block in blocks:
                block.entry = True  # a jump may lead anywhere
        return [*blocks, *map(self._meeting, self.tables.values())]

    def _connect(self, blocks: list[Block]) -> None:
        """Add the edges of the branches, and those to the next block."""
        # All branches through one table meet in a block without items, from which a way leads to each target.
        meeting = {table: len(blocks) + place for place, table in enumerate(self.tables)}
        ended = set[int]()
        for index, targets in self.branches.items():
            here = self.number.get(index + 1, len(blocks)) - 1
            if id(targets) in self.tables:
                blocks[here].following.append(meeting[id(targets)])
            elif targets is not None:
                blocks[here].following += [self.number[target] for target in targets]
            if not self.items[index].guard:
                ended.add(here)
        for place, block in enumerate(blocks[:-1]):
            if place not in ended:
                block.following.append(place + 1)

    def _meeting(self, targets: list[int]) -> Block:
        block = Block(len(self.items))
        block.following = [self.number[target] for target in targets]
        return block


def _branches(item: PtxStatement, noreturn: Container[str]) -> bool:
    called = _CALLED.match(item.rest) if item.role is CALL else None
    return item.role is BRANCH_EFFECT or (called is not None and called[1] in noreturn)


def _targets(item: PtxStatement) -> list[int] | None:
    """Return the items that a branch may go to; None if unknown."""
    if item.name not in ("bra", "brx"):
        return []
    if item.name == "brx":
        return item.scope.targets(item.operands[1]) if len(item.operands) > 1 else None
    target = item.scope.label(item.operands[0]) if item.operands else None
    return None if target is None else [target]
