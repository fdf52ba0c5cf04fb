"""Puts this folder on the path, so that tests of every folder find ``run``; keeps what a run leaves out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""Every test that was found, before any was left out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)
