"""Where the device code of a file lies: fat binaries and bare cubins, found by how they begin, from front to back.

What is around them does not matter: objects, archives, libraries and programs of any system hold fat binaries in
sections (``.nv_fatbin``, ``__nv_relfatbin``, ``.cask_resource`` in cuBLASLt, cuDNN and cuSPARSELt), and a stream that
cannot be read twice will do. Source of the form: fatbinary and cuobjdump 13.5, by comparison.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Generator, Iterator
from typing import BinaryIO, NamedTuple

from smemdesc.scanning.binaries import cubin
from smemdesc.scanning.binaries.cubin import LARGEST, DamagedError

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
_ACCELERATED, _FAMILY = 0x100000, 0x200000
_BLOCK = 1 << 20


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
    arch: str
    header: bytes
    """Of its entry in the fat binary; empty where it is in none."""
    part: Within | None = None
    """Where in the entry, unpacked, it lies: several images may be compressed together (``fatbinary -concat``)."""
    at: int = 0
    """Where in the file its :attr:`data` begins."""

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


class Window:
    """A stream of which a stretch is kept, and that is read once."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.start = 0
        self.kept = b""
        self.wanted = 0
        """What lies before is done with: it goes when more is read, for to cut it off is to copy the rest."""
        self.ahead = dict.fromkeys(_BEGINNINGS, 0)
        """Before these places there is no such beginning that was not found yet."""

    def get(self, at: int, size: int) -> bytes:
        """Return bytes from ``at`` on: as many as asked for, or fewer at the end of the stream."""
        missing = at + size - self.start - len(self.kept)
        if missing > 0:
            parts = [self.kept[self.wanted - self.start :]]
            self.start = self.wanted
            while missing > 0 and (block := self.stream.read(max(_BLOCK, min(missing, 64 * _BLOCK)))):
                parts.append(block)
                missing -= len(block)
            self.kept = b"".join(parts)
        return self.kept[at - self.start : at - self.start + size]

    def drop(self, at: int) -> None:
        """Forget what lies before ``at``."""
        while at - self.start > len(self.kept):
            # Passed over without being kept.
            self.start += len(self.kept)
            self.kept = self.stream.read(_BLOCK)
            if not self.kept:
                break
        self.wanted = min(at, self.start + len(self.kept))

    def find(self, at: int) -> int | None:
        """Return where the next thing begins that may be device code."""
        while True:
            self.drop(at)
            text = self.get(at, _BLOCK)
            for mark, ahead in self.ahead.items():
                if ahead < at + len(text):
                    place = text.find(mark, max(0, ahead - at))
                    self.ahead[mark] = at + (place if place >= 0 else max(0, len(text) - _LONGEST + 1))
            found = min(self.ahead.values())
            if text.startswith(_BEGINNINGS, found - at):
                return found
            if len(text) < _BLOCK:
                return None
            at += len(text) - _LONGEST + 1


def members(stream: BinaryIO) -> Iterator[Member | Damage]:
    """Yield the device code of a file."""
    window = Window(stream)
    numbers: Counter[str] = Counter()
    at = containers = 0
    while (found := window.find(at)) is not None:
        window.drop(found)
        at = found + 1
        if window.get(found, _CONTAINER).startswith(MAGIC):
            containers += 1
            ended = yield from _entries(window, found, containers, numbers)
            if ended > found:
                at = ended
            else:
                containers -= 1
            continue
        header = window.get(found, cubin.HEADER)
        if not cubin.is_cubin(header):
            continue
        numbers["cubin"] += 1
        try:
            data = _bare(window, found, header)
        except DamagedError as problem:
            yield Damage(found, f"cubin {numbers['cubin']}: {problem}")
            continue
        at = found + len(data)
        yield Member("cubin", numbers["cubin"], 0, at, data, "", len(data), "", b"", at=found)


def _bare(window: Window, at: int, header: bytes) -> bytes:
    """Return a cubin that is in no container."""
    tables = cubin.sections_end(header)
    if tables > LARGEST:
        raise DamagedError("the header is damaged")
    end = cubin.end(window.get(at, tables))
    if end > LARGEST:
        raise DamagedError("a section has an impossible size")
    data = window.get(at, end)
    if len(data) < end:
        raise DamagedError("the cubin is cut off: a section reaches beyond its end")
    return data


def _entries(
    window: Window, start: int, container: int, numbers: Counter[str]
) -> Generator[Member | Damage, None, int]:
    """Yield what a container holds, and return where it ends; where it begins if it is none."""
    size = int.from_bytes(window.get(start + 8, 8), "little")
    if len(window.get(start, _CONTAINER)) < _CONTAINER:
        yield Damage(start, f"the fat binary at byte {start} is cut off")
        return start + _CONTAINER
    at = start + _CONTAINER
    end = at + size
    while at < end:
        header: int
        payload: int
        head = window.get(at, _ENTRY.size)
        if len(head) < _ENTRY.size:
            yield Damage(start, f"the fat binary at byte {start} is cut off")
            return at
        kind, version, header, payload, packed, _, _, _, arch, _, _, flags, _, whole = _ENTRY.unpack(head)
        believed = _ENTRY.size <= header <= _WIDEST and packed <= payload <= end - at - header
        if not believed or version >> 8 != 1:
            if at == start + _CONTAINER and kind not in _KINDS:
                return start  # the mark alone: code that looks for it has it, too
            yield Damage(start, f"the fat binary at byte {start} is damaged")
            return at
        begin, at = at, at + header + payload
        if kind == _SEVERAL and payload <= LARGEST and whole <= LARGEST:
            window.drop(begin)
            data = window.get(begin, header + payload)
            if len(data) < header + payload:
                yield Damage(begin, f"the fat binary at byte {start} is cut off")
                return at
            try:
                yield from _several(data, header, container, begin + header, at, numbers)
            except struct.error:
                yield Damage(begin, f"the fat binary at byte {start} is damaged")
            window.drop(at)
            continue
        if kind not in _KINDS:
            numbers["other"] += 1
            window.drop(at - 1)
            if not window.get(at - 1, 1):
                yield Damage(start, f"the fat binary at byte {start} is cut off")
            continue
        numbers[_KINDS[kind]] += 1
        name = f"{_KINDS[kind]} {numbers[_KINDS[kind]]}"
        if payload > LARGEST or whole > LARGEST:
            yield Damage(begin, f"{name}: larger than {LARGEST} bytes, not read")
            window.drop(at)
            continue
        window.drop(begin)
        data = window.get(begin, header + payload)
        if len(data) < header + payload:
            yield Damage(begin, f"{name} is cut off")
            return at
        packing = _packing(flags, packed)
        yield Member(
            _KINDS[kind],
            numbers[_KINDS[kind]],
            container,
            at,
            data[header : header + (packed or payload)],
            packing,
            whole if packing else payload,
            _arch(arch, flags),
            data[:header],
            at=begin + header,
        )
        window.drop(at)
    return max(at, end)


def _packing(flags: int, packed: int) -> str:
    return "zstd" if flags & _ZSTD else "lz4" if flags & _LZ4 else "?" if packed else ""


def _arch(number: int, flags: int) -> str:
    return f"sm_{number}{'a' if flags & _ACCELERATED else 'f' if flags & _FAMILY else ''}"


def _several(data: bytes, header: int, container: int, begin: int, end: int, numbers: Counter[str]) -> Iterator[Member]:
    """Yield the images that an entry has together: their headers stand in its own, with offsets for header sizes."""
    *_, packed, _, _, _, _, _, _, flags, _, whole = _ENTRY.unpack_from(data)
    (many,) = struct.unpack_from("<I", data, _ENTRY.size)
    head, content = data[:header], data[header : header + packed] if packed else data[header:]
    at = _ENTRY.size + 8
    indices: Counter[str] = Counter()
    for _ in range(many):
        kind, _, start, size, _, options, _, _, arch, _, _, own, _, _ = _ENTRY.unpack_from(head, at)
        at += _ENTRY.size
        if options:
            # What ptxas was asked for: a length, and so many bytes and one more, filled up to a multiple of 8.
            (length,) = struct.unpack_from("<I", head, at + 4)
            at += (8 + length) // 8 * 8 + 8
        name = _KINDS.get(kind)
        if name is None:
            numbers["other"] += 1
            continue
        numbers[name] += 1
        yield Member(
            name,
            numbers[name],
            container,
            end,
            content,
            _packing(flags, packed),
            whole if packed else len(content),
            _arch(arch, own),
            head,
            Within(start, size, indices[name]),
            begin,
        )
        indices[name] += 1
