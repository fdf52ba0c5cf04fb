"""Random programs of arithmetic, of loops that count and of memory, as LLVM IR and as MLIR, and what they compute."""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
ASM = '"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $4, $5, 1, 1, 1, 0, 0;", "f,f,f,f,l,l"'
VARIABLES = ("a", "b", "c")
READ = (*VARIABLES, "x")
"""An argument, too."""
HOLDS: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
STEPS = 400
PACK, STRUCT = "{ i64, i64, i64 }", "!llvm.struct<(i64, i64, i64)>"


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


def signed(number: int, width: int) -> int:
    return number - (number >> width - 1 << width)


OPERATIONS: dict[str, tuple[str, Callable[[int, int, int], int]]] = {
    "and": ("andi", lambda a, b, width: a & b),
    "or": ("ori", lambda a, b, width: a | b),
    "xor": ("xori", lambda a, b, width: a ^ b),
    "add": ("addi", lambda a, b, width: a + b),
    "sub": ("subi", lambda a, b, width: a - b),
    "mul": ("muli", lambda a, b, width: a * b),
    "shl": ("shli", lambda a, b, width: a << b),
    "lshr": ("shrui", lambda a, b, width: a >> b),
    "ashr": ("shrsi", lambda a, b, width: signed(a, width) >> b),
    "udiv": ("divui", lambda a, b, width: a // b),
    "urem": ("remui", lambda a, b, width: a % b),
    "umin": ("", lambda a, b, width: min(a, b)),
    "umax": ("", lambda a, b, width: max(a, b)),
    "smin": ("", lambda a, b, width: min(a, b, key=lambda each: signed(each, width))),
    "smax": ("", lambda a, b, width: max(a, b, key=lambda each: signed(each, width))),
    "fshl": ("", lambda a, b, width: (a << width | b) >> width - (a ^ b) % width),
    "fshr": ("", lambda a, b, width: (a << width | b) >> (a ^ b) % width),
    **{how: (how, lambda a, b, width, how=how: a if holds(how, a, b, width) else b)  # type: ignore[misc]
       for how in ("eq", "ne", "ult", "sle", "ugt", "sge")},
}  # fmt: skip
"""By the name in LLVM IR, that in MLIR (none: an intrinsic) and what it gives: of a comparison the first
where it holds, else the second; the count of a funnel shift is the exclusive or of both."""


def holds(how: str, a: int, b: int, width: int) -> bool:
    if how[0] == "s":
        a, b = signed(a, width), signed(b, width)
    return HOLDS[how[-2:]](a, b)


class Do(NamedTuple):
    """``to = of operation by``, in ``width`` bits, widened by zeros or by the sign.

    ``by``: one of :data:`READ`, or a number.
    """

    to: str
    of: str
    operation: str
    by: str | int
    width: int
    sign: bool

    def result(self, state: dict[str, int]) -> int:
        full = (1 << self.width) - 1
        a, b = (each & full for each in (state[self.of], self.by if isinstance(self.by, int) else state[self.by]))
        made = OPERATIONS[self.operation][1](a, b, self.width) & full
        return signed(made, self.width) & M64 if self.sign else made


class Move(NamedTuple):
    """Bytes of a variable into local memory, or the other way; ``how`` as :attr:`Add.way`, but no choice.

    ``by``: a variable of which the lowest bit moves the place on by 8 bytes.
    """

    loads: bool
    name: str
    array: str
    at: int
    by: str | None
    width: int
    way: str

    def place(self, state: dict[str, int]) -> slice:
        """Return the bytes."""
        start = self.at + (0 if self.by is None else 8 * (state[self.by] & 1))
        return slice(start, start + self.width // 8)


class Call(NamedTuple):
    """A call that gets the address of the second array, and may write all of it."""


class Use(NamedTuple):
    """An MMA that reads a variable."""

    of: str


class Loop(NamedTuple):
    """A loop: ``how`` with its sign before it.

    The bound is a number, an argument cut to 0..7, or a variable cut to 8..15.
    """

    start: int
    step: int
    how: str
    bound: int | str | None
    width: int
    top: bool
    old: bool
    guard: bool
    body: list[Statement]


Statement = Add | Do | Use | Loop | Move | Call
ARRAYS = ("kept", "given")
"""Local variables of so many bytes, of which calls have the second."""
ROOM = 32


class EndlessError(Exception):
    """A program that runs long."""


class Maker:
    """Makes programs; ``structured``: only loops as ``scf.for`` has them; ``stepped``: steps may be an argument.

    ``moving``: bounds may be variables; ``operations``: the arithmetic is any, of those.
    """

    def __init__(
        self,
        rng: random.Random,
        structured: bool,
        stepped: bool = False,
        moving: bool = False,
        operations: Sequence[str] = (),
        memory: bool = False,
    ) -> None:
        self.rng = rng
        self.memory = memory
        self.operations = operations
        self.moving = moving
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
            elif self.memory and chance < 0.85:
                made.append(Call() if chance < 0.57 else self.move())
            elif self.operations and chance < 0.95:
                made.append(self.operation())
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

    def operation(self) -> Do:
        rng = self.rng
        operation, width = rng.choice(self.operations), rng.choice((8, 16, 32, 64))
        by: str | int = rng.choice((*READ, rng.getrandbits(width) & rng.getrandbits(width)))
        if operation in ("shl", "lshr", "ashr"):
            by = rng.randrange(width)
        elif operation in ("udiv", "urem"):
            by = rng.choice((1, 2, 3, 3, 8, 10, 10, 64))
        return Do(rng.choice(VARIABLES), rng.choice((*READ, "x")), operation, by, width, rng.random() < 0.3)

    def move(self) -> Move:
        rng = self.rng
        width = rng.choice((64, 64, 64, 32, 16, 8))
        by = rng.choice((None, None, *VARIABLES))
        at = rng.randint(0, ROOM // 8 - (1 if by is None else 2)) * 8
        at += rng.choice((0, rng.randrange(0, 9 - width // 8)))
        loads = rng.random() < 0.5
        way = "if" if not loads and rng.random() < 0.2 else ""
        return Move(loads, rng.choice(VARIABLES), rng.choice(ARRAYS), at, by, width, way)

    def loop(self, depth: int) -> Loop:
        rng = self.rng
        width = rng.choice((16, 32, 32, 64))
        full = (1 << width) - 1
        step = rng.choice((1, 1, 2, 3, 4, 8, -1, -1, -2, 1 << width - 3, -(1 << width - 2)))
        start = rng.choice((0, 0, 1, 4, 7, full, full - 3, 1 << width - 1, (1 << width - 1) - 2))
        if self.structured:
            step = abs(step)
            start = rng.choice((0, 0, 1, 4, -3, full >> 1))
        bound: int | str | None = start + step * rng.randint(0, 8) + rng.choice((0, 0, 0, 1, -1)) & full
        bound = None if rng.random() < 0.2 else bound
        likely = ("lt", "le", "ne") if step > 0 else ("gt", "ge", "ne")
        how = rng.choice(likely if rng.random() < 0.8 else tuple(HOLDS))
        sign = "" if how in ("eq", "ne") else rng.choice("us")
        top, old = rng.random() < 0.4, rng.random() < 0.4
        guard = rng.random() < 0.3
        if self.moving and rng.random() < 0.4:
            bound = rng.choice(VARIABLES)
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
    state["x"] = step
    memory = {name: bytearray(ROOM) for name in ARRAYS}
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
            elif isinstance(each, Do):
                state[each.to] = each.result(state)
            elif isinstance(each, Call):
                memory[ARRAYS[1]][:] = rng.randbytes(ROOM)
            elif isinstance(each, Move):
                place = each.place(state)
                if each.loads:
                    state[each.name] = int.from_bytes(memory[each.array][place], "little")
                elif not each.way or chosen:
                    memory[each.array][place] = state[each.name].to_bytes(8, "little")[: each.width // 8]
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

        def stays(number: int) -> bool:
            bound = loop.bound if isinstance(loop.bound, int) else limit & 7
            if isinstance(loop.bound, str):
                bound = state[loop.bound] & 7 | 8
            return holds(loop.how, number, bound, loop.width)

        if loop.guard and not stays(count):
            return
        while True:
            left -= 1
            if left < 0:
                raise EndlessError
            if loop.top and not stays(count):
                return
            go(loop.body)
            before, count = count, count + loop.step & full
            if not loop.top and not stays(before if loop.old else count):
                return

    with suppress(EndlessError):
        go(program)
    return seen


_PTX = {"add": "add.s", "sub": "sub.s", "mul": "mul.lo.s", "and": "and.b", "or": "or.b", "xor": "xor.b"}
_OPERATION = re.compile(r"(?:arith\.)?([a-z]{2,3}?)i? (?:i(32|64) )?(%?[-\w]+), (%?[-\w]+)(?: : i(32|64))?")


def inline_ptx(text: str) -> str:
    """Return an operation as a call of inline PTX, if it can be one."""
    found = _OPERATION.fullmatch(text)
    if found is None or found[1] not in _PTX:
        return text
    name, _, of, by, _ = found.groups()
    width = found[2] or found[5]
    asm = f'"{_PTX[name]}{width} $0, $1, $2;", "=Z,Z,Z"'.replace("Z", "l" if width == "64" else "r")
    if text.startswith("arith."):
        return f"llvm.inline_asm {asm} {of}, {by} : (i{width}, i{width}) -> i{width}"
    return f"call i{width} asm {asm}(i{width} {of}, i{width} {by})"


class Ir:
    """Writes a program; :attr:`uses` are its MMAs in the order of the text."""

    def __init__(self, direct: bool = False, packed: bool = False, memory: bool = False, inline: bool = False) -> None:
        self.memory = memory
        self.direct = direct
        """Whether the MMAs are copies by an intrinsic, and not inline assembly."""
        self.packed = packed
        """Whether loops carry the variables in an aggregate."""
        self.inline = inline
        """Whether inline PTX computes what it can."""
        self.lines: list[str] = []
        self.uses: list[int] = []
        self.adds: dict[int, tuple[str, str, str]] = {}
        """Of each sum what stands in its line, and its terms."""
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"


class Llvm(Ir):
    """Writes a program as LLVM IR."""

    here = "entry"

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
        for name in ARRAYS if self.memory else ():
            self.put(f"%{name} = alloca [{ROOM} x i8], align 8")
            for at in range(0, ROOM, 8):
                self.put(f"store i64 0, ptr {self.made(f'getelementptr i8, ptr %{name}, i64 {at}')}, align 8")
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
            elif isinstance(each, Do):
                names[each.to] = self.do(each, names)
            elif isinstance(each, Add):
                self.add(each, names)
            elif isinstance(each, Call):
                self.put(f"call void @f(ptr %{ARRAYS[1]})")
            elif isinstance(each, Move):
                self.move(each, names)
            else:
                self.loop(each, names)

    def move(self, each: Move, names: dict[str, str]) -> None:
        kind = f"i{each.width}"
        to = self.made(f"getelementptr inbounds i8, ptr %{each.array}, i64 {each.at}")
        if each.by is not None:
            to = self.made(f"getelementptr i64, ptr {to}, i64 {self.made(f'and i64 {names[each.by]}, 1')}")
        if each.loads:
            made = self.made(f"load {kind}, ptr {to}, align 1")
            names[each.name] = made if each.width == 64 else self.made(f"zext {kind} {made} to i64")
            return
        of, inside, behind = self.cut(each.name, each.width, names), self.label(), self.label()
        self.put(f"br i1 %p, label %{inside}, label %{behind}" if each.way else f"br label %{inside}")
        self.begin(inside)
        self.put(f"store {kind} {of}, ptr {to}, align 1")
        self.put(f"br label %{behind}")
        self.begin(behind)

    def do(self, each: Do, names: dict[str, str]) -> str:
        kind, name = f"i{each.width}", each.operation
        of, by = (self.cut(text, each.width, names) for text in (each.of, each.by))
        if name in ("fshl", "fshr"):
            count = self.made(f"xor {kind} {of}, {by}")
            made = self.made(f"call {kind} @llvm.{name}.{kind}({kind} {of}, {kind} {by}, {kind} {count})")
        elif name[1:] in ("min", "max"):
            made = self.made(f"call {kind} @llvm.{name}.{kind}({kind} {of}, {kind} {by})")
        elif name[-2:] in HOLDS:
            test = self.made(f"icmp {name} {kind} {of}, {by}")
            made = self.made(f"select i1 {test}, {kind} {of}, {kind} {by}")
        else:
            made = self.made(f"{name} {kind} {of}, {by}")
        return made if each.width == 64 else self.made(f"{'sext' if each.sign else 'zext'} {kind} {made} to i64")

    def cut(self, of: str | int, width: int, names: dict[str, str]) -> str:
        if isinstance(of, int):
            return str(of)
        name = names.get(of, "%x")
        return name if width == 64 else self.made(f"trunc i64 {name} to i{width}")

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
        self.put(f"{name} = {inline_ptx(text) if self.inline else text}")
        return name

    def pack(self, names: dict[str, str], into: str = "poison", old: dict[str, str] | None = None) -> str:
        """Put variables into an aggregate; those that are still what they were in ``old`` are in it."""
        for place, name in enumerate(VARIABLES):
            if old is None or names[name] != old[name]:
                into = self.made(f"insertvalue {PACK} {into}, i64 {names[name]}, {place}")
        return into

    def compare(self, loop: Loop, number: str, names: dict[str, str]) -> str:
        kind, made = f"i{loop.width}", self.new()
        bound = str(loop.bound)
        if not isinstance(loop.bound, int):
            bound = "%m"
            if loop.bound:
                cut = self.made(f"and i64 {names[loop.bound]}, 7")
                bound = self.made(f"or i64 {cut}, 8")
            if loop.width < 64:
                wide, bound = bound, self.new()
                self.put(f"{bound} = trunc i64 {wide} to {kind}")
        self.put(f"{made} = icmp {loop.how} {kind} {number}, {bound}")
        return made

    def loop(self, loop: Loop, names: dict[str, str]) -> None:
        kind = f"i{loop.width}"
        head, body, out = self.label(), self.label(), self.label()
        before, skipped = dict(names), ""
        if loop.guard:
            test = self.compare(loop, str(loop.start), names)
            skipped = self.here
            inside = self.label()
            self.put(f"br i1 {test}, label %{inside}, label %{out}")
            self.begin(inside)
        came, whole = self.here, self.pack(before) if self.packed else ""
        self.put(f"br label %{head}")
        self.begin(head)
        count, place = self.new(), len(self.lines)
        phis, pack, again = {name: self.new() for name in VARIABLES}, self.new(), ""
        inner = dict(phis)
        left, at_exit = head, dict(phis)
        if loop.top:
            test = self.compare(loop, count, phis)
            self.put(f"br i1 {test}, label %{body}, label %{out}")
            self.begin(body)
        self.block(loop.body, inner)
        after = self.new()
        self.put(f"{after} = add {kind} {count}, {loop.step}")
        latch = self.here
        if self.packed:
            again = self.pack(inner, pack, phis)
        if loop.top:
            self.put(f"br label %{head}")
        else:
            test = self.compare(loop, count if loop.old else after, inner)
            latch = self.here
            self.put(f"br i1 {test}, label %{head}, label %{out}")
            left, at_exit = latch, dict(inner)
        made = [f"  {count} = phi {kind} [ {loop.start}, %{came} ], [ {after}, %{latch} ]"]
        if self.packed:
            made.append(f"  {pack} = phi {PACK} [ {whole}, %{came} ], [ {again}, %{latch} ]")
            made += [f"  {phis[each]} = extractvalue {PACK} {pack}, {at}" for at, each in enumerate(VARIABLES)]
        else:
            made += [
                f"  {phis[each]} = phi i64 [ {before[each]}, %{came} ], [ {inner[each]}, %{latch} ]" for each in phis
            ]
        self.lines[place:place] = made
        self.begin(out)
        names.update(at_exit)
        if skipped:
            for name in VARIABLES:
                met = self.new()
                self.put(f"{met} = phi i64 [ {at_exit[name]}, %{left} ], [ {before[name]}, %{skipped} ]")
                names[name] = met


class Stored(dict[str, str]):
    """Variables in memory: each use loads one, each change stores it."""

    def __init__(self, writer: Llvm) -> None:
        super().__init__()
        self.writer = writer

    def __missing__(self, name: str) -> str:
        return self.writer.made(f"load i64, ptr %at.{name}, align 8")

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        return self[name] if name in VARIABLES else default

    def __setitem__(self, name: str, value: str) -> None:
        self.writer.put(f"store i64 {value}, ptr %at.{name}, align 8")


class Unoptimized(Llvm):
    """The same as clang writes it without optimizing: each variable and each counter in memory, and no merges."""

    def block(self, statements: list[Statement], names: dict[str, str]) -> None:
        if not isinstance(names, Stored):
            values, names = names, Stored(self)
            for name, value in values.items():
                self.put(f"%at.{name} = alloca i64, align 8")
                names[name] = value
        super().block(statements, names)

    def add(self, each: Add, names: dict[str, str]) -> None:
        inside, behind = self.label(), self.label()
        self.put(f"br i1 %p, label %{inside}, label %{behind}" if each.way else f"br label %{inside}")
        self.begin(inside)
        names[each.to] = self.sum(each, names)
        self.put(f"br label %{behind}")
        self.begin(behind)

    def loop(self, loop: Loop, names: dict[str, str]) -> None:
        kind, at = f"i{loop.width}", self.made(f"alloca i{loop.width}, align 8")
        head, body, out = self.label(), self.label(), self.label()
        self.put(f"store {kind} {loop.start}, ptr {at}, align 8")
        test = self.compare(loop, str(loop.start), names) if loop.guard else ""
        self.put(f"br i1 {test}, label %{head}, label %{out}" if test else f"br label %{head}")
        self.begin(head)
        if loop.top:
            test = self.compare(loop, self.made(f"load {kind}, ptr {at}, align 8"), names)
            self.put(f"br i1 {test}, label %{body}, label %{out}")
            self.begin(body)
        super().block(loop.body, names)
        count = self.made(f"load {kind}, ptr {at}, align 8")
        after = self.made(f"add {kind} {count}, {loop.step}")
        self.put(f"store {kind} {after}, ptr {at}, align 8")
        test = "" if loop.top else self.compare(loop, count if loop.old else after, names)
        self.put(f"br i1 {test}, label %{head}, label %{out}" if test else f"br label %{head}")
        self.begin(out)


class Mlir(Ir):
    """The same as MLIR, with ``scf.for``."""

    def made(self, text: str) -> str:
        name = self.new()
        self.lines.append(f"{name} = {inline_ptx(text) if self.inline else text}")
        return name

    def move(self, each: Move, names: dict[str, str]) -> None:
        kind = f"i{each.width}"
        to = self.made(f"llvm.getelementptr inbounds %{each.array}[{each.at}] : (!llvm.ptr) -> !llvm.ptr, i8")
        if each.by is not None:
            by = self.made(f"arith.andi {names[each.by]}, {self.number(1, 'i64')} : i64")
            to = self.made(f"llvm.getelementptr {to}[{by}] : (!llvm.ptr, i64) -> !llvm.ptr, i64")
        if each.loads:
            made = self.made(f"llvm.load {to} {{alignment = 1 : i64}} : !llvm.ptr -> {kind}")
            names[each.name] = made if each.width == 64 else self.made(f"arith.extui {made} : {kind} to i64")
            return
        of = self.cut(each.name, each.width, names)
        lines = [f"llvm.store {of}, {to} : {kind}, !llvm.ptr"]
        self.lines += ["scf.if %p {", *lines, "}"] if each.way else lines

    def do(self, each: Do, names: dict[str, str]) -> str:
        kind, (name, _) = f"i{each.width}", OPERATIONS[each.operation]
        of, by = (self.cut(text, each.width, names) for text in (each.of, each.by))
        if not name:
            given = [of, by]
            if each.operation.startswith("fsh"):
                given.append(self.made(f"arith.xori {of}, {by} : {kind}"))
            kinds = ", ".join(kind for _ in given)
            made = self.made(f"llvm.intr.{each.operation}({', '.join(given)}) : ({kinds}) -> {kind}")
        elif name[-2:] in HOLDS:
            test = self.made(f"arith.cmpi {name}, {of}, {by} : {kind}")
            made = self.made(f"arith.select {test}, {of}, {by} : {kind}")
        else:
            made = self.made(f"arith.{name} {of}, {by} : {kind}")
        return made if each.width == 64 else self.made(f"arith.ext{'s' if each.sign else 'u'}i {made} : {kind} to i64")

    def cut(self, of: str | int, width: int, names: dict[str, str]) -> str:
        if isinstance(of, int):
            return self.number(of & (1 << width) - 1, f"i{width}")
        name = names.get(of, "%x")
        return name if width == 64 else self.made(f"arith.trunci {name} : i64 to i{width}")

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
        zero, one = self.number(0, "i64"), self.number(1, "i64")
        for name in ARRAYS if self.memory else ():
            self.lines.append(f"%{name} = llvm.alloca {one} x !llvm.array<{ROOM} x i8> : (i64) -> !llvm.ptr")
            for at in range(0, ROOM, 8):
                to = self.made(f"llvm.getelementptr %{name}[{at}] : (!llvm.ptr) -> !llvm.ptr, i8")
                self.lines.append(f"llvm.store {zero}, {to} : i64, !llvm.ptr")
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
            elif isinstance(each, Do):
                names[each.to] = self.do(each, names)
            elif isinstance(each, Call):
                self.lines.append(f"llvm.call @f(%{ARRAYS[1]}) : (!llvm.ptr) -> ()")
            elif isinstance(each, Move):
                self.move(each, names)
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
        small = isinstance(loop.bound, int) and max(loop.start, loop.bound, loop.step) < 1 << 20
        if small and loop.width == 32:
            kind = "index"
        start, step = self.number(loop.start, kind), self.number(loop.step, kind)
        if isinstance(loop.bound, int):
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


class Blocks(Mlir):
    """The same as MLIR, with branches between blocks: those of the dialect cf or llvm, whose loops may be any."""

    def __init__(self, dialect: str = "cf", **how: bool) -> None:
        super().__init__(**how)
        self.dialect = dialect

    def text(self, start: dict[str, int], program: list[Statement]) -> str:
        text = super().text(start, program)
        return text.replace("func.func @k", "llvm.func @k").replace("\nreturn\n", "\nllvm.return\n")

    def label(self) -> str:
        return f"^bb{self.new()[2:]}"

    def pack(self, names: dict[str, str], into: str = "", old: dict[str, str] | None = None) -> str:
        into = into or self.made(f"llvm.mlir.poison : {STRUCT}")
        for place, name in enumerate(VARIABLES):
            if old is None or names[name] != old[name]:
                into = self.made(f"llvm.insertvalue {names[name]}, {into}[{place}] : {STRUCT}")
        return into

    def go(self, label: str, *values: str, kinds: str = "i64, i64, i64") -> str:
        return f"{label}({', '.join(values)} : {kinds})" if values else label

    def test(self, loop: Loop, number: str, names: dict[str, str]) -> str:
        kind = f"i{loop.width}"
        if isinstance(loop.bound, int):
            bound = self.number(loop.bound, kind)
        else:
            seven = self.number(7, "i64")
            bound = self.made(f"arith.andi {names[loop.bound] if loop.bound else '%n'}, {seven} : i64")
            if loop.bound:
                bound = self.made(f"arith.ori {bound}, {self.number(8, 'i64')} : i64")
            bound = bound if loop.width == 64 else self.made(f"arith.trunci {bound} : i64 to {kind}")
        if self.dialect == "llvm":
            return self.made(f'llvm.icmp "{loop.how}" {number}, {bound} : {kind}')
        return self.made(f"arith.cmpi {loop.how}, {number}, {bound} : {kind}")

    def loop(self, loop: Loop, names: dict[str, str]) -> None:
        kind = f"i{loop.width}"
        head, body, out = self.label(), self.label(), self.label()
        start = self.number(loop.start, kind)
        before = [names[name] for name in VARIABLES]
        branch, choice = f"{self.dialect}.br", f"{self.dialect}.cond_br"
        if loop.guard:
            inside = self.label()
            self.lines.append(f"{choice} {self.test(loop, start, names)}, {inside}, {self.go(out, *before)}")
            self.lines.append(f"{inside}:")
        kinds = f"{kind}, {STRUCT}" if self.packed else f"{kind}, i64, i64, i64"
        carried = [self.pack(names)] if self.packed else before
        self.lines.append(f"{branch} {self.go(head, start, *carried, kinds=kinds)}")
        count, inner = self.new(), {name: self.new() for name in VARIABLES}
        pack, old = self.new(), dict(inner)
        given = [(count, kind), *([(pack, STRUCT)] if self.packed else [(inner[name], "i64") for name in VARIABLES])]
        self.lines.append(f"{head}({', '.join(f'{name}: {of}' for name, of in given)}):")
        if self.packed:
            for place, name in enumerate(VARIABLES):
                self.lines.append(f"{inner[name]} = llvm.extractvalue {pack}[{place}] : {STRUCT}")
        if loop.top:
            left = self.go(out, *inner.values())
            self.lines += [f"{choice} {self.test(loop, count, inner)}, {body}, {left}", f"{body}:"]
        self.block(loop.body, inner)
        step = self.number(loop.step & (1 << loop.width) - 1, kind)
        after = self.made(f"arith.addi {count}, {step} : {kind}")
        carried = [self.pack(inner, pack, old)] if self.packed else [inner[name] for name in VARIABLES]
        back = self.go(head, after, *carried, kinds=kinds)
        if loop.top:
            self.lines.append(f"{branch} {back}")
        else:
            left = self.go(out, *inner.values())
            self.lines.append(f"{choice} {self.test(loop, count if loop.old else after, inner)}, {back}, {left}")
        names.update({name: self.new() for name in VARIABLES})
        self.lines.append(f"{out}({', '.join(f'{names[name]}: i64' for name in VARIABLES)}):")


Writer = Callable[[], Llvm | Mlir]
WRITERS: dict[str, Writer] = {
    "llvm": Llvm,
    "llvm, aggregates": partial(Llvm, packed=True),
    "scf": Mlir,
    "cf": Blocks,
    "llvm dialect": partial(Blocks, dialect="llvm"),
    "cf, aggregates": partial(Blocks, packed=True),
    "llvm dialect, aggregates": partial(Blocks, packed=True, dialect="llvm"),
    "llvm, memory": partial(Llvm, memory=True),
    "llvm, not optimized": partial(Unoptimized, memory=True),
    "scf, memory": partial(Mlir, memory=True),
    "llvm dialect, memory": partial(Blocks, dialect="llvm", memory=True),
    "llvm, inline PTX": partial(Llvm, inline=True),
    "scf, inline PTX": partial(Mlir, inline=True),
    "cf, inline PTX": partial(Blocks, inline=True),
}
