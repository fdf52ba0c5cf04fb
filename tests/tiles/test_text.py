"""A layout as CuTe, Triton and a tensor map write it. The DSL's lines are what CuTe DSL 4.8.1 prints."""

from __future__ import annotations

import pytest

from smemdesc.kinds.types import dtype_of
from smemdesc.tiles.text import cute_text, dsl_tensor_text, dsl_text, tma_box, triton_encoding, triton_shape
from smemdesc.tiles.tile import Tile, tile

TILES = {
    "K 128B": ("K", "128B", "bf16", None, "mn", "S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))"),
    "MN 128B": ("MN", "128B", "bf16", None, "k", "S<3,4,3> o 0 o ((64,2),(8,8)):((1,4096),(64,512))"),
    "MN 128B_32B": ("MN", "128B_32B", "tf32", None, "k", "S<2,5,2> o 0 o ((32,4),(4,16)):((1,2048),(32,128))"),
    "MN none": ("MN", "none", "bf16", None, "k", "S<0,4,3> o 0 o ((8,16),(8,8)):((1,512),(8,64))"),
    "K none": ("K", "none", "bf16", None, "mn", "S<0,4,3> o 0 o ((8,16),(8,8)):((8,64),(1,1024))"),
    "K 32B": ("K", "32B", "bf16", None, "k", "S<1,4,3> o 0 o ((8,16),(16,4)):((16,512),(1,128))"),
}


def made(major: str, swizzle: str, dtype: str, mma_kind: str | None, order: str) -> Tile:
    return tile("tcgen05", (128, 64), dtype_of(dtype, mma_kind), major, swizzle, order=order)


@pytest.mark.parametrize("case", TILES.values(), ids=TILES.keys())
def test_the_dsl_prints_a_tile_like_this(case: tuple[str, str, str, str | None, str, str]) -> None:
    assert dsl_text(made(*case[:5])) == case[5]


def test_a_tile_is_a_layout_without_a_pointer_and_an_operand_a_tensor() -> None:
    whole = made("K", "128B", "bf16", None, "mn")
    assert cute_text(whole) == "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))"
    step = whole.operand(whole.steps[1])
    assert cute_text(step) == "Sw<3,4,3>_smem_ptr[16b](0x20) o ((_8,_16),_16):((_64,_512),_1)"
    assert dsl_tensor_text(step) == "tensor<ptr<bf16, smem, align<32>, S<3,4,3>> o ((8,16),16):((64,512),1)>"


def test_triton_transposes_what_is_not_contiguous_along_the_last_dimension() -> None:
    a = made("K", "128B", "bf16", None, "mn")
    text = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = %s, elementBitWidth = 16}>"
    assert (triton_encoding(a), triton_shape(a)) == (text % "false", (128, 64))
    assert (triton_encoding(a, "b"), triton_shape(a, "b")) == (text % "true", (64, 128))


@pytest.mark.parametrize(
    ("major", "swizzle", "dtype", "order"),
    [("K", "none", "bf16", "mn"), ("MN", "128B", "bf16", "mn"), ("MN", "128B_32B", "tf32", "k")],
)
def test_what_triton_has_no_encoding_for(major: str, swizzle: str, dtype: str, order: str) -> None:
    assert triton_encoding(made(major, swizzle, dtype, None, order)) is None


@pytest.mark.parametrize(
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
    found = tma_box(made(major, swizzle, "bf16", None, order))
    assert found is not None
    assert (found.box, found.copies, found.bytes * found.copies) == (box, copies, 128 * 64 * 2)
    assert str(found) == f"box={box[0]}x{box[1]},swizzle={swizzle},dtype=bf16,interleave=none"
