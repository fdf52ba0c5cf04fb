"""What an instruction of PTX makes of known bits.

:func:`meaning` returns what a line writes and how; where it knows the instruction only by name, or not at all,
it says that what may be written is not known. Semantics are those of the PTX ISA manual, section 9.7.

A value may claim bits above the width of its register (a narrow load clears all of them, whatever the register's
width is): whoever reads a register cuts it to the width that its instruction reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from smemdesc.engine.fields import ones
from smemdesc.scanning import known, ranges
from smemdesc.scanning.known import BIT, FALSE, UNKNOWN, Value
from smemdesc.scanning.ptx.text import NAME, SPECIAL, Line, Scope, added, elements, number

WIDEST = 64
"""Bits up to which a widened value is claimed."""
CARRY = "CC.CF"
"""The carry bit: a name that no register has."""
WINDOW = 24
"""The low bits of an address in shared memory that no change of its space touches: what the hardware puts above
them is the number of the block in its cluster, and the window of generic addresses."""


class Role:
    """What the name of an instruction tells."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


FIRST = Role("writes its first operand")
ALL = Role("not known: may write all that it names")
BRANCH = Role("branches")
CALL = Role("calls")
MMA = Role("reads descriptors")
PREDICATES = Role("writes predicates only")
LOAD = Role("loads from local memory or any")
STORE = Role("stores to local memory or any")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BRANCHES = _names("bra brx ret exit trap")
_NOTHING = _names(
    "bar barrier membar fence red prefetch prefetchu nanosleep discard applypriority griddepcontrol setmaxnreg "
    "stmatrix brkpt pmevent nop sust sured stackrestore"
)
"""Instructions that write no register."""
_COMPARING = _names("setp testp isspacep")
_NOTHING_BY_START = (
    "wgmma.fence",
    "wgmma.commit_group",
    "wgmma.wait_group",
    "cp.async",
    "cp.reduce",
    "mbarrier.init",
    "mbarrier.inval",
    "mbarrier.expect_tx",
    "mbarrier.complete_tx",
    "tensormap.",
    "tcgen05.alloc",
    "tcgen05.dealloc",
    "tcgen05.relinquish_alloc_permit",
    "tcgen05.st",
    "tcgen05.wait",
    "tcgen05.fence",
    "tcgen05.commit",
    "tcgen05.shift",
    "multimem.st",
    "multimem.red",
    "multimem.cp",
    "wmma.store",
    "clusterlaunchcontrol.try_cancel",
    "st.async",
    "st.bulk",
    "red.async",
)
_PREDICATES_BY_START = (
    "mbarrier.test_wait",
    "mbarrier.try_wait",
    "clusterlaunchcontrol.query_cancel.is_canceled",
)
_ONE = _names(
    "abs activemask add addc alloca and atom bfe bfi bfind bmsk brev clz cnot copysign cos createpolicy cvt cvta "
    "div dp2a dp4a elect ex2 fma fns getctarank ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max min mma mov "
    "movmatrix mul mul24 neg not or popc prmt rcp redux rem rsqrt sad selp set shf shfl shl shr sin slct sqrt "
    "stacksave sub subc suld szext tanh tex tld4 txq suq vote xor istypep vadd vsub vabsdiff vmin vmax vshl vshr "
    "vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4 ld"
)
_ONE_BY_START = (
    "wmma.",
    "mbarrier.",
    "tcgen05.ld",
    "multimem.ld_reduce",
    "clusterlaunchcontrol.query_cancel",
)
_MMAS = ("wgmma.mma_async.", "tcgen05.mma.", "tcgen05.cp.")
_SPACES = _names("global shared const param local")


@lru_cache(maxsize=20_000)
def role(mnemonic: str) -> Role | None:
    """Judge an instruction by its name; None: it writes nothing that matters."""
    if mnemonic.startswith(_MMAS):
        return MMA
    name = mnemonic.partition(".")[0]
    if name in _BRANCHES:
        return BRANCH
    if name == "call":
        return CALL
    if name in ("bar", "barrier") and ".red" in mnemonic:
        return PREDICATES if mnemonic.endswith(".pred") else FIRST
    if mnemonic.startswith(_PREDICATES_BY_START) or name in _COMPARING:
        return PREDICATES
    if mnemonic.startswith(_NOTHING_BY_START) or name in _NOTHING:
        return None
    if name in ("ld", "st"):
        spaces = _SPACES.intersection(mnemonic.replace("::", ".").split("."))
        if name == "st":
            return None if spaces - {"local"} else STORE
        return FIRST if spaces - {"local"} else LOAD
    if mnemonic.endswith(".pred") and name in ("mov", "and", "or", "xor", "not", "vote", "redux"):
        return PREDICATES
    if name in _ONE or mnemonic.startswith(_ONE_BY_START):
        return FIRST
    return ALL


def first_operands(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the registers of the first operand, and of those after it where an address comes later."""
    before, opened, _ = text.partition("[")
    if not opened:
        text = text.lstrip()
        before = text.partition("}")[0] if text[:1] == "{" else text.partition(",")[0]
    return tuple([scope.register(each) for each in NAME.findall(before) if each != "_"])


def named(text: str, scope: Scope) -> tuple[str, ...]:
    """Return every register that a text may name."""
    return tuple({scope.register(each) for each in NAME.findall(text)})


def returned(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the registers that a call writes: those in the parentheses before the name of the function."""
    text = text.lstrip()
    if text[:1] != "(":
        return (CARRY,)
    return (CARRY, *named(text.partition(")")[0], scope))


class Meaning(NamedTuple):
    """What a line does; ``transfer`` as in :class:`smemdesc.scanning.flow.Step`."""

    writes: tuple[str, ...]
    reads: tuple[object, ...] = ()
    transfer: Callable[..., object] | None = None
    selects: str = ""
    """The predicate by which one of the two reads is taken, of ``width`` bits."""
    width: int = 0


def source(text: str, width: int, scope: Scope) -> object:
    """Return the register that an operand names, or what is known of it: a pair, for a constant wholly known."""
    if text[:1] in "0123456789-~":
        value = number(text)
        return UNKNOWN if value is None else known.const(value, width)
    name = text
    if not NAME.fullmatch(name):
        if text in SPECIAL:
            return known.at_most(SPECIAL[text], width)
        found = added(text)
        if found is None or not found[1] or not NAME.fullmatch(found[0]):
            return UNKNOWN
        align = scope.alignment(found[0])
        return UNKNOWN if align is None else known.add(_aligned(align), known.const(found[1], width), width)[0]
    align = scope.alignment(name)
    if align is not None:
        return _aligned(align)
    if name in SPECIAL and not scope.declared(name):
        return known.at_most(SPECIAL[name], width)
    if name == "WARP_SZ":
        return known.const(_WARP, width)
    return scope.register(name)


_WARP = 32


def _aligned(align: int) -> Value:
    return 0, align - 1


def _target(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the register that is written: of ``%r1|%p1`` the first, none for ``_``."""
    name = text.partition("|")[0].strip()
    return (scope.register(name),) if NAME.fullmatch(name) and name != "_" else ()


_TYPE = re.compile(r"([usb])(8|16|32|64|128)$")


def _integer(line: Line, allowed: Sequence[str] = ()) -> tuple[bool, int] | None:
    """Return whether the type is signed, and its width; None for others, and for suffixes that are not ``allowed``."""
    suffixes = line.suffixes
    found = _TYPE.match(suffixes[-1]) if suffixes else None
    if not found or any(each not in allowed for each in suffixes[:-1]):
        return None
    return found[1] == "s", int(found[2])


def _result(line: Line, widths: Sequence[int], transfer: Callable[..., Value]) -> Meaning | None:
    """A line with one register to write, and a source of each of the ``widths``."""
    if len(line.operands) != len(widths) + 1:
        return None
    writes = _target(line.operands[0], line.scope)
    reads = tuple(source(each, width, line.scope) for each, width in zip(line.operands[1:], widths, strict=True))
    if not writes:
        return Meaning(())
    return Meaning(
        writes,
        reads,
        lambda *values: transfer(*[ranges.whole(value, width) for value, width in zip(values, widths, strict=True)]),
    )


def _vector_width(line: Line) -> int | None:
    return int(found[2]) if line.suffixes and (found := _MOVED.match(line.suffixes[-1])) else None


_MOVED = re.compile(r"([usbf])(16|32|64|128)$")


def _mov(line: Line) -> Meaning | None:
    width = _vector_width(line)
    if width is None or len(line.suffixes) != 1 or len(line.operands) != 2:
        return None
    to, of = line.operands
    if of[:1] == "{" and to[:1] != "{":
        parts = elements(of)
        each = width // len(parts)
        if each * len(parts) != width:
            return None
        reads = tuple(source(part, each, line.scope) for part in parts)

        def pack(*values: Value) -> Value:
            bits = mask = 0
            for place, value in enumerate(values):
                part = known.cut(value, each)
                bits |= part[0] << place * each
                mask |= part[1] << place * each
            return bits, mask

        return Meaning(_target(to, line.scope), reads, pack)
    if to[:1] == "{" and of[:1] != "{":
        parts = elements(to)
        each = width // len(parts)
        if each * len(parts) != width:
            return None
        targets = [_target(part, line.scope) for part in parts]
        places = [place for place, target in enumerate(targets) if target]

        def unpack(value: Value) -> object:
            found = tuple(known.field(value, place * each, each) for place in places)
            return found if len(found) != 1 else found[0]

        writes = tuple(name for target in targets for name in target)
        return Meaning(writes, (source(of, width, line.scope),), unpack)
    if of[:1] == "{":
        return None
    return _result(line, (width,), lambda a: a)


def _adding(line: Line, minus: bool) -> Meaning | None:
    """add, addc, sub, subc: in the carry bit stands what PTX calls carry, or borrow."""
    typed = _integer(line, ("cc",))
    if typed is None or len(line.operands) != 3:
        return None
    width = typed[1]
    uses, makes = line.name[-1] == "c", "cc" in line.suffixes
    a, b = (source(each, width, line.scope) for each in line.operands[1:])

    def transfer(a: Value, b: Value, carry: Value = FALSE) -> object:
        if minus:
            total, kept = known.subtract(a, b, width, known.cut(known.not_(carry), 1))
            out = known.cut(known.not_(kept), 1)
        else:
            total, out = known.add(a, b, width, known.cut(carry, 1))
        return (total, out) if makes else total

    writes = _target(line.operands[0], line.scope)
    if not writes:
        return None
    return Meaning((*writes, CARRY) if makes else writes, (a, b, CARRY) if uses else (a, b), transfer)


def _add(line: Line) -> Meaning | None:
    return _adding(line, False)


def _sub(line: Line) -> Meaning | None:
    return _adding(line, True)


def _times(a: Value, b: Value, width: int) -> Value:
    """Multiply; by a negative constant as by its absolute value."""
    full = ones(width)
    for one, other in ((a, b), (b, a)):
        if other[1] & full == full:
            absolute = -other[0] & full
            if absolute.bit_count() < (other[0] & full).bit_count():
                return known.negate(known.multiply(one, (absolute, full), width), width)
    return known.multiply(a, b, width)


def _product(line: Line, extra: tuple[str, ...] = ()) -> tuple[Callable[[Value, Value], Value], int, int] | None:
    """Return how a mul or mad multiplies, and the widths of factors and product."""
    typed = _integer(line, ("lo", "hi", "wide", *extra))
    if typed is None:
        return None
    signed, width = typed
    parts = [each for each in line.suffixes if each in ("lo", "hi", "wide")]
    if len(parts) != 1:
        return None
    part = parts[0]
    short = line.name in ("mul24", "mad24")
    if short and (part == "wide" or width != 32):
        return None
    used = _SHORT if short else width

    def multiply(a: Value, b: Value) -> Value:
        if part == "lo" and not short:
            return _times(a, b, width)
        a, b = (known.extend(each, used, 2 * used, signed) for each in (a, b))
        product = _times(a, b, 2 * used)
        if part == "hi":
            return known.field(product, 2 * used - width, width)
        return product if part == "wide" else known.cut(product, width)

    return multiply, width, 2 * width if part == "wide" else width


_SHORT = 24
"""The bits that mul24 multiplies."""


def _mul(line: Line) -> Meaning | None:
    product = _product(line)
    if product is None:
        return None
    multiply, width, _ = product
    return _result(line, (width, width), multiply)


def _mad(line: Line) -> Meaning | None:
    product = _product(line, ("cc",))
    if product is None or len(line.operands) != 4:
        return None
    multiply, width, wide = product
    uses, makes = line.name == "madc", "cc" in line.suffixes
    reads = [source(each, size, line.scope) for each, size in zip(line.operands[1:], (width, width, wide), strict=True)]

    def transfer(a: Value, b: Value, c: Value, carry: Value = FALSE) -> object:
        total, out = known.add(multiply(known.cut(a, width), known.cut(b, width)), c, wide, known.cut(carry, 1))
        return (total, out) if makes else total

    writes = _target(line.operands[0], line.scope)
    if not writes:
        return None
    return Meaning((*writes, CARRY) if makes else writes, (*reads, CARRY) if uses else tuple(reads), transfer)


def _bitwise(line: Line) -> Meaning | None:
    typed = _integer(line)
    return None if typed is None else _result(line, (typed[1],) * 2, _BITWISE[line.name])


_BITWISE: dict[str, Callable[[Value, Value], Value]] = {"and": known.and_, "or": known.or_, "xor": known.xor}


def _not(line: Line) -> Meaning | None:
    typed = _integer(line)
    return None if typed is None else _result(line, (typed[1],), known.not_)


def _cnot(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    full = ones(typed[1])

    def transfer(a: Value) -> Value:
        if a[0]:
            return 0, full
        return (1, full) if a[1] == full else (0, full & ~BIT)

    return _result(line, (typed[1],), transfer)


def _lop3(line: Line) -> Meaning | None:
    if line.suffixes != ("b32",) or len(line.operands) != 5:
        return None
    table = number(line.operands[4])
    if table is None:
        return None
    shorter = line._replace(operands=line.operands[:4])
    return _result(shorter, (32,) * 3, lambda a, b, c: known.lop3(a, b, c, table, 32))


def _shift(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    signed, width = typed
    how = known.shl if line.name == "shl" else known.sar if signed else known.shr
    return _result(line, (width, 32), lambda a, count: known.shift(how, a, count, width))


def _funnel(line: Line) -> Meaning | None:
    suffixes = line.suffixes
    if len(suffixes) != 3 or suffixes[2] != "b32" or suffixes[0] not in "lr" or suffixes[1] not in ("wrap", "clamp"):
        return None
    left, wrap = suffixes[0] == "l", suffixes[1] == "wrap"
    return _result(line, (32,) * 3, lambda low, high, count: known.funnel(low, high, count, left=left, wrap=wrap))


_BYTE = 8
"""Positions and lengths of bit fields are given by the low eight bits."""


def _bfe(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    signed, width = typed

    def transfer(a: Value, low: Value, count: Value) -> Value:
        counts = known.choices(known.cut(count, _BYTE), _BYTE)
        if counts is None:
            return UNKNOWN
        lows = known.choices(known.cut(low, _BYTE), _BYTE)
        if lows is None or len(lows) * len(counts) > _TRIED:
            most = min(max(counts), width)
            return UNKNOWN if signed else known.at_most(ones(most), width)
        return known.meet_all([known.extract(a, x, y, width, signed) for x in lows for y in counts])

    return _result(line, (width, 32, 32), transfer)


_TRIED = 8
"""As many pairs of position and length are tried."""


def _bfi(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    width = typed[1]

    def transfer(a: Value, into: Value, low: Value, count: Value) -> Value:
        lows, counts = (known.choices(known.cut(each, _BYTE), _BYTE) for each in (low, count))
        if lows is None or counts is None or len(lows) * len(counts) > _TRIED:
            return UNKNOWN
        return known.meet_all([known.insert(a, into, x, y, width) for x in lows for y in counts])

    return _result(line, (width, width, 32, 32), transfer)


def _prmt(line: Line) -> Meaning | None:
    if line.suffixes != ("b32",):
        return None
    return _result(line, (32,) * 3, known.permute)


def _either(line: Line) -> Meaning | None:
    """selp, slct: one of the first two sources."""
    if not line.suffixes or len(line.operands) != 4:
        return None
    found = _MOVED.match(line.suffixes[0])
    if not found or len(line.suffixes) != (2 if line.name == "slct" else 1):
        return None
    width = int(found[2])
    either = _result(line._replace(operands=line.operands[:3]), (width, width), lambda a, b: ranges.joined(a, b, width))
    return either._replace(selects=line.operands[3], width=width) if either and line.name == "selp" else either


def _minmax(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    return _result(line, (typed[1],) * 2, lambda a, b: ranges.joined(a, b, typed[1]))


def _counting(line: Line) -> Meaning | None:
    """clz and popc: at most the width."""
    typed = _integer(line)
    if typed is None or len(line.operands) != 2:
        return None
    most = known.at_most(typed[1], 32)
    return Meaning(_target(line.operands[0], line.scope), (), lambda: most)


def _brev(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None:
        return None
    width = typed[1]

    def transfer(a: Value) -> Value:
        bits, mask = (sum(1 << (width - 1 - place) for place in range(width) if each >> place & 1) for each in a[:2])
        return bits, mask

    return _result(line, (width,), transfer)


def _szext(line: Line) -> Meaning | None:
    typed = _integer(line, ("wrap", "clamp"))
    if typed is None or len(line.suffixes) != 2:
        return None
    clamp = line.suffixes[0] == "clamp"

    def transfer(a: Value, count: Value) -> Value:
        counts = known.choices(count if clamp else known.cut(count, 5), 32 if clamp else 5)
        if counts is None:
            return UNKNOWN
        found = []
        for each in counts:
            if each >= 32:
                found.append(a)
            else:
                found.append(known.extend(a, each, 32, typed[0]) if each else known.const(0, 32))
        return known.meet_all(found)

    return _result(line, (32, 32), transfer)


def _bmsk(line: Line) -> Meaning | None:
    if len(line.suffixes) != 2 or line.suffixes[1] != "b32" or line.suffixes[0] not in ("wrap", "clamp"):
        return None
    clamp = line.suffixes[0] == "clamp"

    def transfer(low: Value, count: Value) -> Value:
        lows, counts = known.choices(low, 32), known.choices(count, 32)
        if lows is None or counts is None or len(lows) * len(counts) > _TRIED:
            return UNKNOWN
        return known.meet_all([known.const(mask(x, y), 32) for x in lows for y in counts])

    def mask(low: int, count: int) -> int:
        if clamp:
            return ones(32) & ones(min(count, 32)) << min(low, 32)
        return ones(32) & ones(count & 31) << (low & 31)

    return _result(line, (32, 32), transfer)


def _neg(line: Line) -> Meaning | None:
    typed = _integer(line)
    return None if typed is None else _result(line, (typed[1],), lambda a: known.negate(a, typed[1]))


def _abs(line: Line) -> Meaning | None:
    typed = _integer(line)
    if typed is None or not typed[0]:
        return None
    width = typed[1]
    sign = 1 << (width - 1)

    def transfer(a: Value) -> Value:
        if a[1] & sign:
            return known.negate(a, width) if a[0] & sign else a
        return known.meet(a, known.negate(a, width))

    return _result(line, (width,), transfer)


def _divide(line: Line) -> Meaning | None:
    """Unsigned division by a power of two, or of two constants."""
    typed = _integer(line)
    if typed is None or typed[0]:
        return None
    width = typed[1]
    full = ones(width)
    rest = line.name == "rem"

    def transfer(a: Value, b: Value) -> Value:
        if b[1] != full or not b[0]:
            return UNKNOWN
        if a[1] == full:
            return known.const(a[0] % b[0] if rest else a[0] // b[0], width)
        if b[0] & (b[0] - 1):
            return known.at_most(b[0] - 1 if rest else full // b[0], width)
        return known.and_(a, known.const(b[0] - 1, width)) if rest else known.shr(a, b[0].bit_length() - 1, width)

    return _result(line, (width, width), transfer)


_CONVERTED = re.compile(r"([us])(8|16|32|64)$")


def _cvt(line: Line) -> Meaning | None:
    if len(line.suffixes) != 2:
        return None
    to, of = (_CONVERTED.match(each) for each in line.suffixes)
    if not to or not of:
        return None
    width, from_width = int(to[2]), int(of[2])

    def transfer(a: Value) -> Value:
        wide = known.extend(a, from_width, WIDEST, of[1] == "s")
        return known.extend(wide, width, WIDEST, to[1] == "s")

    return _result(line, (from_width,), transfer)


def _cvta(line: Line) -> Meaning | None:
    """Global addresses are generic ones; of those in shared memory the low bits stay."""
    suffixes = [each.partition("::")[0] for each in line.suffixes]
    if not suffixes or not suffixes[-1].startswith("u"):
        return None
    typed = _TYPE.match(suffixes[-1])
    if typed is None:
        return None
    width = int(typed[2])
    space = [each for each in suffixes[:-1] if each != "to"]
    if space == ["global"]:
        return _result(line, (width,), lambda a: a)
    if space == ["shared"]:
        return _result(line, (width,), lambda a: known.cut(a, WINDOW))
    return None


def _mapa(line: Line) -> Meaning | None:
    """The same place in the shared memory of another block."""
    if len(line.operands) != 3 or not line.suffixes:
        return None
    width = 32 if line.suffixes[-1] == "u32" else WIDEST
    return _result(line, (width, 32), lambda a, _: known.cut(a, WINDOW))


def _shfl(line: Line) -> Meaning | None:
    """A value of another lane: what is known of the source is known of every lane that takes part."""
    if line.suffixes[-1:] != ("b32",) or len(line.operands) < 4:
        return None
    return _result(line._replace(operands=line.operands[:2]), (32,), lambda a: a)


def _redux(line: Line) -> Meaning | None:
    """The lanes' values combined such that what is known of all of them stays."""
    if _integer(line, ("sync", "and", "or", "min", "max")) is None or len(line.operands) != 3:
        return None
    return _result(line._replace(operands=line.operands[:2]), (32,), lambda a: a)


def _lane(line: Line) -> Meaning | None:
    """elect: the number of a lane."""
    most = known.at_most(SPECIAL["%laneid"], 32)
    return Meaning(_target(line.operands[0], line.scope), (), lambda: most)


def _rank(line: Line) -> Meaning | None:
    """getctarank: the number of a block in its cluster."""
    most = known.at_most(SPECIAL["%cluster_ctarank"], 32)
    return Meaning(_target(line.operands[0], line.scope), (), lambda: most)


def _load(line: Line) -> Meaning | None:
    """A load of fewer bits than the register has clears the others."""
    found = _NARROW.match(line.suffixes[-1]) if line.suffixes else None
    if not found or not line.operands:
        return None
    value = known.at_most(ones(int(found[1])), WIDEST)
    writes = tuple(name for each in elements(line.operands[0]) for name in _target(each, line.scope))
    return Meaning(writes, (), lambda: (value,) * len(writes) if len(writes) != 1 else value)


_NARROW = re.compile(r"[ub](8|16|32)$")

_EXACT: dict[str, Callable[[Line], Meaning | None]] = {
    "mov": _mov,
    "add": _add,
    "addc": _add,
    "sub": _sub,
    "subc": _sub,
    "mul": _mul,
    "mul24": _mul,
    "mad": _mad,
    "mad24": _mad,
    "madc": _mad,
    "and": _bitwise,
    "or": _bitwise,
    "xor": _bitwise,
    "not": _not,
    "cnot": _cnot,
    "lop3": _lop3,
    "shl": _shift,
    "shr": _shift,
    "shf": _funnel,
    "bfe": _bfe,
    "bfi": _bfi,
    "prmt": _prmt,
    "selp": _either,
    "slct": _either,
    "min": _minmax,
    "max": _minmax,
    "clz": _counting,
    "popc": _counting,
    "brev": _brev,
    "szext": _szext,
    "bmsk": _bmsk,
    "neg": _neg,
    "abs": _abs,
    "div": _divide,
    "rem": _divide,
    "cvt": _cvt,
    "cvta": _cvta,
    "mapa": _mapa,
    "shfl": _shfl,
    "redux": _redux,
    "elect": _lane,
    "getctarank": _rank,
    "ld": _load,
    "ldu": _load,
}


def meaning(line: Line, writes: tuple[str, ...]) -> Meaning:
    """Return what ``line`` writes (``writes``: at most) and, where that is known, how it follows from what it reads."""
    exact = _EXACT.get(line.name)
    if exact is not None and line.operands:
        found = exact(line)
        if found is not None and set(writes) <= {*found.writes, *_predicates(line)}:
            return found
    return Meaning(writes)


def _predicates(line: Line) -> tuple[str, ...]:
    """Return the second of two results, ``%p1`` of ``%r1|%p1``: always a predicate."""
    first, _, second = line.operands[0].partition("|")
    return named(second, line.scope) if not first.startswith("{") else ()
