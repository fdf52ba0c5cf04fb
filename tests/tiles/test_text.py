"""A layout as CuTe, Triton and a tensor map write it; the copies of the map put each element where descriptors read it.

The lines of the DSL are what CuTe DSL 4.8.1 prints.
"""

from __future__ import annotations

import itertools

import pytest
from tables import every_row

from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import atom_shape
from smemdesc.tiles.box import Filling
from smemdesc.tiles.notation import tma_box
from smemdesc.tiles.text import cute_text, dsl_tensor_text, dsl_text, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile, lay_out_tile

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
    atom = atom_shape(mode, major, found)
    size = (128, 2 * max(atom.k, found.k))
    return lay_out_tile(kind, size, found, major, mode, order=order, mma=(64, found.k), start=4096)


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


def read(each: Tile) -> dict[int, tuple[int, int]]:
    """Where the descriptors read each (mn, k), by the bit address."""
    return {
        bit: (step.mn + mn, step.k + k)
        for step in each.steps
        for mn, row in enumerate(each.operand(step).grid)
        for k, bit in enumerate(row)
    }


@pytest.mark.corpus
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_the_copies_fill_the_tile_that_the_descriptors_read(case: tuple[str, str, str, str, str | None]) -> None:
    each = made(*case)
    assert written(each) == read(each)
    filling = filled(each)
    assert filling.map.shared_bytes * len(filling.copies) == each.size


def test_one_box_is_the_default_order() -> None:
    """Atoms follow each other as one box writes them, so that a tile one atom wide takes one copy."""
    for major, size in (("K", (256, 64)), ("MN", (64, 256))):
        made = filled(lay_out_tile("tcgen05", size, dtype_of("bf16"), major, "128B", mma=(64, 16)))
        assert (made.map.box, len(made.copies)) == ((64, 256), 1)


def test_boxes_of_the_other_order_are_atoms() -> None:
    made = filled(lay_out_tile("tcgen05", (128, 128), dtype_of("bf16"), "MN", "128B", order="mn"))
    assert (made.map.box, len(made.copies)) == ((64, 8), 32)


def test_no_box_has_more_than_256_rows() -> None:
    made = filled(lay_out_tile("tcgen05", (512, 64), dtype_of("bf16"), "K", "128B", mma=(128, 16)))
    assert (made.map.box, [copy.offset for copy in made.copies]) == ((64, 256), [0, 32768])


def test_padded_types_have_128b_boxes_only() -> None:
    assert lay_out_tile("tcgen05", (128, 64), dtype_of("e2m1"), "K", "64B").filling is None


TILES = {
    "K 128B": ("K", "128B", "bf16", "mn", "S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))"),
    "MN 128B": ("MN", "128B", "bf16", "k", "S<3,4,3> o 0 o ((64,2),(8,8)):((1,4096),(64,512))"),
    "MN 128B_32B": ("MN", "128B_32B", "tf32", "k", "S<2,5,2> o 0 o ((32,4),(4,16)):((1,2048),(32,128))"),
    "MN none": ("MN", "none", "bf16", "k", "S<0,4,3> o 0 o ((8,16),(8,8)):((1,512),(8,64))"),
    "K none": ("K", "none", "bf16", "mn", "S<0,4,3> o 0 o ((8,16),(8,8)):((8,64),(1,1024))"),
    "K 32B": ("K", "32B", "bf16", "k", "S<1,4,3> o 0 o ((8,16),(16,4)):((16,512),(1,128))"),
}


def tile_of(major: str, swizzle: str, dtype: str, order: str) -> Tile:
    return lay_out_tile("tcgen05", (128, 64), dtype_of(dtype), major, swizzle, order=order)


@pytest.mark.parametrize("case", TILES.values(), ids=TILES.keys())
def test_the_dsl_prints_a_tile_like_this(case: tuple[str, str, str, str, str]) -> None:
    assert dsl_text(tile_of(*case[:4])) == case[4]


def test_a_tile_is_a_layout_without_a_pointer_and_an_operand_a_tensor() -> None:
    whole = tile_of("K", "128B", "bf16", "mn")
    assert cute_text(whole) == "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))"
    step = whole.operand(whole.steps[1])
    assert cute_text(step) == "Sw<3,4,3>_smem_ptr[16b](0x20) o ((_8,_16),_16):((_64,_512),_1)"
    assert dsl_tensor_text(step) == "tensor<ptr<bf16, smem, align<32>, S<3,4,3>> o ((8,16),16):((64,512),1)>"


def test_triton_transposes_what_is_not_contiguous_along_the_last_dimension() -> None:
    a = tile_of("K", "128B", "bf16", "mn")
    text = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = %s, elementBitWidth = 16}>"
    assert (triton_encoding(a), triton_shape(a)) == (text % "false", (128, 64))
    assert (triton_encoding(a, "b"), triton_shape(a, "b")) == (text % "true", (64, 128))


@pytest.mark.parametrize(
    ("major", "swizzle", "dtype", "order"),
    [("K", "none", "bf16", "mn"), ("MN", "128B", "bf16", "mn"), ("MN", "128B_32B", "tf32", "k")],
)
def test_what_triton_has_no_encoding_for(major: str, swizzle: str, dtype: str, order: str) -> None:
    assert triton_encoding(tile_of(major, swizzle, dtype, order)) is None


@every_row(
    ("major", "swizzle", "order", "box", "copies"),
    [
        ("K", "128B", "mn", (64, 128), 1),
        ("K", "32B", "mn", (16, 128), 4),
        ("K", "32B", "k", (16, 8), 64),
        ("K", "none", "mn", (8, 128), 8),
        ("MN", "128B", "k", (64, 64), 2),
        ("MN", "128B", "mn", (64, 8), 16),
    ],
)
def test_the_largest_box(major: str, swizzle: str, order: str, box: tuple[int, int], copies: int) -> None:
    found = tma_box(tile_of(major, swizzle, "bf16", order))
    assert found is not None
    assert (found.box, found.copies, found.bytes * found.copies) == (box, copies, 128 * 64 * 2)
    assert str(found) == f"box={box[0]}x{box[1]},swizzle={swizzle},dtype=bf16,interleave=none"
