"""The registers and predicates that an instruction writes, and how they follow from what it reads.

:func:`lower` returns this for a line; for an instruction known only by name, or not at all, the registers that it may
write become unknown. Semantics: the instruction list of the CUDA binary utilities, or measured on hardware where that
list is silent.

Lines that differ only in their registers share one function, so that its provenance
(:mod:`smemdesc.scanning.analysis.provenance`) is computed once.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import EQ, FALSE, NE, OPPOSITE, TRUE, UNKNOWN, Value
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.conditions import Condition
from smemdesc.scanning.analysis.ir import IN, Node, Results, results
from smemdesc.scanning.analysis.ssa import Comparand, Comparisons, PredicateLiteral, SsaStep, Voted
from smemdesc.scanning.languages.mnemonics import WGMMA_SASS
from smemdesc.scanning.languages.sass.mma import MMA_SHAPE
from smemdesc.scanning.languages.sass.text import (
    ALWAYS,
    NEVER,
    OFF,
    REGISTER_BITS,
    UNREAD,
    ZERO,
    SassInstruction,
    SassOperand,
    follows,
    is_predicate,
    parse_line,
    register_number,
    source_operand,
)
from smemdesc.scanning.model import causes

FULL = ones(REGISTER_BITS)

_COUNT = 7
"""The number of writable predicates of a file."""
PREDICATES = frozenset(f"{file}{number}" for file in ("P", "UP") for number in range(_COUNT))
"""All writable predicates."""


def predicate_of(text: str) -> PredicateLiteral:
    """Return the predicate that a guard or an operand names, and whether it must be true."""
    name = text.removeprefix("!")
    return PredicateLiteral(TRUE if name in ALWAYS else name if name in PREDICATES else UNKNOWN, text[:1] != "!")


def _signed(text: str, place: int) -> tuple[object, Node]:
    """Return what an operand reads, and input number ``place`` with the operand's sign applied."""
    read = source_operand(text)
    node = IN[place]
    for sign in reversed(read.sign):
        node = (ir.negated if sign == "-" else ir.NOT)(node, REGISTER_BITS)
    return read.register, node


def _result(line: SassInstruction, sources: Sequence[str], make: Callable[..., Node]) -> SsaStep:
    """A line with one destination register and plain sources, as many as ``make`` takes."""
    read = [_signed(text, place) for place, text in enumerate(sources)]
    return SsaStep(_to(line), tuple([source for source, _ in read]), make(*[node for _, node in read]))


def _to(line: SassInstruction, count: int = 1) -> tuple[str, ...]:
    return tuple(follows(line.operands[0], count))


def _same(a: Node) -> Node:
    return ir.CUT(a, REGISTER_BITS)


COPIES_SOURCE = _same(IN[0])
"""The function of a line that only copies its source."""


def _either(a: Node, b: Node) -> Node:
    return ir.EITHER(a, b, REGISTER_BITS)


def _words(wide: Node) -> Node | Results:
    """Return the two words of a 64-bit value."""
    return results(ir.FIELD(wide, 0, REGISTER_BITS), ir.FIELD(wide, REGISTER_BITS, REGISTER_BITS))


def _mov(line: SassInstruction) -> SsaStep | None:
    if "64" in line.suffixes:
        if len(line.operands) != 2:
            return None
        return SsaStep(_to(line, 2), _pair(line.operands[1]), results(_same(IN[0]), _same(IN[1])))
    if len(line.operands) not in (2, 3) or line.operands[2:] not in ((), ("0xf",)):
        return None
    return _result(line, line.operands[1:2], _same)


def _pair(text: str) -> tuple[object, ...]:
    """Return the two words of a 64-bit source, low first."""
    names = follows(text, 2)
    if names:
        return tuple(names)
    read = source_operand(text)
    if read.sign or not isinstance(read.register, tuple) or read.register[1] != FULL:
        return UNKNOWN, UNKNOWN
    number = int(text, 0) if text not in ("RZ", "URZ") else 0
    # How an immediate with bit 31 set is widened depends on the instruction.
    high = (
        UNKNOWN
        if REGISTER_BITS - 1 < number.bit_length() <= REGISTER_BITS
        else known.const(number >> REGISTER_BITS, REGISTER_BITS)
    )
    return known.const(number, REGISTER_BITS), high


class _Split(NamedTuple):
    """The operands of a line after the first: predicates written, sources, predicates read."""

    outs: list[str]
    sources: list[str]
    ins: list[str]

    @property
    def out(self) -> str:
        """The predicate that receives the carry out."""
        real = [name for name in self.outs if name not in ALWAYS]
        return real[0] if len(real) == 1 else ""

    def carry(self, place: int) -> tuple[tuple[str, ...], Any] | None:
        """Return what is read for the carry in, and the carry.

        None if there are two: their sum may exceed one bit.
        """
        real = [name for name in self.ins if name not in NEVER]
        if not real:
            return (), FALSE
        if len(real) > 1:
            return None
        if real[0][0] == "!" or real[0] in ALWAYS:
            return (), UNKNOWN if real[0][0] == "!" else TRUE
        return (real[0],), IN[place]


def _split(line: SassInstruction) -> _Split:
    rest = list(line.operands[1:])
    first: list[str] = []
    while rest and is_predicate(rest[0]):
        first.append(rest.pop(0))
    last: list[str] = []
    while rest and is_predicate(rest[-1]):
        last.insert(0, rest.pop())
    return _Split(first, rest, last)


def _iadd3(line: SassInstruction) -> SsaStep | None:
    """A sum of two or three words; with X the upper half of a longer sum, which takes the carry of the lower half."""
    parts = _split(line)
    suffixes = set(line.suffixes)
    if suffixes == {"64"}:
        return _iadd64(line, parts)
    extended = "X" in suffixes
    operands = [source_operand(source) for source in parts.sources]
    signs = [read.sign for read in operands]
    if suffixes - {"X"} or len(signs) not in (2, 3) or any(len(sign) > 1 for sign in signs):
        return None
    carry_in = parts.carry(len(operands))
    if carry_in is None or (extended and "-" in signs) or (parts.ins and not extended):
        return None
    carry_reads, carry = carry_in
    registers = [read.register for read in operands]
    terms, is_bit = _terms(registers, signs)
    return _with_carry(line, parts.out if is_bit else "", (*registers, *carry_reads), _summed(terms, signs, carry))


def _terms(registers: Sequence[object], signs: Sequence[str]) -> tuple[list[int], bool]:
    """Return the places of the terms of IADD3, the subtracted ones last, and whether the carry of the sum is one bit.

    a + b + c has a carry of 0 to 2; it is one bit if one of the three is the zero register, which is then no term.
    """
    places = range(len(registers))
    zero = next((place for place in places if registers[place] == ZERO and not signs[place]), None)
    # Two minus signs have a carry of 2 if both numbers are 0.
    is_bit = len(registers) - (zero is not None) <= 2 and signs.count("-") < 2
    return sorted((place for place in places if not is_bit or place != zero), key=lambda at: signs[at] == "-"), is_bit


def _summed(terms: Sequence[int], signs: Sequence[str], carry: Node | Value) -> tuple[Any, ...]:
    """Return the arguments of :func:`ir.ADD` for the last addition of a sum; ``terms``: places of inputs."""
    inverted = [ir.NOT(IN[place], REGISTER_BITS) if sign == "~" else IN[place] for place, sign in enumerate(signs)]
    starts_with_minus = signs[terms[0]] == "-"
    total: Any = ZERO if starts_with_minus else inverted[terms[0]]
    added: tuple[Any, ...] = (total, ZERO, carry, REGISTER_BITS)
    for number, place in enumerate(terms if starts_with_minus else terms[1:]):
        if signs[place] == "-":
            added = (total, inverted[place], TRUE, REGISTER_BITS, True)
        else:
            added = (total, inverted[place], FALSE if number else carry, REGISTER_BITS)
        total = ir.ADD(*added)
    return added


def _with_carry(line: SassInstruction, out: str, reads: tuple[object, ...], added: tuple[Any, ...]) -> SsaStep:
    """A line that writes a sum, and its carry to the predicate ``out``, if not empty."""
    to = _to(line)
    if not out:
        return SsaStep(to, reads, ir.ADD(*added))
    transfer = results(*[ir.ADD(*added) for _ in to], ir.CARRY(*added))
    return SsaStep((*to, out), reads, transfer)


def _iadd64(line: SassInstruction, parts: _Split) -> SsaStep | None:
    if parts.ins or any(source[0] == "~" for source in parts.sources):
        return None
    total: Any = known.const(0, 2 * REGISTER_BITS)
    reads: list[object] = []
    for place, source in enumerate(parts.sources):
        minus = source[0] == "-" and "R" in source
        reads += _pair(source[minus:])
        term = ir.CONCAT(IN[2 * place], IN[2 * place + 1], REGISTER_BITS)
        total = ir.ADD(total, term, TRUE if minus else FALSE, 2 * REGISTER_BITS, minus)
    return SsaStep(_to(line, 2), tuple(reads), _words(total))


def words_in(text: str) -> frozenset[str]:
    """Return the set of words in a text."""
    return frozenset(text.split())


_MAD = {"U32", "MOV", "SHL", "IADD", "S32"}


def _imad(line: SassInstruction) -> SsaStep | None:
    """A product and a sum: a * b + c."""
    suffixes = set(line.suffixes)
    parts = _split(line)
    extended = "X" in suffixes
    if len(parts.sources) != 3 or ((parts.outs or parts.ins) and not extended):
        return None
    operands = [source_operand(source) for source in parts.sources]
    if not suffixes.isdisjoint(("WIDE", "HI")):
        return None if extended else _wide_imad(line, parts, operands)
    carry_in = parts.carry(3)
    # With X it is the high half of a 64-bit add, an alternative of ptxas to IADD3.X: a * b + c + carry.
    if suffixes - {"X"} - _MAD or carry_in is None or (extended and any("-" in read.sign for read in operands)):
        return None
    if not extended and ZERO in [read.register for read in operands[:2]]:
        return _result(line, parts.sources[2:], _same)
    carry_reads, carry = carry_in
    step = _result(
        line, parts.sources, lambda a, b, c: ir.ADD(ir.MULTIPLY(a, b, REGISTER_BITS), c, carry, REGISTER_BITS)
    )
    return step._replace(reads=(*step.reads, *carry_reads))


def _wide_imad(line: SassInstruction, parts: _Split, operands: Sequence[SassOperand]) -> SsaStep | None:
    """IMAD with a product and a term of 64 bits: both words of the result (WIDE), or the high one (HI)."""
    suffixes = set(line.suffixes)
    # Whether a sign applies to a factor or to the product matters if the result is wider than the factors.
    if suffixes - {"WIDE", "HI", "U32"} or suffixes >= {"WIDE", "HI"} or any(read.sign for read in operands[:2]):
        return None
    reads = (*[read.register for read in operands[:2]], *_pair(parts.sources[2]))
    a, b = (ir.EXTEND(IN[place], REGISTER_BITS, 2 * REGISTER_BITS, "U32" not in suffixes) for place in (0, 1))
    total = ir.ADD(
        ir.MULTIPLY(a, b, 2 * REGISTER_BITS), ir.CONCAT(IN[2], IN[3], REGISTER_BITS), FALSE, 2 * REGISTER_BITS
    )
    if "HI" in suffixes:
        return SsaStep(_to(line), reads, ir.FIELD(total, REGISTER_BITS, REGISTER_BITS))
    return SsaStep(_to(line, 2), reads, _words(total))


def _lop3(line: SassInstruction) -> SsaStep | None:
    """A bitwise function of three words, and whether it is nonzero."""
    out, operands = (line.operands[0], line.operands[1:]) if is_predicate(line.operands[0]) else ("PT", line.operands)
    if line.suffixes != ("LUT",) or len(operands) != 6 or not is_predicate(operands[5]):
        return None
    to, *texts, number, joined = operands
    table = int(number, 0)
    row = _TWO.get(table) if texts[2] in ("RZ", "URZ") else None
    read = [_signed(text, place) for place, text in enumerate(texts[: 2 if row else 3])]
    nodes = [node for _, node in read]
    word = row(*nodes, REGISTER_BITS) if row else ir.LOP3(*nodes, table, REGISTER_BITS)
    writes = follows(to, 1)
    if out in ALWAYS:
        return SsaStep(tuple(writes), tuple([source for source, _ in read]), word)
    read.append(_predicate(joined, len(read)))
    some = ir.OR(ir.COMPARE(word, ZERO, NE, REGISTER_BITS), read[-1][1], 1)
    says = Condition(NE, Comparand(to), ZERO, REGISTER_BITS) if writes and joined in NEVER else None
    reads = tuple([source for source, _ in read])
    return SsaStep((*writes, out), reads, results(*[word for _ in writes], some), comparisons={out: says})


_TWO = {0xC0: ir.AND, 0xFC: ir.OR, 0x3C: ir.XOR}
"""The common functions of two operands, if the third is zero."""


def _predicate(text: str, place: int) -> tuple[object, Node]:
    """Return what a predicate operand reads, and input number ``place``, negated if the operand is."""
    name = text.removeprefix("!")
    return TRUE if name in ALWAYS else name, (ir.NOT if text[0] == "!" else ir.CUT)(IN[place], 1)


def _outcomes(
    line: SassInstruction, read: Sequence[tuple[object, Node]], nodes: Sequence[Node], says: Comparisons
) -> SsaStep | None:
    """A line that writes predicates, which are its first operands."""
    outs = [(name, node) for name, node in zip(line.operands, nodes, strict=False) if name not in ALWAYS]
    writes = tuple([name for name, _ in outs])
    if not outs or len(set(writes)) != len(writes):
        return None
    return SsaStep(
        writes, tuple([source for source, _ in read]), results(*[node for _, node in outs]), comparisons=says
    )


_JOINED = {"AND": ir.AND, "OR": ir.OR, "XOR": ir.XOR}


def _isetp(line: SassInstruction) -> SsaStep | None:
    how, *suffixes = line.suffixes
    extended, signed = "EX" in suffixes, "U32" not in suffixes
    join = next((suffix for suffix in suffixes if suffix in _JOINED), "")
    if how not in OPPOSITE or set(suffixes) - {"U32", "EX"} != {join} or len(line.operands) != 5 + extended:
        return None
    out, opposite, first, second, joined, *below = line.operands
    read = [_signed(first, 0), _signed(second, 1), *map(_predicate, (joined, *below), (2, 3))]
    (a, x), (b, y), (_, last), *_ = read
    answer = ir.COMPARE(x, y, how, REGISTER_BITS, signed)
    if extended and how in (EQ, NE):
        answer = (ir.AND if how == EQ else ir.OR)(answer, read[3][1], 1)
    elif extended:
        answer = ir.SELECT(read[3][1], answer, ir.COMPARE(x, y, EQ, REGISTER_BITS), None, None, None, 1)
    nodes = [_JOINED[join](node, last, 1) for node in (answer, ir.NOT(answer, 1))]
    says: dict[str, Condition | PredicateLiteral | None] = {}
    plain = not extended or (opposite in ALWAYS and joined in ALWAYS and below[0][0] != "!")
    if (
        plain
        and join != "XOR"
        and out != opposite
        and not source_operand(first).sign
        and not source_operand(second).sign
    ):
        weak = joined not in (ALWAYS if join == "AND" else NEVER)
        # The second result is the opposite comparison's.
        for name, truth in ((opposite, OPPOSITE[how]), (out, how)):
            says[name] = Condition(truth, a, b, REGISTER_BITS, signed, weak, below=below[0] if extended else None)
            if weak and join == "OR":
                # It is false only if the comparison is false.
                says[name] = Condition(OPPOSITE[truth], a, b, REGISTER_BITS, signed, True, True)
    return _outcomes(line, read, nodes, says)


def _plop3(line: SassInstruction) -> SsaStep | None:
    if line.suffixes != ("LUT",) or len(line.operands) != 7:
        return None
    read = [_predicate(text, place) for place, text in enumerate(line.operands[2:5])]
    nodes = [ir.LOP3(*[node for _, node in read], int(table, 0), 1) for table in line.operands[5:]]
    says: Comparisons = {}
    operand_places = [place for place, (name, _) in enumerate(read) if name != TRUE]
    if len(operand_places) == 1 and line.operands[1] in ALWAYS:
        # A copy, or the complement, common in code at -O0.
        without, with_it = (
            nodes[0](*[value if place in operand_places else TRUE for place in range(3)]) for value in (FALSE, TRUE)
        )
        if without != with_it:
            says = {line.operands[0]: PredicateLiteral(read[operand_places[0]][0], with_it == TRUE)}
    return _outcomes(line, read, nodes, says)


def _vote(line: SassInstruction) -> SsaStep | None:
    """Whether a predicate is true in any active thread, or in all: then it is false in none."""
    *outs, voted_text = line.operands
    some = line.suffixes == ("ANY",)
    if not (some or line.suffixes == ("ALL",)) or outs[:-1] not in ([], ["RZ"], ["URZ"]):
        return None
    read = _predicate(voted_text, 0)
    voted = predicate_of(voted_text)
    if outs[-1] not in PREDICATES or voted.predicate == UNKNOWN:
        return None
    # What is known of the predicate holds in every thread.
    says = Voted(voted.predicate, voted.holds == some, some)
    return SsaStep((outs[-1],), (read[0],), read[1], comparisons={outs[-1]: says})


def _shf(line: SassInstruction) -> SsaStep | None:
    kinds = set(line.suffixes[1:])
    kind = next(iter(kinds - {"HI", "W"}), "")
    if len(line.operands) != 4 or line.suffixes[:1] not in (("L",), ("R",)) or len(kinds - {"HI", "W"}) != 1:
        return None
    if kind not in ("U32", "S32", "U64", "S64"):
        return None
    left, high, wrap = line.suffixes[0] == "L", "HI" in kinds, "W" in kinds
    how = ir.SHL if left else ir.SAR if kind[0] == "S" else ir.SHR

    def shifted(low: Node, count: Node, top: Node) -> Node:
        if kind[1:] == "64":
            # The clamp of a 64-bit shift is not documented.
            both = how(ir.CONCAT(low, top, REGISTER_BITS), count, 2 * REGISTER_BITS, 6 if wrap else REGISTER_BITS, wrap)
            return ir.FIELD(both, REGISTER_BITS if high else 0, REGISTER_BITS)
        if left == high:
            return ir.FUNNEL(low, top, count, REGISTER_BITS, left, wrap)
        return how(low if left else top, count, REGISTER_BITS, 5 if wrap else REGISTER_BITS)

    return _result(line, line.operands[1:], shifted)


def _lea(line: SassInstruction) -> SsaStep | None:
    """``(a << bits) + b``; with HI the shifted value is the high word of a 64-bit one, with X a carry is added."""
    suffixes = set(line.suffixes)
    parts = _split(line)
    high, sign_extended = "HI" in suffixes, "SX32" in suffixes
    if suffixes - {"HI", "X", "SX32"} or (parts.ins and "X" not in suffixes):
        return None
    if len(parts.sources) != (4 if high and not sign_extended else 3):
        return None
    *sources, count = parts.sources
    carry_in, bits = parts.carry(len(sources)), _shift_count(count)
    if carry_in is None or bits is None or not _lea_signs_are_known(line, parts):
        return None
    carry_reads, carry = carry_in
    read = [_signed(text, place) for place, text in enumerate(sources)]
    a, b = (node for _, node in read[:2])
    if sign_extended:
        shifted = ir.SAR(a, known.const(REGISTER_BITS - bits, REGISTER_BITS), REGISTER_BITS)
    elif high:
        shifted = ir.FIELD(ir.CONCAT(a, IN[2], REGISTER_BITS), REGISTER_BITS - bits, REGISTER_BITS)
    else:
        shifted = ir.SHL(a, known.const(bits, REGISTER_BITS), REGISTER_BITS)
    return _with_carry(
        line, parts.out, (*[source for source, _ in read], *carry_reads), (shifted, b, carry, REGISTER_BITS)
    )


def _shift_count(text: str) -> int | None:
    """Return an immediate number of bits by which a word can be shifted; None for anything else."""
    number = source_operand(text).register
    return number[0] if isinstance(number, tuple) and number[1] == FULL and number[0] < REGISTER_BITS else None


def _lea_signs_are_known(line: SassInstruction, parts: _Split) -> bool:
    """Whether it is known what the signs of the two terms of LEA do to the sum and to its carry."""
    shifted, added = (source_operand(source).sign for source in parts.sources[:2])
    extended = "X" in line.suffixes
    if shifted and ("HI" in line.suffixes or parts.outs or extended):
        # The sign applies after the shift: ~(a << n), then + 1 for a minus, included in the carry.
        return False
    return shifted in ("", "-") and (added in ("", "~") or (added == "-" and not extended and not parts.out))


def _sel(line: SassInstruction) -> SsaStep | None:
    if line.suffixes or len(line.operands) != 4:
        return None
    if line.operands[3] in ALWAYS + NEVER:
        return _result(line, [line.operands[1 if line.operands[3] in ALWAYS else 2]], _same)
    either = _result(line, line.operands[1:3], _either)
    signed = any(source_operand(text).sign for text in line.operands[1:3])
    return either if signed else either._replace(selects=predicate_of(line.operands[3]))


def _sgxt(line: SassInstruction) -> SsaStep | None:
    if set(line.suffixes) - {"U32"} or len(line.operands) != 3:
        return None
    signed = "U32" not in line.suffixes
    low = known.const(0, REGISTER_BITS)
    # The result for an empty field is not documented.
    return _result(
        line, line.operands[1:], lambda a, count: ir.EXTRACT(a, low, count, REGISTER_BITS, signed, REGISTER_BITS, 1)
    )


_SPECIAL = {"SR_TID.X": 1023, "SR_TID.Y": 1023, "SR_TID.Z": 63, "SR_LANEID": 31}
"""The largest values of special registers (CUDA programming guide, compute capabilities)."""


def _special(line: SassInstruction) -> SsaStep | None:
    if len(line.operands) != 2:
        return None
    largest = _SPECIAL.get(line.operands[1])
    if largest is None:
        return None
    return _constant(line, known.at_most(largest, REGISTER_BITS))


def _constant(line: SassInstruction, *values: Value) -> SsaStep:
    return SsaStep(_to(line, len(values)), (), results(*[ir.GIVEN(value) for value in values]))


def _cs2r(line: SassInstruction) -> SsaStep | None:
    if len(line.operands) != 2 or line.operands[1] != "SRZ" or set(line.suffixes) - {"32"}:
        return None
    return _constant(line, *[ZERO] * (1 if "32" in line.suffixes else 2))


def _shfl(line: SassInstruction) -> SsaStep | None:
    """A value of another lane: what is known of the source is known of every lane that takes part."""
    registers = [text for text in line.operands if register_number(text)]
    if len(registers) < 2 or not is_predicate(line.operands[0]):
        return None
    return SsaStep(tuple(follows(line.operands[1], 1)), (source_operand(line.operands[2]).register,), _same(IN[0]))


def _load(line: SassInstruction) -> SsaStep | None:
    """A narrow load clears the other bits of the register."""
    limit = {"U8": 255, "U16": 65535}
    for suffix in line.suffixes:
        if suffix in limit and register_number(line.operands[0]):
            return _constant(line, known.at_most(limit[suffix], REGISTER_BITS))
    return None


def _halves(line: SassInstruction) -> SsaStep | None:
    """ptxas moves constants by a product of zeros to which it adds a pair of halves."""
    *zeros, high, low = line.operands[1:]
    read = [source_operand(text) for text in zeros]
    if set(line.suffixes) - {"MMA", "BF16_V2"} or len(read) != _FACTORS.get(line.name):
        return None
    if any(each.register != ZERO or each.sign not in ("", "-") for each in read):
        return None
    # The sum of two zeros is negative if both are.
    zero = _NEGATIVE_ZERO * (sum(len(each.sign) for each in read) % 2)
    halves = [_half(text, "BF16_V2" in line.suffixes) for text in (low, high)]
    values = [half & zero if half in (0, _NEGATIVE_ZERO) else half for half in halves]
    low_half, high_half = ((half, FULL) for half in values)
    return _constant(line, known.join(low_half, high_half, 16))


def _half(text: str, brain: bool) -> int:
    """Return the bits of an immediate of 16 bits; ValueError if the text is not exactly one."""
    if text.endswith("NAN"):
        return _NOT_A_NUMBER
    try:
        if not brain:
            return int.from_bytes(struct.pack("<e", float(text)), "little")
        word = int.from_bytes(struct.pack("<f", float(text)), "little")
    except OverflowError:
        raise ValueError(f"{text} is too large") from None
    if word & ones(16):
        raise ValueError(f"{text} is no bf16")
    return word >> 16


_FACTORS = {"HFMA2": 2, "HADD2": 1}
"""How many operands make the zero."""
_NEGATIVE_ZERO = 0x8000
_NOT_A_NUMBER = 0x7FFF
"""What comes out of arithmetic with any NaN: ptxas 13.5 moves no other this way."""


class _Plain(NamedTuple):
    """An instruction as a function of some of its operands."""

    suffixes: str
    """The suffixes that do not change the function."""
    operands: int
    sources: tuple[int, ...]
    """The indices of the operands that are read."""
    make: Callable[..., Node]

    def __call__(self, line: SassInstruction) -> SsaStep | None:
        if len(line.operands) != self.operands or not words_in(self.suffixes).issuperset(line.suffixes):
            return None
        return _result(line, [line.operands[place] for place in self.sources], self.make)


_EXACT: dict[str, _Plain | Callable[[SassInstruction], SsaStep | None]] = {
    "VIADD": _Plain("", 3, (1, 2), lambda a, b: ir.ADD(a, b, FALSE, REGISTER_BITS)),
    "PRMT": _Plain("", 4, (1, 3, 2), ir.PERMUTE),
    "R2UR": _Plain("FILL BROADCAST", 2, (1,), _same),
    **dict.fromkeys(("VIMNMX", "IMNMX"), _Plain("U32 S32", 4, (1, 2), _either)),
    "MOV": _mov,
    "IADD3": _iadd3,
    "IADD": _iadd3,
    "IMAD": _imad,
    "LOP3": _lop3,
    "ISETP": _isetp,
    "PLOP3": _plop3,
    **dict.fromkeys(("VOTE", "VOTEU"), _vote),
    "SHF": _shf,
    "LEA": _lea,
    "SEL": _sel,
    "SGXT": _sgxt,
    "S2R": _special,
    "S2UR": _special,
    "CS2R": _cs2r,
    "SHFL": _shfl,
    **dict.fromkeys(("HFMA2", "HADD2"), _halves),
    **dict.fromkeys(("LDG", "LDS", "LD", "LDC", "LDCU", "LDL"), _load),
}
"""The functions of instructions, by their names without the U of uniform ones."""
PREDICATES_ONLY = words_in(
    "ISETP UISETP FSETP UFSETP DSETP HSETP2 PSETP UPSETP PLOP3 UPLOP3 R2P UR2UP ISETP3 CSETP VSETP FCHK UP2P CSMTEST"
)
NO_RESULT = words_in(
    "NOP BAR DEPBAR MEMBAR ERRBAR CCTL CCTLL CCTLT FENCE CGAERRBAR UCGABAR_ARV UCGABAR_WAIT WARPGROUP "
    "WARPSYNC WARPGROUPSET USETMAXREG USETSHMSZ NANOSLEEP YIELD STG STS STL ST STT STTM STAS STSM RED REDG "
    "REDAS UBLKCP UBLKRED UBLKPF UTMALDG UTMASTG UTMAREDG UTMAPF UTMALST UTMACCTL UTMACMDFLUSH UTMAREDL "
    "ARRIVES LDGDEPBAR LDGSTS ACQBULK PREEXIT ENDCOLLECTIVE UTCBAR UTCCP UTCSHIFT UTCHMMA UTCQMMA UTCIMMA "
    "UTCOMMA UTCMXQMMA UVIRTCOUNT PMTRIG UCCTL UTCSTSWS BPT BREAK SETCTAID SETLMEMBASE ACQSHMINIT AST ISBEWR REDS "
    "SUST SURED UBLKL2CCTL UTMAL2CCTL UCGABARARV UCGABARWAIT UCGABARSET UCGABAR_SET UGETNEXTWORKID UMEMSETS UREDGR "
    "USTGR UTRACEEVENT"
)
"""Instructions that write no register, uniform or not."""
_PAIRS = words_in(
    "DADD DMUL DFMA DMNMX CS2UR GETLMEMBASE CS2R LEPC ULEPC IMUL64 FADD2 FMUL2 FFMA2 I2I64 UI2I64 B2R CLMAD FHADD2 "
    "FHFMA2 FHMUL2 UCLEA MOV64IUR RPCMOV"
)
_WIDE_RESULT = 128
"""The most registers that one instruction writes (the accumulators of m64n256, a load of 128 TMEM columns)."""
_TWO_DESTINATIONS = words_in("TEX TLD TLD4 TXD TXQ TMML FOOTPRINT")
"""Texture loads: they write to their first two operands."""
_WIDTHS = {
    "HMMA": 4,
    "IMMA": 8,
    "BMMA": 8,
    "DMMA": 8,
    "QMMA": 8,
    "OMMA": 8,
    "LDT": _WIDE_RESULT,
    "LDSM": 4,
    "MOVM": 1,
    "MMA": 8,
    **dict.fromkeys(("ALD", "SULD", "SUATOM", "SUQUERY"), 4),
    **dict.fromkeys(_TWO_DESTINATIONS, 4),
}
_ONE = words_in(
    "FADD FMUL FFMA FMNMX FMNMX3 FSEL FSET FRND MUFU FSWZADD HADD2 HMUL2 HFMA2 HMNMX2 HSET2 F2F F2FP F2I F2IP "
    "I2F I2FP I2I I2IP IABS POPC FLO BREV BMSK IDP IDP4A IDP2A VABSDIFF VABSDIFF4 ISCADD IMAD IADD3 LOP3 SHF "
    "LEA SEL PRMT SGXT MOV S2R P2R IMNMX VIMNMX VIMNMX3 VIADDMNMX VIADD R2UR S2UR UMOV UIADD3 UIMAD ULOP3 "
    "USHF ULEA USEL UPRMT USGXT UIABS UPOPC UFLO UBREV UBMSK UP2UR VOTEU VOTE ELECT REDUX CREDUX MATCH SHFL "
    "VHMNMX UVIMNMX UIMNMX UVIADD UF2FP UF2F UF2I UI2F UI2FP UFADD UFMUL UFFMA UFMNMX UFSEL UFRND IADD CS2UR "
    "QSPC SYNCS LDG LDS LD LDL LDC ULDC LDCU ATOM ATOMG ATOMS ATOMAS UTCATOMSWS UATOMSWS I2FP VIMNMX3 HMNMX2 "
    "DPX BREV LDTRAM BMOV UVIMNMX3 UVIADDMNMX HSEL2 HADD2_32I F2FP2 USYNCS SYNCSU FHADD FHFMA UFHADD UFHFMA LDGMC "
    "VISET FADD32I FMUL32I FFMA32I HMUL2_32I HFMA2_32I IADD32I IMUL IMUL32I ISCADD32I LOP LOP32I MOV32I SHL SHR "
    "ULOP ULOP32I USHL USHR UF2IP UFSET UI2I UI2IP UCGABARGET UCGABAR_GET AL2P IPA ISBERD OUT PIXLD VOTE_VTG"
)
"""Instructions known to write one register, or as many as a suffix determines."""


def _named_width(line: SassInstruction) -> int:
    """Return how many registers an instruction writes, if its name or suffixes determine that; 0 otherwise."""
    if line.name in _PAIRS:
        return 1 if "32" in line.suffixes else 2
    return _suffix_width(line) if line.name in _ONE else 0


def _suffix_width(line: SassInstruction) -> int:
    suffixes = line.suffixes
    if line.name in ("SHF", "USHF"):
        return 1  # one half of a 64-bit result
    if "256" in suffixes or "ENL2" in suffixes:
        return 8
    if "128" in suffixes:
        return 4
    if any("64" in suffix for suffix in suffixes) or "WIDE" in suffixes:
        return 2
    if any(suffix in ("S64", "U64", "F64", "X2", "x2") for suffix in suffixes):
        return 2
    return 1


def one_result(line: SassInstruction) -> bool:
    """Whether the name implies that only the first operand, predicates aside, is written."""
    return line.name in _FIRST_ONLY and _SECOND_RESULT.isdisjoint(line.suffixes)


_SECOND_RESULT = words_in("ENL2 STAT SPARSIFY")
"""The suffixes of instructions that write their second operand, too."""
_SPARSE = words_in("__HIR0X1C0 __HIR0X1D0")
"""spcompress and spdecompress of sm_107a: nvdisasm 13.5 has no other names for them."""
_VECTORS = _SPARSE | words_in("LDTM")
_TMEM_SHAPES = {"16dp256bit": 4, "16dp128bit": 2, "16dp64bit": 1, "16dp32bit_t0_t15": 1, "16dp32bit_t16_t31": 1}
"""How many registers a load of tensor memory writes for ``x1``, by its shape; none: 32dp32bit."""
_COUNT_SUFFIX = re.compile(r"[xX](\d{1,3})$")
_TYPE_SUFFIX = re.compile(r"(?:U?(\d{1,2})|F32)$")


def _vectors(line: SassInstruction) -> tuple[int, ...]:
    """Return how many registers an instruction on vectors writes, starting at each of its leading operands.

    Source: what nvdisasm 13.5 prints for every shape and type that ptxas 13.5 takes. A load with ``STAT`` writes the
    minimum or maximum before the elements, or after the metadata; metadata has one index for each element that is
    kept, every second one.
    """
    suffixes = line.suffixes
    count = next((int(match[1]) for suffix in suffixes if (match := _COUNT_SUFFIX.match(suffix))), 1)
    sizes = [int(match[1] or REGISTER_BITS) for suffix in suffixes if (match := _TYPE_SUFFIX.match(suffix))]
    if line.name == "__HIR0X1D0":
        return (count,)
    if line.name == "__HIR0X1C0":
        return (-(-count * sizes[1] // sizes[0]), count) if len(sizes) == 2 else (_WIDE_RESULT, _WIDE_RESULT)
    statistic = int("STAT" in suffixes)
    if "SPARSIFY" in suffixes:
        index = next((size for size in sizes if size < REGISTER_BITS), REGISTER_BITS)
        return (-(-count // 2 * index // REGISTER_BITS) + statistic, -(-count // 2))
    shape = next((_TMEM_SHAPES.get(suffix, _WIDE_RESULT) for suffix in suffixes if "dp" in suffix), 1)
    return (1,) * statistic + (min(count * shape, _WIDE_RESULT),)


VOTES = ("VOTE", "VOTEU")
_LEADING = {"SEL": 0, "USEL": 0, "PLOP3": 2, "UPLOP3": 2}
_MOST_LEADING = 3
"""The most leading operands of an instruction that may contain written predicates: a register and two predicates."""


def written_predicates(line: SassInstruction) -> tuple[str, ...]:
    """Return the predicates that a line may write; if that is uncertain, all that it names."""
    name = line.name
    if line.guard in OFF:
        return ()
    if name == UNREAD and not line.operands:
        return tuple(sorted(PREDICATES))
    if name in ("R2P", "UR2UP"):
        file = "UP" if name[0] == "U" else "P"
        return tuple(f"{file}{number}" for number in range(_COUNT))
    named = line.operands
    if name in VOTES:
        named = named[:-1]  # the last is what is voted on
    elif one_result(line) or name in _LEADING:
        leading = named[: _LEADING.get(name, _MOST_LEADING)]
        named = (*leading[:1], *takewhile(is_predicate, leading[1:]))
    return tuple(text for text in named if is_predicate(text) and text[0] != "!" and text not in ALWAYS)


@lru_cache(256)
def written_registers(line: SassInstruction) -> tuple[str, ...]:
    """Return every register that a line may write, judged by its name and operands.

    An instruction with an unknown name may write what any known one would: the leading registers.
    """
    name = line.name
    if name in NO_RESULT or name in PREDICATES_ONLY:
        return ()
    if name == UNREAD or (name in KNOWN_NAMES and not line.operands and "CCTL" not in line.suffixes):
        named = [text for text in line.operands if not is_predicate(text)]
        return tuple(follow for text in named for follow in follows(text, _largest(text))) if line.operands else EVERY
    if name in WGMMA_SASS:
        return tuple(follows(line.operands[0], _accumulators(line))) if line.operands else ()
    texts = _destinations(line)
    if name in _VECTORS and len(texts) <= len(counts := _vectors(line)):
        return tuple(follow for text, count in zip(texts, counts, strict=False) for follow in follows(text, count))
    width = _WIDE_RESULT if name in _VECTORS or name[:2] == "__" else _WIDTHS.get(name) or _named_width(line)
    return tuple(follow for text in texts for follow in follows(text, width or _largest(text)))


def _destinations(line: SassInstruction) -> list[str]:
    """Return the registers of the operands that a line may write.

    They come first, predicates aside, and are in one file. There is one, or as many as precede a memory operand;
    texture loads have two, and so may an instruction with an unknown name, unless it writes uniform registers.
    """
    texts: list[str] = []
    for text in line.operands:
        if is_predicate(text):
            continue
        if text in ("", "U", "R", "UR"):
            return [*EVERY]  # damaged
        if register_number(text) is None:
            if (texts and line.name in KNOWN_NAMES) or _SOURCE.fullmatch(text) or not _ANY_REGISTER.search(text):
                break
            return [name for operand in line.operands for name in _ANY_REGISTER.findall(operand)]  # damaged
        if text.endswith(".reuse") or (texts and text[0] != texts[0][0]):
            break
        texts.append(text)
    if any(_is_memory(text) for text in line.operands):
        return texts
    if line.name in _VECTORS:
        return texts[: len(_vectors(line))]
    several = line.name in _TWO_DESTINATIONS or (line.name not in KNOWN_NAMES and texts[:1] and texts[0][0] != "U")
    return texts[: 2 if several else 1]


_SOURCE = re.compile(r"[-~!|+]*U?R(?:\d{1,3}|Z)(?:\.\w+)*\|?|[-~!|]*[\w.]*(?:\[[^\[\]]*+\])+(?:\.\w+)*\|?|`\([^()]*+\)")
"""An operand that is read."""
_ANY_REGISTER = re.compile(r"\bU?R\d{1,3}\b")
_ALIGNED = 4
"""The first register of a vector of this many words or more is a multiple of it; of two words it is even."""
_UNIFORM_RESULT = 8
"""The most uniform registers that one instruction writes."""


def _largest(text: str) -> int:
    """Return how many registers, from one on, an instruction may write."""
    parts = register_number(text)
    if parts is None or parts[1] % 2:
        return 1
    if parts[1] % _ALIGNED:
        return 2
    return _UNIFORM_RESULT if parts[0] == "UR" else _WIDE_RESULT


def _is_memory(text: str) -> bool:
    return text.startswith(("[", "desc[", "gdesc["))


EVERY = tuple(f"{file}{number}" for file in ("R", "UR") for number in range(255))
"""All registers that have names."""
KNOWN_NAMES = _ONE | _PAIRS | NO_RESULT | PREDICATES_ONLY | WGMMA_SASS | _VECTORS | frozenset(_WIDTHS)
"""Instructions whose name determines what they write."""
_FIRST_ONLY = KNOWN_NAMES - _TWO_DESTINATIONS - _SPARSE
REGROUPING = words_in("YIELD NANOSLEEP ENDCOLLECTIVE BAR UCGABAR_WAIT UCGABARWAIT")
"""Instructions, branches aside, at which threads may wait for others: the active threads may change."""
HARMLESS = (
    KNOWN_NAMES - NO_RESULT - words_in("SYNCS USYNCS SYNCSU ATOM ATOMG ATOMS ATOMAS UTCATOMSWS UATOMSWS MATCH SUATOM")
) | words_in("NOP BPT BREAK BRA BSSY BSYNC EXIT")
"""Instructions that write no memory, and at which threads do not wait for each other."""


def _accumulators(line: SassInstruction) -> int:
    """Return how many registers hold D: 64 x N elements in 128 threads."""
    n = next((int(match[1]) for suffix in line.suffixes if (match := MMA_SHAPE.match(suffix))), 2 * _WIDE_RESULT)
    return n // 4 if "F16" in line.suffixes else n // 2


def lower(line: SassInstruction) -> SsaStep:
    """Return what ``line`` writes and, if known, how that follows from what it reads."""
    if line.guard in OFF:
        return SsaStep(())
    exact = _EXACT.get(line.name.removeprefix("U"))
    if exact is not None and line.operands:
        try:
            step = exact(line)
        except (ValueError, IndexError):
            step = None  # a damaged line: it may have been any instruction of that name
        if step is not None:
            return step
    return SsaStep(written_registers(line))


_lower = lru_cache(3000)(lower)


def parse_and_lower(text: bytes) -> tuple[SassInstruction | None, SsaStep | None]:
    """Return the instruction of a line and its step; None where there is no instruction, or its step is not known."""
    line = parse_line(text)
    return line, None if line is None else _lower(line)


_CONSTANT_BANK = re.compile(r"c\[0x([0-9a-f]+)\]\[(?:U?R\w+\+?)?(?:0x([0-9a-f]+))?\]")
_FIRST_ARGUMENT = 0x160
"""Where arguments begin in constant bank 0 at the earliest (sm_70 to sm_89; sm_90: 0x210, sm_100: 0x380)."""
_CAUSES = {
    **dict.fromkeys(("S2R", "S2UR", "US2R", "US2UR", "CS2R"), causes.SPECIAL),
    **dict.fromkeys(("ATOM", "ATOMS", "ATOMG"), causes.MEMORY),
    "CALL": causes.CALL,
    UNREAD: causes.UNREAD,
}


_LINKED = re.compile(r"32@lo\(\(?([\w$.]++)(?: \+ (\d++|0x[0-9a-f]++))?\)?\)$")
"""The lower word of an address that is known when the program is linked."""
_ARGUMENT = re.compile(r"(c\[0x0\]\[0x[0-9a-f]++\])()$")


def symbol(line: SassInstruction) -> tuple[str, int] | None:
    """Return the constant from outside the text that a line reads (the address of a variable, a word of constant bank
    0), and the number added to it; None if it does not read one."""
    unknown = [
        text for text in line.operands[1:] if not is_predicate(text) and source_operand(text).register == UNKNOWN
    ]
    match = _LINKED.match(unknown[0]) or _ARGUMENT.match(unknown[0]) if len(unknown) == 1 else None
    return (match[1], int(match[2] or "0", 0)) if match else None


def cause(line: SassInstruction) -> str | None:
    """Return which source outside the text an instruction takes its result from; None if it could be known."""
    for match in filter(None, map(_CONSTANT_BANK.search, line.operands)):
        bank, offset = int(match[1], 16), match[2]
        if not bank and (offset is None or int(offset, 16) >= _FIRST_ARGUMENT):
            return causes.ARGUMENT
        if bank and line.name == "LDC":
            return causes.MEMORY
    name = line.name.removeprefix("U")
    if name.startswith("LD") and name[2:3] not in ("C", "L"):
        return causes.MEMORY
    return _CAUSES.get(line.name)
