"""What copies of tensor maps left in shared memory of an H100 (``copies.txt``) is what ``probe`` expects of one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from tables import every_row

from smemdesc.descriptors.tensormap import encode_map
from smemdesc.kinds.tensormap import SWIZZLES
from smemdesc.probe.copies import copy_question

RECORD = Path(__file__).with_name("copies.txt")
LINES = [line for line in RECORD.read_text().splitlines() if not line.startswith("#")]
UNIT, WORD = 16, 2


@every_row(("case", "left"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_every_unit_is_where_it_was(case: str, left: str) -> None:
    _, rank, _, code, _, to, *numbers = map(int, case.split())
    ends = [0, rank, 2 * rank - 1, 3 * rank - 1, 4 * rank - 1]
    dims, strides, box, steps = (numbers[begin:end] for begin, end in pairwise(ends))
    encoded = encode_map("UINT16", 0, dims, strides, box=box, element_stride=steps, swizzle=SWIZZLES[code])
    question = copy_question(encoded.value, "sm_90a")._replace(destination=to)
    wanted = {address // UNIT: source // WORD for address, source in question.units() if source is not None}
    assert wanted == {int(unit): int(word) for unit, _, word in (each.partition(":") for each in left.split())}
