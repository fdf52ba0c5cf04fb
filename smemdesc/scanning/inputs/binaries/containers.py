"""Where the device code of a file is: fat binaries and bare cubins, found by their magic numbers, from front to back.

The format of the file does not matter: objects, archives, libraries and programs of any system hold fat binaries in
sections (``.nv_fatbin``, ``__nv_relfatbin``, ``.cask_resource`` in cuBLASLt, cuDNN and cuSPARSELt). Source of the
format: fatbinary and cuobjdump 13.5, by comparison.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries import cubin, elf, programs
from smemdesc.scanning.inputs.binaries.cubin import LARGEST
from smemdesc.scanning.inputs.binaries.elf import FAT_BINARY, Window

_MARKS = FAT_BINARY, elf.MAGIC
_BEGINNING, _BEGINNING_OF_ONE = (re.compile(b"|".join(map(re.escape, marks))) for marks in (_MARKS, (FAT_BINARY,)))
_CONTAINER = 16
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
"""Kind, version, sizes of the header, the payload, the compressed data, ..., architecture, ..., flags, 0, full size."""
_WIDEST = 65_536
"""The most bytes of a plausible header of an entry."""
_TIMES = 4
"""How many times the bytes of a fat binary are read at most if its entries contradict each other."""
_LITERAL = {"lz4": 8}
"""The most bytes between the start of a payload and its cubin's magic number: lz4 data begins with a literal copy."""
_ALIGNED = 8
"""Headers and payloads begin at multiples of this many bytes from the beginning of their container."""
_LIKE_A_HEADER = re.compile(rb"[\x01\x02]\x00\x01\x01|\x00\x01\x01\x01")
"""How the header of an entry begins: its kind and its version."""
_PTX, _CUBIN, _SEVERAL = 1, 2, 0x100
_KINDS = {_PTX: "ptx", _CUBIN: "cubin"}
_LZ4, _ZSTD = 0x2000, 0x8000
_BEGIN = {"zstd": (b"\x28\xb5\x2f\xfd",), "lz4": (b"",), "cubin": (elf.MAGIC,), "ptx": (b"//", b".version", b"\n")}
"""How a payload begins, by its compression or (uncompressed) by its kind."""
_GROWS = {"zstd": 1 << 15, "lz4": 255}
"""The largest ratio of unpacked to compressed bytes."""
_SEARCHED = 1 << 14, 1 << 20
"""Bytes that are searched at once: at first (in most files the next one is near), and at most."""


class EntryPart(NamedTuple):
    """A stretch of an unpacked entry of a fat binary, in bytes, and its index among the images of its kind, from 0."""

    start: int
    size: int
    nth: int


class Member(NamedTuple):
    """A piece of device code in a file, with its bytes as they are stored."""

    kind: str
    """``cubin`` or ``ptx``."""
    number: int
    """Its ordinal among its kind in the file, from 1."""
    container: int
    """The ordinal of the fat binary that it is in, from 1; 0: it is in none."""
    end: int
    """Where it ends in the file."""
    data: bytes
    packing: str
    """How it is compressed: ``zstd``, ``lz4``, ``?`` (unknown), or empty if it is not."""
    size: int
    """Bytes when it is not compressed."""
    header: bytes
    """The header of its entry in the fat binary; empty if it is in none."""
    at: int
    """Where in the file its :attr:`data` begins."""
    part: EntryPart | None = None
    """Where it is in the unpacked entry: several images may be compressed together (``fatbinary -concat``)."""

    @property
    def name(self) -> str:
        """Its name in the file; empty if it is the whole file."""
        return "" if self.alone else f"{self.kind} {self.number}"

    @property
    def alone(self) -> bool:
        """Whether the file is this cubin, not a container of it."""
        return not self.container and self.at == 0 and self.end == self.size


class Damage(NamedTuple):
    """A place that begins like device code, but is damaged."""

    at: int
    message: str


def _find(window: Window, at: int, marks: re.Pattern[bytes] = _BEGINNING) -> int | None:
    """Return where the next fat binary or cubin begins, from byte ``at`` on; None if there is none."""
    size, most = _SEARCHED
    while True:
        text = window.get(at, size)
        for match in marks.finditer(text) if any(mark in text for mark in _MARKS) else ():
            place = at + match.start()
            if match[0] == FAT_BINARY or cubin.is_cubin(window.get(place, elf.HEADER_BYTES)):
                return place
        if len(text) < size:
            return None
        at += size - len(FAT_BINARY) + 1
        size = min(4 * size, most)


def members(stream: BinaryIO) -> Iterator[Member | Damage]:
    """Yield the device code of a file, numbered as ``cuobjdump -all -lelf`` does."""
    counts: Counter[str] = Counter()
    for window in elf.in_order(stream):
        yield from _members(window, counts)


def _members(window: Window, counts: Counter[str]) -> Iterator[Member | Damage]:
    """Yield the device code of a stretch of a file; ``counts``: the number of each kind so far."""
    at = window.start
    while (place := _find(window, at)) is not None:
        if window.get(place, len(FAT_BINARY)) == FAT_BINARY:
            at = yield from _Container(window, place, counts).members()
            continue
        counts["cubin"] += 1
        try:
            data = _bare(window, place)
        except SmemdescError as problem:
            yield Damage(place, f"cubin {counts['cubin']}: {problem}")
            at = place + 1
            continue
        at = place + len(data)
        yield Member("cubin", counts["cubin"], 0, at, data, "", len(data), b"", place)


def _bare(window: Window, at: int) -> bytes:
    """Return a cubin that is in no container; it ends where another begins."""
    following = _find(window, at + 1)
    alone = window._replace(start=at, end=window.end if following is None else following)
    size = elf.needed_bytes(alone)
    if not 0 < size <= LARGEST:
        raise SmemdescError("the header is damaged, or a section has an impossible size")
    data = alone.get(at, size)
    if len(data) < size:
        raise SmemdescError("the cubin is cut off, or its header is damaged")
    return data


class _Entry(NamedTuple):
    """The header of an entry of a fat binary."""

    at: int
    """Where it is in the file."""
    kind: int
    size: int
    """Bytes of the header."""
    payload: int
    packed: int
    """Bytes of the compressed data; 0: it is not compressed."""
    flags: int
    unpacked: int
    """Bytes of the payload after unpacking."""

    @property
    def name(self) -> str:
        """``cubin`` or ``ptx``; empty for other kinds."""
        return _KINDS.get(self.kind, "")

    @property
    def packing(self) -> str:
        """How it is compressed."""
        return "zstd" if self.flags & _ZSTD else "lz4" if self.flags & _LZ4 else "?" if self.packed else ""

    @property
    def begin(self) -> int:
        """Where its payload begins in the file."""
        return self.at + self.size

    @property
    def end(self) -> int:
        """Where the next entry begins in the file."""
        return self.begin + self.payload


class _Container:
    """A fat binary. After a damaged entry, the next valid one is searched for."""

    def __init__(self, window: Window, start: int, counts: Counter[str]) -> None:
        """``counts``: the number of each kind so far."""
        self.window = window
        self.start = start
        self.counts = counts
        self.end = start + _CONTAINER + int.from_bytes(window.get(start + 8, 8), "little")
        self.number = counts["container"] + 1
        self.cut = Damage(start, f"the fat binary at byte {start} is cut off")
        self.damaged = Damage(start, f"the fat binary at byte {start} is damaged")
        self.read = 0
        """Bytes of all entries read; nested entries count again."""
        self.searched = 0, 0
        """No device code begins between these offsets in the file."""

    def members(self) -> Generator[Member | Damage, None, int]:
        """Yield its device code, and return the offset from which to search on."""
        at, resume = self.start + _CONTAINER, self.start + len(FAT_BINARY)
        if len(self.window.get(self.start, _CONTAINER)) < _CONTAINER:
            yield self.cut
            return resume
        sound = True
        while at < self.end:
            entry = self._entry(at)
            if entry is None:
                head = self.window.get(at, _ENTRY.size)
                kind, version = head[:2], head[3:4]
                if at == self.start + _CONTAINER and version != b"\1" and int.from_bytes(kind, "little") not in _KINDS:
                    return self.start + 1  # the magic number alone: code that compares with it contains it, too
                self.counts["container"] = self.number
                if sound:
                    sound = False
                    yield self.damaged if len(head) == _ENTRY.size else self.cut
                    # Neither its size nor the size of the entry before it is trusted.
                    following = _find(self.window, self.start + 1, _BEGINNING_OF_ONE)
                    self.end = self.window.end if following is None else following
                entry = self._next_entry(resume)
                begun = resume if at == self.start + _CONTAINER else min(at, self.end)
                if entry is None:
                    return begun
                yield from _members(self.window._replace(start=begun, end=entry.at), self.counts)
            self.counts["container"] = self.number
            yield from self._content(entry)
            self.read += entry.payload
            at = entry.end
            resume = entry.begin if self.read < _TIMES * (self.window.end - self.start) else at
        return at

    def _entry(self, at: int) -> _Entry | None:
        """Read the header at byte ``at``; None if it is not plausible."""
        head = self.window.get(at, _ENTRY.size)
        if len(head) < _ENTRY.size:
            return None
        kind, version, size, payload, packed, _, _, _, _, _, _, flags, _, unpacked = _ENTRY.unpack(head)
        fits = _ENTRY.size <= size <= _WIDEST and packed <= payload <= self.end - at - size
        if version >> 8 != 1 or not fits or (packed and payload - packed >= _ALIGNED):
            return None
        entry = _Entry(at, kind, size, payload, packed, flags, unpacked)
        following = self._following(at)
        if kind != _PTX and 0 <= following - entry.begin <= _LITERAL.get(entry.packing, 0):
            following = self._following(following)
        return None if following < min(entry.end, self.window.end) else entry

    def _following(self, at: int) -> int:
        """Return where the next fat binary or cubin begins after byte ``at``."""
        begin, end = self.searched
        if not begin <= at < end:
            place = _find(self.window, at + 1)
            self.searched = at, self.window.end if place is None else place
        return self.searched[1]

    def _next_entry(self, at: int) -> _Entry | None:
        """Return the next entry whose payload matches its header."""
        step = _SEARCHED[1]
        for block in range(at, self.end, step):
            text = self.window.get(block, min(step + 4, self.end - block))
            for match in _LIKE_A_HEADER.finditer(text):
                place = block + match.start()
                entry = None if (place - self.start) % _ALIGNED else self._entry(place)
                if entry is not None:
                    beginnings = _BEGIN.get(entry.packing or entry.name, ())
                    if beginnings and self.window.get(entry.begin, 8).startswith(beginnings):
                        return entry
        return None

    def _content(self, entry: _Entry) -> Iterator[Member | Damage]:
        """Yield the members of an entry."""
        name = entry.name
        self.counts[name] += 1
        label = f"{name} {self.counts[name]}"
        large = max(entry.payload, entry.unpacked) > LARGEST
        if not name and (large or entry.kind != _SEVERAL):
            if not self.window.get(entry.end - 1, 1):
                yield self.cut
            return
        if large:
            yield Damage(entry.at, f"{label}: larger than {LARGEST} bytes, not read")
            return
        data = self.window.get(entry.at, entry.end - entry.at)
        if len(data) < entry.end - entry.at:
            yield Damage(entry.at, f"{label} is cut off") if name else self.cut._replace(at=entry.at)
            return
        header, content = data[: entry.size], data[entry.size : entry.size + (entry.packed or entry.payload)]
        size = entry.unpacked if entry.packing else entry.payload
        member = Member(
            name, self.counts[name], self.number, entry.end, content, entry.packing, size, header, entry.begin
        )
        if name:
            yield member
            return
        try:
            for name, part in _several(header, size):
                self.counts[name] += 1
                yield member._replace(kind=name, number=self.counts[name], part=part)
        except struct.error:
            yield self.damaged._replace(at=entry.at)


def _several(header: bytes, whole: int) -> Iterator[tuple[str, EntryPart]]:
    """Yield the images of a combined entry: its header contains their headers, with offsets instead of header sizes.

    ``whole``: their total bytes. :class:`struct.error` if the headers contradict it.
    """
    (many,) = struct.unpack_from("<I", header, _ENTRY.size)
    at = _ENTRY.size + 8
    counts: Counter[str] = Counter()
    for _ in range(many):
        kind, _, start, size, _, options, *_ = _ENTRY.unpack_from(header, at)
        at += _ENTRY.size
        whole -= size
        if whole < 0:
            raise struct.error
        if options:
            # The options of ptxas: a length, that many bytes and one more, padded to a multiple of 8.
            (length,) = struct.unpack_from("<I", header, at + 4)
            at += (8 + length) // 8 * 8 + 8
        name = _KINDS.get(kind)
        if name is not None:
            yield name, EntryPart(start, size, counts[name])
            counts[name] += 1


def cut_short(stream: BinaryIO) -> str:
    """Return how an ELF file or an archive is shorter than its own tables say; empty if it is not."""
    file = elf.read_whole(stream)
    header = file.get(0, elf.HEADER_BYTES)
    need = 0
    if len(header) < elf.HEADER_BYTES:
        return ""
    for member in elf.archived(file):
        need = member.end
    if need:
        left = file.end - need - need % 2
        if 0 < left < elf.MEMBER:
            return f"it is cut short: it ends inside the header of a member, at byte {file.end}"
    elif header.startswith(elf.MAGIC) and not cubin.is_cubin(header):  # for a cubin it is reported elsewhere
        need = elf.needed_bytes(file)
    if need > _IMPOSSIBLE:
        return f"its header is damaged: by that it has at least {need} bytes"
    return f"it is cut short: it has {file.end} of at least {need} bytes" if file.end < need else ""


_IMPOSSIBLE = 1 << 44
"""Bytes that no file has."""


def unpacked(member: Member, folder: str | None) -> bytes:
    """Return the unpacked bytes of a member; ``folder`` is where NVIDIA's programs are."""
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
"""The packed and unpacked bytes of the last entry with several members: these are read one after another."""


def _entry(member: Member) -> bytes | None:
    """Unpack the entry of a member; None if the library for it is not installed."""
    if not member.packing:
        return member.data
    if member.part is not None and _LAST and _LAST[0][0] == member.data:
        return _LAST[0][1]
    if member.size > _GROWS.get(member.packing, LARGEST) * max(1, len(member.data)):
        raise SmemdescError(f"it cannot be unpacked ({len(member.data)} bytes cannot come to {member.size})")
    try:
        library = {"zstd": _zstd, "lz4": _lz4}.get(member.packing)
        data = None if library is None else library(member.data, member.size)
    except Exception as problem:  # each decompression library has its own exceptions
        raise SmemdescError(f"it cannot be unpacked ({' '.join(str(problem).split())[:100]})") from None
    _LAST[:] = [(member.data, data)] if member.part is not None and data is not None else []
    return data


def _zstd(data: bytes, size: int) -> bytes | None:
    with suppress(ImportError):
        import zstandard

        if zstandard.frame_content_size(data) not in (-1, size):
            raise ValueError("the frame has another size")
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
    """Unpack a member with cuobjdump, from a temporary fat binary with only its entry."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    try:
        program = programs.find_program(programs.CUOBJDUMP, folder)
    except programs.MissingError as problem:
        library = {"zstd": "zstandard", "lz4": "lz4"}.get(member.packing)
        either = f"the package {library} or cuobjdump" if library else "cuobjdump"
        raise SmemdescError(f"it is compressed; unpacking needs {either}", hint=problem.option_hint) from None
    content = member.header + member.data + bytes(-len(member.data) % 8)
    with TemporaryDirectory(prefix="smemdesc-") as where:
        Path(where, "member.fatbin").write_bytes(FAT_BINARY + struct.pack("<Q", len(content)) + content)
        what = "-xelf" if member.kind == "cubin" else "-xptx"
        for _ in programs.output(program, [what, "all"], "member.fatbin", folder=where):
            pass  # the names of the files that it writes
        paths = sorted(Path(where).glob(f"*.{member.kind}"), key=lambda path: int("0" + path.name.split(".")[1]))
        index = member.part.nth if member.part is not None else 0
        if len(paths) <= index:
            raise SmemdescError("cuobjdump does not unpack it")
        return paths[index].read_bytes()
