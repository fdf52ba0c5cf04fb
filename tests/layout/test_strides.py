"""The roles of LBO and SBO: they change with the major-ness and with the swizzle."""

from __future__ import annotations

import pytest

from smemdesc.kinds.context import context
from smemdesc.layout.strides import LBO, SBO, strides_of

ROLES = [
    # swizzle, major: what LBO steps along, one packed step of it; the same for SBO (in bytes)
    ("none", "K", ("K", 128), ("MN", 128)),
    ("32B", "K", ("K", 256), ("MN", 256)),
    ("64B", "K", ("K", 512), ("MN", 512)),
    ("128B", "K", ("K", 1024), ("MN", 1024)),
    ("none", "MN", ("K", 128), ("MN", 128)),
    ("32B", "MN", ("MN", 256), ("K", 256)),
    ("64B", "MN", ("MN", 512), ("K", 512)),
    ("128B", "MN", ("MN", 1024), ("K", 1024)),
    ("128B_32B", "MN", ("MN", 512), ("K", 512)),
]
"""PTX ISA 9.1, 9.7.15.5.1.2.1 and its canonical layouts; CUTLASS mma_sm100_desc.hpp for 128B_32B."""


@pytest.mark.parametrize(("swizzle", "major", "lbo", "sbo"), ROLES)
def test_roles(swizzle: str, major: str, lbo: tuple[str, int], sbo: tuple[str, int]) -> None:
    first, second = strides_of(swizzle, major, context())
    assert (first.key, second.key) == (LBO, SBO)
    assert ((first.along, first.packed), (second.along, second.packed)) == (lbo, sbo)


@pytest.mark.parametrize(
    ("swizzle", "case", "used"),
    [
        ("128B", {"dtype": "f16", "major": "K", "shape": "64x16"}, (False, True)),
        ("128B", {"dtype": "f16", "major": "K", "shape": "8x16"}, (False, False)),
        ("32B", {"dtype": "f16", "major": "K", "shape": "64x16"}, (False, True)),
        ("32B", {"dtype": "f16", "major": "K", "shape": "64x32"}, (True, True)),
        ("none", {"dtype": "f16", "major": "K", "shape": "64x16"}, (True, True)),
        ("128B", {"dtype": "f16", "major": "MN", "shape": "64x16"}, (False, True)),
        ("128B", {"dtype": "f16", "major": "MN", "shape": "128x16"}, (True, True)),
        ("128B", {"dtype": "tf32", "major": "MN", "shape": "32x8"}, (False, False)),
        ("128B_32B", {"dtype": "tf32", "major": "MN", "shape": "32x8"}, (False, True)),
        ("none", {"dtype": "f16", "major": "MN", "shape": "8x16"}, (True, False)),
        ("128B", {"major": "K"}, (None, None)),
        ("128B", {"dtype": "f16", "major": "K"}, (False, None)),
    ],
)
def test_whether_the_operand_reaches_a_second_step(
    swizzle: str, case: dict[str, str], used: tuple[bool | None, bool | None]
) -> None:
    first, second = strides_of(swizzle, case["major"], context(**case))  # type: ignore[arg-type]
    assert (first.used, second.used) == used


@pytest.mark.parametrize(("swizzle", "major", "lbo", "sbo"), ROLES)
def test_only_rows_of_one_atom_are_counted(swizzle: str, major: str, lbo: object, sbo: object) -> None:
    for stride in strides_of(swizzle, major, context()):
        rows = f"x {stride.width} B"
        assert rows in stride.explain(stride.packed)
        assert "are contiguous" in stride.explain(stride.packed)
        assert rows not in stride.explain(2 * stride.packed)
        assert f", 2 {stride.pieces}" in stride.explain(2 * stride.packed)
