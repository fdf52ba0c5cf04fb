"""The rules for a descriptor against the tile around it: what its base offset leaves of the start address."""

from __future__ import annotations

import pytest
from samples import found


@pytest.mark.parametrize(
    ("start", "base_offset", "swizzle", "major", "wrong"),
    [
        (0x400, 1, "128B", "K", True),
        (0x420, 1, "128B", "MN", True),
        (0x480, 2, "128B", "K", True),
        (0x200, 1, "64B", "K", True),
        (0x2C0, 1, "64B", "K", True),
        (0x100, 1, "32B", "MN", True),
        (0x420, 0, "128B", "K", False),
        (0x4A0, 1, "128B", "K", False),
        (0x480, 1, "128B", "MN", False),
        (0x2A0, 5, "64B", "K", False),  # two bits act
        (0x280, 4, "64B", "K", False),
        (0x180, 1, "32B", "K", False),
        (0x400, 1, "none", "K", False),
    ],
)
def test_a_base_offset_that_no_step_of_a_tile_has(
    start: int, base_offset: int, swizzle: str, major: str, wrong: bool
) -> None:
    fields = {"start_address": start, "base_offset": base_offset, "stride_byte_offset": 1024, "swizzle": swizzle}
    rules = {rule for _, rule in found("tcgen05", fields, dtype="bf16", major=major, tile="128x128")}
    assert ("tile-base-offset" in rules) is wrong
