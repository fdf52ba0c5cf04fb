"""What a tally counts of a scan."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdesc.instructions.mma import Judge
from smemdesc.kinds.kind import kind_of
from smemdesc.layout.strides import LBO, SBO
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.report import Tally, fold

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.mark.parametrize(
    ("operand", "field", "counts"),
    [("a", LBO, False), ("a", SBO, True), ("b", LBO, True)],  # B is MN-major, of two atoms
)
def test_an_lbo_without_effect_is_not_counted_as_unknown(operand: str, field: str, counts: bool) -> None:
    (function,) = scan_text((DATA / "gemm_sm90.sass").read_text()).functions
    mask = kind_of("wgmma").table.masks[field]
    mmas = []
    for mma in function.mmas:
        known = getattr(mma, operand)
        mmas.append(mma._replace(**{operand: known._replace(bits=known.bits & ~mask, known=known.known & ~mask)}))
    tally = Tally()
    tally.add(function, fold(function._replace(mmas=tuple(mmas)), Judge()))
    assert tally.bits["wgmma"] - tally.known["wgmma"] == counts * len(mmas) * mask.bit_count()


def test_descriptors_that_look_the_same_are_one() -> None:
    """Of the second MMA reserved bits are not known, of the third one bit of SBO, of the fourth another one."""
    (function,) = scan_text((DATA / "gemm_sm90.sass").read_text()).functions
    first = function.mmas[0]
    table = kind_of("wgmma").table
    sbo = table.masks[SBO]
    lowest = sbo & -sbo
    unknown = (0, table.must_mask, lowest, lowest << 1)
    mmas = [
        first._replace(a=first.a._replace(bits=first.a.bits & ~mask, known=first.a.known & ~mask))  # type: ignore[union-attr]
        for mask in unknown
    ]
    tally = Tally()
    tally.add(function, fold(function._replace(mmas=tuple(mmas)), Judge()))
    before = Tally()
    before.add(function, fold(function._replace(mmas=(first,)), Judge()))
    assert len(tally.descriptors) == len(before.descriptors) + 1
