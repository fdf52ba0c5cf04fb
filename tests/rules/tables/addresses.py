"""What triggers the rules that look at every address of an operand, and what is near it."""

from __future__ import annotations

from typing import Any

START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"
K: dict[str, Any] = {"dtype": "f16", "major": "K", "shape": "64x16"}
MN: dict[str, Any] = {"dtype": "f16", "major": "MN", "shape": "128x16"}

SMEM = ("wgmma", "tcgen05")
# The sound value has start 1024, LBO 16, SBO 1024, 128B.
BOTH: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({SBO: 0}, K, "warning", "operand-overlap"),
    ({"swizzle": "none", LBO: 128, SBO: 64}, K, "warning", "operand-overlap"),
    ({LBO: 0}, MN, "warning", "operand-overlap"),
    ({START: 0x3FFF0}, K, "warning", "outside-shared-memory"),
    ({SBO: 0x3FFF0}, K, "warning", "outside-shared-memory"),
    ({START: 1024 + 112}, K, "warning", "row-crossing"),
    ({}, K, "note", "tile-and-box"),
    ({SBO: 2048}, K, "note", "tile-and-box"),
    ({LBO: 1024, SBO: 2048}, MN, "note", "tile-and-box"),
]
BOTH_NEAR: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, K, "operand-overlap"),
    ({SBO: 0}, {"dtype": "f16", "major": "K"}, "operand-overlap"),
    ({SBO: 0}, {"dtype": "f16", "major": "K", "shape": "8x16"}, "operand-overlap"),
    ({}, K, "outside-shared-memory"),
    ({START: 1024 + 96}, K, "row-crossing"),
    ({}, {**K, "shape": "999999x16"}, "operand-overlap"),
    ({START: 227 * 1024 - 7 * 1024}, K, "outside-shared-memory"),
    ({SBO: 1040}, K, "tile-and-box"),
    ({LBO: 2048, SBO: 4096}, MN, "tile-and-box"),
    ({}, {"dtype": "f16"}, "tile-and-box"),
]

K_96: dict[str, Any] = {"dtype": "e2m1", "mma_kind": "mxf4", "major": "K", "shape": "128x96"}
TRIGGERS = [
    *((kind, *case) for kind in SMEM for case in BOTH),
    ("tcgen05", {"lbo_mode": "absolute"}, K, "warning", "lbo-absolute-k"),
]
NEAR = [
    *((kind, *case) for kind in SMEM for case in BOTH_NEAR),
    ("tcgen05", {"lbo_mode": "absolute"}, K_96, "lbo-absolute-k"),
]
