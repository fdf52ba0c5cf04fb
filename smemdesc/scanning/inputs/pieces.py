"""A piece of a text, scanned function by function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.archs import in_place, of_machine_code
from smemdesc.kinds.guardrails import TRAP, TRAP_MESSAGE, trap_message
from smemdesc.reading.terms import is_source, makes_descriptors
from smemdesc.scanning.inputs import sources
from smemdesc.scanning.inputs.limits import bounded
from smemdesc.scanning.inputs.mentions import Stretch, covered_by, missed, settled_file, with_unread
from smemdesc.scanning.inputs.mixed import pieces
from smemdesc.scanning.inputs.text import FUNCTION_BYTES, DumpText, Piece, TextContext, is_json
from smemdesc.scanning.languages.units import MLIR, MMA_MARKS, PTX, SASS, SKIP, DumpUnit, guess_language, older
from smemdesc.scanning.model import OF_TMA, Function, Part, TextValue, Unread, joined, part_of_functions
from smemdesc.scanning.model.shared_memory import GivenMaps

if TYPE_CHECKING:
    from smemdesc.reading.source_records import SourceReading

_BLANK = re.compile(rb"[^\n]")


def is_wanted(name: str | None, pattern: str | None) -> bool:
    """Whether a function has a name that fits the pattern."""
    return pattern is None or fnmatchcase(name or "", pattern)


def scan_piece(piece: Piece) -> Part:
    """Find the MMAs of a piece, and in text that belongs to no function values that look like descriptors."""
    text, pattern = piece.text, piece.context.wanted
    if len(text) < piece.size:
        message = (
            f"function (or code without one) not scanned: it has {piece.size} bytes, the limit is {FUNCTION_BYTES}"
        )
        return Part(failed=((piece.place.line, message),))
    if piece.values:
        return _of_other_text(text, piece)
    if not piece.place.offset and is_json(text):
        stretches = [Stretch(0, SASS, pattern is not None)]
        part = joined(_of_objects(text, piece.context))
    elif piece.before or piece.after:
        stretches = [Stretch(0, None, pattern is not None)]
        part = _of_other_text(text, piece)
        if not piece.context.bare and pattern is None:
            around = text[piece.before : len(text) - piece.after]
            arch = piece.context.named.near(piece.place.offset)
            part = part._replace(values=part.values + _printed(around, piece.place.line, arch))
    else:
        reader = _UnitReader(piece)
        part = joined(reader.parts())
        stretches = reader.stretches
    low, high = piece.before, len(text) - piece.after
    line = piece.place.line - text.count(b"\n", 0, low)
    traps = (trap for trap in _traps(text, line, low, high) if trap not in part.failed)
    part = part._replace(failed=(*part.failed, *traps))
    certain, others = missed(text, line, covered_by(part), stretches, low, high)
    return with_unread(part, certain)._replace(mentions=(*part.mentions, *others))


class _UnitReader:
    """Reads a piece unit by unit."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.context = piece.context
        self.stretches: list[Stretch] = []
        """The language that each unit was read as."""
        self._line, self._counted = piece.place.line, 0
        """A line number, and the offset of that line in the piece."""
        self._is_text = False
        """Whether the values of the unit were looked for."""

    def parts(self) -> Iterator[Part]:
        """Yield the results of the units, one or more of each."""
        yield Part(older=tuple(older(self.piece.text).items()))
        wanted = self.context.wanted
        for unit in pieces(self.piece.text, self.piece.headless):
            is_skipped = unit.kind == SKIP or (unit.kind is not None and not is_wanted(unit.name, wanted))
            ignored = wanted is not None and (is_skipped or unit.kind is None)
            self.stretches.append(Stretch(unit.start, unit.kind, ignored))
            if not is_skipped:
                yield from self._read(unit)

    def _read(self, unit: DumpUnit) -> Iterator[Part]:
        arch = self.context.archs.at(self._offset(unit))
        if unit.kind in (PTX, SASS) and arch is not None and in_place(arch):
            yield Part(bare=((arch, 1),))
        body = self.piece.text[unit.start : unit.end]
        self._is_text = False
        yield from self._parts_of(unit, body, arch)
        if not self._is_text and self.context.wanted is None:
            yield Part(values=_printed(body, self._line_of(unit), arch or self.context.named.near(self._offset(unit))))

    def _parts_of(self, unit: DumpUnit, body: bytes, arch: str | None) -> Iterator[Part]:
        if unit.kind is None:
            yield from self._headless(unit, body, arch)
        elif any(mark in body for mark in MMA_MARKS[unit.kind]):
            yield from self._code(unit.kind, unit, body, arch)
        else:
            yield (_passed_over(body) if unit.kind == MLIR else Part())._replace(seen=1)

    def _headless(self, unit: DumpUnit, body: bytes, arch: str | None) -> Iterator[Part]:
        """Read text that no header introduces: a debugger's listing, a source, a fragment of code, or other text."""
        line = self._line_of(unit)
        if live := _live(body, line, self._offset(unit), self.context):
            # A debugger may have shown an instruction several times.
            is_read = any(part.functions for part in live)
            self._note(language=SASS, ignored=self.stretches[-1].ignored or is_read)
            yield from live
            if not is_read:
                self._is_text = self.context.bare
                yield _of_other_text(body, self.piece)
                yield _copies(body, line)
            return
        kind = guess_language(body)
        places: list[tuple[int, int]] = []
        reading = None
        if is_source(body):
            reading = _source_in(body)
            asm, places = sources.part_of(body, line, _scanned, reading.operands if reading else {})
            yield asm
            kind = SASS if kind == SASS else None  # what looks like other code is a comment, a docstring, or a call
        if kind is None:
            self._note(language=None)
            self._is_text = self.context.bare
            yield _of_other_text(body, self.piece, places, reading)
            yield _copies(body, line)
        else:
            yield from self._code(kind, unit, body, arch)

    def _code(self, kind: str, unit: DumpUnit, body: bytes, arch: str | None) -> Iterator[Part]:
        """Read a function, or a fragment of one."""
        self._note(language=kind)
        line = self._line_of(unit)
        arch = of_machine_code(arch) if kind == SASS and arch is not None else arch
        module = self.context.modules.get(kind)
        around = _around(module, self.piece.place.offset, unit) if kind == MLIR else module
        part = _scanned(line, partial(analyse_piece, kind, body, line, unit.name, arch, around, self.context.maps))
        if part.failed and not part.unread:
            self._note(ignored=True)  # all of it is reported
        if kind == MLIR and not part.seen and not part.failed:
            yield _passed_over(body, around)
        yield part if unit.kind is None else part._replace(seen=max(1, part.seen))

    def _note(self, **changes: Any) -> None:
        """Change what is noted of the unit that is read."""
        self.stretches[-1] = self.stretches[-1]._replace(**changes)

    def _offset(self, unit: DumpUnit) -> int:
        """Return the offset of a unit in the file."""
        return self.piece.place.offset + unit.start

    def _line_of(self, unit: DumpUnit) -> int:
        """Return the number of a unit's first line."""
        self._line += self.piece.text.count(b"\n", self._counted, unit.start)
        self._counted = unit.start
        return self._line


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


def _passed_over(text: bytes, around: Any = None) -> Part:
    """Count what a function of MLIR without MMAs multiplies matrices with."""
    from smemdesc.scanning.languages import mlir

    without, foreign = mlir.passed_over(text, around or mlir.Aliases())
    return Part(older=tuple(without.items()), unknown=tuple(foreign.items()))


def _of_other_text(
    text: bytes, piece: Piece, read: Sequence[tuple[int, int]] = (), source: SourceReading | None = None
) -> Part:
    """Find values in a piece of text without code; the text includes the surroundings of the piece.

    ``read`` are the stretches that were read as code, ``source`` is what was read of the text as a source.
    """
    part = Part()
    if not piece.values and not piece.place.offset and b"module" in text[:65_536]:
        from smemdesc.scanning.languages import mlir

        part = _passed_over(text) if mlir.is_mlir(text) else part
        part = part._replace(older=()) if piece.after else part
    low, high = piece.before, len(text) - piece.after
    line = piece.place.line - text.count(b"\n", 0, low)
    named = () if piece.values else tuple((line + before, message) for before, message in sites(text, low, high))
    # Around functions are only comments and declarations.
    if named or not (piece.values or (piece.context.bare and piece.context.wanted is None)):
        return part._replace(failed=named)
    source = source or _source_in(text)
    values, spans, part = _of_source(text, piece, read, source, part)
    from smemdesc.scanning.inputs import lines, literals, operations, tensor_maps

    is_code = is_source(text)
    indent = max(0, piece.place.column - low)
    maps = list(tensor_maps.map_values(text, line, low, high))
    for start, end in (*read, *((start, end) for start, end, _ in maps), *spans):
        text = text[:start] + _BLANK.sub(b" ", text[start:end]) + text[end:]
    if is_code:
        values += literals.literal_values(text, line, low, high, indent, piece.context.named, piece.place.offset - low)
    else:
        values += lines.line_values(text, line, low, high, indent, piece.context.named.near(piece.place.offset))
    made = [*operations.operation_values(text, line, low, high)]
    values += made
    part = part._replace(unevaluated=tuple(sorted({*part.unevaluated} - {each.line for each in made})))
    values += (tensor_map for _, _, tensor_map in maps)
    return part._replace(values=tuple(sorted(values)))


_CALLED = re.compile(
    rb"[dD](?:esc|ESC)(?!\[U?R)(?:\w{0,40}+[ \t\r]{0,8}+\n\$\d++ = )?+[^;%\n]{0,60}?"
    rb"(?<![\w.])(?:0[xX][0-9a-fA-F]{5}|\d{10}|[0-9a-fA-F]{16}\b)"
)
"""The name of a descriptor with a number."""
_OF_CODE = re.compile(rb"[;%]|//|/\*|desc\[U?R|\A[ \t]*+[#@.*]|asm")
"""What lines of code and comments have, and what a program prints has not."""


def _printed(text: bytes, first: int, arch: str | None) -> tuple[TextValue, ...]:
    """Return the values that lines around code, printed by a program, call descriptors; ``first``: its first line."""
    values: list[TextValue] = []
    at = counted = 0
    while match := _CALLED.search(text, at):
        begin, at = text.rfind(b"\n", 0, match.start()) + 1, text.find(b"\n", match.end())
        at = at if at >= 0 else len(text)
        first, counted = first + text.count(b"\n", counted, begin), begin
        line = text[begin:at]
        if not _OF_CODE.search(line):
            from smemdesc.scanning.inputs.lines import line_values

            values += (value for value in line_values(line, first, 0, len(line), 0, arch) if value.named)
    return tuple(values)


def _source_in(text: bytes) -> SourceReading | None:
    """Read a text as a source, if its statements may make descriptors, or operands of an MMA."""
    if not (sources.may_set_operands(text) or makes_descriptors(text)):
        return None
    from smemdesc.reading.source_values import read_source

    return read_source(text.decode("latin-1"))


def _of_source(
    text: bytes, piece: Piece, read: Sequence[tuple[int, int]], source: SourceReading | None, part: Part
) -> tuple[list[TextValue], tuple[tuple[int, int], ...], Part]:
    """Return the descriptors that statements of a text make, and the places of these; and the part with what else is
    seen in them."""
    if source is None:
        return [], (), part
    from smemdesc.scanning.inputs.descriptor_calls import parts_made

    low, high = piece.before, len(text) - piece.after
    line = piece.place.line - text.count(b"\n", 0, low)
    arch = piece.context.named.near(piece.place.offset)
    made = parts_made(source, text, line, (low, high), arch, {start for start, _ in read})
    part = part._replace(
        mentions=made.instructions, unevaluated=made.unevaluated, failed=(*part.failed, *made.undefined)
    )
    return list(made.values), made.spans, part


_COPY = re.compile(rb"[=*> \t]*+0x[0-9a-f]++[^\n]{0,200}?:[ \t]++(?:@!?U?P\w++ )?+UTMA(?:LDG|STG|REDG|PF)\b[^\n]*+")


def _copies(text: bytes, first: int) -> Part:
    """Return the instructions of the TMA that a debugger shows, in text without an MMA."""
    lines = enumerate(text.split(b"\n"), first) if b"UTMA" in text else ()
    copies = ((number, line) for number, line in lines if b"UTMA" in line and _COPY.fullmatch(line))
    shown = (Unread(number, " ".join(line.decode("utf-8", "replace").split()), OF_TMA) for number, line in copies)
    return Part(mentions=tuple(shown))


def _live(text: bytes, first: int, start: int, context: TextContext) -> list[Part]:
    """Read text as cuda-gdb and Nsight Compute print it; return an empty list for other text."""
    if b"0x" not in text:
        return []
    from smemdesc.scanning.languages.sass import live_listing

    if not live_listing.is_listing(text):
        return []
    functions = list(live_listing.live_functions(text, first))
    if b'","' in text and live_listing.is_excerpt(functions):
        return []
    arch = context.archs.at(start)
    arch = arch and of_machine_code(arch)
    return [
        _scanned(function.line, partial(function.analysed, arch, context.maps))._replace(seen=1)
        if is_wanted(function.name, context.wanted)
        else Part()
        for function in functions
    ]


def _around(module: Any, offset: int, unit: DumpUnit) -> Any:
    """Return the data of a module of MLIR that holds in a unit; ``offset``: where the text begins in the file.

    What no header introduces may hold the definitions that it needs.
    """
    start, end = offset + unit.start, offset + (unit.end if unit.kind is None else unit.start)
    return module and module.at(start, end)


def scan_whole(data: bytes, pattern: str | None = None, maps: GivenMaps = ()) -> Part:
    """Scan a whole file that is in memory."""
    return settled_file(unsettled(data, pattern, maps))


def unsettled(data: bytes, pattern: str | None = None, maps: GivenMaps = ()) -> Part:
    """Scan the same, but leave the names of instructions in other text in :attr:`Part.mentions`."""
    text = DumpText(BytesIO(data), pattern, maps=maps)
    part = joined(map(scan_piece, text.pieces()))
    if part.functions or part.failed or part.older or text.first is None or pattern is not None:
        return part
    # Functions without a tensor-core instruction: values may be anywhere.
    return part._replace(values=joined(map(scan_piece, text.for_values())).values)


def internal_error(problem: BaseException) -> str:
    """Return the message that a function could not be scanned because of an internal error."""
    if isinstance(problem, MemoryError):
        return "not enough memory to scan this function"
    what = " ".join(f"{type(problem).__name__}: {problem}".split())[:200]
    return f"function not scanned because of an error in smemdesc itself ({what}): please report it with the dump"


def _of_objects(text: bytes, context: TextContext) -> Iterator[Part]:
    """Read the output of nvdisasm -json."""
    from smemdesc.scanning.languages.sass import json_listing

    for function, arch in json_listing.json_functions(text):
        if is_wanted(function.name, context.wanted):
            part = _scanned(function.line, partial(function.analysed, arch, context.maps))
            yield part._replace(seen=1, odd=part.odd + (not function.read))


def analyse_piece(
    kind: str, text: bytes, first: int, name: str | None, arch: str | None, module: Any, maps: GivenMaps = ()
) -> list[Function]:
    """Return the functions with MMAs in the language ``kind`` in a text: one, or none."""
    if kind == PTX:
        from smemdesc.scanning.languages import ptx

        # PTX may have several on a line.
        return list(ptx.ptx_functions(text, first, name, arch, module, maps))
    if kind == SASS:
        from smemdesc.scanning.languages.sass import front

        function = front.analyse(text, first, name, arch, noreturn_slots=module or (), maps=maps)
    elif kind == MLIR:
        from smemdesc.scanning.languages import mlir

        function = mlir.analyse(text, first, name, arch, module, maps)
    else:
        from smemdesc.scanning.languages import llvm

        function = llvm.analyse(text, first, name, arch, module, maps)
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
        if message := trap_message(name):
            yield text.count(b"\n", 0, match.start()), message
            continue
        where = f"{name}+{offset}" + (f" ({source})" if source else "")
        at = f"{_pattern(name)}+{offset}"
        quoted = at if _PLAIN.match(_pattern(name)) else f"'{at}'"
        yield (
            text.count(b"\n", 0, match.start()),
            f"compute-sanitizer names an instruction, {where}, but prints no SASS: smemdesc scan --at {quoted} CUBIN",
        )


def _traps(text: bytes, line: int, low: int, high: int) -> Iterator[tuple[int, str]]:
    """Yield what traps that a report names mean, and the lines: beside code, too, whose function has no descriptor."""
    if TRAP.encode() in text:
        for before, message in sites(text, low, high):
            if message.startswith(TRAP_MESSAGE):
                yield line + before, message


def _pattern(name: str) -> str:
    """Return a pattern that matches the mangled name of a function with this name."""
    if _PLAIN.match(name):
        return name
    template = len(name) if name.endswith(">") else name.rfind(">(") if name.endswith(")") else -1
    for match in _WORD.finditer(name):
        if (name[match.end()] == "(" and name.endswith(")")) or (name[match.end()] == "<" and match.end() < template):
            return f"*{match[0]}*"
    return "*"
