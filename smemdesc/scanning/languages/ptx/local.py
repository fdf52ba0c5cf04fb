"""Variables that a compiler keeps in local memory: their loads and stores.

Unoptimized code keeps its variables in one array in local memory, and its address in registers that are written once.
If such an address is only used to load and store, nothing else can reach the array. If it goes anywhere else, any store
through another address, and any call, may write all of it. For an address plus an index, as in ``a[i]``, an extra
register holds the distance.
"""

from __future__ import annotations

import re
from collections import Counter

from smemdesc.scanning.analysis.ir import FIELD, IN
from smemdesc.scanning.analysis.memory import DISTANCE, Access, Pointer, Slots, parts_of, step_effect
from smemdesc.scanning.analysis.ssa import SsaStep
from smemdesc.scanning.languages.ptx.body import Body
from smemdesc.scanning.languages.ptx.lower import (
    CALL,
    EXTENDED_BITS,
    LOADS,
    MAY_WRITE_ALL,
    STORES,
    WRITES_FIRST,
    lower,
    source_bits,
)
from smemdesc.scanning.languages.ptx.text import PTX_NAME, PtxStatement, added, number, vector_elements

_BYTE = 8
_DATA = re.compile(r"([usbf])(8|16|32|64)$")
_DECLARED = re.compile(r"\.(?:reg|local)\s[^;]*")
_MADE_BY = ("mov.", "cvta.", "add.")
_MANY = 2_000_000
"""The most writes of slots that are followed."""


def local_memory(body: Body, text: str) -> dict[int, SsaStep]:
    """Return the steps of loads and stores at known addresses, by the number of the item; and of items that may write
    any slot."""
    uses: Counter[str] = Counter()
    meanings: dict[int, SsaStep] = {}
    places = _pointers(body, uses, meanings)
    accesses: dict[int, Access] = {}
    others: list[int] = []
    for index, item in enumerate(body.items):
        access_found = _access(item, places, uses) if item.role is LOADS or item.role is STORES else None
        if access_found is not None:
            accesses[index] = access_found
        elif item.role is STORES or item.role is CALL or item.role is MAY_WRITE_ALL:
            others.append(index)
    slots = Slots(accesses.values())
    for index, access in accesses.items():
        if access.space in slots.spaces:
            meanings[index] = (slots.load if access.loads else slots.store)(access)
    # The names of arrays and pointers in the text, except in declarations.
    if Counter(name for name in PTX_NAME.findall(_DECLARED.sub("", text)) if name in places) != +uses:
        everywhere = tuple(name for space in slots.spaces for name in slots.names(space))
        if len(everywhere) * len(others) > _MANY:
            return {}
        for index in others:
            meanings[index] = SsaStep((*body.items[index].writes, *everywhere))
    return meanings


def _pointers(body: Body, uses: Counter[str], meanings: dict[int, SsaStep]) -> dict[str, Pointer]:
    """Return the registers that always hold the same address, or one near it; count their ``uses`` in computing each
    other, and add to ``meanings`` the steps that compute their distances."""
    places = {name: Pointer(name) for name in body.arrays}
    written = Counter(name for item in body.items for name in item.writes)
    for index, item in enumerate(body.items):
        if item.role is not WRITES_FIRST or not item.mnemonic.startswith(_MADE_BY) or len(item.writes) != 1:
            continue
        to = item.writes[0]
        # A register of an inner scope may have the same spelling as others.
        if written[to] != 1 or len(item.operands) < 2 or item.operands[0] != to:
            continue
        base, near = _base(item.operands[1], item, places), ""
        if item.name == "add" and len(item.operands) == 3:
            index_text = item.operands[2]
            if base is None:
                base, index_text = _base(index_text, item, places), item.operands[1]
            plus = number(index_text)
            near = index_text if plus is None else ""
            base = base and (base[0]._replace(offset=base[0].offset + (plus or 0)), base[1])
        elif item.name not in ("mov", "cvta") or (item.name == "cvta" and "local" not in item.suffixes):
            continue
        if base is None or (near and (base[0].near or "cc" in item.suffixes)):
            continue
        place = base[0]
        if near:
            far = f"{to} from {place.space}"
            distance = (far, (source_bits(near, DISTANCE, item.scope),), FIELD(IN[0], 0, DISTANCE))
            meanings[index] = step_effect([*parts_of(lower(item)), distance])
            place = place._replace(near=(far,))
        places[to] = place
        uses[to] += 1
        uses[base[1]] += 1
    return places


def _base(text: str, item: PtxStatement, places: dict[str, Pointer]) -> tuple[Pointer, str] | None:
    """Return the address that a text names, with the number that it adds, and the name."""
    base = added(text)
    if base is None or base[0] not in places or item.scope.register(base[0]) != base[0]:
        return None
    place = places[base[0]]
    return place._replace(offset=place.offset + base[1]), base[0]


def _access(item: PtxStatement, places: dict[str, Pointer], uses: Counter[str]) -> Access | None:
    """Return what a load or store accesses; None if its address, or its type, is unknown."""
    loads = item.role is LOADS
    if len(item.operands) != 2 or not item.suffixes:
        return None
    address = item.operands[1 if loads else 0]
    kind = _DATA.match(item.suffixes[-1])
    base = _base(address[1:-1].strip(), item, places) if address[:1] + address[-1:] == "[]" else None
    if base is None or kind is None:
        return None
    texts = vector_elements(item.operands[0 if loads else 1])
    data = _loaded(item, texts) if loads else tuple(source_bits(text, int(kind[2]), item.scope) for text in texts)
    if data is None:
        return None
    place, name = base
    uses[name] += 1
    size = int(kind[2]) // _BYTE
    return Access(loads, place.space, place.offset, size, data, EXTENDED_BITS, kind[1] == "s", place.near)


def _loaded(line: PtxStatement, texts: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the registers that are loaded, None for one that is discarded (``_``)."""
    if not all(PTX_NAME.fullmatch(text) for text in texts):
        return None
    return tuple(None if text == "_" else line.scope.register(text) for text in texts)
