"""The effect of PTX instructions on known bits.

:func:`lower` returns what a line writes and how; for an instruction known only by name, or not at all, the registers
that it may write become unknown. Semantics: PTX ISA, section 9.7.

A value may have known bits above the width of its register (a narrow load clears all of them, whatever the register's
width): a reader truncates it to the width that its instruction reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smemdesc.engine import known
from smemdesc.engine.fields import WORD, ones
from smemdesc.engine.known import FALSE, OPPOSITE, TRUE, UNKNOWN, Value
from smemdesc.scanning.analysis import ir
from smemdesc.scanning.analysis.conditions import Condition
from smemdesc.scanning.analysis.ir import IN, Node, results
from smemdesc.scanning.analysis.ssa import PredicateLiteral, SsaStep
from smemdesc.scanning.languages import mnemonics
from smemdesc.scanning.languages.ptx.constants import WARP_SIZE
from smemdesc.scanning.languages.ptx.text import (
    PTX_NAME,
    SPECIAL,
    PtxStatement,
    Scope,
    added,
    is_special,
    number,
    vector_elements,
)
from smemdesc.scanning.model import causes

EXTENDED_BITS = 64
"""The width to which a value is extended, in bits."""
CARRY_BIT = "CC.CF"
"""The carry bit: a name that no register has."""
WINDOW_BITS = 24
"""The low bits of an address in shared memory that no change of address space affects: above them the hardware puts the
rank of the block in its cluster, and the window of generic addresses."""


WRITES_FIRST = "writes its first operand"
FIRST_TWO = "writes its first two operands, which are vectors"
MAY_WRITE_ALL = "not known: may write all that it names"
BRANCH_EFFECT = "branches"
CALL = "calls"
READS_DESCRIPTORS = "reads descriptors"
SHARES = "writes shared memory, or sets up a barrier"
CHANGES_MAP = "changes a tensor map"
ACCESS = "accesses or allocates tensor memory"
LOADS = "loads from local memory or any"
STORES = "stores to local memory or any"
_NO_REGISTER = """
    bar barrier membar fence red prefetch prefetchu nanosleep discard applypriority griddepcontrol setmaxnreg
    stmatrix brkpt pmevent nop sust sured stackrestore wgmma.fence wgmma.commit_group wgmma.wait_group cp.async
    cp.reduce mbarrier.inval mbarrier.complete_tx tensormap
    tcgen05.relinquish_alloc_permit tcgen05.wait tcgen05.fence tcgen05.commit
    multimem.st multimem.red multimem.cp wmma.store clusterlaunchcontrol.try_cancel st.async st.bulk
    fabric.submit fabric.wait fabric.try_get fabric.try_put fabric.try_red fabric.try_pullred fabric.try_atom
"""
_FIRST = """
    abs activemask add addc alloca and atom bfe bfi bfind bmsk brev clz cnot copysign cos createpolicy cvt cvta div
    dp2a dp4a elect ex2 fma fns getctarank ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max min mma mov movmatrix
    mul mul24 neg not or popc prmt rcp redux rem rsqrt sad selp set shf shfl shl shr sin slct sqrt stacksave sub
    subc suld szext tanh tex tld4 txq suq vote xor istypep vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2
    vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4 wmma mbarrier
    multimem.ld_reduce clusterlaunchcontrol.query_cancel setp testp isspacep tensormap.query spdecompress clmad
"""
_ROLES: dict[str, str | None] = {
    **dict.fromkeys(_NO_REGISTER.split()),
    **dict.fromkeys(_FIRST.split(), WRITES_FIRST),
    **dict.fromkeys(("bra", "brx", "ret", "exit", "trap"), BRANCH_EFFECT),
    "call": CALL,
    "spcompress": FIRST_TWO,
    "tensormap.replace": CHANGES_MAP,
    **dict.fromkeys(("cp.async.bulk", "cp.async.mbarrier", "mbarrier.init", "mbarrier.expect_tx"), SHARES),
    **dict.fromkeys(("tcgen05.commit", "tensormap.cp_fenceproxy"), SHARES),
    **dict.fromkeys(("cp.async.ca", "cp.async.cg", "cp.reduce.async.bulk", "mbarrier.complete_tx", "st.async"), SHARES),
    **dict.fromkeys(("stmatrix", "st.bulk", "red", "clusterlaunchcontrol.try_cancel"), SHARES),
    **dict.fromkeys(mnemonics.ACCESSES, ACCESS),
    "ld": LOADS,
    "st": STORES,
}
"""What instructions do, by prefixes of their names: the longest match counts. None: nothing relevant."""
_LONGEST = max(name.count(".") for name in _ROLES) + 1
"""The most parts of a name."""
MMA_BEGINNINGS = mnemonics.PTX
"""The beginnings of the names of MMAs: a text without them has no MMA."""
_MMAS = tuple(f"{mark}." for mark in MMA_BEGINNINGS)
_SPACES = frozenset(("global", "shared", "const", "param"))
"""State spaces that are not local memory."""


@lru_cache(maxsize=20_000)
def role(mnemonic: str) -> str | None:
    """Return the role of an instruction by its name; None: it writes nothing relevant."""
    if mnemonic.startswith(_MMAS):
        return READS_DESCRIPTORS
    parts = mnemonic.replace("::", ".").split(".")
    starts = (".".join(parts[:count]) for count in range(min(len(parts), _LONGEST), 0, -1))
    does = next((_ROLES[start] for start in starts if start in _ROLES), MAY_WRITE_ALL)
    if does in (LOADS, STORES) and not _SPACES.isdisjoint(parts):
        return WRITES_FIRST if does == LOADS else SHARES if "shared" in parts else None
    if parts[0] in ("bar", "barrier") and "red" in parts:
        does = WRITES_FIRST
    return does


def first_operands(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the registers of all operands before the first address; of the first operand if there is no address."""
    before, opened, _ = text.partition("[")
    if not opened:
        text = text.lstrip()
        before = text.partition("}")[0] if text[:1] == "{" else text.partition(",")[0]
    return tuple([scope.register(name) for name in PTX_NAME.findall(before) if name != "_"])


def named_registers(text: str, scope: Scope) -> tuple[str, ...]:
    """Return all registers that a text may name."""
    return tuple({scope.register(name) for name in PTX_NAME.findall(text)})


def returned(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the registers that a call writes, in the parentheses before the name of the function."""
    text = text.lstrip()
    if text[:1] != "(":
        return (CARRY_BIT,)
    return (CARRY_BIT, *named_registers(text.partition(")")[0], scope))


def source_bits(text: str, width: int, scope: Scope) -> object:
    """Return the register that an operand names, or its known bits, as a pair; for a constant all are known."""
    if text[:1] in _BEGIN_NUMBERS or text.startswith(WARP_SIZE):
        value = number(text)
        return UNKNOWN if value is None else known.const(value, width)
    name = text
    if not PTX_NAME.fullmatch(name):
        if text in SPECIAL:
            return known.at_most(SPECIAL[text], width)
        sum_of = added(text)
        if sum_of is None or not sum_of[1] or not PTX_NAME.fullmatch(sum_of[0]):
            return UNKNOWN
        align = scope.alignment(sum_of[0])
        return UNKNOWN if align is None else known.add(_aligned(align), known.const(sum_of[1], width), width)[0]
    align = scope.alignment(name)
    if align is not None:
        return _aligned(align)
    if name in SPECIAL and not scope.declared(name):
        return known.at_most(SPECIAL[name], width)
    return scope.register(name)


_BEGIN_NUMBERS = frozenset("0123456789+-~!(")


def _aligned(align: int) -> Value:
    return 0, align - 1


def guard_predicate(text: str, scope: Scope) -> PredicateLiteral:
    """Return the predicate that a guard or an operand names (or TRUE, for a constant), and whether it must be true."""
    if text[:1] in _BEGIN_NUMBERS and (value := number(text)) is not None:
        return PredicateLiteral(TRUE, bool(value))
    name = text.removeprefix("!").strip()
    return PredicateLiteral(scope.register(name) if PTX_NAME.fullmatch(name) else UNKNOWN, not text.startswith("!"))


def _target(text: str, scope: Scope) -> tuple[str, ...]:
    """Return the register that is written: the first of ``%r1|%p1``, none for ``_``."""
    name = text.partition("|")[0].strip()
    return (scope.register(name),) if PTX_NAME.fullmatch(name) and name != "_" else ()


_TYPE = re.compile(r"([usb])(8|16|32|64|128)$")


def _integer(line: PtxStatement, allowed: Sequence[str] = ()) -> tuple[bool, int] | None:
    """Return whether the type is signed, and its width in bits; None for other types and suffixes not ``allowed``."""
    suffixes = line.suffixes
    match = _TYPE.match(suffixes[-1]) if suffixes else None
    if not match or any(suffix not in allowed for suffix in suffixes[:-1]):
        return None
    return match[1] == "s", int(match[2])


def _result(line: PtxStatement, widths: Sequence[int], make: Callable[..., Node], more: int = 0) -> SsaStep | None:
    """A line with one destination register, a source of each of the ``widths``, and ``more`` operands after them."""
    if len(line.operands) != 1 + len(widths) + more:
        return None
    writes = _target(line.operands[0], line.scope)
    if not writes:
        return SsaStep(())
    reads = tuple(source_bits(text, width, line.scope) for text, width in zip(line.operands[1:], widths, strict=False))
    return SsaStep(writes, reads, make(*[ir.CUT(IN[place], width) for place, width in enumerate(widths)]))


def _given(line: PtxStatement, value: Value) -> SsaStep:
    return SsaStep(_target(line.operands[0], line.scope), (), ir.GIVEN(value))


def _same(a: Node, *_: object) -> Node:
    return a


_MOVED = re.compile(r"([usbf])(16|32|64|128)$")


def _mov(line: PtxStatement) -> SsaStep | None:
    match = _MOVED.match(line.suffixes[-1]) if len(line.suffixes) == 1 else None
    if match is None or len(line.operands) != 2:
        return None
    width = int(match[2])
    to, source_text = line.operands
    if to[:1] != "{" and source_text[:1] != "{":
        return _result(line, (width,), _same)
    parts = vector_elements(source_text if source_text[:1] == "{" else to)
    size = width // len(parts)
    if size * len(parts) != width or to[:1] == source_text[:1]:
        return None
    if source_text[:1] == "{":
        reads = tuple(source_bits(part, size, line.scope) for part in parts)
        return SsaStep(_target(to, line.scope), reads, ir.CONCAT(*IN[: len(parts)], size))
    targets = [_target(part, line.scope) for part in parts]
    fields = [ir.FIELD(IN[0], place * size, size) for place, target in enumerate(targets) if target]
    writes = tuple(name for target in targets for name in target)
    return SsaStep(writes, (source_bits(source_text, width, line.scope),), results(*fields))


def _adding(
    line: PtxStatement, reads: Sequence[object], total: tuple[Any, Any, int], minus: bool = False
) -> SsaStep | None:
    """Return a sum; the carry bit is what PTX calls carry, or borrow."""
    a, b, width = total
    uses, makes = line.name[-1] == "c", "cc" in line.suffixes
    carry: Any = TRUE if minus else FALSE
    if uses:
        carry = (ir.NOT if minus else ir.CUT)(IN[len(reads)], 1)
    added = (a, b, carry, width, minus)
    out = ir.NOT(ir.CARRY(*added), 1) if minus else ir.CARRY(*added)
    writes = _target(line.operands[0], line.scope)
    if not writes:
        return None
    transfer = results(ir.ADD(*added), out) if makes else ir.ADD(*added)
    return SsaStep((*writes, CARRY_BIT) if makes else writes, (*reads, CARRY_BIT) if uses else tuple(reads), transfer)


def _add(line: PtxStatement) -> SsaStep | None:
    """add, addc, sub, subc."""
    typed = _integer(line, ("cc",))
    if typed is None or len(line.operands) != 3:
        return None
    reads = [source_bits(operand, typed[1], line.scope) for operand in line.operands[1:]]
    return _adding(line, reads, (IN[0], IN[1], typed[1]), line.name[:3] == "sub")


def _product(line: PtxStatement, allowed: tuple[str, ...] = ()) -> tuple[Node, int, int] | None:
    """Return the product of a mul or mad, the width of its factors, and of the product, in bits."""
    typed = _integer(line, ("lo", "hi", "wide", *allowed))
    parts = [suffix for suffix in line.suffixes if suffix in ("lo", "hi", "wide")]
    if typed is None or len(parts) != 1:
        return None
    signed, width = typed
    short, wide = line.name in ("mul24", "mad24"), parts == ["wide"]
    if short and (wide or width != WORD):
        return None
    a, b = (ir.CUT(IN[place], width) for place in (0, 1))
    if parts == ["lo"] and not short:
        return ir.MULTIPLY(a, b, width), width, width
    used = _SHORT if short else width
    a, b = (ir.EXTEND(factor, used, 2 * used, signed) for factor in (a, b))
    product = ir.MULTIPLY(a, b, 2 * used)
    if wide:
        return product, width, 2 * width
    return ir.FIELD(product, 2 * used - width if parts == ["hi"] else 0, width), width, width


_SHORT = 24
"""The low bits that mul24 multiplies."""


def _mul(line: PtxStatement) -> SsaStep | None:
    product = _product(line)
    return None if product is None else _result(line, (product[1],) * 2, lambda *_: product[0])


def _mad(line: PtxStatement) -> SsaStep | None:
    typed_product = _product(line, ("cc",))
    if typed_product is None or len(line.operands) != 4:
        return None
    product, width, wide = typed_product
    texts = zip(line.operands[1:], (width, width, wide), strict=True)
    return _adding(line, [source_bits(text, size, line.scope) for text, size in texts], (product, IN[2], wide))


def _lop3(line: PtxStatement) -> SsaStep | None:
    table = number(line.operands[4]) if line.suffixes == ("b32",) and len(line.operands) == 5 else None
    if table is None:
        return None
    return _result(line, (WORD,) * 3, lambda a, b, c: ir.LOP3(a, b, c, table, WORD), 1)


def _funnel(line: PtxStatement) -> SsaStep | None:
    suffixes = line.suffixes
    if len(suffixes) != 3 or suffixes[2] != "b32" or suffixes[0] not in "lr" or suffixes[1] not in ("wrap", "clamp"):
        return None
    left, wrap = suffixes[0] == "l", suffixes[1] == "wrap"
    return _result(line, (WORD,) * 3, lambda low, high, count: ir.FUNNEL(low, high, count, WORD, left, wrap))


def _either(line: PtxStatement) -> SsaStep | None:
    """selp, slct: one of the first two sources."""
    match = _MOVED.match(line.suffixes[0]) if line.suffixes else None
    if not match or len(line.suffixes) != (2 if line.name == "slct" else 1):
        return None
    width = int(match[2])
    either = _result(line, (width, width), lambda a, b: ir.EITHER(a, b, width), 1)
    return (
        either._replace(selects=guard_predicate(line.operands[3], line.scope), width=width)
        if either and line.name == "selp"
        else either
    )


def _szext(line: PtxStatement) -> SsaStep | None:
    typed = _integer(line, ("wrap", "clamp"))
    if typed is None or len(line.suffixes) != 2:
        return None
    digits = WORD if line.suffixes[0] == "clamp" else 5
    low = known.const(0, WORD)
    return _result(line, (WORD, WORD), lambda a, count: ir.EXTRACT(a, low, count, WORD, typed[0], digits))


def _bmsk(line: PtxStatement) -> SsaStep | None:
    if len(line.suffixes) != 2 or line.suffixes[1] != "b32" or line.suffixes[0] not in ("wrap", "clamp"):
        return None
    return _result(line, (WORD, WORD), lambda low, count: ir.BIT_MASK(low, count, WORD, line.suffixes[0] == "clamp"))


def _absolute(a: Node, width: int, signed: bool) -> Node | None:
    if not signed:
        return None
    negative = Condition("LT", "x", "y", width, True)
    return ir.SELECT(ir.negated(a, width), a, UNKNOWN, a, known.const(0, width), negative, None, "x", width)


_CONVERTED = re.compile(r"([us])(8|16|32|64)$")


def _cvt(line: PtxStatement) -> SsaStep | None:
    if len(line.suffixes) != 2:
        return None
    to_type, from_type = (_CONVERTED.match(suffix) for suffix in line.suffixes)
    if not to_type or not from_type:
        return None
    width, from_width = int(to_type[2]), int(from_type[2])
    return _result(
        line,
        (from_width,),
        lambda a: ir.EXTEND(
            ir.EXTEND(a, from_width, EXTENDED_BITS, from_type[1] == "s"), width, EXTENDED_BITS, to_type[1] == "s"
        ),
    )


def _cvta(line: PtxStatement) -> SsaStep | None:
    """Global addresses equal generic ones; addresses in shared memory keep their low bits; of a parameter's address
    nothing is known but which parameter it is."""
    suffixes = [suffix.partition("::")[0] for suffix in line.suffixes]
    typed = _TYPE.match(suffixes[-1]) if suffixes else None
    if typed is None or typed[1] != "u":
        return None
    space = [suffix for suffix in suffixes[:-1] if suffix != "to"]
    if space not in (["global"], ["shared"], ["param"]):
        return None
    return _result(line, (int(typed[2]),), _window if space == ["shared"] else _same)


def _window(a: Node, *_: object) -> Node:
    return ir.LOW(a, WINDOW_BITS)


def _mapa(line: PtxStatement) -> SsaStep | None:
    """The same offset in the shared memory of another block."""
    if len(line.operands) != 3 or not line.suffixes:
        return None
    return _result(line, (WORD if line.suffixes[-1] == "u32" else EXTENDED_BITS, WORD), _window)


def _shfl(line: PtxStatement) -> SsaStep | None:
    """A value of another lane: what is known of the source is known of every lane that takes part."""
    if line.suffixes[-1:] != ("b32",) or len(line.operands) < 4:
        return None
    return _result(line, (WORD,), _same, len(line.operands) - 2)


def _redux(line: PtxStatement) -> SsaStep | None:
    """The lanes' values combined so that bits known in all of them stay known."""
    return None if _integer(line, ("sync", "and", "or", "min", "max")) is None else _result(line, (WORD,), _same, 1)


def _load(line: PtxStatement) -> SsaStep | None:
    """A load narrower than the register clears the other bits."""
    match = _NARROW.match(line.suffixes[-1]) if line.suffixes else None
    if not match or not line.operands:
        return None
    value = known.at_most(ones(int(match[1])), EXTENDED_BITS)
    writes = tuple(name for element in vector_elements(line.operands[0]) for name in _target(element, line.scope))
    return SsaStep(writes, (), results(*[ir.GIVEN(value)] * len(writes)))


_NARROW = re.compile(r"[ub](8|16|32)$")


_UNSIGNED = {"lo": "LT", "ls": "LE", "hi": "GT", "hs": "GE"}
_JOINS = {"and": ir.AND, "or": ir.OR, "xor": ir.XOR}


def _setp(line: PtxStatement) -> SsaStep | None:
    """A comparison and its complement; each may be combined with a predicate."""
    how, *join = line.suffixes[:-1] or ("",)
    typed = _TYPE.match(line.suffixes[-1]) if line.suffixes else None
    if not typed or len(join) > 1 or len(line.operands) != 3 + len(join) or (join and join[0] not in _JOINS):
        return None
    how = _UNSIGNED.get(how, how.upper())
    if how not in OPPOSITE or (typed[1] == "b" and how not in ("EQ", "NE")):
        return None
    signed, width = typed[1] == "s", int(typed[2])
    x, y = (source_bits(operand, width, line.scope) for operand in line.operands[1:3])
    last = guard_predicate(line.operands[3], line.scope) if join else PredicateLiteral(TRUE, True)
    row = _JOINS[join[0] if join else "and"]
    answer = ir.COMPARE(IN[0], IN[1], how, width, signed)
    outs = zip(line.operands[0].split("|"), (answer, ir.NOT(answer, 1)), (how, OPPOSITE[how]), strict=False)
    outcomes = [(name, node, truth) for out, node, truth in outs for name in _target(out, line.scope)]
    writes = tuple(name for name, _, _ in outcomes)
    if not writes or len(set(writes)) != len(writes):
        return None
    says: dict[str, Condition] = {}
    for name, _, truth in outcomes if join != ["xor"] else ():
        says[name] = Condition(truth, x, y, width, signed, bool(join))
        if join == ["or"]:
            # It is false only if the comparison is false.
            says[name] = Condition(OPPOSITE[truth], x, y, width, signed, True, True)
    transfer = results(*(row(node, _value(2, last.holds), 1) for _, node, _ in outcomes))
    return SsaStep(writes, (x, y, last.predicate), transfer, comparisons=says)


def _value(place: int, holds: bool) -> Node:
    """Return input number ``place``, a predicate, or its complement."""
    return (ir.CUT if holds else ir.NOT)(IN[place], 1)


def _logic(line: PtxStatement) -> SsaStep | None:
    """mov, not, and, or, xor of predicates."""
    writes = _target(line.operands[0], line.scope)
    reads = [guard_predicate(operand, line.scope) for operand in line.operands[1:]]
    if line.name in ("mov", "not") and len(reads) == 1:
        predicate, holds = reads[0].predicate, reads[0].holds == (line.name == "mov")
        return SsaStep(
            writes,
            (predicate,),
            _value(0, holds),
            comparisons={name: PredicateLiteral(predicate, holds) for name in writes},
        )
    if line.name in _JOINS and len(reads) == 2:
        transfer = _JOINS[line.name](
            *(_value(place, literal_read.holds) for place, literal_read in enumerate(reads)), 1
        )
        return SsaStep(writes, tuple(read.predicate for read in reads), transfer)
    return None


def _read_of_field(width: int) -> tuple[int, int | None]:
    """Return the bits of a position and of a length that ``bfe`` and ``bfi`` read, and the most that they may be.

    The PTX ISA takes eight bits. So does ptxas 13.5 for 32-bit types; for 64-bit ones it takes all 32.
    """
    return (8, None) if width <= WORD else (WORD, ones(8))


def _bfe(a: Node, low: Node, count: Node, width: int, signed: bool) -> Node:
    digits, most = _read_of_field(width)
    return ir.EXTRACT(a, low, count, width, signed, digits, 0, most)


def _bfi(a: Node, into: Node, low: Node, count: Node, width: int, signed: bool) -> Node:
    return ir.INSERT(a, into, low, count, width, *_read_of_field(width))


class _Typed(NamedTuple):
    """An instruction with one suffix, an integer type, as a function of its sources."""

    widths: tuple[int, ...]
    """The width of each source in bits; 0: the width of the type."""
    make: Callable[..., Node | None]
    """Takes the sources, the width of the type, and whether it is signed; returns None if it is not understood."""

    def __call__(self, line: PtxStatement) -> SsaStep | None:
        typed = _integer(line)
        if typed is None:
            return None
        signed, width = typed
        widths = [bits or width for bits in self.widths]
        node = self.make(*[ir.CUT(IN[place], bits) for place, bits in enumerate(widths)], width, signed)
        return None if node is None else _result(line, widths, lambda *_: node)


_EXACT: dict[str, _Typed | Callable[[PtxStatement], SsaStep | None]] = {
    "and": _Typed((0, 0), lambda a, b, width, _: ir.AND(a, b, width)),
    "or": _Typed((0, 0), lambda a, b, width, _: ir.OR(a, b, width)),
    "xor": _Typed((0, 0), lambda a, b, width, _: ir.XOR(a, b, width)),
    "not": _Typed((0,), lambda a, width, _: ir.NOT(a, width)),
    "cnot": _Typed(
        (0,), lambda a, width, _: ir.EXTEND(ir.COMPARE(a, known.const(0, width), "EQ", width), 1, width, False)
    ),
    "neg": _Typed((0,), lambda a, width, _: ir.negated(a, width)),
    "abs": _Typed((0,), _absolute),
    "shl": _Typed((0, WORD), lambda a, count, width, _: ir.SHL(a, count, width)),
    "shr": _Typed((0, WORD), lambda a, count, width, signed: (ir.SAR if signed else ir.SHR)(a, count, width)),
    "bfe": _Typed((0, WORD, WORD), _bfe),
    "bfi": _Typed((0, 0, WORD, WORD), _bfi),
    "min": _Typed((0, 0), lambda a, b, width, _: ir.EITHER(a, b, width)),
    "max": _Typed((0, 0), lambda a, b, width, _: ir.EITHER(a, b, width)),
    "div": _Typed((0, 0), lambda a, b, width, signed: None if signed else ir.DIVIDE(a, b, width)),
    "rem": _Typed((0, 0), lambda a, b, width, signed: None if signed else ir.REST(a, b, width)),
    "clz": _Typed((0,), lambda a, width, _: ir.GIVEN(known.at_most(width, WORD))),
    "popc": _Typed((0,), lambda a, width, _: ir.GIVEN(known.at_most(width, WORD))),
    "brev": _Typed((0,), lambda a, width, _: ir.REVERSE(a, width)),
    "prmt": _Typed((WORD,) * 3, lambda a, b, selector, width, _: ir.PERMUTE(a, b, selector)),
    **dict.fromkeys(("add", "addc", "sub", "subc"), _add),
    **dict.fromkeys(("mul", "mul24"), _mul),
    **dict.fromkeys(("mad", "mad24", "madc"), _mad),
    **dict.fromkeys(("selp", "slct"), _either),
    **dict.fromkeys(("ld", "ldu"), _load),
    "mov": _mov,
    "lop3": _lop3,
    "shf": _funnel,
    "szext": _szext,
    "bmsk": _bmsk,
    "cvt": _cvt,
    "cvta": _cvta,
    "mapa": _mapa,
    "shfl": _shfl,
    "redux": _redux,
    "setp": _setp,
    "elect": lambda line: _given(line, known.at_most(SPECIAL["%laneid"], WORD)),
    "getctarank": lambda line: _given(line, known.at_most(SPECIAL["%cluster_ctarank"], WORD)),
}
"""The functions of instructions, by their names."""


def lower(line: PtxStatement) -> SsaStep:
    """Return what a line writes (at most :attr:`PtxStatement.writes`) and, if known, how that follows from what it
    reads."""
    exact = _logic if line.suffixes == ("pred",) else _EXACT.get(line.name)
    if exact is not None and line.operands:
        step = exact(line)
        first, _, second = line.operands[0].partition("|")
        # The second of two results, ``%r1|%p1``, is a predicate.
        predicates = () if first.startswith("{") else named_registers(second, line.scope)
        if step is not None and set(line.writes) <= {*step.writes, *predicates}:
            return step
    return SsaStep(line.writes)


def symbol(line: PtxStatement) -> tuple[str, int] | None:
    """Return the shared variable whose address a line reads, and the number added to it; None if there is not one."""
    sums = [(text, 0) if PTX_NAME.fullmatch(text) else added(text) for text in line.operands[1:]]
    found = [sum_of for sum_of in sums if sum_of is not None and line.scope.alignment(sum_of[0]) is not None]
    return (found[0][0], found[0][1] or 0) if len(found) == 1 else None


def cause(line: PtxStatement) -> str | None:
    """Return which source outside the text an instruction takes its result from; None if it could be known."""
    space = line.suffixes[0].partition("::")[0] if line.suffixes else ""
    if line.role is CALL:
        return causes.CALL
    if line.name in ("ld", "ldu", "atom") and space not in ("", "local"):
        return causes.ARGUMENT if space == "param" else causes.MEMORY
    special = line.name == "mov" and any(map(is_special, line.operands[1:]))
    return causes.SPECIAL if special else None
