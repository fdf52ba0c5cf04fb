"""``smemdesc gdb``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

import click

from smemdesc.cli.support.standard_input import standard_input
from smemdesc.engine.errors import SmemdescError, as_error
from smemdesc.engine.wording import printable

if TYPE_CHECKING:
    from smemdesc.debugger.questions import DecodeQuestion

DEFAULT_COLUMNS = 100
"""Columns if the debugger has no width (``set width 0``)."""
MOST_COLUMNS = 10_000
"""Columns at most."""


@click.command()
@click.option("--init", is_flag=True, help="Print the line for ~/.cuda-gdbinit.")
@click.option("--session", is_flag=True, help="For the script: lines of JSON on both streams.")
def command(init: bool, session: bool) -> None:
    """Print the path of the script for cuda-gdb; then, in cuda-gdb: smemdesc help.

    \b
    Examples:
      cuda-gdb -x $(smemdesc gdb) ./program
      (cuda-gdb) tbreak kernel
      (cuda-gdb) run
      (cuda-gdb) smemdesc next
      (cuda-gdb) smemdesc shared
      (cuda-gdb) smemdesc operand a 0-7,0-7
      (cuda-gdb) smemdesc compare a A.npy
      smemdesc gdb --init >> ~/.cuda-gdbinit

    At a tensor-core instruction, smemdesc reads its descriptors from the
    registers of the focused warp and checks them together; smemdesc compare a
    A.npy shows where the operand differs from the expected matrix, and why;
    smemdesc shared what fills shared memory, by the tensor maps in memory.
    """
    from smemdesc.debugger import SCRIPT

    if session:
        _session()
    else:
        click.echo(f"source {SCRIPT}" if init else str(SCRIPT))


def _session() -> None:
    """Exchange lines of JSON with the script; an error is sent to it as one line."""
    from smemdesc.debugger.questions import DecodeQuestion, Question
    from smemdesc.debugger.session import session
    from smemdesc.render.console import lines
    from smemdesc.render.debugger import view

    line = standard_input().readline()
    if not line:
        return  # started for a command that was not typed
    try:
        start = json.loads(line)
        typed, columns, color = str(start["command"]), int(start["columns"]), bool(start["color"])
        folder = str(start.get("folder", "."))
        columns = min(columns, MOST_COLUMNS) if columns > 0 else DEFAULT_COLUMNS
    except (ValueError, KeyError, TypeError, OverflowError) as problem:
        raise SmemdescError(
            "--session talks with the script that smemdesc gdb prints", hint="smemdesc gdb"
        ) from problem
    try:
        _enter(folder)
        running = session(typed)
        answer: Mapping[str, Any] | None = None
        while True:
            try:
                # A generator must be started before it takes a value.
                message = running.send(answer)  # type: ignore[arg-type]
            except StopIteration:
                return
            answer = None
            if isinstance(message, Question):
                answer = _ask(message.to_json())
            elif isinstance(message, DecodeQuestion):
                _answer(_decode(message, columns, color))
            else:
                _answer(lines(view(message), columns, "standard" if color else None))
    except Exception as problem:
        _answer(_error(problem))


def _enter(folder: str) -> None:
    """Change to the debugger's folder: file names are relative to it."""
    try:
        os.chdir(folder)
    except (OSError, ValueError) as problem:
        raise SmemdescError(
            f"the debugger's folder {folder!r} cannot be entered: {getattr(problem, 'strerror', None) or problem}",
            hint="cd to one that exists, in the debugger",
        ) from None


def _ask(question: dict[str, Any]) -> Mapping[str, Any]:
    from smemdesc.debugger.answers import read_answer

    sys.stdout.write(json.dumps(question) + "\n")
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise SmemdescError("the debugger went away")
    return read_answer(line, question)


def _answer(text: str) -> None:
    sys.stdout.write(json.dumps({"say": text}) + "\n")
    sys.stdout.flush()


class _Terminal(StringIO):
    """A stream as wide as the debugger's terminal."""

    def isatty(self) -> bool:
        return True


def _decode(request: DecodeQuestion, columns: int, color: bool) -> str:
    from contextlib import redirect_stderr, redirect_stdout, suppress

    from smemdesc.cli import decode

    os.environ["COLUMNS"] = str(columns)
    text = _Terminal()
    with redirect_stdout(text), redirect_stderr(text), suppress(click.exceptions.Exit):
        words = ["--color", "always" if color else "never", *request.options, "--", request.value]
        decode.command.main(words, prog_name="smemdesc desc", standalone_mode=False)
    return text.getvalue()


def _error(problem: Exception) -> str:
    if isinstance(problem, click.ClickException):
        return f"error: {problem.format_message()}\n"
    error = as_error(problem)
    hint = f"\n  {printable(error.option_hint)}" if error.option_hint else ""
    return f"error: {printable(error.option_message)}{hint}\n"
