"""An nvdisasm that replays what the real one printed of the objects, and others that fail as programs do."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from smemdesc.scanning.inputs.binaries.elf import FAT_BINARY
from smemdesc.scanning.model import Part, ScannedMma, ScannedOperand

OBJECTS = Path(__file__).parents[2] / "scanning" / "objects"
RECORD = OBJECTS.parent / "binaries" / "printed.json"
"""What nvdisasm prints of the objects."""
_REPLAY = """
import hashlib, json, sys
*options, path = sys.argv[1:]
data = open(path, "rb").read()
data = data[:16] + bytes((2,)) + data[17:]  # relocatable or linked: it prints the same
record = json.load(open({record!r}))
options = [each for each in options if each != "-g"]  # these objects have no lines of a source
assert options[0] == "-c"
sys.stdout.write(record[hashlib.sha256(data.rstrip(bytes(1))).hexdigest()][",".join(options[2:])])
"""
WRONG = {
    "fails": "import sys; sys.stderr.write('nvdisasm fatal   : \\x1b[31mno such \\u202egpu'); sys.exit(1)",
    "crashes": "import os; os.kill(os.getpid(), 11)",
    "stops half way": "print('\\t.section .text.k\\n  /*0000*/  NOP ;', flush=True); raise SystemExit(3)",
}
"""What it does wrong, by what that is called."""


def nvdisasm(folder: Path, code: str | None = None) -> str:
    """Write an nvdisasm into a folder, and return the folder as ``--cuda-bin`` takes it; ``code``: what it does."""
    folder.mkdir(exist_ok=True)
    program = folder / "nvdisasm"
    program.write_text(f"#!{sys.executable} -SE\n" + (code or _REPLAY.format(record=str(RECORD))))
    program.chmod(0o755)
    return str(folder)


def claims(part: Part) -> list[object]:
    """Return what was found, with lines from the beginning of each function."""

    def add_offset(each: ScannedOperand | None, first: int) -> ScannedOperand | None:
        return each and each._replace(lost=each.lost and each.lost - first)

    def instruction(mma: ScannedMma, first: int) -> list[object]:
        return [mma.line - first, *mma[1:3], *(add_offset(each, first) for each in mma[3:7])]

    return [(of.name, of.odd, [instruction(mma, of.line) for mma in of.mmas]) for of in part.functions]


def entry(data: bytes) -> bytes:
    """Return a fat binary of a cubin."""
    data += bytes(-len(data) % 8)
    header = struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, len(data), *(0,) * 10)
    return FAT_BINARY + struct.pack("<Q", len(header) + len(data)) + header + data


def relocatable(data: bytes) -> bytes:
    """Return a cubin as one that is yet to be linked."""
    return data[:16] + b"\1" + data[17:]


def host(sections: Mapping[str, bytes]) -> bytes:
    """Return an ELF file of the host with these sections, in their order."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in sections)
    at, name, body, table = 64, 1, b"", bytes(64)
    for called, data in {**sections, "": names}.items():
        table += struct.pack("<IIQQQQIIQQ", name if called else 0, 1, 0, 0, at + len(body), len(data), 0, 0, 1, 0)
        name += len(called) + 1
        body += data
    many = len(sections) + 2
    head = struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, at + len(body), 0, 64, 56, 0, 64, many, many - 1)
    return b"\x7fELF\2\1\1".ljust(16, b"\0") + head + body + table


def archive(*members: bytes) -> bytes:
    """Return an archive of objects."""
    return b"!<arch>\n" + b"".join(
        b"%-48s%-10d`\n" % (b"k.o/", len(data)) + data + b"\n" * (len(data) % 2) for data in members
    )


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
