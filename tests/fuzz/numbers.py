"""Dumps in which one number is another: of thousands of digits, with digits of other scripts, or none at all.

    python -m fuzz.numbers [SECONDS] [SEED]      (from the folder tests)

What must hold: nothing is raised, and no function is given up for an error of the program itself.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Iterator

from bench.growth import SHAPES
from scanning.corpus.dumps import dumps

from smemdesc.scanning import scan_text

from .command import run as by_command

PUT_IN = ("9" * 5000, "0x" + "f" * 5000, "-" + "9" * 5000, "9" * 20, "1" * 45, "²", "١٢٣", "", "1e999", "0b", "0x")
LONGEST = 20_000
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")


def texts() -> list[str]:
    """Return the beginnings of some dumps in every language, and small ones of odd shape."""
    stored = [text[:LONGEST] for place, (_, text, _) in enumerate(dumps("triton")) if not place % 9]
    stored += [text[:LONGEST] for place, (_, text, _) in enumerate(dumps("tcgen05")) if not place % 40]
    stored += [text[:LONGEST] for place, (_, text, _) in enumerate(dumps("wgmma")) if not place % 40]
    return [*stored, *(shape(4) for shape in SHAPES.values())]


def changed(generator: random.Random, text: str) -> str:
    """Return a text with one of its numbers, wherever it stands alike, or only once, another."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text
    found = generator.choice(numbers)
    new = generator.choice(PUT_IN)
    if generator.random() < 0.3:
        before = text[max(0, found.start() - 6) : found.start()]
        return text.replace(before + found[0], before + new)
    return text[: found.start()] + new + text[found.end() :]


def attack(seconds: float, seed: int, rounds: int = sys.maxsize) -> Iterator[tuple[str, str]]:
    """Yield the texts that go wrong, with what is wrong."""
    generator = random.Random(seed)
    every = texts()
    end = time.monotonic() + seconds
    while time.monotonic() < end and rounds:
        rounds -= 1
        text = changed(generator, generator.choice(every))
        try:
            failed = scan_text(text).failed
            why = next((reason for _, reason in failed if "error in smemdesc itself" in reason), "")
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"
        if why:
            yield text, why


if __name__ == "__main__":
    by_command(attack, lambda _, why: why[:300])
