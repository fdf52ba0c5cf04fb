"""Sessions that were recorded in cuda-gdb, to be run again without one.

``run.py`` records them: for each kernel the commands, and what the script asked and was told.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[3] / "silicon" / "debugger"
RECORD = FOLDER / "record" / "asked.json.xz"


class Command(NamedTuple):
    """What was typed, and the questions with their answers, in their order."""

    text: str
    asked: tuple[tuple[dict[str, Any], dict[str, Any]], ...]


@cache
def sessions() -> dict[str, tuple[Command, ...]]:
    """Return the commands of each kernel."""
    stored = json.loads(lzma.decompress(RECORD.read_bytes()))
    return {kernel: tuple(_commands(lines)) for kernel, lines in stored.items()}


def _commands(lines: list[dict[str, Any]]) -> Iterator[Command]:
    starts = [place for place, line in enumerate(lines) if "command" in line]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        rest = lines[start + 1 : end]
        yield Command(lines[start]["command"], tuple(zip(rest[::2], rest[1::2], strict=True)))
