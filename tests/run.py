"""Runs the program as a user does, in a pipe or on a terminal; holds outputs against files."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from unittest.mock import patch

import forking

from smemdesc import cli

GOLDENS = Path(__file__).parent / "golden"
"""A folder for each view; ``commands.txt`` has the commands of most."""
PROGRAM = [sys.executable, "-P", "-c", "from smemdesc.cli import main; main()"]
_SHOWN = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "PYTHONUNBUFFERED")
_TERMINAL = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "PAGER": "cat"}


class Ran(NamedTuple):
    """What a run left behind."""

    out: str
    err: str
    status: int


def held(view: str, name: str, out: str) -> None:
    """Compare an output with the file of that name among the goldens; ``UPDATE_GOLDEN=1`` writes it anew instead."""
    path = GOLDENS / view / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(out)
    assert out == path.read_text()


def refused(*arguments: str, says: str | Sequence[str]) -> None:
    """Run the program on what it cannot do: it says so in these words, and writes nothing else."""
    ran = smemdesc(*arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert [word for word in ([says] if isinstance(says, str) else says) if word not in ran.err] == []
    assert "Traceback" not in ran.err


def environment(**more: str) -> dict[str, str]:
    """The environment without what decides about colour and width, but for what is given."""
    return {**{key: value for key, value in os.environ.items() if key not in _SHOWN}, **more}


_STARTING = ("PYTHON", "LC_", "LANG", "PATH", "LD_")
"""How names begin of what Python itself, or the system, reads when a process starts."""
_SECONDS = 60


def _needs_a_start(env: dict[str, str]) -> bool:
    return any(name.startswith(_STARTING) for name in env if name != "PYTHONIOENCODING")


def smemdesc(*arguments: str, stdin: str | bytes = "", **env: str) -> Ran:
    """Run the program in this process, with its output in files; ``stdin``: what it reads.

    It takes half the time of :func:`process`. The streams, the arguments, the environment, the handlers of signals and
    what the package keeps between two calls are the run's own, so it answers as a process of its own would;
    ``tests/test_run.py`` compares the two. The folder and the modules are those of the test, patches included.
    """
    if _needs_a_start(env):
        return process(*arguments, stdin=stdin, **env)
    encoding, _, errors = env.get("PYTHONIOENCODING", "").partition(":")
    encoding, errors = encoding or "utf-8", errors or "strict"
    forget()
    with ExitStack() as ends:
        source, *written = (ends.enter_context(TemporaryFile(buffering=0)) for _ in range(3))
        source.write(stdin.encode() if isinstance(stdin, str) else stdin)
        source.seek(0)
        numbers = [file.fileno() for file in (source, *written)]
        streams: Any = {
            "stdin": open(numbers[0], encoding=encoding, errors=errors, closefd=False),  # noqa: SIM115
            "stdout": open(numbers[1], "w", encoding=encoding, errors=errors, closefd=False),  # noqa: SIM115
            "stderr": open(numbers[2], "w", 1, encoding, "backslashreplace", closefd=False),  # noqa: SIM115
        }
        for stream in (streams["stdout"], streams["stderr"]):  # what is in a buffer is not left for a later file
            ends.enter_context(stream)
        with (
            patch.multiple(sys, argv=["smemdesc", *arguments], **streams),
            _environment(env),
            patch.object(cli, "_stop_on_signals", lambda: None),
        ):
            status = cli.run()
            sys.stderr.flush()
        forget()
        return Ran(*(os.pread(number, os.fstat(number).st_size, 0).decode() for number in numbers[1:]), status)


@contextmanager
def _environment(env: dict[str, str]) -> Iterator[None]:
    """Have the environment of a run: a copy of all of it takes a tenth of a short one."""
    before = {name: os.environ.pop(name, None) for name in (*_SHOWN, *env)}
    os.environ.update(env)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def forget() -> None:
    """Forget what the package keeps between two calls: a fresh process has none of it."""
    for clear in _kept(len(sys.modules)):
        clear()


KEPT = {
    "rules.judging": "_ANSWERS _RULES",
    "scanning.inputs.binaries.containers": "_LAST",
}
"""What modules collect in variables of their own; most have functions with a cache instead.

Not the tables of the kinds, nor the nodes of scan's programs, each of which is there once: what was made of them before
would no longer be the same.
"""


@lru_cache(1)
def _kept(modules: int) -> list[Callable[[], None]]:
    """Return what clears the caches of the package's modules, of which so many are loaded."""
    ours = {name: vars(module) for name, module in sorted(sys.modules.items()) if name.startswith("smemdesc.")}
    caches = [
        value.cache_clear for module in ours.values() for value in module.values() if hasattr(value, "cache_clear")
    ]
    modules_with = {name: ours[f"smemdesc.{name}"] for name in KEPT if f"smemdesc.{name}" in ours}
    return caches + [module[kept].clear for name, module in modules_with.items() for kept in KEPT[name].split()]


def process(*arguments: str, stdin: str | bytes | int = "", **env: str) -> Ran:
    """Run the program in a process of its own; ``stdin``: what it reads there, or the number of an open file."""
    if isinstance(stdin, int):
        return _forked(arguments, env, stdin)
    given = stdin.encode() if isinstance(stdin, str) else stdin
    if _needs_a_start(env):
        done = subprocess.run(
            [*PROGRAM, *arguments],
            input=given,
            capture_output=True,
            env=environment(**env),
            check=False,
            timeout=_SECONDS,
        )
        return Ran(done.stdout.decode(), done.stderr.decode(), done.returncode)
    with TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        return _forked(arguments, env, source.fileno())


def _forked(arguments: Sequence[str], env: dict[str, str], source: int) -> Ran:
    (out, its_out), (err, its_err) = os.pipe(), os.pipe()
    told = forking.start(list(arguments), environment(**env), [source, its_out, its_err], terminal=False)
    os.close(its_out)
    os.close(its_err)
    return Ran(*_read(out, err), forking.status(told))


@contextmanager
def beginning(command: Sequence[str], **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program that ends with the test: what a failed test leaves behind would be the fault of the next one."""
    with subprocess.Popen(command, **how) as program:
        try:
            yield program
        finally:
            program.kill()


def on_terminal(*arguments: str, columns: int = 80, **env: str) -> Ran:
    """Run the program on a terminal of so many columns; everything it writes there is ``out``."""
    shown = environment(**{**_TERMINAL, "COLUMNS": str(columns), **env})
    if _needs_a_start(env):
        pid, fd = pty.fork()
        if not pid:
            os.environ.clear()
            os.environ.update(shown)
            os.execv(PROGRAM[0], [*PROGRAM, *arguments])
        (text,) = _read(fd)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    else:
        fd, its = pty.openpty()
        told = forking.start(list(arguments), shown, [its], terminal=True)
        os.close(its)
        (text,) = _read(fd)
        status = forking.status(told)
    return Ran(text.replace("\r\n", "\n"), "", status)


def _read(*descriptors: int) -> list[str]:
    """Read several streams to their ends, and close them."""
    chunks: dict[int, list[bytes]] = {each: [] for each in descriptors}
    with DefaultSelector() as waiting:
        for each in descriptors:
            waiting.register(each, EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(_SECONDS)
            if not ready:
                raise TimeoutError(f"nothing was written for {_SECONDS} seconds")
            for key, _ in ready:
                try:
                    chunk = os.read(key.fd, 65536)
                except OSError:  # a terminal's end
                    chunk = b""
                if chunk:
                    chunks[key.fd].append(chunk)
                else:
                    waiting.unregister(key.fd)
                    os.close(key.fd)
    return [b"".join(each).decode() for each in chunks.values()]
