"""Who decides about colour: the option, then NO_COLOR, then FORCE_COLOR, then the terminal."""

from __future__ import annotations

import pytest
from run import on_terminal, smemdesc

VALUE = "0x4000404000010040"


@pytest.mark.parametrize(
    ("option", "env", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_in_a_pipe(option: list[str], env: dict[str, str], coloured: bool) -> None:
    assert ("\x1b" in smemdesc("decode", *option, VALUE, **env).out) is coloured


@pytest.mark.parametrize(
    ("option", "env", "coloured"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {}, False),
    ],
)
def test_on_a_terminal(option: list[str], env: dict[str, str], coloured: bool) -> None:
    assert ("\x1b" in on_terminal("decode", *option, VALUE, **env).out) is coloured


def test_colour_in_a_pipe_breaks_no_line() -> None:
    plain = smemdesc("decode", VALUE).out
    painted = smemdesc("decode", "--color", "always", VALUE).out
    assert len(painted.splitlines()) == len(plain.splitlines())
