"""Random command lines: whatever is typed, the answer is data or one clear error.

    python -m fuzz.lines [SECONDS] [SEED]        (from the folder tests/tools)

Each is made of a command, options of it and words that have gone wrong somewhere before. What must hold: the status is
0, 1 or 2; nothing is raised, and no error is called one of the program itself; nothing that does not print reaches
the streams; no line takes long. What breaks that is printed as a line of a shell.
"""

from __future__ import annotations

import io
import os
import random
import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TextIO
from unittest.mock import patch

import click

from smemdesc import cli
from smemdesc.engine.wording import quoted

from .command import run as by_command

SLOW = 10.0
VALUES = (
    "0x4000404000010040",
    "0x4000004000010040",
    "0x40004040:?",
    "0x40004040????????",
    "136314896",
    "-9223371899399045120",
    "0x0003028100000000",
    "08400490",
)
SHAPES = ("64x16", "128x64", "256x256x64", "m64n128k16", "65536x65536", "1x1", "8x8", "0x0", "999999x999999")
WORDS = ("bf16", "e4m3", "e2m1", "tf32", "f16", "mxf4", "128B", "32B", "none", "sm_100a", "K", "MN", "mn", "k")
ODD = (
    "",
    " ",
    "-",
    "--",
    "0",
    "-1",
    "1" * 5000,
    "0x" + "f" * 5000,
    "9" * 5000 + "x" + "9" * 5000,
    "1e9999",
    "nan",
    "²",
    "١٢٣",
    "\u202e0x40",
    "\x1b[31m0x40",
    "a\nerror: faked",
    "é" * 50,
    "\udce9",
    "\0"[:0] + "\x7f",
    "(" * 3000,
    "[" * 3000,
    "{" * 3000,
    "1<<" * 500,
    "0x1 | " * 300,
    "((_8,_8),_2):((_1,_64),_0)",
    "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_16):(_64,_1)",
    "Sw<99999999999999999999,4,3> o (_64,_16):(_64,_1)",
    "!ttg.memdesc<128x64xbf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, elementBitWidth = 16}>>",
    "#ttg.shared_linear<{offset = " + "[" * 2000,
    "box=64x128,swizzle=128B,dtype=bf16",
    "/nonexistent/file",
    "KEY=RAW",
    "version=0",
    "99999999999999999999KiB",
    "4 KiB",
    "1024",
    "0x480",
)
NUMBERS = ("0", "1", "3", "7", "256", "65536", "4294967296", "9" * 30, "9" * 5000, "-1", "1.5", "²", "0x10")
STDIN = (
    "",
    "0x4000404000010040\n\x1b[2J\n",
    '{"kind": "tcgen05", "fields": {}}\n',
    "\xff\xfe",
    "1" * 5000 + "\n",
    "[" * 5000,
)


class Ran(NamedTuple):
    """What a command line left."""

    status: int
    out: str
    err: str
    seconds: float


def run(arguments: list[str], stdin: str = "") -> Ran:
    """Run the program in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogateescape")), "utf-8", "surrogateescape")
    start = time.perf_counter()
    # What serves until it is stopped serves nothing here.
    served, opened = patch("socketserver.BaseServer.serve_forever"), patch("webbrowser.open")
    with streams_and_arguments(given, out, err, arguments), served, opened:
        status = cli.run()
    seconds = time.perf_counter() - start
    texts = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]  # type: ignore[attr-defined]
    return Ran(status, *texts, seconds)


@contextmanager
def streams_and_arguments(given: TextIO, out: TextIO, err: TextIO, arguments: list[str]) -> Iterator[None]:
    """Put these in place of the streams and the arguments of this process."""
    streams: Any = patch.multiple(sys, stdin=given, stdout=out, stderr=err, argv=["smemdesc", *arguments])
    with streams, patch.dict(os.environ):
        os.environ.pop("SMEMDESC_DEBUG", None)
        yield


def commands() -> list[tuple[list[str], click.Command]]:
    """Return every command with the words that call it, but ``lsp``, which serves until it is stopped."""
    found: list[tuple[list[str], click.Command]] = []

    def walk(command: click.Command, words: list[str]) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                if below is not None:
                    walk(below, [*words, name])
            return
        if words != ["lsp"]:
            found.append((words, command))

    walk(cli.cli, [])
    return found


_EXAMPLE = re.compile(r"^ *smemdesc ((?:[^\n]|\\\\\n)+)", re.M)


def examples(known: list[tuple[list[str], click.Command]]) -> list[list[str]]:
    """Return the command lines of all help texts: they reach further than what is put together at random."""
    found = []
    for _, command in known:
        for match in _EXAMPLE.finditer(command.help or ""):
            text = re.split(r"   +|[|<>]", match[1].replace("\\\n", " "))[0]
            try:
                words = shlex.split(text)
            except ValueError:
                continue
            if "scan" not in words:
                found.append(words)
    return found


def changed(generator: random.Random, words: list[str]) -> list[str]:
    """Return a command line with words replaced, dropped, doubled or put in."""
    made = list(words)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        place = generator.randrange(len(made) + 1)
        how = generator.randrange(8)
        if how == 0 and len(made) > 1:
            del made[place : place + 1]
        elif how == 1:
            made[place:place] = made[place : place + 2]
        elif how == 2:
            made.insert(place, _word(generator, None))
        elif place < len(made) and (place or how == 3):
            name, equals, old = made[place].rpartition("=")
            new = _within(generator, old) if generator.random() < 0.4 else _word(generator, None)
            made[place] = name + equals + new
    return made


def _within(generator: random.Random, text: str) -> str:
    """Return a word with a number in it, or a character, that is another."""
    numbers = list(re.finditer(r"\d+", text))
    if numbers and generator.random() < 0.7:
        found = generator.choice(numbers)
        return text[: found.start()] + generator.choice(NUMBERS) + text[found.end() :]
    place = generator.randrange(len(text) + 1)
    return text[:place] + generator.choice("x,:-_ ()[]<>?~²\x1b\u202e") + text[place + generator.randrange(2) :]


def line(generator: random.Random, known: list[tuple[list[str], click.Command]]) -> tuple[list[str], str]:
    """Return a command line and what it is given on standard input."""
    words, command = generator.choice(known)
    arguments = list(words)
    options = [each for each in command.params if isinstance(each, click.Option)]
    for option in generator.sample(options, min(len(options), generator.choice((0, 1, 2, 3, 4, 6)))):
        name = generator.choice([*option.opts, *option.secondary_opts])
        if name in ("--svg", "--jobs", "--color"):
            continue
        arguments.append(name)
        if not option.is_flag and not (option.secondary_opts and option.is_bool_flag):
            arguments.append(_word(generator, option))
    if any(isinstance(each, click.Argument) for each in command.params):
        arguments += [_word(generator, None) for _ in range(generator.choice((0, 1, 1, 1, 2)))]
    if generator.random() < 0.05:
        arguments.insert(generator.randrange(len(arguments) + 1), generator.choice(ODD))
    return [each.replace("\0", "") for each in arguments], generator.choice(STDIN)


def _word(generator: random.Random, option: click.Option | None) -> str:
    if option is not None and isinstance(option.type, click.Choice) and generator.random() < 0.8:
        return str(generator.choice(list(option.type.choices)))
    return generator.choice(generator.choice((VALUES, VALUES, SHAPES, WORDS, ODD)))


def wrong(ran: Ran) -> str:
    """Say what of a run must not be; empty where all is well."""
    if ran.status not in (0, 1, 2):
        return f"status {ran.status}"
    if "error in smemdesc itself" in ran.err or "Traceback" in ran.err:
        return "an error in the program itself"
    if ran.seconds > SLOW:
        return f"{ran.seconds:.0f} s"
    for name, text in (("output", ran.out), ("errors", ran.err)):
        bad = next((char for char in text if not char.isprintable() and char not in "\n\t"), None)
        if bad is not None:
            return f"{bad!r} in the {name}"
    if found := re.search(r"\b(True|False|None)\b", ran.out + ran.err):
        return f"{found[0]} as Python writes it"
    if ran.status == 2 and not ran.err:
        return "status 2 without a word"
    if any(each.startswith("error: faked") for each in ran.err.splitlines() + ran.out.splitlines()):
        return "a line that is not ours"
    return ""


def cases(seed: int) -> Iterator[tuple[list[str], str]]:
    """Yield command lines with their standard input, without end."""
    generator = random.Random(seed)
    known = commands()
    seeds = examples(known)
    while True:
        arguments, stdin = line(generator, known)
        if generator.random() < 0.7:
            arguments = [each.replace("\0", "") for each in changed(generator, generator.choice(seeds))]
        yield arguments, stdin


def fault(arguments: list[str], stdin: str) -> str:
    """Say what of a command line must not be; empty where all is well."""
    return wrong(run(arguments, stdin))


if __name__ == "__main__":
    from tempfile import mkdtemp

    os.chdir(mkdtemp(prefix="fuzz-"))  # some of the lines write files
    by_command(
        cases, fault, lambda arguments, _, why: f"{why}: smemdesc {' '.join(quoted(each)[:200] for each in arguments)}"
    )
