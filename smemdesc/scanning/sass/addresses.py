"""What registers hold of addresses, where that can be told from where they were put there.

Two addresses that are the same base and a number are told apart by the numbers; what the base is need not be known. So
each register is followed back to where its base was put there: by a line, or where ways meet with different ones. One
base is known for what it is, the stack pointer. Its words are private to the thread, whatever others do; and they have
a second address, in the whole address space: the stack pointer, widened to 64 bits, and the first address of the
window of local memory, which constant memory tells. A frame is smaller than half a megabyte and does not begin at the
very end of the window, so that adding to the one address is adding to the other.

What is added need not be a number: an element of an array is at an address that is *near* the stack pointer. How far
is for the analysis of values to say.

A base is put into registers anew in each round of a loop, and nothing that is said of it is about the one before: when
control comes there first, no register is of that base yet, and what holds must hold on all ways.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.flow import Block, backwards, order
from smemdesc.scanning.memory import FRAME, Access
from smemdesc.scanning.sass.conditions import definition, stays
from smemdesc.scanning.sass.meaning import NOWHERE, Meaning
from smemdesc.scanning.sass.text import WIDTH, ZERO, Line, follows, is_predicate, operand, register

NUMBER = ""
STACK, WHOLE, _WHOLE_HIGH, _WINDOW, _WINDOW_HIGH = "stack", "whole", "whole high", "window", "window high"
"""The bases that are known for what they are: the stack pointer as an address of local memory; the two words of it as
one of the whole address space; the two words of where local memory begins there."""
_POINTERS = {0x28: 0x20, 0x37C: 0x2F8}
"""Where constant memory has the stack pointer that a kernel begins with, and where it then has the first address of
local memory (8 bytes): sm_90, and sm_100 on."""
_HALF = 1 << WIDTH - 1
_WORD = WIDTH // 8
_ALWAYS = ("", "@PT", "@UPT")
_NEVER = ("@!PT", "@!UPT")
_LOCAL = re.compile(r"\[(U?R\d+)(?:\+(-?0x[0-9a-f]+))?\]$")
_ABSOLUTE = re.compile(r"\[(0x[0-9a-f]+)\]$")
_WIDE = re.compile(r"(?:desc\[UR\d+\])?\[R(\d+)\.64(?:\+(-?0x[0-9a-f]+))?\]$")
_CONSTANT = re.compile(r"c\[0x0\]\[(0x[0-9a-f]+)\]$")
_REMARK = re.compile(r"(?<!\s)\s*+\(\*[^()]*\*\)\s*$")
_BYTES = {"64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}
_HINTS = frozenset(("E", "LU", "EL", "LT", "NA", "EF", "32"))
_LOADS, _STORES = ("LD", "LDL"), ("ST", "STL")


class Sum(NamedTuple):
    """A register: a base, the lower word of one of 64 bits, and a number."""

    base: str
    plus: int


class Upper(NamedTuple):
    """A register: the upper word of the 64 bits in two others, and a number."""

    base: str
    high: str
    plus: int


class Near(NamedTuple):
    """A register: the stack pointer, or the lower word of its address of 64 bits, and something."""

    base: str
    made: str
    """Where an address of 64 bits was made: the upper word that belongs to it was made there, too."""


class NearUpper(NamedTuple):
    """A register: the upper word of such an address."""

    made: str


Held = Sum | Upper | Near | NearUpper


class _Under(NamedTuple):
    """A register that a line wrote under a predicate: what it holds where that holds still, and else."""

    at: int
    guard: str
    value: Held
    other: Held


_Environment = dict[str, "Held | _Under"]


class _Carry(NamedTuple):
    """What a line added to what, and what came of it."""

    of: Held
    plus: int
    result: Held


def _access(line: Line, space: str, offset: int, near: tuple[str, ...] = ()) -> Access | None:
    """Return what a line loads or stores; ``space``: what its address is made of, :data:`STACK` or others, which may
    overlap."""
    size = next((_BYTES[each] for each in line.suffixes if each in _BYTES), _WORD)
    loads = line.name in _LOADS
    source = _REMARK.sub("", line.operands[0 if loads else 1]).removesuffix(".reuse")
    words = max(1, size // _WORD)
    data = (ZERO,) * words if source == "RZ" and not loads else tuple(follows(source, words))
    signed = bool({"S8", "S16"} & set(line.suffixes))
    return Access(loads, space, offset, min(size, _WORD), data, WIDTH, signed, near) if len(data) == words else None


def rooted(value: Held | None) -> bool:
    """Whether a register holds an address of the stack."""
    return isinstance(value, NearUpper) or (value is not None and value.base in (STACK, WHOLE))


def reaches(line: Line) -> bool:
    """Whether a line loads from memory, or stores to it, where a local variable may be."""
    return line.name in (*_LOADS, *_STORES)


class Addresses:
    """What the registers of one function hold of addresses.

    ``take`` parses a line and says what it does, ``writes`` returns the registers that a line writes; ``touching`` are
    the lines that load or store.
    """

    def __init__(
        self,
        lines: list[bytes],
        blocks: Sequence[Block],
        take: Callable[[bytes], tuple[Line | None, Meaning | None]],
        writes: Callable[[int], tuple[str, ...]],
        touching: Iterable[int],
    ) -> None:
        self.lines = lines
        self.blocks = blocks
        self.take = take
        self.taken = cache(lambda index: take(lines[index]))
        self.writes = writes
        self.starts = [block.at for block in blocks]
        self.touching: dict[int, Line] = {}
        for index in touching:
            taken = self.taken(index)[0]
            if taken is not None and taken.guard not in _NEVER:
                self.touching[index] = taken
        self.writers: dict[str, list[int]] = {}
        for index in range(len(lines)):
            for name in writes(index):
                self.writers.setdefault(name, []).append(index)
        self.window = self._window()
        self.names: list[set[str]] = [set() for _ in blocks]
        """The registers of which addresses are made behind the beginning of each block."""
        self.events: list[list[int]] = [[] for _ in blocks]
        """The lines that load or store, and those that put into registers what addresses are made of."""
        self._choose()
        self.carries: dict[int, _Carry] = {}
        self.met: list[set[str]] = [set() for _ in blocks]
        """The registers in which ways meet with different bases, by block."""
        self.near: list[set[str]] = [set() for _ in blocks]
        """Those in which ways meet with different addresses of the stack."""
        self.carried: dict[int, int] = {}
        """The lines of which other lines add the carry to the upper word of an address near the stack pointer."""
        self.made: dict[int, tuple[Held, ...]] = {}
        """What lines put into the registers that they write."""
        self.given: dict[int, dict[str, Held]] = {}
        """What lines that put something near the stack pointer into registers read."""
        self.accesses: dict[int, Access] = {}
        self._run()

    def block(self, index: int) -> int:
        """Return the block of a line."""
        return bisect_right(self.starts, index) - 1

    def _window(self) -> int | None:
        """Return where constant memory tells where local memory begins; None: this is not where a kernel begins."""
        found: set[int] = set()
        for index in self.writers.get("R1", ()):
            line = self.taken(index)[0]
            if line is None or line.name not in ("LDC", "MOV") or line.guard:
                continue
            constant = _CONSTANT.match(line.operands[-1])
            if constant and int(constant[1], 16) in _POINTERS:
                found.add(int(constant[1], 16))
        self.pointer = found.pop() if len(found) == 1 else None
        self.inherited = not found and self.pointer is None
        return None if self.pointer is None else _POINTERS[self.pointer]

    def _choose(self) -> None:
        """Find the lines on which addresses depend, from the loads and stores backwards."""
        own: list[dict[int, tuple[str, ...]]] = [{} for _ in self.blocks]
        for index in sorted({*self.touching, *(each for lines in self.writers.values() for each in lines)}):
            own[self.block(index)][index] = self.writes(index)
        written = [{name for writes in lines.values() for name in writes} for lines in own]
        chosen = set(self.touching)
        touched = {self.block(index) for index in chosen}

        def visit(number: int, live: set[object]) -> None:
            if number not in touched and live.isdisjoint(written[number]):
                return
            for index in reversed(own[number]):
                if index not in chosen and live.isdisjoint(own[number][index]):
                    continue
                chosen.add(index)
                live.difference_update(own[number][index])
                line, means = self.taken(index)
                if index in self.touching:
                    place = _place(self.touching[index])
                    live.update(() if place is None else place[0])
                elif line is not None and means is not None and _followed(line):
                    live.update(each for each in means.reads if isinstance(each, str) and register(each) is not None)
                    at = self._written(index, self.starts[number], means.carry_in) if means.carry_in else None
                    chosen.update(() if at is None else (at,))

        numbers, masks = backwards(self.blocks, touched, visit)
        self.names = [numbers.names(mask) for mask in masks]
        for index in sorted(chosen):
            self.events[self.block(index)].append(index)

    def _written(self, index: int, start: int, predicate: str) -> int | None:
        """Return the line from ``start`` on that last wrote a predicate before ``index``."""
        return definition(self.lines, index, start, predicate, lambda text: self.take(text)[0])

    # ---- over the function ----

    def _run(self) -> None:
        for number, environment in enumerate(self._solved()):
            held = dict(environment)
            for index in self.events[number]:
                if index in self.touching:
                    access = self._access(index, self.touching[index], held)
                    if access is not None:
                        self.accesses[index] = access
                self._step(index, self.starts[number], held, True)

    def _solved(self) -> list[_Environment]:
        """Return what the registers hold where each block begins."""
        before: list[list[int]] = [[] for _ in self.blocks]
        for number, block in enumerate(self.blocks):
            for following in block.following:
                before[following].append(number)
        lines, writes = self.lines, self.writes
        incoming: list[_Environment | None] = [None] * len(self.blocks)
        outgoing: list[_Environment | None] = [None] * len(self.blocks)
        for number, block in enumerate(self.blocks):
            if block.entry or (block.because is not None and not block.called):
                self.met[number] = self.names[number]
            elif block.called:
                changed = {each for index in block.called if not stays(lines[index]) for each in writes(index)}
                self.met[number] = self.names[number] & changed
        rank = {number: place for place, number in enumerate(order(self.blocks))}
        heap = sorted((rank[number], number) for number, block in enumerate(self.blocks) if block.entry)
        waiting = {number for _, number in heap}
        while heap:
            number = heappop(heap)[1]
            waiting.remove(number)
            held = self._meeting(number, [out for each in before[number] if (out := outgoing[each]) is not None])
            if held == incoming[number] and outgoing[number] is not None:
                continue
            incoming[number] = dict(held)
            for index in self.events[number]:
                self._step(index, self.starts[number], held)
            for name, value in held.items():
                if isinstance(value, _Under):
                    held[name] = value.other
            if held != outgoing[number]:
                outgoing[number] = held
                for each in self.blocks[number].following:
                    if each not in waiting:
                        waiting.add(each)
                        heappush(heap, (rank[each], each))
        for number, found in enumerate(incoming):
            if found is None:
                self.met[number] = self.names[number]
                incoming[number] = self._meeting(number, [])
        return [found or {} for found in incoming]

    def _meeting(self, number: int, ways: list[_Environment]) -> _Environment:
        """Return what the registers hold where ways meet; those in which it differs are bases of their own."""
        met, near = self.met[number], self.near[number]
        held: _Environment = {}
        for name in self.names[number]:
            if name not in met:
                values = {way[name] for way in ways}
                if name in near or len(values) > 1:
                    # Different addresses of local memory on the stack are something near it.
                    if all(isinstance(each, Sum | Near) and each.base == STACK for each in values):
                        near.add(name)
                        held[name] = Near(STACK, "")
                        continue
                    met.add(name)
                else:
                    held[name] = values.pop()
                    continue
            first = number == 0 and name == "R1" and self.inherited and self.blocks[0].because is None
            held[name] = Sum(STACK if first else f"{name} b{number}", 0)
        return held

    def _step(self, index: int, start: int, held: _Environment, last: bool = False) -> None:
        """Do to ``held`` what a line does; ``last``: note it."""
        writes = self.writes(index)
        line, means = self.taken(index)
        self.carries.pop(index, None)
        made = None
        if line is not None and means is not None and means.writes == writes:
            made = self._values(index, start, line, means, held)
        if made is not None and line is not None:
            values: list[Held] = []
            for name, value in zip(writes, made, strict=True):
                other = Sum(f"{name}@{index}", 0)
                values.append(value or other)
                always = line.guard in _ALWAYS or value is None
                held[name] = values[-1] if always else _Under(index, line.guard, values[-1], other)
            if last:
                self.made[index] = tuple(values)
            return
        for name in writes:
            held[name] = Sum(f"{name}@{index}", 0)

    # ---- what lines put into registers ----

    def _held(self, text: str, index: int, guard: str, held: _Environment) -> Held | None:
        """Return what an operand holds."""
        text = text.removesuffix(".reuse")
        found = held.get(text)
        if isinstance(found, _Under):
            kept = found.guard == guard and (self._written(index, found.at, guard.lstrip("@!")) is None)
            return found.value if kept else found.other
        if found is not None:
            return found
        constant = _CONSTANT.match(text)
        if constant:
            return self._constant(int(constant[1], 16))
        number = operand(text)
        if not number.sign and isinstance(number.register, tuple) and number.register[1] == ones(WIDTH):
            return Sum(NUMBER, _signed(number.register[0]))
        return None

    def _constant(self, offset: int) -> Held | None:
        """Return what a word of constant memory is."""
        if offset == self.pointer:
            return Sum(STACK, 0)
        if self.window is not None and offset in (self.window, self.window + 4):
            return Sum(_WINDOW if offset == self.window else _WINDOW_HIGH, 0)
        return None

    def _values(
        self, index: int, start: int, line: Line, means: Meaning, held: _Environment
    ) -> tuple[Held | None, ...] | None:
        """Return what a line puts into the registers that it writes; None where that is none of what is followed."""
        if not _followed(line) or NOWHERE in means.writes:
            return None

        def read(text: str) -> Held | None:
            return self._held(text, index, line.guard, held)

        made: tuple[Held | None, ...] | None
        if line.name in ("LDC", "ULDC", "LDCU"):
            constant = _CONSTANT.match(line.operands[-1])
            if constant is None or not {*line.suffixes} <= {"64"}:
                return None
            at = int(constant[1], 16)
            made = tuple(self._constant(at + 4 * word) for word in range(len(means.writes)))
        elif means.transfer is None or ("X" in line.suffixes and not means.carry_in):
            return None
        elif len(means.writes) == 2:
            made = self._pair(index, line, means, read)
        else:
            terms = _terms(line)
            if terms is None:
                return None
            if means.carry_in:
                made = (self._upper(index, start, line, means, terms, read),)
            else:
                made = (self._lower(index, line, means, terms, read),)
        if made is None or not any(made):
            return None
        if any(isinstance(each, Near | NearUpper) for each in made):
            found = [value for each in means.reads if isinstance(each, str) and rooted(value := read(each))]
            if len(found) != len(means.writes):
                return None  # two addresses
            self.given[index] = {each: value for each in means.reads if isinstance(each, str) and (value := read(each))}
        return made

    def _lower(
        self, index: int, line: Line, means: Meaning, terms: list[str], read: Callable[[str], Held | None]
    ) -> Held | None:
        """Return what comes of a sum without a carry."""
        plus, others = _added(terms, read)
        if not others:
            return Sum(NUMBER, _signed(plus))
        values = [value for _, value in others]
        made: Held | None = None
        of = values[0]
        if len(others) == 1:
            if isinstance(of, Sum):
                made = Sum(of.base, of.plus + plus)
            elif not plus or of is None:
                return of
        elif len(others) == 2 and not plus and Sum(_WINDOW, 0) in values:
            of = values[1 - values.index(Sum(_WINDOW, 0))]
            if isinstance(of, Sum) and of.base == STACK and abs(of.plus) < FRAME:
                made = Sum(WHOLE, of.plus)
        elif len(others) == 2 and not plus and isinstance(of, Sum) and of.base == WHOLE:
            text = others[1][0]
            if text[0] == "-" and read(text[1:]) == Sum(_WINDOW, 0):
                return Sum(STACK, of.plus)
        if made is None:
            near = [value for value in values if isinstance(value, Sum | Near) and value.base in (STACK, WHOLE)]
            if len(near) != 1:
                return None
            of = near[0]
            made = Near(of.base, f"{means.writes[0]}@{index}" if of.base == WHOLE else "")
        if means.carry_out and of is not None:
            self.carries[index] = _Carry(of, plus, made)
        return made

    def _upper(
        self, index: int, start: int, line: Line, means: Meaning, terms: list[str], read: Callable[[str], Held | None]
    ) -> Held | None:
        """Return what comes of a sum with the carry of one of lower words."""
        at = self._written(index, start, means.carry_in)
        carry = None if at is None else self.carries.get(at)
        if carry is None or at is None:
            return None
        lower = self.taken(at)[0]
        if lower is None or lower.guard not in (*_ALWAYS, line.guard):
            return None
        guard = line.guard.lstrip("@!")
        if lower.guard not in _ALWAYS and self._written(index, at, guard) is not None:
            return None
        plus, others = _added(terms, read)
        values = [value for _, value in others]
        of, added, result = carry
        if isinstance(result, Near):
            if result.base != WHOLE or sum(belong(of, each) for each in values) != 1:
                return None
            self.carried[index] = at
            return NearUpper(result.made)
        if len(values) != 1 or not isinstance(of, Sum) or not isinstance(result, Sum):
            return None
        if of.base == STACK and result.base == WHOLE:
            return Upper(WHOLE, _WHOLE_HIGH, result.plus) if values == [Sum(_WINDOW_HIGH, 0)] and not plus else None
        if plus != (-1 if added < 0 else 0) or not -_HALF <= added < _HALF:
            return None
        high = values[0]
        if isinstance(high, Upper):
            return high._replace(plus=high.plus + added) if (high.base, high.plus) == of else None
        return Upper(of.base, high.base, added) if isinstance(high, Sum) and not high.plus and not of.plus else None

    def _pair(
        self, index: int, line: Line, means: Meaning, read: Callable[[str], Held | None]
    ) -> tuple[Held | None, ...] | None:
        """Return what comes of an instruction that writes two words."""
        if any(each[:1] in "-~" and "R" in each for each in line.operands):
            return None
        reads = [read(each) if isinstance(each, str) else None for each in means.reads]
        if line.name in ("MOV", "UMOV"):
            return tuple(reads) if len(reads) == 2 else None
        near = [
            place
            for place, (low, high) in enumerate(pairwise(reads))
            if belong(low, high) and isinstance(low, Sum | Near) and low.base == WHOLE
        ]
        last = len(reads) - 2
        if len(near) != 1 or (near[0] != last if line.name == "IMAD" else near[0] % 2):
            return None
        made = f"{means.writes[0]}@{index}"
        return Near(WHOLE, made), NearUpper(made)

    # ---- what loads and stores reach ----

    def _access(self, index: int, line: Line, held: _Environment) -> Access | None:
        place = _place(line)
        if place is None or set(line.suffixes) - _HINTS - _BYTES.keys():
            return None
        names, plus = place
        values = [self._held(name, index, line.guard, held) for name in names]
        if len(values) == 2:
            low, high = values
            if not belong(low, high):
                return None
            if isinstance(low, Near):
                return _access(line, STACK, plus, names)
            assert isinstance(low, Sum)
            if low.base == WHOLE:
                return _on_stack(line, low.plus + plus)
            base = high.high if isinstance(high, Upper) else high.base if isinstance(high, Sum) else ""
            return _access(line, f"{low.base} {base}", low.plus + plus)
        at = values[0] if values else Sum(NUMBER, 0)
        if isinstance(at, Near) and at.base == STACK:
            return _access(line, STACK, plus, names)
        if isinstance(at, Sum) and at.base == STACK:
            return _on_stack(line, _signed(at.plus + plus))
        if not isinstance(at, Sum) or not -_HALF <= at.plus + plus < _HALF - max(_BYTES.values()):
            return None
        return _access(line, f"local {at.base}", at.plus + plus)


def belong(low: Held | None, high: Held | None) -> bool:
    """Whether two words are an address of 64 bits."""
    if isinstance(low, Near):
        return low.base == WHOLE and high == NearUpper(low.made)
    if not isinstance(low, Sum) or low.base == NUMBER:
        return False
    if isinstance(high, Upper):
        return (high.base, high.plus) == low
    return isinstance(high, Sum) and high.base != NUMBER and not low.plus and not high.plus


def _on_stack(line: Line, offset: int) -> Access | None:
    return _access(line, STACK, offset) if abs(offset) < FRAME else None


def _added(terms: list[str], read: Callable[[str], Held | None]) -> tuple[int, list[tuple[str, Held | None]]]:
    """Return the sum of the numbers among the terms, and the other terms with what they hold."""
    plus, others = 0, []
    for text in terms:
        value = None if text[:1] in "-~" and "R" in text else read(text)
        if isinstance(value, Sum) and value.base == NUMBER:
            plus += value.plus
        else:
            others.append((text, value))
    return plus, others


def _signed(number: int) -> int:
    return (number + _HALF & ones(WIDTH)) - _HALF


def _place(line: Line) -> tuple[tuple[str, ...], int] | None:
    """Return the registers and the number of the address that a load or store reaches memory by."""
    if len(line.operands) != 2:
        return None
    text = _REMARK.sub("", line.operands[1 if line.name in _LOADS else 0])
    if line.name in ("LDL", "STL"):
        found = _LOCAL.match(text)
        if found:
            return (found[1],), int(found[2] or "0", 16)
        absolute = _ABSOLUTE.match(text)
        return ((), int(absolute[1], 16)) if absolute else None
    found = _WIDE.match(text)
    return (tuple(follows(f"R{found[1]}", 2)), int(found[2] or "0", 16)) if found else None


_COPIES = frozenset(("MOV", "UMOV"))
_SUMS = frozenset(("IADD3", "UIADD3", "IADD", "VIADD", "UVIADD"))
_CONSTANTS = frozenset(("LDC", "ULDC", "LDCU"))
_PRODUCTS = frozenset(("IMAD", "UIMAD"))
_SCALED = frozenset(("LEA", "ULEA"))
_FOLLOWED = _COPIES | _SUMS | _CONSTANTS | _PRODUCTS | _SCALED
_ANY = "-R?"
"""A term of which nothing is known."""


def _followed(line: Line) -> bool:
    """Whether a line makes one address of another, or may."""
    return line.name in _FOLLOWED


def _terms(line: Line) -> list[str] | None:
    """Return the operands of which a line that writes one register makes the sum."""
    sources = [each.removesuffix(".reuse") for each in line.operands[1:] if not is_predicate(each)]
    if line.name in _COPIES:
        return sources[:1]
    if line.name in _SUMS:
        return sources
    if line.name in _SCALED:
        return [_ANY, sources[1]]
    if len(sources) != 3:
        return None
    a, b, c = sources
    if "RZ" in (a, b) or "URZ" in (a, b):
        return [c]
    return [a, c] if b == "0x1" else [_ANY, c]
