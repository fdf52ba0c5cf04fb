"""The work that a stream does for each value, in calls; ``tests/bench/speed.py`` measures times."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from types import FrameType
from typing import Any

import pytest

from smemdesc.render.stream import Stream

LEARNED, COUNTED = 20_000, 2_000


def calls(stream: Stream, texts: Iterable[str]) -> int:
    """Return how often Python, or what is written in C, is called for these values."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        for text in texts:
            stream.line(text)
    finally:
        sys.setprofile(None)
    return count


def k_loop(start: int) -> list[str]:
    return [f"0x{0x4000404000010000 + start + 2 * step:016x}" for step in range(4)]


RANDOM = random.Random(1)
STREAMS = {
    "random 64-bit values": ([f"0x{RANDOM.getrandbits(64):016x}" for _ in range(LEARNED + COUNTED)], 50),
    "K loops": ([each for start in range(0, 0x1000, 8) for each in k_loop(start)] * 2, 8.1),
    "the same again": (["0x4000404000010040", "0x08200490"] * 2000, 7.1),
}
"""Values, and how many calls each may take."""


@pytest.mark.parametrize("name", STREAMS)
def test_calls_for_each_value(name: str) -> None:
    texts, most = STREAMS[name]
    stream = Stream()
    learned, counted = texts[:-COUNTED], texts[-COUNTED:]
    for text in learned:
        stream.line(text)
    done = calls(stream, counted) / len(counted)
    assert done <= most
    assert done > most / 2, "the bound can be lower"
