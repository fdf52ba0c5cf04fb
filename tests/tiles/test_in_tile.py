"""A descriptor against a tile: the field that differs, and the elements that come out wrong, against brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import operand_of
from smemdesc.tiles.tile import InTile, Tile, compare_with_tile, lay_out_tile
from tiles.test_text import read

BF16 = dtype_of("bf16")


def made(major: str = "K", swizzle: str = "128B", size: tuple[int, int] = (128, 64), **more: Any) -> Tile:
    return lay_out_tile("tcgen05", size, more.pop("dtype", BF16), major, swizzle, mma=more.pop("mma", (64, 16)), **more)


def compared(each: Tile, value: int, start: int | None = None) -> InTile:
    context = Context(dtype=each.dtype, major=each.major, shape=each.mma)
    return compare_with_tile(kind_of("tcgen05").table.read(value), context, each, start)


def changed(each: Tile, value: int, **fields: Any) -> int:
    table = each.kind.table
    for key, raw in table.encode(fields).items():
        value = table.insert(value, key, raw)
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    "each",
    [
        made(),
        made("MN"),
        made("MN", "64B", mma=(32, 16)),
        made("K", "none"),
        made("MN", "none"),
        made("K", "32B", order="k"),
        made(dtype=dtype_of("e2m1", "mxf4"), size=(64, 512), mma=(64, 64)),
        made(dtype=dtype_of("e2m1", "mxf4"), size=(64, 768), mma=(64, 96)),
        made(size=(256, 64), mma=(128, 16), cta_group=2),
    ],
    ids=str,
)
def test_every_step_of_a_tile_agrees(each: Tile) -> None:
    for step in each.steps:
        found = compared(each, step.value, 0)
        assert found.agrees
        assert found.step == step
        assert found.findings == []


@pytest.mark.parametrize("at", [0, 1024, 0x4400])
def test_where_the_tile_begins_need_not_be_said(at: int) -> None:
    each = made(start=at)
    found = compared(each, each.steps[2].value)
    assert (found.agrees, found.start, (found.step.mn, found.step.k)) == (True, at, (0, 32))


@pytest.mark.parametrize(
    ("each", "fields", "key", "wanted"),
    [
        (made(), {"swizzle": "64B"}, "swizzle", "128B"),
        (made(), {"stride_byte_offset": 512}, "stride_byte_offset", 1024),
        (made(), {"stride_byte_offset": 2048}, "stride_byte_offset", 1024),
        (made("MN", mma=(128, 16)), {"leading_byte_offset": 1024}, "leading_byte_offset", 8192),
        (made("MN"), {"stride_byte_offset": 2048}, "stride_byte_offset", 1024),
        (made(), {"base_offset": 1}, "base_offset", 0),
        (made(), {"swizzle": "32B", "stride_byte_offset": 256}, "swizzle", "128B"),
        (made(), {"start_address": 16}, "start_address", 0),
    ],
)
def test_the_first_field_that_differs(each: Tile, fields: dict[str, Any], key: str, wanted: object) -> None:
    found = compared(each, changed(each, each.steps[0].value, **fields), 0)
    assert (found.key, found.wanted) == (key, wanted)
    assert found.misread
    (finding,) = found.findings
    assert finding.fields == (key,)
    assert f"{len(found.misread)} of {found.elements} elements" in finding.message


@pytest.mark.parametrize(
    ("major", "shape", "key", "message"),
    [
        ("MN", (64, 16), "major-ness", "major-ness is MN, the tile 128x64 (K-major 128B"),
        ("K", (192, 16), "shape", "the tile 128x64 (K-major 128B, atoms adjoin along MN) ends earlier"),
    ],
)
def test_what_the_instruction_says_and_no_field(major: str, shape: tuple[int, int], key: str, message: str) -> None:
    each = made()
    context = Context(dtype=BF16, major=major, shape=shape)
    found = compare_with_tile(each.kind.table.read(each.steps[0].value), context, each, 0)
    (finding,) = found.findings
    assert (found.key, finding.fields, finding.repair) == (key, (), ())
    assert message in finding.message


@pytest.mark.parametrize(
    ("each", "fields"),
    [(made(), {"leading_byte_offset": 4096}), (made("MN"), {"leading_byte_offset": 16})],
)
def test_a_field_without_effect_is_no_difference(each: Tile, fields: dict[str, Any]) -> None:
    assert compared(each, changed(each, each.steps[0].value, **fields), 0).agrees


def test_a_wgmma_version_is_no_difference() -> None:
    assert compared(made(), made().kind.table.insert(made().steps[0].value, "version", 0), 0).agrees


def test_the_stride_of_a_whole_tile_where_one_instruction_fits() -> None:
    """128x64 f16 MN-major: SBO of a tile with MN first is sound by itself, and wrong in a tile with K first."""
    each = made("MN", dtype=dtype_of("f16"), mma=(64, 16))
    assert compared(each, 0x4000408004000000, 0).key == "stride_byte_offset"
    assert compared(each, 0x4000404004000000, 0).agrees
    assert compared(made("MN", dtype=dtype_of("f16"), mma=(64, 16), order="mn"), 0x4000408000400000, 0).agrees


@some(60)
@given(
    st.sampled_from(["none", "32B", "64B", "128B"]),
    st.sampled_from(["K", "MN"]),
    st.sampled_from([16, 128, 256, 512, 1024, 2048, 8192]),
    st.sampled_from([128, 256, 512, 1024, 2048, 8192]),
    st.sampled_from(["none", "32B", "64B", "128B"]),
)
def test_misread_elements_are_those_that_lie_elsewhere(mode: str, major: str, lbo: int, sbo: int, other: str) -> None:
    each = made(major, mode, mma=(16, 16), size=(64, 64)) if major == "K" else made(major, mode, size=(64, 64))
    value = changed(each, each.steps[0].value, leading_byte_offset=lbo, stride_byte_offset=sbo, swizzle=other)
    found = compared(each, value, 0)
    lies = read(each)
    grid = operand_of(each.kind.table.read(value), Context(dtype=BF16, major=major, shape=each.mma)).grid
    wrong = [
        ((mn, k), lies.get(bit)) for mn, row in enumerate(grid) for k, bit in enumerate(row) if lies.get(bit) != (mn, k)
    ]
    assert [(misread.wanted, misread.read) for misread in found.misread] == wrong
    assert (found.key is None) == found.agrees
