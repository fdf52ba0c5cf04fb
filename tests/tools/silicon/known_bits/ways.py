"""More random kernels, for what a scan knows of the way that a program takes: rings of stages, comparisons and what is
done under them, guards, exchanges by XOR, local memory, jump tables, votes, threads that do not go on.

Like :mod:`silicon.known_bits.kernels`, and always the same ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from silicon.known_bits import kernels
from silicon.known_bits.kernels import FRAME, MOVE, Do, Lane, Loop, Maker, Program, Source, Statement, lines_of, run_all
from silicon.known_bits.ops import M32, M64, OPS, Op, signed

KERNELS = 200
SLOTS = 8
"""Of 8 bytes of local memory, for each thread."""

_COMPARES: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def _compare(name: str, sign: bool, width: int) -> Op:
    holds = _COMPARES[name]
    letter = "r" if width == 32 else "d"
    text = f"setp.{name}.{'s' if sign else 'u'}{width} {{}}, {{}}, {{}}"
    if sign:
        return Op(text, "p", letter.upper() + letter, lambda a, b: int(holds(signed(a, width), signed(b, width))))
    return Op(text, "p", letter.upper() + letter, lambda a, b: int(holds(a, b)))


COMPARES = {width: [_compare(name, sign, width) for name in _COMPARES for sign in (False, True)] for width in (32, 64)}
_TEXT = {op.text: op for op in OPS} | {op.text: op for ops in COMPARES.values() for op in ops}
_BOTH = Op("and.pred {}, {}, {}", "p", "pp", lambda a, b: a & b)
_EITHER = Op("or.pred {}, {}, {}", "p", "pp", lambda a, b: a | b)
_NOT = Op("not.pred {}, {}", "p", "p", lambda a: 1 - a)


def _op(text: str, *names: Source) -> Do:
    op = _TEXT[text]
    result, *sources = names
    return Do(op, (str(result),), tuple(sources))


class Vote(NamedTuple):
    """A predicate of the whole warp; all lanes take part."""

    mode: str
    result: str
    source: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        if self.mode == "elect":
            return [f"elect.sync _|{self.result}, 0xffffffff;"]
        return [f"vote.sync.{self.mode}.pred {self.result}, {self.source}, 0xffffffff;"]

    def run(self, lanes: list[Lane]) -> None:
        """Ask every lane."""
        asked = [lane[self.source] for lane in lanes]
        for number, lane in enumerate(lanes):
            lane[self.result] = (
                int(number == 0) if self.mode == "elect" else int({"any": any, "all": all}[self.mode](asked))
            )


class Store(NamedTuple):
    """A value into a slot of local memory: the number of the slot, or the register that says which."""

    kind: str
    slot: Source
    source: str
    guard: str
    scratch: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        guard = f"@{self.guard} " if self.guard else ""
        lines, at = _address(self.slot, self.scratch)
        return [*lines, f"{guard}st.local.b{32 if self.kind == 'r' else 64} [{at}], {self.source};"]

    def run(self, lanes: list[Lane]) -> None:
        """Write."""
        wide = M32 if self.kind == "r" else M64
        for lane in lanes:
            if not self.guard or bool(lane[self.guard.lstrip("!")]) != (self.guard[0] == "!"):
                at = 64 * (self.slot if isinstance(self.slot, int) else lane[self.slot])
                lane["local"] = lane.get("local", 0) & ~(wide << at) | lane[self.source] << at


class Load(NamedTuple):
    """A value out of a slot."""

    kind: str
    result: str
    slot: Source
    scratch: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        lines, at = _address(self.slot, self.scratch)
        return [*lines, f"ld.local.b{32 if self.kind == 'r' else 64} {self.result}, [{at}];"]

    def run(self, lanes: list[Lane]) -> None:
        """Read."""
        for lane in lanes:
            at = 64 * (self.slot if isinstance(self.slot, int) else lane[self.slot])
            lane[self.result] = lane["local"] >> at & (M32 if self.kind == "r" else M64)


def _address(slot: Source, scratch: str) -> tuple[list[str], str]:
    """Where a slot is."""
    if isinstance(slot, int):
        return [], f"slots+{8 * slot}"
    return [f"mov.u64 {scratch}, slots;", f"mad.wide.u32 {scratch}, {slot}, 8, {scratch};"], scratch


class Switch(NamedTuple):
    """A jump by a table; ``index`` is below the number of ways."""

    label: str
    index: str
    ways: list[list[Statement]]

    def lines(self) -> list[str]:
        """Return the PTX."""
        labels = [f"{self.label}way{number}" for number in range(len(self.ways))]
        out = [f"{self.label}table: .branchtargets {', '.join(labels)};", f"brx.idx {self.index}, {self.label}table;"]
        for label, way in zip(labels, self.ways, strict=True):
            out += [f"{label}:", *lines_of(way), f"bra {self.label}end;"]
        return [*out, f"{self.label}end:"]

    def run(self, lanes: list[Lane]) -> None:
        """Each lane its way."""
        for number, way in enumerate(self.ways):
            run_all(way, [lane for lane in lanes if lane[self.index] == number])


class Stop(NamedTuple):
    """What no thread does: ``never`` is a parameter that is always 0."""

    how: str
    result: str
    predicate: str
    limit: int

    def lines(self) -> list[str]:
        """Return the PTX."""
        test = f"setp.gt.u32 {self.predicate}, {self.result}, {self.limit};"
        return [f"ld.param.u32 {self.result}, [never];", test, f"@{self.predicate} {self.how};"]

    def run(self, lanes: list[Lane]) -> None:
        """Go on."""
        for lane in lanes:
            lane[self.result] = lane[self.predicate] = 0


class Ways(Maker):
    """Writes one program."""

    filled = False
    """Whether every slot of local memory has been written."""

    def keep(self, *names: tuple[str, str]) -> None:
        """Let what follows read these."""
        for kind, name in names:
            self.pool[kind].append(name)

    def small(self) -> int:
        """A number that a program compares with."""
        return self.rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32, 64, 0x100, 0x3FF, 0x3FFF))

    def copy(self, kind: str, value: Source) -> tuple[Statement, str]:
        """A register of its own."""
        name = self.new(kind)
        return Do(MOVE[kind], (name,), (value,)), name

    def condition(self, width: int, value: str) -> tuple[list[Statement], str]:
        """Compare a value with a small number, perhaps with two, perhaps the other way around."""
        made: list[Statement] = []

        def one() -> str:
            name = self.new("p")
            made.append(Do(self.rng.choice(COMPARES[width]), (name,), (value, self.small())))
            return name

        name = one()
        if self.rng.random() < 0.3:
            both, other = self.new("p"), one()
            made.append(Do(self.rng.choice((_BOTH, _EITHER)), (both,), (name, other)))
            name = both
        if self.rng.random() < 0.25:
            turned = self.new("p")
            made.append(Do(_NOT, (turned,), (name,)))
            name = turned
        self.keep(("p", name))
        return made, name

    def narrow(self, kind: str) -> tuple[list[Statement], str]:
        """A value of few bits, or any."""
        value = self.pick(kind)
        if self.rng.random() < 0.4:
            return [], value
        name = self.new(kind)
        self.keep((kind, name))
        if self.rng.random() < 0.5:
            return [Do(FRAME[kind][0], (name,), (value, (1 << self.rng.randint(1, 12)) - 1))], name
        width = 32 if kind == "r" else 64
        by = self.rng.randint(width - 12, width - 1)
        return [_op(f"shr.u{width} {{}}, {{}}, {{}}", name, value, by)], name

    def chosen(self) -> list[Statement]:
        """A value that is kept where a comparison of it holds, and replaced where it does not."""
        kind = self.rng.choice("rrd")
        width = 32 if kind == "r" else 64
        made, value = self.narrow(kind)
        test, predicate = self.condition(width, value)
        made += test
        other: Source = self.small() if self.rng.random() < 0.7 else self.pick(kind)
        form = self.rng.choice(("selp", "selp", "guard", "branch"))
        if form == "selp":
            name = self.new(kind)
            pair = (value, other) if self.rng.random() < 0.6 else (other, value)
            made.append(_op(f"selp.b{width} {{}}, {{}}, {{}}, {{}}", name, *pair, predicate))
        else:
            start, name = self.copy(kind, other if self.rng.random() < 0.5 else value)
            made.append(start)
            move = Do(MOVE[kind], (name,), (value if self.rng.random() < 0.6 else other,))
            if form == "guard":
                made.append(move._replace(guard=self.rng.choice(("", "!")) + predicate))
            else:
                index = self.new("r")
                made.append(_op("selp.b32 {}, {}, {}, {}", index, 1, 0, predicate))
                made.append(Switch(self.label(), index, self.rng.choice(([[], [move]], [[move], []]))))
        self.keep((kind, name))
        return made + self.frame(kind, name)

    def ring(self) -> list[Statement]:
        """The stage of a pipeline, and what is made of it: a start address that a constant moves."""
        rng = self.rng
        stages = rng.randint(2, 9)
        first, stage = self.copy("r", rng.randrange(stages))
        begin, phase = self.copy("r", 0)
        origin = self.pick("d")
        start, moved = self.copy("d", origin)
        made: list[Statement] = [first, begin, start]
        if rng.random() < 0.6:
            framed = self.new("d")
            made.append(Do(FRAME["d"][0], (framed,), (origin, rng.choice((0x3FFF, 0x3FF8, 0xFFC0)))))
            origin = framed
        following, wraps, flip = self.new("r"), self.new("p"), self.new("r")
        name = rng.choice(("eq", "ge"))
        body: list[Statement] = [_op("add.u32 {}, {}, {}", following, stage, 1)]
        body.append(_op(f"setp.{name}.u32 {{}}, {{}}, {{}}", wraps, following, stages))
        if rng.random() < 0.5:
            body.append(_op("selp.b32 {}, {}, {}, {}", stage, 0, following, wraps))
        else:
            body.append(Do(MOVE["r"], (stage,), (following,)))
            body.append(Do(MOVE["r"], (stage,), (0,), wraps))
        body.append(_op("selp.b32 {}, {}, {}, {}", flip, 1, 0, wraps))
        body.append(_op("xor.b32 {}, {}, {}", phase, phase, flip))
        if rng.random() < 0.5:
            scaled = self.new("r")
            body.append(_op("shl.b32 {}, {}, {}", scaled, stage, rng.randint(2, 10)))
            wide = self.new("d")
            body.append(_op("cvt.u64.u32 {}, {}", wide, scaled))
            body.append(_op("add.u64 {}, {}, {}", moved, origin, wide))
        else:
            body.append(_op("mad.wide.u32 {}, {}, {}, {}", moved, stage, 1 << rng.randint(2, 10), origin))
        times: Source = self.new("r")
        made.append(Do(FRAME["r"][0], (str(times),), (self.pick("r"), 15)))
        if rng.random() < 0.3:
            times = rng.randint(2, 12)
        made.append(Loop(self.label(), times, self.new("r"), self.new("p"), body))
        self.keep(("r", stage), ("r", phase), ("d", moved))
        return made

    def counted(self) -> list[Statement]:
        """A value that a constant is added to as often as a loop runs."""
        rng = self.rng
        kind = rng.choice("rd")
        width = 32 if kind == "r" else 64
        start: Source = self.small() if rng.random() < 0.4 else self.pick(kind)
        made: list[Statement] = []
        if isinstance(start, str):
            framed = self.new(kind)
            made.append(Do(FRAME[kind][0], (framed,), (start, rng.choice((0x3FFF, 0xFF, 0x3FF0)))))
            start = framed
        first, value = self.copy(kind, start)
        body = [_op(f"add.u{width} {{}}, {{}}, {{}}", value, value, rng.choice((1, 2, 4, 8, 0x40, 0x100)))]
        made += [first, Loop(self.label(), rng.randint(2, 12), self.new("r"), self.new("p"), list(body))]
        self.keep((kind, value))
        return made

    def exchange(self) -> list[Statement]:
        """Two values that change places, by three XORs."""
        kind = self.rng.choice("rd")
        text = f"xor.b{32 if kind == 'r' else 64} {{}}, {{}}, {{}}"
        (one, a), (two, b) = self.copy(kind, self.pick(kind)), self.copy(kind, self.pick(kind))
        guard = self.rng.choice(("", "!")) + self.pick("p") if self.pool["p"] and self.rng.random() < 0.5 else ""
        swap = [_op(text, a, a, b), _op(text, b, a, b), _op(text, a, a, b)]
        self.keep((kind, a), (kind, b))
        return [one, two, *(each._replace(guard=guard) for each in swap)]

    def local(self) -> list[Statement]:
        """Values that go through local memory; what is written under a guard, or to a slot that is computed, too."""
        rng = self.rng
        made: list[Statement] = []
        if not self.filled:
            made += [Store("d", slot, self.pick("d"), "", "") for slot in range(SLOTS)]
            self.filled = True
        for _ in range(rng.randint(1, 3)):
            kind = rng.choice("rd")
            guard = rng.choice(("", "!")) + self.pick("p") if self.pool["p"] and rng.random() < 0.3 else ""
            made.append(Store(kind, self.slot(made), self.pick(kind), guard, self.new("d")))
        for _ in range(rng.randint(1, 2)):
            kind = rng.choice("rd")
            slot = self.slot(made)
            name = self.new(kind)
            made.append(Load(kind, name, slot, self.new("d")))
            self.keep((kind, name))
        return made

    def slot(self, made: list[Statement]) -> Source:
        """A slot, or a register that says which."""
        if self.rng.random() < 0.8:
            return self.rng.randrange(SLOTS)
        name = self.new("r")
        made.append(Do(FRAME["r"][0], (name,), (self.pick("r"), SLOTS - 1)))
        return name

    def switch(self) -> list[Statement]:
        """A jump table."""
        made, variables = self.variables()
        count = self.rng.randint(2, 6)
        low, index = self.new("r"), self.new("r")
        made.append(Do(FRAME["r"][0], (low,), (self.pick("r"), 7)))
        made.append(_op("min.u32 {}, {}, {}", index, low, count - 1))
        made.append(Switch(self.label(), index, [self.body(variables) for _ in range(count)]))
        self.keep(*variables)
        return made

    def vote(self) -> list[Statement]:
        """What the warp decides, and what is written under it."""
        made: list[Statement] = []
        if not self.pool["p"]:
            made = self.condition(32, self.pick("r"))[0]
        name = self.new("p")
        made.append(Vote(self.rng.choice(("any", "all", "elect")), name, self.pick("p")))
        self.keep(("p", name))
        first, value = self.copy("r", self.constant(32))
        made += [first, Do(MOVE["r"], (value,), (self.pick("r"),), self.rng.choice(("", "!")) + name)]
        self.keep(("r", value))
        return made

    def stop(self) -> list[Statement]:
        """A trap or an end behind a comparison that never holds: what is below it is small."""
        name, predicate = self.new("r"), self.new("p")
        made: list[Statement] = [Stop(self.rng.choice(("trap", "exit")), name, predicate, self.small() - 1)]
        self.keep(("r", name))
        value = self.new("d")
        made.append(_op("mad.wide.u32 {}, {}, {}, {}", value, name, 1 << self.rng.randint(0, 20), self.pick("d")))
        self.keep(("d", value))
        return made

    def statement(self) -> list[Statement]:
        """One of these, or one as in the other kernels."""
        if self.rng.random() < 0.4:
            return super().statement()
        made: list[Callable[[], list[Statement]]] = [self.chosen, self.chosen, self.ring, self.ring, self.counted]
        made += [self.exchange, self.local, self.switch, self.stop]
        if not self.uniform:
            made.append(self.vote)
        return self.rng.choice(made)()

    def program(self) -> Program:
        """Write it; its local memory stands before the first instruction."""
        made = super().program()
        if not self.filled:
            return made
        return made._replace(statements=(Slots(), *made.statements))


class Slots(NamedTuple):
    """The local memory."""

    def lines(self) -> list[str]:
        """Return the PTX."""
        return [f".local .align 8 .b8 slots[{8 * SLOTS}];"]

    def run(self, lanes: list[Lane]) -> None:
        """Begin."""


def make(count: int = KERNELS) -> list[Program]:
    """Return the programs: the same ones every time."""
    return kernels.make(count, Ways, "ways")
