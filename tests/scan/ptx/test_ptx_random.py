"""Random programs of PTX: whatever the analysis claims of a register must be so each time the register is used."""

from __future__ import annotations

import random
from itertools import chain
from typing import NamedTuple

import pytest

from smemdesc.scan.ptx import analyse

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


def check(seed: int) -> int:
    """Return how many bits were claimed; fail where one is wrong."""
    program = Maker(seed).program()
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
        for _ in range(LIMIT):
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
def test_claims_hold(seed: int) -> None:
    claimed = sum(check(seed * 60 + each) for each in range(60))
    assert claimed > 5_000  # an analysis that knows nothing is never wrong
