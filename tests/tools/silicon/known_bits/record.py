"""The record: what every kernel computed, and the machine code of it. Needs nothing but the standard library.

Compressed JSON: ``header``; ``sass``, a dump of each cubin that ran, by the optimisation; ``values``, by that and the
kernel: the AND and the OR of the first value over all threads and launches, those of the second, and a digest.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
BUILD = HERE / "build"
RECORDS = HERE.parents[2] / "silicon" / "known_bits" / "record"
RECORD = RECORDS / "nvidia-h100-80gb-hbm3.json.xz"
"""The one that has all kernels."""
LEVELS = ("O0", "O1", "O3")
"""Of optimisation by ptxas."""
WAYS = "ways-"
"""Stands before the level of the kernels of :mod:`silicon.known_bits.ways`."""
STEPS = "steps-"
"""The same for :mod:`silicon.known_bits.steps`."""
ROLLED = "rolled-"
"""The same for :mod:`silicon.known_bits.rolled`."""
FRAMES = "frames-"
"""The same for :mod:`silicon.known_bits.frames`."""


class Seen(NamedTuple):
    """A 64-bit value: the bits that were always 1, and those that ever were."""

    always: int
    ever: int


class Values(NamedTuple):
    """Both values of a kernel, and the digest of those of a few warps (see host.cu)."""

    a: Seen
    b: Seen
    digest: int


class Record(NamedTuple):
    """A whole record; ``values`` by level and kernel."""

    header: dict[str, Any]
    sass: dict[str, str]
    values: dict[str, dict[str, Values]]


def write(
    path: Path,
    header: Mapping[str, Any],
    sass: Mapping[str, str],
    values: Mapping[str, Mapping[str, Values]],
) -> None:
    """Write a record."""
    stored = {
        level: {
            name: [f"{number:x}" for number in (*found.a, *found.b, found.digest)] for name, found in kernels.items()
        }
        for level, kernels in values.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"header": header, "sass": sass, "values": stored}, separators=(",", ":"))
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def values_of(numbers: list[str]) -> Values:
    """Read five hexadecimal numbers."""
    a, b, c, d, digest = (int(text, 16) for text in numbers)
    return Values(Seen(a, b), Seen(c, d), digest)


def read(path: Path = RECORD) -> Record:
    """Read a record."""
    stored = json.loads(lzma.decompress(path.read_bytes()))
    values = {
        level: {name: values_of(numbers) for name, numbers in kernels.items()}
        for level, kernels in stored["values"].items()
    }
    return Record(stored["header"], stored["sass"], values)
