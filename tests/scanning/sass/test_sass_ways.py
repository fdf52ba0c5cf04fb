"""Random programs with calls, jump tables, writes under predicates, elected threads and local memory.

As :mod:`test_sass_fuzz`: every bit that a scan claims is right in every run. A thread is one of a warp here: the others
may hold other predicates, and may be the ones that a uniform register gets its value from.
"""

from __future__ import annotations

import random

import pytest

from .machine import M32
from .test_sass_fuzz import IN_SLICES, REGISTERS, Programs, Thread, Writer, share

SEEDS = 300
KEPT = 600
"""Short programs about memory."""
PAIRS = (12, 14, 16, 18)
"""Registers that hold addresses of 64 bits."""
LONG = 2000
"""Instructions of a run: where the threads go on one by one, some loops do not end."""
AGAIN = 0x40
"""From this constant on another number is read every time."""


class Ways(Writer):
    """Writes programs of which the ways are the point."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.functions: list[tuple[str, str]] = []

    def block(self, depth: int) -> None:
        form = self.rng.randrange(11)
        if form > 8:
            self.some_kept()
        elif form == 0:
            self.call()
        elif form in (1, 2):
            self.under()
        elif form == 3:
            (self.elected if self.rng.random() < 0.5 else self.one_by_one)()
        elif form == 4:
            self.spill()
        elif form == 5:
            self.swap()
        elif form == 6 and depth:
            self.table(depth)
        else:
            super().block(depth)
        if self.rng.random() < 0.2:
            self.mma()

    def some(self, least: int = 0, most: int = 3) -> None:
        for _ in range(self.rng.randint(least, most)):
            self.step()

    def call(self) -> None:
        """Call a function, mostly where a predicate does not hold."""
        name = f".L_f_{len(self.functions)}"
        kind = self.rng.choice(("trap", "trap", "loop", "maybe", "return", "writes"))
        self.functions.append((name, kind))
        over = self.label()
        guarded = self.rng.random() < 0.3
        if not guarded and (kind != "return" or self.rng.random() < 0.5):
            self.put(f"@{self.rng.choice(('', '!'))}P{self.rng.randrange(4)} BRA `({over})", guard=False)
        self.some()
        self.put(f"MOV R28, {self.immediate()}", guard=False)
        call = f"CALL.REL.NOINC `({name})"
        self.put(f"@P{self.rng.randrange(4)} {call}" if guarded else call, guard=False)
        self.some()
        if self.rng.random() < 0.5:
            self.mma()
        self.lines.append(f"{over}:")

    def bodies(self) -> None:
        for name, kind in self.functions:
            self.lines.append(f"{name}:")
            if kind in ("trap", "loop"):
                self.put("BPT.TRAP 0x1", guard=False)
            if kind == "maybe":
                self.put(f"@P{self.rng.randrange(4)} BPT.TRAP 0x1", guard=False)
            if kind == "writes":
                self.some(1, 4)
            if kind == "loop":
                self.put(f"BRA `({name})", guard=False)
            else:
                self.put("RET.REL.NODEC R28 `(fuzz)", guard=False)

    def under(self) -> None:
        """Write registers under a predicate, and use them where it holds, or may not."""
        rng = self.rng
        p = rng.randrange(4)
        sign = rng.choice(("", "!"))
        first = 2 * rng.randrange(3)
        for _ in range(rng.randint(1, 5)):
            self.write_under(
                f"@{sign}P{p}" if rng.random() < 0.8 else f"@{rng.choice(('', '!'))}P{rng.randrange(4)}", first
            )
            if rng.random() < 0.3:
                self.step()
            if rng.random() < 0.1:
                self.put(f"ISETP.LT.AND P{p}, PT, R1, R2, PT", guard=False)
        form = rng.randrange(4)
        end = self.label()
        if form == 0:
            self.put(f"@{sign}P{p} HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0", guard=False)
        elif form == 1:
            self.put(f"@{'' if sign else '!'}P{p} BRA `({end})", guard=False)
            self.some(0, 2)
            self.use(first)
        elif form == 2:
            self.put(f"@{sign}P{p} BRA `({end})", guard=False)
            self.some(0, 2)
            self.use(first)
        else:
            other = self.label()
            self.put(f"@{sign}P{p} BRA `({other})", guard=False)
            self.put(f"BRA `({end})", guard=False)
            self.lines.append(f"{other}:")
            self.some(0, 1)
            self.use(first)
        if rng.random() < 0.3:
            self.put(f"BRA `({end})", guard=False)
            self.some(0, 1)
        self.lines.append(f"{end}:")
        if rng.random() < 0.3:
            self.use(first)

    def write_under(self, guard: str, first: int) -> None:
        rng = self.rng
        register = rng.randrange(REGISTERS)
        form = rng.randrange(5)
        if form == 0:
            self.put(f"{guard} MOV R{register}, {self.immediate()}", guard=False)
        elif form == 1:
            self.put(
                f"{guard} LOP3.LUT R{register}, R{register}, {self.immediate()}, {self.register('')}, 0xf8, !PT",
                guard=False,
            )
        else:
            self.put(f"{guard} R2UR UR{first + rng.randrange(4)}, R{register}", guard=False)

    def use(self, first: int) -> None:
        self.put(f"HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0", guard=False)

    def elected(self) -> None:
        """One thread writes what the warp uses, or what a vote says of it."""
        rng = self.rng
        p = rng.randrange(4)
        first = 2 * rng.randrange(3)
        if rng.random() < 0.6:
            self.put(f"ELECT P{p}, URZ, PT", guard=False)
        for _ in range(rng.randint(1, 6)):
            form = rng.randrange(8)
            if form < 4:
                self.write_under(f"@P{p}", first)
            elif form < 6:
                self.put(f"VOTEU.ANY UP{rng.randrange(4)}, P{p}", guard=False)
            elif form == 6:
                self.put(f"ISETP.LT.AND P{p}, PT, R1, R2, PT", guard=False)
            else:
                self.step()
        if rng.random() < 0.3:
            self.put(f"ISETP.EQ.AND P{p}, PT, R1, R2, PT", guard=False)
        guard = rng.choice(("", f"@UP{rng.randrange(4)} ", f"@P{p} "))
        self.put(f"{guard}HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0", guard=False)

    def one_by_one(self) -> None:
        """Each thread uses its own registers, one of those that are left in each round; mostly as it should be."""
        rng = self.rng
        left, p = rng.sample(range(4), 2)
        first = 2 * rng.randrange(3)
        true, false = "PT, PT, PT, PT, 0x80, 0x8", "PT, PT, PT, PT, 0x8, 0x80"
        for register in rng.sample(range(REGISTERS), 3):
            self.put(f"MOV R{register}, {self.immediate()}")
        all_left = f"PLOP3.LUT P{left}, {true}"
        self.put(rng.choices((all_left, f"@P{p} {all_left}", f"PLOP3.LUT P{left}, {false}", "NOP"), (8, 1, 1, 1))[0],
                 guard=False)  # fmt: skip
        again, out = self.label(), self.label()
        if rng.random() < 0.2:
            self.put(f"@{rng.choice(('', '!'))}P{rng.choice((left, p))} BRA `({rng.choice((again, out))})", guard=False)
        if rng.random() < 0.2:
            self.step()
        self.lines.append(f"{again}:")
        if rng.random() < 0.1:
            self.step()
        self.put(f"@{rng.choice(('', '', '', '', '', '!'))}P{left} ELECT P{p}, URZ, PT", guard=False)
        for word in range(4):
            if rng.random() < 0.9:
                broadcast = rng.choice((".BROADCAST", ".BROADCAST", ""))
                self.put(f"@P{p} R2UR{broadcast} UR{first + word}, R{rng.randrange(REGISTERS)}", guard=False)
            if rng.random() < 0.05:
                self.step()
        used = f"HGMMA.64x8x16.F32 R24, gdesc[UR{first}], R24, !UPT, gsb0"
        done = f"@P{p} PLOP3.LUT P{left}, PT, P{p}, PT, PT, 0x8, 0x80"
        none = f"PLOP3.LUT P{p}, {false}"
        for line in rng.choice(((done, none, used), (done, used, none), (used, done, none), (done, used))):
            self.put(line, guard=False)
        if rng.random() < 0.1:
            self.step()
        ways = (f"@P{left} BRA.U.ANY", f"@P{left} BRA", f"@P{p} BRA.U.ANY", f"@!P{left} BRA.U.ANY")
        self.put(f"{rng.choices(ways, (12, 2, 1, 1))[0]} `({again})", guard=False)
        self.lines.append(f"{out}:")
        if rng.random() < 0.3:
            self.use(first)

    def spill(self) -> None:
        """Put registers into local memory and take them back; sometimes the memory is written in between."""
        rng = self.rng
        if rng.random() < 0.7:
            self.put(rng.choice(("LDC R1, c[0x0][0x37c]", "MOV R1, c[0x0][0x28]")), guard=False)
        if rng.random() < 0.5:
            self.put(rng.choice(("VIADD R1, R1, -0x40", "IADD3 R1, PT, PT, R1, -0x40, RZ")), guard=False)
        for register in range(2, REGISTERS, 2):
            self.put(f"MOV R{register}, {self.immediate()}", guard=False)
        spilled = "" if rng.random() < 0.5 else '   (*"SpillRefill"*)'
        for _ in range(rng.randint(3, 10)):
            place = f"[R1+{rng.choice((0, 4, 8, 16)):#x}]" if rng.random() < 0.9 else "[R1]"
            form = rng.randrange(10)
            wide = rng.choice(("", "", ".64"))
            register = 2 * rng.randrange(1, REGISTERS // 2)
            if form < 4:
                self.put(f"STL{wide} {place}, R{register}{spilled}", guard=rng.random() < 0.2)
            elif form < 8:
                self.put(f"LDL{wide}{rng.choice(('', '.LU'))} R{register}, {place}{spilled}", guard=rng.random() < 0.2)
            elif form == 8:
                self.elsewhere(place, register)
            elif rng.random() < 0.3:
                self.step()
        for word in range(4):
            self.put(f"R2UR UR{word}, R{2 * word + 2}", guard=False)
        self.use(0)

    def elsewhere(self, place: str, register: int) -> None:
        """Write what local memory holds, or move the stack pointer."""
        rng = self.rng
        choice = rng.randrange(6)
        if choice < 2:
            self.put(f"VIADD R3, R1, {rng.choice((0, 1, 4, 8)):#x}", guard=False)
            kind = rng.choice(("STL [R3]", "STL.U8 [R3]", "ST.E desc[UR20][R3.64]", "STL.64 [R3+0x4]"))
            self.put(f"{kind}, R{register}", guard=False)
        elif choice == 2:
            self.put(f"VIADD R1, R1, {rng.choice(('0x10', '-0x8'))}", guard=False)
        elif choice == 3:
            self.put(f"STL.U8 {place}, R{register}", guard=False)
        elif choice == 4:
            self.put(f"LDL.{rng.choice(('U8', 'S16'))} R{register}, {place}", guard=False)
        else:
            self.put(f"@P{rng.randrange(4)} MOV R1, R{register}", guard=False)

    def some_kept(self) -> None:
        for _ in range(self.rng.randint(1, 3)):
            self.kept()

    def kept(self) -> None:
        """Put a number into memory by an address of 64 bits and read it back, whatever lies between."""
        rng = self.rng
        pair = rng.choice(PAIRS)
        if rng.random() < 0.3:
            self.pointer(pair, rng.choice((pair, pair, rng.choice(PAIRS))))
        at = self.place(pair)
        if rng.random() < 0.8:
            self.put(f"MOV R2, {self.immediate()}", guard=False)
            self.put(f"ST.E{rng.choice(('', '', '.U8', '.U16'))} {at}, R2", guard=rng.random() < 0.1)
        for _ in range(rng.randint(0, 3)):
            self.between(pair)
        pair = rng.choice((pair, pair, pair, rng.choice(PAIRS)))
        self.put(
            f"LD.E{rng.choice(('', '', '.64', '.U16', '.S8'))} R4, {self.place(pair) if rng.random() < 0.3 else at}"
        )
        self.put("R2UR UR3, R4", guard=False)
        self.use(0)

    def place(self, pair: int) -> str:
        return f"desc[UR20][R{pair}.64{self.rng.choice(('', '', '+0x4', '+0x8', '+0x2'))}]"

    def between(self, pair: int) -> None:
        rng = self.rng
        form = rng.randrange(9)
        other = rng.choice(PAIRS)
        if form < 2:
            self.pointer(rng.choice((pair, other)), rng.choice((pair, other)))
        elif form == 2:
            self.put(f"ST.E{rng.choice(('', '.64', '.U8'))} {self.place(other)}, R{rng.choice((6, 8))}")
        elif form == 3:
            self.put(f"MOV R1, R{other}", guard=False)
            self.put(f"STL [R1+{rng.choice(('0x0', '0x4'))}], R6")
        elif form == 4:
            to = rng.choice((pair, other))
            self.put(f"LDC.64 R{to}, c[0x0][{rng.choice(('0x20', '0x40', '0x40'))}]", guard=rng.random() < 0.3)
        elif form == 5:
            self.put(f"MOV R{other}, R{pair}", guard=rng.random() < 0.3)
            self.put(f"MOV R{other + 1}, R{pair + 1}", guard=rng.random() < 0.3)
        elif form == 6:
            self.put(f"MOV R{other + rng.randrange(2)}, R{pair + rng.randrange(2)}", guard=False)
        elif form == 7:
            over = self.label()
            self.put(f"@P{rng.randrange(4)} BRA `({over})", guard=False)
            self.pointer(other, rng.choice((pair, other)))
            self.lines.append(f"{over}:")
        else:
            self.step()

    def pointer(self, to: int, pair: int) -> None:
        """Add to an address, mostly as it should be."""
        rng = self.rng
        p = rng.randrange(4)
        how = rng.random()
        plus = rng.choice(("0x0", "0x1", "0x2", "0x4", "0x8", "0x8", "0x10", "-0x4"))
        add = rng.choice((f"IADD3 R{to}, P{p}, R{pair}, {plus}, RZ", f"IADD3 R{to}, P{p}, PT, R{pair}, {plus}, RZ"))
        other = pair if how < 0.9 else rng.choice(PAIRS)
        carry = p if how > 0.05 else rng.randrange(4)
        high = f"IADD3.X R{to + 1}, R{other + 1}, {'-0x1' if plus[0] == '-' else 'RZ'}, RZ, P{carry}, !PT"
        self.put(add, guard=how > 0.97)
        if rng.random() < 0.2:
            self.step()
        if rng.random() < 0.95:
            self.put(high, guard=0.95 < how < 0.97)

    def swap(self) -> None:
        """Exchange two registers, with other steps between."""
        rng = self.rng
        u = rng.choice(("", "U"))
        a, b = rng.sample(range(REGISTERS), 2)
        for to, x, y in ((a, a, b), (b, b, a), (a, a, b)) if rng.random() < 0.7 else ((a, a, b), (b, a, b), (a, b, a)):
            self.put(f"{u}LOP3.LUT {u}R{to}, {u}R{x}, {u}R{y}, {u}RZ, 0x3c, !{u}PT", guard=rng.random() < 0.1)
            if rng.random() < 0.3:
                self.step()
        self.mma()

    def table(self, depth: int) -> None:
        """Jump to one of several places."""
        rng = self.rng
        labels = [self.label() for _ in range(rng.randint(2, 3))]
        end = self.label()
        self.put(f'BRX R{rng.randrange(REGISTERS)} -0x100 (*"BRANCH_TARGETS {",".join(labels)}"*)', guard=False)
        for label in labels:
            self.lines.append(f"{label}:")
            self.block(depth - 1)
            self.put(f"BRA `({end})", guard=False)
        self.lines.append(f"{end}:")

    def write(self) -> str:
        text = super().write()
        self.bodies()
        self.lines.append(".L_end:")
        self.put("BRA `(.L_end)", guard=False)
        return text + "\n".join(self.lines[text.count("\n") - 1 :]) + "\n"


class Kept(Ways):
    """Writes short programs that put numbers into memory and read them back, whatever lies between."""

    def block(self, depth: int) -> None:
        if depth and self.rng.random() < 0.5:
            (self.loop if self.rng.random() < 0.6 else self.kept_branch)(depth)
            return
        self.some_kept()

    def kept_branch(self, depth: int) -> None:
        self.branch(depth, False)

    def write(self) -> str:
        rng = self.rng
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        for pair in PAIRS:
            if rng.random() < 0.6:
                self.put(f"LDC.64 R{pair}, c[0x0][{rng.choice(('0x20', '0x30', '0x40'))}]", guard=False)
            else:
                self.pointer(pair, rng.choice(PAIRS))
        for _ in range(rng.randint(1, 2)):
            self.block(2)
        self.put("EXIT", guard=False)
        self.lines.append(".L_end:")
        self.put("BRA `(.L_end)", guard=False)
        return "\n".join(self.lines) + "\n"


POINTERS = {0x28: 0x20, 0x37C: 0x2F8}
"""Where constant memory has the stack pointer, and the first address of local memory."""
WINDOWS = (0x7F0001000000, 0x10FF800000, 0x1000000)


class Frame(Ways):
    """Writes programs that keep numbers on the stack and read them back by all addresses that it has."""

    SHORT = (10, 11)
    """Registers with addresses of local memory; :data:`PAIRS` have those of 64 bits."""
    INDEX = (20, 22)
    """Registers of which little is known, with an upper word that is 0."""

    def write(self) -> str:
        rng = self.rng
        self.lines.append('.section .text.fuzz,"ax",@progbits\n.text.fuzz:')
        pointer = rng.choice(tuple(POINTERS))
        window = POINTERS[pointer if rng.random() < 0.95 else rng.choice(tuple(POINTERS))]
        if rng.random() < 0.9:
            self.put(rng.choice((f"LDC R1, c[0x0][{pointer:#x}]", f"MOV R1, c[0x0][{pointer:#x}]")), guard=False)
        self.put(rng.choice(("IADD3 R1, R1, -0x60, RZ", "VIADD R1, R1, 0xffffffa0")), guard=rng.random() < 0.03)
        self.put(f"LDC.64 R24, c[0x0][{window:#x}]", guard=rng.random() < 0.03)
        for each in self.SHORT:
            self.near(each)
        for each in PAIRS:
            self.whole(each)
        for each in self.INDEX:
            self.index(each)
        for at in range(0, 0x20, 8):
            if rng.random() < 0.9:
                self.numbers()
                self.put(f"STL.64 [R1+{at:#x}], R2", guard=False)
        for _ in range(rng.randint(2, 5)):
            self.block(2)
        self.look()
        self.put("EXIT", guard=False)
        for name, _ in self.functions:
            self.lines.append(f"{name}:")
            self.inside()
        self.lines.append(".L_end:")
        self.put("BRA `(.L_end)", guard=False)
        return "\n".join(self.lines) + "\n"

    def numbers(self) -> None:
        """Put numbers into R2 and R3, of which bits are the same as of others."""
        rng = self.rng
        for register in (2, 3):
            self.put(f"MOV R{register}, {rng.choice((0x40000040, 0x40000040, 0x40000080, 0x10000, 0x7fff00ff)):#x}",
                     guard=False)  # fmt: skip

    def near(self, to: int) -> None:
        """Make an address of local memory."""
        rng = self.rng
        of = f"R{rng.choice((1, 1, *self.SHORT))}"
        plus = rng.choice(("0x0", "0x4", "0x8", "0x10", "-0x4", "0x2", "0x1"))
        index = f"R{rng.choice(self.INDEX)}"
        guard = f"@{rng.choice(('', '!'))}P{rng.randrange(2)} " if rng.random() < 0.2 else ""
        forms = [
            f"IADD3 R{to}, {of}, {plus}, RZ",
            f"VIADD R{to}, {of}, {plus}",
            f"MOV R{to}, {of}",
            f"IMAD.MOV.U32 R{to}, RZ, RZ, {of}",
            f"IADD3 R{to}, {index}, {plus}, {of}",
            f"IMAD.IADD R{to}, {of}, 0x1, {index}",
            f"IMAD R{to}, {index}, 0x2, {of}",
            f"LEA R{to}, {index}, {of}, 0x1",
            f"IADD3 R{to}, R{rng.choice(PAIRS)}, -R24, RZ",
            f"IADD3 R{to}, -{of}, {plus}, RZ",
            f"IADD3 R{to}, {of}, R{rng.choice(self.SHORT)}, RZ",
            f"LEA R{to}, {of}, {of}, 0x2",
            f"IADD3 R{to}, -{index}, {plus}, {of}",
        ]
        weights = (4, 4, 3, 2, 3, 2, 2, 2, 2, 0.3, 0.3, 0.3, 0.5)
        self.put(guard + rng.choices(forms, weights)[0], guard=False)

    def whole(self, to: int) -> None:
        """Make an address of the whole address space, mostly as it should be."""
        rng = self.rng
        p, q = rng.sample(range(4), 2)
        q = p if rng.random() < 0.96 else q
        pair, index = rng.choice(PAIRS), rng.choice(self.INDEX)
        short = rng.choice((1, 1, *self.SHORT))
        high = rng.choice(("RZ", "RZ", f"R{index + 1}"))
        plus = rng.choice(("0x0", "0x4", "0x8", "0x10", "0x2", "-0x4"))
        above = "-0x1" if plus[0] == "-" else "RZ"
        guard = f"@{rng.choice(('', '!'))}P{q} " if rng.random() < 0.1 else ""
        form = rng.randrange(9)
        first = f"IADD3 R{to}, P{p}, "
        second = f"IADD3.X R{to + 1}, "
        if form < 3:
            lines = [first + f"R{short}, R24, RZ", second + f"RZ, R25, RZ, P{q}, !PT"]
        elif form < 5:
            lines = [first + f"R{pair}, {plus}, RZ", second + f"R{pair + 1}, {above}, RZ, P{q}, !PT"]
        elif form == 5:
            lines = [first + f"R{pair}, R{index}, RZ", second + f"R{pair + 1}, {high}, RZ, P{q}, !PT"]
        elif form == 6:
            lines = [f"IMAD.WIDE{rng.choice(('', '.U32'))} R{to}, R{index}, 0x2, R{pair}"]
        elif form == 7:
            lines = [f"MOV R{to}, R{pair}", f"IMAD.MOV.U32 R{to + 1}, RZ, RZ, R{pair + 1}"]
        else:
            lines = [f"LEA R{to}, P{p}, R{index}, R{pair}, 0x1", f"IMAD.X R{to + 1}, R{pair + 1}, 0x1, {high}, P{q}"]
        if len(lines) == 2 and rng.random() < 0.04:
            lines.reverse()
        for line in lines:
            if rng.random() < 0.97:
                self.put(guard + line, guard=rng.random() < 0.03)
            if rng.random() < 0.05:
                self.step()

    def index(self, to: int) -> None:
        rng = self.rng
        self.put(f"MOV R{to + 1}, {rng.choice(('RZ', 'RZ', 'RZ', '0xffffffff', '0x1'))}", guard=False)
        form = rng.randrange(4)
        if form < 2:
            self.put(f"LOP3.LUT R{to}, R{rng.choice((5, 6, to))}, {rng.choice((0x4, 0x8, 0xc, 0x7, 0x18)):#x}, RZ, "
                     "0xc0, !PT", guard=False)  # fmt: skip
        elif form == 2:
            self.put(f"SEL R{to}, RZ, {rng.choice((0x4, 0x8, 0x10)):#x}, P{rng.randrange(2)}", guard=False)
        else:
            self.put(f"MOV R{to}, {rng.choice(('RZ', '0x4', '0x10', '0xfffffffc', 'R6'))}", guard=False)

    def reached(self, kind: str) -> str:
        """Return an address for a load or a store."""
        rng = self.rng
        plus = rng.choice(("", "", "+0x4", "+0x8", "+0xc", "+0x10", "+0x2", "+-0x4"))
        if kind == "L":
            base = f"R{rng.choice((1, 1, 1, *self.SHORT))}"
            return rng.choices((f"[{base}{plus}]", "[R5]", "[UR2+0x8]"), (30, 0.4, 0.3))[0]
        return f"desc[UR20][R{rng.choice((*PAIRS, *PAIRS, *PAIRS, *PAIRS, 8))}.64{plus}]"

    def keep(self) -> None:
        rng = self.rng
        if rng.random() < 0.7:
            self.numbers()
        kind = rng.choice("LLE")
        wide = rng.choice(("", "", "", ".64", ".64", ".64", ".128", ".U8", ".U16"))
        name = "STL" if kind == "L" else "ST.E"
        source = rng.choice(("R2", "R2", "R2", "RZ", "R4"))
        guard = f"@{rng.choice(('', '!'))}P{rng.randrange(2)} " if rng.random() < 0.2 else ""
        self.put(f"{guard}{name}{wide} {self.reached(kind)}, {source}", guard=False)

    def look(self) -> None:
        """Read words back and use them."""
        rng = self.rng
        guard = f"@{rng.choice(('', '!'))}P{rng.randrange(2)} " if rng.random() < 0.2 else ""
        for word in (0, 2):
            kind = rng.choice("LLE")
            name = "LDL" if kind == "L" else "LD.E"
            wide = rng.choices(("", ".64", ".128", ".U8", ".S8", ".U16", ".S16"), (4, 12, 3, 1, 1, 1, 1))[0]
            register = rng.choice((4, 4, 6)) if wide != ".128" else 4
            self.put(f"{guard}{name}{wide} R{register}, {self.reached(kind)}", guard=False)
            for half in range(2):
                self.put(f"{guard}R2UR UR{word + half}, R{register + half}", guard=False)
        self.use(0)

    def block(self, depth: int) -> None:
        rng = self.rng
        form = rng.randrange(20)
        if form < 6:
            self.keep()
        elif form < 9:
            self.look()
        elif form < 11:
            self.near(rng.choice(self.SHORT))
        elif form < 13:
            self.whole(rng.choice(PAIRS))
        elif form == 13:
            self.index(rng.choice(self.INDEX))
        elif form == 14 and depth:
            self.branch(depth, False)
        elif form == 15 and depth:
            self.loop(depth)
        elif form == 16:
            self.moved()
        elif form == 17:
            self.called()
        elif form == 18:
            self.put(rng.choice(("BAR.SYNC 0x0", "STG.E desc[UR20][R22.64], R6", "WARPSYNC.ALL")), guard=False)
        elif rng.random() < 0.3:
            self.step()

    def moved(self) -> None:
        """Move the stack pointer, mostly back again."""
        rng = self.rng
        by = rng.choice(("0x8", "0x10", "0x4"))
        self.put(f"IADD3 R1, R1, -{by}, RZ", guard=rng.random() < 0.1)
        for _ in range(rng.randint(0, 2)):
            rng.choice((self.keep, self.look))()
        if rng.random() < 0.8:
            self.put(f"VIADD R1, R1, {by}", guard=rng.random() < 0.1)
        elif rng.random() < 0.2:
            self.put(f"IADD3 R1, R1, -R{rng.choice(self.INDEX)}, RZ", guard=False)

    def called(self) -> None:
        """Call a function that comes back, and may write the frame."""
        rng = self.rng
        if not self.functions or rng.random() < 0.5:
            self.functions.append((f".L_f_{len(self.functions)}", ""))
        behind = 16 * (self.count + 2)
        self.put(f"MOV R28, {behind:#x}", guard=False)
        self.put(f"CALL.REL.NOINC `({rng.choice(self.functions)[0]})", guard=False)

    def inside(self) -> None:
        """What such a function does."""
        rng = self.rng
        framed = rng.random() < 0.5
        if framed:
            self.put("IADD3 R1, R1, -0x10, RZ", guard=False)
        for _ in range(rng.randint(0, 2)):
            form = rng.randrange(5)
            if form < 2:
                self.keep()
            elif form == 2:
                self.put(f"STL [R1+{rng.choice(('0x0', '0x8', '0x10', '0x18'))}], R{rng.choice((2, 16))}", guard=False)
            elif form == 3:
                self.near(rng.choice(self.SHORT))
            else:
                self.step()
        if framed and rng.random() < 0.9:
            self.put("IADD3 R1, R1, 0x10, RZ", guard=False)
        self.put("RET.REL.NODEC R28 `(fuzz)", guard=False)


class Warp(Thread):
    """A thread among others."""

    def __init__(self, rng: random.Random, lanes: dict[tuple[int, int], list[int]]) -> None:
        super().__init__(rng, lanes)
        self.base: dict[int, int] = {}
        """What lies in constant memory."""
        self.first = rng.choice(WINDOWS)
        self.pointer = rng.choice((0xFFFDC0, 0x100000, 0x80F00))

    def window(self) -> int:
        return self.first

    def register(self, name: str) -> int:
        return self.pointer if name == "R1" else super().register(name)

    def elsewhere(self) -> bool:
        return self.rng.random() < 0.5

    def shared(self, place: int, own: int | None) -> int | None:
        values = self.lanes.setdefault((place, -1), [])
        if own is not None:
            values.append(own)
        return self.rng.choice(values) if values else None

    def constant(self, offset: int) -> int:
        if offset in POINTERS:
            return self.pointer
        for window in POINTERS.values():
            if offset in (window, window + 4):
                return self.first >> 8 * (offset - window) & M32
        if offset % 8:
            return self.rng.choice((0, 0, 0, 1))
        value = self.rng.choice((0x1000, 0x1004, 0xFFFFFFFC, self.rng.getrandbits(32)))
        return self.base.setdefault(offset, value) if offset < AGAIN else value


def program(seed: int) -> str:
    return Ways(random.Random(f"ways {seed}")).write()


def kept(seed: int) -> str:
    return Kept(random.Random(f"kept {seed}")).write()


def framed(seed: int) -> str:
    return Frame(random.Random(f"frame {seed}")).write()


EVERY = {
    "ways": Programs(program, SEEDS, thread=Warp, steps=LONG),
    "memory": Programs(kept, KEPT, thread=Warp, steps=LONG),
    "the stack": Programs(framed, KEPT, thread=Warp, steps=LONG),
}


@pytest.mark.corpus
@IN_SLICES
@pytest.mark.parametrize("name", EVERY)
def test_no_run_contradicts_what_is_claimed(name: str, first: int) -> None:
    EVERY[name].hold(first)


@pytest.mark.corpus
def test_much_is_claimed_of_the_stack() -> None:
    assert share(framed, range(60)) >= 0.15
