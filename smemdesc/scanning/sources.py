"""What is scanned: files, folders and what they hold, as tasks that processes can share, and back as what was found."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any, BinaryIO, NamedTuple, cast

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning import allocate
from smemdesc.scanning.binaries import archives, files
from smemdesc.scanning.binaries.members import Ask, Count, Task, Told, tasks
from smemdesc.scanning.binaries.tools import MissingError
from smemdesc.scanning.binaries.whole import Extent, Salvaged
from smemdesc.scanning.model import Part, joined
from smemdesc.scanning.moving import moved
from smemdesc.scanning.pieces import (
    Done,
    Piece,
    Plan,
    for_values,
    is_numbers,
    newlines,
    pieces,
    plan,
    state_of,
    undressed,
    unforeseen,
)
from smemdesc.scanning.started import uninterrupted

STDIN = "-"
_UNREAD: tuple[tuple[tuple[bytes, ...], str, str], ...] = (
    (
        (b"\xff\xfe\0\0", b"\0\0\xfe\xff"),
        "UTF-32",
        "convert it first: iconv -f UTF-32 -t UTF-8 {file} | smemdesc scan -",
    ),
    ((b"\xff\xfe", b"\xfe\xff"), "UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8 {file} | smemdesc scan -"),
    ((b"digraph ",), "a graph of nvdisasm -cfg", "print the code: nvdisasm -c CUBIN | smemdesc scan -"),
    ((b"BC\xc0\xde",), "LLVM bitcode", "print it first: llvm-dis -o - {file} | smemdesc scan -"),
)
"""How files begin that are no text, what they are, and what to type instead."""
SPOOL = 4 << 30
"""Bytes of a pipe that are kept in a temporary file: a pipe may have no end."""
_UNPACKED = 4_000_000_000
"""Bytes of text that are unpacked at most."""
_BLOCK = 1 << 20
_OFTEN = 4_000_000
"""Bytes of input after which something is told, if only how far it is."""


class Found(NamedTuple):
    """What was found in the next piece of a file; lines count from 1 at the beginning of the file, or of a member."""

    name: str
    part: Part
    done: int
    """Bytes of the input that have been read so far."""
    last: bool
    """Whether the file ends here."""
    problem: SmemdescError | None = None
    """Why the file, or something in it, could not be read."""
    total: int = 0
    """Bytes of all input, as far as that is known."""
    note: str = ""
    """What was read, where that is not the text of one dump; with the last piece."""
    folder: str = ""
    """The folder or archive that the file is in; empty for what was named itself, and where a folder ends."""


Opener = Callable[[], BinaryIO]
Doable = Piece | Task | Told | SmemdescError | OSError | None
"""Something to be done, what is known without, or (None) the end of a file."""
Result = Done | SmemdescError | OSError


class Job(NamedTuple):
    """A task, and whose it is."""

    of: _Work
    task: Doable


class _Folder:
    """What the files of a folder, or of a wheel, come to."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.part = Part()
        """What was seen in files without tensor-core instructions."""
        self.read = 0
        self.passed = 0
        self.shown = 0
        self.refused = 0

    def __str__(self) -> str:
        passed = f", {self.passed} skipped" if self.passed else ""
        return f"{self.read} file{'s' if self.read != 1 else ''} read, {self.shown} with descriptors{passed}"


class _Work:
    """A file that is scanned, and what was found in it so far."""

    def __init__(self, all: Works, name: str, folder: _Folder | None = None, end: int = 0) -> None:
        self.all = all
        self.name = name
        self.folder = folder
        self.kept = Part()
        """What is told only if more comes of it."""
        self.given = False
        """Whether something was told of this file."""
        self.closed = False
        self.end = end
        """How many bytes of the input there are up to its end."""
        self.done = self.said = 0

    def found(self, part: Part, last: bool = False, problem: SmemdescError | None = None, note: str = "") -> Found:
        self.given = True
        self.said = self.done
        self.closed = self.closed or last
        part, self.kept = joined((self.kept, part)), Part()
        folder = "" if self.folder is None else self.folder.name
        return Found(self.name, part, self.done, last, problem, self.all.total, note, folder)

    def give(self, part: Part) -> Iterator[Found]:
        """Tell what was found; in a folder, files in which nothing is are counted only."""
        if part.functions or part.failed or part.unknown or (part.values and self.folder is None):
            yield self.found(part if self.folder is None else part._replace(values=()))
        else:
            self.kept = joined((self.kept, part._replace(values=())))
            if self.folder is None and self.done - self.said > _OFTEN:
                yield self.found(Part())

    def refuse(self, problem: SmemdescError | OSError) -> Iterator[Found]:
        """Tell why the rest of the file is not read."""
        if isinstance(problem, OSError):
            problem = unreadable(self.name, problem)
        if self.folder is not None:
            self.folder.refused += 1
        if isinstance(problem, MissingError):
            if self.folder is not None and problem.message in self.all.missing:
                # In a folder it is said once.
                self.closed = True
                return
            self.all.missing.add(problem.message)
            problem = MissingError(f"{shown(self.name)}: {problem.message}", hint=problem.hint)
        yield self.found(Part(), not self.given, problem)

    def finish(self, note: str = "") -> Iterator[Found]:
        """Tell that the file ends here."""
        self.done = self.end
        if self.closed:
            return
        if self.folder is None:
            yield self.found(Part(), True, note=note)
            return
        self.folder.read += 1
        if self.given:
            self.folder.shown += 1
            yield self.found(Part(), True, note=note)
        else:
            self.folder.part = joined((self.folder.part, self.kept))
            self.closed = True

    def take(self, task: Doable, result: Result | None) -> Iterator[Found]:
        """Tell what came of a task."""
        raise NotImplementedError


class _Text(_Work):
    """A file of text, in pieces."""

    def __init__(
        self,
        all: Works,
        name: str,
        path: str,
        folder: _Folder | None = None,
        end: int = 0,
        spooled: bool = False,
        cut: SmemdescError | None = None,
    ) -> None:
        super().__init__(all, name, folder, end)
        self.path = path
        self.spooled = spooled
        """Whether the path is a copy that is done with when the file is."""
        self.cut = cut
        """Why it is not all of the file."""
        self.lines = 0
        self.size = 1
        self.again: list[Piece] = []
        self.wrong = ""
        """What was said of the piece before: of a file that changes, it is the same of all that follow."""

    def jobs(self) -> Iterator[Job]:
        try:
            of = self._planned()
            self.again = for_values(of) if of.first < of.size and self.all.ask.wanted is None else []
            if self.folder is not None:
                self.again = []
            self.begin = self.end - of.size
            self.size = of.size
            for piece in pieces(of, self.all.ask.wanted):
                yield Job(self, piece)
        except (SmemdescError, OSError) as problem:
            yield Job(self, problem)
        except Exception as problem:
            yield Job(self, SmemdescError(f"{self.name}: {unforeseen(problem)}"))
        yield Job(self, None)

    def _planned(self) -> Plan:
        with open(self.path, "rb") as stream:
            beginning = stream.read(files.BEGINNING)
        unread = next(((what, command) for marks, what, command in _UNREAD if beginning.startswith(marks)), None)
        unread = unread or _no_text(beginning)
        if unread is not None:
            what, command = unread
            raise SmemdescError(
                f"{shown(self.name)} is {what}, not the text of a dump",
                hint=command.format(file="FILE" if self.name == STDIN else shlex.quote(self.name)),
            )
        found = plan(self.path, self.all.ask.arch)
        if found.dressed:
            with temporary_file(self.all.temporary) as copy:
                undressed(self.path, cast("BinaryIO", copy))
            if self.spooled:
                self.all.forget(self.path)
            self.path, self.spooled = copy.name, True
            found = plan(self.path, self.all.ask.arch)
        return found

    def take(self, task: Doable, result: Result | None) -> Iterator[Found]:
        if task is None and self.cut is not None:
            yield self.found(Part(), problem=self.cut)
        if isinstance(task, Piece):
            self.done = self.begin + task.end
            yield from self._piece(task, result)
        elif task is None:
            # A file of functions without a tensor-core instruction: then values are looked for in all of it.
            self.lines = 0
            if self.again and is_numbers(self.path):
                self.again = []
                said = f"{shown(self.name)} is output of cuobjdump -elf, which has code only as numbers"
                hint = "print the code: cuobjdump -sass CUBIN | smemdesc scan -"
                yield from self.refuse(SmemdescError(said, hint=hint))
            for job, again in self.all.results(Job(self, piece) for piece in self.again):
                assert isinstance(job.task, Piece)
                yield from self._piece(job.task, again)
            yield from self.finish("" if self.size or self.cut else "nothing: it is empty")
            if self.spooled:
                self.all.forget(self.path)
        else:
            assert isinstance(task, SmemdescError | OSError)
            yield from self.refuse(task)

    def _piece(self, piece: Piece, result: Result | None) -> Iterator[Found]:
        assert result is not None
        if isinstance(result, Done):
            if result.part.functions or result.part.failed or result.part.older:
                self.again = []
            yield from self._told(moved(result.part, self.lines))
            self.lines += result.newlines
            return
        if isinstance(result, OSError):
            result = unreadable(self.name, result)
        if self.path != self.name:
            result = SmemdescError(result.message.replace(self.path, shown(self.name)), hint=result.hint)
        if result.message != self.wrong:
            self.wrong = result.message
            yield self.found(Part(), problem=result)
        self.lines += _newlines(piece)

    def _told(self, part: Part) -> Iterator[Found]:
        for line, reason in part.failed:
            yield self.found(Part(), problem=SmemdescError(f"{self.name}:{line}: {reason}"))
        yield from self.give(part)


class _Device(_Work):
    """A file that holds device code."""

    def __init__(
        self,
        all: Works,
        name: str,
        open: Opener,
        folder: _Folder | None = None,
        end: int = 0,
        size: int = 0,
        path: str | None = None,
    ) -> None:
        super().__init__(all, name, folder, end)
        self.open = open
        self.path = path
        """The file itself; None where it is unpacked while it is read."""
        self.stored: str | None = None
        """A temporary file with what was unpacked and has to be printed."""
        self.begin = end - size
        self.count = Count()
        self.fine = False
        """Whether something of it could be read."""
        self.lines: tuple[str, int] = ("", 0)

    def jobs(self) -> Iterator[Job]:
        # Thousands of cubins are unpacked here, one after the other.
        allocate.sparingly()
        try:
            with self.open() as stream:
                state = () if self.path is None else state_of(stream)
                whole = Extent(stream)
                for task in tasks(cast("BinaryIO", whole), self.all.ask, self.count):
                    yield Job(self, self._placed(task, state) if isinstance(task, Task) else task)
                if cut := _cut(self.name, stream):
                    yield Job(self, cut)
                elif whole.missing:
                    yield Job(self, SmemdescError(f"{shown(self.name)}: {whole.missing}", hint=_AGAIN))
        except (SmemdescError, OSError) as problem:
            yield Job(self, problem)
        except Exception as problem:
            # What unpacks a stream has exceptions of its own.
            yield Job(self, SmemdescError(f"{shown(self.name)}: {unforeseen(problem)}"))
        yield Job(self, None)

    def _placed(self, task: Task, state: tuple[int, ...]) -> Task:
        """Leave the bytes of a task where they are, or put them where they can be read by another process."""
        if self.path is not None:
            return task.placed(self.path, task.member.at, state)
        if self.all.ask.jobs == 1:
            return task
        with suppress(OSError):
            if self.stored is None:
                temporary_file(self.all.temporary).close()
                self.stored = self.all.temporary[-1]
            with open(self.stored, "ab") as out:
                start = out.tell()
                out.write(task.member.data)
            return task.placed(self.stored, start, ())
        # No room: this process does it.
        return task

    def take(self, task: Doable, result: Result | None) -> Iterator[Found]:
        if isinstance(task, Told):
            self._reached(task.end)
            if isinstance(task.result, MissingError):
                yield from self.refuse(task.result)
            elif isinstance(task.result, SmemdescError):
                yield self._wrong(task.member, None, task.result)
            else:
                self.fine = True
                yield from self.give(task.result)
        elif isinstance(task, Task):
            self._reached(task.member.end)
            yield from self._printed(task, result)
        elif task is None:
            yield from self._finished()
            if self.stored is not None:
                self.all.forget(self.stored)
        else:
            assert isinstance(task, SmemdescError | OSError)
            yield from self.refuse(task)

    def _reached(self, at: int) -> None:
        self.done = min(self.end, max(self.done, self.begin + at))

    def _wrong(self, member: str, line: int | None, problem: SmemdescError) -> Found:
        where = ":".join(filter(None, (shown(self.name), member, str(line or ""))))
        return self.found(Part(), problem=SmemdescError(f"{where}: {problem.message}", hint=problem.hint))

    def _printed(self, task: Task, result: Result | None) -> Iterator[Found]:
        member = task.member.name
        if not isinstance(result, Done):
            assert isinstance(result, SmemdescError)
            yield self._wrong(member, None, result)
            return
        before = self.lines[1] if task.continued and self.lines[0] == member else 0
        self.lines = (member, before + result.newlines)
        part = moved(result.part, before)
        self.fine = True
        for line, reason in part.failed:
            yield self._wrong(member, line, SmemdescError(reason))
        yield from self.give(part._replace(failed=()))

    def _finished(self) -> Iterator[Found]:
        if self.given and not self.fine:
            self.done, self.closed = self.end, True
        elif self.given or self.count.cubins or self.count.ptx:
            yield from self.finish(str(self.count) if self.count.cubins + self.count.ptx > 1 else "")
        elif self.folder is not None:
            self.folder.passed += 1
            self.done = self.end
        else:
            problem = SmemdescError(f"{shown(self.name)} holds no device code", hint=_NO_CODE)
            yield self.found(Part(), True, problem)


_NO_CODE = "it contains neither a cubin nor a fat binary"
_AGAIN = "the readable part was scanned; copy or download it again"


def _cut(name: str, stream: Any) -> SmemdescError | None:
    """Return what is to be said of a stream of which not all could be unpacked; None of another."""
    why = getattr(stream, "why", None)
    if why is None or isinstance(why, SmemdescError):
        return why
    said = " ".join(str(why).split())[:100]
    return SmemdescError(f"{shown(name)}: it cannot be unpacked to its end ({said})", hint=_AGAIN)


OTHERS = ", other files"
"""What stands behind the name of a folder for the files in it that are not named."""


class _Sum(_Work):
    """The end of a folder or a wheel."""

    def __init__(self, all: Works, name: str, folder: _Folder, end: int) -> None:
        super().__init__(all, name, None, end)
        self.of = folder

    def take(self, task: Doable, result: Result | None) -> Iterator[Found]:
        self.done = self.end
        if isinstance(task, SmemdescError | OSError):
            yield from self.refuse(task)
            return
        if self.closed:
            return
        if self.of.read:
            if self.of.shown:
                self.name += OTHERS
            yield self.found(self.of.part, True, note=str(self.of))
            return
        if self.of.refused:
            return
        hint = f"dumps end in {', '.join(sorted(files.DUMPS))}" if self.of.passed else "it is empty"
        problem = SmemdescError(
            f"{shown(self.name)}: nothing to scan: no dump and no device code"
            + (f", among {self.of.passed} file{'s' if self.of.passed > 1 else ''}" if self.of.passed else ""),
            hint=hint,
        )
        yield self.found(Part(), True, problem)


def temporary_file(temporary: list[str]) -> IO[bytes]:
    """Return a new temporary file, whose path is put into ``temporary`` before anything can end the program."""
    from tempfile import NamedTemporaryFile

    with uninterrupted():
        copy = NamedTemporaryFile(prefix="smemdesc-", delete=False)  # noqa: SIM115
        temporary.append(copy.name)
    return copy


def copied(stream: BinaryIO, temporary: list[str], name: str, limit: int | None = None) -> str:
    """Write what a stream holds to a temporary file, whose path is put into ``temporary`` and returned.

    ``limit``: the bytes that a compressed file may come to; a pipe may come to :data:`SPOOL`, or half of what is free.
    """
    from shutil import disk_usage

    with temporary_file(temporary) as copy:
        folder = os.path.dirname(copy.name)
        free = disk_usage(folder).free
        most = limit or min(SPOOL, free // 2)
        size = 0
        while block := stream.read(_BLOCK):
            size += len(block)
            if size > most and limit:
                raise SmemdescError(f"unpacked it has more than {limit} bytes", hint="unpack it and scan the result")
            if size > most and most < SPOOL:
                raise SmemdescError(
                    f"{name} is a pipe (or a device), and {folder}, where it is stored, has {free} bytes"
                    " free, of which at most half are used",
                    hint="scan a file instead, or set TMPDIR to a folder with more space",
                )
            if size > most:
                raise SmemdescError(
                    f"{name} is a pipe (or a device) of more than {most >> 20} MiB, the limit",
                    hint="scan a file instead",
                )
            copy.write(block)
    return copy.name


class Works:
    """Everything that is to be scanned."""

    def __init__(
        self,
        names: Iterable[str],
        ask: Ask,
        results: Callable[[Iterable[Job]], Iterator[tuple[Job, Result | None]]],
    ) -> None:
        self.ask = ask
        self.results = results
        """Does jobs, and returns them in order with what came of them."""
        self.temporary: list[str] = []
        self.missing: set[str] = set()
        """What was said of programs that are missing."""
        self.names = list(names)
        self.read = 0
        """Bytes of the input up to the file that is looked at."""
        self.walked = {name: list(files.walk(name)) for name in self.names if os.path.isdir(name)}
        self.total = sum(
            sum(_size(path) for path, problem in self.walked[name] if problem is None)
            if name in self.walked
            else _size(name)
            for name in self.names
        )

    def forget(self, path: str) -> None:
        """Remove a temporary file."""
        with suppress(OSError):
            os.unlink(path)
        with suppress(ValueError):
            self.temporary.remove(path)

    def close(self) -> None:
        """Remove all of them."""
        for path in list(self.temporary):
            self.forget(path)

    def jobs(self) -> Iterator[Job]:
        """Yield what is to be done, in order."""
        pipes: set[tuple[int, int]] = set()
        for name in self.names:
            try:
                pipe = pipe_of(name)
                if pipe in pipes:
                    what = "standard input (-)" if name == STDIN else f"{name} is a pipe: it"
                    raise SmemdescError(f"{what} can be read only once", hint="name it once")
                if pipe is not None:
                    pipes.add(pipe)
                if name in self.walked:
                    yield from self._folder(name)
                else:
                    yield from self._file(name, self._spooled(name))
            except (SmemdescError, OSError) as problem:
                yield Job(_Sum(self, name, _Folder(), self.read), problem)
            except Exception as problem:
                wrong = SmemdescError(f"{shown(name)}: {unforeseen(problem)}")
                yield Job(_Sum(self, name, _Folder(), self.read), wrong)

    def _spooled(self, name: str) -> str:
        """Return a file that can be read in pieces: a pipe is first written to a temporary one."""
        if name != STDIN and (os.path.isfile(name) or not os.path.exists(name)):
            return name
        if name != STDIN:
            with open(name, "rb") as pipe:
                return self._copy(pipe, name)
        if sys.stdin is None:
            raise SmemdescError("standard input is closed", hint="pipe a dump into it, or name a file")
        return self._copy(sys.stdin.buffer, "standard input")

    def _copy(self, stream: BinaryIO, name: str, limit: int | None = None) -> str:
        return copied(stream, self.temporary, name, limit)

    def _folder(self, name: str) -> Iterator[Job]:
        folder = _Folder(name)
        for path, problem in self.walked[name]:
            if problem is not None:
                yield Job(_Sum(self, path, folder, self.read), problem)
                continue
            try:
                yield from self._file(path, path, folder)
            except (SmemdescError, OSError) as wrong:
                yield Job(_Sum(self, path, folder, self.read), wrong)
        yield Job(_Sum(self, name, folder, self.read), None)

    def _file(self, name: str, path: str, folder: _Folder | None = None) -> Iterator[Job]:
        """Yield what is to be done for a file, by what it is."""
        size = os.path.getsize(path)
        self.read += size

        def open_it() -> BinaryIO:
            return open(path, "rb")

        with open_it() as stream:
            beginning = stream.read(files.BEGINNING)
        found = files.sort(beginning)
        if folder is not None and not files.is_read(path, found, size):
            folder.passed += 1
            return
        if found.kind in _ARCHIVES:
            yield from self._archive(name, path, found.kind, folder, _Nest(0, [_UNPACKED]))
        elif found.kind == files.PACKED:
            yield from self._packed(name, path, found.packing, folder, size)
        elif found.kind == files.BINARY or (found.kind == files.OTHER and self._is_device(beginning, open_it, folder)):
            yield from _Device(self, name, open_it, folder, self.read, size, path).jobs()
        else:
            yield from _Text(self, name, path, folder, self.read, path in self.temporary).jobs()

    def _is_device(self, beginning: bytes, open_it: Callable[[], BinaryIO], folder: _Folder | None) -> bool:
        """Whether something that begins as nothing known is to be read as what holds device code."""
        if folder is not None:
            return True
        if _no_text(beginning) is not None or any(beginning.startswith(marks) for marks, _, _ in _UNREAD):
            return False
        with open_it() as stream:
            return files.holds_code(stream)

    def _packed(self, name: str, path: str, packing: str, folder: _Folder | None, size: int) -> Iterator[Job]:
        nest = _Nest(0, [_UNPACKED])
        yield from self._inner(name, _Unpacked(name, path, packing, nest), folder, size, nest)

    def _inner(self, name: str, open_it: Opener, folder: _Folder | None, size: int, nest: _Nest) -> Iterator[Job]:
        """Yield what is to be done for a file that is unpacked while it is read."""
        try:
            with open_it() as stream:
                beginning = stream.read(files.BEGINNING)
            if not beginning and (cut := _cut(name, stream)):
                raise cut
            found = files.sort(beginning)
            if found.kind == files.PACKED:
                deeper = nest.deeper()
                yield from self._inner(name, _Unpacked(name, open_it, found.packing, deeper), folder, size, deeper)
                return
            if found.kind == files.BINARY or (found.kind == files.OTHER and _no_text(beginning) is None):
                yield from _Device(self, name, open_it, folder, self.read, size).jobs()
                return
            with open_it() as stream:
                path = self._copy(stream, name, _UNPACKED)
            cut = _cut(name, stream)
        except (SmemdescError, OSError):
            raise
        except Exception as problem:
            said = " ".join(str(problem).split())[:100]
            raise SmemdescError(f"{shown(name)}: it cannot be unpacked ({said})") from None
        if found.kind in _ARCHIVES:
            try:
                yield from self._archive(name, path, found.kind, folder, nest.deeper())
            finally:
                self.forget(path)
            if cut:
                yield Job(_Sum(self, name, _Folder(), self.read), cut)
            return
        yield from _Text(self, name, path, folder, self.read, True, cut).jobs()

    def _archive(self, name: str, path: str, kind: str, folder: _Folder | None, nest: _Nest) -> Iterator[Job]:
        """Yield what is to be done for the files of a zip or a tar."""
        inside = _Folder(name)
        try:
            for entry in _ARCHIVES[kind](path):
                inner = f"{name}:{entry.name}"
                try:
                    with Salvaged(entry.open()) as stream:
                        found = files.sort(stream.read(_SNIFFED))
                    if not files.is_read(entry.name, found, entry.size):
                        inside.passed += 1
                        if cut := _cut(inner, stream):
                            yield Job(_Sum(self, inner, inside, self.read), cut)
                        continue
                    # Where in the wheel it lies is not worth the effort: its packed size is what progress counts.
                    opener = _Entry(entry, nest)
                    yield from self._inner(inner, opener, inside, entry.packed, nest)
                except (SmemdescError, OSError) as problem:
                    yield Job(_Sum(self, inner, inside, self.read), problem)
                except Exception as problem:
                    said = SmemdescError(f"{shown(inner)}: it cannot be unpacked ({problem})")
                    yield Job(_Sum(self, inner, inside, self.read), said)
        except archives.CutError as problem:
            inside.refused += 1
            said = SmemdescError(f"{shown(name)}: it cannot be unpacked ({problem})", hint=_AGAIN)
            yield Job(_Sum(self, name, _Folder(), self.read), said)
        if folder is not None and not inside.read:
            folder.passed += 1
            return
        if folder is not None:
            folder.read += 1
        yield Job(_Sum(self, name, inside, self.read), None)


_SNIFFED = 4096
_ARCHIVES = {files.ZIP: archives.zipped, files.TAR: archives.tarred}


_DEEPEST = 4
"""How often something may be packed: an archive in an archive in ..."""


class _Nest(NamedTuple):
    """How many archives something lies in, below the first, and how many bytes they may still come to together."""

    depth: int
    left: list[int]
    """Some archives are made to have no end."""

    def deeper(self) -> _Nest:
        if self.depth == _DEEPEST:
            raise SmemdescError(
                f"it is nested in more than {_DEEPEST + 1} archives", hint="unpack it and scan the result"
            )
        return self._replace(depth=self.depth + 1)

    def counted(self, stream: Any, under: Any = None) -> BinaryIO:
        """Return a stream that ends where no more of it can be read, its bytes counted below the first archive."""
        made = _Counted(stream, under, self) if self.depth else Salvaged(stream, under)
        return cast("BinaryIO", made)

    def take(self, size: int) -> None:
        self.left[0] -= size
        if self.left[0] < 0:
            raise SmemdescError(
                f"its archives have more than {_UNPACKED} bytes unpacked", hint="unpack it and scan the result"
            )


class _Counted(Salvaged):
    """A stream whose bytes are counted."""

    def __init__(self, stream: Any, under: Any, nest: _Nest) -> None:
        super().__init__(stream, under)
        self.nest = nest

    def read(self, size: int = -1) -> bytes:
        block = super().read(size)
        self.nest.take(len(block))
        return block


class _Unpacked:
    """Opens a compressed file, or a compressed file that something else opens."""

    def __init__(self, name: str, of: str | Opener, packing: str, nest: _Nest) -> None:
        self.name = name
        self.of = of
        self.packing = packing
        self.nest = nest

    def __call__(self) -> BinaryIO:
        under = self.of if isinstance(self.of, str) else self.of()
        stream = files.opened(under, self.packing)
        if stream is None:
            plain = isinstance(self.of, str) and self.of == self.name
            raise SmemdescError(
                f"{shown(self.name)} is compressed; unpacking needs the package zstandard",
                hint="pip install 'smemdesc[sass]'"
                + (f", or zstd -dc {shlex.quote(self.name)} | smemdesc scan -" if plain else ""),
            )
        return self.nest.counted(stream, under)


class _Entry:
    """Opens a file of an archive."""

    def __init__(self, entry: archives.Entry, nest: _Nest) -> None:
        self.entry = entry
        self.nest = nest

    def __call__(self) -> BinaryIO:
        return self.nest.counted(self.entry.open())


def shown(name: str) -> str:
    """Return how a file is called in what is said about it."""
    return "standard input" if name == STDIN else name


def pipe_of(name: str) -> tuple[int, int] | None:
    """Return what tells pipes apart, and standard input, under whatever name; None for other files."""
    try:
        found = os.fstat(sys.stdin.fileno()) if name == STDIN and sys.stdin is not None else os.stat(name)
    except (OSError, ValueError):
        return (0, 0) if name == STDIN else None
    read_once = name == STDIN or stat.S_ISFIFO(found.st_mode) or stat.S_ISSOCK(found.st_mode)
    return (found.st_dev, found.st_ino) if read_once else None


def _size(path: str) -> int:
    try:
        return os.path.getsize(path) if os.path.isfile(path) else 0
    except OSError:
        return 0


_SURE = 16
"""Bytes from which on an encoding without a mark is told."""


def _no_text(beginning: bytes) -> tuple[str, str] | None:
    """Tell text in other encodings, by where its zeros are, and with lines that end otherwise; None for other text."""
    if b"\n" not in beginning and beginning.count(b"\r") > 1:
        return "text with carriage returns only", "convert it first: tr '\\r' '\\n' < {file} | smemdesc scan -"
    zeros = [beginning[place::4].count(0) * 4 > len(beginning) / 2 for place in range(4)]
    if len(beginning) < _SURE or not any(zeros):
        return None
    name = {
        (False, True, True, True): "UTF-32LE",
        (True, True, True, False): "UTF-32BE",
        (False, True, False, True): "UTF-16LE",
        (True, False, True, False): "UTF-16BE",
    }.get(tuple(zeros))  # type: ignore[arg-type]
    if name is None:
        return None
    return f"{name} without a mark", f"convert it first: iconv -f {name} -t UTF-8 {{file}} | smemdesc scan -"


def unreadable(name: str, problem: OSError) -> SmemdescError:
    """Return the error about a file that the system does not let us read."""
    return SmemdescError(
        f"{name or repr(name)}: cannot read it: {(problem.strerror or str(problem)).lower()}", hint=_instead(name)
    )


def _instead(name: str) -> str:
    """Say what to type for something that is not a file; empty where nothing is to be said."""
    if re.match(r"(?i)https?://", name):
        return "a URL: download it, then smemdesc scan FILE"
    if re.fullmatch(r"(?i)-?(?:0x)?[0-9a-f?][0-9a-f?_:x]*", name):
        return f"a value: smemdesc decode {shlex.quote(name)}"
    return ""


def _newlines(piece: Piece) -> int:
    try:
        with open(piece.path, "rb") as stream:
            return newlines(stream, piece)
    except OSError:
        return 0
