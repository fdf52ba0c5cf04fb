"""What copies of tensor maps left in shared memory of an H100 (``copies.txt``) is what is held against descriptors."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from tables import every_row

from smemdesc.kinds.modes import MODE
from smemdesc.kinds.tensormap import SWIZZLES
from smemdesc.layout.cute import Swizzle
from smemdesc.tiles.tensor_map import CopiedBox

RECORD = Path(__file__).with_name("copies.txt")
LINES = [line for line in RECORD.read_text().splitlines() if not line.startswith("#")]
UNIT, WORD = 16, 2


@every_row(("case", "left"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_every_unit_is_where_it_was(case: str, left: str) -> None:
    _, rank, _, code, _, to, *numbers = map(int, case.split())
    strides, box, steps = numbers[rank : 2 * rank - 1], numbers[2 * rank - 1 : 3 * rank - 1], numbers[3 * rank - 1 :]
    swizzle = SWIZZLES[code]
    sizes = [box[0], *(-(-size // step) for size, step in zip(box[1:], steps[1:], strict=True))]
    copied = CopiedBox("UINT16", swizzle, "none", tuple(sizes))
    function = Swizzle(*MODE[swizzle].swizzle)
    wanted = {}
    places = product(*map(range, reversed(sizes[1:])))  # the inner dimensions the fastest
    for line, place in enumerate(places):
        far = zip(reversed(place), steps[1:], strides, strict=True)
        source = sum(index * step * stride for index, step, stride in far)
        for byte in range(0, copied.row, UNIT):
            wanted[function(to + line * copied.pitch + byte) // UNIT] = (source + byte) // WORD
    assert wanted == {int(unit): int(word) for unit, _, word in (each.partition(":") for each in left.split())}
