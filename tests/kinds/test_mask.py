"""The zero-column mask descriptor against PTX ISA 9.1 (9.7.16.4.3) and its four examples."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.encoding import encode
from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.kind import kind_of

TABLE = kind_of("mask").table

POSITIONS = [
    ("start_count_0", 7, 0),
    ("start_count_1", 15, 8),
    ("start_count_2", 23, 16),
    ("start_count_3", 31, 24),
    ("first_span_0", 32, 32),
    ("first_span_1", 33, 33),
    ("first_span_2", 34, 34),
    ("first_span_3", 35, 35),
    ("reserved_36", 38, 36),
    ("non_zero_mask", 39, 39),
    ("skip_span", 47, 40),
    ("use_span", 55, 48),
    ("column_shift", 61, 56),
    ("reserved_62", 63, 62),
]

# The examples of the section: 111 are three zeroed columns (skip span), 0000 four used ones (use span).
EXAMPLES = [
    pytest.param(0x0003040000000000, {"non_zero_mask": False, "skip_span": 5, "use_span": 4}, id="example 1"),
    pytest.param(0x0003028000000000, {"skip_span": 3, "use_span": 4}, id="example 2"),
    pytest.param(0x0003028100000000, {"skip_span": 3, "use_span": 4, "first_span_0": True}, id="example 3"),
    pytest.param(
        0x0203028301020100,
        {
            "skip_span": 3,
            "use_span": 4,
            "first_span_0": True,
            "first_span_1": True,
            "start_count_1": 1,
            "start_count_2": 2,
            "start_count_3": 1,
            "column_shift": 2,
        },
        id="example 4",
    ),
]
REST = {f"start_count_{i}": 0 for i in range(4)} | {f"first_span_{i}": False for i in range(4)}
REST |= {"non_zero_mask": True, "column_shift": 0, "reserved_36": 0, "reserved_62": 0}


def test_positions() -> None:
    assert [(row.key, row.hi, row.lo) for row in TABLE.rows] == POSITIONS


@pytest.mark.parametrize(("value", "fields"), EXAMPLES)
def test_example_decodes(value: int, fields: dict[str, Scalar]) -> None:
    result = decode(value)
    assert result.kind == "mask"
    assert {key: reading.value for key, reading in result.fields.items()} == REST | fields


@pytest.mark.parametrize(("value", "fields"), EXAMPLES)
def test_example_encodes(value: int, fields: dict[str, Scalar]) -> None:
    assert encode("mask", **fields) == value


@pytest.mark.parametrize(("columns", "raw"), [(1, 0), (4, 3), (256, 255)])
def test_spans_count_columns(columns: int, raw: int) -> None:
    value = encode("mask", skip_span=columns, use_span=columns)
    assert (value >> 40 & 0xFF, value >> 48 & 0xFF) == (raw, raw)


def test_what_is_left_out() -> None:
    assert encode("mask") == 1 << 39
