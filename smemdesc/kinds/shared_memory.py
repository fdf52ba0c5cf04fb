"""The 64-bit shared-memory descriptors of ``wgmma`` (Hopper, sm_90a) and ``tcgen05`` (Blackwell, sm_100a and later)."""

from __future__ import annotations

from smemdesc.engine.fields import Enum, EnumCode, Field, Fixed, Number, Reserved, Scaled, Table
from smemdesc.kinds.archs import CAPABILITIES
from smemdesc.kinds.modes import tcgen05_swizzle, wgmma_swizzle

WINDOW = 256 * 1024
"""Bytes that a descriptor can address."""
_START = "first byte of the operand in shared memory"
_SBO = "SBO, stride dimension byte offset"
_PHASE = "phase of the swizzle pattern, in 128-byte lines"
_WGMMA = "PTX ISA 9.1, 9.7.15.5.1.2.2"
_IGNORED = "measured on an H200: the bits are ignored"
_BYTES = Scaled(16, "B")
"""How byte offsets and addresses are stored: matrix-descriptor-encode(x) = x >> 4."""
_ADDRESS = Scaled(16, "B", digits=5)
_ASSUMED = Scaled(16, "B", default=1)
"""LBO: in K-major swizzled layouts PTX calls it "not used, assumed to be 1"."""
_STRIDES = "PTX ISA 9.1, 9.7.15.5.1.2.1"
_BASE_OFFSET = f"{_WGMMA}; takes effect in 128B, 64B and 32B (measured on an H200)"

# The probable origin of a wrong value in reserved bits.
_START_CARRY = "an addition to the start address without a mask carries into these bits"
_LBO_CARRY = "an LBO of 256 KiB or more, or one not divided by 16, overflows into these bits"
_MARK = "0b001 here marks a tcgen05 descriptor; otherwise an SBO of 256 KiB or more, or one not divided by 16"
_OF_TCGEN05 = "bit 52 is the LBO mode and bit 61 part of the swizzle code of a tcgen05 descriptor"


WGMMA = Table(
    "wgmma",
    64,
    (
        Field("start_address", 13, 0, _ADDRESS, _START, _WGMMA),
        Field("reserved_14", 15, 14, Reserved(_IGNORED), "unused", _WGMMA, _START_CARRY),
        Field("leading_byte_offset", 29, 16, _ASSUMED, "LBO, leading dimension byte offset", f"{_STRIDES}.1"),
        Field("reserved_30", 31, 30, Reserved(_IGNORED), "unused", _WGMMA, _LBO_CARRY),
        Field("stride_byte_offset", 45, 32, _BYTES, _SBO, f"{_STRIDES}.2"),
        Field("reserved_46", 48, 46, Reserved(_IGNORED), "unused (a tcgen05 descriptor has 0b001 here)", _WGMMA, _MARK),
        Field("base_offset", 51, 49, Number(), _PHASE, _BASE_OFFSET),
        Field("reserved_52", 61, 52, Reserved(_IGNORED), "unused", _WGMMA, _OF_TCGEN05),
        Field("swizzle", 63, 62, wgmma_swizzle(), "swizzle mode", _WGMMA),
    ),
)

_TCGEN05 = "PTX ISA 9.1, 9.7.16.4.1, Table 40"
_RESERVED = "PTX ISA 9.3, 9.7.17.4.1 (9.1 leaves these bits out of its table)"
_LBO = "LBO, leading dimension byte offset or address"
_LBO_ADDRESS = "LBO is the address of the second part of a K of 48 bytes"
_ABSOLUTE = CAPABILITIES["absolute-lbo"]
_TOLERATED = "some shipped code writes 0 (a wgmma descriptor has 0 here); PTX ISA and CUTLASS require 0b001"
_NO_VERSION = "a wgmma descriptor, or code that omits the version"
_VERSION = Fixed(1, tolerated={0: _TOLERATED}, wrong={0: _NO_VERSION})
_SBO_CARRY = "an SBO of 256 KiB or more, or one not divided by 16, or a carry out of SBO"
_TYPO = f"{_TCGEN05} (printed 0xb00000000, a typo for 0b00000000)"
_BINARY = "the documents print the constant as 0xb00000000, but it is binary: all zeros"

TCGEN05 = Table(
    "tcgen05",
    64,
    (
        Field("start_address", 13, 0, _ADDRESS, _START, _TCGEN05),
        Field("reserved_14", 15, 14, Reserved(), "reserved", _RESERVED, _START_CARRY),
        Field("leading_byte_offset", 29, 16, _ASSUMED, _LBO, _TCGEN05),
        Field("reserved_30", 31, 30, Reserved(), "reserved", _RESERVED, _LBO_CARRY),
        Field("stride_byte_offset", 45, 32, _BYTES, _SBO, _TCGEN05),
        Field("version", 48, 46, _VERSION, "descriptor version, 0b001 from sm_100 on", _TCGEN05, _SBO_CARRY),
        Field("base_offset", 51, 49, Number(), _PHASE, _TCGEN05),
        Field(
            "lbo_mode",
            52,
            52,
            Enum(
                EnumCode(0, "relative", "LBO is a byte offset"),
                EnumCode(1, "absolute", _LBO_ADDRESS, _ABSOLUTE.names, _ABSOLUTE.source),
            ),
            "whether LBO is an offset or an address",
            _TCGEN05,
        ),
        Field("fixed_53", 60, 53, Fixed(0), "constant 0", _TYPO, _BINARY),
        Field("swizzle", 63, 61, tcgen05_swizzle(), "swizzle mode", _TCGEN05),
    ),
)

_SM_107 = "PTX ISA 9.4; CUTLASS descriptors.py"
_FIRST_14 = f"{_SM_107}; PTX ISA 9.4's formula still keeps 14 bits, its table has 15"
_LBO_CARRY_107 = "an LBO of 512 KiB or more, or one not divided by 16, overflows into this bit"

SMEM_VARIANTS = {
    "sm_107": TCGEN05.variant(
        "tcgen05@sm_107",
        Field("start_address", 14, 0, _ADDRESS, _START, _FIRST_14),
        Field("reserved_15", 15, 15, Reserved(), "reserved", _SM_107, _START_CARRY),
        Field("leading_byte_offset", 30, 16, _ASSUMED, _LBO, _FIRST_14),
        Field("reserved_31", 31, 31, Reserved(), "reserved", _SM_107, _LBO_CARRY_107),
        Field(
            "lut_k_offset",
            53,
            53,
            Enum(
                EnumCode(0, 0, "B is not compressed, or K begins at byte 0 of the 48 bytes of compressed B"),
                EnumCode(1, 24, "K begins at byte 24 of the 48 bytes of compressed B (.decompress::lut::b)"),
            ),
            "byte at which K begins in a compressed B",
            _SM_107,
        ),
        Field("fixed_54", 60, 54, Fixed(0), "constant 0", _SM_107, _BINARY),
    )
}
"""The tables of architectures that have another one."""
