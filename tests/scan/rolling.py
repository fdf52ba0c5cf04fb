"""Random programs of loops that count, as LLVM IR and as MLIR, and what they compute."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
ASM = '"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $4, $5, 1, 1, 1, 0, 0;", "f,f,f,f,l,l"'
VARIABLES = ("a", "b", "c")
HOLDS: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
STEPS = 400


class Add(NamedTuple):
    """``to = of + by``, or that only where an argument says so; ``way``: as a choice (select) or by a branch (if).

    ``by``: a number, or (None) an argument. ``form``: a sum of whole numbers, of their lower words (``low``), or a
    difference (``sub``).
    """

    to: str
    of: str
    by: int | None
    way: str
    form: str = "add"

    def result(self, of: int, by: int) -> int:
        """Return what the sum itself is, and of ``low`` the lower word."""
        return (of - by if self.form == "sub" else of + by) & (M32 if self.form == "low" else M64)


class Use(NamedTuple):
    """An MMA that reads a variable."""

    of: str


class Loop(NamedTuple):
    """A loop: ``how`` with its sign before it; the bound a number, or an argument cut to 0..7."""

    start: int
    step: int
    how: str
    bound: int | None
    width: int
    top: bool
    old: bool
    guard: bool
    body: list[Statement]


Statement = Add | Use | Loop


class EndlessError(Exception):
    """A program that runs long."""


class Maker:
    """Makes programs; ``structured``: only loops as ``scf.for`` has them; ``stepped``: steps may be an argument."""

    def __init__(self, rng: random.Random, structured: bool, stepped: bool = False) -> None:
        self.rng = rng
        self.structured = structured
        self.stepped = stepped

    def block(self, depth: int) -> list[Statement]:
        rng = self.rng
        made: list[Statement] = []
        for _ in range(rng.randint(1, 4)):
            chance = rng.random()
            if chance < 0.35 and depth:
                made.append(self.loop(depth))
            elif chance < 0.55:
                made.append(Use(rng.choice(VARIABLES)))
            else:
                to = rng.choice(VARIABLES)
                of = to if rng.random() < 0.8 else rng.choice(VARIABLES)
                by = rng.choice((1, 2, 2, 0x40, 0x202, 0x1000, -2, -0x40, 1 << 40))
                way = rng.choice(("", "", "", "select", "if"))
                if self.stepped:
                    made.append(Add(to, of, rng.choice((by, None)), way, rng.choice(("add", "add", "low", "sub"))))
                else:
                    made.append(Add(to, of, by, way))
        return made

    def loop(self, depth: int) -> Loop:
        rng = self.rng
        width = rng.choice((16, 32, 32, 64))
        full = (1 << width) - 1
        step = rng.choice((1, 1, 2, 3, 4, 8, -1, -1, -2, 1 << width - 3, -(1 << width - 2)))
        start = rng.choice((0, 0, 1, 4, 7, full, full - 3, 1 << width - 1, (1 << width - 1) - 2))
        if self.structured:
            step = abs(step)
            start = rng.choice((0, 0, 1, 4, -3, full >> 1))
        bound: int | None = start + step * rng.randint(0, 8) + rng.choice((0, 0, 0, 1, -1)) & full
        bound = None if rng.random() < 0.2 else bound
        likely = ("lt", "le", "ne") if step > 0 else ("gt", "ge", "ne")
        how = rng.choice(likely if rng.random() < 0.8 else tuple(HOLDS))
        sign = "" if how in ("eq", "ne") else rng.choice("us")
        top, old = rng.random() < 0.4, rng.random() < 0.4
        guard = rng.random() < 0.3
        if self.structured:
            how, sign, top, old, guard = "lt", "s", True, True, False
        return Loop(start & full, step, sign + how, bound, width, top, old, guard, self.block(depth - 1))

    def program(self) -> tuple[dict[str, int], list[Statement]]:
        rng = self.rng
        start = {name: rng.choice((0, 1, 0x4000404000010000, 0x3FF0, M64, 0x80000000)) for name in VARIABLES}
        return start, [*self.block(2), self.loop(1), *(Use(name) for name in VARIABLES)]


Watch = Callable[[int, int, int, int], None]
"""Is told of each sum: which, of what, by what, and what it is."""


def run(
    start: dict[str, int],
    program: list[Statement],
    rng: random.Random,
    watch: Watch | None = None,
    read: Callable[[int, int], None] | None = None,
) -> list[tuple[int, int]]:
    """Return what each MMA read, by its address, in one run; ``read`` is told of it then."""
    seen: list[tuple[int, int]] = []
    state = dict(start)
    chosen = bool(rng.getrandbits(1))
    limit = rng.choice((rng.getrandbits(64), rng.randrange(8)))
    step = rng.choice((2, rng.randrange(64), -rng.randrange(64), rng.getrandbits(32), rng.getrandbits(64))) & M64
    left = STEPS

    def go(statements: list[Statement]) -> None:
        nonlocal left
        for each in statements:
            left -= 1
            if left < 0:
                raise EndlessError
            if isinstance(each, Use):
                seen.append((id(each), state[each.of]))
                if read is not None:
                    read(*seen[-1])
            elif isinstance(each, Add):
                of, by = state[each.of], step if each.by is None else each.by & M64
                if each.form == "low":
                    of, by = of & M32, by & M32
                made = each.result(of, by)
                if watch is not None and (chosen or each.way != "if"):
                    watch(id(each), of, by, made)
                if not each.way or chosen:
                    state[each.to] = made | (state[each.of] & ~M32 if each.form == "low" else 0)
            else:
                turn(each)

    def turn(loop: Loop) -> None:
        nonlocal left
        full, count = (1 << loop.width) - 1, loop.start
        bound = limit & 7 if loop.bound is None else loop.bound

        def holds(number: int) -> bool:
            numbers = [number, bound]
            if loop.how[0] == "s":
                numbers = [each - full - 1 if each > full >> 1 else each for each in numbers]
            return HOLDS[loop.how[-2:]](*numbers)

        if loop.guard and not holds(count):
            return
        while True:
            left -= 1
            if left < 0:
                raise EndlessError
            if loop.top and not holds(count):
                return
            go(loop.body)
            before, count = count, count + loop.step & full
            if not loop.top and not holds(before if loop.old else count):
                return

    with suppress(EndlessError):
        go(program)
    return seen


class Llvm:
    """Writes a program as LLVM IR; :attr:`uses` are its MMAs in the order of the text."""

    def __init__(self, direct: bool = False) -> None:
        self.direct = direct
        """Whether the MMAs are copies by an intrinsic, and not inline assembly."""
        self.lines: list[str] = []
        self.uses: list[int] = []
        self.adds: dict[int, tuple[str, str, str]] = {}
        """Of each sum what stands in its line, and its terms."""
        self.count = 0
        self.here = "entry"

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"b{self.count}"

    def put(self, text: str) -> None:
        self.lines.append("  " + text)

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.here = label

    def text(self, start: dict[str, int], program: list[Statement]) -> str:
        self.lines = ["define void @k(i1 %p, i64 %n, i64 %x) {", "entry:"]
        self.put("%m = and i64 %n, 7")
        self.block(program, {name: str(value) for name, value in start.items()})
        self.put("ret void")
        return "\n".join([*self.lines, "}", ""])

    def block(self, statements: list[Statement], names: dict[str, str]) -> None:
        for each in statements:
            if isinstance(each, Use):
                zeros = ", ".join(["float 0.0"] * 4)
                name = names[each.of]
                if self.direct:
                    self.put(f"call void @llvm.nvvm.tcgen05.cp.128x256b.cg1(ptr addrspace(6) null, i64 {name})")
                else:
                    self.put(f"call void asm sideeffect {ASM}({zeros}, i64 {name}, i64 {name})")
                self.uses.append(id(each))
            elif isinstance(each, Add):
                self.add(each, names)
            else:
                self.loop(each, names)

    def add(self, each: Add, names: dict[str, str]) -> None:
        made, old = "", names[each.to]
        if each.way != "if":
            made = self.sum(each, names)
        if each.way == "select":
            chosen = self.new()
            self.put(f"{chosen} = select i1 %p, i64 {made}, i64 {old}")
            made = chosen
        elif each.way == "if":
            before, inside, behind = self.here, self.label(), self.label()
            self.put(f"br i1 %p, label %{inside}, label %{behind}")
            self.begin(inside)
            made = self.sum(each, names)
            self.put(f"br label %{behind}")
            self.begin(behind)
            met = self.new()
            self.put(f"{met} = phi i64 [ {made}, %{inside} ], [ {old}, %{before} ]")
            made = met
        names[each.to] = made

    def sum(self, each: Add, names: dict[str, str]) -> str:
        of, by = names[each.of], "%x" if each.by is None else str(each.by)
        width, operation = 64, "sub" if each.form == "sub" else "add"
        if each.form == "low":
            width = 32
            of, by = (self.made(f"trunc i64 {text} to i32") for text in (of, by))
        made = self.made(f"{operation} i{width} {of}, {by}")
        self.adds[id(each)] = self.lines[-1].strip(), of, by
        if each.form == "low":
            high = self.made(f"and i64 {names[each.of]}, {-1 << 32}")
            wide = self.made(f"zext i32 {made} to i64")
            made = self.made(f"or i64 {high}, {wide}")
        return made

    def made(self, text: str) -> str:
        name = self.new()
        self.put(f"{name} = {text}")
        return name

    def compare(self, loop: Loop, number: str) -> str:
        kind, made = f"i{loop.width}", self.new()
        bound = str(loop.bound)
        if loop.bound is None:
            bound = "%m"
            if loop.width < 64:
                bound = self.new()
                self.put(f"{bound} = trunc i64 %m to {kind}")
        self.put(f"{made} = icmp {loop.how} {kind} {number}, {bound}")
        return made

    def loop(self, loop: Loop, names: dict[str, str]) -> None:
        kind = f"i{loop.width}"
        head, body, out = self.label(), self.label(), self.label()
        before, skipped = dict(names), ""
        if loop.guard:
            test = self.compare(loop, str(loop.start))
            skipped = self.here
            inside = self.label()
            self.put(f"br i1 {test}, label %{inside}, label %{out}")
            self.begin(inside)
        came = self.here
        self.put(f"br label %{head}")
        self.begin(head)
        count, place = self.new(), len(self.lines)
        phis = {name: self.new() for name in VARIABLES}
        inner = dict(phis)
        left, at_exit = head, dict(phis)
        if loop.top:
            test = self.compare(loop, count)
            self.put(f"br i1 {test}, label %{body}, label %{out}")
            self.begin(body)
        self.block(loop.body, inner)
        after = self.new()
        self.put(f"{after} = add {kind} {count}, {loop.step}")
        latch = self.here
        if loop.top:
            self.put(f"br label %{head}")
        else:
            test = self.compare(loop, count if loop.old else after)
            latch = self.here
            self.put(f"br i1 {test}, label %{head}, label %{out}")
            left, at_exit = latch, dict(inner)
        made = [f"  {count} = phi {kind} [ {loop.start}, %{came} ], [ {after}, %{latch} ]"]
        made += [f"  {phis[each]} = phi i64 [ {before[each]}, %{came} ], [ {inner[each]}, %{latch} ]" for each in phis]
        self.lines[place:place] = made
        self.begin(out)
        names.update(at_exit)
        if skipped:
            for name in VARIABLES:
                met = self.new()
                self.put(f"{met} = phi i64 [ {at_exit[name]}, %{left} ], [ {before[name]}, %{skipped} ]")
                names[name] = met


class Mlir:
    """The same as MLIR, with ``scf.for``."""

    def __init__(self, direct: bool = False) -> None:
        self.direct = direct
        """Whether the MMAs are copies by an intrinsic, and not inline assembly."""
        self.lines: list[str] = []
        self.uses: list[int] = []
        self.adds: dict[int, tuple[str, str, str]] = {}
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def made(self, text: str) -> str:
        name = self.new()
        self.lines.append(f"{name} = {text}")
        return name

    def sum(self, each: Add, names: dict[str, str]) -> str:
        of, by = names[each.of], "%x" if each.by is None else self.number(each.by & M64, "i64")
        kind, operation = "i64", "subi" if each.form == "sub" else "addi"
        if each.form == "low":
            kind = "i32"
            of, by = (self.made(f"arith.trunci {name} : i64 to i32") for name in (of, by))
        made = self.made(f"arith.{operation} {of}, {by} : {kind}")
        self.adds[id(each)] = self.lines[-1].strip(), of, by
        if each.form == "low":
            mask = self.number(M64 ^ M32, "i64")
            high = self.made(f"arith.andi {names[each.of]}, {mask} : i64")
            wide = self.made(f"arith.extui {made} : i32 to i64")
            made = self.made(f"arith.ori {high}, {wide} : i64")
        return made

    def number(self, value: int, kind: str) -> str:
        made = self.new()
        if kind == "index":
            self.lines.append(f"{made} = arith.constant {value} : index")
            return made
        width = int(kind[1:])
        value = value - (1 << width) if value >> width - 1 & 1 else value
        self.lines.append(f"{made} = arith.constant {value} : {kind}")
        return made

    def text(self, start: dict[str, int], program: list[Statement]) -> str:
        self.lines = ["func.func @k(%p: i1, %n: i64, %x: i64, %f: f32, %t: !llvm.ptr<6>) {"]
        seven = self.number(7, "i64")
        self.lines.append(f"%m = arith.andi %n, {seven} : i64")
        self.block(program, {name: self.number(value, "i64") for name, value in start.items()})
        return "\n".join([*self.lines, "return", "}", ""])

    def block(self, statements: list[Statement], names: dict[str, str]) -> None:
        for each in statements:
            if isinstance(each, Use):
                name = names[each.of]
                kinds = ", ".join([*["f32"] * 4, "i64", "i64"])
                asm = f"llvm.inline_asm has_side_effects {ASM} %f, %f, %f, %f, {name}, {name} : ({kinds}) -> ()"
                self.lines.append(f"nvvm.tcgen05.cp %t, {name}" if self.direct else asm)
                self.uses.append(id(each))
            elif isinstance(each, Add):
                old = names[each.to]
                if each.way == "if":
                    made = self.new()
                    self.lines.append(f"{made} = scf.if %p -> (i64) {{")
                    inner = self.sum(each, names)
                    self.lines += [f"scf.yield {inner} : i64", "} else {", f"scf.yield {old} : i64", "}"]
                else:
                    made = self.sum(each, names)
                    if each.way:
                        made = self.made(f"arith.select %p, {made}, {old} : i64")
                names[each.to] = made
            else:
                self.loop(each, names)

    def loop(self, loop: Loop, names: dict[str, str]) -> None:
        kind = f"i{loop.width}"
        small = loop.bound is not None and max(loop.start, loop.bound, loop.step) < 1 << 20
        if small and loop.width == 32:
            kind = "index"
        start, step = self.number(loop.start, kind), self.number(loop.step, kind)
        if loop.bound is not None:
            bound = self.number(loop.bound, kind)
        elif loop.width == 64:
            bound = "%m"
        else:
            bound = self.new()
            self.lines.append(f"{bound} = arith.trunci %m : i64 to {kind}")
        inner = {name: self.new() for name in VARIABLES}
        carried = ", ".join(f"{inner[name]} = {names[name]}" for name in VARIABLES)
        result, counter = self.new(), self.new()
        said = "" if kind == "index" else f" : {kind}"
        self.lines.append(
            f"{result}:3 = scf.for {counter} = {start} to {bound} step {step} iter_args({carried}) "
            f"-> (i64, i64, i64){said} {{"
        )
        self.block(loop.body, inner)
        self.lines += [f"scf.yield {', '.join(inner[name] for name in VARIABLES)} : i64, i64, i64", "}"]
        names.update({name: f"{result}#{place}" for place, name in enumerate(VARIABLES)})
