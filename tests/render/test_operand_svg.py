"""The picture of an operand: every unit once with its address, the atoms' steps, overlaps, and the limit."""

from __future__ import annotations

from collections import Counter

import pytest

from render.pictures import all_inside, texts
from smemdesc.descriptors.result import decode, matrix_reading
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.atom import ALL, shape
from smemdesc.layout.operand import Operand
from smemdesc.render.operand import WRONG, picture

TYPES = [("bf16", None), ("e4m3", None), ("tf32", None), ("e2m3", None), ("e2m1", "mxf4")]
CANDIDATE = matrix_reading(decode("0x4000404000010040", "tcgen05", None))


def operand(
    swizzle: str = "128B",
    major: str = "K",
    size: tuple[int, int] = (64, 16),
    *,
    start: int = 1024,
    lbo: int = 16,
    sbo: int = 1024,
    base_offset: int = 0,
    absolute: bool = False,
) -> Operand:
    dtype = dtype_of("e2m1", "mxf4") if absolute else dtype_of("bf16", None)
    return Operand(
        swizzle, major, dtype, size, start=start, lbo=lbo, sbo=sbo, base_offset=base_offset, absolute=absolute
    )


def addresses(drawn: str) -> list[str]:
    """Return the texts of the cells: addresses of five digits."""
    return [text for text in texts(drawn) if text.startswith("0x") and len(text) == 7]


@pytest.mark.parametrize(("dtype", "mma_kind"), TYPES)
@pytest.mark.parametrize(("swizzle", "major"), ALL)
def test_every_unit_is_drawn_once_with_its_address(swizzle: str, major: str, dtype: str, mma_kind: str | None) -> None:
    given = dtype_of(dtype, mma_kind)
    atom = shape(swizzle, major, given)
    made = Operand(swizzle, major, given, (2 * atom.mn, 2 * atom.k), start=2048, lbo=8192, sbo=4096, base_offset=1)
    drawn = picture(made, CANDIDATE)
    expected = [f"0x{made.address(mn, k):05x}" for mn, k, _ in made.unit_addresses()]
    assert Counter(addresses(drawn)) == Counter(expected)
    assert {"LBO 8192 B", "SBO 4096 B"} <= set(texts(drawn))
    assert all_inside(drawn)


def test_title_and_case() -> None:
    found = texts(picture(operand(base_offset=3), CANDIDATE))
    assert found[0] == "Operand under 128B swizzle, K-major, Swizzle<3,4,3>"
    assert "0x4000404000010040" in found[1]
    assert found[2] == (
        "bf16: 64 × 16 elements = 64 × 2 units of 16 B; start 0x00400, LBO 16 B, SBO 1024 B, base offset 3"
    )
    assert texts(picture(operand("none"), CANDIDATE))[0] == "Operand without swizzle, K-major, Swizzle<0,4,3>"


@pytest.mark.parametrize(
    ("made", "arrows", "idle"),
    [
        (operand(), {"SBO 1024 B": "mn 0 → 8"}, ["LBO"]),
        (operand("none", lbo=1024, sbo=128), {"LBO 1024 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (operand("32B", size=(64, 32), lbo=2048, sbo=256), {"LBO 2048 B": "k 0 → 16", "SBO 256 B": "mn 0 → 8"}, []),
        (operand("64B", "MN", lbo=4096, sbo=512), {"LBO 4096 B": "mn 0 → 32", "SBO 512 B": "k 0 → 8"}, []),
        (operand("none", "MN", lbo=1024, sbo=128), {"LBO 1024 B": "k 0 → 8", "SBO 128 B": "mn 0 → 8"}, []),
        (operand("128B", "MN", (64, 8)), {}, ["LBO", "SBO"]),
    ],
)
def test_arrows_say_what_lbo_and_sbo_step_over(made: Operand, arrows: dict[str, str], idle: list[str]) -> None:
    found = texts(picture(made, CANDIDATE))
    labels = [text for text in found if text.endswith(" B") and text[:3] in ("LBO", "SBO")]
    assert sorted(labels) == sorted(arrows)
    for label, where in arrows.items():
        assert found[found.index(label) + 1] == where
    assert [text for text in found if "takes no effect" in text] == [
        f"{name}: takes no effect on this shape" for name in idle
    ]


def test_lbo_as_an_address() -> None:
    made = operand(size=(8, 96), start=96, lbo=4096, absolute=True)
    found = texts(picture(made, CANDIDATE))
    assert "LBO 0x01000" in found
    assert "k 0 → 64: the address of the second chunk" in found
    assert Counter(addresses(picture(made, CANDIDATE))) == Counter(
        f"0x{each:05x}" for *_, each in made.unit_addresses()
    )


def test_overlapping_units_are_marked() -> None:
    made = operand(sbo=256)
    drawn = picture(made, CANDIDATE)
    count = Counter(address for *_, address in made.unit_addresses())
    marks = Counter(text for text in texts(drawn) if text.startswith("×"))
    assert marks == Counter(f"×{count[address]}" for *_, address in made.unit_addresses() if count[address] > 1)
    assert f"red: {marks.total()} of 128 units overlap (×2: two units at this address)" in texts(drawn)
    assert drawn.count(f'stroke="{WRONG}"') == marks.total()
    assert WRONG not in picture(operand(), CANDIDATE)
    assert all_inside(drawn)


def test_large_operands_are_cut_and_say_so() -> None:
    drawn = picture(operand(size=(256, 512), lbo=32768), CANDIDATE)
    assert len(addresses(drawn)) == 32 * 32
    assert "drawn: 32 × 256 elements of 256 × 512" in texts(drawn)
    assert all_inside(drawn)
    whole = picture(operand(size=(256, 16)), CANDIDATE)
    assert len(addresses(whole)) == 512
    assert not [text for text in texts(whole) if text.startswith("drawn")]
    assert all_inside(whole)
