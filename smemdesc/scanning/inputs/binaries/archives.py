"""The files of a zip or a tar, and the contents of a compressed file; if it was cut short, the part that is left."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

ZSTD = "zstandard"
_FED = 1024
"""Compressed bytes that are unpacked at once: they may expand to 32 MB."""


def opened(path: str, packing: str) -> Any:
    """Return a stream of a compressed file's unpacked bytes; None if the library for it is not installed."""
    try:
        library: Any = import_module(packing)
    except ImportError:
        return None
    if packing != ZSTD:
        return library.open(path)
    return io.BufferedReader(_Frames(path, lambda: library.ZstdDecompressor().decompressobj()))


class _Frames(io.RawIOBase):
    """The concatenated frames of a zstd file. :class:`EOFError` if the last one is incomplete."""

    def __init__(self, path: str, begin: Callable[[], Any]) -> None:
        """``begin`` returns a decompressor for one frame."""
        self.stream = open(path, "rb")  # noqa: SIM115
        self.begin = begin
        self.frame: Any = None
        self.packed = self.ready = b""

    def readable(self) -> bool:
        return True

    def close(self) -> None:
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


class CutError(Exception):
    """The archive ends early, or cannot be read."""


class ArchiveEntry(NamedTuple):
    """A file of an archive."""

    name: str
    size: int
    packed: int
    """Its bytes in the archive."""
    open: Callable[[], Any]


def zipped(path: str) -> Iterator[ArchiveEntry]:
    """Yield the files of a zip. :class:`CutError`, after the files that were found, if its directory is missing."""
    import zipfile

    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as problem:
        yield from _by_headers(path)
        raise CutError(str(problem)) from None
    with archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield ArchiveEntry(info.filename, info.file_size, info.compress_size, partial(archive.open, info))


_HEADER = struct.Struct("<4s5H3I2H")
"""Before each file of a zip: a mark, ..., flags, method, ..., checksum, sizes, lengths of the name and extra field."""
_MARK = b"PK\x03\x04"
_ENCRYPTED, _SIZES_BEHIND = 1, 8


def _by_headers(path: str) -> Iterator[ArchiveEntry]:
    """Yield the files of a zip without its directory, which is at the end of a file that was cut short."""
    from zipfile import ZipInfo

    with open(path, "rb") as stream:
        while len(header := stream.read(_HEADER.size)) == _HEADER.size and header.startswith(_MARK):
            _, _, flags, method, _, _, checksum, packed, size, name, more = _HEADER.unpack(header)
            info = ZipInfo(stream.read(name).decode("utf-8", "replace") or "?")
            info.compress_type, info.CRC, info.compress_size, info.file_size = method, checksum, packed, size
            start = stream.tell() + more
            if flags & (_ENCRYPTED | _SIZES_BEHIND):
                return
            if not info.is_dir():
                yield ArchiveEntry(info.filename, size, packed, partial(_opened, path, start, info))
            stream.seek(start + packed)


def _opened(path: str, start: int, info: Any) -> Any:
    from zipfile import ZipExtFile

    stream = open(path, "rb")  # noqa: SIM115
    stream.seek(start)
    return ZipExtFile(stream, "r", info, close_fileobj=True)


def tarred(path: str) -> Iterator[ArchiveEntry]:
    """Yield the files of a tar. :class:`CutError`, after the files that were found, if it has no proper end."""
    import tarfile

    class TarHeader(tarfile.TarInfo):
        """The header of a file. A damaged or missing header is an error; tarfile takes it for the end."""

        @classmethod
        def fromtarfile(cls, tarfile_: Any) -> Any:
            try:
                return super().fromtarfile(tarfile_)
            except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
                raise
            except tarfile.HeaderError as problem:
                raise tarfile.ReadError(str(problem)) from None

    try:
        with tarfile.open(path, "r:", tarinfo=TarHeader) as archive:
            for header in archive:
                if header.isreg():
                    yield ArchiveEntry(header.name, header.size, header.size, partial(archive.extractfile, header))
    except tarfile.TarError as problem:
        raise CutError(str(problem)) from None
