"""Recorded sessions in the debugger in which it answers something else, and commands that are no commands.

    python -m fuzz.debugger [SECONDS] [SEED]     (from the folder tests/tools)

What must hold: each line of standard output is JSON, what is said is printable, and no error is one of the program
itself.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from typing import Any

from silicon.debugger.recorded import Command, sessions

from smemdesc import cli

from .command import run as by_command
from .lines import NUMBERS, ODD, SHAPES, VALUES, WORDS, streams_and_arguments

TEXTS = ("", "\x1b[2J", "\u202e", "zz", "00", "0x", "<optimized out>", "No frame.", "\n" * 50, "{" * 3000, "9" * 5000)
OTHER = (None, True, 3, -1.5, "", "x", [], [None], {}, {"error": 7}, {"pc": []})
"""In the place of a part of an answer, or of all of it."""
COUNTS = (0, -1, 1, 1 << 31, 1 << 70)
TYPED = (
    "",
    "next",
    "operand a 0-7,0-7",
    "operand b 0-1,0-1 --raw",
    "compare a x.npy",
    "{}",
    "decode {}",
    "map {}",
    "next --a-map {} --b-map {}",
    "break {}",
    "{} {}",
)


def changed(generator: random.Random, thing: Any) -> Any:
    """Return an answer with a text or a number in it another, or of another shape."""
    if generator.random() < 0.1:
        return generator.choice(OTHER)
    if isinstance(thing, str):
        place = generator.randrange(len(thing) + 1)
        within = thing[:place] + generator.choice(("", "x", "\n", "²", "9" * 40, ";", "R0")) + thing[place + 1 :]
        return within if generator.random() < 0.7 else generator.choice(TEXTS)
    if isinstance(thing, int) and not isinstance(thing, bool):
        return generator.choice((*COUNTS, thing + 1, thing + 16, thing ^ 0x40))
    if isinstance(thing, dict) and thing and "base64" not in thing:
        key = generator.choice(list(thing))
        # $errorpc and variables may have no value.
        gone = key in ("errorpc", "values") and generator.random() < 0.3
        nothing = [None] * len(thing[key]) if key == "values" else None
        return {**thing, key: nothing if gone else changed(generator, thing[key])}
    if isinstance(thing, list) and thing:
        place = generator.randrange(len(thing))
        return [*thing[:place], changed(generator, thing[place]), *thing[place + 1 :]]
    return thing


class Script(io.StringIO):
    """The debugger's end of the pipe: answers the question that was last written to ``out``."""

    def __init__(self, start: dict[str, Any], command: Command, out: io.StringIO, generator: random.Random) -> None:
        super().__init__()
        self.start: dict[str, Any] | None = start
        self.recorded = {json.dumps(question): answer for question, answer in command.asked}
        self.out = out
        self.generator = generator

    def readline(self, size: int | None = -1, /) -> str:
        if self.start is not None:
            start, self.start = self.start, None
            return json.dumps(start) + "\n"
        question = self.out.getvalue().splitlines()[-1]
        answer = self.recorded.get(question, {"error": 'No symbol "\x1b[2J" in current context.'})
        if self.generator.random() < 0.3:
            answer = changed(self.generator, answer)
        return json.dumps(answer) + "\n"


def wrong(status: int, out: str, err: str) -> str:
    """Say what of a session must not be; empty where all is well."""
    if status not in (0, 2) or "error in smemdesc itself" in out + err or "Traceback" in err:
        return f"status {status}: {(err or out)[-300:]}"
    for line in out.splitlines():
        try:
            said = json.loads(line).get("say", "")
        except ValueError:
            return f"no JSON: {line[:60]!r}"
        bad = next((char for char in said if not char.isprintable() and char not in "\n\t"), None)
        if bad is not None:
            return f"{bad!r} is said"
    return ""


def cases(seed: int) -> Iterator[tuple[str, Command, int, int]]:
    """Yield what is typed, the session that was recorded, the columns, and a seed for its answers, without end."""
    generator = random.Random(seed)
    every: list[Command] = [command for found in sessions().values() for command in found]
    while True:
        command = generator.choice(every)
        text = command.text
        if generator.random() < 0.3:
            words = (generator.choice(generator.choice((VALUES, SHAPES, WORDS, ODD, NUMBERS))) for _ in range(2))
            text = generator.choice(TYPED).format(*words)
        yield text, command, generator.choice((0, 80, 3, -1)), generator.getrandbits(32)


def fault(text: str, command: Command, columns: int, seed: int) -> str:
    """Say what of a session must not be; empty where all is well."""
    out, err = io.StringIO(), io.StringIO()
    script = Script({"command": text, "columns": columns, "color": False}, command, out, random.Random(seed))
    with streams_and_arguments(script, out, err, ["gdb", "--session"]):
        status = cli.run()
    return wrong(status, out.getvalue(), err.getvalue())


if __name__ == "__main__":
    by_command(cases, fault, lambda text, _command, _columns, _seed, why: f"{why.strip()[:300]!r}: {text[:80]!r}")
