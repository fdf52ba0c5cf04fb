"""What a fat binary holds compressed: unpacked by a library where there is one, else by cuobjdump."""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import Any

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.binaries import programs
from smemdesc.scanning.binaries.containers import MAGIC, Member
from smemdesc.scanning.binaries.cubin import DamagedError


def unpacked(member: Member, folder: str | None) -> bytes:
    """Return the bytes of a member; ``folder`` is where the programs are."""
    data = _entry(member)
    if data is None:
        return _by_cuobjdump(member, folder)
    if len(data) != member.size:
        raise DamagedError(f"unpacked it has {len(data)} bytes instead of {member.size}")
    if member.part is None:
        return data
    start, size, _ = member.part
    part = data[start : start + size]
    if len(part) < size:
        raise DamagedError("it extends beyond the end of its archive")
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
        data = {"zstd": _zstd, "lz4": _lz4}.get(member.packing, _unknown)(member)
    except (ValueError, RuntimeError, EOFError) as problem:
        raise DamagedError(f"it cannot be unpacked ({_short(problem)})") from None
    _LAST[:] = [(member.data, data)] if member.part is not None and data is not None else []
    return data


def _unknown(member: Member) -> None:
    """Leave it to cuobjdump."""


def _short(problem: Exception) -> str:
    return " ".join(str(problem).split())[:100]


def _zstd(member: Member) -> bytes | None:
    with suppress(ImportError):
        import zstandard

        try:
            return zstandard.ZstdDecompressor().decompress(member.data, max_output_size=member.size)
        except zstandard.ZstdError as problem:
            raise ValueError(str(problem)) from None
    with suppress(ImportError):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # from Python 3.14 on

        try:
            data: bytes = zstd.ZstdDecompressor().decompress(member.data, max_length=member.size)
        except zstd.ZstdError as problem:
            raise ValueError(str(problem)) from None
        return data
    return None


def _lz4(member: Member) -> bytes | None:
    try:
        from importlib import import_module

        lz4: Any = import_module("lz4.block")
    except ImportError:
        return None
    try:
        data: bytes = lz4.decompress(member.data, uncompressed_size=member.size)
    except lz4.LZ4BlockError as problem:
        raise ValueError(str(problem)) from None
    return data


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
            raise DamagedError("cuobjdump does not unpack it")
        return made[index].read_bytes()
