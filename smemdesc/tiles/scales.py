"""The descriptor that ``tcgen05.cp`` copies scale factors to tensor memory with."""

from __future__ import annotations

from smemdesc.descriptors.encoding import encode
from smemdesc.layout.scales import GROUP

COPY = "tcgen05.cp.cta_group::{}.32x128b.warpx4"
"""Copies a block: 32 lanes of 128 bits, to the lanes of all four warps."""
SOURCE = "DeepGEMM make_sf_desc; TileLang tcgen05_cp; Triton createBlockedScalesSMEMDescriptor (LBO 16 B)"


def copy_descriptor(start: int = 0) -> int:
    """Return the descriptor of a block of scale factors at a byte of shared memory.

    No swizzle, SBO 128 B (8 lines of 16 B); a line is one 16-byte unit, so that LBO has no effect and is 0.
    """
    return encode("tcgen05", start_address=start, leading_byte_offset=0, stride_byte_offset=GROUP, swizzle="none")
