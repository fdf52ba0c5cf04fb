"""What an instruction makes of known bits.

:func:`meaning` returns what a line writes and how; where it knows the instruction only by name, or not at
all, it says that what may be written is not known. Semantics are those of the CUDA binary utilities'
instruction list, measured on hardware where that list says nothing.

What two lines do alike is one function, whatever registers they name: what was found out about it once
(:mod:`smemdesc.scanning.provenance`) need not be found out again.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import ir, known
from smemdesc.scanning.ir import IN, Node, Results, results
from smemdesc.scanning.known import FALSE, TRUE, UNKNOWN
from smemdesc.scanning.ranges import Value
from smemdesc.scanning.sass.text import NOT_READ, OFF, WIDTH, ZERO, Line, follows, is_predicate, operand, register

FULL = ones(WIDTH)


NOWHERE = "-"
"""Stands for the zero register where a result is thrown away and only its carry is kept."""


class Lowering(NamedTuple):
    """What a line does. ``transfer`` as in :class:`smemdesc.scanning.blocks.Step`; ``carry_out`` and ``carry_in`` name
    the predicates through which a carry leaves and comes in (the carry is the last value that ``transfer`` returns,
    and the last that it takes)."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Node | Results | None = None
    carry_out: str = ""
    carry_in: str = ""
    selects: str = ""
    """The predicate by which one of the two reads is taken."""


def _signed(text: str, place: int) -> tuple[object, Node]:
    """Return what an operand reads, and as the input of that number with its sign."""
    read = operand(text)
    node = IN[place]
    for sign in reversed(read.sign):
        node = (ir.NEGATE if sign == "-" else ir.NOT)(node, WIDTH)
    return read.register, node


def _result(line: Line, sources: Sequence[str], make: Callable[..., Node]) -> Lowering:
    """A line with one register to write and plain sources, as many as ``make`` takes."""
    read = [_signed(each, place) for place, each in enumerate(sources)]
    return Lowering(_to(line), tuple([each for each, _ in read]), make(*[node for _, node in read]))


def _to(line: Line, count: int = 1) -> tuple[str, ...]:
    return tuple(follows(line.operands[0], count))


def _same(a: Node) -> Node:
    return ir.CUT(a, WIDTH)


def _sum(a: Node, b: Node) -> Node:
    return ir.ADD(a, b, FALSE, WIDTH)


def _either(a: Node, b: Node) -> Node:
    return ir.EITHER(a, b, WIDTH)


def _mad(a: Node, b: Node, c: Node, carry: Any = FALSE) -> Node:
    return ir.ADD(ir.MULTIPLY(a, b, WIDTH), c, carry, WIDTH)


def _words(wide: Node) -> Node | Results:
    """Return the two words of 64 bits."""
    return results(ir.FIELD(wide, 0, WIDTH), ir.FIELD(wide, WIDTH, WIDTH))


def _mov(line: Line) -> Lowering | None:
    if "64" in line.suffixes:
        if len(line.operands) != 2:
            return None
        return Lowering(_to(line, 2), _pair(line.operands[1]), results(_same(IN[0]), _same(IN[1])))
    if len(line.operands) not in (2, 3) or line.operands[2:] not in ((), ("0xf",)):
        return None
    return _result(line, line.operands[1:2], _same)


def _pair(text: str) -> tuple[object, ...]:
    """Return the two words of a 64-bit source, low first."""
    names = follows(text, 2)
    if names:
        return tuple(names)
    read = operand(text)
    if read.sign or read is NOT_READ or not isinstance(read.register, tuple) or read.register[1] != FULL:
        return UNKNOWN, UNKNOWN
    number = int(text, 0) if text not in ("RZ", "URZ") else 0
    # How an immediate with bit 31 set is widened depends on the instruction.
    high = UNKNOWN if WIDTH - 1 < number.bit_length() <= WIDTH else known.const(number >> WIDTH, WIDTH)
    return known.const(number, WIDTH), high


class _Split(NamedTuple):
    """The operands of a line: the destination, the predicates after it, the sources, the predicates at the end."""

    destination: str
    outs: list[str]
    sources: list[str]
    ins: list[str]

    @property
    def out(self) -> str:
        """The predicate through which a carry leaves."""
        real = [name for name in self.outs if name not in ("PT", "UPT")]
        return real[0] if len(real) == 1 else ""

    def carry(self, place: int) -> tuple[str, tuple[Value, ...], Any] | None:
        """Return the predicate that a carry comes in through, what is read for it, and the carry.

        None where there are two: they add up to more than one bit holds.
        """
        real = [name for name in self.ins if name not in ("!PT", "!UPT")]
        if not real:
            return "", (), FALSE
        if len(real) > 1:
            return None
        if real[0] in ("PT", "UPT"):
            return "", (), TRUE
        return ("", (), UNKNOWN) if real[0].startswith("!") else (real[0], (UNKNOWN,), IN[place])


def _split(line: Line) -> _Split:
    rest = list(line.operands[1:])
    first: list[str] = []
    while rest and is_predicate(rest[0]):
        first.append(rest.pop(0))
    last: list[str] = []
    while rest and is_predicate(rest[-1]):
        last.insert(0, rest.pop())
    return _Split(line.operands[0], first, rest, last)


def _iadd3(line: Line) -> Lowering | None:
    parts = _split(line)
    if set(line.suffixes) == {"64"}:
        return _iadd64(line, parts)
    extended = "X" in line.suffixes
    if set(line.suffixes) - {"X"} or len(parts.sources) not in (2, 3) or (parts.ins and not extended):
        return None
    operands = [operand(each) for each in parts.sources]
    signs = [each.sign for each in operands]
    into = parts.carry(len(operands))
    if into is None or (extended and any("-" in each for each in signs)):
        return None
    carry_in, more, carry = into
    reads = (*[each.register for each in operands], *more)
    # a + b + c has a carry of 0 to 2; it is one bit where one of the three is the zero register.
    zeros = [place for place, each in enumerate(operands) if each.register == ZERO and not each.sign]
    # Two minus signs add up to 2 where both numbers are 0.
    single = len(operands) - len(zeros[:1]) <= 2 and signs.count("-") < 2
    out = parts.out if single else ""
    writes = _to(line) or ((NOWHERE,) if out else ())
    if any(len(each) > 1 for each in signs):
        return Lowering(writes, reads, results(*[ir.GIVEN(UNKNOWN)] * (1 + bool(out))), out, carry_in)
    terms = [place for place in range(len(operands)) if place not in zeros[:1] or not single]
    terms.sort(key=lambda place: signs[place] == "-")
    first, *others = terms
    total: Any = ir.NOT(IN[first], WIDTH) if signs[first] == "~" else IN[first]
    if signs[first] == "-":
        total, others = ZERO, terms
    added: tuple[Any, ...] = (total, ZERO, carry, WIDTH)
    for number, place in enumerate(others):
        minus = signs[place] == "-"
        term = ir.NOT(IN[place], WIDTH) if signs[place] == "~" else IN[place]
        added = (total, term, TRUE if minus else FALSE if number else carry, WIDTH, *([True] if minus else []))
        total = ir.ADD(*added)
    return Lowering(writes, reads, results(ir.ADD(*added), *([ir.CARRY(*added)] if out else [])), out, carry_in)


def _iadd64(line: Line, parts: _Split) -> Lowering | None:
    if parts.ins or any(source[0] == "~" for source in parts.sources):
        return None
    total: Any = known.const(0, 2 * WIDTH)
    reads: list[object] = []
    for place, source in enumerate(parts.sources):
        minus = source[0] == "-" and "R" in source
        reads += _pair(source[minus:])
        each = ir.CONCAT(IN[2 * place], IN[2 * place + 1], WIDTH)
        total = ir.ADD(total, each, TRUE if minus else FALSE, 2 * WIDTH, minus)
    return Lowering(_to(line, 2), tuple(reads), _words(total))


def names(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_MAD = {"U32", "MOV", "SHL", "IADD", "S32"}


def _imad(line: Line) -> Lowering | None:
    suffixes = set(line.suffixes)
    parts = _split(line)
    extended, wide = "X" in suffixes, "WIDE" in suffixes
    if len(parts.sources) != 3 or ((parts.outs or parts.ins) and not extended) or (extended and wide):
        return None
    signs = [operand(each).sign for each in parts.sources]
    if wide:
        # Whether a sign acts on a factor or on the product matters where the result is wider than the factors.
        if suffixes - {"WIDE", "U32"} or any(signs[:2]):
            return None
        reads = (*[operand(each).register for each in parts.sources[:2]], *_pair(parts.sources[2]))
        a, b = (ir.EXTEND(IN[place], WIDTH, 2 * WIDTH, "U32" not in suffixes) for place in (0, 1))
        product = ir.MULTIPLY(a, b, 2 * WIDTH)
        return Lowering(_to(line, 2), reads, _words(ir.ADD(product, ir.CONCAT(IN[2], IN[3], WIDTH), FALSE, 2 * WIDTH)))
    into = parts.carry(3)
    # With X it is the high half of a 64-bit add, as ptxas writes it where it likes: a * b + c + carry.
    if suffixes - {"X"} - _MAD or into is None or (extended and any("-" in each for each in signs)):
        return None
    carry_in, more, carry = into
    made = _result(line, parts.sources, lambda a, b, c: _mad(a, b, c, carry))
    return made._replace(reads=(*made.reads, *more), carry_in=carry_in)


def _lop3(line: Line) -> Lowering | None:
    operands = [each for each in line.operands if not is_predicate(each)]
    if line.suffixes != ("LUT",) or len(operands) != 5:
        return None
    table = int(operands[4], 0)
    row = _TWO.get(table) if operands[3] in ("RZ", "URZ") else None
    line = line._replace(operands=tuple(operands))
    if row is not None:
        return _result(line, operands[1:3], lambda a, b: row(a, b, WIDTH))
    return _result(line, operands[1:4], lambda a, b, c: ir.LOP3(a, b, c, table, WIDTH))


_TWO = {0xC0: ir.AND, 0xFC: ir.OR, 0x3C: ir.XOR}
"""The common functions of two operands, where the third is zero."""


def _shf(line: Line) -> Lowering | None:
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
            # Where the clamp of a 64-bit shift lies is not written down.
            both = how(ir.CONCAT(low, top, WIDTH), count, 2 * WIDTH, 6 if wrap else WIDTH, wrap)
            return ir.FIELD(both, WIDTH if high else 0, WIDTH)
        if left == high:
            return ir.FUNNEL(low, top, count, WIDTH, left, wrap)
        return how(low if left else top, count, WIDTH, 5 if wrap else WIDTH)

    return _result(line, line.operands[1:], shifted)


def _lea(line: Line) -> Lowering | None:
    suffixes = set(line.suffixes)
    parts = _split(line)
    extended, high, sign_extended = "X" in suffixes, "HI" in suffixes, "SX32" in suffixes
    if suffixes - {"HI", "X", "SX32"} or (parts.ins and not extended):
        return None
    if len(parts.sources) != (4 if high and not sign_extended else 3):
        return None
    *sources, last = [operand(each) for each in parts.sources]
    into = parts.carry(len(sources))
    if into is None or not isinstance(last.register, tuple) or last.register[1] != FULL or last.register[0] >= WIDTH:
        return None
    carry_in, more, carry = into
    out, bits = parts.out, last.register[0]
    # The sign of the first source acts after the shift: ~(a << n), then + 1 for a minus, which the carry counts, too.
    if sources[0].sign not in ("", "-") or (sources[0].sign and (high or parts.outs or extended)):
        return None
    if sources[1].sign not in ("", "-", "~") or (sources[1].sign == "-" and (extended or out)):
        return None
    read = [_signed(each, place) for place, each in enumerate(parts.sources[:-1])]
    a, b = (node for _, node in read[:2])
    if sign_extended:
        a = ir.SAR(a, known.const(WIDTH - bits, WIDTH), WIDTH)
    elif high:
        a = ir.FIELD(ir.CONCAT(a, IN[2], WIDTH), WIDTH - bits, WIDTH)
    else:
        a = ir.SHL(a, known.const(bits, WIDTH), WIDTH)
    added = (a, b, carry, WIDTH)
    reads = (*[each for each, _ in read], *more)
    writes = _to(line) or ((NOWHERE,) if out else ())
    return Lowering(writes, reads, results(ir.ADD(*added), *([ir.CARRY(*added)] if out else [])), out, carry_in)


def _sel(line: Line) -> Lowering | None:
    if line.suffixes or len(line.operands) != 4:
        return None
    chosen = {"PT": 1, "UPT": 1, "!PT": 2, "!UPT": 2}.get(line.operands[3])
    if chosen:
        return _result(line, line.operands[chosen : chosen + 1], _same)
    either = _result(line, line.operands[1:3], _either)
    signed = any(operand(each).sign for each in line.operands[1:3])
    return either if signed else either._replace(selects=line.operands[3])


def _sgxt(line: Line) -> Lowering | None:
    if set(line.suffixes) - {"U32"} or len(line.operands) != 3:
        return None
    signed = "U32" not in line.suffixes
    low = known.const(0, WIDTH)
    # What becomes of a field of no bits is not written down.
    return _result(line, line.operands[1:], lambda a, count: ir.EXTRACT(a, low, count, WIDTH, signed, WIDTH, 1))


_SPECIAL = {"SR_TID.X": 1023, "SR_TID.Y": 1023, "SR_TID.Z": 63, "SR_LANEID": 31}
"""The largest value of special registers (CUDA programming guide, compute capabilities)."""


def _special(line: Line) -> Lowering | None:
    if len(line.operands) != 2:
        return None
    largest = _SPECIAL.get(line.operands[1])
    if largest is None:
        return None
    return _constant(line, known.at_most(largest, WIDTH))


def _constant(line: Line, *values: Value) -> Lowering:
    return Lowering(_to(line, len(values)), (), results(*[ir.GIVEN(value) for value in values]))


def _cs2r(line: Line) -> Lowering | None:
    if len(line.operands) != 2 or line.operands[1] != "SRZ" or set(line.suffixes) - {"32"}:
        return None
    return _constant(line, *[ZERO] * (1 if "32" in line.suffixes else 2))


def _shfl(line: Line) -> Lowering | None:
    """A value of another lane: what is known of the source is known of every lane that takes part."""
    found = [each for each in line.operands if register(each)]
    if len(found) < 2 or not is_predicate(line.operands[0]):
        return None
    return Lowering(tuple(follows(line.operands[1], 1)), (operand(line.operands[2]).register,), _same(IN[0]))


def _load(line: Line) -> Lowering | None:
    """A narrow load clears what it does not fill."""
    limit = {"U8": 255, "U16": 65535}
    for suffix in line.suffixes:
        if suffix in limit and register(line.operands[0]):
            return _constant(line, known.at_most(limit[suffix], WIDTH))
    return None


def _hfma2(line: Line) -> Lowering | None:
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


class _Plain(NamedTuple):
    """An instruction as an operation of some of its operands."""

    suffixes: str
    """Those that change nothing of it."""
    operands: int
    sources: tuple[int, ...]
    """The places of the operands that are read."""
    make: Callable[..., Node]

    def __call__(self, line: Line) -> Lowering | None:
        if len(line.operands) != self.operands or not names(self.suffixes).issuperset(line.suffixes):
            return None
        return _result(line, [line.operands[place] for place in self.sources], self.make)


_EXACT: dict[str, _Plain | Callable[[Line], Lowering | None]] = {
    "VIADD": _Plain("", 3, (1, 2), _sum),
    "PRMT": _Plain("", 4, (1, 3, 2), ir.PERMUTE),
    "R2UR": _Plain("FILL BROADCAST", 2, (1,), _same),
    **dict.fromkeys(("VIMNMX", "IMNMX"), _Plain("U32 S32", 4, (1, 2), _either)),
    "MOV": _mov,
    "IADD3": _iadd3,
    "IADD": _iadd3,
    "IMAD": _imad,
    "LOP3": _lop3,
    "SHF": _shf,
    "LEA": _lea,
    "SEL": _sel,
    "SGXT": _sgxt,
    "S2R": _special,
    "S2UR": _special,
    "CS2R": _cs2r,
    "SHFL": _shfl,
    "HFMA2": _hfma2,
    **dict.fromkeys(("LDG", "LDS", "LD", "LDC", "LDCU", "LDL"), _load),
}
"""What lines make of what they read, by their names without the U of those on uniform registers."""
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


def lower(line: Line) -> Lowering:
    """Return what ``line`` writes and, where that is known, how it follows from what it reads."""
    if line.guard in OFF:
        return Lowering(())
    exact = _EXACT.get(line.name.removeprefix("U"))
    if exact is not None and line.operands:
        try:
            found = exact(line)
        except (ValueError, IndexError):
            found = None  # a damaged line: it may have been any instruction of that name
        if found is not None:
            return found
    return Lowering(written(line))
