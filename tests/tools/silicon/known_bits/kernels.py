"""Random kernels, always the same ones: what they compute becomes a pair of descriptors of which some bits are known.

Each writes its two 64-bit values for every thread, then gives them to a wgmma, but only where the parameter
``never`` is not 0: no run asks for that, and the compiler cannot know. A program is a list of statements that
writes itself as PTX and runs on plain numbers, all lanes of a warp in step.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from silicon.known_bits.ops import M32, M64, OPS, Op

KERNELS = 300
LANES = 32
THREADS = 128
"""Of a block."""
RECORD = 32
"""Bytes of memory that each thread has for itself."""
Source = str | int
"""A register or a constant."""
Lane = dict[str, int]
"""The registers of one thread, and under other names where it is and what it is given."""


class Do(NamedTuple):
    """An instruction, perhaps under a predicate (``!`` before it: where that is false)."""

    op: Op
    results: tuple[str, ...]
    sources: tuple[Source, ...]
    guard: str = ""

    def lines(self) -> list[str]:
        """Return the PTX."""
        names = [*self.results, *(f"{x:#x}" if isinstance(x, int) else x for x in self.sources)]
        texts = self.op.text.format(*names).split("; ")
        guard = f"@{self.guard} " if self.guard else ""
        return [f"{guard}{text};" for text in texts]

    def run(self, lanes: list[Lane]) -> None:
        """Compute."""
        if self.guard:
            name, unless = self.guard.lstrip("!"), self.guard[0] == "!"
            lanes = [lane for lane in lanes if bool(lane[name]) != unless]
        compute, sources, results = self.op.compute, self.sources, self.results
        for lane in lanes:
            answer = compute(*[x if x.__class__ is int else lane[x] for x in sources])
            if answer.__class__ is tuple:
                lane.update(zip(results, answer, strict=True))
            else:
                (result,) = results
                lane[result] = answer


class Read(NamedTuple):
    """A value from outside: the loads of ``text`` into ``result``; ``key`` names it in the lane, of memory a byte."""

    text: str
    result: str
    key: str
    bits: int
    sign: bool = False

    def lines(self) -> list[str]:
        """Return the PTX."""
        return [self.text.format(self.result)]

    def run(self, lanes: list[Lane]) -> None:
        """Read."""
        wide = M64 if self.result.startswith("%d") else M32
        for lane in lanes:
            if self.key.isdigit():
                value = lane["memory"] >> 8 * int(self.key) & (1 << self.bits) - 1
                if self.sign and value >> self.bits - 1:
                    value -= 1 << self.bits
            else:
                value = lane[self.key]
            lane[self.result] = value & wide


class Shuffle(NamedTuple):
    """A value of another lane; all lanes take part."""

    mode: str
    result: str
    source: str
    by: Source

    def lines(self) -> list[str]:
        """Return the PTX."""
        by = f"{self.by:#x}" if isinstance(self.by, int) else self.by
        last = "0" if self.mode == "up" else "0x1f"
        return [f"shfl.sync.{self.mode}.b32 {self.result}, {self.source}, {by}, {last}, 0xffffffff;"]

    def run(self, lanes: list[Lane]) -> None:
        """Exchange."""
        old = [lane[self.source] for lane in lanes]
        for number, lane in enumerate(lanes):
            by = (self.by if isinstance(self.by, int) else lane[self.by]) & 31
            place = {"idx": by, "bfly": number ^ by, "up": number - by, "down": number + by}[self.mode]
            lane[self.result] = old[place if 0 <= place < LANES else number]


class If(NamedTuple):
    """Two ways, by a predicate."""

    label: str
    predicate: str
    then: list[Statement]
    other: list[Statement]

    def lines(self) -> list[str]:
        """Return the PTX."""
        out = [f"@!{self.predicate} bra {self.label}else;", *lines_of(self.then), f"bra.uni {self.label}end;"]
        return [*out, f"{self.label}else:", *lines_of(self.other), f"{self.label}end:"]

    def run(self, lanes: list[Lane]) -> None:
        """Each lane its way."""
        run_all(self.then, [lane for lane in lanes if lane[self.predicate]])
        run_all(self.other, [lane for lane in lanes if not lane[self.predicate]])


class Loop(NamedTuple):
    """A body that runs ``times``, at least once; ``counter`` is a register of its own."""

    label: str
    times: Source
    counter: str
    predicate: str
    body: list[Statement]

    def lines(self) -> list[str]:
        """Return the PTX."""
        times = f"{self.times:#x}" if isinstance(self.times, int) else self.times
        out = [f"mov.u32 {self.counter}, 0;", f"{self.label}:", *lines_of(self.body)]
        out += [f"add.u32 {self.counter}, {self.counter}, 1;"]
        return [*out, f"setp.lt.u32 {self.predicate}, {self.counter}, {times};", f"@{self.predicate} bra {self.label};"]

    def run(self, lanes: list[Lane]) -> None:
        """Run as often as each lane wants."""
        for lane in lanes:
            lane[self.counter] = 0
        while lanes:
            run_all(self.body, lanes)
            for lane in lanes:
                lane[self.counter] += 1
            lanes = [
                lane
                for lane in lanes
                if lane[self.counter] < (self.times if isinstance(self.times, int) else lane[self.times])
            ]


class Statement(Protocol):
    """What a program is made of."""

    def lines(self) -> list[str]:
        """Return the PTX."""

    def run(self, lanes: list[Lane]) -> None:
        """Run in all lanes of a warp that come here."""


def lines_of(statements: Sequence[Statement]) -> list[str]:
    return [line for statement in statements for line in statement.lines()]


def run_all(statements: Sequence[Statement], lanes: list[Lane]) -> None:
    if lanes:
        for statement in statements:
            statement.run(lanes)


_BY_TEXT = {op.text: op for op in OPS}
MOVE = {kind: Op(f"mov.b{bits} {{}}, {{}}", kind, kind, lambda a: a) for kind, bits in (("r", 32), ("d", 64))}
FRAME = {
    kind: tuple(_BY_TEXT[f"{name}.b{bits} {{}}, {{}}, {{}}"] for name in ("and", "or", "shl"))
    for kind, bits in (("r", 32), ("d", 64))
}


class Maker:
    """Writes one program. ``pool`` has the registers that are set on every way, by kind."""

    ops = OPS

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pool: dict[str, list[str]] = {"r": [], "d": [], "p": []}
        self.count = {"r": 0, "d": 0, "p": 0, "L": 0}
        self.uniform = rng.random() < 0.3
        """Whether no thread differs from another: then the compiler uses the uniform datapath."""

    def new(self, kind: str) -> str:
        self.count[kind] += 1
        return f"%{kind}{self.count[kind]}"

    def label(self) -> str:
        self.count["L"] += 1
        return f"L{self.count['L']}"

    def constant(self, bits: int) -> int:
        """A number as programs have them: runs of ones, single bits, small ones, any."""
        rng, full = self.rng, (1 << bits) - 1
        low = rng.randrange(bits)
        run = ((1 << rng.randint(1, bits - low)) - 1) << low
        any_bits = rng.getrandbits(bits)
        return rng.choice((run, run, full ^ run, 1 << low, rng.randrange(64), any_bits, any_bits & run)) & full

    def pick(self, kind: str) -> str:
        """A register, of the newest rather."""
        pool = self.pool[kind]
        return pool[-1 - min(int(self.rng.expovariate(0.5)), len(pool) - 1)]

    def source(self, letter: str) -> Source:
        rng = self.rng
        if letter in "rd":
            return self.pick(letter) if rng.random() < 0.4 else self.constant(32 if letter == "r" else 64)
        if letter == "k":
            return rng.randrange(34) if rng.random() < 0.7 else self.pick("r")
        if letter in "nSt":
            return {"n": rng.randrange(1, 33), "S": rng.getrandbits(16), "t": rng.getrandbits(8)}[letter]
        return self.pick(letter.lower())

    def ready(self, op: Op) -> bool:
        return all(self.pool[letter.lower()] for letter in op.sources if letter in "RDp") and (
            "k" not in op.sources or bool(self.pool["r"])
        )

    def do(self) -> list[Statement]:
        """An instruction; many of the values are then put into a frame of known bits."""
        ops = [op for op in self.ops if self.ready(op)]
        op = self.rng.choices(ops, [op.weight for op in ops])[0]
        sources = tuple(self.source(letter) for letter in op.sources)
        results = tuple(self.new(kind) for kind in op.result)
        for kind, name in zip(op.result, results, strict=True):
            self.pool[kind].append(name)
        made: list[Statement] = [Do(op, results, sources)]
        if op.result in ("r", "d") and self.rng.random() < 0.45:
            made += self.frame(op.result, results[0])
        return made

    def frame(self, kind: str, value: str) -> list[Statement]:
        """Know some bits of a value."""
        op = self.rng.choice(FRAME[kind])
        by = self.rng.randrange(1, 12) if op.text.startswith("shl") else self.constant(32 if kind == "r" else 64)
        name = self.new(kind)
        self.pool[kind].append(name)
        return [Do(op, (name,), (value, by))]

    def read(self) -> Statement:
        """A value from outside."""
        rng = self.rng
        fixed = [("r", "ld.param.u32 {}, [number];", "number"), ("d", "ld.param.u64 {}, [wide];", "wide")]
        fixed += [("r", "mov.u32 {}, %ctaid.x;", "ctaid")]
        if not self.uniform:
            fixed += [("r", "mov.u32 {}, %tid.x;", "tid"), ("r", "mov.u32 {}, %laneid;", "laneid")]
            if rng.random() < 0.6:
                size = rng.choice((8, 16, 32, 32, 64, 64))
                kind = "d" if size == 64 else "r"
                sign = "s" if size < 32 and rng.random() < 0.5 else "u"
                at = rng.randrange(0, RECORD, size // 8)
                name = self.new(kind)
                self.pool[kind].append(name)
                return Read(f"ld.global.{sign}{size} {{}}, [%memory + {at}];", name, str(at), size, sign == "s")
        kind, text, key = rng.choice(fixed)
        name = self.new(kind)
        self.pool[kind].append(name)
        return Read(text, name, key, 64)

    def predicate(self) -> str:
        """Decide something that the compiler cannot."""
        if not self.pool["p"] or self.rng.random() < 0.6:
            ops = [op for op in OPS if op.result == "p"]
            op = self.rng.choice(ops)
            self.made = [Do(op, (name := self.new("p"),), (self.pick("r"), self.constant(32)))]
            self.pool["p"].append(name)
            return name
        self.made = []
        return self.pick("p")

    def variables(self) -> tuple[list[Statement], list[tuple[str, str]]]:
        """Copy one or two values into registers that a branch may change."""
        made: list[Statement] = []
        found = []
        for kind in self.rng.choice(("r", "d", "rd")):
            name = self.new(kind)
            start: Source = self.pick(kind) if self.rng.random() < 0.6 else self.constant(32 if kind == "r" else 64)
            made.append(Do(MOVE[kind], (name,), (start,)))
            found.append((kind, name))
        return made, found

    def body(self, variables: list[tuple[str, str]]) -> list[Statement]:
        """Some instructions, the results of which go to the variables; nothing else of them stays."""
        before = {kind: list(names) for kind, names in self.pool.items()}
        for kind, name in variables:
            self.pool[kind].append(name)
        made = [each for _ in range(self.rng.randint(1, 3)) for each in self.do()]
        for kind, name in variables:
            constant = self.rng.random() < 0.25
            value: Source = self.constant(32 if kind == "r" else 64) if constant else self.pick(kind)
            if isinstance(value, str) and self.rng.random() < 0.5:
                ops = [op for op in OPS if op.result == kind and op.sources.lower() == 2 * kind]
                made.append(Do(self.rng.choice(ops), (name,), (name, value)))
            else:
                made.append(Do(MOVE[kind], (name,), (value,)))
        self.pool = before
        return made

    def statement(self) -> list[Statement]:
        rng = self.rng
        chance = rng.random()
        if chance < 0.1:
            return [self.read()]
        if chance < 0.14 and not self.uniform:
            mode = rng.choice(("idx", "bfly", "up", "down"))
            by = rng.randrange(32) if rng.random() < 0.7 else self.pick("r")
            source, name = self.pick("r"), self.new("r")
            self.pool["r"].append(name)
            return [Shuffle(mode, name, source, by)]
        if chance < 0.3:
            made, variables = self.variables()
            predicate = self.predicate()
            made += self.made
            form = rng.choice(("if", "guard", "loop"))
            if form == "guard":
                guard = rng.choice(("", "!")) + predicate
                names = {name for _, name in variables}
                for each in self.body(variables):
                    assert isinstance(each, Do)
                    # Only the variables: what is set for some threads must not be read by others.
                    made.append(each._replace(guard=guard) if each.results[0] in names else each)
            elif form == "if":
                label = self.label()
                then = self.body(variables)
                made.append(If(label, predicate, then, self.body(variables) if rng.random() < 0.6 else []))
            else:
                times: Source = rng.randint(2, 5)
                if rng.random() < 0.7:
                    times = self.new("r")
                    made.append(Do(FRAME["r"][0], (times,), (self.pick("r"), 3)))
                counter, again = self.new("r"), self.new("p")
                made.append(Loop(self.label(), times, counter, again, self.body(variables)))
            for kind, name in variables:
                self.pool[kind].append(name)
            return made
        return self.do()

    def values(self) -> list[Statement]:
        """Make the two values last of all."""
        made: list[Statement] = []
        for _ in range(2):
            if self.rng.random() < 0.5:
                name = self.new("d")
                halves = (self.pick("r"), self.pick("r"))
                made.append(Do(_BY_TEXT["mov.b64 {}, {{{}, {}}}"], (name,), halves))
            else:
                name = self.pick("d")
            if self.rng.random() < 0.6:
                made += self.frame("d", name)
                name = self.pool["d"][-1]
            self.last.append(name)
        return made

    def program(self) -> Program:
        self.last: list[str] = []
        made: list[Statement] = []
        while not (self.pool["r"] and self.pool["d"]):
            made.append(self.read())
        for _ in range(self.rng.randint(6, 16)):
            made += self.statement()
        made += self.values()
        return Program(tuple(made), (self.last[0], self.last[1]), dict(self.count))


class Program(NamedTuple):
    """A kernel without what is around it; ``values`` are the registers of its two results."""

    statements: tuple[Statement, ...]
    values: tuple[str, str]
    registers: dict[str, int]
    seen: tuple[tuple[int, int], ...] = ()
    """What the lanes of the warps that host.cu digests give, where that is known already."""

    def ptx(self, name: str) -> str:
        """Return the kernel."""
        body = "\n".join(f"{line}" for line in lines_of(self.statements))
        a, b = self.values
        return _KERNEL.format(name=name, body=body, a=a, b=b, **{f"n{key}": n + 1 for key, n in self.registers.items()})

    def run(self, lanes: list[Lane]) -> list[tuple[int, int]]:
        """Return both values for each of the 32 lanes."""
        run_all(self.statements, lanes)
        return [(lane[self.values[0]], lane[self.values[1]]) for lane in lanes]


_KERNEL = """\
.visible .entry {name}(.param .u64 in, .param .u64 out, .param .u64 wide, .param .u32 number, .param .u32 never)
{{
.reg .b32 %r<{nr}>;
.reg .b64 %d<{nd}>;
.reg .pred %p<{np}>;
.reg .b32 %me, %more, %asked;
.reg .b64 %memory, %answer;
.reg .pred %asking;
.reg .f32 %f<4>;
mov.u32 %me, %ctaid.x;
mov.u32 %more, %tid.x;
mad.lo.u32 %me, %me, 128, %more;
ld.param.u64 %memory, [in];
mad.wide.u32 %memory, %me, 32, %memory;
{body}
ld.param.u64 %answer, [out];
mad.wide.u32 %answer, %me, 16, %answer;
st.global.v2.u64 [%answer], {{{a}, {b}}};
ld.param.u32 %asked, [never];
setp.eq.u32 %asking, %asked, 0;
@%asking bra DONE;
mov.f32 %f0, 0f00000000;
mov.f32 %f1, 0f00000000;
mov.f32 %f2, 0f00000000;
mov.f32 %f3, 0f00000000;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f0, %f1, %f2, %f3}}, {a}, {b}, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
st.global.v4.f32 [%answer], {{%f0, %f1, %f2, %f3}};
DONE:
ret;
}}
"""


def name(number: int) -> str:
    """Return what a kernel is called."""
    return f"k{number:03}"


def make(count: int = KERNELS, maker: type[Maker] | None = None, seed: str = "known bits") -> list[Program]:
    """Return the programs: the same ones every time."""
    return [_one(number, maker or Maker, seed) for number in range(count)]


def _one(number: int, maker: type[Maker], seed: str) -> Program:
    """Draw until neither value is always the same (ptxas 13.0 crashes where it finds a descriptor constant)."""
    rng = random.Random(f"{seed} {number}")
    while True:
        program = maker(rng).program()
        found = [value for launch in range(WARPS) for value in program.run(warp(launch))]
        if all(len({value[place] for value in found}) > SEVERAL for place in (0, 1)):
            return program._replace(seen=tuple(found))


WARPS = 4
SEVERAL = 2
_SPECIAL = (0, M64, 1, 1 << 63, M32, 1 << 31, (1 << 31) - 1, 32, 64)
_BLOCKS, _INPUTS = 64, 16


def _any(index: int) -> int:
    z = (index + 1) * 0x9E3779B97F4A7C15 & M64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
    return z ^ z >> 31


def _word(index: int) -> int:
    which, more, value = _any(3 * index) % 6, _any(3 * index + 1), _any(3 * index + 2)
    if which == 0:
        return _SPECIAL[more % len(_SPECIAL)]
    return value >> more % 64 if which == 1 else value


@cache
def _inputs(launch: int) -> tuple[Lane, ...]:
    block, first, each = 7 * launch + 3, launch % 4 * LANES, RECORD // 8
    memory = (launch * _BLOCKS + block) * THREADS * each
    given = _INPUTS * _BLOCKS * THREADS * each + 2 * launch
    shared = {"wide": _word(given), "number": _word(given + 1) & M32, "ctaid": block}
    return tuple(
        {
            "memory": sum(_word(memory + thread * each + place) << 64 * place for place in range(each)),
            "tid": thread,
            "laneid": thread - first,
            **shared,
        }
        for thread in range(first, first + LANES)
    )


def warp(launch: int) -> list[Lane]:
    """Return the lanes of the warp of a launch that host.cu digests, with the inputs that it gives to them."""
    return [dict(lane) for lane in _inputs(launch)]


def digest(program: Program) -> int:
    """Return the digest of the values of these warps (FNV-1a of 64-bit words)."""
    out = 0xCBF29CE484222325
    for pair in program.seen or (pair for launch in range(WARPS) for pair in program.run(warp(launch))):
        for value in pair:
            out = (out ^ value) * 0x100000001B3 & M64
    return out


def module(programs: Sequence[Program]) -> str:
    """Return all of them as one module of PTX."""
    head = ".version 8.0\n.target sm_90a\n.address_size 64\n\n"
    return head + "\n".join(program.ptx(name(number)) for number, program in enumerate(programs))
