"""Whatever is cut short is said to be, at whatever byte, and what is left of it is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard
from corpus.fake import OBJECTS, nvdisasm, zipped
from samples import sampled

from smemdesc.scanning.inputs import workers
from smemdesc.scanning.inputs.binaries.members import Ask

PTX = (OBJECTS / "wgmma.ptx").read_bytes()
FATBIN = (OBJECTS / "ptx.fatbin").read_bytes()
FILES = {"a/first.ptx": PTX, "a/notes.md": b"# notes" * 50, "b.fatbin": FATBIN, "last.ptx": PTX}


def tarred(files: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name if form == tarfile.PAX_FORMAT else name.rjust(120, "x"))
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    data = made.getvalue().rstrip(b"\0")
    return data + bytes(-len(data) % 512 + 512)  # of the zeros behind one block is enough


def archive(files: dict[str, bytes]) -> bytes:
    members = (
        b"%-48s%-10d`\n" % (name.encode(), len(data)) + data + b"\n" * (len(data) % 2) for name, data in files.items()
    )
    return b"!<arch>\n" + b"".join(members).removesuffix(b"\n")


def elf(data: bytes, *, first: bool) -> bytes:
    """A library of this machine, with its table of sections in front or at the end."""
    table = 64 if first else 64 + len(data)
    start = 64 + 128 if first else 64
    sections = bytes(64) + struct.pack("<IIQQQQIIQQ", 0, 1, 0, 0, start, len(data), 0, 0, 1, 0)
    header = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, table, 0, 64, 56, 0, 64, 2, 0
    )
    return header + (sections + data if first else data + sections)


FORMS = {
    "k.ptx.gz": gzip.compress(PTX),
    "k.ptx.xz": lzma.compress(PTX),
    "k.ptx.bz2": bz2.compress(PTX),
    "k.ptx.zst": zstandard.compress(PTX),
    "k.frames.zst": zstandard.compress(PTX) + zstandard.compress(PTX),
    "k.fatbin.zst": zstandard.compress(FATBIN),
    "k.zst.zst": zstandard.compress(zstandard.compress(PTX)),
    "k.zip": zipped(FILES, zipfile.ZIP_STORED),
    "k.whl": zipped(FILES),
    "k.tar": tarred(FILES),
    "k.gnu.tar": tarred(FILES, tarfile.GNU_FORMAT),
    "k.tar.gz": gzip.compress(tarred(FILES)),
    "k.tar.zst": zstandard.compress(tarred(FILES)),
    "k.zip.xz": lzma.compress(zipped(FILES)),
    "tar.zip": zipped({"a.ptx": PTX, "k.tgz": gzip.compress(tarred(FILES)), "k.so": elf(FATBIN, first=False)}),
    "k.a": archive(FILES),
    "k.fatbin": FATBIN,
    "two.fatbin": FATBIN * 2,
    "k.so": elf(FATBIN, first=False),
    "front.so": elf(FATBIN + bytes(99), first=True),
    "k.so.gz": gzip.compress(elf(FATBIN, first=False)),
    **{f"{name}.fatbin": (OBJECTS / f"{name}.fatbin").read_bytes() for name in ("plain", "zstd", "lz4", "together")},
    "k.cubin": (OBJECTS / "wgmma.cubin").read_bytes(),
}
MARK, TAR = 8, 262
"""Bytes by which the longest of them is known, and a tar."""


def scanned(path: Path, data: bytes) -> tuple[list[str], list[str]]:
    """Return what is said of a file, and the functions that are found in it."""
    path.write_bytes(data)
    all = list(workers.scan_files([str(path)], Ask(folder=nvdisasm(path.parent / "bin"), jobs=1)))
    return (
        [str(each.problem) for each in all if each.problem],
        [f"{each.name}:{of.name}" for each in all for of in each.part.functions],
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(FORMS))
def test_a_cut_at_any_byte_is_said_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    data = FORMS[name]
    messages, whole = scanned(tmp_path / name, data)
    assert (messages, bool(whole)) == ([], True)
    mark = TAR if name.endswith(".tar") else MARK
    sizes = {mark, len(data) - 1, len(data) - 2, len(data) - 9, *range(mark, len(data), len(data) // 3)}
    for size in sorted(sizes):
        messages, found = scanned(tmp_path / name, data[:size])
        assert messages, size
        assert found == whole[: len(found)], size
        assert all(each.startswith(f"{tmp_path / name}") for each in messages), messages


READ = {"k.frames.zst": 2, "k.zip": 2, "k.whl": 2, "k.tar": 4, "k.tar.gz": 2, "k.a": 2, "two.fatbin": 2}
"""How many functions are found at least where a quarter is missing: those of the files that are there."""


@pytest.mark.parametrize("name", [*READ, "k.ptx.gz"])
def test_of_what_is_cut_short_what_is_there_is_found(name: str, tmp_path: Path) -> None:
    data = FORMS[name]
    _, found = scanned(tmp_path / name, data[: len(data) * 3 // 4] if name in READ else data[:-4])
    assert len(found) >= READ.get(name, 2)


def test_text_in_a_tar_is_read_as_in_a_zip(tmp_path: Path) -> None:
    (_, of_tar), (_, of_zip) = (scanned(tmp_path / name, FORMS[name]) for name in ("k.tar", "k.zip"))
    assert of_tar == [each.replace(".zip:", ".tar:") for each in of_zip]
    assert {each.split(":")[1] for each in of_tar} == {"a/first.ptx", "b.fatbin", "last.ptx"}


def test_an_offset_that_no_file_reaches_is_damage(tmp_path: Path) -> None:
    data = bytearray(FORMS["k.so"])
    data[40:48] = struct.pack("<Q", 1 << 50)
    (message,), found = scanned(tmp_path / "k.so", bytes(data))
    assert "its header is damaged" in message
    assert found
