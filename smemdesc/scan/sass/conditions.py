"""The comparison behind a predicate, where it stands in the same block and still holds."""

from __future__ import annotations

from collections.abc import Callable

from smemdesc.scan.conditions import Condition
from smemdesc.scan.ranges import EQ, NE, OPPOSITE
from smemdesc.scan.sass.predicates import ALWAYS, NEVER, targets
from smemdesc.scan.sass.text import WIDTH, ZERO, Line, operand

_JOINED = frozenset(("AND", "OR"))


def condition(
    lines: list[bytes],
    index: int,
    start: int,
    predicate: str,
    take: Callable[[bytes], Line | None],
    writes: Callable[[int], tuple[str, ...]],
    guard: str = "",
) -> Condition | None:
    """Return what a predicate (``P0``, ``!UP1``) says where the instruction at ``index`` reads it.

    None where the block, which begins at ``start``, does not tell. ``take`` parses a line; ``writes`` returns the
    registers that a line writes; ``guard`` is that of the instruction, which then the comparison may have, too.
    """
    name = predicate.lstrip("!")
    at = definition(lines, index, start, name, take)
    if at is None:
        return None
    line = take(lines[at])
    assert line is not None
    if line.guard and (line.guard != guard or definition(lines, index, at, guard.lstrip("@!"), take) is not None):
        return None
    found = _compared(line, name)
    if found is None and "EX" in line.suffixes:
        below = _below(line, lines, at, start, take)
        if below is not None:
            at, found = below
    if found is None:
        return None
    changed = {each for between in range(at + 1, index) for each in writes(between)}
    if changed.intersection(each for each in found.reads if isinstance(each, str)):
        return None
    return found._replace(negated=found.negated != predicate.startswith("!"))


def _below(
    line: Line, lines: list[bytes], index: int, start: int, take: Callable[[bytes], Line | None]
) -> tuple[int, Condition] | None:
    """Return the comparison of 64 bits whose upper half a line is, and where its lower half stands."""
    if len(line.operands) != 6 or line.operands[1] not in ALWAYS or line.operands[4] not in ALWAYS:
        return None
    high = _isetp(line._replace(mnemonic=line.mnemonic.removesuffix(".EX"), operands=line.operands[:5]), "")
    predicate = line.operands[5]
    at = definition(lines, index, start, predicate, take)
    lower = take(lines[at]) if at is not None else None
    if at is None or lower is None or high is None or lower.guard or predicate != lower.operands[0]:
        return None
    low = _compared(lower, predicate)
    if low is None or low.weak or low.negated or low.how != high.how or "EX" in lower.suffixes:
        return None
    if low.signed and low.how not in (EQ, NE):
        return None
    return at, low._replace(signed=high.signed, high=(high.x, high.y))


def definition(
    lines: list[bytes], index: int, start: int, name: str, take: Callable[[bytes], Line | None]
) -> int | None:
    """Return the line from ``start`` on that last may have written a predicate before ``index``."""
    mark = name.encode()
    for at in range(index - 1, start - 1, -1):
        text = lines[at]
        if mark not in text and b"PR" not in text:
            continue
        line = take(text)
        if line is None:
            continue
        if name in targets(line):
            return at
    return None


def _compared(line: Line, name: str) -> Condition | None:
    """Return what a line that writes the predicate ``name`` compares."""
    kind = line.name.removeprefix("U")
    if kind == "ISETP":
        return _isetp(line, name)
    if kind == "LOP3" and line.operands[0] == name and line.operands[-1] in NEVER and len(line.operands) == 7:
        # The predicate tells whether the result is not 0.
        result = operand(line.operands[1])
        return Condition(NE, result.register, ZERO, WIDTH) if isinstance(result.register, str) else None
    return None


def _isetp(line: Line, name: str) -> Condition | None:
    how, *suffixes = line.suffixes
    join = next((each for each in suffixes if each in _JOINED), None)
    if how not in OPPOSITE or join is None or set(suffixes) - {"U32", join} or len(line.operands) != 5:
        return None
    out, other, *compared, joined = line.operands
    if out == other:
        return None
    a, b = (operand(each) for each in compared)
    if a.sign or b.sign:
        return None
    weak = joined not in (ALWAYS if join == "AND" else NEVER)
    if other == name:
        # The other result is that of the opposite comparison.
        how = OPPOSITE[how]
    if weak and join == "OR":
        # It does not hold only where the comparison does not.
        return Condition(OPPOSITE[how], a.register, b.register, WIDTH, "U32" not in suffixes, True, True)
    return Condition(how, a.register, b.register, WIDTH, "U32" not in suffixes, weak)
