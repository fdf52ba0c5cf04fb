"""What compute-sanitizer prints: no instructions, but where the one stands at which a kernel went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = b"========="
_SITE = re.compile(rb"(?m)^[^=\n]*={9} ++(?:at|Device Frame:) ++([^\n]*?)\+(0x[0-9a-f]++)(?: in ([^\n]*)|[ \t\r]*)$")
_PLAIN = re.compile(r"[\w$.]+$")
_WORD = re.compile(r"(?<![\w$])[\w$]++(?=[<(])")
"""What may be the name in what a C++ function is called in full: what its arguments follow, or those of a template."""


def sites(text: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines that name an instruction, each of them once, and what to type to see its descriptors."""
    if _MARK not in text:
        return
    seen = set()
    for found in _SITE.finditer(text):
        name, offset, source = (part.decode("utf-8", "replace").rstrip() for part in found.groups(b""))
        if (name, offset) in seen:
            continue
        seen.add((name, offset))
        where = f"{name}+{offset}" + (f" ({source})" if source else "")
        at = f"{_pattern(name)}+{offset}"
        quoted = at if _PLAIN.match(_pattern(name)) else f"'{at}'"
        yield (
            text.count(b"\n", 0, found.start()) + 1,
            f"compute-sanitizer names an instruction, {where}, but prints no SASS: smemdesc scan --at {quoted} CUBIN",
        )


def _pattern(name: str) -> str:
    """Return what fits the name of a function, which machine code has mangled."""
    if _PLAIN.match(name):
        return name
    template = len(name) if name.endswith(">") else name.rfind(">(") if name.endswith(")") else -1
    for found in _WORD.finditer(name):
        if (name[found.end()] == "(" and name.endswith(")")) or (name[found.end()] == "<" and found.end() < template):
            return f"*{found[0]}*"
    return "*"
