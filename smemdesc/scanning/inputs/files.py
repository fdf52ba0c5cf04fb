"""What is scanned: files, folders and their contents, as tasks that processes can share, and the results in order."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import listed_words, many
from smemdesc.scanning.inputs.binaries import archives, cubin, programs
from smemdesc.scanning.inputs.binaries.containers import Damage, Member, cut_short, members, unpacked
from smemdesc.scanning.inputs.binaries.members import (
    EVERYTHING,
    START_COST,
    Ask,
    Content,
    Done,
    Printing,
    content,
    groups,
    symbols,
)
from smemdesc.scanning.inputs.binaries.programs import MissingError
from smemdesc.scanning.inputs.mentions import settled_file
from smemdesc.scanning.inputs.pieces import internal_error
from smemdesc.scanning.inputs.spool import STDIN, Allowance, Spool, salvaged, shown_name
from smemdesc.scanning.inputs.text import DumpText, FilePosition, Piece, file_state
from smemdesc.scanning.languages.units import MMA_MARKS, PTX
from smemdesc.scanning.model import Part, Unread, joined, moved

BEGINNING = 65_536
"""Bytes at the start of a file that decide what it is."""
TEXT, BINARY, REPORT, ZIP, TAR, PACKED, OTHER = "text", "binary", "report", "zip", "tar", "packed", "other"
_REPORT_ENDING = ".ncu-rep"
DUMPS = frozenset(
    (
        *(".ptx", ".sass", ".ll", ".llir", ".mlir", ".ttir", ".ttgir", ".txt", ".json", ".asm", ".s"),
        *(".log", ".dump", ".cuobjdump", ".nvdisasm"),
    )
)
"""The endings of the text files that are read in a folder or a wheel; others are skipped."""
_WITHOUT_LAYOUTS = ".ttir"
"""The ending of a form of Triton's kernels that has no layouts yet."""
_ZIPS = frozenset((".whl", ".zip", ".pt2", ".egg", ".conda"))
_TARS = frozenset((".tar", ".tgz", ".txz", ".tbz", ".tbz2"))
_OBJECTS = frozenset((_REPORT_ENDING, ".cubin", ".fatbin", ".o", ".obj", ".a", ".lib", ".so", ".dll", ".exe", ".pyd"))
"""The endings of names of compressed files that are unpacked."""
_SEARCHED = 64_000_000
"""Files in a folder of at most this many bytes are searched for device code even if their format is unknown."""


class Sort(NamedTuple):
    """What a file is: one of the names above, and for a compressed file the library that unpacks it."""

    kind: str
    packing: str = ""


_SORTS = (
    (0, (b"\x7fELF", b"\x50\xed\x55\xba", b"!<arch>\n", b"!<thin>\n"), Sort(BINARY)),
    (0, (b"NVR\0",), Sort(REPORT)),
    (0, (b"PK\x03\x04",), Sort(ZIP)),
    (257, (b"ustar",), Sort(TAR)),
    (0, (b"\x1f\x8b",), Sort(PACKED, "gzip")),
    (0, (b"\xfd7zXZ\0",), Sort(PACKED, "lzma")),
    (0, (b"BZh",), Sort(PACKED, "bz2")),
    (0, (b"\x28\xb5\x2f\xfd",), Sort(PACKED, archives.ZSTD)),
)
"""What files have at an offset: ELF, fat binaries and archives; reports of Nsight Compute; packed files."""


def sort(beginning: bytes, name: str = "") -> Sort:
    """Return what a file is, from its first :data:`BEGINNING` bytes; an unknown format without zeros is text.

    A report of Nsight Compute with a damaged beginning is known by its ``name``.
    """
    known = next((file_sort for at, marks, file_sort in _SORTS if beginning.startswith(marks, at)), None)
    if name.lower().endswith(_REPORT_ENDING) and known != Sort(BINARY):
        return Sort(REPORT)
    return known or Sort(OTHER if b"\0" in beginning else TEXT)


def is_read(name: str, file_sort: Sort, size: int) -> bool:
    """Whether a file of a folder is read, by its name, its format and its size in bytes."""
    ending = os.path.splitext(name)[1].lower()
    if file_sort.kind == TEXT:
        return ending in DUMPS
    if file_sort.kind == ZIP:
        return ending in _ZIPS
    if file_sort.kind == PACKED:
        inner = os.path.splitext(name)[0]
        packed = os.path.splitext(inner)[1].lower()
        return ending in _TARS or packed in DUMPS | _ZIPS | _OBJECTS | _TARS or ".so." in inner
    return file_sort.kind in (BINARY, REPORT, TAR) or size <= _SEARCHED


def walk(folder: str) -> Iterator[tuple[str, OSError | None]]:
    """Yield the files below a folder in the order of their names, each once; with an error if one cannot be read."""
    unread: list[OSError] = []
    seen: set[tuple[int, int]] = set()
    for where, folders, names in os.walk(folder, onerror=unread.append):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            try:
                state = os.stat(path)
            except OSError as problem:
                yield path, problem
                continue
            if not stat.S_ISREG(state.st_mode) or (state.st_dev, state.st_ino) in seen:
                continue
            seen.add((state.st_dev, state.st_ino))
            yield path, None
    for error in unread:
        yield str(error.filename), error


_CONVERT = "convert it first: iconv -f {} -t UTF-8 {{file}} | smemdesc scan -"
_UNREAD: tuple[tuple[tuple[bytes, ...], str, str], ...] = (
    ((b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "UTF-32", _CONVERT.format("UTF-32")),
    ((b"\xff\xfe", b"\xfe\xff"), "UTF-16", _CONVERT.format("UTF-16")),
    ((b"digraph ",), "a graph of nvdisasm -cfg", "print the code: nvdisasm -c CUBIN | smemdesc scan -"),
    ((b"BC\xc0\xde",), "LLVM bitcode", "print it first: llvm-dis -o - {file} | smemdesc scan -"),
)
"""How files begin that are no text, what they are, and what to type instead."""
_ZEROS: dict[tuple[bool, ...], str] = {
    (False, True, True, True): "UTF-32LE",
    (True, True, True, False): "UTF-32BE",
    (False, True, False, True): "UTF-16LE",
    (True, False, True, False): "UTF-16BE",
}
"""Encodings, by which of four bytes are mostly 0."""
_SURE = 16
"""The fewest bytes from which an encoding without a byte order mark is recognized."""


def _unread(beginning: bytes, marked: bool = True) -> tuple[str, str] | None:
    """Return what a text is that cannot be read, and what to type instead; None for other text.

    It is recognized by its mark (if it may be ``marked``), by its line ends, and by the positions of its zeros.
    """
    for marks, what, command in _UNREAD if marked else ():
        if beginning.startswith(marks):
            return what, command
    if b"\n" not in beginning and beginning.count(b"\r") > 1:
        return "text with carriage returns only", "convert it first: tr '\\r' '\\n' < {file} | smemdesc scan -"
    name = _ZEROS.get(tuple(beginning[place::4].count(0) * 4 > len(beginning) / 2 for place in range(4)))
    if name is None or len(beginning) < _SURE:
        return None
    return f"{name} without a mark", _CONVERT.format(name)


class ChunkResult(NamedTuple):
    """What was found in the next chunk of a file; lines count from 1 at the beginning of the file, or of a member."""

    name: str
    part: Part
    done: int
    """Bytes of the input that have been read so far."""
    last: bool
    """Whether the file ends here."""
    problem: SmemdescError | None = None
    """Why the file, or something in it, could not be read."""
    total: int = 0
    """Bytes of all input, as far as known."""
    note: str = ""
    """What was read, if it is not the text of one dump; with the last chunk."""
    folder: str = ""
    """The folder or archive that the file is in; empty for an input that was named, and where a folder ends."""


class Source(NamedTuple):
    """A file that is reported under another name."""

    name: str
    path: str


Task = Piece | Printing
PieceOutcome = Part | Done | SmemdescError
RunJobs = Callable[[Iterable["Job"]], Iterator[ChunkResult]]
"""Does the tasks of jobs, and yields what comes of each, in order."""


class Job:
    """A task (None if there is nothing to do), and a callback for its result."""

    def __init__(self, task: Any, take: Callable[[Any], Iterator[Any]]) -> None:
        self.task = task
        self.take = take
        self.tried = False
        """Whether a process died while it did the task."""
        self.done = task is None
        self.result: Any = None

    def finish(self, result: Any) -> None:
        """Keep the result and drop the task, which may be large."""
        self.result, self.done, self.task = result, True, None


_OFTEN = 4_000_000
"""Bytes of input after which a result is yielded, even if it only reports the progress."""
_AGAIN = "the readable part was scanned; copy or download it again"
OTHERS = ", other files"
"""The suffix of a folder's name in results for the files in it that are not named."""


class _Folder:
    """The totals of the files of a folder or an archive; without a name, of the files that were named as inputs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.part = Part()
        """What was seen in files without tensor-core instructions."""
        self.has_mmas = False
        self.mentions: list[tuple[str, Part]] = []
        """Names of instructions in files without any instruction; reported if the whole folder has none."""
        self.read = 0
        self.passed = 0
        self.shown = 0
        self.refused = 0

    def __str__(self) -> str:
        passed = f", {self.passed} skipped" if self.passed else ""
        return f"{many(self.read, 'file')} read, {self.shown} with descriptors{passed}"


class _File:
    """A file that is scanned, and what was found in it so far."""

    def __init__(
        self,
        inputs: Inputs,
        name: str,
        folder: _Folder,
        size: int = 0,
        path: str = "",
        cut: SmemdescError | None = None,
    ) -> None:
        """``size``: its bytes of the input; ``cut``: why the file at ``path`` is not complete."""
        self.inputs = inputs
        self.name = name
        self.folder = folder
        self.path = path
        self.cut = cut
        self.kept = Part()
        """Counts that are reported only together with a later result."""
        self.has_mmas = False
        self.mentions: list[Unread] = []
        """Names of instructions, reported if the file has no instruction."""
        self.has_results = False
        """Whether a result was yielded for this file."""
        self.closed = False
        self.end = inputs.read
        """Bytes of the input up to the end of this file."""
        self.begin = self.done = self.reported = self.end - size

    def reached(self, at: int) -> None:
        """Record that the file has been read up to byte ``at``."""
        self.done = min(self.end, max(self.done, self.begin + at))

    def result(
        self, part: Part, last: bool = False, problem: SmemdescError | None = None, note: str = ""
    ) -> ChunkResult:
        self.has_results = True
        self.reported = self.done
        self.closed = self.closed or last
        part, self.kept = joined((self.kept, part)), Part()
        return ChunkResult(self.name, part, self.done, last, problem, self.inputs.total, note, self.folder.name)

    def give(self, part: Part) -> Iterator[ChunkResult]:
        """Report what was found; in a folder, files without findings are only counted."""
        self.has_mmas = self.has_mmas or bool(part.functions)
        self.folder.has_mmas = self.folder.has_mmas or self.has_mmas
        self.mentions += () if self.has_mmas else part.mentions
        part = part._replace(mentions=())
        if part.functions or part.failed or part.unknown or part.maps or (part.values and not self.folder.name):
            yield self.result(part._replace(values=()) if self.folder.name else part)
        else:
            self.kept = joined((self.kept, part._replace(values=())))
            if not self.folder.name and self.done - self.reported > _OFTEN:
                yield self.result(Part())

    def refuse(self, problem: Exception, _: object = None) -> Iterator[ChunkResult]:
        """Report why the rest of the file is not read."""
        if isinstance(problem, OSError):
            problem = unreadable(self.name, problem)
        elif not isinstance(problem, SmemdescError):
            problem = SmemdescError(f"{shown_name(self.name)}: {internal_error(problem)}")
        self.folder.refused += 1
        if isinstance(problem, MissingError):
            if self.folder.name and problem.option_message in self.inputs.missing:
                # In a folder it is reported once.
                self.closed = True
                return
            self.inputs.missing.add(problem.option_message)
            problem = MissingError(f"{shown_name(self.name)}: {problem.option_message}", hint=problem.option_hint)
        yield self.result(Part(), not self.has_results, problem)

    def wrong(self, member: str, line: int | None, problem: SmemdescError) -> ChunkResult:
        """Report a problem in one place."""
        where = ":".join(filter(None, (shown_name(self.name), member, str(line or ""))))
        return self.result(
            Part(), problem=SmemdescError(f"{where}: {problem.option_message}", hint=problem.option_hint)
        )

    def failures(self, part: Part) -> Iterator[ChunkResult]:
        """Report the functions in a stretch of the file that could not be scanned."""
        for line, reason in part.failed:
            yield self.result(Part(), problem=SmemdescError(f"{self.name}:{line}: {reason}"))

    def finish(self, note: str = "") -> Iterator[ChunkResult]:
        """Report the end of the file."""
        self.done = self.end
        if self.closed:
            return
        named = settled_file(Part(mentions=() if self.has_mmas else tuple(self.mentions)))
        if named.unread and not self.folder.name:
            yield from self.failures(named)
            yield self.result(named)
        self.folder.read += 1
        self.folder.shown += self.has_results
        if self.folder.name and not self.has_results:
            if self.name.endswith(_WITHOUT_LAYOUTS):
                self.kept = self.kept._replace(seen=0)  # its functions are those of the form that has layouts
            self.folder.mentions += [(self.name, named)] if named.failed else []
            self.folder.part = joined((self.folder.part, self.kept))
            self.closed = True
            return
        yield self.result(Part(), True, note=note)

    def guarded(self, jobs: Iterator[Job]) -> Iterator[Job]:
        """Yield jobs; an exception ends them and is reported."""
        try:
            yield from jobs
        except Exception as problem:
            # Each decompression library has its own exceptions.
            yield Job(None, partial(self.refuse, problem))


class _TextFile(_File):
    """A file of text, in pieces."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_empty = False
        self.for_values = False
        """Whether values are looked for in all of it, once it turns out to have no tensor-core instruction."""

    def jobs(self) -> Iterator[Job]:
        yield from self.guarded(self._read(DumpText.pieces))
        yield Job(None, self._end)

    def _read(self, pieces_of: Callable[[DumpText], Iterator[Piece]]) -> Iterator[Job]:
        ask = self.inputs.ask
        with open(self.path, "rb") as stream:
            state = file_state(stream)
            beginning = stream.read(BEGINNING)
            self.is_empty = not beginning
            if unread := _unread(beginning):
                what, command = unread
                raise SmemdescError(
                    f"{shown_name(self.name)} is {what}, not the text of a dump",
                    hint=command.format(file="FILE" if self.name == STDIN else shlex.quote(self.name)),
                )
            stream.seek(0)
            text = DumpText(stream, ask.wanted, ask.arch, ask.maps)
            self.for_values = text.first is not None and ask.wanted is None and not self.folder.name
            for piece in pieces_of(text):
                yield Job(piece, partial(self._scanned, piece.place, piece.end))
            if file_state(stream) != state:
                raise SmemdescError(f"{shown_name(self.name)} changed while it was read", hint="scan it again")

    def _for_values(self, text: DumpText) -> Iterator[Piece]:
        if text.is_numbers:
            message = f"{shown_name(self.name)} is output of cuobjdump -elf, which has code only as numbers"
            raise SmemdescError(message, hint="print the code: cuobjdump -sass CUBIN | smemdesc scan -")
        return text.for_values()

    def _scanned(self, start: FilePosition, end: FilePosition, result: Part | SmemdescError) -> Iterator[ChunkResult]:
        self.reached(end.offset)
        if isinstance(result, SmemdescError):
            message = f"{shown_name(self.name)}: bytes {start.offset} to {end.offset}: {result.option_message}"
            yield self.result(Part(), problem=SmemdescError(message, hint=result.option_hint))
            return
        if result.functions or result.failed or result.older:
            self.for_values = False
        yield from self.failures(result)
        yield from self.give(result)

    def _end(self, _: object) -> Iterator[ChunkResult]:
        if self.cut is not None:
            yield self.result(Part(), problem=self.cut)
        if self.for_values:
            yield from self.inputs.results(self.guarded(self._read(self._for_values)))
        yield from self.finish("nothing: it is empty" if self.is_empty and not self.cut else "")


class _Device(_File):
    """A file that contains device code."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state: tuple[int, ...] = ()
        self.member_counts = Counter[str]()
        """Members, by kind."""
        self.read = 0
        """Members with tensor-core instructions that read descriptors."""
        self.fine = False
        """Whether any part of it could be read."""
        self.lines: tuple[str, int] = ("", 0)
        self.linked: set[int] = set()
        """The keys of linked functions (:attr:`Content.keys`)."""
        self.relocatable: list[tuple[Member, int, Content]] = []
        """Members whose functions are counted if they are linked nowhere in the file: without their bytes, and the
        number of these."""
        self.repeated: list[tuple[str, int]] = []
        """The names of members with functions that are linked elsewhere in the file, and the number of these."""

    def jobs(self) -> Iterator[Job]:
        yield from self.guarded(self._opened())
        yield Job(None, self._end)

    def _opened(self) -> Iterator[Job]:
        with open(self.path, "rb") as stream:
            self.state = file_state(stream)
            yield from self._members(stream)
            missing = cut_short(stream)
        if self.cut or missing:
            raise self.cut or SmemdescError(f"{shown_name(self.name)}: {missing}", hint=_AGAIN)

    def _members(self, stream: BinaryIO) -> Iterator[Job]:
        try:
            yield from self._containers(stream)
            for member, size, functions in self.relocatable:
                left = functions.without(self.linked)
                if len(left.functions) < len(functions.functions):
                    self.repeated.append((member.name, len(functions.functions) - len(left.functions)))
                yield from self._functions(member, size, left)
        except MissingError as problem:
            # Reported once: all later members have the same error.
            yield Job(None, partial(self.refuse, problem))

    def _containers(self, stream: BinaryIO) -> Iterator[Job]:
        """Yield jobs for the members of all fat binaries: machine code first, then the PTX beside it."""
        ptx_members: list[Member] = []
        container = 0
        has_descriptors = False
        for item in members(stream):
            if isinstance(item, Damage):
                yield self._report_job("", item.at, SmemdescError(item.message))
                continue
            if item.container != container or not item.container:
                yield from self._ptx(ptx_members, has_descriptors)
                container, has_descriptors, ptx_members = item.container, False, []
            self.member_counts[item.kind] += 1
            if item.kind == "ptx":
                ptx_members.append(item)
                continue
            try:
                functions = content(unpacked(item, self.inputs.ask.folder), self.inputs.ask)
            except MissingError:
                raise
            except SmemdescError as problem:
                yield self._report_job(item.name, item.end, problem)
                continue
            except Exception as problem:
                yield self._report_job(item.name, item.end, SmemdescError(internal_error(problem)))
                continue
            # Its bytes are not kept in memory while the yielded jobs are done, perhaps by this process.
            bare_member, size = item._replace(data=b""), len(item.data)
            has_descriptors = has_descriptors or bool(functions.chosen)
            if functions.relocatable:
                self.relocatable.append((bare_member, size, functions))
            else:
                self.linked.update(functions.keys)
                yield from self._functions(bare_member, size, functions)
        yield from self._ptx(ptx_members, has_descriptors)

    def _ptx(self, ptx_members: list[Member], has_descriptors: bool) -> Iterator[Job]:
        """Yield jobs for the PTX of a fat binary; if its machine code has descriptors, only with ``all_ptx``."""
        ask = self.inputs.ask
        for member in () if has_descriptors and not ask.all_ptx else ptx_members:
            try:
                text = unpacked(member, ask.folder)
            except SmemdescError as problem:
                yield self._report_job(member.name, member.end, problem)
                continue
            if any(mark in text for mark in MMA_MARKS[PTX]):
                self.read += 1
                yield self._task(member._replace(data=b""), len(member.data), (), len(text))

    def _functions(self, member: Member, size: int, functions: Content) -> Iterator[Job]:
        """Yield the jobs for functions of a member."""
        ask, chosen = self.inputs.ask, functions.chosen
        yield self._report_job(member.name, member.end, functions.part)
        if not chosen:
            return
        self.read += 1
        nvdisasm = programs.find_program(programs.NVDISASM, ask.folder)
        for number, group in enumerate(groups(chosen, ask.jobs) if member.alone and symbols(chosen) else [chosen]):
            weight = START_COST + sum(code.size for code in group)
            yield self._task(member, size, symbols(group), weight, nvdisasm, number > 0)

    def _task(self, member: Member, size: int, *more: Any) -> Job:
        """Return the job of printing and scanning a member; ``more`` are the further fields of :class:`Printing`."""
        task = Printing(self.path, self.state, member, size, self.inputs.ask, *more)
        return Job(task, partial(self._scanned, task))

    def _report_job(self, member: str, end: int, result: Part | SmemdescError) -> Job:
        """Return a job without a task, which reports a result that is already known."""
        return Job(None, partial(self._report, member, end, result))

    def _report(self, member: str, end: int, result: Part | SmemdescError, _: object) -> Iterator[ChunkResult]:
        self.reached(end)
        if isinstance(result, SmemdescError):
            yield self.wrong(member, None, result)
        else:
            self.fine = True
            yield from self.give(result)

    def _scanned(self, task: Printing, result: Done | SmemdescError) -> Iterator[ChunkResult]:
        member, end = task.member.name, task.member.end
        if isinstance(result, SmemdescError):
            yield from self._report(member, end, result, None)
            return
        before = self.lines[1] if task.continued and self.lines[0] == member else 0
        self.lines = (member, before + result.newlines)
        part = moved(result.part, before)
        self.reached(end)
        for line, reason in part.failed:
            yield self.wrong(member, line, SmemdescError(reason))
        yield from self._report(member, end, part._replace(failed=()), None)

    def _end(self, _: object) -> Iterator[ChunkResult]:
        count = self.member_counts.total()
        if self.has_results and not self.fine:
            self.done, self.closed = self.end, True
        elif self.has_results or count:
            yield from self.finish(self._note() if count > 1 else "")
        elif self.folder.name:
            self.folder.passed += 1
            self.done = self.end
        else:
            hint = "it contains neither a cubin nor a fat binary"
            yield self.result(Part(), True, SmemdescError(f"{shown_name(self.name)} holds no device code", hint=hint))

    def _note(self) -> str:
        counts = [many(self.member_counts["cubin"], "cubin")] if self.member_counts["cubin"] else []
        counts += [f"{self.member_counts['ptx']} PTX"] if self.member_counts["ptx"] else []
        text = f"{' and '.join(counts)}, {self.read} with instructions that read descriptors"
        if not self.repeated:
            return text
        count = many(sum(functions for _, functions in self.repeated), "function")
        names = listed_words([name for name, _ in self.repeated], _MEMBERS)
        return f"{text}; {count} of {names}: relocatable, linked into another cubin, counted once"


_MEMBERS = 4
"""The most members that a note names."""
_UNPACKED = 4_000_000_000
"""The most bytes that are unpacked from one file, and from all files of an archive that is in another one."""
_DEEPEST = 4
"""How deep archives may be nested: an archive in an archive in ..."""
_ARCHIVES = {ZIP: archives.zipped, TAR: archives.tarred}


_SNIFFED = 4096


def _cut(name: str, problem: Exception) -> SmemdescError:
    """Return the report on a file that could be unpacked only in part."""
    reason = " ".join(str(problem).split())[:100]
    return SmemdescError(f"{shown_name(name)}: it cannot be unpacked to its end ({reason})", hint=_AGAIN)


class _Nest(NamedTuple):
    """How many archives a file is in, below the first, and how many bytes these may still unpack to together."""

    depth: int
    left: Allowance

    def deeper(self) -> _Nest:
        if self.depth == _DEEPEST:
            raise SmemdescError(
                f"it is nested in more than {_DEEPEST + 1} archives", hint="unpack it and scan the result"
            )
        return self._replace(depth=self.depth + 1)

    @property
    def allowance(self) -> Allowance:
        """How many bytes the next file may have."""
        return self.left if self.depth else Allowance(_UNPACKED, " it has")


class Inputs:
    """Everything that is to be scanned."""

    def __init__(self, names: Iterable[str | Source], ask: Ask, results: RunJobs) -> None:
        self.ask = ask
        self.results = results
        self.spool = Spool()
        self.missing: set[str] = set()
        """The reports of missing programs."""
        self.names = list(names)
        self.top = _Folder("")
        self.read = 0
        """Bytes of the input up to the end of the current file."""
        paths = [name for name in self.names if isinstance(name, str)]
        self.walked = {path: list(walk(path)) for path in paths if os.path.isdir(path)}
        walked = (path for entries in self.walked.values() for path, problem in entries if problem is None)
        self.total = sum(map(_size, (*walked, *(path for path in paths if path not in self.walked))))

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs, in order."""
        pipes: set[tuple[int, int]] = set()
        for name in self.names:
            if isinstance(name, Source):
                yield from _File(self, name.name, self.top).guarded(self._file(*name, self.top))
            else:
                yield from _File(self, name, self.top).guarded(self._named(name, pipes))

    def _named(self, name: str, pipes: set[tuple[int, int]]) -> Iterator[Job]:
        pipe = pipe_of(name)
        if pipe in pipes:
            what = "standard input (-)" if name == STDIN else f"{name} is a pipe: it"
            raise SmemdescError(f"{what} can be read only once", hint="name it once")
        if pipe is not None:
            pipes.add(pipe)
        if name in self.walked:
            yield from self._folder(name)
            return
        path = self.spool.local(name)
        self.read += _size(path)
        yield from self._file(name, path, self.top, _size(path))

    def _folder(self, name: str) -> Iterator[Job]:
        folder = _Folder(name)
        for path, problem in self.walked[name]:
            yield from _File(self, path, self.top).guarded(self._in_folder(path, problem, folder))
        yield self._sum(name, folder)

    def _in_folder(self, path: str, problem: OSError | None, folder: _Folder) -> Iterator[Job]:
        if problem is not None:
            raise problem
        size = os.path.getsize(path)
        self.read += size
        with open(path, "rb") as stream:
            file_sort = sort(stream.read(BEGINNING), path)
        if is_read(path, file_sort, size):
            yield from self._file(path, path, folder, size)
        else:
            folder.passed += 1

    def _file(
        self,
        name: str,
        path: str,
        folder: _Folder,
        size: int = 0,
        nest: _Nest | None = None,
        inner: bool = False,
        cut: SmemdescError | None = None,
    ) -> Iterator[Job]:
        """Yield the jobs for a file by its format; ``inner``: it was unpacked from another file."""
        nest = nest or _Nest(0, Allowance(_UNPACKED, ", its archives have"))
        with open(path, "rb") as stream:
            beginning = stream.read(BEGINNING)
            if not beginning and cut:
                raise cut
            kind, packing = sort(beginning, path)
            # Zeros in code may be at the same positions as in UTF-32.
            is_device = kind == BINARY or (kind == OTHER and (bool(folder.name) or _holds_code(stream)))
            if inner and kind == OTHER:
                is_device = is_device or _unread(beginning, marked=False) is None
        if kind in (ZIP, TAR, PACKED) and inner:
            nest = nest.deeper()
        if kind in _ARCHIVES:
            yield from self._archive(name, path, kind, folder, nest)
            if cut:
                raise cut
        elif kind == PACKED:
            stream = archives.opened(path, packing)
            if stream is None:
                hint = "pip install 'smemdesc[sass]'"
                if path == name:
                    hint += f", or zstd -dc {shlex.quote(name)} | smemdesc scan -"
                what = f"{shown_name(name)} is compressed; unpacking needs the package zstandard"
                raise SmemdescError(what, hint=hint)
            yield from self._inner(name, stream, folder, size, nest)
        elif kind == REPORT:
            yield from self._report(name, path, folder, size, cut)
        else:
            yield from (_Device if is_device else _TextFile)(self, name, folder, size, path, cut).jobs()

    def _inner(self, name: str, stream: Any, folder: _Folder, size: int, nest: _Nest) -> Iterator[Job]:
        """Yield the jobs for a file that must be unpacked."""
        with stream:
            path, problem = self.spool.unpacked(stream, nest.allowance)
        yield from self._file(name, path, folder, size, nest, True, None if problem is None else _cut(name, problem))
        yield Job(None, partial(self._forget, path))

    def _forget(self, path: str, _: object) -> Iterator[ChunkResult]:
        self.spool.forget(path)
        yield from ()

    def _report(self, name: str, path: str, folder: _Folder, size: int, cut: SmemdescError | None) -> Iterator[Job]:
        """Yield the jobs for a report of Nsight Compute: for the text of its kernels."""
        file = _TextFile(self, name, folder, size, "", cut)
        with self.spool.new() as copy:
            file.path = copy.name
            try:
                copy.writelines(programs.report_listing(path))
            except MissingError as missing:
                yield Job(None, partial(file.refuse, missing))
                return
            except SmemdescError as problem:
                file.cut = cut or SmemdescError(f"{shown_name(name)}: {problem.option_message}")
            if file.cut and not copy.tell():
                raise file.cut
        yield from file.jobs()
        yield Job(None, partial(self._forget, copy.name))

    def _archive(self, name: str, path: str, kind: str, folder: _Folder, nest: _Nest) -> Iterator[Job]:
        """Yield the jobs for the files of a zip or a tar."""
        inside = _Folder(name)
        try:
            for entry in _ARCHIVES[kind](path):
                inner = f"{name}:{entry.name}"
                yield from _File(self, inner, self.top).guarded(self._entry(inner, entry, inside, nest))
        except archives.CutError as problem:
            inside.refused += 1
            error = SmemdescError(f"{shown_name(name)}: it cannot be unpacked ({problem})", hint=_AGAIN)
            yield Job(None, partial(_File(self, name, self.top).refuse, error))
        if folder.name and not inside.read:
            folder.passed += 1
            return
        folder.read += 1
        yield self._sum(name, inside)

    def _entry(self, name: str, entry: archives.ArchiveEntry, inside: _Folder, nest: _Nest) -> Iterator[Job]:
        try:
            with entry.open() as stream:
                beginning, problem = salvaged(stream, _SNIFFED)
            if is_read(entry.name, sort(beginning), entry.size):
                # The progress counts its packed size; its position in the archive is not worth the effort.
                yield from self._inner(name, entry.open(), inside, entry.packed, nest)
                return
        except (SmemdescError, OSError):
            raise
        except Exception as error:
            raise SmemdescError(f"{shown_name(name)}: it cannot be unpacked ({error})") from None
        inside.passed += 1
        if problem is not None:
            raise _cut(name, problem)

    def _sum(self, name: str, folder: _Folder) -> Job:
        return Job(None, partial(self._summed, _File(self, name, self.top), folder))

    def _summed(self, whole: _File, folder: _Folder, _: object) -> Iterator[ChunkResult]:
        """Report the totals of the files of a folder."""
        for name, named in () if folder.has_mmas else folder.mentions:
            file = _File(self, name, self.top)
            yield from file.failures(named)
            yield file.result(named, True)
        if folder.read:
            whole.name += OTHERS if folder.shown else ""
            yield whole.result(folder.part, True, note=str(folder))
        elif not folder.refused:
            among = f", among {many(folder.passed, 'file')}" if folder.passed else ""
            what = f"{shown_name(whole.name)}: nothing to scan: no dump and no device code{among}"
            hint = f"dumps end in {', '.join(sorted(DUMPS))}; name sources: smemdesc scan {shown_name(whole.name)}/*.cu"
            hint = hint if folder.passed else "it is empty"
            yield whole.result(Part(), True, SmemdescError(what, hint=hint))


def _holds_code(stream: BinaryIO) -> bool:
    """Whether there is device code anywhere in a file, even if it is damaged."""
    return any(True for _ in members(stream))


def pipe_of(name: str) -> tuple[int, int] | None:
    """Return the identity of a pipe or of standard input, the same for all its names; None for other files."""
    try:
        status = os.fstat(sys.stdin.fileno()) if name == STDIN and sys.stdin is not None else os.stat(name)
    except (OSError, ValueError):
        return (0, 0) if name == STDIN else None
    read_once = name == STDIN or stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode)
    return (status.st_dev, status.st_ino) if read_once else None


def _size(path: str) -> int:
    try:
        return os.path.getsize(path) if os.path.isfile(path) else 0
    except OSError:
        return 0


def unreadable(name: str, problem: OSError) -> SmemdescError:
    """Return the error about a file that cannot be read; the hint is what to type for a URL or a value."""
    hint = ""
    if re.match(r"(?i)https?://", name):
        hint = "a URL: download it, then smemdesc scan FILE"
    elif re.fullmatch(r"(?i)-?(?:0x)?[0-9a-f?][0-9a-f?_:x]*", name):
        hint = f"a value: smemdesc decode {shlex.quote(name)}"
    reason = (problem.strerror or str(problem)).lower()
    return SmemdescError(f"{name or repr(name)}: cannot read it: {reason}", hint=hint)


@contextmanager
def dump_text(name: str, cuda_bin: str | None = None) -> Iterator[Source]:
    """Yield a dump as text; a pipe is copied, and a cubin printed, into a temporary file.

    :class:`SmemdescError` for a file that holds more than one dump (a library, a folder) or is compressed.
    """
    if os.path.isdir(name):
        raise SmemdescError(f"{name} is a folder", hint="--annotate takes one dump at a time")
    with closing(Spool()) as spool:
        try:
            path = spool.local(name)
            with open(path, "rb") as stream:
                data = stream.read(BEGINNING)
                kind = sort(data, name).kind
                data += stream.read() if kind == BINARY else b""
        except OSError as problem:
            raise unreadable(name, problem) from None
        yield Source(name, path if kind == TEXT else _printed(path, kind, data, name, spool, cuda_bin))


def _printed(path: str, kind: str, data: bytes, name: str, spool: Spool, cuda_bin: str | None) -> str:
    """Print the kernels of a report, or the functions of a cubin that have tensor-core instructions with descriptors;
    all, if none has."""
    if kind != REPORT and not cubin.is_cubin(data):
        hint = "--annotate takes one dump at a time: cuobjdump -xelf all FILE"
        raise SmemdescError(f"{shown_name(name)} is not text or a cubin", hint=hint)
    try:
        with spool.new() as copy:
            if kind == REPORT:
                copy.writelines(programs.report_listing(path))
                return copy.name
            chosen = content(data, EVERYTHING).chosen
            nvdisasm = programs.find_program(programs.NVDISASM, cuda_bin)
            copy.writelines(programs.disassembled(nvdisasm, data, symbols(chosen)))
    except SmemdescError as error:
        raise SmemdescError(f"{shown_name(name)}: {error.option_message}", hint=error.option_hint) from None
    return copy.name
