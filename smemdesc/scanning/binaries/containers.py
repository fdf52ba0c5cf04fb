"""Where the device code of a file lies: fat binaries and bare cubins, found by how they begin, from front to back.

What is around them does not matter: objects, archives, libraries and programs of any system hold fat binaries in
sections (``.nv_fatbin``, ``__nv_relfatbin``, ``.cask_resource`` in cuBLASLt, cuDNN and cuSPARSELt). Source of the form:
fatbinary and cuobjdump 13.5, by comparison.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from io import SEEK_END
from typing import Any, BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import cubin, programs
from smemdesc.scanning.binaries.cubin import LARGEST

MAGIC = b"\x50\xed\x55\xba\x01\x00\x10\x00"
"""Of a container: a mark, version 1, and the size of this header."""
_BEGINNINGS = (MAGIC, cubin.MAGIC)
_LONGEST = max(map(len, _BEGINNINGS))
_CONTAINER = 16
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
"""Kind, version, size of the header, of the payload, of what is compressed, ..., architecture, ..., flags, 0, size."""
_WIDEST = 65_536
"""Bytes of an entry's header that are believed."""
_PTX, _CUBIN, _SEVERAL = 1, 2, 0x100
_KINDS = {_PTX: "ptx", _CUBIN: "cubin"}
_LZ4, _ZSTD = 0x2000, 0x8000
_SEARCHED = 1 << 14, 1 << 20
"""Bytes that are searched together: at first, for the next is near in most files, and at most."""


class Within(NamedTuple):
    """A stretch of what an entry of a fat binary holds, and the how manieth of its kind there it is, from 0."""

    start: int
    size: int
    nth: int


class Member(NamedTuple):
    """A piece of device code in a file, as it lies there."""

    kind: str
    """``cubin`` or ``ptx``."""
    number: int
    """The how manieth of its kind in the file, from 1."""
    container: int
    """The how manieth fat binary it is in; 0: in none."""
    end: int
    """Where it ends in the file."""
    data: bytes
    packing: str
    """How it is compressed: ``zstd``, ``lz4``, ``?``, or not."""
    size: int
    """Bytes when it is not compressed."""
    header: bytes
    """Of its entry in the fat binary; empty where it is in none."""
    at: int
    """Where in the file its :attr:`data` begins."""
    part: Within | None = None
    """Where in the entry, unpacked, it lies: several images may be compressed together (``fatbinary -concat``)."""

    @property
    def name(self) -> str:
        """What it is called in the file; empty where it is the whole file."""
        return "" if self.alone else f"{self.kind} {self.number}"

    @property
    def alone(self) -> bool:
        """Whether the file is this cubin, and not something that holds it."""
        return not self.container and self.at == 0 and self.end == self.size


class Damage(NamedTuple):
    """Something that begins as device code does and is not."""

    at: int
    message: str


def _get(stream: BinaryIO, at: int, size: int) -> bytes:
    stream.seek(at)
    return stream.read(size)


def _find(stream: BinaryIO, at: int) -> int | None:
    """Return where the next thing begins that may be device code."""
    size, most = _SEARCHED
    while True:
        text = _get(stream, at, size)
        places = [place for mark in _BEGINNINGS if (place := text.find(mark)) >= 0]
        if places:
            return at + min(places)
        if len(text) < size:
            return None
        at += size - _LONGEST + 1
        size = min(4 * size, most)


def members(stream: BinaryIO) -> Iterator[Member | Damage]:
    """Yield the device code of a file."""
    numbers: Counter[str] = Counter()
    at = containers = 0
    while (found := _find(stream, at)) is not None:
        at = found + 1
        header = _get(stream, found, cubin.HEADER)
        if header.startswith(MAGIC):
            containers += 1
            ended = yield from _entries(stream, found, containers, numbers)
            if ended > found:
                at = ended
            else:
                containers -= 1
            continue
        if not cubin.is_cubin(header):
            continue
        numbers["cubin"] += 1
        try:
            data = _bare(stream, found)
        except SmemdescError as problem:
            yield Damage(found, f"cubin {numbers['cubin']}: {problem}")
            continue
        at = found + len(data)
        yield Member("cubin", numbers["cubin"], 0, at, data, "", len(data), b"", found)


def _bare(stream: BinaryIO, at: int) -> bytes:
    """Return a cubin that is in no container."""
    size = cubin.needed(stream, at)
    if not 0 < size <= LARGEST:
        raise SmemdescError("the header is damaged, or a section has an impossible size")
    data = _get(stream, at, size)
    if len(data) < size:
        raise SmemdescError("the cubin is cut off, or its header is damaged")
    return data


def _entries(
    stream: BinaryIO, start: int, container: int, numbers: Counter[str]
) -> Generator[Member | Damage, None, int]:
    """Yield what a container holds, and return where it ends; where it begins if it is none."""
    cut = Damage(start, f"the fat binary at byte {start} is cut off")
    damaged = Damage(start, f"the fat binary at byte {start} is damaged")
    at = start + _CONTAINER
    head = _get(stream, start, _CONTAINER)
    if len(head) < _CONTAINER:
        yield cut
        return at
    end = at + int.from_bytes(head[8:], "little")
    while at < end:
        header: int
        payload: int
        head = _get(stream, at, _ENTRY.size)
        if len(head) < _ENTRY.size:
            yield cut
            return at
        kind, version, header, payload, packed, _, _, _, _, _, _, flags, _, whole = _ENTRY.unpack(head)
        believed = _ENTRY.size <= header <= _WIDEST and packed <= payload <= end - at - header
        if not believed or version >> 8 != 1:
            if at == start + _CONTAINER and kind not in _KINDS:
                return start  # the mark alone: code that looks for it has it, too
            yield damaged
            return at
        begin, at = at, at + header + payload
        large = payload > LARGEST or whole > LARGEST
        name = _KINDS.get(kind, "")
        numbers[name] += 1
        if not name and (large or kind != _SEVERAL):
            if not _get(stream, at - 1, 1):
                yield cut
            continue
        if large:
            yield Damage(begin, f"{name} {numbers[name]}: larger than {LARGEST} bytes, not read")
            continue
        data = _get(stream, begin, header + payload)
        if len(data) < header + payload:
            yield Damage(begin, f"{name} {numbers[name]} is cut off") if name else cut._replace(at=begin)
            return at
        packing = "zstd" if flags & _ZSTD else "lz4" if flags & _LZ4 else "?" if packed else ""
        content, size = data[header : header + (packed or payload)], whole if packing else payload
        made = Member(name, numbers[name], container, at, content, packing, size, data[:header], begin + header)
        if name:
            yield made
            continue
        try:
            for name, part in _several(made.header):
                numbers[name] += 1
                yield made._replace(kind=name, number=numbers[name], part=part)
        except struct.error:
            yield damaged._replace(at=begin)
    return max(at, end)


def _several(header: bytes) -> Iterator[tuple[str, Within]]:
    """Yield the images that an entry has together: their headers stand in its own, with offsets for header sizes."""
    (many,) = struct.unpack_from("<I", header, _ENTRY.size)
    at = _ENTRY.size + 8
    found: Counter[str] = Counter()
    for _ in range(many):
        kind, _, start, size, _, options, *_ = _ENTRY.unpack_from(header, at)
        at += _ENTRY.size
        if options:
            # What ptxas was asked for: a length, and so many bytes and one more, filled up to a multiple of 8.
            (length,) = struct.unpack_from("<I", header, at + 4)
            at += (8 + length) // 8 * 8 + 8
        name = _KINDS.get(kind)
        if name is not None:
            yield name, Within(start, size, found[name])
            found[name] += 1


_ARCHIVE = b"!<arch>\n"
_MEMBER = 60
"""Bytes of the header of a member of an archive."""


def cut_short(stream: BinaryIO) -> str:
    """Say how an ELF file or an archive has fewer bytes than its own tables say; empty for another."""
    size = stream.seek(0, SEEK_END)
    header = _get(stream, 0, cubin.HEADER)
    need = 0
    if len(header) < cubin.HEADER:
        return ""
    if header.startswith(_ARCHIVE):
        at = len(_ARCHIVE)
        while len(member := _get(stream, at, _MEMBER)) == _MEMBER and (length := member[48:58].strip()).isdigit():
            need = at + _MEMBER + int(length)
            at = need + need % 2
        if 0 < len(member) < _MEMBER:
            return f"it is cut short: it ends inside the header of a member, at byte {size}"
    elif header.startswith(cubin.MAGIC) and not cubin.is_cubin(header):  # of a cubin that is told elsewhere
        need = cubin.needed(stream, 0)
    return f"it is cut short: it has {size} of at least {need} bytes" if size < need else ""


def unpacked(member: Member, folder: str | None) -> bytes:
    """Return the bytes of a member; ``folder`` is where the programs are."""
    data = _entry(member)
    if data is None:
        return _by_cuobjdump(member, folder)
    if len(data) != member.size:
        raise SmemdescError(f"unpacked it has {len(data)} bytes instead of {member.size}")
    if member.part is None:
        return data
    start, size, _ = member.part
    part = data[start : start + size]
    if len(part) < size:
        raise SmemdescError("it extends beyond the end of its archive")
    return part


_LAST: list[tuple[bytes, bytes]] = []
"""What was unpacked last of what holds several members, which follow each other: packed, and not."""


def _entry(member: Member) -> bytes | None:
    """Unpack the entry that a member is, or is in; None where the library that does it is not installed."""
    if not member.packing:
        return member.data
    if member.part is not None and _LAST and _LAST[0][0] == member.data:
        return _LAST[0][1]
    try:
        library = {"zstd": _zstd, "lz4": _lz4}.get(member.packing)
        data = None if library is None else library(member.data, member.size)
    except Exception as problem:  # each of those that unpack has its own
        raise SmemdescError(f"it cannot be unpacked ({' '.join(str(problem).split())[:100]})") from None
    _LAST[:] = [(member.data, data)] if member.part is not None and data is not None else []
    return data


def _zstd(data: bytes, size: int) -> bytes | None:
    with suppress(ImportError):
        import zstandard

        return zstandard.ZstdDecompressor().decompress(data, max_output_size=size)
    with suppress(ImportError):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # from Python 3.14 on

        return bytes(zstd.ZstdDecompressor().decompress(data, max_length=size))
    return None


def _lz4(data: bytes, size: int) -> bytes | None:
    with suppress(ImportError):
        block: Any = import_module("lz4.block")
        return bytes(block.decompress(data, uncompressed_size=size))
    return None


def _by_cuobjdump(member: Member, folder: str | None) -> bytes:
    """Have cuobjdump unpack it: a fat binary of this one entry is written for it."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    try:
        program = programs.find(programs.CUOBJDUMP, folder)
    except programs.MissingError as problem:
        library = {"zstd": "zstandard", "lz4": "lz4"}.get(member.packing)
        either = f"the package {library} or cuobjdump" if library else "cuobjdump"
        raise SmemdescError(f"it is compressed; unpacking needs {either}", hint=problem.hint) from None
    content = member.header + member.data + bytes(-len(member.data) % 8)
    with TemporaryDirectory(prefix="smemdesc-") as where:
        Path(where, "member.fatbin").write_bytes(MAGIC + struct.pack("<Q", len(content)) + content)
        what = "-xelf" if member.kind == "cubin" else "-xptx"
        for _ in programs.output(program, [what, "all"], "member.fatbin", folder=where):
            pass  # the names of what it unpacks
        made = sorted(Path(where).glob(f"*.{member.kind}"), key=lambda path: int("0" + path.name.split(".")[1]))
        index = member.part.nth if member.part is not None else 0
        if len(made) <= index:
            raise SmemdescError("cuobjdump does not unpack it")
        return made[index].read_bytes()
