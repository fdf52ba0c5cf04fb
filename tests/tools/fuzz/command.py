"""What every fuzzer does: run cases, keep those that go wrong; by command ``python -m fuzz.NAME [SECONDS [SEED]]``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NoReturn

Case = tuple[Any, ...]


def failures(
    cases: Iterable[Case], fault: Callable[..., str], seconds: float, rounds: int = sys.maxsize
) -> Iterator[Case]:
    """Yield the cases that go wrong, with what is wrong; ``fault`` says it, empty where all is well."""
    end = time.monotonic() + seconds
    for case in islice(cases, rounds):
        if time.monotonic() >= end:
            return
        try:
            why = fault(*case)
        except BaseException as problem:  # whatever it is, it is not to get out
            why = f"{type(problem).__name__}: {problem}"
        if why:
            yield *case, why


def run(cases: Callable[[int], Iterable[Case]], fault: Callable[..., str], report: Callable[..., str]) -> NoReturn:
    """Print each case that goes wrong; ``report`` makes a line of it. Status 1 where there is one."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    broken = 0
    for found in failures(cases(int(sys.argv[2]) if len(sys.argv) > 2 else 0), fault, seconds):
        broken += 1
        print(report(*found), flush=True)
    sys.exit(1 if broken else 0)
