"""The rules for tensor-memory addresses."""

from __future__ import annotations

from typing import Any

TRIGGERS: list[tuple[dict[str, Any] | int, dict[str, Any], str, str]] = [
    ({"lane": 128}, {}, "error", "lane-range"),
    ({"lane": 0x2000}, {}, "error", "lane-range"),
    ({"lane": 0x8080}, {}, "error", "lane-range"),
    # The byte of a scale factor, in bits 30-31 of CUTLASS's pointers.
    *(({"lane": byte << 14}, {}, "note", "lane-range") for byte in (1, 2, 3)),
    ({"column": 512}, {}, "error", "column-range"),
    ({"lane": 0, "column": 0x8000}, {}, "error", "column-range"),
    ({"lane": 1}, {}, "note", "lane-in-warp"),
    ({"lane": 127}, {}, "note", "lane-in-warp"),
]

NEAR: list[tuple[dict[str, Any] | int, dict[str, Any], str]] = [
    ({"lane": 127}, {}, "lane-range"),
    ({"column": 511}, {}, "column-range"),
    *(({"lane": lane}, {}, "lane-in-warp") for lane in range(0, 128, 16)),
    (0, {}, "kind-arch"),
]
