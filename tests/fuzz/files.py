"""Random files through ``scan``: damaged dumps in every form that tools print, alone and in archives, in every format.

    python -m fuzz.files [SECONDS] [SEED]        (from the folder tests)

What must hold, beside what :mod:`fuzz.lines` asks of a command line: JSON and SARIF are whole, and ``--annotate``
keeps each line of a dump.
"""

from __future__ import annotations

import io
import json
import random
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from scanning import loading
from scanning.corpus.dumps import dumps
from scanning.test_damaged import damaged

from .lines import Ran, run, wrong

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
                lines = text.split("\n")
                begin = next((at for at, line in enumerate(lines) if "/*0000*/" in line), 0)
                some = [line for line in lines[begin : begin + 200] if "`(" not in line and not line.endswith(":")]
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


def one(generator: random.Random) -> tuple[bytes, tuple[str, ...], bool]:
    """Return a file, how it is to be shown, and whether it is the text alone."""
    data = generator.choice(texts())
    if generator.random() < 0.7:
        data = damaged(data, generator)
    holder = generator.choice(HOLDERS)
    made = holder(data, generator)
    if holder is not _bare and generator.random() < 0.4:
        made = damaged(made, generator)
    return made, generator.choice(VIEWS), holder is _bare


def fault(data: bytes, view: tuple[str, ...], bare: bool, ran: Ran) -> str:
    """Say what of a run must not be; empty where all is well."""
    why = wrong(ran)
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


def attack(seconds: float, seed: int, rounds: int = sys.maxsize) -> Iterator[tuple[bytes, tuple[str, ...], str]]:
    """Yield the files that go wrong, with how they are shown and what is wrong."""
    generator = random.Random(seed)
    end = time.monotonic() + seconds
    with TemporaryDirectory() as folder:
        while time.monotonic() < end and rounds:
            rounds -= 1
            data, view, bare = one(generator)
            path = Path(folder, generator.choice(NAMES))
            path.write_bytes(data)
            try:
                why = fault(data, view, bare, run(["scan", *view, "--jobs", "1", str(path)]))
            except BaseException as problem:  # whatever it is, it is not to get out
                why = f"{type(problem).__name__}: {problem}"
            path.unlink()
            if why:
                yield data, view, why


if __name__ == "__main__":
    allowed, first = (float(sys.argv[1]) if len(sys.argv) > 1 else 60.0), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    broken = 0
    for data, view, why in attack(allowed, first):
        broken += 1
        kept = Path(f"file-{first}-{broken}")
        kept.write_bytes(data)
        print(f"{why}: smemdesc scan {' '.join(view)} {kept}"[:400], flush=True)
    sys.exit(1 if broken else 0)
