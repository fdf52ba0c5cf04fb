"""The 64-bit shared-memory matrix descriptor of ``wgmma`` (Hopper, sm_90a)."""

from __future__ import annotations

from smemdesc.engine.fields import Field, Number, Reserved, Table
from smemdesc.kinds.addresses import ASSUMED, BYTES
from smemdesc.kinds.modes import wgmma_swizzle

SOURCE = "PTX ISA 9.1, 9.7.15.5.1.2.2"
MEASURED = "measured on an H200: the bits are ignored"


TABLE = Table(
    "wgmma",
    64,
    (
        Field("start_address", 13, 0, BYTES, "first byte of the operand in shared memory", SOURCE),
        Field(
            "reserved_14",
            15,
            14,
            Reserved(MEASURED),
            "unused",
            SOURCE,
            "an addition to the start address without a mask carries into these bits",
        ),
        Field(
            "leading_byte_offset",
            29,
            16,
            ASSUMED,
            "LBO, leading dimension byte offset",
            "PTX ISA 9.1, 9.7.15.5.1.2.1.1",
        ),
        Field(
            "reserved_30",
            31,
            30,
            Reserved(MEASURED),
            "unused",
            SOURCE,
            "an LBO of 256 KiB or more, or one not divided by 16, overflows into these bits",
        ),
        Field(
            "stride_byte_offset", 45, 32, BYTES, "SBO, stride dimension byte offset", "PTX ISA 9.1, 9.7.15.5.1.2.1.2"
        ),
        Field(
            "reserved_46",
            48,
            46,
            Reserved(MEASURED),
            "unused (a tcgen05 descriptor has 0b001 here)",
            SOURCE,
            "0b001 here is the mark of a tcgen05 descriptor; otherwise an SBO of 256 KiB or more, "
            "or one not divided by 16",
        ),
        Field(
            "base_offset",
            51,
            49,
            Number(),
            "phase of the swizzle pattern, in 128-byte lines",
            "PTX ISA 9.1, 9.7.15.5.1.2.2; acts in 128B, 64B and 32B (measured on an H200)",
        ),
        Field(
            "reserved_52",
            61,
            52,
            Reserved(MEASURED),
            "unused",
            SOURCE,
            "bit 52 is the LBO mode and bit 61 part of the swizzle code of a tcgen05 descriptor",
        ),
        Field("swizzle", 63, 62, wgmma_swizzle(), "swizzle mode", SOURCE),
    ),
)
