"""Files read in pieces that several processes can work on, each counting its own lines."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import of_machine_code
from smemdesc.scanning import sanitizer
from smemdesc.scanning.limits import bounded
from smemdesc.scanning.model import Function, Part, Value, sorted_out
from smemdesc.scanning.named import Named, may_name
from smemdesc.scanning.plain import before, is_colored, uncolored
from smemdesc.scanning.units import (
    LLVM,
    MLIR,
    MMA_MARKS,
    NVDISASM,
    PTX,
    SASS,
    SKIP,
    Archs,
    first_header,
    guess,
    last_header,
    older,
    units,
)

PIECE = 4_000_000
"""Bytes of one piece, about."""
MODULE = 32_000_000
"""Bytes of a file of PTX, LLVM IR or other text that are searched for what its module says."""
LONGEST = 64_000_000
"""Bytes of a function, or of code without one, that are read: it cannot be cut without losing what it depends on."""
CONTEXT = 4096
"""Bytes around a piece of text without code that are looked at, too."""
_WINDOW = 65_536
_CODE = (b"gdesc[", b"wgmma", b"tcgen05", b"UTCCP")
"""Texts without which a fragment of code has no MMA."""
_OVERLAP = 64
"""More than the bytes of a text of ``_CODE``, and than a mark that names the architecture has on either side."""


_OBJECTS = re.compile(rb'\s*+\[\s*+\{\s*+"ELF"\s*+:')


_NUMBERS = re.compile(rb"(?m)^\.text\.\S+[ \t\r]*\n(?:[^\n]*=[^\n]*\n)?+(?:0x[0-9a-f]{8}[ ]?){4}")
"""Code as cuobjdump -elf prints it."""


def is_numbers(path: str) -> bool:
    """Whether a file is what cuobjdump -elf prints alone: code in it stands in numbers."""
    with open(path, "rb") as stream:
        return _NUMBERS.search(stream.read(MODULE)) is not None


def is_objects(text: bytes) -> bool:
    """Whether a file begins as one of nvdisasm -json does: it is one line, which cannot be cut."""
    return _OBJECTS.match(text) is not None


class Plan(NamedTuple):
    """What is known of a file before its pieces are read."""

    path: str
    cuts: tuple[int, ...]
    """Where its pieces begin, and its end."""
    first: int
    """The offset of the first function; the end of the file where there is none."""
    archs: Archs
    module: object
    """What the module says: the language's own, or None."""
    state: tuple[int, ...] = ()
    """What the file system says of the file: another answer later means that it was changed."""
    loose: bool = False
    """Whether the text before the first function may be cut anywhere: there is no code in it."""
    named: Named | None = None
    dressed: bool = False
    """Whether colors are in it, or something stands before each line of its code."""

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.cuts[-1]


class Piece(NamedTuple):
    """A stretch of a file that begins with a function (or before the first) and ends with one."""

    path: str
    start: int
    end: int
    headless: bool
    """Whether it begins with text that belongs to no function."""
    bare: bool
    """Whether the file has no function at all."""
    archs: Archs
    module: object
    wanted: str | None
    """Only functions whose name fits this pattern (``*`` and ``?`` as in a shell)."""
    values: bool = False
    """Whether to look for values that may be descriptors in all of it: the file has no tensor-core instruction."""
    state: tuple[int, ...] = ()
    before: int = 0
    """Bytes before ``start`` that are read, too, and in which nothing is reported."""
    after: int = 0
    indent: int = 0
    """Bytes between the beginning of the line and the first that is read."""
    named: Named | None = None
    """The architectures that the file names; None: none with tables of its own."""
    printed: bool = False
    """Whether it is known to be what nvdisasm prints, and older instructions have been counted."""


class Done(NamedTuple):
    """What a piece held; lines count from 1 at its first byte."""

    part: Part
    newlines: int


class ChangedError(SmemdescError):
    """The file is not what it was when it was looked over."""


def state_of(stream: BinaryIO) -> tuple[int, ...]:
    """Return what changes when somebody writes to a file or puts another in its place."""
    found = os.fstat(stream.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def plan(path: str, arch: str | None = None) -> Plan:
    """Look a file over: where to cut it, for which architectures it is, what its module says. May raise OSError.

    ``arch`` is the architecture of text that names none.
    """
    archs = Archs()
    cuts = [0]
    first: int | None = None
    kind: str | None = None
    offset = 0
    kept = tail = marks = b""
    code = colored = False
    newer = may_name((arch or "").encode())
    with open(path, "rb") as stream:
        state = state_of(stream)
        if is_objects(stream.read(_WINDOW)):
            return Plan(path, (0, state[2]), state[2], archs, None, state)
        stream.seek(0)
        while block := stream.read(PIECE):
            # The last bytes wait for what follows them: a mark may lie across two blocks.
            marks = marks + block
            archs.read(marks, offset + len(block) - len(marks), len(marks) - _OVERLAP)
            newer = newer or may_name(marks)
            colored = colored or is_colored(block)
            marks = marks[-2 * _OVERLAP :]
            text = kept + block if kept else block
            begins = offset - len(kept)
            offset += len(block)
            if first is None and (found := first_header(text)):
                first, kind = begins + found.start(), found.lastgroup
                code = code or _has_code(tail + block[: found.start() - len(kept)])
                if first:
                    cuts.append(first)
            if first is None:
                code = code or _has_code(tail + block)
            elif (last := last_header(text)) and begins + last.start() - cuts[-1] > 0:
                cuts.append(begins + last.start())
            tail = text[-_OVERLAP:]
            # A header may lie across two blocks.
            line = text.rfind(b"\n") + 1
            kept = text[line:] if len(text) - line < _WINDOW else b""
        archs.read(marks, offset - len(marks))
        if first is None and not colored:
            stream.seek(0)
            colored = before(stream.read(MODULE)) is not None
        named = None
        if newer:
            named = Named(arch)
            stream.seek(0)
            named.read_file(stream)
        if state_of(stream) != state or offset != state[2]:
            raise ChangedError(f"{path} changed while it was read", hint="scan it again")
    if cuts[-1] != offset or len(cuts) == 1:
        cuts.append(offset)
    end = offset if first is None else first
    return Plan(path, tuple(cuts), end, archs, _module(path, kind, first is None), state, not code, named, colored)


def undressed(path: str, to: BinaryIO) -> None:
    """Write a file without colors, and without what stands before its lines of code; with as many lines."""
    with open(path, "rb") as stream:
        text = uncolored(stream.read(MODULE))
        strip = None if first_header(text) else before(text)
        while text:
            line = text.rfind(b"\n") + 1 or len(text)
            to.write(strip(text[:line]) if strip else text[:line])
            block = stream.read(PIECE)
            text = uncolored(text[line:] + block) if block or line < len(text) else b""
            if not block:
                to.write(strip(text) if strip else text)
                break


def _has_code(text: bytes) -> bool:
    return any(mark in text for mark in _CODE)


def _module(path: str, kind: str | None, headless: bool) -> object:
    if kind not in ("ptx", "llvm", "mlir", "section") and not headless:
        return None
    with open(path, "rb") as stream:
        return module_of(stream.read(MODULE), kind, not stream.read(1))


def module_of(text: bytes, kind: str | None, whole: bool = True) -> object:
    """Return what the module around the functions says, as the language's front end reads it; None for nothing.

    ``kind`` is the group of :data:`smemdesc.scanning.units.HEADER` that found the first function, None where none was;
    ``whole``: the text is the whole file.
    """
    if kind == "section":
        from smemdesc.scanning.sass import listing

        return listing.never_returning(text) if whole else None
    language = {"ptx": PTX, "llvm": LLVM, "mlir": MLIR}.get(kind or "") if kind else guess(text)
    if language == LLVM:
        from smemdesc.scanning import llvm

        return llvm.module(text)
    if language == PTX:
        from smemdesc.scanning import ptx

        return ptx.module(text)
    if language == MLIR:
        from smemdesc.scanning import mlir

        return mlir.module(text, whole)
    return None


def pieces(of: Plan, wanted: str | None = None) -> list[Piece]:
    """Return the pieces of a file, in order."""
    bare = of.first == of.size
    made = [
        Piece(of.path, start, end, start < of.first or not start, bare, of.archs, of.module, wanted, False, of.state)
        for start, end in zip(of.cuts, of.cuts[1:], strict=False)
    ]
    made = [each._replace(named=of.named) for each in made] if of.named else made
    if of.loose and of.first and made and made[0].end <= of.first:
        return [*_anywhere(made[0]), *made[1:]]
    return made


def for_values(of: Plan) -> list[Piece]:
    """Return the pieces of a file that has functions and no tensor-core instruction: values may stand anywhere."""
    whole = Piece(of.path, 0, of.size, True, True, of.archs, None, None, True, of.state, named=of.named)
    return _anywhere(whole)


def _anywhere(piece: Piece) -> list[Piece]:
    """Cut text without code, which may be cut anywhere where what stands around is read, too."""
    starts = range(piece.start, piece.end, PIECE)
    return [
        piece._replace(
            start=start,
            end=min(start + PIECE, piece.end),
            before=min(CONTEXT, start - piece.start),
            after=min(CONTEXT, piece.end - min(start + PIECE, piece.end)),
        )
        for start in starts
    ] or [piece]


def read(piece: Piece) -> Done:
    """Find the MMAs of a piece, and in text that belongs to no function the values that look like descriptors."""
    size = piece.end - piece.start
    with open(piece.path, "rb") as stream:
        if state_of(stream) != piece.state:
            raise ChangedError(f"{piece.path} changed while it was read", hint="scan it again")
        if size > LONGEST:
            return Done(Part(failed=((1, _too_long(size)),)), newlines(stream, piece))
        if piece.before:
            piece = piece._replace(indent=_indent(stream, piece.start - piece.before))
        stream.seek(piece.start - piece.before)
        text = stream.read(piece.before + size + piece.after)
        if len(text) != piece.before + size + piece.after or state_of(stream) != piece.state:
            raise ChangedError(f"{piece.path} changed while it was read", hint="scan it again")
    return Done(part_of(text, piece), text.count(b"\n", piece.before, piece.before + size))


def _indent(stream: BinaryIO, offset: int) -> int:
    """Return how far an offset is from the beginning of its line."""
    at = offset
    while at > 0:
        begin = max(0, at - _WINDOW)
        stream.seek(begin)
        newline = stream.read(at - begin).rfind(b"\n")
        if newline >= 0:
            return offset - begin - newline - 1
        at = begin
    return offset


def _too_long(size: int) -> str:
    return f"function (or code without one) not scanned: it has {size} bytes, the limit is {LONGEST}"


def newlines(stream: BinaryIO, piece: Piece) -> int:
    """Count the newlines of a piece."""
    stream.seek(piece.start)
    left, found = piece.end - piece.start, 0
    while left > 0 and (block := stream.read(min(PIECE, left))):
        left -= len(block)
        found += block.count(b"\n")
    return found


def part_of(text: bytes, piece: Piece) -> Part:
    """The same for text that was read already."""
    if piece.headless and not piece.start and text[:1] in _OPENING and is_objects(text):
        return _of_objects(text, piece.wanted)
    functions: list[Function] = []
    if piece.values or piece.before or piece.after:
        # Around functions stand comments and declarations only.
        told = piece.values or (piece.bare and piece.wanted is None)
        passed: Counter[str] = Counter()
        if not piece.values and not piece.start:
            _pass_over_module(text, Counter(), passed)
        return Part(values=tuple(_values(text, piece)) if told else (), unknown=tuple(passed.items()))
    values: list[Value] = []
    seen = odd = at = 0
    line = 1
    counts = Counter[str]() if piece.printed else older(text)
    unknown: Counter[str] = Counter()
    failed: list[tuple[int, str]] = []
    for unit in units(text, piece.headless, NVDISASM) if piece.printed else units(text, piece.headless):
        if unit.kind == SKIP:
            continue
        if unit.kind is not None:
            if piece.wanted is not None and not fnmatchcase(unit.name or "", piece.wanted):
                continue
            seen += 1
            if not any(text.find(mark, unit.start, unit.end) >= 0 for mark in MMA_MARKS[unit.kind]):
                if unit.kind == MLIR:
                    _pass_over(text[unit.start : unit.end], None, counts, unknown)
                continue
        line += text.count(b"\n", at, unit.start)
        at = unit.start
        body = text[unit.start : unit.end]
        read = _loaded(body, line, piece, unit.start) if unit.kind is None else None
        if read is not None:
            seen += read.seen
            odd += read.odd
            functions += read.functions
            failed += read.failed
            continue
        kind = unit.kind or guess(body)
        if kind is None:
            if not unit.kind and b"module" in body[:_WINDOW]:
                _pass_over_module(body, counts, unknown)
            failed += ((line + number - 1, told) for number, told in sanitizer.sites(body))
            # Around functions stand comments and declarations only.
            if piece.bare and piece.wanted is None and not failed:
                from smemdesc.scanning import other

                values += other.values(body, line, named=piece.named or Named(), offset=piece.start + unit.start)
            continue
        arch = piece.archs.at(piece.start + unit.start)
        if kind == SASS and arch is not None:
            arch = of_machine_code(arch)
        try:
            around = _around(piece, unit.start) if kind == MLIR else piece.module
            with bounded():
                found = analyse(kind, body, line, unit.name, arch, around)
        except SmemdescError as problem:
            failed.append((line, str(problem)))
            continue
        except (Exception, RecursionError) as problem:
            failed.append((line, unforeseen(problem)))
            continue
        if kind == MLIR and not found:
            _pass_over(body, around, counts, unknown)
        seen += len(found) if unit.kind is None else max(0, len(found) - 1)
        of, wrong = sorted_out(found)
        functions += of
        failed += wrong
        odd += sum(each.odd for each in found)
    return Part(
        tuple(functions), seen, tuple(values), odd, tuple(counts.items()), tuple(failed), tuple(unknown.items())
    )


def _loaded(text: bytes, first: int, piece: Piece, start: int) -> Part | None:
    """Return what is in text as cuda-gdb and Nsight Compute print it; None where it is none."""
    if b"0x" not in text:
        return None
    from smemdesc.scanning.sass import loaded

    if not loaded.is_listing(text):
        return None
    arch = piece.archs.at(piece.start + start)
    arch = arch and of_machine_code(arch)
    seen = 0
    functions: list[Function] = []
    failed: list[tuple[int, str]] = []
    some = False
    for listed in loaded.functions(text, first):
        some = True
        if piece.wanted is not None and not fnmatchcase(listed.name or "", piece.wanted):
            continue
        seen += 1
        try:
            with bounded():
                of = listed.analysed(arch)
        except SmemdescError as problem:
            failed.append((listed.line, str(problem)))
        except (Exception, RecursionError) as problem:
            failed.append((listed.line, unforeseen(problem)))
        else:
            kept, wrong = sorted_out([] if of is None else [of])
            functions += kept
            failed += wrong
    return Part(tuple(functions), seen, (), sum(of.odd for of in functions), failed=tuple(failed)) if some else None


def _pass_over(text: bytes, around: object, counts: Counter[str], unknown: Counter[str]) -> None:
    """Count what a function of MLIR without MMAs multiplies matrices with."""
    from smemdesc.scanning import mlir

    without, foreign = mlir.passed_over(text, around if isinstance(around, mlir.Aliases) else mlir.Aliases())
    counts.update(without)
    unknown.update(foreign)


def _pass_over_module(text: bytes, counts: Counter[str], unknown: Counter[str]) -> None:
    """The same for text without a function that is known to be one."""
    from smemdesc.scanning import mlir

    if mlir.is_mlir(text):
        _pass_over(text, None, counts, unknown)


def _around(piece: Piece, start: int) -> object:
    """Return what the module says at an offset of the piece."""
    from smemdesc.scanning import mlir

    return piece.module.at(piece.start + start) if isinstance(piece.module, mlir.Module) else piece.module


def whole(data: bytes, wanted: str | None = None) -> Part:
    """Find what a whole file holds that is in memory."""
    data = uncolored(data)
    if first_header(data) is None and (strip := before(data)):
        data = strip(data)
    archs = Archs()
    archs.read(data, 0)
    found = first_header(data)
    module = module_of(data, found.lastgroup if found else None)
    named = Named()
    named.read(data)
    piece = Piece("", 0, len(data), True, found is None, archs, module, wanted, named=named)
    part = part_of(data, piece)
    if part.functions or part.failed or part.older or found is None or wanted is not None:
        return part
    # Functions without a tensor-core instruction: values may stand anywhere.
    return part._replace(values=part_of(data, piece._replace(values=True)).values)


def unforeseen(problem: BaseException) -> str:
    """Say that a function could not be scanned for a reason that nobody thought of."""
    if isinstance(problem, MemoryError):
        return "not enough memory to scan this function"
    what = " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
    return f"function not scanned because of an error in smemdesc itself ({what}): please report it with the dump"


def _values(text: bytes, piece: Piece) -> Iterator[Value]:
    """Yield the values of a piece, of which the text has what stands around, too."""
    from smemdesc.scanning import other

    low, high = piece.before, len(text) - piece.after
    first = 1 - text.count(b"\n", 0, low)
    yield from other.values(text, first, low, high, piece.indent, piece.named or Named(), piece.start - low)


_OPENING = (b"[", b" ", b"\n", b"\r", b"\t")


def _of_objects(text: bytes, wanted: str | None) -> Part:
    """The same for what nvdisasm -json prints."""
    functions: list[Function] = []
    failed: list[tuple[int, str]] = []
    seen = odd = 0
    from smemdesc.scanning.sass import objects

    for name, found, read in objects.functions(text):
        if wanted is not None and not fnmatchcase(name, wanted):
            continue
        seen += 1
        odd += not read
        if found is not None:
            kept, wrong = sorted_out([found])
            functions += kept
            failed += wrong
            odd += found.odd
    return Part(tuple(functions), seen, (), odd, failed=tuple(failed))


def analyse(kind: str, text: bytes, first: int, name: str | None, arch: str | None, module: object) -> list[Function]:
    """Return the functions with MMAs in the language ``kind`` that a text holds: one, or none."""
    if kind == PTX:
        from smemdesc.scanning import ptx

        # PTX may have several on a line.
        return list(ptx.functions(text, first, name, arch, module if isinstance(module, ptx.Module) else None))
    if kind == SASS:
        from smemdesc.scanning.sass import front as sass

        found = sass.analyse(text, first, name, arch, never=module if isinstance(module, frozenset) else frozenset())
    elif kind == MLIR:
        from smemdesc.scanning import mlir

        found = mlir.analyse(text, first, name, arch, module if isinstance(module, mlir.Aliases) else None)
    else:
        from smemdesc.scanning import llvm

        found = llvm.analyse(text, first, name, arch, module)
    return [] if found is None else [found]
