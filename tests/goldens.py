"""The commands whose whole outputs are held against files: the table ``golden/commands.txt``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from run import GOLDENS

_ROW = re.compile(
    r"(?P<name>[\w-]+)(?:, (?P<columns>\d+) columns(?P<color> in color)?|(?P<fits>, fits))?: (?P<words>.*)"
)


class Command(NamedTuple):
    """A row of the table."""

    view: str
    """The folder of its file."""
    name: str
    words: list[str]
    columns: int = 0
    """Those of its terminal; 0: it writes into a pipe."""
    color: bool = False
    fits: bool = False
    """Whether a terminal of 80 columns is not overrun, either."""


def _commands() -> Iterator[Command]:
    view = ""
    for line in (GOLDENS / "commands.txt").read_text().splitlines():
        if line.startswith("["):
            view = line.strip("[]")
        elif line and not line.startswith("#"):
            row = _ROW.fullmatch(line)
            assert row, line
            words, columns = shlex.split(row["words"]), int(row["columns"] or 0)
            yield Command(view, row["name"], words, columns, bool(row["color"]), bool(row["fits"]))


COMMANDS = {f"{command.view}/{command.name}": command for command in _commands()}


def words(name: str) -> list[str]:
    """Return the words of a command, by view and name: ``tmem/layout-a``."""
    return COMMANDS[name].words
