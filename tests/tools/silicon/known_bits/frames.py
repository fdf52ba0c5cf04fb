"""Random kernels for what a scan knows of local memory: reached by addresses in registers, of local memory and of the
whole address space, that constants, small numbers, predicates and loops move; in words of one to eight bytes.

Like :mod:`silicon.known_bits.ways`, and always the same ones too.
"""

from __future__ import annotations

from typing import NamedTuple

from silicon.known_bits import kernels
from silicon.known_bits.kernels import FRAME, Do, Lane, Loop, Program, Source, Statement
from silicon.known_bits.ops import M32, M64
from silicon.known_bits.ways import Ways

KERNELS = 120
ROOM = 128
"""Bytes of local memory."""
FAR = 32
"""Addresses are at most so many bytes from its beginning."""


class Room(NamedTuple):
    """The local memory, with an address of either kind in a register."""

    near: str
    whole: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        room = [f".local .align 16 .b8 room[{ROOM}];", f"mov.u64 {self.near}, room;"]
        return [*room, f"cvta.local.u64 {self.whole}, {self.near};"]

    def run(self, lanes: list[Lane]) -> None:
        """Begin: an address is how far it is from the beginning."""
        for lane in lanes:
            lane["room"] = lane[self.near] = lane[self.whole] = 0


class Point(NamedTuple):
    """An address and a number, the number in a register times eight, or one of two addresses."""

    how: str
    result: str
    of: str
    by: Source
    predicate: str = ""
    scratch: str = ""

    def lines(self) -> list[str]:
        """Return the PTX."""
        if self.how == "chosen":
            return [f"selp.b64 {self.result}, {self.of}, {self.by}, {self.predicate};"]
        if self.how == "guarded":
            add = f"@{self.predicate} add.s64 {self.result}, {self.of}, {self.by};"
            return [f"mov.b64 {self.result}, {self.of};", add]
        if self.how == "element":
            return [f"mad.wide.u32 {self.result}, {self.by}, 8, {self.of};"]
        if self.how == "sum":
            wide = [f"cvt.u64.u32 {self.scratch}, {self.by};", f"shl.b64 {self.scratch}, {self.scratch}, 3;"]
            return [*wide, f"add.s64 {self.result}, {self.of}, {self.scratch};"]
        return [f"add.s64 {self.result}, {self.of}, {self.by};"]

    def run(self, lanes: list[Lane]) -> None:
        """Compute."""
        for lane in lanes:
            by = lane[self.by] if isinstance(self.by, str) else self.by
            if self.how == "chosen":
                lane[self.result] = lane[self.of] if lane[self.predicate] else by
            elif self.how == "guarded":
                lane[self.result] = lane[self.of] + (by if lane[self.predicate] else 0)
            else:
                lane[self.result] = lane[self.of] + (8 * by if self.how in ("element", "sum") else by)


class Put(NamedTuple):
    """A value, or the lower bytes of it, into local memory."""

    address: str
    plus: int
    size: int
    source: str
    local: bool
    guard: str

    def lines(self) -> list[str]:
        """Return the PTX."""
        guard = f"@{self.guard} " if self.guard else ""
        return [f"{guard}st{'.local' * self.local}.b{8 * self.size} [{self.address}+{self.plus}], {self.source};"]

    def run(self, lanes: list[Lane]) -> None:
        """Write."""
        full = (1 << 8 * self.size) - 1
        for lane in lanes:
            if not self.guard or bool(lane[self.guard.lstrip("!")]) != (self.guard[0] == "!"):
                at = 8 * (lane[self.address] + self.plus)
                lane["room"] = lane["room"] & ~(full << at) | (lane[self.source] & full) << at


class Get(NamedTuple):
    """A value out of local memory."""

    address: str
    plus: int
    size: int
    sign: bool
    result: str
    local: bool

    def lines(self) -> list[str]:
        """Return the PTX."""
        kind = f"{'s' if self.sign else 'u'}{8 * self.size}"
        return [f"ld{'.local' * self.local}.{kind} {self.result}, [{self.address}+{self.plus}];"]

    def run(self, lanes: list[Lane]) -> None:
        """Read."""
        bits = 8 * self.size
        for lane in lanes:
            value = lane["room"] >> 8 * (lane[self.address] + self.plus) & (1 << bits) - 1
            if self.sign and value >> bits - 1:
                value -= 1 << bits
            lane[self.result] = value & (M64 if self.result.startswith("%d") else M32)


class Frames(Ways):
    """Writes one program."""

    room: Room | None = None

    def begin(self) -> list[Statement]:
        """Fill the room."""
        self.room = Room(self.new("d"), self.new("d"))
        self.addresses = {True: [(self.room.near, 0)], False: [(self.room.whole, 0)]}
        made: list[Statement] = []
        for at in range(0, ROOM, 8):
            local = self.rng.random() < 0.5
            made.append(Put(self.addresses[local][0][0], at, 8, self.pick("d"), local, ""))
        return made

    def address(self, most: int = FAR) -> tuple[str, int, bool]:
        """Return an address, how far it is from the beginning at most, and whether it is one of local memory."""
        local = self.rng.random() < 0.5
        name, far = self.rng.choice([each for each in self.addresses[local] if each[1] <= most])
        return name, far, local

    def point(self) -> list[Statement]:
        """Move an address."""
        rng = self.rng
        of, far, local = self.address(FAR - 24)
        name = self.new("d")
        how = rng.choice(("number", "number", "element", "sum", "chosen", "guarded"))
        made: list[Statement] = []
        if how in ("element", "sum"):
            index = self.new("r")
            made.append(Do(FRAME["r"][0], (index,), (self.pick("r"), rng.choice((1, 2, 3)))))
            made.append(Point(how, name, of, index, scratch=self.new("d")))
            far += 24
        elif how == "number" or not self.pool["p"]:
            by = rng.choice((0, 8, 16, 24))
            made.append(Point("number", name, of, by))
            far += by
        elif how == "guarded":
            made.append(Point(how, name, of, 8, self.pick("p")))
            far += 8
        else:
            other, most = rng.choice(self.addresses[local])
            made.append(Point(how, name, of, other, self.pick("p")))
            far = max(far, most)
        self.addresses[local].append((name, far))
        return made

    def place(self, size: int) -> tuple[str, int, bool]:
        """Return an address and what is added to it, for so many bytes."""
        name, far, local = self.address()
        return name, self.rng.randrange(0, min(40, ROOM - far - size) + 1, size), local

    def put(self) -> list[Statement]:
        """Store."""
        rng = self.rng
        size = rng.choice((1, 2, 4, 4, 8, 8))
        name, plus, local = self.place(size)
        guard = rng.choice(("", "!")) + self.pick("p") if self.pool["p"] and rng.random() < 0.25 else ""
        return [Put(name, plus, size, self.pick("d" if size == 8 else "r"), local, guard)]

    def get(self) -> list[Statement]:
        """Load."""
        size = self.rng.choice((1, 2, 4, 8, 8, 8))
        at, plus, local = self.place(size)
        kind = "d" if size == 8 else "r"
        name = self.new(kind)
        self.keep((kind, name))
        return [Get(at, plus, size, size < 4 and self.rng.random() < 0.5, name, local)]

    def walk(self) -> list[Statement]:
        """Go through words in a loop, by an address that moves."""
        rng = self.rng
        of, _, local = self.address(0)
        moved, value = self.new("d"), self.new("d")
        first, kept = self.copy("d", self.pick("d"))
        body: list[Statement] = [Get(moved, rng.choice((0, 8)), 8, False, value, local)]
        body.append(Do(FRAME["d"][rng.randrange(2)], (kept,), (kept, value)))
        if rng.random() < 0.5:
            body.append(Put(moved, rng.choice((0, 8, 16)), 8, kept, local, ""))
        body.append(Point("number", moved, moved, 8))
        times = rng.randint(2, 4)
        loop = Loop(self.label(), times, self.new("r"), self.new("p"), body)
        self.keep(("d", kept))
        return [first, Point("number", moved, of, rng.choice((0, 8, 16))), loop]

    def statement(self) -> list[Statement]:
        """One of these, or one as in the other kernels."""
        if self.room is None:
            return self.begin()
        if self.rng.random() < 0.35:
            return super().statement()
        return self.rng.choice((self.point, self.point, self.put, self.put, self.get, self.get, self.walk))()

    def source(self, letter: str) -> Source:
        """Not a bit field that begins above the word: ptxas 13.0 -O1 takes some for -1, whatever the word is."""
        found = super().source(letter)
        return min(found, 31) if letter == "k" and isinstance(found, int) else found

    def local(self) -> list[Statement]:
        """Not the slots of the other kernels."""
        return self.get()

    def values(self) -> list[Statement]:
        """Make the two values of what is loaded last."""
        made = self.begin() if self.room is None else []
        for _ in range(2):
            size = 8
            at, plus, local = self.place(size)
            name = self.new("d")
            self.keep(("d", name))
            made.append(Get(at, plus, size, False, name, local))
        return made + super().values()

    def program(self) -> Program:
        """Write it; its local memory stands before the first instruction."""
        self.room = None
        made = super().program()
        return made if self.room is None else made._replace(statements=(self.room, *made.statements))


def make(count: int = KERNELS) -> list[Program]:
    """Return the programs: the same ones every time."""
    return kernels.make(count, Frames, "frames")
