"""Runs the program as a user does: a process of its own, in a pipe or on a terminal; holds outputs against files."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PROGRAM = [sys.executable, "-P", "-c", "from smemdesc.cli import main; main()"]
_SHOWN = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "PYTHONUNBUFFERED")
_TERMINAL = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


class Ran(NamedTuple):
    """What a run left behind."""

    out: str
    err: str
    status: int


def held(golden: Path, name: str, out: str) -> None:
    """Compare an output with the file of that name in a folder; ``UPDATE_GOLDEN=1`` writes it anew instead."""
    path = golden / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(out)
    assert out == path.read_text()


def environment(**more: str) -> dict[str, str]:
    """The environment without what decides about colour and width, but for what is given."""
    return {**{key: value for key, value in os.environ.items() if key not in _SHOWN}, **more}


def smemdesc(*arguments: str, stdin: str | bytes = "", **env: str) -> Ran:
    """Run the program with its output in a pipe."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*PROGRAM, *arguments], input=given, capture_output=True, env=environment(**env), check=False, timeout=60
    )
    return Ran(done.stdout.decode(), done.stderr.decode(), done.returncode)


def on_terminal(*arguments: str, columns: int = 80, **env: str) -> Ran:
    """Run the program on a terminal of so many columns; everything it writes there is ``out``."""
    pid, fd = pty.fork()
    if not pid:
        os.environ.clear()
        os.environ.update(environment(**{**_TERMINAL, "COLUMNS": str(columns), **env}))
        os.execv(PROGRAM[0], [*PROGRAM, *arguments])
    chunks = []
    while True:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    _, status = os.waitpid(pid, 0)
    os.close(fd)
    return Ran(b"".join(chunks).decode().replace("\r\n", "\n"), "", os.waitstatus_to_exitcode(status))
