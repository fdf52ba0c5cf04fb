"""The README, the pages under docs/ and of the examples: their blocks, tables, links, and the shell they are run in."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import forking
from run import smemdesc

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SKILL = ROOT / "smemdesc" / "skills" / "smemdesc" / "SKILL.md"
DOCUMENTS = [README, SKILL, *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").rglob("README.md"))
CONSOLE = re.compile(r"(?ms)^```console\n(.*?)^```$")
CODE = re.compile(r"`[^`\n]*`")
"""Code inside a line: what looks like a link there is none."""
FENCED = re.compile(r"(?ms)^```.*?^```$")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
PICTURE = re.compile(r"<img[^>]* src=\"([^\"]+)\"")
USEFUL = ("jq",)
"""Programs that a block may call, and that a machine may lack."""


class Block(NamedTuple):
    """One console block of a document: commands after ``$``, and what they print."""

    document: Path
    text: str

    @property
    def name(self) -> str:
        return f"{self.document.relative_to(ROOT)}: {self.text.splitlines()[0][2:60]}"

    @property
    def missing(self) -> list[str]:
        """Programs that this block calls and that are not here."""
        return [each for each in USEFUL if re.search(rf"\| {each} ", self.text) and shutil.which(each) is None]

    @property
    def ran(self) -> list[tuple[str, str]]:
        """Its commands, each with what it prints."""
        return [(part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"(?m)^\$ ", self.text)[1:]]

    @property
    def commands(self) -> list[str]:
        return [line[2:] for line in self.text.splitlines() if line.startswith("$ ")]


def blocks() -> list[Block]:
    """Return the console blocks of all documents and of the examples."""
    return [Block(path, text) for path in (*DOCUMENTS, *EXAMPLES) for text in CONSOLE.findall(path.read_text())]


def without_gpu(command: str) -> str:
    """Return a command that asks a GPU as one that prints the kernel instead."""
    asks = re.search(r"smemdesc probe (?!--all)[^|]*$", command)
    return f"{command} --ptx" if asks and "--ptx" not in command else command


def links(document: Path) -> list[str]:
    """Return where a document's links and pictures point to inside the repository."""
    prose = CODE.sub("", FENCED.sub("", document.read_text()))
    return [link for link in LINK.findall(prose) + PICTURE.findall(prose) if "://" not in link]


def environment(*first: Path, **more: str) -> dict[str, str]:
    """Return the environment without colors, with these folders and this environment's program first on the path."""
    path = os.pathsep.join(map(str, (*first, forking.path(), Path(sys.executable).parent, os.environ["PATH"])))
    kept = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    return {**kept, "PATH": path, **more}


def run(command: str, folder: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell in a folder, with this environment's program first on the path; streams together.

    A call of the program alone needs no shell, nor a process, but to hold the order of the lines of both streams.
    """
    shell = environment(folder / "bin", **env)
    if _ALONE.fullmatch(command):
        with chdir(folder), patch.dict(os.environ, shell):
            ran = smemdesc(*shlex.split(command)[1:])
        if not ran.err:
            return subprocess.CompletedProcess(command, ran.status, ran.out)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=shell,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


_ALONE = re.compile(r"smemdesc [^|<>&;$`*?~{}#!\\\n]*")
"""A call without anything that a shell would read for itself but quotation marks."""
