"""Output longer than the terminal goes through a pager, as in git: LESS=FRX by default.

click's pager and rich's are not enough: click's takes one iterable of text and starts for a single line, too; rich's
shows nothing of a long scan before its end. With both, what goes to standard error is not in its place in the pager.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subprocess import Popen

PAGER = "SMEMDESC_PAGER"
"""The variable that overrides PAGER; --no-pager sets it to ``cat``."""


def _pager() -> str:
    return os.environ.get(PAGER, os.environ.get("PAGER", "less")).strip()


def _pages() -> bool:
    """Whether the output is a terminal, and the pager is not turned off."""
    try:
        on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not isinstance(sys.stdout, _Paged)
    except (AttributeError, ValueError):  # closed
        return False
    return on_terminal and _pager() not in ("", "cat") and os.environ.get("TERM") not in ("dumb", "emacs")


class _Paged:
    """Standard output, buffered until it fills the terminal, then sent through the pager.

    Standard error, if it is the same terminal, appears in order with it, as with git.
    """

    def __init__(self, lines: int, color: str) -> None:
        self.terminal, self.errors = sys.stdout, sys.stderr
        self.lines = lines
        less = os.environ.setdefault("LESS", "-FRX")
        self.colored = color == "always" or "R" in less.upper()
        self.waiting = ""
        self.out: IO[str] | None = None
        self.process: Popen[str] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.terminal, name)

    def write(self, text: str) -> None:
        if self.out is None:
            if self.errors is not None and self.errors.isatty():
                sys.stderr = self
            self.waiting += text
            if self.waiting.count("\n") < self.lines:
                return
            self.out, text = self._start(), self.waiting
        if not self.colored:
            from click import unstyle

            text = unstyle(text)
        self.out.write(text)

    def _start(self) -> IO[str]:
        """Return the stream to write to: the pager, or the terminal if no pager can be started."""
        from shlex import split
        from subprocess import PIPE, Popen

        try:
            self.process = Popen(split(_pager()), stdin=PIPE, encoding=self.terminal.encoding, errors="replace")
        except (OSError, ValueError):
            self.colored = True
            return self.terminal
        assert self.process.stdin is not None
        return self.process.stdin

    def flush(self) -> None:
        if self.out is not None:
            self.out.flush()

    def end(self) -> None:
        """Write the buffered text; if the pager was started, wait until the user quits it."""
        sys.stdout, sys.stderr = self.terminal, self.errors
        if self.out is None:
            self.terminal.write(self.waiting)
        if self.process is None or self.out is None:
            return
        with suppress(BrokenPipeError):
            self.out.close()
        while self.process.returncode is None:
            with suppress(KeyboardInterrupt):  # an interrupt does not end less
                self.process.wait()


@contextmanager
def paging(color: str, *, unless: object = False, at_once: bool = False) -> Iterator[None]:
    """Page the output of the block if it is longer than the terminal, in color if LESS or ``color`` allows it.

    ``unless``: true if the output must not be paged. ``at_once``: start the pager with the first line, for long tasks;
    ``less -F`` exits if that was less than a screen.
    """
    if unless or not _pages():
        yield
        return
    from shutil import get_terminal_size

    paged = _Paged(0 if at_once else get_terminal_size().lines, color)
    sys.stdout = paged
    try:
        yield
    finally:
        paged.end()
