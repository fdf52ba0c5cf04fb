"""No test is lost: the README's command has all but those of the corpora, the browser and what takes long."""

from __future__ import annotations

import tomllib
import warnings
from pathlib import Path

import pytest
from conftest import COLLECTED

ROOT = Path(__file__).parent.parent
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]


MOST = "not corpus and not browser and not slow"
LEFT_OUT = ("corpus", "browser", "slow")
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
