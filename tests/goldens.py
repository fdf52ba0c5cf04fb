"""The tests that a command has which shows things: its whole outputs, held against files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from run import held, on_terminal, smemdesc

Test = Callable[..., None]
Drawn = tuple[Sequence[str], int, Mapping[str, str]]
"""A command, the columns of its terminal, and what is in its environment."""


def goldens(
    folder: Path, runs: Mapping[str, Sequence[str]], narrow: Sequence[str], drawn: Mapping[str, Drawn] | None = None
) -> tuple[Test, Test, Test]:
    """Return tests of the whole output of each run, in a pipe and (``drawn``) on a terminal, that no file is left over,
    and that those named in ``narrow`` keep within 80 columns of a terminal."""
    on_terminals = drawn or {}

    @pytest.mark.parametrize("name", [*runs, *on_terminals])
    def whole_output(name: str) -> None:
        if name in runs:
            ran = smemdesc(*runs[name])
            assert (ran.err, ran.status) == ("", 0)
        else:
            arguments, columns, env = on_terminals[name]
            ran = on_terminal(*arguments, columns=columns, **env)
        held(folder, name, ran.out)

    def every_file_is_used() -> None:
        assert {path.stem for path in folder.glob("*.txt")} == {*runs, *on_terminals}

    @pytest.mark.parametrize("name", narrow)
    def a_terminal_is_never_overrun(name: str) -> None:
        assert max(map(len, on_terminal(*runs[name], columns=80, NO_COLOR="1").out.splitlines())) <= 80

    return whole_output, every_file_is_used, a_terminal_is_never_overrun
