"""Explicit bases of shared memory: read where they are a canonical layout, in each notation, and given back."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run import smemdesc
from samples import refusing

from smemdesc import SmemdescError, explain_layout, linear_layout

ROWS = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]
"""64 x 64 of a 16-bit type, K-major 128B."""
TEXT = f"#ttg.shared_linear<{{offset = {ROWS}}}, alignment = 1024>"
GLUON = f"ttgl.SharedLinearLayout(offset_bases={ROWS}, block_bases=[], alignment=1024)"
PRINTED = "\n".join(f" - offset={1 << power} -> ({row}, {column})" for power, (row, column) in enumerate(ROWS))


class Gluon:
    offset_bases = ROWS
    block_bases: ClassVar[list[list[int]]] = []


class Triton:
    bases: ClassVar = [("offset", ROWS), ("block", [])]


@pytest.mark.parametrize("layout", [TEXT, GLUON, PRINTED, ROWS, Gluon(), Triton()])
def test_every_notation_is_the_same(layout: object) -> None:
    answer = explain_layout(layout, "wgmma", dtype="f16", major="K")  # type: ignore[arg-type]
    assert answer.to_dict()["descriptor"] == "0x4000004000010000"
    assert [list(basis.place) for basis in linear_layout(layout).bases] == ROWS  # type: ignore[arg-type]


@given(
    st.sampled_from(["none", "32B", "64B", "128B"]), st.sampled_from(["f16", "e4m3", "tf32"]), st.integers(0, 1),
    st.sampled_from([(64, 64), (128, 64), (64, 128), (256, 32)]),
)  # fmt: skip
def test_what_linear_prints_is_read_back(mode: str, dtype: str, transposed: int, shape: tuple[int, int]) -> None:
    width, bits = int(mode.replace("none", "0").rstrip("B")), {"f16": 16, "e4m3": 8, "tf32": 32}[dtype]
    encoding = f"swizzlingByteWidth = {width}, transposed = {str(bool(transposed)).lower()}, elementBitWidth = {bits}"
    text = f"#ttg.nvmma_shared<{{{encoding}}}>"
    try:
        layout = linear_layout(text, shape=shape)
    except SmemdescError:  # Triton rejects a dimension below the swizzle's width
        return
    again = linear_layout(layout.triton, dtype=dtype)
    assert again.bases == layout.bases
    assert again.encoding.swizzle in (mode, "none")


def test_the_command_reads_what_it_prints() -> None:
    printed = smemdesc("layout", "linear", TEXT).out
    assert smemdesc("layout", "linear", printed).out == printed
    assert (
        smemdesc("encode", "wgmma", "--layout", printed, "--dtype", "f16", "--major", "K").out == "0x4000004000010000\n"
    )


@pytest.mark.parametrize("first", [True, False])
def test_of_three_dimensions_one_may_count_stages(first: bool) -> None:
    bases = [[0, *basis] if first else [*basis, 0] for basis in ROWS]
    bases += [[1, 0, 0] if first else [0, 0, 1], [2, 0, 0] if first else [0, 0, 2]]
    answers = [explain_layout(bases, stage=stage, major="K").to_dict()["descriptor"] for stage in (0, 3)]
    assert answers == ["0x4000404000010000", "0x4000404000010600"]


def test_other_bases_and_objects_are_refused() -> None:
    with refusing("match no swizzle mode"):
        explain_layout([[0, 1], [0, 2], [1, 1]])
    with refusing("is not a layout"):
        explain_layout(3)  # type: ignore[arg-type]
    with refusing("dtype is missing"):
        linear_layout(swizzle="128B")
