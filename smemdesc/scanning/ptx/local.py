"""Variables that a compiler keeps in local memory, where their places are known: a register for each byte.

Unoptimized code keeps its variables in one array in local memory, and its address in registers that are written
once. Where such an address is only ever used to load and store, nothing else can reach the array. Where it goes
anywhere else, any store through another address, and any call, may write all of it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from smemdesc.scanning import known
from smemdesc.scanning.known import Value
from smemdesc.scanning.ptx.meaning import ALL, CALL, FIRST, LOAD, STORE, WIDEST, Meaning, source
from smemdesc.scanning.ptx.reading import Body, Item
from smemdesc.scanning.ptx.text import NAME, Line, added, elements, number

_BYTE = 8
_ADDRESS = re.compile(r"\[([^\[\]]*+)\]$")
_DATA = re.compile(r"([usbf])(8|16|32|64)$")
_DECLARED = re.compile(r"\.(?:reg|local)\s[^;]*")
_MADE_BY = ("mov.", "cvta.", "add.")
_MANY = 2_000_000
"""More writes of bytes than so many are not followed."""


class _Place(NamedTuple):
    """A byte of an array in local memory."""

    array: str
    offset: int

    def after(self, count: int) -> str:
        """Return the register that stands for a byte of it."""
        return f"[{self.array} {self.offset + count}]"


def local_memory(body: Body, text: str) -> dict[int, Meaning]:
    """Return what loads and stores at known places do, by the number of the item; and the items that may write any."""
    uses: Counter[str] = Counter()
    places = _pointers(body, uses)
    meanings: dict[int, Meaning] = {}
    others: list[int] = []
    tracked: set[str] = set()
    for index, item in enumerate(body.items):
        if item.role is LOAD or item.role is STORE:
            found = _access(item, places, uses)
            if found is not None:
                meanings[index] = found
                tracked.update(found.writes if item.role is STORE else map(str, found.reads))
                continue
        if item.role is STORE or item.role is CALL or item.role is ALL:
            others.append(index)
    if _mentions(text, places) != +uses:
        if len(tracked) * len(others) > _MANY:
            return {}
        everywhere = tuple(tracked)
        for index in others:
            meanings[index] = Meaning((*body.items[index].writes, *everywhere))
    return meanings


def _pointers(body: Body, uses: Counter[str]) -> dict[str, _Place]:
    """Return the registers that always hold the same address; count their ``uses`` in making each other."""
    places = {name: _Place(name, 0) for name in body.arrays}
    written = Counter(name for item in body.items for name in item.writes)
    for item in body.items:
        if item.role is not FIRST or not item.mnemonic.startswith(_MADE_BY) or len(item.writes) != 1:
            continue
        to = item.writes[0]
        line = item.line()
        # A register of an inner scope shares its spelling with others.
        if written[to] != 1 or len(line.operands) < 2 or line.operands[0] != to:
            continue
        base = added(line.operands[1])
        if base is None or base[0] not in places or item.scope.register(base[0]) != base[0]:
            continue
        offset: int | None = base[1]
        if line.name == "add":
            offset = number(line.operands[2]) if len(line.operands) > 2 and not base[1] else None
        elif line.name == "cvta" and "local" not in line.suffixes:
            offset = None
        if offset is not None:
            place = places[base[0]]
            places[to] = _Place(place.array, place.offset + offset)
            uses[to] += 1
            uses[base[0]] += 1
    return places


def _mentions(text: str, places: dict[str, _Place]) -> Counter[str]:
    """Count where the text names an array or a pointer, but for declarations."""
    return Counter(name for name in NAME.findall(_DECLARED.sub("", text)) if name in places)


def _access(item: Item, places: dict[str, _Place], uses: Counter[str]) -> Meaning | None:
    """Return what a load or store does; None where its address, or its type, is not known."""
    line = item.line()
    loads = item.role is LOAD
    if len(line.operands) != 2 or not line.suffixes:
        return None
    address = _ADDRESS.match(line.operands[1 if loads else 0])
    kind = _DATA.match(line.suffixes[-1])
    base = added(address[1].strip()) if address else None
    if base is None or kind is None or base[0] not in places or item.scope.register(base[0]) != base[0]:
        return None
    place = places[base[0]]
    place = _Place(place.array, place.offset + base[1])
    data = elements(line.operands[0 if loads else 1])
    size = int(kind[2]) // _BYTE
    cells = tuple(place.after(count) for count in range(size * len(data)))
    found = _load(line, data, size, cells, kind[1] == "s") if loads else _store(line, data, size, cells)
    if found is not None:
        uses[base[0]] += 1
    return found


def _load(line: Line, data: tuple[str, ...], size: int, cells: tuple[str, ...], signed: bool) -> Meaning | None:
    if not all(NAME.fullmatch(each) for each in data):
        return None
    kept = [place for place, each in enumerate(data) if each != "_"]

    def transfer(*values: Value) -> object:
        out = []
        for place in kept:
            word: Value = (0, 0)
            for count in range(size):
                word = known.join(word, values[place * size + count], _BYTE * count) if count else values[place * size]
            out.append(known.extend(known.cut(word, _BYTE * size), _BYTE * size, WIDEST, signed))
        return tuple(out) if len(out) != 1 else out[0]

    return Meaning(tuple(line.scope.register(data[place]) for place in kept), cells, transfer)


def _store(line: Line, data: tuple[str, ...], size: int, cells: tuple[str, ...]) -> Meaning:
    reads = tuple(source(each, _BYTE * size, line.scope) for each in data)

    def transfer(*values: Value) -> object:
        out = tuple(known.field(value, _BYTE * count, _BYTE) for value in values for count in range(size))
        return out if len(out) != 1 else out[0]

    return Meaning(cells, reads, transfer)
