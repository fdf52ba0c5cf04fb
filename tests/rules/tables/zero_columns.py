"""What triggers the rules for the zero-column mask, and what is near it."""

from __future__ import annotations

from typing import Any

TRIGGERS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"column_shift": 33}, {}, "error", "column-shift"),
    ({"column_shift": 63}, {}, "error", "column-shift"),
    ({"column_shift": 17}, {}, "note", "column-shift"),
    ({"column_shift": 32}, {}, "note", "column-shift"),
    ({"column_shift": 17}, {"m": 32}, "error", "column-shift"),
    # the sound value zeroes 3 columns and uses 4
    *(({f"start_count_{i}": 4}, {}, "warning", "start-count-past-span") for i in range(4)),
    *(({f"start_count_{i}": 255}, {}, "warning", "start-count-past-span") for i in range(4)),
    *(({f"start_count_{i}": 3, f"first_span_{i}": True}, {}, "warning", "start-count-past-span") for i in range(4)),
    ({"non_zero_mask": False}, {}, "note", "mask-off"),
    ({"non_zero_mask": False, "skip_span": 1, "use_span": 1, "first_span_2": True}, {}, "note", "mask-off-with-counts"),
    ({}, {"m": 16}, "error", "mask-size"),
    ({}, {"m": 256}, "error", "mask-size"),
    ({}, {"n": 264}, "error", "mask-size"),
    ({}, {"n": 4}, "error", "mask-size"),
    ({}, {"m": 32, "n": 66}, "error", "mask-size"),
    ({}, {"m": 64, "n": 96}, "note", "mask-size"),
    ({"start_count_1": 1}, {"m": 128}, "note", "unused-sub-mask"),
    ({"first_span_3": True}, {"m": 64}, "note", "unused-sub-mask"),
]

NEAR: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"column_shift": 16}, {}, "column-shift"),
    ({"column_shift": 0}, {}, "column-shift"),
    *(({f"start_count_{i}": 3}, {}, "start-count-past-span") for i in range(4)),
    *(({f"start_count_{i}": 2, f"first_span_{i}": True}, {}, "start-count-past-span") for i in range(4)),
    ({"start_count_0": 9, "non_zero_mask": False}, {}, "start-count-past-span"),
    ({"start_count_0": 9, "use_span": 10}, {}, "start-count-past-span"),
    ({}, {}, "mask-off"),
    ({}, {}, "mask-off-with-counts"),
    ({"start_count_1": 1, "use_span": 4, "skip_span": 3}, {}, "mask-off-with-counts"),
    ({"non_zero_mask": False, "skip_span": 1, "use_span": 1}, {}, "mask-off"),
    ({"non_zero_mask": False, "skip_span": 1, "use_span": 1, "column_shift": 2}, {}, "mask-off"),
    ({"column_shift": 32}, {"m": 64}, "column-shift"),
    ({"column_shift": 16}, {"m": 32}, "column-shift"),
    ({"start_count_1": 9}, {"m": 128}, "start-count-past-span"),
    ({}, {"m": 32, "n": 64}, "mask-size"),
    ({}, {"m": 128, "n": 256}, "mask-size"),
    ({"start_count_0": 1}, {"m": 128}, "unused-sub-mask"),
    ({"start_count_1": 1}, {"m": 64}, "unused-sub-mask"),
    ({"start_count_3": 1}, {"m": 32}, "unused-sub-mask"),
    ({"start_count_3": 1}, {}, "unused-sub-mask"),
]
