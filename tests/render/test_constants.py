"""A descriptor as a constant to paste."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import kinds, masks, some, values
from tables import every_row

from smemdesc.descriptors.encoding import Encoded
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.reading.text import parse_value
from smemdesc.render.constants import constant_text


def encoded(kind: str, value: int, known: int | None = None) -> Encoded:
    own = kind_of(kind)
    return Encoded(own, value, own.table.full if known is None else known, ())


SMEM = encoded("tcgen05", 0x4000404000010040)
IDESC = encoded("idesc:f16", 0x08200490)
SMEM_SAYS = "tcgen05: start 1024 B, LBO 16 B, SBO 1024 B, swizzle 128B"
IDESC_SAYS = "idesc kind::f16: D f32, A bf16, B bf16, N 128, M 128"


@every_row(
    ("made", "style", "text"),
    [
        (SMEM, "hex", "0x4000404000010040"),
        (SMEM, "dec", "4611756662049538112"),
        (SMEM, "sdec", "4611756662049538112"),
        (encoded("wgmma", 0xC000002000100000), "sdec", str(0xC000002000100000 - 2**64)),
        (SMEM, "words", "0x40004040:0x00010040"),
        (SMEM, "c", f"static const uint64_t desc = UINT64_C(0x4000404000010040); /* {SMEM_SAYS} */"),
        (SMEM, "cuda", f"constexpr uint64_t desc = 0x4000404000010040ull; // {SMEM_SAYS}"),
        (SMEM, "ptx", f"mov.b64 desc, 0x4000404000010040; // {SMEM_SAYS}"),
        (SMEM, "python", f"desc = 0x4000404000010040  # {SMEM_SAYS}"),
        (IDESC, "hex", "0x08200490"),
        (IDESC, "words", "0x08200490"),
        (IDESC, "c", f"static const uint32_t desc = UINT32_C(0x08200490); /* {IDESC_SAYS} */"),
        (IDESC, "cuda", f"constexpr uint32_t desc = 0x08200490u; // {IDESC_SAYS}"),
        (IDESC, "ptx", f"mov.b32 desc, 0x08200490; // {IDESC_SAYS}"),
    ],
)
def test_style(made: Encoded, style: str, text: str) -> None:
    assert constant_text(made, style) == text


def test_the_constant_has_the_name_that_it_is_given() -> None:
    assert constant_text(SMEM, "python", "a_desc").startswith("a_desc = ")


@every_row(
    ("style", "name", "legal"),
    [
        *((style, "9x", False) for style in ("c", "cuda", "ptx", "python")),
        *((style, "", False) for style in ("c", "cuda", "ptx", "python")),
        *((style, "a b", False) for style in ("c", "cuda", "ptx", "python")),
        *((style, "a_desc", True) for style in ("c", "cuda", "ptx", "python")),
        *((style, "9x", True) for style in ("hex", "dec", "sdec", "words")),  # no name is written
        *(("c", name, False) for name in ("int", "_Bool", "__x", "a__b", "_X", "_x", "_", "co_await", "main")),
        *(("c", name, False) for name in ("%rd1", "a\n", "a-b", "é")),
        *(("cuda", name, False) for name in ("class", "template", "threadIdx", "warpSize", "__shared__", "_A")),
        *(("ptx", name, False) for name in ("_", "WARP_SZ", "add", "wgmma", "%tid", "%laneid", "%clock64", "a.b")),
        *(("python", name, False) for name in ("class", "None", "lambda", "__name__", "async", "a.b")),
        *((style, name, True) for style, name in (("python", "int"), ("python", "_desc"), ("cuda", "kDescA"))),
        *(("ptx", name, True) for name in ("class", "%rd1", "%desc_a", "_desc$1")),
        *(
            (style, name, False)
            for style in ("c", "cuda")
            for name in ("uint32_t", "intptr_t", "UINT32_MAX", "UINT64_C")
        ),
        *((style, name, True) for style in ("c", "cuda") for name in ("uint32", "int8_gemm", "UINT")),
    ],
)
def test_a_name_is_one_of_the_language(style: str, name: str, legal: bool) -> None:
    if legal:
        assert constant_text(SMEM, style, name)
    else:
        with pytest.raises(SmemdescError, match=r"is not a name in .* name a_desc"):
            constant_text(SMEM, style, name)


@pytest.mark.parametrize(
    ("known", "style", "text"),
    [
        (0xFFFFFFFF00000000, "hex", "0x40004040????????"),
        (0xFFFFFFFF00000000, "words", "0x40004040:?"),
        (0x00000000FFFFFFFF, "words", "?:0x00010040"),
    ],
)
def test_partly_known(known: int, style: str, text: str) -> None:
    assert constant_text(encoded("tcgen05", 0x4000404000010040 & known, known), style) == text


@every_row("style", ["dec", "sdec", "c", "cuda", "ptx", "python"])
def test_no_language_has_unknown_digits(style: str) -> None:
    with pytest.raises(SmemdescError, match=f"cannot be written as {style}; use format hex or words"):
        constant_text(encoded("tcgen05", 0x4000404000000000, 0xFFFFFFFF00000000), style)


@some(250)
@given(
    kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), masks(kind.table.width))),
    st.sampled_from(["hex", "dec", "sdec", "words"]),
)
def test_a_bare_constant_reads_back(case: tuple[Kind, int, int], style: str) -> None:
    kind, bits, mask = case
    known = kind.table.full if style in ("dec", "sdec") else mask or 1
    text = constant_text(Encoded(kind, bits & known, known, ()), style)
    if style in ("dec", "sdec") and text[0] != "-":
        text = f"+{text}"  # 8 or 16 digits alone would be hexadecimal
    assert parse_value(text).at(kind.table.width) == (bits & known, known)
