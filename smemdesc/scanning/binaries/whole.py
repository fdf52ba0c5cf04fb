"""Streams that may end too early: what can be read of them is read, and that it is not all is told."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any, BinaryIO

from smemdesc.scanning.binaries import cubin

_FED = 1024
"""Compressed bytes that are unpacked at once: they may come to 32 MB."""


class Frames(io.RawIOBase):
    """The frames of a zstd file, one after the other. :class:`EOFError` where the last one has no end."""

    def __init__(self, stream: Any, begin: Callable[[], Any]) -> None:
        """``begin`` begins to unpack a frame; ``stream`` has the compressed bytes."""
        self.stream = stream
        self.begin = begin
        self.frame: Any = None
        self.packed = self.ready = b""

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self.stream.close()
        super().close()

    def readinto(self, into: Any) -> int:
        while not self.ready:
            data = self.packed or self.stream.read(_FED)
            if not data and self.frame is None:
                return 0
            if not data:
                raise EOFError("the file ends inside a frame")
            self.frame = self.frame or self.begin()
            self.ready = self.frame.decompress(data)
            self.packed = b""
            if self.frame.eof:
                self.packed, self.frame = self.frame.unused_data, None
        count = min(len(into), len(self.ready))
        into[:count] = self.ready[:count]
        self.ready = self.ready[count:]
        return count


class Salvaged:
    """A stream that is unpacked: it ends where no more of it can be read, and ``why`` says so then."""

    def __init__(self, stream: Any, under: Any = None) -> None:
        """``under``: the stream with the packed bytes, which may end too early itself."""
        self.stream = stream
        self.under = under
        self.problem: Exception | None = None

    @property
    def why(self) -> Exception | None:
        """Why it is not all."""
        return self.problem or getattr(self.under, "why", None)

    def read(self, size: int = -1) -> bytes:
        parts = []
        missing = size
        try:
            while missing and not self.problem and (block := self.stream.read1(missing)):
                parts.append(block)
                missing -= len(block) if size > 0 else 0
        except Exception as problem:  # each of those that unpack has its own
            self.problem = problem
        return b"".join(parts)

    def __enter__(self) -> Salvaged:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        self.stream.close()
        if isinstance(self.under, Salvaged):
            self.under.close()


_ARCHIVE = b"!<arch>\n"
_MEMBER = 60
"""Bytes of the header of a member of an archive."""
_SECTION = struct.Struct("<IIQQQQIIQQ")
_NULL, _NOBITS = 0, 8


class Extent:
    """A stream that may be an ELF file or an archive, whose own tables say how long it has to be."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.at = self.need = self.start = 0
        """Bytes that were read; bytes that there have to be; where what is read next of the tables begins."""
        self.stop = cubin.HEADER
        self.table = b""
        self.take: Callable[[bytes], None] = self._header

    def read(self, size: int = -1) -> bytes:
        block = self.stream.read(size)
        while (place := self.start + len(self.table)) < min(self.at + len(block), self.stop):
            self.table += block[place - self.at : self.stop - self.at]
            if len(self.table) == self.stop - self.start:
                table, self.table = self.table, b""
                self.take(table)
        self.at += len(block)
        return block

    @property
    def missing(self) -> str:
        """What to say of a stream that ended too early; empty for another."""
        if self.at < self.need:
            return f"it is cut short: it has {self.at} of at least {self.need} bytes"
        if self.table and self.take == self._member:
            return f"it is cut short: it ends inside the header of a member, at byte {self.at}"
        return ""

    def _next(self, start: int, size: int, take: Callable[[bytes], None]) -> None:
        self.start, self.stop, self.take = start, start + size, take

    def _header(self, header: bytes) -> None:
        self.stop = 0
        if header.startswith(_ARCHIVE):
            self._next(len(_ARCHIVE), _MEMBER, self._member)
        elif header.startswith(cubin.MAGIC) and not cubin.is_cubin(header):  # of a cubin that is told elsewhere
            (table,) = struct.unpack_from("<Q", header, 40)
            size, many = struct.unpack_from("<HH", header, 58)
            if table >= cubin.HEADER and many and size == _SECTION.size:
                self.need = table + many * size
                self._next(table, many * size, self._sections)

    def _sections(self, table: bytes) -> None:
        self.stop = 0
        held = (each for each in _SECTION.iter_unpack(table) if each[1] not in (_NULL, _NOBITS))
        self.need = max(self.need, *(at + size for _, _, _, _, at, size, *_ in held), 0)

    def _member(self, header: bytes) -> None:
        size = header[48:58].strip()
        start, self.stop = self.start + _MEMBER, 0
        if size.isdigit():
            self.need = start + int(size)
            self._next(self.need + self.need % 2, _MEMBER, self._member)
