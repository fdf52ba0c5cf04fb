"""The programs that were started and run: whoever is ended ends them.

It stands alone, for a signal may come while any other module is half imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

RUNNING: set[subprocess.Popen[bytes]] = set()
"""The processes that are under way."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals that end the program wait: for a moment in which what they raise would be lost, or leave a file."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
