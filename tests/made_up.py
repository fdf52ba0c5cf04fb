"""A copy of the package whose tables have rows that nobody made, and what its commands and its pages say.

As a program, ``python made_up.py PACKAGE``: it runs the commands that it reads as JSON with that copy, then makes every
page, and prints what each said.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
ROWS = (
    # In no tensor map; CuTe has no such Swizzle<B,M,S>.
    ("modes.py", "MODES", 'SwizzleMode("256B", 256, 8, (3, 4, 4), 2048, 8, None, 7, triton=256, mlir="256b")'),
    ("modes.py", "MODES", 'SwizzleMode("512B", 512, 8, (3, 4, 5), 4096, 8, None, 5, f"{TMA_PREFIX}512B", 7)'),
    ("chips.py", "CHIPS", 'Chip("sm_199", "tcgen05", None, 199, "", ("madeup",), parameters=None)'),
)
"""The file in ``kinds``, the table, and the row at its end: two swizzle modes and an architecture."""


class Said(NamedTuple):
    """What a command wrote, and its status; ``problem``: what it raised."""

    out: str
    status: int
    problem: str


def package(folder: Path) -> Path:
    """Copy the package into a folder, with the rows."""
    copy = folder / "smemdesc"
    shutil.copytree(ROOT / "smemdesc", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for file, table, row in ROWS:
        path = copy / "kinds" / file
        text, found = re.subn(rf"(?ms)^({table} = \(\n.*?)^\)$", rf"\g<1>    {row},\n)", path.read_text(), count=1)
        assert found == 1, f"{file} has no table {table}"
        path.write_text(text)
    return folder


def ask(package: Path, folder: Path, commands: Sequence[Sequence[str]]) -> tuple[list[Said], dict[str, str]]:
    """Run commands with a copy of the package, in a folder; return what each said, and every page."""
    done = subprocess.run(
        [sys.executable, "-P", __file__, str(package)],
        input=json.dumps(commands),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers, pages = json.loads(done.stdout)
    return [Said(*each) for each in answers], pages


def _said(arguments: Sequence[str]) -> Said:
    from click.testing import CliRunner

    from smemdesc.cli import cli

    done = CliRunner().invoke(cli, arguments, input="")
    internal = done.exception is not None and not isinstance(done.exception, SystemExit)
    problem = "".join(traceback.format_exception(done.exception)[-3:]) if internal else ""
    return Said(done.output, done.exit_code, problem)


def _pages() -> dict[str, Any]:
    from generate import pages

    from smemdesc.integrations.page.commands import page_forms

    return {**{name: page() for name, page in pages().items()}, "forms": json.dumps(page_forms())}


if __name__ == "__main__":
    sys.path[:0] = [sys.argv[1], str(ROOT / "docs")]
    answers = [_said(arguments) for arguments in json.load(sys.stdin)]
    print(json.dumps([answers, _pages()]))
