"""What is longer than a terminal goes through a pager there, and nowhere else."""

from __future__ import annotations

import pytest
from run import on_terminal, smemdesc

LONG = ["layout", "operand", "0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "128x16"]
SHORT = ["0x4000404000010040"]
MARKS = "sed s/^/>/"


def paged(*arguments: str, **env: str) -> bool:
    out = on_terminal(*arguments, **{"PAGER": MARKS, "LINES": "30", **env}).out
    marked = {line.startswith(">") for line in out.splitlines()}
    assert len(marked) == 1
    return marked.pop()


@pytest.mark.parametrize(
    ("arguments", "env", "is_paged"),
    [
        (LONG, {}, True),
        (LONG, {"LINES": "500"}, False),
        (LONG, {"PAGER": "cat"}, False),
        (LONG, {"PAGER": ""}, False),
        (LONG, {"SMEMDESC_PAGER": "cat"}, False),
        (LONG, {"PAGER": "cat", "SMEMDESC_PAGER": MARKS}, True),
        (LONG, {"TERM": "dumb"}, False),
        ([*LONG, "--no-pager"], {}, False),
        (["--no-pager", *LONG], {}, False),
        ([*LONG, "--json"], {}, False),
        (SHORT, {}, False),
        ([*SHORT, *SHORT], {}, True),  # each alone is not
        (["fields", "wgmma"], {}, True),
        (["explain"], {}, True),
        (["plan", "128x128x64", "--dtype", "bf16"], {}, True),
    ],
)
def test_what_is_paged(arguments: list[str], env: dict[str, str], is_paged: bool) -> None:
    assert paged(*arguments, **env) == is_paged


def test_a_pipe_is_never_paged() -> None:
    assert smemdesc(*LONG, PAGER=MARKS).out == smemdesc(*LONG, PAGER="cat").out


def test_an_error_comes_after_what_was_shown_before_it() -> None:
    out = on_terminal(*SHORT, "0x1_", *SHORT, PAGER=MARKS, LINES="10", NO_COLOR="1").out
    assert [line[:1] for line in out.splitlines() if "shared-memory descriptor" in line or "error" in line] == list(
        ">e>"
    )


def test_the_pager_is_asked_what_git_asks_of_it() -> None:
    assert on_terminal(*LONG, PAGER="printenv LESS").out == "-FRX\n"
    assert on_terminal(*LONG, PAGER="printenv LESS", LESS="-S").out == "-S\n"


def test_the_pager_gets_what_the_terminal_would() -> None:
    shown = on_terminal(*LONG).out
    assert "\x1b[" in shown
    assert on_terminal(*LONG, PAGER="dd status=none").out == shown
