"""Files of known bits: rows of what is known of a value and the code that leaves it, under headings."""

from __future__ import annotations

import re
from pathlib import Path


def headings(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the rows by what stands above them: what is known, and the code."""
    names: dict[str, str] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            heading = line.removeprefix("# ")
            continue
        whole = re.sub(r"\{([A-Z]\w*)\}", lambda name: names[name[1]], line)
        if named := re.match(r"(\w+) = ", whole):
            names[named[1]] = whole[named.end() :]
        elif line:
            known, _, code = whole.partition(" | ")
            found.setdefault(heading, []).append((known, code.replace("\\n", "\n").replace("\\r", "\r")))
    return found


def shown(bits: int, known: int, like: str) -> str:
    """Write what is known of a value as such files do, in as many digits as ``like`` has."""
    digits = len(like) if like.endswith("?") else len(like.partition("?")[0])
    full = (1 << 4 * digits) - 1
    unknown = ~known & full
    if unknown == full:
        return "?" * digits
    return f"{bits & full:0{digits}x}" + (f"?{unknown:x}" if unknown else "")
