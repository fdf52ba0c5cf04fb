"""What a command takes follows what it shows, not the sizes that it is given; what cannot be shown is refused."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from click.testing import CliRunner

from smemdesc.cli import cli

SCALES = ["layout", "scales", "{}", "--mma-kind", "mxf8f6f4"]
OPERAND = ["decode", "0x4000404000010000", "--dtype", "bf16", "--major", "K", "--shape", "{}"]
PADDING = ["mask", "conv", "--q", "{}", "--m", "128", "--n", "128", "--tile", "0", "--left", "2", "--filter", "3"]
LARGE, HUGE = "4096x4096", "131072x131072"
ASKED = [
    (SCALES, LARGE, HUGE),
    ([*SCALES, "--svg", "-"], LARGE, HUGE),
    ([*SCALES, "--show", "1000", "--svg", "-"], LARGE, HUGE),
    ([*SCALES, "--at", "4000,4000"], LARGE, HUGE),
    ([*SCALES, "--byte", "4000", "--json"], LARGE, HUGE),
    ([*SCALES, "--lane", "3", "--column", "40"], LARGE, HUGE),
    (OPERAND, LARGE, HUGE),
    (["plan", "128x128x64", "--dtype", "bf16", "--stages", "{}"], "9", "999999999999"),
    (PADDING, "255", "999999999"),
]


def calls(arguments: list[str]) -> int:
    """Return how many functions a command calls."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        done = CliRunner().invoke(cli, arguments)
    finally:
        sys.setprofile(None)
    assert done.exit_code == 0
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "ordinary", "huge"), ASKED, ids=[" ".join(asked) for asked, *_ in ASKED])
def test_cost_follows_what_is_shown(asked: list[str], ordinary: str, huge: str) -> None:
    first, one, other = ([each.format(size) for each in asked] for size in (ordinary, ordinary, huge))
    calls(first)  # what is imported and made once
    assert calls(other) < 1.5 * calls(one)
