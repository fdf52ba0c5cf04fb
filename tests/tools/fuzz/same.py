"""Whether two checkouts answer alike: a change of the house is one that nobody notices.

    python -m fuzz.same OTHER [COUNT [SEED]]        (from the folder tests/tools)

Runs the command lines of all help texts, every dump of the corpora (text and JSON), and COUNT random command
lines (10,000) with the package of this checkout and of that in the folder OTHER. Prints what differs; status 1 where
something does.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

FORMATS = ("text", "json")
TESTS = Path(__file__).parents[2]


def lines(count: int, seed: int, dumps: Path) -> list[tuple[list[str], str]]:
    """Return command lines with their standard input; the dumps are unpacked into a folder."""
    sys.path.insert(0, str(TESTS / "tools"))
    from fuzz.lines import cases, commands, examples

    out = [(words, "") for words in examples(commands())]
    for archive in sorted(TESTS.rglob("*.tar.xz")):
        with tarfile.open(archive, "r:xz") as box:
            for member in filter(tarfile.TarInfo.isfile, box):
                member.name = f"{archive.name}-{member.name.replace('/', '-')}"
                box.extract(member, dumps, filter="data")
                out += [(["scan", member.name, "--format", each], "") for each in FORMATS]
    out += islice(cases(seed), count)
    return [each for each in out if "gdb" not in each[0]]  # it prints where its package is


def answer(asked: list[tuple[list[str], str]]) -> list[tuple[int, str, str]]:
    """Return status, output and errors of each command line, run by the package that is on the path."""
    from smemdesc import cli

    found = []
    for arguments, stdin in asked:
        given = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogateescape")), "utf-8", "surrogateescape")
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in "oe")
        streams: Any = patch.multiple(sys, stdin=given, stdout=out, stderr=err, argv=["smemdesc", *arguments])
        with streams, patch("socketserver.BaseServer.serve_forever"), patch("webbrowser.open"):
            status = cli.run()
        found.append((status, *(each.buffer.getvalue().decode() for each in (out, err))))  # type: ignore[attr-defined]
    return found


def _answers(checkout: Path, asked: Path, folder: Path) -> list[list[Any]]:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-P", __file__, "--answer", str(asked)],
        cwd=folder, env=environment, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def main(other: str, count: int = 10_000, seed: int = 0) -> int:
    """Compare, print what differs, and return the status."""
    with TemporaryDirectory(prefix="same-") as folder:
        mine, theirs, path = (Path(folder, name) for name in ("mine", "theirs", "asked.json"))
        mine.mkdir()
        asked = lines(count, seed, mine)
        path.write_text(json.dumps(asked))
        shutil.copytree(mine, theirs)  # some of the lines write files, which the other checkout is not to find
        here, there = _answers(TESTS.parent, path, mine), _answers(Path(other).resolve(), path, theirs)
    differing = 0
    for (arguments, _), one, two in zip(asked, here, there, strict=True):
        if one != two:
            differing += 1
            print(f"{arguments}\n  here:  {one!r:.2000}\n  there: {two!r:.2000}")
    print(f"{len(asked)} command lines, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        print(json.dumps(answer(json.loads(Path(sys.argv[2]).read_text()))))
    else:
        sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
