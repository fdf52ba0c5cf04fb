"""A fuzzer by command: ``python -m fuzz.NAME [SECONDS [SEED]]``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn


def run(attack: Callable[[float, int], Iterator[tuple[Any, ...]]], told: Callable[..., str]) -> NoReturn:
    """Print each thing that goes wrong; ``told`` makes a line of it. Status 1 where there is one."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    broken = 0
    for found in attack(seconds, int(sys.argv[2]) if len(sys.argv) > 2 else 0):
        broken += 1
        print(told(*found), flush=True)
    sys.exit(1 if broken else 0)
