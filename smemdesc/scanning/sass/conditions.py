"""The comparison behind a predicate, where it stands before it on every way and still holds."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.flow import Block
from smemdesc.scanning.ranges import EQ, NE, OPPOSITE
from smemdesc.scanning.sass.predicates import ALWAYS, NEVER, targets
from smemdesc.scanning.sass.text import WIDTH, ZERO, Line, code, operand

_JOINED = frozenset(("AND", "OR"))


def condition(
    lines: list[bytes],
    index: int,
    start: int,
    predicate: str,
    take: Callable[[bytes], Line | None],
    writes: Callable[[int], tuple[str, ...]],
    guard: str = "",
    far: int = 4,
) -> Condition | None:
    """Return what a predicate (``P0``, ``!UP1``) says where the instruction at ``index`` reads it.

    None where the block, which begins at ``start``, does not tell. ``take`` parses a line; ``writes`` returns the
    registers that a line writes; ``guard`` is that of the instruction, which then the comparison may have, too; ``far``
    is how many copies of the predicate, and negations, are looked through.
    """
    name = predicate.lstrip("!")
    at = definition(lines, index, start, name, take)
    if at is None:
        return None
    line = take(lines[at])
    assert line is not None
    of = _copied(line, name) if far else None
    if of is not None:
        copied = condition(lines, at, start, of, take, writes, "", far - 1)
        return None if copied is None else _kept(copied, predicate, lines, at, index, writes)
    if line.guard and (line.guard != guard or definition(lines, index, at, guard.lstrip("@!"), take) is not None):
        return None
    said = _said(line, name, lines, at, start, take)
    if said is None:
        return None
    at, found = said
    return _kept(found, predicate, lines, at, index, writes)


def _kept(
    found: Condition, predicate: str, lines: list[bytes], at: int, index: int, writes: Callable[[int], tuple[str, ...]]
) -> Condition | None:
    """Return what a predicate says at a line if what was compared before another is still what it was."""
    compared = {each for each in found.reads if isinstance(each, str)}
    for between in range(at + 1, index):
        if not compared.isdisjoint(writes(between)) and not stays(lines[between]):
            return None
    return found._replace(negated=found.negated != predicate.startswith("!"))


def _copied(line: Line, name: str) -> str | None:
    """Return the predicate of which another is a copy or, with ``!``, the opposite, as much code at -O0 has them."""
    if line.name not in ("PLOP3", "UPLOP3") or line.guard or line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    if line.operands[0] != name or line.operands[1] not in ALWAYS:
        return None
    sources, table = line.operands[2:5], int(line.operands[5], 0)
    real = [place for place, each in enumerate(sources) if each not in (*ALWAYS, *NEVER)]
    if len(real) != 1:
        return None
    fixed = sum(4 >> place for place, each in enumerate(sources) if each in ALWAYS)
    without, held = (bool(table >> (fixed | bit) & 1) for bit in (0, 4 >> real[0]))
    if without == held:
        return None
    source = sources[real[0]]
    return source if held else source.removeprefix("!") if source[0] == "!" else f"!{source}"


_SAME = re.compile(rb"(?:^|[ \t])U?MOV[ \t]+(U?R\d+),[ \t]*\1[ \t]*$")


def stays(line: bytes) -> bool:
    """Whether a line moves a register into itself, as there are many at -O0."""
    return _SAME.search(code(line)) is not None


def _said(
    line: Line, name: str, lines: list[bytes], at: int, start: int, take: Callable[[bytes], Line | None]
) -> tuple[int, Condition] | None:
    """Return what a line says of the predicate that it writes, and where the first line of that comparison stands."""
    found = _compared(line, name)
    if found is not None:
        return at, found
    return _below(line, lines, at, start, take) if "EX" in line.suffixes else None


_FAR = 12
"""Blocks that are looked at for a comparison."""


class Before:
    """The comparisons behind predicates that are written in other blocks than they are read in.

    A ring of stages counts on before it waits for a barrier, and goes back to the first stage behind that: what the
    comparison says holds on all ways from it on which neither the predicate nor what was compared is written.
    """

    def __init__(
        self,
        lines: list[bytes],
        blocks: Sequence[Block],
        take: Callable[[bytes], Line | None],
        writes: Callable[[int], tuple[str, ...]],
    ) -> None:
        self.lines = lines
        self.blocks = blocks
        self.take = take
        self.writes = writes
        self.at = [block.at for block in blocks]
        self.ends = [*self.at[1:], len(lines)]
        self.before: list[list[int]] = [[] for _ in blocks]
        for number, block in enumerate(blocks):
            for following in block.following:
                self.before[following].append(number)
        self._written: dict[int, set[str]] = {}
        self._places: dict[tuple[int, str], int | None] = {}
        self._found: dict[tuple[int, str], tuple[Condition, set[str]] | None] = {}

    def condition(self, index: int, predicate: str) -> Condition | None:
        """Return what a predicate says where the instruction at ``index`` reads it, if its block does not write it."""
        name = predicate.lstrip("!")
        number = bisect_right(self.at, index) - 1
        key = (number, name)
        if key not in self._found:
            self._found[key] = self._sought(number, name)
        made = self._found[key]
        if made is None or definition(self.lines, index, self.at[number], name, self.take) is not None:
            return None
        found, changed = made
        compared = {each for each in found.reads if isinstance(each, str)}
        here = (each for between in range(self.at[number], index) for each in self.writes(between))
        if not compared.isdisjoint(changed) or not compared.isdisjoint(here):
            return None
        return found._replace(negated=found.negated != predicate.startswith("!"))

    def _sought(self, number: int, name: str) -> tuple[Condition, set[str]] | None:
        """Return the comparison from which all ways to a block come, and the registers that are written on them."""
        seen: set[int] = set()
        waiting = [number]
        places: set[int] = set()
        changed: set[str] = set()
        while waiting:
            block = waiting.pop()
            if self.blocks[block].entry or self.blocks[block].because is not None or not self.before[block]:
                return None
            for each in self.before[block]:
                if each in seen:
                    continue
                seen.add(each)
                place = self._last(each, name)
                if place is None:
                    changed |= self._of(each)
                    waiting.append(each)
                else:
                    places.add(place)
                    changed.update(text for line in range(place + 1, self.ends[each]) for text in self.writes(line))
                if len(seen) > _FAR or len(places) > 1:
                    return None
        place = places.pop() if places else None
        line = None if place is None else self.take(self.lines[place])
        if place is None or line is None or line.guard:
            return None
        start = self.at[bisect_right(self.at, place) - 1]
        said = _said(line, name, self.lines, place, start, self.take)
        if said is None:
            return None
        first, found = said
        changed.update(text for between in range(first + 1, place) for text in self.writes(between))
        return found, changed

    def _last(self, number: int, name: str) -> int | None:
        """Return the last line of a block that may write a predicate."""
        key = (number, name)
        if key not in self._places:
            self._places[key] = definition(self.lines, self.ends[number], self.at[number], name, self.take)
        return self._places[key]

    def _of(self, number: int) -> set[str]:
        """Return the registers that a block writes."""
        made = self._written.get(number)
        if made is None:
            lines = range(self.at[number], self.ends[number])
            made = self._written[number] = {text for line in lines for text in self.writes(line)}
        return made


def _below(
    line: Line, lines: list[bytes], index: int, start: int, take: Callable[[bytes], Line | None]
) -> tuple[int, Condition] | None:
    """Return the comparison of 64 bits whose upper half a line is, and where its lower half stands."""
    if len(line.operands) != 6 or line.operands[1] not in ALWAYS or line.operands[4] not in ALWAYS:
        return None
    high = _isetp(line._replace(mnemonic=line.mnemonic.removesuffix(".EX"), operands=line.operands[:5]), "")
    predicate = line.operands[5]
    at = definition(lines, index, start, predicate, take)
    lower = take(lines[at]) if at is not None else None
    if at is None or lower is None or high is None or lower.guard or predicate != lower.operands[0]:
        return None
    low = _compared(lower, predicate)
    if low is None or low.weak or low.negated or low.how != high.how or "EX" in lower.suffixes:
        return None
    if low.signed and low.how not in (EQ, NE):
        return None
    return at, low._replace(signed=high.signed, high=(high.x, high.y))


def definition(
    lines: list[bytes], index: int, start: int, name: str, take: Callable[[bytes], Line | None]
) -> int | None:
    """Return the line from ``start`` on that last may have written a predicate before ``index``."""
    mark = name.encode()
    for at in range(index - 1, start - 1, -1):
        text = lines[at]
        if mark not in text and b"PR" not in text:
            continue
        line = take(text)
        if line is None:
            continue
        if name in targets(line):
            return at
    return None


def _compared(line: Line, name: str) -> Condition | None:
    """Return what a line that writes the predicate ``name`` compares."""
    kind = line.name.removeprefix("U")
    if kind == "ISETP":
        return _isetp(line, name)
    if kind == "LOP3" and line.operands[0] == name and line.operands[-1] in NEVER and len(line.operands) == 7:
        # The predicate tells whether the result is not 0.
        result = operand(line.operands[1])
        return Condition(NE, result.register, ZERO, WIDTH) if isinstance(result.register, str) else None
    return None


def _isetp(line: Line, name: str) -> Condition | None:
    how, *suffixes = line.suffixes
    join = next((each for each in suffixes if each in _JOINED), None)
    if how not in OPPOSITE or join is None or set(suffixes) - {"U32", join} or len(line.operands) != 5:
        return None
    out, other, *compared, joined = line.operands
    if out == other:
        return None
    a, b = (operand(each) for each in compared)
    if a.sign or b.sign:
        return None
    weak = joined not in (ALWAYS if join == "AND" else NEVER)
    if other == name:
        # The other result is that of the opposite comparison.
        how = OPPOSITE[how]
    if weak and join == "OR":
        # It does not hold only where the comparison does not.
        return Condition(OPPOSITE[how], a.register, b.register, WIDTH, "U32" not in suffixes, True, True)
    return Condition(how, a.register, b.register, WIDTH, "U32" not in suffixes, weak)
