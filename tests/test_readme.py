"""The README's blocks are what the program prints. ``UPDATE_GOLDEN=1 pytest`` writes them anew."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CONSOLE = re.compile(r"(?ms)^```console\n(.*?)^```$")
BLOCKS = CONSOLE.findall(README.read_text())


def run(command: str) -> str:
    """Return what a shell prints for a command, with this environment's program first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env={**environment, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def played(block: str) -> str:
    """Return a console block with the output that its commands have now."""
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{run(command)}" for command in commands)


@pytest.mark.parametrize("block", BLOCKS, ids=[block.splitlines()[0][:60] for block in BLOCKS])
def test_console_block(block: str) -> None:
    now = played(block)
    if os.environ.get("UPDATE_GOLDEN"):
        README.write_text(README.read_text().replace(block, now))
        return
    assert now == block


def test_python_block() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert tried >= 5
    assert not failed


def test_the_two_commands_are_there() -> None:
    blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", README.read_text())
    assert any("pip install" in block and block.rstrip().endswith("smemdesc 0x4000404000010040") for block in blocks)
    assert any("'.[test]'" in block and block.rstrip().endswith("pytest") for block in blocks)
