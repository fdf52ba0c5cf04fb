"""One thread of an SM, on plain numbers: runs SASS as nvdisasm writes it. Knows nothing of what a scan knows.

What instructions do is taken from what ptxas makes of PTX, whose semantics are documented: the recorded kernels
of :mod:`silicon.known_bits` run here, too, and give what the chip gave.
"""

from __future__ import annotations

import math
import operator
import re
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

M32, M64 = (1 << 32) - 1, (1 << 64) - 1

_INSTRUCTION = re.compile(r"\s*(?:/\*[0-9a-f]+\*/)?\s*(?:@(!?)(U?P\w)\s+)?([A-Z]\w*)((?:\.\w+)*)\s*([^;]*);")
_LABEL = re.compile(r"(\.\w+):\s*$")
_TARGET = re.compile(r"`\((\.\w+)\)")
_SIGNED = re.compile(r"([-~|]*)(U?R(?:Z|\d+))(?:\.reuse|\.64)*\|?$")
_COMMA = re.compile(r",\s*(?![^\[(]*[\])])")
_PREDICATE = re.compile(r"(!?)(U?P(?:T|\d))$")
_CONSTANT = re.compile(r"c\[(?:0x0|UR\d+)\]\[(0x[0-9a-f]+)\]$")
_GDESC = re.compile(r"gdesc\[UR(\d+)\]")

STEPS = 50_000
"""A program that runs longer does not end."""


class NotModelledError(Exception):
    """An instruction that this machine does not have."""


class EndlessError(AssertionError):
    """A program that does not end."""


class FaultError(Exception):
    """An address of local memory at which none is: the program is stopped."""


LOCAL = 1 << 24
"""Bytes of local memory that have an address."""


# What operands say is read once, however often they run.


@cache
def _destination(text: str) -> str:
    """Return the name of the register that is written."""
    found = _SIGNED.match(text)
    assert found, text
    return found[2]


@cache
def _registers(name: str, words: int) -> tuple[str, ...]:
    """Return the names of a register and of those after it; none of RZ."""
    if name.endswith("Z"):
        return ()
    file = name.rstrip("0123456789")
    return tuple(f"{file}{int(name[len(file) :]) + word}" for word in range(words))


@cache
def _read(text: str) -> int | tuple[str, str | int]:
    """Return a source: a number, or the sign and the name of a register, or ``c`` and an offset of constant memory."""
    constant = _CONSTANT.match(text)
    if constant:
        return "c", int(constant[1], 16)
    found = _SIGNED.match(text)
    if not found:
        if not re.match(r"-?(0x[0-9a-f]+|\d+)$", text):
            raise NotModelledError(text)
        return int(text, 0)
    sign, name = found.groups()
    if "|" in sign:
        raise NotModelledError(text)
    return sign, name


@cache
def _predicate(text: str) -> tuple[bool, str] | None:
    """Return whether a predicate is negated, and its name; None if there is none."""
    found = _PREDICATE.match(text)
    return (bool(found[1]), found[2]) if found else None


@cache
def _split(operands: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    rest = list(operands[1:])
    first: list[str] = []
    last: list[str] = []
    while rest and _predicate(rest[0]):
        first.append(rest.pop(0))
    while rest and _predicate(rest[-1]):
        last.insert(0, rest.pop())
    return operands[0], tuple(first), tuple(rest), tuple(last)


class Instruction(NamedTuple):
    """A line taken apart; ``guard`` is a predicate, negated where ``unless``."""

    unless: bool
    guard: str
    name: str
    suffixes: tuple[str, ...]
    operands: tuple[str, ...]


class Program:
    """The instructions of one function, and at which of them its labels stand."""

    def __init__(self, text: str) -> None:
        self.code: list[Instruction] = []
        self.labels: dict[str, int] = {}
        for line in text.splitlines():
            label = _LABEL.match(line)
            if label:
                self.labels[label[1]] = len(self.code)
            found = _INSTRUCTION.match(line)
            if found and not line.lstrip().startswith("."):
                unless, guard, name, suffixes, rest = found.groups()
                rest = rest.replace('(*"SpillRefill"*)', "")
                operands = tuple(_COMMA.split(rest.strip())) if rest.strip() else ()
                self.code.append(
                    Instruction(bool(unless), guard or "PT", name, tuple(suffixes.split(".")[1:]), operands)
                )


class Outside:
    """What a thread gets from outside of its registers."""

    def register(self, name: str) -> int:
        """Return what a register holds before anything was written to it."""
        raise NotModelledError(name)

    def load(self, what: Instruction, address: int, size: int) -> int:
        """Return ``size`` bytes of memory."""
        raise NotModelledError(what.name)

    def constant(self, offset: int) -> int:
        """Return a word of constant memory."""
        raise NotModelledError("constant memory")

    def special(self, name: str) -> int:
        """Return a special register."""
        raise NotModelledError(name)

    def shuffle(self, place: int, visit: int, own: int) -> int:
        """Return the value of another lane at the same place of the program."""
        raise NotModelledError("SHFL")

    def elsewhere(self) -> bool:
        """Whether a predicate holds in another lane."""
        return False

    def window(self) -> int:
        """Return where local memory begins in the whole address space."""
        return 0

    def shared(self, place: int, own: int | None) -> int | None:
        """Return what a lane puts into a uniform register: this one (``own``), or another; None: that is not known."""
        return own

    def address(self, place: int, value: int) -> None:
        """Take the address that an instruction reaches memory by, or the number by which a table is jumped through."""

    def store(self, address: int, words: Sequence[int]) -> None:
        """Take what is written to memory."""

    def descriptors(self, place: int, a: int, b: int) -> None:
        """Take what an MMA reads."""


class Machine:
    """A thread."""

    def __init__(self, program: Program, outside: Outside) -> None:
        self.program = program
        self.outside = outside
        self.registers: dict[str, int] = {"RZ": 0, "URZ": 0}
        self.predicates: dict[str, bool] = {"PT": True, "UPT": True}
        self.barriers: dict[str, int] = {}
        self.visits: dict[int, int] = {}
        self.calls: list[int] = []
        self.memory: dict[int, int] = {}
        """Bytes of memory, of which local memory is a part."""
        self.others: dict[str, bool] = {}
        """Whether a predicate holds in another lane of the warp, where it was asked for."""
        self.at = 0

    # ---- operands ----

    def get(self, name: str) -> int:
        """Read a register."""
        if name not in self.registers:
            self.registers[name] = self.outside.register(name) & M32
        return self.registers[name]

    def set(self, text: str, value: int, words: int = 1) -> None:
        """Write a register and those after it."""
        for word, name in enumerate(_registers(_destination(text), words)):
            self.registers[name] = value >> 32 * word & M32

    def terms(self, text: str, words: int = 1) -> tuple[int, int]:
        """Return a source as two unsigned terms of a sum: itself, and the 1 of a two's complement."""
        full = (1 << 32 * words) - 1
        found = _read(text)
        if isinstance(found, int):
            return found & full, 0
        sign, name = found
        if isinstance(name, int):
            return sum(self.outside.constant(name + 4 * word) << 32 * word for word in range(words)), 0
        value = 0
        for word, register in enumerate(_registers(name, words)):
            value |= self.get(register) << 32 * word
        if sign == "-":
            return ~value & full, 1
        return (~value & full if sign == "~" else value), 0

    def source(self, text: str, words: int = 1) -> int:
        """Read a source."""
        if words == 1:
            found = _read(text)
            if isinstance(found, int):
                return found & M32
            if not found[0] and isinstance(found[1], str):
                return self.get(found[1])
        return sum(self.terms(text, words)) & (1 << 32 * words) - 1

    def test(self, text: str) -> bool:
        """Read a predicate."""
        found = _predicate(text)
        assert found, text
        unless, name = found
        if name not in self.predicates:
            self.predicates[name] = bool(self.outside.register(name) & 1)
        return self.predicates[name] != unless

    def decide(self, text: str, value: bool) -> None:
        """Write a predicate."""
        if not text.endswith("T"):
            self.predicates[text] = value
            self.others.pop(text, None)

    def any(self, text: str) -> bool:
        """Whether a predicate holds in any lane."""
        name = text.lstrip("!")
        if name not in self.others:
            self.others[name] = self.outside.elsewhere()
        return self.test(text) or self.others[name] != text.startswith("!")

    @staticmethod
    def split(operands: tuple[str, ...]) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return the destination, the predicates behind it, the sources and the predicates at the end."""
        return _split(operands)

    # ---- running ----

    def run(self, steps: int = STEPS) -> None:
        """Run to the end, or to a fault, which comes after so many steps at the latest."""
        try:
            self.go(steps)
        except FaultError:
            return

    def go(self, steps: int) -> None:
        """Run so many steps."""
        for _ in range(steps):
            place = self.at
            each = self.program.code[place]
            self.at += 1
            guard = ("!" if each.unless else "") + each.guard
            if each.name == "ELECT":
                self.elected(each, guard)
                continue
            if each.name == "BRA" and "ANY" in each.suffixes:
                if self.any(guard):
                    self.at = self.label(each)
                continue
            if guard != "PT" and not self.test(guard):
                if each.name.removeprefix("U") not in ("SEL", "BRA", "VOTE", "R2UR"):
                    for text in each.operands[:3]:
                        self.others.pop(text, None)  # another lane may write its own
                if each.name == "R2P":
                    self.others.clear()
                if each.name == "R2UR" and each.guard[0] == "P" and self.any(guard) and not self.given(each):
                    return
                continue
            if each.name == "EXIT" or (each.name == "BPT" and "TRAP" in each.suffixes):
                return
            self.visits[place] = self.visits.get(place, 0) + 1
            operation(each)(self, each)
        raise EndlessError

    def given(self, each: Instruction) -> bool:
        """Take the value that another lane puts into a uniform register; False where none is known."""
        value = self.outside.shared(self.at - 1, None)
        if value is not None:
            self.set(each.operands[0], value)
        return value is not None

    def elected(self, each: Instruction, guard: str) -> None:
        """Take one of the lanes that hold a guard; in the others that hold it, the predicate is false."""
        out = each.operands[0]
        own = self.test(guard)
        other = guard != "PT" and self.any(guard) and (not own or self.others[guard.lstrip("!")] != each.unless)
        if own:
            mine = self.outside.elsewhere() or not (other or guard == "PT")
            self.decide(out, mine)
            if not mine:
                self.others[out] = True
            elif guard == "PT":
                self.others[out] = False  # else one that does not hold the guard may hold it from before
        elif other:
            self.others[out] = True
        else:
            self.others.pop(out, None)

    def jump(self, each: Instruction) -> None:
        """Go to the label, if the predicates among the operands allow it."""
        if "DIV" in each.suffixes:  # only where the lanes do not agree: here is one
            return
        if all(self.test(text) for text in each.operands if _predicate(text)):
            self.at = self.label(each)

    def label(self, each: Instruction) -> int:
        """Return where the label stands that an instruction names."""
        found = _TARGET.search(each.operands[-1])
        if not found:
            raise NotModelledError(each.name)
        return self.program.labels[found[1]]


def _bssy(m: Machine, each: Instruction) -> None:
    m.barriers[each.operands[0]] = m.label(each)


def _bsync(m: Machine, each: Instruction) -> None:
    m.at = m.barriers[each.operands[0]]


def _signed(x: int, bits: int = 32) -> int:
    return x - (x >> bits - 1 << bits)


def _mov(m: Machine, each: Instruction) -> None:
    words = 2 if "64" in each.suffixes else 1
    m.set(each.operands[0], m.source(each.operands[1], words), words)


def _iadd3(m: Machine, each: Instruction) -> None:
    words = 2 if "64" in each.suffixes else 1
    to, outs, sources, ins = m.split(each.operands)
    total = sum(sum(m.terms(text, words)) for text in sources)
    if "X" in each.suffixes:
        total += sum(m.test(text) for text in ins)
    m.set(to, total, words)
    over = total >> 32 * words
    for place, text in enumerate(outs):
        m.decide(text, over > place)


def _imad(m: Machine, each: Instruction) -> None:
    to, outs, sources, ins = m.split(each.operands)
    unsigned = "U32" in each.suffixes
    a, b = (m.source(text) if unsigned else _signed(m.source(text)) for text in sources[:2])
    if {"WIDE", "HI"} & set(each.suffixes):
        if any(text[0] in "-~" and "R" in text for text in sources[:2]):
            raise NotModelledError("a sign in a wide product")
        c = m.source(sources[2], 2)
        total = (a * b & M64) + c + ("X" in each.suffixes and m.test(ins[0]))
        if "HI" in each.suffixes:
            m.set(to, total >> 32)
        else:
            m.set(to, total, 2)
            for text in outs[:1]:
                m.decide(text, bool(total >> 64))
        return
    if outs:
        raise NotModelledError("the carry of a product")
    m.set(to, a * b + m.source(sources[2]) + ("X" in each.suffixes and m.test(ins[0])))


def _viadd(m: Machine, each: Instruction) -> None:
    m.set(each.operands[0], m.source(each.operands[1]) + m.source(each.operands[2]))


def _look_up(table: int, bits: Sequence[int]) -> int:
    return table >> (4 * bits[0] + 2 * bits[1] + bits[2]) & 1


def _lop3(m: Machine, each: Instruction) -> None:
    operands = list(each.operands)
    out = operands.pop(0) if _predicate(operands[0]) else "PT"
    words = [m.source(text) for text in operands[1:4]]
    table = int(operands[4], 0)
    result = 0
    for row in range(8):
        if table >> row & 1:
            # The bits whose three words are the row's digits.
            a, b, c = (word if row & digit else ~word for word, digit in zip(words, (4, 2, 1), strict=True))
            result |= a & b & c & M32
    m.set(operands[0], result)
    m.decide(out, bool(result) or m.test(operands[5]))


def _plop3(m: Machine, each: Instruction) -> None:
    bits = [m.test(text) for text in each.operands[2:5]]
    for out, table in zip(each.operands[:2], each.operands[5:], strict=True):
        m.decide(out, bool(_look_up(int(table, 0), bits)))


def _shf(m: Machine, each: Instruction) -> None:
    to, low, by, high = each.operands
    kinds = set(each.suffixes)
    wide = bool(kinds & {"U64", "S64"})
    count = m.source(by)
    count = count % (64 if wide else 32) if "W" in kinds else min(count, 64 if wide else 32)
    if each.suffixes[0] == "L":
        both = (m.source(high) << 32 | m.source(low)) << count
    else:
        top = m.source(high)
        both = ((_signed(top) if kinds & {"S32", "S64"} else top) << 32 | m.source(low)) >> count
    m.set(to, both >> 32 if "HI" in kinds else both)


def _lea(m: Machine, each: Instruction) -> None:
    to, outs, sources, ins = m.split(each.operands)
    count = int(sources[-1], 0)
    # A sign acts on what was shifted: the carry out of -R4 << 10 is that of ~(R4 << 10) + 1.
    sign = sources[0][0] if sources[0][0] in "-~" else ""
    a = m.source(sources[0].lstrip("-~"))
    if "SX32" in each.suffixes:
        a = _signed(a) << count >> 32
    elif "HI" in each.suffixes:
        a = (m.source(sources[2]) << 32 | a) << count >> 32
    else:
        a <<= count
    a = (~a if sign else a) & M32
    total = a + (sign == "-") + sum(m.terms(sources[1])) + ("X" in each.suffixes and m.test(ins[0]))
    m.set(to, total)
    for text in outs[:1]:
        m.decide(text, bool(total >> 32))


def _sel(m: Machine, each: Instruction) -> None:
    to, a, b, choice = each.operands
    m.set(to, m.source(a if m.test(choice) else b))


def _prmt(m: Machine, each: Instruction) -> None:
    to, a, selector, b = each.operands
    source = (m.source(b) << 32 | m.source(a)).to_bytes(8, "little")
    out = []
    for place in range(4):
        nibble = m.source(selector) >> 4 * place & 15
        byte = source[nibble & 7]
        out.append(255 * (byte >> 7) if nibble & 8 else byte)
    m.set(to, int.from_bytes(out, "little"))


def _sgxt(m: Machine, each: Instruction) -> None:
    to, a, by = each.operands
    count = min(m.source(by), 32)
    value = m.source(a) & (1 << count) - 1
    m.set(to, _signed(value, count) if count and "U32" not in each.suffixes else value)


def _special(m: Machine, each: Instruction) -> None:
    wide = each.name == "CS2R" and "32" not in each.suffixes
    value = 0 if each.operands[1] == "SRZ" else m.outside.special(each.operands[1])
    m.set(each.operands[0], value, 2 if wide else 1)


def _shfl(m: Machine, each: Instruction) -> None:
    place = m.at - 1
    m.set(each.operands[1], m.outside.shuffle(place, m.visits[place], m.source(each.operands[2])))
    m.decide(each.operands[0], True)


def _hfma2(m: Machine, each: Instruction) -> None:
    """Compute in numbers of Python, whose zeros have signs, too; there is one NaN."""
    signs = {"RZ": 0.0, "-RZ": -0.0}
    if not set(each.operands[1:3]) <= signs.keys():
        raise NotModelledError("HFMA2")
    zero = signs[each.operands[1]] * signs[each.operands[2]]
    sums = [zero + float(each.operands[place].replace("Q", "")) for place in (4, 3)]
    packed = b"".join(b"\xff\x7f" if math.isnan(each) else struct.pack("<e", each) for each in sums)
    m.set(each.operands[0], int.from_bytes(packed, "little"))


def _minmax(m: Machine, each: Instruction) -> None:
    to, a, b, least = each.operands
    pair = (m.source(a), m.source(b))
    key = (lambda x: x) if "U32" in each.suffixes else _signed
    m.set(to, min(pair, key=key) if m.test(least) else max(pair, key=key))


_COMPARE = {
    "LT": operator.lt,
    "LE": operator.le,
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
}


_JOIN = {"AND": operator.and_, "OR": operator.or_, "XOR": operator.xor}


def _isetp(m: Machine, each: Instruction) -> None:
    out, other, a, b, *ins = each.operands
    how = each.suffixes[0]
    x, y = (m.source(text) if "U32" in each.suffixes else _signed(m.source(text)) for text in (a, b))
    true = bool(_COMPARE[how](x, y))
    if "EX" in each.suffixes:
        # The upper words decide; where they are equal, the comparison of the lower ones does.
        below = m.test(ins[1])
        true = (x == y and below) if how == "EQ" else (x != y or below) if how == "NE" else below if x == y else true
    with_ = m.test(ins[0])
    join = next(_JOIN[text] for text in each.suffixes if text in _JOIN)
    m.decide(out, join(true, with_))
    m.decide(other, join(not true, with_))


def _r2p(m: Machine, each: Instruction) -> None:
    u, word = each.operands[0][:-1], m.source(each.operands[1])
    for place in range(7):
        if m.source(each.operands[2]) >> place & 1:
            m.decide(f"{u}{place}", bool(word >> place & 1))


def _popc(m: Machine, each: Instruction) -> None:
    m.set(each.operands[0], m.source(each.operands[1]).bit_count())


def _iabs(m: Machine, each: Instruction) -> None:
    m.set(each.operands[0], abs(_signed(m.source(each.operands[1]))))


def _flo(m: Machine, each: Instruction) -> None:
    if set(each.suffixes) - {"U32", "SH"}:
        raise NotModelledError("FLO")
    found = m.source(each.operands[1]).bit_length() - 1
    m.set(each.operands[0], M32 if found < 0 else 31 - found if "SH" in each.suffixes else found)


_SIZES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


def _load(m: Machine, each: Instruction) -> None:
    kind = next((text for text in each.suffixes if text in _SIZES), "")
    size = _SIZES.get(kind, 4)
    text = each.operands[1]
    if _CONSTANT.match(text):
        value = sum(m.terms(text, max(1, size // 4)))
    else:
        inner = re.findall(r"\[([^\]]*)\]", text)[-1]
        base, _, plus = inner.partition("+")
        address = m.source(base, 2 if ".64" in base else 1) + (int(plus, 0) if plus[:1].isdigit() else 0)
        if text.startswith("c["):
            value = sum(m.outside.constant(address + 4 * word) << 32 * word for word in range(max(1, size // 4)))
        else:
            value = m.outside.load(each, address, size)
    if kind in ("S8", "S16"):
        value = _signed(value, 8 * size)
    m.set(each.operands[0], value, max(1, size // 4))


def _store(m: Machine, each: Instruction) -> None:
    base, _, plus = re.findall(r"\[([^\]]*)\]", each.operands[0])[-1].partition("+")
    m.outside.address(m.at - 1, m.source(base, 2))
    words = 4 if "128" in each.suffixes else 2 if "64" in each.suffixes else 1
    value = m.source(each.operands[1], words)
    m.outside.store(m.source(base, 2) + (int(plus, 0) if plus else 0), [value & M64, value >> 64])


def _mma(m: Machine, each: Instruction) -> None:
    found = _GDESC.match(each.operands[1])
    assert found
    first = int(found[1])
    a, b = (m.source(f"UR{first + word}", 2) for word in (0, 2))
    m.outside.descriptors(m.at - 1, a, b)


def _r2ur(m: Machine, each: Instruction) -> None:
    value = m.outside.shared(m.at - 1, m.source(each.operands[1]))
    assert value is not None
    m.set(each.operands[0], value)


def _vote(m: Machine, each: Instruction) -> None:
    if not _predicate(each.operands[0]):
        return
    m.decide(each.operands[0], m.any(each.operands[-1]))


def _call(m: Machine, each: Instruction) -> None:
    m.calls.append(m.at)
    m.at = m.label(each)


def _ret(m: Machine, each: Instruction) -> None:
    m.at = m.calls.pop()


def _place(m: Machine, text: str) -> int:
    base, _, plus = text.strip("[]").partition("+")
    if "R" not in base:
        base, plus = "RZ", base
    m.outside.address(m.at - 1, m.source(base))
    return m.source(base) + (int(plus, 0) if plus else 0) & M32


def _address(m: Machine, each: Instruction, text: str) -> int:
    """Return the address that an instruction reaches memory by."""
    if each.name in ("LDL", "STL"):
        address = _place(m, text)
        if address >= LOCAL:
            raise FaultError
        return m.outside.window() + address
    base, _, plus = re.findall(r"\[([^\]]*)\]", text)[-1].partition("+")
    address = m.source(base.removesuffix(".64"), 2) + (int(plus, 0) if plus else 0)
    m.outside.address(m.at - 1, address)
    return address & M64


def _st(m: Machine, each: Instruction) -> None:
    size = _SIZES.get(next((text for text in each.suffixes if text in _SIZES), ""), 4)
    address, value = _address(m, each, each.operands[0]), m.source(each.operands[1], max(1, size // 4))
    for count in range(size):
        m.memory[address + count & M64] = value >> 8 * count & 255


def _ld(m: Machine, each: Instruction) -> None:
    kind = next((text for text in each.suffixes if text in _SIZES), "")
    size = _SIZES.get(kind, 4)
    address = _address(m, each, each.operands[1])
    value = 0
    for count in range(size):
        place = address + count & M64
        if place not in m.memory:
            m.memory[place] = m.outside.load(each, place, 1)
        value |= m.memory[place] << 8 * count
    m.set(each.operands[0], _signed(value, 8 * size) if kind[:1] == "S" else value, max(1, size // 4))


def _brx(m: Machine, each: Instruction) -> None:
    """Go to one of the places of a table: which one the register says, whatever its number."""
    targets = re.findall(r"\.L_\w+", each.operands[-1])
    number = m.source(each.operands[0].split()[0])
    m.outside.address(m.at - 1, number)
    m.at = m.program.labels[targets[number % len(targets)]]


def _nothing(m: Machine, each: Instruction) -> None:
    """Let one thread be alone."""


_DO: dict[str, Callable[[Machine, Instruction], None]] = {
    "BRA": Machine.jump,
    "BSSY": _bssy,
    "BSYNC": _bsync,
    "MOV": _mov,
    "IADD3": _iadd3,
    "IMAD": _imad,
    "VIADD": _viadd,
    "LOP3": _lop3,
    "PLOP3": _plop3,
    "SHF": _shf,
    "LEA": _lea,
    "SEL": _sel,
    "PRMT": _prmt,
    "SGXT": _sgxt,
    "R2UR": _r2ur,
    "VOTEU": _vote,
    "CALL": _call,
    "RET": _ret,
    "STL": _st,
    "ST": _st,
    "LDL": _ld,
    "LD": _ld,
    "BRX": _brx,
    "S2R": _special,
    "S2UR": _special,
    "CS2R": _special,
    "SHFL": _shfl,
    "HFMA2": _hfma2,
    "VIMNMX": _minmax,
    "IMNMX": _minmax,
    "ISETP": _isetp,
    "R2P": _r2p,
    "R2UP": _r2p,
    "POPC": _popc,
    "IABS": _iabs,
    "FLO": _flo,
    "LDG": _load,
    "LDC": _load,
    "ULDC": _load,
    "LDCU": _load,
    "STG": _store,
    "HGMMA": _mma,
    **dict.fromkeys(("NOP", "WARPSYNC", "WARPGROUP", "ENDCOLLECTIVE", "BAR", "BPT"), _nothing),
}


def operation(each: Instruction) -> Callable[[Machine, Instruction], None]:
    """Return what an instruction does in one thread."""
    for name in (each.name, each.name.removeprefix("U")):
        if name in _DO:
            return _DO[name]
    raise NotModelledError(each.name)
