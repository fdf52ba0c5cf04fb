"""The tensor map of a tile: its copies, written as TMA writes them, put each element where the descriptors read it."""

from __future__ import annotations

import itertools

import pytest

from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import shape
from smemdesc.tiles.box import Filling
from smemdesc.tiles.tile import Tile, tile

PATTERN = {"NONE": (0, 0), "32B": (0x80, 3), "64B": (0x180, 3), "128B": (0x380, 3), "128B_ATOM_32B": (0x180, 2)}
"""Address bits that TMA XORs into lower ones, and how far down (CUDA Driver API)."""
CASES = [
    (kind, dtype, major, mode, order)
    for kind, dtype, major, mode, order in itertools.product(
        ("wgmma", "tcgen05"),
        ("f16", "tf32", "e4m3", "e2m1", "e2m3"),
        ("K", "MN"),
        ("none", "32B", "64B", "128B", "128B_32B"),
        (None, "mn", "k"),
    )
    if dtype not in ("e2m1", "e2m3") or (kind == "tcgen05" and major == "K" and mode == "128B")
    if (mode == "128B_32B") is (dtype == "tf32" and major == "MN" and kind == "tcgen05")
    if major == "K" or kind == "tcgen05" or dtype == "f16"
    if not (dtype == "tf32" and major == "MN" and kind == "wgmma")
]


def made(kind: str, dtype: str, major: str, mode: str, order: str | None) -> Tile:
    found = dtype_of(dtype)
    atom = shape(mode, major, found)
    size = (128, 2 * max(atom.k, found.k))
    return tile(kind, size, found, major, mode, order=order, mma=(64, found.k), start=4096)


def filled(each: Tile) -> Filling:
    found = each.filling
    assert found is not None
    return found


def written(each: Tile) -> dict[int, tuple[int, int]]:
    """Where TMA writes each (mn, k), by the bit address: lines of a box back to back, 16-byte units swizzled."""
    box, copies = filled(each)
    mask, shift = PATTERN[box.tma_swizzle.removeprefix("CU_TENSOR_MAP_SWIZZLE_")]
    found = {}
    for copy in copies:
        for row, column in itertools.product(range(box.box[1]), range(box.box[0])):
            bit = (row * box.box[0] + column) * each.dtype.storage
            if each.dtype.storage != each.dtype.bits:
                bit = row * 128 * 8 + column // 16 * 128 + column % 16 * each.dtype.bits
            address = each.start + copy.offset + bit // 8
            address ^= (address & mask) >> shift
            mn, k = (row, column) if each.major == "K" else (column, row)
            found[address * 8 + bit % 8] = copy.mn + mn, copy.k + k
    return found


@pytest.mark.corpus
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_the_copies_fill_the_tile_that_the_descriptors_read(case: tuple[str, str, str, str, str | None]) -> None:
    each = made(*case)
    read = {
        bit: (step.mn + mn, step.k + k)
        for step in each.steps
        for mn, row in enumerate(each.operand(step).grid)
        for k, bit in enumerate(row)
    }
    assert written(each) == read
    assert filled(each).bytes == each.size


def test_one_box_is_the_default_order() -> None:
    """Atoms follow each other as one box writes them, so that a tile one atom wide takes one copy."""
    for major, size in (("K", (256, 64)), ("MN", (64, 256))):
        made = filled(tile("tcgen05", size, dtype_of("bf16"), major, "128B", mma=(64, 16)))
        assert (made.map.box, len(made.copies)) == ((64, 256), 1)


def test_boxes_of_the_other_order_are_atoms() -> None:
    made = filled(tile("tcgen05", (128, 128), dtype_of("bf16"), "MN", "128B", order="mn"))
    assert (made.map.box, len(made.copies)) == ((64, 8), 32)


def test_no_box_has_more_than_256_rows() -> None:
    made = filled(tile("tcgen05", (512, 64), dtype_of("bf16"), "K", "128B", mma=(128, 16)))
    assert (made.map.box, [copy.offset for copy in made.copies]) == ((64, 256), [0, 32768])


def test_padded_types_have_128b_boxes_only() -> None:
    assert tile("tcgen05", (128, 64), dtype_of("e2m1"), "K", "64B").filling is None
