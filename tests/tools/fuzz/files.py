"""Random files through ``scan``: damaged dumps in every form that tools print, alone and in archives, in every format.

    python -m fuzz.files [SECONDS] [SEED]        (from the folder tests/tools)

What must hold, beside what :mod:`fuzz.lines` asks of a command line: JSON and SARIF are whole, and ``--annotate``
keeps each line of a dump.
"""

from __future__ import annotations

import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.dumps import dumps
from programs import loading

from . import lines
from .command import run as by_command
from .damage import damaged
from .lines import Ran, run

LONGEST = 30_000
EACH = 14
"""Of so many dumps one is taken."""
VIEWS: tuple[tuple[str, ...], ...] = (
    (),
    ("--all",),
    ("--json",),
    ("--format", "short"),
    ("--format", "sarif"),
    ("--format", "github"),
    ("--annotate",),
    ("--annotate", "--arch", "sm_100a"),
    ("--at", "k+0x40"),
    ("--at", "k+0x" + "f" * 30),
    ("--at", "\x1b[2J+0x10"),
    ("--at", "0x7ffddb7ad740"),
    ("--at", "1"),
    ("--only", "error", "--sort", "findings"),
    ("--function", "*[", "--all"),
    ("--kind", "idesc", "--json"),
    ("--strict",),
)
NAMES = ("k.txt", "k.sass", "\u202ek.ptx", "k\nerror: faked.sass", "k\x1b[2J.ll", "%s.mlir", "-k.sass", "k.zip")


@cache
def texts() -> list[bytes]:
    """Return dumps: of each language, and SASS as debuggers and profilers print it."""
    generator = random.Random(3)
    found = []
    for family in ("wgmma", "tcgen05", "triton"):
        for place, (name, text, _) in enumerate(dumps(family)):
            if place % EACH:
                continue
            found.append(text[:LONGEST].encode())
            if name.endswith(".sass"):
                rows = text.split("\n")
                begin = next((at for at, line in enumerate(rows) if "/*0000*/" in line), 0)
                some = [line for line in rows[begin : begin + 200] if "`(" not in line and not line.endswith(":")]
                instructions = loading.code("\n".join(some))
                found += [form(instructions, generator).encode() for form in loading.FORMS]
    return found


def _zip(data: bytes, generator: random.Random) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", generator.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name in generator.sample(NAMES, 2):
            archive.writestr(name, data)
    return made.getvalue()


def _tar(data: bytes, generator: random.Random) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=generator.choice(("w", "w:gz"))) as archive:
        member = tarfile.TarInfo(generator.choice(NAMES))
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def _library(data: bytes, generator: random.Random) -> bytes:
    head = f"{'k.o/':<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n".encode()
    return b"!<arch>\n" + head + data


def _bare(data: bytes, generator: random.Random) -> bytes:
    return data


HOLDERS: tuple[Callable[[bytes, random.Random], bytes], ...] = (_bare, _bare, _bare, _bare, _zip, _tar, _library)


Case = tuple[bytes, tuple[str, ...], bool, str]


def cases(seed: int) -> Iterator[Case]:
    """Yield files, how they are to be shown, whether they are the text alone, and their names, without end."""
    generator = random.Random(seed)
    while True:
        data = generator.choice(texts())
        if generator.random() < 0.7:
            data = damaged(data, generator)
        holder = generator.choice(HOLDERS)
        made = holder(data, generator)
        if holder is not _bare and generator.random() < 0.4:
            made = damaged(made, generator)
        yield made, generator.choice(VIEWS), holder is _bare, generator.choice(NAMES)


def wrong(data: bytes, view: tuple[str, ...], bare: bool, ran: Ran) -> str:
    """Say what of a run must not be; empty where all is well."""
    why = lines.wrong(ran)
    if why:
        return why
    try:
        if "--json" in view:
            for line in ran.out.splitlines():
                json.loads(line)
        elif "sarif" in view and ran.out:
            assert json.loads(ran.out)["version"] == "2.1.0"
    except ValueError as problem:
        return f"no JSON: {problem}"
    if "--annotate" in view and bare and ran.out:
        shown = ran.out.count("\n")
        if shown < data.rstrip(b"\n").count(b"\n"):
            return f"{data.count(bytes([10]))} lines became {shown}"
    return ""


def fault(data: bytes, view: tuple[str, ...], bare: bool, name: str) -> str:
    """Say what of a scan of a file must not be; empty where all is well."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return wrong(data, view, bare, run(["scan", *view, "--jobs", "1", str(path)]))


def report(data: bytes, view: tuple[str, ...], bare: bool, name: str, why: str) -> str:
    """Keep a file that goes wrong, and return how."""
    kept = Path(f"file-{sha256(data).hexdigest()[:12]}")
    kept.write_bytes(data)
    return f"{why}: smemdesc scan {' '.join(view)} {kept}"[:400]


if __name__ == "__main__":
    by_command(cases, fault, report)
