"""The swizzle modes: one row each, with its code in every encoding.

The descriptors and the TMA tensor map number the same modes differently; the enumerations
of the tables are made from these rows, so the numbers are in one place.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import Enum, EnumCode


class SwizzleMode(NamedTuple):
    """A swizzle mode. Widths and periods in bytes; ``swizzle`` is Swizzle<B,M,S> on byte addresses."""

    name: str
    width: int
    """Bytes of one row of the atom along the contiguous dimension."""
    lines: int
    """Rows of ``width`` bytes in an atom of the MN-major layout (the K-major atom always has 8)."""
    swizzle: tuple[int, int, int]
    period: int
    """The pattern repeats at multiples of this address; 16 where there is no pattern."""
    phases: int
    """The number of base offsets that differ in effect."""
    wgmma: int | None
    tcgen05: int
    tma: str
    tma_code: int

    @property
    def atom(self) -> int:
        """The bytes from one group of 8 rows (4 in 128B_32B) to the next when atoms are packed."""
        return self.width * self.lines

    def rows(self, major: str) -> int:
        """Return how many rows of ``width`` bytes the atom of a major-ness has."""
        return 8 if major == "K" else self.lines

    def code(self, kind: str) -> int | None:
        """Return the code in a kind of descriptor; None if it lacks the mode."""
        return self.wgmma if kind == "wgmma" else self.tcgen05


SOURCE = "PTX ISA 9.1, Tables 38 and 40; CUTLASS mma_sm100_desc.hpp"

MODES = (
    SwizzleMode("none", 16, 8, (0, 4, 3), 16, 1, 0, 0, "CU_TENSOR_MAP_SWIZZLE_NONE", 0),
    SwizzleMode("128B_32B", 128, 4, (2, 5, 2), 512, 4, None, 1, "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B", 4),
    SwizzleMode("128B", 128, 8, (3, 4, 3), 1024, 8, 1, 2, "CU_TENSOR_MAP_SWIZZLE_128B", 3),
    SwizzleMode("64B", 64, 8, (2, 4, 3), 512, 4, 2, 4, "CU_TENSOR_MAP_SWIZZLE_64B", 2),
    SwizzleMode("32B", 32, 8, (1, 4, 3), 256, 2, 3, 6, "CU_TENSOR_MAP_SWIZZLE_32B", 1),
)

MODE = {mode.name: mode for mode in MODES}
TMA_NAME = {mode.tma_code: mode.name for mode in MODES}
TMA_ONLY = {5: "128B_ATOM_32B_FLIP_8B", 6: "128B_ATOM_64B"}
"""Modes of the tensor map that no descriptor has."""
TMA_CODE = {name: code for code, name in (TMA_NAME | TMA_ONLY).items()}
"""The code of each mode in the tensor map."""


def modes(kind: str | None) -> list[SwizzleMode]:
    """Return the modes that descriptors of a kind have; all for None."""
    return [mode for mode in MODES if kind is None or mode.code(kind) is not None]


_DOC = {
    "none": "no swizzle (interleaved 8 x 16 B core matrices)",
    "128B_32B": "128-byte swizzle of 32-byte units, for MN-major tf32",
    "128B": "128-byte swizzle",
    "64B": "64-byte swizzle",
    "32B": "32-byte swizzle",
}


def _code(code: int, mode: SwizzleMode) -> EnumCode:
    """One code, and the tensor map's for the same mode, as they are mixed up."""
    there = "as" if code == mode.tma_code else str(mode.tma_code)
    return EnumCode(code, mode.name, f"{_DOC[mode.name]}; encoded as {code} ({there} in a tensor map)")


def wgmma_swizzle() -> Enum:
    """The two-bit enumeration of the wgmma descriptor."""
    rows = sorted((mode.wgmma, mode) for mode in MODES if mode.wgmma is not None)
    return Enum(*(_code(code, mode) for code, mode in rows))


def tcgen05_swizzle() -> Enum:
    """The three-bit enumeration of the tcgen05 descriptor; 3, 5 and 7 are undefined."""
    wrong = {
        3: "code 3 is 32B in wgmma (6 here) and 128B in the tensor map (2 here)",
        5: "code 5 is 128B_ATOM_32B_FLIP_8B in the tensor map, which no descriptor has; here 4 is 64B and 6 is 32B",
        7: "the last code is 6, 32B",
    }
    return Enum(*(_code(mode.tcgen05, mode) for mode in MODES), wrong=wrong)
