"""The instructions of SASS that write shared memory, set up its barriers, or wait for bytes.

Their names and operands are what ptxas 12.8 to 13.4 make of the instructions of PTX (ISA 9.7.9 and 9.7.13). The
destination of a copy and its barrier are in two registers that follow each other; the map is at the address in the two
registers after them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from smemdesc.engine.fields import ones
from smemdesc.scanning.languages.sass.text import REGISTER_BITS, ZERO, SassInstruction, follows
from smemdesc.scanning.shared_memory.facts import (
    ARRIVE,
    COMPLETE,
    COPY,
    EXPECT,
    SET_UP,
    UNKNOWN_PLACE,
    WAIT,
    WRITE,
    NamedAddress,
    SharedItem,
)

_COMPLETING = ("STAS", "REDAS", "UGETNEXTWORKID")
"""What completes bytes on a barrier and is no copy from global memory."""
_OF_ALLOCATION = ("ATOMS.OR", "ATOMS.AND")
_WIDE = {"64", "128"}
_WORD_SIZE = NamedAddress((4, ones(REGISTER_BITS)))
_WRITING = ("STS", "STSM", "ST", "ATOMS", "ATOM", "RED", "LDGSTS")
_ADDRESS = re.compile(r"\[(U?R(?:\d+|Z))(?:\.\w+)?(?:\+(U?R(?:\d+|Z)))?(?:\+(-?0x[0-9a-f]+))?\]$")
_EXPECTS_ONLY, _COMPLETES = "A0TR", "A0TX"
_NO_BYTES = {"A1T0", "ART0"}


def sass_shared_item(index: int, line: SassInstruction) -> SharedItem | None:
    """Return what a line does to shared memory; None if that does not matter."""
    name, suffixes = line.name, line.suffixes
    if name == "UTMALDG" or (name == "UBLKCP" and suffixes[:2] == ("S", "G")):
        return _copy(index, line)
    if name in _COMPLETING or (name == "UBLKCP" and suffixes[:1] == ("S",)):
        return SharedItem(index, COMPLETE, UNKNOWN_PLACE, barrier=_completed(name, line.operands))
    if name in _WRITING and line.mnemonic not in _OF_ALLOCATION:
        size = None if name == "STSM" or _WIDE.intersection(suffixes) else _WORD_SIZE
        return SharedItem(index, WRITE, next(filter(None, map(_address, line.operands)), UNKNOWN_PLACE), size)
    if name == "UTCBAR":
        at = None if {"2CTA", "MULTICAST"}.intersection(suffixes) else _address(line.operands[0])
        return SharedItem(index, ARRIVE, at or UNKNOWN_PLACE)
    if name == "ARRIVES":
        return SharedItem(index, ARRIVE, UNKNOWN_PLACE)
    if name == "SYNCS" and len(line.operands) > 1:
        return _of_barrier(index, suffixes, line.operands)
    return None


def is_comparable(items: Sequence[SharedItem]) -> bool:
    """Whether copies of a function may be compared with what reads them and waits for them, by names alone.

    To follow the addresses of all costs time. Of what other CTAs write, and of barriers on which others complete, next
    to nothing can be said.
    """
    copies = [item for item in items if item.action == COPY]
    alone = any(not copy.multicast for copy in copies)
    return alone and not any(item.action == COMPLETE for item in items)


def _of_barrier(index: int, suffixes: Sequence[str], operands: Sequence[str]) -> SharedItem | None:
    at = _address(operands[1]) or UNKNOWN_PLACE
    if suffixes[:1] == ("PHASECHK",):
        return SharedItem(index, WAIT, UNKNOWN_PLACE)
    if suffixes[:1] == ("EXCH",):
        state = follows(operands[2], 2) if len(operands) > 2 else []
        return SharedItem(index, SET_UP, at, NamedAddress(state[1]) if len(state) > 1 else None, is_state=True)
    if suffixes[:2] != ("ARRIVE", "TRANS64") or _NO_BYTES & set(suffixes):
        is_arrival = suffixes[:1] == ("ARRIVE",)
        return (
            SharedItem(index, ARRIVE, UNKNOWN_PLACE if "RED" in suffixes else at, arrivals=None) if is_arrival else None
        )
    if _COMPLETES in suffixes:
        return SharedItem(index, COMPLETE, UNKNOWN_PLACE, barrier=at)
    # An arrival at a barrier of another CTA (RED) has the same address as one at the own barrier.
    is_own = suffixes[2:] == () or _EXPECTS_ONLY in suffixes
    size = _register(operands[2]) if is_own and operands[2:] else None
    # An instruction that only expects has no arrival.
    return SharedItem(index, EXPECT, at, size, arrivals=int(_EXPECTS_ONLY not in suffixes) if is_own else None)


def _completed(name: str, operands: Sequence[str]) -> NamedAddress:
    """Return the barrier on which an instruction completes."""
    if name == "UGETNEXTWORKID":
        return next(filter(None, map(_address, operands[1:2])), UNKNOWN_PLACE)
    to = next(filter(None, map(_address, operands[:1])), None)
    pair = follows(to.name, 2) if to is not None and not to.plus and to.second is None else []
    return NamedAddress(pair[1]) if pair else UNKNOWN_PLACE


def _copy(index: int, line: SassInstruction) -> SharedItem:
    to, source = [*map(_address, line.operands[:2]), None, None][:2]
    pair = follows(to.name, 2) if to is not None and to.second is None else []
    if to is None or to.plus or len(pair) < 2:
        return SharedItem(index, COPY, UNKNOWN_PLACE, None, UNKNOWN_PLACE)
    at, barrier = map(NamedAddress, pair)
    by_map = line.name == "UTMALDG"
    map_at = source if by_map else None
    boxes = 0 if {"IM2COL", "GATHER4"} & set(line.suffixes) else 1
    multicast = "MULTICAST" in line.suffixes
    return SharedItem(index, COPY, at, None, barrier, map_at, by_map=by_map, multicast=multicast, boxes=boxes)


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
