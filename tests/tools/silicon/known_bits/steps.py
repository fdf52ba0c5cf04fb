"""Random kernels for what a scan knows of stepped start addresses, behind calls, and of comparisons far from their use.

Like :mod:`silicon.known_bits.ways`, and always the same ones too. Division of 64 bits is a function that ptxas calls.
"""

from __future__ import annotations

from collections.abc import Callable

from silicon.known_bits import kernels
from silicon.known_bits.kernels import FRAME, MOVE, Do, If, Loop, Program, Source, Statement
from silicon.known_bits.ops import M32, M64, Op
from silicon.known_bits.ways import Ways

KERNELS = 100

_OR, _AND = Op("or.b64 {}, {}, {}", "d", "dd", lambda a, b: a | b), FRAME["d"][0]
_DIVIDE = Op("div.u64 {}, {}, {}", "d", "dd", lambda a, b: a // b)
_REST = Op("rem.u64 {}, {}, {}", "d", "dd", lambda a, b: a % b)
_REST_32 = Op("rem.u32 {}, {}, {}", "r", "rr", lambda a, b: a % b)
_LOW = Op("cvt.u32.u64 {}, {}", "r", "d", lambda a: a & M32)
_HIGH = Op("shr.u64 {}, {}, 32", "d", "d", lambda a: a >> 32)
_JOIN = Op("mov.b64 {}, {{{}, {}}}", "d", "rr", lambda a, b: a | b << 32)
_MAD = Op("mad.lo.u32 {}, {}, {}, {}", "r", "rrr", lambda a, b, c: a * b + c & M32)
_WIDE = Op("mad.wide.u32 {}, {}, {}, {}", "d", "rrd", lambda a, b, c: a * b + c & M64)
_LESS = Op("sub.u32 {}, {}, {}", "r", "rr", lambda a, b: a - b & M32)
_SELECT = {
    "r": Op("selp.b32 {}, {}, {}, {}", "r", "rrp", lambda a, b, p: a if p else b),
    "d": Op("selp.b64 {}, {}, {}, {}", "d", "ddp", lambda a, b, p: a if p else b),
}


class Steps(Ways):
    """Writes one program."""

    descriptor: str | None = None
    """A descriptor of which the start address was stepped."""

    def divide(self) -> list[Statement]:
        """A quotient, or what is left."""
        by, name = self.new("d"), self.new("d")
        a, b = self.pick("d"), self.pick("d")
        self.keep(("d", name))
        op = self.rng.choice((_DIVIDE, _REST))
        return [Do(_OR, (by,), (b, 1)), Do(op, (name,), (a, by)), *self.frame("d", name)]

    def apart(self) -> list[Statement]:
        """Compare, do something else in a branch or a loop, then choose by what was compared."""
        kind = self.rng.choice("rrd")
        made, value = self.narrow(kind)
        test, predicate = self.condition(32 if kind == "r" else 64, value)
        made += test
        first, variables = self.variables()
        made += first
        other: Source = self.small() if self.rng.random() < 0.7 else self.pick(kind)
        if self.rng.random() < 0.5:
            made.append(If(self.label(), self.pick("p"), self.body(variables), []))
        else:
            times: Source = self.new("r")
            made.append(Do(FRAME["r"][0], (str(times),), (self.pick("r"), 3)))
            made.append(Loop(self.label(), times, self.new("r"), self.new("p"), self.body(variables)))
        self.keep(*variables)
        name = self.new(kind)
        pair = (value, other) if self.rng.random() < 0.6 else (other, value)
        made.append(Do(_SELECT[kind], (name,), (*pair, predicate)))
        self.keep((kind, name))
        return made + self.frame(kind, name)

    def stepped(self) -> list[Statement]:
        """A descriptor whose start address is stepped by what no scan bounds, and that stays within its bits."""
        rng = self.rng
        start, whole = self.new("d"), self.new("d")
        fields = rng.choice((0x4000004000000000, 0x4000004000010000, 0x4000004002000000, 0x8000010000400000))
        made: list[Statement] = [Do(_AND, (start,), (self.pick("d"), rng.choice((0x1FFF, 0x1FF0, 0xFFF))))]
        made.append(Do(_OR, (whole,), (start, fields)))
        stage, stages = self.new("r"), rng.choice((3, 5, 6, 7, 9))
        made.append(Do(_REST_32, (stage,), (self.pick("r"), stages)))
        step = rng.choice((0x40, 0x80, 0x100, 0x200))
        out = self.new("d")
        form = rng.randrange(4)
        if form == 0:
            made.append(Do(_WIDE, (out,), (stage, step, whole)))
        else:
            low, high, upper, stepped = self.new("r"), self.new("d"), self.new("r"), self.new("r")
            made += [Do(_LOW, (low,), (whole,)), Do(_HIGH, (high,), (whole,)), Do(_LOW, (upper,), (high,))]
            made.append(Do(_MAD, (stepped,), (stage, step, low)))
            if form == 2:
                # A step back of as much.
                back, less = self.new("r"), self.new("r")
                made.append(Do(_LESS, (less,), (0, stage)))
                made.append(Do(_MAD, (back,), (less, step, stepped)))
                stepped = back
            elif form == 3:
                again, predicate = self.new("r"), self.predicate()
                made += [*self.made, Do(MOVE["r"], (again,), (stepped,))]
                made += [If(self.label(), predicate, [Do(_MAD, (again,), (stage, 2, stepped))], [])]
                stepped = again
            made.append(Do(_JOIN, (out,), (stepped, upper)))
        self.descriptor = out
        self.keep(("d", out))
        return made

    def statement(self) -> list[Statement]:
        """One of these, or one as in the other kernels."""
        if self.rng.random() < 0.4:
            return super().statement()
        made: list[Callable[[], list[Statement]]] = [self.apart, self.apart, self.divide, self.stepped]
        return self.rng.choice(made)()

    def values(self) -> list[Statement]:
        """Make the two values last of all; the first is a descriptor that was stepped, if there is one."""
        made = super().values()
        if self.descriptor is not None:
            self.last[0] = self.descriptor
        return made


def make(count: int = KERNELS) -> list[Program]:
    """Return the programs: the same ones every time."""
    return kernels.make(count, Steps, "steps")
