"""A descriptor moved by bytes: never beyond the window, nothing carried. Steps in elements: layout/test_steps.py."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.advance import advance, step
from smemdesc.descriptors.result import decode
from smemdesc.engine.errors import FieldError
from smemdesc.kinds.kind import Kind, kind_of

TCGEN05 = kind_of("tcgen05")
F16 = kind_of("idesc", "f16")


@pytest.mark.parametrize("by", [0, 16, 32, -1024, 0x3FFF0 - 1024])
def test_advance(by: int) -> None:
    value = 0x4000404000010040
    moved = advance(TCGEN05, value, by)
    assert moved - value == by // 16
    assert decode(moved).fields["start_address"].value == 1024 + by


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (8, "8 B is not a multiple of 16 B; the nearest are 0 B and 16 B"),
        (-8, "-8 B is not a multiple of 16 B; the nearest are -16 B and 0 B"),
        (0x3FFF0, "outside the 18-bit window.*carry into reserved_14"),
        (-1040, "outside the 18-bit window.*borrow from reserved_14, leading_byte_offset"),
        (1 << 40, "outside the 18-bit window.*carry into .*stride_byte_offset"),
    ],
)
def test_advance_never_carries(by: int, says: str) -> None:
    with pytest.raises(FieldError, match=says):
        advance(TCGEN05, 0x4000404000010040, by)


@pytest.mark.parametrize("kind", [F16, kind_of("mask")], ids=lambda kind: kind.id)
def test_only_shared_memory_descriptors_advance(kind: Kind) -> None:
    with pytest.raises(FieldError, match="has no start address"):
        advance(kind, 0, 16)
    with pytest.raises(FieldError, match="has no start address"):
        step(kind, 0, k=16)
