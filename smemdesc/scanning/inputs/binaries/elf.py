"""ELF files of any machine, and archives of them: how many bytes they need, and where relocatable device code is.

Source: the ELF-64 specification; cuobjdump 13.5, by comparison.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from io import SEEK_END
from itertools import pairwise
from typing import BinaryIO, NamedTuple

MAGIC = b"\x7fELF\x02\x01"
"""64 bits, little-endian: what cubins are, and most other ELF files."""
HEADER_BYTES = 64
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
NOBITS = (8, 0x7000000A)
"""Types of sections without bytes in the file, including shared memory of a relocatable cubin."""
_EMPTY = (0, *NOBITS)
_PROGRAM = 56
_LINKED, _RELOCATABLE = b".nv_fatbin", b"__nv_relfatbin"
"""The sections of device code that is loaded, and of the input of nvlink (``nvcc -rdc=true``)."""
FAT_BINARY = b"\x50\xed\x55\xba\x01\x00\x10\x00"
"""How a fat binary begins: a mark, version 1, and the size of this header."""
_FAT_HEADER = 16
_ARCHIVE = b"!<arch>\n"
MEMBER = 60
"""Bytes of the header of a member of an archive."""


class Window(NamedTuple):
    """A stretch of a file: reads do not leave it."""

    stream: BinaryIO
    start: int
    end: int

    def get(self, at: int, size: int) -> bytes:
        """Return ``size`` bytes from byte ``at`` of the file; fewer if the stretch ends earlier."""
        size = min(size, self.end - at)
        if at < self.start or size <= 0:
            return b""
        self.stream.seek(at)
        return self.stream.read(size)


def read_whole(stream: BinaryIO) -> Window:
    """Return all of a file."""
    return Window(stream, 0, stream.seek(0, SEEK_END))


def needed_bytes(window: Window) -> int:
    """Return how many bytes the ELF file at the start of a window needs for its tables; 0 if it has no table."""
    header = window.get(window.start, HEADER_BYTES)
    programs, table, *_, many_programs, size, many = struct.unpack_from("<QQIHHHHH", header, 32)
    if table < HEADER_BYTES or not many or size != SECTION_HEADER.size:
        return 0
    need = int(max(programs + many_programs * _PROGRAM, table + many * size))
    sections = window.get(window.start + table, many * size)
    if len(sections) < many * size:
        return need
    ends = (at + length for _, kind, _, _, at, length, *_ in SECTION_HEADER.iter_unpack(sections) if kind not in _EMPTY)
    return int(max(need, *ends, 0))


def archived(window: Window) -> Iterator[Window]:
    """Yield the members of an archive; the last may extend beyond the end of the file. Nothing for other files."""
    at = window.start + len(_ARCHIVE)
    if window.get(window.start, len(_ARCHIVE)) != _ARCHIVE:
        return
    while len(header := window.get(at, MEMBER)) == MEMBER and (size := header[48:58].strip()).isdigit():
        start = at + MEMBER
        yield window._replace(start=start, end=start + int(size))
        at = start + int(size)
        at += at % 2


def in_order(stream: BinaryIO) -> Iterator[Window]:
    """Yield the stretches of a file in the order in which ``cuobjdump -all`` reads them.

    For each ELF file these are linked device code, relocatable device code, and what cuobjdump does not read.
    """
    file = read_whole(stream)
    at = 0
    for window in (*archived(file), file):
        sections = _device_code(window._replace(end=min(window.end, file.end)))
        yield from sections
        for section in sorted(sections, key=lambda section: section.start):
            yield file._replace(start=at, end=section.start)
            at = section.end
    yield file._replace(start=at)


def _device_code(window: Window) -> list[Window]:
    """Return the sections of device code of an ELF file; none if their contents do not match their names."""
    header = window.get(window.start, HEADER_BYTES)
    if not header.startswith(MAGIC) or len(header) < HEADER_BYTES:
        return []
    (table,) = struct.unpack_from("<Q", header, 40)
    size, many, names = struct.unpack_from("<HHH", header, 58)
    text = window.get(window.start + table, many * size)
    if size != SECTION_HEADER.size or names >= many or len(text) < many * size:
        return []
    sections = list(SECTION_HEADER.iter_unpack(text))
    names_at = window.start + sections[names][4]
    device_sections: list[Window] = []
    for section_name in (_LINKED, _RELOCATABLE):
        for name, kind, _, _, at, length, *_ in sections:
            start = window.start + at
            if kind not in _EMPTY and window.get(names_at + name, len(section_name) + 1) == section_name + b"\0":
                device_sections.append(window._replace(start=start, end=start + length))
    places = sorted((section.start, section.end) for section in device_sections)
    apart = all(end <= start for (_, end), (start, _) in pairwise(places))
    inside = not places or (window.start <= places[0][0] and places[-1][1] <= window.end)
    return device_sections if apart and inside and all(map(_is_tiled, device_sections)) else []


def _is_tiled(window: Window) -> bool:
    """Whether a stretch is a sequence of fat binaries, with zeros between them."""
    at = window.start
    while at < window.end:
        header = window.get(at, _FAT_HEADER)
        if header.startswith(FAT_BINARY) and len(header) == _FAT_HEADER:
            at += _FAT_HEADER + int.from_bytes(header[8:], "little")
        elif not any(header):
            at += 8
        else:
            return False
    return at == window.end
