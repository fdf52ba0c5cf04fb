"""A text that is read once and cut, at the beginnings of functions, into pieces that are scanned apart."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain, groupby, pairwise
from typing import Any, BinaryIO, NamedTuple

from smemdesc.scanning.inputs.strip import BOM, cleaner
from smemdesc.scanning.languages.units import (
    LLVM,
    MLIR,
    PTX,
    SASS,
    Archs,
    Named,
    first_header,
    headers,
    languages,
)
from smemdesc.scanning.model.shared_memory import GivenMaps

PIECE_BYTES = 4_000_000
"""Bytes of a piece, about."""
MODULE = 32_000_000
"""Bytes of a text that are kept in memory, and searched for the declarations of its module."""
FUNCTION_BYTES = 64_000_000
"""Bytes of a function, or of code without one, that are read at most: a cut would lose what it depends on."""
_AROUND = 4096
"""Bytes before and after a piece of text without code that are read as context."""
_CODE = (b"gdesc[", b"wgmma", b"tcgen05", b"UTCCP")
"""Texts without which a fragment of code has no MMA."""
_OBJECTS = re.compile(rb'\s*+\[\s*+\{\s*+"ELF"\s*+:')
"""The start of the output of nvdisasm -json, which is one line and cannot be cut."""
_NUMBERS = re.compile(rb"(?m)^\.text\.\S+[ \t\r]*\n(?:[^\n=]*+=[^\n]*\n)?+(?:0x[0-9a-f]{8}[ ]?){4}")
"""Code as cuobjdump -elf prints it."""


class TextContext(NamedTuple):
    """What is known about a text before its pieces are scanned."""

    archs: Archs
    modules: Mapping[str, Any]
    """The data of the modules, by language: of the language's own type."""
    named: Named
    """The architectures that other text names."""
    wanted: str | None = None
    """Only functions whose name fits this pattern (``*`` and ``?`` as in a shell)."""
    bare: bool = False
    """Whether the text has no function at all."""
    maps: GivenMaps = ()
    """The tensor maps that were given for parameters of kernels."""


class FilePosition(NamedTuple):
    """A place in a text."""

    offset: int = 0
    line: int = 1
    column: int = 0
    """Bytes from the beginning of the line."""

    def after(self, text: bytes) -> FilePosition:
        """Return the position after ``text``, which begins here."""
        newline = text.rfind(b"\n")
        column = self.column + len(text) if newline < 0 else len(text) - newline - 1
        return FilePosition(self.offset + len(text), self.line + text.count(b"\n"), column)


FILE_START = FilePosition()


class Piece(NamedTuple):
    """A stretch of a text that is scanned on its own."""

    context: TextContext
    place: FilePosition
    """Where it begins, after the text before it that is its context."""
    end: FilePosition
    text: bytes
    """With its context; empty if the piece is too long to be scanned."""
    headless: bool = False
    """Whether it begins with text that belongs to no function."""
    values: bool = False
    """Whether to look for values that may be descriptors in all of it: the text has no tensor-core instruction."""
    before: int = 0
    """Bytes before it that are read as context, and in which nothing is reported."""
    after: int = 0

    @property
    def size(self) -> int:
        """Its bytes without its context."""
        return self.end.offset - self.place.offset

    @property
    def weight(self) -> int:
        """How long it takes to scan, in bytes."""
        return max(1, self.size)


def is_json(text: bytes) -> bool:
    """Whether a text is the output of nvdisasm -json."""
    return text[:1] in (b"[", b" ", b"\n", b"\r", b"\t") and _OBJECTS.match(text) is not None


def _without_mark(text: bytes) -> bytes:
    return text.removeprefix(BOM)


def file_state(stream: BinaryIO) -> tuple[int, ...]:
    """Return values that change when a file is written or replaced."""
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class DumpText:
    """A text that is read and cut into pieces, without colors and without prefixes of its lines.

    It is read once. One longer than :data:`MODULE`, which is not kept in memory, is first read for what holds in all of
    it: its architectures, and whether it has functions.
    """

    def __init__(
        self, stream: BinaryIO, wanted: str | None = None, arch: str | None = None, maps: GivenMaps = ()
    ) -> None:
        """``stream`` is seekable; ``arch`` is the architecture of text that names none."""
        head = stream.read(MODULE)
        is_whole = not stream.read(1)
        self._is_json = is_json(head.removeprefix(BOM))
        self._stream = stream
        self._clean: Callable[[bytes], bytes] = _without_mark if self._is_json else cleaner(head)
        head = self._clean(head)
        if is_whole:
            self._stream, self._clean = BytesIO(head), bytes
        self.first: int | None = None
        """Where the first function begins."""
        self._loose = not self._is_json
        """Whether there is no code before the first function."""
        archs, named, kind = Archs(), Named(arch), None
        for at, stretch in () if self._is_json else self._stretches():
            archs.read(stretch, at)
            if self.first is None:
                named.read(stretch, at)
                header = first_header(stretch)
                before = stretch[: header.start()] if header else stretch
                self._loose = self._loose and not any(mark in before for mark in _CODE)
                if header:
                    self.first, kind = at + header.start(), header.lastgroup
        modules = {} if self._is_json else _modules(head, kind, is_whole)
        self._context = TextContext(archs, modules, named, wanted, self.first is None, maps)

    @property
    def is_numbers(self) -> bool:
        """Whether it is the output of cuobjdump -elf alone, whose code is hexadecimal numbers."""
        return any(_NUMBERS.search(stretch) for _, stretch in self._stretches())

    def _stretches(self) -> Iterator[tuple[int, bytes]]:
        """Yield stretches of whole lines (unless these are very long), each with its offset.

        One begins where the first function does.
        """
        self._stream.seek(0)
        at = 0
        while read := self._stream.read(PIECE_BYTES) + self._stream.readline(4 * PIECE_BYTES):
            text = self._clean(read)
            split = 0 if self.first is None else max(0, self.first - at)
            for stretch in filter(None, (text[:split], text[split:])):
                yield at, stretch
                at += len(stretch)

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces in order."""
        place = FILE_START
        for is_loose, group in groupby(self._stretches(), lambda stretch: self._is_loose(stretch[0])):
            stretches = (stretch for _, stretch in group)
            if is_loose:
                place = yield from _anywhere(self._context, stretches)
            else:
                yield from cut_text(self._context, stretches, place, self._is_json)

    def _is_loose(self, at: int) -> bool:
        return self._loose and (self.first is None or at < self.first)

    def for_values(self) -> Iterator[Piece]:
        """Yield pieces in which values are looked for: the text has functions, but no tensor-core instruction."""
        named = Named(self._context.named.otherwise)
        for at, stretch in self._stretches():
            named.read(stretch, at)
        context = self._context._replace(bare=True, modules={}, wanted=None, named=named)
        for piece in _anywhere(context, (stretch for _, stretch in self._stretches())):
            yield piece._replace(values=True)


def cut_text(
    context: TextContext, stretches: Iterable[bytes], place: FilePosition = FILE_START, whole: bool = False
) -> Iterator[Piece]:
    """Join stretches of a text and cut them where functions begin; ``whole``: not at all.

    What is too long is not kept in memory; its piece has no text.
    """
    kept: list[bytes] = []
    size, enough = 0, PIECE_BYTES
    skipped: FilePosition | None = None
    """Where what is too long ends so far."""
    for stretch in stretches:
        if skipped:
            header = None if whole else first_header(stretch)
            begin = header.start() if header else len(stretch)
            skipped = skipped.after(stretch[:begin])
            if header is None:
                continue
            yield Piece(context, place, skipped, b"")
            place, skipped, stretch = skipped, None, stretch[begin:]
        kept.append(stretch)
        size += len(stretch)
        if size < enough:
            continue
        text = b"".join(kept)
        begin = 0 if whole else max((header.start() for header in headers(text)), default=0)
        if begin:
            end = place.after(text[:begin])
            yield Piece(context, place, end, text[:begin], not place.offset)
            place, text = end, text[begin:]
        kept, size = [text], len(text)
        enough = min(max(PIECE_BYTES, 2 * size), FUNCTION_BYTES + 1)
        if size > FUNCTION_BYTES:
            skipped = place.after(text)
            kept, size, enough = [], 0, PIECE_BYTES
    if skipped:
        yield Piece(context, place, skipped, b"")
    elif size:
        text = b"".join(kept)
        yield Piece(context, place, place.after(text), text, not place.offset)


def _anywhere(context: TextContext, stretches: Iterable[bytes]) -> Generator[Piece, None, FilePosition]:
    """Yield stretches of text without code as pieces, each with the text around it; return where they end."""
    place, before = FILE_START, b""
    for stretch, following in pairwise(chain(stretches, (b"",))):
        after = following[:_AROUND]
        end = place.after(stretch)
        yield Piece(context, place, end, before + stretch + after, not place.offset, False, len(before), len(after))
        place, before = end, (before + stretch)[-_AROUND:]
    return place


def _modules(text: bytes, kind: str | None, whole: bool) -> Mapping[str, Any]:
    """Return the data of the modules around the functions, as the front end of each language reads it.

    ``kind`` is the group of :data:`smemdesc.scanning.languages.units.FUNCTION_HEADER` that found the first function, or
    None; ``whole``: the text is the whole file.
    """
    modules: dict[str, Any] = {}
    if kind == "section" and whole:
        from smemdesc.scanning.languages.sass import listing

        modules[SASS] = listing.never_returning(text)
    in_text = languages(text)
    if LLVM in in_text:
        from smemdesc.scanning.languages import llvm

        modules[LLVM] = llvm.read_module(text)
    if PTX in in_text:
        from smemdesc.scanning.languages import ptx

        modules[PTX] = ptx.read_declarations(text)
    if MLIR in in_text:
        from smemdesc.scanning.languages import mlir

        modules[MLIR] = mlir.module_aliases(text, whole)
    return modules
