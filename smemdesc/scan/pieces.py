"""Files read in pieces that several processes can work on, each counting its own lines."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple

from smemdesc.kinds.archs import of_machine_code
from smemdesc.scan.model import Function, Part, Value
from smemdesc.scan.units import LLVM, MLIR, MMA_MARKS, PTX, SASS, SKIP, Archs, first_header, guess, last_header, units

PIECE = 4_000_000
"""Bytes of one piece, about."""
MODULE = 32_000_000
"""Bytes of a file of PTX, LLVM IR or other text that are searched for what its module says."""
LONGEST = 64_000_000
"""Bytes after which a function that does not end is cut."""
_WINDOW = 65_536


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


class Done(NamedTuple):
    """What a piece held; lines count from 1 at its first byte."""

    part: Part
    newlines: int


def plan(path: str) -> Plan:
    """Look a file over: where to cut it, for which architectures it is, what its module says. May raise OSError."""
    archs = Archs()
    cuts = [0]
    first: int | None = None
    kind: str | None = None
    offset = 0
    kept = b""
    with open(path, "rb") as stream:
        while block := stream.read(PIECE):
            text = kept + block if kept else block
            begins = offset - len(kept)
            offset += len(block)
            archs.read(text, begins)
            if first is None and (found := first_header(text)):
                first, kind = begins + found.start(), found.lastgroup
            cut = _cut(text, first is not None)
            if cut is None and offset - cuts[-1] > LONGEST:
                cut = text.rfind(b"\n") + 1 or len(text)
            if cut is not None and begins + cut > cuts[-1]:
                cuts.append(begins + cut)
            # A header, or a mark, may lie across two blocks.
            line = text.rfind(b"\n") + 1
            kept = text[line:] if len(text) - line < _WINDOW else b""
    if cuts[-1] != offset or len(cuts) == 1:
        cuts.append(offset)
    return Plan(path, tuple(cuts), offset if first is None else first, archs, _module(path, kind, first is None))


def _cut(text: bytes, functions: bool) -> int | None:
    """Return where to cut: at the last function that begins in ``text``; before any function, at its last line."""
    if not functions:
        return text.rfind(b"\n") + 1
    found = last_header(text)
    return found.start() if found else None


def _module(path: str, kind: str | None, headless: bool) -> object:
    if kind not in ("ptx", "llvm") and not headless:
        return None
    with open(path, "rb") as stream:
        return module_of(stream.read(MODULE), kind)


def module_of(text: bytes, kind: str | None) -> object:
    """Return what the module around the functions says, as the language's front end reads it; None for nothing.

    ``kind`` is the group of :data:`smemdesc.scan.units.HEADER` that found the first function, None where none was.
    """
    language = {"ptx": PTX, "llvm": LLVM}.get(kind or "") if kind else guess(text)
    if language == LLVM:
        from smemdesc.scan import llvm

        return llvm.module(text)
    if language == PTX:
        from smemdesc.scan import ptx

        return ptx.module(text)
    return None


def pieces(of: Plan, wanted: str | None = None) -> list[Piece]:
    """Return the pieces of a file, in order."""
    bare = of.first == of.size
    return [
        Piece(of.path, start, end, start < of.first or not start, bare, of.archs, of.module, wanted)
        for start, end in zip(of.cuts, of.cuts[1:], strict=False)
    ]


def read(piece: Piece) -> Done:
    """Find the MMAs of a piece, and in text that belongs to no function the values that look like descriptors."""
    with open(piece.path, "rb") as stream:
        stream.seek(piece.start)
        text = stream.read(piece.end - piece.start)
    return Done(part_of(text, piece), text.count(b"\n"))


def part_of(text: bytes, piece: Piece) -> Part:
    """The same for text that was read already."""
    functions: list[Function] = []
    values: list[Value] = []
    seen = odd = at = 0
    line = 1
    for unit in units(text, piece.headless):
        if unit.kind == SKIP:
            continue
        if unit.kind is not None:
            if piece.wanted is not None and not fnmatchcase(unit.name or "", piece.wanted):
                continue
            seen += 1
            if not any(text.find(mark, unit.start, unit.end) >= 0 for mark in MMA_MARKS[unit.kind]):
                continue
        line += text.count(b"\n", at, unit.start)
        at = unit.start
        body = text[unit.start : unit.end]
        kind = unit.kind or guess(body)
        if kind is None:
            # Around functions stand comments and declarations only.
            if piece.bare and piece.wanted is None:
                from smemdesc.scan import other

                values += other.values(body, line)
            continue
        arch = piece.archs.at(piece.start + unit.start)
        if kind == SASS and arch is not None:
            arch = of_machine_code(arch)
        found = analyse(kind, body, line, unit.name, arch, piece.module)
        if found is not None:
            seen += unit.kind is None
            functions.append(found)
            odd += found.odd
    return Part(tuple(functions), seen, tuple(values), odd)


def analyse(kind: str, text: bytes, first: int, name: str | None, arch: str | None, module: object) -> Function | None:
    """Return the MMAs of one function in the language ``kind``; None where it has none."""
    if kind == SASS:
        from smemdesc.scan.sass import front as sass

        return sass.analyse(text, first, name, arch)
    if kind == PTX:
        from smemdesc.scan import ptx

        return ptx.analyse(text, first, name, arch, module if isinstance(module, ptx.Module) else None)
    if kind == MLIR:
        from smemdesc.scan import mlir

        return mlir.analyse(text, first, name, arch)
    from smemdesc.scan import llvm

    return llvm.analyse(text, first, name, arch, module)
