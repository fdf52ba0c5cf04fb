"""An nvdisasm that replays what the real one printed of the objects, and others that fail as programs do."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from smemdesc.scanning.model import Mma, Operand, Part

OBJECTS = Path(__file__).parents[1] / "objects"
_REPLAY = """
import hashlib, json, sys
*options, path = sys.argv[1:]
data = open(path, "rb").read()
record = json.load(open({record!r}))
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
    program.write_text(f"#!{sys.executable} -SE\n" + (code or _REPLAY.format(record=str(OBJECTS / "printed.json"))))
    program.chmod(0o755)
    return str(folder)


def claims(part: Part) -> list[object]:
    """Return what was found, with lines from the beginning of each function."""

    def add_offset(each: Operand | None, first: int) -> Operand | None:
        return each and each._replace(lost=each.lost and each.lost - first)

    def instruction(mma: Mma, first: int) -> list[object]:
        return [mma.line - first, *mma[1:3], *(add_offset(each, first) for each in mma[3:7])]

    return [(of.name, of.odd, [instruction(mma, of.line) for mma in of.mmas]) for of in part.functions]


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
