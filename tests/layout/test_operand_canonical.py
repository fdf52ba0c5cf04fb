"""Canonical layouts: PTX's worked examples, the erratum of Figure 167, both notations against the address formula."""

from __future__ import annotations

import pytest
from samples import long_run
from tables import every_row

from smemdesc.descriptors.encoding import build
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.types import PACKED_E2M1, DType, dtype_of
from smemdesc.layout.atom import EVERY_ATOM, atom_bytes, atom_shape, no_instruction
from smemdesc.layout.cute import Swizzle
from smemdesc.layout.forms import FIGURE_167, FIGURE_167_RIGHT, aliases, canonical_form, form_example, forms
from smemdesc.layout.operand import Operand, canonical_layout

FIGURES = {
    # figure: mode, major-ness, type, MN x K, LBO and SBO in bytes, exact layout, (T, m, k)
    166: ("none", "K", "tf32", (16, 16), 256, 128, "Swizzle<0,4,3> o ((8,2),(4,4)):((4,32),(1,64))", (4, 2, 2)),
    167: ("32B", "K", "tf32", (16, 8), 16, 256, "Swizzle<1,4,3> o ((8,2),(4,2)):((8,64),(1,4))", (4, 2, 1)),
    168: ("none", "MN", "bf16", (16, 16), 256, 128, "Swizzle<0,4,3> o ((8,1,2),(8,2)):((1,8,64),(8,128))", (8, 2, 2)),
    169: ("32B", "MN", "bf16", (32, 16), 256, 512, "Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256))", (8, 2, 2)),
    170: ("64B", "MN", "bf16", (64, 16), 512, 1024, "Swizzle<2,4,3> o ((8,4,2),(8,2)):((1,8,256),(32,512))", (8, 2, 2)),
}
DTYPES = [dtype_of(name) for name in ("tf32", "bf16", "e4m3", "e2m3")] + [PACKED_E2M1]


def operand_of(figure: int) -> Operand:
    swizzle, major, dtype, extent, lbo, sbo, _, _ = FIGURES[figure]
    return Operand(swizzle, major, dtype_of(dtype), extent, lbo=lbo, sbo=sbo)


@pytest.mark.parametrize("figure", FIGURES)
def test_exact_layout_of_the_figure(figure: int) -> None:
    operand = operand_of(figure)
    exact, (t, m, k) = FIGURES[figure][-2:]
    found = canonical_layout(operand)
    assert str(found.ptx) == str(found.cutlass) == exact
    assert (operand.unit, found.m, found.k) == (t, m, k)


def test_figure_167_as_printed_is_no_layout_of_distinct_elements() -> None:
    assert str(FIGURE_167) == "((8,2),(4,4)):((8,64),(1,4))"
    assert aliases(FIGURE_167) == (256, 136)
    # Row 1 begins where the third unit of row 0 would: one address, two elements.
    assert FIGURE_167(0, 8) == FIGURE_167(1, 0) == 8
    assert aliases(FIGURE_167_RIGHT) == (128, 128)


def test_figure_167_with_k_2_is_what_ptx_writes_and_cutlass_does_not() -> None:
    found = canonical_layout(Operand("32B", "K", dtype_of("tf32"), (16, 16), lbo=512, sbo=256))
    assert str(found.ptx.layout) == str(FIGURE_167)
    assert str(found.cutlass.layout) == "((8,2),(4,2,2)):((8,64),(1,4,128))"
    assert "Figure 167" in found.why


def extents(swizzle: str, major: str, dtype: DType) -> list[tuple[int, int]]:
    """One atom, and several along MN and along K as far as PTX's form can say them."""
    mn, k = atom_shape(swizzle, major, dtype)
    if major == "K":
        inside = [(mn, k), (3 * mn, k), (2 * mn, 128 // dtype.storage)]
        return [*inside, (2 * mn, 4 * k)] if swizzle == "none" else inside
    return [(mn, k), (3 * mn, k), (mn, 4 * k), (2 * mn, 2 * k)]


@pytest.mark.corpus
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: f"{dtype.name}-{dtype.storage}")
@pytest.mark.parametrize(("swizzle", "major"), EVERY_ATOM)
@pytest.mark.parametrize("gap", [3, long_run(1)])
def test_both_notations_give_the_addresses_of_the_formula(swizzle: str, major: str, dtype: DType, gap: int) -> None:
    size = atom_bytes(swizzle, major)
    for extent in extents(swizzle, major, dtype):
        operand = Operand(swizzle, major, dtype, extent, start=0x4400, lbo=gap * size, sbo=5 * gap * size)
        found = canonical_layout(operand)
        whole_bytes = operand.packed
        for mn, k in operand.coordinates():
            bit = operand.bit_address(mn, k)
            if not whole_bytes and (k if major == "K" else mn) % 16:
                continue  # inside a container elements do not lie a container's element apart
            assert found.ptx.bit_address(operand.start, mn, k) == bit
            assert found.cutlass.bit_address(operand.start, mn, k) == bit
        assert found.ptx.layout.size == extent[0] * extent[1]


@pytest.mark.parametrize(("name", "swizzle"), [("bf16", Swizzle(3, 3, 3)), ("tf32", Swizzle(3, 2, 3))])
def test_the_swizzle_of_the_table_acts_on_bytes(name: str, swizzle: Swizzle) -> None:
    """With the offsets of its canonical layout, which count elements, it is another one."""
    dtype = dtype_of(name)
    operand = Operand("128B", "K", dtype, atom_shape("128B", "K", dtype), lbo=16, sbo=1024)
    offsets = {at: at[0] * 1024 // dtype.storage + at[1] for at in operand.coordinates()}
    assert all(swizzle(offset) * dtype.storage == operand.bit_address(*at) for at, offset in offsets.items())
    assert any(Swizzle(3, 4, 3)(offset) * dtype.storage != operand.bit_address(*at) for at, offset in offsets.items())


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: f"{dtype.name}-{dtype.storage}")
@pytest.mark.parametrize("swizzle", ["32B", "64B", "128B"])
def test_where_k_spans_atoms_only_cutlass_is_right(swizzle: str, dtype: DType) -> None:
    mn, k = atom_shape(swizzle, "K", dtype)
    size = atom_bytes(swizzle, "K")
    operand = Operand(swizzle, "K", dtype, (2 * mn, 2 * k), lbo=2 * size, sbo=size)
    found = canonical_layout(operand)
    assert found.why
    addresses = [(mn, k) for mn, k in operand.coordinates() if operand.packed or not k % 16]
    assert all(found.cutlass.bit_address(0, *at) == operand.bit_address(*at) for at in addresses)
    assert any(found.ptx.bit_address(0, *at) != operand.bit_address(*at) for at in addresses)


@every_row(
    ("swizzle", "major", "extent", "words"),
    [
        ("128B", "K", (12, 16), "multiple of 8"),
        ("128B", "K", (8, 12), "multiple of 8"),
        ("32B", "K", (8, 24), "atoms"),
        ("none", "MN", (12, 8), "multiple of 8"),
        ("64B", "MN", (40, 8), "atoms"),
        ("64B", "MN", (32, 12), "multiple of 8"),
        ("128B_32B", "MN", (64, 6), "multiple of 4"),
    ],
)
def test_what_is_no_whole_number_is_refused(swizzle: str, major: str, extent: tuple[int, int], words: str) -> None:
    with pytest.raises(SmemdescError, match=words):
        canonical_layout(Operand(swizzle, major, dtype_of("bf16"), extent, lbo=512, sbo=1024))


def test_absolute_mode_has_no_canonical_layout() -> None:
    operand = Operand("128B", "K", PACKED_E2M1, (128, 96), lbo=0x8000, sbo=1024, absolute=True)
    with pytest.raises(SmemdescError, match="absolute"):
        canonical_layout(operand)


PTX_TABLE = {
    ("none", "MN"): "((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))",
    ("32B", "MN"): "((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))",
    ("64B", "MN"): "((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))",
    ("128B", "MN"): "((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))",
    ("128B_32B", "MN"): None,
    ("none", "K"): "((8,m),(T,2k)):((1T,SBO),(1,LBO))",
    ("32B", "K"): "((8,m),(T,2k)):((2T,SBO),(1,T))",
    ("64B", "K"): "((8,m),(T,2k)):((4T,SBO),(1,T))",
    ("128B", "K"): "((8,m),(T,2k)):((8T,SBO),(1,T))",
    ("128B_32B", "K"): None,
}
"""PTX ISA 9.1, 9.7.15.5.1.2.1.3."""


def test_the_table_is_ptxs() -> None:
    rows = forms(dtype_of("bf16"))
    assert {(row.swizzle, row.major): row.ptx for row in rows} == PTX_TABLE
    assert [(row.swizzle, row.major) for row in rows] == list(PTX_TABLE)
    for row in rows:
        assert row.function == {"none": (0, 4, 3), "32B": (1, 4, 3), "64B": (2, 4, 3), "128B": (3, 4, 3)}.get(
            row.swizzle, (2, 5, 2)
        )


def test_the_table_as_cutlass_has_it() -> None:
    found = {(row.swizzle, row.major): row.cutlass for row in forms(dtype_of("bf16"))}
    assert found["none", "K"] == "((8,m),(T,2)):((1T,SBO),(1,LBO))"
    assert found["128B", "K"] == "((8,m),(T,2)):((8T,SBO),(1,T))"
    assert found["128B_32B", "MN"] == "((T,8,m),(4,k)):((1,T,LBO),(8T,SBO))"
    assert found["128B_32B", "K"] is None
    for swizzle in ("none", "32B", "64B", "128B"):
        assert found[swizzle, "MN"] == PTX_TABLE[swizzle, "MN"]


def test_every_difference_has_a_reason() -> None:
    for row in forms(dtype_of("bf16")):
        assert bool(row.why) is (row.ptx != row.cutlass or row.cutlass is None)


def test_example_counts_what_the_notations_do() -> None:
    tf32 = dtype_of("tf32")
    right = form_example(canonical_form("32B", "K", tf32), tf32, (16, 8), None, 256)
    assert (right.operand.lbo, right.distinct, right.apart) == (16, 128, 0)
    wrong = form_example(canonical_form("32B", "K", tf32), tf32, (16, 16), 512, 256)
    assert (wrong.distinct, wrong.apart) == (136, 128)


@every_row(
    ("swizzle", "major", "extent", "lbo", "sbo", "words"),
    [
        ("128B", "K", (16, 64), None, None, "SBO is missing"),
        ("128B", "K", (8, 128), None, None, "LBO is missing"),
        ("128B", "K", (16, 64), None, 1000, "multiple of 16"),
        ("128B", "K", (16, 64), None, 0x40000, "multiple of 16"),
        ("128B", "K", (16, 64), None, -16, "multiple of 16"),
        ("128B_32B", "K", (16, 64), 16, 1024, "Table 58"),
    ],
)
def test_example_refuses(
    swizzle: str, major: str, extent: tuple[int, int], lbo: int | None, sbo: int | None, words: str
) -> None:
    bf16 = dtype_of("bf16")
    with pytest.raises(SmemdescError, match=words):
        form_example(canonical_form(swizzle, major, bf16), bf16, extent, lbo, sbo)


@every_row("dtype", ["tf32", "bf16", "e4m3", "s8", "packed"])
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_remark_says_what_the_rules_find(swizzle: str, major: str, dtype: str) -> None:
    from smemdesc import context

    mma_kind = "mxf4" if dtype == "packed" else None
    case = context(dtype="e2m1" if mma_kind else dtype, major=major, mma_kind=mma_kind)
    assert case.dtype is not None
    findings = build(kind_of("tcgen05"), {"swizzle": swizzle}, context=case, force=True).findings
    refused = any(each.rule in ("mn-major-type", "tf32-mn-major") for each in findings)
    assert bool(no_instruction(swizzle, major, case.dtype)) is refused
