"""Text cut into chunks that several processes can scan, and a chunk scanned function by function."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import IO, BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import of_machine_code
from smemdesc.scanning.inputs import sources
from smemdesc.scanning.inputs.limits import bounded
from smemdesc.scanning.inputs.mentions import Stretch, covered_by, missed, settled, with_unread
from smemdesc.scanning.inputs.mixed import pieces
from smemdesc.scanning.inputs.sources import is_source
from smemdesc.scanning.inputs.strip import before, is_colored, uncolored
from smemdesc.scanning.languages.units import (
    LLVM,
    MLIR,
    MMA_MARKS,
    PTX,
    SASS,
    SKIP,
    Archs,
    DumpUnit,
    Named,
    first_header,
    guess,
    languages,
    last_header,
    may_name,
    older,
)
from smemdesc.scanning.model import Function, Part, joined, part_of_functions

CHUNK = 4_000_000
"""Bytes of one chunk, about."""
MODULE = 32_000_000
"""Bytes of a file of PTX, LLVM IR or other text that are searched for the declarations of its module."""
LONGEST = 64_000_000
"""Bytes of a function, or of code without one, that are read at most: a cut would lose what it depends on."""
_AROUND = 4096
"""Bytes before and after a chunk of text without code that are read as context."""
_CODE = (b"gdesc[", b"wgmma", b"tcgen05", b"UTCCP")
"""Texts without which a fragment of code has no MMA."""
_OBJECTS = re.compile(rb'\s*+\[\s*+\{\s*+"ELF"\s*+:')
"""The start of the output of nvdisasm -json: one line, which cannot be cut."""
_BLANK = re.compile(rb"[^\n]")
_OPENING = (b"[", b" ", b"\n", b"\r", b"\t")
_NUMBERS = re.compile(rb"(?m)^\.text\.\S+[ \t\r]*\n(?:[^\n]*=[^\n]*\n)?+(?:0x[0-9a-f]{8}[ ]?){4}")
"""Code as cuobjdump -elf prints it."""


def is_numbers(path: str) -> bool:
    """Whether a file is the output of cuobjdump -elf alone, whose code is hexadecimal numbers."""
    with open(path, "rb") as stream:
        return _NUMBERS.search(stream.read(MODULE)) is not None


class TextContext(NamedTuple):
    """What is known about a text before its chunks are read."""

    archs: Archs
    modules: Mapping[str, object]
    """The data of the modules, by language: of the language's own type."""
    named: Named
    """The architectures that other text names."""
    wanted: str | None = None
    """Only functions whose name fits this pattern (``*`` and ``?`` as in a shell)."""
    bare: bool = False
    """Whether the text has no function at all."""
    path: str = ""
    state: tuple[int, ...] = ()
    """The state of the file in the file system: a different one later means that it was changed."""


class FilePosition(NamedTuple):
    """A place in a file."""

    offset: int
    line: int
    """From 1."""
    column: int
    """Bytes from the beginning of the line."""


class Chunk(NamedTuple):
    """A stretch of a text that begins with a function (or before the first) and ends with one."""

    context: TextContext
    place: FilePosition
    end: int
    headless: bool = True
    """Whether it begins with text that belongs to no function."""
    values: bool = False
    """Whether to look for values that may be descriptors in all of it: the file has no tensor-core instruction."""
    before: int = 0
    """Bytes before it that are read as context, and in which nothing is reported."""
    after: int = 0

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.place.offset


class ChunkPlan(NamedTuple):
    """Where a file is cut into chunks."""

    context: TextContext
    cuts: tuple[FilePosition, ...]
    """Where functions begin, or text before the first, about a chunk apart."""
    blocks: tuple[FilePosition, ...]
    """Where text without code may be cut."""
    first: int
    """The offset of the first function; the end of the file if there is none."""
    size: int
    loose: bool = False
    """Whether there is no code before the first function."""
    dressed: bool = False
    """Whether it has colors, or a prefix before each line of its code."""


def state_of(stream: BinaryIO) -> tuple[int, ...]:
    """Return values that change when a file is written or replaced."""
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def is_wanted(name: str | None, pattern: str | None) -> bool:
    """Whether a function has a name that fits the pattern."""
    return pattern is None or fnmatchcase(name or "", pattern)


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a file in stretches of whole lines, unless these are very long."""
    while block := stream.read(CHUNK) + stream.readline(4 * CHUNK):
        yield block


def plan(path: str, wanted: str | None = None, arch: str | None = None) -> ChunkPlan:
    """Read a file once: where to cut it, its architectures, and the data of its module. May raise OSError.

    ``arch`` is the architecture of text that names none.
    """
    archs, named = Archs(), Named(arch)
    start = at = FilePosition(0, 1, 0)
    cuts, blocks = [start], []
    kind: str | None = None
    first: int | None = None
    code = colored = False
    newer = may_name((arch or "").encode())
    with open(path, "rb") as stream:
        state = state_of(stream)
        if _OBJECTS.match(stream.read(_AROUND)):
            context = TextContext(archs, {}, named, wanted, True, path, state)
            return ChunkPlan(context, (start,), (start,), state[2], state[2])
        stream.seek(0)
        for text in _blocks(stream):
            blocks.append(at)
            archs.read(text, at.offset)
            newer = newer or may_name(text)
            colored = colored or is_colored(text)
            header = None
            if first is None:
                header = first_header(text)
                before_it = text[: header.start()] if header else text
                code = code or any(mark in before_it for mark in _CODE)
                if header:
                    first, kind = at.offset + header.start(), header.lastgroup
            for match in (header, last_header(text) if first is not None else None):
                if match and at.offset + match.start() > cuts[-1].offset:
                    cuts.append(_advance(at, text[: match.start()]))
            at = _advance(at, text)
        if first is None and not colored:
            stream.seek(0)
            colored = before(stream.read(MODULE)) is not None
        if newer:
            stream.seek(0)
            for text, place in zip(_blocks(stream), blocks, strict=False):
                named.read(text, place.offset)
        if state_of(stream) != state or at.offset != state[2]:
            raise SmemdescError(f"{path} changed while it was read", hint="scan it again")
    bare = first is None or first == at.offset
    context = TextContext(archs, _modules(path, kind), named, wanted, bare, path, state)
    end = at.offset if first is None else first
    return ChunkPlan(context, tuple(cuts), tuple(blocks), end, at.offset, not code, colored)


def _advance(place: FilePosition, text: bytes) -> FilePosition:
    """Return the position after ``text``, which begins at ``place``."""
    newline = text.rfind(b"\n")
    column = place.column + len(text) if newline < 0 else len(text) - newline - 1
    return FilePosition(place.offset + len(text), place.line + text.count(b"\n"), column)


def strip_file(path: str, to: IO[bytes]) -> None:
    """Copy a file without colors and without the prefixes of its lines of code; the number of lines is the same."""
    with open(path, "rb") as stream:
        text = uncolored(stream.read(MODULE))
        strip = None if first_header(text) else before(text)
        stream.seek(0)
        for block in _blocks(stream):
            text = uncolored(block)
            to.write(strip(text) if strip else text)


def _modules(path: str, kind: str | None) -> Mapping[str, object]:
    with open(path, "rb") as stream:
        return modules_of(stream.read(MODULE), kind, not stream.read(1))


def modules_of(text: bytes, kind: str | None, whole: bool = True) -> Mapping[str, object]:
    """Return the data of the modules around the functions, as the front end of each language reads it.

    ``kind`` is the group of :data:`smemdesc.scanning.languages.units.HEADER` that found the first function, or None;
    ``whole``: the text is the whole file.
    """
    modules: dict[str, object] = {}
    if kind == "section" and whole:
        from smemdesc.scanning.languages.sass import listing

        modules[SASS] = listing.never_returning(text)
    in_text = languages(text)
    if LLVM in in_text:
        from smemdesc.scanning.languages import llvm

        modules[LLVM] = llvm.module(text)
    if PTX in in_text:
        from smemdesc.scanning.languages import ptx

        modules[PTX] = ptx.module(text)
    if MLIR in in_text:
        from smemdesc.scanning.languages import mlir

        modules[MLIR] = mlir.module(text, whole)
    return modules


def chunks(file_plan: ChunkPlan) -> list[Chunk]:
    """Return the chunks of a file, in order."""
    ends = [place.offset for place in file_plan.cuts[1:]] + [file_plan.size]
    pieces = [
        Chunk(file_plan.context, place, end, place.offset < file_plan.first or not place.offset)
        for place, end in zip(file_plan.cuts, ends, strict=True)
    ]
    if file_plan.loose and file_plan.first and pieces[0].end <= file_plan.first:
        return [*_anywhere(file_plan, pieces[0]), *pieces[1:]]
    return pieces


def for_values(file_plan: ChunkPlan) -> list[Chunk]:
    """Return the chunks of a file that has functions but no tensor-core instruction: values may be anywhere in it."""
    context = file_plan.context._replace(bare=True, modules={}, wanted=None)
    return _anywhere(file_plan, Chunk(context, file_plan.cuts[0], file_plan.size, values=True))


def _anywhere(file_plan: ChunkPlan, chunk: Chunk) -> list[Chunk]:
    """Cut text without code at any line; the text around each cut is read as context."""
    places = [place for place in file_plan.blocks if place.offset < chunk.end] or [chunk.place]
    ends = [place.offset for place in places[1:]] + [chunk.end]
    return [
        chunk._replace(place=place, end=end, before=min(_AROUND, place.offset), after=min(_AROUND, chunk.end - end))
        for place, end in zip(places, ends, strict=True)
    ]


def read(chunk: Chunk) -> Part:
    """Find the MMAs of a chunk of a file, and in text that belongs to no function values that look like descriptors."""
    path, size = chunk.context.path, chunk.end - chunk.start
    if size > LONGEST:
        message = f"function (or code without one) not scanned: it has {size} bytes, the limit is {LONGEST}"
        return Part(failed=((chunk.place.line, message),))
    size += chunk.before + chunk.after
    with open(path, "rb") as stream:
        before = state_of(stream)
        stream.seek(chunk.start - chunk.before)
        text = stream.read(size)
        if not before == chunk.context.state == state_of(stream) or len(text) != size:
            raise SmemdescError(f"{path} changed while it was read", hint="scan it again")
    return part_of(text, chunk)


def part_of(text: bytes, chunk: Chunk) -> Part:
    """Find the same in ``text``, the bytes of ``chunk`` and its context."""
    if chunk.headless and not chunk.start and text[:1] in _OPENING and _OBJECTS.match(text):
        stretches = [Stretch(0, SASS, chunk.context.wanted is not None)]
        part = joined(_of_objects(text, chunk.context.wanted))
    elif chunk.values:
        return _of_other_text(text, chunk)
    elif chunk.before or chunk.after:
        stretches = [Stretch(0, None, chunk.context.wanted is not None)]
        part = _of_other_text(text, chunk)
    else:
        stretches = []
        part = joined(_parts(text, chunk, stretches))
    low, high = chunk.before, len(text) - chunk.after
    line = chunk.place.line - text.count(b"\n", 0, low)
    certain, others = missed(text, line, covered_by(part), stretches, low, high)
    return with_unread(part, certain)._replace(mentions=tuple(others))


def _parts(text: bytes, chunk: Chunk, stretches: list[Stretch]) -> Iterator[Part]:
    """Yield the result of each unit; the language that each was read as is appended to ``stretches``."""
    context = chunk.context
    yield Part(older=tuple(older(text).items()))
    line, at = chunk.place.line, 0
    places: list[tuple[int, int]] = []
    for unit in pieces(text, chunk.headless):
        if unit.kind == SKIP or (unit.kind is not None and not is_wanted(unit.name, context.wanted)):
            stretches.append(Stretch(unit.start, unit.kind, context.wanted is not None))
            continue
        body = text[unit.start : unit.end]
        stretches.append(Stretch(unit.start, unit.kind, unit.kind is None and context.wanted is not None))
        if unit.kind is not None and not any(mark in body for mark in MMA_MARKS[unit.kind]):
            yield (_passed_over(body) if unit.kind == MLIR else Part())._replace(seen=1)
            continue
        line += text.count(b"\n", at, unit.start)
        at = unit.start
        if unit.kind is None and (live := _live(body, line, chunk.start + unit.start, context)):
            # A debugger may have shown an instruction several times.
            is_read = any(part.functions for part in live)
            stretches[-1] = stretches[-1]._replace(language=SASS, ignored=stretches[-1].ignored or is_read)
            yield from live
            continue
        kind = unit.kind or guess(body)
        if unit.kind is None and is_source(body):
            asm, places = sources.part_of(body, line, _scanned)
            yield asm
            kind = SASS if kind == SASS else None  # what looks like other code is a comment, a docstring, or a call
        stretches[-1] = stretches[-1]._replace(language=kind)
        if kind is None:
            yield _of_other_text(body, chunk, places)
            continue
        arch = context.archs.at(chunk.start + unit.start)
        arch = of_machine_code(arch) if kind == SASS and arch is not None else arch
        module = context.modules.get(kind)
        around = _around(module, chunk.start, unit) if kind == MLIR else module
        part = _scanned(line, partial(analyse, kind, body, line, unit.name, arch, around))
        if part.failed and not part.unread:
            stretches[-1] = stretches[-1]._replace(ignored=True)  # all of it is reported
        if kind == MLIR and not part.seen and not part.failed:
            yield _passed_over(body, around)
        yield part if unit.kind is None else part._replace(seen=max(1, part.seen))


def _scanned(line: int, analysed: Callable[[], list[Function]]) -> Part:
    """Analyze functions, which are counted as seen; if they cannot be scanned, the reason is reported at ``line``."""
    try:
        with bounded():
            functions = analysed()
    except SmemdescError as problem:
        return Part(failed=((line, str(problem)),))
    except (Exception, RecursionError) as problem:
        return Part(failed=((line, internal_error(problem)),))
    return part_of_functions(functions)


def _passed_over(text: bytes, around: object = None) -> Part:
    """Count what a function of MLIR without MMAs multiplies matrices with."""
    from smemdesc.scanning.languages import mlir

    without, foreign = mlir.passed_over(text, around if isinstance(around, mlir.Aliases) else mlir.Aliases())
    return Part(older=tuple(without.items()), unknown=tuple(foreign.items()))


def _of_other_text(text: bytes, chunk: Chunk, read: Sequence[tuple[int, int]] = ()) -> Part:
    """Find values in a chunk of text without code; the text includes the surroundings of the chunk.

    ``read`` are the stretches that were read as code.
    """
    part = Part()
    if not chunk.values and not chunk.start and b"module" in text[:65_536]:
        from smemdesc.scanning.languages import mlir

        part = _passed_over(text) if mlir.is_mlir(text) else part
        part = part._replace(older=()) if chunk.after else part
    low, high = chunk.before, len(text) - chunk.after
    line = chunk.place.line - text.count(b"\n", 0, low)
    named = () if chunk.values else tuple((line + before, message) for before, message in sites(text, low, high))
    # Around functions are only comments and declarations.
    if named or not (chunk.values or (chunk.context.bare and chunk.context.wanted is None)):
        return part._replace(failed=named)
    from smemdesc.scanning.inputs import literals

    indent = max(0, chunk.place.column - low)
    for start, end in read:
        text = text[:start] + _BLANK.sub(b" ", text[start:end]) + text[end:]
    values = literals.values(text, line, low, high, indent, chunk.context.named, chunk.start - low)
    if is_source(text):
        from smemdesc.scanning.inputs import descriptor_calls

        values = sorted((*values, *descriptor_calls.values(text, line, low, high)))
    return part._replace(values=tuple(values))


def _live(text: bytes, first: int, start: int, context: TextContext) -> list[Part]:
    """Read text as cuda-gdb and Nsight Compute print it; return an empty list for other text."""
    if b"0x" not in text:
        return []
    from smemdesc.scanning.languages.sass import live_listing

    if not live_listing.is_listing(text):
        return []
    arch = context.archs.at(start)
    arch = arch and of_machine_code(arch)
    return [
        _scanned(function.line, partial(function.analysed, arch))._replace(seen=1)
        if is_wanted(function.name, context.wanted)
        else Part()
        for function in live_listing.functions(text, first)
    ]


def _around(module: object, offset: int, unit: DumpUnit) -> object:
    """Return the data of a module of MLIR that holds in a unit; ``offset``: where the text begins in the file.

    What no header introduces may hold the definitions that it needs.
    """
    from smemdesc.scanning.languages import mlir

    start, end = offset + unit.start, offset + (unit.end if unit.kind is None else unit.start)
    return module.at(start, end) if isinstance(module, mlir.MlirModule) else module


def whole(data: bytes, pattern: str | None = None) -> Part:
    """Scan a whole file that is in memory."""
    return settled(unsettled(data, pattern))


def unsettled(data: bytes, pattern: str | None = None) -> Part:
    """Scan the same, but leave the names of instructions in other text in :attr:`Part.mentions`."""
    data = uncolored(data)
    if first_header(data) is None and (strip := before(data)):
        data = strip(data)
    archs, named = Archs(), Named()
    archs.read(data)
    named.read(data)
    header = first_header(data)
    modules = modules_of(data, header.lastgroup if header else None)
    chunk = Chunk(TextContext(archs, modules, named, pattern, header is None), FilePosition(0, 1, 0), len(data))
    part = part_of(data, chunk)
    if part.functions or part.failed or part.older or header is None or pattern is not None:
        return part
    # Functions without a tensor-core instruction: values may be anywhere.
    return part._replace(values=part_of(data, chunk._replace(values=True)).values)


def internal_error(problem: BaseException) -> str:
    """Return the message that a function could not be scanned because of an internal error."""
    if isinstance(problem, MemoryError):
        return "not enough memory to scan this function"
    what = " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
    return f"function not scanned because of an error in smemdesc itself ({what}): please report it with the dump"


def _of_objects(text: bytes, pattern: str | None) -> Iterator[Part]:
    """Read the output of nvdisasm -json."""
    from smemdesc.scanning.languages.sass import json_listing

    for function, arch in json_listing.functions(text):
        if is_wanted(function.name, pattern):
            part = _scanned(function.line, partial(function.analysed, arch))
            yield part._replace(seen=1, odd=part.odd + (not function.read))


def analyse(kind: str, text: bytes, first: int, name: str | None, arch: str | None, module: object) -> list[Function]:
    """Return the functions with MMAs in the language ``kind`` in a text: one, or none."""
    if kind == PTX:
        from smemdesc.scanning.languages import ptx

        # PTX may have several on a line.
        return list(ptx.functions(text, first, name, arch, module if isinstance(module, ptx.PtxModule) else None))
    if kind == SASS:
        from smemdesc.scanning.languages.sass import front as sass

        function = sass.analyse(
            text, first, name, arch, noreturn_slots=module if isinstance(module, frozenset) else frozenset()
        )
    elif kind == MLIR:
        from smemdesc.scanning.languages import mlir

        function = mlir.analyse(text, first, name, arch, module if isinstance(module, mlir.Aliases) else None)
    else:
        from smemdesc.scanning.languages import llvm

        function = llvm.analyse(text, first, name, arch, module)
    return [] if function is None else [function]


_MARK = b"========="
_SITE = re.compile(rb"(?m)^[^=\n]*={9} ++(?:at|Device Frame:) ++([^\n]*?)\+(0x[0-9a-f]++)(?: in ([^\n]*)|[ \t\r]*)$")
_PLAIN = re.compile(r"[\w$.]+$")
_WORD = re.compile(r"(?<![\w$])[\w$]++(?=[<(])")
"""What may be the name in what a C++ function is called in full: what its arguments follow, or those of a template."""


def sites(text: bytes, low: int, high: int) -> Iterator[tuple[int, str]]:
    """Yield what to type to see the descriptors of an instruction that a line between two places names, each once; and
    how many lines are before it."""
    if _MARK not in text:
        return
    seen = set()
    for match in _SITE.finditer(text):
        name, offset, source = (part.decode("utf-8", "replace").rstrip() for part in match.groups(b""))
        if (name, offset) in seen or not low <= match.start() < high:
            continue
        seen.add((name, offset))
        where = f"{name}+{offset}" + (f" ({source})" if source else "")
        at = f"{_pattern(name)}+{offset}"
        quoted = at if _PLAIN.match(_pattern(name)) else f"'{at}'"
        yield (
            text.count(b"\n", 0, match.start()),
            f"compute-sanitizer names an instruction, {where}, but prints no SASS: smemdesc scan --at {quoted} CUBIN",
        )


def _pattern(name: str) -> str:
    """Return a pattern that matches the mangled name of a function with this name."""
    if _PLAIN.match(name):
        return name
    template = len(name) if name.endswith(">") else name.rfind(">(") if name.endswith(")") else -1
    for match in _WORD.finditer(name):
        if (name[match.end()] == "(" and name.endswith(")")) or (name[match.end()] == "<" and match.end() < template):
            return f"*{match[0]}*"
    return "*"
