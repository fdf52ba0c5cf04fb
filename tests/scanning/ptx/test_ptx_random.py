"""Random programs of PTX: whatever the analysis claims of a register is so each time something was written to it.

The programs are those of :mod:`silicon.known_bits`, which a chip has run, and more of them with instructions that these
do not have. They run on plain numbers, by semantics that are written down once more, from the manual's pseudo code.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from silicon.known_bits import frames, kernels, rolled, steps, ways
from silicon.known_bits.kernels import Do, Lane, Maker, Program, Read, Shuffle, Source, Statement
from silicon.known_bits.ops import M32, OPS, Op, bfe, bfi, shift_left, shift_right, signed

from smemdesc.scanning import scan_text

from .asking import probe

pytestmark = pytest.mark.corpus  # long: .ci/run has it

WIDTHS = {"h": 16, "r": 32, "d": 64}
"""Bits of a register, by the letter of its name."""
COUNTS = (0, 1, 4, 8, 14, 16, 31, 32, 33, 62, 64, 255, 256, 1024, M32)
LAUNCHES = 2
"""Warps that run a program."""


def ones(width: int) -> int:
    return (1 << width) - 1


def szext(a: int, b: int, sign: bool, clamp: bool) -> int:
    low = b & 31
    large = b >= 32 and clamp
    mask = 0 if large else ones(32) & ~ones(low)
    place = (low - 1) & 31
    bit = not (low == 0 or large or not sign) and a >> place & 1
    return (a & ~mask | (mask if bit else 0)) & ones(32)


def bmsk(a: int, b: int, clamp: bool) -> int:
    a1, b1 = a & 31, b & 31
    mask0 = ones(32) & (ones(32) << a1)
    if clamp and a >= 32:
        mask0 = 0
    mask1 = ones(32) & (ones(32) << (a1 + b1))
    if a1 + b1 >= 32 or (clamp and (a >= 32 or b >= 32)):
        mask1 = 0
    elif b1 == 0:
        mask1 = ones(32)
    return mask0 & ~mask1 & ones(32)


def mul24(a: int, b: int, sign: bool, high: bool) -> int:
    a, b = (signed(each, 24) if sign else each & 0xFFFFFF for each in (a, b))
    return (a * b >> 16 if high else a * b) & M32


def convert(a: int, source: int, target: int, width: int, signs: str) -> int:
    """Of ``signs`` the first is the target's: a wider register gets its sign, or zeros."""
    value = signed(a, source) if signs[1] == "s" else a & ones(source)
    value &= ones(target)
    return (signed(value, target) if signs[0] == "s" else value) & ones(width)


def of_every_width(letter: str, width: int) -> Iterator[Op]:
    """``m``: a number to divide by; ``c``: a count or position, mostly at the edges of what there is."""
    full, one, two, three = ones(width), letter.upper(), "{}, {}", "{}, {}, {}"

    def reverse(a: int) -> int:
        return int(f"{a:0{width}b}"[::-1], 2)

    yield Op(f"mul.hi.u{width} {three}", letter, one + letter, lambda a, b: a * b >> width)
    yield Op(f"mul.hi.s{width} {three}", letter, one + letter,
             lambda a, b: signed(a, width) * signed(b, width) >> width & full)  # fmt: skip
    yield Op(f"min.s{width} {three}", letter, one + letter, lambda a, b: min(a, b, key=lambda x: signed(x, width)), 2)
    yield Op(f"max.u{width} {three}", letter, one + letter, max, 2)
    yield Op(f"div.u{width} {three}", letter, one + "m", lambda a, b: a // b)
    yield Op(f"rem.u{width} {three}", letter, one + "m", lambda a, b: a % b)
    if width > 16:
        yield Op(f"cnot.b{width} {two}", letter, one, lambda a: int(not a))
        yield Op(f"brev.b{width} {two}", letter, one, reverse)
        for sign in "us":
            yield Op(f"bfe.{sign}{width} {{}}, {three}", letter, one + "cc",
                     lambda a, at, n, sign=sign: bfe(a, at, n, width, sign == "s") & full)  # fmt: skip
        yield Op(f"bfi.b{width} {two}, {three}", letter, one + letter + "cc",
                 lambda a, b, at, n: bfi(a, b, at, n, width))  # fmt: skip


def of_halves() -> Iterator[Op]:
    full = ones(16)
    same: dict[str, Callable[[int, int], int]] = {
        "and.b": lambda a, b: a & b, "or.b": lambda a, b: a | b, "xor.b": lambda a, b: a ^ b,
        "add.u": lambda a, b: a + b & full, "sub.s": lambda a, b: a - b & full, "mul.lo.s": lambda a, b: a * b & full,
    }  # fmt: skip
    for name, compute in same.items():
        yield Op(f"{name}16 {{}}, {{}}, {{}}", "h", "Hh", compute, 4)
    yield Op("shl.b16 {}, {}, {}", "h", "Hk", lambda a, n: shift_left(a, n, 16), 4)
    yield Op("shr.u16 {}, {}, {}", "h", "Hk", lambda a, n: shift_right(a, n, 16, False), 4)
    yield Op("shr.s16 {}, {}, {}", "h", "Hk", lambda a, n: shift_right(a, n, 16, True) & full, 4)
    yield Op("selp.b16 {}, {}, {}, {}", "h", "hhp", lambda a, b, p: a if p else b)
    yield Op("mov.b32 {{{}, {}}}, {}", "hh", "R", lambda a: (a & full, a >> 16), 9)
    yield Op("mov.b32 {}, {{{}, {}}}", "r", "HH", lambda a, b: b << 16 | a, 3)
    yield Op("mul.wide.u16 {}, {}, {}", "r", "Hh", lambda a, b: a * b, 3)
    yield Op("mul.wide.s16 {}, {}, {}", "r", "Hh", lambda a, b: signed(a, 16) * signed(b, 16) & M32)
    yield Op("mad.wide.u16 {}, {}, {}, {}", "r", "HhR", lambda a, b, c: a * b + c & M32)
    yield Op("mad.wide.s16 {}, {}, {}, {}", "r", "HhR", lambda a, b, c: signed(a, 16) * signed(b, 16) + c & M32)
    for name in ("eq", "lt", "ge"):
        for sign in "us":
            holds = next(op for op in ways.COMPARES[32] if op.text.startswith(f"setp.{name}.{sign}"))
            yield holds._replace(text=f"setp.{name}.{sign}16 {{}}, {{}}, {{}}", sources="Hh",
                                 compute=lambda a, b, holds=holds: holds.compute(a << 16, b << 16))  # fmt: skip


def of_words() -> Iterator[Op]:
    yield Op("mul24.lo.u32 {}, {}, {}", "r", "Rr", lambda a, b: mul24(a, b, False, False), 3)
    yield Op("mul24.hi.s32 {}, {}, {}", "r", "Rr", lambda a, b: mul24(a, b, True, True), 3)
    yield Op("mad24.lo.s32 {}, {}, {}, {}", "r", "Rrr", lambda a, b, c: mul24(a, b, True, False) + c & M32, 3)
    yield Op("mad.hi.s32 {}, {}, {}, {}", "r", "Rrr",
             lambda a, b, c: (signed(a, 32) * signed(b, 32) >> 32) + c & M32)  # fmt: skip
    yield Op("szext.wrap.s32 {}, {}, {}", "r", "Rc", lambda a, b: szext(a, b, True, False), 3)
    yield Op("szext.clamp.u32 {}, {}, {}", "r", "Rc", lambda a, b: szext(a, b, False, True), 3)
    yield Op("bmsk.clamp.b32 {}, {}, {}", "r", "cc", lambda a, b: bmsk(a, b, True), 3)
    yield Op("bmsk.wrap.b32 {}, {}, {}", "r", "cc", lambda a, b: bmsk(a, b, False), 3)
    yield Op("bmsk.clamp.b32 {}, {}, {}", "r", "Rk", lambda a, b: bmsk(a, b, True), 3)
    yield Op("clz.b64 {}, {}", "r", "D", lambda a: 64 - a.bit_length())


def of_conversions() -> Iterator[Op]:
    sizes = [(letter, size) for letter, width in WIDTHS.items() for size in (8, 16, 32, 64) if size <= width]
    for (to, target), (of, source) in ((one, other) for one in sizes for other in sizes):
        for signs in ("uu", "us", "su", "ss"):
            yield Op(f"cvt.{signs[0]}{target}.{signs[1]}{source} {{}}, {{}}", to, of.upper(),
                     lambda a, s=source, t=target, w=WIDTHS[to], signs=signs: convert(a, s, t, w, signs),
                     0.05)  # type: ignore[arg-type]  # fmt: skip


MORE = [
    *(op._replace(weight=max(op.weight, 3)) for op in OPS if ";" not in op.text),  # carries are those of Carry
    *(op for letter, width in WIDTHS.items() for op in of_every_width(letter, width)),
    *of_halves(),
    *of_words(),
    *of_conversions(),
]


class Carry(NamedTuple):
    """A sum, difference or product that may take the carry, or borrow, and may leave one."""

    name: str
    width: int
    takes: bool
    leaves: bool
    result: str
    sources: tuple[Source, ...]
    guard: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        guard = f"@{self.guard} " if self.guard else ""
        name = f"{self.name}{'c' * self.takes}{'.lo' if self.name == 'mad' else ''}{'.cc' * self.leaves}.u{self.width}"
        sources = ", ".join(f"{each:#x}" if isinstance(each, int) else each for each in self.sources)
        return [f"{guard}{name} {self.result}, {sources};"]

    def run(self, lanes: list[Lane]) -> None:
        """Compute."""
        full = ones(self.width)
        for lane in lanes:
            if self.guard and bool(lane[self.guard.lstrip("!")]) == (self.guard[0] == "!"):
                continue
            *factors, term = (each if isinstance(each, int) else lane[each] for each in self.sources)
            carry = lane.get("carry", lane["laneid"] & 1) if self.takes else 0
            first = factors[0] * factors[-1] & full if self.name == "mad" else factors[0]
            total = first - term - carry if self.name == "sub" else first + term + carry
            lane[self.result] = total & full
            if self.leaves:
                lane["carry"] = int(not 0 <= total <= full)


class Declared(NamedTuple):
    """The registers of 16 bits."""

    count: int

    def lines(self) -> list[str]:
        """Return the PTX."""
        return [f".reg .b16 %h<{self.count + 1}>;"]

    def run(self, lanes: list[Lane]) -> None:
        """Begin."""


class More(ways.Ways):
    """Writes a program with every instruction that is understood."""

    ops = tuple(MORE)

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.pool["h"], self.count["h"] = [], 0

    def ready(self, op: Op) -> bool:
        needs = {"H": "h", "c": "r"}
        return super().ready(op) and all(self.pool[needs[letter]] for letter in op.sources if letter in needs)

    def source(self, letter: str) -> Source:
        if letter == "m":
            return self.rng.choice((1, 3, 8, 16, 10, 1024))
        if letter == "c" or (letter == "k" and self.rng.random() < 0.3):
            return self.rng.choice((*COUNTS, self.pick("r"), self.pick("r")))
        if letter == "h":
            return self.pick("h") if self.pool["h"] and self.rng.random() < 0.6 else self.constant(16)
        return super().source(letter)

    def statement(self) -> list[Statement]:
        chance = self.rng.random()
        return [self.carry()] if chance < 0.2 else self.do() if chance < 0.6 else super().statement()

    def carry(self) -> Statement:
        rng = self.rng
        name, kind = rng.choice(("add", "sub", "mad")), rng.choice("rrd")
        kind = "r" if name == "mad" else kind
        sources = tuple(self.source(each) for each in (kind.upper(), *(kind * (1 + (name == "mad")))))
        guard = ""
        if self.pool["p"] and rng.random() < 0.2:
            result, guard = self.pick(kind), rng.choice(("", "!")) + self.pick("p")
        else:
            self.keep((kind, result := self.new(kind)))
        return Carry(name, WIDTHS[kind], rng.random() < 0.6, rng.random() < 0.7, result, sources, guard)

    def program(self) -> Program:
        made = super().program()
        return made._replace(statements=(Declared(self.count["h"]), *made.statements))


class Probe(NamedTuple):
    """An MMA that reads what was just written; ``seen`` is that, by lane and run."""

    register: str
    seen: list[int]

    def lines(self) -> list[str]:
        """Return the PTX."""
        return [probe(self.register)]

    def run(self, lanes: list[Lane]) -> None:
        """Note it."""
        self.seen.extend(lane[self.register] for lane in lanes)


WRITES = (Carry, Do, Read, Shuffle, ways.Load, frames.Get)


def probed(statements: Sequence[Any], probes: list[Probe]) -> list[Any]:
    """Return the statements with a probe behind each that writes a register, those within others as well."""
    made = []
    for each in statements:
        inner = {
            name: [probed(way, probes) for way in value] if isinstance(each, ways.Switch) else probed(value, probes)
            for name, value in each._asdict().items()
            if isinstance(value, list)
        }
        made.append(each._replace(**inner))
        for name in getattr(each, "results", None) or (getattr(each, "result", ""),):
            if isinstance(each, WRITES) and not name.startswith("%p"):
                probes.append(Probe(name, []))
                made.append(probes[-1])
    return made


def check(plain: Program) -> int:
    """Return how many bits were claimed; fail where one is wrong."""
    probes: list[Probe] = []
    program = plain._replace(statements=tuple(probed(plain.statements, probes)))
    text = kernels.module([program])
    (function,) = scan_text(text).functions
    assert function.odd == 0, text
    for launch in range(LAUNCHES):
        program.run(kernels.warp(launch))
    claimed = 0
    for each, mma in zip(probes, function.mmas[:-1], strict=True):
        claim, full = mma.b, ones(WIDTHS[each.register[1]])
        assert claim is not None
        wrong = [value for value in each.seen if (value ^ claim.bits) & claim.known & full]
        assert not wrong, f"{text}\n{text.splitlines()[mma.line - 2]} leaves {wrong[0]:#x}, claimed {claim}"
        claimed += (claim.known & full).bit_count() if each.seen else 0
    return claimed


MAKERS: dict[str, type[Maker]] = {
    "more": More, "kernels": Maker, "ways": ways.Ways, "steps": steps.Steps, "rolled": rolled.Rolling,
    "frames": frames.Frames,
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_claims_hold(name: str) -> None:
    programs = kernels.make(90 if name == "more" else 15, MAKERS[name], f"ptx {name}")
    claimed = sum(map(check, programs))
    assert claimed > 200 * len(programs)  # an analysis that knows nothing is never wrong
