"""Random programs of SASS: every bit that a scan claims of a descriptor is right in every run."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import pytest
from samples import split

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Mma

from .machine import M32, STEPS, EndlessError, Instruction, Machine, Outside, Program

pytestmark = pytest.mark.corpus  # long: .ci/run has it

PROGRAMS = 400
CHOICES = 1500
"""Short programs about comparisons."""
RUNS = 40
SLICES = 10
"""Tests that the programs are dealt out to."""
SHORT = 2
"""Of these, those of a short run."""
REGISTERS = 10
SPECIAL = (0, 1, M32, 1 << 31, (1 << 31) - 1, 31, 32, 33)
LUTS = (0xC0, 0xFC, 0x3C, 0x0C, 0xF8, 0xEA, 0xE4, 0xCA, 0x80, 0x96)


class Writer:
    """Writes one program, as nvdisasm would."""

    registers = REGISTERS

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0
        """Instructions so far."""
        self.labels = 0
        self.loops = 0

    # ---- operands ----

    def immediate(self) -> str:
        """A constant: a run of ones, a small number, or any."""
        rng = self.rng
        low = rng.randrange(32)
        run = M32 & ((1 << rng.randint(1, 12)) - 1) << low
        number = rng.choice(
            (run, M32 ^ run, rng.choice((0, rng.randrange(64))), rng.getrandbits(32), -rng.randrange(1, 0x80000))
        )
        return f"-{-number:#x}" if number < 0 else f"{number:#x}"

    def register(self, u: str, signs: str = "") -> str:
        rng = self.rng
        sign = rng.choice(signs) if signs and rng.random() < 0.25 else ""
        number = "Z" if rng.random() < 0.1 else str(rng.randrange(self.registers))
        return f"{sign}{u}R{number}{'.reuse' if not u and number != 'Z' and rng.random() < 0.1 else ''}"

    def pair(self, u: str) -> str:
        """Two registers, the first of an even number."""
        return f"{u}R{2 * self.rng.randrange(self.registers // 2)}"

    def other(self, u: str, signs: str = "") -> str:
        """A register or a constant, and in the thread's file sometimes a uniform register."""
        chance = self.rng.random()
        if chance < 0.4:
            return self.immediate()
        return self.register("U" if not u and chance < 0.5 else u, signs)

    def to(self, u: str) -> str:
        return f"{u}R{self.rng.randrange(self.registers)}"

    def predicate(self, u: str) -> str:
        return f"{u}P{self.rng.randrange(4)}"

    # ---- instructions ----

    def put(self, text: str, u: str = "", guard: bool = True) -> None:
        """Write an instruction, now and then under a predicate."""
        rng = self.rng
        if guard and rng.random() < 0.2:
            text = f"@{rng.choice(('', '!'))}{self.predicate(u)} {text}"
        self.lines.append(f"        /*{16 * self.count:04x}*/                   {text} ;")
        self.count += 1

    def label(self) -> str:
        self.labels += 1
        return f".L_x_{self.labels}"

    def step(self) -> None:
        """Write one instruction, or the two that work on 64 bits."""
        u = "U" if self.rng.random() < 0.3 else ""
        rng = self.rng

        def put(text: str, guard: bool = True) -> None:
            self.put(text, u, guard)

        p, count = self.predicate(u), rng.randrange(32)
        name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        to, a, b, c = self.to(u), self.register(u), self.other(u), self.register(u)
        if name == "MOV":
            put(f"{u}MOV {to}, {self.other(u)}")
        elif name == "IADD3":
            put(f"{u}IADD3 {to}, {self.register(u, '-')}, {self.other(u, '-')}, {self.register(u, '-')}")
        elif name == "add":
            self.add(u, p)
        elif name == "IMAD":
            put(f"{u}IMAD {to}, {a}, {b}, {c}")
        elif name == "moved" and not u:
            kind = rng.choice((f"MOV.U32 {to}, RZ, RZ, {b}", f"SHL.U32 {to}, {a}, {1 << count:#x}, RZ"))
            put(f"IMAD.{kind}")
            put(f"IMAD.IADD {to}, {a}, 0x1, {self.register(u, '-')}")
        elif name == "WIDE":
            put(f"{u}IMAD.WIDE{rng.choice(('', '.U32'))} {self.pair(u)}, {a}, {b}, {self.pair(u)}")
        elif name == "LOP3":
            table = rng.choice((*LUTS, rng.randrange(256)))
            third = c if rng.random() < 0.5 else f"{u}RZ"
            put(f"{u}LOP3.LUT {to}, {self.register(u, '~')}, {b}, {third}, {table:#x}, !{u}PT")
        elif name == "SHF":
            self.shift(u)
        elif name == "LEA":
            self.lea(u, p)
        elif name == "SEL":
            put(f"{u}SEL {to}, {a}, {b}, {rng.choice(('', '!'))}{p}")
        elif name == "PRMT":
            selector = f"{rng.getrandbits(16):#x}" if rng.random() < 0.8 else self.register(u)
            put(f"{u}PRMT {to}, {a}, {selector}, {c}")
        elif name == "SGXT":
            put(f"{u}SGXT{rng.choice(('', '.U32'))} {to}, {a}, {rng.randint(1, 32):#x}")
        elif name == "R2UR":
            self.put(f"R2UR {self.to('U')}, {self.register('')}")
        elif name == "SHFL" and not u:
            put(
                f"SHFL.{rng.choice(('IDX', 'BFLY'))} PT, {to}, R{rng.randrange(self.registers)}, {count:#x}, 0x1f",
                False,
            )
        elif name == "HFMA2" and not u:
            halves = rng.sample(("1.875", "0", "-2.5", "5.9604644775390625e-08", "65504", "0.00012207"), 2)
            put(f"HFMA2.MMA {to}, -RZ, RZ, {halves[0]}, {halves[1]}")
        elif name == "VIMNMX" and not u:
            put(f"VIMNMX{rng.choice(('', '.U32'))} {to}, {a}, {b}, {rng.choice(('', '!'))}PT")
        elif name == "VIADD" and not u:
            put(f"VIADD {to}, {a}, {b}")
        elif name == "CS2R" and not u:
            put(rng.choice((f"CS2R {self.pair(u)}, SRZ", f"CS2R.32 {to}, SRZ")))
        elif name == "64" and u:
            sources = [self.pair(u), rng.choice((f"{rng.randrange(4096):#x}", self.pair(u))), "URZ"]
            put(f"UIADD3.64 {self.pair(u)}, UPT, UPT, {', '.join(sources)}")
        elif name == "load" and not u:
            kind, dest = rng.choice((("", to), (".64", self.pair(u)), (".U8", to), (".U16", to), (".S8", to)))
            put(f"LDG.E{kind} {dest}, desc[UR20][R22.64]")
        elif name == "S2R" and not u:
            put(f"S2R {to}, {rng.choice(('SR_TID.X', 'SR_LANEID', 'SR_CTAID.X'))}")
        elif name == "ISETP":
            kind = rng.choice(("LT", "EQ", "NE", "GE")) + rng.choice(("", ".U32"))
            put(f"{u}ISETP.{kind}.AND {p}, {u}PT, {a}, {b}, {u}PT")

        elif name == "choose":
            self.choose(u, p)
        elif name == "stage":
            self.stage(u, p)

    def small(self) -> str:
        """A number that a counter is compared with."""
        return f"{self.rng.choice((*range(10), 16, M32, 1 << 31)):#x}"

    def compare(self, u: str, p: str, a: str, b: str) -> None:
        """Write a comparison in any of its forms into a predicate."""
        rng = self.rng
        other = rng.choice((f"{u}PT", f"{u}PT", f"{u}PT", self.predicate(u)))
        outs = [p, other if other != p else f"{u}PT"]
        if rng.random() < 0.2:
            outs.reverse()
        how = rng.choice(("LT", "LE", "EQ", "NE", "NE", "GE", "GT")) + rng.choice(("", ".U32"))
        join, last = rng.choice((("AND", f"{u}PT"), ("AND", f"{u}PT"), ("OR", f"!{u}PT"), ("AND", ""), ("OR", "")))
        last = last or rng.choice(("", "!")) + self.predicate(u)
        self.put(f"{u}ISETP.{how}.{join} {outs[0]}, {outs[1]}, {a}, {b}, {last}", u, rng.random() < 0.1)

    def compare_64(self, u: str, p: str) -> None:
        """Compare pairs of registers, the lower words first."""
        rng = self.rng
        how, sign = rng.choice(("LT", "LE", "EQ", "NE", "NE", "GE", "GT")), rng.choice(("", ".U32"))
        low = rng.choice((p, self.predicate(u)))
        second = (self.small(), f"{u}RZ") if rng.random() < 0.6 else (self.register(u), self.register(u))
        first = (self.register(u), rng.choice((f"{u}RZ", self.register(u))))
        self.put(f"{u}ISETP.{how}.U32.AND {low}, {u}PT, {first[0]}, {second[0]}, {u}PT", u, False)
        if rng.random() < 0.3:
            self.step()
        self.put(f"{u}ISETP.{how}{sign}.AND.EX {p}, {u}PT, {first[1]}, {second[1]}, {u}PT, {low}", u, False)

    def logic(self, u: str, p: str) -> None:
        """Combine predicates, or write them out of a register."""
        rng = self.rng
        if rng.random() < 0.2:
            self.put(f"{'UR2UP UPR' if u else 'R2P PR'}, {self.register(u)}, {rng.choice(('0x3', '0xf', '0x7f'))}", u)
            return
        if rng.random() < 0.4:
            # A copy, or the opposite.
            of = rng.choice(("", "!")) + rng.choice((p, p, self.predicate(u)))
            to = rng.choice((p, p, self.predicate(u)))
            form = rng.choice((f"{of}, {u}PT, {u}PT, 0x8, 0x80", f"{of}, {u}PT, {u}PT, 0x80, 0x8",
                               f"!{u}PT, {of}, {u}PT, 0x20, 0x0", f"!{u}PT, {u}PT, {of}, 0x5, 0x0"))  # fmt: skip
            self.put(f"{u}PLOP3.LUT {to}, {u}PT, {form}", u)
            return
        names = [rng.choice((f"{u}PT", f"!{u}PT", self.predicate(u), f"!{self.predicate(u)}")) for _ in range(3)]
        outs = [p, f"{u}PT"]
        tables = [f"{rng.choice((0x80, 0xFE, 0x8, 0x2A, rng.randrange(256))):#x}" for _ in range(2)]
        self.put(f"{u}PLOP3.LUT {', '.join([*outs, *names, *tables])}", u)

    def choose(self, u: str, p: str) -> None:
        """Compare, then take or write one of two by what was compared; perhaps something happens in between."""
        rng = self.rng
        a, b = self.register(u), self.small() if rng.random() < 0.7 else self.other(u)
        if rng.random() < 0.15:
            self.put(f"{u}LOP3.LUT {p}, {a}, {a}, {self.immediate()}, {u}RZ, 0xc0, !{u}PT", u, False)
        elif rng.random() < 0.2:
            self.compare_64(u, p)
        else:
            self.compare(u, p, a, b)
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            self.step()
        if rng.random() < 0.2:
            self.logic(u, p)
        sides = [rng.choice((a.removesuffix(".reuse"), b, self.register(u))), rng.choice((a, self.other(u)))]
        if rng.random() < 0.5:
            sides.reverse()
        if sides[0][:1] not in "UR":
            sides[0] = f"{u}RZ"
        to = rng.choice((self.to(u), a.removesuffix(".reuse")))
        if rng.random() < 0.6 or to.endswith("Z"):
            self.put(f"{u}SEL {self.to(u)}, {sides[0]}, {sides[1]}, {rng.choice(('', '!'))}{p}", u)
        else:
            self.put(f"@{rng.choice(('', '!'))}{p} {u}MOV {to}, {sides[1]}", u, False)

    def stage(self, u: str, p: str) -> None:
        """Step through the stages of a ring, of any number."""
        rng = self.rng
        now, after = self.to(u), self.to(u)
        stages = rng.randint(1, 9)
        self.put(f"{u}IADD3 {after}, {u}PT, {u}PT, {now}, {rng.choice(('0x1', '0x1', '-0x1', '0x2'))}, {u}RZ", u, False)
        self.compare(u, p, after, f"{stages:#x}")
        if rng.random() < 0.7:
            self.put(f"{u}SEL {now}, {after}, {rng.choice((f'{u}RZ', '0x0', '0x3'))}, {rng.choice(('', '!'))}{p}", u)
        else:
            self.put(f"{u}MOV {now}, {after}", u, False)
            self.put(f"@{rng.choice(('', '!'))}{p} {u}MOV {now}, {u}RZ", u, False)

    def add(self, u: str, p: str) -> None:
        """A sum or difference of 64 bits; something may stand between its halves."""
        to, a, b = (2 * self.rng.randrange(self.registers // 2) for _ in range(3))
        minus, not_ = self.rng.choice((("", ""), ("-", "~")))
        immediate = self.rng.random() < 0.4 and not minus
        low, high = (
            (f"{self.rng.getrandbits(16):#x}", f"{self.rng.choice((0, 1 << 30)):#x}")
            if immediate
            else (f"{minus}{u}R{b}", f"{not_}{u}R{b + 1}")
        )

        self.put(f"{u}IADD3 {u}R{to}, {p}, {u}R{a}, {low}, {u}RZ", u)
        for _ in range(self.rng.choice((0, 0, 0, 1, 2))):
            self.step()
        if self.rng.random() < 0.1:
            self.put(f"ISETP.NE.AND {p.lstrip('U')}, PT, R{a}, RZ, PT")
        if not u and self.rng.random() < 0.05:
            self.put(f"R2P PR, R{b}, 0xf")
        if not u and self.rng.random() < 0.3:
            kind = self.rng.choice(("", "", ".U32", ".MOV.U32"))
            self.put(f"IMAD{kind}.X R{to + 1}, R{a + 1}, {self.rng.choice(('0x1', '0x1', '0x4'))}, {high}, {p}")
            return
        self.put(f"{u}IADD3.X {u}R{to + 1}, {u}R{a + 1}, {high}, {u}RZ, {p}, !{u}PT", u)

    def shift(self, u: str) -> None:
        """Every form of SHF."""
        rng = self.rng
        by = f"{rng.randrange(33):#x}" if rng.random() < 0.75 else self.register(u)
        low, high = rng.choice(
            ((self.register(u), f"{u}RZ"), (f"{u}RZ", self.register(u)), (self.register(u), self.register(u)))
        )
        kind = rng.choice(("U32", "S32", "U64", "S64")) + rng.choice(("", ".HI"))
        side = rng.choice(("L", "R", "L.W", "R.W"))
        self.put(f"{u}SHF.{side}.{kind} {self.to(u)}, {low}, {by}, {high}", u)

    def lea(self, u: str, p: str) -> None:
        """LEA alone, or the pair that makes an address of 64 bits."""
        rng = self.rng
        to, a, b = (2 * rng.randrange(self.registers // 2) for _ in range(3))
        count = rng.randrange(1, 32)
        form = rng.randrange(5)
        if form == 0:
            sources = f"{self.register(u, '-')}, {self.other(u)}"
            self.put(f"{u}LEA {u}R{to}, {sources}, {count:#x}", u)
        elif form == 1:
            self.put(f"{u}LEA.HI {u}R{to}, {u}R{a}, {self.register(u)}, {u}R{a + 1}, {count:#x}", u)
        elif form == 2:
            self.put(f"{u}LEA.HI.SX32 {u}R{to}, {u}R{a}, {self.register(u)}, {count:#x}", u)
        else:
            self.put(f"{u}LEA {u}R{to}, {p}, {u}R{a}, {u}R{b}, {count:#x}", u)
            if form == 3:
                self.put(f"{u}LEA.HI.X {u}R{to + 1}, {u}R{a}, {u}R{b + 1}, {u}R{a + 1}, {count:#x}, {p}", u)
            else:
                self.put(f"{u}LEA.HI.X.SX32 {u}R{to + 1}, {u}R{a}, {u}R{b + 1}, {count:#x}, {p}", u)

    # ---- programs ----

    def steps(self) -> None:
        for _ in range(self.rng.randint(1, 6)):
            self.step()

    def mma(self) -> None:
        """Use four uniform registers; sometimes fresh from the other file."""
        first = self.rng.randrange(0, self.registers - 3, 2)
        if self.rng.random() < 0.7:
            for word in range(4):
                self.put(f"R2UR UR{first + word}, R{self.rng.randrange(self.registers)}", "U", guard=False)
        self.put(f"HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0", guard=False)

    def block(self, depth: int) -> None:
        """Write straight code, a branch or a loop."""
        rng = self.rng
        form = rng.randrange(6) if depth else 0
        if form < 2:
            self.steps()
        elif form < 4:
            self.branch(depth, synchronized=form == 3)
        else:
            self.loop(depth)
        if rng.random() < 0.15:
            self.mma()

    def branch(self, depth: int, synchronized: bool) -> None:
        other, end = self.label(), self.label()
        if synchronized:
            self.put(f"BSSY B{depth}, `({end})", guard=False)
        self.put(f"@{self.rng.choice(('', '!'))}{self.predicate('')} BRA `({other})", guard=False)
        self.block(depth - 1)
        leave = f"BSYNC B{depth}" if synchronized else f"BRA `({end})"
        if self.rng.random() < 0.6:
            self.put(leave, guard=False)
        self.lines.append(f"{other}:")
        self.block(depth - 1)
        if synchronized:
            self.put(leave, guard=False)
        self.lines.append(f"{end}:")

    def loop(self, depth: int) -> None:
        """Run a body one to nine times; the counter is a register of its own."""
        self.loops += 1
        counter, again = f"R{30 + self.loops}", self.label()
        self.put(f"MOV {counter}, RZ", guard=False)
        self.lines.append(f"{again}:")
        self.block(depth - 1)
        times = self.rng.choice(("0x1", "0x3", "0x9"))
        self.put(f"VIADD {counter}, {counter}, 0x1", guard=False)
        self.put(f"ISETP.LT.U32.AND P5, PT, {counter}, {times}, PT", guard=False)
        self.put(f"@P5 BRA `({again})", guard=False)

    def write(self) -> str:
        """Return a program: values that are partly known, blocks, and MMAs."""
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        for number in range(self.registers):
            for u in ("", "U"):
                if self.rng.random() < 0.5:
                    self.put(f"{u}LOP3.LUT {u}R{number}, {u}R{number}, {self.immediate()}, {u}RZ, 0xc0, !{u}PT")
                elif self.rng.random() < 0.5:
                    self.put(f"{u}MOV {u}R{number}, {self.immediate()}", guard=False)
        for _ in range(self.rng.randint(1, 4)):
            self.block(2)
        self.mma()
        self.put("EXIT", guard=False)
        return "\n".join(self.lines) + "\n"


class Chooser(Writer):
    """Writes short programs in which all depends on comparisons, and an MMA reads what was chosen."""

    registers = 4

    def write(self) -> str:
        rng = self.rng
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        for number in range(self.registers):
            for u in ("", "U"):
                how = rng.randrange(3)
                if how:
                    mask = rng.choice(("0x7", "0x3", "0x1", "0x80000001", "0xfffffff0"))
                    self.put(f"{u}LOP3.LUT {u}R{number}, {u}R{number}, {mask}, {u}RZ, 0xc0, !{u}PT", u, False)
                else:
                    self.put(f"{u}MOV {u}R{number}, {self.small()}", u, False)
        for _ in range(rng.randint(1, 2)):
            self.round(rng.random() < 0.4)
        self.put("EXIT", guard=False)
        return "\n".join(self.lines) + "\n"

    def round(self, again: bool) -> None:
        """Choose several times, in a loop or not, and use what was chosen."""
        rng = self.rng
        u = rng.choice(("", "U"))
        self.loops += 1
        counter, back = f"R{30 + self.loops}", self.label()
        if again:
            self.put(f"MOV {counter}, RZ", guard=False)
            self.lines.append(f"{back}:")
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.4:
                self.stage(u, self.predicate(u))
            else:
                self.choose(u, self.predicate(u))
            if rng.random() < 0.2:
                skip = self.label()
                self.put(f"@{self.predicate('')} BRA `({skip})", guard=False)
                self.step()
                self.lines.append(f"{skip}:")
        if not u:
            for number in range(self.registers):
                self.put(f"R2UR UR{number}, R{number}", guard=False)
        self.put("HGMMA.64x8x16.F32 R24, gdesc[UR0], R24, !UPT, gsb0", guard=False)
        if again:
            self.put(f"VIADD {counter}, {counter}, 0x1", guard=False)
            self.put(f"ISETP.LT.U32.AND P5, PT, {counter}, {rng.choice(('0x2', '0x9'))}, PT", guard=False)
            self.put(f"@P5 BRA `({back})", guard=False)


class Apart(Chooser):
    """Writes programs in which ways part and meet between a comparison and what is chosen by it."""

    def compare(self, u: str, p: str, a: str, b: str) -> None:
        super().compare(u, p, a, b)
        rng = self.rng
        for _ in range(rng.choice((1, 1, 2))):
            other, end = self.label(), self.label()
            form = rng.randrange(4)
            if form == 0:
                self.put(f"@{self.predicate('')} BRA `({end})", guard=False)
                self.between(u)
            elif form == 1:
                self.put(f"@{self.predicate('')} BRA `({other})", guard=False)
                self.between(u)
                self.put(f"BRA `({end})", guard=False)
                self.lines.append(f"{other}:")
                self.between(u)
                if rng.random() < 0.2:
                    super().compare(u, p, a, b)
            elif form == 2:
                self.loops += 1
                counter = f"R{30 + self.loops}"
                self.put(f"MOV {counter}, RZ", guard=False)
                self.lines.append(f"{other}:")
                self.between(u)
                self.put(f"VIADD {counter}, {counter}, 0x1", guard=False)
                self.put(f"ISETP.LT.U32.AND P5, PT, {counter}, 0x3, PT", guard=False)
                self.put(f"@P5 BRA `({other})", guard=False)
            else:
                self.put(f"@{self.predicate('')} BRA `({end})", guard=False)
                super().compare(u, p, a, b)
            self.lines.append(f"{end}:")

    def between(self, u: str) -> None:
        if self.rng.random() < 0.6:
            self.put("R2UR UR9, R9", guard=False)
        else:
            self.step()


class Caller(Writer):
    """Writes programs that call functions of the same text, which may call others."""

    FUNCTIONS = 3
    depth = FUNCTIONS

    def block(self, depth: int) -> None:
        if self.depth and self.rng.random() < 0.4:
            self.call()
        super().block(depth)

    def call(self) -> None:
        """Call a function that comes later than this one."""
        rng = self.rng
        function = rng.randrange(self.FUNCTIONS - self.depth, self.FUNCTIONS)
        over = self.label()
        if rng.random() < 0.3:
            self.put(f"@{self.predicate('')} BRA `({over})", guard=False)
        behind = 16 * (self.count + 2)
        self.put(f"MOV R{90 + 2 * function}, {behind if rng.random() < 0.95 else 0x10:#x}", guard=False)
        self.put(f"CALL.REL.NOINC `(.L_f_{function})", guard=False)
        self.lines.append(f"{over}:")
        if rng.random() < 0.4:
            self.mma()

    def write(self) -> str:
        super().write()
        for function in range(self.FUNCTIONS):
            self.depth = self.FUNCTIONS - 1 - function
            self.lines.append(f".L_f_{function}:")
            # Few registers are written, so that something is left.
            for _ in range(self.rng.randint(1, 3)):
                (self.step if self.rng.random() < 0.7 or not self.depth else self.call)()
            if self.rng.random() < 0.3:
                self.branch(1, synchronized=False)
            self.put(f"RET.REL.NODEC R{90 + 2 * function} `(fuzz)", guard=False)
        self.lines.append(".L_end:")
        self.put("BRA `(.L_end)", guard=False)
        return "\n".join(self.lines) + "\n"


class Roller(Writer):
    """Writes programs with loops that count and, in each round, add to registers from which descriptors are made."""

    registers = 6
    ODD = 0.12
    """How often something is done that may be the end of any bound."""

    def write(self) -> str:
        rng = self.rng
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        for number in range(self.registers):
            for u in ("", "U"):
                at = f"{u}R{number}"
                if rng.random() < 0.8:
                    number = rng.choice((0, 1, 3, 0x40, 0xFF0, 0x40000040, M32, M32 - 9))
                    self.put(f"{u}MOV {at}, {number:#x}", u, False)
                else:
                    mask = rng.choice((0x3, 0x1F, 0xFFF0, 0x80000007))
                    self.put(f"{u}LOP3.LUT {at}, {at}, {mask:#x}, {u}RZ, 0xc0, !{u}PT", u, False)
        for _ in range(rng.randint(1, 2)):
            self.rolled(1)
        self.use()
        self.put("EXIT", guard=False)
        return "\n".join(self.lines) + "\n"

    def use(self) -> None:
        """Use registers as they are, of either file."""
        rng = self.rng
        if rng.random() < 0.6:
            for word in range(4):
                self.put(f"R2UR UR{8 + word}, R{rng.randrange(self.registers)}", "U", False)
            first = 8
        else:
            first = rng.choice((0, 2))
        self.put(f"HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0", guard=False)

    def grow(self, u: str) -> None:
        """Add a constant to a register, in one of the forms in which that is written."""
        rng = self.rng
        at = f"{u}R{rng.randrange(self.registers)}"
        by = rng.choice((1, 2, 2, 4, 0x40, 0x100, 0x400, -2, -0x40))
        text = f"-{-by:#x}" if by < 0 else f"{by:#x}"
        guard = f"@{rng.choice(('', '!'))}{self.predicate(u)} " if rng.random() < 0.1 else ""
        form = rng.randrange(7)
        if form == 0 and not u:
            self.put(f"{guard}VIADD {at}, {at}, {text}", guard=False)
        elif form == 1:
            self.put(f"{guard}{u}LEA {at}, {u}R{rng.randrange(self.registers)}, {at}, 0x4", u, False)
        elif form == 2:
            other = f"{u}R{rng.randrange(self.registers)}"
            self.put(f"{u}IADD3 {other}, {at}, {text}, {u}RZ", u, False)
            self.put(f"{guard}{u}MOV {at}, {other}", u, False)
        elif form == 3:
            low = 2 * rng.randrange(self.registers // 2)
            outs = f"{u}P3"
            self.put(f"{u}IADD3 {u}R{low}, {outs}, {u}R{low}, {abs(by):#x}, {u}RZ", u, False)
            self.put(f"{u}IADD3.X {u}R{low + 1}, {u}R{low + 1}, {u}RZ, {u}RZ, {u}P3, !{u}PT", u, False)
        elif form == 4 and not u:
            self.put(f"{guard}IMAD.IADD {at}, {at}, 0x1, R{rng.randrange(self.registers)}", guard=False)
        elif form == 5 and u:
            low = 2 * rng.randrange(self.registers // 2)
            self.put(f"UIADD3.64 UR{low}, UPT, UPT, UR{low}, {abs(by):#x}, URZ", u, False)
        else:
            self.put(f"{guard}{u}IADD3 {at}, {at}, {text}, {u}RZ", u, False)

    def body(self, depth: int) -> None:
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            u = rng.choice(("", "", "U"))
            chance = rng.random()
            if chance < self.ODD:
                self.step()
            elif chance < 0.25 and depth:
                self.rolled(depth - 1)
            elif chance < 0.4:
                other, end = self.label(), self.label()
                self.put(f"@{rng.choice(('', '!'))}{self.predicate('')} BRA `({other})", guard=False)
                self.grow(u)
                if rng.random() < 0.6:
                    self.put(f"BRA `({end})", guard=False)
                self.lines.append(f"{other}:")
                if rng.random() < 0.7:
                    self.grow(u)
                self.lines.append(f"{end}:")
            elif chance < 0.6:
                self.use()
            else:
                self.grow(u)

    def rolled(self, depth: int) -> None:
        """A loop that counts: tested at its top or its bottom, the old number or the new one."""
        rng = self.rng
        u = rng.choice(("", "", "U"))
        count = f"{u}R{rng.randrange(self.registers)}"
        new = rng.choice((count, f"{u}R{rng.randrange(self.registers)}"))
        by = rng.choice((1, 1, 1, 2, 3, 4, 8, -1, -1, -2, -4, 1 << 28, 1 << 30, -(1 << 29)))
        start = rng.choice((0, 0, 0, 1, 4, 8, 16, M32, M32 - 3, 1 << 31, (1 << 31) - 2, rng.getrandbits(32)))
        times = rng.randint(0, 9)
        bound = start + by * times + rng.choice((0, 0, 0, 0, 1, -1, by)) & M32
        if rng.random() < 0.8:
            self.put(f"{u}MOV {count}, {start:#x}", u, False)
        again, out, p = self.label(), self.label(), f"{u}P{rng.randrange(3)}"
        names = ("NE", "NE", "LT", "LE", "GT", "GE", "EQ")
        like = (("LT", "LE", "NE") if by > 0 else ("GT", "GE", "NE")) if rng.random() < 0.7 else names
        how, sign = rng.choice(like), rng.choice(("", ".U32"))
        compared = [rng.choice((count, new)), f"{bound:#x}"]
        if rng.random() < 0.2:
            limit = f"{u}R{rng.randrange(self.registers)}"
            if rng.random() < 0.7:
                self.put(f"{u}LOP3.LUT {limit}, {limit}, 0x7, {u}RZ, 0xc0, !{u}PT", u, False)
            compared[1] = limit
            if rng.random() < 0.3:
                compared.reverse()
        far = f"-{-by:#x}" if by < 0 else f"{by:#x}"
        step = f"{u}IADD3 {new}, {count}, {far}, {u}RZ"
        test = f"{u}ISETP.{how}{sign}.AND {p}, {u}PT, {', '.join(compared)}, {u}PT"
        stay = rng.random() < 0.9

        turned = rng.random() < 0.2

        def branch(label: str, holds: bool) -> None:
            no = "" if (holds == stay) != turned else "!"
            if turned:
                self.put(f"{u}PLOP3.LUT {p}, {u}PT, {p}, {u}PT, {u}PT, 0x8, 0x80", u, False)
            self.put(f"BRA.U {no}{p}, `({label})" if u else f"@{no}{p} BRA `({label})", guard=False)

        def count_on() -> None:
            self.put(step, u, False)
            if new != count and rng.random() < 0.9:
                self.put(f"{u}MOV {count}, {new}", u, False)

        if rng.random() < 0.2:
            self.put(test, u, False)
            branch(out, False)
        if rng.random() < 0.15:
            # Or from another number.
            self.put(f"@{rng.choice(('', '!'))}{self.predicate('')} BRA `({again})", guard=False)
            self.put(f"{u}MOV {count}, {start - 4 * by & M32:#x}", u, False)
        self.lines.append(f"{again}:")
        form = rng.randrange(4)
        if form == 0:
            self.put(test, u, False)
            branch(out, False)
            self.body(depth)
            count_on()
            self.put(f"BRA `({again})", guard=False)
        elif form == 1:
            self.put(test, u, False)
            count_on()
            self.body(depth)
            branch(again, True)
        elif form == 2:
            self.body(depth)
            if rng.random() < 0.1:
                self.put(f"@{self.predicate('')} BRA `({again})", guard=False)
            count_on()
            self.put(test, u, False)
            branch(again, True)
        else:
            count_on()
            if rng.random() < 0.3:
                self.put(f"@{self.predicate('')} BRA `({again})", guard=False)  # round a way that does not compare
            self.body(depth)
            self.put(test, u, False)
            branch(out, False)
            self.body(0)
            self.put(f"BRA `({again})", guard=False)
        self.lines.append(f"{out}:")


WEIGHTS = {
    "MOV": 3, "IADD3": 3, "add": 4, "IMAD": 2, "moved": 2, "WIDE": 2, "LOP3": 8, "SHF": 8, "LEA": 5, "SEL": 3,
    "PRMT": 4, "SGXT": 2, "R2UR": 2, "SHFL": 1, "HFMA2": 1, "VIMNMX": 2, "VIADD": 1, "CS2R": 1, "64": 3, "load": 1,
    "S2R": 1, "ISETP": 3, "choose": 6, "stage": 3,
}  # fmt: skip


class Thread(Outside):
    """Random inputs; remembers what the MMAs read."""

    def __init__(self, rng: random.Random, lanes: dict[tuple[int, int], list[int]]) -> None:
        self.rng = rng
        self.lanes = lanes
        self.read: list[tuple[int, int, int]] = []

    def register(self, name: str) -> int:
        return self.rng.choice((self.rng.getrandbits(32), self.rng.choice(SPECIAL)))

    def load(self, what: Instruction, address: int, size: int) -> int:
        return self.rng.getrandbits(8 * size)

    def special(self, name: str) -> int:
        return self.rng.randrange({"SR_TID.X": 1024, "SR_LANEID": 32}.get(name, 1 << 31))

    def shuffle(self, place: int, visit: int, own: int) -> int:
        values = self.lanes.setdefault((place, visit), [])
        values.append(own)
        return self.rng.choice(values)

    def descriptors(self, place: int, a: int, b: int) -> None:
        self.read.append((place, a, b))


def written(seed: int) -> str:
    return Writer(random.Random(f"sass {seed}")).write()


def chosen(seed: int) -> str:
    return Chooser(random.Random(f"choices {seed}")).write()


def claimed(text: str) -> list[Mma]:
    (function,) = scan_text(text).functions
    return list(function.mmas)


def contradictions(
    text: str, seed: int, runs: int = RUNS, made: type[Thread] = Thread, steps: int = STEPS
) -> list[str]:
    """Run a program and return what was claimed wrongly; ``made``: the threads that run it.

    ``steps``: how many instructions of a run that may not end.
    """
    program = Program(text)
    places = [place for place, each in enumerate(program.code) if each.name == "HGMMA"]
    mmas = dict(zip(places, claimed(text), strict=True))
    lanes: dict[tuple[int, int], list[int]] = {}
    wrong = []
    for run in range(runs):
        thread = made(random.Random(f"{seed} {run}"), lanes)
        try:
            Machine(program, thread).run(steps)
        except EndlessError:
            assert steps < STEPS, "the program does not end"
        for place, *values in thread.read:
            mma = mmas[place]
            for operand, value in zip((mma.a, mma.b), values, strict=True):
                assert operand is not None
                if (operand.bits ^ value) & operand.known:
                    wrong.append(f"line {mma.line}: {operand.bits:#x}/{operand.known:#x}, not {value:#x}")
    return wrong


LOOPS = 1500
LONG = 1200
"""Instructions of a run: some of the loops do not end."""


def rolled(seed: int) -> str:
    return Roller(random.Random(f"rolled {seed}")).write()


def apart(seed: int) -> str:
    return Apart(random.Random(f"apart {seed}")).write()


def calling(seed: int) -> str:
    return Caller(random.Random(f"calls {seed}")).write()


class Programs(NamedTuple):
    """Programs of one kind: how many, how often each runs, in what thread, for how many instructions at most."""

    make: Callable[[int], str]
    count: int
    runs: int = RUNS
    thread: type[Thread] = Thread
    steps: int = STEPS

    def hold(self, first: int) -> None:
        """Run a slice of them, and fail where something was claimed wrongly."""
        for seed in range(first, self.count, SLICES):
            text = self.make(seed)
            wrong = contradictions(text, seed, self.runs, self.thread, self.steps)
            assert wrong[:3] == [], f"seed {seed}\n{text}"


IN_SLICES = pytest.mark.parametrize("first", split(range(SLICES), lambda first: first < SHORT))
EVERY = {
    "any": Programs(written, PROGRAMS),
    "choices": Programs(chosen, CHOICES, 16),
    "choices far from comparisons": Programs(apart, CHOICES // 2, 16),
    "calls": Programs(calling, PROGRAMS),
    "loops that count": Programs(rolled, LOOPS, 6, steps=LONG),
}


@IN_SLICES
@pytest.mark.parametrize("name", EVERY)
def test_no_run_contradicts_what_is_claimed(name: str, first: int) -> None:
    EVERY[name].hold(first)


def share(make: Callable[[int], str], seeds: range) -> float:
    """Return which part of the bits of all descriptors of programs is claimed."""
    found = [operand for seed in seeds for mma in claimed(make(seed)) for operand in (mma.a, mma.b)]
    return sum(each.known.bit_count() for each in found if each is not None) / 64 / len(found)


@pytest.mark.parametrize(("make", "seeds"), [(written, range(0, PROGRAMS, 4)), (rolled, range(0, LOOPS, 8))])
def test_much_is_claimed(make: Callable[[int], str], seeds: range) -> None:
    assert share(make, seeds) >= 0.3


def test_not_all_is_lost_behind_calls() -> None:
    texts = [calling(seed) for seed in range(0, PROGRAMS, 8)]
    every = [operand for text in texts for mma in claimed(text) for operand in (mma.a, mma.b) if "CALL" in text]
    lost = sum(operand is not None and operand.lost_text.startswith("CALL") for operand in every)
    assert lost <= 0.5 * len(every)


CARRY = """
    MOV R2, 0xffffffff
    MOV R3, 0x1
    {u}MOV {u}R2, 0xffffffff
    {u}MOV {u}R3, 0x1
    {u}IADD3 {u}R4, {u}P0, {u}R2, {u}R3, {u}RZ
    {between}
    {u}IADD3.X {u}R5, {u}RZ, {u}RZ, {u}RZ, {u}P0, !{u}PT
    {to} UR0, {u}R5
"""
BETWEEN = {
    "R2P": ("", "R2P PR, R9, 0x1"),
    "UR2UP": ("U", "UR2UP UPR, UR9, 0x1"),
    "the second result": ("", "ISETP.NE.AND P1, P0, R9, RZ, PT"),
    "another carry": ("", "IADD3 R8, P0, R9, R9, RZ"),
    "perhaps another carry": ("", "@P3 IADD3 R8, P0, R9, R9, RZ"),
    "a shifted sum": ("", "LEA R8, P0, R9, R9, 0x2"),
    "the predicate of a logical operation": ("", "LOP3.LUT P0, RZ, R9, 0x1, RZ, 0xc0, !PT"),
}
DIRECTED = {
    name: CARRY.format(u=u, between=between, to="UMOV" if u else "R2UR") for name, (u, between) in BETWEEN.items()
} | {
    "two minus signs": "MOV R2, RZ\nIADD3 R4, P0, -R2, -R2, RZ\nIADD3.X R5, RZ, RZ, RZ, P0, !PT\nR2UR UR0, R5",
    "minus zero": "MOV R2, RZ\nIADD3 R4, P0, RZ, -R2, RZ\nIADD3.X R5, RZ, ~RZ, RZ, P0, !PT\nR2UR UR0, R5",
    "a sign of what is shifted": "MOV R2, 0x5\nLEA R4, ~R2, RZ, 0x4\nR2UR UR0, R4",
    "a minus of what is shifted": "MOV R2, 0x5\nLEA R4, -R2, 0x3, 0x4\nR2UR UR0, R4",
    "a wide product": "MOV R2, 0xfffffff0\nIMAD.WIDE.U32 R4, R2, -0x8, RZ\nR2UR UR0, R5\nR2UR UR1, R4",
    "a wide product of signed numbers": "MOV R2, 0xfffffff0\nIMAD.WIDE R4, R2, -0x8, RZ\nR2UR UR0, R5\nR2UR UR1, R4",
    "a negative number of 64 bits": "UMOV UR4, 0x5\nUMOV UR5, URZ\nUIADD3.64 UR0, UPT, UPT, UR4, -0x8, URZ",
}


@pytest.mark.parametrize("name", DIRECTED)
def test_what_programs_seldom_do(name: str) -> None:
    lines = [*DIRECTED[name].strip().splitlines(), "HGMMA.64x8x16.F32 R24, gdesc[UR0], R24, !UPT, gsb0", "EXIT"]
    text = '.section .text.fuzz,"ax",@progbits\n.text.fuzz:\n'
    text += "".join(f"        /*{16 * place:04x}*/ {line.strip()} ;\n" for place, line in enumerate(lines))
    assert contradictions(text, 0)[:3] == []


def test_every_instruction_is_there() -> None:
    names: dict[str, int] = defaultdict(int)
    for seed in range(PROGRAMS):
        for each in Program(written(seed)).code:
            names[".".join((each.name, *each.suffixes))] += 1
    for file in ("", "U"):
        forms = [
            f"{file}SHF.{side}.{kind}{hi}"
            for side in ("L", "R", "L.W", "R.W")
            for kind in ("U32", "S32", "U64", "S64")
            for hi in ("", ".HI")
        ]
        forms += [
            f"{file}{name}"
            for name in (
                "IADD3",
                "IADD3.X",
                "LEA",
                "LEA.HI",
                "LEA.HI.X",
                "LEA.HI.X.SX32",
                "IMAD.WIDE",
                "IMAD.WIDE.U32",
                "PRMT",
                "SGXT",
                "SEL",
                "LOP3.LUT",
            )
        ]
        assert [name for name in forms if not names[name]] == []
