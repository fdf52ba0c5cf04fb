"""A command line, run as a shell would run it; what it writes is an answer of the page.

So the page has every view that the command line has, and "copy as command" is what was run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any

import click

from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.wording import quoted
from smemdesc.render.console import PAGE, page

PROGRAM = "smemdesc"
_TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
_DECIDING = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES", *_TERMINAL)
"""What of the environment decides how views look."""


class _Stream(TextIOWrapper):
    """A standard stream that is kept; ``columns``: it is a terminal so wide."""

    def __init__(self, columns: int | None) -> None:
        super().__init__(BytesIO(), encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True)
        self.columns = columns

    def isatty(self) -> bool:
        return self.columns is not None

    def text(self) -> str:
        """Return what was written."""
        kept = self.buffer
        assert isinstance(kept, BytesIO)
        return kept.getvalue().decode("utf-8", "replace")


def command(words: Sequence[str]) -> dict[str, Any]:
    """Return a command line as text for a shell."""
    return {"command": " ".join([PROGRAM, *(quoted(word) for word in words)])}


def run(words: Sequence[str], *, folder: str = "", columns: int = PAGE, plain: bool = False) -> dict[str, Any]:
    """Run ``smemdesc`` with these words, in ``folder``.

    ``html`` is the report as a piece of a page ``columns`` wide; with ``plain``, ``out`` is what a pipe gets. ``err``
    is what went to standard error, ``status`` the exit status.
    """
    from smemdesc.cli import run_command_line

    out, err = _Stream(None if plain else columns), _Stream(None)
    # One process answers here: others can be started in no browser.
    alone = ["--jobs", "1"] if words[:1] == ["scan"] else []
    seen = {} if plain else {**_TERMINAL, "COLUMNS": str(columns)}
    with _at(folder), _environment(seen), redirect_stdout(out), redirect_stderr(err):
        status = run_command_line([*words, *alone])
    answer: dict[str, Any] = {"status": status, "err": err.text(), **command(words)}
    text = out.text()
    # A picture and JSON are no report, and stand as they are.
    return {**answer, "out": text} if plain or text[:1] in "<{" else {**answer, "html": page(text)}


def parsed(name: click.Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the options and arguments of a command line as its command gets them."""
    try:
        with name.make_context(name.name, list(words)) as ctx:
            return dict(ctx.params)
    except click.ClickException as problem:
        raise SmemdescError(problem.format_message()) from None


@contextmanager
def _at(folder: str) -> Iterator[None]:
    """Work in a folder, so that files are called as they were dropped."""
    before = os.getcwd()
    os.chdir(folder or before)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _environment(chosen: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.pop(name) for name in _DECIDING if name in os.environ}
    os.environ.update(chosen)
    try:
        yield
    finally:
        for name in chosen:
            os.environ.pop(name, None)
        os.environ.update(before)
        sys.stdout.flush()
