"""Addresses in registers: each is a base and a number, derived from the expressions of the SSA form.

Two addresses with the same base are distinguished by their numbers; the base itself need not be known. So each register
is followed back to the definition of its base: by a line, or where paths with different ones meet. One base is known,
the stack pointer. Its words are private to the thread, whatever others do; and they have a second address, in the
generic address space: the stack pointer, widened to 64 bits, plus the first address of the window of local memory,
which is in constant memory. A frame is smaller than half a megabyte and does not begin at the very end of the window,
so that adding to one address is adding to the other.

An offset need not be a number: an element of an array is at an address *near* the stack pointer. How far is left to the
analysis of values.

A base is defined anew in each iteration of a loop, independent of the previous one: when control first enters, no
register has that base yet, and a fact must hold on all paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import FALSE, TRUE, UNKNOWN
from smemdesc.scanning.analysis.conditions import unrefined
from smemdesc.scanning.analysis.fixpoint import Definition
from smemdesc.scanning.analysis.ir import ADD, CARRY, CONCAT, CUT, FIELD, INPUT, MULTIPLY, Node
from smemdesc.scanning.analysis.memory import FRAME, Access
from smemdesc.scanning.analysis.ssa import Ssa, Version
from smemdesc.scanning.languages.sass.lower import parse_and_lower, words_in
from smemdesc.scanning.languages.sass.text import (
    NOT_READ,
    OFF,
    REGISTER_BITS,
    ZERO,
    SassInstruction,
    follows,
    is_predicate,
    source_operand,
)

STACK, WHOLE, _WINDOW = "stack", "whole", "window"
"""The known bases: the stack pointer as an address in local memory; the same as a generic address; the first generic
address of local memory."""
_HIGH, _NEAR = "high", "near"
_POINTERS = {0x28: 0x20, 0x37C: 0x2F8}
"""The offset of a kernel's initial stack pointer in constant memory, and of the first address of local memory (8
bytes): on sm_90, and from sm_100 on."""
_HALF = 1 << REGISTER_BITS - 1
_WORD = REGISTER_BITS // 8
_LOCAL = re.compile(r"\[(U?R\d+)(?:\+(-?0x[0-9a-f]+))?\]$")
_ABSOLUTE = re.compile(r"\[(0x[0-9a-f]+)\]$")
_WIDE = re.compile(r"(?:desc\[UR\d+\])?\[R(\d+)\.64(?:\+(-?0x[0-9a-f]+))?\]$")
_CONSTANT = re.compile(r"(-?)c\[0x0\]\[(0x[0-9a-f]+)\]$")
_REMARK = re.compile(r"(?<!\s)\s*+\(\*[^()]*\*\)\s*$")
_BYTES = {"64": 8, "128": 16, "U8": 1, "S8": 1, "U16": 2, "S16": 2}
_HINTS = frozenset(("E", "LU", "EL", "LT", "NA", "EF", "32"))
_LOADS, _STORES = ("LD", "LDL"), ("ST", "STL")
_CONSTANTS = words_in("LDC ULDC LDCU")
_FOLLOWED = _CONSTANTS | words_in("MOV UMOV IADD3 UIADD3 IADD VIADD UVIADD IMAD UIMAD LEA ULEA")
"""Instructions whose expression is their exact result, not only its known bits."""


class AddressWord(NamedTuple):
    """A register, or a word of a 64-bit address: a base plus an offset."""

    base: str
    plus: int | str
    """A number; or, for an address near the stack pointer, the place where both of its words were computed."""
    high: str = ""
    """The base of an upper word, whose ``base`` is the lower word's."""


class Wide(NamedTuple):
    """A 64-bit address."""

    low: AddressWord
    high: AddressWord


class Carry(NamedTuple):
    """The carry out of a sum of lower words."""

    of: AddressWord
    """The word to which the number was added."""
    added: int
    result: AddressWord


AddressValue = int | AddressWord | Wide | Carry | None
"""None: not an address that is followed."""
_BEGINS, _BEGINS_HIGH = AddressWord(_WINDOW, 0), AddressWord("window high", 0)
_LESS = AddressWord("less the window", 0)


def rooted(value: AddressValue) -> bool:
    """Whether a value is an address on the stack."""
    return isinstance(value, AddressWord) and value.base in (STACK, WHOLE)


def is_near(value: AddressValue) -> bool:
    """Whether a value is an address at an unknown distance from the stack pointer, or the carry of such a sum."""
    word = value.result if isinstance(value, Carry) else value
    return isinstance(word, AddressWord) and isinstance(word.plus, str)


def belong(low: AddressValue, high: AddressValue) -> bool:
    """Whether two words form a 64-bit address."""
    if not isinstance(low, AddressWord) or not isinstance(high, AddressWord) or low.high:
        return False
    if high.high:
        return (high.base, high.plus) == (low.base, low.plus)
    return low.base not in (STACK, WHOLE) and low.plus == high.plus == 0


def _wide(base: str, plus: int | str, high: str) -> Wide:
    return Wide(AddressWord(base, plus), AddressWord(base, plus, high))


# ---- expressions of words ----


def _signed(number: int, width: int = REGISTER_BITS) -> int:
    number &= ones(width)
    return number - (number >> width - 1 << width)


def _value(node: Any, inputs: Sequence[AddressValue], origin: str) -> Any:
    """Return the value of an expression of the ``inputs``; ``origin``: the register and line that it defines."""
    if node.__class__ is tuple:
        return (
            _signed(node[0], node[1].bit_length())
            if node[1] in (ones(REGISTER_BITS), ones(2 * REGISTER_BITS))
            else None
        )
    if node.row is INPUT:
        return inputs[node.immediates[0]]
    if node.row in (ADD, CARRY):
        return _sum(node, inputs, origin)
    values = [_value(operand, inputs, origin) for operand in node.operands]
    numbers = [known.const(value, 2 * REGISTER_BITS) for value in values if isinstance(value, int)]
    if len(numbers) == len(values):
        bits, mask = node.row.fold(*numbers, *node.immediates)[:2]
        width = min(node.width, 2 * REGISTER_BITS)
        return _signed(bits, width) if mask & ones(width) == ones(width) else None
    a, b = (*values, None)[:2]
    if node.row is CONCAT and isinstance(a, AddressWord) and isinstance(b, AddressWord) and belong(a, b):
        return Wide(a, b)
    if node.row is FIELD and isinstance(a, Wide):
        return {0: a.low, REGISTER_BITS: a.high}.get(node.immediates[0])
    if node.row is MULTIPLY and numbers:
        return {0: 0, 1: b if isinstance(a, int) else a}.get(numbers[0][0])
    return a if node.row is CUT else None


def _terms(node: Any, inputs: Sequence[AddressValue], origin: str) -> list[AddressValue]:
    """Return the terms of a sum."""
    if not isinstance(node, Node) or node.row not in (ADD, CARRY):
        return [_value(node, inputs, origin)]
    a, b, carry = node.operands
    terms = [*_terms(a, inputs, origin), *_terms(b, inputs, origin)]
    if True in node.immediates[1:]:
        last = terms.pop()
        # Subtracting 0 has a carry.
        less = -last if isinstance(last, int) and last else _LESS if last == _BEGINS else None
        return [*terms, less if carry == TRUE else None]
    return [*terms, carry[0] if carry in (FALSE, TRUE) else _value(carry, inputs, origin)]


def _sum(node: Node, inputs: Sequence[AddressValue], origin: str) -> AddressValue:
    """Return a sum, or its carry."""
    terms = _terms(node, inputs, origin)
    plus = sum(term for term in terms if isinstance(term, int))
    others = [term for term in terms if not isinstance(term, int)]
    if node.immediates[0] > REGISTER_BITS:
        return _double(plus, others, origin)
    carry = next((term for term in others if isinstance(term, Carry)), None)
    if carry is not None and node.row is ADD:
        others.remove(carry)
        return _upper(carry, plus, others)
    base, result = _lower(plus, others, origin)
    if node.row is ADD:
        return result
    once = node.operands[2] == FALSE or True in node.immediates  # not two carries
    return Carry(base, plus, result) if once and base is not None and isinstance(result, AddressWord) else None


def _double(plus: int, others: Sequence[AddressValue], origin: str) -> AddressValue:
    """Return a 64-bit sum."""
    wide_terms = [term for term in others if isinstance(term, Wide)]
    if not others:
        return _signed(plus, 2 * REGISTER_BITS)
    if len(others) == len(wide_terms) == 1:
        ((low, high),) = wide_terms
        if not plus:
            return wide_terms[0]
        if isinstance(low.plus, int):
            return _wide(low.base, low.plus + plus, high.high or high.base)
    return _wide(WHOLE, origin, _HIGH) if [wide.low.base for wide in wide_terms].count(WHOLE) == 1 else None


def _lower(plus: int, others: Sequence[AddressValue], origin: str) -> tuple[AddressWord | None, AddressValue]:
    """Return the address among the terms, if known, and the sum."""
    words = [term for term in others if isinstance(term, AddressWord)]
    if not others:
        return None, _signed(plus)
    if len(others) == len(words) == 1:
        (word,) = words
        if not plus:
            return word, word
        if isinstance(word.plus, int) and not word.high:
            return word, AddressWord(word.base, word.plus + plus)
    for word, addend in (words, words[::-1]) if len(others) == len(words) == 2 and not plus else ():
        if addend == _BEGINS and word.base == STACK and isinstance(word.plus, int) and abs(word.plus) < FRAME:
            return word, AddressWord(WHOLE, word.plus)
        if addend == _LESS and word.base == WHOLE and isinstance(word.plus, int) and not word.high:
            return None, AddressWord(STACK, word.plus)
    near = [word for word in words if rooted(word) and not word.high]
    if len(near) != 1:
        return None, None
    return near[0], AddressWord(near[0].base, origin if near[0].base == WHOLE else _NEAR)


def _upper(carry: Carry, plus: int, others: Sequence[AddressValue]) -> AddressValue:
    """Return the upper word of a sum."""
    base, added, result = carry
    if isinstance(result.plus, str) or isinstance(base.plus, str):
        near = result.base == WHOLE and sum(belong(base, term) for term in others) == 1
        return AddressWord(WHOLE, result.plus, _HIGH) if near else None
    high = others[0] if len(others) == 1 else None
    if base.base == STACK and result.base == WHOLE:
        return AddressWord(WHOLE, result.plus, _HIGH) if high == _BEGINS_HIGH and not plus else None
    if not isinstance(high, AddressWord) or not belong(base, high):
        return None
    if plus != (-1 if added < 0 else 0) or not -_HALF <= added < _HALF:
        return None
    return AddressWord(base.base, base.plus + added, high.high or high.base)


# ---- addresses in registers ----


class Addresses:
    """The addresses in the registers of one function: each is followed back from where it is read.

    ``ssa``: their versions; ``touching``: the lines that load or store.
    """

    def __init__(self, lines: list[bytes], ssa: Ssa, touching: Iterable[int]) -> None:
        self.ssa = ssa
        self.define = cache(self._define)
        self._lowered = cache(lambda index: parse_and_lower(lines[index]))
        self._values: dict[Version, AddressValue] = {}
        pointers = {
            int(match[2], 16)
            for index in ssa.code.writers("R1")
            for line in self._lowered(index)[:1]
            if line is not None and line.name in ("LDC", "MOV") and not line.guard
            if (match := _CONSTANT.match(line.operands[-1])) and int(match[2], 16) in _POINTERS
        }
        self._inherited = not pointers
        self._constants: dict[int, AddressValue] = {}
        if len(pointers) == 1:
            pointer = pointers.pop()
            window = _POINTERS[pointer]
            self._constants = {pointer: AddressWord(STACK, 0), window: _BEGINS, window + _WORD: _BEGINS_HIGH}
        self.touching: dict[int, SassInstruction] = {}
        self.accesses: dict[int, Access] = {}
        for index in touching:
            line = self._lowered(index)[0]
            if line is not None and line.guard not in OFF:
                self.touching[index] = line
                access = self._access(index, line)
                if access is not None:
                    self.accesses[index] = access

    def version(self, name: str, index: int) -> Version | None:
        """Return the version of a register that a line reads."""
        version = unrefined(self.ssa.value(name, index, self.ssa.code.guard(index)))
        return version if isinstance(version, Version) else None

    def value_of(self, version: Any) -> Any:
        """Return the address or number in a version, or of a constant."""
        if not isinstance(version, Version):
            return _value(version, (), "")
        if version not in self._values:
            self._solve(version)
        return self._values[version]

    def _define(self, version: Version) -> Definition | None:
        line = self._lowered(version.index)[0]
        return None if line is None or line.name not in _FOLLOWED else self.ssa.define(version)

    def _open(self, version: Version) -> bool:
        """Whether a version is not defined by one line alone."""
        return version.index < 0 or not (version.carried_out or self.ssa.code.guard(version.index) is None)

    def needs(self, version: Version) -> tuple[Version, ...]:
        """Return the versions on which the value of a version depends."""
        if not self._open(version):
            definition = self.define(version)
            reads = () if definition is None else map(unrefined, definition.reads)
            return tuple([read for read in reads if isinstance(read, Version)])
        if version.index >= 0 or self.ssa.blocks[version.block].entry:
            return ()
        ways = tuple([unrefined(read) for _, read in self.ssa.incoming(version)])
        # A register that is not written on every path has no value in common.
        return ways if len(ways) == len(self.ssa.before[version.block]) else ()

    def _solve(self, version: Version) -> None:
        """Find the value of a version: the most precise one that agrees with all on which it depends."""
        needs: dict[Version, tuple[Version, ...]] = {}
        order: dict[Version, int] = {}
        stack = [version]
        while stack:
            name = stack[-1]
            if name not in needs:
                needs[name] = self.needs(name)
                stack += [need for need in needs[name] if need not in needs and need not in self._values]
            else:
                order.setdefault(stack.pop(), len(order))
        users: dict[Version, list[int]] = {}
        for name, place in order.items():
            for need in needs[name]:
                users.setdefault(need, []).append(place)
        names = list(order)
        waiting = list(order.values())
        while waiting:
            place = heappop(waiting)
            if waiting[:1] == [place]:
                continue
            name = names[place]
            value = self._holds(name, needs[name])
            if value is not None and value != self._values.get(name):
                self._values[name] = value
                for user in users.get(name, ()):
                    heappush(waiting, user)
        for name in names:
            self._values.setdefault(name, self._own(name))

    @staticmethod
    def _own(version: Version) -> AddressWord:
        """Return a version as its own base."""
        place = f" b{version.block}" if version.index < 0 else f"@{version.index}"
        return AddressWord(f"{version.register}{place}", 0)

    def _holds(self, version: Version, needs: tuple[Version, ...]) -> AddressValue:
        """Return the value of a version, as far as the versions on which it depends are known; None: not yet."""
        before, own = self._values.get(version), self._own(version)
        if not self._open(version):
            if not all(need in self._values for need in needs):
                return None
            value = self._written_value(version)
            return own if value is None else value
        if not needs:
            begins = version.index < 0 and version.block == 0 and self.ssa.blocks[0].entry_cause is None
            return AddressWord(STACK, 0) if begins and self._inherited and version.register == "R1" else own
        ways = {self._values[need] for need in needs if need in self._values and need is not version}
        if not ways or before == own:
            return before
        near = AddressWord(STACK, _NEAR)
        if len(ways) == 1 and before != near:
            return ways.pop()
        # Different addresses on the stack, in local memory, merge to one near the stack pointer.
        return near if all(isinstance(way, AddressWord) and way.base == STACK for way in ways) else own

    def _written_value(self, version: Version) -> AddressValue:
        """Return the value that a line writes to a register; None if it is not followed."""
        line, means = self._lowered(version.index)
        definition = self.define(version)
        if line is None or means is None or definition is None:
            return None
        if not isinstance(definition.transfer, Node):
            if line.name not in _CONSTANTS or set(line.suffixes) - {"64"}:
                return None
            return self._constant(line, _WORD * means.writes.index(str(version.register)))
        constant = self._constant(line) if len(means.writes) == 1 else None
        inputs = [constant if read == UNKNOWN else self.value_of(unrefined(read)) for read in definition.reads]
        value = _value(definition.transfer, inputs, f"{means.writes[0]}@{version.index}")
        # The sum of two addresses is not an address.
        words = 2 if definition.transfer.row is FIELD else 1
        return None if is_near(value) and sum(map(rooted, inputs)) != words else value

    def _constant(self, line: SassInstruction, plus: int = 0) -> AddressValue:
        """Return the word of constant memory that a line reads, or the one ``plus`` bytes after it."""
        read = [text for text in line.operands[1:] if source_operand(text) is NOT_READ and not is_predicate(text)]
        match = _CONSTANT.match(read[0]) if len(read) == 1 else None
        word = None if match is None else self._constants.get(int(match[2], 16) + plus)
        return word if match is None or not match[1] else _LESS if word == _BEGINS else None

    def _access(self, index: int, line: SassInstruction) -> Access | None:
        """Return the load or store of a line, if the base of its address is known, and its offset or its distance."""
        place = _place(line)
        if place is None or set(line.suffixes) - _HINTS - _BYTES.keys():
            return None
        names, plus = place
        versions = [self.version(name, index) for name in names]
        low, *upper = [None if version is None else self.value_of(version) for version in versions] or [0]
        wide = len(names) > 1
        if isinstance(low, int):
            low = AddressWord("", low)
        if not isinstance(low, AddressWord) or (wide and not belong(low, upper[0])):
            return None
        on_stack = low.base == (WHOLE if wide else STACK)
        if isinstance(low.plus, str):
            return _access(line, STACK, plus, names) if on_stack else None
        at = low.plus + plus
        if on_stack:
            at = at if wide else _signed(at)
            return _access(line, STACK, at) if abs(at) < FRAME else None
        if wide:
            (high,) = upper
            assert isinstance(high, AddressWord)
            return _access(line, f"{low.base} {high.high or high.base}", at)
        return _access(line, f"local {low.base}", at) if -_HALF <= at < _HALF - max(_BYTES.values()) else None


def _access(line: SassInstruction, space: str, offset: int, near: tuple[str, ...] = ()) -> Access | None:
    """Return the load or store of a line; ``space``: the base of its address, :data:`STACK` or another, which may
    overlap."""
    size = next((_BYTES[suffix] for suffix in line.suffixes if suffix in _BYTES), _WORD)
    loads = line.name in _LOADS
    source = _REMARK.sub("", line.operands[0 if loads else 1]).removesuffix(".reuse")
    words = max(1, size // _WORD)
    data = (ZERO,) * words if source == "RZ" and not loads else tuple(follows(source, words))
    signed = bool({"S8", "S16"} & set(line.suffixes))
    return (
        Access(loads, space, offset, min(size, _WORD), data, REGISTER_BITS, signed, near)
        if len(data) == words
        else None
    )


def reaches(line: SassInstruction) -> bool:
    """Whether a line loads or stores where a local variable may be."""
    return line.name in (*_LOADS, *_STORES)


def _place(line: SassInstruction) -> tuple[tuple[str, ...], int] | None:
    """Return the registers and the offset of the address of a load or store."""
    if len(line.operands) != 2:
        return None
    text = _REMARK.sub("", line.operands[1 if line.name in _LOADS else 0])
    if line.name in ("LDL", "STL"):
        match = _LOCAL.match(text)
        if match:
            return (match[1],), int(match[2] or "0", 16)
        absolute = _ABSOLUTE.match(text)
        return ((), int(absolute[1], 16)) if absolute else None
    match = _WIDE.match(text)
    return (tuple(follows(f"R{match[1]}", 2)), int(match[2] or "0", 16)) if match else None
