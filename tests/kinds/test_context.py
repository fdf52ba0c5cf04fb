"""What is known about the instruction around a descriptor."""

from __future__ import annotations

import pytest
from tables import every_row

from smemdesc import context
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.context import NOTHING
from smemdesc.reading.quantities import parse_shape


def test_nothing_is_known_at_first() -> None:
    assert context() == NOTHING
    assert (NOTHING.mn, NOTHING.k, NOTHING.bits) == (None, None, None)


def test_names_become_what_they_stand_for() -> None:
    case = context(dtype="bf16", major="mn", shape="64x32", arch="sm_90a", cta_group=1, ws=False, scale_vec=2)
    assert case.dtype is not None
    assert (case.dtype.name, case.major, case.shape, case.mn, case.k, case.bits) == ("bf16", "MN", (64, 32), 64, 32, 16)
    assert (case.arch, case.cta_group, case.ws, case.scale_vec) == ("sm_90a", 1, False, 2)


@pytest.mark.parametrize(
    ("dtype", "mma_kind", "k", "bits"),
    [("f16", None, 16, 16), ("tf32", None, 8, 32), ("e2m1", "mxf4", 64, 4), ("e2m1", "f8f6f4", 32, 8)],
)
def test_k_without_a_shape_is_that_of_the_dense_instruction(
    dtype: str, mma_kind: str | None, k: int, bits: int
) -> None:
    case = context(dtype=dtype, mma_kind=mma_kind)
    assert (case.k, case.bits) == (k, bits)


@pytest.mark.parametrize(
    ("text", "shape"), [("64x16", (64, 16)), ("64X16", (64, 16)), ("1x1", (1, 1)), ("256x8", (256, 8))]
)
def test_shape(text: str, shape: tuple[int, int]) -> None:
    assert parse_shape(text) == shape


@every_row("text", ["64", "64x", "x16", "64x16x2", "ax16", "64*16", "-64x16", "6 4x16", "0x16", "64x0", ""])
def test_no_shape(text: str) -> None:
    with pytest.raises(SmemdescError, match="shape"):
        parse_shape(text)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"dtype": "f64"}, "unknown operand type 'f64'"),
        ({"dtype": "fp32"}, "A and B of 32-bit floats are tf32"),
        ({"major": "J"}, "unknown major-ness 'J'; use K or MN"),
        ({"arch": "sm_42"}, "unknown architecture 'sm_42'"),
        ({"shape": "64"}, "'64' is not a shape"),
    ],
)
def test_what_does_not_exist(wrong: dict[str, str], says: str) -> None:
    with pytest.raises(SmemdescError, match=says):
        context(**wrong)  # type: ignore[arg-type]
