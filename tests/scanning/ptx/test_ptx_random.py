"""Random programs of PTX: whatever the analysis claims of a register must be so each time the register is used."""

from __future__ import annotations

import random
from itertools import chain
from typing import NamedTuple

import pytest

from smemdesc.scanning.ptx import analyse

from .asking import HEAD, probe
from .machine import Code, Machine

pytestmark = pytest.mark.corpus  # long: .ci/run has it

WORDS = [f"%a{i}" for i in range(6)]
DOUBLES = [f"%d{i}" for i in range(4)]
HALVES = [f"%h{i}" for i in range(3)]
PREDICATES = [f"%p{i}" for i in range(3)]
FILES = {16: HALVES, 32: WORDS, 64: DOUBLES}
NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    12,
    14,
    16,
    31,
    32,
    33,
    62,
    64,
    255,
    256,
    1024,
    0x3FFF,
    0x40000040,
    0x80004020,
    0xFFFFFFFF,
)
WIDE = (0x4000404000000000, 0x8000000000000000, 0xFFFFFFFFFFFF0000, -9223371899399045120, -2)
RUNS, LIMIT = 4, 24
"""Runs of a program with different inputs, and the most blocks of one run."""

LONG = 200
"""The most blocks of a run in which loops count."""

UNARY = ("not.b", "neg.s", "abs.s", "brev.b", "cnot.b")
BINARY = (
    "add.u", "sub.s", "and.b", "or.b", "xor.b", "mul.lo.s", "mul.hi.u", "mul.hi.s", "min.s", "max.u", "div.u", "rem.u",
    "add.cc.u", "addc.u", "sub.cc.s", "subc.u", "addc.cc.u",
)  # fmt: skip
WORD_ONLY = (
    ("shf.l.wrap.b32", 3), ("shf.r.wrap.b32", 3), ("shf.l.clamp.b32", 3), ("shf.r.clamp.b32", 3), ("prmt.b32", 3),
    ("szext.wrap.s32", 2), ("szext.clamp.u32", 2), ("bmsk.clamp.b32", 2), ("bmsk.wrap.b32", 2), ("mul24.lo.u32", 2),
    ("mul24.hi.s32", 2), ("mad24.lo.s32", 3), ("madc.lo.cc.u32", 3), ("mad.hi.s32", 3), ("mad.lo.cc.u32", 3),
)  # fmt: skip


class Block(NamedTuple):
    """Instructions, where the branch behind them goes, and on which predicate."""

    codes: list[Code]
    target: int
    condition: str


class Maker:
    """Makes programs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def source(self, width: int) -> str | int:
        if self.random.random() < 0.4:
            numbers = NUMBERS + WIDE if width == 64 else NUMBERS
            return self.random.choice(numbers)
        return self.random.choice(FILES[width])

    def code(self) -> Code:
        pick = self.random
        code = self.unguarded()
        if pick.random() < 0.15:
            return code._replace(guard=pick.choice(PREDICATES), negated=pick.random() < 0.5)
        return code

    def unguarded(self) -> Code:
        pick = self.random
        width = pick.choice((16, 32, 32, 32, 64, 64))
        to = (pick.choice(FILES[width]),)
        case = pick.randrange(14)
        if case == 0:
            return Code(
                pick.choice(UNARY) + str(width if width > 16 else 32),
                (pick.choice(FILES[max(width, 32)]),),
                (self.source(max(width, 32)),),
            )
        if case <= 3:
            name = pick.choice(BINARY)
            if "c" in name.split(".")[0][3:] or ".cc" in name:
                width = max(width, 32)
            of = (self.source(width), self.source(width))
            if name[:3] in ("div", "rem"):
                of = (of[0], pick.choice((1, 3, 8, 16, 10, 1024)))
            return Code(f"{name}{width}", (pick.choice(FILES[width]),), of)
        if case == 4:
            name = pick.choice(("shl.b", "shr.u", "shr.s"))
            return Code(f"{name}{width}", to, (self.source(width), self.source(32)))
        if case == 5:
            wide = max(width, 32)
            if pick.random() < 0.5:
                return Code(
                    f"bfe.{pick.choice('us')}{wide}",
                    (pick.choice(FILES[wide]),),
                    (self.source(wide), self.source(32), self.source(32)),
                )
            return Code(
                f"bfi.b{wide}",
                (pick.choice(FILES[wide]),),
                (self.source(wide), self.source(wide), self.source(32), self.source(32)),
            )
        if case == 6:
            name, count = pick.choice(WORD_ONLY)
            return Code(name, (pick.choice(WORDS),), tuple(self.source(32) for _ in range(count)))
        if case == 7:
            of = tuple(self.source(32) for _ in range(3))
            return Code("lop3.b32", (pick.choice(WORDS),), (*of, pick.randrange(256)))
        if case == 8:
            return Code("mov.b64", (pick.choice(DOUBLES),), (self.source(32), self.source(32)))
        if case == 9:
            first, second = pick.sample(WORDS, 2)
            small, large = pick.sample(HALVES, 2)
            return pick.choice((
                Code("mov.b64", (first, second), (self.source(64),)),
                Code("mov.b32", (small, large), (self.source(32),)),
                Code("mov.b32", (first,), (self.source(16), self.source(16))),
            ))  # fmt: skip
        if case == 10:
            sizes = {16: (8, 16), 32: (8, 16, 32), 64: (8, 16, 32, 64)}
            target = pick.choice(sizes[width])
            source = pick.choice((16, 32, 64))
            small = pick.choice(sizes[source])
            return Code(f"cvt.{pick.choice('us')}{target}.{pick.choice('us')}{small}", to, (self.source(source),))
        if case == 11:
            wide = pick.choice((16, 32))
            of = (self.source(wide), self.source(wide))
            sign = pick.choice("us")
            if pick.random() < 0.5:
                return Code(f"mul.wide.{sign}{wide}", (pick.choice(FILES[2 * wide]),), of)
            return Code(f"mad.wide.{sign}{wide}", (pick.choice(FILES[2 * wide]),), (*of, self.source(2 * wide)))
        if case == 12:
            return pick.choice((
                Code(f"selp.b{width}", to, (self.source(width), self.source(width), pick.choice(PREDICATES))),
                Code("clz.b64", (pick.choice(WORDS),), (self.source(64),)),
                Code("popc.b32", (pick.choice(WORDS),), (self.source(32),)),
                Code("shfl.sync.idx.b32", (pick.choice(WORDS),), (self.source(32), 0, 31, -1)),
                Code("mov.u32", (pick.choice(WORDS),), ("%tid.x",)),
            ))  # fmt: skip
        compare, sign = pick.choice(("eq", "lt", "ge")), pick.choice("us")
        return pick.choice((
            Code(f"mov.b{width}", to, (self.source(width),)),
            Code(f"ld.param.b{width}", to, (0,)),
            Code(f"setp.{compare}.{sign}32", (pick.choice(PREDICATES),), (self.source(32), self.source(32))),
        ))  # fmt: skip

    def several(self) -> list[Code]:
        """One instruction, or several that choose by a comparison: a counter of a ring, a value or another."""
        pick = self.random
        if pick.random() < 0.75:
            return [self.code()]
        predicate = pick.choice(PREDICATES)
        compare = f"{pick.choice(('eq', 'ne', 'lt', 'le', 'gt', 'ge'))}.{pick.choice('us')}"
        first, second = pick.sample(WORDS, 2)
        between = [self.code() for _ in range(pick.choice((0, 0, 0, 1, 2)))]
        if pick.random() < 0.5:
            stages = pick.randrange(1, 9)
            codes = [
                Code("add.s32", (second,), (first, pick.choice((1, 1, -1, 2)))),
                Code(f"setp.{compare}32", (predicate,), (second, stages)),
                *between,
            ]
            sides = pick.sample((0, second), 2)
            return [*codes, self.chosen(32, first, sides[0], sides[1], predicate)]
        width = pick.choice((16, 32, 64))
        a, b = pick.choice(FILES[width]), self.source(width)
        codes = [Code(f"setp.{compare}{width}", (predicate,), (a, pick.choice((b, pick.randrange(9))))), *between]
        to = pick.choice((a, pick.choice(FILES[width])))
        return [*codes, self.chosen(width, to, pick.choice((a, b)), self.source(width), predicate)]

    def chosen(self, width: int, to: str, a: str | int, b: str | int, predicate: str) -> Code:
        if self.random.random() < 0.6:
            return Code(f"selp.b{width}", (to,), (a, b, predicate))
        return Code(f"mov.b{width}", (to,), (b,), guard=predicate, negated=self.random.random() < 0.5)

    def begin(self) -> list[Code]:
        """Make something known of most registers."""
        codes = []
        for width, names in FILES.items():
            for name in names:
                number = self.random.choice(NUMBERS + WIDE if width == 64 else NUMBERS)
                codes += self.random.choice((
                    [],
                    [Code(f"mov.b{width}", (name,), (number,))],
                    [Code(f"and.b{width}", (name,), (name, number))],
                    [Code(f"or.b{width}", (name,), (name, number))],
                ))  # fmt: skip
        return codes

    def program(self) -> list[Block]:
        count = self.random.randrange(1, 5)
        return [
            Block(
                [
                    *([] if number else self.begin()),
                    *chain.from_iterable(self.several() for _ in range(self.random.randrange(1, 12))),
                ],
                self.random.randrange(count + 1),
                self.random.choice((*PREDICATES, *PREDICATES, "", "always")),
            )
            for number in range(count)
        ]


class Roller(Maker):
    """Makes programs with loops that count and, in each round, add to registers."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.blocks: list[Block] = []

    def program(self) -> list[Block]:
        pick = self.random
        self.blocks = [Block(self.begin(), 0, "")]
        for _ in range(pick.randint(1, 2)):
            self.rolled(1)
        self.blocks.append(Block([self.code()], 0, ""))
        return self.blocks

    def begin(self) -> list[Code]:
        codes = super().begin()
        for width, names in FILES.items():
            codes += [
                Code(f"mov.b{width}", (name,), (self.random.choice((0, 1, 3, 0x3FF0, 0xFF00)),))
                for name in names
                if self.random.random() < 0.5
            ]
        return codes

    def grow(self) -> list[Code]:
        """Add a constant to a register, in one of the forms in which that is written."""
        pick = self.random
        width = pick.choice((16, 32, 32, 64, 64))
        at = pick.choice(FILES[width])
        by = pick.choice((1, 2, 4, 0x40, 0x100, -2, -0x40))
        sign = pick.choice("us")
        form = pick.randrange(5)
        if form == 0:
            other = pick.choice(FILES[width])
            return [Code(f"add.{sign}{width}", (other,), (at, by)), Code(f"mov.b{width}", (at,), (other,))]
        if form == 1:
            return [Code(f"sub.{sign}{width}", (at,), (at, -by))]
        if form == 2 and width == 32:
            return [Code("mad.lo.s32", (at,), (pick.choice(WORDS), pick.choice((1, 2, 16)), at))]
        guard = pick.choice(PREDICATES) if pick.random() < 0.1 else ""
        return [Code(f"add.{sign}{width}", (at,), (at, by), guard=guard, negated=pick.random() < 0.5)]

    def body(self, depth: int) -> None:
        pick = self.random
        for _ in range(pick.randint(1, 4)):
            chance = pick.random()
            if chance < 0.1:
                self.blocks.append(Block([self.code()], 0, ""))
            elif chance < 0.25 and depth:
                self.rolled(depth - 1)
            elif chance < 0.4:
                place = len(self.blocks)
                self.blocks.append(Block([], place + 2, pick.choice(PREDICATES)))
                self.blocks.append(Block(self.grow(), place + 3, pick.choice(("", "always"))))
                self.blocks.append(Block(self.grow(), 0, ""))
            else:
                self.blocks.append(Block(self.grow(), 0, ""))

    def rolled(self, depth: int) -> None:
        """A loop that counts: tested at its top or its bottom, the old number or the new one."""
        pick = self.random
        width = pick.choice((16, 32, 32, 32, 64))
        full = (1 << width) - 1
        count = pick.choice(FILES[width])
        new = pick.choice((count, pick.choice(FILES[width])))
        by = pick.choice((1, 1, 1, 2, 3, 4, 8, -1, -1, -2, -4, 1 << width - 4, 1 << width - 2, -(1 << width - 3)))
        start = pick.choice((0, 0, 0, 1, 4, 8, 16, full, full - 3, 1 << width - 1, (1 << width - 1) - 2))
        bound: str | int = start + by * pick.randint(0, 9) + pick.choice((0, 0, 0, 0, 1, -1, by)) & full
        begin = [Code(f"mov.b{width}", (count,), (start,))] if pick.random() < 0.8 else []
        like = (("lt", "le", "ne") if by > 0 else ("gt", "ge", "ne")) if pick.random() < 0.7 else ()
        how, sign = pick.choice(like or ("ne", "lt", "le", "gt", "ge", "eq")), pick.choice("us")
        if pick.random() < 0.2:
            bound = pick.choice(FILES[width])
            begin += [Code(f"and.b{width}", (bound,), (bound, 7))] if pick.random() < 0.7 else []
        compared = [pick.choice((count, new)), bound]
        if pick.random() < 0.1:
            compared.reverse()
        p = pick.choice(PREDICATES)
        test = [Code(f"setp.{how}.{sign}{width}", (p,), tuple(compared))]
        no_test = [Code(f"setp.{_OPPOSITE[how]}.{sign}{width}", (p,), tuple(compared))]
        step = [Code(f"add.{sign}{width}", (new,), (count, by))]
        step += [Code(f"mov.b{width}", (count,), (new,))] if new != count and pick.random() < 0.9 else []
        blocks = self.blocks
        skips = []
        if pick.random() < 0.2:
            skips.append(len(blocks))
            blocks.append(Block([*begin, *no_test], 0, p))
        else:
            blocks.append(Block(begin, 0, ""))
        if pick.random() < 0.15:
            # Or from another number.
            blocks.append(Block([], len(blocks) + 2, pick.choice(PREDICATES)))
            blocks.append(Block([Code(f"mov.b{width}", (count,), (start - 4 * by & full,))], 0, ""))
        again = len(blocks)
        form = pick.randrange(4)
        if form == 0:
            skips.append(again)
            blocks.append(Block(no_test, 0, p))
            self.body(depth)
            blocks.append(Block(step, again, "always"))
        elif form == 1:
            blocks.append(Block([*test, *step], 0, ""))
            self.body(depth)
            blocks.append(Block([], again, p))
        elif form == 2:
            self.body(depth)
            if pick.random() < 0.1:
                blocks.append(Block([], again, pick.choice(PREDICATES)))
            blocks.append(Block([*step, *test], again, p))
        else:
            # Perhaps round a way that does not compare.
            blocks.append(Block(step, again, pick.choice(PREDICATES) if pick.random() < 0.3 else ""))
            self.body(depth)
            skips.append(len(blocks))
            blocks.append(Block(no_test, 0, p))
            self.body(0)
            blocks.append(Block([], again, "always"))
        for place in skips:
            blocks[place] = blocks[place]._replace(target=len(blocks))


_OPPOSITE = {"ne": "eq", "eq": "ne", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def asked(code: Code) -> str | None:
    """Return the register that an MMA behind the instruction reads: what it has just written."""
    return None if code.to[0] in PREDICATES else code.to[0]


def text_of(program: list[Block]) -> str:
    lines = []
    for number, block in enumerate(program):
        lines.append(f"L{number}:")
        for code in block.codes:
            lines.append(code.text())
            if register := asked(code):
                lines.append(probe(register))
        if block.condition:
            guard = "" if block.condition == "always" else f"@{block.condition} "
            lines.append(f"{guard}bra L{block.target};" if block.target < len(program) else f"{guard}ret;")
    return HEAD + "\n".join(lines) + "\n}\n"


def check(seed: int, maker: type[Maker] = Maker, limit: int = LIMIT) -> int:
    """Return how many bits were claimed; fail where one is wrong."""
    program = maker(seed).program()
    text = text_of(program)
    found = analyse(text.encode(), 1, "k", None)
    asking = [
        (number, place) for number, block in enumerate(program) for place, code in enumerate(block.codes) if asked(code)
    ]
    if found is None:
        assert not asking
        return 0
    assert found.odd == 0, text
    claims = dict(zip(asking, (mma.b for mma in found.mmas), strict=True))
    inputs = random.Random(seed)
    for _ in range(RUNS):
        machine = Machine(lambda: inputs.getrandbits(64), inputs.randrange(1024))
        for register in (*WORDS, *DOUBLES, *HALVES, *PREDICATES):
            machine.registers[register] = inputs.getrandbits(1 if register in PREDICATES else 64)
        at = 0
        for _ in range(limit):
            if at >= len(program):
                break
            block = program[at]
            for place, code in enumerate(block.codes):
                machine.run(code)
                claim, register = claims.get((at, place)), code.to[0]
                if claim is None:
                    continue
                width = next(width for width, names in FILES.items() if register in names)
                wrong = (machine.registers[register] ^ claim.bits) & claim.known & ((1 << width) - 1)
                assert not wrong, f"{text}\n{code.text()} leaves {machine.registers[register]:#x}, claimed {claim}"
            taken = block.condition == "always" or (block.condition and machine.registers[block.condition])
            at = block.target if taken else at + 1
    return sum(claim.known.bit_count() for claim in claims.values() if claim is not None)


@pytest.mark.parametrize("seed", range(10))
def test_claims_hold_in_loops_that_count(seed: int) -> None:
    claimed = sum(check(seed * 60 + each, Roller, LONG) for each in range(60))
    assert claimed > 5_000


@pytest.mark.parametrize("seed", range(10))
def test_claims_hold(seed: int) -> None:
    claimed = sum(check(seed * 60 + each) for each in range(60))
    assert claimed > 5_000  # an analysis that knows nothing is never wrong
