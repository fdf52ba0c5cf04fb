"""The tests that a command has which shows things: its whole outputs, held against files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from run import held, on_terminal, smemdesc

Test = Callable[..., None]


def goldens(folder: Path, runs: Mapping[str, Sequence[str]], narrow: Sequence[str]) -> tuple[Test, Test, Test]:
    """Return tests of the whole output of each run, that no file is left over, and that those named in ``narrow`` keep
    within 80 columns of a terminal."""

    @pytest.mark.parametrize("name", runs)
    def whole_output(name: str) -> None:
        ran = smemdesc(*runs[name])
        assert (ran.err, ran.status) == ("", 0)
        held(folder, name, ran.out)

    def every_file_is_used() -> None:
        assert {path.stem for path in folder.glob("*.txt")} == set(runs)

    @pytest.mark.parametrize("name", narrow)
    def a_terminal_is_never_overrun(name: str) -> None:
        assert max(map(len, on_terminal(*runs[name], columns=80, NO_COLOR="1").out.splitlines())) <= 80

    return whole_output, every_file_is_used, a_terminal_is_never_overrun
