"""The device code of a file, from its bytes to what is known of its descriptors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from fnmatch import fnmatchcase
from typing import BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, opcodes, tools
from smemdesc.scanning.binaries.containers import Damage, Member, members
from smemdesc.scanning.binaries.unpacking import unpacked
from smemdesc.scanning.model import Part, joined
from smemdesc.scanning.moving import moved
from smemdesc.scanning.pieces import LONGEST, ChangedError, Done, Piece, part_of, state_of, unforeseen, whole
from smemdesc.scanning.units import MMA_MARKS, PTX, Archs, first_header

_START = 2_000_000
"""What the start of nvdisasm costs, in bytes of machine code that it prints meanwhile: about 0.4 s."""
_GROUP = 500_000
"""Bytes of machine code from which on a second nvdisasm is worth its start, where nothing else is to be done."""


class Place(NamedTuple):
    """Where the bytes of a member lie, so that whoever waits with a task does not have to hold them."""

    path: str
    start: int
    size: int
    state: tuple[int, ...]
    """As :func:`~smemdesc.scanning.pieces.state_of` says it of the file; empty: nobody else has the file."""

    def read(self) -> bytes:
        """Return the bytes. :class:`~smemdesc.scanning.pieces.ChangedError` where somebody wrote to the file since."""
        with open(self.path, "rb") as stream:
            stream.seek(self.start)
            data = stream.read(self.size)
            if len(data) < self.size or (self.state and state_of(stream) != self.state):
                raise ChangedError("the file changed while it was read", hint="scan it again")
            return data


class Task(NamedTuple):
    """A member that has to be printed and scanned: all of it (PTX), or these functions."""

    member: Member
    symbols: tuple[int, ...]
    weight: int
    wanted: str | None
    nvdisasm: str
    folder: str | None
    continued: bool = False
    """Whether functions of the same member were printed before: its lines are counted on."""
    place: Place | None = None
    """Where the member's bytes are, where it does not carry them."""

    def placed(self, path: str, start: int, state: tuple[int, ...]) -> Task:
        """Return the task without the member's bytes, which lie in this file from ``start`` on."""
        place = Place(path, start, len(self.member.data), state)
        return self._replace(member=self.member._replace(data=b""), place=place)

    def unpacked(self) -> bytes:
        """Return the member as it was before it was compressed."""
        member = self.member if self.place is None else self.member._replace(data=self.place.read())
        return unpacked(member, self.folder)


class Told(NamedTuple):
    """What is known of a member without more ado."""

    member: str
    end: int
    result: Part | SmemdescError


class Count:
    """What a file holds."""

    def __init__(self) -> None:
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


class Ask(NamedTuple):
    """How a scan was asked for."""

    wanted: str | None = None
    """Only functions whose name fits this pattern."""
    folder: str | None = None
    """Where NVIDIA's programs are; None: in the usual places."""
    jobs: int = 1
    arch: str | None = None
    """The architecture of text that names none."""


def tasks(stream: BinaryIO, ask: Ask, count: Count) -> Iterator[Task | Told]:
    """Yield what is to be done for the device code of a file, in its order."""
    waiting: list[Member] = []
    container = 0
    has = False
    for each in members(stream):
        if isinstance(each, Damage):
            yield Told("", each.at, cubin.DamagedError(each.message))
            continue
        if each.container != container or not each.container:
            yield from _ptx(waiting, has, ask, count)
            container, has, waiting = each.container, False, []
        if each.kind == "ptx":
            count.ptx += 1
            waiting.append(each)
            continue
        count.cubins += 1
        before = count.read
        try:
            yield from _cubin(each, ask, count)
        except tools.MissingError as problem:
            # Said once: it is the same for all that follow.
            yield Told("", each.end, problem)
            return
        except SmemdescError as problem:
            yield Told(each.name, each.end, problem)
        except Exception as problem:
            yield Told(each.name, each.end, SmemdescError(unforeseen(problem)))
        has = has or count.read > before
    yield from _ptx(waiting, has, ask, count)


def _ptx(found: list[Member], has: bool, ask: Ask, count: Count) -> Iterator[Task | Told]:
    """Yield the PTX of a fat binary in which no machine code has descriptors; ``has``: some has."""
    for each in () if has else found:
        try:
            text = unpacked(each, ask.folder)
        except SmemdescError as problem:
            yield Told(each.name, each.end, problem)
            continue
        if any(mark in text for mark in MMA_MARKS[PTX]):
            count.read += 1
            yield Task(each, (), len(text), ask.wanted, "", ask.folder)


def _cubin(member: Member, ask: Ask, count: Count) -> Iterator[Task | Told]:
    data = unpacked(member, ask.folder)
    of = cubin.read(data)
    seen = 0
    older: Counter[str] = Counter()
    chosen = []
    if of.sm >= opcodes.FIRST:
        for code in of.functions:
            if ask.wanted is not None and not fnmatchcase(code.name, ask.wanted):
                continue
            used = opcodes.used(data[code.start : code.start + code.size], of.sm)
            seen += 1
            older.update(used.older)
            if used.descriptors:
                chosen.append(code)
    yield Told(member.name, member.end, Part((), seen, older=tuple(older.items())))
    if not chosen:
        return
    count.read += 1
    # Without an index there is no asking for a function: then all are printed.
    all_named = all(code.symbol is not None for code in chosen)
    nvdisasm = tools.find(tools.NVDISASM, ask.folder)
    groups = [chosen]
    if member.alone and all_named:
        groups = _groups(chosen, ask.jobs)
    for number, group in enumerate(groups):
        symbols = tuple(code.symbol for code in group if code.symbol is not None) if all_named else ()
        weight = _START + sum(code.size for code in group)
        yield Task(member, symbols, weight, ask.wanted, nvdisasm, ask.folder, number > 0)


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


def read(task: Task) -> Generator[int, None, Done | SmemdescError]:
    """Print a member and scan it; the descriptor of nvdisasm's pipe is yielded where nothing is to be read yet."""
    try:
        if task.member.kind == "ptx":
            return _text(task, task.unpacked())
        return (yield from _printed(task))
    except SmemdescError as problem:
        return problem
    except OSError as problem:
        return SmemdescError(f"it cannot be printed: {(problem.strerror or str(problem)).lower()}")
    except Exception as problem:
        return SmemdescError(unforeseen(problem))


def _text(task: Task, data: bytes) -> Done | SmemdescError:
    text = data.rstrip(b"\0")
    if len(text) > LONGEST:
        return SmemdescError(f"PTX of {len(text)} bytes is not scanned: the limit is {LONGEST}")
    part = whole(text, task.wanted)
    return Done(_named(part, task.member.name), text.count(b"\n"))


def _printed(task: Task) -> Generator[int, None, Done]:
    from smemdesc.scanning.binaries import disassembling

    parts = []
    lines = 0
    archs = Archs()
    first = True
    data = task.unpacked()
    never = cubin.never_returning(data)
    for text in disassembling.text(task.nvdisasm, data, task.symbols):
        if isinstance(text, int):
            yield text
            continue
        if first:
            archs.read(text, 0)
            if task.continued and (header := first_header(text)):
                # What stands before the functions was counted with the first of them.
                begin = text.rfind(b"\n//-", 0, header.start()) + 1
                text = text[begin:]
        part = part_of(text, Piece("", 0, len(text), first, False, archs, never, task.wanted, printed=True))
        parts.append(moved(part, lines))
        lines += text.count(b"\n")
        first = False
        # It is a large one, and the next is read while it would be held.
        del text
    # Functions and older instructions were counted by what the cubin says.
    part = joined(parts)._replace(seen=0, older=())
    return Done(_named(part, task.member.name), lines)


def _named(part: Part, member: str) -> Part:
    return part._replace(functions=tuple(of._replace(member=member) for of in part.functions))
