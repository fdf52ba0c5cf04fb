"""A tensor map against the descriptor that reads what it writes: right pairs fit, and each mistake has its name."""

from __future__ import annotations

from itertools import islice, pairwise, product
from operator import add
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import long_run, some
from tables import every_row

from smemdesc import Context, encode
from smemdesc.api.planning import plan
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.tensormap import copy_in_words, encode_map
from smemdesc.engine.errors import SmemdescError
from smemdesc.instructions.planning import with_maps
from smemdesc.kinds.modes import MODE
from smemdesc.kinds.tensormap import DATA_TYPES, SWIZZLES
from smemdesc.kinds.types import dtype_of
from smemdesc.tiles.explaining import read_layout
from smemdesc.tiles.reading import Options
from smemdesc.tiles.tensor_map import CopiedBox, MapCheck, hold, read_map
from smemdesc.tiles.tile import Tile, lay_out_tile

BF16 = dtype_of("bf16")
TYPES = ("bf16", "f16", "tf32", "e4m3", "s8", "e2m1", "e3m2", "packed")
DRIVEN = {each.name for each in DATA_TYPES}


def tiles(step: int) -> list[Tile]:
    """Return each ``step``-th tile of every kind, type, major-ness, mode and order that there is, of several sizes."""
    made = []
    sizes = ((128, 64), (64, 256), (256, 128))
    combinations = product(("wgmma", "tcgen05"), TYPES, ("K", "MN"), MODE, ("mn", "k"), sizes)
    for kind, name, major, mode, order, size in islice(combinations, 0, None, step):
        dtype = dtype_of("e2m1", "mxf4") if name == "packed" else dtype_of(name)
        try:
            each = lay_out_tile(
                kind, size, dtype, major, mode, order=order, cta_group=1 + (kind == "tcgen05" and order == "k")
            )
        except SmemdescError:
            continue
        if each.filling is not None and not each.absolute:
            made.append(each)
    return made


def map_of(each: Tile) -> CopiedBox:
    """Return the map that fills a tile: as the driver makes it where Hopper's does, else in words."""
    assert each.filling is not None
    box = each.filling.map
    name = box.data_type.removeprefix("CU_TENSOR_MAP_DATA_TYPE_")
    if name not in DRIVEN or box.swizzle not in SWIZZLES:
        return CopiedBox(name, box.swizzle, "none", tuple(box.box))
    made = encode_map(name, 0x7F0000000000, (4096, 4096), (4096 * 4,), box.box, swizzle=box.swizzle)
    return read_map(made.value.to_bytes(128, "little").hex())


def held(each: Tile, value: int, of: CopiedBox, *, tiled: bool = False, **case: Any) -> MapCheck:
    context = Context(dtype=each.dtype, major=each.major, shape=each.mma, tile=each.shape if tiled else None)
    return hold(decode_value(f"0x{value:016x}", each.kind.name), context._replace(**case), of)


@pytest.mark.parametrize("step", [17, long_run(1)])
def test_whatever_a_tile_is_made_of_fits_its_own_box(step: int) -> None:
    made = tiles(step)
    assert len(made) > 250 // step
    for each in made:
        of = map_of(each)
        for at in {each.steps[0], each.steps[1 % len(each.steps)], each.steps[-1]}:
            for tiled in (False, True):
                found = held(each, at.value, of, tiled=tiled, order=each.order if tiled else None)
                assert found.findings == (), (str(each), at, tiled)


def changed(each: Tile, value: int, key: str, change: Any) -> int:
    table = each.kind.table
    raw = table.read(value)[key].raw
    return table.insert(value, key, change(raw))


def rules(each: Tile, of: CopiedBox, key: str = "", change: Any = None, **case: Any) -> set[str]:
    """Return the rules that are found at some steps of a tile."""
    values = [step.value if not key else changed(each, step.value, key, change) for step in each.steps[:4:3]]
    return {finding.rule for value in values for finding in held(each, value, of, **case).findings}


LBO, SBO = "leading_byte_offset", "stride_byte_offset"
PLAIN = [
    lay_out_tile(kind, (128, 64), BF16, major, mode)
    for kind in ("wgmma", "tcgen05")
    for major in ("K", "MN")
    for mode in SWIZZLES
]


@pytest.mark.slow
@pytest.mark.parametrize("each", [each if each.kind.name == "wgmma" else long_run(each) for each in PLAIN], ids=str)
def test_each_mistake_has_its_name(each: Tile) -> None:
    of = map_of(each)
    width, raw = MODE[each.swizzle].width, each.kind.table.read(each.steps[0].value)["swizzle"].raw
    assert raw is not None
    most = 3 if each.kind.name == "wgmma" else 7
    for code in {max(0, raw - 1), min(most, raw + 1)} - {raw}:
        assert rules(each, of, "swizzle", lambda _, code=code: code) == {"map-swizzle"}
    assert rules(each, of, SBO, lambda raw: raw // 2) == {"map-strides"}
    assert rules(each, of._replace(data_type="FLOAT16")) == {"map-type"}
    assert "map-type" in rules(each, of._replace(data_type="UINT8"))
    assert rules(each, of._replace(data_type="UINT16")) == set()
    assert rules(each, of._replace(interleave="16B")) == {"map-interleave"}
    if each.swizzle != "none":
        assert "map-start" in rules(each, of, "start_address", lambda raw: raw + width // 16 - 1)
        assert rules(each, of, "base_offset", lambda _: 1) == {"map-start"}
        assert "map-line" in rules(each, of._replace(box=(of.box[0] // 2, *of.box[1:])))
    else:
        assert rules(each, of._replace(box=(of.box[0] * 2, *of.box[1:]))) == {"map-line"}
    if each.swizzle == "none" or (each.major == "MN" and each.mma.mn * 2 > width):
        assert rules(each, of, LBO, lambda raw: raw // 2) == {"map-strides"}
        assert rules(each, of, LBO, lambda raw: raw * 2, tiled=True) == {"map-strides"}
    assert rules(each, of._replace(box=(of.box[0], 48)), tiled=True) == {"map-tile"}


@pytest.mark.parametrize("each", [each for each in PLAIN if each.major == "K"], ids=str)
def test_another_major_ness_is_told_by_the_strides(each: Tile) -> None:
    assert rules(each, map_of(each), major="MN", shape=(128, 16)) == {"map-major"}


@every_row(
    ("value", "written", "says"),
    [
        (0x4000404000010040, "64B", "code 2 is 64B in the map and 128B in tcgen05; 128B is 3 in the map, 2 in tcgen05"),
        (0x4000004000010040, "32B", "code 1 is 32B in the map and 128B in wgmma; 128B is 3 in the map, 1 in wgmma"),
        (0xC000001000010040, "128B", "code 3 is 128B in the map and 32B in wgmma; 32B is 1 in the map, 3 in wgmma"),
        (0x2000404000010040, "128B", "code 1 is 128B in wgmma, which in tcgen05 is code 2"),
        (0x6000404000010040, "128B", "code 3 is 128B in the map, which in tcgen05 is code 2"),
        (0xC000401000010040, "64B", ""),
        (0x4000404000010040, "32B", "code 1 is 128B in wgmma, which in the map is code 3"),
        (0x4000004000010040, "64B", ""),
    ],
)
def test_who_numbers_the_modes_how(value: int, written: str, says: str) -> None:
    kind = "tcgen05" if value >> 46 & 1 else "wgmma"
    found = hold(decode_value(value, kind), Context(major="K"), read_map(f"box=16x128,swizzle={written},dtype=bf16"))
    (finding,) = found.findings
    assert finding.rule == "map-swizzle"
    assert finding.likely.endswith(says)
    assert bool(finding.likely) == bool(says)


@pytest.mark.parametrize("name", ["128B_ATOM_64B", "128B_ATOM_32B_FLIP_8B", "128B_32B"])
def test_swizzles_that_only_the_map_has(name: str) -> None:
    found = hold(decode_value(0x4000404000010040), Context(major="K"), CopiedBox("BFLOAT16", name, "none", (64, 128)))
    assert [each.rule for each in found.findings] == ["map-swizzle"]


@pytest.mark.parametrize(
    ("box", "value", "case", "assumed"),
    [
        # Without swizzle: columns of 16 bytes in dimension 2
        ("8x128x8", {SBO: 128, LBO: 2048}, {"swizzle": "none"}, "if dimensions 0 and 2 of the map are K"),
        # Core matrices of 8 rows, the next along K beside each
        ("8x8x8x16", {SBO: 1024, LBO: 128}, {"swizzle": "none"}, "if dimensions 0 and 2 of the map are K"),
        # MN-major, 256 columns in one copy
        (
            "64x64x4",
            {SBO: 1024, LBO: 8192},
            {"major": "MN", "shape": (256, 16)},
            "if dimensions 0 and 2 of the map are MN",
        ),
        # Pixels of an image are rows, whatever their dimension
        ("64x8x16", {SBO: 1024}, {"shape": (128, 16)}, "if dimension 0 of the map is K"),
    ],
)
def test_boxes_of_more_dimensions(box: str, value: dict[str, int], case: dict[str, Any], assumed: str) -> None:
    swizzle = case.pop("swizzle", "128B")
    result = decode_value(encode("tcgen05", start_address=0x400, swizzle=swizzle, **{LBO: 16, **value}))
    context = Context(dtype=BF16, major="K", shape=(64, 16))._replace(**case)
    found = hold(result, context, read_map(f"box={box},swizzle={swizzle},dtype=bf16"))
    assert found.findings == ()
    assert found.assumed[-1] == assumed


def test_an_image_to_column_map_has_pixels_as_lines() -> None:
    made = encode_map(
        "f16", 0x7F0000000000, (64, 128, 128, 8), (128, 16384, 2097152), swizzle="128B",
        lower_corner=(-1, -1), upper_corner=(-1, -1), channels=64, pixels=128,
    )  # fmt: skip
    of = read_map(made.value.to_bytes(128, "little").hex())
    assert of == CopiedBox("FLOAT16", "128B", "none", (64, 128))


@pytest.mark.parametrize(("start", "fits"), [(0, False), (1024, True), (0x38000, False)])
def test_no_copy_begins_below_0_or_ends_outside_shared_memory(start: int, fits: bool) -> None:
    value = encode("tcgen05", start_address=start, swizzle="128B", **{SBO: 3072})
    case = Context(dtype=BF16, major="K", shape=(16, 16))
    assert hold(decode_value(value, "tcgen05"), case, read_map("box=64x16,swizzle=128B,dtype=bf16")).fits == fits


def test_an_operand_in_the_second_half_of_its_box_fits() -> None:
    """The box begins before the operand; one that began with it would reach beyond shared memory."""
    context = Context(dtype="e4m3", major="MN", shape="256x32")
    box = CopiedBox("UINT8", "128B", "none", (128, 256))
    assert hold(decode_value(0x4000404010002300, "tcgen05"), context, box).fits


def test_where_the_operand_begins_need_not_be_known() -> None:
    of = read_map("box=64x128,swizzle=128B,dtype=bf16")
    context = Context(dtype=BF16, major="K", shape=(64, 16))
    assert hold(decode_value("0x40004040:?", "tcgen05"), context, of).fits
    assert not hold(decode_value("0x40004020:?", "tcgen05"), context, of).fits


@pytest.mark.parametrize(("inner", "swizzle"), [(16, "none"), (64, "none"), (16, "64B"), (32, "64B"), (32, "128B")])
def test_a_box_in_words_is_laid_out_as_its_map_is(inner: int, swizzle: str) -> None:
    text = f"box={inner}x24,swizzle={swizzle},dtype=bf16"
    memory = read_layout(text, Options(shape=(48, inner), major="K")).readings[0].buffer
    assert [memory.linear(row, 0) // 8 for row in range(48)] == [row * read_map(text).pitch for row in range(48)]


def test_the_shared_memory_of_a_narrow_box_is_that_of_its_lines() -> None:
    made = encode_map("bf16", 0x7F0000000000, (4096, 4096), (8192,), (32, 128), swizzle="128B")
    said = dict(copy_in_words(decode_value(made.value.to_bytes(128, "little").hex()).fields))
    laid_out = "128 lines of 32 BFLOAT16 = 64 B in 128 B each: 16384 B of shared memory"
    assert said["a copy"] == f"{laid_out}, 16 swizzle atoms of 8 lines of 128 B"


@every_row(
    ("text", "says"),
    [
        ("0x4000404000010040", "is not a tensor map"),
        ("box=64x128,dtype=bf16,size=3", "is not a setting"),
        ("box=64xK,dtype=bf16", "is not a tensor map"),
        ("box=64x128", "is not a tensor map"),
        ("box=-64x8,dtype=bf16", "is not a tensor map"),
        ("box=8x8x8x8x8x8,dtype=bf16", "is not a tensor map"),
        ("box=64x0,dtype=bf16", "is not a tensor map"),
        ("box=64x128,swizzle=256B,dtype=bf16", "unknown swizzle mode"),
        ("box=64x128,swizzle=128B,dtype=bf17", "unknown operand type"),
    ],
)
def test_what_is_no_map(text: str, says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        read_map(text)


@pytest.mark.parametrize(
    ("value", "context", "of", "says"),
    [
        ("0x4000404000010040", Context(), "dtype=bf16", "does not say which dimension is K"),
        ("0x4000404000010040", Context(major="K"), "dtype=e4m3", "give --dtype"),
        ("?:0x00010040", Context(major="K"), "dtype=bf16", "unknown"),
        ("0x08200490", Context(major="K"), "dtype=bf16", "--kind"),
    ],
)
def test_what_cannot_be_compared(value: str, context: Context, of: str, says: str) -> None:
    kind = "tcgen05" if "?" in value else None
    with pytest.raises(SmemdescError) as raised:
        hold(decode_value(value, kind), context, read_map(f"box=64x128,swizzle=128B,{of}"))
    assert says in f"{raised.value.option_message} {raised.value.option_hint}"


def test_a_box_that_the_driver_refuses() -> None:
    context = Context(major="K")
    found = hold(decode_value(0x4000404000010040), context, CopiedBox("BFLOAT16", "128B", "none", (12, 128)))
    assert [each.rule for each in found.findings] == ["map-line"]
    with pytest.raises(SmemdescError, match="no box has more than"):
        hold(decode_value(0x4000404000010040), context, CopiedBox("BFLOAT16", "128B", "none", (64, 256, 256)))


# By bytes: every copy tried at every place


class Made(NamedTuple):
    swizzle: str
    major: str
    start: int
    lbo: int
    sbo: int
    shape: tuple[int, int]
    row: int
    lines: int


def swizzled(mode: str, address: int) -> int:
    bits, low, shift = MODE[mode].swizzle
    return address ^ ((address >> low + shift & (1 << bits) - 1) << low)


def read_at(made: Made, mn: int, k: int) -> int:
    """The byte that a descriptor reads a bf16 element at, as the formula of the documents has it."""
    width = MODE[made.swizzle].width
    if made.major == "K":
        byte = mn % 8 * width + mn // 8 * made.sbo + 2 * k // width * made.lbo + 2 * k % width
    elif made.swizzle == "none":
        byte = 2 * mn % 16 + 2 * mn // 16 * made.sbo + k % 8 * 16 + k // 8 * made.lbo
    else:
        byte = 2 * mn % width + 2 * mn // width * made.lbo + k % 8 * width + k // 8 * made.sbo
    return swizzled(made.swizzle, made.start + byte)


WINDOW = range(0, 24576, 128)
"""Where a copy may begin; none begins below 0."""


def is_written(made: Made) -> bool:
    """Whether some place for each copy, tried one by one, puts every element where it is read."""
    pitch = made.row if made.swizzle == "none" else MODE[made.swizzle].width
    mn, k = made.shape
    wide = made.row // 2
    for first, line in product(range(0, wide, 8), range(made.lines)):
        boxes: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for i, j in product(range(mn), range(k)):
            at, down = (j + first, i + line) if made.major == "K" else (i + first, j + line)
            inside = down % made.lines * pitch + 2 * (at % wide)
            boxes.setdefault((at // wide, down // made.lines), []).append((inside, read_at(made, i, j)))
        begins = []
        for each in boxes.values():
            found = [to for to in WINDOW if all(swizzled(made.swizzle, to + inside) == byte for inside, byte in each)]
            if not found:
                break
            begins += found  # where all of a copy is known to be, there is one place
        else:
            if all(after - before >= pitch * made.lines for before, after in pairwise(sorted(begins))):
                return True
    return False


@some(120)
@given(
    st.builds(
        Made,
        st.sampled_from(SWIZZLES),
        st.sampled_from(("K", "MN")),
        st.builds(add, st.sampled_from((0, 4096)), st.sampled_from((0, 0, 0, 16, 32, 64, 112, 128, 384))),
        st.sampled_from((16, 128, 256, 512, 1024, 2048)),
        st.sampled_from((128, 256, 512, 1024, 2048)),
        st.sampled_from(((8, 16), (16, 16), (24, 16), (64, 16))),
        st.sampled_from((16, 32, 64, 128)),
        st.sampled_from((4, 8, 12, 16, 32)),
    )
)
def test_it_fits_where_some_place_of_the_copies_does(made: Made) -> None:
    if made.swizzle != "none" and made.row > MODE[made.swizzle].width:
        return
    value = encode(
        "wgmma", start_address=made.start, swizzle=made.swizzle, **{LBO: made.lbo, SBO: made.sbo}, force=True
    )
    of = CopiedBox("BFLOAT16", made.swizzle, "none", (made.row // 2, made.lines))
    found = hold(decode_value(value, "wgmma"), Context(dtype=BF16, major=made.major, shape=made.shape), of)
    assert found.fits == is_written(made)


# The maps of a plan


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((128, 128, 64), {"dtype": "bf16"}),
        ((64, 256, 128), {"dtype": "bf16", "b_major": "MN", "arch": "sm_90a"}),
        ((256, 256, 64), {"dtype": "e4m3", "cta_group": 2}),
        ((128, 64, 32), {"dtype": "tf32", "swizzle": "none"}),
        ((128, 128, 64), {"dtype": "f16", "a_major": "MN", "order": "k", "swizzle": "64B"}),
    ],
)
def test_the_maps_of_a_plan_fit_its_descriptors(shape: tuple[int, int, int], options: dict[str, Any]) -> None:
    made = with_maps(plan(shape, **options), (0x7F1234567000, 0x7F2234567000), (4096, 2048, 1024))
    for name, operand, mn in (("a", made.a, 4096), ("b", made.b, 2048)):
        assert operand is not None
        assert operand.map is not None
        text = operand.to_dict()["tma"]["map"]
        fields = decode_value(text).fields
        major = operand.tile.major
        assert (fields["dim_0"].value, fields["dim_1"].value) == ((1024, mn) if major == "K" else (mn, 1024))
        assert fields["global_address"].value == (0x7F1234567000 if name == "a" else 0x7F2234567000)
        for row in operand.descriptors:
            for value in row:
                assert held(operand.tile, value, read_map(text), tiled=True).findings == ()


@pytest.mark.parametrize(
    ("options", "addresses", "says"),
    [
        ({"dtype": "tf32", "a_major": "MN"}, (4096, None), "128B_32B"),
        ({"dtype": "bf16", "a_from": "tmem"}, (4096, None), "no tensor map"),
        ({"dtype": "bf16"}, (None, 8), "not a multiple of 16"),
    ],
)
def test_what_has_no_map(options: dict[str, Any], addresses: Any, says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        with_maps(plan((128, 128, 128), **options), addresses)


def test_a_plan_says_that_the_map_of_a_packed_type_is_not_measured() -> None:
    made = with_maps(plan((128, 128, 256), dtype="e2m1", mma_kind="mxf4", scale="ue8m0"), (4096, 8192))
    assert [each.rule for each in made.findings] == ["unmeasured-type"]
