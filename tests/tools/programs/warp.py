"""A warp of an SM: threads that part at branches and meet again, with registers of their own and some for all of them.

Threads at one place are a group, which runs instruction by instruction. Groups run one after the other, in any order.
A uniform register belongs to the warp: ptxas does not let threads read what only others have written meanwhile, and
a program that does so is stopped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from itertools import count
from typing import NamedTuple

from .machine import M32, EndlessError, Instruction, Machine, Outside, Program, operation

SPECIAL = (0, 1, 3, 8, 0x40, 0x40004040, M32, 1 << 31)


class RaceError(Exception):
    """Threads read what only others have written, as in no program of ptxas."""


class Lane(Outside):
    """What a thread gets from outside; ``read`` is told what an MMA reads."""

    def __init__(self, number: int, rng: random.Random, read: Callable[[int, int, int], None]) -> None:
        self.number = number
        self.rng = rng
        self.read = read

    def register(self, name: str) -> int:
        return self.rng.choice((self.rng.getrandbits(32), self.rng.choice(SPECIAL)))

    def special(self, name: str) -> int:
        return self.number

    def descriptors(self, place: int, a: int, b: int) -> None:
        self.read(place, a, b)


class Shared:
    """Registers and predicates of a warp, with the number of the write that each is from: of all, and as each lane
    came by them."""

    def __init__(self, rng: random.Random) -> None:
        names = [f"UR{number}" for number in range(64)]
        self.values = {name: rng.choice((rng.getrandbits(32), rng.choice(SPECIAL))) for name in names}
        self.values |= {f"UP{number}": rng.getrandbits(1) for number in range(7)}
        self.written: dict[str, int] = {}
        self.passed: dict[tuple[int, str], int] = {}
        self.group: frozenset[int] = frozenset()
        self.readers: Collection[int] = ()
        self.count = count(1)

    def get(self, name: str) -> int:
        last = self.written.get(name, 0)
        if all(self.passed.get((lane, name), 0) != last for lane in self.readers):
            raise RaceError(name)
        return self.values[name]

    def set(self, name: str, value: int) -> None:
        self.values[name] = value
        self.written[name] = number = next(self.count)
        self.passed.update(dict.fromkeys(((lane, name) for lane in self.group), number))


class File(dict[str, int]):
    """The registers of one lane, with those of its warp."""

    def __init__(self, shared: Shared, first: dict[str, int]) -> None:
        super().__init__(first)
        self.shared = shared

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.shared.values

    def __getitem__(self, name: str) -> int:
        return self.shared.get(name) if name in self.shared.values else super().__getitem__(name)

    def __setitem__(self, name: str, value: int) -> None:
        if name in self.shared.values:
            self.shared.set(name, value)
        else:
            super().__setitem__(name, value)


class Group(NamedTuple):
    """Threads that are active at one place."""

    at: int
    lanes: frozenset[int]


class Meeting:
    """Where threads wait for each other, and go on together."""

    def __init__(self, at: int, lanes: frozenset[int]) -> None:
        self.at = at
        self.lanes = lanes
        self.here: frozenset[int] = frozenset()


_VOTES: dict[str, Callable[[list[bool]], bool]] = {"ANY": any, "ALL": all, "EQ": lambda held: len(set(held)) == 1}


class Warp:
    """So many threads that begin together."""

    def __init__(
        self, program: Program, rng: random.Random, read: Callable[[int, int, int], None], count: int = 32
    ) -> None:
        self.program = program
        self.rng = rng
        self.shared = Shared(rng)
        self.lanes = [Machine(program, Lane(number, rng, read)) for number in range(count)]
        for lane in self.lanes:
            lane.registers = File(self.shared, lane.registers)
            lane.predicates = File(self.shared, lane.predicates)  # type: ignore[assignment]
        self.ready = [Group(0, frozenset(range(count)))]
        self.left = frozenset(range(count))
        self.meetings: dict[tuple[int, str], Meeting] = {}
        """Where a lane will wait, by the name of the barrier."""
        self.labels = set(program.labels.values())

    def run(self, steps: int) -> None:
        """Run to the end, to where threads wait for ever, or to a race; so many steps at most."""
        try:
            for _ in range(steps):
                if not self.ready:
                    return
                group = self.ready.pop()
                self.shared.group = self.shared.readers = group.lanes
                following = [each for each in self.step(group) if each.lanes]
                self.rng.shuffle(following)
                self.ready += following
                if self.ready and self.ready[-1].at in self.labels:
                    self.meet()
        except RaceError:
            return
        raise EndlessError

    def meet(self) -> None:
        """At a label another group may go first, or several that are there go on as one."""
        if self.rng.random() < 0.2:
            self.rng.shuffle(self.ready)
        at = self.ready[-1].at
        same = [each for each in self.ready if each.at == at]
        if len(same) > 1 and self.rng.random() < 0.7:
            self.ready = [each for each in self.ready if each.at != at]
            self.ready.append(Group(at, frozenset().union(*(each.lanes for each in same))))

    def step(self, group: Group) -> Iterator[Group]:
        """Run an instruction in a group; yield the groups that go on."""
        at, active = group
        each = self.program.code[at]
        guard = ("!" if each.unless else "") + each.guard
        lanes = [lane for lane in active if guard == "PT" or self.lanes[lane].test(guard)]
        on, behind = frozenset(lanes), Group(at + 1, active)
        if each.name == "EXIT":
            yield Group(at + 1, active - on)
            yield from self.leave(on)
        elif each.name == "BRA":
            jumping = self.jumping(each, lanes, active)
            yield Group(at + 1, active - jumping)
            yield Group(self.lanes[0].label(each), jumping)
        elif each.name == "BSSY":
            meeting = Meeting(self.lanes[0].label(each), active)
            self.meetings.update(dict.fromkeys(((lane, each.operands[0]) for lane in active), meeting))
            yield behind
        elif each.name == "BSYNC":
            for meeting in {self.meetings.get((lane, each.operands[0])) for lane in active} - {None}:
                assert meeting
                meeting.here |= {lane for lane in active if self.meetings.get((lane, each.operands[0])) is meeting}
                yield from self.gathered(meeting)
        elif each.name == "WARPSYNC":
            name = f"all {at}"
            meeting = next((self.meetings[lane, name] for lane in self.left if (lane, name) in self.meetings), None)
            if meeting is None:
                meeting = Meeting(at + 1, self.left)
                self.meetings.update(dict.fromkeys(((lane, name) for lane in self.left), meeting))
            meeting.here |= active
            yield from self.gathered(meeting)
        elif each.name in ("YIELD", "ENDCOLLECTIVE"):
            apart = frozenset(lane for lane in active if self.rng.random() < 0.5)
            yield Group(at + 1, apart)
            yield Group(at + 1, active - apart)
        else:
            if lanes:
                self.shared.readers = lanes
                self.carry_out(each, at, lanes)
            yield behind

    def gathered(self, meeting: Meeting) -> Iterator[Group]:
        """Yield the group that goes on where all have come that are left."""
        if meeting.here and meeting.here >= meeting.lanes & self.left:
            for key in [key for key, held in self.meetings.items() if held is meeting]:
                del self.meetings[key]
            yield Group(meeting.at, meeting.here)

    def leave(self, lanes: frozenset[int]) -> Iterator[Group]:
        """Yield the groups that have waited for threads that end."""
        self.left -= lanes
        for meeting in set(self.meetings.values()):
            yield from self.gathered(meeting)

    def jumping(self, each: Instruction, lanes: list[int], active: frozenset[int]) -> frozenset[int]:
        """Return the threads that a branch takes elsewhere, of those that are active; ``lanes`` hold its guard."""
        if "ANY" in each.suffixes:
            return active if lanes else frozenset()
        if "DIV" in each.suffixes:
            return frozenset(lanes if self.rng.random() < 0.5 else ())
        asked = [text for text in each.operands[:-1] if "P" in text]
        return frozenset(lane for lane in lanes if all(map(self.lanes[lane].test, asked)))

    def carry_out(self, each: Instruction, at: int, lanes: list[int]) -> None:
        """Carry an instruction out in threads: one for all, a vote of them, or each by itself."""
        to = each.operands[0] if each.operands else ""
        if each.name in ("VOTE", "VOTEU"):
            held = [self.lanes[lane].test(each.operands[-1]) for lane in lanes]
            outcome = _VOTES[each.suffixes[0]](held)
            for lane in lanes[:1] if each.name == "VOTEU" else lanes:
                self.lanes[lane].decide(to, outcome)
        elif each.name == "ELECT":
            chosen = self.rng.choice(lanes)
            for lane in lanes:
                self.lanes[lane].decide(to, lane == chosen)
        else:
            once = each.name[0] == "U" or each.name in ("R2UR", "HGMMA")
            for lane in [self.rng.choice(lanes)] if once else lanes:
                machine = self.lanes[lane]
                machine.at = at + 1
                operation(each)(machine, each)
