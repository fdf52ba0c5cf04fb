"""The swizzle modes, and the code that every encoding gives each (of the descriptors: test_tables.py)."""

from __future__ import annotations

import pytest

from smemdesc.kinds import aliases
from smemdesc.kinds.modes import MODE, MODES, SwizzleMode

EXPECTED = [
    # name, wgmma, tcgen05, tensor map, CU_TENSOR_MAP_SWIZZLE_..., atom row, lines, atom, Swizzle<B,M,S>, period, phases
    ("none", 0, 0, 0, "NONE", 16, 8, 128, (0, 4, 3), 16, 1),
    ("32B", 3, 6, 1, "32B", 32, 8, 256, (1, 4, 3), 256, 2),
    ("64B", 2, 4, 2, "64B", 64, 8, 512, (2, 4, 3), 512, 4),
    ("128B", 1, 2, 3, "128B", 128, 8, 1024, (3, 4, 3), 1024, 8),
    ("128B_32B", None, 1, 4, "128B_ATOM_32B", 128, 4, 512, (2, 5, 2), 512, 4),
]
"""PTX ISA 9.1, Tables 38, 40 and 44; CUTLASS mma_sm100_desc.hpp; cuda.h."""


def test_there_are_five() -> None:
    assert {mode.name for mode in MODES} == {row[0] for row in EXPECTED}


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row[0])
def test_mode(row: tuple[object, ...]) -> None:
    mode = MODE[str(row[0])]
    codes = mode.name, mode.wgmma, mode.tcgen05, mode.tma_code, mode.tma.removeprefix("CU_TENSOR_MAP_SWIZZLE_")
    assert (*codes, mode.width, mode.lines, mode.atom, mode.swizzle, mode.period, mode.phases) == row


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_period_is_that_of_the_swizzle_function(mode: SwizzleMode) -> None:
    b, m, s = mode.swizzle
    moved = [address for address in range(4096) if (address >> (m + s)) & ((1 << b) - 1)]
    assert mode.period == (1 << (b + m + s) if moved else 16)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *(("128", "128B"), ("B64", "64B"), ("GMMA::LayoutType::B32", "32B"), ("SwizzleMode.128B", "128B")),
        *(("cute::UMMA::LayoutType::SWIZZLE_128B", "128B"), ("Layout_MN_SW128_32B_Atom", "128B_32B")),
        *(("SmemLayoutAtomKind.K_SW64", "64B"), ("K_INTER", "none"), ("Layout_K_INTER_Atom<half_t>", "none")),
        *((other, other) for other in ("1.64", "12.0", "mov.b64", ".b32", "foo::16b", "K_16", "MN_32", "x::0")),
    ],
)
def test_a_mode_has_the_names_of_others_and_no_number_with_a_scope(name: str, mode: str) -> None:
    assert aliases.mode_alias(name) == mode
