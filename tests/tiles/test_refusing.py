"""Why a layout has no descriptor: which stride, what it must be, what CUTLASS says, and what works.

The table is what make_gmma_desc and make_umma_desc of CUTLASS 4.7 said, compiled for the host with their static
assertions turned into words (kind, major, bits, swizzle, layout, words).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run import held
from tables import every_row

from smemdesc.kinds.types import dtype_of
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.mode import Mode
from smemdesc.tiles.cutlass import DIVISIBILITY, SHAPE_RULE, STRIDE_RULE, failed_assertion
from smemdesc.tiles.explaining import explain_text, read_layout
from smemdesc.tiles.reading import Options
from smemdesc.tiles.refusing import Refusal, refusal, remarks
from smemdesc.tiles.solving import Solution, solve_layout

POINTER = "o smem_ptr[16b](unset) o"
SW128 = f"Sw<3,4,3> {POINTER}"


def solved(text: str, kind: str = "wgmma", **more: tuple[int, int]) -> Solution:
    ask = Options(dtype=None if "[" in text else dtype_of("bf16"))
    return solve_layout(read_layout(text, ask), kind, **more)  # type: ignore[arg-type]


def refused(text: str, kind: str = "wgmma", **more: tuple[int, int]) -> Refusal:
    found = solved(text, kind, **more)
    assert not found.answers
    assert not found.illegal
    return refusal(found, more.get("at"))


REFUSED = {
    "padding": "(_64,_16):(_72,_1)",
    "padding MN-major": f"{SW128} (_64,_16):(_1,_72)",
    "row-major without swizzle": "smem_ptr[16b](0x400) o (_64,_16):(_64,_1)",
    "rows of 4": f"{SW128} ((_4,_16),_16):((_64,_512),_1)",
    "groups that are not alike": f"{SW128} ((_8,(_2,_4)),_16):((_64,(_512,_2048)),_1)",
    "stride of no 16 bytes": f"{SW128} ((_8,_8),_16):((_64,_516),_1)",
    "stride of 15 bits": f"{SW128} ((_8,_2),_16):((_64,_131072),_1)",
    "not contiguous": f"{SW128} (_64,_16):(_2,_128)",
    "no mode": f"Sw<2,3,3> {POINTER} (_64,_16):(_64,_1)",
    "tcgen05 alone": "Sw<2,5,2> o smem_ptr[32b](unset) o (_32,_8):(_1,_32)",
    "start": "Sw<3,4,3>_smem_ptr[16b](0x404) o (_64,_16):(_64,_1)",
    "bit": "Sw<3,4,3>_smem_subptr[4b](0x400.4) o (_64,_64):(_256,_1)",
    "position independent": "smem_ptr[16b](0x410) o Sw<3,3,3> o _0 o (_64,_16):(_64,_1)",
}


def test_a_bare_layout_is_judged_under_modes_that_its_type_has() -> None:
    found = refused("((128,16),1,4,3):((1,128),0,2048,8192)", "tcgen05")
    assert "under 128B it" in found.message
    assert "padding" not in found.message + found.hint


def test_a_layout_that_is_128b_already_is_not_told_to_use_it() -> None:
    assert refused(f"{SW128} (_64,_16):(_72,_1)").hint == ""
    assert "use 128B" in refused("(_64,_16):(_72,_1)").hint


@pytest.mark.parametrize(("swizzle", "modes"), [("", ["128B"]), (f"{SW128} ", [])])
def test_a_text_without_a_swizzle_says_what_has_to_hold(swizzle: str, modes: list[str]) -> None:
    found = explain_text(f"{swizzle}(_64,_64):(_64,_1)", "tcgen05", Options(dtype=dtype_of("bf16")))
    assert [mode for mode in ("32B", "64B", "128B") if f"written with the {mode} swizzle" in found.warning] == modes
    assert not [note for note in found.notes if "is right" in note]


def test_the_first_thing_that_no_descriptor_expresses() -> None:
    cases = [(name, text, "wgmma") for name, text in REFUSED.items()]
    cases.append(("K-major 32-byte atoms", "Sw<2,5,2> o smem_ptr[32b](unset) o (_64,_8):(_32,_1)", "tcgen05"))
    lines = []
    for name, text, kind in cases:
        found = refused(text, kind)
        lines.append(f"{name}, at {text[slice(*found.span)]}: {found.error(text)}\n")
    held("tiles", "refusals", "\n".join(lines))


REMARKED = [
    (f"{SW128} (_60,_16):(_64,_1)", "wgmma"),
    (f"{SW128} (_60,_16):(_64,_1)", "tcgen05"),
    (f"{SW128} (_64,_64):(_64,_1)", "wgmma"),
    (f"{SW128} (_64,_64):(_1,_64)", "wgmma"),
]


def test_what_cutlass_refuses_for_its_size_has_a_descriptor_and_both_are_said() -> None:
    lines = []
    for text, kind in REMARKED:
        found = solved(text, kind)
        assert found.answers
        lines += [f"{kind} {text}: {remark}\n" for remark in remarks(found) if "CUTLASS" in remark]
    assert len(lines) == len(REMARKED)
    held("tiles", "remarks", "\n".join(lines))


def test_an_operand_that_runs_over_the_end_of_an_atom() -> None:
    text = f"{SW128} ((_8,_16),(_64,_2)):((_64,_512),(_1,_8192))"
    found = refused(text, "tcgen05", at=(0, 48), mma=(128, 32))
    assert found.message.startswith(
        "the operand begins 48 elements into 128 B of K (64 elements) and runs over its end"
    )
    assert text[slice(*found.span)] == "_8192"


def test_the_nearest_keeps_the_texts_mode() -> None:
    assert refused(f"Sw<2,4,3> {POINTER} (_64,_64):(_40,_1)").nearest == (
        "Sw<2,4,3> o smem_ptr[16b](unset) o ((_8,_8),(_32,_2)):((_32,_256),(_1,_2048))"
    )


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["wgmma", "tcgen05"]),
    st.sampled_from(
        ["", "Sw<1,4,3> o 0 o ", "Sw<2,4,3> o 0 o ", "Sw<3,4,3> o 0 o ", "Sw<0,4,3> o 0 o ", "Sw<2,5,2> o 0 o "]
    ),
    st.sampled_from(["bf16", "e4m3", "tf32"]),
    st.lists(st.integers(1, 3), min_size=4, max_size=4),
    st.lists(st.sampled_from([1, 2, 8, 24, 64, 72, 512, 1024]), min_size=4, max_size=4),
)
def test_a_refusal_names_a_number_and_its_nearest_has_a_descriptor(
    kind: str, swizzle: str, dtype: str, shape: list[int], stride: list[int]
) -> None:
    a, b, c, d = (1 << each for each in shape)
    text = f"{swizzle}(({a},{b}),({c},{d})):(({stride[0]},{stride[1]}),({stride[2]},{stride[3]}))"
    found = solve_layout(read_layout(text, Options(dtype=dtype_of(dtype))), kind)
    if found.answers or found.illegal:
        return
    why = refusal(found)
    assert (
        "must be" in why.message or "no mode" in why.message or "there is no" in why.message or "has no" in why.message
    )
    again = solve_layout(read_layout(why.nearest, Options(dtype=dtype_of(dtype))), kind)
    assert again.answers


ROWS = [line.split("\t") for line in (Path(__file__).parent / "cutlass.tsv").read_text().splitlines()]
DTYPE = {8: "e4m3", 16: "bf16", 32: "tf32"}


def modes(text: str, bits: int) -> tuple[Mode, Mode]:
    memory = read_layout(text, Options(dtype=dtype_of(DTYPE[bits]), swizzle="none")).readings[0].buffer
    return memory.mn, memory.k


@pytest.mark.parametrize(("kind", "major"), dict.fromkeys((row[0], row[1]) for row in ROWS))
def test_says_what_cutlass_said(kind: str, major: str) -> None:
    for *_, bits, swizzle, text, words in (row for row in ROWS if row[:2] == [kind, major]):
        found = failed_assertion(
            *modes(text, int(bits)), int(bits), Swizzle(*map(int, swizzle.split(","))), kind, major
        )
        assert (found.newer or found.words if found else "") == words, (bits, swizzle, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(64,16):(12,1)", DIVISIBILITY),
        ("((6,16),16):((64,1024),1)", SHAPE_RULE),
        ("((12,8),16):((64,1024),1)", STRIDE_RULE),
    ],
)
def test_the_conditions_of_its_algebra(text: str, words: str) -> None:
    found = failed_assertion(*modes(text, 16), 16, Swizzle(3, 4, 3), "tcgen05", "K")
    assert found is not None
    assert found.words == words


@every_row(
    ("swizzle", "kind", "words"),
    [
        ((2, 5, 2), "wgmma", "Unsupported layout swizzle"),
        ((3, 3, 3), "wgmma", "Unsupported layout swizzle"),
        ((3, 4, 2), "tcgen05", "Expected S = 3 when M == 4. Unsupported layout swizzle."),
        ((4, 4, 3), "tcgen05", "Expected B = 0,1,2, or 3 when M == 4. Unsupported layout swizzle."),
        ((3, 5, 2), "tcgen05", "Expected B = 2 when M == 5. Unsupported layout swizzle."),
        ((2, 5, 3), "tcgen05", "Expected S = 2 when M == 5. Unsupported layout swizzle."),
        ((3, 3, 3), "tcgen05", "Only 16B and 32B Atoms are supported for UMMA. Unsupported layout swizzle."),
    ],
)
def test_a_swizzle_that_is_no_mode(swizzle: tuple[int, int, int], kind: str, words: str) -> None:
    found = failed_assertion(*modes("(64,16):(64,1)", 16), 16, Swizzle(*swizzle), kind, "K")
    assert found is not None
    assert found.words == words
