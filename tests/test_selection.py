"""No test is lost: the README's command and ``pytest -m corpus``, which .ci/run runs both, have them all."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
import warnings
from pathlib import Path

import pytest
from conftest import COLLECTED

ROOT = Path(__file__).parent.parent
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


CHECKS = (ROOT / ".ci" / "run").read_text()
MOST = "not corpus and not browser"
LEFT_OUT = ("corpus", "browser")
"""Markers of what the plain command leaves out."""


def test_all_but_the_corpus_is_run(request: pytest.FixtureRequest) -> None:
    if request.config.option.markexpr != MOST or request.config.option.keyword:
        pytest.skip("another selection was asked for")
    left_out = set(request.config.stash[COLLECTED]) - set(request.session.items)
    assert [item.nodeid for item in left_out if not any(map(item.get_closest_marker, LEFT_OUT))] == []
    assert [item.nodeid for item in request.session.items if any(map(item.get_closest_marker, LEFT_OUT))] == []


def test_every_file_is_collected(request: pytest.FixtureRequest) -> None:
    if request.config.args != OPTIONS["testpaths"] or request.config.option.keyword:
        pytest.skip("only some tests were asked for")
    assert "-k" not in OPTIONS["addopts"]
    assert {item.path for item in request.config.stash[COLLECTED]} == set((ROOT / "tests").rglob("test_*.py"))


def test_a_warning_is_an_error() -> None:
    with pytest.raises(UserWarning, match="to be heard"):
        warnings.warn("to be heard", stacklevel=1)


@pytest.mark.parametrize(
    "run",
    ["env SMEMDESC_EXAMPLES=all .* -m corpus", "env SMEMDESC_EXAMPLES=all .* -m 'property and ", ".* -m browser"],
)
def test_what_is_left_out_is_run_by_the_checks(run: str) -> None:
    assert re.search(rf"(?m)^ *said {run}", CHECKS)


@pytest.mark.parametrize(
    ("seconds", "left_out"),
    [(0, ["the page"]), (1000, ["the page", "seven eighths of the examples of the properties"])],
)
def test_what_the_checks_leave_out_is_named_at_their_end(seconds: int, left_out: list[str]) -> None:
    """As late as that, and without a browser; the runs themselves do nothing."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash is installed")
    end = CHECKS.partition("\nleft_out=\n")
    script = f"set -euo pipefail; said() {{ :; }}; SECONDS={seconds}; {end[1]}{end[2]}"
    done = subprocess.run([bash, "-c", script], env={"PATH": "/nowhere"}, capture_output=True, text=True, check=True)
    assert [line.partition(";")[0] for line in done.stdout.splitlines()] == [f"left out: {each}" for each in left_out]
