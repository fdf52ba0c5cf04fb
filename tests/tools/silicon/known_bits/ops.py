"""Integer instructions of PTX with what they compute, on plain numbers (PTX ISA, "Integer Arithmetic Instructions"
to "Data Movement and Conversion Instructions"). Nothing here knows of partly known bits.

Sources are letters: ``r`` a 32-bit register or a constant, ``d`` a 64-bit one, ``R`` and ``D`` registers only, ``p``
a predicate; ``k`` is a count, in a register or a constant. Constants only are ``n`` (a count or position), ``S`` (a
selector of bytes) and ``t`` (a table of ``lop3``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

M8, M16, M32, M64 = 0xFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class Op(NamedTuple):
    """``text`` is the instruction, results first; ``result`` the kinds of the registers that it writes."""

    text: str
    result: str
    sources: str
    compute: Callable[..., int | tuple[int, ...]]
    weight: int = 1


def signed(x: int, bits: int) -> int:
    """Return the number in two's complement of ``bits`` bits."""
    x &= (1 << bits) - 1
    return x - (x >> bits - 1 << bits)


def _field(pos: int, length: int, width: int) -> tuple[int, int]:
    """Return the position and length that are read: of 64 bits ptxas 13.5 reads more than the PTX ISA says."""
    return (pos & M8, length & M8) if width <= 32 else (pos, length)


def bfe(a: int, pos: int, length: int, width: int, sign: bool) -> int:
    """Extract a bit field; what lies past the top is the sign (``bfe``)."""
    pos, length, top = *_field(pos, length, width), width - 1
    filler = a >> min(pos + length - 1, top) & 1 if sign and length else 0
    bits = (a >> pos + i & 1 if i < length and pos + i <= top else filler for i in range(width))
    return sum(bit << i for i, bit in enumerate(bits))


def bfi(a: int, b: int, pos: int, length: int, width: int) -> int:
    """Insert a bit field of ``a`` into ``b``."""
    pos, length = _field(pos, length, width)
    for i in range(min(length, width)):
        if pos + i < width:
            b = b & ~(1 << pos + i) | (a >> i & 1) << pos + i
    return b


def prmt(a: int, b: int, selector: int) -> int:
    """Pick bytes of ``b:a``; the top bit of a nibble repeats the byte's sign."""
    both, out = b << 32 | a, 0
    for place in range(4):
        nibble = selector >> 4 * place & 15
        byte = both >> 8 * (nibble & 7) & M8
        if nibble & 8:
            byte = M8 * (byte >> 7)
        out |= byte << 8 * place
    return out


def lop3(a: int, b: int, c: int, table: int) -> int:
    """Look up every bit in the table."""
    out = 0
    for row in range(8):
        if table >> row & 1:
            out |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return out & M32


def shift_left(a: int, count: int, width: int) -> int:
    """Shift; counts above the width are the width."""
    return a << min(count, width) & (1 << width) - 1


def shift_right(a: int, count: int, width: int, sign: bool) -> int:
    """Shift; counts above the width are the width."""
    return (signed(a, width) if sign else a) >> min(count, width) & (1 << width) - 1


def _both(low: int, high: int) -> int:
    return high << 32 | low


def _halves(x: int) -> tuple[int, int]:
    return x & M32, x >> 32 & M32


def _wide(sign: bool) -> Callable[[int, int], int]:
    return lambda a, b: (signed(a, 32) * signed(b, 32) if sign else a * b) & M64


OPS = (
    Op("and.b32 {}, {}, {}", "r", "Rr", lambda a, b: a & b, 6),
    Op("or.b32 {}, {}, {}", "r", "Rr", lambda a, b: a | b, 5),
    Op("xor.b32 {}, {}, {}", "r", "Rr", lambda a, b: a ^ b, 2),
    Op("not.b32 {}, {}", "r", "R", lambda a: ~a & M32),
    Op("lop3.b32 {}, {}, {}, {}, {}", "r", "RRrt", lop3, 3),
    Op("shl.b32 {}, {}, {}", "r", "Rk", lambda a, n: shift_left(a, n, 32), 5),
    Op("shr.u32 {}, {}, {}", "r", "Rk", lambda a, n: shift_right(a, n, 32, False), 4),
    Op("shr.s32 {}, {}, {}", "r", "Rk", lambda a, n: shift_right(a, n, 32, True), 2),
    Op("shf.l.clamp.b32 {}, {}, {}, {}", "r", "RRk", lambda a, b, n: _both(a, b) << min(n, 32) >> 32 & M32),
    Op("shf.r.clamp.b32 {}, {}, {}, {}", "r", "RRk", lambda a, b, n: _both(a, b) >> min(n, 32) & M32),
    Op("shf.l.wrap.b32 {}, {}, {}, {}", "r", "RRk", lambda a, b, n: _both(a, b) << (n & 31) >> 32 & M32),
    Op("shf.r.wrap.b32 {}, {}, {}, {}", "r", "RRk", lambda a, b, n: _both(a, b) >> (n & 31) & M32),
    Op("add.u32 {}, {}, {}", "r", "Rr", lambda a, b: a + b & M32, 4),
    Op("sub.u32 {}, {}, {}", "r", "rR", lambda a, b: a - b & M32, 2),
    Op("mul.lo.u32 {}, {}, {}", "r", "Rr", lambda a, b: a * b & M32, 2),
    Op("mul.hi.u32 {}, {}, {}", "r", "Rr", lambda a, b: a * b >> 32),
    Op("mad.lo.u32 {}, {}, {}, {}", "r", "Rrr", lambda a, b, c: a * b + c & M32, 2),
    Op("bfe.u32 {}, {}, {}, {}", "r", "Rkn", lambda a, p, n: bfe(a, p, n, 32, False), 2),
    Op("bfe.s32 {}, {}, {}, {}", "r", "Rkn", lambda a, p, n: bfe(a, p, n, 32, True), 2),
    Op("bfe.u32 {}, {}, {}, {}", "r", "Rnk", lambda a, p, n: bfe(a, p, n, 32, False)),
    Op("bfe.s32 {}, {}, {}, {}", "r", "Rnk", lambda a, p, n: bfe(a, p, n, 32, True)),
    Op("bfi.b32 {}, {}, {}, {}, {}", "r", "rRnn", lambda a, b, p, n: bfi(a, b, p, n, 32), 2),
    Op("bfi.b32 {}, {}, {}, {}, {}", "r", "RRkn", lambda a, b, p, n: bfi(a, b, p, n, 32)),
    Op("prmt.b32 {}, {}, {}, {}", "r", "RrS", prmt, 3),
    Op("prmt.b32 {}, {}, {}, {}", "r", "RRk", prmt),
    Op("selp.b32 {}, {}, {}, {}", "r", "rrp", lambda a, b, p: a if p else b, 3),
    Op("min.u32 {}, {}, {}", "r", "Rr", min),
    Op("max.u32 {}, {}, {}", "r", "Rr", max),
    Op("min.s32 {}, {}, {}", "r", "Rr", lambda a, b: min(a, b, key=lambda x: signed(x, 32))),
    Op("max.s32 {}, {}, {}", "r", "Rr", lambda a, b: max(a, b, key=lambda x: signed(x, 32))),
    Op("abs.s32 {}, {}", "r", "R", lambda a: abs(signed(a, 32)) & M32),
    Op("neg.s32 {}, {}", "r", "R", lambda a: -a & M32),
    Op("popc.b32 {}, {}", "r", "R", int.bit_count),
    Op("clz.b32 {}, {}", "r", "R", lambda a: 32 - a.bit_length()),
    Op("cvt.u32.u8 {}, {}", "r", "R", lambda a: a & M8),
    Op("cvt.s32.s8 {}, {}", "r", "R", lambda a: signed(a, 8) & M32),
    Op("cvt.u32.u16 {}, {}", "r", "R", lambda a: a & M16),
    Op("cvt.s32.s16 {}, {}", "r", "R", lambda a: signed(a, 16) & M32),
    Op("cvt.u32.u64 {}, {}", "r", "D", lambda a: a & M32),
    Op("popc.b64 {}, {}", "r", "D", int.bit_count),
    Op(
        "add.cc.u32 {0}, {2}, {3}; addc.u32 {1}, {4}, {5}",
        "rr",
        "rRrR",
        lambda a, b, c, d: _halves(_both(a, c) + _both(b, d)),
        2,
    ),
    Op(
        "sub.cc.u32 {0}, {2}, {3}; subc.u32 {1}, {4}, {5}",
        "rr",
        "rRrR",
        lambda a, b, c, d: _halves(_both(a, c) - _both(b, d)),
        2,
    ),
    Op("mov.b64 {{{}, {}}}, {}", "rr", "D", _halves, 3),
    Op("mov.b64 {}, {{{}, {}}}", "d", "RR", _both, 5),
    Op("cvt.u64.u32 {}, {}", "d", "R", lambda a: a, 3),
    Op("cvt.s64.s32 {}, {}", "d", "R", lambda a: signed(a, 32) & M64, 2),
    Op("and.b64 {}, {}, {}", "d", "Dd", lambda a, b: a & b, 6),
    Op("or.b64 {}, {}, {}", "d", "Dd", lambda a, b: a | b, 5),
    Op("xor.b64 {}, {}, {}", "d", "Dd", lambda a, b: a ^ b, 2),
    Op("not.b64 {}, {}", "d", "D", lambda a: ~a & M64),
    Op("shl.b64 {}, {}, {}", "d", "Dk", lambda a, n: shift_left(a, n, 64), 5),
    Op("shr.u64 {}, {}, {}", "d", "Dk", lambda a, n: shift_right(a, n, 64, False), 4),
    Op("shr.s64 {}, {}, {}", "d", "Dk", lambda a, n: shift_right(a, n, 64, True), 2),
    Op("add.u64 {}, {}, {}", "d", "Dd", lambda a, b: a + b & M64, 4),
    Op("sub.u64 {}, {}, {}", "d", "dD", lambda a, b: a - b & M64, 3),
    Op("mul.wide.u32 {}, {}, {}", "d", "Rr", _wide(False), 2),
    Op("mul.wide.s32 {}, {}, {}", "d", "Rr", _wide(True), 2),
    Op("mad.wide.u32 {}, {}, {}, {}", "d", "RrD", lambda a, b, c: _wide(False)(a, b) + c & M64, 2),
    Op("mad.wide.s32 {}, {}, {}, {}", "d", "RrD", lambda a, b, c: _wide(True)(a, b) + c & M64, 2),
    Op("mul.lo.u64 {}, {}, {}", "d", "Dd", lambda a, b: a * b & M64),
    Op("mad.lo.u64 {}, {}, {}, {}", "d", "DdD", lambda a, b, c: a * b + c & M64),
    Op("bfe.u64 {}, {}, {}, {}", "d", "Dnn", lambda a, p, n: bfe(a, p, n, 64, False)),
    Op("bfe.s64 {}, {}, {}, {}", "d", "Dnn", lambda a, p, n: bfe(a, p, n, 64, True)),
    Op("bfi.b64 {}, {}, {}, {}, {}", "d", "DDnn", lambda a, b, p, n: bfi(a, b, p, n, 64)),
    Op("selp.b64 {}, {}, {}, {}", "d", "ddp", lambda a, b, p: a if p else b, 2),
    Op("min.u64 {}, {}, {}", "d", "Dd", min),
    Op("max.s64 {}, {}, {}", "d", "Dd", lambda a, b: max(a, b, key=lambda x: signed(x, 64))),
    Op("abs.s64 {}, {}", "d", "D", lambda a: abs(signed(a, 64)) & M64),
    Op("neg.s64 {}, {}", "d", "D", lambda a: -a & M64),
    *(
        Op(f"setp.{name}.{kind}32 {{}}, {{}}, {{}}", "p", "Rr", compare)
        for name, kind, compare in (
            ("lt", "u", lambda a, b: int(a < b)),
            ("ge", "s", lambda a, b: int(signed(a, 32) >= signed(b, 32))),
            ("eq", "u", lambda a, b: int(a == b)),
            ("ne", "u", lambda a, b: int(a != b)),
        )
    ),
)
