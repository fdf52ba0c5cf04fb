"""Whole files, several at a time: pieces go to the machine's cores, results come back in order."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from smemdesc.errors import SmemdescError
from smemdesc.scan.model import Function, Operand, Origin, Part
from smemdesc.scan.pieces import Done, Piece, Plan, for_values, newlines, pieces, plan, read, unforeseen

STDIN = "-"
_DISASSEMBLE = "print it first: cuobjdump -sass {file} | smemdesc scan -"
_UNREAD: tuple[tuple[tuple[bytes, ...], str, str], ...] = (
    ((b"\x7fELF",), "a binary", f"{_DISASSEMBLE}   (a cubin: nvdisasm -c)"),
    ((b"\x50\xed\x55\xba", b"!<arch>\n"), "a binary", _DISASSEMBLE),
    ((b"\x1f\x8b",), "compressed", "unpack it first: gzip -dc {file} | smemdesc scan -"),
    ((b"\x28\xb5\x2f\xfd",), "compressed", "unpack it first: zstd -dc {file} | smemdesc scan -"),
    ((b"\xfd7zXZ\0",), "compressed", "unpack it first: xz -dc {file} | smemdesc scan -"),
    ((b"BZh",), "compressed", "unpack it first: bzip2 -dc {file} | smemdesc scan -"),
    ((b"PK\x03\x04",), "compressed", "unpack it first: unzip -p {file} | smemdesc scan -"),
    (
        (b"\xff\xfe\0\0", b"\0\0\xfe\xff"),
        "UTF-32",
        "convert it first: iconv -f UTF-32 -t UTF-8 {file} | smemdesc scan -",
    ),
    ((b"\xff\xfe", b"\xfe\xff"), "UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8 {file} | smemdesc scan -"),
    ((b"digraph ",), "a graph of nvdisasm -cfg", "print the code: nvdisasm -c CUBIN | smemdesc scan -"),
    ((b"BC\xc0\xde",), "LLVM bitcode", "print it first: llvm-dis -o - {file} | smemdesc scan -"),
)
"""How files begin that are no text (the second: a fat binary, an archive), what they are, and what to type instead."""
_WORTH = 2_000_000
"""Bytes in all from which on other processes are worth their start."""


class Source(NamedTuple):
    """A file of the command line: ``name`` as it was given, ``path`` where its bytes are."""

    name: str
    path: str


class Found(NamedTuple):
    """What was found in the next piece of a file; lines count from 1 at the beginning of the file."""

    name: str
    part: Part
    done: int
    """Bytes of the input that have been read so far."""
    last: bool
    """Whether the file ends here."""
    problem: SmemdescError | None = None
    """Why the file could not be read."""


def spooled(name: str, temporary: list[str]) -> Source:
    """Return a file that can be read in pieces: a pipe is first written to a temporary one."""
    if name != STDIN and (os.path.isfile(name) or not os.path.exists(name) or os.path.isdir(name)):
        return Source(name, name)
    # Imported here: files, the usual case, need neither.
    import shutil
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(prefix="smemdesc-", delete=False) as copy:
        temporary.append(copy.name)
        if name == STDIN:
            if sys.stdin is None:
                raise SmemdescError("standard input is closed", hint="pipe a dump into it, or name a file")
            shutil.copyfileobj(sys.stdin.buffer, copy)
        else:
            with open(name, "rb") as pipe:
                shutil.copyfileobj(pipe, copy)
    return Source(name, copy.name)


@contextmanager
def kept(name: str) -> Iterator[Source]:
    """Return a file that stays readable while it is used, to be scanned and read again."""
    temporary: list[str] = []
    try:
        yield spooled(name, temporary)
    finally:
        for path in temporary:
            with suppress(OSError):
                os.unlink(path)


def scan(names: Iterable[str | Source], wanted: str | None = None, jobs: int | None = None) -> Iterator[Found]:
    """Scan files (``-`` is standard input) and yield what each piece held, in order.

    ``wanted`` is a pattern for function names. ``jobs`` is how many processes work (None: one a core).
    A file that cannot be read yields one :class:`Found` with its problem.
    """
    temporary: list[str] = []
    try:
        planned: list[tuple[Source, Plan | SmemdescError]] = []
        for given in names:
            name = given if isinstance(given, str) else given.name
            try:
                if name == STDIN and any(source.name == STDIN for source, _ in planned):
                    raise SmemdescError("standard input (-) can be read only once", hint="name it once")
                source = spooled(given, temporary) if isinstance(given, str) else given
                planned.append((source, _planned(source)))
            except SmemdescError as problem:
                planned.append((Source(name, name), problem))
            except OSError as problem:
                planned.append((Source(name, name), _unreadable(name, problem)))
            except Exception as problem:
                planned.append((Source(name, name), SmemdescError(f"{name}: {unforeseen(problem)}")))
        yield from _scan(planned, wanted, jobs or _cores())
    finally:
        for path in temporary:
            with suppress(OSError):
                os.unlink(path)


def _cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _planned(source: Source) -> Plan:
    with open(source.path, "rb") as stream:
        beginning = stream.read(_BEGINNING)
    found = next(((what, command) for marks, what, command in _UNREAD if beginning.startswith(marks)), None)
    found = found or _no_text(beginning)
    if found is not None:
        shown = "standard input" if source.name == STDIN else source.name
        import shlex

        what, command = found
        raise SmemdescError(
            f"{shown} is {what}, not the text of a dump",
            hint=command.format(file="FILE" if source.name == STDIN else shlex.quote(source.name)),
        )
    return plan(source.path)


_BEGINNING = 65_536
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


def _unreadable(name: str, problem: OSError) -> SmemdescError:
    return SmemdescError(f"{name}: cannot read it: {(problem.strerror or str(problem)).lower()}", hint=_instead(name))


def _instead(name: str) -> str:
    """Say what to type for something that is not a file; empty where nothing is to be said."""
    if os.path.isdir(name):
        return f"scan takes files: find {shlex.quote(name)} -type f | xargs smemdesc scan"
    if re.match(r"(?i)https?://", name):
        return "an address: download it, then smemdesc scan FILE"
    if re.fullmatch(r"(?i)-?(?:0x)?[0-9a-f?_:x]+", name):
        return f"a value: smemdesc decode {shlex.quote(name)}"
    return ""


def _scan(planned: list[tuple[Source, Plan | SmemdescError]], wanted: str | None, jobs: int) -> Iterator[Found]:
    cut = [pieces(of, wanted) if isinstance(of, Plan) else [] for _, of in planned]
    tasks = [piece for mine in cut for piece in mine]
    results = _results(tasks, jobs)
    done = 0
    for (source, of), mine in zip(planned, cut, strict=True):
        if not isinstance(of, Plan):
            yield Found(source.name, Part(), done, True, of)
            continue
        again = for_values(of) if of.first < of.size and wanted is None else []
        lines = 0
        for piece in mine:
            result = next(results)
            if isinstance(result, Done) and (result.part.functions or result.part.failed or result.part.older):
                again = []
            done += piece.end - piece.start
            yield from _found(source, result, lines, done, piece is mine[-1] and not again)
            lines += _newlines(piece, result)
        # A file of functions without a tensor-core instruction: then values are looked for in all of it.
        lines = 0
        for piece, result in zip(again, _results(again, jobs), strict=True):
            yield from _found(source, result, lines, done, piece is again[-1])
            lines += _newlines(piece, result)


def _newlines(piece: Piece, result: Done | SmemdescError | OSError) -> int:
    if isinstance(result, Done):
        return result.newlines
    try:
        with open(piece.path, "rb") as stream:
            return newlines(stream, piece)
    except OSError:
        return 0


def _found(
    source: Source, result: Done | SmemdescError | OSError, lines: int, done: int, last: bool
) -> Iterator[Found]:
    """Yield what a piece held, and before it what of it could not be scanned."""
    if isinstance(result, OSError):
        result = _unreadable(source.name, result)
    if isinstance(result, SmemdescError):
        if source.path != source.name:
            result = SmemdescError(result.message.replace(source.path, "standard input"), hint=result.hint)
        yield Found(source.name, Part(), done, last, result)
        return
    part = moved(result.part, lines)
    for line, reason in part.failed:
        yield Found(source.name, Part(), done, False, SmemdescError(f"{source.name}:{line}: {reason}"))
    yield Found(source.name, part, done, last)


def _read(piece: Piece) -> Done | SmemdescError | OSError:
    try:
        return read(piece)
    except (OSError, SmemdescError) as problem:
        return problem
    except Exception as problem:
        return SmemdescError(f"{piece.path}: bytes {piece.start} to {piece.end}: {unforeseen(problem)}")


def _results(tasks: list[Piece], jobs: int) -> Iterator[Done | SmemdescError | OSError]:
    size = sum(piece.end - piece.start for piece in tasks)
    if jobs > 1 and len(tasks) > 1 and size > _WORTH:
        return _parallel(tasks, jobs)
    return map(_read, tasks)


def _parallel(tasks: list[Piece], jobs: int) -> Iterator[Done | SmemdescError | OSError]:
    """Yield the results of the pieces in order. One that kills the process that works on it costs only itself."""
    from concurrent.futures.process import BrokenProcessPool

    at = 0
    alone = False
    while at < len(tasks):
        try:
            for result in _worked(tasks[at : at + 1] if alone else tasks[at:], jobs):
                yield result
                at += 1
            alone = False
        except BrokenProcessPool:
            if alone:
                piece = tasks[at]
                yield SmemdescError(
                    f"{piece.path}: bytes {piece.start} to {piece.end} are not scanned: the process died",
                    hint="try --jobs 1, or more memory",
                )
                at += 1
            # Which piece it was is not known: the next is tried by itself, the others together again.
            alone = not alone
        except _NO_PROCESS:
            # Too few threads, processes or pages: one process does it, if slower.
            yield from map(_read, tasks[at:])
            return


_NO_PROCESS = (OSError, RuntimeError, MemoryError)
"""What starting processes raises where there are too few of something."""


def _worked(tasks: list[Piece], jobs: int) -> Iterator[Done | SmemdescError | OSError]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A forked process has the modules already; where that is not to be had, the platform's own way.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _quiet)
    finished = False
    try:
        waiting = deque(pool.submit(_read, piece) for piece in tasks)
        while waiting:
            yield waiting.popleft().result()
        finished = True
    finally:
        if not finished:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _quiet() -> None:
    """Leave an interrupt to the parent."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def moved(part: Part, lines: int) -> Part:
    """Return what was found with every line number larger by ``lines``."""
    if not lines:
        return part
    return part._replace(
        functions=tuple(_moved(function, lines) for function in part.functions),
        values=tuple(value._replace(line=value.line + lines) for value in part.values),
        failed=tuple((line + lines, reason) for line, reason in part.failed),
    )


def _moved(function: Function, lines: int) -> Function:
    moved: dict[tuple[Origin, ...], tuple[Origin, ...]] = {}

    def operand(each: Operand | None) -> Operand | None:
        if each is None:
            return None
        origins = moved.get(each.origins)
        if origins is None:
            origins = tuple(origin._replace(line=origin.line + lines) for origin in each.origins)
            moved[each.origins] = origins
        return each._replace(lost=None if each.lost is None else each.lost + lines, origins=origins)

    return function._replace(
        line=function.line + lines,
        mmas=tuple(
            mma._replace(
                line=mma.line + lines,
                a=operand(mma.a),
                b=operand(mma.b),
                idesc=operand(mma.idesc),
                mask=operand(mma.mask),
            )
            for mma in function.mmas
        ),
    )
