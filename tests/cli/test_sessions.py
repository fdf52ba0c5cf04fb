"""What is typed and what is answered, whole: what ``encode`` writes, and what each command refuses.

A file of ``golden/sessions`` is a table of commands. Below each stand its standard output, its standard error after
``!``, and its status where it is not 0. Add a line ``$ smemdesc ...``; ``UPDATE_GOLDEN=1 pytest`` writes the answers.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from run import GOLDENS, held, smemdesc
from samples import split

ROOT = Path(__file__).parents[2]
SESSIONS = GOLDENS / "sessions"


def answer(command: str) -> str:
    """Return a command with what it prints, and its status."""
    ran = smemdesc(*shlex.split(command)[1:])
    errors = "".join(f"! {line}\n" for line in ran.err.splitlines())
    return f"\n$ {command}\n{ran.out}{errors}" + (f"status {ran.status}\n" if ran.status else "")


@pytest.mark.parametrize(
    "name", split(sorted(path.stem for path in SESSIONS.glob("*.txt")), lambda name: name != "encode")
)
def test_session(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = re.findall(r"(?m)^(?:## |\$ smemdesc\b).*$", (SESSIONS / f"{name}.txt").read_text())
    answers = (f"\n{line}\n" if line.startswith("#") else answer(line[2:]) for line in lines)
    held("sessions", name, "".join(answers).lstrip("\n"))
