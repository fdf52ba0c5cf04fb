"""Triton's encoding of shared memory. The table is Triton 3.9's own linear layout of each (encoding, shape, bases)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Mode
from smemdesc.tiles.explaining import explain_text, read_layout
from smemdesc.tiles.linear import Bases, Encoding, TensorLayout, resolve, swizzled
from smemdesc.tiles.reading import Options
from smemdesc.tiles.triton import parse_triton

ROWS = [line.split("\t") for line in (Path(__file__).parent / "triton.tsv").read_text().splitlines()]
NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"


def places(encoding: Encoding | Bases, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    assert isinstance(encoding, Encoding)
    return [basis.place for basis in TensorLayout(encoding, shape).bases]


@every_row("row", ROWS)
def test_the_bases_are_tritons(row: list[str]) -> None:
    text, shape, bases = row
    found = places(parse_triton(text).encoding, tuple(map(int, shape.split("x"))))
    assert found == [tuple(map(int, basis.split(","))) for basis in bases.split()]


@every_row(
    "text",
    [
        "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>",
        "#shared = #ttg.nvmma_shared<{elementBitWidth = 8, swizzlingByteWidth = 64, transposed = true}>",
        "NVMMASharedLayout(swizzle_byte_width=64, element_bitwidth=8, rank=2, transposed=True)",
        "gl.NVMMASharedLayout(64, 8, 2, True)",
        "NVMMASharedLayout(64, 8, transposed=True, cga_layout=None)",
        "!ttg.memdesc<128x64xf8E4M3FN, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, "
        "elementBitWidth = 8}>, #ttg.shared_memory, mutable>",
    ],
)
def test_one_encoding_in_many_words(text: str) -> None:
    found = parse_triton(text).encoding
    assert found[:5] == ("64B", 8, True, False, 2)


def test_a_memdesc_says_shape_type_and_buffers() -> None:
    text = f"#shared = {NVMMA}\n%a = ttg.local_alloc : !ttg.memdesc<3x128x64xbf16, #shared, #smem, mutable>"
    source = read_layout(text, Options(major="K", stage=2))
    (reading,) = source.readings
    assert (source.dtype.name, source.stages) == ("bf16", 3)
    assert (reading.buffer.shape, reading.buffer.offset) == ((128, 64), 2 * 128 * 64)


@pytest.mark.parametrize(
    ("attribute", "shape"),
    [
        ("CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]", (64, 64)),
        ("CGALayout = [[0, 1]]", (128, 32)),
        ("CGALayout = [[0, 0]]", (128, 64)),
    ],
)
def test_several_ctas_share_a_tensor(attribute: str, shape: tuple[int, int]) -> None:
    text = NVMMA.replace("swizzlingByteWidth = 128", "swizzlingByteWidth = 64").replace("}>", f", {attribute}}}>")
    source = read_layout(text, Options(shape=(128, 64), major="K"))
    assert source.readings[0].buffer.shape == shape
    assert any("CTAs share" in note for note in source.notes) == (shape != (128, 64))


def test_fp4_padded_counts_two_elements_a_byte_of_the_tensor() -> None:
    text = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>"
    (reading,) = read_layout(text, Options(shape=(128, 64), major="K")).readings
    assert (reading.buffer.shape, reading.buffer.bits) == ((128, 128), 8)


def test_the_dimension_that_is_contiguous_is_k_or_mn() -> None:
    memories = [each.buffer for each in read_layout(NVMMA, Options(shape=(64, 128))).readings]
    assert [memory.shape for memory in memories] == [(64, 128), (128, 64)]
    assert [memory.k.offset(1) for memory in memories] == [1, 64]


@every_row(
    ("text", "at", "message"),
    [
        (NVMMA.replace("128", "48"), "swizzlingByteWidth", "0, 32, 64 or 128"),
        (NVMMA.replace("= 16", "= 64"), "elementBitWidth", "8, 16 or 32"),
        (NVMMA.replace("transposed", "transpose"), "transpose ", "not a part of the encoding"),
        ("!ttg.memdesc<128x64xf16, #shared, #smem>", "shared", "does not define #shared"),
        ("#ttg.swizzled_shared<{vec = 8}>", "#ttg.swizzled_shared", "not a layout that an MMA reads"),
        (NVMMA[:-2], "", "where '}' belongs"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, at: str, message: str) -> None:
    with pytest.raises(SmemdescError, match=message) as caught:
        read_layout(text, Options(shape=(128, 64)))
    assert caught.value.span is not None
    assert text[caught.value.span[0] :].startswith(at.strip())


def test_triton_refuses_a_contiguous_dimension_below_the_swizzle() -> None:
    with pytest.raises(SmemdescError, match="32 B, below the 128 B"):
        read_layout(NVMMA, Options(shape=(128, 16)))


def test_a_swizzle_of_the_memory_is_of_bytes() -> None:
    assert read_layout(NVMMA, Options(shape=(128, 64))).readings[0].buffer.swizzle == Swizzle(3, 4, 3)


WIDTHS = ("none", "32B", "64B", "128B")


def offsets(modes: tuple[Mode, ...]) -> list[list[int]]:
    return [[mode.offset(index) for index in range(mode.size)] for mode in modes]


@given(
    st.sampled_from(WIDTHS),
    st.sampled_from((8, 16, 32)),
    st.booleans(),
    st.tuples(st.integers(3, 9), st.integers(0, 3)),
)
def test_the_bases_of_an_encoding_say_the_same(
    swizzle: str, bits: int, transposed: bool, powers: tuple[int, int]
) -> None:
    lines, wide = 1 << powers[0], (1024 // bits) << powers[1]
    shape = (wide, lines) if transposed else (lines, wide)
    encoding = Encoding(swizzle, bits, transposed, False, 2, (), (0, 0))
    found = resolve(places(encoding, shape), bits, (0, 0))
    assert found.swizzle == swizzle
    assert found.transposed is transposed
    assert offsets(found.modes(shape)) == offsets(encoding.modes(shape))


@pytest.mark.parametrize("named", ["", "#lin = "])
def test_bases_alone_are_a_layout_of_their_own_shape(named: str) -> None:
    offset = [list(basis) for basis in swizzled((32, 64), 8, 1, 8, (1, 0))]
    text = f"{named}#ttg.shared_linear<{{offset = {offset}, alignment = 1024}}>"
    explanation = explain_text(text, "wgmma", Options(dtype=dtype_of("f16"), major="K"))
    same = explain_text(NVMMA, "wgmma", Options(dtype=dtype_of("f16"), major="K", shape=(32, 64)))
    assert explanation.one().first.value == same.one().first.value


@pytest.mark.parametrize(("phases", "mode"), [((8, 1, 8), "128B"), ((8, 2, 4), "64B"), ((8, 4, 2), "32B")])
def test_lines_of_one_swizzle_width_are_a_mode(phases: tuple[int, int, int], mode: str) -> None:
    width = int(mode[:-1]) // 2
    found = resolve(swizzled((64, width), *phases, (1, 0)), 16, (0, 0))
    assert found.swizzle == mode


@pytest.mark.parametrize("bases", [[(0, 1), (1, 1)], [(0, 1), (0, 4)], [(0, 1), (0, 1)], [(0, 3)], [(0, 0)]])
def test_other_bases_are_no_mode(bases: list[tuple[int, ...]]) -> None:
    with pytest.raises(SmemdescError, match="no swizzle mode"):
        resolve(bases, 16, (0, 0))


@pytest.mark.parametrize(
    ("swizzle", "allocation"), [("32", "256x256"), ("64", "256x256"), ("128", "256x256"), ("128", "3x256x256")]
)
def test_a_view_has_the_strides_of_its_allocation(swizzle: str, allocation: str) -> None:
    layout = NVMMA.replace("128", swizzle)
    view = read_layout(f"!ttg.memdesc<64x64xf16, {layout}, #smem, mutable, {allocation}>").readings[0].buffer
    whole = read_layout(f"!ttg.memdesc<256x256xf16, {layout}, #smem, mutable>").readings[0].buffer
    assert list(view.rows()) == list(whole.slice((0, 0), (64, 64)).rows())
