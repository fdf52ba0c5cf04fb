"""The comparison behind a predicate, where it stands in the same block and still holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from smemdesc.scanning.conditions import Condition
from smemdesc.scanning.ptx.meaning import source
from smemdesc.scanning.ptx.reading import Item
from smemdesc.scanning.ptx.text import NAME
from smemdesc.scanning.ranges import OPPOSITE

_TYPE = re.compile(r"([usb])(16|32|64)$")
_UNSIGNED = {"lo": "LT", "ls": "LE", "hi": "GT", "hs": "GE"}


def condition(
    items: Sequence[Item], index: int, start: int, predicate: str, writes: Callable[[int], tuple[str, ...]]
) -> Condition | None:
    """Return what a predicate (``%p1``, ``!%p1``) says where the statement at ``index`` reads it.

    None where the block, which begins at ``start``, does not tell. ``writes`` returns the registers that a statement
    writes.
    """
    name = predicate.lstrip("!").strip()
    if not NAME.fullmatch(name):
        return None
    register = items[index].scope.register(name)
    changed: set[str] = set()
    for at in range(index - 1, start - 1, -1):
        written = writes(at)
        if register not in written:
            changed.update(written)
            continue
        found = None if items[at].guard else _compared(items[at], register)
        if found is None or changed.intersection(each for each in (found.x, found.y) if isinstance(each, str)):
            return None
        return found._replace(negated=found.negated != predicate.startswith("!"))
    return None


def _compared(item: Item, register: str) -> Condition | None:
    """Return what a setp compares."""
    line = item.line()
    if line.name != "setp" or len(line.suffixes) not in (2, 3):
        return None
    how, *join, kind = line.suffixes
    typed = _TYPE.match(kind)
    weak = bool(join)
    if not typed or len(line.operands) != 3 + weak or (weak and join[0] not in ("and", "or")):
        return None
    first, _, other = (each.strip() for each in line.operands[0].partition("|"))
    outs = [line.scope.register(each) for each in (first, other) if NAME.fullmatch(each) and each != "_"]
    if outs.count(register) != 1:
        return None
    signed = typed[1] == "s"
    how = _UNSIGNED.get(how, how.upper())
    if how not in OPPOSITE or (typed[1] == "b" and how not in ("EQ", "NE")):
        return None
    if first == "_" or line.scope.register(first) != register:
        how = OPPOSITE[how]
    width = int(typed[2])
    x, y = (source(each, width, line.scope) for each in line.operands[1:3])
    if weak and join[0] == "or":
        # It does not hold only where the comparison does not.
        return Condition(OPPOSITE[how], x, y, width, signed, True, True)
    return Condition(how, x, y, width, signed, weak)
