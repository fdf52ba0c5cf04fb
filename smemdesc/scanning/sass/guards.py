"""What a guarded write leaves where its guard is known to have held.

``@P0 R2UR UR7, R4`` may leave what was in UR7 before. But an instruction under the same predicate, or in a block that
is reached only where it holds, reads what was written. So is it with an elected thread: one of a warp is elected, and
what that one puts into a uniform register is there for all. Such readers are given a register of their own, which holds
what the write makes whenever it is carried out.

Only straight ways are looked at: blocks of which each has one that leads to it. There the write, the predicate and the
reader stand in the text one after the other, and it is plain that the predicate was not changed in between.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from smemdesc.scanning.flow import Block, Step
from smemdesc.scanning.known import TRUE
from smemdesc.scanning.sass.conditions import definition
from smemdesc.scanning.sass.mma import Reads
from smemdesc.scanning.sass.predicates import decides
from smemdesc.scanning.sass.text import Line

_ALWAYS = ("@PT", "@UPT")
_OFF, _UOFF = b"@!PT", b"@!UPT"
_FAR = 16
"""Blocks of a straight way that are looked at."""
_DEEP = 32
"""Writes under the same guard that are looked at, each of which reads what the one before it wrote."""
_LIKELY = 64
"""Writes that are looked at for one read."""


class _Holds(NamedTuple):
    """A predicate, told by the line that wrote it (or the block in which none did), and whether it is true."""

    truth: bool
    where: object
    name: str


class Guards:
    """The readers of guarded writes in one function.

    ``guarded`` are the registers that are written under a guard, ``writes`` returns those that a line writes; ``made``
    returns the step of a line as if it had no guard, of which the reads are names that ``resolve`` returned.
    """

    def __init__(
        self,
        lines: list[bytes],
        blocks: Sequence[Block],
        take: Callable[[bytes], Line | None],
        guarded: set[str],
        writes: Callable[[int], tuple[str, ...]],
        made: Callable[[Guards, int, int], Step | None],
    ) -> None:
        self.lines = lines
        self.take = take
        self.made = made
        self.at = [block.at for block in blocks]
        self.ends = [*self.at[1:], len(lines)]
        self.steps: dict[int, Step] = {}
        """What can be done before the line of a guarded write, for its readers."""
        self.used: set[int] = set()
        """The lines of those that matter."""
        self._following = blocks
        self._edges: dict[tuple[int, int], list[_Holds]] = {}
        self._places: dict[tuple[int, int, str], object] = {}
        self._decides: dict[tuple[int, str], list[int]] = {}
        self._guarded = guarded
        self._writes = writes
        self._writers: dict[int, dict[str, list[int]]] = {}
        self._depth = 0
        self.blocks: set[int] = set()
        """The blocks in which there are such lines."""

    @cached_property
    def _only(self) -> list[int | None]:
        return _only(self._following, self._before)

    def resolved(self, number: int, index: int, registers: tuple[Any, ...], guard: str) -> tuple[Any, ...]:
        """Return what to read in place of registers (or constants) at a line of a block that has a guard."""
        if self._guarded.isdisjoint(registers):
            return registers
        return tuple(
            [self.resolve(number, index, each, guard) if isinstance(each, str) else each for each in registers]
        )

    def parts(self, number: int, index: int, reads: Reads, guard: str) -> Reads:
        """Return the registers to read for the operands of a tensor-core instruction."""
        return Reads(*(None if part is None else self.resolved(number, index, part, guard) for part in reads))

    def before(self, index: int, live: set[object]) -> None:
        """Turn what matters behind a guarded write into what matters before what is done for its readers."""
        step = self.steps[index]
        if not live.isdisjoint(step.writes):
            self.used.add(index)
            live.difference_update(step.writes)
            live.update(each for each in step.reads if isinstance(each, str))

    def resolve(self, number: int, index: int, register: str, guard: str = "") -> str:
        """Return the register to read in place of ``register`` at a line of a block."""
        if register not in self._guarded:
            return register
        skipped = False
        here, limit = number, index
        ways: list[tuple[int, int]] = []
        known: list[_Holds] | None = None
        for _ in range(_LIKELY):
            writers = self._written(here).get(register, ())
            place = bisect_left(writers, limit)
            if not place:
                before = self._only[here]
                if before is None or len(ways) > _FAR:
                    return register
                ways.append((before, here))
                known = None
                here, limit = before, self.ends[before]
                continue
            writer = writers[place - 1]
            if b"@" not in self.lines[writer]:
                return self._own(here, writer, register) if skipped else register
            line = self.take(self.lines[writer])
            if line is None or line.guard in _ALWAYS:
                return register
            wanted = self._literal(here, writer, line.guard)
            if wanted is None:
                return register
            if known is None:
                known = [each for way in ways for each in self._edge(*way)]
                held = self._literal(number, index, guard)
                known += [held] if held is not None else []
            if self._implied(wanted, known, here, line) or self.always(here, writer, line):
                return self._own(here, writer, register)
            if wanted._replace(truth=not wanted.truth) not in known or (register[0] == "U" and wanted.name[:1] == "P"):
                # Perhaps another thread wrote it.
                return register
            skipped, limit = True, writer
        return register

    def always(self, number: int, index: int, line: Line) -> bool:
        """Whether a guarded write of a uniform register is carried out by one thread, whichever it is."""
        if line.name != "R2UR" or not line.guard.startswith("@P"):
            return False
        found = self._decided(number, index, line.guard[1:])
        defined = None if found is None else self.take(self.lines[found])
        if found is None or defined is None or defined.name != "ELECT":
            return False
        return not defined.guard or self._some(number, found, defined.guard[1:])

    def _some(self, number: int, index: int, name: str) -> bool:
        """Whether a predicate holds in one thread at least, of those that come to a line.

        Where each thread has operands of its own, they take turns: ``@P0 ELECT P1``, ``@P1 R2UR.BROADCAST UR4, R6``,
        the instruction, and ``@P0 BRA.U.ANY`` back as long as P0 holds in any. It holds in all of them at first.
        """
        found = self._decided(number, index, name)
        if found is not None:
            return self._holds(found, name)
        block = self._following[number]
        if block.entry or block.because is not None or not self._before[number]:
            return False
        return all(self._comes(before, number, name) for before in self._before[number])

    def _comes(self, before: int, to: int, name: str) -> bool:
        """Whether a predicate holds in one at least of the threads that come from one block to another."""
        branch = self._last(before)
        line = None if branch is None else self.take(self.lines[branch])
        if line is not None and line.name == "BRA" and line.guard == f"@{name}":
            # A way that is taken where it holds.
            return to != before + 1 and len(line.operands) == 1 and set(line.suffixes) in (set(), {"U", "ANY"})
        found = self._decided(before, self.ends[before], name)
        if found is not None:
            return self._holds(found, name)
        return self._only[before] is not None and self._held_before(before, name)

    def _held_before(self, number: int, name: str) -> bool:
        """Whether a predicate holds in all threads where a block begins that others lead to one after the other."""
        for _ in range(_FAR):
            before = self._only[number]
            if before is None:
                return False
            found = self._decided(before, self.ends[before], name)
            if found is not None:
                return self._holds(found, name)
            number = before
        return False

    def _holds(self, index: int, name: str) -> bool:
        """Whether a predicate is true in all threads behind a line that writes it."""
        line = self.take(self.lines[index])
        if line is None or line.guard:
            return False
        made = decides(line)
        if made.transfer is None or made.writes != (name,) or any(isinstance(each, str) for each in made.reads):
            return False
        constants: Any = made.reads
        return bool(made.transfer(*constants) == TRUE)

    @cached_property
    def _before(self) -> list[set[int]]:
        return _before(self._following)

    def _own(self, number: int, index: int, register: str) -> str:
        """Return the register that holds what a write makes when it is carried out."""
        step = self.steps.get(index)
        if step is None:
            if self._depth > _DEEP:
                return register
            self._depth += 1
            made = self.made(self, number, index)
            self._depth -= 1
            if made is None or made.transfer is None or any(not isinstance(each, str) for each in made.writes):
                return register
            step = self.steps[index] = made._replace(writes=tuple(f"{each} @{index}" for each in made.writes))
            self.blocks.add(number)
        name = f"{register} @{index}"
        return name if name in step.writes else register

    def _implied(self, wanted: _Holds, known: list[_Holds], number: int, line: Line) -> bool:
        """Whether a write under ``wanted`` has been carried out where ``known`` hold."""
        if wanted in known:
            return True
        if not wanted.truth:
            return False
        where = wanted.where
        if isinstance(where, _Any):
            # A thread that holds the predicate takes part in the vote.
            return where.of in known
        # Some thread wrote the uniform register.
        return line.name == "R2UR" and any(
            each.truth and isinstance(each.where, _Any) and each.where == _Any(number, wanted) for each in known
        )

    def _literal(self, number: int, index: int, guard: str) -> _Holds | None:
        """Return what a guard or a condition says at a line, as one that can be compared."""
        text = guard.lstrip("@")
        name = text.lstrip("!")
        if not name or name in ("PT", "UPT"):
            return None
        key = (number, index, name)
        if key not in self._places:
            self._places[key] = self._place(number, index, name)
        where = self._places[key]
        return _Holds(not text.startswith("!"), where, "" if isinstance(where, _Any) else name)

    def _place(self, number: int, index: int, name: str) -> object:
        """Return where a predicate was written that is read at a line."""
        for _ in range(_FAR):
            found = self._decided(number, index, name)
            if found is not None:
                line = self.take(self.lines[found])
                if line is not None and line.mnemonic == "VOTEU.ANY" and not line.guard and len(line.operands) == 2:
                    of = self._literal(number, found, line.operands[1])
                    if line.operands[0] == name and of is not None and of.truth:
                        return _Any(number, of)
                return found
            before = self._only[number]
            if before is None:
                break
            number, index = before, self.ends[before]
        return ("block", number)

    def _written(self, number: int) -> dict[str, list[int]]:
        """Return the lines of a block that write each of the registers that are somewhere written under a guard."""
        found = self._writers.get(number)
        if found is None:
            found = self._writers[number] = {}
            for index in range(self.at[number], self.ends[number]):
                for register in self._writes(index):
                    if register in self._guarded and not (_OFF in self.lines[index] or _UOFF in self.lines[index]):
                        found.setdefault(register, []).append(index)
        return found

    def _decided(self, number: int, index: int, name: str) -> int | None:
        """Return the last line of a block before another that may write a predicate."""
        lines = self._decides.get((number, name))
        if lines is None:
            lines = []
            at: int | None = self.ends[number]
            while at is not None:
                at = definition(self.lines, at, self.at[number], name, self.take)
                if at is not None:
                    lines.append(at)
            lines.reverse()
            self._decides[number, name] = lines
        place = bisect_left(lines, index)
        return lines[place - 1] if place else None

    def _edge(self, before: int, to: int) -> list[_Holds]:
        """Return what holds where one block leads to another, by the branch between them."""
        key = (before, to)
        if key not in self._edges:
            self._edges[key] = self._held(before, to)
        return self._edges[key]

    def _last(self, number: int) -> int | None:
        """Return the last instruction of a block."""
        lines = range(self.ends[number] - 1, self.at[number] - 1, -1)
        return next((at for at in lines if b";" in self.lines[at]), None)

    def _held(self, before: int, to: int) -> list[_Holds]:
        index = self._last(before)
        line = None if index is None else self.take(self.lines[index])
        if index is None or line is None:
            return []
        conditions = [line.guard.lstrip("@")] if line.guard else []
        if line.name == "BRA":
            if len(set(self._following[before].following)) < 2 or set(line.suffixes) - {"U"} or len(line.operands) > 2:
                return []
            conditions += [each for each in line.operands[:-1] if each.lstrip("!")[:1] in ("U", "P")]
            if len(conditions) != bool(line.guard) + len(line.operands) - 1:
                return []
        elif line.name != "EXIT" or line.operands:
            return []
        falls = to == before + 1
        if falls and len(conditions) != 1:
            return []
        held = [self._literal(before, index, each) for each in conditions]
        return [each._replace(truth=each.truth != falls) for each in held if each is not None]


class _Any(NamedTuple):
    """A vote: whether a predicate holds in any thread that runs a block."""

    block: int
    of: _Holds


def _before(blocks: Sequence[Block]) -> list[set[int]]:
    """Return for each block those that lead to it."""
    before: list[set[int]] = [set() for _ in blocks]
    for number, block in enumerate(blocks):
        for following in block.following:
            before[following].add(number)
    return before


def _only(blocks: Sequence[Block], before: list[set[int]]) -> list[int | None]:
    """Return for each block the one that leads to it, where there is no other way to it."""
    return [
        next(iter(found))
        if len(found) == 1 and not block.entry and block.because is None and number not in found
        else None
        for number, (block, found) in enumerate(zip(blocks, before, strict=True))
    ]
