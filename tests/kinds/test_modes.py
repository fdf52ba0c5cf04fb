"""The swizzle modes, and the code that every encoding gives each."""

from __future__ import annotations

import pytest

from smemdesc.kinds.modes import MODE, MODES, Mode

EXPECTED = [
    # name, wgmma, tcgen05, CU_TENSOR_MAP_SWIZZLE_..., atom row, lines, Swizzle<B,M,S>, period
    ("none", 0, 0, "NONE", 16, 8, (0, 4, 3), 16),
    ("32B", 3, 6, "32B", 32, 8, (1, 4, 3), 256),
    ("64B", 2, 4, "64B", 64, 8, (2, 4, 3), 512),
    ("128B", 1, 2, "128B", 128, 8, (3, 4, 3), 1024),
    ("128B_32B", None, 1, "128B_ATOM_32B", 128, 4, (2, 5, 2), 512),
]
"""PTX ISA 9.1, Tables 38, 40 and 44; CUTLASS mma_sm100_desc.hpp; cuda.h."""


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row[0])
def test_mode(row: tuple[object, ...]) -> None:
    mode = MODE[str(row[0])]
    tma = mode.tma.removeprefix("CU_TENSOR_MAP_SWIZZLE_")
    assert (mode.name, mode.wgmma, mode.tcgen05, tma, mode.width, mode.lines, mode.swizzle, mode.period) == row


def test_there_is_no_other() -> None:
    assert {mode.name for mode in MODES} == {row[0] for row in EXPECTED}


@pytest.mark.parametrize(
    ("name", "code"), [("none", 0), ("32B", 1), ("64B", 2), ("128B", 3), ("128B_32B", 4)], ids=lambda each: str(each)
)
def test_tma_codes(name: str, code: int) -> None:
    assert MODE[name].tma_code == code


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_period_is_that_of_the_swizzle_function(mode: Mode) -> None:
    b, m, s = mode.swizzle
    moved = [address for address in range(4096) if (address >> (m + s)) & ((1 << b) - 1)]
    assert mode.period == (1 << (b + m + s) if moved else 16)


@pytest.mark.parametrize(
    ("name", "atom"), [("none", 128), ("32B", 256), ("64B", 512), ("128B", 1024), ("128B_32B", 512)]
)
def test_atom_bytes(name: str, atom: int) -> None:
    assert MODE[name].atom == atom


@pytest.mark.parametrize(("name", "phases"), [("none", 1), ("32B", 2), ("64B", 4), ("128B", 8), ("128B_32B", 4)])
def test_phases_are_the_lines_of_128_bytes_in_a_period(name: str, phases: int) -> None:
    assert MODE[name].phases == max(1, MODE[name].period // 128) == phases
