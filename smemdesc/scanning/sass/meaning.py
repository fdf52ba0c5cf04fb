"""What an instruction makes of known bits.

:func:`meaning` returns what a line writes and how; where it knows the instruction only by name, or not at
all, it says that what may be written is not known. Semantics are those of the CUDA binary utilities'
instruction list, measured on hardware where that list says nothing.

What two lines do alike is one function, whatever registers they name: what was found out about it once
(:mod:`smemdesc.scanning.origins`) need not be found out again.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import known, ranges
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN
from smemdesc.scanning.ranges import Value
from smemdesc.scanning.sass.text import NOT_READ, WIDTH, ZERO, Line, Operand, follows, is_predicate, operand, register

FULL = ones(WIDTH)


NOWHERE = "-"
"""Stands for the zero register where a result is thrown away and only its carry is kept."""


class Meaning(NamedTuple):
    """What a line does. ``transfer`` as in :class:`smemdesc.scanning.flow.Step`; ``carry_out`` and ``carry_in`` name
    the predicates through which a carry leaves and comes in (the carry is the last value that ``transfer`` returns,
    and the last that it takes)."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Callable[..., object] | None = None
    carry_out: str = ""
    carry_in: str = ""
    selects: str = ""
    """The predicate by which one of the two reads is taken."""


@lru_cache(4096)
def _signed(signs: tuple[str, ...], transfer: Callable[..., object]) -> Callable[..., object]:
    """Return a function that applies the operands' signs first."""

    def prepared(*values: Value) -> object:
        out = []
        for sign, value in zip(signs, values, strict=False):
            for each in reversed(sign):
                value = known.negate(value, WIDTH) if each == "-" else known.cut(known.not_(value), WIDTH)
            out.append(value)
        return transfer(*out, *values[len(signs) :])

    return prepared


def _with(operands: Sequence[Operand], transfer: Callable[..., object]) -> Callable[..., object]:
    signs = tuple([each.sign for each in operands])
    return _signed(signs, transfer) if any(signs) else transfer


def _result(line: Line, sources: Sequence[str], transfer: Callable[..., object]) -> Meaning:
    """A line with one register to write and plain sources, as many as ``transfer`` takes."""
    if len(sources) != transfer.__code__.co_argcount:
        raise ValueError("too few operands")
    operands = [operand(each) for each in sources]
    return Meaning(
        tuple(follows(line.operands[0], 1)), tuple(each.register for each in operands), _with(operands, transfer)
    )


def _same(a: Value) -> Value:
    return ranges.whole(a, WIDTH)


def _both(low: Value, high: Value) -> object:
    return _same(low), _same(high)


def _either(a: Value, b: Value) -> Value:
    return ranges.joined(a, b, WIDTH)


def _mov(line: Line) -> Meaning | None:
    if "64" in line.suffixes:
        return _mov64(line)
    if len(line.operands) == 3 and line.operands[2] != "0xf":
        return None
    return _result(line, line.operands[1:2], _same)


def _mov64(line: Line) -> Meaning | None:
    if len(line.operands) != 2:
        return None
    source = line.operands[1]
    writes = tuple(follows(line.operands[0], 2))
    return Meaning(writes, tuple(_pair(source)), _both)


def _pair(text: str) -> list[object]:
    """Return the two words of a 64-bit source, low first."""
    names = follows(text, 2)
    if names:
        return list(names)
    read = operand(text)
    if read.sign or not isinstance(read.register, tuple):
        return [UNKNOWN, UNKNOWN]
    if read is NOT_READ or read.register[1] != FULL:
        return [UNKNOWN, UNKNOWN]
    number = int(text, 0) if text not in ("RZ", "URZ") else 0
    # How an immediate with bit 31 set is widened depends on the instruction.
    high = UNKNOWN if WIDTH - 1 < number.bit_length() <= WIDTH else known.const(number >> WIDTH, WIDTH)
    return [known.const(number, WIDTH), high]


def _split(line: Line) -> tuple[str, list[str], list[str], list[str]]:
    """Return the destination, the predicates after it, the sources, and the predicates at the end."""
    rest = list(line.operands[1:])
    first: list[str] = []
    while rest and is_predicate(rest[0]):
        first.append(rest.pop(0))
    last: list[str] = []
    while rest and is_predicate(rest[-1]):
        last.insert(0, rest.pop())
    return line.operands[0], first, rest, last


def _predicate_in(names: Sequence[str]) -> tuple[str, Value | None] | None:
    """Return the predicate that a carry comes in through, or the carry itself where it is a constant.

    None where there are two: they add up to more than one bit holds.
    """
    real = [name for name in names if name not in ("!PT", "!UPT")]
    if not real:
        return "", FALSE
    if len(real) > 1:
        return None
    if real[0] in ("PT", "UPT"):
        return "", TRUE
    return ("", UNKNOWN) if real[0].startswith("!") else (real[0], None)


def _carry_out(names: Sequence[str]) -> str:
    real = [name for name in names if name not in ("PT", "UPT")]
    return real[0] if len(real) == 1 else ""


def _iadd3(line: Line) -> Meaning | None:
    if "64" in line.suffixes:
        return _iadd64(line)
    if set(line.suffixes) - {"X"}:
        return None
    destination, outs, sources, ins = _split(line)
    if len(sources) not in (2, 3):
        return None
    extended = "X" in line.suffixes
    if ins and not extended:
        return None
    operands = [operand(each) for each in sources]
    into = _predicate_in(ins) if extended else ("", FALSE)
    if into is None or (extended and any("-" in each.sign for each in operands)):
        return None
    carry_in, carry = into
    reads = [each.register for each in operands]
    # a + b + c has a carry of 0 to 2; it is one bit where one of the three is the zero register.
    zeros = [index for index, each in enumerate(operands) if each.register == ZERO and not each.sign]
    # Two minus signs add up to 2 where both numbers are 0.
    single = len(operands) - len(zeros[:1]) <= 2 and sum(each.sign == "-" for each in operands) < 2
    out = _carry_out(outs) if single else ""
    if carry is None:
        reads.append(UNKNOWN)
    writes = tuple(follows(destination, 1)) or ((NOWHERE,) if out else ())
    skipped = zeros[0] if single and zeros else None
    transfer = _adding(tuple(each.sign for each in operands), skipped, carry, bool(out))
    return Meaning(writes, tuple(reads), transfer, out, carry_in)


@lru_cache(4096)
def _adding(signs: tuple[str, ...], skipped: int | None, carry: Value | None, out: bool) -> Callable[..., object]:
    """Return what adds: ``skipped`` is an operand that is 0, ``carry`` None where the last value is the carry."""

    def transfer(*values: Value) -> object:
        last = values[len(signs)] if carry is None else carry
        total: Value = ZERO
        carried: Value = FALSE
        used = False
        for index, (sign, value) in enumerate(zip(signs, values, strict=False)):
            if index == skipped:
                continue
            extra: Value = FALSE
            if sign == "-":
                value, extra = known.cut(known.not_(value), WIDTH), TRUE
            elif sign == "~":
                value = known.cut(known.not_(value), WIDTH)
            elif sign:
                return (UNKNOWN, UNKNOWN) if out else UNKNOWN
            if extra == FALSE and not used:
                extra, used = last, True
            total, over = known.add(total, value, WIDTH, extra)
            carried = known.or_(carried, over)
        if not used:
            total, over = known.add(total, ZERO, WIDTH, last)
            carried = known.or_(carried, over)
        return (total, known.cut(carried, 1)) if out else total

    return transfer


def _iadd64(line: Line) -> Meaning | None:
    destination, _, sources, ins = _split(line)
    if ins or set(line.suffixes) != {"64"} or any(source[0] == "~" for source in sources):
        return None
    minus = [source[0] == "-" and "R" in source for source in sources]
    pairs = [_pair(source[1:] if negative else source) for source, negative in zip(sources, minus, strict=True)]
    writes = tuple(follows(destination, 2))
    return Meaning(writes, tuple(word for pair in pairs for word in pair), _adding64(tuple(minus)))


@lru_cache(64)
def _adding64(minus: tuple[bool, ...]) -> Callable[..., object]:
    def transfer(*values: Value) -> object:
        total: Value = known.const(0, 2 * WIDTH)
        for index, negative in enumerate(minus):
            each = known.join(values[2 * index], values[2 * index + 1], WIDTH)
            total = (known.subtract if negative else known.add)(total, each, 2 * WIDTH)[0]
        return known.field(total, 0, WIDTH), known.field(total, WIDTH, WIDTH)

    return transfer


def _viadd(line: Line) -> Meaning | None:
    if line.suffixes or len(line.operands) != 3:
        return None
    return _result(line, line.operands[1:], _sum)


def _sum(a: Value, b: Value) -> Value:
    return known.add(a, b, WIDTH)[0]


def names(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_MAD = {"", "U32", "MOV", "SHL", "IADD", "S32"}


def _imad(line: Line) -> Meaning | None:
    suffixes = set(line.suffixes)
    destination, _, sources, ins = _split(line)
    if "X" in suffixes and not suffixes - {"X"} - _MAD and len(sources) == 3:
        return _imad_x(destination, sources, ins)
    if len(sources) != 3 or ins or any(is_predicate(each) for each in line.operands[1:]):
        return None
    if "WIDE" in suffixes:
        # Whether a sign acts on a factor or on the product matters where the result is wider than the factors.
        if suffixes - {"WIDE", "U32"} or any(operand(each).sign for each in sources[:2]):
            return None
        return _imad_wide(destination, sources, "U32" not in suffixes)
    if suffixes - _MAD:
        return None
    return _result(line, sources, _mad)


def _imad_x(destination: str, sources: Sequence[str], ins: Sequence[str]) -> Meaning | None:
    """The high half of a 64-bit add, as ptxas writes it where it likes: a * b + c + carry."""
    into = _predicate_in(ins)
    operands = [operand(each) for each in sources]
    if into is None or any("-" in each.sign for each in operands):
        return None
    carry_in, carry = into
    reads = [each.register for each in operands]
    if carry is None:
        reads.append(UNKNOWN)
    return Meaning(tuple(follows(destination, 1)), tuple(reads), _with(operands, _mad_x(carry)), "", carry_in)


@lru_cache(64)
def _mad_x(carry: Value | None) -> Callable[..., object]:
    def transfer(*values: Value) -> Value:
        a, b, c = values[:3]
        return known.add(known.multiply(a, b, WIDTH), c, WIDTH, values[3] if carry is None else carry)[0]

    return transfer


def _mad(a: Value, b: Value, c: Value) -> Value:
    return known.add(known.multiply(a, b, WIDTH), c, WIDTH)[0]


def _imad_wide(destination: str, sources: Sequence[str], signed: bool) -> Meaning:
    operands = [operand(each) for each in sources[:2]]
    reads = (*(each.register for each in operands), *_pair(sources[2]))
    return Meaning(tuple(follows(destination, 2)), reads, _mad_wide_signed if signed else _mad_wide)


def _mad_wide(a: Value, b: Value, low: Value, high: Value, signed: bool = False) -> object:
    wide_a, wide_b = (known.extend(each, WIDTH, 2 * WIDTH, signed) for each in (a, b))
    product = known.multiply(wide_a, wide_b, 2 * WIDTH)
    total = known.add(product, known.join(low, high, WIDTH), 2 * WIDTH)[0]
    return known.field(total, 0, WIDTH), known.field(total, WIDTH, WIDTH)


def _mad_wide_signed(a: Value, b: Value, low: Value, high: Value) -> object:
    return _mad_wide(a, b, low, high, True)


def _lop3(line: Line) -> Meaning | None:
    operands = [each for each in line.operands if not is_predicate(each)]
    if line.suffixes != ("LUT",) or len(operands) != 5:
        return None
    table = int(operands[4], 0)
    sources = [operand(each) for each in operands[1:4]]
    if operands[3] in ("RZ", "URZ"):
        simple = _TWO.get(table)
        if simple is not None:
            two = [each.register for each in sources[:2]]
            return Meaning(tuple(follows(operands[0], 1)), tuple(two), _with(sources[:2], simple))
    reads = tuple(each.register for each in sources)
    return Meaning(tuple(follows(operands[0], 1)), reads, _with(sources, _logic(table)))


@lru_cache(256)
def _logic(table: int) -> Callable[..., object]:
    def transfer(a: Value, b: Value, c: Value) -> Value:
        return known.lop3(a, b, c, table, WIDTH)

    return transfer


_TWO: dict[int, Callable[[Value, Value], Value]] = {0xC0: known.and_, 0xFC: known.or_, 0x3C: known.xor}
"""The common functions of two operands, where the third is zero."""


def _shf(line: Line) -> Meaning | None:
    if len(line.operands) != 4 or not line.suffixes or line.suffixes[0] not in ("L", "R"):
        return None
    left = line.suffixes[0] == "L"
    kinds = set(line.suffixes[1:])
    high, wrap = "HI" in kinds, "W" in kinds
    kinds -= {"HI", "W"}
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind not in ("U32", "S32", "U64", "S64"):
        return None
    return _result(line, line.operands[1:], _shifting(left, high, wrap, kind[0] == "S", kind[1:] == "64"))


@lru_cache(64)
def _shifting(left: bool, high: bool, wrap: bool, signed: bool, wide: bool) -> Callable[..., object]:
    def transfer(low: Value, count: Value, top: Value) -> Value:
        if wide:
            return _shift_pair(low, top, count, left, high, signed, wrap)
        if wrap:
            if (left and high) or (not left and not high):
                return known.funnel(low, top, count, left=left, wrap=True)
            count = (count[0] & ones(5), count[1] & ones(5) | FULL & ~ones(5))
        elif (left and high) or (not left and not high):
            return known.funnel(low, top, count, left=left, wrap=False)
        if left:
            return known.shift(known.shl, low, count, WIDTH)
        return known.shift(known.sar if signed else known.shr, top, count, WIDTH)

    return transfer


def _shift_pair(low: Value, top: Value, count: Value, left: bool, high: bool, signed: bool, wrap: bool) -> Value:
    both = known.join(low, top, WIDTH)
    if wrap:
        count = (count[0] & ones(6), count[1] & ones(6) | FULL & ~ones(6))
    elif known.choices(count, WIDTH) is None or max(known.choices(count, WIDTH) or [0]) >= 2 * WIDTH:
        return UNKNOWN  # where the clamp of a 64-bit shift lies is not written down
    how = known.shl if left else known.sar if signed else known.shr
    shifted = known.shift(how, both, count, 2 * WIDTH)
    return known.field(shifted, WIDTH if high else 0, WIDTH)


def _lea(line: Line) -> Meaning | None:
    suffixes = set(line.suffixes)
    destination, outs, sources, ins = _split(line)
    extended = "X" in suffixes
    if suffixes - {"HI", "X", "SX32"} or (ins and not extended):
        return None
    high, sign_extended = "HI" in suffixes, "SX32" in suffixes
    if len(sources) != (4 if high and not sign_extended else 3):
        return None
    into = _predicate_in(ins) if extended else ("", FALSE)
    if into is None:
        return None
    carry_in, carry = into
    operands = [operand(each) for each in sources]
    # The sign of the first source acts after the shift: ~(a << n), then + 1 for a minus, which the carry counts, too.
    if operands[0].sign not in ("", "-") or (operands[0].sign and (high or outs or extended)):
        return None
    count = operands[-1].register
    if not isinstance(count, tuple) or count[1] != FULL or count[0] >= WIDTH:
        return None
    bits = count[0]
    out = _carry_out(outs)
    sign_b = operands[1].sign
    if sign_b not in ("", "-", "~") or (sign_b == "-" and (extended or out)):
        return None

    reads = [each.register for each in operands[:-1]]
    if carry is None:
        reads.append(UNKNOWN)
    writes = tuple(follows(destination, 1)) or ((NOWHERE,) if out else ())
    how = "sign" if sign_extended else "high" if high else ""
    transfer = _scaling(how, bits, bool(operands[0].sign), sign_b, carry, bool(out))
    return Meaning(writes, tuple(reads), transfer, out, carry_in)


@lru_cache(4096)
def _scaling(how: str, bits: int, negated: bool, sign_b: str, carry: Value | None, out: bool) -> Callable[..., object]:
    """Return what shifts and adds; ``how`` tells what of the shifted value is added: the sign, or the upper half."""

    def transfer(*values: Value) -> object:
        a, b = values[0], values[1]
        if negated:
            a = known.negate(a, WIDTH)
        if sign_b:
            b = known.negate(b, WIDTH) if sign_b == "-" else known.cut(known.not_(b), WIDTH)
        if how == "sign":
            a = known.sar(a, WIDTH - bits, WIDTH)
        elif how:
            both = known.join(a, values[2], WIDTH)
            a = known.field(known.shl(both, bits, 2 * WIDTH), WIDTH, WIDTH)
        else:
            a = known.shl(a, bits, WIDTH)
        total, over = known.add(a, b, WIDTH, values[-1] if carry is None else carry)
        return (total, over) if out else total

    return transfer


def _sel(line: Line) -> Meaning | None:
    if line.suffixes or len(line.operands) != 4:
        return None
    chosen = {"PT": 1, "UPT": 1, "!PT": 2, "!UPT": 2}.get(line.operands[3])
    if chosen:
        return _result(line, line.operands[chosen : chosen + 1], _same)
    either = _result(line, line.operands[1:3], _either)
    signed = any(operand(each).sign for each in line.operands[1:3])
    return either if signed else either._replace(selects=line.operands[3])


def _prmt(line: Line) -> Meaning | None:
    if line.suffixes or len(line.operands) != 4:
        return None
    a, selector, b = line.operands[1:]
    return _result(line, (a, b, selector), known.permute)


def _sgxt(line: Line) -> Meaning | None:
    if set(line.suffixes) - {"U32"} or len(line.operands) != 3:
        return None
    return _result(line, line.operands[1:], _extending("U32" not in line.suffixes))


@lru_cache(2)
def _extending(signed: bool) -> Callable[..., object]:
    def transfer(a: Value, count: Value) -> Value:
        numbers = known.choices(count, WIDTH)
        if numbers is None or min(numbers) < 1:
            return UNKNOWN
        return known.meet_all([known.extend(a, min(number, WIDTH), WIDTH, signed) for number in numbers])

    return transfer


def _r2ur(line: Line) -> Meaning | None:
    if set(line.suffixes) - {"FILL", "BROADCAST"} or len(line.operands) != 2:
        return None
    return _result(line, line.operands[1:], _same)


_SPECIAL = {"SR_TID.X": 1023, "SR_TID.Y": 1023, "SR_TID.Z": 63, "SR_LANEID": 31}
"""The largest value of special registers (CUDA programming guide, compute capabilities)."""


def _special(line: Line) -> Meaning | None:
    if len(line.operands) != 2:
        return None
    largest = _SPECIAL.get(line.operands[1])
    if largest is None:
        return None
    return _constant(line, known.at_most(largest, WIDTH))


def _constant(line: Line, value: Value) -> Meaning:
    return Meaning(tuple(follows(line.operands[0], 1)), (), _giving(value))


@lru_cache(4096)
def _giving(value: object) -> Callable[..., object]:
    return lambda: value


def _cs2r(line: Line) -> Meaning | None:
    if len(line.operands) != 2 or line.operands[1] != "SRZ" or set(line.suffixes) - {"32"}:
        return None
    if "32" in line.suffixes:
        return _constant(line, ZERO)
    return Meaning(tuple(follows(line.operands[0], 2)), (), _giving((ZERO, ZERO)))


def _shfl(line: Line) -> Meaning | None:
    """A value of another lane: what is known of the source is known of every lane that takes part."""
    found = [each for each in line.operands if register(each)]
    if len(found) < 2 or not is_predicate(line.operands[0]):
        return None
    return Meaning(tuple(follows(line.operands[1], 1)), (operand(line.operands[2]).register,), _same)


def _load(line: Line) -> Meaning | None:
    """A narrow load clears what it does not fill."""
    limit = {"U8": 255, "U16": 65535}
    for suffix in line.suffixes:
        if suffix in limit and register(line.operands[0]):
            return _constant(line, known.at_most(limit[suffix], WIDTH))
    return None


def _hfma2(line: Line) -> Meaning | None:
    """ptxas moves constants with it: -0 * 0 + a pair of halves."""
    if set(line.suffixes) - {"MMA"} or len(line.operands) != 5 or line.operands[1:3] != ("-RZ", "RZ"):
        return None
    try:
        high, low = (struct.unpack("<H", struct.pack("<e", float(each)))[0] for each in line.operands[3:])
    except (ValueError, OverflowError, struct.error):
        return None
    if _NEGATIVE_ZERO in (high, low):
        return None
    return _constant(line, known.join((low, FULL), (high, FULL), 16))


_NEGATIVE_ZERO = 0x8000


def _minmax(line: Line) -> Meaning | None:
    if set(line.suffixes) - {"U32", "S32"} or len(line.operands) != 4:
        return None
    return _result(line, line.operands[1:3], _either)


_EXACT: dict[str, Callable[[Line], Meaning | None]] = {
    "MOV": _mov,
    "UMOV": _mov,
    "IADD3": _iadd3,
    "UIADD3": _iadd3,
    "IADD": _iadd3,
    "VIADD": _viadd,
    "UVIADD": _viadd,
    "IMAD": _imad,
    "UIMAD": _imad,
    "LOP3": _lop3,
    "ULOP3": _lop3,
    "SHF": _shf,
    "USHF": _shf,
    "LEA": _lea,
    "ULEA": _lea,
    "SEL": _sel,
    "USEL": _sel,
    "PRMT": _prmt,
    "UPRMT": _prmt,
    "SGXT": _sgxt,
    "USGXT": _sgxt,
    "R2UR": _r2ur,
    "S2R": _special,
    "S2UR": _special,
    "CS2R": _cs2r,
    "SHFL": _shfl,
    "HFMA2": _hfma2,
    "VIMNMX": _minmax,
    "UVIMNMX": _minmax,
    "IMNMX": _minmax,
    "UIMNMX": _minmax,
    **dict.fromkeys(("LDG", "LDS", "LD", "LDC", "ULDC", "LDCU", "LDL"), _load),
}

_PREDICATES_ONLY = names(
    "ISETP UISETP FSETP UFSETP DSETP HSETP2 PSETP PLOP3 UPLOP3 R2P UR2UP ISETP3 CSETP VSETP FCHK UP2P"
)
_NOTHING = names(
    "NOP BAR DEPBAR MEMBAR ERRBAR CCTL CCTLL CCTLT FENCE CGAERRBAR UCGABAR_ARV UCGABAR_WAIT WARPGROUP "
    "WARPSYNC WARPGROUPSET USETMAXREG USETSHMSZ NANOSLEEP YIELD STG STS STL ST STT STTM STAS STSM RED REDG "
    "REDAS UBLKCP UBLKRED UBLKPF UTMALDG UTMASTG UTMAREDG UTMAPF UTMALST UTMACCTL UTMACMDFLUSH UTMAREDL "
    "ARRIVES LDGDEPBAR LDGSTS ACQBULK PREEXIT ENDCOLLECTIVE UTCBAR UTCCP UTCSHIFT UTCHMMA UTCQMMA UTCIMMA "
    "UTCOMMA UTCMXQMMA UVIRTCOUNT PMTRIG UCCTL UTCSTSWS BPT BREAK SETCTAID SETLMEMBASE"
)
"""Instructions that write no register of either file."""
_PAIRS = names("DADD DMUL DFMA DMNMX CS2UR GETLMEMBASE CS2R LEPC IMUL64 FADD2 FMUL2 FFMA2 I2I64 UI2I64 B2R")
_WIDE_RESULT = 128
"""The most registers that one instruction writes (the accumulators of m64n256, a load of 128 TMEM columns)."""
_WIDTHS = {
    "HMMA": 4,
    "IMMA": 8,
    "BMMA": 8,
    "DMMA": 8,
    "QMMA": 8,
    "OMMA": 8,
    "LDTM": _WIDE_RESULT,
    "LDT": _WIDE_RESULT,
    "LDSM": 4,
    "MOVM": 1,
}
_ONE = names(
    "FADD FMUL FFMA FMNMX FMNMX3 FSEL FSET FRND MUFU FSWZADD HADD2 HMUL2 HFMA2 HMNMX2 HSET2 F2F F2FP F2I F2IP "
    "I2F I2FP I2I I2IP IABS POPC FLO BREV BMSK IDP IDP4A IDP2A VABSDIFF VABSDIFF4 ISCADD IMAD IADD3 LOP3 SHF "
    "LEA SEL PRMT SGXT MOV S2R P2R IMNMX VIMNMX VIMNMX3 VIADDMNMX VIADD R2UR S2UR UMOV UIADD3 UIMAD ULOP3 "
    "USHF ULEA USEL UPRMT USGXT UIABS UPOPC UFLO UBREV UBMSK UP2UR VOTEU VOTE ELECT REDUX CREDUX MATCH SHFL "
    "VHMNMX UVIMNMX UIMNMX UVIADD UF2FP UF2F UF2I UI2F UI2FP UFADD UFMUL UFFMA UFMNMX UFSEL UFRND IADD CS2UR "
    "QSPC SYNCS LDG LDS LD LDL LDC ULDC LDCU ATOM ATOMG ATOMS ATOMAS UTCATOMSWS UATOMSWS I2FP VIMNMX3 HMNMX2 "
    "DPX BREV LDTRAM BMOV UVIMNMX3 UVIADDMNMX HSEL2 HADD2_32I F2FP2"
)
"""Instructions known to write one register, or as many as a suffix of theirs says."""


def _suffix_width(line: Line) -> int:
    suffixes = line.suffixes
    if line.name in ("SHF", "USHF"):
        return 1  # of 64 bits it leaves one half
    if "256" in suffixes or "ENL2" in suffixes:
        return 8
    if "128" in suffixes:
        return 4
    if any("64" in suffix for suffix in suffixes) or "WIDE" in suffixes:
        return 2
    if any(suffix in ("S64", "U64", "F64", "X2", "x2") for suffix in suffixes):
        return 2
    return 1


def one_result(line: Line) -> bool:
    """Whether the name tells that nothing but the first operand, predicates aside, is written."""
    return line.name in KNOWN and "ENL2" not in line.suffixes


@lru_cache(256)
def written(line: Line) -> tuple[str, ...]:
    """Return every register that a line may write, as far as its name and its operands tell.

    An instruction of an unknown name may write any register that it names, and those after it.
    """
    name = line.name
    if name in _NOTHING or name in _PREDICATES_ONLY:
        return ()
    width = _WIDTHS.get(name)
    if width is None:
        if name in _WGMMA:
            return tuple(follows(line.operands[0], _accumulators(line))) if line.operands else ()
        if name in _PAIRS:
            width = 2
        elif name in _ONE:
            width = _suffix_width(line)
        else:
            named = _ANY_REGISTER.findall(" ".join(line.operands))
            return tuple(each for text in named for each in follows(text, _WIDE_RESULT))
    plain = []
    for index, text in enumerate(line.operands):
        if is_predicate(text):
            continue
        if register(text) is None:
            break
        plain.append(text)
        if not any(_is_memory(each) for each in line.operands[index + 1 :]):
            break
    return tuple(each for text in plain for each in follows(text, width))


def _is_memory(text: str) -> bool:
    return text.startswith(("[", "desc[", "gdesc["))


_WGMMA = names("HGMMA QGMMA IGMMA BGMMA")
KNOWN = _ONE | _PAIRS | _NOTHING | _PREDICATES_ONLY | _WGMMA | frozenset(_WIDTHS)
"""Instructions of which the name tells what they write."""
HARMLESS = (
    _ONE | _PAIRS | _PREDICATES_ONLY | _WGMMA | frozenset(_WIDTHS) | names("NOP BPT BREAK BRA BSSY BSYNC EXIT")
) - (names("SYNCS ATOM ATOMG ATOMS ATOMAS UTCATOMSWS UATOMSWS MATCH"))
"""Instructions that write no memory and are no place where threads wait for each other."""
_SHAPE = re.compile(r"64x(\d{1,3})x\d{1,3}$")


def _accumulators(line: Line) -> int:
    """Return how many registers hold D: 64 x N elements in 128 threads."""
    n = next((int(found[1]) for each in line.suffixes if (found := _SHAPE.match(each))), 2 * _WIDE_RESULT)
    return n // 4 if "F16" in line.suffixes else n // 2


_ANY_REGISTER = re.compile(r"\bU?R\d{1,3}\b")


def meaning(line: Line) -> Meaning:
    """Return what ``line`` writes and, where that is known, how it follows from what it reads."""
    if line.guard in ("@!PT", "@!UPT"):
        return Meaning(())
    exact = _EXACT.get(line.name)
    if exact is not None and line.operands:
        try:
            found = exact(line)
        except (ValueError, IndexError):
            found = None  # a damaged line: it may have been any instruction of that name
        if found is not None:
            return found
    return Meaning(written(line))
