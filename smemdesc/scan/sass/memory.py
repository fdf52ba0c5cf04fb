"""Bytes that a function keeps in memory at addresses of 64 bits, as registers of the analysis.

Unoptimized code (``-G``, ``-O0``) keeps its variables in local memory and reaches them by addresses of the whole
address space: ``IADD3 R8, P0, R4, 0x18, RZ``, ``IADD3.X R9, R3, RZ, RZ, P0, !PT``, ``ST.E desc[UR4][R8.64], R10``. What
the base (R4, R3) is, nobody says, and it need not be known: two addresses that are the same base and a number are told
apart by the numbers. So each address is followed back to where its base was put into registers: by a line, or where
ways meet with different ones. A store by another base, or by an address that cannot be followed, may write every byte;
so may what lets other threads write: barriers, atomics, fences, copies, calls.

A base is put into registers anew in each round of a loop, and nothing that is said of it is about the one before: when
control comes there first, no register and no byte is of that base yet, and what holds must hold on all ways.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from smemdesc.scan import known
from smemdesc.scan.flow import Block
from smemdesc.scan.known import UNKNOWN, Value
from smemdesc.scan.sass.conditions import definition
from smemdesc.scan.sass.meaning import HARMLESS, Meaning
from smemdesc.scan.sass.stack import Stack
from smemdesc.scan.sass.text import WIDTH, ZERO, Line, follows, is_predicate, operand, register

_PLACE = re.compile(r"(?:desc\[UR\d+\])?\[R(\d+)\.64(?:\+(-?0x[0-9a-f]+))?\]$")
_BYTE = 8
_BYTES = {"64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}
_KINDS = frozenset(("E", *_BYTES))
_HALF = 1 << WIDTH - 1
_ALWAYS = ("", "@PT", "@UPT")
_MANY = 500_000
"""More writes of bytes than so many are not followed."""


class _Low(NamedTuple):
    """A register: what was put into another one at a place, and a number."""

    base: str
    plus: int


class _High(NamedTuple):
    """A register: the upper word of the 64 bits in two others, and a number."""

    low: str
    high: str
    plus: int


_Held = _Low | _High
_Environment = dict[str, _Held]


NONE = Stack({}, {})


def memory(
    lines: list[bytes],
    blocks: Sequence[Block],
    take: Callable[[bytes], tuple[Line | None, Meaning | None]],
    writes: Callable[[int], tuple[str, ...]],
    tensor: Callable[[int], bool],
) -> Stack:
    """Find the bytes in memory that a function reads back.

    ``take`` parses a line and says what it does, ``writes`` returns the registers that a line writes, ``tensor`` tells
    the lines of tensor-core instructions.
    """
    if not (any(b" LD.E" in line for line in lines) and any(b" ST.E" in line for line in lines)):
        return NONE
    return _Reader(lines, blocks, take, writes, tensor).read()


def concerns(line: Line | None, means: Meaning | None) -> bool:
    """Whether what a line does hangs on what is in memory; ``means`` is what it says of itself."""
    if line is None or means is None:
        return False
    return line.name in ("LD", "ST") or (means.transfer is not None and not _harmless(line))


class _Access(NamedTuple):
    line: Line
    base: tuple[str, str]
    offset: int
    size: int


class _Reader:
    def __init__(
        self,
        lines: list[bytes],
        blocks: Sequence[Block],
        take: Callable[[bytes], tuple[Line | None, Meaning | None]],
        writes: Callable[[int], tuple[str, ...]],
        tensor: Callable[[int], bool],
    ) -> None:
        self.lines = lines
        self.blocks = blocks
        self.take = take
        self.writes = writes
        self.tensor = tensor
        self.starts = [block.at for block in blocks]
        self.code = {index: line for index, text in enumerate(lines) if (line := take(text)[0]) is not None}
        self.names = self._relevant()
        self.events: list[list[int]] = [[] for _ in blocks]
        for index in self.code:
            if not self.names.isdisjoint(writes(index)) or _place(self.code[index]) is not None:
                self.events[self.block(index)].append(index)
        self.carries: dict[int, tuple[_Low, int]] = {}
        self.met: list[set[str]] = [set() for _ in blocks]
        """The registers in which ways meet with different ones, by block."""

    def block(self, index: int) -> int:
        return bisect_right(self.starts, index) - 1

    def _relevant(self) -> set[str]:
        """Return the registers that addresses are made of."""
        names: set[str] = set()
        for line in self.code.values():
            place = _place(line)
            if place is not None:
                names.update((f"R{place[0]}", f"R{place[0] + 1}"))
        before: dict[str, set[str]] = {}
        for line in self.code.values():
            if line.name in ("MOV", "IADD3") or line.mnemonic == "IMAD.MOV.U32":
                before.setdefault(line.operands[0], set()).update(line.operands[1:])
        waiting = list(names)
        while waiting:
            for each in before.get(waiting.pop(), ()):
                name = each.removesuffix(".reuse")
                if name not in names and register(name) not in (None, ("R", -1)) and name[0] == "R":
                    names.add(name)
                    waiting.append(name)
        return names

    # ---- addresses ----

    def read(self) -> Stack:
        incoming = self._solved()
        accesses: dict[int, _Access] = {}
        for number, environment in enumerate(incoming):
            held = dict(environment)
            for index in self.events[number]:
                access = self._access(self.code[index], held)
                if access is not None:
                    accesses[index] = access
                self._step(index, self.starts[number], held)
        return self._made(accesses)

    def _solved(self) -> list[_Environment]:
        """Return what the registers hold where each block begins."""
        before: list[list[int]] = [[] for _ in self.blocks]
        for number, block in enumerate(self.blocks):
            for following in block.following:
                before[following].append(number)
        incoming: list[_Environment | None] = [None] * len(self.blocks)
        outgoing: list[_Environment | None] = [None] * len(self.blocks)
        for number, block in enumerate(self.blocks):
            if block.entry or block.because is not None:
                self.met[number] = set(self.names)
        waiting = OrderedDict.fromkeys(number for number, block in enumerate(self.blocks) if block.entry)
        while waiting:
            number, _ = waiting.popitem(last=False)
            held = self._meeting(number, [out for each in before[number] if (out := outgoing[each]) is not None])
            if held == incoming[number] and outgoing[number] is not None:
                continue
            incoming[number] = dict(held)
            for index in self.events[number]:
                self._step(index, self.starts[number], held)
            if held != outgoing[number]:
                outgoing[number] = held
                waiting.update(dict.fromkeys(self.blocks[number].following))
        for number, found in enumerate(incoming):
            if found is None:
                self.met[number] = set(self.names)
                incoming[number] = self._meeting(number, [])
        return [found or {} for found in incoming]

    def _meeting(self, number: int, ways: list[_Environment]) -> _Environment:
        """Return what the registers hold where ways meet; those in which it differs are bases of their own."""
        met = self.met[number]
        met |= {name for name in self.names - met if len({way[name] for way in ways}) > 1}
        return {name: _Low(f"{name} b{number}", 0) if name in met else ways[0][name] for name in self.names}

    def _step(self, index: int, start: int, held: _Environment) -> None:
        """Do to ``held`` what a line does."""
        line = self.code[index]
        written = self.names.intersection(self.writes(index))
        if not written:
            return
        made = self._value(index, start, line, held) if len(self.writes(index)) == 1 else None
        for name in written:
            held[name] = _Low(f"{name}@{index}", 0) if made is None else made

    def _value(self, index: int, start: int, line: Line, held: _Environment) -> _Held | None:
        """Return what a line puts into its register; None where that is none of what is followed."""
        self.carries.pop(index, None)
        if line.guard not in _ALWAYS:
            return None
        if line.mnemonic == "MOV" or line.mnemonic == "IMAD.MOV.U32":
            if line.name == "IMAD" and line.operands[1:3] != ("RZ", "RZ"):
                return None
            if line.name == "MOV" and len(line.operands) != 2:
                return None
            return held.get(line.operands[-1].removesuffix(".reuse"))
        if line.mnemonic not in ("IADD3", "IADD3.X"):
            return None
        means = self.take(self.lines[index])[1]
        sources = [each for each in line.operands[1:] if not is_predicate(each)]
        names = [each for each in sources if held.get(each.removesuffix(".reuse"))]
        numbers = [operand(each) for each in sources if each not in names]
        if means is None or means.transfer is None or len(sources) != 3 or len(names) != 1:
            return None
        of = held[names[0].removesuffix(".reuse")]
        plus = 0
        for each in numbers:
            if each.sign or not isinstance(each.register, tuple) or each.register[1] != ZERO[1]:
                return None
            plus += each.register[0]
        if line.mnemonic == "IADD3":
            if not isinstance(of, _Low) or means.carry_in:
                return None
            if means.carry_out and plus < _HALF:
                self.carries[index] = (of, plus)
            return _Low(of.base, of.plus + plus)
        if plus or means.carry_out or not means.carry_in:
            return None
        at = definition(self.lines, index, start, means.carry_in, lambda text: self.take(text)[0])
        carry = None if at is None else self.carries.get(at)
        if carry is None or at is None or self.code[at].guard not in _ALWAYS:
            return None
        low, more = carry
        if isinstance(of, _High):
            fits = (of.low, of.plus) == (low.base, low.plus)
            return _High(of.low, of.high, of.plus + more) if fits else None
        return _High(low.base, of.base, more) if not of.plus and not low.plus else None

    def _access(self, line: Line, held: _Environment) -> _Access | None:
        place = _place(line)
        if place is None or set(line.suffixes) - _KINDS:
            return None
        low, high = held.get(f"R{place[0]}"), held.get(f"R{place[0] + 1}")
        if not isinstance(low, _Low):
            return None
        if isinstance(high, _Low):
            if low.plus or high.plus:
                return None
            base = low.base, high.base
        elif isinstance(high, _High) and (high.low, high.plus) == low:
            base = high.low, high.high
        else:
            return None
        size = next((_BYTES[each] for each in line.suffixes if each in _BYTES), 4)
        return _Access(line, base, low.plus + place[1], size)

    # ---- what lines do ----

    def _made(self, accesses: dict[int, _Access]) -> Stack:
        stored = {access.base for access in accesses.values() if access.line.name == "ST"}
        cells: dict[tuple[str, str], dict[int, str]] = {}
        for each in accesses.values():
            if each.line.name == "LD" and each.base in stored:
                of = cells.setdefault(each.base, {})
                for offset in range(each.offset, each.offset + each.size):
                    of.setdefault(offset, f"[{' '.join(each.base)} {offset}]")
        every = {base: tuple(of.values()) for base, of in cells.items()}
        meanings: dict[int, Meaning] = {}
        changed: dict[int, tuple[str, ...]] = {}
        done = 0
        for index, line in self.code.items():
            access = accesses.get(index)
            keeps = access is not None or self.tensor(index) or _harmless(line)
            own = access.base if access is not None else None
            forgotten: tuple[str, ...] = ()
            if line.name == "ST" or not keeps:
                forgotten = tuple(cell for base, of in every.items() if base != own for cell in of)
            done += len(forgotten)
            if done > _MANY:
                return NONE
            if access is not None and access.base in cells:
                of = cells[access.base]
                made = _loaded(access, of) if line.name == "LD" else _stored(access, of, forgotten)
                if made is not None:
                    meanings[index] = made
                    if line.name == "ST":
                        changed[index] = made.writes
                    continue
                if line.name == "ST":
                    forgotten = tuple(cell for all in every.values() for cell in all)
            if forgotten:
                meanings[index] = Meaning((*self.writes(index), *forgotten))
                changed[index] = meanings[index].writes
        return Stack(meanings, changed)


def _place(line: Line) -> tuple[int, int] | None:
    """Return the register and the number of the address that a load or store reaches memory by."""
    if line.name not in ("LD", "ST") or len(line.operands) != 2:
        return None
    found = _PLACE.match(line.operands[1 if line.name == "LD" else 0])
    return (int(found[1]), int(found[2] or "0", 16)) if found else None


def _harmless(line: Line) -> bool:
    """Whether a line writes no memory, and lets no other thread write."""
    return line.name in HARMLESS and not {"STRONG", "ACQUIRE", "MMIO", "SYS", "GPU"} & set(line.suffixes)


def _loaded(access: _Access, cells: dict[int, str]) -> Meaning | None:
    size = access.size
    reads = tuple(cells[access.offset + count] for count in range(size))
    writes = tuple(follows(access.line.operands[0], max(1, size // 4)))
    if len(writes) != max(1, size // 4):
        return None
    signed = bool({"S8", "S16"} & set(access.line.suffixes))

    def transfer(*values: Value) -> object:
        words = []
        for first in range(0, size, 4):
            word: Value = values[first]
            for count in range(1, min(4, size)):
                word = known.join(word, values[first + count], _BYTE * count)
            word = known.cut(word, _BYTE * min(4, size))
            words.append(known.extend(word, _BYTE * size, WIDTH, signed) if size < 4 else word)
        return words[0] if len(words) == 1 else tuple(words)

    return Meaning(writes, reads, transfer)


def _stored(access: _Access, cells: dict[int, str], forgotten: tuple[str, ...]) -> Meaning | None:
    size = access.size
    words = max(1, size // 4)
    source = access.line.operands[1].removesuffix(".reuse")
    reads: tuple[object, ...] = (ZERO,) * words if source == "RZ" else tuple(follows(source, words))
    if len(reads) != words:
        return None
    kept = [count for count in range(size) if access.offset + count in cells]
    unknown = (UNKNOWN,) * len(forgotten)

    def transfer(*values: Value) -> object:
        bytes_ = tuple(known.field(values[count // 4], _BYTE * (count % 4), _BYTE) for count in kept)
        out = (*bytes_, *unknown)
        return out[0] if len(out) == 1 else out

    return Meaning((*(cells[access.offset + count] for count in kept), *forgotten), reads, transfer)
