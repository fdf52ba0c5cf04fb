"""The cta_group of all tcgen05 instructions of a function: one kernel has one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from smemdesc.scanning.model import Function, ScannedMma

_NAMES = {
    "PTX": re.compile(
        r"\btcgen05\.(?:mma|cp|commit|alloc|dealloc|relinquish_alloc_permit|shift)\b[\w.:]{0,100}?\.cta_group::([12])\b"
    ),
    # A deallocation (UTCATOMSWS.AND) does not name it.
    "SASS": re.compile(r"\bUTC(?:BAR|CP|SHIFT|ATOMSWS(?=[.\w]*\.FIND)|[A-Z]*MMA)(?:\.\w+)*"),
    "LLVM IR": re.compile(
        r"\bllvm\.nvvm\.tcgen05\.(?:cp|commit|alloc|dealloc|relinq|shift)\b[\w.]{0,100}?\.cg([12])\b"
    ),
    "MLIR": re.compile(r"\bnvvm\.tcgen05\.(?:cp|commit|alloc|dealloc|relinquish_alloc_permit|shift)\b[^\n]*"),
}
_OPERATION = re.compile(r"[\w.]++")
_PAIR = {"SASS": ".2CTA", "MLIR": "cta_2"}
"""The mark of a group of two, where a group of one has none."""


def _groups(language: str, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the cta_group of each tcgen05 instruction in the code of a function, and its name."""
    pair = _PAIR.get(language)
    for line in lines:
        if language in ("LLVM IR", "MLIR"):  # inline assembly
            yield from ((int(match[1]), match[0]) for match in _NAMES["PTX"].finditer(line))
        for match in _NAMES[language].finditer(line):
            group = int(match[1]) if pair is None else 1 + (pair in match[0])
            name = _OPERATION.match(match[0])
            yield group, f"{name[0]} of cta_{group}" if name and language == "MLIR" else match[0]


def with_other_groups(function: Function | None, lines: Iterable[str]) -> Function | None:
    """Return a function whose MMAs name an instruction of its code with another cta_group, if there is one."""
    if function is None or not any(mma.instruction.cta_group for mma in function.mmas):
        return function
    names: dict[int, str] = {}
    for group, name in _groups(function.format, lines):
        names.setdefault(group, name)
    for mma in function.mmas:
        if mma.instruction.cta_group:
            names.setdefault(mma.instruction.cta_group, mma.text)
    if len(names) < 2:
        return function
    return function._replace(mmas=tuple(_with_other(mma, names) for mma in function.mmas))


def _with_other(mma: ScannedMma, names: dict[int, str]) -> ScannedMma:
    other_name = names.get(3 - mma.instruction.cta_group) if mma.instruction.cta_group else None
    return mma if other_name is None else mma._replace(instruction=mma.instruction._replace(other_group=other_name))
