"""A descriptor against the tile that lies in shared memory: the first field that differs, and what it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdesc.engine.fields import Reading
from smemdesc.kinds.addresses import START
from smemdesc.kinds.context import Context
from smemdesc.kinds.modes import MODE
from smemdesc.layout.operand import operand_of
from smemdesc.layout.strides import LBO, NICK, SBO, strides_of
from smemdesc.rules.base import ERROR, Finding, Repair
from smemdesc.rules.catalog import TILE_SOURCE as SOURCE
from smemdesc.tiles.tile import Step, Tile

_LINE = 128
_EXAMPLES = 3
OF_INSTRUCTION = MAJOR, SHAPE = "major-ness", "shape"
"""What the instruction says and no field of the descriptor."""


class Misread(NamedTuple):
    """An element of the operand, as (mn, k) of the tile, and the element of the tile that is read in its place."""

    wanted: tuple[int, int]
    read: tuple[int, int] | None
    """None: no element of the tile begins there."""


_LISTED = 64
"""Elements that the JSON lists; ``wrong`` counts all of them."""


class InTile(NamedTuple):
    """What a descriptor reads of a tile."""

    tile: Tile
    start: int
    """Where the tile begins, in bytes: as given, or the start that fits the descriptor's."""
    step: Step
    """The MMA step of the tile that the descriptor is taken for."""
    key: str | None
    """The first that differs from what the step asks for, and makes a difference: of what the instruction says, and of
    the fields."""
    present: object
    wanted: object
    misread: tuple[Misread, ...]
    """Every element that is read from elsewhere."""
    elements: int
    """Elements of the operand."""

    @property
    def agrees(self) -> bool:
        """Whether every element is read from its place."""
        return not self.misread

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON."""
        tile = self.tile
        return {
            "shape": list(tile.whole),
            "in_each_cta": list(tile.shape),
            "major": tile.major,
            "swizzle": tile.swizzle,
            "order": tile.order,
            "start": self.start,
            "step": {"mn": self.step.mn, "k": self.step.k},
            "field": self.key,
            "present": self.present,
            "wanted": self.wanted,
            "elements": self.elements,
            "wrong": len(self.misread),
            "misread": [
                {"element": list(each.wanted), "reads": None if each.read is None else list(each.read)}
                for each in self.misread[:_LISTED]
            ],
        }

    def findings(self) -> tuple[Finding, ...]:
        """Return what differs as a finding, none where the descriptor reads what it should."""
        if self.agrees:
            return ()
        made = self.tile
        assert self.key is not None
        name = NICK.get(self.key, self.key)
        shown = "; ".join(_misread_text(each) for each in self.misread[:_EXAMPLES])
        asks = f"asks for {_value(self.key, self.wanted)}"
        if self.key in OF_INSTRUCTION:
            asks = "ends before that" if self.key == SHAPE else f"is {self.wanted}-major"
        message = (
            f"{name} is {_value(self.key, self.present)}, the tile {made.whole} ({made.major}-major {made.swizzle}, "
            f"atoms adjoin along {made.order.upper()}) {asks}: "
            f"{len(self.misread)} of {self.elements} elements are wrong: {shown}"
        )
        if self.key in OF_INSTRUCTION:
            return (Finding(ERROR, "tile-and-descriptor", (), message, source=SOURCE),)
        assert isinstance(self.wanted, int | str)
        repair = Repair(self.key, self.wanted)
        return (Finding(ERROR, "tile-and-descriptor", (self.key,), message, "", str(repair), SOURCE, repair),)


def _misread_text(each: Misread) -> str:
    place = "no element of the tile" if each.read is None else f"(mn {each.read[0]}, k {each.read[1]})"
    return f"(mn {each.wanted[0]}, k {each.wanted[1]}) reads {place}"


def _value(key: str, value: object) -> str:
    if key == START:
        return f"0x{value:05x}"
    return f"{value} B" if key in (LBO, SBO) else str(value)


def compare(fields: Mapping[str, Reading], context: Context, tile: Tile, start: int | None = None) -> InTile:
    """Hold a descriptor against ``tile``; ``context`` has to be whole, and every field that takes effect known.

    ``start`` is the byte that the tile begins at; left out, it is taken to be the multiple of the pattern (128 bytes
    at least) from which the descriptor's start is that of a step. :class:`smemdesc.engine.errors.SmemdescError` where a
    field is not known.
    """
    present = operand_of(fields, context)
    align = max(MODE[tile.swizzle].period, _LINE)
    # A tile of which it is not said where it lies begins at its own start: the steps' starts are offsets then.
    offset = tile.start
    steps = [(step, step.start - offset) for step in tile.steps]
    if start is None:
        fitting = [(step, at) for step, at in steps if at <= present.start and not (present.start - at) % align]
        step, at = fitting[0] if fitting else steps[0]
        begin = present.start - at if fitting else present.start // align * align
    else:
        begin = start
        step, at = min(steps, key=lambda each: (abs(begin + each[1] - present.start), each[1]))
    wanted: dict[str, object] = {"swizzle": tile.swizzle, LBO: step.lbo, SBO: tile.sbo, "base_offset": 0}
    if tile.absolute:
        wanted[LBO] = step.lbo - offset + begin
    if "lbo_mode" in fields:
        wanted["lbo_mode"] = "absolute" if tile.absolute else "relative"
    wanted[START] = begin + at
    used = {each.key: each.used is not False for each in strides_of(tile.swizzle, tile.major, context)}
    differs = [
        key for key, value in wanted.items() if fields[key].value != value and (tile.absolute or used.get(key, True))
    ]
    lies = {bit: (mn, k) for mn, row in enumerate(tile.buffer(begin).grid) for k, bit in enumerate(row)}
    misread = []
    for mn, row in enumerate(present.grid):
        for k, bit in enumerate(row):
            place = (step.mn + mn, step.k + k)
            if lies.get(bit) != place:
                misread.append(Misread(place, lies.get(bit)))
    key = None
    if misread:
        key = MAJOR if context.major != tile.major else differs[0] if differs else SHAPE
    mn, k = present.shape
    says = {**{each: fields[each].value for each in differs}, MAJOR: context.major, SHAPE: f"{mn}x{k}"}
    wanted |= {MAJOR: tile.major, SHAPE: str(tile.shape)}
    return InTile(tile, begin, step, key, says.get(key or ""), wanted.get(key or ""), tuple(misread), mn * k)
