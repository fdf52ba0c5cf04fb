"""Characters that are not seen, anywhere in a dump, lose no bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from run import smemdesc

ROOT = Path(__file__).parents[2]
DUMPS = [
    ROOT / "examples" / "data" / name
    for name in ("gemm_sm90.sass", "gemm_sm100.sass", "k_loop_sm100.ptx", "matmul_sm90.ptx")
] + sorted((ROOT / "tests" / "scanning" / "forms").glob("custom.mlir"))
UNSEEN = [
    *("\0", "\a", "\b", "\v", "\f", "\x01", "\x1f", "\x7f", "\x85", "\xad", "\u200b", "\u200d", "\u202e", "\u2028"),
    *("\u2060", "\ufe0f", "\ufeff", "\x1b[0m", "\x1b[38;5;1m", "\x1b[?25h", "\x1b]8;;http://a\x1b\\", "\x1b(B"),
]
BLANKS = "\v\f\x85\u2028"
PLACES: dict[str, Callable[[str, str], str]] = {
    "at the end of each line": lambda line, char: line + char,
    "at the beginning of each line": lambda line, char: char + line,
    # Those that are read as a blank stand in its place: two in a row are no MLIR, and said to be none.
    "beside each blank": lambda line, char: line.replace(" ", char if char in BLANKS else " " + char),
}


def told(dump: str | bytes) -> str:
    ran = smemdesc("scan", "--json", "-", stdin=dump)
    assert ran.status == 0, ran.err
    return ran.out


@pytest.mark.slow
@pytest.mark.parametrize("path", DUMPS, ids=lambda path: path.name)
@pytest.mark.parametrize("place", PLACES)
def test_what_is_not_seen_loses_no_bit(path: Path, place: str) -> None:
    lines = path.read_text().split("\n")
    usual = told("\n".join(lines))
    assert usual
    lost = [ascii(char) for char in UNSEEN if told("\n".join(PLACES[place](line, char) for line in lines)) != usual]
    assert not lost
