"""The chips: one row each, from which the names of the architectures, their families and their sizes follow."""

from __future__ import annotations

from typing import NamedTuple


class Chip(NamedTuple):
    """A chip: ``sm_N``, with ``a`` the target of the chip itself, with ``f`` a target of its family.

    What it has is said by :data:`smemdesc.kinds.archs.CAPABILITIES`, by their ``a`` targets.
    """

    name: str
    """The architecture without a suffix."""
    reads: str
    """The kind of descriptor that its MMA reads; empty: none."""
    shared: int | None
    """KB of shared memory of an SM; None: not known."""
    family: int | None
    """The number of the first chip of its family; None: it has no family target."""
    source: str
    """What says which capabilities it has: it lacks the others. Empty: of the others it is not known."""
    gpus: tuple[str, ...] = ()
    """Names of GPUs, and of families of them."""
    former: int | None = None
    """Its old number."""
    tables: str = ""
    """The tables that it reads instead of the common ones (:data:`smemdesc.kinds.archs.VARIANTS`)."""
    parameters: int | None = 0x380
    """Where a kernel's parameters begin in their address space, as far as it was seen; None: not known."""

    @property
    def number(self) -> int:
        """The number in its name."""
        return int(self.name.removeprefix("sm_"))

    @property
    def suffixed(self) -> tuple[str, ...]:
        """Its target, and that of its family."""
        return (f"{self.name}a", *([f"{self.name}f"] if self.family else []))


_PTXAS = "ptxas 13.5"

CHIPS = (
    Chip("sm_90", "wgmma", 228, None, _PTXAS, ("hopper", "h100", "h200", "h20", "h800", "gh200"), parameters=0x210),
    Chip("sm_100", "tcgen05", 228, 100, _PTXAS, ("blackwell", "b100", "b200", "gb200")),
    Chip("sm_103", "tcgen05", 228, 100, _PTXAS, ("b300", "gb300", "blackwell_ultra")),
    # Its size is second hand.
    Chip("sm_107", "tcgen05", 328, 100, _PTXAS, ("rubin",), tables="sm_107"),
    Chip("sm_110", "tcgen05", 228, 110, _PTXAS, ("thor", "jetson_thor"), 101),
    Chip("sm_120", "", 100, 120, _PTXAS, ("rtx_5090", "rtx5090", "rtx_pro_6000")),
    Chip("sm_121", "", 100, 120, _PTXAS, ("gb10", "dgx_spark")),
)
"""By number. The sizes: CUDA C++ Programming Guide, compute capabilities; the families: ptxas 13.5."""
CHIP = {chip.name: chip for chip in CHIPS}
