"""What holds for every test; keeps what a run leaves out."""

from __future__ import annotations

import gc
import os
import signal
import sys

import pytest
from hypothesis import settings

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""Every test that was found, before any was left out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)


# The same examples in every run: what fails, fails for whoever runs it.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.load_profile("same")

# What is tested is compiled once, not by every process of every run: there are hundreds.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell's job in the background ignores the one, nohup the other, and so would what the tests start and end by them.
for name, handler in {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}.items():
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

# What is collected stays until the end: looking through it for what could go, again and again, takes a tenth of a run.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()
