"""The targets of a jump through a table that the dump does not show.

cuobjdump prints ``BRX R4 -0x1a50`` but not the table, which is in constant memory. Any instruction may be a target:
those that nothing else leads to must be, and one in the middle of a straight line may be, where one case of a switch
falls through to the next. But it can be shown where a jump can *not* go. An instruction that is executed
unconditionally, and passes an address to memory or a descriptor to a tensor core, needs the registers of that address.
If it were reached from a jump before which such a register is written on no path from the function's entry, the program
would use an undefined value. No compiler generates that for a correct program. The remaining instructions are assumed
to be the jump's targets.

All approximations are conservative. A register counts as needed only if it is on every path to the function's end, by
instructions without a guard, and through instructions whose result always depends on it. A register counts as written
if it may be on any path, also over jumps through tables, by any instruction that may write it. Only kernels are
analyzed: a function that others call gets registers from them. And if the result leaves unreachable instructions, it is
discarded.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from smemdesc.scanning.languages.sass.lower import names
from smemdesc.scanning.languages.sass.text import ON, SassInstruction, is_predicate

_IN_BRACKETS = re.compile(r"(?<!c)\[([^\[\]]*+)\]")
_REGISTERS = re.compile(r"U?R\d{1,3}")


class TableInstruction(NamedTuple):
    """What matters here of an instruction."""

    kills: tuple[str, ...]
    """The registers that it may write."""
    needs: tuple[str, ...] = ()
    """The registers that it needs, whether or not its result is used."""
    copies: tuple[str, ...] = ()
    """The registers that it needs if its result is needed."""
    through: tuple[str, ...] = ()
    """The register with which it jumps through a table, if it does."""


class BranchTargets(NamedTuple):
    """Where control goes after a branch."""

    targets: tuple[int, ...] = ()
    """The lines of the targets."""
    falls: bool = True
    """Whether control may fall through."""
    ends: bool = False
    """Whether the thread may end there, or continue at an unknown place."""
    computed: bool = False
    """Whether it jumps through a table that the dump does not show."""
    calls: bool = False
    traps: bool = False
    returns: bool = False


_NEXT = BranchTargets()
JUMPS = names("BRX BRXU")
"""Jumps through a table, to instructions of their own function."""
_COPIES = names("MOV UMOV IADD3 UIADD3 VIADD R2UR LEA ULEA")
_COPIED = frozenset(("IMAD.MOV.U32", "IMAD.IADD", "IMAD.SHL.U32"))


def instruction(line: SassInstruction, kills: tuple[str, ...], descriptors: Sequence[str] = ()) -> TableInstruction:
    """Return the needs of a line that may write the registers ``kills``.

    ``descriptors``: the registers of a tensor-core instruction's descriptors.
    """
    through = tuple(_REGISTERS.findall(line.operands[0])[:1]) if line.name in JUMPS and line.operands else ()
    if line.guard not in ON or line.name in _HARMLESS:
        return TableInstruction(kills, through=through)
    if descriptors or through:
        return TableInstruction(kills, (*descriptors, *through), through=through)
    if line.name in _COPIES or line.mnemonic in _COPIED:
        if {"X", "HI", "64"} & set(line.suffixes):
            return TableInstruction(kills)
        sources = (_SOURCE.match(operand) for operand in line.operands[1:])
        return TableInstruction(kills, copies=tuple(source[1] for source in sources if source))
    needs: list[str] = []
    for text in line.operands:
        if needs and is_predicate(text):
            return TableInstruction(kills)  # the predicate may disable the access
        for inside in _IN_BRACKETS.findall(text):
            needs += _REGISTERS.findall(inside)
    return TableInstruction(kills, tuple(needs))


_SOURCE = re.compile(r"[-~]?(U?R\d{1,3})(?:\.reuse)?$")
_HARMLESS = names("CCTL CCTLL CCTLT PREFETCH UBLKPF UTMAPF LDC ULDC LDCU")
"""Instructions to which an invalid address does no harm."""


def reachable(
    first: Iterable[int], following: Callable[[int], Iterable[int]], seen: set[int] | None = None
) -> set[int]:
    """Return ``first`` and all that is reachable from it; these are added to ``seen``, which is not followed again."""
    seen = set() if seen is None else seen
    waiting = list(first)
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += following(here)
    return seen


def infer_jump_targets(
    ways: Mapping[int, BranchTargets], lines: int, code: Callable[[int], TableInstruction | None]
) -> dict[int, tuple[tuple[int, ...], frozenset[object]]]:
    """Return the lines to which each jump through a table may go; empty if that cannot be inferred.

    ``ways``: the targets of the branches, by their lines.
    """
    instructions = {index: instruction for index in range(lines) if (instruction := code(index)) is not None}
    return _Tables(instructions, ways).targets() or {} if instructions else {}


class _Tables:
    def __init__(self, code: Mapping[int, TableInstruction], ways: Mapping[int, BranchTargets]) -> None:
        self.lines = list(code)
        self.code = list(code.values())
        self.ways = {self.at(line): way for line, way in ways.items()}
        self.bits: dict[str, int] = {}
        starts = {0}
        for place, way in self.ways.items():
            starts.add(place + 1)
            starts.update(self.at(target) for target in way.targets)
        self.starts = sorted(start for start in starts if start < len(self.lines))
        self.ends = [*self.starts[1:], len(self.lines)]
        self.following: list[list[int]] = []
        for end in self.ends:
            way = self.ways.get(end - 1, _NEXT)
            following = [self.block(self.at(target)) for target in way.targets]
            if (way.falls or way.calls) and end < len(self.lines):
                following.append(self.block(end))
            self.following.append(following)

    def at(self, line: int) -> int:
        """Return the index of the instruction at a line, or after it (a label)."""
        return bisect_left(self.lines, line)

    def block(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1

    def mask(self, registers: Sequence[str]) -> int:
        bits = 0
        for register in registers:
            bits |= 1 << self.bits.setdefault(register, len(self.bits))
        return bits

    def targets(self) -> dict[int, tuple[tuple[int, ...], frozenset[object]]] | None:
        jumps = [place for place, way in self.ways.items() if way.computed]
        self.kills = [self.mask(instruction.kills) for instruction in self.code]
        self.needs = [self.mask(instruction.needs) for instruction in self.code]
        self.copies = [self.mask(instruction.copies) for instruction in self.code]
        needed = self.needed()
        if needed[0] or self.may_return():
            return None  # it gets registers from its caller
        to: dict[int, set[int]] = {jump: set() for jump in jumps}
        while True:
            written, reached = self.written(to)
            moved = False
            for jump in jumps:
                if self.block(jump) not in reached:
                    continue
                there = written[self.block(jump)]
                if self.mask(self.code[jump].through) & ~there:
                    return None
                possible = {place for place, need in enumerate(needed) if not need & ~there}
                moved |= not possible <= to[jump]
                to[jump] |= possible
            if not moved:
                break
        if len(reached) < len(self.starts):
            return None
        names = list(self.bits)
        return {
            self.lines[jump]: (
                tuple(self.lines[place] for place in sorted(places)),
                frozenset(register for bit, register in enumerate(names) if not written[self.block(jump)] >> bit & 1),
            )
            for jump, places in to.items()
        }

    def needed(self) -> list[int]:
        """Return for each instruction a mask of the registers that are needed on every path from it."""
        ending = [
            self.ways.get(end - 1, _NEXT).ends or not following
            for end, following in zip(self.ends, self.following, strict=True)
        ]
        before: list[list[int]] = [[] for _ in self.starts]
        for number, following in enumerate(self.following):
            for following_block in following:
                before[following_block].append(number)
        # An infinite path needs nothing at its end.
        finite = reachable((number for number, ends in enumerate(ending) if ends), before.__getitem__)
        top = (1 << len(self.bits)) - 1
        start = [top if number in finite else 0 for number in range(len(self.starts))]
        needs = [0] * len(self.lines)
        waiting = list(range(len(self.starts)))
        queued = set(waiting)
        while waiting:
            number = waiting.pop()
            queued.discard(number)
            need = 0 if ending[number] else -1
            for successor in self.following[number]:
                need &= start[successor]
            for place in range(self.ends[number] - 1, self.starts[number] - 1, -1):
                copied = self.copies[place] if need & self.kills[place] else 0
                need = needs[place] = need & ~self.kills[place] | copied | self.needs[place]
            if number in finite and need != start[number]:
                start[number] = need
                waiting += set(before[number]) - queued
                queued.update(before[number])
        return needs

    def may_return(self) -> bool:
        """Whether the function itself may return, not only its callees."""
        called = [self.block(self.at(target)) for way in self.ways.values() if way.calls for target in way.targets]
        own, below = self.around([0]), self.around(called, True)
        returns = {number for number, end in enumerate(self.ends) if self.ways.get(end - 1, _NEXT).returns}
        return not returns <= below or not returns.isdisjoint(own)

    def around(self, first: Sequence[int], past_traps: bool = False) -> set[int]:
        """Return the blocks reachable from ``first``, over calls to the code after them, not into callees.

        ``past_traps``: also over traps.
        """

        def following(number: int) -> list[int]:
            end = self.ends[number]
            way = self.ways.get(end - 1, _NEXT)
            passes = (way.calls or (past_traps and way.traps)) and end < len(self.lines)
            return [self.block(end)] if passes else self.following[number]

        return reachable(first, following)

    def written(self, to: Mapping[int, set[int]]) -> tuple[list[int], set[int]]:
        """Return a mask of the registers that may have been written at the end of each block, and the reachable
        blocks."""
        own = [0] * len(self.starts)
        for number, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            for place in range(start, end):
                own[number] |= self.kills[place]
        after = [self.block(place + 1) for place, way in self.ways.items() if way.calls and place + 1 < len(self.lines)]
        following = [list(blocks) for blocks in self.following]
        for number, end in enumerate(self.ends):
            way = self.ways.get(end - 1, _NEXT)
            if way.computed:
                following[number] += {self.block(place) for place in to[end - 1]}
            if way.returns:
                following[number] += after
            if way.calls and not way.targets:
                own[number] = -1
        written = [0] * len(self.starts)
        written[0] = own[0]
        reached = {0}
        waiting = [0]
        while waiting:
            number = waiting.pop()
            for successor in following[number]:
                registers = written[successor] | written[number] | own[successor]
                if registers != written[successor] or successor not in reached:
                    written[successor] = registers
                    reached.add(successor)
                    waiting.append(successor)
        return written, reached
