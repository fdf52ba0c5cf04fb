"""Damaged cubins and fat binaries among sound ones, in whatever holds them, without a disassembler.

    python -m fuzz.binaries [SECONDS] [SEED]        (from the folder tests/tools)

What must hold: no error in smemdesc itself, every sound cubin is found, and in little time.
"""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from corpus.fake import OBJECTS, archive, host

from smemdesc.engine.errors import SmemdescError
from smemdesc.scanning.inputs.binaries import cubin
from smemdesc.scanning.inputs.binaries.containers import FAT_BINARY, Member, members, unpacked
from smemdesc.scanning.inputs.binaries.members import Ask, Done, Printing
from smemdesc.scanning.inputs.files import ChunkResult, Inputs, Job
from smemdesc.scanning.inputs.pieces import internal_error
from smemdesc.scanning.model import Part

from .command import run as by_command

SLOW = 2.0
"""Seconds of one case that are too many."""
ODD = (0, 1, 2, 7, 63, 64, 255, 256, 0xFFFF, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 50, 1 << 63, (1 << 64) - 1)
"""Numbers that a field of a header is given."""
CUBINS = ("wgmma", "tcgen05", "asserts")
FATBINS = ("plain", "zstd", "lz4", "together", "ptx")


@cache
def pieces() -> dict[str, bytes]:
    """Return sound device code."""
    return {
        **{name: (OBJECTS / f"{name}.cubin").read_bytes() for name in CUBINS},
        **{name: (OBJECTS / f"{name}.fatbin").read_bytes() for name in FATBINS},
    }


@cache
def held(name: str) -> Counter[str]:
    """Return the cubins of a piece, by a hash."""
    found = (each for each in members(io.BytesIO(pieces()[name])) if isinstance(each, Member) and each.kind == "cubin")
    return Counter(_hash(unpacked(each, None)) for each in found)


def _hash(data: bytes) -> str:
    return sha256(data.rstrip(b"\0")).hexdigest()


def headers(data: bytes) -> list[tuple[int, int]]:
    """Return where the headers of a piece are, and how many bytes they have."""
    if data.startswith(FAT_BINARY):
        entries = (each for each in members(io.BytesIO(data)) if isinstance(each, Member))
        return [(0, 16), *((each.at - len(each.header), len(each.header)) for each in entries)]
    (table,) = struct.unpack_from("<Q", data, 40)
    (many,) = struct.unpack_from("<H", data, 60)
    return [(0, 64), (0, 64), *((table + 64 * index, 64) for index in range(many))]


def damaged(data: bytes, generator: random.Random) -> bytes:
    """Return a piece with a few wrong fields, wrong bytes, or without its end."""
    spoiled = bytearray(data)
    places = headers(data)
    for _ in range(generator.choice((1, 1, 1, 2, 5))):
        way = generator.random()
        if way < 0.7:
            start, size = generator.choice(places)
            width = generator.choice((1, 2, 4, 8))
            at = start + generator.randrange(0, size, width)
            number = generator.choice((*ODD, len(data), len(data) - 1, len(data) + 1))
            spoiled[at : at + width] = (number % (1 << 8 * width)).to_bytes(width, "little")
        elif way < 0.9:
            for _ in range(generator.choice((1, 20))):
                spoiled[generator.randrange(len(spoiled))] = generator.randrange(256)
        else:
            del spoiled[generator.randrange(len(spoiled)) + 1 :]
    return bytes(spoiled[: len(data)])


def _joined(parts: list[bytes], generator: random.Random) -> bytes:
    return b"".join(bytes(generator.choice((0, 0, 1, 8, 500))) + part for part in parts)


def _archive(parts: list[bytes], generator: random.Random) -> bytes:
    return archive(*parts)


def _library(parts: list[bytes], generator: random.Random) -> bytes:
    """A host's ELF file with the parts in the sections of relocatable and of linked code, in either order."""
    cut = generator.randrange(len(parts) + 1)
    names = generator.sample(("__nv_relfatbin", ".nv_fatbin"), 2)
    made = host({name: _joined(some, generator) for name, some in zip(names, (parts[:cut], parts[cut:]), strict=True)})
    if generator.random() < 0.7:
        return made
    spoiled = bytearray(made)
    spoiled[generator.choice((generator.randrange(64), -generator.randrange(1, 257)))] = generator.randrange(256)
    return bytes(spoiled)


def _zip(parts: list[bytes], generator: random.Random) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", generator.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for number, part in enumerate(parts):
            archive.writestr(f"{number}.so", part)
    return made.getvalue()


def _tar(parts: list[bytes], generator: random.Random) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=generator.choice(("w", "w:gz"))) as archive:
        for number, part in enumerate(parts):
            entry = tarfile.TarInfo(f"{number}.so")
            entry.size = len(part)
            archive.addfile(entry, io.BytesIO(part))
    return made.getvalue()


def _gzip(parts: list[bytes], generator: random.Random) -> bytes:
    return gzip.compress(_joined(parts, generator), 1)


IN_ONE: tuple[Callable[[list[bytes], random.Random], bytes], ...] = (_joined, _archive, _library, _library, _gzip)
IN_MANY = (_zip, _tar)
Case = tuple[bytes, Counter[str]]


def cases(seed: int) -> Iterator[Case]:
    """Yield files and the cubins that must be found in them, without end."""
    generator = random.Random(seed)
    while True:
        parts: list[bytes] = []
        sound: Counter[str] = Counter()
        for name in generator.choices([*CUBINS, *FATBINS], k=generator.choice((1, 2, 3, 3))):
            data = pieces()[name]
            if generator.random() < 0.6:
                parts.append(damaged(data, generator))
            else:
                parts.append(data)
                sound += held(name)
        way = generator.random()
        made = generator.choice(IN_ONE if way < 0.85 else IN_MANY)(parts, generator)
        if way > 0.95:
            # Of a damaged archive nothing is promised.
            spoiled = bytearray(made)
            for _ in range(3):
                spoiled[generator.randrange(len(made))] = generator.randrange(256)
            made, sound = bytes(spoiled[: generator.randrange(len(made) // 2, len(made) + 1)]), Counter()
        yield made, sound


def scanned(path: Path) -> tuple[Counter[str], list[str]]:
    """Return the cubins of a file that would be printed, by a hash, and the messages."""
    found: Counter[str] = Counter()

    def done(task: Any) -> Any:
        if not isinstance(task, Printing):
            return Part()
        data = task.unpacked()
        if task.member.kind == "cubin":
            if not task.continued:
                found[_hash(data)] += 1
            cubin.never_returning_offsets(data)
        return Done(Part(), 0)

    def results(jobs: Iterable[Job]) -> Iterator[ChunkResult]:
        for job in jobs:
            try:
                result = None if job.task is None else done(job.task)
            except SmemdescError as problem:
                result = problem
            except Exception as problem:
                result = SmemdescError(internal_error(problem))
            yield from job.take(result)

    inputs = Inputs([str(path)], Ask(folder=str(path.parent), jobs=1), results)
    with closing(inputs.spool):
        messages = [str(each.problem) for each in results(inputs.jobs()) if each.problem]
    return found, messages


def fault(data: bytes, sound: Counter[str]) -> str:
    """Say what of a scan of a file must not be; empty where all is well."""
    with TemporaryDirectory() as folder:
        program = Path(folder, "nvdisasm")
        program.touch(0o755)
        path = Path(folder, "k.so")
        path.write_bytes(data)
        begun = process_time()
        found, messages = scanned(path)
        seconds = process_time() - begun
    if any("itself" in message for message in messages):
        return next(message for message in messages if "itself" in message)
    if sound - found:
        return f"{(sound - found).total()} sound cubins are lost; {messages}"
    return f"{seconds:.1f} s" if seconds > SLOW else ""


def report(data: bytes, sound: Counter[str], why: str) -> str:
    """Keep a file that goes wrong, and return how."""
    kept = Path(f"binary-{sha256(data).hexdigest()[:12]}")
    kept.write_bytes(data)
    return f"{why}: smemdesc scan {kept}"[:400]


if __name__ == "__main__":
    by_command(cases, fault, report)
