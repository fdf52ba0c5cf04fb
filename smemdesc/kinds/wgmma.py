"""The 64-bit shared-memory matrix descriptor of ``wgmma`` (Hopper, sm_90a)."""

from __future__ import annotations

from smemdesc.engine.fields import Field, Number, Reserved, Scaled, Table
from smemdesc.kinds.modes import wgmma_swizzle

SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.2"
MEASURED = "measured on an H200: the bits are ignored"
BYTES = Scaled(16, "B")
"""How byte offsets and addresses are stored: matrix-descriptor-encode(x) = x >> 4."""
ASSUMED = Scaled(16, "B", default=1)
"""LBO: in K-major swizzled layouts PTX calls it "not used, assumed to be 1"."""
_STRIDES = "PTX ISA 9.1, 9.7.15.5.1.2.1"
_BASE_OFFSET = f"{SOURCE}; acts in 128B, 64B and 32B (measured on an H200)"

# What a wrong value in reserved bits probably comes from.
START_CARRY = "an addition to the start address without a mask carries into these bits"
LBO_CARRY = "an LBO of 256 KiB or more, or one not divided by 16, overflows into these bits"
_MARK = "0b001 here is the mark of a tcgen05 descriptor; otherwise an SBO of 256 KiB or more, or one not divided by 16"
_OF_TCGEN05 = "bit 52 is the LBO mode and bit 61 part of the swizzle code of a tcgen05 descriptor"


TABLE = Table(
    "wgmma",
    64,
    (
        Field("start_address", 13, 0, BYTES, "first byte of the operand in shared memory", SOURCE),
        Field("reserved_14", 15, 14, Reserved(MEASURED), "unused", SOURCE, START_CARRY),
        Field("leading_byte_offset", 29, 16, ASSUMED, "LBO, leading dimension byte offset", f"{_STRIDES}.1"),
        Field("reserved_30", 31, 30, Reserved(MEASURED), "unused", SOURCE, LBO_CARRY),
        Field("stride_byte_offset", 45, 32, BYTES, "SBO, stride dimension byte offset", f"{_STRIDES}.2"),
        Field("reserved_46", 48, 46, Reserved(MEASURED), "unused (a tcgen05 descriptor has 0b001 here)", SOURCE, _MARK),
        Field("base_offset", 51, 49, Number(), "phase of the swizzle pattern, in 128-byte lines", _BASE_OFFSET),
        Field("reserved_52", 61, 52, Reserved(MEASURED), "unused", SOURCE, _OF_TCGEN05),
        Field("swizzle", 63, 62, wgmma_swizzle(), "swizzle mode", SOURCE),
    ),
)
