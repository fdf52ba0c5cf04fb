"""What CUTLASS says of a layout. The table is what make_gmma_desc and make_umma_desc of CUTLASS 4.7 said, compiled
for the host with their static assertions turned into words (kind, major, bits, swizzle, layout, words)."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdesc.layout.cute import Swizzle
from smemdesc.tiles.cutlass import SHAPE_RULE, STRIDE_RULE, UNIT, failed_assertion
from smemdesc.tiles.explaining import read
from smemdesc.tiles.reading import Ask, Mode

ROWS = [line.split("\t") for line in (Path(__file__).parent / "cutlass.tsv").read_text().splitlines()]
DTYPE = {8: "e4m3", 16: "bf16", 32: "tf32"}


def modes(text: str, bits: int) -> tuple[Mode, Mode]:
    from smemdesc.kinds.types import dtype_of

    memory = read(text, Ask(dtype=dtype_of(DTYPE[bits]), swizzle="none")).readings[0].buffer
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
        ("(64,16):(12,1)", UNIT),
        ("((6,16),16):((64,1024),1)", SHAPE_RULE),
        ("((12,8),16):((64,1024),1)", STRIDE_RULE),
    ],
)
def test_the_conditions_of_its_algebra(text: str, words: str) -> None:
    found = failed_assertion(*modes(text, 16), 16, Swizzle(3, 4, 3), "tcgen05", "K")
    assert found is not None
    assert found.words == words


@pytest.mark.parametrize(
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
