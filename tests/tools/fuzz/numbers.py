"""Dumps in which one number is another: of thousands of digits, with digits of other scripts, or none at all.

    python -m fuzz.numbers [SECONDS] [SEED]      (from the folder tests/tools)

What must hold: nothing is raised, and no function is given up for an error of the program itself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench.growth import SHAPES
from corpus.dumps import dumps

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


def cases(seed: int) -> Iterator[tuple[str]]:
    """Yield texts, without end."""
    generator = random.Random(seed)
    every = texts()
    while True:
        yield (changed(generator, generator.choice(every)),)


def fault(text: str) -> str:
    """Say what of a scan must not be; empty where all is well."""
    return next((reason for _, reason in scan_text(text).failed if "error in smemdesc itself" in reason), "")


if __name__ == "__main__":
    by_command(cases, fault, lambda _, why: why[:300])
