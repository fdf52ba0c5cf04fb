"""The instructions of SASS that write shared memory by TMA, set up its barriers, or wait for bytes.

The operands follow from what ptxas makes of PTX: the destination of a copy and its barrier are in two registers that
follow each other; the map is at the address in the two registers after them.
"""

from __future__ import annotations

import re

from smemdesc.scanning.languages.sass.text import ZERO, SassInstruction, follows
from smemdesc.scanning.shared_memory.facts import COPY, EXPECT, SET_UP, NamedAddress, SharedItem

_ADDRESS = re.compile(r"\[(U?R(?:\d+|Z))(?:\.\w+)?(?:\+(U?R(?:\d+|Z)))?(?:\+(-?0x[0-9a-f]+))?\]$")
_COUNTED = re.compile(r"A[0-9R]T[0-9A-Z]$")
"""What an arrival counts, if not one arrival and the bytes of its operand."""
_BYTES_ONLY = "A0TX"
_NO_BYTES = ("A1T0", "ART0")


def shared_item(index: int, line: SassInstruction) -> SharedItem | None:
    """Return what a line does to shared memory; None if that does not matter, or its operands are of no known form."""
    name, suffixes = line.name, line.suffixes
    if name == "UTMALDG":
        return _copy(index, line)
    if name == "UBLKCP":
        return _copy(index, line) if suffixes[:2] == ("S", "G") else None
    if name not in ("SYNCS", "USYNCS") or len(line.operands) < 2:
        return None
    at = _address(line.operands[1])
    if at is None:
        return None
    if suffixes[:1] == ("EXCH",):
        return SharedItem(index, SET_UP, at)
    if suffixes[:2] != ("ARRIVE", "TRANS64"):
        return None
    counted = next(filter(_COUNTED.match, suffixes), _BYTES_ONLY)
    if counted in _NO_BYTES:
        return None
    is_known = counted == _BYTES_ONLY and len(line.operands) == 3
    return SharedItem(index, EXPECT, at, _register(line.operands[2]) if is_known else None)


def _copy(index: int, line: SassInstruction) -> SharedItem | None:
    if len(line.operands) < 2:
        return None
    to, source = map(_address, line.operands[:2])
    pair = [] if to is None else follows(to.name, 2)
    if len(pair) != 2 or source is None:
        return None
    # How many bytes UBLKCP copies is in units that no source names: its size is left open.
    at, barrier = map(NamedAddress, pair)
    by_map = line.name == "UTMALDG"
    multicast = "MULTICAST" in line.suffixes
    return SharedItem(*(index, COPY, at, None, barrier, source if by_map else None), by_map=by_map, multicast=multicast)


def _address(text: str) -> NamedAddress | None:
    match = _ADDRESS.match(text)
    if match is None:
        return None
    first, second, plus = match.groups()
    return NamedAddress(_name(first), int(plus or "0", 0), None if second is None else _name(second))


def _register(text: str) -> NamedAddress:
    return NamedAddress(_name(text.removesuffix(".reuse")))


def _name(text: str) -> object:
    return ZERO if text in ("RZ", "URZ") else text
