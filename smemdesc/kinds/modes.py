"""The swizzle modes: one row each, with its code in every encoding and its names in other projects.

The descriptors and the TMA tensor map number the same modes differently; the enumerations
of the tables are made from these rows, so the numbers are in one place.
"""

from __future__ import annotations

from typing import NamedTuple

from smemdesc.engine.fields import Enum, EnumCode

_UNIT = 16
"""Bytes that most modes move as a unit."""
ENCODINGS = ("wgmma", "tcgen05", "the tensor map")
TMA_PREFIX = "CU_TENSOR_MAP_SWIZZLE_"


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
    tcgen05: int | None
    tma: str = ""
    """``CU_TENSOR_MAP_SWIZZLE_...``; empty: no tensor map has it."""
    tma_code: int | None = None
    about: str = ""
    """What more there is to say, after its width and unit."""
    ptx: str = ""
    cutlass: str = ""
    triton: int | None = None
    """Triton's ``swizzlingByteWidth``; None: Triton does not have it."""
    mlir: str = ""
    """What follows ``swizzle_`` in MLIR's nvgpu dialect; empty: MLIR does not have it."""
    also: tuple[str, ...] = ()
    """Its other names, in lower case: what code writes for it."""
    words: tuple[str, ...] = ()
    """Its other names in text."""

    @property
    def unit(self) -> int:
        """The bytes that the swizzle moves as a unit."""
        return 1 << self.swizzle[1]

    @property
    def wide(self) -> bool:
        """Whether its units are of 32 bytes: it is for MN-major operands of 32-bit types."""
        return self.unit > _UNIT

    @property
    def what(self) -> str:
        """The mode in words: ``128-byte swizzle``."""
        if self.width == self.unit:
            return "no swizzle (interleaved 8 x 16 B core matrices)"
        units = f" of {self.unit}-byte units, for MN-major tf32" if self.wide else ""
        return f"{self.width}-byte swizzle{units}"

    def codes(self, *encodings: str) -> str:
        """Return its codes in words, of the encodings that have it: ``1 in wgmma, 2 in tcgen05``."""
        there = (name for name in encodings or ENCODINGS if self.code(name) is not None)
        return ", ".join(f"{self.code(name)} in {name}" for name in there)

    @property
    def atom(self) -> int:
        """The bytes from one group of 8 rows (4 in 128B_32B) to the next when atoms are packed."""
        return self.width * self.lines

    def rows(self, major: str) -> int:
        """Return how many rows of ``width`` bytes the atom of a major-ness has."""
        return 8 if major == "K" else self.lines

    def code(self, encoding: str) -> int | None:
        """Return the code in one of :data:`ENCODINGS`; None if it lacks the mode."""
        return dict(zip(ENCODINGS, (self.wgmma, self.tcgen05, self.tma_code), strict=True))[encoding]


def _usual(width: int, bits: int, wgmma: int, tcgen05: int, tma_code: int) -> SwizzleMode:
    """A mode of 16-byte units, whose rows of 8 units of this width move by the number of their line."""
    name = f"{width}B"
    tma = f"{TMA_PREFIX}{name}"
    return SwizzleMode(
        *(name, width, 8, (bits, 4, 3), 8 * width, width // _UNIT, wgmma, tcgen05, tma, tma_code),
        ptx=f"{width}-byte swizzle",
        cutlass=f"B{width}, SWIZZLE_{name}, Layout_K_SW{width}_Atom",
        triton=width,
        mlir=name.lower(),
        words=(f"swizzle_{width}b", f"sw{width}", f"b{width}", tma.lower(), f"{width}-byte swizzle"),
    )


MODES_SOURCE = "PTX ISA 9.1, Tables 38 and 40; CUTLASS mma_sm100_desc.hpp"

MODES = (
    SwizzleMode(
        *("none", 16, 8, (0, 4, 3), 16, 1, 0, 0, f"{TMA_PREFIX}NONE", 0),
        ptx="no-swizzle, interleaved",
        cutlass="INTERLEAVE, SWIZZLE_NONE, Layout_K_INTER_Atom",
        triton=0,
        mlir="none",
        also=("0", "16", "16b", "inter", "interleave", "swizzle_none", "no_swizzle", "swizzle_interleave"),
        words=("interleave", "no swizzling", "no swizzle", "swizzle_none", "cu_tensor_map_swizzle_none"),
    ),
    SwizzleMode(
        *("128B_32B", 128, 4, (2, 5, 2), 512, 4, None, 1, f"{TMA_PREFIX}128B_ATOM_32B", 4),
        about="128-byte rows whose 32-byte units are permuted, for MN-major tf32 on tcgen05",
        ptx="128-byte swizzle with 32-byte atomicity",
        cutlass="SWIZZLE_128B_BASE32B, B128_BASE32B, Layout_MN_SW128_32B_Atom",
        also=("128b_base32b", "128b_atom_32b", "sw128_32b", "swizzle_128b_base32b", "swizzle_128b_atom_32b"),
        words=(
            *("swizzle_128b_base32b", "128b_base32b", "128b_atom_32b", "cu_tensor_map_swizzle_128b_atom_32b"),
            "b128_base32b",
        ),
    ),
    _usual(128, 3, 1, 2, 3),
    _usual(64, 2, 2, 4, 2),
    _usual(32, 1, 3, 6, 1),
)

MODE = {mode.name: mode for mode in MODES}
TMA_NAME = {mode.tma_code: mode.name for mode in MODES if mode.tma_code is not None}
SWIZZLES = tuple(TMA_NAME[code] for code in sorted(TMA_NAME) if code < 4)
"""The modes that the two bits of a tensor map hold, by their codes."""
TMA_ONLY = {5: "128B_ATOM_32B_FLIP_8B", 6: "128B_ATOM_64B"}
"""Modes of the tensor map that no descriptor has."""
TMA_CODE = {name: code for code, name in (TMA_NAME | TMA_ONLY).items()}
"""The code of each mode in the tensor map."""


def by_width() -> list[SwizzleMode]:
    """Return the modes as PTX's tables list them: by width, those of larger units last."""
    return sorted(MODES, key=lambda mode: (mode.wide, mode.width))


def of_width(width: int | None) -> str:
    """Return the mode of 16-byte units whose rows have so many bytes; empty if there is none."""
    return next((mode.name for mode in MODES if mode.width == width and mode.name != "none" and not mode.wide), "")


def modes(kind: str | None) -> list[SwizzleMode]:
    """Return the modes that descriptors of a kind have; all for None."""
    return [mode for mode in MODES if kind is None or mode.code(kind) is not None]


def _code(code: int, mode: SwizzleMode) -> EnumCode:
    """One code, and the tensor map's for the same mode, as they are mixed up."""
    there = "as" if code == mode.tma_code else str(mode.tma_code)
    aside = "no tensor map has it" if mode.tma_code is None else f"{there} in a tensor map"
    return EnumCode(code, mode.name, f"{mode.what}; encoded as {code} ({aside})")


def _codes(kind: str) -> list[EnumCode]:
    """Return the codes in a kind of descriptor, in their order."""
    rows = ((mode.code(kind), mode) for mode in MODES)
    return [_code(code, mode) for code, mode in sorted((code, mode) for code, mode in rows if code is not None)]


def wgmma_swizzle() -> Enum:
    """The two-bit enumeration of the wgmma descriptor."""
    return Enum(*_codes("wgmma"))


def tcgen05_swizzle() -> Enum:
    """The three-bit enumeration of the tcgen05 descriptor; 3, 5 and 7 are undefined."""
    wrong = {
        3: "code 3 is 32B in wgmma (6 here) and 128B in the tensor map (2 here)",
        5: "code 5 is 128B_ATOM_32B_FLIP_8B in the tensor map, which no descriptor has; here 4 is 64B and 6 is 32B",
        7: "the last code is 6, 32B",
    }
    codes = _codes("tcgen05")
    return Enum(*codes, wrong={code: why for code, why in wrong.items() if code not in {row.raw for row in codes}})
