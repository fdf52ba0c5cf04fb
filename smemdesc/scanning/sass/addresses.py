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
from collections.abc import Callable, Iterable
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning.conditions import bare
from smemdesc.scanning.memory import FRAME, Access
from smemdesc.scanning.sass.lower import Lowering
from smemdesc.scanning.sass.text import OFF, WIDTH, ZERO, Line, follows, is_predicate, operand
from smemdesc.scanning.ssa import Ssa, Version

NUMBER = ""
STACK, WHOLE, _WHOLE_HIGH, _WINDOW, _WINDOW_HIGH = "stack", "whole", "whole high", "window", "window high"
"""The bases that are known for what they are: the stack pointer as an address of local memory; the two words of it as
one of the whole address space; the two words of where local memory begins there."""
_POINTERS = {0x28: 0x20, 0x37C: 0x2F8}
"""Where constant memory has the stack pointer that a kernel begins with, and where it then has the first address of
local memory (8 bytes): sm_90, and sm_100 on."""
_HALF = 1 << WIDTH - 1
_WORD = WIDTH // 8
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


class _Carry(NamedTuple):
    """What a line added to what, and what came of it."""

    of: Held | None
    """None: that is not followed."""
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
    """What the registers of one function hold of addresses: each is followed back from where it is read.

    ``ssa`` are their versions, ``take`` parses a line and says what it does, ``writes`` returns the registers that a
    line writes; ``touching`` are the lines that load or store.
    """

    def __init__(
        self,
        lines: list[bytes],
        ssa: Ssa,
        take: Callable[[bytes], tuple[Line | None, Lowering | None]],
        writes: Callable[[int], tuple[str, ...]],
        touching: Iterable[int],
    ) -> None:
        self.ssa = ssa
        self.taken = cache(lambda index: take(lines[index]))
        self.writes = writes
        self._held: dict[Version, Held] = {}
        self._read_by: dict[int, dict[str, Version]] = {}
        self.window = self._window()
        self.touching: dict[int, Line] = {}
        self.accesses: dict[int, Access] = {}
        for index in touching:
            line = self.taken(index)[0]
            if line is not None and line.guard not in OFF:
                self.touching[index] = line
                access = self._access(index, line)
                if access is not None:
                    self.accesses[index] = access

    def _window(self) -> int | None:
        """Return where constant memory tells where local memory begins; None: this is not where a kernel begins."""
        found: set[int] = set()
        for index in self.ssa.code.writers("R1"):
            line = self.taken(index)[0]
            if line is None or line.name not in ("LDC", "MOV") or line.guard:
                continue
            constant = _CONSTANT.match(line.operands[-1])
            if constant and int(constant[1], 16) in _POINTERS:
                found.add(int(constant[1], 16))
        self.pointer = found.pop() if len(found) == 1 else None
        self.inherited = not found and self.pointer is None
        return None if self.pointer is None else _POINTERS[self.pointer]

    # ---- versions ----

    def made(self, index: int) -> tuple[Held, ...] | None:
        """Return what a line puts into the registers that it writes; None where that is none of what is followed."""
        for each in self._uses(index):
            self._solve(each)
        made = self._values(index)
        if made is None:
            return None
        return tuple([each or Sum(f"{name}@{index}", 0) for name, each in zip(self.writes(index), made, strict=True)])

    def given(self, index: int) -> dict[str, Held]:
        """Return what the registers hold that a line reads (after :meth:`made`)."""
        return {name: self._held[each] for name, each in self._reads(index).items()}

    def carry(self, index: int) -> int | None:
        """Return the line of which another adds the carry."""
        made = self._sum(index)
        found = self._version(made[1].carry_in, index) if made is not None and made[1].carry_in else None
        if found is None or self._open(found):
            return None
        other = self.taken(found.index)[1]
        return None if other is None or other.carry_out != found.register else found.index

    def _open(self, version: Version) -> bool:
        """Whether a version is not made by one line alone."""
        return version.index < 0 or not (version.carried_out or self.ssa.code.guard(version.index) is None)

    def _version(self, name: str, index: int) -> Version | None:
        """Return what a line reads."""
        found = bare(self.ssa.value(name, index, self.ssa.code.guard(index)))
        return found if isinstance(found, Version) else None

    def _sum(self, index: int) -> tuple[Line, Lowering] | None:
        """Return a line that makes one address of others, or may."""
        line, means = self.taken(index)
        if line is None or means is None or line.name not in _FOLLOWED or means.writes != self.writes(index):
            return None
        if (means.transfer is None and line.name not in _CONSTANTS) or ("X" in line.suffixes and not means.carry_in):
            return None
        return line, means

    def _reads(self, index: int) -> dict[str, Version]:
        """Return what a line reads that makes one address of others, by the names of registers."""
        if index not in self._read_by:
            made = self._sum(index)
            names = () if made is None else made[1].reads
            found = {each: self._version(each, index) for each in names if isinstance(each, str)}
            self._read_by[index] = {name: each for name, each in found.items() if each is not None}
        return self._read_by[index]

    def _uses(self, index: int) -> tuple[Version, ...]:
        """Return the versions of which hangs what a line makes."""
        at = self.carry(index)
        return (*self._reads(index).values(), *(() if at is None else self._reads(at).values()))

    def _needs(self, version: Version) -> tuple[Version, ...]:
        """Return the versions of which hangs what another one holds."""
        if not self._open(version):
            return self._uses(version.index)
        if version.index >= 0 or self.ssa.blocks[version.block].entry:
            return ()
        ways = tuple([bare(each) for _, each in self.ssa.comes(version)])
        # What was never written on some way is none of what it is on others.
        return ways if len(ways) == len(self.ssa.before[version.block]) else ()

    def _solve(self, version: Version) -> Held:
        """Return what a version holds: the best that agrees with all on which it hangs."""
        needs: dict[Version, tuple[Version, ...]] = {}
        order: dict[Version, int] = {}
        stack = [] if version in self._held else [version]
        while stack:
            name = stack[-1]
            if name not in needs:
                needs[name] = self._needs(name)
                stack += [each for each in needs[name] if each not in needs and each not in self._held]
            else:
                order.setdefault(stack.pop(), len(order))
        users: dict[Version, list[int]] = {}
        for name, place in order.items():
            for each in needs[name]:
                users.setdefault(each, []).append(place)
        names = list(order)
        waiting = list(order.values())
        while waiting:
            place = heappop(waiting)
            if waiting[:1] == [place]:
                continue
            name = names[place]
            made = self._holds(name, needs[name])
            if made is not None and made != self._held.get(name):
                self._held[name] = made
                for user in users.get(name, ()):
                    heappush(waiting, user)
        for name in names:
            self._held.setdefault(name, self._own(name))
        return self._held[version]

    @staticmethod
    def _own(version: Version) -> Sum:
        """Return a version as a base of its own."""
        place = f" b{version.block}" if version.index < 0 else f"@{version.index}"
        return Sum(f"{version.register}{place}", 0)

    def _holds(self, version: Version, needs: tuple[Version, ...]) -> Held | None:
        """Return what a version holds as far as is known of those on which that hangs; None: not yet."""
        before, own = self._held.get(version), self._own(version)
        ways = {self._held[each] for each in needs if each in self._held and each is not version}
        if not self._open(version):
            if not all(each in self._held for each in needs):
                return None
            made = self._values(version.index)
            return (made and made[self.writes(version.index).index(str(version.register))]) or own
        if not needs:
            begins = version.index < 0 and version.block == 0 and self.ssa.blocks[0].because is None
            return Sum(STACK, 0) if begins and self.inherited and version.register == "R1" else own
        if not ways or before == own:
            return before
        if len(ways) == 1 and before != Near(STACK, ""):
            return ways.pop()
        # Different addresses of local memory on the stack are something near it.
        near = all(isinstance(each, Sum | Near) and each.base == STACK for each in ways)
        return Near(STACK, "") if near else own

    # ---- what lines put into registers ----

    def _read(self, text: str, index: int) -> Held | None:
        """Return what an operand holds."""
        text = text.removesuffix(".reuse")
        found = self._reads(index).get(text)
        if found is not None:
            return self._held[found]
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

    def _values(self, index: int) -> tuple[Held | None, ...] | None:
        """Return what a line makes of what it reads; None where that is none of what is followed."""
        found = self._sum(index)
        if found is None:
            return None
        line, means = found
        made: tuple[Held | None, ...] | None
        if line.name in _CONSTANTS:
            constant = _CONSTANT.match(line.operands[-1])
            if constant is None or not {*line.suffixes} <= {"64"}:
                return None
            at = int(constant[1], 16)
            made = tuple(self._constant(at + 4 * word) for word in range(len(means.writes)))
        elif len(means.writes) == 2:
            made = self._pair(index, line, means)
        elif means.carry_in:
            made = (self._upper(index, line),)
        else:
            lower = self._lower(index)
            made = None if lower is None else (lower.result,)
        if made is None or not any(made):
            return None
        if any(isinstance(each, Near | NearUpper) for each in made):
            near = [each for each in means.reads if isinstance(each, str) and rooted(self._read(each, index))]
            if len(near) != len(means.writes):
                return None  # two addresses
        return made

    def _lower(self, index: int) -> _Carry | None:
        """Return what comes of a sum without a carry."""
        found = self._sum(index)
        if found is None or found[1].carry_in or len(found[1].writes) > 1:
            return None
        line, means = found
        plus, others = self._added(index, line)
        values = [value for _, value in others]
        of = values[0] if values else None
        made: Held | None = None
        if not others:
            return _Carry(None, 0, Sum(NUMBER, _signed(plus)))
        if len(others) == 1:
            if isinstance(of, Sum):
                made = Sum(of.base, of.plus + plus)
            elif not plus and of is not None:
                return _Carry(None, 0, of)
        elif len(others) == 2 and not plus and Sum(_WINDOW, 0) in values:
            of = values[1 - values.index(Sum(_WINDOW, 0))]
            if isinstance(of, Sum) and of.base == STACK and abs(of.plus) < FRAME:
                made = Sum(WHOLE, of.plus)
        elif len(others) == 2 and not plus and isinstance(of, Sum) and of.base == WHOLE:
            text = others[1][0]
            if text[0] == "-" and self._read(text[1:], index) == Sum(_WINDOW, 0):
                return _Carry(None, 0, Sum(STACK, of.plus))
        if made is None:
            near = [value for value in values if isinstance(value, Sum | Near) and value.base in (STACK, WHOLE)]
            if len(near) != 1:
                return None
            of = near[0]
            made = Near(of.base, f"{means.writes[0]}@{index}" if of.base == WHOLE else "")
        return _Carry(of, plus, made)

    def _upper(self, index: int, line: Line) -> Held | None:
        """Return what comes of a sum with the carry of one of lower words."""
        at = self.carry(index)
        carry = None if at is None else self._lower(at)
        if carry is None:
            return None
        plus, others = self._added(index, line)
        values = [value for _, value in others]
        of, added, result = carry
        if isinstance(result, Near):
            near = result.base == WHOLE and sum(belong(of, each) for each in values) == 1
            return NearUpper(result.made) if near else None
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

    def _added(self, index: int, line: Line) -> tuple[int, list[tuple[str, Held | None]]]:
        """Return the sum of the numbers among the terms, and the other terms with what they hold."""
        plus, others = 0, []
        for text in _terms(line):
            value = None if text[:1] in "-~" and "R" in text else self._read(text, index)
            if isinstance(value, Sum) and value.base == NUMBER:
                plus += value.plus
            else:
                others.append((text, value))
        return plus, others

    def _pair(self, index: int, line: Line, means: Lowering) -> tuple[Held | None, ...] | None:
        """Return what comes of an instruction that writes two words."""
        if any(each[:1] in "-~" and "R" in each for each in line.operands):
            return None
        reads = [self._read(each, index) if isinstance(each, str) else None for each in means.reads]
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

    def _at(self, name: str, index: int) -> Held | None:
        """Return what a register holds where a line reads it."""
        version = self._version(name, index)
        return None if version is None else self._solve(version)

    def _access(self, index: int, line: Line) -> Access | None:
        place = _place(line)
        if place is None or set(line.suffixes) - _HINTS - _BYTES.keys():
            return None
        names, plus = place
        values = [self._at(name, index) for name in names]
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
    return isinstance(high, Sum) and high.base != NUMBER and low.base != WHOLE and not low.plus and not high.plus


def _on_stack(line: Line, offset: int) -> Access | None:
    return _access(line, STACK, offset) if abs(offset) < FRAME else None


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


def _terms(line: Line) -> list[str]:
    """Return the operands of which a line that writes one register makes the sum."""
    sources = [each.removesuffix(".reuse") for each in line.operands[1:] if not is_predicate(each)]
    if line.name in _COPIES:
        return sources[:1]
    if line.name in _SUMS:
        return sources
    if line.name in _SCALED:
        return [_ANY, sources[1]]
    if len(sources) != 3:
        return [_ANY]
    a, b, c = sources
    if "RZ" in (a, b) or "URZ" in (a, b):
        return [c]
    return [a, c] if b == "0x1" else [_ANY, c]
