"""Values typed on a terminal: its end is given once, and read once."""

from __future__ import annotations

import io
import sys

import pytest

from smemdesc.cli.support import pasted


class Typed(io.RawIOBase):
    """What somebody types, and then the end of a terminal: whoever reads on waits for more."""

    def __init__(self, *lines: bytes) -> None:
        self.lines = [*lines, b""]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self.lines:
            raise AssertionError("a second end is read")
        line = self.lines.pop(0)
        buffer[: len(line)] = line
        return len(line)


@pytest.mark.parametrize("lines", [(), (b"hello\n",), (b"0x40004040\n",), (b"hello\n", b"0x40004040\n")])
def test_the_end_is_read_once(monkeypatch: pytest.MonkeyPatch, lines: tuple[bytes, ...]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Typed(*lines))))
    assert pasted.command_for_input() is None
    assert [line.encode() for line in sys.stdin] == list(lines)
