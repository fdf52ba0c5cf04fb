"""Block-scaled formats by the names that people use: an element type, with the type and the block of its scale factors.

Sources: PTX ISA 9.3, Tables 59 and 60; CUTLASS ``cutlass/float_subbyte.h`` and ``float8.h``; OCP Microscaling Formats.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class ScaledFormat(NamedTuple):
    """A block-scaled format."""

    name: str
    dtype: str
    """The PTX name of its element type."""
    scale: str
    """The type of its scale factors."""
    block: int
    """Elements of K that share one factor."""
    mma_kind: str
    """The MMA kind that is meant if nothing else decides."""
    cutlass: str
    note: str = ""
    """What the name leaves open."""

    @property
    def text(self) -> str:
        """What it means: ``e2m1, scale factors in ue4m3 for 16 of K``."""
        return f"{self.dtype}, scale factors in {self.scale} for {self.block} of K"


_E5M2 = "mxfp8 is read as e4m3; for e5m2 write mxfp8_e5m2"
SCALED_FORMATS = (
    ScaledFormat("nvfp4", "e2m1", "ue4m3", 16, "mxf4nvf4", "nv_float4_t<float_e2m1_t>"),
    ScaledFormat("mxfp4", "e2m1", "ue8m0", 32, "mxf4", "mx_float4_t<float_e2m1_t>"),
    ScaledFormat("mxfp8", "e4m3", "ue8m0", 32, "mxf8f6f4", "mx_float8_t", _E5M2),
    ScaledFormat("mxfp8_e4m3", "e4m3", "ue8m0", 32, "mxf8f6f4", "mx_float8_t<float_e4m3_t>"),
    ScaledFormat("mxfp8_e5m2", "e5m2", "ue8m0", 32, "mxf8f6f4", "mx_float8_t<float_e5m2_t>"),
    ScaledFormat("mxfp6_e2m3", "e2m3", "ue8m0", 32, "mxf8f6f4", "mx_float6_t<float_e2m3_t>"),
    ScaledFormat("mxfp6_e3m2", "e3m2", "ue8m0", 32, "mxf8f6f4", "mx_float6_t<float_e3m2_t>"),
)
_BY_NAME = {name: row for row in SCALED_FORMATS for name in (row.name, row.cutlass)}


def format_of(name: str) -> ScaledFormat | None:
    """Return the format of a name, which may be CUTLASS's; None if it is not one of these."""
    lower = re.sub(r"(?<!\w)\w++::", "", "".join(name.lower().split())).replace("-", "_")
    return _BY_NAME.get(lower)
