"""What a file is, by how it begins, and which files of a folder are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from stat import S_ISREG
from typing import BinaryIO, NamedTuple, cast

from smemdesc.scanning.binaries import containers

BEGINNING = 65_536
"""Bytes by which a file is judged."""
TEXT, BINARY, ZIP, PACKED, OTHER = "text", "binary", "zip", "packed", "other"
_BINARY = (b"\x7fELF", b"\x50\xed\x55\xba", b"!<arch>\n", b"!<thin>\n")
"""ELF, a fat binary, an archive."""
_PACKED = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}
_ZIP = b"PK\x03\x04"
DUMPS = frozenset(
    (
        *(".ptx", ".sass", ".ll", ".llir", ".mlir", ".ttir", ".ttgir", ".txt", ".json", ".asm", ".s"),
        *(".log", ".dump", ".cuobjdump", ".nvdisasm"),
    )
)
"""How the names of text files end that are read in a folder or a wheel; others are passed over."""
_ZIPS = frozenset((".whl", ".zip", ".pt2", ".egg", ".conda"))
_TARS = frozenset((".tar", ".tgz", ".txz", ".tbz", ".tbz2"))
_OBJECTS = frozenset((".cubin", ".fatbin", ".o", ".obj", ".a", ".lib", ".so", ".dll", ".exe", ".pyd"))
"""How the names of files end that are looked into where they are compressed."""
_SEARCHED = 64_000_000
"""Bytes of a file in a folder that are searched for device code though it begins as nothing known."""


class Sort(NamedTuple):
    """What a file is: one of the names above, and for a compressed one by what."""

    kind: str
    packing: str = ""


def sort(beginning: bytes) -> Sort:
    """Tell what a file is by its first :data:`BEGINNING` bytes; whatever is not known is text."""
    if beginning.startswith(_BINARY):
        return Sort(BINARY)
    if beginning.startswith(_ZIP):
        return Sort(ZIP)
    for mark, packing in _PACKED.items():
        if beginning.startswith(mark):
            return Sort(PACKED, packing)
    return Sort(OTHER if b"\0" in beginning else TEXT)


def is_read(name: str, found: Sort, size: int) -> bool:
    """Whether a file of a folder is read."""
    ending = os.path.splitext(name)[1].lower()
    if found.kind == TEXT:
        return ending in DUMPS
    if found.kind == ZIP:
        return ending in _ZIPS
    if found.kind == PACKED:
        inner = os.path.splitext(name)[0]
        packed = os.path.splitext(inner)[1].lower()
        return ending in _TARS or packed in DUMPS | _ZIPS | _OBJECTS | _TARS or ".so." in inner
    return found.kind == BINARY or size <= _SEARCHED


def walk(folder: str) -> Iterator[tuple[str, OSError | None]]:
    """Yield the files below a folder in the order of their names, each once; with a problem what cannot be read."""
    unread: list[OSError] = []
    seen: set[tuple[int, int]] = set()
    for where, folders, names in os.walk(folder, onerror=unread.append):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            try:
                state = os.stat(path)
            except OSError as problem:
                yield path, problem
                continue
            if not S_ISREG(state.st_mode) or (state.st_dev, state.st_ino) in seen:
                continue
            seen.add((state.st_dev, state.st_ino))
            yield path, None
    for each in unread:
        yield str(each.filename), each


def opened(path: str | BinaryIO, packing: str) -> BinaryIO | None:
    """Open a compressed file unpacked; None where the library that does it is not installed."""
    if packing == "gzip":
        import gzip

        return cast(BinaryIO, gzip.open(path))
    if packing == "xz":
        import lzma

        return cast(BinaryIO, lzma.open(path))
    if packing == "bzip2":
        import bz2

        return cast(BinaryIO, bz2.open(path))
    try:
        import zstandard
    except ImportError:
        return None
    return cast(BinaryIO, zstandard.open(path))


def holds_code(stream: BinaryIO) -> bool:
    """Whether there is device code anywhere in a file."""
    return any(isinstance(each, containers.Member) for each in containers.members(stream))
