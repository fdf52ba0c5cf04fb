"""The device code of a file, from its bytes to what is known of its descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, programs
from smemdesc.scanning.binaries.containers import Damage, Member, members, unpacked
from smemdesc.scanning.chunks import (
    LONGEST,
    ChangedError,
    Chunk,
    Context,
    Place,
    is_wanted,
    part_of,
    state_of,
    unforeseen,
    whole,
)
from smemdesc.scanning.model import Part, joined
from smemdesc.scanning.units import MMA_MARKS, PTX, Archs, Named, first_header

_START = 2_000_000
"""What the start of nvdisasm costs, in bytes of machine code that it prints meanwhile: about 0.4 s."""
_GROUP = 500_000
"""Bytes of machine code from which on a second nvdisasm is worth its start, where nothing else is to be done."""


class Ask(NamedTuple):
    """How a scan was asked for."""

    wanted: str | None = None
    """Only functions whose name fits this pattern."""
    folder: str | None = None
    """Where NVIDIA's programs are; None: in the usual places."""
    jobs: int = 0
    """How many processes work; 0: one a core."""
    arch: str | None = None
    """The architecture by whose tables values are read in text that names none."""
    all_ptx: bool = False
    """Whether the PTX of a fat binary is scanned though its machine code has descriptors."""


EVERYTHING = Ask()


class Printing(NamedTuple):
    """A member that has to be printed and scanned: all of it (PTX), or these functions."""

    path: str
    """The file that it lies in."""
    state: tuple[int, ...]
    """As :func:`~smemdesc.scanning.chunks.state_of` says it of the file."""
    member: Member
    """Without its bytes: whoever waits with a task does not have to hold them."""
    size: int
    """How many bytes they are."""
    symbols: tuple[int, ...]
    weight: int
    ask: Ask
    nvdisasm: str = ""
    continued: bool = False
    """Whether functions of the same member were printed before: its lines are counted on."""

    def unpacked(self) -> bytes:
        """Return the member unpacked. :class:`ChangedError` where somebody wrote to the file since."""
        with open(self.path, "rb") as stream:
            stream.seek(self.member.at)
            data = stream.read(self.size)
            if len(data) < self.size or state_of(stream) != self.state:
                raise ChangedError("the file changed while it was read", hint="scan it again")
        return unpacked(self.member._replace(data=data), self.ask.folder)


class Told(NamedTuple):
    """What is known of a member without more ado."""

    member: str
    end: int
    result: Part | SmemdescError


class Done(NamedTuple):
    """What a member held; lines count from 1 at the first that was printed."""

    part: Part
    newlines: int


class Device:
    """What a file holds of device code."""

    def __init__(self, path: str, ask: Ask) -> None:
        self.path = path
        self.ask = ask
        self.state: tuple[int, ...] = ()
        self.cubins = 0
        self.ptx = 0
        self.read = 0
        """Members with tensor-core instructions that read descriptors."""

    def __str__(self) -> str:
        held = " and ".join(
            f"{count} {name}{'s' if count > 1 and name == 'cubin' else ''}"
            for count, name in ((self.cubins, "cubin"), (self.ptx, "PTX"))
            if count
        )
        return f"{held}, {self.read} with instructions that read descriptors"

    def tasks(self) -> Iterator[Printing | Told]:
        """Yield what is to be done, in the order of the file."""
        with open(self.path, "rb") as stream:
            self.state = state_of(stream)
            yield from self._tasks(stream)

    def _tasks(self, stream: BinaryIO) -> Iterator[Printing | Told]:
        waiting: list[Member] = []
        container = 0
        has = False
        for each in members(stream):
            if isinstance(each, Damage):
                yield Told("", each.at, cubin.DamagedError(each.message))
                continue
            if each.container != container or not each.container:
                yield from self._ptx(waiting, has)
                container, has, waiting = each.container, False, []
            if each.kind == "ptx":
                self.ptx += 1
                waiting.append(each)
                continue
            self.cubins += 1
            before = self.read
            try:
                yield from self._cubin(each)
            except programs.MissingError as problem:
                # Said once: it is the same for all that follow.
                yield Told("", each.end, problem)
                return
            except SmemdescError as problem:
                yield Told(each.name, each.end, problem)
            except Exception as problem:
                yield Told(each.name, each.end, SmemdescError(unforeseen(problem)))
            has = has or self.read > before
        yield from self._ptx(waiting, has)

    def _task(self, member: Member, symbols: tuple[int, ...], weight: int) -> Printing:
        without = member._replace(data=b"")
        return Printing(self.path, self.state, without, len(member.data), symbols, weight, self.ask)

    def _ptx(self, found: list[Member], has: bool) -> Iterator[Printing | Told]:
        """Yield the PTX of a fat binary in which no machine code has descriptors, or all; ``has``: some has."""
        for each in () if has and not self.ask.all_ptx else found:
            try:
                text = unpacked(each, self.ask.folder)
            except SmemdescError as problem:
                yield Told(each.name, each.end, problem)
                continue
            if any(mark in text for mark in MMA_MARKS[PTX]):
                self.read += 1
                yield self._task(each, (), len(text))

    def _chosen(self, member: Member) -> tuple[list[cubin.Code], Part]:
        """Return the functions of a cubin that use descriptors, and what is said of all."""
        data = unpacked(member, self.ask.folder)
        of = cubin.read(data)
        seen = 0
        older: Counter[str] = Counter()
        chosen = []
        if of.sm >= cubin.FIRST:
            for code in of.functions:
                if not is_wanted(code.name, self.ask.wanted):
                    continue
                used = cubin.used(data[code.start : code.start + code.size], of.sm)
                seen += 1
                older.update(used.older)
                if used.descriptors:
                    chosen.append(code)
        return chosen, Part((), seen, older=tuple(older.items()))

    def _cubin(self, member: Member) -> Iterator[Printing | Told]:
        # Its bytes are not held while what is yielded is done, perhaps by this process.
        chosen, part = self._chosen(member)
        yield Told(member.name, member.end, part)
        if not chosen:
            return
        self.read += 1
        # Without an index there is no asking for a function: then all are printed.
        all_named = all(code.symbol is not None for code in chosen)
        nvdisasm = programs.find(programs.NVDISASM, self.ask.folder)
        for number, group in enumerate(_groups(chosen, self.ask.jobs) if member.alone and all_named else [chosen]):
            symbols = tuple(code.symbol for code in group if code.symbol is not None) if all_named else ()
            task = self._task(member, symbols, _START + sum(code.size for code in group))
            yield task._replace(nvdisasm=nvdisasm, continued=number > 0)


def _groups(chosen: list[cubin.Code], jobs: int) -> list[list[cubin.Code]]:
    """Share the functions of one cubin among processes."""
    size = sum(code.size for code in chosen)
    share = max(_GROUP, -(-size // jobs))
    groups: list[list[cubin.Code]] = [[]]
    filled = 0
    for code in chosen:
        if filled >= share:
            groups.append([])
            filled = 0
        groups[-1].append(code)
        filled += code.size
    return groups


def scan(task: Printing) -> Done:
    """Print a member and scan it."""
    return _text(task) if task.member.kind == "ptx" else _printed(task)


def _text(task: Printing) -> Done:
    text = task.unpacked().rstrip(b"\0")
    if len(text) > LONGEST:
        raise SmemdescError(f"PTX of {len(text)} bytes is not scanned: the limit is {LONGEST}")
    return Done(_named(whole(text, task.ask.wanted), task), text.count(b"\n"))


def _printed(task: Printing) -> Done:
    parts: list[Part] = []
    line = 1
    data = task.unpacked()
    context = Context(Archs(), cubin.never_returning(data), Named(), task.ask.wanted)
    printed = programs.disassembled(task.nvdisasm, data, task.symbols)
    del data  # they let go of it when it is written
    for text in printed:
        if not parts:
            context.archs.read(text, 0)
            if task.continued and (header := first_header(text)):
                # What stands before the functions was counted with the first of them.
                text = text[text.rfind(b"\n//-", 0, header.start()) + 1 :]
        parts.append(part_of(text, Chunk(context, Place(0, line, 0), len(text), not parts)))
        line += text.count(b"\n")
    # Functions and older instructions were counted by what the cubin says.
    return Done(_named(joined(parts)._replace(seen=0, older=()), task), line - 1)


def _named(part: Part, task: Printing) -> Part:
    return part._replace(functions=tuple(of._replace(member=task.member.name) for of in part.functions))
