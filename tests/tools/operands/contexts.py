"""Right operands of random tiles, what people do to their fields, and what is known around them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from smemdesc import Context
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.addresses import START
from smemdesc.kinds.kind import Kind
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.names import BLACKWELL, HOPPER
from smemdesc.kinds.types import DTYPE_NAMES, dtype_of
from smemdesc.layout.atom import atom_shape
from smemdesc.layout.operand import operand_of
from smemdesc.layout.strides import LBO, SBO
from smemdesc.tiles.tensor_map import CopiedBox
from smemdesc.tiles.tile import Tile, lay_out_tile

PERIOD = 1024


class Around(NamedTuple):
    """A right descriptor, and what is known around it."""

    tile: Tile
    step: int
    """The number of the MMA step that the descriptor is of."""
    arch: str

    @property
    def kind(self) -> Kind:
        return self.tile.kind

    @property
    def value(self) -> int:
        return self.tile.steps[self.step].value

    @property
    def known(self) -> dict[str, Any]:
        """What `decode` can be told, in the order in which it is found out; ``map`` last."""
        made = self.tile
        found = {"dtype": made.dtype, "major": made.major, "shape": made.mma, "tile": made.shape, "order": made.order}
        of = map_of(made)
        return {"arch": self.arch, **found, **({} if of is None else {"map": of})}


def map_of(made: Tile) -> CopiedBox | None:
    """Return the map that fills a tile, if one does."""
    if made.filling is None or made.absolute:
        return None
    box = made.filling.map
    name = box.data_type.removeprefix("CU_TENSOR_MAP_DATA_TYPE_")
    return CopiedBox(name, box.swizzle, "none", tuple(box.box))


def right(random: Random) -> Around:
    """Return a step of a right tile of any kind, type, mode, major-ness, order, size and place."""
    kind = random.choice(("wgmma", "tcgen05"))
    name, packed = random.choice([(each, None) for each in DTYPE_NAMES] + [("e2m1", "mxf4")])
    dtype, major, mode = dtype_of(name, packed), random.choice(("K", "MN")), random.choice(list(MODE))
    mn = random.choice((8, 16, 32, 64, 96, 128, 192, 256, 512))
    k = dtype.k * random.choice((1, 2, 4, 8, 16, 32))
    order, start = random.choice(("mn", "k")), PERIOD * random.randrange(96)
    try:
        atom = atom_shape(mode, major, dtype).mn
        one = random.choice((None, (max(atom, random.choice((8, 64, 128))), dtype.k)))
        made = lay_out_tile(kind, (mn, k), dtype, major, mode, order=order, mma=one, start=start)
    except SmemdescError:
        return right(random)
    arch = random.choice(HOPPER if kind == "wgmma" else BLACKWELL[:2])
    if any(each.severity != "note" for each in made.findings):
        return right(random)
    return Around(made, random.randrange(len(made.steps)), arch)


def mistakes(case: Around) -> Iterator[tuple[str, int]]:
    """Yield (what was done, the descriptor then), each other descriptor once."""
    seen = {case.value}
    for what, value in _changed(case):
        if value not in seen:
            seen.add(value)
            yield what, value


def _changed(case: Around) -> Iterator[tuple[str, int]]:
    table, made = case.kind.table, case.tile
    raw = {key: reading.raw or 0 for key, reading in table.read(case.value).items()}

    def put(**fields: int) -> int:
        value = case.value
        for key, number in fields.items():
            value = table.insert(value, key, number & (1 << table.row(key).width) - 1)
        return value

    lbo, sbo, start, width = raw[LBO], raw[SBO], raw[START], MODE[made.swizzle].width
    for nick, key in (("LBO", LBO), ("SBO", SBO)):
        yield f"{nick} not divided", put(**{key: raw[key] * 16})
        yield f"{nick} divided twice", put(**{key: raw[key] // 16})
        yield f"{nick} 0", put(**{key: 0})
        yield f"{nick} doubled or halved", put(**{key: raw[key] * 2})
        yield f"{nick} doubled or halved", put(**{key: raw[key] // 2})
    yield "both not divided", put(**{LBO: lbo * 16, SBO: sbo * 16})
    yield "LBO and SBO swapped", put(**{LBO: sbo, SBO: lbo})
    yield from ((f"strides of the other {what}", put(**strides)) for what, strides in other_strides(made))
    for code in range(1 << table.row("swizzle").width):
        yield "swizzle code", put(swizzle=code)
    yield "start not divided", put(**{START: start * 16})
    yield "start + 16 B", put(**{START: start + 1})
    yield "start + a row", put(**{START: start + width // 16})
    yield "start + half a row", put(**{START: start + max(1, width // 32)})
    for number in (0, 2):
        if case.kind.name == "tcgen05":
            yield "version", put(version=number)
    yield "base offset", put(base_offset=1)


def other_strides(made: Tile) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the raw strides of a tile that differs in mode, major-ness or order."""
    for mode, major, order in itertools.product(MODE, ("K", "MN"), ("mn", "k")):
        differs = [mode != made.swizzle, major != made.major, order != made.order]
        if sum(differs) != 1:
            continue
        try:
            other = lay_out_tile(
                made.kind.name, made.shape, made.dtype, major, mode, order=order, mma=made.mma, force=True
            )
        except SmemdescError:
            continue
        what = ("mode", "major-ness", "order")[differs.index(True)]
        yield what, {LBO: other.lbo // 16, SBO: other.sbo // 16}


def wrong(case: Around, value: int) -> bool:
    """Whether a descriptor reads other bytes than the right one of the same operand."""
    made = case.tile
    context = Context(dtype=made.dtype, major=made.major, shape=made.mma)
    try:
        return operand_of(case.kind.table.read(value), context).grid != made.operand(made.steps[case.step]).grid
    except SmemdescError:
        return True
