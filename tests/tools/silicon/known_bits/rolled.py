"""Random kernels for what a scan knows of loops that count and, in each round, add to what becomes a descriptor.

Like :mod:`silicon.known_bits.ways`, and always the same ones too. The compiler is asked not to unroll most of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NamedTuple

from silicon.known_bits import kernels
from silicon.known_bits.kernels import FRAME, MOVE, Do, If, Lane, Program, Source, Statement, lines_of, run_all
from silicon.known_bits.ops import M32, M64, Op, signed
from silicon.known_bits.ways import Ways

KERNELS = 150
MOST = 24
"""Rounds of a loop."""

_SUM = {
    "r": Op("add.u32 {}, {}, {}", "r", "rr", lambda a, b: a + b & M32),
    "d": Op("add.u64 {}, {}, {}", "d", "dd", lambda a, b: a + b & M64),
}
_OR = Op("or.b64 {}, {}, {}", "d", "dd", lambda a, b: a | b)
_LOW = Op("cvt.u32.u64 {}, {}", "r", "d", lambda a: a & M32)
_JOIN = Op("mov.b64 {}, {{{}, {}}}", "d", "rr", lambda a, b: a | b << 32)
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


class Test(NamedTuple):
    """What has to hold for another round, of numbers of 32 bits."""

    start: int
    step: int
    how: str
    sign: str
    bound: Source
    top: bool
    old: bool
    guard: bool

    def holds(self, number: int, bound: int) -> bool:
        """Compare."""
        if self.sign == "s":
            number, bound = signed(number, 32), signed(bound, 32)
        return _HOLDS[self.how](number, bound)

    def rounds(self, bound: int) -> int:
        """Return how often the body runs; more than :data:`MOST` where that does not end soon."""
        number, count = self.start, 0
        if self.guard and not self.holds(number, bound):
            return 0
        while count <= MOST:
            if self.top and not self.holds(number, bound):
                break
            count += 1
            before, number = number, number + self.step & M32
            if not self.top and not self.holds(before if self.old else number, bound):
                break
        return count


class Rolled(NamedTuple):
    """A loop; ``counter``, ``next`` and ``predicate`` are registers of its own."""

    label: str
    test: Test
    counter: str
    next: str
    predicate: str
    body: list[Statement]
    nounroll: bool

    def lines(self) -> list[str]:
        """Return the PTX."""
        test, p, label = self.test, self.predicate, self.label
        bound = f"{test.bound:#x}" if isinstance(test.bound, int) else test.bound

        def compare(how: str, number: str) -> str:
            return f"setp.{how}.{test.sign}32 {p}, {number}, {bound};"

        out = [f"mov.u32 {self.counter}, {test.start:#x};"]
        if test.guard:
            out += [compare(_OPPOSITE[test.how], self.counter), f"@{p} bra {label}end;"]
        out += [f"{label}:", *(['.pragma "nounroll";'] if self.nounroll else [])]
        if test.top:
            out += [compare(_OPPOSITE[test.how], self.counter), f"@{p} bra {label}end;"]
        step = f"add.u32 {self.next}, {self.counter}, {test.step & M32:#x};"
        out += [*lines_of(self.body), step]
        if test.top:
            out += [f"mov.u32 {self.counter}, {self.next};", f"bra {label};"]
        else:
            out += [compare(test.how, self.counter if test.old else self.next)]
            out += [f"mov.u32 {self.counter}, {self.next};", f"@{p} bra {label};"]
        return [*out, f"{label}end:"]

    def run(self, lanes: list[Lane]) -> None:
        """Run as often as each lane wants."""
        bounds = {
            id(lane): self.test.bound if isinstance(self.test.bound, int) else lane[self.test.bound] for lane in lanes
        }
        times = {bound: self.test.rounds(bound) for bound in set(bounds.values())}
        assert max(times.values(), default=0) <= MOST
        for turn in range(MOST):
            run_all(self.body, [lane for lane in lanes if times[bounds[id(lane)]] > turn])


class Rolling(Ways):
    """Writes one program."""

    def test(self) -> tuple[list[Statement], Test]:
        """Draw a test until it ends."""
        rng = self.rng
        while True:
            step = rng.choice((1, 1, 1, 2, 3, 4, 16, -1, -1, -2, -4, 1 << 28, -(1 << 29)))
            start = rng.choice((0, 0, 0, 1, 4, 7, 16, M32, M32 - 2, 1 << 31, (1 << 31) - 2))
            bound = start + step * rng.randint(1, 9) + rng.choice((0, 0, 0, 1, -1)) & M32
            likely = ("ne", "lt", "le") if step > 0 else ("ne", "gt", "ge")
            how = rng.choice(likely if rng.random() < 0.85 else tuple(_HOLDS))
            sign = "u" if how in ("eq", "ne") else rng.choice("us")
            flags = rng.random() < 0.4, rng.random() < 0.3, rng.random() < 0.3
            test = Test(start, step, how, sign, bound, *flags)
            if rng.random() < 0.3:
                name, more = self.new("r"), rng.choice((1, 3, 7))
                if all(0 < test.rounds(each) <= MOST or flags[0] or flags[2] for each in range(more + 1)) and all(
                    test.rounds(each) <= MOST for each in range(more + 1)
                ):
                    return [Do(FRAME["r"][0], (name,), (self.pick("r"), more))], test._replace(bound=name)
            elif 0 < test.rounds(bound) <= MOST:
                return [], test

    def grow(self, variables: list[tuple[str, str]]) -> list[Statement]:
        """Add a constant to a variable, or what is nearly one."""
        rng = self.rng
        kind, name = rng.choice(variables)
        by = rng.choice((1, 2, 2, 4, 0x20, 0x40, 0x100, 0x200, -2, -0x40)) & (M32 if kind == "r" else M64)
        grown: list[Statement] = [Do(_SUM[kind], (name,), (name, by))]
        chance = rng.random()
        if chance < 0.1 and self.pool["p"]:
            return [Do(_SUM[kind], (name,), (name, by), guard=rng.choice(("", "!")) + self.pick("p"))]
        if chance < 0.2 and self.pool["p"]:
            other: list[Statement] = [Do(_SUM[kind], (name,), (name, by ^ 2))] if rng.random() < 0.7 else []
            return [If(self.label(), self.pick("p"), grown, other)]
        if chance < 0.25:
            return [Do(MOVE[kind], (name,), (self.pick(kind),))]
        if chance < 0.35:
            more = self.new(kind)
            return [Do(_SUM[kind], (more,), (name, by)), Do(MOVE[kind], (name,), (more,))]
        return grown

    def loop(self, variables: list[tuple[str, str]], depth: int) -> list[Statement]:
        rng = self.rng
        made, test = self.test()
        body: list[Statement] = []
        for _ in range(rng.randint(1, 4)):
            body += self.loop(variables, depth - 1) if depth and rng.random() < 0.25 else self.grow(variables)
        names = self.new("r"), self.new("r"), self.new("p")
        return [*made, Rolled(self.label(), test, *names, body, rng.random() < 0.85)]

    def rolled(self) -> list[Statement]:
        """Descriptors of which something is added to the start address, in a loop."""
        rng = self.rng
        made: list[Statement] = []
        variables = []
        for kind in rng.choice(("d", "rd", "rr", "dd", "rrd")):
            start, whole, name = self.new(kind), self.new(kind), self.new(kind)
            fields = rng.choice((0x4000004000000000, 0x4000004000010000, 0x8000010000400000, 0x40000040, 0x10000))
            mask = rng.choice((0xFF, 0xFFF, 0x1FF0, 0x3))
            made.append(Do(FRAME[kind][0], (start,), (self.pick(kind), mask)))
            made.append(Do(FRAME[kind][1], (whole,), (start, fields & (M32 if kind == "r" else M64))))
            made.append(Do(MOVE[kind], (name,), (whole,)))
            variables.append((kind, name))
        made += self.loop(variables, 1)
        self.keep(*variables)
        self.grown = variables
        return made

    def statement(self) -> list[Statement]:
        """A loop that counts, or a statement as in the other kernels."""
        return super().statement() if self.rng.random() < 0.4 else self.rolled()

    grown: list[tuple[str, str]]

    def values(self) -> list[Statement]:
        """Make the two values last of all, of what has grown."""
        made = self.rolled()
        made += super().values()
        for place, (kind, name) in enumerate(self.grown[:2]):
            if kind == "r":
                whole = self.new("d")
                made.append(Do(_JOIN, (whole,), (name, self.pick("r"))))
                name = whole
            self.last[place] = name
        return made


def make(count: int = KERNELS) -> list[Program]:
    """Return the programs: the same ones every time."""
    return kernels.make(count, Rolling, "rolled")
