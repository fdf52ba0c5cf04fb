"""What a layout's text says: every form that CUTLASS and its DSL print, and where the others go wrong."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from samples import some

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.tiles.explaining import explain_text, read_layout
from smemdesc.tiles.reading import Options

BF16 = dtype_of("bf16")
FORMS = {
    "tensor": ("Sw<3,4,3>_smem_ptr[16b](0x4e0) o (_64,_16):(_64,_1)", (3, 4, 3), 0x4E0, 0, False),
    "no swizzle": ("smem_ptr[16b](0x1c00) o (_64,(_8,_2)):(_8,(_1,_512))", (0, 4, 3), 0x1C00, 0, False),
    "4-bit": ("Sw<1,4,3>_smem_subptr[4b](0xb00.0) o (_8,_64):(_64,_1)", (1, 4, 3), 0xB00, 0, False),
    "nil": ("Sw<2,4,3>_smem_ptr[16b]((nil)) o (_64,_16):(_32,_1)", (2, 4, 3), 0, 0, False),
    "nil in glibc": ("Sw<2,4,3>_smem_ptr[16b](nil) o (_64,_16):(_32,_1)", (2, 4, 3), 0, 0, False),
    "4-bit nil": ("smem_subptr[4b]((nil).0) o (_8,_64):(_64,_1)", (0, 4, 3), 0, 0, False),
    "generic pointer": ("smem_ptr[16b](0x7f5c00000400) o (_64,_16):(_8,_1)", (0, 4, 3), 0x400, 0, False),
    "unset": ("Sw<0,4,3> o smem_ptr[16b](unset) o ((_8,_8),(_8,_8)):((_8,_64),(_1,_512))", (0, 4, 3), 0, 0, False),
    "slice": ("Sw<3,4,3> o 48 o (_64,_16):(_64,_1)", (3, 4, 3), 0, 48, False),
    "position independent": ("Sw<3,3,3> o _0 o (_64,_16):(_64,_1)", (3, 4, 3), 0, 0, True),
    "pointer, then swizzle": ("smem_ptr[16b](0x400) o Sw<3,3,3> o _8 o (_64,_16):(_64,_1)", (3, 4, 3), 0x400, 8, True),
    "4-bit elements": ("smem_subptr[4b](0x400.0) o Sw<3,5,3> o _0 o (_8,_64):(_256,_1)", (3, 4, 3), 0x400, 0, True),
    "DSL": ("S<3,4,3> o 0 o (64,16):(64,1)", (3, 4, 3), 0, 0, False),
    "DSL, no swizzle": ("S<0,4,3> o 0 o (64,16):(8,1)", (0, 4, 3), 0, 0, False),
    "DSL tensor": ("tensor<ptr<bf16, smem, align<128>, S<1,4,3>> o (64,16):(16,1)>", (1, 4, 3), 0, 0, False),
    "DSL memref": ('!cute.memref<bf16, smem, align<128>, S<3,4,3>, "(64,16):(64,1)">', (3, 4, 3), 0, 0, False),
    "as this program prints": ("Swizzle<3,4,3> o ((8,8),(8,2)):((64,512),(1,8))", (3, 4, 3), 0, 0, False),
    "with its name": ("tCsA : Sw<3,4,3>_smem_ptr[16b](0x400) o (_64,_16):(_64,_1)", (3, 4, 3), 0x400, 0, False),
}


@pytest.mark.parametrize("case", FORMS.values(), ids=FORMS.keys())
def test_every_print_form(case: tuple[str, tuple[int, int, int], int, int, bool]) -> None:
    text, swizzle, start, offset, relative = case
    dtype = None if "[4b]" in text else BF16
    (reading,) = read_layout(text, Options(dtype=dtype)).readings
    memory = reading.buffer
    assert (memory.swizzle, memory.start, memory.offset, memory.relative) == (
        Swizzle(*swizzle),
        start,
        offset,
        relative,
    )


@pytest.mark.parametrize("text", ["(64,16):(8,1)", "(_64,_16):(_8,_1)", "((64),(16)):((8),(1))"])
def test_run_time_integers_are_as_static_ones(text: str) -> None:
    memory = read_layout(text, Options(dtype=BF16, swizzle="none")).readings[0].buffer
    assert (memory.shape, memory.mn.offset(1), memory.k.offset(1)) == ((64, 16), 8, 1)


def test_a_bare_layout_is_read_under_every_mode() -> None:
    readings = read_layout("(_64,_16):(_1,_64)", Options(dtype=BF16)).readings
    assert [each.buffer.mode for each in readings] == ["none", "128B_32B", "128B", "64B", "32B"]
    assert readings[0].label == "as no swizzle"


@pytest.mark.parametrize(
    ("text", "shape", "mma", "stages"),
    [
        ("S<3,4,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))", (128, 64), None, 3),
        ("S<3,4,3> o 0 o ((8,16),(64,1),3):((64,512),(1,0),8192)", (128, 64), None, 3),
        ("S<3,4,3> o 0 o ((128,16),1,4,3):((64,1),0,16,8192)", (128, 64), (128, 16), 3),
        ("S<3,4,3> o 0 o ((64,16),2,4):((64,1),4096,16)", (128, 64), (64, 16), 1),
    ],
)
def test_stages_and_partitioned_tensors(
    text: str, shape: tuple[int, int], mma: tuple[int, int] | None, stages: int
) -> None:
    source = read_layout(text, Options(dtype=BF16))
    assert (source.readings[0].buffer.shape, source.mma, source.stages) == (shape, mma, stages)


def test_a_stage_begins_further_on() -> None:
    text = "S<3,4,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"
    assert read_layout(text, Options(dtype=BF16, stage=2)).readings[0].buffer.offset == 2 * 8192
    assert "16384 B apart" in read_layout(text, Options(dtype=BF16)).notes[0]
    with pytest.raises(SmemdescError, match="no stage 3"):
        read_layout(text, Options(dtype=BF16, stage=3))


@pytest.mark.parametrize("text", ["(_64,_2):(_8,_1)", "smem_ptr[128b](0x0) o (_64,_2):(_8,_1)"])
def test_units_of_16_bytes(text: str) -> None:
    memory = (
        read_layout(text, Options(dtype=BF16, units="16B", swizzle=None if "ptr" in text else "128B"))
        .readings[0]
        .buffer
    )
    assert (memory.shape, memory.mn.offset(1), memory.k.offset(8), memory.k.offset(1)) == ((64, 16), 64, 8, 1)


def test_a_type_is_taken_from_the_text_or_stands_for_the_width() -> None:
    assert read_layout("smem_ptr[8b](0x0) o (_8,_32):(_32,_1)").assumed
    source = read_layout("tensor<ptr<f8E5M2, smem, align<128>> o (64,32):(16,1)>")
    assert (source.dtype.name, source.assumed) == ("e5m2", False)
    packed = read_layout("smem_subptr[4b](0x0.0) o (_8,_64):(_64,_1)").dtype
    assert (packed.name, packed.storage) == ("e2m1", 4)


def test_the_start_replaces_the_pointer() -> None:
    source = read_layout("Sw<3,4,3>_smem_ptr[16b](0x4e0) o (_64,_16):(_64,_1)", Options(start=1024))
    assert source.readings[0].buffer.start == 1024


def test_what_a_box_leaves() -> None:
    k, mn = read_layout("box=64x128,swizzle=128B,dtype=bf16,interleave=none").readings
    assert (k.majors, k.buffer.shape, k.buffer.mn.offset(1)) == (("K",), (128, 64), 64)
    assert (mn.majors, mn.buffer.shape, mn.buffer.k.offset(1)) == (("MN",), (64, 128), 64)


def test_several_boxes_fill_a_tile() -> None:
    (reading,) = read_layout("box=64x128,swizzle=128B,dtype=bf16", Options(shape=(128, 256), major="K")).readings
    assert [reading.buffer.k.offset(k) for k in (1, 64, 192)] == [1, 8192, 3 * 8192]
    with pytest.raises(SmemdescError, match="in an unknown order"):
        read_layout("box=64x64,swizzle=128B,dtype=bf16", Options(shape=(128, 256), major="K"))


WRONG = {
    "mark": ("Sw<3,4,3>_smem_ptr[16b](0x4e0) o (_64,_16):(_64;_1)", "';' is where ')' belongs", ";"),
    "end": ("Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_16):(_64,_1", "the text ends where ')' belongs", ""),
    "congruent": ("Sw<3,4,3> o 0 o (64,(8,2)):(64,1)", "not congruent", "1)"),
    "width": ("(_64,_16):(_64,_1)", "give the width of an element", "(_64,_16):(_64,_1)"),
    "64 bits": ("smem_ptr[64b](0x0) o (_8,_8):(_8,_1)", "no operand has elements of 64 bits", "smem_ptr[64b](0x0)"),
    "global": ("gmem_ptr[16b](0x7f00) o (_64,_16):(_64,_1)", "only be constructed on smem", "gmem_ptr"),
    "registers": ("tensor<ptr<bf16, rmem, align<32>> o (64,16):(64,1)>", "is in registers", "rmem"),
    "rank": ("Sw<3,4,3> o smem_ptr[16b](unset) o _64:_1", "only be constructed on rank-2 tensors", "Sw"),
    "run time": ("S<3,4,3> o 0 o (?,16):(64,1)", "known only at run time", "?"),
    "type": ("tensor<ptr<f64, smem, align<8>> o (64,16):(64,1)>", "not an operand type", "f64"),
    "extent": ("S<3,4,3> o 0 o (0,16):(64,1)", "at least 1", "0,16"),
    "sparse": ("smem_sparse_ptr[16b](0x0) o (64,16):(64,1)", "sparse elements", "smem_sparse_ptr"),
    "swizzle of bits": ("S<3,-4,3> o 0 o (64,16):(64,1)", "a number of bits of an address", "-4"),
    "swizzle in a byte": ("smem_subptr[4b](0x0.0) o Sw<3,0,3> o _0 o (8,64):(64,1)", "it is not a mode", "Sw<3,0,3>"),
    "too large": ("Sw<3,4,3>_smem_ptr[16b](0x0) o (1000000,1000000):(64,1)", "more than shared memory", "Sw"),
    "behind": ("S<3,4,3> o 0 o (64,16):(64,1) and more", "after the layout", "and"),
    "no text": ("hello", "'hello' is not a number", "hello"),
    "box too wide": ("box=128x128,swizzle=128B,dtype=bf16", "cuTensorMapEncodeTiled rejects it", "128x128"),
    "box of 3": ("box=64x128x2,swizzle=128B,dtype=bf16", "which of them is K", "64x128x2"),
    "swizzle code": ("box=64x128,swizzle=3,dtype=bf16", "code, not a mode", "3,dtype"),
    "interleave": ("box=64x128,swizzle=128B,dtype=bf16,interleave=16B", "without interleave", "16B"),
    "setting": ("box=64x128,swizle=128B", "not a setting of a tensor map", "swizle=128B"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_read_is_pointed_at(case: tuple[str, str, str]) -> None:
    text, message, at = case
    with pytest.raises(SmemdescError, match=re.escape(message)) as caught:
        read_layout(text, Options(dtype=BF16) if text.startswith(("S<", "Sw<3,4,3> o 0")) else Options())
    assert caught.value.span is not None
    assert text[caught.value.span[0] :].startswith(at)


def test_options_do_not_contradict_the_text() -> None:
    text = "Sw<3,4,3>_smem_ptr[16b](0x4e0) o (_64,_16):(_64,_1)"
    with pytest.raises(SmemdescError, match="elements of 16 bits, but e4m3 has 8"):
        read_layout(text, Options(dtype=dtype_of("e4m3")))
    with pytest.raises(SmemdescError, match="has 128B, but swizzle is 64B"):
        read_layout(text, Options(swizzle="64B"))


SEEDS = [*(case[0] for case in FORMS.values()), "box=64x128,swizzle=128B,dtype=bf16,interleave=none"]
SEEDS += [
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>",
    "!ttg.memdesc<3x128x64xbf16, #ttg.nvmma_shared<{swizzlingByteWidth = 64, elementBitWidth = 16}>, #smem>",
    "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2, cga_layout=[[1, 0]])",
]


@some(400)
@given(
    st.sampled_from(SEEDS),
    st.integers(0, 200),
    st.text('0123456789_(),:<>[]{}=xo -Sw#!.b"', max_size=3),
    st.integers(0, 2),
)
@example("Sw<3,4,3> o 48 o (_64,_16):(_64,_1)", 11, "-", 1)  # it begins before byte 0
def test_a_damaged_text_is_read_or_pointed_at(text: str, at: int, more: str, less: int) -> None:
    at %= len(text)
    damaged = text[:at] + more + text[at + less :]
    for ask in (
        Options(),
        Options(dtype=BF16, shape=(128, 64)),
        Options(dtype=BF16, units="16B", major="MN"),
    ):
        wrong = None
        try:
            found = explain_text(damaged, "tcgen05", ask)
        except SmemdescError as error:
            wrong = error
        if wrong is None:
            assert found.answers or found.refusal
        elif wrong.span is not None:
            assert 0 <= wrong.span[0] <= len(damaged)
